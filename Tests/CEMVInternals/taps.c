/* SPDX-License-Identifier: Apache-2.0 */
/* Plays recorded taps and computes sums of their ends. See taps.h. */
#include "taps.h"
#include "../../Sources/CEMV/session/session.h"

/* ---- the card's answers ---- */

bool tap_same_command(cemv_bytes a, cemv_bytes b, bool header)
{
    if (a.size < 4 || b.size < 4) return false;
    if (header && a.data[1] != 0xA4) return __builtin_memcmp(a.data, b.data, 4) == 0;
    return a.size == b.size && __builtin_memcmp(a.data, b.data, a.size) == 0;
}

const struct recorded_reply *tap_answer(const struct recorded_tap *tap, size_t *next, cemv_bytes command)
{
    for (int header = 0; header < 2; header++)
        for (size_t i = 0; i < tap->reply_count; i++) {
            const size_t at = (*next + i) % tap->reply_count;
            const struct recorded_reply *reply = &tap->replies[at];
            if (reply->kind == CEMV_REPLY_RESPONSE && tap_same_command(reply->command, command, header != 0)) {
                *next = at + 1;
                return reply;
            }
        }
    return NULL;
}

/* ---- playing ---- */

static uint64_t sum_request(uint64_t sum, const struct cemv_ui_request *ui)
{
    const uint64_t numbers[] = { ui->message, ui->status, ui->hold_ms, ui->value_qualifier };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) sum = sum_number(sum, numbers[i]);
    if (ui->value_qualifier != CEMV_VALUE_NONE) sum = sum_number(sum_number(sum, ui->value), ui->currency);
    return sum_bytes(sum, ui->language, ui->language_size);
}

void tap_see(struct tap_bench *bench, const struct cemv_session *session)
{
    const enum cemv_step step = cemv_session_step(session);
    const cemv_bytes exchange = cemv_session_exchange(session);
    uint64_t sum = sum_number(bench->seen, step);
    for (size_t i = 0; i < cemv_session_ui_count(session); i++) {
        const struct cemv_ui_request ui = cemv_session_ui(session, i);
        sum = sum_request(sum, &ui);
    }
    sum = sum_bytes(sum, exchange.data, exchange.size);
    if (step == CEMV_STEP_POLL) {
        const struct cemv_poll poll = cemv_session_poll(session);
        sum = sum_number(sum_number(sum, poll.removal_first), poll.field_off_ms);
    } else if (step == CEMV_STEP_ASK) {
        const struct cemv_question question = cemv_session_question(session);
        sum = sum_number(sum_number(sum, question.kind), question.deadline_ms);
        sum = sum_bytes(sum, question.bytes.data, question.bytes.size);
    } else if (step == CEMV_STEP_SEND) {
        const cemv_bytes command = cemv_session_command(session);
        sum = sum_bytes(sum, command.data, command.size);
    }
    bench->seen = sum;
}

/* Everything that the driver can read at the end: the outcome, its requests, records and counts. */
void tap_describe(struct tap_bench *bench, const struct cemv_session *session)
{
    const struct cemv_outcome o = cemv_session_outcome(session);
    const cemv_bytes lists[] = { cemv_session_data_record(session),
                                 cemv_session_discretionary(session),
                                 cemv_session_df_name(session),
                                 { o.kernel_id, o.kernel_id_size },
                                 { o.error_indication, sizeof o.error_indication } };
    const uint64_t numbers[] = { cemv_session_step(session),
                                 o.status,
                                 o.start,
                                 o.online_response,
                                 o.cvm,
                                 o.alternate_interface,
                                 o.reason,
                                 o.receipt,
                                 o.ui_on_outcome_present,
                                 o.ui_on_restart_present,
                                 o.data_record_present,
                                 o.discretionary_present,
                                 o.removal_timeout_100ms,
                                 o.field_off_100ms,
                                 o.findings,
                                 cemv_session_taps(session),
                                 cemv_session_commands(session) };
    bench->end = bench->seen;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) bench->end = sum_number(bench->end, numbers[i]);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        bench->end = sum_bytes(sum_number(bench->end, lists[i].size), lists[i].data, lists[i].size);
    if (o.ui_on_outcome_present) bench->end = sum_request(bench->end, &o.ui_on_outcome);
    if (o.ui_on_restart_present) bench->end = sum_request(bench->end, &o.ui_on_restart);
    bench->status = o.status;
}

/* The store holds all data of the card except those that the outcome keeps, which are stored elsewhere. */
bool tap_is_wiped(const struct cemv_session *session)
{
    const uint8_t *store = (const uint8_t *)&session->kernel.store;
    for (size_t i = 0; i < sizeof session->kernel.store; i++)
        if (store[i]) return false;
    return true;
}

enum cemv_status tap_begin(const struct recorded_tap *tap, struct tap_bench *bench, struct cemv_session **session)
{
    struct cemv_config_error error;
    struct cemv_transaction sale = tap->transaction;
    if (!tap->keeps_memory) __builtin_memset(&bench->reader, 0, sizeof bench->reader);
    sale.reader = &bench->reader;
    bench->seen = SUM_EMPTY;
    bench->at = 0;
    return cemv_session_begin(bench->memory, sizeof bench->memory, tap->reader->checked, &sale, tap->random, session,
                              &error);
}

static bool equal(cemv_bytes a, cemv_bytes b)
{
    return a.size == b.size && (a.size == 0 || __builtin_memcmp(a.data, b.data, a.size) == 0);
}

enum tap_verdict tap_play(const struct recorded_tap *tap, struct tap_bench *bench)
{
    struct cemv_session *session;
    enum tap_verdict verdict = TAP_SAME;
    if (tap_begin(tap, bench, &session) != CEMV_OK) return TAP_NOT_BEGUN;
    tap_see(bench, session);
    for (; bench->at < tap->reply_count && verdict == TAP_SAME; bench->at++) {
        const struct recorded_reply *given = &tap->replies[bench->at];
        const struct cemv_reply reply = { .kind = given->kind,
                                          .elapsed_us = given->elapsed_us,
                                          .bytes = given->bytes,
                                          .unable_to_go_online = given->unable_to_go_online,
                                          .removal_timed_out = given->removal_timed_out,
                                          .pin_not_captured = given->pin_not_captured };
        const cemv_bytes command = cemv_session_command(session);
        if (!cemv_session_takes(session, reply.kind)) verdict = TAP_OTHER_STEP;
        else if (given->command.size && !equal(given->command, command)) verdict = TAP_OTHER_COMMAND;
        else cemv_session_reply(session, &reply), tap_see(bench, session);
    }
    tap_describe(bench, session);
    if (cemv_session_step(session) == CEMV_STEP_DONE && !tap_is_wiped(session)) verdict = TAP_NOT_WIPED;
    if (verdict == TAP_SAME && tap->end != bench->end) verdict = TAP_OTHER_END;
    cemv_session_wipe(session);
    return verdict;
}
