// SPDX-License-Identifier: Apache-2.0
/* Tracks (ISO/IEC 7813) and account numbers (ISO/IEC 7812-1). */
#include "cryptogram.h"

enum {
    SEPARATOR = 0x0D,
    PADDING = 0x0F,
    NO_DIGIT = 0xFF,
    DATE_DIGITS = 4,
    SERVICE_CODE_DIGITS = 3,
    NAME_MIN = 2,
    NAME_MAX = 26,
};

uint8_t cemv_digit(struct cemv_digits digits, size_t index)
{
    if (index >= digits.count) return NO_DIGIT;
    const size_t at = digits.first + index;
    return at % 2 == 0 ? digits.data[at / 2] >> 4 : digits.data[at / 2] & 0x0F;
}

static char character_of(uint8_t nibble, char separator)
{
    if (nibble <= 9) return (char)('0' + nibble);
    return (char)(nibble == SEPARATOR ? separator : '?');
}

size_t cemv_digits_text(struct cemv_digits digits, char separator, char *out, size_t capacity)
{
    if (capacity == 0) return 0;
    const size_t count = digits.count < capacity ? digits.count : 0;
    for (size_t i = 0; i < count; i++) out[i] = character_of(cemv_digit(digits, i), separator);
    out[count] = '\0';
    return count;
}

bool cemv_digits_equal(struct cemv_digits a, struct cemv_digits b)
{
    if (a.count != b.count) return false;
    const size_t whole = a.first % 2 == 0 && b.first % 2 == 0 ? a.count / 2u : 0;
    if (whole != 0 && __builtin_memcmp(a.data + a.first / 2, b.data + b.first / 2, whole) != 0) return false;
    for (size_t i = 2 * whole; i < a.count; i++) {
        if (cemv_digit(a, i) != cemv_digit(b, i)) return false;
    }
    return true;
}

bool cemv_digits_luhn(struct cemv_digits digits)
{
    unsigned sum = 0;
    for (size_t i = 0; i < digits.count; i++) {
        unsigned digit = cemv_digit(digits, digits.count - 1 - i);
        if (digit > 9) return false;
        if (i % 2 == 1) digit = digit < 5 ? 2 * digit : 2 * digit - 9;
        sum += digit;
    }
    return digits.count != 0 && sum % 10 == 0;
}

/* ---- track 2 ---- */

static inline unsigned nibble(const uint8_t *data, size_t index)
{
    return index % 2 == 0 ? data[index / 2] >> 4 : data[index / 2] & 0x0Fu;
}

/* Where the decimal digits from `at` on end, `end` at the latest. Two at a time where they share a byte. */
static inline size_t skip_digits(const uint8_t *data, size_t at, size_t end)
{
    if (at < end && at % 2 == 1) {
        if (nibble(data, at) > 9) return at;
        at++;
    }
    while (at + 1 < end && data[at / 2] < 0xA0 && (data[at / 2] & 0x0F) < 0x0A) at += 2;
    return at < end && nibble(data, at) <= 9 ? at + 1 : at;
}

static inline struct cemv_digits part(const uint8_t *data, size_t from, size_t to)
{
    return (struct cemv_digits){ data, (uint8_t)from, (uint8_t)(to - from) };
}

struct cemv_digits cemv_digits_of_cn(cemv_bytes cn)
{
    const struct cemv_digits none = { cn.data, 0, 0 };
    if (cn.size > UINT8_MAX / 2) return none;
    const size_t end = 2 * cn.size;
    const size_t digits = skip_digits(cn.data, 0, end);
    for (size_t i = digits; i < end; i++) {
        if (nibble(cn.data, i) != PADDING) return none;
    }
    return part(cn.data, 0, digits);
}

/* A field of just so many digits, or a separator in its place; `*at` moves behind it. */
static inline bool take_field(const uint8_t *data, size_t *at, size_t end, size_t digits, struct cemv_digits *field)
{
    if (*at < end && nibble(data, *at) == SEPARATOR) {
        ++*at;
        return true;
    }
    if (end - *at < digits || skip_digits(data, *at, *at + digits) != *at + digits) return false;
    *field = part(data, *at, *at + digits);
    *at += digits;
    return true;
}

static uint8_t read_fields(const uint8_t *data, size_t end, struct cemv_track2 *out)
{
    size_t at = skip_digits(data, 0, end);
    const bool separated = at != end && nibble(data, at) == SEPARATOR;
    if (at == 0 || at > CEMV_PAN_DIGITS_MAX || (at != end && !separated)) return CEMV_TRACK_BAD_PAN;
    out->pan = part(data, 0, at);
    if (!separated) return CEMV_TRACK_NO_SEPARATOR;
    at++;
    if (!take_field(data, &at, end, DATE_DIGITS, &out->expiry)) return CEMV_TRACK_BAD_EXPIRY;
    if (!take_field(data, &at, end, SERVICE_CODE_DIGITS, &out->service_code)) return CEMV_TRACK_BAD_SERVICE_CODE;
    if (skip_digits(data, at, end) != end) return CEMV_TRACK_BAD_DISCRETIONARY;
    out->discretionary = part(data, at, end);
    return CEMV_TRACK_OK;
}

bool cemv_track2_read(cemv_bytes track, struct cemv_track2 *out)
{
    const struct cemv_track2 empty = { .error = CEMV_TRACK_EMPTY };
    *out = empty;
    if (track.size == 0) return false;
    if (track.size > CEMV_TRACK_2_MAX) {
        out->error = CEMV_TRACK_TOO_LONG;
        return false;
    }
    size_t end = 2 * track.size;
    while (end != 0 && nibble(track.data, end - 1) == PADDING) end--;
    out->all = part(track.data, 0, end);
    out->error = read_fields(track.data, end, out);
    return out->error == CEMV_TRACK_OK;
}

/* ---- track 1 ---- */

static bool is_digit(uint8_t character) { return character >= '0' && character <= '9'; }

/* How many characters there are before the next separator, or the end. */
static size_t run(cemv_bytes text)
{
    size_t size = 0;
    while (size < text.size && text.data[size] != '^') size++;
    return size;
}

/* As take_field; `left` moves behind the field. */
static bool take_text(cemv_bytes *left, size_t size, cemv_bytes *field)
{
    if (left->size != 0 && left->data[0] == '^') {
        *left = cemv_bytes_from(*left, 1);
        return true;
    }
    if (left->size < size) return false;
    for (size_t i = 0; i < size; i++) {
        if (!is_digit(left->data[i])) return false;
    }
    *field = cemv_bytes_part(*left, 0, size);
    *left = cemv_bytes_from(*left, size);
    return true;
}

/* The 64 characters that a track has (ISO/IEC 7811-6). */
static bool is_track_text(cemv_bytes text)
{
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < 0x20 || text.data[i] > 0x5F) return false;
    }
    return true;
}

static uint8_t read_text(struct cemv_track1 *out)
{
    cemv_bytes left = cemv_bytes_from(out->all, 1);
    if (out->all.data[0] != 'B') return CEMV_TRACK_BAD_START;
    size_t digits = 0;
    while (digits < left.size && is_digit(left.data[digits])) digits++;
    const bool separated = digits != left.size && left.data[digits] == '^';
    if (digits == 0 || digits > CEMV_PAN_DIGITS_MAX || (digits != left.size && !separated)) return CEMV_TRACK_BAD_PAN;
    out->pan = cemv_bytes_part(left, 0, digits);
    if (!separated) return CEMV_TRACK_NO_SEPARATOR;
    left = cemv_bytes_from(left, digits + 1);

    const size_t name = run(left);
    if (name < NAME_MIN || name > NAME_MAX || name == left.size || !is_track_text(cemv_bytes_part(left, 0, name)))
        return CEMV_TRACK_BAD_NAME;
    out->name = cemv_bytes_part(left, 0, name);
    left = cemv_bytes_from(left, name + 1);
    if (!take_text(&left, DATE_DIGITS, &out->expiry)) return CEMV_TRACK_BAD_EXPIRY;
    if (!take_text(&left, SERVICE_CODE_DIGITS, &out->service_code)) return CEMV_TRACK_BAD_SERVICE_CODE;
    if (!is_track_text(left)) return CEMV_TRACK_BAD_DISCRETIONARY;
    out->discretionary = left;
    return CEMV_TRACK_OK;
}

bool cemv_track1_read(cemv_bytes track, struct cemv_track1 *out)
{
    const struct cemv_track1 empty = { .error = CEMV_TRACK_EMPTY };
    *out = empty;
    if (track.size == 0) return false;
    if (track.size > CEMV_TRACK_1_MAX) {
        out->error = CEMV_TRACK_TOO_LONG;
        return false;
    }
    out->all = track;
    out->error = read_text(out);
    return out->error == CEMV_TRACK_OK;
}
