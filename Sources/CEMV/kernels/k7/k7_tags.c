/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of Kernel 7's own tags, made from k7_tags.inc, where their source stands. A table alone: knows no value and
 * no command. */
#include "k7_tags.h"

#include "../../data/columns.h"

const struct cemv_tag_row k7_tags[K7_TAGS] = {
#define TAG(number, ...) CEMV_TAG_ROW(number, __VA_ARGS__)
#include "k7_tags.inc"
#undef TAG
};
