/* SPDX-License-Identifier: Apache-2.0 */
/* What SHA-1 and SHA-256 share (FIPS 180-4, 5.1.1, 5.2.1): blocks of 64 bytes, and the padding. Inline, so that each
 * calls its own compression. Knows nothing of what is hashed. */
#ifndef CEMV_CRYPTO_HASH_H
#define CEMV_CRYPTO_HASH_H

#include "crypto.h"

enum { HASH_BLOCK = 64, HASH_LENGTH_AT = 56 };

/* HASH_UNROLL unrolls the loop that follows it. Each step extends the words by its own; their places are constants, so
 * the compiler keeps words in registers. Where size matters (HASH_IS_SMALL), loops stay, and words are extended before
 * the steps. */
#if defined __OPTIMIZE_SIZE__
enum { HASH_IS_SMALL = 1 };
#define HASH_UNROLL
#else
enum { HASH_IS_SMALL = 0 };
#define HASH_UNROLL _Pragma("GCC unroll 20")
#endif

/* Returns `sum`, and makes the compiler finish it before it adds anything else. Otherwise clang adds the latest value
 * first, and every step waits longer for the step before. */
crypto_always_inline static uint32_t hash_sum(uint32_t sum)
{
    if (!HASH_IS_SMALL) compiler_finish(sum);
    return sum;
}

/* The constants of SHA-256 (FIPS 180-4, 4.2.2), one for each step. */
extern const uint32_t sha256_constants[64];

typedef void hash_compress(uint32_t *state, const uint8_t *block, size_t count);

static inline uint32_t hash_load_be32(const uint8_t *at)
{
    return ((uint32_t)at[0] << 24) | ((uint32_t)at[1] << 16) | ((uint32_t)at[2] << 8) | at[3];
}

/* One store: gcc does not merge four when it optimises for size. */
static inline void hash_store_be32(uint8_t *at, uint32_t word)
{
    word = compiler_big_endian32(word);
    crypto_copy(at, &word, sizeof word);
}

/* `block` keeps the bytes that wait for the rest of theirs; `size` counts all there were. */
crypto_always_inline static void hash_update(hash_compress *compress, uint32_t *state, uint8_t *block, uint64_t *size,
                                             cemv_bytes bytes)
{
    const uint8_t *at = bytes.data;
    size_t left = bytes.size;
    const size_t held = (size_t)(*size % HASH_BLOCK);
    if (left == 0) return;
    *size += left;
    if (held != 0) {
        const size_t taken = left < HASH_BLOCK - held ? left : HASH_BLOCK - held;
        crypto_copy(block + held, at, taken);
        if (held + taken < HASH_BLOCK) return;
        compress(state, block, 1);
        at += taken;
        left -= taken;
    }
    for (size_t count; left >= HASH_BLOCK; at += count * HASH_BLOCK, left -= count * HASH_BLOCK) {
        count = HASH_IS_SMALL ? 1 : left / HASH_BLOCK;
        compress(state, at, count);
    }
    crypto_copy(block, at, left);
}

crypto_always_inline static void hash_final(hash_compress *compress, uint32_t *state, uint8_t *block, uint64_t size,
                                            uint8_t *digest, size_t digest_size)
{
    size_t held = (size_t)(size % HASH_BLOCK);
    const uint64_t bits = size << 3;
    block[held++] = 0x80;
    if (held > HASH_LENGTH_AT) {
        crypto_fill(block + held, 0, HASH_BLOCK - held);
        compress(state, block, 1);
        held = 0;
    }
    crypto_fill(block + held, 0, HASH_LENGTH_AT - held);
    hash_store_be32(block + HASH_LENGTH_AT, (uint32_t)(bits >> 32));
    hash_store_be32(block + HASH_LENGTH_AT + 4, (uint32_t)bits);
    compress(state, block, 1);
    HASH_UNROLL
    for (size_t i = 0; i < digest_size / 4u; i++) hash_store_be32(digest + 4u * i, state[i]);
}

#endif
