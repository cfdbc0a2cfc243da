/* SPDX-License-Identifier: Apache-2.0 */
/* A number that is called a tag is written and read back as itself. Any number. */
#include "proof.h"

int main(void)
{
    const uint32_t tag = nondet_word();
    uint8_t bytes[4];
    const size_t size = cemv_tag_write(bytes, tag);
    HOLDS(size >= 1 && size <= 4 && size == cemv_tag_size(tag));
    if (cemv_tag_is_valid(tag)) {
        const uint8_t *at = bytes;
        uint32_t back = 0;
        HOLDS(cemv_tag_read(&at, bytes + size, &back) == CEMV_WIRE_OK);
        HOLDS(back == tag && at == bytes + size);
    }
    return 0;
}
