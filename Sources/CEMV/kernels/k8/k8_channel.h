/* SPDX-License-Identifier: Apache-2.0 */
/* The secure channel between card and Kernel 8 (Book C-8 v1.0, chapter 8): session keys, counter mode, MACs, the
 * blinding factor. Functions over bytes: they know no tag, no command and no state. Operations with secrets use the
 * port's `secret` part; copies that are made here are wiped. */
#ifndef CEMV_K8_CHANNEL_H
#define CEMV_K8_CHANNEL_H

#include "../../crypto/p256.h"
#include "../../crypto/secret.h"
#include "../../wire/wire.h"

enum {
    K8_BLOCK = 16,
    K8_MAC_SIZE = 8,                /* a MAC as it is sent */
    K8_CARD_KEY_SIZE = 64,          /* 9F8103: x, then the blinding factor enciphered */
    K8_FIRST_CARD_COUNTER = 0x8000, /* C.10 */
    K8_LAST_CARD_COUNTER = 0xFFFF,
    K8_LAST_KERNEL_COUNTER = 0x7FFF,
};

/* The session keys SKc and SKi, and the message counters of both sides. */
struct k8_channel {
    uint8_t confidentiality[K8_BLOCK], integrity[K8_BLOCK];
    uint16_t kernel_counter, card_counter;
};

/* Derives the session keys from our private key and Card Key Data, and deciphers the card's blinding factor (8.3, C.11
 * to C.15). Returns false for another length, or for an x that belongs to no point of the curve. Afterwards the
 * counters are those of the next messages. */
bool k8_channel_open(struct k8_channel *channel, const struct cemv_crypto *crypto,
                     const uint8_t private_key[CEMV_P256_SIZE], cemv_bytes card_key_data,
                     uint8_t blinding_factor[CEMV_P256_SIZE]);
/* Counter mode, in place; enciphering and deciphering are one operation (8.5). */
void k8_counter_mode(const struct cemv_crypto_secret *secret, const uint8_t key[K8_BLOCK], uint16_t counter,
                     uint8_t *bytes, size_t size);

/* AES-CMAC of a message in any number of pieces (8.6; RFC 4493). The last block is kept back until it is known to be
 * the last. */
struct k8_mac {
    const struct cemv_crypto_secret *secret;
    const uint8_t *key;
    uint8_t chain[K8_BLOCK], block[K8_BLOCK];
    uint8_t used;
};
struct k8_mac k8_mac_open(const struct cemv_crypto_secret *secret, const uint8_t key[K8_BLOCK]);
void k8_mac_add(struct k8_mac *mac, cemv_bytes bytes);
/* Returns the whole MAC and erases the state. */
void k8_mac_close(struct k8_mac *mac, uint8_t out[K8_BLOCK]);
/* The variant for the IAD-MAC, CMAC+: H deciphered, xor H (C.71 to C.78). */
void k8_mac_close_plus(struct k8_mac *mac, uint8_t out[K8_BLOCK]);
/* True if the left half of the MAC over counter ‖ pieces is `expected`. */
bool k8_mac_holds(const struct cemv_crypto_secret *secret, const uint8_t key[K8_BLOCK], uint16_t counter,
                  const cemv_bytes *pieces, size_t count, const uint8_t expected[K8_MAC_SIZE]);

/* True if the blinding factor times the card's key has the x of Card Key Data (8.2, C.51). `key` and `blinded` are
 * x. */
bool k8_blinding_holds(const struct cemv_crypto *crypto, const uint8_t factor[CEMV_P256_SIZE],
                       const uint8_t key[CEMV_P256_SIZE], const uint8_t blinded[CEMV_P256_SIZE]);
/* Verifies an EC-SDSA signature R ‖ S of a message (8.4). Returns false also for another length. */
bool k8_signature_holds(const struct cemv_crypto *crypto, const uint8_t point[2 * CEMV_P256_SIZE], cemv_bytes signature,
                        cemv_bytes message);
/* The port's function, or the built-in one. */
bool k8_recover(const struct cemv_crypto *crypto, uint8_t point[2 * CEMV_P256_SIZE], const uint8_t x[CEMV_P256_SIZE]);

#endif
