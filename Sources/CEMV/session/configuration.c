// SPDX-License-Identifier: Apache-2.0
/* Configuration and transaction checks: every row once, before any card. The answer names section, row, field and tag.
 */
#include "session.h"

struct check {
    const struct cemv_configuration *configuration;
    struct cemv_config_error *error;
};

static enum cemv_status fail(struct cemv_config_error *error, uint16_t field, enum cemv_status status)
{
    error->field = field;
    return status;
}

static void stand_in(struct check *check, uint16_t section, size_t row)
{
    *check->error = (struct cemv_config_error){ .section = section, .row = (uint32_t)row };
}

/* Data objects
 * --------------------------------------------------------------------------------------------------------- */

/* What the transaction, Entry Point or a kernel supplies, whoever the dictionary says may. `open`: data of the
 * transaction that may stand empty, because data exchange brings them (Kernel 2). */
static bool is_computed(uint32_t tag, bool open)
{
    static const uint16_t computed[] = { 0x9F02, 0x9F03, 0x9F21, 0x5F2A, 0x5F36, 0x9A,   0x9C, 0x9F1B, 0x9F37,
                                         0x9F41, 0x9F66, 0x9F34, 0x9F27, 0x9F26, 0x9F36, 0x95, 0x9B };
    enum { FIRST_CLOSED = 7 };
    for (size_t i = open ? FIRST_CLOSED : 0; i < sizeof computed / sizeof computed[0]; i++)
        if (computed[i] == tag) return true;
    return false;
}

enum data_of { OF_TERMINAL, OF_COMBINATION, OF_TRANSACTION };

/* Of a transaction, an object that data exchange may supply may stand empty, which announces that it will be asked for
 * (C-2). POI Information is the terminal's alone (Book B, A.1). */
static enum cemv_status check_data(cemv_bytes list, enum data_of whose, struct cemv_config_error *error)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(list);
    struct cemv_tlv object, earlier;

    error->field = CEMV_FIELD_DATA;
    while (cemv_list_next(&cursor, &object)) {
        uint16_t slot = cemv_slot_of(object.tag);
        error->tag = object.tag;
        if (slot == CEMV_SLOT_NONE) return CEMV_UNKNOWN_TAG;
        const struct cemv_tag_info *info = &cemv_tag_table[slot];
        const bool is_list = object.tag == CEMV_TAG_FF8102_TAGS_TO_WRITE_BEFORE_GEN_AC ||
                             object.tag == CEMV_TAG_FF8103_TAGS_TO_WRITE_AFTER_GEN_AC;
        const bool open = whose == OF_TRANSACTION && object.value.size == 0;
        if (object.tag == CEMV_TAG_8B_POI_INFORMATION && whose != OF_TERMINAL) return CEMV_NOT_CONFIGURABLE;
        if ((object.constructed && !is_list) || is_computed(object.tag, open) || info->source == CEMV_SOURCE_CARD)
            return CEMV_NOT_CONFIGURABLE;
        if (is_list && cemv_tlv_check(object.value, NULL) != CEMV_WIRE_OK) return CEMV_BAD_TLV;
        if (cemv_list_find((cemv_bytes){ list.data, (size_t)(object.whole.data - list.data) }, object.tag, &earlier))
            return CEMV_DUPLICATE;
        if (open && (info->source & CEMV_SOURCE_TERMINAL) != 0) continue;
        if (object.value.size < info->min || object.value.size > info->max) return CEMV_BAD_LENGTH;
        if (!cemv_format_check(object.value, (enum cemv_format)info->format)) return CEMV_BAD_VALUE;
    }
    error->tag = 0;
    return cursor.error == CEMV_WIRE_OK ? CEMV_OK : CEMV_BAD_TLV;
}

/* Combinations
 * --------------------------------------------------------------------------------------------------------- */

static enum cemv_status check_protection(const struct cemv_protection *protection, struct cemv_config_error *error)
{
    error->field = CEMV_FIELD_PROTECTION;
    const uint8_t rules[] = { protection->unsolicited_sdad, protection->oda_tamper,      protection->cid_mismatch,
                              protection->brand_check,      protection->expiry_mismatch, protection->luhn,
                              protection->offline,          protection->magstripe };
    for (size_t i = 0; i < sizeof rules; i++)
        if (rules[i] > CEMV_RULE_ENFORCE) return CEMV_BAD_VALUE;
    if (protection->profile > CEMV_PROFILE_STRICT || protection->cdcvm_trust > CEMV_CDCVM_AUTHENTICATED)
        return CEMV_BAD_VALUE;
    if (protection->max_records > CEMV_MAX_RECORDS || protection->min_number_digits > 8) return CEMV_BAD_VALUE;
    if (protection->relay > CEMV_RELAY_REQUIRED || protection->torn > CEMV_TORN_SAME_SALE) return CEMV_BAD_VALUE;
    return CEMV_OK;
}

static enum cemv_status check_limits(const struct cemv_limits *limits)
{
    if (limits->present >> CEMV_LIMIT_COUNT) return CEMV_BAD_VALUE;
    for (unsigned i = 0; i < CEMV_LIMIT_COUNT; i++)
        if ((limits->present >> i & 1u) && limits->amount[i] > 999999999999u) return CEMV_BAD_VALUE;
    return CEMV_OK;
}

static enum cemv_status check_dynamic_limits(const struct cemv_combination *combination)
{
    if (combination->dynamic_limit_count > CEMV_MAX_DYNAMIC_LIMITS) return CEMV_TOO_MANY;
    for (size_t i = 0; i < combination->dynamic_limit_count; i++) {
        const struct cemv_dynamic_limit *set = &combination->dynamic_limits[i];
        if (set->program.size < 1 || set->program.size > 16) return CEMV_BAD_LENGTH;
        if (set->zero_amount > CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED) return CEMV_BAD_VALUE;
        enum cemv_status status = check_limits(&set->limits);
        if (status) return status;
    }
    return CEMV_OK;
}

static const struct cemv_kernel_functions *kernel_of(const struct cemv_configuration *configuration,
                                                     const struct cemv_combination *combination)
{
    for (size_t i = 0; i < configuration->kernel_count; i++) {
        const struct cemv_kernel_row *row = &configuration->kernels[i];
        if (row->id_size == combination->kernel_id_size &&
            __builtin_memcmp(row->id, combination->kernel_id, row->id_size) == 0)
            return row->functions;
    }
    return NULL;
}

static bool share_a_type(const struct cemv_combination *a, const struct cemv_combination *b)
{
    static const uint8_t purchase[] = { 0x00 };
    cemv_bytes types = a->transaction_types.size ? a->transaction_types : (cemv_bytes){ purchase, sizeof purchase };
    for (size_t i = 0; i < types.size; i++)
        if (cemv_combination_takes(b, types.data[i])) return true;
    return false;
}

static bool stands_twice(const struct cemv_configuration *configuration, size_t row)
{
    const struct cemv_combination *a = &configuration->combinations[row];
    for (size_t i = 0; i < row; i++) {
        const struct cemv_combination *b = &configuration->combinations[i];
        if (cemv_bytes_equal(a->aid, b->aid) && a->kernel_id_size == b->kernel_id_size &&
            __builtin_memcmp(a->kernel_id, b->kernel_id, a->kernel_id_size) == 0 && share_a_type(a, b))
            return true;
    }
    return false;
}

static enum cemv_status check_combination(struct check *check, size_t row)
{
    const struct cemv_combination *combination = &check->configuration->combinations[row];
    struct cemv_config_error *error = check->error;
    enum cemv_status status;
    const struct cemv_kernel_functions *kernel;

    stand_in(check, CEMV_SECTION_COMBINATION, row);
    if (combination->aid.size < 5 || combination->aid.size > 16) return fail(error, CEMV_FIELD_AID, CEMV_BAD_LENGTH);
    if (combination->kernel_id_size < 1 || combination->kernel_id_size > 8)
        return fail(error, CEMV_FIELD_KERNEL_ID, CEMV_BAD_LENGTH);
    if (!(kernel = kernel_of(check->configuration, combination)))
        return fail(error, CEMV_FIELD_KERNEL_ID, CEMV_UNKNOWN_KERNEL);
    if (combination->ttq.size != 0 && combination->ttq.size != 4) return fail(error, CEMV_FIELD_TTQ, CEMV_BAD_LENGTH);
    if (combination->zero_amount > CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED)
        return fail(error, CEMV_FIELD_ZERO_AMOUNT, CEMV_BAD_VALUE);
    if ((status = check_limits(&combination->limits))) return fail(error, CEMV_FIELD_LIMITS, status);
    if ((status = check_dynamic_limits(combination))) return fail(error, CEMV_FIELD_DYNAMIC_LIMITS, status);
    if (stands_twice(check->configuration, row)) return fail(error, CEMV_FIELD_TRANSACTION_TYPES, CEMV_DUPLICATE);
    if (combination->own_protection && (status = check_protection(&combination->protection, error))) return status;
    if ((status = check_data(combination->data, OF_COMBINATION, error))) return status;
    return kernel->check ? kernel->check(check->configuration, row, error) : CEMV_OK;
}

/* CA keys
 * --------------------------------------------------------------------------------------------------------------- */

/* The rules that hold for the key itself, Book 2, 11.2.2 and B2.1. */
static enum cemv_status check_ca_key_itself(const struct cemv_crypto *crypto, const struct cemv_ca_key *key,
                                            uint32_t min_bits, struct cemv_config_error *error)
{
    struct cemv_ca_public_key tried = { .index = key->index, .exponent = key->exponent, .modulus = key->modulus };
    __builtin_memcpy(tried.rid, key->rid, sizeof tried.rid);
    if (key->modulus.size < 64) return fail(error, CEMV_FIELD_MODULUS, CEMV_BAD_LENGTH);
    switch (cemv_ca_key_check(crypto, &tried, key->sha1, min_bits)) {
    case CEMV_CA_KEY_OK: break;
    case CEMV_CA_KEY_EXPONENT: return fail(error, CEMV_FIELD_EXPONENT, CEMV_BAD_VALUE);
    case CEMV_CA_KEY_TOO_LONG: return fail(error, CEMV_FIELD_MODULUS, CEMV_BAD_LENGTH);
    case CEMV_CA_KEY_TOP_ZERO:
    case CEMV_CA_KEY_EVEN: return fail(error, CEMV_FIELD_MODULUS, CEMV_BAD_VALUE);
    case CEMV_CA_KEY_TOO_SHORT: return fail(error, CEMV_FIELD_MODULUS, CEMV_WEAK_KEY);
    case CEMV_CA_KEY_CHECKSUM: /* the last check; a key may come without one */
        if (key->sha1.size == CEMV_SHA1_SIZE) return fail(error, CEMV_FIELD_CHECKSUM, CEMV_BAD_CHECKSUM);
        if (key->sha1.size) return fail(error, CEMV_FIELD_CHECKSUM, CEMV_BAD_LENGTH);
    }
    return CEMV_OK;
}

static bool is_zero(const uint8_t *bytes, size_t size)
{
    uint8_t any = 0;
    while (size--) any |= bytes[size];
    return any == 0;
}

static enum cemv_status check_ca_key(struct check *check, size_t row, struct cemv_checked *checked)
{
    const struct cemv_ca_key *keys = check->configuration->ca_keys, *key = &keys[row];
    const struct cemv_protection *protection = &check->configuration->protection;
    struct cemv_config_error *error = check->error;
    uint32_t day;

    stand_in(check, CEMV_SECTION_CA_KEY, row);
    uint32_t min_bits = protection->profile == CEMV_PROFILE_BOOK ? 0
                      : protection->min_ca_bits                  ? protection->min_ca_bits
                                                                 : 1152;
    enum cemv_status status = check_ca_key_itself(checked->crypto, key, min_bits, error);
    if (status) return status;
    if (!is_zero(key->expires, 3) && !cemv_date_read((cemv_bytes){ key->expires, 3 }, &day))
        return fail(error, CEMV_FIELD_EXPIRY, CEMV_BAD_VALUE);
    if (protection->profile != CEMV_PROFILE_BOOK && !protection->allow_test_keys && key->test != keys[0].test)
        return fail(error, CEMV_FIELD_INDEX, CEMV_CONFLICT);
    for (size_t i = 0; i < row; i++)
        if (keys[i].index == key->index && __builtin_memcmp(keys[i].rid, key->rid, sizeof key->rid) == 0)
            return fail(error, CEMV_FIELD_INDEX, CEMV_DUPLICATE);
    if (checked->crypto->rsa_prepare && !checked->crypto->rsa_prepare(&checked->keys[row], key->modulus, key->exponent))
        return fail(error, CEMV_FIELD_MODULUS, CEMV_BAD_VALUE);
    return CEMV_OK;
}

/* The whole
 * -------------------------------------------------------------------------------------------------------------- */

static enum cemv_status check_counts(struct check *check)
{
    const struct cemv_configuration *configuration = check->configuration;
    stand_in(check, CEMV_SECTION_COMBINATION, 0);
    if (!configuration->combination_count) return CEMV_MISSING;
    if (configuration->combination_count > CEMV_MAX_COMBINATIONS) return CEMV_TOO_MANY;
    stand_in(check, CEMV_SECTION_CA_KEY, 0);
    if (configuration->ca_key_count > CEMV_MAX_CA_KEYS) return CEMV_TOO_MANY;
    return CEMV_OK;
}

static enum cemv_status check_kernels(struct check *check)
{
    const struct cemv_configuration *configuration = check->configuration;
    for (size_t i = 0; i < configuration->kernel_count; i++) {
        const struct cemv_kernel_row *row = &configuration->kernels[i];
        stand_in(check, CEMV_SECTION_KERNEL, i);
        if (row->id_size < 1 || row->id_size > 8) return fail(check->error, CEMV_FIELD_KERNEL_ID, CEMV_BAD_LENGTH);
        if (!row->functions || !row->functions->start || !row->functions->reply)
            return fail(check->error, CEMV_FIELD_FUNCTIONS, CEMV_MISSING);
        for (size_t j = 0; j < i; j++)
            if (configuration->kernels[j].id_size == row->id_size &&
                __builtin_memcmp(configuration->kernels[j].id, row->id, row->id_size) == 0)
                return fail(check->error, CEMV_FIELD_KERNEL_ID, CEMV_DUPLICATE);
    }
    return CEMV_OK;
}

/* POI Information has one value, whichever way it is configured. */
static enum cemv_status check_terminal(struct check *check, struct cemv_configuration *result)
{
    cemv_bytes list = check->configuration->poi_information, value;
    struct cemv_tlv object;
    uint16_t id;
    bool bad = false;

    stand_in(check, CEMV_SECTION_TERMINAL, 0);
    enum cemv_status status = check_data(check->configuration->terminal_data, OF_TERMINAL, check->error);
    if (status) return status;
    check->error->tag = CEMV_TAG_8B_POI_INFORMATION;
    if (cemv_list_find(check->configuration->terminal_data, CEMV_TAG_8B_POI_INFORMATION, &object)) {
        if (list.size && !cemv_bytes_equal(list, object.value)) return CEMV_CONFLICT;
        result->poi_information = list = object.value;
    }
    if (list.size > 64) return CEMV_BAD_LENGTH;
    while (cemv_idlv_next(&list, &id, &value, &bad)) {
    }
    if (bad) return CEMV_BAD_VALUE;
    stand_in(check, CEMV_SECTION_PROTECTION, 0);
    return check_protection(&check->configuration->protection, check->error);
}

static enum cemv_status check_exceptions(struct check *check)
{
    for (size_t i = 0; i < check->configuration->exception_count; i++) {
        const struct cemv_exception *row = &check->configuration->exceptions[i];
        stand_in(check, CEMV_SECTION_EXCEPTION, i);
        int digits = cemv_cn_digits(row->pan);
        if (row->pan.size > 10 || digits < 8 || digits > 19) return fail(check->error, CEMV_FIELD_PAN, CEMV_BAD_VALUE);
        if (!row->any_sequence && !cemv_format_check((cemv_bytes){ &row->sequence, 1 }, CEMV_FORMAT_N))
            return fail(check->error, CEMV_FIELD_SEQUENCE, CEMV_BAD_VALUE);
    }
    return CEMV_OK;
}

size_t cemv_checked_size(const struct cemv_configuration *configuration)
{
    return sizeof(struct cemv_checked) + configuration->ca_key_count * sizeof(struct cemv_rsa_key);
}

enum cemv_status cemv_configuration_check(const struct cemv_configuration *configuration, void *memory, size_t size,
                                          const struct cemv_checked **checked, struct cemv_config_error *error)
{
    struct check check = { configuration, error };
    struct cemv_checked *result = memory;
    enum cemv_status status = check_counts(&check);

    *checked = NULL;
    if (status) return status;
    if (!memory || size < cemv_checked_size(configuration) || (uintptr_t)memory % CEMV_ALIGNMENT) {
        stand_in(&check, CEMV_SECTION_TERMINAL, 0);
        return fail(error, CEMV_FIELD_MEMORY, CEMV_NO_MEMORY);
    }
    result->configuration = *configuration;
    result->crypto = configuration->crypto ? configuration->crypto : &cemv_crypto_builtin;
    if ((status = check_terminal(&check, &result->configuration))) return status;
    result->terminal_count = cemv_store_prepare_list(configuration->terminal_data, result->terminal);
    if ((status = check_kernels(&check))) return status;
    for (size_t row = 0; row < configuration->combination_count; row++)
        if ((status = check_combination(&check, row))) return status;
    for (size_t row = 0; row < configuration->ca_key_count; row++)
        if ((status = check_ca_key(&check, row, result))) return status;
    if ((status = check_exceptions(&check))) return status;
    *checked = result;
    *error = (struct cemv_config_error){ 0 };
    return CEMV_OK;
}

static bool is_bcd(uint16_t number)
{
    for (unsigned shift = 0; shift < 16; shift += 4)
        if ((number >> shift & 0xF) > 9) return false;
    return true;
}

enum cemv_status cemv_transaction_check(const struct cemv_transaction *transaction, struct cemv_config_error *error)
{
    uint64_t time;
    uint32_t day;

    *error = (struct cemv_config_error){ .section = CEMV_SECTION_TRANSACTION };
    if (transaction->amount > 999999999999u) return fail(error, CEMV_FIELD_AMOUNT, CEMV_BAD_VALUE);
    if (transaction->amount_other > 999999999999u) return fail(error, CEMV_FIELD_AMOUNT, CEMV_BAD_VALUE);
    if (!is_bcd(transaction->type)) return fail(error, CEMV_FIELD_TYPE, CEMV_BAD_VALUE);
    if (!is_bcd(transaction->currency) || transaction->currency > 0x0999)
        return fail(error, CEMV_FIELD_CURRENCY, CEMV_BAD_VALUE);
    if (transaction->exponent > 4) return fail(error, CEMV_FIELD_EXPONENT_OF_CURRENCY, CEMV_BAD_VALUE);
    if (!cemv_date_read((cemv_bytes){ transaction->date, 3 }, &day))
        return fail(error, CEMV_FIELD_DATE, CEMV_BAD_VALUE);
    if (!cemv_bcd_read((cemv_bytes){ transaction->time, 3 }, &time) || time >= 240000 || time % 10000 >= 6000 ||
        time % 100 >= 60)
        return fail(error, CEMV_FIELD_TIME, CEMV_BAD_VALUE);
    if (transaction->counter > 99999999u) return fail(error, CEMV_FIELD_COUNTER, CEMV_BAD_VALUE);
    for (cemv_bytes rest = transaction->preferred; rest.size != 0;) {
        const size_t size = rest.data[0];
        if (size < 5 || size > 16 || size >= rest.size) return fail(error, CEMV_FIELD_AID, CEMV_BAD_LENGTH);
        rest.data += 1 + size;
        rest.size -= 1 + size;
    }
    return check_data(transaction->data, OF_TRANSACTION, error);
}
