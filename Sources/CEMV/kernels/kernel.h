/* SPDX-License-Identifier: Apache-2.0 */
/* What all kernels share: one activation of one kernel, and the helpers that exist once (DESIGN.md, sections 3 and 4).
 * A kernel knows neither Entry Point nor the session: it ends with an outcome. */
#ifndef CEMV_KERNEL_H
#define CEMV_KERNEL_H

#include "../account/account.h"
#include "../data/data.h"
#include "../oda/chain.h"
#include "../outcome/outcome.h"

/* A frame of its own: what stands in it does not share the stack with the public operations that its caller begins. */
#define kernel_noinline compiler_noinline

/* Where data objects lie in a list of the terminal's or a combination's, to one kernel. None: they are put one by
 * one. */
struct cemv_prepared {
    uint32_t first; /* of `entries` */
    uint16_t count;
};

/* A checked configuration: the caller's rows and, behind them, what was prepared once. */
struct cemv_checked {
    struct cemv_configuration configuration;
    const struct cemv_crypto *crypto;         /* never NULL */
    const struct cemv_tags *tags;             /* of each kernel, in the order of their table */
    const struct cemv_prepared *terminal;     /* to each kernel, in that order */
    const struct cemv_prepared *combinations; /* each to its own kernel */
    const struct cemv_store_entry *entries;
    size_t further_memory;      /* behind the session: what the largest memory of a listed kernel takes */
    struct cemv_rsa_key keys[]; /* one for each CA key, same order */
};

#define CEMV_UN_MEMORY 8 /* unpredictable numbers compared with a new one (attacks.md, A21) */

/* The pool from which unpredictable numbers are drawn, and the last ones. */
struct cemv_random {
    uint8_t size, used;
    uint8_t count;
    uint8_t pool[CEMV_RANDOM_POOL];
    uint8_t numbers[CEMV_UN_MEMORY][4];
};
void cemv_random_fill(struct cemv_random *random, cemv_bytes bytes);
/* As many of `size` bytes as there are, in order; they leave the pool. */
size_t cemv_random_take(struct cemv_random *random, uint8_t *out, size_t size);
/* False if the pool is empty: then the driver supplies more (CEMV_ASK_RANDOM). */
bool cemv_random_draw(struct cemv_random *random, uint8_t number[4]);
/* A number seen before in this transaction: the source is stuck, or the trace says so. */
bool cemv_random_seen(struct cemv_random *random, const uint8_t number[4]);

/* One activation. Lives in the session; holds no pointer into itself. */
struct cemv_kernel {
    const struct cemv_checked *checked;
    const struct cemv_combination *combination;
    const struct cemv_kernel_row *row; /* of the configuration's kernels */
    struct cemv_transaction transaction;
    struct cemv_indicators indicators;
    uint32_t findings; /* of the whole transaction */
    uint8_t unpredictable_number[4];
    uint8_t start; /* enum cemv_start */
    bool restarted;
    bool online_response_present;
    bool unable_to_go_online;
    bool removal_timed_out;
    uint8_t pin_entry; /* enum cemv_pin_entry */
    uint8_t df_name_size;
    uint8_t df_name[16];
    struct cemv_span pdol; /* tag 9F38 of the FCI; size 0: none */
    uint8_t language_size; /* the card's language preference, if it is well formed */
    uint8_t language[8];
    uint8_t work;            /* what cemv_oda_work() has done in this activation */
    uint16_t status_word;    /* of the final SELECT */
    struct cemv_span fci;    /* raw: the kernel indexes it under its own rules */
    struct cemv_span online; /* the issuer's answer, raw */
    struct cemv_random random;
    struct cemv_afl afl;
    struct cemv_output out;
    uint64_t memory[CEMV_KERNEL_MEMORY / 8]; /* the kernel's own, see cemv_kernel_memory() */
    struct cemv_store store;
};

/* Its kernel's row of the configuration, from 1. */
static inline uint8_t cemv_kernel_number(const struct cemv_kernel *kernel)
{
    return (uint8_t)(kernel->row - kernel->checked->configuration.kernels + 1);
}

/* The protection in force: the combination's own, or the configuration's. */
const struct cemv_protection *cemv_protection_of(const struct cemv_kernel *kernel);
bool cemv_is_book(const struct cemv_kernel *kernel);   /* its profile is `book` */
bool cemv_is_strict(const struct cemv_kernel *kernel); /* its profile is `strict` */
/* A rule of the protection: what it is set to, or what the profile makes of it. `guarded` and `strict` say what those
 * profiles do; `book` always reports. Returns CEMV_RULE_OFF, _REPORT or _ENFORCE. */
uint8_t cemv_rule_of(const struct cemv_protection *protection, uint8_t set, uint8_t guarded, uint8_t strict);
uint8_t cemv_cdcvm_trust(const struct cemv_kernel *kernel); /* enum cemv_cdcvm_trust, never PROFILE */
/* Of these limits, pre-processing let the transaction pass for the sake of a CDCVM (attacks.md, A02). */
bool cemv_needs_proven_cdcvm(const struct cemv_kernel *kernel, const struct cemv_limits *limits);
/* This transaction may not be approved offline, whatever the card says: no offline approvals at all, or, outside
 * profile `book`, a refund, or an amount where no floor limit is configured (attacks.md, A09, A30). */
bool cemv_refuses_offline(const struct cemv_kernel *kernel);
bool cemv_offline_is_off(const struct cemv_kernel *kernel); /* the protection allows none at all */
static inline void cemv_finding_add(struct cemv_kernel *kernel, unsigned finding) { kernel->findings |= 1u << finding; }

/* A bit of the Terminal Transaction Qualifiers in force; bytes are numbered from 1. */
static inline bool cemv_ttq_has(const struct cemv_kernel *kernel, unsigned byte, uint8_t bit)
{
    return (kernel->indicators.ttq[byte - 1] & bit) != 0;
}

/* A floor limit is set: without one no offline approvals are wanted (attacks.md, A09). */
static inline bool cemv_has_floor_limit(const struct cemv_limits *limits)
{
    return (limits->present & (1u << CEMV_LIMIT_FLOOR | 1u << CEMV_LIMIT_TERMINAL_FLOOR)) != 0;
}
uint8_t cemv_relay_rule(const struct cemv_kernel *kernel); /* enum cemv_relay, never PROFILE */
/* The card was late, beyond the book also where it is `hostless`; or it `missed` what is required (A24, A25, A28). */
bool cemv_relay_refused(const struct cemv_kernel *kernel, uint64_t tvr, bool missed, bool hostless);
/* The card's time of a relay resistance exchange: without the link's; the maximum where it was not measured. */
uint32_t cemv_relay_elapsed_us(const struct cemv_kernel *kernel, uint32_t elapsed_us);
/* What a card claims to need, in 100 microseconds; outside profile `book` not as long as it likes (A25). */
uint16_t cemv_relay_card_max(const struct cemv_kernel *kernel, uint16_t claimed);

/* A value of the store, empty where it is absent; a byte of it, counted from 0, zero where there is none. */
cemv_bytes cemv_value(const struct cemv_kernel *kernel, uint16_t slot);
uint8_t cemv_value_byte(const struct cemv_kernel *kernel, uint16_t slot, size_t at);
/* What the kernel itself puts there; false if the store is full. */
bool cemv_value_put(struct cemv_kernel *kernel, uint16_t slot, const uint8_t *bytes, size_t size);

/* Data objects of the combination or the terminal, for a module's check(): this one, each of these. `missing`: the
 * first that is not, else 0. */
bool cemv_is_configured(const struct cemv_configuration *configuration, size_t row, uint32_t tag);
bool cemv_are_configured(const struct cemv_configuration *configuration, size_t row, const uint32_t *tags, size_t count,
                         uint32_t *missing);

void cemv_error_set(struct cemv_outcome *outcome, uint8_t l1, uint8_t l2,
                    uint16_t status_word); /* after the UI request is set */

/* Ends as kernel->out stands: outcome and records. */
enum cemv_step cemv_finish(struct cemv_kernel *kernel);
/* Ends with this outcome; the records in kernel->out stand. */
enum cemv_step cemv_end(struct cemv_kernel *kernel, const struct cemv_outcome *outcome);
/* The same in two steps, in the place of the outcome: begun, nothing is shown and nothing asked for; ended, with the
 * error indication. In between, what is shown in the card's language. */
struct cemv_outcome *cemv_outcome_begin(struct cemv_kernel *kernel, uint8_t status, uint8_t reason);
void cemv_outcome_say(struct cemv_kernel *kernel, uint8_t message, uint8_t status);
enum cemv_step cemv_end_begun(struct cemv_kernel *kernel, uint8_t l1, uint8_t l2, uint16_t status_word);
/* Ends with End Application, "insert, swipe or try another card", without records. */
enum cemv_step cemv_end_card_fault(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2, uint16_t status_word);

/* What the store refused, as reason and as L2 error; and the end with both. */
uint8_t cemv_store_reason(enum cemv_store_error error);
uint8_t cemv_store_l2(enum cemv_store_error error);
enum cemv_step cemv_end_store(struct cemv_kernel *kernel, enum cemv_store_error error);
/* Ends with End Application; nothing is shown, and the records in kernel->out stay as they are. */
enum cemv_step cemv_end_silent(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2, uint16_t status_word);
/* Ends with Select Next (Start C): silent. */
enum cemv_step cemv_end_select_next(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2, uint16_t status_word);
/* Ends with Try Again (Start B) after a fault of the link: silent, Entry Point requests the card. */
enum cemv_step cemv_end_link(struct cemv_kernel *kernel, uint8_t l1);
/* The card is requested again, from Start B, with this message. Its language is the caller's to add. */
void cemv_outcome_ask_again(struct cemv_outcome *outcome, uint8_t message);
/* Try Again (Start B) after a message: the field is off for as long as it stays, then the card is requested with
 * `restart_message`. Language and error indication are the caller's to add. */
#define CEMV_PRESENT_AGAIN_100MS 13
void cemv_outcome_present_again(struct cemv_outcome *outcome, uint8_t message, uint8_t restart_message);
/* The card may come back with the issuer's answer (Start B), requested by message 21. */
void cemv_outcome_offer_update(const struct cemv_kernel *kernel, struct cemv_outcome *outcome);
/* A balance (n 12) in minor units; false if it is no number. */
bool cemv_balance_read(cemv_bytes balance, uint64_t *amount);
/* Puts it, in the transaction's currency, into a request; one that is no number is not shown. */
void cemv_ui_balance(const struct cemv_kernel *kernel, struct cemv_ui_request *request, cemv_bytes balance);
/* What a reply to SEND brought: CEMV_L1_OK with body and status word, or the fault of the link. A protocol fault brings
 * no bytes. */
uint8_t cemv_reply_decode(const struct cemv_reply *reply, cemv_bytes *body, uint16_t *status_word);

/* A value of the FCI: below 6F, its A5 or that one's BF0C; empty if absent. */
cemv_bytes cemv_fci_value(const struct cemv_kernel *kernel, uint32_t tag);
/* Keeps what every kernel asks of the FCI: PDOL and language preference. Once for each activation. */
void cemv_fci_read(struct cemv_kernel *kernel);
/* Puts it into a request, if there is one. */
void cemv_ui_language(const struct cemv_kernel *kernel, struct cemv_ui_request *request);

/* What GET PROCESSING OPTIONS carries: 83, its length, and the values for the PDOL of the FCI. False if that list is
 * malformed or asks too much. */
#define CEMV_PDOL_VALUES_MAX 252 /* with 83 and its length they fill a command's 255 bytes */
struct cemv_gpo_data {
    uint8_t header, size; /* 83 and the length; all of it */
    uint8_t bytes[CEMV_PDOL_VALUES_MAX + 3];
};
bool cemv_gpo_data(const struct cemv_kernel *kernel, struct cemv_gpo_data *data);
/* The same of values that a kernel fills in itself, at most CEMV_PDOL_VALUES_MAX bytes. */
void cemv_gpo_data_of(cemv_bytes values, struct cemv_gpo_data *data);

/* Requests random bytes for the pool. */
enum cemv_step cemv_ask_random(struct cemv_kernel *kernel, uint8_t state);

/* Commands every kernel sends. They fill kernel->out.command and return the step of cemv_output_send. */
enum cemv_step cemv_send_gpo(struct cemv_kernel *kernel, uint8_t state); /* PDOL of the FCI; 83 00 without one */
enum cemv_step cemv_send_gpo_data(struct cemv_kernel *kernel, uint8_t state,
                                  const struct cemv_gpo_data *data); /* of a kernel with an end of its own */
enum cemv_step cemv_send_read_record(struct cemv_kernel *kernel, uint8_t state, struct cemv_record_id id);

/* GET PROCESSING OPTIONS in format 1: profile and locator by position. */
enum cemv_store_error cemv_store_gpo_format_1(struct cemv_kernel *kernel, cemv_bytes value);
/* Opens the locator for reading, as many records as the protection allows. A record that stands twice is reported, and
 * refused outside profile `book` (attacks.md, A18). */
enum cemv_records { CEMV_RECORDS_OPEN = 0, CEMV_RECORDS_MALFORMED = 1, CEMV_RECORDS_REFUSED = 2 };
enum cemv_records cemv_open_records(struct cemv_kernel *kernel);

/* What the card says of its account: 5A, 5F24, 57, 56. */
struct cemv_account cemv_account_of(const struct cemv_store *store);
/* The PAN contradicts the brand of the name that was selected, which is reported; true if the protection refuses it. */
bool cemv_brand_refused(struct cemv_kernel *kernel, cemv_bytes pan);
/* The PAN belongs to another network than the name that was selected, though perhaps on a card of two brands. */
bool cemv_account_of_other_network(const struct cemv_kernel *kernel, cemv_bytes pan);
/* A device's claim that the kernel would believe unproven, which is reported; true if it counts as none (A39). */
bool cemv_device_claim_refused(struct cemv_kernel *kernel, bool above_limit);
/* Findings about the account; true if the protection refuses one of them (attacks.md, A17). */
bool cemv_account_refused(struct cemv_kernel *kernel, const struct cemv_account *account, cemv_bytes pan);
/* Both of these for the account in the store. */
bool cemv_stored_account_refused(struct cemv_kernel *kernel);
bool cemv_on_exception_list(const struct cemv_kernel *kernel, cemv_bytes pan);

/* Offline data authentication (oda/chain.h) over the store, with the RID of our combination, never the card's. */
void cemv_look_for_stripped_oda(struct cemv_kernel *kernel, uint8_t method);
bool cemv_has_ca_key(struct cemv_kernel *kernel);
enum cemv_oda_result cemv_oda_icc_key(struct cemv_kernel *kernel, struct cemv_certificate *icc);
enum cemv_oda_result cemv_oda_static(struct cemv_kernel *kernel, uint8_t code[2]);
/* fDDA with the card's key (C-3, annex C; C-7, annex B) over terminal data as sent, and all of 9F69, `card_data`. */
enum cemv_oda_result cemv_oda_fdda(const struct cemv_kernel *kernel, const struct cemv_public_key *icc, uint8_t format,
                                   cemv_bytes card_data, struct cemv_dynamic_data *dynamic);
/* The ICC Dynamic Number of fDDA is the ATC, if it is as long: else the ATC was changed on the way (A11). */
bool cemv_oda_counter_agrees(const struct cemv_kernel *kernel, const struct cemv_dynamic_data *dynamic);
/* CDA with the card's key (Book 2, 6.6.2), 9F27 and 9F37 of the store: puts the signature's 9F26 and 9F4C. */
enum cemv_oda_result cemv_oda_cda(struct cemv_kernel *kernel, const struct cemv_public_key *icc, cemv_bytes sdad,
                                  cemv_bytes hash);
/* A signature would approve what the card need not have seen, by a list that nobody signed, which is reported; true if
 * the protection refuses such an approval (attacks.md, A35). */
bool cemv_list_refused(struct cemv_kernel *kernel);
bool cemv_oda_work(struct cemv_kernel *kernel);
bool cemv_oda_has_work(const struct cemv_kernel *kernel);

#endif
