/* SPDX-License-Identifier: Apache-2.0 */
/* The states of Kernel 6, and the decisions of Book C-6 v2.6 as pure functions of plain structs. They are kept apart
 * from the dialogue with the card, so that each can be compared over all its inputs with an independent implementation.
 * No decision reads a store or knows a command in progress. "F3-8.5" is Figure 3-8, step 5; CPR is 9F71, CVR the
 * Contactless Card Verification Results inside 9F10. */
#ifndef CEMV_K6_H
#define CEMV_K6_H

#include "../../account/account.h"
#include "../../outcome/outcome.h"

enum k6_state {
    /* Awaits random bytes of the driver: the pool was empty when the number of an MS mode was needed (F3-2). */
    K6_WAIT_RANDOM = 1,
    /* Awaits the response to GET PROCESSING OPTIONS (3.2): the card's decision, with its cryptogram or signature and
     * its requirements. */
    K6_WAIT_GPO = 2,
    /* Awaits a record of the AFL (3.3): the tracks of an MS mode, or the data for authentication and restrictions. */
    K6_WAIT_RECORD = 3,
    /* Second presentment. Awaits the response to an issuer script command (3.10). The first failure ends the update. */
    K6_WAIT_SCRIPT = 4,
};

/* The way a step ends the tap, or that it does not. */
enum k6_verdict {
    K6_FINE = 0,
    K6_OTHER_INTERFACE = 1, /* Try Another Interface (B.5) */
    K6_SELECT_NEXT = 2,     /* B.9 */
    K6_END = 3,             /* End Application without a message (B.6) */
    K6_ERROR = 4,           /* End Application for a processing error (B.7) */
    K6_REFUSED = 5,         /* Try Another Interface if the terminal has one, else the processing error (F3-7.8, .9) */
};

/* The cryptogram's type, in the coding of bits 8-7 of 9F27. */
enum k6_cryptogram { K6_AAC = 0, K6_TC = 1, K6_ARQC = 2, K6_RFU = 3 };

/* The FCI (3.1) ---------------------------------------------------------------------------------------------------- */

/* With K6_FINE the FCI contains exactly one 9F38, in the right template. */
struct k6_selected {
    uint8_t verdict;     /* enum k6_verdict */
    bool magstripe;      /* MS Mode is used from here on */
    uint8_t number_size; /* the requested length of the unpredictable number */
    cemv_bytes name;     /* 84 */
};
/* F3-3 to F3-6. `both_modes`: the reader supports MS Mode too. */
struct k6_selected k6_select_emv(cemv_bytes fci, bool both_modes);
/* F3-1, F3-2: for readers with MS Mode only, and the legacy AID. */
struct k6_selected k6_select_magstripe(cemv_bytes fci, bool other_interface);

/* The numeric unpredictable number of an MS mode: `size` (1 to 4) bytes of digits. Returns false if this random number
 * would make some results more likely than others; then another one must be drawn. */
bool k6_number(const uint8_t random[4], uint8_t size, uint8_t number[4]);

/* GET PROCESSING OPTIONS (3.2) ------------------------------------------------------------------------------------- */

/* Objects that the kernel does not use are ignored. A repeated object of the kernel is K6_REFUSED too. This function
 * only notices that two tags may be equal; whether they are, and whether the tag is known, is checked against the
 * store's tags. */
struct k6_response {
    uint8_t verdict;
    uint8_t cryptogram; /* enum k6_cryptogram; EMV Mode */
    bool broken;        /* the list is cut off */
    bool maybe_twice;   /* two tags may be equal; if false, none are */
};
struct k6_response k6_check_response(cemv_bytes objects, bool magstripe);
/* The contents of the single template 77. Returns false if the response is anything else. */
bool k6_response_objects(cemv_bytes body, cemv_bytes *objects);

/* Tracks (3.3, Annex E) -------------------------------------------------------------------------------------------- */

/* The digits that are written into the tracks. k6_fill_track_1() and _2() return false, and change nothing, if the
 * track has no room for all digits. */
struct k6_fill {
    uint8_t dcvv[3];   /* digits */
    uint8_t number[2]; /* the last two digits of the number as sent */
};
/* Returns false if 9F7E is not a value of three digits. */
bool k6_fill_open(struct k6_fill *fill, cemv_bytes dcvv, cemv_bytes number);
bool k6_fill_track_1(uint8_t *track, size_t size, const struct k6_fill *fill);
bool k6_fill_track_2(uint8_t *track, size_t size, const struct k6_fill *fill);

/* Cardholder verification (3.5) ------------------------------------------------------------------------------------ */

struct k6_cvm_in {
    uint8_t ttq[4], cpr[2];
    uint8_t cvr[2]; /* bytes 1 and 2; absent: zeros */
    bool other_interface;
    bool proven; /* a good signature covers CPR and 9F10 */
    /* Beyond the book (attacks.md, A01, A08, A32). Above the limit, online PIN replaces unproven methods: */
    bool distrust_none;
    bool distrust_signature;
    bool distrust_device;
    bool needs_online; /* no online PIN at an offline-only reader */
};
struct k6_cvm {
    uint8_t verdict;
    uint8_t cvm;     /* enum cemv_cvm */
    bool performed;  /* TSI */
    bool replaced;   /* a rule beyond the book changed the result */
    bool unproven;   /* the device's claim is accepted without proof */
    bool from_plain; /* the reader supports online PIN, but unproven data led to a weaker method */
};
struct k6_cvm k6_cvm(const struct k6_cvm_in *in);

/* Processing restrictions (3.6) ------------------------------------------------------------------------------------ */

/* True if the usage is refused (Book 3, 10.4.2). Sizes are those of the book. */
struct k6_usage_in {
    uint8_t cryptogram;
    cemv_bytes control, issuer; /* 9F07, 5F28; empty: absent */
    cemv_bytes country;         /* 9F1A */
    cemv_bytes terminal_type;   /* 9F35 */
    cemv_bytes capabilities;    /* 9F40 */
    uint8_t type;               /* 9C */
    bool cash_back;             /* the amount, other is not zero */
};
bool k6_usage_refused(const struct k6_usage_in *in);

struct k6_dates_in {
    cemv_bytes track_2, expiry, effective; /* 57, 5F24, 5F25 */
    cemv_bytes card_version, version;      /* 9F08, 9F09 */
    uint8_t today[3];                      /* YYMMDD, a valid date */
    bool effective_alone;                  /* beyond the book: 5F25 counts without 9F08 */
};
struct k6_dates {
    uint8_t verdict;
    uint8_t tvr_2;     /* bits to set in byte 2 of the TVR */
    bool expiry_known; /* the card sent an expiry date */
};
struct k6_dates k6_dates(const struct k6_dates_in *in);

/* Terminal action analysis (3.7) ----------------------------------------------------------------------------------- */

enum k6_action { K6_APPROVED = 0, K6_DECLINED = 1, K6_GO_ONLINE = 2, K6_SWITCH = 3 };
struct k6_action_in {
    uint8_t cryptogram;
    uint8_t tvr[5], cpr[2], ttq[4];
    bool other_interface;
    bool refuse_failed; /* beyond the book: a failed signature never goes online (attacks.md, A08) */
    bool needs_online;  /* beyond the book: an offline-only reader sends nothing online */
};
uint8_t k6_action(const struct k6_action_in *in);

/* Issuer scripts (3.10) -------------------------------------------------------------------------------------------- */

/* Reads one of the four permitted commands, complete (Table 2-2, note 1). */
bool k6_script_command(cemv_bytes bytes, struct cemv_command *command);

#endif
