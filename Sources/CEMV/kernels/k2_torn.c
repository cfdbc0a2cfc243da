// SPDX-License-Identifier: Apache-2.0
/* Kernel 2: the torn transaction log in the reader's memory. */
#include "k2.h"

static cemv_bytes record_at(const struct cemv_reader_memory *reader, uint8_t index)
{
    return (cemv_bytes){ reader->torn[index].bytes, reader->torn[index].size };
}

bool k2_torn_find(cemv_bytes record, uint32_t tag, cemv_bytes *value)
{
    struct cemv_tlv object;
    *value = (cemv_bytes){ NULL, 0 };
    if (!cemv_tlv_find(record, tag, &object)) return false;
    *value = object.value;
    return true;
}

/* Seconds since 1950; false if the date or the time cannot be read. */
static bool seconds_of(cemv_bytes date, cemv_bytes time, uint64_t *seconds)
{
    uint32_t days;
    uint64_t clock;
    if (date.size != 3 || time.size != 3 || !cemv_date_read(date, &days) || !cemv_bcd_read(time, &clock)) return false;
    *seconds = (uint64_t)days * 86400 + clock / 10000 * 3600 + clock / 100 % 100 * 60 + clock % 100;
    return true;
}

uint32_t k2_torn_age(cemv_bytes record, const struct k2_torn_now *now)
{
    cemv_bytes date, time;
    uint64_t then, today;
    (void)k2_torn_find(record, CEMV_TAG_9A_TRANSACTION_DATE, &date);
    (void)k2_torn_find(record, CEMV_TAG_9F21_TRANSACTION_TIME, &time);
    if (!seconds_of(date, time, &then)) return UINT32_MAX;
    if (!seconds_of((cemv_bytes){ now->date, 3 }, (cemv_bytes){ now->time, 3 }, &today) || today < then)
        return UINT32_MAX;
    return today - then < UINT32_MAX ? (uint32_t)(today - then) : UINT32_MAX;
}

uint8_t k2_torn_lookup(const struct cemv_reader_memory *reader, cemv_bytes pan, cemv_bytes sequence)
{
    for (uint8_t i = reader->torn_count; i > 0; i--) {
        cemv_bytes held, number;
        (void)k2_torn_find(record_at(reader, (uint8_t)(i - 1)), CEMV_TAG_5A_PAN, &held);
        (void)k2_torn_find(record_at(reader, (uint8_t)(i - 1)), CEMV_TAG_5F34_PAN_SEQUENCE_NUMBER, &number);
        if (held.size != 0 && cemv_cn_equal(held, pan) && cemv_bytes_equal(number, sequence)) return (uint8_t)(i - 1);
    }
    return reader->torn_count;
}

void k2_torn_remove(struct cemv_reader_memory *reader, uint8_t index)
{
    if (index >= reader->torn_count) return;
    for (uint8_t i = index; i + 1 < reader->torn_count; i++) reader->torn[i] = reader->torn[i + 1];
    reader->torn_count--;
    __builtin_memset(&reader->torn[reader->torn_count], 0, sizeof reader->torn[0]);
}

uint8_t k2_torn_capacity(const struct cemv_reader_memory *reader, uint8_t configured)
{
    if (!reader) return 0;
    return configured < CEMV_TORN_RECORDS ? configured : CEMV_TORN_RECORDS;
}
