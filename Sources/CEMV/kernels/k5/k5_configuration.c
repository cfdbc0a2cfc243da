/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 5: the settings of a combination, and the checks of its configuration (Book C-5 v2.10, Table 3-1, A.3, A.9).
 * Sends nothing. */
#include "k5_memory.h"

const struct cemv_kernel_5_options *k5_options_of(const struct cemv_kernel *kernel)
{
    static const struct cemv_kernel_5_options defaults = { .given = 0 };
    const void *options = kernel->combination->options;
    return options != NULL ? options : &defaults;
}

/* Byte 1 of the Combination Options. If both bytes are zero they count as not configured, and the default is EMV Mode
 * with authentication. */
static uint8_t combination_options(const struct cemv_kernel_5_options *options)
{
    const uint8_t *own = options->combination_options;
    return own[0] == 0 && own[1] == 0 ? CEMV_KERNEL_5_ODA | CEMV_KERNEL_5_EMV_MODE : own[0];
}

bool k5_option(const struct cemv_kernel *kernel, uint8_t bit)
{
    return (combination_options(k5_options_of(kernel)) & bit) != 0;
}

/* Legacy Mode has no signature, so the protection can forbid it even if the options allow it. */
bool k5_takes_legacy(const struct cemv_kernel *kernel)
{
    return k5_option(kernel, CEMV_KERNEL_5_LEGACY_MODE) && cemv_protection_of(kernel)->legacy != CEMV_RULE_OFF;
}

bool k5_refuses_offline(const struct cemv_kernel *kernel)
{
    const struct cemv_transaction *transaction = &kernel->transaction;
    const bool status_check = k5_option(kernel, CEMV_KERNEL_5_STATUS_CHECK) &&
                              k5_is_single_unit(transaction->amount, transaction->exponent);
    const bool has_floor = (k5_options_of(kernel)->limits.present >> CEMV_LIMIT_FLOOR & 1u) != 0;
    if (cemv_offline_is_off(kernel)) return true;
    return !cemv_is_book(kernel) && (transaction->amount == 0 || status_check || !has_floor);
}

bool k5_cda_is_on(struct cemv_kernel *kernel)
{
    return !k5_memory_of(kernel)->legacy && k5_option(kernel, CEMV_KERNEL_5_ODA) &&
           (cemv_value_byte(kernel, CEMV_SLOT_82, 0) & CEMV_AIP_1_CDA) != 0;
}

/* The check -------------------------------------------------------------------------------------------------------- */

/* Random selection is for amounts within the floor limit, so it cannot be enabled without one, and its threshold must
 * be below it. */
static bool selection_ok(const struct cemv_kernel_5_options *options)
{
    enum { PERCENT_MAX = 99 };
    const struct cemv_limits *limits = &options->limits;
    const bool wanted = (combination_options(options) & CEMV_KERNEL_5_RANDOM_SELECTION) != 0;
    const bool given = (options->given & CEMV_KERNEL_5_GIVEN_SELECTION) != 0;
    const bool has_floor = (limits->present >> CEMV_LIMIT_FLOOR & 1u) != 0;
    if (!given) return !wanted;
    if (options->target > options->maximum_target || options->maximum_target > PERCENT_MAX) return false;
    return has_floor ? options->threshold < limits->amount[CEMV_LIMIT_FLOOR] : !wanted;
}

static enum cemv_status check_options(const struct cemv_kernel_5_options *options, struct cemv_config_error *error)
{
    enum { REMOVAL_TIMEOUT_MAX = 9999 };
    const uint8_t bits = combination_options(options);
    error->field = CEMV_FIELD_OPTIONS;
    error->option = CEMV_KERNEL_5_LIMITS;
    if (cemv_limits_check(&options->limits) != CEMV_OK) return CEMV_BAD_VALUE;
    if ((options->limits.present >> CEMV_LIMIT_TERMINAL_FLOOR & 1u) != 0) return CEMV_NOT_CONFIGURABLE;
    error->option = CEMV_KERNEL_5_COMBINATION_OPTIONS;
    if ((bits & CEMV_KERNEL_5_EMV_MODE) == 0 || (bits & CEMV_KERNEL_5_MAG_STRIPE_MODE) != 0) return CEMV_BAD_VALUE;
    error->option = CEMV_KERNEL_5_TERMINAL_INTERCHANGE_PROFILE;
    if ((options->terminal_interchange_profile[0] & CEMV_KERNEL_5_TIP_1_CVM_REQUIRED) != 0) return CEMV_BAD_VALUE;
    error->option = CEMV_KERNEL_5_SELECTION;
    if (!selection_ok(options)) return CEMV_BAD_VALUE;
    error->option = CEMV_KERNEL_5_REMOVAL_TIMEOUT;
    return options->removal_timeout <= REMOVAL_TIMEOUT_MAX ? CEMV_OK : CEMV_BAD_VALUE;
}

/* This kernel has its own limits: those of the combination would apply to pre-processing and are rejected. A Terminal
 * Interchange Profile among the configured data would conflict with the one in the options. */
enum cemv_status k5_check(const struct cemv_configuration *configuration, size_t row, struct cemv_config_error *error)
{
    static const uint32_t needed[] = { CEMV_TAG_9F1A_TERMINAL_COUNTRY_CODE, CEMV_TAG_9F35_TERMINAL_TYPE };
    const struct cemv_combination *combination = &configuration->combinations[row];
    struct cemv_tlv object;
    error->field = CEMV_FIELD_LIMITS;
    if (combination->limits.present != 0) return CEMV_NOT_CONFIGURABLE;
    error->field = CEMV_FIELD_DATA;
    error->tag = CEMV_TAG_9F53_TERMINAL_INTERCHANGE_PROFILE;
    if (cemv_list_find(combination->data, error->tag, &object)) return CEMV_CONFLICT;
    if (!cemv_are_configured(configuration, row, needed, sizeof needed / sizeof needed[0], &error->tag))
        return CEMV_MISSING;
    return combination->options != NULL ? check_options(combination->options, error) : CEMV_OK;
}
