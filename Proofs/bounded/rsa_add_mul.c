/* SPDX-License-Identifier: Apache-2.0 */
/* Carries of the multiply-and-add row: the sum and its carry out are t + x * q + carry. Any three limbs. */
#include "limbs.h"

int main(void)
{
    enum { COUNT = 3 };
    limb x[COUNT], t[COUNT];
    const limb q = nondet_byte(), carry = nondet_byte();
    const uint64_t expected = value_of(t, COUNT) + row_of(x, COUNT, q) + carry;
    const limb out = add_mul(t, x, COUNT, q, carry);
    HOLDS(expected == value_of(t, COUNT) + ((uint64_t)out << LIMB_BITS * COUNT));
    return 0;
}
