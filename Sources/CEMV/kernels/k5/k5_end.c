/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 5: the outcomes and their contents (Book C-5 v2.10, 3.12, Table C-1). Sends nothing; only the session reads an
 * outcome. */
#include "k5_memory.h"

enum { PROCESSING_ERROR_100MS = 13 };

/* Ends without a record -------------------------------------------------------------------------------------------- */

/* A recovery ends without another attempt; a sale continues with the next application. */
enum cemv_step k5_end_failed(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2, uint16_t status_word)
{
    return k5_memory_of(kernel)->recovering ? cemv_end_silent(kernel, reason, l2, status_word)
                                            : cemv_end_select_next(kernel, reason, l2, status_word);
}

enum cemv_step k5_end_store(struct cemv_kernel *kernel, enum cemv_store_error error)
{
    return k5_end_failed(kernel, cemv_store_reason(error), cemv_store_l2(error), 0);
}

static void show_on_restart(struct cemv_kernel *kernel, uint8_t message, uint8_t status)
{
    struct cemv_outcome *const outcome = &kernel->out.outcome;
    outcome->ui_on_restart_present = true;
    outcome->ui_on_restart = cemv_ui_of(message, status);
    cemv_ui_language(kernel, &outcome->ui_on_restart);
}

/* 3.12.8, 3.12.9: the card is presented again. The book calls both outcomes End Application, with Start B. */
static struct cemv_outcome *come_back(struct cemv_kernel *kernel, uint8_t message, uint8_t reason)
{
    struct cemv_outcome *const outcome = cemv_outcome_begin(kernel, CEMV_OUTCOME_END_APPLICATION, reason);
    outcome->start = CEMV_START_B;
    cemv_outcome_say(kernel, message, CEMV_UI_PROCESSING_ERROR);
    outcome->ui_on_outcome.hold_ms = 100 * PROCESSING_ERROR_100MS;
    show_on_restart(kernel, CEMV_MESSAGE_PRESENT_AGAIN, CEMV_UI_READY_TO_READ);
    return outcome;
}

enum cemv_step k5_end_link(struct cemv_kernel *kernel, uint8_t l1)
{
    (void)come_back(kernel, CEMV_MESSAGE_PRESENT_AGAIN, CEMV_REASON_LINK);
    return cemv_end_begun(kernel, l1, CEMV_L2_OK, 0);
}

enum cemv_step k5_end_see_phone(struct cemv_kernel *kernel, uint16_t status_word)
{
    come_back(kernel, CEMV_MESSAGE_SEE_PHONE, CEMV_REASON_CARD_STATUS)->field_off_100ms = PROCESSING_ERROR_100MS;
    return cemv_end_begun(kernel, CEMV_L1_OK, CEMV_L2_STATUS_BYTES, status_word);
}

/* 3.12.6: the card asks for the contact chip. */
enum cemv_step k5_end_other_interface(struct cemv_kernel *kernel, uint16_t status_word)
{
    cemv_outcome_begin(kernel, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_REASON_CARD_STATUS)->alternate_interface =
        CEMV_INTERFACE_CONTACT_CHIP;
    cemv_outcome_say(kernel, CEMV_MESSAGE_INSERT_CARD, CEMV_UI_READY_TO_READ);
    return cemv_end_begun(kernel, CEMV_L1_OK, CEMV_L2_STATUS_BYTES, status_word);
}

/* Records (Table C-1) ---------------------------------------------------------------------------------------------- */

/* An object that the card did not send is omitted, never sent empty (note 19). The record is written for declines too,
 * since Table C-1 contains it. */
static void put_record(struct cemv_kernel *kernel, uint8_t cvm)
{
    static const uint16_t slots[] = {
        CEMV_SLOT_9F02, CEMV_SLOT_9F03, CEMV_SLOT_9F26, CEMV_SLOT_82,   CEMV_SLOT_5F24, CEMV_SLOT_50, CEMV_SLOT_5A,
        CEMV_SLOT_5F34, CEMV_SLOT_9F36, CEMV_SLOT_9F08, CEMV_SLOT_5F20, CEMV_SLOT_9F34, CEMV_SLOT_84, CEMV_SLOT_9F27,
        K5_SLOT_9F6E,   CEMV_SLOT_9F10, K5_SLOT_9F7C,   CEMV_SLOT_9F24, CEMV_SLOT_9F1A, CEMV_SLOT_95, CEMV_SLOT_9F19,
        CEMV_SLOT_9F1F, CEMV_SLOT_57,   CEMV_SLOT_5F2A, CEMV_SLOT_9A,   CEMV_SLOT_9F21, CEMV_SLOT_9C, CEMV_SLOT_9F37,
    };
    struct cemv_output *out = &kernel->out;
    struct cemv_writer writer = cemv_writer_open(out->records, sizeof out->records);
    uint8_t results[3];
    k5_cvm_results(cvm, results);
    (void)k5_put_results(kernel);
    (void)cemv_value_put(kernel, CEMV_SLOT_9F34, results, sizeof results);
    cemv_store_export_all(&kernel->store, slots, sizeof slots / sizeof slots[0], &writer);
    out->record_size = (uint16_t)cemv_writer_finish(&writer).size;
}

/* The message, with the balance of the accepted response. */
static void show_result(struct cemv_kernel *kernel, uint8_t message)
{
    const struct k5_answer answer = k5_read_answer(cemv_span_bytes(&kernel->store, k5_memory_of(kernel)->answer));
    cemv_outcome_say(kernel, message, CEMV_UI_CARD_READ);
    cemv_ui_balance(kernel, &kernel->out.outcome.ui_on_outcome, answer.object[K5_BALANCE]);
}

/* Ends with one ---------------------------------------------------------------------------------------------------- */

/* 3.12.5: a decline has a record but no cardholder verification. */
enum cemv_step k5_end_declined(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2)
{
    (void)cemv_outcome_begin(kernel, CEMV_OUTCOME_DECLINED, reason);
    show_result(kernel, CEMV_MESSAGE_NOT_AUTHORISED);
    put_record(kernel, CEMV_CVM_NA);
    return cemv_end_begun(kernel, CEMV_L1_OK, l2, 0);
}

/* 3.12.3, 3.12.4: waits for the issuer. The card either stays in the field (Start D) or is presented again (Start B),
 * as it has asked. The data for the restart are kept in the kernel's memory, the record in its place. */
static void await_issuer(struct cemv_kernel *kernel, uint8_t update)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    struct cemv_outcome *const outcome = &kernel->out.outcome;
    const cemv_bytes atc = cemv_value(kernel, CEMV_SLOT_9F36);
    if (update == K5_UPDATE_HOLD) {
        outcome->start = CEMV_START_D;
        outcome->online_response = CEMV_ONLINE_RESPONSE_ANY;
        show_on_restart(kernel, CEMV_MESSAGE_PROCESSING, CEMV_UI_PROCESSING);
        outcome->ui_on_outcome.status = CEMV_UI_PROCESSING;
        outcome->removal_timeout_100ms = k5_options_of(kernel)->removal_timeout;
    } else {
        cemv_outcome_offer_update(kernel, outcome);
    }
    cemv_copy(memory->atc, atc.data, sizeof memory->atc); /* every ARQC has a counter */
    memory->record_size = kernel->out.record_size;
    k5_prepare_second(kernel);
}

static uint8_t approval_message(uint8_t cvm)
{
    return cvm == CEMV_CVM_SIGNATURE ? CEMV_MESSAGE_APPROVED_SIGN : CEMV_MESSAGE_APPROVED;
}

enum cemv_step k5_end_decided(struct cemv_kernel *kernel, bool online, uint8_t cvm, uint8_t update, uint8_t reason)
{
    struct cemv_outcome *const outcome =
        cemv_outcome_begin(kernel, online ? CEMV_OUTCOME_ONLINE_REQUEST : CEMV_OUTCOME_APPROVED, reason);
    const uint8_t waiting = cvm == CEMV_CVM_ONLINE_PIN ? CEMV_MESSAGE_ENTER_PIN : CEMV_MESSAGE_AUTHORISING;
    k5_memory_of(kernel)->cvm = outcome->cvm = cvm;
    outcome->receipt = !online;
    show_result(kernel, online ? waiting : approval_message(cvm));
    put_record(kernel, cvm);
    if (update == K5_UPDATE_HOLD || update == K5_UPDATE_TWO) await_issuer(kernel, update);
    return cemv_finish(kernel);
}

/* After an update: 3.10.4 ------------------------------------------------------------------------------------------ */

/* The record of the first outcome is written again, object by object, with the values that have changed. The store of
 * the first presentment no longer exists, so that record is the only source of its data. */

/* The current value of an object of the first record (3.10.4.5): from the second response if it has the object. */
static cemv_bytes value_now(const struct k5_answer *answer, const struct cemv_tlv *object, cemv_bytes tvr,
                            cemv_bytes results)
{
    const enum k5_object place = k5_object_of(object->tag);
    if (object->tag == CEMV_TAG_95_TERMINAL_VERIFICATION_RESULTS) return tvr;
    if (object->tag == CEMV_TAG_9F34_CVM_RESULTS && results.size != 0) return results;
    return place < K5_OBJECTS && k5_has(answer, place) ? answer->object[place] : object->value;
}

static void put_record_again(struct cemv_kernel *kernel, bool declined)
{
    const struct k5_memory *memory = k5_memory_of(kernel);
    const struct k5_answer answer = k5_read_answer(cemv_span_bytes(&kernel->store, memory->answer));
    struct cemv_output *out = &kernel->out;
    struct cemv_writer writer = cemv_writer_open(out->records, sizeof out->records);
    struct cemv_tlv_cursor cursor = cemv_tlv_open(cemv_span_bytes(&kernel->store, memory->first));
    struct cemv_tlv object;
    uint8_t tvr[5], results[3];
    cemv_rules_bits_put(tvr, memory->tvr);
    k5_cvm_results(CEMV_CVM_NA, results);
    while (cemv_tlv_next(&cursor, &object))
        cemv_writer_put_tlv(&writer, object.tag,
                            value_now(&answer, &object, (cemv_bytes){ tvr, sizeof tvr },
                                      (cemv_bytes){ results, declined ? sizeof results : 0 }));
    out->record_size = (uint16_t)cemv_writer_finish(&writer).size;
}

enum cemv_step k5_end_update(struct cemv_kernel *kernel, uint8_t status)
{
    const struct k5_memory *memory = k5_memory_of(kernel);
    const bool declined = status != CEMV_OUTCOME_APPROVED;
    struct cemv_outcome *const outcome = cemv_outcome_begin(kernel, status, CEMV_REASON_KERNEL);
    if (!declined) { /* the issuer has checked an online PIN (3.10.4.3) */
        outcome->cvm = memory->cvm == CEMV_CVM_ONLINE_PIN ? CEMV_CVM_NA : memory->cvm;
        outcome->receipt = true;
    }
    show_result(kernel, declined ? CEMV_MESSAGE_NOT_AUTHORISED : approval_message(outcome->cvm));
    put_record_again(kernel, declined);
    return cemv_finish(kernel);
}
