/* SPDX-License-Identifier: Apache-2.0 */
/* Plays a trace with a kernel and compares the result. */
#include "kernel.h"

#include <stdio.h>
#include <string.h>

enum { MAX_MESSAGES = 64, MAX_STEPS = 10000, RANDOM_POOL = CEMV_RANDOM_POOL };

struct run {
    const struct corpus_trace *trace;
    const struct corpus_kernel *kernel;
    struct corpus_report *report;
    struct corpus_step step;
    size_t next; /* index of the next item */
    size_t commands, presentments;
    cemv_bytes random; /* not yet used */
    uint8_t messages[MAX_MESSAGES];
    size_t message_count;
    bool tap_announced, waiting;
    uint8_t sent[2048];          /* data that the kernel sent to the terminal since its last command */
    size_t sent_size, sent_read; /* `sent_read`: how far data exchanges of Kernel 2 have been compared */
};

/* ---- reporting ---- */

static bool differ(struct run *run, const char *place, const char *expected, const char *found)
{
    if (run->report->place[0]) return false;
    snprintf(run->report->place, sizeof run->report->place, "%s", place);
    snprintf(run->report->expected, sizeof run->report->expected, "%s", expected);
    snprintf(run->report->found, sizeof run->report->found, "%s", found);
    return false;
}

static const char *as_hex(cemv_bytes bytes, char out[400])
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < bytes.size && used + 4 < 400; i++)
        used += (size_t)snprintf(out + used, 400 - used, "%02X", bytes.data[i]);
    return out;
}

static bool differ_here(struct run *run, const char *expected, const char *found)
{
    char place[80];
    snprintf(place, sizeof place, "exchanges[%zu]", run->next);
    return differ(run, place, expected, found);
}

static const struct corpus_item *item(const struct run *run)
{
    return run->next < run->trace->item_count ? &run->trace->items[run->next] : NULL;
}

static bool is_next(const struct run *run, enum corpus_item_kind kind) { return item(run) && item(run)->kind == kind; }

static const char *name_of(const struct corpus_item *item)
{
    static const char *const names[] = { "a command",   "a command",           "a tap",
                                         "a collision", "the issuer's answer", "terminal data",
                                         "a stop",      "a deadline",          "the card to be removed",
                                         "a PIN",       "a further sale",      "data sent to the terminal" };
    return item ? names[item->kind] : "the end of the trace";
}

/* ---- steps ---- */

/* Messages and data for the terminal come with a step: they are noted once, when it is reached. */
static void note_step(struct run *run)
{
    const struct corpus_step *step = &run->step;
    for (size_t i = 0; i < step->message_count && run->message_count < MAX_MESSAGES; i++)
        run->messages[run->message_count++] = step->messages[i];
    if (step->sent_size > sizeof run->sent - run->sent_size) return;
    memcpy(run->sent + run->sent_size, step->sent, step->sent_size);
    run->sent_size += step->sent_size;
}

static void reply(struct run *run, struct corpus_reply given)
{
    run->kernel->reply(run->kernel->own, &given, &run->step);
    note_step(run);
}

static void begin(struct run *run, const struct corpus_sale *sale, bool further)
{
    const size_t given = sale->random.size < RANDOM_POOL ? sale->random.size : RANDOM_POOL;
    run->commands = run->message_count = run->presentments = run->sent_size = run->sent_read = 0;
    run->tap_announced = run->waiting = false;
    run->random = (cemv_bytes){ sale->random.data + given, sale->random.size - given };
    run->kernel->begin(run->kernel->own, run->trace, sale, further, &run->step);
    note_step(run);
}

/* Reads { "tap": n }; false if the trace ends here or continues differently. */
static bool announce(struct run *run)
{
    char found[40];
    if (run->tap_announced) return true;
    run->waiting = item(run) == NULL;
    if (run->waiting) return false;
    snprintf(found, sizeof found, "tap %zu", run->presentments + 1);
    if (!is_next(run, CORPUS_TAP) || item(run)->number != run->presentments + 1)
        return differ_here(run, name_of(item(run)), found);
    run->next++;
    return run->tap_announced = true;
}

static bool arrive(struct run *run)
{
    run->presentments++;
    run->tap_announced = false;
    reply(run, (struct corpus_reply){ .kind = CORPUS_REPLY_CARD });
    return true;
}

/* A stop, an expired deadline or a removed card. */
static bool take_event(struct run *run)
{
    static const struct {
        enum corpus_item_kind item;
        enum corpus_reply_kind reply;
    } events[] = { { CORPUS_STOP, CORPUS_REPLY_STOP },
                   { CORPUS_DEADLINE, CORPUS_REPLY_DEADLINE },
                   { CORPUS_REMOVED, CORPUS_REPLY_REMOVED } };
    for (size_t i = 0; i < 3; i++) {
        if (!is_next(run, events[i].item)) continue;
        run->next++;
        reply(run, (struct corpus_reply){ .kind = events[i].reply });
        return true;
    }
    return false;
}

static bool remove_card(struct run *run)
{
    if (take_event(run)) return true;
    if (!announce(run)) return false;
    reply(run, (struct corpus_reply){ .kind = CORPUS_REPLY_REMOVED });
    return true;
}

static bool present(struct run *run)
{
    if (take_event(run)) return true;
    if (is_next(run, CORPUS_TAP)) return announce(run);
    if (is_next(run, CORPUS_COLLISION)) {
        run->next++;
        reply(run, (struct corpus_reply){ .kind = CORPUS_REPLY_COLLISION });
        if (run->step.wait == CORPUS_WAIT_CLEAR) reply(run, (struct corpus_reply){ .kind = CORPUS_REPLY_CLEARED });
        return true;
    }
    if (is_next(run, CORPUS_EXCHANGE) || is_next(run, CORPUS_FAULT)) {
        if (run->presentments && !run->tap_announced)
            return differ_here(run, "a command of the same presentment", "the card is to be presented again");
        return arrive(run);
    }
    if (item(run) && !is_next(run, CORPUS_SALE))
        return differ_here(run, name_of(item(run)), "the kernel waits for a card");
    if (run->tap_announced) return arrive(run);
    run->waiting = true;
    return false;
}

/* By header: CLA INS P1 P2, and the name for SELECT. */
static bool same_command(const struct corpus_trace *trace, cemv_bytes expected, cemv_bytes found)
{
    if (!trace->by_header) return expected.size == found.size && memcmp(expected.data, found.data, found.size) == 0;
    if (expected.size < 4 || found.size < 4 || memcmp(expected.data, found.data, 4) != 0) return false;
    if (expected.data[1] != 0xA4) return true;
    return expected.size >= 5 && found.size >= 5 && expected.data[4] == found.data[4] &&
           expected.size >= 5u + expected.data[4] && found.size >= 5u + found.data[4] &&
           memcmp(expected.data + 5, found.data + 5, expected.data[4]) == 0;
}

static bool exchange(struct run *run)
{
    const cemv_bytes command = { run->step.command, run->step.command_size };
    const struct corpus_item *given = item(run);
    char expected[400], found[400];
    if (is_next(run, CORPUS_STOP)) return take_event(run);
    if (is_next(run, CORPUS_TERMINAL_DATA)) {
        run->next++;
        reply(run, (struct corpus_reply){ .kind = CORPUS_REPLY_DATA, .bytes = given->bytes });
        return true;
    }
    /* A trace that expects nothing is met if its commands match. */
    if (!given && run->next && !(run->trace->expect && run->trace->expect->first)) return false;
    if (!given || (given->kind != CORPUS_EXCHANGE && given->kind != CORPUS_FAULT))
        return differ_here(run, name_of(given), as_hex(command, found));
    if (!same_command(run->trace, given->command, command))
        return differ_here(run, as_hex(given->command, expected), as_hex(command, found));
    run->next++;
    run->commands++;
    memcpy(run->sent, run->step.sent, run->sent_size = run->step.sent_size);
    run->sent_read = 0;
    reply(run, (struct corpus_reply){ .kind = given->kind == CORPUS_FAULT ? CORPUS_REPLY_FAULT : CORPUS_REPLY_RESPONSE,
                                      .fault = given->fault,
                                      .elapsed_us = given->elapsed_us,
                                      .bytes = given->bytes });
    return true;
}

static bool give_random(struct run *run)
{
    const size_t size = run->random.size < RANDOM_POOL ? run->random.size : RANDOM_POOL;
    if (size < 4) return differ(run, "transaction.random", "more bytes", "their end");
    reply(run, (struct corpus_reply){ .kind = CORPUS_REPLY_RANDOM, .bytes = { run->random.data, size } });
    run->random.data += size, run->random.size -= size;
    return true;
}

static bool give_data(struct run *run)
{
    if (!is_next(run, CORPUS_TERMINAL_DATA)) {
        if (!take_event(run)) reply(run, (struct corpus_reply){ .kind = CORPUS_REPLY_DEADLINE });
        return true;
    }
    reply(run, (struct corpus_reply){ .kind = CORPUS_REPLY_DATA, .bytes = run->trace->items[run->next++].bytes });
    return true;
}

/* A deadline that passes before the answer is the card's, which had been asked to stay (Book A, 8.1.1.21). */
static bool answer(struct run *run)
{
    const bool timed_out = is_next(run, CORPUS_DEADLINE);
    if (timed_out) run->next++;
    const struct corpus_item *given = item(run);
    if (!is_next(run, CORPUS_ONLINE) && !is_next(run, CORPUS_PIN)) return false;
    run->next++;
    reply(run, (struct corpus_reply){ .kind = given->kind == CORPUS_PIN ? CORPUS_REPLY_PIN : CORPUS_REPLY_ONLINE,
                                      .refused = given->refused,
                                      .removal_timed_out = timed_out,
                                      .bytes = given->bytes });
    return true;
}

/* A data exchange of Kernel 2 is FF8104 (Data To Send) and DF8106 (Data Needed). A cursor over data objects takes FF
 * for filler, so the pair is read by position: from its third byte the tag FF8104 reads as tag 04. */
static bool next_exchange(struct run *run, cemv_bytes *to_send, cemv_bytes *needed)
{
    static const uint8_t tag[] = { 0xFF, 0x81, 0x04 };
    const uint8_t *at = run->sent + run->sent_read;
    const size_t size = run->sent_size - run->sent_read;
    if (size < sizeof tag || memcmp(at, tag, sizeof tag) != 0) return false;
    struct cemv_tlv_cursor pair = cemv_tlv_open((cemv_bytes){ at + 2, size - 2 });
    struct cemv_tlv first, second;
    if (!cemv_tlv_next(&pair, &first) || !cemv_tlv_next(&pair, &second)) return false;
    *to_send = first.value, *needed = second.value;
    run->sent_read = (size_t)(second.whole.data + second.whole.size - run->sent);
    return true;
}

static size_t count_objects(cemv_bytes list)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(list);
    struct cemv_tlv object;
    size_t count = 0;
    while (cemv_tlv_next(&cursor, &object)) count++;
    return count;
}

/* { "dek": … }: the next data exchange of Kernel 2, complete; for Kernel 8, some of the objects that it sent. */
static bool compare_sent(struct run *run)
{
    cemv_bytes sent = { run->sent, run->sent_size }, needed = { NULL, 0 };
    struct cemv_tlv_cursor wanted = cemv_tlv_open(item(run)->bytes);
    struct cemv_tlv object, found;
    char expected[400], other[400];
    if (run->sent_read == run->sent_size) return differ_here(run, name_of(item(run)), "nothing is sent");
    const bool whole = next_exchange(run, &sent, &needed);
    if (whole && count_objects(sent) + (needed.size > 0) != count_objects(item(run)->bytes))
        return differ_here(run, as_hex(item(run)->bytes, expected), as_hex(sent, other));
    while (cemv_tlv_next(&wanted, &object)) {
        const bool lists_tags = whole && object.tag == 0xDF8106;
        const bool there = lists_tags || cemv_tlv_find(sent, object.tag, &found);
        const cemv_bytes value = lists_tags ? needed : there ? found.value : (cemv_bytes){ NULL, 0 };
        if (there && value.size == object.value.size && memcmp(value.data, object.value.data, value.size) == 0)
            continue;
        return differ_here(run, as_hex(object.whole, expected), there ? as_hex(value, other) : "absent");
    }
    run->next++;
    return true;
}

static bool go_on(struct run *run)
{
    if (is_next(run, CORPUS_SENT_DATA)) return compare_sent(run);
    switch (run->step.wait) {
    case CORPUS_WAIT_POLL: return present(run);
    case CORPUS_WAIT_REMOVAL: return remove_card(run);
    case CORPUS_WAIT_CLEAR: return differ_here(run, "a card", "several cards in the field");
    case CORPUS_WAIT_COMMAND: return exchange(run);
    case CORPUS_WAIT_DATA: return give_data(run);
    case CORPUS_WAIT_RANDOM: return give_random(run);
    case CORPUS_WAIT_DISPLAY: reply(run, (struct corpus_reply){ .kind = CORPUS_REPLY_CONTINUE }); return true;
    case CORPUS_WAIT_ANSWER: return answer(run);
    case CORPUS_WAIT_NOTHING: return false;
    case CORPUS_REFUSED: return differ(run, "configuration or transaction", "to be accepted", run->step.text);
    case CORPUS_BROKEN: return differ_here(run, "a step", run->step.text);
    }
    return false;
}

/* ---- expected results ---- */

static bool compare_text(struct run *run, const struct json *node, const char *expected, const char *found)
{
    char place[80];
    snprintf(place, sizeof place, "expect.%.*s", (int)node->name_size, node->name);
    return !found || strcmp(expected, found) == 0 || differ(run, place, expected, found);
}

/* If a trace ends before the card comes back, there is no final outcome: the tap is the request that the cardholder
 * saw. */
static const char *tap_of_waiting(const struct run *run, char text[400])
{
    if (run->presentments == 0) return "cancelled";
    for (const char *const *key = (const char *const[]){ "restartMessage", "message", NULL }; *key; key++) {
        const char *shown = run->kernel->find(run->kernel->own, *key, text);
        if (shown && strcmp(shown, "20") == 0) return "seePhone";
    }
    return "presentAgain";
}

static bool compare_messages(struct run *run, const struct json *list)
{
    char expected[400] = "", found[400] = "";
    size_t used = 0;
    for (const struct json *node = list->first; node && used + 8 < sizeof expected; node = node->next)
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%.*s ", (int)node->size, node->text);
    used = 0;
    for (size_t i = 0; i < run->message_count && used + 8 < sizeof found; i++)
        used += (size_t)snprintf(found + used, sizeof found - used, "%02X ", run->messages[i]);
    return compare_text(run, list, expected, found);
}

/* Account number, tracks, name: for a difference only the length is printed. */
static bool is_private(uint32_t tag)
{
    static const uint32_t tags[] = { 0x56, 0x57, 0x5A, 0x5F20, 0x9F0B, 0x9F1F, 0x9F20, 0x9F6B };
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (tags[i] == tag) return true;
    return false;
}

static const char *as_text(bool there, uint32_t tag, cemv_bytes value, char out[400])
{
    if (!there) return "absent";
    if (!is_private(tag)) return as_hex(value, out);
    snprintf(out, 400, "other bytes, %zu of them", value.size);
    return out;
}

/* Objects of the list by tag; `null` means absent. */
static bool compare_data(struct run *run, const struct json *list, bool discretionary)
{
    static uint8_t memory[8192];
    cemv_bytes record;
    if (!run->kernel->data(run->kernel->own, discretionary, &record)) return true;
    for (const struct json *node = list->first; node; node = node->next) {
        struct corpus_arena arena = { memory, sizeof memory, 0 };
        const struct json name = { .kind = JSON_STRING, .text = node->name, .size = node->name_size };
        struct cemv_tlv object = { 0 };
        cemv_bytes tag, value = { NULL, 0 };
        char place[80], expected[400], found[400];
        snprintf(place, sizeof place, "expect.%.*s.%.*s", (int)list->name_size, list->name, (int)node->name_size,
                 node->name);
        if (!corpus_hex(&name, &arena, &tag) || tag.size == 0 || tag.size > 4 ||
            (node->kind != JSON_NULL && !corpus_hex(node, &arena, &value)))
            return differ(run, place, "hex", "something else");
        uint32_t number = 0;
        for (size_t i = 0; i < tag.size; i++) number = number << 8 | tag.data[i];
        const bool there = cemv_tlv_find(record, number, &object), wanted = node->kind != JSON_NULL;
        if (there == wanted &&
            (!there || (object.value.size == value.size && memcmp(object.value.data, value.data, value.size) == 0)))
            continue;
        return differ(run, place, as_text(wanted, number, value, expected),
                      as_text(there, number, object.value, found));
    }
    return true;
}

/* Whether both lists have equal names, in any order. */
static bool compare_findings(struct run *run, const struct json *list, const char *found)
{
    char wanted[400];
    size_t count = 0;
    for (const char *at = found; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) count++;
    for (const struct json *node = list->first; node && found; node = node->next, count--) {
        const char *at = found;
        while (at && !(strncmp(at, node->text, node->size) == 0 && (at[node->size] == ',' || !at[node->size])))
            at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
        snprintf(wanted, sizeof wanted, "%.*s", (int)node->size, node->text);
        if (!at) return compare_text(run, list, wanted, found);
    }
    return !found || count == 0 || compare_text(run, list, "no other", found);
}

static bool is_key(const struct json *node)
{
    static const char *const keys[] = { "tap",        "outcome",         "cvm",
                                        "message",    "errorIndication", "alternateInterface",
                                        "start",      "restartMessage",  "holdMs",
                                        "fieldOffMs", "removalTimeout",  "valueQualifier",
                                        "value",      "receipt" };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (json_is_named(node, keys[i])) return true;
    return false;
}

static bool compare(struct run *run, const struct json *node)
{
    char text[400], expected[400], key[40];
    snprintf(key, sizeof key, "%.*s", (int)(node->name_size < 39 ? node->name_size : 39), node->name);
    snprintf(expected, sizeof expected, "%.*s", (int)(node->size < 399 ? node->size : 399), node->text);
    if (json_is_named(node, "messages")) return compare_messages(run, node);
    if (json_is_named(node, "data")) return compare_data(run, node, false);
    if (json_is_named(node, "discretionary")) return compare_data(run, node, true);
    if (json_is_named(node, "findings"))
        return compare_findings(run, node, run->kernel->find(run->kernel->own, key, text));
    if (json_is_named(node, "apdus")) {
        snprintf(text, sizeof text, "%zu", run->commands);
        return compare_text(run, node, expected, text);
    }
    if (!is_key(node)) return differ(run, "expect", "no other key than those of the format", "one");
    if (run->waiting && json_is_named(node, "tap")) return compare_text(run, node, expected, tap_of_waiting(run, text));
    return compare_text(run, node, expected, run->kernel->find(run->kernel->own, key, text));
}

bool corpus_replay_with(const struct corpus_trace *trace, const struct corpus_kernel *kernel,
                        struct corpus_report *report)
{
    struct run run = { .trace = trace, .kernel = kernel, .report = report };
    unsigned steps = 0;
    memset(report, 0, sizeof *report);
    begin(&run, &trace->sale, false);
    for (;;) {
        while (go_on(&run))
            if (++steps > MAX_STEPS) return differ(&run, "exchanges", "an end", "none in ten thousand steps");
        if (report->place[0] || !is_next(&run, CORPUS_SALE)) break;
        reply(&run, (struct corpus_reply){ .kind = CORPUS_REPLY_END });
        begin(&run, &run.trace->items[run.next++].sale, true);
    }
    if (!report->place[0] && item(&run)) differ_here(&run, name_of(item(&run)), "the end of the transaction");
    for (const struct json *node = trace->expect ? trace->expect->first : NULL; node && !report->place[0];
         node = node->next)
        compare(&run, node);
    if (run.step.wait < CORPUS_REFUSED) reply(&run, (struct corpus_reply){ .kind = CORPUS_REPLY_END });
    return !report->place[0];
}

bool corpus_replay(const struct corpus_trace *trace, struct corpus_bench *bench, struct corpus_arena *arena,
                   struct corpus_report *report)
{
    struct corpus_cemv own;
    const struct corpus_kernel kernel = corpus_kernel_cemv(&own, bench, arena);
    return corpus_replay_with(trace, &kernel, report);
}
