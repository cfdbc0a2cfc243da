/* SPDX-License-Identifier: Apache-2.0 */
/* Writes recorded taps as C initialisers. If a member that a tap needs is missing here, that tap ends differently when
 * the C is run. Equal byte strings are written once. */
#include "bare.h"

#include <stdlib.h>
#include <string.h>

static FILE *out;

/* ---- bytes ---- */

enum { SLOTS = 1 << 18 };
static struct slot {
    cemv_bytes bytes;
    size_t at;
} slots[SLOTS];
static size_t pooled;

static size_t place_of(cemv_bytes bytes)
{
    size_t slot = (size_t)sum_bytes(SUM_EMPTY, bytes.data, bytes.size) % SLOTS, looked = 0;
    while (slots[slot].bytes.size &&
           (slots[slot].bytes.size != bytes.size || memcmp(slots[slot].bytes.data, bytes.data, bytes.size) != 0)) {
        slot = (slot + 1) % SLOTS;
        if (++looked == SLOTS) exit(2);
    }
    if (slots[slot].bytes.size == 0) {
        slots[slot] = (struct slot){ bytes, pooled };
        pooled += bytes.size;
    }
    return slots[slot].at;
}

static int in_order(const void *a, const void *b)
{
    const struct slot *first = a, *second = b;
    return first->at < second->at ? -1 : first->at > second->at;
}

static void put_pool(void)
{
    qsort(slots, SLOTS, sizeof slots[0], in_order);
    fprintf(out, "const uint8_t bare_bytes[] =");
    for (size_t i = 0; i < SLOTS; i++) {
        if (slots[i].bytes.size == 0) continue;
        fprintf(out, "\n\"");
        for (size_t at = 0; at < slots[i].bytes.size; at++) fprintf(out, "\\x%02X", slots[i].bytes.data[at]);
        fprintf(out, "\"");
    }
    fprintf(out, ";\n");
}

/* ---- members ---- */

static void put_array(const uint8_t *bytes, size_t size)
{
    fprintf(out, "{ ");
    for (size_t i = 0; i < size; i++) fprintf(out, "%u, ", bytes[i]);
    fprintf(out, "}, ");
}

/* A member that is zero is left out. */
#define NUMBER(row, member)                                                                                            \
    if ((row)->member) fprintf(out, "." #member " = %lld, ", (long long)(row)->member)
#define BYTES(row, member)                                                                                             \
    if ((row)->member.size)                                                                                            \
    fprintf(out, "." #member " = { bare_bytes + %zu, %zu }, ", place_of((row)->member), (row)->member.size)
#define ARRAY(row, member) fprintf(out, "." #member " = "), put_array((row)->member, sizeof(row)->member)

static void put_limits(const struct cemv_limits *limits)
{
    fprintf(out, "{ { ");
    for (size_t i = 0; i < CEMV_LIMIT_COUNT; i++) fprintf(out, "%lluu, ", (unsigned long long)limits->amount[i]);
    fprintf(out, "}, %u }, ", limits->present);
}

static void put_protection(const struct cemv_protection *p)
{
    fprintf(out, ".protection = { ");
    NUMBER(p, profile);
    NUMBER(p, cdcvm_trust);
    NUMBER(p, unsolicited_sdad);
    NUMBER(p, oda_tamper);
    NUMBER(p, cid_mismatch);
    NUMBER(p, brand_check);
    NUMBER(p, expiry_mismatch);
    NUMBER(p, luhn);
    NUMBER(p, offline);
    NUMBER(p, allow_test_keys);
    NUMBER(p, min_ca_bits);
    NUMBER(p, max_taps);
    NUMBER(p, max_records);
    NUMBER(p, magstripe);
    NUMBER(p, legacy);
    NUMBER(p, min_number_digits);
    NUMBER(p, torn);
    NUMBER(p, torn_lifetime_s);
    NUMBER(p, relay);
    NUMBER(p, relay_max_card_ms);
    NUMBER(p, relay_latency_us);
    fprintf(out, "}, ");
}

/* ---- options of a combination: the data they point to, then their members ---- */

static void put_pointed_to(const struct cemv_combination *row, size_t reader, size_t number)
{
    const struct cemv_kernel_3_options *visa = row->options;
    const struct cemv_kernel_4_options *express = row->options;
    if (row->kernel_id[0] == 3 && visa->dynamic_limit_count) {
        fprintf(out, "static const struct cemv_dynamic_limit limits_%zu_%zu[] = {\n", reader, number);
        for (size_t i = 0; i < visa->dynamic_limit_count; i++) {
            const struct cemv_dynamic_limit *set = &visa->dynamic_limits[i];
            fprintf(out, "{ ");
            BYTES(set, program);
            fprintf(out, ".limits = ");
            put_limits(&set->limits);
            NUMBER(set, zero_amount);
            NUMBER(set, status_check);
            fprintf(out, "},\n");
        }
        fprintf(out, "};\n");
    } else if (row->kernel_id[0] == 4 && express->dynamic_limits) {
        fprintf(out, "static const struct cemv_limits sets_%zu_%zu[] = {\n", reader, number);
        for (size_t i = 0; i <= CEMV_KERNEL_4_LIMIT_SETS; i++)
            put_limits(express->dynamic_limits[i] ? express->dynamic_limits[i] : &(struct cemv_limits){ 0 });
        fprintf(out, "};\nstatic const struct cemv_limits *const limits_%zu_%zu[] = { ", reader, number);
        for (size_t i = 0; i <= CEMV_KERNEL_4_LIMIT_SETS; i++)
            if (express->dynamic_limits[i]) fprintf(out, "sets_%zu_%zu + %zu, ", reader, number, i);
            else fprintf(out, "0, ");
        fprintf(out, "};\n");
    }
}

static void put_options_5(const struct cemv_kernel_5_options *options)
{
    fprintf(out, ".limits = ");
    put_limits(&options->limits);
    ARRAY(options, combination_options);
    ARRAY(options, terminal_interchange_profile);
    NUMBER(options, given);
    ARRAY(options, tac_denial);
    ARRAY(options, tac_online);
    ARRAY(options, tac_default);
    NUMBER(options, target);
    NUMBER(options, maximum_target);
    NUMBER(options, threshold);
    NUMBER(options, removal_timeout);
    ARRAY(options, transit_agent);
    ARRAY(options, transit_data);
}

static void put_options(const struct cemv_combination *row, size_t reader, size_t number)
{
    if (!row->options) return;
    put_pointed_to(row, reader, number);
    fprintf(out, "static const struct cemv_kernel_%u_options options_%zu_%zu = { ", row->kernel_id[0], reader, number);
    if (row->kernel_id[0] == 3) {
        const struct cemv_kernel_3_options *options = row->options;
        NUMBER(options, usage_control_off);
        NUMBER(options, gpo_format_1);
        NUMBER(options, dynamic_limit_count);
        if (options->dynamic_limit_count) fprintf(out, ".dynamic_limits = limits_%zu_%zu, ", reader, number);
    } else if (row->kernel_id[0] == 4) {
        const struct cemv_kernel_4_options *options = row->options;
        ARRAY(options, tac_denial);
        ARRAY(options, tac_online);
        ARRAY(options, tac_default);
        NUMBER(options, number_range);
        NUMBER(options, cannot_go_online);
        BYTES(options, discretionary_list);
        if (options->dynamic_limits) fprintf(out, ".dynamic_limits = limits_%zu_%zu, ", reader, number);
    } else if (row->kernel_id[0] == 5) {
        put_options_5(row->options);
    } else if (row->kernel_id[0] == 6) {
        const struct cemv_kernel_6_options *options = row->options;
        NUMBER(options, mode);
        NUMBER(options, other_interfaces);
        NUMBER(options, cvr_byte);
        NUMBER(options, one_presentment);
        NUMBER(options, track_1_tag);
    } else if (row->kernel_id[0] == 7) {
        const struct cemv_kernel_7_options *options = row->options;
        NUMBER(options, oda_for_online);
        NUMBER(options, cvm_off);
        NUMBER(options, other_interfaces);
    } else if (row->kernel_id[0] == 8) {
        const struct cemv_kernel_8_options *options = row->options;
        NUMBER(options, relay_latency_us);
        NUMBER(options, no_data_exchange);
    }
    fprintf(out, "};\n");
}

/* ---- a reader ---- */

static void put_combination(const struct cemv_combination *row, size_t reader, size_t number)
{
    fprintf(out, "{ ");
    BYTES(row, aid);
    ARRAY(row, kernel_id);
    NUMBER(row, kernel_id_size);
    NUMBER(row, extended_selection);
    NUMBER(row, status_check);
    NUMBER(row, zero_amount);
    BYTES(row, transaction_types);
    fprintf(out, ".limits = ");
    put_limits(&row->limits);
    BYTES(row, ttq);
    BYTES(row, data);
    NUMBER(row, own_protection);
    put_protection(&row->protection);
    if (row->options) fprintf(out, ".options = &options_%zu_%zu, ", reader, number);
    fprintf(out, "},\n");
}

static void put_keys(const struct cemv_configuration *all, size_t reader)
{
    fprintf(out, "static const struct cemv_ca_key keys_%zu[] = {\n", reader);
    for (size_t i = 0; i < all->ca_key_count; i++) {
        const struct cemv_ca_key *key = &all->ca_keys[i];
        fprintf(out, "{ ");
        ARRAY(key, rid);
        NUMBER(key, index);
        NUMBER(key, exponent);
        BYTES(key, modulus);
        BYTES(key, sha1);
        ARRAY(key, expires);
        NUMBER(key, test);
        fprintf(out, "},\n");
    }
    fprintf(out, "{ .index = 0 } };\nstatic const struct cemv_curve_key curves_%zu[] = {\n", reader);
    for (size_t i = 0; i < all->curve_key_count; i++) {
        const struct cemv_curve_key *key = &all->curve_keys[i];
        fprintf(out, "{ ");
        ARRAY(key, rid);
        NUMBER(key, index);
        NUMBER(key, suite);
        BYTES(key, x);
        BYTES(key, y);
        BYTES(key, sha256);
        ARRAY(key, expires);
        NUMBER(key, test);
        fprintf(out, "},\n");
    }
    fprintf(out, "{ .index = 0 } };\n");
}

static void put_refused_cards(const struct cemv_configuration *all, size_t reader)
{
    fprintf(out, "static const struct cemv_revocation revoked_%zu[] = {\n", reader);
    for (size_t i = 0; i < all->revocation_count; i++) {
        const struct cemv_revocation *row = &all->revocations[i];
        fprintf(out, "{ ");
        ARRAY(row, rid);
        NUMBER(row, index);
        ARRAY(row, serial);
        fprintf(out, "},\n");
    }
    fprintf(out, "{ .index = 0 } };\nstatic const struct cemv_exception exceptions_%zu[] = {\n", reader);
    for (size_t i = 0; i < all->exception_count; i++) {
        const struct cemv_exception *row = &all->exceptions[i];
        fprintf(out, "{ ");
        BYTES(row, pan);
        NUMBER(row, sequence);
        NUMBER(row, any_sequence);
        fprintf(out, "},\n");
    }
    fprintf(out, "{ .sequence = 0 } };\n");
}

static void put_reader(const struct cemv_configuration *all, size_t reader)
{
    for (size_t i = 0; i < all->combination_count; i++) put_options(&all->combinations[i], reader, i);
    fprintf(out, "static const struct cemv_combination rows_%zu[] = {\n", reader);
    for (size_t i = 0; i < all->combination_count; i++) put_combination(&all->combinations[i], reader, i);
    fprintf(out, "};\n");
    put_keys(all, reader);
    put_refused_cards(all, reader);
    fprintf(out,
            "static const struct recorded_reader reader_%zu = { .configuration = { .combinations = rows_%zu, "
            ".ca_keys = keys_%zu, .curve_keys = curves_%zu, .revocations = revoked_%zu, .exceptions = exceptions_%zu, ",
            reader, reader, reader, reader, reader, reader);
    NUMBER(all, combination_count);
    NUMBER(all, ca_key_count);
    NUMBER(all, curve_key_count);
    NUMBER(all, revocation_count);
    NUMBER(all, exception_count);
    BYTES(all, terminal_data);
    BYTES(all, poi_information);
    put_protection(&all->protection);
    fprintf(out, "} };\n");
}

/* ---- a tap ---- */

static void put_replies(const struct recorded_tap *tap, size_t number)
{
    fprintf(out, "static const struct recorded_reply replies_%zu[] = {\n", number);
    for (size_t i = 0; i < tap->reply_count; i++) {
        const struct recorded_reply *reply = &tap->replies[i];
        fprintf(out, "{ ");
        NUMBER(reply, kind);
        NUMBER(reply, removal_timed_out);
        NUMBER(reply, unable_to_go_online);
        NUMBER(reply, pin_not_captured);
        NUMBER(reply, elapsed_us);
        BYTES(reply, command);
        BYTES(reply, bytes);
        fprintf(out, "},\n");
    }
    fprintf(out, "{ .kind = 0 } };\n");
}

static void put_tap(const struct recorded_tap *tap, size_t reader, size_t number)
{
    const struct cemv_transaction *const sale = &tap->transaction;
    fprintf(out, "{ .name = \"%s\", .reader = &reader_%zu, .replies = replies_%zu, ", tap->name, reader, number);
    NUMBER(tap, keeps_memory);
    NUMBER(tap, reply_count);
    NUMBER(tap, status);
    fprintf(out, ".end = 0x%016llXu, ", (unsigned long long)tap->end);
    BYTES(tap, random);
    fprintf(out, ".transaction = { ");
    NUMBER(sale, type);
    NUMBER(sale, amount);
    NUMBER(sale, amount_other);
    NUMBER(sale, currency);
    NUMBER(sale, exponent);
    NUMBER(sale, utc_offset_minutes);
    ARRAY(sale, date);
    ARRAY(sale, time);
    NUMBER(sale, counter);
    BYTES(sale, data);
    BYTES(sale, preferred);
    NUMBER(sale, start_b);
    NUMBER(sale, cannot_go_online);
    fprintf(out, "} },\n");
}

/* Writes one in `step` of Kernel 8's taps (none if 0), and the earlier taps that their readers remember. */
static bool is_chosen(const struct recorded_tap *tap, size_t step)
{
    static size_t seen;
    if (!recorded_has_kernel_8(tap->reader)) return true;
    if (!tap->keeps_memory) seen++;
    return step != 0 && seen % step == 0;
}

void bare_write(FILE *stream, const struct recorded_taps *recorded, size_t step)
{
    const struct recorded_tap **chosen = calloc(recorded->tap_count + 1, sizeof *chosen);
    size_t *const reader_of = calloc(recorded->tap_count + 1, sizeof *reader_of), count = 0, readers = 0;
    if (!chosen || !reader_of) exit(2);
    out = stream;
    fprintf(out, "/* Written by Scripts/proving bare. */\n#include \"taps.h\"\nextern const uint8_t bare_bytes[];\n");
    for (size_t i = 0; i < recorded->tap_count; i++) {
        const struct recorded_tap *tap = &recorded->taps[i];
        size_t same = 0;
        if (!is_chosen(tap, step)) continue;
        chosen[count] = tap;
        while (chosen[same]->reader != tap->reader) same++;
        reader_of[count] = same == count ? readers++ : reader_of[same];
        if (same == count) put_reader(&tap->reader->configuration, reader_of[count]);
        put_replies(tap, count++);
    }
    fprintf(out, "static const struct recorded_tap taps[] = {\n");
    for (size_t i = 0; i < count; i++) put_tap(chosen[i], reader_of[i], i);
    fprintf(out, "};\nconst struct recorded_taps bare_taps = { taps, %zu };\n", count);
    put_pool();
    free(chosen);
    free(reader_of);
}
