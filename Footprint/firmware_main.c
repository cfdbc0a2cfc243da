/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 8 on an emulated Cortex-M4 with its secret operations by BearSSL (Examples/Firmware): known answers, whole
 * taps, instructions of each operation, the depth of the stack, and that no secret is left on it. Scripts/firmware
 * builds it; ANSWERS is made from Tests/Independent/k8-vectors.json, TAPS from traces, one in each line. */
#include <stdio.h>
#include <string.h>

#include "../Examples/Firmware/bearssl_secret.h"
#include "../Tests/Corpus/corpus.h"
#include "../Tests/Secrets/secrets.h"

struct answer {
    const char *sheet;
    uint8_t kernel[32], kernel_public[64], blinded[32], shared[32], factor[32], icc_public[64];
};
struct mac {
    uint8_t size, value[16];
};
#include ANSWERS /* answers[], macs[], mac_key */

void put_text(const char *text);
int main(void);
extern const char taps_text[], taps_text_end[];
__asm__(".section .rodata\n.global taps_text\n.global taps_text_end\ntaps_text:\n.incbin \"" TAPS
        "\"\ntaps_text_end:\n.byte 0\n.text\n");

static unsigned failures, named;

static void check(bool holds, const char *what, const char *of)
{
    char line[200];
    if (holds) return;
    failures++;
    if (named++ >= 20) return;
    snprintf(line, sizeof line, "wrong: %s (%s)\n", what, of);
    put_text(line);
}

/* ---- instructions: the emulator gives each one 64 ns, and a timer of the board counts at 25 MHz ---- */

#define TIMER ((volatile uint32_t *)0x40000000u) /* CMSDK timer 0: control, value, reload */
static void timer_start(void)
{
    TIMER[1] = TIMER[2] = 0xFFFFFFFFu;
    TIMER[0] = 1;
}
static uint32_t ticks(void) { return 0xFFFFFFFFu - TIMER[1]; }
static uint64_t instructions(uint32_t from, uint32_t to) { return (uint64_t)(to - from) * 40u / 64u; }

/* Runs a loop of two instructions per turn: the timer is right if it counts twice the turns. */
static bool timer_is_right(void)
{
    uint32_t turns = 500000;
    const uint32_t from = ticks();
    __asm__ volatile("1: subs %0, %0, #1\n bne 1b" : "+r"(turns) : : "cc");
    const uint64_t counted = instructions(from, ticks());
    return counted >= 1000000 && counted < 1000100;
}

/* ---- the stack below a call ---- */

/* GAP: the registers that the adapter and its wiping function save; they hold addresses and counts. */
enum { DEPTH = 8192, GAP = 48, PAINT = 0xA5 };

__attribute__((noinline)) static void paint(void)
{
    volatile uint8_t room[DEPTH];
    for (size_t i = 0; i < sizeof room; i++) room[i] = PAINT;
}

struct below {
    size_t depth, left; /* depth of a call; bytes that it left there, neither painted nor overwritten with zeros */
};

/* Inline, before any other call writes there. */
__attribute__((always_inline)) static inline struct below look_below(void)
{
    const volatile uint8_t *top;
    struct below below = { 0, 0 };
    __asm__ volatile("mov %0, sp" : "=r"(top));
    const volatile uint8_t *at = top - DEPTH + 64;
    while (at < top && *at == PAINT) at++;
    below.depth = (size_t)(top - at);
    for (; at < top - GAP; at++) below.left += *at != 0 && *at != PAINT;
    return below;
}

/* ---- the port: BearSSL's part, counted ---- */

enum operation { PUBLIC, MULTIPLY, ENCRYPT, DECRYPT, CHAIN, OPERATIONS };
static const char *const names[OPERATIONS] = { "p256_public", "p256_multiply", "aes_encrypt (a block)",
                                               "aes_decrypt (a block)", "aes_chain (a block)" };
static struct {
    uint64_t instructions, least, most;
    uint32_t calls, units;
    size_t depth;
} counts[OPERATIONS];
static uint32_t begun;

static void begin(void)
{
    paint();
    begun = ticks();
}

static void end(enum operation which, size_t units, uint32_t now, struct below below)
{
    const uint64_t taken = instructions(begun, now);
    counts[which].instructions += taken;
    counts[which].calls++;
    counts[which].units += units;
    if (counts[which].calls == 1 || taken < counts[which].least) counts[which].least = taken;
    if (taken > counts[which].most) counts[which].most = taken;
    if (below.depth > counts[which].depth) counts[which].depth = below.depth;
    check(below.depth < DEPTH - 128, "the stack goes deeper than is looked at", names[which]);
    check(below.left == 0, "working values are left on the stack", names[which]);
}

static void p256_public(uint8_t point[64], const uint8_t scalar[32])
{
    begin();
    bearssl_secret.p256_public(point, scalar);
    const uint32_t now = ticks();
    end(PUBLIC, 1, now, look_below());
}

static void p256_multiply(uint8_t x[32], const uint8_t scalar[32], const uint8_t point[64])
{
    begin();
    bearssl_secret.p256_multiply(x, scalar, point);
    const uint32_t now = ticks();
    end(MULTIPLY, 1, now, look_below());
}

static void aes_encrypt(const uint8_t key[16], uint8_t *blocks, size_t count)
{
    begin();
    bearssl_secret.aes_encrypt(key, blocks, count);
    const uint32_t now = ticks();
    end(ENCRYPT, count, now, look_below());
}

static void aes_decrypt(const uint8_t key[16], uint8_t block[16])
{
    begin();
    bearssl_secret.aes_decrypt(key, block);
    const uint32_t now = ticks();
    end(DECRYPT, 1, now, look_below());
}

static void aes_chain(const uint8_t key[16], uint8_t chain[16], const uint8_t *blocks, size_t count)
{
    begin();
    bearssl_secret.aes_chain(key, chain, blocks, count);
    const uint32_t now = ticks();
    end(CHAIN, count, now, look_below());
}

const struct cemv_crypto_secret test_secrets = { p256_public, p256_multiply, aes_encrypt, aes_decrypt, aes_chain };

/* Replaces Tests/Secrets/secrets.c: the port for the corpus. */
struct cemv_crypto test_crypto(void)
{
    struct cemv_crypto crypto = cemv_crypto_builtin;
    crypto.secret = &test_secrets;
    return crypto;
}

/* ---- known answers ---- */

static void curve_answers(void)
{
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        const struct answer *known = &answers[i];
        uint8_t point[64], x[32];
        test_secrets.p256_public(point, known->kernel);
        check(memcmp(point, known->kernel_public, 64) == 0, "public key", known->sheet);
        check(cemv_p256_recover(point, known->blinded), "blinded key", known->sheet);
        test_secrets.p256_multiply(x, known->kernel, point);
        check(memcmp(x, known->shared, 32) == 0, "shared secret", known->sheet);
        test_secrets.p256_multiply(x, known->factor, known->icc_public);
        check(memcmp(x, known->blinded, 32) == 0, "blinding", known->sheet);
    }
}

static void doubled(uint8_t block[16])
{
    const uint8_t carry = block[0] >> 7;
    for (size_t i = 0; i < 15; i++) block[i] = (uint8_t)(block[i] << 1 | block[i + 1] >> 7);
    block[15] = (uint8_t)(block[15] << 1 ^ (carry ? 0x87 : 0));
}

/* FIPS 197, C.1; CMAC (SP 800-38B) of 00, 01, 02 ... with the chain of the port. */
static void cipher_answers(void)
{
    static const uint8_t key[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    static const uint8_t plain[16] = { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                       0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF };
    static const uint8_t cipher[16] = { 0x69, 0xC4, 0xE0, 0xD8, 0x6A, 0x7B, 0x04, 0x30,
                                        0xD8, 0xCD, 0xB7, 0x80, 0x70, 0xB4, 0xC5, 0x5A };
    uint8_t blocks[48];
    for (size_t i = 0; i < 3; i++) memcpy(blocks + 16 * i, plain, 16);
    test_secrets.aes_encrypt(key, blocks, 3);
    for (size_t i = 0; i < 3; i++) check(memcmp(blocks + 16 * i, cipher, 16) == 0, "AES", "FIPS 197, C.1");
    test_secrets.aes_decrypt(key, blocks + 16);
    check(memcmp(blocks + 16, plain, 16) == 0, "AES, deciphering", "FIPS 197, C.1");
    for (size_t i = 0; i < sizeof macs / sizeof macs[0]; i++) {
        uint8_t chain[16] = { 0 }, mask[16] = { 0 }, message[64], last[16] = { 0 };
        const size_t size = macs[i].size, whole = size == 0 ? 0 : (size - 1) / 16;
        for (size_t j = 0; j < sizeof message; j++) message[j] = (uint8_t)j;
        test_secrets.aes_encrypt(mac_key, mask, 1);
        doubled(mask);
        memcpy(last, message + 16 * whole, size - 16 * whole);
        if (size - 16 * whole != 16) {
            doubled(mask);
            last[size - 16 * whole] = 0x80;
        }
        for (size_t j = 0; j < 16; j++) last[j] ^= mask[j];
        if (whole) test_secrets.aes_chain(mac_key, chain, message, whole);
        test_secrets.aes_chain(mac_key, chain, last, 1);
        check(memcmp(chain, macs[i].value, 16) == 0, "CMAC", "edges");
    }
}

/* ---- taps ---- */

__attribute__((section(".arena"), aligned(16))) static uint8_t arena[CORPUS_ARENA];

static unsigned play(void)
{
    static struct corpus_bench bench;
    static struct corpus_report report;
    unsigned count = 0;
    for (const char *at = taps_text; at < taps_text_end && *at;) {
        struct corpus_arena own = { arena, sizeof arena, 0 };
        struct corpus_trace trace;
        char error[200] = "", line[1000];
        size_t length = 0;
        while (at[length] && at[length] != '\n') length++;
        if (length) {
            count++;
            if (!corpus_open(&trace, at, length, &own, error)) check(false, error, "a trace");
            else if (!corpus_replay(&trace, &bench, &own, &report)) {
                snprintf(line, sizeof line, "%.*s: %s: expected %s, found %s\n", (int)trace.name_size, trace.name,
                         report.place, report.expected, report.found);
                put_text(line);
                failures++;
            }
        }
        at += length + (at[length] == '\n');
    }
    return count;
}

int main(void)
{
    char line[200];
    timer_start();
    check(timer_is_right(), "the measure of instructions", "Scripts/firmware runs the emulator with -icount");
    curve_answers();
    cipher_answers();
    for (size_t i = 0; i < OPERATIONS; i++) {
        if (counts[i].units == 0) continue;
        snprintf(line, sizeof line, "operation %s: %llu instructions, %llu to %llu a call, stack %zu\n", names[i],
                 (unsigned long long)(counts[i].instructions / counts[i].units), (unsigned long long)counts[i].least,
                 (unsigned long long)counts[i].most, counts[i].depth);
        put_text(line);
        /* The scalars differ, but the number of instructions must not depend on them. */
        if (i == PUBLIC || i == MULTIPLY)
            check(counts[i].most - counts[i].least <= 8, "another number of instructions for another scalar", names[i]);
    }
    memset(counts, 0, sizeof counts);
    const unsigned played = play();
    uint64_t secret = 0;
    uint32_t calls = 0;
    for (size_t i = 0; i < OPERATIONS; i++) secret += counts[i].instructions, calls += counts[i].calls;
    snprintf(line, sizeof line, "taps: %u, %u secret operations with %llu instructions, %u wrong\n", played,
             (unsigned)calls, (unsigned long long)secret, failures);
    put_text(line);
    check(played != 0 && counts[PUBLIC].calls >= played && counts[DECRYPT].calls + counts[ENCRYPT].calls != 0,
          "the port was used", "taps");
    return failures != 0;
}
