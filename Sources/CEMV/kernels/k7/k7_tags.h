/* SPDX-License-Identifier: Apache-2.0 */
/* The slots of Kernel 7's own tags, made from k7_tags.inc: the store indexes each object by its slot. Used only in this
 * directory; knows no value and no command. */
#ifndef CEMV_K7_TAGS_H
#define CEMV_K7_TAGS_H

#include "../../data/tags.h"

enum k7_slot {
    K7_SLOT_FIRST = CEMV_SLOT_COUNT - 1,
#define TAG(number, ...) K7_SLOT_##number,
#include "k7_tags.inc"
#undef TAG
    K7_SLOT_END,
};
enum { K7_TAGS = (int)K7_SLOT_END - (int)CEMV_SLOT_COUNT };
extern const struct cemv_tag_row k7_tags[K7_TAGS];

#endif
