/* SPDX-License-Identifier: Apache-2.0 */
/* The C measurements of emv-bench: the session alone over a prepared dialogue, and single functions of the kernel.
 *
 * A dialogue is a list of commands with the answers to them, in order. The card is instant: its answers are ready
 * before the clock starts. Not for shipping: this target may use the C library, and it includes private headers of
 * CEMV. */
#ifndef EMV_BENCH_H
#define EMV_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A monotonic clock, in nanoseconds. */
uint64_t emv_bench_now(void);

/* Counts the calls of this thread that request memory from the C library between the two; -1 if they cannot be counted.
 */
void emv_bench_allocations_begin(void);
int64_t emv_bench_allocations_end(void);
/* Counts those of every thread of the process, including code that changes threads, and unrelated threads. */
void emv_bench_all_allocations_begin(void);
int64_t emv_bench_all_allocations_end(void);

/* Writes the buffered standard output. Returns 0, or the errno of a failed write, now or earlier. */
int emv_bench_flush(void);
/* Ends the process at once: no destructor and no handler of exit() runs. Flush before. */
_Noreturn void emv_bench_end(int status);

/* Bytes one session occupies. */
size_t emv_bench_session_size(void);

/* ---- a prepared dialogue ---- */

struct emv_bench;

/* Limits in the order of the configuration: transaction, floor, terminal floor, CVM required, CDCVM transaction. */
#define EMV_BENCH_LIMITS 5
#define EMV_BENCH_PHASES 5
enum emv_bench_phase {
    EMV_BENCH_SELECT = 0,         /* begin, and everything up to the command after the last SELECT */
    EMV_BENCH_OPTIONS = 1,        /* the answer to GET PROCESSING OPTIONS */
    EMV_BENCH_RECORDS = 2,        /* the answers to READ RECORD */
    EMV_BENCH_AUTHENTICATION = 3, /* all hashes and public-key operations */
    EMV_BENCH_DECISION = 4,       /* the work after the last answer: checks, outcome, wipe */
};

struct emv_bench *emv_bench_open(void);
void emv_bench_close(struct emv_bench *bench);

/* All arguments are copied. Each function returns false if memory or a named limit is exceeded. */
bool emv_bench_terminal(struct emv_bench *bench, const uint8_t *data, size_t size);
bool emv_bench_combination(struct emv_bench *bench, const uint8_t *aid, size_t aid_size, uint8_t kernel,
                           const uint8_t *types, size_t type_count, const uint64_t *limits, uint8_t limits_present,
                           const uint8_t *ttq, size_t ttq_size, const uint8_t *data, size_t data_size);
/* Sets the Combination Options (2 bytes) and the Terminal Interchange Profile (3 bytes) of Kernel 5 in the last added
 * combination. */
bool emv_bench_kernel_5(struct emv_bench *bench, const uint8_t *combination_options, const uint8_t *profile);
bool emv_bench_ca_key(struct emv_bench *bench, const uint8_t *rid, uint8_t index, uint32_t exponent,
                      const uint8_t *modulus, size_t size, const uint8_t *sha1);
bool emv_bench_transaction(struct emv_bench *bench, uint8_t type, uint64_t amount, uint16_t currency,
                           const uint8_t *date, const uint8_t *time, const uint8_t *random, size_t random_size,
                           const uint8_t *data, size_t data_size);
/* An empty response was lost. `elapsed_us` is the reader's measurement; 0: not measured. */
bool emv_bench_exchange(struct emv_bench *bench, const uint8_t *command, size_t command_size, const uint8_t *response,
                        size_t response_size, uint32_t elapsed_us);

/* The reason why a dialogue could not be run as prepared. */
enum emv_bench_fault {
    EMV_BENCH_OK = 0,
    EMV_BENCH_BAD_CONFIGURATION = 1, /* `detail`: section << 16 | row << 8 | field, as cemv.h numbers them */
    EMV_BENCH_BAD_TRANSACTION = 2,   /* `detail`: field */
    EMV_BENCH_OTHER_COMMAND = 3,     /* `detail`: index of the exchange, from 0 */
    EMV_BENCH_TOO_MANY_COMMANDS = 4, /* `detail`: number of answered exchanges */
    EMV_BENCH_TOO_FEW_COMMANDS = 5,  /* `detail`: number of answered exchanges */
    EMV_BENCH_UNEXPECTED_STEP = 6,   /* `detail`: the step */
    EMV_BENCH_OTHER_OUTCOME = 7,     /* a timed tap ended differently from the first: `detail` is its status */
    EMV_BENCH_NO_MEMORY = 8,
};
struct emv_bench_result {
    uint8_t fault;  /* enum emv_bench_fault */
    uint8_t status; /* the outcome, as cemv.h codes it */
    uint8_t cvm;
    uint8_t reason;
    uint32_t commands;
    uint32_t detail;
};

/* Checks the configuration and runs one tap that compares every command byte for byte. Call it before the two below. */
struct emv_bench_result emv_bench_check(struct emv_bench *bench);
/* The command that differed, if the fault is EMV_BENCH_OTHER_COMMAND; returns its size. */
size_t emv_bench_command(const struct emv_bench *bench, uint8_t *out, size_t capacity);
/* `taps` taps, begin and wipe included; the time of each goes to `ns`. */
struct emv_bench_result emv_bench_run(struct emv_bench *bench, uint64_t *ns, size_t taps);
/* Like the above, with clocks inside: EMV_BENCH_PHASES times for each tap. */
struct emv_bench_result emv_bench_phases(struct emv_bench *bench, uint64_t *ns, size_t taps);

/* The least time of one tap, in nanoseconds, apart from certificate work done while the card answers, and the least
 * time of that work. With `keys` issuer keys are remembered from tap to tap. */
struct emv_bench_ahead {
    uint8_t fault; /* enum emv_bench_fault */
    uint64_t tap_ns, work_ns;
};
struct emv_bench_ahead emv_bench_work_ahead(struct emv_bench *bench, size_t taps, bool keys);

/* `sessions` in one process, spread over `threads`, each a step further in turn, `rounds` times: nanoseconds for a tap
 * by the wall clock. Negative if a tap ended differently or memory is exhausted. */
double emv_bench_scale(const struct emv_bench *bench, size_t sessions, size_t threads, size_t rounds);

/* ---- single functions ---- */

size_t emv_bench_micro_count(void);
const char *emv_bench_micro_name(size_t index);
/* Uses the certificates, the signature and the transaction of a dialogue that ends with a signature, for `oda-chain-3`;
 * the operation fails without. False if the chain does not verify. */
bool emv_bench_use_chain(const struct emv_bench *bench);
/* Measures for about `budget_ms`, in batches; returns the time of one operation in the fastest batch, in nanoseconds.
 * Negative if the operation itself failed. `allocations`, for one operation, is -1 if they cannot be counted. */
double emv_bench_micro_run(size_t index, uint32_t budget_ms, int64_t *allocations);
/* Measures the operation with other libraries, like the above; negative if one is not installed. */
size_t emv_bench_peer_count(void);
const char *emv_bench_peer_library(size_t index);
const char *emv_bench_peer_operation(size_t index);
double emv_bench_peer_run(size_t index, uint32_t budget_ms);

#ifdef __cplusplus
}
#endif
#endif
