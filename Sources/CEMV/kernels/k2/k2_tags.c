/* SPDX-License-Identifier: Apache-2.0 */
/* The table of Kernel 2's own tags, expanded from k2_tags.inc. The store appends it to the base table while this kernel
 * is active, so that a tag that several kernels define differently has the properties of this kernel. */
#include "k2_tags.h"

#include "../../data/columns.h"

const struct cemv_tag_row k2_tags[K2_TAGS] = {
#define TAG(number, ...) CEMV_TAG_ROW(number, __VA_ARGS__)
#include "k2_tags.inc"
#undef TAG
};
