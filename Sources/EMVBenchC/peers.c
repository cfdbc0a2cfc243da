/* SPDX-License-Identifier: Apache-2.0 */
/* These operations by other libraries, measured in the same run if they are installed. They are opened at run time, so
 * the build does not need them. Each is called as its users would: a Montgomery context is kept if the library has one,
 * numbers are read beforehand (GMP, OpenSSL) or bytes given each time (BearSSL). */
#define _POSIX_C_SOURCE 200809L

#include "include/emv_bench.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

/* NULL if the library or the function is missing. */
static void *open_library(const char *const *names)
{
    void *library = NULL;
    for (; *names && !library; names++) library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return library;
}

/* A function from a library, without the conversion that ISO C does not allow. */
static bool find(void *library, const char *name, void *function)
{
    void *const symbol = library ? dlsym(library, name) : NULL;
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* ---- GMP ---- */

struct mpz {
    int allocated, size;
    void *limbs;
};
static struct {
    bool ready; /* the operations of a library share its opened handles */
    void (*init)(struct mpz *), (*import)(struct mpz *, size_t, int, size_t, int, size_t, const void *);
    void (*powm_ui)(struct mpz *, const struct mpz *, unsigned long, const struct mpz *);
    struct mpz base, modulus, result;
} gmp;

static bool open_gmp(const struct peer_input *input)
{
    if (gmp.ready) return true;
    static const char *const names[] = { "libgmp.so.10", "libgmp.dylib", NULL };
    void *const library = open_library(names);
    if (!find(library, "__gmpz_init", &gmp.init) || !find(library, "__gmpz_import", &gmp.import) ||
        !find(library, "__gmpz_powm_ui", &gmp.powm_ui))
        return false;
    gmp.init(&gmp.base);
    gmp.init(&gmp.modulus);
    gmp.init(&gmp.result);
    gmp.import(&gmp.base, input->size, 1, 1, 1, 0, input->signature);
    gmp.import(&gmp.modulus, input->size, 1, 1, 1, 0, input->modulus);
    return gmp.ready = true;
}

static bool gmp_rsa_3(const struct peer_input *input)
{
    (void)input;
    gmp.powm_ui(&gmp.result, &gmp.base, 3, &gmp.modulus);
    return true;
}

static bool gmp_rsa_65537(const struct peer_input *input)
{
    (void)input;
    gmp.powm_ui(&gmp.result, &gmp.base, 65537, &gmp.modulus);
    return true;
}

/* ---- OpenSSL ---- */

static struct {
    bool ready;
    void *(*bn_new)(void), *(*ctx_new)(void), *(*mont_new)(void), *(*read)(const uint8_t *, int, void *);
    int (*mont_set)(void *, const void *, void *), (*set_word)(void *, unsigned long);
    int (*exponentiate)(void *, const void *, const void *, const void *, void *, void *);
    unsigned char *(*sha1)(const unsigned char *, size_t, unsigned char *),
        *(*sha256)(const unsigned char *, size_t, unsigned char *);
    void *context, *montgomery, *base, *modulus, *three, *fermat, *result;
} ssl;

static bool open_ssl(const struct peer_input *input)
{
    if (ssl.ready) return true;
    static const char *const names[] = { "libcrypto.so.3", "libcrypto.so.1.1", NULL };
    void *const library = open_library(names);
    if (!find(library, "BN_new", &ssl.bn_new) || !find(library, "BN_CTX_new", &ssl.ctx_new) ||
        !find(library, "BN_MONT_CTX_new", &ssl.mont_new) || !find(library, "BN_bin2bn", &ssl.read) ||
        !find(library, "BN_MONT_CTX_set", &ssl.mont_set) || !find(library, "BN_set_word", &ssl.set_word) ||
        !find(library, "BN_mod_exp_mont", &ssl.exponentiate) || !find(library, "SHA1", &ssl.sha1) ||
        !find(library, "SHA256", &ssl.sha256))
        return false;
    ssl.context = ssl.ctx_new();
    ssl.montgomery = ssl.mont_new();
    ssl.base = ssl.read(input->signature, (int)input->size, NULL);
    ssl.modulus = ssl.read(input->modulus, (int)input->size, NULL);
    ssl.three = ssl.bn_new();
    ssl.fermat = ssl.bn_new();
    ssl.result = ssl.bn_new();
    if (!ssl.context || !ssl.montgomery || !ssl.base || !ssl.modulus || !ssl.three || !ssl.fermat || !ssl.result)
        return false;
    return ssl.ready = ssl.set_word(ssl.three, 3) && ssl.set_word(ssl.fermat, 65537) &&
                       ssl.mont_set(ssl.montgomery, ssl.modulus, ssl.context);
}

static bool ssl_rsa_3(const struct peer_input *input)
{
    (void)input;
    return ssl.exponentiate(ssl.result, ssl.base, ssl.three, ssl.modulus, ssl.context, ssl.montgomery) == 1;
}

static bool ssl_rsa_65537(const struct peer_input *input)
{
    (void)input;
    return ssl.exponentiate(ssl.result, ssl.base, ssl.fermat, ssl.modulus, ssl.context, ssl.montgomery) == 1;
}

static bool ssl_sha1(const struct peer_input *input)
{
    unsigned char digest[20];
    return ssl.sha1(input->message, input->message_size, digest) != NULL;
}

static bool ssl_sha256(const struct peer_input *input)
{
    unsigned char digest[32];
    return ssl.sha256(input->message, input->message_size, digest) != NULL;
}

/* ---- BearSSL ---- */

struct br_key {
    unsigned char *n;
    size_t n_size;
    unsigned char *e;
    size_t e_size;
};
static struct {
    uint32_t (*rsa)(unsigned char *, size_t, const struct br_key *);
    void (*sha1_init)(void *), (*sha1_update)(void *, const void *, size_t), (*sha1_out)(const void *, void *);
    void (*sha256_init)(void *), (*sha256_update)(void *, const void *, size_t), (*sha256_out)(const void *, void *);
    unsigned char modulus[256];
} bear;

static bool open_bear(const struct peer_input *input)
{
    static const char *const names[] = { "libbearssl.so.0", "libbearssl.so.6", "libbearssl.so", NULL };
    void *const library = open_library(names);
    if (!find(library, "br_rsa_i62_public", &bear.rsa) || !find(library, "br_sha1_init", &bear.sha1_init) ||
        !find(library, "br_sha1_update", &bear.sha1_update) || !find(library, "br_sha1_out", &bear.sha1_out) ||
        !find(library, "br_sha256_init", &bear.sha256_init) ||
        !find(library, "br_sha224_update", &bear.sha256_update) || !find(library, "br_sha256_out", &bear.sha256_out) ||
        input->size > sizeof bear.modulus)
        return false;
    memcpy(bear.modulus, input->modulus, input->size);
    return true;
}

static bool bear_rsa(const struct peer_input *input, unsigned char *exponent, size_t size)
{
    unsigned char x[256];
    const struct br_key key = { bear.modulus, input->size, exponent, size };
    memcpy(x, input->signature, input->size);
    return bear.rsa(x, input->size, &key) == 1;
}

static bool bear_rsa_3(const struct peer_input *input)
{
    unsigned char exponent[] = { 3 };
    return bear_rsa(input, exponent, sizeof exponent);
}

static bool bear_rsa_65537(const struct peer_input *input)
{
    unsigned char exponent[] = { 1, 0, 1 };
    return bear_rsa(input, exponent, sizeof exponent);
}

static bool bear_sha1(const struct peer_input *input)
{
    uint64_t context[64], digest[4];
    bear.sha1_init(context);
    bear.sha1_update(context, input->message, input->message_size);
    bear.sha1_out(context, digest);
    return true;
}

static bool bear_sha256(const struct peer_input *input)
{
    uint64_t context[64], digest[4];
    bear.sha256_init(context);
    bear.sha256_update(context, input->message, input->message_size);
    bear.sha256_out(context, digest);
    return true;
}

/* ---- the table ---- */

static const struct {
    const char *library, *operation;
    bool (*open)(const struct peer_input *);
    bool (*run)(const struct peer_input *);
} peers[] = {
    { "GMP", "rsa-1984-e3", open_gmp, gmp_rsa_3 },       { "GMP", "rsa-1984-e65537", open_gmp, gmp_rsa_65537 },
    { "OpenSSL", "rsa-1984-e3", open_ssl, ssl_rsa_3 },   { "OpenSSL", "rsa-1984-e65537", open_ssl, ssl_rsa_65537 },
    { "OpenSSL", "sha1-256", open_ssl, ssl_sha1 },       { "OpenSSL", "sha256-256", open_ssl, ssl_sha256 },
    { "BearSSL", "rsa-1984-e3", open_bear, bear_rsa_3 }, { "BearSSL", "rsa-1984-e65537", open_bear, bear_rsa_65537 },
    { "BearSSL", "sha1-256", open_bear, bear_sha1 },     { "BearSSL", "sha256-256", open_bear, bear_sha256 },
};

size_t emv_bench_peer_count(void) { return sizeof peers / sizeof peers[0]; }
const char *emv_bench_peer_library(size_t index) { return index < emv_bench_peer_count() ? peers[index].library : ""; }
const char *emv_bench_peer_operation(size_t index)
{
    return index < emv_bench_peer_count() ? peers[index].operation : "";
}

static uint64_t batch(size_t index, const struct peer_input *input, uint64_t rounds)
{
    bool good = true;
    const uint64_t begin = emv_bench_now();
    for (uint64_t i = 0; i < rounds; i++) good &= peers[index].run(input);
    const uint64_t took = emv_bench_now() - begin;
    return good ? took + (took == 0) : 0;
}

double emv_bench_peer_run(size_t index, uint32_t budget_ms)
{
    static enum { UNKNOWN, THERE, MISSING } found[sizeof peers / sizeof peers[0]];
    const struct peer_input input = peer_input();
    if (index >= emv_bench_peer_count()) return -1;
    if (found[index] == UNKNOWN) found[index] = peers[index].open(&input) ? THERE : MISSING;
    if (found[index] == MISSING) return -1;
    const uint64_t first = batch(index, &input, 16);
    if (first == 0) return -1;
    const uint64_t rounds = 1 + 200000u * 16u / first;
    double best = -1;
    const uint64_t end = emv_bench_now() + (uint64_t)budget_ms * 1000000u;
    do {
        const uint64_t took = batch(index, &input, rounds);
        const double each = (double)took / (double)rounds;
        if (best < 0 || each < best) best = each;
    } while (emv_bench_now() < end);
    return best;
}
