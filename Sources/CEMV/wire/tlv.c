/* SPDX-License-Identifier: Apache-2.0 */
/* Parses BER-TLV (EMV Book 3, Annex B): a cursor without recursion, with a depth limit.
 *
 * All of these bytes may be chosen by a hostile card. The cursor only moves forward, each length is compared with the
 * remaining bytes before anything is read, and no function calls itself, so that time and stack depend only on the
 * number of bytes. The contracts in the comments are proven (Proofs). Reads no byte outside its input; knows no tag's
 * meaning. */
#include "wire.h"

/* A valid tag is one byte whose number is not all ones, or a first byte whose number is all ones, with bit 8 set in all
 * further bytes except the last. */
bool cemv_tag_is_valid(uint32_t tag)
{
    const bool one = tag <= 0xFF;
    const uint32_t first = tag >> 8 * (cemv_tag_size_inline(tag) - 1);
    const bool open_ended = (first & CEMV_TAG_NUMBER_MASK) == CEMV_TAG_NUMBER_MASK;
    if (one) return tag != 0 && !open_ended;
    if (!open_ended) return false;
    if (tag <= 0xFFFF) return (tag & 0x80u) == 0;
    return tag <= 0xFFFFFF ? (tag & 0x8080u) == 0x8000u : (tag & 0x808080u) == 0x808000u;
}

size_t cemv_tag_size(uint32_t tag) { return cemv_tag_size_inline(tag); }

bool cemv_tag_is_constructed(uint32_t tag)
{
    return (tag >> 8 * (cemv_tag_size_inline(tag) - 1) & CEMV_TAG_CONSTRUCTED_BIT) != 0;
}

/* Reads up to four bytes, since no EMV tag is longer. */
enum cemv_wire_error cemv_tag_read(const uint8_t **at, const uint8_t *end, uint32_t *tag)
{
    const uint8_t *next = *at;
    if (next == end) return CEMV_WIRE_TRUNCATED_TAG;

    uint32_t number = *next++;
    if ((number & CEMV_TAG_NUMBER_MASK) == CEMV_TAG_NUMBER_MASK) {
        size_t size = 1;
        do {
            if (size == CEMV_TAG_SIZE_MAX) return CEMV_WIRE_LONG_TAG;
            if (next == end) return CEMV_WIRE_TRUNCATED_TAG;
            number = number << 8 | *next++;
            size++;
        } while ((number & CEMV_TAG_MORE_BIT) != 0);
    }
    *tag = number;
    *at = next;
    return CEMV_WIRE_OK;
}

/* Reads one length of up to four bytes after its first; `*at` moves past it only on success. The indefinite form is an
 * error, since EMV does not use it. A length need not be in its shortest form. */
static enum cemv_wire_error length_read(const uint8_t **at, const uint8_t *end, uint32_t *length)
{
    const uint8_t *next = *at;
    if (next == end) return CEMV_WIRE_TRUNCATED_LENGTH;

    uint32_t number = *next++;
    if (number >= CEMV_LENGTH_LONG_BIT) {
        size_t count = number & ~(uint32_t)CEMV_LENGTH_LONG_BIT;
        if (count == 0) return CEMV_WIRE_INDEFINITE_LENGTH;
        if (count > 4) return CEMV_WIRE_LONG_LENGTH;
        if (count > (size_t)(end - next)) return CEMV_WIRE_TRUNCATED_LENGTH;
        for (number = 0; count > 0; count--) number = number << 8 | *next++;
    }
    *length = number;
    *at = next;
    return CEMV_WIRE_OK;
}

/* The value must be complete before the object is returned: a caller never sees a value that ends outside the input. */
static enum cemv_wire_error object_read(const uint8_t **at, const uint8_t *end, struct cemv_tlv *object)
{
    const uint8_t *const first = *at;
    uint32_t tag;
    uint32_t length;

    enum cemv_wire_error error = cemv_tag_read(at, end, &tag);
    if (error == CEMV_WIRE_OK) error = length_read(at, end, &length);
    if (error != CEMV_WIRE_OK) return error;
    if (length > (size_t)(end - *at)) return CEMV_WIRE_TRUNCATED_VALUE;

    object->tag = tag;
    object->constructed = (*first & CEMV_TAG_CONSTRUCTED_BIT) != 0;
    object->value = (cemv_bytes){ .data = *at, .size = length };
    *at += length;
    object->whole = (cemv_bytes){ .data = first, .size = (size_t)(*at - first) };
    return CEMV_WIRE_OK;
}

/* 00 and FF between objects are filler (Annex B1). */
bool cemv_tlv_next_other(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object)
{
    const uint8_t *at = cursor->at;
    /*@ loop invariant \base_addr(at) == \base_addr(cursor->end) && cursor->at <= at <= cursor->end;
        loop assigns at;
        loop variant cursor->end - at; */
    while (at != cursor->end && (*at == 0x00 || *at == 0xFF)) at++;

    bool found = false;
    if (at != cursor->end && cursor->error == CEMV_WIRE_OK) {
        cursor->error = object_read(&at, cursor->end, object);
        found = cursor->error == CEMV_WIRE_OK;
        if (!found) cursor->end = at;
    }
    cursor->at = at;
    return found;
}

struct cemv_tlv_cursor cemv_tlv_open(cemv_bytes bytes) { return cemv_tlv_open_inline(bytes); }

bool cemv_tlv_next(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object)
{
    return cemv_tlv_next_short(cursor, object) || cemv_tlv_next_other(cursor, object);
}

/* Stops at the first sibling with this tag, so errors after it are not noticed; cemv_tlv_find_in_list() notices
 * them. */
bool cemv_tlv_find(cemv_bytes bytes, uint32_t tag, struct cemv_tlv *object)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(bytes);
    struct cemv_tlv sibling;
    bool found = false;
    while (!found && cemv_tlv_next_inline(&cursor, &sibling)) found = sibling.tag == tag;
    if (found) *object = sibling;
    return found;
}

/* Bytes after the object are an error, because different parsers could read them differently. */
bool cemv_tlv_sole(cemv_bytes bytes, struct cemv_tlv *object)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(bytes);
    struct cemv_tlv other;
    return cemv_tlv_next(&cursor, object) && !cemv_tlv_next(&cursor, &other) && cursor.error == CEMV_WIRE_OK;
}

bool cemv_tlv_sole_of(cemv_bytes bytes, uint32_t tag, cemv_bytes *value)
{
    struct cemv_tlv object;
    if (!cemv_tlv_sole(bytes, &object) || object.tag != tag) return false;
    *value = object.value;
    return true;
}

/* Used before a list is acted on, so that its first half is never used while its second half is malformed. */
bool cemv_tlv_is_list(cemv_bytes bytes)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(bytes);
    struct cemv_tlv object;
    while (cemv_tlv_next_inline(&cursor, &object)) {
    }
    return cursor.error == CEMV_WIRE_OK;
}

/* One pass, which continues after the object was found, so that an error anywhere in the list is detected. */
bool cemv_tlv_find_in_list(cemv_bytes bytes, uint32_t tag, struct cemv_tlv *object)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(bytes);
    struct cemv_tlv sibling;
    bool found = false;
    while (cemv_tlv_next_inline(&cursor, &sibling)) {
        if (sibling.tag != tag || found) continue;
        *object = sibling;
        found = true;
    }
    return found && cursor.error == CEMV_WIRE_OK;
}

struct cemv_tlv_walk cemv_tlv_walk_open(cemv_bytes bytes)
{
    return (struct cemv_tlv_walk){ .level = { cemv_tlv_open_inline(bytes) }, .depth = 1, .error = CEMV_WIRE_OK };
}

/* The walk keeps one cursor for each open level, in a fixed array: deeper input is an error, not a longer stack. */
bool cemv_tlv_walk_next(struct cemv_tlv_walk *walk, struct cemv_tlv *object, uint8_t *depth)
{
    struct cemv_tlv_cursor *cursor = &walk->level[walk->depth - 1];

    if (walk->error != CEMV_WIRE_OK) return false;
    while (!cemv_tlv_next(cursor, object)) {
        walk->error = cursor->error;
        if (walk->error != CEMV_WIRE_OK || walk->depth == 1) return false;
        walk->depth--;
        cursor--;
    }

    *depth = walk->depth;
    if (object->constructed && object->value.size != 0) {
        if (walk->depth == CEMV_TLV_MAX_DEPTH) {
            cursor->at = cursor->end = object->value.data;
            cursor->error = walk->error = CEMV_WIRE_TOO_DEEP;
            return false;
        }
        walk->level[walk->depth] = cemv_tlv_open_inline(object->value);
        walk->depth++;
    }
    return true;
}

/* One cursor is sufficient: the next sibling begins where the children of an object end. */
enum cemv_wire_error cemv_tlv_check(cemv_bytes bytes, size_t *at)
{
    const uint8_t *parent_end[CEMV_TLV_MAX_DEPTH];
    size_t depth = 0;
    struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(bytes);
    struct cemv_tlv object;

    while (cursor.error == CEMV_WIRE_OK) {
        if (cemv_tlv_next_inline(&cursor, &object)) {
            if (!object.constructed || object.value.size == 0) continue;
            parent_end[depth++] = cursor.end;
            cursor.at = object.value.data;
            cursor.end = cemv_bytes_end(object.value);
            if (depth == CEMV_TLV_MAX_DEPTH) cursor.error = CEMV_WIRE_TOO_DEEP;
        } else if (cursor.error == CEMV_WIRE_OK) {
            if (depth == 0) break;
            cursor.end = parent_end[--depth];
        }
    }
    if (at != NULL && cursor.error != CEMV_WIRE_OK) *at = (size_t)(cursor.at - bytes.data);
    return cursor.error;
}
