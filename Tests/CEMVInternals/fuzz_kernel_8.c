/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions of Kernel 8 with a port that accepts everything: ciphers change nothing, MACs and hashes are zero, any x is
 * a point and RSA returns its input. So an input without a key reaches the code behind certificates, MACs and encrypted
 * records. The input chooses the reader, too; an input whose configuration is rejected has no effect. */
#include "fuzz.h"

#include "../../Sources/CEMV/crypto/p256.h"
#include "CEMVInternals.h"

#include <string.h>

/* Bytes of the prefix. */
enum {
    AT_PROFILE = 0, /* bits 0 and 1; 2 and 3: offline; 4: the relay rule off; 5: few random bytes; 6, 7: presentments */
    AT_SALE = 1,    /* bits 0 to 2: amount; 4 and 5: type; 6: a time zone */
    AT_TERMINAL = 2, /* bits 0 to 2: terminal type; 3: no local authentication; 4: RSA; 5: relay resistance; 6: local
                      * failure is not reported; 7: no data exchange */
    AT_DATA = 3,     /* a bit for each row of `configured` */
    AT_ACT = 4,      /* a bit for each row of `announced` */
    AT_LATENCY = 5,  /* milliseconds */
};

struct fuzzed_8 {
    struct recorded_reader reader;
    struct recorded_tap tap;
    struct cemv_combination row;
    struct cemv_kernel_8_options options;
    uint8_t data[256], act[256];
    _Alignas(CEMV_ALIGNMENT) uint8_t checked[8192];
};

/* ---- the port ---- */

static void no_sha1(uint8_t digest[CEMV_SHA1_SIZE], const cemv_bytes *pieces, size_t count)
{
    (void)pieces, (void)count;
    memset(digest, 0, CEMV_SHA1_SIZE);
}

static void no_sha256(uint8_t digest[CEMV_SHA256_SIZE], const cemv_bytes *pieces, size_t count)
{
    (void)pieces, (void)count;
    memset(digest, 0, CEMV_SHA256_SIZE);
}

static bool echo(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t exponent)
{
    (void)exponent;
    if (in.size != modulus.size) return false;
    memmove(out, in.data, in.size);
    return true;
}

static bool any_point(uint8_t point[2 * CEMV_P256_SIZE], const uint8_t x[CEMV_P256_SIZE])
{
    memmove(point, x, CEMV_P256_SIZE);
    memset(point + CEMV_P256_SIZE, 0, CEMV_P256_SIZE);
    return true;
}

static bool any_signature(uint8_t x[CEMV_P256_SIZE], const uint8_t s[CEMV_P256_SIZE], const uint8_t r[CEMV_P256_SIZE],
                          const uint8_t point[2 * CEMV_P256_SIZE])
{
    (void)s, (void)r, (void)point;
    memset(x, 0, CEMV_P256_SIZE);
    return true;
}

static void no_key(uint8_t point[2 * CEMV_P256_SIZE], const uint8_t scalar[CEMV_P256_SIZE])
{
    (void)scalar;
    memset(point, 0, 2 * CEMV_P256_SIZE);
}

static void no_product(uint8_t x[CEMV_P256_SIZE], const uint8_t scalar[CEMV_P256_SIZE],
                       const uint8_t point[2 * CEMV_P256_SIZE])
{
    (void)scalar, (void)point;
    memset(x, 0, CEMV_P256_SIZE);
}

static void no_blocks(const uint8_t key[16], uint8_t *blocks, size_t count)
{
    (void)key;
    memset(blocks, 0, 16 * count);
}

static void no_block(const uint8_t key[16], uint8_t block[16])
{
    (void)key;
    memset(block, 0, 16);
}

static void no_chain(const uint8_t key[16], uint8_t chain[16], const uint8_t *blocks, size_t count)
{
    (void)key, (void)blocks, (void)count;
    memset(chain, 0, 16);
}

static const struct cemv_crypto_secret letting_through = {
    .p256_public = no_key,
    .p256_multiply = no_product,
    .aes_encrypt = no_blocks,
    .aes_decrypt = no_block,
    .aes_chain = no_chain,
};

/* ---- the reader ---- */

#define OBJECT(text)                                                                                                   \
    {                                                                                                                  \
        (const uint8_t *)(text), sizeof(text) - 1                                                                      \
    }
static const cemv_bytes configured[] = {
    OBJECT("\x9F\x82\x0B\5\x84\0\0\0\x40"),
    OBJECT("\x9F\x82\x0C\5\0\0\0\0\0"),
    OBJECT("\x9F\x82\x20\3\x9F\x37\4"),
    OBJECT("\x9F\x82\x1F\x09\x9F\x82\4\x9F\x82\x1B\x9F\x82\x1C"),
    OBJECT("\x9F\x82\x21\2\x57\x5A"),
    OBJECT("\xDF\1\0"),
    OBJECT("\xDF\2\2\1\2"),
    OBJECT("\x9F\x82\x1E\1\x18"),
};
static const cemv_bytes announced[] = {
    OBJECT("\x9F\x82\3\0"), OBJECT("\x9F\x82\3\5\x9F\x81\x11\x50\x57"),
    OBJECT("\xBF\x81\4\0"), OBJECT("\xBF\x81\4\x0A\x9F\x81\x12\1\xAA\x9F\x81\x13\1\xBB"),
    OBJECT("\x9F\x82\2\0"), OBJECT("\x9F\x82\2\1\0"),
    OBJECT("\x9F\x02\0"),   OBJECT("\x9A\0"),
};
enum { CONFIGURED = sizeof configured / sizeof configured[0], ANNOUNCED = sizeof announced / sizeof announced[0] };

static cemv_bytes chosen(uint8_t bits, const cemv_bytes *from, uint8_t out[256], size_t size)
{
    for (size_t i = 0; i < 8; i++) {
        if ((bits >> i & 1) == 0) continue;
        memcpy(out + size, from[i].data, from[i].size);
        size += from[i].size;
    }
    return (cemv_bytes){ out, size };
}

static void choose_row(struct fuzzed_8 *fuzzed, const uint8_t *prefix)
{
    static const uint8_t aid[] = { 0xF0, 0, 0, 0x08, 0x08 }, types[] = { 0x00, 0x01, 0x09, 0x20 };
    const uint8_t bits = prefix[AT_TERMINAL];
    const uint8_t always[] = {
        0x9F, 0x82, 0x0A, 1,    (bits & 8) != 0 ? 0 : 0x10,
        0x9F, 0x82, 0x09, 2,    (uint8_t)((bits & 16) << 1 | (bits & 32) >> 1 | (~bits & 64) >> 3),
        0,    0x9F, 0x82, 0x0D, 6,
        0,    0,    0,    1,    0,
        0
    };
    memcpy(fuzzed->data, always, sizeof always);
    fuzzed->options.relay_latency_us = prefix[AT_LATENCY] * 1000u;
    fuzzed->options.no_data_exchange = (bits & 128) != 0;
    fuzzed->row = (struct cemv_combination){ .aid = { aid, sizeof aid },
                                             .kernel_id = { 8 },
                                             .kernel_id_size = 1,
                                             .transaction_types = { types, sizeof types },
                                             .zero_amount = CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED,
                                             .data = chosen(prefix[AT_DATA], configured, fuzzed->data, sizeof always),
                                             .options = &fuzzed->options };
}

static void choose_sale(struct fuzzed_8 *fuzzed, const uint8_t *prefix)
{
    static const uint64_t amounts[] = { 0, 1, 1000, 9999, 10000, 10001, 50000, 999999999999 };
    static const uint8_t types[] = { 0x00, 0x01, 0x09, 0x20 };
    fuzzed->tap.transaction = (struct cemv_transaction){
        .type = types[prefix[AT_SALE] >> 4 & 3],
        .amount = amounts[prefix[AT_SALE] & 7],
        .currency = 0x0978,
        .exponent = 2,
        .date = { 0x26, 0x11, 0x21 },
        .time = { 0x12, 0, 0 },
        .counter = 1,
        .utc_offset_minutes = (prefix[AT_SALE] & 0x40) != 0 ? -345 : 0,
        .data = chosen(prefix[AT_ACT], announced, fuzzed->act, 0),
    };
}

const char *fuzz_kernel_8(const struct recorded_taps *recorded, struct tap_bench *bench, cemv_bytes input)
{
    static const struct cemv_kernel_row kernels[] = { { { 8 }, 1, &cemv_kernel_8, NULL } };
    static const uint8_t pool[CEMV_RANDOM_POOL] = { 1, 2, 3, [32] = 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    static const uint8_t terminal_types[] = { 0x22, 0x21, 0x14, 0x23, 0x25, 0x26, 0x34, 0x11 };
    static uint8_t modulus[144];
    static _Thread_local struct fuzzed_8 fuzzed;
    struct cemv_crypto crypto = { .sha1 = no_sha1,
                                  .sha256 = no_sha256,
                                  .rsa_public = echo,
                                  .p256_recover = any_point,
                                  .p256_combine = any_signature,
                                  .secret = &letting_through };
    struct cemv_config_error error;
    if (input.size < FUZZ_KERNEL_8_PREFIX + 2) return NULL;
    const uint8_t *const prefix = input.data, rules = prefix[AT_PROFILE];
    const uint8_t terminal[] = { 0x9F, 0x1A, 2, 0x02, 0x76, 0x9F, 0x35, 1, terminal_types[prefix[AT_TERMINAL] & 7] };
    uint8_t base[2 * CEMV_P256_SIZE];
    crypto_p256_store(base, &crypto_p256_base[0].x);
    crypto_p256_store(base + CEMV_P256_SIZE, &crypto_p256_base[0].y);
    memset(modulus, 0xFF, sizeof modulus);
    const struct cemv_curve_key curve_key = { .rid = { 0xF0, 0, 0, 0x08, 0x08 },
                                              .index = 1,
                                              .suite = 0x10,
                                              .x = { base, CEMV_P256_SIZE },
                                              .y = { base + CEMV_P256_SIZE, CEMV_P256_SIZE } };
    const struct cemv_ca_key rsa_key = {
        .rid = { 0xF0, 0, 0, 0x08, 0x08 }, .index = 2, .modulus = { modulus, sizeof modulus }, .exponent = 3
    };
    memset(&fuzzed, 0, sizeof fuzzed);
    choose_row(&fuzzed, prefix);
    choose_sale(&fuzzed, prefix);
    fuzzed.reader.configuration = (struct cemv_configuration){
        .terminal_data = { terminal, sizeof terminal },
        .combinations = &fuzzed.row,
        .combination_count = 1,
        .kernels = kernels,
        .kernel_count = 1,
        .crypto = &crypto,
        .ca_keys = &rsa_key,
        .ca_key_count = 1,
        .curve_keys = &curve_key,
        .curve_key_count = 1,
        .protection = { .profile = rules & 3,
                        .max_taps = 1 + (rules >> 6),
                        .offline = rules >> 2 & 3,
                        .relay = (rules & 16) != 0 ? CEMV_RELAY_OFF : 0 },
    };
    if (cemv_configuration_check(&fuzzed.reader.configuration, fuzzed.checked, sizeof fuzzed.checked,
                                 &fuzzed.reader.checked, &error) != CEMV_OK)
        return NULL;
    fuzzed.tap.reader = &fuzzed.reader;
    fuzzed.tap.random = (cemv_bytes){ pool, (rules & 32) != 0 ? 36 : sizeof pool };
    return fuzz_play(recorded, &fuzzed.tap, bench,
                     (cemv_bytes){ input.data + FUZZ_KERNEL_8_PREFIX, input.size - FUZZ_KERNEL_8_PREFIX });
}
