/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-1 (FIPS 180-4, 6.1), for certificates and signatures of EMV Book 2. Padding and blocks are in hash.h. Knows
 * nothing of what it hashes. */
#include "hash.h"

static uint32_t rotate_left(uint32_t x, unsigned count) { return (x << count) | (x >> (32u - count)); }

/* All 80 words if they are extended before the steps, otherwise a ring of the last 16. */
enum { WORDS = HASH_IS_SMALL ? 80 : 16 };

crypto_always_inline static unsigned place(unsigned i) { return HASH_IS_SMALL ? i : i % 16u; }

/* Computes the word of step `i`, which is 16 or more. */
crypto_always_inline static void extend(uint32_t words[WORDS], unsigned i)
{
    words[place(i)] =
        rotate_left(words[place(i - 16u)] ^ words[place(i - 14u)] ^ words[place(i - 8u)] ^ words[place(i - 3u)], 1);
}

/* Returns the word of step `first + i`. `words + first` is one pointer for a whole loop, which makes small code
 * smaller. */
crypto_always_inline static uint32_t word_of(uint32_t words[WORDS], unsigned first, unsigned i)
{
    if (HASH_IS_SMALL) return (words + first)[i];
    if (first + i >= 16u) extend(words, first + i);
    return words[place(first + i)];
}

/* One step. The caller rotates the names of the five variables instead of moving their values. */
crypto_always_inline static void step(uint32_t a, uint32_t *b, uint32_t f, uint32_t *e, uint32_t word)
{
    uint32_t early = hash_sum(*e + word + f); /* `a` comes last out of the step before */
    *e = early + rotate_left(a, 5);
    *b = rotate_left(*b, 30);
}

crypto_always_inline static uint32_t choose(uint32_t b, uint32_t c, uint32_t d) { return d ^ (b & (c ^ d)); }

crypto_always_inline static uint32_t parity(uint32_t b, uint32_t c, uint32_t d) { return b ^ c ^ d; }

crypto_always_inline static uint32_t majority(uint32_t b, uint32_t c, uint32_t d) { return (b & c) + (d & (b ^ c)); }

typedef uint32_t (*mix)(uint32_t b, uint32_t c, uint32_t d);

crypto_always_inline static void twenty_steps(uint32_t v[5], uint32_t words[WORDS], unsigned first, mix f,
                                              uint32_t constant)
{
    uint32_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4];
    HASH_UNROLL
    for (unsigned i = 0; i < 20u; i += 5u) {
        step(a, &b, f(b, c, d), &e, word_of(words, first, i) + constant);
        step(e, &a, f(a, b, c), &d, word_of(words, first, i + 1u) + constant);
        step(d, &e, f(e, a, b), &c, word_of(words, first, i + 2u) + constant);
        step(c, &d, f(d, e, a), &b, word_of(words, first, i + 3u) + constant);
        step(b, &c, f(c, d, e), &a, word_of(words, first, i + 4u) + constant);
    }
    v[0] = a;
    v[1] = b;
    v[2] = c;
    v[3] = d;
    v[4] = e;
}

static void compress_one(uint32_t state[5], const uint8_t *block)
{
    uint32_t words[WORDS];
    uint32_t v[5];
    HASH_UNROLL
    for (unsigned i = 0; i < 16u; i++) words[i] = hash_load_be32(block + 4u * i);
    for (unsigned i = 16; HASH_IS_SMALL && i < 80u; i++) extend(words, i);
    for (unsigned i = 0; i < 5u; i++) v[i] = state[i];
    twenty_steps(v, words, 0, choose, 0x5A827999u);
    twenty_steps(v, words, 20, parity, 0x6ED9EBA1u);
    twenty_steps(v, words, 40, majority, 0x8F1BBCDCu);
    twenty_steps(v, words, 60, parity, 0xCA62C1D6u);
    for (unsigned i = 0; i < 5u; i++) state[i] += v[i];
}

crypto_always_inline static void compress(uint32_t state[5], const uint8_t *block, size_t count)
{
    do compress_one(state, block);
    while (!HASH_IS_SMALL && (block += HASH_BLOCK, --count != 0));
}

void cemv_sha1_init(struct cemv_sha1 *hash)
{
    hash->state[0] = 0x67452301u;
    hash->state[1] = 0xEFCDAB89u;
    hash->state[2] = 0x98BADCFEu;
    hash->state[3] = 0x10325476u;
    hash->state[4] = 0xC3D2E1F0u;
    hash->size = 0;
}

void cemv_sha1_update(struct cemv_sha1 *hash, cemv_bytes bytes)
{
    hash_update(compress, hash->state, hash->block, &hash->size, bytes);
}

void cemv_sha1_final(struct cemv_sha1 *hash, uint8_t digest[CEMV_SHA1_SIZE])
{
    hash_final(compress, hash->state, hash->block, hash->size, digest, CEMV_SHA1_SIZE);
}
