/* The remainder of any four limbs by any number of two limbs whose top bit is set. */
#include "limbs.h"

int main(void)
{
    struct key key;
    limb x[4];
    key.count = 2;
    key.n[1] = nondet_byte();
    key.n[0] = nondet_byte();
    __ESBMC_assume(key.n[1] >= 0x80);
    key.inverse = invert(key.n[1]);
    const uint64_t n = value_of(key.n, 2), value = value_of(x, 4);
    __ESBMC_assume((value >> 16) < n);
    divide(x, 4, &key);
    HOLDS(value_of(x, 2) == value % n);
    return 0;
}
