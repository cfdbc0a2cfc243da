/* SPDX-License-Identifier: Apache-2.0 */
/* The curve P-256 (FIPS 186-4, D.1.2.3; SEC 2, 2.4.2): field elements and points. Field and addition of points take the
 * same time and the same accesses whatever their operands are; what branches on a scalar is its caller's. Knows no
 * certificate, no key of anybody and no kernel. */
#ifndef CEMV_CRYPTO_P256_H
#define CEMV_CRYPTO_P256_H

#include "crypto.h"

/* Which width a number has is of no consequence; tests take both. */
#ifndef CEMV_P256_LIMB_BITS
#if COMPILER_HAS_WIDE_PRODUCT
#define CEMV_P256_LIMB_BITS 64
#else
#define CEMV_P256_LIMB_BITS 32
#endif
#endif

#if CEMV_P256_LIMB_BITS == 64
typedef uint64_t crypto_p256_limb;
#else
typedef uint32_t crypto_p256_limb;
#endif

enum { CRYPTO_P256_LIMBS = 256 / CEMV_P256_LIMB_BITS };

/* A number below 2^256, its lowest limb first. As an element of the field it is below p and stands for itself times
 * 2^-256 (Montgomery). */
struct crypto_p256_number {
    crypto_p256_limb at[CRYPTO_P256_LIMBS];
};
/* Homogeneous coordinates: (x / z, y / z); z = 0 is the point at infinity. */
struct crypto_p256_point {
    struct crypto_p256_number x, y, z;
};

/* The group's base point. */
extern const struct crypto_p256_point crypto_p256_base;
/* out = a + b for any two points, equal ones, opposite ones and infinity included. `out` may be either. */
void crypto_p256_add(struct crypto_p256_point *out, const struct crypto_p256_point *a,
                     const struct crypto_p256_point *b);
struct crypto_p256_point crypto_p256_infinity(void);
/* x and y, 32 bytes each; false if they are no point of the curve. */
bool crypto_p256_load(struct crypto_p256_point *point, const uint8_t bytes[2 * CEMV_P256_SIZE]);
/* x and y of a point; `y` may be NULL. False, with zeros, at infinity. */
bool crypto_p256_store(uint8_t x[CEMV_P256_SIZE], uint8_t *y, const struct crypto_p256_point *point);

/* Secret scalars, in constant time but for the answer. A private key is d with 1 < d < n - 1. Any 32 bytes become a
 * number below n; false, with zeros, if that is zero. */
bool crypto_p256_is_private(const uint8_t scalar[CEMV_P256_SIZE]);
bool crypto_p256_reduce(uint8_t out[CEMV_P256_SIZE], const uint8_t scalar[CEMV_P256_SIZE]);

#endif
