/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a trace: transaction and items. Names, ranges and defaults are those of emv-trace/1. */
#include "reading.h"

#include <stdio.h>

enum { MAX_NODES = 20000 };

static const uint64_t no_limit = 999999999999;

/* A transaction without random bytes uses a real random source. */
static cemv_bytes real_random(struct reading *r)
{
    enum { SIZE = 256 };
    uint8_t *bytes = read_room(r, SIZE);
    FILE *source = bytes ? fopen("/dev/urandom", "rb") : NULL;
    const bool read = source && fread(bytes, 1, SIZE, source) == SIZE;
    if (source) fclose(source);
    if (!read) read_expected(r, "random", "random bytes: this machine has none");
    return (cemv_bytes){ bytes, SIZE };
}

/* Keys that a further sale leaves out have the values of the first; for the first, `base` is NULL. */
static struct corpus_sale read_sale(struct reading *r, const struct json *node, const struct corpus_sale *base)
{
    static const char *const names[] = { "type", "amount",  "amountOther", "currency",  "exponent",        "date",
                                         "time", "counter", "random",      "utcOffset", "onlineAvailable", "data",
                                         NULL };
    struct corpus_sale sale = { 0 };
    if (!node || !read_only(r, node, "transaction", names)) return read_expected(r, "transaction", "an object"), sale;
    if (base) sale = *base;
    sale.node = node, sale.base = base ? base->node : NULL;
    struct cemv_transaction *t = &sale.transaction;
    if (json_member(node, "type")) {
        const cemv_bytes type = read_hex(r, json_member(node, "type"), "type", 1, 1);
        if (type.size) t->type = type.data[0];
    }
    static const char *const required[] = { "amount", "currency", "date" }, *const own[] = { "date", "time",
                                                                                             "counter" };
    for (size_t i = 0; i < 3; i++)
        if (!json_member(node, base ? own[i] : required[i])) read_expected(r, base ? own[i] : required[i], "a value");
    t->amount = read_integer(r, node, "amount", no_limit, t->amount);
    t->amount_other = read_integer(r, node, "amountOther", no_limit, t->amount_other);
    if (json_member(node, "currency")) {
        const cemv_bytes code = read_hex(r, json_member(node, "currency"), "currency", 2, 2);
        if (code.size) t->currency = (uint16_t)(code.data[0] << 8 | code.data[1]);
        for (unsigned shift = 0; shift < 16; shift += 4)
            if ((t->currency >> shift & 0xF) > 9) read_expected(r, "currency", "four digits of ISO 4217");
    }
    const bool has_no_decimals = t->currency == 0x0392 || t->currency == 0x0410;
    t->exponent = (uint8_t)read_integer(r, node, "exponent", 4, base ? t->exponent : has_no_decimals ? 0 : 2);
    if (json_member(node, "date") || !base) read_date(r, json_member(node, "date"), "date", t->date);
    if (json_member(node, "time")) read_time(r, json_member(node, "time"), "time", t->time);
    t->counter = (uint32_t)read_integer(r, node, "counter", 99999999, base ? t->counter : 1);
    if (json_member(node, "data")) t->data = read_objects(r, json_member(node, "data"), "data", false);
    t->cannot_go_online = !read_truth(r, node, "onlineAvailable", !t->cannot_go_online);
    const struct json *offset = json_member(node, "utcOffset");
    struct json minutes = offset ? *offset : (struct json){ .kind = JSON_NUMBER, .text = "0", .size = 1 };
    const bool west = minutes.size > 1 && minutes.text[0] == '-';
    if (west) minutes.text++, minutes.size--;
    uint64_t distance;
    if (!json_integer(&minutes, &distance) || distance > 840)
        distance = 0, read_expected(r, "utcOffset", "-840 to 840 minutes");
    if (offset || !base) t->utc_offset_minutes = (int16_t)(west ? -(int)distance : (int)distance);
    if (json_member(node, "random")) sale.random = read_hex(r, json_member(node, "random"), "random", 4, 65536);
    else if (base) read_expected(r, "sale", "random bytes of its own");
    else sale.random = real_random(r);
    return sale;
}

/* ---- expected results ---- */

static void read_words(struct reading *r, const struct json *node, const char *const *words)
{
    while (*words && !json_is(node, *words)) words++;
    if (!*words) read_expected(r, "expect", "one of the words of its key");
}

/* Hex by tag, or null. */
static void read_data(struct reading *r, const struct json *list, const char *place)
{
    if (list->kind != JSON_OBJECT) read_expected(r, place, "data objects by tag");
    for (const struct json *node = list->first; node && !r->bad; node = node->next) {
        const struct json name = { .kind = JSON_STRING, .text = node->name, .size = node->name_size };
        (void)read_hex(r, &name, place, 1, 4);
        if (node->kind != JSON_NULL) (void)read_hex(r, node, place, 0, 65535);
    }
}

static void read_strings(struct reading *r, const struct json *list, const char *place, bool bytes)
{
    if (list->kind != JSON_ARRAY) read_expected(r, place, "a list");
    for (const struct json *node = list->first; node && !r->bad; node = node->next) {
        if (bytes) (void)read_hex(r, node, place, 1, 1);
        else if (node->kind != JSON_STRING) read_expected(r, place, "names");
    }
}

static void read_number(struct reading *r, const struct json *node, uint64_t most, bool may_be_null)
{
    uint64_t value;
    if (may_be_null && node->kind == JSON_NULL) return;
    if (!json_integer(node, &value) || value > most) read_expected(r, "expect", "a whole number within its range");
}

enum expectation { WORD, BYTE, BYTE_OR_NULL, BYTES, NAMES, DATA, NUMBER, NUMBER_OR_NULL, SIX_BYTES, TRUTH };
static const struct {
    const char *name;
    enum expectation kind;
    uint64_t most;
    const char *words[14];
} expectations[] = {
    { "tap",
      WORD,
      0,
      { "success", "declined", "unreadable", "unsupportedNetwork", "limitExceeded", "onlinePINRequired",
        "onlinePINUnavailable", "tryAnotherInterface", "seePhone", "presentAgain", "cancelled", "failed", "verified",
        NULL } },
    { "outcome",
      WORD,
      0,
      { "approved", "declined", "onlineRequest", "requestOnlinePIN", "tryAgain", "selectNext", "endApplication",
        "tryAnotherInterface", NULL } },
    { "cvm", WORD, 0, { "none", "signature", "onlinePIN", "cdcvm", "notApplicable", NULL } },
    { "alternateInterface", WORD, 0, { "contact", "magstripe", "none", NULL } },
    { "start", WORD, 0, { "A", "B", "C", "D", "none", NULL } },
    { "valueQualifier", WORD, 0, { "none", "amount", "balance", NULL } },
    { "message", BYTE, 0, { NULL } },
    { "restartMessage", BYTE_OR_NULL, 0, { NULL } },
    { "messages", BYTES, 0, { NULL } },
    { "findings", NAMES, 0, { NULL } },
    { "data", DATA, 0, { NULL } },
    { "discretionary", DATA, 0, { NULL } },
    { "apdus", NUMBER, 100000, { NULL } },
    { "removalTimeout", NUMBER, 65535, { NULL } },
    { "holdMs", NUMBER_OR_NULL, 4294967295, { NULL } },
    { "fieldOffMs", NUMBER_OR_NULL, 6553500, { NULL } },
    { "value", NUMBER_OR_NULL, 999999999999, { NULL } },
    { "errorIndication", SIX_BYTES, 0, { NULL } },
    { "receipt", TRUTH, 0, { NULL } },
};

static void read_expectation(struct reading *r, const struct json *node)
{
    size_t i = 0;
    while (i < sizeof expectations / sizeof expectations[0] && !json_is_named(node, expectations[i].name)) i++;
    if (i == sizeof expectations / sizeof expectations[0]) {
        read_expected(r, "expect", "no other key than those of the format");
        return;
    }
    switch (expectations[i].kind) {
    case WORD: read_words(r, node, expectations[i].words); break;
    case BYTE: (void)read_hex(r, node, expectations[i].name, 1, 1); break;
    case BYTE_OR_NULL:
        if (node->kind != JSON_NULL) (void)read_hex(r, node, expectations[i].name, 1, 1);
        break;
    case BYTES: read_strings(r, node, expectations[i].name, true); break;
    case NAMES: read_strings(r, node, expectations[i].name, false); break;
    case DATA: read_data(r, node, expectations[i].name); break;
    case NUMBER: read_number(r, node, expectations[i].most, false); break;
    case NUMBER_OR_NULL: read_number(r, node, expectations[i].most, true); break;
    case SIX_BYTES: (void)read_hex(r, node, expectations[i].name, 6, 6); break;
    case TRUTH:
        if (node->kind != JSON_TRUE && node->kind != JSON_FALSE) read_expected(r, "receipt", "true or false");
        break;
    }
}

/* ---- items ---- */

static void read_exchange(struct reading *r, const struct json *node, struct corpus_item *item)
{
    static const char *const names[] = { "c", "r", "ms", "fault", NULL };
    static const struct choice faults[] = { { "", 0 },
                                            { "timeout", CEMV_REPLY_TIMEOUT },
                                            { "transmission", CEMV_REPLY_TRANSMISSION },
                                            { "protocol", CEMV_REPLY_PROTOCOL },
                                            { "removed", CEMV_REPLY_REMOVED },
                                            { NULL, 0 } };
    uint64_t elapsed = 0;
    if (!read_only(r, node, "exchanges", names)) return;
    item->command = read_hex(r, json_member(node, "c"), "c", 4, 65544);
    item->fault = read_choice(r, node, "fault", faults);
    item->kind = item->fault ? CORPUS_FAULT : CORPUS_EXCHANGE;
    if (!item->fault) item->bytes = read_hex(r, json_member(node, "r"), "r", 0, 65538);
    if (json_member(node, "ms") && !json_thousandths(json_member(node, "ms"), &elapsed))
        read_expected(r, "ms", "milliseconds");
    if ((json_member(node, "r") != NULL) == (json_member(node, "fault") != NULL))
        read_expected(r, "exchanges", "either r or fault beside c");
    if (elapsed > 3600000000) read_expected(r, "ms", "at most an hour");
    item->elapsed_us = (uint32_t)elapsed;
    if (json_member(node, "ms") && elapsed == 0) item->elapsed_us = 1; /* measured; zero would mean that it was not */
}

static void read_item(struct reading *r, const struct json *node, const struct corpus_trace *trace,
                      struct corpus_item *item)
{
    static const struct {
        const char *name;
        enum corpus_item_kind kind;
    } kinds[] = { { "tap", CORPUS_TAP },         { "collision", CORPUS_COLLISION },
                  { "online", CORPUS_ONLINE },   { "det", CORPUS_TERMINAL_DATA },
                  { "stop", CORPUS_STOP },       { "deadline", CORPUS_DEADLINE },
                  { "removed", CORPUS_REMOVED }, { "pin", CORPUS_PIN },
                  { "sale", CORPUS_SALE },       { "dek", CORPUS_SENT_DATA } };
    const struct json *member = node->kind == JSON_OBJECT ? node->first : NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && member; i++) {
        if (!json_is_named(member, kinds[i].name)) continue;
        item->kind = kinds[i].kind;
        if (member->next) read_expected(r, kinds[i].name, "to stand alone");
        switch (item->kind) {
        case CORPUS_TAP: item->number = read_integer(r, node, "tap", 255, 0); break;
        case CORPUS_ONLINE:
            item->refused = member->kind == JSON_NULL;
            if (!item->refused) item->bytes = read_objects(r, member, "online", true);
            if (item->bytes.size > CEMV_MAX_ISSUER_DATA)
                read_expected(r, "online", "at most 1024 bytes of data objects");
            break;
        case CORPUS_TERMINAL_DATA:
        case CORPUS_SENT_DATA: item->bytes = read_objects(r, member, kinds[i].name, false); break;
        case CORPUS_PIN:
            item->refused = json_is(member, "notCaptured");
            if (!item->refused && !json_is(member, "captured")) read_expected(r, "pin", "captured or notCaptured");
            break;
        case CORPUS_SALE: item->sale = read_sale(r, member, &trace->sale); break;
        default:
            if (member->kind != JSON_TRUE) read_expected(r, kinds[i].name, "true");
            break;
        }
        return;
    }
    read_exchange(r, node, item);
}

bool corpus_open(struct corpus_trace *trace, const char *text, size_t size, struct corpus_arena *arena, char *error)
{
    static const char *const names[] = { "format", "name",      "source", "configuration", "transaction",
                                         "match",  "exchanges", "expect", "redacted",      NULL };
    static const struct choice matches[] = { { "", 0 }, { "exact", 0 }, { "header", 1 }, { NULL, 0 } };
    struct reading r = { arena, error, false };
    struct json_reader json = {
        .text = text, .size = size, .nodes = read_room(&r, MAX_NODES * sizeof *json.nodes), .capacity = MAX_NODES
    };
    *trace = (struct corpus_trace){ 0 };
    if (r.bad) return false;
    const struct json *root = json_read(&json);
    if (!root) {
        snprintf(error, 200, "byte %zu: expected %s", json.at, json.error);
        return false;
    }
    if (!read_only(&r, root, "trace", names)) return false;
    if (!json_is(json_member(root, "format"), "emv-trace/1")) return read_expected(&r, "format", "emv-trace/1");
    const struct json *name = json_member(root, "name"), *items = json_member(root, "exchanges");
    const struct json *source = json_member(root, "source");
    if ((name && name->kind != JSON_STRING) || (source && source->kind != JSON_STRING))
        return read_expected(&r, "name, source", "text");
    if (name) trace->name = name->text, trace->name_size = name->size;
    trace->configuration = json_member(root, "configuration");
    if (!trace->configuration || trace->configuration->kind != JSON_OBJECT)
        return read_expected(&r, "configuration", "an object");
    if (!r.bad) trace->sale = read_sale(&r, json_member(root, "transaction"), NULL);
    trace->sale.transaction.start_b = json_member(trace->configuration, "autorun") != NULL;
    trace->by_header = read_choice(&r, root, "match", matches) == 1;
    trace->expect = json_member(root, "expect");
    if (trace->expect && trace->expect->kind != JSON_OBJECT) read_expected(&r, "expect", "an object");
    for (const struct json *node = trace->expect ? trace->expect->first : NULL; node && !r.bad; node = node->next)
        read_expectation(&r, node);
    if (items && items->kind != JSON_ARRAY) read_expected(&r, "exchanges", "a list");
    (void)read_truth(&r, root, "redacted", false);
    struct corpus_item *list = read_room(&r, read_length(items) * sizeof *list);
    for (const struct json *node = items ? items->first : NULL; node && list && !r.bad; node = node->next)
        read_item(&r, node, trace, &list[trace->item_count++]);
    trace->items = list;
    return !r.bad;
}
