/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of RSA's arithmetic over limbs of 8 bits (the text of rsa.c itself), compared with plain integers:
 * inverses, quotient digits, remainders, squares and reductions of numbers whose limbs are mostly zeros, ones, or those
 * of the modulus. */
#include <string.h>

#include "properties.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((no_profile_instrument_function)),                                          \
                             apply_to = function) /* coverage counts the real limbs */
#endif
#include <stdint.h>
typedef uint8_t small_limb;
typedef uint16_t small_wide;
#define CEMV_LIMB_BITS 8
#include "../../Proofs/small_rsa.h"
#ifdef __clang__
#pragma clang attribute pop
#endif

#ifdef __SIZEOF_INT128__ /* a host of 32 bits has no type for the expected numbers; its limbs are these too */
__extension__ typedef unsigned __int128 number;

static number value_of(const limb *x, size_t count)
{
    number value = 0;
    while (count > 0) value = value << 8 | x[--count];
    return value;
}

static limb edge(void)
{
    static const limb edges[] = { 0, 0xFF, 0xFE, 1, 0x80, 0x7F };
    return any(3) ? edges[any(6)] : (limb)any(256);
}

/* A key of one to three limbs, its modulus odd or shifted. */
static number make_key(struct key *key)
{
    const size_t count = 1 + any(3);
    memset(key, 0, sizeof *key);
    for (size_t i = 0; i < count; i++) key->n[i] = edge();
    key->n[count - 1] |= 0x80;
    key->count = (uint16_t)count;
    key->inverse = invert(key->n[count - 1]);
    number n = value_of(key->n, count), fold = ((number)1 << 8 * (count + SPARE)) % n;
    for (size_t i = 0; i < count; i++, fold >>= 8) key->d[i] = (limb)fold;
    return n;
}

/* The upper limbs of the dividend, equal to those of the modulus or a little less, are below it. */
static void properties_of_division(unsigned round)
{
    struct key key;
    const number n = make_key(&key);
    const size_t k = key.count, size = k + 1 + any(4);
    limb x[8];
    for (size_t i = 0; i < size; i++) x[i] = edge();
    if (any(2)) memcpy(x + size - k, key.n, k);
    while (value_of(x + size - k, k) >= n) x[size - 1 - any((unsigned)k)] = any(2) ? edge() : (limb)(key.n[k - 1] - 1);
    const number expected = value_of(x, size) % n;
    divide(x, size, &key);
    property(value_of(x, k) == expected, "a remainder", round);
}

static void properties_of_products(unsigned round)
{
    limb x[7], y[7], t[16], q = edge(), p = edge(), carry = edge();
    const size_t count = 1 + any(6);
    for (size_t i = 0; i < 7; i++) {
        x[i] = edge();
        y[i] = edge();
    }
    memset(t, 0xEE, sizeof t);
    square(t, x, count);
    property(t[2 * count] == 0xEE && t[2 * count + 1] == 0xEE, "a square keeps to its limbs", round);
    property(value_of(t, 2 * count) == value_of(x, count) * value_of(x, count), "a square", round);
    memcpy(t, y, sizeof y);
    const number before = value_of(t, 7), product = value_of(x, 5) * (p * 256u + q) + carry;
    const limb out = add_mul_two(t, x, 5, q, p, carry);
    property(value_of(t, 7) + ((number)out << 56) == before + product, "two rows", round);
    memcpy(t, y, sizeof y);
    const limb borrow = sub_mul(t, x, 7, q);
    property(value_of(t, 7) + value_of(x, 7) * q == before + ((number)borrow << 56), "a row taken away", round);
}

static void properties_of_folds(unsigned round)
{
    struct key key;
    limb t[14];
    const number n = make_key(&key);
    const size_t target = (size_t)key.count + SPARE, size = key.count + any((unsigned)target + 1);
    memset(t, 0xEE, sizeof t);
    for (size_t i = 0; i < size; i++) t[i] = edge();
    if (any(2))
        for (size_t i = size > 4 ? size - 4 : 0; i + 1 < size; i++) t[i] = 0xFF;
    const number before = value_of(t, size);
    fold(t, size, &key);
    property(value_of(t, target) % n == before % n, "a fold", round);
    bool untouched = true;
    for (size_t i = size > target ? size : target; i < sizeof t; i++) untouched &= t[i] == 0xEE;
    property(untouched, "a fold keeps to its number", round);
}
#endif

static void properties_of_inverses(void)
{
    for (unsigned top = 0x80; top <= 0xFF; top++)
        property(invert((limb)top) == 0xFFFFu / top - 0x100u, "an inverse", top);
}

void properties_of_limbs(void)
{
    any_from(0x5EED);
    PART(properties_of_inverses);
#ifdef __SIZEOF_INT128__
    for (unsigned round = 0; round < 20000; round++) {
        properties_of_division(round);
        properties_of_products(round);
        properties_of_folds(round);
    }
#endif
}
