/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 7, UnionPay QuickPass (Book C-7 v2.9.1): the module that a reader lists to have it, and its options of a
 * combination in addition to the common members. Knows no session. Rows: Conformance/book-c7.md. */
#ifndef CEMV_KERNEL_7_PUBLIC_H
#define CEMV_KERNEL_7_PUBLIC_H

#include "cemv_configuration.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Other interfaces that the terminal offers if this one cannot continue (4.1.4.3, 4.3.2.5), a bit set; the contact
 * chip goes first (4.5.5). */
enum cemv_kernel_7_interfaces {
    CEMV_KERNEL_7_AS_TERMINAL = 0,  /* contact where TTQ byte 1 bit 5 is set, magnetic stripe where 9F33 byte 1 bit 7
                                     * is; not with other bits */
    CEMV_KERNEL_7_CONTACT = 1,      /* the contact chip */
    CEMV_KERNEL_7_MAGSTRIPE = 2,    /* the magnetic stripe */
    CEMV_KERNEL_7_NO_INTERFACE = 4, /* no other interface; not with other bits */
};

/* `options` of a combination of Kernel 7; all zero is the default. */
struct cemv_kernel_7_options {
    bool oda_for_online;      /* true: the reader reads DF61 of the FCI and requests the card's signature online, too
                               * (transit; 3.2.2 item 1). Default: false, DF61 is not looked at */
    bool cvm_off;             /* true: no cardholder verification by this kernel (ATMs; 4.4.1). Default: false */
    uint8_t other_interfaces; /* enum cemv_kernel_7_interfaces. Default: CEMV_KERNEL_7_AS_TERMINAL */
};

/* The kernel, for a row of the configuration's table. */
extern const struct cemv_kernel_module cemv_kernel_7;
extern const struct cemv_kernel_names cemv_kernel_7_names;       /* cemv_debug.h */
extern const struct cemv_kernel_settings cemv_kernel_7_settings; /* cemv_replies.h */

/* `option` of a configuration error with CEMV_FIELD_OPTIONS. */
enum cemv_kernel_7_option { CEMV_KERNEL_7_OTHER_INTERFACES = 1 };

#ifdef __cplusplus
}
#endif
#endif

/* A row of the lists that are made of cemv_kernels.h. */
#ifdef CEMV_EACH_KERNEL
CEMV_EACH_KERNEL(7)
#endif
