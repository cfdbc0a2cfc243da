/* SPDX-License-Identifier: Apache-2.0 */
/* Names of Kernel 7's states, for people. Linked only where they are used; the kernel does not use them. The
 * states are defined in k7.h. */
#include "k7.h"
#include "../../include/cemv_debug.h"

const struct cemv_kernel_names cemv_kernel_7_names = {
    .kernel = "Kernel 7",
    .states = {
        [K7_WAIT_GPO] = "GET PROCESSING OPTIONS",
        [K7_WAIT_RECORD] = "READ RECORD",
    },
};
