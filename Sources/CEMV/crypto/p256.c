/* SPDX-License-Identifier: Apache-2.0 */
/* P-256: field arithmetic in Montgomery form, addition of points by complete formulas (Renes, Costello, Batina 2015,
 * algorithm 4), and the operations on public keys that Book C-8, 8.2 and 8.4 need. Those may take a time that depends
 * on their input; everything they see is public. Knows no certificate and no kernel. */
#include "p256.h"

typedef crypto_p256_limb limb;
typedef struct crypto_p256_number number;
#if CEMV_P256_LIMB_BITS == 64
typedef compiler_uint128 wide;
#define W(high, low) (limb)(high) << 32 | (limb)(low)
#else
typedef uint64_t wide;
#define W(high, low) (low), (high)
#endif

enum { LIMBS = CRYPTO_P256_LIMBS, BITS = CEMV_P256_LIMB_BITS, LIMB_BYTES = BITS / 8 };

static const number modulus = { { W(0xFFFFFFFF, 0xFFFFFFFF), W(0x00000000, 0xFFFFFFFF), W(0x00000000, 0x00000000),
                                  W(0xFFFFFFFF, 0x00000001) } };
static const number order = { { W(0xF3B9CAC2, 0xFC632551), W(0xBCE6FAAD, 0xA7179E84), W(0xFFFFFFFF, 0xFFFFFFFF),
                                W(0xFFFFFFFF, 0x00000000) } };
/* 2^512 mod p: into Montgomery form. */
static const number square = { { W(0x00000000, 0x00000003), W(0xFFFFFFFB, 0xFFFFFFFF), W(0xFFFFFFFF, 0xFFFFFFFE),
                                 W(0x00000004, 0xFFFFFFFD) } };
static const number coefficient_b = { { W(0xD89CDF62, 0x29C4BDDF), W(0xACF005CD, 0x78843090), W(0xE5A220AB, 0xF7212ED6),
                                        W(0xDC30061D, 0x04874834) } };
#define ONE                                                                                                            \
    {                                                                                                                  \
        {                                                                                                              \
            W(0x00000000, 0x00000001), W(0xFFFFFFFF, 0x00000000), W(0xFFFFFFFF, 0xFFFFFFFF), W(0x00000000, 0xFFFFFFFE) \
        }                                                                                                              \
    }
const struct crypto_p256_point crypto_p256_base = {
    { { W(0x79E730D4, 0x18A9143C), W(0x75BA95FC, 0x5FEDB601), W(0x79FB732B, 0x77622510), W(0x18905F76, 0xA53755C6) } },
    { { W(0xDDF25357, 0xCE95560A), W(0x8B4AB8E4, 0xBA19E45C), W(0xD2E88688, 0xDD21F325), W(0x8571FF18, 0x25885D85) } },
    ONE
};
static const number one = ONE;
/* p - 2 for the inverse, (p + 1) / 4 for a square root. */
static const number exponent_inverse = { { W(0xFFFFFFFF, 0xFFFFFFFD), W(0x00000000, 0xFFFFFFFF),
                                           W(0x00000000, 0x00000000), W(0xFFFFFFFF, 0x00000001) } };
static const number exponent_root = { { W(0x00000000, 0x00000000), W(0x00000000, 0x40000000), W(0x40000000, 0x00000000),
                                        W(0x3FFFFFFF, 0xC0000000) } };

/* Numbers ---------------------------------------------------------------------------------------------------------- */

/* What secrets pass through has no branch and no index that depends on a value: numbers are compared by subtraction,
 * and of two results the one that is wanted is chosen by a mask. */

/* a + b; the carry out. */
static limb plus(number *out, const number *a, const number *b)
{
    wide sum = 0;
    for (size_t i = 0; i < LIMBS; i++) {
        sum += (wide)a->at[i] + b->at[i];
        out->at[i] = (limb)sum;
        sum >>= BITS;
    }
    return (limb)sum;
}

/* a - b; 1 if that is below zero. */
static limb minus(number *out, const number *a, const number *b)
{
    limb borrow = 0;
    for (size_t i = 0; i < LIMBS; i++) {
        const wide difference = (wide)a->at[i] - b->at[i] - borrow;
        out->at[i] = (limb)difference;
        borrow = (limb)(difference >> BITS) & 1;
    }
    return borrow;
}

/* `b` where `mask` is all ones, `a` where it is zero. */
static void choose(number *out, limb mask, const number *a, const number *b)
{
    for (size_t i = 0; i < LIMBS; i++) out->at[i] = a->at[i] ^ (mask & (a->at[i] ^ b->at[i]));
}

/* A value below 2p, `high` its limb above, to one below p. */
static void reduce(number *x, limb high)
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

static bool is_below(const number *x, const number *bound)
{
    number ignored;
    return minus(&ignored, x, bound) != 0;
}

/* The field -------------------------------------------------------------------------------------------------------- */

/* A number x is kept as x * 2^256 mod p (Montgomery form). A product of two such numbers, divided by 2^256, has the
 * form again, and to divide by a power of two is to add a multiple of p that makes it come out even, and to shift: no
 * quotient is needed. */

static void field_add(number *out, const number *a, const number *b) { reduce(out, plus(out, a, b)); }

static void field_subtract(number *out, const number *a, const number *b)
{
    number more;
    const limb borrow = minus(out, a, b);
    (void)plus(&more, out, &modulus);
    choose(out, (limb)0 - borrow, out, &more);
}

/* a * b / 2^256 mod p. Because p = -1 modulo a limb, the lowest limb is itself the multiple of p that clears it. */
static void field_multiply(number *out, const number *a, const number *b)
{
    limb t[LIMBS + 2] = { 0 };
    for (size_t i = 0; i < LIMBS; i++) {
        limb carry = 0;
        for (size_t k = 0; k < LIMBS; k++) {
            const wide sum = (wide)a->at[k] * b->at[i] + t[k] + carry;
            t[k] = (limb)sum;
            carry = (limb)(sum >> BITS);
        }
        wide top = (wide)t[LIMBS] + carry;
        t[LIMBS] = (limb)top;
        t[LIMBS + 1] = (limb)(top >> BITS);

        const limb times = t[0];
        carry = (limb)(((wide)times * modulus.at[0] + t[0]) >> BITS);
        for (size_t k = 1; k < LIMBS; k++) {
            const wide sum = (wide)times * modulus.at[k] + t[k] + carry;
            t[k - 1] = (limb)sum;
            carry = (limb)(sum >> BITS);
        }
        top = (wide)t[LIMBS] + carry;
        t[LIMBS - 1] = (limb)top;
        t[LIMBS] = t[LIMBS + 1] + (limb)(top >> BITS);
    }
    for (size_t i = 0; i < LIMBS; i++) out->at[i] = t[i];
    reduce(out, t[LIMBS]);
}

/* By an exponent that everybody knows. */
static void field_power(number *out, const number *x, const number *exponent)
{
    number result = one;
    for (size_t bit = 256; bit-- > 0;) {
        field_multiply(&result, &result, &result);
        if ((exponent->at[bit / BITS] >> bit % BITS & 1) != 0) field_multiply(&result, &result, x);
    }
    *out = result;
}

static void to_field(number *x) { field_multiply(x, x, &square); }
static void from_field(number *x)
{
    static const number plain_one = { { 1 } };
    field_multiply(x, x, &plain_one);
}

/* x^3 - 3x + b */
static void right_side(number *out, const number *x)
{
    number cube, thrice;
    field_multiply(&cube, x, x);
    field_multiply(&cube, &cube, x);
    field_add(&thrice, x, x);
    field_add(&thrice, &thrice, x);
    field_subtract(out, &cube, &thrice);
    field_add(out, out, &coefficient_b);
}

static bool is_equal(const number *a, const number *b)
{
    limb other = 0;
    for (size_t i = 0; i < LIMBS; i++) other |= a->at[i] ^ b->at[i];
    return other == 0;
}

/* Points ----------------------------------------------------------------------------------------------------------- */

struct crypto_p256_point crypto_p256_infinity(void) { return (struct crypto_p256_point){ .y = one }; }

/* Products of three pairs, then sums of them: the names are those of the paper's registers. The formulas hold for any
 * two points of the curve, equal ones and the point at infinity among them. So doubling needs no function of its own,
 * and no case has to be told apart, which would take another time. */
void crypto_p256_add(struct crypto_p256_point *out, const struct crypto_p256_point *a,
                     const struct crypto_p256_point *b)
{
    number t0, t1, t2, t3, t4, x, y, z;
    field_multiply(&t0, &a->x, &b->x);
    field_multiply(&t1, &a->y, &b->y);
    field_multiply(&t2, &a->z, &b->z);
    field_add(&t3, &a->x, &a->y);
    field_add(&t4, &b->x, &b->y);
    field_multiply(&t3, &t3, &t4);
    field_add(&t4, &t0, &t1);
    field_subtract(&t3, &t3, &t4);
    field_add(&t4, &a->y, &a->z);
    field_add(&x, &b->y, &b->z);
    field_multiply(&t4, &t4, &x);
    field_add(&x, &t1, &t2);
    field_subtract(&t4, &t4, &x);
    field_add(&x, &a->x, &a->z);
    field_add(&y, &b->x, &b->z);
    field_multiply(&x, &x, &y);
    field_add(&y, &t0, &t2);
    field_subtract(&y, &x, &y);
    field_multiply(&z, &coefficient_b, &t2);
    field_subtract(&x, &y, &z);
    field_add(&z, &x, &x);
    field_add(&x, &x, &z);
    field_subtract(&z, &t1, &x);
    field_add(&x, &t1, &x);
    field_multiply(&y, &coefficient_b, &y);
    field_add(&t1, &t2, &t2);
    field_add(&t2, &t1, &t2);
    field_subtract(&y, &y, &t2);
    field_subtract(&y, &y, &t0);
    field_add(&t1, &y, &y);
    field_add(&y, &t1, &y);
    field_add(&t1, &t0, &t0);
    field_add(&t0, &t1, &t0);
    field_subtract(&t0, &t0, &t2);
    field_multiply(&t1, &t4, &y);
    field_multiply(&t2, &t0, &y);
    field_multiply(&y, &x, &z);
    field_add(&out->y, &y, &t2);
    field_multiply(&x, &t3, &x);
    field_subtract(&out->x, &x, &t1);
    field_multiply(&z, &t4, &z);
    field_multiply(&t1, &t3, &t0);
    field_add(&out->z, &z, &t1);
}

/* The point must lie on the curve: with a point of a weaker curve, a multiple of it would tell bits of the scalar. */
bool crypto_p256_load(struct crypto_p256_point *point, const uint8_t bytes[2 * CEMV_P256_SIZE])
{
    number left, right;
    load(&point->x, bytes);
    load(&point->y, bytes + CEMV_P256_SIZE);
    if (!is_below(&point->x, &modulus) || !is_below(&point->y, &modulus)) return false;
    to_field(&point->x);
    to_field(&point->y);
    point->z = one;
    field_multiply(&left, &point->y, &point->y);
    right_side(&right, &point->x);
    return is_equal(&left, &right);
}

/* The inverse of zero is zero here. */
bool crypto_p256_store(uint8_t x[CEMV_P256_SIZE], uint8_t *y, const struct crypto_p256_point *point)
{
    number inverse, value;
    field_power(&inverse, &point->z, &exponent_inverse);
    field_multiply(&value, &point->x, &inverse);
    from_field(&value);
    store(x, &value);
    if (y != NULL) {
        field_multiply(&value, &point->y, &inverse);
        from_field(&value);
        store(y, &value);
    }
    return !is_zero(&point->z);
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

/* Public keys ------------------------------------------------------------------------------------------------------ */

/* A key of this book is its x alone, and the smaller of the two y belongs to it. An x to which no y belongs is found
 * out by squaring the root again. */
bool cemv_p256_recover(uint8_t point[2 * CEMV_P256_SIZE], const uint8_t x[CEMV_P256_SIZE])
{
    number value, wanted, root, found;
    load(&value, x);
    if (!is_below(&value, &modulus)) return false;
    to_field(&value);
    right_side(&wanted, &value);
    field_power(&root, &wanted, &exponent_root);
    field_multiply(&found, &root, &root);
    if (!is_equal(&found, &wanted)) return false;
    from_field(&root);
    (void)minus(&found, &modulus, &root);
    crypto_move(point, x, CEMV_P256_SIZE);
    store(point + CEMV_P256_SIZE, is_below(&found, &root) ? &found : &root);
    return true;
}

bool cemv_p256_is_point(const uint8_t point[2 * CEMV_P256_SIZE])
{
    struct crypto_p256_point ignored;
    return crypto_p256_load(&ignored, point);
}

static bool bit_of(const number *x, size_t bit) { return (x->at[bit / BITS] >> bit % BITS & 1) != 0; }

/* Both scalars at once, from the top: G where only `s` has a bit, -P where only `r` has it, G - P where both have. */
bool cemv_p256_combine(uint8_t x[CEMV_P256_SIZE], const uint8_t s[CEMV_P256_SIZE], const uint8_t r[CEMV_P256_SIZE],
                       const uint8_t point[2 * CEMV_P256_SIZE])
{
    static const number zero = { { 0 } };
    struct crypto_p256_point sum = crypto_p256_infinity(), less, both;
    number left, right;
    load(&left, s);
    load(&right, r);
    if (is_zero(&left) || !is_below(&left, &order)) return false;
    if (!is_below(&right, &order)) (void)minus(&right, &right, &order);
    if (is_zero(&right) || !crypto_p256_load(&less, point)) return false;
    field_subtract(&less.y, &zero, &less.y);
    crypto_p256_add(&both, &crypto_p256_base, &less);
    for (size_t bit = 256; bit-- > 0;) {
        const bool in_left = bit_of(&left, bit), in_right = bit_of(&right, bit);
        crypto_p256_add(&sum, &sum, &sum);
        if (in_left && in_right) crypto_p256_add(&sum, &sum, &both);
        else if (in_left) crypto_p256_add(&sum, &sum, &crypto_p256_base);
        else if (in_right) crypto_p256_add(&sum, &sum, &less);
    }
    return crypto_p256_store(x, NULL, &sum);
}
