/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of Kernel 5's own tags, made from k5_tags.inc, where their source stands. A table alone: knows no value and
 * no command. */
#include "k5_tags.h"

#include "../../data/columns.h"

const struct cemv_tag_row k5_tags[K5_TAGS] = {
#define TAG(number, ...) CEMV_TAG_ROW(number, __VA_ARGS__)
#include "k5_tags.inc"
#undef TAG
};
