/* SPDX-License-Identifier: Apache-2.0 */
/* The table of Kernel 3's own tags, expanded from k3_tags.inc. The store appends it to the base table while this kernel
 * is active, so that a tag that several kernels define differently has the properties of this book. */
#include "k3_tags.h"

#include "../../data/columns.h"

const struct cemv_tag_row k3_tags[K3_TAGS] = {
#define TAG(number, ...) CEMV_TAG_ROW(number, __VA_ARGS__)
#include "k3_tags.inc"
#undef TAG
};
