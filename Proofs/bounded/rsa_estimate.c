/* The quotient digit of any two limbs by any top limb: never too small, at most two too large; and the inverse it rests on. */
#include "limbs.h"

int main(void)
{
    struct key key;
    const limb top = nondet_byte(), low = nondet_byte(), u2 = nondet_byte(), u1 = nondet_byte(), u0 = nondet_byte();
    __ESBMC_assume(top >= 0x80);
    key.count = 2;
    key.n[1] = top;
    key.n[0] = low;
    key.inverse = invert(top);
    HOLDS(key.inverse == 0xFFFFu / top - 0x100u);
    const unsigned n = (unsigned)top << 8 | low, u = (unsigned)u2 << 16 | (unsigned)u1 << 8 | u0;
    __ESBMC_assume((u >> 8) < n);
    const unsigned exact = u / n, digit = estimate(u2, u1, &key);
    HOLDS(digit >= exact && digit <= exact + 2);
    return 0;
}
