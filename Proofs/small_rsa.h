/* SPDX-License-Identifier: Apache-2.0 */
/* rsa.c over small limbs: the unchanged source, with types that the including file has named CEMV_LIMB_BITS, small_limb
 * and small_wide. Only the functions that load bytes do not fit, and they are not called. */
#include "../Sources/CEMV/crypto/crypto.h"

#define uint32_t                 small_limb
#define uint64_t                 small_wide
#define cemv_rsa_prepare         small_prepare
#define cemv_rsa_public          small_public
#define cemv_rsa_public_prepared small_public_prepared
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wshift-count-overflow"
#pragma clang diagnostic ignored "-Wtautological-constant-out-of-range-compare"
#include "../Sources/CEMV/crypto/rsa.c"
#pragma clang diagnostic pop
#undef uint32_t
#undef uint64_t
