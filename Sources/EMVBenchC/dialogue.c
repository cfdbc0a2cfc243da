/* SPDX-License-Identifier: Apache-2.0 */
/* The C session alone over a prepared dialogue. */
#define _POSIX_C_SOURCE 200809L

#include "dialogue.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../CEMV/session/session.h"

uint64_t emv_bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

size_t emv_bench_session_size(void) { return sizeof(struct cemv_session); }

/* ---- cryptography with clocks around it ---- */

static _Thread_local uint64_t crypto_ns;

static void clocked_sha1(uint8_t digest[CEMV_SHA1_SIZE], const cemv_bytes *pieces, size_t count)
{
    const uint64_t begin = emv_bench_now();
    cemv_crypto_builtin.sha1(digest, pieces, count);
    crypto_ns += emv_bench_now() - begin;
}

static void clocked_sha256(uint8_t digest[CEMV_SHA256_SIZE], const cemv_bytes *pieces, size_t count)
{
    const uint64_t begin = emv_bench_now();
    cemv_crypto_builtin.sha256(digest, pieces, count);
    crypto_ns += emv_bench_now() - begin;
}

static bool clocked_rsa_public(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t exponent)
{
    const uint64_t begin = emv_bench_now();
    const bool done = cemv_crypto_builtin.rsa_public(out, in, modulus, exponent);
    crypto_ns += emv_bench_now() - begin;
    return done;
}

static bool clocked_rsa_prepare(struct cemv_rsa_key *key, cemv_bytes modulus, uint32_t exponent)
{
    const uint64_t begin = emv_bench_now();
    const bool done = cemv_crypto_builtin.rsa_prepare(key, modulus, exponent);
    crypto_ns += emv_bench_now() - begin;
    return done;
}

static bool clocked_rsa_public_prepared(uint8_t *out, cemv_bytes in, const struct cemv_rsa_key *key)
{
    const uint64_t begin = emv_bench_now();
    const bool done = cemv_crypto_builtin.rsa_public_prepared(out, in, key);
    crypto_ns += emv_bench_now() - begin;
    return done;
}

static const struct cemv_crypto clocked_crypto = {
    .sha1 = clocked_sha1,
    .sha256 = clocked_sha256,
    .rsa_public = clocked_rsa_public,
    .rsa_prepare = clocked_rsa_prepare,
    .rsa_public_prepared = clocked_rsa_public_prepared,
};

/* ---- preparing ---- */

static const struct cemv_kernel_row kernel_rows[] = {
    { .id = { 2 }, .id_size = 1, .module = &cemv_kernel_2 }, { .id = { 3 }, .id_size = 1, .module = &cemv_kernel_3 },
    { .id = { 4 }, .id_size = 1, .module = &cemv_kernel_4 }, { .id = { 5 }, .id_size = 1, .module = &cemv_kernel_5 },
    { .id = { 6 }, .id_size = 1, .module = &cemv_kernel_6 }, { .id = { 7 }, .id_size = 1, .module = &cemv_kernel_7 },
};

/* A reader of Kernel 7 that asks for signatures online says so in its qualifiers, and may not without the option (Book
 * C-7, 3.2.2). */
static const void *options_of(const struct cemv_combination *row)
{
    static const struct cemv_kernel_7_options oda_for_online = { .oda_for_online = true };
    return row->kernel_id[0] == 7 && row->ttq.size != 0 && row->ttq.data[0] & 0x01 ? &oda_for_online : NULL;
}

struct emv_bench *emv_bench_open(void)
{
    struct emv_bench *bench = calloc(1, sizeof *bench);
    if (!bench) return NULL;
    bench->session_memory = aligned_alloc(CEMV_ALIGNMENT, CEMV_SESSION_SIZE);
    if (!bench->session_memory) {
        free(bench);
        return NULL;
    }
    bench->configuration.combinations = bench->combinations;
    bench->configuration.ca_keys = bench->keys;
    bench->configuration.kernels = kernel_rows;
    bench->configuration.kernel_count = sizeof kernel_rows / sizeof kernel_rows[0];
    return bench;
}

void emv_bench_close(struct emv_bench *bench)
{
    if (!bench) return;
    free(bench->checked_memory);
    free(bench->clocked_memory);
    free(bench->session_memory);
    free(bench);
}

/* False if the arena is full. */
static bool keep(struct emv_bench *bench, const uint8_t *data, size_t size, cemv_bytes *kept)
{
    *kept = (cemv_bytes){ NULL, 0 };
    if (size == 0) return true;
    if (size > sizeof bench->arena - bench->used) return false;
    uint8_t *at = bench->arena + bench->used;
    memcpy(at, data, size);
    bench->used += size;
    *kept = (cemv_bytes){ at, size };
    return true;
}

bool emv_bench_terminal(struct emv_bench *bench, const uint8_t *data, size_t size)
{
    return keep(bench, data, size, &bench->configuration.terminal_data);
}

bool emv_bench_combination(struct emv_bench *bench, const uint8_t *aid, size_t aid_size, uint8_t kernel,
                           const uint8_t *types, size_t type_count, const uint64_t *limits, uint8_t limits_present,
                           const uint8_t *ttq, size_t ttq_size, const uint8_t *data, size_t data_size)
{
    if (bench->configuration.combination_count == MAX_COMBINATIONS) return false;
    struct cemv_combination *row = &bench->combinations[bench->configuration.combination_count];
    row->kernel_id[0] = kernel;
    row->kernel_id_size = 1;
    for (size_t i = 0; i < EMV_BENCH_LIMITS; i++) row->limits.amount[i] = limits[i];
    row->limits.present = limits_present;
    if (!keep(bench, aid, aid_size, &row->aid) || !keep(bench, types, type_count, &row->transaction_types) ||
        !keep(bench, ttq, ttq_size, &row->ttq) || !keep(bench, data, data_size, &row->data))
        return false;
    row->options = options_of(row);
    bench->configuration.combination_count++;
    return true;
}

/* The limits of Kernel 5 are its own, not Entry Point's. */
bool emv_bench_kernel_5(struct emv_bench *bench, const uint8_t combination_options[2], const uint8_t profile[3])
{
    if (bench->configuration.combination_count == 0) return false;
    const size_t place = bench->configuration.combination_count - 1;
    struct cemv_combination *row = &bench->combinations[place];
    struct cemv_kernel_5_options *options = &bench->kernel_5[place];
    if (row->kernel_id[0] != 5 || row->options != NULL) return false;
    memcpy(options->combination_options, combination_options, sizeof options->combination_options);
    memcpy(options->terminal_interchange_profile, profile, sizeof options->terminal_interchange_profile);
    options->limits = row->limits;
    row->limits = (struct cemv_limits){ 0 };
    row->options = options;
    return true;
}

bool emv_bench_ca_key(struct emv_bench *bench, const uint8_t *rid, uint8_t index, uint32_t exponent,
                      const uint8_t *modulus, size_t size, const uint8_t *sha1)
{
    if (bench->configuration.ca_key_count == MAX_KEYS) return false;
    struct cemv_ca_key *row = &bench->keys[bench->configuration.ca_key_count];
    memcpy(row->rid, rid, sizeof row->rid);
    row->index = index;
    row->exponent = exponent;
    if (!keep(bench, modulus, size, &row->modulus) || !keep(bench, sha1, CEMV_SHA1_SIZE, &row->sha1)) return false;
    bench->configuration.ca_key_count++;
    return true;
}

bool emv_bench_transaction(struct emv_bench *bench, uint8_t type, uint64_t amount, uint16_t currency,
                           const uint8_t *date, const uint8_t *time, const uint8_t *random, size_t random_size,
                           const uint8_t *data, size_t data_size)
{
    bench->transaction = (struct cemv_transaction){
        .type = type, .amount = amount, .currency = currency, .exponent = 2, .counter = 1, .reader = &bench->reader
    };
    memcpy(bench->transaction.date, date, 3);
    memcpy(bench->transaction.time, time, 3);
    return keep(bench, random, random_size, &bench->random) && keep(bench, data, data_size, &bench->transaction.data);
}

bool emv_bench_exchange(struct emv_bench *bench, const uint8_t *command, size_t command_size, const uint8_t *response,
                        size_t response_size, uint32_t elapsed_us)
{
    if (bench->exchange_count == MAX_EXCHANGES) return false;
    struct exchange *exchange = &bench->exchanges[bench->exchange_count];
    if (!keep(bench, command, command_size, &exchange->command) ||
        !keep(bench, response, response_size, &exchange->response))
        return false;
    exchange->elapsed_us = elapsed_us;
    bench->exchange_count++;
    return true;
}

/* ---- one tap ---- */

static struct emv_bench_result fault(enum emv_bench_fault kind, uint32_t detail)
{
    return (struct emv_bench_result){ .fault = (uint8_t)kind, .detail = detail };
}

/* The reply to a step other than SEND. False for a step that a prepared dialogue cannot answer. */
static bool answer(const struct cemv_session *session, enum cemv_step step, struct cemv_reply *reply)
{
    switch (step) {
    case CEMV_STEP_POLL:
        reply->kind = cemv_session_poll(session).removal_first && cemv_session_takes(session, CEMV_REPLY_REMOVED)
                        ? CEMV_REPLY_REMOVED
                        : CEMV_REPLY_CARD;
        return true;
    case CEMV_STEP_WORK: reply->kind = CEMV_REPLY_CONTINUE; return true;
    case CEMV_STEP_PARKED: reply->kind = CEMV_REPLY_ABANDON; return true;
    case CEMV_STEP_SEND:
    case CEMV_STEP_ASK:
    case CEMV_STEP_NONE:
    case CEMV_STEP_DONE: break;
    }
    return false;
}

static struct cemv_reply reply_of(const struct exchange *exchange)
{
    return (struct cemv_reply){
        .kind = exchange->response.size != 0 ? CEMV_REPLY_RESPONSE : CEMV_REPLY_TIMEOUT,
        .elapsed_us = exchange->elapsed_us,
        .bytes = exchange->response,
    };
}

static struct emv_bench_result result_of(const struct cemv_session *session, size_t answered)
{
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    return (struct emv_bench_result){
        .status = outcome.status, .cvm = outcome.cvm, .reason = outcome.reason, .commands = (uint32_t)answered
    };
}

/* Keeps the command that differs. */
static bool differs(struct emv_bench *bench, cemv_bytes command, cemv_bytes expected)
{
    if (cemv_bytes_equal(command, expected)) return false;
    bench->sent_size = command.size <= sizeof bench->sent ? command.size : sizeof bench->sent;
    memcpy(bench->sent, command.data, bench->sent_size);
    return true;
}

size_t emv_bench_command(const struct emv_bench *bench, uint8_t *out, size_t capacity)
{
    const size_t size = bench->sent_size <= capacity ? bench->sent_size : capacity;
    memcpy(out, bench->sent, size);
    return size;
}

/* Begins, answers to the end, reads the outcome and wipes. `compares`: every command is checked. */
static inline struct emv_bench_result tap(struct emv_bench *bench, bool compares)
{
    struct cemv_session *session;
    struct cemv_config_error error;
    size_t answered = 0;

    if (cemv_session_begin(bench->session_memory, CEMV_SESSION_SIZE, bench->checked, &bench->transaction, bench->random,
                           &session, &error) != CEMV_OK)
        return fault(EMV_BENCH_BAD_TRANSACTION, error.field);
    enum cemv_step step = cemv_session_step(session);
    while (step != CEMV_STEP_DONE) {
        struct cemv_reply reply = { 0 };
        if (step == CEMV_STEP_SEND) {
            const cemv_bytes command = cemv_session_command(session);
            if (answered == bench->exchange_count) return fault(EMV_BENCH_TOO_MANY_COMMANDS, (uint32_t)answered);
            const struct exchange *exchange = &bench->exchanges[answered];
            if (compares && differs(bench, command, exchange->command))
                return fault(EMV_BENCH_OTHER_COMMAND, (uint32_t)answered);
            answered++;
            reply = reply_of(exchange);
        } else if (!answer(session, step, &reply)) {
            return fault(EMV_BENCH_UNEXPECTED_STEP, (uint32_t)step);
        }
        step = cemv_session_reply(session, &reply);
    }
    const struct emv_bench_result result = result_of(session, answered);
    cemv_session_wipe(session);
    return answered == bench->exchange_count ? result : fault(EMV_BENCH_TOO_FEW_COMMANDS, (uint32_t)answered);
}

/* Checks the configuration with this cryptography (NULL: built in). */
static enum cemv_status check(struct emv_bench *bench, const struct cemv_crypto *crypto, void **memory,
                              const struct cemv_checked **checked, struct cemv_config_error *error)
{
    bench->configuration.crypto = crypto;
    const size_t size = cemv_checked_size(&bench->configuration);
    free(*memory);
    *memory = aligned_alloc(CEMV_ALIGNMENT, (size + CEMV_ALIGNMENT - 1) / CEMV_ALIGNMENT * CEMV_ALIGNMENT);
    if (!*memory) return CEMV_NO_MEMORY;
    return cemv_configuration_check(&bench->configuration, *memory, size, checked, error);
}

struct emv_bench_result emv_bench_check(struct emv_bench *bench)
{
    struct cemv_config_error error = { 0 };
    if (check(bench, NULL, &bench->checked_memory, &bench->checked, &error) != CEMV_OK ||
        check(bench, &clocked_crypto, &bench->clocked_memory, &bench->clocked, &error) != CEMV_OK)
        return fault(EMV_BENCH_BAD_CONFIGURATION,
                     (uint32_t)error.section << 16 | (uint32_t)(error.row & 0xFF) << 8 | (error.field & 0xFF));
    const struct emv_bench_result result = tap(bench, true);
    bench->expected = result.status;
    return result;
}

struct emv_bench_result emv_bench_run(struct emv_bench *bench, uint64_t *ns, size_t taps)
{
    struct emv_bench_result result = fault(EMV_BENCH_NO_MEMORY, 0);
    for (size_t i = 0; i < taps; i++) {
        const uint64_t begin = emv_bench_now();
        result = tap(bench, false);
        const uint64_t end = emv_bench_now();
        if (result.fault) return result;
        if (result.status != bench->expected) return fault(EMV_BENCH_OTHER_OUTCOME, result.status);
        ns[i] = end - begin;
    }
    return result;
}

/* ---- a tap with clocks inside ---- */

/* The phase that the answer to this command belongs to. */
static enum emv_bench_phase phase_of(cemv_bytes command)
{
    switch (command.size > 1 ? command.data[1] : 0) {
    case 0xA4: return EMV_BENCH_SELECT;
    case 0xA8: return EMV_BENCH_OPTIONS;
    case 0xB2: return EMV_BENCH_RECORDS;
    default: return EMV_BENCH_DECISION;
    }
}

/* Adds the time since `*since`, without that of cryptography, to one phase; cryptography has its own. */
static void charge(uint64_t *ns, enum emv_bench_phase phase, uint64_t *since)
{
    const uint64_t now = emv_bench_now();
    const uint64_t crypto = crypto_ns;
    ns[phase] += now - *since - crypto;
    ns[EMV_BENCH_AUTHENTICATION] += crypto;
    crypto_ns = 0;
    *since = emv_bench_now();
}

static struct emv_bench_result tap_in_phases(struct emv_bench *bench, uint64_t *ns)
{
    struct cemv_session *session;
    struct cemv_config_error error;
    size_t answered = 0;

    crypto_ns = 0;
    uint64_t since = emv_bench_now();
    if (cemv_session_begin(bench->session_memory, CEMV_SESSION_SIZE, bench->clocked, &bench->transaction, bench->random,
                           &session, &error) != CEMV_OK)
        return fault(EMV_BENCH_BAD_TRANSACTION, error.field);
    enum cemv_step step = cemv_session_step(session);
    charge(ns, EMV_BENCH_SELECT, &since);
    while (step != CEMV_STEP_DONE) {
        struct cemv_reply reply = { 0 };
        enum emv_bench_phase phase = step == CEMV_STEP_POLL ? EMV_BENCH_SELECT : EMV_BENCH_DECISION;
        if (step == CEMV_STEP_SEND) {
            if (answered == bench->exchange_count) return fault(EMV_BENCH_TOO_MANY_COMMANDS, (uint32_t)answered);
            const struct exchange *exchange = &bench->exchanges[answered++];
            phase = phase_of(cemv_session_command(session));
            reply = reply_of(exchange);
        } else if (!answer(session, step, &reply)) {
            return fault(EMV_BENCH_UNEXPECTED_STEP, (uint32_t)step);
        }
        step = cemv_session_reply(session, &reply);
        charge(ns, phase, &since);
    }
    const struct emv_bench_result result = result_of(session, answered);
    cemv_session_wipe(session);
    charge(ns, EMV_BENCH_DECISION, &since);
    return answered == bench->exchange_count ? result : fault(EMV_BENCH_TOO_FEW_COMMANDS, (uint32_t)answered);
}

struct emv_bench_result emv_bench_phases(struct emv_bench *bench, uint64_t *ns, size_t taps)
{
    struct emv_bench_result result = fault(EMV_BENCH_NO_MEMORY, 0);
    memset(ns, 0, taps * EMV_BENCH_PHASES * sizeof *ns);
    for (size_t i = 0; i < taps; i++) {
        result = tap_in_phases(bench, ns + i * EMV_BENCH_PHASES);
        if (result.fault) return result;
    }
    return result;
}

/* ---- certificate work while the card answers ---- */

/* Adds the time of the work to `work_ns`. */
static struct emv_bench_result tap_ahead(struct emv_bench *bench, struct cemv_reader_memory *reader, uint64_t *work_ns)
{
    struct cemv_session *session;
    struct cemv_config_error error;
    struct cemv_transaction transaction = bench->transaction;
    size_t answered = 0;

    transaction.reader = reader;
    if (cemv_session_begin(bench->session_memory, CEMV_SESSION_SIZE, bench->checked, &transaction, bench->random,
                           &session, &error) != CEMV_OK)
        return fault(EMV_BENCH_BAD_TRANSACTION, error.field);
    enum cemv_step step = cemv_session_step(session);
    while (step != CEMV_STEP_DONE) {
        struct cemv_reply reply = { 0 };
        if (step == CEMV_STEP_SEND) {
            if (answered == bench->exchange_count) return fault(EMV_BENCH_TOO_MANY_COMMANDS, (uint32_t)answered);
            const uint64_t begin = emv_bench_now();
            while (cemv_session_work(session)) {
            }
            *work_ns += emv_bench_now() - begin;
            reply = reply_of(&bench->exchanges[answered++]);
        } else if (!answer(session, step, &reply)) {
            return fault(EMV_BENCH_UNEXPECTED_STEP, (uint32_t)step);
        }
        step = cemv_session_reply(session, &reply);
    }
    const struct emv_bench_result result = result_of(session, answered);
    cemv_session_wipe(session);
    return result.status == bench->expected ? result : fault(EMV_BENCH_OTHER_OUTCOME, result.status);
}

struct emv_bench_ahead emv_bench_work_ahead(struct emv_bench *bench, size_t taps, bool keys)
{
    struct emv_bench_ahead least = { .tap_ns = UINT64_MAX, .work_ns = UINT64_MAX };
    struct cemv_reader_memory reader = { 0 };
    void *const memory = aligned_alloc(CEMV_ALIGNMENT, CEMV_ISSUER_KEYS_SIZE);
    if (!memory) return (struct emv_bench_ahead){ .fault = EMV_BENCH_NO_MEMORY };
    memset(memory, 0, CEMV_ISSUER_KEYS_SIZE);
    if (keys) reader.issuer_keys = memory;
    for (size_t i = 0; i < taps && least.fault == EMV_BENCH_OK; i++) {
        uint64_t work = 0;
        const uint64_t begin = emv_bench_now();
        least.fault = tap_ahead(bench, &reader, &work).fault;
        const uint64_t took = emv_bench_now() - begin - work;
        if (took < least.tap_ns) least.tap_ns = took;
        if (work < least.work_ns) least.work_ns = work;
    }
    free(memory);
    return least;
}
