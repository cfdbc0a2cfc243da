/* SPDX-License-Identifier: Apache-2.0 */
/* One step of a TLV cursor over any 16 bytes: nothing outside them is read, a found object lies in them, every step
 * advances, and a step that finds nothing leaves the cursor at its end or with an error. */
#include "proof.h"

int main(void)
{
    uint8_t memory[16];
    const cemv_bytes bytes = any_bytes(memory, sizeof memory);
    struct cemv_tlv_cursor cursor = cemv_tlv_open(bytes);
    struct cemv_tlv object;
    const uint8_t *before = cursor.at;
    const uint8_t *const end = cemv_bytes_end(bytes);
    if (cemv_tlv_next(&cursor, &object)) {
        HOLDS(cursor.error == CEMV_WIRE_OK);
        HOLDS(object.whole.data >= before && object.value.data >= object.whole.data + 2);
        HOLDS(object.value.data + object.value.size == cursor.at && cursor.at <= end);
        HOLDS(object.whole.data + object.whole.size == cursor.at && cursor.at > before);
        HOLDS(object.constructed == ((object.whole.data[0] & 0x20) != 0));
    } else {
        HOLDS(cursor.at <= end && (cursor.error != CEMV_WIRE_OK || cursor.at == end));
        const struct cemv_tlv_cursor stays = cursor;
        HOLDS(!cemv_tlv_next(&cursor, &object));
        HOLDS(cursor.at == stays.at && cursor.error == stays.error);
    }
    return 0;
}
