/* Two objects in a template, into any room up to 12 bytes: either the whole is written and reads back, or an error stays. */
#include "proof.h"

int main(void)
{
    uint8_t memory[3], out[13];
    const cemv_bytes value = any_bytes(memory, sizeof memory);
    const size_t room = nondet_size();
    __ESBMC_assume(room <= 12);
    out[room] = 0xA7;
    struct cemv_writer writer = cemv_writer_open(out, room);
    struct cemv_tlv outer, inner;
    cemv_writer_open_tlv(&writer, 0x70);
    cemv_writer_put_tlv(&writer, 0x9F02, value);
    cemv_writer_put_tlv(&writer, 0x5A, value);
    cemv_writer_close_tlv(&writer);
    const cemv_bytes done = cemv_writer_finish(&writer);
    HOLDS(out[room] == 0xA7 && writer.size <= room);
    const size_t needed = 2 + 3 + value.size + 2 + value.size;
    HOLDS((writer.error == CEMV_WIRE_OK) == (needed <= room));
    if (writer.error != CEMV_WIRE_OK) {
        HOLDS(done.size == 0);
        return 0;
    }
    HOLDS(done.size == needed && cemv_tlv_find(done, 0x70, &outer) && cemv_tlv_find(outer.value, 0x5A, &inner));
    HOLDS(inner.value.size == value.size);
    return 0;
}
