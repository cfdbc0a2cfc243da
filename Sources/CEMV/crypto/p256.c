/* SPDX-License-Identifier: Apache-2.0 */
/* P-256: field arithmetic in Montgomery form, points in Jacobian coordinates, and the operations on public keys that
 * Book C-8, 8.2 and 8.4 need. The field runs in constant time. The points do not: their time depends on points and
 * scalars, and all of them are public here. Knows no certificate and no kernel. */
#include "p256.h"

typedef crypto_p256_limb limb;
typedef struct crypto_p256_number number;
typedef struct crypto_p256_point point;
#define UNROLL _Pragma("GCC unroll 8")
#if CEMV_P256_LIMB_BITS == 64
typedef compiler_uint128 wide;
/* Four turns each: gcc keeps the limbs in registers only if the loop is unrolled. */
#define UNROLLED UNROLL
#else
typedef uint64_t wide;
#define UNROLLED
#endif
#define W(high, low) CRYPTO_P256_WORDS(high, low)

/* The window of a key's multiples, which are computed for each signature. */
#if CEMV_P256_BASE_TABLE
enum { KEY_WINDOW = 5 };
#else
enum { KEY_WINDOW = 4 };
#endif
enum { KEY_POINTS = 1 << (KEY_WINDOW - 2) };
enum { LIMBS = CRYPTO_P256_LIMBS, BITS = CEMV_P256_LIMB_BITS, LIMB_BYTES = BITS / 8 };

static const number modulus = { { W(0xFFFFFFFF, 0xFFFFFFFF), W(0x00000000, 0xFFFFFFFF), W(0x00000000, 0x00000000),
                                  W(0xFFFFFFFF, 0x00000001) } };
static const number order = { { W(0xF3B9CAC2, 0xFC632551), W(0xBCE6FAAD, 0xA7179E84), W(0xFFFFFFFF, 0xFFFFFFFF),
                                W(0xFFFFFFFF, 0x00000000) } };
/* 2^512 mod p: into Montgomery form. */
static const number square_of_radix = { { W(0x00000000, 0x00000003), W(0xFFFFFFFB, 0xFFFFFFFF),
                                          W(0xFFFFFFFF, 0xFFFFFFFE), W(0x00000004, 0xFFFFFFFD) } };
const number crypto_p256_b = { { W(0xD89CDF62, 0x29C4BDDF), W(0xACF005CD, 0x78843090), W(0xE5A220AB, 0xF7212ED6),
                                 W(0xDC30061D, 0x04874834) } };
const number crypto_p256_one = { { W(0x00000000, 0x00000001), W(0xFFFFFFFF, 0x00000000), W(0xFFFFFFFF, 0xFFFFFFFF),
                                   W(0x00000000, 0xFFFFFFFE) } };

/* Numbers ---------------------------------------------------------------------------------------------------------- */

/* Secrets pass through some of these functions, so no branch and no index depends on a value: numbers are compared by
 * subtraction, and a mask chooses between two results. */

/* a + b; returns the carry. */
static inline limb plus(number *out, const number *a, const number *b)
{
    limb carry = 0;
    UNROLLED
    for (size_t i = 0; i < LIMBS; i++) {
        limb sum;
        const bool first = compiler_add_overflow(a->at[i], b->at[i], &sum),
                   second = compiler_add_overflow(sum, carry, &sum);
        out->at[i] = sum;
        carry = first | second;
    }
    return carry;
}

/* a - b; returns 1 if that is below zero. */
static inline limb minus(number *out, const number *a, const number *b)
{
    limb borrow = 0;
    UNROLLED
    for (size_t i = 0; i < LIMBS; i++) {
        limb rest;
        const bool first = compiler_sub_overflow(a->at[i], b->at[i], &rest),
                   second = compiler_sub_overflow(rest, borrow, &rest);
        out->at[i] = rest;
        borrow = first | second;
    }
    return borrow;
}

/* `b` if `mask` is all ones, `a` if it is zero. */
static inline void choose(number *out, limb mask, const number *a, const number *b)
{
    UNROLLED
    for (size_t i = 0; i < LIMBS; i++) out->at[i] = a->at[i] ^ (mask & (a->at[i] ^ b->at[i]));
}

/* Subtracts p once from a value below 2p, whose limb above the others is `high`. */
static inline void reduce_once(number *x, limb high)
{
    number less;
    const limb below = minus(&less, x, &modulus);
    choose(x, (limb)0 - (below & (high ^ 1)), &less, x);
}

static void load(number *x, const uint8_t bytes[CEMV_P256_SIZE])
{
    for (size_t i = 0; i < LIMBS; i++) {
        limb value = 0;
        const uint8_t *const at = bytes + CEMV_P256_SIZE - (i + 1) * LIMB_BYTES;
        for (size_t k = 0; k < LIMB_BYTES; k++) value = (limb)(value << 8) | at[k];
        x->at[i] = value;
    }
}

static void store(uint8_t bytes[CEMV_P256_SIZE], const number *x)
{
    for (size_t i = 0; i < CEMV_P256_SIZE; i++)
        bytes[CEMV_P256_SIZE - 1 - i] = (uint8_t)(x->at[i / LIMB_BYTES] >> 8 * (i % LIMB_BYTES));
}

static bool is_zero(const number *x)
{
    limb any = 0;
    for (size_t i = 0; i < LIMBS; i++) any |= x->at[i];
    return any == 0;
}

static bool is_equal(const number *a, const number *b)
{
    limb other = 0;
    for (size_t i = 0; i < LIMBS; i++) other |= a->at[i] ^ b->at[i];
    return other == 0;
}

static bool is_below(const number *x, const number *bound)
{
    number ignored;
    return minus(&ignored, x, bound) != 0;
}

/* The field -------------------------------------------------------------------------------------------------------- */

/* A number x is stored as x * 2^256 mod p (Montgomery form). The product of two such numbers, divided by 2^256, has
 * that form again. To divide by 2^256, add the multiple of p that clears the lowest 256 bits, and shift. Because
 * p = -1 modulo 2^96, the lowest limb is itself the multiple of p that clears it, and because
 * p = 2^256 - 2^224 + 2^192 + 2^96 - 1, that multiple costs little to add. */

void crypto_p256_field_add(number *out, const number *a, const number *b) { reduce_once(out, plus(out, a, b)); }

void crypto_p256_field_subtract(number *out, const number *a, const number *b)
{
    const limb mask = (limb)0 - minus(out, a, b);
    number back;
    UNROLLED
    for (size_t i = 0; i < LIMBS; i++) back.at[i] = modulus.at[i] & mask;
    (void)plus(out, out, &back);
}

#if CEMV_P256_LIMB_BITS == 64
/* at + carry + a * b: the low limb into `at`, the high one is returned. */
static inline limb multiply_add(limb *at, limb a, limb b, limb carry)
{
    const wide sum = (wide)a * b + *at + carry;
    *at = (limb)sum;
    return (limb)(sum >> BITS);
}

/* Adds x and a carry to two limbs; returns the carry, which every compiler finds in the processor's flag. */
static inline limb add_pair(limb *at, wide x, limb carry)
{
    wide sum = (wide)at[1] << BITS | at[0];
    const bool first = compiler_add_overflow(sum, x, &sum), second = compiler_add_overflow(sum, carry, &sum);
    at[0] = (limb)sum;
    at[1] = (limb)(sum >> BITS);
    return first | second;
}

/* t / 2^256 mod p. The limbs of p are -1, 2^32 - 1, 0 and the last one. */
static crypto_always_inline void divide(number *out, limb t[2 * LIMBS])
{
    limb high = 0;
    UNROLLED
    for (size_t i = 0; i < LIMBS; i++) {
        const limb times = t[i];
        const wide top = (wide)times * modulus.at[3] + ((wide)high << BITS);
        high = add_pair(&t[i + 3], top, add_pair(&t[i + 1], (wide)times << 32, 0));
    }
    UNROLLED
    for (size_t i = 0; i < LIMBS; i++) out->at[i] = t[LIMBS + i];
    reduce_once(out, high);
}

/* a * b / 2^256 mod p */
crypto_noinline void crypto_p256_field_multiply(number *out, const number *a, const number *b)
{
    limb t[2 * LIMBS] = { 0 };
    UNROLLED
    for (size_t i = 0; i < LIMBS; i++) {
        limb carry = 0;
        UNROLLED
        for (size_t k = 0; k < LIMBS; k++) carry = multiply_add(&t[i + k], a->at[k], b->at[i], carry);
        t[i + LIMBS] = carry;
    }
    divide(out, t);
}

/* The product of two different limbs occurs twice: all of these are added up and doubled, then the squares follow. */
crypto_noinline static void field_square(number *out, const number *a)
{
    limb t[2 * LIMBS] = { 0 }, carry, before = 0;
    UNROLLED
    for (size_t i = 0; i < LIMBS - 1; i++) {
        carry = 0;
        UNROLLED
        for (size_t k = i + 1; k < LIMBS; k++) carry = multiply_add(&t[i + k], a->at[k], a->at[i], carry);
        t[i + LIMBS] = carry;
    }
    carry = 0;
    UNROLLED
    for (size_t i = 0; i < 2 * LIMBS; i += 2) {
        const wide doubled = ((wide)t[i + 1] << BITS | t[i]) << 1 | before;
        before = t[i + 1] >> (BITS - 1);
        t[i] = (limb)doubled;
        t[i + 1] = (limb)(doubled >> BITS);
        carry = add_pair(&t[i], (wide)a->at[i / 2] * a->at[i / 2], carry);
    }
    divide(out, t);
}
#else
/* Adds `x` to a limb; returns the carry, which may be negative. */
static inline int64_t add_at(limb *at, int64_t x)
{
    x += *at;
    *at = (limb)x;
    return x >> BITS;
}

/* a * b / 2^256 mod p */
crypto_noinline void crypto_p256_field_multiply(number *out, const number *a, const number *b)
{
    limb t[2 * LIMBS];
    int64_t high = 0;
    for (size_t i = 0; i < LIMBS; i++) t[i] = 0;
    for (size_t i = 0; i < LIMBS; i++) {
        limb carry = 0;
        UNROLL /* also in firmware: 130 bytes save an eighth of the time */
            for (size_t k = 0; k < LIMBS; k++)
        {
            const wide sum = (wide)a->at[k] * b->at[i] + t[i + k] + carry;
            t[i + k] = (limb)sum;
            carry = (limb)(sum >> BITS);
        }
        t[i + LIMBS] = carry;
    }
    for (size_t i = 0; i < LIMBS; i++) {
        const int64_t times = t[i];
        int64_t carry = add_at(&t[i + 3], times);
        carry = add_at(&t[i + 4], carry);
        carry = add_at(&t[i + 5], carry);
        carry = add_at(&t[i + 6], carry + times);
        carry = add_at(&t[i + 7], carry - times);
        high = add_at(&t[i + 8], carry + times + high);
    }
    for (size_t i = 0; i < LIMBS; i++) out->at[i] = t[LIMBS + i];
    reduce_once(out, (limb)high);
}

static void field_square(number *out, const number *a) { crypto_p256_field_multiply(out, a, a); }
#endif

static void square_times(number *out, const number *x, size_t count)
{
    field_square(out, x);
    while (--count != 0) field_square(out, out);
}

/* x^((p - 3) / 4), from which inverse and square root are a step away. In binary the exponent is runs of ones between
 * zeros, and powers with a run of 2^i ones come from each other. */
static void field_power(number *out, const number *x)
{
    enum { RUNS = 6 };
    static const struct {
        uint8_t squarings, run;
    } steps[] = { { 32, 0 }, { 128, 5 }, { 32, 5 }, { 16, 4 }, { 8, 3 }, { 4, 2 }, { 2, 1 } };
    number runs[RUNS];
    runs[0] = *x;
    for (size_t i = 1; i < RUNS; i++) {
        square_times(&runs[i], &runs[i - 1], (size_t)1 << (i - 1));
        crypto_p256_field_multiply(&runs[i], &runs[i], &runs[i - 1]);
    }
    *out = runs[RUNS - 1];
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        square_times(out, out, steps[i].squarings);
        crypto_p256_field_multiply(out, out, &runs[steps[i].run]);
    }
}

/* x^(p - 2) */
void crypto_p256_field_invert(number *out, const number *x)
{
    number power;
    field_power(&power, x);
    square_times(&power, &power, 2);
    crypto_p256_field_multiply(out, &power, x);
}

static void to_field(number *x) { crypto_p256_field_multiply(x, x, &square_of_radix); }
static void from_field(number *x)
{
    static const number plain_one = { { 1 } };
    crypto_p256_field_multiply(x, x, &plain_one);
}

/* x^3 - 3x + b */
static void right_side(number *out, const number *x)
{
    number cube, thrice;
    field_square(&cube, x);
    crypto_p256_field_multiply(&cube, &cube, x);
    crypto_p256_field_add(&thrice, x, x);
    crypto_p256_field_add(&thrice, &thrice, x);
    crypto_p256_field_subtract(out, &cube, &thrice);
    crypto_p256_field_add(out, out, &crypto_p256_b);
}

bool crypto_p256_load(point *out, const uint8_t bytes[2 * CEMV_P256_SIZE])
{
    number left, right;
    load(&out->x, bytes);
    load(&out->y, bytes + CEMV_P256_SIZE);
    if (!is_below(&out->x, &modulus) || !is_below(&out->y, &modulus)) return false;
    to_field(&out->x);
    to_field(&out->y);
    field_square(&left, &out->y);
    right_side(&right, &out->x);
    return is_equal(&left, &right);
}

void crypto_p256_store(uint8_t bytes[CEMV_P256_SIZE], const number *x)
{
    number value = *x;
    from_field(&value);
    store(bytes, &value);
}

/* Secret scalars --------------------------------------------------------------------------------------------------- */

static void wipe(number *x)
{
    for (size_t i = 0; i < LIMBS; i++) ((volatile limb *)x->at)[i] = 0;
}

/* Neither d - 2 nor (n - 2) - d goes below zero. */
bool crypto_p256_is_private(const uint8_t scalar[CEMV_P256_SIZE])
{
    static const number two = { { 2 } };
    number d, rest, last;
    load(&d, scalar);
    (void)minus(&last, &order, &two);
    const limb outside = minus(&rest, &d, &two) | minus(&rest, &last, &d);
    wipe(&d);
    wipe(&rest);
    return outside == 0;
}

/* 2^256 is below 2n: once is enough. */
bool crypto_p256_reduce(uint8_t out[CEMV_P256_SIZE], const uint8_t scalar[CEMV_P256_SIZE])
{
    number x, less;
    load(&x, scalar);
    const limb below = minus(&less, &x, &order);
    choose(&x, (limb)0 - below, &less, &x);
    store(out, &x);
    const bool any = !is_zero(&x);
    wipe(&x);
    wipe(&less);
    return any;
}

/* Points ----------------------------------------------------------------------------------------------------------- */

/* (x / z^2, y / z^3); z = 0 is the point at infinity. The formulas are those of Jacobian coordinates for a = -3. */
struct jacobian {
    point at;
    number z;
};

/* Doubles a point in place. Infinity stays infinity. */
static void twice(struct jacobian *sum)
{
    number *const x = &sum->at.x, *const y = &sum->at.y, *const z = &sum->z, slope, t;
    field_square(&t, z);
    crypto_p256_field_subtract(&slope, x, &t);
    crypto_p256_field_add(&t, x, &t);
    crypto_p256_field_multiply(&t, &slope, &t);
    crypto_p256_field_add(&slope, &t, &t);
    crypto_p256_field_add(&slope, &slope, &t); /* 3 (x - z^2) (x + z^2) */
    crypto_p256_field_add(&t, y, y);
    crypto_p256_field_multiply(z, &t, z);
    crypto_p256_field_multiply(y, &t, y); /* 2 y^2 */
    crypto_p256_field_multiply(&t, x, y);
    crypto_p256_field_add(&t, &t, &t); /* 4 x y^2 */
    field_square(y, y);
    crypto_p256_field_add(y, y, y); /* 8 y^4 */
    field_square(x, &slope);
    crypto_p256_field_subtract(x, x, &t);
    crypto_p256_field_subtract(x, x, &t);
    crypto_p256_field_subtract(&t, &t, x);
    crypto_p256_field_multiply(&t, &t, &slope);
    crypto_p256_field_subtract(y, &t, y);
}

/* sum += other, whose z is `z`, or 1 if that is NULL; `other` is not infinity. The sum may be, and both may be equal or
 * opposite. */
static void add(struct jacobian *sum, const point *other, const number *z)
{
    number *const x = &sum->at.x, *const y = &sum->at.y, width, height, t;
    if (is_zero(&sum->z)) {
        sum->at = *other;
        sum->z = z != NULL ? *z : crypto_p256_one;
        return;
    }
    /* Both x and both y over the same denominator. */
    field_square(&t, &sum->z);
    crypto_p256_field_multiply(&width, &other->x, &t);
    crypto_p256_field_multiply(&t, &t, &sum->z);
    crypto_p256_field_multiply(&height, &other->y, &t);
    if (z != NULL) {
        field_square(&t, z);
        crypto_p256_field_multiply(x, x, &t);
        crypto_p256_field_multiply(&t, &t, z);
        crypto_p256_field_multiply(y, y, &t);
        crypto_p256_field_multiply(&sum->z, &sum->z, z);
    }
    crypto_p256_field_subtract(&width, &width, x);
    crypto_p256_field_subtract(&height, &height, y);
    if (is_zero(&width) && is_zero(&height)) {
        twice(sum);
        return;
    }
    crypto_p256_field_multiply(&sum->z, &sum->z, &width); /* zero if the points are opposite */
    field_square(&t, &width);
    crypto_p256_field_multiply(x, x, &t);
    crypto_p256_field_multiply(&t, &t, &width);
    crypto_p256_field_multiply(y, y, &t);
    field_square(&width, &height);
    crypto_p256_field_subtract(&width, &width, &t);
    crypto_p256_field_subtract(&width, &width, x);
    crypto_p256_field_subtract(&width, &width, x);
    crypto_p256_field_subtract(&t, x, &width);
    crypto_p256_field_multiply(&t, &t, &height);
    crypto_p256_field_subtract(y, &t, y);
    *x = width;
}

/* Scalars ---------------------------------------------------------------------------------------------------------- */

/* A scalar as the sum of few odd digits times powers of two, found from the top. Each digit is a window of the
 * differences k[i-1] - k[i] of neighbouring bits, which add up to the scalar as well; a window begins where a
 * difference is not zero. A digit of a window of `width` bits is below 2^(width-1) in size. */
struct digits {
    const uint8_t *scalar;
    int width;
    int first; /* the highest bit at which the next window may begin */
    int at;    /* the bit of the last digit that was found */
    int digit;
};

/* 0 outside of the scalar. */
static int bit_of(const uint8_t scalar[CEMV_P256_SIZE], int bit)
{
    enum { SCALAR_BITS = 8 * CEMV_P256_SIZE };
    if (bit < 0 || bit >= SCALAR_BITS) return 0;
    return scalar[CEMV_P256_SIZE - 1 - bit / 8] >> bit % 8 & 1;
}

/* The digit at this bit, or 0. Bits are asked for in descending order, from 256. */
static int digit_at(struct digits *digits, int bit)
{
    const int top = bit_of(digits->scalar, bit);
    if (bit <= digits->first && top != bit_of(digits->scalar, bit - 1)) {
        int bits = 0;
        for (int i = 1; i <= digits->width; i++) bits = 2 * bits + bit_of(digits->scalar, bit - i);
        digits->digit = (bits + 1) / 2 - top * (1 << (digits->width - 1));
        digits->at = bit - digits->width + 1;
        digits->first = bit - digits->width;
        while (digits->digit % 2 == 0) {
            digits->digit /= 2;
            digits->at++;
        }
    }
    return bit == digits->at ? digits->digit : 0;
}

/* The index of an odd digit's multiple among the multiples 1, 3, 5, … */
static size_t index_of(int digit) { return (size_t)(digit < 0 ? -digit : digit) / 2; }

/* Adds the multiple of a point that an odd digit selects: its opposite if the digit is negative. No y is zero, because
 * the order of the group is odd. */
static void add_multiple(struct jacobian *sum, int digit, const point *multiple, const number *z)
{
    point term = *multiple;
    if (digit < 0) (void)minus(&term.y, &modulus, &term.y);
    add(sum, &term, z);
}

/* Public keys ------------------------------------------------------------------------------------------------------ */

/* In this book a key is only its x, and the smaller of its two y belongs to it. Squaring the root again shows whether
 * there is a y at all. */
bool cemv_p256_recover(uint8_t bytes[2 * CEMV_P256_SIZE], const uint8_t x[CEMV_P256_SIZE])
{
    number value, wanted, root, found;
    load(&value, x);
    if (!is_below(&value, &modulus)) return false;
    to_field(&value);
    right_side(&wanted, &value);
    field_power(&root, &wanted);
    crypto_p256_field_multiply(&root, &root, &wanted);
    field_square(&found, &root);
    if (!is_equal(&found, &wanted)) return false;
    from_field(&root);
    (void)minus(&found, &modulus, &root);
    crypto_move(bytes, x, CEMV_P256_SIZE);
    store(bytes + CEMV_P256_SIZE, is_below(&found, &root) ? &found : &root);
    return true;
}

bool cemv_p256_is_point(const uint8_t bytes[2 * CEMV_P256_SIZE])
{
    point ignored;
    return crypto_p256_load(&ignored, bytes);
}

/* The multiples 1, 3, 5, … of a key. */
static void make_multiples(struct jacobian multiples[KEY_POINTS], const point *key)
{
    struct jacobian doubled = { *key, crypto_p256_one };
    multiples[0] = doubled;
    twice(&doubled);
    for (size_t i = 1; i < KEY_POINTS; i++) {
        multiples[i] = multiples[i - 1];
        add(&multiples[i], &doubled.at, &doubled.z);
    }
}

/* r needs no reduction: a multiple of n adds infinity. */
bool cemv_p256_combine(uint8_t x[CEMV_P256_SIZE], const uint8_t s[CEMV_P256_SIZE], const uint8_t r[CEMV_P256_SIZE],
                       const uint8_t bytes[2 * CEMV_P256_SIZE])
{
    enum { FIRST = 8 * CEMV_P256_SIZE };
    struct jacobian multiples[KEY_POINTS], sum = { .z = { { 0 } } };
    point key;
    struct digits of_s = { s, CRYPTO_P256_BASE_WINDOW, FIRST, -1, 0 }, of_r = { r, KEY_WINDOW, FIRST, -1, 0 };
    number value;
    load(&value, s);
    if (is_zero(&value) || !is_below(&value, &order)) return false;
    load(&value, r);
    if (is_zero(&value) || is_equal(&value, &order) || !crypto_p256_load(&key, bytes)) return false;
    make_multiples(multiples, &key);
    for (int bit = FIRST; bit >= 0; bit--) {
        twice(&sum);
        const int of_base = digit_at(&of_s, bit), of_key = digit_at(&of_r, bit);
        const struct jacobian *const multiple = &multiples[index_of(of_key)];
        if (of_base != 0) add_multiple(&sum, of_base, &crypto_p256_base[index_of(of_base)], NULL);
        if (of_key != 0) add_multiple(&sum, -of_key, &multiple->at, &multiple->z);
    }
    if (is_zero(&sum.z)) return false;
    crypto_p256_field_invert(&value, &sum.z);
    field_square(&value, &value);
    crypto_p256_field_multiply(&value, &sum.at.x, &value);
    crypto_p256_store(x, &value);
    return true;
}
