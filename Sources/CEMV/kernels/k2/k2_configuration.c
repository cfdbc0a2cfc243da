/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2: requirements on its configuration, beyond the format of the data objects (Conformance/book-c2.md,
 * configuration). Each would otherwise show as a strange outcome at the first tap; here the integrator gets an error
 * that names the object. Knows no card and no transaction. */
#include "k2.h"

enum {
    OFFLINE_PIN = 0x80 | 0x10, /* DF8118, DF8119: plaintext and enciphered offline PIN */
    CDA_FAILED_BIT = CEMV_TVR_1_CDA_FAILED,
};

static const cemv_bytes nothing = { NULL, 0 };

/* The value of the combination, or else of the terminal; empty if neither has it. */
static cemv_bytes configured(const struct cemv_configuration *configuration, size_t row, uint32_t tag)
{
    struct cemv_tlv object;
    if (cemv_list_find(configuration->combinations[row].data, tag, &object)) return object.value;
    return cemv_list_find(configuration->terminal_data, tag, &object) ? object.value : nothing;
}

static bool has_bits(cemv_bytes value, uint8_t bits) { return value.size != 0 && (value.data[0] & bits) != 0; }

/* A kernel with both modes turned off could not process any card. */
static bool modes_ok(cemv_bytes value)
{
    return value.size == 0 || (value.data[0] & (K2_MAGSTRIPE_OFF | K2_EMV_OFF)) != (K2_MAGSTRIPE_OFF | K2_EMV_OFF);
}

/* The default UDOL must contain the whole unpredictable number and nothing more; other lists are the card's choice. */
static bool default_udol_ok(cemv_bytes value)
{
    static const uint8_t number[] = { 0x9F, 0x6A, 0x04 };
    return value.size == 0 || cemv_bytes_equal(value, (cemv_bytes){ number, sizeof number });
}

static bool torn_count_ok(cemv_bytes value) { return value.size == 0 || value.data[0] <= CEMV_TORN_RECORDS; }
/* Offline PIN does not exist over this interface, so a reader must not claim it. */
static bool no_offline_pin(cemv_bytes value) { return !has_bits(value, OFFLINE_PIN); }
static bool phone_table_ok(cemv_bytes value) { return value.size == 0 || k2_phone_table_ok(value); }

/* The high nibble is a CVM: none, signature, online PIN, or F for "not applicable". */
static bool magstripe_cvm_ok(cemv_bytes value)
{
    return value.size == 0 || value.data[0] <= CEMV_CVM_ONLINE_PIN + 0x0F || value.data[0] >= CEMV_CVM_NA;
}

/* Without that denial a failed CDA lets unauthenticated data decide, so profile `strict` rejects such action codes
 * (attacks.md, A04). */
static bool denies_failed_cda(const struct cemv_configuration *configuration, size_t row)
{
    const struct cemv_combination *combination = &configuration->combinations[row];
    const struct cemv_protection *protection = combination->own_protection ? &combination->protection
                                                                           : &configuration->protection;
    const cemv_bytes denial = configured(configuration, row, CEMV_TAG_DF8121_TERMINAL_ACTION_CODE_DENIAL);
    if (protection->profile != CEMV_PROFILE_STRICT) return true;
    if (!has_bits(configured(configuration, row, CEMV_TAG_DF811F_SECURITY_CAPABILITY), K2_SECURITY_CDA)) return true;
    return denial.size == 0 || has_bits(denial, CDA_FAILED_BIT);
}

static enum cemv_status refuse(struct cemv_config_error *error, uint32_t tag, enum cemv_status status)
{
    error->field = CEMV_FIELD_DATA;
    error->tag = tag;
    return status;
}

static enum cemv_status refuse_field(struct cemv_config_error *error, uint16_t field)
{
    error->field = field;
    return CEMV_NOT_CONFIGURABLE;
}

/* A table of objects and their conditions. The first violation is reported. */
enum cemv_status k2_check(const struct cemv_configuration *configuration, size_t row, struct cemv_config_error *error)
{
    static const struct {
        uint32_t tag;
        bool (*holds)(cemv_bytes value);
        enum cemv_status status;
    } rules[] = {
        { CEMV_TAG_DF811B_KERNEL_CONFIGURATION, modes_ok, CEMV_CONFLICT },
        { CEMV_TAG_DF811A_DEFAULT_UDOL, default_udol_ok, CEMV_BAD_VALUE },
        { CEMV_TAG_DF811D_MAX_NUMBER_OF_TORN_RECORDS, torn_count_ok, CEMV_TOO_MANY },
        { CEMV_TAG_DF8118_CVM_CAPABILITY_CVM_REQUIRED, no_offline_pin, CEMV_BAD_VALUE },
        { CEMV_TAG_DF8119_CVM_CAPABILITY_NO_CVM_REQUIRED, no_offline_pin, CEMV_BAD_VALUE },
        { CEMV_TAG_DF811E_MAG_STRIPE_CVM_CAPABILITY_CVM_REQUIRED, magstripe_cvm_ok, CEMV_BAD_VALUE },
        { CEMV_TAG_DF812C_MAG_STRIPE_CVM_CAPABILITY_NO_CVM_REQUIRED, magstripe_cvm_ok, CEMV_BAD_VALUE },
        { CEMV_TAG_DF8131_PHONE_MESSAGE_TABLE, phone_table_ok, CEMV_BAD_VALUE },
    };
    /* Entry Point's limits and other kernels' options: ignored, they would leave a reader without the limits that its
     * maker believes it has. */
    if (configuration->combinations[row].limits.present != 0) return refuse_field(error, CEMV_FIELD_LIMITS);
    if (configuration->combinations[row].options != NULL) return refuse_field(error, CEMV_FIELD_OPTIONS);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (!rules[i].holds(configured(configuration, row, rules[i].tag)))
            return refuse(error, rules[i].tag, rules[i].status);
    if (!denies_failed_cda(configuration, row))
        return refuse(error, CEMV_TAG_DF8121_TERMINAL_ACTION_CODE_DENIAL, CEMV_BAD_VALUE);
    return CEMV_OK;
}
