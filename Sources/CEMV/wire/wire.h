/* SPDX-License-Identifier: Apache-2.0 */
/* The module wire/: bytes in and out. Nothing here knows what a tag means.
 *
 * Where a fault is: `at` of a cursor stands on the first byte of the field at fault. For a tag error that is the tag,
 * for a length error the length, for TRUNCATED_VALUE the value, and for TOO_DEEP the value that would need one level
 * more. */
#ifndef CEMV_WIRE_H
#define CEMV_WIRE_H

#include "../compiler/compiler.h"
#include "../include/cemv_tlv.h"

enum {
    CEMV_TAG_SIZE_MAX = 4,
    CEMV_TAG_CONSTRUCTED_BIT = 0x20, /* first tag byte, bit 6 */
    CEMV_TAG_NUMBER_MASK = 0x1F,     /* first tag byte, bits 5-1; all set: more tag bytes follow */
    CEMV_TAG_MORE_BIT = 0x80,        /* further tag bytes, bit 8: another one follows */
    CEMV_LENGTH_LONG_BIT = 0x80,     /* first length byte, bit 8: the rest counts the bytes that follow */
};

enum { CEMV_SW_OK = 0x9000 }; /* the status word of a response that went well */

/* ---- plain bytes; a NULL pointer is fine where the size is 0 ---- */

/* The two ranges do not overlap. */
static inline void cemv_copy(void *out, const void *from, size_t size)
{
    if (size != 0) cemv_memcpy(out, from, size);
}

/* The same for the few bytes that most values have: no call for up to 16 of them. */
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

/* Not in constant time: for public bytes only. */
static inline bool cemv_bytes_equal(cemv_bytes a, cemv_bytes b)
{
    return a.size == b.size && (a.size == 0 || cemv_memcmp(a.data, b.data, a.size) == 0);
}

static inline uint16_t cemv_be16(const uint8_t *at) { return (uint16_t)((uint32_t)at[0] << 8 | at[1]); }
uint32_t cemv_be32(const uint8_t *at);
/* A number of so many decimal digits, at most 9, each as often as any other, out of four random bytes. False: these
 * lie beyond the last whole run of such numbers, others are needed. */
bool cemv_number_of_digits(uint32_t random, uint8_t digits, uint32_t *number);

static inline void cemv_put_be16(uint8_t *out, uint16_t number)
{
    out[0] = (uint8_t)(number >> 8);
    out[1] = (uint8_t)number;
}

/* Both halves of a byte are decimal digits. */
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

/* Index of the first nibble from `at` on that is no decimal digit; `end` at the latest. */
size_t cemv_digits_end(const uint8_t *data, size_t at, size_t end);

/* One past the last byte, without arithmetic on NULL. */
static inline const uint8_t *cemv_bytes_end(cemv_bytes bytes)
{
    return bytes.size != 0 ? bytes.data + bytes.size : bytes.data;
}

/* Bytes `from` to the end; empty if there are none. */
static inline cemv_bytes cemv_bytes_from(cemv_bytes bytes, size_t from)
{
    cemv_bytes none = { NULL, 0 };
    if (from >= bytes.size) return none;
    return (cemv_bytes){ bytes.data + from, bytes.size - from };
}

/* `size` bytes at `from`, which must lie inside. */
static inline cemv_bytes cemv_bytes_part(cemv_bytes bytes, size_t from, size_t size)
{
    return (cemv_bytes){ bytes.data + from, size };
}

/* ---- tags and lengths ---- */

/* As cemv_tag_size. */
static inline size_t cemv_tag_size_inline(uint32_t tag)
{
    return 1u + (tag > 0xFFu) + (tag > 0xFFFFu) + (tag > 0xFFFFFFu);
}

/* Reads one tag; `*at` moves past it only on success. Also the step of a walk over a plain list of tags. */
enum cemv_wire_error cemv_tag_read(const uint8_t **at, const uint8_t *end, uint32_t *tag);

/* Writes cemv_tag_size(tag) bytes and returns how many. */
size_t cemv_tag_write(uint8_t *out, uint32_t tag);

/* ---- the writer ---- */

/* Short values under a tag of one or two bytes at `*out`, which goes on behind them; `tag` is known to be one. False,
 * and nothing done, for all others and where `room` bytes do not suffice. */
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

/* ---- data object lists ---- */

/* An entry of the list asks for `tag`, with this length unless it is 0. */
bool cemv_dol_asks(cemv_bytes dol, uint32_t tag, uint8_t length);

/* As cemv_dol_next. */
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
 * cemv_tlv_next() is the public one, cemv_tlv_next_inline() the one for the loops of a tap. Both read what
 * cemv_tlv_next_short() reads, and leave the rest to cemv_tlv_next_other(). */

static inline struct cemv_tlv_cursor cemv_tlv_open_inline(cemv_bytes bytes)
{
    return (struct cemv_tlv_cursor){ .at = bytes.data, .end = cemv_bytes_end(bytes), .error = CEMV_WIRE_OK };
}

/* Reads every form of object, after fillers, and finds every error. An error also moves `end` to `at`, so that
 * nothing is left to read. */
bool cemv_tlv_next_other(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object);

/* The object at `at`, whose tag and length take `header` bytes. */
static inline struct cemv_tlv cemv_tlv_at(const uint8_t *at, size_t header, uint32_t tag, size_t length)
{
    return (struct cemv_tlv){
        .tag = tag,
        .constructed = (at[0] & CEMV_TAG_CONSTRUCTED_BIT) != 0,
        .value = { at + header, length },
        .whole = { at, header + length },
    };
}

/* Reads an object with a tag of one or two bytes and a length of one byte: nearly all have them. False, and nothing
 * done, for all others. Each of the two forms has its own few tests, because a tap spends most of its time here, apart
 * from certificates. */
static inline bool cemv_tlv_next_short(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object)
{
    const uint8_t *const at = cursor->at;
    /* Three bytes hold the header of either form. By number, because NULL has no distance, not even to itself. */
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

/* cemv_tlv_next() for loops that must be fast. What is not short is read through copies, so that the address of neither
 * argument leaves the caller and both can live in its registers. */
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

/* `bytes` hold exactly one object; filler may precede or follow it. */
bool cemv_tlv_sole(cemv_bytes bytes, struct cemv_tlv *object);
/* It has this tag: its value. Templates 77 and 80 of a response, and 6F, are read so. */
bool cemv_tlv_sole_of(cemv_bytes bytes, uint32_t tag, cemv_bytes *value);
/* All siblings can be read; what they hold is not looked at. */
bool cemv_tlv_is_list(cemv_bytes bytes);
/* As cemv_tlv_find, in a list as above. */
bool cemv_tlv_find_in_list(cemv_bytes bytes, uint32_t tag, struct cemv_tlv *object);

#endif
