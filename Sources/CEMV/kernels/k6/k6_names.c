/* SPDX-License-Identifier: Apache-2.0 */
/* Names of Kernel 6's states, for people. Linked only where they are used; the kernel does not use them. The
 * states are defined in k6.h. */
#include "k6.h"
#include "../../include/cemv_debug.h"

const struct cemv_kernel_names cemv_kernel_6_names = {
    .kernel = "Kernel 6",
    .states = {
        [K6_WAIT_RANDOM] = "random bytes",
        [K6_WAIT_GPO] = "GET PROCESSING OPTIONS",
        [K6_WAIT_RECORD] = "READ RECORD",
        [K6_WAIT_SCRIPT] = "issuer script command",
    },
};
