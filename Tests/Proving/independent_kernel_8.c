/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the decisions and the cryptography of Kernel 8 with kernel_8_rules.txt, whose first lines define each
 * function's inputs and outputs. */
#include "CEMVInternals.h"
#include "independent_case.h"

#include "../../Sources/CEMV/kernels/k8/k8.h"
#include "../../Sources/CEMV/kernels/k8/k8_channel.h"
#include "../../Sources/CEMV/kernels/k8/k8_tags.h"
#include "../Secrets/secrets.h"

static const struct cemv_tags *known_tags(void)
{
    static struct cemv_tags tags;
    if (tags.count == 0) cemv_tags_open(&tags, &(struct cemv_kernel_tags){ k8_tags, K8_TAGS });
    return &tags;
}

static uint64_t bits(const struct rules_case *test, size_t index) { return cemv_rules_bits(bytes(test, index), 0); }

static uint32_t tag_of(cemv_bytes value)
{
    uint32_t tag = 0;
    for (size_t i = 0; i < value.size; i++) tag = tag << 8 | value.data[i];
    return tag;
}

/* Bytes, or an output that is not compared. */
static void gives_if(struct rules_case *test, bool any, const void *data, size_t size)
{
    static const uint8_t nothing = 0;
    gives_bytes(test, any ? data : &nothing, any ? size : 0);
}

static void run_taa(struct rules_case *test)
{
    const struct k8_action_in in = { .tvr = bits(test, 0),
                                     .denial = bits(test, 1),
                                     .online = bits(test, 2),
                                     .terminal_type = bytes(test, 3).data[0],
                                     .card_offline = flag(test, 4) };
    gives(test, k8_action_analysis(&in));
}

static void run_cid(struct rules_case *test) { gives(test, k8_cid_is_valid(bytes(test, 0).data[0], byte(test, 1))); }

static uint8_t number_of(uint8_t cvm) { return cvm == CEMV_CVM_NA ? 4 : cvm >> 4; }
static uint8_t cvm_of(uint8_t number) { return number == 4 ? CEMV_CVM_NA : (uint8_t)(number << 4); }

/* The bit of byte 3 by its number. */
static void run_cvm(struct rules_case *test)
{
    const struct k8_cvm cvm = k8_cardholder_verification(bytes(test, 0).data[0], bytes(test, 1).data[0]);
    uint8_t bit = 0;
    for (uint8_t i = 1; i <= 8; i++)
        if (cvm.tvr_3 == 1u << (i - 1)) bit = i;
    gives(test, number_of(cvm.cvm));
    gives_bytes(test, cvm.results, sizeof cvm.results);
    gives(test, bit);
}

static void run_card_tvr(struct rules_case *test)
{
    uint8_t out[5];
    cemv_rules_bits_put(out, k8_card_tvr(bits(test, 0), bits(test, 1), bits(test, 2)));
    gives_bytes(test, out, sizeof out);
}

static void run_relay(struct rules_case *test)
{
    const uint8_t *const answer = bytes(test, 2).data;
    const uint32_t elapsed = (uint32_t)in(test, 0), latency = (uint32_t)in(test, 1);
    struct cemv_relay_in relay = {
        .elapsed_us = elapsed > latency ? elapsed - latency : 0,
        .retries = 2,
        .card_min = cemv_be16(answer + 4),
        .card_max = cemv_be16(answer + 6),
        .card_transmission = cemv_be16(answer + 8),
        .command_transmission = word(test, 3),
        .response_transmission = word(test, 4),
        .min_grace = word(test, 5),
        .max_grace = word(test, 6),
        .mismatch = byte(test, 7),
        .accuracy = word(test, 8),
    };
    if (relay.card_transmission == 0 || relay.response_transmission == 0) relay.accuracy = UINT16_MAX;
    const struct cemv_relay_times times = cemv_relay_evaluate(&relay);
    relay.min_grace = UINT16_MAX; /* verdict on the other times, had it not been too fast */
    const uint64_t tvr = cemv_relay_evaluate(&relay).tvr;
    gives(test, times.measured);
    gives(test, k8_relay_excess(times.measured, relay.card_max));
    gives(test, times.verdict == CEMV_RELAY_TOO_FAST);
    gives(test, (tvr & CEMV_TVR(5, CEMV_TVR_5_RELAY_TIME_LIMITS_EXCEEDED)) != 0);
    gives(test, (tvr & CEMV_TVR(5, CEMV_TVR_5_RELAY_THRESHOLD_EXCEEDED)) != 0);
}

static void run_afl(struct rules_case *test)
{
    uint8_t active[248];
    const bool sound = k8_locator_is_sound(bytes(test, 0));
    gives(test, sound);
    gives_if(test, sound, active, k8_active_locator(bytes(test, 0), active));
}

static void run_offset(struct rules_case *test) { gives(test, k8_offset_is_valid(byte(test, 0), in(test, 1))); }

static void run_fit(struct rules_case *test)
{
    uint8_t out[256];
    const struct cemv_tag_row *const row = cemv_tag_find(known_tags(), tag_of(bytes(test, 0)));
    cemv_dol_fit(out, byte(test, 2), bytes(test, 1), row ? (enum cemv_format)row->format : CEMV_FORMAT_B);
    gives_bytes(test, out, byte(test, 2));
}

static void run_known(struct rules_case *test)
{
    uint16_t slot;
    const uint8_t object = k8_object_of(known_tags(), tag_of(bytes(test, 0)), &slot);
    const bool refused = object == K8_THE_CARDS && !k8_length_is_allowed(known_tags(), slot, in(test, 1));
    gives(test, refused ? 1 : object);
}

static void run_parse(struct rules_case *test) { gives(test, k8_parse(bytes(test, 0))); }

static void run_end(struct rules_case *test)
{
    static const uint8_t interfaces[] = { 0, 1, 2 };
    const struct k8_end_in in = { .cid = bytes(test, 0).data[0],
                                  .decision = byte(test, 1),
                                  .type = bytes(test, 2).data[0],
                                  .restart = bytes(test, 3),
                                  .messages = bytes(test, 4),
                                  .cvm = cvm_of(byte(test, 5)) };
    const struct k8_ending ending = k8_end(&in);
    gives(test, ending.end);
    gives_bytes(test, &ending.message, 1);
    gives_bytes(test, &ending.message, 1);
    gives(test, ending.interface == CEMV_INTERFACE_NA ? 0 : interfaces[ending.interface >> 4]);
    gives(test, ending.hold);
}

static void run_utc(struct rules_case *test)
{
    uint8_t out[K8_DATE_TIME];
    k8_utc(out, bytes(test, 0).data, bytes(test, 1).data, (int)in(test, 2) - 840);
    gives_bytes(test, out, sizeof out);
}

/* Ten digits are this kernel's; eight are from oda/, which has the number in a certificate. */
static void run_identifier(struct rules_case *test)
{
    gives(test, k8_identifier_matches(bytes(test, 0), bytes(test, 1)));
}

/* A certificate that the public operation leaves unchanged. */
static bool echo(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t exponent)
{
    (void)modulus;
    (void)exponent;
    memmove(out, in.data, in.size);
    return true;
}

static void run_month(struct rules_case *test)
{
    enum { SIZE = 128, KEY_SIZE = 64 };
    static const uint8_t pan[] = { 0x67, 0x88, 0x88, 0xFF }, three = 3;
    struct cemv_crypto crypto = cemv_crypto_builtin;
    struct cemv_certificate issuer;
    uint8_t block[SIZE] = { 0x6A, 0x02, 0x67, 0x88, 0x88, 0xFF }, modulus[SIZE];
    crypto.rsa_public = echo;
    memset(modulus, 0xFF, sizeof modulus);
    memcpy(block + 6, bytes(test, 0).data, 2);
    block[11] = block[12] = 1, block[13] = KEY_SIZE, block[14] = 1;
    memset(block + 15, 0xFF, KEY_SIZE);
    memset(block + 15 + KEY_SIZE, 0xBB, SIZE - 21 - 15 - KEY_SIZE);
    const cemv_bytes pieces[] = { { block + 1, SIZE - 22 }, { &three, 1 } };
    crypto.sha1(block + SIZE - 21, pieces, 2);
    block[SIZE - 1] = 0xBC;
    const struct cemv_ca_key ca = { .modulus = { modulus, SIZE }, .exponent = 3 };
    struct cemv_issuer_input input = {
        .ca = &ca, .certificate = { block, SIZE }, .exponent = { &three, 1 }, .pan = { pan, sizeof pan }
    };
    memcpy(input.date, bytes(test, 1).data, 3);
    const enum cemv_oda_result result = cemv_issuer_recover(&crypto, &input, &issuer);
    const bool over = result == CEMV_ODA_CERTIFICATE_EXPIRED || result == CEMV_ODA_EXPIRY_MALFORMED;
    gives(test, over || result == CEMV_ODA_OK ? over : 2);
}

static void run_recover(struct rules_case *test)
{
    uint8_t point[64];
    const bool any = cemv_p256_recover(point, bytes(test, 0).data);
    gives_if(test, any, point + 32, 32);
}

static void run_keys(struct rules_case *test)
{
    const struct cemv_crypto crypto = test_crypto();
    struct k8_channel channel;
    uint8_t factor[32];
    const bool open = k8_channel_open(&channel, &crypto, bytes(test, 0).data, bytes(test, 1), factor);
    gives_if(test, open, channel.confidentiality, 16);
    gives_if(test, open, channel.integrity, 16);
    gives_if(test, open, factor, 32);
}

static void run_blinding(struct rules_case *test)
{
    const struct cemv_crypto crypto = test_crypto();
    gives(test, k8_blinding_holds(&crypto, bytes(test, 0).data, bytes(test, 1).data, bytes(test, 2).data));
}

/* x followed by y. */
static void point_of(uint8_t out[64], const struct rules_case *test, size_t index)
{
    memcpy(out, bytes(test, index).data, 32);
    memcpy(out + 32, bytes(test, index + 1).data, 32);
}

static void run_ecsdsa(struct rules_case *test)
{
    const struct cemv_crypto crypto = test_crypto();
    uint8_t point[64];
    point_of(point, test, 0);
    gives(test, k8_signature_holds(&crypto, point, bytes(test, 2), bytes(test, 3)));
}

static void run_issuer(struct rules_case *test)
{
    const struct cemv_crypto crypto = test_crypto();
    uint8_t ca[64], key[64];
    struct cemv_revocation revoked = { .index = bytes(test, 4).data[0] };
    point_of(ca, test, 1);
    memcpy(revoked.rid, bytes(test, 3).data, 5);
    memcpy(revoked.serial, bytes(test, 7).data, 3);
    const struct k8_issuer_in in = { .certificate = bytes(test, 0),
                                     .pan = bytes(test, 5),
                                     .ca = ca,
                                     .rid = bytes(test, 3).data,
                                     .index = bytes(test, 4).data[0],
                                     .now = bytes(test, 6).data,
                                     .revoked = &revoked,
                                     .revoked_count = 1 };
    const uint8_t step = k8_issuer_key(&crypto, &in, key);
    gives_if(test, step == 0, key, 32);
    gives(test, step);
}

static void run_card(struct rules_case *test)
{
    const struct cemv_crypto crypto = test_crypto();
    const cemv_bytes data = bytes(test, 3);
    uint8_t issuer[64], key[32], hash[32];
    point_of(issuer, test, 1);
    crypto.sha256(hash, &data, 1);
    const uint8_t step = k8_card_key(&crypto, bytes(test, 0), issuer, hash, bytes(test, 4).data, key);
    gives_if(test, step == 0, key, 32);
    gives(test, step);
}

static void run_ctr(struct rules_case *test)
{
    uint8_t text[BYTES_MAX];
    const cemv_bytes data = bytes(test, 2);
    memcpy(text, data.data, data.size);
    k8_counter_mode(&test_secrets, bytes(test, 1).data, word(test, 0), text, data.size);
    gives_bytes(test, text, data.size);
}

/* In two pieces, split at any position. */
static void run_cmac(struct rules_case *test)
{
    const uint8_t *const key = bytes(test, 0).data;
    const cemv_bytes message = bytes(test, 1);
    const size_t half = message.size / 3;
    uint8_t out[2][16];
    for (size_t i = 0; i < 2; i++) {
        struct k8_mac mac = k8_mac_open(&test_secrets, key);
        k8_mac_add(&mac, (cemv_bytes){ message.data, half });
        k8_mac_add(&mac, cemv_bytes_from(message, half));
        (i == 0 ? k8_mac_close : k8_mac_close_plus)(&mac, out[i]);
        gives_bytes(test, out[i], sizeof out[i]);
    }
}

const struct rules_function independent_kernel_8[] = {
    { "k8_afl", run_afl },
    { "k8_blinding", run_blinding },
    { "k8_card", run_card },
    { "k8_card_tvr", run_card_tvr },
    { "k8_cid", run_cid },
    { "k8_cmac", run_cmac },
    { "k8_ctr", run_ctr },
    { "k8_cvm", run_cvm },
    { "k8_ecsdsa", run_ecsdsa },
    { "k8_end", run_end },
    { "k8_fit", run_fit },
    { "k8_identifier", run_identifier },
    { "k8_issuer", run_issuer },
    { "k8_keys", run_keys },
    { "k8_known", run_known },
    { "k8_month", run_month },
    { "k8_offset", run_offset },
    { "k8_parse", run_parse },
    { "k8_recover", run_recover },
    { "k8_relay", run_relay },
    { "k8_taa", run_taa },
    { "k8_utc", run_utc },
    { NULL, NULL },
};
