/* SPDX-License-Identifier: Apache-2.0 */
/* The table of Kernel 5's own tags, made from k5_tags.inc, which also names its sources. Contains data only: knows no
 * value and no command. */
#include "k5_tags.h"

#include "../../data/columns.h"

const struct cemv_tag_row k5_tags[K5_TAGS] = {
#define TAG(number, ...) CEMV_TAG_ROW(number, __VA_ARGS__)
#include "k5_tags.inc"
#undef TAG
};
