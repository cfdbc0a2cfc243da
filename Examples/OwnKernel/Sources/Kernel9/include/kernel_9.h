/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 9, a third-party kernel: one command, two own tags and one option. An example to copy from; no scheme has such
 * cards. */
#ifndef KERNEL_9_H
#define KERNEL_9_H

#include "cemv.h"

extern const struct cemv_kernel_module kernel_9;

/* `options` of a combination. */
struct kernel_9_options {
    uint32_t offline_limit; /* minor units: below it the card's yes is enough; at most 10,000. 0: always online */
};

/* `option` of a configuration error with CEMV_FIELD_OPTIONS. */
enum kernel_9_option { KERNEL_9_OFFLINE_LIMIT = 1 };

#endif
