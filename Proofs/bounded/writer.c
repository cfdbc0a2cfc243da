/* SPDX-License-Identifier: Apache-2.0 */
/* Two objects in a template, into every capacity up to 12 bytes: either the whole is written and reads back, or an
 * error stays. */
#include "proof.h"

static void write_two(size_t room, size_t size)
{
    uint8_t memory[3], out[13];
    const cemv_bytes value = { memory + (sizeof memory - size), size };
    out[room] = 0xA7;
    struct cemv_writer writer = cemv_writer_open(out, room);
    cemv_writer_open_tlv(&writer, 0x70);
    cemv_writer_put_tlv(&writer, 0x9F02, value);
    cemv_writer_put_tlv(&writer, 0x5A, value);
    cemv_writer_close_tlv(&writer);
    const cemv_bytes done = cemv_writer_finish(&writer);
    const size_t needed = 2 + 3 + size + 2 + size;
    HOLDS(out[room] == 0xA7 && writer.size <= room);
    HOLDS((writer.error == CEMV_WIRE_OK) == (needed <= room));
    HOLDS(done.size == (needed <= room ? needed : 0));
    if (needed > room) return;
    HOLDS(out[0] == 0x70 && out[1] == needed - 2);
    HOLDS(out[2] == 0x9F && out[3] == 0x02 && out[4] == size && out[5 + size] == 0x5A && out[6 + size] == size);
    for (size_t i = 0; i < size; i++) HOLDS(out[5 + i] == value.data[i] && out[7 + size + i] == value.data[i]);
}

int main(void)
{
    for (size_t size = 0; size <= 3; size++) {
        for (size_t room = 0; room <= 12; room++) write_two(room, size);
    }
    return 0;
}
