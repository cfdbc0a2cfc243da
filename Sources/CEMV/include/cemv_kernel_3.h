/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 3, Visa (Book C-3 v2.10): the module that a reader lists to have it, and its options of a combination in
 * addition to the common members. Knows no session. Rows: Conformance/book-c3.md. */
#ifndef CEMV_KERNEL_3_PUBLIC_H
#define CEMV_KERNEL_3_PUBLIC_H

#include "cemv_configuration.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct cemv_kernel_module cemv_kernel_3;
extern const struct cemv_kernel_names cemv_kernel_3_names;       /* cemv_debug.h */
extern const struct cemv_kernel_settings cemv_kernel_3_settings; /* cemv_replies.h */

/* Dynamic reader limits (dropped from C-3 v2.10, still met): a set chosen by the prefix of tag 9F5A. */
#define CEMV_MAX_DYNAMIC_LIMITS 4
struct cemv_dynamic_limit {
    cemv_bytes program; /* 1 to 16 bytes, matched against the start of 9F5A */
    struct cemv_limits limits;
    uint8_t zero_amount; /* enum cemv_zero_amount */
    bool status_check;
};

/* `options` of a combination of Kernel 3; all zero is the default. Faults are named as CEMV_FIELD_DYNAMIC_LIMITS. */
struct cemv_kernel_3_options {
    const struct cemv_dynamic_limit *dynamic_limits;
    size_t dynamic_limit_count; /* up to CEMV_MAX_DYNAMIC_LIMITS; 0: off */
    bool usage_control_off;     /* switches the cash and cash-back checks of 5.5.1.3-4 off */
    bool gpo_format_1;          /* accepts tag 80 in answer to GET PROCESSING OPTIONS */
};

#ifdef __cplusplus
}
#endif
#endif

/* A row of the lists that are made of cemv_kernels.h. */
#ifdef CEMV_EACH_KERNEL
CEMV_EACH_KERNEL(3)
#endif
