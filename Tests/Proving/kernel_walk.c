/* SPDX-License-Identifier: Apache-2.0 */
/* Depth-first walk over the waits of a kernel. Waits are distinguished by the data that decide the future: the machine,
 * the kernel's memory, the locator and the store. kernel_walk.h describes setup, plan and result. */
#include "bytes.h"
#include "kernel_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEN_SIZE    (1u << 21)
#define MAX_SESSIONS 1000000u

struct walker {
    struct kernel_walk *result;
    const struct kernel_walk_setup *setup;
    uint64_t *seen;
    struct cemv_reply replies[96];
    uint8_t bytes[96][260];
    size_t count;
};

static void add(struct walker *w, uint8_t kind, const char *hex)
{
    uint8_t *at = w->bytes[w->count];
    char whole[600];
    const char *star = strchr(hex, '*');
    if (star) {
        const unsigned length = (unsigned)strlen(star + 1) / 2;
        snprintf(whole, sizeof whole, "%.*s%s%02X%s9000", (int)(star - hex), hex, length > 127 ? "81" : "", length,
                 star + 1);
        hex = whole;
    }
    w->replies[w->count++] = (struct cemv_reply){ .kind = kind, .bytes = { at, bytes_of_hex(hex, at) } };
}

bool kernel_walk_record_has(const struct cemv_session *session, uint32_t tag)
{
    struct cemv_tlv object;
    return cemv_tlv_find(cemv_session_data_record(session), tag, &object);
}

uint64_t kernel_walk_sum(uint64_t sum, const void *data, size_t size)
{
    const uint8_t *at = data;
    for (; size >= sizeof sum; size -= sizeof sum, at += sizeof sum) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 29;
    }
    return sum_bytes(sum, at, size);
}

uint64_t kernel_walk_key(const struct cemv_session *here)
{
    const struct cemv_kernel *kernel = &here->kernel;
    uint64_t key = kernel_walk_sum(SUM_EMPTY, &here->entry.attempts, 1);
    key = kernel_walk_sum(key, &kernel->afl, sizeof kernel->afl);
    key = kernel_walk_sum(key, kernel->memory, sizeof kernel->memory);
    key = kernel_walk_sum(key, kernel + 1, kernel->checked->further_memory);
    key = kernel_walk_sum(key, &here->entry.answered, sizeof here->entry.answered);
    key = kernel_walk_sum(key, kernel->store.arena + CEMV_STORE_ARENA - here->answer_size, here->answer_size);
    return kernel_walk_sum(key, kernel->store.arena, kernel->store.used);
}

static bool is_new(struct walker *w, const struct cemv_session *here)
{
    uint64_t key = w->setup->key ? w->setup->key(here) : kernel_walk_key(here);
    key = kernel_walk_sum(key, &here->kernel.out.state, 1);
    key = kernel_walk_sum(key, &here->kernel_active, sizeof here->kernel_active);
    key = kernel_walk_sum(key, &here->kernel.out.step, 1) | 1;
    for (size_t i = key % SEEN_SIZE;; i = (i + 1) % SEEN_SIZE) {
        if (w->seen[i] == key) return false;
        if (w->seen[i]) continue;
        w->seen[i] = key;
        return true;
    }
}

static bool is_done(const struct cemv_session *session) { return cemv_session_step(session) == CEMV_STEP_DONE; }

/* Waits of the walked kernel, or all waits if the setup names no edges. */
static bool is_walked(const struct walker *w, const struct cemv_session *session)
{
    if (!session->kernel_active || is_done(session)) return false;
    return !w->setup->edges || session->kernel.row->module->edges == w->setup->edges;
}

static uint32_t bit_of(const struct cemv_session *session) { return UINT32_C(1) << session->kernel.out.state; }

static void observe(struct walker *w, const struct cemv_session *before, const struct cemv_session *after)
{
    struct kernel_walk *const result = w->result;
    const struct cemv_outcome outcome = cemv_session_outcome(after);
    const bool at_entry = !is_done(after) && !after->kernel_active;
    if (outcome.reason == CEMV_REASON_INTERNAL) result->internal_errors++;
    if (is_walked(w, before)) {
        result->observed[before->kernel.out.state] |= is_walked(w, after) ? bit_of(after) : 1u;
        if (at_entry) result->entry_observed[0] |= bit_of(after);
        return;
    }
    if (is_walked(w, after)) result->observed[0] |= bit_of(after);
    if (is_done(after) && outcome.kernel_id_size != 0 && !before->kernel_active) result->observed[0] |= 1u;
    const unsigned from = before->kernel_active ? 0 : before->kernel.out.state;
    if (is_done(after)) result->entry_observed[from] |= 1u;
    else if (at_entry) result->entry_observed[from] |= bit_of(after);
}

static bool holds_card_bytes(const struct cemv_session *s)
{
    const uint8_t *const store = (const uint8_t *)&s->kernel.store;
    return store[0] != 0 || memcmp(store, store + 1, sizeof s->kernel.store - 1) != 0;
}

static void blame(struct walker *w, const char *violation)
{
    if (violation && !w->result->violation) w->result->violation = violation;
}

/* With the memory of the largest kernel after it. */
static size_t whole_size(const struct cemv_session *session)
{
    return sizeof *session + session->kernel.checked->further_memory;
}

static struct cemv_session *copy_of(const struct cemv_session *here)
{
    const struct cemv_reader_memory *const reader = here->kernel.transaction.reader;
    struct cemv_session *const copy = aligned_alloc(CEMV_ALIGNMENT, CEMV_KERNEL_8_SESSION_SIZE);
    memcpy(copy, here, whole_size(here));
    if (reader) {
        struct cemv_reader_memory *const own = malloc(sizeof *own);
        *own = *reader;
        cemv_session_set_reader(copy, own);
    }
    return copy;
}

static void drop(struct cemv_session *copy, struct cemv_reader_memory *reader)
{
    free(reader);
    free(copy);
}

/* Abandoned by the driver, or stopped by the terminal, at any wait. */
static void give_up(struct walker *w, const struct cemv_session *here, uint8_t kind)
{
    const struct cemv_reply reply = { .kind = kind };
    if (!cemv_session_takes(here, kind)) return;
    struct cemv_session *const copy = copy_of(here);
    struct cemv_reader_memory *const reader = copy->kernel.transaction.reader;
    const bool done = cemv_session_reply(copy, &reply) == CEMV_STEP_DONE;
    const bool parked = cemv_session_step(here) == CEMV_STEP_PARKED;
    const bool approved = cemv_session_outcome(copy).status == CEMV_OUTCOME_APPROVED;
    if ((kind == CEMV_REPLY_ABANDON && !done) || (done && holds_card_bytes(copy)) || (approved && !parked))
        w->result->given_up_badly++;
    if (w->setup->abandoned && kind == CEMV_REPLY_ABANDON) blame(w, w->setup->abandoned(here, copy));
    drop(copy, reader);
}

static bool is_skipped(const struct walker *w, const struct cemv_session *here, const struct cemv_reply *reply)
{
    if (w->setup->skipped) return w->setup->skipped(here, reply);
    return cemv_session_step(here) == CEMV_STEP_POLL && reply->kind != CEMV_REPLY_CARD;
}

/* A reply that the step does not accept changes nothing; one of each kind is tried. */
static void refuse(struct walker *w, const struct cemv_session *here, const struct cemv_reply *reply)
{
    struct cemv_session *const copy = aligned_alloc(CEMV_ALIGNMENT, CEMV_KERNEL_8_SESSION_SIZE);
    memcpy(copy, here, whole_size(here));
    (void)cemv_session_reply(copy, reply);
    if (memcmp(copy, here, whole_size(here)) != 0) w->result->changed_by_refused_reply++;
    free(copy);
}

static void visit(struct walker *w, const struct cemv_session *here)
{
    bool left = false;
    if (++w->result->sessions >= MAX_SESSIONS) w->result->cut_short = true;
    give_up(w, here, CEMV_REPLY_ABANDON);
    give_up(w, here, CEMV_REPLY_STOP);
    for (size_t i = 0; i < w->count && !w->result->cut_short; i++) {
        const struct cemv_reply *const reply = &w->replies[i];
        if (!cemv_session_takes(here, reply->kind)) {
            if (i == 0 || reply->kind != reply[-1].kind) refuse(w, here, reply);
            continue;
        }
        if (is_skipped(w, here, reply)) continue;
        struct cemv_session *const fork = copy_of(here);
        struct cemv_reader_memory *const reader = fork->kernel.transaction.reader;
        (void)cemv_session_reply(fork, reply);
        left = true;
        if (!w->setup->passed_over || !w->setup->passed_over(here, reply)) observe(w, here, fork);
        if (w->setup->violation) blame(w, w->setup->violation(fork));
        if (is_done(fork)) {
            w->result->ends++;
            w->result->not_wiped += holds_card_bytes(fork);
        } else if (is_new(w, fork)) {
            visit(w, fork);
        }
        drop(fork, reader);
    }
    if (!left) w->result->without_exit++;
}

static bool walk_sale(struct walker *w, const struct cemv_checked *checked, const struct cemv_transaction *sale)
{
    static const uint8_t suffices[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    const cemv_bytes given = w->setup->random;
    const cemv_bytes random = given.size ? given : (cemv_bytes){ suffices, sizeof suffices };
    struct cemv_session *session = aligned_alloc(CEMV_ALIGNMENT, CEMV_KERNEL_8_SESSION_SIZE);
    struct cemv_session *const memory = session;
    struct cemv_config_error error;
    memset(memory, 0, CEMV_KERNEL_8_SESSION_SIZE);
    memset(w->seen, 0, SEEN_SIZE * sizeof *w->seen);
    const bool begun =
        cemv_session_begin(memory, CEMV_KERNEL_8_SESSION_SIZE, checked, sale, random, &session, &error) == CEMV_OK;
    if (begun) w->result->entry_observed[0] |= is_done(session) ? 1u : bit_of(session);
    if (begun && !is_done(session)) visit(w, session);
    free(memory);
    return begun;
}

bool kernel_walk(struct kernel_walk *walk, const struct kernel_walk_setup *setup)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t checked_memory[8192];
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    if (cemv_configuration_check(setup->configuration, checked_memory, sizeof checked_memory, &checked, &error) !=
        CEMV_OK)
        return false;

    struct walker *const w = calloc(1, sizeof *w);
    w->result = walk;
    w->setup = setup;
    w->seen = calloc(SEEN_SIZE, sizeof *w->seen);
    for (size_t i = 0; i < setup->response_count; i++) add(w, CEMV_REPLY_RESPONSE, setup->responses[i]);
    for (uint8_t kind = CEMV_REPLY_TIMEOUT; kind <= CEMV_REPLY_REMOVED; kind++) add(w, kind, "");
    add(w, CEMV_REPLY_CONTINUE, "");
    for (size_t i = 0; i < setup->reply_count; i++) w->replies[w->count++] = setup->replies[i];
    bool begun = true;
    for (size_t i = 0; i < setup->sale_count && begun; i++) begun = walk_sale(w, checked, &setup->sales[i]);
    free(w->seen);
    free(w);
    return begun;
}

int kernel_walk_report(const struct kernel_walk *walk, const char *title)
{
    const struct {
        const char *name;
        uint32_t count;
    } faults[] = {
        { walk->violation, walk->violation != NULL },
        { "a wait without an exit", walk->without_exit },
        { "an edge outside the table", walk->internal_errors },
        { "card bytes in a finished session", walk->not_wiped },
        { "a refused reply changed the session", walk->changed_by_refused_reply },
        { "given up, and not done, not wiped or approved", walk->given_up_badly },
        { "more sessions than a walk may have", walk->cut_short },
    };
    const char *first = NULL;
    int bad = 0;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        if (faults[i].count == 0) continue;
        if (!first) first = faults[i].name;
        bad++;
    }
    printf("walk of %s: %u sessions, %u ends%s%s\n", title, walk->sessions, walk->ends, first ? "; violated: " : "",
           first ? first : "");
    return bad;
}

/* ---- one kernel at several readers ---- */

enum { MAX_SALES = 8 };

static bool walk_reader(struct kernel_walk *walk, const struct kernel_walk_plan *plan, unsigned reader, uint8_t profile)
{
    struct cemv_reader_memory memories[MAX_SALES];
    struct cemv_transaction sales[MAX_SALES];
    struct kernel_walk_reader own = {
        .configuration = { .terminal_data = plan->terminal_data,
                           .combination_count = 1,
                           .kernels = &plan->kernel,
                           .kernel_count = 1,
                           .exceptions = &plan->exception,
                           .exception_count = plan->exception.pan.size != 0,
                           .protection = { .profile = profile, .max_taps = 2 } },
        .row = { .aid = plan->aid, .kernel_id_size = plan->kernel.id_size, .limits = KERNEL_WALK_LIMITS },
        .setup = plan->setup,
    };
    if (plan->setup.sale_count > MAX_SALES) return false;
    memset(memories, 0, sizeof memories);
    for (size_t i = 0; i < plan->setup.sale_count; i++) {
        sales[i] = plan->setup.sales[i];
        if (sales[i].currency == 0) sales[i].currency = 0x0978;
        sales[i].exponent = 2;
        memcpy(sales[i].date, "\x26\x11\x21", sizeof sales[i].date);
        if (plan->has_reader_memory) sales[i].reader = &memories[i];
    }
    memcpy(own.row.kernel_id, plan->kernel.id, sizeof own.row.kernel_id);
    own.configuration.combinations = &own.row;
    own.setup.configuration = &own.configuration;
    own.setup.sales = sales;
    own.setup.edges = plan->kernel.module->edges;
    plan->prepare(&own, reader, profile);
    return kernel_walk(walk, &own.setup);
}

int kernel_walk_all(const struct kernel_walk_plan *plan)
{
    int bad = 0;
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_STRICT; profile++) {
        char title[40];
        struct kernel_walk walk = { .sessions = 0 };
        for (unsigned reader = 0; reader < plan->readers; reader++) bad += !walk_reader(&walk, plan, reader, profile);
        for (size_t i = 0; i < 32; i++) bad += walk.observed[i] != plan->kernel.module->edges->next[i];
        snprintf(title, sizeof title, "Kernel %u, profile %u", plan->kernel.id[0], profile);
        bad += kernel_walk_report(&walk, title);
    }
    return bad;
}
