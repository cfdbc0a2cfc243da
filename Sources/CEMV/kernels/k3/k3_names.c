/* SPDX-License-Identifier: Apache-2.0 */
/* Names of Kernel 3's states and tags for logs and tools. They are in a separate file so that firmware that never calls
 * the debug functions does not link these texts. States are defined in k3.h, tags in k3_tags.inc. */
#include "k3.h"
#include "../../include/cemv_debug.h"
#include "../../include/cemv_kernel_3.h"

/* The list of tags is expanded a second time, for the name of each tag only. */
static const struct cemv_tag_name tags[] = {
#define TAG(number, text, ...) { 0x##number, text },
#include "k3_tags.inc"
#undef TAG
};

const struct cemv_kernel_names cemv_kernel_3_names = {
    .kernel = "Kernel 3",
    .number = 3,
    .tags = tags,
    .tag_count = sizeof tags / sizeof tags[0],
    .states = {
        [K3_WAIT_GPO] = "GET PROCESSING OPTIONS",
        [K3_WAIT_RECORD] = "READ RECORD",
        [K3_WAIT_CARD_READ] = "card read is shown",
        [K3_WAIT_ISSUER_AUTHENTICATION] = "EXTERNAL AUTHENTICATE",
        [K3_WAIT_SCRIPT] = "issuer script command",
    },
};
