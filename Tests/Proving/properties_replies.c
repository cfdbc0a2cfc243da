/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the fingerprint of a configuration and of the reader of records (cemv_replies.h). Replays of recorded
 * taps are in replies.c.
 *
 * The lists below name every member of every struct that a configuration consists of. They initialise one object of
 * each struct member by member, so a struct with a further member does not compile here until the member is listed. */
#include <stdlib.h>
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"

/* NUMBER and ARRAY: each byte counts. OTHER: tested by itself. */
#define LIMITS(M)                                                                                                      \
    M(ARRAY, amount)                                                                                                   \
    M(OTHER, present)
#define PROTECTION(M)                                                                                                  \
    M(NUMBER, profile)                                                                                                 \
    M(NUMBER, cdcvm_trust)                                                                                             \
    M(NUMBER, unsolicited_sdad)                                                                                        \
    M(NUMBER, oda_tamper)                                                                                              \
    M(NUMBER, cid_mismatch)                                                                                            \
    M(NUMBER, brand_check)                                                                                             \
    M(NUMBER, expiry_mismatch)                                                                                         \
    M(NUMBER, luhn)                                                                                                    \
    M(NUMBER, offline)                                                                                                 \
    M(NUMBER, allow_test_keys)                                                                                         \
    M(NUMBER, min_ca_bits)                                                                                             \
    M(NUMBER, max_taps)                                                                                                \
    M(NUMBER, max_records)                                                                                             \
    M(NUMBER, magstripe)                                                                                               \
    M(NUMBER, legacy)                                                                                                  \
    M(NUMBER, min_number_digits)                                                                                       \
    M(NUMBER, torn)                                                                                                    \
    M(NUMBER, torn_lifetime_s)                                                                                         \
    M(NUMBER, relay)                                                                                                   \
    M(NUMBER, relay_max_card_ms)                                                                                       \
    M(NUMBER, kernel_fallback)                                                                                         \
    M(NUMBER, relay_latency_us)
#define COMBINATION(M)                                                                                                 \
    M(BYTES, aid)                                                                                                      \
    M(OTHER_ARRAY, kernel_id)                                                                                          \
    M(OTHER, kernel_id_size)                                                                                           \
    M(NUMBER, extended_selection)                                                                                      \
    M(NUMBER, status_check)                                                                                            \
    M(NUMBER, zero_amount)                                                                                             \
    M(BYTES, transaction_types)                                                                                        \
    M(LIMITS_PART, limits)                                                                                             \
    M(BYTES, ttq)                                                                                                      \
    M(OTHER_BYTES, data)                                                                                               \
    M(OTHER, own_protection)                                                                                           \
    M(PROTECTION_PART, protection)                                                                                     \
    M(POINTER, options)
#define CA_KEY(M)                                                                                                      \
    M(ARRAY, rid)                                                                                                      \
    M(NUMBER, index)                                                                                                   \
    M(NUMBER, exponent)                                                                                                \
    M(BYTES, modulus)                                                                                                  \
    M(BYTES, sha1)                                                                                                     \
    M(ARRAY, expires)                                                                                                  \
    M(NUMBER, test)
#define CURVE_KEY(M)                                                                                                   \
    M(ARRAY, rid)                                                                                                      \
    M(NUMBER, index)                                                                                                   \
    M(NUMBER, suite)                                                                                                   \
    M(BYTES, x)                                                                                                        \
    M(BYTES, y)                                                                                                        \
    M(BYTES, sha256)                                                                                                   \
    M(ARRAY, expires)                                                                                                  \
    M(NUMBER, test)
#define REVOCATION(M)                                                                                                  \
    M(ARRAY, rid)                                                                                                      \
    M(NUMBER, index)                                                                                                   \
    M(ARRAY, serial)
#define EXCEPTION(M)                                                                                                   \
    M(BYTES, pan)                                                                                                      \
    M(NUMBER, sequence)                                                                                                \
    M(NUMBER, any_sequence)
#define KERNEL_ROW(M)                                                                                                  \
    M(OTHER_ARRAY, id)                                                                                                 \
    M(OTHER, id_size)                                                                                                  \
    M(POINTER, module)                                                                                                 \
    M(POINTER, context)
#define CONFIGURATION(M)                                                                                               \
    M(OTHER_BYTES, terminal_data)                                                                                      \
    M(POINTER, combinations)                                                                                           \
    M(OTHER, combination_count)                                                                                        \
    M(POINTER, ca_keys)                                                                                                \
    M(OTHER, ca_key_count)                                                                                             \
    M(POINTER, revocations)                                                                                            \
    M(OTHER, revocation_count)                                                                                         \
    M(POINTER, exceptions)                                                                                             \
    M(OTHER, exception_count)                                                                                          \
    M(POINTER, kernels)                                                                                                \
    M(OTHER, kernel_count)                                                                                             \
    M(BYTES, poi_information)                                                                                          \
    M(PROTECTION_PART, protection)                                                                                     \
    M(POINTER, crypto)                                                                                                 \
    M(POINTER, curve_keys)                                                                                             \
    M(OTHER, curve_key_count)
#define DYNAMIC_LIMIT(M)                                                                                               \
    M(BYTES, program)                                                                                                  \
    M(LIMITS_PART, limits)                                                                                             \
    M(NUMBER, zero_amount)                                                                                             \
    M(NUMBER, status_check)
#define OPTIONS_3(M)                                                                                                   \
    M(POINTER, dynamic_limits)                                                                                         \
    M(OTHER, dynamic_limit_count)                                                                                      \
    M(NUMBER, usage_control_off)                                                                                       \
    M(NUMBER, gpo_format_1)
#define OPTIONS_4(M)                                                                                                   \
    M(ARRAY, tac_denial)                                                                                               \
    M(ARRAY, tac_online)                                                                                               \
    M(ARRAY, tac_default)                                                                                              \
    M(NUMBER, number_range)                                                                                            \
    M(NUMBER, cannot_go_online)                                                                                        \
    M(BYTES, discretionary_list)                                                                                       \
    M(POINTER, dynamic_limits)
#define OPTIONS_5(M)                                                                                                   \
    M(LIMITS_PART, limits)                                                                                             \
    M(ARRAY, combination_options)                                                                                      \
    M(ARRAY, terminal_interchange_profile)                                                                             \
    M(NUMBER, given)                                                                                                   \
    M(ARRAY, tac_denial)                                                                                               \
    M(ARRAY, tac_online)                                                                                               \
    M(ARRAY, tac_default)                                                                                              \
    M(NUMBER, target)                                                                                                  \
    M(NUMBER, maximum_target)                                                                                          \
    M(NUMBER, threshold)                                                                                               \
    M(NUMBER, removal_timeout)                                                                                         \
    M(ARRAY, transit_agent)                                                                                            \
    M(ARRAY, transit_data)
#define OPTIONS_6(M)                                                                                                   \
    M(NUMBER, mode)                                                                                                    \
    M(NUMBER, other_interfaces)                                                                                        \
    M(NUMBER, cvr_byte)                                                                                                \
    M(NUMBER, one_presentment)                                                                                         \
    M(NUMBER, track_1_tag)
#define OPTIONS_7(M)                                                                                                   \
    M(NUMBER, oda_for_online)                                                                                          \
    M(NUMBER, cvm_off)                                                                                                 \
    M(NUMBER, other_interfaces)
#define OPTIONS_8(M)                                                                                                   \
    M(NUMBER, relay_latency_us)                                                                                        \
    M(NUMBER, no_data_exchange)

enum kind { NUMBER, ARRAY, BYTES, LIMITS_PART, PROTECTION_PART, OTHER, OTHER_ARRAY, OTHER_BYTES, POINTER };
struct member {
    enum kind kind;
    size_t offset, size;
};
struct shape {
    size_t size, count;
    const struct member *members;
    const void *empty;
};

/* A member that is not listed is an error of the compiler. */
#pragma GCC diagnostic error "-Wmissing-field-initializers"
#define EMPTY_NUMBER  0
#define EMPTY_OTHER   0
#define EMPTY_POINTER NULL
#define EMPTY_ARRAY                                                                                                    \
    {                                                                                                                  \
        0                                                                                                              \
    }
#define EMPTY_OTHER_ARRAY                                                                                              \
    {                                                                                                                  \
        0                                                                                                              \
    }
#define EMPTY_BYTES                                                                                                    \
    {                                                                                                                  \
        NULL, 0                                                                                                        \
    }
#define EMPTY_OTHER_BYTES                                                                                              \
    {                                                                                                                  \
        NULL, 0                                                                                                        \
    }
#define EMPTY_LIMITS_PART                                                                                              \
    {                                                                                                                  \
        { 0 }, 0                                                                                                       \
    }
#define EMPTY_PROTECTION_PART                                                                                          \
    {                                                                                                                  \
        .profile = 0                                                                                                   \
    }
#define EMPTY(kind, name)  EMPTY_##kind,
#define MEMBER(kind, name) { kind, offsetof(SHAPED, name), sizeof((SHAPED *)0)->name },
#define SHAPE(name, type, LIST)                                                                                        \
    static const type name##_empty = { LIST(EMPTY) };                                                                  \
    static const struct member name##_members[] = { LIST(MEMBER) };                                                    \
    static const struct shape name = { sizeof name##_empty, sizeof name##_members / sizeof name##_members[0],          \
                                       name##_members, &name##_empty };
#define SHAPED struct cemv_limits
SHAPE(limits_shape, struct cemv_limits, LIMITS)
#undef SHAPED
#define SHAPED struct cemv_protection
SHAPE(protection_shape, struct cemv_protection, PROTECTION)
#undef SHAPED
#define SHAPED struct cemv_combination
SHAPE(combination_shape, struct cemv_combination, COMBINATION)
#undef SHAPED
#define SHAPED struct cemv_ca_key
SHAPE(ca_key_shape, struct cemv_ca_key, CA_KEY)
#undef SHAPED
#define SHAPED struct cemv_curve_key
SHAPE(curve_key_shape, struct cemv_curve_key, CURVE_KEY)
#undef SHAPED
#define SHAPED struct cemv_revocation
SHAPE(revocation_shape, struct cemv_revocation, REVOCATION)
#undef SHAPED
#define SHAPED struct cemv_exception
SHAPE(exception_shape, struct cemv_exception, EXCEPTION)
#undef SHAPED
#define SHAPED struct cemv_kernel_row
SHAPE(kernel_row_shape, struct cemv_kernel_row, KERNEL_ROW)
#undef SHAPED
#define SHAPED struct cemv_configuration
SHAPE(configuration_shape, struct cemv_configuration, CONFIGURATION)
#undef SHAPED
#define SHAPED struct cemv_dynamic_limit
SHAPE(dynamic_limit_shape, struct cemv_dynamic_limit, DYNAMIC_LIMIT)
#undef SHAPED
#define SHAPED struct cemv_kernel_3_options
SHAPE(options_3_shape, struct cemv_kernel_3_options, OPTIONS_3)
#undef SHAPED
#define SHAPED struct cemv_kernel_4_options
SHAPE(options_4_shape, struct cemv_kernel_4_options, OPTIONS_4)
#undef SHAPED
#define SHAPED struct cemv_kernel_5_options
SHAPE(options_5_shape, struct cemv_kernel_5_options, OPTIONS_5)
#undef SHAPED
#define SHAPED struct cemv_kernel_6_options
SHAPE(options_6_shape, struct cemv_kernel_6_options, OPTIONS_6)
#undef SHAPED
#define SHAPED struct cemv_kernel_7_options
SHAPE(options_7_shape, struct cemv_kernel_7_options, OPTIONS_7)
#undef SHAPED
#define SHAPED struct cemv_kernel_8_options
SHAPE(options_8_shape, struct cemv_kernel_8_options, OPTIONS_8)
#undef SHAPED

/* A whole configuration ---------------------------------------------------------------------------------------- */

/* More CA keys than the fingerprint sorts in one pass. */
enum {
    KERNELS = 8,
    COMBINATIONS = 7,
    CA_KEYS = 70,
    CURVE_KEYS = 3,
    REVOCATIONS = 3,
    EXCEPTIONS = 40,
    BYTES_MAX = 8192
};

/* All of it in one place, so that a copy in another place has other addresses, and another padding. */
struct whole {
    struct cemv_kernel_row kernels[KERNELS];
    struct cemv_combination combinations[COMBINATIONS];
    struct cemv_ca_key ca_keys[CA_KEYS];
    struct cemv_curve_key curve_keys[CURVE_KEYS];
    struct cemv_revocation revocations[REVOCATIONS];
    struct cemv_exception exceptions[EXCEPTIONS];
    struct cemv_dynamic_limit dynamic[2];
    struct cemv_limits set;
    const struct cemv_limits *sets[CEMV_KERNEL_4_LIMIT_SETS + 1];
    struct cemv_kernel_3_options k3;
    struct cemv_kernel_4_options k4;
    struct cemv_kernel_5_options k5;
    struct cemv_kernel_6_options k6;
    struct cemv_kernel_7_options k7;
    struct cemv_kernel_8_options k8;
    struct cemv_configuration configuration;
    size_t used;
    uint8_t bytes[BYTES_MAX];
};
static struct whole whole, copy;
static struct cemv_checked checked;
static uint8_t base[CEMV_FINGERPRINT_SIZE];

/* A third-party kernel, whose context is a number. */
static struct cemv_kernel_module third_party;
static uint8_t context_number = 7;
static void list_context(struct cemv_listing *listing, const struct cemv_kernel_row *row, const void *options)
{
    const uint8_t *const number = row->context;
    (void)options;
    cemv_listing_number(listing, *number);
}
static const struct cemv_kernel_settings third_party_settings = { &third_party, list_context };
static const struct cemv_kernel_settings *const settings[] = { &third_party_settings,   &cemv_kernel_3_settings,
                                                               &cemv_kernel_4_settings, &cemv_kernel_5_settings,
                                                               &cemv_kernel_6_settings, &cemv_kernel_7_settings,
                                                               &cemv_kernel_8_settings };
enum { SETTINGS = sizeof settings / sizeof settings[0] };

static enum cemv_status fingerprint(const struct whole *of_this, uint8_t out[CEMV_FINGERPRINT_SIZE])
{
    struct cemv_config_error error;
    checked.configuration = of_this->configuration;
    return cemv_configuration_fingerprint(&checked, settings, SETTINGS, out, &error);
}

static bool is_base(const struct whole *of_this)
{
    uint8_t found[CEMV_FINGERPRINT_SIZE];
    return fingerprint(of_this, found) == CEMV_OK && memcmp(found, base, sizeof found) == 0;
}
#define CHANGES(detail) property(!is_base(&whole), "a setting changes the fingerprint", detail)
#define KEEPS(detail)   property(is_base(&whole), "what counts for nothing changes no fingerprint", detail)

static cemv_bytes take(struct whole *all, size_t size)
{
    uint8_t *const at = all->bytes + all->used;
    for (size_t i = 0; i < size; i++) at[i] = (uint8_t)any(256);
    all->used += size;
    return of(at, size);
}

/* Random values: NUMBER is below 2, so a flipped bit is a value of a bool, too. */
static void fill(const struct shape *shape, void *object)
{
    memcpy(object, shape->empty, shape->size);
    for (size_t i = 0; i < shape->count; i++) {
        const struct member *const member = &shape->members[i];
        uint8_t *const at = (uint8_t *)object + member->offset;
        if (member->kind == NUMBER) *at = (uint8_t)any(2);
        if (member->kind == ARRAY)
            for (size_t byte = 0; byte < member->size; byte++) at[byte] = (uint8_t)any(256);
        if (member->kind == PROTECTION_PART) fill(&protection_shape, at);
        if (member->kind == LIMITS_PART) {
            fill(&limits_shape, at);
            ((struct cemv_limits *)at)->present = (1u << CEMV_LIMIT_COUNT) - 1;
        }
        if (member->kind == BYTES) {
            const cemv_bytes bytes = take(&whole, 4);
            memcpy(at, &bytes, sizeof bytes);
        }
    }
}

static const void *options_of(const struct whole *all, unsigned kernel)
{
    switch (kernel) {
    case 3: return &all->k3;
    case 4: return &all->k4;
    case 5: return &all->k5;
    case 6: return &all->k6;
    case 7: return &all->k7;
    case 8: return &all->k8;
    default: return NULL;
    }
}

/* The pointers and counts of a configuration, which belong to its place. */
static void point(struct whole *all)
{
    static const struct cemv_kernel_module *const modules[KERNELS] = { &third_party,   &cemv_kernel_2, &cemv_kernel_3,
                                                                       &cemv_kernel_4, &cemv_kernel_5, &cemv_kernel_6,
                                                                       &cemv_kernel_7, &cemv_kernel_8 };
    for (unsigned i = 0; i < KERNELS; i++) {
        all->kernels[i] = (struct cemv_kernel_row){ .id = { (uint8_t)(1 + i) }, .id_size = 1, .module = modules[i] };
        if (i == 0) all->kernels[i].context = &context_number;
    }
    for (unsigned i = 0; i < COMBINATIONS; i++) {
        struct cemv_combination *const row = &all->combinations[i];
        const unsigned kernel = i == 0 ? 1 : 2 + i; /* none for Kernel 2, which has no options */
        memset(row->kernel_id, 0, sizeof row->kernel_id);
        row->kernel_id[0] = (uint8_t)kernel;
        row->kernel_id_size = 1;
        row->own_protection = true;
        row->data = BYTES("\x9F\x1A\2\2\x76\x9F\x33\3\xE0\xF8\xC8\x9F\x35\1\x22");
        row->options = options_of(all, kernel);
    }
    for (size_t i = 0; i <= CEMV_KERNEL_4_LIMIT_SETS; i++) all->sets[i] = i % 5 == 0 ? &all->set : NULL;
    all->k3.dynamic_limits = all->dynamic;
    all->k3.dynamic_limit_count = 2;
    all->k4.dynamic_limits = all->sets;
    struct cemv_configuration *const c = &all->configuration;
    c->terminal_data = BYTES("\x9F\x1A\2\2\x76\x9F\x35\1\x22\x8B\2\0\0\x9F\x33\3\xE0\xF8\xC8");
    c->combinations = all->combinations, c->combination_count = COMBINATIONS;
    c->ca_keys = all->ca_keys, c->ca_key_count = CA_KEYS;
    c->revocations = all->revocations, c->revocation_count = REVOCATIONS;
    c->exceptions = all->exceptions, c->exception_count = EXCEPTIONS;
    c->kernels = all->kernels, c->kernel_count = KERNELS;
    c->curve_keys = all->curve_keys, c->curve_key_count = CURVE_KEYS;
    c->crypto = &cemv_crypto_builtin;
}

static const struct part {
    const struct shape *shape;
    size_t offset, count;
} parts[] = {
    { &combination_shape, offsetof(struct whole, combinations), COMBINATIONS },
    { &ca_key_shape, offsetof(struct whole, ca_keys), CA_KEYS },
    { &curve_key_shape, offsetof(struct whole, curve_keys), CURVE_KEYS },
    { &revocation_shape, offsetof(struct whole, revocations), REVOCATIONS },
    { &exception_shape, offsetof(struct whole, exceptions), EXCEPTIONS },
    { &dynamic_limit_shape, offsetof(struct whole, dynamic), 2 },
    { &limits_shape, offsetof(struct whole, set), 1 },
    { &options_3_shape, offsetof(struct whole, k3), 1 },
    { &options_4_shape, offsetof(struct whole, k4), 1 },
    { &options_5_shape, offsetof(struct whole, k5), 1 },
    { &options_6_shape, offsetof(struct whole, k6), 1 },
    { &options_7_shape, offsetof(struct whole, k7), 1 },
    { &options_8_shape, offsetof(struct whole, k8), 1 },
    { &kernel_row_shape, offsetof(struct whole, kernels), KERNELS },
    { &configuration_shape, offsetof(struct whole, configuration), 1 },
};
enum { PARTS = sizeof parts / sizeof parts[0] };

static void *object_of(struct whole *all, const struct part *part, size_t row)
{
    return (uint8_t *)all + part->offset + row * part->shape->size;
}

static void make_whole(void)
{
    memset(&whole, 0, sizeof whole);
    for (size_t i = 0; i < PARTS; i++)
        for (size_t row = 0; row < parts[i].count; row++) fill(parts[i].shape, object_of(&whole, &parts[i], row));
    whole.set.present = (1u << CEMV_LIMIT_COUNT) - 1;
    for (size_t i = 0; i < EXCEPTIONS; i++) {
        uint8_t *const pan = whole.bytes + whole.used;
        for (size_t at = 0; at < 6; at++) pan[at] = (uint8_t)(any(10) << 4 | any(10));
        whole.used += 6;
        whole.exceptions[i].pan = of(pan, 6);
        whole.exceptions[i].any_sequence = false;
    }
    point(&whole);
    property(fingerprint(&whole, base) == CEMV_OK, "every option is listed", 0);
}

/* Each byte of each member, and the length of byte strings. */
static void every_member_counts(const struct shape *shape, void *object, unsigned detail)
{
    for (size_t i = 0; i < shape->count; i++) {
        const struct member *const member = &shape->members[i];
        uint8_t *const at = (uint8_t *)object + member->offset;
        const unsigned here = detail + 100 * (unsigned)i;
        if (i != 0) property(member->offset > member[-1].offset, "each member is listed once, in order", here);
        if (member->kind == NUMBER || member->kind == ARRAY)
            for (size_t byte = 0; byte < member->size; byte++) {
                at[byte] ^= 1;
                CHANGES(here);
                at[byte] ^= 1;
            }
        if (member->kind == PROTECTION_PART) every_member_counts(&protection_shape, at, here + 10000);
        if (member->kind == LIMITS_PART) every_member_counts(&limits_shape, at, here + 20000);
        if (member->kind != BYTES) continue;
        cemv_bytes *const bytes = (cemv_bytes *)(void *)at;
        for (size_t byte = 0; byte < bytes->size; byte++) {
            uint8_t *const changed = (uint8_t *)(uintptr_t)&bytes->data[byte];
            *changed ^= 1;
            CHANGES(here);
            *changed ^= 1;
        }
        bytes->size--;
        CHANGES(here);
        bytes->size++;
    }
}

static void every_setting_changes_the_fingerprint(void)
{
    make_whole();
    for (size_t i = 0; i < PARTS; i++)
        for (size_t row = 0; row < parts[i].count; row += row == 0 && parts[i].count > 10 ? 37 : 1)
            every_member_counts(parts[i].shape, object_of(&whole, &parts[i], row), (unsigned)(i * 100000 + row));
    property(is_base(&whole), "all members are as they were", 0);
}

/* The members that the lists name OTHER and POINTER. */
static void the_other_settings_change_it(void)
{
    make_whole();
    struct cemv_configuration *const c = &whole.configuration;
    size_t *const counts[] = { &c->combination_count,        &c->ca_key_count, &c->revocation_count,
                               &c->exception_count,          &c->kernel_count, &c->curve_key_count,
                               &whole.k3.dynamic_limit_count };
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const size_t kept = *counts[i];
        if (counts[i] == &c->kernel_count) c->combination_count--; /* the last kernel's */
        --*counts[i];
        CHANGES(i);
        point(&whole);
        *counts[i] = kept;
    }
    struct cemv_combination *const row = &whole.combinations[3];
    row->own_protection = false;
    CHANGES(10);
    row->protection.luhn ^= 1;
    const bool differs = is_base(&whole);
    row->own_protection = true;
    row->protection.luhn ^= 1;
    property(!differs && is_base(&whole), "its own protection is a setting", 10);
    row->options = NULL;
    CHANGES(11);
    point(&whole);
    row->limits.present = 0x0F;
    CHANGES(12);
    row->limits.present = 0x1F;
    row->limits.amount[0] = row->limits.amount[1];
    row->limits.present = 1;
    const enum cemv_status only_first = fingerprint(&whole, base);
    row->limits.present = 2;
    property(only_first == CEMV_OK && !is_base(&whole), "which limit is present is a setting", 0);
    make_whole();
    whole.kernels[4].id[0] = row->kernel_id[0] = 0x40; /* the kernel of this row under another identifier */
    CHANGES(13);
    point(&whole);
    whole.kernels[1].id_size = 2; /* of a kernel without a combination */
    CHANGES(14);
    point(&whole);
    context_number ^= 1;
    CHANGES(15);
    context_number ^= 1;
    for (size_t i = 0; i <= CEMV_KERNEL_4_LIMIT_SETS; i++) {
        whole.sets[i] = whole.sets[i] != NULL ? NULL : &whole.set;
        CHANGES(20 + (unsigned)i);
        point(&whole);
    }
    whole.sets[5] = NULL, whole.sets[6] = &whole.set;
    CHANGES(18);
    point(&whole);
    whole.kernels[1].module = whole.kernels[4].module; /* of two kernels with one module the other one */
    (void)fingerprint(&whole, base);
    row->kernel_id[0] = 2;
    CHANGES(19);
    make_whole();
    whole.k4.dynamic_limits = NULL;
    CHANGES(16);
    point(&whole);
    const struct cemv_combination kept = whole.combinations[1];
    whole.combinations[1] = whole.combinations[2];
    whole.combinations[2] = kept;
    CHANGES(17);
    whole.combinations[2] = whole.combinations[1];
    whole.combinations[1] = kept;
    KEEPS(17);
}

static void data_objects_change_it(void)
{
    static const struct {
        cemv_bytes data;
        bool equal;
    } lists[] = {
        { BYTES("\x9F\x35\1\x22\x9F\x1A\2\2\x76\x9F\x33\3\xE0\xF8\xC8"), true },     /* another order */
        { BYTES("\x9F\x35\x81\1\x22\x9F\x1A\2\2\x76\x9F\x33\3\xE0\xF8\xC8"), true }, /* a longer length */
        { BYTES("\x9F\x35\1\x21\x9F\x1A\2\2\x76\x9F\x33\3\xE0\xF8\xC8"), false },    /* another value */
        { BYTES("\x9F\x35\1\x22\x9F\x1A\2\2\x76\x9F\x33\2\xE0\xF8"), false },        /* a shorter value */
        { BYTES("\x9F\x35\1\x22\x9F\x1A\2\2\x76\x9F\x40\3\xE0\xF8\xC8"), false },    /* another tag */
        { BYTES("\x9F\x35\1\x22\x9F\x1A\2\2\x76\x9F\x34\3\xE0\xF8\xC8"), false },    /* another tag, at its place */
        { BYTES("\x9F\x35\1\x22\x9F\x1A\2\2\x76"), false },                          /* no more */
        { BYTES("\x9F\x35\1\x22\x9F\x1A\2\2\x76\x9F\x33\3\xE0\xF8\xC8\x9F\x15\2\x12\x34"), false },
    };
    make_whole();
    for (unsigned i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        whole.combinations[4].data = lists[i].data;
        property(is_base(&whole) == lists[i].equal, "data objects of a combination", i);
        point(&whole);
        whole.configuration.terminal_data = lists[i].data; /* 8B is in the POI Information */
        property(is_base(&whole) == lists[i].equal, "data objects of the terminal", i);
        point(&whole);
    }
}

static void members_that_count_for_nothing(void)
{
    make_whole();
    struct cemv_combination *const row = &whole.combinations[2];
    static const uint8_t purchase[] = { 0x00 }, two[] = { 0x20, 0x00 }, other_two[] = { 0x00, 0x20, 0x00 };
    whole.configuration.crypto = NULL;
    KEEPS(0);
    row->limits.present = 1;
    row->own_protection = false;
    row->transaction_types = of(NULL, 0);
    whole.exceptions[1].any_sequence = true;
    (void)fingerprint(&whole, base);
    row->limits.amount[1]++;
    KEEPS(1);
    row->protection.luhn ^= 1;
    KEEPS(2);
    row->transaction_types = of(purchase, sizeof purchase);
    KEEPS(3);
    whole.exceptions[1].sequence ^= 1;
    KEEPS(4);
    static uint8_t padded[8];
    memset(padded, 0xFF, sizeof padded);
    memcpy(padded, whole.exceptions[2].pan.data, 6);
    whole.exceptions[2].pan = of(padded, sizeof padded);
    KEEPS(5);
    row->transaction_types = of(two, sizeof two);
    CHANGES(6);
    (void)fingerprint(&whole, base);
    row->transaction_types = of(other_two, sizeof other_two);
    KEEPS(6);
}

static void swap_rows(const struct part *part, size_t a, size_t b)
{
    uint8_t kept[sizeof(struct cemv_combination)];
    memcpy(kept, object_of(&copy, part, a), part->shape->size);
    memcpy(object_of(&copy, part, a), object_of(&copy, part, b), part->shape->size);
    memcpy(object_of(&copy, part, b), kept, part->shape->size);
}

/* Member by member, so the padding keeps its old bytes. */
static void copy_members(const struct shape *shape, void *to, const void *from)
{
    for (size_t i = 0; i < shape->count; i++) {
        const struct member *const member = &shape->members[i];
        uint8_t *const at = (uint8_t *)to + member->offset;
        const uint8_t *const source = (const uint8_t *)from + member->offset;
        if (member->kind == PROTECTION_PART) copy_members(&protection_shape, at, source);
        else if (member->kind == LIMITS_PART) copy_members(&limits_shape, at, source);
        else memcpy(at, source, member->size);
        if (member->kind != BYTES) continue;
        cemv_bytes *const bytes = (cemv_bytes *)(void *)at;
        bytes->data = copy.bytes + (bytes->data - whole.bytes);
    }
}

static void another_place_padding_and_order_change_nothing(void)
{
    make_whole();
    for (unsigned round = 0; round < 20; round++) {
        memset(&copy, (int)any(256), sizeof copy);
        memcpy(copy.bytes, whole.bytes, sizeof copy.bytes);
        for (size_t i = 0; i < PARTS; i++)
            for (size_t row = 0; row < parts[i].count; row++)
                copy_members(parts[i].shape, object_of(&copy, &parts[i], row), object_of(&whole, &parts[i], row));
        point(&copy);
        for (size_t i = 0; i < PARTS; i++) {
            const struct shape *const shape = parts[i].shape;
            if (shape == &combination_shape || shape == &dynamic_limit_shape) continue;
            for (size_t row = 1; row < parts[i].count; row++) swap_rows(&parts[i], row, any((uint32_t)row + 1));
        }
        property(is_base(&copy), "another place, padding and order give the same fingerprint", round);
    }
}

/* The check permits equal exceptions: more of them here than are sorted in one pass. */
static void equal_rows_are_all_listed(void)
{
    make_whole();
    for (size_t i = 1; i < EXCEPTIONS; i++) whole.exceptions[i] = whole.exceptions[0];
    property(fingerprint(&whole, base) == CEMV_OK, "equal exceptions", 0);
    whole.configuration.exception_count--;
    CHANGES(0);
    whole.configuration.exception_count++;
    whole.exceptions[EXCEPTIONS - 1].sequence ^= 1;
    CHANGES(1);
    (void)fingerprint(&whole, base);
    whole.exceptions[EXCEPTIONS - 1].sequence ^= 1;
    whole.exceptions[0].sequence ^= 1;
    KEEPS(2);
}

/* A context alone is listed, too; the built-in kernels ignore theirs. */
static void a_context_needs_no_options(void)
{
    make_whole();
    for (size_t i = 1; i < COMBINATIONS; i++) {
        whole.combinations[i].options = NULL;
        whole.kernels[i + 1].context = &context_number;
        CHANGES((unsigned)i);
        point(&whole);
    }
    KEEPS(0);
}

static void options_that_nobody_lists_are_an_error(void)
{
    struct cemv_config_error error;
    uint8_t found[CEMV_FINGERPRINT_SIZE] = { 0 };
    static const uint8_t untouched[CEMV_FINGERPRINT_SIZE] = { 0 };
    make_whole();
    for (unsigned without = 0; without < SETTINGS; without++) {
        const struct cemv_kernel_settings *fewer[SETTINGS];
        size_t count = 0;
        for (unsigned i = 0; i < SETTINGS; i++)
            if (i != without) fewer[count++] = settings[i];
        checked.configuration = whole.configuration;
        property(cemv_configuration_fingerprint(&checked, fewer, count, found, &error) == CEMV_MISSING,
                 "options that nobody lists are an error", without);
        property(error.section == CEMV_SECTION_COMBINATION && error.field == CEMV_FIELD_OPTIONS &&
                     error.row == without && error.tag == 0 && error.option == 0,
                 "the error names their combination", without);
        property(memcmp(found, untouched, sizeof found) == 0, "there is no fingerprint then", without);
    }
}

/* Records ------------------------------------------------------------------------------------------------------ */

static void each_reply_has_one_encoding(void)
{
    for (unsigned round = 0; round < 100000; round++) {
        uint8_t record[64] = { CEMV_REPLIES_VERSION };
        const size_t size = 1 + any(12);
        for (size_t i = 1; i < size; i++) record[i] = (uint8_t)any(any(2) ? 256 : 4);
        if (any(8) != 0) record[1] = (uint8_t)any(128);
        property(fuzz_replies(of(guarded_copy(record, size), size)) == NULL, "each reply has one encoding", round);
    }
}

static enum cemv_replay_error error_of(cemv_bytes record, uint32_t *read)
{
    struct cemv_replies_cursor cursor = cemv_replies_open(record);
    struct cemv_reply reply;
    while (cemv_replies_next(&cursor, &reply)) {
    }
    *read = cursor.read;
    return cursor.error;
}

static void a_damaged_record_is_refused(void)
{
    static uint8_t long_record[CEMV_REPLIES_CAPACITY + 1];
    static const struct {
        cemv_bytes record;
        enum cemv_replay_error error;
        uint32_t read;
    } all[] = {
        { BYTES(""), CEMV_REPLAY_VERSION, 0 },
        { BYTES("\0\5"), CEMV_REPLAY_VERSION, 0 },
        { BYTES("\2\5"), CEMV_REPLAY_VERSION, 0 },
        { BYTES("\1"), CEMV_REPLAY_OK, 0 },
        { BYTES("\1\5\1\0\0\0\0\0\2\x90\0"), CEMV_REPLAY_OK, 2 },
        { BYTES("\1\5\1\0\0\0\0\0\2\x90\0\0"), CEMV_REPLAY_KIND, 2 }, /* a trailing byte */
        { BYTES("\1\5\1\0\0\0\0\0\3\x90\0"), CEMV_REPLAY_LENGTH, 1 },
        { BYTES("\1\5\1\0\0\0\0\xFF\xFF\x90\0"), CEMV_REPLAY_LENGTH, 1 },
        { BYTES("\1\x85"), CEMV_REPLAY_KIND, 0 },
        { BYTES("\1\x15"), CEMV_REPLAY_KIND, 0 },           /* a card with the bit of an answer */
        { BYTES("\1\x3D\0\0"), CEMV_REPLAY_OK, 1 },         /* no answer, late */
        { BYTES("\1\x2D\0\1\x30"), CEMV_REPLAY_LENGTH, 0 }, /* no answer, with bytes */
        { BYTES("\1\x4D\0\0"), CEMV_REPLAY_KIND, 0 },       /* an issuer that enters no PIN */
        { BYTES("\1\x5E\0\0"), CEMV_REPLAY_OK, 1 },
        { BYTES("\1\x2E\0\0"), CEMV_REPLAY_KIND, 0 },
        { BYTES("\1\x0F"), CEMV_REPLAY_OK, 1 },
        { BYTES("\1\x0D\0"), CEMV_REPLAY_LENGTH, 0 },
    };
    uint32_t read;
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        const cemv_bytes record = of(guarded_copy(all[i].record.data, all[i].record.size), all[i].record.size);
        property(error_of(record, &read) == all[i].error && read == all[i].read, "a damaged record is refused", i);
    }
    long_record[0] = CEMV_REPLIES_VERSION;
    memset(long_record + 1, CEMV_REPLY_CARD, sizeof long_record - 1);
    property(error_of(of(long_record, CEMV_REPLIES_CAPACITY), &read) == CEMV_REPLAY_OK &&
                 read == CEMV_REPLIES_CAPACITY - 1,
             "a full record", 0);
    property(error_of(of(long_record, CEMV_REPLIES_CAPACITY + 1), &read) == CEMV_REPLAY_TOO_LONG && read == 0,
             "a record that is too long", 0);
    for (unsigned more = 0; more < 2; more++) { /* an issuer's answer of the longest length, and of one more */
        const size_t size = CEMV_MAX_ISSUER_DATA + more;
        long_record[1] = CEMV_REPLY_ONLINE;
        cemv_put_be16(long_record + 2, (uint16_t)size);
        property(error_of(of(long_record, 4 + size), &read) == (more ? CEMV_REPLAY_LENGTH : CEMV_REPLAY_OK),
                 "the length of an issuer's answer", more);
    }
}

/* A session of Kernel 2 that waits for a card. */
static struct cemv_session *begun(uint8_t memory[CEMV_SESSION_SIZE])
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t place[1 << 14];
    static const struct cemv_kernel_row kernels[] = { { { 2 }, 1, &cemv_kernel_2, NULL } };
    static const uint8_t name[] = { 0xA0, 0, 0, 0, 4, 0x10, 0x10 };
    static const struct cemv_combination combinations[] = {
        { .aid = { name, sizeof name }, .kernel_id = { 2 }, .kernel_id_size = 1 }
    };
    const struct cemv_configuration c = {
        .combinations = combinations, .combination_count = 1, .kernels = kernels, .kernel_count = 1
    };
    const struct cemv_transaction sale = { .currency = 0x0978, .date = { 0x25, 0x12, 0x31 }, .amount = 1000 };
    const struct cemv_checked *is_checked;
    struct cemv_session *session = NULL;
    struct cemv_config_error error;
    if (cemv_configuration_check(&c, place, sizeof place, &is_checked, &error) != CEMV_OK ||
        cemv_session_begin(memory, CEMV_SESSION_SIZE, is_checked, &sale, BYTES("1234"), &session, &error) != CEMV_OK)
        abort();
    return session;
}

/* Replies of each kind and their records, as the header describes them. The step is set, so that every kind is taken.
 */
static void only_what_counts_is_recorded(void)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_SESSION_SIZE];
    static struct cemv_replies replies;
    static uint8_t answer[CEMV_MAX_ISSUER_DATA + 1];
    struct cemv_session *const session = begun(memory);
    const cemv_bytes code = BYTES("\x8A\2\x30\x30");
    const struct {
        enum cemv_step step;
        struct cemv_reply reply;
        cemv_bytes record;
    } all[] = {
        { CEMV_STEP_POLL, { CEMV_REPLY_CARD, true, true, true, 5, code }, BYTES("\5") },
        { CEMV_STEP_POLL, { CEMV_REPLY_TIMEOUT, true, true, true, 5, code }, BYTES("\2") },
        { CEMV_STEP_POLL, { CEMV_REPLY_ONLINE, true, false, false, 5, code }, BYTES("") },
        { CEMV_STEP_SEND,
          { CEMV_REPLY_RESPONSE, true, true, true, 0x12345678, BYTES("\x6A\x82") },
          BYTES("\1\x12\x34\x56\x78\0\2\x6A\x82") },
        { CEMV_STEP_ASK, { CEMV_REPLY_DATA, true, true, true, 5, code }, BYTES("\x09\0\4\x8A\2\x30\x30") },
        { CEMV_STEP_WORK, { CEMV_REPLY_CONTINUE, true, true, true, 5, code }, BYTES("\x0C") },
        { CEMV_STEP_WORK, { CEMV_REPLY_STOP, true, true, true, 5, code }, BYTES("\x0B") },
        { CEMV_STEP_PARKED, { CEMV_REPLY_ABANDON, true, true, true, 5, code }, BYTES("\x0F") },
        { CEMV_STEP_PARKED, { CEMV_REPLY_ONLINE, true, false, true, 5, code }, BYTES("\x1D\0\4\x8A\2\x30\x30") },
        { CEMV_STEP_PARKED, { CEMV_REPLY_ONLINE, false, true, true, 5, code }, BYTES("\x2D\0\0") },
        { CEMV_STEP_PARKED, { CEMV_REPLY_PIN, true, true, false, 5, code }, BYTES("\x1E\0\4\x8A\2\x30\x30") },
        { CEMV_STEP_PARKED, { CEMV_REPLY_PIN, false, true, true, 5, code }, BYTES("\x4E\0\4\x8A\2\x30\x30") },
        { CEMV_STEP_PARKED, { CEMV_REPLY_PIN, false, false, false, 5, of(answer, sizeof answer) }, BYTES("") },
        { CEMV_STEP_PARKED, { CEMV_REPLY_ONLINE, false, false, false, 5, of(answer, sizeof answer) }, BYTES("") },
        { CEMV_STEP_PARKED,
          { CEMV_REPLY_ONLINE, false, true, false, 5, of(answer, sizeof answer) },
          BYTES("\x2D\0\0") },
        { CEMV_STEP_DONE, { CEMV_REPLY_ABANDON, false, false, false, 5, code }, BYTES("") },
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        memset(&replies, 0xFF, sizeof replies);
        cemv_replies_begin(&replies);
        session->kernel.out.step = (uint8_t)all[i].step;
        property(cemv_replies_append(&replies, session, &all[i].reply), "a reply is recorded or ignored", i);
        const cemv_bytes record = cemv_replies_record(&replies);
        property(record.size == 1 + all[i].record.size && record.data[0] == CEMV_REPLIES_VERSION &&
                     memcmp(record.data + 1, all[i].record.data, all[i].record.size) == 0,
                 "only what counts is recorded", i);
    }
    session->kernel.out.step = CEMV_STEP_PARKED;
    for (unsigned short_of = 0; short_of < 2; short_of++) { /* the last byte of a record, and one too many */
        const size_t last = CEMV_REPLIES_CAPACITY - 1 - 3 * (3 + CEMV_MAX_ISSUER_DATA) - 3 + short_of;
        const struct cemv_reply longest = { .kind = CEMV_REPLY_PIN, .bytes = of(answer, CEMV_MAX_ISSUER_DATA) };
        const struct cemv_reply rest = { .kind = CEMV_REPLY_PIN, .bytes = of(answer, last) };
        cemv_replies_begin(&replies);
        for (unsigned i = 0; i < 3; i++) (void)cemv_replies_append(&replies, session, &longest);
        property(cemv_replies_append(&replies, session, &rest) == !short_of &&
                     (replies.size == CEMV_REPLIES_CAPACITY) == !short_of,
                 "a record is full to its last byte", short_of);
        const struct cemv_reply stop = { .kind = CEMV_REPLY_ABANDON };
        property(!cemv_replies_append(&replies, session, &stop) && replies.incomplete, "nothing fits then", short_of);
    }
}

static void a_record_has_a_limit(void)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_SESSION_SIZE];
    static struct cemv_replies replies, again;
    uint8_t response[CEMV_MAX_RESPONSE] = { 0x6F };
    struct cemv_session *session = begun(memory);
    uint32_t at = 99;
    cemv_replies_begin(&replies);
    const struct cemv_reply card = { .kind = CEMV_REPLY_CARD };
    (void)cemv_replies_append(&replies, session, &card);
    (void)cemv_session_reply(session, &card);
    /* The step does not change: the reply is appended again and again, but given to no session. */
    const struct cemv_reply answer = { .kind = CEMV_REPLY_RESPONSE, .bytes = of(response, sizeof response) };
    const size_t each = 7 + sizeof response;
    unsigned fit = 0;
    while (cemv_replies_append(&replies, session, &answer)) fit++;
    property(fit == (CEMV_REPLIES_CAPACITY - 2) / each && replies.incomplete && replies.size == 2 + fit * each,
             "as many replies as fit", fit);
    const struct cemv_reply small = { .kind = CEMV_REPLY_TIMEOUT };
    property(!cemv_replies_append(&replies, session, &small) && replies.size == 2 + fit * each,
             "an incomplete record stays incomplete", 0);

    session = begun(memory);
    property(cemv_replies_replay(&again, session, BYTES("\1\1\0\0\0\0\0\0"), &at) == CEMV_REPLAY_NOT_TAKEN && at == 0,
             "the first reply may be refused", 0);
    at = 99;
    property(cemv_replies_replay(&again, session, BYTES("\2"), &at) == CEMV_REPLAY_VERSION && at == 0,
             "a version may be refused", 0);
    property(cemv_replies_replay(&again, session, BYTES("\1\5\5"), &at) == CEMV_REPLAY_NOT_TAKEN && at == 1 &&
                 again.size == 2 && cemv_session_step(session) == CEMV_STEP_SEND,
             "a reply that the step does not take is refused", 0);
    cemv_replies_wipe(&replies);
    for (size_t i = 0; i < sizeof replies; i++)
        if (((const uint8_t *)&replies)[i] != 0) property(false, "a record is wiped", (unsigned)i);
}

void properties_of_replies(void)
{
    PART(every_setting_changes_the_fingerprint);
    PART(the_other_settings_change_it);
    PART(data_objects_change_it);
    PART(members_that_count_for_nothing);
    PART(another_place_padding_and_order_change_nothing);
    PART(equal_rows_are_all_listed);
    PART(a_context_needs_no_options);
    PART(options_that_nobody_lists_are_an_error);
    PART(each_reply_has_one_encoding);
    PART(a_damaged_record_is_refused);
    PART(only_what_counts_is_recorded);
    PART(a_record_has_a_limit);
}
