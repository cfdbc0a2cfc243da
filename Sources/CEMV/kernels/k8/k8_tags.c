/* SPDX-License-Identifier: Apache-2.0 */
/* The table of Kernel 8's own tags, made from k8_tags.inc, which also names its sources. Contains data only: knows no
 * value and no command. */
#include "k8_tags.h"

#include "../../data/columns.h"

const struct cemv_tag_row k8_tags[K8_TAGS] = {
#define TAG(number, ...) CEMV_TAG_ROW(number, __VA_ARGS__)
#include "k8_tags.inc"
#undef TAG
};
