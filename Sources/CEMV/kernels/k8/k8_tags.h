/* SPDX-License-Identifier: Apache-2.0 */
/* The slots of Kernel 8's own tags, made from k8_tags.inc: the store indexes each object by its slot. Used only in this
 * directory; knows no value and no command. */
#ifndef CEMV_K8_TAGS_H
#define CEMV_K8_TAGS_H

#include "../../data/tags.h"

enum k8_slot {
    K8_SLOT_FIRST = CEMV_SLOT_COUNT - 1,
#define TAG(number, ...) K8_SLOT_##number,
#include "k8_tags.inc"
#undef TAG
    K8_SLOT_END,
};
enum { K8_TAGS = (int)K8_SLOT_END - (int)CEMV_SLOT_COUNT };
extern const struct cemv_tag_row k8_tags[K8_TAGS];

#endif
