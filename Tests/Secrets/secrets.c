/* SPDX-License-Identifier: Apache-2.0 */
/* P-256 by additions alone, AES-128 with its S-box computed (FIPS 197; SEC 1): the same steps whatever the secrets are.
 */
#include "secrets.h"

#include <string.h>

#include "../../Sources/CEMV/crypto/p256.h"

typedef struct crypto_p256_number number;

/* P-256: every bit adds, and a mask decides whether the sum is used. */

/* Homogeneous coordinates: (x / z, y / z); z = 0 is the point at infinity. */
struct complete {
    number x, y, z;
};

/* Complete formulas (Renes, Costello, Batina 2015, algorithm 4): they hold for any two points of the curve, including
 * equal points and infinity, so that no case takes another time. The names are those of the paper's registers. */
static void add(struct complete *out, const struct complete *a, const struct complete *b)
{
    number t0, t1, t2, t3, t4, x, y, z;
    crypto_p256_field_multiply(&t0, &a->x, &b->x);
    crypto_p256_field_multiply(&t1, &a->y, &b->y);
    crypto_p256_field_multiply(&t2, &a->z, &b->z);
    crypto_p256_field_add(&t3, &a->x, &a->y);
    crypto_p256_field_add(&t4, &b->x, &b->y);
    crypto_p256_field_multiply(&t3, &t3, &t4);
    crypto_p256_field_add(&t4, &t0, &t1);
    crypto_p256_field_subtract(&t3, &t3, &t4);
    crypto_p256_field_add(&t4, &a->y, &a->z);
    crypto_p256_field_add(&x, &b->y, &b->z);
    crypto_p256_field_multiply(&t4, &t4, &x);
    crypto_p256_field_add(&x, &t1, &t2);
    crypto_p256_field_subtract(&t4, &t4, &x);
    crypto_p256_field_add(&x, &a->x, &a->z);
    crypto_p256_field_add(&y, &b->x, &b->z);
    crypto_p256_field_multiply(&x, &x, &y);
    crypto_p256_field_add(&y, &t0, &t2);
    crypto_p256_field_subtract(&y, &x, &y);
    crypto_p256_field_multiply(&z, &crypto_p256_b, &t2);
    crypto_p256_field_subtract(&x, &y, &z);
    crypto_p256_field_add(&z, &x, &x);
    crypto_p256_field_add(&x, &x, &z);
    crypto_p256_field_subtract(&z, &t1, &x);
    crypto_p256_field_add(&x, &t1, &x);
    crypto_p256_field_multiply(&y, &crypto_p256_b, &y);
    crypto_p256_field_add(&t1, &t2, &t2);
    crypto_p256_field_add(&t2, &t1, &t2);
    crypto_p256_field_subtract(&y, &y, &t2);
    crypto_p256_field_subtract(&y, &y, &t0);
    crypto_p256_field_add(&t1, &y, &y);
    crypto_p256_field_add(&y, &t1, &y);
    crypto_p256_field_add(&t1, &t0, &t0);
    crypto_p256_field_add(&t0, &t1, &t0);
    crypto_p256_field_subtract(&t0, &t0, &t2);
    crypto_p256_field_multiply(&t1, &t4, &y);
    crypto_p256_field_multiply(&t2, &t0, &y);
    crypto_p256_field_multiply(&y, &x, &z);
    crypto_p256_field_add(&out->y, &y, &t2);
    crypto_p256_field_multiply(&x, &t3, &x);
    crypto_p256_field_subtract(&out->x, &x, &t1);
    crypto_p256_field_multiply(&z, &t4, &z);
    crypto_p256_field_multiply(&t1, &t3, &t0);
    crypto_p256_field_add(&out->z, &z, &t1);
}

static void choose(number *out, crypto_p256_limb mask, const number *other)
{
    for (size_t i = 0; i < CRYPTO_P256_LIMBS; i++) out->at[i] ^= mask & (out->at[i] ^ other->at[i]);
}

static void multiply(struct complete *out, const uint8_t scalar[32], const struct crypto_p256_point *point)
{
    const struct complete term = { point->x, point->y, crypto_p256_one };
    struct complete sum = { .y = crypto_p256_one }, next;
    for (size_t bit = 0; bit < 256; bit++) {
        const crypto_p256_limb mask = (crypto_p256_limb)0 - (scalar[bit / 8] >> (7 - bit % 8) & 1u);
        add(&sum, &sum, &sum);
        add(&next, &sum, &term);
        choose(&sum.x, mask, &next.x);
        choose(&sum.y, mask, &next.y);
        choose(&sum.z, mask, &next.z);
    }
    *out = sum;
    cemv_wipe(&sum, sizeof sum);
    cemv_wipe(&next, sizeof next);
}

/* x and y of a point; `y` may be NULL. Both are zero at infinity. */
static void store(uint8_t x[32], uint8_t *y, const struct complete *point)
{
    number inverse, value;
    crypto_p256_field_invert(&inverse, &point->z);
    crypto_p256_field_multiply(&value, &point->x, &inverse);
    crypto_p256_store(x, &value);
    crypto_p256_field_multiply(&value, &point->y, &inverse);
    if (y != NULL) crypto_p256_store(y, &value);
    cemv_wipe(&inverse, sizeof inverse);
    cemv_wipe(&value, sizeof value);
}

static void p256_public(uint8_t point[64], const uint8_t scalar[32])
{
    struct complete result;
    multiply(&result, scalar, &crypto_p256_base[0]);
    store(point, point + 32, &result);
    cemv_wipe(&result, sizeof result);
}

static void p256_multiply(uint8_t x[32], const uint8_t scalar[32], const uint8_t point[64])
{
    struct crypto_p256_point factor;
    struct complete result;
    memset(x, 0, 32);
    if (!crypto_p256_load(&factor, point)) return;
    multiply(&result, scalar, &factor);
    store(x, NULL, &result);
    cemv_wipe(&result, sizeof result);
}

/* AES-128. Bytes are elements of GF(2^8); the S-box is an inverse, a power, and an affine map. */

static uint8_t doubled(uint8_t x) { return (uint8_t)(x << 1 ^ (0x1B & (0u - (x >> 7)))); }

static uint8_t product(uint8_t x, uint8_t y)
{
    uint8_t sum = 0;
    for (size_t bit = 0; bit < 8; bit++, x = doubled(x)) sum ^= (uint8_t)(x & (0u - (y >> bit & 1u)));
    return sum;
}

/* x^254 */
static uint8_t inverse(uint8_t x)
{
    uint8_t power = x;
    for (size_t i = 0; i < 6; i++) power = product(product(power, power), x);
    return product(power, power);
}

static uint8_t turned(uint8_t x, unsigned by) { return (uint8_t)(x << by | x >> (8 - by)); }

static uint8_t substituted(uint8_t x)
{
    const uint8_t y = inverse(x);
    return (uint8_t)(y ^ turned(y, 1) ^ turned(y, 2) ^ turned(y, 3) ^ turned(y, 4) ^ 0x63);
}

static uint8_t substituted_back(uint8_t x)
{
    return inverse((uint8_t)(turned(x, 1) ^ turned(x, 3) ^ turned(x, 6) ^ 0x05));
}

enum { BLOCK = 16, ROUNDS = 10 };

static void expand(uint8_t keys[(ROUNDS + 1) * BLOCK], const uint8_t key[BLOCK])
{
    uint8_t constant = 1;
    memcpy(keys, key, BLOCK);
    for (size_t i = BLOCK; i < (ROUNDS + 1) * BLOCK; i += 4) {
        uint8_t word[4];
        memcpy(word, keys + i - 4, 4);
        if (i % BLOCK == 0) {
            const uint8_t first = word[0];
            for (size_t k = 0; k < 3; k++) word[k] = substituted(word[k + 1]);
            word[3] = substituted(first);
            word[0] ^= constant;
            constant = doubled(constant);
        }
        for (size_t k = 0; k < 4; k++) keys[i + k] = keys[i + k - BLOCK] ^ word[k];
    }
}

static void add_key(uint8_t block[BLOCK], const uint8_t *key)
{
    for (size_t i = 0; i < BLOCK; i++) block[i] ^= key[i];
}

/* The block is made of columns; row r is turned by r places, to the left or back. */
static void shift_rows(uint8_t block[BLOCK], bool back)
{
    uint8_t from[BLOCK];
    memcpy(from, block, BLOCK);
    for (size_t i = 0; i < BLOCK; i++) block[i] = from[(i + (back ? 12 : 4) * (i % 4)) % BLOCK];
    cemv_wipe(from, sizeof from);
}

static void mix_columns(uint8_t block[BLOCK], const uint8_t factors[4])
{
    for (size_t column = 0; column < BLOCK; column += 4) {
        uint8_t from[4];
        memcpy(from, block + column, 4);
        for (size_t row = 0; row < 4; row++) {
            block[column + row] = 0;
            for (size_t k = 0; k < 4; k++) block[column + row] ^= product(from[(row + k) % 4], factors[k]);
        }
    }
}

static void encrypt(const uint8_t keys[(ROUNDS + 1) * BLOCK], uint8_t block[BLOCK])
{
    static const uint8_t factors[] = { 2, 3, 1, 1 };
    add_key(block, keys);
    for (size_t round = 1; round <= ROUNDS; round++) {
        for (size_t i = 0; i < BLOCK; i++) block[i] = substituted(block[i]);
        shift_rows(block, false);
        if (round != ROUNDS) mix_columns(block, factors);
        add_key(block, keys + round * BLOCK);
    }
}

static void aes_encrypt(const uint8_t key[16], uint8_t *blocks, size_t count)
{
    uint8_t keys[(ROUNDS + 1) * BLOCK];
    expand(keys, key);
    for (size_t i = 0; i < count; i++) encrypt(keys, blocks + i * BLOCK);
    cemv_wipe(keys, sizeof keys);
}

static void aes_chain(const uint8_t key[16], uint8_t chain[16], const uint8_t *blocks, size_t count)
{
    uint8_t keys[(ROUNDS + 1) * BLOCK];
    expand(keys, key);
    for (size_t i = 0; i < count; i++) {
        add_key(chain, blocks + i * BLOCK);
        encrypt(keys, chain);
    }
    cemv_wipe(keys, sizeof keys);
}

static void aes_decrypt(const uint8_t key[16], uint8_t block[16])
{
    static const uint8_t factors[] = { 14, 11, 13, 9 };
    uint8_t keys[(ROUNDS + 1) * BLOCK];
    expand(keys, key);
    for (size_t round = ROUNDS; round >= 1; round--) {
        add_key(block, keys + round * BLOCK);
        if (round != ROUNDS) mix_columns(block, factors);
        shift_rows(block, true);
        for (size_t i = 0; i < BLOCK; i++) block[i] = substituted_back(block[i]);
    }
    add_key(block, keys);
    cemv_wipe(keys, sizeof keys);
}

const struct cemv_crypto_secret test_secrets = {
    .p256_public = p256_public,
    .p256_multiply = p256_multiply,
    .aes_encrypt = aes_encrypt,
    .aes_decrypt = aes_decrypt,
    .aes_chain = aes_chain,
};

struct cemv_crypto test_crypto(void)
{
    struct cemv_crypto crypto = cemv_crypto_builtin;
    crypto.secret = &test_secrets;
    return crypto;
}
