/* SPDX-License-Identifier: Apache-2.0 */
/* The session: one transaction in the caller's memory, and the functions that drive it.
 *
 * A driver calls cemv_session_begin(), does what cemv_session_step() asks for, and hands the result to
 * cemv_session_reply(), until the step is DONE or PARKED. A reply goes to Entry Point or, while one is active, to the
 * kernel. Both end with an outcome, and process_outcome() decides how to continue (Book B, 3.5): with the next
 * application, another tap, the end, or a parked session that waits for the issuer's answer or a PIN. resume() then
 * begins again at the start that the outcome names (Book A, 8.1.1).
 *
 * All memory is the session's: there is no pointer into itself, so that memcpy makes a copy that runs on by itself.
 * Knows no kernel by name and does no I/O. */
#include "session.h"

static struct cemv_output *output(struct cemv_session *s) { return &s->kernel.out; }

/* For the log of Entry Point's and the kernel's doings: without a log it costs a comparison. */
kernel_noinline static void write_note(const struct cemv_session *s, uint32_t clause)
{
    const struct cemv_log *const log = s->kernel.transaction.log;
    const struct cemv_output *const out = &s->kernel.out;
    const uint32_t end = (uint32_t)out->outcome.status << 8 | out->outcome.reason;
    const uint32_t value = clause == CEMV_NOTE_ENDS ? end : out->step;
    log->note(log->context, cemv_session_state(s), clause, value);
}
static inline void note(const struct cemv_session *s, uint32_t clause)
{
    if (s->kernel.transaction.log != NULL) write_note(s, clause);
}

/* Memory ----------------------------------------------------------------------------------------------------------- */

/* Card data are wiped as soon as nothing needs them: whenever a session parks or ends, not only when it is freed. */

/* Card data, keys and random bytes go; outcome, records and counters stay until the next begin. The whole arena: an
 * earlier presentment and a response that was rolled back reached further than `used` says. */
static void wipe_working_data(struct cemv_session *s)
{
    struct cemv_output *out = output(s);
    const size_t exported = (size_t)out->record_size + out->discretionary_size;
    cemv_wipe(&s->kernel.store, sizeof s->kernel.store);
    cemv_wipe(s->kernel.unpredictable_number, sizeof s->kernel.unpredictable_number);
    cemv_wipe(out->command, sizeof out->command);
    cemv_wipe(out->records + exported, sizeof out->records - exported);
    s->answer_size = 0;
    output(s)->command_size = 0;
}

static void wipe_memory(struct cemv_kernel *kernel)
{
    cemv_wipe(kernel->memory, sizeof kernel->memory);
    const size_t further = kernel->checked->further_memory;
    if (further != 0) cemv_wipe(kernel + 1, further);
}

/* A finished session holds nothing in its store any more: done() wiped all of it. */
void cemv_session_wipe(struct cemv_session *session)
{
    if (!session) return;
    const bool begun = session->magic == CEMV_SESSION_MAGIC;
    const bool finished = begun && output(session)->step == CEMV_STEP_DONE;
    if (begun && !finished) {
        wipe_memory(&session->kernel);
        cemv_recovery_drop(session->kernel.transaction.reader);
    }
    cemv_wipe(session,
              finished ? offsetof(struct cemv_session, kernel) + offsetof(struct cemv_kernel, store) : sizeof *session);
}

/* Activation, Book B 3.4 ------------------------------------------------------------------------------------------- */

/* The final SELECT has chosen a combination. Before its kernel starts, the store is filled with all terminal data in
 * the order of their precedence, and an unpredictable number is drawn. */

static void put_number(struct cemv_store *store, uint16_t slot, size_t size, uint64_t number)
{
    uint8_t bcd[8];
    if (cemv_bcd_write(bcd, size, number))
        (void)cemv_store_put(store, slot, (cemv_bytes){ bcd, size }, CEMV_FROM_TERMINAL);
}

static void put_amounts(struct cemv_kernel *kernel)
{
    put_number(&kernel->store, CEMV_SLOT_9F02, 6, kernel->transaction.amount);
    put_number(&kernel->store, CEMV_SLOT_9F03, 6, kernel->transaction.amount_other);
}

/* The combination's own data: its AID, unless one is configured (9F06, Book C-3, Table A-1), and the Terminal
 * Floor Limit, which is 9F1B (Book A, Table 5-2) and has four bytes there. */
static void put_combination(struct cemv_kernel *kernel)
{
    const struct cemv_combination *combination = kernel->combination;
    const uint64_t amount = combination->limits.amount[CEMV_LIMIT_TERMINAL_FLOOR];
    const uint32_t floor = amount > UINT32_MAX ? UINT32_MAX : (uint32_t)amount;
    uint8_t limit[4];
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F06))
        (void)cemv_store_put(&kernel->store, CEMV_SLOT_9F06, combination->aid, CEMV_FROM_TERMINAL);
    if (!(combination->limits.present >> CEMV_LIMIT_TERMINAL_FLOOR & 1u)) return;
    cemv_put_be16(limit, (uint16_t)(floor >> 16));
    cemv_put_be16(limit + 2, (uint16_t)floor);
    (void)cemv_store_put(&kernel->store, CEMV_SLOT_9F1B, (cemv_bytes){ limit, sizeof limit }, CEMV_FROM_TERMINAL);
}

/* A list of the configuration, prepared when that was checked: then it is one copy, and no object is looked at. */
static bool load_list(struct cemv_store *store, const struct cemv_checked *checked, cemv_bytes list,
                      struct cemv_prepared prepared)
{
    if (prepared.count == 0) return cemv_store_put_list(store, list, CEMV_FROM_TERMINAL) == CEMV_STORE_OK;
    return cemv_store_load_list(store, list, checked->entries + prepared.first, prepared.count);
}

/* Terminal, combination, transaction: the later wins. */
static bool load_terminal_data(struct cemv_session *s)
{
    struct cemv_kernel *kernel = &s->kernel;
    struct cemv_store *store = &kernel->store;
    const struct cemv_transaction *transaction = &kernel->transaction;
    uint8_t currency[2];

    kernel->work = 0;
    const struct cemv_checked *checked = kernel->checked;
    const size_t row = (size_t)(kernel->row - checked->configuration.kernels);
    cemv_store_clear(store, &checked->tags[row], kernel->row->module->reading);
    store->reserved = s->answer_size;
    const size_t combination = (size_t)(kernel->combination - checked->configuration.combinations);
    if (!load_list(store, checked, checked->configuration.terminal_data, checked->terminal[row])) return false;
    if (!load_list(store, checked, kernel->combination->data, checked->combinations[combination])) return false;
    cemv_bytes poi = checked->configuration.poi_information;
    if (poi.size) (void)cemv_store_put(store, CEMV_SLOT_8B, poi, CEMV_FROM_TERMINAL);
    if (cemv_store_put_list(store, transaction->data, CEMV_FROM_TERMINAL)) return false;
    put_amounts(kernel);
    put_number(store, CEMV_SLOT_9F41, 4, transaction->counter);
    (void)cemv_store_put(store, CEMV_SLOT_9A, (cemv_bytes){ transaction->date, 3 }, CEMV_FROM_TERMINAL);
    (void)cemv_store_put(store, CEMV_SLOT_9F21, (cemv_bytes){ transaction->time, 3 }, CEMV_FROM_TERMINAL);
    (void)cemv_store_put_u8(store, CEMV_SLOT_9C, transaction->type);
    (void)cemv_store_put_u8(store, CEMV_SLOT_5F36, transaction->exponent);
    cemv_put_be16(currency, transaction->currency);
    put_combination(kernel);
    return cemv_store_put(store, CEMV_SLOT_5F2A, (cemv_bytes){ currency, 2 }, CEMV_FROM_TERMINAL);
}

enum cemv_step cemv_session_end_now(struct cemv_session *s, uint8_t reason, bool show)
{
    s->kernel_active = false;
    return cemv_entry_end(output(s), reason, show);
}

/* The next activation after a torn one is another kernel's: there is nothing to recover any more. */
static void forget_recovery_of_others(const struct cemv_kernel *kernel)
{
    struct cemv_reader_memory *reader = kernel->transaction.reader;
    if (reader != NULL && reader->recovery.kernel != cemv_kernel_number(kernel)) cemv_recovery_drop(reader);
}

/* An unpredictable number for the activation. If none can be drawn, returns false and the next step in `step`. One that
 * was seen before in this transaction means that the source is stuck, and outside profile `book` ends it (attacks.md,
 * A21). */
static bool draw_number(struct cemv_session *s, enum cemv_step *step)
{
    struct cemv_kernel *kernel = &s->kernel;
    uint8_t number[4];

    if (!cemv_random_draw(&kernel->random, number)) {
        cemv_bytes nothing = { NULL, 0 };
        *step = cemv_output_ask(output(s), &cemv_entry_edges, E_WAIT_RANDOM, CEMV_ASK_RANDOM, nothing, 0);
        return false;
    }
    if (cemv_random_seen(&kernel->random, number)) {
        cemv_finding_add(kernel, CEMV_FINDING_RNG_SUSPECT);
        if (cemv_protection_of(kernel)->profile != CEMV_PROFILE_BOOK) {
            *step = cemv_session_end_now(s, CEMV_REASON_RANDOM, true);
            return false;
        }
    }
    cemv_copy(kernel->unpredictable_number, number, sizeof number);
    (void)cemv_store_put(&kernel->store, CEMV_SLOT_9F37, (cemv_bytes){ number, sizeof number }, CEMV_FROM_TERMINAL);
    return true;
}

/* A module must end each call with one of the four functions of cemv_kernel.h, which set the step. The step is cleared
 * before the call, so that a module which forgets it ends the transaction instead of repeating its last step for ever.
 */
static void expect_step(struct cemv_session *s) { output(s)->step = CEMV_STEP_NONE; }
static enum cemv_step expected_step(struct cemv_session *s)
{
    const enum cemv_step step = (enum cemv_step)output(s)->step;
    return step != CEMV_STEP_NONE ? step : cemv_output_fail(output(s));
}

/* Starts the kernel. The issuer's answer lies at the end of the arena, behind all that the kernel will store. */
static enum cemv_step activate(struct cemv_session *s)
{
    struct cemv_kernel *kernel = &s->kernel;
    enum cemv_step step = CEMV_STEP_NONE;

    const bool draws_itself = (kernel->row->module->reading & CEMV_READING_DRAWS_ITSELF) != 0;
    if (!draws_itself && !draw_number(s, &step)) return step;
    if (kernel->indicators.ttq_present)
        (void)cemv_store_put_tag(&kernel->store, CEMV_TAG_9F66_TERMINAL_TRANSACTION_QUALIFIERS,
                                 (cemv_bytes){ kernel->indicators.ttq, 4 });

    kernel->start = s->start;
    kernel->online_response_present = s->entry.answered;
    kernel->unable_to_go_online = s->unable_to_go_online;
    kernel->removal_timed_out = s->removal_timed_out;
    kernel->pin_entry = s->pin_entry;
    kernel->online = (struct cemv_span){ (uint16_t)(CEMV_STORE_ARENA - s->answer_size), s->answer_size };
    output(s)->outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
    output(s)->record_size = 0;
    output(s)->discretionary_size = 0;
    output(s)->state = 0; /* a kernel begins there, and Entry Point continues there when it has ended */
    s->kernel_active = true;
    forget_recovery_of_others(kernel);
    expect_step(s);
    (void)kernel->row->module->start(kernel);
    return expected_step(s);
}

/* The combination and name of the activation before. */
static bool is_same_application(const struct cemv_kernel *kernel, const struct cemv_candidate *candidate)
{
    return kernel->combination == &kernel->checked->configuration.combinations[candidate->row] &&
           kernel->df_name_size == candidate->name_size &&
           cemv_memcmp(kernel->df_name, candidate->name, candidate->name_size) == 0;
}

/* Reported where an older kernel runs in the place of Kernel 8; true if the protection refuses it. */
static bool refuses_fallback(struct cemv_session *s)
{
    const struct cemv_protection *protection = cemv_protection_of(&s->kernel);
    if (!cemv_candidate_falls_back(&s->entry)) return false;
    cemv_finding_add(&s->kernel, CEMV_FINDING_KERNEL_FALLBACK);
    return cemv_rule_of(protection, protection->kernel_fallback, CEMV_RULE_REPORT, CEMV_RULE_ENFORCE) ==
           CEMV_RULE_ENFORCE;
}

/* The final SELECT was answered: everything the kernel gets is gathered here, before a number is drawn for it. */
static enum cemv_step prepare_kernel(struct cemv_session *s, cemv_bytes fci)
{
    struct cemv_kernel *kernel = &s->kernel;
    const struct cemv_candidate *candidate = &s->entry.candidates[s->entry.selected];
    const struct cemv_combination *combination = &kernel->checked->configuration.combinations[candidate->row];

    const bool asks = kernel->transaction.amount_wait != NULL && !s->entry.answered;
    if (asks) {
        kernel->transaction.amount = s->amount;
        kernel->transaction.amount_other = s->amount_other;
    }
    kernel->restarted = is_same_application(kernel, candidate);
    if (!kernel->restarted) wipe_memory(kernel);
    kernel->combination = combination;
    kernel->row = cemv_kernel_row_of(&kernel->checked->configuration, combination);
    if (refuses_fallback(s)) return cemv_session_end_not_allowed(s, CEMV_REASON_PROTECTION);
    kernel->indicators = cemv_entry_indicators(&kernel->checked->configuration, combination, &kernel->transaction);
    kernel->df_name_size = candidate->name_size;
    cemv_copy(kernel->df_name, candidate->name, candidate->name_size);
    kernel->status_word = CEMV_SW_OK; /* any other is no activation (3.3.3.5) */
    if (!load_terminal_data(s) || !cemv_store_keep(&kernel->store, fci, &kernel->fci))
        return cemv_session_end_now(s, CEMV_REASON_STORE_FULL, true);
    cemv_fci_read(kernel);
    if (kernel->transaction.presented != NULL) kernel->transaction.presented->by->select(kernel);
    return asks ? kernel->transaction.amount_wait->ask(s) : activate(s);
}

enum cemv_step cemv_session_amounts_changed(struct cemv_session *s)
{
    put_amounts(&s->kernel);
    return activate(s);
}

/* No combination, or not the one selected, allows the transaction (3.1.1.13). */
enum cemv_step cemv_session_end_not_allowed(struct cemv_session *s, uint8_t reason)
{
    struct cemv_outcome *outcome = &output(s)->outcome;
    cemv_output_end(output(s), reason, false); /* with nothing of a kernel that ended before */
    outcome->status = CEMV_OUTCOME_TRY_ANOTHER_INTERFACE;
    cemv_outcome_show(outcome, CEMV_MESSAGE_INSERT_OR_SWIPE, CEMV_UI_PROCESSING_ERROR);
    return cemv_output_finish(output(s), &cemv_entry_edges);
}

/* Outcome processing, Book B 3.5 ----------------------------------------------------------------------------------- */

/* Every outcome comes through here, Entry Point's own included. */

static void finish_outcome(struct cemv_session *s)
{
    struct cemv_outcome *outcome = &output(s)->outcome;
    if (s->entry.candidates_dropped) cemv_finding_add(&s->kernel, CEMV_FINDING_CANDIDATES_DROPPED);
    s->kernel.findings |= outcome->findings; /* third-party kernels have no other way to report */
    outcome->findings = s->kernel.findings;
    outcome->data_record_present = output(s)->record_size != 0;
    outcome->discretionary_present = output(s)->discretionary_size != 0;
    if (s->kernel_active) {
        outcome->kernel_id_size = s->kernel.combination->kernel_id_size;
        cemv_copy(outcome->kernel_id, s->kernel.combination->kernel_id, outcome->kernel_id_size);
        if (outcome->reason == CEMV_REASON_NONE) outcome->reason = CEMV_REASON_KERNEL;
    } else {
        s->kernel.df_name_size = 0; /* Entry Point's own outcomes speak of no application */
    }
    if (outcome->ui_on_outcome_present) (void)cemv_output_show(output(s), &outcome->ui_on_outcome); /* 3.5.1.1 */
}

/* Of a final outcome only, for the rest of the transaction (A 8.1.1.19-20). */
static void retain(struct cemv_session *s)
{
    const struct cemv_outcome *outcome = &output(s)->outcome;
    s->entry.restart_ui_present = outcome->ui_on_restart_present;
    s->entry.restart_ui = outcome->ui_on_restart;
}

/* Field Off Request (3.5.1.2); no request is no change of the field (Book A, Table 6-2). */
static uint32_t field_off_ms(const struct cemv_outcome *outcome)
{
    return outcome->field_off_100ms == CEMV_FIELD_OFF_NA ? CEMV_FIELD_KEEP : outcome->field_off_100ms * 100u;
}

/* PARKED keeps the kernel's memory, for an activation that continues where it was, and DONE keeps only the outcome and
 * the records, which the caller may still query. */
static enum cemv_step done(struct cemv_session *s, enum cemv_step step)
{
    output(s)->finished = false;
    output(s)->step = (uint8_t)step;
    output(s)->state = step == CEMV_STEP_PARKED ? E_PARKED : 0;
    wipe_working_data(s);
    if (step == CEMV_STEP_DONE) {
        cemv_wipe(&s->kernel.random, sizeof s->kernel.random);
        wipe_memory(&s->kernel);
        cemv_recovery_drop(s->kernel.transaction.reader);
    }
    return step;
}

/* The restarts are used up: the outcome is kept as it is, without its restart. */
static enum cemv_step refuse_restart(struct cemv_session *s)
{
    struct cemv_outcome *outcome = &output(s)->outcome;
    outcome->start = CEMV_START_NA;
    outcome->ui_on_restart_present = false;
    if (outcome->status == CEMV_OUTCOME_END_APPLICATION) {
        outcome->reason = CEMV_REASON_TOO_MANY_TAPS;
        if (!s->entry.decided) {
            cemv_outcome_show(outcome, CEMV_MESSAGE_TRY_ANOTHER_CARD, CEMV_UI_READY_TO_READ);
            (void)cemv_output_show(output(s), &outcome->ui_on_outcome);
        }
    }
    return done(s, CEMV_STEP_DONE);
}

/* 3.5.1.3: the card is requested again, as often as the protection allows; a card must not be able to keep a reader
 * busy. */
static enum cemv_step try_again(struct cemv_session *s)
{
    const struct cemv_outcome *outcome = &output(s)->outcome;
    const struct cemv_ui_request *own = outcome->ui_on_restart_present ? &outcome->ui_on_restart : NULL;
    if (s->start == CEMV_START_C || s->start == CEMV_START_D) s->start = CEMV_START_B;
    if (s->entry.attempts >= s->entry.max_taps)
        return cemv_entry_end(output(s), CEMV_REASON_TOO_MANY_TAPS, !s->entry.decided);
    return cemv_entry_start_b(&s->entry, output(s), field_off_ms(outcome), false, own);
}

/* One outcome; more follow when a restart ends at once. Once there is an issuer's answer, every restart passes it again
 * to the combination that asked: a kernel never mistakes a second presentment for a first (attacks.md, A29). */
static enum cemv_step process_outcome(struct cemv_session *s)
{
    const struct cemv_outcome *outcome = &output(s)->outcome;
    const uint8_t status = outcome->status;
    const bool parks = status == CEMV_OUTCOME_ONLINE_REQUEST || status == CEMV_OUTCOME_REQUEST_ONLINE_PIN;

    finish_outcome(s);
    note(s, CEMV_NOTE_ENDS);
    if (s->kernel_active) output(s)->state = 0;
    s->kernel_active = false;
    output(s)->finished = false;
    if (status == CEMV_OUTCOME_SELECT_NEXT) { /* 3.5.1.4 */
        s->kernel.combination = NULL;
        return cemv_entry_start_c(&s->entry, output(s), outcome->reason);
    }
    if (status == CEMV_OUTCOME_TRY_AGAIN) return try_again(s); /* 3.5.1.3 */
    if (outcome->start == CEMV_START_NA || !(parks || status == CEMV_OUTCOME_END_APPLICATION))
        return done(s, CEMV_STEP_DONE); /* 3.5.1.5 */
    if (s->entry.restarts++ >= CEMV_MAX_RESTARTS) return refuse_restart(s);
    retain(s);
    if (parks) return done(s, CEMV_STEP_PARKED);
    s->start = CEMV_START_B; /* A 8.1.1.23 */
    s->entry.attempts = 0;
    return cemv_entry_start_b(&s->entry, output(s), field_off_ms(outcome), true, NULL);
}

/* Carries on until something is asked of the driver. Bounded: each round consumes a candidate, a tap or a restart. */
kernel_noinline static void process_outcomes(struct cemv_session *s)
{
    do {
        (void)process_outcome(s);
    } while (output(s)->finished);
}
static inline enum cemv_step settle(struct cemv_session *s)
{
    if (output(s)->finished) process_outcomes(s);
    note(s, CEMV_NOTE_WAITS);
    return (enum cemv_step)output(s)->step;
}

/* Replies ---------------------------------------------------------------------------------------------------------- */

/* A reply that does not belong to the step changes nothing: a driver may be late or confused, and the session stays
 * where it is. */

static bool takes_while_polling(uint8_t state, uint8_t kind)
{
    if (kind == CEMV_REPLY_DEADLINE || kind == CEMV_REPLY_TIMEOUT || kind == CEMV_REPLY_TRANSMISSION ||
        kind == CEMV_REPLY_PROTOCOL)
        return state != E_WAIT_REMOVAL || kind == CEMV_REPLY_DEADLINE;
    if (state == E_WAIT_CARD) return kind == CEMV_REPLY_CARD || kind == CEMV_REPLY_COLLISION;
    if (state == E_WAIT_CLEAR) return kind == CEMV_REPLY_COLLISION_CLEARED || kind == CEMV_REPLY_COLLISION;
    return kind == CEMV_REPLY_REMOVED;
}

/* STOP and ABANDON are possible at any time before the end; everything else belongs to one step. */
bool cemv_session_takes(const struct cemv_session *session, uint8_t kind)
{
    const struct cemv_output *out = &session->kernel.out;
    if (session->magic != CEMV_SESSION_MAGIC) return false;
    if (kind == CEMV_REPLY_ABANDON) return out->step < CEMV_STEP_DONE;
    if (kind == CEMV_REPLY_STOP) return out->step < CEMV_STEP_PARKED; /* the last two steps, in that order */
    switch ((enum cemv_step)out->step) {
    case CEMV_STEP_POLL: return takes_while_polling(out->state, kind);
    case CEMV_STEP_SEND:
        if (kind == CEMV_REPLY_DATA) return session->kernel_active && session->kernel.row->module->data != NULL;
        return (kind >= CEMV_REPLY_RESPONSE && kind <= CEMV_REPLY_PROTOCOL) || kind == CEMV_REPLY_REMOVED;
    case CEMV_STEP_ASK: return kind == CEMV_REPLY_DATA || kind == CEMV_REPLY_DEADLINE;
    case CEMV_STEP_WORK: return kind == CEMV_REPLY_CONTINUE;
    case CEMV_STEP_PARKED: return kind == CEMV_REPLY_ONLINE || kind == CEMV_REPLY_PIN;
    case CEMV_STEP_NONE:
    case CEMV_STEP_DONE: break;
    }
    return false;
}

static bool brings_issuer_data(cemv_bytes answer)
{
    struct cemv_tlv object;
    return cemv_tlv_find(answer, 0x91, &object) || cemv_tlv_find(answer, 0x71, &object) ||
           cemv_tlv_find(answer, 0x72, &object);
}

/* More than there is room for: cut it would be another answer. */
static bool is_too_long(const struct cemv_reply *reply)
{
    const bool unable = reply->kind == CEMV_REPLY_ONLINE && reply->unable_to_go_online;
    return !unable && reply->bytes.size > CEMV_MAX_ISSUER_DATA;
}

/* Book A 8.1.1.22 and 8.1.1.24. Anything without a restart leaves the parked outcome as the final one. */
static enum cemv_step resume(struct cemv_session *s, const struct cemv_reply *reply)
{
    uint8_t start = output(s)->outcome.start, condition = output(s)->outcome.online_response;
    cemv_bytes answer = reply->bytes;
    const bool unable = reply->kind == CEMV_REPLY_ONLINE && reply->unable_to_go_online;
    /* Only the kernel checks the content of a script; a bad one does not invalidate the other objects. */
    if (unable || !cemv_tlv_is_list(answer)) answer.size = 0;
    bool issuer_data = brings_issuer_data(answer);

    bool awaited = condition == CEMV_ONLINE_RESPONSE_ANY || (condition == CEMV_ONLINE_RESPONSE_EMV_DATA && issuer_data);
    if (!awaited) return done(s, CEMV_STEP_DONE);
    s->answer_size = (uint16_t)answer.size;
    if (answer.size) cemv_copy(s->kernel.store.arena + CEMV_STORE_ARENA - answer.size, answer.data, answer.size);
    cemv_entry_answered(&s->entry, issuer_data, reply->kind == CEMV_REPLY_ONLINE && !unable);
    s->unable_to_go_online = unable;
    s->pin_entry = CEMV_PIN_ENTRY_NONE;
    if (reply->kind == CEMV_REPLY_PIN)
        s->pin_entry = reply->pin_not_captured ? CEMV_PIN_ENTRY_NOT_CAPTURED : CEMV_PIN_ENTRY_CAPTURED;
    s->removal_timed_out = reply->removal_timed_out;
    s->start = start;
    if ((start == CEMV_START_C || start == CEMV_START_D) && s->entry.restart_ui_present)
        (void)cemv_output_show(output(s), &s->entry.restart_ui);
    if (start == CEMV_START_C) return cemv_entry_select(&s->entry, output(s));
    if (start == CEMV_START_D) {
        s->kernel.restarted = true;
        s->kernel.fci.size = 0;
        s->kernel.pdol.size = 0;
        s->kernel.language_size = 0;
        s->kernel.status_word = 0;
        if (!load_terminal_data(s)) return cemv_session_end_now(s, CEMV_REASON_STORE_FULL, true);
        return activate(s);
    }
    return cemv_entry_start_b(&s->entry, output(s), CEMV_FIELD_KEEP, false, NULL);
}

static enum cemv_step stopped(struct cemv_session *s, uint8_t reason)
{
    s->kernel_active = false;
    cemv_output_end(output(s), reason, false);
    output(s)->outcome.findings = s->kernel.findings;
    return done(s, CEMV_STEP_DONE);
}

/* Entry Point's states. It does not activate kernels: it says that the final SELECT was good, and the response to it is
 * decoded once more for the FCI. */
static enum cemv_step answer_entry(struct cemv_session *s, const struct cemv_reply *reply)
{
    cemv_bytes body;
    uint16_t status_word;

    if (output(s)->state == E_WAIT_RANDOM) {
        if (reply->kind != CEMV_REPLY_DATA || reply->bytes.size < 4)
            return cemv_session_end_now(s, CEMV_REASON_RANDOM, true);
        cemv_random_fill(&s->kernel.random, reply->bytes);
        return activate(s);
    }
    if (output(s)->state == E_WAIT_AMOUNT) return s->kernel.transaction.amount_wait->answered(s, reply);
    enum cemv_step step = cemv_entry_reply(&s->entry, &s->kernel.transaction, output(s), reply);
    if (!s->entry.activate) return step;
    s->entry.activate = false;
    if (!cemv_response_decode(reply->bytes, &body, &status_word))
        return cemv_session_end_now(s, CEMV_REASON_INTERNAL, true);
    return prepare_kernel(s, body);
}

/* A response a kernel may see, or the link fault that it amounts to (attacks.md, R10). */
static struct cemv_reply as_kernels_see_it(const struct cemv_reply *reply)
{
    struct cemv_reply seen = *reply;
    if (reply->kind == CEMV_REPLY_REMOVED) seen.kind = CEMV_REPLY_TIMEOUT;
    else if (reply->kind == CEMV_REPLY_RESPONSE && (reply->bytes.size < 2 || reply->bytes.size > CEMV_MAX_RESPONSE))
        seen.kind = CEMV_REPLY_PROTOCOL;
    if (seen.kind != CEMV_REPLY_RESPONSE && seen.kind != CEMV_REPLY_DATA) seen.bytes = (cemv_bytes){ NULL, 0 };
    return seen;
}

/* A kernel may decide whether it can be stopped, and the message then. If it ignores the stop, state and messages stay
 * as they are. */
static enum cemv_step stop(struct cemv_session *s)
{
    struct cemv_output *out = output(s);
    const uint8_t shown = out->ui_count;
    const uint16_t exchanged = out->exchange_size;
    out->ui_count = 0;
    out->exchange_size = 0;
    if (!s->kernel_active || !s->kernel.row->module->stop) return stopped(s, CEMV_REASON_STOPPED);
    (void)s->kernel.row->module->stop(&s->kernel);
    if (!out->finished) {
        out->ui_count = shown;
        out->exchange_size = exchanged;
    }
    return settle(s);
}

/* The one way in. Messages and data exchange of the last step go with it; unsolicited data change no step, so they keep
 * them. */
enum cemv_step cemv_session_reply(struct cemv_session *session, const struct cemv_reply *reply)
{
    if (!cemv_session_takes(session, reply->kind)) return cemv_session_step(session);
    const bool answers = reply->kind == CEMV_REPLY_ONLINE || reply->kind == CEMV_REPLY_PIN;
    if (answers && is_too_long(reply)) return cemv_session_step(session);
    if (reply->kind == CEMV_REPLY_DATA && output(session)->step != CEMV_STEP_ASK) {
        session->kernel.row->module->data(&session->kernel, reply->bytes);
        return cemv_session_step(session);
    }
    if (reply->kind == CEMV_REPLY_STOP) return stop(session);
    output(session)->ui_count = 0;
    output(session)->exchange_size = 0;
    if (reply->kind == CEMV_REPLY_ABANDON) {
        if (session->kernel_active && session->kernel.row->module->abandon)
            session->kernel.row->module->abandon(&session->kernel);
        if (output(session)->step == CEMV_STEP_PARKED) (void)done(session, CEMV_STEP_DONE);
        else (void)stopped(session, CEMV_REASON_ABANDONED);
    } else if (output(session)->step == CEMV_STEP_PARKED) {
        (void)resume(session, reply);
    } else if (session->kernel_active) {
        struct cemv_reply seen = as_kernels_see_it(reply);
        expect_step(session);
        (void)session->kernel.row->module->reply(&session->kernel, &seen);
        (void)expected_step(session);
        struct cemv_presented *const presented = session->kernel.transaction.presented;
        if (presented != NULL) presented->by->read(&session->kernel);
    } else {
        (void)answer_entry(session, reply);
    }
    return settle(session);
}

/* While the card computes, the reader may too: certificates whose bytes are there are verified ahead. That changes when
 * the work is done, and no outcome. */
bool cemv_session_has_work(const struct cemv_session *session)
{
    const bool sending = session->magic == CEMV_SESSION_MAGIC && session->kernel.out.step == CEMV_STEP_SEND;
    if (!sending || !session->kernel_active) return false;
    const struct cemv_kernel_module *const module = session->kernel.row->module;
    return module->precompute_due ? module->precompute_due(&session->kernel) : cemv_oda_has_work(&session->kernel);
}

bool cemv_session_work(struct cemv_session *session)
{
    if (!cemv_session_has_work(session)) return false;
    const struct cemv_kernel_module *const module = session->kernel.row->module;
    return module->precompute ? module->precompute(&session->kernel) : cemv_oda_work(&session->kernel);
}

/* Start A ---------------------------------------------------------------------------------------------------------- */

/* Pre-processing, and the first request for a card. */

static enum cemv_step start(struct cemv_session *s)
{
    bool taken = cemv_entry_preprocess(&s->entry, &s->kernel.transaction);
    if (s->entry.allowed) return cemv_entry_start_b(&s->entry, output(s), CEMV_FIELD_KEEP, false, NULL);
    return cemv_session_end_not_allowed(s, taken ? CEMV_REASON_NOT_ALLOWED : CEMV_REASON_NO_COMBINATION);
}

/* The long buffers need no zeros: each has its size, the kernel's memory is cleared for the first kernel, and the store
 * when data come. */
static void begin_empty(struct cemv_session *s)
{
    cemv_zero(s, offsetof(struct cemv_session, entry));
    cemv_zero(&s->entry, offsetof(struct cemv_entry, candidates));
    cemv_zero(&s->kernel, offsetof(struct cemv_kernel, out));
    cemv_zero(output(s), offsetof(struct cemv_output, command));
    s->kernel.store.used = 0;
}

/* What every use of it relies on; the caller's memory may hold anything. */
static bool reader_is_sound(const struct cemv_reader_memory *reader)
{
    if (!reader) return true;
    if (reader->torn_count > CEMV_TORN_RECORDS || reader->failed_magstripe > CEMV_MAX_FAILED_MAGSTRIPE) return false;
    if (reader->seen_next >= CEMV_SEEN_KEYS) return false;
    for (size_t i = 0; i < reader->torn_count; i++)
        if (reader->torn[i].size > CEMV_TORN_RECORD_CAPACITY) return false;
    return reader->recovery.size <= CEMV_RECOVERY_CAPACITY;
}

size_t cemv_session_size(const struct cemv_checked *checked)
{
    return sizeof(struct cemv_session) + checked->further_memory;
}

/* Nothing is written to the session's memory before everything is checked. `*session` is NULL until then: memory that
 * is used again still holds the last transaction's outcome, which must not pass for this one's. */
enum cemv_status cemv_session_begin(void *memory, size_t size, const struct cemv_checked *checked,
                                    const struct cemv_transaction *transaction, cemv_bytes random,
                                    struct cemv_session **session, struct cemv_config_error *error)
{
    struct cemv_session *s = memory;
    *session = NULL;
    *error = (struct cemv_config_error){ .section = CEMV_SECTION_TRANSACTION, .field = CEMV_FIELD_MEMORY };
    if (!memory || size < cemv_session_size(checked) || (uintptr_t)memory % CEMV_ALIGNMENT) return CEMV_NO_MEMORY;
    enum cemv_status status = cemv_transaction_check(transaction, checked, error);
    if (status) return status;
    error->field = CEMV_FIELD_RANDOM;
    if (random.size < 4) return CEMV_NO_RANDOM;
    error->field = CEMV_FIELD_READER_MEMORY;
    if (!reader_is_sound(transaction->reader)) return CEMV_BAD_VALUE;

    begin_empty(s);
    cemv_recovery_drop(transaction->reader);
    s->magic = CEMV_SESSION_MAGIC;
    s->kernel.checked = checked;
    s->kernel.transaction = *transaction;
    s->amount = transaction->amount;
    s->amount_other = transaction->amount_other;
    s->start = transaction->start_b ? CEMV_START_B : CEMV_START_A;
    s->entry.configuration = &checked->configuration;
    s->entry.preferred = transaction->preferred;
    s->entry.presented = transaction->presented;
    s->entry.max_taps = checked->configuration.protection.max_taps ? checked->configuration.protection.max_taps : 3;
    cemv_random_fill(&s->kernel.random, random);
    output(s)->outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
    (void)start(s);
    (void)settle(s);
    *session = s;
    *error = (struct cemv_config_error){ 0 };
    return CEMV_OK;
}

/* Queries ---------------------------------------------------------------------------------------------------------- */

/* Details of the present step and of the outcome. */

bool cemv_session_set_reader(struct cemv_session *session, struct cemv_reader_memory *reader)
{
    const bool sound = reader_is_sound(reader);
    session->kernel.transaction.reader = sound ? reader : NULL;
    return sound;
}

void cemv_session_set_presented(struct cemv_session *session, struct cemv_presented *presented)
{
    session->kernel.transaction.presented = presented;
}

void cemv_session_set_log(struct cemv_session *session, const struct cemv_log *log)
{
    session->kernel.transaction.log = log;
}

enum cemv_step cemv_session_step(const struct cemv_session *session)
{
    return (enum cemv_step)session->kernel.out.step;
}
struct cemv_state cemv_session_state(const struct cemv_session *session)
{
    return (struct cemv_state){ session->kernel_active ? session->kernel.row : NULL, session->kernel.out.state };
}
uint32_t cemv_session_taps(const struct cemv_session *session) { return session->entry.taps; }
uint32_t cemv_session_commands(const struct cemv_session *session) { return session->kernel.out.commands; }
struct cemv_outcome cemv_session_outcome(const struct cemv_session *session) { return session->kernel.out.outcome; }
struct cemv_poll cemv_session_poll(const struct cemv_session *session)
{
    const struct cemv_output *out = &session->kernel.out;
    return out->step == CEMV_STEP_POLL ? out->poll : (struct cemv_poll){ false, CEMV_FIELD_KEEP };
}

uint32_t cemv_session_field_off(const struct cemv_session *session)
{
    const struct cemv_output *out = &session->kernel.out;
    if (out->step == CEMV_STEP_POLL) return out->poll.field_off_ms;
    return out->step < CEMV_STEP_PARKED ? CEMV_FIELD_KEEP : field_off_ms(&out->outcome);
}

size_t cemv_session_ui_count(const struct cemv_session *session) { return session->kernel.out.ui_count; }

cemv_bytes cemv_session_command(const struct cemv_session *session)
{
    return (cemv_bytes){ session->kernel.out.command,
                         session->kernel.out.step == CEMV_STEP_SEND ? session->kernel.out.command_size : 0u };
}

struct cemv_question cemv_session_question(const struct cemv_session *session)
{
    const struct cemv_output *out = &session->kernel.out;
    if (out->step != CEMV_STEP_ASK) return (struct cemv_question){ 0 };
    return (struct cemv_question){ .kind = out->question_kind,
                                   .running = out->question_running,
                                   .deadline_ms = out->deadline_ms,
                                   .bytes = { out->command, out->command_size } };
}

struct cemv_ui_request cemv_session_ui(const struct cemv_session *session, size_t index)
{
    const struct cemv_output *out = &session->kernel.out;
    return index < out->ui_count ? out->ui[index] : cemv_ui_of(CEMV_MESSAGE_CLEAR_DISPLAY, CEMV_UI_STATUS_NA);
}

cemv_bytes cemv_session_exchange(const struct cemv_session *session)
{
    return (cemv_bytes){ session->kernel.out.records, session->kernel.out.exchange_size };
}

cemv_bytes cemv_session_data_record(const struct cemv_session *session)
{
    return (cemv_bytes){ session->kernel.out.records, session->kernel.out.record_size };
}

cemv_bytes cemv_session_discretionary(const struct cemv_session *session)
{
    const struct cemv_output *out = &session->kernel.out;
    return (cemv_bytes){ out->records + out->record_size, out->discretionary_size };
}

cemv_bytes cemv_session_df_name(const struct cemv_session *session)
{
    return (cemv_bytes){ session->kernel.df_name, session->kernel.df_name_size };
}
