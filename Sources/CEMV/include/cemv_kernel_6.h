/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 6 (Discover D-PAS, Book C-6 v2.6): the row of the kernel table, and what only this kernel is configured with.
 *
 *   static const struct cemv_kernel_row kernels[] = { { { 6 }, 1, &cemv_kernel_6, NULL } };
 *
 * Of the data of terminal or combination it demands 9F09, 9F1A, 9F1E, 9F33 and 9F35 (Tables 4-8 to 4-11), of a
 * combination its TTQ; one for the legacy AID alone (RID A000000324) may do without a TTQ (Figure 2-1). */
#ifndef CEMV_KERNEL_6_H
#define CEMV_KERNEL_6_H

#include "cemv_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct cemv_kernel_module cemv_kernel_6;
extern const struct cemv_kernel_names cemv_kernel_6_names;       /* cemv_debug.h */
extern const struct cemv_kernel_settings cemv_kernel_6_settings; /* cemv_replies.h */

/* The flow of a combination (2.1, 2.3.1). */
enum cemv_kernel_6_mode {
    /* Legacy for RID A000000324; MS where TTQ byte 1 has bit 8 without bit 6; else as card and reader agree (Figure
     * 3-6). */
    CEMV_KERNEL_6_MODE_AUTO = 0,
    CEMV_KERNEL_6_MODE_EMV = 1,    /* EMV Mode alone, whatever the card offers */
    CEMV_KERNEL_6_MODE_MS = 2,     /* MS Mode alone */
    CEMV_KERNEL_6_MODE_LEGACY = 3, /* Legacy MS Mode ("Zip") */
};

/* Other interfaces that the terminal offers if this one cannot continue (F3-2.2a, F3-7.8, F3-12.13, F3-15.4), a bit
 * set; the contact chip goes first (B.5). */
enum cemv_kernel_6_interfaces {
    CEMV_KERNEL_6_AS_TERMINAL = 0,  /* contact where TTQ byte 1 bit 5 is set (Table 4-16, note 1), magnetic stripe where
                                     * 9F33 byte 1 bit 7 is; not with other bits */
    CEMV_KERNEL_6_CONTACT = 1,      /* the contact chip */
    CEMV_KERNEL_6_MAGSTRIPE = 2,    /* the magnetic stripe */
    CEMV_KERNEL_6_NO_INTERFACE = 4, /* no other interface; not with other bits */
};

/* Options of a combination, struct cemv_combination. Zeros are the defaults. */
struct cemv_kernel_6_options {
    uint8_t mode;             /* enum cemv_kernel_6_mode */
    uint8_t other_interfaces; /* enum cemv_kernel_6_interfaces */
    /* The place of the Contactless Card Verification Results in 9F10 (Figure 3-13; the book does not say): number of
     * their first byte, counted from 1, at most 25. 0: the default, 3. */
    uint8_t cvr_byte;
    bool one_presentment; /* no issuer update: a second presentment is never requested, whatever TTQ 3.8 says (3.8) */
    uint32_t track_1_tag; /* the data object with Track 1 of the MS modes (Annex E names none). 0: the default, 56 */
};

/* `option` of a configuration error with CEMV_FIELD_OPTIONS. */
enum cemv_kernel_6_option {
    CEMV_KERNEL_6_MODE = 1,
    CEMV_KERNEL_6_OTHER_INTERFACES = 2,
    CEMV_KERNEL_6_CVR_BYTE = 3,
    CEMV_KERNEL_6_TRACK_1_TAG = 4, /* with the tag */
};

#ifdef __cplusplus
}
#endif
#endif

/* A row of the lists that are made of cemv_kernels.h. */
#ifdef CEMV_EACH_KERNEL
CEMV_EACH_KERNEL(6)
#endif
