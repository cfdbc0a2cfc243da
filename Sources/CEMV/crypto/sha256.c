/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 (FIPS 180-4, 6.2), for signatures and hashes of the kernels that use it. Padding and blocks are in hash.h.
 * Knows nothing of what it hashes. */
#include "hash.h"

/* clang-format off */
const uint32_t sha256_constants[64] = {
    0x428A2F98u, 0x71374491u, 0xB5C0FBCFu, 0xE9B5DBA5u, 0x3956C25Bu, 0x59F111F1u, 0x923F82A4u, 0xAB1C5ED5u,
    0xD807AA98u, 0x12835B01u, 0x243185BEu, 0x550C7DC3u, 0x72BE5D74u, 0x80DEB1FEu, 0x9BDC06A7u, 0xC19BF174u,
    0xE49B69C1u, 0xEFBE4786u, 0x0FC19DC6u, 0x240CA1CCu, 0x2DE92C6Fu, 0x4A7484AAu, 0x5CB0A9DCu, 0x76F988DAu,
    0x983E5152u, 0xA831C66Du, 0xB00327C8u, 0xBF597FC7u, 0xC6E00BF3u, 0xD5A79147u, 0x06CA6351u, 0x14292967u,
    0x27B70A85u, 0x2E1B2138u, 0x4D2C6DFCu, 0x53380D13u, 0x650A7354u, 0x766A0ABBu, 0x81C2C92Eu, 0x92722C85u,
    0xA2BFE8A1u, 0xA81A664Bu, 0xC24B8B70u, 0xC76C51A3u, 0xD192E819u, 0xD6990624u, 0xF40E3585u, 0x106AA070u,
    0x19A4C116u, 0x1E376C08u, 0x2748774Cu, 0x34B0BCB5u, 0x391C0CB3u, 0x4ED8AA4Au, 0x5B9CCA4Fu, 0x682E6FF3u,
    0x748F82EEu, 0x78A5636Fu, 0x84C87814u, 0x8CC70208u, 0x90BEFFFAu, 0xA4506CEBu, 0xBEF9A3F7u, 0xC67178F2u,
};
/* clang-format on */

static uint32_t rotate_right(uint32_t x, unsigned count) { return (x >> count) | (x << (32u - count)); }

/* One step on v[0..7] = a..h, seen through `turn`: the names rotate, the values stay. */
crypto_always_inline static void step(uint32_t v[8], unsigned turn, uint32_t word)
{
    uint32_t a = v[(0u - turn) & 7u], b = v[(1u - turn) & 7u], c = v[(2u - turn) & 7u];
    uint32_t e = v[(4u - turn) & 7u], f = v[(5u - turn) & 7u], g = v[(6u - turn) & 7u];
    uint32_t t = hash_sum(v[(7u - turn) & 7u] + word) + (g ^ (e & (f ^ g))) +
                 (rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25));
    v[(3u - turn) & 7u] += t;
    v[(7u - turn) & 7u] = t + ((a & b) + (c & (a ^ b))) +
                          (rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22));
}

/* Replaces the word at place `i` in the ring by the one 16 steps later. */
crypto_always_inline static void extend(uint32_t ring[16], unsigned i)
{
    const uint32_t low = ring[(i + 1u) % 16u], high = ring[(i + 14u) % 16u];
    ring[i] += (rotate_right(low, 7) ^ rotate_right(low, 18) ^ (low >> 3)) + ring[(i + 9u) % 16u] +
               (rotate_right(high, 17) ^ rotate_right(high, 19) ^ (high >> 10));
}

/* Returns the word of step `round + eight + i`. `ring + eight` is one pointer for a whole loop. */
crypto_always_inline static uint32_t word_of(uint32_t ring[16], unsigned round, unsigned eight, unsigned i)
{
    const uint32_t *words = ring + eight;
    if (!HASH_IS_SMALL && round != 0) extend(ring, eight + i);
    return words[i];
}

static void compress_one(uint32_t state[8], const uint8_t *block)
{
    uint32_t ring[16];
    uint32_t v[8];
    HASH_UNROLL
    for (unsigned i = 0; i < 16u; i++) ring[i] = hash_load_be32(block + 4u * i);
    for (unsigned i = 0; i < 8u; i++) v[i] = state[i];
    HASH_UNROLL
    for (unsigned round = 0; round < 64u; round += 16u) {
        if (HASH_IS_SMALL && round != 0)
            for (unsigned i = 0; i < 16u; i++) extend(ring, i);
        HASH_UNROLL
        for (unsigned i = 0; i < 16u; i += 8u) {
            const uint32_t *k = sha256_constants + round + i;
            step(v, 0, word_of(ring, round, i, 0) + k[0]);
            step(v, 1, word_of(ring, round, i, 1) + k[1]);
            step(v, 2, word_of(ring, round, i, 2) + k[2]);
            step(v, 3, word_of(ring, round, i, 3) + k[3]);
            step(v, 4, word_of(ring, round, i, 4) + k[4]);
            step(v, 5, word_of(ring, round, i, 5) + k[5]);
            step(v, 6, word_of(ring, round, i, 6) + k[6]);
            step(v, 7, word_of(ring, round, i, 7) + k[7]);
        }
    }
    for (unsigned i = 0; i < 8u; i++) state[i] += v[i];
}

crypto_always_inline static void compress(uint32_t state[8], const uint8_t *block, size_t count)
{
    do compress_one(state, block);
    while (!HASH_IS_SMALL && (block += HASH_BLOCK, --count != 0));
}

void cemv_sha256_init(struct cemv_sha256 *hash)
{
    hash->state[0] = 0x6A09E667u;
    hash->state[1] = 0xBB67AE85u;
    hash->state[2] = 0x3C6EF372u;
    hash->state[3] = 0xA54FF53Au;
    hash->state[4] = 0x510E527Fu;
    hash->state[5] = 0x9B05688Cu;
    hash->state[6] = 0x1F83D9ABu;
    hash->state[7] = 0x5BE0CD19u;
    hash->size = 0;
}

void cemv_sha256_update(struct cemv_sha256 *hash, cemv_bytes bytes)
{
    hash_update(compress, hash->state, hash->block, &hash->size, bytes);
}

void cemv_sha256_final(struct cemv_sha256 *hash, uint8_t digest[CEMV_SHA256_SIZE])
{
    hash_final(compress, hash->state, hash->block, hash->size, digest, CEMV_SHA256_SIZE);
}
