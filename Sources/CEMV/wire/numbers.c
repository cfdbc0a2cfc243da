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
    /* Ten bytes hold any 64-bit number. */
    uint64_t limit = 1;
    for (size_t i = 0; i < size && i < 9; i++) limit *= 100;
    if (size < 10 && number >= limit) return false;

    for (size_t i = size; i > 0; i--) {
        const uint32_t pair = (uint32_t)(number % 100);
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
    const uint32_t year = (date / 10000 + 50) % 100;   /* since 1950 */
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

static uint32_t nibble_at(cemv_bytes bytes, size_t index)
{
    const uint32_t byte = bytes.data[index / 2];
    return index % 2 == 0 ? byte >> 4 : byte & 0x0Fu;
}

int cemv_cn_digits(cemv_bytes cn)
{
    if (cn.size > INT16_MAX / 2) return -1;

    const size_t nibbles = 2 * cn.size;
    size_t digits = 0;
    while (digits < nibbles && nibble_at(cn, digits) <= 9) digits++;
    for (size_t i = digits; i < nibbles; i++) {
        if (nibble_at(cn, i) != 0x0F) return -1;
    }
    return (int)digits;
}

bool cemv_cn_equal(cemv_bytes a, cemv_bytes b)
{
    const int digits = cemv_cn_digits(a);
    if (digits < 0 || digits != cemv_cn_digits(b)) return false;

    for (size_t i = 0; i < (size_t)digits; i++) {
        if (nibble_at(a, i) != nibble_at(b, i)) return false;
    }
    return true;
}

static bool character_fits(uint8_t byte, enum cemv_format format)
{
    const uint8_t lower = byte | 0x20;
    const bool letter = lower >= 'a' && lower <= 'z';
    const bool digit = byte >= '0' && byte <= '9';

    switch (format) {
    case CEMV_FORMAT_A: return letter;
    case CEMV_FORMAT_AN: return letter || digit;
    case CEMV_FORMAT_ANS: return byte >= 0x20 && byte <= 0x7E;
    case CEMV_FORMAT_N: return (byte >> 4) <= 9 && (byte & 0x0F) <= 9;
    case CEMV_FORMAT_B:
    case CEMV_FORMAT_CN:
    case CEMV_FORMAT_VAR: return true;
    }
    return false;
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
