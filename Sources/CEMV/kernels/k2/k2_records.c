/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2: the data objects of an outcome (Conformance/book-c2.md, 1.4): the data record for the acquirer, the
 * discretionary data for the terminal, and the balance for the display. Knows no command and decides nothing. */
#include "k2.h"

/* The data record of EMV mode, in the order of 1.4. */
static const uint16_t emv_record[] = {
    CEMV_SLOT_9F02, CEMV_SLOT_9F03, CEMV_SLOT_9F26, CEMV_SLOT_5F24, CEMV_SLOT_82,   CEMV_SLOT_50,
    CEMV_SLOT_5A,   CEMV_SLOT_5F34, CEMV_SLOT_9F12, CEMV_SLOT_9F36, CEMV_SLOT_9F07, CEMV_SLOT_9F09,
    CEMV_SLOT_9F27, CEMV_SLOT_9F34, CEMV_SLOT_84,   CEMV_SLOT_9F1E, CEMV_SLOT_9F10, CEMV_SLOT_9F11,
    CEMV_SLOT_9F24, CEMV_SLOT_9F33, CEMV_SLOT_9F1A, CEMV_SLOT_9F35, CEMV_SLOT_95,   CEMV_SLOT_57,
    K2_SLOT_9F53,   CEMV_SLOT_5F2A, CEMV_SLOT_9A,   CEMV_SLOT_9C,   CEMV_SLOT_9F37,
};
/* The data record of mag-stripe mode has the tracks, which already contain cryptogram, number and counter. */
static const uint16_t magstripe_record[] = {
    CEMV_SLOT_50, CEMV_SLOT_9F12, CEMV_SLOT_84, CEMV_SLOT_9F11,
    K2_SLOT_9F6D, CEMV_SLOT_9F24, CEMV_SLOT_56, CEMV_SLOT_9F6B,
};

/* Exports the objects that are present. The others are omitted: nothing is filled up with zeros. */
void k2_put_slots(const struct cemv_kernel *kernel, struct cemv_writer *writer, const uint16_t *slots, size_t count)
{
    for (size_t i = 0; i < count; i++) cemv_store_export(&kernel->store, slots[i], writer);
}

void k2_put_status(struct cemv_writer *writer, uint32_t tag, uint8_t status)
{
    cemv_writer_put_tlv(writer, tag, (cemv_bytes){ &status, 1 });
}

/* The contents depend on how far the tap came. Before a mode is chosen there is only the Error Indication. EMV mode
 * adds the results of data storage and of PUT DATA, mag-stripe mode the discretionary data as the card sent them. Torn
 * records that left the log come last, as many as fit. */
static void put_discretionary(struct cemv_kernel *kernel, struct cemv_writer *writer, cemv_bytes error)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    static const uint16_t balances[] = { CEMV_SLOT_9F42, K2_SLOT_DF8105, K2_SLOT_DF8104, K2_SLOT_DF8102 };
    static const uint16_t tracks[] = { K2_SLOT_DF812A, K2_SLOT_DF812B };
    if (memory->mode != K2_MODE_NONE) cemv_store_export(&kernel->store, K2_SLOT_9F5D, writer);
    if (memory->mode == K2_MODE_EMV) {
        k2_put_slots(kernel, writer, balances, sizeof balances / sizeof balances[0]);
        k2_put_status(writer, CEMV_TAG_DF810B_DS_SUMMARY_STATUS, memory->summary_status);
    }
    if (memory->mode == K2_MODE_MAGSTRIPE) k2_put_slots(kernel, writer, tracks, sizeof tracks / sizeof tracks[0]);
    cemv_writer_put_tlv(writer, CEMV_TAG_DF8115_ERROR_INDICATION, error);
    if (memory->mode == K2_MODE_EMV) {
        k2_put_status(writer, CEMV_TAG_DF810E_POST_GEN_AC_PUT_DATA_STATUS, memory->put_after);
        k2_put_status(writer, CEMV_TAG_DF810F_PRE_GEN_AC_PUT_DATA_STATUS, memory->put_before);
    }
    if (memory->mode != K2_MODE_NONE) cemv_store_export(&kernel->store, K2_SLOT_9F6E, writer);
    for (unsigned i = 0; i < memory->evicted_count; i++) {
        if (writer->capacity - writer->size < memory->evicted[i].size + (size_t)K2_RECORD_HEADER) continue;
        cemv_writer_put_tlv(writer, CEMV_TAG_FF8101_TORN_RECORD, cemv_span_bytes(&kernel->store, memory->evicted[i]));
    }
}

/* Includes objects that are present and empty: the terminal left them open, and the acquirer should see that (C-8, 4.3:
 * IsPresent). */
static void put_emv_record(const struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    for (size_t i = 0; i < sizeof emv_record / sizeof emv_record[0]; i++) {
        cemv_store_export(&kernel->store, emv_record[i], writer);
        if (k2_is_empty(kernel, emv_record[i]))
            cemv_writer_put_tlv(writer, k2_tag_row(emv_record[i])->tag, (cemv_bytes){ NULL, 0 });
    }
}

/* Both lists share one buffer; the discretionary data follow the data record. */
void k2_put_records(struct cemv_kernel *kernel, bool data_record)
{
    struct cemv_output *out = &kernel->out;
    const bool magstripe = k2_memory_of(kernel)->mode == K2_MODE_MAGSTRIPE;
    struct cemv_writer writer = cemv_writer_open(out->records, sizeof out->records);
    if (data_record && magstripe)
        k2_put_slots(kernel, &writer, magstripe_record, sizeof magstripe_record / sizeof magstripe_record[0]);
    else if (data_record) put_emv_record(kernel, &writer);
    out->record_size = (uint16_t)cemv_writer_finish(&writer).size;
    writer = cemv_writer_open(out->records + out->record_size, sizeof out->records - out->record_size);
    put_discretionary(kernel, &writer,
                      (cemv_bytes){ out->outcome.error_indication, sizeof out->outcome.error_indication });
    out->discretionary_size = (uint16_t)cemv_writer_finish(&writer).size;
}

/* The balance that was read after GENERATE AC, in the card's currency, which may differ from the transaction's. */
void k2_show_balance(const struct cemv_kernel *kernel, struct cemv_ui_request *request)
{
    const cemv_bytes balance = cemv_value(kernel, K2_SLOT_DF8105), currency = cemv_value(kernel, CEMV_SLOT_9F42);
    if (balance.size == 0 || !cemv_bcd_read(balance, &request->value)) return;
    request->value_qualifier = CEMV_VALUE_BALANCE;
    if (currency.size == 2) request->currency = cemv_be16(currency.data);
}
