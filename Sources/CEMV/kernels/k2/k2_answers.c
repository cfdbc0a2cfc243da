/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2: stores the card's answers. Each command has its own rules about formats, duplicates and mandatory
 * templates, and they decide which bytes enter the hash of the CDA signature. Sends nothing and changes no state
 * (Conformance/book-c2.md, "Data objects, commands and outcomes"). */
#include "k2.h"

/* Format 2 is a template 77. In format 1, template 80, AIP and AFL have fixed positions [S3.10]. The length of an AFL
 * is a multiple of 4 (1.3). 9F54 is the one object whose empty value has a meaning, "the slot holds no data", so its
 * presence is noted: the store itself treats empty objects as absent. */
enum cemv_store_error k2_store_gpo(struct cemv_kernel *kernel, cemv_bytes body)
{
    struct cemv_tlv template, object;
    if (!cemv_tlv_sole(body, &template)) return CEMV_STORE_MALFORMED;
    if (template.tag != CEMV_TAG_80_RESPONSE_FORMAT_1) {
        const enum cemv_store_error error = cemv_store_template(&kernel->store, CEMV_TAG_77_RESPONSE_FORMAT_2, body);
        if (error != CEMV_STORE_OK) return error;
        struct cemv_tlv_cursor cursor = cemv_tlv_open(template.value);
        while (cemv_tlv_next(&cursor, &object)) {
            if (object.constructed) cursor.at = object.value.data; /* descends into the template */
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

/* Files above SFI 10 are proprietary and may contain anything; only records with template 70 are parsed. A signed
 * record that cannot be hashed makes CDA fail, but does not end the tap [S4.24, S4.34-35]. */
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

/* Without CDA no record is needed for a hash, so reading may stop as soon as all objects are present that this kernel
 * evaluates [S4.36-38]. This shortens the time in the field. */
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

/* Format 1: CID, counter, cryptogram and, optionally, issuer application data have fixed positions. An object that an
 * earlier answer contained is a duplicate, as in format 2. */
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

/* The answer to GENERATE AC in format 1 or 2, that to RECOVER AC only in format 2 [S9.18-20, S10.12-14]. */
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
    /* The transaction data hash of CDA covers the template's objects as the card sent them, so their place in the arena
     * is kept. */
    memory->ac = (struct cemv_span){ (uint16_t)(before + (size_t)(template.value.data - body.data)),
                                     (uint16_t) template.value.size };
    return CEMV_STORE_OK;
}

/* Accepts an answer that consists of the balance only. Anything else is ignored, because the payment does not depend on
 * it [S16, S17]. */
void k2_take_balance(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word, uint16_t slot)
{
    if (status_word != CEMV_SW_OK || body.size != 9 || body.data[0] != 0x9F || body.data[1] != 0x50 ||
        body.data[2] != 6)
        return;
    k2_put_terminal(kernel, slot, body.data + 3, 6);
}
