/* SPDX-License-Identifier: Apache-2.0 */
/* Readable names of Kernel 8's states and tags. Linked only if a program calls them; the kernel does not use them.
 * k8_memory.h defines the states, k8_tags.inc the tags. */
#include "k8_memory.h"
#include "../../include/cemv_debug.h"
#include "../../include/cemv_kernel_8.h"

static const struct cemv_tag_name tags[] = {
#define TAG(number, text, ...) { 0x##number, text },
#include "k8_tags.inc"
#undef TAG
};

const struct cemv_kernel_names cemv_kernel_8_names = {
    .kernel = "Kernel 8",
    .number = 8,
    .tags = tags,
    .tag_count = sizeof tags / sizeof tags[0],
    .states = {
        [K8_S1_WAIT_RANDOM] = "S1 random bytes",
        [K8_S20_WAIT_GPO] = "S20 GET PROCESSING OPTIONS",
        [K8_S21_WAIT_RELAY] = "S21 EXCHANGE RELAY RESISTANCE DATA",
        [K8_S21_WAIT_RANDOM] = "S21 random bytes",
        [K8_S22_WAIT_RECORD] = "S22 READ RECORD",
        [K8_S23_WAIT_READ_DATA] = "S23 READ DATA",
        [K8_S24_WAIT_FIRST_WRITE] = "S24 first write flag",
        [K8_S26_WAIT_AC] = "S26 GENERATE AC",
        [K8_S27_WAIT_CARD_READ] = "S27 card read shown",
        [K8_S30_WAIT_WRITE_DATA] = "S30 WRITE DATA",
    },
};
