/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of RSA: compared with long multiplication bit by bit, over random keys and over operands that force the
 * cases that 64-bit limbs meet once in 2^64 operations: carries out of the spare limbs, quotient digits that are too
 * large, a remainder as high as the modulus. properties_limbs.c checks the same code over limbs of 8 bits, where all of
 * these are frequent. */
#include <string.h>

#include "CEMVInternals.h"
#include "properties.h"

static bool at_least(const uint8_t *a, const uint8_t *b, size_t size) { return memcmp(a, b, size) >= 0; }

/* x = 2x + bit mod n; x is below n, and both have a spare byte. */
static void double_mod(uint8_t *x, const uint8_t *n, size_t size)
{
    unsigned carry = 0;
    for (size_t i = size; i-- > 0;) {
        carry += 2u * x[i];
        x[i] = (uint8_t)carry;
        carry >>= 8;
    }
    if (!at_least(x, n, size)) return;
    int borrow = 0;
    for (size_t i = size; i-- > 0;) {
        borrow += x[i] - n[i];
        x[i] = (uint8_t)borrow;
        borrow = borrow < 0 ? -1 : 0;
    }
}

static void add_mod(uint8_t *x, const uint8_t *y, const uint8_t *n, size_t size)
{
    unsigned carry = 0;
    for (size_t i = size; i-- > 0;) {
        carry += (unsigned)x[i] + y[i];
        x[i] = (uint8_t)carry;
        carry >>= 8;
    }
    if (!at_least(x, n, size)) return;
    int borrow = 0;
    for (size_t i = size; i-- > 0;) {
        borrow += x[i] - n[i];
        x[i] = (uint8_t)borrow;
        borrow = borrow < 0 ? -1 : 0;
    }
}

static void multiply_mod(uint8_t *out, const uint8_t *x, const uint8_t *y, const uint8_t *n, size_t size)
{
    uint8_t sum[CEMV_RSA_MAX_SIZE + 1] = { 0 };
    for (size_t i = 0; i < size * 8; i++) {
        double_mod(sum, n, size);
        if (x[i / 8] >> (7 - i % 8) & 1) add_mod(sum, y, n, size);
    }
    memcpy(out, sum, size);
}

static void compare_rsa(cemv_bytes n, cemv_bytes in, uint32_t exponent, unsigned round)
{
    uint8_t modulus[CEMV_RSA_MAX_SIZE + 1] = { 0 }, base[CEMV_RSA_MAX_SIZE + 1] = { 0 }, power[CEMV_RSA_MAX_SIZE + 1],
                                        out[CEMV_RSA_MAX_SIZE];
    memcpy(modulus + 1, n.data, n.size);
    memcpy(base + 1, in.data, in.size);
    memset(out, 0xEE, sizeof out);
    const bool below = memcmp(base, modulus, n.size + 1) < 0;
    property(cemv_rsa_public(out, in, n, exponent) == below, "input below the modulus", round);
    if (!below) return;
    memcpy(power, base, n.size + 1);
    for (unsigned i = 0; i < (exponent == 3 ? 1u : 16u); i++) multiply_mod(power, power, power, modulus, n.size + 1);
    multiply_mod(power, power, base, modulus, n.size + 1);
    property(memcmp(out, power + 1, n.size) == 0, "RSA by long multiplication", round);
}

static void properties_of_drawn_keys(void)
{
    uint8_t n[CEMV_RSA_MAX_SIZE], in[CEMV_RSA_MAX_SIZE], out[CEMV_RSA_MAX_SIZE];
    for (unsigned round = 0; round < 160; round++) {
        const size_t size = round < 120 ? 1 + any(40) : 100 + any(157);
        for (size_t i = 0; i < size; i++) {
            n[i] = (uint8_t)(any(4) ? any(256) : 255 * any(2));
            in[i] = (uint8_t)(any(4) ? any(256) : 255 * any(2));
        }
        if (n[0] == 0) n[0] = (uint8_t)(1 + any(255));
        n[size - 1] |= 1;
        in[0] %= n[0] > 1 && any(8) ? n[0] : 255;
        compare_rsa((cemv_bytes){ n, size }, (cemv_bytes){ n, size }, 3, round);
        memcpy(out, n, size);
        out[size - 1]--;
        compare_rsa((cemv_bytes){ n, size }, (cemv_bytes){ out, size }, 3, round);
        compare_rsa((cemv_bytes){ n, size }, (cemv_bytes){ in, size }, round % 8 || size > 60 ? 3 : 65537, round);
    }
    for (size_t i = 0; i < sizeof n; i++) {
        n[i] = 0xFF;
        in[i] = 0x7F;
    }
    property(!cemv_rsa_public(out, (cemv_bytes){ in, 255 }, (cemv_bytes){ n, 256 }, 3), "input of another length", 0);
    property(!cemv_rsa_public(out, (cemv_bytes){ in, 256 }, (cemv_bytes){ n, 256 }, 5), "exponent 5", 0);
    property(!cemv_rsa_public(out, (cemv_bytes){ in, 0 }, (cemv_bytes){ n, 0 }, 3), "no modulus", 0);
    n[255] = 0xFE;
    property(!cemv_rsa_public(out, (cemv_bytes){ in, 256 }, (cemv_bytes){ n, 256 }, 3), "an even modulus", 0);
    n[255] = 0xFF;
    n[0] = 0;
    property(!cemv_rsa_public(out, (cemv_bytes){ in, 256 }, (cemv_bytes){ n, 256 }, 3), "a zero top byte", 0);
}

/* ---- operands at the edges: here numbers are big-endian, with limbs of eight bytes ---- */

enum { LIMB = 8, MOST = 16 * LIMB };

static void put_limb(uint8_t *at, uint64_t limb)
{
    for (size_t i = 0; i < LIMB; i++) at[i] = (uint8_t)(limb >> (56 - 8 * i));
}

static uint64_t any_limb(void) { return (uint64_t)any(1u << 31) << 33 ^ (uint64_t)any(1u << 31) << 10 ^ any(1u << 31); }

/* out = a * b; `out` has the sizes of both together. */
static void multiply(uint8_t *out, const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
    memset(out, 0, a_size + b_size);
    for (size_t i = a_size; i-- > 0;) {
        unsigned carry = 0;
        for (size_t j = b_size; j-- > 0;) {
            carry += a[i] * b[j] + out[i + j + 1];
            out[i + j + 1] = (uint8_t)carry;
            carry >>= 8;
        }
        out[i] = (uint8_t)carry;
    }
}

/* The largest x of `size` bytes whose square or cube is not above `limit`, which has two or three times as many bytes.
 */
static void root(uint8_t *x, size_t size, unsigned power, const uint8_t *limit)
{
    uint8_t square[2 * MOST], cube[3 * MOST];
    memset(x, 0, size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        x[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
        multiply(square, x, size, x, size);
        if (power == 3) multiply(cube, square, 2 * size, x, size);
        if (memcmp(power == 3 ? cube : square, limit, power * size) > 0) x[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
    }
}

/* The largest q of `size` bytes with q * d not above `limit`, which has the sizes of both together. */
static void quotient(uint8_t *q, size_t size, const uint8_t *d, size_t d_size, const uint8_t *limit)
{
    uint8_t product[2 * MOST];
    memset(q, 0, size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        q[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
        multiply(product, q, size, d, d_size);
        if (memcmp(product, limit, size + d_size) > 0) q[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
    }
}

/* A modulus of `limbs` with a given top limb: the others are zeros, ones, or random. */
static void make_modulus(uint8_t *n, size_t limbs, uint64_t top, unsigned kind)
{
    put_limb(n, top);
    for (size_t i = 1; i < limbs; i++) put_limb(n + LIMB * i, kind == 0 ? 0 : kind == 1 ? ~(uint64_t)0 : any_limb());
    n[LIMB * limbs - 1] |= 1;
}

/* B^(limbs + 3) mod n: the number that is added for each reduced limb. */
static void fold_of(uint8_t *d, const uint8_t *n, size_t limbs)
{
    uint8_t modulus[MOST + 1] = { 0 }, power[MOST + 1] = { 0 };
    memcpy(modulus + 1, n, LIMB * limbs);
    power[LIMB * limbs] = 1;
    for (size_t i = 0; i < 64 * (limbs + 3); i++) double_mod(power, modulus, LIMB * limbs + 1);
    memcpy(d, power + 1, LIMB * limbs);
}

/* Squares with limbs of all ones below those that are reduced first, so that the addition carries out of the spare
 * limbs. The reduced digits are chosen by the number that they add to the limbs above, `added`: ones there pass the
 * next carry on. */
static bool overflow(size_t limbs, unsigned kind, uint64_t added, unsigned round)
{
    const size_t digits = limbs % 2 ? 2 : 1; /* odd: one of the excess limbs is reduced alone */
    uint8_t n[MOST], d[MOST], limit[2 * MOST], square[2 * MOST], x[MOST];
    make_modulus(n, limbs, ~(any_limb() >> 2), 2);
    fold_of(d, n, limbs);
    memset(limit, 0xFF, sizeof limit);
    if (digits == 2) {
        memcpy(limit, d, LIMB);
        limit[0] >>= 2;
    }
    put_limb(limit + LIMB * (digits - 1), kind == 0 ? added : (uint64_t)d[0] << 54);
    memset(square, 0xFF, sizeof square);
    quotient(square, LIMB * digits, d, LIMB * limbs, limit);
    root(x, LIMB * limbs, 2, square);
    if (memcmp(x, n, LIMB * limbs) >= 0) return false;
    compare_rsa((cemv_bytes){ n, LIMB * limbs }, (cemv_bytes){ x, LIMB * limbs }, 3, round);
    return true;
}

static void properties_of_overflow(void)
{
    static const uint64_t added[] = { 0, 1, ~(uint64_t)0, ~(uint64_t)0 - 1 };
    unsigned compared = 0;
    for (unsigned round = 0; round < 24; round++)
        compared += overflow(5 + round % 3, round / 4 % 2, added[round % 4], round);
    property(compared >= 20, "operands below their modulus", compared);
}

/* A cube close to `cube`, of three times `limbs`, modulo n with `more` limbs less: no product is reduced, so the
 * division gets it unchanged. */
static void divides(const uint8_t *n, size_t limbs, const uint8_t *cube, unsigned more, unsigned round)
{
    uint8_t x[MOST] = { 0 };
    const size_t size = 3 * limbs - more;
    size_t zeros = 0;
    while (n[zeros] == 0) zeros++;
    root(x + LIMB * (size - limbs), LIMB * limbs, 3, cube);
    compare_rsa((cemv_bytes){ n + zeros, LIMB * size - zeros }, (cemv_bytes){ x + zeros, LIMB * size - zeros }, 3,
                round);
}

/* Numbers a little below n * B^more: quotient digits of all ones, and estimates that are too large. */
static void properties_of_digits(void)
{
    const uint64_t half = (uint64_t)1 << 63,
                   tops[] = { half, half + 1, ~(uint64_t)0, ~(uint64_t)0 - 1, half | any_limb(), half >> 1, 1, 3 };
    for (unsigned round = 0; round < 8 * 3 * 3 * 3; round++) {
        const unsigned more = 1 + round / 8 % 3, lower = round / 24 % 3;
        uint8_t n[MOST], cube[MOST];
        make_modulus(n, 6 - more, tops[round % 8], round / 72);
        memset(cube, 0xFF, sizeof cube);
        memcpy(cube, n, LIMB * (6 - more));
        size_t at = LIMB * (lower + 1) - 1;
        while (cube[at] == 0 && at > 0) cube[at--] = 0xFF;
        cube[at]--;
        memset(cube + LIMB * (lower + 1), any(4) ? 0xFF : 0x80, LIMB);
        divides(n, 2, cube, more, round);
    }
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

/* Dividends that are a digit times the top limb, with a first estimate of the digit that is one too small: the second
 * correction. */
static void properties_of_corrections(void)
{
    for (unsigned round = 0, found = 0; found < 12; round++) {
        const uint64_t top = (uint64_t)0x11 << 59 | any_limb() >> 5, inverse = (uint64_t)(~(wide)0 / top);
        const wide dividend = (wide)(any_limb() % top) * top + found % 3;
        const wide whole = (wide)inverse * (uint64_t)(dividend >> 64) + dividend;
        const uint64_t rest = (uint64_t)dividend - ((uint64_t)(whole >> 64) + 1) * top;
        property(round < 4000, "such dividends are not rare", found);
        if (round >= 4000) return;
        if (rest > (uint64_t)whole || rest < top) continue;
        uint8_t n[MOST], cube[MOST];
        make_modulus(n, 5, top, 0);
        memset(cube, 0xFF, sizeof cube);
        put_limb(cube, (uint64_t)(dividend >> 64));
        put_limb(cube + LIMB, (uint64_t)dividend);
        divides(n, 2, cube, 1, found++);
    }
}

/* Top limbs whose inverse, by schoolbook division in half limbs, leads to a half digit above all ones; and those that
 * divide B^2 - 1. */
static void properties_of_inverses(void)
{
    static const uint64_t exact[] = { ~(uint64_t)0,       0xCCCCCCCCCCCCCCCD, 0xAAAAAAAAAAAAAAAB, 0xFFFFFFFF00000000,
                                      0xFFFFFFFF00000001, 0x80000000FFFFFFFF, 0x8000000080000000, (uint64_t)1 << 63 };
    uint8_t n[5 * LIMB], x[5 * LIMB];
    for (unsigned round = 0; round < 48; round++) {
        const uint64_t half = ((uint64_t)1 << 32) + any(1u << 31) * 2;
        const uint64_t top = round < 8 ? exact[round] : (uint64_t)((((wide)1 << 96) + half - 1) / half);
        make_modulus(n, 5, top, round % 3);
        memset(x, round % 5 ? 0xFF : 0x55, sizeof x);
        for (size_t i = round % 4; i < 5; i++) put_limb(x + LIMB * i, any_limb());
        if (memcmp(x, n, sizeof x) >= 0) x[0] &= 0x7F;
        compare_rsa((cemv_bytes){ n, sizeof n }, (cemv_bytes){ x, sizeof x }, 3, round);
    }
}
#else
static void properties_of_corrections(void) {}
static void properties_of_inverses(void) {}
#endif

/* Keys that were never prepared, or unsuccessfully. */
static void properties_of_unprepared_keys(void)
{
    static uint8_t n[CEMV_RSA_MAX_SIZE + 1];
    struct cemv_rsa_key key;
    uint8_t out[CEMV_RSA_MAX_SIZE];
    memset(n, 0xFF, sizeof n);
    property(!cemv_rsa_prepare(&key, (cemv_bytes){ n, sizeof n }, 3), "a modulus too long", 257);
    property(!cemv_rsa_public_prepared(out, (cemv_bytes){ n, 0 }, &key), "no key, no operation", 0);
    memset(&key, 0xFF, sizeof key);
    property(!cemv_rsa_public_prepared(out, (cemv_bytes){ n, 256 }, &key), "memory is no key", 0);
    property(cemv_rsa_prepare(&key, (cemv_bytes){ n, 256 }, 3), "the longest", 256);
    memset(out, 0xFF, sizeof out);
    out[255] = 0xFE;
    property(cemv_rsa_public_prepared(out, (cemv_bytes){ out, 256 }, &key) && memcmp(out, n, 255) == 0 &&
                 out[255] == 0xFE,
             "the cube of -1 is -1, in place", 0);
}

void properties_of_rsa(void)
{
    any_from(0x5EED);
    PART(properties_of_drawn_keys);
    PART(properties_of_unprepared_keys);
}

void properties_of_edges(void)
{
    any_from(0xED6E);
    PART(properties_of_overflow);
    PART(properties_of_digits);
    PART(properties_of_corrections);
    PART(properties_of_inverses);
}
