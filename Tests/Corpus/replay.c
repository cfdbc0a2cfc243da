/* Playing a trace through a session and comparing what comes of it. */
#include "corpus.h"

#include <stdio.h>
#include <string.h>

#include "../../Sources/CEMV/include/cemv_debug.h"

enum { MAX_MESSAGES = 64, MAX_STEPS = 10000 };

struct run {
    const struct corpus_trace *trace;
    struct corpus_bench *bench;
    struct corpus_report *report;
    struct cemv_session *session;
    struct corpus_sale sale;
    size_t next;                        /* item */
    size_t commands, presentments;
    uint8_t messages[MAX_MESSAGES];
    size_t message_count;
    bool tap_announced, waiting;
    uint8_t sent[1200];                 /* what the kernel sent to the terminal since the last command went out */
    size_t sent_size;
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
    for (size_t i = 0; i < bytes.size && used + 4 < 400; i++) used += (size_t)snprintf(out + used, 400 - used, "%02X", bytes.data[i]);
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

static bool is_next(const struct run *run, enum corpus_item_kind kind)
{
    return item(run) && item(run)->kind == kind;
}

static const char *name_of(const struct corpus_item *item)
{
    static const char *const names[] = { "a command", "a command", "a tap", "a collision", "the issuer's answer", "terminal data", "a stop", "a deadline",
        "the card to be removed", "a PIN", "a further sale", "data sent to the terminal" };
    return item ? names[item->kind] : "the end of the trace";
}

/* ---- steps ---- */

static bool begin(struct run *run, const struct corpus_sale *sale)
{
    struct cemv_config_error error;
    run->sale = *sale;
    run->sale.transaction.reader = &run->bench->reader;
    if (cemv_session_begin(run->bench->session, sizeof run->bench->session, run->trace->checked, &run->sale.transaction, run->sale.random,
                           &run->session, &error) == CEMV_OK) {
        run->sale.random.data += run->sale.random.size < CEMV_RANDOM_POOL ? run->sale.random.size : CEMV_RANDOM_POOL;
        run->sale.random.size -= run->sale.random.size < CEMV_RANDOM_POOL ? run->sale.random.size : CEMV_RANDOM_POOL;
        return true;
    }
    run->session = NULL;
    return differ_here(run, "a transaction that can begin", "one that is refused");
}

/* Messages and data for the terminal come with a step: noted once, when it is reached. */
static void note_step(struct run *run)
{
    for (size_t i = 0; i < cemv_session_ui_count(run->session) && run->message_count < MAX_MESSAGES; i++)
        run->messages[run->message_count++] = cemv_session_ui(run->session, i).message;
    const cemv_bytes sent = cemv_session_exchange(run->session);
    if (sent.size == 0 || sent.size > sizeof run->sent - run->sent_size) return;
    memcpy(run->sent + run->sent_size, sent.data, sent.size);
    run->sent_size += sent.size;
}

static void reply(struct run *run, struct cemv_reply given)
{
    (void)cemv_session_reply(run->session, &given);
    note_step(run);
}

/* Reads { "tap": n }; false where the trace ends here or goes on in another way. */
static bool announce(struct run *run)
{
    char found[40];
    if (run->tap_announced) return true;
    run->waiting = item(run) == NULL;
    if (run->waiting) return false;
    snprintf(found, sizeof found, "tap %zu", run->presentments + 1);
    if (!is_next(run, CORPUS_TAP) || item(run)->number != run->presentments + 1) return differ_here(run, name_of(item(run)), found);
    run->next++;
    return run->tap_announced = true;
}

static void arrive(struct run *run)
{
    run->presentments++;
    run->tap_announced = false;
    reply(run, (struct cemv_reply){ .kind = CEMV_REPLY_CARD });
}

/* A stop, a passed deadline or a removed card, where the step takes it. */
static bool take_event(struct run *run)
{
    static const struct {
        enum corpus_item_kind item;
        uint8_t reply;
    } events[] = { { CORPUS_STOP, CEMV_REPLY_STOP }, { CORPUS_DEADLINE, CEMV_REPLY_DEADLINE }, { CORPUS_REMOVED, CEMV_REPLY_REMOVED } };
    for (size_t i = 0; i < 3; i++) {
        if (!is_next(run, events[i].item) || !cemv_session_takes(run->session, events[i].reply)) continue;
        run->next++;
        reply(run, (struct cemv_reply){ .kind = events[i].reply });
        return true;
    }
    return false;
}

static bool present(struct run *run)
{
    if (take_event(run)) return true;
    if (cemv_session_takes(run->session, CEMV_REPLY_REMOVED)) {
        if (!announce(run)) return false;
        reply(run, (struct cemv_reply){ .kind = CEMV_REPLY_REMOVED });
        return true;
    }
    if (is_next(run, CORPUS_TAP)) return announce(run);
    if (is_next(run, CORPUS_COLLISION)) {
        run->next++;
        reply(run, (struct cemv_reply){ .kind = CEMV_REPLY_COLLISION });
        if (cemv_session_takes(run->session, CEMV_REPLY_COLLISION_CLEARED)) reply(run, (struct cemv_reply){ .kind = CEMV_REPLY_COLLISION_CLEARED });
        return true;
    }
    if (is_next(run, CORPUS_EXCHANGE) || is_next(run, CORPUS_FAULT)) {
        if (run->presentments && !run->tap_announced) return differ_here(run, "a command of the same presentment", "the card is to be presented again");
        arrive(run);
        return true;
    }
    if (item(run) && !is_next(run, CORPUS_SALE)) return differ_here(run, name_of(item(run)), "the kernel waits for a card");
    if (run->tap_announced) {
        arrive(run);
        return true;
    }
    run->waiting = true;
    return false;
}

/* Without its data a command has a header of four bytes; a SELECT is told by its name, too. */
static bool same_command(const struct corpus_trace *trace, cemv_bytes expected, cemv_bytes found)
{
    if (!trace->by_header) return expected.size == found.size && memcmp(expected.data, found.data, found.size) == 0;
    if (expected.size < 4 || found.size < 4 || memcmp(expected.data, found.data, 4) != 0) return false;
    if (expected.data[1] != 0xA4) return true;
    return expected.size >= 5 && found.size >= 5 && expected.data[4] == found.data[4] && expected.size >= 5u + expected.data[4] &&
           memcmp(expected.data, found.data, 5u + expected.data[4]) == 0;
}

static bool send(struct run *run)
{
    const cemv_bytes command = cemv_session_command(run->session);
    const struct corpus_item *given = item(run);
    char expected[400], found[400];
    if (is_next(run, CORPUS_TERMINAL_DATA) && cemv_session_takes(run->session, CEMV_REPLY_DATA)) {
        run->next++;
        reply(run, (struct cemv_reply){ .kind = CEMV_REPLY_DATA, .bytes = given->bytes });
        return true;
    }
    if (is_next(run, CORPUS_STOP)) return take_event(run);
    if (!given || (given->kind != CORPUS_EXCHANGE && given->kind != CORPUS_FAULT)) return differ_here(run, name_of(given), as_hex(command, found));
    if (!same_command(run->trace, given->command, command)) return differ_here(run, as_hex(given->command, expected), as_hex(command, found));
    run->next++;
    run->commands++;
    run->sent_size = 0;
    const cemv_bytes sent = cemv_session_exchange(run->session);
    if (sent.size && sent.size <= sizeof run->sent) memcpy(run->sent, sent.data, sent.size), run->sent_size = sent.size;
    if (given->kind == CORPUS_FAULT) reply(run, (struct cemv_reply){ .kind = given->fault });
    else reply(run, (struct cemv_reply){ .kind = CEMV_REPLY_RESPONSE, .elapsed_us = given->elapsed_us, .bytes = given->bytes });
    return true;
}

static bool ask(struct run *run)
{
    if (cemv_session_question(run->session).kind == CEMV_ASK_RANDOM) {
        const size_t size = run->sale.random.size < CEMV_RANDOM_POOL ? run->sale.random.size : CEMV_RANDOM_POOL;
        if (size < 4) return differ(run, "transaction.random", "more bytes", "their end");
        reply(run, (struct cemv_reply){ .kind = CEMV_REPLY_DATA, .bytes = { run->sale.random.data, size } });
        run->sale.random.data += size, run->sale.random.size -= size;
        return true;
    }
    if (is_next(run, CORPUS_TERMINAL_DATA)) {
        reply(run, (struct cemv_reply){ .kind = CEMV_REPLY_DATA, .bytes = run->trace->items[run->next++].bytes });
    } else if (!take_event(run)) {
        reply(run, (struct cemv_reply){ .kind = CEMV_REPLY_DEADLINE });
    }
    return true;
}

static bool parked(struct run *run)
{
    const struct corpus_item *given = item(run);
    if (is_next(run, CORPUS_ONLINE))
        reply(run, (struct cemv_reply){ .kind = CEMV_REPLY_ONLINE, .unable_to_go_online = given->refused, .bytes = given->bytes });
    else if (is_next(run, CORPUS_PIN)) reply(run, (struct cemv_reply){ .kind = CEMV_REPLY_PIN, .pin_not_captured = given->refused });
    else return false;
    run->next++;
    return true;
}

/* { "dek": … }: objects among those that the kernel sent; FF8104 may hold what reads as filler, and is compared whole. */
static bool compare_sent(struct run *run)
{
    struct cemv_tlv_cursor wanted = cemv_tlv_open(item(run)->bytes);
    struct cemv_tlv object, found;
    char expected[400], other[400];
    while (cemv_tlv_next(&wanted, &object)) {
        const bool there = cemv_tlv_find((cemv_bytes){ run->sent, run->sent_size }, object.tag, &found);
        if (there && found.value.size == object.value.size && memcmp(found.value.data, object.value.data, object.value.size) == 0) continue;
        return differ_here(run, as_hex(object.whole, expected), there ? as_hex(found.whole, other) : "absent");
    }
    run->next++;
    return true;
}

static bool step(struct run *run)
{
    if (is_next(run, CORPUS_SENT_DATA)) return compare_sent(run);
    switch (cemv_session_step(run->session)) {
    case CEMV_STEP_POLL: return present(run);
    case CEMV_STEP_SEND: return send(run);
    case CEMV_STEP_ASK: return ask(run);
    case CEMV_STEP_WORK: reply(run, (struct cemv_reply){ .kind = CEMV_REPLY_CONTINUE }); return true;
    case CEMV_STEP_PARKED: return parked(run);
    case CEMV_STEP_DONE: return false;
    default: return differ_here(run, "a step", "none of them");
    }
}

/* ---- what is expected ---- */

static const char *tap_name(const struct run *run, const struct cemv_outcome *o)
{
    if (run->waiting && run->presentments == 0) return "cancelled";
    if (run->waiting) {
        const bool phone = (o->ui_on_restart_present && o->ui_on_restart.message == CEMV_MESSAGE_SEE_PHONE) ||
                           (o->ui_on_outcome_present && o->ui_on_outcome.message == CEMV_MESSAGE_SEE_PHONE);
        return phone ? "seePhone" : "presentAgain";
    }
    switch (o->status) {
    case CEMV_OUTCOME_APPROVED: return "success";
    case CEMV_OUTCOME_ONLINE_REQUEST: return o->cvm == CEMV_CVM_ONLINE_PIN ? "onlinePINRequired" : "success";
    case CEMV_OUTCOME_REQUEST_ONLINE_PIN: return "onlinePINRequired";
    case CEMV_OUTCOME_DECLINED: return "declined";
    default: break;
    }
    switch (o->reason) {
    case CEMV_REASON_NOT_ALLOWED:
    case CEMV_REASON_KERNEL_LIMIT: return "limitExceeded";
    case CEMV_REASON_NO_COMMON_APPLICATION: return "unsupportedNetwork";
    case CEMV_REASON_NO_COMBINATION:
    case CEMV_REASON_RANDOM:
    case CEMV_REASON_INTERNAL: return "failed";
    case CEMV_REASON_STOPPED:
    case CEMV_REASON_ABANDONED: return "cancelled";
    default: return o->status == CEMV_OUTCOME_TRY_ANOTHER_INTERFACE ? "tryAnotherInterface" : "unreadable";
    }
}

struct word {
    uint8_t value;
    const char *name;
};

static const char *word(const struct word *words, uint8_t value)
{
    while (words->name && words->value != value) words++;
    return words->name ? words->name : "another value";
}

static const struct word statuses[] = { { CEMV_OUTCOME_APPROVED, "approved" }, { CEMV_OUTCOME_DECLINED, "declined" },
    { CEMV_OUTCOME_ONLINE_REQUEST, "onlineRequest" }, { CEMV_OUTCOME_REQUEST_ONLINE_PIN, "requestOnlinePIN" }, { CEMV_OUTCOME_TRY_AGAIN, "tryAgain" },
    { CEMV_OUTCOME_SELECT_NEXT, "selectNext" }, { CEMV_OUTCOME_END_APPLICATION, "endApplication" },
    { CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, "tryAnotherInterface" }, { 0, NULL } };
static const struct word cvms[] = { { CEMV_CVM_NONE, "none" }, { CEMV_CVM_SIGNATURE, "signature" }, { CEMV_CVM_ONLINE_PIN, "onlinePIN" },
    { CEMV_CVM_CDCVM, "cdcvm" }, { CEMV_CVM_NA, "notApplicable" }, { 0, NULL } };
static const struct word interfaces[] = { { CEMV_INTERFACE_CONTACT_CHIP, "contact" }, { CEMV_INTERFACE_MAGSTRIPE, "magstripe" },
    { CEMV_INTERFACE_NA, "none" }, { 0, NULL } };
static const struct word starts[] = { { CEMV_START_A, "A" }, { CEMV_START_B, "B" }, { CEMV_START_C, "C" }, { CEMV_START_D, "D" },
    { CEMV_START_NA, "none" }, { 0, NULL } };
static const struct word qualifiers[] = { { CEMV_VALUE_NONE, "none" }, { CEMV_VALUE_AMOUNT, "amount" }, { CEMV_VALUE_BALANCE, "balance" }, { 0, NULL } };

static bool compare_text(struct run *run, const struct json *node, const char *found)
{
    char place[80], expected[400];
    snprintf(place, sizeof place, "expect.%.*s", (int)node->name_size, node->name);
    snprintf(expected, sizeof expected, "%.*s", node->kind == JSON_NULL ? 4 : (int)(node->size < 390 ? node->size : 390), node->kind == JSON_NULL ? "null" : node->text);
    return strcmp(expected, found) == 0 || differ(run, place, expected, found);
}

static bool compare_number(struct run *run, const struct json *node, bool present, uint64_t found)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)found);
    return compare_text(run, node, present ? text : "null");
}

static bool compare_byte(struct run *run, const struct json *node, bool present, uint8_t found)
{
    char text[8];
    snprintf(text, sizeof text, "%02X", found);
    return compare_text(run, node, present ? text : "null");
}

static bool compare_truth(struct run *run, const struct json *node, bool found)
{
    return (node->kind == JSON_TRUE) == found || differ(run, "expect.receipt", node->kind == JSON_TRUE ? "true" : "false", found ? "true" : "false");
}

static bool compare_messages(struct run *run, const struct json *list)
{
    char expected[400] = "", found[400] = "";
    size_t used = 0;
    for (const struct json *node = list->first; node && used + 8 < sizeof expected; node = node->next)
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%.*s ", (int)node->size, node->text);
    used = 0;
    for (size_t i = 0; i < run->message_count && used + 8 < sizeof found; i++) used += (size_t)snprintf(found + used, sizeof found - used, "%02X ", run->messages[i]);
    return strcmp(expected, found) == 0 || differ(run, "expect.messages", expected, found);
}

/* Account number, tracks, name: a difference in them is told by length alone. */
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
static bool compare_data(struct run *run, const struct json *list, cemv_bytes record)
{
    uint8_t memory[8192];
    for (const struct json *node = list->first; node; node = node->next) {
        struct corpus_arena arena = { memory, sizeof memory, 0 };
        const struct json name = { .kind = JSON_STRING, .text = node->name, .size = node->name_size };
        struct cemv_tlv object = { 0 };
        cemv_bytes tag, value = { NULL, 0 };
        char place[80], expected[400], found[400];
        snprintf(place, sizeof place, "expect.%.*s.%.*s", (int)list->name_size, list->name, (int)node->name_size, node->name);
        if (!corpus_hex(&name, &arena, &tag) || tag.size == 0 || tag.size > 4 || (node->kind != JSON_NULL && !corpus_hex(node, &arena, &value)))
            return differ(run, place, "hex", "something else");
        uint32_t number = 0;
        for (size_t i = 0; i < tag.size; i++) number = number << 8 | tag.data[i];
        const bool there = cemv_tlv_find(record, number, &object), wanted = node->kind != JSON_NULL;
        if (there == wanted && (!there || (object.value.size == value.size && memcmp(object.value.data, value.data, value.size) == 0))) continue;
        return differ(run, place, as_text(wanted, number, value, expected), as_text(there, number, object.value, found));
    }
    return true;
}

static bool compare_findings(struct run *run, const struct json *list, uint64_t found)
{
    for (uint8_t i = 0; i < CEMV_FINDING_COUNT; i++) {
        bool wanted = false;
        for (const struct json *node = list->first; node; node = node->next) wanted |= json_is(node, cemv_name_of_finding(i));
        if (wanted != (found >> i & 1)) return differ(run, "expect.findings", wanted ? cemv_name_of_finding(i) : "none", wanted ? "none" : cemv_name_of_finding(i));
    }
    return true;
}

static bool compare(struct run *run, const struct json *node, const struct cemv_outcome *o)
{
    char text[400];
    const struct cemv_ui_request *ui = &o->ui_on_outcome;
    if (json_is_named(node, "tap")) return compare_text(run, node, tap_name(run, o));
    if (json_is_named(node, "outcome")) return compare_text(run, node, word(statuses, o->status));
    if (json_is_named(node, "cvm")) return compare_text(run, node, word(cvms, o->cvm));
    if (json_is_named(node, "message")) return compare_byte(run, node, o->ui_on_outcome_present, ui->message);
    if (json_is_named(node, "messages")) return compare_messages(run, node);
    if (json_is_named(node, "apdus")) return compare_number(run, node, true, run->commands);
    if (json_is_named(node, "errorIndication")) return compare_text(run, node, as_hex((cemv_bytes){ o->error_indication, 6 }, text));
    if (json_is_named(node, "data")) return compare_data(run, node, cemv_session_data_record(run->session));
    if (json_is_named(node, "discretionary")) return compare_data(run, node, cemv_session_discretionary(run->session));
    if (json_is_named(node, "findings")) return compare_findings(run, node, o->findings);
    if (json_is_named(node, "alternateInterface")) return compare_text(run, node, word(interfaces, o->alternate_interface));
    if (json_is_named(node, "start")) return compare_text(run, node, word(starts, o->start));
    if (json_is_named(node, "restartMessage")) return compare_byte(run, node, o->ui_on_restart_present, o->ui_on_restart.message);
    if (json_is_named(node, "holdMs")) return compare_number(run, node, o->ui_on_outcome_present, ui->hold_ms);
    if (json_is_named(node, "fieldOffMs")) return compare_number(run, node, o->field_off != CEMV_FIELD_OFF_NA, o->field_off * 100u);
    if (json_is_named(node, "removalTimeout")) return compare_number(run, node, true, o->removal_timeout);
    if (json_is_named(node, "valueQualifier")) return compare_text(run, node, word(qualifiers, o->ui_on_outcome_present ? ui->value_qualifier : 0));
    if (json_is_named(node, "value")) return compare_number(run, node, o->ui_on_outcome_present && ui->value_qualifier != 0, ui->value);
    if (json_is_named(node, "receipt")) return compare_truth(run, node, o->receipt);
    return differ(run, "expect", "no other key than those of the format", "one");
}

bool corpus_replay(const struct corpus_trace *trace, struct corpus_bench *bench, struct corpus_report *report)
{
    struct run run = { .trace = trace, .bench = bench, .report = report };
    memset(report, 0, sizeof *report);
    memset(&bench->reader, 0, sizeof bench->reader);
    if (!begin(&run, &trace->sale)) return false;
    for (unsigned steps = 0;; steps++) {
        note_step(&run);
        while (step(&run))
            if (++steps > MAX_STEPS) return differ(&run, "exchanges", "an end", "none in ten thousand steps");
        if (report->place[0] || !is_next(&run, CORPUS_SALE)) break;
        reply(&run, (struct cemv_reply){ .kind = CEMV_REPLY_ABANDON });
        run.commands = run.message_count = run.presentments = run.sent_size = 0;
        run.tap_announced = run.waiting = false;
        if (!begin(&run, &run.trace->items[run.next++].sale)) return false;
    }
    if (!report->place[0] && item(&run)) differ_here(&run, name_of(item(&run)), "the end of the transaction");
    const struct cemv_outcome outcome = cemv_session_outcome(run.session);
    for (const struct json *node = trace->expect ? trace->expect->first : NULL; node && !report->place[0]; node = node->next) compare(&run, node, &outcome);
    cemv_session_wipe(run.session);
    return !report->place[0];
}
