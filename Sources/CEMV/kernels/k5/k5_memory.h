/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 5: its own memory during a transaction, and what its parts call of each other. The parts: k5.c the dialogue,
 * k5_risk.c from the data to what is decided before the cryptogram, k5_cryptogram.c what its answer is worth, k5_torn.c
 * the context of a torn tap, k5_update.c the issuer's answer, k5_lists.c values for the card's lists, k5_end.c outcomes
 * and their records, k5_configuration.c what is in force. */
#ifndef CEMV_K5_MEMORY_H
#define CEMV_K5_MEMORY_H

#include "k5.h"
#include "k5_tags.h"
#include "../kernel.h"
#include "../../exchange/exchange.h"

enum {
    K5_NAME_MAX = 16,
    K5_LIST_MAX = 255, /* values for a CDOL */
    K5_LATE_MAX = 24,  /* of them, that the issuer brings */
};

/* A value of CDOL2 that is not there before the issuer has answered. */
struct k5_late {
    uint8_t at, size; /* among the values */
    uint8_t tag;      /* 8A, 91 or 95 */
};

struct k5_memory {
    struct cemv_record_id record; /* being read */
    bool legacy;                  /* Legacy Mode; else EMV Mode, or not known yet */
    bool recovering;              /* a torn tap (3.13) */
    bool static_failed;           /* a signed record is no template 70 (Book 3, 10.3) */
    bool downgraded;              /* a card of EMV Mode in Legacy Mode */
    bool listed, foreign;         /* the account: on the exception file; its brand is refused */
    bool cda_asked;
    bool bound;        /* what was sent to the card ties its signature to the transaction */
    bool verified;     /* the signature of this tap holds */
    uint8_t requested; /* enum cemv_rules_cryptogram of GENERATE AC */
    uint8_t tip[3];    /* dynamic */
    uint64_t tvr;
    struct cemv_span pdol, cdol; /* values as they were sent; of a torn tap both, as `pdol` */
    struct cemv_span answer;     /* to GENERATE AC, or to ECHO */
    struct cemv_span torn;       /* the recovery context */
    struct cemv_span sdad;       /* of the answer, with what it is verified with: */
    bool hashed;
    uint8_t hash[CEMV_SHA1_SIZE]; /* transaction data */
    /* Over the issuer's answer: */
    uint8_t name_size, name[K5_NAME_MAX]; /* 84 */
    uint8_t atc[2];
    uint8_t cvm;            /* enum cemv_cvm, of the outcome; then of the one that is prepared */
    uint8_t prepared;       /* its enum cemv_outcome_status */
    uint16_t record_size;   /* of the data record, which stays where it was written */
    struct cemv_span first; /* that record, kept */
    struct cemv_scripts scripts;
    bool has_second;     /* there is a CDOL2, and it can be filled in */
    uint8_t second_size; /* of its values */
    uint8_t late_count;
    uint8_t second[K5_LIST_MAX];
    struct k5_late late[K5_LATE_MAX];
};
_Static_assert(sizeof(struct k5_memory) <= CEMV_KERNEL_MEMORY, "Kernel 5 needs more memory of its own");

static inline struct k5_memory *k5_memory_of(struct cemv_kernel *kernel) { return (struct k5_memory *)kernel->memory; }

/* ---- what is in force ---- */

const struct cemv_kernel_5_options *k5_options_of(const struct cemv_kernel *kernel);
/* Combination Options, byte 1. */
bool k5_option(const struct cemv_kernel *kernel, uint8_t bit);
bool k5_takes_legacy(const struct cemv_kernel *kernel);
/* A TC may not be requested: without a floor limit no offline sales are wanted, and an amount of zero or a status check
 * is the issuer's to judge (attacks.md, A09, A30). */
bool k5_refuses_offline(const struct cemv_kernel *kernel);
/* CDA is performed: this reader, EMV Mode, and the card of this presentment. */
bool k5_cda_is_on(struct cemv_kernel *kernel);
enum cemv_status k5_check(const struct cemv_configuration *configuration, size_t row, struct cemv_config_error *error);

/* ---- ends (3.12) ---- */

/* The card's answer cannot be used: Select Next (3.12.10), or End Application without a message (3.12.7) where a torn
 * tap is recovered. */
enum cemv_step k5_end_failed(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2, uint16_t status_word);
enum cemv_step k5_end_store(struct cemv_kernel *kernel, enum cemv_store_error error);
enum cemv_step k5_end_link(struct cemv_kernel *kernel, uint8_t l1);
enum cemv_step k5_end_see_phone(struct cemv_kernel *kernel, uint16_t status_word);
enum cemv_step k5_end_other_interface(struct cemv_kernel *kernel, uint16_t status_word);
enum cemv_step k5_end_declined(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2);
/* Approved or online (3.12.1 to 3.12.4). `update`: enum k5_update. */
enum cemv_step k5_end_decided(struct cemv_kernel *kernel, bool online, uint8_t cvm, uint8_t update, uint8_t reason);
/* What memory has prepared (3.10.5.2), or Declined after the second GENERATE AC. */
enum cemv_step k5_end_update(struct cemv_kernel *kernel, uint8_t status);

/* ---- lists (k5_lists.c) ---- */

/* Values for a list of the card's; false if it is malformed or requests more than `capacity`. */
bool k5_build_list(const struct cemv_kernel *kernel, cemv_bytes dol, uint8_t *out, size_t capacity, size_t *size);
/* Keeps them, unless `span` is NULL; at most K5_LIST_MAX. False also where there is no room. */
bool k5_fill_in(struct cemv_kernel *kernel, cemv_bytes dol, size_t capacity, struct cemv_span *span);
/* CDOL2 for the time when the issuer has answered. */
void k5_prepare_second(struct cemv_kernel *kernel);
/* TVR and TIP as they are now, for lists and records. */
bool k5_put_results(struct cemv_kernel *kernel);

/* ---- before the cryptogram (k5_risk.c) ---- */

/* What is wrong with the records once all are read: enum cemv_error_l2 (3.4.1.2). */
uint8_t k5_records_fault(struct cemv_kernel *kernel);
/* False: the protection refuses the account. */
bool k5_look_at_account(struct cemv_kernel *kernel);
void k5_look_for_certificates(struct cemv_kernel *kernel);
void k5_look_for_downgrade(struct cemv_kernel *kernel);
/* 3.5.5, 3.6: TVR. */
void k5_check_restrictions(struct cemv_kernel *kernel);
/* 3.7.1: enum cemv_rules_cryptogram. */
uint8_t k5_choose_type(struct cemv_kernel *kernel);

/* ---- the answer to GENERATE AC (k5_cryptogram.c) ---- */

/* Where the answer leads before its signature is looked at (3.8.1.8 to 3.8.1.13). Puts its objects into the store. */
enum k5_next { K5_NEXT_CONCLUDE, K5_NEXT_SHOW, K5_NEXT_MALFORMED, K5_NEXT_FULL, K5_NEXT_REFUSED };
enum k5_next k5_check_answer(struct cemv_kernel *kernel);
/* False: there is no room. */
bool k5_keep_cryptogram(struct cemv_kernel *kernel, const struct k5_answer *answer);
/* False: Declined (3.8.2.1). */
bool k5_authenticate(struct cemv_kernel *kernel);
/* The signature that holds does not cover enough for an approval. */
bool k5_signs_too_little(struct cemv_kernel *kernel);
struct k5_cvm k5_verify_cardholder(struct cemv_kernel *kernel, const struct k5_answer *answer);
/* The same in Legacy Mode (3.9.2). */
struct k5_cvm k5_choose_from_list(struct cemv_kernel *kernel);

/* ---- a torn tap (k5_torn.c) ---- */

/* One is waited for: takes its context. */
bool k5_take_context(struct cemv_kernel *kernel);
/* The first GENERATE AC was not answered. */
void k5_remember(struct cemv_kernel *kernel);
/* Puts back what the context has (3.13.5.4, 3.13.6). False: this is another card. */
bool k5_restore(struct cemv_kernel *kernel);

/* ---- the issuer's answer (k5_update.c) ---- */

/* A code there must be, and something to be done with the card (3.2.1.2, 3.2.1.3). */
bool k5_brings_enough(const struct cemv_kernel *kernel);
/* The card is to hear of the decision, or a template 72 follows it (3.10.2.2). */
bool k5_needs_second_ac(const struct cemv_kernel *kernel);
/* What was not known when CDOL2 was prepared, and `requested` by the issuer's code. */
void k5_complete_second(struct cemv_kernel *kernel);
/* From its beginning. */
void k5_open_scripts(struct cemv_kernel *kernel);
/* The next command of its templates with this tag; false: there is none. What cannot be read sets `failed` in byte 5 of
 * the TVR. */
bool k5_next_command(struct cemv_kernel *kernel, uint32_t tag, uint8_t failed, struct cemv_command *command);

#endif
