/* SPDX-License-Identifier: Apache-2.0 */
/* Readable names of Kernel 5's states, tags and decisions. Linked only if a program calls them; the kernel does not use
 * them. k5.h defines the states, k5_tags.inc the tags. */
#include "k5.h"
#include "../../include/cemv_debug.h"
#include "../../include/cemv_kernel_5.h"

static const struct cemv_tag_name tags[] = {
#define TAG(number, text, ...) { 0x##number, text },
#include "k5_tags.inc"
#undef TAG
};

static const struct cemv_decision_name decisions[] = {
    { CEMV_CLAUSE(3, 7, 1, 0), "3.7.1", "cryptogram that the reader requests", CEMV_DECIDES_TYPE, 0, NULL },
    { CEMV_CLAUSE(3, 8, 1, 0), "3.8.1", "the card's cryptogram", CEMV_DECIDES_TYPE, 0, NULL },
};

const struct cemv_kernel_names cemv_kernel_5_names = {
    .kernel = "Kernel 5",
    .number = 5,
    .tags = tags,
    .tag_count = sizeof tags / sizeof tags[0],
    .decisions = decisions,
    .decision_count = sizeof decisions / sizeof decisions[0],
    .states = {
        [K5_WAIT_RANDOM] = "random bytes",
        [K5_WAIT_ECHO] = "ECHO",
        [K5_WAIT_GPO] = "GET PROCESSING OPTIONS",
        [K5_WAIT_RECORD] = "READ RECORD",
        [K5_WAIT_AC] = "GENERATE AC",
        [K5_WAIT_CARD_READ] = "card read shown",
        [K5_WAIT_LEGACY_AC] = "GENERATE AC, Legacy Mode",
        [K5_WAIT_SCRIPT] = "issuer script command before the second GENERATE AC",
        [K5_WAIT_SECOND_AC] = "second GENERATE AC",
        [K5_WAIT_LAST_SCRIPT] = "issuer script command after the second GENERATE AC",
    },
};
