/* SPDX-License-Identifier: Apache-2.0 */
/* Readable names of Kernel 7's states and tags. Linked only if a program calls them; the kernel does not use them.
 * k7.h defines the states, k7_tags.inc the tags. */
#include "k7.h"
#include "../../include/cemv_debug.h"
#include "../../include/cemv_kernel_7.h"

static const struct cemv_tag_name tags[] = {
#define TAG(number, text, ...) { 0x##number, text },
#include "k7_tags.inc"
#undef TAG
};

const struct cemv_kernel_names cemv_kernel_7_names = {
    .kernel = "Kernel 7",
    .number = 7,
    .tags = tags,
    .tag_count = sizeof tags / sizeof tags[0],
    .states = {
        [K7_WAIT_GPO] = "GET PROCESSING OPTIONS",
        [K7_WAIT_RECORD] = "READ RECORD",
    },
};
