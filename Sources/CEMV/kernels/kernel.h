// SPDX-License-Identifier: Apache-2.0
/* What all kernels share: one activation of one kernel, and the helpers that stand once.
 * A kernel knows neither Entry Point nor the session: it ends with an outcome. */
#ifndef CEMV_KERNEL_H
#define CEMV_KERNEL_H

#include "../crypto/crypto.h"
#include "../data/data.h"
#include "../outcome/outcome.h"

/* A frame of its own: what stands in it does not share the stack with the public operations that its caller begins. */
#define kernel_noinline __attribute__((noinline))

/* A checked configuration: the caller's rows and, behind them, what was prepared once. */
struct cemv_checked {
    struct cemv_configuration configuration;
    const struct cemv_crypto *crypto;                     /* never NULL */
    size_t terminal_count;                                /* of `terminal`; 0: the terminal's data are put one by one */
    struct cemv_store_entry terminal[CEMV_STORE_ENTRIES]; /* where the terminal's data lie in their list */
    struct cemv_rsa_key keys[];                           /* one for each CA key, same order */
};

#define CEMV_UN_MEMORY 8 /* unpredictable numbers compared with a new one (SECURITY.md, A21) */

/* The pool from which unpredictable numbers are drawn, and the last ones. */
struct cemv_random {
    uint8_t size, used;
    uint8_t count;
    uint8_t pool[CEMV_RANDOM_POOL];
    uint8_t numbers[CEMV_UN_MEMORY][4];
};
void cemv_random_fill(struct cemv_random *random, cemv_bytes bytes);
/* False if the pool is dry: then the driver is asked for more (CEMV_ASK_RANDOM). */
bool cemv_random_draw(struct cemv_random *random, uint8_t number[4]);
/* A number seen before in this transaction: the source is stuck, or the trace says so. */
bool cemv_random_seen(struct cemv_random *random, const uint8_t number[4]);

/* One activation. Lives in the session; holds no pointer into itself. */
struct cemv_kernel {
    const struct cemv_checked *checked;
    const struct cemv_combination *combination;
    const struct cemv_kernel_functions *functions;
    struct cemv_transaction transaction;
    struct cemv_indicators indicators;
    uint32_t findings; /* of the whole transaction */
    uint8_t unpredictable_number[4];
    uint8_t start; /* enum cemv_start */
    bool restarted;
    bool online_response_present;
    bool unable_to_go_online;
    bool removal_timed_out;
    bool pin_not_captured;
    uint8_t df_name_size;
    uint8_t df_name[16];
    uint16_t pdol_offset; /* tag 9F38 of the FCI, in the arena; size 0: none */
    uint8_t pdol_size;
    uint8_t language_size; /* the card's language preference, if it is well formed */
    uint8_t language[8];
    uint8_t work;                        /* what cemv_oda_work() has done in this activation */
    uint16_t status_word;                /* of the final SELECT */
    uint16_t fci_offset, fci_size;       /* in the store's arena, raw: the kernel indexes it under its own rules */
    uint16_t online_offset, online_size; /* the issuer's answer, in the arena, raw */
    struct cemv_random random;
    struct cemv_afl afl;
    struct cemv_output out;
    uint64_t memory[CEMV_KERNEL_MEMORY / 8]; /* the kernel's own, see cemv_kernel_memory() */
    struct cemv_store store;
};

/* The protection in force: the combination's own, or the configuration's. */
const struct cemv_protection *cemv_protection_of(const struct cemv_kernel *kernel);
/* A rule of the protection: what it is set to, or what the profile makes of it. `guarded` and `strict` say what those
 * profiles do; `book` always reports. Returns CEMV_RULE_OFF, _REPORT or _ENFORCE. */
uint8_t cemv_rule_of(const struct cemv_protection *protection, uint8_t set, uint8_t guarded, uint8_t strict);
static inline void cemv_find(struct cemv_kernel *kernel, unsigned finding) { kernel->findings |= 1u << finding; }

static inline bool cemv_is_book(const struct cemv_kernel *kernel)
{
    return cemv_protection_of(kernel)->profile == CEMV_PROFILE_BOOK;
}

/* Error indication (DF8115 as Books C-2 and C-8 code it). */
enum cemv_error_l1 { CEMV_L1_OK = 0, CEMV_L1_TIMEOUT = 1, CEMV_L1_TRANSMISSION = 2, CEMV_L1_PROTOCOL = 3 };
enum cemv_error_l2 {
    CEMV_L2_OK = 0,
    CEMV_L2_CARD_DATA_MISSING = 1,
    CEMV_L2_CAM_FAILED = 2,
    CEMV_L2_STATUS_BYTES = 3,
    CEMV_L2_PARSING_ERROR = 4,
    CEMV_L2_MAX_LIMIT_EXCEEDED = 5,
    CEMV_L2_CARD_DATA_ERROR = 6,
    CEMV_L2_MAGSTRIPE_NOT_SUPPORTED = 7,
    CEMV_L2_IDS_READ_ERROR = 0x0B,
    CEMV_L2_IDS_WRITE_ERROR = 0x0C,
    CEMV_L2_IDS_DATA_ERROR = 0x0D,
    CEMV_L2_IDS_NO_MATCHING_AC = 0x0E,
};
enum cemv_error_l3 { CEMV_L3_OK = 0, CEMV_L3_TIMEOUT = 1, CEMV_L3_STOP = 2, CEMV_L3_AMOUNT_NOT_PRESENT = 3 };
void cemv_error_set(struct cemv_outcome *outcome, uint8_t l1, uint8_t l2,
                    uint16_t status_word); /* after the UI request is set */

/* Ends with this outcome; the records in kernel->out stand. */
enum cemv_step cemv_end(struct cemv_kernel *kernel, const struct cemv_edges *edges, const struct cemv_outcome *outcome);
/* Ends with End Application, "insert, swipe or try another card", without records. */
enum cemv_step cemv_end_card_fault(struct cemv_kernel *kernel, const struct cemv_edges *edges, uint8_t reason,
                                   uint8_t l2, uint16_t status_word);

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

/* Commands every kernel sends. They fill kernel->out.command and return the step of cemv_output_send. */
enum cemv_step cemv_send_gpo(struct cemv_kernel *kernel, const struct cemv_edges *edges,
                             uint8_t state); /* PDOL of the FCI; 83 00 without one */
enum cemv_step cemv_send_read_record(struct cemv_kernel *kernel, const struct cemv_edges *edges, uint8_t state,
                                     struct cemv_record_id id);

/* GET PROCESSING OPTIONS in format 1: profile and locator by position. */
enum cemv_store_error cemv_store_gpo_format_1(struct cemv_kernel *kernel, cemv_bytes value);
/* Opens the locator for reading, as many records as the protection allows. A record that stands twice is reported, and
 * refused outside profile `book` (SECURITY.md, A18). */
enum cemv_records { CEMV_RECORDS_OPEN = 0, CEMV_RECORDS_MALFORMED = 1, CEMV_RECORDS_REFUSED = 2 };
enum cemv_records cemv_open_records(struct cemv_kernel *kernel);

/* PAN consistency over 5A and 57 (C-3, A.2; SECURITY.md, A17); false if they differ. */
bool cemv_pan_agrees_with_track_2(const struct cemv_store *store);
/* The PAN of 5A or, without it, of track 2 equivalent data or track 2 data: cn, up to the separator; empty if neither
 * parses. `buffer` holds 10 bytes. */
cemv_bytes cemv_pan_of(const struct cemv_store *store, uint8_t buffer[10]);
bool cemv_track2_expiry(const struct cemv_store *store, uint8_t yymm[2]);
bool cemv_luhn_ok(cemv_bytes pan);
/* The PAN contradicts the brand of the name that was selected (negative table, SECURITY.md, A03, A33). */
bool cemv_brand_mismatch(cemv_bytes name, cemv_bytes pan);
/* The same for the account that was read, reported; true if the protection refuses it. */
bool cemv_brand_refused(struct cemv_kernel *kernel);
/* Findings about the account; true if one of them ends the transaction (SECURITY.md, A17). */
bool cemv_account_ends(struct cemv_kernel *kernel);
bool cemv_on_exception_list(const struct cemv_kernel *kernel, cemv_bytes pan);

/* A finding (SECURITY.md, A27) where byte 1 of the AIP denies `method`, and the card carries the certificates for it,
 * or denies every method and yet has records that are signed: a kernel that needs no certificate may leave it unread.
 */
void cemv_look_for_stripped_oda(struct cemv_kernel *kernel, uint8_t method);
/* The CA key that tag 8F names, and its row; NULL if there is none, or it has expired and the profile is not `book`.
 * Leaves the findings CA_KEY_MISSING and CA_KEY_EXPIRED. */
const struct cemv_ca_key *cemv_ca_key_of(struct cemv_kernel *kernel, size_t *row);
/* Offline data authentication over the store: the chain to the ICC key, static data included, which is then vouched
 * for. The RID is that of our combination, never the card's. Leaves the findings of cemv_ca_key_of(), TEST_KEY,
 * CERTIFICATE_EXPIRED and CERTIFICATE_REVOKED. */
enum cemv_oda_result cemv_oda_icc_key(struct cemv_kernel *kernel, struct cemv_certificate *icc);
/* One public operation of that chain ahead of time, if its operands are there: no finding, no provenance, no decision.
 * The blocks lie at the end of the arena, which they give up when it is needed. False: nothing to do, now or at all. */
bool cemv_oda_work(struct cemv_kernel *kernel);
bool cemv_oda_has_work(const struct cemv_kernel *kernel);

#endif
