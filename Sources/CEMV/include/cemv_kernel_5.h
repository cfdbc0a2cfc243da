/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 5 (JCB J/Speedy, Book C-5 v2.10): the row of the kernel table, and what only this kernel is configured with.
 *
 *   static const struct cemv_kernel_row kernels[] = { { { 5 }, 1, &cemv_kernel_5, NULL } };
 *
 * It checks its limits itself, not Entry Point, so that `limits` of a combination are refused and these options have
 * them. Of the data of terminal or combination it demands 9F1A and 9F35; for a check of an ATM's usage control it looks
 * at 9F40. */
#ifndef CEMV_KERNEL_5_H
#define CEMV_KERNEL_5_H

#include "cemv_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct cemv_kernel_module cemv_kernel_5;
extern const struct cemv_kernel_names cemv_kernel_5_names;       /* cemv_debug.h */
extern const struct cemv_kernel_settings cemv_kernel_5_settings; /* cemv_replies.h */

/* Combination Options, byte 1 (A.3). */
enum cemv_kernel_5_combination_options {
    CEMV_KERNEL_5_STATUS_CHECK = 0x40,
    CEMV_KERNEL_5_ODA = 0x20,
    CEMV_KERNEL_5_EXCEPTION_FILE = 0x10,
    CEMV_KERNEL_5_RANDOM_SELECTION = 0x08,
    CEMV_KERNEL_5_MAG_STRIPE_MODE = 0x04, /* no more in this version: must be 0 */
    CEMV_KERNEL_5_EMV_MODE = 0x02,        /* must be 1 */
    CEMV_KERNEL_5_LEGACY_MODE = 0x01,
};

/* Terminal Interchange Profile (A.9): byte 1, and one bit of byte 2. */
enum cemv_kernel_5_interchange_profile {
    CEMV_KERNEL_5_TIP_1_CVM_REQUIRED = 0x80, /* the kernel's: must be 0 in a configuration */
    CEMV_KERNEL_5_TIP_1_SIGNATURE = 0x40,
    CEMV_KERNEL_5_TIP_1_ONLINE_PIN = 0x20,
    CEMV_KERNEL_5_TIP_1_ON_DEVICE_CVM = 0x10,
    CEMV_KERNEL_5_TIP_1_TRANSIT = 0x04,
    CEMV_KERNEL_5_TIP_1_CONTACT_CHIP = 0x02,
    CEMV_KERNEL_5_TIP_1_OFFLINE_PIN_ON_CONTACT = 0x01,
    CEMV_KERNEL_5_TIP_2_ISSUER_UPDATE = 0x80,
};

/* What of the options is given where zero would be a value, a bit set. */
enum cemv_kernel_5_given {
    CEMV_KERNEL_5_GIVEN_TAC_DENIAL = 1,
    CEMV_KERNEL_5_GIVEN_TAC_ONLINE = 2,
    CEMV_KERNEL_5_GIVEN_TAC_DEFAULT = 4,
    CEMV_KERNEL_5_GIVEN_SELECTION = 8,
};

/* Options of a combination, struct cemv_combination. Zeros are the defaults. */
struct cemv_kernel_5_options {
    /* All bite at amount >= limit: CEMV_LIMIT_TRANSACTION (Contactless Transaction Limit, 3.5.1, 3.8.3.6), _FLOOR
     * (3.5.3.2), _CVM_REQUIRED (3.5.2), _CDCVM_TRANSACTION (On-Device CVM, 3.8.3.5). Absent: there is no such limit.
     * CEMV_LIMIT_TERMINAL_FLOOR is refused. */
    struct cemv_limits limits;
    uint8_t combination_options[2];          /* A.3; zeros: the default, 2200 (ODA, EMV Mode) */
    uint8_t terminal_interchange_profile[3]; /* A.9, static */
    uint8_t given;                           /* enum cemv_kernel_5_given */
    uint8_t tac_denial[5];                   /* not given: 0410000000 (Annex D) */
    uint8_t tac_online[5];                   /* not given: 9060009000 */
    uint8_t tac_default[5];                  /* not given: 9040008000 */
    uint8_t target, maximum_target;          /* of random selection, 0 to 99 (Book 3, 10.6.2) */
    uint64_t threshold;                      /* of random selection, minor units: below the floor limit */
    uint16_t removal_timeout;                /* 0 to 9999, in 100 ms (3.12.4) */
    /* Transit Agent ID, "DF83", and Transit Related Data, "DF84", for lists of the card: their numbers are no tags by
     * the rules of Book 3, Annex B, so that they cannot be among the data objects. Zeros: absent. */
    uint8_t transit_agent[16];
    uint8_t transit_data[50];
};

/* `option` of a configuration error with CEMV_FIELD_OPTIONS. */
enum cemv_kernel_5_option {
    CEMV_KERNEL_5_COMBINATION_OPTIONS = 1,
    CEMV_KERNEL_5_TERMINAL_INTERCHANGE_PROFILE = 2,
    CEMV_KERNEL_5_SELECTION = 3,
    CEMV_KERNEL_5_REMOVAL_TIMEOUT = 4,
    CEMV_KERNEL_5_LIMITS = 5,
};

#ifdef __cplusplus
}
#endif
#endif

/* A row of the lists that are made of cemv_kernels.h. */
#ifdef CEMV_EACH_KERNEL
CEMV_EACH_KERNEL(5)
#endif
