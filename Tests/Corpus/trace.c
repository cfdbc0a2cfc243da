/* Reading a trace: configuration, transaction, items. Names, ranges and defaults are those of emv-configuration/1 and emv-trace/1. */
#include "corpus.h"

#include <stdio.h>
#include <string.h>

enum { MAX_NODES = 20000, ERROR_SIZE = 200 };

static const uint64_t no_limit = 999999999999;

struct reading {
    struct corpus_arena *arena;
    char *error;
    bool bad;
};

void *corpus_room(struct corpus_arena *arena, size_t size)
{
    const size_t start = (arena->used + CEMV_ALIGNMENT - 1) / CEMV_ALIGNMENT * CEMV_ALIGNMENT;
    if (start > arena->size || size > arena->size - start) return NULL;
    arena->used = start + size;
    return memset(arena->bytes + start, 0, size);
}

static void *room(struct reading *r, size_t size)
{
    void *place = corpus_room(r->arena, size ? size : 1);
    if (!place && !r->bad) r->bad = true, snprintf(r->error, ERROR_SIZE, "expected a shorter trace");
    return place;
}

/* Never a value: what a trace holds may be an account number. */
static bool expected(struct reading *r, const char *place, const char *what)
{
    if (!r->bad) snprintf(r->error, ERROR_SIZE, "%s: expected %s", place, what);
    r->bad = true;
    return false;
}

static bool only(struct reading *r, const struct json *object, const char *place, const char *const *names)
{
    if (object->kind != JSON_OBJECT) return expected(r, place, "an object");
    for (const struct json *member = object->first; member; member = member->next) {
        size_t i = 0;
        while (names[i] && !json_is_named(member, names[i])) i++;
        if (!names[i]) return expected(r, place, "no other key than those of the format");
    }
    return true;
}

static int nibble(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool corpus_hex(const struct json *node, struct corpus_arena *arena, cemv_bytes *bytes)
{
    if (!node || node->kind != JSON_STRING || node->size % 2 != 0) return false;
    uint8_t *place = corpus_room(arena, node->size / 2 + 1);
    if (!place) return false;
    for (size_t i = 0; i < node->size; i += 2) {
        const int high = nibble(node->text[i]), low = nibble(node->text[i + 1]);
        if (high < 0 || low < 0) return false;
        place[i / 2] = (uint8_t)(high << 4 | low);
    }
    *bytes = (cemv_bytes){ place, node->size / 2 };
    return true;
}

static cemv_bytes hex(struct reading *r, const struct json *node, const char *place, size_t least, size_t most)
{
    cemv_bytes bytes = { NULL, 0 };
    if (!corpus_hex(node, r->arena, &bytes) || bytes.size < least || bytes.size > most) expected(r, place, "hex of the right length");
    return bytes;
}

/* A member that need not be there: the default. */
static uint64_t integer(struct reading *r, const struct json *object, const char *name, uint64_t most, uint64_t otherwise)
{
    const struct json *node = json_member(object, name);
    uint64_t value = otherwise;
    if (node && (!json_integer(node, &value) || value > most)) expected(r, name, "a whole number within its range");
    return value;
}

static bool truth(struct reading *r, const struct json *object, const char *name, bool otherwise)
{
    const struct json *node = json_member(object, name);
    if (!node) return otherwise;
    if (node->kind != JSON_TRUE && node->kind != JSON_FALSE) expected(r, name, "true or false");
    return node->kind == JSON_TRUE;
}

struct choice {
    const char *name;
    uint8_t value;
};

static uint8_t choose(struct reading *r, const struct json *object, const char *name, const struct choice *choices)
{
    const struct json *node = json_member(object, name);
    if (!node) return choices[0].value;
    for (size_t i = 1; choices[i].name; i++)
        if (json_is(node, choices[i].name)) return choices[i].value;
    expected(r, name, "one of its words");
    return 0;
}

/* Data objects by tag, as a list of TLV; a list of values writes the object several times. */
static size_t put_object(uint8_t *out, cemv_bytes tag, cemv_bytes value)
{
    size_t used = tag.size;
    memcpy(out, tag.data, tag.size);
    if (value.size > 255) out[used++] = 0x82, out[used++] = (uint8_t)(value.size >> 8);
    else if (value.size > 127) out[used++] = 0x81;
    out[used++] = (uint8_t)value.size;
    if (value.size) memcpy(out + used, value.data, value.size);
    return used + value.size;
}

static cemv_bytes objects(struct reading *r, const struct json *object, const char *place)
{
    cemv_bytes list = { NULL, 0 };
    if (!object) return list;
    if (object->kind != JSON_OBJECT) expected(r, place, "data objects by tag");
    size_t size = 1;
    for (const struct json *member = object->first; member; member = member->next) {
        size += member->name_size / 2 + 4 + member->size / 2;
        for (const struct json *value = member->first; value; value = value->next) size += member->name_size / 2 + 4 + value->size / 2;
    }
    uint8_t *out = room(r, size);
    for (const struct json *member = object->first; member && !r->bad; member = member->next) {
        const struct json name = { .kind = JSON_STRING, .text = member->name, .size = member->name_size };
        const cemv_bytes tag = hex(r, &name, place, 1, 4);
        const bool several = member->kind == JSON_ARRAY;
        for (const struct json *value = several ? member->first : member; value && !r->bad; value = several ? value->next : NULL)
            list.size += put_object(out + list.size, tag, hex(r, value, place, 0, 65535));
    }
    list.data = out;
    return list;
}

/* "2026-11-21" or "12:00:00": three pairs of digits, the century left out. */
static void pairs(struct reading *r, const struct json *node, const char *place, uint8_t out[3])
{
    size_t used = 0, skipped = node && node->kind == JSON_STRING && node->size == 10 ? 2 : 0;
    for (size_t i = skipped; node && node->kind == JSON_STRING && i + 1 < node->size && used < 3; i += 3, used++) {
        const int high = nibble(node->text[i]), low = nibble(node->text[i + 1]);
        if (high < 0 || high > 9 || low < 0 || low > 9) break;
        out[used] = (uint8_t)(high << 4 | low);
    }
    if (used != 3) expected(r, place, "a date or a time");
}

/* ---- configuration ---- */

static size_t length(const struct json *list)
{
    size_t count = 0;
    for (const struct json *node = list ? list->first : NULL; node; node = node->next) count++;
    return count;
}

static struct cemv_limits limits(struct reading *r, const struct json *node)
{
    static const char *const names[] = { "transaction", "floor", "terminalFloor", "cvmRequired", "cdcvmTransaction", NULL };
    struct cemv_limits result = { 0 };
    if (!node || !only(r, node, "limits", names)) return result;
    for (uint8_t i = 0; names[i]; i++) {
        if (!json_member(node, names[i])) continue;
        result.amount[i] = integer(r, node, names[i], no_limit, 0);
        result.present |= (uint8_t)(1u << i);
    }
    return result;
}

static struct cemv_protection protection(struct reading *r, const struct json *node)
{
    static const char *const names[] = { "profile", "cdcvmTrust", "unsolicitedSdad", "odaTamper", "cidMismatch", "brandCheck", "expiryMismatch",
        "luhn", "offline", "allowTestKeys", "minCaBits", "maxTaps", "maxRecords", "magStripeMode", "minUnDigits", "torn", "tornLifetime_s",
        "relay", "relay.maxCardTime_ms", "relay.latency_us", NULL };
    static const struct choice profiles[] = { { "", CEMV_PROFILE_GUARDED }, { "guarded", CEMV_PROFILE_GUARDED }, { "book", CEMV_PROFILE_BOOK },
        { "strict", CEMV_PROFILE_STRICT }, { NULL, 0 } };
    static const struct choice trusts[] = { { "", 0 }, { "book", CEMV_CDCVM_BOOK }, { "verifyIfPresent", CEMV_CDCVM_VERIFY_IF_PRESENT },
        { "authenticated", CEMV_CDCVM_AUTHENTICATED }, { NULL, 0 } };
    static const struct choice rules[] = { { "", 0 }, { "off", CEMV_RULE_OFF }, { "ignore", CEMV_RULE_OFF }, { "book", CEMV_RULE_REPORT },
        { "report", CEMV_RULE_REPORT }, { "verify", CEMV_RULE_ENFORCE }, { "decline", CEMV_RULE_ENFORCE }, { "end", CEMV_RULE_ENFORCE },
        { "dynamicOda", CEMV_RULE_ENFORCE }, { "configured", CEMV_RULE_ENFORCE }, { NULL, 0 } };
    static const struct choice torn[] = { { "", 0 }, { "off", CEMV_TORN_OFF }, { "book", CEMV_TORN_BOOK }, { "sameAmount", CEMV_TORN_SAME_SALE },
        { NULL, 0 } };
    static const struct choice relay[] = { { "", 0 }, { "off", CEMV_RELAY_OFF }, { "book", CEMV_RELAY_BOOK }, { "decline", CEMV_RELAY_DECLINE },
        { "requireRrp", CEMV_RELAY_REQUIRED }, { NULL, 0 } };
    struct cemv_protection p = { 0 };
    if (!node || !only(r, node, "protection", names)) return p;
    p.profile = choose(r, node, "profile", profiles);
    p.cdcvm_trust = choose(r, node, "cdcvmTrust", trusts);
    p.unsolicited_sdad = choose(r, node, "unsolicitedSdad", rules);
    p.oda_tamper = choose(r, node, "odaTamper", rules);
    p.cid_mismatch = choose(r, node, "cidMismatch", rules);
    p.brand_check = choose(r, node, "brandCheck", rules);
    p.expiry_mismatch = choose(r, node, "expiryMismatch", rules);
    p.luhn = choose(r, node, "luhn", rules);
    p.offline = choose(r, node, "offline", rules);
    p.allow_test_keys = truth(r, node, "allowTestKeys", false);
    p.min_ca_bits = (uint16_t)integer(r, node, "minCaBits", 2048, 0);
    p.max_taps = (uint8_t)integer(r, node, "maxTaps", 255, 0);
    p.max_records = (uint8_t)integer(r, node, "maxRecords", 64, 0);
    p.magstripe = choose(r, node, "magStripeMode", rules);
    p.min_number_digits = (uint8_t)integer(r, node, "minUnDigits", 8, 0);
    p.torn = choose(r, node, "torn", torn);
    p.torn_lifetime_s = (uint16_t)integer(r, node, "tornLifetime_s", 65535, 0);
    p.relay = choose(r, node, "relay", relay);
    p.relay_max_card_ms = (uint8_t)integer(r, node, "relay.maxCardTime_ms", 255, 0);
    p.relay_latency_us = (uint32_t)integer(r, node, "relay.latency_us", 1000000, 0);
    return p;
}

/* Kernel 2's limits are data objects of its own, at amount > limit; an absent one is the highest amount. */
static cemv_bytes with_kernel_2_limits(struct reading *r, const struct json *limits_node, const struct json *data_node, cemv_bytes data)
{
    static const struct {
        const char *name, *tag;
        uint8_t last;
    } own[] = { { "floor", "DF8123", 0x23 }, { "transaction", "DF8124", 0x24 }, { "cdcvmTransaction", "DF8125", 0x25 }, { "cvmRequired", "DF8126", 0x26 } };
    uint8_t *out = room(r, data.size + 4 * 10);
    if (!out) return data;
    if (data.size) memcpy(out, data.data, data.size);
    for (size_t i = 0; i < 4; i++) {
        const bool given = json_member(limits_node, own[i].name) != NULL, has_data = json_member(data_node, own[i].tag) != NULL;
        if (given && has_data) expected(r, "limits", "a limit here or in data, not in both");
        if (has_data) continue;
        uint64_t limit = integer(r, limits_node, own[i].name, no_limit, no_limit);
        uint8_t *object = out + data.size;
        memcpy(object, (const uint8_t[]){ 0xDF, 0x81, own[i].last, 6 }, 4);
        for (size_t digit = 6; digit--; limit /= 100) object[4 + digit] = (uint8_t)(limit % 10 | limit / 10 % 10 << 4);
        data.size += 10;
    }
    return (cemv_bytes){ out, data.size };
}

static uint8_t zero_amount(struct reading *r, const struct json *node)
{
    static const struct choice words[] = { { "", CEMV_ZERO_AMOUNT_ONLINE }, { "online", CEMV_ZERO_AMOUNT_ONLINE },
        { "notAllowed", CEMV_ZERO_AMOUNT_NOT_ALLOWED }, { "offlineAllowed", CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED }, { NULL, 0 } };
    return choose(r, node, "zeroAmount", words);
}

static void dynamic_limits(struct reading *r, const struct json *list, struct cemv_combination *c)
{
    static const char *const names[] = { "program", "limits", "zeroAmount", "statusCheck", NULL };
    struct cemv_dynamic_limit *rows = room(r, length(list) * sizeof *rows);
    for (const struct json *node = list ? list->first : NULL; node && rows && only(r, node, "dynamicLimits", names); node = node->next) {
        rows[c->dynamic_limit_count++] = (struct cemv_dynamic_limit){
            .program = hex(r, json_member(node, "program"), "program", 1, 16),
            .limits = limits(r, json_member(node, "limits")),
            .zero_amount = zero_amount(r, node),
            .status_check = truth(r, node, "statusCheck", false),
        };
    }
    c->dynamic_limits = rows;
}

static void combination(struct reading *r, const struct json *node, struct cemv_combination *c)
{
    static const char *const names[] = { "aid", "kernel", "kernelId", "name", "transactionTypes", "limits", "statusCheck", "zeroAmount",
        "extendedSelection", "ttq", "data", "usageControl", "dynamicLimits", "protection", NULL };
    if (!only(r, node, "combinations", names)) return;
    const struct json *id = json_member(node, "kernelId"), *own = json_member(node, "limits"), *data = json_member(node, "data");
    c->aid = hex(r, json_member(node, "aid"), "aid", 5, 16);
    if (id) {
        const cemv_bytes bytes = hex(r, id, "kernelId", 1, 8);
        c->kernel_id_size = (uint8_t)bytes.size;
        if (bytes.size) memcpy(c->kernel_id, bytes.data, bytes.size);
    } else {
        c->kernel_id[0] = (uint8_t)integer(r, node, "kernel", 255, 0);
        c->kernel_id_size = 1;
    }
    const struct json *types = json_member(node, "transactionTypes");
    uint8_t *list = room(r, length(types));
    size_t count = 0;
    for (const struct json *type = types ? types->first : NULL; type && list; type = type->next) {
        const cemv_bytes one = hex(r, type, "transactionTypes", 1, 1);
        if (one.size) list[count++] = one.data[0];
    }
    c->transaction_types = (cemv_bytes){ list, count };
    c->extended_selection = truth(r, node, "extendedSelection", false);
    c->status_check = truth(r, node, "statusCheck", false);
    c->zero_amount = zero_amount(r, node);
    c->usage_control_off = !truth(r, node, "usageControl", true);
    if (json_member(node, "ttq")) c->ttq = hex(r, json_member(node, "ttq"), "ttq", 4, 4);
    c->data = objects(r, data, "data");
    if (c->kernel_id_size == 1 && c->kernel_id[0] == 2) c->data = with_kernel_2_limits(r, own, data, c->data);
    else c->limits = limits(r, own);
    dynamic_limits(r, json_member(node, "dynamicLimits"), c);
    c->own_protection = json_member(node, "protection") != NULL;
    c->protection = protection(r, json_member(node, "protection"));
}

static void ca_key(struct reading *r, const struct json *node, struct cemv_ca_key *key)
{
    static const char *const names[] = { "rid", "index", "exponent", "modulus", "sha1", "expires", "test", NULL };
    if (!only(r, node, "caKeys", names)) return;
    const cemv_bytes rid = hex(r, json_member(node, "rid"), "rid", 5, 5), index = hex(r, json_member(node, "index"), "index", 1, 1),
                     exponent = hex(r, json_member(node, "exponent"), "exponent", 1, 4);
    if (r->bad) return;
    memcpy(key->rid, rid.data, 5);
    key->index = index.data[0];
    for (size_t i = 0; i < exponent.size; i++) key->exponent = key->exponent << 8 | exponent.data[i];
    key->modulus = hex(r, json_member(node, "modulus"), "modulus", 1, 256);
    if (json_member(node, "sha1")) key->sha1 = hex(r, json_member(node, "sha1"), "sha1", 20, 20);
    if (json_member(node, "expires")) pairs(r, json_member(node, "expires"), "expires", key->expires);
    key->test = truth(r, node, "test", false);
}

static void revocation(struct reading *r, const struct json *node, struct cemv_revocation *row)
{
    static const char *const names[] = { "rid", "index", "serial", NULL };
    if (!only(r, node, "revoked", names)) return;
    const cemv_bytes rid = hex(r, json_member(node, "rid"), "rid", 5, 5), index = hex(r, json_member(node, "index"), "index", 1, 1),
                     serial = hex(r, json_member(node, "serial"), "serial", 3, 3);
    if (r->bad) return;
    memcpy(row->rid, rid.data, 5);
    row->index = index.data[0];
    memcpy(row->serial, serial.data, 3);
}

static void exception(struct reading *r, const struct json *node, struct cemv_exception *row)
{
    static const char *const names[] = { "pan", "sequence", NULL };
    char digits[21];
    if (!only(r, node, "exceptions", names)) return;
    const struct json *pan = json_member(node, "pan"), *sequence = json_member(node, "sequence");
    if (!pan || pan->kind != JSON_STRING || pan->size < 7 || pan->size > 20) {
        expected(r, "pan", "the digits of an account number");
        return;
    }
    memcpy(digits, pan->text, pan->size);
    digits[pan->size] = 'F';
    const struct json padded = { .kind = JSON_STRING, .text = digits, .size = pan->size + pan->size % 2 };
    row->pan = hex(r, &padded, "pan", 4, 10);
    row->any_sequence = sequence == NULL;
    if (sequence) {
        const cemv_bytes one = hex(r, sequence, "sequence", 1, 1);
        if (one.size) row->sequence = one.data[0];
    }
}

#define ROWS(type, field, count_field, name, read)                                                                                                  \
    do {                                                                                                                                            \
        const struct json *list = json_member(node, name);                                                                                          \
        struct type *rows = room(r, length(list) * sizeof *rows);                                                                                   \
        for (const struct json *row = list ? list->first : NULL; row && rows && !r->bad; row = row->next)                                           \
            read(r, row, &rows[configuration.count_field++]);                                                                                       \
        configuration.field = rows;                                                                                                                 \
    } while (0)

static const struct cemv_checked *configure(struct reading *r, const struct json *node, bool *autorun)
{
    static const char *const names[] = { "format", "terminal", "combinations", "caKeys", "revoked", "exceptions", "protection", "autorun", "version",
        "validFrom", NULL };
    static const struct cemv_kernel_row kernels[] = { { { 2 }, 1, &cemv_kernel_2 }, { { 3 }, 1, &cemv_kernel_3 } };
    struct cemv_configuration configuration = { .kernels = kernels, .kernel_count = sizeof kernels / sizeof kernels[0] };
    if (!node) return expected(r, "configuration", "an object"), NULL;
    if (!only(r, node, "configuration", names)) return NULL;
    *autorun = json_member(node, "autorun") != NULL;
    configuration.terminal_data = objects(r, json_member(node, "terminal"), "terminal");
    ROWS(cemv_combination, combinations, combination_count, "combinations", combination);
    ROWS(cemv_ca_key, ca_keys, ca_key_count, "caKeys", ca_key);
    ROWS(cemv_revocation, revocations, revocation_count, "revoked", revocation);
    ROWS(cemv_exception, exceptions, exception_count, "exceptions", exception);
    configuration.protection = protection(r, json_member(node, "protection"));
    if (r->bad) return NULL;

    const struct cemv_checked *checked = NULL;
    struct cemv_config_error error;
    const size_t size = cemv_checked_size(&configuration);
    void *memory = room(r, size);
    if (!memory) return NULL;
    const enum cemv_status status = cemv_configuration_check(&configuration, memory, size, &checked, &error);
    if (status == CEMV_OK) return checked;
    if (!r->bad) snprintf(r->error, ERROR_SIZE, "configuration: status %d, section %u, row %u, field %u", (int)status, error.section, (unsigned)error.row, error.field);
    r->bad = true;
    return NULL;
}

/* ---- transaction and items ---- */

/* What a further sale leaves out is as in the first; `base` is NULL for that. */
static struct corpus_sale read_sale(struct reading *r, const struct json *node, const struct corpus_sale *base)
{
    static const char *const names[] = { "type", "amount", "amountOther", "currency", "exponent", "date", "time", "counter", "random", "utcOffset",
        "data", NULL };
    struct corpus_sale sale = { 0 };
    if (!node || !only(r, node, "transaction", names)) return expected(r, "transaction", "an object"), sale;
    if (base) sale = *base;
    struct cemv_transaction *t = &sale.transaction;
    if (json_member(node, "type")) {
        const cemv_bytes type = hex(r, json_member(node, "type"), "type", 1, 1);
        if (type.size) t->type = type.data[0];
    }
    t->amount = integer(r, node, "amount", no_limit, t->amount);
    t->amount_other = integer(r, node, "amountOther", no_limit, t->amount_other);
    if (json_member(node, "currency")) {
        const cemv_bytes code = hex(r, json_member(node, "currency"), "currency", 2, 2);
        if (code.size) t->currency = (uint16_t)(code.data[0] << 8 | code.data[1]);
    }
    const bool has_no_decimals = t->currency == 0x0392 || t->currency == 0x0410;
    t->exponent = (uint8_t)integer(r, node, "exponent", 4, base ? t->exponent : has_no_decimals ? 0 : 2);
    if (json_member(node, "date") || !base) pairs(r, json_member(node, "date"), "date", t->date);
    if (json_member(node, "time")) pairs(r, json_member(node, "time"), "time", t->time);
    t->counter = (uint32_t)integer(r, node, "counter", 99999999, base ? t->counter : 1);
    if (json_member(node, "data")) t->data = objects(r, json_member(node, "data"), "data");
    sale.random = hex(r, json_member(node, "random"), "random", 4, 65536);
    return sale;
}

static void read_exchange(struct reading *r, const struct json *node, struct corpus_item *item)
{
    static const char *const names[] = { "c", "r", "ms", "fault", NULL };
    static const struct choice faults[] = { { "", 0 }, { "timeout", CEMV_REPLY_TIMEOUT }, { "transmission", CEMV_REPLY_TRANSMISSION },
        { "protocol", CEMV_REPLY_PROTOCOL }, { "removed", CEMV_REPLY_REMOVED }, { NULL, 0 } };
    uint64_t elapsed = 0;
    if (!only(r, node, "exchanges", names)) return;
    item->command = hex(r, json_member(node, "c"), "c", 4, 65544);
    item->fault = choose(r, node, "fault", faults);
    item->kind = item->fault ? CORPUS_FAULT : CORPUS_EXCHANGE;
    if (!item->fault) item->bytes = hex(r, json_member(node, "r"), "r", 0, 65538);
    if (json_member(node, "ms") && !json_thousandths(json_member(node, "ms"), &elapsed)) expected(r, "ms", "milliseconds");
    item->elapsed_us = (uint32_t)elapsed;
}

static void read_item(struct reading *r, const struct json *node, const struct corpus_trace *trace, struct corpus_item *item)
{
    static const struct {
        const char *name;
        enum corpus_item_kind kind;
    } kinds[] = { { "tap", CORPUS_TAP }, { "collision", CORPUS_COLLISION }, { "online", CORPUS_ONLINE }, { "det", CORPUS_TERMINAL_DATA },
        { "stop", CORPUS_STOP }, { "deadline", CORPUS_DEADLINE }, { "removed", CORPUS_REMOVED }, { "pin", CORPUS_PIN }, { "sale", CORPUS_SALE },
        { "dek", CORPUS_SENT_DATA } };
    const struct json *member = node->kind == JSON_OBJECT ? node->first : NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && member; i++) {
        if (!json_is_named(member, kinds[i].name)) continue;
        item->kind = kinds[i].kind;
        if (member->next) expected(r, kinds[i].name, "to stand alone");
        switch (item->kind) {
        case CORPUS_TAP: item->number = integer(r, node, "tap", 255, 0); break;
        case CORPUS_ONLINE:
            item->refused = member->kind == JSON_NULL;
            if (!item->refused) item->bytes = objects(r, member, "online");
            break;
        case CORPUS_TERMINAL_DATA:
        case CORPUS_SENT_DATA: item->bytes = objects(r, member, kinds[i].name); break;
        case CORPUS_PIN:
            item->refused = json_is(member, "notCaptured");
            if (!item->refused && !json_is(member, "captured")) expected(r, "pin", "captured or notCaptured");
            break;
        case CORPUS_SALE: item->sale = read_sale(r, member, &trace->sale); break;
        default:
            if (member->kind != JSON_TRUE) expected(r, kinds[i].name, "true");
            break;
        }
        return;
    }
    read_exchange(r, node, item);
}

bool corpus_open(struct corpus_trace *trace, const char *text, size_t size, struct corpus_arena *arena, char *error)
{
    static const char *const names[] = { "format", "name", "source", "configuration", "transaction", "match", "exchanges", "expect", "redacted", NULL };
    static const struct choice matches[] = { { "", 0 }, { "exact", 0 }, { "header", 1 }, { NULL, 0 } };
    struct reading r = { arena, error, false };
    struct json_reader json = { .text = text, .size = size, .nodes = room(&r, MAX_NODES * sizeof *json.nodes), .capacity = MAX_NODES };
    *trace = (struct corpus_trace){ 0 };
    if (r.bad) return false;
    const struct json *root = json_read(&json);
    if (!root) {
        snprintf(error, ERROR_SIZE, "byte %zu: expected %s", json.at, json.error);
        return false;
    }
    if (!only(&r, root, "trace", names)) return false;
    if (!json_is(json_member(root, "format"), "emv-trace/1")) return expected(&r, "format", "emv-trace/1");
    const struct json *name = json_member(root, "name"), *items = json_member(root, "exchanges");
    bool autorun = false;
    if (name) trace->name = name->text, trace->name_size = name->size;
    trace->checked = configure(&r, json_member(root, "configuration"), &autorun);
    if (!r.bad) trace->sale = read_sale(&r, json_member(root, "transaction"), NULL);
    trace->sale.transaction.start_b = autorun;
    trace->by_header = choose(&r, root, "match", matches) == 1;
    trace->expect = json_member(root, "expect");
    struct corpus_item *list = room(&r, length(items) * sizeof *list);
    for (const struct json *node = items ? items->first : NULL; node && list && !r.bad; node = node->next)
        read_item(&r, node, trace, &list[trace->item_count++]);
    trace->items = list;
    return !r.bad;
}
