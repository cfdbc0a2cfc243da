/* SPDX-License-Identifier: Apache-2.0 */
/* The tag store: card responses are kept once and indexed in place; terminal data are stored next to them. Every datum
 * has its provenance, and a card cannot overwrite the terminal's data (SECURITY.md). Knows no command and no kernel.
 * Rules: Book 3, Annex B; Book B, annex A.
 *
 * The store has two parts. The arena is a run of bytes that only grows during a tap; the index has one entry per
 * object, with its place in the arena. There is no allocation, and clearing the store only clears the index. */
#include "data.h"

#define store_cold compiler_cold

enum {
    PRIVATE_CLASS = 0xC0,   /* first tag byte, bits 8-7: Book 3, Annex B1 */
    LENGTH_UNBOUNDED = 255, /* `max` of a row: any length */
};

_Static_assert(CEMV_STORE_ARENA <= UINT16_MAX, "offsets are 16 bits wide");
_Static_assert(CEMV_STORE_ENTRIES < UINT8_MAX, "entry numbers are 8 bits wide");
_Static_assert(CEMV_STORE_SPANS < UINT8_MAX, "span numbers are 8 bits wide");

/* ---- the arena and the index ------------------------------------------------------------------------------------- */

void cemv_store_clear(struct cemv_store *store, const struct cemv_tags *tags, uint8_t reading)
{
    cemv_zero(store, offsetof(struct cemv_store, entry));
    store->tags = tags;
    store->reading = reading;
}

/* The arena only grows, until a response is rolled back or the store is cleared. `high` remembers how far it ever was,
 * so that the spare end is known to be untouched. */
static void arena_grow(struct cemv_store *store, size_t size)
{
    store->used = (uint16_t)(store->used + size);
    if (store->used > store->high) store->high = store->used;
}

/* Appends bytes; the caller has checked that there is space. */
static uint16_t arena_keep(struct cemv_store *store, cemv_bytes bytes)
{
    const uint16_t offset = store->used;
    cemv_copy_short(store->arena + offset, bytes.data, bytes.size);
    arena_grow(store, bytes.size);
    return offset;
}

/* Results of precomputation are kept at this end of the arena. They are lost as soon as a response needs the space,
 * since a response is always more important. */
uint8_t *cemv_store_spare(struct cemv_store *store, size_t size)
{
    const size_t end = (size_t)CEMV_STORE_ARENA - store->reserved;
    return size <= end - store->high ? store->arena + end - size : NULL;
}

/* For bytes that are hashed or sent later but are not data objects, such as the values of a DOL. */
bool cemv_store_keep(struct cemv_store *store, cemv_bytes bytes, struct cemv_span *span)
{
    if (bytes.size > cemv_store_left(store)) return false;
    *span = (struct cemv_span){ arena_keep(store, bytes), (uint16_t)bytes.size };
    return true;
}

/* The last entry moves to the place of the removed one. */
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

/* The state of a store before a response. */
struct mark {
    uint16_t used;
    uint8_t count;
};

static struct mark mark_of(const struct cemv_store *store)
{
    return (struct mark){ .used = store->used, .count = store->count };
}

/* Removes the entries and bytes of a response. Bytes above `used` may remain, so a wipe clears the whole store. */
static enum cemv_store_error roll_back(struct cemv_store *store, struct mark mark, enum cemv_store_error error)
{
    while (store->count > mark.count) {
        store->count--;
        store->index[store->entry[store->count].slot] = 0;
    }
    store->used = mark.used;
    return error;
}

/* A refused response leaves nothing in the store. By C-8, 4.1.3, however, the objects before the refused one are kept
 * if the whole response can be parsed. */
store_cold static enum cemv_store_error refuse(struct cemv_store *store, struct mark mark, cemv_bytes bytes,
                                               enum cemv_store_error error)
{
    const bool in_turn = (store->reading & CEMV_READING_IDENTICAL_DUPLICATES) != 0 && error != CEMV_STORE_FULL;
    return in_turn && cemv_tlv_check(bytes, NULL) == CEMV_WIRE_OK ? error : roll_back(store, mark, error);
}

static bool length_is_allowed(const struct cemv_tag_row *row, size_t size)
{
    return size >= row->min && (size <= row->max || row->max == LENGTH_UNBOUNDED);
}

/* A tag's row and slot; `row` is NULL for an unknown tag. */
struct found {
    const struct cemv_tag_row *row;
    uint16_t slot;
};

/* Finds the tags of the base table here, the kernel's own with cemv_slot_behind(). */
static inline struct found find(const struct cemv_tags *tags, uint32_t tag)
{
    uint32_t number = 0;
    if (tag <= 0xFF) number = cemv_slots_one[tag];
    else if (tag - 0x9F00 < CEMV_SLOTS_9F) number = cemv_slots_9f[tag - 0x9F00];
    else if (tag - 0x5F00 < CEMV_SLOTS_5F) number = cemv_slots_5f[tag - 0x5F00];
    if (number != 0) return (struct found){ &cemv_base_tags[number - 1], (uint16_t)(number - 1) };
    const uint16_t slot = cemv_slot_behind(tags, tag);
    return (struct found){ slot != CEMV_SLOT_NONE ? cemv_tag_row_at(tags, slot) : NULL, slot };
}

/* ---- terminal, kernel and issuer data ---------------------------------------------------------------------------- */

/* Data are stored one by one or as a list. A later value replaces an earlier one: terminal, combination and transaction
 * are stored in this order, so the most specific value counts. */

/* Replaces an existing value, in place if possible. */
static bool put_again(struct cemv_store *store, uint16_t slot, cemv_bytes value, uint8_t provenance)
{
    struct cemv_store_entry *const entry = &store->entry[store->index[slot] - 1];
    /* Bytes from a card are never overwritten, because they may still have to be hashed. Neither are those that data
     * exchange still has to send. */
    if (entry->provenance >= CEMV_FROM_ISSUER && entry->covered == 0 && value.size <= entry->size) {
        cemv_memmove(store->arena + entry->offset, value.data, value.size);
        entry->size = (uint16_t)value.size;
        entry->provenance = provenance;
        return true;
    }
    if (value.size > cemv_store_left(store)) return false;
    *entry = (struct cemv_store_entry){
        .slot = slot,
        .offset = arena_keep(store, value),
        .size = (uint16_t)value.size,
        .provenance = provenance,
    };
    return true;
}

/* An absent object has no entry, so an empty value and an absent object are one state here. */
bool cemv_store_put(struct cemv_store *store, uint16_t slot, cemv_bytes value, uint8_t provenance)
{
    if (slot >= CEMV_SLOT_END) return false;
    if (value.size == 0) {
        entry_remove(store, slot);
        return true;
    }
    if (store->index[slot] != 0) return put_again(store, slot, value, provenance);
    if (value.size > cemv_store_left(store) || store->count == CEMV_STORE_ENTRIES) return false;

    struct cemv_store_entry *const entry = &store->entry[store->count];
    entry->slot = slot;
    entry->offset = arena_keep(store, value);
    entry->size = (uint16_t)value.size;
    entry->provenance = provenance;
    entry->covered = 0;
    store->index[slot] = ++store->count;
    return true;
}

bool cemv_store_put_tag(struct cemv_store *store, uint32_t tag, cemv_bytes value)
{
    const uint16_t slot = cemv_slot_of(store->tags, tag);
    if (slot == CEMV_SLOT_NONE || cemv_is_cards_alone(cemv_tag_row_at(store->tags, slot))) return true;
    return cemv_store_put(store, slot, value, CEMV_FROM_TERMINAL);
}

bool cemv_store_put_u8(struct cemv_store *store, uint16_t slot, uint8_t value)
{
    return cemv_store_put(store, slot, (cemv_bytes){ .data = &value, .size = 1 }, CEMV_FROM_TERMINAL);
}

/* True if a tag FF81xx begins here, whose FF would otherwise be filler. */
static bool begins_ff81(const struct cemv_tlv_cursor *cursor)
{
    enum { LISTS_END = 7 }; /* FF8106 is the last */
    return cursor->end - cursor->at >= 4 && cursor->at[0] == 0xFF && cursor->at[1] == 0x81 && cursor->at[2] < LISTS_END;
}

/* Reads the length of an object after its three tag bytes: one byte, 81 or 82. Returns false if it is cut off. */
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
    *object = cemv_tlv_at(cursor->at, (size_t)(at - cursor->at), 0xFF8100u | cursor->at[2], length);
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

/* True if the terminal may supply the object, and the object is not meant for another kernel. */
static bool is_terminals(const struct cemv_tag_row *row, size_t size)
{
    return !cemv_is_cards_alone(row) && (size == 0 || length_is_allowed(row, size));
}

/* A terminal configures one list for all its kernels, so objects that this kernel does not know, or knows differently,
 * are normal and skipped. */
enum cemv_store_error cemv_store_put_list(struct cemv_store *store, cemv_bytes list, uint8_t provenance)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(list);
    struct cemv_tlv object;

    while (cemv_list_next(&cursor, &object)) {
        const struct found found = find(store->tags, object.tag);
        if (found.row == NULL) continue;
        if (provenance == CEMV_FROM_ISSUER) {
            if ((found.row->source & CEMV_SOURCE_ISSUER) == 0) continue;
            if (object.value.size != 0 && !length_is_allowed(found.row, object.value.size))
                return CEMV_STORE_BAD_LENGTH;
        } else if (!is_terminals(found.row, object.value.size)) {
            continue;
        }
        if (!cemv_store_put(store, found.slot, object.value, provenance)) return CEMV_STORE_FULL;
    }
    return cursor.error == CEMV_WIRE_OK ? CEMV_STORE_OK : CEMV_STORE_MALFORMED;
}

/* Only a list in which every tag occurs once can be prepared; others are stored one by one, so that the last value
 * counts. */
size_t cemv_store_prepare_list(const struct cemv_tags *tags, cemv_bytes list, struct cemv_store_entry *entries)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(list);
    struct cemv_tlv object;
    size_t count = 0;

    if (list.size > CEMV_STORE_ARENA) return 0;
    while (cemv_list_next(&cursor, &object)) {
        const uint16_t slot = cemv_slot_of(tags, object.tag);
        if (slot == CEMV_SLOT_NONE || !is_terminals(cemv_tag_row_at(tags, slot), object.value.size)) continue;
        if (object.value.size == 0 || count == CEMV_STORE_ENTRIES) return 0;
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

/* The list is copied into the arena as it is, so the prepared offsets only need the position of the copy added. */
bool cemv_store_load_list(struct cemv_store *store, cemv_bytes list, const struct cemv_store_entry *entries,
                          size_t count)
{
    if (list.size > cemv_store_left(store)) return false;
    const uint16_t base = arena_keep(store, list);
    if (base == 0) { /* the store is empty: as prepared */
        cemv_memcpy(store->entry, entries, count * sizeof *entries);
        for (size_t i = 0; i < count; i++) store->index[entries[i].slot] = (uint8_t)(i + 1);
        store->count = (uint8_t)count;
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        uint8_t *const number = &store->index[entries[i].slot];
        if (*number == 0) {
            if (store->count == CEMV_STORE_ENTRIES) return false;
            *number = ++store->count;
        }
        store->entry[*number - 1] = entries[i];
        store->entry[*number - 1].offset = (uint16_t)(entries[i].offset + base);
    }
    return true;
}

/* ---- card data --------------------------------------------------------------------------------------------------- */

/* A response or record is kept as a whole, because signatures cover it byte by byte, and its objects are indexed where
 * they are. The books differ in which objects a card may send, how often, and with which lengths: these rules are bits
 * of `reading`. A card never replaces a value of the terminal. */

/* Handles a datum that the card may not supply. Private class tags are ignored under every rule, and so are tags
 * outside the dictionary, unless the terminal has supplied them (C-8, 4.1.3). */
static enum cemv_store_error refuse_terminal_tag(struct cemv_store *store, uint16_t slot)
{
    const struct cemv_tag_row *const row = cemv_tag_row_at(store->tags, slot);
    const uint32_t first = row->tag >> 8 * (cemv_tag_size(row->tag) - 1);
    const bool is_private = (first & PRIVATE_CLASS) == PRIVATE_CLASS,
               is_unknown = (row->source & CEMV_SOURCE_CONTACT) != 0 && store->index[slot] == 0;

    store->terminal_tag_from_card = true;
    if ((store->reading & CEMV_READING_REFUSE_TERMINAL_TAGS) == 0 || is_private || is_unknown) return CEMV_STORE_OK;
    return CEMV_STORE_TERMINAL_TAG;
}

/* Handles a wrong length. The listed data never end a transaction because of their format (Book 3, 7.5) and count as
 * absent. C-8, 4.1.3 has no such exception. */
static enum cemv_store_error refuse_length(const struct cemv_store *store, uint16_t slot)
{
    if ((store->reading & CEMV_READING_IDENTICAL_DUPLICATES) != 0) return CEMV_STORE_BAD_LENGTH;
    switch (cemv_tag_row_at(store->tags, slot)->tag) {
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

/* Adds an entry. The slot is free, and so is the entry after `count`, which the caller maintains. */
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

/* Applies all rules to a datum of the card. A second occurrence does not change the first, including its coverage. */
store_cold static enum cemv_store_error card_check(struct cemv_store *store, uint16_t slot, cemv_bytes value,
                                                   bool covered)
{
    const struct cemv_tag_row *const row = cemv_tag_row_at(store->tags, slot);
    const bool held = store->index[slot] != 0;
    const bool owned = held && cemv_store_provenance(store, slot) >= CEMV_FROM_ISSUER;

    if (value.size == 0 && (store->reading & CEMV_READING_REFUSE_TERMINAL_TAGS) == 0) return CEMV_STORE_OK;
    if (owned || (row->source & CEMV_SOURCE_CARD) == 0) return refuse_terminal_tag(store, slot);
    if ((store->place & ~(unsigned)row->templates) != 0)
        return CEMV_STORE_OK; /* unknown here, however often it occurs */
    if (value.size == 0)
        return held ? CEMV_STORE_DUPLICATE : CEMV_STORE_OK; /* a value that differs from the first (C-8, 4.1.3) */
    if (!length_is_allowed(row, value.size) && (store->reading & CEMV_READING_ANY_LENGTH) == 0)
        return refuse_length(store, slot);
    if (held) {
        const bool same = cemv_bytes_equal(cemv_store_value(store, slot), value);
        return same && (store->reading & CEMV_READING_IDENTICAL_DUPLICATES) != 0 ? CEMV_STORE_OK : CEMV_STORE_DUPLICATE;
    }
    if (store->count == CEMV_STORE_ENTRIES) return CEMV_STORE_FULL;
    card_keep(store, slot, value, covered, store->count++);
    return CEMV_STORE_OK;
}

/* True for the usual datum, to which no rule applies, so that it can be stored at once. No `min` is 0, so an empty
 * value is never plain. */
static inline bool is_plain(const struct cemv_store *store, struct found found, size_t size, unsigned count)
{
    return size >= found.row->min && size <= found.row->max && (found.row->source & CEMV_SOURCE_CARD) != 0 &&
           store->index[found.slot] == 0 && count != CEMV_STORE_ENTRIES;
}

/* Indexes the tree of objects in `bytes`, which are in the arena, in one pass. `depth` is that of the outermost
 * objects. The end of a child is where its parent continues, so one position is sufficient, and only the ends of the
 * open levels are kept. There is no recursion, so a card cannot exhaust the stack. */
static enum cemv_store_error card_walk(struct cemv_store *store, cemv_bytes bytes, unsigned depth, bool covered)
{
    const uint8_t *at = bytes.data, *end = cemv_bytes_end(bytes);
    const uint8_t *ends[CEMV_TLV_MAX_DEPTH];
    const unsigned outermost = depth;
    unsigned count = store->count; /* in a register: through memory, each object would wait for the one before */
    enum cemv_store_error error = CEMV_STORE_OK;

    for (;;) {
        /* Opened for each object: no error is pending while the walk continues, so the error needs no register. */
        struct cemv_tlv_cursor cursor = { .at = at, .end = end, .error = CEMV_WIRE_OK };
        struct cemv_tlv object;
        const bool any = cemv_tlv_next_inline(&cursor, &object);
        at = cursor.at;
        if (!any) {
            if (cursor.error != CEMV_WIRE_OK) error = CEMV_STORE_MALFORMED;
            if (error != CEMV_STORE_OK || depth == outermost) break;
            end = ends[--depth];
            continue;
        }
        if (!object.constructed) {
            const struct found found = find(store->tags, object.tag);
            if (found.row == NULL) continue; /* ignored: C-3, 5.2.1.3; C-8, 4.1.3 */
            if (is_plain(store, found, object.value.size, count)) {
                card_keep(store, found.slot, object.value, covered, count++);
                continue;
            }
            store->count = (uint8_t)count;
            error = card_check(store, found.slot, object.value, covered);
            count = store->count;
            if (error != CEMV_STORE_OK) break;
            continue;
        }
        if (object.value.size == 0 || (store->reading & CEMV_READING_FLAT) != 0) continue;
        if ((store->reading & CEMV_READING_IDENTICAL_DUPLICATES) == 0 && /* C-8, 4.1.3: all that is primitive */
            (object.tag == CEMV_TAG_61_APPLICATION_TEMPLATE ||
             object.tag == CEMV_TAG_73_DIRECTORY_DISCRETIONARY_TEMPLATE))
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

/* True if `bytes` contain exactly one object with this tag, apart from filler. */
store_cold static bool sole_object_among_filler(cemv_bytes bytes, uint32_t tag, cemv_bytes *value, cemv_bytes *whole)
{
    struct cemv_tlv object;
    if (!cemv_tlv_sole(bytes, &object) || object.tag != tag || !object.constructed) return false;
    *value = object.value;
    *whole = object.whole;
    return true;
}

/* The fast version for the usual case: a template with a one-byte tag that fills all bytes, with a length of one byte,
 * or 81 and one byte. */
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

/* The response is copied first and indexed afterwards, because entries refer to the arena; a refused response is rolled
 * back. */
enum cemv_store_error cemv_store_template(struct cemv_store *store, uint32_t tag, cemv_bytes bytes)
{
    const struct mark mark = mark_of(store);
    cemv_bytes inner = bytes, whole;
    if (tag != 0 && !sole_object(bytes, tag, &inner, &whole)) return CEMV_STORE_MALFORMED;
    if (bytes.size == 0) return CEMV_STORE_OK;
    if (bytes.size > cemv_store_left(store)) return CEMV_STORE_FULL;

    const size_t header = (size_t)(inner.data - bytes.data);
    const uint16_t offset = arena_keep(store, bytes);
    const cemv_bytes value = { .data = store->arena + offset + header, .size = inner.size };
    const enum cemv_store_error error = card_walk(store, value, tag != 0 ? 2 : 1, false);
    return error == CEMV_STORE_OK ? CEMV_STORE_OK : refuse(store, mark, value, error);
}

/* Adds a piece to the signed data. Adjacent pieces are merged: consecutive records usually form a single run. */
static void span_add(struct cemv_store *store, uint16_t at, uint16_t size)
{
    if (size == 0) return;
    if (store->span_count != 0) {
        struct cemv_span *last = &store->span[store->span_count - 1];
        if (last->at + last->size == at) {
            last->size = (uint16_t)(last->size + size);
            return;
        }
    }
    if (store->span_count == CEMV_STORE_SPANS) {
        store->spans_overflowed = true;
        return;
    }
    store->span[store->span_count++] = (struct cemv_span){ at, size };
}

bool cemv_record_has_template(cemv_bytes record)
{
    size_t at = 0;
    while (at != record.size && (record.data[at] == 0x00 || record.data[at] == 0xFF)) at++;
    return at != record.size && record.data[at] == CEMV_TAG_70_RECORD_TEMPLATE;
}

/* Stores a record. Exactly the hashed bytes are kept, so that signed records are adjacent. */
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
    if (before.size + kept.size > cemv_store_left(store)) return CEMV_STORE_FULL;
    const uint16_t first = arena_keep(store, before), offset = arena_keep(store, kept);
    const cemv_bytes value = { .data = store->arena + offset + (inner.data - kept.data), .size = inner.size };
    const enum cemv_store_error error = card_walk(store, value, 2, signed_record);
    if (error != CEMV_STORE_OK) return refuse(store, mark, value, error);
    if (signed_record) span_add(store, first, (uint16_t)(before.size + kept.size));
    return CEMV_STORE_OK;
}

/* Removes objects that do not belong in a record, which the walk has entered after the first `count` entries. */
static void drop_misplaced(struct cemv_store *store, uint8_t count)
{
    const uint8_t end = store->count;
    store->count = count;
    for (uint8_t i = count; i < end; i++) {
        const uint16_t slot = store->entry[i].slot;
        store->index[slot] = 0;
        if ((cemv_tag_row_at(store->tags, slot)->templates & CEMV_TEMPLATE_RECORD) == 0) continue;
        store->entry[store->count++] = store->entry[i];
        store->index[slot] = store->count;
    }
}

/* The walk enters misplaced objects like all others, which keeps it fast; they are removed afterwards. */
enum cemv_store_error cemv_store_record_in_place(struct cemv_store *store, cemv_bytes bytes, bool signed_record,
                                                 bool whole)
{
    const uint8_t count = store->count;
    store->place = CEMV_TEMPLATE_RECORD;
    const enum cemv_store_error error = cemv_store_record(store, bytes, signed_record, whole);
    store->place = 0;
    drop_misplaced(store, count);
    return error;
}

/* Stores the datum as the object that the card might have sent, so that there is one set of rules. An ignored datum
 * leaves no bytes. */
enum cemv_store_error cemv_store_card(struct cemv_store *store, uint16_t slot, cemv_bytes value)
{
    const struct mark mark = mark_of(store);
    if (slot >= CEMV_SLOT_COUNT + store->tags->count) return CEMV_STORE_OK;

    struct cemv_writer writer = cemv_writer_open(store->arena + store->used, cemv_store_left(store));
    cemv_writer_put_tlv(&writer, cemv_tag_row_at(store->tags, slot)->tag, value);
    const cemv_bytes object = cemv_writer_finish(&writer);
    if (object.size == 0) return CEMV_STORE_FULL;
    arena_grow(store, object.size);
    const enum cemv_store_error error = card_walk(store, object, 1, false);
    return store->count != mark.count && error == CEMV_STORE_OK ? CEMV_STORE_OK : roll_back(store, mark, error);
}

/* ---- provenance -------------------------------------------------------------------------------------------------- */

/* The provenance of a value decides how far a kernel may rely on it. A card's value begins as unproven; it becomes
 * proven when the certificate that covers its record is verified, or when it comes out of a verified signature. */
uint8_t cemv_store_provenance(const struct cemv_store *store, uint16_t slot)
{
    const struct cemv_store_entry *entry = cemv_store_find(store, slot);
    return entry != NULL ? entry->provenance : 0;
}

/* The three kinds of card data are adjacent in the order of provenance. */
bool cemv_store_from_card(const struct cemv_store *store, uint16_t slot)
{
    const uint8_t provenance = cemv_store_provenance(store, slot);
    return provenance >= CEMV_FROM_CARD && provenance <= CEMV_FROM_CARD_DYNAMIC;
}

void cemv_store_set_provenance(struct cemv_store *store, uint16_t slot, uint8_t provenance)
{
    if (slot < CEMV_SLOT_END && store->index[slot] != 0) store->entry[store->index[slot] - 1].provenance = provenance;
}

/* A chain cannot have covered data that were not hashed: with too many pieces nothing is marked as proven. */
void cemv_store_vouch_static(struct cemv_store *store)
{
    if (store->spans_overflowed) return;
    for (size_t i = 0; i < store->count; i++) {
        struct cemv_store_entry *entry = &store->entry[i];
        if (entry->covered != 0 && entry->provenance == CEMV_FROM_CARD) entry->provenance = CEMV_FROM_CARD_STATIC;
    }
}

/* The pieces refer to the arena, so the records are hashed where they are. */
size_t cemv_store_signed(const struct cemv_store *store, cemv_bytes pieces[CEMV_STORE_SPANS])
{
    for (size_t i = 0; i < store->span_count; i++) {
        pieces[i] = cemv_span_bytes(store, store->span[i]);
    }
    return store->span_count;
}

/* ---- out of the store -------------------------------------------------------------------------------------------- */

/* The value for a DOL entry, not yet fitted to its length; empty bytes result in zeros. */
static inline cemv_bytes dol_value(const struct cemv_store *store, struct found found, uint32_t tag, bool card_too)
{
    const cemv_bytes none = { .data = NULL, .size = 0 };
    const bool private_to_kernel = found.row->source == CEMV_SOURCE_CONFIGURATION;
    const uint8_t number = store->index[found.slot];
    if (number == 0 || private_to_kernel || cemv_tag_is_constructed(tag)) return none;
    const struct cemv_store_entry *const entry = &store->entry[number - 1];
    if (!card_too && entry->provenance != CEMV_FROM_TERMINAL) return none;
    return (cemv_bytes){ .data = store->arena + entry->offset, .size = entry->size };
}

/* A card may request any object. Unless `card_too` is set it receives only the terminal's data, and data that only
 * configure a kernel are never sent: everything else is zeros (attacks.md, A23). */
bool cemv_store_build_dol(const struct cemv_store *store, cemv_bytes dol, bool card_too, uint8_t *out, size_t capacity,
                          size_t *size)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(dol);
    struct cemv_dol_entry entry;
    size_t written = 0;

    while (cemv_dol_next_inline(&cursor, &entry)) {
        if (entry.length > capacity - written) return false;
        if (entry.length == 0) continue;
        const struct found found = find(store->tags, entry.tag);
        if (found.row == NULL) {
            cemv_zero(out + written, entry.length);
        } else {
            const cemv_bytes value = dol_value(store, found, entry.tag, card_too);
            if (value.size == entry.length) cemv_copy_short(out + written, value.data, value.size);
            else cemv_dol_fit(out + written, entry.length, value, (enum cemv_format)found.row->format);
        }
        written += entry.length;
    }
    if (cursor.error != CEMV_WIRE_OK) return false;
    *size = written;
    return true;
}

void cemv_store_export(const struct cemv_store *store, uint16_t slot, struct cemv_writer *writer)
{
    cemv_store_export_all(store, &slot, 1, writer);
}

/* Objects are written in the order of `slots`, and absent ones are omitted. The loop keeps its position in a register,
 * since every tap ends here. */
void cemv_store_export_all(const struct cemv_store *store, const uint16_t *slots, size_t count,
                           struct cemv_writer *writer)
{
    uint8_t *at = writer->data + writer->size;
    const uint8_t *end = writer->error == CEMV_WIRE_OK ? writer->data + writer->capacity : at;
    for (; count != 0; count--, slots++) {
        const struct cemv_store_entry *const entry = cemv_store_find(store, *slots);
        if (entry == NULL) continue;
        const cemv_bytes value = { .data = store->arena + entry->offset, .size = entry->size };
        const uint32_t tag = cemv_tag_row_at(store->tags, *slots)->tag;
        if (cemv_put_short(&at, (uintptr_t)end - (uintptr_t)at, tag, value)) continue;
        writer->size = (size_t)(at - writer->data);
        cemv_writer_put_tlv(writer, tag, value);
        at = writer->data + writer->size;
        if (writer->error != CEMV_WIRE_OK) end = at;
    }
    writer->size = (size_t)(at - writer->data);
}

bool cemv_store_has_all(const struct cemv_store *store, const uint16_t *slots, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!cemv_store_has(store, slots[i])) return false;
    return true;
}
