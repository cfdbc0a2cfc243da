/* SPDX-License-Identifier: Apache-2.0 */
/* The decisions of Kernel 5 as pure functions (Book C-5 v2.10); k5.h describes them.
 *
 * The Terminal Interchange Profile (TIP) states the methods of cardholder verification that the reader supports and,
 * during a sale, whether one is required. The card answers with a status, 9F50, which names the method that it has
 * chosen. Knows no store, no command and no state. */
#include "k5.h"

/* All limits of this kernel are exceeded when the amount reaches them. */
static bool reaches(const struct cemv_limits *limits, enum cemv_limit limit, uint64_t amount)
{
    return (limits->present >> limit & 1u) != 0 && amount >= limits->amount[limit];
}

/* Risk management and restrictions --------------------------------------------------------------------------------- */

bool k5_cvm_required(uint8_t transaction_type, uint64_t amount, const struct cemv_limits *limits)
{
    const bool verifies = transaction_type == CEMV_TYPE_PURCHASE || transaction_type == CEMV_TYPE_CASH ||
                          transaction_type == CEMV_TYPE_CASHBACK;
    return verifies && reaches(limits, CEMV_LIMIT_CVM_REQUIRED, amount);
}

bool k5_is_single_unit(uint64_t amount, uint8_t exponent)
{
    uint64_t unit = 1;
    while (exponent-- != 0) unit *= 10;
    return amount == unit;
}

/* 3.5.3.1, .2: Legacy Mode and online-only readers always set the bit, so that the action analysis sends them
 * online. */
bool k5_exceeds_floor(const struct k5_floor_in *in)
{
    const bool status_check = (in->options & CEMV_KERNEL_5_STATUS_CHECK) != 0 &&
                              k5_is_single_unit(in->amount, in->exponent);
    return in->legacy || status_check || cemv_rules_online_only(in->terminal_type) ||
           reaches(in->limits, CEMV_LIMIT_FLOOR, in->amount);
}

/* 1 to 99. Random values at the end of the range would make some results more likely than others; returns false for
 * them, and another one is drawn. */
bool k5_number(const uint8_t random[4], uint8_t *number)
{
    enum { NUMBERS = 99 };
    const uint32_t drawn = cemv_be32(random);
    *number = (uint8_t)(drawn % NUMBERS + 1);
    return drawn < UINT32_MAX - UINT32_MAX % NUMBERS;
}

/* Without 9F07 nothing is refused. The country is needed only for the services, not for the place. */
bool k5_usage_refused(const struct k5_usage_in *in)
{
    const unsigned services = cemv_rules_services(in->type, in->cash_back);
    if (in->control.size != 2) return false;
    if (!cemv_rules_place_allowed(in->control.data, cemv_rules_is_atm(in->terminal_type, in->capabilities)))
        return true;
    const bool domestic = cemv_bytes_equal(in->issuer, in->country);
    return in->issuer.size != 0 && !cemv_rules_services_allowed(in->control.data, domestic, services);
}

/* Terminal action analysis ----------------------------------------------------------------------------------------- */

/* 3.7.1.1 to 3.7.1.3: declined before any action code is evaluated. */
static bool is_declined_at_once(const struct k5_action_in *in)
{
    const bool listed = (in->options & CEMV_KERNEL_5_EXCEPTION_FILE) != 0 &&
                        (in->tvr & CEMV_TVR(1, CEMV_TVR_1_ON_EXCEPTION_FILE)) != 0;
    return in->type == CEMV_TYPE_REFUND || (in->transit && (in->legacy || listed));
}

/* 3.7.1.4 to .7. The action codes of a Legacy card are ignored, and Legacy Mode has no offline approval (3.9.1.3).
 * Beyond the book, no signature is requested that would not justify an approval. */
uint8_t k5_action(const struct k5_action_in *in)
{
    const cemv_bytes none = { NULL, 0 };
    const struct cemv_rules_action_in codes = {
        .tvr = in->tvr,
        .denial = in->denial | cemv_rules_bits(in->legacy ? none : in->issuer_denial, 0),
        .online = in->online | cemv_rules_bits(in->legacy ? none : in->issuer_online, CEMV_TVR_ALL),
        .unable = in->unable | cemv_rules_bits(in->legacy ? none : in->issuer_unable, CEMV_TVR_ALL),
        .terminal_type = in->terminal_type,
    };
    if (is_declined_at_once(in)) return CEMV_RULES_AAC;
    if (in->refuse_failed && (in->tvr & CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED)) != 0) return CEMV_RULES_AAC;
    const uint8_t action = cemv_rules_action(&codes);
    if (action != CEMV_RULES_TC) return action;
    if (in->legacy) return CEMV_RULES_ARQC;
    if (!in->needs_online) return CEMV_RULES_TC;
    return cemv_rules_offline_only(in->terminal_type) ? CEMV_RULES_AAC : CEMV_RULES_ARQC;
}

/* Cardholder verification and limits ------------------------------------------------------------------------------- */

/* True if all of these bits are set; zero bits are always set. */
static bool tip_has(uint8_t tip, uint8_t bits) { return (tip & bits) == bits; }

/* The method of a status and the bit of the TIP that it requires; CEMV_CVM_NA for an invalid status (A.2). */
static uint8_t method_of(uint8_t status, uint8_t *needs)
{
    static const uint8_t bits[] = { 0, CEMV_KERNEL_5_TIP_1_SIGNATURE, CEMV_KERNEL_5_TIP_1_ONLINE_PIN,
                                    CEMV_KERNEL_5_TIP_1_ON_DEVICE_CVM };
    const uint8_t method = status & 0xF0;
    if (method > CEMV_CVM_CDCVM || (method != CEMV_CVM_CDCVM && method != status)) return CEMV_CVM_NA;
    *needs = bits[method >> 4];
    return method;
}
_Static_assert(CEMV_CVM_SIGNATURE == 0x10 && CEMV_CVM_ONLINE_PIN == 0x20 && CEMV_CVM_CDCVM == 0x30,
               "a status begins as the CVM parameter is coded");

/* 3.8.3.5, .6: the On-Device limit also applies to the other methods if they have no configured limit. A distrusted
 * device claim must respect both limits. */
static bool is_above_limit(const struct k5_cvm_in *in, bool on_device, bool distrusted)
{
    const bool has_limit = (in->limits->present >> CEMV_LIMIT_TRANSACTION & 1u) != 0;
    const bool looks_at_device = on_device || !has_limit, looks_at_plain = !on_device || distrusted;
    return (looks_at_device && reaches(in->limits, CEMV_LIMIT_CDCVM_TRANSACTION, in->amount)) ||
           (looks_at_plain && reaches(in->limits, CEMV_LIMIT_TRANSACTION, in->amount));
}

/* Online PIN replaces an unproven claim above the CVM limit; a reader without online PIN declines. */
static void replace_by_pin(struct k5_cvm *cvm, uint8_t tip)
{
    const bool pin = tip_has(tip, CEMV_KERNEL_5_TIP_1_ONLINE_PIN);
    cvm->verdict = pin ? K5_GOES_ON : K5_DECLINES;
    cvm->cvm = pin ? CEMV_CVM_ONLINE_PIN : CEMV_CVM_NA;
    cvm->replaced = true;
}

/* The card's claim and its trustworthiness. */
struct claim {
    uint8_t method, needs; /* enum cemv_cvm; bits of the TIP */
    bool nothing;          /* a device that verified nobody, if that is distinguished */
    bool plain;            /* no signature proves it */
    bool distrusted;
};
static struct claim claim_of(const struct k5_cvm_in *in)
{
    enum { STATUS_NOTHING_PERFORMED = 0x30 };
    struct claim claim = { .nothing = in->reads_closely && in->status == STATUS_NOTHING_PERFORMED };
    claim.method = method_of(in->status, &claim.needs);
    if (claim.nothing) claim.method = CEMV_CVM_NONE;
    claim.plain = !in->verified && claim.method != CEMV_CVM_NONE;
    claim.distrusted = claim.plain && (claim.method == CEMV_CVM_CDCVM ? in->distrusts_device : in->distrusts_plain);
    return claim;
}

/* The reader supports the method, and does not require a stronger one. */
static bool is_enough(const struct claim *claim, uint8_t tip)
{
    if (claim->method == CEMV_CVM_NONE && tip_has(tip, CEMV_KERNEL_5_TIP_1_CVM_REQUIRED)) return false;
    return tip_has(tip, claim->needs);
}

/* 3.8.3. The order matters: a method that the reader does not support is a decline, whereas an amount above the limit
 * of a method leads to the next application. Transit readers verify nobody (3.8.4.5). The last part is beyond the book:
 * online PIN replaces a claim that nothing proves if a verification is required. An online PIN with a TC would never
 * reach the issuer, so it is declined. */
struct k5_cvm k5_cvm(const struct k5_cvm_in *in)
{
    struct k5_cvm result = { .verdict = K5_DECLINES, .cvm = CEMV_CVM_NA };
    const bool transit = tip_has(in->tip, CEMV_KERNEL_5_TIP_1_TRANSIT);
    const bool required = tip_has(in->tip, CEMV_KERNEL_5_TIP_1_CVM_REQUIRED);
    const struct claim claim = claim_of(in);
    const bool device = claim.method == CEMV_CVM_CDCVM;
    if (claim.method == CEMV_CVM_NA || (!transit && !is_enough(&claim, in->tip))) return result;
    result.verdict = K5_NEXT;
    if (is_above_limit(in, device || claim.nothing, claim.distrusted || claim.nothing)) return result;
    result.verdict = K5_GOES_ON;
    result.cvm = transit ? CEMV_CVM_NONE : claim.method;
    if (transit) return result;
    result.from_plain = claim.plain && required && claim.method != CEMV_CVM_ONLINE_PIN;
    result.unproven = claim.plain && device && !(claim.distrusted && required);
    if (claim.method != CEMV_CVM_ONLINE_PIN) {
        if (claim.distrusted && required) replace_by_pin(&result, in->tip);
    } else if (in->reads_closely && in->tc) {
        replace_by_pin(&result, 0);
    }
    return result;
}

/* Finds the first method of the list that the reader supports, and whether online PIN is among those methods.
 * Conditions are ignored in Legacy Mode (3.9.2). */
static uint8_t first_method(cemv_bytes list, uint8_t tip, bool *pin)
{
    const struct cemv_rules_cvm_in rules = { .list = list, .any_condition = true };
    struct cemv_rules_cvm_rule rule;
    uint8_t first = CEMV_CVM_NA;
    size_t at = 0;
    *pin = false;
    while (cemv_rules_cvm_next(&rules, &at, &rule)) {
        const uint8_t code = rule.method & CEMV_CVM_1_CODE;
        uint8_t method = CEMV_CVM_NA;
        if (code == CEMV_CVM_1_ENCIPHERED_PIN_ONLINE && tip_has(tip, CEMV_KERNEL_5_TIP_1_ONLINE_PIN))
            method = CEMV_CVM_ONLINE_PIN;
        if (code == CEMV_CVM_1_SIGNATURE && tip_has(tip, CEMV_KERNEL_5_TIP_1_SIGNATURE)) method = CEMV_CVM_SIGNATURE;
        if (first == CEMV_CVM_NA) first = method;
        if (method == CEMV_CVM_ONLINE_PIN) *pin = true;
    }
    return first;
}

/* 3.9.2; a list of odd length is malformed (Book 3, 10.5). Beyond the book, a list that may have been rewritten does
 * not replace online PIN by a signature. */
struct k5_cvm k5_cvm_list(const struct k5_cvm_list_in *in)
{
    const bool usable = in->list.size > CEMV_CVM_LIST_AMOUNTS && in->list.size % 2 == 0;
    struct k5_cvm result = { .verdict = K5_GOES_ON, .cvm = CEMV_CVM_NONE };
    bool pin = false;
    if (!in->required) return result;
    result.cvm = usable ? first_method(in->list, in->tip, &pin) : CEMV_CVM_NA;
    if (result.cvm == CEMV_CVM_NA) result.verdict = K5_DECLINES;
    else if (result.cvm != CEMV_CVM_ONLINE_PIN && (in->downgraded || (in->pin_first && pin)))
        replace_by_pin(&result, in->tip);
    return result;
}

/* 9F34 for the record (Table C-1). */
void k5_cvm_results(uint8_t cvm, uint8_t results[3])
{
    static const struct {
        uint8_t cvm, results[3];
    } rows[] = {
        { CEMV_CVM_NONE, { 0x1F, 0x00, 0x02 } },       { CEMV_CVM_SIGNATURE, { 0x1E, 0x00, 0x00 } },
        { CEMV_CVM_ONLINE_PIN, { 0x02, 0x00, 0x00 } }, { CEMV_CVM_CDCVM, { 0x01, 0x00, 0x02 } },
        { CEMV_CVM_NA, { 0x3F, 0x00, 0x00 } },
    };
    size_t i = 0;
    while (i + 1 < sizeof rows / sizeof rows[0] && rows[i].cvm != cvm) i++;
    cemv_copy(results, rows[i].results, sizeof rows[i].results);
}

/* Issuer update ---------------------------------------------------------------------------------------------------- */

/* 3.10.3.4: with these five codes the second GENERATE AC requests a TC. */
bool k5_arc_approves(cemv_bytes code)
{
    static const char approvals[][2] = { { '0', '0' }, { '1', '0' }, { '1', '1' }, { '0', '1' }, { '0', '2' } };
    for (size_t i = 0; i < sizeof approvals / sizeof approvals[0]; i++)
        if (code.size == 2 && cemv_memcmp(code.data, approvals[i], 2) == 0) return true;
    return false;
}
