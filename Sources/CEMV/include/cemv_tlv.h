/* SPDX-License-Identifier: Apache-2.0 */
/* The codec alone: BER-TLV, data object lists, APDUs and EMV number formats.
 * Nothing here knows the meaning of a tag; nothing here allocates. Every function is total: any bytes in, a defined
 * answer out. */
#ifndef CEMV_TLV_H
#define CEMV_TLV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Borrowed bytes: never owned, never terminated. `data` may be NULL only when `size` is 0. */
typedef struct cemv_bytes {
    const uint8_t *data;
    size_t size;
} cemv_bytes;

/* Errors of the codec. They stay in the cursor or writer that met them: check once, at the end. */
enum cemv_wire_error {
    CEMV_WIRE_OK = 0,
    CEMV_WIRE_TRUNCATED_TAG = 1,     /* the bytes end inside a tag */
    CEMV_WIRE_LONG_TAG = 2,          /* a tag of more than four bytes */
    CEMV_WIRE_TRUNCATED_LENGTH = 3,  /* the bytes end before or inside a length */
    CEMV_WIRE_INDEFINITE_LENGTH = 4, /* length byte 80 */
    CEMV_WIRE_LONG_LENGTH = 5,       /* a length of more than four bytes (first byte 85..FF) */
    CEMV_WIRE_TRUNCATED_VALUE = 6,   /* the value would end after its parent */
    CEMV_WIRE_TOO_DEEP = 7,          /* nested deeper than CEMV_TLV_MAX_DEPTH */
    CEMV_WIRE_NO_SPACE = 8,          /* a writer's buffer is full */
    CEMV_WIRE_BAD_TAG = 9,           /* a writer was given a number that is no tag */
    CEMV_WIRE_UNBALANCED = 10,       /* a writer's open and close do not pair */
};

/* Zeros over bytes that held a secret. Cannot be elided. */
void cemv_wipe(void *bytes, size_t size);

/* Deepest nesting of constructed objects that a walk follows (a response is depth 1). */
#define CEMV_TLV_MAX_DEPTH 8

/* One data object, in place. `whole` spans tag, length and value as received. */
struct cemv_tlv {
    uint32_t tag;     /* as the books write it: 0x9F02, 0x6F, 0xDF8129 */
    bool constructed; /* bit 6 of the first tag byte */
    cemv_bytes value;
    cemv_bytes whole;
};

/* A walk over sibling objects between `at` and `end`; 00 and FF between objects are skipped. */
struct cemv_tlv_cursor {
    const uint8_t *at;
    const uint8_t *end;
    enum cemv_wire_error error;
};

struct cemv_tlv_cursor cemv_tlv_open(cemv_bytes bytes);

/* The next sibling. False at the end or at the first error; then `cursor->error` says which, and `at` where. */
bool cemv_tlv_next(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object);

/* The whole tree below `bytes` is well formed and not deeper than CEMV_TLV_MAX_DEPTH. `at` (optional) is the offset of
 * the fault. */
enum cemv_wire_error cemv_tlv_check(cemv_bytes bytes, size_t *at);

/* The first sibling with `tag` at this level; false if absent or if an error comes before it. */
bool cemv_tlv_find(cemv_bytes bytes, uint32_t tag, struct cemv_tlv *object);

/* A walk over a whole tree in document order, parents before children, without recursion. */
struct cemv_tlv_walk {
    struct cemv_tlv_cursor level[CEMV_TLV_MAX_DEPTH];
    uint8_t depth; /* 1 for the outermost objects */
    enum cemv_wire_error error;
};
struct cemv_tlv_walk cemv_tlv_walk_open(cemv_bytes bytes);
bool cemv_tlv_walk_next(struct cemv_tlv_walk *walk, struct cemv_tlv *object, uint8_t *depth);

/* A writer into caller memory. After the first error nothing more is written and `error` keeps it. */
struct cemv_writer {
    uint8_t *data;
    size_t capacity;
    size_t size;
    size_t open[CEMV_TLV_MAX_DEPTH]; /* where the values of open constructed objects begin */
    uint8_t depth;
    enum cemv_wire_error error;
};
struct cemv_writer cemv_writer_open(void *data, size_t capacity);
void cemv_writer_put_byte(struct cemv_writer *writer, uint8_t byte);
void cemv_writer_put_bytes(struct cemv_writer *writer, cemv_bytes bytes);
void cemv_writer_put_tlv(struct cemv_writer *writer, uint32_t tag, cemv_bytes value);
void cemv_writer_open_tlv(struct cemv_writer *writer, uint32_t tag); /* until the pairing close */
void cemv_writer_close_tlv(struct cemv_writer *writer);              /* writes the shortest length */
/* The bytes written, or empty bytes if an error is kept or an object is still open. */
cemv_bytes cemv_writer_finish(struct cemv_writer *writer);

/* True for a number that encodes as one BER tag of 1 to 4 bytes. */
bool cemv_tag_is_valid(uint32_t tag);
size_t cemv_tag_size(uint32_t tag);
bool cemv_tag_is_constructed(uint32_t tag);

/* Data object lists: tag and length pairs (EMV Book 3, 5.4). Lengths are one byte. */
struct cemv_dol_entry {
    uint32_t tag;
    uint8_t length;
};
struct cemv_dol_cursor {
    const uint8_t *at;
    const uint8_t *end;
    enum cemv_wire_error error;
};
struct cemv_dol_cursor cemv_dol_open(cemv_bytes dol);
bool cemv_dol_next(struct cemv_dol_cursor *cursor, struct cemv_dol_entry *entry);
/* Sum of the entries' lengths; the error of the list, if it has one, goes to `error`. */
size_t cemv_dol_value_size(cemv_bytes dol, enum cemv_wire_error *error);

/* How a value is fitted to an asked length (Book 3, 5.4 and 4.3). */
enum cemv_format {
    CEMV_FORMAT_B = 0,  /* binary: cut from the right (keep the leftmost), pad with 00 on the right */
    CEMV_FORMAT_N = 1,  /* numeric BCD, right justified: cut from the left, pad with 00 on the left */
    CEMV_FORMAT_CN = 2, /* compressed numeric, left justified: cut from the right, pad with FF on the right */
    CEMV_FORMAT_AN = 3,
    CEMV_FORMAT_ANS = 4,
    CEMV_FORMAT_A = 5,
    CEMV_FORMAT_VAR = 6, /* as b */
};
/* Writes exactly `length` bytes at `out`. */
void cemv_dol_fit(uint8_t *out, uint8_t length, cemv_bytes value, enum cemv_format format);

/* Command APDUs (ISO/IEC 7816-4). `le`: 0 = none, 1..256 short, up to 65536 extended. */
#define CEMV_LE_MAX 256u
struct cemv_command {
    uint8_t cla, ins, p1, p2;
    cemv_bytes data; /* up to 65535 bytes */
    uint32_t le;
};
/* The encoded command, short form whenever it fits; empty bytes if `out` is too small or data too long. The command's
 * data may not overlap `out`. */
cemv_bytes cemv_command_encode(const struct cemv_command *command, void *out, size_t capacity);
/* Reads a command (for cards and tools). False if it is not one of the ISO cases. */
bool cemv_command_decode(cemv_bytes bytes, struct cemv_command *command);

/* A response split into body and status word. False for fewer than two bytes: that is a link fault, not a response. */
bool cemv_response_decode(cemv_bytes bytes, cemv_bytes *body, uint16_t *status_word);

/* Numbers. BCD functions return false on a nibble above 9 or a value that does not fit, and leave the output alone. */
bool cemv_bcd_read(cemv_bytes bcd, uint64_t *number);
bool cemv_bcd_write(uint8_t *out, size_t size, uint64_t number);
/* n 6 YYMMDD, a real calendar day; years 50..99 are 19xx (Book 4). `days` counts from 1950-01-01. */
bool cemv_date_read(cemv_bytes yymmdd, uint32_t *days);
/* cn digits with trailing F only; returns the number of digits, or -1 if malformed. */
int cemv_cn_digits(cemv_bytes cn);
/* True if two cn values have equal digits, whatever their F padding. */
bool cemv_cn_equal(cemv_bytes a, cemv_bytes b);
/* Characters are within the format: a, an, ans, n, cn; b always. */
bool cemv_format_check(cemv_bytes value, enum cemv_format format);

#ifdef __cplusplus
}
#endif
#endif
