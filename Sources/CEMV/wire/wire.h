/* The wire room: bytes in and out. Nothing here knows what a tag means.
 *
 * Where a fault is: `at` of a cursor stands on the first byte of the field at fault. For a tag error that is the tag, for a
 * length error the length, for TRUNCATED_VALUE the value, and for TOO_DEEP the value that would need one level more. */
#ifndef CEMV_WIRE_H
#define CEMV_WIRE_H

#include "../include/cemv_tlv.h"

enum {
    CEMV_TAG_SIZE_MAX = 4,
    CEMV_TAG_CONSTRUCTED_BIT = 0x20,  /* first tag byte, bit 6 */
    CEMV_TAG_NUMBER_MASK = 0x1F,      /* first tag byte, bits 5-1; all set: more tag bytes follow */
    CEMV_TAG_MORE_BIT = 0x80,         /* further tag bytes, bit 8: another one follows */
    CEMV_LENGTH_LONG_BIT = 0x80,      /* first length byte, bit 8: the rest counts the bytes that follow */
};

/* ---- plain bytes; a NULL pointer is fine where the size is 0 ---- */

/* The two ranges do not overlap. */
static inline void cemv_copy(void *out, const void *from, size_t size)
{
    if (size != 0) __builtin_memcpy(out, from, size);
}

static inline void cemv_zero(void *out, size_t size)
{
    if (size != 0) __builtin_memset(out, 0, size);
}

/* Not in constant time: for public bytes only. */
static inline bool cemv_bytes_equal(cemv_bytes a, cemv_bytes b)
{
    return a.size == b.size && (a.size == 0 || __builtin_memcmp(a.data, b.data, a.size) == 0);
}

static inline uint16_t cemv_be16(const uint8_t *at)
{
    return (uint16_t)((uint32_t)at[0] << 8 | at[1]);
}

static inline void cemv_put_be16(uint8_t *out, uint16_t number)
{
    out[0] = (uint8_t)(number >> 8);
    out[1] = (uint8_t)number;
}

/* One past the last byte, without arithmetic on NULL. */
static inline const uint8_t *cemv_bytes_end(cemv_bytes bytes)
{
    return bytes.size != 0 ? bytes.data + bytes.size : bytes.data;
}

/* ---- tags and lengths ---- */

/* Reads one tag; `*at` moves past it only on success. Also the step of a walk over a plain list of tags. */
enum cemv_wire_error cemv_tag_read(const uint8_t **at, const uint8_t *end, uint32_t *tag);

/* Writes cemv_tag_size(tag) bytes and returns how many. */
size_t cemv_tag_write(uint8_t *out, uint32_t tag);

/* ---- the cursor ---- */

static inline struct cemv_tlv_cursor cemv_tlv_open_inline(cemv_bytes bytes)
{
    return (struct cemv_tlv_cursor){ .at = bytes.data, .end = cemv_bytes_end(bytes), .error = CEMV_WIRE_OK };
}

/* As cemv_tlv_next: fillers, every form and every error. An error also draws `end` in to `at`: nothing is left to read. */
bool cemv_tlv_next_any(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object);

/* The same through copies: the address of neither argument leaves the caller, so both can live in its registers. */
static inline bool cemv_tlv_next_slow(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object)
{
    struct cemv_tlv_cursor moved = *cursor;
    struct cemv_tlv found;
    const bool any = cemv_tlv_next_any(&moved, &found);
    *cursor = moved;
    if (any) *object = found;
    return any;
}

/* Tags of one or two bytes with a length of one byte: nearly all there are. False, and nothing done, for all others. */
static inline bool cemv_tlv_next_fast(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object)
{
    const uint8_t *const at = cursor->at;
    const uint8_t *const end = cursor->end;

    /* Three bytes hold the header of either form. By number, because NULL has no distance, not even to itself. */
    if ((uintptr_t)end - (uintptr_t)at < 3) return false;

    const uint32_t first = at[0];
    if (first == 0x00 || first == 0xFF) return false;   /* filler */

    uint32_t tag = first;
    size_t length = at[1];
    const uint8_t *value = at + 2;
    if ((first & CEMV_TAG_NUMBER_MASK) == CEMV_TAG_NUMBER_MASK) {
        if (length >= CEMV_TAG_MORE_BIT) return false;
        tag = cemv_be16(at);
        length = at[2];
        value = at + 3;
    }
    if (length >= CEMV_LENGTH_LONG_BIT || length > (size_t)(end - value)) return false;

    const uint8_t *const next = value + length;
    object->tag = tag;
    object->constructed = (first & CEMV_TAG_CONSTRUCTED_BIT) != 0;
    object->value.data = value;
    object->value.size = length;
    object->whole.data = at;
    object->whole.size = (size_t)(next - at);
    cursor->at = next;
    return true;
}

/* As cemv_tlv_next. */
static inline bool cemv_tlv_next_inline(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object)
{
    if (cemv_tlv_next_fast(cursor, object)) return true;
    return cursor->at != cursor->end && cemv_tlv_next_slow(cursor, object);
}

/* As cemv_tlv_find. */
static inline bool cemv_tlv_find_inline(cemv_bytes bytes, uint32_t tag, struct cemv_tlv *object)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(bytes);
    struct cemv_tlv sibling;
    while (cemv_tlv_next_inline(&cursor, &sibling)) {
        if (sibling.tag == tag) {
            *object = sibling;
            return true;
        }
    }
    return false;
}

#endif
