/* SPDX-License-Identifier: Apache-2.0 */
/* Many sessions in one process, each a step further in turn: a kernel in a server. */
#define _DEFAULT_SOURCE

#include "dialogue.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

/* The distance of sessions is one cache line more than their size: at a power of two all of them would compete for a
 * few cache lines. */
enum { STRIDE = CEMV_SESSION_SIZE + 64, HUGE_PAGE = 2 << 20 };

struct worker {
    const struct emv_bench *bench;
    uint8_t *memory; /* memory for `sessions` sessions */
    size_t sessions, rounds;
    uint64_t ns; /* time of the fastest round */
    bool good;
};

/* One step of a session at exchange `*answered`. False at its end. */
static bool step_on(const struct emv_bench *bench, struct cemv_session *session, size_t *answered)
{
    struct cemv_reply reply = { 0 };
    switch (cemv_session_step(session)) {
    case CEMV_STEP_POLL:
        reply.kind = cemv_session_poll(session).removal_first && cemv_session_takes(session, CEMV_REPLY_REMOVED)
                       ? CEMV_REPLY_REMOVED
                       : CEMV_REPLY_CARD;
        break;
    case CEMV_STEP_SEND:
        if (*answered == bench->exchange_count) return false;
        reply.kind = CEMV_REPLY_RESPONSE;
        reply.bytes = bench->exchanges[(*answered)++].response;
        break;
    case CEMV_STEP_WORK: reply.kind = CEMV_REPLY_CONTINUE; break;
    case CEMV_STEP_PARKED: reply.kind = CEMV_REPLY_ABANDON; break;
    case CEMV_STEP_ASK:
    case CEMV_STEP_NONE:
    case CEMV_STEP_DONE: return false;
    }
    return cemv_session_reply(session, &reply) != CEMV_STEP_DONE;
}

enum { GONE = UINT8_MAX }; /* the session has ended and is wiped; greater than any number of exchanges */
_Static_assert(MAX_EXCHANGES < GONE, "answered[] counts exchanges");

/* Every session one step in turn until all are done. A session that ends returns its outcome and is wiped at once. */
static bool round_of(struct worker *worker, struct cemv_session **sessions, uint8_t *answered)
{
    struct cemv_config_error error;
    bool good = true;
    for (size_t i = 0; i < worker->sessions; i++) {
        answered[i] = 0;
        if (cemv_session_begin(worker->memory + i * STRIDE, CEMV_SESSION_SIZE, worker->bench->checked,
                               &worker->bench->transaction, worker->bench->random, &sessions[i], &error) != CEMV_OK)
            return false;
    }
    for (size_t left = worker->sessions; left > 0;) {
        left = 0;
        for (size_t i = 0; i < worker->sessions; i++) {
            size_t at = answered[i];
            if (at == GONE) continue;
            if (cemv_session_step(sessions[i]) != CEMV_STEP_DONE && step_on(worker->bench, sessions[i], &at)) {
                left++;
                answered[i] = (uint8_t)at;
                continue;
            }
            good = good && cemv_session_outcome(sessions[i]).status == worker->bench->expected;
            cemv_session_wipe(sessions[i]);
            answered[i] = GONE;
        }
    }
    return good;
}

static void *work(void *given)
{
    struct worker *worker = given;
    struct cemv_session **sessions = calloc(worker->sessions, sizeof *sessions);
    uint8_t *answered = calloc(worker->sessions, 1);
    worker->good = sessions && answered &&
                   round_of(worker, sessions, answered); /* the first round touches the memory */
    worker->ns = UINT64_MAX;
    for (size_t i = 0; worker->good && i < worker->rounds; i++) {
        const uint64_t begin = emv_bench_now();
        worker->good = round_of(worker, sessions, answered);
        const uint64_t took = emv_bench_now() - begin;
        if (took < worker->ns) worker->ns = took;
    }
    free(sessions);
    free(answered);
    return NULL;
}

enum { MAX_THREADS = 64 };

double emv_bench_scale(const struct emv_bench *bench, size_t sessions, size_t threads, size_t rounds)
{
    struct worker workers[MAX_THREADS];
    pthread_t ids[MAX_THREADS];
    if (threads == 0 || threads > MAX_THREADS || sessions < threads || rounds == 0) return -1;
    const size_t size = (sessions * STRIDE + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    uint8_t *memory = aligned_alloc(HUGE_PAGE, size);
    if (!memory) return -1;
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, size, MADV_HUGEPAGE);
#endif
    const size_t each = sessions / threads;
    size_t started = 0;
    for (; started < threads; started++) {
        workers[started] = (struct worker){
            .bench = bench, .memory = memory + started * each * STRIDE, .sessions = each, .rounds = rounds
        };
        if (pthread_create(&ids[started], NULL, work, &workers[started]) != 0) break;
    }
    uint64_t longest = 0;
    bool good = started == threads;
    for (size_t i = 0; i < started; i++) {
        pthread_join(ids[i], NULL);
        good = good && workers[i].good;
        if (workers[i].ns > longest) longest = workers[i].ns;
    }
    free(memory);
    return good ? (double)longest / (double)(each * threads) : -1;
}
