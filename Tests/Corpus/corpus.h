/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of the format emv-trace/1 without Swift: reads a trace, plays it through a session of CEMV, and compares the
 * result with the expected one. A second implementation of the format besides EMVFormats; both replay the same files.
 *
 * Reading takes all memory from an arena of the caller. Malformed traces harm neither it nor the session. */
#ifndef CORPUS_H
#define CORPUS_H

#include "../../Sources/CEMV/include/cemv.h"
#include "json.h"

/* Enough for a trace of 64 KiB. */
#define CORPUS_ARENA (4u << 20)

struct corpus_arena {
    uint8_t *bytes; /* aligned to CEMV_ALIGNMENT */
    size_t size, used;
};

enum corpus_item_kind {
    CORPUS_EXCHANGE,
    CORPUS_FAULT,
    CORPUS_TAP,
    CORPUS_COLLISION,
    CORPUS_ONLINE,
    CORPUS_TERMINAL_DATA,
    CORPUS_STOP,
    CORPUS_DEADLINE,
    CORPUS_REMOVED,
    CORPUS_PIN,
    CORPUS_SALE,
    CORPUS_SENT_DATA,
};

struct corpus_sale {
    struct cemv_transaction transaction;
    cemv_bytes random;
    const struct json *node, *base; /* as written; `base`: the first sale, for a further one */
};

/* An event; the events are in order of time. */
struct corpus_item {
    enum corpus_item_kind kind;
    cemv_bytes command; /* EXCHANGE, FAULT */
    cemv_bytes bytes;   /* the response; data objects of ONLINE, TERMINAL_DATA, SENT_DATA */
    uint32_t elapsed_us;
    uint8_t fault;   /* enum cemv_reply_kind */
    bool refused;    /* ONLINE: could not be reached. PIN: not captured */
    uint64_t number; /* TAP */
    struct corpus_sale sale;
};

struct corpus_trace {
    const char *name;
    size_t name_size;
    const struct json *configuration; /* an object; corpus_configure() converts it for CEMV */
    struct corpus_sale sale;
    bool by_header; /* only the headers of commands are compared */
    const struct corpus_item *items;
    size_t item_count;
    const struct json *expect; /* an object, or NULL */
};

/* False if the text is not a trace; `error` (at least 200 bytes) gives the place and the expected text. */
bool corpus_open(struct corpus_trace *trace, const char *text, size_t size, struct corpus_arena *arena, char *error);
/* Checks only the form of its configuration, not its meaning. */
bool corpus_read_configuration(const struct corpus_trace *trace, struct corpus_arena *arena, char *error);
/* Returns the checked configuration, in the arena; NULL if it is rejected. `configuration`, if not NULL, receives the
 * unchecked one. */
const struct cemv_checked *corpus_configure(const struct corpus_trace *trace, struct corpus_arena *arena, char *error,
                                            struct cemv_configuration *configuration);

/* The kernels of CEMV that a replay has; and the first kernel that a trace needs and that is missing here, 0 if all are
 * present. */
const struct cemv_kernel_row *corpus_kernels(size_t *count);
unsigned corpus_missing_kernel(const struct corpus_trace *trace);

/* The memory that a replay needs in addition to the trace. */
struct corpus_bench {
    _Alignas(CEMV_ALIGNMENT) uint8_t session[CEMV_KERNEL_8_SESSION_SIZE];
    struct cemv_reader_memory reader;
};

/* The first difference from the trace; `place` is empty if all matched. */
struct corpus_report {
    char place[80], expected[400], found[400];
};
/* Replays with CEMV. The configuration is made in the rest of the arena. */
bool corpus_replay(const struct corpus_trace *trace, struct corpus_bench *bench, struct corpus_arena *arena,
                   struct corpus_report *report);

/* Replays every file, prints the first difference of each trace and a summary. A file whose name ends with .taps has a
 * trace in each line. 0: all met; 1: some not; 2: an unusable file. */
int corpus_run(int count, char **files);

/* Shared by the two halves of the implementation. */
void *corpus_room(struct corpus_arena *arena, size_t size);
/* Reads bytes written as hex; false if the node is not such a string. */
bool corpus_hex(const struct json *node, struct corpus_arena *arena, cemv_bytes *bytes);

#endif
