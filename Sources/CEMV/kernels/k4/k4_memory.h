/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 4: its memory during a transaction, and the functions that its parts call in each other. The parts: k4.c is
 * the dialogue, k4_oda.c authentication, k4_decisions.c collects the input of the decisions, k4_end.c builds outcomes
 * and their records, k4_issuer.c handles the issuer's answer, k4_configuration.c the settings. */
#ifndef CEMV_K4_MEMORY_H
#define CEMV_K4_MEMORY_H

#include "k4.h"
#include "k4_tags.h"
#include "../kernel.h"
#include "../../include/cemv_kernel_4.h"

enum { K4_CDA_ASKED = 0x10 }; /* bit 5 of P1 of GENERATE AC */

/* The answer that the kernel waits for at Start D. */
enum k4_phase { K4_NOTHING_ASKED = 0, K4_ISSUER_ASKED = 1, K4_PIN_ASKED = 2, K4_ISSUER_ASKED_AGAIN = 3 };

struct k4_memory {
    struct cemv_record_id record; /* the record that is being read */
    bool tried_again; /* a Try Again of 8.2 or 11.2.3 was requested; kept for the next tap (3, "restarted") */
    bool emv;         /* the mode */
    bool can_insert;  /* fallback to the contact chip */
    bool floor_exceeded, cvm_exceeded;
    bool static_failed;    /* a signed record is not a template 70 (Book 3, 10.3) */
    bool good;             /* authentication was performed and succeeded */
    bool guarded;          /* a rule beyond the book changed the result */
    bool takes_pin;        /* Request Online PIN is possible (12.2.2) */
    uint8_t phase;         /* enum k4_phase */
    uint8_t method;        /* enum k4_method */
    uint8_t control;       /* P1 of GENERATE AC */
    uint8_t cvm;           /* enum cemv_cvm */
    uint8_t profile[2];    /* 82 */
    uint8_t terminal_type; /* 9F35, as configured */
    uint8_t reader[4];     /* 9F6E, as sent */
    uint8_t counter_size;  /* of the counter from GET DATA: 2, or 0 */
    uint8_t counter[2];
    uint8_t language_size, language[8];       /* from the FCI, for Start D */
    uint16_t record_size, discretionary_size; /* of the outcome before Start D, in out.records */
    struct cemv_span pdol, cdol, answer;      /* the values as sent; the objects of the GENERATE AC response */
    uint64_t tvr;
    struct cemv_public_key icc; /* recovered before GENERATE AC (Book 2, 6.6) */
};

_Static_assert(sizeof(struct k4_memory) <= CEMV_KERNEL_MEMORY, "it stands in the session");

static inline struct k4_memory *k4_memory_of(struct cemv_kernel *kernel) { return (struct k4_memory *)kernel->memory; }

static inline bool k4_is_delayed(const struct k4_memory *memory)
{
    return k4_has(memory->reader, 4, K4_READER_4_DELAYED);
}

/* Stores the TVR of the memory as 95. */
bool k4_put_tvr(struct cemv_kernel *kernel);

/* ---- settings ---------------------------------------------------------------------------------------------------- */

const struct cemv_kernel_4_options *k4_options_of(const struct cemv_kernel *kernel);
bool k4_can_go_online(const struct cemv_kernel *kernel);
/* True if the protection allows mag-stripe mode. */
bool k4_may_use_magstripe(const struct cemv_kernel *kernel);
enum cemv_status k4_check(const struct cemv_configuration *configuration, size_t row, struct cemv_config_error *error);

/* ---- authentication ---------------------------------------------------------------------------------------------- */

/* 6: the part of authentication that precedes GENERATE AC. Sets the TVR, `good` for SDA, and the card's key for CDA. */
void k4_authenticate(struct cemv_kernel *kernel);
/* Verifies the signature of the response; sets `good`, 9F26 and the TVR. */
void k4_verify_answer(struct cemv_kernel *kernel);

/* ---- decisions --------------------------------------------------------------------------------------------------- */

/* 7.2.1. Returns true if the amount is not allowed. */
bool k4_apply_limits(struct cemv_kernel *kernel);
/* 7.2.2, 7.2.3, 9: sets the TVR. */
void k4_check_restrictions(struct cemv_kernel *kernel);
/* 8. Stores 9F34; returns an enum k4_verdict. */
uint8_t k4_verify_cardholder(struct cemv_kernel *kernel);
/* 10.2: enum cemv_rules_cryptogram. */
uint8_t k4_choose_type(struct cemv_kernel *kernel);
/* 11.2: enum k4_decision. */
uint8_t k4_judge_answer(struct cemv_kernel *kernel);

/* ---- ends -------------------------------------------------------------------------------------------------------- */

enum cemv_step k4_end_link(struct cemv_kernel *kernel, uint8_t l1);
/* End Application, message 1C. */
enum cemv_step k4_end_card(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2, uint16_t status_word);
enum cemv_step k4_end_store(struct cemv_kernel *kernel, enum cemv_store_error error);
/* Try Another Interface, message 1D. */
enum cemv_step k4_end_contact(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2);
/* Try Again, messages 20 and 21; `field_off` in 100 ms. */
enum cemv_step k4_end_phone(struct cemv_kernel *kernel, uint16_t status_word, uint8_t restart_status,
                            uint16_t field_off);
/* Any verdict except K4_FINE and K4_TRY_AGAIN. */
enum cemv_step k4_end_verdict(struct cemv_kernel *kernel, uint8_t verdict, uint8_t reason, uint8_t l2);
/* After GENERATE AC, or at Start D with the records that exist already. */
enum cemv_step k4_end_decided(struct cemv_kernel *kernel, uint8_t decision);
void k4_show_card_read(struct cemv_kernel *kernel);
/* Writes the records of a completed transaction (Tables 14-6 and 14-7, Annex A.4). */
void k4_put_records(struct cemv_kernel *kernel);

/* Start D (12.2.2) */
enum cemv_step k4_start_answered(struct cemv_kernel *kernel);

#endif
