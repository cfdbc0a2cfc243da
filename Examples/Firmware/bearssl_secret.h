/* SPDX-License-Identifier: Apache-2.0 */
/* The secret part of the crypto port (cemv_crypto.h, struct cemv_crypto_secret) over BearSSL, for firmware with
 * Kernel 8. Link it with libbearssl, or with the few of its files that Scripts/firmware names. */
#ifndef BEARSSL_SECRET_H
#define BEARSSL_SECRET_H

#include "cemv_crypto.h"

/* P-256 by BearSSL's "m15", which multiplies 32 by 32 bits to 32: on a Cortex-M that takes one cycle whatever the
 * operands are. -DBEARSSL_SECRET_M31 takes "m31" (UMULL), which is faster where UMULL takes a fixed time: on a
 * Cortex-M4 it does, on a Cortex-M3 it does not. AES is "aes_ct", bit-sliced. No state and no memory of its own; each
 * function overwrites what it and the library leave on the stack. */
extern const struct cemv_crypto_secret bearssl_secret;

/* Bytes of stack that each function overwrites below its own frame: no call into the library may go deeper.
 * Scripts/firmware measures how deep it goes on a Cortex-M4 by gcc -Os; measure again with another compiler. */
#ifndef BEARSSL_SECRET_CURVE_STACK
#define BEARSSL_SECRET_CURVE_STACK 3072
#endif
#ifndef BEARSSL_SECRET_CIPHER_STACK
#define BEARSSL_SECRET_CIPHER_STACK 1280
#endif

#endif
