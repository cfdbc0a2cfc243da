/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a tap under faults as a trace of format emv-trace/1: the recorded trace with other exchanges. Knows no kernel
 * and decides nothing; Schemas defines the format. */
#include "trace.h"

#include "../Corpus/json.h"
#include "recorded.h"

static void put_hex(FILE *out, cemv_bytes bytes)
{
    fputc('"', out);
    for (size_t i = 0; i < bytes.size; i++) fprintf(out, "%02X", bytes.data[i]);
    fputc('"', out);
}

static void put_field(FILE *out, const char *name, cemv_bytes bytes)
{
    fprintf(out, "\"%s\": ", name);
    put_hex(out, bytes);
}

/* Data objects by tag. They are read by position, because Kernel 2 has tags that begin with FF, which a cursor takes
 * for filler. */
static void put_objects(FILE *out, const char *name, cemv_bytes list)
{
    const uint8_t *at = list.data, *const end = list.size ? list.data + list.size : list.data;
    const char *comma = "";
    fprintf(out, "\"%s\": {", name);
    while (at != end) {
        uint32_t tag = *at++;
        if ((tag & 0x1F) == 0x1F) do
                tag = tag << 8 | *at;
            while (*at++ & 0x80);
        size_t size = *at++;
        if (size == 0x81) size = *at++;
        fprintf(out, "%s\"%X\": ", comma, tag);
        put_hex(out, (cemv_bytes){ at, size });
        comma = ", ";
        at += size;
    }
    fprintf(out, "}");
}

static void put_reply(FILE *out, const struct cemv_reply *reply, cemv_bytes command, const char *comma)
{
    static const char *const faults[] = { [CEMV_REPLY_TIMEOUT] = "timeout",
                                          [CEMV_REPLY_TRANSMISSION] = "transmission",
                                          [CEMV_REPLY_PROTOCOL] = "protocol",
                                          [CEMV_REPLY_REMOVED] = "removed" };
    if (command.size == 0) return;
    fprintf(out, "%s\n    { ", comma);
    put_field(out, "c", command);
    fprintf(out, ", ");
    if (reply->kind == CEMV_REPLY_RESPONSE) {
        put_field(out, "r", reply->bytes);
        if (reply->elapsed_us) fprintf(out, ", \"ms\": %u.%03u", reply->elapsed_us / 1000, reply->elapsed_us % 1000);
    } else if (reply->kind <= CEMV_REPLY_PROTOCOL || reply->kind == CEMV_REPLY_REMOVED) {
        fprintf(out, "\"fault\": \"%s\"", faults[reply->kind]);
    }
    fprintf(out, " }");
}

static void put_node(FILE *out, const struct json *node) { fprintf(out, "%.*s", (int)node->size, node->text); }

/* Writes the recorded trace's configuration, transaction and everything before the transaction of this tap. */
static const char *put_recorded(FILE *out, const struct recorded_taps *recorded, size_t number)
{
    static struct json nodes[20000];
    const struct recorded_text text = recorded_trace(number);
    struct json_reader reader = {
        .text = text.text, .size = text.size, .nodes = nodes, .capacity = sizeof nodes / sizeof nodes[0]
    };
    const struct json *const root = json_read(&reader), *const items = json_member(root, "exchanges");
    size_t sales = 0;
    const char *comma = "";
    fprintf(out, "{ \"format\": \"emv-trace/1\", \"name\": \"%s\", \"source\": \"fault injection\",\n",
            recorded->taps[number].name);
    fprintf(out, "  \"configuration\": ");
    put_node(out, json_member(root, "configuration"));
    fprintf(out, ",\n  \"transaction\": ");
    put_node(out, json_member(root, "transaction"));
    fprintf(out, ",\n  \"match\": \"%s\",\n  \"exchanges\": [",
            json_is(json_member(root, "match"), "header") ? "header" : "exact");
    while (recorded->taps[number - sales].keeps_memory) sales++;
    for (const struct json *item = items ? items->first : NULL; item && sales; item = item->next) {
        fprintf(out, "%s\n    ", comma);
        put_node(out, item);
        comma = ",";
        sales -= json_member(item, "sale") != NULL;
    }
    return comma;
}

void trace_write(FILE *out, const struct recorded_taps *recorded, size_t number, const struct fault_run *run)
{
    unsigned presentments = 0;
    const char *comma = put_recorded(out, recorded, number);
    for (size_t i = 0; i < run->logged; i++) {
        const struct cemv_reply *reply = &run->log[i];
        if (reply->kind == CEMV_REPLY_CARD) {
            if (++presentments > 1) {
                fprintf(out, "%s\n    { \"tap\": %u }", comma, presentments);
                comma = ",";
            }
        } else if (reply->kind == CEMV_REPLY_COLLISION) {
            fprintf(out, "%s\n    { \"collision\": true }", comma);
            comma = ",";
        } else if (reply->kind == CEMV_REPLY_ONLINE || (reply->kind == CEMV_REPLY_DATA && run->commands[i].size == 0 &&
                                                        reply->bytes.size != CEMV_RANDOM_POOL)) {
            fprintf(out, "%s\n    { ", comma);
            put_objects(out, reply->kind == CEMV_REPLY_ONLINE ? "online" : "det", reply->bytes);
            fprintf(out, " }");
            comma = ",";
        } else if (reply->kind == CEMV_REPLY_STOP) {
            fprintf(out, "%s\n    { \"stop\": true }", comma);
            comma = ",";
        } else if (run->commands[i].size) {
            put_reply(out, reply, run->commands[i], comma);
            comma = ",";
        }
    }
    fprintf(out, " ] }\n");
}
