/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of Kernel 3's own tags, made from k3_tags.inc, where their source stands. A table alone: knows no value and
 * no command. */
#include "k3_tags.h"

#include "../../data/columns.h"

const struct cemv_tag_row k3_tags[K3_TAGS] = {
#define TAG(number, ...) CEMV_TAG_ROW(number, __VA_ARGS__)
#include "k3_tags.inc"
#undef TAG
};
