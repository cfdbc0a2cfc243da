/* SPDX-License-Identifier: Apache-2.0 */
/* Must crash within seconds: shows that fuzzer and sanitizer are at work. */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open((cemv_bytes){ data, size });
    struct cemv_tlv object;
    while (cemv_tlv_next(&cursor, &object))
        if (object.tag == 0x9F02 && object.value.size == 6 && data[size] == 0) return 1; /* one past the end */
    return 0;
}
