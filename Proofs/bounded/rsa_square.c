/* The square of any number of one, two and three limbs. */
#include "limbs.h"

int main(void)
{
    limb x[3], t[6];
    const size_t count = nondet_size();
    __ESBMC_assume(count >= 1 && count <= 3);
    square(t, x, count);
    const uint64_t value = value_of(x, count);
    HOLDS(value_of(t, 2 * count) == value * value);
    return 0;
}
