/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 8 that no dialogue covers: the range of its keys, the pool that supplies them, wiping, and the
 * requirements on its configuration (Book C-8 v1.0). */
#include <string.h>

#include "CEMVInternals.h"
#include "properties.h"

#include "../../Sources/CEMV/crypto/p256.h"
#include "../../Sources/CEMV/include/cemv_kernel_8.h"
#include "../../Sources/CEMV/kernels/k8/k8.h"
#include "../../Sources/CEMV/kernels/k8/k8_channel.h"
#include "../Secrets/secrets.h"

/* n, the order of the group. */
static const uint8_t order[CEMV_P256_SIZE] = { 0xFF, 0xFF, 0xFF, 0xFF, 0,    0,    0,    0,    0xFF, 0xFF, 0xFF,
                                               0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17,
                                               0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51 };

/* Exactly 1 < d < n - 1 is accepted; a number of n or more is reduced once (C.102, C.51). */
static void properties_of_kernel_8_keys(void)
{
    uint8_t scalar[CEMV_P256_SIZE] = { 0 }, reduced[CEMV_P256_SIZE];
    for (unsigned i = 0; i < 5; i++) {
        scalar[CEMV_P256_SIZE - 1] = (uint8_t)i;
        property(crypto_p256_is_private(scalar) == (i >= 2), "a key is above one", i);
        property(crypto_p256_reduce(reduced, scalar) == (i != 0) && memcmp(reduced, scalar, sizeof scalar) == 0,
                 "what is below the order stays", i);
    }
    for (unsigned i = 0; i < 5; i++) {
        memcpy(scalar, order, sizeof scalar);
        scalar[CEMV_P256_SIZE - 1] = (uint8_t)(order[CEMV_P256_SIZE - 1] - 3 + i);
        property(crypto_p256_is_private(scalar) == (i < 2), "a key is below the order less one", i);
        property(crypto_p256_reduce(reduced, scalar) == (i != 3), "the order itself is zero", i);
        property(i != 4 || (reduced[CEMV_P256_SIZE - 1] == 1 && reduced[0] == 0), "one above it is one", i);
    }
    memset(scalar, 0xFF, sizeof scalar);
    property(!crypto_p256_is_private(scalar) && crypto_p256_reduce(reduced, scalar), "the largest number", 0);
}

/* A coordinate must be below p: the same point with p added to its x would satisfy the equation, but is rejected (8.2).
 */
static void properties_of_coordinates(void)
{
    static const uint8_t modulus[CEMV_P256_SIZE] = { 0xFF, 0xFF, 0xFF, 0xFF, 0,    0,    0,    1,    0,    0,    0,
                                                     0,    0,    0,    0,    0,    0,    0,    0,    0,    0xFF, 0xFF,
                                                     0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF };
    struct crypto_p256_point point;
    unsigned found = 0;
    for (unsigned small = 0; small < 40; small++) {
        uint8_t x[CEMV_P256_SIZE] = { 0 }, bytes[2 * CEMV_P256_SIZE];
        x[CEMV_P256_SIZE - 1] = (uint8_t)small;
        if (!cemv_p256_recover(bytes, x)) continue;
        found++;
        property(crypto_p256_load(&point, bytes), "a point of a small x", small);
        unsigned carry = 0;
        for (size_t i = CEMV_P256_SIZE; i-- > 0;) {
            carry += (unsigned)modulus[i] + x[i];
            bytes[i] = (uint8_t)carry;
            carry >>= 8;
        }
        property(!crypto_p256_load(&point, bytes) && !cemv_p256_recover(bytes, bytes), "its x and p", small);
        memcpy(bytes, x, sizeof x);
        memcpy(bytes + CEMV_P256_SIZE, modulus, sizeof modulus);
        property(!crypto_p256_load(&point, bytes), "a y of p", small);
    }
    property(found >= 10, "about every second x has a point", found);
}

/* s * G - r * P for small multiples P of G: sums of equal and of opposite points, and infinity. */
static void properties_of_small_combinations(void)
{
    uint8_t s[CEMV_P256_SIZE] = { 0 }, r[CEMV_P256_SIZE] = { 0 }, d[CEMV_P256_SIZE] = { 0 };
    uint8_t factor[2 * CEMV_P256_SIZE], wanted[2 * CEMV_P256_SIZE], x[CEMV_P256_SIZE];
    for (int i = 1; i <= 4; i++)
        for (int k = 1; k <= 8; k++)
            for (int of = -3; of <= 3; of++) {
                const int sum = k - i * of;
                if (of == 0) continue;
                s[CEMV_P256_SIZE - 1] = (uint8_t)k, r[CEMV_P256_SIZE - 1] = (uint8_t)i;
                memcpy(d, order, sizeof d);
                if (of > 0) memset(d, 0, sizeof d);
                d[CEMV_P256_SIZE - 1] = (uint8_t)(d[CEMV_P256_SIZE - 1] + of);
                test_secrets.p256_public(factor, d);
                memset(d, 0, sizeof d);
                d[CEMV_P256_SIZE - 1] = (uint8_t)(sum < 0 ? -sum : sum);
                test_secrets.p256_public(wanted, d);
                const bool found = cemv_p256_combine(x, s, r, factor);
                property(found == (sum != 0) && (!found || memcmp(x, wanted, sizeof x) == 0), "a small multiple",
                         (unsigned)(i << 8 | k << 4 | (of + 3)));
            }
    property(!cemv_p256_combine(x, order, r, factor) && !cemv_p256_combine(x, s, order, factor), "the order", 0);
}

/* In order, each byte once, and none remains in the pool. */
static void properties_of_taking(void)
{
    struct cemv_random random = { 0 };
    uint8_t given[CEMV_RANDOM_POOL], taken[CEMV_RANDOM_POOL + 8];
    for (unsigned i = 0; i < sizeof given; i++) given[i] = (uint8_t)(i + 1);
    for (unsigned first = 0; first <= sizeof given; first += 4) {
        cemv_random_fill(&random, (cemv_bytes){ given, sizeof given });
        const size_t one = cemv_random_take(&random, taken, first);
        const size_t two = cemv_random_take(&random, taken + one, sizeof taken - one);
        property(one == first && one + two == sizeof given, "as many as there are", first);
        property(memcmp(taken, given, sizeof given) == 0, "in order", first);
        for (unsigned i = 0; i < sizeof given; i++) property(random.pool[i] == 0, "none stays behind", i);
        property(!cemv_random_draw(&random, taken), "then the pool is empty", first);
    }
}

/* A closed MAC leaves nothing of its state; a bit changed anywhere changes it. */
static void properties_of_macs(void)
{
    static const struct k8_mac empty;
    uint8_t key[16], text[40], whole[16], other[16];
    for (unsigned i = 0; i < 16; i++) key[i] = (uint8_t)any(256);
    for (unsigned size = 0; size < sizeof text; size++) {
        for (unsigned i = 0; i < size; i++) text[i] = (uint8_t)any(256);
        struct k8_mac mac = k8_mac_open(&test_secrets, key);
        k8_mac_add(&mac, (cemv_bytes){ text, size });
        k8_mac_close(&mac, whole);
        property(memcmp(&mac, &empty, sizeof mac) == 0, "a closed MAC is wiped", size);
        if (size == 0) continue;
        text[any(size)] ^= (uint8_t)(1u << any(8));
        mac = k8_mac_open(&test_secrets, key);
        k8_mac_add(&mac, (cemv_bytes){ text, size });
        k8_mac_close(&mac, other);
        property(memcmp(whole, other, 8) != 0, "a bit changes the MAC", size);
    }
}

/* ---- strings, locators, messages ---- */

static uint8_t parsed(const void *bytes, size_t size)
{
    return k8_parse((cemv_bytes){ guarded_copy(bytes, size), size });
}

/* 4.1.3: length fields of one to four bytes after their count, none indefinite; a template is read to its end however
 * short it is; 256 bytes are the maximum, for a template or not. */
static void properties_of_lengths_8(void)
{
    static const struct {
        uint8_t bytes[12], size, verdict;
    } all[] = {
        { { 0x70, 0x81, 3, 0x5A, 1, 2 }, 6, K8_PARSE_OK },
        { { 0x70, 0x83, 0, 0, 3, 0x5A, 1, 2 }, 8, K8_PARSE_OK },
        { { 0x70, 0x84, 0, 0, 0, 3, 0x5A, 1, 2 }, 9, K8_PARSE_OK },
        { { 0x70, 0x85, 0, 0, 0, 0, 3, 0x5A, 1, 2 }, 10, K8_PARSE_ERROR },
        { { 0x70, 0x82, 1, 3, 0x5A, 1, 2 }, 7, K8_PARSE_ERROR },
        { { 0x70, 0x83, 1, 0, 3, 0x5A, 1, 2 }, 8, K8_PARSE_ERROR },
        { { 0x70, 1, 0x5A }, 3, K8_PARSE_ERROR },
        { { 0x70, 3, 0xA5, 1, 0x5A }, 5, K8_PARSE_ERROR },
        { { 0x70, 1, 0x00 }, 3, K8_PARSE_OK },
        { { 0x70, 2, 0xA5, 0 }, 4, K8_PARSE_OK },
        { { 0x70, 0 }, 2, K8_PARSE_OK },
        { { 0x70, 0x82 }, 2, K8_PARSE_ERROR },
        { { 0x70, 0x82, 0 }, 3, K8_PARSE_ERROR },
    };
    uint8_t bytes[257];
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        property(parsed(all[i].bytes, all[i].size) == all[i].verdict, "a length", i);
    for (size_t size = 2; size <= sizeof bytes; size++)
        for (unsigned tag = 0; tag < 2; tag++) {
            memset(bytes, 0, sizeof bytes);
            bytes[0] = tag ? 0x70 : 0x5A, bytes[1] = 0x80;
            property(parsed(bytes, size) == K8_PARSE_ERROR, "no indefinite length", (unsigned)size);
            if (size < 4) continue;
            bytes[1] = 0x82, bytes[2] = (uint8_t)((size - 4) >> 8), bytes[3] = (uint8_t)(size - 4);
            property(parsed(bytes, size) == (size <= 256 ? K8_PARSE_OK : K8_PARSE_ERROR), "256 bytes", (unsigned)size);
        }
}

/* 20.23: the entries of files 1 to 10 in their order, whatever their number; no other byte is read or written. */
static void properties_of_active_locators(void)
{
    for (unsigned count = 1; count <= 62; count++) {
        uint8_t locator[248], out[248 + 8], expected[248];
        size_t size = 0;
        for (unsigned i = 0; i < count; i++) {
            const uint8_t file = (uint8_t)(1 + any(30));
            const uint8_t entry[] = { (uint8_t)(file << 3 | any(8)), (uint8_t)(1 + i), (uint8_t)(1 + i), 0 };
            memcpy(locator + 4 * i, entry, 4);
            if (file <= 10) memcpy(expected + size, entry, 4), size += 4;
        }
        memset(out, 0xEE, sizeof out);
        const cemv_bytes given = { guarded_copy(locator, 4 * count), 4 * count };
        property(k8_active_locator(given, out) == size && memcmp(out, expected, size) == 0, "entries", count);
        property(out[size] == 0xEE && out[sizeof out - 1] == 0xEE, "and no more", count);
    }
}

/* T A.26: the message of a Restart Indicator is used if the terminal allows it; if the terminal lists none, no message
 * of the card is. */
static void messages_that_a_card_may_choose(void)
{
    static const uint8_t allowed[] = { 0x00, 0x01, 0x18, 0x21 };
    for (unsigned message = 0; message < 256; message++)
        for (unsigned high = 0; high < 4; high++)
            for (unsigned size = 0; size <= sizeof allowed; size++) {
                const uint8_t restart[] = { (uint8_t)(high << 4), (uint8_t)message };
                const struct k8_end_in in = {
                    .cid = K8_AAC, .decision = K8_DECLINE, .restart = { restart, 2 }, .messages = { allowed, size }
                };
                const uint8_t own = high == 2 ? CEMV_MESSAGE_PRESENT_AGAIN
                                  : high == 3 ? CEMV_MESSAGE_INSERT_OR_SWIPE
                                              : CEMV_MESSAGE_NOT_AUTHORISED;
                bool is_allowed = false;
                for (unsigned i = 0; i < size; i++) is_allowed |= message != 0 && allowed[i] == message;
                property(k8_end(&in).message == (is_allowed ? message : own), "a message", high << 8 | message);
            }
}

/* ---- the configuration ---- */

static struct cemv_configuration c;
static struct cemv_combination row;
static struct cemv_curve_key key;
static struct cemv_crypto crypto;
static uint8_t point[2 * CEMV_P256_SIZE], digest[CEMV_SHA256_SIZE];

static void good(void)
{
    static const uint8_t aid[] = { 0xF0, 0, 0, 0x08, 0x08, 0x01 };
    static const struct cemv_kernel_row kernels[] = { { { 8 }, 1, &cemv_kernel_8, NULL } };
    static const uint8_t head[] = { 0xF0, 0, 0, 0x08, 0x08, 1, 0x10 };
    const cemv_bytes pieces[] = { { head, sizeof head }, { point, sizeof point } };
    crypto_p256_store(point, &crypto_p256_base[0].x);
    crypto_p256_store(point + CEMV_P256_SIZE, &crypto_p256_base[0].y);
    crypto = test_crypto();
    crypto.sha256(digest, pieces, 2);
    row = (struct cemv_combination){ .aid = { aid, sizeof aid }, .kernel_id = { 8 }, .kernel_id_size = 1 };
    key = (struct cemv_curve_key){ .rid = { 0xF0, 0, 0, 0x08, 0x08 },
                                   .index = 1,
                                   .suite = 0x10,
                                   .x = { point, CEMV_P256_SIZE },
                                   .y = { point + CEMV_P256_SIZE, CEMV_P256_SIZE },
                                   .sha256 = { digest, sizeof digest } };
    c = (struct cemv_configuration){ .combinations = &row,
                                     .combination_count = 1,
                                     .kernels = kernels,
                                     .kernel_count = 1,
                                     .crypto = &crypto,
                                     .curve_keys = &key,
                                     .curve_key_count = 1 };
}

static void gives(enum cemv_status status, unsigned field, uint32_t option, uint32_t tag, const char *name)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[8192];
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    const enum cemv_status found = cemv_configuration_check(&c, memory, sizeof memory, &checked, &error);
    property(found == status && (found == CEMV_OK || (error.field == field && error.option == option)), name, found);
    property(found == CEMV_OK || error.tag == tag, name, error.tag);
    if (found == CEMV_OK) {
        property(cemv_session_size(checked) <= CEMV_KERNEL_8_SESSION_SIZE, "a session with it has its room", 0);
        property(cemv_session_size(checked) > CEMV_SESSION_SIZE, "and needs more than one without", 0);
    }
    good();
}

static void set_data(const uint8_t *data, size_t size) { row.data = (cemv_bytes){ data, size }; }
#define DATA(...) set_data((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

/* Hours and minutes of a time zone, at most fourteen hours. */
static void properties_of_time_zones(void)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[8192];
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    static const uint8_t types[] = { CEMV_TYPE_PURCHASE };
    good();
    row.transaction_types = (cemv_bytes){ types, sizeof types };
    if (cemv_configuration_check(&c, memory, sizeof memory, &checked, &error) != CEMV_OK) {
        property(false, "a configuration", 0);
        return;
    }
    for (int minutes = -900; minutes <= 900; minutes += 10)
        for (int more = -1; more <= 1; more++) {
            const int offset = minutes + more;
            const struct cemv_transaction sale = { .type = CEMV_TYPE_PURCHASE,
                                                   .amount = 1,
                                                   .currency = 0x0978,
                                                   .exponent = 2,
                                                   .date = { 0x26, 0x11, 0x21 },
                                                   .utc_offset_minutes = (int16_t)offset };
            const enum cemv_status status = cemv_transaction_check(&sale, checked, &error);
            const bool good_zone = offset >= -840 && offset <= 840;
            property(status == (good_zone ? CEMV_OK : CEMV_BAD_VALUE) && (good_zone || error.field == CEMV_FIELD_TIME),
                     "a time zone", (unsigned)(offset + 1000));
        }
}

static void properties_of_its_configuration_8(void)
{
    const unsigned options = CEMV_FIELD_OPTIONS;
    good();
    gives(CEMV_OK, 0, 0, 0, "a configuration of Kernel 8");
    crypto.secret = NULL;
    gives(CEMV_MISSING, options, CEMV_KERNEL_8_SECRET_CRYPTO, 0, "a port with a secret part");
    c.crypto = NULL;
    gives(CEMV_MISSING, options, CEMV_KERNEL_8_SECRET_CRYPTO, 0, "the built-in engine has none");
    point[63] ^= 1, key.sha256.size = 0;
    gives(CEMV_BAD_VALUE, options, CEMV_KERNEL_8_CURVE_KEYS, 0, "a key off the curve");
    point[63] ^= 1;
    gives(CEMV_BAD_CHECKSUM, options, CEMV_KERNEL_8_CURVE_KEYS, 0, "a key unlike its checksum");
    key.x.size = 31, key.sha256.size = 0;
    gives(CEMV_BAD_LENGTH, options, CEMV_KERNEL_8_CURVE_KEYS, 0, "a key of another length");
    key.sha256.size = 20;
    gives(CEMV_BAD_LENGTH, options, CEMV_KERNEL_8_CURVE_KEYS, 0, "a checksum of another length");
    key.suite = 0x11, key.sha256.size = 0;
    gives(CEMV_OK, 0, 0, 0, "another suite is kept");
    struct cemv_curve_key twice[] = { key, key };
    twice[1].suite = 0x11;
    c.curve_keys = twice, c.curve_key_count = 2;
    gives(CEMV_DUPLICATE, options, CEMV_KERNEL_8_CURVE_KEYS, 1, "an index twice, whatever the suite");
    c.curve_keys = &key, c.curve_key_count = 1;
    memcpy(key.expires, "\x26\x02\x29", 3);
    gives(CEMV_BAD_VALUE, options, CEMV_KERNEL_8_CURVE_KEYS, 0, "a day that does not exist is not taken for no end");
    memcpy(key.expires, "\x28\x02\x29", 3);
    gives(CEMV_OK, 0, 0, 0, "a day that does");
    key.y.size = 33, key.sha256.size = 0;
    gives(CEMV_BAD_LENGTH, options, CEMV_KERNEL_8_CURVE_KEYS, 0, "a key of another length");
    struct cemv_curve_key two[] = { key, key };
    c.curve_keys = two, c.curve_key_count = 2;
    gives(CEMV_DUPLICATE, options, CEMV_KERNEL_8_CURVE_KEYS, 1, "a key twice");
    two[1].index = 2, two[1].sha256.size = 0;
    c.curve_keys = two, c.curve_key_count = 2;
    gives(CEMV_OK, 0, 0, 0, "another index");
    two[1].index = 1, two[1].rid[4]++;
    c.curve_keys = two, c.curve_key_count = 2;
    gives(CEMV_OK, 0, 0, 0, "another scheme");
    row.ttq = (cemv_bytes){ point, 4 };
    gives(CEMV_NOT_CONFIGURABLE, CEMV_FIELD_TTQ, 0, 0, "it has no TTQ");
    row.limits.present = 1u << CEMV_LIMIT_FLOOR;
    gives(CEMV_NOT_CONFIGURABLE, CEMV_FIELD_LIMITS, 0, 0, "its floor limit is a data object");
    row.limits.present = 1u << CEMV_LIMIT_TRANSACTION;
    gives(CEMV_OK, 0, 0, 0, "the transaction limit is Entry Point's");
}

static void properties_of_its_data_8(void)
{
    good();
    DATA(0x9F, 0x82, 0x1F, 2, 0x9F, 0x82);
    gives(CEMV_BAD_VALUE, CEMV_FIELD_DATA, 0, 0x9F821F, "a list that breaks off");
    DATA(0x9F, 0x82, 0x21, 1, 0x57);
    gives(CEMV_BAD_VALUE, CEMV_FIELD_DATA, 0, 0x9F8221, "a mapping has pairs");
    DATA(0x9F, 0x82, 0x0B, 5, 0, 0, 0, 0, 0x40);
    gives(CEMV_BAD_VALUE, CEMV_FIELD_DATA, 0, 0x9F820B, "guarded: approvals need local authentication");
    DATA(0x9F, 0x82, 0x0B, 5, 0, 0, 0, 0, 0x40, 0x9F, 0x35, 1, 0x21);
    gives(CEMV_OK, 0, 0, 0, "but not where all goes online");
    row.own_protection = true, row.protection.profile = CEMV_PROFILE_BOOK;
    DATA(0x9F, 0x82, 0x0B, 5, 0, 0, 0, 0, 0x40);
    gives(CEMV_OK, 0, 0, 0, "nor by the combination's own profile");
    DATA(0x9F, 0x82, 0x1A, 5, 0x84, 0, 0, 0x80, 0xCF);
    gives(CEMV_OK, 0, 0, 0, "a mask that leaves the card nothing of the kernel's");
    c.protection.profile = CEMV_PROFILE_BOOK;
    DATA(0x9F, 0x82, 0x0B, 5, 0, 0, 0, 0, 0x40);
    gives(CEMV_OK, 0, 0, 0, "nor by the book");
    DATA(0x9F, 0x82, 0x1A, 5, 0x80, 0, 0, 0x80, 0xCF);
    gives(CEMV_BAD_VALUE, CEMV_FIELD_DATA, 0, 0x9F821A, "guarded: a card does not clear what the kernel found");
    DATA(0xDF, 1, 0, 0xDF, 2, 0, 0xDF, 3, 0, 0xDF, 4, 0, 0xDF, 5, 0, 0xDF, 6, 0, 0xDF, 7, 0, 0xDF, 8, 0);
    gives(CEMV_OK, 0, 0, 0, "eight proprietary objects");
    DATA(0xDF, 1, 0, 0xDF, 2, 0, 0xDF, 3, 0, 0xDF, 4, 0, 0xDF, 5, 0, 0xDF, 6, 0, 0xDF, 7, 0, 0xDF, 8, 0, 0xDF, 9, 0);
    gives(CEMV_TOO_MANY, CEMV_FIELD_OPTIONS, CEMV_KERNEL_8_PROPRIETARY, 0, "and not nine");
}

/* Each byte that the checksum of a key covers; dates with only some parts set; a cut list in the terminal's data; a
 * terminal type that needs local authentication. */
static void properties_of_its_keys_8(void)
{
    const unsigned options = CEMV_FIELD_OPTIONS, data = CEMV_FIELD_DATA;
    uint8_t head[] = { 0xF0, 1, 2, 0x38, 0x48, 1, 0x10 };
    const cemv_bytes pieces[] = { { head, sizeof head }, { point, sizeof point } };
    for (unsigned i = 0; i <= sizeof head; i++) {
        good();
        memcpy(key.rid, head, 5);
        crypto.sha256(digest, pieces, 2);
        if (i < 5) key.rid[i] ^= 0x40;
        if (i == 5) key.index ^= 0x40;
        if (i == 6) key.suite ^= 0x40;
        gives(i == sizeof head ? CEMV_OK : CEMV_BAD_CHECKSUM, options, CEMV_KERNEL_8_CURVE_KEYS, 0, "what is covered");
    }
    static const char days[][4] = { "\x26\0\0", "\0\x12\0", "\0\0\x31", "\x26\x12\0", "\x26\0\x31" };
    for (unsigned i = 0; i < sizeof days / sizeof days[0]; i++) {
        good();
        memcpy(key.expires, days[i], 3);
        gives(CEMV_BAD_VALUE, options, CEMV_KERNEL_8_CURVE_KEYS, 0, "a part of a day is no day");
    }
    static const uint8_t cut[] = { 0x9F, 0x82, 0x1F, 2, 0x9F, 0x82 };
    good();
    c.terminal_data = (cemv_bytes){ cut, sizeof cut };
    gives(CEMV_BAD_VALUE, data, 0, 0x9F821F, "a list of the terminal's");
    good();
    DATA(0x9F, 0x82, 0x0B, 5, 0, 0, 0, 0, 0x40, 0x9F, 0x35, 1, 0x22);
    gives(CEMV_BAD_VALUE, data, 0, 0x9F820B, "a terminal that may approve needs local authentication");
}

/* A valid configuration names no tag or option, whatever the error structure held before. */
static void what_is_good_names_nothing(void)
{
    for (unsigned keys = 0; keys < 2; keys++) {
        struct cemv_config_error error = { .tag = 7, .option = 7 };
        good();
        c.curve_key_count = keys;
        property(cemv_kernel_8.check(&c, 0, &error) == CEMV_OK && error.tag == 0 && error.option == 0, "no name", keys);
    }
}

void properties_of_kernel_8(void)
{
    PART(properties_of_kernel_8_keys);
    PART(properties_of_coordinates);
    PART(properties_of_small_combinations);
    PART(properties_of_time_zones);
    PART(properties_of_taking);
    PART(properties_of_macs);
    PART(properties_of_lengths_8);
    PART(properties_of_active_locators);
    PART(messages_that_a_card_may_choose);
    PART(properties_of_its_configuration_8);
    PART(properties_of_its_data_8);
    PART(properties_of_its_keys_8);
    PART(what_is_good_names_nothing);
}
