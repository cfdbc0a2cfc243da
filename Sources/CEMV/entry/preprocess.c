/* SPDX-License-Identifier: Apache-2.0 */
/* Pre-processing (Book B, 3.1.1): the indicators of one combination for one transaction. A pure function of
 * configuration and amount; knows no card and no kernel. */
#include "entry.h"

#define TTQ_1_OFFLINE_ONLY      0x08
#define TTQ_2_ONLINE_CRYPTOGRAM 0x80
#define TTQ_2_CVM_REQUIRED      0x40

static bool has(const struct cemv_limits *limits, enum cemv_limit limit) { return (limits->present >> limit) & 1u; }

/* Keeps the first reason only: it is the one that the POS shows. */
static void block(struct cemv_indicators *indicators, uint8_t by)
{
    indicators->not_allowed = true;
    if (indicators->blocked_by == CEMV_BLOCKED_BY_NOTHING) indicators->blocked_by = by;
}

enum cemv_status cemv_limits_check(const struct cemv_limits *limits)
{
    if (limits->present >> CEMV_LIMIT_COUNT) return CEMV_BAD_VALUE;
    for (unsigned i = 0; i < CEMV_LIMIT_COUNT; i++)
        if ((limits->present >> i & 1u) && limits->amount[i] > 999999999999u) return CEMV_BAD_VALUE;
    return CEMV_OK;
}

/* One major unit of the currency: 1.00, 1, 1.000. A status check uses this amount. */
static uint64_t single_unit(uint8_t exponent)
{
    uint64_t unit = 1;
    while (exponent--) unit *= 10;
    return unit;
}

/* B 3.1.1.3 to 3.1.1.8. The comparisons differ: transaction and CVM limits are exceeded when the amount reaches them, a
 * floor limit only when the amount is above it. The kernel's floor limit has precedence; the terminal's is used if the
 * kernel has no floor limit. */
static void check_amount(struct cemv_indicators *indicators, const struct cemv_combination *combination,
                         const struct cemv_transaction *transaction)
{
    const struct cemv_limits *limits = &combination->limits;
    uint64_t amount = transaction->amount;

    indicators->status_check_requested = combination->status_check && amount == single_unit(transaction->exponent);
    if (amount == 0 && combination->zero_amount != CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED) {
        if (combination->zero_amount == CEMV_ZERO_AMOUNT_NOT_ALLOWED) block(indicators, CEMV_BLOCKED_BY_ZERO_AMOUNT);
        else indicators->zero_amount = true;
    }
    if (has(limits, CEMV_LIMIT_TRANSACTION) && amount >= limits->amount[CEMV_LIMIT_TRANSACTION])
        block(indicators, CEMV_LIMIT_TRANSACTION);
    if (has(limits, CEMV_LIMIT_FLOOR)) indicators->floor_limit_exceeded = amount > limits->amount[CEMV_LIMIT_FLOOR];
    else if (has(limits, CEMV_LIMIT_TERMINAL_FLOOR))
        indicators->floor_limit_exceeded = amount > limits->amount[CEMV_LIMIT_TERMINAL_FLOOR];
    indicators->cvm_required_limit_exceeded = has(limits, CEMV_LIMIT_CVM_REQUIRED) &&
                                              amount >= limits->amount[CEMV_LIMIT_CVM_REQUIRED];
}

/* B 3.1.1.9 to 3.1.1.12. Sets the requirements that the card receives in the Terminal Transaction Qualifiers: an online
 * cryptogram, a cardholder verification. An offline-only reader cannot require the former, so there a zero amount that
 * needs it is not allowed at all. */
static void adjust_ttq(struct cemv_indicators *indicators)
{
    if (indicators->floor_limit_exceeded || indicators->status_check_requested)
        indicators->ttq[1] |= TTQ_2_ONLINE_CRYPTOGRAM;
    if (indicators->zero_amount) {
        if (indicators->ttq[0] & TTQ_1_OFFLINE_ONLY) block(indicators, CEMV_BLOCKED_BY_ZERO_AMOUNT);
        else indicators->ttq[1] |= TTQ_2_ONLINE_CRYPTOGRAM;
    }
    if (indicators->cvm_required_limit_exceeded) indicators->ttq[1] |= TTQ_2_CVM_REQUIRED;
}

/* Some kernels have no qualifiers; for them only the indicators count. */
static void copy_ttq(struct cemv_indicators *indicators, const struct cemv_combination *combination)
{
    indicators->ttq_present = combination->ttq.size == sizeof indicators->ttq;
    if (indicators->ttq_present) cemv_copy(indicators->ttq, combination->ttq.data, sizeof indicators->ttq);
}

/* A transaction that begins at Start B has no pre-processing: its qualifiers are sent as configured, and no limit
 * applies. */
struct cemv_indicators cemv_preprocess(const struct cemv_combination *combination,
                                       const struct cemv_transaction *transaction)
{
    struct cemv_indicators indicators = { .blocked_by = CEMV_BLOCKED_BY_NOTHING }; /* 3.1.1.1 */
    copy_ttq(&indicators, combination);
    if (transaction->start_b) return indicators;                                    /* 3.2.1.1: as configured */
    indicators.ttq[1] &= (uint8_t) ~(TTQ_2_ONLINE_CRYPTOGRAM | TTQ_2_CVM_REQUIRED); /* 3.1.1.2 */
    check_amount(&indicators, combination, transaction);
    if (indicators.ttq_present) adjust_ttq(&indicators);
    return indicators;
}

/* Uses the higher limit for transactions that the device's user has confirmed, but only if that claim must be proven
 * (attacks.md, A02). Otherwise anybody could claim it. */
struct cemv_indicators cemv_entry_indicators(const struct cemv_configuration *configuration,
                                             const struct cemv_combination *combination,
                                             const struct cemv_transaction *transaction)
{
    const struct cemv_protection *protection = combination->own_protection ? &combination->protection
                                                                           : &configuration->protection;
    bool authenticated = protection->cdcvm_trust == CEMV_CDCVM_AUTHENTICATED ||
                         (protection->cdcvm_trust == CEMV_CDCVM_PROFILE && protection->profile == CEMV_PROFILE_STRICT);
    if (!authenticated || !has(&combination->limits, CEMV_LIMIT_CDCVM_TRANSACTION))
        return cemv_preprocess(combination, transaction);

    struct cemv_combination raised = *combination;
    raised.limits.amount[CEMV_LIMIT_TRANSACTION] = combination->limits.amount[CEMV_LIMIT_CDCVM_TRANSACTION];
    raised.limits.present |= 1u << CEMV_LIMIT_TRANSACTION;
    return cemv_preprocess(&raised, transaction);
}

/* Without a list of types a combination accepts only purchases, so that refunds and cash must be configured
 * deliberately. */
bool cemv_combination_takes(const struct cemv_combination *combination, uint8_t transaction_type)
{
    if (!combination->transaction_types.size) return transaction_type == CEMV_TYPE_PURCHASE;
    for (size_t i = 0; i < combination->transaction_types.size; i++)
        if (combination->transaction_types.data[i] == transaction_type) return true;
    return false;
}

/* With an amount above zero only the transaction limit can block (3.1.1.3 to 3.1.1.12), so the usual case is one
 * comparison. If two limits are configured, the full calculation decides which of them counts. */
static bool is_allowed(const struct cemv_configuration *configuration, const struct cemv_combination *combination,
                       const struct cemv_transaction *transaction, bool by_limit)
{
    enum { LIMIT = 1 << CEMV_LIMIT_TRANSACTION, LIMITS = LIMIT | 1 << CEMV_LIMIT_CDCVM_TRANSACTION };
    const struct cemv_limits *limits = &combination->limits;
    const unsigned present = limits->present & LIMITS;
    if (by_limit && present == LIMIT) return transaction->amount < limits->amount[CEMV_LIMIT_TRANSACTION];
    return (by_limit && present == 0) || !cemv_entry_indicators(configuration, combination, transaction).not_allowed;
}

/* One bit for each combination, computed before the field is switched on. The indicators are not kept: they are
 * computed again for the selected combination, which saves the memory for all others. */
bool cemv_entry_preprocess(struct cemv_entry *entry, const struct cemv_transaction *transaction)
{
    const struct cemv_configuration *configuration = entry->configuration;
    const bool by_limit = transaction->amount != 0 && !transaction->start_b;
    uint64_t allowed = 0;
    bool taken = false;
    for (size_t row = 0; row < configuration->combination_count; row++) {
        const struct cemv_combination *combination = &configuration->combinations[row];
        if (!cemv_combination_takes(combination, transaction->type)) continue;
        taken = true;
        if (is_allowed(configuration, combination, transaction, by_limit)) allowed |= (uint64_t)1 << row;
    }
    entry->allowed = allowed;
    return taken;
}

const struct cemv_kernel_row *cemv_kernel_row_of(const struct cemv_configuration *configuration,
                                                 const struct cemv_combination *combination)
{
    for (size_t i = 0; i < configuration->kernel_count; i++) {
        const struct cemv_kernel_row *row = &configuration->kernels[i];
        if (row->id[0] != combination->kernel_id[0] || row->id_size != combination->kernel_id_size) continue;
        if (row->id_size == 1 || cemv_memcmp(row->id, combination->kernel_id, row->id_size) == 0) return row;
    }
    return NULL;
}
