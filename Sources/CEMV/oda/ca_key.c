/* SPDX-License-Identifier: Apache-2.0 */
/* The public keys of certification authorities: look-up, and which keys may be used (EMV 4.3 Book 2: 5.2, 6.2, 11.2.2,
 * B2.1). Knows no card and no kernel. */
#include "oda.h"

const struct cemv_ca_key *cemv_ca_key_find(const struct cemv_ca_key *keys, size_t count, const uint8_t rid[5],
                                           uint8_t index)
{
    for (size_t i = 0; i < count; i++)
        if (keys[i].index == index && crypto_equal(keys[i].rid, rid, 5)) return &keys[i];
    return NULL;
}

/* The modulus is not empty and its first byte is not zero. */
static uint32_t bit_count(cemv_bytes modulus)
{
    uint32_t bits = (uint32_t)modulus.size * 8u;
    for (unsigned top = modulus.data[0]; top < 128u; top <<= 1) bits--;
    return bits;
}

/* Checked when a reader is configured. A mistyped key would make genuine cards fail, and a forged one would make every
 * card of the forger genuine, so the check value must match; a key that is even or has a leading zero is not an RSA
 * modulus. */
enum cemv_ca_key_result cemv_ca_key_check(const struct cemv_crypto *crypto, const struct cemv_ca_key *key,
                                          uint32_t min_bits)
{
    static const uint8_t three[1] = { 3 }, fermat[3] = { 1, 0, 1 };
    cemv_bytes modulus = key->modulus;
    if (!crypto_exponent_allowed(key->exponent)) return CEMV_CA_KEY_EXPONENT;
    if (modulus.size > CEMV_ODA_MODULUS_MAX) return CEMV_CA_KEY_TOO_LONG;
    if (modulus.size == 0) return CEMV_CA_KEY_TOO_SHORT;
    if (modulus.data[0] == 0) return CEMV_CA_KEY_TOP_ZERO;
    if (bit_count(modulus) < min_bits) return CEMV_CA_KEY_TOO_SHORT;
    if (modulus.data[modulus.size - 1u] % 2u == 0) return CEMV_CA_KEY_EVEN;
    cemv_bytes pieces[4] = {
        crypto_bytes(key->rid, 5),
        crypto_bytes(&key->index, 1),
        modulus,
        key->exponent == 3u ? crypto_bytes(three, sizeof three) : crypto_bytes(fermat, sizeof fermat),
    };
    uint8_t digest[CEMV_SHA1_SIZE];
    crypto->sha1(digest, pieces, 4);
    return cemv_bytes_equal(key->sha1, crypto_bytes(digest, sizeof digest)) ? CEMV_CA_KEY_OK : CEMV_CA_KEY_CHECKSUM;
}
