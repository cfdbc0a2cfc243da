/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 8: the secure channel and its cryptography (Book C-8 v1.0, chapter 8), over the port.
 *
 * Both sides derive two session keys from a shared point of the curve: one enciphers in counter mode, the other makes
 * MACs. Each direction has its own message counter, which is part of the key stream and of the MAC, so that no message
 * can be repeated or moved. All operations on secrets run in constant time; crypto_declassify() marks the places where
 * a result may be disclosed. Knows no tag, no command and no state; keeps no data. */
#include "k8_channel.h"

bool k8_recover(const struct cemv_crypto *crypto, uint8_t point[2 * CEMV_P256_SIZE], const uint8_t x[CEMV_P256_SIZE])
{
    return (crypto->p256_recover != NULL ? crypto->p256_recover : cemv_p256_recover)(point, x);
}

static void exclusive_or(uint8_t *out, const uint8_t *with, size_t size)
{
    for (size_t i = 0; i < size; i++) out[i] ^= with[i];
}

/* Compares in constant time, so that the time does not disclose the position of a difference. */
static bool is_same(const uint8_t *a, const uint8_t *b, size_t size)
{
    uint8_t other = 0;
    for (size_t i = 0; i < size; i++) other |= a[i] ^ b[i];
    return other == 0;
}

/* Counter mode ----------------------------------------------------------------------------------------------------- */

/* The counter has the top two bytes of a block and the block number the low bytes, so a message cannot carry into the
 * counter: that would take 2^112 blocks. Four blocks are enciphered per call, because a call of the port costs more
 * than a block. */
void k8_counter_mode(const struct cemv_crypto_secret *secret, const uint8_t key[K8_BLOCK], uint16_t counter,
                     uint8_t *bytes, size_t size)
{
    enum { BLOCKS = 4 };
    uint8_t stream[BLOCKS * K8_BLOCK];
    uint16_t number = 0;
    while (size != 0) {
        const size_t part = size < sizeof stream ? size : sizeof stream;
        cemv_zero(stream, sizeof stream);
        for (size_t i = 0; i < BLOCKS; i++) {
            cemv_put_be16(stream + i * K8_BLOCK, counter);
            cemv_put_be16(stream + (i + 1) * K8_BLOCK - 2, number++);
        }
        secret->aes_encrypt(key, stream, (part + K8_BLOCK - 1) / K8_BLOCK);
        exclusive_or(bytes, stream, part);
        bytes += part;
        size -= part;
    }
    cemv_wipe(stream, sizeof stream);
}

/* MACs ------------------------------------------------------------------------------------------------------------- */

struct k8_mac k8_mac_open(const struct cemv_crypto_secret *secret, const uint8_t key[K8_BLOCK])
{
    return (struct k8_mac){ .secret = secret, .key = key };
}

/* CMAC treats the last block differently, so one block is kept back until more bytes or the end arrive. */
void k8_mac_add(struct k8_mac *mac, cemv_bytes bytes)
{
    while (bytes.size != 0) {
        if (mac->used == K8_BLOCK) {
            mac->secret->aes_chain(mac->key, mac->chain, mac->block, 1);
            mac->used = 0;
        }
        if (mac->used == 0 && bytes.size > K8_BLOCK) { /* whole blocks that are not the last */
            const size_t blocks = (bytes.size - 1) / K8_BLOCK;
            mac->secret->aes_chain(mac->key, mac->chain, bytes.data, blocks);
            bytes = cemv_bytes_from(bytes, blocks * K8_BLOCK);
        }
        const size_t room = (size_t)K8_BLOCK - mac->used, part = bytes.size < room ? bytes.size : room;
        cemv_copy(mac->block + mac->used, bytes.data, part);
        mac->used = (uint8_t)(mac->used + part);
        bytes = cemv_bytes_from(bytes, part);
    }
}

/* Shifts a block left by one bit and adds the field's constant if a bit falls out, without a branch on that bit. */
static void twice(uint8_t block[K8_BLOCK])
{
    enum { REDUCTION = 0x87 };
    const uint8_t mask = (uint8_t)(0u - (block[0] >> 7));
    for (size_t i = 0; i + 1 < K8_BLOCK; i++) block[i] = (uint8_t)(block[i] << 1 | block[i + 1] >> 7);
    block[K8_BLOCK - 1] = (uint8_t)(block[K8_BLOCK - 1] << 1 ^ (mask & REDUCTION));
}

void k8_mac_close(struct k8_mac *mac, uint8_t out[K8_BLOCK])
{
    enum { PADDING = 0x80 };
    uint8_t subkey[K8_BLOCK] = { 0 };
    mac->secret->aes_encrypt(mac->key, subkey, 1);
    twice(subkey);
    if (mac->used != K8_BLOCK) {
        twice(subkey);
        mac->block[mac->used] = PADDING;
        cemv_zero(mac->block + mac->used + 1, (size_t)K8_BLOCK - 1 - mac->used);
    }
    exclusive_or(mac->block, subkey, K8_BLOCK);
    mac->secret->aes_chain(mac->key, mac->chain, mac->block, 1);
    cemv_copy(out, mac->chain, K8_BLOCK);
    cemv_wipe(subkey, sizeof subkey);
    cemv_wipe(mac, sizeof *mac);
}

/* The IAD-MAC (C.71 to C.78): the MAC deciphered under its own key, xor the MAC. Knowing the IAD-MAC does not disclose
 * the MAC itself. */
void k8_mac_close_plus(struct k8_mac *mac, uint8_t out[K8_BLOCK])
{
    const struct cemv_crypto_secret *const secret = mac->secret;
    const uint8_t *const key = mac->key;
    uint8_t whole[K8_BLOCK];
    k8_mac_close(mac, whole);
    cemv_copy(out, whole, K8_BLOCK);
    secret->aes_decrypt(key, out);
    exclusive_or(out, whole, K8_BLOCK);
    cemv_wipe(whole, sizeof whole);
}

/* 8.6: the MAC covers the counter and the pieces; its left 8 bytes are compared. */
bool k8_mac_holds(const struct cemv_crypto_secret *secret, const uint8_t key[K8_BLOCK], uint16_t counter,
                  const cemv_bytes *pieces, size_t count, const uint8_t expected[K8_MAC_SIZE])
{
    struct k8_mac mac = k8_mac_open(secret, key);
    uint8_t first[2], whole[K8_BLOCK];
    cemv_put_be16(first, counter);
    k8_mac_add(&mac, (cemv_bytes){ first, sizeof first });
    for (size_t i = 0; i < count; i++) k8_mac_add(&mac, pieces[i]);
    k8_mac_close(&mac, whole);
    const bool holds = is_same(whole, expected, K8_MAC_SIZE);
    crypto_declassify(&holds, sizeof holds); /* the outcome discloses it (C.57, 29.7) */
    cemv_wipe(whole, sizeof whole);
    return holds;
}

/* Session keys ----------------------------------------------------------------------------------------------------- */

/* 8.3: the card's blinded key times our private key is a point whose x both sides know; the keys are derived from it.
 * The card's first message is its enciphered blinding factor. Returns false if the x belongs to no point. */
bool k8_channel_open(struct k8_channel *channel, const struct cemv_crypto *crypto,
                     const uint8_t private_key[CEMV_P256_SIZE], cemv_bytes card_key_data,
                     uint8_t blinding_factor[CEMV_P256_SIZE])
{
    static const uint8_t zero_key[K8_BLOCK];
    static const uint8_t derivation[K8_BLOCK] = { 0x01, 0x01, 0x00, 0x54, 0x33, 0x4A, 0x32, 0x59,
                                                  0x57, 0x77, 0x3D, 0xA5, 0xA5, 0xA5, 0x01, 0x80 };
    const struct cemv_crypto_secret *const secret = crypto->secret;
    uint8_t point[2 * CEMV_P256_SIZE], shared[CEMV_P256_SIZE], master[K8_BLOCK];
    if (card_key_data.size != K8_CARD_KEY_SIZE || !k8_recover(crypto, point, card_key_data.data)) return false;

    secret->p256_multiply(shared, private_key, point);
    struct k8_mac mac = k8_mac_open(secret, zero_key);
    k8_mac_add(&mac, (cemv_bytes){ shared, sizeof shared });
    k8_mac_close(&mac, master);
    cemv_copy(channel->confidentiality, derivation, K8_BLOCK);
    cemv_copy(channel->integrity, derivation, K8_BLOCK);
    channel->integrity[0] = 0x02;
    secret->aes_encrypt(master, channel->confidentiality, 1);
    secret->aes_encrypt(master, channel->integrity, 1);
    cemv_copy(blinding_factor, card_key_data.data + CEMV_P256_SIZE, CEMV_P256_SIZE);
    k8_counter_mode(secret, channel->confidentiality, K8_FIRST_CARD_COUNTER, blinding_factor, CEMV_P256_SIZE);
    channel->kernel_counter = 0;
    channel->card_counter = K8_FIRST_CARD_COUNTER + 1;
    cemv_wipe(shared, sizeof shared);
    cemv_wipe(master, sizeof master);
    return true;
}

/* Keys of the card ------------------------------------------------------------------------------------------------- */

/* C.51: the certificate's key times the blinding factor must be the blinded key. */
bool k8_blinding_holds(const struct cemv_crypto *crypto, const uint8_t factor[CEMV_P256_SIZE],
                       const uint8_t key[CEMV_P256_SIZE], const uint8_t blinded[CEMV_P256_SIZE])
{
    uint8_t point[2 * CEMV_P256_SIZE], scalar[CEMV_P256_SIZE], x[CEMV_P256_SIZE];
    bool holds = crypto_p256_reduce(scalar, factor);
    crypto_declassify(&holds, sizeof holds); /* the TVR discloses that the factor fails (C.54) */
    holds = holds && k8_recover(crypto, point, key);
    if (holds) {
        crypto->secret->p256_multiply(x, scalar, point);
        holds = is_same(x, blinded, sizeof x);
        crypto_declassify(&holds, sizeof holds); /* C.52: as before */
        cemv_wipe(x, sizeof x);
    }
    cemv_wipe(scalar, sizeof scalar);
    return holds;
}

/* EC-SDSA (8.4): the hash over x of the recovered point and the message must be r. */
bool k8_signature_holds(const struct cemv_crypto *crypto, const uint8_t point[2 * CEMV_P256_SIZE], cemv_bytes signature,
                        cemv_bytes message)
{
    uint8_t x[CEMV_P256_SIZE], digest[CEMV_SHA256_SIZE];
    const cemv_bytes pieces[] = { { x, sizeof x }, message };
    if (signature.size != 2 * CEMV_P256_SIZE) return false;
    const uint8_t *const r = signature.data, *const s = r + CEMV_P256_SIZE;
    if (!(crypto->p256_combine != NULL ? crypto->p256_combine : cemv_p256_combine)(x, s, r, point)) return false;
    crypto->sha256(digest, pieces, 2);
    return is_same(digest, r, sizeof digest);
}
