/* SPDX-License-Identifier: Apache-2.0 */
/* Tags: the format of each data object, and who may supply it. The base table has the tags that all kernels define
 * alike. It is followed by the table of the active kernel: its own objects, and its own meaning of numbers that kernels
 * share (9F6E is card data for Visa and terminal data for American Express). No number is in both tables. Knows no
 * value and no command.
 *
 * A slot is the index of a row, base rows first: the store indexes an object by its slot. */
#ifndef CEMV_DATA_TAGS_H
#define CEMV_DATA_TAGS_H

#include <stddef.h>
#include <stdint.h>

#include "../include/cemv_kernel.h"

enum cemv_slot {
#define TAG1(number, ...)  CEMV_SLOT_##number,
#define TAG5F(number, ...) CEMV_SLOT_5F##number,
#define TAG9F(number, ...) CEMV_SLOT_9F##number,
#define TAG(number, ...)   CEMV_SLOT_##number,
#include "tags.inc"
#undef TAG1
#undef TAG5F
#undef TAG9F
#undef TAG
    CEMV_SLOT_COUNT, /* size of the base table; the kernel's own slots begin here */
};
#define CEMV_SLOT_END  (CEMV_SLOT_COUNT + CEMV_KERNEL_TAGS_MAX)
#define CEMV_SLOT_NONE 0xFFFF

extern const struct cemv_tag_row cemv_base_tags[CEMV_SLOT_COUNT];

/* A kernel's own rows, and a hash table to find them: row number + 1 at the hash of the tag, or at the next free place.
 * Built once, when the configuration is checked. */
#define CEMV_TAG_PLACES 256
struct cemv_tags {
    const struct cemv_tag_row *rows;
    uint16_t count;
    uint8_t place[CEMV_TAG_PLACES];
};
/* `given` has passed the configuration's check, so that free places remain. */
void cemv_tags_open(struct cemv_tags *tags, const struct cemv_kernel_tags *given);

/* Slot + 1 of a base tag, 0 for an unknown tag: by number, by the last byte of 5Fxx, of 9Fxx. */
enum { CEMV_SLOTS_ONE = 0x100, CEMV_SLOTS_5F = 0x58, CEMV_SLOTS_9F = 0x80 };
extern const uint8_t cemv_slots_one[CEMV_SLOTS_ONE];
extern const uint8_t cemv_slots_5f[CEMV_SLOTS_5F];
extern const uint8_t cemv_slots_9f[CEMV_SLOTS_9F];

/* The slot of a tag, CEMV_SLOT_NONE if neither table has it. Any number is allowed. */
uint16_t cemv_slot_of(const struct cemv_tags *tags, uint32_t tag);
/* The slot of a tag that is not in the arrays above. */
uint16_t cemv_slot_behind(const struct cemv_tags *tags, uint32_t tag);
/* The slot in the base table only. */
uint16_t cemv_base_slot_of(uint32_t tag);

/* The row of a slot from cemv_slot_of(). */
static inline const struct cemv_tag_row *cemv_tag_row_at(const struct cemv_tags *tags, uint16_t slot)
{
    return slot < CEMV_SLOT_COUNT ? &cemv_base_tags[slot] : &tags->rows[slot - CEMV_SLOT_COUNT];
}

/* True if only the card may supply the object: neither terminal nor issuer nor kernel. */
static inline bool cemv_is_cards_alone(const struct cemv_tag_row *row)
{
    return (row->source & ~(CEMV_SOURCE_CARD | CEMV_SOURCE_ELSEWHERE)) == 0;
}

/* The row of a tag, NULL if neither table has it. */
static inline const struct cemv_tag_row *cemv_tag_find(const struct cemv_tags *tags, uint32_t tag)
{
    const uint16_t slot = cemv_slot_of(tags, tag);
    return slot == CEMV_SLOT_NONE ? NULL : cemv_tag_row_at(tags, slot);
}

static inline const struct cemv_tag_row *cemv_base_tag_find(uint32_t tag)
{
    const uint16_t slot = cemv_base_slot_of(tag);
    return slot == CEMV_SLOT_NONE ? NULL : &cemv_base_tags[slot];
}

#endif
