/* SPDX-License-Identifier: Apache-2.0 */
/* Offline data authentication: certificates and signatures (EMV 4.3 Book 2, sections 5 and 6; Book C-3, annex C). Pure
 * functions over bytes: nothing here knows a tag store, a command or a kernel. Outputs are valid only with CEMV_ODA_OK:
 * the result of a public operation is checked in its final place, since firmware has no stack for a second buffer. */
#ifndef CEMV_ODA_H
#define CEMV_ODA_H

#include "../crypto/crypto.h"
#include "../include/cemv.h"
#include "../wire/wire.h"

#define CEMV_ODA_MODULUS_MAX 248 /* Book 2, Table 28 */
#define CEMV_ODA_PIECES_MAX  24  /* pieces of static data, or of terminal dynamic data */

/* One enumerator per check. Which certificate or signature was wrong follows from the function that returned it. */
enum cemv_oda_result {
    CEMV_ODA_OK = 0,
    CEMV_ODA_CA_KEY_MISSING = 1, /* from here on: cannot verify */
    /* too long or too short, even, top byte zero, or an exponent other than 3 and 65537 */
    CEMV_ODA_CA_KEY_UNUSABLE = 3,
    /* a certificate, signature, exponent, needed remainder, PAN or terminal datum is absent or cut */
    CEMV_ODA_DATA_MISSING = 4,
    CEMV_ODA_DATE_MALFORMED = 5,  /* the transaction date is not YYMMDD */
    CEMV_ODA_TOO_MANY_PIECES = 6, /* more than CEMV_ODA_PIECES_MAX */
    CEMV_ODA_CERTIFICATE_EXPIRED = 7,
    CEMV_ODA_CERTIFICATE_REVOKED = 8,
    CEMV_ODA_FDDA_VERSION = 9,      /* 9F69 has a version other than 01 */
    CEMV_ODA_SIGNER_TOO_SHORT = 16, /* from here on: verified wrong. The signing key has no space for the fields */
    CEMV_ODA_LENGTH = 17,           /* signature and modulus differ in length */
    CEMV_ODA_RECOVERY = 18,         /* signature not below the modulus */
    CEMV_ODA_TRAILER = 19,
    CEMV_ODA_HEADER = 20,
    CEMV_ODA_FORMAT = 21,
    CEMV_ODA_HASH_ALGORITHM = 22,
    CEMV_ODA_HASH = 23,
    CEMV_ODA_KEY_LENGTH = 24,           /* zero, above 248 bytes or longer than the signing key */
    CEMV_ODA_REMAINDER_UNEXPECTED = 25, /* the key fits into the certificate, but there is a remainder */
    CEMV_ODA_REMAINDER_LENGTH = 26,
    CEMV_ODA_PADDING = 27,
    CEMV_ODA_ISSUER_IDENTIFIER_MALFORMED = 28, /* not 3 to 8 digits followed by F only */
    CEMV_ODA_ISSUER_IDENTIFIER_MISMATCH = 29,  /* not the leftmost digits of the PAN */
    CEMV_ODA_PAN_MALFORMED = 30,               /* the PAN in the certificate is not digits followed by F only */
    CEMV_ODA_PAN_MISMATCH = 31,
    CEMV_ODA_EXPIRY_MALFORMED = 32, /* not MMYY */
    CEMV_ODA_KEY_ALGORITHM = 33,
    CEMV_ODA_EXPONENT_LENGTH = 34,     /* not 1 or 3, or the certificate and the card differ */
    CEMV_ODA_EXPONENT = 35,            /* neither 3 nor 65537 */
    CEMV_ODA_MODULUS = 36,             /* even, or top byte zero */
    CEMV_ODA_STATIC_TAG_LIST = 37,     /* 9F4A is anything but the single tag 82 */
    CEMV_ODA_DYNAMIC_DATA_LENGTH = 38, /* LDD exceeds the available space, or is too short for its mandatory contents */
    CEMV_ODA_DYNAMIC_NUMBER = 39,      /* length of the ICC Dynamic Number not 2 to 8 */
    CEMV_ODA_CARD_DATA_LENGTH = 40,    /* 9F69 not 5 to 16 bytes */
    CEMV_ODA_CID_MISMATCH = 41,
    CEMV_ODA_TRANSACTION_HASH = 42,
};
bool cemv_oda_is_tamper(enum cemv_oda_result result);

/* The row of a CA key; NULL if it is not configured. The caller decides whether it may still be used. */
const struct cemv_ca_key *cemv_ca_key_find(const struct cemv_ca_key *keys, size_t count, const uint8_t rid[5],
                                           uint8_t index);

enum cemv_ca_key_result {
    CEMV_CA_KEY_OK = 0,
    CEMV_CA_KEY_EXPONENT = 1,  /* neither 3 nor 65537 */
    CEMV_CA_KEY_TOO_LONG = 2,  /* above 248 bytes */
    CEMV_CA_KEY_TOO_SHORT = 3, /* below `min_bits`, or empty */
    CEMV_CA_KEY_TOP_ZERO = 4,
    CEMV_CA_KEY_EVEN = 5,
    CEMV_CA_KEY_CHECKSUM = 6, /* not SHA-1(RID, index, modulus, exponent), or not 20 bytes */
};
enum cemv_ca_key_result cemv_ca_key_check(const struct cemv_crypto *crypto, const struct cemv_ca_key *key,
                                          uint32_t min_bits);

struct cemv_public_key {
    uint8_t modulus[CEMV_ODA_MODULUS_MAX];
    uint32_t size;
    uint32_t exponent;
};
/* The contents of a certificate. `subject` is the Issuer Identifier (4 bytes, then 00) or the PAN (10 bytes). Recovery
 * works in place: after a refused certificate there is no key, its size and exponent are 0, and the other members are
 * not valid. */
struct cemv_certificate {
    struct cemv_public_key key;
    uint8_t subject[10], expiry[2], serial[3], hash_algorithm, key_algorithm;
};

/* 5.3, 6.3. `pan` is cn as in 5A; `date` is the transaction date, YYMMDD. If `ca` is NULL, the result is
 * CEMV_ODA_CA_KEY_MISSING. */
struct cemv_issuer_input {
    const struct cemv_ca_key *ca;
    const struct cemv_rsa_key *prepared; /* prepared from that key by this port; NULL: not prepared */
    struct cemv_issuer_keys *keys;       /* NULL: no keys are kept */
    const uint8_t *recovered; /* the result of an earlier public operation on this certificate; NULL: not done */
    cemv_bytes certificate, remainder, exponent, pan; /* 90, 92, 9F32 */
    uint8_t date[3];
    const struct cemv_revocation *revoked;
    size_t revoked_count;
};
enum cemv_oda_result cemv_issuer_recover(const struct cemv_crypto *crypto, const struct cemv_issuer_input *input,
                                         struct cemv_certificate *out);

/* The static data to be authenticated (Book 3, 10.3): the signed records in order, then 82 if the tag list requests
 * it. */
struct cemv_static_data {
    const cemv_bytes *pieces;
    size_t count;
    cemv_bytes tag_list, aip; /* 9F4A, data NULL if the card sent none; 82 */
};
enum cemv_oda_result cemv_static_tag_list_check(cemv_bytes tag_list);

/* 6.4. */
struct cemv_icc_input {
    const struct cemv_public_key *issuer;
    const uint8_t *recovered;                         /* as in struct cemv_issuer_input */
    cemv_bytes certificate, remainder, exponent, pan; /* 9F46, 9F48, 9F47 */
    uint8_t date[3];
    struct cemv_static_data static_data;
};
enum cemv_oda_result cemv_icc_recover(const struct cemv_crypto *crypto, const struct cemv_icc_input *input,
                                      struct cemv_certificate *out);
/* cemv_icc_recover() in two halves: up to the public operation (steps 1 to 4), and from the hash on. The first half
 * does not use the static data, so that their list need not be on the stack during the operation; after it the issuer's
 * key is no longer needed. */
enum cemv_oda_result cemv_icc_open(const struct cemv_crypto *crypto, const struct cemv_icc_input *input,
                                   struct cemv_certificate *out);
enum cemv_oda_result cemv_icc_close(const struct cemv_crypto *crypto, const struct cemv_icc_input *input,
                                    struct cemv_certificate *out);

/* Precompute the public operations of both, each into a block that can be passed as `recovered` later. Returns false if
 * that is impossible or the result is unusable; nothing is lost then, because the functions above decide.
 * `issuer_block` is the block of the issuer's certificate in `issuer`. */
bool cemv_issuer_work(const struct cemv_crypto *crypto, const struct cemv_issuer_input *issuer,
                      uint8_t block[CEMV_ODA_MODULUS_MAX]);
bool cemv_icc_work(const struct cemv_crypto *crypto, const struct cemv_issuer_input *issuer,
                   const uint8_t *issuer_block, cemv_bytes icc_certificate, uint8_t block[CEMV_ODA_MODULUS_MAX]);

/* 5.4: verifies the Signed Static Application Data (93) and returns the Data Authentication Code (9F45). */
enum cemv_oda_result cemv_ssad_verify(const struct cemv_crypto *crypto, const struct cemv_public_key *issuer,
                                      cemv_bytes ssad, const struct cemv_static_data *static_data, uint8_t code[2]);
/* cemv_ssad_verify() in two halves: the public operation (steps 1 to 4) into `block`, and from the hash on. As with
 * cemv_icc_open(), the list of static data need not be on the stack during the operation. */
enum cemv_oda_result cemv_ssad_open(const struct cemv_crypto *crypto, const struct cemv_public_key *issuer,
                                    cemv_bytes ssad, uint8_t block[CEMV_ODA_MODULUS_MAX]);
enum cemv_oda_result cemv_ssad_close(const struct cemv_crypto *crypto, const uint8_t *block, size_t size,
                                     const struct cemv_static_data *static_data, uint8_t code[2]);

/* The contents of Signed Dynamic Application Data (9F4B). `number` is the ICC Dynamic Number (9F4C), a part of
 * `data`. */
struct cemv_dynamic_data {
    uint8_t data[CEMV_ODA_MODULUS_MAX];
    uint8_t size;
    uint8_t number[8];
    uint8_t number_size;
};

/* 6.5.2. `format` is the one that the caller's flow requires: 05, or 95 (C-3, C.1, online). `pieces` are the values for
 * the DDOL. */
enum cemv_oda_result cemv_dda_verify(const struct cemv_crypto *crypto, const struct cemv_public_key *icc,
                                     cemv_bytes sdad, uint8_t format, const cemv_bytes *pieces, size_t count,
                                     struct cemv_dynamic_data *out);

/* C-3, C.1: terminal values as sent, never as echoed by the card, and all of 9F69. The caller checks AIP byte 1 bit
 * 6. */
struct cemv_fdda_input {
    cemv_bytes sdad;
    uint8_t format;
    cemv_bytes unpredictable_number, amount, currency, card_data;
}; /* 9F37 9F02 5F2A 9F69 */
enum cemv_oda_result cemv_fdda_verify(const struct cemv_crypto *crypto, const struct cemv_public_key *icc,
                                      const struct cemv_fdda_input *input, struct cemv_dynamic_data *out);

/* 6.6.2. `transaction_hash` is SHA-1 over the bytes under the Transaction Data Hash Code; `cid` is 9F27 as received in
 * the clear. */
struct cemv_cda_input {
    cemv_bytes sdad;
    cemv_bytes unpredictable_number;
    uint8_t cid;
    cemv_bytes transaction_hash;
};
struct cemv_cda_data {
    struct cemv_dynamic_data dynamic;
    uint8_t cid;
    uint8_t cryptogram[8];
    uint8_t transaction_hash[20];
};
enum cemv_oda_result cemv_cda_verify(const struct cemv_crypto *crypto, const struct cemv_public_key *icc,
                                     const struct cemv_cda_input *input, struct cemv_cda_data *out);

/* The Transaction Data Hash Code (6.6.1): the values of the lists as sent, then the objects of the response template
 * except 9F4B, in order and without filler. There are up to CEMV_CDA_LISTS `lists`. Returns no bytes if the response
 * has no object or too many. */
#define CEMV_CDA_LISTS 2
cemv_bytes cemv_cda_transaction_hash(const struct cemv_crypto *crypto, const cemv_bytes *lists, size_t count,
                                     cemv_bytes response, uint8_t digest[CEMV_SHA1_SIZE]);

/* Functions of issuer_keys.c for certificate.c: the block of a certificate that was verified before, or NULL; `_take`
 * counts. */
const uint8_t *crypto_issuer_key_find(const struct cemv_issuer_input *input);
const uint8_t *crypto_issuer_key_take(const struct cemv_issuer_input *input);
void crypto_issuer_key_remember(const struct cemv_issuer_input *input, const uint8_t *block);
/* Of issuer_keys.c, for certificates on P-256: the issuer's point from a certificate of at most CEMV_ODA_MODULUS_MAX
 * bytes that was verified with this CA key, or NULL. `_keep` is called where a verified certificate is used: it counts
 * the certificate if it was remembered, and remembers it otherwise. `keys` may be NULL. */
const uint8_t *crypto_issuer_point_find(const struct cemv_issuer_keys *keys, const uint8_t *ca, cemv_bytes certificate);
void crypto_issuer_point_keep(struct cemv_issuer_keys *keys, const uint8_t *ca, cemv_bytes certificate,
                              const uint8_t *point);
/* Functions of signature.c for certificate.c. */
static inline bool crypto_exponent_allowed(uint32_t exponent) { return exponent == 3u || exponent == 65537u; }
struct crypto_signer {
    cemv_bytes modulus;
    uint32_t exponent;
    const struct cemv_rsa_key *prepared;
    const uint8_t *recovered;
};
enum cemv_oda_result crypto_recover(const struct cemv_crypto *crypto, const struct crypto_signer *signer,
                                    cemv_bytes signature, size_t overhead, uint8_t format, uint8_t *block);
/* Compares the hash over up to three first pieces and the static data, if any, with the recovered hash. */
enum cemv_oda_result crypto_check_hash(const struct cemv_crypto *crypto, const cemv_bytes *first, size_t count,
                                       const struct cemv_static_data *data, const uint8_t *hash);
bool crypto_is_padding(const uint8_t *at, size_t size);

#endif
