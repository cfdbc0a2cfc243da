/* SPDX-License-Identifier: Apache-2.0 */
/* The module wire/: parses and writes bytes. Nothing here knows the meaning of a tag.
 *
 * The position of an error: `at` of a cursor is the first byte of the wrong field. For a tag error that is the tag, for
 * a length error the length, for TRUNCATED_VALUE the value, and for TOO_DEEP the value that would need one more
 * level. */
#ifndef CEMV_WIRE_H
#define CEMV_WIRE_H

#include "../compiler/compiler.h"
#include "../include/cemv_tlv.h"

enum {
    CEMV_TAG_SIZE_MAX = 4,
    CEMV_TAG_CONSTRUCTED_BIT = 0x20, /* first tag byte, bit 6 */
    CEMV_TAG_NUMBER_MASK = 0x1F,     /* first tag byte, bits 5-1; all set: more tag bytes follow */
    CEMV_TAG_MORE_BIT = 0x80,        /* further tag bytes, bit 8: another one follows */
    CEMV_LENGTH_LONG_BIT = 0x80,     /* first length byte, bit 8: the other bits count the following bytes */
};

enum { CEMV_SW_OK = 0x9000 }; /* the status word of a successful response */

/* ---- plain bytes; a NULL pointer is allowed if the size is 0 ----------------------------------------------------- */

/* The two ranges must not overlap. */
static inline void cemv_copy(void *out, const void *from, size_t size)
{
    if (size != 0) cemv_memcpy(out, from, size);
}

/* Like cemv_copy(), but fast for the few bytes of most values: no call for up to 16 of them. */
static inline void cemv_copy_short(uint8_t *out, const uint8_t *from, size_t size)
{
    if (size > 16) {
        cemv_memcpy(out, from, size);
    } else if (size >= 8) {
        uint64_t head, tail;
        cemv_memcpy(&head, from, 8);
        cemv_memcpy(&tail, from + size - 8, 8);
        cemv_memcpy(out, &head, 8);
        cemv_memcpy(out + size - 8, &tail, 8);
    } else if (size >= 4) {
        uint32_t head, tail;
        cemv_memcpy(&head, from, 4);
        cemv_memcpy(&tail, from + size - 4, 4);
        cemv_memcpy(out, &head, 4);
        cemv_memcpy(out + size - 4, &tail, 4);
    } else if (size != 0) {
        const uint8_t middle = from[size / 2], last = from[size - 1];
        out[0] = from[0];
        out[size / 2] = middle;
        out[size - 1] = last;
    }
}

static inline void cemv_zero(void *out, size_t size)
{
    if (size != 0) cemv_memset(out, 0, size);
}

/* Not in constant time: only for public bytes. */
static inline bool cemv_bytes_equal(cemv_bytes a, cemv_bytes b)
{
    return a.size == b.size && (a.size == 0 || cemv_memcmp(a.data, b.data, a.size) == 0);
}

static inline uint16_t cemv_be16(const uint8_t *at) { return (uint16_t)((uint32_t)at[0] << 8 | at[1]); }
uint32_t cemv_be32(const uint8_t *at);
/* A number with that many decimal digits, at most 9, all equally likely, from four random bytes. Returns false if these
 * bytes are beyond the last whole run of such numbers; then others are needed. */
bool cemv_number_of_digits(uint32_t random, uint8_t digits, uint32_t *number);

static inline void cemv_put_be16(uint8_t *out, uint16_t number)
{
    out[0] = (uint8_t)(number >> 8);
    out[1] = (uint8_t)number;
}

/* True if both halves of a byte are decimal digits. */
static inline bool cemv_is_digit_pair(uint8_t byte) { return byte < 0xA0 && (byte & 0x0F) < 0x0A; }

/* Half a byte; 0 is the high half of the first one. */
static inline uint8_t cemv_nibble(const uint8_t *data, size_t index)
{
    return index % 2 == 0 ? data[index / 2] >> 4 : data[index / 2] & 0x0F;
}

static inline void cemv_nibble_put(uint8_t *data, size_t index, uint8_t nibble)
{
    uint8_t *const at = &data[index / 2];
    *at = index % 2 == 0 ? (uint8_t)(nibble << 4 | (*at & 0x0F)) : (uint8_t)((*at & 0xF0) | nibble);
}

/* The index of the first nibble from `at` on that is not a decimal digit; at most `end`. */
size_t cemv_digits_end(const uint8_t *data, size_t at, size_t end);

/* One past the last byte, without arithmetic on NULL. */
static inline const uint8_t *cemv_bytes_end(cemv_bytes bytes)
{
    return bytes.size != 0 ? bytes.data + bytes.size : bytes.data;
}

/* The bytes from `from` to the end; empty if there are no such bytes. */
static inline cemv_bytes cemv_bytes_from(cemv_bytes bytes, size_t from)
{
    cemv_bytes none = { NULL, 0 };
    if (from >= bytes.size) return none;
    return (cemv_bytes){ bytes.data + from, bytes.size - from };
}

/* `size` bytes at `from`, which must be inside. */
static inline cemv_bytes cemv_bytes_part(cemv_bytes bytes, size_t from, size_t size)
{
    return (cemv_bytes){ bytes.data + from, size };
}

/* ---- tags and lengths -------------------------------------------------------------------------------------------- */

/* cemv_tag_size() for inlining. */
static inline size_t cemv_tag_size_inline(uint32_t tag)
{
    return 1u + (tag > 0xFFu) + (tag > 0xFFFFu) + (tag > 0xFFFFFFu);
}

/* Reads one tag; `*at` moves past it only on success. Also used to read a plain list of tags. */
enum cemv_wire_error cemv_tag_read(const uint8_t **at, const uint8_t *end, uint32_t *tag);

/* Writes cemv_tag_size(tag) bytes and returns their number. */
size_t cemv_tag_write(uint8_t *out, uint32_t tag);

/* ---- the writer -------------------------------------------------------------------------------------------------- */

/* Writes a short value with a tag of one or two bytes at `*out`, which then points to the byte after it; `tag` must be
 * valid. Returns false, and writes nothing, for all other objects and if `room` bytes are not enough. */
static inline bool cemv_put_short(uint8_t **out, size_t room, uint32_t tag, cemv_bytes value)
{
    if (tag > 0xFFFF || value.size >= CEMV_LENGTH_LONG_BIT || value.size + 3 > room) return false;

    uint8_t *at = *out;
    if (tag > 0xFF) *at++ = (uint8_t)(tag >> 8);
    *at++ = (uint8_t)tag;
    *at++ = (uint8_t)value.size;
    cemv_copy_short(at, value.data, value.size);
    *out = at + value.size;
    return true;
}

/* ---- data object lists ------------------------------------------------------------------------------------------- */

/* True if an entry of the list requests `tag`, with this length unless it is 0. */
bool cemv_dol_asks(cemv_bytes dol, uint32_t tag, uint8_t length);

/* cemv_dol_next() for inlining. */
static inline bool cemv_dol_next_inline(struct cemv_dol_cursor *cursor, struct cemv_dol_entry *entry)
{
    const uint8_t *const at = cursor->at;
    const size_t left = (uintptr_t)cursor->end - (uintptr_t)at;
    if (left >= 3 && cursor->error == CEMV_WIRE_OK) {
        const bool one = (at[0] & CEMV_TAG_NUMBER_MASK) != CEMV_TAG_NUMBER_MASK;
        if (one || at[1] < CEMV_TAG_MORE_BIT) {
            entry->tag = one ? at[0] : cemv_be16(at);
            entry->length = one ? at[1] : at[2];
            cursor->at = at + (one ? 2 : 3);
            return true;
        }
    }
    return cemv_dol_next(cursor, entry);
}

/* ---- the cursor ----
 *
 * cemv_tlv_next() is the public function, cemv_tlv_next_inline() the one for the loops of a tap. Both use
 * cemv_tlv_next_short() for the usual objects and cemv_tlv_next_other() for the rest. */

static inline struct cemv_tlv_cursor cemv_tlv_open_inline(cemv_bytes bytes)
{
    return (struct cemv_tlv_cursor){ .at = bytes.data, .end = cemv_bytes_end(bytes), .error = CEMV_WIRE_OK };
}

/* Reads every form of object, after fillers, and detects every error. An error also moves `end` to `at`, so that no
 * bytes are left to read. */
bool cemv_tlv_next_other(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object);

/* The object at `at`, whose tag and length have `header` bytes. */
static inline struct cemv_tlv cemv_tlv_at(const uint8_t *at, size_t header, uint32_t tag, size_t length)
{
    return (struct cemv_tlv){
        .tag = tag,
        .constructed = (at[0] & CEMV_TAG_CONSTRUCTED_BIT) != 0,
        .value = { at + header, length },
        .whole = { at, header + length },
    };
}

/* Reads an object with a tag of one or two bytes and a length of one byte, as nearly all objects have. Returns false,
 * and does nothing, for all others. Each of the two forms has its own few tests, because a tap spends most of its time
 * here, apart from certificates. */
static inline bool cemv_tlv_next_short(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object)
{
    const uint8_t *const at = cursor->at;
    /* Three bytes contain the header of either form. Compared as numbers, because the distance of NULL pointers is
     * undefined. */
    const size_t left = (uintptr_t)cursor->end - (uintptr_t)at;
    _Static_assert(CEMV_TAG_MORE_BIT == CEMV_LENGTH_LONG_BIT, "one test serves both");
    if (left < 3) return false;

    const uint32_t first = at[0];
    if ((first & CEMV_TAG_NUMBER_MASK) == CEMV_TAG_NUMBER_MASK) {
        const uint32_t tag = cemv_be16(at);
        const size_t length = at[2];
        if (((tag | length) & CEMV_TAG_MORE_BIT) != 0 || tag >= 0xFF00 /* filler */ || length + 3 > left) return false;
        *object = cemv_tlv_at(at, 3, tag, length);
        cursor->at = at + 3 + length;
    } else {
        const size_t length = at[1];
        if (length >= CEMV_LENGTH_LONG_BIT || first == 0x00 /* filler */ || length + 2 > left) return false;
        *object = cemv_tlv_at(at, 2, first, length);
        cursor->at = at + 2 + length;
    }
    return true;
}

/* cemv_tlv_next() for loops that must be fast. Other than short objects are read through copies, so that the address of
 * neither argument leaves the caller and both can be kept in registers. */
static inline bool cemv_tlv_next_inline(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object)
{
    if (cemv_tlv_next_short(cursor, object)) return true;
    if (cursor->at == cursor->end) return false;

    struct cemv_tlv_cursor moved = *cursor;
    struct cemv_tlv found;
    const bool any = cemv_tlv_next_other(&moved, &found);
    *cursor = moved;
    if (any) *object = found;
    return any;
}

/* True if `bytes` contain exactly one object; filler may precede or follow it. */
bool cemv_tlv_sole(cemv_bytes bytes, struct cemv_tlv *object);
/* True if that object has this tag; returns its value. Used for templates 77 and 80 of a response, and for 6F. */
bool cemv_tlv_sole_of(cemv_bytes bytes, uint32_t tag, cemv_bytes *value);
/* True if all siblings can be parsed; their contents are not checked. */
bool cemv_tlv_is_list(cemv_bytes bytes);
/* Like cemv_tlv_find(), but only in a list that can be parsed completely. */
bool cemv_tlv_find_in_list(cemv_bytes bytes, uint32_t tag, struct cemv_tlv *object);

#endif
