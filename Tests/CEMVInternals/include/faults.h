/* SPDX-License-Identifier: Apache-2.0 */
/* Fault injection into recorded taps: responses of the card are damaged, delayed, exchanged or lost, and properties are
 * checked at the end of every tap. */
#ifndef CEMV_FAULTS_H
#define CEMV_FAULTS_H

#include "taps.h"

/* One fault, at one command counted from 0 over all presentments. */
enum fault_kind {
    FAULT_NONE = 0,
    FAULT_LINK = 1,       /* a: the kind of reply: time-out, transmission, protocol, removed */
    FAULT_TRUNCATE = 2,   /* a: bytes that arrive */
    FAULT_CUT = 3,        /* a: bytes of the body that arrive, the status word behind them */
    FAULT_BYTE = 4,       /* a: offset, b: value */
    FAULT_STATUS = 5,     /* a: the status word instead; b: 1 without the body */
    FAULT_ORDER = 6,      /* the response to another command of the tap arrives instead */
    FAULT_SIZE = 7,       /* a: the response gets this length */
    FAULT_STOP = 8,       /* the terminal stops instead */
    FAULT_OTHER = 9,      /* a: from here on, the card of that tap answers */
    FAULT_COLLISION = 10, /* two cards at the poll before this command */
    FAULT_KINDS = 11,
};
struct fault {
    uint8_t kind;
    uint16_t at;
    uint32_t a, b;
};
#define FAULTS_MAX 3
struct fault_case {
    size_t tap;
    struct fault fault[FAULTS_MAX];
};

enum fault_verdict {
    FAULT_HELD = 0,
    FAULT_NOT_BEGUN = 1,
    FAULT_ENDLESS = 2,
    FAULT_NO_OUTCOME = 3,   /* not one final outcome */
    FAULT_INTERNAL = 4,     /* an edge outside the table */
    FAULT_LEFT_BYTES = 5,   /* card bytes in a finished session */
    FAULT_FORGED = 6,       /* approved although authenticated bytes are not the card's */
    FAULT_UNASKED = 7,      /* approved although the undamaged tap is not */
    FAULT_RECORD = 8,       /* a malformed data record, or card data with a failed outcome */
    FAULT_TERMINAL = 9,     /* a terminal's value in the record is not the terminal's */
    FAULT_STATUS_WORD = 10, /* the Error Indication has a status word, but another cause */
};
/* The Error Indication has a status word exactly if L2 says so. */
bool fault_status_word_is_named(const struct cemv_outcome *outcome);
const char *fault_verdict_name(enum fault_verdict verdict);

struct fault_run {
    const struct recorded_taps *recorded;
    struct tap_bench *bench;
    uint8_t status; /* status of the last tap */
    uint32_t steps;
    uint64_t digest;            /* over the ends of all taps so far */
    struct cemv_reply log[256]; /* replies so far, for a trace; bytes point into `kept` */
    cemv_bytes commands[256];
    size_t logged, kept_size;
    bool logs;
    uint8_t kept[1 << 20];
};
/* Clears all of it. */
void faults_open(struct fault_run *run, const struct recorded_taps *recorded, struct tap_bench *bench);
enum fault_verdict faults_run(struct fault_run *run, const struct fault_case *given);

/* Numbered cases of one tap with one fault each. */
uint64_t faults_count(const struct recorded_taps *recorded, size_t tap);
struct fault_case fault_case_at(const struct recorded_taps *recorded, size_t tap, uint64_t number);
/* Random cases of one to three faults; equal random states give equal cases. */
struct fault_case fault_case_random(const struct recorded_taps *recorded, uint64_t *random);
uint64_t random_next(uint64_t *state);

#endif
