/* SPDX-License-Identifier: Apache-2.0 */
/* Stores the card's responses (Book C-7 v2.9.1, 4.1.4.3 and 4.2.4). In this book any object that occurs twice in a tap
 * ends it, even an unknown one. The store rejects a second value of an object that it indexes; objects that it does not
 * index, and empty ones, are compared here with all earlier ones. This file knows no command and decides nothing about
 * the transaction. */
#include "k7_responses.h"

enum { WITH_TEMPLATE = 0x8000 };
_Static_assert(CEMV_STORE_ARENA < WITH_TEMPLATE, "an offset leaves a bit");

/* The objects of a response: the bytes up to the next response or, if they were stored with their template, the
 * contents of that template. */
static cemv_bytes objects_of(const struct k7_responses *responses, const struct cemv_store *store, size_t number)
{
    const size_t at = responses->at[number] & ~(size_t)WITH_TEMPLATE;
    const size_t end = number + 1u < responses->count ? responses->at[number + 1u] & ~(size_t)WITH_TEMPLATE
                                                      : store->used;
    const cemv_bytes kept = { store->arena + at, end - at };
    struct cemv_tlv_cursor cursor = cemv_tlv_open(kept);
    struct cemv_tlv template;
    if ((responses->at[number] & WITH_TEMPLATE) == 0) return kept;
    return cemv_tlv_next(&cursor, &template) ? template.value : kept;
}

/* True if the tag of `object` occurred before it in any response. The loop is bounded by the arena, which holds no more
 * objects than it has bytes. */
static bool came_before(const struct k7_responses *responses, const struct cemv_store *store,
                        const struct cemv_tlv *object)
{
    for (size_t i = 0; i < responses->count; i++) {
        struct cemv_tlv_cursor cursor = cemv_tlv_open(objects_of(responses, store, i));
        struct cemv_tlv earlier;
        while (cemv_tlv_next(&cursor, &earlier) && earlier.whole.data != object->whole.data)
            if (earlier.tag == object->tag) return true;
    }
    return false;
}

/* True for an object that the card may supply, and for an unknown one. Objects that belong to the terminal or the
 * issuer are ignored in a card's response (Book 3, 7.5), so they cannot be repetitions. */
static bool is_cards(const struct cemv_store *store, const struct cemv_tlv *object, bool *known)
{
    const uint16_t slot = cemv_slot_of(store->tags, object->tag);
    *known = slot != CEMV_SLOT_NONE;
    return !*known || (cemv_tag_row_at(store->tags, slot)->source & CEMV_SOURCE_CARD) != 0;
}

/* 4.2.4.4 and its note, for the response that was stored last. The search through all earlier responses is slow, so it
 * runs only for objects that the store has not checked itself. */
static bool is_repeated(struct k7_responses *responses, const struct cemv_store *store)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(objects_of(responses, store, responses->count - 1u));
    struct cemv_tlv object;
    bool known;
    while (cemv_tlv_next(&cursor, &object)) {
        if (object.tag == CEMV_TAG_94_APPLICATION_FILE_LOCATOR) responses->locator = true;
        if (object.tag == CEMV_TAG_5F24_APPLICATION_EXPIRATION_DATE && object.value.size == 0)
            responses->expiry_broken = true;
        if (!is_cards(store, &object, &known)) continue;
        const bool indexed = known && !object.constructed && object.value.size != 0;
        if (known && !indexed) responses->unindexed = true;
        if ((!indexed || responses->unindexed) && came_before(responses, store, &object)) return true;
    }
    return false;
}

/* Checks the lengths of the objects that the kernel uses against the dictionary. All other objects are stored without a
 * check (4.1.4.3, 4.2.4.3). */
static bool lengths_are_right(const struct cemv_store *store)
{
    static const struct {
        uint16_t slot;
        uint8_t min, max;
    } used[] = { { CEMV_SLOT_82, 2, 2 },   { CEMV_SLOT_9F36, 2, 2 }, { CEMV_SLOT_9F26, 8, 8 },
                 { CEMV_SLOT_9F27, 1, 1 }, { K7_SLOT_9F6C, 2, 2 },   { CEMV_SLOT_9F10, 1, 32 },
                 { CEMV_SLOT_57, 1, 19 },  { CEMV_SLOT_5A, 1, 10 },  { CEMV_SLOT_5F34, 1, 1 } };
    for (size_t i = 0; i < sizeof used / sizeof used[0]; i++) {
        const struct cemv_store_entry *entry = cemv_store_find(store, used[i].slot);
        if (entry != NULL && (entry->size < used[i].min || entry->size > used[i].max)) return false;
    }
    return true;
}

/* Common to both kinds of responses: remembers the position, then checks repetitions, expiry date and lengths. */
static enum cemv_store_error check(struct k7_responses *responses, const struct cemv_store *store, size_t at,
                                   bool with_template)
{
    uint32_t day;
    responses->at[responses->count++] = (uint16_t)(at | (with_template ? WITH_TEMPLATE : 0u));
    if (is_repeated(responses, store)) return CEMV_STORE_DUPLICATE;
    const cemv_bytes expiry = cemv_store_value(store, CEMV_SLOT_5F24);
    if (expiry.size != 0 && !cemv_date_read(expiry, &day)) responses->expiry_broken = true;
    return responses->expiry_broken || !lengths_are_right(store) ? CEMV_STORE_BAD_LENGTH : CEMV_STORE_OK;
}

enum cemv_store_error k7_keep_gpo(struct k7_responses *responses, struct cemv_store *store, cemv_bytes body)
{
    const size_t at = store->used;
    const enum cemv_store_error error = cemv_store_template(store, CEMV_TAG_77_RESPONSE_FORMAT_2, body);
    return error == CEMV_STORE_OK ? check(responses, store, at, true) : error;
}

enum cemv_store_error k7_keep_record(struct k7_responses *responses, struct cemv_store *store, cemv_bytes body,
                                     bool is_signed, bool proprietary)
{
    const size_t at = store->used;
    if (responses->count == sizeof responses->at / sizeof responses->at[0]) return CEMV_STORE_FULL;
    const enum cemv_store_error error = cemv_store_record(store, body, is_signed, proprietary);
    return error == CEMV_STORE_OK ? check(responses, store, at, is_signed && proprietary) : error;
}
