/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 8's secure channel and certificates as pure functions (Book C-8 v1.0, 8.3 to 8.6, C.25, C.36): a
 * channel's initial state, remains of its operations on the stack, time in UTC, identifiers of issuers. */
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"

#include "../../Sources/CEMV/kernels/k8/k8.h"
#include "../../Sources/CEMV/kernels/k8/k8_channel.h"
#include "../Secrets/secrets.h"

/* ---- a port whose every result is a run of one byte ---- */

enum { MARK = 0xA7, FACTOR = 0x5C };
static void mark_point(uint8_t point[64], const uint8_t scalar[32])
{
    (void)scalar;
    memset(point, MARK, 64);
}
static void mark_product(uint8_t x[32], const uint8_t scalar[32], const uint8_t point[64])
{
    (void)scalar;
    (void)point;
    memset(x, MARK, 32);
}
static void mark_blocks(const uint8_t key[16], uint8_t *blocks, size_t count)
{
    (void)key;
    memset(blocks, MARK, 16 * count);
}
static void mark_block(const uint8_t key[16], uint8_t block[16])
{
    (void)key;
    memset(block, MARK, 16);
}
static void mark_chain(const uint8_t key[16], uint8_t chain[16], const uint8_t *blocks, size_t count)
{
    (void)key;
    (void)blocks;
    if (count != 0) memset(chain, MARK, 16);
}
static bool any_point(uint8_t point[64], const uint8_t x[32])
{
    memmove(point, x, 32);
    memset(point + 32, 0, 32);
    return true;
}
static const struct cemv_crypto_secret marks = { mark_point, mark_product, mark_blocks, mark_block, mark_chain };
static struct cemv_crypto marking(void)
{
    struct cemv_crypto crypto = cemv_crypto_builtin;
    crypto.p256_recover = any_point;
    crypto.secret = &marks;
    return crypto;
}

/* ---- remains on the stack ---- */

static struct cemv_crypto port;
static struct k8_channel channel;
static uint8_t key[32], data[200], out[64];

static void use(unsigned operation)
{
    struct k8_mac mac;
    const cemv_bytes piece = of(data, sizeof data);
    switch (operation) {
    case 0: (void)k8_channel_open(&channel, &port, key, of(data, K8_CARD_KEY_SIZE), out); break;
    case 1: k8_counter_mode(&marks, key, 1, data, 37); break;
    case 2: (void)k8_mac_holds(&marks, key, 7, &piece, 1, out); break;
    case 3: (void)k8_blinding_holds(&port, out, key, data); break;
    case 4:
    case 5:
        mac = k8_mac_open(&marks, key);
        k8_mac_add(&mac, of(data, operation == 4 ? 16 : 21));
        k8_mac_close_plus(&mac, out);
        break;
    }
}

/* Works far below the frame of its caller, so that the function that looks for remains runs above them. The array is
 * not optimised away because its address is stored. */
static uint8_t *volatile kept;
__attribute__((noinline)) static void use_deep(unsigned operation)
{
    uint8_t room[1024];
    kept = room;
    use(operation);
    kept = NULL;
}

/* The longest run of one byte in the remains of earlier calls' frames. */
__attribute__((noinline, no_sanitize_address)) static unsigned longest_run(uint8_t byte)
{
    enum { NEAREST = 512, FARTHEST = 6000 };
    const volatile uint8_t *const frame = __builtin_frame_address(0);
    unsigned run = 0, longest = 0;
    for (unsigned i = FARTHEST; i > NEAREST; i--) {
        run = *(frame - i) == byte ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    return longest;
}

/* Shared secret, keys, subkeys, key stream, blinding factor and whole MACs are gone from the stack when an operation
 * returns (attacks.md, limit 16). The port's results are runs of one byte; a subkey is a run doubled once or twice. */
static void nothing_secret_stays_on_the_stack(void)
{
    static const uint8_t runs[] = { MARK, 0x4F, 0x9E, FACTOR };
    for (unsigned operation = 0; operation < 6; operation++) {
        port = marking();
        memset(key, 0x11, sizeof key);
        memset(data, 0, sizeof data);
        memset(out, FACTOR, sizeof out);
        use_deep(operation);
        for (unsigned i = 0; i < sizeof runs; i++)
            property(longest_run(runs[i]) < 12, "no secret stays on the stack", operation << 4 | i);
    }
}

/* ---- the channel ---- */

/* 8.3, C.10 to C.15: whatever the structure held before, both counters start from their beginning; nothing is written
 * after the keys. */
static void a_channel_begins_with_its_counters(void)
{
    struct {
        struct k8_channel channel;
        uint8_t behind[32], factor[CEMV_P256_SIZE], behind_factor[8];
    } room;
    for (unsigned size = 60; size <= 70; size++) {
        port = marking();
        memset(&room, 0x66, sizeof room);
        memset(data, 0x22, sizeof data);
        const bool good = size == K8_CARD_KEY_SIZE;
        property(k8_channel_open(&room.channel, &port, key, of(data, size), room.factor) == good, "64 bytes", size);
        if (good) property(room.channel.kernel_counter == 0 && room.channel.card_counter == 0x8001, "counters", size);
        for (unsigned i = 0; i < 32; i++)
            property(room.behind[i] == 0x66 && room.behind_factor[i % 8] == 0x66, "nothing behind", i);
    }
}

/* C.51: a factor that is zero modulo the order proves nothing, not even for a blinded key of zero. */
static void a_zero_factor_proves_nothing(void)
{
    static const uint8_t order[CEMV_P256_SIZE] = { 0xFF, 0xFF, 0xFF, 0xFF, 0,    0,    0,    0,    0xFF, 0xFF, 0xFF,
                                                   0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17,
                                                   0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51 },
                         zeros[CEMV_P256_SIZE];
    const struct cemv_crypto crypto = test_crypto();
    uint8_t one[CEMV_P256_SIZE] = { 0 }, base[2 * CEMV_P256_SIZE];
    one[CEMV_P256_SIZE - 1] = 1;
    test_secrets.p256_public(base, one);
    property(k8_blinding_holds(&crypto, one, base, base), "a factor of one", 0);
    property(!k8_blinding_holds(&crypto, zeros, base, zeros), "zero", 0);
    property(!k8_blinding_holds(&crypto, order, base, zeros), "the order", 0);
    property(!k8_blinding_holds(&crypto, one, base, zeros), "another point", 0);
}

/* ---- time (B.1, B.2) ---- */

struct day {
    unsigned year, month, day;
};

static struct day day_after(struct day day)
{
    static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    const unsigned last = days[day.month - 1] + (day.month == 2 && day.year % 4 == 0 ? 1u : 0u);
    if (day.day < last) return (struct day){ day.year, day.month, day.day + 1 };
    if (day.month < 12) return (struct day){ day.year, day.month + 1, 1 };
    return (struct day){ day.year + 1, 1, 1 };
}

static uint8_t bcd(unsigned number) { return (uint8_t)(number / 10 * 16 + number % 10); }

static void property_of_utc(struct day before, struct day day, struct day after, unsigned time, int offset)
{
    const int minutes = (int)time - offset;
    const struct day utc = minutes < 0 ? before : minutes >= 1440 ? after : day;
    const unsigned left = (unsigned)(minutes + 1440) % 1440;
    const uint8_t date[] = { bcd(day.year % 100), bcd(day.month), bcd(day.day) },
                  clock[] = { bcd(time / 60), bcd(time % 60), 0x59 },
                  expected[] = { bcd(utc.year / 100), bcd(utc.year % 100), bcd(utc.month),
                                 bcd(utc.day),        bcd(left / 60),      bcd(left % 60) };
    uint8_t found[K8_DATE_TIME];
    k8_utc(found, date, clock, offset);
    property(memcmp(found, expected, sizeof found) == 0, "local time less its zone",
             day.year << 16 | day.month << 8 | day.day);
}

/* From 1950 to 2049, at the ends of months, in the zones farthest from UTC and near it. */
static void time_in_utc(void)
{
    static const int offsets[] = { 0, 1, -1, 840, -840, 330 };
    static const unsigned times[] = { 0, 1, 599, 720, 1438, 1439 };
    struct day before = { 1950, 1, 1 }, day = { 1950, 1, 2 };
    while (day.year < 2050) {
        const struct day after = day_after(day);
        if (after.year == 2050) break;
        if (day.day <= 2 || day.day == 15 || day.day >= 27)
            for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
                for (size_t j = 0; j < sizeof times / sizeof times[0]; j++)
                    property_of_utc(before, day, after, times[j], offsets[i]);
        before = day, day = after;
    }
}

/* ---- identifiers (C.25, step 4) ---- */

/* Three to ten digits that match the leftmost of the account number, nothing read beyond its end; a different digit
 * anywhere. */
static void identifiers_are_leftmost_digits(void)
{
    static const uint8_t account[] = { 0x67, 0x88, 0x12, 0x34, 0x56, 0x78, 0x90, 0x12, 0x34, 0x5F };
    for (size_t size = 0; size <= sizeof account; size++)
        for (unsigned digits = 0; digits <= 10; digits++)
            for (unsigned wrong = 0; wrong <= digits; wrong++) {
                uint8_t identifier[5] = { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF };
                for (unsigned i = 0; i < digits; i++) {
                    const uint8_t right = i % 2 ? account[i / 2] & 15 : account[i / 2] >> 4,
                                  digit = i == wrong ? (right + 1) % 10 : right;
                    identifier[i / 2] =
                        (uint8_t)(i % 2 ? (identifier[i / 2] & 0xF0) | digit : (identifier[i / 2] & 0x0F) | digit << 4);
                }
                const bool matches = digits >= 3 && wrong == digits && digits <= 2 * size;
                property(k8_identifier_matches(of(identifier, 5), of(guarded_copy(account, size), size)) == matches,
                         "the leftmost digits", (unsigned)size << 8 | digits << 4 | wrong);
            }
}

void properties_of_kernel_8_channel(void)
{
    PART(nothing_secret_stays_on_the_stack);
    PART(a_channel_begins_with_its_counters);
    PART(a_zero_factor_proves_nothing);
    PART(time_in_utc);
    PART(identifiers_are_leftmost_digits);
}
