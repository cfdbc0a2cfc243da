/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 6: the outcomes and their contents (Book C-6 v2.6, Annex B, Table 4-8). Sends nothing; only the session reads
 * an outcome. */
#include "k6_memory.h"

/* Ends without a record -------------------------------------------------------------------------------------------- */

/* B.5. If the terminal has no other interface, none is named in the outcome. */
enum cemv_step k6_end_other_interface(struct cemv_kernel *kernel, uint8_t reason, uint8_t l2, uint16_t status_word)
{
    cemv_outcome_begin(kernel, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, reason)->alternate_interface =
        k6_other_interface(kernel);
    cemv_outcome_say(kernel, CEMV_MESSAGE_INSERT_OR_SWIPE, CEMV_UI_READY_TO_READ);
    return cemv_end_begun(kernel, CEMV_L1_OK, l2, status_word);
}

/* B.8: the message stays on the display while the reader waits for the card again. */
enum cemv_step k6_end_see_phone(struct cemv_kernel *kernel, uint16_t status_word)
{
    struct cemv_outcome *const outcome = cemv_outcome_begin(kernel, CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_CARD_STATUS);
    cemv_outcome_present_again(outcome, CEMV_MESSAGE_SEE_PHONE, CEMV_MESSAGE_NONE);
    cemv_ui_language(kernel, &outcome->ui_on_outcome);
    return cemv_end_begun(kernel, CEMV_L1_OK, CEMV_L2_STATUS_BYTES, status_word);
}

/* The end that belongs to a verdict. K6_REFUSED means another interface if the terminal has one, else a processing
 * error. */
enum cemv_step k6_end_verdict(struct cemv_kernel *kernel, uint8_t verdict, uint8_t reason, uint8_t l2,
                              uint16_t status_word)
{
    switch ((enum k6_verdict)verdict) {
    case K6_REFUSED:
        if (k6_other_interface(kernel) == CEMV_INTERFACE_NA) break;
        return k6_end_other_interface(kernel, reason, l2, status_word);
    case K6_OTHER_INTERFACE: return k6_end_other_interface(kernel, reason, l2, status_word);
    case K6_SELECT_NEXT: return cemv_end_select_next(kernel, reason, l2, status_word);
    case K6_END: /* B.6 */
        (void)cemv_outcome_begin(kernel, CEMV_OUTCOME_END_APPLICATION, reason);
        return cemv_end_begun(kernel, CEMV_L1_OK, l2, status_word);
    case K6_ERROR:
    case K6_FINE: break;
    }
    return cemv_end_card_fault(kernel, reason, l2, status_word);
}

/* Records (Table 4-8) ---------------------------------------------------------------------------------------------- */

static void put_bytes(struct cemv_writer *writer, uint32_t tag, const uint8_t *bytes, size_t size)
{
    if (size != 0) cemv_writer_put_tlv(writer, tag, (cemv_bytes){ bytes, size });
}

/* The data of the sale, which every record contains. */
static void put_sale(const struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    static const uint16_t slots[] = { CEMV_SLOT_5F2A, CEMV_SLOT_9F1A, CEMV_SLOT_9F33,
                                      CEMV_SLOT_9F35, CEMV_SLOT_9A,   CEMV_SLOT_9C };
    cemv_store_export(&kernel->store, CEMV_SLOT_9F02, writer);
    if (kernel->transaction.amount_other != 0) cemv_store_export(&kernel->store, CEMV_SLOT_9F03, writer);
    cemv_store_export_all(&kernel->store, slots, sizeof slots / sizeof slots[0], writer);
}

static void put_name(struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    const cemv_bytes name = cemv_fci_value(kernel, CEMV_TAG_84_DF_NAME);
    put_bytes(writer, CEMV_TAG_84_DF_NAME, name.data, name.size);
}

static void put_results(struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    const struct k6_memory *memory = k6_memory_of(kernel);
    put_bytes(writer, CEMV_TAG_95_TERMINAL_VERIFICATION_RESULTS, memory->tvr, sizeof memory->tvr);
    put_bytes(writer, CEMV_TAG_9B_TRANSACTION_STATUS_INFORMATION, memory->tsi, sizeof memory->tsi);
}

/* Account number and expiry date are sent only if the card has no track 2, which contains both. */
static void put_emv(struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    enum { WITHOUT_TRACK_2 = 2 };
    static const uint16_t slots[] = { CEMV_SLOT_9F26, CEMV_SLOT_82,   CEMV_SLOT_9F36, CEMV_SLOT_9F10, CEMV_SLOT_9F37,
                                      CEMV_SLOT_9F06, CEMV_SLOT_5F34, CEMV_SLOT_9F07, CEMV_SLOT_5F20, CEMV_SLOT_9F27,
                                      CEMV_SLOT_9F09, CEMV_SLOT_9F1F, CEMV_SLOT_57,   CEMV_SLOT_5A,   CEMV_SLOT_5F24 };
    const size_t all = sizeof slots / sizeof slots[0];
    const bool has_track_2 = cemv_store_has(&kernel->store, CEMV_SLOT_57);
    cemv_store_export_all(&kernel->store, slots, has_track_2 ? all - WITHOUT_TRACK_2 : all, writer);
    put_name(kernel, writer);
    put_results(kernel, writer);
}

/* The tracks as k6_conclude_magstripe() completed them. */
static void put_tracks(struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    const struct k6_memory *memory = k6_memory_of(kernel);
    cemv_store_export(&kernel->store, CEMV_SLOT_57, writer);
    put_bytes(writer, k6_track_1_tag(kernel), kernel->store.arena + memory->track_1.at, memory->track_1.size);
}

static void put_record(struct cemv_kernel *kernel, bool declined)
{
    struct cemv_output *out = &kernel->out;
    struct cemv_writer writer = cemv_writer_open(out->records, sizeof out->records);
    put_sale(kernel, &writer);
    if (k6_memory_of(kernel)->magstripe) put_tracks(kernel, &writer);
    else if (!declined) put_emv(kernel, &writer);
    out->record_size = (uint16_t)cemv_writer_finish(&writer).size;
}

/* Ends with one ---------------------------------------------------------------------------------------------------- */

/* 3.8: the issuer's commands can be executed in a second presentment only if reader and card both support it. */
static bool takes_update(struct cemv_kernel *kernel)
{
    const struct k6_memory *memory = k6_memory_of(kernel);
    return !memory->magstripe && cemv_ttq_has(kernel, 3, CEMV_TTQ_3_ISSUER_UPDATE) &&
           (memory->cpr[1] & CEMV_CPR_2_ISSUER_UPDATE) != 0 && !k6_options_of(kernel)->one_presentment;
}

/* B.1 to B.4: ends a completed transaction with its message and the balance, if there is one. The outcome begins as
 * Declined, so that an action which sets nothing else cannot approve. A failed signature is reported even if the
 * outcome is an online request. */
enum cemv_step k6_end_decided(struct cemv_kernel *kernel, uint8_t action, uint8_t cvm)
{
    const struct k6_memory *memory = k6_memory_of(kernel);
    struct cemv_outcome *const outcome = cemv_outcome_begin(
        kernel, CEMV_OUTCOME_DECLINED, memory->guarded ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL);
    const bool online = action == K6_GO_ONLINE, accepted = online || action == K6_APPROVED;
    const bool update = online && takes_update(kernel);
    uint8_t message = CEMV_MESSAGE_NOT_AUTHORISED;
    if (accepted) {
        outcome->status = online ? CEMV_OUTCOME_ONLINE_REQUEST : CEMV_OUTCOME_APPROVED;
        outcome->cvm = cvm;
        outcome->receipt = cvm == CEMV_CVM_SIGNATURE; /* F3-12.8 */
        message = online           ? CEMV_MESSAGE_AUTHORISING
                : outcome->receipt ? CEMV_MESSAGE_APPROVED_SIGN
                                   : CEMV_MESSAGE_APPROVED;
    }
    cemv_outcome_say(kernel, message, update ? CEMV_UI_STATUS_NA : CEMV_UI_CARD_READ);
    cemv_ui_balance(kernel, &outcome->ui_on_outcome, cemv_value(kernel, K6_SLOT_D1));
    if (update) cemv_outcome_offer_update(kernel, outcome);
    put_record(kernel, !accepted);
    if ((memory->tvr[0] & CEMV_TVR_1_CDA_FAILED) == 0) return cemv_finish(kernel);
    return cemv_end_begun(kernel, CEMV_L1_OK, CEMV_L2_CAM_FAILED, 0);
}

/* B.6, 3.10: the second presentment ends without a message, and the issuer receives the results of its commands. */
enum cemv_step k6_end_update(struct cemv_kernel *kernel, uint8_t reason)
{
    struct cemv_output *out = &kernel->out;
    struct cemv_writer writer = cemv_writer_open(out->records, sizeof out->records);
    put_results(kernel, &writer);
    out->discretionary_size = (uint16_t)cemv_writer_finish(&writer).size;
    (void)cemv_outcome_begin(kernel, CEMV_OUTCOME_END_APPLICATION, reason);
    return cemv_finish(kernel);
}
