/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in engine behind the crypto port (include/cemv_crypto.h): the table of its functions, and hashes by their
 * number. Knows no certificate, tag or kernel. */
#include "crypto.h"

static void hash_sha1(uint8_t digest[CEMV_SHA1_SIZE], const cemv_bytes *pieces, size_t count)
{
    struct cemv_sha1 hash;
    cemv_sha1_init(&hash);
    for (size_t i = 0; i < count; i++) cemv_sha1_update(&hash, pieces[i]);
    cemv_sha1_final(&hash, digest);
}

static void hash_sha256(uint8_t digest[CEMV_SHA256_SIZE], const cemv_bytes *pieces, size_t count)
{
    struct cemv_sha256 hash;
    cemv_sha256_init(&hash);
    for (size_t i = 0; i < count; i++) cemv_sha256_update(&hash, pieces[i]);
    cemv_sha256_final(&hash, digest);
}

const struct cemv_crypto cemv_crypto_builtin = {
    .sha1 = hash_sha1,
    .sha256 = hash_sha256,
    .rsa_public = cemv_rsa_public,
    .rsa_prepare = cemv_rsa_prepare,
    .rsa_public_prepared = cemv_rsa_public_prepared,
};
