/* SPDX-License-Identifier: Apache-2.0 */
/* The card's responses in one presentment of Kernel 7, kept in the tag store, and the check that no object came twice
 * (Book C-7 v2.9.1, 4.1.4.3, 4.2.4.3, 4.2.4.4). Knows no command in progress and decides nothing about the
 * transaction. */
#ifndef CEMV_K7_RESPONSES_H
#define CEMV_K7_RESPONSES_H

#include "../../data/data.h"
#include "k7_tags.h"

/* The positions of the responses in the store's arena, in order. */
struct k7_responses {
    uint8_t count;
    bool unindexed;                    /* an empty known object came, which has no entry in the store */
    bool locator;                      /* tag 94 came, even if empty */
    bool expiry_broken;                /* 5F24 came and is not a date (Book 3, 7.5) */
    uint16_t at[1 + CEMV_MAX_RECORDS]; /* bit 16: stored with its template around it */
};

/* Both functions return CEMV_STORE_DUPLICATE if an object came before, and CEMV_STORE_BAD_LENGTH if an object that the
 * kernel uses has a wrong length or 5F24 is not a date. */
/* Stores the response to GET PROCESSING OPTIONS. Called first. */
enum cemv_store_error k7_keep_gpo(struct k7_responses *responses, struct cemv_store *store, cemv_bytes body);
/* Stores a record that is a template 70; `proprietary`: of SFI 11 to 30. */
enum cemv_store_error k7_keep_record(struct k7_responses *responses, struct cemv_store *store, cemv_bytes body,
                                     bool is_signed, bool proprietary);

#endif
