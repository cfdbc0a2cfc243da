/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 5 (JCB J/Speedy): the dialogue with the card (Book C-5 v2.10) and the module.
 *
 * A sale is GET PROCESSING OPTIONS, the records, the reader's risk management and action analysis, one GENERATE AC, and
 * the verification of its signature (CDA). The card chooses the method of cardholder verification and returns it in its
 * response. Cards without EMV Mode are read in Legacy Mode (3.9), which always goes online.
 *
 * There are two other beginnings. If the link failed during GENERATE AC in the last tap, the card is asked with ECHO to
 * repeat its response (3.13), so that a sale that it has counted is not lost. If the issuer has answered, the card
 * receives scripts and a second GENERATE AC (3.10).
 *
 * Each function is defined above its caller: to follow a tap, begin at k5_start() and read upwards. The decisions are
 * in k5_rules.c, k5_answers.c parses the card's responses; k5_memory.h names the other parts. Functions that hold a
 * parsed response are not inlined (kernel_noinline), so that it is not on the stack during key recovery. This file
 * knows neither Entry Point nor the session. Conformance/book-c5.md lists where each requirement is met and tested. */
#include "k5_memory.h"

enum { SW_RECOVERED = 0x6200, SW_OTHER_INTERFACE = 0x6984, SW_SEE_PHONE = 0x6986 };

/* From 0: a torn tap, a sale, or the issuer's answer with or without scripts before the second GENERATE AC. A sale
 * consists of GET PROCESSING OPTIONS, records and one GENERATE AC; the script states and the second GENERATE AC belong
 * to the issuer update and never lead back to a sale. */
static const struct cemv_edges edges = {
    .next = {
        [0] = CEMV_TO(K5_WAIT_ECHO) | CEMV_TO(K5_WAIT_GPO) | CEMV_TO(K5_WAIT_SCRIPT) | CEMV_TO(K5_WAIT_SECOND_AC) |
              CEMV_END,
        [K5_WAIT_RANDOM] = CEMV_TO(K5_WAIT_RANDOM) | CEMV_TO(K5_WAIT_AC) | CEMV_END,
        [K5_WAIT_ECHO] = CEMV_TO(K5_WAIT_GPO) | CEMV_END,
        [K5_WAIT_GPO] = CEMV_TO(K5_WAIT_RECORD) | CEMV_END,
        [K5_WAIT_RECORD] =
            CEMV_TO(K5_WAIT_RECORD) | CEMV_TO(K5_WAIT_RANDOM) | CEMV_TO(K5_WAIT_AC) | CEMV_TO(K5_WAIT_LEGACY_AC) |
            CEMV_TO(K5_WAIT_CARD_READ) | CEMV_END,
        [K5_WAIT_AC] = CEMV_TO(K5_WAIT_CARD_READ) | CEMV_END,
        [K5_WAIT_CARD_READ] = CEMV_END,
        [K5_WAIT_LEGACY_AC] = CEMV_END,
        [K5_WAIT_SCRIPT] = CEMV_TO(K5_WAIT_SCRIPT) | CEMV_TO(K5_WAIT_SECOND_AC) | CEMV_END,
        [K5_WAIT_SECOND_AC] = CEMV_TO(K5_WAIT_LAST_SCRIPT) | CEMV_END,
        [K5_WAIT_LAST_SCRIPT] = CEMV_TO(K5_WAIT_LAST_SCRIPT) | CEMV_END,
    },
};

/* The end of EMV Mode: 3.8.3, 3.8.4 -------------------------------------------------------------------------------- */

/* The signature, if there is one, has been verified; the card is no longer needed. */

/* Beyond the book: a card may request to go online at a reader that cannot, and 3.8.4.2 would let it (attacks.md,
 * A10). */
static bool cannot_go_online(const struct cemv_kernel *kernel)
{
    return !cemv_is_book(kernel) && cemv_rules_offline_only(cemv_value_byte(kernel, CEMV_SLOT_9F35, 0));
}

/* The card names the method of cardholder verification in its response, and each method has its own limit. An amount
 * above that limit passes the transaction to the next application. As a last defence, nothing is approved without a
 * good signature, whichever rule led to the approval. */
kernel_noinline static enum cemv_step decide(struct cemv_kernel *kernel)
{
    const struct k5_memory *memory = k5_memory_of(kernel);
    const struct k5_answer answer = k5_read_answer(cemv_span_bytes(&kernel->store, memory->answer));
    const bool online = k5_type(&answer) == CEMV_RULES_ARQC;
    const bool updates = (memory->tip[1] & CEMV_KERNEL_5_TIP_2_ISSUER_UPDATE) != 0;
    if (memory->verified && k5_signs_too_little(kernel) && !online)
        return k5_end_declined(kernel, CEMV_REASON_PROTECTION, CEMV_L2_CAM_FAILED);
    const struct k5_cvm cvm = k5_verify_cardholder(kernel, &answer);
    const uint8_t reason = cvm.replaced ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL;
    if (cvm.verdict == K5_NEXT)
        return cemv_end_select_next(kernel, CEMV_REASON_KERNEL_LIMIT, CEMV_L2_MAX_LIMIT_EXCEEDED, 0);
    if (cvm.verdict == K5_DECLINES) return k5_end_declined(kernel, reason, CEMV_L2_OK);
    if (online && cannot_go_online(kernel)) return k5_end_declined(kernel, CEMV_REASON_PROTECTION, CEMV_L2_OK);
    if (!online && !memory->verified) return cemv_end_silent(kernel, CEMV_REASON_INTERNAL, CEMV_L2_CAM_FAILED, 0);
    return k5_end_decided(kernel, online, cvm.cvm, updates && online ? k5_update_of(&answer) : K5_UPDATE_NONE, reason);
}

/* 3.8.2: a failed signature is declined, even with an ARQC. */
static enum cemv_step conclude(struct cemv_kernel *kernel)
{
    if (!k5_authenticate(kernel)) return k5_end_declined(kernel, CEMV_REASON_KERNEL, CEMV_L2_CAM_FAILED);
    return decide(kernel);
}

/* The answer to GENERATE AC: 3.8.1.5 to 3.8.1.13 ------------------------------------------------------------------- */

/* This also handles the response to ECHO, which repeats the response of the previous tap. */

/* 3.8.1.13: message 17 informs the customer that the card may be removed, before the certificates are verified, which
 * may need time. It is not shown if the card has to stay for the issuer's answer. */
kernel_noinline static enum cemv_step show_card_read(struct cemv_kernel *kernel)
{
    struct cemv_ui_request request = cemv_ui_of(CEMV_MESSAGE_CARD_READ_OK, CEMV_UI_CARD_READ);
    cemv_ui_language(kernel, &request);
    (void)cemv_kernel_show(kernel, &request);
    return cemv_kernel_publish(kernel, K5_WAIT_CARD_READ);
}

/* An unusable response is a decline and not an error, because the card has counted the transaction. */
static enum cemv_step take_answer(struct cemv_kernel *kernel)
{
    switch (k5_check_answer(kernel)) {
    case K5_NEXT_MALFORMED: return k5_end_declined(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR);
    case K5_NEXT_FULL: return k5_end_declined(kernel, CEMV_REASON_STORE_FULL, CEMV_L2_CARD_DATA_ERROR);
    case K5_NEXT_REFUSED: return k5_end_declined(kernel, CEMV_REASON_KERNEL, CEMV_L2_OK);
    case K5_NEXT_SHOW: return show_card_read(kernel);
    case K5_NEXT_CONCLUDE: break;
    }
    return conclude(kernel);
}

/* The response is stored before anything in it is evaluated: the signature covers its bytes, and the display step comes
 * before the verification. */
static enum cemv_step got_ac(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    if (status_word == SW_SEE_PHONE) return k5_end_see_phone(kernel, status_word);
    if (status_word == SW_OTHER_INTERFACE) return k5_end_other_interface(kernel, status_word);
    if (status_word != CEMV_SW_OK)
        return k5_end_failed(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    if (!cemv_store_keep(&kernel->store, body, &memory->answer))
        return k5_end_declined(kernel, CEMV_REASON_STORE_FULL, CEMV_L2_CARD_DATA_ERROR);
    return take_answer(kernel);
}

/* Legacy Mode: 3.9 ------------------------------------------------------------------------------------------------- */

/* A card without EMV Mode responds in format 1. There is no signature, the reader evaluates the card's CVM List itself
 * (3.9.2), and only an ARQC is accepted. */

kernel_noinline static enum cemv_step got_legacy_ac(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    const struct k5_answer answer = k5_read_legacy_answer(body);
    if (status_word != CEMV_SW_OK)
        return k5_end_failed(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    if (!answer.sound) return k5_end_declined(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR);
    if (!k5_keep_cryptogram(kernel, &answer)) /* a decline's record contains it too (Annex C) */
        return k5_end_declined(kernel, CEMV_REASON_STORE_FULL, CEMV_L2_CARD_DATA_ERROR);
    if (k5_type(&answer) != CEMV_RULES_ARQC) return k5_end_declined(kernel, CEMV_REASON_KERNEL, CEMV_L2_OK);
    const struct k5_cvm cvm = k5_choose_from_list(kernel);
    const uint8_t reason = cvm.replaced ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL;
    if (cvm.verdict == K5_DECLINES) return k5_end_declined(kernel, reason, CEMV_L2_OK);
    return k5_end_decided(kernel, true, cvm.cvm, K5_UPDATE_NONE, reason);
}

/* GENERATE AC: 3.7, 3.8.1, 3.9.1 ----------------------------------------------------------------------------------- */

/* A reader that would request an AAC declines without asking the card (3.7.1.6). */

/* CDA is requested whenever it is performed, even if it is known to fail (3.8.1.4). TVR and TIP have had their places
 * in the store since begin(), and k5_records_fault() has checked the list, so that only a lack of space can fail
 * here. */
static enum cemv_step ask_ac(struct cemv_kernel *kernel)
{
    enum { CDA_SIGNATURE = 0x10 }; /* reference control parameter (Book 3, Table 14) */
    struct k5_memory *memory = k5_memory_of(kernel);
    memory->cda_asked = k5_cda_is_on(kernel);
    (void)k5_put_results(kernel);
    if (!k5_fill_in(kernel, cemv_value(kernel, CEMV_SLOT_8C), K5_LIST_MAX, &memory->cdol))
        return k5_end_store(kernel, CEMV_STORE_FULL);
    const uint8_t control = (uint8_t)(memory->requested | (memory->cda_asked ? CDA_SIGNATURE : 0));
    const struct cemv_command command = {
        0x80, 0xAE, control, 0x00, cemv_span_bytes(&kernel->store, memory->cdol), CEMV_LE_MAX
    };
    return cemv_kernel_send(kernel, memory->legacy ? K5_WAIT_LEGACY_AC : K5_WAIT_AC, &command);
}

/* The account's brand is evaluated only after the action analysis, so that a decline by the book is reported as
 * such. */
static enum cemv_step act(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    memory->requested = k5_choose_type(kernel);
    cemv_kernel_note(kernel, CEMV_CLAUSE(3, 7, 1, 0), memory->requested);
    if (memory->requested == CEMV_RULES_AAC) return k5_end_declined(kernel, CEMV_REASON_KERNEL, CEMV_L2_OK);
    if (memory->foreign) return k5_end_declined(kernel, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR);
    return ask_ac(kernel);
}

/* Risk and restrictions: 3.5, 3.6 ---------------------------------------------------------------------------------- */

/* The findings become bits of the TVR and of the dynamic Terminal Interchange Profile (TIP), which are sent to the card
 * with CDOL1. Bits are only added, and action analysis reads them at the end. */

static enum cemv_step restrict_use(struct cemv_kernel *kernel)
{
    k5_check_restrictions(kernel);
    return act(kernel);
}

/* The higher the amount, the more likely the selection: between threshold and floor limit the target percentage rises
 * to the maximum (Book 3, 10.6.2). */
static enum cemv_step select_with(struct cemv_kernel *kernel, uint8_t number)
{
    const struct cemv_kernel_5_options *options = k5_options_of(kernel);
    const struct cemv_rules_selection_in in = {
        .amount = kernel->transaction.amount,
        .floor_limit = options->limits.amount[CEMV_LIMIT_FLOOR],
        .threshold = options->threshold,
        .target = options->target,
        .maximum = options->maximum_target,
        .number = number,
    };
    if (cemv_rules_randomly_selected(&in)) k5_memory_of(kernel)->tvr |= CEMV_TVR(4, CEMV_TVR_4_RANDOMLY_SELECTED);
    return restrict_use(kernel);
}

/* 3.5.4: a percentage is compared with a random number. A random value that would make some results more likely than
 * others is rejected and another one is drawn; if the pool is empty, the driver is asked for more. */
static enum cemv_step select_randomly(struct cemv_kernel *kernel)
{
    uint8_t random[4], number;
    do {
        if (!cemv_random_draw(&kernel->random, random)) return cemv_ask_random(kernel, K5_WAIT_RANDOM);
    } while (!k5_number(random, &number));
    return select_with(kernel, number);
}

static enum cemv_step got_random(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    if (reply->kind != CEMV_REPLY_DATA || reply->bytes.size < 4)
        return cemv_end_silent(kernel, CEMV_REASON_RANDOM, CEMV_L2_OK, 0);
    cemv_random_fill(&kernel->random, reply->bytes);
    return select_randomly(kernel);
}

/* 3.5.1 to 3.5.3. The transaction limit ends a tap here only in Legacy Mode: in EMV Mode the limit depends on the
 * method that the card will choose (3.8.3). Random selection is for amounts within the floor limit. */
static enum cemv_step check_limits(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const struct cemv_kernel_5_options *options = k5_options_of(kernel);
    const struct cemv_limits *limits = &options->limits;
    const uint64_t amount = kernel->transaction.amount;
    const struct k5_floor_in floor = {
        .legacy = memory->legacy,
        .terminal_type = cemv_value_byte(kernel, CEMV_SLOT_9F35, 0),
        .options = k5_option(kernel, CEMV_KERNEL_5_STATUS_CHECK) ? CEMV_KERNEL_5_STATUS_CHECK : 0,
        .exponent = kernel->transaction.exponent,
        .amount = amount,
        .limits = limits,
    };
    const bool limited = (limits->present >> CEMV_LIMIT_TRANSACTION & 1u) != 0;
    if (memory->legacy && limited && amount >= limits->amount[CEMV_LIMIT_TRANSACTION]) /* 3.5.1.1 */
        return cemv_end_select_next(kernel, CEMV_REASON_KERNEL_LIMIT, CEMV_L2_MAX_LIMIT_EXCEEDED, 0);
    if (k5_cvm_required(kernel->transaction.type, amount, limits)) memory->tip[0] |= CEMV_KERNEL_5_TIP_1_CVM_REQUIRED;
    if (k5_exceeds_floor(&floor)) memory->tvr |= CEMV_TVR(4, CEMV_TVR_4_FLOOR_LIMIT_EXCEEDED);
    else if (k5_option(kernel, CEMV_KERNEL_5_RANDOM_SELECTION)) return select_randomly(kernel);
    return restrict_use(kernel);
}

/* Read application data: 3.4 --------------------------------------------------------------------------------------- */

/* Reads all records of the file locator. Mandatory objects are checked when all have been read, since an object may be
 * in any record. */

/* 3.13.5.4: this is either the card of the torn tap or another one. */
static enum cemv_step recovered(struct cemv_kernel *kernel)
{
    if (!k5_restore(kernel)) return k5_end_failed(kernel, CEMV_REASON_CARD_SWITCHED, CEMV_L2_CARD_DATA_ERROR, 0);
    return take_answer(kernel);
}

/* The end of reading. A torn tap makes no new decisions: they were made when its GENERATE AC was sent, and its stored
 * response is evaluated instead. */
static enum cemv_step all_read(struct cemv_kernel *kernel)
{
    const uint8_t fault = k5_records_fault(kernel);
    if (kernel->store.terminal_tag_from_card) cemv_finding_add(kernel, CEMV_FINDING_TERMINAL_TAG_FROM_CARD);
    if (fault != CEMV_L2_OK) return k5_end_failed(kernel, CEMV_REASON_CARD_DATA, fault, 0);
    if (!k5_look_at_account(kernel)) return k5_end_failed(kernel, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0);
    k5_look_for_certificates(kernel);
    if (k5_memory_of(kernel)->recovering) return recovered(kernel);
    k5_look_for_downgrade(kernel);
    return check_limits(kernel);
}

static enum cemv_step ask_record(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    if (cemv_afl_next(&kernel->afl, &kernel->store, &memory->record))
        return cemv_send_read_record(kernel, K5_WAIT_RECORD, memory->record);
    return all_read(kernel);
}

/* The contents of SFI 11 to 30 are proprietary. A record without a template is skipped there; if it was listed as
 * signed, authentication fails (Book 3, 6.5.11.4, 10.3). */
static enum cemv_step got_record(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const bool proprietary = memory->record.sfi > CEMV_LAST_EMV_SFI;
    if (status_word != CEMV_SW_OK)
        return k5_end_failed(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    if (proprietary && !cemv_record_has_template(body)) {
        if (memory->record.is_signed) memory->static_failed = true;
        return ask_record(kernel);
    }
    const enum cemv_store_error error =
        cemv_store_record_in_place(&kernel->store, body, memory->record.is_signed, proprietary);
    return error == CEMV_STORE_OK ? ask_record(kernel) : k5_end_store(kernel, error);
}

/* The whole locator is checked before anything is read (3.3.1.6; Book 3, 7.5). */
static enum cemv_step ask_first_record(struct cemv_kernel *kernel)
{
    switch (cemv_open_records(kernel)) {
    case CEMV_RECORDS_MALFORMED: return k5_end_failed(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR, 0);
    case CEMV_RECORDS_REFUSED: return k5_end_failed(kernel, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0);
    case CEMV_RECORDS_OPEN: break;
    }
    return ask_record(kernel);
}

/* Initiate application processing: 3.3 ----------------------------------------------------------------------------- */

/* The PDOL values are kept as sent, because the signature covers them byte by byte. */

/* In a recovery the card reports success with another status word (3.13.4.1). */
static bool is_good(const struct k5_memory *memory, uint16_t status_word)
{
    return status_word == (memory->recovering ? SW_RECOVERED : CEMV_SW_OK);
}

/* The profile must offer EMV Mode, unless the FCI has selected Legacy Mode (3.3.1.4). */
static enum cemv_step got_gpo(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const struct k5_gpo gpo = k5_read_gpo(body);
    if (!is_good(memory, status_word))
        return k5_end_failed(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    if (!gpo.whole) return k5_end_failed(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_PARSING_ERROR, 0);
    if (!memory->legacy && (gpo.profile.data[1] & CEMV_AIP_2_EMV_MODE) == 0)
        return k5_end_failed(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR, 0);
    if (!cemv_store_put(&kernel->store, CEMV_SLOT_82, gpo.profile, CEMV_FROM_CARD) ||
        !cemv_store_put(&kernel->store, CEMV_SLOT_94, gpo.locator, CEMV_FROM_CARD))
        return k5_end_store(kernel, CEMV_STORE_FULL);
    if (!k5_cda_is_on(kernel)) memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_ODA_NOT_PERFORMED); /* 3.3.1.7 */
    return ask_first_record(kernel);
}

static enum cemv_step ask_gpo(struct cemv_kernel *kernel, cemv_bytes pdol)
{
    struct cemv_gpo_data data;
    if (!k5_fill_in(kernel, pdol, CEMV_PDOL_VALUES_MAX, &k5_memory_of(kernel)->pdol))
        return k5_end_failed(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_PARSING_ERROR, 0);
    cemv_gpo_data_of(cemv_span_bytes(&kernel->store, k5_memory_of(kernel)->pdol), &data);
    return cemv_send_gpo_data(kernel, K5_WAIT_GPO, &data);
}

/* Activation: 3.2 -------------------------------------------------------------------------------------------------- */

/* Objects of the FCI, for records and lists; those whose format is wrong count as absent (Book 1, 12.2.4). */
static void keep_fci(struct cemv_kernel *kernel, const struct k5_fci *fci)
{
    struct cemv_store *store = &kernel->store;
    struct cemv_tlv_cursor cursor = cemv_tlv_open(fci->proprietary);
    struct cemv_tlv object;
    (void)cemv_store_card(store, CEMV_SLOT_84, fci->name);
    while (cemv_tlv_next(&cursor, &object)) {
        const uint16_t slot = cemv_slot_of(store->tags, object.tag);
        if (slot == CEMV_SLOT_NONE || object.constructed || cemv_store_has(store, slot)) continue;
        if ((cemv_tag_row_at(store->tags, slot)->templates & CEMV_TEMPLATE_FCI) != 0)
            (void)cemv_store_card(store, slot, object.value);
    }
}

/* 3.2.1.5 to 3.2.1.8: the beginning of every sale and every recovery: no findings, the configured TIP, the objects of
 * the FCI. */
static bool begin(struct cemv_kernel *kernel, const struct k5_fci *fci)
{
    enum { COMPATIBILITY = 0x02 }; /* A.8: EMV Mode */
    struct k5_memory *memory = k5_memory_of(kernel);
    memory->tvr = 0;
    memory->legacy = false;
    cemv_copy(memory->tip, k5_options_of(kernel)->terminal_interchange_profile, sizeof memory->tip);
    memory->tip[0] &= (uint8_t)~CEMV_KERNEL_5_TIP_1_CVM_REQUIRED;
    memory->name_size = (uint8_t)(fci->name.size < K5_NAME_MAX ? fci->name.size : K5_NAME_MAX);
    cemv_copy(memory->name, fci->name.data, memory->name_size);
    keep_fci(kernel, fci);
    return cemv_store_put_u8(&kernel->store, K5_SLOT_9F52, COMPATIBILITY) && k5_put_results(kernel);
}

/* A PDOL without 9F52 belongs to a card that does not know EMV Mode (3.2.1.9). */
static enum cemv_step start_sale(struct cemv_kernel *kernel, const struct k5_fci *fci)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    *memory = (struct k5_memory){ .cvm = CEMV_CVM_NA };
    if (!fci->whole || fci->pdol.size == 0) /* 3.2.1.4 */
        return k5_end_failed(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_MISSING, 0);
    if (!begin(kernel, fci)) return k5_end_store(kernel, CEMV_STORE_FULL);
    memory->legacy = !k5_dol_asks(fci->pdol, CEMV_TAG_9F52_TERMINAL_COMPATIBILITY_INDICATOR, 0);
    if (memory->legacy && !k5_takes_legacy(kernel)) /* 3.2.1.10 */
        return k5_end_failed(kernel, CEMV_REASON_KERNEL, CEMV_L2_CARD_DATA_ERROR, 0);
    return ask_gpo(kernel, fci->pdol);
}

/* A torn tap: 3.13 ------------------------------------------------------------------------------------------------- */

/* The card may have counted a sale whose response the reader never received. The context of that tap is in the reader's
 * memory (k5_torn.c); the card keeps its response and returns it again on request. */

/* 3.13.1: ECHO comes before every other command of the tap. */
static enum cemv_step start_recovery(struct cemv_kernel *kernel, const struct k5_fci *fci)
{
    const struct cemv_command echo = { 0x80, 0xDF, 0x00, 0x00, { NULL, 0 }, CEMV_LE_MAX };
    k5_memory_of(kernel)->recovering = true;
    if (!fci->whole || fci->pdol.size == 0 ||
        !k5_dol_asks(fci->pdol, CEMV_TAG_9F52_TERMINAL_COMPATIBILITY_INDICATOR, 0))
        return k5_end_failed(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_MISSING, 0);
    return cemv_kernel_send(kernel, K5_WAIT_ECHO, &echo);
}

/* 3.13.2, 3.13.3: a card that has nothing to repeat begins an ordinary sale. Otherwise the response is kept until the
 * records have shown whether this is the card of the torn tap. */
static enum cemv_step got_echo(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    const struct k5_fci fci = k5_read_fci(cemv_span_bytes(&kernel->store, kernel->fci));
    if (status_word != CEMV_SW_OK) return start_sale(kernel, &fci);
    if (!cemv_store_keep(&kernel->store, body, &k5_memory_of(kernel)->answer) || !begin(kernel, &fci))
        return k5_end_store(kernel, CEMV_STORE_FULL);
    return ask_gpo(kernel, fci.pdol);
}

/* Issuer scripts after the second GENERATE AC: 3.10.5 -------------------------------------------------------------- */

/* Templates 72. The outcome has been decided, and waits in `prepared` until the last command has been sent. */

static enum cemv_step ask_last_script(struct cemv_kernel *kernel)
{
    struct cemv_command command;
    if (k5_next_command(kernel, CEMV_TAG_72_ISSUER_SCRIPT_TEMPLATE_2, CEMV_TVR_5_SCRIPT_FAILED_AFTER_AC, &command))
        return cemv_kernel_send(kernel, K5_WAIT_LAST_SCRIPT, &command);
    return k5_end_update(kernel, k5_memory_of(kernel)->prepared);
}

/* The second GENERATE AC: 3.10.3, 3.10.4 --------------------------------------------------------------------------- */

/* The card learns the issuer's decision. It can only lower it, from a requested TC to an AAC. */

static enum cemv_step ask_second_ac(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    if (!memory->has_second) return cemv_end_silent(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_MISSING, 0);
    k5_complete_second(kernel);
    const struct cemv_command command = {
        0x80, 0xAE, memory->requested, 0x00, { memory->second, memory->second_size }, CEMV_LE_MAX
    };
    return cemv_kernel_send(kernel, K5_WAIT_SECOND_AC, &command);
}

/* A different counter belongs to another card or another transaction (attacks.md, A29). */
static bool other_counter(const struct cemv_kernel *kernel, const struct k5_memory *memory, cemv_bytes atc)
{
    return !cemv_is_book(kernel) && !cemv_bytes_equal(atc, (cemv_bytes){ memory->atc, sizeof memory->atc });
}

kernel_noinline static enum cemv_step got_second_ac(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    if (status_word != CEMV_SW_OK)
        return cemv_end_silent(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    if (!cemv_store_keep(&kernel->store, body, &memory->answer))
        return cemv_end_silent(kernel, CEMV_REASON_STORE_FULL, CEMV_L2_CARD_DATA_ERROR, 0);
    const struct k5_answer answer = k5_read_answer(cemv_span_bytes(&kernel->store, memory->answer));
    if (!k5_is_second_answer(&answer))
        return cemv_end_silent(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR, 0);
    if (other_counter(kernel, memory, answer.object[K5_ATC]))
        return cemv_end_silent(kernel, CEMV_REASON_CARD_SWITCHED, CEMV_L2_CARD_DATA_ERROR, 0);
    const uint8_t type = k5_type(&answer);
    const bool approves = type == CEMV_RULES_TC && memory->requested == CEMV_RULES_TC; /* 3.10.3.9 */
    memory->prepared = approves ? CEMV_OUTCOME_APPROVED : CEMV_OUTCOME_DECLINED;
    if (!approves && type != CEMV_RULES_AAC) { /* 3.10.3.8, .9: immediately, and no part of this response is kept */
        memory->answer.size = 0;
        return k5_end_update(kernel, CEMV_OUTCOME_DECLINED);
    }
    k5_open_scripts(kernel);
    return ask_last_script(kernel);
}

/* Issuer scripts before it: 3.10.2 --------------------------------------------------------------------------------- */

/* Templates 71. A failing script is recorded in the TVR, which the second GENERATE AC sends to the card, and the next
 * script follows. */

static enum cemv_step ask_script(struct cemv_kernel *kernel)
{
    struct cemv_command command;
    if (k5_next_command(kernel, CEMV_TAG_71_ISSUER_SCRIPT_TEMPLATE_1, CEMV_TVR_5_SCRIPT_FAILED_BEFORE_AC, &command))
        return cemv_kernel_send(kernel, K5_WAIT_SCRIPT, &command);
    if (!k5_needs_second_ac(kernel)) /* 3.10.2.2 */
        return cemv_end_silent(kernel, CEMV_REASON_KERNEL, CEMV_L2_OK, 0);
    return ask_second_ac(kernel);
}

/* 3.10.2.1, 3.10.5.1: after a failing command the rest of its template is skipped. */
static enum cemv_step got_script(struct cemv_kernel *kernel, uint16_t status_word)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const bool last = kernel->out.state == K5_WAIT_LAST_SCRIPT;
    const unsigned high = status_word >> 8;
    if (high != 0x90 && high != 0x62 && high != 0x63) {
        memory->tvr |= CEMV_TVR(5, last ? CEMV_TVR_5_SCRIPT_FAILED_AFTER_AC : CEMV_TVR_5_SCRIPT_FAILED_BEFORE_AC);
        memory->scripts.script.size = 0;
    }
    return last ? ask_last_script(kernel) : ask_script(kernel);
}

/* The restart with the answer: 3.10.1 ------------------------------------------------------------------------------ */

/* The card either is still in the field (Start D, without a new FCI) or was presented again (Start B). The record of
 * the first outcome is kept, because the update's outcome repeats it with the values of the second response
 * (3.10.4.5). */

/* Beyond the book: the issuer's answer is only for the card that went online (attacks.md, A29). */
static bool other_card(struct cemv_kernel *kernel, cemv_bytes name)
{
    const struct k5_memory *memory = k5_memory_of(kernel);
    if (cemv_bytes_equal(name, (cemv_bytes){ memory->name, memory->name_size })) return false;
    cemv_finding_add(kernel, CEMV_FINDING_DF_NAME_MISMATCH);
    return !cemv_is_book(kernel);
}

static enum cemv_step start_update(struct cemv_kernel *kernel, const struct k5_fci *fci)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const cemv_bytes record = { kernel->out.records, memory->record_size };
    const bool updates = (memory->tip[1] & CEMV_KERNEL_5_TIP_2_ISSUER_UPDATE) != 0;
    if (!k5_brings_enough(kernel) || !updates) return cemv_end_silent(kernel, CEMV_REASON_KERNEL, CEMV_L2_OK, 0);
    if (kernel->fci.size != 0 || kernel->start != CEMV_START_D) {
        if (!fci->whole) return cemv_end_silent(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_PARSING_ERROR, 0);
        if (other_card(kernel, fci->name))
            return cemv_end_silent(kernel, CEMV_REASON_CARD_SWITCHED, CEMV_L2_CARD_DATA_ERROR, 0);
    }
    if (!cemv_store_keep(&kernel->store, record, &memory->first))
        return cemv_end_silent(kernel, CEMV_REASON_STORE_FULL, CEMV_L2_OK, 0);
    memory->answer.size = 0;
    k5_open_scripts(kernel);
    return ask_script(kernel);
}

/* Entrances -------------------------------------------------------------------------------------------------------- */

/* 3.2.1.1 to 3.2.1.3: the three beginnings. A presentment with an issuer's answer never becomes a new sale. */
static enum cemv_step k5_start(struct cemv_kernel *kernel)
{
    const struct k5_fci fci = k5_read_fci(cemv_span_bytes(&kernel->store, kernel->fci));
    if (kernel->online_response_present) return start_update(kernel, &fci);
    return k5_take_context(kernel) ? start_recovery(kernel, &fci) : start_sale(kernel, &fci);
}

/* 3.11.2: a link fault. In the first GENERATE AC the tap becomes a torn one and its context is stored. During an issuer
 * update nothing is restarted: before the second response the tap ends without a message, afterwards the outcome is
 * known. */
static enum cemv_step got_fault(struct cemv_kernel *kernel, uint8_t l1)
{
    switch ((enum k5_state)kernel->out.state) {
    case K5_WAIT_AC: k5_remember(kernel); break;
    case K5_WAIT_SCRIPT:
    case K5_WAIT_SECOND_AC: return cemv_end_silent(kernel, CEMV_REASON_LINK, CEMV_L2_OK, 0);
    case K5_WAIT_LAST_SCRIPT: return k5_end_update(kernel, k5_memory_of(kernel)->prepared);
    case K5_WAIT_RANDOM:
    case K5_WAIT_ECHO:
    case K5_WAIT_GPO:
    case K5_WAIT_RECORD:
    case K5_WAIT_CARD_READ:
    case K5_WAIT_LEGACY_AC: break;
    }
    return k5_end_link(kernel, l1);
}

/* Two states do not wait for the card: the driver supplies random bytes, and the display step has no response to
 * decode. */
static enum cemv_step k5_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    cemv_bytes body;
    uint16_t status_word;
    if (kernel->out.state == K5_WAIT_RANDOM) return got_random(kernel, reply);
    if (kernel->out.state == K5_WAIT_CARD_READ) return conclude(kernel);
    const uint8_t fault = cemv_reply_decode(reply, &body, &status_word);
    if (fault != CEMV_L1_OK) return got_fault(kernel, fault);
    switch ((enum k5_state)kernel->out.state) {
    case K5_WAIT_ECHO: return got_echo(kernel, body, status_word);
    case K5_WAIT_GPO: return got_gpo(kernel, body, status_word);
    case K5_WAIT_RECORD: return got_record(kernel, body, status_word);
    case K5_WAIT_AC: return got_ac(kernel, body, status_word);
    case K5_WAIT_LEGACY_AC: return got_legacy_ac(kernel, body, status_word);
    case K5_WAIT_SECOND_AC: return got_second_ac(kernel, body, status_word);
    case K5_WAIT_SCRIPT:
    case K5_WAIT_LAST_SCRIPT:
    case K5_WAIT_RANDOM:
    case K5_WAIT_CARD_READ: break;
    }
    return got_script(kernel, status_word);
}

const struct cemv_kernel_module cemv_kernel_5 = {
    .start = k5_start,
    .reply = k5_reply,
    .check = k5_check,
    .tags = { k5_tags, K5_TAGS },
    .edges = &edges,
    .reading = CEMV_READING_STRICT_DUPLICATES | CEMV_READING_FLAT,
    .memory_size = sizeof(struct k5_memory),
};
