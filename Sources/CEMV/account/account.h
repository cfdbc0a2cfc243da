/* SPDX-License-Identifier: Apache-2.0 */
/* The account of a card: numbers (ISO/IEC 7812-1), tracks (ISO/IEC 7813), and the brands that they may belong to. Used
 * by kernels and hosts; includes only wire/: bytes in, digits out. Knows no tag store, no kernel and no message. The
 * functions for hosts are declared in include/cemv_cryptogram.h. */
#ifndef CEMV_ACCOUNT_H
#define CEMV_ACCOUNT_H

#include "../include/cemv_cryptogram.h"
#include "../wire/wire.h"

enum {
    CEMV_PAN_DIGITS_MAX = 19,
    CEMV_PAN_SIZE_MAX = 10, /* bytes, cn */
    CEMV_TRACK_2_MAX = 19,  /* bytes */
    CEMV_TRACK_1_MAX = 76,  /* characters */
};

/* ---- digits ------------------------------------------------------------------------------------------------------ */

/* Copies `count` nibbles, beginning at nibble `from`, as cn: left-justified, padded with F if the number is odd. */
void cemv_digits_copy(uint8_t *out, const uint8_t *data, size_t from, size_t count);
/* True if a cn value has digits and its check digit is right (ISO/IEC 7812-1, annex B). */
bool cemv_luhn_ok(cemv_bytes pan);

/* ---- tracks ------------------------------------------------------------------------------------------------------ */

/* The positions of a track's fields: indices of nibbles (track 2) or characters (track 1). A separator may replace date
 * or service code. The contents of the fields, and whether the track is long enough for them, are not checked. */
struct cemv_track_layout {
    size_t pan_end; /* index of the first separator */
    size_t date, service_code, discretionary;
};
/* Returns false without account number and separator. `end`: nibbles of the track. */
bool cemv_track2_lay_out(const uint8_t *track, size_t end, struct cemv_track_layout *out);
/* Returns false without format code B and both separators. The name is between `pan_end` and `date`. */
bool cemv_track1_lay_out(cemv_bytes track, struct cemv_track_layout *out);

/* The account number before the separator, as cn; empty if it does not have 1 to 19 digits. */
cemv_bytes cemv_track2_pan(cemv_bytes track, uint8_t buffer[CEMV_PAN_SIZE_MAX]);
cemv_bytes cemv_track1_pan(cemv_bytes track, uint8_t buffer[CEMV_PAN_SIZE_MAX]);
/* The four digits after an account number; returns false without them. */
bool cemv_track2_expiry(cemv_bytes track, uint8_t yymm[2]);

/* ---- accounts ---------------------------------------------------------------------------------------------------- */

/* The card's data about its account; absent objects are empty. */
struct cemv_account {
    cemv_bytes pan;               /* 5A */
    cemv_bytes expiry;            /* 5F24 */
    cemv_bytes track_2;           /* 57 */
    cemv_bytes track_1;           /* 56 */
    cemv_bytes magstripe_track_2; /* 9F6B of mag-stripe mode */
};
/* The PAN of 5A or, without it, of a track 2; empty if none can be read. */
cemv_bytes cemv_account_pan(const struct cemv_account *account, uint8_t buffer[CEMV_PAN_SIZE_MAX]);
/* True if 5A and 57 contain equal account numbers, or one of them is absent (C-3, A.2; attacks.md, A17). */
bool cemv_account_agrees(const struct cemv_account *account);
/* The contradictions in an account (attacks.md, A17), as a set. A track without an account number contradicts nothing.
 * `pan` is the result of cemv_account_pan(). */
enum { CEMV_ACCOUNT_PANS_DIFFER = 1, CEMV_ACCOUNT_CHECK_DIGIT = 2, CEMV_ACCOUNT_DATES_DIFFER = 4 };
uint8_t cemv_account_faults(const struct cemv_account *account, cemv_bytes pan);
/* True if the PAN contradicts the brand of the selected name (negative table: attacks.md, A03, A33). */
bool cemv_brand_mismatch(cemv_bytes name, cemv_bytes pan);
/* True if the PAN belongs to another network than that name; if it is not a mismatch, the card has two brands (A39). */
bool cemv_brand_of_other_network(cemv_bytes name, cemv_bytes pan);

#endif
