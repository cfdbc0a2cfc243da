/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures: recovery (EMV 4.3 Book 2, A2.1.3), static data (5.4), dynamic data (6.5.2, 6.6.2; Book C-3, C.1).
 *
 * EMV signs with message recovery: the public operation returns a block of the modulus' length, which consists of a
 * header, a format, the signed data, padding, a hash over these and over data outside, and a trailer. A signature is
 * good if every part is as the book requires. The functions are pure, over bytes; they know no tag store, no command
 * and no kernel. */
#include "oda.h"
#include "../include/cemv_tags.h"

enum {
    TAIL = CEMV_SHA1_SIZE + 1,          /* hash and trailer */
    STATIC_HEAD = 5,                    /* header, format, hash algorithm, Data Authentication Code */
    DYNAMIC_HEAD = 4,                   /* header, format, hash algorithm, length of the ICC Dynamic Data */
    CDA_FIXED = 1 + 8 + CEMV_SHA1_SIZE, /* CID, cryptogram, Transaction Data Hash Code */
};

/* The results are ordered: the first group means that data are missing or out of date, the second that existing data
 * contradict each other. Only the second is evidence of tampering. */
bool cemv_oda_is_tamper(enum cemv_oda_result result) { return result >= CEMV_ODA_SIGNER_TOO_SHORT; }

/* The public operation, unless its result was computed in advance; it is faster with a prepared key. */
static bool operate(const struct cemv_crypto *crypto, const struct crypto_signer *signer, cemv_bytes signature,
                    uint8_t *block)
{
    if (signer->recovered != NULL) {
        crypto_copy(block, signer->recovered, signature.size);
        return true;
    }
    if (signer->prepared != NULL && crypto->rsa_public_prepared != NULL)
        return crypto->rsa_public_prepared(block, signature, signer->prepared);
    return crypto->rsa_public(block, signature, signer->modulus, signer->exponent);
}

/* Recovery, and the checks of header, format and trailer. Checks that need no public operation come first. A signature
 * that is not smaller than the modulus is refused, because it would be a second form of another signature. */
enum cemv_oda_result crypto_recover(const struct cemv_crypto *crypto, const struct crypto_signer *signer,
                                    cemv_bytes signature, size_t overhead, uint8_t format, uint8_t *block)
{
    cemv_bytes modulus = signer->modulus;
    if (modulus.size <= overhead || modulus.size > CEMV_ODA_MODULUS_MAX) return CEMV_ODA_SIGNER_TOO_SHORT;
    if (signature.size != modulus.size) return CEMV_ODA_LENGTH;
    if (!crypto_exponent_allowed(signer->exponent)) return CEMV_ODA_EXPONENT;
    if (modulus.data[0] == 0 || modulus.data[modulus.size - 1u] % 2u == 0) return CEMV_ODA_MODULUS;
    if (cemv_memcmp(signature.data, modulus.data, modulus.size) >= 0) return CEMV_ODA_RECOVERY;
    if (!operate(crypto, signer, signature, block)) return CEMV_ODA_RECOVERY;
    if (block[modulus.size - 1u] != 0xBC) return CEMV_ODA_TRAILER;
    if (block[0] != 0x6A) return CEMV_ODA_HEADER;
    return block[1] == format ? CEMV_ODA_OK : CEMV_ODA_FORMAT;
}

bool crypto_is_padding(const uint8_t *at, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (at[i] != 0xBB) return false;
    return true;
}

/* 9F4A: the AIP is the only object that it may add to the signed records (Book 3, 10.3). */
enum cemv_oda_result cemv_static_tag_list_check(cemv_bytes tag_list)
{
    if (tag_list.data == NULL) return CEMV_ODA_OK;
    return tag_list.size == 1u && tag_list.data[0] == 0x82 ? CEMV_ODA_OK : CEMV_ODA_STATIC_TAG_LIST;
}

/* Not inlined, so that the list is not on the stack during the public operation. */
crypto_noinline enum cemv_oda_result crypto_check_hash(const struct cemv_crypto *crypto, const cemv_bytes *first,
                                                       size_t count, const struct cemv_static_data *data,
                                                       const uint8_t *hash)
{
    cemv_bytes list[3 + CEMV_ODA_PIECES_MAX + 1];
    uint8_t digest[CEMV_SHA1_SIZE];
    for (size_t i = 0; i < count; i++) list[i] = first[i];
    if (data != NULL) {
        enum cemv_oda_result result = cemv_static_tag_list_check(data->tag_list);
        if (result != CEMV_ODA_OK) return result;
        if (data->count > CEMV_ODA_PIECES_MAX) return CEMV_ODA_TOO_MANY_PIECES;
        for (size_t i = 0; i < data->count; i++) list[count++] = data->pieces[i];
        if (data->tag_list.data != NULL) {
            if (data->aip.size != 2u) return CEMV_ODA_DATA_MISSING;
            list[count++] = data->aip;
        }
    }
    crypto->sha1(digest, list, count);
    return crypto_equal(digest, hash, sizeof digest) ? CEMV_ODA_OK : CEMV_ODA_HASH;
}

enum cemv_oda_result cemv_ssad_open(const struct cemv_crypto *crypto, const struct cemv_public_key *issuer,
                                    cemv_bytes ssad, uint8_t block[CEMV_ODA_MODULUS_MAX])
{
    struct crypto_signer signer = { crypto_bytes(issuer->modulus, issuer->size), issuer->exponent, NULL, NULL };
    if (ssad.size == 0) return CEMV_ODA_DATA_MISSING;
    return crypto_recover(crypto, &signer, ssad, STATIC_HEAD + TAIL, 3, block);
}

/* The recovered block is hashed together with the static data, so a record that was added, removed or changed gives
 * another hash. */
enum cemv_oda_result cemv_ssad_close(const struct cemv_crypto *crypto, const uint8_t *block, size_t size,
                                     const struct cemv_static_data *static_data, uint8_t code[2])
{
    if (block[2] != 1) return CEMV_ODA_HASH_ALGORITHM;
    cemv_bytes recovered = crypto_bytes(block + 1, size - 1u - TAIL);
    const enum cemv_oda_result result = crypto_check_hash(crypto, &recovered, 1, static_data, block + size - TAIL);
    if (result != CEMV_ODA_OK) return result;
    if (!crypto_is_padding(block + STATIC_HEAD, size - STATIC_HEAD - TAIL)) return CEMV_ODA_PADDING;
    crypto_copy(code, block + 3, 2);
    return CEMV_ODA_OK;
}

enum cemv_oda_result cemv_ssad_verify(const struct cemv_crypto *crypto, const struct cemv_public_key *issuer,
                                      cemv_bytes ssad, const struct cemv_static_data *static_data, uint8_t code[2])
{
    uint8_t block[CEMV_ODA_MODULUS_MAX];
    const enum cemv_oda_result result = cemv_ssad_open(crypto, issuer, ssad, block);
    return result == CEMV_ODA_OK ? cemv_ssad_close(crypto, block, ssad.size, static_data, code) : result;
}

/* The common part of DDA, fDDA and CDA. At least `fixed` bytes must follow the ICC Dynamic Number. The hash is compared
 * before the data are interpreted, so that no byte is used that is not covered. */
static enum cemv_oda_result verify_dynamic(const struct cemv_crypto *crypto, const struct cemv_public_key *icc,
                                           cemv_bytes sdad, uint8_t format, const cemv_bytes *pieces, size_t count,
                                           size_t fixed, struct cemv_dynamic_data *out)
{
    uint8_t *const block = out->data, *const data = block + DYNAMIC_HEAD;
    struct crypto_signer signer = { crypto_bytes(icc->modulus, icc->size), icc->exponent, NULL, NULL };
    if (sdad.size == 0) return CEMV_ODA_DATA_MISSING;
    enum cemv_oda_result result = crypto_recover(crypto, &signer, sdad, DYNAMIC_HEAD + TAIL, format, block);
    if (result != CEMV_ODA_OK) return result;
    if (block[2] != 1) return CEMV_ODA_HASH_ALGORITHM;
    size_t room = sdad.size - DYNAMIC_HEAD - TAIL;
    size_t size = block[3];
    if (size == 0 || size > room) return CEMV_ODA_DYNAMIC_DATA_LENGTH;
    cemv_bytes recovered = crypto_bytes(block + 1, sdad.size - 1u - TAIL);
    const struct cemv_static_data terminal_data = { .pieces = pieces, .count = count };
    result = crypto_check_hash(crypto, &recovered, 1, &terminal_data, block + sdad.size - TAIL);
    if (result != CEMV_ODA_OK) return result;
    size_t number_size = data[0];
    if (!crypto_is_padding(data + size, room - size)) return CEMV_ODA_PADDING;
    if (number_size < 2u || number_size > 8u) return CEMV_ODA_DYNAMIC_NUMBER;
    if (size < 1u + number_size + fixed) return CEMV_ODA_DYNAMIC_DATA_LENGTH;
    crypto_fill(out->number, 0, sizeof out->number);
    crypto_copy(out->number, data + 1, number_size);
    crypto_move(out->data, data, size);
    crypto_fill(out->data + size, 0, sizeof out->data - size);
    out->size = (uint8_t)size;
    out->number_size = (uint8_t)number_size;
    return CEMV_ODA_OK;
}

enum cemv_oda_result cemv_dda_verify(const struct cemv_crypto *crypto, const struct cemv_public_key *icc,
                                     cemv_bytes sdad, uint8_t format, const cemv_bytes *pieces, size_t count,
                                     struct cemv_dynamic_data *out)
{
    return verify_dynamic(crypto, icc, sdad, format, pieces, count, 0, out);
}

/* fDDA (Book C-3, annex C): there is no DDOL, the four pieces are fixed. */
enum cemv_oda_result cemv_fdda_verify(const struct cemv_crypto *crypto, const struct cemv_public_key *icc,
                                      const struct cemv_fdda_input *input, struct cemv_dynamic_data *out)
{
    const cemv_bytes pieces[4] = { input->unpredictable_number, input->amount, input->currency, input->card_data };
    if (pieces[0].size != 4u || pieces[1].size != 6u || pieces[2].size != 2u || pieces[3].size == 0)
        return CEMV_ODA_DATA_MISSING;
    if (pieces[3].size < 5u || pieces[3].size > 16u) return CEMV_ODA_CARD_DATA_LENGTH;
    if (pieces[3].data[0] != 1) return CEMV_ODA_FDDA_VERSION;
    return verify_dynamic(crypto, icc, input->sdad, input->format, pieces, 4, 0, out);
}

/* The signature is checked before the CID (step 6): the contents of an unverified block say nothing about the
 * cryptogram. */
enum cemv_oda_result cemv_cda_verify(const struct cemv_crypto *crypto, const struct cemv_public_key *icc,
                                     const struct cemv_cda_input *input, struct cemv_cda_data *out)
{
    if (input->unpredictable_number.size != 4u) return CEMV_ODA_DATA_MISSING;
    enum cemv_oda_result result =
        verify_dynamic(crypto, icc, input->sdad, 5, &input->unpredictable_number, 1, CDA_FIXED, &out->dynamic);
    if (result != CEMV_ODA_OK) return result;
    const uint8_t *at = out->dynamic.data + 1 + out->dynamic.number_size;
    if (at[0] != input->cid) return CEMV_ODA_CID_MISMATCH;
    if (input->transaction_hash.size != CEMV_SHA1_SIZE ||
        !crypto_equal(input->transaction_hash.data, at + 9, CEMV_SHA1_SIZE))
        return CEMV_ODA_TRANSACTION_HASH;
    out->cid = at[0];
    crypto_copy(out->cryptogram, at + 1, sizeof out->cryptogram);
    crypto_copy(out->transaction_hash, at + 9, sizeof out->transaction_hash);
    return CEMV_ODA_OK;
}

/* The values of the lists as sent, then the objects of the response as received, without the signature itself (6.6.1).
 * Returns no bytes if the response has no objects, or more than any kernel accepts. */
cemv_bytes cemv_cda_transaction_hash(const struct cemv_crypto *crypto, const cemv_bytes *lists, size_t count,
                                     cemv_bytes response, uint8_t digest[CEMV_SHA1_SIZE])
{
    enum { OBJECTS = 38 };
    cemv_bytes pieces[CEMV_CDA_LISTS + OBJECTS];
    struct cemv_tlv_cursor cursor = cemv_tlv_open(response);
    struct cemv_tlv object;
    size_t used = count;
    for (size_t i = 0; i < count; i++) pieces[i] = lists[i];
    while (cemv_tlv_next(&cursor, &object)) {
        if (object.tag == CEMV_TAG_9F4B_SIGNED_DYNAMIC_APPLICATION_DATA) continue;
        if (used == count + OBJECTS) return crypto_bytes(NULL, 0);
        pieces[used++] = object.whole;
    }
    if (used == count) return crypto_bytes(NULL, 0);
    crypto->sha1(digest, pieces, used);
    return crypto_bytes(digest, CEMV_SHA1_SIZE);
}
