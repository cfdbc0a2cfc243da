/* Carries of the multiply-and-add rows: two limbs at once are the same as plain integers say. Any three limbs. */
#include "limbs.h"

int main(void)
{
    enum { COUNT = 3 };
    limb x[COUNT], t[COUNT + 2], u[COUNT];
    const limb q0 = nondet_byte(), q1 = nondet_byte(), carry = nondet_byte();
    const uint64_t before = value_of(t, COUNT + 2), factor = value_of(x, COUNT);
    const limb out = add_mul_two(t, x, COUNT, q0, q1, carry);
    HOLDS(before + factor * ((uint64_t)q1 << 8 | q0) + carry == value_of(t, COUNT + 2) + ((uint64_t)out << 40));
    const uint64_t other = value_of(u, COUNT);
    const limb over = add_mul(u, x, COUNT, q0, carry);
    HOLDS(other + factor * q0 + carry == value_of(u, COUNT) + ((uint64_t)over << 24));
    return 0;
}
