/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 4 (American Express): the dialogue with the card, Book C-4 v2.10, and the module.
 *
 * The order of a tap is that of a contact transaction: GET PROCESSING OPTIONS, the records, then restrictions,
 * cardholder verification and action analysis without the card, and one GENERATE AC, which requests what the reader has
 * decided. In mag-stripe mode the steps are the same, but a counter is fetched with GET DATA first, and the cryptogram
 * goes to a host as digits of the tracks.
 *
 * Each function is defined above its caller: a tap is followed from k4_start() upwards. The decisions are pure
 * functions in k4_rules.c; k4_memory.h names the other parts. "Contact" is Try Another Interface towards the contact
 * chip, the book's way out where reader and card both have one. Knows neither Entry Point nor the session. Where each
 * requirement is met and tested: Conformance/book-c4.md. */
#include "k4_memory.h"

enum {
    SW_SEE_PHONE = 0x6984,
};

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

/* The card has answered and may leave: no command follows (2.3.1). What remains is to look at its signature, and at
 * whether it gave what was requested or less. */

/* 11.2.4 to 11.2.6, 12.2.1. In mag-stripe mode the counter of GET DATA must be that of the cryptogram, or it came from
 * another card. An AAC ends before the two are compared, and so does a signature that does not hold. Whatever
 * led to an approval that the protection forbids, it does not leave the kernel. */
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

/* "Card read OK" (11.2.4 to 11.2.6): not where the card returned what was not requested, nor for an ARQC at a reader
 * that is offline only. It is seen before a signature is looked at. */
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

/* The response, which lies in the arena. Its objects stay there as they came, because the signature covers them byte by
 * byte (Book 2, 6.6.2). */
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

/* 11.2.1: an answer in the wrong format. */
static enum cemv_step end_format(struct cemv_kernel *kernel)
{
    if (k4_memory_of(kernel)->can_insert) return k4_end_contact(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_PARSING_ERROR);
    return end_data(kernel, CEMV_L2_PARSING_ERROR);
}

/* 11.2.3: 6984 asks the holder to look at the phone and present it again. Once: a phone that says it again ends the tap
 * like any other status word. */
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

/* A signature is requested except with an AAC; where that is all there would have been, nothing was authenticated
 * (6.2.1.1, 6.2.6.2). */
static void choose_control(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    const bool pending = memory->method == K4_CDA && (memory->tvr & CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED)) == 0;
    memory->control = k4_choose_type(kernel);
    if (!pending) return;
    if (memory->control == CEMV_RULES_AAC) memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_ODA_NOT_PERFORMED);
    else memory->control |= K4_CDA_ASKED;
}

/* 10.2.3.1.1: in mag-stripe mode the number is a month, 0000YYMM, at most `range` months before the effective date. Its
 * last four digits go into the tracks (12.2.1.3). */
static bool put_number(struct cemv_kernel *kernel)
{
    uint8_t number[4];
    const uint16_t range = k4_options_of(kernel)->number_range;
    if (k4_memory_of(kernel)->emv) return true;
    k4_number(cemv_be32(kernel->unpredictable_number), range != 0 ? range : 60, cemv_value(kernel, CEMV_SLOT_5F25).data,
              number);
    return cemv_value_put(kernel, CEMV_SLOT_9F37, number, sizeof number);
}

/* The TVR is complete now and goes to the card with CDOL1. What was sent is kept: the signature covers it. */
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

/* Everything that is decided from data alone. The book has these steps between the records and GENERATE AC. */

/* 7.2.2 to 9, then the command. Cardholder verification may end the tap before the card is asked for anything: the
 * phone has to be used and presented again (Table 8-2), or no method is left. */
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

/* 7.2.4.1: what a host needs to see a mag-stripe transaction: tracks, name, effective date and the counter. */
static bool has_magstripe_data(struct cemv_kernel *kernel)
{
    const struct cemv_store *store = &kernel->store;
    return k4_memory_of(kernel)->counter_size != 0 && cemv_store_has(store, CEMV_SLOT_57) &&
           cemv_store_has(store, CEMV_SLOT_5F20) && cemv_store_has(store, CEMV_SLOT_5F25) &&
           k4_tracks_usable(cemv_value(kernel, CEMV_SLOT_5A), cemv_value(kernel, CEMV_SLOT_57));
}

/* 7.2.1.7, 7.2.1.8: above the limit of the set that the card chose. */
static enum cemv_step end_not_allowed(struct cemv_kernel *kernel)
{
    const struct k4_memory *memory = k4_memory_of(kernel);
    if (memory->emv && memory->can_insert)
        return k4_end_contact(kernel, CEMV_REASON_KERNEL, CEMV_L2_MAX_LIMIT_EXCEEDED);
    return k4_end_card(kernel, CEMV_REASON_KERNEL_LIMIT, CEMV_L2_MAX_LIMIT_EXCEEDED, 0);
}

/* Authentication comes before the limits, since the card chooses the set of limits by 9F70, and a set that nothing
 * authenticates may be a forged one. */
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

/* All records of the locator, then in mag-stripe mode the counter. */

/* An answer without a counter is no fault here: the counter counts as missing, and 7.2.4.1 ends the tap. */
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

static bool is_date(cemv_bytes value)
{
    uint32_t day;
    return value.size == 0 || cemv_date_read(value, &day);
}

/* Beyond the book: a card that says it has no mag-stripe mode, and was made to use it (attacks.md, A27). */
static bool denies_magstripe(struct cemv_kernel *kernel)
{
    enum { NO_MAGSTRIPE = 0x04 };
    return cemv_is_strict(kernel) && !k4_memory_of(kernel)->emv &&
           (cemv_value_byte(kernel, K4_SLOT_9F70, 0) & NO_MAGSTRIPE) != 0;
}

/* 5.3.3, Table 14-3: what must be there, and dates that are dates (Book 3, 7.5). */
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

/* A name of another length than the dictionary's is no fault and not stored (Book 3, 7.5): it is taken as it is. */
kernel_noinline static bool keep_name(struct cemv_kernel *kernel, cemv_bytes body)
{
    struct cemv_tlv template, name;
    if (cemv_store_has(&kernel->store, CEMV_SLOT_5F20)) return true;
    if (!cemv_tlv_find(body, CEMV_TAG_70_RECORD_TEMPLATE, &template) ||
        !cemv_tlv_find(template.value, CEMV_TAG_5F20_CARDHOLDER_NAME, &name))
        return true;
    return cemv_store_put(&kernel->store, CEMV_SLOT_5F20, name.value, CEMV_FROM_CARD);
}

/* 5.3.5. A record of SFI 11 to 30 may hold anything: one without a template is skipped, and if it was to be signed,
 * authentication fails (Book 3, 6.5.11.4, 10.3). */
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

/* The reader tells the card what it can do (9F6D, 9F6E), and the card answers with its profile, which says whether this
 * is EMV or mag-stripe mode. */

/* 2.1.1, 4.3.7: the mode, by the card's profile and the reader's capabilities. A reader whose mag-stripe mode the
 * protection takes away has EMV mode alone, and ends as such a reader would. */
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

/* 4.3.6. Only the objects of the answer itself are kept. A phone also reports that its own verification is blocked
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

/* 4.3.3: to an older card, which asks for the terminal type without 9F6E, this command alone says in the type what the
 * reader can do. What was sent is kept, because it is hashed; afterwards the type is the configured one again. */
static enum cemv_step ask_gpo(struct cemv_kernel *kernel, uint8_t simple)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    const cemv_bytes pdol = cemv_span_bytes(&kernel->store, kernel->pdol);
    struct cemv_gpo_data data;
    const uint8_t sent = k4_type_sent(memory->terminal_type, simple, pdol);
    if (!cemv_store_put_u8(&kernel->store, CEMV_SLOT_9F35, sent)) return k4_end_store(kernel, CEMV_STORE_FULL);
    if (!cemv_gpo_data(kernel, &data)) return end_data(kernel, CEMV_L2_PARSING_ERROR);
    (void)cemv_store_put_u8(&kernel->store, CEMV_SLOT_9F35, memory->terminal_type); /* where the other one stood */
    const cemv_bytes values = { data.bytes + data.header, (size_t)data.size - data.header };
    if (!cemv_store_keep(&kernel->store, values, &memory->pdol)) return k4_end_store(kernel, CEMV_STORE_FULL);
    return cemv_send_gpo_data(kernel, K4_WAIT_GPO, &data);
}

/* Entrances -------------------------------------------------------------------------------------------------------- */

/* 4.3.1: the capabilities of this transaction: as configured, with the CVM limit and a missing line taken into account.
 * Absent ones say that the reader can do nothing. */
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

/* At Start D the issuer or the PIN pad has answered, and no card is there (12.2.2). Otherwise a tap begins; all that it
 * knows of an earlier one is that a Try Again was given, which is given once. */
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

/* The display step has nothing to decode: "card read" is on the screen, and certificates may take their time. */
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
