// SPDX-License-Identifier: Apache-2.0
/* Depth-first over every wait of a transaction, deduplicated by what decides the future of a session. */
#include "CEMVInternals.h"
#include <stdlib.h>
#include <string.h>

#define SEEN_SIZE (1u << 20)
#define MAX_DEPTH 400

struct walker {
    struct edge_walk *result;
    uint64_t *seen;
    struct cemv_reply replies[96];
    size_t reply_count;
};

static size_t parse_hex(const char *text, uint8_t *out)
{
    size_t size = 0;
    for (; text[0] && text[1]; text += 2) {
        char pair[3] = { text[0], text[1], 0 };
        out[size++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return size;
}

/* One of each class of response; a state meets those meant for it and all those that are not. */
static const char *const responses[] = {
    /* status words and bodies that are no answer to anything */
    "",
    "90",
    "9000",
    "6984",
    "6985",
    "6986",
    "6A82",
    "6283",
    "00009000",
    "7700FF9000",
    /* PPSE: Visa; Visa and a foreign application; a third kernel alone; an SDOL; no entry */
    "6F23840E325041592E5359532E4444463031A511BF0C0E610C4F07A00000000310108701019000",
    "6F33840E325041592E5359532E4444463031A521BF0C1E610C4F07A0000000031010870101610E4F05F0000000018701029F2A01219000",
    "6F25840E325041592E5359532E4444463031A513BF0C10610E4F05F0000000018701019F2A01229000",
    "6F1B840E325041592E5359532E4444463031A509BF0C069F3F039F02069000",
    "6F15840E325041592E5359532E4444463031A503BF0C009000",
    /* FCI: PDOL with TTQ; one that breaks off behind it; none; of another application */
    "6F208407A0000000031010A5155004564953419F380C9F66049F02065F2A029F37049000",
    "6F188407A0000000031010A50D5004564953419F38049F66049F9000",
    "6F118407A0000000031010A5065004564953419000",
    "6F0F8405F000000001A5069F38039F66049000",
    /* GPO: ARQC; with issuer update; with an online PIN; AAC; no track 2; with a record; a signed TC with a record;
       without */
    "773E820220009F2701809F100706010A03A0000057114761739001010119D301220100000123459F360200159F2608B2EC180414DFA51A5F34"
    "01019F6C0200009000",
    "773E820220009F2701809F100706010A03A0000057114761739001010119D301220100000123459F360200159F2608B2EC180414DFA51A5F34"
    "01019F6C0200409000",
    "773E820220009F2701809F100706010A03A0000057114761739001010119D301220100000123459F360200159F2608B2EC180414DFA51A5F34"
    "01019F6C0280009000",
    "773E820220009F2701009F100706010A0380000057114761739001010119D301220100000123459F360200159F2608B2EC180414DFA51A5F34"
    "01019F6C0200009000",
    "772B820220009F2701809F100706010A03A000009F360200159F2608B2EC180414DFA51A5F3401019F6C0200009000",
    "7744820220009F2701809F100706010A03A0000057114761739001010119D301220100000123459F360200159F2608B2EC180414DFA51A5F34"
    "01019F6C0200009404080102009000",
    "778191820220009F2701409F100706010A0390000057114761739001010119D301220100000123459F360200159F2608B2EC180414DFA51A5F"
    "3401019F6C0200009404080101019F690701AABBCCDD00009F4B40000000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000009000",
    "778191820220009F2701409F100706010A0390000057114761739001010119D301220100000123459F360200159F2608B2EC180414DFA51A5F"
    "3401019F6C0200009F690701AABBCCDD00009F4B40000000000000000000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000005F24033012319000",
    /* records: PAN and expiry; the PAN twice */
    "70155A0847617390010101195F24033012315F280202769000",
    "70145A0847617390010101195A0847617390010101199000",
};

static void add_reply(struct walker *w, uint8_t kind, cemv_bytes bytes)
{
    w->replies[w->reply_count++] = (struct cemv_reply){ .kind = kind, .bytes = bytes };
}

static uint8_t response_bytes[96][260];
static const uint8_t random_again[] = { 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2 };
static const uint8_t issuer_data[] = { 0x8A, 0x02, 0x30, 0x30, 0x91, 0x0A, 1,    2,    3,    4,    5,    6,    7,   8,
                                       0x30, 0x30, 0x71, 0x09, 0x86, 0x07, 0x84, 0x16, 0x00, 0x00, 0x02, 0xAA, 0xBB };
static const uint8_t two_commands[] = { 0x72, 0x12, 0x86, 0x07, 0x84, 0x16, 0x00, 0x00, 0x02, 0xAA,
                                        0xBB, 0x86, 0x07, 0x84, 0x18, 0x00, 0x00, 0x02, 0xAA, 0xBB };
static const uint8_t issuer_script_only[] = { 0x72, 0x09, 0x86, 0x07, 0x84, 0x16, 0x00, 0x00, 0x02, 0xAA, 0xBB };

static void gather_replies(struct walker *w)
{
    const cemv_bytes none = { NULL, 0 };
    for (size_t i = 0; i < sizeof responses / sizeof responses[0]; i++) {
        cemv_bytes bytes = { response_bytes[i], parse_hex(responses[i], response_bytes[i]) };
        add_reply(w, CEMV_REPLY_RESPONSE, bytes);
    }
    for (uint8_t kind = CEMV_REPLY_TIMEOUT; kind <= CEMV_REPLY_REMOVED; kind++) add_reply(w, kind, none);
    add_reply(w, CEMV_REPLY_DATA, none);
    add_reply(w, CEMV_REPLY_DATA, (cemv_bytes){ random_again, sizeof random_again });
    for (uint8_t kind = CEMV_REPLY_DEADLINE; kind <= CEMV_REPLY_ABANDON; kind++) add_reply(w, kind, none);
    add_reply(w, CEMV_REPLY_ONLINE, (cemv_bytes){ issuer_data, sizeof issuer_data });
    add_reply(w, CEMV_REPLY_ONLINE, (cemv_bytes){ issuer_script_only, sizeof issuer_script_only });
    add_reply(w, CEMV_REPLY_ONLINE, (cemv_bytes){ two_commands, sizeof two_commands });
}

/* What decides the future: machine, counters, candidates, what the kernel holds. */
static uint64_t key_of(const struct cemv_session *s)
{
    const struct cemv_kernel *kernel = &s->kernel;
    uint64_t hash = 14695981039346656037u;
    hash = sum_bytes(hash, &kernel->out.state, 1);
    hash = sum_bytes(hash, &kernel->out.step, 1);
    hash = sum_bytes(hash, &s->kernel_active, 1);
    hash = sum_bytes(hash, &kernel->random.used, 1);
    hash = sum_bytes(hash, &s->entry.answered, 1);
    hash = sum_bytes(hash, &s->answer_size, sizeof s->answer_size);
    struct cemv_entry entry = s->entry;
    /* Collisions are counted out before the first presentment; after it their number changes nothing but when they end.
     */
    if (entry.taps || entry.restarts) entry.collisions = 0;
    /* No decision looks at the number of all presentments. */
    entry.taps = 0;
    memset(entry.candidates + entry.candidate_count, 0,
           (CEMV_MAX_CANDIDATES - entry.candidate_count) * sizeof entry.candidates[0]);
    hash = sum_bytes(hash, &entry.allowed, sizeof entry - offsetof(struct cemv_entry, allowed));
    hash = sum_bytes(hash, &kernel->afl, sizeof kernel->afl);
    hash = sum_bytes(hash, kernel->memory, sizeof kernel->memory);
    hash = sum_bytes(hash, &kernel->store.used, 4);
    hash = sum_bytes(hash, kernel->store.arena, kernel->store.used);
    return hash ? hash : 1;
}

static bool is_new(struct walker *w, uint64_t key)
{
    for (size_t i = key % SEEN_SIZE;; i = (i + 1) % SEEN_SIZE) {
        if (w->seen[i] == key) return false;
        if (!w->seen[i]) {
            w->seen[i] = key;
            return true;
        }
    }
}

static bool in_kernel(uint8_t state) { return (state & 0xF0) == CEMV_STATE_K3; }

static void observe(struct edge_walk *result, uint8_t from, const struct cemv_session *after)
{
    uint8_t to = after->kernel.out.state;
    bool ended = after->kernel.out.step == CEMV_STEP_DONE;
    if (after->kernel.out.outcome.reason == CEMV_REASON_INTERNAL) result->internal_errors++;
    if (from >= CEMV_STATE_FOREIGN) from = 0; /* a kernel without a table: leaves by row 0, like all */
    if (in_kernel(from)) {
        bool stays = in_kernel(to) && !ended;
        result->kernel_observed[from & 0xF] |= stays ? (uint16_t)(1u << (to & 0xF)) : 1u;
        if (!stays && !ended) result->entry_observed[0] |= (uint16_t)(1u << (to & 0xF));
        return;
    }
    if (ended && after->kernel.out.outcome.kernel_id_size == 1 && after->kernel.out.outcome.kernel_id[0] == 3)
        result->kernel_observed[0] |= 1u;
    if (ended) result->entry_observed[from] |= 1u;
    else if (in_kernel(to)) result->kernel_observed[0] |= (uint16_t)(1u << (to & 0xF));
    else if (to < CEMV_STATE_FOREIGN) result->entry_observed[from] |= (uint16_t)(1u << to);
}

static bool holds_card_bytes(const struct cemv_session *s)
{
    const uint8_t *store = (const uint8_t *)&s->kernel.store;
    for (size_t i = 0; i < sizeof s->kernel.store; i++)
        if (store[i]) return true;
    return false;
}

static void visit(struct walker *w, const struct cemv_session *here, uint32_t depth)
{
    struct cemv_session *fork = aligned_alloc(CEMV_ALIGNMENT, CEMV_SESSION_SIZE);
    bool left = false;

    w->result->sessions++;
    if (depth > w->result->deepest) w->result->deepest = depth;
    for (size_t i = 0; i < w->reply_count && depth < MAX_DEPTH; i++) {
        memcpy(fork, here, sizeof *fork);
        bool takes = cemv_session_takes(fork, w->replies[i].kind);
        enum cemv_step step = cemv_session_reply(fork, &w->replies[i]);
        if (!takes) {
            if (memcmp(fork, here, sizeof *fork)) w->result->changed_by_refused_reply++;
            continue;
        }
        left = true;
        if (w->replies[i].kind == CEMV_REPLY_STOP || w->replies[i].kind == CEMV_REPLY_ABANDON) continue;
        observe(w->result, here->kernel.out.state, fork);
        if (step == CEMV_STEP_DONE) {
            w->result->ends++;
            if (holds_card_bytes(fork)) w->result->not_wiped++;
        } else if (is_new(w, key_of(fork))) {
            visit(w, fork, depth + 1);
        }
    }
    if (!left) w->result->without_exit++;
    free(fork);
}

static const uint8_t visa[] = { 0xA0, 0, 0, 0, 3, 0x10, 0x10 }, foreign[] = { 0xF0, 0, 0, 0, 1 },
                     ttq[] = { 0x36, 0x00, 0xC0, 0x80 };
static const uint8_t terminal[] = { 0x9F, 0x1A, 2, 0x02, 0x76, 0x9F, 0x35, 1, 0x22 },
                     pool[] = { 1, 2, 3, 4, 5, 6, 7, 8 };

/* Reads a record and wants a PIN before it is selected again; then asks for the card to leave before it is presented
 * again. */
static enum cemv_step leaver_start(struct cemv_kernel *kernel)
{
    struct cemv_command read = { .ins = 0xB2, .p1 = 1, .p2 = 0x0C, .le = CEMV_LE_MAX };
    return cemv_kernel_send(kernel, 0, &read);
}
static enum cemv_step leaver_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    const cemv_bytes none = { NULL, 0 };
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_NONE);
    outcome.start = CEMV_START_B;
    (void)reply;
    if (!cemv_kernel_activation(kernel).restarted) {
        outcome.status = CEMV_OUTCOME_REQUEST_ONLINE_PIN;
        outcome.start = CEMV_START_C;
        outcome.online_response = CEMV_ONLINE_RESPONSE_ANY;
    }
    return cemv_kernel_finish(kernel, &outcome, none, none);
}
static const struct cemv_kernel_functions leaver = { leaver_start, leaver_reply };

static void walk_amount(struct walker *w, const struct cemv_checked *checked, uint64_t amount)
{
    struct cemv_transaction sale = {
        .amount = amount, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 }
    };
    struct cemv_config_error error;
    struct cemv_session *session;
    void *memory = aligned_alloc(CEMV_ALIGNMENT, CEMV_SESSION_SIZE);
    memset(memory, 0, CEMV_SESSION_SIZE);
    if (cemv_session_begin(memory, CEMV_SESSION_SIZE, checked, &sale, (cemv_bytes){ pool, sizeof pool }, &session,
                           &error) == CEMV_OK) {
        w->result->entry_observed[0] |=
            cemv_session_step(session) == CEMV_STEP_DONE ? 1u : (uint16_t)(1u << session->kernel.out.state);
        if (cemv_session_step(session) != CEMV_STEP_DONE) visit(w, session, 0);
    }
    free(memory);
}

void edge_walk_k3(struct edge_walk *result, uint8_t profile)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t checked_memory[8192];
    struct foreign_kernel_script script = { .commands = 1 };
    const struct cemv_kernel_row kernels[] = { { { 3 }, 1, &cemv_kernel_3 },
                                               { { 0x21 }, 1, &foreign_kernel },
                                               { { 0x22 }, 1, &leaver } };
    struct cemv_combination rows[] = {
        { .aid = { visa, sizeof visa },
          .kernel_id = { 3 },
          .kernel_id_size = 1,
          .ttq = { ttq, sizeof ttq },
          .limits = { .amount = { [CEMV_LIMIT_TRANSACTION] = 30000,
                                  [CEMV_LIMIT_FLOOR] = 5000,
                                  [CEMV_LIMIT_CVM_REQUIRED] = 10000 },
                      .present = 0x0B } },
        { .aid = { foreign, sizeof foreign },
          .kernel_id = { 0x21 },
          .kernel_id_size = 1,
          .limits = { .amount = { [CEMV_LIMIT_TRANSACTION] = 30000 }, .present = 0x01 } },
        { .aid = { foreign, sizeof foreign },
          .kernel_id = { 0x22 },
          .kernel_id_size = 1,
          .limits = { .amount = { [CEMV_LIMIT_TRANSACTION] = 30000 }, .present = 0x01 } },
    };
    struct cemv_configuration configuration = {
        .terminal_data = { terminal, sizeof terminal },
        .combinations = rows,
        .combination_count = 3,
        .kernels = kernels,
        .kernel_count = 3,
        .protection = { .profile = profile, .max_taps = 2 },
    };
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    struct walker w = { .result = result, .seen = calloc(SEEN_SIZE, sizeof(uint64_t)) };

    memset(result, 0, sizeof *result);
    for (unsigned i = 0; i < 4; i++)
        script.outcome[i] = cemv_outcome_of(CEMV_OUTCOME_REQUEST_ONLINE_PIN, CEMV_REASON_NONE);
    for (unsigned i = 0; i < 4; i++) {
        script.outcome[i].start = CEMV_START_D;
        script.outcome[i].online_response = CEMV_ONLINE_RESPONSE_ANY;
    }
    foreign_kernel_set(&script);
    gather_replies(&w);
    if (cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) == CEMV_OK) {
        static const uint64_t amounts[] = { 1000, 7000, 12000, 40000 };
        for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++) walk_amount(&w, checked, amounts[i]);
    }
    foreign_kernel_set(NULL);
    free(w.seen);
}
