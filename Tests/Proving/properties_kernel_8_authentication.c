/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the data that bind a transaction of Kernel 8 (Book C-8 v1.0, 4.1.3, 8.6, C.24 to C.54, C.71): MACs and
 * hashes compared with compositions written here, certificates that are signed here with small private keys, and the
 * results that precomputation must not change. Dialogues are in Tests/Independent. */
#include <string.h>

#include "CEMVInternals.h"
#include "properties.h"

#include "../../Sources/CEMV/include/cemv_kernel_8.h"
#include "../../Sources/CEMV/kernels/k8/k8_memory.h"
#include "../Secrets/secrets.h"

static cemv_bytes of(const void *data, size_t size) { return (cemv_bytes){ data, size }; }

/* ---- strings and tree walks (4.1.3) ---- */

/* Every truncated structure is an error; zeros alone are not an object; beyond 256 bytes nothing is read. */
static void properties_of_strings_8(void)
{
    static const uint8_t
        good[] = { 0x70, 0x82, 0x00, 0x0B, 0x9F, 0x81, 0x02, 0x81, 0x01, 0xAA, 0x00, 0x5A, 0x02, 1, 2 },
        zeros[8] = { 0 };
    uint8_t wide[K8_STRING_MAX + 1] = { 0x70, 0x81, K8_STRING_MAX - 3, 0xDF, 0x01, 0x81, K8_STRING_MAX - 7 };
    struct cemv_tlv object;
    unsigned seen = 0;
    property(k8_parse(of(good, sizeof good)) == K8_PARSE_OK, "lengths of one and two bytes", 0);
    for (size_t size = 0; size < sizeof good; size++)
        property(k8_parse(of(guarded_copy(good, size), size)) == K8_PARSE_ERROR, "what is cut is none", (unsigned)size);
    for (size_t size = 0; size <= sizeof zeros; size++)
        property(k8_parse(of(zeros, size)) == K8_PARSE_ERROR, "zeros are no object", (unsigned)size);
    property(k8_parse(of(wide, K8_STRING_MAX)) == K8_PARSE_OK, "a string of 256 bytes", 0);
    property(k8_parse(of(wide, sizeof wide)) == K8_PARSE_ERROR, "and no longer one", 0);
    for (size_t size = 4; size < sizeof good; size++) {
        struct k8_walk walk = k8_walk_open(of(guarded_copy(good + 4, size - 4), size - 4), true);
        for (seen = 0; k8_walk_next(&walk, &object);) seen++;
        property(seen == (size >= 10 ? 1 : 0), "objects before the cut", (unsigned)size);
        property(walk.error == (size != 4 && size != 10 && size != 11), "then an error", (unsigned)size);
        property(!k8_walk_next(&walk, &object), "and nothing behind it", (unsigned)size);
    }
}

/* ---- a card and its reader ---- */

enum { SIZE = CEMV_P256_SIZE, RSA_SIZE = 128, RSA_ISSUER = 92, RSA_CARD = 48 };
static const uint8_t aid[] = { 0xF0, 0, 0, 0x08, 0x08, 0x01 };
static const uint8_t pan[] = { 0x67, 0x88, 0x88, 0, 0, 0, 0, 0x19 };
static const uint8_t index_1 = 1, exponent = 3;

/* The kernel's memory is part of it. */
static struct {
    struct cemv_kernel kernel;
    struct k8_memory memory;
} room;
static struct cemv_kernel *const kernel = &room.kernel;
static struct k8_memory *const memory = &room.memory;
static struct cemv_checked checked;
static struct cemv_combination combination;
static struct cemv_curve_key curve_key;
static struct cemv_ca_key rsa_key;
static struct cemv_crypto crypto;
static uint8_t ones[RSA_SIZE], ca_point[2 * SIZE], issuer_point[2 * SIZE], card_point[2 * SIZE];
static unsigned ca_key, issuer_key, card_key;

struct poke {
    size_t at; /* 0: none */
    uint8_t value;
};
/* The data that are hashed and signed. */
static struct {
    bool rsa;
    bool extended; /* the Extended SDA data contain the key */
    struct poke issuer, card;
    uint8_t record[120];
    size_t record_size;
} card;

static bool echo(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t public_exponent)
{
    (void)modulus;
    (void)public_exponent;
    memmove(out, in.data, in.size);
    return true;
}

static void put(uint16_t slot, const void *data, size_t size)
{
    property(cemv_store_put(&kernel->store, slot, of(data, size), CEMV_FROM_CARD), "room", slot);
}
static void put_tag(uint16_t slot, uint8_t byte) { put(slot, &byte, 1); }
static void drop(uint16_t slot) { put(slot, NULL, 0); }
static uint8_t *bytes_of(uint16_t slot) { return (uint8_t *)(uintptr_t)cemv_value(kernel, slot).data; }
static struct cemv_span keep(const void *data, size_t size)
{
    struct cemv_span span = { 0, 0 };
    property(k8_keep(kernel, of(data, size), &span), "room", (unsigned)size);
    return span;
}

static const struct cemv_tags *known_tags(void)
{
    static struct cemv_tags tags;
    if (tags.count == 0) cemv_tags_open(&tags, &cemv_kernel_8.tags);
    return &tags;
}

/* The first private key from this one on whose point has the smaller y, as keys of certificates require. */
static unsigned find_key(unsigned from, uint8_t point[2 * SIZE])
{
    uint8_t scalar[SIZE] = { 0 }, recovered[2 * SIZE];
    for (;; from++) {
        scalar[SIZE - 1] = (uint8_t)from;
        test_secrets.p256_public(point, scalar);
        if (cemv_p256_recover(recovered, point) && memcmp(recovered, point, sizeof recovered) == 0) return from;
    }
}

static void begin(uint8_t profile)
{
    static const struct cemv_kernel_row row = { { 8 }, 1, &cemv_kernel_8, NULL };
    static const uint8_t head[] = { 0x5F, 0x24, 3, 0x33, 0x12, 0x31, 0x5A, 8,    0x67, 0x88, 0x88,
                                    0,    0,    0, 0,    0x19, 0,    0x9F, 0x81, 0x0B, SIZE };
    memset(&room, 0, sizeof room);
    memset(&checked, 0, sizeof checked);
    memset(&card, 0, sizeof card);
    memset(ones, 0xFF, sizeof ones);
    if (ca_key == 0) {
        ca_key = find_key(1, ca_point);
        issuer_key = find_key(ca_key + 1, issuer_point);
        card_key = find_key(issuer_key + 1, card_point);
    }
    crypto = test_crypto();
    crypto.rsa_public = echo, crypto.rsa_prepare = NULL;
    combination = (struct cemv_combination){ .aid = { aid, sizeof aid } };
    curve_key = (struct cemv_curve_key){ .rid = { 0xF0, 0, 0, 0x08, 0x08 },
                                         .index = 1,
                                         .suite = 0x10,
                                         .x = { ca_point, SIZE },
                                         .y = { ca_point + SIZE, SIZE } };
    rsa_key = (struct cemv_ca_key){
        .rid = { 0xF0, 0, 0, 0x08, 0x08 }, .index = 1, .exponent = 3, .modulus = { ones, RSA_SIZE }
    };
    checked.crypto = &crypto;
    checked.configuration.protection.profile = profile;
    checked.configuration.kernels = &row;
    checked.configuration.curve_keys = &curve_key, checked.configuration.curve_key_count = 1;
    checked.configuration.ca_keys = &rsa_key;
    kernel->checked = &checked, kernel->combination = &combination, kernel->row = &row;
    memcpy(kernel->transaction.date, "\x26\x11\x22", 3);
    cemv_store_clear(&kernel->store, known_tags(), 0);
    memory->version = 2;
    memcpy(card.record, head, sizeof head);
    memcpy(card.record + sizeof head, card_point, SIZE);
    card.record_size = sizeof head + SIZE;
}

/* ---- signing ---- */

/* (a + b) modulo the order. */
static void add(uint8_t out[SIZE], const uint8_t a[SIZE], const uint8_t b[SIZE])
{
    static const uint8_t order[SIZE] = { 0xFF, 0xFF, 0xFF, 0xFF, 0,    0,    0,    0,    0xFF, 0xFF, 0xFF,
                                         0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17,
                                         0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51 };
    unsigned carry = 0, borrow = 0;
    uint8_t sum[SIZE];
    for (size_t i = SIZE; i-- != 0; carry >>= 8) sum[i] = (uint8_t)(carry += (unsigned)a[i] + b[i]);
    if (carry == 0 && memcmp(sum, order, SIZE) < 0) {
        memcpy(out, sum, SIZE);
        return;
    }
    for (size_t i = SIZE; i-- != 0;) {
        const unsigned left = 256u + sum[i] - order[i] - borrow;
        out[i] = (uint8_t)left;
        borrow = left < 256u;
    }
}

/* EC-SDSA (8.4): R = SHA-256(x of k * G, message), S = k + d * R. */
static void sign(uint8_t signature[2 * SIZE], unsigned private_key, cemv_bytes message)
{
    uint8_t k[SIZE], point[2 * SIZE], r[SIZE];
    for (size_t i = 0; i < SIZE; i++) k[i] = (uint8_t)(i == 0 ? any(128) : any(256));
    test_secrets.p256_public(point, k);
    const cemv_bytes pieces[] = { { point, SIZE }, message };
    cemv_crypto_builtin.sha256(signature, pieces, 2);
    (void)crypto_p256_reduce(r, signature);
    for (unsigned i = 0; i < private_key; i++) add(k, k, r);
    memcpy(signature + SIZE, k, SIZE);
}

static void poke(uint8_t *bytes, const struct poke *poke)
{
    if (poke->at != 0) bytes[poke->at] = poke->value;
}

static void put_curve_chain(const uint8_t hash[CEMV_SHA256_SIZE])
{
    uint8_t issuer[K8_ISSUER_CERTIFICATE] = { 0x12, 0, 0x67, 0x88, 0x88, 0xFF, 0xFF, 0x10, 0x20, 0x35, 0x12,
                                              0x31, 1, 2,    3,    0xF0, 0,    0,    0x08, 0x08, 1 },
            own[K8_CARD_CERTIFICATE] = { 0x14, 0, 0, 0x20, 0x33, 0x12, 0x31, 0x23, 0x59, 0, 0, 0, 0, 0, 0, 1, 2 };
    memcpy(issuer + 21, issuer_point, SIZE);
    poke(issuer, &card.issuer);
    sign(issuer + 53, ca_key, of(issuer, 53));
    memcpy(own + 17, hash, CEMV_SHA256_SIZE);
    memcpy(own + 49, card_point, SIZE);
    poke(own, &card.card);
    sign(own + 81, issuer_key, of(own, 81));
    put(CEMV_SLOT_90, issuer, sizeof issuer);
    put(CEMV_SLOT_9F46, own, sizeof own);
}

/* Header, format, subject, MMYY, serial, algorithms, lengths, key, padding, hash, trailer (Book 2, Tables 6 and 14). */
static void put_rsa(uint16_t slot, cemv_bytes subject, size_t size, size_t key_size, const struct poke *wrong,
                    cemv_bytes data)
{
    uint8_t block[RSA_SIZE];
    const size_t fields = 2 + subject.size;
    memset(block, 0xBB, sizeof block);
    block[0] = 0x6A, block[1] = slot == CEMV_SLOT_90 ? 2 : 4;
    memcpy(block + 2, subject.data, subject.size);
    memcpy(block + fields, "\x12\x35\x01\x02\x03\x01\x01", 7);
    block[fields + 7] = (uint8_t)key_size, block[fields + 8] = 1;
    memset(block + fields + 9, 0xFF, key_size);
    poke(block, wrong);
    const cemv_bytes pieces[] = { { block + 1, size - 22 }, { &exponent, 1 }, data };
    cemv_crypto_builtin.sha1(block + size - 21, pieces, 3);
    block[size - 1] = 0xBC;
    put(slot, block, size);
}

/* Signed Records, Extended SDA data (5F34, which is absent, 9F36, and the key or not), AIP. */
static size_t static_data_of(uint8_t out[200])
{
    static const uint8_t rest[] = { 0x5F, 0x34, 0, 0x9F, 0x36, 2, 0, 7 }, header[] = { 0x9F, 0x81, 0x0B, SIZE };
    size_t size = card.record_size;
    memcpy(out, card.record, size);
    memcpy(out + size, rest, sizeof rest), size += sizeof rest;
    if (card.extended) {
        memcpy(out + size, header, sizeof header), size += sizeof header;
        memcpy(out + size, card_point, SIZE), size += SIZE;
    }
    memcpy(out + size, "\x01\x02", 2);
    return size + 2;
}

/* All data except those signed with a key; returns the hash of the static data. */
static void complete_data(uint8_t hash[CEMV_SHA256_SIZE])
{
    static const uint8_t tags[] = { 0x5F, 0x34, 0x9F, 0x36, 0x9F, 0x81, 0x0B }, profile[] = { 0x01, 0x02 },
                         counter[] = { 0, 7 };
    uint8_t data[200];
    const cemv_bytes whole = of(data, static_data_of(data));
    cemv_crypto_builtin.sha256(hash, &whole, 1);
    put(CEMV_SLOT_82, profile, 2);
    put(CEMV_SLOT_84, aid, sizeof aid);
    put(CEMV_SLOT_8F, &index_1, 1);
    put(CEMV_SLOT_5A, pan, sizeof pan);
    put(CEMV_SLOT_9F36, counter, 2);
    put(CEMV_SLOT_9A, "\x26\x11\x22", 3);
    put(CEMV_SLOT_9F21, "\x12\x30\x00", 3);
    put(K8_SLOT_9F810A, tags, card.extended ? sizeof tags : 4);
    if (card.extended) put(K8_SLOT_9F810B, card_point, SIZE);
    put(K8_SLOT_9F8209, "\x20\x00", 2);
    memory->signed_records[0] = keep(card.record, card.record_size), memory->signed_count = 1;
    property(k8_gather_extended(kernel) && memcmp(memory->hash, hash, CEMV_SHA256_SIZE) == 0,
             "the hash of the static data", 0);
}

/* A card whose data are all valid except the poked byte. */
static void complete(void)
{
    static const uint8_t identifier[] = { 0x67, 0x88, 0x88, 0xFF },
                         subject[] = { 0x67, 0x88, 0x88, 0, 0, 0, 0, 0x19, 0xFF, 0xFF };
    uint8_t data[200], hash[CEMV_SHA256_SIZE], blinded[2 * SIZE] = { 0 };
    complete_data(hash);
    for (size_t i = 0; i < SIZE; i++) memory->factor[i] = (uint8_t)(i + 1);
    test_secrets.p256_multiply(blinded, memory->factor, card_point);
    put(K8_SLOT_9F8103, blinded, sizeof blinded);
    if (!card.rsa) {
        put_curve_chain(hash);
        return;
    }
    checked.configuration.curve_key_count = 0, checked.configuration.ca_key_count = 1;
    put(CEMV_SLOT_9F32, &exponent, 1);
    put(CEMV_SLOT_9F47, &exponent, 1);
    put_rsa(CEMV_SLOT_90, of(identifier, 4), RSA_SIZE, RSA_ISSUER, &card.issuer, of(NULL, 0));
    put_rsa(CEMV_SLOT_9F46, of(subject, 10), RSA_ISSUER, RSA_CARD, &card.card, of(data, static_data_of(data)));
}

/* For tests that read no certificate. */
static void fresh_without_chain(void)
{
    uint8_t hash[CEMV_SHA256_SIZE];
    begin(CEMV_PROFILE_GUARDED);
    complete_data(hash);
}

/* ---- local authentication (S28, RPC.2, RPC.3, 6.4.1) ---- */

#define FOUND(name) (1u << CEMV_FINDING_##name)

/* Checks the verdict and the findings. Both must be equal with precomputation, which reports nothing by itself and is
 * done once. */
static void gives(uint8_t verdict, uint32_t findings, const char *name)
{
    static uint8_t before[sizeof room];
    memcpy(before, &room, sizeof room);
    const uint8_t plain = k8_authenticate(kernel);
    property(plain == verdict, name, plain);
    property(kernel->findings == findings, name, kernel->findings);
    memcpy(&room, before, sizeof room);
    const bool due = k8_precompute_due(kernel), done = k8_precompute(kernel);
    property(!k8_precompute_due(kernel) && !k8_precompute(kernel), "precomputed once", done);
    property(due || !done, "nothing but what is due", due);
    property(kernel->findings == 0, "what is found ahead is not reported yet", kernel->findings);
    property(k8_authenticate(kernel) == verdict && kernel->findings == findings, "precomputation changes nothing",
             kernel->findings);
    memcpy(&room, before, sizeof room);
}

static void fresh(uint8_t profile, bool rsa)
{
    begin(profile);
    card.rsa = rsa;
    complete();
}

static void properties_of_chain_data(void)
{
    static const uint16_t slots[] = { CEMV_SLOT_8F,   CEMV_SLOT_90,   CEMV_SLOT_5A,
                                      CEMV_SLOT_9F46, CEMV_SLOT_9F32, CEMV_SLOT_9F47 };
    for (unsigned i = 0; i < 12; i++) {
        const bool rsa = i % 2 != 0;
        fresh(CEMV_PROFILE_GUARDED, rsa);
        gives(K8_LOCAL_GOOD, 0, "a good card");
        drop(slots[i / 2]);
        gives(i < 8 || rsa ? K8_LOCAL_DATA_MISSING : K8_LOCAL_GOOD, 0, "what the kind of chain needs");
    }
}

static void set_expiry(const char *date)
{
    memcpy(curve_key.expires, date, 3);
    memcpy(rsa_key.expires, date, 3);
}

/* A key that has expired, is missing, of another suite or another RID's. */
static void properties_of_ca_keys_8(void)
{
    for (unsigned i = 0; i < 4; i++) {
        const bool rsa = i % 2 != 0, book = i / 2 != 0;
        fresh(book ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED, rsa);
        set_expiry("\x26\x11\x22");
        gives(K8_LOCAL_GOOD, 0, "good to the last day");
        set_expiry("\x26\x11\x21");
        gives(book ? K8_LOCAL_GOOD : K8_LOCAL_FAILED, FOUND(CA_KEY_EXPIRED), "an expired key");
        set_expiry("\0\0\0");
        curve_key.test = rsa_key.test = true;
        gives(K8_LOCAL_GOOD, FOUND(TEST_KEY), "a key whose private half is public");
        curve_key.test = rsa_key.test = false;
        put_tag(CEMV_SLOT_8F, 2);
        gives(K8_LOCAL_FAILED, FOUND(CA_KEY_MISSING), "another index");
        put_tag(CEMV_SLOT_8F, 1);
        combination.aid = of("\xF0\0\0\x08\x09\x01", 6);
        gives(book ? K8_LOCAL_GOOD : K8_LOCAL_FAILED, book ? 0 : FOUND(CA_KEY_MISSING),
              "a RID that is not the reader's");
        combination.aid = of(aid, sizeof aid);
        curve_key.rid[4] = rsa_key.rid[4] = 9;
        gives(K8_LOCAL_FAILED, FOUND(CA_KEY_MISSING), "a key of another RID");
    }
    fresh(CEMV_PROFILE_GUARDED, false);
    curve_key.suite = 0x11, checked.configuration.ca_key_count = 1;
    gives(K8_LOCAL_FAILED, 0, "another suite is no key, and RSA not in its place");
    struct cemv_curve_key two[] = { curve_key, curve_key };
    two[0].suite = 0x10, two[1].x = of(ones, 1);
    checked.configuration.curve_keys = two, checked.configuration.curve_key_count = 2;
    gives(K8_LOCAL_GOOD, 0, "of two rows the first");
}

/* Each step of C.25 and C.36 separately. Only dates and revocation are reported. */
static void properties_of_curve_certificates(void)
{
    static const struct {
        struct poke issuer, card;
        uint32_t findings;
    } rows[] = {
        { { 1, 1 }, { 0, 0 }, 0 },
        { { 4, 0x89 }, { 0, 0 }, 0 },
        { { 8, 0x19 }, { 0, 0 }, FOUND(CERTIFICATE_EXPIRED) },
        { { 9, 0x3A }, { 0, 0 }, FOUND(CERTIFICATE_EXPIRED) },
        { { 19, 9 }, { 0, 0 }, 0 },
        { { 20, 2 }, { 0, 0 }, 0 },
        { { 7, 0x11 }, { 0, 0 }, 0 },
        { { 0, 0 }, { 1, 1 }, 0 },
        { { 0, 0 }, { 3, 0x19 }, FOUND(CERTIFICATE_EXPIRED) },
        { { 0, 0 }, { 8, 0x5A }, FOUND(CERTIFICATE_EXPIRED) },
        { { 0, 0 }, { 2, 0x10 }, 0 },
        { { 0, 0 }, { 15, 0 }, 0 },
        { { 0, 0 }, { 16, 1 }, 0 },
        { { 0, 0 }, { 17, 0x5A }, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        begin(CEMV_PROFILE_GUARDED);
        card.issuer = rows[i].issuer, card.card = rows[i].card;
        complete();
        gives(K8_LOCAL_FAILED, rows[i].findings, "a certificate with one wrong field");
    }
    for (unsigned i = 0; i < 4; i++) {
        fresh(CEMV_PROFILE_GUARDED, false);
        const uint16_t slots[] = { CEMV_SLOT_90, CEMV_SLOT_9F46, K8_SLOT_9F8103 };
        uint8_t *const bytes = i < 3 ? bytes_of(slots[i]) : memory->factor;
        bytes[i < 2 ? cemv_value(kernel, slots[i]).size - 1 : 31] ^= 1;
        gives(K8_LOCAL_FAILED, 0, "a bit of a signature, of the blinded key, of the factor");
    }
}

/* By RID, index and serial number, all three. */
static void properties_of_revocation(void)
{
    static const struct cemv_revocation rows[] = {
        { { 0xF0, 0, 0, 0x08, 0x08 }, 2, { 1, 2, 3 } },
        { { 0xF0, 0, 0, 0x08, 0x09 }, 1, { 1, 2, 3 } },
        { { 0xF0, 0, 0, 0x08, 0x08 }, 1, { 1, 2, 4 } },
        { { 0xF0, 0, 0, 0x08, 0x08 }, 1, { 1, 2, 3 } },
    };
    for (unsigned i = 0; i < 8; i++) {
        fresh(CEMV_PROFILE_GUARDED, i % 2 != 0);
        checked.configuration.revocations = rows, checked.configuration.revocation_count = i / 2 + 1;
        gives(i < 6 ? K8_LOCAL_GOOD : K8_LOCAL_FAILED, i < 6 ? 0 : FOUND(CERTIFICATE_REVOKED), "revoked certificates");
    }
    property(!k8_identifier_matches(of("\x67\x88\x88\x00\xFF", 5), of(pan, 3)), "an identifier longer than the PAN", 0);
    property(k8_identifier_matches(of("\x67\x88\x88\xFF\xFF", 5), of(pan, 3)), "and one of its length", 0);
}

/* ---- RSA (C.26, C.34, C.38) ---- */

static void properties_of_rsa_chains(void)
{
    static const struct {
        struct poke issuer, card;
        uint8_t verdict;
        uint32_t findings;
    } rows[] = {
        { { 7, 0x25 }, { 0, 0 }, K8_LOCAL_FAILED, FOUND(CERTIFICATE_EXPIRED) },
        { { 12, 2 }, { 0, 0 }, K8_LOCAL_FAILED, 0 },
        { { 106, 0 }, { 0, 0 }, K8_LOCAL_FAILED, 0 },
        { { 0, 0 }, { 1, 2 }, K8_LOCAL_FAILED, 0 },
        { { 0, 0 }, { 13, 0x25 }, K8_LOCAL_FAILED, FOUND(CERTIFICATE_EXPIRED) },
        { { 0, 0 }, { 9, 0x18 }, K8_LOCAL_FAILED, 0 },
        /* Step 10: the algorithm. Step 11: padding, the exponent's length, the modulus. */
        { { 0, 0 }, { 18, 2 }, K8_LOCAL_FAILED, 0 },
        { { 0, 0 }, { 70, 0xBA }, K8_LOCAL_GOOD, 0 },
        { { 0, 0 }, { 20, 3 }, K8_LOCAL_GOOD, 0 },
        { { 0, 0 }, { 21, 0 }, K8_LOCAL_GOOD, 0 },
        { { 0, 0 }, { 21 + RSA_CARD - 1, 0xFE }, K8_LOCAL_GOOD, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        begin(CEMV_PROFILE_GUARDED);
        card.rsa = true, card.issuer = rows[i].issuer, card.card = rows[i].card;
        complete();
        gives(rows[i].verdict, rows[i].findings, "an RSA certificate with one wrong field");
    }
    fresh(CEMV_PROFILE_GUARDED, true);
    drop(CEMV_SLOT_9A);
    gives(K8_LOCAL_FAILED, 0, "without a date nothing is good");
    fresh(CEMV_PROFILE_GUARDED, true);
    put(K8_SLOT_9F8209, "\x10\x00", 2);
    gives(K8_LOCAL_FAILED, 0, "RSA where it is not enabled");
    fresh(CEMV_PROFILE_GUARDED, true);
    put(CEMV_SLOT_82, "\x01\x0A", 2);
    gives(K8_LOCAL_FAILED, 0, "the profile is in the certificate");
    /* Adjacent signed records form one piece of static data; oda/ accepts a limited number of pieces. */
    for (unsigned count = CEMV_ODA_PIECES_MAX - 3; count <= CEMV_MAX_RECORDS; count++) {
        fresh(CEMV_PROFILE_GUARDED, true);
        while (memory->signed_count < count)
            memory->signed_records[memory->signed_count++] = (struct cemv_span){ 0, 0 };
        gives(count + 2 <= CEMV_ODA_PIECES_MAX ? K8_LOCAL_GOOD : K8_LOCAL_FAILED, 0, "static data in too many pieces");
    }
}

/* C.51; attacks.md, A28: a factor of one shows the card's own key to everybody. This is reported, but the card still
 * counts as authentic. */
static void an_exposed_key_is_reported(void)
{
    uint8_t blinded[2 * SIZE] = { 0 };
    fresh(CEMV_PROFILE_GUARDED, false);
    memset(memory->factor, 0, sizeof memory->factor);
    memory->factor[SIZE - 1] = 1;
    memcpy(blinded, card_point, SIZE);
    put(K8_SLOT_9F8103, blinded, sizeof blinded);
    gives(K8_LOCAL_GOOD, FOUND(CARD_KEY_EXPOSED), "a factor of one");
    for (unsigned i = 0; i < SIZE; i++) {
        memcpy(blinded, card_point, SIZE);
        blinded[i] ^= 1;
        put(K8_SLOT_9F8103, blinded, sizeof blinded);
        kernel->findings = 0;
        property(k8_authenticate(kernel) == K8_LOCAL_FAILED && kernel->findings == 0, "another key", i);
    }
}

/* ---- issuer keys of earlier taps ---- */

static unsigned combined;
static bool counted_combine(uint8_t x[SIZE], const uint8_t s[SIZE], const uint8_t r[SIZE],
                            const uint8_t point[2 * SIZE])
{
    combined++;
    return cemv_p256_combine(x, s, r, point);
}

static _Alignas(CEMV_ALIGNMENT) uint8_t key_memory[CEMV_ISSUER_KEYS_SIZE];
static struct cemv_issuer_keys *const remembered = (struct cemv_issuer_keys *)(void *)key_memory;

/* The reader's memory that a tap of this card has. */
static void use_reader(struct cemv_reader_memory *reader)
{
    kernel->transaction.reader = reader;
    crypto.p256_combine = counted_combine;
}

/* A tap with the current data; returns how many signatures were verified. */
static unsigned verified(uint8_t verdict, bool ahead, const char *name)
{
    static uint8_t before[sizeof room];
    const uint32_t found = cemv_issuer_keys_found(remembered);
    memcpy(before, &room, sizeof room);
    combined = 0;
    if (ahead) {
        static uint8_t keys[sizeof key_memory];
        memcpy(keys, key_memory, sizeof keys);
        property(k8_precompute(kernel) && memcmp(keys, key_memory, sizeof keys) == 0,
                 "precomputation changes no memory of the reader", found);
    }
    property(k8_authenticate(kernel) == verdict, name, ahead);
    memcpy(&room, before, sizeof room);
    return combined;
}

/* A certificate of the issuer is verified once: at the next taps it is counted as found, with precomputation and
 * without. The card's certificate is verified at every tap. */
static void an_issuer_on_the_curve_is_remembered(void)
{
    struct cemv_reader_memory reader = { .issuer_keys = remembered };
    memset(key_memory, 0, sizeof key_memory);
    fresh(CEMV_PROFILE_GUARDED, false);
    use_reader(&reader);
    for (unsigned tap = 0; tap < 6; tap++) {
        property(cemv_issuer_keys_found(remembered) == (tap == 0 ? 0 : tap - 1), "found at each later tap", tap);
        property(verified(K8_LOCAL_GOOD, tap % 2, "good at every tap") == (tap == 0 ? 2 : 1), "verified once", tap);
    }
    use_reader(NULL);
    property(verified(K8_LOCAL_GOOD, false, "good without a reader's memory") == 2, "verified every time", 0);
    reader.issuer_keys = NULL;
    use_reader(&reader);
    property(verified(K8_LOCAL_GOOD, true, "good without memory for keys") == 2, "verified every time", 1);
}

/* A remembered certificate spares nothing but its signature's check: another CA key, another certificate, the day, the
 * account number and revocation decide as before, and nothing that fails is remembered. */
static void what_is_remembered_decides_nothing_else(void)
{
    struct cemv_reader_memory reader = { .issuer_keys = remembered };
    memset(key_memory, 0, sizeof key_memory);
    fresh(CEMV_PROFILE_GUARDED, false);
    use_reader(&reader);
    (void)verified(K8_LOCAL_GOOD, false, "remembered");
    for (unsigned again = 0; again < 2; again++) {
        for (size_t at = 53; at < K8_ISSUER_CERTIFICATE; at += 9) {
            bytes_of(CEMV_SLOT_90)[at] ^= 1;
            property(verified(K8_LOCAL_FAILED, again, "another signature") == 1, "verified", (unsigned)at);
            bytes_of(CEMV_SLOT_90)[at] ^= 1;
        }
        bytes_of(CEMV_SLOT_90)[21 + 5] ^= 1;
        (void)verified(K8_LOCAL_FAILED, again, "another key");
        bytes_of(CEMV_SLOT_90)[21 + 5] ^= 1;
        curve_key.x.data = issuer_point, curve_key.y.data = issuer_point + SIZE;
        property(verified(K8_LOCAL_FAILED, again, "another CA key") == 1, "verified", again);
        curve_key.x.data = ca_point, curve_key.y.data = ca_point + SIZE;
        bytes_of(CEMV_SLOT_9A)[0] = 0x36;
        (void)verified(K8_LOCAL_FAILED, again, "a certificate that has expired since");
        bytes_of(CEMV_SLOT_9A)[0] = 0x26;
        bytes_of(CEMV_SLOT_5A)[0] ^= 0x10;
        (void)verified(K8_LOCAL_FAILED, again, "an account number of another issuer");
        bytes_of(CEMV_SLOT_5A)[0] ^= 0x10;
        const struct cemv_revocation row = { { 0xF0, 0, 0, 0x08, 0x08 }, 1, { 1, 2, 3 } };
        checked.configuration.revocations = &row, checked.configuration.revocation_count = 1;
        (void)verified(K8_LOCAL_FAILED, again, "a certificate that was revoked since");
        checked.configuration.revocations = NULL, checked.configuration.revocation_count = 0;
        property(cemv_issuer_keys_found(remembered) == again, "none of these was found", again);
        property(verified(K8_LOCAL_GOOD, again, "the certificate itself") == 1, "remembered all the while", again);
    }
}

/* Kernels with RSA keep their issuers in the same memory: such an entry is no point, whatever its bytes. */
static void an_issuer_with_rsa_is_no_point(void)
{
    static uint8_t certificate[K8_ISSUER_CERTIFICATE], modulus[K8_ISSUER_CERTIFICATE];
    memset(key_memory, 0, sizeof key_memory);
    memset(certificate, 0x5A, sizeof certificate);
    memset(modulus, 0x33, sizeof modulus);
    const struct cemv_ca_key ca = { .exponent = 3, .modulus = of(modulus, sizeof modulus) };
    const struct cemv_issuer_input input = {
        .ca = &ca,
        .keys = remembered,
        .certificate = of(certificate, sizeof certificate),
        .remainder = of(certificate, 0),
        .exponent = of("\3", 1),
    };
    crypto_issuer_key_remember(&input, certificate);
    property(crypto_issuer_point_find(remembered, modulus, input.certificate) == NULL, "RSA", 0);
    crypto_issuer_point_keep(remembered, modulus, input.certificate, certificate);
    property(crypto_issuer_point_find(remembered, modulus, input.certificate) != NULL &&
                 cemv_issuer_keys_found(remembered) == 0,
             "kept as another one", 0);
}

/* Each signature makes another certificate: the oldest of them gives way. */
static void the_oldest_issuer_gives_way(void)
{
    struct cemv_reader_memory reader = { .issuer_keys = remembered };
    static uint8_t first[sizeof room];
    memset(key_memory, 0, sizeof key_memory);
    for (unsigned i = 0; i <= CEMV_ISSUER_KEYS; i++) {
        fresh(CEMV_PROFILE_GUARDED, false);
        use_reader(&reader);
        property(verified(K8_LOCAL_GOOD, false, "a new certificate") == 2, "verified", i);
        if (i == 0) memcpy(first, &room, sizeof room);
    }
    property(verified(K8_LOCAL_GOOD, false, "the newest") == 1, "is remembered", 0);
    memcpy(&room, first, sizeof room);
    property(verified(K8_LOCAL_GOOD, false, "the oldest") == 2, "is not", 0);
}

/* C.25, step 12, and C.36, step 10: an x without a point in a genuine certificate. A serial number may be any bytes,
 * and the time that counts is that of 9F21. */
static void genuine_certificates_of_no_key(void)
{
    uint8_t now[K8_DATE_TIME] = { 0x20, 0x26, 0x11, 0x22, 0x12, 0x30 }, key[2 * SIZE], right[2 * SIZE];
    for (unsigned of_card = 0; of_card < 2; of_card++) {
        begin(CEMV_PROFILE_GUARDED);
        uint8_t *const point = of_card ? card_point : issuer_point;
        memcpy(right, point, sizeof right);
        memset(point, 0, SIZE);
        while (cemv_p256_recover(key, point)) point[SIZE - 1]++;
        complete();
        memcpy(point, right, sizeof right);
        const struct k8_issuer_in in = { .certificate = cemv_value(kernel, CEMV_SLOT_90),
                                         .pan = cemv_value(kernel, CEMV_SLOT_5A),
                                         .ca = ca_point,
                                         .rid = aid,
                                         .index = 1,
                                         .now = now };
        property(k8_issuer_key(&crypto, &in, key) == (of_card ? 0 : 12), "the issuer's key", of_card);
        property(k8_card_key(&crypto, cemv_value(kernel, CEMV_SLOT_9F46), issuer_point, memory->hash, now, key) ==
                     (of_card ? 10 : 0),
                 "the card's key", of_card);
        gives(K8_LOCAL_FAILED, 0, "no key, no authentication");
    }
    begin(CEMV_PROFILE_GUARDED);
    card.issuer = (struct poke){ 12, 0xAB };
    complete();
    gives(K8_LOCAL_GOOD, 0, "a serial number of any bytes");
    for (unsigned late = 0; late < 2; late++) {
        begin(CEMV_PROFILE_GUARDED);
        card.card = (struct poke){ 4, 0x26 };
        complete();
        uint8_t *const date = bytes_of(CEMV_SLOT_9F46) + 3;
        memcpy(date, "\x20\x26\x11\x22\x12\x30", 6);
        sign(bytes_of(CEMV_SLOT_9F46) + 81, issuer_key, of(bytes_of(CEMV_SLOT_9F46), 81));
        memcpy(kernel->transaction.time, late ? "\0\0\0" : "\x23\x59\x59", 3);
        put(CEMV_SLOT_9F21, late ? "\x12\x31\x00" : "\x12\x30\x59", 3);
        gives(late ? K8_LOCAL_FAILED : K8_LOCAL_GOOD, late ? FOUND(CERTIFICATE_EXPIRED) : 0, "the time of 9F21");
    }
}

/* The certificate's hash covers the exponent 5. It is not an allowed exponent, but step 11 rejects no card. */
static void properties_of_exponents_8(void)
{
    begin(CEMV_PROFILE_GUARDED);
    card.rsa = true;
    complete();
    uint8_t *const block = bytes_of(CEMV_SLOT_9F46), data[200];
    static const uint8_t five = 5;
    const cemv_bytes pieces[] = { { block + 1, RSA_ISSUER - 22 }, { &five, 1 }, { data, static_data_of(data) } };
    cemv_crypto_builtin.sha1(block + RSA_ISSUER - 21, pieces, 3);
    gives(K8_LOCAL_FAILED, 0, "another exponent than that of the hash");
    put(CEMV_SLOT_9F47, &five, 1);
    gives(K8_LOCAL_GOOD, 0, "step 11 refuses no card");
}

/* 9F810B: the first one in the signed data, with 32 bytes. */
static void properties_of_signed_keys(void)
{
    for (unsigned i = 0; i < 6; i++) {
        begin(CEMV_PROFILE_GUARDED);
        card.rsa = true;
        uint8_t *const key = card.record + card.record_size - SIZE - 4;
        if (i == 0) key[3] = SIZE + 1, key[4 + SIZE] = 0, card.record_size++;
        if (i == 4) key[3] = SIZE - 1, card.record_size--;
        if (i == 1) key[2] = 0x0D, key[3] = SIZE;
        if (i == 2) card.record_size -= SIZE + 4;
        if (i == 3) key[4] ^= 1;
        if (i > 4) memcpy(key + 4 + SIZE, "\x9F\x81\x0B\x01\x00", 5), card.record_size += 5;
        complete();
        if (i == 2) put(K8_SLOT_9F810B, card_point, SIZE);
        gives(i > 4 ? K8_LOCAL_GOOD : K8_LOCAL_FAILED, 0, "the card's key");
    }
    begin(CEMV_PROFILE_GUARDED);
    card.rsa = card.extended = true;
    card.record_size -= SIZE + 4;
    complete();
    gives(K8_LOCAL_GOOD, 0, "in the Extended SDA data");
}

/* ---- precomputation ---- */

/* If the same blinded key appears under another key of the kernel, this is reported, for as many taps as are remembered
 * (attacks.md, A28); if both keys are equal, it is the same tap. */
static void properties_of_repeated_keys(void)
{
    static struct cemv_reader_memory reader;
    uint8_t card[64] = { 0 }, own[64] = { 0 };
    fresh(CEMV_PROFILE_GUARDED, false);
    memset(&reader, 0, sizeof reader);
    kernel->transaction.reader = &reader;
    for (unsigned tap = 0; tap <= CEMV_SEEN_KEYS; tap++) {
        card[0] = own[0] = (uint8_t)(tap + 1);
        put(K8_SLOT_9F8103, card, sizeof card);
        put(K8_SLOT_9E, own, sizeof own);
        kernel->findings = 0;
        k8_remember_card_key(kernel);
        property(kernel->findings == 0, "each tap another key", tap);
        property(reader.seen_next == (tap + 1) % CEMV_SEEN_KEYS, "the oldest makes room", tap);
    }
    k8_remember_card_key(kernel);
    property(kernel->findings == 0, "the same pair is no repetition", 0);
    own[0] = 0xFF;
    put(K8_SLOT_9E, own, sizeof own);
    k8_remember_card_key(kernel);
    property(kernel->findings == FOUND(CARD_KEY_REPEATED), "the same key of the card under another of ours", 0);
    card[0] = 1;
    put(K8_SLOT_9F8103, card, sizeof card);
    kernel->findings = 0;
    k8_remember_card_key(kernel);
    property(kernel->findings == 0, "what is no longer remembered", 0);
    for (unsigned place = 0; place < CEMV_SEEN_KEYS; place++) {
        memset(&reader, 0, sizeof reader);
        memset(reader.seen[place].card, 0x77, sizeof reader.seen[place].card);
        memset(card, 0x77, sizeof card), memset(own, 0x78, sizeof own);
        put(K8_SLOT_9F8103, card, sizeof card), put(K8_SLOT_9E, own, sizeof own);
        reader.seen_next = (uint8_t)((place + 1) % CEMV_SEEN_KEYS);
        kernel->findings = 0;
        k8_remember_card_key(kernel);
        property(kernel->findings == FOUND(CARD_KEY_REPEATED), "in whatever place", place);
    }
    kernel->transaction.reader = NULL;
}

static void properties_of_precomputation(void)
{
    static const uint16_t slots[] = { CEMV_SLOT_84, CEMV_SLOT_8F, CEMV_SLOT_90, CEMV_SLOT_5A, CEMV_SLOT_82 };
    for (unsigned i = 0; i < 5; i++) {
        fresh(CEMV_PROFILE_GUARDED, false);
        property(k8_precompute_due(kernel), "it is due", i);
        drop(slots[i]);
        property(!k8_precompute_due(kernel) && !k8_precompute(kernel), "not without its operands", i);
        put(CEMV_SLOT_82, "\x80\x02", 2);
        property(!k8_precompute_due(kernel), "nor where the card does not want it", i);
    }
    fresh(CEMV_PROFILE_GUARDED, true);
    property(k8_precompute_due(kernel) && !k8_precompute(kernel) && !k8_precompute_due(kernel), "RSA is not", 0);
    fresh(CEMV_PROFILE_GUARDED, false);
    property(k8_precompute(kernel) && memory->issuer_step == 0, "it computes", 0);
    memset(memory->issuer_key, 0, sizeof memory->issuer_key);
    property(k8_authenticate(kernel) == K8_LOCAL_FAILED, "and its key is used", 0);
    /* The terminal may send another date while the card works, or the first one (4.3). */
    static const char *const dates[] = { "\x35\x12\x31", "\x36\x01\x01", NULL };
    for (unsigned i = 0; i < 9; i++) {
        begin(CEMV_PROFILE_GUARDED);
        memcpy(kernel->transaction.date, "\x36\x01\x01", 3);
        card.card = (struct poke){ 3, 0x21 };
        complete();
        if (dates[i % 3] == NULL) drop(CEMV_SLOT_9A);
        else put(CEMV_SLOT_9A, dates[i % 3], 3);
        property(k8_precompute(kernel), "computed ahead", i);
        drop(CEMV_SLOT_9A), drop(CEMV_SLOT_9F21);
        if (i / 3 < 2) put(CEMV_SLOT_9A, dates[i / 3], 3);
        gives(i / 3 == 0 ? K8_LOCAL_GOOD : K8_LOCAL_FAILED, i / 3 == 0 ? 0 : FOUND(CERTIFICATE_EXPIRED),
              "the date that counts is the last");
    }
    fresh(CEMV_PROFILE_GUARDED, false);
    set_expiry("\x26\x11\x21");
    drop(CEMV_SLOT_9A);
    property(k8_precompute(kernel), "without a date no CA key is past", 0);
    put(CEMV_SLOT_9A, "\x26\x11\x22", 3);
    property(k8_authenticate(kernel) == K8_LOCAL_FAILED && kernel->findings == FOUND(CA_KEY_EXPIRED), "then it is", 0);
}

/* ---- MACs (3.5, 8.6) ---- */

static void double_block(uint8_t block[16])
{
    const bool carry = (block[0] & 0x80) != 0;
    for (unsigned i = 0; i < 16; i++) block[i] = (uint8_t)(block[i] << 1 | (i < 15 ? block[i + 1] >> 7 : 0));
    if (carry) block[15] ^= 0x87;
}

/* RFC 4493, word for word. */
static void cmac(uint8_t out[16], const uint8_t key[16], const uint8_t *text, size_t size)
{
    uint8_t subkey[16] = { 0 };
    const size_t blocks = size == 0 ? 1 : (size + 15) / 16;
    test_secrets.aes_encrypt(key, subkey, 1);
    double_block(subkey);
    if (size != 16 * blocks) double_block(subkey);
    memset(out, 0, 16);
    for (size_t at = 0; at < 16 * blocks; at++) {
        const uint8_t byte = at < size ? text[at] : at == size ? 0x80 : 0;
        out[at % 16] ^= (uint8_t)(byte ^ (at >= 16 * (blocks - 1) ? subkey[at % 16] : 0));
        if (at % 16 == 15) test_secrets.aes_encrypt(key, out, 1);
    }
}

struct text {
    uint8_t bytes[512];
    size_t size;
};
static void append(struct text *text, const void *bytes, size_t size)
{
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

/* The answer: long length fields, an unknown object and zeros between; the uncovered cryptogram is in it twice, and
 * 9F10 also nested. */
static void put_answer(struct text *out, struct text *covered, unsigned version)
{
    static const uint8_t first[] = { 0x9F, 0x27, 0x81, 1, 0x80 },
                         cryptogram[] = { 0x9F, 0x26, 8, 1, 2, 3, 4, 5, 6, 7, 8 }, unknown[] = { 0xDF, 0x55, 2, 9, 9 },
                         mac[] = { 0x9F, 0x81, 0x05, 0x81, 8, 8, 7, 6, 5, 4, 3, 2, 1 },
                         iad[] = { 0x9F, 0x10, 3, 0xA, 0xB, 0xC }, nested[] = { 0xBF, 0x55, 6, 0x9F, 0x10, 3, 1, 2, 3 },
                         zeros[3] = { 0 };
    const struct {
        const uint8_t *bytes;
        size_t size;
        bool covered;
    } parts[] = {
        { first, sizeof first, true },
        { cryptogram, sizeof cryptogram, false },
        { zeros, sizeof zeros, false },
        { unknown, sizeof unknown, true },
        { mac, sizeof mac, false },
        { iad, sizeof iad, version == 2 },
        { nested, sizeof nested, true },
        { cryptogram, sizeof cryptogram, false },
        { zeros, 1, false },
    };
    append(out, "\x77\x81", 3);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        append(out, parts[i].bytes, parts[i].size);
        if (parts[i].covered) append(covered, parts[i].bytes, parts[i].size);
    }
    out->bytes[2] = (uint8_t)(out->size - 3);
}

static void properties_of_iad_macs(void)
{
    uint8_t values[60], whole[16], plain[16], iad[32];
    for (unsigned i = 0; i < sizeof values; i++) values[i] = (uint8_t)(i * 5 + 1);
    for (unsigned number = 0; number < 4 * 48; number++) {
        const unsigned version = 1 + number % 2, relay = number / 2 % 2, size = number / 4;
        struct text text = { { 0 }, 2 }, answer = { { 0 }, 0 }, covered = { { 0 }, 0 };
        fresh_without_chain();
        memset(iad, 0x11, sizeof iad);
        for (unsigned i = 0; i < 16; i++) memory->channel.integrity[i] = (uint8_t)any(256);
        memory->version = (uint8_t)version, memory->relay_done = relay != 0;
        memcpy(memory->relay, values + 40, sizeof memory->relay);
        put_answer(&answer, &covered, version);
        memory->pdol = keep(values, size), memory->cdol = keep(values + 3, 21);
        memory->answer = keep(answer.bytes, answer.size);
        put(CEMV_SLOT_9F10, iad, sizeof iad);
        append(&text, values, size);
        append(&text, values + 3, 21);
        if (relay) append(&text, values + 40, sizeof memory->relay);
        append(&text, covered.bytes, covered.size);
        append(&text, memory->hash, sizeof memory->hash);
        cmac(whole, memory->channel.integrity, text.bytes, text.size);
        memcpy(plain, whole, 16);
        test_secrets.aes_decrypt(memory->channel.integrity, plain);
        for (unsigned i = 0; i < 16; i++) plain[i] ^= whole[i];
        put_tag(K8_SLOT_9F821E, 24);
        property(k8_bind_iad(kernel), "a place for it", number);
        const cemv_bytes made = cemv_value(kernel, K8_SLOT_9F8109), there = cemv_value(kernel, CEMV_SLOT_9F10);
        memcpy(iad + 24, plain, 8);
        property(cemv_bytes_equal(made, of(plain, 8)), "CMAC deciphered, xor CMAC, over what both sides said", number);
        property(cemv_bytes_equal(there, of(iad, 32)), "and its copy", number);
    }
}

/* 28.4: the place of the copy, and that it fits. */
static void properties_of_copies(void)
{
    static const uint8_t iad[33] = { 0 };
    for (unsigned number = 0; number < 4 * 2 * 34; number++) {
        const unsigned how = number % 4, size = number / 8;
        const bool has_offset = number / 4 % 2 != 0;
        const uint8_t profile[] = { 1, (uint8_t)(how << 1 | 0x08) };
        fresh_without_chain();
        put(CEMV_SLOT_82, profile, 2);
        put(CEMV_SLOT_9F10, iad, size);
        put_tag(K8_SLOT_9F821E, 3);
        if (has_offset) put_tag(K8_SLOT_9F8107, 5);
        const bool copied = how == 1 || how == 2;
        const unsigned offset = how == 1 ? 3 : 5;
        const bool good = !copied || ((how == 1 || has_offset) && offset + 8 <= size && size <= 32);
        property(k8_bind_iad(kernel) == good, "a place for the MAC", number);
        property(kernel->findings == (copied ? 0 : FOUND(AC_BINDING_NOT_SENT)), "a card that wants no copy", number);
        const cemv_bytes there = cemv_value(kernel, CEMV_SLOT_9F10), mac = cemv_value(kernel, K8_SLOT_9F8109);
        property(there.size == size && mac.size == 8, "the length stays", number);
        for (unsigned i = 0; i < size; i++) {
            const bool inside = good && copied && i >= offset && i < offset + 8;
            property(there.data[i] == (inside ? mac.data[i - offset] : 0), "bytes of the copy, and no others", number);
        }
    }
}

/* 28.14: over the cryptogram and the IAD-MAC; for a card of version 1, over 9F10. */
static void properties_of_eda_macs(void)
{
    uint8_t text[50] = { 0 }, whole[16];
    for (unsigned i = 2; i < sizeof text; i++) text[i] = (uint8_t)any(256);
    for (unsigned version = 1; version <= 2; version++) {
        fresh_without_chain();
        memory->version = (uint8_t)version;
        memcpy(memory->channel.integrity, text + 20, 16);
        cmac(whole, memory->channel.integrity, text, version == 1 ? 10 + 32 : 10 + 8);
        put(CEMV_SLOT_9F26, text + 2, 8);
        put(version == 1 ? (uint16_t)CEMV_SLOT_9F10 : (uint16_t)K8_SLOT_9F8109, text + 10, version == 1 ? 32 : 8);
        put(K8_SLOT_9F8105, whole, 8);
        property(k8_eda_holds(kernel), "the left half of a MAC", version);
        uint8_t *const mac = bytes_of(K8_SLOT_9F8105), *const cryptogram = bytes_of(CEMV_SLOT_9F26),
                       *const second = bytes_of(version == 1 ? (uint16_t)CEMV_SLOT_9F10 : (uint16_t)K8_SLOT_9F8109);
        for (unsigned bit = 0; bit < 64; bit++) {
            uint8_t *const places[] = { mac, cryptogram, second };
            for (unsigned i = 0; i < 3; i++) {
                places[i][bit / 8] ^= (uint8_t)(1u << bit % 8);
                property(!k8_eda_holds(kernel), "every bit of it, and of what it covers", bit);
                places[i][bit / 8] ^= (uint8_t)(1u << bit % 8);
            }
        }
    }
}

/* 2627.8: each tag of the list with its value or empty; a list that is cut and one that does not fit. */
static void properties_of_extended_data(void)
{
    static const uint8_t list[] = { 0x5A, 0x9F, 0x81, 0x0B, 0xDF, 0x01, 0x5F, 0x34, 0x9A, 0x5A };
    uint8_t expected[200] = { 0x5A, 8 }, big[CEMV_STORE_ARENA];
    size_t size = 2;
    memset(big, 0x33, sizeof big);
    memcpy(expected + size, pan, 8), size += 8;
    memcpy(expected + size, "\x9F\x81\x0B\x81\x81", 5), size += 4;
    expected[size - 1] = 66;
    memset(expected + size, 0x33, 66), size += 66;
    memcpy(expected + size, "\xDF\x01\x00\x5F\x34\x00\x9A\x03\x26\x11\x22\x5A\x08", 13), size += 13;
    memcpy(expected + size, pan, 8), size += 8;
    for (size_t cut = 0; cut < sizeof list; cut++) {
        fresh_without_chain();
        put(K8_SLOT_9F810B, big, 66);
        put(K8_SLOT_9F810A, list, sizeof list - cut);
        const bool whole = cut == 0 || cut == 1 || cut == 2 || cut == 4 || cut == 6 || cut == 9;
        property(k8_gather_extended(kernel) == whole, "a list of whole tags", (unsigned)cut);
        if (cut != 0) continue;
        property(cemv_bytes_equal(cemv_span_bytes(&kernel->store, memory->extended), of(expected, size)),
                 "objects as they are", 0);
        /* The next one does not fit, and leaves the stored data unchanged. */
        (void)keep(big, (size_t)CEMV_STORE_ARENA - kernel->store.used - size + 1);
        const struct cemv_span before = memory->extended;
        property(!k8_gather_extended(kernel), "no room", 0);
        property(before.at == memory->extended.at && before.size == memory->extended.size, "and nothing kept", 0);
    }
}

/* 2627.8, RPC.17: an object of the list counts with its value at the time when the static data are gathered, whatever
 * was computed before. */
static void properties_of_late_objects(void)
{
    static const uint8_t tags[] = { 0x9F, 0x36 };
    for (unsigned ahead = 0; ahead < 2; ahead++) {
        uint8_t data[200], expected[CEMV_SHA256_SIZE], early[CEMV_SHA256_SIZE];
        fresh(CEMV_PROFILE_GUARDED, false);
        memcpy(early, memory->hash, sizeof early);
        put(K8_SLOT_9F810A, tags, sizeof tags);
        drop(CEMV_SLOT_9F36);
        if (ahead) property(k8_precompute(kernel), "computed ahead", ahead);
        put(CEMV_SLOT_9F36, "\x12\x34", 2);
        property(k8_gather_extended(kernel), "gathered", ahead);
        memcpy(data, card.record, card.record_size);
        memcpy(data + card.record_size, "\x9F\x36\x02\x12\x34\x01\x02", 7);
        const cemv_bytes whole = of(data, card.record_size + 7);
        cemv_crypto_builtin.sha256(expected, &whole, 1);
        property(memcmp(memory->hash, expected, sizeof expected) == 0 && memcmp(early, expected, sizeof early) != 0,
                 "the value of that time", ahead);
    }
}

void properties_of_kernel_8_authentication(void)
{
    PART(properties_of_strings_8);
    PART(properties_of_chain_data);
    PART(properties_of_ca_keys_8);
    PART(properties_of_curve_certificates);
    PART(properties_of_revocation);
    PART(properties_of_rsa_chains);
    PART(properties_of_exponents_8);
    PART(an_exposed_key_is_reported);
    PART(an_issuer_on_the_curve_is_remembered);
    PART(what_is_remembered_decides_nothing_else);
    PART(an_issuer_with_rsa_is_no_point);
    PART(the_oldest_issuer_gives_way);
    PART(genuine_certificates_of_no_key);
    PART(properties_of_signed_keys);
    PART(properties_of_repeated_keys);
    PART(properties_of_precomputation);
    PART(properties_of_iad_macs);
    PART(properties_of_copies);
    PART(properties_of_eda_macs);
    PART(properties_of_extended_data);
    PART(properties_of_late_objects);
}
