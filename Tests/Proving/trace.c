/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a tap under faults as a trace of format emv-trace/1. Knows no kernel and decides nothing; Schemas has the
 * format. */
#include "trace.h"

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

/* Data objects by tag. Kernel 2 has tags that begin with FF, which a cursor takes for filler: they are read by
 * position. */
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

static void put_row(FILE *out, const struct cemv_combination *row)
{
    static const char *const limits[] = { "transaction", "floor", "terminalFloor", "cvmRequired", "cdcvmTransaction" };
    static const char *const zero[] = { "online", "notAllowed", "offlineAllowed" };
    const char *comma = "";
    fprintf(out, "    { ");
    put_field(out, "aid", row->aid);
    fprintf(out, ", \"kernel\": %u, \"transactionTypes\": [", row->kernel_id[0]);
    for (size_t i = 0; i < row->transaction_types.size; i++)
        fprintf(out, "%s\"%02X\"", i ? ", " : "", row->transaction_types.data[i]);
    fprintf(out, "], \"limits\": {");
    for (size_t i = 0; i < CEMV_LIMIT_COUNT; i++) {
        if (!(row->limits.present & 1u << i)) continue;
        fprintf(out, "%s\"%s\": %llu", comma, limits[i], (unsigned long long)row->limits.amount[i]);
        comma = ", ";
    }
    fprintf(out, "}, \"statusCheck\": %s, \"zeroAmount\": \"%s\", \"extendedSelection\": %s, ",
            row->status_check ? "true" : "false", zero[row->zero_amount], row->extended_selection ? "true" : "false");
    if (row->ttq.size) {
        put_field(out, "ttq", row->ttq);
        fprintf(out, ", ");
    }
    const struct cemv_kernel_3_options *options = row->options;
    if (options && options->usage_control_off) fprintf(out, "\"usageControl\": false, ");
    put_objects(out, "data", row->data);
    fprintf(out, " }");
}

static void put_configuration(FILE *out, const struct cemv_configuration *all)
{
    static const char *const profiles[] = { "guarded", "book", "strict" };
    fprintf(out, "  \"configuration\": { \"format\": \"emv-configuration/1\",\n   ");
    put_objects(out, "terminal", all->terminal_data);
    fprintf(out, ",\n   \"combinations\": [\n");
    for (size_t i = 0; i < all->combination_count; i++) {
        put_row(out, &all->combinations[i]);
        fprintf(out, i + 1 < all->combination_count ? ",\n" : " ],\n");
    }
    fprintf(out, "   \"caKeys\": [\n");
    for (size_t i = 0; i < all->ca_key_count; i++) {
        const struct cemv_ca_key *key = &all->ca_keys[i];
        fprintf(out, "    { ");
        put_field(out, "rid", (cemv_bytes){ key->rid, 5 });
        fprintf(out, ", \"index\": \"%02X\", \"exponent\": \"%s\", ", key->index, key->exponent == 3 ? "03" : "010001");
        put_field(out, "modulus", key->modulus);
        if (key->sha1.size) {
            fprintf(out, ", ");
            put_field(out, "sha1", key->sha1);
        }
        fprintf(out, "%s }%s\n", key->test ? ", \"test\": true" : "", i + 1 < all->ca_key_count ? "," : " ],");
    }
    fprintf(out, "   \"revoked\": [");
    for (size_t i = 0; i < all->revocation_count; i++) {
        fprintf(out, "%s{ ", i ? ", " : "");
        put_field(out, "rid", (cemv_bytes){ all->revocations[i].rid, 5 });
        fprintf(out, ", \"index\": \"%02X\", ", all->revocations[i].index);
        put_field(out, "serial", (cemv_bytes){ all->revocations[i].serial, 3 });
        fprintf(out, " }");
    }
    fprintf(out, "],\n   \"protection\": { \"profile\": \"%s\" } },\n", profiles[all->protection.profile]);
}

static void put_transaction(FILE *out, const struct golden_tap *tap)
{
    const struct cemv_transaction *sale = &tap->transaction;
    const uint8_t *d = sale->date, *t = sale->time;
    fprintf(out,
            "  \"transaction\": { \"type\": \"%02X\", \"amount\": %llu, \"amountOther\": %llu, \"currency\": \"%04X\", "
            "\"exponent\": %u,",
            sale->type, (unsigned long long)sale->amount, (unsigned long long)sale->amount_other, sale->currency,
            sale->exponent);
    fprintf(out, " \"date\": \"20%02X-%02X-%02X\", \"time\": \"%02X:%02X:%02X\", \"counter\": %u, ", d[0], d[1], d[2],
            t[0], t[1], t[2], sale->counter);
    put_field(out, "random", tap->random);
    fprintf(out, ", ");
    put_objects(out, "data", sale->data);
    fprintf(out, " },\n  \"match\": \"exact\",\n  \"exchanges\": [");
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

void trace_write(FILE *out, const struct golden_tap *tap, const struct fault_run *run)
{
    unsigned presentments = 0;
    const char *comma = "";
    fprintf(out, "{ \"format\": \"emv-trace/1\", \"name\": \"%.*s\", \"source\": \"fault injection\",\n",
            (int)tap->name.size, (const char *)tap->name.data);
    put_configuration(out, &tap->reader->configuration);
    put_transaction(out, tap);
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
        } else if (run->commands[i].size) {
            put_reply(out, reply, run->commands[i], comma);
            comma = ",";
        }
    }
    fprintf(out, " ] }\n");
}
