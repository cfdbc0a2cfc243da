/* SPDX-License-Identifier: Apache-2.0 */
/* What Scripts/instructions counts of Kernel 8: independent traces (Tests/Independent), played by the session alone. A
 * count is without what the port does, which has rows of its own: -secret (the secret part, over the test adapter),
 * -curve (points of public keys), -rsa, -hash (SHA-1, SHA-256). Each again for what is left after GENERATE AC where the
 * kernel has precomputed what it can (-after-ac). Every call of measured() is a row, its name on standard output.
 *
 * Usage: kernel-8 FILE.taps NAME… */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

#include "../../Sources/CEMV/session/session.h"
#include "../../Tests/Corpus/kernel.h"
#include "../../Tests/Secrets/secrets.h"

enum { ROUNDS = 10, REPLIES = 64, GENERATE_AC = 0xAE };

/* What is counted: the kernel, or one part of the port. */
enum part { KERNEL = 0, SECRET = 1, CURVE = 2, RSA = 3, HASH = 4, PARTS = 5 };
static enum part counted;
static bool met[PARTS];         /* something of it was done */
static bool counting, after_ac; /* the tap is where it counts; it counts from GENERATE AC on alone */

/* Collection is on within measured() by itself, and off outside. */
static bool inside, collecting;
static void collect(bool on)
{
    if (inside && on != collecting) CALLGRIND_TOGGLE_COLLECT;
    collecting = on;
}
static void enter(enum part part)
{
    met[part] = true;
    collect(counting && counted == part);
}
static void leave(void) { collect(counting && counted == KERNEL); }

/* ---- the port ---- */

static void p256_public(uint8_t point[2 * CEMV_P256_SIZE], const uint8_t scalar[CEMV_P256_SIZE])
{
    enter(SECRET);
    test_secrets.p256_public(point, scalar);
    leave();
}

static void p256_multiply(uint8_t x[CEMV_P256_SIZE], const uint8_t scalar[CEMV_P256_SIZE],
                          const uint8_t point[2 * CEMV_P256_SIZE])
{
    enter(SECRET);
    test_secrets.p256_multiply(x, scalar, point);
    leave();
}

static void aes_encrypt(const uint8_t key[16], uint8_t *blocks, size_t count)
{
    enter(SECRET);
    test_secrets.aes_encrypt(key, blocks, count);
    leave();
}

static void aes_decrypt(const uint8_t key[16], uint8_t block[16])
{
    enter(SECRET);
    test_secrets.aes_decrypt(key, block);
    leave();
}

static void aes_chain(const uint8_t key[16], uint8_t chain[16], const uint8_t *blocks, size_t count)
{
    enter(SECRET);
    test_secrets.aes_chain(key, chain, blocks, count);
    leave();
}

static bool p256_recover(uint8_t point[2 * CEMV_P256_SIZE], const uint8_t x[CEMV_P256_SIZE])
{
    enter(CURVE);
    const bool any = cemv_p256_recover(point, x);
    leave();
    return any;
}

static bool p256_combine(uint8_t x[CEMV_P256_SIZE], const uint8_t s[CEMV_P256_SIZE], const uint8_t r[CEMV_P256_SIZE],
                         const uint8_t point[2 * CEMV_P256_SIZE])
{
    enter(CURVE);
    const bool any = cemv_p256_combine(x, s, r, point);
    leave();
    return any;
}

static bool rsa_public(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t exponent)
{
    enter(RSA);
    const bool any = cemv_crypto_builtin.rsa_public(out, in, modulus, exponent);
    leave();
    return any;
}

static bool rsa_public_prepared(uint8_t *out, cemv_bytes in, const struct cemv_rsa_key *key)
{
    enter(RSA);
    const bool any = cemv_crypto_builtin.rsa_public_prepared(out, in, key);
    leave();
    return any;
}

static void sha1(uint8_t digest[CEMV_SHA1_SIZE], const cemv_bytes *pieces, size_t count)
{
    enter(HASH);
    cemv_crypto_builtin.sha1(digest, pieces, count);
    leave();
}

static void sha256(uint8_t digest[CEMV_SHA256_SIZE], const cemv_bytes *pieces, size_t count)
{
    enter(HASH);
    cemv_crypto_builtin.sha256(digest, pieces, count);
    leave();
}

static const struct cemv_crypto_secret secret = { .p256_public = p256_public,
                                                  .p256_multiply = p256_multiply,
                                                  .aes_encrypt = aes_encrypt,
                                                  .aes_decrypt = aes_decrypt,
                                                  .aes_chain = aes_chain };

/* ---- a tap, as the trace had it ---- */

static struct tap {
    struct corpus_cemv cemv;
    struct corpus_kernel inner;
    cemv_bytes random;
    struct cemv_reply replies[REPLIES];
    size_t count;
    struct cemv_outcome outcome;
} tap;
static struct corpus_bench bench;
static struct cemv_reader_memory fresh;

static void begin(void *own, const struct corpus_trace *trace, const struct corpus_sale *sale, bool further,
                  struct corpus_step *step)
{
    tap.random = sale->random;
    tap.inner.begin(own, trace, sale, further, step);
    if (step->wait == CORPUS_REFUSED) return;
    struct cemv_crypto *const crypto = (struct cemv_crypto *)(uintptr_t)tap.cemv.checked->crypto; /* of the replay */
    crypto->secret = &secret;
    crypto->p256_recover = p256_recover;
    crypto->p256_combine = p256_combine;
    crypto->rsa_public = rsa_public;
    crypto->rsa_public_prepared = rsa_public_prepared;
    crypto->sha1 = sha1;
    crypto->sha256 = sha256;
}

static void reply(void *own, const struct corpus_reply *given, struct corpus_step *step)
{
    static const uint8_t kinds[] = { [CORPUS_REPLY_CARD] = CEMV_REPLY_CARD,
                                     [CORPUS_REPLY_RESPONSE] = CEMV_REPLY_RESPONSE,
                                     [CORPUS_REPLY_CONTINUE] = CEMV_REPLY_CONTINUE,
                                     [CORPUS_REPLY_RANDOM] = CEMV_REPLY_DATA };
    if (given->kind == CORPUS_REPLY_END) tap.outcome = cemv_session_outcome(tap.cemv.session);
    else if (given->kind >= sizeof kinds || kinds[given->kind] == 0 || tap.count == REPLIES) tap.count = REPLIES + 1;
    else
        tap.replies[tap.count++] =
            (struct cemv_reply){ .kind = kinds[given->kind], .elapsed_us = given->elapsed_us, .bytes = given->bytes };
    tap.inner.reply(own, given, step);
}

static bool play(void)
{
    struct cemv_session *session;
    struct cemv_config_error error;
    bench.reader = fresh;
    counting = !after_ac;
    leave();
    if (cemv_session_begin(bench.session, sizeof bench.session, tap.cemv.checked, &tap.cemv.sale.transaction,
                           tap.random, &session, &error) != CEMV_OK)
        return false;
    for (size_t i = 0; i < tap.count; i++) {
        if (after_ac) {
            const cemv_bytes command = cemv_session_command(session);
            const bool sends = cemv_session_step(session) == CEMV_STEP_SEND;
            while (sends && cemv_session_work(session)) {
            }
            counting = counting || (sends && command.data[1] == GENERATE_AC);
            leave();
        }
        (void)cemv_session_reply(session, &tap.replies[i]);
    }
    counting = false;
    leave();
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    return outcome.status == tap.outcome.status && outcome.reason == tap.outcome.reason &&
           cemv_session_step(session) == CEMV_STEP_DONE;
}

__attribute__((noinline)) static bool measured(void)
{
    bool same = true;
    inside = collecting = true;
    for (size_t i = 0; i < ROUNDS; i++) same = play() && same;
    collect(true); /* as --toggle-collect left it */
    inside = false;
    return same;
}

static bool count_trace(const char *name, const char *text, size_t size)
{
    static const char *const parts[PARTS] = { "", "-secret", "-curve", "-rsa", "-hash" };
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CORPUS_ARENA];
    struct corpus_arena arena = { memory, sizeof memory, 0 };
    struct corpus_trace trace;
    struct corpus_report report;
    char error[200];
    memset(&tap, 0, sizeof tap);
    if (!corpus_open(&trace, text, size, &arena, error)) return false;
    tap.inner = corpus_kernel_cemv(&tap.cemv, &bench, &arena);
    struct corpus_kernel kernel = tap.inner;
    kernel.begin = begin;
    kernel.reply = reply;
    if (!corpus_replay_with(&trace, &kernel, &report) || tap.count > REPLIES) return false;
    memset(met, 0, sizeof met);
    if (!play()) return false;
    met[KERNEL] = true;
    for (unsigned i = 0; i < 2 * PARTS; i++) {
        counted = (enum part)(i % PARTS);
        after_ac = i >= PARTS;
        if (!met[counted]) continue;
        if (!measured()) return false;
        printf("%s%s%s\n", name, after_ac ? "-after-ac" : "", parts[counted]);
    }
    return true;
}

int main(int count, char **words)
{
    static char text[1 << 20];
    FILE *const stream = count > 2 ? fopen(words[1], "rb") : NULL;
    int found = 0;
    if (stream == NULL) return fprintf(stderr, "usage: kernel-8 FILE.taps NAME...\n"), 2;
    while (fgets(text, sizeof text, stream) != NULL)
        for (int i = 2; i < count; i++) {
            char named[80];
            snprintf(named, sizeof named, "\"name\":\"%s\"", words[i]);
            if (strstr(text, named) == NULL) continue;
            if (!count_trace(words[i], text, strlen(text))) return fprintf(stderr, "%s: ends otherwise\n", named), 1;
            found++;
        }
    fclose(stream);
    return found != count - 2;
}
