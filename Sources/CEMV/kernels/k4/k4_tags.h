/* SPDX-License-Identifier: Apache-2.0 */
/* The slots of Kernel 4's own tags, made from k4_tags.inc: the store indexes each object by its slot. Used only in this
 * directory; knows no value and no command. */
#ifndef CEMV_K4_TAGS_H
#define CEMV_K4_TAGS_H

#include "../../data/tags.h"

enum k4_slot {
    K4_SLOT_FIRST = CEMV_SLOT_COUNT - 1,
#define TAG(number, ...) K4_SLOT_##number,
#include "k4_tags.inc"
#undef TAG
    K4_SLOT_END,
};
enum { K4_TAGS = (int)K4_SLOT_END - (int)CEMV_SLOT_COUNT };
extern const struct cemv_tag_row k4_tags[K4_TAGS];

#endif
