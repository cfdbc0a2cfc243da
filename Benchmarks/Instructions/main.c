/* SPDX-License-Identifier: Apache-2.0 */
/* The workload of Scripts/instructions: taps of independent traces (Tests/Independent), played by the session alone.
 * The replay of Tests/Corpus plays each trace once and its replies are kept; every call of measured() then plays them
 * ROUNDS times and is one row, its name on standard output.
 *
 * Usage: main ROW... <TRACES, one trace a line. ROW is the name of a trace, then one of:
 *
 *   -after-last   the work that remains after the last response when the kernel has precomputed what it can
 *   -curve        points of public keys on P-256
 *
 * Any other row is the whole tap. None contains Kernel 8's secret part, which is an adapter of the tests, and only
 * -curve contains points of public keys, which would hide the kernel: one takes a hundred times its instructions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

#include "../../Sources/CEMV/session/session.h"
#include "../../Tests/Corpus/kernel.h"
#include "../../Tests/Secrets/secrets.h"

enum { ROUNDS = 10, REPLIES = 64 };

enum part { KERNEL, CURVE, SECRET };
static enum part counted;
static bool met;              /* some of the counted work was done */
static bool counting;         /* the tap has reached the counted part */
static bool inside, collects; /* measured() runs; callgrind collects */

/* Callgrind collects only within measured(), unless an option says otherwise. */
static void collect(bool on)
{
    if (inside && on != collects) CALLGRIND_TOGGLE_COLLECT;
    collects = on;
}
static void enter(enum part part)
{
    met = met || part == counted;
    collect(counting && counted == part);
}
static void leave(void) { collect(counting && counted == KERNEL); }

/* ---- the port, which counts when it is entered and left ---- */

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
    size_t count, last; /* index of the last response */
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
}

static void reply(void *own, const struct corpus_reply *given, struct corpus_step *step)
{
    static const uint8_t kinds[] = { [CORPUS_REPLY_CARD] = CEMV_REPLY_CARD,
                                     [CORPUS_REPLY_RESPONSE] = CEMV_REPLY_RESPONSE,
                                     [CORPUS_REPLY_CONTINUE] = CEMV_REPLY_CONTINUE,
                                     [CORPUS_REPLY_RANDOM] = CEMV_REPLY_DATA,
                                     [CORPUS_REPLY_END] = CEMV_REPLY_ABANDON };
    const bool known = given->kind < sizeof kinds && kinds[given->kind] != 0 && tap.count < REPLIES;
    if (given->kind == CORPUS_REPLY_END) tap.outcome = cemv_session_outcome(tap.cemv.session);
    if (given->kind == CORPUS_REPLY_RESPONSE) tap.last = tap.count;
    if (known)
        tap.replies[tap.count++] =
            (struct cemv_reply){ .kind = kinds[given->kind], .elapsed_us = given->elapsed_us, .bytes = given->bytes };
    else tap.count = REPLIES + 1;
    tap.inner.reply(own, given, step);
}

static bool play(bool after_last)
{
    struct cemv_session *session;
    struct cemv_config_error error;
    struct cemv_outcome outcome = { 0 };
    bench.reader = fresh;
    counting = !after_last;
    leave();
    if (cemv_session_begin(bench.session, sizeof bench.session, tap.cemv.checked, &tap.cemv.sale.transaction,
                           tap.random, &session, &error) != CEMV_OK)
        return false;
    for (size_t i = 0; i < tap.count; i++) {
        while (after_last && cemv_session_step(session) == CEMV_STEP_SEND && cemv_session_work(session)) {
        }
        counting = counting || i == tap.last;
        leave();
        if (tap.replies[i].kind == CEMV_REPLY_ABANDON) outcome = cemv_session_outcome(session);
        (void)cemv_session_reply(session, &tap.replies[i]);
    }
    counting = false;
    leave();
    return outcome.status == tap.outcome.status && outcome.reason == tap.outcome.reason &&
           cemv_session_step(session) == CEMV_STEP_DONE;
}

__attribute__((noinline)) static bool measured(bool after_last)
{
    bool same = true;
    inside = collects = true;
    for (size_t i = 0; i < ROUNDS; i++) same = play(after_last) && same;
    collect(true); /* as --toggle-collect left it */
    inside = false;
    return same;
}

static bool open_trace(const char *text)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CORPUS_ARENA];
    static struct corpus_arena arena;
    static struct corpus_trace trace;
    struct corpus_report report;
    char error[200];
    arena = (struct corpus_arena){ memory, sizeof memory, 0 };
    memset(&tap, 0, sizeof tap);
    if (!corpus_open(&trace, text, strlen(text), &arena, error)) return false;
    tap.inner = corpus_kernel_cemv(&tap.cemv, &bench, &arena);
    struct corpus_kernel kernel = tap.inner;
    kernel.begin = begin;
    kernel.reply = reply;
    return corpus_replay_with(&trace, &kernel, &report) && tap.count <= REPLIES;
}

/* Whether the row counts this trace. The suffix of the row's name states which part of the tap is counted. */
static bool is_row_of(const char *row, const char *text, const char **rest)
{
    char name[80];
    const char *const found = strstr(text, "\"name\":\"");
    if (!found || sscanf(found, "\"name\":\"%79[^\"]\"", name) != 1) return false;
    const size_t size = strlen(name);
    *rest = row + size;
    return strncmp(row, name, size) == 0 &&
           (**rest == '\0' || strcmp(*rest, "-after-last") == 0 || strcmp(*rest, "-curve") == 0);
}

int main(int count, char **rows)
{
    static char text[1 << 20];
    int found = 0;
    while (fgets(text, sizeof text, stdin) != NULL)
        for (int i = 1; i < count; i++) {
            const char *rest;
            if (!is_row_of(rows[i], text, &rest)) continue;
            const bool after_last = strcmp(rest, "-after-last") == 0;
            counted = strcmp(rest, "-curve") == 0 ? CURVE : KERNEL;
            met = counted == KERNEL;
            if (!open_trace(text) || !play(after_last) || !measured(after_last) || !met)
                return fprintf(stderr, "%s: the trace ends otherwise, or nothing of it is counted\n", rows[i]), 1;
            puts(rows[i]);
            found++;
        }
    if (found != count - 1) fprintf(stderr, "%d of %d rows found\n", found, count - 1);
    return found != count - 1;
}
