/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of Kernel 2's own tags, made from k2_tags.inc, where their source stands. A table alone: knows no value and
 * no command. */
#include "k2_tags.h"

#include "../../data/columns.h"

const struct cemv_tag_row k2_tags[K2_TAGS] = {
#define TAG(number, ...) CEMV_TAG_ROW(number, __VA_ARGS__)
#include "k2_tags.inc"
#undef TAG
};
