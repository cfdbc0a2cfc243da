/* SPDX-License-Identifier: Apache-2.0 */
/* The interface between Entry Point and a kernel, for third-party kernels and the built-in ones alike. A kernel is a
 * module, listed as a row of the configuration's kernels.
 *
 * start() is called at every activation (Book B, 3.4), reply() for every reply after that. Both end with exactly one of
 * cemv_kernel_send(), cemv_kernel_ask(), cemv_kernel_publish() or cemv_kernel_finish(), and return its result. A kernel
 * that breaks these rules cannot approve anything: if a call ends with none of the four, or the argument of one is
 * impossible, the transaction ends with End Application and CEMV_REASON_INTERNAL. */
#ifndef CEMV_KERNEL_PUBLIC_H
#define CEMV_KERNEL_PUBLIC_H

#include "cemv_session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Who may supply an object, a bit set. A card may write an object if, and only if, the CARD bit is set. */
enum cemv_source {
    CEMV_SOURCE_CARD = 1,
    CEMV_SOURCE_TERMINAL = 2, /* with the transaction, or during it by data exchange */
    CEMV_SOURCE_ISSUER = 4,
    CEMV_SOURCE_KERNEL = 8, /* computed */
    CEMV_SOURCE_CONFIGURATION = 16,
    /* The card's here, under a number that is the terminal's to another kernel: terminal data may bring it, and this
     * kernel leaves it out. */
    CEMV_SOURCE_ELSEWHERE = 32,
    CEMV_SOURCE_CONTACT = 64, /* of terminals and issuers alone, and in no dictionary of Books C-2 and C-8 */
};

/* Where an object of the card may come, a bit set; none: only by itself (GET DATA, READ DATA). */
enum cemv_template {
    CEMV_TEMPLATE_FCI = 1,        /* 6F, A5, BF0C, and 61 in them */
    CEMV_TEMPLATE_GPO = 2,        /* 77, 80 of GET PROCESSING OPTIONS */
    CEMV_TEMPLATE_RECORD = 4,     /* 70 */
    CEMV_TEMPLATE_AC = 8,         /* 77, 80 of GENERATE AC, RECOVER AC, COMPUTE CRYPTOGRAPHIC CHECKSUM */
    CEMV_TEMPLATE_DIRECTORY = 16, /* 61, with 73 */
    CEMV_TEMPLATE_SCRIPT = 32,    /* 71, 72 */
};

/* A data object as a kernel defines it. `min` and `max` bound the length of a value that is not empty; `max` 255 also
 * means longer or unbounded values. */
struct cemv_tag_row {
    uint32_t tag : 24;   /* no book has one of four bytes */
    uint32_t format : 8; /* enum cemv_format */
    uint8_t min;         /* at least 1 */
    uint8_t max;
    uint8_t source;    /* enum cemv_source */
    uint8_t templates; /* enum cemv_template */
};

/* How a kernel reads the card's data, a bit set. */
enum cemv_reading {
    CEMV_READING_STRICT_DUPLICATES = 0,    /* any repeated primitive object ends (Book 3, 10.2; C-3, 5.4.2.2) */
    CEMV_READING_IDENTICAL_DUPLICATES = 1, /* an identical repetition is accepted, another value refused (C-8, 4.1) */
    CEMV_READING_REFUSE_TERMINAL_TAGS = 2, /* instead of ignoring and counting them */
    CEMV_READING_FLAT = 4,                 /* no object inside a further template is known (Book 3, 7.5) */
    CEMV_READING_ANY_LENGTH = 8,           /* kept in any length: the kernel checks those it uses (C-7, 4.2.4.3) */
    CEMV_READING_PROPRIETARY =
        16, /* its combinations' data, and a transaction's, may have tags that it does not list */
    CEMV_READING_DRAWS_ITSELF =
        32, /* no unpredictable number is drawn for an activation: the kernel does (C-8, 1.13) */
};

/* A kernel's tags beyond the base table, which has the tags that all kernels share. Ascending, each a valid
 * BER tag and not in the base table, at most CEMV_KERNEL_TAGS_MAX. */
#define CEMV_KERNEL_TAGS_MAX 128
struct cemv_kernel_tags {
    const struct cemv_tag_row *rows;
    uint16_t count;
};
/* The base table's row of a tag; NULL if the table does not have it. For a text that names the lengths and the format
 * of an object. */
const struct cemv_tag_row *cemv_base_tag(uint32_t tag);

/* A machine's edges: for each of its states the set of states that it may wait in next, as bits; bit 0: it may end.
 * Entry 0 is the start. States are numbered from 1. */
#define CEMV_STATES_MAX 32
struct cemv_edges {
    uint32_t next[CEMV_STATES_MAX];
};

/* A PDOL that Entry Point demands of an application before it activates the kernel (Book B, 3.3.3.6): with this RID it
 * asks for this tag. */
struct cemv_pdol_demand {
    uint8_t rid[5];
    uint32_t tag;
};

struct cemv_kernel; /* one activation */

/* A kernel: the functions that Entry Point calls when it activates one and for every reply after that, and the kernel's
 * description of itself. */
struct cemv_kernel_module {
    enum cemv_step (*start)(struct cemv_kernel *kernel);
    enum cemv_step (*reply)(struct cemv_kernel *kernel, const struct cemv_reply *reply);
    /* CEMV_REPLY_STOP. NULL: the session ends at once. Else the kernel finishes, or lets it pass and returns the step
     * it is at. */
    enum cemv_step (*stop)(struct cemv_kernel *kernel);
    /* CEMV_REPLY_DATA without a request: unsolicited data objects. NULL: not taken. Changes no step. */
    void (*data)(struct cemv_kernel *kernel, cemv_bytes objects);
    /* CEMV_REPLY_ABANDON while the kernel is at work: writes the data that outlive the session to the reader memory.
     * Changes no step. NULL: nothing. */
    void (*abandon)(struct cemv_kernel *kernel);
    /* cemv_session_work(), while the card works: an operation whose operands are there, and whether there is one.
     * Changes no outcome. Both NULL: the certificates of offline data authentication, as far as they are read. */
    bool (*precompute)(struct cemv_kernel *kernel);
    bool (*precompute_due)(const struct cemv_kernel *kernel);
    /* Checks combination `row` and its options, beyond the format of its data objects; names field and tag or option in
     * `error`. NULL: nothing is checked. */
    enum cemv_status (*check)(const struct cemv_configuration *configuration, size_t row,
                              struct cemv_config_error *error);
    struct cemv_kernel_tags tags;
    const struct cemv_edges *edges; /* NULL: not checked */
    const struct cemv_pdol_demand *demands;
    uint8_t demand_count;
    uint8_t reading;      /* enum cemv_reading */
    uint16_t memory_size; /* of cemv_kernel_memory(), up to CEMV_KERNEL_MEMORY_MAX bytes; 0: CEMV_KERNEL_MEMORY */
};

/* Amounts of up to 12 digits, and known limits only: for checks of options. */
CEMV_MUST_CHECK enum cemv_status cemv_limits_check(const struct cemv_limits *limits);

/* What Entry Point gives (Book B, 3.4.1; Book A, 8.1.1.7-8). All bytes stay valid until the kernel finishes. */
enum cemv_pin_entry { CEMV_PIN_ENTRY_NONE = 0, CEMV_PIN_ENTRY_CAPTURED = 1, CEMV_PIN_ENTRY_NOT_CAPTURED = 2 };

struct cemv_activation {
    uint8_t start;        /* enum cemv_start: where Entry Point was started; A for a new transaction */
    bool restarted;       /* Restart flag (Book B, glossary): activated again within the transaction for the
                             same combination and ADF name, but not after Select Next */
    cemv_bytes df_name;   /* ADF name as selected, extended selection included */
    cemv_bytes aid;       /* of the reader combination */
    cemv_bytes fci;       /* response of the final SELECT; empty at Start D */
    uint16_t status_word; /* of the final SELECT; 0 at Start D */
    struct cemv_indicators indicators; /* with the copy of TTQ */
    const struct cemv_combination *combination;
    const struct cemv_transaction *transaction; /* ask cemv_kernel_terminal_data() for data objects */
    uint8_t unpredictable_number[4];            /* fresh for every activation */
    bool online_response_present;               /* restarted with an issuer's answer */
    bool unable_to_go_online;                   /* no answer came */
    bool removal_timed_out;
    uint8_t pin_entry;          /* enum cemv_pin_entry: the result of the PIN entry that restarted */
    cemv_bytes online_response; /* 8A, 91, 71, 72 as data objects */
};
struct cemv_activation cemv_kernel_activation(const struct cemv_kernel *kernel);

/* A terminal data object: of transaction, combination or terminal, in that order. Empty if none of them has it. */
cemv_bytes cemv_kernel_terminal_data(const struct cemv_kernel *kernel, uint32_t tag);
/* Values for a DOL from terminal data (Book 3, 5.4); false if they exceed `capacity`. */
bool cemv_kernel_build_dol(const struct cemv_kernel *kernel, cemv_bytes dol, uint8_t *out, size_t capacity,
                           size_t *size);

/* The kernel's memory, kept through a transaction's activations of that kernel, zero at first, aligned to 8 bytes.
 * Bytes beyond CEMV_KERNEL_MEMORY make the session larger (cemv_session_size()). */
#define CEMV_KERNEL_MEMORY     512
#define CEMV_KERNEL_MEMORY_MAX 8192
void *cemv_kernel_memory(struct cemv_kernel *kernel);
/* The context of the kernel's row, and the options of the combination. */
void *cemv_kernel_context(const struct cemv_kernel *kernel);
const void *cemv_kernel_options(const struct cemv_kernel *kernel);

/* Queues a user interface request with the next step; false if the kernel's share of the queue is full. The request on
 * outcome and those of Entry Point do not count. */
#define CEMV_MAX_KERNEL_UI_REQUESTS 3
bool cemv_kernel_show(struct cemv_kernel *kernel, const struct cemv_ui_request *request);

/* Notes a decision in the transaction's log, if it has one (struct cemv_log). */
void cemv_kernel_note(const struct cemv_kernel *kernel, uint32_t clause, uint64_t value);

/* Waits in state 1 to 31; another, or one that the module's edges do not allow, ends with CEMV_REASON_INTERNAL.
 * Command and question are copied. A command has up to 255 bytes of data and an Le of up to 256, a question up to
 * CEMV_QUESTION_MAX bytes; longer ones end with CEMV_REASON_INTERNAL. */
#define CEMV_QUESTION_MAX 262
enum cemv_step cemv_kernel_send(struct cemv_kernel *kernel, uint8_t state, const struct cemv_command *command);
enum cemv_step cemv_kernel_ask(struct cemv_kernel *kernel, uint8_t state, cemv_bytes question, uint32_t deadline_ms);
enum cemv_step cemv_kernel_publish(struct cemv_kernel *kernel, uint8_t state);
/* The state given with the step that is being answered; 0 in start(). */
uint8_t cemv_kernel_state(const struct cemv_kernel *kernel);
#define CEMV_RECORD_CAPACITY 1024
/* An outcome with every parameter "N/A", "No" or zero (Book A, Table 6-2), to start a kernel's outcome from. A zeroed
 * struct means Start A and the field off. */
struct cemv_outcome cemv_outcome_of(uint8_t status, uint8_t reason);
/* A user interface request without hold time and value. */
struct cemv_ui_request cemv_ui_of(uint8_t message, uint8_t status);
/* Sets the request on outcome and its presence flag. */
void cemv_outcome_show(struct cemv_outcome *outcome, uint8_t message, uint8_t status);

/* Ends the activation with an outcome whose status and start have a name. `data_record` and `discretionary` are lists
 * of data objects, and copied. Beyond CEMV_RECORD_CAPACITY bytes together both are left out, with
 * CEMV_REASON_STORE_FULL: an approval or an online request, which needs its record, becomes an End Application; another
 * status stays. */
enum cemv_step cemv_kernel_finish(struct cemv_kernel *kernel, const struct cemv_outcome *outcome,
                                  cemv_bytes data_record, cemv_bytes discretionary);

#ifdef __cplusplus
}
#endif
#endif
