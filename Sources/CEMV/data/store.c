// SPDX-License-Identifier: Apache-2.0
/* The tag store: card responses are kept once and indexed in place; terminal data stands beside them. */
#include "data.h"

#define store_cold __attribute__((cold, noinline))

enum {
    PRIVATE_CLASS = 0xC0,   /* first tag byte, bits 8-7: Book 3, Annex B1 */
    LENGTH_UNBOUNDED = 255, /* `max` of the dictionary */
};

_Static_assert(CEMV_STORE_ARENA <= UINT16_MAX, "offsets are 16 bits wide");
_Static_assert(CEMV_STORE_ENTRIES < UINT8_MAX, "entry numbers are 8 bits wide");
_Static_assert(CEMV_STORE_SPANS < UINT8_MAX, "span numbers are 8 bits wide");

/* ---- the arena and the index ---- */

void cemv_store_clear(struct cemv_store *store, uint8_t rules)
{
    cemv_zero(store, offsetof(struct cemv_store, entry));
    store->rules = rules;
}

static size_t arena_left(const struct cemv_store *store) { return (size_t)CEMV_STORE_ARENA - store->used; }

static void arena_grow(struct cemv_store *store, size_t size)
{
    store->used = (uint16_t)(store->used + size);
    if (store->used > store->high) store->high = store->used;
}

/* There is room. */
static uint16_t arena_keep(struct cemv_store *store, cemv_bytes bytes)
{
    const uint16_t offset = store->used;
    cemv_copy_short(store->arena + offset, bytes.data, bytes.size);
    arena_grow(store, bytes.size);
    return offset;
}

uint8_t *cemv_store_spare(struct cemv_store *store, size_t size)
{
    return size <= (size_t)CEMV_STORE_ARENA - store->high ? store->arena + CEMV_STORE_ARENA - size : NULL;
}

bool cemv_store_keep(struct cemv_store *store, cemv_bytes bytes, uint16_t *offset)
{
    if (bytes.size > arena_left(store)) return false;
    *offset = arena_keep(store, bytes);
    return true;
}

/* The last entry takes the place of the one that goes. */
static void entry_remove(struct cemv_store *store, uint16_t slot)
{
    const uint8_t number = store->index[slot];
    if (number == 0) return;

    store->count--;
    store->index[slot] = 0;
    if (number - 1 == store->count) return;
    store->entry[number - 1] = store->entry[store->count];
    store->index[store->entry[number - 1].slot] = number;
}

/* Where a store stood before a response: a refused one leaves nothing behind. */
struct mark {
    uint16_t used;
    uint8_t count;
};

static struct mark mark_of(const struct cemv_store *store)
{
    return (struct mark){ .used = store->used, .count = store->count };
}

static enum cemv_store_error roll_back(struct cemv_store *store, struct mark mark, enum cemv_store_error error)
{
    while (store->count > mark.count) {
        store->count--;
        store->index[store->entry[store->count].slot] = 0;
    }
    store->used = mark.used;
    return error;
}

static bool length_is_allowed(const struct cemv_tag_info *info, size_t size)
{
    return size >= info->min && (size <= info->max || info->max == LENGTH_UNBOUNDED);
}

/* One more than cemv_slot_of, 0 for none; the usual tags are answered first. */
static inline uint32_t slot_number_of(uint32_t tag)
{
    if (tag <= 0xFF) return cemv_slots_one[tag];
    if (tag - 0x9F00 < CEMV_SLOTS_9F) return cemv_slots_9f[tag - 0x9F00];
    if (tag - 0x5F00 < CEMV_SLOTS_5F) return cemv_slots_5f[tag - 0x5F00];
    return (cemv_slot_of(tag) + 1u) & 0xFFFF;
}

/* ---- terminal, kernel and issuer data ---- */

/* What is there is replaced. */
static bool put_again(struct cemv_store *store, uint16_t slot, cemv_bytes value, uint8_t provenance)
{
    struct cemv_store_entry *const entry = &store->entry[store->index[slot] - 1];
    /* Bytes that a card sent are never written over: they may still have to be hashed. */
    if (entry->provenance >= CEMV_FROM_ISSUER && entry->covered == 0 && value.size <= entry->size) {
        __builtin_memmove(store->arena + entry->offset, value.data, value.size);
        entry->size = (uint16_t)value.size;
        entry->provenance = provenance;
        return true;
    }
    if (value.size > arena_left(store)) return false;
    *entry = (struct cemv_store_entry){
        .slot = slot,
        .offset = arena_keep(store, value),
        .size = (uint16_t)value.size,
        .provenance = provenance,
    };
    return true;
}

bool cemv_store_put(struct cemv_store *store, uint16_t slot, cemv_bytes value, uint8_t provenance)
{
    if (slot >= CEMV_SLOT_COUNT) return false;
    if (value.size == 0) {
        entry_remove(store, slot);
        return true;
    }
    if (store->index[slot] != 0) return put_again(store, slot, value, provenance);
    if (value.size > arena_left(store) || store->count == CEMV_STORE_ENTRIES) return false;

    struct cemv_store_entry *const entry = &store->entry[store->count];
    entry->slot = slot;
    entry->offset = arena_keep(store, value);
    entry->size = (uint16_t)value.size;
    entry->provenance = provenance;
    entry->covered = 0;
    store->index[slot] = ++store->count;
    return true;
}

bool cemv_store_put_u8(struct cemv_store *store, uint16_t slot, uint8_t value)
{
    return cemv_store_put(store, slot, (cemv_bytes){ .data = &value, .size = 1 }, CEMV_FROM_TERMINAL);
}

/* The next byte may be the FF of a tag FF81xx. */
static bool begins_ff81(const struct cemv_tlv_cursor *cursor)
{
    return cursor->end - cursor->at >= 4 && cursor->at[0] == 0xFF && cursor->at[1] == 0x81 &&
           cursor->at[2] < CEMV_SLOTS_FF81;
}

/* The length of an object whose three tag bytes are read: one byte, 81 or 82. False if it is cut. */
static bool list_length(const uint8_t **at, const uint8_t *end, size_t *length)
{
    const size_t bytes = **at < CEMV_LENGTH_LONG_BIT ? 0 : **at & 0x7Fu;
    *length = *(*at)++;
    if (bytes == 0) return *length < CEMV_LENGTH_LONG_BIT;
    if (bytes > 2 || (size_t)(end - *at) < bytes) return false;
    *length = bytes == 2 ? cemv_be16(*at) : **at;
    *at += bytes;
    return true;
}

store_cold static bool list_next_ff81(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object)
{
    const uint8_t *at = cursor->at + 3;
    size_t length;
    if (!list_length(&at, cursor->end, &length) || length > (size_t)(cursor->end - at)) {
        cursor->error = CEMV_WIRE_TRUNCATED_VALUE;
        cursor->end = cursor->at;
        return false;
    }
    *object = (struct cemv_tlv){
        .tag = 0xFF8100u | cursor->at[2],
        .constructed = true,
        .value = { at, length },
        .whole = { cursor->at, (size_t)(at - cursor->at) + length },
    };
    cursor->at = at + length;
    return true;
}

bool cemv_list_next(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object)
{
    if (cursor->error != CEMV_WIRE_OK) return false;
    return begins_ff81(cursor) ? list_next_ff81(cursor, object) : cemv_tlv_next_inline(cursor, object);
}

bool cemv_list_find(cemv_bytes list, uint32_t tag, struct cemv_tlv *object)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(list);
    while (cemv_list_next(&cursor, object)) {
        if (object->tag == tag) return true;
    }
    return false;
}

enum cemv_store_error cemv_store_put_list(struct cemv_store *store, cemv_bytes list, uint8_t provenance)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(list);
    struct cemv_tlv object;

    while (cemv_tlv_next_fast(&cursor, &object) || cemv_list_next(&cursor, &object)) {
        const uint32_t number = slot_number_of(object.tag);
        if (number == 0) continue;
        const uint16_t slot = (uint16_t)(number - 1);
        if (provenance == CEMV_FROM_ISSUER && (cemv_tag_table[slot].source & CEMV_SOURCE_ISSUER) == 0) continue;
        if (object.value.size != 0 && !length_is_allowed(&cemv_tag_table[slot], object.value.size))
            return CEMV_STORE_BAD_LENGTH;
        if (!cemv_store_put(store, slot, object.value, provenance)) return CEMV_STORE_FULL;
    }
    return cursor.error == CEMV_WIRE_OK ? CEMV_STORE_OK : CEMV_STORE_MALFORMED;
}

size_t cemv_store_prepare_list(cemv_bytes list, struct cemv_store_entry entries[CEMV_STORE_ENTRIES])
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(list);
    struct cemv_tlv object;
    size_t count = 0;

    if (list.size > CEMV_STORE_ARENA) return 0;
    while (cemv_list_next(&cursor, &object)) {
        const uint16_t slot = cemv_slot_of(object.tag);
        if (slot == CEMV_SLOT_NONE || object.value.size == 0 || count == CEMV_STORE_ENTRIES) return 0;
        if (!length_is_allowed(&cemv_tag_table[slot], object.value.size)) return 0;
        for (size_t i = 0; i < count; i++)
            if (entries[i].slot == slot) return 0;
        entries[count++] = (struct cemv_store_entry){
            .slot = slot,
            .offset = (uint16_t)(object.value.data - list.data),
            .size = (uint16_t)object.value.size,
            .provenance = CEMV_FROM_TERMINAL,
        };
    }
    return cursor.error == CEMV_WIRE_OK ? count : 0;
}

bool cemv_store_load_list(struct cemv_store *store, cemv_bytes list, const struct cemv_store_entry *entries,
                          size_t count)
{
    if (store->used != 0 || list.size > CEMV_STORE_ARENA || count > CEMV_STORE_ENTRIES) return false;
    (void)arena_keep(store, list);
    __builtin_memcpy(store->entry, entries, count * sizeof *entries);
    for (size_t i = 0; i < count; i++) store->index[entries[i].slot] = (uint8_t)(i + 1);
    store->count = (uint8_t)count;
    return true;
}

/* ---- card data ---- */

/* A datum that is not the card's to give. Private class tags are ignored under every rule (C-8, 4.1.3). */
static enum cemv_store_error refuse_terminal_tag(struct cemv_store *store, uint16_t slot)
{
    const uint32_t tag = cemv_tag_table[slot].tag;
    const uint32_t first = tag >> 8 * (cemv_tag_size(tag) - 1);
    const bool is_private = (first & PRIVATE_CLASS) == PRIVATE_CLASS;

    store->terminal_tag_from_card = true;
    if ((store->rules & CEMV_RULES_REFUSE_TERMINAL_TAGS) != 0 && !is_private) return CEMV_STORE_TERMINAL_TAG;
    return CEMV_STORE_OK;
}

/* Data whose wrong format never ends a transaction (Book 3, 7.5): they count as absent. C-8, 4.1.3 knows no exception.
 */
static enum cemv_store_error refuse_length(const struct cemv_store *store, uint16_t slot)
{
    if ((store->rules & CEMV_RULES_IDENTICAL_DUPLICATES) != 0) return CEMV_STORE_BAD_LENGTH;
    switch (cemv_tag_table[slot].tag) {
    case CEMV_TAG_42_ISSUER_IDENTIFICATION_NUMBER:
    case CEMV_TAG_5F20_CARDHOLDER_NAME:
    case CEMV_TAG_5F50_ISSUER_URL:
    case CEMV_TAG_9F0B_CARDHOLDER_NAME_EXTENDED:
    case CEMV_TAG_9F0C_ISSUER_IDENTIFICATION_NUMBER_EXTENDED:
    case CEMV_TAG_9F1F_TRACK_1_DISCRETIONARY_DATA:
    case CEMV_TAG_9F4D_LOG_ENTRY:
    case CEMV_TAG_9F4F_LOG_FORMAT: return CEMV_STORE_OK;
    default: return CEMV_STORE_BAD_LENGTH;
    }
}

/* The slot is free, and so is the entry after `count`, which the caller counts on. */
static inline void card_keep(struct cemv_store *store, uint16_t slot, cemv_bytes value, bool covered, unsigned count)
{
    struct cemv_store_entry *const entry = &store->entry[count];

    entry->slot = slot;
    entry->offset = (uint16_t)(value.data - store->arena);
    entry->size = (uint16_t)value.size;
    entry->provenance = CEMV_FROM_CARD;
    entry->covered = covered;
    store->index[slot] = (uint8_t)(count + 1);
}

/* Rows of numbers that a kernel reads in its own way (dictionary.c, collisions): its length, and whose they are. */
enum { K2 = CEMV_KNOWN_TO_KERNEL_2, K3 = CEMV_KNOWN_TO_KERNEL_3, CARD = CEMV_SOURCE_CARD };
static const struct cemv_tag_info kernel_rows[] = {
    { CEMV_TAG_8E_CVM_LIST, CEMV_FORMAT_B, 8, 252, CARD, 0, K2 },
    { CEMV_TAG_9F50_OFFLINE_ACCUMULATOR_BALANCE, CEMV_FORMAT_N, 6, 6, CARD, 0, K2 },
    { CEMV_TAG_9F5B_ISSUER_SCRIPT_RESULTS, CEMV_FORMAT_B, 1, 250, CARD, 0, K2 },
    { CEMV_TAG_9F5D_AVAILABLE_OFFLINE_SPENDING_AMOUNT, CEMV_FORMAT_B, 3, 3, CARD, 0, K2 },
    { CEMV_TAG_9F5F_OFFLINE_BALANCE, CEMV_FORMAT_B, 1, 1, CARD, 0, K2 },
    { CEMV_TAG_9F60_CVC3_TRACK_1, CEMV_FORMAT_B, 2, 2, CARD, 0, K2 },
    { CEMV_TAG_9F63_PUNATC_TRACK_1, CEMV_FORMAT_B, 6, 6, CARD, 0, K2 },
    { CEMV_TAG_9F66_TERMINAL_TRANSACTION_QUALIFIERS, CEMV_FORMAT_B, 2, 2, CARD, 0, K2 },
    { CEMV_TAG_9F67_NATC_TRACK_2, CEMV_FORMAT_B, 1, 1, CARD, 0, K2 },
    { CEMV_TAG_9F69_CARD_AUTHENTICATION_RELATED_DATA, CEMV_FORMAT_B, 1, 250, CARD, 0, K2 },
    { CEMV_TAG_9F6E_FORM_FACTOR_INDICATOR, CEMV_FORMAT_B, 5, 32, CARD, 0, K2 },
    { CEMV_TAG_9F7C_CUSTOMER_EXCLUSIVE_DATA, CEMV_FORMAT_B, 20, 20, CEMV_SOURCE_TERMINAL, 0, K2 },
    { CEMV_TAG_9F7D_DS_SUMMARY_1, CEMV_FORMAT_B, 8, 16, CARD, 0, K2 },
    { CEMV_TAG_9F7E_MOBILE_SUPPORT_INDICATOR, CEMV_FORMAT_B, 1, 1, CEMV_SOURCE_KERNEL, 0, K2 },
    { CEMV_TAG_DF61_DS_DIGEST_H, CEMV_FORMAT_B, 8, 8, CEMV_SOURCE_KERNEL, 0, K2 },
    { CEMV_TAG_9F5B_ISSUER_SCRIPT_RESULTS, CEMV_FORMAT_B, 1, 255, CEMV_SOURCE_KERNEL, 0, K3 },
    { CEMV_TAG_9F5D_AVAILABLE_OFFLINE_SPENDING_AMOUNT, CEMV_FORMAT_N, 6, 6, CARD, 0, K3 },
    { CEMV_TAG_9F6E_FORM_FACTOR_INDICATOR, CEMV_FORMAT_B, 4, 4, CARD, 0, K3 },
    { CEMV_TAG_9F7C_CUSTOMER_EXCLUSIVE_DATA, CEMV_FORMAT_B, 1, 32, CARD, 0, K3 },
};
enum { KERNEL_ROWS = sizeof kernel_rows / sizeof kernel_rows[0] };

/* The kernel whose tables hold, as in a row; 0: the whole dictionary does. */
_Static_assert(CEMV_RULES_KERNEL_2_TAGS / CEMV_RULES_KERNEL_2_TAGS == K2 &&
                   CEMV_RULES_KERNEL_3_TAGS / CEMV_RULES_KERNEL_2_TAGS == K3,
               "one bit each");
static inline unsigned kernel_of(const struct cemv_store *store) { return store->rules / CEMV_RULES_KERNEL_2_TAGS; }

/* The rows above that are the card's alone and the terminal's elsewhere. */
void cemv_store_set_rules(struct cemv_store *store, uint8_t rules)
{
    store->rules = rules;
    if (kernel_of(store) == 0) return;
    entry_remove(store, CEMV_SLOT_9F6E);
    entry_remove(store, kernel_of(store) == K3 ? CEMV_SLOT_9F7C : CEMV_SLOT_9F66);
    if (kernel_of(store) == K2) entry_remove(store, CEMV_SLOT_9F5B);
}

/* NULL: the kernel does not know the object. */
static const struct cemv_tag_info *info_under_rules(const struct cemv_store *store, uint16_t slot)
{
    const struct cemv_tag_info *const info = &cemv_tag_table[slot];
    const unsigned kernel = kernel_of(store);
    if ((info->kernels & kernel) == kernel) return info;
    for (size_t i = 0; i < KERNEL_ROWS; i++)
        if (kernel_rows[i].tag == info->tag && kernel_rows[i].kernels == kernel) return &kernel_rows[i];
    return NULL;
}

/* All the rules for a datum of the card. A second occurrence leaves the first as it is, coverage included. */
store_cold static enum cemv_store_error card_weigh(struct cemv_store *store, uint16_t slot, cemv_bytes value,
                                                   bool covered)
{
    const struct cemv_tag_info *const info = info_under_rules(store, slot);
    const bool held = store->index[slot] != 0;
    const bool owned = held && cemv_store_provenance(store, slot) >= CEMV_FROM_ISSUER;

    if (info == NULL) return CEMV_STORE_OK; /* ignored: C-3, 5.2.1.3; C-8, 4.1.3 */
    if (value.size == 0 && (store->rules & CEMV_RULES_REFUSE_TERMINAL_TAGS) == 0) return CEMV_STORE_OK;
    if (owned || (info->source & CEMV_SOURCE_CARD) == 0) return refuse_terminal_tag(store, slot);
    if (value.size == 0)
        return held ? CEMV_STORE_DUPLICATE : CEMV_STORE_OK; /* another value than the first (C-8, 4.1.3) */
    if (!length_is_allowed(info, value.size)) return refuse_length(store, slot);
    if (held) {
        const bool same = cemv_bytes_equal(cemv_store_value(store, slot), value);
        return same && (store->rules & CEMV_RULES_IDENTICAL_DUPLICATES) != 0 ? CEMV_STORE_OK : CEMV_STORE_DUPLICATE;
    }
    if (store->count == CEMV_STORE_ENTRIES) return CEMV_STORE_FULL;
    card_keep(store, slot, value, covered, store->count++);
    return CEMV_STORE_OK;
}

/* What no rule touches, nearly every datum: it may be kept at once. No `min` is 0, so that an empty value never is. */
static inline bool is_plain(const struct cemv_store *store, unsigned kernel, uint32_t number, size_t size,
                            unsigned count)
{
    const struct cemv_tag_info *const info = &cemv_tag_table[number - 1];
    return size >= info->min && size <= info->max && (info->source & CEMV_SOURCE_CARD) != 0 &&
           store->index[number - 1] == 0 && count != CEMV_STORE_ENTRIES && (kernel & ~(unsigned)info->kernels) == 0;
}

/* Indexes the tree of objects in `bytes`, which lie in the arena, in one pass. `depth` is that of the outermost of
 * them. A child ends where its parent goes on, so that one place serves and only the ends of the open levels are kept.
 */
static enum cemv_store_error card_walk(struct cemv_store *store, cemv_bytes bytes, unsigned depth, bool covered)
{
    const uint8_t *at = bytes.data, *end = cemv_bytes_end(bytes);
    const uint8_t *ends[CEMV_TLV_MAX_DEPTH];
    const unsigned outermost = depth;
    const unsigned kernel = kernel_of(store);
    unsigned count = store->count; /* in a register: through memory, each object would wait for the one before */
    enum cemv_store_error error = CEMV_STORE_OK;

    for (;;) {
        /* Opened afresh for each object: its error is none as long as the walk goes on, and so takes no register. */
        struct cemv_tlv_cursor cursor = { .at = at, .end = end, .error = CEMV_WIRE_OK };
        struct cemv_tlv object;
        const bool found = cemv_tlv_next_inline(&cursor, &object);
        at = cursor.at;
        if (!found) {
            if (cursor.error != CEMV_WIRE_OK) error = CEMV_STORE_MALFORMED;
            if (error != CEMV_STORE_OK || depth == outermost) break;
            end = ends[--depth];
            continue;
        }
        if (!object.constructed) {
            const uint32_t number = slot_number_of(object.tag);
            if (number == 0) continue;
            if (is_plain(store, kernel, number, object.value.size, count)) {
                card_keep(store, (uint16_t)(number - 1), object.value, covered, count++);
                continue;
            }
            store->count = (uint8_t)count;
            error = card_weigh(store, (uint16_t)(number - 1), object.value, covered);
            count = store->count;
            if (error != CEMV_STORE_OK) break;
            continue;
        }
        if (object.value.size == 0 || kernel == K3) continue;
        if (object.tag == CEMV_TAG_61_APPLICATION_TEMPLATE ||
            object.tag == CEMV_TAG_73_DIRECTORY_DISCRETIONARY_TEMPLATE)
            continue;
        if (depth == CEMV_TLV_MAX_DEPTH) {
            error = CEMV_STORE_MALFORMED;
            break;
        }
        ends[depth++] = end;
        at = object.value.data;
        end = object.value.data + object.value.size;
    }
    store->count = (uint8_t)count;
    return error;
}

/* `bytes` hold one object with this tag, and beside it nothing but filler. */
store_cold static bool sole_object_among_filler(cemv_bytes bytes, uint32_t tag, cemv_bytes *value, cemv_bytes *whole)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(bytes);
    struct cemv_tlv object, other;
    if (!cemv_tlv_next_inline(&cursor, &object) || object.tag != tag || !object.constructed) return false;
    *value = object.value;
    *whole = object.whole;
    return cursor.at == cursor.end || (!cemv_tlv_next_inline(&cursor, &other) && cursor.error == CEMV_WIRE_OK);
}

/* The same. Nearly always it is a template with a tag of one byte that fills the bytes, its length one byte or 81 and
 * one more. */
static inline bool sole_object(cemv_bytes bytes, uint32_t tag, cemv_bytes *value, cemv_bytes *whole)
{
    const uint8_t *const at = bytes.data;
    size_t header = 0;
    const bool plain = (tag & CEMV_TAG_CONSTRUCTED_BIT) != 0 && (tag & CEMV_TAG_NUMBER_MASK) != CEMV_TAG_NUMBER_MASK;
    if (plain && bytes.size > 2 && at[0] == tag) {
        if (at[1] == bytes.size - 2 && at[1] < CEMV_LENGTH_LONG_BIT) header = 2;
        else if (at[1] == 0x81 && at[2] == bytes.size - 3) header = 3;
    }
    if (header == 0) return sole_object_among_filler(bytes, tag, value, whole);
    *value = (cemv_bytes){ .data = at + header, .size = bytes.size - header };
    *whole = bytes;
    return true;
}

enum cemv_store_error cemv_store_template(struct cemv_store *store, uint32_t tag, cemv_bytes bytes)
{
    const struct mark mark = mark_of(store);
    cemv_bytes inner = bytes, whole;
    if (tag != 0 && !sole_object(bytes, tag, &inner, &whole)) return CEMV_STORE_MALFORMED;
    if (bytes.size == 0) return CEMV_STORE_OK;
    if (bytes.size > arena_left(store)) return CEMV_STORE_FULL;

    const size_t header = (size_t)(inner.data - bytes.data);
    const uint16_t offset = arena_keep(store, bytes);
    const cemv_bytes value = { .data = store->arena + offset + header, .size = inner.size };
    const enum cemv_store_error error = card_walk(store, value, tag != 0 ? 2 : 1, false);
    return error == CEMV_STORE_OK ? CEMV_STORE_OK : roll_back(store, mark, error);
}

/* Adjacent pieces are one: records read one after the other usually make a single run. */
static void span_add(struct cemv_store *store, uint16_t offset, uint16_t size)
{
    if (size == 0) return;
    if (store->span_count != 0) {
        struct cemv_span *last = &store->span[store->span_count - 1];
        if (last->offset + last->size == offset) {
            last->size = (uint16_t)(last->size + size);
            return;
        }
    }
    if (store->span_count == CEMV_STORE_SPANS) {
        store->spans_overflowed = true;
        return;
    }
    store->span[store->span_count++] = (struct cemv_span){ .offset = offset, .size = size };
}

/* Only what is hashed is kept, so that the runs of signed records join up. */
enum cemv_store_error cemv_store_record(struct cemv_store *store, cemv_bytes bytes, bool signed_record, bool whole)
{
    const struct mark mark = mark_of(store);
    cemv_bytes inner, object;
    if (!sole_object(bytes, CEMV_TAG_70_RECORD_TEMPLATE, &inner, &object)) return CEMV_STORE_MALFORMED;

    cemv_bytes before = { .data = bytes.data, .size = 0 }, kept = inner;
    if (signed_record) {
        if (!whole) before.size = (size_t)(object.data - bytes.data);
        kept.data = whole ? bytes.data : inner.data;
        kept.size = (size_t)(cemv_bytes_end(bytes) - kept.data);
    }
    if (before.size + kept.size > arena_left(store)) return CEMV_STORE_FULL;
    const uint16_t first = arena_keep(store, before), offset = arena_keep(store, kept);
    const cemv_bytes value = { .data = store->arena + offset + (inner.data - kept.data), .size = inner.size };
    const enum cemv_store_error error = card_walk(store, value, 2, signed_record);
    if (error != CEMV_STORE_OK) return roll_back(store, mark, error);
    if (signed_record) span_add(store, first, (uint16_t)(before.size + kept.size));
    return CEMV_STORE_OK;
}

/* Kept as the object that the card might have sent, so that there is one set of rules. A datum that was ignored leaves
 * no bytes. */
enum cemv_store_error cemv_store_card(struct cemv_store *store, uint16_t slot, cemv_bytes value)
{
    const struct mark mark = mark_of(store);
    if (slot >= CEMV_SLOT_COUNT) return CEMV_STORE_OK;

    struct cemv_writer writer = cemv_writer_open(store->arena + store->used, arena_left(store));
    cemv_writer_put_tlv(&writer, cemv_tag_table[slot].tag, value);
    const cemv_bytes object = cemv_writer_finish(&writer);
    if (object.size == 0) return CEMV_STORE_FULL;
    arena_grow(store, object.size);
    const enum cemv_store_error error = card_walk(store, object, 1, false);
    return store->count != mark.count && error == CEMV_STORE_OK ? CEMV_STORE_OK : roll_back(store, mark, error);
}

/* ---- provenance ---- */

uint8_t cemv_store_provenance(const struct cemv_store *store, uint16_t slot)
{
    const struct cemv_store_entry *entry = cemv_store_find(store, slot);
    return entry != NULL ? entry->provenance : 0;
}

void cemv_store_set_provenance(struct cemv_store *store, uint16_t slot, uint8_t provenance)
{
    if (slot < CEMV_SLOT_COUNT && store->index[slot] != 0) store->entry[store->index[slot] - 1].provenance = provenance;
}

/* A chain cannot have covered what was not hashed: with too many spans nothing is vouched for. */
void cemv_store_vouch_static(struct cemv_store *store)
{
    if (store->spans_overflowed) return;
    for (size_t i = 0; i < store->count; i++) {
        struct cemv_store_entry *entry = &store->entry[i];
        if (entry->covered != 0 && entry->provenance == CEMV_FROM_CARD) entry->provenance = CEMV_FROM_CARD_STATIC;
    }
}

size_t cemv_store_signed(const struct cemv_store *store, cemv_bytes pieces[CEMV_STORE_SPANS])
{
    for (size_t i = 0; i < store->span_count; i++) {
        pieces[i] = (cemv_bytes){ .data = store->arena + store->span[i].offset, .size = store->span[i].size };
    }
    return store->span_count;
}

/* ---- out of the store ---- */

/* What a DOL entry is answered with before it is fitted; empty bytes give zeros. */
static inline cemv_bytes dol_value(const struct cemv_store *store, uint16_t slot, uint32_t tag, bool card_too)
{
    const struct cemv_store_entry *const entry = cemv_store_find(store, slot);
    const bool private_to_kernel = cemv_tag_table[slot].source == CEMV_SOURCE_CONFIGURATION;
    if (entry == NULL || (!card_too && entry->provenance != CEMV_FROM_TERMINAL) || private_to_kernel ||
        cemv_tag_is_constructed(tag)) {
        return (cemv_bytes){ .data = NULL, .size = 0 };
    }
    return (cemv_bytes){ .data = store->arena + entry->offset, .size = entry->size };
}

bool cemv_store_build_dol(const struct cemv_store *store, cemv_bytes dol, bool card_too, uint8_t *out, size_t capacity,
                          size_t *size)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(dol);
    struct cemv_dol_entry entry;
    size_t written = 0;

    while (cemv_dol_next_inline(&cursor, &entry)) {
        if (entry.length > capacity - written) return false;
        if (entry.length == 0) continue;
        const uint32_t number = slot_number_of(entry.tag);
        if (number == 0) {
            cemv_zero(out + written, entry.length);
        } else {
            const uint16_t slot = (uint16_t)(number - 1);
            const cemv_bytes value = dol_value(store, slot, entry.tag, card_too);
            if (value.size == entry.length) cemv_copy_short(out + written, value.data, value.size);
            else cemv_dol_fit(out + written, entry.length, value, (enum cemv_format)cemv_tag_table[slot].format);
        }
        written += entry.length;
    }
    if (cursor.error != CEMV_WIRE_OK) return false;
    *size = written;
    return true;
}

void cemv_store_export(const struct cemv_store *store, uint16_t slot, struct cemv_writer *writer)
{
    const struct cemv_store_entry *const entry = cemv_store_find(store, slot);
    if (entry == NULL) return;
    const cemv_bytes value = { .data = store->arena + entry->offset, .size = entry->size };
    const uint32_t tag = cemv_tag_table[slot].tag;
    if (!cemv_writer_put_short(writer, tag, value)) cemv_writer_put_tlv(writer, tag, value);
}
