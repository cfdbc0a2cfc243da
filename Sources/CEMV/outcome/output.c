/* SPDX-License-Identifier: Apache-2.0 */
/* The data that a step returns from the engine: command, request, messages, records, outcome; and the check that a
 * transition is one of the declared edges (DESIGN.md, section 4). This is the only file that writes a state. Knows no
 * kernel. Outcomes: Book A, 6 and 7.
 *
 * Every kernel declares in a table which state may follow which. The engine compares each step with that table, because
 * the card chooses much of the input: if a card found a way to a state that nobody intended, the transaction would end
 * here instead of continuing. */
#include "outcome.h"

#ifdef CEMV_TRAP_EDGES
#define CEMV_EDGE_VIOLATION() compiler_trap()
#else
#define CEMV_EDGE_VIOLATION() ((void)0)
#endif

/* All parameters begin as "not applicable", so that an outcome contains only deliberate settings. */
struct cemv_outcome cemv_outcome_of(uint8_t status, uint8_t reason)
{
    struct cemv_outcome outcome = {
        .status = status,
        .start = CEMV_START_NA,
        .online_response = CEMV_ONLINE_RESPONSE_NA,
        .cvm = CEMV_CVM_NA,
        .alternate_interface = CEMV_INTERFACE_NA,
        .field_off_100ms = CEMV_FIELD_OFF_NA,
        .reason = reason,
    };
    return outcome;
}

struct cemv_ui_request cemv_ui_of(uint8_t message, uint8_t status)
{
    struct cemv_ui_request request = { .message = message, .status = status };
    return request;
}

void cemv_outcome_show(struct cemv_outcome *outcome, uint8_t message, uint8_t status)
{
    outcome->ui_on_outcome = cemv_ui_of(message, status);
    outcome->ui_on_outcome_present = true;
}

/* The queue of messages is bounded; a message that does not fit is dropped, because a display must never stop a
 * payment. */
bool cemv_output_show(struct cemv_output *out, const struct cemv_ui_request *request)
{
    if (out->ui_count >= CEMV_MAX_UI_REQUESTS) return false;
    out->ui[out->ui_count++] = *request;
    return true;
}

/* Without a table nothing is checked: a user's kernel may omit it. */
static bool edge_allowed(const struct cemv_output *out, const struct cemv_edges *edges, unsigned to)
{
    return !edges || (edges->next[out->state] >> to & 1u) != 0;
}

/* Records written before are dropped: a failed transaction must not return data as if it were complete. */
void cemv_output_end(struct cemv_output *out, uint8_t reason, bool show)
{
    out->outcome = cemv_outcome_of(CEMV_OUTCOME_END_APPLICATION, reason);
    if (show) cemv_outcome_show(&out->outcome, CEMV_MESSAGE_TRY_ANOTHER_CARD, CEMV_UI_READY_TO_READ);
    out->record_size = 0;
    out->discretionary_size = 0;
}

/* A kernel that breaks its contract has a fault, and nothing that it reports can be relied on: the outcome is replaced
 * by one that approves nothing. Builds with sanitizers stop here. */
enum cemv_step cemv_output_fail(struct cemv_output *out)
{
    CEMV_EDGE_VIOLATION();
    cemv_output_end(out, CEMV_REASON_INTERNAL, true);
    out->exchange_size = 0;
    out->finished = true;
    out->step = CEMV_STEP_DONE;
    return CEMV_STEP_DONE;
}

/* The only place where a state begins. State 0 precedes the first step, and no step leads back to it. */
static enum cemv_step wait(struct cemv_output *out, const struct cemv_edges *edges, uint8_t state, enum cemv_step step)
{
    if (state == 0 || state >= CEMV_STATES_MAX || !edge_allowed(out, edges, state)) return cemv_output_fail(out);
    out->state = state;
    out->step = (uint8_t)step;
    return step;
}

/* The command is encoded here, so that the caller's data may be temporary. */
enum cemv_step cemv_output_send(struct cemv_output *out, const struct cemv_edges *edges, uint8_t state,
                                const struct cemv_command *command)
{
    cemv_bytes encoded = cemv_command_encode(command, out->command, sizeof out->command);
    if (!encoded.size) return cemv_output_fail(out);
    out->command_size = (uint16_t)encoded.size;
    out->commands++;
    return wait(out, edges, state, CEMV_STEP_SEND);
}

enum cemv_step cemv_output_publish(struct cemv_output *out, const struct cemv_edges *edges, uint8_t state)
{
    return wait(out, edges, state, CEMV_STEP_WORK);
}

/* A question uses the command's buffer, since no command is sent in that step. */
enum cemv_step cemv_output_ask(struct cemv_output *out, const struct cemv_edges *edges, uint8_t state, uint8_t kind,
                               cemv_bytes question, uint32_t deadline_ms)
{
    if (question.size > sizeof out->command) return cemv_output_fail(out);
    if (question.size) cemv_copy(out->command, question.data, question.size);
    out->command_size = (uint16_t)question.size;
    out->question_kind = kind;
    out->question_running = false;
    out->deadline_ms = deadline_ms;
    return wait(out, edges, state, CEMV_STEP_ASK);
}

enum cemv_step cemv_output_ask_further(struct cemv_output *out)
{
    out->question_running = true;
    out->step = CEMV_STEP_ASK;
    return CEMV_STEP_ASK;
}

enum cemv_step cemv_output_poll(struct cemv_output *out, const struct cemv_edges *edges, uint8_t state,
                                struct cemv_poll poll)
{
    out->poll = poll;
    return wait(out, edges, state, CEMV_STEP_POLL);
}

enum cemv_step cemv_output_finish(struct cemv_output *out, const struct cemv_edges *edges)
{
    if (!edge_allowed(out, edges, 0)) return cemv_output_fail(out);
    out->exchange_size = 0;
    out->finished = true;
    out->step = CEMV_STEP_DONE;
    return CEMV_STEP_DONE;
}
