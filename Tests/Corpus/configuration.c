/* SPDX-License-Identifier: Apache-2.0 */
/* Converts a trace's configuration for CEMV. Names, ranges and defaults are those of emv-configuration/1. */
#include "reading.h"

#include "../../Sources/CEMV/include/cemv_kernel_4.h"
#include "../../Sources/CEMV/include/cemv_kernel_5.h"
#include "../../Sources/CEMV/include/cemv_kernel_6.h"

#include <stdio.h>
#include <string.h>

#include "../../Sources/CEMV/include/cemv_kernel_7.h"
#include "../../Sources/CEMV/include/cemv_kernel_8.h"
#include "../Secrets/secrets.h"

static const uint64_t no_limit = 999999999999;

enum { FIRST_BOOK = 2, LAST_BOOK = 8 }; /* Books C-2 to C-8 */

static struct cemv_limits limits(struct reading *r, const struct json *node)
{
    static const char *const names[] = { "transaction",      "floor", "terminalFloor", "cvmRequired",
                                         "cdcvmTransaction", NULL };
    struct cemv_limits result = { 0 };
    if (!node || !read_only(r, node, "limits", names)) return result;
    for (uint8_t i = 0; names[i]; i++) {
        if (!json_member(node, names[i])) continue;
        result.amount[i] = read_integer(r, node, names[i], no_limit, 0);
        result.present |= (uint8_t)(1u << i);
    }
    return result;
}

static struct cemv_protection protection(struct reading *r, const struct json *node)
{
    static const char *const names[] = { "profile",
                                         "legacyMode",
                                         "kernelFallback",
                                         "cdcvmTrust",
                                         "unsolicitedSdad",
                                         "odaTamper",
                                         "cidMismatch",
                                         "brandCheck",
                                         "expiryMismatch",
                                         "luhn",
                                         "offline",
                                         "allowTestKeys",
                                         "minCaBits",
                                         "maxTaps",
                                         "maxRecords",
                                         "magStripeMode",
                                         "minUnDigits",
                                         "torn",
                                         "tornLifetime_s",
                                         "relay",
                                         "relay.maxCardTime_ms",
                                         "relay.latency_us",
                                         NULL };
    static const struct choice profiles[] = { { "", CEMV_PROFILE_GUARDED },
                                              { "guarded", CEMV_PROFILE_GUARDED },
                                              { "book", CEMV_PROFILE_BOOK },
                                              { "strict", CEMV_PROFILE_STRICT },
                                              { NULL, 0 } };
    static const struct choice trusts[] = { { "", 0 },
                                            { "book", CEMV_CDCVM_BOOK },
                                            { "verifyIfPresent", CEMV_CDCVM_VERIFY_IF_PRESENT },
                                            { "authenticated", CEMV_CDCVM_AUTHENTICATED },
                                            { NULL, 0 } };
    static const struct choice rules[] = { { "", 0 },
                                           { "off", CEMV_RULE_OFF },
                                           { "ignore", CEMV_RULE_OFF },
                                           { "book", CEMV_RULE_REPORT },
                                           { "report", CEMV_RULE_REPORT },
                                           { "verify", CEMV_RULE_ENFORCE },
                                           { "decline", CEMV_RULE_ENFORCE },
                                           { "end", CEMV_RULE_ENFORCE },
                                           { "dynamicOda", CEMV_RULE_ENFORCE },
                                           { "configured", CEMV_RULE_ENFORCE },
                                           { NULL, 0 } };
    static const struct choice torn[] = { { "", 0 },
                                          { "off", CEMV_TORN_OFF },
                                          { "book", CEMV_TORN_BOOK },
                                          { "sameAmount", CEMV_TORN_SAME_SALE },
                                          { NULL, 0 } };
    static const struct choice relay[] = { { "", 0 },
                                           { "off", CEMV_RELAY_OFF },
                                           { "book", CEMV_RELAY_BOOK },
                                           { "decline", CEMV_RELAY_DECLINE },
                                           { "requireRrp", CEMV_RELAY_REQUIRED },
                                           { NULL, 0 } };
    static const struct choice fallback[] = {
        { "", 0 }, { "report", CEMV_RULE_REPORT }, { "refuse", CEMV_RULE_ENFORCE }, { NULL, 0 }
    };
    static const struct choice legacy[] = { { "", 0 }, { "off", CEMV_RULE_OFF }, { "configured", 0 }, { NULL, 0 } };
    struct cemv_protection p = { 0 };
    if (!node || !read_only(r, node, "protection", names)) return p;
    p.legacy = read_choice(r, node, "legacyMode", legacy);
    p.kernel_fallback = read_choice(r, node, "kernelFallback", fallback);
    p.profile = read_choice(r, node, "profile", profiles);
    p.cdcvm_trust = read_choice(r, node, "cdcvmTrust", trusts);
    p.unsolicited_sdad = read_choice(r, node, "unsolicitedSdad", rules);
    p.oda_tamper = read_choice(r, node, "odaTamper", rules);
    p.cid_mismatch = read_choice(r, node, "cidMismatch", rules);
    p.brand_check = read_choice(r, node, "brandCheck", rules);
    p.expiry_mismatch = read_choice(r, node, "expiryMismatch", rules);
    p.luhn = read_choice(r, node, "luhn", rules);
    p.offline = read_choice(r, node, "offline", rules);
    p.allow_test_keys = read_truth(r, node, "allowTestKeys", false);
    p.min_ca_bits = (uint16_t)read_integer(r, node, "minCaBits", 2048, 0);
    p.max_taps = (uint8_t)read_integer(r, node, "maxTaps", 255, 0);
    p.max_records = (uint8_t)read_integer(r, node, "maxRecords", 64, 0);
    p.magstripe = read_choice(r, node, "magStripeMode", rules);
    p.min_number_digits = (uint8_t)read_integer(r, node, "minUnDigits", 8, 0);
    p.torn = read_choice(r, node, "torn", torn);
    p.torn_lifetime_s = (uint16_t)read_integer(r, node, "tornLifetime_s", 65535, 0);
    p.relay = read_choice(r, node, "relay", relay);
    p.relay_max_card_ms = (uint8_t)read_integer(r, node, "relay.maxCardTime_ms", 255, 0);
    p.relay_latency_us = (uint32_t)read_integer(r, node, "relay.latency_us", 1000000, 0);
    return p;
}

/* Kernel 2's limits are its own data objects, checked with amount > limit; an absent one is the highest amount. */
static cemv_bytes with_kernel_2_limits(struct reading *r, const struct json *limits_node, const struct json *data_node,
                                       cemv_bytes data)
{
    static const struct {
        const char *name, *tag;
        uint8_t last;
    } own[] = { { "floor", "DF8123", 0x23 },
                { "transaction", "DF8124", 0x24 },
                { "cdcvmTransaction", "DF8125", 0x25 },
                { "cvmRequired", "DF8126", 0x26 } };
    uint8_t *out = read_room(r, data.size + 4 * 10);
    if (!out) return data;
    if (data.size) memcpy(out, data.data, data.size);
    for (size_t i = 0; i < 4; i++) {
        const bool given = json_member(limits_node, own[i].name) != NULL,
                   has_data = json_member(data_node, own[i].tag) != NULL;
        if (given && has_data) read_expected(r, "limits", "a limit here or in data, not in both");
        if (has_data) continue;
        uint64_t limit = read_integer(r, limits_node, own[i].name, no_limit, no_limit);
        uint8_t *object = out + data.size;
        memcpy(object, (const uint8_t[]){ 0xDF, 0x81, own[i].last, 6 }, 4);
        for (size_t digit = 6; digit--; limit /= 100) object[4 + digit] = (uint8_t)(limit % 10 | limit / 10 % 10 << 4);
        data.size += 10;
    }
    return (cemv_bytes){ out, data.size };
}

/* Kernel 8's floor and CVM limit are its own data objects, checked with amount > limit; absent ones get its defaults.
 */
static cemv_bytes with_kernel_8_limits(struct reading *r, const struct json *limits_node, const struct json *data_node,
                                       cemv_bytes data)
{
    static const struct {
        const char *name, *tag;
        uint8_t last;
    } own[] = { { "floor", "9F820D", 0x0D }, { "cvmRequired", "9F820E", 0x0E } };
    uint8_t *out = read_room(r, data.size + 2 * 10);
    if (!out) return data;
    if (data.size) memcpy(out, data.data, data.size);
    for (size_t i = 0; i < 2; i++) {
        if (!json_member(limits_node, own[i].name)) continue;
        if (json_member(data_node, own[i].tag)) read_expected(r, "limits", "a limit here or in data, not in both");
        uint64_t limit = read_integer(r, limits_node, own[i].name, no_limit, 0);
        uint8_t *object = out + data.size;
        memcpy(object, (const uint8_t[]){ 0x9F, 0x82, own[i].last, 6 }, 4);
        for (size_t digit = 6; digit--; limit /= 100) object[4 + digit] = (uint8_t)(limit % 10 | limit / 10 % 10 << 4);
        data.size += 10;
    }
    return (cemv_bytes){ out, data.size };
}

static uint8_t zero_amount(struct reading *r, const struct json *node)
{
    static const struct choice words[] = { { "", CEMV_ZERO_AMOUNT_ONLINE },
                                           { "online", CEMV_ZERO_AMOUNT_ONLINE },
                                           { "notAllowed", CEMV_ZERO_AMOUNT_NOT_ALLOWED },
                                           { "offlineAllowed", CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED },
                                           { NULL, 0 } };
    return read_choice(r, node, "zeroAmount", words);
}

static void dynamic_limits(struct reading *r, const struct json *list, struct cemv_kernel_3_options *options)
{
    static const char *const names[] = { "program", "limits", "zeroAmount", "statusCheck", NULL };
    if (list && list->kind != JSON_ARRAY) read_expected(r, "dynamicLimits", "a list");
    struct cemv_dynamic_limit *rows = read_room(r, read_length(list) * sizeof *rows);
    for (const struct json *node = list ? list->first : NULL;
         node && rows && read_only(r, node, "dynamicLimits", names); node = node->next) {
        rows[options->dynamic_limit_count++] = (struct cemv_dynamic_limit){
            .program = read_hex(r, json_member(node, "program"), "program", 1, 16),
            .limits = limits(r, json_member(node, "limits")),
            .zero_amount = zero_amount(r, node),
            .status_check = read_truth(r, node, "statusCheck", false),
        };
    }
    options->dynamic_limits = rows;
}

/* These are among the common keys, but only Kernel 3 uses them. */
static const void *kernel_3_options(struct reading *r, const struct json *node)
{
    struct cemv_kernel_3_options *options = read_room(r, sizeof *options);
    if (!options) return NULL;
    *options = (struct cemv_kernel_3_options){ .usage_control_off = !read_truth(r, node, "usageControl", true) };
    dynamic_limits(r, json_member(node, "dynamicLimits"), options);
    return options;
}

/* Kernel 5's limits are among its own options, and so are the two objects without a tag. */
static const char *const no_tags[] = { "DF83", "DF84", NULL };
static const void *with_kernel_5(struct reading *r, const struct json *node, const void *given)
{
    struct cemv_kernel_5_options *options = read_room(r, sizeof *options);
    const struct json *data = json_member(node, "data");
    if (!options) return NULL;
    if (given) memcpy(options, given, sizeof *options);
    options->limits = limits(r, json_member(node, "limits"));
    for (size_t i = 0; data && no_tags[i]; i++) {
        const char *const name = no_tags[i];
        uint8_t *const out = i == 0 ? options->transit_agent : options->transit_data;
        const size_t size = i == 0 ? sizeof options->transit_agent : sizeof options->transit_data;
        if (!json_member(data, name)) continue;
        const cemv_bytes value = read_hex(r, json_member(data, name), name, size, size);
        if (value.size == size) memcpy(out, value.data, size);
    }
    return options;
}

/* The currency of the limits is only checked: the core compares minor units. */
static void stated_currency(struct reading *r, const struct json *node)
{
    const struct json *stated = json_member(node, "currency");
    const cemv_bytes code = stated ? read_hex(r, stated, "currency", 2, 2) : (cemv_bytes){ NULL, 0 };
    for (size_t at = 0; at < 2 * code.size; at++)
        if ((at % 2 ? code.data[at / 2] & 0xF : code.data[at / 2] >> 4) > 9)
            read_expected(r, "currency", "four digits of ISO 4217");
}

static void combination(struct reading *r, const struct json *node, struct cemv_combination *c)
{
    static const char *const names[] = { "aid",      "kernel",  "kernelId",     "name",          "transactionTypes",
                                         "currency", "limits",  "statusCheck",  "zeroAmount",    "extendedSelection",
                                         "ttq",      "data",    "usageControl", "dynamicLimits", "protection",
                                         "kernel4",  "kernel5", "kernel6",      "kernel7",       "kernel8",
                                         NULL };
    if (!read_only(r, node, "combinations", names)) return;
    const struct json *id = json_member(node, "kernelId"), *own = json_member(node, "limits"),
                      *data = json_member(node, "data");
    if (own && own->kind != JSON_OBJECT) read_expected(r, "limits", "an object");
    c->aid = read_hex(r, json_member(node, "aid"), "aid", 5, 16);
    if (id) {
        const cemv_bytes bytes = read_hex(r, id, "kernelId", 1, 8);
        c->kernel_id_size = (uint8_t)bytes.size;
        if (bytes.size) memcpy(c->kernel_id, bytes.data, bytes.size);
    } else {
        c->kernel_id[0] = (uint8_t)read_integer(r, node, "kernel", 255, 0);
        c->kernel_id_size = 1;
    }
    if ((id != NULL) == (json_member(node, "kernel") != NULL) || (!id && c->kernel_id[0] == 0))
        read_expected(r, "kernel", "kernel or kernelId");
    const struct json *types = json_member(node, "transactionTypes");
    if (types && types->kind != JSON_ARRAY) read_expected(r, "transactionTypes", "a list");
    if (json_member(node, "name") && json_member(node, "name")->kind != JSON_STRING) read_expected(r, "name", "text");
    uint8_t *list = read_room(r, read_length(types));
    size_t count = 0;
    for (const struct json *type = types ? types->first : NULL; type && list; type = type->next) {
        const cemv_bytes one = read_hex(r, type, "transactionTypes", 1, 1);
        if (one.size) list[count++] = one.data[0];
    }
    c->transaction_types = (cemv_bytes){ list, count };
    stated_currency(r, node);
    c->extended_selection = read_truth(r, node, "extendedSelection", false);
    c->status_check = read_truth(r, node, "statusCheck", false);
    c->zero_amount = zero_amount(r, node);
    if (json_member(node, "ttq")) c->ttq = read_hex(r, json_member(node, "ttq"), "ttq", 4, 4);
    const bool is_8 = c->kernel_id_size == 1 && c->kernel_id[0] == 8;
    const bool is_5 = c->kernel_id_size == 1 && c->kernel_id[0] == 5;
    c->data = read_objects_but(r, data, "data", false, is_5 ? no_tags : NULL);
    if (c->kernel_id_size == 1 && c->kernel_id[0] == 2) c->data = with_kernel_2_limits(r, own, data, c->data);
    else if (!is_5) c->limits = limits(r, own);
    if (is_8) {
        c->data = with_kernel_8_limits(r, own, data, c->data);
        c->limits.present &= (uint8_t) ~(1u << CEMV_LIMIT_FLOOR | 1u << CEMV_LIMIT_CVM_REQUIRED);
    }
    const void *visa = kernel_3_options(r, node);
    c->options = read_options(r, node, c->kernel_id, c->kernel_id_size);
    if (c->kernel_id_size == 1 && c->kernel_id[0] == 3) c->options = visa;
    if (is_5) c->options = with_kernel_5(r, node, c->options);
    c->own_protection = json_member(node, "protection") != NULL;
    c->protection = protection(r, json_member(node, "protection"));
}

static void curve_key(struct reading *r, const struct json *node, struct cemv_curve_key *key)
{
    static const char *const names[] = { "rid", "index", "suite", "x", "y", "sha256", "expires", "test", NULL };
    if (!read_only(r, node, "caKeys", names)) return;
    const cemv_bytes rid = read_hex(r, json_member(node, "rid"), "rid", 5, 5),
                     index = read_hex(r, json_member(node, "index"), "index", 1, 1),
                     suite = read_hex(r, json_member(node, "suite"), "suite", 1, 1);
    key->x = read_hex(r, json_member(node, "x"), "x", 1, 66);
    key->y = read_hex(r, json_member(node, "y"), "y", 1, 66);
    if (json_member(node, "sha256")) key->sha256 = read_hex(r, json_member(node, "sha256"), "sha256", 32, 32);
    if (json_member(node, "expires")) read_date(r, json_member(node, "expires"), "expires", key->expires);
    key->test = read_truth(r, node, "test", false);
    if (r->bad) return;
    memcpy(key->rid, rid.data, 5);
    key->index = index.data[0];
    key->suite = suite.data[0];
}

static void ca_key(struct reading *r, const struct json *node, struct cemv_ca_key *key)
{
    static const char *const names[] = { "rid",  "index",   "exponent", "modulus", "hashAlgorithm",
                                         "sha1", "expires", "test",     NULL };
    if (!read_only(r, node, "caKeys", names)) return;
    const struct json *algorithm = json_member(node, "hashAlgorithm");
    if (algorithm && !json_is(algorithm, "01")) read_expected(r, "hashAlgorithm", "01");
    const cemv_bytes rid = read_hex(r, json_member(node, "rid"), "rid", 5, 5),
                     index = read_hex(r, json_member(node, "index"), "index", 1, 1),
                     exponent = read_hex(r, json_member(node, "exponent"), "exponent", 1, 4);
    if (r->bad) return;
    memcpy(key->rid, rid.data, 5);
    key->index = index.data[0];
    for (size_t i = 0; i < exponent.size; i++) key->exponent = key->exponent << 8 | exponent.data[i];
    key->modulus = read_hex(r, json_member(node, "modulus"), "modulus", 1, 256);
    if (json_member(node, "sha1")) key->sha1 = read_hex(r, json_member(node, "sha1"), "sha1", 20, 20);
    if (json_member(node, "expires")) read_date(r, json_member(node, "expires"), "expires", key->expires);
    key->test = read_truth(r, node, "test", false);
}

static void revocation(struct reading *r, const struct json *node, struct cemv_revocation *row)
{
    static const char *const names[] = { "rid", "index", "serial", NULL };
    if (!read_only(r, node, "revoked", names)) return;
    const cemv_bytes rid = read_hex(r, json_member(node, "rid"), "rid", 5, 5),
                     index = read_hex(r, json_member(node, "index"), "index", 1, 1),
                     serial = read_hex(r, json_member(node, "serial"), "serial", 3, 3);
    if (r->bad) return;
    memcpy(row->rid, rid.data, 5);
    row->index = index.data[0];
    memcpy(row->serial, serial.data, 3);
}

static void exception(struct reading *r, const struct json *node, struct cemv_exception *row)
{
    static const char *const names[] = { "pan", "sequence", NULL };
    char digits[21];
    if (!read_only(r, node, "exceptions", names)) return;
    const struct json *pan = json_member(node, "pan"), *sequence = json_member(node, "sequence");
    if (!pan || pan->kind != JSON_STRING || pan->size < 7 || pan->size > 20) {
        read_expected(r, "pan", "the digits of an account number");
        return;
    }
    memcpy(digits, pan->text, pan->size);
    digits[pan->size] = 'F';
    const struct json padded = { .kind = JSON_STRING, .text = digits, .size = pan->size + pan->size % 2 };
    row->pan = read_hex(r, &padded, "pan", 4, 10);
    row->any_sequence = sequence == NULL;
    if (sequence) {
        const cemv_bytes one = read_hex(r, sequence, "sequence", 1, 1);
        if (one.size) row->sequence = one.data[0];
    }
}

static void read_ca_keys(struct reading *r, const struct json *list, struct cemv_configuration *configuration)
{
    if (list && list->kind != JSON_ARRAY) read_expected(r, "caKeys", "a list");
    struct cemv_ca_key *rows = read_room(r, read_length(list) * sizeof *rows);
    struct cemv_curve_key *curve_rows = read_room(r, read_length(list) * sizeof *curve_rows);
    for (const struct json *row = list ? list->first : NULL; row && rows && curve_rows && !r->bad; row = row->next) {
        if (json_member(row, "suite")) curve_key(r, row, &curve_rows[configuration->curve_key_count++]);
        else ca_key(r, row, &rows[configuration->ca_key_count++]);
    }
    configuration->ca_keys = rows;
    configuration->curve_keys = curve_rows;
}

#define ROWS(type, field, count_field, name, read)                                                                     \
    do {                                                                                                               \
        const struct json *list = json_member(node, name);                                                             \
        if (list && list->kind != JSON_ARRAY) read_expected(r, name, "a list");                                        \
        struct type *rows = read_room(r, read_length(list) * sizeof *rows);                                            \
        for (const struct json *row = list ? list->first : NULL; row && rows && !r->bad; row = row->next)              \
            read(r, row, &rows[configuration.count_field++]);                                                          \
        configuration.field = rows;                                                                                    \
    } while (0)

/* The kernels that are built. */
static const struct cemv_kernel_row kernels[] = {
#ifdef CORPUS_KERNEL /* Scripts/kernel-modules */
#define MODULE_OF(number) &cemv_kernel_##number
#define MODULE(number)    MODULE_OF(number)
    { { CORPUS_KERNEL }, 1, MODULE(CORPUS_KERNEL), NULL }
#else
    { { 2 }, 1, &cemv_kernel_2, NULL }, { { 3 }, 1, &cemv_kernel_3, NULL }, { { 4 }, 1, &cemv_kernel_4, NULL },
    { { 5 }, 1, &cemv_kernel_5, NULL }, { { 6 }, 1, &cemv_kernel_6, NULL }, { { 7 }, 1, &cemv_kernel_7, NULL },
    { { 8 }, 1, &cemv_kernel_8, NULL }
#endif
};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

const struct cemv_kernel_row *corpus_kernels(size_t *count)
{
    *count = KERNELS;
    return kernels;
}

/* A number of one byte without a row; 0: all have one. */
unsigned corpus_missing_kernel(const struct corpus_trace *trace)
{
    const struct json *list = json_member(trace->configuration, "combinations");
    for (const struct json *node = list && list->kind == JSON_ARRAY ? list->first : NULL; node; node = node->next) {
        const struct json *kernel = node->kind == JSON_OBJECT ? json_member(node, "kernel") : NULL;
        uint64_t number;
        size_t i = 0;
        if (!kernel || !json_integer(kernel, &number) || number < FIRST_BOOK || number > LAST_BOOK) continue;
        while (i < KERNELS && kernels[i].id[0] != number) i++;
        if (i == KERNELS) return (unsigned)number;
    }
    return 0;
}

static struct cemv_configuration rows_of(struct reading *r, const struct json *node)
{
    static const char *const names[] = { "format",     "terminal", "combinations", "caKeys",    "revoked", "exceptions",
                                         "protection", "autorun",  "version",      "validFrom", NULL };
    static const char *const autorun_names[] = { "type", "amount", NULL };
    const struct json *autorun = json_member(node, "autorun"), *version = json_member(node, "version"),
                      *format = json_member(node, "format");
    static struct cemv_crypto crypto;
    crypto = test_crypto();
    struct cemv_configuration configuration = { .kernels = kernels, .kernel_count = KERNELS, .crypto = &crypto };
    uint8_t date[3];
    if (!read_only(r, node, "configuration", names)) return configuration;
    if (format && !json_is(format, "emv-configuration/1")) read_expected(r, "format", "emv-configuration/1");
    if (version && version->kind != JSON_STRING) read_expected(r, "version", "text");
    if (json_member(node, "validFrom")) read_date(r, json_member(node, "validFrom"), "validFrom", date);
    if (autorun && read_only(r, autorun, "autorun", autorun_names)) {
        if (!json_member(autorun, "amount")) read_expected(r, "autorun", "an amount");
        (void)read_integer(r, autorun, "amount", no_limit, 0);
        if (json_member(autorun, "type")) (void)read_hex(r, json_member(autorun, "type"), "type", 1, 1);
    }
    configuration.terminal_data = read_objects(r, json_member(node, "terminal"), "terminal", false);
    ROWS(cemv_combination, combinations, combination_count, "combinations", combination);
    read_ca_keys(r, json_member(node, "caKeys"), &configuration);
    ROWS(cemv_revocation, revocations, revocation_count, "revoked", revocation);
    ROWS(cemv_exception, exceptions, exception_count, "exceptions", exception);
    configuration.protection = protection(r, json_member(node, "protection"));
    return configuration;
}

bool corpus_read_configuration(const struct corpus_trace *trace, struct corpus_arena *arena, char *error)
{
    struct reading r = { arena, error, false };
    (void)rows_of(&r, trace->configuration);
    return !r.bad;
}

const struct cemv_checked *corpus_configure(const struct corpus_trace *trace, struct corpus_arena *arena,
                                            char *error_text, struct cemv_configuration *given)
{
    struct reading r = { arena, error_text, false };
    const struct cemv_configuration configuration = rows_of(&r, trace->configuration);
    const struct cemv_checked *checked = NULL;
    struct cemv_config_error error;
    if (r.bad) return NULL;
    if (given) *given = configuration;
    const size_t size = cemv_checked_size(&configuration);
    void *memory = read_room(&r, size);
    if (!memory) return NULL;
    const enum cemv_status status = cemv_configuration_check(&configuration, memory, size, &checked, &error);
    if (status == CEMV_OK) return checked;
    snprintf(error_text, 200, "configuration: status %d, section %u, row %u, field %u", (int)status, error.section,
             (unsigned)error.row, error.field);
    return NULL;
}
