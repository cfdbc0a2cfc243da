/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 4: the settings of a combination, and the checks of its configuration (Book C-4 v2.10, 7.2.1, 10.2.3.1, Annex
 * A, Tables 14-8 and 14-9). Sends nothing. */
#include "k4_memory.h"

enum { NUMBER_RANGE_MIN = 60, DISCRETIONARY_MAX = 252 };

const struct cemv_kernel_4_options *k4_options_of(const struct cemv_kernel *kernel)
{
    static const struct cemv_kernel_4_options defaults = { .number_range = NUMBER_RANGE_MIN };
    const void *options = kernel->combination->options;
    return options != NULL ? options : &defaults;
}

bool k4_can_go_online(const struct cemv_kernel *kernel)
{
    return !kernel->transaction.cannot_go_online && !k4_options_of(kernel)->cannot_go_online;
}

/* Beyond the book: with a range of 60 months there are only 61 possible numbers, so a clone needs only 61 recorded
 * responses (attacks.md, A26). Profile `strict` therefore uses mag-stripe mode only if the combination's own protection
 * allows it. */
bool k4_may_use_magstripe(const struct cemv_kernel *kernel)
{
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    if (protection->magstripe == CEMV_RULE_OFF) return false;
    return !cemv_is_strict(kernel) ||
           (kernel->combination->own_protection && protection->magstripe != CEMV_RULE_PROFILE);
}

static bool list_ok(cemv_bytes list)
{
    enum cemv_wire_error error = CEMV_WIRE_OK;
    (void)cemv_dol_value_size(list, &error);
    return list.size <= DISCRETIONARY_MAX && error == CEMV_WIRE_OK;
}

/* A configuration with sets but without a default set is rejected: cards that name no set, or an unknown one, would
 * then be subject only to the limits of the AID. */
static enum cemv_status check_limits(const struct cemv_limits *const *sets)
{
    for (size_t i = 0; i <= CEMV_KERNEL_4_LIMIT_SETS; i++) {
        if (sets[i] == NULL) continue;
        if (sets[0] == NULL) return CEMV_MISSING;
        const enum cemv_status status = cemv_limits_check(sets[i]);
        if (status != CEMV_OK) return status;
    }
    return CEMV_OK;
}

static enum cemv_status check_options(const struct cemv_kernel_4_options *options, struct cemv_config_error *error)
{
    error->field = CEMV_FIELD_OPTIONS;
    error->option = CEMV_KERNEL_4_NUMBER_RANGE;
    if (options->number_range != 0 && options->number_range < NUMBER_RANGE_MIN) return CEMV_BAD_VALUE;
    error->option = CEMV_KERNEL_4_DISCRETIONARY_LIST;
    if (!list_ok(options->discretionary_list)) return CEMV_BAD_VALUE;
    error->option = CEMV_KERNEL_4_DYNAMIC_LIMITS;
    return options->dynamic_limits != NULL ? check_limits(options->dynamic_limits) : CEMV_OK;
}

/* American Express has no TTQ: its reader capabilities are 9F6D and 9F6E. A configured TTQ is rejected, because nothing
 * would use it. */
enum cemv_status k4_check(const struct cemv_configuration *configuration, size_t row, struct cemv_config_error *error)
{
    static const uint32_t needed[] = { CEMV_TAG_9F1A_TERMINAL_COUNTRY_CODE, CEMV_TAG_9F33_TERMINAL_CAPABILITIES,
                                       CEMV_TAG_9F35_TERMINAL_TYPE };
    const struct cemv_combination *combination = &configuration->combinations[row];
    error->field = CEMV_FIELD_TTQ;
    if (combination->ttq.size != 0) return CEMV_CONFLICT;
    error->field = CEMV_FIELD_DATA;
    if (!cemv_are_configured(configuration, row, needed, sizeof needed / sizeof needed[0], &error->tag))
        return CEMV_MISSING;
    return combination->options != NULL ? check_options(combination->options, error) : CEMV_OK;
}
