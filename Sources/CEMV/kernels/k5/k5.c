/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 5 (JCB J/Speedy): the dialogue with the card up to GENERATE AC, Book C-5 v2.10, 3.2 to 3.4, and the module.
 * The decisions are in k5_rules.c and k5_answers.c; k5_memory.h names the other parts. Knows neither Entry Point nor
 * the session. */
#include "k5_memory.h"

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

/* Read application data: 3.4 --------------------------------------------------------------------------------------- */

static enum cemv_step ask_record(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    if (cemv_afl_next(&kernel->afl, &kernel->store, &memory->record))
        return cemv_send_read_record(kernel, K5_WAIT_RECORD, memory->record);
    return k5_all_read(kernel);
}

static enum cemv_step got_record(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const bool proprietary = memory->record.sfi > CEMV_LAST_EMV_SFI;
    if (status_word != CEMV_SW_OK)
        return k5_end_failed(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    if (proprietary && !cemv_record_has_template(body)) {
        if (memory->record.is_signed) memory->static_failed = true; /* what it holds is its owner's */
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

/* A recovery has a status word of its own that is good (3.13.4.1). */
static bool is_good(const struct k5_memory *memory, uint16_t status_word)
{
    enum { SW_RECOVERED = 0x6200 };
    return status_word == (memory->recovering ? SW_RECOVERED : CEMV_SW_OK);
}

static enum cemv_step got_gpo(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const struct k5_gpo gpo = k5_read_gpo(body);
    if (!is_good(memory, status_word))
        return k5_end_failed(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    if (!gpo.whole) return k5_end_failed(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_PARSING_ERROR, 0);
    if (!memory->legacy && (gpo.profile.data[1] & CEMV_AIP_2_EMV_MODE) == 0) /* 3.3.1.4 */
        return k5_end_failed(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR, 0);
    if (!cemv_store_put(&kernel->store, CEMV_SLOT_82, gpo.profile, CEMV_FROM_CARD) ||
        !cemv_store_put(&kernel->store, CEMV_SLOT_94, gpo.locator, CEMV_FROM_CARD))
        return k5_end_store(kernel, CEMV_STORE_FULL);
    if (!k5_cda_is_on(kernel)) memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_ODA_NOT_PERFORMED); /* 3.3.1.7 */
    return ask_first_record(kernel);
}

enum cemv_step k5_ask_gpo(struct cemv_kernel *kernel, cemv_bytes pdol)
{
    struct cemv_gpo_data data;
    if (!k5_fill_in(kernel, pdol, CEMV_PDOL_VALUES_MAX, &k5_memory_of(kernel)->pdol))
        return k5_end_failed(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_PARSING_ERROR, 0);
    cemv_gpo_data_of(cemv_span_bytes(&kernel->store, k5_memory_of(kernel)->pdol), &data);
    return cemv_send_gpo_data(kernel, K5_WAIT_GPO, &data);
}

/* Activation: 3.2 -------------------------------------------------------------------------------------------------- */

bool k5_put_results(struct cemv_kernel *kernel)
{
    const struct k5_memory *memory = k5_memory_of(kernel);
    uint8_t tvr[5];
    cemv_rules_bits_put(tvr, memory->tvr);
    return cemv_value_put(kernel, CEMV_SLOT_95, tvr, sizeof tvr) &&
           cemv_value_put(kernel, K5_SLOT_9F53, memory->tip, sizeof memory->tip);
}

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

/* 3.2.1.5 to 3.2.1.8 */
bool k5_begin(struct cemv_kernel *kernel, const struct k5_fci *fci)
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

enum cemv_step k5_start_sale(struct cemv_kernel *kernel, const struct k5_fci *fci)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    *memory = (struct k5_memory){ .cvm = CEMV_CVM_NA };
    if (!fci->whole || fci->pdol.size == 0) /* 3.2.1.4 */
        return k5_end_failed(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_MISSING, 0);
    if (!k5_begin(kernel, fci)) return k5_end_store(kernel, CEMV_STORE_FULL);
    memory->legacy = !k5_dol_asks(fci->pdol, CEMV_TAG_9F52_TERMINAL_COMPATIBILITY_INDICATOR, 0);
    if (memory->legacy && !k5_takes_legacy(kernel)) /* 3.2.1.10 */
        return k5_end_failed(kernel, CEMV_REASON_KERNEL, CEMV_L2_CARD_DATA_ERROR, 0);
    return k5_ask_gpo(kernel, fci->pdol);
}

/* 3.2.1.1 to 3.2.1.3. A presentment that follows an answer of the issuer never becomes a new sale. */
static enum cemv_step k5_start(struct cemv_kernel *kernel)
{
    const cemv_bytes bytes = cemv_span_bytes(&kernel->store, kernel->fci);
    const struct k5_fci fci = k5_read_fci(bytes);
    if (kernel->online_response_present) return k5_start_update(kernel, &fci);
    return k5_take_context(kernel) ? k5_start_recovery(kernel, &fci) : k5_start_sale(kernel, &fci);
}

/* Replies ---------------------------------------------------------------------------------------------------------- */

/* 3.11.2 */
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

static enum cemv_step k5_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    cemv_bytes body;
    uint16_t status_word;
    if (kernel->out.state == K5_WAIT_RANDOM) return k5_got_random(kernel, reply);
    if (kernel->out.state == K5_WAIT_CARD_READ) return k5_conclude(kernel);
    const uint8_t fault = cemv_reply_decode(reply, &body, &status_word);
    if (fault != CEMV_L1_OK) return got_fault(kernel, fault);
    switch ((enum k5_state)kernel->out.state) {
    case K5_WAIT_ECHO: return k5_got_echo(kernel, body, status_word);
    case K5_WAIT_GPO: return got_gpo(kernel, body, status_word);
    case K5_WAIT_RECORD: return got_record(kernel, body, status_word);
    case K5_WAIT_AC: return k5_got_ac(kernel, body, status_word);
    case K5_WAIT_LEGACY_AC: return k5_got_legacy_ac(kernel, body, status_word);
    case K5_WAIT_SECOND_AC: return k5_got_second_ac(kernel, body, status_word);
    case K5_WAIT_SCRIPT:
    case K5_WAIT_LAST_SCRIPT:
    case K5_WAIT_RANDOM:
    case K5_WAIT_CARD_READ: break;
    }
    return k5_got_script(kernel, status_word);
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
