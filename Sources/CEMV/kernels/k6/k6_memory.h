/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 6: its memory during a transaction, and the functions that its parts call in each other. The parts: k6.c is
 * the dialogue, k6_end.c builds outcomes and their records, k6_oda.c verifies the signature, k6_magstripe.c completes
 * the MS modes after the records, k6_configuration.c has the settings. */
#ifndef CEMV_K6_MEMORY_H
#define CEMV_K6_MEMORY_H

#include "k6.h"
#include "k6_tags.h"
#include "../kernel.h"
#include "../../include/cemv_kernel_6.h"

enum { K6_NAME_MAX = 16 };

struct k6_memory {
    struct cemv_record_id record; /* the record that is being read */
    bool updating;                /* the second presentment has begun */
    bool magstripe;               /* MS Mode */
    bool static_failed;           /* a signed record is not a template 70 (Book 3, 10.3) */
    bool verified;                /* the signature of this tap is good */
    bool beyond;                  /* the profile is not `book`: EMV Mode */
    bool unsigned_list;           /* an online cryptogram is required, since the PDOL is never signed */
    bool guarded;                 /* a rule beyond the book changed the result */
    uint8_t cryptogram;           /* enum k6_cryptogram */
    uint8_t number_size;          /* length of the sent number, in MS Mode */
    uint8_t number[4];
    uint8_t cpr[2];
    uint8_t tvr[5], tsi[2];               /* kept over the second presentment (2.2.2) */
    uint8_t name_size, name[K6_NAME_MAX]; /* 84 of the first presentment */
    struct cemv_span response;            /* objects of the GPO response */
    struct cemv_span track_1;             /* of the MS modes */
    struct cemv_span script;              /* the rest of the template */
};

_Static_assert(sizeof(struct k6_memory) <= CEMV_KERNEL_MEMORY, "Kernel 6 needs more memory of its own");

static inline struct k6_memory *k6_memory_of(struct cemv_kernel *kernel) { return (struct k6_memory *)kernel->memory; }

/* ---- settings ---------------------------------------------------------------------------------------------------- */

const struct cemv_kernel_6_options *k6_options_of(const struct cemv_kernel *kernel);
/* True for Legacy Mode or MS Mode only: the checks of 3.1.1 apply. */
bool k6_is_magstripe_reader(const struct cemv_kernel *kernel);
/* True if MS Mode is enabled; `magstripe_reader` as above. */
bool k6_takes_magstripe(const struct cemv_kernel *kernel, bool magstripe_reader);
/* The tag of the object with track 1 in the MS modes. */
uint32_t k6_track_1_tag(const struct cemv_kernel *kernel);
/* The preferred other interface, CEMV_INTERFACE_NA if there is no other. */
uint8_t k6_other_interface(const struct cemv_kernel *kernel);
enum cemv_status k6_check(const struct cemv_configuration *configuration, size_t row, struct cemv_config_error *error);

/* ---- ends (Annex B) ---------------------------------------------------------------------------------------------- */

enum cemv_step k6_end_other_interface(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2, uint16_t status_word);
enum cemv_step k6_end_see_phone(struct cemv_kernel *kernel, uint16_t status_word);
/* Any verdict except K6_FINE. */
enum cemv_step k6_end_verdict(struct cemv_kernel *kernel, uint8_t verdict, uint8_t reason, uint8_t l2,
                              uint16_t status_word);
/* Approved, declined or online; any action except K6_SWITCH. */
enum cemv_step k6_end_decided(struct cemv_kernel *kernel, uint8_t action, uint8_t cvm);
/* Ends the second presentment: without a message, with TVR and TSI for the issuer. */
enum cemv_step k6_end_update(struct cemv_kernel *kernel, uint8_t reason);

/* ---- parts ------------------------------------------------------------------------------------------------------- */

enum cemv_step k6_conclude_magstripe(struct cemv_kernel *kernel);
/* Sets TVR and TSI; if the signature is good, also `verified`, 9F26 and 9F4C. */
void k6_authenticate(struct cemv_kernel *kernel);

#endif
