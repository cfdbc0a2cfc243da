/* SPDX-License-Identifier: Apache-2.0 */
/* RSA public operation (EMV Book 2, B2.1), for exponents 3 and 65537. Numbers are little-endian arrays of limbs. The
 * time depends on the input: everything here is public. Knows no certificate, no padding and no kernel. */

/* There is no Montgomery form here: with so few multiplications its conversions would cost more than they save.
 * For a modulus n of k limbs and B = 2^limb bits, the key holds the fold d = B^(k+3) mod n. Any limb q at position
 * i >= k+3 may be taken away and q * d added three positions and k limbs lower: the value stays the same modulo n. The
 * three spare limbs make the quotient digits known before they are needed, so that two are folded in one pass.
 * Values between multiplications are k+3 limbs long and not reduced; only the last one is divided by n. */
#include "crypto.h"

#ifndef CEMV_LIMB_BITS
#if COMPILER_HAS_WIDE_PRODUCT
#define CEMV_LIMB_BITS 64
#else
#define CEMV_LIMB_BITS 32
#endif
#endif

#if CEMV_LIMB_BITS == 64
typedef uint64_t limb;
typedef compiler_uint128 wide;
#else
typedef uint32_t limb;
typedef uint64_t wide;
#endif

enum {
    LIMB_BITS = CEMV_LIMB_BITS,
    LIMB_SIZE = (LIMB_BITS + 7) / 8, /* proofs have limbs of four bits */
    MAX_LIMBS = CEMV_RSA_MAX_SIZE / LIMB_SIZE,
    SPARE = 3, /* limbs of a value above the modulus */
};

/* What a struct cemv_rsa_key holds. */
struct compiler_may_alias key {
    limb n[MAX_LIMBS]; /* the modulus, shifted left until its top bit is set */
    limb d[MAX_LIMBS]; /* B^(k + SPARE) mod n */
    limb inverse;      /* floor((B^2 - 1) / top limb of n) - B */
    uint32_t exponent;
    uint16_t size;  /* bytes of the modulus */
    uint16_t count; /* k; 0 marks a key that could not be prepared */
    uint16_t shift;
};
_Static_assert(sizeof(struct key) <= sizeof(struct cemv_rsa_key), "struct cemv_rsa_key is too small");
_Static_assert(_Alignof(struct key) <= _Alignof(struct cemv_rsa_key), "struct cemv_rsa_key is not aligned");

static limb load_limb(const uint8_t *end, size_t size)
{
    limb x = 0;
    const uint8_t *at = end - size;
    for (size_t i = 0; i < size; i++) x = (limb)(x << 8) | at[i];
    return x;
}

#if CEMV_LIMB_BITS == 64
static inline limb load_whole_limb(const uint8_t *at)
{
    return ((limb)at[0] << 56) | ((limb)at[1] << 48) | ((limb)at[2] << 40) | ((limb)at[3] << 32) | ((limb)at[4] << 24) |
           ((limb)at[5] << 16) | ((limb)at[6] << 8) | (limb)at[7];
}
#else
static inline limb load_whole_limb(const uint8_t *at)
{
    return ((limb)at[0] << 24) | ((limb)at[1] << 16) | ((limb)at[2] << 8) | (limb)at[3];
}
#endif

/* The limb of big-endian bytes at position `i`, 0 being the lowest. */
static inline limb limb_of(cemv_bytes bytes, size_t i)
{
    size_t end = bytes.size - i * LIMB_SIZE;
    if (end >= LIMB_SIZE) return load_whole_limb(bytes.data + end - LIMB_SIZE);
    return load_limb(bytes.data + end, end);
}

static void store_bytes(uint8_t *out, size_t size, const limb *x)
{
    for (size_t i = 0; i < size; i++) out[size - 1u - i] = (uint8_t)(x[i / LIMB_SIZE] >> (8u * (i % LIMB_SIZE)));
}

#if CEMV_LIMB_BITS == 32 && defined __ARM_ARCH_ISA_THUMB && __ARM_ARCH_ISA_THUMB == 1 && !defined __ARM_ARCH_ISA_ARM
/* Cortex-M0 and M23 multiply to 32 bits only, and the compiler would call a product of two 64-bit numbers. */
crypto_noinline static wide product(limb x, limb y)
{
    const limb x0 = x & 0xFFFFu, x1 = x >> 16, y0 = y & 0xFFFFu, y1 = y >> 16;
    const limb low = x0 * y0, middle = x1 * y0 + (low >> 16), other = x0 * y1 + (middle & 0xFFFFu);
    return ((wide)(x1 * y1 + (middle >> 16) + (other >> 16)) << 32) | (other << 16) | (low & 0xFFFFu);
}
#else
crypto_always_inline static wide product(limb x, limb y) { return (wide)x * y; }
#endif

/* mul_add() returns the low limb of x * y + t + carry, and leaves the high one in `carry`. */
#if defined __clang__ || (CEMV_LIMB_BITS != 64 && !(CEMV_LIMB_BITS == 32 && defined COMPILER_HAS_UMAAL))
crypto_always_inline static limb mul_add(limb x, limb y, limb t, limb *carry)
{
    const wide p = product(x, y) + t + *carry;
    *carry = (limb)(p >> LIMB_BITS);
    return (limb)p;
}
#elif CEMV_LIMB_BITS == 64
/* gcc keeps sums of two limbs in memory, and adds carries late. Each empty statement makes it finish one sum. */
crypto_always_inline static limb mul_add(limb x, limb y, limb t, limb *carry)
{
    const wide p = product(x, y);
    limb low = (limb)p, high = (limb)(p >> LIMB_BITS);
    compiler_finish(low);
    compiler_finish(high);
    t += low;
    high += t < low;
    compiler_finish(high);
    t += *carry;
    high += t < *carry;
    compiler_finish(high);
    *carry = high;
    return t;
}
#else
/* One instruction, which clang finds and gcc 12 does not. */
crypto_always_inline static limb mul_add(limb x, limb y, limb t, limb *carry) { return compiler_umaal(x, y, t, carry); }
#endif

/* t[0..count) += x * q + carry. The carry out. */
static inline limb add_mul(limb *t, const limb *x, size_t count, limb q, limb carry)
{
    for (size_t i = 0; i < count; i++) t[i] = mul_add(x[i], q, t[i], &carry);
    return carry;
}

/* t[0..count+2) += x * (q1 * B + q0) + carry. The carry out of t[count + 1]. */
/* Two rows of a product at once. Each limb of x and t is loaded once for both, where one row after the other would load
 * and store them twice. The second row lies one limb higher, which is why it multiplies the limb before. No sum
 * overflows: (B-1)^2 + 2(B-1) is B^2 - 1. */
static inline limb add_mul_two(limb *t, const limb *x, size_t count, limb q0, limb q1, limb carry)
{
    limb carry0 = carry, carry1 = 0, before = 0;
    size_t i = 0;
    for (; i + 1u < count; i += 2) {
        limb x0 = x[i], x1 = x[i + 1u];
        t[i] = mul_add(before, q1, mul_add(x0, q0, t[i], &carry0), &carry1);
        t[i + 1u] = mul_add(x0, q1, mul_add(x1, q0, t[i + 1u], &carry0), &carry1);
        before = x1;
    }
    if (i < count) {
        t[i] = mul_add(before, q1, mul_add(x[i], q0, t[i], &carry0), &carry1);
        before = x[i];
    }
    wide p = (wide)t[count] + carry0;
    t[count] = mul_add(before, q1, (limb)p, &carry1);
    p = (wide)t[count + 1u] + (limb)(p >> LIMB_BITS) + carry1;
    t[count + 1u] = (limb)p;
    return (limb)(p >> LIMB_BITS);
}

/* t[0..count) -= x * q. The borrow out. */
static limb sub_mul(limb *t, const limb *x, size_t count, limb q)
{
    limb borrow = 0;
    for (size_t i = 0; i < count; i++) {
        wide p = product(x[i], q) + borrow;
        limb low = (limb)p;
        borrow = (limb)(p >> LIMB_BITS) + (limb)(t[i] < low);
        t[i] -= low;
    }
    return borrow;
}

/* t[0..count) += x. The carry out. */
static limb add(limb *t, const limb *x, size_t count)
{
    limb carry = 0;
    for (size_t i = 0; i < count; i++) {
        wide p = (wide)t[i] + x[i] + carry;
        t[i] = (limb)p;
        carry = (limb)(p >> LIMB_BITS);
    }
    return carry;
}

/* t = x^2, 2 * count limbs; count > 0. */
static void square(limb *t, const limb *x, size_t count)
{
    limb high = 0, carry = 0;
    size_t i = 0;
    crypto_fill(t, 0, 2u * count * sizeof(limb));
    for (; i + 1u < count; i += 2) { /* products of different limbs, two rows at a time */
        limb *row = t + 2u * i + 1u;
        wide p = product(x[i], x[i + 1u]) + row[0];
        row[0] = (limb)p;
        if (i + 2u < count) add_mul_two(row + 1, x + i + 2u, count - i - 2u, x[i], x[i + 1u], (limb)(p >> LIMB_BITS));
        else row[1] = (limb)(p >> LIMB_BITS);
    }
    for (i = 0; i < count; i++) { /* doubled, plus the squares of the limbs */
        wide p = product(x[i], x[i]);
        limb t0 = t[2u * i], t1 = t[2u * i + 1u];
        wide low = (wide)(limb)((limb)(t0 << 1) | high) + (limb)p + carry;
        wide top = (wide)(limb)((limb)(t1 << 1) | (t0 >> (LIMB_BITS - 1))) + (limb)(p >> LIMB_BITS) +
                   (limb)(low >> LIMB_BITS);
        t[2u * i] = (limb)low;
        t[2u * i + 1u] = (limb)top;
        carry = (limb)(top >> LIMB_BITS);
        high = t1 >> (LIMB_BITS - 1);
    }
}

/* t = x * the number in `bytes`, which has `limbs` limbs; t has count + limbs limbs. */
static void multiply(limb *t, const limb *x, size_t count, cemv_bytes bytes, size_t limbs)
{
    size_t i = 0;
    crypto_fill(t, 0, (count + limbs) * sizeof(limb));
    for (; i + 1u < limbs; i += 2) add_mul_two(t + i, x, count, limb_of(bytes, i), limb_of(bytes, i + 1u), 0);
    if (i < limbs) t[i + count] = add_mul(t + i, x, count, limb_of(bytes, i), 0);
}

/* Adds d for a one that was carried out of the k + SPARE limbs at `row`. What is left there is below d * B^2, so
 * nothing is carried out again. */
static void fold_overflow(limb *row, const struct key *key)
{
    limb carry = add(row, key->d, key->count);
    for (size_t i = key->count; i < key->count + (size_t)SPARE; i++) {
        row[i] += carry;
        carry = (limb)(row[i] < carry);
    }
}

/* Folds t from `size` limbs to k + SPARE, the value modulo n unchanged. A shorter t is filled with zeros. */
/* Two limbs at the top are taken away and their product with d is added to the lower ones. The places of the two
 * quotient digits are not touched by that product, SPARE places being between, so both are known at the beginning. An
 * odd limb is folded alone first. */
static void fold(limb *t, size_t size, const struct key *key)
{
    size_t k = key->count;
    size_t target = k + SPARE;
    for (; size < target; size++) t[size] = 0;
    if ((size - target) % 2u != 0) {
        limb *row = t + (size - 1u - target);
        limb carry = add_mul(row, key->d, k, t[size - 1u], 0);
        for (size_t i = k; i < target; i++) {
            row[i] += carry;
            carry = (limb)(row[i] < carry);
        }
        size--;
        if (carry != 0) fold_overflow(row, key);
    }
    for (; size > target; size -= 2) {
        limb *row = t + (size - 2u - target);
        limb carry = add_mul_two(row, key->d, k, t[size - 2u], t[size - 1u], 0);
        row[k + 2u] += carry;
        if (row[k + 2u] < carry) fold_overflow(row, key);
    }
}

/* floor((B^2 - 1) / top) - B for a top limb whose top bit is set, by schoolbook division in half limbs. */
static limb invert(limb top)
{
    enum { HALF = LIMB_BITS / 2 };
    const limb mask = ((limb)1 << HALF) - 1u;
    const limb high = top >> HALF;
    limb rest = (limb)~top; /* (B^2 - 1) - top * B: the high limb; the low one is all ones */
    limb result = 0;
    for (int i = 0; i < 2; i++) {
        limb q = rest / high;
        if (q > mask) q = mask;
        /* rest * 2^HALF + mask - q * top, kept non-negative by lowering q. */
        wide have = ((wide)rest << HALF) | mask;
        wide need = (wide)q * top;
        while (need > have) {
            need -= top;
            q--;
        }
        rest = (limb)(have - need);
        result = (limb)(result << HALF) | q;
    }
    return result;
}

/* One quotient digit of (u1, u0) by the top limb of n: at most two too large, never too small. */
static limb estimate(limb u1, limb u0, const struct key *key)
{
    limb top = key->n[key->count - 1u];
    if (u1 >= top) return (limb) ~(limb)0;
    wide q = (wide)key->inverse * u1 + (((wide)u1 << LIMB_BITS) | u0);
    limb digit = (limb)(q >> LIMB_BITS) + 1u;
    limb rest = (limb)(u0 - digit * top);
    if (rest > (limb)q) {
        digit--;
        rest += top;
    }
    if (rest >= top) digit++;
    return digit;
}

/* x, of `size` limbs, modulo the shifted n; the remainder is in the k lowest limbs, and nothing of use above. The k
 * limbs at the top are below n. */
static void divide(limb *x, size_t size, const struct key *key)
{
    size_t k = key->count;
    for (size_t i = size - k; i-- > 0;) {
        limb digit = estimate(x[i + k], x[i + k - 1u], key);
        if (digit == 0) continue;
        limb borrow = sub_mul(x + i, key->n, k, digit);
        /* Below zero for as long as anything is left above: at most twice. */
        for (limb top = x[i + k] - borrow; top != 0;) top += add(x + i, key->n, k);
    }
}

/* x << shift, one limb longer. */
static void shift_left(limb *x, size_t size, unsigned shift)
{
    x[size] = 0;
    if (shift == 0) return;
    for (size_t i = size; i > 0; i--) x[i] = (limb)(x[i] << shift) | (x[i - 1u] >> (LIMB_BITS - shift));
    x[0] = (limb)(x[0] << shift);
}

static void shift_right(limb *x, size_t size, unsigned shift)
{
    if (shift == 0) return;
    for (size_t i = 0; i + 1u < size; i++) x[i] = (x[i] >> shift) | (limb)(x[i + 1u] << (LIMB_BITS - shift));
    x[size - 1u] >>= shift;
}

/* in < n, both of the same number of bytes. */
static bool is_below_modulus(cemv_bytes in, const struct key *key)
{
    size_t k = key->count;
    for (size_t i = k; i-- > 0;) {
        limb n = key->n[i] >> key->shift;
        limb x = limb_of(in, i);
        if (key->shift != 0 && i + 1u < k) n |= (limb)(key->n[i + 1u] << (LIMB_BITS - key->shift));
        if (x != n) return x < n;
    }
    return false;
}

/* Everything that depends on the key alone: the shifted modulus, the inverse of its top limb by which quotient digits
 * are estimated, and the fold d. An even modulus is no product of two odd primes, and a leading zero would make the
 * number of bytes lie; exponents are the two that Book 2 has (annex B2.1). */
crypto_noinline static bool prepare(struct key *key, cemv_bytes modulus, uint32_t exponent)
{
    limb work[MAX_LIMBS + SPARE + 2];
    key->count = 0;
    if (modulus.size == 0 || modulus.size > CEMV_RSA_MAX_SIZE) return false;
    if (modulus.data[0] == 0 || modulus.data[modulus.size - 1u] % 2u == 0) return false;
    if (exponent != 3u && exponent != 65537u) return false;
    size_t k = (modulus.size + LIMB_SIZE - 1u) / LIMB_SIZE;
    unsigned shift = 0;
    for (size_t i = 0; i < k; i++) work[i] = limb_of(modulus, i);
    while ((limb)(work[k - 1u] << shift) >> (LIMB_BITS - 1) == 0) shift++;
    shift_left(work, k, shift);
    crypto_copy(key->n, work, k * sizeof(limb));
    key->count = (uint16_t)k;
    key->size = (uint16_t)modulus.size;
    key->shift = (uint16_t)shift;
    key->exponent = exponent;
    key->inverse = invert(key->n[k - 1u]);
    /* B^(k + SPARE), shifted like n. The zero limb above it holds even for n = 1. */
    crypto_fill(work, 0, sizeof work);
    work[k + SPARE] = (limb)1 << shift;
    divide(work, k + SPARE + 2u, key);
    shift_right(work, k, shift);
    crypto_copy(key->d, work, k * sizeof(limb));
    return true;
}

/* in^e mod n. Both exponents are 2^m + 1: m squarings, then one multiplication by the input. So there is no loop over
 * bits of an exponent, and the input is read again from its bytes instead of being kept as limbs. */
crypto_noinline static bool public_operation(uint8_t *out, cemv_bytes in, const struct key *key)
{
    limb t[2 * (MAX_LIMBS + SPARE)];
    limb x[MAX_LIMBS + SPARE];
    size_t k = key->count;
    if (k == 0 || k > MAX_LIMBS || in.size != key->size || !is_below_modulus(in, key)) return false;
    size_t width = k + SPARE;
    for (size_t i = 0; i < k; i++) x[i] = limb_of(in, i);
    square(t, x, k);
    fold(t, 2u * k, key);
    for (unsigned i = 1; i < (key->exponent == 3u ? 1u : 16u); i++) {
        crypto_copy(x, t, width * sizeof(limb));
        square(t, x, width);
        fold(t, 2u * width, key);
    }
    crypto_copy(x, t, width * sizeof(limb));
    multiply(t, x, width, in, k);
    fold(t, width + k, key);
    shift_left(t, width, key->shift);
    divide(t, width + 1u, key);
    shift_right(t, k, key->shift);
    store_bytes(out, key->size, t);
    return true;
}

bool cemv_rsa_prepare(struct cemv_rsa_key *key, cemv_bytes modulus, uint32_t exponent)
{
    return prepare((struct key *)(void *)key, modulus, exponent);
}

bool cemv_rsa_public_prepared(uint8_t *out, cemv_bytes in, const struct cemv_rsa_key *key)
{
    return public_operation(out, in, (const struct key *)(const void *)key);
}

bool cemv_rsa_public(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t exponent)
{
    struct key key;
    return prepare(&key, modulus, exponent) && public_operation(out, in, &key);
}
