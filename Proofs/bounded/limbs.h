/* SPDX-License-Identifier: Apache-2.0 */
/* rsa.c over limbs of 8 bits, so that a solver finishes with every value of a few limbs. Contracts name the products of
 * single limbs and define their sum, as long multiplication does: a solver that has to discover the distributive
 * law does not finish. */
#ifndef CEMV_PROOF_LIMBS_H
#define CEMV_PROOF_LIMBS_H

#include "proof.h"

typedef uint8_t small_limb;
typedef uint16_t small_wide;
#define CEMV_LIMB_BITS 8
#include "../small_rsa.h"

static inline uint64_t value_of(const limb *x, size_t count)
{
    uint64_t value = 0;
    for (size_t i = count; i > 0; i--) value = value << LIMB_BITS | x[i - 1];
    return value;
}

static inline uint64_t product_of(limb a, limb b) { return (uint64_t)((wide)a * b); }

/* x * q, one product of limbs at a time. */
static inline uint64_t row_of(const limb *x, size_t count, limb q)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += product_of(x[i], q) << LIMB_BITS * i;
    return sum;
}

#endif
