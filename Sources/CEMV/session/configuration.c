/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of configuration and transaction: every row once, before any card (Books A and B).
 *
 * A tap has no time to doubt its configuration, and no way to report a fault in it. So everything that can be known
 * before is checked here, and the answer names section, row, field and tag. What has been checked is also prepared:
 * keys for the crypto port, tables of tags, lists of terminal data as entries of a store. Knows no card; a kernel
 * checks its own options. */
#include "session.h"

struct check {
    const struct cemv_configuration *configuration;
    struct cemv_checked *checked; /* the checked configuration in preparation */
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

/* Data objects ----------------------------------------------------------------------------------------------------- */

/* A configuration may serve several kernels, and each knows other tags and other lengths: an object is good if one of
 * the kernels can use it. */

/* Supplied by the transaction, Entry Point or a kernel, even if the dictionary permits other sources. `open`: the
 * transaction's objects that may be empty, because data exchange supplies them (Kernel 2). */
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

/* An object as one kernel knows it. Of a transaction, an object that data exchange may supply may be empty, which
 * announces that it will be requested (C-2). POI Information is the terminal's alone (Book B, A.1). */
static enum cemv_status check_object(const struct cemv_tlv *object, const struct cemv_tag_row *row, enum data_of whose)
{
    const bool is_list = object->tag == CEMV_TAG_FF8102_TAGS_TO_WRITE_BEFORE_GEN_AC ||
                         object->tag == CEMV_TAG_FF8103_TAGS_TO_WRITE_AFTER_GEN_AC;
    const bool is_envelopes = object->tag == CEMV_TAG_BF8104_DATA_ENVELOPES_TO_WRITE; /* Kernel 8 reads them itself */
    const bool open = whose == OF_TRANSACTION && object->value.size == 0;
    if (row == NULL) return CEMV_UNKNOWN_TAG;
    if ((row->source & CEMV_SOURCE_ELSEWHERE) != 0) return CEMV_OK;
    if (object->tag == CEMV_TAG_8B_POI_INFORMATION && whose != OF_TERMINAL) return CEMV_NOT_CONFIGURABLE;
    if ((object->constructed && !is_list && !is_envelopes) || is_computed(object->tag, open) ||
        cemv_is_cards_alone(row))
        return CEMV_NOT_CONFIGURABLE;
    if (is_list && cemv_tlv_check(object->value, NULL) != CEMV_WIRE_OK) return CEMV_BAD_TLV;
    if (open && (row->source & CEMV_SOURCE_TERMINAL) != 0) return CEMV_OK;
    if (is_envelopes) return CEMV_OK;
    if (object->value.size < row->min || object->value.size > row->max) return CEMV_BAD_LENGTH;
    return cemv_format_check(object->value, (enum cemv_format)row->format) ? CEMV_OK : CEMV_BAD_VALUE;
}

/* OK if one of the kernels accepts the object; otherwise the fault found by one that knows it. */
static enum cemv_status check_for_kernels(const struct cemv_tlv *object, enum data_of whose,
                                          const struct cemv_checked *checked)
{
    enum cemv_status status = check_object(object, cemv_base_tag_find(object->tag), whose);
    if (status != CEMV_UNKNOWN_TAG) return status;
    for (size_t i = 0; i < checked->configuration.kernel_count; i++) {
        const enum cemv_status found = check_object(object, cemv_tag_find(&checked->tags[i], object->tag), whose);
        if (found == CEMV_OK) return CEMV_OK;
        if (found != CEMV_UNKNOWN_TAG) status = found;
    }
    return status;
}

/* A kernel may accept tags that no table lists, and in a combination empty objects: the combination's kernel, or any
 * kernel for a transaction. */
static bool is_open(enum cemv_status status, enum data_of whose, const struct cemv_kernel_row *kernel,
                    const struct cemv_checked *checked, size_t size)
{
    const struct cemv_configuration *const configuration = &checked->configuration;
    if (status != CEMV_UNKNOWN_TAG && (size != 0 || whose != OF_COMBINATION)) return false;
    for (size_t i = 0; i < configuration->kernel_count && whose != OF_TERMINAL; i++) {
        const struct cemv_kernel_row *const row = &configuration->kernels[i];
        if ((kernel == NULL || kernel == row) && (row->module->reading & CEMV_READING_PROPRIETARY) != 0) return true;
    }
    return false;
}

static enum cemv_status check_data(cemv_bytes list, enum data_of whose, const struct cemv_kernel_row *kernel,
                                   const struct cemv_checked *checked, struct cemv_config_error *error)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(list);
    struct cemv_tlv object, earlier;

    error->field = CEMV_FIELD_DATA;
    while (cemv_list_next(&cursor, &object)) {
        error->tag = object.tag;
        const enum cemv_status status = check_for_kernels(&object, whose, checked);
        if (status && !is_open(status, whose, kernel, checked, object.value.size)) return status;
        if (cemv_list_find((cemv_bytes){ list.data, (size_t)(object.whole.data - list.data) }, object.tag, &earlier))
            return CEMV_DUPLICATE;
    }
    error->tag = 0;
    return cursor.error == CEMV_WIRE_OK ? CEMV_OK : CEMV_BAD_TLV;
}

/* Combinations ----------------------------------------------------------------------------------------------------- */

/* One row for each AID, kernel and transaction type. */

static enum cemv_status check_protection(const struct cemv_protection *protection, struct cemv_config_error *error)
{
    error->field = CEMV_FIELD_PROTECTION;
    const uint8_t rules[] = { protection->unsolicited_sdad, protection->oda_tamper,
                              protection->cid_mismatch,     protection->brand_check,
                              protection->expiry_mismatch,  protection->luhn,
                              protection->offline,          protection->magstripe,
                              protection->kernel_fallback,  protection->legacy };
    for (size_t i = 0; i < sizeof rules; i++)
        if (rules[i] > CEMV_RULE_ENFORCE) return CEMV_BAD_VALUE;
    if (protection->profile > CEMV_PROFILE_STRICT || protection->cdcvm_trust > CEMV_CDCVM_AUTHENTICATED)
        return CEMV_BAD_VALUE;
    if (protection->max_records > CEMV_MAX_RECORDS || protection->min_number_digits > 8) return CEMV_BAD_VALUE;
    if (protection->allow_test_keys > 1) return CEMV_BAD_VALUE;
    if (protection->relay > CEMV_RELAY_REQUIRED || protection->torn > CEMV_TORN_SAME_SALE) return CEMV_BAD_VALUE;
    return CEMV_OK;
}

static bool share_a_type(const struct cemv_combination *a, const struct cemv_combination *b)
{
    static const uint8_t purchase[] = { 0x00 };
    cemv_bytes types = a->transaction_types.size ? a->transaction_types : (cemv_bytes){ purchase, sizeof purchase };
    for (size_t i = 0; i < types.size; i++)
        if (cemv_combination_takes(b, types.data[i])) return true;
    return false;
}

/* Two rows that would serve one transaction: their order would decide which of them counts. */
static bool stands_twice(const struct cemv_configuration *configuration, size_t row)
{
    const struct cemv_combination *a = &configuration->combinations[row];
    for (size_t i = 0; i < row; i++) {
        const struct cemv_combination *b = &configuration->combinations[i];
        if (cemv_bytes_equal(a->aid, b->aid) && a->kernel_id_size == b->kernel_id_size &&
            cemv_memcmp(a->kernel_id, b->kernel_id, a->kernel_id_size) == 0 && share_a_type(a, b))
            return true;
    }
    return false;
}

static enum cemv_status check_combination(struct check *check, size_t row)
{
    const struct cemv_combination *combination = &check->configuration->combinations[row];
    struct cemv_config_error *error = check->error;
    enum cemv_status status;
    const struct cemv_kernel_row *kernel;

    stand_in(check, CEMV_SECTION_COMBINATION, row);
    if (combination->aid.size < 5 || combination->aid.size > 16) return fail(error, CEMV_FIELD_AID, CEMV_BAD_LENGTH);
    if (combination->kernel_id_size < 1 || combination->kernel_id_size > 8)
        return fail(error, CEMV_FIELD_KERNEL_ID, CEMV_BAD_LENGTH);
    if (!(kernel = cemv_kernel_row_of(check->configuration, combination)))
        return fail(error, CEMV_FIELD_KERNEL_ID, CEMV_UNKNOWN_KERNEL);
    if (combination->ttq.size != 0 && combination->ttq.size != 4) return fail(error, CEMV_FIELD_TTQ, CEMV_BAD_LENGTH);
    if (combination->zero_amount > CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED)
        return fail(error, CEMV_FIELD_ZERO_AMOUNT, CEMV_BAD_VALUE);
    if ((status = cemv_limits_check(&combination->limits))) return fail(error, CEMV_FIELD_LIMITS, status);
    if (!cemv_format_check(combination->transaction_types, CEMV_FORMAT_N))
        return fail(error, CEMV_FIELD_TRANSACTION_TYPES, CEMV_BAD_VALUE);
    if (stands_twice(check->configuration, row)) return fail(error, CEMV_FIELD_TRANSACTION_TYPES, CEMV_DUPLICATE);
    if (combination->own_protection && (status = check_protection(&combination->protection, error))) return status;
    if ((status = check_data(combination->data, OF_COMBINATION, kernel, check->checked, error))) return status;
    return kernel->module->check ? kernel->module->check(check->configuration, row, error) : CEMV_OK;
}

/* CA keys ---------------------------------------------------------------------------------------------------------- */

/* Outside profile `book` a key must be long enough, and test keys must not be mixed with live ones: one test key in a
 * live list would let anybody make cards. */

/* The rules that hold for the key itself, Book 2, 11.2.2 and B2.1. */
static enum cemv_status check_ca_key_itself(const struct cemv_crypto *crypto, const struct cemv_ca_key *key,
                                            uint32_t min_bits, struct cemv_config_error *error)
{
    if (key->modulus.size < 64) return fail(error, CEMV_FIELD_MODULUS, CEMV_BAD_LENGTH);
    switch (cemv_ca_key_check(crypto, key, min_bits)) {
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
    /* A configured minimum applies in every profile; Book 2 itself defines no minimum. */
    const uint32_t usual_bits = protection->profile == CEMV_PROFILE_BOOK ? 0 : 1152;
    const uint32_t min_bits = protection->min_ca_bits != 0 ? protection->min_ca_bits : usual_bits;
    enum cemv_status status = check_ca_key_itself(checked->crypto, key, min_bits, error);
    if (status) return status;
    if (!is_zero(key->expires, 3) && !cemv_date_read((cemv_bytes){ key->expires, 3 }, &day))
        return fail(error, CEMV_FIELD_EXPIRY, CEMV_BAD_VALUE);
    if (protection->profile != CEMV_PROFILE_BOOK && !protection->allow_test_keys && key->test != keys[0].test)
        return fail(error, CEMV_FIELD_INDEX, CEMV_CONFLICT);
    if (cemv_ca_key_find(keys, row, key->rid, key->index) != NULL) return fail(error, CEMV_FIELD_INDEX, CEMV_DUPLICATE);
    if (checked->crypto->rsa_prepare && !checked->crypto->rsa_prepare(&checked->keys[row], key->modulus, key->exponent))
        return fail(error, CEMV_FIELD_MODULUS, CEMV_BAD_VALUE);
    return CEMV_OK;
}

/* The whole -------------------------------------------------------------------------------------------------------- */

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

/* Look-up relies on the order; a tag of the base table has one meaning for all kernels. */
static enum cemv_status check_tags(const struct cemv_kernel_tags *tags, struct cemv_config_error *error)
{
    error->field = CEMV_FIELD_TAGS;
    if (tags->count > CEMV_KERNEL_TAGS_MAX) return CEMV_TOO_MANY;
    for (size_t i = 0; i < tags->count; i++) {
        error->tag = tags->rows[i].tag;
        if (!cemv_tag_is_valid(tags->rows[i].tag)) return CEMV_BAD_VALUE;
        if (tags->rows[i].min == 0 || tags->rows[i].min > tags->rows[i].max) return CEMV_BAD_LENGTH;
        if (tags->rows[i].format > CEMV_FORMAT_VAR) return CEMV_BAD_VALUE;
        if (i != 0 && tags->rows[i].tag <= tags->rows[i - 1].tag) return CEMV_CONFLICT;
        if (cemv_base_slot_of(tags->rows[i].tag) != CEMV_SLOT_NONE) return CEMV_DUPLICATE;
    }
    error->tag = 0;
    return CEMV_OK;
}

static enum cemv_status check_kernels(struct check *check)
{
    const struct cemv_configuration *configuration = check->configuration;
    stand_in(check, CEMV_SECTION_KERNEL, 0);
    if (configuration->kernel_count > CEMV_MAX_KERNELS) return CEMV_TOO_MANY;
    for (size_t i = 0; i < configuration->kernel_count; i++) {
        const struct cemv_kernel_row *row = &configuration->kernels[i];
        stand_in(check, CEMV_SECTION_KERNEL, i);
        if (row->id_size < 1 || row->id_size > 8) return fail(check->error, CEMV_FIELD_KERNEL_ID, CEMV_BAD_LENGTH);
        if (!row->module || !row->module->start || !row->module->reply)
            return fail(check->error, CEMV_FIELD_MODULE, CEMV_MISSING);
        if (row->module->memory_size > CEMV_KERNEL_MEMORY_MAX)
            return fail(check->error, CEMV_FIELD_MODULE, CEMV_TOO_MANY);
        const enum cemv_status status = check_tags(&row->module->tags, check->error);
        if (status) return status;
        for (size_t j = 0; j < i; j++)
            if (configuration->kernels[j].id_size == row->id_size &&
                cemv_memcmp(configuration->kernels[j].id, row->id, row->id_size) == 0)
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
    enum cemv_status status =
        check_data(check->configuration->terminal_data, OF_TERMINAL, NULL, check->checked, check->error);
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
        const int digits = cemv_cn_digits(row->pan);
        const bool is_padded = digits >= 0 && row->pan.size != ((size_t)digits + 1) / 2;
        if (digits < 8 || digits > 19 || is_padded) return fail(check->error, CEMV_FIELD_PAN, CEMV_BAD_VALUE);
        if (!row->any_sequence && !cemv_format_check((cemv_bytes){ &row->sequence, 1 }, CEMV_FORMAT_N))
            return fail(check->error, CEMV_FIELD_SEQUENCE, CEMV_BAD_VALUE);
    }
    return CEMV_OK;
}

static size_t objects_in(cemv_bytes list)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(list);
    struct cemv_tlv object;
    size_t count = 0;
    while (count < CEMV_STORE_ENTRIES && cemv_list_next(&cursor, &object)) count++;
    return count;
}

/* The size of the checked configuration. The caller supplies the memory, since nothing here allocates. */
size_t cemv_checked_size(const struct cemv_configuration *configuration)
{
    const size_t kernels = configuration->kernel_count, combinations = configuration->combination_count;
    size_t entries = kernels * objects_in(configuration->terminal_data);
    for (size_t i = 0; i < combinations; i++) entries += objects_in(configuration->combinations[i].data);
    return sizeof(struct cemv_checked) + configuration->ca_key_count * sizeof(struct cemv_rsa_key) +
           kernels * sizeof(struct cemv_tags) + (kernels + combinations) * sizeof(struct cemv_prepared) +
           entries * sizeof(struct cemv_store_entry);
}

/* The memory after the keys: tags, the prepared lists of the terminal and of the combinations, their entries. */
static void prepare_tags(struct cemv_checked *checked)
{
    const struct cemv_configuration *const configuration = &checked->configuration;
    struct cemv_tags *const tags = (void *)(checked->keys + configuration->ca_key_count);
    for (size_t i = 0; i < configuration->kernel_count; i++)
        cemv_tags_open(&tags[i], &configuration->kernels[i].module->tags);
    checked->tags = tags;
}

static struct cemv_prepared prepare(const struct cemv_tags *tags, cemv_bytes list, struct cemv_store_entry *entries,
                                    uint32_t first)
{
    return (struct cemv_prepared){ first, (uint16_t)cemv_store_prepare_list(tags, list, entries + first) };
}

static void prepare_lists(struct cemv_checked *checked)
{
    const struct cemv_configuration *const configuration = &checked->configuration;
    const size_t kernels = configuration->kernel_count, combinations = configuration->combination_count;
    struct cemv_prepared *const prepared = (void *)(checked->tags + kernels);
    struct cemv_store_entry *const entries = (void *)(prepared + kernels + combinations);
    uint32_t used = 0;
    for (size_t i = 0; i < kernels; used += prepared[i++].count)
        prepared[i] = prepare(&checked->tags[i], configuration->terminal_data, entries, used);
    for (size_t i = 0; i < combinations; used += prepared[kernels + i++].count) {
        const struct cemv_combination *const combination = &configuration->combinations[i];
        const size_t kernel = (size_t)(cemv_kernel_row_of(configuration, combination) - configuration->kernels);
        prepared[kernels + i] = prepare(&checked->tags[kernel], combination->data, entries, used);
    }
    checked->terminal = prepared;
    checked->combinations = prepared + kernels;
    checked->entries = entries;
}
_Static_assert(_Alignof(struct cemv_rsa_key) >= _Alignof(struct cemv_tags) &&
                   _Alignof(struct cemv_tags) >= _Alignof(struct cemv_prepared) &&
                   _Alignof(struct cemv_prepared) >= _Alignof(struct cemv_store_entry),
               "they follow each other without a gap");

/* Bytes behind the session for the largest memory of a listed kernel. */
static size_t further_memory(const struct cemv_configuration *configuration)
{
    size_t most = CEMV_KERNEL_MEMORY;
    for (size_t i = 0; i < configuration->kernel_count; i++) {
        const size_t size = configuration->kernels[i].module->memory_size;
        if (size > most) most = size;
    }
    return most > CEMV_KERNEL_MEMORY ? (most + 7) / 8 * 8 : 0;
}

enum cemv_status cemv_configuration_check(const struct cemv_configuration *configuration, void *memory, size_t size,
                                          const struct cemv_checked **checked, struct cemv_config_error *error)
{
    struct cemv_checked *result = memory;
    struct check check = { configuration, result, error };
    enum cemv_status status = check_counts(&check);

    *checked = NULL;
    if (status) return status;
    if (!memory || size < cemv_checked_size(configuration) || (uintptr_t)memory % CEMV_ALIGNMENT) {
        stand_in(&check, CEMV_SECTION_TERMINAL, 0);
        return fail(error, CEMV_FIELD_MEMORY, CEMV_NO_MEMORY);
    }
    result->configuration = *configuration;
    result->crypto = configuration->crypto ? configuration->crypto : &cemv_crypto_builtin;
    if ((status = check_kernels(&check))) return status;
    prepare_tags(result);
    result->further_memory = further_memory(configuration);
    if ((status = check_terminal(&check, &result->configuration))) return status;
    for (size_t row = 0; row < configuration->combination_count; row++)
        if ((status = check_combination(&check, row))) return status;
    for (size_t row = 0; row < configuration->ca_key_count; row++)
        if ((status = check_ca_key(&check, row, result))) return status;
    if ((status = check_exceptions(&check))) return status;
    prepare_lists(result);
    *checked = result;
    *error = (struct cemv_config_error){ 0 };
    return CEMV_OK;
}

static bool is_bcd(uint16_t number)
{
    return (((number + 0x6666u) ^ number ^ 0x6666u) & 0x11110u) == 0; /* adding six carries out of any digit above 9 */
}

enum cemv_status cemv_transaction_check(const struct cemv_transaction *transaction, const struct cemv_checked *checked,
                                        struct cemv_config_error *error)
{
    uint64_t digits = 0;
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
    const bool is_time = cemv_bcd_read((cemv_bytes){ transaction->time, 3 }, &digits);
    const uint32_t time = (uint32_t)digits;
    if (!is_time || time >= 240000 || time % 10000 >= 6000 || time % 100 >= 60)
        return fail(error, CEMV_FIELD_TIME, CEMV_BAD_VALUE);
    if (transaction->counter > 99999999u) return fail(error, CEMV_FIELD_COUNTER, CEMV_BAD_VALUE);
    for (cemv_bytes rest = transaction->preferred; rest.size != 0;) {
        const size_t size = rest.data[0];
        if (size < 5 || size > 16 || size >= rest.size) return fail(error, CEMV_FIELD_AID, CEMV_BAD_LENGTH);
        rest.data += 1 + size;
        rest.size -= 1 + size;
    }
    if (transaction->utc_offset_minutes < -840 || transaction->utc_offset_minutes > 840)
        return fail(error, CEMV_FIELD_TIME, CEMV_BAD_VALUE);
    return check_data(transaction->data, OF_TRANSACTION, NULL, checked, error);
}
