/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 8's secret operations over BearSSL 0.6; bearssl_secret.h states their guarantees. The library validates
 * points, runs in constant time by its own account (bearssl_ec.h, bearssl_block.h) and allocates nothing, but leaves
 * its working values on the stack: they are overwritten here. */
#include "bearssl_secret.h"

#include <bearssl.h>

#ifdef BEARSSL_SECRET_M31
#define CURVE (&br_ec_p256_m31)
#else
#define CURVE (&br_ec_p256_m15)
#endif

enum { POINT_SIZE = 1 + 2 * CEMV_P256_SIZE, UNCOMPRESSED = 0x04, BLOCK = 16, KEY = 16 };

static void copy(uint8_t *to, const uint8_t *from, size_t size)
{
    while (size--) *to++ = *from++;
}

/* Overwrite the stack below the caller's frame: their own frames are as large as the deepest call. */
__attribute__((noinline)) static void wipe_behind_curve(void)
{
    volatile uint32_t room[BEARSSL_SECRET_CURVE_STACK / 4];
    for (size_t i = 0; i < sizeof room / sizeof room[0]; i++) room[i] = 0;
}

__attribute__((noinline)) static void wipe_behind_cipher(void)
{
    volatile uint32_t room[BEARSSL_SECRET_CIPHER_STACK / 4];
    for (size_t i = 0; i < sizeof room / sizeof room[0]; i++) room[i] = 0;
}

/* The work is done in separate functions, so that its frames lie below the function that wipes. */
__attribute__((noinline)) static void multiply_base(uint8_t point[2 * CEMV_P256_SIZE],
                                                    const uint8_t scalar[CEMV_P256_SIZE])
{
    uint8_t encoded[POINT_SIZE];
    (void)CURVE->mulgen(encoded, scalar, CEMV_P256_SIZE, BR_EC_secp256r1);
    copy(point, encoded + 1, 2 * CEMV_P256_SIZE);
}

__attribute__((noinline)) static void multiply_point(uint8_t x[CEMV_P256_SIZE], const uint8_t scalar[CEMV_P256_SIZE],
                                                     const uint8_t point[2 * CEMV_P256_SIZE])
{
    uint8_t encoded[POINT_SIZE];
    encoded[0] = UNCOMPRESSED;
    copy(encoded + 1, point, 2 * CEMV_P256_SIZE);
    (void)CURVE->mul(encoded, sizeof encoded, scalar, CEMV_P256_SIZE, BR_EC_secp256r1);
    copy(x, encoded + 1, CEMV_P256_SIZE);
}

/* CBC over one block with an initial value of zeros is the block cipher itself. */
__attribute__((noinline)) static void encrypt_each(const uint8_t key[KEY], uint8_t *blocks, size_t count)
{
    br_aes_ct_cbcenc_keys schedule;
    br_aes_ct_cbcenc_init(&schedule, key, KEY);
    for (; count != 0; count--, blocks += BLOCK) {
        uint8_t zeros[BLOCK] = { 0 };
        br_aes_ct_cbcenc_run(&schedule, zeros, blocks, BLOCK);
    }
}

__attribute__((noinline)) static void decrypt_one(const uint8_t key[KEY], uint8_t block[BLOCK])
{
    br_aes_ct_cbcdec_keys schedule;
    uint8_t zeros[BLOCK] = { 0 };
    br_aes_ct_cbcdec_init(&schedule, key, KEY);
    br_aes_ct_cbcdec_run(&schedule, zeros, block, BLOCK);
}

__attribute__((noinline)) static void chain_each(const uint8_t key[KEY], uint8_t chain[BLOCK], const uint8_t *blocks,
                                                 size_t count)
{
    br_aes_ct_cbcenc_keys schedule;
    br_aes_ct_cbcenc_init(&schedule, key, KEY);
    for (; count != 0; count--, blocks += BLOCK) {
        uint8_t block[BLOCK];
        copy(block, blocks, BLOCK);
        br_aes_ct_cbcenc_run(&schedule, chain, block, BLOCK);
    }
}

static void p256_public(uint8_t point[2 * CEMV_P256_SIZE], const uint8_t scalar[CEMV_P256_SIZE])
{
    multiply_base(point, scalar);
    wipe_behind_curve();
}

static void p256_multiply(uint8_t x[CEMV_P256_SIZE], const uint8_t scalar[CEMV_P256_SIZE],
                          const uint8_t point[2 * CEMV_P256_SIZE])
{
    multiply_point(x, scalar, point);
    wipe_behind_curve();
}

static void aes_encrypt(const uint8_t key[KEY], uint8_t *blocks, size_t count)
{
    encrypt_each(key, blocks, count);
    wipe_behind_cipher();
}

static void aes_decrypt(const uint8_t key[KEY], uint8_t block[BLOCK])
{
    decrypt_one(key, block);
    wipe_behind_cipher();
}

static void aes_chain(const uint8_t key[KEY], uint8_t chain[BLOCK], const uint8_t *blocks, size_t count)
{
    chain_each(key, chain, blocks, count);
    wipe_behind_cipher();
}

const struct cemv_crypto_secret bearssl_secret = {
    .p256_public = p256_public,
    .p256_multiply = p256_multiply,
    .aes_encrypt = aes_encrypt,
    .aes_decrypt = aes_decrypt,
    .aes_chain = aes_chain,
};
