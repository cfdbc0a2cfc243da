/* SPDX-License-Identifier: Apache-2.0 */
/* Compares RSA, the hashes and P-256 with OpenSSL and GMP: random input, edges, and every modulus size. */
#include <gmp.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../Sources/CEMV/crypto/p256.h"
#include "cemv.h"

static uint64_t state;
static unsigned long long compared, different;

static uint32_t any(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

/* Random bytes with runs of zeros and ones, which produce carries. */
static void fill(uint8_t *out, size_t size)
{
    for (size_t i = 0; i < size;) {
        const unsigned kind = any(6);
        size_t run = kind < 4 ? 1 : 1 + any(24);
        for (; run && i < size; run--) out[i++] = kind == 4 ? 0 : kind == 5 ? 0xFF : (uint8_t)any(256);
    }
}

static void expect(bool same, const char *what, size_t size)
{
    compared++;
    if (!same && different++ < 10) printf("different: %s, %zu bytes\n", what, size);
}

static void compare_rsa(size_t size, BN_CTX *context)
{
    uint8_t n[256], in[256], ours[256], prepared[256], theirs[256] = { 0 };
    const uint32_t exponent = any(4) ? 3 : 65537;
    fill(n, size), fill(in, size);
    switch (any(8)) {
    case 0: n[0] = 1; break;
    case 1: n[0] = 0x80; break;
    case 2: memset(n, 0xFF, size); break;
    default:
        if (!n[0]) n[0] = (uint8_t)(1 + any(255));
    }
    n[size - 1] |= 1;
    if (any(16) == 0) memcpy(in, n, size), in[size - 1]--; /* the largest input */
    if (any(32) == 0) memset(in, 0, size), in[size - 1] = (uint8_t)any(3);
    if (memcmp(in, n, size) >= 0) in[0] = n[0] > 1 ? (uint8_t)(in[0] % n[0]) : 0;
    const bool below = memcmp(in, n, size) < 0;
    struct cemv_rsa_key key;
    const bool done = cemv_rsa_public(ours, (cemv_bytes){ in, size }, (cemv_bytes){ n, size }, exponent);
    expect(done == below, "input below the modulus", size);
    if (!below) return;
    expect(cemv_rsa_prepare(&key, (cemv_bytes){ n, size }, exponent) &&
               cemv_rsa_public_prepared(prepared, (cemv_bytes){ in, size }, &key) && memcmp(ours, prepared, size) == 0,
           "prepared key", size);
    mpz_t modulus, base, power;
    mpz_inits(modulus, base, power, NULL);
    mpz_import(modulus, size, 1, 1, 1, 0, n);
    mpz_import(base, size, 1, 1, 1, 0, in);
    mpz_powm_ui(power, base, exponent, modulus);
    memset(theirs, 0, sizeof theirs);
    size_t count = (mpz_sizeinbase(power, 2) + 7) / 8;
    mpz_export(theirs + size - count, &count, 1, 1, 1, 0, power);
    expect(memcmp(ours, theirs, size) == 0, "RSA against GMP", size);
    mpz_clears(modulus, base, power, NULL);
    BIGNUM *m = BN_bin2bn(n, (int)size, NULL), *b = BN_bin2bn(in, (int)size, NULL), *e = BN_new(), *p = BN_new();
    BN_set_word(e, exponent);
    BN_mod_exp(p, b, e, m, context);
    BN_bn2binpad(p, theirs, (int)size);
    expect(memcmp(ours, theirs, size) == 0, "RSA against OpenSSL", size);
    BN_free(m), BN_free(b), BN_free(e), BN_free(p);
}

static void compare_hashes(void)
{
    static uint8_t bytes[5000];
    uint8_t ours[32], theirs[32];
    unsigned count = 0;
    const size_t size = any(8) ? any(300) : any(sizeof bytes);
    fill(bytes, size);
    cemv_bytes pieces[8];
    size_t used = 0, at = 0;
    while (used < 7 && at < size) {
        const size_t piece = any((uint32_t)(size - at) + 1);
        pieces[used++] = (cemv_bytes){ bytes + at, piece };
        at += piece;
    }
    pieces[used++] = (cemv_bytes){ bytes + at, size - at };
    const struct cemv_crypto *const ports[2] = { &cemv_crypto_builtin, cemv_crypto_fastest() };
    for (size_t i = 0; i < 2; i++) {
        ports[i]->sha1(ours, pieces, used);
        EVP_Digest(bytes, size, theirs, &count, EVP_sha1(), NULL);
        expect(count == 20 && memcmp(ours, theirs, 20) == 0, "SHA-1 against OpenSSL", size);
        ports[i]->sha256(ours, pieces, used);
        EVP_Digest(bytes, size, theirs, &count, EVP_sha256(), NULL);
        expect(count == 32 && memcmp(ours, theirs, 32) == 0, "SHA-256 against OpenSSL", size);
    }
}

/* ---- P-256 ---- */

enum { SIZE = CEMV_P256_SIZE };
static struct {
    EC_GROUP *group;
    EC_POINT *point, *result;
    BIGNUM *n, *p, *s, *r, *x, *y;
    BN_CTX *context;
} curve;

static void open_curve(BN_CTX *context)
{
    curve.group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    curve.point = EC_POINT_new(curve.group), curve.result = EC_POINT_new(curve.group);
    curve.n = BN_new(), curve.p = BN_new(), curve.s = BN_new(), curve.r = BN_new();
    curve.x = BN_new(), curve.y = BN_new(), curve.context = context;
    EC_GROUP_get_order(curve.group, curve.n, context);
    EC_GROUP_get_curve(curve.group, curve.p, NULL, NULL, context);
}

static void close_curve(void)
{
    BN_free(curve.n), BN_free(curve.p), BN_free(curve.s), BN_free(curve.r), BN_free(curve.x), BN_free(curve.y);
    EC_POINT_free(curve.point), EC_POINT_free(curve.result), EC_GROUP_free(curve.group);
}

/* x and y of OpenSSL's point; false at infinity. */
static bool their_bytes(uint8_t bytes[2 * SIZE], const EC_POINT *point)
{
    if (!EC_POINT_get_affine_coordinates(curve.group, point, curve.x, curve.y, curve.context)) return false;
    return BN_bn2binpad(curve.x, bytes, SIZE) == SIZE && BN_bn2binpad(curve.y, bytes + SIZE, SIZE) == SIZE;
}

/* A scalar as it occurs, one near 0 or near a multiple of the order, or a power of two and its neighbours. */
static void fill_scalar(uint8_t scalar[SIZE])
{
    const unsigned kind = any(8), near = any(9);
    if (kind < 4) return fill(scalar, SIZE);
    BIGNUM *const value = BN_new();
    if (kind == 4) BN_zero(value);
    else if (kind == 5) BN_set_bit(value, (int)any(256));
    else BN_copy(value, curve.n);
    if (near < 4 && !BN_is_zero(value)) BN_sub_word(value, near);
    else BN_add_word(value, near);
    BN_mod_lshift(value, value, 0, curve.n, curve.context);
    if (kind == 7) {
        BN_add(value, value, curve.n);
        if (BN_num_bits(value) > 256) BN_copy(value, curve.n);
    }
    BN_bn2binpad(value, scalar, SIZE);
    BN_free(value);
}

/* Sets curve.point to a multiple of the base point, often a small one, so that additions meet equal and opposite
 * points, and stores it. curve.r is the factor. */
static void pick_point(uint8_t bytes[2 * SIZE])
{
    uint8_t scalar[SIZE];
    do {
        fill_scalar(scalar);
        BN_bin2bn(scalar, SIZE, curve.r);
        if (any(3) == 0) BN_set_word(curve.r, 1 + any(80));
        if (any(4) == 0) BN_sub(curve.r, curve.n, curve.r);
        BN_nnmod(curve.r, curve.r, curve.n, curve.context);
        EC_POINT_mul(curve.group, curve.point, curve.r, NULL, NULL, curve.context);
    } while (!their_bytes(bytes, curve.point));
}

/* s * G - r * P for the point that is curve.point. */
static void compare_combination(const uint8_t point[2 * SIZE], const uint8_t s[SIZE], const uint8_t r[SIZE])
{
    uint8_t ours[SIZE] = { 0 }, theirs[2 * SIZE] = { 0 };
    BN_bin2bn(s, SIZE, curve.s), BN_bin2bn(r, SIZE, curve.r);
    bool valid = !BN_is_zero(curve.s) && BN_cmp(curve.s, curve.n) < 0;
    BN_nnmod(curve.r, curve.r, curve.n, curve.context);
    valid = valid && !BN_is_zero(curve.r);
    BN_sub(curve.r, curve.n, curve.r);
    EC_POINT_mul(curve.group, curve.result, curve.s, curve.point, curve.r, curve.context);
    valid = valid && their_bytes(theirs, curve.result);
    const bool found = cemv_p256_combine(ours, s, r, point);
    expect(found == valid && (!valid || memcmp(ours, theirs, SIZE) == 0), "s * G - r * P against OpenSSL", SIZE);
}

/* Sometimes s = r * d for P = d * G, which is infinity, and always a point with a changed bit. */
static void compare_random_combination(void)
{
    uint8_t point[2 * SIZE], s[SIZE], r[SIZE], ignored[SIZE];
    pick_point(point);
    fill_scalar(s), fill_scalar(r);
    if (any(6) == 0) {
        BN_bin2bn(r, SIZE, curve.s);
        BN_mod_mul(curve.s, curve.s, curve.r, curve.n, curve.context);
        if (any(3) == 0) BN_add_word(curve.s, any(40));
        BN_nnmod(curve.s, curve.s, curve.n, curve.context);
        BN_bn2binpad(curve.s, s, SIZE);
    }
    compare_combination(point, s, r);
    point[any(2 * SIZE)] ^= (uint8_t)(1u << any(8));
    expect(!cemv_p256_combine(ignored, s, r, point) && !cemv_p256_is_point(point), "a point off the curve", SIZE);
}

/* `number`, or n less its size if it is negative. */
static void small_scalar(uint8_t scalar[SIZE], int number)
{
    BN_set_word(curve.s, (unsigned)(number < 0 ? -number : number));
    if (number < 0) BN_sub(curve.s, curve.n, curve.s);
    BN_bn2binpad(curve.s, scalar, SIZE);
}

/* Small scalars on both sides of 0 and small multiples of G: sums of equal and of opposite points, and infinity. */
static void compare_small_combinations(void)
{
    for (int d = -4; d <= 4; d++) {
        uint8_t point[2 * SIZE], scalar[SIZE], s[SIZE], r[SIZE];
        small_scalar(scalar, d);
        BN_bin2bn(scalar, SIZE, curve.s);
        EC_POINT_mul(curve.group, curve.point, curve.s, NULL, NULL, curve.context);
        if (!their_bytes(point, curve.point)) continue;
        for (int i = -8; i <= 8; i++)
            for (int k = -8; k <= 8; k++) {
                small_scalar(s, i), small_scalar(r, k);
                compare_combination(point, s, r);
            }
    }
}

/* The smaller y of an x; an x of p or more is none. */
static void compare_recovery(void)
{
    uint8_t x[SIZE], ours[2 * SIZE] = { 0 }, theirs[2 * SIZE] = { 0 };
    fill(x, SIZE);
    if (any(8) == 0) {
        BN_copy(curve.x, curve.p);
        if (any(2)) BN_add_word(curve.x, any(20));
        else BN_sub_word(curve.x, any(20));
        BN_bn2binpad(curve.x, x, SIZE);
    }
    BN_bin2bn(x, SIZE, curve.x);
    bool any_point = BN_cmp(curve.x, curve.p) < 0 &&
                     EC_POINT_set_compressed_coordinates(curve.group, curve.point, curve.x, 0, curve.context);
    if (any_point) {
        any_point = their_bytes(theirs, curve.point);
        BN_sub(curve.x, curve.p, curve.y);
        if (BN_cmp(curve.x, curve.y) < 0) BN_bn2binpad(curve.x, theirs + SIZE, SIZE);
    }
    expect(cemv_p256_recover(ours, x) == any_point && memcmp(ours, theirs, sizeof ours) == 0, "y against OpenSSL",
           SIZE);
}

/* Every multiple of the base point that the library has as a constant. */
static void compare_base(void)
{
    for (size_t i = 0; i < CRYPTO_P256_BASE_POINTS; i++) {
        uint8_t ours[2 * SIZE], theirs[2 * SIZE] = { 0 };
        crypto_p256_store(ours, &crypto_p256_base[i].x), crypto_p256_store(ours + SIZE, &crypto_p256_base[i].y);
        BN_set_word(curve.s, 2 * i + 1);
        EC_POINT_mul(curve.group, curve.result, curve.s, NULL, NULL, curve.context);
        expect(their_bytes(theirs, curve.result) && memcmp(ours, theirs, sizeof ours) == 0, "multiples of G", i);
    }
}

int main(int count, char **words)
{
    const unsigned long rounds = count > 1 ? strtoul(words[1], NULL, 10) : 100000;
    state = count > 2 ? strtoull(words[2], NULL, 10) : 1;
    BN_CTX *context = BN_CTX_new();
    for (size_t size = 1; size <= 256; size++)
        for (unsigned i = 0; i < 8; i++) compare_rsa(size, context);
    open_curve(context);
    compare_base();
    compare_small_combinations();
    for (unsigned long i = 0; i < rounds; i++) {
        compare_rsa(1 + any(256), context);
        compare_hashes();
        compare_random_combination();
        compare_recovery();
    }
    close_curve();
    BN_CTX_free(context);
    printf("oracles: %llu comparisons, %llu different\n", compared, different);
    return different != 0;
}
