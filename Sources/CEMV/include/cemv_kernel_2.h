/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2, Mastercard: the module that a reader lists to have it. Only data objects of the combination or the terminal
 * configure it. A combination's `limits` and `options` are refused: the limits are four of these objects, and none of
 * them has a useful default. Rows and sources: Conformance/book-c2.md.
 *
 *   tag     limit, n 12 in minor units, exceeded at amount > limit       if it is absent
 *   DF8123  floor limit                                       0: no amount but zero is approved offline
 *   DF8124  transaction limit                                 0: every amount but zero ends with KERNEL_LIMIT
 *   DF8125  transaction limit for devices with on-device CVM  0: likewise
 *   DF8126  CVM required limit                                0: every amount but zero requires a CVM
 *
 * 999999999999 means no limit. A reader must have DF8124 and DF8125, or it accepts nothing. It has its CVMs in DF8118
 * (above DF8126) and DF8119, its security capability in DF811F (bit 4: CDA, without which nothing is approved offline),
 * and its modes in DF811B. Action codes, DF8120 to DF8122, have the book's defaults. Of the terminal's data the cards'
 * lists ask for 9F1A, 9F35 and 9F40 at least. */
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
