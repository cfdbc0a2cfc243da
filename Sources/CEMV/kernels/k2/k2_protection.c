/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2: rules of the protection profiles beyond the book (attacks.md, Kernel 2). They judge stored data only; they
 * send nothing and know no state. Profile `book` leaves every decision to the charts. */
#include "k2.h"

/* If the configuration has no DF811B, the charts allow both modes. Outside profile `book` mag-stripe mode must be
 * enabled explicitly. */
uint8_t k2_configured(const struct cemv_kernel *kernel)
{
    return k2_byte(kernel, K2_SLOT_DF811B, cemv_is_book(kernel) ? 0x00 : K2_MAGSTRIPE_OFF);
}

/* The protection can turn mag-stripe mode off. In profile `strict` the mode is off unless the combination's own
 * protection sets a rule for it: a clone offers this mode where the genuine card would not, and a card whose AIP and
 * AFL were both edited looks like one that supports nothing else (attacks.md, A26, A34). */
uint8_t k2_configuration_of(const struct cemv_kernel *kernel)
{
    const uint8_t rule = cemv_protection_of(kernel)->magstripe;
    const bool named = kernel->combination->own_protection && rule != CEMV_RULE_PROFILE;
    const bool off = rule == CEMV_RULE_OFF || (cemv_is_strict(kernel) && !named);
    return (uint8_t)(k2_configured(kernel) | (off ? K2_MAGSTRIPE_OFF : 0));
}

/* Beyond the book, a record is recovered only if it agrees with this sale, unless the protection sets another rule. */
uint8_t k2_torn_rule(const struct cemv_kernel *kernel)
{
    const uint8_t set = cemv_protection_of(kernel)->torn;
    if (set != CEMV_TORN_PROFILE) return set;
    return cemv_is_book(kernel) ? CEMV_TORN_BOOK : CEMV_TORN_SAME_SALE;
}

/* With few digits, a clone can hold a recorded answer for each possible number (attacks.md, A26). A digit without a
 * position in a track does not count, because the track would keep the clone's digit there. */
bool k2_number_too_short(const struct cemv_kernel *kernel, int digits)
{
    enum { GUARDED_DIGITS = 4 };
    const uint8_t set = cemv_protection_of(kernel)->min_number_digits;
    return !cemv_is_book(kernel) && digits < (set != 0 ? set : GUARDED_DIGITS);
}

/* A card that denies EMV mode although it lists more than the mag-stripe record, or has sent data of EMV mode
 * (attacks.md, A26). */
bool k2_is_downgraded(const struct cemv_kernel *kernel)
{
    const struct cemv_store *store = &kernel->store;
    const bool more = k2_begins_with_magstripe_record(cemv_value(kernel, CEMV_SLOT_94)) &&
                      cemv_value(kernel, CEMV_SLOT_94).size > 4;
    const bool chip = cemv_store_has(store, CEMV_SLOT_57) || cemv_store_has(store, CEMV_SLOT_8C) ||
                      cemv_store_has(store, CEMV_SLOT_90);
    return cemv_is_strict(kernel) && (more || chip);
}

/* The card was late, or the protection requires relay resistance above the CVM limit and no signature of this tap will
 * prove that it was performed (attacks.md, A24, A25). */
bool k2_relay_refused(const struct cemv_kernel *kernel)
{
    const struct k2_memory *memory = k2_memory_of_const(kernel);
    const bool performed = (memory->tvr & K2_TVR_RELAY_MASK) == CEMV_TVR(5, CEMV_TVR_5_RELAY_PERFORMED);
    const bool proven = performed && memory->cda && (memory->tvr & CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED)) == 0;
    return cemv_relay_refused(kernel, memory->tvr, !proven && k2_above_cvm_limit(kernel), false);
}

/* The exception list names accounts, so the number of this card is looked up. */
bool k2_on_exception_list(const struct cemv_kernel *kernel)
{
    uint8_t buffer[CEMV_PAN_SIZE_MAX];
    const struct cemv_account account = cemv_account_of(&kernel->store);
    return cemv_on_exception_list(kernel, cemv_account_pan(&account, buffer));
}

/* Without CDA nothing proves the card's data, and anybody may have written the CVM List. Above the CVM limit the reader
 * then requires online PIN, its strongest method, or declines (attacks.md, A04). Profile `strict` declines a failed CDA
 * at any amount and, above the limit, an absent one. */
void k2_harden_cvm(struct cemv_kernel *kernel, struct cemv_rules_cvm *cvm)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const bool failed = (memory->tvr & CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED)) != 0;
    const bool unproven = !memory->cda || failed;
    const cemv_bytes capabilities = cemv_value(kernel, CEMV_SLOT_9F33);
    if (cemv_is_strict(kernel) && (failed || (unproven && k2_above_cvm_limit(kernel)))) memory->decline = true;
    if (!unproven || !k2_above_cvm_limit(kernel) || cvm->cvm == CEMV_CVM_ONLINE_PIN) return;
    cemv_finding_add(kernel, CEMV_FINDING_CVM_FROM_PLAIN_DATA);
    if (cemv_is_book(kernel)) return;
    if (capabilities.size == 3 && (capabilities.data[1] & 0x40) != 0) {
        *cvm = (struct cemv_rules_cvm){ .cvm = CEMV_CVM_ONLINE_PIN,
                                        .results = { CEMV_CVM_1_ENCIPHERED_PIN_ONLINE, 0, 0 },
                                        .tvr = cvm->tvr | CEMV_TVR(3, CEMV_TVR_3_ONLINE_CVM_CAPTURED) };
    } else {
        memory->decline = true;
    }
}

/* Transactions that only the issuer may approve: refunds and other types that are not sales, and an amount of zero
 * unless the configuration allows it offline (attacks.md, A30). */
static bool is_for_the_issuer(const struct cemv_kernel *kernel)
{
    const uint8_t type = k2_byte(kernel, CEMV_SLOT_9C, 0);
    const bool sale = type == CEMV_TYPE_PURCHASE || type == CEMV_TYPE_CASH || type == CEMV_TYPE_CASHBACK ||
                      type == CEMV_TYPE_CASH_DISBURSEMENT;
    return !sale || (k2_amount(kernel, CEMV_SLOT_9F02) == 0 &&
                     kernel->combination->zero_amount != CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED);
}

/* Corrects the result of action analysis. The rules above may have decided to decline. An offline approval, TC,
 * requires that offline approvals are not turned off; that CDA is possible, since its signature is the only proof
 * (attacks.md, A07); that the card's list of the signed data is itself in a signed record (A35); and that the
 * transaction is not reserved for the issuer. Otherwise the issuer is asked, or the transaction is declined if the
 * terminal cannot go online. */
uint8_t k2_guard_type(struct cemv_kernel *kernel, uint8_t type)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const uint8_t terminal_type = k2_byte(kernel, CEMV_SLOT_9F35, 0);
    const bool offline_terminal = (terminal_type & 0x0F) == 3 || (terminal_type & 0x0F) == 6;
    const bool offline_off = cemv_offline_is_off(kernel);
    const bool proven = memory->cda && (memory->tvr & CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED)) == 0;
    if (k2_relay_refused(kernel)) memory->decline = true;
    if (memory->decline && type != K2_AAC) {
        memory->protection = true;
        return K2_AAC;
    }
    const bool unsigned_list = type == K2_TC && proven && cemv_list_refused(kernel);
    const bool approvable = cemv_is_book(kernel) || (proven && !unsigned_list && !is_for_the_issuer(kernel));
    if (type != K2_TC || (!offline_off && approvable)) return type;
    memory->protection = offline_terminal;
    return offline_terminal ? K2_AAC : K2_ARQC;
}

/* k2_guard_type() requests the signature. This check, at the end, catches an approval that came without one, for
 * example a recovered cryptogram (attacks.md, A20). */
bool k2_approval_unproven(const struct cemv_kernel *kernel)
{
    return !cemv_is_book(kernel) && !k2_memory_of_const(kernel)->verified;
}
