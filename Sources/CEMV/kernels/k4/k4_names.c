/* SPDX-License-Identifier: Apache-2.0 */
/* Readable names of Kernel 4's states and tags. Linked only if a program calls them; the kernel does not use them.
 * k4.h defines the states, k4_tags.inc the tags. */
#include "k4.h"
#include "../../include/cemv_debug.h"
#include "../../include/cemv_kernel_4.h"

static const struct cemv_tag_name tags[] = {
#define TAG(number, text, ...) { 0x##number, text },
#include "k4_tags.inc"
#undef TAG
};

const struct cemv_kernel_names cemv_kernel_4_names = {
    .kernel = "Kernel 4",
    .number = 4,
    .tags = tags,
    .tag_count = sizeof tags / sizeof tags[0],
    .states = {
        [K4_WAIT_GPO] = "GET PROCESSING OPTIONS",
        [K4_WAIT_RECORD] = "READ RECORD",
        [K4_WAIT_COUNTER] = "GET DATA",
        [K4_WAIT_AC] = "GENERATE AC",
        [K4_WAIT_DISPLAY] = "display",
    },
};
