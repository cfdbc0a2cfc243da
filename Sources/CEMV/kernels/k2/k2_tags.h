/* SPDX-License-Identifier: Apache-2.0 */
/* The slots of Kernel 2's own tags, expanded from k2_tags.inc: the index of each object in the tag store. Only this
 * directory includes it. */
#ifndef CEMV_K2_TAGS_H
#define CEMV_K2_TAGS_H

#include "../../data/tags.h"

enum k2_slot {
    K2_SLOT_FIRST = CEMV_SLOT_COUNT - 1,
#define TAG(number, ...) K2_SLOT_##number,
#include "k2_tags.inc"
#undef TAG
    K2_SLOT_END,
};
enum { K2_TAGS = (int)K2_SLOT_END - (int)CEMV_SLOT_COUNT };
extern const struct cemv_tag_row k2_tags[K2_TAGS];

/* The row of a slot, in the base table or in this kernel's. */
static inline const struct cemv_tag_row *k2_tag_row(uint16_t slot)
{
    return slot < CEMV_SLOT_COUNT ? &cemv_base_tags[slot] : &k2_tags[slot - CEMV_SLOT_COUNT];
}

#endif
