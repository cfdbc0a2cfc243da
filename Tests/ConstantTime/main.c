/* SPDX-License-Identifier: Apache-2.0 */
/* Replays traces of Kernel 8 under valgrind's memcheck with its secrets marked undefined: the random bytes of a private
 * key, and all that the port computes from them (d, Z, the session keys, r). A branch or an address that depends on one
 * is then an error. In addition, no undefined byte may leave the session, and none may be left in its memory at the
 * end. Scripts/constant-time builds and calls it.
 *
 * Usage: constant-time FILE…, FILE.taps with a trace in each line. Exit 1: a secret leaves the session or stays in
 * it, the port saw none, or most traces were not met (of a pair one is not; Scripts/corpus reports which). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/memcheck.h>

#include "../../Sources/CEMV/crypto/secret.h"
#include "../../Sources/CEMV/session/session.h"
#include "../Corpus/kernel.h"
#include "../Secrets/secrets.h"

static unsigned traces, unmet, marked, declassified, leaks;

void crypto_declassify(const void *bytes, size_t size)
{
    declassified++;
    (void)VALGRIND_MAKE_MEM_DEFINED(bytes, size);
}

/* An undefined bit: something here depends on a secret. */
static bool is_secret(const uint8_t *bytes, size_t size)
{
    uint8_t bits[1024];
    for (size_t at = 0; at < size; at += sizeof bits) {
        const size_t part = size - at < sizeof bits ? size - at : sizeof bits;
        if (VALGRIND_GET_VBITS(bytes + at, bits, part) != 1) continue;
        (void)VALGRIND_MAKE_MEM_DEFINED(bits, part);
        for (size_t i = 0; i < part; i++)
            if (bits[i] != 0) return true;
    }
    return false;
}

/* ---- the port: the tests' port, whose results are secret if its keys are ---- */

static void mark(const uint8_t *bytes, size_t size)
{
    marked++;
    (void)VALGRIND_MAKE_MEM_UNDEFINED(bytes, size);
}

/* The scalars are d and r; if the port gets an unmarked one, a mark was lost on the way. */
static void scalar_is_secret(const uint8_t scalar[CEMV_P256_SIZE])
{
    if (is_secret(scalar, CEMV_P256_SIZE)) return;
    fprintf(stderr, "a scalar reaches the port that nobody marked: this check examines nothing\n");
    exit(1);
}

static void p256_public(uint8_t point[2 * CEMV_P256_SIZE], const uint8_t scalar[CEMV_P256_SIZE])
{
    scalar_is_secret(scalar);
    test_secrets.p256_public(point, scalar);
    mark(point, 2 * CEMV_P256_SIZE);
}

static void p256_multiply(uint8_t x[CEMV_P256_SIZE], const uint8_t scalar[CEMV_P256_SIZE],
                          const uint8_t point[2 * CEMV_P256_SIZE])
{
    scalar_is_secret(scalar);
    test_secrets.p256_multiply(x, scalar, point);
    mark(x, CEMV_P256_SIZE);
}

/* Under the key of zeros only Z is secret (8.3): its results stay marked without an explicit mark. */
static void aes_encrypt(const uint8_t key[16], uint8_t *blocks, size_t count)
{
    const bool secret = is_secret(key, 16);
    test_secrets.aes_encrypt(key, blocks, count);
    if (secret) mark(blocks, 16 * count);
}

static void aes_decrypt(const uint8_t key[16], uint8_t block[16])
{
    const bool secret = is_secret(key, 16);
    test_secrets.aes_decrypt(key, block);
    if (secret) mark(block, 16);
}

static void aes_chain(const uint8_t key[16], uint8_t chain[16], const uint8_t *blocks, size_t count)
{
    const bool secret = is_secret(key, 16);
    test_secrets.aes_chain(key, chain, blocks, count);
    if (secret) mark(chain, 16);
}

static const struct cemv_crypto_secret marking = {
    .p256_public = p256_public,
    .p256_multiply = p256_multiply,
    .aes_encrypt = aes_encrypt,
    .aes_decrypt = aes_decrypt,
    .aes_chain = aes_chain,
};

/* ---- the session: its random bytes are secret, its output is not ---- */

static struct corpus_bench bench;
static struct corpus_cemv cemv;
static struct corpus_kernel inner;

/* memcheck reports the place; this names the data. */
static void is_public(const char *what, const void *bytes, size_t size)
{
    if (size == 0 || !is_secret(bytes, size)) return;
    if (leaks++ < 5) fprintf(stderr, "secret bytes in %s\n", what);
    (void)VALGRIND_MAKE_MEM_DEFINED(bytes, size);
}

static void look_at(struct corpus_step *step)
{
    is_public("a command", step->command, step->command_size);
    is_public("data for the terminal", step->sent, step->sent_size);
    is_public("messages", step->messages, step->message_count);
    if (step->wait != CORPUS_WAIT_NOTHING && step->wait != CORPUS_WAIT_ANSWER && step->wait != CORPUS_WAIT_POLL &&
        step->wait != CORPUS_WAIT_REMOVAL)
        return;
    const struct cemv_outcome outcome = cemv_session_outcome(cemv.session);
    const cemv_bytes record = cemv_session_data_record(cemv.session),
                     discretionary = cemv_session_discretionary(cemv.session);
    is_public("the outcome", outcome.error_indication, sizeof outcome.error_indication);
    is_public("the data record", record.data, record.size);
    is_public("discretionary data", discretionary.data, discretionary.size);
    /* No activation is in progress, so its keys are wiped. Undrawn bytes of the pool may stay for the next number. */
    const uint8_t *const start = bench.session, *const pool = cemv.session->kernel.random.pool,
                         *const end = start + sizeof bench.session;
    is_public("the session's memory", start, (size_t)(pool - start));
    is_public("the session's memory", pool + CEMV_RANDOM_POOL, (size_t)(end - pool) - CEMV_RANDOM_POOL);
}

static void begin(void *own, const struct corpus_trace *trace, const struct corpus_sale *sale, bool further,
                  struct corpus_step *step)
{
    (void)VALGRIND_MAKE_MEM_UNDEFINED(sale->random.data, sale->random.size);
    inner.begin(own, trace, sale, further, step);
    if (step->wait == CORPUS_REFUSED) return;
    /* The replay owns this object, in writable memory. */
    ((struct cemv_crypto *)(uintptr_t)cemv.checked->crypto)->secret = &marking;
    look_at(step);
}

/* After the end of a transaction nothing at all is left. */
static void reply(void *own, const struct corpus_reply *given, struct corpus_step *step)
{
    inner.reply(own, given, step);
    look_at(step);
    if (given->kind == CORPUS_REPLY_END) is_public("the session's memory", bench.session, sizeof bench.session);
}

static void replay(const char *place, const char *text, size_t size)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CORPUS_ARENA];
    struct corpus_arena arena = { memory, sizeof memory, 0 };
    struct corpus_trace trace;
    struct corpus_report report;
    char error[200];
    (void)VALGRIND_MAKE_MEM_DEFINED(memory, sizeof memory);
    traces++;
    if (!corpus_open(&trace, text, size, &arena, error)) {
        fprintf(stderr, "%s: %s\n", place, error);
        unmet++;
        return;
    }
    inner = corpus_kernel_cemv(&cemv, &bench, &arena);
    struct corpus_kernel kernel = inner;
    kernel.begin = begin;
    kernel.reply = reply;
    if (corpus_replay_with(&trace, &kernel, &report)) return;
    unmet++;
}

/* A trace, or one in each line. */
static bool replay_file(const char *path)
{
    static char text[1 << 20];
    const char *const name = strrchr(path, '.');
    const bool lines = name != NULL && strcmp(name, ".taps") == 0;
    FILE *const stream = fopen(path, "rb");
    if (stream == NULL) return false;
    if (!lines) replay(path, text, fread(text, 1, sizeof text, stream));
    while (lines && fgets(text, sizeof text, stream) != NULL) replay(path, text, strlen(text));
    fclose(stream);
    return true;
}

int main(int count, char **words)
{
    if (RUNNING_ON_VALGRIND == 0) return fprintf(stderr, "not under valgrind: nothing is examined\n"), 2;
    for (int i = 1; i < count; i++)
        if (!replay_file(words[i])) return fprintf(stderr, "%s: cannot be read\n", words[i]), 2;
    printf("%u traces, %u not met; %u results of the port marked, %u declassified; %u leaks\n", traces, unmet, marked,
           declassified, leaks);
    return 2 * unmet > traces || leaks != 0 || marked == 0 || declassified == 0;
}
