/* SPDX-License-Identifier: Apache-2.0 */
/* The base table of tags, and look-up in it and in the table of the active kernel (tags.inc defines the tags). Knows no
 * value and no kernel by name.
 *
 * A tap looks up some hundred tags, so look-up must not search. Tags of one byte, 5Fxx and 9Fxx, which are nearly all,
 * are indexed directly by their last byte; the kernel's own tags are found with a small hash table. */
#include "tags.h"

#include "columns.h"

const struct cemv_tag_row cemv_base_tags[CEMV_SLOT_COUNT] = {
#define TAG1(number, ...)  CEMV_TAG_ROW(number, __VA_ARGS__)
#define TAG5F(number, ...) CEMV_TAG_ROW(5F##number, __VA_ARGS__)
#define TAG9F(number, ...) CEMV_TAG_ROW(9F##number, __VA_ARGS__)
#define TAG(number, ...)   CEMV_TAG_ROW(number, __VA_ARGS__)
#include "tags.inc"
#undef TAG1
#undef TAG5F
#undef TAG9F
#undef TAG
};
_Static_assert(CEMV_SLOT_COUNT < UINT8_MAX, "slot + 1 is a byte in the arrays below");

const uint8_t cemv_slots_one[CEMV_SLOTS_ONE] = {
#define TAG1(number, ...) [0x##number] = CEMV_SLOT_##number + 1,
#define TAG5F(number, ...)
#define TAG9F(number, ...)
#define TAG(number, ...)
#include "tags.inc"
#undef TAG1
#undef TAG5F
};
const uint8_t cemv_slots_5f[CEMV_SLOTS_5F] = {
#define TAG1(number, ...)
#define TAG5F(number, ...) [0x##number] = CEMV_SLOT_5F##number + 1,
#include "tags.inc"
#undef TAG5F
#undef TAG9F
};
const uint8_t cemv_slots_9f[CEMV_SLOTS_9F] = {
#define TAG5F(number, ...)
#define TAG9F(number, ...) [0x##number] = CEMV_SLOT_9F##number + 1,
#include "tags.inc"
#undef TAG1
#undef TAG5F
#undef TAG9F
#undef TAG
};

enum { FIRST_OTHER = CEMV_SLOT_7F60 }; /* the rows from here on have other prefixes */

/* The hash of a tag. With fewer rows than places, every search ends at an empty place. */
static inline uint8_t place_of(uint32_t tag) { return (uint8_t)(tag ^ tag >> 8); }
_Static_assert(CEMV_TAG_PLACES == UINT8_MAX + 1 && CEMV_KERNEL_TAGS_MAX < CEMV_TAG_PLACES,
               "an empty place ends a search");

/* An occupied place is skipped: the row is entered at the next free one, where the search will find it. */
void cemv_tags_open(struct cemv_tags *tags, const struct cemv_kernel_tags *given)
{
    *tags = (struct cemv_tags){ .rows = given->rows, .count = given->count };
    for (size_t i = 0; i < given->count; i++) {
        uint8_t place = place_of(given->rows[i].tag);
        while (tags->place[place] != 0) place++;
        tags->place[place] = (uint8_t)(i + 1);
    }
}

/* Slot + 1; 0 for a tag that is not in the arrays. */
static inline uint8_t number_of(uint32_t tag)
{
    const uint32_t low = tag & 0xFFu;
    if (tag <= 0xFF) return cemv_slots_one[tag];
    if (tag >> 8 == 0x5F && low < CEMV_SLOTS_5F) return cemv_slots_5f[low];
    return tag >> 8 == 0x9F && low < CEMV_SLOTS_9F ? cemv_slots_9f[low] : 0;
}

static inline uint16_t slot_of_others(uint32_t tag)
{
    for (uint16_t slot = FIRST_OTHER; slot < CEMV_SLOT_COUNT; slot++)
        if (cemv_base_tags[slot].tag == tag) return slot;
    return CEMV_SLOT_NONE;
}

const struct cemv_tag_row *cemv_base_tag(uint32_t tag) { return cemv_base_tag_find(tag); }

/* For tools that know no kernel, such as the check of a configuration. */
uint16_t cemv_base_slot_of(uint32_t tag)
{
    const uint8_t number = number_of(tag);
    return number != 0 ? (uint16_t)(number - 1) : slot_of_others(tag);
}

/* Base tags outside the arrays are rare, so they are searched last. */
uint16_t cemv_slot_behind(const struct cemv_tags *tags, uint32_t tag)
{
    uint8_t number;
    for (uint8_t place = place_of(tag); (number = tags->place[place]) != 0; place++)
        if (tags->rows[number - 1].tag == tag) return (uint16_t)(CEMV_SLOT_COUNT + number - 1);
    return slot_of_others(tag);
}

uint16_t cemv_slot_of(const struct cemv_tags *tags, uint32_t tag)
{
    const uint8_t number = number_of(tag);
    return number != 0 ? (uint16_t)(number - 1) : cemv_slot_behind(tags, tag);
}
