/* SPDX-License-Identifier: Apache-2.0 */
/* The chain from a configured CA key to a card's key, over the card's data in a tag store (Book 2, 6.2 to 6.4). Knows
 * no command and no kernel; reports findings, and the kernel decides about the consequences. */
#ifndef CEMV_ODA_CHAIN_H
#define CEMV_ODA_CHAIN_H

#include "../data/data.h"
#include "oda.h"

struct cemv_chain {
    const struct cemv_crypto *crypto;
    const struct cemv_configuration *configuration; /* CA keys and revoked certificates */
    const struct cemv_rsa_key *prepared;            /* one for each CA key; NULL: not prepared */
    struct cemv_issuer_keys *issuer_keys;           /* from earlier taps; NULL: not kept */
    cemv_bytes aid;      /* the reader's AID: its RID is used, never the card's (attacks.md, A03) */
    const uint8_t *date; /* date of the transaction, YYMMDD */
    struct cemv_store *store;
    uint32_t *findings;
    uint8_t precomputed;  /* the finished parts of cemv_chain_precompute() */
    bool expired_ca_keys; /* expired keys are used (Book 2, 11.2.4, wants no dates in terminals; attacks.md, A15) */
};

/* The CA key that tag 8F names; NULL if it is not configured, or has expired and may not be used. Reports
 * CA_KEY_MISSING and CA_KEY_EXPIRED. */
const struct cemv_ca_key *cemv_chain_ca_key(const struct cemv_chain *chain);
/* Verifies the chain to the ICC key including the static data, which are then marked as proven. Reports the findings of
 * cemv_chain_ca_key(), TEST_KEY, CERTIFICATE_EXPIRED and CERTIFICATE_REVOKED. */
enum cemv_oda_result cemv_chain_icc_key(const struct cemv_chain *chain, struct cemv_certificate *icc);

/* Verifies the issuer's key and the signature over the static data, 93, which are then marked as proven (Book 2, 5).
 * Reports these findings too. Returns the Data Authentication Code. */
enum cemv_oda_result cemv_chain_static(const struct cemv_chain *chain, uint8_t code[2]);

/* Precomputes one public operation of that chain if its inputs are present: without findings, provenance or decisions.
 * The blocks are at the end of the store's arena, and are given up if the store needs that space. The inputs do not
 * change within an activation, because a card cannot overwrite its data. Returns false if there is nothing to do. */
bool cemv_chain_precompute_due(const struct cemv_store *store, uint8_t precomputed);
bool cemv_chain_precompute(struct cemv_chain *chain);

/* True if byte 1 of the AIP denies `method` although the card has the certificates for it, or if it denies every method
 * although there are signed records (attacks.md, A27). */
bool cemv_chain_is_stripped(const struct cemv_store *store, uint8_t method);

/* The meaning of the data under a dynamic signature depends on the list that requested them. Returns true if CDOL1 is
 * in the data that the card's certificate covers and requests all of amount, type and unpredictable number (attacks.md,
 * A35). It may be called before the chain is verified; its result has no meaning if the chain then fails. */
bool cemv_chain_signs_transaction(const struct cemv_store *store);

#endif
