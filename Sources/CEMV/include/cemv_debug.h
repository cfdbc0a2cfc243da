/* SPDX-License-Identifier: Apache-2.0 */
/* Names for people: tags, states, outcomes, errors. Linked only if called; the engine never uses them. Every function
 * returns a text for any input, never NULL. Sources: the books that the enums name. */
#ifndef CEMV_DEBUG_H
#define CEMV_DEBUG_H

#include "cemv.h"
#include "cemv_cryptogram.h"
#include "cemv_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "Amount, Authorised (Numeric)": to `kernel` (its number), else to the first kernel that knows the tag; or "Unknown".
 */
const char *cemv_name_of_tag(uint32_t tag, uint8_t kernel);
/* The names of the tag in the kernels that know it, each meaning once, at most `capacity`; returns how many. */
size_t cemv_names_of_tag(uint32_t tag, const char **names, size_t capacity);
const char *cemv_name_of_step(enum cemv_step step);
const char *cemv_name_of_status(enum cemv_status status);
const char *cemv_name_of_field(uint16_t field); /* enum cemv_config_field */
const char *cemv_name_of_outcome(uint8_t outcome_status);
const char *cemv_name_of_wire_error(enum cemv_wire_error error);
const char *cemv_name_of_message(uint8_t message_id);
const char *cemv_name_of_finding(uint8_t finding);         /* enum cemv_finding */
const char *cemv_name_of_scheme(uint8_t scheme);           /* enum cemv_scheme */
const char *cemv_name_of_iad_format(uint8_t format);       /* enum cemv_iad_format */
const char *cemv_name_of_iad_reason(uint8_t reason);       /* enum cemv_iad_reason */
const char *cemv_name_of_session_key(uint8_t session_key); /* enum cemv_session_key */
const char *cemv_name_of_track_error(uint8_t error);       /* enum cemv_track_error */
const char *cemv_name_of_meaning(uint8_t meaning);         /* enum cemv_meaning */
const char *cemv_name_of_value(uint8_t layout, uint8_t meaning,
                               uint8_t value); /* of a field that is a code; "" for bits and numbers */

/* A decision that a kernel notes (struct cemv_log), and the meaning of its values. */
enum cemv_decision_kind {
    CEMV_DECIDES_ONE_OF = 0,      /* a number from 0, with a name in `values` */
    CEMV_DECIDES_CRYPTOGRAM = 1,  /* AAC, TC, ARQC, unknown: 0 to 3 */
    CEMV_DECIDES_TYPE = 2,        /* as in bits 8 and 7 of a byte: AAC 00, TC 40, ARQC 80 */
    CEMV_DECIDES_CVM = 3,         /* enum cemv_cvm */
    CEMV_DECIDES_SIGNATURE = 4,   /* result of offline data authentication */
    CEMV_DECIDES_BITS = 5,        /* a set of bits, for instance the TVR */
    CEMV_DECIDES_MEASUREMENT = 6, /* a number */
};
struct cemv_decision_name {
    uint32_t clause;         /* CEMV_CLAUSE or CEMV_STEP_OF */
    const char *clause_text; /* "5.4.3.1", or "S456.36" in a book that numbers states and steps */
    const char *text;        /* "cardholder verification" */
    uint8_t kind;            /* enum cemv_decision_kind */
    uint8_t value_count;     /* of CEMV_DECIDES_ONE_OF */
    const char *const *values;
};

/* A kernel's name, its number, its states by their numbers and its tags beyond the base table. The header of each
 * built-in kernel declares its own, cemv_kernel_N_names; a third-party kernel provides its own. */
struct cemv_tag_name {
    uint32_t tag;
    const char *text;
};
struct cemv_kernel_names {
    const char *kernel;
    const char *states[CEMV_STATES_MAX];
    const struct cemv_tag_name *tags;
    uint16_t tag_count;
    uint8_t number; /* as in 9F2A */
    uint8_t decision_count;
    const struct cemv_decision_name *decisions; /* NULL: the kernel notes none */
};
/* Of a built-in kernel, by its number; NULL if there is no such kernel. */
const struct cemv_kernel_names *cemv_names_of_kernel(uint8_t number);
/* The decision that the kernel notes with this clause; NULL if it notes no such clause. */
const struct cemv_decision_name *cemv_names_of_decision(const struct cemv_kernel_names *names, uint32_t clause);
/* The name of a value that was noted with it; "" for bits and measurements. */
const char *cemv_name_of_decided(const struct cemv_decision_name *decision, uint64_t value);
/* Of struct cemv_state: `names` of its kernel; NULL: Entry Point. */
const char *cemv_name_of_state(const struct cemv_kernel_names *names, uint8_t number);

#ifdef __cplusplus
}
#endif
#endif
