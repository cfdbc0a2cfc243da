/* SPDX-License-Identifier: Apache-2.0 */
/* Names of Kernel 4's states, for people. Linked only where they are used; the kernel does not use them. The
 * states are defined in k4.h. */
#include "k4.h"
#include "../../include/cemv_debug.h"

const struct cemv_kernel_names cemv_kernel_4_names = {
    .kernel = "Kernel 4",
    .states = {
        [K4_WAIT_GPO] = "GET PROCESSING OPTIONS",
        [K4_WAIT_RECORD] = "READ RECORD",
        [K4_WAIT_COUNTER] = "GET DATA",
        [K4_WAIT_AC] = "GENERATE AC",
        [K4_WAIT_DISPLAY] = "display",
    },
};
