/* SPDX-License-Identifier: Apache-2.0 */
/* The fingerprint of a checked configuration (include/cemv_replies.h): SHA-256 over a listing of its settings.
 *
 * Structs are never hashed: their padding, pointers and byte order belong to one build. Each member is listed by
 * itself, in a fixed order, as a number or as bytes with their length, so no two listings of different settings are
 * equal. Tables whose order has no meaning are listed in the order of a key. Nothing is allocated: the next few rows in
 * that order are found by a pass over the table. Knows no kernel; each kernel lists its options itself. */
#include "session.h"

#include "../include/cemv_replies.h"

enum { LISTING_VERSION = 1, LISTS_NUMBER = 1, LISTS_BYTES = 2 };

struct cemv_listing {
    struct cemv_sha256 hash;
};

static void put(struct cemv_listing *listing, uint8_t kind, uint64_t number)
{
    uint8_t out[9];
    out[0] = kind;
    for (unsigned i = 0; i < 8; i++) out[1 + i] = (uint8_t)(number >> (56 - 8 * i));
    cemv_sha256_update(&listing->hash, (cemv_bytes){ out, sizeof out });
}

void cemv_listing_number(struct cemv_listing *listing, uint64_t number) { put(listing, LISTS_NUMBER, number); }

void cemv_listing_bytes(struct cemv_listing *listing, cemv_bytes bytes)
{
    put(listing, LISTS_BYTES, bytes.size);
    cemv_sha256_update(&listing->hash, bytes);
}

void cemv_listing_limits(struct cemv_listing *listing, const struct cemv_limits *limits)
{
    cemv_listing_number(listing, limits->present);
    for (unsigned i = 0; i < CEMV_LIMIT_COUNT; i++)
        if ((limits->present >> i & 1u) != 0) cemv_listing_number(listing, limits->amount[i]);
}

/* Tables in the order of their keys -------------------------------------------------------------------------------- */

enum { KEY_SIZE = 12, BATCH = 32 };

struct place {
    uint8_t key[KEY_SIZE];
    size_t row;
};

/* A table of the configuration: the key of a row, and the listing of it. */
struct table {
    void (*key)(const struct cemv_configuration *configuration, size_t row, uint8_t key[KEY_SIZE]);
    void (*list)(struct cemv_listing *listing, const struct cemv_configuration *configuration, size_t row);
};

/* Rows with equal keys keep their order. */
static bool is_before(const struct place *a, const struct place *b)
{
    const int order = cemv_memcmp(a->key, b->key, KEY_SIZE);
    return order < 0 || (order == 0 && a->row < b->row);
}

/* The rows that come next after `last`, or the first ones if that is NULL. */
static size_t next_batch(const struct table *table, const struct cemv_configuration *configuration, size_t count,
                         const struct place *last, struct place batch[BATCH])
{
    size_t used = 0;
    for (size_t row = 0; row < count; row++) {
        struct place place = { .row = row };
        table->key(configuration, row, place.key);
        if (last != NULL && !is_before(last, &place)) continue;
        size_t at = used;
        while (at != 0 && is_before(&place, &batch[at - 1])) at--;
        if (at == BATCH) continue;
        if (used < BATCH) used++;
        for (size_t i = used - 1; i > at; i--) batch[i] = batch[i - 1];
        batch[at] = place;
    }
    return used;
}

static void list_table(struct cemv_listing *listing, const struct table *table,
                       const struct cemv_configuration *configuration, size_t count)
{
    struct place batch[BATCH], last;
    cemv_listing_number(listing, count);
    for (size_t listed = 0; listed < count;) {
        const size_t used = next_batch(table, configuration, count, listed != 0 ? &last : NULL, batch);
        for (size_t i = 0; i < used; i++) table->list(listing, configuration, batch[i].row);
        last = batch[used - 1];
        listed += used;
    }
}

static void key_of_kernel(const struct cemv_configuration *configuration, size_t row, uint8_t key[KEY_SIZE])
{
    const struct cemv_kernel_row *const kernel = &configuration->kernels[row];
    key[0] = kernel->id_size;
    cemv_copy(key + 1, kernel->id, kernel->id_size);
}
static void list_kernel(struct cemv_listing *listing, const struct cemv_configuration *configuration, size_t row)
{
    const struct cemv_kernel_row *const kernel = &configuration->kernels[row];
    cemv_listing_bytes(listing, (cemv_bytes){ kernel->id, kernel->id_size });
}

/* A CA key is found by RID and index. */
static void key_of_ca_key(const struct cemv_configuration *configuration, size_t row, uint8_t key[KEY_SIZE])
{
    const struct cemv_ca_key *const ca = &configuration->ca_keys[row];
    cemv_copy(key, ca->rid, sizeof ca->rid);
    key[sizeof ca->rid] = ca->index;
}
static void list_ca_key(struct cemv_listing *listing, const struct cemv_configuration *configuration, size_t row)
{
    const struct cemv_ca_key *const ca = &configuration->ca_keys[row];
    cemv_listing_bytes(listing, (cemv_bytes){ ca->rid, sizeof ca->rid });
    cemv_listing_number(listing, ca->index);
    cemv_listing_number(listing, ca->exponent);
    cemv_listing_bytes(listing, ca->modulus);
    cemv_listing_bytes(listing, ca->sha1);
    cemv_listing_bytes(listing, (cemv_bytes){ ca->expires, sizeof ca->expires });
    cemv_listing_number(listing, ca->test);
}

static void key_of_curve_key(const struct cemv_configuration *configuration, size_t row, uint8_t key[KEY_SIZE])
{
    const struct cemv_curve_key *const ca = &configuration->curve_keys[row];
    cemv_copy(key, ca->rid, sizeof ca->rid);
    key[sizeof ca->rid] = ca->index;
}
static void list_curve_key(struct cemv_listing *listing, const struct cemv_configuration *configuration, size_t row)
{
    const struct cemv_curve_key *const ca = &configuration->curve_keys[row];
    cemv_listing_bytes(listing, (cemv_bytes){ ca->rid, sizeof ca->rid });
    cemv_listing_number(listing, ca->index);
    cemv_listing_number(listing, ca->suite);
    cemv_listing_bytes(listing, ca->x);
    cemv_listing_bytes(listing, ca->y);
    cemv_listing_bytes(listing, ca->sha256);
    cemv_listing_bytes(listing, (cemv_bytes){ ca->expires, sizeof ca->expires });
    cemv_listing_number(listing, ca->test);
}

static void key_of_revocation(const struct cemv_configuration *configuration, size_t row, uint8_t key[KEY_SIZE])
{
    const struct cemv_revocation *const revoked = &configuration->revocations[row];
    cemv_copy(key, revoked->rid, sizeof revoked->rid);
    key[sizeof revoked->rid] = revoked->index;
    cemv_copy(key + sizeof revoked->rid + 1, revoked->serial, sizeof revoked->serial);
}
static void list_revocation(struct cemv_listing *listing, const struct cemv_configuration *configuration, size_t row)
{
    const struct cemv_revocation *const revoked = &configuration->revocations[row];
    cemv_listing_bytes(listing, (cemv_bytes){ revoked->rid, sizeof revoked->rid });
    cemv_listing_number(listing, revoked->index);
    cemv_listing_bytes(listing, (cemv_bytes){ revoked->serial, sizeof revoked->serial });
}

/* The digits without padding, and without the sequence number if any counts. */
static void key_of_exception(const struct cemv_configuration *configuration, size_t row, uint8_t key[KEY_SIZE])
{
    const struct cemv_exception *const exception = &configuration->exceptions[row];
    enum { PAN_SIZE = 10 };
    const size_t size = ((size_t)cemv_cn_digits(exception->pan) + 1) / 2;
    cemv_memset(key, 0xFF, PAN_SIZE);
    cemv_copy(key, exception->pan.data, size);
    key[PAN_SIZE] = exception->any_sequence;
    key[PAN_SIZE + 1] = exception->any_sequence ? 0 : exception->sequence;
}
static void list_exception(struct cemv_listing *listing, const struct cemv_configuration *configuration, size_t row)
{
    uint8_t key[KEY_SIZE];
    key_of_exception(configuration, row, key);
    cemv_listing_bytes(listing, (cemv_bytes){ key, sizeof key });
}

/* Settings --------------------------------------------------------------------------------------------------------- */

static void list_protection(struct cemv_listing *listing, const struct cemv_protection *protection)
{
    const uint32_t members[] = {
        protection->profile,
        protection->cdcvm_trust,
        protection->unsolicited_sdad,
        protection->oda_tamper,
        protection->cid_mismatch,
        protection->brand_check,
        protection->expiry_mismatch,
        protection->luhn,
        protection->offline,
        protection->allow_test_keys,
        protection->min_ca_bits,
        protection->max_taps,
        protection->max_records,
        protection->magstripe,
        protection->legacy,
        protection->min_number_digits,
        protection->torn,
        protection->torn_lifetime_s,
        protection->relay,
        protection->relay_max_card_ms,
        protection->kernel_fallback,
        protection->relay_latency_us,
    };
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) cemv_listing_number(listing, members[i]);
}

/* Data objects in the order of their tags, which are unique; tag 0, which no object has, ends them. POI Information is
 * listed elsewhere, because it may be configured in two ways. */
static void list_data(struct cemv_listing *listing, cemv_bytes list)
{
    struct cemv_tlv object, next;
    uint32_t last = 0;
    do {
        struct cemv_tlv_cursor cursor = cemv_tlv_open(list);
        next.tag = 0;
        while (cemv_list_next(&cursor, &object)) {
            if (object.tag <= last || object.tag == CEMV_TAG_8B_POI_INFORMATION) continue;
            if (next.tag == 0 || object.tag < next.tag) next = object;
        }
        cemv_listing_number(listing, next.tag);
        if (next.tag != 0) cemv_listing_bytes(listing, next.value);
        last = next.tag;
    } while (last != 0);
}

/* As a set: one bit for each type. */
static void list_types(struct cemv_listing *listing, const struct cemv_combination *combination)
{
    uint8_t types[32] = { 0 };
    for (unsigned type = 0; type <= UINT8_MAX; type++)
        if (cemv_combination_takes(combination, (uint8_t)type)) types[type / 8] |= (uint8_t)(1u << type % 8);
    cemv_listing_bytes(listing, (cemv_bytes){ types, sizeof types });
}

static void list_combination(struct cemv_listing *listing, const struct cemv_combination *combination)
{
    cemv_listing_bytes(listing, combination->aid);
    cemv_listing_bytes(listing, (cemv_bytes){ combination->kernel_id, combination->kernel_id_size });
    cemv_listing_number(listing, combination->extended_selection);
    cemv_listing_number(listing, combination->status_check);
    cemv_listing_number(listing, combination->zero_amount);
    list_types(listing, combination);
    cemv_listing_limits(listing, &combination->limits);
    cemv_listing_bytes(listing, combination->ttq);
    list_data(listing, combination->data);
    cemv_listing_number(listing, combination->own_protection);
    if (combination->own_protection) list_protection(listing, &combination->protection);
}

/* False if nobody lists them. */
static bool list_options(struct cemv_listing *listing, const struct cemv_combination *combination,
                         const struct cemv_kernel_row *row, const struct cemv_kernel_settings *const *settings,
                         size_t count)
{
    const bool given = combination->options != NULL || row->context != NULL;
    cemv_listing_number(listing, given);
    if (!given) return true;
    for (size_t i = 0; i < count; i++) {
        if (settings[i]->module != row->module) continue;
        settings[i]->list(listing, row, combination->options);
        return true;
    }
    return false;
}

enum cemv_status cemv_configuration_fingerprint(const struct cemv_checked *checked,
                                                const struct cemv_kernel_settings *const *settings, size_t count,
                                                uint8_t fingerprint[CEMV_FINGERPRINT_SIZE],
                                                struct cemv_config_error *error)
{
    static const struct table kernels = { key_of_kernel, list_kernel }, ca_keys = { key_of_ca_key, list_ca_key },
                              curve_keys = { key_of_curve_key, list_curve_key },
                              revocations = { key_of_revocation, list_revocation },
                              exceptions = { key_of_exception, list_exception };
    const struct cemv_configuration *const configuration = &checked->configuration;
    struct cemv_listing listing;
    *error = (struct cemv_config_error){ 0 };
    cemv_sha256_init(&listing.hash);
    cemv_listing_number(&listing, LISTING_VERSION);
    cemv_listing_number(&listing, CEMV_MAX_CANDIDATES);
    cemv_listing_number(&listing, CEMV_TORN_RECORDS);
    list_data(&listing, configuration->terminal_data);
    cemv_listing_bytes(&listing, configuration->poi_information);
    list_protection(&listing, &configuration->protection);
    list_table(&listing, &kernels, configuration, configuration->kernel_count);
    cemv_listing_number(&listing, configuration->combination_count);
    for (size_t i = 0; i < configuration->combination_count; i++) {
        const struct cemv_combination *const combination = &configuration->combinations[i];
        const struct cemv_kernel_row *const row = cemv_kernel_row_of(configuration, combination);
        list_combination(&listing, combination);
        if (list_options(&listing, combination, row, settings, count)) continue;
        *error = (struct cemv_config_error){ .section = CEMV_SECTION_COMBINATION,
                                             .field = CEMV_FIELD_OPTIONS,
                                             .row = (uint32_t)i };
        return CEMV_MISSING;
    }
    list_table(&listing, &ca_keys, configuration, configuration->ca_key_count);
    list_table(&listing, &curve_keys, configuration, configuration->curve_key_count);
    list_table(&listing, &revocations, configuration, configuration->revocation_count);
    list_table(&listing, &exceptions, configuration, configuration->exception_count);
    cemv_sha256_final(&listing.hash, fingerprint);
    return CEMV_OK;
}
