/* SPDX-License-Identifier: Apache-2.0 */
/* The square of any COUNT limbs: every product of two limbs once, those of different limbs doubled. */
#include "limbs.h"

int main(void)
{
    limb x[COUNT], t[2 * COUNT];
    uint64_t expected = 0;
    for (size_t i = 0; i < COUNT; i++) {
        expected += product_of(x[i], x[i]) << LIMB_BITS * 2 * i;
        for (size_t j = i + 1; j < COUNT; j++) expected += product_of(x[i], x[j]) << (LIMB_BITS * (i + j) + 1);
    }
    square(t, x, COUNT);
    HOLDS(value_of(t, 2 * COUNT) == expected);
    return 0;
}
