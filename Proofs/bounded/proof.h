/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the harnesses of the bounded model checker: any bytes of any size up to a bound, in memory of exactly that
 * size. */
#ifndef CEMV_PROOF_H
#define CEMV_PROOF_H

#include <stdlib.h>

#include "../../Sources/CEMV/wire/wire.h"

size_t nondet_size(void);
uint8_t nondet_byte(void);
uint32_t nondet_word(void);
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
#define HOLDS(condition) __ESBMC_assert((condition), #condition)

/* Uninitialised memory is any bytes. The bytes are at its end, so that a read beyond them is a read beyond the memory.
 */
static inline cemv_bytes any_bytes(uint8_t *memory, size_t limit)
{
    const size_t size = nondet_size();
    __ESBMC_assume(size <= limit);
    return (cemv_bytes){ memory + (limit - size), size };
}

#endif
