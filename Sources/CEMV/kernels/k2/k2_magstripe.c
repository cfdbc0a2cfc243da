/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2, mag-stripe mode: writes cryptogram, number and counter into the discretionary data of the tracks
 * (Conformance/book-c2.md, 4.11).
 *
 * The card sends tracks like those of a magnetic stripe, and bitmaps of the digits of the discretionary data that are
 * free: one bitmap for the digits of CVC3, and one that the unpredictable number and the counter share, the counter in
 * the higher positions. The host reads the values back from these positions and recomputes CVC3, without any change to
 * the networks between. Changes bytes only; knows no command and no state. */
#include "k2.h"

enum {
    PADDING = 0x0F,
    FAILURES_MAX = 5,
};

/* Positions count from the right, starting with 1; bit 1 of the last byte names position 1. */
static bool names(cemv_bytes bitmap, size_t position)
{
    const size_t byte = (position - 1) / 8;
    return byte < bitmap.size && ((bitmap.data[bitmap.size - 1 - byte] >> ((position - 1) % 8)) & 1) != 0;
}

int k2_positions_within(cemv_bytes positions, size_t digits)
{
    int count = 0;
    for (size_t position = 1; position <= 8 * positions.size && position <= digits; position++)
        count += names(positions, position);
    return count;
}

static int ones(cemv_bytes bitmap) { return k2_positions_within(bitmap, 8 * bitmap.size); }

/* The digits that the bitmap leaves for the number after the counter has its share; negative if it has too few for the
 * counter. */
int k2_number_digits(cemv_bytes number_positions, uint8_t counter_digits)
{
    return ones(number_positions) - counter_digits;
}

/* The discretionary data reach from the service code to the end, without the padding nibble F. */
bool k2_track_2_discretionary(cemv_bytes track, size_t *first_nibble, size_t *digits)
{
    struct cemv_track_layout at;
    size_t end = 2 * track.size;
    if (end != 0 && cemv_nibble(track.data, end - 1) == PADDING) end--;
    if (!cemv_track2_lay_out(track.data, end, &at) || at.discretionary > end) return false;
    if (cemv_digits_end(track.data, at.discretionary, end) != end) return false;
    *first_nibble = at.discretionary;
    *digits = end - at.discretionary;
    return true;
}

bool k2_track_1_discretionary(cemv_bytes track, size_t *first, size_t *characters)
{
    struct cemv_track_layout at;
    if (!cemv_track1_lay_out(track, &at) || at.discretionary > track.size) return false;
    *first = at.discretionary;
    *characters = track.size - at.discretionary;
    return true;
}

/* The discretionary data of a track being filled. Track 2 has digits in nibbles, track 1 characters; the rest of the
 * code does not distinguish them. */
struct place {
    uint8_t *track;
    size_t last; /* index of position 1: a nibble or a character */
    bool characters;
};

/* Writes a digit at a position. */
static void put(const struct place *place, size_t position, unsigned digit)
{
    const size_t index = place->last - (position - 1);
    if (place->characters) place->track[index] = (uint8_t)('0' + digit);
    else cemv_nibble_put(place->track, index, (uint8_t)digit);
}

/* Writes `take` digits of `number` to the positions of `bitmap`, after skipping the first `skip` of them. The least
 * significant digit goes to the lowest position. */
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

/* CVC3, number and counter, then the last digit of the track: it states the length of the number, so that the host
 * knows where the counter begins. It is written last and overwrites a digit that the others put there (4.11.3). */
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

/* Each failure doubles the waiting time, up to ten seconds, so that nobody can collect codes from a card in quick
 * succession (4.12). */
uint32_t k2_back_off_ms(uint8_t failures) { return 300u << (failures < FAILURES_MAX ? failures : FAILURES_MAX); }

/* Over the store -------------------------------------------------------------------------------------------------- */

/* The AFL entry for record 1 of SFI 1 alone, unsigned: by convention this record contains only the data of mag-stripe
 * mode. */
bool k2_begins_with_magstripe_record(cemv_bytes locator)
{
    static const uint8_t entry[] = { 0x08, 0x01, 0x01, 0x00 };
    return locator.size >= sizeof entry && cemv_memcmp(locator.data, entry, sizeof entry) == 0;
}

/* Digits of the unpredictable number. Both tracks must have room for equally many, since one number is sent for both
 * [S7.22]. Negative if the card's data contradict each other. */
int k2_number_digits_of(const struct cemv_kernel *kernel)
{
    const cemv_bytes one = cemv_value(kernel, K2_SLOT_9F63), natc_1 = cemv_value(kernel, K2_SLOT_9F64);
    const cemv_bytes two = cemv_value(kernel, K2_SLOT_9F66), natc_2 = cemv_value(kernel, K2_SLOT_9F67);
    if (natc_2.size != 1) return -1;
    const int digits = k2_number_digits(two, natc_2.data[0]);
    if (digits > 8) return -1;
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_56)) return digits;
    if (one.size != 6 || natc_1.size != 1 || !cemv_store_has(&kernel->store, K2_SLOT_9F62)) return -1;
    return k2_number_digits(one, natc_1.data[0]) == digits ? digits : -1;
}

/* Lowers `digits` to the number of positions that really exist in the discretionary data. */
static void keep_placed(int *digits, cemv_bytes positions, size_t size)
{
    const int placed = k2_positions_within(positions, size);
    if (placed < *digits) *digits = placed;
}

/* Copies the discretionary data before they are filled, for the outcome [S7.23]. A bitmap may name positions beyond
 * them: the charts do not compare the two (Conformance/interpretations.md), but the protection needs to know how many
 * digits have a place. */
bool k2_take_discretionary(struct cemv_kernel *kernel, int *digits)
{
    const cemv_bytes track_1 = cemv_value(kernel, CEMV_SLOT_56), track_2 = cemv_value(kernel, CEMV_SLOT_9F6B);
    uint8_t copy[CEMV_TRACK_2_MAX];
    size_t first, size;
    if (!k2_track_2_discretionary(track_2, &first, &size) || size == 0) return false;
    keep_placed(digits, cemv_value(kernel, K2_SLOT_9F66), size);
    cemv_digits_copy(copy, track_2.data, first, size);
    k2_put_terminal(kernel, K2_SLOT_DF812B, copy, (size + 1) / 2);
    if (track_1.size == 0) return true;
    if (!k2_track_1_discretionary(track_1, &first, &size) || size == 0) return false;
    keep_placed(digits, cemv_value(kernel, K2_SLOT_9F63), size);
    k2_put_terminal(kernel, K2_SLOT_DF812A, cemv_value(kernel, CEMV_SLOT_56).data + first, size);
    return true;
}

/* Fills both tracks, each with its own bitmaps and CVC3, but one number [S13.18-22, S14.26-30]. Track 1 is optional. */
void k2_fill_tracks(struct cemv_kernel *kernel, uint8_t shown_digits)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    uint8_t track[CEMV_TRACK_1_MAX];
    size_t first, size;
    struct k2_fill fill = {
        .cvc3_positions = cemv_value(kernel, K2_SLOT_9F65),
        .number_positions = cemv_value(kernel, K2_SLOT_9F66),
        .counter_digits = k2_byte(kernel, K2_SLOT_9F67, 0),
        .cvc3 = k2_word(kernel, K2_SLOT_9F61, 0),
        .counter = k2_word(kernel, CEMV_SLOT_9F36, 0),
        .number = memory->number,
        .number_digits = memory->number_digits,
        .shown_digits = shown_digits,
    };
    const cemv_bytes track_2 = cemv_value(kernel, CEMV_SLOT_9F6B), track_1 = cemv_value(kernel, CEMV_SLOT_56);
    cemv_copy(track, track_2.data, track_2.size);
    if (k2_track_2_discretionary(track_2, &first, &size)) k2_fill_track_2(track, first, size, &fill);
    (void)cemv_store_put(&kernel->store, CEMV_SLOT_9F6B, (cemv_bytes){ track, track_2.size }, CEMV_FROM_CARD);
    if (track_1.size == 0) return;
    fill.cvc3_positions = cemv_value(kernel, K2_SLOT_9F62);
    fill.number_positions = cemv_value(kernel, K2_SLOT_9F63);
    fill.counter_digits = k2_byte(kernel, K2_SLOT_9F64, 0);
    fill.cvc3 = k2_word(kernel, K2_SLOT_9F60, 0);
    cemv_copy(track, track_1.data, track_1.size);
    if (k2_track_1_discretionary(track_1, &first, &size)) k2_fill_track_1(track, first, size, &fill);
    (void)cemv_store_put(&kernel->store, CEMV_SLOT_56, (cemv_bytes){ track, track_1.size }, CEMV_FROM_CARD);
}

/* The device reports in DF4B that it has verified its user. */
bool k2_verified_on_device(const struct cemv_kernel *kernel)
{
    const cemv_bytes interaction = cemv_value(kernel, K2_SLOT_DF4B);
    return interaction.size == 3 && (interaction.data[1] & K2_VERIFIED_ON_DEVICE) != 0;
}
