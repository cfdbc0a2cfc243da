/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 4 (American Express, Book C-4 v2.10): the module that a reader lists to have it, and its options of a
 * combination. Knows no session. Rows: Conformance/book-c4.md. */
/* A row of the configuration's kernels:
 *
 *   static const struct cemv_kernel_row kernels[] = { { { 4 }, 1, &cemv_kernel_4, NULL } };
 *
 * Of the data of terminal or combination it demands 9F1A, 9F33 and 9F35 (Tables 14-8 and 14-9); 9F6D and 9F6E say what
 * the reader can do, and without 9F6E it can do nothing. A combination has no TTQ. */
#ifndef CEMV_KERNEL_4_H
#define CEMV_KERNEL_4_H

#include "cemv_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct cemv_kernel_module cemv_kernel_4;
extern const struct cemv_kernel_names cemv_kernel_4_names;       /* cemv_debug.h */
extern const struct cemv_kernel_settings cemv_kernel_4_settings; /* cemv_replies.h */

#define CEMV_KERNEL_4_LIMIT_SETS 15
/* Options of a combination, struct cemv_combination. Zeros are the defaults. */
struct cemv_kernel_4_options {
    /* Terminal Action Codes as 95 is coded (10.2.1, Table 14-8). Default: zeros. */
    uint8_t tac_denial[5], tac_online[5], tac_default[5];
    /* Unpredictable Number Range of mag-stripe mode, in months (10.2.3.1): 60 to 65535. 0: the default, 60. */
    uint16_t number_range;
    /* The host cannot be reached, as far as this reader knows (4.3.1.3, 10.2.1.2.2); struct cemv_transaction has the
     * same for one transaction. */
    bool cannot_go_online;
    /* The objects that go out with a completed transaction, a DOL of up to 252 bytes whose lengths are not looked at
     * (3, Annex A.4). Empty: none, the default. */
    cemv_bytes discretionary_list;
    /* Dynamic reader limits (7.2.1): the default set, and set n of 1 to 15 at [n]. A NULL is no set, without [0] there
     * may be no other; NULL itself: not supported. Of a set only the limits TRANSACTION, FLOOR and CVM_REQUIRED
     * count. */
    const struct cemv_limits *const *dynamic_limits; /* CEMV_KERNEL_4_LIMIT_SETS + 1 of them */
};

/* `option` of a configuration error with CEMV_FIELD_OPTIONS. */
enum cemv_kernel_4_option {
    CEMV_KERNEL_4_NUMBER_RANGE = 1,
    CEMV_KERNEL_4_DISCRETIONARY_LIST = 2,
    CEMV_KERNEL_4_DYNAMIC_LIMITS = 3,
};

#ifdef __cplusplus
}
#endif
#endif

/* A row of the lists that are made of cemv_kernels.h. */
#ifdef CEMV_EACH_KERNEL
CEMV_EACH_KERNEL(4)
#endif
