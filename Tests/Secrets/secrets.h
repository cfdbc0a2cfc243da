/* SPDX-License-Identifier: Apache-2.0 */
/* The secret part of the crypto port for tests and traces in C: plain C without tables and without branches on a
 * secret, over the field of crypto/p256.h. Not for products: nobody has examined it on a processor of theirs. */
#ifndef TEST_SECRETS_H
#define TEST_SECRETS_H

#include "../../Sources/CEMV/include/cemv_crypto.h"
#include "../../Sources/CEMV/include/cemv_kernel_8.h"

extern const struct cemv_crypto_secret test_secrets;
/* The built-in engine with that part. */
struct cemv_crypto test_crypto(void);

#endif
