/* SPDX-License-Identifier: Apache-2.0 */
/* Digests of behaviour (FNV-1a, 64 bits), to compare two runs. Needs neither libc nor allocation. */
#ifndef CEMV_SUM_H
#define CEMV_SUM_H

#include <stddef.h>
#include <stdint.h>

/* The digest of no data. */
#define SUM_EMPTY 14695981039346656037u

static inline uint64_t sum_bytes(uint64_t sum, const void *data, size_t size)
{
    const uint8_t *at = data;
    while (size--) sum = (sum ^ *at++) * 1099511628211u;
    return sum;
}

/* Eight bytes, the lowest first, on any machine. */
static inline uint64_t sum_number(uint64_t sum, uint64_t number)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(number >> 8 * i);
    return sum_bytes(sum, bytes, sizeof bytes);
}

#endif
