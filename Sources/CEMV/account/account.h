/* SPDX-License-Identifier: Apache-2.0 */
/* The account of a card: numbers (ISO/IEC 7812-1), tracks (ISO/IEC 7813), and whose brand they may carry. Shared by
 * kernels and hosts; over wire/ alone: bytes in, digits out. Nothing here knows a tag store, a kernel or a message.
 * What hosts call is declared in include/cemv_cryptogram.h. */
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

/* ---- digits ---- */

/* `count` nibbles from nibble `from` on, as cn: left-justified, F behind an odd number. */
void cemv_digits_copy(uint8_t *out, const uint8_t *data, size_t from, size_t count);
/* A cn value has digits, and the last one checks (ISO/IEC 7812-1, annex B). */
bool cemv_luhn_ok(cemv_bytes pan);

/* ---- tracks ---- */

/* Where the fields of a track lie: indices of nibbles (track 2) or characters (track 1). A separator may stand in the
 * place of date or service code. What the fields hold, and whether the track is long enough for them, is not looked
 * at. */
struct cemv_track_layout {
    size_t pan_end; /* of the first separator */
    size_t date, service_code, discretionary;
};
/* Account number and separator; false without them. `end`: nibbles of the track. */
bool cemv_track2_lay_out(const uint8_t *track, size_t end, struct cemv_track_layout *out);
/* Format code B and both separators; false without them. The name lies between `pan_end` and `date`. */
bool cemv_track1_lay_out(cemv_bytes track, struct cemv_track_layout *out);

/* The account number before the separator, as cn; empty if there is none of 1 to 19 digits. */
cemv_bytes cemv_track2_pan(cemv_bytes track, uint8_t buffer[CEMV_PAN_SIZE_MAX]);
cemv_bytes cemv_track1_pan(cemv_bytes track, uint8_t buffer[CEMV_PAN_SIZE_MAX]);
/* Behind an account number: four digits. */
bool cemv_track2_expiry(cemv_bytes track, uint8_t yymm[2]);

/* ---- accounts ---- */

/* What a card says of its account; empty where it says nothing. */
struct cemv_account {
    cemv_bytes pan;               /* 5A */
    cemv_bytes expiry;            /* 5F24 */
    cemv_bytes track_2;           /* 57 */
    cemv_bytes track_1;           /* 56 */
    cemv_bytes magstripe_track_2; /* 9F6B of mag-stripe mode */
};
/* The PAN of 5A or, without it, of a track 2; empty if none can be read. */
cemv_bytes cemv_account_pan(const struct cemv_account *account, uint8_t buffer[CEMV_PAN_SIZE_MAX]);
/* 5A and 57 name the same account, or one of them is absent (C-3, A.2; attacks.md, A17). */
bool cemv_account_agrees(const struct cemv_account *account);
/* What contradicts itself (attacks.md, A17); a set. Tracks without an account number contradict none. `pan` is that of
 * cemv_account_pan(). */
enum { CEMV_ACCOUNT_PANS_DIFFER = 1, CEMV_ACCOUNT_CHECK_DIGIT = 2, CEMV_ACCOUNT_DATES_DIFFER = 4 };
uint8_t cemv_account_faults(const struct cemv_account *account, cemv_bytes pan);
/* The PAN contradicts the brand of the name that was selected (negative table: attacks.md, A03, A33). */
bool cemv_brand_mismatch(cemv_bytes name, cemv_bytes pan);
/* The PAN belongs to another network than that name's: on a card of two brands, if it is not a mismatch (A39). */
bool cemv_brand_of_other_network(cemv_bytes name, cemv_bytes pan);

#endif
