// SPDX-License-Identifier: Apache-2.0
/* The cryptogram room: extraction for the issuer. A leaf on the data room; nothing here decides about a transaction. */
#ifndef CEMV_CRYPTOGRAM_ROOM_H
#define CEMV_CRYPTOGRAM_ROOM_H

#include "../data/data.h"
#include "../include/cemv_cryptogram.h"

/* Rare paths stand apart, so that the common one keeps its registers. */
#define cryptogram_noinline __attribute__((noinline))
/* Loops that every message passes: at the head of a cache line, so that their time does not hang on what is linked
 * before them. */
#if UINTPTR_MAX > UINT32_MAX
#define cryptogram_hot __attribute__((aligned(64)))
#else
#define cryptogram_hot
#endif

enum {
    CEMV_IAD_MAX = 32, /* Book 3, A1 */
    CEMV_PAN_DIGITS_MAX = 19,
    CEMV_TRACK_2_MAX = 19, /* bytes */
    CEMV_TRACK_1_MAX = 76, /* characters */
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

/* As cemv_slot_of, the commonest tags first. */
static inline uint16_t cemv_slot_fast(uint32_t tag)
{
    if (tag >> 8 == 0x9F) return cemv_slot_at(cemv_slots_9f, CEMV_SLOTS_9F, tag & 0xFF);
    if (tag <= 0xFF) return cemv_slot_at(cemv_slots_one, CEMV_SLOTS_ONE, tag);
    if (tag >> 8 == 0x5F) return cemv_slot_at(cemv_slots_5f, CEMV_SLOTS_5F, tag & 0xFF);
    return cemv_slot_of(tag);
}

/* An object by its tag and the slot of that tag. */
const struct cemv_chip_object *cemv_chip_find_unknown(const struct cemv_chip *chip, uint32_t tag);
static inline const struct cemv_chip_object *cemv_chip_find(const struct cemv_chip *chip, uint32_t tag, uint16_t slot)
{
    if (slot == CEMV_SLOT_NONE) return cemv_chip_find_unknown(chip, tag);
    const uint8_t number = chip->index[slot];
    return number != 0 ? &chip->object[number - 1] : NULL;
}

static inline cemv_bytes cemv_chip_value_at(const struct cemv_chip *chip, uint32_t tag, uint16_t slot)
{
    const struct cemv_chip_object *const object = cemv_chip_find(chip, tag, slot);
    return object ? object->value : (cemv_bytes){ NULL, 0 };
}

#endif
