/* SPDX-License-Identifier: Apache-2.0 */
/* The features of a compiler that CEMV's sources use besides freestanding C11. GCC and clang have all of it. A port to
 * another compiler changes this file only: the second half uses only C11, and a compiler that has an attribute
 * may define its name there. -DCEMV_PLAIN_C11 chooses the second half on every compiler; Scripts/kernel-modules builds
 * and runs the core with it. */
#ifndef CEMV_COMPILER_H
#define CEMV_COMPILER_H

#include <stddef.h>
#include <stdint.h>

#if defined __GNUC__ && !defined CEMV_PLAIN_C11

/* Built in, so that a freestanding compiler too expands short ones in place. For the others it calls memcpy, memmove,
 * memset and memcmp: the only functions of a C library that CEMV refers to. */
#define cemv_memcpy  __builtin_memcpy
#define cemv_memmove __builtin_memmove
#define cemv_memset  __builtin_memset
#define cemv_memcmp  __builtin_memcmp

/* Only speed, size and depth of the stack depend on these. */
#define compiler_noinline      __attribute__((noinline))
#define compiler_cold          __attribute__((cold, noinline))
#define compiler_always_inline __attribute__((always_inline)) inline
#define compiler_aligned(size) __attribute__((aligned(size)))

/* A structure that lies in an array of bytes, which the caller owns. */
#define compiler_may_alias __attribute__((may_alias))

#define compiler_trap() __builtin_trap()

/* Unsigned, of 128 bits: CEMV works with limbs of 32 bits where it is absent. */
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 compiler_uint128;
#endif
/* Whether a product of two 64-bit numbers is an instruction. WebAssembly has it only with wide arithmetic; without, the
 * compiler calls a function for each product, which costs more than limbs of 32 bits do. */
#if defined __SIZEOF_INT128__ && (!defined __wasm__ || defined __wasm_wide_arithmetic__)
#define COMPILER_HAS_WIDE_PRODUCT 1
#else
#define COMPILER_HAS_WIDE_PRODUCT 0
#endif

/* clang's analyzer crashes at these functions with numbers of 128 bits, so it reads the C11 below. */
#ifndef __clang_analyzer__
#define compiler_add_overflow(a, b, out) __builtin_add_overflow((a), (b), (out))
#define compiler_sub_overflow(a, b, out) __builtin_sub_overflow((a), (b), (out))
#endif

/* Makes the compiler compute a value before it continues. Only speed depends on it. */
#define compiler_finish(value) __asm__("" : "+r"(value))

/* A number of 32 bits as it lies in memory with the most significant byte first. */
static inline uint32_t compiler_big_endian32(uint32_t word)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap32(word) : word;
}

/* x * y + t + carry: returns the low half, and leaves the high one in `carry`. One instruction of Cortex-M with DSP,
 * which clang finds by itself. */
#if !defined __clang__ && defined __ARM_FEATURE_DSP
#define COMPILER_HAS_UMAAL 1
static inline uint32_t compiler_umaal(uint32_t x, uint32_t y, uint32_t t, uint32_t *carry)
{
    __asm__("umaal %0, %1, %2, %3" : "+r"(t), "+r"(*carry) : "r"(x), "r"(y));
    return t;
}
#endif

/* Zeroes memory in a way that the compiler cannot leave out. */
static inline void compiler_wipe(void *bytes, size_t size)
{
    /* The size is hidden from the compiler: the library's memset is faster than the code that the compiler would
     * generate. */
    __asm__("" : "+r"(size));
    if (size != 0) cemv_memset(bytes, 0, size);
    /* The compiler must assume that this reads the memory, so it cannot omit the stores. */
    __asm__ __volatile__("" : : "r"(bytes) : "memory");
}

#else

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
#define cemv_memcpy  memcpy
#define cemv_memmove memmove
#define cemv_memset  memset
#define cemv_memcmp  memcmp

#define compiler_noinline
#define compiler_cold
#define compiler_always_inline inline
#define compiler_aligned(size)
/* A compiler without it must not assume that pointers to different types differ (GCC's -fno-strict-aliasing). */
#define compiler_may_alias
#define compiler_trap() ((void)(*(volatile int *)0 = 0))

#define COMPILER_HAS_WIDE_PRODUCT 0

#define compiler_finish(value) ((void)(value))

static inline uint32_t compiler_big_endian32(uint32_t word)
{
    uint32_t stored;
    const uint8_t bytes[4] = { (uint8_t)(word >> 24), (uint8_t)(word >> 16), (uint8_t)(word >> 8), (uint8_t)word };
    memcpy(&stored, bytes, sizeof stored);
    return stored;
}

static inline void compiler_wipe(void *bytes, size_t size)
{
    volatile uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++) at[i] = 0;
}

#endif

/* Sums and differences of unsigned numbers of one type; the value is whether a carry or a borrow is left. `out` may be
 * the address of `a`. */
#ifndef compiler_add_overflow
#define compiler_add_overflow(a, b, out) (*(out) = (a) + (b), *(out) < (b))
#define compiler_sub_overflow(a, b, out) (*(out) = (a) - (b), *(out) > ~(b))
#endif

#endif
