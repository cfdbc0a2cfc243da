/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 4: collects the inputs of the decisions from the transaction's data, and applies their results (Book C-4
 * v2.10, 7 to 11). The decisions themselves are in k4_rules.c and rules/. Knows no state and no command. */
#include "k4_memory.h"

/* True if the object came in data that offline authentication has covered. */
static bool is_proven(const struct cemv_kernel *kernel, uint16_t slot)
{
    return cemv_store_provenance(&kernel->store, slot) == CEMV_FROM_CARD_STATIC;
}

bool k4_put_tvr(struct cemv_kernel *kernel)
{
    uint8_t bytes[5];
    cemv_rules_bits_put(bytes, k4_memory_of(kernel)->tvr);
    return cemv_value_put(kernel, CEMV_SLOT_95, bytes, sizeof bytes);
}

/* Limits (7.2.1) --------------------------------------------------------------------------------------------------- */

/* 9F70 lets the card choose among the terminal's sets of limits. If nobody has signed 9F70, the chosen set may only be
 * stricter than the default set: otherwise changing one byte would raise the limits. */

/* Beyond the book: pre-processing accepted an amount above the plain limit because a CDCVM was expected, and nothing
 * proves that CDCVM here (attacks.md, A02). */
static bool needs_proof(struct cemv_kernel *kernel)
{
    if (!cemv_needs_proven_cdcvm(kernel, &kernel->combination->limits)) return false;
    cemv_finding_add(kernel, CEMV_FINDING_LIMIT_NEEDS_AUTHENTICATED_CDCVM);
    return true;
}

kernel_noinline bool k4_apply_limits(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    const struct cemv_limits *const *sets = k4_options_of(kernel)->dynamic_limits;
    const unsigned set = k4_limit_set(cemv_value(kernel, K4_SLOT_9F70));
    const struct k4_limits_in in = {
        .amount = kernel->transaction.amount,
        .floor_exceeded = kernel->indicators.floor_limit_exceeded,
        .cvm_exceeded = kernel->indicators.cvm_required_limit_exceeded,
        .preset = sets != NULL ? sets[0] : NULL,
        .chosen = sets != NULL && set != 0 ? sets[set] : NULL,
        .bounded = !cemv_is_book(kernel) && !is_proven(kernel, K4_SLOT_9F70),
    };
    const struct k4_limits limits = k4_limits(&in);
    memory->floor_exceeded = limits.floor_exceeded;
    memory->cvm_exceeded = limits.cvm_exceeded;
    return limits.not_allowed || needs_proof(kernel);
}

/* Restrictions, risk (7.2.2, 7.2.3, 9) ----------------------------------------------------------------------------- */

/* The rules of Book 3 for dates, versions and usage, and the additional rule of American Express for delayed
 * authorisation. They only set bits of the TVR: the action codes decide about the consequences. */
static uint8_t restrictions_of(struct cemv_kernel *kernel)
{
    static const uint8_t version[2] = { 0x00, 0x01 };
    const struct k4_memory *memory = k4_memory_of(kernel);
    const cemv_bytes usage = cemv_value(kernel, CEMV_SLOT_9F07), country = cemv_value(kernel, CEMV_SLOT_5F28);
    const cemv_bytes own = cemv_value(kernel, CEMV_SLOT_9F1A);
    const cemv_bytes reader_version = cemv_store_has(&kernel->store, CEMV_SLOT_9F09)
                                        ? cemv_value(kernel, CEMV_SLOT_9F09)
                                        : (cemv_bytes){ version, sizeof version };
    const struct cemv_rules_usage_in in = {
        .usage = usage.data,
        .atm = cemv_rules_is_atm(memory->terminal_type, cemv_value(kernel, CEMV_SLOT_9F40)),
        .has_country = country.size != 0,
        .domestic = cemv_bytes_equal(country, own),
        .type = kernel->transaction.type,
        .cashback_amount = kernel->transaction.amount_other != 0,
    };
    uint8_t bits = cemv_rules_dates(cemv_value(kernel, CEMV_SLOT_9A), cemv_value(kernel, CEMV_SLOT_5F25),
                                    cemv_value(kernel, CEMV_SLOT_5F24));
    if (cemv_rules_versions_differ(cemv_value(kernel, CEMV_SLOT_9F08), reader_version))
        bits |= CEMV_TVR_2_DIFFERENT_VERSIONS;
    if ((usage.size != 0 && !cemv_rules_usage_allowed(&in)) ||
        k4_delayed_refused(cemv_value(kernel, K4_SLOT_9F70), country, own, memory->reader))
        bits |= CEMV_TVR_2_SERVICE_NOT_ALLOWED;
    return bits;
}

kernel_noinline void k4_check_restrictions(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    memory->tvr |= CEMV_TVR(2, restrictions_of(kernel));
    if (memory->floor_exceeded) memory->tvr |= CEMV_TVR(4, CEMV_TVR_4_FLOOR_LIMIT_EXCEEDED); /* 9.2.1.1 */
    if (cemv_on_exception_list(kernel, cemv_value(kernel, CEMV_SLOT_5A)))
        memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_ON_EXCEPTION_FILE); /* 9.2.4.1 */
}

/* Cardholder verification (8) -------------------------------------------------------------------------------------- */

/* The members from `list_proven` on serve the protection: above the limit, a claim counts only as far as a signature
 * proves it. */
static struct k4_cvm verify(struct cemv_kernel *kernel)
{
    const struct k4_memory *memory = k4_memory_of(kernel);
    const cemv_bytes currency = cemv_value(kernel, CEMV_SLOT_9F42);
    const bool book = cemv_is_book(kernel);
    struct k4_cvm_in in = {
        .exceeded = memory->cvm_exceeded,
        .restarted = memory->tried_again,
        .emv = memory->emv,
        .can_insert = memory->can_insert,
        .card_verifies = (memory->profile[0] & CEMV_AIP_1_CARDHOLDER_VERIFICATION) != 0,
        .mobile = (memory->profile[1] & CEMV_AIP_2_MOBILE) != 0,
        .results = cemv_value(kernel, K4_SLOT_9F71),
        .list = cemv_value(kernel, K4_SLOT_8E),
        .same_currency = currency.size != 0 && cemv_bytes_equal(currency, cemv_value(kernel, CEMV_SLOT_5F2A)),
        .no_cvm = (cemv_value_byte(kernel, CEMV_SLOT_9F33, 1) & 0x08) != 0,
        .terminal_type = memory->terminal_type,
        .type = kernel->transaction.type,
        .amount = kernel->transaction.amount,
        .list_proven = is_proven(kernel, K4_SLOT_8E),
        .distrust_profile = !book && !is_proven(kernel, CEMV_SLOT_82),
        .distrust_device = cemv_cdcvm_trust(kernel) == CEMV_CDCVM_AUTHENTICATED,
        .distrust_list = !book,
    };
    cemv_copy(in.reader, memory->reader, sizeof in.reader);
    return k4_cvm(&in);
}

kernel_noinline uint8_t k4_verify_cardholder(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    const struct k4_cvm cvm = verify(kernel);
    if (cvm.replaced) memory->guarded = true;
    if (cvm.from_plain) cemv_finding_add(kernel, CEMV_FINDING_CVM_FROM_PLAIN_DATA);
    if (cvm.verdict != K4_FINE) return cvm.verdict;
    if (cvm.cvm.cvm == CEMV_CVM_CDCVM)
        cemv_finding_add(kernel, CEMV_FINDING_CDCVM_UNAUTHENTICATED); /* 9F71 is never signed */
    memory->tvr |= cvm.cvm.tvr;
    memory->cvm = cvm.cvm.cvm;
    cemv_kernel_note(kernel, CEMV_CLAUSE(8, 2, 0, 0), cvm.cvm.cvm);
    (void)cemv_value_put(kernel, CEMV_SLOT_9F34, cvm.cvm.results, sizeof cvm.cvm.results);
    return K4_FINE;
}

/* Terminal action analysis (10) ------------------------------------------------------------------------------------ */

/* If the issuer sent no action codes, the book's defaults apply: nothing is denied on the issuer's behalf, and every
 * set bit leads to an online request or, if that is impossible, to a decline. The issuer's and the terminal's codes are
 * combined, since either may require an action. */

static uint64_t code_of(const struct cemv_kernel *kernel, const uint8_t terminal[5], uint16_t slot, uint64_t absent)
{
    return cemv_rules_bits((cemv_bytes){ terminal, 5 }, 0) | cemv_rules_bits(cemv_value(kernel, slot), absent);
}

/* Beyond the book: a transaction that may not be approved offline goes online or is declined (attacks.md, A09, A13,
 * A30, A35). This comes before the command, so that the card does not book an offline approval which is then refused. A
 * card in mag-stripe mode signs no amount, because its list requests no amount. */
static uint8_t guard_type(struct cemv_kernel *kernel, uint8_t type)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    const bool hostless = cemv_rules_offline_only(memory->terminal_type) || k4_is_delayed(memory);
    if (type == CEMV_RULES_AAC || (type == CEMV_RULES_ARQC && !hostless)) return type;
    const bool proven = memory->emv && memory->method == K4_CDA &&
                        (memory->tvr & CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED)) == 0;
    const bool unsigned_list = proven && cemv_list_refused(kernel);
    const bool undecided = memory->emv && !proven && !hostless && !cemv_is_book(kernel); /* A13 */
    if (!cemv_refuses_offline(kernel) && !unsigned_list && !undecided) return type;
    memory->guarded = true;
    return hostless ? CEMV_RULES_AAC : CEMV_RULES_ARQC;
}

kernel_noinline uint8_t k4_choose_type(struct cemv_kernel *kernel)
{
    const struct k4_memory *memory = k4_memory_of(kernel);
    const struct cemv_kernel_4_options *options = k4_options_of(kernel);
    const struct k4_action_in in = {
        .tvr = memory->tvr,
        .denial = code_of(kernel, options->tac_denial, CEMV_SLOT_9F0E, 0),
        .online = code_of(kernel, options->tac_online, CEMV_SLOT_9F0F, CEMV_TVR_ALL),
        .unable = code_of(kernel, options->tac_default, CEMV_SLOT_9F0D, CEMV_TVR_ALL),
        .terminal_type = memory->terminal_type,
        .delayed = k4_is_delayed(memory),
        .can_go_online = k4_can_go_online(kernel),
        .wants_online = kernel->indicators.zero_amount || kernel->indicators.status_check_requested,
    };
    const uint8_t type = guard_type(kernel, k4_first_action(&in));
    cemv_kernel_note(kernel, CEMV_CLAUSE(10, 2, 0, 0), type);
    return type;
}

/* The answer (11) -------------------------------------------------------------------------------------------------- */

/* The rule is evaluated twice: as the book has it, and with the additions of the protection. Only the difference shows
 * whether the protection, and not the card, refused the transaction; the outcome reports that as its reason. */

/* Byte 5 of 9F10 begins the card's own verification results, whose bits 6-5 repeat the cryptogram's type (attacks.md,
 * A10). The issuer's host checks them, so a difference means that 9F27 was changed. */
static bool type_contradicts(struct cemv_kernel *kernel)
{
    enum { RESULTS_SIZE_AT = 3, RESULTS_AT = 4, RESULTS_SIZE = 3 };
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    const cemv_bytes issuer = cemv_value(kernel, CEMV_SLOT_9F10);
    if (issuer.size <= RESULTS_AT || issuer.data[RESULTS_SIZE_AT] != RESULTS_SIZE) return false;
    if ((issuer.data[RESULTS_AT] >> 4 & 3) == cemv_value_byte(kernel, CEMV_SLOT_9F27, 0) >> 6) return false;
    cemv_finding_add(kernel, CEMV_FINDING_CID_IAD_MISMATCH);
    return cemv_rule_of(protection, protection->cid_mismatch, CEMV_RULE_REPORT, CEMV_RULE_REPORT) == CEMV_RULE_ENFORCE;
}

kernel_noinline uint8_t k4_judge_answer(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    struct k4_card_action_in in = {
        .asked = memory->control & CEMV_RULES_TYPE,
        .information = cemv_value_byte(kernel, CEMV_SLOT_9F27, 0),
        .emv = memory->emv,
        .can_insert = memory->can_insert,
        .can_go_online = k4_can_go_online(kernel),
        .cvm_exceeded = memory->cvm_exceeded,
        .terminal_type = memory->terminal_type,
        .delayed = k4_is_delayed(memory),
        .method = memory->method,
        .good = memory->good,
    };
    const uint8_t by_book = k4_card_action(&in);
    in.needs_signature = !cemv_is_book(kernel);
    in.refuse_failed = cemv_rule_of(protection, protection->oda_tamper, CEMV_RULE_REPORT, CEMV_RULE_ENFORCE) ==
                       CEMV_RULE_ENFORCE;
    in.refuse_unproven = cemv_is_strict(kernel);
    in.refuse_offline = cemv_refuses_offline(kernel);
    uint8_t decision = k4_card_action(&in);
    if (type_contradicts(kernel) && decision != K4_USE_CONTACT) decision = K4_DECLINED;
    if (decision != by_book) memory->guarded = true;
    cemv_kernel_note(kernel, CEMV_CLAUSE(11, 2, 0, 0), decision);
    return decision;
}
