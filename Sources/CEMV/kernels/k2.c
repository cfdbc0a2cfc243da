/* Kernel 2: the dialogue with the card. States and steps carry the numbers of the kernel's state charts; the decisions themselves are in
 * k2_rules.c and k2_magstripe.c, data exchange with the terminal is in k2_exchange.c. */
#include "k2_memory.h"

#define BIT(state) (1u << ((state) - CEMV_STATE_K2))
enum {
    END = 1,
    FIRST_AC = BIT(K2_S9_WAIT_AC) | BIT(K2_S10_WAIT_RECOVERY),
    AFTER_READING = FIRST_AC | BIT(K2_S12_WAIT_PUT_DATA) | BIT(K2_S16_WAIT_BALANCE),
    CHECKSUM = BIT(K2_S13_WAIT_CHECKSUM) | BIT(K2_S14_WAIT_CHECKSUM),
    AFTER_AC = BIT(K2_S910_WAIT_CARD_READ) | BIT(K2_S15_WAIT_PUT_DATA),
    READING = BIT(K2_S4_WAIT_RECORD) | BIT(K2_S5_WAIT_GET_DATA),
};
const struct cemv_edges cemv_k2_edges = {
    .base = CEMV_STATE_K2,
    .size = 32,
    .next = {
        [0] = BIT(K2_S2_WAIT_PDOL_DATA) | BIT(K2_S3_WAIT_GPO) | END,
        [K2_S2_WAIT_PDOL_DATA - CEMV_STATE_K2] = BIT(K2_S2_WAIT_PDOL_DATA) | BIT(K2_S3_WAIT_GPO) | END,
        [K2_S3_WAIT_GPO - CEMV_STATE_K2] = BIT(K2_WAIT_RANDOM) | BIT(K2_R1_WAIT_RELAY) | READING | BIT(K2_S7_WAIT_RECORD) | END,
        [K2_R1_WAIT_RELAY - CEMV_STATE_K2] = BIT(K2_R1_WAIT_RELAY) | BIT(K2_WAIT_RANDOM) | READING | END,
        [K2_WAIT_RANDOM - CEMV_STATE_K2] = BIT(K2_WAIT_RANDOM) | BIT(K2_R1_WAIT_RELAY) | CHECKSUM | END,
        [K2_S4_WAIT_RECORD - CEMV_STATE_K2] = READING | BIT(K2_S6_WAIT_FIRST_WRITE) | AFTER_READING | END,
        [K2_S5_WAIT_GET_DATA - CEMV_STATE_K2] = READING | BIT(K2_S6_WAIT_FIRST_WRITE) | AFTER_READING | END,
        [K2_S6_WAIT_FIRST_WRITE - CEMV_STATE_K2] = BIT(K2_S5_WAIT_GET_DATA) | BIT(K2_S6_WAIT_FIRST_WRITE) | AFTER_READING | END,
        [K2_S16_WAIT_BALANCE - CEMV_STATE_K2] = FIRST_AC | BIT(K2_S12_WAIT_PUT_DATA) | END,
        [K2_S12_WAIT_PUT_DATA - CEMV_STATE_K2] = FIRST_AC | BIT(K2_S12_WAIT_PUT_DATA) | END,
        [K2_S9_WAIT_AC - CEMV_STATE_K2] = BIT(K2_S17_WAIT_BALANCE) | AFTER_AC | END,
        [K2_S10_WAIT_RECOVERY - CEMV_STATE_K2] = BIT(K2_S11_WAIT_AC) | BIT(K2_S17_WAIT_BALANCE) | AFTER_AC | END,
        [K2_S11_WAIT_AC - CEMV_STATE_K2] = BIT(K2_S17_WAIT_BALANCE) | AFTER_AC | END,
        [K2_S17_WAIT_BALANCE - CEMV_STATE_K2] = AFTER_AC | END,
        [K2_S910_WAIT_CARD_READ - CEMV_STATE_K2] = BIT(K2_S15_WAIT_PUT_DATA) | END,
        [K2_S15_WAIT_PUT_DATA - CEMV_STATE_K2] = BIT(K2_S15_WAIT_PUT_DATA) | END,
        [K2_S7_WAIT_RECORD - CEMV_STATE_K2] = BIT(K2_S7_WAIT_RECORD) | BIT(K2_S8_WAIT_FIRST_WRITE) | BIT(K2_WAIT_RANDOM) | CHECKSUM | END,
        [K2_S8_WAIT_FIRST_WRITE - CEMV_STATE_K2] = BIT(K2_S8_WAIT_FIRST_WRITE) | BIT(K2_WAIT_RANDOM) | CHECKSUM | END,
        [K2_S13_WAIT_CHECKSUM - CEMV_STATE_K2] = BIT(K2_WAIT_BACK_OFF) | END,
        [K2_S14_WAIT_CHECKSUM - CEMV_STATE_K2] = BIT(K2_WAIT_BACK_OFF) | END,
        [K2_WAIT_BACK_OFF - CEMV_STATE_K2] = END,
    },
};

enum {
    MAGSTRIPE_OFF = 0x80, EMV_OFF = 0x40, ON_DEVICE_CVM = 0x20, RELAY_RESISTANCE = 0x10, READ_ALL = 0x08,   /* DF811B */
    FIELD_OFF_DETECTION = 0x04, BALANCE_READING = 0x02, CDA_OVER_AAC = 0x01,                                /* 9F5D byte 2 */
    SECURITY_CDA = 0x08,                   /* DF811F */
    INPUT_CHIP = 0x20,                     /* DF8117 */
    DEFAULT_TAC_HIGH = 0x84, DEFAULT_TAC_LOW = 0x0C,
    IDS_READ = 0x80, IDS_WRITE = 0x40,     /* DF8128 */
    SUMMARY_READ = 0x80, SUMMARY_WRITTEN = 0x40,   /* DF810B */
    COMPLETED = 0x80,                      /* DF810E, DF810F */
    LAST_TEMPLATE_SFI = 10,
    STATIC_DATA_MAX = 2048,
    CASH_CAPABILITY = 0x80,                /* 9F40 byte 1 */
    VERIFIED_ON_DEVICE = 0x10,             /* DF4B byte 2 */
    NUMBER_DIGITS_GUARDED = 4,             /* attacks A26 */
    SW_OK = 0x9000,
};

static const cemv_bytes nothing = { NULL, 0 };

static bool is_book(const struct cemv_kernel *kernel)
{
    return cemv_protection_of(kernel)->profile == CEMV_PROFILE_BOOK;
}

static bool is_strict(const struct cemv_kernel *kernel)
{
    return cemv_protection_of(kernel)->profile == CEMV_PROFILE_STRICT;
}

static void put_terminal(struct cemv_kernel *kernel, uint16_t slot, const uint8_t *value, size_t size)
{
    if (!cemv_store_put(&kernel->store, slot, (cemv_bytes){ value, size }, CEMV_FROM_TERMINAL)) k2_memory_of(kernel)->store_full = true;
}

/* Mag-stripe mode must be asked for outside profile `book`: a clone offers it where a card would not (attacks A26). */
static uint8_t configuration_of(const struct cemv_kernel *kernel)
{
    return k2_byte(kernel, CEMV_SLOT_DF811B, is_book(kernel) ? 0x00 : MAGSTRIPE_OFF);
}

static bool aip_has(const struct cemv_kernel *kernel, unsigned byte, uint8_t bit)
{
    const cemv_bytes profile = k2_value(kernel, CEMV_SLOT_82);
    return profile.size == 2 && (profile.data[byte - 1] & bit) != 0;
}

static bool on_device_cvm(const struct cemv_kernel *kernel)
{
    return aip_has(kernel, 1, CEMV_AIP_1_ON_DEVICE_CVM) && (configuration_of(kernel) & ON_DEVICE_CVM) != 0;
}

static bool capabilities_have(const struct cemv_kernel *kernel, unsigned byte, uint8_t bit)
{
    const cemv_bytes capabilities = k2_value(kernel, CEMV_SLOT_9F5D);
    return capabilities.size == 3 && (capabilities.data[byte - 1] & bit) != 0;
}

static uint8_t storage_version(const struct cemv_kernel *kernel)
{
    const cemv_bytes capabilities = k2_value(kernel, CEMV_SLOT_9F5D);
    return capabilities.size == 3 ? capabilities.data[0] & 0x0F : 0;
}

static bool above_cvm_limit(const struct cemv_kernel *kernel)
{
    return k2_amount(kernel, CEMV_SLOT_9F02) > k2_amount(kernel, CEMV_SLOT_DF8126);
}

/* The end ------------------------------------------------------------------------------------------------------------------ */

/* DF812D counts in 100 ms. */
static uint32_t hold_ms(const struct cemv_kernel *kernel)
{
    const cemv_bytes value = k2_value(kernel, CEMV_SLOT_DF812D);
    uint64_t hold = 13;
    if (value.size == 3) (void)cemv_bcd_read(value, &hold);
    return (uint32_t)hold * 100;
}

struct fault {
    uint8_t l1, l2, l3;
    uint8_t message;                       /* shown because of the error; 0: none */
    uint16_t status_word;
};
static const struct fault no_fault = { 0 };

static void write_error(struct cemv_outcome *outcome, const struct fault *fault)
{
    outcome->error_indication[0] = fault->l1;
    outcome->error_indication[1] = fault->l2;
    outcome->error_indication[2] = fault->l3;
    cemv_put_be16(outcome->error_indication + 3, fault->status_word);
    outcome->error_indication[5] = fault->message != 0 ? fault->message : 0xFF;
}

static enum cemv_step finish(struct cemv_kernel *kernel, struct cemv_outcome *outcome, const struct fault *fault, bool data_record)
{
    write_error(outcome, fault);
    if (outcome->ui_on_outcome_present) cemv_ui_language(kernel, &outcome->ui_on_outcome);
    if (outcome->ui_on_restart_present) cemv_ui_language(kernel, &outcome->ui_on_restart);
    if (outcome->status != CEMV_OUTCOME_SELECT_NEXT && outcome->field_off == CEMV_FIELD_OFF_NA) outcome->field_off = k2_memory_of(kernel)->field_off;
    if (kernel->store.terminal_tag_from_card) cemv_find(kernel, CEMV_FINDING_TERMINAL_TAG_FROM_CARD);
    k2_put_records(kernel, outcome, data_record);
    return cemv_end(kernel, &cemv_k2_edges, outcome);
}

static uint8_t reason_of(const struct cemv_kernel *kernel, uint8_t l2)
{
    if (k2_memory_of_const(kernel)->store_full) return CEMV_REASON_STORE_FULL;
    if (k2_memory_of_const(kernel)->protection) return CEMV_REASON_PROTECTION;
    if (l2 == CEMV_L2_STATUS_BYTES) return CEMV_REASON_CARD_STATUS;
    if (l2 == CEMV_L2_MAX_LIMIT_EXCEEDED) return CEMV_REASON_KERNEL_LIMIT;
    return l2 == CEMV_L2_MAGSTRIPE_NOT_SUPPORTED || l2 == CEMV_L2_CAM_FAILED ? CEMV_REASON_KERNEL : CEMV_REASON_CARD_DATA;
}

/* Stopped by the terminal, timed out waiting for it, or no amount: no message, the terminal knows. */
static enum cemv_step end_terminal(struct cemv_kernel *kernel, uint8_t l3)
{
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_END_APPLICATION, l3 == CEMV_L3_STOP ? CEMV_REASON_STOPPED : CEMV_REASON_KERNEL);
    const struct fault fault = { .l3 = l3 };
    return finish(kernel, &outcome, &fault, false);
}

static enum cemv_step end_fault(struct cemv_kernel *kernel, const struct fault *fault, bool data_record)
{
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_END_APPLICATION, fault->l1 != 0 ? CEMV_REASON_LINK : reason_of(kernel, fault->l2));
    cemv_outcome_show(&outcome, CEMV_MESSAGE_TRY_ANOTHER_CARD, CEMV_UI_NOT_READY);
    outcome.ui_on_outcome.hold_ms = hold_ms(kernel);
    return finish(kernel, &outcome, fault, data_record);
}

static enum cemv_step end_other_card(struct cemv_kernel *kernel, uint8_t l2, uint16_t status_word)
{
    const struct fault fault = { .l2 = l2, .status_word = status_word, .message = CEMV_MESSAGE_TRY_ANOTHER_CARD };
    return end_fault(kernel, &fault, false);
}

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

/* The same card is asked for again. */
static enum cemv_step end_again(struct cemv_kernel *kernel, uint8_t l1)
{
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_LINK);
    const struct fault fault = { .l1 = l1, .message = CEMV_MESSAGE_PRESENT_AGAIN };
    outcome.start = CEMV_START_B;
    outcome.ui_on_restart_present = true;
    outcome.ui_on_restart = cemv_ui_of(CEMV_MESSAGE_PRESENT_AGAIN, CEMV_UI_READY_TO_READ);
    return finish(kernel, &outcome, &fault, false);
}

static enum cemv_step end_next(struct cemv_kernel *kernel, uint8_t l2, uint16_t status_word)
{
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_SELECT_NEXT, reason_of(kernel, l2));
    const struct fault fault = { .l2 = l2, .status_word = status_word };
    outcome.start = CEMV_START_C;
    return finish(kernel, &outcome, &fault, false);
}

/* Two taps: the device has something to ask of its user [S910.72-73, S910.79-80, S13.44-45]. */
static enum cemv_step end_second_tap(struct cemv_kernel *kernel)
{
    const struct cemv_ui_request shown = k2_phone_request(kernel);
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_KERNEL);
    outcome.start = CEMV_START_B;
    outcome.ui_on_restart_present = true;
    outcome.ui_on_restart = shown;
    outcome.ui_on_restart.status = CEMV_UI_READY_TO_READ;
    outcome.ui_on_restart.hold_ms = 0;
    return finish(kernel, &outcome, &no_fault, true);
}

static void show(struct cemv_kernel *kernel, struct cemv_ui_request request)
{
    cemv_ui_language(kernel, &request);
    (void)cemv_output_show(&kernel->out, &request);
}

/* What the kernel shows of the phone message table. */
struct cemv_ui_request k2_phone_request(const struct cemv_kernel *kernel)
{
    const cemv_bytes configured = k2_value(kernel, CEMV_SLOT_DF8131);
    const cemv_bytes table = k2_phone_table_ok(configured) ? configured : (cemv_bytes){ k2_phone_table, sizeof k2_phone_table };
    const struct k2_phone_message found = k2_phone_message(table, k2_value(kernel, CEMV_SLOT_DF4B));
    struct cemv_ui_request request = cemv_ui_of(found.message, found.status);
    request.hold_ms = hold_ms(kernel);
    return request;
}

static void show_card_read(struct cemv_kernel *kernel)
{
    show(kernel, cemv_ui_of(CEMV_MESSAGE_CLEAR_DISPLAY, CEMV_UI_CARD_READ));
}

/* Card responses ------------------------------------------------------------------------------------------------------------- */

/* Numbers that cards of other kernels own and that are the reader's here (dictionary.c, collisions 18, 20 and 22). DF61 is of the private class,
 * which is ignored. */
static enum cemv_store_error refuse_reader_tags(struct cemv_kernel *kernel)
{
    static const uint16_t slots[] = { CEMV_SLOT_9F7C, CEMV_SLOT_9F7E, CEMV_SLOT_DF61 };
    enum cemv_store_error error = CEMV_STORE_OK;
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        const uint8_t provenance = cemv_store_provenance(&kernel->store, slots[i]);
        if (provenance < CEMV_FROM_CARD || provenance > CEMV_FROM_CARD_DYNAMIC) continue;
        kernel->store.terminal_tag_from_card = true;
        (void)cemv_store_put(&kernel->store, slots[i], nothing, CEMV_FROM_TERMINAL);
        if (slots[i] != CEMV_SLOT_DF61) error = CEMV_STORE_TERMINAL_TAG;
    }
    return error;
}

static enum cemv_store_error store_template(struct cemv_kernel *kernel, uint32_t tag, cemv_bytes body)
{
    const enum cemv_store_error error = cemv_store_template(&kernel->store, tag, body);
    return error == CEMV_STORE_OK ? refuse_reader_tags(kernel) : error;
}

/* Reading [S3R1, S4, S5, S456] -------------------------------------------------------------------------------------------------- */

static enum cemv_step reading_done(struct cemv_kernel *kernel);

static enum cemv_step send_get_data(struct cemv_kernel *kernel, uint8_t state, uint32_t tag)
{
    const struct cemv_command command = { 0x80, 0xCA, (uint8_t)(tag >> 8), (uint8_t)tag, nothing, CEMV_LE_MAX };
    return cemv_output_send(&kernel->out, &cemv_k2_edges, state, &command);
}

/* [S456.1-4]: the next thing to be read from the card, or what follows when all is read. */
static enum cemv_step ask_next(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (k2_take_card_tag(kernel, &memory->active)) return send_get_data(kernel, K2_S5_WAIT_GET_DATA, cemv_tag_table[memory->active].tag);
    if (!cemv_afl_next(&kernel->afl, &kernel->store, &memory->record)) return reading_done(kernel);
    k2_spool(kernel);
    if (memory->to_send.count != 0 && memory->to_read.count == 0) k2_exchange(kernel);
    return cemv_send_read_record(kernel, &cemv_k2_edges, K2_S4_WAIT_RECORD, memory->record);
}

/* [S3R1.1-21] */
static enum cemv_step start_reading(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const uint8_t security = k2_byte(kernel, CEMV_SLOT_DF811F, 0);
    if (kernel->afl.at == kernel->afl.end && !k2_has_card_tag(kernel)) return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    if ((memory->ids & IDS_READ) != 0) k2_offer_storage(kernel);
    k2_spool(kernel);
    k2_exchange_if_needed(kernel);
    if ((aip_has(kernel, 1, CEMV_AIP_1_CDA) && (security & SECURITY_CDA) != 0) || (memory->ids & IDS_READ) != 0) memory->cda = true;
    else memory->tvr |= K2_TVR(1, CEMV_TVR_1_ODA_NOT_PERFORMED);
    memory->mode = K2_MODE_EMV;
    return ask_next(kernel);
}

/* [S4.36-38]: nothing that this kernel needs can follow. */
static void stop_reading_early(struct cemv_kernel *kernel)
{
    static const uint16_t enough[] = {
        CEMV_SLOT_5F24, CEMV_SLOT_5A, CEMV_SLOT_5F34, CEMV_SLOT_9F07, CEMV_SLOT_8E, CEMV_SLOT_9F0D, CEMV_SLOT_9F0E, CEMV_SLOT_9F0F,
        CEMV_SLOT_5F28, CEMV_SLOT_57, CEMV_SLOT_8C,
    };
    if ((configuration_of(kernel) & READ_ALL) != 0 || k2_memory_of(kernel)->cda) return;
    for (size_t i = 0; i < sizeof enough / sizeof enough[0]; i++)
        if (!cemv_store_has(&kernel->store, enough[i])) return;
    kernel->afl.at = kernel->afl.end;
}

/* [S4.24], [S4.34-35]: above SFI 10 a record may be anything; what cannot be hashed fails CDA. */
static enum cemv_store_error store_record(struct cemv_kernel *kernel, cemv_bytes body)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const bool is_signed = memory->record.is_signed && memory->cda;
    const bool proprietary = memory->record.sfi > LAST_TEMPLATE_SFI;
    if (proprietary && (body.size == 0 || body.data[0] != CEMV_TAG_70_RECORD_TEMPLATE)) {
        if (is_signed) memory->tvr |= K2_TVR(1, CEMV_TVR_1_CDA_FAILED);
        return CEMV_STORE_OK;
    }
    if (is_signed) memory->static_size = (uint16_t)(memory->static_size + body.size);
    const enum cemv_store_error error = cemv_store_record(&kernel->store, body, is_signed, proprietary);
    return error == CEMV_STORE_OK ? refuse_reader_tags(kernel) : error;
}

static enum cemv_step got_record(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const bool had_cdol = cemv_store_has(&kernel->store, CEMV_SLOT_8C), had_dsdol = cemv_store_has(&kernel->store, CEMV_SLOT_9F5B);
    if (status_word != SW_OK) return end_other_card(kernel, CEMV_L2_STATUS_BYTES, status_word);                /* S4.9 */
    const enum cemv_store_error error = store_record(kernel, body);
    if (error != CEMV_STORE_OK) return end_store(kernel, error);
    if (!had_cdol) (void)k2_need_for_dol(kernel, k2_value(kernel, CEMV_SLOT_8C));                                   /* S4.28 */
    const cemv_bytes slot_control = k2_value(kernel, CEMV_SLOT_9F6F);
    const bool locked = slot_control.size != 0 && (slot_control.data[0] & 0x10) != 0;
    if (!had_dsdol && (memory->ids & IDS_READ) != 0 && !locked) (void)k2_need_for_dol(kernel, k2_value(kernel, CEMV_SLOT_9F5B));
    stop_reading_early(kernel);
    return ask_next(kernel);
}

/* [S5.19-24]: whatever is wrong, the terminal gets an empty answer and reading goes on. */
static enum cemv_step got_data(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    struct cemv_tlv object, tail;
    struct cemv_tlv_cursor cursor = cemv_tlv_open(body);
    const bool sole = status_word == SW_OK && cemv_tlv_next(&cursor, &object) && !cemv_tlv_next(&cursor, &tail) && cursor.error == CEMV_WIRE_OK;
    if (sole && object.tag == cemv_tag_table[memory->active].tag) (void)cemv_store_template(&kernel->store, 0, body);
    k2_answer(kernel, memory->active);
    return ask_next(kernel);
}

/* First write [S456.5-11, S78.1-7] ----------------------------------------------------------------------------------------------- */

/* The terminal holds the kernel back: the flag is there, and it is empty or zero. */
static bool held_back(struct cemv_kernel *kernel)
{
    if (k2_is_empty(kernel, CEMV_SLOT_DF8110)) {
        k2_need(kernel, CEMV_SLOT_DF8110);
        return true;
    }
    const cemv_bytes flag = k2_value(kernel, CEMV_SLOT_DF8110);
    return flag.size != 0 && flag.data[0] == 0;
}

static enum cemv_step ask_first_write(struct cemv_kernel *kernel, uint8_t state)
{
    k2_spool(kernel);
    return k2_ask_terminal(kernel, state);
}

static enum cemv_step weigh(struct cemv_kernel *kernel);

static enum cemv_step reading_done(struct cemv_kernel *kernel)
{
    if (held_back(kernel)) return ask_first_write(kernel, K2_S6_WAIT_FIRST_WRITE);
    return weigh(kernel);
}

/* [S6.6-12]: GET DATA if the terminal asked for more; records are all read. */
static enum cemv_step got_first_write(struct cemv_kernel *kernel, cemv_bytes objects)
{
    k2_update(kernel, objects);
    return ask_next(kernel);
}

/* What S456.12-28 checks -------------------------------------------------------------------------------------------------------- */

/* [S456.14]: which limit is known since GPO. */
static bool above_transaction_limit(const struct cemv_kernel *kernel)
{
    const uint16_t slot = on_device_cvm(kernel) ? CEMV_SLOT_DF8125 : CEMV_SLOT_DF8124;
    return k2_amount(kernel, CEMV_SLOT_9F02) > k2_amount(kernel, slot);
}

/* [S456.18-20] */
static bool storage_id_agrees(const struct cemv_kernel *kernel)
{
    uint8_t id[11];
    const cemv_bytes sequence = k2_value(kernel, CEMV_SLOT_5F34);
    const size_t size = k2_storage_id(k2_value(kernel, CEMV_SLOT_5A), sequence.size != 0 ? sequence.data[0] : 0, id);
    return cemv_bytes_equal(k2_value(kernel, CEMV_SLOT_9F5E), (cemv_bytes){ id, size });
}

static bool has_ca_key(const struct cemv_kernel *kernel)
{
    const struct cemv_configuration *configuration = &kernel->checked->configuration;
    const cemv_bytes index = k2_value(kernel, CEMV_SLOT_8F);
    for (size_t i = 0; i < configuration->ca_key_count; i++) {
        const struct cemv_ca_key *key = &configuration->ca_keys[i];
        if (index.size == 1 && key->index == index.data[0] && __builtin_memcmp(key->rid, kernel->combination->aid.data, 5) == 0) return true;
    }
    return false;
}

/* [S456.24-28]. False: 9F4A is not exactly the AIP. */
static bool prepare_cda(struct cemv_kernel *kernel)
{
    static const uint16_t needed[] = { CEMV_SLOT_8F, CEMV_SLOT_90, CEMV_SLOT_9F32, CEMV_SLOT_9F46, CEMV_SLOT_9F47, CEMV_SLOT_9F4A };
    struct k2_memory *memory = k2_memory_of(kernel);
    if (!memory->cda) return true;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (!cemv_store_has(&kernel->store, needed[i])) {
            memory->tvr |= K2_TVR(1, CEMV_TVR_1_ICC_DATA_MISSING | CEMV_TVR_1_CDA_FAILED);
        }
    }
    if (!has_ca_key(kernel)) {
        cemv_find(kernel, CEMV_FINDING_CA_KEY_MISSING);
        memory->tvr |= K2_TVR(1, CEMV_TVR_1_CDA_FAILED);
    }
    if (kernel->store.spans_overflowed || memory->static_size + 2u > STATIC_DATA_MAX) memory->tvr |= K2_TVR(1, CEMV_TVR_1_CDA_FAILED);
    const cemv_bytes list = k2_value(kernel, CEMV_SLOT_9F4A);
    return list.size == 1 && list.data[0] == CEMV_TAG_82_APPLICATION_INTERCHANGE_PROFILE;
}

/* [S456.30-33] */
static void choose_capabilities(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const bool above = above_cvm_limit(kernel);
    const uint8_t capabilities[3] = {
        k2_byte(kernel, CEMV_SLOT_DF8117, 0),
        k2_byte(kernel, above ? CEMV_SLOT_DF8118 : CEMV_SLOT_DF8119, 0),
        k2_byte(kernel, CEMV_SLOT_DF811F, 0),
    };
    memory->receipt = above;
    put_terminal(kernel, CEMV_SLOT_9F33, capabilities, sizeof capabilities);
}

/* Beyond the states: PAN, check digit, expiry and brand (attacks A03, A17). */
static bool account_refused(struct cemv_kernel *kernel)
{
    uint8_t buffer[10];
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    bool refused = cemv_account_ends(kernel);
    if (cemv_brand_mismatch(kernel->combination, cemv_pan_of(&kernel->store, buffer))) {
        cemv_find(kernel, CEMV_FINDING_BRAND_MISMATCH);
        refused = refused || cemv_rule_of(protection, protection->brand_check, CEMV_RULE_ENFORCE, CEMV_RULE_ENFORCE) == CEMV_RULE_ENFORCE;
    }
    return refused;
}

static enum cemv_step ask_cryptogram(struct cemv_kernel *kernel);

/* [S456.12-34] */
static enum cemv_step weigh(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const struct cemv_store *store = &kernel->store;
    if (!cemv_store_has(store, CEMV_SLOT_9F02)) return end_terminal(kernel, CEMV_L3_AMOUNT_NOT_PRESENT);
    if (above_transaction_limit(kernel)) return end_next(kernel, CEMV_L2_MAX_LIMIT_EXCEEDED, 0);
    if (!cemv_store_has(store, CEMV_SLOT_5F24) || !cemv_store_has(store, CEMV_SLOT_5A) || !cemv_store_has(store, CEMV_SLOT_8C)) {
        return end_other_card(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    }
    if (account_refused(kernel)) return end_protected(kernel);
    if ((memory->ids & IDS_READ) != 0 && !storage_id_agrees(kernel)) return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    k2_answer_rest(kernel);
    if (!prepare_cda(kernel)) return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    choose_capabilities(kernel);
    if (capabilities_have(kernel, 2, BALANCE_READING) && k2_is_present(kernel, CEMV_SLOT_DF8104)) {
        return send_get_data(kernel, K2_S16_WAIT_BALANCE, CEMV_TAG_9F50_OFFLINE_ACCUMULATOR_BALANCE);
    }
    return ask_cryptogram(kernel);
}

/* [S16, S17]: anything but the balance alone is ignored. */
static void take_balance(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word, uint16_t slot)
{
    if (status_word != SW_OK || body.size != 9 || body.data[0] != 0x9F || body.data[1] != 0x50 || body.data[2] != 6) return;
    put_terminal(kernel, slot, body.data + 3, 6);
}

/* Processing restrictions, CVM, risk and action analysis [S456.35-39] ----------------------------------------------------------------- */

static uint64_t restrictions_of(const struct cemv_kernel *kernel)
{
    const cemv_bytes card_version = k2_value(kernel, CEMV_SLOT_9F08), usage = k2_value(kernel, CEMV_SLOT_9F07);
    const cemv_bytes country = k2_value(kernel, CEMV_SLOT_5F28), more = k2_value(kernel, CEMV_SLOT_9F40);
    const uint8_t version[2] = { 0x00, 0x02 };
    const cemv_bytes reader_version = cemv_store_has(&kernel->store, CEMV_SLOT_9F09) ? k2_value(kernel, CEMV_SLOT_9F09) : (cemv_bytes){ version, 2 };
    const uint8_t terminal_type = k2_byte(kernel, CEMV_SLOT_9F35, 0);
    const bool atm_type = terminal_type == 0x14 || terminal_type == 0x15 || terminal_type == 0x16;
    uint32_t today = 0, effective = 0, expiry = 0;
    (void)cemv_date_read(k2_value(kernel, CEMV_SLOT_9A), &today);
    const bool has_effective = cemv_store_has(&kernel->store, CEMV_SLOT_5F25);
    const bool effective_known = cemv_date_read(k2_value(kernel, CEMV_SLOT_5F25), &effective);
    const bool expiry_known = cemv_date_read(k2_value(kernel, CEMV_SLOT_5F24), &expiry);
    const struct k2_restrictions_in in = {
        .versions_differ = card_version.size != 0 && !cemv_bytes_equal(card_version, reader_version),
        .not_yet_effective = has_effective && (!effective_known || today < effective),
        .expired = !expiry_known || today > expiry,
        .has_usage_control = usage.size == 2,
        .usage_control = { usage.size == 2 ? usage.data[0] : 0, usage.size == 2 ? usage.data[1] : 0 },
        .atm = atm_type && more.size == 5 && (more.data[0] & CASH_CAPABILITY) != 0,
        .has_country = country.size != 0,
        .domestic = cemv_bytes_equal(country, k2_value(kernel, CEMV_SLOT_9F1A)),
        .type = k2_byte(kernel, CEMV_SLOT_9C, 0),
        .cashback_amount = k2_amount(kernel, CEMV_SLOT_9F03) != 0,
    };
    return k2_restrictions(&in);
}

/* While nothing proves the card's data, its CVM List is anybody's: above the limit the strongest method of the reader counts (attacks A04). */
static void harden_cvm(struct cemv_kernel *kernel, struct k2_cvm *cvm)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const bool failed = (memory->tvr & K2_TVR(1, CEMV_TVR_1_CDA_FAILED)) != 0;
    const bool unproven = !memory->cda || failed;
    const cemv_bytes capabilities = k2_value(kernel, CEMV_SLOT_9F33);
    if (is_strict(kernel) && (failed || (unproven && above_cvm_limit(kernel)))) memory->decline = true;
    if (!unproven || !above_cvm_limit(kernel) || cvm->cvm == CEMV_CVM_ONLINE_PIN) return;
    cemv_find(kernel, CEMV_FINDING_CVM_FROM_PLAIN_DATA);
    if (is_book(kernel)) return;
    if (capabilities.size == 3 && (capabilities.data[1] & 0x40) != 0) {
        *cvm = (struct k2_cvm){ .cvm = CEMV_CVM_ONLINE_PIN, .results = { CEMV_CVM_1_ENCIPHERED_PIN_ONLINE, 0, 0 },
                                .tvr = cvm->tvr | K2_TVR(3, CEMV_TVR_3_ONLINE_CVM_CAPTURED) };
    } else {
        memory->decline = true;
    }
}

static void select_cvm(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const cemv_bytes currency = k2_value(kernel, CEMV_SLOT_9F42), capabilities = k2_value(kernel, CEMV_SLOT_9F33);
    const struct k2_cvm_in in = {
        .on_device = on_device_cvm(kernel),
        .card_verifies = aip_has(kernel, 1, CEMV_AIP_1_CARDHOLDER_VERIFICATION),
        .above_limit = above_cvm_limit(kernel),
        .list = k2_value(kernel, CEMV_SLOT_8E),
        .capability = capabilities.size == 3 ? capabilities.data[1] : 0,
        .type = k2_byte(kernel, CEMV_SLOT_9C, 0),
        .terminal_type = k2_byte(kernel, CEMV_SLOT_9F35, 0),
        .amount = k2_amount(kernel, CEMV_SLOT_9F02),
        .currency_known = currency.size != 0,
        .same_currency = cemv_bytes_equal(currency, k2_value(kernel, CEMV_SLOT_5F2A)),
    };
    struct k2_cvm cvm = k2_cvm(&in);
    harden_cvm(kernel, &cvm);
    memory->tvr |= cvm.tvr;
    memory->cvm = cvm.cvm;
    memory->receipt = memory->receipt || cvm.receipt;
    put_terminal(kernel, CEMV_SLOT_9F34, cvm.results, sizeof cvm.results);
}

static uint64_t code_of(const struct cemv_kernel *kernel, uint16_t slot, uint64_t fallback)
{
    const cemv_bytes value = k2_value(kernel, slot);
    uint64_t code = 0;
    if (value.size != 5) return fallback;
    for (size_t i = 0; i < 5; i++) code = code << 8 | value.data[i];
    return code;
}

static uint8_t analyse(const struct cemv_kernel *kernel)
{
    const uint64_t standard = K2_TVR(1, DEFAULT_TAC_HIGH) | K2_TVR(5, DEFAULT_TAC_LOW);
    const struct k2_action_in in = {
        .tvr = k2_memory_of_const(kernel)->tvr,
        .terminal_default = code_of(kernel, CEMV_SLOT_DF8120, standard),
        .terminal_denial = code_of(kernel, CEMV_SLOT_DF8121, standard),
        .terminal_online = code_of(kernel, CEMV_SLOT_DF8122, standard),
        .issuer_default = code_of(kernel, CEMV_SLOT_9F0D, 0), .has_issuer_default = cemv_store_has(&kernel->store, CEMV_SLOT_9F0D),
        .issuer_denial = code_of(kernel, CEMV_SLOT_9F0E, 0), .has_issuer_denial = cemv_store_has(&kernel->store, CEMV_SLOT_9F0E),
        .issuer_online = code_of(kernel, CEMV_SLOT_9F0F, 0), .has_issuer_online = cemv_store_has(&kernel->store, CEMV_SLOT_9F0F),
        .terminal_type = k2_byte(kernel, CEMV_SLOT_9F35, 0),
    };
    return k2_action(&in);
}

/* Beyond the states: no offline approval that no signature of this tap proves (attacks A07), and what the rules above forbid. */
static uint8_t guard_type(struct cemv_kernel *kernel, uint8_t type)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    const uint8_t terminal_type = k2_byte(kernel, CEMV_SLOT_9F35, 0);
    const bool offline_terminal = (terminal_type & 0x0F) == 3 || (terminal_type & 0x0F) == 6;
    const bool offline_off = cemv_rule_of(protection, protection->offline, CEMV_RULE_ENFORCE, CEMV_RULE_OFF) == CEMV_RULE_OFF;
    const bool proven = memory->cda && (memory->tvr & K2_TVR(1, CEMV_TVR_1_CDA_FAILED)) == 0;
    if (memory->decline && type != K2_AAC) {
        memory->protection = true;
        return K2_AAC;
    }
    if (type != K2_TC || (!offline_off && (proven || is_book(kernel)))) return type;
    memory->protection = offline_terminal;
    return offline_terminal ? K2_AAC : K2_ARQC;
}

static enum cemv_step ask_recovery_or_ac(struct cemv_kernel *kernel);

static enum cemv_step ask_put_data(struct cemv_kernel *kernel, uint8_t state, struct k2_span *list)
{
    struct cemv_tlv object;
    if (!k2_take_object(kernel, list, &object)) return cemv_end_card_fault(kernel, &cemv_k2_edges, CEMV_REASON_INTERNAL, CEMV_L2_OK, 0);
    const struct cemv_command command = { 0x80, 0xDA, (uint8_t)(object.tag >> 8), (uint8_t)object.tag, object.value, 0 };
    return cemv_output_send(&kernel->out, &cemv_k2_edges, state, &command);
}

/* [S456.35-51] */
static enum cemv_step ask_cryptogram(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    uint8_t buffer[10];
    memory->tvr |= restrictions_of(kernel);
    if (aip_has(kernel, 1, CEMV_AIP_1_CARDHOLDER_VERIFICATION) && k2_value(kernel, CEMV_SLOT_8E).size % 2 != 0 && !on_device_cvm(kernel)) {
        return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);                       /* Book 3, 7.5 */
    }
    if (cemv_on_exception_list(kernel, cemv_pan_of(&kernel->store, buffer))) {           /* no step has it; a list is configured to be used */
        memory->tvr |= K2_TVR(1, CEMV_TVR_1_ON_EXCEPTION_FILE);
        memory->decline = true;
    }
    select_cvm(kernel);
    if (k2_amount(kernel, CEMV_SLOT_9F02) > k2_amount(kernel, CEMV_SLOT_DF8123)) memory->tvr |= K2_TVR(4, CEMV_TVR_4_FLOOR_LIMIT_EXCEEDED);
    memory->ac_type = guard_type(kernel, analyse(kernel));
    if (memory->write_before.size != 0) return ask_put_data(kernel, K2_S12_WAIT_PUT_DATA, &memory->write_before);
    return ask_recovery_or_ac(kernel);
}

/* [S12.8-12] */
static enum cemv_step got_put_before(struct cemv_kernel *kernel, uint16_t status_word)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (status_word == SW_OK && memory->write_before.size != 0) return ask_put_data(kernel, K2_S12_WAIT_PUT_DATA, &memory->write_before);
    if (status_word == SW_OK) memory->put_before = COMPLETED;
    return ask_recovery_or_ac(kernel);
}

/* GENERATE AC and RECOVER AC [GAC, S456.43-49] ------------------------------------------------------------------------------------------ */

static void put_tvr(struct cemv_kernel *kernel)
{
    uint8_t bytes[5];
    const uint64_t tvr = k2_memory_of(kernel)->tvr;
    for (size_t i = 0; i < 5; i++) bytes[i] = (uint8_t)(tvr >> (8 * (4 - i)));
    put_terminal(kernel, CEMV_SLOT_95, bytes, sizeof bytes);
}

/* CDA proves nothing about a transaction whose number is not in it. */
static bool asks_for_number(cemv_bytes dol)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(dol);
    struct cemv_dol_entry entry;
    while (cemv_dol_next(&cursor, &entry))
        if (entry.tag == CEMV_TAG_9F37_UNPREDICTABLE_NUMBER && entry.length == 4) return true;
    return false;
}

static struct k2_ac reference_control(const struct cemv_kernel *kernel)
{
    const struct k2_memory *memory = k2_memory_of_const(kernel);
    const cemv_bytes type = k2_value(kernel, CEMV_SLOT_DF8108), use = k2_value(kernel, CEMV_SLOT_DF810A);
    const struct k2_ac_in in = {
        .ids_read = (memory->ids & IDS_READ) != 0,
        .cda = memory->cda,
        .cda_failed = (memory->tvr & K2_TVR(1, CEMV_TVR_1_CDA_FAILED)) != 0,
        .on_device = on_device_cvm(kernel),
        .storage_asked = cemv_store_has(&kernel->store, CEMV_SLOT_DF62) && cemv_store_has(&kernel->store, CEMV_SLOT_9F5B),
        .storage_answered = type.size != 0 && use.size != 0,
        .type = memory->ac_type,
        .storage_type = type.size != 0 ? type.data[0] : 0,
        .storage_use = use.size != 0 ? use.data[0] : 0,
        .cda_over_aac = capabilities_have(kernel, 2, CDA_OVER_AAC),
    };
    return k2_ac(&in);
}

/* [GAC.29, 45-48] */
static enum cemv_step ask_ac(struct cemv_kernel *kernel, uint8_t state)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    uint8_t data[255];
    size_t size = 0, more = 0;
    const cemv_bytes cdol = k2_value(kernel, CEMV_SLOT_8C);
    const struct k2_ac ac = reference_control(kernel);
    if (ac.kind == K2_AC_DATA_ERROR) return end_other_card(kernel, CEMV_L2_IDS_DATA_ERROR, 0);
    if (ac.kind == K2_AC_NO_MATCH) return end_other_card(kernel, CEMV_L2_IDS_NO_MATCHING_AC, 0);
    memory->ac_type = ac.type;
    memory->control = ac.control;
    put_tvr(kernel);
    if ((ac.control & K2_RCP_CDA) != 0 && !asks_for_number(cdol)) return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    if (!cemv_store_build_dol(&kernel->store, cdol, false, data, sizeof data, &size)) return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    if (!k2_keep(kernel, (cemv_bytes){ data, size }, &memory->cdol)) return end_store(kernel, CEMV_STORE_FULL);
    if (ac.kind == K2_AC_WRITE) {
        if (!k2_build_storage_data(kernel, data + size, sizeof data - size, &more)) return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
        memory->ids |= IDS_WRITE;
    }
    const struct cemv_command command = { 0x80, 0xAE, ac.control, 0x00, { data, size + more }, CEMV_LE_MAX };
    return cemv_output_send(&kernel->out, &cemv_k2_edges, state, &command);
}

static uint8_t torn_capacity(const struct cemv_kernel *kernel)
{
    return k2_torn_capacity(kernel->transaction.reader, k2_byte(kernel, CEMV_SLOT_DF811D, 0));
}

static bool same_object(const struct cemv_kernel *kernel, cemv_bytes record, uint16_t slot)
{
    cemv_bytes held;
    (void)k2_torn_find(record, cemv_tag_table[slot].tag, &held);
    return cemv_bytes_equal(held, k2_value(kernel, slot));
}

/* Another sale than the torn one must not end with its cryptogram (attacks A20). */
static bool is_same_sale(const struct cemv_kernel *kernel, cemv_bytes record)
{
    return is_book(kernel) || (same_object(kernel, record, CEMV_SLOT_9F02) && same_object(kernel, record, CEMV_SLOT_9F03)
        && same_object(kernel, record, CEMV_SLOT_5F2A) && same_object(kernel, record, CEMV_SLOT_9C));
}

/* [S456.43-49, S12.13-19] */
static enum cemv_step ask_recovery_or_ac(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    struct cemv_reader_memory *reader = kernel->transaction.reader;
    cemv_bytes data;
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F51) || torn_capacity(kernel) == 0) return ask_ac(kernel, K2_S9_WAIT_AC);
    memory->torn = k2_torn_lookup(reader, k2_value(kernel, CEMV_SLOT_5A), k2_value(kernel, CEMV_SLOT_5F34));
    if (memory->torn == reader->torn_count) return ask_ac(kernel, K2_S9_WAIT_AC);
    const cemv_bytes record = { reader->torn[memory->torn].bytes, reader->torn[memory->torn].size };
    if (!k2_torn_find(record, CEMV_TAG_DF8113_DRDOL_RELATED_DATA, &data) || !is_same_sale(kernel, record)) return ask_ac(kernel, K2_S9_WAIT_AC);
    const struct cemv_command command = { 0x80, 0xD0, 0x00, 0x00, data, CEMV_LE_MAX };
    return cemv_output_send(&kernel->out, &cemv_k2_edges, K2_S10_WAIT_RECOVERY, &command);
}

/* No answer to a cryptogram [S9.1-15, S11.11-17] ------------------------------------------------------------------------------------------ */

static bool old_write_unresolved(const struct cemv_kernel *kernel, uint8_t index)
{
    const struct cemv_torn_record *record = &kernel->transaction.reader->torn[index];
    cemv_bytes status;
    (void)k2_torn_find((cemv_bytes){ record->bytes, record->size }, CEMV_TAG_DF8128_IDS_STATUS, &status);
    return status.size == 1 && (status.data[0] & IDS_WRITE) != 0;
}

static enum cemv_step cryptogram_lost(struct cemv_kernel *kernel, uint8_t state, uint8_t l1)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    uint8_t data[255];
    size_t size = 0;
    if (torn_capacity(kernel) == 0 || !cemv_store_has(&kernel->store, CEMV_SLOT_9F51)) {
        const struct fault fault = { .l1 = l1, .message = CEMV_MESSAGE_TRY_ANOTHER_CARD };
        return (memory->ids & IDS_WRITE) != 0 ? end_fault(kernel, &fault, true) : end_again(kernel, l1);                     /* S9.6-10 */
    }
    if (state == K2_S11_WAIT_AC && !old_write_unresolved(kernel, memory->torn)) k2_torn_remove(kernel->transaction.reader, memory->torn);
    if (cemv_store_build_dol(&kernel->store, k2_value(kernel, CEMV_SLOT_9F51), false, data, sizeof data, &size)
        && k2_keep(kernel, (cemv_bytes){ data, size }, &memory->drdol)) {
        k2_torn_store(kernel, torn_capacity(kernel));
    }
    return end_again(kernel, l1);
}

/* The answer to a cryptogram [S9.16-28, S10.7-22, S11.5-25] --------------------------------------------------------------------------------- */

/* [S910.50-53]: the data record goes out if data storage may have been written. */
static enum cemv_step end_invalid(struct cemv_kernel *kernel, uint8_t l2, uint16_t status_word)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const struct fault fault = { .l2 = l2, .status_word = status_word, .message = CEMV_MESSAGE_TRY_ANOTHER_CARD };
    if (memory->old_write && memory->old_record.size != 0) memory->evicted = memory->old_record;                              /* S11.91-92 */
    put_tvr(kernel);
    return end_fault(kernel, &fault, l2 != CEMV_L2_IDS_WRITE_ERROR && (memory->ids & IDS_WRITE) != 0);
}

/* Format 1: 9F27, 9F36, 9F26, 9F10 by position. */
static enum cemv_store_error store_format_1(struct cemv_kernel *kernel, cemv_bytes value)
{
    static const struct { uint16_t slot; uint8_t size; } fields[] = { { CEMV_SLOT_9F27, 1 }, { CEMV_SLOT_9F36, 2 }, { CEMV_SLOT_9F26, 8 } };
    size_t at = 0;
    if (value.size < 11 || value.size > 43) return CEMV_STORE_MALFORMED;
    for (size_t i = 0; i < 3; i++) {
        const cemv_bytes field = { value.data + at, fields[i].size };
        if (cemv_store_has(&kernel->store, fields[i].slot)) return CEMV_STORE_DUPLICATE;
        const enum cemv_store_error error = cemv_store_card(&kernel->store, fields[i].slot, field);
        if (error != CEMV_STORE_OK) return error;
        at += fields[i].size;
    }
    if (at == value.size) return CEMV_STORE_OK;
    if (cemv_store_has(&kernel->store, CEMV_SLOT_9F10)) return CEMV_STORE_DUPLICATE;
    return cemv_store_card(&kernel->store, CEMV_SLOT_9F10, (cemv_bytes){ value.data + at, value.size - at });
}

static enum cemv_store_error store_ac(struct cemv_kernel *kernel, uint8_t state, cemv_bytes body)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    struct cemv_tlv template, tail;
    struct cemv_tlv_cursor cursor = cemv_tlv_open(body);
    if (!cemv_tlv_next(&cursor, &template)) return CEMV_STORE_MALFORMED;
    if (template.tag == CEMV_TAG_80_RESPONSE_FORMAT_1 && state != K2_S10_WAIT_RECOVERY) {
        if (cemv_tlv_next(&cursor, &tail) || cursor.error != CEMV_WIRE_OK) return CEMV_STORE_MALFORMED;
        return store_format_1(kernel, template.value);
    }
    const uint16_t before = kernel->store.used;
    const enum cemv_store_error error = store_template(kernel, CEMV_TAG_77_RESPONSE_FORMAT_2, body);
    if (error != CEMV_STORE_OK) return error;
    /* As kept, for the transaction data hash. */
    memory->ac = (struct k2_span){ (uint16_t)(before + (size_t)(template.value.data - body.data)), (uint16_t)template.value.size };
    return CEMV_STORE_OK;
}

static enum cemv_step after_balance(struct cemv_kernel *kernel);

static enum cemv_step weigh_ac(struct cemv_kernel *kernel, uint8_t state, cemv_bytes body)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    const enum cemv_store_error error = store_ac(kernel, state, body);
    if (error != CEMV_STORE_OK) return end_invalid(kernel, CEMV_L2_PARSING_ERROR, 0);
    const cemv_bytes cid = k2_value(kernel, CEMV_SLOT_9F27);
    if (cid.size == 0 || !cemv_store_has(&kernel->store, CEMV_SLOT_9F36)) return end_invalid(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    if (!k2_cryptogram_allowed(memory->control, cid.data[0])) return end_invalid(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    if (capabilities_have(kernel, 2, BALANCE_READING) && k2_is_present(kernel, CEMV_SLOT_DF8105)) {
        return send_get_data(kernel, K2_S17_WAIT_BALANCE, CEMV_TAG_9F50_OFFLINE_ACCUMULATOR_BALANCE);
    }
    return after_balance(kernel);
}

static enum cemv_step got_ac(struct cemv_kernel *kernel, uint8_t state, cemv_bytes body, uint16_t status_word)
{
    if (state == K2_S11_WAIT_AC) k2_torn_take(kernel, false);                                                                 /* S11.5 */
    if (status_word != SW_OK) return end_invalid(kernel, CEMV_L2_STATUS_BYTES, status_word);
    return weigh_ac(kernel, state, body);
}

static enum cemv_step got_recovery(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    if (status_word != SW_OK) return ask_ac(kernel, K2_S11_WAIT_AC);                                                          /* S10.7-9 */
    k2_torn_take(kernel, true);                                                                                               /* S10.10-11 */
    return weigh_ac(kernel, K2_S10_WAIT_RECOVERY, body);
}

/* The cryptogram is weighed [S910] ------------------------------------------------------------------------------------------------------------ */

static enum cemv_step end_valid(struct cemv_kernel *kernel);
static enum cemv_step conclude(struct cemv_kernel *kernel);

/* [S910.2-6]: what the ICC Dynamic Data hold behind the transaction data hash (4.6.2). The signature itself is good. */
static bool extra_data_agree(struct cemv_kernel *kernel, const struct cemv_cda_data *data)
{
    enum { FIXED = 1 + 1 + 8 + 20 };
    struct k2_memory *memory = k2_memory_of(kernel);
    const bool relay = (memory->tvr & K2_TVR_RELAY_MASK) == K2_TVR(5, CEMV_TVR_5_RELAY_PERFORMED);
    const bool storage = (memory->ids & IDS_READ) != 0;
    const size_t summary = storage_version(kernel) == 2 ? 16 : 8;
    const size_t from = FIXED + data->dynamic.number_size, relay_size = relay ? sizeof memory->relay : 0;
    size_t at = from;
    if (storage && relay && data->dynamic.size < from + 2 * summary + relay_size) return false;
    if (!storage && data->dynamic.size < from + relay_size) return false;
    for (size_t i = 0; storage && i < 2 && at + summary <= data->dynamic.size; i++, at += summary) {
        const uint16_t slot = i == 0 ? CEMV_SLOT_DF8101 : CEMV_SLOT_DF8102;
        if (!cemv_store_put(&kernel->store, slot, (cemv_bytes){ data->dynamic.data + at, summary }, CEMV_FROM_CARD_DYNAMIC)) return false;
    }
    return !relay || __builtin_memcmp(data->dynamic.data + at, memory->relay, sizeof memory->relay) == 0;
}

/* The objects of the response but 9F4B, in order and without filler (4.6.3). */
static size_t response_pieces(cemv_bytes response, cemv_bytes *pieces, size_t capacity)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(response);
    struct cemv_tlv object;
    size_t count = 0;
    while (cemv_tlv_next(&cursor, &object)) {
        if (object.tag == CEMV_TAG_9F4B_SIGNED_DYNAMIC_APPLICATION_DATA) continue;
        if (count == capacity) return 0;
        pieces[count++] = object.whole;
    }
    return count;
}

static enum cemv_oda_result verify_signature(struct cemv_kernel *kernel, struct cemv_cda_data *data)
{
    enum { PIECES = 40 };
    const struct k2_memory *memory = k2_memory_of(kernel);
    struct cemv_public_key key;
    cemv_bytes pieces[PIECES] = { k2_bytes(kernel, memory->pdol), k2_bytes(kernel, memory->cdol) };
    const size_t count = response_pieces(k2_bytes(kernel, memory->ac), pieces + 2, PIECES - 2);
    const enum cemv_oda_result result = cemv_oda_icc_key(kernel, &key);
    if (result != CEMV_ODA_OK) return result;
    if (count == 0) return CEMV_ODA_TRANSACTION_HASH;
    const struct cemv_cda_input input = {
        .sdad = k2_value(kernel, CEMV_SLOT_9F4B),
        .unpredictable_number = k2_value(kernel, CEMV_SLOT_9F37),
        .cid = k2_value(kernel, CEMV_SLOT_9F27).data[0],
        .transaction = pieces, .transaction_count = count + 2,
    };
    return cemv_cda_verify(kernel->checked->crypto, &key, &input, data);
}

/* [S910.8-19, S11.47-61] */
static enum cemv_step weigh_storage(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const cemv_bytes before = k2_value(kernel, CEMV_SLOT_9F7D), read = k2_value(kernel, CEMV_SLOT_DF8101), written = k2_value(kernel, CEMV_SLOT_DF8102);
    const cemv_bytes use = k2_value(kernel, CEMV_SLOT_DF810A);
    if (read.size == 0) return end_invalid(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    if (!cemv_bytes_equal(before, read)) return end_invalid(kernel, CEMV_L2_IDS_READ_ERROR, 0);
    if (memory->old_write && !cemv_bytes_equal(before, (cemv_bytes){ memory->old_summary, memory->old_summary_size })) {
        return end_invalid(kernel, CEMV_L2_IDS_READ_ERROR, 0);
    }
    memory->summary_status |= SUMMARY_READ;
    if ((memory->ids & IDS_WRITE) == 0) return conclude(kernel);
    if (written.size == 0) return end_invalid(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    if (!cemv_bytes_equal(read, written)) memory->summary_status |= SUMMARY_WRITTEN;
    else if (use.size != 0 && (use.data[0] & 0x02) != 0) return end_invalid(kernel, CEMV_L2_IDS_WRITE_ERROR, 0);
    return conclude(kernel);
}

/* [S910 A] */
static enum cemv_step weigh_signature(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    struct cemv_cda_data data;
    const enum cemv_oda_result result = verify_signature(kernel, &data);
    if (result != CEMV_ODA_OK || !extra_data_agree(kernel, &data)) {
        if (result == CEMV_ODA_OK || cemv_oda_is_tamper(result)) cemv_find(kernel, CEMV_FINDING_ODA_TAMPER);
        memory->tvr |= K2_TVR(1, CEMV_TVR_1_CDA_FAILED);
        return end_invalid(kernel, CEMV_L2_CAM_FAILED, 0);
    }
    memory->verified = true;
    (void)cemv_store_put(&kernel->store, CEMV_SLOT_9F4C, (cemv_bytes){ data.dynamic.number, data.dynamic.number_size }, CEMV_FROM_CARD_DYNAMIC);
    if (!cemv_store_put(&kernel->store, CEMV_SLOT_9F26, (cemv_bytes){ data.cryptogram, sizeof data.cryptogram }, CEMV_FROM_CARD_DYNAMIC)) {
        return end_store(kernel, CEMV_STORE_FULL);
    }
    return (memory->ids & IDS_READ) != 0 ? weigh_storage(kernel) : conclude(kernel);
}

/* [S910.38-39] */
static void tell_relay_data(struct cemv_kernel *kernel)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    const cemv_bytes index = k2_value(kernel, CEMV_SLOT_8F);
    struct k2_relay_track_in in = { .ca_index = index.size != 0 ? index.data[0] : 0, .retries = memory->retries, .measured = memory->measured };
    uint8_t track[19];
    size_t size;
    if ((memory->tvr & K2_TVR_RELAY_MASK) != K2_TVR(5, CEMV_TVR_5_RELAY_PERFORMED)) return;
    cemv_copy(in.entropy, memory->relay + 4, 4);
    if (!k2_relay_track(k2_value(kernel, CEMV_SLOT_57), &in, track, &size)) return;
    (void)cemv_store_put(&kernel->store, CEMV_SLOT_57, (cemv_bytes){ track, size }, CEMV_FROM_CARD);
}

/* [S910 B] */
static enum cemv_step weigh_unsigned(struct cemv_kernel *kernel)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    const uint8_t type = k2_value(kernel, CEMV_SLOT_9F27).data[0] & K2_TYPE_MASK;
    const bool signature_asked = (memory->control & K2_RCP_CDA) != 0;
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F26)) return end_invalid(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    if (type == K2_AAC) {
        const bool owed = (memory->ids & IDS_READ) != 0 || ((memory->control & K2_TYPE_MASK) == K2_AAC && signature_asked);
        return owed ? end_invalid(kernel, CEMV_L2_CARD_DATA_ERROR, 0) : conclude(kernel);
    }
    if (signature_asked) return end_invalid(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    tell_relay_data(kernel);
    return conclude(kernel);
}

/* [S9.26-28]: what was read is told before certificates are checked. */
static enum cemv_step after_balance(struct cemv_kernel *kernel)
{
    if (k2_memory_of(kernel)->write_after.size == 0) show_card_read(kernel);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F4B)) return weigh_unsigned(kernel);
    return cemv_output_publish(&kernel->out, &cemv_k2_edges, K2_S910_WAIT_CARD_READ);
}

/* [S910.76-78]: the card may be written before it is let go. */
static enum cemv_step conclude(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    put_tvr(kernel);
    if (memory->write_after.size != 0) return ask_put_data(kernel, K2_S15_WAIT_PUT_DATA, &memory->write_after);
    if (k2_second_tap(k2_value(kernel, CEMV_SLOT_DF4B))) show(kernel, k2_phone_request(kernel));
    return end_valid(kernel);
}

/* [S15.5-13] */
static enum cemv_step put_after_done(struct cemv_kernel *kernel)
{
    if (k2_second_tap(k2_value(kernel, CEMV_SLOT_DF4B))) {
        struct cemv_ui_request request = k2_phone_request(kernel);
        request.status = CEMV_UI_CARD_READ;
        show(kernel, request);
    } else {
        show_card_read(kernel);
    }
    return end_valid(kernel);
}

static enum cemv_step got_put_after(struct cemv_kernel *kernel, uint16_t status_word)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (status_word == SW_OK && memory->write_after.size != 0) return ask_put_data(kernel, K2_S15_WAIT_PUT_DATA, &memory->write_after);
    if (status_word == SW_OK) memory->put_after = COMPLETED;
    return put_after_done(kernel);
}

/* What was approved offline must be proven by a signature of this tap: a recovered cryptogram without one is not (attacks A20). */
static bool approval_unproven(const struct cemv_kernel *kernel)
{
    return !is_book(kernel) && !k2_memory_of_const(kernel)->verified;
}

static void show_balance(const struct cemv_kernel *kernel, struct cemv_ui_request *request)
{
    const cemv_bytes balance = k2_value(kernel, CEMV_SLOT_DF8105), currency = k2_value(kernel, CEMV_SLOT_9F42);
    if (balance.size == 0 || !cemv_bcd_read(balance, &request->value)) return;
    request->value_qualifier = CEMV_VALUE_BALANCE;
    if (currency.size == 2) request->currency = cemv_be16(currency.data);
}

/* [S910.70-81] */
static enum cemv_step end_valid(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (k2_second_tap(k2_value(kernel, CEMV_SLOT_DF4B))) return end_second_tap(kernel);
    const struct k2_end_in in = {
        .cryptogram = k2_value(kernel, CEMV_SLOT_9F27).data[0],
        .type = k2_byte(kernel, CEMV_SLOT_9C, 0),
        .signature = memory->cvm == CEMV_CVM_SIGNATURE,
        .device = k2_is_device(k2_value(kernel, CEMV_SLOT_9F6E)) || (k2_byte(kernel, CEMV_SLOT_DF8117, 0) & INPUT_CHIP) == 0,
    };
    struct k2_end end = k2_end(&in);
    if (end.status == CEMV_OUTCOME_APPROVED && approval_unproven(kernel)) {
        end = (struct k2_end){ CEMV_OUTCOME_DECLINED, CEMV_MESSAGE_NOT_AUTHORISED, true };
        memory->protection = true;
    }
    struct cemv_outcome outcome = cemv_outcome_of(end.status, memory->protection ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL);
    outcome.cvm = memory->cvm;
    outcome.receipt = memory->receipt;
    cemv_outcome_show(&outcome, end.message, CEMV_UI_NOT_READY);
    if (end.hold) outcome.ui_on_outcome.hold_ms = hold_ms(kernel);
    if (end.status == CEMV_OUTCOME_APPROVED) show_balance(kernel, &outcome.ui_on_outcome);
    return finish(kernel, &outcome, &no_fault, true);
}

/* Relay resistance [R1] ----------------------------------------------------------------------------------------------------------- */

static enum cemv_step ask_random(struct cemv_kernel *kernel, uint8_t resume)
{
    k2_memory_of(kernel)->resume = resume;
    return cemv_output_ask(&kernel->out, &cemv_k2_edges, K2_WAIT_RANDOM, CEMV_ASK_RANDOM, nothing, 0);
}

/* [S3.61-64, SR1.23-27]: the number of the transaction is the last one sent. */
static enum cemv_step ask_relay(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (!cemv_random_draw(&kernel->random, memory->relay)) return ask_random(kernel, K2_RESUME_RELAY);
    put_terminal(kernel, CEMV_SLOT_9F37, memory->relay, 4);
    const struct cemv_command command = { 0x80, 0xEA, 0x00, 0x00, { memory->relay, 4 }, CEMV_LE_MAX };
    return cemv_output_send(&kernel->out, &cemv_k2_edges, K2_R1_WAIT_RELAY, &command);
}

static struct k2_relay weigh_time(const struct cemv_kernel *kernel, uint32_t elapsed_us)
{
    const struct k2_memory *memory = k2_memory_of_const(kernel);
    const uint32_t latency = kernel->transaction.reader ? kernel->transaction.reader->link_latency_us : 0;
    const struct k2_relay_in in = {
        .elapsed_us = elapsed_us > latency ? elapsed_us - latency : 0,
        .retries = memory->retries,
        .card_min = cemv_be16(memory->relay + 8), .card_max = cemv_be16(memory->relay + 10), .card_transmission = cemv_be16(memory->relay + 12),
        .min_grace = k2_word(kernel, CEMV_SLOT_DF8132, 0x0014), .max_grace = k2_word(kernel, CEMV_SLOT_DF8133, 0x0032),
        .command_transmission = k2_word(kernel, CEMV_SLOT_DF8134, 0x0012), .response_transmission = k2_word(kernel, CEMV_SLOT_DF8135, 0x0018),
        .accuracy = k2_word(kernel, CEMV_SLOT_DF8136, 0x012C), .mismatch = k2_byte(kernel, CEMV_SLOT_DF8137, 0x32),
    };
    return k2_relay(&in);
}

/* [SR1.10-32] */
static enum cemv_step got_relay(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word, uint32_t elapsed_us)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (status_word != SW_OK) return end_other_card(kernel, CEMV_L2_STATUS_BYTES, status_word);
    if (body.size != 12 || body.data[0] != CEMV_TAG_80_RESPONSE_FORMAT_1 || body.data[1] != 10) return end_other_card(kernel, CEMV_L2_PARSING_ERROR, 0);
    cemv_copy(memory->relay + 4, body.data + 2, 10);
    const struct k2_relay relay = weigh_time(kernel, elapsed_us);
    memory->measured = relay.measured;
    switch ((enum k2_relay_verdict)relay.verdict) {
    case K2_RELAY_TOO_FAST: return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    case K2_RELAY_AGAIN:
        memory->retries++;
        return ask_relay(kernel);
    case K2_RELAY_PASSED: break;
    }
    memory->tvr |= relay.tvr;
    return start_reading(kernel);
}

/* Mag-stripe mode [S7, S8, S78, S13, S14] -------------------------------------------------------------------------------------------- */

static enum cemv_step ask_magstripe_record(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (!cemv_afl_next(&kernel->afl, &kernel->store, &memory->record)) return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    return cemv_send_read_record(kernel, &cemv_k2_edges, K2_S7_WAIT_RECORD, memory->record);
}

/* Digits of the unpredictable number, the same for both tracks [S7.22]; negative if the card's data contradict each other. */
static int number_digits_of(const struct cemv_kernel *kernel)
{
    const cemv_bytes one = k2_value(kernel, CEMV_SLOT_9F63), natc_1 = k2_value(kernel, CEMV_SLOT_9F64);
    const cemv_bytes two = k2_value(kernel, CEMV_SLOT_9F66), natc_2 = k2_value(kernel, CEMV_SLOT_9F67);
    if (natc_2.size != 1) return -1;
    const int digits = k2_number_digits(two, natc_2.data[0]);
    if (digits > 8) return -1;
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_56)) return digits;
    if (one.size != 6 || natc_1.size != 1 || !cemv_store_has(&kernel->store, CEMV_SLOT_9F62)) return -1;
    return k2_number_digits(one, natc_1.data[0]) == digits ? digits : -1;
}

/* [S7.23], and that every position lies in the track. */
static bool take_discretionary(struct cemv_kernel *kernel)
{
    const cemv_bytes track_1 = k2_value(kernel, CEMV_SLOT_56), track_2 = k2_value(kernel, CEMV_SLOT_9F6B);
    uint8_t digits[K2_TRACK_2_MAX];
    size_t first, size;
    if (!k2_track_2_discretionary(track_2, &first, &size) || size == 0) return false;
    if (!k2_positions_fit(k2_value(kernel, CEMV_SLOT_9F65), size) || !k2_positions_fit(k2_value(kernel, CEMV_SLOT_9F66), size)) return false;
    __builtin_memset(digits, 0xFF, sizeof digits);
    for (size_t i = 0; i < size; i++) {
        const uint8_t byte = track_2.data[(first + i) / 2];
        const uint8_t digit = (first + i) % 2 == 0 ? byte >> 4 : byte & 0x0F;
        digits[i / 2] = i % 2 == 0 ? (uint8_t)(digit << 4 | 0x0F) : (uint8_t)((digits[i / 2] & 0xF0) | digit);
    }
    put_terminal(kernel, CEMV_SLOT_DF812B, digits, (size + 1) / 2);
    if (track_1.size == 0) return true;
    if (!k2_track_1_discretionary(track_1, &first, &size) || size == 0) return false;
    if (!k2_positions_fit(k2_value(kernel, CEMV_SLOT_9F62), size) || !k2_positions_fit(k2_value(kernel, CEMV_SLOT_9F63), size)) return false;
    put_terminal(kernel, CEMV_SLOT_DF812A, k2_value(kernel, CEMV_SLOT_56).data + first, size);
    return true;
}

static enum cemv_step end_other_interface(struct cemv_kernel *kernel)
{
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_REASON_PROTECTION);
    cemv_outcome_show(&outcome, CEMV_MESSAGE_INSERT_CARD, CEMV_UI_NOT_READY);
    outcome.ui_on_outcome.hold_ms = hold_ms(kernel);
    return finish(kernel, &outcome, &no_fault, false);
}

static enum cemv_step weigh_magstripe(struct cemv_kernel *kernel);

/* [S7.20-24] */
static enum cemv_step magstripe_read(struct cemv_kernel *kernel)
{
    static const uint16_t needed[] = { CEMV_SLOT_9F6B, CEMV_SLOT_9F66, CEMV_SLOT_9F65, CEMV_SLOT_9F67 };
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!cemv_store_has(&kernel->store, needed[i])) return end_other_card(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    const int digits = number_digits_of(kernel);
    if (digits < 0 || !take_discretionary(kernel)) return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    if (digits < NUMBER_DIGITS_GUARDED && !is_book(kernel)) return end_other_interface(kernel);
    k2_memory_of(kernel)->number_digits = (uint8_t)digits;
    return weigh_magstripe(kernel);
}

static enum cemv_step got_magstripe_record(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    const bool had_udol = cemv_store_has(&kernel->store, CEMV_SLOT_9F69);
    if (status_word != SW_OK) return end_other_card(kernel, CEMV_L2_STATUS_BYTES, status_word);
    enum cemv_store_error error = cemv_store_record(&kernel->store, body, false, false);
    if (error == CEMV_STORE_OK) error = refuse_reader_tags(kernel);
    if (error != CEMV_STORE_OK) return end_store(kernel, error);
    if (!had_udol) (void)k2_need_for_dol(kernel, k2_value(kernel, CEMV_SLOT_9F69));
    return kernel->afl.at != kernel->afl.end ? ask_magstripe_record(kernel) : magstripe_read(kernel);
}

/* [S78.15]: rejected numbers are drawn anew. */
static bool draw_number(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    uint8_t random[4], digits[4];
    bool drawn = false;
    while (!drawn && cemv_random_draw(&kernel->random, random)) drawn = k2_numeric(random, memory->number_digits, &memory->number);
    if (!drawn) return false;
    (void)cemv_bcd_write(digits, sizeof digits, memory->number);
    put_terminal(kernel, CEMV_SLOT_9F6A, digits, sizeof digits);
    return true;
}

/* [S78.15-22] */
static enum cemv_step ask_checksum(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    static const uint8_t default_udol[] = { 0x9F, 0x6A, 0x04 };
    const bool on_device = on_device_cvm(kernel);
    const uint8_t mobile = on_device && above_cvm_limit(kernel) ? 0x03 : 0x01;
    const cemv_bytes configured = k2_value(kernel, CEMV_SLOT_DF811A);
    const cemv_bytes fallback = configured.size != 0 ? configured : (cemv_bytes){ default_udol, sizeof default_udol };
    const cemv_bytes udol = cemv_store_has(&kernel->store, CEMV_SLOT_9F69) ? k2_value(kernel, CEMV_SLOT_9F69) : fallback;
    uint8_t data[255];
    size_t size;
    if (!draw_number(kernel)) return ask_random(kernel, K2_RESUME_CHECKSUM);
    put_terminal(kernel, CEMV_SLOT_9F7E, &mobile, 1);
    if (mobile == 0x03) memory->cvm = CEMV_CVM_CDCVM;
    if (!cemv_store_build_dol(&kernel->store, udol, false, data, sizeof data, &size)) return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    const struct cemv_command command = { 0x80, 0x2A, 0x8E, 0x80, { data, size }, CEMV_LE_MAX };
    return cemv_output_send(&kernel->out, &cemv_k2_edges, on_device ? K2_S14_WAIT_CHECKSUM : K2_S13_WAIT_CHECKSUM, &command);
}

/* [S78.1-14] */
static enum cemv_step weigh_magstripe(struct cemv_kernel *kernel)
{
    if (held_back(kernel)) return ask_first_write(kernel, K2_S8_WAIT_FIRST_WRITE);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F02)) return end_terminal(kernel, CEMV_L3_AMOUNT_NOT_PRESENT);
    if (above_transaction_limit(kernel)) return end_next(kernel, CEMV_L2_MAX_LIMIT_EXCEEDED, 0);
    k2_answer_rest(kernel);
    return ask_checksum(kernel);
}

/* A failed checksum costs time: the card must not serve as an oracle (4.12). */
static enum cemv_step ask_back_off(struct cemv_kernel *kernel, uint8_t later, const struct fault *fault)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    struct cemv_reader_memory *reader = kernel->transaction.reader;
    const uint8_t failures = reader ? reader->failed_magstripe : 0;
    memory->later = later;
    memory->later_l1 = fault->l1;
    memory->later_l2 = fault->l2;
    memory->later_status_word = fault->status_word;
    if (reader && failures < 5) reader->failed_magstripe++;
    return cemv_output_ask(&kernel->out, &cemv_k2_edges, K2_WAIT_BACK_OFF, CEMV_ASK_KERNEL, nothing, k2_back_off_ms(failures));
}

static enum cemv_step back_off_other_card(struct cemv_kernel *kernel, uint8_t l2, uint16_t status_word)
{
    const struct fault fault = { .l2 = l2, .status_word = status_word };
    return ask_back_off(kernel, K2_LATER_OTHER_CARD, &fault);
}

static enum cemv_step end_declined_magstripe(struct cemv_kernel *kernel)
{
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_DECLINED, CEMV_REASON_KERNEL);
    outcome.cvm = k2_memory_of(kernel)->cvm;
    cemv_outcome_show(&outcome, CEMV_MESSAGE_NOT_AUTHORISED, CEMV_UI_NOT_READY);
    outcome.ui_on_outcome.hold_ms = hold_ms(kernel);
    return finish(kernel, &outcome, &no_fault, true);
}

static enum cemv_step after_back_off(struct cemv_kernel *kernel)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    switch ((enum k2_later)memory->later) {
    case K2_LATER_AGAIN: return end_again(kernel, memory->later_l1);
    case K2_LATER_OTHER_CARD: return end_other_card(kernel, memory->later_l2, memory->later_status_word);
    case K2_LATER_SECOND_TAP: return end_second_tap(kernel);
    case K2_LATER_DECLINED: break;
    }
    return end_declined_magstripe(kernel);
}

/* [S13.18-22, S14.26-30] */
static void fill_tracks(struct cemv_kernel *kernel, uint8_t shown_digits)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    uint8_t track[K2_TRACK_1_MAX];
    size_t first, size;
    struct k2_fill fill = {
        .cvc3_positions = k2_value(kernel, CEMV_SLOT_9F65), .number_positions = k2_value(kernel, CEMV_SLOT_9F66),
        .counter_digits = k2_byte(kernel, CEMV_SLOT_9F67, 0), .cvc3 = k2_word(kernel, CEMV_SLOT_9F61, 0), .counter = k2_word(kernel, CEMV_SLOT_9F36, 0),
        .number = memory->number, .number_digits = memory->number_digits, .shown_digits = shown_digits,
    };
    const cemv_bytes track_2 = k2_value(kernel, CEMV_SLOT_9F6B), track_1 = k2_value(kernel, CEMV_SLOT_56);
    cemv_copy(track, track_2.data, track_2.size);
    if (k2_track_2_discretionary(track_2, &first, &size)) k2_fill_track_2(track, first, size, &fill);
    (void)cemv_store_put(&kernel->store, CEMV_SLOT_9F6B, (cemv_bytes){ track, track_2.size }, CEMV_FROM_CARD);
    if (track_1.size == 0) return;
    fill.cvc3_positions = k2_value(kernel, CEMV_SLOT_9F62);
    fill.number_positions = k2_value(kernel, CEMV_SLOT_9F63);
    fill.counter_digits = k2_byte(kernel, CEMV_SLOT_9F64, 0);
    fill.cvc3 = k2_word(kernel, CEMV_SLOT_9F60, 0);
    cemv_copy(track, track_1.data, track_1.size);
    if (k2_track_1_discretionary(track_1, &first, &size)) k2_fill_track_1(track, first, size, &fill);
    (void)cemv_store_put(&kernel->store, CEMV_SLOT_56, (cemv_bytes){ track, track_1.size }, CEMV_FROM_CARD);
}

static bool verified_on_device(const struct cemv_kernel *kernel)
{
    const cemv_bytes interaction = k2_value(kernel, CEMV_SLOT_DF4B);
    return interaction.size == 3 && (interaction.data[1] & VERIFIED_ON_DEVICE) != 0;
}

/* [S13.24-26, S14.32-34] */
static enum cemv_step end_magstripe(struct cemv_kernel *kernel, uint8_t state)
{
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL);
    const bool above = above_cvm_limit(kernel);
    if (state == K2_S14_WAIT_CHECKSUM) {
        outcome.cvm = verified_on_device(kernel) ? CEMV_CVM_CDCVM : CEMV_CVM_NONE;
        outcome.receipt = verified_on_device(kernel) && above;
    } else {
        const uint8_t capability = k2_byte(kernel, above ? CEMV_SLOT_DF811E : CEMV_SLOT_DF812C, 0xF0) & 0xF0;
        outcome.cvm = capability <= CEMV_CVM_ONLINE_PIN ? capability : CEMV_CVM_NA;
        outcome.receipt = above || capability == CEMV_CVM_SIGNATURE;
    }
    return finish(kernel, &outcome, &no_fault, true);
}

/* [S13.14.2-45, S14.15-23]: no CVC3, the device has its reasons. */
static enum cemv_step no_checksum(struct cemv_kernel *kernel)
{
    const cemv_bytes interaction = k2_value(kernel, CEMV_SLOT_DF4B);
    if (interaction.size == 0) return back_off_other_card(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    if (!k2_second_tap(interaction)) return ask_back_off(kernel, K2_LATER_DECLINED, &no_fault);
    show(kernel, k2_phone_request(kernel));
    return ask_back_off(kernel, K2_LATER_SECOND_TAP, &no_fault);
}

/* [S13.9-26, S14.9-34] */
static enum cemv_step got_checksum(struct cemv_kernel *kernel, uint8_t state, cemv_bytes body, uint16_t status_word)
{
    const bool on_device = state == K2_S14_WAIT_CHECKSUM;
    const uint8_t digits = k2_memory_of(kernel)->number_digits;
    if (status_word != SW_OK) return back_off_other_card(kernel, CEMV_L2_STATUS_BYTES, status_word);
    if (store_template(kernel, CEMV_TAG_77_RESPONSE_FORMAT_2, body) != CEMV_STORE_OK) return back_off_other_card(kernel, CEMV_L2_PARSING_ERROR, 0);
    show_card_read(kernel);
    const bool interaction = cemv_store_has(&kernel->store, CEMV_SLOT_DF4B);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F36) || (on_device && !interaction)) return back_off_other_card(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F61)) return no_checksum(kernel);
    if (cemv_store_has(&kernel->store, CEMV_SLOT_56) && k2_value(kernel, CEMV_SLOT_9F60).size != 2) {
        return back_off_other_card(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    }
    if (on_device && !verified_on_device(kernel) && above_cvm_limit(kernel)) return back_off_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    if (kernel->transaction.reader) kernel->transaction.reader->failed_magstripe = 0;
    fill_tracks(kernel, verified_on_device(kernel) ? (uint8_t)((digits + 5) % 10) : digits);
    return end_magstripe(kernel, state);
}

/* GET PROCESSING OPTIONS [S1.11-14, S2, S3] --------------------------------------------------------------------------------------------- */

static enum cemv_step ask_gpo(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    struct cemv_gpo_data data;
    struct k2_span whole;
    if (!cemv_gpo_data(kernel, &data)) return end_next(kernel, CEMV_L2_PARSING_ERROR, 0);
    if (!k2_keep(kernel, (cemv_bytes){ data.bytes, data.size }, &whole)) return end_store(kernel, CEMV_STORE_FULL);
    memory->pdol_header = data.header;
    memory->pdol = (struct k2_span){ (uint16_t)(whole.offset + data.header), (uint16_t)(whole.size - data.header) };
    const struct cemv_command command = { 0x80, 0xA8, 0x00, 0x00, { data.bytes, data.size }, CEMV_LE_MAX };
    return cemv_output_send(&kernel->out, &cemv_k2_edges, K2_S3_WAIT_GPO, &command);
}

static enum cemv_step ask_pdol_data(struct cemv_kernel *kernel)
{
    if (!k2_need_for_dol(kernel, k2_value(kernel, CEMV_SLOT_9F38))) return ask_gpo(kernel);
    return k2_ask_terminal(kernel, K2_S2_WAIT_PDOL_DATA);
}

/* Format 1: profile and locator by position [S3.10]. */
static enum cemv_store_error store_gpo(struct cemv_kernel *kernel, cemv_bytes body)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(body);
    struct cemv_tlv template, tail, object;
    if (!cemv_tlv_next(&cursor, &template)) return CEMV_STORE_MALFORMED;
    if (template.tag != CEMV_TAG_80_RESPONSE_FORMAT_1) {
        const enum cemv_store_error error = store_template(kernel, CEMV_TAG_77_RESPONSE_FORMAT_2, body);
        if (error != CEMV_STORE_OK) return error;
        if (cemv_tlv_find(template.value, CEMV_TAG_9F54_DS_ODS_CARD, &object) && object.value.size == 0) k2_mark_empty(kernel, CEMV_SLOT_9F54);
        return CEMV_STORE_OK;
    }
    if (cemv_tlv_next(&cursor, &tail) || cursor.error != CEMV_WIRE_OK) return CEMV_STORE_MALFORMED;
    if (template.value.size < 6 || (template.value.size - 2) % 4 != 0) return CEMV_STORE_MALFORMED;
    if (cemv_store_has(&kernel->store, CEMV_SLOT_82) || cemv_store_has(&kernel->store, CEMV_SLOT_94)) return CEMV_STORE_DUPLICATE;
    const enum cemv_store_error error = cemv_store_card(&kernel->store, CEMV_SLOT_82, (cemv_bytes){ template.value.data, 2 });
    if (error != CEMV_STORE_OK) return error;
    return cemv_store_card(&kernel->store, CEMV_SLOT_94, (cemv_bytes){ template.value.data + 2, template.value.size - 2 });
}

static bool begins_with_magstripe_record(cemv_bytes locator)
{
    static const uint8_t entry[] = { 0x08, 0x01, 0x01, 0x00 };
    return locator.size >= sizeof entry && __builtin_memcmp(locator.data, entry, sizeof entry) == 0;
}

/* False if the AFL is none (4.4.1); `*again`: a record stands twice (attacks A18). */
static bool open_records(struct cemv_kernel *kernel, bool *again)
{
    const uint8_t limit = cemv_protection_of(kernel)->max_records;
    return cemv_afl_open(&kernel->afl, &kernel->store, limit != 0 ? limit : CEMV_MAX_RECORDS, again);
}

/* [S3.30-35, S3.60-65] */
static enum cemv_step enter_emv_mode(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const uint8_t configuration = configuration_of(kernel);
    if ((configuration & MAGSTRIPE_OFF) == 0 && begins_with_magstripe_record(k2_value(kernel, CEMV_SLOT_94))) kernel->afl.at = (uint16_t)(kernel->afl.at + 4);
    if (!aip_has(kernel, 2, CEMV_AIP_2_RELAY_RESISTANCE) || (configuration & RELAY_RESISTANCE) == 0) {
        memory->tvr |= K2_TVR(5, CEMV_TVR_5_RELAY_NOT_PERFORMED);
        return start_reading(kernel);
    }
    memory->mode = K2_MODE_EMV;
    return ask_relay(kernel);
}

/* [S3.70-81] */
static enum cemv_step enter_magstripe_mode(struct cemv_kernel *kernel)
{
    if (begins_with_magstripe_record(k2_value(kernel, CEMV_SLOT_94))) kernel->afl.end = (uint16_t)(kernel->afl.at + 4);
    k2_memory_of(kernel)->mode = K2_MODE_MAGSTRIPE;
    k2_spool(kernel);
    k2_exchange_if_needed(kernel);
    return ask_magstripe_record(kernel);
}

/* [S3.8-18] */
static enum cemv_step got_gpo(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    const uint8_t configuration = configuration_of(kernel);
    bool again = false;
    if (status_word != SW_OK) return end_next(kernel, CEMV_L2_STATUS_BYTES, status_word);
    const enum cemv_store_error error = store_gpo(kernel, body);
    if (error != CEMV_STORE_OK) return end_store(kernel, error);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_82) || !cemv_store_has(&kernel->store, CEMV_SLOT_94)) {
        return end_other_card(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    }
    if (!open_records(kernel, &again)) return end_other_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    if (again) cemv_find(kernel, CEMV_FINDING_RECORD_REPEATED);
    if (again && !is_book(kernel)) return end_protected(kernel);
    if (aip_has(kernel, 2, CEMV_AIP_2_EMV_MODE) && (configuration & EMV_OFF) == 0) return enter_emv_mode(kernel);
    if ((configuration & MAGSTRIPE_OFF) != 0) return end_other_card(kernel, CEMV_L2_MAGSTRIPE_NOT_SUPPORTED, 0);
    return enter_magstripe_mode(kernel);
}

/* Entrances [S1, KS] ------------------------------------------------------------------------------------------------------------------------- */

/* [S1.9], and the defaults that a DOL or a record may name. */
static void put_initial_data(struct cemv_kernel *kernel)
{
    static const uint8_t none[5] = { 0 }, version[2] = { 0x00, 0x02 }, magstripe_version[2] = { 0x00, 0x01 }, mobile = 0x01;
    const uint8_t capabilities[3] = { k2_byte(kernel, CEMV_SLOT_DF8117, 0), 0, k2_byte(kernel, CEMV_SLOT_DF811F, 0) };
    put_terminal(kernel, CEMV_SLOT_9F34, none, 3);
    put_terminal(kernel, CEMV_SLOT_95, none, 5);
    put_terminal(kernel, CEMV_SLOT_9F33, capabilities, sizeof capabilities);
    put_terminal(kernel, CEMV_SLOT_9F7E, &mobile, 1);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F09)) put_terminal(kernel, CEMV_SLOT_9F09, version, sizeof version);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F6D)) put_terminal(kernel, CEMV_SLOT_9F6D, magstripe_version, sizeof magstripe_version);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F1A)) put_terminal(kernel, CEMV_SLOT_9F1A, none, 2);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F35)) put_terminal(kernel, CEMV_SLOT_9F35, none, 1);
}

static enum cemv_step k2_start(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const cemv_bytes fci = { kernel->store.arena + kernel->fci_offset, kernel->fci_size };
    *memory = (struct k2_memory){ .cvm = CEMV_CVM_NA, .field_off = CEMV_FIELD_OFF_NA };
    kernel->store.rules = CEMV_RULES_IDENTICAL_DUPLICATES | CEMV_RULES_REFUSE_TERMINAL_TAGS | CEMV_RULES_KERNEL_2_TAGS;
    (void)cemv_store_put(&kernel->store, CEMV_SLOT_9F66, nothing, CEMV_FROM_TERMINAL);      /* no TTQ here: the number is PUNATC (Track2) */
    k2_torn_clean(kernel);
    if (store_template(kernel, CEMV_TAG_6F_FCI_TEMPLATE, fci) != CEMV_STORE_OK) return end_next(kernel, CEMV_L2_PARSING_ERROR, 0);   /* S1.7 */
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_84)) return end_next(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    if (capabilities_have(kernel, 2, FIELD_OFF_DETECTION)) memory->field_off = k2_byte(kernel, CEMV_SLOT_DF8130, 0x0D);
    put_initial_data(kernel);
    k2_exchange_open(kernel);                                                               /* S1.10, S1.16 */
    k2_spool(kernel);                                                                       /* S1.15 */
    k2_announce_storage(kernel);                                                            /* S1.17-20 */
    return ask_pdol_data(kernel);
}

/* The answer to GPO that never came [S3.5]: the one Try Again of this kernel. */
static enum cemv_step end_try_again(struct cemv_kernel *kernel, uint8_t l1)
{
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_LINK);
    const struct fault fault = { .l1 = l1 };
    outcome.start = CEMV_START_B;
    return finish(kernel, &outcome, &fault, false);
}

static enum cemv_step got_link_fault(struct cemv_kernel *kernel, enum k2_state state, uint8_t l1)
{
    const struct fault fault = { .l1 = l1 };
    switch (state) {
    case K2_S3_WAIT_GPO: return end_try_again(kernel, l1);
    case K2_S9_WAIT_AC:
    case K2_S11_WAIT_AC: return cryptogram_lost(kernel, (uint8_t)state, l1);
    case K2_S13_WAIT_CHECKSUM:
    case K2_S14_WAIT_CHECKSUM: return ask_back_off(kernel, K2_LATER_AGAIN, &fault);
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
    case K2_S910_WAIT_CARD_READ:
    case K2_WAIT_BACK_OFF:
    case K2_S2_WAIT_PDOL_DATA:
    case K2_S6_WAIT_FIRST_WRITE:
    case K2_S8_WAIT_FIRST_WRITE: break;
    }
    return end_again(kernel, l1);
}

static enum cemv_step got_response(struct cemv_kernel *kernel, enum k2_state state, const struct cemv_reply *reply)
{
    cemv_bytes body;
    uint16_t status_word;
    if (!cemv_response_decode(reply->bytes, &body, &status_word)) return got_link_fault(kernel, state, CEMV_L1_PROTOCOL);
    switch (state) {
    case K2_S3_WAIT_GPO: return got_gpo(kernel, body, status_word);
    case K2_R1_WAIT_RELAY: return got_relay(kernel, body, status_word, reply->elapsed_us);
    case K2_S4_WAIT_RECORD: return got_record(kernel, body, status_word);
    case K2_S5_WAIT_GET_DATA: return got_data(kernel, body, status_word);
    case K2_S7_WAIT_RECORD: return got_magstripe_record(kernel, body, status_word);
    case K2_S9_WAIT_AC:
    case K2_S11_WAIT_AC: return got_ac(kernel, (uint8_t)state, body, status_word);
    case K2_S10_WAIT_RECOVERY: return got_recovery(kernel, body, status_word);
    case K2_S12_WAIT_PUT_DATA: return got_put_before(kernel, status_word);
    case K2_S13_WAIT_CHECKSUM:
    case K2_S14_WAIT_CHECKSUM: return got_checksum(kernel, (uint8_t)state, body, status_word);
    case K2_S15_WAIT_PUT_DATA: return got_put_after(kernel, status_word);
    case K2_S16_WAIT_BALANCE:
        take_balance(kernel, body, status_word, CEMV_SLOT_DF8104);
        return ask_cryptogram(kernel);
    case K2_S17_WAIT_BALANCE:
        take_balance(kernel, body, status_word, CEMV_SLOT_DF8105);
        return after_balance(kernel);
    case K2_WAIT_RANDOM:
    case K2_S910_WAIT_CARD_READ:
    case K2_WAIT_BACK_OFF:
    case K2_S2_WAIT_PDOL_DATA:
    case K2_S6_WAIT_FIRST_WRITE:
    case K2_S8_WAIT_FIRST_WRITE: break;
    }
    return end_again(kernel, CEMV_L1_PROTOCOL);
}

static enum cemv_step got_random(struct cemv_kernel *kernel, cemv_bytes bytes)
{
    if (bytes.size < 4) {
        struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_RANDOM);
        return finish(kernel, &outcome, &no_fault, false);
    }
    cemv_random_fill(&kernel->random, bytes);
    switch ((enum k2_resume)k2_memory_of(kernel)->resume) {
    case K2_RESUME_RELAY: return ask_relay(kernel);
    case K2_RESUME_CHECKSUM: break;
    }
    return ask_checksum(kernel);
}

/* [S2.6-10]: still missing data keep the kernel waiting. */
static enum cemv_step got_pdol_data(struct cemv_kernel *kernel, cemv_bytes objects)
{
    k2_update(kernel, objects);
    return ask_pdol_data(kernel);
}

static enum cemv_step got_magstripe_first_write(struct cemv_kernel *kernel, cemv_bytes objects)
{
    k2_update(kernel, objects);
    return weigh_magstripe(kernel);
}

/* The terminal answered, or its time is over. */
static enum cemv_step got_answer(struct cemv_kernel *kernel, enum k2_state state, const struct cemv_reply *reply)
{
    const bool answered = reply->kind == CEMV_REPLY_DATA;
    if (state == K2_WAIT_RANDOM) return got_random(kernel, answered ? reply->bytes : nothing);
    if (state == K2_WAIT_BACK_OFF) return after_back_off(kernel);
    if (!answered) return end_terminal(kernel, CEMV_L3_TIMEOUT);
    if (state == K2_S2_WAIT_PDOL_DATA) return got_pdol_data(kernel, reply->bytes);
    return state == K2_S6_WAIT_FIRST_WRITE ? got_first_write(kernel, reply->bytes) : got_magstripe_first_write(kernel, reply->bytes);
}

static enum cemv_step k2_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    const enum k2_state state = (enum k2_state)kernel->out.state;
    switch (reply->kind) {
    case CEMV_REPLY_TRANSMISSION: return got_link_fault(kernel, state, CEMV_L1_TRANSMISSION);
    case CEMV_REPLY_PROTOCOL: return got_link_fault(kernel, state, CEMV_L1_PROTOCOL);
    case CEMV_REPLY_TIMEOUT:
    case CEMV_REPLY_REMOVED: return got_link_fault(kernel, state, CEMV_L1_TIMEOUT);
    case CEMV_REPLY_CONTINUE: return weigh_signature(kernel);
    case CEMV_REPLY_DATA:
    case CEMV_REPLY_DEADLINE: return got_answer(kernel, state, reply);
    }
    return got_response(kernel, state, reply);
}

/* Once a cryptogram command is out the card may have counted the transaction: it is no longer stopped (3.0). */
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

/* [S3, R1, S4, S5, S7]: data that come unasked while the card works. */
static void k2_data(struct cemv_kernel *kernel, cemv_bytes objects)
{
    const unsigned state = (unsigned)kernel->out.state - CEMV_STATE_K2;
    const unsigned open = BIT(K2_S3_WAIT_GPO) | BIT(K2_R1_WAIT_RELAY) | READING | BIT(K2_S7_WAIT_RECORD);
    if (state < 32 && (open >> state & 1) != 0) k2_update(kernel, objects);
}

const struct cemv_kernel_functions cemv_kernel_2 = { .start = k2_start, .reply = k2_reply, .stop = k2_stop, .data = k2_data };
