/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded taps: the driver's replies to each command and question of a dialogue, and a sum over everything that it was
 * shown. Tests/Proving/recorded.c records them from the traces of Tests/Independent. Fault injection, perturbations and
 * fuzzing start from them, and programs on machines without files play them. Needs neither libc nor allocation. */
#ifndef CEMV_TAPS_H
#define CEMV_TAPS_H

#include "../../../Sources/CEMV/include/cemv.h"
#include "sum.h"

/* One reply, as the driver gave it. `command` is the session's command at SEND, else empty. */
struct recorded_reply {
    uint8_t kind; /* enum cemv_reply_kind */
    bool removal_timed_out, unable_to_go_online, pin_not_captured;
    uint32_t elapsed_us;
    cemv_bytes command, bytes;
};

struct recorded_reader {
    struct cemv_configuration configuration;
    const struct cemv_checked *checked;
};

static inline bool recorded_has_kernel_8(const struct recorded_reader *reader)
{
    for (size_t i = 0; i < reader->configuration.combination_count; i++) {
        const struct cemv_combination *row = &reader->configuration.combinations[i];
        if (row->kernel_id_size == 1 && row->kernel_id[0] == 8) return true;
    }
    return false;
}

struct recorded_tap {
    const char *name;
    const struct recorded_reader *reader;
    bool keeps_memory; /* the reader remembers the previous tap */
    struct cemv_transaction transaction;
    cemv_bytes random;
    const struct recorded_reply *replies;
    size_t reply_count;
    uint8_t status; /* enum cemv_outcome_status at its end */
    uint64_t end;   /* tap_bench.end of the tap as it was recorded */
};

struct recorded_taps {
    const struct recorded_tap *taps;
    size_t tap_count;
};

/* The C that `proving bare` writes, for programs on machines without files. The configurations have no kernels and no
 * cryptography: the program adds them and checks the configuration. */
extern const struct recorded_taps bare_taps;

/* True for equal commands; with `header`, for an equal CLA, INS, P1 and P2, and for SELECT an equal name. */
bool tap_same_command(cemv_bytes a, cemv_bytes b, bool header);
/* The card's answer: the next recorded response to exactly this command, searched from `next` on and then from the
 * start; if there is none, a response to a command with its header; else NULL. */
const struct recorded_reply *tap_answer(const struct recorded_tap *tap, size_t *next, cemv_bytes command);

/* The memory for one tap, and its result. */
struct tap_bench {
    _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_KERNEL_8_SESSION_SIZE];
    struct cemv_reader_memory reader;
    uint64_t seen;  /* a sum over everything that the driver was shown: messages, polls, questions, commands */
    uint64_t end;   /* a sum over `seen` and the final outcome */
    uint8_t status; /* status of the outcome */
    size_t at;      /* the reply at which a tap differed */
};

enum tap_verdict {
    TAP_SAME = 0,
    TAP_NOT_BEGUN = 1,
    TAP_OTHER_COMMAND = 2, /* at reply `at` */
    TAP_OTHER_STEP = 3,    /* the step does not accept reply `at` */
    TAP_OTHER_END = 4,
    TAP_NOT_WIPED = 5, /* bytes of the card left in a finished session */
};
/* Plays a tap, and sets `end` and `status` of the bench if it began. */
enum tap_verdict tap_play(const struct recorded_tap *tap, struct tap_bench *bench);

/* The parts of tap_play(), for other drivers. */
enum cemv_status tap_begin(const struct recorded_tap *tap, struct tap_bench *bench, struct cemv_session **session);
void tap_see(struct tap_bench *bench, const struct cemv_session *session);
void tap_describe(struct tap_bench *bench, const struct cemv_session *session);
bool tap_is_wiped(const struct cemv_session *session);

#endif
