/* SPDX-License-Identifier: Apache-2.0 */
/* The walk of Entry Point (Books A and B v2.10): directories, names and faults of every kind, and two third-party
 * kernels that end in every way a kernel may, so that every restart occurs. kernel_walk.c has the common part of walks.
 */
#include "kernel_walk.h"

#include <string.h>

static const char *const responses[] = {
    /* malformed status words and bodies */
    "",
    "90",
    "9000",
    "6A82",
    "6283",
    "00009000",
    "7700FF9000",
    /* PPSE: one application; two; a third kernel alone; an SDOL; no entry */
    "6F23840E325041592E5359532E4444463031A511BF0C0E610C4F07A00000000310108701019000",
    "6F33840E325041592E5359532E4444463031A521BF0C1E610C4F07A0000000031010870101610E4F05F0000000018701029F2A01219000",
    "6F25840E325041592E5359532E4444463031A513BF0C10610E4F05F0000000018701019F2A01229000",
    "6F1B840E325041592E5359532E4444463031A509BF0C069F3F039F02069000",
    "6F15840E325041592E5359532E4444463031A503BF0C009000",
    /* FCI: a PDOL; a truncated one; none; of another application */
    "6F*8407A0000000031010A5155004564953419F380C9F66049F02065F2A029F3704",
    "6F*8407A0000000031010A50D5004564953419F38049F66049F",
    "6F*8407A0000000031010A506500456495341",
    "6F*8405F000000001A5069F38039F6604",
};

static const uint8_t numbers[] = { 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2 };
static const uint8_t issuer_data[] = { 0x8A, 2, '0', '0', 0x91, 10, 1, 2, 3, 4, 5, 6, 7, 8, '0', '0' };
static const uint8_t decision[] = { 0x8A, 2, '0', '0' };
static const uint8_t amount[] = { 0x9F, 0x02, 6, 0, 0, 0, 0, 0x12, 0x50 };
static const struct cemv_reply replies[] = {
    KERNEL_WALK_REPLY(CEMV_REPLY_DATA, amount),
    KERNEL_WALK_REPLY(CEMV_REPLY_DATA, numbers),
    { .kind = CEMV_REPLY_DATA },
    { .kind = CEMV_REPLY_DEADLINE },
    { .kind = CEMV_REPLY_PIN },
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, issuer_data),
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, decision),
};

static const cemv_bytes nothing = { NULL, 0 };

static enum cemv_step read_record(struct cemv_kernel *kernel)
{
    const struct cemv_command read = { .ins = 0xB2, .p1 = 1, .p2 = 0x0C, .le = CEMV_LE_MAX };
    return cemv_kernel_send(kernel, 1, &read);
}

/* Reads a record and requests a PIN before it is selected again; then the card must leave before it is presented again.
 */
static enum cemv_step leaver_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_NONE);
    outcome.start = CEMV_START_B;
    (void)reply;
    if (!cemv_kernel_activation(kernel).restarted) {
        outcome.status = CEMV_OUTCOME_REQUEST_ONLINE_PIN;
        outcome.start = CEMV_START_C;
        outcome.online_response = CEMV_ONLINE_RESPONSE_ANY;
    }
    return cemv_kernel_finish(kernel, &outcome, nothing, nothing);
}
static const struct cemv_kernel_module leaver = { .start = read_record, .reply = leaver_reply };

/* Requests a PIN and continues with the card in the field. */
static enum cemv_step stayer_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_REQUEST_ONLINE_PIN, CEMV_REASON_NONE);
    outcome.start = CEMV_START_D;
    outcome.online_response = CEMV_ONLINE_RESPONSE_ANY;
    (void)reply;
    return cemv_kernel_finish(kernel, &outcome, nothing, nothing);
}
static const struct cemv_kernel_module stayer = { .start = read_record, .reply = stayer_reply };

/* By the status word: the next application; a card that is presented once more; the issuer, with data, and an update.
 */
static enum cemv_step asker_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_NONE);
    const uint8_t last = reply->bytes.size ? reply->bytes.data[reply->bytes.size - 1] : 0xFF;
    outcome.start = CEMV_START_B;
    outcome.online_response = CEMV_ONLINE_RESPONSE_EMV_DATA;
    if (last == 0x82) {
        outcome.status = CEMV_OUTCOME_SELECT_NEXT;
        outcome.start = CEMV_START_C;
    } else if (last == 0x83) {
        outcome.status = CEMV_OUTCOME_TRY_AGAIN;
    } else if (cemv_kernel_activation(kernel).restarted) {
        outcome.status = CEMV_OUTCOME_END_APPLICATION;
        outcome.start = CEMV_START_NA;
    }
    return cemv_kernel_finish(kernel, &outcome, nothing, nothing);
}
static const struct cemv_kernel_module asker = { .start = read_record, .reply = asker_reply };

/* All of Entry Point's state, except the number of all presentments, which no decision uses. */
static uint64_t key(const struct cemv_session *s)
{
    const struct cemv_kernel *const kernel = &s->kernel;
    struct cemv_entry entry = s->entry;
    /* Collisions are counted before the first presentment; later their number only decides when they end. */
    if (entry.taps || entry.restarts) entry.collisions = 0;
    entry.taps = 0;
    memset(entry.candidates + entry.candidate_count, 0,
           (CEMV_MAX_CANDIDATES - entry.candidate_count) * sizeof entry.candidates[0]);
    uint64_t sum = kernel_walk_sum(SUM_EMPTY, &entry.allowed, sizeof entry - offsetof(struct cemv_entry, allowed));
    sum = kernel_walk_sum(sum, &kernel->random.used, 1);
    sum = kernel_walk_sum(sum, &s->answer_size, sizeof s->answer_size);
    sum = kernel_walk_sum(sum, &kernel->store.used, 4);
    return kernel_walk_sum(sum, kernel->store.arena, kernel->store.used);
}

static bool is_skipped(const struct cemv_session *session, const struct cemv_reply *reply)
{
    (void)session;
    (void)reply;
    return false;
}

static const char *violation(const struct cemv_session *session)
{
    const bool done = cemv_session_step(session) == CEMV_STEP_DONE;
    const cemv_bytes command = cemv_session_command(session);
    if (cemv_session_outcome(session).status == CEMV_OUTCOME_APPROVED) return "Entry Point approves nothing";
    if (done && cemv_session_taps(session) > 4u * (1 + CEMV_MAX_RESTARTS)) return "a card looped the reader";
    if (cemv_session_step(session) != CEMV_STEP_SEND || session->kernel_active) return NULL;
    return command.data[1] == 0xA4 || command.data[1] == 0x1A ? NULL : "a command that Entry Point does not know";
}

static bool walk_profile(struct kernel_walk *walk, uint8_t profile)
{
    static const uint8_t long_name[] = { 0xA0, 0, 0, 0, 3, 0x10, 0x10 };
    static const uint8_t short_name[] = { 0xF0, 0, 0, 0, 1 };
    static const uint8_t ttq[] = { 0x36, 0, 0xC0, 0x80 };
    static const uint8_t terminal[] = { 0x9F, 0x1A, 2, 0x02, 0x76, 0x9F, 0x35, 1, 0x22 };
    static const struct cemv_kernel_row kernels[] = { { { 3 }, 1, &asker, NULL },
                                                      { { 0x21 }, 1, &stayer, NULL },
                                                      { { 0x22 }, 1, &leaver, NULL } };
    static const struct cemv_limits limits = { .amount = { [CEMV_LIMIT_TRANSACTION] = 30000 },
                                               .present = 1 << CEMV_LIMIT_TRANSACTION };
    const struct cemv_combination rows[] = {
        { .aid = { long_name, sizeof long_name },
          .kernel_id = { 3 },
          .kernel_id_size = 1,
          .ttq = { ttq, sizeof ttq },
          .limits = limits },
        { .aid = { short_name, sizeof short_name }, .kernel_id = { 0x21 }, .kernel_id_size = 1, .limits = limits },
        { .aid = { short_name, sizeof short_name }, .kernel_id = { 0x22 }, .kernel_id_size = 1, .limits = limits },
    };
    const struct cemv_configuration configuration = {
        .terminal_data = { terminal, sizeof terminal },
        .combinations = rows,
        .combination_count = sizeof rows / sizeof rows[0],
        .kernels = kernels,
        .kernel_count = sizeof kernels / sizeof kernels[0],
        .protection = { .profile = profile, .max_taps = 2 },
    };
    /* The second is above every limit; the third gets its amount after the final SELECT. */
    const struct cemv_transaction sales[] = {
        { .amount = 1000, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 } },
        { .amount = 40000, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 } },
        { .amount = 1000,
          .currency = 0x0978,
          .exponent = 2,
          .date = { 0x26, 0x11, 0x21 },
          .amount_wait = &cemv_amount_wait },
    };
    const struct kernel_walk_setup setup = { .configuration = &configuration,
                                             .sales = sales,
                                             .sale_count = sizeof sales / sizeof sales[0],
                                             .responses = responses,
                                             .response_count = KERNEL_WALK_COUNT(responses),
                                             .replies = replies,
                                             .reply_count = KERNEL_WALK_COUNT(replies),
                                             .edges = &cemv_entry_edges,
                                             .violation = violation,
                                             .key = key,
                                             .skipped = is_skipped };
    return kernel_walk(walk, &setup);
}

int walk_entry(void)
{
    int bad = 0;
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_STRICT; profile++) {
        char title[] = "Entry Point, profile 0";
        struct kernel_walk walk = { .sessions = 0 };
        bad += !walk_profile(&walk, profile);
        for (size_t i = 0; i < CEMV_STATES_MAX; i++) bad += walk.entry_observed[i] != cemv_entry_edges.next[i];
        title[sizeof title - 2] = (char)('0' + profile);
        bad += kernel_walk_report(&walk, title);
    }
    return bad;
}
