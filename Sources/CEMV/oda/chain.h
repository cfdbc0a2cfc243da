/* SPDX-License-Identifier: Apache-2.0 */
/* The chain from a CA key of the configuration to the key of a card, over the card's data in a tag store (Book 2, 6.2
 * to 6.4). Knows no command and no kernel; reports findings, and the kernel decides what follows. */
#ifndef CEMV_ODA_CHAIN_H
#define CEMV_ODA_CHAIN_H

#include "../data/data.h"
#include "oda.h"

struct cemv_chain {
    const struct cemv_crypto *crypto;
    const struct cemv_configuration *configuration; /* CA keys and revoked certificates */
    const struct cemv_rsa_key *prepared;            /* one for each CA key; NULL: none */
    struct cemv_issuer_keys *issuer_keys;           /* of earlier taps; NULL: none are remembered */
    cemv_bytes aid;                                 /* of the reader: its RID, never the card's (attacks.md, A03) */
    const uint8_t *date;                            /* of the transaction, YYMMDD */
    struct cemv_store *store;
    uint32_t *findings;
    uint8_t precomputed;  /* what cemv_chain_precompute() has done */
    bool expired_ca_keys; /* are used all the same (Book 2, 11.2.4, wants no dates in terminals; attacks.md, A15) */
};

/* The CA key that tag 8F names; NULL if there is none, or it has expired and may not be used. Leaves the findings
 * CA_KEY_MISSING and CA_KEY_EXPIRED. */
const struct cemv_ca_key *cemv_chain_ca_key(const struct cemv_chain *chain);
/* The chain to the ICC key, static data included, which is then vouched for. Leaves the findings of
 * cemv_chain_ca_key(), TEST_KEY, CERTIFICATE_EXPIRED and CERTIFICATE_REVOKED. */
enum cemv_oda_result cemv_chain_icc_key(const struct cemv_chain *chain, struct cemv_certificate *icc);

/* The issuer's key and the signature over the static data, 93, which is then vouched for (Book 2, 5). Leaves the same
 * findings. Gives the Data Authentication Code. */
enum cemv_oda_result cemv_chain_static(const struct cemv_chain *chain, uint8_t code[2]);

/* Precomputes one public operation of that chain, if its operands are there: no finding, no provenance, no decision.
 * The blocks lie at the end of the store's arena, which they give up when it is needed; operands do not change within
 * an activation, because a card cannot write over its own data. False: nothing to do, now or at all. */
bool cemv_chain_precompute_due(const struct cemv_store *store, uint8_t precomputed);
bool cemv_chain_precompute(struct cemv_chain *chain);

/* Byte 1 of the AIP denies `method`, and the card carries the certificates for it, or denies every method and yet has
 * records that are signed (attacks.md, A27). */
bool cemv_chain_is_stripped(const struct cemv_store *store, uint8_t method);

/* What a dynamic signature covers has its meaning by the list that requested it: true if CDOL1 lies in what the card's
 * certificate covers, and requests all of amount, type and unpredictable number (attacks.md, A35). It may be asked
 * before the chain is verified; without one that holds it says nothing. */
bool cemv_chain_signs_transaction(const struct cemv_store *store);

#endif
