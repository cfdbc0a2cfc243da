/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 8: the end of an activation: outcome, messages, data record and discretionary data (Book C-8 v1.0, 5.1, 6.3.2,
 * states 28 to 30, annexes A.11, A.12).
 *
 * Every way out leads through finish(), which writes the records and then erases the secrets, in this order, because
 * the records may refer to data that are erased. Sends nothing. */
#include "k8_memory.h"

/* The objects of the data record (T A.11), in the book's order. */
static const uint16_t record_slots[] = {
    CEMV_SLOT_9F02, CEMV_SLOT_9F03, CEMV_SLOT_9F26, CEMV_SLOT_5F24, CEMV_SLOT_82,   CEMV_SLOT_50,   CEMV_SLOT_5A,
    CEMV_SLOT_5F34, CEMV_SLOT_9F12, CEMV_SLOT_9F36, CEMV_SLOT_9F07, CEMV_SLOT_9F09, K8_SLOT_9F8106, K8_SLOT_9F810D,
    CEMV_SLOT_9F27, CEMV_SLOT_9F34, CEMV_SLOT_84,   CEMV_SLOT_9F1E, CEMV_SLOT_9F10, K8_SLOT_9F8109, CEMV_SLOT_9F11,
    CEMV_SLOT_9F24, CEMV_SLOT_9F33, CEMV_SLOT_9F1A, CEMV_SLOT_9F35, CEMV_SLOT_95,   CEMV_SLOT_57,   CEMV_SLOT_5F2A,
    CEMV_SLOT_9A,   CEMV_SLOT_9C,   CEMV_SLOT_9F37,
};

/* The Tag Mapping List: pairs of tags. Each object is renamed at most once. */
static uint32_t mapped(const struct cemv_kernel *kernel, uint32_t tag)
{
    cemv_bytes list = cemv_value(kernel, K8_SLOT_9F8221);
    bool bad = false;
    uint32_t from, to;
    while (k8_next_tag(&list, &from, &bad) && k8_next_tag(&list, &to, &bad))
        if (from == tag) return to;
    return tag;
}

/* The data record contains every present object of the table, also one without a value, whereas the discretionary data
 * contain only objects with a value. */
static void put_data_record(const struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    for (size_t i = 0; i < sizeof record_slots / sizeof record_slots[0]; i++) {
        const uint32_t tag = cemv_tag_row_at(kernel->store.tags, record_slots[i])->tag;
        cemv_bytes value;
        if (k8_find(kernel, tag, &value)) cemv_writer_put_tlv(writer, mapped(kernel, tag), value);
    }
}

/* If states 1 or 2 end the activation, the discretionary data consist of the Error Indication only (4.7.2). */
static void put_discretionary(const struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    cemv_bytes list = cemv_value(kernel, K8_SLOT_9F821F), value;
    bool bad = false;
    uint32_t tag;
    if (!k8_memory_of(kernel)->begun) {
        cemv_writer_put_tlv(writer, CEMV_TAG_9F8204_ERROR_INDICATION, cemv_value(kernel, K8_SLOT_9F8204));
        return;
    }
    while (k8_next_tag(&list, &tag, &bad)) {
        (void)k8_find(kernel, tag, &value);
        if (value.size != 0) cemv_writer_put_tlv(writer, mapped(kernel, tag), value);
    }
}

static uint32_t hold_ms(const struct cemv_kernel *kernel) { return (uint32_t)k8_amount(kernel, K8_SLOT_9F8211) * 100; }

/* Called when the records have been written. No secret is left afterwards. */
static void wipe_secrets(struct k8_memory *memory)
{
    cemv_wipe(&memory->channel, sizeof memory->channel);
    cemv_wipe(memory->private_key, sizeof memory->private_key);
    cemv_wipe(memory->factor, sizeof memory->factor);
}

/* Writes whole objects, as many as fit. The data record comes first, because the issuer needs it. */
static enum cemv_step finish(struct cemv_kernel *kernel, uint8_t message, bool data_record)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    struct cemv_output *const out = &kernel->out;
    struct cemv_outcome *const outcome = &out->outcome;
    outcome->error_indication[5] = message != 0 ? message : 0xFF;
    if (outcome->ui_on_outcome_present) cemv_ui_language(kernel, &outcome->ui_on_outcome);
    if (outcome->ui_on_restart_present) cemv_ui_language(kernel, &outcome->ui_on_restart);
    if (kernel->store.terminal_tag_from_card) cemv_finding_add(kernel, CEMV_FINDING_TERMINAL_TAG_FROM_CARD);
    k8_put(kernel, K8_SLOT_9F8204, outcome->error_indication, sizeof outcome->error_indication);
    k8_put(kernel, K8_SLOT_9F821B, &memory->write_status, 1);
    k8_put(kernel, K8_SLOT_9F821C, &memory->read_status, 1);
    k8_put_tvr(kernel);

    struct cemv_writer writer = cemv_writer_open(out->records, sizeof out->records);
    if (data_record) put_data_record(kernel, &writer);
    out->record_size = (uint16_t)writer.size;
    put_discretionary(kernel, &writer);
    out->discretionary_size = (uint16_t)(writer.size - out->record_size);
    if (writer.error != CEMV_WIRE_OK) outcome->reason = CEMV_REASON_STORE_FULL;
    wipe_secrets(memory);
    return cemv_finish(kernel);
}

/* A full store, or a rule of the protection, comes before the kernel's own reason, because it explains it. */
static struct cemv_outcome *ended(struct cemv_kernel *kernel, uint8_t status, uint8_t reason)
{
    struct cemv_outcome *const outcome = &kernel->out.outcome;
    const struct k8_memory *const memory = k8_memory_of(kernel);
    outcome->status = status;
    outcome->reason = reason;
    if (memory->store_full) outcome->reason = CEMV_REASON_STORE_FULL;
    else if (memory->protection) outcome->reason = CEMV_REASON_PROTECTION;
    return outcome;
}

/* The hold time, 9F8211, is for messages that the customer must have time to read. */
static void show_on_outcome(struct cemv_kernel *kernel, uint8_t message, bool hold)
{
    struct cemv_outcome *const outcome = &kernel->out.outcome;
    cemv_outcome_show(outcome, message, CEMV_UI_NOT_READY);
    if (hold) outcome->ui_on_outcome.hold_ms = hold_ms(kernel);
}

static uint8_t reason_of(uint8_t l2)
{
    return l2 == CEMV_L2_STATUS_BYTES ? CEMV_REASON_CARD_STATUS : CEMV_REASON_CARD_DATA;
}

static void set_l2(struct cemv_outcome *outcome, uint8_t l2, uint16_t status_word)
{
    outcome->error_indication[1] = l2;
    cemv_put_be16(outcome->error_indication + 3, status_word);
}

void k8_show(struct cemv_kernel *kernel, uint8_t message, uint8_t status)
{
    struct cemv_ui_request request = cemv_ui_of(message, status);
    cemv_ui_language(kernel, &request);
    (void)cemv_output_show(&kernel->out, &request);
}

/* The data of this card cannot be used, so another card is requested. */
enum cemv_step k8_end_card(struct cemv_kernel *kernel, uint8_t l2, uint16_t status_word)
{
    set_l2(ended(kernel, CEMV_OUTCOME_END_APPLICATION, reason_of(l2)), l2, status_word);
    show_on_outcome(kernel, CEMV_MESSAGE_TRY_ANOTHER_CARD, true);
    return finish(kernel, CEMV_MESSAGE_TRY_ANOTHER_CARD, false);
}

/* Without a message: Entry Point tries the next application. */
enum cemv_step k8_end_next(struct cemv_kernel *kernel, uint8_t l2, uint16_t status_word)
{
    struct cemv_outcome *const outcome = ended(kernel, CEMV_OUTCOME_SELECT_NEXT, reason_of(l2));
    set_l2(outcome, l2, status_word);
    outcome->start = CEMV_START_C;
    outcome->field_off_100ms = CEMV_FIELD_OFF_NA;
    return finish(kernel, 0, false);
}

/* 20.4: before the GET PROCESSING OPTIONS response the tap is simply repeated; later the card is requested again with a
 * message. */
enum cemv_step k8_end_link(struct cemv_kernel *kernel, uint8_t l1)
{
    const bool again = kernel->out.state == K8_S20_WAIT_GPO;
    struct cemv_outcome *const outcome =
        ended(kernel, again ? CEMV_OUTCOME_TRY_AGAIN : CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_LINK);
    outcome->error_indication[0] = l1;
    outcome->start = CEMV_START_B;
    if (again) return finish(kernel, 0, false);
    cemv_outcome_ask_again(outcome, CEMV_MESSAGE_PRESENT_AGAIN);
    return finish(kernel, CEMV_MESSAGE_PRESENT_AGAIN, false);
}

/* Stopped, timed out, or without an amount: the terminal has caused the end and needs no message. */
enum cemv_step k8_end_terminal(struct cemv_kernel *kernel, uint8_t l3, uint8_t reason)
{
    ended(kernel, CEMV_OUTCOME_END_APPLICATION, reason)->error_indication[2] = l3;
    return finish(kernel, 0, false);
}

/* The decision (2930) ---------------------------------------------------------------------------------------------- */

/* k8_end() combines the card's cryptogram, the second action analysis and the card's Restart Indicator. The rules
 * beyond the book are in the functions around it. */

static bool is_offline_only(const struct cemv_kernel *kernel)
{
    return cemv_rules_offline_only(cemv_value_byte(kernel, CEMV_SLOT_9F35, 0));
}

static bool is_covered(const struct cemv_kernel *kernel, uint16_t slot)
{
    const struct cemv_store_entry *const entry = cemv_store_find(&kernel->store, slot);
    return entry != NULL && entry->covered != 0;
}

/* True if the card decided by a covered list that requests the data for a decision: the amount, since the card may have
 * limits, and the whole of Terminal Risk Management Data. Only the latter state which methods the reader offers and
 * that the amount is above its limit (T A.29); in a PDOL neither is set yet. */
static bool is_listed(const struct cemv_kernel *kernel)
{
    enum { TRMD_SIZE = 8 };
    return cemv_chain_signs_transaction(&kernel->store) &&
           cemv_dol_asks(cemv_value(kernel, CEMV_SLOT_8C), CEMV_TAG_9F1D_TERMINAL_RISK_MANAGEMENT_DATA, TRMD_SIZE);
}

/* Above the CVM limit, online PIN replaces a method that is not trusted, and the transaction has to go online for it.
 * Returns true if the reader has no online PIN. The TVR is not changed, because the cryptogram covers it. */
static bool lacks_cvm(struct cemv_kernel *kernel, struct k8_end_in *in)
{
    enum { ONLINE_PIN = 0x40 };
    static const uint8_t results[] = { CEMV_CVM_1_ENCIPHERED_PIN_ONLINE, 0, 0 };
    struct k8_memory *const memory = k8_memory_of(kernel);
    if (!kernel->out.outcome.receipt) return false; /* set if the amount is above the limit (…425.8) */
    const uint8_t doubt = k8_doubt(in->cvm, k8_mac_is_checked(kernel), memory->authentic, is_listed(kernel));
    if (doubt == K8_NO_DOUBT) return false;
    if (doubt != K8_NO_METHOD) cemv_finding_add(kernel, doubt);
    if (doubt == CEMV_FINDING_CDCVM_UNAUTHENTICATED && !cemv_device_claim_refused(kernel, true) &&
        cemv_cdcvm_trust(kernel) != CEMV_CDCVM_AUTHENTICATED)
        return false;
    if (cemv_is_book(kernel)) return false;
    if ((cemv_value_byte(kernel, CEMV_SLOT_9F1D, 0) & ONLINE_PIN) == 0 || is_offline_only(kernel)) return true;
    memory->protection = true;
    kernel->out.outcome.cvm = CEMV_CVM_ONLINE_PIN;
    in->decision = K8_ONLINE;
    k8_put(kernel, CEMV_SLOT_9F34, results, sizeof results);
    return false;
}

/* Outside profile `book` a card may not request to go online at an offline-only reader, nor approve for an account that
 * nothing proves (attacks.md, A17, A28). */
static bool is_unproven(const struct cemv_kernel *kernel, const struct k8_end_in *in)
{
    const uint8_t type = in->cid & K8_TYPE;
    if (cemv_is_book(kernel)) return false;
    if (type == K8_ARQC || in->decision == K8_ONLINE) return is_offline_only(kernel);
    return !k8_memory_of(kernel)->authentic || !is_covered(kernel, CEMV_SLOT_5A) || !is_covered(kernel, CEMV_SLOT_5F24);
}

/* Outside profile `book` an endless series of restarts is cut short. Unproven transactions are declined or, if only the
 * cardholder verification is missing, sent to the contact chip. */
static struct k8_ending decide(struct cemv_kernel *kernel)
{
    enum { RESTART = 2, MOST = 2, CONTACT_CHIP = 0x20 };
    static const uint8_t at_contacts[] = { 0x31, 0x00 }; /* a Restart Indicator (T A.26) */
    struct k8_memory *const memory = k8_memory_of(kernel);
    const bool book = cemv_is_book(kernel);
    struct k8_end_in in = {
        .cid = cemv_value_byte(kernel, CEMV_SLOT_9F27, 0),
        .decision = memory->decision,
        .type = kernel->transaction.type,
        .cvm = kernel->out.outcome.cvm,
        .restart = cemv_value(kernel, K8_SLOT_9F8108),
        .messages = cemv_value(kernel, K8_SLOT_9F821D),
    };
    if (memory->restart_late && !book) in.restart.size = 0;
    const bool restarts = in.restart.size != 0 && in.restart.data[0] >> 4 == RESTART;
    if (restarts && (++memory->restarts <= MOST || book)) return k8_end(&in);
    if (restarts) in.restart.size = 0;
    else if ((in.cid & K8_TYPE) == K8_AAC || in.decision == K8_DECLINE) return k8_end(&in);
    else if (!is_unproven(kernel, &in)) {
        if (!lacks_cvm(kernel, &in)) return k8_end(&in);
        if ((cemv_value_byte(kernel, CEMV_SLOT_9F33, 0) & CONTACT_CHIP) != 0)
            in.restart = (cemv_bytes){ at_contacts, sizeof at_contacts };
    }
    memory->protection = true;
    in.decision = K8_DECLINE;
    in.cid = K8_AAC;
    return k8_end(&in);
}

/* Every ending with a decision has a data record, declines too: the issuer may want to learn of them. */
enum cemv_step k8_end_decided(struct cemv_kernel *kernel)
{
    static const uint8_t statuses[] = {
        [K8_END_APPROVED] = CEMV_OUTCOME_APPROVED,
        [K8_END_ONLINE] = CEMV_OUTCOME_ONLINE_REQUEST,
        [K8_END_DECLINED] = CEMV_OUTCOME_DECLINED,
        [K8_END_OTHER_INTERFACE] = CEMV_OUTCOME_TRY_ANOTHER_INTERFACE,
        [K8_END_APPLICATION] = CEMV_OUTCOME_END_APPLICATION,
        [K8_END_RESTART] = CEMV_OUTCOME_END_APPLICATION,
    };
    const struct k8_ending ending = decide(kernel);
    cemv_kernel_note(kernel, CEMV_STEP_OF(0x2930, 2), ending.end);
    struct cemv_outcome *const outcome = ended(kernel, statuses[ending.end], CEMV_REASON_KERNEL);
    outcome->alternate_interface = ending.interface;
    show_on_outcome(kernel, ending.message, ending.hold);
    if (ending.end == K8_END_RESTART) cemv_outcome_ask_again(outcome, ending.message);
    return finish(kernel, 0, true);
}
