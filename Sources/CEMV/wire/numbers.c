/* SPDX-License-Identifier: Apache-2.0 */
/* Number and character formats (EMV Book 3, 4.3), dates (Book 4, 6.7.3), characters (Book 4, Annex B). Every input has
 * a defined result; knows no tag. */
#include "wire.h"

uint32_t cemv_be32(const uint8_t *at) { return (uint32_t)cemv_be16(at) << 16 | cemv_be16(at + 2); }

/* A digit above 9 is an error and never a value: a card must not be able to express one amount in two ways. A number
 * that exceeds 64 bits is an error too. */
bool cemv_bcd_read(cemv_bytes bcd, uint64_t *number)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < bcd.size; i++) {
        const uint32_t tens = bcd.data[i] >> 4;
        const uint32_t units = bcd.data[i] & 0x0Fu;
        if (tens > 9 || units > 9) return false;
        const uint32_t pair = 10 * tens + units;
        if (sum >= UINT64_MAX / 100 && (sum > UINT64_MAX / 100 || pair > UINT64_MAX % 100)) return false;
        sum = 100 * sum + pair;
    }
    *number = sum;
    return true;
}

/* Removes the last two digits. Uses long division if 32 bits are not enough, because a small processor has 64-bit
 * division only as 700 bytes of its compiler's library. */
static uint32_t take_pair(uint64_t *number)
{
    enum { HUNDRED = 100, LIMB = 16 };
    uint32_t parts[] = { (uint32_t)(*number >> 32), (uint32_t)(*number >> LIMB & 0xFFFF), (uint32_t)*number & 0xFFFF };
    uint32_t rest = 0;
    if (parts[0] == 0) {
        const uint32_t small = (uint32_t)*number;
        *number = small / HUNDRED;
        return small % HUNDRED;
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const uint32_t part = rest << LIMB | parts[i]; /* the first part has no remainder before it */
        parts[i] = part / HUNDRED;
        rest = part % HUNDRED;
    }
    *number = (uint64_t)parts[0] << 32 | parts[1] << LIMB | parts[2];
    return rest;
}

/* Returns false if the number has more digits than the field: cutting an amount would be worse than failing. */
bool cemv_bcd_write(uint8_t *out, size_t size, uint64_t number)
{
    static const uint64_t limit[10] = {
        /* ten bytes hold any 64-bit number */
        1u,           100u,           10000u,           1000000u,           100000000u,
        10000000000u, 1000000000000u, 100000000000000u, 10000000000000000u, 1000000000000000000u,
    };
    if (size < 10 && number >= limit[size]) return false;

    for (size_t i = size; i > 0; i--) {
        if (number == 0) {
            cemv_zero(out, i);
            break;
        }
        const uint32_t pair = take_pair(&number);
        out[i - 1] = (uint8_t)(pair / 10 << 4 | pair % 10);
    }
    return true;
}

/* Taking a remainder of all random values would make small numbers slightly more likely; the values of the incomplete
 * last run are therefore rejected. */
bool cemv_number_of_digits(uint32_t random, uint8_t digits, uint32_t *number)
{
    uint32_t numbers = 1;
    for (uint8_t i = 0; i < digits; i++) numbers *= 10;
    const uint32_t over = (0u - numbers) %
                          numbers; /* the values of four bytes beyond the last whole run of such numbers */
    if (random > UINT32_MAX - over) return false;
    *number = random % numbers;
    return true;
}

/* Days are counted, so that dates can be compared as numbers. Years 50 to 99 are 19xx, others 20xx. A date that does
 * not exist is an error. */
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

    /* 1950 to 2049 contains no year that is a multiple of 100 but not of 400; the first leap year is 1952. */
    const bool leap = year % 4 == 2;
    const uint32_t leap_day = leap && month == 2 ? 1 : 0;
    const uint32_t month_size = (uint32_t)days_before[month] - days_before[month - 1] + leap_day;
    if (day < 1 || day > month_size) return false;

    const uint32_t leap_days_before = (year + 1) / 4 + (leap && month > 2 ? 1 : 0);
    *days = 365 * year + leap_days_before + days_before[month - 1] + (day - 1);
    return true;
}

/* True if no nibble of four bytes is above 9: nibbles from 8 to F have the highest bit, and of these only 8 and 9 have
 * neither of the two middle bits. */
static bool are_digits(const uint8_t *at)
{
    uint32_t nibbles;
    cemv_memcpy(&nibbles, at, sizeof nibbles);
    return (nibbles & (nibbles << 1 | nibbles << 2) & 0x88888888u) == 0;
}

/* Checks eight digits at a time, then two if they share a byte. */
size_t cemv_digits_end(const uint8_t *data, size_t at, size_t end)
{
    size_t whole = (at + 1) / 2;
    if (at >= end || (at % 2 == 1 && cemv_nibble(data, at) > 9)) return at;
    while (whole + 4 <= end / 2 && are_digits(data + whole)) whole += 4;
    while (whole < end / 2 && cemv_is_digit_pair(data[whole])) whole++;
    return 2 * whole < end && data[whole] < 0xA0 ? 2 * whole + 1 : 2 * whole;
}

/* Padding may follow the digits but not precede or interrupt them: -1 for any other value. */
int cemv_cn_digits(cemv_bytes cn)
{
    if (cn.size > INT16_MAX / 2) return -1;

    const size_t digits = cemv_digits_end(cn.data, 0, 2 * cn.size);
    if (digits % 2 == 1 && (cn.data[digits / 2] & 0x0F) != 0x0F) return -1;
    for (size_t i = (digits + 1) / 2; i < cn.size; i++) {
        if (cn.data[i] != 0xFF) return -1;
    }
    return (int)digits;
}

/* Two numbers are equal if their digits are, whatever the padding: 5A and track 2 have different lengths. */
bool cemv_cn_equal(cemv_bytes a, cemv_bytes b)
{
    const int count = cemv_cn_digits(a);
    if (count < 0 || count != cemv_cn_digits(b)) return false;

    const size_t whole = (size_t)count / 2;
    if (!cemv_bytes_equal((cemv_bytes){ a.data, whole }, (cemv_bytes){ b.data, whole })) return false;
    return count % 2 == 0 || a.data[whole] == b.data[whole]; /* in both, an odd number of digits ends with F */
}

/* Formats a, an and ans are characters; n is two digits per byte. */
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

/* Formats b and var allow any bytes. */
bool cemv_format_check(cemv_bytes value, enum cemv_format format)
{
    if (format == CEMV_FORMAT_CN) return cemv_cn_digits(value) >= 0;
    if (format == CEMV_FORMAT_B || format == CEMV_FORMAT_VAR) return true;

    for (size_t i = 0; i < value.size; i++) {
        if (!character_fits(value.data[i], format)) return false;
    }
    return true;
}
