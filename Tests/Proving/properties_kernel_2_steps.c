/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of single steps of Kernel 2, each decided from its clause: answers read by position, initial data, the
 * causes of an end, the effect of protection on relay resistance and CVM, summaries of data storage, torn records,
 * contradictory mag-stripe data. */
#include <string.h>

#include "CEMVInternals.h"
#include "kernel_2_alone.h"
#include "bytes.h"
#include "properties.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static struct cemv_kernel kernel;
static struct cemv_checked checked;
static struct cemv_combination combination;
static struct cemv_reader_memory reader;

static void put(uint16_t slot, cemv_bytes value)
{
    property(cemv_store_put(&kernel.store, slot, value, CEMV_FROM_TERMINAL), "room", slot);
}

static struct k2_memory *fresh(uint8_t profile)
{
    static const uint8_t aid[] = { 0xA0, 0, 0, 0, 4, 0x10, 0x10 };
    kernel_2_alone(&kernel, &checked, &combination, &reader, profile);
    combination.aid = of(aid, sizeof aid);
    cemv_store_clear(&kernel.store, tags_of(2), cemv_kernel_2.reading);
    kernel.out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
    return k2_memory_of(&kernel);
}

static enum cemv_step reply_in(uint8_t state, uint8_t kind, cemv_bytes bytes)
{
    const struct cemv_reply reply = { .kind = kind, .bytes = bytes, .elapsed_us = 1000 };
    kernel.out.state = state;
    kernel.out.step = CEMV_STEP_SEND;
    return cemv_kernel_2.reply(&kernel, &reply);
}

static bool value_is(uint16_t slot, cemv_bytes expected)
{
    return cemv_bytes_equal(cemv_store_value(&kernel.store, slot), expected);
}

static bool ends_with(uint8_t reason, uint8_t l2, uint16_t status_word)
{
    const struct cemv_outcome *outcome = &kernel.out.outcome;
    return kernel.out.step == CEMV_STEP_DONE && outcome->status == CEMV_OUTCOME_END_APPLICATION &&
           outcome->reason == reason && outcome->error_indication[0] == CEMV_L1_OK &&
           outcome->error_indication[1] == l2 &&
           (outcome->error_indication[3] << 8 | outcome->error_indication[4]) == status_word;
}

/* ---- answers by position ---- */

/* S16, S17: the balance is read from exactly 9F50 06 and six bytes under 9000; all else is ignored. */
static void a_balance_is_taken_from_its_own_answer(void)
{
    static const struct {
        const char *body;
        size_t size;
        uint16_t status_word;
    } answers[] = {
        { "\x9F\x50\6\0\0\0\0\x12\x34", 9, 0x9000 }, { "\x9F\x50\6\0\0\0\0\x12\x34", 9, 0x6283 },
        { "\x9F\x50\6\0\0\0\0\x12\x34", 8, 0x9000 }, { "\x9F\x50\6\0\0\0\0\x12\x34\0", 10, 0x9000 },
        { "\x9E\x50\6\0\0\0\0\x12\x34", 9, 0x9000 }, { "\x9F\x51\6\0\0\0\0\x12\x34", 9, 0x9000 },
        { "\x9F\x50\5\0\0\0\0\x12\x34", 9, 0x9000 },
    };
    for (unsigned i = 0; i < COUNT(answers); i++) {
        fresh(CEMV_PROFILE_BOOK);
        k2_take_balance(&kernel, of(answers[i].body, answers[i].size), answers[i].status_word, K2_SLOT_DF8104);
        property(value_is(K2_SLOT_DF8104, of("\0\0\0\0\x12\x34", i == 0 ? 6 : 0)), "a balance alone is taken", i);
    }
}

/* Book 3, 6.5.5.4: format 1 of GENERATE AC has 9F27, 9F36, 9F26 and up to 32 bytes of 9F10. */
static void format_1_of_a_cryptogram_has_its_fields(void)
{
    uint8_t body[64] = { 0x80 };
    for (uint8_t size = 0; size < 60; size++) {
        fresh(CEMV_PROFILE_BOOK);
        body[1] = size;
        for (size_t i = 0; i < size; i++) body[2 + i] = (uint8_t)(0x80 + i);
        const enum cemv_store_error error = k2_store_ac(&kernel, K2_S9_WAIT_AC, of(body, 2u + size));
        const bool fits = size >= 11 && size <= 43;
        property((error == CEMV_STORE_OK) == fits, "11 to 43 bytes", size);
        if (!fits) continue;
        property(value_is(CEMV_SLOT_9F27, of(body + 2, 1)) && value_is(CEMV_SLOT_9F36, of(body + 3, 2)) &&
                     value_is(CEMV_SLOT_9F26, of(body + 5, 8)) && value_is(CEMV_SLOT_9F10, of(body + 13, size - 11u)),
                 "by position", size);
    }
    static const uint16_t slots[] = { CEMV_SLOT_9F27, CEMV_SLOT_9F36, CEMV_SLOT_9F26, CEMV_SLOT_9F10 };
    for (unsigned i = 0; i < COUNT(slots); i++) {
        fresh(CEMV_PROFILE_BOOK);
        (void)cemv_store_put(&kernel.store, slots[i],
                             of("\1\2\3\4\5\6\7\x08", i == 0   ? 1
                                                      : i == 1 ? 2
                                                               : 8),
                             CEMV_FROM_CARD);
        body[1] = 20;
        property(k2_store_ac(&kernel, K2_S9_WAIT_AC, of(body, 22)) == CEMV_STORE_DUPLICATE, "none of them twice", i);
    }
    for (unsigned tail = 0; tail < 3; tail++) {
        fresh(CEMV_PROFILE_BOOK);
        body[1] = 20;
        memcpy(body + 22, tail == 1 ? "\x9C\0" : "\x9C\1", 2);
        property((k2_store_ac(&kernel, K2_S9_WAIT_AC, of(body, tail == 0 ? 22 : 24)) == CEMV_STORE_OK) == (tail == 0),
                 "nothing follows the template", tail);
    }
    fresh(CEMV_PROFILE_BOOK);
    property(k2_store_ac(&kernel, K2_S10_WAIT_RECOVERY, of(body, 22)) != CEMV_STORE_OK, "RECOVER AC has no format 1",
             0);
}

/* S3.10, 1.3: profile and locator by position, whole entries. */
static void format_1_of_processing_options_has_whole_entries(void)
{
    uint8_t body[40] = { 0x80 };
    for (uint8_t size = 0; size < 30; size++) {
        fresh(CEMV_PROFILE_BOOK);
        body[1] = size;
        memset(body + 2, 0x08, size);
        property((k2_store_gpo(&kernel, of(body, 2u + size)) == CEMV_STORE_OK) == (size >= 6 && size % 4 == 2),
                 "a profile and whole entries", size);
    }
    static const struct {
        const char *body;
        size_t size;
        bool empty, present;
    } answers[] = {
        { "\x77\x08\x82\2\0\0\x9F\x54\0\x00", 10, true, true },
        { "\x77\x08\x82\2\0\0\x9F\x54\1\x07", 10, false, true },
        { "\x77\x09\x82\2\0\0\xA5\3\x9F\x54\0", 11, true, true },
        { "\x77\x08\x82\2\0\0\x9F\x7A\0\x00", 10, false, false },
        { "\x77\x0B\x82\2\0\0\xA5\2\x8A\0\x9F\x54\0", 13, true, true },
    };
    for (unsigned i = 0; i < COUNT(answers); i++) {
        fresh(CEMV_PROFILE_BOOK);
        (void)k2_store_gpo(&kernel, of(answers[i].body, answers[i].size));
        property(k2_is_empty(&kernel, K2_SLOT_9F54) == answers[i].empty &&
                     k2_is_present(&kernel, K2_SLOT_9F54) == answers[i].present,
                 "an empty 9F54 says that the slot holds nothing", i);
    }
}

/* SR1.14-17: exactly 80 0A and ten bytes. */
static void a_relay_answer_has_one_form(void)
{
    static const struct {
        const char *body;
        size_t size;
    } answers[] = {
        { "\x80\x0A\1\2\3\4\0\0\xFF\xFF\0\0\x90\0", 14 },   { "\x80\x0A\1\2\3\4\0\0\xFF\xFF\0\x90\0", 13 },
        { "\x80\x0A\1\2\3\4\0\0\xFF\xFF\0\0\0\x90\0", 15 }, { "\x77\x0A\1\2\3\4\0\0\xFF\xFF\0\0\x90\0", 14 },
        { "\x80\x09\1\2\3\4\0\0\xFF\xFF\0\0\x90\0", 14 },   { "\x80\x0B\1\2\3\4\0\0\xFF\xFF\0\0\x90\0", 14 },
    };
    for (unsigned i = 0; i < COUNT(answers); i++) {
        const struct k2_memory *const memory = fresh(CEMV_PROFILE_BOOK);
        (void)reply_in(K2_R1_WAIT_RELAY, CEMV_REPLY_RESPONSE, of(answers[i].body, answers[i].size));
        property(ends_with(CEMV_REASON_CARD_DATA, CEMV_L2_PARSING_ERROR, 0) == (i != 0), "one form alone", i);
        if (i == 0) property(memcmp(memory->relay + 4, answers[i].body + 2, 10) == 0, "as it came", i);
    }
    fresh(CEMV_PROFILE_BOOK);
    (void)reply_in(K2_R1_WAIT_RELAY, CEMV_REPLY_RESPONSE, BYTES("\x6A\x80"));
    property(ends_with(CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, 0x6A80), "another status word", 0);
}

/* ---- initial data ---- */

/* S1.9 and annex A: initial values, and defaults for objects that are not configured. */
static void initial_data_are_those_of_the_start(void)
{
    for (unsigned i = 0; i < 4; i++) {
        const bool configured = i & 1, limits = i & 2;
        fresh(CEMV_PROFILE_BOOK);
        if (limits) put(K2_SLOT_DF8117, BYTES("\xE0"));
        if (limits) put(K2_SLOT_DF811F, BYTES("\x08"));
        if (configured) {
            put(CEMV_SLOT_9F09, BYTES("\1\2"));
            put(K2_SLOT_9F6D, BYTES("\3\4"));
            put(CEMV_SLOT_9F1A, BYTES("\2\x76"));
            put(CEMV_SLOT_9F35, BYTES("\x22"));
        }
        k2_put_initial_data(&kernel);
        property(value_is(CEMV_SLOT_9F34, BYTES("\0\0\0")), "CVM Results", i);
        property(value_is(CEMV_SLOT_95, BYTES("\0\0\0\0\0")), "TVR", i);
        property(value_is(K2_SLOT_9F7E, BYTES("\1")), "mobile support indicator", i);
        property(value_is(CEMV_SLOT_9F33, limits ? BYTES("\xE0\0\x08") : BYTES("\0\0\0")), "capabilities", i);
        property(value_is(CEMV_SLOT_9F09, configured ? BYTES("\1\2") : BYTES("\0\2")), "version", i);
        property(value_is(K2_SLOT_9F6D, configured ? BYTES("\3\4") : BYTES("\0\1")), "mag-stripe version", i);
        property(value_is(CEMV_SLOT_9F1A, configured ? BYTES("\2\x76") : BYTES("\0\0")), "country", i);
        property(value_is(CEMV_SLOT_9F35, configured ? BYTES("\x22") : BYTES("\0")), "terminal type", i);
    }
}

/* S456.30-33: byte 2 of 9F33 is DF8118 above the CVM limit, DF8119 below; so is the receipt. */
static void capabilities_follow_the_cvm_limit(void)
{
    for (unsigned i = 0; i < 6; i++) {
        const unsigned amount = 999 + i % 3; /* the limit is 1000 */
        const bool above = amount > 1000, configured = i >= 3;
        const uint8_t bcd[6] = {
            0, 0, 0, 0, (uint8_t)(amount == 999 ? 0x09 : 0x10), (uint8_t)(amount == 999 ? 0x99 : amount - 1000)
        };
        fresh(CEMV_PROFILE_BOOK);
        put(CEMV_SLOT_9F02, of(bcd, 6));
        put(K2_SLOT_DF8126, BYTES("\0\0\0\0\x10\0"));
        if (configured) {
            put(K2_SLOT_DF8117, BYTES("\xE0"));
            put(K2_SLOT_DF8118, BYTES("\x60"));
            put(K2_SLOT_DF8119, BYTES("\x08"));
            put(K2_SLOT_DF811F, BYTES("\x08"));
        }
        k2_choose_capabilities(&kernel);
        property(value_is(CEMV_SLOT_9F33, !configured ? BYTES("\0\0\0")
                                          : above     ? BYTES("\xE0\x60\x08")
                                                      : BYTES("\xE0\x08\x08")),
                 "capabilities", i);
        property(kernel.out.outcome.receipt == above, "a receipt above the limit", i);
    }
}

/* S456.14: an amount equal to the limit does not exceed it; with on-device CVM another limit applies. */
static void the_transaction_limit_is_passed_by_more(void)
{
    for (unsigned i = 0; i < 6; i++) {
        const bool device = i >= 3;
        fresh(CEMV_PROFILE_BOOK);
        put(CEMV_SLOT_9F02, of(i % 3 == 0 ? "\0\0\0\0\x09\x99" : i % 3 == 1 ? "\0\0\0\0\x10\0" : "\0\0\0\0\x10\1", 6));
        put(K2_SLOT_DF8124, device ? BYTES("\0\0\0\0\0\0") : BYTES("\0\0\0\0\x10\0"));
        put(K2_SLOT_DF8125, device ? BYTES("\0\0\0\0\x10\0") : BYTES("\0\0\0\0\0\0"));
        if (device) {
            put(K2_SLOT_DF811B, BYTES("\x20"));
            put(CEMV_SLOT_82, BYTES("\2\0"));
        }
        property(k2_above_transaction_limit(&kernel) == (i % 3 == 2), "above the limit", i);
    }
}

/* ---- protection ---- */

#define BIT_OF(byte, bit) CEMV_TVR(byte, bit)

/* attacks.md, A24 and A25. */
static void relay_resistance_counts_as_the_rule_says(void)
{
    for (unsigned i = 0; i < 5 * 64; i++) {
        const uint8_t set = (uint8_t)(i % 5);
        const uint8_t state = (uint8_t)(i / 5 % 16); /* performed, late, CDA, CDA failed */
        const bool above = i / 80 % 2, strict = i / 160 % 2;
        struct k2_memory *const memory = fresh(strict ? CEMV_PROFILE_STRICT : CEMV_PROFILE_GUARDED);
        checked.configuration.protection.relay = set;
        put(CEMV_SLOT_9F02, above ? BYTES("\0\0\0\0\x10\1") : BYTES("\0\0\0\0\x10\0"));
        put(K2_SLOT_DF8126, BYTES("\0\0\0\0\x10\0"));
        const bool performed = state & 1, late = state & 2, failed = state & 8;
        memory->cda = state & 4;
        if (performed) memory->tvr |= BIT_OF(5, CEMV_TVR_5_RELAY_PERFORMED);
        if (late)
            memory->tvr |=
                BIT_OF(5, i & 1 ? CEMV_TVR_5_RELAY_THRESHOLD_EXCEEDED : CEMV_TVR_5_RELAY_TIME_LIMITS_EXCEEDED);
        if (failed) memory->tvr |= BIT_OF(1, CEMV_TVR_1_CDA_FAILED);
        const uint8_t rule = set != CEMV_RELAY_PROFILE ? set : strict ? CEMV_RELAY_DECLINE : CEMV_RELAY_BOOK;
        const bool proven = performed && memory->cda && !failed;
        property(cemv_relay_rule(&kernel) == rule, "the rule in force", i);
        property(k2_relay_refused(&kernel) == (rule == CEMV_RELAY_DECLINE    ? late
                                               : rule == CEMV_RELAY_REQUIRED ? late || (above && !proven)
                                                                             : false),
                 "a card that is late, or keeps no distance", i);
    }
}

/* attacks.md, A04: above the CVM limit, a list that nothing proves does not decide. */
static void unproven_data_choose_no_method(void)
{
    for (unsigned i = 0; i < 3 * 64; i++) {
        const uint8_t profile = (uint8_t)(i % 3);
        const bool cda = i / 3 & 1, failed = i / 3 & 2, above = i / 3 & 4, pin = i / 3 & 8, chosen_pin = i / 3 & 16,
                   capable = i / 3 & 32;
        struct k2_memory *const memory = fresh(profile);
        struct cemv_rules_cvm cvm = { .cvm = chosen_pin ? CEMV_CVM_ONLINE_PIN : CEMV_CVM_SIGNATURE,
                                      .results = { 0x5E, 3, 0 },
                                      .tvr = BIT_OF(3, CEMV_TVR_3_CVM_FAILED) };
        put(CEMV_SLOT_9F02, above ? BYTES("\0\0\0\0\x10\1") : BYTES("\0\0\0\0\x10\0"));
        put(K2_SLOT_DF8126, BYTES("\0\0\0\0\x10\0"));
        if (capable) put(CEMV_SLOT_9F33, pin ? BYTES("\x20\x40\x08") : BYTES("\x21\xBF\xFF"));
        memory->cda = cda;
        if (failed) memory->tvr = BIT_OF(1, CEMV_TVR_1_CDA_FAILED);
        k2_harden_cvm(&kernel, &cvm);
        const bool unproven = !cda || failed, strict = profile == CEMV_PROFILE_STRICT;
        const bool replaced = unproven && above && !chosen_pin, beyond = replaced && profile != CEMV_PROFILE_BOOK;
        const bool has_pin = capable && pin;
        property((kernel.findings >> CEMV_FINDING_CVM_FROM_PLAIN_DATA & 1) == replaced, "it is reported", i);
        property(cvm.cvm == (chosen_pin || (beyond && has_pin) ? CEMV_CVM_ONLINE_PIN : CEMV_CVM_SIGNATURE),
                 "the reader's online PIN", i);
        property(memory->decline == ((strict && (failed || (unproven && above))) || (beyond && !has_pin)),
                 "or a decline", i);
        if (beyond && has_pin)
            property(cvm.results[0] == 0x02 && cvm.results[1] == 0 && cvm.results[2] == 0 &&
                         (cvm.tvr & BIT_OF(3, CEMV_TVR_3_ONLINE_CVM_CAPTURED)) != 0,
                     "with its results", i);
        else property(cvm.results[0] == 0x5E && cvm.results[1] == 3, "else they stay", i);
    }
}

/* attacks.md, A07, A30: transactions that a card may approve; an offline terminal (Book 4, A1: types 3 and 6) has no
 * host. */
static void an_approval_is_guarded(void)
{
    for (unsigned i = 0; i < 3 * 4 * 8 * 4; i++) {
        const uint8_t profile = (uint8_t)(i % 3), offline = (uint8_t)(i / 3 % 4);
        const uint8_t types[] = { 0x21, 0x22, 0x23, 0x13, 0x26, 0x36, 0x25, 0x27 };
        const uint8_t type = types[i / 12 % 8];
        const bool cda = i / 96 & 1, failed = i / 96 & 2;
        struct k2_memory *const memory = fresh(profile);
        checked.configuration.protection.offline = offline;
        put(CEMV_SLOT_9F35, of(&type, 1));
        put(CEMV_SLOT_9C, BYTES("\0"));
        put(CEMV_SLOT_9F02, BYTES("\0\0\0\0\x10\0"));
        put(K2_SLOT_DF8126, BYTES("\0\0\0\0\x10\0"));
        put(CEMV_SLOT_8C, BYTES("\x9F\x02\6\x9C\1\x9F\x37\4"));
        kernel.store.entry[kernel.store.index[CEMV_SLOT_8C] - 1].covered = 1;
        memory->cda = cda;
        if (failed) memory->tvr = BIT_OF(1, CEMV_TVR_1_CDA_FAILED);
        const bool no_host = (type & 0x0F) == 3 || (type & 0x0F) == 6;
        const bool off = offline == CEMV_RULE_OFF || (offline == 0 && profile == CEMV_PROFILE_STRICT);
        const bool approved = !off && (profile == CEMV_PROFILE_BOOK || (cda && !failed));
        property(k2_guard_type(&kernel, K2_TC) == (approved ? K2_TC : no_host ? K2_AAC : K2_ARQC), "a TC", i);
        property(memory->protection == (!approved && no_host), "why it is declined", i);
        memory->decline = true, memory->protection = false;
        property(k2_guard_type(&kernel, K2_ARQC) == K2_AAC && memory->protection, "a decline", i);
        memory->protection = false;
        property(k2_guard_type(&kernel, K2_AAC) == K2_AAC && !memory->protection, "a refusal stays one", i);
        memory->verified = i & 1;
        property(k2_approval_unproven(&kernel) == (profile != CEMV_PROFILE_BOOK && !memory->verified),
                 "an approval without a signature", i);
    }
}

/* attacks.md, A26: at least four digits of the number, or as many as the protection requires. */
static void few_digits_are_too_short(void)
{
    for (int digits = 0; digits <= 8; digits++)
        for (uint8_t set = 0; set <= 8; set++)
            for (uint8_t profile = 0; profile < 3; profile++) {
                fresh(profile);
                checked.configuration.protection.min_number_digits = set;
                property(k2_number_too_short(&kernel, digits) ==
                             (profile != CEMV_PROFILE_BOOK && digits < (set ? set : 4)),
                         "digits of the number", (unsigned)digits << 8 | set);
            }
}

/* attacks.md, A26: a card that denies EMV mode although it has more than the mag-stripe record, or data of that mode.
 */
static void a_card_that_denies_its_chip_is_downgraded(void)
{
    static const char entries[] = "\x08\1\1\0\x10\1\1\0";
    for (unsigned i = 0; i < 3 * 5 * 8; i++) {
        const uint8_t profile = (uint8_t)(i % 3);
        const unsigned locator = i / 3 % 5, objects = i / 15;
        fresh(profile);
        if (locator == 1) put(CEMV_SLOT_94, of(entries, 4));
        if (locator == 2) put(CEMV_SLOT_94, of(entries, 8));
        if (locator == 3) put(CEMV_SLOT_94, of(entries + 4, 4));
        if (locator == 4) put(CEMV_SLOT_94, BYTES("\x10\1\1\0\x18\1\1\0"));
        if (objects & 1) put(CEMV_SLOT_57, BYTES("\1"));
        if (objects & 2) put(CEMV_SLOT_8C, BYTES("\x9C\1"));
        if (objects & 4) put(CEMV_SLOT_90, BYTES("\1"));
        property(k2_is_downgraded(&kernel) == (profile == CEMV_PROFILE_STRICT && (locator == 2 || objects != 0)),
                 "a chip that is denied", i);
    }
}

static void an_exception_list_names_accounts(void)
{
    static const struct cemv_exception row = { { (const uint8_t *)"\x54\x13\x33\x90\0\0\x15\x13", 8 }, 0, true };
    for (unsigned i = 0; i < 3; i++) {
        fresh(CEMV_PROFILE_BOOK);
        checked.configuration.exceptions = &row;
        checked.configuration.exception_count = i != 2;
        put(CEMV_SLOT_5A, i == 1 ? BYTES("\x54\x13\x33\x90\0\0\x15\x14") : BYTES("\x54\x13\x33\x90\0\0\x15\x13"));
        property(k2_on_exception_list(&kernel) == (i == 0), "an account on the exception list", i);
    }
}

/* ---- mag-stripe data ---- */

/* S7.22: nUN is 0 to 8, and equal for both tracks, whose objects are all present. */
static void both_tracks_have_one_number(void)
{
    static const struct {
        const char *nat_2, *nat_1, *bitmap_2, *bitmap_1;
        bool cvc3_1, track_1;
        int digits;
    } cards[] = {
        { "\1", NULL, "\0\x0F", NULL, false, false, 3 },
        { "\0", NULL, "\xFF\0", NULL, false, false, 8 },
        { "\0", NULL, "\xFF\1", NULL, false, false, -1 },
        { "\1", NULL, "\xFF\1", NULL, false, false, 8 },
        { "\2", NULL, "\0\1", NULL, false, false, -1 },
        { NULL, NULL, "\0\x0F", NULL, false, false, -1 },
        { "\1", "\1", "\0\x0F", "\0\0\0\0\0\x0F", true, true, 3 },
        { "\1", "\2", "\0\x0F", "\0\0\0\0\0\x0F", true, true, -1 },
        { "\1", "\1", "\0\x0F", "\0\0\0\0\0\x07", true, true, -1 },
        { "\1", NULL, "\0\x0F", "\0\0\0\0\0\x0F", true, true, -1 },
        { "\1", "\1", "\0\x0F", NULL, true, true, -1 },
        { "\1", "\1", "\0\x0F", "\0\0\0\0\0\x0F", false, true, -1 },
        { "\1", "\2", "\0\x0F", "\0\0\0\0\0\x0F", false, false, 3 },
    };
    for (unsigned i = 0; i < COUNT(cards); i++) {
        fresh(CEMV_PROFILE_BOOK);
        if (cards[i].nat_2) put(K2_SLOT_9F67, of(cards[i].nat_2, 1));
        if (cards[i].nat_1) put(K2_SLOT_9F64, of(cards[i].nat_1, 1));
        put(K2_SLOT_9F66, of(cards[i].bitmap_2, 2));
        if (cards[i].bitmap_1) put(K2_SLOT_9F63, of(cards[i].bitmap_1, 6));
        if (cards[i].cvc3_1) put(K2_SLOT_9F62, BYTES("\0\0\0\0\0\x70"));
        if (cards[i].track_1) put(CEMV_SLOT_56, BYTES("B5413^A^3012201000"));
        property(k2_number_digits_of(&kernel) == cards[i].digits, "digits of the number", i);
    }
}

/* S7.23 and 4.11: discretionary data are present. A position of a bitmap may lie beyond them; a digit of the number
 * that has no place there, in one of the tracks, is not counted. */
static void digits_have_a_place_in_the_discretionary_data(void)
{
    static const struct {
        const char *track_2, *track_1, *cvc3_2, *number_2, *cvc3_1, *number_1;
        bool taken;
        int placed;
    } cards[] = {
        /* ten digits of track 2, three of track 1 */
        { "\x54\x13\xD3\x01\x22\x01\x11\x11\x11\x11\x11", NULL, "\2\0", "\1\0", NULL, NULL, true, 1 },
        { "\x54\x13\xD3\x01\x22\x01\x11\x11\x11\x11\x11", NULL, "\4\0", "\1\0", NULL, NULL, true, 1 },
        { "\x54\x13\xD3\x01\x22\x01\x11\x11\x11\x11\x11", NULL, "\2\0", "\4\0", NULL, NULL, true, 0 },
        { "\x54\x13\xD3\x01\x22\x01\x11\x11\x11\x11\x11", "B5413^A^3012201123", "\2\0", "\1\0", "\0\0\0\0\0\4",
          "\0\0\0\0\0\2", true, 1 },
        { "\x54\x13\xD3\x01\x22\x01\x11\x11\x11\x11\x11", "B5413^A^3012201123", "\2\0", "\1\0", "\0\0\0\0\0\x08",
          "\0\0\0\0\0\2", true, 1 },
        { "\x54\x13\xD3\x01\x22\x01\x11\x11\x11\x11\x11", "B5413^A^3012201123", "\2\0", "\1\0", "\0\0\0\0\0\4",
          "\0\0\0\0\0\x08", true, 0 },
        { "\x54\x13\xD3\x01\x22\x01\x11\x11\x11\x11\x11", "B5413^A^3012201", "\2\0", "\1\0", "\0\0\0\0\0\0",
          "\0\0\0\0\0\0", false, 8 },
        { "\x54\x13\xD3\x01\x22\x01\x11\x11\x11\x11\x11", "B5413A3012201123", "\2\0", "\1\0", "\0\0\0\0\0\0",
          "\0\0\0\0\0\0", false, 8 },
        { "\x54\x13\x33\x01\x22\x01\x11\x11\x11\x11\x11", NULL, "\0\0", "\0\0", NULL, NULL, false, 8 },
    };
    for (unsigned i = 0; i < COUNT(cards); i++) {
        fresh(CEMV_PROFILE_BOOK);
        put(CEMV_SLOT_9F6B, of(cards[i].track_2, 11));
        put(K2_SLOT_9F65, of(cards[i].cvc3_2, 2));
        put(K2_SLOT_9F66, of(cards[i].number_2, 2));
        if (cards[i].track_1) {
            put(CEMV_SLOT_56, of(cards[i].track_1, strlen(cards[i].track_1)));
            put(K2_SLOT_9F62, of(cards[i].cvc3_1, 6));
            put(K2_SLOT_9F63, of(cards[i].number_1, 6));
        }
        int placed = 8;
        property(k2_take_discretionary(&kernel, &placed) == cards[i].taken, "discretionary data", i);
        if (!cards[i].taken) continue;
        property(placed == cards[i].placed, "digits that have a place", (unsigned)placed);
        if (cards[i].track_1) property(value_is(K2_SLOT_DF812A, BYTES("123")), "of track 1", i);
        else property(!cemv_store_has(&kernel.store, K2_SLOT_DF812A), "of track 1 there are none", i);
    }
}

/* S13.24-26, S14: method and receipt of a mag-stripe transaction. */
static void a_magstripe_transaction_has_its_method(void)
{
    for (unsigned i = 0; i < 2 * 2 * 5; i++) {
        static const uint8_t capabilities[] = { 0x00, 0x10, 0x20, 0x1F, 0x70 };
        static const uint8_t methods[] = { CEMV_CVM_NONE, CEMV_CVM_SIGNATURE, CEMV_CVM_ONLINE_PIN, CEMV_CVM_SIGNATURE,
                                           CEMV_CVM_NA };
        const bool above = i & 1, other = i & 2;
        const uint8_t capability = capabilities[i / 4];
        struct k2_memory *const memory = fresh(CEMV_PROFILE_BOOK);
        memory->mode = K2_MODE_MAGSTRIPE;
        memory->number_digits = 4;
        put(CEMV_SLOT_9F02, above ? BYTES("\0\0\0\0\x10\1") : BYTES("\0\0\0\0\x10\0"));
        put(K2_SLOT_DF8126, BYTES("\0\0\0\0\x10\0"));
        put(above != other ? K2_SLOT_DF811E : K2_SLOT_DF812C, of(&capability, 1));
        put(CEMV_SLOT_9F6B, BYTES("\x54\x13\xD3\x01\x22\x01\x11\x11\x11\x11\x11"));
        put(K2_SLOT_9F65, BYTES("\0\x0E"));
        put(K2_SLOT_9F66, BYTES("\0\xF0"));
        put(K2_SLOT_9F67, BYTES("\0"));
        (void)reply_in(K2_S13_WAIT_CHECKSUM, CEMV_REPLY_RESPONSE, BYTES("\x77\x0A\x9F\x61\2\0\1\x9F\x36\2\0\7\x90\0"));
        const struct cemv_outcome *outcome = &kernel.out.outcome;
        property(outcome->status == CEMV_OUTCOME_ONLINE_REQUEST && outcome->reason == CEMV_REASON_KERNEL, "online", i);
        property(outcome->cvm == (other ? CEMV_CVM_NA : methods[i / 4]), "DF811E above the limit, DF812C below", i);
        property(outcome->receipt == (above || (!other && methods[i / 4] == CEMV_CVM_SIGNATURE)), "the receipt", i);
        property(reader.failed_magstripe == 0 && kernel.out.record_size != 0 && !outcome->ui_on_outcome_present,
                 "the record, without a message", i);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct k2_memory *const memory = fresh(CEMV_PROFILE_BOOK);
        memory->mode = K2_MODE_MAGSTRIPE;
        memory->number_digits = 4;
        put(CEMV_SLOT_9F02, i ? BYTES("\0\0\0\0\x10\1") : BYTES("\0\0\0\0\x10\0"));
        put(K2_SLOT_DF8126, BYTES("\0\0\0\0\x10\0"));
        put(CEMV_SLOT_9F6B, BYTES("\x54\x13\xD3\x01\x22\x01\x11\x11\x11\x11\x11"));
        put(K2_SLOT_9F65, BYTES("\0\x0E"));
        put(K2_SLOT_9F66, BYTES("\0\xF0"));
        put(K2_SLOT_9F67, BYTES("\0"));
        (void)reply_in(K2_S14_WAIT_CHECKSUM, CEMV_REPLY_RESPONSE,
                       BYTES("\x77\x10\x9F\x61\2\0\1\x9F\x36\2\0\7\xDF\x4B\3\0\x10\0\x90\0"));
        const struct cemv_outcome *outcome = &kernel.out.outcome;
        property(outcome->status == CEMV_OUTCOME_ONLINE_REQUEST && outcome->cvm == CEMV_CVM_CDCVM &&
                     outcome->receipt == (i == 1),
                 "verified on the device", i);
    }
}

/* ---- data storage ---- */

/* S1.17-18: both objects are announced where the reader and the card have data storage; S1.20 versions 1 and 2. */
static void storage_is_announced_where_both_have_it(void)
{
    for (unsigned i = 0; i < 4 * 5 * 2; i++) {
        static const uint8_t versions[] = { 0x00, 0x01, 0x02, 0x03, 0x11 };
        const uint8_t capabilities[3] = { versions[i / 4 % 5], 0, 0 };
        const bool wanted = i & 1, asked = i & 2, has_id = i / 20;
        struct k2_memory *const memory = fresh(CEMV_PROFILE_BOOK);
        if (wanted) put(K2_SLOT_DF810D, BYTES("\1"));
        if (asked) put(K2_SLOT_9F5C, BYTES("\1\2\3\4\5\6\7\x08"));
        if (has_id) put(K2_SLOT_9F5E, BYTES("\1\2\3\4\5\6\7\x08"));
        put(K2_SLOT_9F5D, of(capabilities, 3));
        k2_announce_storage(&kernel);
        const uint8_t version = versions[i / 4 % 5] & 0x0F;
        property(memory->to_send.count == (wanted && asked ? 2 : 0), "what is announced", i);
        property(memory->ids == (wanted && asked && has_id && (version == 1 || version == 2) ? K2_IDS_READ : 0),
                 "data storage is read", i);
    }
}

/* S3R1.11-13 */
static void storage_is_read_where_the_card_can_prove_it(void)
{
    for (unsigned i = 0; i < 64; i++) {
        const bool f5f = i & 1, f7d = i & 2, f7f = i & 4, f6f = i & 8, present = i & 16, empty = i & 32;
        struct k2_memory *const memory = fresh(CEMV_PROFILE_BOOK);
        memory->ids = K2_IDS_READ | 0x01;
        if (f5f) put(K2_SLOT_9F5F, BYTES("\1\2\3\4\5\6\7\x08"));
        if (f7d) put(K2_SLOT_9F7D, BYTES("\1\2\3\4\5\6\7\x08"));
        if (f7f) put(K2_SLOT_9F7F, BYTES("\1\2\3\4"));
        if (f6f) put(K2_SLOT_9F6F, BYTES("\1"));
        if (present && empty) k2_mark_empty(&kernel, K2_SLOT_9F54);
        else if (present) put(K2_SLOT_9F54, BYTES("\1"));
        put(CEMV_SLOT_9F37, BYTES("\1\2\3\4"));
        k2_offer_storage(&kernel);
        const bool kept = (f5f && f7d && f7f && !present) || (f7d && present);
        property(memory->to_send.count == f5f + f7d + f7f + f6f + present + 1u, "what is offered", i);
        property(memory->ids == (kept ? K2_IDS_READ | 0x01 : 0x01), "where it is read", i);
    }
}

/* S910.8-19, S11.47-61, through the state that checks the signature. */
static void the_card_s_identity_is_that_of_its_account(void)
{
    static const struct {
        const char *sequence, *id;
        bool agrees;
    } cards[] = {
        { "\1", "\x54\x13\x33\x90\0\0\x15\x13\1", true },  { "\0", "\x54\x13\x33\x90\0\0\x15\x13\0", true },
        { NULL, "\x54\x13\x33\x90\0\0\x15\x13\0", true },  { "\1", "\x54\x13\x33\x90\0\0\x15\x13\2", false },
        { NULL, "\x54\x13\x33\x90\0\0\x15\x13\1", false }, { "\1", "\x54\x13\x33\x90\0\0\x15\x14\1", false },
    };
    for (unsigned i = 0; i < COUNT(cards); i++) {
        fresh(CEMV_PROFILE_BOOK);
        put(CEMV_SLOT_5A, BYTES("\x54\x13\x33\x90\0\0\x15\x13"));
        if (cards[i].sequence) put(CEMV_SLOT_5F34, of(cards[i].sequence, 1));
        put(K2_SLOT_9F5E, of(cards[i].id, 9));
        property(k2_storage_id_agrees(&kernel) == cards[i].agrees, "the identity of the card", i);
    }
}

/* ---- torn transactions ---- */

/* 1.5 and S10.11: the objects of a record are restored unchanged, except the card's own account. */
static void a_torn_record_brings_its_data_back(void)
{
    static const uint16_t slots[] = { CEMV_SLOT_9F02, CEMV_SLOT_9F03, CEMV_SLOT_9F34, CEMV_SLOT_9F33,
                                      CEMV_SLOT_9F1A, CEMV_SLOT_9F35, CEMV_SLOT_5F2A, CEMV_SLOT_9A,
                                      CEMV_SLOT_9F21, CEMV_SLOT_9C,   CEMV_SLOT_9F37 };
    static const uint8_t sizes[] = { 6, 6, 3, 3, 2, 1, 2, 3, 3, 1, 4 };
    for (unsigned i = 0; i < 8; i++) {
        const bool relay = i & 1, long_pdol = i & 2, drdol = i & 4;
        uint8_t values[COUNT(slots)][6], bytes[200];
        struct k2_memory *memory = fresh(CEMV_PROFILE_BOOK);
        for (size_t s = 0; s < COUNT(slots); s++) {
            for (size_t b = 0; b < 6; b++) values[s][b] = (uint8_t)(s % 9 + b % 2 * 0x10);
            put(slots[s], of(values[s], sizes[s]));
        }
        put(CEMV_SLOT_5A, BYTES("\x54\x13"));
        put(CEMV_SLOT_5F34, BYTES("\1"));
        put(CEMV_SLOT_95, relay ? BYTES("\1\2\3\4\x02") : BYTES("\1\2\3\4\0"));
        memory->tvr = relay ? BIT_OF(5, CEMV_TVR_5_RELAY_PERFORMED) : 0;
        for (size_t b = 0; b < sizeof memory->relay; b++) memory->relay[b] = (uint8_t)(0xA0 + b);
        memory->measured = 0x1234;
        memory->retries = 2;
        memory->control = 0x90;
        memory->ids = 0x80;
        for (size_t b = 0; b < sizeof bytes; b++) bytes[b] = (uint8_t)(b + 1);
        const size_t pdol_size = long_pdol ? 140 : 9;
        uint8_t pdol[150] = { 0x83, long_pdol ? 0x81 : 9, 140 };
        memory->pdol_header = long_pdol ? 3 : 2;
        memcpy(pdol + memory->pdol_header, bytes, pdol_size);
        property(cemv_store_keep(&kernel.store, of(pdol, memory->pdol_header + pdol_size), &memory->pdol), "room", i);
        memory->pdol.at = (uint16_t)(memory->pdol.at + memory->pdol_header);
        memory->pdol.size = (uint16_t)pdol_size;
        property(cemv_store_keep(&kernel.store, of(bytes, 20), &memory->cdol), "room", i);
        if (drdol) property(cemv_store_keep(&kernel.store, of(bytes + 20, 4), &memory->drdol), "room", i);
        k2_torn_store(&kernel, 2);
        property(reader.torn_count == 1, "one record", i);

        const struct cemv_reader_memory kept = reader;
        memory = fresh(CEMV_PROFILE_BOOK);
        reader = kept;
        put(CEMV_SLOT_5A, BYTES("\x54\x14"));
        put(CEMV_SLOT_5F34, BYTES("\2"));
        k2_torn_take(&kernel, true);
        bool same = true;
        for (size_t s = 0; s < COUNT(slots); s++) same &= value_is(slots[s], of(values[s], sizes[s]));
        property(same && reader.torn_count == 0, "the data of the transaction", i);
        property(value_is(CEMV_SLOT_5A, BYTES("\x54\x14")) && value_is(CEMV_SLOT_5F34, BYTES("\2")),
                 "the account is this card's", i);
        property(cemv_bytes_equal(cemv_span_bytes(&kernel.store, memory->pdol), of(bytes, pdol_size)) &&
                     memory->pdol_header == (long_pdol ? 3 : 2),
                 "the PDOL's values", i);
        property(cemv_bytes_equal(cemv_span_bytes(&kernel.store, memory->cdol), of(bytes, 20)) &&
                     cemv_bytes_equal(cemv_span_bytes(&kernel.store, memory->drdol), of(bytes + 20, drdol ? 4 : 0)),
                 "those of CDOL1 and DRDOL", i);
        property(memory->control == 0x90 && memory->ids == 0x80 && memory->retries == 2, "what was asked for", i);
        property(memory->measured == (relay ? 0x1234 : 0) && memory->relay[0] == (relay ? 0xA0 : 0) &&
                     memory->relay[13] == (relay ? 0xAD : 0) && memory->relay[9] == (relay ? 0xA9 : 0),
                 "the exchange that was performed", i);
        property(memory->tvr == (relay ? UINT64_C(0x0102030402) : UINT64_C(0x0102030400)), "the TVR", i);
    }
}

/* attacks.md, A20: the same amounts, currency and type are required; in `book` any values count. */
static void another_sale_recovers_nothing(void)
{
    static const char record[] = "\x9F\x02\6\0\0\0\0\0\1\x9F\x03\6\0\0\0\0\0\2\x5F\x2A\2\x09\x78\x9C\1\0";
    for (unsigned i = 0; i < 3 * 5; i++) {
        const uint8_t profile = (uint8_t)(i % 3);
        const unsigned differs = i / 3;
        fresh(profile);
        put(CEMV_SLOT_9F02, differs == 1 ? BYTES("\0\0\0\0\0\3") : BYTES("\0\0\0\0\0\1"));
        put(CEMV_SLOT_9F03, differs == 2 ? BYTES("\0\0\0\0\0\3") : BYTES("\0\0\0\0\0\2"));
        put(CEMV_SLOT_5F2A, differs == 3 ? BYTES("\x08\x40") : BYTES("\x09\x78"));
        put(CEMV_SLOT_9C, differs == 4 ? BYTES("\1") : BYTES("\0"));
        property(k2_is_same_sale(&kernel, BYTES(record)) == (profile == CEMV_PROFILE_BOOK || differs == 0),
                 "the same sale", i);
    }
}

/* attacks.md, A20: 120 s or the configured time, whichever is shorter; in `book` DF811C, else 300 s. */
static void a_record_lives_as_long_as_configured(void)
{
    for (unsigned i = 0; i < 2 * 3 * 3; i++) {
        const bool book = i & 1;
        const unsigned lifetime = i / 2 % 3, own = i / 6; /* DF811C: none, 60, 200; own: none, 30, 400 */
        static const uint16_t configured[] = { 300, 60, 200 }, protection[] = { 120, 30, 400 };
        const unsigned most = book || configured[lifetime] < protection[own] ? configured[lifetime] : protection[own];
        for (int beside = -1; beside <= 1; beside++) {
            const unsigned age = (unsigned)((int)most + beside), now = 13 * 3600 + 15 - age;
            uint8_t record[] = { 0x9A, 3, 0x26, 0x11, 0x21, 0x9F, 0x21, 3, 0, 0, 0 };
            fresh(book ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED);
            memcpy(kernel.transaction.time, "\x13\x00\x15", 3);
            checked.configuration.protection.torn_lifetime_s = own ? protection[own] : 0;
            if (lifetime) put(K2_SLOT_DF811C, of(lifetime == 1 ? "\0\x3C" : "\0\xC8", 2));
            const unsigned parts[] = { now / 3600, now / 60 % 60, now % 60 };
            for (size_t p = 0; p < 3; p++) record[8 + p] = (uint8_t)(parts[p] / 10 << 4 | parts[p] % 10);
            property(k2_torn_too_old(&kernel, of(record, sizeof record)) == (beside > 0), "its lifetime",
                     i << 2 | (unsigned)(beside + 1));
        }
    }
}

/* A write that may have happened is remembered with its summary if the record is not restored (S11). */
static void an_unresolved_write_is_remembered(void)
{
    static const char summary[] = "\x9F\x7D\x10\1\2\3\4\5\6\7\x08\x09\x0A\x0B\x0C\x0D\x0E\x0F\x10";
    for (unsigned i = 0; i < 2 * 3; i++) {
        static const uint8_t states[] = { 0x80, 0xC0, 0x40 };
        const bool restore = i & 1;
        struct k2_memory *const memory = fresh(CEMV_PROFILE_BOOK);
        uint8_t record[64];
        memcpy(record, summary, sizeof summary - 1);
        memcpy(record + sizeof summary - 1, "\xDF\x81\x28\1", 4);
        record[sizeof summary + 3] = states[i / 2];
        reader.torn_count = 1;
        reader.torn[0].size = (uint16_t)(sizeof summary + 4);
        memcpy(reader.torn[0].bytes, record, sizeof summary + 4);
        const bool write = (states[i / 2] & 0x40) != 0;
        property(k2_old_write_unresolved(&kernel, 0) == write, "a write may have happened", i);
        k2_torn_take(&kernel, restore);
        property(memory->old_write == (write && !restore) && reader.torn_count == 0, "it is remembered", i);
        if (memory->old_write)
            property(memory->old_summary_size == 16 && memcmp(memory->old_summary, summary + 3, 16) == 0 &&
                         memory->old_record.size == sizeof summary + 4,
                     "with its summary and its record", i);
    }
}

/* The session's contract: if the terminal abandons the tap, a cryptogram in progress is remembered, a refusal is not.
 */
static void a_cryptogram_under_way_is_remembered(void)
{
    static const struct {
        uint8_t state;
        bool needs_type, remembered;
    } states[] = {
        { K2_S9_WAIT_AC, false, true },         { K2_S11_WAIT_AC, false, true },
        { K2_S15_WAIT_PUT_DATA, true, true },   { K2_S17_WAIT_BALANCE, true, true },
        { K2_S910_WAIT_CARD_READ, true, true }, { K2_S10_WAIT_RECOVERY, false, false },
        { K2_S12_WAIT_PUT_DATA, false, false }, { K2_S4_WAIT_RECORD, false, false },
        { K2_S16_WAIT_BALANCE, false, false },  { K2_S13_WAIT_CHECKSUM, false, false },
    };
    for (unsigned i = 0; i < COUNT(states) * 4; i++) {
        static const uint8_t types[] = { 0x00, 0x40, 0x80, 0x3F };
        const uint8_t type = types[i % 4];
        const unsigned s = i / 4;
        fresh(CEMV_PROFILE_BOOK);
        put(K2_SLOT_9F51, BYTES("\x9F\x37\4"));
        put(CEMV_SLOT_9F37, BYTES("\1\2\3\4"));
        put(K2_SLOT_DF811D, BYTES("\2"));
        put(CEMV_SLOT_5A, BYTES("\x54\x13"));
        put(CEMV_SLOT_9F27, of(&type, 1));
        kernel.out.state = states[s].state;
        cemv_kernel_2.abandon(&kernel);
        const bool refused = (type & 0xC0) == 0;
        property(reader.torn_count == (states[s].remembered && !(states[s].needs_type && refused)), "remembered", i);
    }
}

/* S3, R1, S4, S5, S7 accept unrequested data; no other state does. */
static void data_come_unasked_where_the_card_works(void)
{
    for (uint8_t state = 1; state <= 30; state++) {
        const bool open = state == K2_S3_WAIT_GPO || state == K2_R1_WAIT_RELAY || state == K2_S4_WAIT_RECORD ||
                          state == K2_S5_WAIT_GET_DATA || state == K2_S7_WAIT_RECORD;
        fresh(CEMV_PROFILE_BOOK);
        kernel.out.state = state;
        k2_exchange_open(&kernel);
        cemv_kernel_2.data(&kernel, BYTES("\x9F\x7C\2\1\2\xDF\x81\x10\1\1"));
        property(cemv_store_has(&kernel.store, K2_SLOT_DF8110) == open, "what is taken", state);
    }
}

/* ---- the dialogue ---- */

/* S3.8-18, S3.30-35: after GPO, relay resistance follows if reader, card and protection support it. The mag-stripe
 * record is skipped in EMV mode, and is the only one read in mag-stripe mode. */
static void after_the_profile_comes_what_both_have(void)
{
    for (unsigned i = 0; i < 64; i++) {
        const bool reader_relay = i & 1, card_relay = i & 2, off = i & 4, magstripe_off = i & 8, first = i & 16,
                   emv = i & 32;
        const uint8_t configuration = (uint8_t)((reader_relay ? 0x10 : 0) | (magstripe_off ? 0x80 : 0));
        uint8_t body[] = "\x80\x0A\0\0\x08\1\1\0\x10\1\1\0\x90\0";
        struct k2_memory *const memory = fresh(CEMV_PROFILE_BOOK);
        checked.configuration.protection.relay = off ? CEMV_RELAY_OFF : 0;
        put(K2_SLOT_DF811B, of(&configuration, 1));
        kernel.random.size = 8;
        memcpy(kernel.random.pool, "\1\2\3\4\5\6\7\x08", 8);
        body[3] = (uint8_t)((emv ? 0x80 : 0) | (card_relay ? 0x01 : 0));
        if (!first) body[5] = body[6] = 2;
        const enum cemv_step step = reply_in(K2_S3_WAIT_GPO, CEMV_REPLY_RESPONSE, of(body, 14));
        const uint8_t *command = kernel.out.command;
        if (emv && reader_relay && card_relay && !off)
            property(step == CEMV_STEP_SEND && command[1] == 0xEA && kernel.out.state == K2_R1_WAIT_RELAY,
                     "relay resistance", i);
        else if (emv) {
            const bool skips = first && !magstripe_off;
            property(step == CEMV_STEP_SEND && command[1] == 0xB2 && command[2] == (first ? 1 : 2) &&
                         command[3] == (skips ? 0x14 : 0x0C),
                     "the first record of EMV mode", i);
            property((memory->tvr & BIT_OF(5, CEMV_TVR_5_RELAY_NOT_PERFORMED)) != 0, "was not performed", i);
        } else if (magstripe_off) {
            property(ends_with(CEMV_REASON_KERNEL, CEMV_L2_MAGSTRIPE_NOT_SUPPORTED, 0), "no mode in common", i);
        } else {
            property(step == CEMV_STEP_SEND && command[1] == 0xB2 && command[3] == 0x0C &&
                         kernel.out.state == K2_S7_WAIT_RECORD,
                     "the first record of mag-stripe mode", i);
            property((kernel.afl.at >= kernel.afl.end) == first, "of a mag-stripe record there is one", i);
        }
    }
    for (unsigned i = 0; i < 3; i++) {
        static const char *const bodies[] = { "\x77\4\x82\2\0\x80\x90\0", "\x77\6\x94\4\x08\1\1\0\x90\0",
                                              "\x80\6\0\x80\x08\0\1\0\x90\0" };
        static const uint8_t sizes[] = { 8, 10, 10 };
        fresh(CEMV_PROFILE_BOOK);
        (void)reply_in(K2_S3_WAIT_GPO, CEMV_REPLY_RESPONSE, of(bodies[i], sizes[i]));
        property(ends_with(CEMV_REASON_CARD_DATA, i == 2 ? CEMV_L2_CARD_DATA_ERROR : CEMV_L2_CARD_DATA_MISSING, 0),
                 "profile and locator are there and well formed", i);
    }
    fresh(CEMV_PROFILE_BOOK);
    (void)reply_in(K2_S3_WAIT_GPO, CEMV_REPLY_RESPONSE, BYTES("\x69\x85"));
    const struct cemv_outcome *outcome = &kernel.out.outcome;
    property(outcome->status == CEMV_OUTCOME_SELECT_NEXT && outcome->start == CEMV_START_C &&
                 outcome->reason == CEMV_REASON_CARD_STATUS && outcome->error_indication[1] == CEMV_L2_STATUS_BYTES &&
                 outcome->error_indication[3] == 0x69 && outcome->error_indication[4] == 0x85,
             "another status word selects the next", 0);
}

/* S456.12-20: the objects that the card must have supplied once all records are read, and the limit. */
static void a_cryptogram_needs_its_data(void)
{
    for (unsigned i = 0; i < 6; i++) {
        struct k2_memory *const memory = fresh(CEMV_PROFILE_BOOK);
        memory->mode = K2_MODE_EMV;
        put(CEMV_SLOT_82, BYTES("\0\x80"));
        if (i != 1) put(CEMV_SLOT_9F02, i == 2 ? BYTES("\0\0\0\0\x10\1") : BYTES("\0\0\0\0\x10\0"));
        put(K2_SLOT_DF8124, BYTES("\0\0\0\0\x10\0"));
        put(K2_SLOT_DF8123, BYTES("\0\0\0\0\x10\0"));
        if (i != 3) put(CEMV_SLOT_5F24, BYTES("\x30\x12\x31"));
        if (i != 4) put(CEMV_SLOT_5A, BYTES("\x54\x13\x33\x90\0\0\x15\x13"));
        if (i != 5) put(CEMV_SLOT_8C, BYTES("\x9F\x37\4"));
        put(CEMV_SLOT_9F37, BYTES("\1\2\3\4"));
        memory->record.sfi = 1;
        (void)reply_in(K2_S4_WAIT_RECORD, CEMV_REPLY_RESPONSE, BYTES("\x70\0\x90\0"));
        const struct cemv_outcome *outcome = &kernel.out.outcome;
        if (i == 0)
            property(kernel.out.step == CEMV_STEP_SEND && kernel.out.command[1] == 0xAE &&
                         (memory->tvr & BIT_OF(4, CEMV_TVR_4_FLOOR_LIMIT_EXCEEDED)) == 0,
                     "at the floor limit", i);
        else if (i == 1)
            property(outcome->status == CEMV_OUTCOME_END_APPLICATION &&
                         outcome->error_indication[2] == CEMV_L3_AMOUNT_NOT_PRESENT && !outcome->ui_on_outcome_present,
                     "no amount", i);
        else if (i == 2)
            property(outcome->status == CEMV_OUTCOME_SELECT_NEXT && outcome->reason == CEMV_REASON_KERNEL_LIMIT &&
                         outcome->error_indication[1] == CEMV_L2_MAX_LIMIT_EXCEEDED &&
                         outcome->error_indication[3] == 0 && outcome->error_indication[4] == 0,
                     "above the limit", i);
        else property(ends_with(CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_MISSING, 0), "data are missing", i);
    }
}

/* S5.19-24: the answer to GET DATA counts if it is exactly the object, under 9000; else an empty answer is sent. */
static void get_data_is_answered_by_its_object(void)
{
    static const struct {
        const char *body;
        size_t size;
        bool taken;
    } answers[] = {
        { "\x9F\x7A\1\7\x90\0", 6, false },   { "\x9F\x70\1\7\x90\0", 6, true },
        { "\x9F\x70\1\7\x62\x83", 6, false }, { "\x9F\x70\1\7\x9F\x71\1\7\x90\0", 10, false },
        { "\x9F\x71\1\7\x90\0", 6, false },   { "\x9F\x70\1\7\x9F\x90\0", 7, false },
        { "\x9F\x70\2\7\x90\0", 6, false },   { "\x90\0", 2, false },
    };
    for (unsigned i = 0; i < COUNT(answers); i++) {
        struct k2_memory *const memory = fresh(CEMV_PROFILE_BOOK);
        memory->mode = K2_MODE_EMV;
        memory->active = K2_SLOT_9F70;
        (void)reply_in(K2_S5_WAIT_GET_DATA, CEMV_REPLY_RESPONSE, of(answers[i].body, answers[i].size));
        property(cemv_store_has(&kernel.store, K2_SLOT_9F70) == answers[i].taken, "its object alone", i);
        property(!cemv_store_has(&kernel.store, K2_SLOT_9F71), "no other", i);
    }
}

/* S9.1-15: a lost cryptogram is remembered if it can be recovered; otherwise a write that may have happened has a
 * record. */
static void a_lost_cryptogram_may_have_written(void)
{
    for (unsigned i = 0; i < 16; i++) {
        const bool room = i & 1, list = i & 2, write = i & 4;
        const uint8_t kind = i & 8 ? CEMV_REPLY_TRANSMISSION : CEMV_REPLY_TIMEOUT;
        struct k2_memory *const memory = fresh(CEMV_PROFILE_BOOK);
        memory->mode = K2_MODE_EMV;
        memory->ids = (uint8_t)(K2_IDS_READ | (write ? K2_IDS_WRITE : 0));
        if (room) put(K2_SLOT_DF811D, BYTES("\1"));
        if (list) put(K2_SLOT_9F51, BYTES("\x9F\x37\4"));
        put(CEMV_SLOT_9F37, BYTES("\1\2\3\4"));
        put(CEMV_SLOT_5A, BYTES("\x54\x13"));
        put(CEMV_SLOT_9F02, BYTES("\0\0\0\0\0\1"));
        (void)reply_in(K2_S9_WAIT_AC, kind, BYTES(""));
        const struct cemv_outcome *outcome = &kernel.out.outcome;
        const bool recoverable = room && list, record = !recoverable && write;
        property(reader.torn_count == recoverable, "it is remembered", i);
        property(outcome->status == CEMV_OUTCOME_END_APPLICATION &&
                     outcome->start == (record ? CEMV_START_NA : CEMV_START_B) &&
                     outcome->error_indication[0] == (i & 8 ? CEMV_L1_TRANSMISSION : CEMV_L1_TIMEOUT) &&
                     outcome->error_indication[1] == CEMV_L2_OK && outcome->error_indication[3] == 0 &&
                     outcome->error_indication[4] == 0,
                 "how it ends", i);
        property((kernel.out.record_size != 0) == record, "with the data record where it may have been written", i);
    }
}

/* CEMV_ASK_RANDOM: fewer than four bytes are no number. */
static void four_random_bytes_are_needed(void)
{
    for (unsigned i = 0; i < 7; i++) {
        struct k2_memory *const memory = fresh(CEMV_PROFILE_BOOK);
        memory->resume = K2_RESUME_RELAY;
        const enum cemv_step step =
            reply_in(K2_WAIT_RANDOM, i == 6 ? CEMV_REPLY_DEADLINE : CEMV_REPLY_DATA, of("\1\2\3\4\5\6", i));
        const bool enough = i >= 4 && i < 6;
        property(enough ? step == CEMV_STEP_SEND && memcmp(kernel.out.command + 5, "\1\2\3\4", 4) == 0
                        : kernel.out.outcome.status == CEMV_OUTCOME_END_APPLICATION &&
                              kernel.out.outcome.reason == CEMV_REASON_RANDOM &&
                              kernel.out.outcome.error_indication[5] == 0xFF,
                 "four bytes of them", i);
    }
}

/* 4.12, S13, S14: each failed checksum is counted, up to five, and followed by a wait; then the tap ends with its
 * failure. */
static void failed_checksums_are_counted(void)
{
    static const struct {
        const char *body;
        size_t size;
        uint8_t l2, reason;
        uint16_t status_word;
        bool track_1;
    } answers[] = {
        { "\x6A\x80", 2, CEMV_L2_STATUS_BYTES, CEMV_REASON_CARD_STATUS, 0x6A80, false },
        { "\x70\0\x90\0", 4, CEMV_L2_PARSING_ERROR, CEMV_REASON_CARD_DATA, 0, false },
        { "\x77\5\x9F\x61\2\0\1\x90\0", 9, CEMV_L2_CARD_DATA_MISSING, CEMV_REASON_CARD_DATA, 0, false },
        { "\x77\5\x9F\x36\2\0\1\x90\0", 9, CEMV_L2_CARD_DATA_MISSING, CEMV_REASON_CARD_DATA, 0, false },
        { "\x77\x0A\x9F\x61\2\0\1\x9F\x36\2\0\7\x90\0", 14, CEMV_L2_CARD_DATA_MISSING, CEMV_REASON_CARD_DATA, 0, true },
    };
    for (unsigned i = 0; i < COUNT(answers) * 7; i++) {
        const unsigned a = i % (unsigned)COUNT(answers);
        const uint8_t failures = (uint8_t)(i / COUNT(answers));
        struct k2_memory *const memory = fresh(CEMV_PROFILE_BOOK);
        memory->mode = K2_MODE_MAGSTRIPE;
        reader.failed_magstripe = failures;
        if (answers[a].track_1) put(CEMV_SLOT_56, BYTES("B5413^A^3012201123"));
        put(CEMV_SLOT_9F6B, BYTES("\x54\x13\xD3\x01\x22\x01\x11\x11\x11\x11\x11"));
        enum cemv_step step = reply_in(K2_S13_WAIT_CHECKSUM, CEMV_REPLY_RESPONSE, of(answers[a].body, answers[a].size));
        property(step == CEMV_STEP_ASK && kernel.out.state == K2_WAIT_BACK_OFF, "it waits", i);
        property(reader.failed_magstripe == (failures < 5 ? failures + 1 : failures), "it counts", i);
        (void)reply_in(K2_WAIT_BACK_OFF, CEMV_REPLY_DEADLINE, BYTES(""));
        property(ends_with(answers[a].reason, answers[a].l2, answers[a].status_word), "and ends as it failed", i);
    }
    fresh(CEMV_PROFILE_BOOK);
    kernel.transaction.reader = NULL;
    property(reply_in(K2_S13_WAIT_CHECKSUM, CEMV_REPLY_RESPONSE, BYTES("\x6A\x80")) == CEMV_STEP_ASK,
             "without a reader's memory nothing is counted", 0);
}

/* ---- ends ---- */

/* [S3R1.16, S4.10 and similar steps]: data are sent to the terminal if it must supply some, or if there are some for it
 * and no tag is left to be read. */
static void an_exchange_is_due_where_the_terminal_must_answer_or_all_is_read(void)
{
    for (unsigned which = 0; which < 8; which++) {
        const bool needs = which & 1, sends = which & 2, reads = which & 4;
        struct k2_memory *const memory = fresh(CEMV_PROFILE_BOOK);
        if (needs) k2_need(&kernel, K2_SLOT_DF8110);
        memory->to_send.count = sends, memory->to_send.item[0].slot = CEMV_SLOT_9F02;
        memory->to_read.count = reads, memory->to_read.slot[0] = K2_SLOT_9F70;
        kernel.out.exchange_size = 0;
        k2_exchange_if_needed(&kernel);
        property((kernel.out.exchange_size != 0) == (needs || (sends && !reads)), "an exchange is due", which);
        if (kernel.out.exchange_size == 0) continue;
        const cemv_bytes tags = needs ? BYTES("\xDF\x81\x06\3\xDF\x81\x10") : BYTES("\xDF\x81\x06\0");
        const size_t before = kernel.out.exchange_size - tags.size;
        property(cemv_bytes_equal(of(kernel.out.records + before, tags.size), tags), "Data Needed is the last", which);
        property(memory->needed.count == 0, "is asked for once", which);
    }
}

/* [S78.15-22]: the checksum's data are those that the card's list names, or else the configured list, or else 9F6A of
 * four bytes. The Mobile Support Indicator is 01; 03 if the device verifies above the limit. */
static void a_checksum_has_its_list(void)
{
    for (unsigned i = 0; i < 16; i++) {
        const bool of_card = i & 1, configured = i & 2, on_device = i & 4, above = i & 8;
        struct k2_memory *const memory = fresh(CEMV_PROFILE_BOOK);
        memory->mode = K2_MODE_MAGSTRIPE;
        memory->number_digits = 4;
        memory->resume = K2_RESUME_CHECKSUM;
        put(CEMV_SLOT_9F6B, BYTES("\x54\x13\xD3\x01\x22\x01\x11\x11\x11\x11\x11"));
        put(K2_SLOT_9F65, BYTES("\0\x0E"));
        put(K2_SLOT_9F66, BYTES("\0\xF0"));
        put(K2_SLOT_9F67, BYTES("\0"));
        put(CEMV_SLOT_9F02, above ? BYTES("\0\0\0\0\x10\1") : BYTES("\0\0\0\0\x10\0"));
        put(K2_SLOT_DF8126, BYTES("\0\0\0\0\x10\0"));
        if (of_card) put(K2_SLOT_9F69, BYTES("\x9F\x7E\1\x9F\x02\6"));
        if (configured) put(K2_SLOT_DF811A, BYTES("\x9F\x7E\1"));
        if (on_device) put(CEMV_SLOT_82, BYTES("\2\0")), put(K2_SLOT_DF811B, BYTES("\x20"));
        (void)reply_in(K2_WAIT_RANDOM, CEMV_REPLY_DATA, BYTES("\0\0\0\1\0\0\0\2"));
        const size_t size = of_card ? 7 : configured ? 1 : 4;
        const uint8_t *const command = kernel.out.command;
        property(kernel.out.step == CEMV_STEP_SEND && command[1] == 0x2A && command[4] == size, "the list's values", i);
        if (of_card || configured) property(command[5] == (on_device && above ? 3 : 1), "Mobile Support Indicator", i);
        if (of_card) property(memcmp(command + 6, above ? "\0\0\0\0\x10\1" : "\0\0\0\0\x10\0", 6) == 0, "and more", i);
    }
}

/* 1.7 and the states: how long a message is shown, and that it is in the card's language. */
static void an_end_says_how_long_and_in_which_language(void)
{
    static const struct {
        const char *hold;
        uint32_t ms;
    } holds[] = { { NULL, 1300 }, { "\0\0\x05", 500 }, { "\0\1\x23", 12300 }, { "\0\0\0", 0 } };
    for (unsigned i = 0; i < COUNT(holds); i++) {
        fresh(CEMV_PROFILE_BOOK);
        if (holds[i].hold) put(K2_SLOT_DF812D, of(holds[i].hold, 3));
        memcpy(kernel.language, "en", 2);
        kernel.language_size = 2;
        (void)reply_in(K2_R1_WAIT_RELAY, CEMV_REPLY_RESPONSE, BYTES("\x6A\x80"));
        const struct cemv_ui_request *request = &kernel.out.outcome.ui_on_outcome;
        property(request->message == CEMV_MESSAGE_TRY_ANOTHER_CARD && request->hold_ms == holds[i].ms,
                 "the hold time is DF812D in units of 100 ms", i);
        property(request->language_size == 2 && memcmp(request->language, "en", 2) == 0, "the card's language", i);
        property(kernel.out.outcome.error_indication[5] == CEMV_MESSAGE_TRY_ANOTHER_CARD, "message on error", i);
    }
    for (unsigned i = 0; i < 2; i++) {
        fresh(CEMV_PROFILE_BOOK);
        memcpy(kernel.language, "en", 2);
        kernel.language_size = 2;
        (void)reply_in(i ? K2_S4_WAIT_RECORD : K2_R1_WAIT_RELAY, CEMV_REPLY_TIMEOUT, BYTES(""));
        const struct cemv_outcome *outcome = &kernel.out.outcome;
        property(outcome->status == CEMV_OUTCOME_END_APPLICATION && outcome->start == CEMV_START_B &&
                     outcome->reason == CEMV_REASON_LINK && outcome->error_indication[0] == CEMV_L1_TIMEOUT,
                 "the card is asked for again", i);
        property(outcome->ui_on_restart_present && outcome->ui_on_restart.message == CEMV_MESSAGE_PRESENT_AGAIN &&
                     outcome->ui_on_restart.language_size == 2,
                 "in its language", i);
    }
    fresh(CEMV_PROFILE_BOOK);
    property(cemv_kernel_2.stop &&
                 (kernel.out.state = K2_S4_WAIT_RECORD, cemv_kernel_2.stop(&kernel)) == CEMV_STEP_DONE &&
                 kernel.out.outcome.reason == CEMV_REASON_STOPPED &&
                 kernel.out.outcome.error_indication[2] == CEMV_L3_STOP &&
                 kernel.out.outcome.error_indication[5] == 0xFF && !kernel.out.outcome.ui_on_outcome_present,
             "the terminal's stop shows nothing", 0);
}

void properties_of_kernel_2_steps(void)
{
    PART(a_balance_is_taken_from_its_own_answer);
    PART(format_1_of_a_cryptogram_has_its_fields);
    PART(format_1_of_processing_options_has_whole_entries);
    PART(a_relay_answer_has_one_form);
    PART(initial_data_are_those_of_the_start);
    PART(capabilities_follow_the_cvm_limit);
    PART(the_transaction_limit_is_passed_by_more);
    PART(relay_resistance_counts_as_the_rule_says);
    PART(unproven_data_choose_no_method);
    PART(an_approval_is_guarded);
    PART(few_digits_are_too_short);
    PART(a_card_that_denies_its_chip_is_downgraded);
    PART(an_exception_list_names_accounts);
    PART(both_tracks_have_one_number);
    PART(digits_have_a_place_in_the_discretionary_data);
    PART(a_magstripe_transaction_has_its_method);
    PART(storage_is_announced_where_both_have_it);
    PART(storage_is_read_where_the_card_can_prove_it);
    PART(the_card_s_identity_is_that_of_its_account);
    PART(a_torn_record_brings_its_data_back);
    PART(another_sale_recovers_nothing);
    PART(a_record_lives_as_long_as_configured);
    PART(an_unresolved_write_is_remembered);
    PART(a_cryptogram_under_way_is_remembered);
    PART(data_come_unasked_where_the_card_works);
    PART(after_the_profile_comes_what_both_have);
    PART(a_cryptogram_needs_its_data);
    PART(get_data_is_answered_by_its_object);
    PART(a_lost_cryptogram_may_have_written);
    PART(four_random_bytes_are_needed);
    PART(failed_checksums_are_counted);
    PART(an_end_says_how_long_and_in_which_language);
    PART(an_exchange_is_due_where_the_terminal_must_answer_or_all_is_read);
    PART(a_checksum_has_its_list);
}
