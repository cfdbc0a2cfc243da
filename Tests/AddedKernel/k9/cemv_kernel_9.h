/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 9, a kernel for a test (Scripts/kernel-modules): the module that a reader lists to have it, and its options of
 * a combination. Knows no session. No book: no scheme has such cards. A built-in kernel has this header in include/. */
#ifndef CEMV_KERNEL_9_PUBLIC_H
#define CEMV_KERNEL_9_PUBLIC_H

#include "cemv_configuration.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CEMV_KERNEL_9_HIGHEST_LIMIT 10000

/* `options` of a combination of Kernel 9; all zero is the default. */
struct cemv_kernel_9_options {
    uint32_t offline_limit; /* minor units, at most CEMV_KERNEL_9_HIGHEST_LIMIT: below it the card's yes is enough.
                             * Default: 0, always online */
};

/* The kernel, for a row of the configuration's table. */
extern const struct cemv_kernel_module cemv_kernel_9;
extern const struct cemv_kernel_names cemv_kernel_9_names; /* cemv_debug.h */

/* `option` of a configuration error with CEMV_FIELD_OPTIONS. */
enum cemv_kernel_9_option { CEMV_KERNEL_9_OFFLINE_LIMIT = 1 };

#ifdef __cplusplus
}
#endif
#endif

/* A row of the lists that are generated from cemv_kernels.h. */
#ifdef CEMV_EACH_KERNEL
CEMV_EACH_KERNEL(9)
#endif
