/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 4 (American Express): the dialogue with the card (Book C-4 v2.10) and the module.
 *
 * A tap has the order of a contact transaction: GET PROCESSING OPTIONS, the records, then restrictions, cardholder
 * verification and action analysis without the card, and one GENERATE AC, which requests the cryptogram that the reader
 * has decided on. Mag-stripe mode has these steps too, but fetches a counter with GET DATA first, and the cryptogram
 * reaches the host as digits of the tracks.
 *
 * Each function is defined above its caller: to follow a tap, begin at k4_start() and read upwards. The decisions are
 * pure functions in k4_rules.c; k4_memory.h names the other parts. "Contact" means Try Another Interface towards the
 * contact chip, which the book prefers to a decline if reader and card both have one. This file knows neither Entry
 * Point nor the session. Conformance/book-c4.md lists where each requirement is met and tested. */
#include "k4_memory.h"

enum {
    SW_SEE_PHONE = 0x6984,
};

/* Five waits. The records are always followed by GENERATE AC, in mag-stripe mode with GET DATA in between; no command
 * follows GENERATE AC. The last wait is not for the card: the message "card read OK" is shown before a signature is
 * verified, since verification needs time and the customer can already remove the card. */
static const struct cemv_edges edges = {
    .next = {
        [0] = CEMV_TO(K4_WAIT_GPO) | CEMV_END,
        [K4_WAIT_GPO] = CEMV_TO(K4_WAIT_RECORD) | CEMV_END,
        [K4_WAIT_RECORD] = CEMV_TO(K4_WAIT_RECORD) | CEMV_TO(K4_WAIT_COUNTER) | CEMV_TO(K4_WAIT_AC) | CEMV_END,
        [K4_WAIT_COUNTER] = CEMV_TO(K4_WAIT_AC) | CEMV_END,
        [K4_WAIT_AC] = CEMV_TO(K4_WAIT_DISPLAY) | CEMV_END,
        [K4_WAIT_DISPLAY] = CEMV_END,
    },
};

static enum cemv_step end_data(struct cemv_kernel *kernel, uint8_t l2)
{
    return k4_end_card(kernel, CEMV_REASON_CARD_DATA, l2, 0);
}

/* GENERATE AC: 11 -------------------------------------------------------------------------------------------------- */

/* The card has answered and may leave, since no command follows (2.3.1). The remaining steps verify its signature, and
 * compare the type of the cryptogram with the requested one: a card may always choose a lower one. */

/* 11.2.4 to 11.2.6, 12.2.1. In mag-stripe mode the counter from GET DATA must equal the counter of the cryptogram;
 * otherwise the two responses come from different cards. They are compared only for a valid response: an AAC or a
 * failed signature is decided before. Finally, if the protection allows no offline approval, an approval never leaves
 * the kernel, whichever rule led to it. */
static enum cemv_step conclude(struct cemv_kernel *kernel)
{
    const struct k4_memory *memory = k4_memory_of(kernel);
    const uint8_t decision = k4_judge_answer(kernel);
    const uint8_t type = cemv_value_byte(kernel, CEMV_SLOT_9F27, 0) & CEMV_RULES_TYPE;
    const bool compared = !memory->emv && type != CEMV_RULES_AAC && (memory->good || memory->method != K4_CDA) &&
                          !k4_contradicts(memory->control, type);
    if (compared &&
        !cemv_bytes_equal(cemv_value(kernel, CEMV_SLOT_9F36), (cemv_bytes){ memory->counter, sizeof memory->counter }))
        return end_data(kernel, CEMV_L2_CARD_DATA_ERROR); /* 12.2.1.1.1 */
    if (decision == K4_APPROVED && cemv_refuses_offline(kernel))
        return k4_end_card(kernel, CEMV_REASON_INTERNAL, CEMV_L2_OK, 0);
    if (!k4_put_tvr(kernel)) return k4_end_store(kernel, CEMV_STORE_FULL);
    k4_put_records(kernel);
    return k4_end_decided(kernel, decision);
}

static enum cemv_step verify(struct cemv_kernel *kernel)
{
    k4_verify_answer(kernel);
    return conclude(kernel);
}

/* "Card read OK" (11.2.4 to 11.2.6). It is not shown if the card returned a type that was not requested, nor for an
 * ARQC at an offline-only reader, because neither transaction can succeed. It is shown before the signature is
 * verified. */
static enum cemv_step got_cryptogram(struct cemv_kernel *kernel)
{
    const struct k4_memory *memory = k4_memory_of(kernel);
    const uint8_t type = cemv_value_byte(kernel, CEMV_SLOT_9F27, 0) & CEMV_RULES_TYPE;
    const bool is_signed = (memory->control & K4_CDA_ASKED) != 0 && type != CEMV_RULES_AAC;
    const bool offline_only = cemv_rules_offline_only(memory->terminal_type) && !k4_is_delayed(memory);
    if (k4_contradicts(memory->control, type)) return conclude(kernel);
    if (type == CEMV_RULES_ARQC && offline_only) return is_signed ? verify(kernel) : conclude(kernel);
    k4_show_card_read(kernel);
    return is_signed ? cemv_kernel_publish(kernel, K4_WAIT_DISPLAY) : conclude(kernel);
}

/* Reads the response, which lies in the arena. Its objects stay there unchanged, because the signature covers them byte
 * by byte (Book 2, 6.6.2). */
kernel_noinline static enum cemv_store_error store_answer(struct cemv_kernel *kernel, cemv_bytes body)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    struct cemv_store *store = &kernel->store;
    struct k4_answer answer;
    if (!k4_read_answer(body, (memory->control & K4_CDA_ASKED) != 0, &answer)) return CEMV_STORE_MALFORMED;
    const struct {
        uint16_t slot;
        cemv_bytes value;
    } objects[] = { { CEMV_SLOT_9F27, answer.information },
                    { CEMV_SLOT_9F36, answer.counter },
                    { CEMV_SLOT_9F26, answer.cryptogram },
                    { CEMV_SLOT_9F10, answer.issuer },
                    { CEMV_SLOT_9F4B, answer.signature } };
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        if (!cemv_store_put(store, objects[i].slot, objects[i].value, CEMV_FROM_CARD)) return CEMV_STORE_FULL;
    if (answer.objects.size != 0) memory->answer = cemv_span_of(store, answer.objects);
    return CEMV_STORE_OK;
}

/* 11.2.1: a response in the wrong format. */
static enum cemv_step end_format(struct cemv_kernel *kernel)
{
    if (k4_memory_of(kernel)->can_insert) return k4_end_contact(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_PARSING_ERROR);
    return end_data(kernel, CEMV_L2_PARSING_ERROR);
}

/* 11.2.3: with 6984 the card asks the customer to look at the phone and present it again. This is done once; if the
 * phone answers 6984 again, it is handled like any other status word. */
static enum cemv_step got_ac(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    enum { FIELD_OFF_100MS = 15 };
    struct cemv_span kept;
    if (status_word == SW_SEE_PHONE && !k4_memory_of(kernel)->tried_again)
        return k4_end_phone(kernel, status_word, CEMV_UI_READY_TO_READ, FIELD_OFF_100MS);
    if (status_word != CEMV_SW_OK)
        return k4_end_card(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    if (!cemv_store_keep(&kernel->store, body, &kept)) return k4_end_store(kernel, CEMV_STORE_FULL);
    const enum cemv_store_error error = store_answer(kernel, cemv_span_bytes(&kernel->store, kept));
    if (error == CEMV_STORE_FULL) return k4_end_store(kernel, error);
    return error == CEMV_STORE_OK ? got_cryptogram(kernel) : end_format(kernel);
}

/* The command (10.2.3, 10.2.4) ------------------------------------------------------------------------------------- */

/* A signature is requested with every type except an AAC. If CDA was pending and an AAC is requested, no authentication
 * took place, and the TVR must say so (6.2.1.1, 6.2.6.2). */
static void choose_control(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    const bool pending = memory->method == K4_CDA && (memory->tvr & CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED)) == 0;
    memory->control = k4_choose_type(kernel);
    if (!pending) return;
    if (memory->control == CEMV_RULES_AAC) memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_ODA_NOT_PERFORMED);
    else memory->control |= K4_CDA_ASKED;
}

/* 10.2.3.1.1: in mag-stripe mode the unpredictable number is a month, 0000YYMM, at most `range` months before the
 * effective date. Its last four digits go into the tracks (12.2.1.3), which have space for four digits only. */
static bool put_number(struct cemv_kernel *kernel)
{
    uint8_t number[4];
    const uint16_t range = k4_options_of(kernel)->number_range;
    if (k4_memory_of(kernel)->emv) return true;
    k4_number(cemv_be32(kernel->unpredictable_number), range != 0 ? range : 60, cemv_value(kernel, CEMV_SLOT_5F25).data,
              number);
    return cemv_value_put(kernel, CEMV_SLOT_9F37, number, sizeof number);
}

/* The TVR is complete now and is sent to the card with CDOL1. The sent values are kept, because the signature covers
 * them. */
static enum cemv_step ask_ac(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    uint8_t data[255];
    size_t size = 0;
    choose_control(kernel);
    if (!k4_put_tvr(kernel) || !put_number(kernel)) return k4_end_store(kernel, CEMV_STORE_FULL);
    if (!cemv_store_build_dol(&kernel->store, cemv_value(kernel, CEMV_SLOT_8C), false, data, sizeof data, &size))
        return end_data(kernel, CEMV_L2_PARSING_ERROR);
    if (!cemv_store_keep(&kernel->store, (cemv_bytes){ data, size }, &memory->cdol))
        return k4_end_store(kernel, CEMV_STORE_FULL);
    const struct cemv_command command = { 0x80, 0xAE, memory->control, 0x00, { data, size }, CEMV_LE_MAX };
    return cemv_kernel_send(kernel, K4_WAIT_AC, &command);
}

/* Without the card: 6 to 9 ----------------------------------------------------------------------------------------- */

/* All decisions that need no card. The book has them between the records and GENERATE AC, because their results are
 * sent to the card, which includes them in its cryptogram. */

/* 7.2.2 to 9, then the command. Cardholder verification may end the tap before GENERATE AC: the customer has to use the
 * phone and present it again (Table 8-2), or no method is left. */
static enum cemv_step verify_cardholder(struct cemv_kernel *kernel)
{
    k4_check_restrictions(kernel);
    const uint8_t verdict = k4_verify_cardholder(kernel);
    if (verdict == K4_FINE) return ask_ac(kernel);
    if (verdict == K4_TRY_AGAIN)
        return k4_end_phone(kernel, 0, CEMV_UI_PROCESSING_ERROR, CEMV_FIELD_OFF_NA); /* Table 8-2 */
    if (verdict == K4_END) return end_data(kernel, CEMV_L2_CARD_DATA_ERROR);
    return k4_end_contact(kernel, k4_memory_of(kernel)->guarded ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL,
                          CEMV_L2_OK);
}

/* 7.2.4.1: the data that a host needs for a mag-stripe transaction: tracks, name, effective date and the counter. */
static bool has_magstripe_data(struct cemv_kernel *kernel)
{
    const struct cemv_store *store = &kernel->store;
    return k4_memory_of(kernel)->counter_size != 0 && cemv_store_has(store, CEMV_SLOT_57) &&
           cemv_store_has(store, CEMV_SLOT_5F20) && cemv_store_has(store, CEMV_SLOT_5F25) &&
           k4_tracks_usable(cemv_value(kernel, CEMV_SLOT_5A), cemv_value(kernel, CEMV_SLOT_57));
}

/* 7.2.1.7, 7.2.1.8: the amount is above the transaction limit of the set that the card chose. */
static enum cemv_step end_not_allowed(struct cemv_kernel *kernel)
{
    const struct k4_memory *memory = k4_memory_of(kernel);
    if (memory->emv && memory->can_insert)
        return k4_end_contact(kernel, CEMV_REASON_KERNEL, CEMV_L2_MAX_LIMIT_EXCEEDED);
    return k4_end_card(kernel, CEMV_REASON_KERNEL_LIMIT, CEMV_L2_MAX_LIMIT_EXCEEDED, 0);
}

/* Authentication comes before the limits: the card chooses its set of limits with 9F70, and an unauthenticated choice
 * may be forged. */
static enum cemv_step decide(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    memory->can_insert = k4_can_insert(memory->reader, cemv_value(kernel, K4_SLOT_9F70));
    memory->takes_pin = k4_has(memory->reader, 2, K4_READER_2_ONLINE_PIN) &&
                        k4_list_has_pin(cemv_value(kernel, K4_SLOT_8E));
    k4_authenticate(kernel);
    if (k4_apply_limits(kernel)) return end_not_allowed(kernel);
    if (!memory->emv && !has_magstripe_data(kernel)) return end_data(kernel, CEMV_L2_CARD_DATA_MISSING);
    return verify_cardholder(kernel);
}

/* Read application data: 5 ----------------------------------------------------------------------------------------- */

/* Reads all records of the file locator and, in mag-stripe mode, the counter. Nothing is decided before they are
 * complete, since signed records are authenticated as a whole. */

/* A response without a counter is not an error here: the counter counts as missing, and 7.2.4.1 ends the tap. */
static enum cemv_step got_counter(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    const cemv_bytes counter = k4_read_counter(body);
    if (status_word == CEMV_SW_OK) {
        memory->counter_size = (uint8_t)counter.size;
        cemv_copy(memory->counter, counter.data, counter.size);
    }
    return decide(kernel);
}

/* 5.4.1 */
static enum cemv_step ask_counter(struct cemv_kernel *kernel)
{
    const cemv_bytes none = { NULL, 0 };
    const struct cemv_command command = { 0x80, 0xCA, 0x9F, 0x36, none, CEMV_LE_MAX };
    return cemv_kernel_send(kernel, K4_WAIT_COUNTER, &command);
}

/* True also for an absent date; whether it is mandatory is a separate question. */
static bool is_date(cemv_bytes value)
{
    uint32_t day;
    return value.size == 0 || cemv_date_read(value, &day);
}

/* Beyond the book: 9F70 states that the card has no mag-stripe mode, but its profile was changed so that the reader
 * uses that mode (attacks.md, A27). */
static bool denies_magstripe(struct cemv_kernel *kernel)
{
    enum { NO_MAGSTRIPE = 0x04 };
    return cemv_is_strict(kernel) && !k4_memory_of(kernel)->emv &&
           (cemv_value_byte(kernel, K4_SLOT_9F70, 0) & NO_MAGSTRIPE) != 0;
}

/* 5.3.3, Table 14-3: the mandatory objects, and dates that are valid (Book 3, 7.5). The account checks follow, so that
 * an account that contradicts itself ends the tap before the card makes a cryptogram. */
static enum cemv_step records_read(struct cemv_kernel *kernel)
{
    static const uint16_t needed[] = { CEMV_SLOT_5A, CEMV_SLOT_5F24, CEMV_SLOT_8C };
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!cemv_store_has(&kernel->store, needed[i])) return end_data(kernel, CEMV_L2_CARD_DATA_MISSING);
    if (!is_date(cemv_value(kernel, CEMV_SLOT_5F24)) || !is_date(cemv_value(kernel, CEMV_SLOT_5F25)))
        return end_data(kernel, CEMV_L2_CARD_DATA_ERROR);
    if (cemv_stored_account_refused(kernel) || denies_magstripe(kernel))
        return k4_end_card(kernel, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0);
    return k4_memory_of(kernel)->emv ? decide(kernel) : ask_counter(kernel);
}

static enum cemv_step ask_record(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    if (cemv_afl_next(&kernel->afl, &kernel->store, &memory->record))
        return cemv_send_read_record(kernel, K4_WAIT_RECORD, memory->record);
    return records_read(kernel);
}

/* A name whose length differs from the dictionary's is not an error, but the store skips it (Book 3, 7.5). It is stored
 * here as it came. */
kernel_noinline static bool keep_name(struct cemv_kernel *kernel, cemv_bytes body)
{
    struct cemv_tlv template, name;
    if (cemv_store_has(&kernel->store, CEMV_SLOT_5F20)) return true;
    if (!cemv_tlv_find(body, CEMV_TAG_70_RECORD_TEMPLATE, &template) ||
        !cemv_tlv_find(template.value, CEMV_TAG_5F20_CARDHOLDER_NAME, &name))
        return true;
    return cemv_store_put(&kernel->store, CEMV_SLOT_5F20, name.value, CEMV_FROM_CARD);
}

/* 5.3.5. The contents of SFI 11 to 30 are proprietary. A record without a template is skipped there; if it was listed
 * as signed, authentication fails (Book 3, 6.5.11.4, 10.3). */
static enum cemv_step got_record(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    const bool proprietary = memory->record.sfi > CEMV_LAST_EMV_SFI;
    if (status_word != CEMV_SW_OK)
        return k4_end_card(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    if (proprietary && !cemv_record_has_template(body)) {
        if (memory->record.is_signed) memory->static_failed = true;
        return ask_record(kernel);
    }
    const enum cemv_store_error error =
        cemv_store_record_in_place(&kernel->store, body, memory->record.is_signed, proprietary);
    if (error != CEMV_STORE_OK) return k4_end_store(kernel, error);
    return keep_name(kernel, body) ? ask_record(kernel) : k4_end_store(kernel, CEMV_STORE_FULL);
}

/* The whole locator is checked before anything is read (Book 3, 7.5). */
static enum cemv_step ask_first_record(struct cemv_kernel *kernel)
{
    switch (cemv_open_records(kernel)) {
    case CEMV_RECORDS_MALFORMED: return end_data(kernel, CEMV_L2_CARD_DATA_ERROR);
    case CEMV_RECORDS_REFUSED: return k4_end_card(kernel, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0);
    case CEMV_RECORDS_OPEN: break;
    }
    return ask_record(kernel);
}

/* Initiate application processing: 4.3 ----------------------------------------------------------------------------- */

/* The reader sends its capabilities (9F6D, 9F6E) to the card. The card answers with its profile, which selects EMV or
 * mag-stripe mode, and with its file locator. */

/* 2.1.1, 4.3.7: the mode follows from the card's profile and the reader's capabilities. If the protection disables
 * mag-stripe mode, the kernel behaves as if the reader did not support it. */
static enum cemv_step choose_mode(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    uint8_t reader[4];
    const bool allowed = k4_may_use_magstripe(kernel);
    const bool protects = !allowed && k4_has(memory->reader, 1, K4_READER_1_MAGSTRIPE);
    cemv_copy(reader, memory->reader, sizeof reader);
    if (!allowed) reader[0] &= (uint8_t)~K4_READER_1_MAGSTRIPE;
    const uint8_t verdict = k4_mode(memory->profile, reader);
    if (verdict != K4_FINE)
        return k4_end_verdict(kernel, verdict, protects ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL,
                              CEMV_L2_MAGSTRIPE_NOT_SUPPORTED);
    memory->emv = k4_is_emv(memory->profile);
    if (memory->emv && kernel->pdol.size == 0) return end_data(kernel, CEMV_L2_CARD_DATA_MISSING); /* Table 14-1 */
    return ask_first_record(kernel);
}

/* 4.3.6. Only the objects of this response are stored. A phone may also report that its own verification is blocked
 * (4.3.8). */
static enum cemv_step got_gpo(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    enum { BLOCKED = 0x03 };
    struct k4_memory *memory = k4_memory_of(kernel);
    struct cemv_store *store = &kernel->store;
    struct k4_options options;
    if (status_word != CEMV_SW_OK)
        return k4_end_card(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    if (!k4_read_options(body, &options)) return end_data(kernel, CEMV_L2_PARSING_ERROR);
    if (!cemv_store_put(store, CEMV_SLOT_82, options.profile, CEMV_FROM_CARD) ||
        !cemv_store_put(store, CEMV_SLOT_94, options.locator, CEMV_FROM_CARD) ||
        !cemv_store_put(store, K4_SLOT_9F71, options.mobile, CEMV_FROM_CARD))
        return k4_end_store(kernel, CEMV_STORE_FULL);
    cemv_copy(memory->profile, options.profile.data, sizeof memory->profile);
    const bool mobile = (memory->profile[1] & CEMV_AIP_2_MOBILE) != 0;
    if (mobile && options.mobile.size != 0 && options.mobile.data[2] == BLOCKED)
        memory->tvr |= CEMV_TVR(3, CEMV_TVR_3_PIN_TRY_LIMIT_EXCEEDED);
    return choose_mode(kernel);
}

/* 4.3.3: an older card requests the terminal type but not 9F6E. For it, this command alone combines the type with the
 * reader's capabilities. The sent values are kept, because the signature's hash includes them; afterwards the store
 * contains the configured type again. */
static enum cemv_step ask_gpo(struct cemv_kernel *kernel, uint8_t simple)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    const cemv_bytes pdol = cemv_span_bytes(&kernel->store, kernel->pdol);
    struct cemv_gpo_data data;
    const uint8_t sent = k4_type_sent(memory->terminal_type, simple, pdol);
    if (!cemv_store_put_u8(&kernel->store, CEMV_SLOT_9F35, sent)) return k4_end_store(kernel, CEMV_STORE_FULL);
    if (!cemv_gpo_data(kernel, &data)) return end_data(kernel, CEMV_L2_PARSING_ERROR);
    (void)cemv_store_put_u8(&kernel->store, CEMV_SLOT_9F35,
                            memory->terminal_type); /* overwrites in place, so it cannot fail */
    const cemv_bytes values = { data.bytes + data.header, (size_t)data.size - data.header };
    if (!cemv_store_keep(&kernel->store, values, &memory->pdol)) return k4_end_store(kernel, CEMV_STORE_FULL);
    return cemv_send_gpo_data(kernel, K4_WAIT_GPO, &data);
}

/* Entrances -------------------------------------------------------------------------------------------------------- */

/* 4.3.1: the capabilities for this transaction: the configured ones, adapted to the CVM limit and to whether the reader
 * can go online. Absent capabilities count as zero. */
static bool adapt_reader(struct cemv_kernel *kernel, struct k4_capabilities *capabilities)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    const cemv_bytes enhanced = cemv_value(kernel, K4_SLOT_9F6E);
    *capabilities = (struct k4_capabilities){ .simple = cemv_value_byte(kernel, K4_SLOT_9F6D, 0) };
    cemv_copy(capabilities->enhanced, enhanced.data, enhanced.size);
    memory->terminal_type = cemv_value_byte(kernel, CEMV_SLOT_9F35, 0);
    k4_adapt(capabilities, memory->terminal_type, kernel->indicators.cvm_required_limit_exceeded,
             k4_can_go_online(kernel));
    cemv_copy(memory->reader, capabilities->enhanced, sizeof memory->reader);
    return cemv_store_put_u8(&kernel->store, K4_SLOT_9F6D, capabilities->simple) &&
           cemv_value_put(kernel, K4_SLOT_9F6E, memory->reader, sizeof memory->reader);
}

/* At Start D the issuer or the PIN pad has answered, and no card is present (12.2.2). Otherwise a new tap begins. It
 * remembers one fact of the previous tap: whether a Try Again was requested, because the kernel requests it only
 * once. */
static enum cemv_step k4_start(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    const cemv_bytes fci = cemv_span_bytes(&kernel->store, kernel->fci);
    struct k4_capabilities capabilities;
    if (kernel->start == CEMV_START_D) return k4_start_answered(kernel);
    *memory = (struct k4_memory){ .tried_again = memory->tried_again, .language_size = kernel->language_size };
    cemv_copy(memory->language, kernel->language, kernel->language_size);
    if (!k4_fci_ok(fci)) return end_data(kernel, CEMV_L2_PARSING_ERROR);
    if (!adapt_reader(kernel, &capabilities)) return k4_end_store(kernel, CEMV_STORE_FULL);
    return ask_gpo(kernel, capabilities.simple);
}

/* The display step has no response to decode: "card read" is on the screen, and verifying certificates may need
 * time. */
static enum cemv_step k4_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    cemv_bytes body;
    uint16_t status_word;
    if (kernel->out.state == K4_WAIT_DISPLAY) return verify(kernel);
    const uint8_t fault = cemv_reply_decode(reply, &body, &status_word);
    if (fault != CEMV_L1_OK) return k4_end_link(kernel, fault);
    switch ((enum k4_state)kernel->out.state) {
    case K4_WAIT_GPO: return got_gpo(kernel, body, status_word);
    case K4_WAIT_RECORD: return got_record(kernel, body, status_word);
    case K4_WAIT_COUNTER: return got_counter(kernel, body, status_word);
    case K4_WAIT_AC:
    case K4_WAIT_DISPLAY: break;
    }
    return got_ac(kernel, body, status_word);
}

const struct cemv_kernel_module cemv_kernel_4 = {
    .start = k4_start,
    .reply = k4_reply,
    .check = k4_check,
    .tags = { k4_tags, K4_TAGS },
    .edges = &edges,
    .reading = CEMV_READING_STRICT_DUPLICATES | CEMV_READING_FLAT,
    .memory_size = sizeof(struct k4_memory),
};
