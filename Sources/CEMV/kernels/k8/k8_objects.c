/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 8: the format of the card's data: the dictionary (Book C-8 v1.0, annex A), strings of data objects (4.1.3),
 * the locator (20.23). Pure functions over bytes; nothing is stored here. */
#include "k8.h"
#include "k8_tags.h"
#include "../../data/data.h"

/* The dictionary --------------------------------------------------------------------------------------------------- */

/* Objects of the base table that this book knows, by slot. For the card's objects the table has their lengths, 255
 * meaning any length, since a string is not longer. The terminal's objects have a maximum of 0. */
#define OF_TERMINAL .min = 1
static const struct {
    uint8_t min, max;
} objects[CEMV_SLOT_COUNT] = {
    [CEMV_SLOT_42] = { 3, 3 },          [CEMV_SLOT_50] = { 0, 16 },         [CEMV_SLOT_57] = { 0, 19 },
    [CEMV_SLOT_5A] = { 0, 10 },         [CEMV_SLOT_82] = { 2, 2 },          [CEMV_SLOT_84] = { 5, 16 },
    [CEMV_SLOT_87] = { 1, 1 },          [CEMV_SLOT_8C] = { 0, 250 },        [CEMV_SLOT_8F] = { 1, 1 },
    [CEMV_SLOT_90] = { 0, 248 },        [CEMV_SLOT_92] = { 0, 255 },        [CEMV_SLOT_94] = { 4, 248 },
    [CEMV_SLOT_5F24] = { 3, 3 },        [CEMV_SLOT_5F2D] = { 2, 8 },        [CEMV_SLOT_5F30] = { 2, 2 },
    [CEMV_SLOT_5F34] = { 1, 1 },        [CEMV_SLOT_9F07] = { 2, 2 },        [CEMV_SLOT_9F0A] = { 0, 255 },
    [CEMV_SLOT_9F0C] = { 3, 4 },        [CEMV_SLOT_9F10] = { 0, 32 },       [CEMV_SLOT_9F11] = { 1, 1 },
    [CEMV_SLOT_9F12] = { 0, 16 },       [CEMV_SLOT_9F1F] = { 0, 54 },       [CEMV_SLOT_9F20] = { 0, 16 },
    [CEMV_SLOT_9F24] = { 29, 29 },      [CEMV_SLOT_9F26] = { 8, 8 },        [CEMV_SLOT_9F27] = { 1, 1 },
    [CEMV_SLOT_9F32] = { 1, 3 },        [CEMV_SLOT_9F36] = { 2, 2 },        [CEMV_SLOT_9F38] = { 0, 240 },
    [CEMV_SLOT_9F42] = { 2, 2 },        [CEMV_SLOT_9F44] = { 1, 1 },        [CEMV_SLOT_9F46] = { 0, 248 },
    [CEMV_SLOT_9F47] = { 1, 3 },        [CEMV_SLOT_9F48] = { 0, 255 },      [CEMV_SLOT_9F4D] = { 2, 2 },
    [CEMV_SLOT_95] = { OF_TERMINAL },   [CEMV_SLOT_9A] = { OF_TERMINAL },   [CEMV_SLOT_9C] = { OF_TERMINAL },
    [CEMV_SLOT_5F2A] = { OF_TERMINAL }, [CEMV_SLOT_5F36] = { OF_TERMINAL }, [CEMV_SLOT_5F57] = { OF_TERMINAL },
    [CEMV_SLOT_9F01] = { OF_TERMINAL }, [CEMV_SLOT_9F02] = { OF_TERMINAL }, [CEMV_SLOT_9F03] = { OF_TERMINAL },
    [CEMV_SLOT_9F06] = { OF_TERMINAL }, [CEMV_SLOT_9F09] = { OF_TERMINAL }, [CEMV_SLOT_9F15] = { OF_TERMINAL },
    [CEMV_SLOT_9F16] = { OF_TERMINAL }, [CEMV_SLOT_9F1A] = { OF_TERMINAL }, [CEMV_SLOT_9F1C] = { OF_TERMINAL },
    [CEMV_SLOT_9F1D] = { OF_TERMINAL }, [CEMV_SLOT_9F1E] = { OF_TERMINAL }, [CEMV_SLOT_9F21] = { OF_TERMINAL },
    [CEMV_SLOT_9F33] = { OF_TERMINAL }, [CEMV_SLOT_9F34] = { OF_TERMINAL }, [CEMV_SLOT_9F35] = { OF_TERMINAL },
    [CEMV_SLOT_9F37] = { OF_TERMINAL }, [CEMV_SLOT_9F40] = { OF_TERMINAL }, [CEMV_SLOT_9F4E] = { OF_TERMINAL },
};

/* Objects of the base table that this book does not know are treated as unknown, even if other kernels use them. */
uint8_t k8_object_of(const struct cemv_tags *tags, uint32_t tag, uint16_t *slot)
{
    *slot = cemv_slot_of(tags, tag);
    if (*slot == CEMV_SLOT_NONE) return K8_NOT_KNOWN;
    if (*slot >= CEMV_SLOT_COUNT)
        return (cemv_tag_row_at(tags, *slot)->source & CEMV_SOURCE_CARD) != 0 ? K8_THE_CARDS : K8_NOT_THE_CARDS;
    if (objects[*slot].max != 0) return K8_THE_CARDS;
    return objects[*slot].min != 0 ? K8_NOT_THE_CARDS : K8_NOT_KNOWN;
}

/* Of this kernel's own objects, those with a range of lengths starting at 1 may also be empty. */
bool k8_length_is_allowed(const struct cemv_tags *tags, uint16_t slot, size_t size)
{
    if (slot < CEMV_SLOT_COUNT) {
        if (slot == CEMV_SLOT_94 && size % 4 != 0) return false;
        if ((slot == CEMV_SLOT_9F32 || slot == CEMV_SLOT_9F47) && size == 2) return false;
        return size >= objects[slot].min && size <= objects[slot].max;
    }
    const struct cemv_tag_row *const row = cemv_tag_row_at(tags, slot);
    return size >= (row->min == 1 && row->max > 1 ? 0u : row->min) && size <= row->max;
}

/* Strings ---------------------------------------------------------------------------------------------------------- */

/* A string of data objects is checked completely, at all depths, before the first object is stored. It has one
 * outermost object, zeros are allowed between objects, and tags may be longer than this engine supports; such objects
 * are skipped. Because of these differences it needs another parser than that of wire/. */

/* Reads the header of the object at `at` and returns its size, 0 if it is malformed. A tag of more than three bytes is
 * returned as 0. */
static size_t read_header(const uint8_t *at, const uint8_t *end, uint32_t *tag, size_t *length)
{
    const size_t left = (size_t)(end - at);
    size_t size = 1, bytes;
    *tag = at[0];
    if ((at[0] & CEMV_TAG_NUMBER_MASK) == CEMV_TAG_NUMBER_MASK) {
        do {
            if (size == left) return 0;
            *tag = *tag << 8 | at[size];
        } while ((at[size++] & CEMV_TAG_MORE_BIT) != 0);
        if (size > 3) *tag = 0;
    }
    if (size == left) return 0;
    *length = at[size++];
    if (*length < CEMV_LENGTH_LONG_BIT) return size;
    bytes = *length & 0x7F;
    if (bytes == 0 || bytes > 4 || bytes > left - size) return 0;
    for (*length = 0; bytes != 0; bytes--) *length = *length << 8 | at[size++];
    return size;
}

static const uint8_t *skip_zeros(const uint8_t *at, const uint8_t *end)
{
    while (at != end && *at == 0) at++;
    return at;
}

/* Every level needs two bytes, so a string of 256 bytes has at most 128 levels. The end of each enclosing level is
 * stored as an offset less one, which fits into a byte; there is no recursion, so a nested string cannot exhaust the
 * stack. */
uint8_t k8_parse(cemv_bytes string)
{
    uint8_t ends[K8_STRING_MAX / 2];
    size_t depth = 0, outermost = 0;
    bool long_tag = false;
    if (string.size == 0 || string.size > K8_STRING_MAX) return K8_PARSE_ERROR;
    const uint8_t *const start = string.data, *at = start, *end = start + string.size;
    for (;;) {
        uint32_t tag;
        size_t length = 0;
        at = skip_zeros(at, end);
        if (at == end) {
            if (depth == 0) break;
            end = start + ends[--depth] + 1;
            continue;
        }
        const size_t header = read_header(at, end, &tag, &length);
        if (header == 0 || length > (size_t)(end - at) - header) return K8_PARSE_ERROR;
        if (depth == 0 && outermost++ != 0) return K8_PARSE_ERROR;
        long_tag = long_tag || tag == 0;
        const bool constructed = (at[0] & CEMV_TAG_CONSTRUCTED_BIT) != 0;
        at += header;
        if (!constructed || length == 0) {
            at += length;
            continue;
        }
        ends[depth++] = (uint8_t)(end - start - 1);
        end = at + length;
    }
    if (outermost == 0) return K8_PARSE_ERROR;
    return long_tag ? K8_PARSE_LONG_TAG : K8_PARSE_OK;
}

/* With `flat` an object is skipped together with its contents; otherwise the walk enters constructed objects. */
struct k8_walk k8_walk_open(cemv_bytes bytes, bool flat)
{
    return (struct k8_walk){ .at = bytes.data, .end = cemv_bytes_end(bytes), .flat = flat };
}

bool k8_walk_next(struct k8_walk *walk, struct cemv_tlv *object)
{
    uint32_t tag;
    size_t length = 0;
    walk->at = skip_zeros(walk->at, walk->end);
    if (walk->at == walk->end) return false;
    const size_t header = read_header(walk->at, walk->end, &tag, &length);
    walk->error = header == 0 || length > (size_t)(walk->end - walk->at) - header;
    if (walk->error) return false;
    *object = cemv_tlv_at(walk->at, header, tag, length);
    walk->at += object->constructed && !walk->flat ? header : header + length;
    return true;
}

/* The locator ------------------------------------------------------------------------------------------------------ */

/* The whole locator is checked before the first record is read: no entry may be invalid (4.7.2). */
bool k8_locator_is_sound(cemv_bytes locator)
{
    enum { LAST_SFI = 30 };
    for (size_t at = 0; at + 4 <= locator.size; at += 4) {
        const uint8_t *const entry = locator.data + at;
        const uint8_t sfi = entry[0] >> 3;
        if (sfi == 0 || sfi > LAST_SFI || entry[1] == 0 || entry[2] < entry[1]) return false;
        if (entry[3] > entry[2] - entry[1] + 1) return false;
    }
    return true;
}

/* Entries of SFI 11 to 30 are skipped without an error (20.23). */
size_t k8_active_locator(cemv_bytes locator, uint8_t out[248])
{
    size_t size = 0;
    for (size_t at = 0; at + 4 <= locator.size; at += 4) {
        if (locator.data[at] >> 3 > CEMV_LAST_EMV_SFI) continue;
        cemv_copy(out + size, locator.data + at, 4);
        size += 4;
    }
    return size;
}
