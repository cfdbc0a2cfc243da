/* SPDX-License-Identifier: Apache-2.0 */
/* Data object lists (EMV Book 3, 5.4): their entries as a cursor, and a value fitted to its length. Knows no tag's
 * meaning and no store.
 *
 * A card requests data of the terminal with such a list. The values are sent without tags or lengths, so each must have
 * exactly the requested length: the card finds them by position. */
#include "wire.h"

struct cemv_dol_cursor cemv_dol_open(cemv_bytes dol)
{
    return (struct cemv_dol_cursor){ .at = dol.data, .end = cemv_bytes_end(dol), .error = CEMV_WIRE_OK };
}

/* A list has no filler: 00 and FF are tags, which no dictionary contains. */
bool cemv_dol_next(struct cemv_dol_cursor *cursor, struct cemv_dol_entry *entry)
{
    if (cursor->error != CEMV_WIRE_OK || cursor->at == cursor->end) return false;

    uint32_t tag;
    cursor->error = cemv_tag_read(&cursor->at, cursor->end, &tag);
    if (cursor->error == CEMV_WIRE_OK && cursor->at == cursor->end) cursor->error = CEMV_WIRE_TRUNCATED_LENGTH;
    if (cursor->error != CEMV_WIRE_OK) return false;

    entry->tag = tag;
    entry->length = *cursor->at++;
    return true;
}

/* The sum saturates instead of wrapping, so that a long list never seems to fit. */
size_t cemv_dol_value_size(cemv_bytes dol, enum cemv_wire_error *error)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(dol);
    struct cemv_dol_entry entry;
    size_t size = 0;

    while (cemv_dol_next(&cursor, &entry)) {
        size = entry.length > SIZE_MAX - size ? SIZE_MAX : size + entry.length;
    }
    if (error != NULL) *error = cursor.error;
    return size;
}

/* A list that is cut off after the entry still counts here; writing its values fails later. */
bool cemv_dol_asks(cemv_bytes dol, uint32_t tag, uint8_t length)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(dol);
    struct cemv_dol_entry entry;
    while (cemv_dol_next(&cursor, &entry))
        if (entry.tag == tag && (length == 0 || entry.length == length)) return true;
    return false;
}

/* Book 3, 5.4: numbers are aligned to the right, all other formats to the left, and padded or cut at the other end. An
 * empty value counts as absent and results in zeros in every format. */
void cemv_dol_fit(uint8_t *out, uint8_t length, cemv_bytes value, enum cemv_format format)
{
    if (length == 0) return;

    const bool cut = value.size > length;
    const size_t kept = cut ? length : value.size;
    const size_t pad = length - kept;
    if (kept == 0) {
        cemv_zero(out, length);
    } else if (format == CEMV_FORMAT_N) {
        cemv_zero(out, pad);
        cemv_copy_short(out + pad, value.data + (value.size - kept), kept);
    } else {
        cemv_copy_short(out, value.data, kept);
        if (pad != 0) cemv_memset(out + kept, format == CEMV_FORMAT_CN ? 0xFF : 0x00, pad);
    }
}
