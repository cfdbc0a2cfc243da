/* SPDX-License-Identifier: Apache-2.0 */
/* Readable names of Kernel 6's states, tags and decisions. Linked only if a program calls them; the kernel does not use
 * them. k6.h defines the states, k6_tags.inc the tags. */
#include "k6.h"
#include "../../include/cemv_debug.h"
#include "../../include/cemv_kernel_6.h"

static const struct cemv_tag_name tags[] = {
#define TAG(number, text, ...) { 0x##number, text },
#include "k6_tags.inc"
#undef TAG
};

static const char *const actions[] = { "approved", "declined", "go online", "use another interface" };
static const struct cemv_decision_name decisions[] = {
    { CEMV_CLAUSE(3, 2, 0, 0), "3.2", "the card's cryptogram", CEMV_DECIDES_CRYPTOGRAM, 0, NULL },
    { CEMV_CLAUSE(3, 4, 0, 0), "3.4", "offline data authentication", CEMV_DECIDES_SIGNATURE, 0, NULL },
    { CEMV_CLAUSE(3, 5, 0, 0), "3.5", "cardholder verification", CEMV_DECIDES_CVM, 0, NULL },
    { CEMV_CLAUSE(3, 6, 0, 0), "3.6", "Terminal Verification Results (95)", CEMV_DECIDES_BITS, 0, NULL },
    { CEMV_CLAUSE(3, 7, 0, 0), "3.7", "terminal action analysis", CEMV_DECIDES_ONE_OF,
      sizeof actions / sizeof actions[0], actions },
};

const struct cemv_kernel_names cemv_kernel_6_names = {
    .kernel = "Kernel 6",
    .number = 6,
    .tags = tags,
    .tag_count = sizeof tags / sizeof tags[0],
    .decisions = decisions,
    .decision_count = sizeof decisions / sizeof decisions[0],
    .states = {
        [K6_WAIT_RANDOM] = "random bytes",
        [K6_WAIT_GPO] = "GET PROCESSING OPTIONS",
        [K6_WAIT_RECORD] = "READ RECORD",
        [K6_WAIT_SCRIPT] = "issuer script command",
    },
};
