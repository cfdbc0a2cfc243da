/* SPDX-License-Identifier: Apache-2.0 */
/* A card that signs, for dialogues: certificates and signatures written field by field (Book 2, 5.1 and 6.3 to 6.6),
 * under a port whose RSA operation returns its input. The hashes are real, so the hashed data matter. Knows no kernel.
 */
#ifndef CEMV_PROVING_SIGNING_CARD_H
#define CEMV_PROVING_SIGNING_CARD_H

#include "CEMVInternals.h"

enum { SIGNING_CA_SIZE = 144, SIGNING_ISSUER_SIZE = 144, SIGNING_ICC_SIZE = 112, SIGNING_CA_INDEX = 0x92 };

/* The built-in port, except that RSA returns its input. */
const struct cemv_crypto *signing_port(void);
/* The CA key of this provider that the card's certificates name. */
struct cemv_ca_key signing_ca_key(const uint8_t rid[5]);

/* 8F, 90, 92, 9F32: the issuer's certificate for accounts that begin as this PAN of 16 digits, valid to December 2030.
 * Returns the size. */
size_t signing_issuer(uint8_t *out, const uint8_t pan[8]);
/* 9F46, 9F48, 9F47: the card's certificate. `static_data` is the content of the signed records. */
size_t signing_icc(uint8_t *out, const uint8_t pan[8], cemv_bytes static_data);
/* 9F4B: signed data of this format over `dynamic`, with these pieces of terminal and card data included in the hash. */
size_t signing_signature(uint8_t *out, uint8_t format, cemv_bytes dynamic, const cemv_bytes *pieces, size_t count);

#endif
