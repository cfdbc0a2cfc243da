/* SPDX-License-Identifier: Apache-2.0 */
/* Issuer keys of earlier taps (include/cemv_crypto.h): a certificate that was verified before with this CA key is not
 * verified again (EMV 4.3 Book 2, 6.3; Book C-8, C.25). Works on the caller's memory; knows no card and no kernel.
 *
 * Few issuers serve most customers of a shop, so this often saves one of three RSA operations. A stored key is used
 * only if every input of its verification is equal, byte for byte: comparing a hash or a serial number instead would
 * let a card supply a certificate that only looks like a known one. */
#include "oda.h"

/* A verified certificate: all inputs that decided the result, and the recovered block. With a CA key on a curve the
 * exponent is 0, the modulus is the point of the CA key, and the block is the point of the issuer's key. */
struct issuer_key {
    uint32_t ca_exponent;
    uint16_t size, remainder_size; /* `size` of certificate, and of an RSA key's block and CA modulus; 0: free */
    uint8_t rid[5], index;
    uint8_t exponent_size, exponent[3];
    uint8_t ca_modulus[CEMV_ODA_MODULUS_MAX], certificate[CEMV_ODA_MODULUS_MAX], remainder[CEMV_ODA_MODULUS_MAX],
        block[CEMV_ODA_MODULUS_MAX];
};
struct cemv_issuer_keys {
    uint32_t found;
    uint8_t next;
    struct issuer_key key[CEMV_ISSUER_KEYS];
};
enum { POINT = 2 * CEMV_P256_SIZE };
_Static_assert(sizeof(struct cemv_issuer_keys) <= CEMV_ISSUER_KEYS_SIZE, "CEMV_ISSUER_KEYS_SIZE is too small");

uint32_t cemv_issuer_keys_found(const struct cemv_issuer_keys *keys) { return keys->found; }

/* True if this is the key of the input. The certificate is not empty, so a free entry never matches. */
static bool is_key_of(const struct issuer_key *key, const struct cemv_issuer_input *input)
{
    const struct cemv_ca_key *ca = input->ca;
    return key->size == input->certificate.size && key->size == ca->modulus.size &&
           key->remainder_size == input->remainder.size && key->exponent_size == input->exponent.size &&
           key->ca_exponent == ca->exponent && key->index == ca->index &&
           crypto_equal(key->rid, ca->rid, sizeof key->rid) &&
           crypto_equal(key->certificate, input->certificate.data, key->size) &&
           crypto_equal(key->ca_modulus, ca->modulus.data, key->size) &&
           crypto_equal(key->remainder, input->remainder.data, key->remainder_size) &&
           crypto_equal(key->exponent, input->exponent.data, key->exponent_size);
}

const uint8_t *crypto_issuer_key_find(const struct cemv_issuer_input *input)
{
    if (input->keys == NULL) return NULL;
    for (size_t i = 0; i < CEMV_ISSUER_KEYS; i++)
        if (is_key_of(&input->keys->key[i], input)) return input->keys->key[i].block;
    return NULL;
}

const uint8_t *crypto_issuer_key_take(const struct cemv_issuer_input *input)
{
    const uint8_t *const block = crypto_issuer_key_find(input);
    if (block != NULL) input->keys->found++;
    return block;
}

/* The place of a new key: that of the oldest. Expiry and revocation are not remembered: they are checked again at
 * each tap. */
static struct issuer_key *next_key(struct cemv_issuer_keys *keys)
{
    struct issuer_key *const key = &keys->key[keys->next % CEMV_ISSUER_KEYS];
    keys->next = (uint8_t)((keys->next + 1u) % CEMV_ISSUER_KEYS);
    return key;
}

void crypto_issuer_key_remember(const struct cemv_issuer_input *input, const uint8_t *block)
{
    const struct cemv_ca_key *ca = input->ca;
    struct cemv_issuer_keys *keys = input->keys;
    if (keys == NULL || input->remainder.size > CEMV_ODA_MODULUS_MAX ||
        input->exponent.size > sizeof keys->key[0].exponent)
        return;
    struct issuer_key *key = next_key(keys);
    key->ca_exponent = ca->exponent;
    key->size = (uint16_t)input->certificate.size;
    key->remainder_size = (uint16_t)input->remainder.size;
    key->exponent_size = (uint8_t)input->exponent.size;
    key->index = ca->index;
    crypto_copy(key->rid, ca->rid, sizeof key->rid);
    crypto_copy(key->exponent, input->exponent.data, input->exponent.size);
    crypto_copy(key->ca_modulus, ca->modulus.data, key->size);
    crypto_copy(key->certificate, input->certificate.data, key->size);
    crypto_copy(key->remainder, input->remainder.data, input->remainder.size);
    crypto_copy(key->block, block, key->size);
}

const uint8_t *crypto_issuer_point_find(const struct cemv_issuer_keys *keys, const uint8_t *ca, cemv_bytes certificate)
{
    if (keys == NULL) return NULL;
    for (size_t i = 0; i < CEMV_ISSUER_KEYS; i++) {
        const struct issuer_key *const key = &keys->key[i];
        if (key->ca_exponent == 0 && key->size == certificate.size && crypto_equal(key->ca_modulus, ca, POINT) &&
            crypto_equal(key->certificate, certificate.data, key->size))
            return key->block;
    }
    return NULL;
}

void crypto_issuer_point_keep(struct cemv_issuer_keys *keys, const uint8_t *ca, cemv_bytes certificate,
                              const uint8_t *point)
{
    if (keys == NULL) return;
    if (crypto_issuer_point_find(keys, ca, certificate) != NULL) {
        keys->found++;
        return;
    }
    struct issuer_key *const key = next_key(keys);
    key->ca_exponent = 0;
    key->size = (uint16_t)certificate.size;
    crypto_copy(key->ca_modulus, ca, POINT);
    crypto_copy(key->certificate, certificate.data, key->size);
    crypto_copy(key->block, point, POINT);
}
