/* The cryptogram room: extraction for the issuer. A leaf on the data room; nothing here decides about a transaction. */
#ifndef CEMV_CRYPTOGRAM_ROOM_H
#define CEMV_CRYPTOGRAM_ROOM_H

#include "../data/data.h"
#include "../include/cemv_cryptogram.h"

enum {
    CEMV_IAD_MAX = 32,                /* Book 3, A1 */
    CEMV_PAN_DIGITS_MAX = 19,
    CEMV_TRACK_2_MAX = 19,            /* bytes */
    CEMV_TRACK_1_MAX = 76,            /* characters */
};

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

#endif
