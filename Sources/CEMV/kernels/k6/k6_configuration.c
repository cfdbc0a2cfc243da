/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 6: the settings of a combination, and the checks of its configuration (Book C-6 v2.6, 2.1, 2.3.1, Tables 4-8
 * to 4-11 and 4-16). Sends nothing. */
#include "k6_memory.h"

enum { RID_SIZE = 5, CVR_BYTE_MAX = 25, TERMINAL_MAGSTRIPE = 0x40 };

const struct cemv_kernel_6_options *k6_options_of(const struct cemv_kernel *kernel)
{
    static const struct cemv_kernel_6_options defaults = { .mode = CEMV_KERNEL_6_MODE_AUTO };
    const void *options = kernel->combination->options;
    return options != NULL ? options : &defaults;
}

static bool is_legacy(const struct cemv_combination *combination)
{
    static const uint8_t rid[RID_SIZE] = { 0xA0, 0x00, 0x00, 0x03, 0x24 };
    return cemv_memcmp(combination->aid.data, rid, sizeof rid) == 0;
}

bool k6_is_magstripe_reader(const struct cemv_kernel *kernel)
{
    const uint8_t mode = k6_options_of(kernel)->mode;
    if (mode != CEMV_KERNEL_6_MODE_AUTO) return mode != CEMV_KERNEL_6_MODE_EMV;
    return is_legacy(kernel->combination) ||
           !cemv_ttq_has(kernel, 1, CEMV_TTQ_1_EMV_MODE); /* check_ttq() ensures that it has a mode */
}

/* In profile `strict` a reader with EMV Mode uses the weaker mode only if the combination's own protection allows it
 * (attacks.md, A26). */
bool k6_takes_magstripe(const struct cemv_kernel *kernel, bool magstripe_reader)
{
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    if (protection->magstripe == CEMV_RULE_OFF) return false;
    if (magstripe_reader) return true;
    if (k6_options_of(kernel)->mode == CEMV_KERNEL_6_MODE_EMV) return false;
    if (!cemv_ttq_has(kernel, 1, CEMV_TTQ_1_MAG_STRIPE_MODE)) return false;
    return protection->profile != CEMV_PROFILE_STRICT ||
           (kernel->combination->own_protection && protection->magstripe != CEMV_RULE_PROFILE);
}

uint32_t k6_track_1_tag(const struct cemv_kernel *kernel)
{
    const uint32_t tag = k6_options_of(kernel)->track_1_tag;
    return tag != 0 ? tag : CEMV_TAG_56_TRACK_1_DATA;
}

/* The contact chip comes before the magnetic stripe, because it is the safer one. By default the terminal's own data
 * state which of them it has. */
uint8_t k6_other_interface(const struct cemv_kernel *kernel)
{
    uint8_t interfaces = k6_options_of(kernel)->other_interfaces;
    if (interfaces == CEMV_KERNEL_6_AS_TERMINAL) {
        const cemv_bytes capabilities = cemv_value(kernel, CEMV_SLOT_9F33);
        if (cemv_ttq_has(kernel, 1, CEMV_TTQ_1_CONTACT_CHIP)) interfaces |= CEMV_KERNEL_6_CONTACT;
        if (capabilities.size != 0 && (capabilities.data[0] & TERMINAL_MAGSTRIPE) != 0)
            interfaces |= CEMV_KERNEL_6_MAGSTRIPE;
    }
    if ((interfaces & CEMV_KERNEL_6_CONTACT) != 0) return CEMV_INTERFACE_CONTACT_CHIP;
    return (interfaces & CEMV_KERNEL_6_MAGSTRIPE) != 0 ? CEMV_INTERFACE_MAGSTRIPE : CEMV_INTERFACE_NA;
}

/* The check -------------------------------------------------------------------------------------------------------- */

/* 2.3.1, Table 4-16: bits 7 and 1 must be 0. Without bits 8 and 6 the D-PAS AID would have no mode. The legacy AID has
 * a mode without any TTQ. */
static enum cemv_status check_ttq(const struct cemv_combination *combination)
{
    const cemv_bytes ttq = combination->ttq;
    if (ttq.size == 0) return is_legacy(combination) ? CEMV_OK : CEMV_MISSING;
    if ((ttq.data[0] & (CEMV_TTQ_1_FULL_CONTACTLESS_FLOW | CEMV_TTQ_1_ODA_FOR_ONLINE)) != 0) return CEMV_BAD_VALUE;
    const bool has_mode = (ttq.data[0] & (CEMV_TTQ_1_MAG_STRIPE_MODE | CEMV_TTQ_1_EMV_MODE)) != 0;
    return has_mode || is_legacy(combination) ? CEMV_OK : CEMV_CONFLICT;
}

static bool interfaces_ok(uint8_t interfaces)
{
    const uint8_t both = CEMV_KERNEL_6_CONTACT | CEMV_KERNEL_6_MAGSTRIPE;
    return interfaces == CEMV_KERNEL_6_NO_INTERFACE || (interfaces & ~both) == 0;
}

/* The option must name a primitive object. A tag that the kernel or the base table knows is rejected, except 56: the
 * store would treat it as that other object. */
static bool track_tag_ok(uint32_t tag)
{
    if (tag == 0) return true;
    for (size_t i = 0; i < K6_TAGS; i++)
        if (k6_tags[i].tag == tag) return false;
    const struct cemv_tag_row *row = cemv_base_tag_find(tag);
    return cemv_tag_is_valid(tag) && !cemv_tag_is_constructed(tag) && (row == NULL || tag == CEMV_TAG_56_TRACK_1_DATA);
}

static enum cemv_status check_options(const struct cemv_kernel_6_options *options, struct cemv_config_error *error)
{
    error->field = CEMV_FIELD_OPTIONS;
    error->option = CEMV_KERNEL_6_MODE;
    if (options->mode > CEMV_KERNEL_6_MODE_LEGACY) return CEMV_BAD_VALUE;
    error->option = CEMV_KERNEL_6_OTHER_INTERFACES;
    if (!interfaces_ok(options->other_interfaces)) return CEMV_BAD_VALUE;
    error->option = CEMV_KERNEL_6_CVR_BYTE;
    if (options->cvr_byte > CVR_BYTE_MAX) return CEMV_BAD_VALUE;
    error->option = CEMV_KERNEL_6_TRACK_1_TAG;
    error->tag = options->track_1_tag;
    return track_tag_ok(options->track_1_tag) ? CEMV_OK : CEMV_BAD_VALUE;
}

enum cemv_status k6_check(const struct cemv_configuration *configuration, size_t row, struct cemv_config_error *error)
{
    static const uint32_t needed[] = { CEMV_TAG_9F09_APPLICATION_VERSION_NUMBER_TERMINAL,
                                       CEMV_TAG_9F1A_TERMINAL_COUNTRY_CODE, CEMV_TAG_9F1E_IFD_SERIAL_NUMBER,
                                       CEMV_TAG_9F33_TERMINAL_CAPABILITIES, CEMV_TAG_9F35_TERMINAL_TYPE };
    const struct cemv_combination *combination = &configuration->combinations[row];
    error->field = CEMV_FIELD_TTQ;
    const enum cemv_status status = check_ttq(combination);
    if (status != CEMV_OK) return status;
    error->field = CEMV_FIELD_DATA;
    if (!cemv_are_configured(configuration, row, needed, sizeof needed / sizeof needed[0], &error->tag))
        return CEMV_MISSING;
    return combination->options != NULL ? check_options(combination->options, error) : CEMV_OK;
}
