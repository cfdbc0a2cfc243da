/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2: the card's answers, from response to tag store. Sends nothing and changes no state
 * (Conformance/book-c2.md, "Data objects, commands and outcomes"). */
#include "k2.h"

/* Format 1: profile and locator by position [S3.10]. A locator's length is a multiple of 4 (1.3): one that is not, is
 * malformed. */
enum cemv_store_error k2_store_gpo(struct cemv_kernel *kernel, cemv_bytes body)
{
    struct cemv_tlv template, object;
    if (!cemv_tlv_sole(body, &template)) return CEMV_STORE_MALFORMED;
    if (template.tag != CEMV_TAG_80_RESPONSE_FORMAT_1) {
        const enum cemv_store_error error = cemv_store_template(&kernel->store, CEMV_TAG_77_RESPONSE_FORMAT_2, body);
        if (error != CEMV_STORE_OK) return error;
        struct cemv_tlv_cursor cursor = cemv_tlv_open(template.value);
        while (cemv_tlv_next(&cursor, &object)) {
            if (object.constructed) cursor.at = object.value.data; /* what it holds, then what follows it */
            else if (object.tag == CEMV_TAG_9F54_DS_ODS_CARD && object.value.size == 0)
                k2_mark_empty(kernel, K2_SLOT_9F54);
        }
        return cemv_value(kernel, CEMV_SLOT_94).size % 4 == 0 ? CEMV_STORE_OK : CEMV_STORE_BAD_LENGTH;
    }
    if (template.value.size < 6 || (template.value.size - 2) % 4 != 0) return CEMV_STORE_MALFORMED;
    if (cemv_store_has(&kernel->store, CEMV_SLOT_82) || cemv_store_has(&kernel->store, CEMV_SLOT_94))
        return CEMV_STORE_DUPLICATE;
    return cemv_store_gpo_format_1(kernel, template.value);
}

/* [S4.24], [S4.34-35]: above SFI 10 a record may be anything; what cannot be hashed fails CDA. */
enum cemv_store_error k2_store_record(struct cemv_kernel *kernel, cemv_bytes body)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const bool is_signed = memory->record.is_signed && memory->cda;
    const bool proprietary = memory->record.sfi > CEMV_LAST_EMV_SFI;
    if (proprietary && !cemv_record_has_template(body)) {
        if (is_signed) memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED);
        return CEMV_STORE_OK;
    }
    return cemv_store_record(&kernel->store, body, is_signed, proprietary);
}

/* [S4.36-38]: nothing that this kernel needs can follow. */
void k2_stop_reading_early(struct cemv_kernel *kernel)
{
    static const uint16_t enough[] = {
        CEMV_SLOT_5F24, CEMV_SLOT_5A,   CEMV_SLOT_5F34, CEMV_SLOT_9F07, K2_SLOT_8E,   CEMV_SLOT_9F0D,
        CEMV_SLOT_9F0E, CEMV_SLOT_9F0F, CEMV_SLOT_5F28, CEMV_SLOT_57,   CEMV_SLOT_8C,
    };
    if ((k2_configuration_of(kernel) & K2_READ_ALL) != 0 || k2_memory_of(kernel)->cda) return;
    for (size_t i = 0; i < sizeof enough / sizeof enough[0]; i++)
        if (!cemv_store_has(&kernel->store, enough[i])) return;
    kernel->afl.at = kernel->afl.end;
}

/* Format 1: 9F27, 9F36, 9F26, 9F10 by position. */
static enum cemv_store_error store_format_1(struct cemv_kernel *kernel, cemv_bytes value)
{
    static const struct {
        uint16_t slot;
        uint8_t size;
    } fields[] = { { CEMV_SLOT_9F27, 1 }, { CEMV_SLOT_9F36, 2 }, { CEMV_SLOT_9F26, 8 } };
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

enum cemv_store_error k2_store_ac(struct cemv_kernel *kernel, uint8_t state, cemv_bytes body)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    struct cemv_tlv template;
    if (!cemv_tlv_sole(body, &template)) return CEMV_STORE_MALFORMED;
    if (template.tag == CEMV_TAG_80_RESPONSE_FORMAT_1 && state != K2_S10_WAIT_RECOVERY)
        return store_format_1(kernel, template.value);
    const uint16_t before = kernel->store.used;
    const enum cemv_store_error error = cemv_store_template(&kernel->store, CEMV_TAG_77_RESPONSE_FORMAT_2, body);
    if (error != CEMV_STORE_OK) return error;
    /* As kept, for the transaction data hash. */
    memory->ac = (struct cemv_span){ (uint16_t)(before + (size_t)(template.value.data - body.data)),
                                     (uint16_t) template.value.size };
    return CEMV_STORE_OK;
}

/* [S16, S17]: anything but the balance alone is ignored. */
void k2_take_balance(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word, uint16_t slot)
{
    if (status_word != CEMV_SW_OK || body.size != 9 || body.data[0] != 0x9F || body.data[1] != 0x50 ||
        body.data[2] != 6)
        return;
    k2_put_terminal(kernel, slot, body.data + 3, 6);
}
