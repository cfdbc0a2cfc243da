/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 8's dialogue at its limits, where the independent traces make no claim: exhausted counters, a
 * full store, random numbers, relay resistance, and rules of the protection (Book C-8 v1.0; attacks.md). */
#include <stdio.h>
#include <string.h>

#include "kernel_8_scene.h"
#include "properties.h"

static const struct cemv_protection book = { .profile = CEMV_PROFILE_BOOK };

/* ---- changes that a test makes to the kernel ---- */

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
    if (instruction == 0) fill(kernel, 4 + 64 + 8 + 3); /* number, key, qualifier, capabilities: no list fits */
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

/* An exhausted message counter ends the exchange of envelopes, but not the transaction (30.4). */
static void properties_of_counters_8(void)
{
    struct scene scene = { .answers = { FCI, GPO_SIGNED, SIGNED, CARD_CERTIFICATE, AC, ZEROS_8 "9000", ZEROS_8 "9000" },
                           .data = WRITES,
                           .protection = book };
    struct result result = play_scene(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL) && result.writes == 2 &&
                 byte_of(&result, 0x9F821B, 0) == 0x80,
             "both envelopes are written", result.writes);
    scene.before = use_up_kernel_counter;
    result = play_scene(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL) && result.writes == 0 &&
                 byte_of(&result, 0x9F821B, 0) == 0,
             "none without a counter of the kernel's", result.writes);
    scene.before = use_up_card_counter;
    result = play_scene(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL) && result.writes == 1 &&
                 byte_of(&result, 0x9F821B, 0) == 0,
             "no second one without a counter of the card's", result.writes);
    scene = (struct scene){ .answers = { FCI, GPO_PLAIN, "9F811101AA" ZEROS_8 "9000", PAN, AC },
                            .data = NO_DENIAL "9F8203039F8111",
                            .protection = book };
    result = play_scene(&scene);
    property(byte_of(&result, 0x9F821C, 0) == 0x80 && result.outcome.status == CEMV_OUTCOME_ONLINE_REQUEST,
             "an envelope is read", 0);
    scene.before = use_up_card_counter;
    result = play_scene(&scene);
    property(byte_of(&result, 0x9F821C, 0) == 0 && result.outcome.status == CEMV_OUTCOME_ONLINE_REQUEST,
             "none without a counter, and the transaction goes on", 0);
}

/* Data that do not fit end the application before the card counts, and the outcome reports it. */
static void properties_of_a_full_store_8(void)
{
    struct scene scene = { .answers = { FCI, GPO("000A", "08010100", ""), PAN, AC },
                           .data = "9F82200A9F37049F02069A039C01",
                           .pool = 4,
                           .before = fill_before_gpo,
                           .protection = book };
    struct result result = play_scene(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STORE_FULL) && result.last == 0xA4,
             "values of a PDOL", result.last);
    property(cemv_be16(result.outcome.error_indication + 3) == 0, "without a status word", 0);
    scene.pool = 0;
    scene.before = fill_at_gpo;
    const unsigned answer = 2 + 4 + 6 + 68;
    room = (uint16_t)(answer + 4);
    result = play_scene(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STORE_FULL) && result.last == 0xA8,
             "the default list", result.outcome.reason);
    property(cemv_be16(result.outcome.error_indication + 3) == 0, "without a status word", 0);
    room = (uint16_t)(answer + 10 + 2);
    result = play_scene(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STORE_FULL) && result.last == 0xA8,
             "the locator", result.outcome.reason);
    property(cemv_be16(result.outcome.error_indication + 3) == 0, "without a status word", 0);
    room = (uint16_t)(16 + 10);
    scene.before = fill_at_record;
    result = play_scene(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STORE_FULL) && result.last == 0xB2,
             "values of a CDOL", result.last);
    property(cemv_be16(result.outcome.error_indication + 3) == 0, "without a status word", 0);
}

/* 9F1D of any length states the terminal's capabilities by the CVM limit; its other bits are kept. */
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
        const struct result result = play_scene(&scene);
        property(result.last == 0xAE && memcmp(result.list, cases[i].sent, 3) == 0, "risk management", i);
    }
}

/* A number that was drawn before is reported; only profile `book` continues with it. */
static void properties_of_random_numbers_8(void)
{
    struct scene scene = { .answers = { FCI, GPO_PLAIN, PAN, AC }, .pool = 32, .before = number_was_drawn };
    scene.random = "0D0E0F10";
    struct result result = play_scene(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_RANDOM) && result.last == 0xA4,
             "a number again", result.outcome.reason);
    property(result.outcome.findings >> CEMV_FINDING_RNG_SUSPECT & 1, "is found", 0);
    scene.protection = book;
    scene.data = NO_DENIAL;
    result = play_scene(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL), "by the book it is used", 0);
    property(result.outcome.findings >> CEMV_FINDING_RNG_SUSPECT & 1, "and found", 0);
    scene.before = NULL, scene.random = "0D0E0F";
    result = play_scene(&scene);
    property(result.outcome.reason == CEMV_REASON_RANDOM && result.last == 0xA4, "three bytes are no number", 0);
}

/* 21.17: the fixed latency is subtracted, and an unmeasured time does not count as short. */
static void properties_of_relay_times_8(void)
{
    static const char near_1[] = "800A00000000000A0050001"
                                 "89000",
                      near_2[] = "800A0000000000640078001"
                                 "89000";
    struct scene scene = { .answers = { FCI, GPO("000B", "08010100", "8C039F3704"), near_1, near_1, near_1, PAN, AC },
                           .options = { .relay_latency_us = 1000 },
                           .protection = book };
    struct result result = play_scene(&scene);
    property(result.relays == 3 && (byte_of(&result, 0x95, 4) & 0x0C) != 0, "an unknown time is late", result.relays);
    scene.elapsed_us = 500;
    scene.answers[2] = scene.answers[3] = scene.answers[4] = near_2;
    result = play_scene(&scene);
    property(result.relays == 1 && result.outcome.error_indication[1] == CEMV_L2_CARD_DATA_ERROR,
             "less than the latency is nothing, and too fast", result.relays);
    scene.protection.relay = CEMV_RELAY_OFF;
    scene.data = NO_DENIAL;
    scene.answers[2] = PAN, scene.answers[3] = AC;
    result = play_scene(&scene);
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

/* Whatever is precomputed while the card is busy, at any exchanges, does not change commands, outcome and records (7).
 */
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
        const struct result without = play_scene(&scene);
        unsigned worked = 0;
        property(without.worked == 0 && without.outcome.status != 0, "without", i);
        for (scene.ahead = 1; scene.ahead < 1u << 8; scene.ahead++) {
            const struct result result = play_scene(&scene);
            property(is_same(&result, &without), "computing ahead changes nothing", scene.ahead << 8 | i);
            worked += result.worked;
        }
        property((worked != 0) == (i != 4 && i != 6), "where there is something to compute", i);
    }
}

/* A record that is listed twice, and more records than a presentment may have. */
static void properties_of_locators_8(void)
{
    static const char twice[] = "77*8202000A94080801010008010100" CARD_KEY "8C039F3704";
    struct scene scene = { .answers = { FCI, twice, PAN, PAN, AC } };
    struct result result = play_scene(&scene);
    property(result.outcome.error_indication[1] == CEMV_L2_CARD_DATA_ERROR && result.last == 0xA8,
             "a record twice is refused", result.last);
    property(result.outcome.findings >> CEMV_FINDING_RECORD_REPEATED & 1, "and found", 0);
    scene.protection = book;
    scene.data = NO_DENIAL;
    result = play_scene(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL),
             "by the book it is read twice", 0);
    property(result.outcome.findings >> CEMV_FINDING_RECORD_REPEATED & 1, "and found", 1);
    scene.protection.max_records = 1;
    result = play_scene(&scene);
    property(result.outcome.error_indication[1] == CEMV_L2_CARD_DATA_ERROR && result.last == 0xA8,
             "two records are more than one", result.last);
}

static void properties_of_waiting_8(void)
{
    struct scene scene = { .answers = { FCI, GPO_PLAIN, PAN }, .data = "9F820200", .protection = book };
    struct result result = play_scene(&scene);
    property(result.deadline_ms == 500 && result.outcome.error_indication[2] == CEMV_L3_TIMEOUT, "half a second",
             result.deadline_ms);
    scene.data = "9F8202009F820F020000";
    result = play_scene(&scene);
    property(result.deadline_ms == 1, "no time is the shortest, not an endless one", result.deadline_ms);
    scene = (struct scene){ .answers = { FCI, GPO_PLAIN }, .fault = CEMV_REPLY_REMOVED, .protection = book };
    result = play_scene(&scene);
    property(result.outcome.error_indication[0] == CEMV_L1_TIMEOUT && result.outcome.reason == CEMV_REASON_LINK,
             "a card that was removed has not answered", result.outcome.error_indication[0]);
}

/* A TC is requested neither for a refund nor for an amount of zero, and nowhere if offline approvals are off. */
static void properties_of_requests_8(void)
{
    static const char no_codes[] = "9F820C050000000000", by_one[] = "9F820B0500000000009F820C050000000000";
    struct scene scene = { .answers = { FCI, GPO_PLAIN, PAN, AC }, .data = by_one, .protection = book };
    struct result result;
    scene.answers[1] = GPO("000A", "08010100", "8C039F3704");
    result = play_scene(&scene);
    property((result.reference & 0xC0) == 0x40, "a TC", result.reference);
    scene.protection.offline = CEMV_RULE_OFF;
    result = play_scene(&scene);
    property((result.reference & 0xC0) == 0x80, "but online where none is approved offline", result.reference);
    scene = (struct scene){ .answers = { FCI, GPO_LISTED, SIGNED LISTED, CARD_CERTIFICATE }, .data = no_codes };
    result = play_scene(&scene);
    property((result.reference & 0xC0) == 0x40, "a TC, guarded", result.reference);
    scene.zero = true;
    result = play_scene(&scene);
    property((result.reference & 0xC0) == 0x80, "not for nothing", result.reference);
    scene.zero = false, scene.type = CEMV_TYPE_REFUND;
    result = play_scene(&scene);
    property((result.reference & 0xC0) == 0x80, "nor of a refund", result.reference);
    scene = (struct scene){
        .answers = { FCI, GPO_PLAIN, PAN, AC }, .data = by_one, .offline_only = true, .protection = book
    };
    result = play_scene(&scene);
    property(result.last == 0xAE && (result.reference & 0xC0) == 0x40, "a TC where there is no host", result.reference);
    scene.protection.offline = CEMV_RULE_OFF;
    result = play_scene(&scene);
    property(result.last == 0xAE && (result.reference & 0xC0) == 0, "and an AAC where it may not be", result.reference);
}

/* MACs and the certificate count only if the certificate also covers the list (attacks.md, A35). The card answers with
 * a TC whatever was requested, as a relay can make it do. */
static void an_unsigned_list_approves_nothing_8(void)
{
#define WITH_LIST(list) GPO("010A", "08010202", list)
#define IN_RECORD(objects)                                                                                             \
    {                                                                                                                  \
        FCI, WITH_LIST("8C089F02069C019F3704"), SIGNED objects, CARD_CERTIFICATE, TC                                   \
    }
#define COVERED(list)                                                                                                  \
    {                                                                                                                  \
        FCI, WITH_LIST(list), SIGNED LISTED, CARD_CERTIFICATE, TC                                                      \
    }
    static const char TC[] = "77*9F2701409F360200019F2608B2EC180414DFA51A9F81020100" EDA_MAC "9F1020" ZEROS_32;
    static const struct {
        const char *answers[ANSWERS];
        bool whole;
    } rows[] = {
        { COVERED("8C089F02069C019F3704"), true },
        { IN_RECORD("8C089F02069C019F3704"), true },
        { IN_RECORD(""), false },
        { IN_RECORD("9F810A0182"), false },
        { COVERED("8C089F03069C019F3704"), false },
        { COVERED("8C089F02069A019F3704"), false },
        { COVERED("8C089F02069C019F3702"), false },
    };
    static const uint8_t profiles[] = { CEMV_PROFILE_BOOK, CEMV_PROFILE_GUARDED, CEMV_PROFILE_STRICT };
    for (unsigned i = 0; i < 6 * sizeof rows / sizeof rows[0]; i++) {
        const uint8_t profile = profiles[i / 2 % 3];
        struct scene scene = { .data = "9F820C0500000000009F820E06000000001000", .offline_only = i % 2 };
        scene.protection.profile = profile;
        scene.protection.offline = CEMV_RULE_ENFORCE;
        memcpy(scene.answers, rows[i / 6].answers, sizeof scene.answers);
        const struct result result = play_scene(&scene);
        const bool refused = profile != CEMV_PROFILE_BOOK && !rows[i / 6].whole;
        property((result.reference & 0xC0) == (!refused ? 0x40
                                               : i % 2  ? 0x00
                                                        : 0x80),
                 "an unsigned list is for the issuer", i);
        property((result.outcome.findings >> CEMV_FINDING_LIST_UNSIGNED & 1) == !rows[i / 6].whole, "and found", i);
        if (refused) property(result.outcome.status == CEMV_OUTCOME_END_APPLICATION, "and never approved", i);
    }
}

/* If a card of version 1 does not include the IAD-MAC in its data, nobody checks which data it received (attacks.md,
 * A37); a TC nevertheless returned does not count. */
static void an_unchecked_answer_approves_nothing_8(void)
{
#define CARD(version, copy)                                                                                            \
    {                                                                                                                  \
        "6F*" NAME "A5139F38039F3704BF0C0A9F2C07" version "00FFFF000000",                                              \
            GPO("01" copy, "08010202", "8C089F02069C019F3704"), SIGNED LISTED, CARD_CERTIFICATE,                       \
            "77*9F2701409F360200019F2608B2EC180414DFA51A9F81020100" EDA_MAC "9F8107010A9F1020" ZEROS_32                \
    }
    static const char *const cards[][ANSWERS] = { CARD("01", "08"), CARD("01", "0E"), CARD("01", "0A"),
                                                  CARD("01", "0C"), CARD("02", "08"), CARD("02", "0E"),
                                                  CARD("02", "0A"), CARD("02", "0C") };
    static const uint8_t profiles[] = { CEMV_PROFILE_BOOK, CEMV_PROFILE_GUARDED, CEMV_PROFILE_STRICT };
    for (unsigned i = 0; i < 6 * sizeof cards / sizeof cards[0]; i++) {
        struct scene scene = { .data = "9F820C0500000000009F820E06000000001000", .offline_only = i % 2 };
        scene.protection.profile = profiles[i / 2 % 3];
        scene.protection.offline = CEMV_RULE_ENFORCE;
        memcpy(scene.answers, cards[i / 6], sizeof scene.answers);
        const struct result result = play_scene(&scene);
        const bool refused = scene.protection.profile != CEMV_PROFILE_BOOK && i / 6 < 2;
        property((result.reference & 0xC0) == (!refused ? 0x40 : i % 2 ? 0x00 : 0x80), "what nobody checks", i);
        property(!refused || outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA),
                 "is not approved", i);
    }
}

static void take_a_brand(struct cemv_kernel *kernel, uint8_t instruction)
{
    static const uint8_t visa[] = { 0xA0, 0, 0, 0, 3, 0x10, 0x10 };
    if (instruction == 0xAE) memcpy(kernel->df_name, visa, sizeof visa), kernel->df_name_size = sizeof visa;
}

/* An account of a brand that does not match the name ends the tap (attacks.md, A03). */
static void another_brand_ends_the_tap_8(void)
{
    for (unsigned i = 0; i < 4; i++) {
        struct scene scene = { .answers = { FCI, GPO_SIGNED, SIGNED, CARD_CERTIFICATE, AC } };
        scene.before = i & 1 ? take_a_brand : NULL;
        scene.protection.profile = i & 2 ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED;
        const struct result result = play_scene(&scene);
        const bool refused = outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_PROTECTION) &&
                             outcome_error_is(&result.outcome, CEMV_L1_OK, CEMV_L2_CARD_DATA_ERROR, 0);
        property(refused == (i == 1), "another brand's account", i);
        property((result.outcome.findings >> CEMV_FINDING_BRAND_MISMATCH & 1) == (i & 1), "is found", i);
    }
}

/* Objects that a transaction may not supply (annex A, ACT) change nothing: the AID is the combination's, and a
 * proprietary object is kept only if the combination names it. */
static void properties_of_transaction_data_8(void)
{
    static const char asks[] = GPO("000A", "08010100", "8C069F0605DF7E02");
    struct scene scene = { .answers = { FCI, asks, PAN, AC }, .data = NO_DENIAL, .protection = book };
    static const uint8_t own[] = { 0xF0, 0, 0, 0x08, 0x08, 0, 0 }, named[] = { 0xF0, 0, 0, 0x08, 0x08, 0xAA, 0xBB };
    struct result result = play_scene(&scene);
    property(result.last == 0xAE && memcmp(result.list, own, sizeof own) == 0, "its AID, and zeros", 0);
    scene.transaction = "9F0605A000000001DF7E02AABB";
    result = play_scene(&scene);
    property(result.last == 0xAE && memcmp(result.list, own, sizeof own) == 0, "the same", 0);
    scene.data = NO_DENIAL "DF7E021122";
    result = play_scene(&scene);
    property(result.last == 0xAE && memcmp(result.list, named, sizeof named) == 0,
             "one that it names is the transaction's", 0);
}

/* Data of a combination that do not fit into the store end the application before any command is sent. */
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
        const struct result result = play_scene(&scene);
        const bool full = outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STORE_FULL);
        property(full ? result.last == 0xA4 : result.last == 0xAE || result.last == 0xB2, "room or an end", count);
        property(!full || outcome_error_is(&result.outcome, CEMV_L1_OK, CEMV_L2_OK, 0), "which is not the card's",
                 count);
        ended += full;
    }
    property(ended != 0 && ended < 8, "some have room, some have not", ended);
}

/* 202122232425.8: the risk management data keep their length, but have at least two bytes. */
static size_t risk_data_size;
static void note_risk_data(struct cemv_kernel *kernel, uint8_t instruction)
{
    if (instruction == 0xAE) risk_data_size = cemv_value(kernel, CEMV_SLOT_9F1D).size;
}
static void sizes_of_risk_data(void)
{
    static const struct {
        const char *data;
        size_t size;
    } all[] = { { NULL, 8 }, { "9F1D0193", 2 }, { "9F1D029300", 2 }, { "9F1D03930000", 3 } };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        const struct scene scene = {
            .answers = { FCI, GPO_PLAIN, PAN, AC }, .data = all[i].data, .before = note_risk_data, .protection = book
        };
        const struct result result = play_scene(&scene);
        property(result.last == 0xAE && risk_data_size == all[i].size, "risk data keep their size", i);
    }
}

/* 202122232425.16: the configured AID is the beginning of the selected name, or the TVR reports a mismatch; the memory
 * after the name is not part of it. */
static void a_longer_name_is_a_mismatch(void)
{
    static const struct {
        const char *aid;
        bool same;
    } all[] = { { "9F0605F000000808", true },        { "9F0607F0000008080101", true },
                { "9F0608F0000008080101A5", false }, { "9F0609F0000008080101A513", false },
                { "9F0607F0000008080102", false },   { "9F0605F000000809", false } };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        char data[64];
        sprintf(data, "%s%s", NO_DENIAL, all[i].aid);
        const struct scene scene = { .answers = { FCI, GPO_PLAIN, PAN, AC }, .data = data, .protection = book };
        const struct result result = play_scene(&scene);
        property((byte_of(&result, 0x95, 4) & CEMV_TVR_5_AID_MISMATCH) == (all[i].same ? 0 : CEMV_TVR_5_AID_MISMATCH),
                 "the name that was selected", i);
    }
}

/* 29.23: the mask selects bits of a Card TVR only; without a Card TVR the kernel's own bits stay, whatever the mask is.
 */
static void without_a_card_tvr_the_mask_means_nothing(void)
{
    static const char with[] = AC "9F81040500000000"
                                  "41";
    struct scene scene = { .answers = { FCI, GPO_PLAIN, PAN, AC },
                           .data = NO_DENIAL "9F821A050000000000",
                           .protection = book };
    struct result result = play_scene(&scene);
    property(byte_of(&result, 0x95, 0) == CEMV_TVR_1_ODA_NOT_PERFORMED && byte_of(&result, 0x95, 4) == 0x81,
             "the kernel's own", (unsigned)byte_of(&result, 0x95, 4));
    scene.answers[3] = with;
    result = play_scene(&scene);
    property(byte_of(&result, 0x95, 0) == 0 && byte_of(&result, 0x95, 4) == 0x41, "the card's",
             (unsigned)byte_of(&result, 0x95, 4));
}

/* attacks.md, A17: two account numbers in one card are rejected outside profile `book`, and reported in every profile.
 */
static void two_accounts_are_refused(void)
{
    static const char two[] = PAN "570C6788883104783878D3312201", one[] = PAN "570C6788883104783877D3312201";
    static const char aac[] = "77*9F2701009F360200019F2608B2EC180414DFA51A9F81020100" EDA_MAC "9F1020" ZEROS_32;
    for (unsigned i = 0; i < 4; i++) {
        const bool by_book = i & 1, same = i & 2;
        const struct scene scene = { .answers = { FCI, GPO_PLAIN, same ? one : two, aac },
                                     .data = by_book ? NO_DENIAL : NULL,
                                     .protection = { .profile = by_book ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED } };
        const struct result result = play_scene(&scene);
        const bool refused = outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_PROTECTION) &&
                             outcome_error_is(&result.outcome, CEMV_L1_OK, CEMV_L2_CARD_DATA_ERROR, 0);
        property(refused == (!by_book && !same), "two accounts", i);
        property(outcome_reports(&result.outcome, CEMV_FINDING_PAN_MISMATCH) == !same, "are reported", i);
    }
}

/* 2.22 to 2.25: needed objects are requested together with GET PROCESSING OPTIONS, even if it is only one tag. */
static void one_tag_is_asked_for(void)
{
    static const uint8_t tags[] = { 0x9F, 0x82, 0x01, 3, 0x9F, 0x82, 0x03 },
                         lists[] = { 0x9F, 0x82, 0x01, 6, 0x9F, 0x82, 0x03, 0xBF, 0x81, 0x04 };
    for (unsigned both = 0; both < 2; both++) {
        const struct scene scene = { .answers = { FCI, GPO_PLAIN, PAN, AC },
                                     .data = both ? "9F820300BF810400" : "9F820300",
                                     .protection = book };
        const struct result result = play_scene(&scene);
        property(result.exchanges == 1 && result.exchanged_behind == 0xA8, "once, with the options", result.exchanges);
        property(result.exchange_size == (both ? sizeof lists : sizeof tags) &&
                     memcmp(result.exchange, both ? lists : tags, result.exchange_size) == 0,
                 "what is needed", both);
    }
}

/* 2021222324.2 to .5: objects that did not fit into one record of data exchange come with a later command, after a
 * record was read, not with the first one. */
static unsigned waiting[4], reads;
static void note_what_waits(struct cemv_kernel *kernel, uint8_t instruction)
{
    if (instruction == 0xB2 && reads < 4) waiting[reads++] = k8_memory_of(kernel)->to_send.count;
}
static void what_waits_comes_after_a_record(void)
{
    static char data[3200];
    size_t size = (size_t)sprintf(data, "9F82030ADF71DF72DF73DF74DF75");
    for (unsigned i = 1; i <= 5; i++) {
        size += (size_t)sprintf(data + size, "DF7%X81F8", i);
        memset(data + size, '1', 2 * 0xF8), size += 2 * 0xF8;
    }
    data[size] = 0;
    const struct scene scene = { .answers = { FCI, GPO("000A", "08010300", "8C039F3704"), PAN, "70*5F340101",
                                              "70*5F300201", AC },
                                 .data = data,
                                 .before = note_what_waits,
                                 .protection = book };
    reads = 0;
    const struct result result = play_scene(&scene);
    property(reads >= 2 && waiting[0] == 1 && waiting[1] == 0, "one waits for the second record", waiting[0]);
    property(result.exchanges == 2 && result.exchanged_behind == 0xB2 && result.exchange_size == 3 + 1 + 0xF8 &&
                 result.exchange[1] == 0x75,
             "and comes with it", result.exchanges);
}

/* cemv_session.h: every decision is logged once, with state and step of the book and its result. */
static void decisions_are_noted(void)
{
    enum { NONE = 99 };
    static const char slow[] = "800A00000000000A005000189000";
    struct scene scene = { .answers = { FCI, GPO("010B", "08010202", "8C039F3704"), slow, SIGNED, CARD_CERTIFICATE,
                                        AC },
                           .data = NO_DENIAL "9F1D080800000000000000",
                           .elapsed_us = 7000,
                           .protection = book };
    struct result result = play_scene(&scene);
    property(noted(&result, CEMV_STEP_OF(21, 17), NONE) == 70 - 18 - 24, "the measured time",
             (unsigned)noted(&result, CEMV_STEP_OF(21, 17), NONE));
    property(noted(&result, CEMV_STEP_OF(25, 21), NONE) == K8_ACCEPT, "the first analysis", 0);
    property(noted(&result, CEMV_STEP_OF(28, 8), NONE) == K8_LOCAL_GOOD, "local authentication", 0);
    property(noted(&result, CEMV_STEP_OF(29, 25), NONE) == CEMV_CVM_NA, "cardholder verification",
             (unsigned)noted(&result, CEMV_STEP_OF(29, 25), NONE));
    property(noted(&result, CEMV_STEP_OF(29, 43), NONE) == K8_ONLINE, "the second analysis", 0);
    property(noted(&result, CEMV_STEP_OF(0x2930, 2), NONE) == K8_END_ONLINE, "the end",
             (unsigned)noted(&result, CEMV_STEP_OF(0x2930, 2), NONE));
    property(result.noted == 6, "and nothing else", result.noted);
    scene.data = "9F820B05FFFFFFFFFF";
    scene.answers[5] = "77*9F2701009F360200019F2608B2EC180414DFA51A9F8102010F" EDA_MAC "9F1020" ZEROS_32;
    result = play_scene(&scene);
    property(noted(&result, CEMV_STEP_OF(25, 21), NONE) == K8_DECLINE &&
                 noted(&result, CEMV_STEP_OF(29, 43), NONE) == K8_DECLINE &&
                 noted(&result, CEMV_STEP_OF(0x2930, 2), NONE) == K8_END_DECLINED,
             "a decline", result.noted);
}

void properties_of_kernel_8_dialogue(void)
{
    PART(sizes_of_risk_data);
    PART(a_longer_name_is_a_mismatch);
    PART(without_a_card_tvr_the_mask_means_nothing);
    PART(two_accounts_are_refused);
    PART(one_tag_is_asked_for);
    PART(what_waits_comes_after_a_record);
    PART(decisions_are_noted);
    PART(properties_of_counters_8);
    PART(properties_of_a_full_store_8);
    PART(properties_of_risk_management_8);
    PART(properties_of_random_numbers_8);
    PART(properties_of_relay_times_8);
    PART(properties_of_working_ahead_8);
    PART(properties_of_locators_8);
    PART(properties_of_waiting_8);
    PART(properties_of_requests_8);
    PART(an_unsigned_list_approves_nothing_8);
    PART(an_unchecked_answer_approves_nothing_8);
    PART(another_brand_ends_the_tap_8);
    PART(properties_of_transaction_data_8);
    PART(properties_of_much_data_8);
}
