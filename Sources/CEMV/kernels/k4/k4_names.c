/* SPDX-License-Identifier: Apache-2.0 */
/* Readable names of Kernel 4's states, tags and decisions. Linked only if a program calls them; the kernel does not use
 * them. k4.h defines the states, k4_tags.inc the tags. */
#include "k4.h"
#include "../../include/cemv_debug.h"
#include "../../include/cemv_kernel_4.h"

static const struct cemv_tag_name tags[] = {
#define TAG(number, text, ...) { 0x##number, text },
#include "k4_tags.inc"
#undef TAG
};

static const char *const answers[] = { "approved", "declined", "go online", "use the contact chip", "ask for a PIN" };
static const struct cemv_decision_name decisions[] = {
    { CEMV_CLAUSE(6, 2, 0, 0), "6.2", "offline data authentication", CEMV_DECIDES_SIGNATURE, 0, NULL },
    { CEMV_CLAUSE(8, 2, 0, 0), "8.2", "cardholder verification", CEMV_DECIDES_CVM, 0, NULL },
    { CEMV_CLAUSE(10, 2, 0, 0), "10.2", "cryptogram that the reader requests", CEMV_DECIDES_TYPE, 0, NULL },
    { CEMV_CLAUSE(11, 2, 0, 0), "11.2", "after the card's answer", CEMV_DECIDES_ONE_OF,
      sizeof answers / sizeof answers[0], answers },
};

const struct cemv_kernel_names cemv_kernel_4_names = {
    .kernel = "Kernel 4",
    .number = 4,
    .tags = tags,
    .tag_count = sizeof tags / sizeof tags[0],
    .decisions = decisions,
    .decision_count = sizeof decisions / sizeof decisions[0],
    .states = {
        [K4_WAIT_GPO] = "GET PROCESSING OPTIONS",
        [K4_WAIT_RECORD] = "READ RECORD",
        [K4_WAIT_COUNTER] = "GET DATA",
        [K4_WAIT_AC] = "GENERATE AC",
        [K4_WAIT_DISPLAY] = "display",
    },
};
