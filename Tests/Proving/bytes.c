/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes from hexadecimal text, for the runner's cards and readers. Knows nothing about the format of the bytes. */
#include "bytes.h"

#include <ctype.h>
#include <stdlib.h>

size_t bytes_of_hex(const char *text, uint8_t *out)
{
    size_t size = 0;
    for (; isxdigit((unsigned char)text[0]) && isxdigit((unsigned char)text[1]); text += 2) {
        const char pair[3] = { text[0], text[1], 0 };
        out[size++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return size;
}
