/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 5: its memory during a transaction, and the functions that its parts call in each other. The parts: k5.c is
 * the dialogue, k5_risk.c collects the input of the decisions before the cryptogram, k5_cryptogram.c evaluates the
 * response, k5_torn.c handles the context of a torn tap, k5_update.c the issuer's answer, k5_lists.c the values for the
 * card's lists, k5_end.c outcomes and their records, k5_configuration.c the settings. */
#ifndef CEMV_K5_MEMORY_H
#define CEMV_K5_MEMORY_H

#include "k5.h"
#include "k5_tags.h"
#include "../kernel.h"
#include "../../exchange/exchange.h"

enum {
    K5_NAME_MAX = 16,
    K5_LIST_MAX = 255, /* values for a CDOL */
    K5_LATE_MAX = 24,  /* those that depend on the issuer's answer */
};

/* A value of CDOL2 that is unknown until the issuer has answered. */
struct k5_late {
    uint8_t at, size; /* position in the values */
    uint8_t tag;      /* 8A, 91 or 95 */
};

struct k5_memory {
    struct cemv_record_id record; /* the record that is being read */
    bool legacy;                  /* Legacy Mode; else EMV Mode, or not known yet */
    bool recovering;              /* a torn tap (3.13) */
    bool static_failed;           /* a signed record is not a template 70 (Book 3, 10.3) */
    bool downgraded;              /* an EMV Mode card in Legacy Mode */
    bool listed, foreign;         /* the account is on the exception file; the protection refuses its brand */
    bool cda_asked;
    bool bound;        /* the sent values bind the card's signature to the transaction */
    bool verified;     /* the signature of this tap is good */
    uint8_t requested; /* enum cemv_rules_cryptogram of GENERATE AC */
    uint8_t tip[3];    /* dynamic */
    uint64_t tvr;
    struct cemv_span pdol, cdol; /* values as sent; for a torn tap `pdol` contains both */
    struct cemv_span answer;     /* the response to GENERATE AC or to ECHO */
    struct cemv_span torn;       /* the recovery context */
    struct cemv_span sdad;       /* 9F4B of the response, and the hash it is verified with: */
    bool hashed;
    uint8_t hash[CEMV_SHA1_SIZE]; /* transaction data */
    /* Kept for the issuer update: */
    uint8_t name_size, name[K5_NAME_MAX]; /* 84 */
    uint8_t atc[2];
    uint8_t cvm;            /* enum cemv_cvm of the outcome, then of the prepared one */
    uint8_t prepared;       /* enum cemv_outcome_status of the prepared outcome */
    uint16_t record_size;   /* size of the data record, which stays in its place */
    struct cemv_span first; /* that record, kept */
    struct cemv_scripts scripts;
    bool has_second;     /* CDOL2 is present and can be filled */
    uint8_t second_size; /* of its values */
    uint8_t late_count;
    uint8_t second[K5_LIST_MAX];
    struct k5_late late[K5_LATE_MAX];
};
_Static_assert(sizeof(struct k5_memory) <= CEMV_KERNEL_MEMORY, "Kernel 5 needs more memory of its own");

static inline struct k5_memory *k5_memory_of(struct cemv_kernel *kernel) { return (struct k5_memory *)kernel->memory; }

/* ---- settings ---------------------------------------------------------------------------------------------------- */

const struct cemv_kernel_5_options *k5_options_of(const struct cemv_kernel *kernel);
/* Combination Options, byte 1. */
bool k5_option(const struct cemv_kernel *kernel, uint8_t bit);
bool k5_takes_legacy(const struct cemv_kernel *kernel);
/* True if no TC may be requested: without a floor limit no offline sales are intended, and an amount of zero or a
 * status check is for the issuer to decide (attacks.md, A09, A30). */
bool k5_refuses_offline(const struct cemv_kernel *kernel);
/* True if CDA is performed: the reader's option, EMV Mode, and this card's profile. */
bool k5_cda_is_on(struct cemv_kernel *kernel);
enum cemv_status k5_check(const struct cemv_configuration *configuration, size_t row, struct cemv_config_error *error);

/* ---- ends (3.12) ------------------------------------------------------------------------------------------------- */

/* The card's response cannot be used: Select Next (3.12.10) or, during a recovery, End Application without a message
 * (3.12.7). */
enum cemv_step k5_end_failed(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2, uint16_t status_word);
enum cemv_step k5_end_store(struct cemv_kernel *kernel, enum cemv_store_error error);
enum cemv_step k5_end_link(struct cemv_kernel *kernel, uint8_t l1);
enum cemv_step k5_end_see_phone(struct cemv_kernel *kernel, uint16_t status_word);
enum cemv_step k5_end_other_interface(struct cemv_kernel *kernel, uint16_t status_word);
enum cemv_step k5_end_declined(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2);
/* Approved or online (3.12.1 to 3.12.4). `update`: enum k5_update. */
enum cemv_step k5_end_decided(struct cemv_kernel *kernel, bool online, uint8_t cvm, uint8_t update, uint8_t reason);
/* The prepared outcome (3.10.5.2), or Declined after the second GENERATE AC. */
enum cemv_step k5_end_update(struct cemv_kernel *kernel, uint8_t status);

/* ---- lists (k5_lists.c) ------------------------------------------------------------------------------------------ */

/* Writes the values for a list of the card. Returns false if the list is malformed or requests more than `capacity`. */
bool k5_build_list(const struct cemv_kernel *kernel, cemv_bytes dol, uint8_t *out, size_t capacity, size_t *size);
/* Stores these values unless `span` is NULL; at most K5_LIST_MAX. Returns false also if there is no space. */
bool k5_fill_in(struct cemv_kernel *kernel, cemv_bytes dol, size_t capacity, struct cemv_span *span);
/* Fills CDOL2 as far as possible before the issuer has answered. */
void k5_prepare_second(struct cemv_kernel *kernel);
/* Stores the current TVR and TIP, for lists and records. */
bool k5_put_results(struct cemv_kernel *kernel);

/* ---- before the cryptogram (k5_risk.c) --------------------------------------------------------------------------- */

/* Checks the records once all have been read; returns an enum cemv_error_l2 (3.4.1.2). */
uint8_t k5_records_fault(struct cemv_kernel *kernel);
/* Returns false if the protection refuses the account. */
bool k5_look_at_account(struct cemv_kernel *kernel);
void k5_look_for_certificates(struct cemv_kernel *kernel);
void k5_look_for_downgrade(struct cemv_kernel *kernel);
/* 3.5.5, 3.6: TVR. */
void k5_check_restrictions(struct cemv_kernel *kernel);
/* 3.7.1: enum cemv_rules_cryptogram. */
uint8_t k5_choose_type(struct cemv_kernel *kernel);

/* ---- the answer to GENERATE AC (k5_cryptogram.c) ----------------------------------------------------------------- */

/* The next step after the response, before its signature is verified (3.8.1.8 to 3.8.1.13). Stores the objects of the
 * response. */
enum k5_next { K5_NEXT_CONCLUDE, K5_NEXT_SHOW, K5_NEXT_MALFORMED, K5_NEXT_FULL, K5_NEXT_REFUSED };
enum k5_next k5_check_answer(struct cemv_kernel *kernel);
/* Returns false if there is no space. */
bool k5_keep_cryptogram(struct cemv_kernel *kernel, const struct k5_answer *answer);
/* Returns false for Declined (3.8.2.1). */
bool k5_authenticate(struct cemv_kernel *kernel);
/* True if the good signature does not cover enough for an approval. */
bool k5_signs_too_little(struct cemv_kernel *kernel);
struct k5_cvm k5_verify_cardholder(struct cemv_kernel *kernel, const struct k5_answer *answer);
/* Cardholder verification in Legacy Mode (3.9.2). */
struct k5_cvm k5_choose_from_list(struct cemv_kernel *kernel);

/* ---- a torn tap (k5_torn.c) -------------------------------------------------------------------------------------- */

/* Returns true if there is a torn tap, and loads its context. */
bool k5_take_context(struct cemv_kernel *kernel);
/* Stores the context: the first GENERATE AC was not answered. */
void k5_remember(struct cemv_kernel *kernel);
/* Restores the context (3.13.5.4, 3.13.6). Returns false if this is another card. */
bool k5_restore(struct cemv_kernel *kernel);

/* ---- the issuer's answer (k5_update.c) --------------------------------------------------------------------------- */

/* True if the answer has a response code and something to be done with the card (3.2.1.2, 3.2.1.3). */
bool k5_brings_enough(const struct cemv_kernel *kernel);
/* True if the card must learn the decision, or a template 72 follows it (3.10.2.2). */
bool k5_needs_second_ac(const struct cemv_kernel *kernel);
/* Fills in the values of CDOL2 that were unknown, and sets `requested` from the issuer's code. */
void k5_complete_second(struct cemv_kernel *kernel);
/* Starts reading the scripts from the beginning. */
void k5_open_scripts(struct cemv_kernel *kernel);
/* The next command of the templates with this tag; returns false after the last. An unreadable script sets `failed` in
 * byte 5 of the TVR. */
bool k5_next_command(struct cemv_kernel *kernel, uint32_t tag, uint8_t failed, struct cemv_command *command);

#endif
