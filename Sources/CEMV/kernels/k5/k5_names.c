/* SPDX-License-Identifier: Apache-2.0 */
/* Names of Kernel 5's states, for people. Linked only where they are used; the kernel does not use them. The
 * states are defined in k5.h. */
#include "k5.h"
#include "../../include/cemv_debug.h"

const struct cemv_kernel_names cemv_kernel_5_names = {
    .kernel = "Kernel 5",
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
