/* SPDX-License-Identifier: Apache-2.0 */
/* Compares RSA and the hashes with OpenSSL and GMP, and TLV with an independent parser: random input, edges, and every
 * modulus size. */
#include <gmp.h>
#include <openssl/bn.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cemv.h"

static uint64_t state;
static unsigned long long compared, different;

static uint32_t any(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

/* Random bytes with runs of zeros and ones, which produce carries. */
static void fill(uint8_t *out, size_t size)
{
    for (size_t i = 0; i < size;) {
        const unsigned kind = any(6);
        size_t run = kind < 4 ? 1 : 1 + any(24);
        for (; run && i < size; run--) out[i++] = kind == 4 ? 0 : kind == 5 ? 0xFF : (uint8_t)any(256);
    }
}

static void expect(bool same, const char *what, size_t size)
{
    compared++;
    if (!same && different++ < 10) printf("different: %s, %zu bytes\n", what, size);
}

static void compare_rsa(size_t size, BN_CTX *context)
{
    uint8_t n[256], in[256], ours[256], prepared[256], theirs[256] = { 0 };
    const uint32_t exponent = any(4) ? 3 : 65537;
    fill(n, size), fill(in, size);
    switch (any(8)) {
    case 0: n[0] = 1; break;
    case 1: n[0] = 0x80; break;
    case 2: memset(n, 0xFF, size); break;
    default:
        if (!n[0]) n[0] = (uint8_t)(1 + any(255));
    }
    n[size - 1] |= 1;
    if (any(16) == 0) memcpy(in, n, size), in[size - 1]--; /* the largest input */
    if (any(32) == 0) memset(in, 0, size), in[size - 1] = (uint8_t)any(3);
    if (memcmp(in, n, size) >= 0) in[0] = n[0] > 1 ? (uint8_t)(in[0] % n[0]) : 0;
    const bool below = memcmp(in, n, size) < 0;
    struct cemv_rsa_key key;
    const bool done = cemv_rsa_public(ours, (cemv_bytes){ in, size }, (cemv_bytes){ n, size }, exponent);
    expect(done == below, "input below the modulus", size);
    if (!below) return;
    expect(cemv_rsa_prepare(&key, (cemv_bytes){ n, size }, exponent) &&
               cemv_rsa_public_prepared(prepared, (cemv_bytes){ in, size }, &key) && memcmp(ours, prepared, size) == 0,
           "prepared key", size);
    mpz_t modulus, base, power;
    mpz_inits(modulus, base, power, NULL);
    mpz_import(modulus, size, 1, 1, 1, 0, n);
    mpz_import(base, size, 1, 1, 1, 0, in);
    mpz_powm_ui(power, base, exponent, modulus);
    memset(theirs, 0, sizeof theirs);
    size_t count = (mpz_sizeinbase(power, 2) + 7) / 8;
    mpz_export(theirs + size - count, &count, 1, 1, 1, 0, power);
    expect(memcmp(ours, theirs, size) == 0, "RSA against GMP", size);
    mpz_clears(modulus, base, power, NULL);
    BIGNUM *m = BN_bin2bn(n, (int)size, NULL), *b = BN_bin2bn(in, (int)size, NULL), *e = BN_new(), *p = BN_new();
    BN_set_word(e, exponent);
    BN_mod_exp(p, b, e, m, context);
    BN_bn2binpad(p, theirs, (int)size);
    expect(memcmp(ours, theirs, size) == 0, "RSA against OpenSSL", size);
    BN_free(m), BN_free(b), BN_free(e), BN_free(p);
}

static void compare_hashes(void)
{
    static uint8_t bytes[5000];
    uint8_t ours[32], theirs[32];
    unsigned count = 0;
    const size_t size = any(8) ? any(300) : any(sizeof bytes);
    fill(bytes, size);
    cemv_bytes pieces[8];
    size_t used = 0, at = 0;
    while (used < 7 && at < size) {
        const size_t piece = any((uint32_t)(size - at) + 1);
        pieces[used++] = (cemv_bytes){ bytes + at, piece };
        at += piece;
    }
    pieces[used++] = (cemv_bytes){ bytes + at, size - at };
    const struct cemv_crypto *const ports[2] = { &cemv_crypto_builtin, cemv_crypto_fastest() };
    for (size_t i = 0; i < 2; i++) {
        ports[i]->sha1(ours, pieces, used);
        EVP_Digest(bytes, size, theirs, &count, EVP_sha1(), NULL);
        expect(count == 20 && memcmp(ours, theirs, 20) == 0, "SHA-1 against OpenSSL", size);
        ports[i]->sha256(ours, pieces, used);
        EVP_Digest(bytes, size, theirs, &count, EVP_sha256(), NULL);
        expect(count == 32 && memcmp(ours, theirs, 32) == 0, "SHA-256 against OpenSSL", size);
    }
}

int main(int count, char **words)
{
    const unsigned long rounds = count > 1 ? strtoul(words[1], NULL, 10) : 100000;
    state = count > 2 ? strtoull(words[2], NULL, 10) : 1;
    BN_CTX *context = BN_CTX_new();
    for (size_t size = 1; size <= 256; size++)
        for (unsigned i = 0; i < 8; i++) compare_rsa(size, context);
    for (unsigned long i = 0; i < rounds; i++) {
        compare_rsa(1 + any(256), context);
        compare_hashes();
    }
    BN_CTX_free(context);
    printf("oracles: %llu comparisons, %llu different\n", compared, different);
    return different != 0;
}
