/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2, Mastercard: the module that a reader lists to have it. Data objects alone configure it; a combination has
 * no options for it. Rows and sources: Conformance/book-c2.md. */
#ifndef CEMV_KERNEL_2_PUBLIC_H
#define CEMV_KERNEL_2_PUBLIC_H

#include "cemv_configuration.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct cemv_kernel_module cemv_kernel_2;
extern const struct cemv_kernel_names cemv_kernel_2_names; /* cemv_debug.h */

#ifdef __cplusplus
}
#endif
#endif

/* A row of the lists that are made of cemv_kernels.h. */
#ifdef CEMV_EACH_KERNEL
CEMV_EACH_KERNEL(2)
#endif
