/* SPDX-License-Identifier: Apache-2.0 */
/* The walk of Kernel 8: the responses of its cards, its readers, and the invariants that hold with any card (Book C-8
 * v1.0). The crypto port here knows no secret: ciphers change nothing, every MAC is zero and every certificate genuine,
 * so that each state can be reached. kernel_walk.c has the common part of walks. */
#include <string.h>

#include "kernel_walk.h"
#include "sum.h"

#include "../../Sources/CEMV/crypto/p256.h"
#include "../../Sources/CEMV/kernels/k8/k8_memory.h"

#define ZEROS_8        "0000000000000000"
#define ZEROS_32       ZEROS_8 ZEROS_8 ZEROS_8 ZEROS_8
#define ZEROS_64       ZEROS_32 ZEROS_32
#define ONE_32         ZEROS_8 ZEROS_8 ZEROS_8 "0000000000000001"
#define NAME           "8407F0000008080101"
#define FCI(qualifier) "6F*" NAME "A5139F38039F3704BF0C0A9F2C07" qualifier
#define GPO(profile)   "77*8202" profile "9404080102029F810340" ZEROS_32 ONE_32 "8C039F3704"
#define AC(cid)        "77*9F2701" cid "9F360200019F2608B2EC180414DFA51A9F810201009F810508" ZEROS_8 "9F1020" ZEROS_32
static const char *const responses[] = {
    "",
    "9000",
    "6985",
    "7700FF9000",
    "6F27840E325041592E5359532E4444463031A515BF0C1261104F07F00000080801018701019F2A01089000",
    /* FCI: versions 2 and 1; no common suite; a field that is switched off; version 0; a long tag; a truncated list */
    FCI("0200FFFF000000"),
    FCI("0100FFFF000000"),
    FCI("02FFFFFF000000"),
    FCI("02FF00FF800000"),
    FCI("0000FFFF000000"),
    "6F*" NAME "DF81810100",
    "6F*" NAME "A5129F38029F37BF0C0A9F2C070200FFFF000000",
    /* GPO: local authentication; with relay resistance; neither; only a locator; a key that is too short */
    GPO("010A"),
    GPO("010B"),
    GPO("000C"),
    "77*8202010A9404580101009F810340" ZEROS_32 ONE_32 "8C039F3704",
    "77*8202010B9404580101009F810340" ZEROS_32 ONE_32 "8C039F3704",
    "77*9404080102029F8103018C039F3704",
    "77*8202010A9404080102029F810301008C039F3704",
    "77*8202010A9404000102029F810340" ZEROS_64 "8C039F3704",
    /* relay resistance, too short */
    "800A000000009000",
    /* records: plain and enciphered, both certificates; one that repeats with another value; a terminal's object */
    "70*5A0867888831047838775F24033312318F01019075"
    "1200678888FFFF1020351231000001F00000080801" ZEROS_32 ZEROS_64,
    "DA*9F468191140000203312312359000000000001"
    "0102" ZEROS_32 ZEROS_32 ZEROS_64,
    "70*5A086788880000000027",
    "70*9F0206000000000001",
    "DA039F3709",
    /* an envelope of READ DATA, one that was not asked for; the MAC of WRITE DATA, and another one */
    "9F811101AA" ZEROS_8 "9000",
    "9F811201AA" ZEROS_8 "9000",
    ZEROS_8 "9000",
    "01"
    "00000000000000"
    "9000",
    /* GENERATE AC: each type; a restart; another interface; Card TVR; without 9F10; another MAC */
    AC("40"),
    AC("80"),
    AC("00"),
    AC("C0"),
    AC("80") "9F8108022000",
    AC("00") "9F8108023100",
    AC("80") "9F810405000000004C",
    "77*9F270180",
    "77*9F2701809F360200019F2608B2EC180414DFA51A9F810201009F81050801020304050607089F1020" ZEROS_32,
};

/* ---- the port ---- */

static void no_hash(uint8_t digest[CEMV_SHA256_SIZE], const cemv_bytes *pieces, size_t count)
{
    (void)pieces;
    (void)count;
    memset(digest, 0, CEMV_SHA256_SIZE);
}

static bool any_point(uint8_t point[64], const uint8_t x[32])
{
    memmove(point, x, 32);
    memset(point + 32, 0, 32);
    return true;
}

static bool any_signature(uint8_t x[32], const uint8_t s[32], const uint8_t r[32], const uint8_t point[64])
{
    (void)s;
    (void)r;
    (void)point;
    memset(x, 0, 32);
    return true;
}

static void no_key(uint8_t point[64], const uint8_t scalar[32])
{
    (void)scalar;
    memset(point, 0, 64);
}

static void no_product(uint8_t x[32], const uint8_t scalar[32], const uint8_t point[64])
{
    (void)scalar;
    (void)point;
    memset(x, 0, 32);
}

static void no_cipher(const uint8_t key[16], uint8_t *blocks, size_t count)
{
    (void)key;
    memset(blocks, 0, 16 * count);
}

static void no_decryption(const uint8_t key[16], uint8_t block[16])
{
    (void)key;
    memset(block, 0, 16);
}

static void no_chain(const uint8_t key[16], uint8_t chain[16], const uint8_t *blocks, size_t count)
{
    (void)key;
    (void)blocks;
    (void)count;
    memset(chain, 0, 16);
}

static const struct cemv_crypto_secret no_secret = { no_key, no_product, no_cipher, no_decryption, no_chain };

const struct cemv_crypto *walk_kernel_8_port(void)
{
    static struct cemv_crypto crypto;
    crypto = cemv_crypto_builtin;
    crypto.sha256 = no_hash;
    crypto.p256_recover = any_point;
    crypto.p256_combine = any_signature;
    crypto.secret = &no_secret;
    return &crypto;
}

/* ---- invariants that hold with any card ---- */

static bool is_wiped(const struct cemv_session *session)
{
    const uint8_t *const memory = (const uint8_t *)(&session->kernel + 1);
    for (size_t i = 0; i < sizeof(struct k8_memory); i++)
        if (memory[i] != 0) return false;
    return true;
}

static const char *violation(const struct cemv_session *session)
{
    static const uint32_t needed[] = { 0x82, 0x9F36, 0x9F10, 0x9F26, 0x9F27, 0x9F8109, 0x5A, 0x95, 0x9F37 };
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    const bool decided = outcome.status == CEMV_OUTCOME_APPROVED || outcome.status == CEMV_OUTCOME_ONLINE_REQUEST ||
                         outcome.status == CEMV_OUTCOME_DECLINED;
    if (cemv_session_step(session) != CEMV_STEP_DONE) return NULL;
    if (!is_wiped(session)) return "keys are wiped";
    if (outcome.kernel_id_size == 0) return NULL;
    if (outcome.error_indication[1] != 0 && outcome.data_record_present) return "no data record after an error";
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (decided && !kernel_walk_record_has(session, needed[i])) return "a decision has all that the issuer needs";
    return NULL;
}

/* The data that decide the future: which objects are present, which lists are empty, and the kernel's progress.
 * Counters and places in the arena grow if a terminal asks again and again, and decide nothing. */
static uint64_t key(const struct cemv_session *session)
{
    const struct cemv_kernel *const kernel = &session->kernel;
    uint64_t sum = kernel_walk_sum(SUM_EMPTY, &session->entry.attempts, 1);
    sum = kernel_walk_sum(sum, &session->kernel_active, sizeof session->kernel_active);
    if (!session->kernel_active) return sum;
    const struct k8_memory *const memory = k8_memory_of(kernel);
    const uint16_t left = (uint16_t)(kernel->afl.end - kernel->afl.at);
    const uint8_t lists[] = { memory->to_read.count != 0, memory->to_send.count != 0, memory->to_validate.count != 0 };
    const uint8_t flags[] = { memory->restarts,
                              memory->drawn,
                              memory->retries,
                              memory->version,
                              memory->decision,
                              memory->begun,
                              memory->relay_done,
                              memory->local,
                              memory->authentic,
                              memory->terminal_failed,
                              memory->write_status,
                              cemv_value_byte(kernel, K8_SLOT_9F8202, 0),
                              cemv_value_byte(kernel, CEMV_SLOT_82, 0),
                              cemv_value_byte(kernel, CEMV_SLOT_82, 1),
                              cemv_value_byte(kernel, CEMV_SLOT_9F27, 0),
                              cemv_value_byte(kernel, K8_SLOT_9F8108, 0),
                              cemv_value_byte(kernel, K8_SLOT_9F8105, 0) };
    uint8_t there[CEMV_SLOT_END];
    for (uint16_t slot = 0; slot < CEMV_SLOT_END; slot++) there[slot] = cemv_store_has(&kernel->store, slot);
    sum = kernel_walk_sum(sum, there, sizeof there);
    sum = kernel_walk_sum(sum, &left, sizeof left);
    sum = kernel_walk_sum(sum, &kernel->afl.next, 1);
    sum = kernel_walk_sum(sum, lists, sizeof lists);
    sum = kernel_walk_sum(sum, &memory->envelopes.size, sizeof memory->envelopes.size);
    sum = kernel_walk_sum(sum, memory->empty, sizeof memory->empty);
    return kernel_walk_sum(sum, flags, sizeof flags);
}

/* Random bytes answer one question, terminal data the other; unrequested data change no state. */
static bool is_random(const struct cemv_reply *reply) { return reply->bytes.size == 16; }
static bool skipped(const struct cemv_session *session, const struct cemv_reply *reply)
{
    const enum cemv_step step = cemv_session_step(session);
    if (step == CEMV_STEP_POLL) return reply->kind != CEMV_REPLY_CARD && reply->kind != CEMV_REPLY_REMOVED;
    if (reply->kind != CEMV_REPLY_DATA) return false;
    const bool asks = step == CEMV_STEP_ASK && cemv_session_question(session).kind == CEMV_ASK_RANDOM;
    return asks != is_random(reply);
}

static bool passed_over(const struct cemv_session *before, const struct cemv_reply *reply)
{
    return reply->kind == CEMV_REPLY_DATA && cemv_session_step(before) == CEMV_STEP_SEND;
}

/* ---- readers ---- */

enum { READERS = 4 };
static const uint8_t aid[] = { 0xF0, 0, 0, 0x08, 0x08 };
static const uint8_t terminal[] = { 0x9F, 0x1A, 2, 0x02, 0x76, 0x9F, 0x35, 1, 0x22 };
static const struct cemv_transaction sales[] = { { .amount = 1000 } };

#define COMMON 0x9F, 0x82, 0x0A, 1, 0x10, 0x9F, 0x82, 0x09, 2, 0x18, 0x00, 0x9F, 0x82, 0x0D, 6, 0, 0, 0, 1, 0, 0
static const uint8_t plain[] = { COMMON };
/* Two envelopes to be written, one to be read, and the terminal is asked first. */
static const uint8_t exchange[] = { COMMON, 0x9F, 0x82, 0x03, 6,    0x9F, 0x81, 0x11, 0x9F, 0x81,
                                    0x12,   0xBF, 0x81, 0x04, 10,   0x9F, 0x81, 0x12, 1,    0xAA,
                                    0x9F,   0x81, 0x13, 1,    0xBB, 0x9F, 0x82, 0x02, 0 };

const struct cemv_curve_key *walk_kernel_8_authority(void)
{
    static uint8_t base[2 * CEMV_P256_SIZE];
    static const struct cemv_curve_key key = { .rid = { 0xF0, 0, 0, 0x08, 0x08 },
                                               .index = 1,
                                               .suite = 0x10,
                                               .x = { base, CEMV_P256_SIZE },
                                               .y = { base + CEMV_P256_SIZE, CEMV_P256_SIZE } };
    crypto_p256_store(base, &crypto_p256_base[0].x);
    crypto_p256_store(base + CEMV_P256_SIZE, &crypto_p256_base[0].y);
    return &key;
}

static void prepare(struct kernel_walk_reader *own, unsigned reader, uint8_t profile)
{
    static const uint8_t pool[40] = { 1, 2, 3 };
    static const uint8_t types[] = { CEMV_TYPE_PURCHASE, CEMV_TYPE_REFUND };
    static const struct cemv_kernel_8_options without = { .no_data_exchange = true };
    (void)profile;
    own->configuration.crypto = walk_kernel_8_port();
    own->configuration.curve_keys = walk_kernel_8_authority();
    own->configuration.curve_key_count = 1;
    own->row.limits.present = 1u << CEMV_LIMIT_TRANSACTION;
    own->row.transaction_types = (cemv_bytes){ types, sizeof types };
    own->row.data = reader == 0 ? (cemv_bytes){ plain, sizeof plain } : (cemv_bytes){ exchange, sizeof exchange };
    own->setup.random = (cemv_bytes){ pool, reader == 0 ? sizeof pool : 4 };
    own->configuration.protection.max_taps = reader == 0 ? 2 : 1;
    if (reader == 2) own->row.options = &without;
    if (reader == 3) own->configuration.curve_key_count = 0;
}

int walk_kernel_8(void)
{
    static const uint8_t random[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
    static const uint8_t relay[] = { 0x80, 0x0A, 0, 0, 0, 0, 0, 20, 0, 80, 0, 24, 0x90, 0x00 };
    static const uint8_t late[] = { 0x80, 0x0A, 0, 0, 0, 0, 0, 99, 0, 99, 0, 0, 0x90, 0x00 };
    static const uint8_t go_on[] = { 0x9F, 0x82, 0x02, 1, 1 }, wait[] = { 0x9F, 0x82, 0x02, 1, 0 },
                         more[] = { 0x9F, 0x82, 0x03, 3, 0x9F, 0x81, 0x11 }, bad[] = { 0x9A, 1, 0x26 };
    static const struct cemv_reply replies[] = {
        KERNEL_WALK_REPLY(CEMV_REPLY_RESPONSE, relay, .elapsed_us = 5000),
        KERNEL_WALK_REPLY(CEMV_REPLY_RESPONSE, relay, .elapsed_us = 30000),
        KERNEL_WALK_REPLY(CEMV_REPLY_RESPONSE, late, .elapsed_us = 1000),
        KERNEL_WALK_REPLY(CEMV_REPLY_DATA, random, .elapsed_us = 0),
        KERNEL_WALK_REPLY(CEMV_REPLY_DATA, go_on, .elapsed_us = 0),
        KERNEL_WALK_REPLY(CEMV_REPLY_DATA, wait, .elapsed_us = 0),
        KERNEL_WALK_REPLY(CEMV_REPLY_DATA, more, .elapsed_us = 0),
        KERNEL_WALK_REPLY(CEMV_REPLY_DATA, bad, .elapsed_us = 0),
        { .kind = CEMV_REPLY_DEADLINE },
    };
    static const struct kernel_walk_plan plan = {
        .kernel = { { 8 }, 1, &cemv_kernel_8, NULL },
        .aid = { aid, sizeof aid },
        .terminal_data = { terminal, sizeof terminal },
        .setup = { .sales = sales,
                   .sale_count = KERNEL_WALK_COUNT(sales),
                   .responses = responses,
                   .response_count = KERNEL_WALK_COUNT(responses),
                   .replies = replies,
                   .reply_count = KERNEL_WALK_COUNT(replies),
                   .violation = violation,
                   .key = key,
                   .skipped = skipped,
                   .passed_over = passed_over },
        .readers = READERS,
        .prepare = prepare,
    };
    return kernel_walk_all(&plan);
}
