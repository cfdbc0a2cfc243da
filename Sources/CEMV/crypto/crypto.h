/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the built-in engine: hashes, the RSA public operation, block ciphers (FIPS 180-4, 197, 46-3; EMV Book
 * 2, B2.1). Pure functions over bytes: nothing here knows a certificate, a tag, a command or a kernel. The port itself
 * is include/cemv_crypto.h. */
#ifndef CEMV_CRYPTO_ENGINE_H
#define CEMV_CRYPTO_ENGINE_H

#include "../compiler/compiler.h"
#include "../include/cemv_crypto.h"

#define crypto_noinline      compiler_noinline
#define crypto_always_inline compiler_always_inline

static inline void crypto_copy(void *to, const void *from, size_t size)
{
    if (size != 0) cemv_memcpy(to, from, size);
}
static inline void crypto_move(void *to, const void *from, size_t size)
{
    if (size != 0) cemv_memmove(to, from, size);
}
static inline void crypto_fill(void *to, uint8_t byte, size_t size)
{
    if (size != 0) cemv_memset(to, byte, size);
}
/* Public data: stops at the first difference. */
static inline bool crypto_equal(const void *a, const void *b, size_t size)
{
    return size == 0 || cemv_memcmp(a, b, size) == 0;
}
static inline cemv_bytes crypto_bytes(const uint8_t *data, size_t size) { return (cemv_bytes){ data, size }; }

/* One block, in place, of public data: not in constant time. Triple DES with the keys left, right, left. */
void cemv_des3_encrypt(const uint8_t left[8], const uint8_t right[8], uint8_t block[8]);
void cemv_aes128_encrypt(const uint8_t key[16], uint8_t block[16]);

#endif
