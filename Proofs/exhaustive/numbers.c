/* SPDX-License-Identifier: Apache-2.0 */
/* numbers.c, every case: three bytes as a number and written back, as a date against a calendar that counts day by day,
 * and every number of six digits into every width; the largest values that each width holds. */
#include <string.h>

#include "exhaustive.h"
#include "../../Sources/CEMV/wire/numbers.c"

static uint32_t day_number[100][13][32]; /* year in the book's two digits; 1 + days since 1950-01-01, 0 where there is
                                            no such day */

static void count_days(void)
{
    static const unsigned sizes[13] = { 0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    uint32_t next = 1;
    for (unsigned year = 1950; year < 2050; year++) {
        for (unsigned month = 1; month <= 12; month++) {
            const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            for (unsigned day = 1; day <= sizes[month] + (month == 2 && leap); day++)
                day_number[year % 100][month][day] = next++;
        }
    }
}

static bool is_decimal(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] / 16 > 9 || bytes[i] % 16 > 9) return false;
    }
    return true;
}

static unsigned pair(uint8_t byte) { return 10u * (byte / 16u) + byte % 16u; }

static void three_bytes(void)
{
    for (uint32_t number = 0; number < 1u << 24; number++, cases++) {
        const uint8_t bytes[3] = { (uint8_t)(number >> 16), (uint8_t)(number >> 8), (uint8_t)number };
        const bool decimal = is_decimal(bytes, 3);
        uint8_t back[3];
        uint64_t value = 0;
        uint32_t days = 0;
        HOLDS(cemv_bcd_read((cemv_bytes){ bytes, 3 }, &value) == decimal);
        const bool date = cemv_date_read((cemv_bytes){ bytes, 3 }, &days);
        if (!decimal) {
            HOLDS(!date);
            continue;
        }
        HOLDS(value == 10000u * pair(bytes[0]) + 100u * pair(bytes[1]) + pair(bytes[2]));
        HOLDS(cemv_bcd_write(back, 3, value) && memcmp(back, bytes, 3) == 0);
        const unsigned month = pair(bytes[1]), day = pair(bytes[2]);
        const uint32_t expected = month <= 12 && day <= 31 ? day_number[pair(bytes[0])][month][day] : 0;
        HOLDS(date == (expected != 0));
        HOLDS(!date || days + 1 == expected);
    }
}

static void widths(void)
{
    for (uint64_t number = 0; number < 1000000; number++) {
        uint64_t above = 1;
        for (size_t size = 0; size <= 4; size++, above *= 100, cases++) {
            uint8_t out[5];
            memset(out, 0xA7, sizeof out);
            HOLDS(cemv_bcd_write(out, size, number) == (number < above));
            HOLDS(out[size] == 0xA7);
            uint64_t back = 0;
            if (number < above) HOLDS(cemv_bcd_read((cemv_bytes){ out, size }, &back) && back == number);
        }
    }
}

static void ends(void)
{
    uint64_t above = 1;
    for (size_t size = 0; size <= 12; size++, cases++) {
        uint8_t out[13];
        uint64_t back = 0;
        const uint64_t most = size < 10 ? above - 1 : UINT64_MAX;
        out[size] = 0xA7;
        HOLDS(cemv_bcd_write(out, size, most) && out[size] == 0xA7);
        HOLDS(cemv_bcd_read((cemv_bytes){ out, size }, &back) && back == most);
        if (size < 10) HOLDS(!cemv_bcd_write(out, size, most + 1));
        if (size < 9) above *= 100;
    }
    uint8_t over[10] = { 0x18, 0x44, 0x67, 0x44, 0x07, 0x37, 0x09, 0x55, 0x16, 0x16 }; /* 2^64 */
    uint64_t back = 7;
    HOLDS(!cemv_bcd_read((cemv_bytes){ over, 10 }, &back) && back == 7);
    over[9] = 0x15;
    HOLDS(cemv_bcd_read((cemv_bytes){ over, 10 }, &back) && back == UINT64_MAX);
}

int main(void)
{
    count_days();
    three_bytes();
    widths();
    ends();
    printf("%llu cases\n", cases);
    return 0;
}
