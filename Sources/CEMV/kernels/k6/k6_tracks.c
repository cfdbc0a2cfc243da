/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 6, MS modes: writes the dynamic value and the number into the tracks (Book C-6 v2.6, 3.3 and Annex E). The
 * book counts positions from 1, which is the start sentinel. The objects contain no start sentinel; track 1 consists of
 * characters, track 2 of nibbles. Pure functions over bytes. */
#include "k6.h"

enum {
    FIRST = 2, /* the position of an object's first character */
    TRACK_1_DCVV = 59 - FIRST,
    TRACK_1_NUMBER = 65 - FIRST,
    TRACK_1_NEEDED = TRACK_1_NUMBER + 2, /* characters */
    TRACK_1_ACCOUNT_MAX = 50,            /* the second separator is before it */
    TRACK_2_DCVV = 31 - FIRST,
    TRACK_2_NUMBER = 37 - FIRST,
    TRACK_2_NEEDED = TRACK_2_NUMBER + 2, /* nibbles */
    TRACK_2_ACCOUNT_MAX = 20,            /* the separator is before it */
    PADDING = 0x0F,
    SEPARATOR = 0x0D,
};

bool k6_fill_open(struct k6_fill *fill, cemv_bytes dcvv, cemv_bytes number)
{
    uint64_t value;
    if (dcvv.size != 2 || dcvv.data[0] > 9 || number.size == 0 || !cemv_bcd_read(dcvv, &value)) return false;
    for (size_t i = 0; i < sizeof fill->dcvv; i++) fill->dcvv[i] = cemv_nibble(dcvv.data, i + 1);
    for (size_t i = 0; i < sizeof fill->number; i++)
        fill->number[i] = cemv_nibble(number.data, 2 * number.size - 2 + i);
    return true;
}

/* The card reserves positions in its tracks, and the terminal writes its digits there. A track that is too short, or
 * whose separators are placed so that a digit would fall into another field, is not changed. */
bool k6_fill_track_1(uint8_t *track, size_t size, const struct k6_fill *fill)
{
    size_t separators = 0;
    if (size < TRACK_1_NEEDED) return false;
    for (size_t at = 0; at < TRACK_1_ACCOUNT_MAX; at++) separators += track[at] == '^';
    if (separators < 2) return false;
    for (size_t i = 0; i < sizeof fill->dcvv; i++) track[TRACK_1_DCVV + i] = (uint8_t)('0' + fill->dcvv[i]);
    for (size_t i = 0; i < sizeof fill->number; i++) track[TRACK_1_NUMBER + i] = (uint8_t)('0' + fill->number[i]);
    return true;
}

bool k6_fill_track_2(uint8_t *track, size_t size, const struct k6_fill *fill)
{
    bool separated = false;
    if (2 * size < TRACK_2_NEEDED) return false;
    for (size_t i = 0; i < TRACK_2_NEEDED; i++) {
        const uint8_t nibble = cemv_nibble(track, i);
        if (nibble < SEPARATOR) continue;
        if (nibble == PADDING) return false;
        if (nibble == SEPARATOR && i < TRACK_2_ACCOUNT_MAX) separated = true;
    }
    if (!separated) return false;
    for (size_t i = 0; i < sizeof fill->dcvv; i++) cemv_nibble_put(track, TRACK_2_DCVV + i, fill->dcvv[i]);
    for (size_t i = 0; i < sizeof fill->number; i++) cemv_nibble_put(track, TRACK_2_NUMBER + i, fill->number[i]);
    return true;
}
