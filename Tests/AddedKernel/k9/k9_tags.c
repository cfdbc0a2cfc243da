/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of Kernel 9's own tags, made from k9_tags.inc, which also states their source. Only a table: knows no value
 * and no command. */
#include "k9_tags.h"

#include "../../data/columns.h"

const struct cemv_tag_row k9_tags[K9_TAGS] = {
#define TAG(number, ...) CEMV_TAG_ROW(number, __VA_ARGS__)
#include "k9_tags.inc"
#undef TAG
};
