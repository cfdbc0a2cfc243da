/* SPDX-License-Identifier: Apache-2.0 */
/* How a kernel ends: error indication, outcome, a card that cannot be used or has to come back (Book A, 6 and 7; Book
 * B, 3.5). Knows neither Entry Point nor the session: only the session reads the outcome. */
#include "kernel.h"

void cemv_error_set(struct cemv_outcome *outcome, uint8_t l1, uint8_t l2, uint16_t status_word)
{
    outcome->error_indication[0] = l1;
    outcome->error_indication[1] = l2;
    cemv_put_be16(outcome->error_indication + 3, status_word);
    outcome->error_indication[5] = outcome->ui_on_outcome_present ? outcome->ui_on_outcome.message : 0;
}

enum cemv_step cemv_finish(struct cemv_kernel *kernel)
{
    return cemv_output_finish(&kernel->out, kernel->row->module->edges);
}

enum cemv_step cemv_end(struct cemv_kernel *kernel, const struct cemv_outcome *outcome)
{
    kernel->out.outcome = *outcome;
    return cemv_finish(kernel);
}

struct cemv_outcome *cemv_outcome_begin(struct cemv_kernel *kernel, uint8_t status, uint8_t reason)
{
    kernel->out.outcome = cemv_outcome_of(status, reason);
    return &kernel->out.outcome;
}

enum cemv_step cemv_end_begun(struct cemv_kernel *kernel, uint8_t l1, uint8_t l2, uint16_t status_word)
{
    cemv_error_set(&kernel->out.outcome, l1, l2, status_word);
    return cemv_finish(kernel);
}

void cemv_outcome_say(struct cemv_kernel *kernel, uint8_t message, uint8_t status)
{
    struct cemv_outcome *const outcome = &kernel->out.outcome;
    cemv_outcome_show(outcome, message, status);
    cemv_ui_language(kernel, &outcome->ui_on_outcome);
}

/* A card whose data cannot be used. None of its data are handed on: records of a card that broke off would be
 * taken for those of a transaction. */
enum cemv_step cemv_end_card_fault(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2, uint16_t status_word)
{
    struct cemv_outcome *const outcome = cemv_outcome_begin(kernel, CEMV_OUTCOME_END_APPLICATION, reason);
    cemv_outcome_show(outcome, CEMV_MESSAGE_TRY_ANOTHER_CARD, CEMV_UI_PROCESSING_ERROR);
    kernel->out.record_size = 0;
    kernel->out.discretionary_size = 0;
    return cemv_end_begun(kernel, CEMV_L1_OK, l2, status_word);
}

uint8_t cemv_store_reason(enum cemv_store_error error)
{
    return error == CEMV_STORE_FULL ? CEMV_REASON_STORE_FULL : CEMV_REASON_CARD_DATA;
}

uint8_t cemv_store_l2(enum cemv_store_error error)
{
    return error == CEMV_STORE_MALFORMED ? CEMV_L2_PARSING_ERROR : CEMV_L2_CARD_DATA_ERROR;
}

enum cemv_step cemv_end_store(struct cemv_kernel *kernel, enum cemv_store_error error)
{
    return cemv_end_card_fault(kernel, cemv_store_reason(error), cemv_store_l2(error), 0);
}

enum cemv_step cemv_end_silent(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2, uint16_t status_word)
{
    (void)cemv_outcome_begin(kernel, CEMV_OUTCOME_END_APPLICATION, reason);
    return cemv_end_begun(kernel, CEMV_L1_OK, l2, status_word);
}

enum cemv_step cemv_end_select_next(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2, uint16_t status_word)
{
    cemv_outcome_begin(kernel, CEMV_OUTCOME_SELECT_NEXT, reason)->start = CEMV_START_C;
    return cemv_end_begun(kernel, CEMV_L1_OK, l2, status_word);
}

/* A fault of the link is not the card's: the holder has taken it away too early, or it lay badly. The transaction
 * starts again at polling and nothing is shown, because Entry Point asks for the card itself. */
enum cemv_step cemv_end_link(struct cemv_kernel *kernel, uint8_t l1)
{
    cemv_outcome_begin(kernel, CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_LINK)->start = CEMV_START_B;
    return cemv_end_begun(kernel, l1, CEMV_L2_OK, 0);
}

void cemv_outcome_ask_again(struct cemv_outcome *outcome, uint8_t message)
{
    outcome->start = CEMV_START_B;
    outcome->ui_on_restart_present = true;
    outcome->ui_on_restart = cemv_ui_of(message, CEMV_UI_READY_TO_READ);
}

/* The field goes off for as long as the message is to be read. A card left in the field would otherwise begin again
 * before its holder has looked at the device that wants something of him. */
void cemv_outcome_present_again(struct cemv_outcome *outcome, uint8_t message, uint8_t restart_message)
{
    cemv_outcome_ask_again(outcome, restart_message);
    outcome->field_off_100ms = CEMV_PRESENT_AGAIN_100MS;
    cemv_outcome_show(outcome, message, CEMV_UI_PROCESSING_ERROR);
    outcome->ui_on_outcome.hold_ms = 100 * CEMV_PRESENT_AGAIN_100MS;
}

void cemv_outcome_offer_update(const struct cemv_kernel *kernel, struct cemv_outcome *outcome)
{
    cemv_outcome_ask_again(outcome, CEMV_MESSAGE_PRESENT_AGAIN);
    outcome->online_response = CEMV_ONLINE_RESPONSE_EMV_DATA;
    cemv_ui_language(kernel, &outcome->ui_on_restart);
}

bool cemv_balance_read(cemv_bytes balance, uint64_t *amount)
{
    return balance.size == 6 && cemv_bcd_read(balance, amount);
}

void cemv_ui_balance(const struct cemv_kernel *kernel, struct cemv_ui_request *request, cemv_bytes balance)
{
    if (!cemv_balance_read(balance, &request->value)) return;
    request->value_qualifier = CEMV_VALUE_BALANCE;
    request->currency = kernel->transaction.currency;
}

uint8_t cemv_reply_decode(const struct cemv_reply *reply, cemv_bytes *body, uint16_t *status_word)
{
    if (reply->kind == CEMV_REPLY_TRANSMISSION) return CEMV_L1_TRANSMISSION;
    if (reply->kind == CEMV_REPLY_TIMEOUT) return CEMV_L1_TIMEOUT;
    return cemv_response_decode(reply->bytes, body, status_word) ? CEMV_L1_OK : CEMV_L1_PROTOCOL;
}
