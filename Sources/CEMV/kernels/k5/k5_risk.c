/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 5: collects the input of the decisions before the first GENERATE AC: checks of the records, restrictions,
 * action analysis (Book C-5 v2.10, 3.4.1 to 3.7). The decisions themselves are in k5_rules.c and rules/. Sends nothing
 * and changes no state. */
#include "k5_memory.h"

/* 3.4.1 ------------------------------------------------------------------------------------------------------------ */

static bool is_date(cemv_bytes date)
{
    uint32_t days;
    return cemv_date_read(date, &days);
}

/* 3.4.1.2, and formats (3.11.1.2; Book 3, 7.5). CDOL1 is filled once as a trial, so that ask_ac() cannot fail because
 * of a malformed list after decisions have been made. */
kernel_noinline uint8_t k5_records_fault(struct cemv_kernel *kernel)
{
    const cemv_bytes list = cemv_value(kernel, CEMV_SLOT_8C), expiry = cemv_value(kernel, CEMV_SLOT_5F24);
    const cemv_bytes effective = cemv_value(kernel, CEMV_SLOT_5F25);
    if (list.size == 0 || expiry.size == 0 || !cemv_store_has(&kernel->store, CEMV_SLOT_57))
        return CEMV_L2_CARD_DATA_MISSING;
    if (!is_date(expiry) || (effective.size != 0 && !is_date(effective))) return CEMV_L2_CARD_DATA_ERROR;
    return k5_fill_in(kernel, list, K5_LIST_MAX, NULL) ? CEMV_L2_OK : CEMV_L2_PARSING_ERROR;
}

/* The account: on the exception file (3.5.5) and, beyond the book, one that contradicts itself or its brand, or is
 * missing (attacks.md, A03, A17). Not inlined, to keep its buffers off the stack. Returns false if the account is
 * refused. */
kernel_noinline bool k5_look_at_account(struct cemv_kernel *kernel)
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

/* 3.4.1.3: 92 is required if the issuer's key does not fit into its certificate (Book 2, Table 6). No key is recovered
 * yet, so its length is known from the card's certificate, which has the length of the issuer's key. */
static bool lacks_certificates(const struct cemv_kernel *kernel)
{
    enum { CERTIFICATE_OVERHEAD = 36 };
    static const uint16_t slots[] = { CEMV_SLOT_8F, CEMV_SLOT_90, CEMV_SLOT_9F32, CEMV_SLOT_9F46, CEMV_SLOT_9F47 };
    const cemv_bytes issuer = cemv_value(kernel, CEMV_SLOT_90), icc = cemv_value(kernel, CEMV_SLOT_9F46);
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
        if (!cemv_store_has(&kernel->store, slots[i])) return true;
    return icc.size + CERTIFICATE_OVERHEAD > issuer.size && !cemv_store_has(&kernel->store, CEMV_SLOT_92);
}

/* 3.4.1.3, .4: the bits for missing certificates. A missing CA key is noted whatever the AIP says, as the book has
 * it. */
void k5_look_for_certificates(struct cemv_kernel *kernel)
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

/* An EMV card that appears in Legacy Mode, which somebody could achieve by removing 9F52 from its PDOL (attacks.md,
 * A27). */
void k5_look_for_downgrade(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const bool emv = (cemv_value_byte(kernel, CEMV_SLOT_82, 1) & CEMV_AIP_2_EMV_MODE) != 0 ||
                     cemv_store_has(&kernel->store, CEMV_SLOT_9F46) || cemv_store_has(&kernel->store, CEMV_SLOT_8F);
    memory->downgraded = memory->legacy && emv;
    if (memory->downgraded) cemv_finding_add(kernel, CEMV_FINDING_MODE_DOWNGRADE);
}

/* 3.7 -------------------------------------------------------------------------------------------------------------- */

/* The data that bind a signature to this transaction: number and amount are requested with their full length in one of
 * the lists. */
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

/* Beyond the book: true if the coming signature would not justify an approval, so that the issuer is asked instead
 * (attacks.md, A18, A19, A35). This is determined before the command, since the card counts an approval that it has
 * signed. */
static bool will_sign_too_little(struct cemv_kernel *kernel)
{
    enum { NUMBER_SIZE = 4, AMOUNT_SIZE = 6 };
    struct k5_memory *memory = k5_memory_of(kernel);
    memory->bound = is_sent(kernel, CEMV_TAG_9F37_UNPREDICTABLE_NUMBER, NUMBER_SIZE) &&
                    is_sent(kernel, CEMV_TAG_9F02_AMOUNT_AUTHORISED, AMOUNT_SIZE);
    const bool covered = is_covered(kernel, CEMV_SLOT_8C) && is_covered(kernel, CEMV_SLOT_5F24);
    return !(memory->bound && covered) && !cemv_is_book(kernel);
}

static uint64_t code_of(const uint8_t code[5], bool given, uint64_t otherwise)
{
    return given ? cemv_rules_bits((cemv_bytes){ code, 5 }, 0) : otherwise;
}

/* 3.7.1; Annex D has the terminal's action codes for a configuration without its own. */
uint8_t k5_choose_type(struct cemv_kernel *kernel)
{
    const struct k5_memory *memory = k5_memory_of(kernel);
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

/* Usage control and the exception file apply only in EMV Mode (3.5.5.1, 3.6.1.1); dates apply in both. */
void k5_check_restrictions(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const cemv_bytes today = { kernel->transaction.date, sizeof kernel->transaction.date };
    memory->tvr |=
        CEMV_TVR(2, cemv_rules_dates(today, cemv_value(kernel, CEMV_SLOT_5F25), cemv_value(kernel, CEMV_SLOT_5F24)));
    if (!memory->legacy && usage_refused(kernel)) memory->tvr |= CEMV_TVR(2, CEMV_TVR_2_SERVICE_NOT_ALLOWED);
    if (!memory->legacy && k5_option(kernel, CEMV_KERNEL_5_EXCEPTION_FILE) && memory->listed)
        memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_ON_EXCEPTION_FILE);
}
