/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 8: the card's objects in the tag store by this book's rules (Book C-8 v1.0, 4.1), lists of data objects, and
 * records of the secure channel. Sends nothing. */
#include "k8_memory.h"

static const cemv_bytes nothing = { NULL, 0 };

struct k8_memory *k8_memory_of(const struct cemv_kernel *kernel)
{
    return cemv_kernel_memory((struct cemv_kernel *)(uintptr_t)kernel);
}

/* Values ----------------------------------------------------------------------------------------------------------- */

/* The book distinguishes an absent object from one that is present without a value, which means that somebody has asked
 * to have it filled. The store has no entries without bytes, so a set of bits records the empty objects. If a value
 * does not fit into the store, this is remembered for the reason in the outcome. */

uint16_t k8_word(const struct cemv_kernel *kernel, uint16_t slot)
{
    const cemv_bytes value = cemv_value(kernel, slot);
    return value.size == 2 ? cemv_be16(value.data) : 0;
}

uint64_t k8_bits(const struct cemv_kernel *kernel, uint16_t slot)
{
    return cemv_rules_bits(cemv_value(kernel, slot), 0);
}

uint64_t k8_amount(const struct cemv_kernel *kernel, uint16_t slot)
{
    uint64_t amount = 0;
    (void)cemv_bcd_read(cemv_value(kernel, slot), &amount);
    return amount;
}

void k8_put(struct cemv_kernel *kernel, uint16_t slot, const uint8_t *bytes, size_t size)
{
    if (!cemv_store_put(&kernel->store, slot, (cemv_bytes){ bytes, size }, CEMV_FROM_TERMINAL))
        k8_memory_of(kernel)->store_full = true;
}

void k8_put_tvr(struct cemv_kernel *kernel)
{
    uint8_t tvr[5];
    cemv_rules_bits_put(tvr, k8_memory_of(kernel)->tvr);
    k8_put(kernel, CEMV_SLOT_95, tvr, sizeof tvr);
}

bool k8_keep(struct cemv_kernel *kernel, cemv_bytes bytes, struct cemv_span *span)
{
    if (cemv_store_keep(&kernel->store, bytes, span)) return true;
    k8_memory_of(kernel)->store_full = true;
    span->size = 0;
    return false;
}

/* A value that is stored later ends this state, so the bit need not be cleared. */
void k8_mark_empty(struct cemv_kernel *kernel, uint16_t slot)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    memory->empty[slot / 8] = (uint8_t)(memory->empty[slot / 8] | 1u << slot % 8);
}

bool k8_is_empty(const struct cemv_kernel *kernel, uint16_t slot)
{
    return (k8_memory_of(kernel)->empty[slot / 8] >> slot % 8 & 1) != 0 && !cemv_store_has(&kernel->store, slot);
}

/* The index of the proprietary object with this tag, 1-based; 0 if it is unknown. */
static unsigned own_of(const struct k8_memory *memory, uint32_t tag)
{
    for (unsigned i = 0; i < memory->own_count; i++)
        if (memory->own[i].tag == tag) return i + 1;
    return 0;
}

/* An object without a value is found too, with an empty value: lists and records treat it differently from an absent
 * one. */
bool k8_find(const struct cemv_kernel *kernel, uint32_t tag, cemv_bytes *value)
{
    const struct k8_memory *const memory = k8_memory_of(kernel);
    uint16_t slot;
    *value = nothing;
    if (k8_object_of(kernel->store.tags, tag, &slot) != K8_NOT_KNOWN) {
        *value = cemv_value(kernel, slot);
        return value->size != 0 || k8_is_empty(kernel, slot);
    }
    const unsigned own = own_of(memory, tag);
    if (own == 0) return false;
    *value = cemv_span_bytes(&kernel->store, memory->own[own - 1].span);
    return true;
}

/* The card's objects (4.1.3) --------------------------------------------------------------------------------------- */

/* The card's objects stay where they are in the arena, because the MACs and signatures cover them in that place and
 * order. An object may come twice with equal values, in records and responses of different origin, but never with
 * different ones. An object that belongs to the terminal is refused from a card: otherwise the card could set its own
 * limits. */

/* Adds an entry for a value that is already in the arena. */
static bool enter(struct cemv_kernel *kernel, uint16_t slot, cemv_bytes value, bool is_signed)
{
    struct cemv_store *const store = &kernel->store;
    if (store->count == CEMV_STORE_ENTRIES) {
        k8_memory_of(kernel)->store_full = true;
        return false;
    }
    store->entry[store->count] = (struct cemv_store_entry){ .slot = slot,
                                                            .offset = (uint16_t)(value.data - store->arena),
                                                            .size = (uint16_t)value.size,
                                                            .provenance = CEMV_FROM_CARD,
                                                            .covered = is_signed };
    store->index[slot] = ++store->count;
    return true;
}

void k8_cover(struct cemv_kernel *kernel, uint16_t slot)
{
    kernel->store.entry[kernel->store.index[slot] - 1].covered = true;
}

/* Applies these rules to one object. An unknown proprietary object is ignored. One that is configured without a value
 * is reserved for the card, which may fill it once. */
static bool store_object(struct cemv_kernel *kernel, const struct cemv_tlv *object, bool is_signed)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    uint16_t slot;
    const uint8_t kind = k8_object_of(kernel->store.tags, object->tag, &slot);
    if (kind == K8_NOT_KNOWN) {
        const unsigned own = own_of(memory, object->tag);
        if (own == 0) return true;
        struct cemv_span *const span = &memory->own[own - 1].span;
        if (span->size != 0) return false;
        *span = cemv_span_of(&kernel->store, object->value);
        return true;
    }
    if (kind == K8_NOT_THE_CARDS) {
        kernel->store.terminal_tag_from_card = true;
        return false;
    }
    if (!k8_length_is_allowed(kernel->store.tags, slot, object->value.size)) return false;
    if (cemv_store_has(&kernel->store, slot)) {
        const bool same = cemv_bytes_equal(cemv_value(kernel, slot), object->value);
        if (same && is_signed) k8_cover(kernel, slot);
        return same;
    }
    if (object->value.size != 0) return enter(kernel, slot, object->value, is_signed);
    k8_mark_empty(kernel, slot);
    return true;
}

/* Stores the primitive objects at all depths. */
static uint8_t store_objects(struct cemv_kernel *kernel, struct cemv_span span, bool is_signed)
{
    struct k8_walk walk = k8_walk_open(cemv_span_bytes(&kernel->store, span), false);
    struct cemv_tlv object;
    while (k8_walk_next(&walk, &object))
        if (!object.constructed && !store_object(kernel, &object, is_signed)) return CEMV_L2_PARSING_ERROR;
    return CEMV_L2_OK;
}

static uint8_t parse(cemv_bytes string)
{
    switch (k8_parse(string)) {
    case K8_PARSE_OK: return CEMV_L2_OK;
    case K8_PARSE_LONG_TAG: return CEMV_L2_CARD_DATA_ERROR;
    }
    return CEMV_L2_PARSING_ERROR;
}

/* The string is parsed completely first, so that one that cannot be parsed leaves nothing behind. */
uint8_t k8_store_string(struct cemv_kernel *kernel, cemv_bytes string, bool is_signed, struct cemv_span *kept)
{
    struct cemv_span span;
    const uint8_t l2 = parse(string);
    if (l2 != CEMV_L2_OK) return l2;
    if (!k8_keep(kernel, string, &span)) return CEMV_L2_PARSING_ERROR;
    if (kept != NULL) *kept = span;
    return store_objects(kernel, span, is_signed);
}

/* Records ---------------------------------------------------------------------------------------------------------- */

/* Appends a signed record. One that directly follows the previous one is merged with it, which keeps the number of
 * pieces to hash small. */
static bool add_signed(struct k8_memory *memory, struct cemv_span span)
{
    struct cemv_span *const last = &memory->signed_records[memory->signed_count];
    if (memory->signed_count != 0 && last[-1].at + last[-1].size == span.at) {
        last[-1].size = (uint16_t)(last[-1].size + span.size);
        return true;
    }
    if (memory->signed_count == CEMV_MAX_RECORDS) return false;
    *last = span;
    memory->signed_count++;
    return true;
}

/* Stores a record. Only the value of its single object is kept, so that signed records are adjacent. An enciphered
 * record becomes a plain one first. */
uint8_t k8_store_record(struct cemv_kernel *kernel, cemv_bytes body, bool is_signed)
{
    enum { PLAIN = 0x70, ENCIPHERED = 0xDA };
    struct k8_memory *const memory = k8_memory_of(kernel);
    uint8_t record[K8_STRING_MAX];
    struct cemv_span span;
    struct cemv_tlv object;
    struct k8_walk walk = k8_walk_open(body, true);
    if (body.size == 0 || body.size > sizeof record || (body.data[0] != PLAIN && body.data[0] != ENCIPHERED))
        return CEMV_L2_PARSING_ERROR;
    if (!k8_walk_next(&walk, &object)) return CEMV_L2_PARSING_ERROR;
    cemv_copy(record, body.data, body.size);
    uint8_t *const value = record + (object.value.data - body.data);
    if (body.data[0] == ENCIPHERED) {
        if (memory->channel.card_counter == K8_LAST_CARD_COUNTER) return K8_L2_DECRYPTION_FAILED;
        k8_counter_mode(kernel->checked->crypto->secret, memory->channel.confidentiality, memory->channel.card_counter,
                        value, object.value.size);
        crypto_declassify(value, object.value.size); /* the card's data, which go to the acquirer (C.18) */
        memory->channel.card_counter++;
        record[0] = PLAIN;
    }
    const uint8_t l2 = parse((cemv_bytes){ record, body.size });
    if (l2 != CEMV_L2_OK) return l2;
    if (!k8_keep(kernel, (cemv_bytes){ value, object.value.size }, &span)) return CEMV_L2_PARSING_ERROR;
    if (is_signed && !add_signed(memory, span)) return CEMV_L2_PARSING_ERROR;
    return store_objects(kernel, span, is_signed);
}

/* Lists ------------------------------------------------------------------------------------------------------------ */

/* Lists of tags, and lists of tags with lengths (DOLs). A card may name any object in a DOL; for objects that it must
 * not see it gets zeros of the requested length. */

bool k8_next_tag(cemv_bytes *list, uint32_t *tag, bool *bad)
{
    const uint8_t *at = list->data;
    if (list->size == 0) return false;
    *bad = cemv_tag_read(&at, cemv_bytes_end(*list), tag) != CEMV_WIRE_OK || *tag > 0xFFFFFF;
    if (*bad) return false;
    *list = cemv_bytes_from(*list, (size_t)(at - list->data));
    return true;
}

/* Objects that only configure the kernel are sent to cards in profile `book` only (attacks.md, A23). */
static bool is_private(const struct cemv_kernel *kernel, uint32_t tag)
{
    const struct cemv_tag_row *const row = cemv_tag_find(kernel->store.tags, tag);
    return row != NULL && row->source == CEMV_SOURCE_CONFIGURATION && !cemv_is_book(kernel);
}

/* Values are fitted to the requested lengths by format (Book 3, 5.4). Constructed objects are answered with zeros. */
bool k8_build_list(const struct cemv_kernel *kernel, cemv_bytes dol, uint8_t *out, size_t capacity, size_t *size)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(dol);
    struct cemv_dol_entry entry;
    size_t written = 0;
    while (cemv_dol_next(&cursor, &entry)) {
        const struct cemv_tag_row *const row = cemv_tag_find(kernel->store.tags, entry.tag);
        cemv_bytes value;
        if (entry.tag > 0xFFFFFF || entry.length > capacity - written) return false;
        if (!k8_find(kernel, entry.tag, &value) || cemv_tag_is_constructed(entry.tag) || is_private(kernel, entry.tag))
            value = nothing;
        cemv_dol_fit(out + written, entry.length, value, row != NULL ? (enum cemv_format)row->format : CEMV_FORMAT_B);
        written += entry.length;
    }
    *size = written;
    return cursor.error == CEMV_WIRE_OK;
}
