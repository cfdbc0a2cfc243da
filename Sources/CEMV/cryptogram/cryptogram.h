/* SPDX-License-Identifier: Apache-2.0 */
/* The module cryptogram/: the parts of a cryptogram's data that hosts and apps read. Uses data/ and account/; knows no
 * kernel and no session, and decides nothing about a transaction. Sources: Conformance/cryptogram-data.md. */
#ifndef CEMV_CRYPTOGRAM_ROOM_H
#define CEMV_CRYPTOGRAM_ROOM_H

#include "../account/account.h"
#include "../data/data.h"
#include "../include/cemv_cryptogram.h"

/* Rare paths are separate functions, so that the common path keeps its registers. */
#define cryptogram_noinline compiler_noinline
/* Loops that process every message begin on a cache line, so that their speed does not depend on the code that is
 * linked before them. */
#if UINTPTR_MAX > UINT32_MAX
#define cryptogram_hot compiler_aligned(64)
#else
#define cryptogram_hot
#endif

enum {
    CEMV_IAD_MAX = 32, /* Book 3, A1 */
};

/* The index of cemv_chip has places for tags of one byte, 9F00 to 9F7F, and 5F00 to 5F7F. Other tags are few and are
 * searched. */
#define CEMV_CHIP_NOWHERE 0xFFFF
static inline uint16_t cemv_chip_place(uint32_t tag)
{
    if (tag >> 7 == 0x9F00 >> 7) return (uint16_t)(0x100 + (tag & 0x7F));
    if (tag <= 0xFF) return (uint16_t)tag;
    if (tag >> 7 == 0x5F00 >> 7) return (uint16_t)(0x180 + (tag & 0x7F));
    return CEMV_CHIP_NOWHERE;
}
_Static_assert(CEMV_CHIP_INDEX == 0x200, "256 tags of one byte and twice 128 of two");

/* Finds an object by its tag and the place of that tag. */
const struct cemv_chip_object *cemv_chip_find_elsewhere(const struct cemv_chip *chip, uint32_t tag);
static inline const struct cemv_chip_object *cemv_chip_find(const struct cemv_chip *chip, uint32_t tag, uint16_t place)
{
    if (place == CEMV_CHIP_NOWHERE) return cemv_chip_find_elsewhere(chip, tag);
    const uint8_t number = chip->index[place];
    return number != 0 ? &chip->object[number - 1] : NULL;
}

#endif
