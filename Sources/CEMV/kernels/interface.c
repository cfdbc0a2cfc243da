/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of include/cemv_kernel.h, for third-party kernels and the built-in ones: how a kernel sends, asks,
 * publishes and finishes. Knows no particular kernel. */
#include "kernel.h"

static const cemv_bytes nothing = { NULL, 0 };

/* A copy of the data that a kernel may know, made on request: kernels of third parties see this and never the struct
 * behind it, which can change with each version. */
struct cemv_activation cemv_kernel_activation(const struct cemv_kernel *kernel)
{
    struct cemv_activation activation = {
        .start = kernel->start,
        .restarted = kernel->restarted,
        .df_name = { kernel->df_name, kernel->df_name_size },
        .aid = kernel->combination->aid,
        .fci = cemv_span_bytes(&kernel->store, kernel->fci),
        .status_word = kernel->status_word,
        .indicators = kernel->indicators,
        .combination = kernel->combination,
        .transaction = &kernel->transaction,
        .online_response_present = kernel->online_response_present,
        .unable_to_go_online = kernel->unable_to_go_online,
        .pin_entry = kernel->pin_entry,
        .removal_timed_out = kernel->removal_timed_out,
        .online_response = cemv_span_bytes(&kernel->store, kernel->online),
    };
    cemv_copy(activation.unpredictable_number, kernel->unpredictable_number, sizeof activation.unpredictable_number);
    return activation;
}

cemv_bytes cemv_kernel_terminal_data(const struct cemv_kernel *kernel, uint32_t tag)
{
    const uint16_t slot = cemv_slot_of(kernel->store.tags, tag);
    if (cemv_store_provenance(&kernel->store, slot) != CEMV_FROM_TERMINAL) return nothing;
    return cemv_value(kernel, slot);
}

bool cemv_kernel_build_dol(const struct cemv_kernel *kernel, cemv_bytes dol, uint8_t *out, size_t capacity,
                           size_t *size)
{
    return cemv_store_build_dol(&kernel->store, dol, false, out, capacity, size);
}

/* A larger memory is behind the session, whose last member is the kernel. */
void *cemv_kernel_memory(struct cemv_kernel *kernel)
{
    return kernel->row->module->memory_size <= sizeof kernel->memory ? (void *)kernel->memory : (void *)(kernel + 1);
}

void *cemv_kernel_context(const struct cemv_kernel *kernel) { return kernel->row->context; }
const void *cemv_kernel_options(const struct cemv_kernel *kernel) { return kernel->combination->options; }

/* Fewer requests than the output holds, since Entry Point and session add theirs. */
bool cemv_kernel_show(struct cemv_kernel *kernel, const struct cemv_ui_request *request)
{
    const bool has_room = kernel->out.ui_count < CEMV_MAX_KERNEL_UI_REQUESTS;
    if (has_room) (void)cemv_output_show(&kernel->out, request);
    return has_room;
}

bool cemv_is_configured(const struct cemv_configuration *configuration, size_t row, uint32_t tag)
{
    struct cemv_tlv object;
    return cemv_list_find(configuration->combinations[row].data, tag, &object) ||
           cemv_list_find(configuration->terminal_data, tag, &object);
}

bool cemv_are_configured(const struct cemv_configuration *configuration, size_t row, const uint32_t *tags, size_t count,
                         uint32_t *missing)
{
    for (size_t i = 0; i < count; i++) {
        *missing = tags[i];
        if (!cemv_is_configured(configuration, row, tags[i])) return false;
    }
    *missing = 0;
    return true;
}

void cemv_kernel_note(const struct cemv_kernel *kernel, uint32_t clause, uint64_t value)
{
    const struct cemv_log *const log = kernel->transaction.log;
    const struct cemv_state state = { kernel->row, kernel->out.state };
    if (log != NULL) log->note(log->context, state, clause, value);
}

static const struct cemv_edges *edges_of(const struct cemv_kernel *kernel) { return kernel->row->module->edges; }

enum cemv_step cemv_kernel_send(struct cemv_kernel *kernel, uint8_t state, const struct cemv_command *command)
{
    return cemv_output_send(&kernel->out, edges_of(kernel), state, command);
}

enum cemv_step cemv_kernel_ask(struct cemv_kernel *kernel, uint8_t state, cemv_bytes question, uint32_t deadline_ms)
{
    return cemv_output_ask(&kernel->out, edges_of(kernel), state, CEMV_ASK_KERNEL, question, deadline_ms);
}

enum cemv_step cemv_kernel_publish(struct cemv_kernel *kernel, uint8_t state)
{
    return cemv_output_publish(&kernel->out, edges_of(kernel), state);
}

uint8_t cemv_kernel_state(const struct cemv_kernel *kernel) { return kernel->out.state; }

static bool is_status(uint8_t status)
{
    switch ((enum cemv_outcome_status)status) {
    case CEMV_OUTCOME_APPROVED:
    case CEMV_OUTCOME_DECLINED:
    case CEMV_OUTCOME_ONLINE_REQUEST:
    case CEMV_OUTCOME_REQUEST_ONLINE_PIN:
    case CEMV_OUTCOME_END_APPLICATION:
    case CEMV_OUTCOME_SELECT_NEXT:
    case CEMV_OUTCOME_TRY_ANOTHER_INTERFACE:
    case CEMV_OUTCOME_TRY_AGAIN: return true;
    case CEMV_OUTCOME_NONE: break;
    }
    return false;
}

static bool is_start(uint8_t start)
{
    switch ((enum cemv_start)start) {
    case CEMV_START_A:
    case CEMV_START_B:
    case CEMV_START_C:
    case CEMV_START_D:
    case CEMV_START_NA: return true;
    }
    return false;
}

/* Without its record an approval cannot be booked, and a request cannot be sent to the issuer. */
static bool needs_record(uint8_t status)
{
    return status == CEMV_OUTCOME_APPROVED || status == CEMV_OUTCOME_ONLINE_REQUEST ||
           status == CEMV_OUTCOME_REQUEST_ONLINE_PIN;
}

/* Both records are kept, or neither: the issuer could not recognise a record that was cut off. */
enum cemv_step cemv_kernel_finish(struct cemv_kernel *kernel, const struct cemv_outcome *outcome,
                                  cemv_bytes data_record, cemv_bytes discretionary)
{
    struct cemv_output *out = &kernel->out;
    const bool fits = data_record.size <= sizeof out->records &&
                      discretionary.size <= sizeof out->records - data_record.size;

    const bool readable = !fits || (cemv_tlv_is_list(data_record) && cemv_tlv_is_list(discretionary));

    if (!is_status(outcome->status) || !is_start(outcome->start) || !readable) return cemv_output_fail(out);
    out->outcome = *outcome;
    out->record_size = fits ? (uint16_t)data_record.size : 0;
    out->discretionary_size = fits ? (uint16_t)discretionary.size : 0;
    if (fits) {
        cemv_copy(out->records, data_record.data, data_record.size);
        cemv_copy(out->records + data_record.size, discretionary.data, discretionary.size);
    } else if (needs_record(outcome->status)) {
        cemv_output_end(out, CEMV_REASON_STORE_FULL, true);
    } else {
        out->outcome.reason = CEMV_REASON_STORE_FULL;
    }
    return cemv_finish(kernel);
}
