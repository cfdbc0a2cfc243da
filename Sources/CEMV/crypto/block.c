/* SPDX-License-Identifier: Apache-2.0 */
/* DES and AES-128 encryption of one block (FIPS 46-3, FIPS 197). Kernel 2 hashes with them (OWHF2). Only for public
 * data: neither runs in constant time, and no secret key comes here. Knows no certificate, tag or kernel. */
#include "crypto.h"

/* Tables count bits from 1, the most significant first, as the standard does. */
/* clang-format off */
static const uint8_t initial[64] = {
    58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4,
    62, 54, 46, 38, 30, 22, 14, 6, 64, 56, 48, 40, 32, 24, 16, 8,
    57, 49, 41, 33, 25, 17, 9, 1, 59, 51, 43, 35, 27, 19, 11, 3,
    61, 53, 45, 37, 29, 21, 13, 5, 63, 55, 47, 39, 31, 23, 15, 7,
};
static const uint8_t final[64] = {
    40, 8, 48, 16, 56, 24, 64, 32, 39, 7, 47, 15, 55, 23, 63, 31,
    38, 6, 46, 14, 54, 22, 62, 30, 37, 5, 45, 13, 53, 21, 61, 29,
    36, 4, 44, 12, 52, 20, 60, 28, 35, 3, 43, 11, 51, 19, 59, 27,
    34, 2, 42, 10, 50, 18, 58, 26, 33, 1, 41, 9, 49, 17, 57, 25,
};
static const uint8_t expansion[48] = {
    32, 1, 2, 3, 4, 5, 4, 5, 6, 7, 8, 9, 8, 9, 10, 11, 12, 13, 12, 13, 14, 15, 16, 17,
    16, 17, 18, 19, 20, 21, 20, 21, 22, 23, 24, 25, 24, 25, 26, 27, 28, 29, 28, 29, 30, 31, 32, 1,
};
static const uint8_t permutation[32] = {
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10,
    2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25,
};
static const uint8_t choice_1[56] = {
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18,
    10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36,
    63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
};
static const uint8_t choice_2[48] = {
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2,
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
};
static const uint8_t boxes[8][64] = {
    { 14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7, 0, 15, 7, 4, 14, 2, 13, 1, 10, 6, 12, 11, 9, 5, 3, 8,
      4, 1, 14, 8, 13, 6, 2, 11, 15, 12, 9, 7, 3, 10, 5, 0, 15, 12, 8, 2, 4, 9, 1, 7, 5, 11, 3, 14, 10, 0, 6, 13 },
    { 15, 1, 8, 14, 6, 11, 3, 4, 9, 7, 2, 13, 12, 0, 5, 10, 3, 13, 4, 7, 15, 2, 8, 14, 12, 0, 1, 10, 6, 9, 11, 5,
      0, 14, 7, 11, 10, 4, 13, 1, 5, 8, 12, 6, 9, 3, 2, 15, 13, 8, 10, 1, 3, 15, 4, 2, 11, 6, 7, 12, 0, 5, 14, 9 },
    { 10, 0, 9, 14, 6, 3, 15, 5, 1, 13, 12, 7, 11, 4, 2, 8, 13, 7, 0, 9, 3, 4, 6, 10, 2, 8, 5, 14, 12, 11, 15, 1,
      13, 6, 4, 9, 8, 15, 3, 0, 11, 1, 2, 12, 5, 10, 14, 7, 1, 10, 13, 0, 6, 9, 8, 7, 4, 15, 14, 3, 11, 5, 2, 12 },
    { 7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15, 13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2, 12, 1, 10, 14, 9,
      10, 6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4, 3, 15, 0, 6, 10, 1, 13, 8, 9, 4, 5, 11, 12, 7, 2, 14 },
    { 2, 12, 4, 1, 7, 10, 11, 6, 8, 5, 3, 15, 13, 0, 14, 9, 14, 11, 2, 12, 4, 7, 13, 1, 5, 0, 15, 10, 3, 9, 8, 6,
      4, 2, 1, 11, 10, 13, 7, 8, 15, 9, 12, 5, 6, 3, 0, 14, 11, 8, 12, 7, 1, 14, 2, 13, 6, 15, 0, 9, 10, 4, 5, 3 },
    { 12, 1, 10, 15, 9, 2, 6, 8, 0, 13, 3, 4, 14, 7, 5, 11, 10, 15, 4, 2, 7, 12, 9, 5, 6, 1, 13, 14, 0, 11, 3, 8,
      9, 14, 15, 5, 2, 8, 12, 3, 7, 0, 4, 10, 1, 13, 11, 6, 4, 3, 2, 12, 9, 5, 15, 10, 11, 14, 1, 7, 6, 0, 8, 13 },
    { 4, 11, 2, 14, 15, 0, 8, 13, 3, 12, 9, 7, 5, 10, 6, 1, 13, 0, 11, 7, 4, 9, 1, 10, 14, 3, 5, 12, 2, 15, 8, 6,
      1, 4, 11, 13, 12, 3, 7, 14, 10, 15, 6, 8, 0, 5, 9, 2, 6, 11, 13, 8, 1, 4, 10, 7, 9, 5, 0, 15, 14, 2, 3, 12 },
    { 13, 2, 8, 4, 6, 15, 11, 1, 10, 9, 3, 14, 5, 0, 12, 7, 1, 15, 13, 8, 10, 3, 7, 4, 12, 5, 6, 11, 0, 14, 9, 2,
      7, 11, 4, 1, 9, 12, 14, 2, 0, 6, 10, 13, 15, 3, 5, 8, 2, 1, 14, 7, 4, 10, 8, 13, 15, 12, 9, 0, 3, 5, 6, 11 },
};
/* clang-format on */

/* `from` has `width` bits. */
crypto_noinline static uint64_t permute(uint64_t from, unsigned width, const uint8_t *table, size_t size)
{
    uint64_t to = 0;
    for (size_t i = 0; i < size; i++) to = to << 1 | (from >> (width - table[i]) & 1u);
    return to;
}

static uint64_t read_64(const uint8_t *at)
{
    uint64_t number = 0;
    for (size_t i = 0; i < 8; i++) number = number << 8 | at[i];
    return number;
}

crypto_noinline static uint32_t feistel(uint32_t right, uint64_t key)
{
    const uint64_t mixed = permute(right, 32, expansion, 48) ^ key;
    uint32_t out = 0;
    for (unsigned i = 0; i < 8; i++) {
        const unsigned six = (unsigned)(mixed >> (42 - 6 * i)) & 0x3Fu;
        out = out << 4 | boxes[i][(six & 0x20u) | (six & 1u) << 4 | (six >> 1 & 0x0Fu)];
    }
    return (uint32_t)permute(out, 32, permutation, 32);
}

/* As in the standard, bit by bit through its tables. A tap hashes a few blocks at most, so that the usual larger
 * tables, which join boxes and permutation, would cost more than they save. */
static void key_schedule(const uint8_t key[8], uint64_t keys[16])
{
    const uint64_t chosen = permute(read_64(key), 64, choice_1, 56);
    uint32_t c = (uint32_t)(chosen >> 28), d = (uint32_t)chosen & 0x0FFFFFFFu;
    for (unsigned round = 0; round < 16; round++) {
        const unsigned shift = round < 2 || round == 8 || round == 15 ? 1 : 2;
        c = (c << shift | c >> (28 - shift)) & 0x0FFFFFFFu;
        d = (d << shift | d >> (28 - shift)) & 0x0FFFFFFFu;
        keys[round] = permute((uint64_t)c << 28 | d, 56, choice_2, 48);
    }
}

static uint64_t des(uint64_t block, const uint8_t key[8], bool decrypt)
{
    uint64_t keys[16];
    key_schedule(key, keys);
    block = permute(block, 64, initial, 64);
    uint32_t left = (uint32_t)(block >> 32), right = (uint32_t)block;
    for (unsigned round = 0; round < 16; round++) {
        const uint32_t next = left ^ feistel(right, keys[decrypt ? 15 - round : round]);
        left = right;
        right = next;
    }
    return permute((uint64_t)right << 32 | left, 64, final, 64);
}

void cemv_des3_encrypt(const uint8_t left[8], const uint8_t right[8], uint8_t block[8])
{
    uint64_t number = des(des(des(read_64(block), left, false), right, true), left, false);
    for (size_t i = 8; i > 0; i--, number >>= 8) block[i - 1] = (uint8_t)number;
}

/* AES -------------------------------------------------------------------------------------------------------------- */

/* The state lies in the order of the block, column after column. Each round key is made from the one before, when it is
 * needed, and no schedule is kept. */

static uint8_t twice(uint8_t a) { return (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1B : 0)); }

crypto_noinline static uint8_t times(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    for (; b != 0; b >>= 1, a = twice(a))
        if ((b & 1) != 0) product ^= a;
    return product;
}

/* The inverse as a^254, then the affine map: no table to get wrong, and speed is no matter here. */
crypto_noinline static uint8_t substitute(uint8_t a)
{
    uint8_t power = a, inverse = 1;
    for (unsigned exponent = 254; exponent != 0; exponent >>= 1, power = times(power, power))
        if ((exponent & 1) != 0) inverse = times(inverse, power);
    if (a == 0) inverse = 0;
    uint8_t out = 0x63;
    for (unsigned i = 0; i < 5; i++) out ^= (uint8_t)(inverse << i | inverse >> (8 - i));
    return out;
}

static void next_key(uint8_t key[16], uint8_t constant)
{
    for (size_t i = 0; i < 4; i++) key[i] ^= substitute(key[12 + (i + 1) % 4]);
    key[0] ^= constant;
    for (size_t i = 4; i < 16; i++) key[i] ^= key[i - 4];
}

static void shift_and_mix(uint8_t state[16], bool mix)
{
    uint8_t shifted[16];
    for (size_t i = 0; i < 16; i++) shifted[i] = substitute(state[(i + 4 * (i % 4)) % 16]);
    for (size_t column = 0; column < 16; column += 4) {
        const uint8_t *at = shifted + column;
        for (size_t i = 0; i < 4; i++) {
            state[column + i] =
                !mix ? at[i] : (uint8_t)(twice(at[i]) ^ times(at[(i + 1) % 4], 3) ^ at[(i + 2) % 4] ^ at[(i + 3) % 4]);
        }
    }
}

void cemv_aes128_encrypt(const uint8_t key[16], uint8_t block[16])
{
    uint8_t round_key[16], constant = 1;
    crypto_copy(round_key, key, sizeof round_key);
    for (size_t i = 0; i < 16; i++) block[i] ^= round_key[i];
    for (unsigned round = 1; round <= 10; round++, constant = twice(constant)) {
        shift_and_mix(block, round != 10);
        next_key(round_key, constant);
        for (size_t i = 0; i < 16; i++) block[i] ^= round_key[i];
    }
}
