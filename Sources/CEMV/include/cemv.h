// SPDX-License-Identifier: Apache-2.0
/* CEMV: an EMV contactless kernel as a pure state machine.
 *
 * The session asks (cemv_step) and is given replies (struct cemv_reply). It performs no I/O, holds no clock, allocates
 * nothing.
 *
 *   configuration  checked once, const afterwards, shared by any number of sessions and threads
 *   transaction    one sale: amount, type, date, random bytes
 *   session        CEMV_SESSION_SIZE bytes that the caller owns; no pointer into itself, so memcpy is a fork
 *
 * Three worlds of errors: cemv_status for the caller's mistakes, cemv_step for what to do next (never an error),
 * struct cemv_outcome for what the card and the rules led to. */
#ifndef CEMV_H
#define CEMV_H

#include "cemv_crypto.h"
#include "cemv_tags.h"
#include "cemv_tlv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Caller mistakes and bad configuration. Card bytes never lead here. */
enum cemv_status {
    CEMV_OK = 0,
    CEMV_NO_MEMORY = 1, /* the memory given is smaller than the size asked for, or not aligned to CEMV_ALIGNMENT */
    CEMV_MISSING = 2,   /* a required value is absent */
    CEMV_BAD_LENGTH = 3,
    CEMV_BAD_VALUE = 4,
    CEMV_BAD_TLV = 5, /* terminal or combination data are not well-formed data objects */
    CEMV_UNKNOWN_TAG = 6,
    CEMV_NOT_CONFIGURABLE = 7, /* a data object that the kernel computes or the card supplies */
    CEMV_DUPLICATE = 8,
    CEMV_UNKNOWN_KERNEL = 9, /* no row in the kernel table has this identifier */
    CEMV_BAD_CHECKSUM = 10,  /* a CA key's SHA-1 does not match */
    CEMV_TOO_MANY = 11,      /* more rows than the named limit */
    CEMV_NO_RANDOM = 12,     /* not enough random bytes for one unpredictable number */
    CEMV_WEAK_KEY = 13,      /* a CA key below the protection's minimum */
    CEMV_CONFLICT = 14,      /* two settings that exclude each other */
};

/* Where a configuration error stands. */
enum cemv_config_section {
    CEMV_SECTION_TERMINAL = 0,
    CEMV_SECTION_COMBINATION = 1,
    CEMV_SECTION_CA_KEY = 2,
    CEMV_SECTION_REVOCATION = 3,
    CEMV_SECTION_EXCEPTION = 4,
    CEMV_SECTION_KERNEL = 5,
    CEMV_SECTION_PROTECTION = 6,
    CEMV_SECTION_TRANSACTION = 7,
};
enum cemv_config_field {
    CEMV_FIELD_NONE = 0,
    CEMV_FIELD_AID = 1,
    CEMV_FIELD_KERNEL_ID = 2,
    CEMV_FIELD_TRANSACTION_TYPES = 3,
    CEMV_FIELD_LIMITS = 4,
    CEMV_FIELD_TTQ = 5,
    CEMV_FIELD_DATA = 6,
    CEMV_FIELD_ZERO_AMOUNT = 7,
    CEMV_FIELD_DYNAMIC_LIMITS = 8,
    CEMV_FIELD_RID = 9,
    CEMV_FIELD_INDEX = 10,
    CEMV_FIELD_EXPONENT = 11,
    CEMV_FIELD_MODULUS = 12,
    CEMV_FIELD_CHECKSUM = 13,
    CEMV_FIELD_EXPIRY = 14,
    CEMV_FIELD_SERIAL = 15,
    CEMV_FIELD_PAN = 16,
    CEMV_FIELD_SEQUENCE = 17,
    CEMV_FIELD_TYPE = 18,
    CEMV_FIELD_AMOUNT = 19,
    CEMV_FIELD_CURRENCY = 20,
    CEMV_FIELD_EXPONENT_OF_CURRENCY = 21,
    CEMV_FIELD_DATE = 22,
    CEMV_FIELD_TIME = 23,
    CEMV_FIELD_COUNTER = 24,
    CEMV_FIELD_RANDOM = 25,
    CEMV_FIELD_MEMORY = 26,
    CEMV_FIELD_PROTECTION = 27,
    CEMV_FIELD_FUNCTIONS = 28,
    CEMV_FIELD_READER_MEMORY = 29,
};
struct cemv_config_error {
    uint16_t section; /* enum cemv_config_section */
    uint16_t field;   /* enum cemv_config_field */
    uint32_t row;     /* zero-based within the section */
    uint32_t tag;     /* the data object, where one is at fault; else 0 */
};

/* Limits of a combination, in minor units of the transaction currency. Absent is not zero (Book A, Table 5-2). */
enum cemv_limit {
    CEMV_LIMIT_TRANSACTION = 0,       /* bites at amount >= limit (Book B, 3.1.1.5) */
    CEMV_LIMIT_FLOOR = 1,             /* bites at amount > limit (3.1.1.6) */
    CEMV_LIMIT_TERMINAL_FLOOR = 2,    /* where FLOOR is absent (3.1.1.7); to kernels it is 9F1B, at most FFFFFFFF */
    CEMV_LIMIT_CVM_REQUIRED = 3,      /* bites at amount >= limit (3.1.1.8) */
    CEMV_LIMIT_CDCVM_TRANSACTION = 4, /* transaction limit where the device verified its user */
    CEMV_LIMIT_COUNT = 5,
};
struct cemv_limits {
    uint64_t amount[CEMV_LIMIT_COUNT];
    uint8_t present; /* bit (1 << enum cemv_limit) */
};

enum cemv_zero_amount {
    CEMV_ZERO_AMOUNT_ONLINE = 0, /* allowed, asks for an online cryptogram */
    CEMV_ZERO_AMOUNT_NOT_ALLOWED = 1,
    CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED = 2,
};

/* How far the kernel goes beyond the books. Zero everywhere is the default, `guarded`. */
enum cemv_profile { CEMV_PROFILE_GUARDED = 0, CEMV_PROFILE_BOOK = 1, CEMV_PROFILE_STRICT = 2 };
/* A single rule: as the profile says, or set beside it. */
enum cemv_rule { CEMV_RULE_PROFILE = 0, CEMV_RULE_OFF = 1, CEMV_RULE_REPORT = 2, CEMV_RULE_ENFORCE = 3 };
/* When a card's claim that its device verified the cardholder is believed. */
enum cemv_cdcvm_trust {
    CEMV_CDCVM_PROFILE = 0,
    CEMV_CDCVM_BOOK = 1,
    CEMV_CDCVM_VERIFY_IF_PRESENT = 2,
    CEMV_CDCVM_AUTHENTICATED = 3
};
/* Relay resistance. PROFILE: BOOK, and DECLINE in strict. OFF: never asked for. DECLINE: a card that is late is
 * declined whatever the action codes say. REQUIRED: the same, and above the CVM limit a card without it, or without a
 * signature over it, is declined. */
enum cemv_relay {
    CEMV_RELAY_PROFILE = 0,
    CEMV_RELAY_OFF = 1,
    CEMV_RELAY_BOOK = 2,
    CEMV_RELAY_DECLINE = 3,
    CEMV_RELAY_REQUIRED = 4
};
/* Which torn transaction is recovered. PROFILE: SAME_SALE, and BOOK in book. OFF: none, and none is remembered. */
enum cemv_torn { CEMV_TORN_PROFILE = 0, CEMV_TORN_OFF = 1, CEMV_TORN_BOOK = 2, CEMV_TORN_SAME_SALE = 3 };
struct cemv_protection {
    uint8_t profile;          /* enum cemv_profile */
    uint8_t cdcvm_trust;      /* enum cemv_cdcvm_trust */
    uint8_t unsolicited_sdad; /* enum cemv_rule; ENFORCE verifies and declines on a contradiction */
    uint8_t oda_tamper;       /* ENFORCE: data that verify wrong are declined, never sent online */
    uint8_t cid_mismatch;     /* ENFORCE: 9F27 against IAD */
    uint8_t brand_check;      /* ENFORCE: AID against PAN, negative table */
    uint8_t expiry_mismatch;  /* ENFORCE: track 2 expiry against 5F24 ends */
    uint8_t luhn;             /* ENFORCE: a PAN failing its check digit ends */
    uint8_t offline;          /* OFF: no offline approval at all */
    uint8_t allow_test_keys;  /* 1: CA keys marked test may stand beside live ones */
    uint16_t min_ca_bits;     /* 0: 1152 */
    uint8_t max_taps;         /* 0: 3 presentments; each restart by the reader has as many of its own */
    uint8_t max_records;      /* 0: 64 READ RECORDs a presentment, at most 64 */
    uint8_t magstripe; /* OFF: no mag-stripe mode, whatever the kernel is configured for; else that decides. In strict,
                        * mag-stripe mode is on only where the combination's own protection sets REPORT or ENFORCE */
    uint8_t
        min_number_digits;    /* of the unpredictable number in mag-stripe mode, up to 8; 0: 4. Not in profile `book` */
    uint8_t torn;             /* enum cemv_torn */
    uint16_t torn_lifetime_s; /* 0: 120. The shorter of it and the kernel's counts; not in profile `book` */
    uint8_t relay;            /* enum cemv_relay */
    uint8_t relay_max_card_ms; /* longest time that a card may claim to need; 0: 30. Not in profile `book` */
    uint32_t relay_latency_us; /* latency of the link where the reader memory has none of its own */
};

/* Dynamic reader limits (dropped from C-3 v2.10, still met): a set chosen by the prefix of tag 9F5A. */
struct cemv_dynamic_limit {
    cemv_bytes program; /* 1 to 16 bytes, matched against the start of 9F5A */
    struct cemv_limits limits;
    uint8_t zero_amount; /* enum cemv_zero_amount */
    bool status_check;
};

struct cemv_combination {
    cemv_bytes aid;         /* 5 to 16 bytes; matches ADF names that begin with it */
    uint8_t kernel_id[8];   /* as in 9F2A: {3} for Kernel 3 */
    uint8_t kernel_id_size; /* 1 to 8 */
    bool extended_selection;
    bool status_check;
    uint8_t zero_amount;          /* enum cemv_zero_amount */
    cemv_bytes transaction_types; /* one byte each; empty: 00 only */
    struct cemv_limits limits;
    cemv_bytes ttq;  /* 4 bytes, or empty where not configured */
    cemv_bytes data; /* data objects that win over the terminal's */
    const struct cemv_dynamic_limit *dynamic_limits;
    size_t dynamic_limit_count; /* up to CEMV_MAX_DYNAMIC_LIMITS; 0 = off */
    bool usage_control_off;     /* switches the cash and cash-back checks of C-3, 5.5.1.3-4 off */
    bool gpo_format_1;          /* accepts tag 80 in answer to GET PROCESSING OPTIONS */
    bool own_protection;        /* `protection` replaces the configuration's */
    struct cemv_protection protection;
};

struct cemv_ca_key {
    uint8_t rid[5];
    uint8_t index;
    uint32_t exponent;  /* 3 or 65537 */
    cemv_bytes modulus; /* up to 248 bytes */
    cemv_bytes sha1;    /* 20 bytes; empty: not checked, and reported */
    uint8_t expires[3]; /* YYMMDD, the last day; all zero: none */
    bool test;          /* its private half is public */
};
struct cemv_exception {
    cemv_bytes pan;   /* cn, padded with F or not */
    uint8_t sequence; /* PAN sequence number, n 2 */
    bool any_sequence;
};

/* The driver's contract -----------------------------------------------------------------------------------------
 *
 * The driver loops: show the messages of the step, carry out its field request, do what it asks, reply.
 * cemv_session_takes() says which kinds of reply a step takes; any other kind changes nothing.
 *
 *   step    brings                        takes
 *   POLL    cemv_session_poll()           CARD; COLLISION; COLLISION_CLEARED after COLLISION; TIMEOUT, TRANSMISSION or
 *                                         PROTOCOL where no card could be activated; DEADLINE; with removal_first
 *                                         REMOVED and DEADLINE alone
 *   SEND    cemv_session_command()        RESPONSE, TIMEOUT, TRANSMISSION, PROTOCOL, REMOVED; DATA where the kernel
 *                                         takes data that nobody asked for
 *   ASK     cemv_session_question()       DATA, DEADLINE
 *   WORK    messages                      CONTINUE, once they are shown
 *   PARKED  cemv_session_outcome()        ONLINE, PIN
 *   DONE    cemv_session_outcome()        nothing
 *
 * STOP is taken before PARKED, ABANDON before DONE.
 *
 * Messages. Every step may bring some, PARKED and DONE too: cemv_session_ui_count(), in order, each for its hold
 * time. Entry Point brings 15 (Present Card) and 19 itself. 14 (Welcome), between transactions, is the driver's (Book
 * A, 8.1.1.5).
 *
 * Field. cemv_session_field_off() says with every step whether the field goes off now and for how long. A POLL then
 * wants it on. CEMV_FIELD_KEEP requests nothing, but a driver may restart the field where its Level 1 finds a card
 * anew only so. With removal_first the field is on again after the hold time, until no card answers: then reply
 * REMOVED, and the next POLL asks for the card. The field stays on from an outcome with Start D to its restart. After
 * DONE it goes off.
 *
 * Collision. After COLLISION the step is POLL again: COLLISION_CLEARED once at most one card is left, then CARD.
 *
 * Restarts (Book A, 8.1.1.20-24). An Online Request or Request Online PIN whose Start is not N/A comes with PARKED:
 * send the data record to the issuer, or have the PIN entered, and reply ONLINE or PIN. Where the outcome's Online
 * Response Data is ANY the kernel goes on with any reply; where it is EMV_DATA, only if the reply brings 91, 71 or
 * 72. Else the next step is DONE and the parked outcome stays the final one: the driver presents the issuer's
 * decision. It replies ABANDON where it brings no answer at all. End Application with a Start comes as POLL with
 * removal_first. Approved, Declined and Try Another Interface are final whatever their Start. After CEMV_MAX_RESTARTS
 * an outcome comes with DONE and Start N/A.
 *
 * Answers. Only the combination that asked is given the answer, in every presentment that follows (Book B, 3.3.3.5):
 * another card or application ends with End Application, 1C. After an issuer's answer, faults that use up the
 * presentments end without a message: the issuer's decision stands.
 *
 * Removal time-out (Book A, 8.1.1.21). The driver's timer runs from PARKED; when it ends, the driver shows message 17
 * and says removal_timed_out with its reply.
 *
 * NULL. No pointer may be NULL but: cemv_transaction.reader, cemv_configuration.crypto, .data of cemv_bytes whose
 * size is 0, arrays whose count is 0, `memory` (CEMV_NO_MEMORY), the session given to cemv_session_wipe(), the reader
 * given to cemv_session_set_reader(), and members that say so. */

/* What to do next. */
enum cemv_step {
    CEMV_STEP_NONE = 0,   /* no transaction: the memory was wiped; takes no reply */
    CEMV_STEP_POLL = 1,   /* switch the field on and wait for a card: cemv_session_poll() has the details */
    CEMV_STEP_SEND = 2,   /* send cemv_session_command() */
    CEMV_STEP_ASK = 3,    /* something is asked of the terminal: cemv_session_question() */
    CEMV_STEP_WORK = 4,   /* show what is queued now, then reply CEMV_REPLY_CONTINUE */
    CEMV_STEP_PARKED = 5, /* an outcome is given, a restart may follow: reply ONLINE or PIN, or ABANDON to finish */
    CEMV_STEP_DONE = 6,   /* an outcome is given; the session is wiped but for it */
};

enum cemv_reply_kind {
    CEMV_REPLY_RESPONSE = 1, /* `bytes`: body and status word; `elapsed_us` */
    CEMV_REPLY_TIMEOUT = 2,  /* link faults (L1) in answer to POLL or SEND */
    CEMV_REPLY_TRANSMISSION = 3,
    CEMV_REPLY_PROTOCOL = 4,
    CEMV_REPLY_CARD = 5,              /* POLL: one card is in the field and activated */
    CEMV_REPLY_COLLISION = 6,         /* POLL: several cards */
    CEMV_REPLY_COLLISION_CLEARED = 7, /* POLL */
    CEMV_REPLY_REMOVED =
        8, /* POLL: the card that had to go is gone. SEND: the card was pulled; an L1 time-out to a kernel */
    CEMV_REPLY_DATA = 9,      /* ASK: `bytes`; SEND: data objects that a kernel with data exchange takes at any time */
    CEMV_REPLY_DEADLINE = 10, /* ASK or POLL: the deadline passed */
    CEMV_REPLY_STOP = 11,     /* the terminal stops the transaction */
    CEMV_REPLY_CONTINUE = 12, /* WORK */
    CEMV_REPLY_ONLINE = 13,   /* PARKED: the issuer's data objects (8A, 91, 71, 72). Empty `bytes`: an answer
                                 without data, as are malformed ones or more than CEMV_MAX_ISSUER_DATA. Where no
                                 answer came, set `unable_to_go_online` */
    CEMV_REPLY_PIN = 14,      /* PARKED: PIN entry has ended, see `pin_not_captured`; `bytes` as for ONLINE */
    CEMV_REPLY_ABANDON = 15,  /* any step: wipe and be DONE; a parked outcome stays. A cryptogram that is under way is
                                 remembered as torn */
};
struct cemv_reply {
    uint8_t kind;             /* enum cemv_reply_kind */
    bool removal_timed_out;   /* ONLINE: the removal time-out of the outcome expired (Book A, 8.1.1.21) */
    bool unable_to_go_online; /* ONLINE: no answer came; `bytes` are ignored */
    bool pin_not_captured;    /* PIN: the cardholder entered none */
    uint32_t elapsed_us;      /* RESPONSE: command sent to response received; 0 if not measured */
    cemv_bytes bytes;         /* borrowed for the call */
};

struct cemv_configuration;
struct cemv_kernel;
/* A kernel: what Entry Point calls when it activates one, and for every reply after that (cemv_kernel.h helps to write
 * one). */
struct cemv_kernel_functions {
    enum cemv_step (*start)(struct cemv_kernel *kernel);
    enum cemv_step (*reply)(struct cemv_kernel *kernel, const struct cemv_reply *reply);
    /* CEMV_REPLY_STOP. NULL: the session ends at once. Else the kernel finishes, or lets it pass and returns the step
     * it is at. */
    enum cemv_step (*stop)(struct cemv_kernel *kernel);
    /* CEMV_REPLY_DATA while nothing is asked: data objects that come unasked. NULL: not taken. Changes no step. */
    void (*data)(struct cemv_kernel *kernel, cemv_bytes objects);
    /* CEMV_REPLY_ABANDON while the kernel is at work: what outlives the session is written to the reader memory.
     * Changes no step. NULL: nothing. */
    void (*abandon)(struct cemv_kernel *kernel);
    /* What the kernel demands of combination `row` beyond the format of its data objects; names field and tag in
     * `error`. NULL: nothing. */
    enum cemv_status (*check)(const struct cemv_configuration *configuration, size_t row,
                              struct cemv_config_error *error);
};
struct cemv_kernel_row {
    uint8_t id[8];
    uint8_t id_size; /* 1 to 8 */
    const struct cemv_kernel_functions *functions;
};
extern const struct cemv_kernel_functions cemv_kernel_2;
extern const struct cemv_kernel_functions cemv_kernel_3;

#define CEMV_MAX_COMBINATIONS   64
#define CEMV_MAX_DYNAMIC_LIMITS 4
#define CEMV_MAX_CA_KEYS        256
#define CEMV_MAX_CANDIDATES     16  /* of more the best are kept, and the others reported as left out */
#define CEMV_MAX_RESPONSE       258 /* body and status word; longer is a protocol fault */
#define CEMV_MAX_RECORDS        64
#define CEMV_MAX_RESTARTS       3   /* restarts by the reader (Book A, 8.1.1.22-24) within a transaction */
#define CEMV_MAX_COLLISIONS     16  /* collisions in one transaction */
#define CEMV_MAX_ISSUER_DATA    256 /* of an issuer's answer */
#define CEMV_MAX_UI_REQUESTS    5   /* queued with one step */

/* Everything a reader knows before a sale. Keeps the caller's pointers: they must outlive the checked configuration. */
struct cemv_configuration {
    cemv_bytes terminal_data; /* data objects, e.g. 9F1A, 9F35, 9F33, 9F40, 9F15, 9F4E */
    const struct cemv_combination *combinations;
    size_t combination_count;
    const struct cemv_ca_key *ca_keys;
    size_t ca_key_count;
    const struct cemv_revocation *revocations;
    size_t revocation_count;
    const struct cemv_exception *exceptions;
    size_t exception_count;
    const struct cemv_kernel_row *kernels;
    size_t kernel_count;
    cemv_bytes poi_information; /* ID L V ... (Book B, A.1), up to 64 bytes; or 8B in terminal_data */
    struct cemv_protection protection;
    const struct cemv_crypto *crypto; /* NULL: built in */
};

#define CEMV_ALIGNMENT 16
struct cemv_checked; /* a checked configuration */

/* Bytes cemv_configuration_check needs for this configuration. */
size_t cemv_checked_size(const struct cemv_configuration *configuration);
/* Checks every row and prepares what can be prepared once (CA keys). On success `*checked` lies in `memory` and is
 * const from then on. */
enum cemv_status cemv_configuration_check(const struct cemv_configuration *configuration, void *memory, size_t size,
                                          const struct cemv_checked **checked, struct cemv_config_error *error);

/* What a reader remembers from tap to tap: the caller's memory, one for each reader, zero at first. Handed to every
 * transaction, used by the session until it is done or wiped, then the caller's again. It holds account numbers: erase
 * it when the reader shuts down. */
#define CEMV_TORN_RECORDS         4
#define CEMV_TORN_RECORD_CAPACITY 1024
#define CEMV_MAX_FAILED_MAGSTRIPE 5
struct cemv_torn_record {
    uint16_t size; /* 0: free */
    uint8_t bytes[CEMV_TORN_RECORD_CAPACITY];
};
struct cemv_reader_memory {
    uint32_t link_latency_us; /* a fixed latency of the link, measured once: subtracted where a kernel times a card.
                               * Over a link that jitters this gives conformance, not protection against relays */
    uint8_t failed_magstripe; /* Kernel 2, Failed MS Cntr: 0 to CEMV_MAX_FAILED_MAGSTRIPE */
    uint8_t torn_count;
    struct cemv_torn_record torn[CEMV_TORN_RECORDS]; /* Kernel 2, oldest first */
    struct cemv_issuer_keys *issuer_keys; /* cemv_crypto.h; NULL: every certificate is recovered at every tap */
};

struct cemv_transaction {
    uint8_t type;    /* 9C: 00 purchase, 01 cash, 09 cash back, 20 refund */
    uint64_t amount; /* minor units, up to 12 digits */
    uint64_t amount_other;
    uint16_t currency; /* ISO 4217 as BCD: 0x0978 */
    uint8_t exponent;  /* 0 to 4 */
    uint8_t date[3];   /* YYMMDD */
    uint8_t time[3];   /* HHMMSS */
    uint32_t counter;  /* 9F41, up to 8 digits */
    cemv_bytes data;   /* further terminal data objects for this transaction; must outlive the session. An empty object,
                        * which may   be 9F02, 9F03, 5F2A, 5F36, 9A, 9C or 9F21 too, is left to Kernel 2's data exchange */
    cemv_bytes preferred; /* names of 5 to 16 bytes, each after a byte with its length: candidates that begin with one
                           * go before the card's order, the first before the second (B 3.3.3.2, the merchant's or
                           * cardholder's choice); must outlive the session */
    bool start_b;         /* Autorun: begin at Start B, indicators zero, TTQ as configured */
    struct cemv_reader_memory *reader; /* NULL: nothing is remembered, so that no torn transaction is recovered */
};

/* Session memory: opaque, the caller's. */
#define CEMV_SESSION_SIZE 8192
struct cemv_session;

/* Begins a transaction in `memory`, CEMV_SESSION_SIZE bytes or more. A reader memory with counts or sizes beyond
 * its own is refused (CEMV_FIELD_READER_MEMORY). `random` is a pool from which unpredictable numbers are drawn, 4
 * bytes each, in order: at most CEMV_RANDOM_POOL bytes are kept, and CEMV_STEP_ASK asks for more when it runs dry.
 * At least 4 bytes are needed. On CEMV_OK `*session` is at its first step: read it with cemv_session_step(). */
#define CEMV_RANDOM_POOL 32
enum cemv_status cemv_session_begin(void *memory, size_t size, const struct cemv_checked *checked,
                                    const struct cemv_transaction *transaction, cemv_bytes random,
                                    struct cemv_session **session, struct cemv_config_error *error);

/* SEND, as often as it answers true while the card works on the command: one public-key operation whose operands are
 * there already, so that the tap need not wait for it later. Optional; changes no outcome, no step and no command. */
bool cemv_session_work(struct cemv_session *session);
/* There is such an operation, if it turns out to be possible. */
bool cemv_session_has_work(const struct cemv_session *session);

/* Another reader memory for a session that was copied: a fork must not write into the one of its original. False: it is
 * not sound (cemv_session_begin), and the session goes on without one. */
bool cemv_session_set_reader(struct cemv_session *session, struct cemv_reader_memory *reader);

enum cemv_step cemv_session_step(const struct cemv_session *session);
/* Gives the reply the step waits for; any other kind is a caller's mistake and changes nothing (the same step is
 * returned). */
enum cemv_step cemv_session_reply(struct cemv_session *session, const struct cemv_reply *reply);
/* True if the present step takes this kind of reply. */
bool cemv_session_takes(const struct cemv_session *session, uint8_t kind);

/* SEND: the command; valid until the next reply. */
cemv_bytes cemv_session_command(const struct cemv_session *session);

struct cemv_poll {
    bool removal_first;    /* wait until the card has left, reply REMOVED; the next POLL asks for a card */
    uint32_t field_off_ms; /* first switch the field off for so long; CEMV_FIELD_KEEP: no request */
};
#define CEMV_FIELD_KEEP UINT32_MAX
struct cemv_poll cemv_session_poll(const struct cemv_session *session);
/* Any step: the field goes off now and stays off for so many milliseconds, 0 included; CEMV_FIELD_KEEP: nothing is
 * requested. Each Field Off Request (Book B, 3.5.1.2) comes with exactly one step: PARKED, DONE, or the POLL of a
 * restart, where cemv_session_poll() has the same value. The hold time runs from that step on; nothing may switch the
 * field on before it has passed, a later step or transaction included. */
uint32_t cemv_session_field_off(const struct cemv_session *session);

enum cemv_question_kind {
    CEMV_ASK_RANDOM = 1, /* reply DATA with 4 to CEMV_RANDOM_POOL fresh random bytes */
    CEMV_ASK_KERNEL = 2, /* a question of a kernel: `bytes` in its own terms */
};
struct cemv_question {
    uint8_t kind;
    bool running; /* the last answer did not suffice: nothing is asked anew, and the deadline goes on from the question
                   */
    uint32_t deadline_ms; /* 0: none */
    cemv_bytes bytes;
};
struct cemv_question cemv_session_question(const struct cemv_session *session);

/* Data exchange: what a kernel sends to the terminal with a step (Kernel 2: FF8104 and DF8106 as data objects, their
 * lists inside). Empty where there is nothing; gone with the next reply. FF8104 begins with what a TLV cursor takes for
 * filler: read it by position. */
cemv_bytes cemv_session_exchange(const struct cemv_session *session);

/* User interface requests (Book A, 7.1), queued with a step, in order; gone with the next reply. */
enum cemv_ui_status {
    CEMV_UI_NOT_READY = 0,
    CEMV_UI_IDLE = 1,
    CEMV_UI_READY_TO_READ = 2,
    CEMV_UI_PROCESSING = 3,
    CEMV_UI_CARD_READ = 4,
    CEMV_UI_PROCESSING_ERROR = 5,
    CEMV_UI_STATUS_NA = 0xFF,
};
enum cemv_message {
    CEMV_MESSAGE_APPROVED = 0x03,
    CEMV_MESSAGE_NOT_AUTHORISED = 0x07,
    CEMV_MESSAGE_ENTER_PIN = 0x09,
    CEMV_MESSAGE_PROCESSING_ERROR = 0x0F,
    CEMV_MESSAGE_REMOVE_CARD = 0x10,
    CEMV_MESSAGE_WELCOME = 0x14,
    CEMV_MESSAGE_PRESENT_CARD = 0x15,
    CEMV_MESSAGE_PROCESSING = 0x16,
    CEMV_MESSAGE_CARD_READ_OK = 0x17,
    CEMV_MESSAGE_INSERT_OR_SWIPE = 0x18,
    CEMV_MESSAGE_ONE_CARD_ONLY = 0x19,
    CEMV_MESSAGE_APPROVED_SIGN = 0x1A,
    CEMV_MESSAGE_AUTHORISING = 0x1B,
    CEMV_MESSAGE_TRY_ANOTHER_CARD = 0x1C,
    CEMV_MESSAGE_INSERT_CARD = 0x1D,
    CEMV_MESSAGE_CLEAR_DISPLAY = 0x1E,
    CEMV_MESSAGE_SEE_PHONE = 0x20,
    CEMV_MESSAGE_PRESENT_AGAIN = 0x21,
};
enum cemv_value_qualifier { CEMV_VALUE_NONE = 0, CEMV_VALUE_AMOUNT = 1, CEMV_VALUE_BALANCE = 2 };
struct cemv_ui_request {
    uint8_t message;         /* enum cemv_message */
    uint8_t status;          /* enum cemv_ui_status */
    uint8_t value_qualifier; /* enum cemv_value_qualifier */
    uint8_t language_size;   /* 0 to 8 */
    uint8_t language[8];     /* 5F2D of the card */
    uint16_t currency;       /* with a value */
    uint32_t hold_ms;        /* shown at least so long */
    uint64_t value;          /* minor units */
};
size_t cemv_session_ui_count(const struct cemv_session *session);
struct cemv_ui_request cemv_session_ui(const struct cemv_session *session, size_t index);

/* The outcome parameter set (Book A, 6.2). Values as C-8 codes them. */
enum cemv_outcome_status {
    CEMV_OUTCOME_NONE = 0,
    CEMV_OUTCOME_APPROVED = 0x10,
    CEMV_OUTCOME_DECLINED = 0x20,
    CEMV_OUTCOME_ONLINE_REQUEST = 0x30,
    CEMV_OUTCOME_REQUEST_ONLINE_PIN = 0x34,
    CEMV_OUTCOME_END_APPLICATION = 0x40,
    CEMV_OUTCOME_SELECT_NEXT = 0x50,
    CEMV_OUTCOME_TRY_ANOTHER_INTERFACE = 0x60,
    CEMV_OUTCOME_TRY_AGAIN = 0x70,
};
enum cemv_start {
    CEMV_START_A = 0x00,
    CEMV_START_B = 0x10,
    CEMV_START_C = 0x20,
    CEMV_START_D = 0x30,
    CEMV_START_NA = 0xF0
};
enum cemv_cvm {
    CEMV_CVM_NONE = 0x00,
    CEMV_CVM_SIGNATURE = 0x10,
    CEMV_CVM_ONLINE_PIN = 0x20,
    CEMV_CVM_CDCVM = 0x30,
    CEMV_CVM_NA = 0xF0
};
enum cemv_online_response {
    CEMV_ONLINE_RESPONSE_EMV_DATA = 0x10,
    CEMV_ONLINE_RESPONSE_ANY = 0x20,
    CEMV_ONLINE_RESPONSE_NA = 0xF0
};
enum cemv_interface { CEMV_INTERFACE_CONTACT_CHIP = 0x10, CEMV_INTERFACE_MAGSTRIPE = 0x20, CEMV_INTERFACE_NA = 0xF0 };

/* Why the transaction ended as it did, beyond the outcome. One for each known cause. */
enum cemv_reason {
    CEMV_REASON_NONE = 0,
    CEMV_REASON_KERNEL = 1,                /* the kernel's own decision */
    CEMV_REASON_NOT_ALLOWED = 2,           /* pre-processing blocked every combination of the transaction */
    CEMV_REASON_NO_COMBINATION = 3,        /* no configured combination takes the transaction type */
    CEMV_REASON_NO_COMMON_APPLICATION = 4, /* the card lists none of ours */
    CEMV_REASON_SELECTION_EXHAUSTED = 5,   /* candidates there were; all fell away */
    CEMV_REASON_KERNEL_LIMIT = 6,          /* a kernel's own limit removed the last candidate */
    CEMV_REASON_CARD_DATA = 7,             /* missing, malformed, duplicate or contradictory card data */
    CEMV_REASON_CARD_STATUS = 8,           /* an unexpected status word */
    CEMV_REASON_LINK = 9,                  /* link faults until max_taps */
    CEMV_REASON_TOO_MANY_TAPS = 10,        /* presentments or restarts beyond their limit */
    CEMV_REASON_STOPPED = 11,              /* the terminal stopped it */
    CEMV_REASON_ABANDONED = 12,
    CEMV_REASON_CARD_SWITCHED = 13, /* the card of the second presentment is another one */
    CEMV_REASON_RANDOM = 14,        /* no usable random number */
    CEMV_REASON_STORE_FULL = 15,    /* more data than a presentment may bring */
    CEMV_REASON_PROTECTION = 16,    /* a rule of the protection profile; findings say which */
    CEMV_REASON_COLLISION = 17,     /* collisions beyond CEMV_MAX_COLLISIONS */
    CEMV_REASON_INTERNAL = 18,      /* an edge outside the table: a defect of the kernel; ended closed */
};

/* What was noticed beyond the books; a set, bit (1 << finding). Never changes a book outcome by itself. */
enum cemv_finding {
    CEMV_FINDING_CDCVM_UNAUTHENTICATED = 0,
    CEMV_FINDING_LIMIT_NEEDS_AUTHENTICATED_CDCVM = 1,
    CEMV_FINDING_BRAND_MISMATCH = 2,
    CEMV_FINDING_UNSOLICITED_SDAD = 3,
    CEMV_FINDING_ODA_TAMPER = 4,
    CEMV_FINDING_CID_IAD_MISMATCH = 5,
    CEMV_FINDING_TERMINAL_TAG_FROM_CARD = 6,
    CEMV_FINDING_PAN_MISMATCH = 7,
    CEMV_FINDING_EXPIRY_MISMATCH = 8,
    CEMV_FINDING_LUHN = 9,
    CEMV_FINDING_TEST_KEY = 10,
    CEMV_FINDING_RNG_SUSPECT = 11,
    CEMV_FINDING_DF_NAME_MISMATCH = 12,
    CEMV_FINDING_ODA_STRIPPED = 13,
    CEMV_FINDING_CVM_FROM_PLAIN_DATA = 14,
    CEMV_FINDING_RECORD_REPEATED = 15,
    CEMV_FINDING_CANDIDATES_DROPPED = 16,
    CEMV_FINDING_CA_KEY_MISSING = 17,
    CEMV_FINDING_CA_KEY_EXPIRED = 18,
    CEMV_FINDING_CERTIFICATE_EXPIRED = 19,
    CEMV_FINDING_CERTIFICATE_REVOKED = 20,
    CEMV_FINDING_COUNT = 21,
};

struct cemv_outcome {
    uint8_t status;              /* enum cemv_outcome_status */
    uint8_t start;               /* enum cemv_start */
    uint8_t online_response;     /* enum cemv_online_response */
    uint8_t cvm;                 /* enum cemv_cvm */
    uint8_t alternate_interface; /* enum cemv_interface */
    bool receipt;
    bool ui_on_outcome_present;
    bool ui_on_restart_present;
    bool data_record_present;
    bool discretionary_present;
    uint8_t reason; /* enum cemv_reason */
    uint8_t kernel_id_size;
    uint8_t kernel_id[8];        /* the kernel that decided; size 0: Entry Point */
    uint8_t error_indication[6]; /* L1, L2, L3, SW1, SW2, message on error, as DF8115 */
    uint16_t removal_timeout;    /* in 100 ms; 0: none */
    uint16_t field_off;          /* in 100 ms; CEMV_FIELD_OFF_NA: no request */
    uint32_t findings;           /* bits of enum cemv_finding */
    struct cemv_ui_request ui_on_outcome;
    struct cemv_ui_request ui_on_restart;
};
#define CEMV_FIELD_OFF_NA 0xFFFF
/* The last outcome; status NONE before there is one. */
struct cemv_outcome cemv_session_outcome(const struct cemv_session *session);
/* Data objects of the outcome as TLV, and the name that was selected; empty where there is none. Valid until the next
 * reply. */
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
    /* Which limit, and whose, where not_allowed: for people, not for kernels. */
    uint8_t blocked_by; /* enum cemv_limit, or CEMV_BLOCKED_BY_ZERO_AMOUNT, or CEMV_BLOCKED_BY_NOTHING */
};
#define CEMV_BLOCKED_BY_NOTHING     0xFF
#define CEMV_BLOCKED_BY_ZERO_AMOUNT 0xFE
/* Computed afresh from configuration and transaction; the same values a session uses. */
struct cemv_indicators cemv_preprocess(const struct cemv_combination *combination,
                                       const struct cemv_transaction *transaction);
/* True if the combination takes the transaction's type. */
bool cemv_combination_takes(const struct cemv_combination *combination, uint8_t transaction_type);

/* Presentments so far (1 at the first card), commands sent in all of them, and the engine's present state for tests and
 * tools. */
uint32_t cemv_session_taps(const struct cemv_session *session);
uint32_t cemv_session_commands(const struct cemv_session *session);
uint8_t cemv_session_state(const struct cemv_session *session);

/* Wipes everything. Cannot be elided. A session that is not DONE should be given CEMV_REPLY_ABANDON first: a wipe alone
 * forgets a cryptogram that is under way. */
void cemv_session_wipe(struct cemv_session *session);

#ifdef __cplusplus
}
#endif
#endif
