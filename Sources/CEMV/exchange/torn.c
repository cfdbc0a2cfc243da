/* SPDX-License-Identifier: Apache-2.0 */
/* The torn log and the recovery context, both in the reader's memory (Conformance/book-c2.md, 1.5; Book C-5, 3.13). A
 * transaction is torn if the card left the field after it had computed a cryptogram and before the reader received it:
 * the card has counted a transaction that the reader knows nothing about. The log keeps the data with which a later tap
 * can ask the card for that answer. This file knows no kernel and does not decide about a recovery. */
#include "exchange.h"

cemv_bytes cemv_torn_record(const struct cemv_reader_memory *reader, uint8_t index)
{
    return (cemv_bytes){ reader->torn[index].bytes, reader->torn[index].size };
}

bool cemv_torn_find(cemv_bytes record, uint32_t tag, cemv_bytes *value)
{
    struct cemv_tlv object;
    *value = (cemv_bytes){ NULL, 0 };
    if (!cemv_tlv_find(record, tag, &object)) return false;
    *value = object.value;
    return true;
}

/* Seconds since 1950, the first year that the books' two-digit dates can express. Returns false if date or time cannot
 * be read. */
static bool seconds_of(cemv_bytes date, cemv_bytes time, uint64_t *seconds)
{
    uint32_t days;
    uint64_t digits;
    if (date.size != 3 || time.size != 3 || !cemv_date_read(date, &days) || !cemv_bcd_read(time, &digits)) return false;
    const uint32_t clock = (uint32_t)digits;
    *seconds = (uint64_t)days * 86400 + clock / 10000 * 3600 + clock / 100 % 100 * 60 + clock % 100;
    return true;
}

/* A record whose age cannot be determined counts as infinitely old. A reader that has lost its date must not take a
 * stale record for a fresh one. */
uint32_t cemv_torn_age(cemv_bytes record, const struct cemv_torn_now *now)
{
    cemv_bytes date, time;
    uint64_t then, today;
    (void)cemv_torn_find(record, CEMV_TAG_9A_TRANSACTION_DATE, &date);
    (void)cemv_torn_find(record, CEMV_TAG_9F21_TRANSACTION_TIME, &time);
    if (!seconds_of(date, time, &then)) return UINT32_MAX;
    if (!seconds_of((cemv_bytes){ now->date, 3 }, (cemv_bytes){ now->time, 3 }, &today) || today < then)
        return UINT32_MAX;
    return today - then < UINT32_MAX ? (uint32_t)(today - then) : UINT32_MAX;
}

/* The others move up, so that the log stays ordered by age. The place that becomes free is cleared, because a record
 * contains the account number. */
void cemv_torn_remove(struct cemv_reader_memory *reader, uint8_t index)
{
    if (index >= reader->torn_count) return;
    for (uint8_t i = index; i + 1 < reader->torn_count; i++) reader->torn[i] = reader->torn[i + 1];
    reader->torn_count--;
    cemv_memset(&reader->torn[reader->torn_count], 0, sizeof reader->torn[0]);
}

/* ---- Recovery context ---- */

/* The context belongs to the kernel that wrote it. Its data objects mean nothing to another kernel, which therefore
 * finds it empty. */
cemv_bytes cemv_recovery_of(const struct cemv_reader_memory *reader, uint8_t kernel)
{
    const cemv_bytes none = { NULL, 0 };
    if (reader == NULL || reader->recovery.kernel != kernel) return none;
    return (cemv_bytes){ reader->recovery.bytes, reader->recovery.size };
}

struct cemv_writer cemv_recovery_open(struct cemv_reader_memory *reader, uint8_t kernel)
{
    reader->recovery.kernel = kernel;
    reader->recovery.size = 0;
    return cemv_writer_open(reader->recovery.bytes, sizeof reader->recovery.bytes);
}

void cemv_recovery_close(struct cemv_reader_memory *reader, struct cemv_writer *writer)
{
    reader->recovery.size = (uint16_t)cemv_writer_finish(writer).size;
}
