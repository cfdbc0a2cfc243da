/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of certificates and signatures (EMV 4.3 Book 2, 5 and 6; Book C-3, C.1). The port's public operation
 * returns its input, so a block is written field by field; hashes are real. */
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"

enum { SIZE = 128, ISSUER_FIELDS = 6, ICC_FIELDS = 12 };

static unsigned operations; /* number of public operations requested */

static bool echo(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t exponent)
{
    (void)exponent;
    operations++;
    if (in.size != modulus.size) return false;
    memcpy(out, in.data, in.size);
    return true;
}
static bool refuse(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t exponent)
{
    (void)out;
    (void)in;
    (void)modulus;
    (void)exponent;
    return false;
}
static void hash(uint8_t digest[CEMV_SHA1_SIZE], const cemv_bytes *pieces, size_t count)
{
    cemv_crypto_builtin.sha1(digest, pieces, count);
}
static const struct cemv_crypto port = { .sha1 = hash, .rsa_public = echo },
                                broken_port = { .sha1 = hash, .rsa_public = refuse };

static uint8_t ones[CEMV_ODA_MODULUS_MAX + 8], block[CEMV_ODA_MODULUS_MAX + 8], remainder[256];
static const uint8_t pan_bytes[] = { 0x41, 0x23, 0x45, 0x67, 0x89, 0x01, 0x23, 0x45 };
static const cemv_bytes pan = { pan_bytes, 8 };

/* Hashes the block without header, hash and trailer, followed by `more`. */
static void seal(size_t size, const cemv_bytes *more, size_t count)
{
    cemv_bytes pieces[8] = { of(block + 1, size - 22) };
    for (size_t i = 0; i < count; i++) pieces[i + 1] = more[i];
    hash(block + size - 21, pieces, count + 1);
    block[size - 1] = 0xBC;
}

/* ---- the issuer's and the card's certificate ---- */

struct scene {
    bool icc;
    size_t size, key_length, remainder_size;
    uint8_t exponent[3];
    size_t exponent_size;
    cemv_bytes pan;
    uint8_t date[3];
    struct cemv_ca_key ca;
    const struct cemv_rsa_key *prepared;
    struct cemv_public_key issuer;
    struct cemv_static_data data;
    struct cemv_issuer_keys *keys;
    const uint8_t *recovered;
    const struct cemv_revocation *revoked;
    size_t revoked_count, certificate_size;
    const struct cemv_crypto *port;
};

/* A key of `length` bytes, the date 10 December 2025, serial 010203: everything is valid. */
static struct scene good(bool icc, size_t length)
{
    struct scene s = { .icc = icc,
                       .size = SIZE,
                       .key_length = length,
                       .exponent = { 3 },
                       .exponent_size = 1,
                       .pan = pan,
                       .date = { 0x25, 0x12, 0x10 },
                       .port = &port };
    const size_t fields = icc ? ICC_FIELDS : ISSUER_FIELDS, room = SIZE - fields - 30;
    memset(ones, 0xFF, sizeof ones);
    s.ca = (struct cemv_ca_key){ .rid = { 0xA0, 0, 0, 0, 3 }, .index = 7, .exponent = 3, .modulus = { ones, SIZE } };
    s.issuer.size = SIZE;
    s.issuer.exponent = 3;
    memset(s.issuer.modulus, 0xFF, SIZE);
    s.remainder_size = length > room ? length - room : 0;
    s.certificate_size = SIZE;
    memset(block, 0xBB, sizeof block);
    block[0] = 0x6A;
    block[1] = icc ? 4 : 2;
    if (icc) {
        memset(block + 2, 0xFF, 10);
        memcpy(block + 2, pan_bytes, 8);
    } else memcpy(block + 2, "\x41\x23\x45\xFF", 4);
    memcpy(block + fields, "\x12\x25\x01\x02\x03\x01\x01", 7);
    block[fields + 7] = (uint8_t)length;
    block[fields + 8] = 1;
    for (size_t i = 0; i < length; i++)
        *(i < room ? block + fields + 9 + i : remainder + i - room) = (uint8_t)(2 * i + 0x61);
    return s;
}

static struct cemv_certificate made;

static enum cemv_oda_result recover(const struct scene *s)
{
    const cemv_bytes certificate = of(block, s->certificate_size), rest = of(remainder, s->remainder_size),
                     exponent = of(s->exponent, s->exponent_size);
    memset(&made, 0xEE, sizeof made);
    if (!s->icc) {
        const struct cemv_issuer_input in = { .ca = &s->ca,
                                              .prepared = s->prepared,
                                              .keys = s->keys,
                                              .recovered = s->recovered,
                                              .certificate = certificate,
                                              .remainder = rest,
                                              .exponent = exponent,
                                              .pan = s->pan,
                                              .date = { s->date[0], s->date[1], s->date[2] },
                                              .revoked = s->revoked,
                                              .revoked_count = s->revoked_count };
        return cemv_issuer_recover(s->port, &in, &made);
    }
    const struct cemv_icc_input in = { .issuer = &s->issuer,
                                       .recovered = s->recovered,
                                       .certificate = certificate,
                                       .remainder = rest,
                                       .exponent = exponent,
                                       .pan = s->pan,
                                       .date = { s->date[0], s->date[1], s->date[2] },
                                       .static_data = s->data };
    return cemv_icc_recover(s->port, &in, &made);
}

static void sealed(const struct scene *s)
{
    const cemv_bytes more[] = { of(remainder, s->remainder_size), of(s->exponent, s->exponent_size) };
    seal(s->size, more, 2);
}

static void gives(const struct scene *s, enum cemv_oda_result expected, const char *name, unsigned detail)
{
    property(recover(s) == expected, name, detail);
    if (expected != CEMV_ODA_OK)
        property(made.key.size == 0 && made.key.exponent == 0, "a wrong certificate gives no key", detail);
}

/* One byte of the block is changed, and the hash matches. */
static void poked(bool icc, size_t length, size_t offset, uint8_t value, enum cemv_oda_result expected,
                  const char *name)
{
    struct scene s = good(icc, length);
    block[offset] = value;
    sealed(&s);
    if (offset == s.size - 1) block[offset] = value;
    gives(&s, expected, name, (unsigned)(offset << 8 | value));
}

static void properties_of_keys(bool icc)
{
    const size_t fields = icc ? ICC_FIELDS : ISSUER_FIELDS, room = SIZE - fields - 30;
    const size_t lengths[] = { 1, 2, room - 1, room, room + 1, room + 20, SIZE };
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct scene s = good(icc, lengths[i]);
        sealed(&s);
        gives(&s, CEMV_ODA_OK, "a good certificate", (unsigned)lengths[i]);
        bool same = made.key.size == lengths[i] && made.key.exponent == 3 && made.hash_algorithm == 1 &&
                    made.key_algorithm == 1;
        for (size_t j = 0; j < lengths[i]; j++) same &= made.key.modulus[j] == (uint8_t)(2 * j + 0x61);
        property(same, "the key is that of the certificate and its remainder", (unsigned)lengths[i]);
        property(memcmp(made.expiry, "\x12\x25", 2) == 0 && memcmp(made.serial, "\1\2\3", 3) == 0,
                 "expiry and serial are reported", 0);
        static const uint8_t issuer_subject[10] = { 0x41, 0x23, 0x45, 0xFF },
                             card_subject[10] = { 0x41, 0x23, 0x45, 0x67, 0x89, 0x01, 0x23, 0x45, 0xFF, 0xFF };
        property(memcmp(made.subject, icc ? card_subject : issuer_subject, 10) == 0, "the subject is reported", 0);
        if (s.remainder_size) {
            s.remainder_size--;
            gives(&s, s.remainder_size ? CEMV_ODA_REMAINDER_LENGTH : CEMV_ODA_DATA_MISSING, "a remainder too short",
                  (unsigned)lengths[i]);
            s.remainder_size += 2;
            gives(&s, CEMV_ODA_REMAINDER_LENGTH, "a remainder too long", (unsigned)lengths[i]);
        } else {
            s.remainder_size = 1;
            gives(&s, CEMV_ODA_REMAINDER_UNEXPECTED, "a remainder that is not needed", (unsigned)lengths[i]);
        }
    }
    struct scene s = good(icc, room - 1);
    static const struct {
        uint8_t bytes[4];
        size_t size;
        uint8_t told;
        enum cemv_oda_result result;
        uint32_t value;
    } exponents[] = {
        { { 3 }, 1, 1, CEMV_ODA_OK, 3 },
        { { 1, 0, 1 }, 3, 3, CEMV_ODA_OK, 65537 },
        { { 0, 0, 3 }, 3, 3, CEMV_ODA_OK, 3 },
        { { 2 }, 1, 1, CEMV_ODA_EXPONENT, 0 },
        { { 5 }, 1, 1, CEMV_ODA_EXPONENT, 0 },
        { { 1, 0, 0 }, 3, 3, CEMV_ODA_EXPONENT, 0 },
        { { 0, 3 }, 2, 2, CEMV_ODA_EXPONENT_LENGTH, 0 },
        { { 3 }, 1, 3, CEMV_ODA_EXPONENT_LENGTH, 0 },
        { { 0, 0, 3 }, 3, 1, CEMV_ODA_EXPONENT_LENGTH, 0 },
        { { 1, 1, 1 }, 3, 3, CEMV_ODA_EXPONENT, 0 },
        { { 3 }, 0, 0, CEMV_ODA_DATA_MISSING, 0 },
    };
    for (size_t i = 0; i < sizeof exponents / sizeof exponents[0]; i++) {
        s = good(icc, room - 1);
        memcpy(s.exponent, exponents[i].bytes, 3);
        s.exponent_size = exponents[i].size;
        block[fields + 8] = exponents[i].told;
        sealed(&s);
        gives(&s, exponents[i].result, "exponents", (unsigned)i);
        if (exponents[i].result == CEMV_ODA_OK)
            property(made.key.exponent == exponents[i].value, "an exponent is a number", (unsigned)i);
    }
}

static void properties_of_fields(bool icc)
{
    const size_t f = icc ? ICC_FIELDS : ISSUER_FIELDS, room = SIZE - f - 30;
    poked(icc, room - 2, 0, 0x6B, CEMV_ODA_HEADER, "header");
    poked(icc, room - 2, 1, icc ? 2 : 4, CEMV_ODA_FORMAT, "format");
    poked(icc, room - 2, SIZE - 1, 0xBD, CEMV_ODA_TRAILER, "trailer");
    poked(icc, room - 2, f + 5, 2, CEMV_ODA_HASH_ALGORITHM, "hash algorithm");
    poked(icc, room - 2, f + 5, 0, CEMV_ODA_HASH_ALGORITHM, "hash algorithm");
    poked(icc, room - 2, f + 6, 2, CEMV_ODA_KEY_ALGORITHM, "key algorithm");
    poked(icc, room - 2, f + 7, 0, CEMV_ODA_KEY_LENGTH, "no key");
    poked(icc, room - 2, f + 7, SIZE + 1, CEMV_ODA_KEY_LENGTH, "a key longer than its signer's");
    poked(icc, room - 2, f + 7, CEMV_ODA_MODULUS_MAX + 1, CEMV_ODA_KEY_LENGTH, "a key longer than any");
    poked(icc, room - 2, f + 9 + room - 1, 0xBA, CEMV_ODA_PADDING, "padding, last byte");
    poked(icc, room - 2, f + 9 + room - 2, 0xBA, CEMV_ODA_PADDING, "padding, first byte");
    poked(icc, room - 2, f + 9, 0, CEMV_ODA_MODULUS, "a key's top byte is not zero");
    poked(icc, room - 2, f + 9 + room - 3, 0x62, CEMV_ODA_MODULUS, "a key is odd");
    /* The expiration date: MMYY, good to the last day. */
    static const struct {
        uint8_t month, year;
        enum cemv_oda_result result;
    } dates[] = {
        { 0x12, 0x25, CEMV_ODA_OK },
        { 0x11, 0x25, CEMV_ODA_CERTIFICATE_EXPIRED },
        { 0x01, 0x26, CEMV_ODA_OK },
        { 0x12, 0x24, CEMV_ODA_CERTIFICATE_EXPIRED },
        { 0x12, 0x49, CEMV_ODA_OK },
        { 0x12, 0x50, CEMV_ODA_CERTIFICATE_EXPIRED },
        { 0x12, 0x99, CEMV_ODA_CERTIFICATE_EXPIRED },
        { 0x12, 0x00, CEMV_ODA_CERTIFICATE_EXPIRED },
        { 0x00, 0x26, CEMV_ODA_EXPIRY_MALFORMED },
        { 0x13, 0x26, CEMV_ODA_EXPIRY_MALFORMED },
        { 0x0A, 0x26, CEMV_ODA_EXPIRY_MALFORMED },
        { 0x12, 0x2A, CEMV_ODA_EXPIRY_MALFORMED },
        { 0x12, 0xA0, CEMV_ODA_EXPIRY_MALFORMED },
        { 0x09, 0x26, CEMV_ODA_OK },
        { 0xA1, 0x26, CEMV_ODA_EXPIRY_MALFORMED },
        { 0x10, 0x26, CEMV_ODA_OK },
    };
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++) {
        struct scene s = good(icc, room - 2);
        block[f] = dates[i].month;
        block[f + 1] = dates[i].year;
        sealed(&s);
        gives(&s, dates[i].result, "certificates expire", (unsigned)i);
    }
    /* Years 50 to 99 come before 00 to 49. */
    static const uint8_t years[] = { 0x50, 0x51, 0x95, 0x96, 0x99, 0x00, 0x01, 0x03, 0x04, 0x49 };
    for (unsigned i = 0; i < 100; i++) {
        struct scene s = good(icc, room - 2);
        block[f + 1] = years[i / 10];
        s.date[0] = years[i % 10];
        sealed(&s);
        gives(&s, i / 10 < i % 10 ? CEMV_ODA_CERTIFICATE_EXPIRED : CEMV_ODA_OK, "years of two centuries", i);
    }
    /* The day of the transaction. */
    static const struct {
        uint8_t date[3];
        enum cemv_oda_result result;
    } days[] = {
        { { 0x25, 0x12, 0x31 }, CEMV_ODA_OK },
        { { 0x26, 0x01, 0x01 }, CEMV_ODA_CERTIFICATE_EXPIRED },
        { { 0x50, 0x01, 0x01 }, CEMV_ODA_OK },
        { { 0x99, 0x12, 0x31 }, CEMV_ODA_OK },
        { { 0x25, 0x00, 0x01 }, CEMV_ODA_DATE_MALFORMED },
        { { 0x25, 0x13, 0x01 }, CEMV_ODA_DATE_MALFORMED },
        { { 0x25, 0x01, 0x00 }, CEMV_ODA_DATE_MALFORMED },
        { { 0x25, 0x01, 0x32 }, CEMV_ODA_DATE_MALFORMED },
        { { 0x2A, 0x01, 0x01 }, CEMV_ODA_DATE_MALFORMED },
        { { 0x25, 0x01, 0x1F }, CEMV_ODA_DATE_MALFORMED },
        { { 0x25, 0x01, 0x31 }, CEMV_ODA_OK },
        { { 0xA5, 0x01, 0x01 }, CEMV_ODA_DATE_MALFORMED },
        { { 0x25, 0x12, 0x01 }, CEMV_ODA_OK },
    };
    for (size_t i = 0; i < sizeof days / sizeof days[0]; i++) {
        struct scene s = good(icc, room - 2);
        memcpy(s.date, days[i].date, 3);
        sealed(&s);
        gives(&s, days[i].result, "days of the transaction", (unsigned)i);
    }
}

static void properties_of_recovery(bool icc)
{
    const size_t f = icc ? ICC_FIELDS : ISSUER_FIELDS, room = SIZE - f - 30;
    for (size_t at = 1; at < SIZE - 1; at += 5) {
        struct scene s = good(icc, room + 4);
        sealed(&s);
        block[at] ^= 0x10;
        enum cemv_oda_result result = recover(&s);
        property(result == CEMV_ODA_HASH || (at == 1 && result == CEMV_ODA_FORMAT) ||
                     (at == f + 5 && result == CEMV_ODA_HASH_ALGORITHM) || (at == f + 7 && result != CEMV_ODA_OK),
                 "every byte is under the hash", (unsigned)at);
    }
    struct scene s = good(icc, room + 4);
    sealed(&s);
    remainder[3] ^= 2;
    gives(&s, CEMV_ODA_HASH, "so is the remainder", 3);
    remainder[3] ^= 2;
    gives(&s, CEMV_ODA_OK, "and right again", 0);
    s.certificate_size = SIZE - 1;
    gives(&s, CEMV_ODA_LENGTH, "a certificate as long as its key", 0);
    s.certificate_size = 0;
    gives(&s, CEMV_ODA_DATA_MISSING, "no certificate", 0);
    s.certificate_size = SIZE;
    s.pan.size = 0;
    gives(&s, CEMV_ODA_DATA_MISSING, "no account number", 0);
    s.pan = pan;
    s.port = &broken_port;
    gives(&s, CEMV_ODA_RECOVERY, "an engine that refuses", 0);
    s.recovered = block;
    gives(&s, CEMV_ODA_OK, "what was recovered before is not recovered again", 0);
    s.recovered = NULL, s.port = &port;
    if (!icc) return;
    /* The signer is the issuer's key. */
    s.issuer.exponent = 5;
    gives(&s, CEMV_ODA_EXPONENT, "an issuer's exponent", 5);
    s.issuer.exponent = 65537;
    gives(&s, CEMV_ODA_OK, "an issuer's exponent", 1);
    s.issuer.modulus[0] = 0;
    gives(&s, CEMV_ODA_MODULUS, "an issuer's top byte", 0);
    s.issuer.modulus[0] = 0xFF;
    s.issuer.modulus[SIZE - 1] = 0xFE;
    gives(&s, CEMV_ODA_MODULUS, "an issuer's key is odd", 0);
    s.issuer.modulus[SIZE - 1] = 0xFF;
    s.issuer.modulus[0] = 0x69;
    gives(&s, CEMV_ODA_RECOVERY, "a signature is below its key", 0);
    memcpy(s.issuer.modulus, block, SIZE);
    s.issuer.modulus[SIZE - 1] = 0xBD;
    block[SIZE - 1] = 0xBD;
    gives(&s, CEMV_ODA_RECOVERY, "nor its equal", 0);
    s.issuer.size = 42;
    s.certificate_size = 42;
    gives(&s, CEMV_ODA_SIGNER_TOO_SHORT, "a key without room", 42);
    s.issuer.size = CEMV_ODA_MODULUS_MAX + 1;
    gives(&s, CEMV_ODA_SIGNER_TOO_SHORT, "a key too long", 249);
}

static void properties_of_subjects(void)
{
    static const struct {
        uint8_t id[4];
        enum cemv_oda_result result;
    } ids[] = {
        { { 0x41, 0x23, 0x45, 0x67 }, CEMV_ODA_OK },
        { { 0x41, 0x23, 0x45, 0x68 }, CEMV_ODA_ISSUER_IDENTIFIER_MISMATCH },
        { { 0x51, 0x23, 0x45, 0xFF }, CEMV_ODA_ISSUER_IDENTIFIER_MISMATCH },
        { { 0x41, 0x2F, 0xFF, 0xFF }, CEMV_ODA_OK },
        { { 0x41, 0xFF, 0xFF, 0xFF }, CEMV_ODA_ISSUER_IDENTIFIER_MALFORMED },
        { { 0x41, 0x2F, 0xF3, 0xFF }, CEMV_ODA_ISSUER_IDENTIFIER_MALFORMED },
        { { 0x41, 0x2F, 0xFF, 0xF1 }, CEMV_ODA_ISSUER_IDENTIFIER_MALFORMED },
        { { 0xFF, 0xFF, 0xFF, 0xFF }, CEMV_ODA_ISSUER_IDENTIFIER_MALFORMED },
        { { 0x41, 0x2A, 0xFF, 0xFF }, CEMV_ODA_ISSUER_IDENTIFIER_MALFORMED },
        { { 0x41, 0x22, 0xFF, 0xFF }, CEMV_ODA_ISSUER_IDENTIFIER_MISMATCH },
    };
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        struct scene s = good(false, 60);
        memcpy(block + 2, ids[i].id, 4);
        sealed(&s);
        gives(&s, ids[i].result, "issuer identifiers", (unsigned)i);
    }
    struct scene short_pan = good(false, 60);
    memcpy(block + 2, ids[0].id, 4);
    sealed(&short_pan);
    short_pan.pan = (cemv_bytes){ pan_bytes, 3 };
    gives(&short_pan, CEMV_ODA_ISSUER_IDENTIFIER_MISMATCH, "an identifier longer than the account number", 0);
    static const struct {
        uint8_t subject[10], pan[10];
        size_t size;
        enum cemv_oda_result result;
    } pans[] = {
        { { 0x41, 0x23, 0x45, 0x67, 0x89, 0x0F, 0xFF, 0xFF, 0xFF, 0xFF },
          { 0x41, 0x23, 0x45, 0x67, 0x89, 0x0F },
          6,
          CEMV_ODA_OK },
        { { 0x41, 0x23, 0x45, 0x67, 0x89, 0x0F, 0xFF, 0xFF, 0xFF, 0xFF },
          { 0x41, 0x23, 0x45, 0x67, 0x89, 0x0F, 0xFF },
          7,
          CEMV_ODA_OK },
        { { 0x41, 0x23, 0x45, 0x67, 0x89, 0x0F, 0xFF, 0xFF, 0xFF, 0xFF },
          { 0x41, 0x23, 0x45, 0x67, 0x89, 0x01 },
          6,
          CEMV_ODA_PAN_MISMATCH },
        { { 0x41, 0x23, 0x45, 0x67, 0x89, 0x0F, 0xFF, 0xFF, 0xFF, 0xFF },
          { 0x41, 0x23, 0x45, 0x67, 0x8F },
          5,
          CEMV_ODA_PAN_MISMATCH },
        { { 0x41, 0x23, 0x45, 0x67, 0x89, 0x0F, 0xFF, 0xFF, 0xFF, 0xFF },
          { 0x41, 0x23, 0x45, 0x67, 0x89, 0x1F },
          6,
          CEMV_ODA_PAN_MISMATCH },
        { { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF }, { 0x41, 0x23 }, 2, CEMV_ODA_PAN_MALFORMED },
        { { 0x41, 0x23, 0xF5, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF }, { 0x41, 0x23 }, 2, CEMV_ODA_PAN_MALFORMED },
        { { 0x41, 0x23, 0x45, 0x67, 0x89, 0x01, 0x23, 0x45, 0x67, 0x89 },
          { 0x41, 0x23, 0x45, 0x67, 0x89, 0x01, 0x23, 0x45, 0x67, 0x89 },
          10,
          CEMV_ODA_OK },
        { { 0x41, 0x23, 0x45, 0x67, 0x89, 0x01, 0x23, 0x45, 0x67, 0xF1 },
          { 0x41, 0x23, 0x45, 0x67, 0x89, 0x01, 0x23, 0x45, 0x67, 0xF1 },
          10,
          CEMV_ODA_PAN_MALFORMED },
    };
    for (size_t i = 0; i < sizeof pans / sizeof pans[0]; i++) {
        struct scene s = good(true, 60);
        memcpy(block + 2, pans[i].subject, 10);
        sealed(&s);
        s.pan = of(pans[i].pan, pans[i].size);
        gives(&s, pans[i].result, "account numbers of certificates", (unsigned)i);
    }
}

static void properties_of_authorities(void)
{
    struct scene s = good(false, 60);
    sealed(&s);
    const struct scene plain = s;
    static const struct cemv_revocation lists[][2] = {
        { { { 0xA0, 0, 0, 0, 3 }, 7, { 1, 2, 4 } }, { { 0xA0, 0, 0, 0, 3 }, 7, { 1, 2, 3 } } },
        { { { 0xA0, 0, 0, 0, 4 }, 7, { 1, 2, 3 } }, { { 0xA0, 0, 0, 0, 3 }, 8, { 1, 2, 3 } } },
    };
    s.revoked = lists[0];
    s.revoked_count = 2;
    gives(&s, CEMV_ODA_CERTIFICATE_REVOKED, "a revoked certificate", 0);
    s.revoked_count = 1;
    gives(&s, CEMV_ODA_OK, "the list ends", 0);
    s.revoked = lists[1];
    s.revoked_count = 2;
    gives(&s, CEMV_ODA_OK, "certificates of others are revoked", 0);
    s = plain;
    s.ca.exponent = 2;
    gives(&s, CEMV_ODA_CA_KEY_UNUSABLE, "a CA key's exponent", 2);
    s = plain;
    s.ca.exponent = 65537;
    gives(&s, CEMV_ODA_OK, "a CA key's exponent", 1);
    s = plain;
    s.ca.modulus.size = 36;
    gives(&s, CEMV_ODA_CA_KEY_UNUSABLE, "a CA key without room", 36);
    s = plain;
    s.ca.modulus.size = 37;
    gives(&s, CEMV_ODA_LENGTH, "a CA key with room for a byte", 37);
    s = plain, s.ca.modulus.size = CEMV_ODA_MODULUS_MAX;
    gives(&s, CEMV_ODA_LENGTH, "the longest CA key", 248);
    s = plain;
    s.ca.modulus.size = CEMV_ODA_MODULUS_MAX + 1;
    gives(&s, CEMV_ODA_CA_KEY_UNUSABLE, "a longer CA key", 249);
    uint8_t other[SIZE];
    memset(other, 0xFF, SIZE);
    other[0] = 0;
    s = plain;
    s.ca.modulus.data = other;
    gives(&s, CEMV_ODA_CA_KEY_UNUSABLE, "a CA key's top byte", 0);
    other[0] = 0xFF;
    other[SIZE - 1] = 0xFE;
    gives(&s, CEMV_ODA_CA_KEY_UNUSABLE, "a CA key is odd", 0);
    const struct cemv_issuer_input nobody = {
        .certificate = of(block, SIZE), .exponent = of("\3", 1), .pan = pan, .date = { 0x25, 0x12, 0x10 }
    };
    property(cemv_issuer_recover(&port, &nobody, &made) == CEMV_ODA_CA_KEY_MISSING, "no CA key", 0);
    const struct cemv_ca_key keys[] = { { .rid = { 1, 2, 3, 4, 5 }, .index = 1 },
                                        { .rid = { 1, 2, 3, 4, 6 }, .index = 1 },
                                        { .rid = { 1, 2, 3, 4, 5 }, .index = 2 } };
    property(cemv_ca_key_find(keys, 3, (const uint8_t *)"\1\2\3\4\5\xEE", 1) == &keys[0] &&
                 cemv_ca_key_find(keys, 3, keys[2].rid, 2) == &keys[2] &&
                 cemv_ca_key_find(keys, 3, keys[1].rid, 1) == &keys[1] &&
                 cemv_ca_key_find(keys, 2, keys[0].rid, 2) == NULL,
             "a key has RID and index", 0);
}

/* ---- keys of earlier taps ---- */

static void properties_of_memory(void)
{
    static _Alignas(16) uint8_t memory[CEMV_ISSUER_KEYS_SIZE];
    struct cemv_issuer_keys *const keys = (struct cemv_issuer_keys *)(void *)memory;
    memset(memory, 0, sizeof memory);
    for (unsigned turn = 0; turn < 3; turn++)
        for (unsigned i = 0; i < CEMV_ISSUER_KEYS; i++) {
            struct scene s = good(false, 96);
            block[ISSUER_FIELDS + 4] = (uint8_t)i;
            sealed(&s);
            s.keys = keys;
            operations = 0;
            gives(&s, CEMV_ODA_OK, "a certificate with a memory", i);
            property(operations == (turn == 0) &&
                         cemv_issuer_keys_found(keys) == (turn ? (turn - 1) * CEMV_ISSUER_KEYS + i + 1 : 0),
                     "found from the second time on", turn);
            property(made.serial[2] == i && made.key.size == 96 && made.key.modulus[95] == (uint8_t)(2 * 95 + 0x61),
                     "and is the same", i);
        }
    struct scene s = good(false, 96);
    block[ISSUER_FIELDS + 4] = CEMV_ISSUER_KEYS - 1; /* the last to be replaced */
    sealed(&s);
    s.keys = keys;
    const struct scene plain = s;
    const uint32_t before = cemv_issuer_keys_found(keys);
    memcpy(s.date, "\x26\x01\x01", 3);
    gives(&s, CEMV_ODA_CERTIFICATE_EXPIRED, "a remembered certificate expires", 0);
    s = plain;
    s.pan = of("\x51\x23", 2);
    gives(&s, CEMV_ODA_ISSUER_IDENTIFIER_MISMATCH, "and belongs to its cards", 0);
    property(cemv_issuer_keys_found(keys) == before + 2, "found both times", 0);
    /* Any difference in certificate or keys means that the certificate is verified again. */
    for (unsigned i = 0; i < 6; i++) {
        uint8_t other[SIZE];
        s = plain;
        operations = 0;
        memset(other, 0xFF, SIZE);
        other[7] = 0xFE;
        if (i == 0) s.ca.exponent = 65537;
        else if (i == 1) s.ca.index = 8;
        else if (i == 2) s.ca.rid[4] = 4;
        else if (i == 3) s.ca.modulus.data = other;
        else if (i == 4) remainder[1] ^= 1;
        else s.exponent[0] = 2;
        const enum cemv_oda_result result = recover(&s);
        if (i == 4) remainder[1] ^= 1;
        property(operations == 1 && result == (i < 4 ? CEMV_ODA_OK : CEMV_ODA_HASH) &&
                     cemv_issuer_keys_found(keys) == before + 2,
                 "another key or certificate is recovered", i);
    }
    s = plain;
    s.remainder_size--;
    operations = 0;
    property(recover(&s) == CEMV_ODA_REMAINDER_LENGTH && operations == 1, "another remainder", 0);
    s = plain;
    s.certificate_size--;
    property(recover(&s) == CEMV_ODA_LENGTH, "a shorter certificate", 0);
    s = plain;
    s.ca.modulus.size--;
    property(recover(&s) == CEMV_ODA_LENGTH, "a shorter key of its signer", 0);
    s = plain;
    s.exponent_size = 3;
    operations = 0;
    property(recover(&s) == CEMV_ODA_HASH && operations == 1, "another exponent", 0);
    block[30] ^= 1;
    s = plain;
    operations = 0;
    property(recover(&s) == CEMV_ODA_HASH && operations == 1, "another certificate", 0);
    block[30] ^= 1;
    /* Four other certificates were verified since: they replaced the four oldest. */
    for (unsigned i = 0; i < 4; i++) {
        s = good(false, 96);
        block[ISSUER_FIELDS + 4] = (uint8_t)i;
        sealed(&s);
        s.keys = keys;
        const uint32_t found = cemv_issuer_keys_found(keys);
        (void)recover(&s);
        property(cemv_issuer_keys_found(keys) == found, "the eldest gives way", i);
    }
}

/* Keys with exponents of one to three bytes are remembered. A longer exponent gives no key, whether the hash covers it
 * or not. */
static void properties_of_remembered_exponents(void)
{
    static _Alignas(16) uint8_t memory[CEMV_ISSUER_KEYS_SIZE];
    static const uint8_t fermat[4] = { 1, 0, 1, 0xFF };
    for (size_t size = 3; size <= 4; size++) {
        struct scene s = good(false, 60);
        block[ISSUER_FIELDS + 8] = (uint8_t)size;
        const cemv_bytes more[] = { of(NULL, 0), of(fermat, size) };
        seal(SIZE, more, 2);
        memset(memory, 0, sizeof memory);
        struct cemv_issuer_input in = { .ca = &s.ca,
                                        .keys = (struct cemv_issuer_keys *)(void *)memory,
                                        .certificate = of(block, SIZE),
                                        .exponent = of(fermat, size),
                                        .pan = pan,
                                        .date = { 0x25, 0x12, 0x10 } };
        for (unsigned turn = 0; turn < 2; turn++) {
            operations = 0;
            property(cemv_issuer_recover(&port, &in, &made) == (size == 3 ? CEMV_ODA_OK : CEMV_ODA_EXPONENT_LENGTH),
                     "an exponent's size", (unsigned)size);
            property(operations == (turn == 0 || size == 4), "is remembered with its key", (unsigned)size);
        }
    }
}

static bool other_engine(uint8_t *out, cemv_bytes in, const struct cemv_rsa_key *key)
{
    (void)key;
    operations += 100;
    memcpy(out, in.data, in.size);
    return true;
}

/* A prepared key is used if the port supports it. */
static void properties_of_prepared_keys(void)
{
    static const struct cemv_crypto able = { .sha1 = hash, .rsa_public = echo, .rsa_public_prepared = other_engine };
    static const struct cemv_rsa_key prepared;
    for (unsigned i = 0; i < 4; i++) {
        struct scene s = good(false, 60);
        sealed(&s);
        s.port = i & 1 ? &able : &port, s.prepared = i & 2 ? &prepared : NULL;
        operations = 0;
        gives(&s, CEMV_ODA_OK, "keys prepared or not", i);
        property(operations == (i == 3 ? 100 : 1), "the engine asked", i);
    }
}

/* ---- precomputed ---- */

static void properties_of_work(void)
{
    uint8_t issuer_block[CEMV_ODA_MODULUS_MAX], card_block[CEMV_ODA_MODULUS_MAX], certificate[SIZE];
    static _Alignas(16) uint8_t memory[CEMV_ISSUER_KEYS_SIZE];
    struct scene s = good(false, SIZE);
    memset(block + ISSUER_FIELDS + 9, 0xFF, SIZE - 36);
    memset(remainder, 0xFF, sizeof remainder);
    sealed(&s);
    memcpy(certificate, block, SIZE);
    memset(memory, 0, sizeof memory);
    const struct cemv_issuer_input in = { .ca = &s.ca,
                                          .keys = (struct cemv_issuer_keys *)(void *)memory,
                                          .certificate = of(certificate, SIZE),
                                          .remainder = of(remainder, s.remainder_size),
                                          .exponent = of("\3", 1),
                                          .pan = pan,
                                          .date = { 0x25, 0x12, 0x10 } };
    struct cemv_issuer_input other = in;
    memset(issuer_block, 0, sizeof issuer_block);
    operations = 0;
    property(cemv_issuer_work(&port, &in, issuer_block) && operations == 1 &&
                 memcmp(issuer_block, certificate, SIZE) == 0,
             "the issuer's block precomputed", 0);
    other.ca = NULL;
    property(!cemv_issuer_work(&port, &other, card_block), "no CA key, nothing ahead", 0);
    other = in;
    other.certificate.size = 0;
    property(!cemv_issuer_work(&port, &other, card_block), "no certificate, nothing ahead", 0);
    property(!cemv_issuer_work(&broken_port, &in, card_block), "an engine that refuses, nothing ahead", 0);
    property(cemv_issuer_recover(&port, &in, &made) == CEMV_ODA_OK, "remembered", 0);
    operations = 0;
    memset(issuer_block, 0, sizeof issuer_block);
    property(cemv_issuer_work(&port, &in, issuer_block) && operations == 0 &&
                 memcmp(issuer_block, certificate, SIZE) == 0,
             "a remembered block is not recovered", 0);
    s = good(true, 60);
    sealed(&s);
    memset(remainder, 0xFF, sizeof remainder);
    property(cemv_icc_work(&port, &in, issuer_block, of(block, SIZE), card_block) &&
                 memcmp(card_block, block, SIZE) == 0,
             "the card's block precomputed", 0);
    property(!cemv_icc_work(&port, &in, issuer_block, of(block, SIZE - 1), card_block), "as long as its key", 0);
    property(!cemv_icc_work(&broken_port, &in, issuer_block, of(block, SIZE), card_block), "an engine that refuses", 1);
    issuer_block[ISSUER_FIELDS + 5] = 2;
    property(!cemv_icc_work(&port, &in, issuer_block, of(block, SIZE), card_block), "another hash algorithm", 0);
    issuer_block[ISSUER_FIELDS + 5] = 1;
    issuer_block[ISSUER_FIELDS + 6] = 2;
    property(!cemv_icc_work(&port, &in, issuer_block, of(block, SIZE), card_block), "another key algorithm", 0);
}

/* ---- signatures ---- */

static struct cemv_public_key card_key(void)
{
    struct cemv_public_key key = { .size = SIZE, .exponent = 3 };
    memset(key.modulus, 0xFF, sizeof key.modulus);
    return key;
}

static void properties_of_static_signatures(void)
{
    static const uint8_t first[] = { 1, 2, 3 }, second[] = { 4, 5 }, aip[] = { 0x5C, 0x01 };
    const struct cemv_public_key key = card_key();
    cemv_bytes many[CEMV_ODA_PIECES_MAX + 1] = { { first, 3 }, { second, 2 } };
    struct cemv_static_data data = { .pieces = many, .count = 2 };
    uint8_t code[3] = { 0, 0, 0xEE };
    memset(block, 0xBB, sizeof block);
    memcpy(block, "\x6A\x03\x01\xDA\xC5", 5);
    seal(SIZE, many, 2);
    property(cemv_ssad_verify(&port, &key, of(block, SIZE), &data, code) == CEMV_ODA_OK && code[0] == 0xDA &&
                 code[1] == 0xC5 && code[2] == 0xEE,
             "signed static data", 0);
    property(cemv_ssad_verify(&port, &key, of(block, 0), &data, code) == CEMV_ODA_DATA_MISSING, "none", 0);
    data.count = 1;
    property(cemv_ssad_verify(&port, &key, of(block, SIZE), &data, code) == CEMV_ODA_HASH, "a record left out", 0);
    data.count = CEMV_ODA_PIECES_MAX + 1;
    property(cemv_ssad_verify(&port, &key, of(block, SIZE), &data, code) == CEMV_ODA_TOO_MANY_PIECES,
             "more pieces than fit", 0);
    data.count = CEMV_ODA_PIECES_MAX;
    property(cemv_ssad_verify(&port, &key, of(block, SIZE), &data, code) == CEMV_ODA_OK,
             "as many as fit, empty ones among them", 0);
    data.count = 2;
    data.tag_list = of("\x82", 1);
    property(cemv_ssad_verify(&port, &key, of(block, SIZE), &data, code) == CEMV_ODA_DATA_MISSING,
             "a tag list needs the profile", 0);
    data.aip = of(aip, 2);
    property(cemv_ssad_verify(&port, &key, of(block, SIZE), &data, code) == CEMV_ODA_HASH,
             "the profile is under the hash", 0);
    many[2] = data.aip;
    seal(SIZE, many, 3);
    property(cemv_ssad_verify(&port, &key, of(block, SIZE), &data, code) == CEMV_ODA_OK, "behind the records", 0);
    static const struct {
        const char *bytes;
        size_t size;
        bool good;
    } lists[] = {
        { "\x82", 1, true }, { "\x83", 1, false }, { "\x82\x82", 2, false }, { "", 0, false }, { NULL, 0, true }
    };
    for (size_t i = 0; i < 5; i++) {
        property((cemv_static_tag_list_check(of(lists[i].bytes, lists[i].size)) == CEMV_ODA_OK) == lists[i].good,
                 "tag lists", (unsigned)i);
        data.tag_list = of(lists[i].bytes, lists[i].size);
        if (!lists[i].good)
            property(cemv_ssad_verify(&port, &key, of(block, SIZE), &data, code) == CEMV_ODA_STATIC_TAG_LIST,
                     "a wrong tag list", (unsigned)i);
    }
    data.tag_list = of("\x82", 1);
    block[SIZE - 22] = 0xBA;
    seal(SIZE, many, 3);
    property(cemv_ssad_verify(&port, &key, of(block, SIZE), &data, code) == CEMV_ODA_PADDING, "padding, last byte", 0);
    block[SIZE - 22] = 0xBB;
    block[5] = 0xBA;
    seal(SIZE, many, 3);
    property(cemv_ssad_verify(&port, &key, of(block, SIZE), &data, code) == CEMV_ODA_PADDING, "padding, first byte", 0);
    block[5] = 0xBB;
    block[2] = 2;
    seal(SIZE, many, 3);
    property(cemv_ssad_verify(&port, &key, of(block, SIZE), &data, code) == CEMV_ODA_HASH_ALGORITHM, "hash algorithm",
             0);
    block[2] = 1;
    block[1] = 5;
    property(cemv_ssad_verify(&port, &key, of(block, SIZE), &data, code) == CEMV_ODA_FORMAT, "format", 0);
    struct cemv_public_key small = key;
    small.size = 26;
    property(cemv_ssad_verify(&port, &small, of(block, 26), &data, code) == CEMV_ODA_SIGNER_TOO_SHORT,
             "a key without room", 26);
    memset(block, 0xBB, sizeof block);
    memcpy(block, "\x6A\x03\x01\xDA\xC5", 5);
    small.size = 27, data.tag_list.data = NULL, data.count = 2;
    seal(27, many, 2);
    property(cemv_ssad_verify(&port, &small, of(block, 27), &data, code) == CEMV_ODA_OK, "the shortest key", 27);
}

/* Dynamic data of `size` bytes, preceded by the number's length. */
static void make_dynamic(uint8_t format, size_t size, uint8_t number, const cemv_bytes *pieces, size_t count)
{
    memset(block, 0xBB, sizeof block);
    memcpy(block, "\x6A\x05\x01", 3);
    block[1] = format;
    block[3] = (uint8_t)size;
    for (size_t i = 0; i < size; i++) block[4 + i] = (uint8_t)(0x20 + i);
    block[4] = number;
    seal(SIZE, pieces, count);
}

static void properties_of_dynamic_signatures(void)
{
    static const uint8_t challenge[] = { 9, 8, 7, 6 };
    const struct cemv_public_key key = card_key();
    const cemv_bytes piece = of(challenge, 4);
    struct cemv_dynamic_data out;
    for (unsigned number = 0; number < 12; number++) {
        const bool fits = number >= 2 && number <= 8;
        make_dynamic(5, 20, (uint8_t)number, &piece, 1);
        memset(&out, 0xEE, sizeof out);
        property(cemv_dda_verify(&port, &key, of(block, SIZE), 5, &piece, 1, &out) ==
                     (fits ? CEMV_ODA_OK : CEMV_ODA_DYNAMIC_NUMBER),
                 "a dynamic number has 2 to 8 bytes", number);
        if (!fits) continue;
        bool same = out.size == 20 && out.number_size == number && out.data[0] == number && out.data[19] == 0x20 + 19 &&
                    out.data[20] == 0;
        for (unsigned i = 0; i < 8; i++) same &= out.number[i] == (i < number ? 0x21 + i : 0);
        property(same, "dynamic data and number are reported", number);
        make_dynamic(5, number + 1u, (uint8_t)number, &piece, 1);
        property(cemv_dda_verify(&port, &key, of(block, SIZE), 5, &piece, 1, &out) == CEMV_ODA_OK &&
                     out.size == number + 1,
                 "just the number", number);
        make_dynamic(5, number, (uint8_t)number, &piece, 1);
        property(cemv_dda_verify(&port, &key, of(block, SIZE), 5, &piece, 1, &out) == CEMV_ODA_DYNAMIC_DATA_LENGTH,
                 "a number longer than the data", number);
    }
    make_dynamic(5, SIZE - 25, 4, &piece, 1);
    property(cemv_dda_verify(&port, &key, of(block, SIZE), 5, &piece, 1, &out) == CEMV_ODA_OK && out.size == SIZE - 25,
             "data that fill the block", 0);
    block[3]++;
    seal(SIZE, &piece, 1);
    property(cemv_dda_verify(&port, &key, of(block, SIZE), 5, &piece, 1, &out) == CEMV_ODA_DYNAMIC_DATA_LENGTH,
             "one byte more", 0);
    block[3] = 0;
    seal(SIZE, &piece, 1);
    property(cemv_dda_verify(&port, &key, of(block, SIZE), 5, &piece, 1, &out) == CEMV_ODA_DYNAMIC_DATA_LENGTH,
             "no data", 0);
    make_dynamic(5, 20, 4, &piece, 1);
    property(cemv_dda_verify(&port, &key, of(block, SIZE), 0x95, &piece, 1, &out) == CEMV_ODA_FORMAT,
             "the format is the path's", 0);
    property(cemv_dda_verify(&port, &key, of(block, SIZE), 5, &piece, 0, &out) == CEMV_ODA_HASH,
             "terminal data are under the hash", 0);
    property(cemv_dda_verify(&port, &key, of(block, 0), 5, &piece, 1, &out) == CEMV_ODA_DATA_MISSING, "no signature",
             0);
    const size_t wrong[] = { 24, SIZE - 22 };
    for (size_t i = 0; i < 2; i++) {
        make_dynamic(5, 20, 4, &piece, 1);
        block[wrong[i]] = 0xBA;
        seal(SIZE, &piece, 1);
        property(cemv_dda_verify(&port, &key, of(block, SIZE), 5, &piece, 1, &out) == CEMV_ODA_PADDING,
                 "padding of dynamic data", (unsigned)i);
    }
    make_dynamic(5, 20, 4, &piece, 1);
    block[2] = 2;
    seal(SIZE, &piece, 1);
    property(cemv_dda_verify(&port, &key, of(block, SIZE), 5, &piece, 1, &out) == CEMV_ODA_HASH_ALGORITHM,
             "hash algorithm of dynamic data", 0);
}

static void properties_of_fdda(void)
{
    static const uint8_t values[] = { 9,    8,    7,    6,    0,    0,    0,    1,    2,    3,
                                      9,    0x78, 1,    0xAA, 0xBB, 0xCC, 0xDD, 0x11, 0x12, 0x13,
                                      0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x20, 0x21, 0x22 };
    const struct cemv_public_key key = card_key();
    const cemv_bytes pieces[] = { of(values, 4), of(values + 4, 6), of(values + 10, 2), of(values + 12, 5) };
    const struct cemv_fdda_input plain = { .format = 0x95,
                                           .unpredictable_number = pieces[0],
                                           .amount = pieces[1],
                                           .currency = pieces[2],
                                           .card_data = pieces[3] };
    struct cemv_dynamic_data out;
    make_dynamic(0x95, 3, 2, pieces, 4);
    struct cemv_fdda_input in = plain;
    in.sdad = of(block, SIZE);
    const struct cemv_fdda_input good_input = in;
    property(cemv_fdda_verify(&port, &key, &in, &out) == CEMV_ODA_OK && out.number_size == 2, "fDDA", 0);
    for (unsigned i = 0; i < 6; i++) {
        in = good_input;
        if (i == 0) in.unpredictable_number.size = 3;
        else if (i == 1) in.amount.size = 5;
        else if (i == 2) in.currency.size = 1;
        else if (i == 3) in.card_data.size = 0;
        else if (i == 4) in.amount.size = 7;
        else in.sdad.size = 0;
        property(cemv_fdda_verify(&port, &key, &in, &out) == CEMV_ODA_DATA_MISSING, "fDDA needs what it hashes", i);
    }
    for (size_t size = 1; size < 18; size++) {
        const cemv_bytes sized[] = { pieces[0], pieces[1], pieces[2], of(values + 12, size) };
        make_dynamic(0x95, 3, 2, sized, 4);
        in = good_input;
        in.card_data = sized[3];
        property(cemv_fdda_verify(&port, &key, &in, &out) ==
                     (size >= 5 && size <= 16 ? CEMV_ODA_OK : CEMV_ODA_CARD_DATA_LENGTH),
                 "card data have 5 to 16 bytes", (unsigned)size);
    }
    in = good_input;
    in.card_data = of(values + 13, 5);
    property(cemv_fdda_verify(&port, &key, &in, &out) == CEMV_ODA_FDDA_VERSION, "version 1", 0);
    make_dynamic(0x95, 3, 2, pieces, 3);
    in = good_input;
    property(cemv_fdda_verify(&port, &key, &in, &out) == CEMV_ODA_HASH, "card data are under the hash", 0);
}

static void properties_of_cda(void)
{
    static const uint8_t challenge[] = { 9, 8, 7, 6 }, said[] = { 1, 2, 3, 4, 5 };
    const struct cemv_public_key key = card_key();
    const cemv_bytes number = of(challenge, 4), transaction[] = { of(said, 2), of(said + 2, 3) };
    uint8_t whole[20], part[20];
    hash(whole, transaction, 2);
    hash(part, transaction, 1);
    struct cemv_cda_data out;
    for (unsigned digits = 2; digits <= 8; digits++) {
        const size_t size = 1u + digits + 29u;
        make_dynamic(5, size, (uint8_t)digits, NULL, 0);
        uint8_t *at = block + 5 + digits;
        at[0] = 0x40;
        memcpy(at + 1, "\xC1\xC2\xC3\xC4\xC5\xC6\xC7\xC8", 8);
        hash(at + 9, transaction, 2);
        seal(SIZE, &number, 1);
        struct cemv_cda_input in = {
            .sdad = of(block, SIZE), .unpredictable_number = number, .cid = 0x40, .transaction_hash = of(whole, 20)
        };
        property(cemv_cda_verify(&port, &key, &in, &out) == CEMV_ODA_OK && out.cid == 0x40 &&
                     memcmp(out.cryptogram, at + 1, 8) == 0 && memcmp(out.transaction_hash, at + 9, 20) == 0 &&
                     out.dynamic.size == size && out.dynamic.number_size == digits &&
                     out.dynamic.number[digits - 1] == 0x20 + digits,
                 "CDA tells cryptogram, type and hash", digits);
        in.cid = 0x80;
        property(cemv_cda_verify(&port, &key, &in, &out) == CEMV_ODA_CID_MISMATCH, "the type shown is the type signed",
                 digits);
        in.cid = 0x40;
        in.transaction_hash = of(part, 20);
        property(cemv_cda_verify(&port, &key, &in, &out) == CEMV_ODA_TRANSACTION_HASH,
                 "the transaction is under its hash", digits);
        in.transaction_hash.size = 0;
        property(cemv_cda_verify(&port, &key, &in, &out) != CEMV_ODA_OK, "no hash, no agreement", digits);
        in.unpredictable_number.size = 3;
        property(cemv_cda_verify(&port, &key, &in, &out) == CEMV_ODA_DATA_MISSING, "a number of four bytes", digits);
        block[3]--;
        block[3 + size] = 0xBB;
        seal(SIZE, &number, 1);
        in = (struct cemv_cda_input){
            .sdad = of(block, SIZE), .unpredictable_number = number, .cid = 0x40, .transaction_hash = of(whole, 20)
        };
        property(cemv_cda_verify(&port, &key, &in, &out) == CEMV_ODA_DYNAMIC_DATA_LENGTH,
                 "data too short for what CDA needs", digits);
    }
    property(!cemv_oda_is_tamper(CEMV_ODA_FDDA_VERSION) && cemv_oda_is_tamper(CEMV_ODA_SIGNER_TOO_SHORT) &&
                 cemv_oda_is_tamper(CEMV_ODA_HASH) && !cemv_oda_is_tamper(CEMV_ODA_OK),
             "what cannot be verified is not wrong", 0);
}

/* Lists as sent, then the objects of the answer as received; the signature itself is not under its own hash. */
static void properties_of_transaction_hashes(void)
{
    static const uint8_t pdol[] = { 1, 2, 3 }, cdol[] = { 4, 5 }, signature[] = { 0x9F, 0x4B, 2, 0xAA, 0xBB };
    const cemv_bytes lists[] = { of(pdol, 3), of(cdol, 2) };
    uint8_t answer[200], digest[20], expected[20];
    for (unsigned objects = 0; objects <= 39; objects++) {
        for (unsigned at = 0; at <= objects; at += objects ? objects : 1) {
            size_t size = 0;
            cemv_bytes pieces[42] = { lists[0], lists[1] };
            for (unsigned i = 0; i <= objects; i++) {
                if (i == at) {
                    memcpy(answer + size, signature, sizeof signature);
                    size += sizeof signature;
                }
                if (i == objects) break;
                answer[size] = 0x90;
                answer[size + 1] = 0x81;
                answer[size + 2] = 1;
                answer[size + 3] = (uint8_t)i;
                pieces[2 + i] = of(answer + size, 4);
                size += 4;
            }
            const cemv_bytes hashed = cemv_cda_transaction_hash(&port, lists, 2, of(answer, size), digest);
            hash(expected, pieces, 2 + objects);
            property(objects == 0 || objects > 38 ? hashed.size == 0
                                                  : hashed.size == 20 && memcmp(hashed.data, expected, 20) == 0,
                     "what the transaction data hash covers", objects);
        }
    }
}

/* ---- CA keys as configured ---- */

static void properties_of_ca_keys(void)
{
    uint8_t digest[20], n[CEMV_ODA_MODULUS_MAX + 1];
    memset(n, 0xFF, sizeof n);
    for (unsigned i = 0; i < 2; i++) {
        struct cemv_ca_key key = {
            .rid = { 1, 2, 3, 4, 5 }, .index = 9, .exponent = i ? 65537 : 3, .modulus = { n, 144 }
        };
        const cemv_bytes pieces[] = { of(key.rid, 5), of(&key.index, 1), key.modulus,
                                      i ? of("\1\0\1", 3) : of("\3", 1) };
        hash(digest, pieces, 4);
        key.sha1 = of(digest, 20);
        property(cemv_ca_key_check(&port, &key, 1152) == CEMV_CA_KEY_OK, "a CA key with its checksum", i);
        property(cemv_ca_key_check(&port, &key, 1153) == CEMV_CA_KEY_TOO_SHORT, "bits", i);
        key.sha1.size = 19;
        property(cemv_ca_key_check(&port, &key, 0) == CEMV_CA_KEY_CHECKSUM, "a checksum has 20 bytes", i);
        key.sha1.size = 20;
        digest[19] ^= 1;
        property(cemv_ca_key_check(&port, &key, 0) == CEMV_CA_KEY_CHECKSUM, "and is right", i);
        key.exponent = 17;
        property(cemv_ca_key_check(&port, &key, 0) == CEMV_CA_KEY_EXPONENT, "exponents", i);
        key.exponent = 3;
        key.modulus.size = 249;
        property(cemv_ca_key_check(&port, &key, 0) == CEMV_CA_KEY_TOO_LONG, "too long", i);
        key.modulus.size = 248;
        property(cemv_ca_key_check(&port, &key, 1984) == CEMV_CA_KEY_CHECKSUM, "the longest", i);
        key.modulus.size = 0;
        property(cemv_ca_key_check(&port, &key, 0) == CEMV_CA_KEY_TOO_SHORT, "empty", i);
        key.modulus.size = 144;
        n[143] = 0xFE;
        property(cemv_ca_key_check(&port, &key, 0) == CEMV_CA_KEY_EVEN, "even", i);
        n[143] = 0xFF;
        for (unsigned top = 1, bits = 1145; top < 256; top = top * 2, bits++) {
            n[0] = (uint8_t)top;
            property(cemv_ca_key_check(&port, &key, bits) == CEMV_CA_KEY_CHECKSUM &&
                         cemv_ca_key_check(&port, &key, bits + 1) == CEMV_CA_KEY_TOO_SHORT,
                     "bits are counted", top);
        }
        n[0] = 0;
        property(cemv_ca_key_check(&port, &key, 0) == CEMV_CA_KEY_TOP_ZERO, "top byte", i);
        n[0] = 0xFF;
    }
}

void properties_of_certificates(void)
{
    for (unsigned icc = 0; icc < 2; icc++) {
        properties_of_keys(icc);
        properties_of_fields(icc);
        properties_of_recovery(icc);
    }
    PART(properties_of_subjects);
    PART(properties_of_authorities);
    PART(properties_of_memory);
    PART(properties_of_remembered_exponents);
    PART(properties_of_prepared_keys);
    PART(properties_of_work);
    PART(properties_of_transaction_hashes);
    PART(properties_of_ca_keys);
}

void properties_of_signatures(void)
{
    PART(properties_of_static_signatures);
    PART(properties_of_dynamic_signatures);
    PART(properties_of_fdda);
    PART(properties_of_cda);
}

/* ---- block ciphers: published vectors (FIPS 197, C.1; SP 800-67; SP 500-20) ---- */

static void put_be64(uint8_t out[8], uint64_t number)
{
    for (size_t i = 8; i > 0; i--, number >>= 8) out[i - 1] = (uint8_t)number;
}

/* Key, plaintext, ciphertext: the substitution table tests of SP 500-20, which use every entry of every table. */
static void every_entry_of_the_boxes_counts(void)
{
    static const uint64_t tests[][3] = {
        { 0x7CA110454A1A6E57, 0x01A1D6D039776742, 0x690F5B0D9A26939B },
        { 0x0131D9619DC1376E, 0x5CD54CA83DEF57DA, 0x7A389D10354BD271 },
        { 0x07A1133E4A0B2686, 0x0248D43806F67172, 0x868EBB51CAB4599A },
        { 0x3849674C2602319E, 0x51454B582DDF440A, 0x7178876E01F19B2A },
        { 0x04B915BA43FEB5B6, 0x42FD443059577FA2, 0xAF37FB421F8C4095 },
        { 0x0113B970FD34F2CE, 0x059B5E0851CF143A, 0x86A560F10EC6D85B },
        { 0x0170F175468FB5E6, 0x0756D8E0774761D2, 0x0CD3DA020021DC09 },
        { 0x43297FAD38E373FE, 0x762514B829BF486A, 0xEA676B2CB7DB2B7A },
        { 0x07A7137045DA2A16, 0x3BDD119049372802, 0xDFD64A815CAF1A0F },
        { 0x04689104C2FD3B2F, 0x26955F6835AF609A, 0x5C513C9C4886C088 },
        { 0x37D06BB516CB7546, 0x164D5E404F275232, 0x0A2AEEAE3FF4AB77 },
        { 0x1F08260D1AC2465E, 0x6B056E18759F5CCA, 0xEF1BF03E5DFA575A },
        { 0x584023641ABA6176, 0x004BD6EF09176062, 0x88BF0DB6D70DEE56 },
        { 0x025816164629B007, 0x480D39006EE762F2, 0xA1F9915541020B56 },
        { 0x49793EBC79B3258F, 0x437540C8698F3CFA, 0x6FBF1CAFCFFD0556 },
        { 0x4FB05E1515AB73A7, 0x072D43A077075292, 0x2F22E49BAB7CA1AC },
        { 0x49E95D6D4CA229BF, 0x02FE55778117F12A, 0x5A6B612CC26CCE4A },
        { 0x018310DC409B26D6, 0x1D9D5C5018F728C2, 0x5F4C038ED12B2E41 },
        { 0x1C587F1C13924FEF, 0x305532286D6F295A, 0x63FAC0D034D9F793 },
    };
    for (unsigned i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        uint8_t key[8], block[8], expected[8];
        put_be64(key, tests[i][0]);
        put_be64(block, tests[i][1]);
        put_be64(expected, tests[i][2]);
        cemv_des3_encrypt(key, key, block);
        property(memcmp(block, expected, sizeof block) == 0, "DES of SP 500-20", i);
    }
}

void properties_of_ciphers(void)
{
    uint8_t key[16], text[16];
    static const uint8_t expected[] = { 0x69, 0xC4, 0xE0, 0xD8, 0x6A, 0x7B, 0x04, 0x30,
                                        0xD8, 0xCD, 0xB7, 0x80, 0x70, 0xB4, 0xC5, 0x5A };
    for (unsigned i = 0; i < 16; i++) {
        key[i] = (uint8_t)i;
        text[i] = (uint8_t)(17 * i);
    }
    cemv_aes128_encrypt(key, text);
    property(memcmp(text, expected, 16) == 0, "AES-128 of FIPS 197", 0);
    static const struct {
        uint8_t key[16], text[16], out[16];
    } aes[] = {
        { { 0x2B, 0x7E, 0x15, 0x16, 0x28, 0xAE, 0xD2, 0xA6, 0xAB, 0xF7, 0x15, 0x88, 0x09, 0xCF, 0x4F, 0x3C },
          { 0x6B, 0xC1, 0xBE, 0xE2, 0x2E, 0x40, 0x9F, 0x96, 0xE9, 0x3D, 0x7E, 0x11, 0x73, 0x93, 0x17, 0x2A },
          { 0x3A, 0xD7, 0x7B, 0xB4, 0x0D, 0x7A, 0x36, 0x60, 0xA8, 0x9E, 0xCA, 0xF3, 0x24, 0x66, 0xEF, 0x97 } },
        { { 0 },
          { 0 },
          { 0x66, 0xE9, 0x4B, 0xD4, 0xEF, 0x8A, 0x2C, 0x3B, 0x88, 0x4C, 0xFA, 0x59, 0xCA, 0x34, 0x2B, 0x2E } },
    };
    for (unsigned i = 0; i < 2; i++) {
        memcpy(text, aes[i].text, 16);
        cemv_aes128_encrypt(aes[i].key, text);
        property(memcmp(text, aes[i].out, 16) == 0, "AES-128 of SP 800-38A", i);
    }
    static const uint8_t left[] = { 0x13, 0x34, 0x57, 0x79, 0x9B, 0xBC, 0xDF, 0xF1 },
                         des[] = { 0x85, 0xE8, 0x13, 0x54, 0x0F, 0x0A, 0xB4, 0x05 };
    uint8_t small[8] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF };
    cemv_des3_encrypt(left, left, small);
    property(memcmp(small, des, 8) == 0, "one key three times is DES", 0);
    PART(every_entry_of_the_boxes_counts);
}
