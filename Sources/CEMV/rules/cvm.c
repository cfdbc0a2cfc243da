/* SPDX-License-Identifier: Apache-2.0 */
/* The CVM List and the CVM Results (Book 3, 10.5; Book 4, 6.3.4 and A4). The list is the issuer's order of preference
 * for verifying the cardholder: rules of two bytes, a method and the condition under which it applies. Pure functions;
 * they know no store, no kernel and no command. */
#include "rules.h"

enum {
    /* Terminal Capabilities, 9F33, byte 2. */
    CAN_PLAINTEXT_PIN = 0x80,
    CAN_ONLINE_PIN = 0x40,
    CAN_SIGNATURE = 0x20,
    CAN_NONE = 0x08,
};

/* Recognised and supported are different questions. A method that the terminal does not recognise sets the TVR bit
 * "unrecognised CVM", so that the issuer's action codes can react to it; a known method that this terminal cannot
 * perform does not. */
bool cemv_rules_cvm_recognised(uint8_t code)
{
    return code <= CEMV_CVM_1_ENCIPHERED_PIN_AND_SIGNATURE || code == CEMV_CVM_1_SIGNATURE || code == CEMV_CVM_1_NO_CVM;
}

bool cemv_rules_cvm_supported(uint8_t code, uint8_t methods)
{
    switch (code) {
    case CEMV_CVM_1_PLAINTEXT_PIN_OFFLINE: return (methods & CAN_PLAINTEXT_PIN) != 0;
    case CEMV_CVM_1_ENCIPHERED_PIN_ONLINE: return (methods & CAN_ONLINE_PIN) != 0;
    case CEMV_CVM_1_SIGNATURE: return (methods & CAN_SIGNATURE) != 0;
    case CEMV_CVM_1_NO_CVM: return (methods & CAN_NONE) != 0;
    }
    return false;
}

/* Conditions 1, 2, 4 and 5 classify the transaction. Exactly one of them holds, so it is computed once. Cash at an
 * attended terminal counts as manual cash. */
uint8_t cemv_rules_cvm_kind(uint8_t type, uint8_t terminal_type)
{
    const bool alone = cemv_rules_unattended(terminal_type);
    if (type == CEMV_TYPE_CASHBACK) return CEMV_CVM_2_CASHBACK;
    if (alone && type == CEMV_TYPE_CASH) return CEMV_CVM_2_UNATTENDED_CASH;
    if (!alone && (type == CEMV_TYPE_CASH || type == CEMV_TYPE_CASH_DISBURSEMENT)) return CEMV_CVM_2_MANUAL_CASH;
    return CEMV_CVM_2_NOT_CASH_NOT_CASHBACK;
}

/* Whether a rule applies to this transaction. A condition that is not understood, or whose data are missing, counts as
 * not satisfied, so its rule is skipped.
 *
 * Condition 3, "if the terminal supports the CVM", holds for Fail CVM as well, because every terminal supports failing
 * (Book 4, 6.3.4). The amounts X and Y at the start of the list are in the card's currency; conditions 6 to 9 can only
 * be evaluated if that is the transaction's currency. */
static bool holds(const struct cemv_rules_cvm_in *in, uint8_t condition, uint8_t code)
{
    if (in->any_condition || condition == CEMV_CVM_2_ALWAYS || condition == in->kind) return true;
    if (condition == CEMV_CVM_2_TERMINAL_SUPPORTS_CVM)
        return code == CEMV_CVM_1_FAIL || cemv_rules_cvm_supported(code, in->methods);
    if (condition < CEMV_CVM_2_UNDER_X || condition > CEMV_CVM_2_OVER_Y || !in->same_currency) return false;
    const bool over = condition == CEMV_CVM_2_OVER_X || condition == CEMV_CVM_2_OVER_Y;
    const uint32_t amount = cemv_be32(in->list.data + (condition >= CEMV_CVM_2_UNDER_Y ? 4 : 0));
    return over ? in->amount > amount : in->amount < amount;
}

bool cemv_rules_cvm_next(const struct cemv_rules_cvm_in *in, size_t *at, struct cemv_rules_cvm_rule *rule)
{
    if (*at == 0) *at = CEMV_CVM_LIST_AMOUNTS;
    while (*at + 1 < in->list.size) {
        *rule = (struct cemv_rules_cvm_rule){ in->list.data[*at], in->list.data[*at + 1] };
        *at += 2;
        if (holds(in, rule->condition, rule->method & CEMV_CVM_1_CODE)) return true;
    }
    return false;
}

struct cemv_rules_cvm cemv_rules_cvm_of(uint8_t cvm, struct cemv_rules_cvm_rule rule, uint8_t result, uint64_t tvr)
{
    return (struct cemv_rules_cvm){ .cvm = cvm, .results = { rule.method, rule.condition, result }, .tvr = tvr };
}

struct cemv_rules_cvm cemv_rules_cvm_none(uint8_t result, uint64_t tvr)
{
    const struct cemv_rules_cvm_rule none = { CEMV_CVM_1_NOT_PERFORMED, CEMV_CVM_2_ALWAYS };
    return cemv_rules_cvm_of(CEMV_CVM_NONE, none, result, tvr);
}

/* The result of online PIN and of a signature is unknown to the terminal: the issuer checks the PIN, and the cashier
 * compares the signature after the tap. Only "no CVM" is already successful. */
struct cemv_rules_cvm cemv_rules_cvm_performed(struct cemv_rules_cvm_rule rule, uint64_t tvr)
{
    struct cemv_rules_cvm cvm = cemv_rules_cvm_of(CEMV_CVM_NONE, rule, CEMV_CVM_3_SUCCESSFUL, tvr);
    const uint8_t code = rule.method & CEMV_CVM_1_CODE;
    if (code == CEMV_CVM_1_ENCIPHERED_PIN_ONLINE) {
        cvm.cvm = CEMV_CVM_ONLINE_PIN;
        cvm.results[2] = CEMV_CVM_3_UNKNOWN;
        cvm.tvr |= CEMV_TVR(3, CEMV_TVR_3_ONLINE_CVM_CAPTURED);
    } else if (code == CEMV_CVM_1_SIGNATURE) {
        cvm.cvm = CEMV_CVM_SIGNATURE;
        cvm.results[2] = CEMV_CVM_3_UNKNOWN;
        cvm.receipt = true;
    }
    return cvm;
}

/* Evaluates the list from top to bottom. A rule whose condition is not satisfied has no effect at all. A rule whose
 * method cannot be performed has failed, and bit 7 of the method states whether the next rule may be tried. Fail CVM
 * ends the evaluation even if its bit 7 is set. If no rule leads to a method, cardholder verification has failed; this
 * is not an error, because the action codes determine the consequence. */
struct cemv_rules_cvm cemv_rules_cvm(const struct cemv_rules_cvm_in *in)
{
    const uint64_t failed = CEMV_TVR(3, CEMV_TVR_3_CVM_FAILED);
    struct cemv_rules_cvm_rule rule;
    uint64_t tvr = 0;
    size_t at = 0;
    while (cemv_rules_cvm_next(in, &at, &rule)) {
        const uint8_t code = rule.method & CEMV_CVM_1_CODE;
        if (!cemv_rules_cvm_recognised(code)) tvr |= CEMV_TVR(3, CEMV_TVR_3_UNRECOGNISED_CVM);
        else if (cemv_rules_cvm_supported(code, in->methods)) return cemv_rules_cvm_performed(rule, tvr);
        if (code == CEMV_CVM_1_FAIL) return cemv_rules_cvm_of(CEMV_CVM_NONE, rule, CEMV_CVM_3_FAILED, tvr | failed);
        if ((rule.method & CEMV_CVM_1_NEXT_IF_UNSUCCESSFUL) == 0) break;
    }
    return cemv_rules_cvm_none(CEMV_CVM_3_FAILED, tvr | failed);
}
