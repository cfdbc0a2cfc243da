/* SPDX-License-Identifier: Apache-2.0 */
/* From a CA key to the key of a card, over the data in the store; chain.h describes the functions (EMV 4.3 Book 2, 6.2
 * to 6.4).
 *
 * The reader has the public keys of a payment system (CA). With one of them it recovers the issuer's key from a
 * certificate that the card supplies, and with that the card's key, whose certificate also covers the signed records.
 * Each step is one RSA public operation, the longest computation of a tap. The steps can therefore be done in advance
 * while the card is busy, and their results wait in the free end of the store's arena. Reports findings; knows no
 * command and no kernel. */
#include "chain.h"

enum { RID_SIZE = 5, METHODS = CEMV_AIP_1_SDA | CEMV_AIP_1_DDA | CEMV_AIP_1_CDA };
/* Used in both chains; inlined into each, since a kernel uses only one of them. */
#define chain_inline static compiler_always_inline
/* The finished parts of precomputation. */
enum { DONE_ISSUER = 1, DONE_ICC = 2, NO_MORE = 4, BLOCKS = 2 };

static void find(const struct cemv_chain *chain, unsigned finding) { *chain->findings |= 1u << finding; }

static cemv_bytes value(const struct cemv_chain *chain, uint16_t slot) { return cemv_store_value(chain->store, slot); }

/* CA keys ---------------------------------------------------------------------------------------------------------- */

/* A CA key is found by the RID of the combination and the index that the card names, 8F. */

static const struct cemv_ca_key *ca_key_row(const struct cemv_chain *chain)
{
    const cemv_bytes index = value(chain, CEMV_SLOT_8F);
    if (index.size != 1 || chain->aid.size < RID_SIZE) return NULL;
    return cemv_ca_key_find(chain->configuration->ca_keys, chain->configuration->ca_key_count, chain->aid.data,
                            index.data[0]);
}

/* True after the last day of a key; on that day it is still valid. */
static bool is_past(const struct cemv_ca_key *key, const uint8_t date[3])
{
    uint32_t last_day = 0, today = 0;
    (void)cemv_date_read((cemv_bytes){ key->expires, 3 }, &last_day);
    (void)cemv_date_read((cemv_bytes){ date, 3 }, &today);
    return (key->expires[0] | key->expires[1] | key->expires[2]) != 0 && today > last_day;
}

const struct cemv_ca_key *cemv_chain_ca_key(const struct cemv_chain *chain)
{
    const struct cemv_ca_key *key = ca_key_row(chain);
    if (key == NULL) {
        find(chain, CEMV_FINDING_CA_KEY_MISSING);
    } else if (is_past(key, chain->date)) {
        find(chain, CEMV_FINDING_CA_KEY_EXPIRED);
        if (!chain->expired_ca_keys) return NULL;
    }
    return key;
}

/* Precomputation --------------------------------------------------------------------------------------------------- */

/* Only the public operation is done in advance. All checks of the recovered block are part of the chain, so the result
 * does not depend on whether there was time for precomputation. */

/* NULL once the store has grown into that place; then the operation is repeated. */
static uint8_t *block_of(struct cemv_store *store, uint8_t which)
{
    uint8_t *blocks = cemv_store_spare(store, (size_t)BLOCKS * CEMV_ODA_MODULUS_MAX);
    if (blocks == NULL) return NULL;
    return which == DONE_ISSUER ? blocks : blocks + CEMV_ODA_MODULUS_MAX;
}

static const uint8_t *block_done(const struct cemv_chain *chain, uint8_t which)
{
    return (chain->precomputed & which) != 0 ? block_of(chain->store, which) : NULL;
}

/* The part that can be done now; 0: nothing. */
static uint8_t due(const struct cemv_store *store, uint8_t done)
{
    const cemv_bytes profile = cemv_store_value(store, CEMV_SLOT_82);
    if ((done & (DONE_ICC | NO_MORE)) != 0 || profile.size == 0 || (profile.data[0] & METHODS) == 0) return 0;
    if ((done & DONE_ISSUER) == 0)
        return cemv_store_has(store, CEMV_SLOT_8F) && cemv_store_has(store, CEMV_SLOT_90) ? DONE_ISSUER : 0;
    return cemv_store_has(store, CEMV_SLOT_9F32) && cemv_store_has(store, CEMV_SLOT_9F46) ? DONE_ICC : 0;
}

bool cemv_chain_precompute_due(const struct cemv_store *store, uint8_t precomputed)
{
    return due(store, precomputed) != 0;
}

static struct cemv_issuer_input issuer_input_of(const struct cemv_chain *chain, const struct cemv_ca_key *ca)
{
    const struct cemv_configuration *configuration = chain->configuration;
    struct cemv_issuer_input input = {
        .ca = ca,
        .prepared = ca != NULL && chain->prepared != NULL ? &chain->prepared[ca - configuration->ca_keys] : NULL,
        .keys = chain->issuer_keys,
        .certificate = value(chain, CEMV_SLOT_90),
        .remainder = value(chain, CEMV_SLOT_92),
        .exponent = value(chain, CEMV_SLOT_9F32),
        .pan = value(chain, CEMV_SLOT_5A),
        .revoked = configuration->revocations,
        .revoked_count = configuration->revocation_count,
    };
    cemv_copy(input.date, chain->date, sizeof input.date);
    return input;
}

bool cemv_chain_precompute(struct cemv_chain *chain)
{
    const uint8_t next = due(chain->store, chain->precomputed);
    uint8_t *const block = next != 0 ? block_of(chain->store, next) : NULL;
    const struct cemv_ca_key *const ca = block != NULL ? ca_key_row(chain) : NULL;
    bool done = false;
    if (next == 0) return false;
    if (ca != NULL) {
        const struct cemv_issuer_input issuer = issuer_input_of(chain, ca);
        done = next == DONE_ISSUER ? cemv_issuer_work(chain->crypto, &issuer, block)
                                   : cemv_icc_work(chain->crypto, &issuer, block_of(chain->store, DONE_ISSUER),
                                                   value(chain, CEMV_SLOT_9F46), block);
    }
    chain->precomputed |= done ? next : NO_MORE;
    return done;
}

/* The chain -------------------------------------------------------------------------------------------------------- */

/* Functions with a large frame are not inlined, so that lists of signed pieces and recovered blocks are not on the
 * stack together with a public operation. */

crypto_noinline static enum cemv_oda_result issuer_key(const struct cemv_chain *chain, struct cemv_certificate *issuer)
{
    const struct cemv_ca_key *const ca = cemv_chain_ca_key(chain);
    struct cemv_issuer_input input = issuer_input_of(chain, ca);
    if (ca != NULL && ca->test) find(chain, CEMV_FINDING_TEST_KEY);
    input.recovered = block_done(chain, DONE_ISSUER);
    return cemv_issuer_recover(chain->crypto, &input, issuer);
}

/* `pieces` has CEMV_STORE_SPANS elements and must outlive the result. */
chain_inline struct cemv_static_data static_data_of(const struct cemv_chain *chain, cemv_bytes *pieces)
{
    return (struct cemv_static_data){
        .pieces = pieces,
        .count = cemv_store_signed(chain->store, pieces),
        .tag_list = value(chain, CEMV_SLOT_9F4A),
        .aip = value(chain, CEMV_SLOT_82),
    };
}

/* Marks the static data as proven, and the AIP if the tag list names it. */
chain_inline void vouch(const struct cemv_chain *chain)
{
    cemv_store_vouch_static(chain->store);
    if (cemv_store_has(chain->store, CEMV_SLOT_9F4A))
        cemv_store_set_provenance(chain->store, CEMV_SLOT_82, CEMV_FROM_CARD_STATIC);
}

crypto_noinline static enum cemv_oda_result close_icc_key(const struct cemv_chain *chain, struct cemv_icc_input *input,
                                                          struct cemv_certificate *icc)
{
    cemv_bytes pieces[CEMV_STORE_SPANS];
    input->static_data = static_data_of(chain, pieces);
    return cemv_icc_close(chain->crypto, input, icc);
}

crypto_noinline static enum cemv_oda_result close_static(const struct cemv_chain *chain, const uint8_t *block,
                                                         uint8_t code[2])
{
    cemv_bytes pieces[CEMV_STORE_SPANS];
    const struct cemv_static_data data = static_data_of(chain, pieces);
    return cemv_ssad_close(chain->crypto, block, value(chain, CEMV_SLOT_93).size, &data, code);
}

/* Expired and revoked certificates are reported separately: for a POS they mean something else than forged ones. */
chain_inline enum cemv_oda_result noticed(const struct cemv_chain *chain, enum cemv_oda_result result)
{
    if (result == CEMV_ODA_CERTIFICATE_EXPIRED) find(chain, CEMV_FINDING_CERTIFICATE_EXPIRED);
    if (result == CEMV_ODA_CERTIFICATE_REVOKED) find(chain, CEMV_FINDING_CERTIFICATE_REVOKED);
    return result;
}

/* Book 2, 6.3 and 6.4. The card's certificate is checked against the static data. If it is good, the store raises the
 * provenance of these data. */
enum cemv_oda_result cemv_chain_icc_key(const struct cemv_chain *chain, struct cemv_certificate *icc)
{
    struct cemv_certificate issuer;
    if (chain->store->spans_overflowed) return CEMV_ODA_TOO_MANY_PIECES;
    enum cemv_oda_result result = issuer_key(chain, &issuer);
    if (result != CEMV_ODA_OK) return noticed(chain, result);
    struct cemv_icc_input input = {
        .issuer = &issuer.key,
        .recovered = block_done(chain, DONE_ICC),
        .certificate = value(chain, CEMV_SLOT_9F46),
        .remainder = value(chain, CEMV_SLOT_9F48),
        .exponent = value(chain, CEMV_SLOT_9F47),
        .pan = value(chain, CEMV_SLOT_5A),
    };
    cemv_copy(input.date, chain->date, sizeof input.date);
    result = cemv_icc_open(chain->crypto, &input, icc);
    if (result == CEMV_ODA_OK) result = close_icc_key(chain, &input, icc);
    if (result != CEMV_ODA_OK) return noticed(chain, result);
    vouch(chain);
    return CEMV_ODA_OK;
}

/* SDA (Book 2, 5.4): the issuer has signed the static data directly. A copied card passes too, because nothing here
 * depends on a secret of the card. */
enum cemv_oda_result cemv_chain_static(const struct cemv_chain *chain, uint8_t code[2])
{
    struct cemv_certificate issuer;
    uint8_t block[CEMV_ODA_MODULUS_MAX];
    if (chain->store->spans_overflowed) return CEMV_ODA_TOO_MANY_PIECES;
    enum cemv_oda_result result = issuer_key(chain, &issuer);
    if (result == CEMV_ODA_OK) result = cemv_ssad_open(chain->crypto, &issuer.key, value(chain, CEMV_SLOT_93), block);
    if (result == CEMV_ODA_OK) result = close_static(chain, block, code);
    if (result != CEMV_ODA_OK) return noticed(chain, result);
    vouch(chain);
    return CEMV_ODA_OK;
}

/* Removed data
 * ------------------------------------------------------------------------------------------------------ */

/* Signs that a relay has removed the card's means of authentication (attacks.md, A27), or has changed the data under
 * the signature (A35). */

/* Book 3, 10.2: the fourth byte of an entry of the file locator counts its signed records. */
static bool has_signed_records(const struct cemv_store *store)
{
    const cemv_bytes locator = cemv_store_value(store, CEMV_SLOT_94);
    for (size_t at = 3; at < locator.size; at += 4) {
        if (locator.data[at] != 0) return true;
    }
    return false;
}

/* A kernel that needs no certificate may not have read it, so the signed records count as a sign too. */
bool cemv_chain_is_stripped(const struct cemv_store *store, uint8_t method)
{
    const cemv_bytes profile = cemv_store_value(store, CEMV_SLOT_82);
    if (profile.size == 0 || (profile.data[0] & method) != 0) return false;
    if ((profile.data[0] & METHODS) == 0 && has_signed_records(store)) return true;
    return cemv_store_has(store, CEMV_SLOT_8F) && cemv_store_has(store, CEMV_SLOT_90) &&
           cemv_store_has(store, CEMV_SLOT_9F46);
}

bool cemv_chain_signs_transaction(const struct cemv_store *store)
{
    enum { AMOUNT_SIZE = 6, TYPE_SIZE = 1, NUMBER_SIZE = 4 };
    const struct cemv_store_entry *const entry = cemv_store_find(store, CEMV_SLOT_8C);
    if (entry == NULL || entry->covered == 0) return false;
    const cemv_bytes list = { store->arena + entry->offset, entry->size };
    return cemv_dol_asks(list, CEMV_TAG_9F02_AMOUNT_AUTHORISED, AMOUNT_SIZE) &&
           cemv_dol_asks(list, CEMV_TAG_9C_TRANSACTION_TYPE, TYPE_SIZE) &&
           cemv_dol_asks(list, CEMV_TAG_9F37_UNPREDICTABLE_NUMBER, NUMBER_SIZE);
}
