/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2 (Mastercard): the dialogue with the card, and the kernel's module.
 *
 * In EMV mode the reader first collects all data of the card, decides, and then asks for one cryptogram with GENERATE
 * AC. The card can only lower the requested type. In mag-stripe mode COMPUTE CRYPTOGRAPHIC CHECKSUM replaces GENERATE
 * AC, and the digits of its answer are written into the card's tracks. A tap passes these steps; a name in brackets is
 * a state or procedure of the kernel's state charts:
 *
 *   k2_start, ask_pdol_data                   data exchange is opened, terminal data for the PDOL [S1, S2]
 *   ask_gpo, got_gpo                          GET PROCESSING OPTIONS; EMV or mag-stripe mode [S3]
 *   ask_relay, got_relay                      relay resistance, if card and reader support it [R1]
 *   start_reading, ask_next                   GET DATA and READ RECORD until all is read [S3R1, S4, S5, S456]
 *   reading_done                              the terminal may hold the kernel back before the first write [S6]
 *   check_mandatory_data, prepare_cryptogram  amount, limit, mandatory data, CDA, balance [S456, S16]
 *   ask_cryptogram                            restrictions, cardholder verification, risk, action analysis [S456]
 *   ask_recovery_or_ac, ask_ac                PUT DATA, RECOVER AC or GENERATE AC [S12, S9, S10, S11]
 *   check_ac, check_signature                 the card's answer, its signature (CDA), the balance [S17, S910]
 *   conclude, end_valid                       PUT DATA after the cryptogram, the outcome [S15, S910]
 *   ask_magstripe_record to end_magstripe     mag-stripe mode [S7, S8, S78, S13, S14]
 *
 * Activation, GET PROCESSING OPTIONS, relay resistance and mag-stripe mode are at the end of this file. Start there,
 * then continue with the section "Reading", from where EMV mode is in the order of the transaction.
 *
 * Three services run through the whole tap: data exchange with the terminal, data storage on the card (IDS, and the
 * lists of objects to write), and the recovery of a cryptogram that was lost in an earlier tap.
 *
 * [S456.12-20] means steps 12 to 20 of procedure S456, which states 4, 5 and 6 share. A number such as 4.12 is a rule
 * of Conformance/book-c2.md, which also states the sources: Book C-2 itself was not available. "Beyond the book"
 * introduces rules against attacks that profile `book` turns off (Conformance/attacks.md). The decisions are pure
 * functions in k2_rules.c; the other files of this directory collect their inputs. This file knows neither Entry Point
 * nor the session. */
#include "k2.h"

/* Sets of states that several states lead to. */
enum {
    FIRST_AC = CEMV_TO(K2_S9_WAIT_AC) | CEMV_TO(K2_S10_WAIT_RECOVERY),
    AFTER_READING = FIRST_AC | CEMV_TO(K2_S12_WAIT_PUT_DATA) | CEMV_TO(K2_S16_WAIT_BALANCE),
    CHECKSUM = CEMV_TO(K2_S13_WAIT_CHECKSUM) | CEMV_TO(K2_S14_WAIT_CHECKSUM),
    AFTER_AC = CEMV_TO(K2_S910_WAIT_CARD_READ) | CEMV_TO(K2_S15_WAIT_PUT_DATA),
    READING = CEMV_TO(K2_S4_WAIT_RECORD) | CEMV_TO(K2_S5_WAIT_GET_DATA),
    ANSWERING = CEMV_TO(K2_WAIT_ANSWERS_SENT),
};
/* Which state may follow which; state 0 is the activation. Almost every state can end the tap, and several lead back to
 * themselves, because records, GET DATA and PUT DATA are repeated. */
static const struct cemv_edges edges = {
    .next = {
        [0] = CEMV_TO(K2_S2_WAIT_PDOL_DATA) | CEMV_TO(K2_S3_WAIT_GPO) | CEMV_END,
        [K2_S2_WAIT_PDOL_DATA] = CEMV_TO(K2_S2_WAIT_PDOL_DATA) | CEMV_TO(K2_S3_WAIT_GPO) | CEMV_END,
        [K2_S3_WAIT_GPO] =
            CEMV_TO(K2_WAIT_RANDOM) | CEMV_TO(K2_R1_WAIT_RELAY) | READING | CEMV_TO(K2_S7_WAIT_RECORD) | CEMV_END,
        [K2_R1_WAIT_RELAY] = CEMV_TO(K2_R1_WAIT_RELAY) | CEMV_TO(K2_WAIT_RANDOM) | READING | CEMV_END,
        [K2_WAIT_RANDOM] = CEMV_TO(K2_WAIT_RANDOM) | CEMV_TO(K2_R1_WAIT_RELAY) | CHECKSUM | CEMV_END,
        [K2_S4_WAIT_RECORD] = READING | CEMV_TO(K2_S6_WAIT_FIRST_WRITE) | ANSWERING | AFTER_READING | CEMV_END,
        [K2_S5_WAIT_GET_DATA] = READING | CEMV_TO(K2_S6_WAIT_FIRST_WRITE) | ANSWERING | CEMV_END,
        [K2_S6_WAIT_FIRST_WRITE] =
            CEMV_TO(K2_S5_WAIT_GET_DATA) | CEMV_TO(K2_S6_WAIT_FIRST_WRITE) | ANSWERING | AFTER_READING | CEMV_END,
        [K2_WAIT_ANSWERS_SENT] = ANSWERING | AFTER_READING | CEMV_TO(K2_WAIT_RANDOM) | CHECKSUM | CEMV_END,
        [K2_S16_WAIT_BALANCE] = FIRST_AC | CEMV_TO(K2_S12_WAIT_PUT_DATA) | CEMV_END,
        [K2_S12_WAIT_PUT_DATA] = FIRST_AC | CEMV_TO(K2_S12_WAIT_PUT_DATA) | CEMV_END,
        [K2_S9_WAIT_AC] = CEMV_TO(K2_S17_WAIT_BALANCE) | AFTER_AC | CEMV_END,
        [K2_S10_WAIT_RECOVERY] = CEMV_TO(K2_S11_WAIT_AC) | CEMV_TO(K2_S17_WAIT_BALANCE) | AFTER_AC | CEMV_END,
        [K2_S11_WAIT_AC] = CEMV_TO(K2_S17_WAIT_BALANCE) | AFTER_AC | CEMV_END,
        [K2_S17_WAIT_BALANCE] = AFTER_AC | CEMV_END,
        [K2_S910_WAIT_CARD_READ] = CEMV_TO(K2_S15_WAIT_PUT_DATA) | CEMV_END,
        [K2_S15_WAIT_PUT_DATA] = CEMV_TO(K2_S15_WAIT_PUT_DATA) | CEMV_END,
        [K2_S7_WAIT_RECORD] =
            CEMV_TO(K2_S7_WAIT_RECORD) | CEMV_TO(K2_S8_WAIT_FIRST_WRITE) | ANSWERING | CEMV_TO(K2_WAIT_RANDOM) |
            CHECKSUM | CEMV_END,
        [K2_S8_WAIT_FIRST_WRITE] =
            CEMV_TO(K2_S8_WAIT_FIRST_WRITE) | ANSWERING | CEMV_TO(K2_WAIT_RANDOM) | CHECKSUM | CEMV_END,
        [K2_S13_WAIT_CHECKSUM] = CEMV_TO(K2_WAIT_BACK_OFF) | CEMV_END,
        [K2_S14_WAIT_CHECKSUM] = CEMV_TO(K2_WAIT_BACK_OFF) | CEMV_END,
        [K2_WAIT_BACK_OFF] = CEMV_END,
    },
};

static const cemv_bytes nothing = { NULL, 0 };

/* The end ---------------------------------------------------------------------------------------------------------- */

/* The outcome is begun with the activation, and steps on the way set CVM, receipt and field-off time in it. An end adds
 * status, reason, start and messages, and finish() adds the records. */

/* DF812D, the message hold time, counts in units of 100 ms; the default is 1.3 s. */
static uint32_t hold_ms(const struct cemv_kernel *kernel)
{
    const cemv_bytes value = cemv_value(kernel, K2_SLOT_DF812D);
    uint64_t hold = 13;
    if (value.size == 3) (void)cemv_bcd_read(value, &hold);
    return (uint32_t)hold * 100;
}

/* Message and status for the card's DF4B from the phone message table, DF8131, or from the default table (2.4). A phone
 * uses DF4B to explain why it needs another tap. */
static struct cemv_ui_request phone_request(const struct cemv_kernel *kernel)
{
    const cemv_bytes configured = cemv_value(kernel, K2_SLOT_DF8131);
    const cemv_bytes table = k2_phone_table_ok(configured) ? configured
                                                           : (cemv_bytes){ k2_phone_table, sizeof k2_phone_table };
    const struct k2_phone_message found = k2_phone_message(table, cemv_value(kernel, K2_SLOT_DF4B));
    struct cemv_ui_request request = cemv_ui_of(found.message, found.status);
    request.hold_ms = hold_ms(kernel);
    return request;
}

/* Completes the outcome. A CVM, receipt or field-off time that a step has set stays, because the charts initialise
 * these parameters only once, at activation (KS.2, 1.7). */
static struct cemv_outcome *outcome_ended(struct cemv_kernel *kernel, uint8_t status, uint8_t reason)
{
    struct cemv_outcome *const outcome = &kernel->out.outcome;
    outcome->status = status;
    outcome->reason = reason;
    return outcome;
}

static void set_error(struct cemv_kernel *kernel, uint8_t l1, uint8_t l2, uint16_t status_word)
{
    uint8_t *const error = kernel->out.outcome.error_indication;
    error[0] = l1;
    error[1] = l2;
    cemv_put_be16(error + 3, status_word);
}

/* Fills in the rest of every end. `message` is the identifier of an error message for the Error Indication, or 0 if no
 * error is shown. */
static enum cemv_step finish(struct cemv_kernel *kernel, uint8_t message, bool data_record)
{
    struct cemv_outcome *const outcome = &kernel->out.outcome;
    outcome->error_indication[5] = message != 0 ? message : 0xFF;
    if (outcome->ui_on_outcome_present) cemv_ui_language(kernel, &outcome->ui_on_outcome);
    if (outcome->ui_on_restart_present) cemv_ui_language(kernel, &outcome->ui_on_restart);
    if (kernel->store.terminal_tag_from_card) cemv_finding_add(kernel, CEMV_FINDING_TERMINAL_TAG_FROM_CARD);
    if (outcome->start == CEMV_START_NA)
        k2_torn_clean(kernel); /* without a restart the outcome reaches the caller and can report a record [S1.4-6] */
    k2_put_records(kernel, data_record);
    return cemv_finish(kernel);
}

static void show_on_outcome(struct cemv_kernel *kernel, uint8_t message, bool hold)
{
    struct cemv_outcome *const outcome = &kernel->out.outcome;
    cemv_outcome_show(outcome, message, CEMV_UI_NOT_READY);
    if (hold) outcome->ui_on_outcome.hold_ms = hold_ms(kernel);
}

/* The Error Indication has the values of the book. The reason is for the POS and is derived from it, except for causes
 * that the book does not know. */
static uint8_t reason_of(const struct cemv_kernel *kernel, uint8_t l2)
{
    if (k2_memory_of_const(kernel)->store_full) return CEMV_REASON_STORE_FULL;
    if (k2_memory_of_const(kernel)->protection) return CEMV_REASON_PROTECTION;
    if (l2 == CEMV_L2_STATUS_BYTES) return CEMV_REASON_CARD_STATUS;
    if (l2 == CEMV_L2_MAX_LIMIT_EXCEEDED) return CEMV_REASON_KERNEL_LIMIT;
    return l2 == CEMV_L2_MAGSTRIPE_NOT_SUPPORTED || l2 == CEMV_L2_CAM_FAILED ? CEMV_REASON_KERNEL
                                                                             : CEMV_REASON_CARD_DATA;
}

/* The terminal stopped the tap, did not answer in time, or supplied no amount. It knows the cause, so no message is
 * shown. */
static enum cemv_step end_terminal(struct cemv_kernel *kernel, uint8_t l3)
{
    outcome_ended(kernel, CEMV_OUTCOME_END_APPLICATION, l3 == CEMV_L3_STOP ? CEMV_REASON_STOPPED : CEMV_REASON_KERNEL)
        ->error_indication[2] = l3;
    return finish(kernel, 0, false);
}

/* "Insert, swipe or try another card". The error is already in the outcome. A data record is added if data storage may
 * have been written, since the terminal must know that. */
static enum cemv_step end_fault(struct cemv_kernel *kernel, bool data_record)
{
    const uint8_t *const error = kernel->out.outcome.error_indication;
    (void)outcome_ended(kernel, CEMV_OUTCOME_END_APPLICATION,
                        error[0] != 0 ? CEMV_REASON_LINK : reason_of(kernel, error[1]));
    show_on_outcome(kernel, CEMV_MESSAGE_TRY_ANOTHER_CARD, true);
    return finish(kernel, CEMV_MESSAGE_TRY_ANOTHER_CARD, data_record);
}

/* Most faults of a card end in this way. */
static enum cemv_step end_other_card(struct cemv_kernel *kernel, uint8_t l2, uint16_t status_word)
{
    set_error(kernel, CEMV_L1_OK, l2, status_word);
    return end_fault(kernel, false);
}

/* A rule beyond the book refuses the card. Cardholder and POS see a card fault; only the reason differs. */
static enum cemv_step end_protected(struct cemv_kernel *kernel)
{
    k2_memory_of(kernel)->protection = true;
    return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
}

static enum cemv_step end_store(struct cemv_kernel *kernel, enum cemv_store_error error)
{
    if (error == CEMV_STORE_FULL) k2_memory_of(kernel)->store_full = true;
    return end_other_card(kernel, CEMV_L2_PARSING_ERROR, 0);
}

/* Requests the card again after a link fault. The charts do this with status End Application and Start B; status Try
 * Again occurs only after GET PROCESSING OPTIONS, see end_try_again(). */
static enum cemv_step end_again(struct cemv_kernel *kernel, uint8_t l1)
{
    set_error(kernel, l1, CEMV_L2_OK, 0);
    cemv_outcome_ask_again(outcome_ended(kernel, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_LINK),
                           CEMV_MESSAGE_PRESENT_AGAIN);
    return finish(kernel, CEMV_MESSAGE_PRESENT_AGAIN, false);
}

/* Select Next: Entry Point tries the next application. Nothing is shown, and no field-off time is requested, because
 * the card is still needed. */
static enum cemv_step end_next(struct cemv_kernel *kernel, uint8_t l2, uint16_t status_word)
{
    struct cemv_outcome *const outcome = outcome_ended(kernel, CEMV_OUTCOME_SELECT_NEXT, reason_of(kernel, l2));
    set_error(kernel, CEMV_L1_OK, l2, status_word);
    outcome->start = CEMV_START_C;
    outcome->field_off_100ms = CEMV_FIELD_OFF_NA;
    return finish(kernel, 0, false);
}

/* The device needs its user, for example to confirm or to unlock it. The cardholder does so and presents it again
 * [S910.72-73, S910.79-80, S13.44-45]. */
static enum cemv_step end_second_tap(struct cemv_kernel *kernel)
{
    cemv_outcome_ask_again(outcome_ended(kernel, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_KERNEL),
                           phone_request(kernel).message);
    return finish(kernel, 0, true);
}

static void show(struct cemv_kernel *kernel, struct cemv_ui_request request)
{
    cemv_ui_language(kernel, &request);
    (void)cemv_output_show(&kernel->out, &request);
}

/* The card may be removed: the status gives the cue, and the message clears the display. */
static void show_card_read(struct cemv_kernel *kernel)
{
    show(kernel, cemv_ui_of(CEMV_MESSAGE_CLEAR_DISPLAY, CEMV_UI_CARD_READ));
}

/* Reading [S3R1, S4, S5, S456] ------------------------------------------------------------------------------------- */

/* Two kinds of data are read: objects that the terminal has requested and that only GET DATA returns, and the records
 * of the AFL. Answers to the terminal are sent along with a command, so that the terminal can work on them while the
 * card works on the command (Data To Send). */

static enum cemv_step reading_done(struct cemv_kernel *kernel);

static enum cemv_step send_get_data(struct cemv_kernel *kernel, uint8_t state, uint32_t tag)
{
    const struct cemv_command command = { 0x80, 0xCA, (uint8_t)(tag >> 8), (uint8_t)tag, nothing, CEMV_LE_MAX };
    return cemv_kernel_send(kernel, state, &command);
}

/* Sends the next command, or continues with reading_done() when everything is read [S456.1-4]. GET DATA precedes the
 * records. The terminal receives its answers with a record only when its list is complete, since a partial answer would
 * not help it to decide. */
static enum cemv_step ask_next(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (k2_take_card_tag(kernel, &memory->active))
        return send_get_data(kernel, K2_S5_WAIT_GET_DATA, k2_tag_row(memory->active)->tag);
    if (!cemv_afl_next(&kernel->afl, &kernel->store, &memory->record)) return reading_done(kernel);
    k2_spool(kernel);
    if (memory->to_send.count != 0 && memory->to_read.count == 0) k2_exchange(kernel);
    return cemv_send_read_record(kernel, K2_S4_WAIT_RECORD, memory->record);
}

/* Begins the reading phase [S3R1.1-21]. The charts determine the first command before they fill Data To Send: a tag
 * that GET DATA will read leaves Tags To Read, and the rest of that list decides whether the answers are complete. Once
 * the mode is set, an outcome has the discretionary data of EMV mode. */
static enum cemv_step start_reading(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const uint8_t security = k2_byte(kernel, K2_SLOT_DF811F, 0);
    const bool get_data = k2_take_card_tag(kernel, &memory->active);
    if (kernel->afl.at == kernel->afl.end && !get_data) {
        memory->mode = K2_MODE_NONE; /* S3R1.6: only the error indication, even after relay resistance */
        return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    }
    if ((memory->ids & K2_IDS_READ) != 0) k2_offer_storage(kernel);
    k2_spool(kernel);
    k2_exchange_if_needed(kernel);
    /* CDA is performed if both sides support it. Data storage requires it in any case, because only the signature
     * proves the slot's contents. Otherwise nothing authenticates the card, which the action codes must know. */
    if ((k2_aip_has(kernel, 1, CEMV_AIP_1_CDA) && (security & K2_SECURITY_CDA) != 0) ||
        (memory->ids & K2_IDS_READ) != 0)
        memory->cda = true;
    else memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_ODA_NOT_PERFORMED);
    memory->mode = K2_MODE_EMV;
    return get_data ? send_get_data(kernel, K2_S5_WAIT_GET_DATA, k2_tag_row(memory->active)->tag) : ask_next(kernel);
}

/* Stores a record. If it contains CDOL1, or the DSDOL of data storage, the kernel now knows which terminal data
 * GENERATE AC will need. Missing ones are noted in Data Needed, and the terminal can supply them while the card is
 * still being read [S4.28-33]. */
static enum cemv_step got_record(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const bool had_cdol = cemv_store_has(&kernel->store, CEMV_SLOT_8C),
               had_dsdol = cemv_store_has(&kernel->store, K2_SLOT_9F5B);
    if (status_word != CEMV_SW_OK) return end_other_card(kernel, CEMV_L2_STATUS_BYTES, status_word);
    const enum cemv_store_error error = k2_store_record(kernel, body);
    if (error != CEMV_STORE_OK) return end_store(kernel, error);
    if (!had_cdol) (void)k2_need_for_dol(kernel, cemv_value(kernel, CEMV_SLOT_8C));
    const bool locked = (cemv_value_byte(kernel, K2_SLOT_9F6F, 0) & 0x10) != 0;
    if (!had_dsdol && (memory->ids & K2_IDS_READ) != 0 && !locked)
        (void)k2_need_for_dol(kernel, cemv_value(kernel, K2_SLOT_9F5B));
    k2_stop_reading_early(kernel);
    return ask_next(kernel);
}

/* Whatever the fault, the terminal receives an empty answer and reading continues: GET DATA serves the terminal, and
 * the payment does not depend on it. An object that the terminal has supplied itself does not count as read
 * [S5.19-24]. */
static enum cemv_step got_data(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    struct cemv_tlv object;
    const bool read = status_word == CEMV_SW_OK && cemv_tlv_sole(body, &object) &&
                      object.tag == k2_tag_row(memory->active)->tag &&
                      cemv_store_template(&kernel->store, 0, body) == CEMV_STORE_OK;
    k2_answer(kernel, memory->active, read);
    return ask_next(kernel);
}

/* First write [S456.5-11, S78.1-7] --------------------------------------------------------------------------------- */

/* A terminal that must read the card before it decides what to write sets Proceed To First Write Flag, DF8110, to zero.
 * The kernel then waits here, with a deadline, until the terminal allows it to continue. */

/* True if the flag is present and empty or zero. An empty flag means that the terminal has not decided yet, so it is
 * requested. */
static bool held_back(struct cemv_kernel *kernel)
{
    if (k2_is_empty(kernel, K2_SLOT_DF8110)) {
        k2_need(kernel, K2_SLOT_DF8110);
        return true;
    }
    const cemv_bytes flag = cemv_value(kernel, K2_SLOT_DF8110);
    return flag.size != 0 && flag.data[0] == 0;
}

/* Sends all answers available so far with the question: the terminal needs them to decide. */
static enum cemv_step ask_first_write(struct cemv_kernel *kernel, uint8_t state)
{
    k2_spool(kernel);
    return k2_ask_terminal(kernel, state);
}

static enum cemv_step check_mandatory_data(struct cemv_kernel *kernel);

/* All is read, unless the terminal asks for more while it holds the kernel back. */
static enum cemv_step reading_done(struct cemv_kernel *kernel)
{
    if (held_back(kernel)) return ask_first_write(kernel, K2_S6_WAIT_FIRST_WRITE);
    return check_mandatory_data(kernel);
}

/* The terminal's answer may contain further Tags To Read, which GET DATA reads now. The records are already complete
 * [S6.6-12]. */
static enum cemv_step got_first_write(struct cemv_kernel *kernel, cemv_bytes objects)
{
    k2_update(kernel, objects);
    return ask_next(kernel);
}

/* Checks after reading [S456.12-34] -------------------------------------------------------------------------------- */

/* The records are complete. From GENERATE AC on the card may have counted a transaction, so everything that could end
 * the tap is checked before. */

static enum cemv_step ask_cryptogram(struct cemv_kernel *kernel);

static enum cemv_step prepare_cryptogram(struct cemv_kernel *kernel);
static enum cemv_step ask_checksum(struct cemv_kernel *kernel);

/* Answers that do not fit into one record go out in several [S456.21-23, S78.12-14]. Each record has a separate display
 * step, so that the terminal can fetch it before the next one replaces it, or before an end replaces it with the
 * records of the outcome. */
static enum cemv_step answer_rest(struct cemv_kernel *kernel)
{
    if (k2_answer_rest(kernel) || kernel->out.exchange_size != 0)
        return cemv_kernel_publish(kernel, K2_WAIT_ANSWERS_SENT);
    return k2_memory_of(kernel)->mode == K2_MODE_EMV ? prepare_cryptogram(kernel) : ask_checksum(kernel);
}

/* Amount, limit and mandatory data, in the order of the charts [S456.12-20]. Without an amount nothing can be compared.
 * If it exceeds the limit, another application of the card may still allow it, hence Select Next; a lack of mandatory
 * data is a fault of the card. With data storage, DS ID must name the account, so that an operator's data are not read
 * from one card and attributed to another. */
static enum cemv_step check_mandatory_data(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const struct cemv_store *store = &kernel->store;
    if (!cemv_store_has(store, CEMV_SLOT_9F02)) return end_terminal(kernel, CEMV_L3_AMOUNT_NOT_PRESENT);
    if (k2_above_transaction_limit(kernel)) return end_next(kernel, CEMV_L2_MAX_LIMIT_EXCEEDED, 0);
    if (!cemv_store_has(store, CEMV_SLOT_5F24) || !cemv_store_has(store, CEMV_SLOT_5A) ||
        !cemv_store_has(store, CEMV_SLOT_8C)) {
        return end_other_card(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    }
    if (cemv_stored_account_refused(kernel)) return end_protected(kernel);
    if ((memory->ids & K2_IDS_READ) != 0 && !k2_storage_id_agrees(kernel))
        return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    return answer_rest(kernel);
}

/* Preparations that need all data [S456.24-34]: whether CDA will be possible, the capabilities for this amount, and the
 * balance before the transaction. The terminal requests the balance with DF8104; the card must support reading it. */
static enum cemv_step prepare_cryptogram(struct cemv_kernel *kernel)
{
    if (!k2_prepare_cda(kernel)) return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    k2_choose_capabilities(kernel);
    if (k2_capabilities_have(kernel, 2, K2_BALANCE_READING) && k2_is_present(kernel, K2_SLOT_DF8104)) {
        return send_get_data(kernel, K2_S16_WAIT_BALANCE, CEMV_TAG_9F50_OFFLINE_ACCUMULATOR_BALANCE);
    }
    return ask_cryptogram(kernel);
}

/* Processing restrictions, CVM, risk and action analysis [S456.35-39] ---------------------------------------------- */

/* The reader's decision. Each step adds its findings to the TVR, and action analysis compares the TVR with the action
 * codes of terminal and issuer. The result is the type of cryptogram to request. */

static enum cemv_step ask_recovery_or_ac(struct cemv_kernel *kernel);

/* PUT DATA with the next object of a list. The callers know that the list is not empty; if it is after all, the kernel
 * has made a mistake, not the card. */
static enum cemv_step ask_put_data(struct cemv_kernel *kernel, uint8_t state, struct cemv_span *list)
{
    struct cemv_tlv object;
    if (!k2_take_object(kernel, list, &object)) return cemv_end_card_fault(kernel, CEMV_REASON_INTERNAL, CEMV_L2_OK, 0);
    const struct cemv_command command = {
        0x80, 0xDA, (uint8_t)(object.tag >> 8), (uint8_t)object.tag, object.value, 0
    };
    return cemv_kernel_send(kernel, state, &command);
}

/* The decision, then the first command of the final phase [S456.35-51].
 *
 * Two points go beyond the steps. A CVM List of odd length cannot be read, so the card is faulty (Book 3, 7.5). The
 * charts do not use an exception list, but an acquirer who configures one wants its cards declined. Objects of Tags To
 * Write Before Gen AC are written before the cryptogram is requested. */
static enum cemv_step ask_cryptogram(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    memory->tvr |= k2_restrictions_of(kernel);
    if (k2_aip_has(kernel, 1, CEMV_AIP_1_CARDHOLDER_VERIFICATION) && cemv_value(kernel, K2_SLOT_8E).size % 2 != 0 &&
        !k2_on_device_cvm(kernel)) {
        return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    }
    if (k2_on_exception_list(kernel)) {
        memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_ON_EXCEPTION_FILE);
        memory->decline = true;
    }
    k2_select_cvm(kernel);
    cemv_kernel_note(kernel, CEMV_STEP_OF(456, 36), kernel->out.outcome.cvm);
    if (k2_amount(kernel, CEMV_SLOT_9F02) > k2_amount(kernel, K2_SLOT_DF8123))
        memory->tvr |= CEMV_TVR(4, CEMV_TVR_4_FLOOR_LIMIT_EXCEEDED);
    cemv_kernel_note(kernel, CEMV_STEP_OF(456, 38), memory->tvr);
    memory->ac_type = k2_guard_type(kernel, k2_analyse(kernel));
    cemv_kernel_note(kernel, CEMV_STEP_OF(456, 39), memory->ac_type);
    if (memory->write_before.size != 0) return ask_put_data(kernel, K2_S12_WAIT_PUT_DATA, &memory->write_before);
    return ask_recovery_or_ac(kernel);
}

/* GENERATE AC and RECOVER AC [GAC, S456.43-49] --------------------------------------------------------------------- */

/* In an earlier tap the card may have left the field after it computed its cryptogram and before the reader received
 * it. If the torn log has a record of this card, RECOVER AC asks for that answer. Otherwise GENERATE AC requests a new
 * cryptogram. */

/* GENERATE AC [GAC.29, 45-48]. With data storage, the type may change once more, since the terminal can tie its write
 * to a type; a write appends the values of the DSDOL to those of CDOL1.
 *
 * The values of CDOL1 are kept, because the signature covers them and a torn record needs them. If CDOL1 does not
 * request the unpredictable number, CDA would prove nothing about this transaction, so such a card is faulty. */
static enum cemv_step ask_ac(struct cemv_kernel *kernel, uint8_t state)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    uint8_t data[255];
    size_t size = 0, more = 0;
    const cemv_bytes cdol = cemv_value(kernel, CEMV_SLOT_8C);
    const struct k2_ac ac = k2_reference_control(kernel);
    if (ac.kind == K2_AC_DATA_ERROR) return end_other_card(kernel, CEMV_L2_IDS_DATA_ERROR, 0);
    if (ac.kind == K2_AC_NO_MATCH) return end_other_card(kernel, CEMV_L2_IDS_NO_MATCHING_AC, 0);
    memory->ac_type = ac.type;
    memory->control = ac.control;
    k2_put_tvr(kernel);
    if ((ac.control & K2_RCP_CDA) != 0 && !cemv_dol_asks(cdol, CEMV_TAG_9F37_UNPREDICTABLE_NUMBER, 4))
        return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    if (!cemv_store_build_dol(&kernel->store, cdol, false, data, sizeof data, &size))
        return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    if (!cemv_store_keep(&kernel->store, (cemv_bytes){ data, size }, &memory->cdol))
        return end_store(kernel, CEMV_STORE_FULL);
    if (ac.kind == K2_AC_WRITE) {
        if (!k2_build_storage_data(kernel, data + size, sizeof data - size, &more))
            return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
        memory->ids |= K2_IDS_WRITE;
    }
    const struct cemv_command command = { 0x80, 0xAE, ac.control, 0x00, { data, size + more }, CEMV_LE_MAX };
    return cemv_kernel_send(kernel, state, &command);
}

/* RECOVER AC if the log has a usable record, otherwise GENERATE AC [S456.43-49, S12.13-19]. The record must be of this
 * card, must have the data that RECOVER AC sends, and must not be too old. Beyond the book it must also agree in
 * amount, currency and type: another transaction must not be paid with the old cryptogram (attacks.md, A20). */
static enum cemv_step ask_recovery_or_ac(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    struct cemv_reader_memory *reader = kernel->transaction.reader;
    cemv_bytes data;
    if (!cemv_store_has(&kernel->store, K2_SLOT_9F51) || k2_torn_room(kernel) == 0)
        return ask_ac(kernel, K2_S9_WAIT_AC);
    memory->torn = k2_torn_lookup(reader, cemv_value(kernel, CEMV_SLOT_5A), cemv_value(kernel, CEMV_SLOT_5F34));
    if (memory->torn == reader->torn_count) return ask_ac(kernel, K2_S9_WAIT_AC);
    const cemv_bytes record = cemv_torn_record(reader, memory->torn);
    if (!cemv_torn_find(record, CEMV_TAG_DF8113_DRDOL_RELATED_DATA, &data) || k2_torn_too_old(kernel, record) ||
        !k2_is_same_sale(kernel, record)) {
        return ask_ac(kernel, K2_S9_WAIT_AC);
    }
    const struct cemv_command command = { 0x80, 0xD0, 0x00, 0x00, data, CEMV_LE_MAX };
    return cemv_kernel_send(kernel, K2_S10_WAIT_RECOVERY, &command);
}

/* No answer to a cryptogram [S9.1-15, S11.11-17] ------------------------------------------------------------------- */

/* A card with a DRDOL (9F51) supports recovery, and the reader must have room for a record. */
static bool can_recover(const struct cemv_kernel *kernel)
{
    return k2_torn_room(kernel) != 0 && cemv_store_has(&kernel->store, K2_SLOT_9F51);
}

/* The card may have counted a transaction whose answer was lost. A torn record lets a later tap recover it. After an
 * unsuccessful recovery (S11) it replaces the old record, unless that one has an unresolved write of data storage
 * [S11.11-17]. */
static void remember_torn(struct cemv_kernel *kernel, uint8_t state)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    uint8_t data[255];
    size_t size = 0;
    if (!can_recover(kernel)) return;
    if (state == K2_S11_WAIT_AC && !k2_old_write_unresolved(kernel, memory->torn))
        cemv_torn_remove(kernel->transaction.reader, memory->torn);
    if (cemv_store_build_dol(&kernel->store, cemv_value(kernel, K2_SLOT_9F51), false, data, sizeof data, &size) &&
        cemv_store_keep(&kernel->store, (cemv_bytes){ data, size }, &memory->drdol)) {
        k2_torn_store(kernel, k2_torn_room(kernel));
    }
}

/* No answer to GENERATE AC [S9.5-15]: the card is requested again. The exception is a card that cannot recover, but to
 * which data storage may have written: no later tap could find that out, so the tap ends here and reports the state in
 * its data record. */
static enum cemv_step cryptogram_lost(struct cemv_kernel *kernel, uint8_t state, uint8_t l1)
{
    if (!can_recover(kernel) && (k2_memory_of(kernel)->ids & K2_IDS_WRITE) != 0) {
        set_error(kernel, l1, CEMV_L2_OK, 0);
        return end_fault(kernel, true);
    }
    remember_torn(kernel, state);
    return end_again(kernel, l1);
}

/* The answer to a cryptogram [S9.16-28, S10.7-22, S11.5-25] -------------------------------------------------------- */

/* An answer that cannot be used, after the card may have counted the transaction [S910.50-62, S11.90-102]. The data
 * record is included if data storage may have been written; after IDS WRITE ERROR it was not. A torn record with an
 * unresolved write is reported. */
static enum cemv_step end_invalid(struct cemv_kernel *kernel, uint8_t l2, uint16_t status_word)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    set_error(kernel, CEMV_L1_OK, l2, status_word);
    if (memory->old_write) k2_report_torn(kernel, memory->old_record); /* S11.91-92 */
    k2_put_tvr(kernel);
    return end_fault(kernel, l2 != CEMV_L2_IDS_WRITE_ERROR && (memory->ids & K2_IDS_WRITE) != 0);
}

static enum cemv_step after_balance(struct cemv_kernel *kernel);

/* The checks of a new and of a recovered answer: the mandatory objects, and that the card has not raised the type. It
 * may answer a request for a TC with an ARQC, and any request with an AAC (Book 3, 9.3). */
static enum cemv_step check_ac(struct cemv_kernel *kernel, uint8_t state, cemv_bytes body)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    const enum cemv_store_error error = k2_store_ac(kernel, state, body);
    if (error != CEMV_STORE_OK) return end_invalid(kernel, CEMV_L2_PARSING_ERROR, 0);
    const cemv_bytes cid = cemv_value(kernel, CEMV_SLOT_9F27);
    if (cid.size == 0 || !cemv_store_has(&kernel->store, CEMV_SLOT_9F36))
        return end_invalid(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    if (!cemv_rules_cryptogram_allowed(memory->control, cid.data[0]))
        return end_invalid(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    if (k2_capabilities_have(kernel, 2, K2_BALANCE_READING) && k2_is_present(kernel, K2_SLOT_DF8105)) {
        return send_get_data(kernel, K2_S17_WAIT_BALANCE, CEMV_TAG_9F50_OFFLINE_ACCUMULATOR_BALANCE);
    }
    return after_balance(kernel);
}

/* In S11 the recovery was unsuccessful and the card has answered a new GENERATE AC. The torn record has no further use
 * and leaves the log, whatever the status word [S11.5]. */
static enum cemv_step got_ac(struct cemv_kernel *kernel, uint8_t state, cemv_bytes body, uint16_t status_word)
{
    if (state == K2_S11_WAIT_AC) k2_torn_take(kernel, false);
    if (status_word != CEMV_SW_OK) return end_invalid(kernel, CEMV_L2_STATUS_BYTES, status_word);
    return check_ac(kernel, state, body);
}

/* A card that has nothing to recover receives a new GENERATE AC. Otherwise its answer belongs to the torn tap, so
 * amount, date, number and TVR of that tap replace the present ones before the answer is checked [S10.7-11]. */
static enum cemv_step got_recovery(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    if (status_word != CEMV_SW_OK) return ask_ac(kernel, K2_S11_WAIT_AC);
    k2_torn_take(kernel, true);
    return check_ac(kernel, K2_S10_WAIT_RECOVERY, body);
}

/* Checks of the cryptogram [S910] ---------------------------------------------------------------------------------- */

/* An answer with a signature has its display step first, so that "card read" is visible while the certificates are
 * verified. An answer without one must be of a kind that needs no signature. */

static enum cemv_step end_valid(struct cemv_kernel *kernel);
static enum cemv_step conclude(struct cemv_kernel *kernel);

/* The signed data contain the summary of the slot's contents before the command (DS Summary 2) and after it (DS Summary
 * 3). The former must equal the summary that was read at the beginning, otherwise the terminal decided on false data.
 * If something was written, the two must differ, otherwise the card did not write; DF810A states whether that ends the
 * tap [S910.8-19, S11.47-61]. */
static enum cemv_step check_storage(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const cemv_bytes before = cemv_value(kernel, K2_SLOT_9F7D), read = cemv_value(kernel, K2_SLOT_DF8101),
                     written = cemv_value(kernel, K2_SLOT_DF8102);
    const cemv_bytes use = cemv_value(kernel, K2_SLOT_DF810A);
    if (read.size == 0) return end_invalid(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    if (!cemv_bytes_equal(before, read)) return end_invalid(kernel, CEMV_L2_IDS_READ_ERROR, 0);
    if (memory->old_write && !cemv_bytes_equal(before, (cemv_bytes){ memory->old_summary, memory->old_summary_size })) {
        return end_invalid(kernel, CEMV_L2_IDS_READ_ERROR, 0);
    }
    memory->summary_status |= K2_SUMMARY_READ;
    if ((memory->ids & K2_IDS_WRITE) == 0) return conclude(kernel);
    if (written.size == 0) return end_invalid(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    if (!cemv_bytes_equal(read, written)) memory->summary_status |= K2_SUMMARY_WRITTEN;
    else if (use.size != 0 && (use.data[0] & 0x02) != 0) return end_invalid(kernel, CEMV_L2_IDS_WRITE_ERROR, 0);
    return conclude(kernel);
}

/* Verifies the signature, then stores the cryptogram and the dynamic number from inside it, where they are authentic
 * [S910.1-7]. A failure ends the tap even if the card declined, because nothing in the answer can be believed. */
static enum cemv_step check_signature(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    struct k2_signed data;
    const enum cemv_oda_result result = k2_verify_signature(kernel, &data);
    cemv_kernel_note(kernel, CEMV_STEP_OF(910, 1), result);
    if (result != CEMV_ODA_OK) {
        if (cemv_oda_is_tamper(result)) cemv_finding_add(kernel, CEMV_FINDING_ODA_TAMPER);
        memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED);
        return end_invalid(kernel, CEMV_L2_CAM_FAILED, 0);
    }
    memory->verified = true;
    (void)cemv_store_put(&kernel->store, CEMV_SLOT_9F4C, (cemv_bytes){ data.number, data.number_size },
                         CEMV_FROM_CARD_DYNAMIC);
    if (!cemv_store_put(&kernel->store, CEMV_SLOT_9F26, (cemv_bytes){ data.cryptogram, sizeof data.cryptogram },
                        CEMV_FROM_CARD_DYNAMIC)) {
        return end_store(kernel, CEMV_STORE_FULL);
    }
    return (memory->ids & K2_IDS_READ) != 0 ? check_storage(kernel) : conclude(kernel);
}

/* Which answers may lack a signature [S910.30-39]: a TC or ARQC if CDA was not requested; an AAC, because a decline
 * needs no proof, unless CDA was requested for the AAC itself or data storage depends on it. After relay resistance
 * without CDA, the measured data reach the issuer in track 2. */
static enum cemv_step check_unsigned(struct cemv_kernel *kernel)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    const uint8_t type = k2_byte(kernel, CEMV_SLOT_9F27, 0) & K2_TYPE_MASK;
    const bool signature_asked = (memory->control & K2_RCP_CDA) != 0;
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F26)) return end_invalid(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    if (type == K2_AAC) {
        const bool owed = (memory->ids & K2_IDS_READ) != 0 ||
                          ((memory->control & K2_TYPE_MASK) == K2_AAC && signature_asked);
        return owed ? end_invalid(kernel, CEMV_L2_CARD_DATA_ERROR, 0) : conclude(kernel);
    }
    if (signature_asked) return end_invalid(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    k2_tell_relay_data(kernel);
    return conclude(kernel);
}

/* "Card read" is displayed before certificates are checked, unless the card is still needed for PUT DATA [S9.26-28]. */
static enum cemv_step after_balance(struct cemv_kernel *kernel)
{
    if (k2_memory_of(kernel)->write_after.size == 0) show_card_read(kernel);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F4B)) return check_unsigned(kernel);
    return cemv_kernel_publish(kernel, K2_S910_WAIT_CARD_READ);
}

/* Objects of Tags To Write After Gen AC are written before the card may leave [S910.76-78]. */
static enum cemv_step conclude(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    k2_put_tvr(kernel);
    if (memory->write_after.size != 0) return ask_put_data(kernel, K2_S15_WAIT_PUT_DATA, &memory->write_after);
    if (k2_second_tap(cemv_value(kernel, K2_SLOT_DF4B))) show(kernel, phone_request(kernel));
    return end_valid(kernel);
}

/* The delayed "card read": with a request for a second tap it has the message of the phone message table [S15.9-13]. */
static enum cemv_step put_after_done(struct cemv_kernel *kernel)
{
    if (k2_second_tap(cemv_value(kernel, K2_SLOT_DF4B))) {
        struct cemv_ui_request request = phone_request(kernel);
        request.status = CEMV_UI_CARD_READ;
        show(kernel, request);
    } else {
        show_card_read(kernel);
    }
    return end_valid(kernel);
}

/* Writes the next object of the list until it is empty or the card refuses one. A refusal ends writing, but not the
 * transaction; the terminal learns from DF810F or DF810E whether everything was written [S12.8-12, S15.5-13]. */
static enum cemv_step got_put(struct cemv_kernel *kernel, uint8_t state, uint16_t status_word)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const bool before = state == K2_S12_WAIT_PUT_DATA;
    struct cemv_span *const list = before ? &memory->write_before : &memory->write_after;
    if (status_word == CEMV_SW_OK && list->size != 0) return ask_put_data(kernel, state, list);
    if (status_word == CEMV_SW_OK) *(before ? &memory->put_before : &memory->put_after) = K2_COMPLETED;
    return before ? ask_recovery_or_ac(kernel) : put_after_done(kernel);
}

/* The card's decision becomes the outcome [S910.70-81]. The transaction type and the kind of device matter for an AAC
 * only. Beyond the book, an approval that no signature of this tap proves becomes a decline. */
static enum cemv_step end_valid(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (k2_second_tap(cemv_value(kernel, K2_SLOT_DF4B))) return end_second_tap(kernel);
    const struct k2_end_in in = {
        .cryptogram = k2_byte(kernel, CEMV_SLOT_9F27, 0),
        .type = k2_byte(kernel, CEMV_SLOT_9C, 0),
        .signature = kernel->out.outcome.cvm == CEMV_CVM_SIGNATURE,
        .device = k2_is_device(cemv_value(kernel, K2_SLOT_9F6E)) ||
                  (k2_byte(kernel, K2_SLOT_DF8117, 0) & K2_INPUT_CHIP) == 0,
    };
    struct k2_end end = k2_end(&in);
    if (end.status == CEMV_OUTCOME_APPROVED && k2_approval_unproven(kernel)) {
        end = (struct k2_end){ CEMV_OUTCOME_DECLINED, CEMV_MESSAGE_NOT_AUTHORISED, true };
        memory->protection = true;
    }
    (void)outcome_ended(kernel, end.status, memory->protection ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL);
    show_on_outcome(kernel, end.message, end.hold);
    if (end.status == CEMV_OUTCOME_APPROVED) k2_show_balance(kernel, &kernel->out.outcome.ui_on_outcome);
    return finish(kernel, 0, true);
}

/* Relay resistance [R1] -------------------------------------------------------------------------------------------- */

/* A relay between a distant card and the reader needs time. The kernel measures an exchange of random numbers, up to
 * three times, and the card signs these numbers and its own limits together with the cryptogram (CDA), so that a relay
 * cannot answer in its place. A late answer sets TVR bits; an answer below the card's minimum ends the tap. */

/* The pool of random numbers is empty: the driver refills it, and `resume` states which step continues then. */
static enum cemv_step ask_random(struct cemv_kernel *kernel, uint8_t resume)
{
    k2_memory_of(kernel)->resume = resume;
    return cemv_ask_random(kernel, K2_WAIT_RANDOM);
}

/* The number that is sent also becomes the unpredictable number of the transaction, 9F37, so that the signature over
 * 9F37 covers the exchange. After a retry the last one counts [S3.61-64, SR1.23-27]. */
static enum cemv_step ask_relay(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (!cemv_random_draw(&kernel->random, memory->relay)) return ask_random(kernel, K2_RESUME_RELAY);
    k2_put_terminal(kernel, CEMV_SLOT_9F37, memory->relay, 4);
    const struct cemv_command command = { 0x80, 0xEA, 0x00, 0x00, { memory->relay, 4 }, CEMV_LE_MAX };
    return cemv_kernel_send(kernel, K2_R1_WAIT_RELAY, &command);
}

/* The answer: the card's random number, its minimum and maximum processing time, and its estimate of the transmission
 * time. They are kept in the order in which the signature repeats them [SR1.10-32]. */
static enum cemv_step got_relay(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word, uint32_t elapsed_us)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (status_word != CEMV_SW_OK) return end_other_card(kernel, CEMV_L2_STATUS_BYTES, status_word);
    if (body.size != 12 || body.data[0] != CEMV_TAG_80_RESPONSE_FORMAT_1 || body.data[1] != 10)
        return end_other_card(kernel, CEMV_L2_PARSING_ERROR, 0);
    cemv_copy(memory->relay + 4, body.data + 2, 10);
    const struct cemv_relay_times relay = k2_evaluate_time(kernel, elapsed_us);
    memory->measured = relay.measured;
    switch ((enum cemv_relay_verdict)relay.verdict) {
    case CEMV_RELAY_TOO_FAST: return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    case CEMV_RELAY_AGAIN: memory->retries++; return ask_relay(kernel);
    case CEMV_RELAY_PASSED: break;
    }
    memory->tvr |= relay.tvr;
    return start_reading(kernel);
}

/* Mag-stripe mode [S7, S8, S78, S13, S14] -------------------------------------------------------------------------- */

/* The card imitates a magnetic stripe with a code that changes, CVC3. Hosts that only process tracks can check it:
 * bitmaps of the card mark the digits of the track that receive the unpredictable number, the transaction counter and
 * CVC3. Nothing authenticates the card offline, so a transaction is never approved offline. */

/* Mag-stripe mode needs a record: an AFL without one is a fault. */
static enum cemv_step ask_magstripe_record(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (!cemv_afl_next(&kernel->afl, &kernel->store, &memory->record))
        return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    return cemv_send_read_record(kernel, K2_S7_WAIT_RECORD, memory->record);
}

/* Beyond the book: the unpredictable number has too few digits, so the cardholder is asked to insert the chip. */
static enum cemv_step end_other_interface(struct cemv_kernel *kernel)
{
    (void)outcome_ended(kernel, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_REASON_PROTECTION);
    show_on_outcome(kernel, CEMV_MESSAGE_INSERT_CARD, true);
    return finish(kernel, 0, false);
}

static enum cemv_step evaluate_magstripe(struct cemv_kernel *kernel);

/* All records are read [S7.20-24]. The tracks must leave room for the unpredictable number, equally many digits in
 * both. Beyond the book, the digits must be enough that a clone cannot have collected an answer for each number, and
 * the card must not hide an EMV mode that its data show (attacks.md, A26). */
static enum cemv_step magstripe_read(struct cemv_kernel *kernel)
{
    static const uint16_t needed[] = { CEMV_SLOT_9F6B, K2_SLOT_9F66, K2_SLOT_9F65, K2_SLOT_9F67 };
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!cemv_store_has(&kernel->store, needed[i])) return end_other_card(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    const int digits = k2_number_digits_of(kernel);
    int placed = digits;
    if (k2_is_downgraded(kernel)) return end_protected(kernel);
    if (digits < 0 || !k2_take_discretionary(kernel, &placed))
        return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    if (k2_number_too_short(kernel, placed)) return end_other_interface(kernel);
    k2_memory_of(kernel)->number_digits = (uint8_t)digits;
    return evaluate_magstripe(kernel);
}

/* Stores a record. If it contains the UDOL, missing terminal data are noted in Data Needed, as for CDOL1 in EMV mode
 * [S7.14-19]. */
static enum cemv_step got_magstripe_record(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    const bool had_udol = cemv_store_has(&kernel->store, K2_SLOT_9F69);
    if (status_word != CEMV_SW_OK) return end_other_card(kernel, CEMV_L2_STATUS_BYTES, status_word);
    const enum cemv_store_error error = cemv_store_record(&kernel->store, body, false, false);
    if (error != CEMV_STORE_OK) return end_store(kernel, error);
    if (!had_udol) (void)k2_need_for_dol(kernel, cemv_value(kernel, K2_SLOT_9F69));
    return kernel->afl.at != kernel->afl.end ? ask_magstripe_record(kernel) : magstripe_read(kernel);
}

/* Draws the unpredictable number, 9F6A, with as many digits as the tracks have room for [S78.15]. A random value that
 * would make some numbers more likely than others is rejected, and another one is drawn. Returns false if the pool is
 * empty. */
static bool draw_number(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    uint8_t random[4], digits[4];
    bool drawn = false;
    while (!drawn && cemv_random_draw(&kernel->random, random))
        drawn = cemv_number_of_digits(cemv_be32(random), memory->number_digits, &memory->number);
    if (!drawn) return false;
    (void)cemv_bcd_write(digits, sizeof digits, memory->number);
    k2_put_terminal(kernel, K2_SLOT_9F6A, digits, sizeof digits);
    return true;
}

/* COMPUTE CRYPTOGRAPHIC CHECKSUM [S78.15-22]. Its data follow the card's UDOL, or the configured default, or the book's
 * default, which contains the number alone. If card and reader support on-device CVM and the amount exceeds the CVM
 * limit, 9F7E requires the device to verify its user. */
static enum cemv_step ask_checksum(struct cemv_kernel *kernel)
{
    static const uint8_t default_udol[] = { 0x9F, 0x6A, 0x04 };
    const bool on_device = k2_on_device_cvm(kernel);
    const uint8_t mobile = on_device && k2_above_cvm_limit(kernel) ? 0x03 : 0x01;
    const cemv_bytes configured = cemv_value(kernel, K2_SLOT_DF811A);
    const cemv_bytes fallback = configured.size != 0 ? configured : (cemv_bytes){ default_udol, sizeof default_udol };
    const cemv_bytes udol = cemv_store_has(&kernel->store, K2_SLOT_9F69) ? cemv_value(kernel, K2_SLOT_9F69) : fallback;
    uint8_t data[255];
    size_t size;
    if (!draw_number(kernel)) return ask_random(kernel, K2_RESUME_CHECKSUM);
    k2_put_terminal(kernel, K2_SLOT_9F7E, &mobile, 1);
    if (mobile == 0x03) kernel->out.outcome.cvm = CEMV_CVM_CDCVM;
    if (!cemv_store_build_dol(&kernel->store, udol, false, data, sizeof data, &size))
        return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    const struct cemv_command command = { 0x80, 0x2A, 0x8E, 0x80, { data, size }, CEMV_LE_MAX };
    return cemv_kernel_send(kernel, on_device ? K2_S14_WAIT_CHECKSUM : K2_S13_WAIT_CHECKSUM, &command);
}

static enum cemv_step end_declined_magstripe(struct cemv_kernel *kernel);

/* First write flag, amount and limit, as in EMV mode [S78.1-14]. The charts have no check of account and exception list
 * here; they are made as in EMV mode, where a declined card must not pass by using the other mode. */
static enum cemv_step evaluate_magstripe(struct cemv_kernel *kernel)
{
    if (held_back(kernel)) return ask_first_write(kernel, K2_S8_WAIT_FIRST_WRITE);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F02)) return end_terminal(kernel, CEMV_L3_AMOUNT_NOT_PRESENT);
    if (k2_above_transaction_limit(kernel)) return end_next(kernel, CEMV_L2_MAX_LIMIT_EXCEEDED, 0);
    if (cemv_stored_account_refused(kernel)) return end_protected(kernel);
    if (k2_on_exception_list(kernel)) return end_declined_magstripe(kernel);
    return answer_rest(kernel);
}

/* A failed checksum costs waiting time, which doubles with each failure. Otherwise a thief could use the reader to
 * collect many codes from a card in a short time (4.12). The error is already in the outcome, and `later` selects its
 * end. */
static enum cemv_step ask_back_off(struct cemv_kernel *kernel, uint8_t later)
{
    struct cemv_reader_memory *reader = kernel->transaction.reader;
    const uint8_t failures = reader ? reader->failed_magstripe : 0;
    k2_memory_of(kernel)->later = later;
    if (reader && failures < 5) reader->failed_magstripe++;
    return cemv_kernel_ask(kernel, K2_WAIT_BACK_OFF, nothing, k2_back_off_ms(failures));
}

static enum cemv_step back_off_other_card(struct cemv_kernel *kernel, uint8_t l2, uint16_t status_word)
{
    set_error(kernel, CEMV_L1_OK, l2, status_word);
    return ask_back_off(kernel, K2_LATER_OTHER_CARD);
}

static enum cemv_step end_declined_magstripe(struct cemv_kernel *kernel)
{
    (void)outcome_ended(kernel, CEMV_OUTCOME_DECLINED, CEMV_REASON_KERNEL);
    show_on_outcome(kernel, CEMV_MESSAGE_NOT_AUTHORISED, true);
    return finish(kernel, 0, true);
}

/* The waiting time is over; the end that was selected before follows. */
static enum cemv_step after_back_off(struct cemv_kernel *kernel)
{
    switch ((enum k2_later)k2_memory_of(kernel)->later) {
    case K2_LATER_AGAIN: return end_again(kernel, kernel->out.outcome.error_indication[0]);
    case K2_LATER_OTHER_CARD: return end_fault(kernel, false);
    case K2_LATER_SECOND_TAP: return end_second_tap(kernel);
    case K2_LATER_DECLINED: break;
    }
    return end_declined_magstripe(kernel);
}

/* Online Request [S13.24-26, S14.32-34]. The CVM is that of the device if it has verified its user, otherwise the
 * configured one for an amount above or below the CVM limit. */
static enum cemv_step end_magstripe(struct cemv_kernel *kernel, uint8_t state)
{
    struct cemv_outcome *const outcome = outcome_ended(kernel, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL);
    const bool above = k2_above_cvm_limit(kernel);
    if (state == K2_S14_WAIT_CHECKSUM) {
        outcome->cvm = k2_verified_on_device(kernel) ? CEMV_CVM_CDCVM : CEMV_CVM_NONE;
        outcome->receipt = k2_verified_on_device(kernel) && above;
    } else {
        const uint8_t capability = k2_byte(kernel, above ? K2_SLOT_DF811E : K2_SLOT_DF812C, 0xF0) & 0xF0;
        outcome->cvm = capability <= CEMV_CVM_ONLINE_PIN ? capability : CEMV_CVM_NA;
        outcome->receipt = above || capability == CEMV_CVM_SIGNATURE;
    }
    return finish(kernel, 0, true);
}

/* A device that refuses CVC3 explains itself in DF4B: it wants a second tap, or it declines. A card without DF4B is
 * faulty [S13.14.2-45, S14.15-23]. */
static enum cemv_step no_checksum(struct cemv_kernel *kernel)
{
    const cemv_bytes interaction = cemv_value(kernel, K2_SLOT_DF4B);
    if (interaction.size == 0) return back_off_other_card(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    if (!k2_second_tap(interaction)) return ask_back_off(kernel, K2_LATER_DECLINED);
    show(kernel, phone_request(kernel));
    return ask_back_off(kernel, K2_LATER_SECOND_TAP);
}

/* The answer to COMPUTE CRYPTOGRAPHIC CHECKSUM [S13.9-26, S14.9-34]. Each fault leads to the back-off, and only an
 * answer with the code resets the count of failures. The last digit of the tracks states the length of the number; if
 * the device has verified its user, five is added to it, so that the issuer learns of that too. */
static enum cemv_step got_checksum(struct cemv_kernel *kernel, uint8_t state, cemv_bytes body, uint16_t status_word)
{
    const bool on_device = state == K2_S14_WAIT_CHECKSUM;
    const uint8_t digits = k2_memory_of(kernel)->number_digits;
    if (status_word != CEMV_SW_OK) return back_off_other_card(kernel, CEMV_L2_STATUS_BYTES, status_word);
    if (cemv_store_template(&kernel->store, CEMV_TAG_77_RESPONSE_FORMAT_2, body) != CEMV_STORE_OK)
        return back_off_other_card(kernel, CEMV_L2_PARSING_ERROR, 0);
    show_card_read(kernel);
    const bool interaction = cemv_store_has(&kernel->store, K2_SLOT_DF4B);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F36) || (on_device && !interaction))
        return back_off_other_card(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    if (!cemv_store_has(&kernel->store, K2_SLOT_9F61)) return no_checksum(kernel);
    if (cemv_store_has(&kernel->store, CEMV_SLOT_56) && cemv_value(kernel, K2_SLOT_9F60).size != 2) {
        return back_off_other_card(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    }
    if (on_device && !k2_verified_on_device(kernel) && k2_above_cvm_limit(kernel))
        return back_off_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    if (kernel->transaction.reader) kernel->transaction.reader->failed_magstripe = 0;
    k2_fill_tracks(kernel, k2_verified_on_device(kernel) ? (uint8_t)((digits + 5) % 10) : digits);
    return end_magstripe(kernel, state);
}

/* GET PROCESSING OPTIONS [S1.11-14, S2, S3] ------------------------------------------------------------------------ */

/* The terminal may first have to supply values for the PDOL [S2]. The answer determines the mode: EMV mode if card and
 * reader support it, otherwise mag-stripe mode. */

/* Sends GET PROCESSING OPTIONS. The PDOL is the stored object, from any template of the FCI (C-8, 4.1.3). The values
 * are kept: the hash of the CDA signature includes them, and a torn record has them with their header. */
static enum cemv_step ask_gpo(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    uint8_t values[CEMV_PDOL_VALUES_MAX];
    struct cemv_gpo_data data;
    struct cemv_span whole;
    size_t size;
    if (!cemv_store_build_dol(&kernel->store, cemv_value(kernel, CEMV_SLOT_9F38), false, values, sizeof values, &size))
        return end_next(kernel, CEMV_L2_PARSING_ERROR, 0);
    cemv_gpo_data_of((cemv_bytes){ values, size }, &data);
    if (!cemv_store_keep(&kernel->store, (cemv_bytes){ data.bytes, data.size }, &whole))
        return end_store(kernel, CEMV_STORE_FULL);
    memory->pdol_header = data.header;
    memory->pdol = (struct cemv_span){ (uint16_t)(whole.at + data.header), (uint16_t)(whole.size - data.header) };
    return cemv_send_gpo_data(kernel, K2_S3_WAIT_GPO, &data);
}

/* Requests objects of the PDOL that the terminal announced without a value [S1.11-14, S1.21-23]. */
static enum cemv_step ask_pdol_data(struct cemv_kernel *kernel)
{
    if (!k2_need_for_dol(kernel, cemv_value(kernel, CEMV_SLOT_9F38))) return ask_gpo(kernel);
    return k2_ask_terminal(kernel, K2_S2_WAIT_PDOL_DATA);
}

/* EMV mode [S3.30-35, S3.60-65], with relay resistance if card, reader and protection allow it. */
static enum cemv_step enter_emv_mode(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const uint8_t configuration = k2_configuration_of(kernel);
    /* A first entry for record 1 of SFI 1 alone contains only mag-stripe data and is skipped. The configured modes
     * decide this, even if the protection has turned mag-stripe mode off: the record does not change its meaning. */
    if ((k2_configured(kernel) & K2_MAGSTRIPE_OFF) == 0 &&
        k2_begins_with_magstripe_record(cemv_value(kernel, CEMV_SLOT_94)))
        kernel->afl.at = (uint16_t)(kernel->afl.at + 4);
    const bool supported = (configuration & K2_RELAY_RESISTANCE) != 0 && cemv_relay_rule(kernel) != CEMV_RELAY_OFF;
    if (supported && k2_aip_has(kernel, 2, CEMV_AIP_2_RELAY_RESISTANCE)) {
        memory->mode = K2_MODE_EMV;
        return ask_relay(kernel);
    }
    memory->tvr |= CEMV_TVR(5, CEMV_TVR_5_RELAY_NOT_PERFORMED);
    return start_reading(kernel);
}

/* Mag-stripe mode [S3.70-81]. If the AFL begins with the record of mag-stripe data, only that record is read. */
static enum cemv_step enter_magstripe_mode(struct cemv_kernel *kernel)
{
    if (k2_begins_with_magstripe_record(cemv_value(kernel, CEMV_SLOT_94)))
        kernel->afl.end = (uint16_t)(kernel->afl.at + 4);
    k2_memory_of(kernel)->mode = K2_MODE_MAGSTRIPE;
    k2_spool(kernel);
    k2_exchange_if_needed(kernel);
    return ask_magstripe_record(kernel);
}

/* The answer to GET PROCESSING OPTIONS [S3.8-18]. Any status word other than 9000 leads to the next application, since
 * this one cannot be used here. AIP and AFL are mandatory. */
static enum cemv_step got_gpo(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    const uint8_t configuration = k2_configuration_of(kernel);
    if (status_word != CEMV_SW_OK) return end_next(kernel, CEMV_L2_STATUS_BYTES, status_word);
    const enum cemv_store_error error = k2_store_gpo(kernel, body);
    if (error != CEMV_STORE_OK) return end_store(kernel, error);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_82) || !cemv_store_has(&kernel->store, CEMV_SLOT_94)) {
        return end_other_card(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    }
    switch (cemv_open_records(kernel)) {
    case CEMV_RECORDS_MALFORMED: return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    case CEMV_RECORDS_REFUSED: return end_protected(kernel);
    case CEMV_RECORDS_OPEN: break;
    }
    if (k2_aip_has(kernel, 2, CEMV_AIP_2_EMV_MODE) && (configuration & K2_EMV_OFF) == 0) return enter_emv_mode(kernel);
    if ((configuration & K2_MAGSTRIPE_OFF) != 0) return end_other_card(kernel, CEMV_L2_MAGSTRIPE_NOT_SUPPORTED, 0);
    return enter_magstripe_mode(kernel);
}

/* Entry points of the module [S1, KS] ------------------------------------------------------------------------------ */

/* Activation [S1, KS]. Nothing of an earlier activation is kept in this memory; the torn log and the count of failed
 * checksums are in the reader's memory. The FCI must be well formed and contain a DF name, otherwise the next
 * application is tried. Then the lists of data exchange are opened, so that objects of the FCI can already be sent with
 * the first question. */
static enum cemv_step k2_start(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const cemv_bytes fci = cemv_span_bytes(&kernel->store, kernel->fci);
    *memory = (struct k2_memory){ 0 };
    kernel->out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE); /* KS.2 */
    if (cemv_store_template(&kernel->store, CEMV_TAG_6F_FCI_TEMPLATE, fci) != CEMV_STORE_OK)
        return end_next(kernel, CEMV_L2_PARSING_ERROR, 0); /* S1.7 */
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_84)) return end_next(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    const uint8_t field_off_100ms = k2_byte(kernel, K2_SLOT_DF8130, 0x0D); /* FF: no request (C-8 A.1.96) */
    if (k2_capabilities_have(kernel, 2, K2_FIELD_OFF_DETECTION) && field_off_100ms != 0xFF)
        kernel->out.outcome.field_off_100ms = field_off_100ms;
    k2_put_initial_data(kernel);
    k2_exchange_open(kernel);    /* S1.10, S1.16 */
    k2_spool(kernel);            /* S1.15 */
    k2_announce_storage(kernel); /* S1.17-20 */
    return ask_pdol_data(kernel);
}

/* No answer to GET PROCESSING OPTIONS [S3.5]: the only use of status Try Again in this kernel. */
static enum cemv_step end_try_again(struct cemv_kernel *kernel, uint8_t l1)
{
    outcome_ended(kernel, CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_LINK)->start = CEMV_START_B;
    set_error(kernel, l1, CEMV_L2_OK, 0);
    return finish(kernel, 0, false);
}

/* The link failed while the card's answer was awaited. The consequence depends on how far the card may have come: after
 * GENERATE AC it may have counted the transaction, a failed checksum costs waiting time, and after the cryptogram only
 * optional steps remain, which are skipped. In all other states the card is requested again. States that do not wait
 * for the card are listed because the switch is exhaustive. */
static enum cemv_step got_link_fault(struct cemv_kernel *kernel, enum k2_state state, uint8_t l1)
{
    switch (state) {
    case K2_S3_WAIT_GPO: return end_try_again(kernel, l1);
    case K2_S9_WAIT_AC:
    case K2_S11_WAIT_AC: return cryptogram_lost(kernel, (uint8_t)state, l1);
    case K2_S13_WAIT_CHECKSUM:
    case K2_S14_WAIT_CHECKSUM: set_error(kernel, l1, CEMV_L2_OK, 0); return ask_back_off(kernel, K2_LATER_AGAIN);
    case K2_S15_WAIT_PUT_DATA: return put_after_done(kernel);
    case K2_S17_WAIT_BALANCE: return after_balance(kernel);
    case K2_R1_WAIT_RELAY:
    case K2_S4_WAIT_RECORD:
    case K2_S5_WAIT_GET_DATA:
    case K2_S7_WAIT_RECORD:
    case K2_S10_WAIT_RECOVERY:
    case K2_S12_WAIT_PUT_DATA:
    case K2_S16_WAIT_BALANCE:
    case K2_WAIT_RANDOM:
    case K2_WAIT_ANSWERS_SENT:
    case K2_S910_WAIT_CARD_READ:
    case K2_WAIT_BACK_OFF:
    case K2_S2_WAIT_PDOL_DATA:
    case K2_S6_WAIT_FIRST_WRITE:
    case K2_S8_WAIT_FIRST_WRITE: break;
    }
    return end_again(kernel, l1);
}

/* Dispatches a response of the card to the state that waits for it. */
static enum cemv_step got_response(struct cemv_kernel *kernel, enum k2_state state, const struct cemv_reply *reply)
{
    cemv_bytes body;
    uint16_t status_word;
    const uint8_t fault = cemv_reply_decode(reply, &body, &status_word);
    if (fault != CEMV_L1_OK) return got_link_fault(kernel, state, fault);
    switch (state) {
    case K2_S3_WAIT_GPO: return got_gpo(kernel, body, status_word);
    case K2_R1_WAIT_RELAY: return got_relay(kernel, body, status_word, reply->elapsed_us);
    case K2_S4_WAIT_RECORD: return got_record(kernel, body, status_word);
    case K2_S5_WAIT_GET_DATA: return got_data(kernel, body, status_word);
    case K2_S7_WAIT_RECORD: return got_magstripe_record(kernel, body, status_word);
    case K2_S9_WAIT_AC:
    case K2_S11_WAIT_AC: return got_ac(kernel, (uint8_t)state, body, status_word);
    case K2_S10_WAIT_RECOVERY: return got_recovery(kernel, body, status_word);
    case K2_S13_WAIT_CHECKSUM:
    case K2_S14_WAIT_CHECKSUM: return got_checksum(kernel, (uint8_t)state, body, status_word);
    case K2_S12_WAIT_PUT_DATA:
    case K2_S15_WAIT_PUT_DATA: return got_put(kernel, (uint8_t)state, status_word);
    case K2_S16_WAIT_BALANCE: k2_take_balance(kernel, body, status_word, K2_SLOT_DF8104); return ask_cryptogram(kernel);
    case K2_S17_WAIT_BALANCE: k2_take_balance(kernel, body, status_word, K2_SLOT_DF8105); return after_balance(kernel);
    case K2_WAIT_RANDOM:
    case K2_WAIT_ANSWERS_SENT:
    case K2_S910_WAIT_CARD_READ:
    case K2_WAIT_BACK_OFF:
    case K2_S2_WAIT_PDOL_DATA:
    case K2_S6_WAIT_FIRST_WRITE:
    case K2_S8_WAIT_FIRST_WRITE: break;
    }
    return end_again(kernel, CEMV_L1_PROTOCOL);
}

/* Fresh random bytes for the pool. Without them there is no unpredictable number, and the tap ends: a predictable
 * number would permit replays. */
static enum cemv_step got_random(struct cemv_kernel *kernel, cemv_bytes bytes)
{
    if (bytes.size < 4) {
        (void)outcome_ended(kernel, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_RANDOM);
        return finish(kernel, 0, false);
    }
    cemv_random_fill(&kernel->random, bytes);
    switch ((enum k2_resume)k2_memory_of(kernel)->resume) {
    case K2_RESUME_RELAY: return ask_relay(kernel);
    case K2_RESUME_CHECKSUM: break;
    }
    return ask_checksum(kernel);
}

/* If an object of the PDOL is still missing, the kernel keeps waiting. The question is not repeated, and its time limit
 * continues to run [S2.6-10]. */
static enum cemv_step got_pdol_data(struct cemv_kernel *kernel, cemv_bytes objects)
{
    struct cemv_exchange_list *const needed = &k2_memory_of(kernel)->needed;
    const uint8_t count = needed->count;
    k2_update(kernel, objects);
    if (!k2_need_for_dol(kernel, cemv_value(kernel, CEMV_SLOT_9F38))) return ask_gpo(kernel);
    needed->count = count;
    return cemv_output_ask_further(&kernel->out);
}

/* The terminal's answer to the first write flag, in mag-stripe mode [S8.6-7]. */
static enum cemv_step got_magstripe_first_write(struct cemv_kernel *kernel, cemv_bytes objects)
{
    k2_update(kernel, objects);
    return evaluate_magstripe(kernel);
}

/* The terminal answered a question, or its time limit has passed. For the back-off the passed time limit is the
 * expected reply. */
static enum cemv_step got_answer(struct cemv_kernel *kernel, enum k2_state state, const struct cemv_reply *reply)
{
    const bool answered = reply->kind == CEMV_REPLY_DATA;
    if (state == K2_WAIT_RANDOM) return got_random(kernel, answered ? reply->bytes : nothing);
    if (state == K2_WAIT_BACK_OFF) return after_back_off(kernel);
    if (!answered) return end_terminal(kernel, CEMV_L3_TIMEOUT);
    if (state == K2_S2_WAIT_PDOL_DATA) return got_pdol_data(kernel, reply->bytes);
    return state == K2_S6_WAIT_FIRST_WRITE ? got_first_write(kernel, reply->bytes)
                                           : got_magstripe_first_write(kernel, reply->bytes);
}

/* Dispatches a reply by its kind: the end of a display step, an answer of the terminal, or a response of the card. */
static enum cemv_step k2_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    const enum k2_state state = (enum k2_state)kernel->out.state;
    switch (reply->kind) {
    case CEMV_REPLY_CONTINUE: return state == K2_WAIT_ANSWERS_SENT ? answer_rest(kernel) : check_signature(kernel);
    case CEMV_REPLY_DATA:
    case CEMV_REPLY_DEADLINE: return got_answer(kernel, state, reply);
    }
    return got_response(kernel, state, reply);
}

/* The terminal wants to stop. Once a command for a cryptogram has been sent, the card may have counted the transaction,
 * and stopping would only hide its result; the request is then ignored (3.0). */
static enum cemv_step k2_stop(struct cemv_kernel *kernel)
{
    switch ((enum k2_state)kernel->out.state) {
    case K2_S9_WAIT_AC:
    case K2_S10_WAIT_RECOVERY:
    case K2_S11_WAIT_AC:
    case K2_S13_WAIT_CHECKSUM:
    case K2_S14_WAIT_CHECKSUM:
    case K2_S15_WAIT_PUT_DATA:
    case K2_S17_WAIT_BALANCE:
    case K2_S910_WAIT_CARD_READ:
    case K2_WAIT_BACK_OFF: return (enum cemv_step)kernel->out.step;
    case K2_R1_WAIT_RELAY:
    case K2_WAIT_RANDOM:
    case K2_WAIT_ANSWERS_SENT:
    case K2_S2_WAIT_PDOL_DATA:
    case K2_S3_WAIT_GPO:
    case K2_S4_WAIT_RECORD:
    case K2_S5_WAIT_GET_DATA:
    case K2_S6_WAIT_FIRST_WRITE:
    case K2_S7_WAIT_RECORD:
    case K2_S8_WAIT_FIRST_WRITE:
    case K2_S12_WAIT_PUT_DATA:
    case K2_S16_WAIT_BALANCE: break;
    }
    return end_terminal(kernel, CEMV_L3_STOP);
}

/* Objects that the terminal sends without being asked, while the card works [S3, R1, S4, S5, S7]. */
static void k2_data(struct cemv_kernel *kernel, cemv_bytes objects)
{
    const unsigned state = (unsigned)kernel->out.state;
    const unsigned open = CEMV_TO(K2_S3_WAIT_GPO) | CEMV_TO(K2_R1_WAIT_RELAY) | READING | CEMV_TO(K2_S7_WAIT_RECORD);
    if (state < 32 && (open >> state & 1) != 0) k2_update(kernel, objects);
}

/* The caller drops the session or cancels its task. The charts have no such signal; the kernel treats it like a lost
 * answer, so a torn record is stored if the card may have counted the transaction. During RECOVER AC the record is
 * still in the log. A decline has no consequence for the cardholder and is not recovered. */
static void k2_abandon(struct cemv_kernel *kernel)
{
    switch ((enum k2_state)kernel->out.state) {
    case K2_S9_WAIT_AC:
    case K2_S11_WAIT_AC: break;
    case K2_S15_WAIT_PUT_DATA:
    case K2_S17_WAIT_BALANCE:
    case K2_S910_WAIT_CARD_READ:
        if ((cemv_value_byte(kernel, CEMV_SLOT_9F27, 0) & K2_TYPE_MASK) == K2_AAC) return;
        break;
    case K2_S10_WAIT_RECOVERY:
    case K2_S13_WAIT_CHECKSUM:
    case K2_S14_WAIT_CHECKSUM:
    case K2_WAIT_BACK_OFF:
    case K2_R1_WAIT_RELAY:
    case K2_WAIT_RANDOM:
    case K2_WAIT_ANSWERS_SENT:
    case K2_S2_WAIT_PDOL_DATA:
    case K2_S3_WAIT_GPO:
    case K2_S4_WAIT_RECORD:
    case K2_S5_WAIT_GET_DATA:
    case K2_S6_WAIT_FIRST_WRITE:
    case K2_S7_WAIT_RECORD:
    case K2_S8_WAIT_FIRST_WRITE:
    case K2_S12_WAIT_PUT_DATA:
    case K2_S16_WAIT_BALANCE: return;
    }
    remember_torn(kernel, kernel->out.state);
}

const struct cemv_kernel_module cemv_kernel_2 = {
    .start = k2_start,
    .reply = k2_reply,
    .stop = k2_stop,
    .data = k2_data,
    .abandon = k2_abandon,
    .check = k2_check,
    .tags = { k2_tags, K2_TAGS },
    .edges = &edges,
    .reading = CEMV_READING_IDENTICAL_DUPLICATES | CEMV_READING_REFUSE_TERMINAL_TAGS,
    .memory_size = sizeof(struct k2_memory),
};
