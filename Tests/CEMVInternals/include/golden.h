/* SPDX-License-Identifier: Apache-2.0 */
/* Golden taps: what was said in taps with our own virtual cards, and what must come of each. One compact text (the
 * files of Tests/Golden, one behind the other) serves ordinary tests, fuzzing, fault injection, coverage, mutation and
 * the emulated Cortex-M4. Neither libc nor allocation: it runs bare. */
#ifndef CEMV_GOLDEN_H
#define CEMV_GOLDEN_H

#include "../../../Sources/CEMV/include/cemv.h"
#include "sum.h"

/* One reply, as the driver gave it. `command` is what the session asked for where it was at SEND, else empty. */
struct golden_reply {
    uint8_t kind; /* enum cemv_reply_kind */
    uint32_t elapsed_us;
    cemv_bytes command, bytes;
};

struct golden_reader {
    cemv_bytes name;
    struct cemv_configuration configuration;
    const struct cemv_checked *checked;
};

struct golden_tap {
    cemv_bytes name;
    const struct golden_reader *reader;
    bool keeps_memory; /* the reader remembers the tap before */
    struct cemv_transaction transaction;
    cemv_bytes random;
    const struct golden_reply *replies;
    size_t reply_count;
    cemv_bytes end; /* the line that describes its end */
};

struct golden_file {
    struct golden_reader *readers;
    size_t reader_count;
    struct golden_tap *taps;
    size_t tap_count;
    size_t line; /* where reading stopped, if it failed */
    uint8_t *arena;
    size_t used, size;
};

/* What a file with the line `secrets` needs: cryptography with its secret part, and Kernel 8. Where this was not called
 * before golden_open, the taps of such a file are left out. Both must outlive the files. */
void golden_secrets(const struct cemv_crypto *crypto, const struct cemv_kernel_module *kernel_8);

/* Reads the text, one file or several one behind the other, into `arena` (aligned to CEMV_ALIGNMENT; four times the
 * text suffices), which must outlive the file. Names point into the text. False if a line is not understood, a
 * configuration is refused or the arena is full. */
bool golden_open(struct golden_file *file, cemv_bytes text, void *arena, size_t size);

/* The same command; with `header`, one of the same header alone, but for SELECT, whose name tells what is asked. */
bool golden_same_command(cemv_bytes a, cemv_bytes b, bool header);
/* The card's answer: the next recorded one, from `next` on and round, to this very command, else to one of its header;
 * NULL if there is none. */
const struct golden_reply *golden_answer(const struct golden_tap *tap, size_t *next, cemv_bytes command);

#define GOLDEN_LINE 6000
/* What one tap needs. */
struct golden_bench {
    _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_KERNEL_8_SESSION_SIZE];
    struct cemv_reader_memory reader;
    char line[GOLDEN_LINE]; /* describes the end of the last tap */
    size_t line_size;
    uint64_t seen; /* a sum over what the driver was shown: messages, polls, questions */
    size_t at;     /* the reply where a tap went another way */
};

enum golden_verdict {
    GOLDEN_SAME = 0,
    GOLDEN_NOT_BEGUN = 1,
    GOLDEN_OTHER_COMMAND = 2, /* at reply `at` */
    GOLDEN_OTHER_STEP = 3,    /* reply `at` is not taken */
    GOLDEN_OTHER_END = 4,     /* `line` differs */
    GOLDEN_NOT_WIPED = 5,     /* bytes of the card left in a finished session */
};
/* Plays a tap; describes its end in `line` unless it was not begun. */
enum golden_verdict golden_play(const struct golden_tap *tap, struct golden_bench *bench);

/* The parts of golden_play, for drivers of their own. */
enum cemv_status golden_begin(const struct golden_tap *tap, struct golden_bench *bench, struct cemv_session **session);
void golden_see(struct golden_bench *bench, const struct cemv_session *session);
void golden_describe(struct golden_bench *bench, const struct cemv_session *session);
/* `line`, for callers that cannot read so long an array. */
cemv_bytes golden_line(const struct golden_bench *bench);
bool golden_is_wiped(const struct cemv_session *session);

#endif
