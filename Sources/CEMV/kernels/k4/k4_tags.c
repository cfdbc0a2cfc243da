/* SPDX-License-Identifier: Apache-2.0 */
/* The table of Kernel 4's own tags, made from k4_tags.inc, which also names its sources. Contains data only: knows no
 * value and no command. */
#include "k4_tags.h"

#include "../../data/columns.h"

const struct cemv_tag_row k4_tags[K4_TAGS] = {
#define TAG(number, ...) CEMV_TAG_ROW(number, __VA_ARGS__)
#include "k4_tags.inc"
#undef TAG
};
