// SPDX-License-Identifier: Apache-2.0
/* Fault injection into golden taps: what the card says is damaged, delayed, exchanged or lost, and laws are checked at
 * the end of every tap. */
#ifndef CEMV_STORM_H
#define CEMV_STORM_H

#include "golden.h"

/* One fault, at one command counted from 0 over all presentments. */
enum storm_kind {
    STORM_NONE = 0,
    STORM_LINK = 1,       /* a: the kind of reply: time-out, transmission, protocol, removed */
    STORM_TRUNCATE = 2,   /* a: bytes that arrive */
    STORM_CUT = 3,        /* a: bytes of the body that arrive, the status word behind them */
    STORM_BYTE = 4,       /* a: offset, b: value */
    STORM_STATUS = 5,     /* a: the status word instead; b: 1 without the body */
    STORM_ORDER = 6,      /* a: the response to another command of the tap arrives */
    STORM_SIZE = 7,       /* a: the response is made so long */
    STORM_STOP = 8,       /* the terminal stops instead */
    STORM_OTHER = 9,      /* a: from here on, the card of that tap answers */
    STORM_COLLISION = 10, /* two cards at the poll before */
    STORM_KINDS = 11,
};
struct storm_fault {
    uint8_t kind;
    uint16_t at;
    uint32_t a, b;
};
#define STORM_FAULTS 3
struct storm_case {
    size_t tap;
    struct storm_fault fault[STORM_FAULTS];
};

enum storm_law {
    STORM_HELD = 0,
    STORM_NOT_BEGUN = 1,
    STORM_ENDLESS = 2,
    STORM_NO_OUTCOME = 3, /* not one final outcome */
    STORM_INTERNAL = 4,   /* an edge outside the table */
    STORM_LEFT_BYTES = 5, /* card bytes in a finished session */
    STORM_FORGED = 6,     /* approved though authenticated bytes are not the card's */
    STORM_UNASKED = 7,    /* approved though the undamaged tap is not */
    STORM_RECORD = 8,     /* a data record that is no list of data objects, or card data beside a bad end */
    STORM_TERMINAL = 9,   /* a terminal's value in the record is not the terminal's */
};
const char *storm_law_name(enum storm_law law);

struct storm {
    const struct golden_file *file;
    struct golden_bench *bench;
    uint8_t status; /* of the last tap */
    uint32_t steps;
    uint64_t digest;            /* over the ends of all taps so far */
    struct cemv_reply log[256]; /* what was given, for a trace; bytes point into `kept` */
    cemv_bytes commands[256];
    size_t logged, kept_size;
    bool logs;
    uint8_t kept[1 << 20];
};
/* All of it cleared. */
void storm_open(struct storm *storm, const struct golden_file *file, struct golden_bench *bench);
enum storm_law storm_run(struct storm *storm, const struct storm_case *given);

/* Cases of one tap with one fault each, numbered. */
uint64_t storm_count(const struct golden_file *file, size_t tap);
struct storm_case storm_case_at(const struct golden_file *file, size_t tap, uint64_t number);
/* The same case for the same random state: one to three faults. */
struct storm_case storm_draw(const struct golden_file *file, uint64_t *random);
uint64_t storm_random(uint64_t *state);

#endif
