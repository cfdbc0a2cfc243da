/* SPDX-License-Identifier: Apache-2.0 */
/* Entry Point (Books A and B v2.10): finds the combination for which a kernel is activated, and evaluates its outcome.
 * Knows no kernel: it reports the selected combination, and the session activates the kernel. */
#ifndef CEMV_ENTRY_H
#define CEMV_ENTRY_H

#include "../data/data.h"
#include "../outcome/outcome.h"

/* The states of Entry Point, named by the awaited event. */
enum cemv_entry_state {
    E_WAIT_CARD = 0x01,    /* POLL: a card, a collision (B 3.2) */
    E_WAIT_CLEAR = 0x02,   /* POLL: the collision to end (B 3.2.1.4-5) */
    E_WAIT_REMOVAL = 0x03, /* POLL: the card to leave before a restart (A 8.1.1.23) */
    E_WAIT_PPSE = 0x04,    /* SEND: SELECT PPSE (B 3.3.2.2) */
    E_WAIT_SPI = 0x05,     /* SEND: SEND POI INFORMATION (B 3.3.2.3a) */
    E_WAIT_SELECT = 0x06,  /* SEND: final SELECT (B 3.3.3.4) */
    E_WAIT_RANDOM = 0x07,  /* ASK: random bytes for the next activation (A 8.1.1.8) */
    E_WAIT_AMOUNT = 0x09,  /* ASK: the final amount, which may depend on the selected application */
    E_PARKED = 0x08,       /* PARKED: the issuer's answer or a PIN (A 8.1.1.22, 8.1.1.24) */
};

/* The index of the candidate that went online, once there is an answer. */
#define CEMV_CANDIDATE_ASKED (CEMV_MAX_CANDIDATES - 1)

/* A member of the candidate list (B 3.3.2.5 E). */
struct cemv_candidate {
    uint8_t row;        /* index of the configuration's combinations */
    uint8_t position;   /* index of the directory entry in the PPSE */
    uint8_t priority;   /* 1 highest .. 15; a missing priority counts as 15 */
    uint8_t preference; /* index in the transaction's list of preferred names; those without one come last */
    uint8_t name_size;  /* ADF name, with extended selection appended if the reader supports it */
    uint8_t name[16];
};

struct cemv_entry {
    const struct cemv_configuration *configuration;
    cemv_bytes preferred;             /* struct cemv_transaction */
    struct cemv_presented *presented; /* from the transaction; NULL: not kept */
    uint64_t allowed;                 /* combinations that pre-processing allows for this transaction, by row */
    uint64_t newest;                  /* those of the newest kernel that this card's directory offered */
    bool answered;                    /* restarted with an answer: only the candidate that went online is selected */
    bool issuer_data;                 /* and with issuer data: continue with final selection (B 3.3.2.1) */
    bool decided;                     /* the issuer has answered: no "try another card" afterwards */
    bool restart_ui_present;          /* from the final outcome before the restart (A 8.1.1.19-20) */
    bool candidates_dropped;
    bool had_candidates;
    bool activate;     /* the kernel of `selected` is to be activated now */
    bool kernel_limit; /* the last Select Next was a kernel's own limit */
    uint8_t candidate_count;
    uint8_t selected;           /* index into `candidates` */
    uint8_t attempts, max_taps; /* presentments since the start, or since the reader's restart */
    uint8_t collisions, restarts;
    uint16_t taps; /* all presentments */
    struct cemv_ui_request restart_ui;
    struct cemv_candidate candidates[CEMV_MAX_CANDIDATES];
};

/* The kernel that a combination names; NULL if it is not listed. */
const struct cemv_kernel_row *cemv_kernel_row_of(const struct cemv_configuration *configuration,
                                                 const struct cemv_combination *combination);
/* The effective indicators: those of cemv_preprocess, with the limit that the protection allows. */
struct cemv_indicators cemv_entry_indicators(const struct cemv_configuration *configuration,
                                             const struct cemv_combination *combination,
                                             const struct cemv_transaction *transaction);
/* B 3.1: determines the rows that accept this transaction and are allowed. Returns false if no row accepts its type. */
bool cemv_entry_preprocess(struct cemv_entry *entry, const struct cemv_transaction *transaction);

/* Start B: Protocol Activation. `field_off_ms` as in struct cemv_poll; `own`, if any, is shown instead of the retained
 * request. */
enum cemv_step cemv_entry_start_b(struct cemv_entry *entry, struct cemv_output *out, uint32_t field_off_ms,
                                  bool removal_first, const struct cemv_ui_request *own);
/* The reader restarts with an answer: from now on the selected candidate is the only one, and presentments are counted
 * from zero. */
void cemv_entry_answered(struct cemv_entry *entry, bool issuer_data, bool decided);
/* Final SELECT of the selected candidate (B 3.3.3.3-4). */
enum cemv_step cemv_entry_select(struct cemv_entry *entry, struct cemv_output *out);
/* Start C: the selected candidate is removed and the next one tried. If there is an answer, no other candidate is
 * tried. */
enum cemv_step cemv_entry_start_c(struct cemv_entry *entry, struct cemv_output *out, uint8_t reason);
/* Handles a reply in one of Entry Point's states. If `activate` is set, the final SELECT succeeded, and nothing is
 * requested from the driver. */
enum cemv_step cemv_entry_reply(struct cemv_entry *entry, const struct cemv_transaction *transaction,
                                struct cemv_output *out, const struct cemv_reply *reply);
/* Ends with an outcome of Entry Point itself. */
enum cemv_step cemv_entry_end(struct cemv_output *out, uint8_t reason, bool show);

/* The directory of a PPSE (or SPI) response. */
struct cemv_directory {
    cemv_bytes entries;    /* value of BF0C; empty if malformed or absent */
    cemv_bytes categories; /* 9F3E */
    cemv_bytes sdol;       /* 9F3F */
    bool has_sdol;
};
struct cemv_directory cemv_directory_open(cemv_bytes response);
/* Functions that keep a card's public data: the names of a directory, objects of the FCI, a country of the records. */
struct cemv_kernel;
struct cemv_presenting {
    void (*directory)(const struct cemv_directory *directory, struct cemv_presented *presented);
    void (*select)(struct cemv_kernel *kernel);
    void (*read)(struct cemv_kernel *kernel);
};
/* B 3.3.2.5 over all entries and allowed rows. */
void cemv_candidates_build(struct cemv_entry *entry, const struct cemv_directory *directory);
/* B 3.3.3.2: most preferred, then highest priority, then first in the PPSE, then first configured; 0xFF if the list is
 * empty. */
uint8_t cemv_candidates_best(const struct cemv_entry *entry);
void cemv_candidates_remove(struct cemv_entry *entry, uint8_t index);
/* True if the selected candidate belongs to an older kernel, although the directory offered its name to one of the
 * newest kernel too: that one failed, or came later in an order that nobody has signed (attacks.md, A38). */
bool cemv_candidate_falls_back(const struct cemv_entry *entry);
/* B 3.3.2.5 C and D: true if the combination's kernel is the one that the directory entry requests. `identifier` is the
 * value of 9F2A. */
bool cemv_kernel_requested(const struct cemv_combination *combination, bool present, cemv_bytes identifier);

/* Reads the lists of ID, length and value in POI Information (B A.1) and ASRPD (B 3.3.1.2). Returns false at the end or
 * at a wrong length (`*bad`). */
bool cemv_idlv_next(cemv_bytes *list, uint16_t *id, cemv_bytes *value, bool *bad);

#endif
