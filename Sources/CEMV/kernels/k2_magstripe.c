// SPDX-License-Identifier: Apache-2.0
/* Kernel 2, mag-stripe mode: cryptogram, number and counter placed into the discretionary data of the tracks. */
#include "k2.h"

enum {
    SEPARATOR = 0x0D,
    PADDING = 0x0F,
    DATE_DIGITS = 4,
    SERVICE_CODE_DIGITS = 3,
    FAILURES_MAX = 5,
};

/* Positions count from the right, from 1; bit 1 of the last byte names position 1. */
static bool names(cemv_bytes bitmap, size_t position)
{
    const size_t byte = (position - 1) / 8;
    return byte < bitmap.size && ((bitmap.data[bitmap.size - 1 - byte] >> ((position - 1) % 8)) & 1) != 0;
}

static int ones(cemv_bytes bitmap)
{
    int count = 0;
    for (size_t position = 1; position <= 8 * bitmap.size; position++) count += names(bitmap, position);
    return count;
}

int k2_number_digits(cemv_bytes number_positions, uint8_t counter_digits)
{
    return ones(number_positions) - counter_digits;
}

bool k2_positions_fit(cemv_bytes positions, size_t digits)
{
    for (size_t position = digits + 1; position <= 8 * positions.size; position++)
        if (names(positions, position)) return false;
    return true;
}

static uint8_t nibble(cemv_bytes track, size_t index)
{
    return index % 2 == 0 ? track.data[index / 2] >> 4 : track.data[index / 2] & 0x0F;
}

/* Skips what is there of a field: digits, or a separator in their place. */
static size_t skip_field_2(cemv_bytes track, size_t at, size_t end, size_t digits)
{
    if (at < end && nibble(track, at) == SEPARATOR) return at + 1;
    return at + digits;
}

bool k2_track_2_discretionary(cemv_bytes track, size_t *first_nibble, size_t *digits)
{
    size_t end = 2 * track.size, at = 0;
    if (end != 0 && nibble(track, end - 1) == PADDING) end--;
    while (at < end && nibble(track, at) <= 9) at++;
    if (at == 0 || at >= end || nibble(track, at) != SEPARATOR) return false;
    at = skip_field_2(track, at + 1, end, DATE_DIGITS);
    at = skip_field_2(track, at, end, SERVICE_CODE_DIGITS);
    if (at > end) return false;
    for (size_t i = at; i < end; i++)
        if (nibble(track, i) > 9) return false;
    *first_nibble = at;
    *digits = end - at;
    return true;
}

static size_t skip_field_1(cemv_bytes track, size_t at, size_t characters)
{
    if (at < track.size && track.data[at] == '^') return at + 1;
    return at + characters;
}

bool k2_track_1_discretionary(cemv_bytes track, size_t *first, size_t *characters)
{
    size_t at = 0, carets = 0;
    if (track.size == 0 || track.data[0] != 'B') return false;
    while (at < track.size && carets < 2) carets += track.data[at++] == '^';
    if (carets != 2) return false;
    at = skip_field_1(track, at, DATE_DIGITS);
    at = skip_field_1(track, at, SERVICE_CODE_DIGITS);
    if (at > track.size) return false;
    *first = at;
    *characters = track.size - at;
    return true;
}

/* Writes a digit at a position of the discretionary data. */
struct place {
    uint8_t *track;
    size_t last; /* index of position 1: a nibble or a character */
    bool characters;
};

static void put(const struct place *place, size_t position, unsigned digit)
{
    const size_t index = place->last - (position - 1);
    if (place->characters) {
        place->track[index] = (uint8_t)('0' + digit);
    } else {
        uint8_t *at = &place->track[index / 2];
        *at = index % 2 == 0 ? (uint8_t)(digit << 4 | (*at & 0x0Fu)) : (uint8_t)((*at & 0xF0u) | digit);
    }
}

/* Least significant digit to the lowest position: `take` digits of `number` to the positions of `bitmap` after the
 * first `skip` of them. */
static void spread(const struct place *place, cemv_bytes bitmap, size_t digits, int skip, int take, uint32_t number)
{
    for (size_t position = 1; position <= digits && take > 0; position++) {
        if (!names(bitmap, position)) continue;
        if (skip-- > 0) continue;
        put(place, position, number % 10);
        number /= 10;
        take--;
    }
}

static void fill_track(const struct place *place, size_t digits, const struct k2_fill *fill)
{
    if (digits == 0) return;
    spread(place, fill->cvc3_positions, digits, 0, ones(fill->cvc3_positions), fill->cvc3);
    spread(place, fill->number_positions, digits, 0, fill->number_digits, fill->number);
    spread(place, fill->number_positions, digits, fill->number_digits, fill->counter_digits, fill->counter);
    put(place, 1, fill->shown_digits);
}

void k2_fill_track_2(uint8_t *track, size_t first_nibble, size_t digits, const struct k2_fill *fill)
{
    const struct place place = { .track = track, .last = first_nibble + digits - 1, .characters = false };
    fill_track(&place, digits, fill);
}

void k2_fill_track_1(uint8_t *track, size_t first, size_t characters, const struct k2_fill *fill)
{
    const struct place place = { .track = track, .last = first + characters - 1, .characters = true };
    fill_track(&place, characters, fill);
}

bool k2_numeric(const uint8_t random[4], uint8_t digits, uint32_t *number)
{
    const uint64_t whole = (uint64_t)1 << 32;
    uint64_t size = 1;
    for (uint8_t i = 0; i < digits; i++) size *= 10;
    const uint64_t drawn = (uint64_t)random[0] << 24 | (uint64_t)random[1] << 16 | (uint64_t)random[2] << 8 | random[3];
    if (drawn >= whole / size * size) return false;
    *number = (uint32_t)(drawn % size);
    return true;
}

uint32_t k2_back_off_ms(uint8_t failures) { return 300u << (failures < FAILURES_MAX ? failures : FAILURES_MAX); }
