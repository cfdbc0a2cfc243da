/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of Kernel 4's own tags, made from k4_tags.inc, where their source stands. A table alone: knows no value and
 * no command. */
#include "k4_tags.h"

#include "../../data/columns.h"

const struct cemv_tag_row k4_tags[K4_TAGS] = {
#define TAG(number, ...) CEMV_TAG_ROW(number, __VA_ARGS__)
#include "k4_tags.inc"
#undef TAG
};
