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

#ifdef __cplusplus
}
#endif
#endif
