/* SPDX-License-Identifier: Apache-2.0 */
/* Names of Kernel 9's states and tags, for people. Linked only where they are used; the kernel does not use them. The
 * states are defined in k9.h, the tags in k9_tags.inc. */
#include "k9.h"
#include "../../include/cemv_debug.h"
#include "cemv_kernel_9.h"

static const struct cemv_tag_name tags[] = {
#define TAG(number, text, ...) { 0x##number, text },
#include "k9_tags.inc"
#undef TAG
};

const struct cemv_kernel_names cemv_kernel_9_names = {
    .kernel = "Kernel 9",
    .number = 9,
    .tags = tags,
    .tag_count = sizeof tags / sizeof tags[0],
    .states = {
        [K9_WAIT_VERDICT] = "ASK VERDICT",
    },
};
