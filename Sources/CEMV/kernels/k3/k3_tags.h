/* SPDX-License-Identifier: Apache-2.0 */
/* The slots of Kernel 3's own tags, expanded from k3_tags.inc: the index of each object in the tag store. Only this
 * directory includes it. */
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
