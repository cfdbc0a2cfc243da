/* SPDX-License-Identifier: Apache-2.0 */
/* The curve P-256 (FIPS 186-4, D.1.2.3; SEC 2, 2.4.2): field elements and points. The field runs in the same time and
 * with the same accesses for all operands; points are public. Knows no certificate, no key of anybody and no kernel. */
#ifndef CEMV_CRYPTO_P256_H
#define CEMV_CRYPTO_P256_H

#include "crypto.h"

/* The width of a limb changes no result; tests run both. */
#ifndef CEMV_P256_LIMB_BITS
#if COMPILER_HAS_WIDE_PRODUCT
#define CEMV_P256_LIMB_BITS 64
#else
#define CEMV_P256_LIMB_BITS 32
#endif
#endif

#if CEMV_P256_LIMB_BITS == 64
typedef uint64_t crypto_p256_limb;
#define CRYPTO_P256_WORDS(high, low) (crypto_p256_limb)(high) << 32 | (crypto_p256_limb)(low)
#else
typedef uint32_t crypto_p256_limb;
#define CRYPTO_P256_WORDS(high, low) (low), (high)
#endif

enum { CRYPTO_P256_LIMBS = 256 / CEMV_P256_LIMB_BITS };

/* A number below 2^256, its lowest limb first. An element x of the field is stored as x * 2^256 mod p, below p
 * (Montgomery form). */
struct crypto_p256_number {
    crypto_p256_limb at[CRYPTO_P256_LIMBS];
};
/* A point that is not infinity. */
struct crypto_p256_point {
    struct crypto_p256_number x, y;
};

/* CEMV_P256_BASE_TABLE is described in include/cemv_crypto.h. A window of that many bits selects one of the multiples
 * 1, 3, 5, … of the base point. */
#ifndef CEMV_P256_BASE_TABLE
#define CEMV_P256_BASE_TABLE 1
#endif
#if CEMV_P256_BASE_TABLE
enum { CRYPTO_P256_BASE_WINDOW = 7 };
#else
enum { CRYPTO_P256_BASE_WINDOW = 3 };
#endif
enum { CRYPTO_P256_BASE_POINTS = 1 << (CRYPTO_P256_BASE_WINDOW - 2) };
extern const struct crypto_p256_point crypto_p256_base[CRYPTO_P256_BASE_POINTS];

/* The field. `out` may be an operand. The inverse of zero is zero. */
void crypto_p256_field_add(struct crypto_p256_number *out, const struct crypto_p256_number *a,
                           const struct crypto_p256_number *b);
void crypto_p256_field_subtract(struct crypto_p256_number *out, const struct crypto_p256_number *a,
                                const struct crypto_p256_number *b);
void crypto_p256_field_multiply(struct crypto_p256_number *out, const struct crypto_p256_number *a,
                                const struct crypto_p256_number *b);
void crypto_p256_field_invert(struct crypto_p256_number *out, const struct crypto_p256_number *x);
/* The constants 1 and b. */
extern const struct crypto_p256_number crypto_p256_one, crypto_p256_b;

/* x and y, 32 bytes each; false if they are not a point of the curve. */
bool crypto_p256_load(struct crypto_p256_point *point, const uint8_t bytes[2 * CEMV_P256_SIZE]);
/* The bytes of an element of the field. */
void crypto_p256_store(uint8_t bytes[CEMV_P256_SIZE], const struct crypto_p256_number *x);

/* Secret scalars, in constant time except for the result. A private key is d with 1 < d < n - 1. Any 32 bytes become a
 * number below n; false, with zeros, if that is zero. */
bool crypto_p256_is_private(const uint8_t scalar[CEMV_P256_SIZE]);
bool crypto_p256_reduce(uint8_t out[CEMV_P256_SIZE], const uint8_t scalar[CEMV_P256_SIZE]);

#endif
