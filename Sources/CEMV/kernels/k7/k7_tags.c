/* SPDX-License-Identifier: Apache-2.0 */
/* The table of Kernel 7's own tags, made from k7_tags.inc, which also names its sources. Contains data only: knows no
 * value and no command. */
#include "k7_tags.h"

#include "../../data/columns.h"

const struct cemv_tag_row k7_tags[K7_TAGS] = {
#define TAG(number, ...) CEMV_TAG_ROW(number, __VA_ARGS__)
#include "k7_tags.inc"
#undef TAG
};
