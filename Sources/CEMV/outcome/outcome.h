// SPDX-License-Identifier: Apache-2.0
/* The outcome room: what a step carries out of the engine. Plain structs, no decisions.
 * Entry Point and the kernels write here; only the session reads it and decides what follows. */
#ifndef CEMV_OUTCOME_H
#define CEMV_OUTCOME_H

#include "../data/data.h"
#include "../include/cemv_kernel.h"

#define CEMV_COMMAND_CAPACITY 262 /* header, Lc, 255 bytes, Le */

/* States of every machine live in one number space, so that a state names its machine. 0 is "not waiting". */
#define CEMV_STATE_ENTRY   0x00 /* entry: 0x01.. */
#define CEMV_STATE_K2      0x10 /* 0x10..0x2F: S2 to S14 are 0x22 to 0x2E, the others stand below; there is no Kernel 1 */
#define CEMV_STATE_K3      0x30 /* kernel n: 0xn0.. */
#define CEMV_STATE_FOREIGN 0xF0 /* kernels of other makers: 0xF0 + their state (0..15) is not checked */

struct cemv_output {
    uint8_t step;  /* enum cemv_step */
    uint8_t state; /* of the machine that waits */
    uint8_t ui_count;
    uint8_t question_kind;       /* with ASK */
    bool finished;               /* cemv_finish was called: `outcome` is complete */
    bool question_running;       /* with ASK: the time of an earlier question runs on */
    uint16_t exchange_size;      /* of the data exchange record at the front of `records`, while there is no outcome */
    uint32_t commands;           /* SENDs so far in the transaction */
    uint32_t deadline_ms;        /* with ASK */
    struct cemv_poll poll;       /* with POLL */
    uint16_t command_size;       /* with SEND; with ASK the question's size */
    uint16_t record_size;        /* of the data record at the front of `records` */
    uint16_t discretionary_size; /* of the discretionary data behind it */
    uint8_t command[CEMV_COMMAND_CAPACITY];
    struct cemv_ui_request ui[CEMV_MAX_UI_REQUESTS];
    struct cemv_outcome outcome;
    uint8_t records[CEMV_RECORD_CAPACITY];
};

/* A machine's edges: for each of its states (counted from `base`) the set of states it may wait in next (bit = state -
 * base). Bit 0 means "may finish". Entry 0 is the start. */
struct cemv_edges {
    uint8_t base; /* CEMV_STATE_K3 ... */
    uint8_t size; /* states numbered from `base` on, 16 or 32 */
    uint32_t next[32];
};

/* The only functions that write the state. An edge outside the table traps in test builds (CEMV_TRAP_EDGES) and ends
 * closed in release: the output is finished with End Application and CEMV_REASON_INTERNAL. `edges` NULL: not checked.
 */
enum cemv_step cemv_output_send(struct cemv_output *out, const struct cemv_edges *edges, uint8_t state,
                                const struct cemv_command *command);
enum cemv_step cemv_output_publish(struct cemv_output *out, const struct cemv_edges *edges, uint8_t state);
enum cemv_step cemv_output_ask(struct cemv_output *out, const struct cemv_edges *edges, uint8_t state, uint8_t kind,
                               cemv_bytes question, uint32_t deadline_ms);
enum cemv_step cemv_output_poll(struct cemv_output *out, const struct cemv_edges *edges, uint8_t state,
                                struct cemv_poll poll);
/* `out->outcome` and the records are complete. Returns a step that only the session sees. */
enum cemv_step cemv_output_finish(struct cemv_output *out, const struct cemv_edges *edges);

/* End Application without records; `show`: insert, swipe or try another card. */
void cemv_output_end(struct cemv_output *out, uint8_t reason, bool show);

bool cemv_output_show(struct cemv_output *out, const struct cemv_ui_request *request);

/* The tables of both kinds of edges, for tests that walk them. */
extern const struct cemv_edges cemv_entry_edges;
extern const struct cemv_edges cemv_k2_edges;
extern const struct cemv_edges cemv_k3_edges;

#endif
