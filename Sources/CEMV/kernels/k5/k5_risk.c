/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 5: from the last record to the first GENERATE AC: limits, risk, restrictions, cardholder verification, action
 * analysis (Book C-5 v2.10, 3.4.1 to 3.7, 3.8.1.1 to 3.8.1.4, 3.9.1). The decisions themselves are in k5_rules.c and
 * rules/. */
#include "k5_memory.h"

/* 3.4.1 ------------------------------------------------------------------------------------------------------------ */

static bool is_date(cemv_bytes date)
{
    uint32_t days;
    return cemv_date_read(date, &days);
}

/* 3.4.1.2, and formats (3.11.1.2; Book 3, 7.5). */
kernel_noinline static uint8_t records_fault(struct cemv_kernel *kernel)
{
    const cemv_bytes list = cemv_value(kernel, CEMV_SLOT_8C), expiry = cemv_value(kernel, CEMV_SLOT_5F24);
    const cemv_bytes effective = cemv_value(kernel, CEMV_SLOT_5F25);
    if (list.size == 0 || expiry.size == 0 || !cemv_store_has(&kernel->store, CEMV_SLOT_57))
        return CEMV_L2_CARD_DATA_MISSING;
    if (!is_date(expiry) || (effective.size != 0 && !is_date(effective))) return CEMV_L2_CARD_DATA_ERROR;
    return k5_fill_in(kernel, list, K5_LIST_MAX, NULL) ? CEMV_L2_OK : CEMV_L2_PARSING_ERROR;
}

/* The account: on the exception file (3.5.5), and, beyond the book, one that contradicts itself or its brand, or is not
 * there (attacks.md, A03, A17). A frame of its own. False: it is refused. */
kernel_noinline static bool look_at_account(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    uint8_t buffer[CEMV_PAN_SIZE_MAX];
    const struct cemv_account account = cemv_account_of(&kernel->store);
    const cemv_bytes pan = cemv_account_pan(&account, buffer);
    memory->listed = cemv_on_exception_list(kernel, pan);
    memory->foreign = cemv_brand_refused(kernel, pan);
    if (account.pan.size == 0 && !cemv_is_book(kernel)) return false;
    return pan.size == 0 || !cemv_account_refused(kernel, &account, pan);
}

/* 3.4.1.3: 92 is needed where the issuer's key does not fit into its certificate (Book 2, Table 6). */
static bool lacks_certificates(const struct cemv_kernel *kernel)
{
    enum { CERTIFICATE_OVERHEAD = 36 };
    static const uint16_t slots[] = { CEMV_SLOT_8F, CEMV_SLOT_90, CEMV_SLOT_9F32, CEMV_SLOT_9F46, CEMV_SLOT_9F47 };
    const cemv_bytes issuer = cemv_value(kernel, CEMV_SLOT_90), icc = cemv_value(kernel, CEMV_SLOT_9F46);
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
        if (!cemv_store_has(&kernel->store, slots[i])) return true;
    return icc.size + CERTIFICATE_OVERHEAD > issuer.size && !cemv_store_has(&kernel->store, CEMV_SLOT_92);
}

/* 3.4.1.3, .4; whether a key is missing is asked whatever the AIP says. */
static void look_for_certificates(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    cemv_look_for_stripped_oda(kernel, CEMV_AIP_1_CDA);
    if (memory->legacy) return;
    if (k5_cda_is_on(kernel) && lacks_certificates(kernel))
        memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_ICC_DATA_MISSING | CEMV_TVR_1_CDA_FAILED);
    if (k5_option(kernel, CEMV_KERNEL_5_ODA) && cemv_store_has(&kernel->store, CEMV_SLOT_8F) &&
        !cemv_has_ca_key(kernel))
        memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED);
}

/* An EMV card that shows itself in Legacy Mode (attacks.md, A27). */
static void look_for_downgrade(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const bool emv = (cemv_value_byte(kernel, CEMV_SLOT_82, 1) & CEMV_AIP_2_EMV_MODE) != 0 ||
                     cemv_store_has(&kernel->store, CEMV_SLOT_9F46) || cemv_store_has(&kernel->store, CEMV_SLOT_8F);
    memory->downgraded = memory->legacy && emv;
    if (memory->downgraded) cemv_finding_add(kernel, CEMV_FINDING_MODE_DOWNGRADE);
}

/* 3.7, 3.8.1, 3.9.1 ------------------------------------------------------------------------------------------------ */

/* What makes a signature one of this transaction: number and amount go out whole, in one of the lists. */
static bool is_sent(const struct cemv_kernel *kernel, uint32_t tag, uint8_t size)
{
    const cemv_bytes pdol = cemv_span_bytes(&kernel->store, kernel->pdol);
    return k5_dol_asks(pdol, tag, size) || k5_dol_asks(cemv_value(kernel, CEMV_SLOT_8C), tag, size);
}

static bool is_covered(const struct cemv_kernel *kernel, uint16_t slot)
{
    const struct cemv_store_entry *const entry = cemv_store_find(&kernel->store, slot);
    return entry != NULL && entry->covered != 0;
}

/* Beyond the book: the signature to come would not be worth an approval, so that the issuer is asked (attacks.md, A18,
 * A19, A35). */
static bool will_sign_too_little(struct cemv_kernel *kernel)
{
    enum { NUMBER_SIZE = 4, AMOUNT_SIZE = 6 };
    struct k5_memory *memory = k5_memory_of(kernel);
    memory->bound = is_sent(kernel, CEMV_TAG_9F37_UNPREDICTABLE_NUMBER, NUMBER_SIZE) &&
                    is_sent(kernel, CEMV_TAG_9F02_AMOUNT_AUTHORISED, AMOUNT_SIZE);
    const bool covered = is_covered(kernel, CEMV_SLOT_8C) && is_covered(kernel, CEMV_SLOT_5F24);
    return !(memory->bound && covered) && !cemv_is_book(kernel);
}

/* CDA is requested where it is performed, even if it is known to fail (3.8.1.4). */
static enum cemv_step ask_ac(struct cemv_kernel *kernel)
{
    enum { CDA_SIGNATURE = 0x10 }; /* reference control parameter (Book 3, Table 14) */
    struct k5_memory *memory = k5_memory_of(kernel);
    memory->cda_asked = k5_cda_is_on(kernel);
    (void)k5_put_results(kernel);                                                          /* in its place */
    if (!k5_fill_in(kernel, cemv_value(kernel, CEMV_SLOT_8C), K5_LIST_MAX, &memory->cdol)) /* sound: records_fault() */
        return k5_end_store(kernel, CEMV_STORE_FULL);
    const uint8_t control = (uint8_t)(memory->requested | (memory->cda_asked ? CDA_SIGNATURE : 0));
    const struct cemv_command command = {
        0x80, 0xAE, control, 0x00, cemv_span_bytes(&kernel->store, memory->cdol), CEMV_LE_MAX
    };
    return cemv_kernel_send(kernel, memory->legacy ? K5_WAIT_LEGACY_AC : K5_WAIT_AC, &command);
}

static uint64_t code_of(const uint8_t code[5], bool given, uint64_t otherwise)
{
    return given ? cemv_rules_bits((cemv_bytes){ code, 5 }, 0) : otherwise;
}

/* 3.7.1; Annex D. */
static uint8_t action_of(struct cemv_kernel *kernel, const struct k5_memory *memory)
{
    const struct cemv_kernel_5_options *options = k5_options_of(kernel);
    const uint8_t given = options->given;
    const struct k5_action_in in = {
        .type = kernel->transaction.type,
        .legacy = memory->legacy,
        .transit = (memory->tip[0] & CEMV_KERNEL_5_TIP_1_TRANSIT) != 0,
        .options = k5_option(kernel, CEMV_KERNEL_5_EXCEPTION_FILE) ? CEMV_KERNEL_5_EXCEPTION_FILE : 0,
        .tvr = memory->tvr,
        .denial = code_of(options->tac_denial, (given & CEMV_KERNEL_5_GIVEN_TAC_DENIAL) != 0, 0x0410000000),
        .online = code_of(options->tac_online, (given & CEMV_KERNEL_5_GIVEN_TAC_ONLINE) != 0, 0x9060009000),
        .unable = code_of(options->tac_default, (given & CEMV_KERNEL_5_GIVEN_TAC_DEFAULT) != 0, 0x9040008000),
        .issuer_denial = cemv_value(kernel, CEMV_SLOT_9F0E),
        .issuer_online = cemv_value(kernel, CEMV_SLOT_9F0F),
        .issuer_unable = cemv_value(kernel, CEMV_SLOT_9F0D),
        .terminal_type = cemv_value_byte(kernel, CEMV_SLOT_9F35, 0),
        .needs_online = will_sign_too_little(kernel) || k5_refuses_offline(kernel),
        .refuse_failed = cemv_is_strict(kernel),
    };
    return k5_action(&in);
}

static enum cemv_step act(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    memory->requested = action_of(kernel, memory);
    cemv_kernel_note(kernel, CEMV_CLAUSE(3, 7, 1, 0), memory->requested);
    if (memory->requested == CEMV_RULES_AAC) return k5_end_declined(kernel, CEMV_REASON_KERNEL, CEMV_L2_OK);
    if (memory->foreign) return k5_end_declined(kernel, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR);
    return ask_ac(kernel);
}

/* 3.5.5, 3.6 ------------------------------------------------------------------------------------------------------- */

static bool usage_refused(const struct cemv_kernel *kernel)
{
    const struct k5_usage_in in = {
        .control = cemv_value(kernel, CEMV_SLOT_9F07),
        .issuer = cemv_value(kernel, CEMV_SLOT_5F28),
        .country = cemv_value(kernel, CEMV_SLOT_9F1A),
        .terminal_type = cemv_value_byte(kernel, CEMV_SLOT_9F35, 0),
        .capabilities = cemv_value(kernel, CEMV_SLOT_9F40),
        .type = kernel->transaction.type,
        .cash_back = kernel->transaction.amount_other != 0,
    };
    return k5_usage_refused(&in);
}

static enum cemv_step restrict_use(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const cemv_bytes today = { kernel->transaction.date, sizeof kernel->transaction.date };
    memory->tvr |=
        CEMV_TVR(2, cemv_rules_dates(today, cemv_value(kernel, CEMV_SLOT_5F25), cemv_value(kernel, CEMV_SLOT_5F24)));
    if (!memory->legacy && usage_refused(kernel)) memory->tvr |= CEMV_TVR(2, CEMV_TVR_2_SERVICE_NOT_ALLOWED);
    if (!memory->legacy && k5_option(kernel, CEMV_KERNEL_5_EXCEPTION_FILE) && memory->listed)
        memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_ON_EXCEPTION_FILE);
    return act(kernel);
}

/* 3.5 -------------------------------------------------------------------------------------------------------------- */

static enum cemv_step select_with(struct cemv_kernel *kernel, uint8_t number)
{
    const struct cemv_kernel_5_options *options = k5_options_of(kernel);
    const struct cemv_rules_selection_in in = {
        .amount = kernel->transaction.amount,
        .floor_limit = options->limits.amount[CEMV_LIMIT_FLOOR],
        .threshold = options->threshold,
        .target = options->target,
        .maximum = options->maximum_target,
        .number = number,
    };
    if (cemv_rules_randomly_selected(&in)) k5_memory_of(kernel)->tvr |= CEMV_TVR(4, CEMV_TVR_4_RANDOMLY_SELECTED);
    return restrict_use(kernel);
}

/* 3.5.4: a number is drawn until one gives all results alike. */
static enum cemv_step select_randomly(struct cemv_kernel *kernel)
{
    uint8_t random[4], number;
    do {
        if (!cemv_random_draw(&kernel->random, random)) return cemv_ask_random(kernel, K5_WAIT_RANDOM);
    } while (!k5_number(random, &number));
    return select_with(kernel, number);
}

enum cemv_step k5_got_random(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    if (reply->kind != CEMV_REPLY_DATA || reply->bytes.size < 4)
        return cemv_end_silent(kernel, CEMV_REASON_RANDOM, CEMV_L2_OK, 0);
    cemv_random_fill(&kernel->random, reply->bytes);
    return select_randomly(kernel);
}

static enum cemv_step check_limits(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const struct cemv_kernel_5_options *options = k5_options_of(kernel);
    const struct cemv_limits *limits = &options->limits;
    const uint64_t amount = kernel->transaction.amount;
    const struct k5_floor_in floor = {
        .legacy = memory->legacy,
        .terminal_type = cemv_value_byte(kernel, CEMV_SLOT_9F35, 0),
        .options = k5_option(kernel, CEMV_KERNEL_5_STATUS_CHECK) ? CEMV_KERNEL_5_STATUS_CHECK : 0,
        .exponent = kernel->transaction.exponent,
        .amount = amount,
        .limits = limits,
    };
    const bool limited = (limits->present >> CEMV_LIMIT_TRANSACTION & 1u) != 0;
    if (memory->legacy && limited && amount >= limits->amount[CEMV_LIMIT_TRANSACTION]) /* 3.5.1.1 */
        return cemv_end_select_next(kernel, CEMV_REASON_KERNEL_LIMIT, CEMV_L2_MAX_LIMIT_EXCEEDED, 0);
    if (k5_cvm_required(kernel->transaction.type, amount, limits)) memory->tip[0] |= CEMV_KERNEL_5_TIP_1_CVM_REQUIRED;
    if (k5_exceeds_floor(&floor)) memory->tvr |= CEMV_TVR(4, CEMV_TVR_4_FLOOR_LIMIT_EXCEEDED);
    else if (k5_option(kernel, CEMV_KERNEL_5_RANDOM_SELECTION)) return select_randomly(kernel);
    return restrict_use(kernel);
}

enum cemv_step k5_all_read(struct cemv_kernel *kernel)
{
    const uint8_t fault = records_fault(kernel);
    if (kernel->store.terminal_tag_from_card) cemv_finding_add(kernel, CEMV_FINDING_TERMINAL_TAG_FROM_CARD);
    if (fault != CEMV_L2_OK) return k5_end_failed(kernel, CEMV_REASON_CARD_DATA, fault, 0);
    if (!look_at_account(kernel)) return k5_end_failed(kernel, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0);
    look_for_certificates(kernel);
    if (k5_memory_of(kernel)->recovering) return k5_recovered(kernel);
    look_for_downgrade(kernel);
    return check_limits(kernel);
}
