/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers from a seed, and a digest of the results. Each file that includes this has a separate copy of both. */
#ifndef CEMV_RANDOM_VALUES_H
#define CEMV_RANDOM_VALUES_H

#include <stdbool.h>
#include <string.h>

#include "faults.h"
#include "sum.h"

#define random_unused __attribute__((unused)) static

static uint64_t state; /* of the random numbers */
random_unused uint64_t sum;
random_unused const char *violation; /* the last invariant that did not hold */

random_unused uint32_t below(uint32_t limit) { return limit ? (uint32_t)(random_next(&state) >> 32) % limit : 0; }
random_unused bool flag(void) { return below(2); }
random_unused bool once_in(uint32_t times) { return below(times) == 0; }
random_unused void note(uint64_t value) { sum = sum_number(sum, value); }
random_unused void note_raw(const void *data, size_t size) { sum = sum_bytes(sum, data, size); }
random_unused void note_bytes(cemv_bytes bytes) { note(bytes.size), note_raw(bytes.data, bytes.size); }
random_unused void holds(bool condition, const char *name)
{
    if (!condition) violation = name;
}

/* Writes a data object with the shortest length field; returns its size. The value may already be in its place. */
static inline size_t put_tlv(uint8_t *out, uint32_t tag, const void *value, size_t size)
{
    size_t used = cemv_tag_write(out, tag);
    const size_t head = used + 1 + (size > 127) + (size > 255);
    if (size) memmove(out + head, value, size);
    if (size > 255) out[used++] = 0x82, out[used++] = (uint8_t)(size >> 8);
    else if (size > 127) out[used++] = 0x81;
    out[used] = (uint8_t)size;
    return head + size;
}

/* Puts the bytes in `out` into a template, in place. */
static inline size_t wrap_tlv(uint8_t *out, uint32_t tag, size_t size)
{
    static uint8_t inner[3000];
    memcpy(inner, out, size);
    return put_tlv(out, tag, inner, size);
}

#endif
