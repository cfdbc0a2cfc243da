/* SPDX-License-Identifier: Apache-2.0 */
/* Recovery of issuer and ICC public keys from certificates (EMV 4.3 Book 2: 5.3, 6.3, 6.4, A2.1).
 *
 * A certificate is a signature with message recovery. Its block contains the subject, an expiry date, a serial number
 * and as much of the key as fits; the rest of the key, the remainder, is a separate object. The block is recovered in
 * the place of the future key, because a second buffer of that size would be most of a small reader's stack. The order
 * of the checks is the book's and determines the reported result. Pure functions over bytes; they know no tag store, no
 * command and no kernel. */
#include "oda.h"

/* The positions of the fields in a recovered certificate. Both kinds are equal from the expiration date on. */
enum {
    SUBJECT = 2,
    ISSUER_EXPIRY = 6, /* after the four bytes of the Issuer Identifier */
    ICC_EXPIRY = 12,   /* after the ten bytes of the PAN */
    SERIAL = 2,        /* these count from the expiration date */
    HASH_ALGORITHM = 5,
    KEY_ALGORITHM = 6,
    KEY_LENGTH = 7,
    EXPONENT_LENGTH = 8,
    KEY = 9,
    TAIL = CEMV_SHA1_SIZE + 1, /* hash and trailer */
};

struct recovered {
    uint8_t *block;        /* in the place of the future key: finish() moves the key to the front */
    size_t size;           /* size of the block, which is that of the signer's modulus */
    const uint8_t *fields; /* the fields of the block from the expiration date on */
    size_t room;           /* bytes of the key inside the block */
    cemv_bytes remainder, exponent;
};

/* A BCD byte as a number; 100 or more if it is invalid. */
static unsigned bcd(uint8_t byte)
{
    unsigned high = byte >> 4, low = byte & 15u;
    return low > 9u ? 100u : high * 10u + low;
}

/* Years 50 to 99 are 19xx (Book 4). */
static unsigned years_since_1950(unsigned year) { return (year + 50u) % 100u; }

/* YYMMDD as a number that grows with time; 0 if malformed. */
static uint32_t day_number(const uint8_t date[3])
{
    unsigned year = bcd(date[0]), month = bcd(date[1]), day = bcd(date[2]);
    if (year > 99u || month == 0 || month > 12u || day == 0 || day > 31u) return 0;
    return (years_since_1950(year) * 12u + month) * 32u + day;
}

/* The conditions for using a CA key at all. */
static enum cemv_oda_result check_ca_key(const struct cemv_ca_key *ca)
{
    cemv_bytes modulus = ca->modulus;
    if (modulus.size <= ISSUER_EXPIRY + KEY + TAIL || modulus.size > CEMV_ODA_MODULUS_MAX)
        return CEMV_ODA_CA_KEY_UNUSABLE;
    if (modulus.data[0] == 0 || modulus.data[modulus.size - 1u] % 2u == 0) return CEMV_ODA_CA_KEY_UNUSABLE;
    return crypto_exponent_allowed(ca->exponent) ? CEMV_ODA_OK : CEMV_ODA_CA_KEY_UNUSABLE;
}

/* Checks the lengths that determine the hashed bytes. Either the key fits into the block, or its end is exactly the
 * remainder. */
static enum cemv_oda_result check_lengths(const struct recovered *cert)
{
    size_t length = cert->fields[KEY_LENGTH];
    if (cert->fields[HASH_ALGORITHM] != 1) return CEMV_ODA_HASH_ALGORITHM;
    if (length == 0 || length > CEMV_ODA_MODULUS_MAX || length > cert->size) return CEMV_ODA_KEY_LENGTH;
    if (length <= cert->room) return cert->remainder.size == 0 ? CEMV_ODA_OK : CEMV_ODA_REMAINDER_UNEXPECTED;
    if (cert->remainder.size == 0) return CEMV_ODA_DATA_MISSING;
    return cert->remainder.size == length - cert->room ? CEMV_ODA_OK : CEMV_ODA_REMAINDER_LENGTH;
}

/* Sets the positions of all parts of a recovered block. */
static void lay_out(struct recovered *cert, size_t size, size_t expiry)
{
    cert->size = size;
    cert->room = size - (expiry + KEY + TAIL);
    cert->fields = cert->block + expiry;
}

/* Steps 5 to 7 of 5.3 and 6.4: the hash over block, remainder and exponent, for a card's certificate also over the
 * static data. */
static enum cemv_oda_result check_block(const struct recovered *cert, const struct cemv_crypto *crypto,
                                        const struct cemv_static_data *static_data)
{
    enum cemv_oda_result result = check_lengths(cert);
    if (result != CEMV_ODA_OK) return result;
    const cemv_bytes first[3] = { crypto_bytes(cert->block + 1, cert->size - 1u - TAIL), cert->remainder,
                                  cert->exponent };
    return crypto_check_hash(crypto, first, 3, static_data, cert->block + cert->size - TAIL);
}

/* Valid until the last day of its month (step 9). The hash has been compared before, so the date is the issuer's. */
static enum cemv_oda_result check_expiry(const struct recovered *cert, uint32_t today)
{
    uint8_t last[3] = { cert->fields[1], cert->fields[0], 0x31 };
    uint32_t end = day_number(last);
    if (end == 0) return CEMV_ODA_EXPIRY_MALFORMED;
    return end < today ? CEMV_ODA_CERTIFICATE_EXPIRED : CEMV_ODA_OK;
}

/* True if the certificate is on the revocation list, by RID, index of the CA key and serial number (Book 2, 5.3, step
 * 10). */
static bool is_revoked(const struct cemv_issuer_input *input, const uint8_t *serial)
{
    for (size_t i = 0; i < input->revoked_count; i++) {
        const struct cemv_revocation *entry = &input->revoked[i];
        if (entry->index == input->ca->index && crypto_equal(entry->rid, input->ca->rid, 5) &&
            crypto_equal(entry->serial, serial, 3))
            return true;
    }
    return false;
}

/* 3 or 65537 in one or three bytes; 0 for anything else. */
static uint32_t read_exponent(cemv_bytes bytes)
{
    uint32_t exponent = 0;
    for (size_t i = 0; i < bytes.size; i++) exponent = (exponent << 8) | bytes.data[i];
    return crypto_exponent_allowed(exponent) ? exponent : 0;
}

/* The last steps: algorithm and key. The block is inside `out` and is overwritten. */
static enum cemv_oda_result finish(const struct recovered *cert, size_t expiry, struct cemv_certificate *out)
{
    size_t length = cert->fields[KEY_LENGTH];
    size_t inside = length < cert->room ? length : cert->room;
    const uint8_t *key = cert->fields + KEY;
    uint8_t last = length > cert->room ? cert->remainder.data[cert->remainder.size - 1u] : key[length - 1u];
    if (cert->fields[KEY_ALGORITHM] != 1) return CEMV_ODA_KEY_ALGORITHM;
    if (!crypto_is_padding(key + inside, cert->room - inside)) return CEMV_ODA_PADDING;
    if (cert->exponent.size != 1u && cert->exponent.size != 3u) return CEMV_ODA_EXPONENT_LENGTH;
    if (cert->fields[EXPONENT_LENGTH] != cert->exponent.size) return CEMV_ODA_EXPONENT_LENGTH;
    uint32_t exponent = read_exponent(cert->exponent);
    if (exponent == 0) return CEMV_ODA_EXPONENT;
    if (key[0] == 0 || last % 2u == 0) return CEMV_ODA_MODULUS;
    crypto_fill(out->subject, 0, sizeof out->subject);
    crypto_copy(out->subject, cert->block + SUBJECT, expiry - SUBJECT);
    crypto_copy(out->expiry, cert->fields, 2);
    crypto_copy(out->serial, cert->fields + SERIAL, 3);
    out->hash_algorithm = cert->fields[HASH_ALGORITHM];
    out->key_algorithm = cert->fields[KEY_ALGORITHM];
    out->key.size = (uint32_t)length;
    out->key.exponent = exponent;
    crypto_move(out->key.modulus, key, inside);
    crypto_copy(out->key.modulus + inside, cert->remainder.data, cert->remainder.size);
    return CEMV_ODA_OK;
}

/* The digits of the Issuer Identifier must be the leftmost digits of the PAN: an issuer may certify only its cards. */
static enum cemv_oda_result check_identifier(const struct recovered *cert, cemv_bytes pan)
{
    const uint8_t *const identifier = cert->block + SUBJECT;
    const int digits = cemv_cn_digits(crypto_bytes(identifier, 4));
    if (digits < 3) return CEMV_ODA_ISSUER_IDENTIFIER_MALFORMED;
    for (size_t i = 0; i < (size_t)digits; i++) {
        if (i >= 2u * pan.size || cemv_nibble(pan.data, i) != cemv_nibble(identifier, i))
            return CEMV_ODA_ISSUER_IDENTIFIER_MISMATCH;
    }
    return CEMV_ODA_OK;
}

/* The PAN of the certificate must be that of the card (6.4, step 8): otherwise records of two cards could be
 * combined. */
static enum cemv_oda_result check_pan(const struct recovered *cert, cemv_bytes pan)
{
    const cemv_bytes subject = crypto_bytes(cert->block + SUBJECT, 10);
    if (cemv_cn_digits(subject) <= 0) return CEMV_ODA_PAN_MALFORMED;
    return cemv_cn_equal(subject, pan) ? CEMV_ODA_OK : CEMV_ODA_PAN_MISMATCH;
}

/* Recovers and verifies the issuer's certificate, or uses one of the keys from earlier taps. */
static enum cemv_oda_result recover_issuer(struct recovered *cert, const struct cemv_crypto *crypto,
                                           const struct cemv_issuer_input *input)
{
    const struct cemv_ca_key *ca = input->ca;
    const uint8_t *const known = crypto_issuer_key_take(input);
    if (known != NULL) {
        crypto_copy(cert->block, known, input->certificate.size);
        lay_out(cert, input->certificate.size, ISSUER_EXPIRY);
        return CEMV_ODA_OK;
    }
    struct crypto_signer signer = { ca->modulus, ca->exponent, input->prepared, input->recovered };
    enum cemv_oda_result result =
        crypto_recover(crypto, &signer, input->certificate, ISSUER_EXPIRY + KEY + TAIL, 2, cert->block);
    if (result != CEMV_ODA_OK) return result;
    lay_out(cert, input->certificate.size, ISSUER_EXPIRY);
    result = check_block(cert, crypto, NULL);
    if (result == CEMV_ODA_OK) crypto_issuer_key_remember(input, cert->block);
    return result;
}

/* Book 2, 6.3. Expiry and revocation are checked even for a key from an earlier tap, since the date and the list may
 * have changed. */
enum cemv_oda_result cemv_issuer_recover(const struct cemv_crypto *crypto, const struct cemv_issuer_input *input,
                                         struct cemv_certificate *out)
{
    const struct cemv_ca_key *ca = input->ca;
    out->key.size = out->key.exponent = 0;
    struct recovered cert = { .block = out->key.modulus, .remainder = input->remainder, .exponent = input->exponent };
    uint32_t today = day_number(input->date);
    if (ca == NULL) return CEMV_ODA_CA_KEY_MISSING;
    if (input->certificate.size == 0 || input->exponent.size == 0 || input->pan.size == 0) return CEMV_ODA_DATA_MISSING;
    if (today == 0) return CEMV_ODA_DATE_MALFORMED;
    enum cemv_oda_result result = check_ca_key(ca);
    if (result != CEMV_ODA_OK) return result;
    result = recover_issuer(&cert, crypto, input);
    if (result == CEMV_ODA_OK) result = check_identifier(&cert, input->pan);
    if (result == CEMV_ODA_OK) result = check_expiry(&cert, today);
    if (result != CEMV_ODA_OK) return result;
    if (is_revoked(input, cert.fields + SERIAL)) return CEMV_ODA_CERTIFICATE_REVOKED;
    return finish(&cert, ISSUER_EXPIRY, out);
}

/* Book 2, 6.4, in two parts: the public operation, then the checks against the static data, whose list need not be on
 * the stack during the operation. */
enum cemv_oda_result cemv_icc_open(const struct cemv_crypto *crypto, const struct cemv_icc_input *input,
                                   struct cemv_certificate *out)
{
    const struct cemv_public_key *issuer = input->issuer;
    out->key.size = out->key.exponent = 0;
    if (input->certificate.size == 0 || input->exponent.size == 0 || input->pan.size == 0) return CEMV_ODA_DATA_MISSING;
    if (day_number(input->date) == 0) return CEMV_ODA_DATE_MALFORMED;
    const struct crypto_signer signer = { crypto_bytes(issuer->modulus, issuer->size), issuer->exponent, NULL,
                                          input->recovered };
    return crypto_recover(crypto, &signer, input->certificate, ICC_EXPIRY + KEY + TAIL, 4, out->key.modulus);
}

enum cemv_oda_result cemv_icc_close(const struct cemv_crypto *crypto, const struct cemv_icc_input *input,
                                    struct cemv_certificate *out)
{
    struct recovered cert = { .block = out->key.modulus, .remainder = input->remainder, .exponent = input->exponent };
    lay_out(&cert, input->certificate.size, ICC_EXPIRY);
    enum cemv_oda_result result = check_block(&cert, crypto, &input->static_data);
    if (result == CEMV_ODA_OK) result = check_pan(&cert, input->pan);
    if (result == CEMV_ODA_OK) result = check_expiry(&cert, day_number(input->date));
    return result == CEMV_ODA_OK ? finish(&cert, ICC_EXPIRY, out) : result;
}

enum cemv_oda_result cemv_icc_recover(const struct cemv_crypto *crypto, const struct cemv_icc_input *input,
                                      struct cemv_certificate *out)
{
    enum cemv_oda_result result = cemv_icc_open(crypto, input, out);
    return result == CEMV_ODA_OK ? cemv_icc_close(crypto, input, out) : result;
}

/* Precomputation --------------------------------------------------------------------------------------------------- */

/* Only the public operations of 6.3 and 6.4. The issuer's key is read from its block without the deciding checks: if it
 * is wrong, the chain detects that before it uses the card's key. */

bool cemv_issuer_work(const struct cemv_crypto *crypto, const struct cemv_issuer_input *issuer,
                      uint8_t block[CEMV_ODA_MODULUS_MAX])
{
    const struct cemv_ca_key *ca = issuer->ca;
    if (ca == NULL || issuer->certificate.size == 0) return false;
    const uint8_t *const known = crypto_issuer_key_find(issuer);
    if (known != NULL) {
        crypto_copy(block, known, issuer->certificate.size);
        return true;
    }
    const struct crypto_signer signer = { ca->modulus, ca->exponent, issuer->prepared, NULL };
    return crypto_recover(crypto, &signer, issuer->certificate, ISSUER_EXPIRY + KEY + TAIL, 2, block) == CEMV_ODA_OK;
}

bool cemv_icc_work(const struct cemv_crypto *crypto, const struct cemv_issuer_input *issuer,
                   const uint8_t *issuer_block, cemv_bytes icc_certificate, uint8_t block[CEMV_ODA_MODULUS_MAX])
{
    struct cemv_certificate key;
    struct recovered cert = { .block = key.key.modulus, .remainder = issuer->remainder, .exponent = issuer->exponent };
    crypto_copy(cert.block, issuer_block, issuer->certificate.size);
    lay_out(&cert, issuer->certificate.size, ISSUER_EXPIRY);
    if (check_lengths(&cert) != CEMV_ODA_OK || finish(&cert, ISSUER_EXPIRY, &key) != CEMV_ODA_OK) return false;
    const struct crypto_signer signer = { crypto_bytes(key.key.modulus, key.key.size), key.key.exponent, NULL, NULL };
    return crypto_recover(crypto, &signer, icc_certificate, ICC_EXPIRY + KEY + TAIL, 4, block) == CEMV_ODA_OK;
}
