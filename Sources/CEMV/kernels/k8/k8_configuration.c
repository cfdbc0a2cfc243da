/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 8: the settings: defaults (Book C-8 v1.0, T A.38), rights of the transaction's data, proprietary objects,
 * options, and the check of a configuration. Sends nothing. */
#include "k8_memory.h"

const struct cemv_kernel_8_options *k8_options_of(const struct cemv_kernel *kernel)
{
    static const struct cemv_kernel_8_options defaults;
    return kernel->combination->options != NULL ? kernel->combination->options : &defaults;
}

bool k8_configured(const struct cemv_kernel *kernel, uint8_t bit)
{
    return (cemv_value_byte(kernel, K8_SLOT_9F8209, 0) & bit) != 0;
}

/* Data ------------------------------------------------------------------------------------------------------------- */

/* Three sources fill the store before the first command, in this order: the combination and the terminal, whose data
 * the session has stored; the transaction, limited to the objects that the book allows; and finally the book's defaults
 * for objects that nobody has configured. An object with a length of zero counts as configured and gets no default. */

/* Slot, size, bytes. */
/* clang-format off */
static const uint8_t defaults[] = {
    CEMV_SLOT_9F40, 5, 0, 0, 0, 0, 0,
    CEMV_SLOT_9F09, 2, 0, 0x02,
    CEMV_SLOT_9F1D, 8, 0, 0, 0, 0, 0, 0, 0, 0,
    CEMV_SLOT_9F35, 1, 0,
    CEMV_SLOT_9F1A, 2, 0, 0,
    K8_SLOT_9F8206, 1, 0,
    K8_SLOT_9F8207, 1, 0,
    K8_SLOT_9F8208, 1, 0,
    K8_SLOT_9F8209, 2, 0, 0,
    K8_SLOT_9F820A, 1, 0,
    K8_SLOT_9F820B, 5, 0x84, 0, 0, 0, 0x40,
    K8_SLOT_9F820C, 5, 0x84, 0, 0x84, 0x80, 0x4C,
    K8_SLOT_9F820D, 6, 0, 0, 0, 0, 0, 0,
    K8_SLOT_9F820E, 6, 0, 0, 0, 0, 0, 0,
    K8_SLOT_9F820F, 2, 0x01, 0xF4,
    K8_SLOT_9F8211, 3, 0, 0, 0x13,
    K8_SLOT_9F8212, 1, 0x0D,
    K8_SLOT_9F8213, 2, 0, 0x14,
    K8_SLOT_9F8214, 2, 0, 0x32,
    K8_SLOT_9F8215, 2, 0, 0x12,
    K8_SLOT_9F8216, 2, 0, 0x18,
    K8_SLOT_9F8217, 2, 0x01, 0x2C,
    K8_SLOT_9F8218, 1, 0x32,
    K8_SLOT_9F821A, 5, 0x84, 0, 0, 0x80, 0xCF,
    K8_SLOT_9F821D, 3, 0x21, 0x18, 0x20,
    K8_SLOT_9F821E, 1, 0,
    K8_SLOT_9F821F, 3, 0x9F, 0x82, 0x04,
};
_Static_assert(K8_SLOT_END <= UINT8_MAX, "a slot is a byte");
/* clang-format on */

/* The configured value of a tag: the combination's, else the terminal's. */
static bool configured(const struct cemv_configuration *configuration, const struct cemv_combination *combination,
                       uint32_t tag, cemv_bytes *value)
{
    struct cemv_tlv object;
    const bool any = cemv_list_find(combination->data, tag, &object) ||
                     cemv_list_find(configuration->terminal_data, tag, &object);
    *value = any ? object.value : (cemv_bytes){ NULL, 0 };
    return any;
}

/* Sets a proprietary object. One that is configured without a value is reserved for the card, so that the transaction
 * cannot set it. */
static void set_own(struct cemv_kernel *kernel, uint32_t tag, cemv_bytes value, bool add)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    unsigned i = 0;
    while (i < memory->own_count && memory->own[i].tag != tag) i++;
    if (i == memory->own_count && (!add || i == K8_OWN_MAX)) return;
    if (i == memory->own_count) memory->own_count++;
    else if (memory->own[i].span.size == 0) return; /* reserved for the card */
    memory->own[i].tag = tag;
    (void)k8_keep(kernel, value, &memory->own[i].span);
}

/* The objects that the transaction may supply (rights of ACT, annex A). */
static bool transaction_may_bring(uint16_t slot)
{
    static const uint16_t slots[] = { CEMV_SLOT_5F57, CEMV_SLOT_9F02, CEMV_SLOT_9F03, CEMV_SLOT_9A,
                                      CEMV_SLOT_9F21, K8_SLOT_9F8202, K8_SLOT_9F8203, K8_SLOT_BF8104,
                                      CEMV_SLOT_5F2A, CEMV_SLOT_5F36, CEMV_SLOT_9C };
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
        if (slots[i] == slot) return true;
    return false;
}

/* The session has stored all of the transaction's data. Objects that this kernel accepts only from the configuration
 * are set back to their configured values. */
static void take_objects(struct cemv_kernel *kernel, cemv_bytes list, bool of_transaction)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(list);
    struct cemv_tlv object;
    while (cemv_list_next(&cursor, &object)) {
        cemv_bytes value = object.value;
        uint16_t slot;
        if (k8_object_of(kernel->store.tags, object.tag, &slot) == K8_NOT_KNOWN) {
            set_own(kernel, object.tag, value, !of_transaction);
            continue;
        }
        if (of_transaction && !transaction_may_bring(slot))
            (void)configured(&kernel->checked->configuration, kernel->combination, object.tag, &value);
        else if (value.size == 0) k8_mark_empty(kernel, slot);
        if (of_transaction) k8_put(kernel, slot, value.data, value.size);
    }
}

bool k8_open_data(struct cemv_kernel *kernel)
{
    take_objects(kernel, kernel->combination->data, false);
    take_objects(kernel, kernel->transaction.data, true);
    for (size_t i = 0; i < sizeof defaults; i += 2u + defaults[i + 1])
        if (!cemv_store_has(&kernel->store, defaults[i]) && !k8_is_empty(kernel, defaults[i]))
            k8_put(kernel, defaults[i], &defaults[i + 2], defaults[i + 1]);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F06))
        k8_put(kernel, CEMV_SLOT_9F06, kernel->combination->aid.data, kernel->combination->aid.size);
    return !k8_memory_of(kernel)->store_full;
}

/* The request
 * -------------------------------------------------------------------------------------------------------- */

/* The action analysis itself is the book's, in k8_rules.c. The rules of the protection around it can turn an approval
 * into an online request, or anything into a decline, but never the reverse. */

/* True if no TC may be requested: offline approvals are disabled or, outside profile `book`, the transaction is a
 * refund, has an amount of zero (attacks.md, A09, A30), or nobody checks the data that the card has received (A37). */
static bool refuses_offline(const struct cemv_kernel *kernel)
{
    if (cemv_offline_is_off(kernel)) return true;
    return !cemv_is_book(kernel) && (kernel->transaction.type == CEMV_TYPE_REFUND ||
                                     k8_amount(kernel, CEMV_SLOT_9F02) == 0 || !k8_mac_is_checked(kernel));
}

/* True if, above the CVM limit (…425.8), no verified MAC proves that the relay resistance exchange took place. */
static bool misses_relay(const struct cemv_kernel *kernel)
{
    return kernel->out.outcome.receipt && !(k8_memory_of(kernel)->relay_done && k8_mac_is_checked(kernel));
}

/* A terminal that cannot go online does not accept a card that answered late (attacks.md, A28). */
uint8_t k8_analyse(struct cemv_kernel *kernel)
{
    enum { OFFLINE_CAPABLE = 0x08 };
    const uint8_t type = cemv_value_byte(kernel, CEMV_SLOT_9F35, 0);
    const bool offline_only = cemv_rules_offline_only(type);
    struct k8_action_in in = {
        .tvr = k8_memory_of(kernel)->tvr,
        .denial = k8_bits(kernel, K8_SLOT_9F820B),
        .online = k8_bits(kernel, K8_SLOT_9F820C),
        .terminal_type = type,
        .card_offline = (cemv_value_byte(kernel, CEMV_SLOT_82, 1) & OFFLINE_CAPABLE) != 0,
    };
    if (cemv_relay_refused(kernel, in.tvr, misses_relay(kernel), offline_only)) return K8_DECLINE;
    const uint8_t decision = k8_action_analysis(&in);
    if (decision != K8_ACCEPT) return decision;
    const bool unsigned_list = k8_memory_of(kernel)->local && cemv_list_refused(kernel);
    if (!refuses_offline(kernel) && !unsigned_list) return decision;
    return offline_only ? K8_DECLINE : K8_ONLINE;
}

/* The check -------------------------------------------------------------------------------------------------------- */

/* Checked once for each configuration, before any tap, so that no state has to check its settings. Each error names
 * field and tag. Points must lie on the curve: a signature under any other point would prove nothing. */

/* Only suite 10, P-256, is supported. */
static bool is_p256(const struct cemv_curve_key *key) { return key->suite == 0x10; }

/* A key is found by RID and index only, so both must be unique over both kinds of keys. */
static bool is_twice(const struct cemv_configuration *configuration, size_t row)
{
    const struct cemv_curve_key *const keys = configuration->curve_keys, *const key = &keys[row];
    for (size_t i = 0; i < row; i++)
        if (keys[i].index == key->index && cemv_memcmp(keys[i].rid, key->rid, sizeof key->rid) == 0) return true;
    return cemv_ca_key_find(configuration->ca_keys, configuration->ca_key_count, key->rid, key->index) != NULL;
}

/* RID, index and suite, as they are hashed. */
enum { HEAD = offsetof(struct cemv_curve_key, suite) + 1 };
_Static_assert(HEAD == 7, "no room between them");

static enum cemv_status check_curve_key(const struct cemv_configuration *configuration, size_t row)
{
    const struct cemv_crypto *const crypto = configuration->crypto;
    const struct cemv_curve_key *const key = &configuration->curve_keys[row];
    uint8_t point[2 * CEMV_P256_SIZE], digest[CEMV_SHA256_SIZE];
    uint32_t day;
    const cemv_bytes pieces[] = { { (const uint8_t *)key, HEAD }, key->x, key->y };
    if (is_twice(configuration, row)) return CEMV_DUPLICATE;
    if ((key->expires[0] | key->expires[1] | key->expires[2]) != 0 &&
        !cemv_date_read((cemv_bytes){ key->expires, sizeof key->expires }, &day))
        return CEMV_BAD_VALUE;
    if (key->sha256.size != 0) {
        if (key->sha256.size != sizeof digest) return CEMV_BAD_LENGTH;
        crypto->sha256(digest, pieces, 3);
        if (cemv_memcmp(digest, key->sha256.data, sizeof digest) != 0) return CEMV_BAD_CHECKSUM;
    }
    if (!is_p256(key)) return CEMV_OK; /* kept unchecked: it counts as missing (RPC.3) */
    if (key->x.size != CEMV_P256_SIZE || key->y.size != CEMV_P256_SIZE) return CEMV_BAD_LENGTH;
    cemv_copy(point, key->x.data, CEMV_P256_SIZE);
    cemv_copy(point + CEMV_P256_SIZE, key->y.data, CEMV_P256_SIZE);
    return cemv_p256_is_point(point) ? CEMV_OK : CEMV_BAD_VALUE;
}

static enum cemv_status check_curve_keys(const struct cemv_configuration *configuration,
                                         struct cemv_config_error *error)
{
    error->field = CEMV_FIELD_OPTIONS;
    error->option = CEMV_KERNEL_8_CURVE_KEYS;
    for (size_t i = 0; i < configuration->curve_key_count; i++) {
        const enum cemv_status status = check_curve_key(configuration, i);
        error->tag = (uint32_t)i;
        if (status != CEMV_OK) return status;
    }
    error->tag = error->option = 0;
    return CEMV_OK;
}

/* True if the list consists of whole tags, in pairs if requested. */
static bool is_list(cemv_bytes list, bool pairs)
{
    bool bad = false;
    uint32_t tag;
    unsigned count = 0;
    while (k8_next_tag(&list, &tag, &bad)) count++;
    return !bad && (!pairs || count % 2 == 0);
}

static size_t count_proprietary(cemv_bytes list)
{
    struct cemv_tags tags;
    struct cemv_tlv_cursor cursor = cemv_tlv_open(list);
    struct cemv_tlv object;
    size_t count = 0;
    uint16_t slot;
    cemv_tags_open(&tags, &cemv_kernel_8.tags);
    while (cemv_list_next(&cursor, &object))
        if (k8_object_of(&tags, object.tag, &slot) == K8_NOT_KNOWN) count++;
    return count;
}

/* Action codes and a mask that permit an approval without proof are rejected outside profile `book` (attacks.md,
 * A28). */
static enum cemv_status check_action_codes(const struct cemv_configuration *configuration,
                                           const struct cemv_combination *combination, struct cemv_config_error *error)
{
    const struct cemv_protection *const protection = combination->own_protection ? &combination->protection
                                                                                 : &configuration->protection;
    const uint64_t proof = CEMV_TVR(1, CEMV_TVR_1_ODA_NOT_PERFORMED | CEMV_TVR_1_LOCAL_AUTHENTICATION_FAILED);
    const uint64_t strong = (uint64_t)0x84 << 32 | 0x80CF;
    cemv_bytes denial, mask, type;
    if (protection->profile == CEMV_PROFILE_BOOK) return CEMV_OK;
    const bool has_type = configured(configuration, combination, CEMV_TAG_9F35_TERMINAL_TYPE, &type);
    error->tag = 0x9F820B;
    const bool offline = !has_type || !cemv_rules_online_only(type.data[0]);
    if (offline && configured(configuration, combination, error->tag, &denial) &&
        (cemv_rules_bits(denial, 0) & proof) != proof)
        return CEMV_BAD_VALUE;
    error->tag = 0x9F821A;
    if (configured(configuration, combination, error->tag, &mask) && (cemv_rules_bits(mask, 0) & strong) != strong)
        return CEMV_BAD_VALUE;
    return CEMV_OK;
}

/* The secret part of the crypto port is mandatory, because without it there is no channel. TTQ and the limits of
 * pre-processing are rejected: this kernel has its own objects for both. */
enum cemv_status k8_check(const struct cemv_configuration *configuration, size_t row, struct cemv_config_error *error)
{
    const struct cemv_combination *const combination = &configuration->combinations[row];
    cemv_bytes list;
    error->field = CEMV_FIELD_OPTIONS;
    error->option = CEMV_KERNEL_8_SECRET_CRYPTO;
    if (configuration->crypto == NULL || configuration->crypto->secret == NULL) return CEMV_MISSING;
    error->option = CEMV_KERNEL_8_PROPRIETARY;
    if (count_proprietary(combination->data) > CEMV_KERNEL_8_PROPRIETARY_MAX) return CEMV_TOO_MANY;
    error->option = 0;
    error->field = CEMV_FIELD_TTQ;
    if (combination->ttq.size != 0) return CEMV_NOT_CONFIGURABLE;
    error->field = CEMV_FIELD_LIMITS;
    if ((combination->limits.present & ~(1u << CEMV_LIMIT_TRANSACTION)) != 0) return CEMV_NOT_CONFIGURABLE;
    error->field = CEMV_FIELD_DATA;
    error->tag = 0x9F821F;
    if (configured(configuration, combination, error->tag, &list) && !is_list(list, false)) return CEMV_BAD_VALUE;
    error->tag = 0x9F8221;
    if (configured(configuration, combination, error->tag, &list) && !is_list(list, true)) return CEMV_BAD_VALUE;
    const enum cemv_status status = check_action_codes(configuration, combination, error);
    if (status != CEMV_OK) return status;
    error->tag = 0;
    return check_curve_keys(configuration, error);
}
