/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel under test, as a replay sees it: CEMV in this process, or any other through a pipe (kernel_lines.c). */
#ifndef CORPUS_KERNEL_H
#define CORPUS_KERNEL_H

#include <stdio.h>

#include "corpus.h"

enum corpus_wait {
    CORPUS_WAIT_POLL,
    CORPUS_WAIT_REMOVAL,
    CORPUS_WAIT_CLEAR,
    CORPUS_WAIT_COMMAND,
    CORPUS_WAIT_DATA,
    CORPUS_WAIT_RANDOM,
    CORPUS_WAIT_DISPLAY,
    CORPUS_WAIT_ANSWER,
    CORPUS_WAIT_NOTHING,
    CORPUS_REFUSED,
    CORPUS_BROKEN,
};

/* The kernel's request, and the data that came with it. */
struct corpus_step {
    enum corpus_wait wait; /* ANSWER: parked until the issuer's answer or a PIN; NOTHING: done */
    uint8_t command[1024];
    size_t command_size;
    uint8_t messages[8]; /* identifiers of user interface requests, in order */
    size_t message_count;
    uint8_t sent[1024]; /* data objects for the terminal (data exchange) */
    size_t sent_size;
    char text[200]; /* REFUSED, BROKEN: the problem */
};

enum corpus_reply_kind {
    CORPUS_REPLY_CARD,
    CORPUS_REPLY_COLLISION,
    CORPUS_REPLY_CLEARED,
    CORPUS_REPLY_REMOVED,
    CORPUS_REPLY_RESPONSE,
    CORPUS_REPLY_FAULT,
    CORPUS_REPLY_DATA,
    CORPUS_REPLY_RANDOM,
    CORPUS_REPLY_DEADLINE,
    CORPUS_REPLY_STOP,
    CORPUS_REPLY_CONTINUE,
    CORPUS_REPLY_ONLINE,
    CORPUS_REPLY_PIN,
    CORPUS_REPLY_END,
};
struct corpus_reply {
    enum corpus_reply_kind kind;
    uint8_t fault;          /* enum cemv_reply_kind */
    bool refused;           /* ONLINE: could not be reached. PIN: not captured */
    bool removal_timed_out; /* ONLINE; the line protocol does not carry it */
    uint32_t elapsed_us;
    cemv_bytes bytes;
};

struct corpus_kernel {
    void *own;
    /* Begins a transaction, the first or a further one at this reader. */
    void (*begin)(void *own, const struct corpus_trace *trace, const struct corpus_sale *sale, bool further,
                  struct corpus_step *step);
    void (*reply)(void *own, const struct corpus_reply *reply, struct corpus_step *step);
    /* A key of `expect` as text, as a trace writes it; NULL if the kernel does not supply it. Not for messages, apdus,
     * data and discretionary. */
    const char *(*find)(void *own, const char *key, char text[400]);
    /* The outcome's data record or discretionary data as a list of TLV. False if the kernel does not supply it. */
    bool (*data)(void *own, bool discretionary, cemv_bytes *list);
};

/* CEMV precomputes data while a card is busy; this must not change the result of any trace. */
extern bool corpus_works_ahead;
/* CEMV itself; one at a time. */
struct corpus_cemv {
    struct corpus_bench *bench;
    struct corpus_arena *arena;
    const struct cemv_checked *checked; /* begin() makes it from the trace, unless `heard` is set */
    struct cemv_session *session;
    struct corpus_sale sale;
    /* NULL, or called when a session has begun (`reply` is NULL) and before each of its replies. */
    void (*heard)(const struct corpus_cemv *own, const struct cemv_reply *reply);
};
struct corpus_kernel corpus_kernel_cemv(struct corpus_cemv *own, struct corpus_bench *bench,
                                        struct corpus_arena *arena);

/* A program that speaks the line protocol (README.md). False if it cannot be started. */
struct corpus_lines {
    FILE *to, *from;
    long child; /* process */
    char *line;
    size_t capacity;
    char outcome[16384];
    uint8_t record[2][4096];
};
bool corpus_kernel_lines(struct corpus_lines *own, const char *command, struct corpus_kernel *kernel);
void corpus_lines_close(struct corpus_lines *own);
/* Like corpus_run(), with the kernel that a shell command starts. */
int corpus_drive(const char *command, int count, char **files);
/* Checks whether standard input is a trace: returns 0, or 2 with the problem on standard error. */
int corpus_read(void);
/* The other side: CEMV as a server on standard input and output. Returns the exit status. */
int corpus_serve(void);

bool corpus_replay_with(const struct corpus_trace *trace, const struct corpus_kernel *kernel,
                        struct corpus_report *report);

#endif
