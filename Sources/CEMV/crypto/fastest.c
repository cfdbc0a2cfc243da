/* SPDX-License-Identifier: Apache-2.0 */
/* A second engine behind the crypto port: the built-in one, with SHA-1 and SHA-256 by instructions of the processor
 * (SHA extensions of x86-64, cryptographic extension of arm64). Only hosted builds contain it; elsewhere the built-in
 * engine is the fastest. The core never chooses: a program asks cemv_crypto_fastest() once and puts the answer into its
 * configuration. Padding and blocks are in hash.h. Knows nothing of what it hashes. */
#include "hash.h"

#if defined CEMV_PLAIN_C11
#elif __STDC_HOSTED__ && defined __GNUC__ && defined __x86_64__
#define FASTEST_X86 1
#elif __STDC_HOSTED__ && defined __GNUC__ && defined __aarch64__ && defined __AARCH64EL__ &&                           \
    (defined __linux__ || defined __APPLE__)
#define FASTEST_ARM 1
#include <arm_neon.h>
#endif

#if defined FASTEST_X86

/* Vectors of the compiler: immintrin.h would need a C library. Sums are unsigned (`sum`). */
typedef int words __attribute__((vector_size(16)));
typedef uint32_t unsigned_words __attribute__((vector_size(16)));
typedef char bytes __attribute__((vector_size(16)));
#define fastest_target __attribute__((target("ssse3,sse4.1,sha")))

fastest_target crypto_always_inline static words load(const void *from)
{
    words to;
    crypto_copy(&to, from, sizeof to);
    return to;
}

crypto_always_inline static words sum(words a, words b) { return (words)((unsigned_words)a + (unsigned_words)b); }

/* Four steps. Which function and constant they use is a literal of the instruction (FIPS 180-4, 4.1.1, 4.2.1). */
fastest_target crypto_always_inline static words four_steps_1(words abcd, words e, unsigned twenty)
{
    switch (twenty) {
    case 0: return __builtin_ia32_sha1rnds4(abcd, e, 0);
    case 1: return __builtin_ia32_sha1rnds4(abcd, e, 1);
    case 2: return __builtin_ia32_sha1rnds4(abcd, e, 2);
    }
    return __builtin_ia32_sha1rnds4(abcd, e, 3);
}

/* The first of four words, and `a`, are in the highest place of a vector. */
fastest_target static void compress_1(uint32_t state[5], const uint8_t *block, size_t count)
{
    words w[4], abcd = load(state), e = { 0, 0, 0, (int)state[4] };
    abcd = __builtin_shufflevector(abcd, abcd, 3, 2, 1, 0);
    for (; count != 0; count--, block += HASH_BLOCK) {
        const words begin = abcd;
        words before = e; /* abcd of four steps ago, which becomes e */
        HASH_UNROLL
        for (unsigned i = 0; i < 4u; i++) {
            const bytes four = (bytes)load(block + 16u * i);
            w[i] = (words)__builtin_shufflevector(four, four, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        }
        HASH_UNROLL
        for (unsigned i = 0; i < 20u; i++) {
            words *const word = w + i % 4u;
            if (i >= 4u)
                *word = __builtin_ia32_sha1msg2(__builtin_ia32_sha1msg1(*word, w[(i + 1u) % 4u]) ^ w[(i + 2u) % 4u],
                                                w[(i + 3u) % 4u]);
            const words added = i == 0 ? sum(e, *word) : __builtin_ia32_sha1nexte(before, *word);
            before = abcd;
            abcd = four_steps_1(abcd, added, i / 5u);
        }
        e = __builtin_ia32_sha1nexte(before, e);
        abcd = sum(abcd, begin);
    }
    abcd = __builtin_shufflevector(abcd, abcd, 3, 2, 1, 0);
    crypto_copy(state, &abcd, sizeof abcd);
    state[4] = (uint32_t)e[3];
}

fastest_target static void compress_256(uint32_t state[8], const uint8_t *block, size_t count)
{
    words w[4];
    const words abcd = load(state), efgh = load(state + 4);
    words abef = __builtin_shufflevector(abcd, efgh, 5, 4, 1, 0); /* from the highest place */
    words cdgh = __builtin_shufflevector(abcd, efgh, 7, 6, 3, 2);
    for (; count != 0; count--, block += HASH_BLOCK) {
        const words begin_abef = abef, begin_cdgh = cdgh;
        HASH_UNROLL
        for (unsigned i = 0; i < 4u; i++) {
            const bytes four = (bytes)load(block + 16u * i);
            w[i] = (words)__builtin_shufflevector(four, four, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
        }
        HASH_UNROLL
        for (unsigned i = 0; i < 16u; i++) {
            words *const word = w + i % 4u;
            const words last = w[(i + 3u) % 4u];
            if (i >= 4u)
                *word = __builtin_ia32_sha256msg2(sum(__builtin_ia32_sha256msg1(*word, w[(i + 1u) % 4u]),
                                                      __builtin_shufflevector(w[(i + 2u) % 4u], last, 1, 2, 3, 4)),
                                                  last);
            const words added = sum(*word, load(sha256_constants + 4u * i));
            cdgh = __builtin_ia32_sha256rnds2(cdgh, abef, added);
            abef = __builtin_ia32_sha256rnds2(abef, cdgh, __builtin_shufflevector(added, added, 2, 3, 2, 3));
        }
        abef = sum(abef, begin_abef);
        cdgh = sum(cdgh, begin_cdgh);
    }
    const words low = __builtin_shufflevector(abef, cdgh, 3, 2, 7, 6);
    const words high = __builtin_shufflevector(abef, cdgh, 1, 0, 5, 4);
    crypto_copy(state, &low, sizeof low);
    crypto_copy(state + 4, &high, sizeof high);
}

static void cpuid(unsigned leaf, unsigned *b, unsigned *c)
{
    unsigned a = leaf, d;
    *c = 0;
    __asm__("cpuid" : "+a"(a), "=b"(*b), "+c"(*c), "=d"(d));
    if (leaf == 0) *b = a; /* the highest leaf */
}

static bool has_instructions(void)
{
    unsigned highest, b, c;
    cpuid(0, &highest, &c);
    if (highest < 7u) return false;
    cpuid(1, &b, &c);
    if (!(c & 1u << 9) || !(c & 1u << 19)) return false; /* SSSE3, SSE4.1 */
    cpuid(7, &b, &c);
    return (b & 1u << 29) != 0; /* SHA */
}

#elif defined FASTEST_ARM

#define fastest_target __attribute__((target("+crypto")))

fastest_target crypto_always_inline static uint32x4_t load_be(const uint8_t *from)
{
    return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(from)));
}

fastest_target crypto_always_inline static uint32x4_t four_steps_1(uint32x4_t abcd, uint32_t e, uint32x4_t w,
                                                                   unsigned twenty)
{
    switch (twenty) {
    case 0: return vsha1cq_u32(abcd, e, vaddq_u32(w, vdupq_n_u32(0x5A827999u)));
    case 1: return vsha1pq_u32(abcd, e, vaddq_u32(w, vdupq_n_u32(0x6ED9EBA1u)));
    case 2: return vsha1mq_u32(abcd, e, vaddq_u32(w, vdupq_n_u32(0x8F1BBCDCu)));
    }
    return vsha1pq_u32(abcd, e, vaddq_u32(w, vdupq_n_u32(0xCA62C1D6u)));
}

fastest_target static void compress_1(uint32_t state[5], const uint8_t *block, size_t count)
{
    uint32x4_t w[4], abcd = vld1q_u32(state);
    uint32_t e = state[4];
    for (; count != 0; count--, block += HASH_BLOCK) {
        const uint32x4_t begin = abcd;
        const uint32_t begin_e = e;
        HASH_UNROLL
        for (unsigned i = 0; i < 4u; i++) w[i] = load_be(block + 16u * i);
        HASH_UNROLL
        for (unsigned i = 0; i < 20u; i++) {
            uint32x4_t *const word = w + i % 4u;
            if (i >= 4u)
                *word = vsha1su1q_u32(vsha1su0q_u32(*word, w[(i + 1u) % 4u], w[(i + 2u) % 4u]), w[(i + 3u) % 4u]);
            const uint32_t next = vsha1h_u32(vgetq_lane_u32(abcd, 0));
            abcd = four_steps_1(abcd, e, *word, i / 5u);
            e = next;
        }
        abcd = vaddq_u32(abcd, begin);
        e += begin_e;
    }
    vst1q_u32(state, abcd);
    state[4] = e;
}

fastest_target static void compress_256(uint32_t state[8], const uint8_t *block, size_t count)
{
    uint32x4_t w[4], abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);
    for (; count != 0; count--, block += HASH_BLOCK) {
        const uint32x4_t begin_abcd = abcd, begin_efgh = efgh;
        HASH_UNROLL
        for (unsigned i = 0; i < 4u; i++) w[i] = load_be(block + 16u * i);
        HASH_UNROLL
        for (unsigned i = 0; i < 16u; i++) {
            uint32x4_t *const word = w + i % 4u;
            if (i >= 4u)
                *word = vsha256su1q_u32(vsha256su0q_u32(*word, w[(i + 1u) % 4u]), w[(i + 2u) % 4u], w[(i + 3u) % 4u]);
            const uint32x4_t added = vaddq_u32(*word, vld1q_u32(sha256_constants + 4u * i));
            const uint32x4_t before = abcd;
            abcd = vsha256hq_u32(abcd, efgh, added);
            efgh = vsha256h2q_u32(efgh, before, added);
        }
        abcd = vaddq_u32(abcd, begin_abcd);
        efgh = vaddq_u32(efgh, begin_efgh);
    }
    vst1q_u32(state, abcd);
    vst1q_u32(state + 4, efgh);
}

#if defined __APPLE__
static bool has_instructions(void) { return true; } /* every arm64 processor of Apple */
#else
unsigned long getauxval(unsigned long type); /* of the C library */

static bool has_instructions(void)
{
    enum { AT_HWCAP = 16, HWCAP_SHA1 = 1 << 5, HWCAP_SHA2 = 1 << 6 };
    const unsigned long both = HWCAP_SHA1 | HWCAP_SHA2;
    return (getauxval(AT_HWCAP) & both) == both;
}
#endif

#endif

#if defined FASTEST_X86 || defined FASTEST_ARM

static void hash_sha1(uint8_t digest[CEMV_SHA1_SIZE], const cemv_bytes *pieces, size_t count)
{
    struct cemv_sha1 hash;
    cemv_sha1_init(&hash);
    for (size_t i = 0; i < count; i++) hash_update(compress_1, hash.state, hash.block, &hash.size, pieces[i]);
    hash_final(compress_1, hash.state, hash.block, hash.size, digest, CEMV_SHA1_SIZE);
}

static void hash_sha256(uint8_t digest[CEMV_SHA256_SIZE], const cemv_bytes *pieces, size_t count)
{
    struct cemv_sha256 hash;
    cemv_sha256_init(&hash);
    for (size_t i = 0; i < count; i++) hash_update(compress_256, hash.state, hash.block, &hash.size, pieces[i]);
    hash_final(compress_256, hash.state, hash.block, hash.size, digest, CEMV_SHA256_SIZE);
}

const struct cemv_crypto *cemv_crypto_fastest(void)
{
    static const struct cemv_crypto with_instructions = {
        .sha1 = hash_sha1,
        .sha256 = hash_sha256,
        .rsa_public = cemv_rsa_public,
        .rsa_prepare = cemv_rsa_prepare,
        .rsa_public_prepared = cemv_rsa_public_prepared,
    };
    return has_instructions() ? &with_instructions : &cemv_crypto_builtin;
}

#else

const struct cemv_crypto *cemv_crypto_fastest(void) { return &cemv_crypto_builtin; }

#endif
