/* SPDX-License-Identifier: Apache-2.0 */
/* Borrows of the multiply-and-subtract row, and carries of addition. Any three limbs. */
#include "limbs.h"

int main(void)
{
    enum { COUNT = 3 };
    limb x[COUNT], t[COUNT];
    const limb q = nondet_byte();
    const uint64_t before = value_of(t, COUNT), taken = row_of(x, COUNT, q);
    const limb borrow = sub_mul(t, x, COUNT, q);
    HOLDS(before + ((uint64_t)borrow << LIMB_BITS * COUNT) == value_of(t, COUNT) + taken);
    const uint64_t now = value_of(t, COUNT), factor = value_of(x, COUNT);
    const limb carry = add(t, x, COUNT);
    HOLDS(now + factor == value_of(t, COUNT) + ((uint64_t)carry << LIMB_BITS * COUNT) && carry <= 1);
    return 0;
}
