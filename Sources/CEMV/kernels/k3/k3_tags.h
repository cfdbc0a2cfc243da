/* SPDX-License-Identifier: Apache-2.0 */
/* The slots of Kernel 3's own tags, made from k3_tags.inc: where the tag store indexes each object. For this directory
 * alone; knows no value and no command. */
#ifndef CEMV_K3_TAGS_H
#define CEMV_K3_TAGS_H

#include "../../data/tags.h"

enum k3_slot {
    K3_SLOT_FIRST = CEMV_SLOT_COUNT - 1,
#define TAG(number, ...) K3_SLOT_##number,
#include "k3_tags.inc"
#undef TAG
    K3_SLOT_END,
};
enum { K3_TAGS = (int)K3_SLOT_END - (int)CEMV_SLOT_COUNT };
extern const struct cemv_tag_row k3_tags[K3_TAGS];

#endif
