/* SPDX-License-Identifier: Apache-2.0 */
/* Names of Kernel 3's states, tags and decisions for logs and tools. They are in a separate file so that firmware that
 * never calls the debug functions does not link these texts. States are defined in k3.h, tags in k3_tags.inc. */
#include "k3.h"
#include "../../include/cemv_debug.h"
#include "../../include/cemv_kernel_3.h"

/* The list of tags is expanded a second time, for the name of each tag only. */
static const struct cemv_tag_name tags[] = {
#define TAG(number, text, ...) { 0x##number, text },
#include "k3_tags.inc"
#undef TAG
};

static const char *const signatures[] = { "not performed", "good", "cannot be verified", "wrong" };
static const struct cemv_decision_name decisions[] = {
    { CEMV_CLAUSE(5, 4, 3, 1), "5.4.3.1", "the card's cryptogram", CEMV_DECIDES_CRYPTOGRAM, 0, NULL },
    { CEMV_CLAUSE(5, 5, 1, 0), "5.5.1", "processing restrictions", CEMV_DECIDES_BITS, 0, NULL },
    { CEMV_CLAUSE(5, 6, 0, 0), "5.6", "offline data authentication", CEMV_DECIDES_ONE_OF,
      sizeof signatures / sizeof signatures[0], signatures },
    { CEMV_CLAUSE(5, 7, 1, 0), "5.7.1", "cardholder verification", CEMV_DECIDES_CVM, 0, NULL },
};

const struct cemv_kernel_names cemv_kernel_3_names = {
    .kernel = "Kernel 3",
    .number = 3,
    .tags = tags,
    .tag_count = sizeof tags / sizeof tags[0],
    .decisions = decisions,
    .decision_count = sizeof decisions / sizeof decisions[0],
    .states = {
        [K3_WAIT_GPO] = "GET PROCESSING OPTIONS",
        [K3_WAIT_RECORD] = "READ RECORD",
        [K3_WAIT_CARD_READ] = "card read is shown",
        [K3_WAIT_ISSUER_AUTHENTICATION] = "EXTERNAL AUTHENTICATE",
        [K3_WAIT_SCRIPT] = "issuer script command",
    },
};
