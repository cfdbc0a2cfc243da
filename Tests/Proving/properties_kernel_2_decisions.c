/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 2's decisions at their limits: amounts of a CVM List, times of relay resistance, approvals. */
#include "kernel_2_part.h"

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
    /* Unattended: 4, 5 and 6 in the second digit of the terminal type. Cash at such a terminal is not manual cash. */
    for (unsigned kind = 0; kind < 16; kind++) {
        const uint8_t list[10] = { 0, 0, 0, 0, 0, 0, 0, 0, 0x1F, 1 };
        const struct k2_cvm_in in = { .card_verifies = true,
                                      .list = of(list, sizeof list),
                                      .capability = 0x08,
                                      .terminal_type = (uint8_t)(0x20 | kind),
                                      .type = CEMV_TYPE_CASH };
        property((k2_cvm(&in).results[0] == 0x1F) == (kind >= 4 && kind <= 6), "unattended cash", kind);
    }
}

/* After Fail CVM no further rule is checked, whatever bit 7 says; a rule whose condition is not met is skipped (Book 3,
 * 10.5). */
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

/* Defaults: grace of 2 and 5 ms, 1.8 and 2.4 ms of transmission, an accuracy of 30 ms, half of either transmission
 * time. */
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

/* CDOL1 with amount, type and number. */
#define WHOLE_LIST "\x9F\x02\6\x9C\1\x9F\x37\4"
static void put_list(const char *list, size_t size, bool covered)
{
    put(CEMV_SLOT_8C, list, size);
    kernel.store.entry[kernel.store.index[CEMV_SLOT_8C] - 1].covered = covered;
}

/* A signature counts only if the list is signed too, with amount, type and number complete (attacks.md, A35). */
static void an_unsigned_list_approves_nothing(void)
{
    static const struct {
        const char *list;
        bool covered, whole;
    } rows[] = {
        { WHOLE_LIST, true, true },
        { WHOLE_LIST, false, false },
        { "\x9F\x03\6\x9C\1\x9F\x37\4", true, false },
        { "\x9F\x02\5\x9C\1\x9F\x37\4", true, false },
        { "\x9F\x02\6\x9A\1\x9F\x37\4", true, false },
        { "\x9F\x02\6\x9C\1\x9F\x37\2", true, false },
        { "\x9F\x37\4\x9C\1\x9F\x02\6", true, true },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0] * 6; i++) {
        const uint8_t profile = (uint8_t)(i % 3), terminal_type = i / 3 % 2 ? 0x23 : 0x22;
        fresh(profile);
        checked.configuration.protection.offline = CEMV_RULE_ENFORCE;
        put(CEMV_SLOT_9C, "\0", 1);
        put(CEMV_SLOT_9F02, "\0\0\0\0\x10\0", 6);
        put(K2_SLOT_DF8126, "\0\0\0\1\0\0", 6);
        put(CEMV_SLOT_9F35, &terminal_type, 1);
        put_list(rows[i / 6].list, 8, rows[i / 6].covered);
        k2_memory_of(&kernel)->cda = true;
        const bool refused = profile != CEMV_PROFILE_BOOK && !rows[i / 6].whole;
        property(k2_guard_type(&kernel, K2_TC) == (!refused    ? K2_TC
                                                   : i / 3 % 2 ? K2_AAC
                                                               : K2_ARQC),
                 "an unsigned list is for the issuer", i);
        property((kernel.findings >> CEMV_FINDING_LIST_UNSIGNED & 1) == !rows[i / 6].whole, "and found", i);
    }
}

/* The card alone can approve purchases, cash, cashback and cash disbursement with an amount, proven by a signature; in
 * profile `strict`, nothing (attacks.md, A07, A30). */
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
                put_list(WHOLE_LIST, sizeof WHOLE_LIST - 1, true);
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
    /* Strict: if data authentication failed, the transaction is declined below the limit as well (A04). */
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

/* Book 3, 10.4.1; the version is 0002 if the reader's is not configured. A card without a version does not count as a
 * mismatch. */
static void versions_that_differ(void)
{
    for (unsigned card = 0; card < 6; card++)
        for (unsigned own = 0; own < 6; own++) {
            const uint8_t of_card[2] = { 0, (uint8_t)card }, of_reader[2] = { 0, (uint8_t)own };
            fresh(CEMV_PROFILE_BOOK);
            if (card != 0) put(CEMV_SLOT_9F08, of_card, 2);
            if (own != 0) put(CEMV_SLOT_9F09, of_reader, 2);
            const bool differs = card != 0 && card != (own != 0 ? own : 2);
            property(((k2_restrictions_of(&kernel) & CEMV_TVR(2, 0x80)) != 0) == differs, "versions", card << 4 | own);
        }
}

static struct {
    uint32_t step;
    uint64_t value;
} notes[8];
static unsigned noted;
static void note(void *context, struct cemv_state state, uint32_t clause, uint64_t value)
{
    (void)context;
    (void)state;
    if (noted < 8) notes[noted].step = clause, notes[noted].value = value;
    noted++;
}

/* cemv_session.h: the log has the method, the TVR and the cryptogram of the decision, in this order (S456.36, .38,
 * .39). */
static void decisions_are_noted(void)
{
    static const struct cemv_log log = { .note = note };
    for (unsigned i = 0; i < 4; i++) {
        const bool above = i & 1, declines = i & 2;
        struct k2_memory *const memory = k2_memory_of(&kernel);
        fresh(CEMV_PROFILE_BOOK);
        kernel.transaction.log = &log, noted = 0;
        put(CEMV_SLOT_82, "\x00\x80", 2), put(CEMV_SLOT_8C, "\x9F\x37\4", 3);
        put(CEMV_SLOT_9F02, above ? "\0\0\0\0\x90\0" : "\0\0\0\0\0\1", 6);
        put(K2_SLOT_DF8123, "\0\0\0\0\x50\0", 6), put(K2_SLOT_DF8126, "\0\0\0\1\0\0", 6);
        put(K2_SLOT_DF8121, declines ? "\xFF\xFF\xFF\xFF\xFF" : "\0\0\0\0\0", 5);
        put(CEMV_SLOT_9F35, "\x22", 1), put(K2_SLOT_DF811B, "\x20", 1);
        memory->tvr = CEMV_TVR(5, CEMV_TVR_5_RELAY_NOT_PERFORMED), memory->mode = K2_MODE_EMV;
        property(told(K2_S16_WAIT_BALANCE, CEMV_REPLY_RESPONSE) == CEMV_STEP_SEND && kernel.out.command[1] == 0xAE,
                 "a cryptogram is asked for", i);
        property(noted == 3 && notes[0].step == CEMV_STEP_OF(456, 36) && notes[1].step == CEMV_STEP_OF(456, 38) &&
                     notes[2].step == CEMV_STEP_OF(456, 39),
                 "three decisions", noted);
        property(notes[0].value == kernel.out.outcome.cvm && notes[2].value == memory->ac_type &&
                     (kernel.out.command[2] & 0xC0) == (memory->ac_type & 0xC0) &&
                     ((notes[1].value & CEMV_TVR(4, CEMV_TVR_4_FLOOR_LIMIT_EXCEEDED)) != 0) == above &&
                     (notes[1].value & CEMV_TVR(5, CEMV_TVR_5_RELAY_NOT_PERFORMED)) != 0,
                 "with what came of them", i);
        property(!declines || notes[2].value == K2_AAC, "a decline", i);
    }
}

void properties_of_kernel_2_decisions(void)
{
    PART(properties_of_amounts);
    PART(fail_cvm_ends_selection);
    PART(properties_of_relay_times);
    PART(properties_of_guards);
    PART(an_unsigned_list_approves_nothing);
    PART(versions_that_differ);
    PART(decisions_are_noted);
}
