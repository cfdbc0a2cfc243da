/* SPDX-License-Identifier: Apache-2.0 */
/* Names of Kernel 3's states, for people. Linked only where they are used; the kernel does not use them. The
 * states are defined in k3.h. */
#include "k3.h"
#include "../../include/cemv_debug.h"

const struct cemv_kernel_names cemv_kernel_3_names = {
    .kernel = "Kernel 3",
    .states = {
        [K3_WAIT_GPO] = "GET PROCESSING OPTIONS",
        [K3_WAIT_RECORD] = "READ RECORD",
        [K3_WAIT_CARD_READ] = "card read is shown",
        [K3_WAIT_ISSUER_AUTHENTICATION] = "EXTERNAL AUTHENTICATE",
        [K3_WAIT_SCRIPT] = "issuer script command",
    },
};
