// SPDX-License-Identifier: Apache-2.0
/* Number and character formats: EMV Book 3, 4.3; dates: Book 4, 6.7.3; characters: Book 4, Annex B. */
#include "wire.h"

bool cemv_bcd_read(cemv_bytes bcd, uint64_t *number)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < bcd.size; i++) {
        const uint32_t tens = bcd.data[i] >> 4;
        const uint32_t units = bcd.data[i] & 0x0Fu;
        if (tens > 9 || units > 9) return false;
        const uint32_t pair = 10 * tens + units;
        if (sum > UINT64_MAX / 100 || 100 * sum > UINT64_MAX - pair) return false;
        sum = 100 * sum + pair;
    }
    *number = sum;
    return true;
}

bool cemv_bcd_write(uint8_t *out, size_t size, uint64_t number)
{
    static const uint64_t limit[10] = {
        /* ten bytes hold any 64-bit number */
        1u,           100u,           10000u,           1000000u,           100000000u,
        10000000000u, 1000000000000u, 100000000000000u, 10000000000000000u, 1000000000000000000u,
    };
    if (size < 10 && number >= limit[size]) return false;

    for (size_t i = size; i > 0; i--) {
        const uint32_t pair = (uint32_t)(number % 100);
        if (number == 0) {
            cemv_zero(out, i);
            break;
        }
        number /= 100;
        out[i - 1] = (uint8_t)(pair / 10 << 4 | pair % 10);
    }
    return true;
}

bool cemv_date_read(cemv_bytes yymmdd, uint32_t *days)
{
    static const uint16_t days_before[13] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365 };
    uint64_t number;
    if (yymmdd.size != 3 || !cemv_bcd_read(yymmdd, &number)) return false;

    const uint32_t date = (uint32_t)number;
    const uint32_t year = (date / 10000 + 50) % 100; /* since 1950 */
    const uint32_t month = date / 100 % 100;
    const uint32_t day = date % 100;
    if (month < 1 || month > 12) return false;

    /* 1950 to 2049 holds no year that is a multiple of 100 but not of 400; the first leap year is 1952. */
    const bool leap = year % 4 == 2;
    const uint32_t leap_day = leap && month == 2 ? 1 : 0;
    const uint32_t month_size = (uint32_t)days_before[month] - days_before[month - 1] + leap_day;
    if (day < 1 || day > month_size) return false;

    const uint32_t leap_days_before = (year + 1) / 4 + (leap && month > 2 ? 1 : 0);
    *days = 365 * year + leap_days_before + days_before[month - 1] + (day - 1);
    return true;
}

int cemv_cn_digits(cemv_bytes cn)
{
    if (cn.size > INT16_MAX / 2) return -1;

    size_t i = 0;
    while (i < cn.size && cemv_is_digit_pair(cn.data[i])) i++;
    size_t digits = 2 * i;
    if (i < cn.size && cn.data[i] < 0xA0) { /* one digit and the first F */
        if ((cn.data[i++] & 0x0F) != 0x0F) return -1;
        digits++;
    }
    for (; i < cn.size; i++) {
        if (cn.data[i] != 0xFF) return -1;
    }
    return (int)digits;
}

bool cemv_cn_equal(cemv_bytes a, cemv_bytes b)
{
    const int count = cemv_cn_digits(a);
    if (count < 0 || count != cemv_cn_digits(b)) return false;

    const size_t whole = (size_t)count / 2;
    if (!cemv_bytes_equal((cemv_bytes){ a.data, whole }, (cemv_bytes){ b.data, whole })) return false;
    return count % 2 == 0 || a.data[whole] == b.data[whole]; /* an odd number ends with F in both */
}

static bool character_fits(uint8_t byte, enum cemv_format format)
{
    const uint8_t lower = byte | 0x20;
    const bool letter = lower >= 'a' && lower <= 'z';
    const bool digit = byte >= '0' && byte <= '9';

    if (format == CEMV_FORMAT_A) return letter;
    if (format == CEMV_FORMAT_AN) return letter || digit;
    if (format == CEMV_FORMAT_ANS) return byte >= 0x20 && byte <= 0x7E;
    return format == CEMV_FORMAT_N && (byte >> 4) <= 9 && (byte & 0x0F) <= 9;
}

bool cemv_format_check(cemv_bytes value, enum cemv_format format)
{
    if (format == CEMV_FORMAT_CN) return cemv_cn_digits(value) >= 0;
    if (format == CEMV_FORMAT_B || format == CEMV_FORMAT_VAR) return true;

    for (size_t i = 0; i < value.size; i++) {
        if (!character_fits(value.data[i], format)) return false;
    }
    return true;
}
