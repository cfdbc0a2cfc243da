/* SPDX-License-Identifier: Apache-2.0 */
/* Carries of two rows at once: the sum and its carry out are t + x * (q1 * B + q0) + carry. Any COUNT limbs. */
#include "limbs.h"

int main(void)
{
    limb x[COUNT], t[COUNT + 2];
    const limb q0 = nondet_byte(), q1 = nondet_byte(), carry = nondet_byte();
    const uint64_t expected = value_of(t, COUNT + 2) + row_of(x, COUNT, q0) + (row_of(x, COUNT, q1) << LIMB_BITS) +
                              carry;
    const limb out = add_mul_two(t, x, COUNT, q0, q1, carry);
    HOLDS(expected == value_of(t, COUNT + 2) + ((uint64_t)out << LIMB_BITS * (COUNT + 2)));
    return 0;
}
