/* SPDX-License-Identifier: Apache-2.0 */
/* The crypto port: the functions that the kernels need from cryptography, and the built-in engine.
 * The built-in functions see public data only (certificates, signatures, public keys), so their time may depend on
 * their input. */
#ifndef CEMV_CRYPTO_H
#define CEMV_CRYPTO_H

#include "cemv_tlv.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CEMV_SHA1_SIZE   20
#define CEMV_SHA256_SIZE 32
/* Largest RSA modulus, in bytes: 2048 bits (EMV itself ends at 248). */
#define CEMV_RSA_MAX_SIZE 256

/* SHA-1 and SHA-256 over bytes given in any number of pieces. */
struct cemv_sha1 {
    uint32_t state[5];
    uint64_t size;
    uint8_t block[64];
};
void cemv_sha1_init(struct cemv_sha1 *hash);
void cemv_sha1_update(struct cemv_sha1 *hash, cemv_bytes bytes);
void cemv_sha1_final(struct cemv_sha1 *hash, uint8_t digest[CEMV_SHA1_SIZE]);

struct cemv_sha256 {
    uint32_t state[8];
    uint64_t size;
    uint8_t block[64];
};
void cemv_sha256_init(struct cemv_sha256 *hash);
void cemv_sha256_update(struct cemv_sha256 *hash, cemv_bytes bytes);
void cemv_sha256_final(struct cemv_sha256 *hash, uint8_t digest[CEMV_SHA256_SIZE]);

/* RSA public operation: out = in ^ exponent mod modulus, big-endian, all of `modulus.size` bytes.
 * Returns false, with `out` untouched, for: a modulus that is empty, even, longer than CEMV_RSA_MAX_SIZE or with a zero
 * top byte; an exponent other than 3 and 65537; an input of another length or not below the modulus. `out` may be
 * `in`. */
bool cemv_rsa_public(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t exponent);

/* Constants of a modulus, computed once (for a CA key when the configuration is checked). Plain data: may be copied and
 * shared. On 64-bit targets limbs are 64 bits wide, elsewhere 32; its size does not depend on that. */
struct cemv_rsa_key {
    uint8_t bytes[CEMV_RSA_MAX_SIZE * 2 + 32]; /* private to the engine; suitably aligned by `align` */
    uint64_t align;
};
bool cemv_rsa_prepare(struct cemv_rsa_key *key, cemv_bytes modulus, uint32_t exponent);
bool cemv_rsa_public_prepared(uint8_t *out, cemv_bytes in, const struct cemv_rsa_key *key);

/* A revoked issuer certificate (Book 2, 5.1.2): its CA key and serial number. */
struct cemv_revocation {
    uint8_t rid[5];
    uint8_t index;
    uint8_t serial[3];
};

/* Issuer public keys of earlier taps, RSA and P-256: a certificate that is stored here, with its remainder, its
 * exponent and the CA key it was verified with, is not verified again. Everything that depends on the card or on the
 * day is still checked, so outcomes do not differ. The caller owns the memory: CEMV_ISSUER_KEYS_SIZE bytes aligned to
 * 16, zero at first. A new key replaces the oldest of CEMV_ISSUER_KEYS. */
#define CEMV_ISSUER_KEYS      8
#define CEMV_ISSUER_KEYS_SIZE 8192
struct cemv_issuer_keys;
/* How often a certificate was found there. */
uint32_t cemv_issuer_keys_found(const struct cemv_issuer_keys *keys);

/* The curve P-256, for Kernel 8 (Book C-8, 8.2 and 8.4): points are x and y, 32 bytes each, big-endian. Built in, for
 * public data only. Define CEMV_P256_BASE_TABLE as 0 when compiling CEMV to omit 1,920 bytes of constants; then
 * cemv_p256_combine() needs a tenth more time, and 400 bytes of stack less. */
#define CEMV_P256_SIZE 32
/* The point with this x, and the smaller of its two y. False without such a point, or if x is not below the field's
 * prime. */
bool cemv_p256_recover(uint8_t point[2 * CEMV_P256_SIZE], const uint8_t x[CEMV_P256_SIZE]);
bool cemv_p256_is_point(const uint8_t point[2 * CEMV_P256_SIZE]);
/* x of s * G - r * point. `r` is reduced modulo the order n first. False for s = 0, s >= n, r = 0 modulo n, no point of
 * the curve, and infinity. */
bool cemv_p256_combine(uint8_t x[CEMV_P256_SIZE], const uint8_t s[CEMV_P256_SIZE], const uint8_t r[CEMV_P256_SIZE],
                       const uint8_t point[2 * CEMV_P256_SIZE]);

/* What touches a secret of Kernel 8: its private key, the shared secret, session keys, the card's blinding factor.
 * Comes from a library or from hardware, never built in. Each function runs in a time that does not depend on scalars,
 * keys and blocks, leaves no copy of them behind and does not fail but as said. No member is NULL. */
struct cemv_crypto_secret {
    /* scalar * G; 0 < scalar < n */
    void (*p256_public)(uint8_t point[2 * CEMV_P256_SIZE], const uint8_t scalar[CEMV_P256_SIZE]);
    /* x of scalar * point; 0 < scalar < n, and a point of the curve, so that infinity cannot come */
    void (*p256_multiply)(uint8_t x[CEMV_P256_SIZE], const uint8_t scalar[CEMV_P256_SIZE],
                          const uint8_t point[2 * CEMV_P256_SIZE]);
    /* AES-128 (FIPS 197): `count` blocks of 16 bytes in place, each by itself */
    void (*aes_encrypt)(const uint8_t key[16], uint8_t *blocks, size_t count);
    void (*aes_decrypt)(const uint8_t key[16], uint8_t block[16]);
    /* the chain of a MAC: for each block chain = AES(chain xor block) */
    void (*aes_chain)(const uint8_t key[16], uint8_t chain[16], const uint8_t *blocks, size_t count);
};

/* The port. A configuration that names none uses the built-in engine. Every function is synchronous and keeps nothing.
 * A replacement must keep the contracts above; `prepare` may be NULL, then keys are used unprepared. */
struct cemv_crypto {
    void (*sha1)(uint8_t digest[CEMV_SHA1_SIZE], const cemv_bytes *pieces, size_t count);
    void (*sha256)(uint8_t digest[CEMV_SHA256_SIZE], const cemv_bytes *pieces, size_t count);
    bool (*rsa_public)(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t exponent);
    bool (*rsa_prepare)(struct cemv_rsa_key *key, cemv_bytes modulus, uint32_t exponent);
    bool (*rsa_public_prepared)(uint8_t *out, cemv_bytes in, const struct cemv_rsa_key *key);
    /* As cemv_p256_recover() and cemv_p256_combine(); NULL: these. */
    bool (*p256_recover)(uint8_t point[2 * CEMV_P256_SIZE], const uint8_t x[CEMV_P256_SIZE]);
    bool (*p256_combine)(uint8_t x[CEMV_P256_SIZE], const uint8_t s[CEMV_P256_SIZE], const uint8_t r[CEMV_P256_SIZE],
                         const uint8_t point[2 * CEMV_P256_SIZE]);
    const struct cemv_crypto_secret *secret; /* NULL: Kernel 8 cannot be configured */
};
extern const struct cemv_crypto cemv_crypto_builtin;

/* Returns the fastest port for this processor: a port that computes hashes with the processor's instructions for SHA-1
 * and SHA-256 if it has them (x86-64, arm64), otherwise cemv_crypto_builtin; in a freestanding build always the latter.
 * It reads the processor's features at every call, so call it once. The core does not use it: a program that does not
 * call it does not link the second port. */
const struct cemv_crypto *cemv_crypto_fastest(void);

#ifdef __cplusplus
}
#endif
#endif
