/* SPDX-License-Identifier: Apache-2.0 */
/* Certificates and signatures of the card that signs, as signing_card.h describes. */
#include "signing_card.h"

#include <string.h>

enum { HASH_AND_TRAILER = CEMV_SHA1_SIZE + 1 };

static uint8_t ones[SIGNING_CA_SIZE];

static bool same(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t exponent)
{
    (void)modulus;
    (void)exponent;
    memcpy(out, in.data, in.size);
    return true;
}

const struct cemv_crypto *signing_port(void)
{
    static struct cemv_crypto port;
    port = cemv_crypto_builtin;
    port.rsa_public = same;
    port.rsa_prepare = NULL;
    return &port;
}

struct cemv_ca_key signing_ca_key(const uint8_t rid[5])
{
    struct cemv_ca_key key = { .index = SIGNING_CA_INDEX, .exponent = 3, .modulus = { ones, SIGNING_CA_SIZE } };
    memset(ones, 0xFF, sizeof ones);
    memcpy(key.rid, rid, sizeof key.rid);
    return key;
}

static size_t put_object(uint8_t *out, uint32_t tag, const void *value, size_t size)
{
    struct cemv_writer writer = cemv_writer_open(out, 512);
    cemv_writer_put_tlv(&writer, tag, (cemv_bytes){ value, size });
    return cemv_writer_finish(&writer).size;
}

/* Book 2, 6.3 to 6.5: 6A, the signed data, the hash over them and `pieces`, BC. */
static void seal(uint8_t *block, size_t size, const cemv_bytes *pieces, size_t count)
{
    struct cemv_sha1 hash;
    cemv_sha1_init(&hash);
    cemv_sha1_update(&hash, (cemv_bytes){ block + 1, size - 1 - HASH_AND_TRAILER });
    for (size_t i = 0; i < count; i++) cemv_sha1_update(&hash, pieces[i]);
    block[0] = 0x6A;
    cemv_sha1_final(&hash, block + size - HASH_AND_TRAILER);
    block[size - 1] = 0xBC;
}

/* Book 2, table 13: format, issuer identifier, expiry, serial, algorithms, lengths, the part of the key that fits. */
size_t signing_issuer(uint8_t *out, const uint8_t pan[8])
{
    enum { HEADER = 15, LEFT = SIGNING_CA_SIZE - HEADER - HASH_AND_TRAILER };
    static const uint8_t index = SIGNING_CA_INDEX, exponent = 3;
    uint8_t block[SIGNING_CA_SIZE];
    const cemv_bytes pieces[] = { { ones, SIGNING_ISSUER_SIZE - LEFT }, { &exponent, 1 } };
    memset(ones, 0xFF, sizeof ones);
    block[1] = 0x02;
    memcpy(block + 2, pan, 4);
    memcpy(block + 6, "\x12\x30\0\0\1\1\1", 7);
    block[13] = SIGNING_ISSUER_SIZE;
    block[14] = 1;
    memcpy(block + HEADER, ones, LEFT);
    seal(block, sizeof block, pieces, 2);
    size_t size = put_object(out, CEMV_TAG_8F_CA_PUBLIC_KEY_INDEX_CARD, &index, 1);
    size += put_object(out + size, CEMV_TAG_90_ISSUER_PUBLIC_KEY_CERTIFICATE, block, sizeof block);
    size += put_object(out + size, CEMV_TAG_92_ISSUER_PUBLIC_KEY_REMAINDER, ones, SIGNING_ISSUER_SIZE - LEFT);
    return size + put_object(out + size, CEMV_TAG_9F32_ISSUER_PUBLIC_KEY_EXPONENT, &exponent, 1);
}

/* Book 2, table 14: as table 13, but with the whole PAN. */
size_t signing_icc(uint8_t *out, const uint8_t pan[8], cemv_bytes static_data)
{
    enum { HEADER = 21, LEFT = SIGNING_ISSUER_SIZE - HEADER - HASH_AND_TRAILER, REST = SIGNING_ICC_SIZE - LEFT };
    static const uint8_t exponent = 3;
    uint8_t block[SIGNING_ISSUER_SIZE];
    const cemv_bytes pieces[] = { { ones, REST }, { &exponent, 1 }, static_data };
    memset(ones, 0xFF, sizeof ones);
    block[1] = 0x04;
    memset(block + 2, 0xFF, 10);
    memcpy(block + 2, pan, 8);
    memcpy(block + 12, "\x12\x30\0\0\1\1\1", 7);
    block[19] = SIGNING_ICC_SIZE;
    block[20] = 1;
    memcpy(block + HEADER, ones, LEFT);
    seal(block, sizeof block, pieces, 3);
    size_t size = put_object(out, CEMV_TAG_9F46_ICC_PUBLIC_KEY_CERTIFICATE, block, sizeof block);
    size += put_object(out + size, CEMV_TAG_9F48_ICC_PUBLIC_KEY_REMAINDER, ones, REST);
    return size + put_object(out + size, CEMV_TAG_9F47_ICC_PUBLIC_KEY_EXPONENT, &exponent, 1);
}

size_t signing_signature(uint8_t *out, uint8_t format, cemv_bytes dynamic, const cemv_bytes *pieces, size_t count)
{
    uint8_t block[SIGNING_ICC_SIZE];
    memset(block, 0xBB, sizeof block);
    block[1] = format;
    block[2] = 0x01;
    block[3] = (uint8_t)dynamic.size;
    memcpy(block + 4, dynamic.data, dynamic.size);
    seal(block, sizeof block, pieces, count);
    return put_object(out, CEMV_TAG_9F4B_SIGNED_DYNAMIC_APPLICATION_DATA, block, sizeof block);
}
