/* SPDX-License-Identifier: Apache-2.0 */
/* The slots of Kernel 9's own tags, made from k9_tags.inc: where the tag store indexes each object. For this directory
 * alone; knows no value and no command. */
#ifndef CEMV_K9_TAGS_H
#define CEMV_K9_TAGS_H

#include "../../data/tags.h"

enum k9_slot {
    K9_SLOT_FIRST = CEMV_SLOT_COUNT - 1,
#define TAG(number, ...) K9_SLOT_##number,
#include "k9_tags.inc"
#undef TAG
    K9_SLOT_END,
};
enum { K9_TAGS = (int)K9_SLOT_END - (int)CEMV_SLOT_COUNT };
extern const struct cemv_tag_row k9_tags[K9_TAGS];

#endif
