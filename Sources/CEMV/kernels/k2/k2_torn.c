/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2: its part of the torn log (Conformance/book-c2.md, 1.5, 4.8): the contents of a record, which card it
 * belongs to, and when it is written, used and dropped.
 *
 * If the card leaves the field during GENERATE AC, it may have counted a transaction whose answer the reader never saw.
 * A record keeps all data on which that answer depends. When the card is presented again, RECOVER AC returns the
 * answer, and the record's values replace those of the new tap, because the cryptogram was computed over them. The log
 * itself is exchange/torn.c. Sends nothing. */
#include "k2.h"

enum {
    DEFAULT_LIFETIME_S = 300,
    GUARDED_LIFETIME_S = 120, /* attacks.md, A20 */
};

/* Account and sequence number identify the card. An absent sequence number matches only an absent one. */
uint8_t k2_torn_lookup(const struct cemv_reader_memory *reader, cemv_bytes pan, cemv_bytes sequence)
{
    for (uint8_t i = reader->torn_count; i > 0; i--) {
        const cemv_bytes record = cemv_torn_record(reader, (uint8_t)(i - 1));
        cemv_bytes held, number;
        (void)cemv_torn_find(record, CEMV_TAG_5A_PAN, &held);
        (void)cemv_torn_find(record, CEMV_TAG_5F34_PAN_SEQUENCE_NUMBER, &number);
        if (held.size != 0 && cemv_cn_equal(held, pan) && cemv_bytes_equal(number, sequence)) return (uint8_t)(i - 1);
    }
    return reader->torn_count;
}

uint8_t k2_torn_capacity(const struct cemv_reader_memory *reader, uint8_t configured)
{
    if (!reader) return 0;
    return configured < CEMV_TORN_RECORDS ? configured : CEMV_TORN_RECORDS;
}

/* Recovery needs a log in the reader's memory, a configured number of records, and a protection that allows it. */
uint8_t k2_torn_room(const struct cemv_kernel *kernel)
{
    if (k2_torn_rule(kernel) == CEMV_TORN_OFF) return 0;
    return k2_torn_capacity(kernel->transaction.reader, k2_byte(kernel, K2_SLOT_DF811D, 0));
}

/* In the torn tap data storage may have written to the card. Until that is known, the record must not disappear without
 * a report. */
bool k2_old_write_unresolved(const struct cemv_kernel *kernel, uint8_t index)
{
    cemv_bytes status;
    (void)cemv_torn_find(cemv_torn_record(kernel->transaction.reader, index), CEMV_TAG_DF8128_IDS_STATUS, &status);
    return status.size == 1 && (status.data[0] & K2_IDS_WRITE) != 0;
}

/* An object that neither has counts as equal. */
static bool same_object(const struct cemv_kernel *kernel, cemv_bytes record, uint16_t slot)
{
    cemv_bytes held;
    (void)cemv_torn_find(record, k2_tag_row(slot)->tag, &held);
    return cemv_bytes_equal(held, cemv_value(kernel, slot));
}

/* Beyond the book: the cryptogram of the torn tap must not pay another sale (attacks.md, A20). */
bool k2_is_same_sale(const struct cemv_kernel *kernel, cemv_bytes record)
{
    return k2_torn_rule(kernel) == CEMV_TORN_BOOK ||
           (same_object(kernel, record, CEMV_SLOT_9F02) && same_object(kernel, record, CEMV_SLOT_9F03) &&
            same_object(kernel, record, CEMV_SLOT_5F2A) && same_object(kernel, record, CEMV_SLOT_9C));
}

/* The objects of the tag store that a record contains (1.5). */
static const uint16_t torn_slots[] = {
    CEMV_SLOT_9F02, CEMV_SLOT_9F03, CEMV_SLOT_5A,   CEMV_SLOT_5F34, K2_SLOT_DF8104, CEMV_SLOT_9F34,
    K2_SLOT_9F7D,   CEMV_SLOT_9F1E, CEMV_SLOT_9F33, CEMV_SLOT_9F1A, CEMV_SLOT_9F35, CEMV_SLOT_95,
    K2_SLOT_9F53,   CEMV_SLOT_5F2A, CEMV_SLOT_9A,   CEMV_SLOT_9F21, CEMV_SLOT_9C,   CEMV_SLOT_9F37,
};
/* The parts of the relay resistance exchange, and their places in k2_memory.relay. */
static const struct {
    uint32_t tag;
    uint8_t at, size;
} relay_parts[] = {
    { CEMV_TAG_DF8301_TERMINAL_RELAY_RESISTANCE_ENTROPY, 0, 4 },
    { CEMV_TAG_DF8302_DEVICE_RELAY_RESISTANCE_ENTROPY, 4, 4 },
    { CEMV_TAG_DF8303_MIN_TIME_FOR_RELAY_RESISTANCE_APDU, 8, 2 },
    { CEMV_TAG_DF8304_MAX_TIME_FOR_RELAY_RESISTANCE_APDU, 10, 2 },
    { CEMV_TAG_DF8305_DEVICE_TRANSMISSION_TIME_R_APDU, 12, 2 },
};

static void put_span(const struct cemv_kernel *kernel, struct cemv_writer *writer, uint32_t tag, struct cemv_span span)
{
    if (span.size != 0) cemv_writer_put_tlv(writer, tag, cemv_span_bytes(&kernel->store, span));
}

/* A record contains everything on which the card's answer depends: the bytes that the lists were filled with, and the
 * terminal's data for the records of the outcome. The relay resistance exchange is included if one was performed, since
 * the signature covers it. */
static void write_torn(const struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    const struct k2_memory *memory = k2_memory_of_const(kernel);
    const struct cemv_span pdol = { (uint16_t)(memory->pdol.at - memory->pdol_header),
                                    (uint16_t)(memory->pdol.size + memory->pdol_header) };
    uint8_t measured[2];
    k2_put_slots(kernel, writer, torn_slots, sizeof torn_slots / sizeof torn_slots[0]);
    put_span(kernel, writer, CEMV_TAG_DF8107_CDOL1_RELATED_DATA, memory->cdol);
    put_span(kernel, writer, CEMV_TAG_DF8111_PDOL_RELATED_DATA, pdol);
    put_span(kernel, writer, CEMV_TAG_DF8113_DRDOL_RELATED_DATA, memory->drdol);
    k2_put_status(writer, CEMV_TAG_DF8114_REFERENCE_CONTROL_PARAMETER, memory->control);
    k2_put_status(writer, CEMV_TAG_DF8128_IDS_STATUS, memory->ids);
    if ((memory->tvr & K2_TVR_RELAY_MASK) == CEMV_TVR(5, CEMV_TVR_5_RELAY_PERFORMED)) {
        for (size_t i = 0; i < sizeof relay_parts / sizeof relay_parts[0]; i++) {
            cemv_writer_put_tlv(writer, relay_parts[i].tag,
                                (cemv_bytes){ memory->relay + relay_parts[i].at, relay_parts[i].size });
        }
        cemv_put_be16(measured, memory->measured);
        cemv_writer_put_tlv(writer, CEMV_TAG_DF8306_MEASURED_RELAY_RESISTANCE_TIME,
                            (cemv_bytes){ measured, sizeof measured });
    }
    k2_put_status(writer, CEMV_TAG_DF8307_RRP_COUNTER, memory->retries); /* zero if not performed [S1.9] */
}

/* The outcome reports the records as FF8101, at most three: one that expired, one that made room, one with an
 * unresolved write. */
void k2_report_torn(struct cemv_kernel *kernel, struct cemv_span record)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (record.size != 0 && memory->evicted_count < K2_EVICTED_MAX) memory->evicted[memory->evicted_count++] = record;
}

/* Copies a record before it is removed, because the outcome reports it later. */
static void evict(struct cemv_kernel *kernel, uint8_t index)
{
    struct cemv_span kept = { 0, 0 };
    if (cemv_store_keep(&kernel->store, cemv_torn_record(kernel->transaction.reader, index), &kept))
        k2_report_torn(kernel, kept);
    cemv_torn_remove(kernel->transaction.reader, index);
}

/* Adds a record. If the log has its configured number of records, the oldest makes room. It is reported, so that the
 * acquirer learns of a transaction whose result is unknown. */
void k2_torn_store(struct cemv_kernel *kernel, uint8_t capacity)
{
    struct cemv_reader_memory *reader = kernel->transaction.reader;
    while (reader->torn_count >= capacity && reader->torn_count != 0) evict(kernel, 0);
    struct cemv_torn_record *place = &reader->torn[reader->torn_count];
    struct cemv_writer writer = cemv_writer_open(place->bytes, sizeof place->bytes);
    write_torn(kernel, &writer);
    place->size = (uint16_t)cemv_writer_finish(&writer).size;
    if (place->size != 0) reader->torn_count++;
}

/* Restores one object of a record [S10.11]. Account and sequence number were compared already and are still those of
 * the card. */
static void restore_object(struct cemv_kernel *kernel, const struct cemv_tlv *object)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const cemv_bytes value = object->value;
    /* The application may have kept the record in a file that was damaged, so no length is taken for granted. */
    const uint8_t first = value.size != 0 ? value.data[0] : 0;
    for (size_t i = 0; i < sizeof relay_parts / sizeof relay_parts[0]; i++) {
        if (relay_parts[i].tag == object->tag && value.size == relay_parts[i].size)
            cemv_copy(memory->relay + relay_parts[i].at, value.data, value.size);
    }
    if (object->tag == CEMV_TAG_DF8107_CDOL1_RELATED_DATA) (void)cemv_store_keep(&kernel->store, value, &memory->cdol);
    else if (object->tag == CEMV_TAG_DF8113_DRDOL_RELATED_DATA)
        (void)cemv_store_keep(&kernel->store, value, &memory->drdol);
    else if (object->tag == CEMV_TAG_DF8114_REFERENCE_CONTROL_PARAMETER) memory->control = first;
    else if (object->tag == CEMV_TAG_DF8128_IDS_STATUS) memory->ids = first;
    else if (object->tag == CEMV_TAG_DF8306_MEASURED_RELAY_RESISTANCE_TIME && value.size == 2)
        memory->measured = cemv_be16(value.data);
    else if (object->tag == CEMV_TAG_DF8307_RRP_COUNTER) memory->retries = first;
    const uint8_t header = value.size > 1 && value.data[1] == 0x81 ? 3 : 2;
    if (object->tag == CEMV_TAG_DF8111_PDOL_RELATED_DATA && value.size >= header &&
        cemv_store_keep(&kernel->store, value, &memory->pdol)) {
        memory->pdol_header = header;
        memory->pdol.at = (uint16_t)(memory->pdol.at + header);
        memory->pdol.size = (uint16_t)(memory->pdol.size - header);
    }
    if (object->tag == CEMV_TAG_95_TERMINAL_VERIFICATION_RESULTS) memory->tvr = cemv_rules_bits(value, 0);
    for (size_t i = 0; i < sizeof torn_slots / sizeof torn_slots[0]; i++) {
        if (k2_tag_row(torn_slots[i])->tag != object->tag || torn_slots[i] == CEMV_SLOT_5A ||
            torn_slots[i] == CEMV_SLOT_5F34)
            continue;
        if (!cemv_store_put(&kernel->store, torn_slots[i], value, CEMV_FROM_TERMINAL)) memory->store_full = true;
    }
}

/* A record is used once, whether it is restored or not. If the card could not recover it, but data storage may have
 * written in the torn tap, its summary is kept: comparing it with the card's present summary shows whether the write
 * took place. */
void k2_torn_take(struct cemv_kernel *kernel, bool restore)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const cemv_bytes record = cemv_torn_record(kernel->transaction.reader, memory->torn);
    struct cemv_tlv_cursor cursor = cemv_tlv_open(record);
    struct cemv_tlv object;
    cemv_bytes status, summary;
    (void)cemv_torn_find(record, CEMV_TAG_DF8128_IDS_STATUS, &status);
    (void)cemv_torn_find(record, CEMV_TAG_9F7D_DS_SUMMARY_1, &summary);
    if (!restore && status.size == 1 && (status.data[0] & K2_IDS_WRITE) != 0 &&
        summary.size <= sizeof memory->old_summary) {
        memory->old_write = true;
        memory->old_summary_size = (uint8_t)summary.size;
        cemv_copy(memory->old_summary, summary.data, summary.size);
        (void)cemv_store_keep(&kernel->store, record, &memory->old_record);
    }
    while (restore && cemv_tlv_next(&cursor, &object)) restore_object(kernel, &object);
    cemv_torn_remove(kernel->transaction.reader, memory->torn);
}

/* The configured lifetime, DF811C. Beyond the book a shorter one applies, because a torn sale is continued within
 * minutes (attacks.md, A20). */
bool k2_torn_too_old(const struct cemv_kernel *kernel, cemv_bytes record)
{
    struct cemv_torn_now now;
    cemv_copy(now.date, kernel->transaction.date, sizeof now.date);
    cemv_copy(now.time, kernel->transaction.time, sizeof now.time);
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    const uint32_t own = protection->torn_lifetime_s != 0 ? protection->torn_lifetime_s : GUARDED_LIFETIME_S;
    const uint32_t configured = k2_word(kernel, K2_SLOT_DF811C, DEFAULT_LIFETIME_S);
    return cemv_torn_age(record, &now) > (cemv_is_book(kernel) || configured < own ? configured : own);
}

/* Drops one expired record with each call, because the charts report one at a time; the next call drops the next. */
void k2_torn_clean(struct cemv_kernel *kernel)
{
    const struct cemv_reader_memory *reader = kernel->transaction.reader;
    for (uint8_t i = 0; reader && i < reader->torn_count; i++) {
        if (!k2_torn_too_old(kernel, cemv_torn_record(kernel->transaction.reader, i))) continue;
        evict(kernel, i);
        return;
    }
}
