/* SPDX-License-Identifier: Apache-2.0 */
/* The quotient digit of rsa.c over limbs of 8 bits: every top limb with every two limbs. The last correction of the
 * digit is never needed with limbs of 4 bits (rsa_quarter.c), but it is here. The lower limb of the divisor and the
 * third of the dividend do not affect the digit; the quotient decreases with the first and increases with the second,
 * so checking their extreme values covers all of them. */
#include "exhaustive.h"

typedef uint8_t small_limb;
typedef uint16_t small_wide;
#define CEMV_LIMB_BITS 8
#include "../small_rsa.h"

int main(void)
{
    static struct key key;
    key.count = 2;
    for (unsigned top = 0x80; top <= 0xFF; top++) {
        key.n[1] = (limb)top;
        key.inverse = invert((limb)top);
        HOLDS(key.inverse == 0xFFFFu / top - 0x100u);
        for (unsigned upper = 0; upper < top * 0x100u + 0xFF; upper++, cases++) {
            const unsigned least_low = upper >= top * 0x100u ? upper - top * 0x100u + 1
                                                             : 0; /* the two limbs are below the divisor */
            const unsigned most = (upper << 8 | 0xFF) / (top << 8 | least_low),
                           least = (upper << 8) / (top << 8 | 0xFF);
            const unsigned digit = estimate((limb)(upper >> 8), (limb)upper, &key);
            HOLDS(digit >= most && digit <= least + 2);
        }
    }
    printf("%llu cases\n", cases);
    return 0;
}
