/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 2's modules at their limits: tracks, the CVM List's amounts, the times of relay resistance, the
 * torn log, data exchange. */
#include <string.h>

#include "CEMVInternals.h"
#include "kernel_2_alone.h"
#include "bytes.h"
#include "properties.h"

static struct cemv_kernel kernel;
static struct cemv_checked checked;
static struct cemv_combination combination;
static struct cemv_reader_memory reader;

static void put(uint16_t slot, const void *data, size_t size)
{
    property(cemv_store_put(&kernel.store, slot, of(data, size), CEMV_FROM_TERMINAL), "room", slot);
}

static void fresh(uint8_t profile)
{
    kernel_2_alone(&kernel, &checked, &combination, &reader, profile);
    cemv_store_clear(&kernel.store, tags_of(2), 0);
}

/* ---- tracks (C-2, 4.11) ---- */

/* What a bitmap does not name stays: bits behind it, digits above the number's and the counter's. */
static void properties_of_filling(void)
{
    static const uint8_t around[6] = { 0xFF, 0xFF, 0x00, 0xF0, 0xFF, 0xFF },
                         nothing_named[6] = { 0xFF, 0xFF, 0, 0, 0xFF, 0xFF };
    uint8_t track[12], expected[12];
    const struct k2_fill fill = { .cvc3_positions = of(nothing_named + 2, 2),
                                  .number_positions = of(around + 2, 2),
                                  .number = 4321,
                                  .counter = 98,
                                  .number_digits = 2,
                                  .counter_digits = 1,
                                  .shown_digits = 7 };
    memset(track, 0x55, sizeof track);
    memset(expected, 0x55, sizeof expected);
    k2_fill_track_2(track, 0, 24, &fill);
    /* Positions 5 to 8 are named: two for the number, one for the counter, one left as it is. */
    expected[11] = 0x57;
    expected[9] = 0x21;
    expected[8] = 0x58;
    property(memcmp(track, expected, sizeof track) == 0, "digits go where they are named, and no further", 0);
    const struct k2_fill more = { .cvc3_positions = of(nothing_named + 2, 2),
                                  .number_positions = of(around + 2, 2),
                                  .number = 654321,
                                  .number_digits = 6,
                                  .shown_digits = 7 };
    memset(track, 0x55, sizeof track);
    memset(expected, 0x55, sizeof expected);
    k2_fill_track_2(track, 0, 24, &more);
    expected[11] = 0x57;
    expected[9] = 0x21;
    expected[8] = 0x43;
    property(memcmp(track, expected, sizeof track) == 0, "no position lies beyond its bitmap", 1);
    memset(track, 0x55, sizeof track);
    memset(expected, 0x55, sizeof expected);
    k2_fill_track_2(track, 3, 1, &fill);
    expected[1] = 0x57;
    property(memcmp(track, expected, sizeof track) == 0, "one digit of discretionary data says how many there are", 1);
    memset(track, 0x55, sizeof track);
    memset(expected, 0x55, sizeof expected);
    k2_fill_track_2(track, 3, 0, &fill);
    k2_fill_track_1(track, 3, 0, &fill);
    property(memcmp(track, expected, sizeof track) == 0, "without discretionary data nothing is filled", 0);
    property(!k2_track_1_discretionary(of(NULL, 0), &(size_t){ 0 }, &(size_t){ 0 }),
             "no track 1, no discretionary data", 0);
    for (uint8_t failures = 0; failures < 9; failures++)
        property(k2_back_off_ms(failures) == 300u << (failures < 5 ? failures : 5),
                 "a failed checksum costs twice the time of the one before", failures);
}

/* Each track has counter digits of its own: here two digits of the number, and one or three of the counter 456. 9F61 is
 * 987, 9F60 is 666. */
static void properties_of_two_tracks(void)
{
    static const uint8_t track_2[] = { 0x54, 0x13, 0x33, 0x00, 0x89, 0x02, 0x00, 0x11, 0xD4,
                                       0x91, 0x22, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00 },
                         positions[2][6] = { { 0, 0, 0, 0, 0x00, 0x70 }, { 0, 0, 0, 0, 0x01, 0xF0 } };
    static const uint8_t filled_2[2][5] = { { 0x00, 0x06, 0x21, 0x98, 0x72 }, { 0x04, 0x56, 0x21, 0x98, 0x72 } };
    static const char track_1[] = "B5413330089020011^A/B^49122010000000000",
                      filled_1[2][11] = { "0006216662", "0456216662" };
    struct k2_memory *const memory = k2_memory_of(&kernel);
    for (unsigned more = 0; more < 2; more++) { /* which track takes three */
        const uint8_t counter_digits[2] = { more ? 1 : 3, more ? 3 : 1 };
        fresh(CEMV_PROFILE_BOOK);
        put(CEMV_SLOT_9F6B, track_2, sizeof track_2);
        put(CEMV_SLOT_56, track_1, sizeof track_1 - 1);
        put(CEMV_SLOT_9F36, "\x01\xC8", 2);
        put(K2_SLOT_9F65, "\x00\x0E", 2);
        put(K2_SLOT_9F66, positions[!more] + 4, 2);
        put(K2_SLOT_9F67, &counter_digits[0], 1);
        put(K2_SLOT_9F61, "\x03\xDB", 2);
        put(K2_SLOT_9F62, "\x00\x00\x00\x00\x00\x0E", 6);
        put(K2_SLOT_9F63, positions[more], 6);
        put(K2_SLOT_9F64, &counter_digits[1], 1);
        put(K2_SLOT_9F60, "\x02\x9A", 2);
        property(k2_number_digits_of(&kernel) == 2, "both tracks take as many digits of the number", more);
        memory->number = 21;
        memory->number_digits = 2;
        k2_fill_tracks(&kernel, 2);
        const cemv_bytes two = k2_value(&kernel, CEMV_SLOT_9F6B), one = k2_value(&kernel, CEMV_SLOT_56);
        property(two.size == sizeof track_2 && memcmp(two.data, track_2, 12) == 0 &&
                     memcmp(two.data + 12, filled_2[!more], 5) == 0,
                 "track 2 as filled", more);
        property(one.size == sizeof track_1 - 1 && memcmp(one.data, track_1, 29) == 0 &&
                     memcmp(one.data + 29, filled_1[more], 10) == 0,
                 "track 1 as filled", more);
    }
}

/* [S910.39] */
static void properties_of_relay_tracks(void)
{
    static const uint8_t digits[] = { 0x12, 0x34, 0x56, 0x78, 0x90, 0x12, 0xD4, 0x91, 0x22, 0x01, 0x22, 0x22 };
    const struct k2_relay_track_in in = { .ca_index = 1, .measured = 55 };
    uint8_t out[19];
    size_t size;
    property(!k2_relay_track(of(digits, 6), &in, out, &size), "a track ends where its bytes end", 6);
    property(!k2_relay_track(of(digits, 7), &in, out, &size), "a track ends where its bytes end", 7);
    property(k2_relay_track(of(digits, 12), &in, out, &size) && size == 17,
             "a track with account, date and service code", (unsigned)size);
}

/* ---- decisions ---- */

/* Amounts of a CVM List are four bytes (Book 3, 10.5). */
static void properties_of_amounts(void)
{
    static const uint64_t amounts[] = { 0,        1,         0xFF,      0x100,      0xFFFF,     0x10000,
                                        0xFFFFFF, 0x1000000, 0x1020304, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF };
    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++)
        for (uint8_t condition = 6; condition <= 9; condition++)
            for (unsigned step = 0; step < 3; step++) {
                uint8_t list[10] = { 0, 0, 0, 0, 0, 0, 0, 0, 0x1F, condition };
                for (unsigned j = 0; j < 4; j++)
                    list[(condition < 8 ? 0 : 4) + j] = (uint8_t)(amounts[i] >> (24 - 8 * j));
                const uint64_t amount = amounts[i] + step - (amounts[i] != 0);
                const struct k2_cvm_in in = { .card_verifies = true,
                                              .list = of(list, sizeof list),
                                              .capability = 0x08,
                                              .terminal_type = 0x22,
                                              .amount = amount,
                                              .same_currency = true,
                                              .currency_known = true };
                const bool under = condition % 2 == 0, applies = under ? amount < amounts[i] : amount > amounts[i];
                const struct cemv_rules_cvm cvm = k2_cvm(&in);
                property((cvm.results[0] == 0x1F) == applies, "under X and over X", (unsigned)(i * 4 + condition));
            }
    /* Unattended: 4, 5 and 6 in the second digit of the terminal type. Cash there is no manual cash. */
    for (unsigned kind = 0; kind < 16; kind++) {
        const uint8_t list[10] = { 0, 0, 0, 0, 0, 0, 0, 0, 0x1F, 1 };
        const struct k2_cvm_in in = { .card_verifies = true,
                                      .list = of(list, sizeof list),
                                      .capability = 0x08,
                                      .terminal_type = (uint8_t)(0x20 | kind),
                                      .type = K2_CASH };
        property((k2_cvm(&in).results[0] == 0x1F) == (kind >= 4 && kind <= 6), "unattended cash", kind);
    }
}

/* After Fail CVM no other rule is looked at, whatever its bit 7 says; a condition that is not met skips it (Book
 * 3, 10.5). */
static void fail_cvm_ends_selection(void)
{
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t rule = i & 1 ? 0x40 : 0x00, condition = i & 2 ? 5 : 0;
        const uint8_t list[12] = { 0, 0, 0, 0, 0, 0, 0, 0, rule, condition, 0x1F, 0 };
        const struct k2_cvm_in in = {
            .card_verifies = true, .list = of(list, sizeof list), .capability = 0x08, .terminal_type = 0x22
        };
        const struct cemv_rules_cvm cvm = k2_cvm(&in);
        const uint8_t failed[3] = { rule, condition, 1 }, none[3] = { 0x1F, 0, 2 };
        property(memcmp(cvm.results, i & 2 ? none : failed, 3) == 0 && cvm.cvm == CEMV_CVM_NONE,
                 "Fail CVM ends selection", i);
        property(cvm.tvr == (i & 2 ? 0 : CEMV_TVR(3, CEMV_TVR_3_CVM_FAILED)), "and stands in the TVR", i);
    }
}

/* Where nothing is configured: grace of 2 and 5 ms, 1.8 and 2.4 ms of transmission, an accuracy of 30 ms, half of
 * either transmission time. */
static void properties_of_relay_times(void)
{
    struct k2_memory *const memory = k2_memory_of(&kernel);
    static const struct {
        uint16_t card_min, card_max, transmission;
    } cards[] = { { 64, 100, 24 }, { 21, 90, 12 }, { 20, 50, 11 }, { 0, 0, 48 }, { 30, 1000, 49 }, { 100, 2000, 24 } };
    for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++)
        for (uint32_t tenths = 1; tenths < 700; tenths++) {
            fresh(CEMV_PROFILE_BOOK);
            memory->retries = 2;
            cemv_put_be16(memory->relay + 8, cards[i].card_min);
            cemv_put_be16(memory->relay + 10, cards[i].card_max);
            cemv_put_be16(memory->relay + 12, cards[i].transmission);
            const struct cemv_relay_times relay = k2_evaluate_time(&kernel, tenths * 100);
            const int answer = cards[i].transmission < 24 ? cards[i].transmission : 24,
                      time = (int)tenths - 18 - answer,
                      measured = (int)tenths < 18 ? 0
                               : time < 0         ? 0
                                                  : time;
            const bool too_fast = measured<(int)cards[i].card_min - 20, late = measured>(int) cards[i].card_max + 50;
            const bool odd = cards[i].transmission * 100 / 24 < 50 || 2400 / cards[i].transmission < 50 ||
                             measured - (int)cards[i].card_min > 300;
            property(relay.measured == measured && (relay.verdict == CEMV_RELAY_TOO_FAST) == too_fast,
                     "a card faster than it says it is", (unsigned)(i << 16 | tenths));
            if (!too_fast)
                property(relay.tvr == (CEMV_TVR(5, 2) | (late ? CEMV_TVR(5, 4) : 0) | (odd ? CEMV_TVR(5, 8) : 0)),
                         "a card that is late, or another than it says", (unsigned)(i << 16 | tenths));
        }
}

/* Approved by the card alone are purchases, cash, cashback and cash disbursement of an amount, proven by a signature,
 * and nothing where the profile is strict (SECURITY.md, A07, A30). */
static void properties_of_guards(void)
{
    struct k2_memory *const memory = k2_memory_of(&kernel);
    for (unsigned type = 0; type < 256; type++)
        for (unsigned zero = 0; zero < 6; zero++)
            for (uint8_t profile = 0; profile < 3; profile++) {
                const uint8_t type_byte = (uint8_t)type;
                fresh(profile);
                combination.zero_amount = (uint8_t)(zero % 3);
                put(CEMV_SLOT_9C, &type_byte, 1);
                put(CEMV_SLOT_9F02, zero < 3 ? "\0\0\0\0\0\0" : "\0\0\0\0\0\1", 6);
                put(K2_SLOT_DF8126, "\0\0\0\1\0\0", 6);
                memory->cda = true;
                const bool sale = type == 0 || type == 1 || type == 9 || type == 0x17,
                           allowed = zero >= 3 || zero % 3 == CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED;
                property(k2_guard_type(&kernel, K2_TC) ==
                             (profile == CEMV_PROFILE_BOOK || (profile == CEMV_PROFILE_GUARDED && sale && allowed)
                                  ? K2_TC
                                  : K2_ARQC),
                         "what the card alone may approve", type);
                property(k2_guard_type(&kernel, K2_ARQC) == K2_ARQC && k2_guard_type(&kernel, K2_AAC) == K2_AAC,
                         "what is not approved stays", type);
            }
    /* Strict: data that failed to prove themselves are declined below the limit as well (A04). */
    for (unsigned i = 0; i < 8; i++) {
        fresh(i & 1 ? CEMV_PROFILE_STRICT : CEMV_PROFILE_GUARDED);
        put(CEMV_SLOT_9F02, "\0\0\0\0\x10\0", 6);
        put(K2_SLOT_DF8126, i & 2 ? "\0\0\0\0\x05\0" : "\0\0\0\0\x20\0", 6);
        put(CEMV_SLOT_9F33, "\x20\x40\x08", 3);
        memory->cda = true;
        if (i & 4) memory->tvr = CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED);
        k2_select_cvm(&kernel);
        property(memory->decline == (i & 1 && i & 4), "strict declines where CDA failed", i);
    }
}

/* SECURITY.md, A26 and A34: mag-stripe mode is on as DF811B says, in `book` by default; in `strict` only where the
 * combination's own protection names it, and nowhere where a protection switches it off. */
static void magstripe_mode_must_be_asked_for(void)
{
    static const uint8_t configured[] = { 0x30, 0xB0 };
    for (uint8_t profile = 0; profile < 3; profile++)
        for (uint8_t rule = CEMV_RULE_PROFILE; rule <= CEMV_RULE_ENFORCE; rule++)
            for (unsigned set = 0; set < 3; set++)
                for (unsigned own = 0; own < 2; own++) {
                    fresh(own ? CEMV_PROFILE_BOOK : profile);
                    combination.own_protection = own != 0;
                    struct cemv_protection *const protection = own ? &combination.protection
                                                                   : &checked.configuration.protection;
                    protection->profile = profile;
                    protection->magstripe = rule;
                    if (set < 2) put(K2_SLOT_DF811B, &configured[set], 1);
                    const bool asked = set == 0 || (set == 2 && profile == CEMV_PROFILE_BOOK),
                               allowed = profile != CEMV_PROFILE_STRICT || (own && rule != CEMV_RULE_PROFILE);
                    property(((k2_configuration_of(&kernel) & K2_MAGSTRIPE_OFF) == 0) ==
                                 (asked && allowed && rule != CEMV_RULE_OFF),
                             "mag-stripe mode is asked for", (unsigned)(profile << 8 | rule << 4 | set << 1 | own));
                    property(set == 2 || (k2_configuration_of(&kernel) & 0x7F) == 0x30, "nothing else changes", set);
                }
}

/* Profile and locator come once: what the FCI brought is not said again by position. */
static void properties_of_options(void)
{
    static const uint8_t body[] = { 0x80, 6, 0x19, 0x80, 0x08, 0x01, 0x01, 0x00 };
    for (unsigned i = 0; i < 4; i++) {
        fresh(CEMV_PROFILE_BOOK);
        kernel.store.reading = CEMV_READING_IDENTICAL_DUPLICATES;
        if (i & 1) property(cemv_store_put(&kernel.store, CEMV_SLOT_82, of(body + 2, 2), CEMV_FROM_CARD), "room", i);
        if (i & 2) property(cemv_store_put(&kernel.store, CEMV_SLOT_94, of(body + 4, 4), CEMV_FROM_CARD), "room", i);
        property(k2_store_gpo(&kernel, of(body, sizeof body)) == (i ? CEMV_STORE_DUPLICATE : CEMV_STORE_OK),
                 "profile and locator come once", i);
    }
}

/* Nothing but filler stands behind format 1: another object makes it malformed, as half of one does. */
static void format_1_stands_alone(void)
{
    static const struct {
        uint8_t tail[4], size;
        bool alone;
    } all[] = { { { 0 }, 0, true }, { { 0, 0 }, 2, true }, { { 0x5A, 1, 2 }, 3, false }, { { 0x5A, 4, 1 }, 3, false } };
    static const uint8_t body[] = { 0x80, 6, 0x19, 0x80, 0x08, 0x01, 0x01, 0x00 };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        uint8_t answer[sizeof body + sizeof all[0].tail];
        fresh(CEMV_PROFILE_BOOK);
        memcpy(answer, body, sizeof body);
        memcpy(answer + sizeof body, all[i].tail, all[i].size);
        property(k2_store_gpo(&kernel, of(answer, sizeof body + all[i].size)) ==
                     (all[i].alone ? CEMV_STORE_OK : CEMV_STORE_MALFORMED),
                 "what stands behind format 1", i);
    }
}

/* 1.3: an application file locator has a multiple of 4 bytes, or the answer to GPO is malformed (L2 04). */
static void a_locator_has_whole_entries(void)
{
    for (uint8_t size = 4; size < 40; size++)
        for (unsigned format = 1; format <= 2; format++) {
            uint8_t body[64] = { 0 };
            if (format == 1) {
                body[0] = 0x80;
                body[1] = (uint8_t)(size + 2);
            } else {
                memcpy(body, "\x77\0\x82\2\x19\x80\x94", 7);
                body[1] = (uint8_t)(size + 6);
                body[7] = size;
            }
            fresh(CEMV_PROFILE_BOOK);
            kernel.store.reading = CEMV_READING_IDENTICAL_DUPLICATES;
            property((k2_store_gpo(&kernel, of(body, body[1] + 2u)) == CEMV_STORE_OK) == (size % 4 == 0),
                     "a locator has whole entries", (unsigned)size << 2 | format);
        }
}

static bool names_status(void)
{
    return kernel.out.outcome.error_indication[3] != 0 || kernel.out.outcome.error_indication[4] != 0;
}

/* S4.36-38: reading ends early unless DF811B bit 3 asks for all records, or CDA needs them. */
static void reading_ends_early_unless_told_otherwise(void)
{
    static const uint16_t enough[] = {
        CEMV_SLOT_5F24, CEMV_SLOT_5A,   CEMV_SLOT_5F34, CEMV_SLOT_9F07, K2_SLOT_8E,   CEMV_SLOT_9F0D,
        CEMV_SLOT_9F0E, CEMV_SLOT_9F0F, CEMV_SLOT_5F28, CEMV_SLOT_57,   CEMV_SLOT_8C,
    };
    for (unsigned configuration = 0; configuration < 512; configuration++) {
        const uint8_t byte = (uint8_t)configuration;
        bool repeated;
        fresh(CEMV_PROFILE_BOOK);
        for (size_t i = 0; i < sizeof enough / sizeof enough[0]; i++) put(enough[i], "\1", 1);
        put(K2_SLOT_DF811B, &byte, 1);
        put(CEMV_SLOT_94, "\x10\1\2\0", 4);
        property(cemv_afl_open(&kernel.afl, &kernel.store, 16, &repeated), "two records", configuration);
        k2_memory_of(&kernel)->cda = configuration > 255;
        k2_stop_reading_early(&kernel);
        property((kernel.afl.at == kernel.afl.end) == ((byte & 0x04) == 0 && configuration < 256),
                 "DF811B bit 3: all records are read", configuration);
    }
}

/* [S4.34-35, S456.28]: 2048 bytes of static data with the AIP: of a record up to SFI 10 its value counts, of a record
 * above it all. */
static void static_data_are_counted_as_they_are_hashed(void)
{
    static const uint16_t needed[] = { CEMV_SLOT_90, CEMV_SLOT_9F32, CEMV_SLOT_9F46, CEMV_SLOT_9F47 };
    static struct cemv_ca_key key = { .index = 1 };
    static const uint8_t name[5];
    struct k2_memory *const memory = k2_memory_of(&kernel);
    for (uint8_t sfi = 10; sfi <= 11; sfi++)
        for (size_t last = 30; last < 60; last++) {
            uint8_t record[255] = { 0x70, 0x81 };
            fresh(CEMV_PROFILE_BOOK);
            for (size_t i = 0; i < 4; i++) put(needed[i], "\3", 1);
            put(CEMV_SLOT_8F, "\1", 1);
            put(CEMV_SLOT_9F4A, "\x82", 1);
            checked.configuration.ca_keys = &key;
            checked.configuration.ca_key_count = 1;
            combination.aid = of(name, 5);
            memory->cda = true, memory->record = (struct cemv_record_id){ .sfi = sfi, .number = 1, .is_signed = true };
            /* Nothing but filler: ten records of 200 bytes, and one that brings them to the edge. */
            record[2] = 200;
            for (unsigned i = 0; i < 10; i++)
                property(k2_store_record(&kernel, of(record, 203)) == CEMV_STORE_OK, "a record of filler", i);
            record[1] = (uint8_t)last;
            property(k2_store_record(&kernel, of(record, 2 + last)) == CEMV_STORE_OK, "a short record of filler",
                     (unsigned)last);
            const size_t hashed = sfi <= 10 ? 2000 + last + 2 : 2030 + 2 + last + 2;
            property(k2_prepare_cda(&kernel) &&
                         ((memory->tvr & CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED)) != 0) == (hashed > 2048),
                     "static data up to 2048 bytes", (unsigned)(sfi << 8 | last));
        }
}

/* SECURITY.md, A03: another brand's account under Mastercard's name ends, but in `book`. */
static void another_brand_is_refused(void)
{
    static const uint8_t name[] = { 0xA0, 0, 0, 0, 4, 0x10, 0x10 };
    for (uint8_t profile = 0; profile < 3; profile++)
        for (unsigned other = 0; other < 2; other++) {
            fresh(profile);
            memcpy(kernel.df_name, name, sizeof name);
            kernel.df_name_size = sizeof name;
            put(CEMV_SLOT_5A, other ? "\x41\x11\x11\x11\x11\x11\x11\x11" : "\x55\x55\x55\x55\x55\x55\x44\x44", 8);
            property(k2_account_refused(&kernel) == (other && profile != CEMV_PROFILE_BOOK), "another brand is refused",
                     (unsigned)(profile << 1 | other));
            property((kernel.findings >> CEMV_FINDING_BRAND_MISMATCH & 1) == other, "and reported",
                     (unsigned)(profile << 1 | other));
        }
}

static enum cemv_step told(uint8_t waits, uint8_t kind);

/* Book 2, 11.2.4; SECURITY.md, A15: a CA key past its last day counts as absent when CDA is chosen, so that no
 * signature is asked for with it; in `book` its expiry is only reported. */
static void an_expired_ca_key_counts_as_absent(void)
{
    static const uint16_t needed[] = { CEMV_SLOT_90, CEMV_SLOT_9F32, CEMV_SLOT_9F46, CEMV_SLOT_9F47 };
    static const uint8_t name[5];
    for (uint8_t profile = 0; profile < 3; profile++)
        for (unsigned expired = 0; expired < 2; expired++) {
            static struct cemv_ca_key key = { .index = 1 };
            struct k2_memory *const memory = k2_memory_of(&kernel);
            const bool absent = expired && profile != CEMV_PROFILE_BOOK;
            fresh(profile);
            memcpy(key.expires, expired ? "\x26\x11\x20" : "\x26\x11\x21", 3);
            for (size_t i = 0; i < 4; i++) put(needed[i], "\3", 1);
            put(CEMV_SLOT_8F, "\1", 1);
            put(CEMV_SLOT_9F4A, "\x82", 1);
            put(CEMV_SLOT_8C, "\x9F\x37\4", 3);
            checked.configuration.ca_keys = &key;
            checked.configuration.ca_key_count = 1;
            combination.aid = of(name, 5);
            memory->cda = true, memory->ac_type = K2_ARQC;
            property(k2_prepare_cda(&kernel) && ((memory->tvr & CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED)) != 0) == absent,
                     "an expired key counts as absent", (unsigned)(profile << 1 | expired));
            property((kernel.findings >> CEMV_FINDING_CA_KEY_EXPIRED & 1) == expired, "and is reported",
                     (unsigned)(profile << 1 | expired));
            property(told(K2_S12_WAIT_PUT_DATA, CEMV_REPLY_RESPONSE) == CEMV_STEP_SEND &&
                         kernel.out.command[2] == (absent ? 0x80 : 0x90),
                     "no signature is asked for with it", (unsigned)(profile << 1 | expired));
        }
}

/* Data for CDOL and DSDOL go in one command, 255 bytes of them at most. */
static void properties_of_long_commands(void)
{
    struct k2_memory *const memory = k2_memory_of(&kernel);
    for (uint8_t size = 40; size < 90; size++) {
        const uint8_t cdol[] = { 0x9F, 0x02, 200, 0x9F, 0x37, 4 }, dsdol[] = { 0xDF, 0x60, size, 0xDF, 0x62, 1 };
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = of("\x90\x00", 2) };
        fresh(CEMV_PROFILE_BOOK);
        put(CEMV_SLOT_8C, cdol, sizeof cdol);
        put(K2_SLOT_9F5B, dsdol, sizeof dsdol);
        put(K2_SLOT_DF62, "\1", 1);
        put(K2_SLOT_DF8108, "\0", 1);
        put(K2_SLOT_DF810A, "\x20", 1);
        memory->ids = K2_IDS_READ, memory->cda = true, memory->mode = K2_MODE_EMV;
        kernel.out.state = K2_S12_WAIT_PUT_DATA;
        kernel.out.step = CEMV_STEP_SEND;
        const enum cemv_step step = cemv_kernel_2.reply(&kernel, &reply);
        const size_t whole = 204u + size + 1;
        property((step == CEMV_STEP_SEND) == (whole <= 255), "data for storage fit into the command", size);
        if (step == CEMV_STEP_SEND)
            property(kernel.out.command_size == whole + 6 && kernel.out.command[4] == whole &&
                         (memory->ids & K2_IDS_WRITE) != 0,
                     "they stand behind those for the CDOL", size);
        else
            property(step == CEMV_STEP_DONE && kernel.out.outcome.error_indication[1] == CEMV_L2_CARD_DATA_ERROR &&
                         memory->ids == K2_IDS_READ && !names_status(),
                     "what does not fit is the card's error", size);
    }
}

static enum cemv_step told(uint8_t waits, uint8_t kind)
{
    const struct cemv_reply reply = { .kind = kind, .bytes = of("\x90\x00", 2) };
    kernel.out.state = waits;
    kernel.out.step = CEMV_STEP_SEND;
    return cemv_kernel_2.reply(&kernel, &reply);
}

/* The session lets no answer of a card through to a state that asked it nothing. Were one to come there all the same,
 * the tap ends. */
static void properties_of_unasked_answers(void)
{
    static const uint8_t unasked[] = { K2_WAIT_RANDOM,       K2_S910_WAIT_CARD_READ, K2_WAIT_BACK_OFF,
                                       K2_S2_WAIT_PDOL_DATA, K2_S6_WAIT_FIRST_WRITE, K2_S8_WAIT_FIRST_WRITE };
    static const struct {
        uint8_t kind, l1;
    } replies[] = {
        { CEMV_REPLY_RESPONSE, CEMV_L1_PROTOCOL },         { CEMV_REPLY_PROTOCOL, CEMV_L1_PROTOCOL },
        { CEMV_REPLY_TRANSMISSION, CEMV_L1_TRANSMISSION }, { CEMV_REPLY_TIMEOUT, CEMV_L1_TIMEOUT },
        { CEMV_REPLY_REMOVED, CEMV_L1_TIMEOUT },
    };
    for (size_t i = 0; i < sizeof unasked; i++)
        for (size_t j = 0; j < sizeof replies / sizeof replies[0]; j++) {
            fresh(CEMV_PROFILE_BOOK);
            const enum cemv_step step = told(unasked[i], replies[j].kind);
            const struct cemv_outcome *const outcome = &kernel.out.outcome;
            property(step == CEMV_STEP_DONE && kernel.out.finished && outcome->status == CEMV_OUTCOME_END_APPLICATION &&
                         outcome->reason == CEMV_REASON_LINK && outcome->start == CEMV_START_B,
                     "an answer to nothing ends the tap", unasked[i]);
            property(outcome->error_indication[0] == replies[j].l1 && outcome->error_indication[1] == 0 &&
                         kernel.out.record_size == 0,
                     "and is the link's error", replies[j].kind);
        }
}

/* C-8, KS.2 and digest 1.7: the outcome parameters are initialised once. An end sets status, start and messages; the
 * CVM, the receipt and the field-off time that earlier steps have set stay. */
static void ends_keep_the_outcome_parameters(void)
{
    static const struct {
        uint8_t state, kind, status, start;
    } ends[] = {
        { K2_S9_WAIT_AC, CEMV_REPLY_TIMEOUT, CEMV_OUTCOME_END_APPLICATION, CEMV_START_B },
        { K2_S9_WAIT_AC, CEMV_REPLY_RESPONSE, CEMV_OUTCOME_END_APPLICATION, CEMV_START_NA },
        { K2_S10_WAIT_RECOVERY, CEMV_REPLY_TRANSMISSION, CEMV_OUTCOME_END_APPLICATION, CEMV_START_B },
        { K2_S10_WAIT_RECOVERY, CEMV_REPLY_RESPONSE, CEMV_OUTCOME_END_APPLICATION, CEMV_START_NA },
        { K2_S11_WAIT_AC, CEMV_REPLY_RESPONSE, CEMV_OUTCOME_END_APPLICATION, CEMV_START_NA },
        { K2_S12_WAIT_PUT_DATA, CEMV_REPLY_TIMEOUT, CEMV_OUTCOME_END_APPLICATION, CEMV_START_B },
        { K2_S12_WAIT_PUT_DATA, CEMV_REPLY_STOP, CEMV_OUTCOME_END_APPLICATION, CEMV_START_NA },
        { K2_S13_WAIT_CHECKSUM, CEMV_REPLY_TIMEOUT, CEMV_OUTCOME_END_APPLICATION, CEMV_START_B },
        { K2_S14_WAIT_CHECKSUM, CEMV_REPLY_TIMEOUT, CEMV_OUTCOME_END_APPLICATION, CEMV_START_B },
        { K2_S14_WAIT_CHECKSUM, CEMV_REPLY_RESPONSE, CEMV_OUTCOME_END_APPLICATION, CEMV_START_NA },
        { K2_S15_WAIT_PUT_DATA, CEMV_REPLY_TIMEOUT, CEMV_OUTCOME_END_APPLICATION, CEMV_START_B },
        { K2_S910_WAIT_CARD_READ, CEMV_REPLY_CONTINUE, CEMV_OUTCOME_END_APPLICATION, CEMV_START_NA },
    };
    static const uint8_t methods[] = { CEMV_CVM_NONE, CEMV_CVM_SIGNATURE, CEMV_CVM_ONLINE_PIN, CEMV_CVM_CDCVM };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        for (unsigned set = 0; set < 8; set++) {
            const struct cemv_outcome *const outcome = &kernel.out.outcome;
            const unsigned place = (unsigned)i << 4 | set;
            static const uint8_t name[5];
            fresh(CEMV_PROFILE_BOOK);
            combination.aid = of(name, 5);
            kernel.out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
            kernel.out.outcome.cvm = methods[set / 2];
            kernel.out.outcome.receipt = set % 2 != 0;
            kernel.out.outcome.field_off_100ms = 13;
            put(CEMV_SLOT_9F36, "\0\1", 2);
            put(CEMV_SLOT_9F27, "\x80", 1);
            if (ends[i].state == K2_S15_WAIT_PUT_DATA) put(K2_SLOT_DF4B, "\0\2\0", 3);
            kernel.out.state = ends[i].state;
            enum cemv_step step = ends[i].kind == CEMV_REPLY_STOP ? cemv_kernel_2.stop(&kernel)
                                                                  : told(ends[i].state, ends[i].kind);
            if (kernel.out.state == K2_WAIT_BACK_OFF) step = told(K2_WAIT_BACK_OFF, CEMV_REPLY_DEADLINE);
            property(step == CEMV_STEP_DONE && outcome->status == ends[i].status && outcome->start == ends[i].start,
                     "the transaction ends", place);
            property(outcome->cvm == methods[set / 2], "an end keeps the cardholder verification method", place);
            property(outcome->receipt == (set % 2 != 0) && outcome->field_off_100ms == 13,
                     "an end keeps receipt and field-off time", place);
        }
}

/* A CVM List of an odd length is wrong where it is read (Book 3, 7.5). */
static void properties_of_odd_lists(void)
{
    for (unsigned i = 0; i < 8; i++) {
        const bool verifies = i & 1, odd = i & 2, on_device = i & 4;
        const uint8_t profile[2] = { (uint8_t)((verifies ? 0x10 : 0) | (on_device ? 0x02 : 0)), 0x80 },
                      list[13] = { 0, 0, 0, 0, 0, 0, 0, 0, 0x1F, 3, 0x1F, 0 };
        fresh(CEMV_PROFILE_BOOK);
        put(CEMV_SLOT_82, profile, 2);
        put(K2_SLOT_8E, list, odd ? 13 : 12);
        put(K2_SLOT_DF811B, "\x20", 1);
        const enum cemv_step step = told(K2_S16_WAIT_BALANCE, CEMV_REPLY_RESPONSE);
        property((step == CEMV_STEP_DONE) == (verifies && odd && !on_device), "a CVM List of an odd length", i);
        if (step == CEMV_STEP_DONE)
            property(kernel.out.outcome.error_indication[1] == CEMV_L2_CARD_DATA_ERROR, "is the card's error", i);
    }
}

/* S4.28: what the list for storage asks for is missed once, with the record that brings the list. */
static void properties_of_records(void)
{
    static const uint8_t with_list[] = { 0x70, 6, 0x9F, 0x5B, 3, 0xDF, 0x60, 8, 0x90, 0x00 },
                         without[] = { 0x70, 5, 0x5F, 0x28, 2, 0x00, 0x56, 0x90, 0x00 };
    for (unsigned i = 0; i < 8; i++) {
        const bool brings = i & 1, had = i & 2, reads = i & 4;
        const uint8_t *const record = brings ? with_list : without;
        struct k2_memory *const memory = k2_memory_of(&kernel);
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE,
                                          .bytes = of(record, brings ? sizeof with_list : sizeof without) };
        fresh(CEMV_PROFILE_BOOK);
        bool repeated;
        put(CEMV_SLOT_94, "\x10\1\2\0", 4);
        property(cemv_afl_open(&kernel.afl, &kernel.store, 16, &repeated), "two records", i);
        k2_mark_empty(&kernel, K2_SLOT_DF60);
        if (had) put(K2_SLOT_9F5B, "\xDF\x60\x08", 3);
        memory->ids = reads ? K2_IDS_READ : 0;
        memory->mode = K2_MODE_EMV;
        memory->record = (struct cemv_record_id){ .sfi = 2, .number = 1 };
        kernel.out.state = K2_S4_WAIT_RECORD;
        kernel.out.step = CEMV_STEP_SEND;
        property(cemv_kernel_2.reply(&kernel, &reply) == CEMV_STEP_SEND, "reading goes on", i);
        bool misses = false;
        for (size_t j = 0; j < memory->needed.count; j++) misses |= memory->needed.slot[j] == K2_SLOT_DF60;
        property(misses == (brings && !had && reads), "data for storage are missed once", i);
    }
}

/* GAC.5, GAC.10: the terminal requests storage that the card does not support. */
static void properties_of_wishes(void)
{
    static const struct {
        uint8_t type, use;
        bool answers;
        uint8_t l2;
    } requests[] = {
        { 0x40, 0x04, true, CEMV_L2_IDS_NO_MATCHING_AC },
        { 0x40, 0x04, false, CEMV_L2_IDS_DATA_ERROR },
        { 0x40, 0x00, true, 0 },
        { 0x40, 0x24, true, 0 },
        { 0x00, 0x04, true, 0 },
    };
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        struct k2_memory *const memory = k2_memory_of(&kernel);
        fresh(CEMV_PROFILE_BOOK);
        put(CEMV_SLOT_8C, "\x9F\x37\4", 3);
        put(K2_SLOT_9F5B, "\xDF\x60\1", 3);
        put(K2_SLOT_DF62, "\1", 1);
        put(K2_SLOT_DF8108, &requests[i].type, 1);
        if (requests[i].answers) put(K2_SLOT_DF810A, &requests[i].use, 1);
        memory->ids = K2_IDS_READ, memory->cda = true, memory->mode = K2_MODE_EMV;
        const enum cemv_step step = told(K2_S12_WAIT_PUT_DATA, CEMV_REPLY_RESPONSE);
        property((step == CEMV_STEP_DONE) == (requests[i].l2 != 0) &&
                     (step != CEMV_STEP_DONE || kernel.out.outcome.error_indication[1] == requests[i].l2),
                 "a request for storage", (unsigned)i);
        if (step == CEMV_STEP_DONE) property(!names_status(), "is no answer of the card's", (unsigned)i);
    }
}

/* ---- the torn log ---- */

/* RECOVER AC is for a torn record that says what to ask, that is young, and of the same sale outside profile `book`
 * (SECURITY.md, A20). */
static void properties_of_recovery(void)
{
    static const uint8_t record[] = { 0x9F, 0x02, 6,    0,    0,    0,    0,    0,    1,    0x9A, 3,    0x26,
                                      0x11, 0x21, 0x9F, 0x21, 3,    0x12, 0x30, 0x10, 0x5A, 2,    0x12, 0x3F,
                                      0xDF, 0x81, 0x28, 1,    0x00, 0xDF, 0x81, 0x13, 1,    0x77 };
    for (unsigned i = 0; i < 16; i++) {
        const bool says = i & 1, young = i & 2, same = i & 4, book = i & 8;
        fresh(book ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED);
        put(K2_SLOT_9F51, "\x9F\x37\4", 3);
        put(K2_SLOT_DF811D, "\2", 1);
        put(CEMV_SLOT_5A, "\x12\x3F", 2);
        put(CEMV_SLOT_9F02, same ? "\0\0\0\0\0\1" : "\0\0\0\0\0\2", 6);
        reader.torn_count = 1;
        reader.torn[0].size = (uint16_t)(says ? sizeof record : sizeof record - 5);
        memcpy(reader.torn[0].bytes, record, sizeof record);
        if (!young) reader.torn[0].bytes[17] = 0x11;
        property(told(K2_S12_WAIT_PUT_DATA, CEMV_REPLY_RESPONSE) == CEMV_STEP_SEND, "a cryptogram is asked for", i);
        property((kernel.out.command[1] == 0xD0) == (says && young && (same || book)), "what is recovered", i);
        property(kernel.out.command[1] == 0xD0 ? kernel.out.command[4] == 1 && kernel.out.command[5] == 0x77
                                               : kernel.out.command[1] == 0xAE,
                 "else it is generated", i);
    }
    /* Torn again: the record is replaced, but for one whose write may have happened. */
    for (unsigned write = 0; write < 2; write++) {
        fresh(CEMV_PROFILE_BOOK);
        put(K2_SLOT_9F51, "\x9F\x37\4", 3);
        put(K2_SLOT_DF811D, "\3", 1);
        put(CEMV_SLOT_5A, "\x12\x3F", 2);
        reader.torn_count = 1;
        reader.torn[0].size = sizeof record;
        memcpy(reader.torn[0].bytes, record, sizeof record);
        reader.torn[0].bytes[28] = write ? 0x40 : 0;
        property(told(K2_S11_WAIT_AC, CEMV_REPLY_TIMEOUT) == CEMV_STEP_DONE && kernel.out.outcome.start == CEMV_START_B,
                 "the card is asked for again", write);
        property(reader.torn_count == 1 + write, "a record whose write may have happened stays", write);
    }
}

static void properties_of_the_log(void)
{
    static const uint8_t record[] = { 0x9A, 3, 0x26, 0x11, 0x21, 0x9F, 0x21, 3, 0x12, 0x30, 0x10, 0x5A, 1, 0x5F };
    const struct cemv_torn_now now = { { 0x26, 0x11, 0x21 }, { 0x12, 0x30, 0x15 } },
                               no_day = { { 0x26, 0x13, 0x21 }, { 0x12, 0x30, 0x15 } },
                               no_time = { { 0x26, 0x11, 0x21 }, { 0x1A, 0x30, 0x15 } };
    property(cemv_torn_age(of(record, sizeof record), &now) == 5, "seconds of a record", 5);
    property(cemv_torn_age(of(record, sizeof record), &no_day) == UINT32_MAX &&
                 cemv_torn_age(of(record, sizeof record), &no_time) == UINT32_MAX,
             "a clock that cannot be read", 0);
    fresh(CEMV_PROFILE_BOOK);
    reader.torn_count = CEMV_TORN_RECORDS;
    for (uint8_t i = 0; i < CEMV_TORN_RECORDS; i++) {
        reader.torn[i].size = sizeof record;
        memcpy(reader.torn[i].bytes, record, sizeof record);
        reader.torn[i].bytes[13] = (uint8_t)(0x1F + 16 * i);
    }
    k2_torn_clean(&kernel);
    property(reader.torn_count == CEMV_TORN_RECORDS && k2_memory_of(&kernel)->evicted_count == 0,
             "a full log of young records stays", reader.torn_count);
    property(k2_torn_lookup(&reader, of("\x2F", 1), of(NULL, 0)) == 1, "an account of one digit", 1);
    property(k2_torn_lookup(&reader, of("\x2F", 1), of("\1", 1)) == reader.torn_count, "another sequence number", 1);
    cemv_torn_remove(&reader, CEMV_TORN_RECORDS);
    property(reader.torn_count == CEMV_TORN_RECORDS, "no record, none removed", 0);
    cemv_torn_remove(&reader, 1);
    bool order = reader.torn_count == CEMV_TORN_RECORDS - 1 && reader.torn[CEMV_TORN_RECORDS - 1].size == 0;
    for (uint8_t i = 0; i < CEMV_TORN_RECORDS - 1; i++)
        order &= reader.torn[i].bytes[13] == 0x1F + 16 * (i < 1 ? i : i + 1);
    property(order, "the others move up", 1);
    /* A record without an account is nobody's, not even of a card without one. */
    reader.torn[0].size = 11;
    reader.torn_count = 1;
    property(k2_torn_lookup(&reader, of(NULL, 0), of(NULL, 0)) == 1, "a record without an account", 0);
}

/* S1.4-6: a record that is too old leaves the log with the outcome that reports it. Select Next, Try Again and a
 * restart at Start B are carried on by the session: their discretionary data reach nobody. */
static void aged_records_are_reported(void)
{
    static const uint8_t record[] = { 0x9A, 3,    0x26, 0x11, 0x20, 0x9F, 0x21, 3,
                                      0x12, 0x30, 0x10, 0xDF, 0x81, 0x28, 1,    0x40 };
    static const struct {
        uint8_t state, kind;
        const char *response;
        size_t size;
        bool leaves;
    } ends[] = {
        { K2_S3_WAIT_GPO, CEMV_REPLY_RESPONSE, "\x69\x85", 2, false },
        { K2_S3_WAIT_GPO, CEMV_REPLY_TIMEOUT, "", 0, false },
        { K2_S4_WAIT_RECORD, CEMV_REPLY_TIMEOUT, "", 0, false },
        { K2_S4_WAIT_RECORD, CEMV_REPLY_RESPONSE, "\x69\x85", 2, true },
        { K2_S3_WAIT_GPO, CEMV_REPLY_RESPONSE, "\x77\0\x90\0", 4, true },
    };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const struct cemv_reply reply = { .kind = ends[i].kind, .bytes = of(ends[i].response, ends[i].size) };
        fresh(CEMV_PROFILE_BOOK);
        kernel.out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
        reader.torn_count = 1;
        reader.torn[0].size = sizeof record;
        memcpy(reader.torn[0].bytes, record, sizeof record);
        kernel.out.state = ends[i].state;
        kernel.out.step = CEMV_STEP_SEND;
        k2_memory_of(&kernel)->mode = K2_MODE_EMV;
        property(cemv_kernel_2.reply(&kernel, &reply) == CEMV_STEP_DONE, "an end", (unsigned)i);
        struct cemv_tlv_cursor all =
            cemv_tlv_open(of(kernel.out.records + kernel.out.record_size, kernel.out.discretionary_size));
        struct cemv_tlv object;
        bool told_of = false;
        while (cemv_list_next(&all, &object))
            told_of |= object.tag == CEMV_TAG_FF8101_TORN_RECORD && object.value.size == sizeof record &&
                       memcmp(object.value.data, record, sizeof record) == 0;
        property(reader.torn_count == !ends[i].leaves && told_of == ends[i].leaves,
                 "an aged record leaves the log with an outcome that reports it", (unsigned)i);
    }
}

/* 1.5, S1.9: the RRP counter is in every torn record, zero where relay resistance was not performed. */
static void torn_records_hold_the_counter_of_attempts(void)
{
    for (unsigned performed = 0; performed < 2; performed++) {
        struct k2_memory *const memory = k2_memory_of(&kernel);
        cemv_bytes counter, measured;
        fresh(CEMV_PROFILE_BOOK);
        memory->tvr = CEMV_TVR(5, performed ? CEMV_TVR_5_RELAY_PERFORMED : CEMV_TVR_5_RELAY_NOT_PERFORMED),
        memory->retries = performed ? 2 : 0;
        k2_torn_store(&kernel, 1);
        const cemv_bytes record = of(reader.torn[0].bytes, reader.torn[0].size);
        property(cemv_torn_find(record, CEMV_TAG_DF8307_RRP_COUNTER, &counter) && counter.size == 1 &&
                     counter.data[0] == 2 * performed,
                 "RRP counter of a torn record", performed);
        property(cemv_torn_find(record, CEMV_TAG_DF8306_MEASURED_RELAY_RESISTANCE_TIME, &measured) == (performed == 1),
                 "a measured time only where it was measured", performed);
    }
}

/* Nothing is left of the store's bytes. */
static void fill(void)
{
    static const uint8_t filler[CEMV_STORE_ARENA];
    uint16_t offset;
    property(cemv_store_keep(&kernel.store, of(filler, (size_t)CEMV_STORE_ARENA - kernel.store.used), &offset) &&
                 kernel.store.used == CEMV_STORE_ARENA,
             "a full store", kernel.store.used);
}

/* Where the store is full, what no longer fits is missed and nothing else. */
static void properties_of_full_places(void)
{
    static const uint8_t record[] = { 0x9F, 0x02, 6,    0,    0,    0,    0,    0, 1,   0x9A, 3,
                                      0x20, 0x01, 0x01, 0x9F, 0x21, 3,    0,    0, 0,   0xDF, 0x81,
                                      0x11, 2,    0x83, 0,    0xDF, 0x81, 0x14, 1, 0x40 };
    static const uint8_t format_1[] = { 0x80, 11, 0x40, 0, 0x12, 1, 2, 3, 4, 5, 6, 7, 8 }, dsdol[] = { 0xDF, 0x61, 8 };
    struct k2_memory *const memory = k2_memory_of(&kernel);
    uint8_t out[16];
    size_t size = 0;
    fresh(CEMV_PROFILE_BOOK);
    fill();
    reader.torn_count = 1;
    reader.torn[0].size = sizeof record;
    memcpy(reader.torn[0].bytes, record, sizeof record);
    k2_torn_take(&kernel, true);
    property(memory->store_full && memory->control == 0x40 && memory->pdol.size == 0 && reader.torn_count == 0,
             "a record is put back as far as there is room", 0);
    fresh(CEMV_PROFILE_BOOK);
    fill();
    reader.torn_count = 1;
    reader.torn[0].size = sizeof record;
    memcpy(reader.torn[0].bytes, record, sizeof record);
    k2_torn_clean(&kernel);
    property(reader.torn_count == 0 && memory->evicted_count == 0, "an old record goes where nobody can be told", 0);
    fresh(CEMV_PROFILE_BOOK);
    fill();
    property(k2_store_ac(&kernel, K2_S9_WAIT_AC, of(format_1, sizeof format_1)) == CEMV_STORE_FULL,
             "a cryptogram that does not fit", 0);
    static const uint8_t tail[] = { 0x80, 11, 0x40, 0, 0x12, 1, 2, 3, 4, 5, 6, 7, 8, 0x5A, 0 };
    fresh(CEMV_PROFILE_BOOK);
    property(k2_store_ac(&kernel, K2_S9_WAIT_AC, of(tail, sizeof tail)) == CEMV_STORE_MALFORMED,
             "a cryptogram in format 1 stands alone", 0);
    fresh(CEMV_PROFILE_BOOK);
    put(K2_SLOT_9F5B, dsdol, sizeof dsdol);
    put(K2_SLOT_DF8109, "\1\2\3\4\5\6\7\x08", 8);
    put(K2_SLOT_9F5E, "\x54\x13\x33\0\x89\2\0\x11", 8);
    put(K2_SLOT_9F5C, "\1\1\1\1\1\1\1\1", 8);
    put(K2_SLOT_9F5D, "\1\0\0", 3);
    fill();
    (void)k2_build_storage_data(&kernel, out, sizeof out, &size);
    property(memory->store_full && !cemv_store_has(&kernel.store, K2_SLOT_DF61), "a digest that does not fit", 0);
    /* Records in more runs than are counted cannot be hashed. */
    for (unsigned overflowed = 0; overflowed < 2; overflowed++) {
        fresh(CEMV_PROFILE_BOOK);
        static const uint16_t needed[] = { CEMV_SLOT_90, CEMV_SLOT_9F32, CEMV_SLOT_9F46, CEMV_SLOT_9F47 };
        static struct cemv_ca_key key = { .index = 1 };
        static const uint8_t name[5];
        for (size_t i = 0; i < 4; i++) put(needed[i], "\3", 1);
        put(CEMV_SLOT_8F, "\1", 1);
        put(CEMV_SLOT_9F4A, "\x82", 1);
        checked.configuration.ca_keys = &key;
        checked.configuration.ca_key_count = 1;
        combination.aid = of(name, 5);
        kernel.store.spans_overflowed = overflowed, memory->cda = true;
        property(k2_prepare_cda(&kernel) && (memory->tvr == CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED)) == overflowed &&
                     (memory->tvr == 0) != overflowed,
                 "runs that were not counted", overflowed);
    }
}

/* ---- data exchange ---- */

static void properties_of_tag_lists(void)
{
    struct k2_memory *const memory = k2_memory_of(&kernel);
    uint8_t tags[2 * K2_TAGS_TO_READ_MAX],
        object[2 * K2_TAGS_TO_READ_MAX + 8] = { 0xDF, 0x81, 0x12, 2 * K2_TAGS_TO_READ_MAX };
    for (unsigned i = 0; i < K2_TAGS_TO_READ_MAX; i++) {
        tags[2 * i] = 0x9F;
        tags[2 * i + 1] = (uint8_t)(i < 10 ? 0x70 + i : i);
    }
    memcpy(object + 4, tags, sizeof tags);
    for (unsigned wanted = 0; wanted < 10; wanted++) {
        fresh(CEMV_PROFILE_BOOK);
        k2_update(&kernel, of(object, 4 + sizeof tags));
        const unsigned count = memory->to_read.count;
        uint16_t slot = 0;
        for (unsigned i = 0; i <= wanted; i++)
            property(k2_take_card_tag(&kernel, &slot) && slot == cemv_slot_of(tags_of(2), 0x9F70u + i),
                     "tags are read in their order", i);
        property(memory->to_read.count == count - wanted - 1, "a list gets shorter by one", wanted);
        for (unsigned i = 0; i + wanted + 1 < count && i + wanted + 1 < 10; i++)
            property(memory->to_read.slot[i] == cemv_slot_of(tags_of(2), 0x9F70u + wanted + 1 + i),
                     "the others keep their order", i);
    }
    fresh(CEMV_PROFILE_BOOK);
    for (uint16_t slot = 0; slot < K2_TAGS_TO_READ_MAX; slot++) memory->to_read.slot[memory->to_read.count++] = slot;
    memory->to_read.slot[3] = cemv_slot_of(tags_of(2), 0x9F71);
    uint16_t taken = 0;
    property(memory->to_read.count == K2_TAGS_TO_READ_MAX && k2_take_card_tag(&kernel, &taken) &&
                 taken == cemv_slot_of(tags_of(2), 0x9F71),
             "one of a full list", taken);
    for (unsigned i = 0; i + 1 < K2_TAGS_TO_READ_MAX; i++)
        property(memory->to_read.slot[i] == (i < 3 ? i : i + 1), "a full list closes its gap", i);
}

/* Objects that data exchange may write (digest 1.3, "D"; C-8 A.1: Update DET): those of the transaction, of data
 * storage, and the lists. */
static bool is_for_data_exchange(uint32_t tag)
{
    static const uint32_t tags[] = {
        0x5F2A,   0x5F36,   0x5F57,   0x9A,     0x9C,     0x9F02,   0x9F03,   0x9F21,
        0x9F53,   0x9F5C,   0x9F7C,   0xDF60,   0xDF62,   0xDF63,   0xDF8104, 0xDF8105,
        0xDF8108, 0xDF8109, 0xDF810A, 0xDF8110, 0xDF8112, 0xFF8102, 0xFF8103,
    };
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (tags[i] == tag) return true;
    return tag >= 0x9F70 && tag <= 0x9F79;
}

/* A terminal's object has the size and the format of the dictionary, or it is ignored; lists of writes may be long. */
static void properties_of_sizes(void)
{
    static const uint8_t no_amount[] = { 0x9F, 0x02, 6, 0, 0, 0, 0, 0x1A, 0x50 };
    fresh(CEMV_PROFILE_BOOK);
    k2_update(&kernel, of(no_amount, sizeof no_amount));
    property(k2_value(&kernel, CEMV_SLOT_9F02).size == 0, "an amount that is not BCD is ignored", 0);
    for (uint16_t slot = 0; slot < K2_SLOT_END; slot++) {
        const struct cemv_tag_row info = *k2_tag_row(slot);
        if (cemv_tag_is_constructed(info.tag) || slot == K2_SLOT_DF8112) continue;
        for (unsigned edge = 0; edge < 4; edge++) {
            const size_t size = edge == 0 ? info.min - 1u : edge == 1 ? info.min : edge == 2 ? info.max : info.max + 1u;
            uint8_t object[320];
            if (size == 0 || size > 300) continue;
            size_t head = cemv_tag_write(object, info.tag);
            if (size > 255) {
                object[head++] = 0x82;
                object[head++] = (uint8_t)(size >> 8);
            } else if (size > 127) object[head++] = 0x81;
            object[head++] = (uint8_t)size;
            memset(object + head, 0x31, size);
            fresh(CEMV_PROFILE_BOOK);
            k2_update(&kernel, of(object, head + size));
            const bool fits = edge == 1 || edge == 2 || (edge == 3 && info.max == 255);
            const bool writable = is_for_data_exchange(info.tag);
            property((k2_value(&kernel, slot).size == size) == (fits && writable), "what data exchange may write",
                     (unsigned)slot << 8 | edge);
        }
    }
    uint8_t writes[300] = { 0xFF, 0x81, 0x02, 0x82, 0x01, 0x04, 0x9F, 0x75, 0x81, 0xC8 };
    writes[210] = 0x9F;
    writes[211] = 0x76;
    writes[212] = 0x33;
    fresh(CEMV_PROFILE_BOOK);
    k2_update(&kernel, of(writes, 6 + 260));
    property(k2_value(&kernel, K2_SLOT_FF8102).size == 260 && k2_memory_of(&kernel)->write_before.size == 204 + 54,
             "a list of writes of more than 255 bytes", k2_memory_of(&kernel)->write_before.size);
}

/* A list of writes grows by a whole list, or not at all. */
static void properties_of_growing_lists(void)
{
    static const uint8_t first[] = { 0xFF, 0x81, 0x02, 5, 0x9F, 0x75, 2, 1, 2 },
                         second[] = { 0xFF, 0x81, 0x02, 5, 0x9F, 0x76, 2, 3, 4 }, filler[CEMV_STORE_ARENA];
    struct k2_memory *const memory = k2_memory_of(&kernel);
    for (size_t room = 0; room < 14; room++) {
        uint16_t offset;
        fresh(CEMV_PROFILE_BOOK);
        k2_update(&kernel, of(first, sizeof first));
        property(
            cemv_store_keep(&kernel.store, of(filler, (size_t)CEMV_STORE_ARENA - kernel.store.used - room), &offset),
            "room", (unsigned)room);
        k2_update(&kernel, of(second, sizeof second));
        const cemv_bytes list = k2_bytes(&kernel, memory->write_before);
        property(list.size == (room < 10 ? 5 : 10) && memcmp(list.data, first + 4, 5) == 0 &&
                     (list.size == 5 || memcmp(list.data + 5, second + 4, 5) == 0),
                 "a list of writes that grows", (unsigned)room);
    }
}

/* The first object of Data To Send in the exchange record; false if there is none. */
static bool first_sent(struct cemv_tlv *object)
{
    struct cemv_tlv_cursor all = cemv_tlv_open(of(kernel.out.records, kernel.out.exchange_size));
    struct cemv_tlv list;
    if (!cemv_list_next(&all, &list) || list.tag != CEMV_TAG_FF8104_DATA_TO_SEND) return false;
    struct cemv_tlv_cursor one = cemv_tlv_open(list.value);
    return cemv_list_next(&one, object);
}

/* S5.19-24: what GET DATA did not bring is answered empty, also where the terminal gave such an object itself. */
static void get_data_answers_what_the_card_gave(void)
{
    static const uint8_t body[] = { 0x9F, 0x75, 2, 0xCC, 0xCC, 0x90, 0x00 };
    static const struct {
        uint8_t held, provenance;
        size_t sent;
    } cases[] = {
        { 0, 0, 2 },
        { 0xAA, CEMV_FROM_TERMINAL, 0 },
        { 0xCC, CEMV_FROM_TERMINAL, 0 },
        { 0xCC, CEMV_FROM_CARD, 2 },
        { 0xAA, CEMV_FROM_CARD, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct k2_memory *const memory = k2_memory_of(&kernel);
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = of(body, sizeof body) };
        const uint8_t held[2] = { cases[i].held, cases[i].held };
        struct cemv_tlv object = { 0 };
        bool repeated;
        fresh(CEMV_PROFILE_BOOK);
        kernel.store.reading = CEMV_READING_IDENTICAL_DUPLICATES | CEMV_READING_REFUSE_TERMINAL_TAGS;
        put(CEMV_SLOT_94, "\x10\1\1\0", 4);
        if (held[0] != 0)
            property(cemv_store_put(&kernel.store, K2_SLOT_9F75, of(held, 2), cases[i].provenance), "room",
                     (unsigned)i);
        property(cemv_afl_open(&kernel.afl, &kernel.store, 16, &repeated), "a record", (unsigned)i);
        memory->mode = K2_MODE_EMV;
        memory->active = K2_SLOT_9F75;
        kernel.out.state = K2_S5_WAIT_GET_DATA;
        kernel.out.step = CEMV_STEP_SEND;
        property(cemv_kernel_2.reply(&kernel, &reply) == CEMV_STEP_SEND && kernel.out.command[1] == 0xB2,
                 "reading goes on", (unsigned)i);
        property(first_sent(&object) && object.tag == 0x9F75 && object.value.size == cases[i].sent,
                 "an answer of the card's", (unsigned)i);
    }
}

/* S3R1.1-9: the next command is settled before Data To Send takes what is already there. A tag that the terminal wants
 * read is asked for with GET DATA, also where the answer to GPO brought it and the locator lists the mag-stripe record
 * alone. */
static void get_data_comes_first(void)
{
    static const uint8_t both[] = { 0x77, 0x13, 0x82, 2, 0x19, 0x80, 0x94, 4, 8, 1,    1,   0,
                                    0x9F, 0x50, 6,    0, 0,    0,    0,    0, 1, 0x90, 0x00 };
    for (unsigned i = 0; i < 4; i++) {
        const bool brings = i & 1, asked = i & 2;
        struct k2_memory *const memory = k2_memory_of(&kernel);
        uint8_t body[sizeof both];
        size_t size = sizeof both;
        fresh(CEMV_PROFILE_BOOK);
        memcpy(body, both, sizeof both);
        if (!brings) {
            size -= 9;
            body[1] = 10;
            memcpy(body + 12, "\x90\0", 2);
        }
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = of(body, size) };
        kernel.store.reading = CEMV_READING_IDENTICAL_DUPLICATES;
        kernel.out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
        if (asked) {
            memory->to_read.count = 1;
            memory->to_read.slot[0] = K2_SLOT_9F50;
        }
        kernel.out.state = K2_S3_WAIT_GPO;
        kernel.out.step = CEMV_STEP_SEND;
        const enum cemv_step step = cemv_kernel_2.reply(&kernel, &reply);
        property((step == CEMV_STEP_SEND) == asked, "what there is to read", i);
        if (asked)
            property(kernel.out.state == K2_S5_WAIT_GET_DATA && memcmp(kernel.out.command, "\x80\xCA\x9F\x50", 4) == 0,
                     "GET DATA", i);
        else property(kernel.out.outcome.error_indication[1] == CEMV_L2_CARD_DATA_ERROR, "S3R1.6: nothing to read", i);
    }
}

/* S3R1.6, S3.90: where there is nothing to read the discretionary data are the error indication alone, after relay
 * resistance too. */
static void nothing_to_read_tells_the_error_alone(void)
{
    static const uint8_t timed[] = { 0x80, 10, 1, 2, 3, 4, 0, 0, 0xFF, 0xFF, 0, 0x18, 0x90, 0x00 },
                         options[] = { 0x77, 10, 0x82, 2, 0x19, 0x80, 0x94, 4, 8, 1, 1, 0, 0x90, 0x00 };
    for (unsigned relay = 0; relay < 2; relay++) {
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE,
                                          .bytes = relay ? of(timed, sizeof timed) : of(options, sizeof options) };
        fresh(CEMV_PROFILE_BOOK);
        kernel.store.reading = CEMV_READING_IDENTICAL_DUPLICATES;
        kernel.out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
        put(K2_SLOT_9F5D, "\1\0\0", 3);
        k2_memory_of(&kernel)->mode = relay ? K2_MODE_EMV : K2_MODE_NONE;
        kernel.out.state = relay ? K2_R1_WAIT_RELAY : K2_S3_WAIT_GPO;
        kernel.out.step = CEMV_STEP_SEND;
        property(cemv_kernel_2.reply(&kernel, &reply) == CEMV_STEP_DONE, "nothing to read", relay);
        property(kernel.out.discretionary_size == 10 && memcmp(kernel.out.records, "\xDF\x81\x15\6", 4) == 0,
                 "the error indication alone", relay);
    }
}

/* 3.0 Timer: DF8127 in milliseconds. Zero is no time at all, not a wait without end. */
static void a_question_has_a_deadline(void)
{
    static const struct {
        const char *value;
        size_t size;
        uint32_t deadline_ms;
    } cases[] = { { "", 0, 500 }, { "\0\0", 2, 1 }, { "\0\1", 2, 1 }, { "\xFF\xFF", 2, 65535 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fresh(CEMV_PROFILE_BOOK);
        put(K2_SLOT_DF8127, cases[i].value, cases[i].size);
        k2_need(&kernel, K2_SLOT_9F53);
        property(k2_ask_terminal(&kernel, K2_S2_WAIT_PDOL_DATA) == CEMV_STEP_ASK &&
                     kernel.out.deadline_ms == cases[i].deadline_ms,
                 "a deadline", (unsigned)i);
    }
}

/* S1.7: DF8130 is the field-off time of a card that detects it; FF is no request (C-8 A.1.96). */
static void the_field_is_held_off_as_configured(void)
{
    static const uint8_t fci[] = { 0x6F, 0x14, 0x84, 0x05, 0xA0, 0,    0,    0,    4,    0xA5, 0x0B,
                                   0xBF, 0x0C, 0x08, 0x9F, 0x5D, 0x03, 0x01, 0x04, 0x00, 0x50, 0x00 };
    for (unsigned value = 0; value < 257; value++) {
        const uint8_t byte = (uint8_t)value;
        fresh(CEMV_PROFILE_BOOK);
        property(cemv_store_keep(&kernel.store, of(fci, sizeof fci), &kernel.fci_offset), "room", value);
        kernel.fci_size = sizeof fci;
        if (value < 256) put(K2_SLOT_DF8130, &byte, 1);
        property(cemv_kernel_2.start(&kernel) == CEMV_STEP_SEND, "GET PROCESSING OPTIONS", value);
        property(kernel.out.outcome.field_off_100ms == (value == 256   ? 13
                                                        : value == 255 ? CEMV_FIELD_OFF_NA
                                                                       : value),
                 "field-off time", value);
    }
}

/* Starts an activation whose transaction leaves the objects of `list` open; the store holds what the session put
 * there. */
static enum cemv_step start_with(cemv_bytes fci, cemv_bytes list)
{
    fresh(CEMV_PROFILE_BOOK);
    put(CEMV_SLOT_9F02, "\0\0\0\0\x12\x34", 6);
    put(CEMV_SLOT_5F2A, "\x09\x78", 2);
    put(CEMV_SLOT_9A, "\x26\x11\x21", 3);
    put(K2_SLOT_DF8124, "\0\0\0\1\0\0", 6);
    kernel.transaction.data = list;
    property(cemv_store_keep(&kernel.store, fci, &kernel.fci_offset), "room", 0);
    kernel.fci_size = (uint16_t)fci.size;
    cemv_fci_read(&kernel);
    return cemv_kernel_2.start(&kernel);
}

static enum cemv_step given(cemv_bytes bytes)
{
    const struct cemv_reply reply = { .kind = CEMV_REPLY_DATA, .bytes = bytes };
    kernel.out.exchange_size = 0;
    return cemv_kernel_2.reply(&kernel, &reply);
}

/* 1.3, S1.11-12, S4.28, S456.12, S78.8: an amount that the transaction leaves open is asked for where an object list
 * needs it, and is missed at the end of reading if nobody gave it. */
static void an_amount_may_be_left_open(void)
{
    static const uint8_t asking[] = { 0x6F, 0x12, 0x84, 5, 0xA0, 0,    0, 0,    4,    0xA5,
                                      9,    0x9F, 0x38, 6, 0x9F, 0x02, 6, 0x5F, 0x2A, 2 },
                         plain[] = { 0x6F, 0x09, 0x84, 5, 0xA0, 0, 0, 0, 4, 0xA5, 0 };
    static const uint8_t open[] = { 0x9F, 0x02, 0, 0x5F, 0x2A, 0, 0x9F, 0x03, 0, 0x9A,
                                    0,    0x9C, 0, 0x9F, 0x21, 0, 0x5F, 0x36, 0 };
    static const uint8_t amount[] = { 0x9F, 0x02, 6, 0, 0, 0, 0, 0x99, 0 }, currency[] = { 0x5F, 0x2A, 2, 0x08, 0x40 };
    static const uint8_t sent[] = { 0x83, 8, 0, 0, 0, 0, 0x99, 0, 0x08, 0x40 };
    struct k2_memory *const memory = k2_memory_of(&kernel);
    property(start_with(of(asking, sizeof asking), of(NULL, 0)) == CEMV_STEP_SEND && kernel.out.command[11] == 0x12,
             "the transaction's own amount", 0);
    property(start_with(of(asking, sizeof asking), of(open, sizeof open)) == CEMV_STEP_ASK &&
                 kernel.out.state == K2_S2_WAIT_PDOL_DATA,
             "an open amount is asked for", 0);
    property(kernel.out.command_size == 4 && memcmp(kernel.out.command, "\x9F\x02\x5F\x2A", 4) == 0,
             "with all that the PDOL needs", kernel.out.command_size);
    property(kernel.out.exchange_size != 0 && !kernel.out.question_running && kernel.out.deadline_ms == 500 &&
                 memory->needed.count == 0,
             "a question is sent once", memory->needed.count);
    /* S2.6-7: an answer that does not suffice leaves question and timer as they are. */
    for (unsigned i = 0; i < 20; i++) {
        property(given(i % 2 ? of(amount, sizeof amount) : of(NULL, 0)) == CEMV_STEP_ASK &&
                     kernel.out.state == K2_S2_WAIT_PDOL_DATA,
                 "until all is there", i);
        property(kernel.out.exchange_size == 0 && kernel.out.question_running && memory->needed.count == 0,
                 "nothing is asked anew, and the time runs on", i);
    }
    property(given(of(currency, sizeof currency)) == CEMV_STEP_SEND &&
                 memcmp(kernel.out.command + 5, sent, sizeof sent) == 0,
             "and is sent", 0);
    property(start_with(of(plain, sizeof plain), of(open, sizeof open)) == CEMV_STEP_SEND,
             "without a PDOL nothing is asked", 0);
    property(!cemv_store_has(&kernel.store, CEMV_SLOT_9F02) && k2_is_empty(&kernel, CEMV_SLOT_9F02) &&
                 !cemv_store_has(&kernel.store, CEMV_SLOT_9A),
             "open data are there, and empty", 0);
    property(k2_need_for_dol(&kernel, of("\x9F\x02\6", 3)) && memory->needed.count == 1, "S4.28: CDOL1 asks for it",
             memory->needed.count);
    k2_mark_empty(&kernel, CEMV_SLOT_9F35);
    property(!k2_need_for_dol(&kernel, of("\x9F\x35\1", 3)) && memory->needed.count == 1,
             "configuration is not asked for", memory->needed.count);
    const uint64_t untimely = CEMV_TVR(2, CEMV_TVR_2_EXPIRED | CEMV_TVR_2_NOT_YET_EFFECTIVE);
    put(CEMV_SLOT_5F24, "\x49\x12\x31", 3);
    put(CEMV_SLOT_5F25, "\x50\x01\x01", 3);
    property((k2_restrictions_of(&kernel) & untimely) == untimely, "without a date no card is in time", 0);
    put(CEMV_SLOT_9A, "\x26\x11\x21", 3);
    property((k2_restrictions_of(&kernel) & untimely) == 0, "with one it is", 0);
    for (unsigned mode = K2_MODE_EMV; mode <= K2_MODE_MAGSTRIPE; mode++)
        for (unsigned there = 0; there < 2; there++) {
            (void)start_with(of(plain, sizeof plain), of(open, sizeof open));
            if (there) k2_update(&kernel, of(amount, sizeof amount));
            memory->mode = (uint8_t)mode;
            put(K2_SLOT_DF8110, "\0", 1);
            kernel.out.state = mode == K2_MODE_EMV ? K2_S6_WAIT_FIRST_WRITE : K2_S8_WAIT_FIRST_WRITE;
            kernel.out.step = CEMV_STEP_ASK;
            const enum cemv_step step = given(of("\xDF\x81\x10\1\1", 5));
            const bool missed = kernel.out.outcome.error_indication[2] == CEMV_L3_AMOUNT_NOT_PRESENT;
            property(missed == !there && (!missed || (step == CEMV_STEP_DONE &&
                                                      kernel.out.outcome.status == CEMV_OUTCOME_END_APPLICATION)),
                     "an amount that nobody gave", mode << 1 | there);
        }
}

/* 3.0, S456.21-23, S78.12-14: every tag that the terminal wants read is answered once, with its value or empty, in as
 * many records as it takes, before the cryptogram is asked for. */
static void every_tag_to_read_is_answered(void)
{
    static const uint16_t others[] = { 0x50, 0x57, 0x5A,   0x82,   0x84,   0x87,   0x8C,  0x8E,
                                       0x90, 0x92, 0x9F07, 0x9F08, 0x9F0D, 0x9F46, 0x9F48 },
                          storage[] = { 0x9F5E, 0x9F5D, 0x9F5F, 0x9F7D, 0x9F7F, 0x9F6F, 0x9F54, 0x9F37 };
    static const uint8_t value[250], again[] = { 0xDF, 0x81, 0x10, 1, 1 };
    enum { ENVELOPES = 10, OTHERS = 15, STORAGE = 8, ALL = ENVELOPES + OTHERS + STORAGE };
    struct k2_memory *const memory = k2_memory_of(&kernel);
    for (unsigned size = 8; size <= 192; size += 4)
        for (unsigned mode = K2_MODE_EMV; mode <= K2_MODE_MAGSTRIPE; mode++) {
            uint8_t seen[ALL] = { 0 };
            unsigned records = 0;
            fresh(CEMV_PROFILE_BOOK);
            put(CEMV_SLOT_9F02, "\0\0\0\0\x12\x34", 6);
            put(K2_SLOT_DF8124, "\0\0\0\1\0\0", 6);
            put(CEMV_SLOT_5F24, "\x49\x12\x31", 3);
            put(CEMV_SLOT_9A, "\x26\x11\x21", 3);
            put(CEMV_SLOT_5A, "\x54\x13\x33\0\x89\2\0\x11", 8);
            put(CEMV_SLOT_8C, "\x9F\x37\4", 3);
            put(K2_SLOT_DF8110, "\0", 1);
            for (uint32_t i = 0; i < ENVELOPES; i++) {
                put(cemv_slot_of(tags_of(2), 0x9F70 + i), value, size);
                k2_answer(&kernel, cemv_slot_of(tags_of(2), 0x9F70 + i), true);
            }
            for (unsigned i = 0; i < STORAGE; i++) k2_answer(&kernel, cemv_slot_of(tags_of(2), storage[i]), true);
            for (unsigned i = 0; i < OTHERS; i++)
                memory->to_read.slot[memory->to_read.count++] = cemv_slot_of(tags_of(2), others[i]);
            memory->mode = (uint8_t)mode;
            kernel.out.state = mode == K2_MODE_EMV ? K2_S6_WAIT_FIRST_WRITE : K2_S8_WAIT_FIRST_WRITE;
            kernel.out.step = CEMV_STEP_ASK;
            enum cemv_step step = given(of(again, sizeof again));
            for (; records < 8; records++) {
                struct cemv_tlv_cursor all = cemv_tlv_open(of(kernel.out.records, kernel.out.exchange_size));
                struct cemv_tlv list, object;
                property(kernel.out.exchange_size <= sizeof kernel.out.records && cemv_list_next(&all, &list) &&
                             list.tag == CEMV_TAG_FF8104_DATA_TO_SEND,
                         "a data exchange record", size);
                struct cemv_tlv_cursor one = cemv_tlv_open(list.value);
                while (cemv_list_next(&one, &object)) {
                    const uint16_t slot = cemv_slot_of(tags_of(2), object.tag);
                    for (unsigned i = 0; i < ALL; i++) {
                        const uint32_t tag = i < ENVELOPES          ? 0x9F70u + i
                                           : i < ENVELOPES + OTHERS ? others[i - ENVELOPES]
                                                                    : storage[i - ENVELOPES - OTHERS];
                        if (tag == object.tag) seen[i]++;
                    }
                    property(object.value.size == k2_value(&kernel, slot).size, "an answer is whole", object.tag);
                }
                property(cemv_list_next(&all, &list) && list.tag == CEMV_TAG_DF8106_DATA_NEEDED &&
                             !cemv_list_next(&all, &list) && all.error == CEMV_WIRE_OK,
                         "with an empty list of data needed", size);
                const struct cemv_reply reply = { .kind = CEMV_REPLY_CONTINUE };
                property(step == CEMV_STEP_WORK && kernel.out.state == K2_WAIT_ANSWERS_SENT,
                         "a record is seen before anything else", kernel.out.state);
                kernel.out.exchange_size = 0;
                step = cemv_kernel_2.reply(&kernel, &reply);
                if (step != CEMV_STEP_WORK) break;
            }
            property(kernel.out.exchange_size == 0, "no empty record", size);
            for (unsigned i = 0; i < ALL; i++) property(seen[i] == 1, "a tag is answered once", size << 8 | i);
            property(step == (mode == K2_MODE_EMV ? CEMV_STEP_SEND : CEMV_STEP_ASK), "then the cryptogram",
                     size << 4 | records);
            property(size > 16 || records == 0, "what fits goes in one record", size);
            property(size < 190 || records >= 2, "what does not, in several", size);
        }
    /* A list of the terminal's own that no record takes is answered empty; a stop between two records ends. */
    fresh(CEMV_PROFILE_BOOK);
    uint8_t writes[1000] = { 0 };
    put(K2_SLOT_FF8102, writes, sizeof writes);
    k2_answer(&kernel, K2_SLOT_FF8102, true);
    struct cemv_tlv object = { 0 };
    property(!k2_answer_rest(&kernel) && first_sent(&object) &&
                 object.tag == CEMV_TAG_FF8102_TAGS_TO_WRITE_BEFORE_GEN_AC && object.value.size == 0,
             "an object that no record takes", (unsigned)object.value.size);
    kernel.out.state = K2_WAIT_ANSWERS_SENT;
    property(cemv_kernel_2.stop(&kernel) == CEMV_STEP_DONE && kernel.out.outcome.error_indication[2] == CEMV_L3_STOP,
             "a stop", 0);
    property(told(K2_WAIT_ANSWERS_SENT, CEMV_REPLY_TIMEOUT) == CEMV_STEP_DONE &&
                 told(K2_WAIT_ANSWERS_SENT, CEMV_REPLY_RESPONSE) == CEMV_STEP_DONE,
             "an answer to nothing ends the tap", 0);
}

/* C-8, 4.1.3 and 4.3: a PDOL in whatever template of the FCI; and the data record has what the transaction left open,
 * with a length of zero. */
static void open_data_and_lists_are_found(void)
{
    static const uint8_t nested[] = { 0x6F, 0x12, 0x84, 5,    0xA0, 0, 0,    0, 4,    0xA5,
                                      9,    0xE1, 7,    0x9F, 0x38, 4, 0x9C, 1, 0x9A, 3 };
    static const uint8_t open[] = { 0x9F, 0x53, 0 }, sent[] = { 0x83, 4, 0, 0x26, 0x11, 0x21 };
    struct cemv_tlv object;
    property(start_with(of(nested, sizeof nested), of(open, sizeof open)) == CEMV_STEP_SEND &&
                 memcmp(kernel.out.command + 5, sent, sizeof sent) == 0,
             "a list in a template of its own", 0);
    k2_memory_of(&kernel)->mode = K2_MODE_EMV;
    k2_put_records(&kernel, true);
    property(cemv_tlv_find(of(kernel.out.records, kernel.out.record_size), 0x9F53, &object) && object.value.size == 0,
             "an object that is there, and empty", 0);
}

/* 3.0, spool; C-8, 4.3, AddToList: an object goes to Data To Send with the value that it has then, whatever comes
 * before the record is sent, and with the later value if it is asked for again. TVR is what has been found so far
 * (S3.65, S456.7). */
static void answers_have_the_value_of_their_time(void)
{
    static const uint8_t ask_tvr[] = { 0xDF, 0x81, 0x12, 1, 0x95 }, ask_amount[] = { 0xDF, 0x81, 0x12, 2, 0x9F, 0x02 };
    static const uint8_t amounts[3][9] = { { 0x9F, 0x02, 6, 0, 0, 0, 0, 0, 1 },
                                           { 0x9F, 0x02, 6, 0, 0, 0, 0, 0, 2 },
                                           { 0x9F, 0x02, 6, 0, 0, 0, 0, 0, 3 } };
    struct k2_memory *const memory = k2_memory_of(&kernel);
    struct cemv_tlv object = { 0 };
    for (unsigned again = 0; again < 2; again++) {
        fresh(CEMV_PROFILE_BOOK);
        k2_update(&kernel, of(amounts[0], 9));
        k2_update(&kernel, of(ask_amount, sizeof ask_amount));
        k2_spool(&kernel);
        for (unsigned i = 1; i < 3; i++) k2_update(&kernel, of(amounts[i], 9));
        if (again) {
            k2_update(&kernel, of(ask_amount, sizeof ask_amount));
            k2_spool(&kernel);
        }
        property(k2_value(&kernel, CEMV_SLOT_9F02).data[5] == 3, "the kernel goes on with the new value", again);
        k2_exchange(&kernel);
        property(first_sent(&object) && object.tag == 0x9F02 && object.value.data[5] == (again ? 3 : 1),
                 "a value of its time", again);
        property(memory->to_send.count == 0, "sent once", again);
    }
    for (unsigned late = 0; late < 2; late++) {
        fresh(CEMV_PROFILE_BOOK);
        memory->tvr = CEMV_TVR(5, CEMV_TVR_5_RELAY_NOT_PERFORMED);
        k2_update(&kernel, of(ask_tvr, sizeof ask_tvr));
        if (!late) k2_spool(&kernel);
        memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_ODA_NOT_PERFORMED);
        k2_put_tvr(&kernel);
        property(!k2_answer_rest(&kernel) && first_sent(&object) && object.tag == 0x95 &&
                     memcmp(object.value.data, late ? "\x80\0\0\0\1" : "\0\0\0\0\1", 5) == 0,
                 "TVR so far", late);
    }
}

/* Full lists: what waits to be read waits longer, and what is answered goes out with a record before. */
static void full_lists_lose_nothing(void)
{
    struct k2_memory *const memory = k2_memory_of(&kernel);
    unsigned answers = 0, records = 0;
    fresh(CEMV_PROFILE_BOOK);
    for (uint16_t slot = 0; slot < CEMV_EXCHANGE_LIST_MAX; slot++)
        cemv_exchange_answer(&memory->to_send, &kernel.store, slot, false);
    for (uint16_t slot = CEMV_EXCHANGE_LIST_MAX; slot < CEMV_EXCHANGE_LIST_MAX + K2_TAGS_TO_READ_MAX; slot++) {
        put(slot, "\1", 1);
        memory->to_read.slot[memory->to_read.count++] = slot;
    }
    k2_spool(&kernel);
    property(memory->to_send.count == CEMV_EXCHANGE_LIST_MAX && memory->to_read.count == K2_TAGS_TO_READ_MAX,
             "what waits to be read waits longer", memory->to_read.count);
    for (bool more = true; more && records < 8; records++) {
        kernel.out.exchange_size = 0;
        more = k2_answer_rest(&kernel);
        struct cemv_tlv_cursor all = cemv_tlv_open(of(kernel.out.records, kernel.out.exchange_size));
        struct cemv_tlv list, object;
        if (!cemv_list_next(&all, &list)) continue;
        struct cemv_tlv_cursor one = cemv_tlv_open(list.value);
        while (cemv_list_next(&one, &object)) answers++;
    }
    property(answers == CEMV_EXCHANGE_LIST_MAX + K2_TAGS_TO_READ_MAX && records == 2 && memory->to_read.count == 0 &&
                 memory->to_send.count == 0,
             "full lists are answered", answers);
    fresh(CEMV_PROFILE_BOOK);
    for (uint16_t slot = 0; slot < CEMV_EXCHANGE_LIST_MAX; slot++)
        cemv_exchange_answer(&memory->to_send, &kernel.store, slot, true);
    cemv_exchange_answer(&memory->to_send, &kernel.store, CEMV_EXCHANGE_LIST_MAX, true);
    property(memory->to_send.count == CEMV_EXCHANGE_LIST_MAX, "a full list itself takes no more",
             memory->to_send.count);
    k2_answer(&kernel, CEMV_EXCHANGE_LIST_MAX, true);
    property(kernel.out.exchange_size != 0 && memory->to_send.count == 1 &&
                 memory->to_send.item[0].slot == CEMV_EXCHANGE_LIST_MAX,
             "a full list goes out before one more", memory->to_send.count);
}

/* SECURITY.md, A03: the track of mag-stripe mode holds another brand's account: the last record ends the tap, but in
 * `book`. */
static void another_brand_is_refused_in_magstripe_mode(void)
{
    static const uint8_t body[] = { 0x70, 0x02, 0x00, 0x00, 0x90, 0x00 }, name[] = { 0xA0, 0, 0, 0, 4, 0x10, 0x10 };
    static const char ours[] = "\x54\x13\x33\0\x89\2\0\x11\xD4\x91\x22\x01\0\0\0\0\0";
    static const char others[] = "\x41\x11\x11\x11\x11\x11\x11\x11\xD4\x91\x22\x01\0\0\0\0\0";
    for (uint8_t profile = 0; profile < 3; profile++)
        for (unsigned other = 0; other < 2; other++) {
            const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = of(body, sizeof body) };
            fresh(profile);
            memcpy(kernel.df_name, name, sizeof name);
            kernel.df_name_size = sizeof name;
            kernel.out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
            put(CEMV_SLOT_9F6B, other ? others : ours, 17);
            put(K2_SLOT_9F65, "\0\x0E", 2);
            put(K2_SLOT_9F66, "\x03\xF0", 2);
            put(K2_SLOT_9F67, "\2", 1);
            put(CEMV_SLOT_94, "\x08\1\1\0", 4);
            put(CEMV_SLOT_9F02, "\0\0\0\0\0\1", 6);
            put(K2_SLOT_DF8124, "\0\0\0\1\0\0", 6);
            k2_memory_of(&kernel)->mode = K2_MODE_MAGSTRIPE;
            kernel.out.state = K2_S7_WAIT_RECORD;
            kernel.out.step = CEMV_STEP_SEND;
            const enum cemv_step step = cemv_kernel_2.reply(&kernel, &reply);
            property((step == CEMV_STEP_DONE && kernel.out.outcome.reason == CEMV_REASON_PROTECTION) ==
                         (other && profile != CEMV_PROFILE_BOOK),
                     "another brand's track is refused", (unsigned)(profile << 1 | other));
            property((kernel.findings >> CEMV_FINDING_BRAND_MISMATCH & 1) == other, "and reported",
                     (unsigned)(profile << 1 | other));
        }
}

/* SECURITY.md, A26: in `strict` a card of mag-stripe mode that shows data of EMV mode ends. */
static void a_chip_in_mag_stripe_mode_ends_in_strict(void)
{
    static const uint8_t body[] = { 0x70, 0x02, 0x00, 0x00, 0x90, 0x00 };
    for (unsigned i = 0; i < 8; i++) {
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = of(body, sizeof body) };
        const bool strict = i & 1, chip = i & 2, more = i & 4;
        fresh(strict ? CEMV_PROFILE_STRICT : CEMV_PROFILE_GUARDED);
        kernel.out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
        put(CEMV_SLOT_9F6B, "\x54\x13\x33\0\x89\2\0\x11\xD4\x91\x22\x01\0\0\0\0\0", 17);
        put(K2_SLOT_9F65, "\0\x0E", 2);
        put(K2_SLOT_9F66, "\x03\xF0", 2);
        put(K2_SLOT_9F67, "\2", 1);
        put(CEMV_SLOT_94, "\x08\1\1\0\x10\1\1\0", more ? 8 : 4);
        put(CEMV_SLOT_9F02, "\0\0\0\0\0\1", 6);
        put(K2_SLOT_DF8124, "\0\0\0\1\0\0", 6);
        if (chip) put(CEMV_SLOT_8C, "\x9F\x37\4", 3);
        k2_memory_of(&kernel)->mode = K2_MODE_MAGSTRIPE;
        kernel.out.state = K2_S7_WAIT_RECORD;
        kernel.out.step = CEMV_STEP_SEND;
        const enum cemv_step step = cemv_kernel_2.reply(&kernel, &reply);
        property((step == CEMV_STEP_DONE && kernel.out.outcome.reason == CEMV_REASON_PROTECTION) ==
                     (strict && (chip || more)),
                 "a chip that is denied", i);
    }
}

/* ---- configuration ---- */

/* What is refused names its object. */
static void properties_of_refusals(void)
{
    static const struct {
        uint32_t tag;
        uint8_t value[8];
        enum cemv_status status;
    } bad[] = {
        { 0xDF811B, { 0xC0 }, CEMV_CONFLICT },  { 0xDF811D, { CEMV_TORN_RECORDS + 1 }, CEMV_TOO_MANY },
        { 0xDF8118, { 0x10 }, CEMV_BAD_VALUE }, { 0xDF8119, { 0x80 }, CEMV_BAD_VALUE },
        { 0xDF811E, { 0x30 }, CEMV_BAD_VALUE }, { 0xDF812C, { 0xEF }, CEMV_BAD_VALUE },
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint8_t object[8];
        struct cemv_config_error error = { 0 };
        size_t size = cemv_tag_write(object, bad[i].tag);
        object[size++] = 1;
        object[size++] = bad[i].value[0];
        fresh(CEMV_PROFILE_BOOK);
        combination.data = of(object, size);
        property(k2_check(&checked.configuration, 0, &error) == bad[i].status && error.field == CEMV_FIELD_DATA &&
                     error.tag == bad[i].tag,
                 "what is refused is named", (unsigned)i);
        object[size - 1] = 0;
        error = (struct cemv_config_error){ 0 };
        property(k2_check(&checked.configuration, 0, &error) == CEMV_OK && error.field == 0 && error.tag == 0,
                 "what is good names nothing", (unsigned)i);
    }
}

/* 4.3: a balance of the card is shown as a number, or not at all. */
static void a_balance_that_is_no_number_is_not_shown(void)
{
    static const struct {
        const char *balance;
        uint64_t value;
    } all[] = { { "\0\0\0\0\x12\x34", 1234 }, { "\0\0\0\0\x1A\x34", 0 }, { "\xFF\xFF\xFF\xFF\xFF\xFF", 0 } };
    for (unsigned i = 0; i < 3; i++) {
        struct cemv_ui_request request = cemv_ui_of(CEMV_MESSAGE_APPROVED, CEMV_UI_CARD_READ);
        fresh(CEMV_PROFILE_BOOK);
        put(K2_SLOT_DF8105, all[i].balance, 6);
        k2_show_balance(&kernel, &request);
        property((request.value_qualifier == CEMV_VALUE_BALANCE) == (i == 0), "a balance is a number", i);
        property(i != 0 || request.value == all[i].value, "and shown as it is", i);
    }
}

void properties_of_k2(void)
{
    PART(a_balance_that_is_no_number_is_not_shown);
    PART(properties_of_refusals);
    PART(properties_of_filling);
    PART(properties_of_two_tracks);
    PART(properties_of_relay_tracks);
    PART(properties_of_amounts);
    PART(fail_cvm_ends_selection);
    PART(properties_of_relay_times);
    PART(properties_of_guards);
    PART(magstripe_mode_must_be_asked_for);
    PART(properties_of_options);
    PART(format_1_stands_alone);
    PART(a_locator_has_whole_entries);
    PART(reading_ends_early_unless_told_otherwise);
    PART(static_data_are_counted_as_they_are_hashed);
    PART(another_brand_is_refused);
    PART(an_expired_ca_key_counts_as_absent);
    PART(properties_of_long_commands);
    PART(properties_of_unasked_answers);
    PART(ends_keep_the_outcome_parameters);
    PART(properties_of_odd_lists);
    PART(properties_of_records);
    PART(properties_of_wishes);
    PART(properties_of_recovery);
    PART(properties_of_growing_lists);
    PART(properties_of_the_log);
    PART(properties_of_full_places);
    PART(torn_records_hold_the_counter_of_attempts);
    PART(aged_records_are_reported);
    PART(properties_of_tag_lists);
    PART(properties_of_sizes);
    PART(nothing_to_read_tells_the_error_alone);
    PART(get_data_comes_first);
    PART(get_data_answers_what_the_card_gave);
    PART(a_question_has_a_deadline);
    PART(an_amount_may_be_left_open);
    PART(every_tag_to_read_is_answered);
    PART(open_data_and_lists_are_found);
    PART(answers_have_the_value_of_their_time);
    PART(full_lists_lose_nothing);
    PART(a_chip_in_mag_stripe_mode_ends_in_strict);
    PART(another_brand_is_refused_in_magstripe_mode);
    PART(the_field_is_held_off_as_configured);
}
