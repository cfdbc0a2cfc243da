/* SPDX-License-Identifier: Apache-2.0 */
/* The slots of Kernel 5's own tags, made from k5_tags.inc: the store indexes each object by its slot. Used only in this
 * directory; knows no value and no command. */
#ifndef CEMV_K5_TAGS_H
#define CEMV_K5_TAGS_H

#include "../../data/tags.h"

enum k5_slot {
    K5_SLOT_FIRST = CEMV_SLOT_COUNT - 1,
#define TAG(number, ...) K5_SLOT_##number,
#include "k5_tags.inc"
#undef TAG
    K5_SLOT_END,
};
enum { K5_TAGS = (int)K5_SLOT_END - (int)CEMV_SLOT_COUNT };
extern const struct cemv_tag_row k5_tags[K5_TAGS];

#endif
