/* SPDX-License-Identifier: Apache-2.0 */
/* One transaction as a state machine: the driver's contract, steps and replies, and the queries of a session. The
 * driver does all I/O and has the clock. Restarts follow Book B, 3.5; DESIGN.md, section 3, has the reasons. */
#ifndef CEMV_SESSION_PUBLIC_H
#define CEMV_SESSION_PUBLIC_H

#include "cemv_configuration.h"
#include "cemv_outcome.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The driver's contract -----------------------------------------------------------------------------------------
 *
 * The driver loops: it shows the messages of the step, carries out its field request, does the work that the step
 * requests, and replies. cemv_session_takes() reports which kinds of reply a step accepts; any other kind changes
 * nothing.
 *
 *   step    query                         accepted replies
 *   POLL    cemv_session_poll()           CARD; COLLISION; COLLISION_CLEARED after COLLISION; TIMEOUT, TRANSMISSION or
 *                                         PROTOCOL where no card could be activated; DEADLINE; with removal_first
 *                                         REMOVED and DEADLINE alone
 *   SEND    cemv_session_command()        RESPONSE, TIMEOUT, TRANSMISSION, PROTOCOL, REMOVED; DATA if the kernel
 *                                         accepts unsolicited data
 *   ASK     cemv_session_question()       DATA, DEADLINE
 *   WORK    messages                      CONTINUE, once they are shown
 *   PARKED  cemv_session_outcome()        ONLINE, PIN
 *   DONE    cemv_session_outcome()        nothing
 *
 * STOP is accepted before PARKED, ABANDON before DONE. A driver that has no accepted reply must send ABANDON: repeating
 * a reply that is not accepted loops for ever.
 *
 * Each query belongs to the step in its row. In any other step the command and the question are empty (kind 0, no
 * deadline), and the poll requests nothing.
 *
 * Messages. Every step may have some, PARKED and DONE too: cemv_session_ui_count() of them, in order, each for its hold
 * time. Entry Point adds 15 (Present Card) and 19 itself. 14 (Welcome), between transactions, is the driver's (Book A,
 * 8.1.1.5).
 *
 * Field. cemv_session_field_off() reports with every step whether the field goes off now and for how long. A POLL then
 * wants it on. CEMV_FIELD_KEEP requests nothing, but a driver may restart the field if its Level 1 finds a card again
 * in no other way. With removal_first the field is on again after the hold time, until no card answers: then reply
 * REMOVED, and the next POLL requests the card. The field stays on from an outcome with Start D to its restart. After
 * DONE it goes off.
 *
 * Collision. After COLLISION the step is POLL again: COLLISION_CLEARED once at most one card is left, then CARD.
 *
 * Time limits. SEND has no time limit: the limit of a command is Level 1's, and the driver replies TIMEOUT when it is
 * over. ASK has the deadline of its question. For POLL the driver chooses one.
 *
 * Restarts (Book A, 8.1.1.20-24). An Online Request or Request Online PIN whose Start is not N/A is reported with
 * PARKED: send the data record to the issuer, or have the PIN entered, and reply ONLINE or PIN. If the outcome's Online
 * Response Data is ANY, the kernel continues with any reply; if it is EMV_DATA, only if the reply contains 91, 71 or
 * 72. Otherwise the next step is DONE and the parked outcome stays the final one: the driver presents the issuer's
 * decision. End Application with a Start leads to POLL with removal_first. Approved, Declined and Try Another Interface
 * are final whatever their Start. After CEMV_MAX_RESTARTS an outcome is reported with DONE and Start N/A.
 *
 * No answer. ONLINE with unable_to_go_online reports it to a kernel whose Online Response Data is ANY, which then
 * decides itself and may approve or decline offline; for EMV_DATA the parked outcome stays. ABANDON asks no kernel: the
 * parked outcome, still an Online Request, stays the final one. Use it if the kernel must not decide.
 *
 * Answers. Only the combination that asked is given the answer, in every presentment that follows (Book B, 3.3.3.5):
 * another card or application ends with End Application, 1C. The issuer's decision is final: an End Application that
 * follows an ONLINE with an answer means that the card was not updated, and changes neither an approval nor a decline.
 * Faults that use up the presentments then end without a message.
 *
 * Removal time-out (Book A, 8.1.1.21). The driver's timer runs from PARKED; when it ends, the driver shows message 17
 * and sets removal_timed_out in its reply, ONLINE or PIN.
 *
 * NULL. No pointer may be NULL but: cemv_transaction.reader, .presented and .log, cemv_configuration.crypto, .data of
 * cemv_bytes whose size is 0, arrays whose count is 0, `memory` (CEMV_NO_MEMORY), the session given to
 * cemv_session_wipe(), the reader given to cemv_session_set_reader(), and members that say so. */

/* What to do next. */
enum cemv_step {
    CEMV_STEP_NONE = 0,   /* no transaction: the memory was wiped; no reply is accepted */
    CEMV_STEP_POLL = 1,   /* switch the field on and wait for a card: cemv_session_poll() has the details */
    CEMV_STEP_SEND = 2,   /* send cemv_session_command() */
    CEMV_STEP_ASK = 3,    /* the terminal must supply something: cemv_session_question() */
    CEMV_STEP_WORK = 4,   /* show the queued messages now, then reply CEMV_REPLY_CONTINUE */
    CEMV_STEP_PARKED = 5, /* an outcome is given, a restart may follow: reply ONLINE or PIN, or ABANDON to finish */
    CEMV_STEP_DONE = 6,   /* an outcome is given; everything else in the session is wiped */
};

enum cemv_reply_kind {
    CEMV_REPLY_RESPONSE = 1, /* `bytes`: body and status word; `elapsed_us` */
    CEMV_REPLY_TIMEOUT = 2,  /* link faults (L1) in answer to POLL or SEND */
    CEMV_REPLY_TRANSMISSION = 3,
    CEMV_REPLY_PROTOCOL = 4,
    CEMV_REPLY_CARD = 5,              /* POLL: one card is in the field and activated */
    CEMV_REPLY_COLLISION = 6,         /* POLL: several cards */
    CEMV_REPLY_COLLISION_CLEARED = 7, /* POLL */
    /* POLL: the card has left that had to be removed. SEND: the card was pulled; an L1 time-out to a kernel. */
    CEMV_REPLY_REMOVED = 8,
    CEMV_REPLY_DATA = 9,      /* ASK: `bytes`; SEND: data objects that a kernel with data exchange accepts any time */
    CEMV_REPLY_DEADLINE = 10, /* ASK or POLL: the deadline passed */
    CEMV_REPLY_STOP = 11,     /* the terminal stops the transaction */
    CEMV_REPLY_CONTINUE = 12, /* WORK */
    CEMV_REPLY_ONLINE = 13,   /* PARKED: the issuer's data objects (8A, 91, 71, 72). Empty `bytes`: an answer
                                 without data, as are malformed ones. More than CEMV_MAX_ISSUER_DATA: not accepted,
                                 the step stays PARKED. If no answer came, set `unable_to_go_online` */
    CEMV_REPLY_PIN = 14,      /* PARKED: PIN entry has ended, see `pin_not_captured`; `bytes` as for ONLINE. An issuer
                                 that has answered the request with the PIN is an ONLINE: kernels distinguish them */
    CEMV_REPLY_ABANDON = 15,  /* any step: wipe and be DONE; a parked outcome stays. A cryptogram that is under way is
                                 remembered as torn */
};
struct cemv_reply {
    uint8_t kind;             /* enum cemv_reply_kind */
    bool removal_timed_out;   /* ONLINE, PIN: the removal time-out of the outcome expired (Book A, 8.1.1.21) */
    bool unable_to_go_online; /* ONLINE: no answer came; `bytes` are ignored */
    bool pin_not_captured;    /* PIN: the cardholder entered none */
    uint32_t elapsed_us;      /* RESPONSE: command sent to response received; 0 if not measured */
    cemv_bytes bytes;         /* borrowed for the call */
};

#define CEMV_MAX_RESPONSE    258 /* body and status word; longer is a protocol fault */
#define CEMV_MAX_RECORDS     64
#define CEMV_MAX_RESTARTS    3    /* restarts by the reader (Book A, 8.1.1.22-24) within a transaction */
#define CEMV_MAX_COLLISIONS  16   /* collisions in one transaction */
#define CEMV_MAX_ISSUER_DATA 1024 /* bytes of an issuer's answer, tags and lengths counted; kept until the restart */
#define CEMV_MAX_UI_REQUESTS 5    /* queued with one step */

/* The memory of a reader from tap to tap. The caller owns it, one for each reader, zero at first. It is handed to every
 * transaction, used by the session until it is done or wiped, then the caller's again. It holds account numbers: erase
 * it when the reader shuts down. */
#define CEMV_TORN_RECORD_CAPACITY 1024
#define CEMV_MAX_FAILED_MAGSTRIPE 5
struct cemv_torn_record {
    uint16_t size; /* 0: free */
    uint8_t bytes[CEMV_TORN_RECORD_CAPACITY];
};
/* The data that fetch the cryptogram of a tap that broke off, within its own transaction (Kernel 5; Book C-5, 3.13),
 * for the next activation of that kernel. Dropped when another kernel is activated and when the transaction is over. */
#define CEMV_RECOVERY_CAPACITY 600
struct cemv_recovery {
    uint8_t kernel; /* its owner: row of the configuration's kernels, from 1 */
    uint16_t size;  /* 0: empty */
    uint8_t bytes[CEMV_RECOVERY_CAPACITY];
};
/* Kernel 8: the beginnings of a tap's blinded card key and of the kernel's own key. */
struct cemv_seen_key {
    uint8_t card[8], kernel[8];
};
#define CEMV_SEEN_KEYS 8

struct cemv_reader_memory {
    uint32_t link_latency_us; /* a fixed latency of the link, measured once: subtracted where a kernel times a card.
                               * Over a link that jitters this gives conformance, not protection against relays */
    uint8_t failed_magstripe; /* Kernel 2, Failed MS Cntr: 0 to CEMV_MAX_FAILED_MAGSTRIPE */
    uint8_t torn_count;
    struct cemv_torn_record torn[CEMV_TORN_RECORDS]; /* Kernel 2, oldest first */
    struct cemv_recovery recovery;
    uint8_t seen_next; /* Kernel 8: where the next tap's keys go */
    struct cemv_seen_key seen[CEMV_SEEN_KEYS];
    struct cemv_issuer_keys *issuer_keys; /* cemv_crypto.h; NULL: every certificate is recovered at every tap */
};

/* The machine that waits: Entry Point (`kernel` NULL) or a kernel of the configuration, and its state; 0 while it does
 * not wait. For tests and tools; cemv_debug.h names them. */
struct cemv_state {
    const struct cemv_kernel_row *kernel;
    uint8_t number; /* 0 to 31 */
};

/* A log of a session's actions, as laboratories require it: called for every wait, every end and every decision of a
 * kernel. It changes nothing, and may not call into the session. `clause` defines `value`:
 *
 *   CEMV_NOTE_WAITS   the machine waits; enum cemv_step
 *   CEMV_NOTE_ENDS    the machine has ended; enum cemv_outcome_status times 256, plus enum cemv_reason
 *   CEMV_CLAUSE(...)  the clause of the kernel's book by which it decided, and the result: a value of the enum that
 *                     the decision has in the kernel's sources, or the Terminal Verification Results
 *   CEMV_STEP_OF(...) likewise, if the book numbers states and steps (Book C-2) */
struct cemv_log {
    void (*note)(void *context, struct cemv_state state, uint32_t clause, uint64_t value);
    void *context;
};
#define CEMV_NOTE_WAITS                0u
#define CEMV_NOTE_ENDS                 1u
#define CEMV_CLAUSE(a, b, c, d)        ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))
#define CEMV_STEP_OF(book_state, step) ((uint32_t)(book_state) << 8 | (uint32_t)(step))

/* Parts that are linked only if a transaction names them. */
extern const struct cemv_amount_wait cemv_amount_wait;
extern const struct cemv_presenting cemv_presenting;

/* A card's public data, for drivers that show or refuse it: the caller's memory, cemv_presented_none() at first. Each
 * presentment empties it, responses fill it, and it stays when the session is done. No account data. */
#define CEMV_OFFERED_CAPACITY   240
#define CEMV_PRESENTED_CAPACITY 68
struct cemv_presented {
    const struct cemv_presenting *by; /* &cemv_presenting */
    uint8_t names_size, objects_size;
    /* Names (4F) that the directory lists, in its order, each after a byte with its length. None after an issuer's
     * answer. */
    uint8_t names[CEMV_OFFERED_CAPACITY];
    /* Data objects of the application that was selected last: 50, 9F11, 9F12, 5F2D, 5F28, 5F55, 5F56 of the FCI; 5F28
     * of a record if the FCI does not have it, as soon as it is read. */
    uint8_t objects[CEMV_PRESENTED_CAPACITY];
};
/* Nothing is presented yet. */
static inline struct cemv_presented cemv_presented_none(void)
{
    const struct cemv_presented none = { &cemv_presenting, 0, 0, { 0 }, { 0 } }; /* also C++11 */
    return none;
}

/* Tag 9C; any other two digits are allowed if a combination lists them. */
enum cemv_transaction_type {
    CEMV_TYPE_PURCHASE = 0x00,
    CEMV_TYPE_CASH = 0x01,
    CEMV_TYPE_CASHBACK = 0x09,
    CEMV_TYPE_CASH_DISBURSEMENT = 0x17,
    CEMV_TYPE_REFUND = 0x20,
};

struct cemv_transaction {
    uint8_t type;    /* enum cemv_transaction_type */
    uint64_t amount; /* minor units, up to 12 digits */
    uint64_t amount_other;
    uint16_t currency;          /* ISO 4217 as BCD: 0x0978 */
    uint8_t exponent;           /* 0 to 4 */
    int16_t utc_offset_minutes; /* of date and time, -840 to 840: certificates of Kernel 8 are in UTC */
    uint8_t date[3];            /* YYMMDD */
    uint8_t time[3];            /* HHMMSS */
    uint32_t counter;           /* 9F41, up to 8 digits */
    /* Further terminal data objects for this transaction; must outlive the session. An empty object, which may be 9F02,
     * 9F03, 5F2A, 5F36, 9A, 9C or 9F21 too, is left to Kernel 2's data exchange. */
    cemv_bytes data;
    cemv_bytes preferred;  /* names of 5 to 16 bytes, each after a byte with its length: candidates that begin with one
                            * go before the card's order, the first before the second (B 3.3.3.2, the merchant's or
                            * cardholder's choice); must outlive the session */
    bool start_b;          /* Autorun: begin at Start B, indicators zero, TTQ as configured */
    bool cannot_go_online; /* the host cannot be reached now, and the reader knows it: of Kernel 4 (C-4, 4.3.1.3) */
    /* After each final SELECT, CEMV_ASK_AMOUNT: the total may depend on the card's network and product. Not for the
     * card that comes back with an issuer's answer. Currency and type stay: for others begin another session. */
    const struct cemv_amount_wait *amount_wait; /* &cemv_amount_wait; NULL: no wait */
    uint32_t amount_deadline_ms;                /* of that question; 0: no deadline */
    struct cemv_reader_memory *reader; /* NULL: nothing is remembered, so that no torn transaction is recovered */
    struct cemv_presented *presented;  /* must outlive the session; NULL: not kept */
    const struct cemv_log *log;        /* must outlive the session; NULL: no log */
};

/* Makes a transaction ask for the amount after each final SELECT; 0 ms: without a deadline. */
static inline void cemv_transaction_asks_amount(struct cemv_transaction *transaction, uint32_t deadline_ms)
{
    transaction->amount_wait = &cemv_amount_wait;
    transaction->amount_deadline_ms = deadline_ms;
}

/* Session memory: opaque, the caller's. CEMV_SESSION_SIZE bytes do for Kernels 2 to 7, CEMV_KERNEL_8_SESSION_SIZE with
 * Kernel 8; with third-party kernels, cemv_session_size() returns the size. */
#define CEMV_SESSION_SIZE 8192
struct cemv_session;
size_t cemv_session_size(const struct cemv_checked *checked);

/* Begins a transaction in `memory`, cemv_session_size() bytes or more. A reader memory with counts or sizes beyond
 * its own is refused (CEMV_FIELD_READER_MEMORY). `random` is a pool from which unpredictable numbers are taken, 4
 * bytes each, in order: at most CEMV_RANDOM_POOL bytes are kept, and CEMV_STEP_ASK requests more when it is empty.
 * At least 4 bytes are needed. On CEMV_OK `*session` is at its first step: read it with cemv_session_step(). On any
 * other status `*session` is NULL, and the memory may still hold the last transaction: do not query it. */
#define CEMV_RANDOM_POOL 68
CEMV_MUST_CHECK enum cemv_status cemv_session_begin(void *memory, size_t size, const struct cemv_checked *checked,
                                                    const struct cemv_transaction *transaction, cemv_bytes random,
                                                    struct cemv_session **session, struct cemv_config_error *error);

/* SEND: carries out one public-key operation whose operands are known already, so that the tap need not wait for it
 * later. Call it as often as it returns true while the card works on the command. Optional; changes no outcome, no step
 * and no command. */
bool cemv_session_work(struct cemv_session *session);
/* There is such an operation, if it turns out to be possible. */
bool cemv_session_has_work(const struct cemv_session *session);

/* Another reader memory for a session that was copied: a fork must not write into the one of its original. False: it is
 * not sound (cemv_session_begin), and the session continues without one. */
bool cemv_session_set_reader(struct cemv_session *session, struct cemv_reader_memory *reader);

/* For a copied session: the memory for the card's public data from here on; NULL: they are not kept. */
void cemv_session_set_presented(struct cemv_session *session, struct cemv_presented *presented);

/* For a copied session: its log from here on, which must outlive it; NULL: no log. */
void cemv_session_set_log(struct cemv_session *session, const struct cemv_log *log);

enum cemv_step cemv_session_step(const struct cemv_session *session);
/* Gives the reply the step waits for, and returns the next step. Any other kind is a caller's mistake: it changes
 * nothing, and the present step is returned. */
enum cemv_step cemv_session_reply(struct cemv_session *session, const struct cemv_reply *reply);
/* True if the present step accepts this kind of reply. */
bool cemv_session_takes(const struct cemv_session *session, uint8_t kind);

/* SEND: the command; valid until the next reply. Empty in any other step. */
cemv_bytes cemv_session_command(const struct cemv_session *session);

struct cemv_poll {
    bool removal_first;    /* wait until the card has left, reply REMOVED; the next POLL requests a card */
    uint32_t field_off_ms; /* first switch the field off for this time; CEMV_FIELD_KEEP: no request */
};
#define CEMV_FIELD_KEEP UINT32_MAX
/* POLL: its details. In any other step no removal and no field request. */
struct cemv_poll cemv_session_poll(const struct cemv_session *session);
/* Any step: the field goes off now and stays off for this number of milliseconds, 0 included; CEMV_FIELD_KEEP: nothing
 * is requested. Each Field Off Request (Book B, 3.5.1.2) comes with exactly one step: PARKED, DONE, or the POLL of a
 * restart, with the value of cemv_session_poll(). The hold time runs from that step on; nothing may switch the
 * field on before it has passed, a later step or transaction included. */
uint32_t cemv_session_field_off(const struct cemv_session *session);

enum cemv_question_kind {
    /* Reply DATA with 4 to CEMV_RANDOM_POOL fresh random bytes. Without random bytes reply DEADLINE, which ends the
     * transaction with CEMV_REASON_RANDOM. The session never makes up bytes, and cannot recognise bad ones. */
    CEMV_ASK_RANDOM = 1,
    CEMV_ASK_KERNEL = 2, /* a question of a kernel: `bytes` in its own terms */
    /* cemv_transaction.amount_wait: an application was selected, its kernel not yet activated. `bytes` are data objects
     * of the card, as far as it gives them: 4F (the name selected), 50, 9F12, 9F0A, 42, 9F0C, 5F2D, 5F55, 5F56, 5F28.
     * Reply DATA with 9F02 or 9F03 or both (n 12), empty for the amounts that the transaction began with, which hold
     * after DEADLINE too. An answer that cannot be read ends with CEMV_REASON_STOPPED; an amount that the combination
     * does not allow (Book B, 3.1) ends with CEMV_REASON_NOT_ALLOWED, and no other application is tried. */
    CEMV_ASK_AMOUNT = 3,
};
struct cemv_question {
    uint8_t kind;
    /* The last answer did not suffice: the question is not repeated, and its deadline runs on. */
    bool running;
    uint32_t deadline_ms; /* 0: no deadline */
    cemv_bytes bytes;
};
/* ASK: the question; valid until the next reply. In any other step all members are zero. */
struct cemv_question cemv_session_question(const struct cemv_session *session);

/* Data exchange: the data that a kernel sends to the terminal with a step (Kernel 2: FF8104 and DF8106 as data objects,
 * their lists inside). Empty without such data, and dropped with the next reply. FF8104 begins with FF, which a TLV
 * cursor skips as filler: read it by position. */
cemv_bytes cemv_session_exchange(const struct cemv_session *session);

/* The requests of the present step. At an index beyond the count: a request to clear the display, status N/A. */
size_t cemv_session_ui_count(const struct cemv_session *session);
struct cemv_ui_request cemv_session_ui(const struct cemv_session *session, size_t index);

/* The last outcome; status NONE before there is one. */
struct cemv_outcome cemv_session_outcome(const struct cemv_session *session);
/* Data objects of the outcome as TLV, and the name that was selected; empty if the outcome lacks them. Valid
 * until the next reply. */
cemv_bytes cemv_session_data_record(const struct cemv_session *session);
cemv_bytes cemv_session_discretionary(const struct cemv_session *session);
cemv_bytes cemv_session_df_name(const struct cemv_session *session);

/* The pre-processing indicators of combination `row` (Book A, Table 5-3). */
struct cemv_indicators {
    bool status_check_requested;
    bool not_allowed;
    bool zero_amount;
    bool cvm_required_limit_exceeded;
    bool floor_limit_exceeded;
    bool ttq_present;
    uint8_t ttq[4];
    /* Which limit, and whose, where not_allowed: for display, not for kernels. */
    uint8_t blocked_by; /* enum cemv_limit, or CEMV_BLOCKED_BY_ZERO_AMOUNT, or CEMV_BLOCKED_BY_NOTHING */
};
#define CEMV_BLOCKED_BY_NOTHING     0xFF
#define CEMV_BLOCKED_BY_ZERO_AMOUNT 0xFE
/* Computed from configuration and transaction, as a session does it. */
struct cemv_indicators cemv_preprocess(const struct cemv_combination *combination,
                                       const struct cemv_transaction *transaction);
/* True if the combination lists the transaction's type. */
bool cemv_combination_takes(const struct cemv_combination *combination, uint8_t transaction_type);

/* Presentments so far (1 at the first card), commands sent in all of them, and the present state. */
uint32_t cemv_session_taps(const struct cemv_session *session);
uint32_t cemv_session_commands(const struct cemv_session *session);
struct cemv_state cemv_session_state(const struct cemv_session *session);

/* Wipes everything. Cannot be elided. A session that is not DONE should be given CEMV_REPLY_ABANDON first: a wipe alone
 * forgets a cryptogram that is under way. */
void cemv_session_wipe(struct cemv_session *session);

#ifdef __cplusplus
}
#endif
#endif
