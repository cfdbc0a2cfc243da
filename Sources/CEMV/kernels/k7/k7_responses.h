/* SPDX-License-Identifier: Apache-2.0 */
/* What the card answered in one presentment of Kernel 7, kept in the tag store, and that no object came twice (Book
 * C-7 v2.9.1, 4.1.4.3, 4.2.4.3, 4.2.4.4). Knows no command in flight and decides nothing about the transaction. */
#ifndef CEMV_K7_RESPONSES_H
#define CEMV_K7_RESPONSES_H

#include "../../data/data.h"
#include "k7_tags.h"

/* Where the responses lie in the store's arena, in order. */
struct k7_responses {
    uint8_t count;
    bool unindexed;                    /* a known object came that the store has no entry for: an empty one */
    bool locator;                      /* tag 94 came, an empty one too */
    bool expiry_broken;                /* 5F24 came and is no date (Book 3, 7.5) */
    uint16_t at[1 + CEMV_MAX_RECORDS]; /* bit 16: it lies there with its template around it */
};

/* CEMV_STORE_DUPLICATE: an object that came before. CEMV_STORE_BAD_LENGTH: one that the kernel uses has a wrong length,
 * or 5F24 is no date. */
/* The answer to GET PROCESSING OPTIONS, the first. */
enum cemv_store_error k7_keep_gpo(struct k7_responses *responses, struct cemv_store *store, cemv_bytes body);
/* A record that is a template 70; `proprietary`: of SFI 11 to 30. */
enum cemv_store_error k7_keep_record(struct k7_responses *responses, struct cemv_store *store, cemv_bytes body,
                                     bool is_signed, bool proprietary);

#endif
