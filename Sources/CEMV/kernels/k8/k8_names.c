/* SPDX-License-Identifier: Apache-2.0 */
/* Readable names of Kernel 8's states, tags and decisions. Linked only if a program calls them; the kernel does not use
 * them. k8_memory.h defines the states, k8_tags.inc the tags. */
#include "k8_memory.h"
#include "../../include/cemv_debug.h"
#include "../../include/cemv_kernel_8.h"

static const struct cemv_tag_name tags[] = {
#define TAG(number, text, ...) { 0x##number, text },
#include "k8_tags.inc"
#undef TAG
};

static const char *const decisions_of_reader[] = { "decline", "accept offline", "go online" };
static const char *const locals[] = { "good", "failed", "data are missing" };
static const char *const ends[] = {
    "approved", "go online", "declined", "use another interface", "end of the application", "tap again"
};
static const struct cemv_decision_name decisions[] = {
    { CEMV_STEP_OF(21, 17), "S21.17", "time of the relay resistance exchange", CEMV_DECIDES_MEASUREMENT, 0, NULL },
    { CEMV_STEP_OF(25, 21), "S25.21", "decision of the reader before GENERATE AC", CEMV_DECIDES_ONE_OF,
      sizeof decisions_of_reader / sizeof decisions_of_reader[0], decisions_of_reader },
    { CEMV_STEP_OF(28, 8), "S28.8", "local authentication", CEMV_DECIDES_ONE_OF, sizeof locals / sizeof locals[0],
      locals },
    { CEMV_STEP_OF(29, 25), "S29.25", "cardholder verification", CEMV_DECIDES_CVM, 0, NULL },
    { CEMV_STEP_OF(29, 43), "S29.43", "decision of the reader after GENERATE AC", CEMV_DECIDES_ONE_OF,
      sizeof decisions_of_reader / sizeof decisions_of_reader[0], decisions_of_reader },
    { CEMV_STEP_OF(0x2930, 2), "S2930.2", "end of the tap", CEMV_DECIDES_ONE_OF, sizeof ends / sizeof ends[0], ends },
};

const struct cemv_kernel_names cemv_kernel_8_names = {
    .kernel = "Kernel 8",
    .number = 8,
    .tags = tags,
    .tag_count = sizeof tags / sizeof tags[0],
    .decisions = decisions,
    .decision_count = sizeof decisions / sizeof decisions[0],
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
