/* SPDX-License-Identifier: Apache-2.0 */
/* Tags: bounds, size, and that writing restores the bytes. Any 6 bytes. */
#include "proof.h"

int main(void)
{
    uint8_t memory[6], back[4];
    const cemv_bytes bytes = any_bytes(memory, sizeof memory);
    const uint8_t *at = bytes.data;
    uint32_t tag = 0;
    const enum cemv_wire_error error = cemv_tag_read(&at, cemv_bytes_end(bytes), &tag);
    if (error != CEMV_WIRE_OK) {
        HOLDS(at == bytes.data);
        HOLDS(error == CEMV_WIRE_TRUNCATED_TAG || error == CEMV_WIRE_LONG_TAG);
        return 0;
    }
    const size_t size = (size_t)(at - bytes.data);
    HOLDS(size >= 1 && size <= 4 && size <= bytes.size);
    HOLDS((size == 1) == ((bytes.data[0] & 0x1F) != 0x1F));
    if (bytes.data[0] != 0) {
        HOLDS(cemv_tag_size(tag) == size);
        HOLDS(cemv_tag_is_valid(tag));
        HOLDS(cemv_tag_is_constructed(tag) == ((bytes.data[0] & 0x20) != 0));
        HOLDS(cemv_tag_write(back, tag) == size);
        for (size_t i = 0; i < size; i++) HOLDS(back[i] == bytes.data[i]);
    }
    return 0;
}
