/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 8's dialogue at its limits, where the independent traces make no claim: counters that are used
 * up, a store that is full, random numbers, relay resistance, and rules of the protection (Book C-8 v1.0;
 * SECURITY.md). The port is the walk's: every MAC is zero and ciphers change nothing. */
#include <stdio.h>
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "kernel_walk.h"
#include "properties.h"

#include "../../Sources/CEMV/crypto/p256.h"
#include "../../Sources/CEMV/kernels/k8/k8_memory.h"

#define ZEROS_8                     "0000000000000000"
#define ZEROS_32                    ZEROS_8 ZEROS_8 ZEROS_8 ZEROS_8
#define ZEROS_64                    ZEROS_32 ZEROS_32
#define CARD_KEY                    "9F810340" ZEROS_32 ZEROS_8 ZEROS_8 ZEROS_8 "0000000000000001"
#define NAME                        "8407F0000008080101"
#define FCI                         "6F*" NAME "A5139F38039F3704BF0C0A9F2C070200FFFF000000"
#define GPO(profile, locator, rest) "77*8202" profile "9404" locator CARD_KEY rest
#define EDA_MAC                     "9F810508" ZEROS_8
#define AC                          "77*9F2701809F360200019F2608B2EC180414DFA51A9F81020100" EDA_MAC "9F1020" ZEROS_32
#define PAN                         "70*5A0867888831047838775F2403331231"
#define CERTIFICATE                                                                                                    \
    "75"                                                                                                               \
    "1200678888FFFF1020351231000001F00000080801" ZEROS_32 ZEROS_64
#define SIGNED PAN "8F010190" CERTIFICATE
#define EXPIRED                                                                                                        \
    PAN "8F01019075"                                                                                                   \
        "1200678888FFFF1020191231000001F00000080801" ZEROS_32 ZEROS_64
#define CARD_CERTIFICATE "DA*9F4681911400002033123123590000000000010102" ZEROS_32 ZEROS_32 ZEROS_64
#define GPO_SIGNED       GPO("010A", "08010202", "8C039F3704")
#define GPO_PLAIN        GPO("000A", "08010100", "8C039F3704")
/* Local authentication, relay resistance; floor limit 100.00; the discretionary data tell how data exchange went. */
#define SETTINGS                                                                                                       \
    "9F820A01109F820902180"                                                                                            \
    "09F820D060000000100009F821F099F82049F821B9F821C"
/* Without it a purchase that nothing vouches for is declined. */
#define NO_DENIAL "9F820B050000000000"
#define WRITES    "BF81040A9F811201AA9F811301BB"

enum { ANSWERS = 12 };

/* What is not said is as in a plain purchase of 10.00, by the book. */
struct scene {
    const char *answers[ANSWERS]; /* after the directory: FCI, GET PROCESSING OPTIONS, ... */
    const char *data;             /* beside SETTINGS */
    const char *transaction;      /* data objects */
    const char *random;           /* in answer to the question; else sixteen bytes */
    void (*before)(struct cemv_kernel *kernel, uint8_t instruction); /* an answer; 0: to a question */
    uint32_t elapsed_us;
    unsigned ahead; /* exchanges while which the kernel may precompute: bits, the directory's the lowest */
    uint8_t pool;   /* random bytes at the beginning; 0: enough */
    uint8_t type, fault;
    bool zero, offline_only;
    struct cemv_kernel_8_options options;
    struct cemv_protection protection;
};

struct result {
    struct cemv_outcome outcome;
    uint8_t record[CEMV_RECORD_CAPACITY], discretionary[CEMV_RECORD_CAPACITY];
    size_t record_size, discretionary_size;
    uint8_t last, reference; /* INS of the last command; P1 of GENERATE AC */
    uint8_t list[255];       /* the data of GENERATE AC */
    unsigned writes, relays;
    uint32_t deadline_ms;
    uint64_t commands; /* a digest of their bytes */
    unsigned worked;   /* computations ahead */
};

static size_t hex(const char *text, uint8_t *out) { return text != NULL ? bytes_of_hex(text, out) : 0; }

/* A star stands for the length of what follows, and for 9000 behind it. */
static cemv_bytes answer_of(const char *text)
{
    static uint8_t bytes[600];
    uint8_t value[560];
    const char *const star = strchr(text, '*');
    size_t size = hex(text, bytes);
    if (star == NULL) return (cemv_bytes){ bytes, size };
    const size_t length = hex(star + 1, value);
    if (length > 255) bytes[size++] = 0x82, bytes[size++] = (uint8_t)(length >> 8);
    else if (length > 127) bytes[size++] = 0x81;
    bytes[size++] = (uint8_t)length;
    memcpy(bytes + size, value, length);
    memcpy(bytes + size + length, "\x90", 2);
    return (cemv_bytes){ bytes, size + length + 2 };
}

static const struct cemv_checked *configure(const struct scene *scene)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[8192];
    static uint8_t data[4096], base[2 * CEMV_P256_SIZE];
    static const uint8_t aid[] = { 0xF0, 0, 0, 0x08, 0x08 }, types[] = { CEMV_TYPE_PURCHASE, CEMV_TYPE_REFUND },
                         terminal_22[] = { 0x9F, 0x1A, 2, 0x02, 0x76, 0x9F, 0x35, 1, 0x22 },
                         terminal_23[] = { 0x9F, 0x1A, 2, 0x02, 0x76, 0x9F, 0x35, 1, 0x23 };
    static const struct cemv_kernel_row kernel = { { 8 }, 1, &cemv_kernel_8, NULL };
    static struct cemv_kernel_8_options options;
    static struct cemv_curve_key key;
    static struct cemv_combination row;
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    (void)crypto_p256_store(base, base + CEMV_P256_SIZE, &crypto_p256_base);
    key = (struct cemv_curve_key){ .rid = { 0xF0, 0, 0, 0x08, 0x08 },
                                   .index = 1,
                                   .suite = 0x10,
                                   .x = { base, CEMV_P256_SIZE },
                                   .y = { base + CEMV_P256_SIZE, CEMV_P256_SIZE } };
    options = scene->options;
    size_t size = hex(SETTINGS, data);
    size += hex(scene->data, data + size);
    row = (struct cemv_combination){ .aid = { aid, sizeof aid },
                                     .kernel_id = { 8 },
                                     .kernel_id_size = 1,
                                     .zero_amount = CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED,
                                     .transaction_types = { types, sizeof types },
                                     .data = { data, size },
                                     .options = &options };
    const struct cemv_configuration configuration = {
        .terminal_data = { scene->offline_only ? terminal_23 : terminal_22, sizeof terminal_22 },
        .combinations = &row,
        .combination_count = 1,
        .kernels = &kernel,
        .kernel_count = 1,
        .crypto = walk_kernel_8_port(),
        .curve_keys = &key,
        .curve_key_count = 1,
        .protection = scene->protection
    };
    return cemv_configuration_check(&configuration, memory, sizeof memory, &checked, &error) == CEMV_OK ? checked
                                                                                                        : NULL;
}

static void note_command(struct result *result, cemv_bytes command)
{
    for (size_t i = 0; i < command.size; i++)
        result->commands = (result->commands ^ command.data[i]) * UINT64_C(0x100000001B3) + command.size;
    result->last = command.data[1];
    result->writes += result->last == 0x34;
    result->relays += result->last == 0xEA;
    if (result->last != 0xAE) return;
    result->reference = command.data[2];
    memcpy(result->list, command.data + 5, command.data[4]);
}

static void finished(const struct cemv_session *session, struct result *result)
{
    const cemv_bytes record = cemv_session_data_record(session), discretionary = cemv_session_discretionary(session);
    result->outcome = cemv_session_outcome(session);
    result->record_size = record.size;
    result->discretionary_size = discretionary.size;
    if (record.size != 0) memcpy(result->record, record.data, record.size);
    if (discretionary.size != 0) memcpy(result->discretionary, discretionary.data, discretionary.size);
}

/* Answers what the session waits for; false: the scene is over. */
static bool go_on(struct cemv_session *session, const struct scene *scene, struct result *result, size_t *at)
{
    static const char directory[] =
        "6F27840E325041592E5359532E4444463031A515BF0C1261104F07F00000080801018701019F2A01089000";
    static uint8_t random[16] = { 9, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
    uint8_t bytes[16];
    struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .elapsed_us = scene->elapsed_us };
    const enum cemv_step step = cemv_session_step(session);
    if (step == CEMV_STEP_WORK) reply.kind = CEMV_REPLY_CONTINUE;
    else if (step == CEMV_STEP_POLL && *at == 0) reply.kind = CEMV_REPLY_CARD;
    else if (step == CEMV_STEP_ASK) {
        const struct cemv_question question = cemv_session_question(session);
        if (scene->before != NULL) scene->before(&session->kernel, 0);
        reply.kind = CEMV_REPLY_DATA;
        reply.bytes = (cemv_bytes){ random, sizeof random };
        if (scene->random != NULL) reply.bytes = (cemv_bytes){ bytes, hex(scene->random, bytes) };
        result->deadline_ms = question.deadline_ms;
        if (question.kind == CEMV_ASK_KERNEL) reply.kind = CEMV_REPLY_DEADLINE;
    } else if (step == CEMV_STEP_SEND) {
        const char *const text = *at == 0 ? directory : scene->answers[*at - 1];
        const cemv_bytes command = cemv_session_command(session);
        note_command(result, command);
        while ((scene->ahead >> *at & 1) != 0 && cemv_session_work(session)) result->worked++;
        if (text == NULL && scene->fault == 0) return false;
        if (text == NULL) reply.kind = scene->fault;
        else reply.bytes = answer_of(text);
        if (scene->before != NULL) scene->before(&session->kernel, command.data[1]);
        (*at)++;
    } else return false;
    (void)cemv_session_reply(session, &reply);
    return true;
}

static struct result play(const struct scene *scene)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_KERNEL_8_SESSION_SIZE];
    static const uint8_t pool[40] = { 1, 2, 3 };
    uint8_t data[64];
    struct cemv_session *session;
    struct cemv_config_error error;
    struct result result = { .last = 0 };
    const struct cemv_transaction sale = { .type = scene->type,
                                           .amount = scene->zero ? 0 : 1000,
                                           .currency = 0x0978,
                                           .exponent = 2,
                                           .date = { 0x26, 0x11, 0x21 },
                                           .data = { data, hex(scene->transaction, data) } };
    const struct cemv_checked *const checked = configure(scene);
    if (checked == NULL ||
        cemv_session_begin(memory, sizeof memory, checked, &sale,
                           (cemv_bytes){ pool, scene->pool != 0 ? scene->pool : sizeof pool }, &session, &error)) {
        property(false, "a scene begins", 0);
        return result;
    }
    for (size_t at = 0, steps = 0; steps < 40 && go_on(session, scene, &result, &at);) steps++;
    finished(session, &result);
    return result;
}

/* A byte of an object of the record or the discretionary data; -1: there is none. */
static int byte_of(const struct result *result, uint32_t tag, size_t at)
{
    struct cemv_tlv object;
    const cemv_bytes record = { result->record, result->record_size },
                     discretionary = { result->discretionary, result->discretionary_size };
    if (!cemv_tlv_find(record, tag, &object) && !cemv_tlv_find(discretionary, tag, &object)) return -1;
    return at < object.value.size ? object.value.data[at] : -1;
}

static const struct cemv_protection book = { .profile = CEMV_PROFILE_BOOK };

/* ---- what a test changes in the kernel ---- */

static void use_up_kernel_counter(struct cemv_kernel *kernel, uint8_t instruction)
{
    if (instruction == 0xAE) k8_memory_of(kernel)->channel.kernel_counter = K8_LAST_KERNEL_COUNTER;
}

static void use_up_card_counter(struct cemv_kernel *kernel, uint8_t instruction)
{
    if (instruction == 0x34 || instruction == 0x32) k8_memory_of(kernel)->channel.card_counter = K8_LAST_CARD_COUNTER;
}

static void fill(struct cemv_kernel *kernel, uint16_t left)
{
    kernel->store.used = (uint16_t)(CEMV_STORE_ARENA - left);
}
static void fill_before_gpo(struct cemv_kernel *kernel, uint8_t instruction)
{
    if (instruction == 0) fill(kernel, 4 + 64 + 8 + 3); /* number, key, qualifier, capabilities: and no list */
}
static uint16_t room;
static void fill_at_gpo(struct cemv_kernel *kernel, uint8_t instruction)
{
    if (instruction == 0xA8) fill(kernel, room);
}
static void fill_at_record(struct cemv_kernel *kernel, uint8_t instruction)
{
    if (instruction == 0xB2) fill(kernel, room);
}

static void number_was_drawn(struct cemv_kernel *kernel, uint8_t instruction)
{
    if (instruction != 0) return;
    kernel->random.count = 1;
    memcpy(kernel->random.numbers[0], "\x0D\x0E\x0F\x10", 4);
}

/* ---- properties ---- */

/* A message counter that is used up ends the exchange of envelopes, and never the transaction (30.4). */
static void properties_of_counters_8(void)
{
    struct scene scene = { .answers = { FCI, GPO_SIGNED, SIGNED, CARD_CERTIFICATE, AC, ZEROS_8 "9000", ZEROS_8 "9000" },
                           .data = WRITES,
                           .protection = book };
    struct result result = play(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL) && result.writes == 2 &&
                 byte_of(&result, 0x9F821B, 0) == 0x80,
             "both envelopes are written", result.writes);
    scene.before = use_up_kernel_counter;
    result = play(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL) && result.writes == 0 &&
                 byte_of(&result, 0x9F821B, 0) == 0,
             "none without a counter of the kernel's", result.writes);
    scene.before = use_up_card_counter;
    result = play(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL) && result.writes == 1 &&
                 byte_of(&result, 0x9F821B, 0) == 0,
             "no second one without a counter of the card's", result.writes);
    scene = (struct scene){ .answers = { FCI, GPO_PLAIN, "9F811101AA" ZEROS_8 "9000", PAN, AC },
                            .data = NO_DENIAL "9F8203039F8111",
                            .protection = book };
    result = play(&scene);
    property(byte_of(&result, 0x9F821C, 0) == 0x80 && result.outcome.status == CEMV_OUTCOME_ONLINE_REQUEST,
             "an envelope is read", 0);
    scene.before = use_up_card_counter;
    result = play(&scene);
    property(byte_of(&result, 0x9F821C, 0) == 0 && result.outcome.status == CEMV_OUTCOME_ONLINE_REQUEST,
             "none without a counter, and the transaction goes on", 0);
}

/* What finds no room ends the application before the card counts, and says so. */
static void properties_of_a_full_store_8(void)
{
    struct scene scene = { .answers = { FCI, GPO("000A", "08010100", ""), PAN, AC },
                           .data = "9F82200A9F37049F02069A039C01",
                           .pool = 4,
                           .before = fill_before_gpo,
                           .protection = book };
    struct result result = play(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STORE_FULL) && result.last == 0xA4,
             "values of a PDOL", result.last);
    scene.pool = 0;
    scene.before = fill_at_gpo;
    const unsigned answer = 2 + 4 + 6 + 68;
    room = (uint16_t)(answer + 4);
    result = play(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STORE_FULL) && result.last == 0xA8,
             "the default list", result.outcome.reason);
    room = (uint16_t)(answer + 10 + 2);
    result = play(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STORE_FULL) && result.last == 0xA8,
             "the locator", result.outcome.reason);
    room = (uint16_t)(16 + 10);
    scene.before = fill_at_record;
    result = play(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STORE_FULL) && result.last == 0xB2,
             "values of a CDOL", result.last);
}

/* 9F1D of any length says by the CVM limit what the terminal can do, and nothing of its other bits is lost. */
static void properties_of_risk_management_8(void)
{
    static const struct {
        const char *data;
        uint8_t sent[3];
    } cases[] = {
        { "9F1D01939F8207016C", { 0xFF, 0x80, 0 } },
        { "9F1D0300000F9F82070160", { 0x60, 0x80, 0x0F } },
        { "9F1D0300010F9F8207010C9F8208016C9F820E06000000001000", { 0x6C, 0x01, 0x0F } },
        { "9F1D0193"
          "9F82080120"
          "9F820E06000000001000",
          { 0xB3, 0, 0 } },
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct scene scene = { .answers = { FCI, GPO("000A", "08010100", "8C039F1D03"), PAN, AC },
                                     .data = cases[i].data,
                                     .protection = book };
        const struct result result = play(&scene);
        property(result.last == 0xAE && memcmp(result.list, cases[i].sent, 3) == 0, "risk management", i);
    }
}

/* A number that was drawn before is reported; only the book's profile goes on with it. */
static void properties_of_random_numbers_8(void)
{
    struct scene scene = { .answers = { FCI, GPO_PLAIN, PAN, AC }, .pool = 32, .before = number_was_drawn };
    scene.random = "0D0E0F10";
    struct result result = play(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_RANDOM) && result.last == 0xA4,
             "a number again", result.outcome.reason);
    property(result.outcome.findings >> CEMV_FINDING_RNG_SUSPECT & 1, "is found", 0);
    scene.protection = book;
    scene.data = NO_DENIAL;
    result = play(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL), "by the book it is used", 0);
    property(result.outcome.findings >> CEMV_FINDING_RNG_SUSPECT & 1, "and found", 0);
    scene.before = NULL, scene.random = "0D0E0F";
    result = play(&scene);
    property(result.outcome.reason == CEMV_REASON_RANDOM && result.last == 0xA4, "three bytes are no number", 0);
}

/* 21.17: the fixed latency is subtracted, and a time that nobody measured is none that is short. */
static void properties_of_relay_times_8(void)
{
    static const char near_1[] = "800A00000000000A0050001"
                                 "89000",
                      near_2[] = "800A0000000000640078001"
                                 "89000";
    struct scene scene = { .answers = { FCI, GPO("000B", "08010100", "8C039F3704"), near_1, near_1, near_1, PAN, AC },
                           .options = { .relay_latency_us = 1000 },
                           .protection = book };
    struct result result = play(&scene);
    property(result.relays == 3 && (byte_of(&result, 0x95, 4) & 0x0C) != 0, "an unknown time is late", result.relays);
    scene.elapsed_us = 500;
    scene.answers[2] = scene.answers[3] = scene.answers[4] = near_2;
    result = play(&scene);
    property(result.relays == 1 && result.outcome.error_indication[1] == CEMV_L2_CARD_DATA_ERROR,
             "less than the latency is nothing, and too fast", result.relays);
    scene.protection.relay = CEMV_RELAY_OFF;
    scene.data = NO_DENIAL;
    scene.answers[2] = PAN, scene.answers[3] = AC;
    result = play(&scene);
    property(result.relays == 0 && (byte_of(&result, 0x95, 4) & 0x03) == 0x01, "not asked for where it is off",
             (unsigned)byte_of(&result, 0x95, 4));
}

static bool is_same(const struct result *a, const struct result *b)
{
    return a->outcome.status == b->outcome.status && a->outcome.reason == b->outcome.reason &&
           a->outcome.cvm == b->outcome.cvm && a->outcome.findings == b->outcome.findings &&
           memcmp(a->outcome.error_indication, b->outcome.error_indication, sizeof a->outcome.error_indication) == 0 &&
           a->commands == b->commands && a->record_size == b->record_size &&
           memcmp(a->record, b->record, a->record_size) == 0 && a->discretionary_size == b->discretionary_size &&
           memcmp(a->discretionary, b->discretionary, a->discretionary_size) == 0;
}

/* Whatever is computed while the card works, at whichever exchanges: commands, outcome and records are the same (7). */
static void properties_of_working_ahead_8(void)
{
    static const char no_chain[] = "70*5A0867888831047838775F24033312318F0101", expired[] = EXPIRED,
                      other_key[] = PAN "8F010290" CERTIFICATE,
                      late[] = "DA*9F4681911400002019123123590000000000010102" ZEROS_32 ZEROS_32 ZEROS_64;
    const struct scene scenes[] = {
        { .answers = { FCI, GPO_SIGNED, SIGNED, CARD_CERTIFICATE, AC } },
        { .answers = { FCI, GPO_SIGNED, SIGNED, CARD_CERTIFICATE, AC, ZEROS_8 "9000", ZEROS_8 "9000" },
          .data = WRITES,
          .protection = book },
        { .answers = { FCI, GPO_SIGNED, expired, CARD_CERTIFICATE, AC }, .protection = book },
        { .answers = { FCI, GPO_SIGNED, SIGNED, late, AC }, .data = NO_DENIAL, .protection = book },
        { .answers = { FCI, GPO_SIGNED, no_chain, CARD_CERTIFICATE, AC }, .protection = book },
        { .answers = { FCI, GPO_SIGNED, SIGNED, CARD_CERTIFICATE, "6985" }, .protection = book },
        { .answers = { FCI, GPO_SIGNED, other_key, CARD_CERTIFICATE, "6985" }, .protection = book },
    };
    for (unsigned i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        struct scene scene = scenes[i];
        const struct result without = play(&scene);
        unsigned worked = 0;
        property(without.worked == 0 && without.outcome.status != 0, "without", i);
        for (scene.ahead = 1; scene.ahead < 1u << 8; scene.ahead++) {
            const struct result result = play(&scene);
            property(is_same(&result, &without), "computing ahead changes nothing", scene.ahead << 8 | i);
            worked += result.worked;
        }
        property((worked != 0) == (i != 4 && i != 6), "where there is something to compute", i);
    }
}

/* A record that is named twice, and more records than a presentment may have. */
static void properties_of_locators_8(void)
{
    static const char twice[] = "77*8202000A94080801010008010100" CARD_KEY "8C039F3704";
    struct scene scene = { .answers = { FCI, twice, PAN, PAN, AC } };
    struct result result = play(&scene);
    property(result.outcome.error_indication[1] == CEMV_L2_CARD_DATA_ERROR && result.last == 0xA8,
             "a record twice is refused", result.last);
    property(result.outcome.findings >> CEMV_FINDING_RECORD_REPEATED & 1, "and found", 0);
    scene.protection = book;
    scene.data = NO_DENIAL;
    result = play(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL),
             "by the book it is read twice", 0);
    property(result.outcome.findings >> CEMV_FINDING_RECORD_REPEATED & 1, "and found", 1);
    scene.protection.max_records = 1;
    result = play(&scene);
    property(result.outcome.error_indication[1] == CEMV_L2_CARD_DATA_ERROR && result.last == 0xA8,
             "two records are more than one", result.last);
}

static void properties_of_waiting_8(void)
{
    struct scene scene = { .answers = { FCI, GPO_PLAIN, PAN }, .data = "9F820200", .protection = book };
    struct result result = play(&scene);
    property(result.deadline_ms == 500 && result.outcome.error_indication[2] == CEMV_L3_TIMEOUT, "half a second",
             result.deadline_ms);
    scene.data = "9F8202009F820F020000";
    result = play(&scene);
    property(result.deadline_ms == 1, "no time is the shortest, not an endless one", result.deadline_ms);
    scene = (struct scene){ .answers = { FCI, GPO_PLAIN }, .fault = CEMV_REPLY_REMOVED, .protection = book };
    result = play(&scene);
    property(result.outcome.error_indication[0] == CEMV_L1_TIMEOUT && result.outcome.reason == CEMV_REASON_LINK,
             "a card that was removed has not answered", result.outcome.error_indication[0]);
}

/* A TC is requested of no refund and for no amount of zero, and nowhere where nothing is approved offline. */
static void properties_of_requests_8(void)
{
    static const char no_codes[] = "9F820C050000000000", by_one[] = "9F820B0500000000009F820C050000000000";
    struct scene scene = { .answers = { FCI, GPO_PLAIN, PAN, AC }, .data = by_one, .protection = book };
    struct result result;
    scene.answers[1] = GPO("000A", "08010100", "8C039F3704");
    result = play(&scene);
    property((result.reference & 0xC0) == 0x40, "a TC", result.reference);
    scene.protection.offline = CEMV_RULE_OFF;
    result = play(&scene);
    property((result.reference & 0xC0) == 0x80, "but online where none is approved offline", result.reference);
    scene = (struct scene){ .answers = { FCI, GPO_SIGNED, SIGNED, CARD_CERTIFICATE }, .data = no_codes };
    result = play(&scene);
    property((result.reference & 0xC0) == 0x40, "a TC, guarded", result.reference);
    scene.zero = true;
    result = play(&scene);
    property((result.reference & 0xC0) == 0x80, "not for nothing", result.reference);
    scene.zero = false, scene.type = CEMV_TYPE_REFUND;
    result = play(&scene);
    property((result.reference & 0xC0) == 0x80, "nor of a refund", result.reference);
    scene = (struct scene){
        .answers = { FCI, GPO_PLAIN, PAN, AC }, .data = by_one, .offline_only = true, .protection = book
    };
    result = play(&scene);
    property(result.last == 0xAE && (result.reference & 0xC0) == 0x40, "a TC where there is no host", result.reference);
    scene.protection.offline = CEMV_RULE_OFF;
    result = play(&scene);
    property(result.last == 0xAE && (result.reference & 0xC0) == 0, "and an AAC where it may not be", result.reference);
}

/* What a transaction brings beside its rights (annex A, ACT) changes nothing: the AID is the combination's, and no
 * proprietary object that the combination does not name is kept. */
static void properties_of_transaction_data_8(void)
{
    static const char asks[] = GPO("000A", "08010100", "8C069F0605DF7E02");
    struct scene scene = { .answers = { FCI, asks, PAN, AC }, .data = NO_DENIAL, .protection = book };
    static const uint8_t own[] = { 0xF0, 0, 0, 0x08, 0x08, 0, 0 }, named[] = { 0xF0, 0, 0, 0x08, 0x08, 0xAA, 0xBB };
    struct result result = play(&scene);
    property(result.last == 0xAE && memcmp(result.list, own, sizeof own) == 0, "its AID, and zeros", 0);
    scene.transaction = "9F0605A000000001DF7E02AABB";
    result = play(&scene);
    property(result.last == 0xAE && memcmp(result.list, own, sizeof own) == 0, "the same", 0);
    scene.data = NO_DENIAL "DF7E021122";
    result = play(&scene);
    property(result.last == 0xAE && memcmp(result.list, named, sizeof named) == 0,
             "one that it names is the transaction's", 0);
}

/* Data of a combination for which the store has no room end the application before the card is asked anything. */
static void properties_of_much_data_8(void)
{
    static char data[4200];
    struct scene scene = { .answers = { FCI, GPO_PLAIN, PAN, AC }, .protection = book };
    unsigned ended = 0;
    for (unsigned count = 1; count <= 8; count++) {
        size_t size = 0;
        for (unsigned i = 0; i < count; i++) {
            size += (size_t)sprintf(data + size, "DF7%X81F8", i + 1);
            memset(data + size, '0', 2 * 0xF8), size += 2 * 0xF8;
        }
        data[size] = 0;
        scene.data = data;
        const struct result result = play(&scene);
        const bool full = outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STORE_FULL);
        property(full ? result.last == 0xA4 : result.last == 0xAE || result.last == 0xB2, "room or an end", count);
        ended += full;
    }
    property(ended != 0 && ended < 8, "some have room, some have not", ended);
}

void properties_of_kernel_8_dialogue(void)
{
    PART(properties_of_counters_8);
    PART(properties_of_a_full_store_8);
    PART(properties_of_risk_management_8);
    PART(properties_of_random_numbers_8);
    PART(properties_of_relay_times_8);
    PART(properties_of_working_ahead_8);
    PART(properties_of_locators_8);
    PART(properties_of_waiting_8);
    PART(properties_of_requests_8);
    PART(properties_of_transaction_data_8);
    PART(properties_of_much_data_8);
}
