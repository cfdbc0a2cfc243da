/* SPDX-License-Identifier: Apache-2.0 */
/* The secret part of the crypto port (cemv_crypto.h, struct cemv_crypto_secret) over BearSSL, for firmware with
 * Kernel 8. Link it with libbearssl, or with the few of its files that Scripts/firmware names. */
#ifndef BEARSSL_SECRET_H
#define BEARSSL_SECRET_H

#include "cemv_crypto.h"

/* P-256 by BearSSL's "m15", which multiplies 32 by 32 bits to 32: on a Cortex-M that takes one cycle whatever the
 * operands are. -DBEARSSL_SECRET_M31 selects "m31" (UMULL), which is faster if UMULL needs a fixed time: it does on a
 * Cortex-M4, not on a Cortex-M3. AES is "aes_ct", bit-sliced. The adapter has neither state nor memory; each function
 * overwrites the data that it and the library leave on the stack. */
extern const struct cemv_crypto_secret bearssl_secret;

/* Bytes of stack that each function overwrites below its own frame: no call into the library may go deeper.
 * Scripts/firmware measures the depth on a Cortex-M4 with gcc -Os; measure again with another compiler. */
#ifndef BEARSSL_SECRET_CURVE_STACK
#define BEARSSL_SECRET_CURVE_STACK 3072
#endif
#ifndef BEARSSL_SECRET_CIPHER_STACK
#define BEARSSL_SECRET_CIPHER_STACK 1280
#endif

#endif
