/* SPDX-License-Identifier: Apache-2.0 */
/* Readable names of Kernel 7's states, tags and decisions. Linked only if a program calls them; the kernel does not use
 * them. k7.h defines the states, k7_tags.inc the tags. */
#include "k7.h"
#include "../../include/cemv_debug.h"
#include "../../include/cemv_kernel_7.h"

static const struct cemv_tag_name tags[] = {
#define TAG(number, text, ...) { 0x##number, text },
#include "k7_tags.inc"
#undef TAG
};

static const char *const dispositions[] = { "end: data are missing", "declined", "go online", "read the records" };
static const char *const ways[] = { "go online", "use the contact chip", "declined", "approved" };
static const char *const verifications[] = { "not applicable", "signature", "online PIN",
                                             "by the device",  "declined",  "use the contact chip" };
static const struct cemv_decision_name decisions[] = {
    { CEMV_CLAUSE(4, 1, 4, 4), "4.1.4.4", "the card's cryptogram", CEMV_DECIDES_CRYPTOGRAM, 0, NULL },
    { CEMV_CLAUSE(4, 1, 4, 7), "4.1.4.7", "after the card's answer", CEMV_DECIDES_ONE_OF,
      sizeof dispositions / sizeof dispositions[0], dispositions },
    { CEMV_CLAUSE(4, 3, 2, 0), "4.3.2", "offline data authentication", CEMV_DECIDES_SIGNATURE, 0, NULL },
    { CEMV_CLAUSE(4, 3, 2, 5), "4.3.2.5", "after offline data authentication", CEMV_DECIDES_ONE_OF,
      sizeof ways / sizeof ways[0], ways },
    { CEMV_CLAUSE(4, 4, 0, 0), "4.4", "cardholder verification", CEMV_DECIDES_ONE_OF,
      sizeof verifications / sizeof verifications[0], verifications },
};

const struct cemv_kernel_names cemv_kernel_7_names = {
    .kernel = "Kernel 7",
    .number = 7,
    .tags = tags,
    .tag_count = sizeof tags / sizeof tags[0],
    .decisions = decisions,
    .decision_count = sizeof decisions / sizeof decisions[0],
    .states = {
        [K7_WAIT_GPO] = "GET PROCESSING OPTIONS",
        [K7_WAIT_RECORD] = "READ RECORD",
    },
};
