/* SPDX-License-Identifier: Apache-2.0 */
/* Names of Kernel 2's states, tags and decisions for logs and tools. They are in a separate file so that firmware that
 * never calls the debug functions does not link these texts. States are defined in k2.h, tags in k2_tags.inc. */
#include "k2.h"
#include "../../include/cemv_debug.h"
#include "../../include/cemv_kernel_2.h"

/* The list of tags is expanded a second time, for the name of each tag only. */
static const struct cemv_tag_name tags[] = {
#define TAG(number, text, ...) { 0x##number, text },
#include "k2_tags.inc"
#undef TAG
};

static const struct cemv_decision_name decisions[] = {
    { CEMV_STEP_OF(456, 36), "S456.36", "cardholder verification", CEMV_DECIDES_CVM, 0, NULL },
    { CEMV_STEP_OF(456, 38), "S456.38", "Terminal Verification Results (95)", CEMV_DECIDES_BITS, 0, NULL },
    { CEMV_STEP_OF(456, 39), "S456.39", "cryptogram that the reader requests", CEMV_DECIDES_TYPE, 0, NULL },
    { CEMV_STEP_OF(910, 1), "S910.1", "offline data authentication", CEMV_DECIDES_SIGNATURE, 0, NULL },
};

/* A name begins with the state of the charts, so that a log can be compared with them. */
const struct cemv_kernel_names cemv_kernel_2_names = {
    .kernel = "Kernel 2",
    .number = 2,
    .tags = tags,
    .tag_count = sizeof tags / sizeof tags[0],
    .decisions = decisions,
    .decision_count = sizeof decisions / sizeof decisions[0],
    .states = {
        [K2_R1_WAIT_RELAY] = "R1: EXCHANGE RELAY RESISTANCE DATA",
        [K2_WAIT_RANDOM] = "random bytes",
        [K2_S910_WAIT_CARD_READ] = "S910: card read is shown",
        [K2_WAIT_BACK_OFF] = "time after a failed checksum",
        [K2_S15_WAIT_PUT_DATA] = "S15: PUT DATA after GENERATE AC",
        [K2_S16_WAIT_BALANCE] = "S16: GET DATA of the balance before GENERATE AC",
        [K2_S17_WAIT_BALANCE] = "S17: GET DATA of the balance after GENERATE AC",
        [K2_WAIT_ANSWERS_SENT] = "further answers to the terminal are shown",
        [K2_S2_WAIT_PDOL_DATA] = "S2: data for the PDOL",
        [K2_S3_WAIT_GPO] = "S3: GET PROCESSING OPTIONS",
        [K2_S4_WAIT_RECORD] = "S4: READ RECORD",
        [K2_S5_WAIT_GET_DATA] = "S5: GET DATA",
        [K2_S6_WAIT_FIRST_WRITE] = "S6: proceed to first write",
        [K2_S7_WAIT_RECORD] = "S7: READ RECORD, mag-stripe mode",
        [K2_S8_WAIT_FIRST_WRITE] = "S8: proceed to first write, mag-stripe mode",
        [K2_S9_WAIT_AC] = "S9: GENERATE AC",
        [K2_S10_WAIT_RECOVERY] = "S10: RECOVER AC",
        [K2_S11_WAIT_AC] = "S11: GENERATE AC after a recovery that failed",
        [K2_S12_WAIT_PUT_DATA] = "S12: PUT DATA before GENERATE AC",
        [K2_S13_WAIT_CHECKSUM] = "S13: COMPUTE CRYPTOGRAPHIC CHECKSUM",
        [K2_S14_WAIT_CHECKSUM] = "S14: COMPUTE CRYPTOGRAPHIC CHECKSUM, device verifies",
    },
};
