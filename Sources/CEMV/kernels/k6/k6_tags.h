/* SPDX-License-Identifier: Apache-2.0 */
/* The slots of Kernel 6's own tags, made from k6_tags.inc: the store indexes each object by its slot. Used only in this
 * directory; knows no value and no command. */
#ifndef CEMV_K6_TAGS_H
#define CEMV_K6_TAGS_H

#include "../../data/tags.h"

enum k6_slot {
    K6_SLOT_FIRST = CEMV_SLOT_COUNT - 1,
#define TAG(number, ...) K6_SLOT_##number,
#include "k6_tags.inc"
#undef TAG
    K6_SLOT_END,
};
enum { K6_TAGS = (int)K6_SLOT_END - (int)CEMV_SLOT_COUNT };
extern const struct cemv_tag_row k6_tags[K6_TAGS];

#endif
