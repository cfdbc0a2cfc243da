/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 8 (Book C-8 v1.0): the row of the kernel table, and what only this kernel is configured with.
 *
 *   static const struct cemv_kernel_row kernels[] = { { { 8 }, 1, &cemv_kernel_8, NULL } };
 *
 * It needs a crypto port with a `secret` part. Its floor and CVM limits are data objects (9F820D, 9F820E);
 * of the limits of a combination it leaves Entry Point the transaction limit. Objects that Book C-8 does not list may
 * be in the data of a combination: an empty one may be filled by the card, any other is the terminal's. */
#ifndef CEMV_KERNEL_8_H
#define CEMV_KERNEL_8_H

#include "cemv_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct cemv_kernel_module cemv_kernel_8;
extern const struct cemv_kernel_names cemv_kernel_8_names;       /* cemv_debug.h */
extern const struct cemv_kernel_settings cemv_kernel_8_settings; /* cemv_replies.h */

/* Session memory that does for every built-in kernel, this one among them. */
#define CEMV_KERNEL_8_SESSION_SIZE 10240
/* Objects of a combination that Book C-8 does not list. */
#define CEMV_KERNEL_8_PROPRIETARY_MAX 8

/* Options of a combination, struct cemv_combination. Zeros are the defaults. */
struct cemv_kernel_8_options {
    /* A fixed latency of the link in microseconds, subtracted from each measured time of relay resistance (21.17); 0:
     * the latency of the reader memory or the protection. */
    uint32_t relay_latency_us;
    bool no_data_exchange; /* the implementation option Data Exchange and Data Storage is off (3.1) */
};

/* `option` of a configuration error with CEMV_FIELD_OPTIONS. */
enum cemv_kernel_8_option {
    CEMV_KERNEL_8_SECRET_CRYPTO = 1, /* the port has no `secret` part */
    CEMV_KERNEL_8_CURVE_KEYS = 2,    /* the key of the row `tag` of curve_keys: no point of its curve, or a checksum */
    CEMV_KERNEL_8_PROPRIETARY = 3,   /* more than CEMV_KERNEL_8_PROPRIETARY_MAX objects */
};

#ifdef __cplusplus
}
#endif
#endif

/* A row of the lists that are made of cemv_kernels.h. */
#ifdef CEMV_EACH_KERNEL
CEMV_EACH_KERNEL(8)
#endif
