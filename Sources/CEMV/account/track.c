/* SPDX-License-Identifier: Apache-2.0 */
/* Tracks (ISO/IEC 7813): the positions of their fields, the account that they contain, and the strict parser for hosts.
 * Works on bytes only; knows no tag store and no kernel. */
#include "account.h"

enum {
    SEPARATOR = 0x0D,
    PADDING = 0x0F,
    NO_DIGIT = 0xFF,
    DATE_DIGITS = 4,
    SERVICE_CODE_DIGITS = 3,
    NAME_MIN = 2,
    NAME_MAX = 26,
};

static const cemv_bytes nothing = { NULL, 0 };

/* Both forms of a track yield nibbles, so that callers need not distinguish them. */
uint8_t cemv_digit(struct cemv_digits digits, size_t index)
{
    if (index >= digits.count) return NO_DIGIT;
    if (!digits.characters) return cemv_nibble(digits.data, digits.first + index);
    const uint8_t character = digits.data[digits.first + index];
    return character == '=' ? SEPARATOR : character & 0x0F;
}

static char character_of(uint8_t nibble, char separator)
{
    if (nibble <= 9) return (char)('0' + nibble);
    return (char)(nibble == SEPARATOR ? separator : '?');
}

/* A text that does not fit is empty, never cut: half an account number could be mistaken for a whole one. */
size_t cemv_digits_text(struct cemv_digits digits, char separator, char *out, size_t capacity)
{
    if (capacity == 0) return 0;
    const size_t count = digits.count < capacity ? digits.count : 0;
    for (size_t i = 0; i < count; i++) out[i] = character_of(cemv_digit(digits, i), separator);
    out[count] = '\0';
    return count;
}

/* Whole bytes are compared at once if both values begin at a byte boundary. */
bool cemv_digits_equal(struct cemv_digits a, struct cemv_digits b)
{
    if (a.count != b.count) return false;
    const bool aligned = !a.characters && !b.characters && a.first % 2 == 0 && b.first % 2 == 0;
    const size_t whole = aligned ? a.count / 2u : 0;
    if (whole != 0 && cemv_memcmp(a.data + a.first / 2, b.data + b.first / 2, whole) != 0) return false;
    for (size_t i = 2 * whole; i < a.count; i++) {
        if (cemv_digit(a, i) != cemv_digit(b, i)) return false;
    }
    return true;
}

/* ---- track 2 ----------------------------------------------------------------------------------------------------- */

/* Track 2 occurs in three forms. Chips store nibbles, with D as separator and F as padding; stripe readers return
 * characters between sentinels; and the standard allows an issuer to omit expiry date and service code, with a
 * separator in place of each. cemv_track2_lay_out() finds the positions without checking the contents, for kernels that
 * only write digits into a track; cemv_track2_read() checks each field, for hosts. */

static bool is_separator_2(const uint8_t *track, size_t at, size_t end)
{
    return at < end && cemv_nibble(track, at) == SEPARATOR;
}

bool cemv_track2_lay_out(const uint8_t *track, size_t end, struct cemv_track_layout *out)
{
    out->pan_end = cemv_digits_end(track, 0, end);
    if (out->pan_end == 0 || !is_separator_2(track, out->pan_end, end)) return false;
    out->date = out->pan_end + 1;
    out->service_code = out->date + (is_separator_2(track, out->date, end) ? 1 : DATE_DIGITS);
    out->discretionary = out->service_code + (is_separator_2(track, out->service_code, end) ? 1 : SERVICE_CODE_DIGITS);
    return true;
}

/* The number of digits before the separator, 1 to 19; 0 if there is no account number. */
static size_t pan_digits(cemv_bytes track)
{
    const size_t end = 2 * track.size, digits = cemv_digits_end(track.data, 0, end);
    return digits <= CEMV_PAN_DIGITS_MAX && is_separator_2(track.data, digits, end) ? digits : 0;
}

/* The result has the form of 5A, so that both can be compared. */
cemv_bytes cemv_track2_pan(cemv_bytes track, uint8_t buffer[CEMV_PAN_SIZE_MAX])
{
    const size_t digits = pan_digits(track);
    cemv_digits_copy(buffer, track.data, 0, digits);
    return (cemv_bytes){ buffer, (digits + 1) / 2 };
}

bool cemv_track2_expiry(cemv_bytes track, uint8_t yymm[2])
{
    const size_t date = pan_digits(track) + 1, end = date + DATE_DIGITS;
    if (date == 1 || end > 2 * track.size || cemv_digits_end(track.data, date, end) != end) return false;
    cemv_digits_copy(yymm, track.data, date, DATE_DIGITS);
    return true;
}

static struct cemv_digits part(const uint8_t *data, size_t from, size_t to)
{
    return (struct cemv_digits){ .data = data, .first = (uint8_t)from, .count = (uint8_t)(to - from) };
}

/* Reads a field of digits; it is empty if a separator replaces it. */
static bool take_field(const uint8_t *data, size_t from, size_t to, size_t end, struct cemv_digits *field)
{
    if (to - from == 1) return true;
    if (to > end || cemv_digits_end(data, from, to) != to) return false;
    *field = part(data, from, to);
    return true;
}

/* Reports the first wrong field. The fields before it remain readable, so that a caller can show a partial track. */
static uint8_t read_fields(const uint8_t *data, size_t end, struct cemv_track2 *out)
{
    struct cemv_track_layout at;
    const bool separated = cemv_track2_lay_out(data, end, &at);
    if (at.pan_end == 0 || at.pan_end > CEMV_PAN_DIGITS_MAX || (at.pan_end != end && !separated))
        return CEMV_TRACK_BAD_PAN;
    out->pan = part(data, 0, at.pan_end);
    if (!separated) return CEMV_TRACK_NO_SEPARATOR;
    if (!take_field(data, at.date, at.service_code, end, &out->expiry)) return CEMV_TRACK_BAD_EXPIRY;
    if (!take_field(data, at.service_code, at.discretionary, end, &out->service_code))
        return CEMV_TRACK_BAD_SERVICE_CODE;
    if (cemv_digits_end(data, at.discretionary, end) != end) return CEMV_TRACK_BAD_DISCRETIONARY;
    out->discretionary = part(data, at.discretionary, end);
    return CEMV_TRACK_OK;
}

/* The characters between the sentinels; the end sentinel may be missing. */
static cemv_bytes inside_sentinels(cemv_bytes track)
{
    const bool ended = track.size > 1 && track.data[track.size - 1] == '?';
    return cemv_bytes_part(track, 1, track.size - 1 - (ended ? 1 : 0));
}

/* The parts refer to the caller's characters, not to the local copy in nibbles. */
static void as_characters(struct cemv_digits *digits, const uint8_t *characters)
{
    if (digits->count == 0) return;
    digits->data = characters;
    digits->characters = true;
}

/* Converts the characters to nibbles, so that one function finds the fields of both forms. */
static uint8_t read_characters(cemv_bytes text, struct cemv_track2 *out)
{
    uint8_t packed[CEMV_TRACK_2_MAX];
    if (text.size > 2 * sizeof packed) return CEMV_TRACK_TOO_LONG;
    cemv_zero(packed, sizeof packed);
    for (size_t i = 0; i < text.size; i++) {
        const uint8_t character = text.data[i];
        const bool digit = character >= '0' && character <= '9';
        if (!digit && character != '=') return CEMV_TRACK_BAD_START;
        cemv_nibble_put(packed, i, digit ? character & 0x0F : SEPARATOR);
    }
    out->all = part(packed, 0, text.size);
    const uint8_t error = read_fields(packed, text.size, out);
    struct cemv_digits *const parts[] = { &out->all, &out->pan, &out->expiry, &out->service_code, &out->discretionary };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) as_characters(parts[i], text.data);
    return error;
}

/* A start sentinel distinguishes the characters of a stripe from the nibbles of a chip: 3B would be the digits 3 and B,
 * and B never occurs in track 2. */
bool cemv_track2_read(cemv_bytes track, struct cemv_track2 *out)
{
    const struct cemv_track2 empty = { .error = CEMV_TRACK_EMPTY };
    *out = empty;
    if (track.size == 0) return false;
    if (track.data[0] == ';') {
        out->error = read_characters(inside_sentinels(track), out);
        return out->error == CEMV_TRACK_OK;
    }
    if (track.size > CEMV_TRACK_2_MAX) {
        out->error = CEMV_TRACK_TOO_LONG;
        return false;
    }
    size_t end = 2 * track.size;
    while (end != 0 && cemv_nibble(track.data, end - 1) == PADDING) end--;
    out->all = part(track.data, 0, end);
    out->error = read_fields(track.data, end, out);
    return out->error == CEMV_TRACK_OK;
}

/* ---- track 1 ----------------------------------------------------------------------------------------------------- */

/* Track 1 is text; only format B is supported: the letter, the account number, the holder's name, then the fields of
 * track 2. The name may contain any character except the separator, so fields are found by their separators and never
 * by counting characters. */

static bool is_digit(uint8_t character) { return character >= '0' && character <= '9'; }

static size_t digits_end_1(cemv_bytes track, size_t at)
{
    while (at < track.size && is_digit(track.data[at])) at++;
    return at;
}

static bool is_separator_1(cemv_bytes track, size_t at) { return at < track.size && track.data[at] == '^'; }

/* The index of the next separator, or the end. */
static size_t separator_after(cemv_bytes track, size_t at)
{
    while (at < track.size && track.data[at] != '^') at++;
    return at;
}

bool cemv_track1_lay_out(cemv_bytes track, struct cemv_track_layout *out)
{
    if (track.size == 0 || track.data[0] != 'B') return false;
    out->pan_end = separator_after(track, 1);
    out->date = separator_after(track, out->pan_end + 1) + 1;
    if (out->date > track.size) return false;
    out->service_code = out->date + (is_separator_1(track, out->date) ? 1 : DATE_DIGITS);
    out->discretionary = out->service_code + (is_separator_1(track, out->service_code) ? 1 : SERVICE_CODE_DIGITS);
    return true;
}

/* The result is in the form of 5A, so that it can be compared with the other account numbers. */
cemv_bytes cemv_track1_pan(cemv_bytes track, uint8_t buffer[CEMV_PAN_SIZE_MAX])
{
    const size_t end = digits_end_1(track, 1), digits = end - 1;
    if (track.size == 0 || track.data[0] != 'B' || digits > CEMV_PAN_DIGITS_MAX || !is_separator_1(track, end))
        return nothing;
    cemv_memset(buffer, 0xFF, CEMV_PAN_SIZE_MAX);
    for (size_t i = 0; i < digits; i++) cemv_nibble_put(buffer, i, track.data[1 + i] & 0x0F);
    return (cemv_bytes){ buffer, (digits + 1) / 2 };
}

/* The counterpart of take_field() for text. */
static bool take_text(cemv_bytes track, size_t from, size_t to, cemv_bytes *field)
{
    if (to - from == 1) return true;
    if (to > track.size || digits_end_1(track, from) < to) return false;
    *field = cemv_bytes_part(track, from, to - from);
    return true;
}

/* The 64 characters that track 1 may contain (ISO/IEC 7811-6). */
static bool is_track_text(cemv_bytes text)
{
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < 0x20 || text.data[i] > 0x5F) return false;
    }
    return true;
}

static uint8_t read_text(struct cemv_track1 *out)
{
    struct cemv_track_layout at;
    const cemv_bytes track = out->all;
    const size_t end = digits_end_1(track, 1);
    if (track.data[0] != 'B') return CEMV_TRACK_BAD_START;
    if (end == 1 || end > 1 + CEMV_PAN_DIGITS_MAX || (end != track.size && !is_separator_1(track, end)))
        return CEMV_TRACK_BAD_PAN;
    out->pan = cemv_bytes_part(track, 1, end - 1);
    if (end == track.size) return CEMV_TRACK_NO_SEPARATOR;
    if (!cemv_track1_lay_out(track, &at)) return CEMV_TRACK_BAD_NAME;

    const cemv_bytes name = cemv_bytes_part(track, at.pan_end + 1, at.date - at.pan_end - 2);
    if (name.size < NAME_MIN || name.size > NAME_MAX || !is_track_text(name)) return CEMV_TRACK_BAD_NAME;
    out->name = name;
    if (!take_text(track, at.date, at.service_code, &out->expiry)) return CEMV_TRACK_BAD_EXPIRY;
    if (!take_text(track, at.service_code, at.discretionary, &out->service_code)) return CEMV_TRACK_BAD_SERVICE_CODE;
    const cemv_bytes discretionary = cemv_bytes_from(track, at.discretionary);
    if (!is_track_text(discretionary)) return CEMV_TRACK_BAD_DISCRETIONARY;
    out->discretionary = discretionary;
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
