/* SPDX-License-Identifier: Apache-2.0 */
/* Where something that depends on a secret becomes public: the check of constant time (Scripts/constant-time) takes
 * note there, and a product does nothing. Each use names the clause by which these bytes are sent, stored or decided
 * on. */
#ifndef CEMV_CRYPTO_SECRET_H
#define CEMV_CRYPTO_SECRET_H

#include <stddef.h>

#ifdef CEMV_CONSTANT_TIME
/* Of the check. */
void crypto_declassify(const void *bytes, size_t size);
#else
static inline void crypto_declassify(const void *bytes, size_t size)
{
    (void)bytes;
    (void)size;
}
#endif

#endif
