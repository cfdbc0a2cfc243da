/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 4: the outcomes and their contents (Book C-4 v2.10, 13, Tables 8-2, 11-1 to 11-4, 12-4 to 12-6, 14-6, 14-7).
 * Sends nothing; only the session reads an outcome. */
#include "k4_memory.h"

/* Ends without a record -------------------------------------------------------------------------------------------- */

static void show_on_restart(struct cemv_kernel *kernel, uint8_t status)
{
    struct cemv_outcome *const outcome = &kernel->out.outcome;
    outcome->start = CEMV_START_B;
    outcome->ui_on_restart_present = true;
    outcome->ui_on_restart = cemv_ui_of(CEMV_MESSAGE_PRESENT_AGAIN, status);
    cemv_ui_language(kernel, &outcome->ui_on_restart);
}

static void report_terminal_tag(struct cemv_kernel *kernel)
{
    if (kernel->store.terminal_tag_from_card) cemv_finding_add(kernel, CEMV_FINDING_TERMINAL_TAG_FROM_CARD);
}

/* A transaction that was not completed returns no data. */
static enum cemv_step end_without_record(struct cemv_kernel *kernel, uint8_t l1, uint8_t l2, uint16_t status_word)
{
    report_terminal_tag(kernel);
    kernel->out.record_size = 0;
    kernel->out.discretionary_size = 0;
    return cemv_end_begun(kernel, l1, l2, status_word);
}

/* 2.2.1. Every link fault is handled as a card that left the field. */
enum cemv_step k4_end_link(struct cemv_kernel *kernel, uint8_t l1)
{
    (void)cemv_outcome_begin(kernel, CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_LINK);
    cemv_outcome_say(kernel, CEMV_MESSAGE_PRESENT_AGAIN, CEMV_UI_PROCESSING_ERROR);
    show_on_restart(kernel, CEMV_UI_READY_TO_READ);
    return end_without_record(kernel, l1, CEMV_L2_OK, 0);
}

/* End Application (Tables 11-2, 11-4): this card cannot pay here, so another card is requested. */
enum cemv_step k4_end_card(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2, uint16_t status_word)
{
    (void)cemv_outcome_begin(kernel, CEMV_OUTCOME_END_APPLICATION, reason);
    cemv_outcome_say(kernel, CEMV_MESSAGE_TRY_ANOTHER_CARD, CEMV_UI_READY_TO_READ);
    return end_without_record(kernel, CEMV_L1_OK, l2, status_word);
}

enum cemv_step k4_end_store(struct cemv_kernel *kernel, enum cemv_store_error error)
{
    return k4_end_card(kernel, cemv_store_reason(error), cemv_store_l2(error), 0);
}

/* Try Another Interface (Table 11-1). */
enum cemv_step k4_end_contact(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2)
{
    struct cemv_outcome *const outcome = cemv_outcome_begin(kernel, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, reason);
    cemv_outcome_say(kernel, CEMV_MESSAGE_INSERT_CARD, CEMV_UI_PROCESSING_ERROR);
    outcome->alternate_interface = CEMV_INTERFACE_CONTACT_CHIP;
    return end_without_record(kernel, CEMV_L1_OK, l2, 0);
}

/* Try Again for a phone (Tables 8-2, 11-3). Two situations lead here: the card's status word 6984, or verification
 * results that ask the customer to act on the phone. Only the first has a status word to report. */
enum cemv_step k4_end_phone(struct cemv_kernel *kernel, uint16_t status_word, uint8_t restart_status,
                            uint16_t field_off)
{
    enum { HOLD_MS = 1000 };
    const bool asked = status_word != 0;
    struct cemv_outcome *const outcome =
        cemv_outcome_begin(kernel, CEMV_OUTCOME_TRY_AGAIN, asked ? CEMV_REASON_CARD_STATUS : CEMV_REASON_KERNEL);
    k4_memory_of(kernel)->tried_again = true;
    cemv_outcome_say(kernel, CEMV_MESSAGE_SEE_PHONE, CEMV_UI_PROCESSING_ERROR);
    outcome->ui_on_outcome.hold_ms = HOLD_MS;
    show_on_restart(kernel, restart_status);
    outcome->field_off_100ms = field_off;
    return end_without_record(kernel, CEMV_L1_OK, asked ? CEMV_L2_STATUS_BYTES : CEMV_L2_OK, status_word);
}

enum cemv_step k4_end_verdict(struct cemv_kernel *kernel, uint8_t verdict, uint8_t reason, uint8_t l2)
{
    return verdict == K4_CONTACT ? k4_end_contact(kernel, reason, l2) : k4_end_card(kernel, reason, l2, 0);
}

/* The customer may remove the card as soon as this message is shown. */
void k4_show_card_read(struct cemv_kernel *kernel)
{
    enum { HOLD_MS = 300 };
    struct cemv_ui_request request = cemv_ui_of(CEMV_MESSAGE_CARD_READ_OK, CEMV_UI_CARD_READ);
    request.hold_ms = HOLD_MS;
    cemv_ui_language(kernel, &request);
    (void)cemv_output_show(&kernel->out, &request);
}

/* Records ---------------------------------------------------------------------------------------------------------- */

/* The records are built once, when the card has answered, and kept: the outcome after the issuer's answer contains the
 * same data. */

/* Table 14-6, with the final TVR. For a card without track 2, account number and expiry date are sent instead, so that
 * the acquirer knows the account (attacks.md, A17). */
static void put_emv(const struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    static const uint16_t slots[] = { CEMV_SLOT_9F02, CEMV_SLOT_9F03, CEMV_SLOT_9F26, CEMV_SLOT_82,   CEMV_SLOT_5F34,
                                      CEMV_SLOT_9F36, CEMV_SLOT_9F27, CEMV_SLOT_9F10, CEMV_SLOT_9F1A, CEMV_SLOT_95,
                                      CEMV_SLOT_57,   CEMV_SLOT_5F2A, CEMV_SLOT_9A,   CEMV_SLOT_9C,   CEMV_SLOT_9F37 };
    static const uint16_t account[] = { CEMV_SLOT_5A, CEMV_SLOT_5F24 };
    cemv_store_export_all(&kernel->store, slots, sizeof slots / sizeof slots[0], writer);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_57)) cemv_store_export_all(&kernel->store, account, 2, writer);
}

/* Table 14-7. The book names no tags for the tracks; these are the ones of Kernel 2. */
static void put_tracks(struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    const struct k4_memory *memory = k4_memory_of(kernel);
    const cemv_bytes cryptogram = cemv_value(kernel, CEMV_SLOT_9F26);
    uint8_t track_1[K4_TRACK_1_SIZE], track_2[K4_TRACK_2_SIZE];
    struct k4_tracks_in in = {
        .pan = cemv_value(kernel, CEMV_SLOT_5A),
        .name = cemv_value(kernel, CEMV_SLOT_5F20),
        .expiry = cemv_value(kernel, CEMV_SLOT_5F24),
        .track_2 = cemv_value(kernel, CEMV_SLOT_57),
    };
    const cemv_bytes number = cemv_value(kernel, CEMV_SLOT_9F37);
    if (cryptogram.size != sizeof in.cryptogram) return; /* declined: no cryptogram was proven by the signature */
    if (number.size == sizeof in.number) cemv_copy(in.number, number.data, number.size);
    cemv_copy(in.cryptogram, cryptogram.data, sizeof in.cryptogram);
    cemv_copy(in.counter, memory->counter, sizeof in.counter);
    k4_make_tracks(&in, track_1, track_2);
    cemv_writer_put_tlv(writer, CEMV_TAG_56_TRACK_1_DATA, (cemv_bytes){ track_1, sizeof track_1 });
    cemv_writer_put_tlv(writer, CEMV_TAG_9F6B_TRACK_2_DATA, (cemv_bytes){ track_2, sizeof track_2 });
}

/* Objects that the configured list names and that are present, unchanged (Annex A.4). */
static void put_discretionary(const struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(k4_options_of(kernel)->discretionary_list);
    struct cemv_dol_entry entry;
    while (cemv_dol_next(&cursor, &entry)) {
        const uint16_t slot = cemv_slot_of(kernel->store.tags, entry.tag);
        if (slot != CEMV_SLOT_NONE) cemv_store_export(&kernel->store, slot, writer);
    }
}

void k4_put_records(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    struct cemv_output *out = &kernel->out;
    struct cemv_writer writer = cemv_writer_open(out->records, sizeof out->records);
    if (memory->emv) put_emv(kernel, &writer);
    else put_tracks(kernel, &writer);
    out->record_size = (uint16_t)cemv_writer_finish(&writer).size;
    writer = cemv_writer_open(out->records + out->record_size, sizeof out->records - out->record_size);
    put_discretionary(kernel, &writer);
    out->discretionary_size = (uint16_t)cemv_writer_finish(&writer).size; /* empty if the objects do not fit */
    memory->record_size = out->record_size;
    memory->discretionary_size = out->discretionary_size;
}

/* Ends with one ---------------------------------------------------------------------------------------------------- */

/* An online request does not end the kernel's work here: the issuer's answer returns to this kernel (Start D), which
 * then approves, declines, or asks for a PIN and goes online once more. `phase` records the progress. */

/* Book A, 6.2: the issuer's answer comes at Start D. */
static struct cemv_outcome *await_issuer(struct cemv_kernel *kernel, uint8_t status)
{
    struct cemv_outcome *const outcome = &kernel->out.outcome;
    outcome->status = status;
    outcome->start = CEMV_START_D;
    outcome->online_response = CEMV_ONLINE_RESPONSE_ANY;
    return outcome;
}

/* Table 12-4. After PIN entry no new message is shown. */
static void request_online(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    const bool again = memory->phase == K4_PIN_ASKED;
    await_issuer(kernel, CEMV_OUTCOME_ONLINE_REQUEST)->cvm = memory->cvm;
    if (!again) cemv_outcome_say(kernel, CEMV_MESSAGE_AUTHORISING, CEMV_UI_PROCESSING);
    memory->phase = again ? K4_ISSUER_ASKED_AGAIN : K4_ISSUER_ASKED;
}

/* Table 12-6 */
static void request_pin(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    memory->cvm = CEMV_CVM_ONLINE_PIN;
    memory->phase = K4_PIN_ASKED;
    await_issuer(kernel, CEMV_OUTCOME_REQUEST_ONLINE_PIN)->cvm = CEMV_CVM_ONLINE_PIN;
    cemv_outcome_say(kernel, CEMV_MESSAGE_ENTER_PIN, CEMV_UI_PROCESSING);
}

/* Ends a completed transaction. The outcome begins as Declined, so that a decision which sets nothing else cannot
 * approve. */
enum cemv_step k4_end_decided(struct cemv_kernel *kernel, uint8_t decision)
{
    const struct k4_memory *memory = k4_memory_of(kernel);
    const uint8_t reason = memory->guarded ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL;
    const bool failed = (memory->tvr & CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED | CEMV_TVR_1_SDA_FAILED)) != 0;
    const uint8_t l2 = failed ? CEMV_L2_CAM_FAILED : CEMV_L2_OK;
    struct cemv_outcome *const outcome = cemv_outcome_begin(kernel, CEMV_OUTCOME_DECLINED, reason);
    report_terminal_tag(kernel);
    switch ((enum k4_decision)decision) {
    case K4_APPROVED: /* 13.2 */
        outcome->status = CEMV_OUTCOME_APPROVED;
        outcome->cvm = memory->cvm;
        cemv_outcome_say(kernel, memory->cvm == CEMV_CVM_SIGNATURE ? CEMV_MESSAGE_APPROVED_SIGN : CEMV_MESSAGE_APPROVED,
                         CEMV_UI_CARD_READ);
        break;
    case K4_DECLINED: /* 13.3 */ cemv_outcome_say(kernel, CEMV_MESSAGE_NOT_AUTHORISED, CEMV_UI_CARD_READ); break;
    case K4_GO_ONLINE: request_online(kernel); break;
    case K4_ASK_PIN: request_pin(kernel); break;
    case K4_USE_CONTACT: return k4_end_contact(kernel, reason, l2);
    }
    return cemv_end_begun(kernel, CEMV_L1_OK, l2, 0);
}
