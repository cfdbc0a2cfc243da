/* Tracks (ISO/IEC 7813) and account numbers (ISO/IEC 7812-1). */
#include "cryptogram.h"

enum {
    SEPARATOR = 0x0D, PADDING = 0x0F, NO_DIGIT = 0xFF,
    DATE_DIGITS = 4, SERVICE_CODE_DIGITS = 3,
    NAME_MIN = 2, NAME_MAX = 26,
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
    return nibble == SEPARATOR ? separator : '?';
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
    for (size_t i = 0; i < a.count; i++) {
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

struct cemv_digits cemv_digits_of_cn(cemv_bytes cn)
{
    struct cemv_digits digits = { cn.data, 0, 0 };
    if (cn.size > UINT8_MAX / 2) return digits;
    const int count = cemv_cn_digits(cn);
    if (count > 0) digits.count = (uint8_t)count;
    return digits;
}

/* ---- track 2 ---- */

struct reader {
    struct cemv_digits all;
    uint8_t at;
};

/* Up to `most` decimal digits from where the reader stands; the reader moves behind them. */
static struct cemv_digits take(struct reader *reader, size_t most)
{
    struct cemv_digits part = { reader->all.data, (uint8_t)(reader->all.first + reader->at), 0 };
    while (part.count < most && cemv_digit(reader->all, (size_t)reader->at + part.count) <= 9) part.count++;
    reader->at = (uint8_t)(reader->at + part.count);
    return part;
}

static bool take_separator(struct reader *reader)
{
    if (cemv_digit(reader->all, reader->at) != SEPARATOR) return false;
    reader->at++;
    return true;
}

/* A field of just so many digits, or a separator in its place. */
static bool take_field(struct reader *reader, size_t digits, struct cemv_digits *field)
{
    if (take_separator(reader)) return true;
    struct reader moved = *reader;
    const struct cemv_digits found = take(&moved, digits);
    if (found.count != digits) return false;
    *field = found;
    *reader = moved;
    return true;
}

static uint8_t read_fields(struct cemv_track2 *out)
{
    struct reader reader = { out->all, 0 };
    const struct cemv_digits pan = take(&reader, SIZE_MAX);
    if (pan.count == 0 || pan.count > CEMV_PAN_DIGITS_MAX) return CEMV_TRACK_BAD_PAN;
    out->pan = pan;
    if (!take_separator(&reader)) return CEMV_TRACK_NO_SEPARATOR;
    if (!take_field(&reader, DATE_DIGITS, &out->expiry)) return CEMV_TRACK_BAD_EXPIRY;
    if (!take_field(&reader, SERVICE_CODE_DIGITS, &out->service_code)) return CEMV_TRACK_BAD_SERVICE_CODE;
    const struct cemv_digits rest = take(&reader, SIZE_MAX);
    if (reader.at != reader.all.count) return CEMV_TRACK_BAD_DISCRETIONARY;
    out->discretionary = rest;
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
    out->all = (struct cemv_digits){ track.data, 0, (uint8_t)(2 * track.size) };
    while (out->all.count != 0 && cemv_digit(out->all, out->all.count - 1u) == PADDING) out->all.count--;
    out->error = read_fields(out);
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

static uint8_t read_text(struct cemv_track1 *out)
{
    cemv_bytes left = cemv_bytes_from(out->all, 1);
    if (out->all.data[0] != 'B') return CEMV_TRACK_BAD_START;
    size_t digits = 0;
    while (digits < left.size && is_digit(left.data[digits])) digits++;
    if (digits == 0 || digits > CEMV_PAN_DIGITS_MAX) return CEMV_TRACK_BAD_PAN;
    out->pan = cemv_bytes_part(left, 0, digits);
    left = cemv_bytes_from(left, digits);
    if (left.size == 0 || left.data[0] != '^') return CEMV_TRACK_NO_SEPARATOR;
    left = cemv_bytes_from(left, 1);

    const size_t name = run(left);
    if (name < NAME_MIN || name > NAME_MAX || name == left.size) return CEMV_TRACK_BAD_NAME;
    out->name = cemv_bytes_part(left, 0, name);
    left = cemv_bytes_from(left, name + 1);
    if (!take_text(&left, DATE_DIGITS, &out->expiry)) return CEMV_TRACK_BAD_EXPIRY;
    if (!take_text(&left, SERVICE_CODE_DIGITS, &out->service_code)) return CEMV_TRACK_BAD_SERVICE_CODE;
    for (size_t i = 0; i < left.size; i++) {
        if (left.data[i] < 0x20 || left.data[i] > 0x5F) return CEMV_TRACK_BAD_DISCRETIONARY;
    }
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
