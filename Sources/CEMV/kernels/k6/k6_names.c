/* SPDX-License-Identifier: Apache-2.0 */
/* Readable names of Kernel 6's states and tags. Linked only if a program calls them; the kernel does not use them.
 * k6.h defines the states, k6_tags.inc the tags. */
#include "k6.h"
#include "../../include/cemv_debug.h"
#include "../../include/cemv_kernel_6.h"

static const struct cemv_tag_name tags[] = {
#define TAG(number, text, ...) { 0x##number, text },
#include "k6_tags.inc"
#undef TAG
};

const struct cemv_kernel_names cemv_kernel_6_names = {
    .kernel = "Kernel 6",
    .number = 6,
    .tags = tags,
    .tag_count = sizeof tags / sizeof tags[0],
    .states = {
        [K6_WAIT_RANDOM] = "random bytes",
        [K6_WAIT_GPO] = "GET PROCESSING OPTIONS",
        [K6_WAIT_RECORD] = "READ RECORD",
        [K6_WAIT_SCRIPT] = "issuer script command",
    },
};
