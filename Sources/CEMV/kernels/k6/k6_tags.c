/* SPDX-License-Identifier: Apache-2.0 */
/* The table of Kernel 6's own tags, made from k6_tags.inc, which also names its sources. Contains data only: knows no
 * value and no command. */
#include "k6_tags.h"

#include "../../data/columns.h"

const struct cemv_tag_row k6_tags[K6_TAGS] = {
#define TAG(number, ...) CEMV_TAG_ROW(number, __VA_ARGS__)
#include "k6_tags.inc"
#undef TAG
};
