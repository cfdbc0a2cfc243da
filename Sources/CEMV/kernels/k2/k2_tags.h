/* SPDX-License-Identifier: Apache-2.0 */
/* The slots of Kernel 2's own tags, made from k2_tags.inc: where the tag store indexes each object. For this directory
 * alone; knows no value and no command. */
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

static inline const struct cemv_tag_row *k2_tag_row(uint16_t slot)
{
    return slot < CEMV_SLOT_COUNT ? &cemv_base_tags[slot] : &k2_tags[slot - CEMV_SLOT_COUNT];
}

#endif
