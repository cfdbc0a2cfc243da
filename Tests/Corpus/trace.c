/* Reading a trace: transaction and items. Names, ranges and defaults are those of emv-trace/1. */
#include "reading.h"

#include <stdio.h>

enum { MAX_NODES = 20000 };

static const uint64_t no_limit = 999999999999;

/* What a further sale leaves out is as in the first; `base` is NULL for that. */
static struct corpus_sale read_sale(struct reading *r, const struct json *node, const struct corpus_sale *base)
{
    static const char *const names[] = { "type", "amount", "amountOther", "currency", "exponent", "date", "time", "counter", "random", "utcOffset",
        "data", NULL };
    struct corpus_sale sale = { 0 };
    if (!node || !read_only(r, node, "transaction", names)) return read_expected(r, "transaction", "an object"), sale;
    if (base) sale = *base;
    sale.node = node, sale.base = base ? base->node : NULL;
    struct cemv_transaction *t = &sale.transaction;
    if (json_member(node, "type")) {
        const cemv_bytes type = read_hex(r, json_member(node, "type"), "type", 1, 1);
        if (type.size) t->type = type.data[0];
    }
    t->amount = read_integer(r, node, "amount", no_limit, t->amount);
    t->amount_other = read_integer(r, node, "amountOther", no_limit, t->amount_other);
    if (json_member(node, "currency")) {
        const cemv_bytes code = read_hex(r, json_member(node, "currency"), "currency", 2, 2);
        if (code.size) t->currency = (uint16_t)(code.data[0] << 8 | code.data[1]);
    }
    const bool has_no_decimals = t->currency == 0x0392 || t->currency == 0x0410;
    t->exponent = (uint8_t)read_integer(r, node, "exponent", 4, base ? t->exponent : has_no_decimals ? 0 : 2);
    if (json_member(node, "date") || !base) read_pairs(r, json_member(node, "date"), "date", t->date);
    if (json_member(node, "time")) read_pairs(r, json_member(node, "time"), "time", t->time);
    t->counter = (uint32_t)read_integer(r, node, "counter", 99999999, base ? t->counter : 1);
    if (json_member(node, "data")) t->data = read_objects(r, json_member(node, "data"), "data");
    if (json_member(node, "utcOffset") && json_member(node, "utcOffset")->kind != JSON_NUMBER) read_expected(r, "utcOffset", "minutes");
    sale.random = read_hex(r, json_member(node, "random"), "random", 4, 65536);
    return sale;
}

static void read_exchange(struct reading *r, const struct json *node, struct corpus_item *item)
{
    static const char *const names[] = { "c", "r", "ms", "fault", NULL };
    static const struct choice faults[] = { { "", 0 }, { "timeout", CEMV_REPLY_TIMEOUT }, { "transmission", CEMV_REPLY_TRANSMISSION },
        { "protocol", CEMV_REPLY_PROTOCOL }, { "removed", CEMV_REPLY_REMOVED }, { NULL, 0 } };
    uint64_t elapsed = 0;
    if (!read_only(r, node, "exchanges", names)) return;
    item->command = read_hex(r, json_member(node, "c"), "c", 4, 65544);
    item->fault = read_choice(r, node, "fault", faults);
    item->kind = item->fault ? CORPUS_FAULT : CORPUS_EXCHANGE;
    if (!item->fault) item->bytes = read_hex(r, json_member(node, "r"), "r", 0, 65538);
    if (json_member(node, "ms") && !json_thousandths(json_member(node, "ms"), &elapsed)) read_expected(r, "ms", "milliseconds");
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
        if (member->next) read_expected(r, kinds[i].name, "to stand alone");
        switch (item->kind) {
        case CORPUS_TAP: item->number = read_integer(r, node, "tap", 255, 0); break;
        case CORPUS_ONLINE:
            item->refused = member->kind == JSON_NULL;
            if (!item->refused) item->bytes = read_objects(r, member, "online");
            break;
        case CORPUS_TERMINAL_DATA:
        case CORPUS_SENT_DATA: item->bytes = read_objects(r, member, kinds[i].name); break;
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
    static const char *const names[] = { "format", "name", "source", "configuration", "transaction", "match", "exchanges", "expect", "redacted", NULL };
    static const struct choice matches[] = { { "", 0 }, { "exact", 0 }, { "header", 1 }, { NULL, 0 } };
    struct reading r = { arena, error, false };
    struct json_reader json = { .text = text, .size = size, .nodes = read_room(&r, MAX_NODES * sizeof *json.nodes), .capacity = MAX_NODES };
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
    if (name) trace->name = name->text, trace->name_size = name->size;
    trace->configuration = json_member(root, "configuration");
    if (!trace->configuration || trace->configuration->kind != JSON_OBJECT) return read_expected(&r, "configuration", "an object");
    if (!r.bad) trace->sale = read_sale(&r, json_member(root, "transaction"), NULL);
    trace->sale.transaction.start_b = json_member(trace->configuration, "autorun") != NULL;
    trace->by_header = read_choice(&r, root, "match", matches) == 1;
    trace->expect = json_member(root, "expect");
    struct corpus_item *list = read_room(&r, read_length(items) * sizeof *list);
    for (const struct json *node = items ? items->first : NULL; node && list && !r.bad; node = node->next)
        read_item(&r, node, trace, &list[trace->item_count++]);
    trace->items = list;
    return !r.bad;
}
