/* SPDX-License-Identifier: Apache-2.0 */
/* Data object lists over any 8 bytes: entries lie in the list, the sum of their lengths is the size of the value. */
#include "proof.h"

int main(void)
{
    uint8_t memory[8];
    const cemv_bytes bytes = any_bytes(memory, sizeof memory);
    struct cemv_dol_cursor cursor = cemv_dol_open(bytes);
    struct cemv_dol_entry entry;
    size_t sum = 0, entries = 0;
    while (cemv_dol_next(&cursor, &entry)) {
        sum += entry.length;
        entries++;
        HOLDS(2 * entries <= bytes.size);
        HOLDS(cursor.at <= cemv_bytes_end(bytes));
    }
    HOLDS(cursor.error != CEMV_WIRE_OK || cursor.at == cemv_bytes_end(bytes));
    enum cemv_wire_error error;
    HOLDS(cemv_dol_value_size(bytes, &error) == sum);
    HOLDS(error == cursor.error);
    return 0;
}
