/* SPDX-License-Identifier: Apache-2.0 */
/* rsa.c over limbs of 4 bits, every case: the inverse and the quotient digit, division, the rows with their carries and
 * borrows, the square, the reduction. A limb has its own 4-bit type here, which no operation widens, as none widens the
 * real ones. */
#include "exhaustive.h"

typedef unsigned _BitInt(4) small_limb;
typedef unsigned _BitInt(8) small_wide;
#define CEMV_LIMB_BITS 4
#include "../small_rsa.h"

enum { BASE = 16 };

static uint64_t value_of(const limb *x, size_t count)
{
    uint64_t value = 0;
    for (size_t i = count; i > 0; i--) value = value * BASE + (unsigned)x[i - 1];
    return value;
}

static void limbs_of(limb *x, size_t count, uint64_t value)
{
    for (size_t i = 0; i < count; i++, value /= BASE) x[i] = (limb)(value % BASE);
}

static uint64_t power(size_t count) { return (uint64_t)1 << 4 * count; }

/* Every divisor of `count` limbs, the top bit set, and every number of `size` limbs whose upper ones are below it. */
static void divisions(size_t count, size_t size)
{
    static struct key key;
    limb x[5];
    key.count = (uint16_t)count;
    for (uint64_t n = power(count) / 2; n < power(count); n++) {
        limbs_of(key.n, count, n);
        key.inverse = invert(key.n[count - 1]);
        for (uint64_t value = 0; value < n * power(size - count); value++, cases++) {
            limbs_of(x, size, value);
            divide(x, size, &key);
            HOLDS(value_of(x, count) == value % n);
        }
    }
}

/* Every quotient digit of three limbs by two. */
static void digits(void)
{
    static struct key key;
    key.count = 2;
    for (unsigned n = BASE * BASE / 2; n < BASE * BASE; n++) {
        limbs_of(key.n, 2, n);
        key.inverse = invert(key.n[1]);
        HOLDS((unsigned)key.inverse == (BASE * BASE - 1) / (n / BASE) - BASE);
        for (unsigned u = 0; u < n * BASE; u++, cases++) {
            const unsigned exact = u / n,
                           digit = (unsigned)estimate((limb)(u / BASE / BASE), (limb)(u / BASE % BASE), &key);
            HOLDS(digit >= exact && digit <= exact + 2);
        }
    }
}

/* t -= x * q, then t += x, over two limbs. */
static void rows_less(void)
{
    limb x[2], t[2];
    for (unsigned a = 0; a < power(2); a++) {
        for (unsigned b = 0; b < power(2); b++) {
            for (unsigned q = 0; q < BASE; q++, cases++) {
                limbs_of(x, 2, a);
                limbs_of(t, 2, b);
                const unsigned borrow = (unsigned)sub_mul(t, x, 2, (limb)q);
                HOLDS(b + borrow * power(2) == value_of(t, 2) + (uint64_t)a * q);
                const uint64_t rest = value_of(t, 2);
                const unsigned carry = (unsigned)add(t, x, 2);
                HOLDS(rest + a == value_of(t, 2) + carry * power(2));
            }
        }
    }
}

/* t += x * q + carry over two limbs, and over one limb with two digits at a time. */
static void rows_more(void)
{
    limb x[2], t[3];
    for (unsigned a = 0; a < power(2); a++) {
        limbs_of(x, 2, a);
        for (unsigned b = 0; b < power(2); b++) {
            for (unsigned q = 0; q < power(2); q++, cases++) {
                limbs_of(t, 2, b);
                const unsigned carry = (unsigned)add_mul(t, x, 2, (limb)(q % BASE), (limb)(q / BASE));
                HOLDS(b + (uint64_t)a * (q % BASE) + q / BASE == value_of(t, 2) + carry * power(2));
            }
        }
    }
    for (unsigned a = 0; a < BASE * BASE; a++) { /* one limb and a carry in */
        x[0] = (limb)(a % BASE);
        for (unsigned b = 0; b < power(3); b++) {
            for (unsigned q = 0; q < power(2); q++, cases++) {
                limbs_of(t, 3, b);
                const unsigned carry =
                    (unsigned)add_mul_two(t, x, 1, (limb)(q % BASE), (limb)(q / BASE), (limb)(a / BASE));
                HOLDS(b + (uint64_t)(a % BASE) * q + a / BASE == value_of(t, 3) + carry * power(3));
            }
        }
    }
}

/* The square of every number of one to five limbs. */
static void squares(void)
{
    limb x[5], t[10];
    for (size_t count = 1; count <= 5; count++) {
        for (uint64_t value = 0; value < power(count); value++, cases++) {
            limbs_of(x, count, value);
            square(t, x, count);
            HOLDS(value_of(t, 2 * count) == value * value);
        }
    }
}

/* Every number of `size` limbs reduced to four: equal modulo n, and nothing lost. */
static void folds(unsigned n, size_t size)
{
    static struct key key;
    limb t[6];
    key.count = 1;
    key.n[0] = (limb)n;
    key.d[0] = (limb)(power(4) % n);
    for (uint64_t value = 0; value < power(size); value++, cases++) {
        limbs_of(t, size, value);
        fold(t, size, &key);
        HOLDS(value_of(t, 4) % n == value % n);
    }
}

int main(void)
{
    digits();
    divisions(1, 2);
    divisions(1, 4);
    divisions(2, 4);
    divisions(2, 5);
    divisions(3, 4);
    rows_less();
    rows_more();
    squares();
    for (unsigned n = 1; n < BASE; n++) folds(n, 5);
    folds(11, 6); /* the digits folded in have the largest weight: 16^4 is 9 modulo 11 */
    folds(9, 6);
    printf("%llu cases\n", cases);
    return 0;
}
