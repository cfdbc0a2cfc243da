/* SPDX-License-Identifier: Apache-2.0 */
/* The module outcome/: the data that a step returns from the engine (Book A, 6 and 7). Plain structs without decisions.
 * Entry Point and the kernels write them; only the session reads them and decides about the next step. */
#ifndef CEMV_OUTCOME_H
#define CEMV_OUTCOME_H

#include "../data/data.h"
#include "../include/cemv_kernel.h"

#define CEMV_COMMAND_CAPACITY 262 /* header, Lc, 255 bytes, Le */
_Static_assert(CEMV_COMMAND_CAPACITY == CEMV_QUESTION_MAX, "a question fits in a command's buffer");

struct cemv_output {
    uint8_t step;  /* enum cemv_step */
    uint8_t state; /* of the waiting machine, 1 to 31; 0 if none waits */
    uint8_t ui_count;
    uint8_t question_kind;  /* with ASK */
    bool finished;          /* cemv_finish was called: `outcome` is complete */
    bool question_running;  /* with ASK: the time of an earlier question continues */
    uint16_t exchange_size; /* size of the data exchange record at the start of `records`, while there is no outcome */
    uint32_t commands;      /* SENDs so far in the transaction */
    uint32_t deadline_ms;   /* with ASK */
    struct cemv_poll poll;  /* with POLL */
    uint16_t command_size;  /* with SEND; with ASK the size of the question */
    uint16_t record_size;   /* size of the data record at the start of `records` */
    uint16_t discretionary_size; /* size of the discretionary data after it */
    uint8_t command[CEMV_COMMAND_CAPACITY];
    struct cemv_ui_request ui[CEMV_MAX_UI_REQUESTS];
    struct cemv_outcome outcome;
    uint8_t records[CEMV_RECORD_CAPACITY];
};

/* A row of a machine's edges (struct cemv_edges) consists of these: the states in which it may wait next, and the
 * end. */
#define CEMV_TO(state) (1u << (state))
#define CEMV_END       1u

/* The only functions that write the state. An edge outside the table traps in test builds (CEMV_TRAP_EDGES) and fails
 * safe in release builds: the output is finished with End Application and CEMV_REASON_INTERNAL. `edges` NULL: not
 * checked. */
enum cemv_step cemv_output_send(struct cemv_output *out, const struct cemv_edges *edges, uint8_t state,
                                const struct cemv_command *command);
enum cemv_step cemv_output_publish(struct cemv_output *out, const struct cemv_edges *edges, uint8_t state);
enum cemv_step cemv_output_ask(struct cemv_output *out, const struct cemv_edges *edges, uint8_t state, uint8_t kind,
                               cemv_bytes question, uint32_t deadline_ms);
enum cemv_step cemv_output_poll(struct cemv_output *out, const struct cemv_edges *edges, uint8_t state,
                                struct cemv_poll poll);
/* The answer to a question did not suffice: the kernel stays in its state, and the deadline runs on. */
enum cemv_step cemv_output_ask_further(struct cemv_output *out);
/* Called when `out->outcome` and the records are complete. Returns a step that only the session sees. */
enum cemv_step cemv_output_finish(struct cemv_output *out, const struct cemv_edges *edges);
/* A kernel broke its contract: finishes with End Application and CEMV_REASON_INTERNAL; traps in test builds. */
enum cemv_step cemv_output_fail(struct cemv_output *out);

/* End Application without records; `show`: insert, swipe or try another card. */
void cemv_output_end(struct cemv_output *out, uint8_t reason, bool show);

bool cemv_output_show(struct cemv_output *out, const struct cemv_ui_request *request);

/* Error indication (DF8115 as coded in Books C-2 and C-8). */
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

extern const struct cemv_edges cemv_entry_edges;

#endif
