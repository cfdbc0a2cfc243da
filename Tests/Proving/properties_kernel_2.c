/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 2's dialogue at its limits: what is requested and rejected, how it ends, data that do not fit,
 * configuration values. */
#include "kernel_2_part.h"

/* Book 2, 11.2.4; attacks.md, A15: an expired CA key counts as absent when CDA is chosen, so no signature is requested
 * with it; in `book` its expiry is only reported. */
static void an_expired_ca_key_counts_as_absent(void)
{
    static const uint16_t needed[] = { CEMV_SLOT_90, CEMV_SLOT_9F32, CEMV_SLOT_9F46, CEMV_SLOT_9F47 };
    static const uint8_t name[5];
    for (uint8_t profile = 0; profile < 3; profile++)
        for (unsigned expired = 0; expired < 2; expired++) {
            static struct cemv_ca_key key = { .index = 1 };
            struct k2_memory *const memory = k2_memory_of(&kernel);
            const bool absent = expired && profile != CEMV_PROFILE_BOOK;
            fresh(profile);
            memcpy(key.expires, expired ? "\x26\x11\x20" : "\x26\x11\x21", 3);
            for (size_t i = 0; i < 4; i++) put(needed[i], "\3", 1);
            put(CEMV_SLOT_8F, "\1", 1);
            put(CEMV_SLOT_9F4A, "\x82", 1);
            put(CEMV_SLOT_8C, "\x9F\x37\4", 3);
            checked.configuration.ca_keys = &key;
            checked.configuration.ca_key_count = 1;
            combination.aid = of(name, 5);
            memory->cda = true, memory->ac_type = K2_ARQC;
            property(k2_prepare_cda(&kernel) && ((memory->tvr & CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED)) != 0) == absent,
                     "an expired key counts as absent", (unsigned)(profile << 1 | expired));
            property((kernel.findings >> CEMV_FINDING_CA_KEY_EXPIRED & 1) == expired, "and is reported",
                     (unsigned)(profile << 1 | expired));
            property(told(K2_S12_WAIT_PUT_DATA, CEMV_REPLY_RESPONSE) == CEMV_STEP_SEND &&
                         kernel.out.command[2] == (absent ? 0x80 : 0x90),
                     "no signature is asked for with it", (unsigned)(profile << 1 | expired));
        }
}

static bool names_status(void)
{
    return kernel.out.outcome.error_indication[3] != 0 || kernel.out.outcome.error_indication[4] != 0;
}

/* Data for CDOL and DSDOL go in one command, at most 255 bytes. */
static void properties_of_long_commands(void)
{
    struct k2_memory *const memory = k2_memory_of(&kernel);
    for (uint8_t size = 40; size < 90; size++) {
        const uint8_t cdol[] = { 0x9F, 0x02, 200, 0x9F, 0x37, 4 }, dsdol[] = { 0xDF, 0x60, size, 0xDF, 0x62, 1 };
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = of("\x90\x00", 2) };
        fresh(CEMV_PROFILE_BOOK);
        put(CEMV_SLOT_8C, cdol, sizeof cdol);
        put(K2_SLOT_9F5B, dsdol, sizeof dsdol);
        put(K2_SLOT_DF62, "\1", 1);
        put(K2_SLOT_DF8108, "\0", 1);
        put(K2_SLOT_DF810A, "\x20", 1);
        memory->ids = K2_IDS_READ, memory->cda = true, memory->mode = K2_MODE_EMV;
        kernel.out.state = K2_S12_WAIT_PUT_DATA;
        kernel.out.step = CEMV_STEP_SEND;
        const enum cemv_step step = cemv_kernel_2.reply(&kernel, &reply);
        const size_t whole = 204u + size + 1;
        property((step == CEMV_STEP_SEND) == (whole <= 255), "data for storage fit into the command", size);
        if (step == CEMV_STEP_SEND)
            property(kernel.out.command_size == whole + 6 && kernel.out.command[4] == whole &&
                         (memory->ids & K2_IDS_WRITE) != 0,
                     "they stand behind those for the CDOL", size);
        else
            property(step == CEMV_STEP_DONE && kernel.out.outcome.error_indication[1] == CEMV_L2_CARD_DATA_ERROR &&
                         memory->ids == K2_IDS_READ && !names_status(),
                     "what does not fit is the card's error", size);
    }
}

/* The session passes no response to a state that sent no command. If one arrived nevertheless, the tap ends. */
static void properties_of_unasked_answers(void)
{
    static const uint8_t unasked[] = { K2_WAIT_RANDOM,       K2_S910_WAIT_CARD_READ, K2_WAIT_BACK_OFF,
                                       K2_S2_WAIT_PDOL_DATA, K2_S6_WAIT_FIRST_WRITE, K2_S8_WAIT_FIRST_WRITE };
    static const struct {
        uint8_t kind, l1;
    } replies[] = {
        { CEMV_REPLY_RESPONSE, CEMV_L1_PROTOCOL },
        { CEMV_REPLY_PROTOCOL, CEMV_L1_PROTOCOL },
        { CEMV_REPLY_TRANSMISSION, CEMV_L1_TRANSMISSION },
        { CEMV_REPLY_TIMEOUT, CEMV_L1_TIMEOUT },
    };
    for (size_t i = 0; i < sizeof unasked; i++)
        for (size_t j = 0; j < sizeof replies / sizeof replies[0]; j++) {
            fresh(CEMV_PROFILE_BOOK);
            const enum cemv_step step = told(unasked[i], replies[j].kind);
            const struct cemv_outcome *const outcome = &kernel.out.outcome;
            property(step == CEMV_STEP_DONE && kernel.out.finished && outcome->status == CEMV_OUTCOME_END_APPLICATION &&
                         outcome->reason == CEMV_REASON_LINK && outcome->start == CEMV_START_B,
                     "an answer to nothing ends the tap", unasked[i]);
            property(outcome->error_indication[0] == replies[j].l1 && outcome->error_indication[1] == 0 &&
                         kernel.out.record_size == 0,
                     "and is the link's error", replies[j].kind);
        }
}

/* C-8, KS.2 and digest 1.7: the outcome parameters are initialised once. An end sets status, start and messages; CVM,
 * receipt and field-off time remain as earlier steps set them. */
static void ends_keep_the_outcome_parameters(void)
{
    static const struct {
        uint8_t state, kind, status, start;
    } ends[] = {
        { K2_S9_WAIT_AC, CEMV_REPLY_TIMEOUT, CEMV_OUTCOME_END_APPLICATION, CEMV_START_B },
        { K2_S9_WAIT_AC, CEMV_REPLY_RESPONSE, CEMV_OUTCOME_END_APPLICATION, CEMV_START_NA },
        { K2_S10_WAIT_RECOVERY, CEMV_REPLY_TRANSMISSION, CEMV_OUTCOME_END_APPLICATION, CEMV_START_B },
        { K2_S10_WAIT_RECOVERY, CEMV_REPLY_RESPONSE, CEMV_OUTCOME_END_APPLICATION, CEMV_START_NA },
        { K2_S11_WAIT_AC, CEMV_REPLY_RESPONSE, CEMV_OUTCOME_END_APPLICATION, CEMV_START_NA },
        { K2_S12_WAIT_PUT_DATA, CEMV_REPLY_TIMEOUT, CEMV_OUTCOME_END_APPLICATION, CEMV_START_B },
        { K2_S12_WAIT_PUT_DATA, CEMV_REPLY_STOP, CEMV_OUTCOME_END_APPLICATION, CEMV_START_NA },
        { K2_S13_WAIT_CHECKSUM, CEMV_REPLY_TIMEOUT, CEMV_OUTCOME_END_APPLICATION, CEMV_START_B },
        { K2_S14_WAIT_CHECKSUM, CEMV_REPLY_TIMEOUT, CEMV_OUTCOME_END_APPLICATION, CEMV_START_B },
        { K2_S14_WAIT_CHECKSUM, CEMV_REPLY_RESPONSE, CEMV_OUTCOME_END_APPLICATION, CEMV_START_NA },
        { K2_S15_WAIT_PUT_DATA, CEMV_REPLY_TIMEOUT, CEMV_OUTCOME_END_APPLICATION, CEMV_START_B },
        { K2_S910_WAIT_CARD_READ, CEMV_REPLY_CONTINUE, CEMV_OUTCOME_END_APPLICATION, CEMV_START_NA },
    };
    static const uint8_t methods[] = { CEMV_CVM_NONE, CEMV_CVM_SIGNATURE, CEMV_CVM_ONLINE_PIN, CEMV_CVM_CDCVM };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        for (unsigned set = 0; set < 8; set++) {
            const struct cemv_outcome *const outcome = &kernel.out.outcome;
            const unsigned place = (unsigned)i << 4 | set;
            static const uint8_t name[5];
            fresh(CEMV_PROFILE_BOOK);
            combination.aid = of(name, 5);
            kernel.out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
            kernel.out.outcome.cvm = methods[set / 2];
            kernel.out.outcome.receipt = set % 2 != 0;
            kernel.out.outcome.field_off_100ms = 13;
            put(CEMV_SLOT_9F36, "\0\1", 2);
            put(CEMV_SLOT_9F27, "\x80", 1);
            if (ends[i].state == K2_S15_WAIT_PUT_DATA) put(K2_SLOT_DF4B, "\0\2\0", 3);
            kernel.out.state = ends[i].state;
            enum cemv_step step = ends[i].kind == CEMV_REPLY_STOP ? cemv_kernel_2.stop(&kernel)
                                                                  : told(ends[i].state, ends[i].kind);
            if (kernel.out.state == K2_WAIT_BACK_OFF) step = told(K2_WAIT_BACK_OFF, CEMV_REPLY_DEADLINE);
            property(step == CEMV_STEP_DONE && outcome->status == ends[i].status && outcome->start == ends[i].start,
                     "the transaction ends", place);
            property(outcome->cvm == methods[set / 2], "an end keeps the cardholder verification method", place);
            property(outcome->receipt == (set % 2 != 0) && outcome->field_off_100ms == 13,
                     "an end keeps receipt and field-off time", place);
        }
}

/* A CVM List of an odd length is malformed when it is read (Book 3, 7.5). */
static void properties_of_odd_lists(void)
{
    for (unsigned i = 0; i < 8; i++) {
        const bool verifies = i & 1, odd = i & 2, on_device = i & 4;
        const uint8_t profile[2] = { (uint8_t)((verifies ? 0x10 : 0) | (on_device ? 0x02 : 0)), 0x80 },
                      list[13] = { 0, 0, 0, 0, 0, 0, 0, 0, 0x1F, 3, 0x1F, 0 };
        fresh(CEMV_PROFILE_BOOK);
        put(CEMV_SLOT_82, profile, 2);
        put(K2_SLOT_8E, list, odd ? 13 : 12);
        put(K2_SLOT_DF811B, "\x20", 1);
        const enum cemv_step step = told(K2_S16_WAIT_BALANCE, CEMV_REPLY_RESPONSE);
        property((step == CEMV_STEP_DONE) == (verifies && odd && !on_device), "a CVM List of an odd length", i);
        if (step == CEMV_STEP_DONE)
            property(kernel.out.outcome.error_indication[1] == CEMV_L2_CARD_DATA_ERROR, "is the card's error", i);
    }
}

/* GAC.5, GAC.10: the terminal requests storage that the card does not support. */
static void properties_of_wishes(void)
{
    static const struct {
        uint8_t type, use;
        bool answers;
        uint8_t l2;
    } requests[] = {
        { 0x40, 0x04, true, CEMV_L2_IDS_NO_MATCHING_AC },
        { 0x40, 0x04, false, CEMV_L2_IDS_DATA_ERROR },
        { 0x40, 0x00, true, 0 },
        { 0x40, 0x24, true, 0 },
        { 0x00, 0x04, true, 0 },
    };
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        struct k2_memory *const memory = k2_memory_of(&kernel);
        fresh(CEMV_PROFILE_BOOK);
        put(CEMV_SLOT_8C, "\x9F\x37\4", 3);
        put(K2_SLOT_9F5B, "\xDF\x60\1", 3);
        put(K2_SLOT_DF62, "\1", 1);
        put(K2_SLOT_DF8108, &requests[i].type, 1);
        if (requests[i].answers) put(K2_SLOT_DF810A, &requests[i].use, 1);
        memory->ids = K2_IDS_READ, memory->cda = true, memory->mode = K2_MODE_EMV;
        const enum cemv_step step = told(K2_S12_WAIT_PUT_DATA, CEMV_REPLY_RESPONSE);
        property((step == CEMV_STEP_DONE) == (requests[i].l2 != 0) &&
                     (step != CEMV_STEP_DONE || kernel.out.outcome.error_indication[1] == requests[i].l2),
                 "a request for storage", (unsigned)i);
        if (step == CEMV_STEP_DONE) property(!names_status(), "is no answer of the card's", (unsigned)i);
    }
}

/* S1.7: DF8130 is the field-off time of a card that detects it; FF is no request (C-8 A.1.96). */
static void the_field_is_held_off_as_configured(void)
{
    static const uint8_t fci[] = { 0x6F, 0x14, 0x84, 0x05, 0xA0, 0,    0,    0,    4,    0xA5, 0x0B,
                                   0xBF, 0x0C, 0x08, 0x9F, 0x5D, 0x03, 0x01, 0x04, 0x00, 0x50, 0x00 };
    for (unsigned value = 0; value < 257; value++) {
        const uint8_t byte = (uint8_t)value;
        fresh(CEMV_PROFILE_BOOK);
        property(cemv_store_keep(&kernel.store, of(fci, sizeof fci), &kernel.fci), "room", value);
        kernel.fci.size = sizeof fci;
        if (value < 256) put(K2_SLOT_DF8130, &byte, 1);
        property(cemv_kernel_2.start(&kernel) == CEMV_STEP_SEND, "GET PROCESSING OPTIONS", value);
        property(kernel.out.outcome.field_off_100ms == (value == 256   ? 13
                                                        : value == 255 ? CEMV_FIELD_OFF_NA
                                                                       : value),
                 "field-off time", value);
    }
}

/* The error names the rejected object. */
static void properties_of_refusals(void)
{
    static const struct {
        uint32_t tag;
        uint8_t value[8];
        enum cemv_status status;
    } bad[] = {
        { 0xDF811B, { 0xC0 }, CEMV_CONFLICT },  { 0xDF811D, { CEMV_TORN_RECORDS + 1 }, CEMV_TOO_MANY },
        { 0xDF8118, { 0x10 }, CEMV_BAD_VALUE }, { 0xDF8119, { 0x80 }, CEMV_BAD_VALUE },
        { 0xDF811E, { 0x30 }, CEMV_BAD_VALUE }, { 0xDF812C, { 0xEF }, CEMV_BAD_VALUE },
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint8_t object[8];
        struct cemv_config_error error = { 0 };
        size_t size = cemv_tag_write(object, bad[i].tag);
        object[size++] = 1;
        object[size++] = bad[i].value[0];
        fresh(CEMV_PROFILE_BOOK);
        combination.data = of(object, size);
        property(k2_check(&checked.configuration, 0, &error) == bad[i].status && error.field == CEMV_FIELD_DATA &&
                     error.tag == bad[i].tag,
                 "what is refused is named", (unsigned)i);
        object[size - 1] = 0;
        error = (struct cemv_config_error){ 0 };
        property(k2_check(&checked.configuration, 0, &error) == CEMV_OK && error.field == 0 && error.tag == 0,
                 "what is good names nothing", (unsigned)i);
    }
}

/* 4.3: a balance of the card is shown as a number, or not at all. */
static void a_balance_that_is_no_number_is_not_shown(void)
{
    static const struct {
        const char *balance;
        uint64_t value;
    } all[] = { { "\0\0\0\0\x12\x34", 1234 }, { "\0\0\0\0\x1A\x34", 0 }, { "\xFF\xFF\xFF\xFF\xFF\xFF", 0 } };
    for (unsigned i = 0; i < 3; i++) {
        struct cemv_ui_request request = cemv_ui_of(CEMV_MESSAGE_APPROVED, CEMV_UI_CARD_READ);
        fresh(CEMV_PROFILE_BOOK);
        put(K2_SLOT_DF8105, all[i].balance, 6);
        k2_show_balance(&kernel, &request);
        property((request.value_qualifier == CEMV_VALUE_BALANCE) == (i == 0), "a balance is a number", i);
        property(i != 0 || request.value == all[i].value, "and shown as it is", i);
    }
}

/* 3.0: before a cryptogram is requested, a stop ends the tap. Afterwards the card may have counted the transaction, so
 * the step continues. */
static void stops_at_any_state(void)
{
    static const uint8_t ends[] = { K2_R1_WAIT_RELAY,       K2_WAIT_RANDOM,         K2_WAIT_ANSWERS_SENT,
                                    K2_S2_WAIT_PDOL_DATA,   K2_S3_WAIT_GPO,         K2_S4_WAIT_RECORD,
                                    K2_S5_WAIT_GET_DATA,    K2_S6_WAIT_FIRST_WRITE, K2_S7_WAIT_RECORD,
                                    K2_S8_WAIT_FIRST_WRITE, K2_S12_WAIT_PUT_DATA,   K2_S16_WAIT_BALANCE },
                         goes_on[] = { K2_S9_WAIT_AC,        K2_S10_WAIT_RECOVERY,   K2_S11_WAIT_AC,
                                       K2_S13_WAIT_CHECKSUM, K2_S14_WAIT_CHECKSUM,   K2_S15_WAIT_PUT_DATA,
                                       K2_S17_WAIT_BALANCE,  K2_S910_WAIT_CARD_READ, K2_WAIT_BACK_OFF };
    for (size_t i = 0; i < sizeof ends; i++) {
        fresh(CEMV_PROFILE_BOOK);
        kernel.out.state = ends[i], kernel.out.step = CEMV_STEP_SEND;
        property(cemv_kernel_2.stop(&kernel) == CEMV_STEP_DONE &&
                     outcome_is(&kernel.out.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STOPPED) &&
                     kernel.out.outcome.error_indication[2] == CEMV_L3_STOP,
                 "a stop ends", ends[i]);
    }
    for (size_t i = 0; i < sizeof goes_on; i++)
        for (uint8_t step = CEMV_STEP_SEND; step <= CEMV_STEP_WORK; step++) {
            fresh(CEMV_PROFILE_BOOK);
            kernel.out.state = goes_on[i], kernel.out.step = step;
            property((uint8_t)cemv_kernel_2.stop(&kernel) == step && !kernel.out.finished &&
                         kernel.out.state == goes_on[i],
                     "or changes nothing", goes_on[i]);
        }
}

/* attacks.md, A23: objects that only configure the kernel are never sent to a card. The kernel itself supplies the
 * version of mag-stripe mode, which is sent. */
static void what_is_the_kernels_goes_to_the_card(void)
{
    static const struct {
        uint32_t tag;
        uint8_t size;
        bool goes_out;
    } all[] = { { 0x9F6D, 2, true },    { 0x9F53, 1, true },    { 0x9F7C, 20, true },   { 0x9F5C, 8, true },
                { 0xDF8104, 6, true },  { 0xDF8117, 1, false }, { 0xDF8118, 1, false }, { 0xDF8119, 1, false },
                { 0xDF811A, 3, false }, { 0xDF811B, 1, false }, { 0xDF811C, 2, false }, { 0xDF811D, 1, false },
                { 0xDF811E, 1, false }, { 0xDF811F, 1, false }, { 0xDF8120, 5, false }, { 0xDF8121, 5, false },
                { 0xDF8122, 5, false }, { 0xDF8123, 6, false }, { 0xDF8124, 6, false }, { 0xDF8125, 6, false },
                { 0xDF8126, 6, false }, { 0xDF8127, 2, false }, { 0xDF812C, 1, false }, { 0xDF812D, 3, false },
                { 0xDF8130, 1, false }, { 0xDF8132, 2, false }, { 0xDF8133, 2, false }, { 0xDF8134, 2, false },
                { 0xDF8135, 2, false }, { 0xDF8136, 2, false }, { 0xDF8137, 1, false } };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        static const uint8_t value[20] = { 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
                                           0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11 },
                             zeros[20];
        uint8_t list[5], out[20];
        size_t size = cemv_tag_write(list, all[i].tag);
        list[size++] = all[i].size;
        fresh(CEMV_PROFILE_BOOK);
        put(cemv_slot_of(tags_of(2), all[i].tag), value, all[i].size);
        property(cemv_store_build_dol(&kernel.store, of(list, size), false, out, sizeof out, &size) &&
                     size == all[i].size && memcmp(out, all[i].goes_out ? value : zeros, size) == 0,
                 "what a card is answered", i);
    }
}

void properties_of_k2(void)
{
    PART(a_balance_that_is_no_number_is_not_shown);
    PART(properties_of_refusals);
    PART(an_expired_ca_key_counts_as_absent);
    PART(properties_of_long_commands);
    PART(properties_of_unasked_answers);
    PART(ends_keep_the_outcome_parameters);
    PART(properties_of_odd_lists);
    PART(properties_of_wishes);
    PART(stops_at_any_state);
    PART(what_is_the_kernels_goes_to_the_card);
    PART(the_field_is_held_off_as_configured);
}
