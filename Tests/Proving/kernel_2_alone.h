/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2 without a session, for properties of its modules. */
#ifndef KERNEL_2_ALONE_H
#define KERNEL_2_ALONE_H

#include "CEMVInternals.h"

/* Clears all four and joins them: one combination, the built-in cryptography, 2026-11-21 12:30:15. The caller opens the
 * store. */
void kernel_2_alone(struct cemv_kernel *kernel, struct cemv_checked *checked, struct cemv_combination *combination,
                    struct cemv_reader_memory *reader, uint8_t profile);

#endif
