/* SPDX-License-Identifier: Apache-2.0 */
/* Plays a recorded tap with a random configuration, transaction, terminal and card, and checks invariants after every
 * step. Knows no kernel. perturbations.h defines a perturbation. */
#include "perturbations.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "CEMVInternals.h"
#include "../../Sources/CEMV/include/cemv_kernel.h"
#include "random_values.h"

enum { MAX_STEPS = 700, ROWS = 16, KEYS = 24, EDITS = 4, LIST = 1500, KERNELS = 8 };

/* ---- random choices ---- */

/* Values at which rules change. */
static void random_value(uint8_t *out, size_t size, unsigned format)
{
    const unsigned kind = below(6);
    for (size_t i = 0; i < size; i++) {
        out[i] = kind < 2  ? (uint8_t)below(256)
               : kind == 2 ? 0
               : kind == 3 ? 0xFF
                           : (uint8_t)(once_in(2) ? 1u << below(8) : 0);
        if (format == CEMV_FORMAT_N) out[i] = (uint8_t)(below(10) << 4 | below(10));
        if (format == CEMV_FORMAT_N && i + 2 < size && !once_in(4)) out[i] = 0;
        if (format == CEMV_FORMAT_A || format == CEMV_FORMAT_AN || format == CEMV_FORMAT_ANS)
            out[i] = (uint8_t) "abexyz019"[below(9)];
    }
}

static size_t put_object(uint8_t *out, uint32_t tag, cemv_bytes value)
{
    size_t size = cemv_tag_write(out, tag);
    if (value.size > 255) {
        out[size++] = 0x82;
        out[size++] = (uint8_t)(value.size >> 8);
        out[size++] = (uint8_t)value.size;
    } else if (value.size > 127) {
        out[size++] = 0x81;
        out[size++] = (uint8_t)value.size;
    } else out[size++] = (uint8_t)value.size;
    if (value.size) memmove(out + size, value.data, value.size);
    return size + value.size;
}

/* An object that one of these may supply. */
static size_t put_random(uint8_t *out, uint8_t sources, uint8_t templates)
{
    for (unsigned i = 0; i < 200; i++) {
        const struct cemv_tag_row *info = tag_row_at(below(TAG_ROWS));
        if (!(info->source & sources) || (templates && !(info->templates & templates)) ||
            cemv_tag_is_constructed(info->tag))
            continue;
        uint8_t value[40];
        const uint32_t most = info->max > 32 ? 32 : info->max;
        const size_t size = info->min >= most ? most : once_in(2) ? info->min : info->min + below(most - info->min + 1);
        random_value(value, size, info->format);
        if (info->tag == 0x9F5A) memcpy(value, "\1\2\3", size < 3 ? size : 3);
        return put_object(out, info->tag, (cemv_bytes){ value, size });
    }
    return 0;
}

static void edit_value(uint8_t *value, size_t *size, uint32_t tag)
{
    const struct cemv_tag_row *info = tag_row_of(tag);
    if (*size == 0) return;
    switch (below(7)) {
    case 0:
    case 1: value[below((uint32_t)*size)] ^= (uint8_t)(1u << below(8)); break;
    case 2: value[below((uint32_t)*size)] = (uint8_t)below(256); break;
    case 3: random_value(value, *size, info ? info->format : CEMV_FORMAT_B); break;
    case 4: value[*size - 1]++; break;
    case 5: *size = below((uint32_t)*size + 1); break;
    default: memset(value, once_in(2) ? 0 : 0xFF, *size); break;
    }
}

/* ---- a third-party kernel that behaves at random ---- */

static uint64_t heard; /* a sum over the data it received */

static void hear(const void *data, size_t size) { heard = sum_bytes(heard, data, size); }

static enum cemv_step third_party_end(struct cemv_kernel *kernel)
{
    static const uint8_t statuses[] = { CEMV_OUTCOME_APPROVED,
                                        CEMV_OUTCOME_DECLINED,
                                        CEMV_OUTCOME_ONLINE_REQUEST,
                                        CEMV_OUTCOME_REQUEST_ONLINE_PIN,
                                        CEMV_OUTCOME_END_APPLICATION,
                                        CEMV_OUTCOME_SELECT_NEXT,
                                        CEMV_OUTCOME_TRY_ANOTHER_INTERFACE,
                                        CEMV_OUTCOME_TRY_AGAIN };
    static const uint8_t starts[] = { CEMV_START_A, CEMV_START_B, CEMV_START_C, CEMV_START_D, CEMV_START_NA },
                         responses[] = { CEMV_ONLINE_RESPONSE_EMV_DATA, CEMV_ONLINE_RESPONSE_ANY,
                                         CEMV_ONLINE_RESPONSE_NA };
    static uint8_t record[CEMV_RECORD_CAPACITY + 8];
    struct cemv_outcome outcome = { .status = statuses[below(8)],
                                    .start = starts[below(5)],
                                    .online_response = responses[below(3)],
                                    .cvm = (uint8_t)(16 * below(4)),
                                    .receipt = once_in(2),
                                    .reason = (uint8_t)(1 + below(5)),
                                    .removal_timeout_100ms = (uint16_t)(once_in(2) ? below(100) : 0),
                                    .field_off_100ms = (uint16_t)(once_in(2) ? below(50) : CEMV_FIELD_OFF_NA),
                                    .findings = once_in(3) ? 1u << below(CEMV_FINDING_COUNT) : 0,
                                    .data_record_present = once_in(2) };
    const struct cemv_ui_request request = { .message = CEMV_MESSAGE_SEE_PHONE,
                                             .status = CEMV_UI_PROCESSING_ERROR,
                                             .hold_ms = below(2000) };
    if (once_in(2)) outcome.ui_on_outcome_present = true, outcome.ui_on_outcome = request;
    if (once_in(2)) outcome.ui_on_restart_present = true, outcome.ui_on_restart = request;
    memcpy(record, "\x9C\1\0\x82\2\1\2", 7);
    const cemv_bytes data = { record, once_in(24) ? CEMV_RECORD_CAPACITY + below(3) : 3 * below(2) },
                     more = { record + 3, once_in(24) ? CEMV_RECORD_CAPACITY - 3 + below(3) : 4 * below(2) };
    outcome.data_record_present = data.size == 3;
    return cemv_kernel_finish(kernel, &outcome, data.size > 3 ? (cemv_bytes){ record, CEMV_RECORD_CAPACITY + 1 } : data,
                              more);
}

static enum cemv_step third_party_step(struct cemv_kernel *kernel)
{
    static const uint8_t list[] = { 0x9F, 0x37, 0x04, 0x9F, 0x02, 0x06, 0x9A, 0x03 };
    const struct cemv_ui_request request = { .message = CEMV_MESSAGE_PROCESSING, .status = CEMV_UI_PROCESSING };
    const struct cemv_command read = { .ins = 0xB2, .p1 = (uint8_t)(1 + below(2)), .p2 = 0x0C, .le = CEMV_LE_MAX };
    uint8_t *own = cemv_kernel_memory(kernel), out[20];
    size_t size = 0;
    own[0]++;
    hear(own, 1);
    for (unsigned i = below(8); i > 4; i--) {
        const bool shown = cemv_kernel_show(kernel, &request);
        hear(&shown, 1);
    }
    if (cemv_kernel_build_dol(kernel, (cemv_bytes){ list, sizeof list }, out, once_in(4) ? 12 : sizeof out, &size))
        hear(out, size);
    const uint8_t state_now = (uint8_t)(1 + below(CEMV_STATES_MAX - 1));
    switch (below(6)) {
    case 0: return cemv_kernel_ask(kernel, state_now, (cemv_bytes){ list, 2 }, 100);
    case 1: return cemv_kernel_publish(kernel, state_now);
    case 2:
    case 3: return cemv_kernel_send(kernel, state_now, &read);
    default: return third_party_end(kernel);
    }
}

static enum cemv_step third_party_begin(struct cemv_kernel *kernel)
{
    static const uint32_t tags[] = { 0x9F1A, 0x9F02, 0x9C, 0x5A, 0x9F35 };
    const struct cemv_activation a = cemv_kernel_activation(kernel);
    const uint8_t flags[] = { a.start,
                              a.restarted,
                              a.online_response_present,
                              a.unable_to_go_online,
                              a.removal_timed_out,
                              (uint8_t)(a.status_word >> 8),
                              (uint8_t)a.status_word,
                              a.indicators.not_allowed,
                              a.indicators.cvm_required_limit_exceeded,
                              a.indicators.floor_limit_exceeded,
                              a.indicators.ttq_present };
    hear(flags, sizeof flags);
    hear(a.df_name.data, a.df_name.size);
    hear(a.aid.data, a.aid.size);
    hear(a.fci.data, a.fci.size);
    hear(a.unpredictable_number, 4);
    hear(a.online_response.data, a.online_response.size);
    hear(a.indicators.ttq, 4);
    hear(&a.transaction->amount, 8);
    hear(a.combination->aid.data, a.combination->aid.size);
    for (size_t i = 0; i < 5; i++) {
        const cemv_bytes value = cemv_kernel_terminal_data(kernel, tags[i]);
        hear(&value.size, 1);
        hear(value.data, value.size);
    }
    return third_party_step(kernel);
}

static enum cemv_step third_party_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    const uint8_t flags[] = { reply->kind, cemv_kernel_state(kernel), (uint8_t)reply->bytes.size };
    hear(flags, sizeof flags);
    hear(reply->bytes.data, reply->bytes.size);
    return third_party_step(kernel);
}

static enum cemv_step third_party_stop(struct cemv_kernel *kernel)
{
    return once_in(2) ? third_party_end(kernel) : (enum cemv_step)kernel->out.step;
}
static void third_party_data(struct cemv_kernel *kernel, cemv_bytes objects)
{
    (void)kernel;
    hear(objects.data, objects.size);
}
static void third_party_abandon(struct cemv_kernel *kernel) { hear(&kernel->out.step, 1); }

static const struct cemv_kernel_module third_party_plain = { .start = third_party_begin,
                                                             .reply = third_party_reply,
                                                             .tags = { k2_tags, K2_TAGS } };
/* Once per activation. */
static bool third_party_due(const struct cemv_kernel *kernel) { return kernel->work == 0; }
static bool third_party_precompute(struct cemv_kernel *kernel)
{
    hear(&kernel->out.state, 1);
    kernel->work = 1;
    return true;
}
static const struct cemv_kernel_module third_party_full = {
    .start = third_party_begin,
    .reply = third_party_reply,
    .stop = third_party_stop,
    .data = third_party_data,
    .abandon = third_party_abandon,
    .precompute = third_party_precompute,
    .precompute_due = third_party_due,
    .tags = { k2_tags, K2_TAGS },
};

/* ---- the reader ---- */

static struct {
    struct cemv_configuration configuration;
    struct cemv_combination rows[ROWS];
    struct cemv_ca_key keys[KEYS];
    struct cemv_exception exceptions[2];
    struct cemv_dynamic_limit dynamic[2];
    struct cemv_kernel_3_options options[ROWS];
    struct cemv_crypto engine;
    struct cemv_kernel_5_options jcb[ROWS];
    struct cemv_kernel_row kernels[KERNELS];
    uint8_t lists[ROWS + 2][LIST], preferred[32];
    struct cemv_transaction sale;
    _Alignas(CEMV_ALIGNMENT) uint8_t memory[1 << 16];
    _Alignas(CEMV_ALIGNMENT) uint8_t issuer_keys[CEMV_ISSUER_KEYS_SIZE];
    const struct cemv_checked *checked;
} reader;

/* Objects of a terminal's list, some of them changed, some left out, some new. */
static cemv_bytes edit_list(uint8_t *out, cemv_bytes list, unsigned edits)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(list);
    struct cemv_tlv object;
    size_t size = 0, count = 0;
    while (cemv_list_next(&cursor, &object)) count++;
    cursor = cemv_tlv_open(list);
    while (cemv_list_next(&cursor, &object) && size + object.whole.size + 100 < LIST) {
        uint8_t value[300];
        size_t length = object.value.size;
        const bool chosen = length <= sizeof value && edits && below((uint32_t)count) < edits;
        if (chosen && once_in(4)) continue;
        if (length > sizeof value) continue;
        if (length) memcpy(value, object.value.data, length);
        if (chosen) {
            edit_value(value, &length, object.tag);
            if (!once_in(16)) length = object.value.size;
        }
        size += put_object(out + size, object.tag, (cemv_bytes){ value, length });
    }
    for (; edits > 1 && size + 60 < LIST && once_in(2); edits--)
        size += put_random(out + size, CEMV_SOURCE_CONFIGURATION | CEMV_SOURCE_TERMINAL, 0);
    return (cemv_bytes){ out, size };
}

static void no_sum(uint8_t digest[CEMV_SHA1_SIZE], const cemv_bytes *pieces, size_t count)
{
    (void)pieces;
    (void)count;
    memset(digest, 0, CEMV_SHA1_SIZE);
}

/* Recovers the data, then writes the zeros of no_sum() over the hashes in certificates, signatures and the dynamic data
 * of CDA. */
static bool recover(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t exponent)
{
    if (!cemv_rsa_public(out, in, modulus, exponent)) return false;
    const size_t size = modulus.size;
    if (size < 60 || out[0] != 0x6A || out[size - 1] != 0xBC) return true;
    memset(out + size - 21, 0, 20);
    const size_t at = 4u + 1u + out[4] + 1u + 8u;
    if (out[1] == 5 && out[3] >= 30 && at + 20 < size) memset(out + at, 0, 20);
    return true;
}

static void edit_limits(struct cemv_limits *limits, uint64_t amount)
{
    limits->present = (uint8_t)below(32);
    for (size_t i = 0; i < CEMV_LIMIT_COUNT; i++)
        limits->amount[i] = once_in(3) ? amount : once_in(2) ? amount + below(3) - (amount > 0) : below(20000);
}

static void edit_protection(struct cemv_protection *p)
{
    uint8_t *const rules[] = { &p->cdcvm_trust,  &p->unsolicited_sdad, &p->oda_tamper,
                               &p->cid_mismatch, &p->brand_check,      &p->expiry_mismatch,
                               &p->luhn,         &p->offline,          &p->magstripe,
                               &p->torn };
    p->profile = (uint8_t)below(3);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) *rules[i] = once_in(4) ? (uint8_t)below(4) : 0;
    p->max_taps = once_in(4) ? (uint8_t)below(4) : 0;
    p->max_records = once_in(4) ? (uint8_t)below(12) : 0;
    p->min_number_digits = once_in(4) ? (uint8_t)below(9) : 0;
    p->torn_lifetime_s = once_in(4) ? (uint16_t)below(400) : 0;
    p->relay = once_in(2) ? (uint8_t)below(5) : 0;
    p->relay_max_card_ms = once_in(4) ? (uint8_t)below(40) : 0;
    p->relay_latency_us = once_in(4) ? below(3000) : 0;
}

/* The limits of Kernel 5 are among its options. */
static void edit_kernel_5(struct cemv_combination *row, struct cemv_kernel_5_options *options, uint64_t amount)
{
    static const uint8_t bits[] = { CEMV_KERNEL_5_STATUS_CHECK, CEMV_KERNEL_5_ODA, CEMV_KERNEL_5_EXCEPTION_FILE,
                                    CEMV_KERNEL_5_LEGACY_MODE };
    *options = *(const struct cemv_kernel_5_options *)row->options;
    row->options = options;
    if (once_in(3)) edit_limits(&options->limits, amount), options->limits.present &= 0x1Bu; /* no terminal floor */
    if (once_in(4)) options->combination_options[0] ^= bits[below(sizeof bits)];
    if (once_in(3)) options->terminal_interchange_profile[0] ^= (uint8_t)(1u << below(7));
    if (once_in(3)) options->terminal_interchange_profile[1] ^= CEMV_KERNEL_5_TIP_2_ISSUER_UPDATE;
}

static void edit_rows(size_t count, uint64_t amount)
{
    static const uint8_t program[] = { 1, 2, 3 }, types[] = { 0, 1, 9, 0x20, 0x17 };
    for (size_t i = 0; i < count; i++) {
        struct cemv_combination *row = &reader.rows[i];
        row->data = edit_list(reader.lists[i], row->data, below(4));
        const bool is_jcb = row->kernel_id_size == 1 && row->kernel_id[0] == 5 && row->options;
        if (is_jcb) edit_kernel_5(row, &reader.jcb[i], amount);
        else if (once_in(3)) edit_limits(&row->limits, amount);
        if (once_in(6)) row->zero_amount = (uint8_t)below(3);
        if (once_in(6)) row->status_check = !row->status_check;
        if (once_in(6)) row->extended_selection = !row->extended_selection;
        struct cemv_kernel_3_options *visa = &reader.options[i];
        const bool is_visa = row->kernel_id_size == 1 && row->kernel_id[0] == 3;
        *visa = (struct cemv_kernel_3_options){ 0 };
        if (is_visa && row->options) *visa = *(const struct cemv_kernel_3_options *)row->options;
        if (is_visa) row->options = visa;
        if (once_in(6)) visa->usage_control_off = !visa->usage_control_off;
        if (once_in(6)) visa->gpo_format_1 = !visa->gpo_format_1;
        if (once_in(6)) row->own_protection = true, edit_protection(&row->protection);
        if (once_in(16)) row->transaction_types = (cemv_bytes){ types, 1 + below(sizeof types) };
        if (row->ttq.size && once_in(2)) {
            uint8_t *ttq = reader.lists[ROWS] + 8 * i;
            memcpy(ttq, row->ttq.data, 4);
            ttq[below(4)] ^= (uint8_t)(1u << below(8));
            row->ttq = (cemv_bytes){ ttq, 4 };
        }
        if (once_in(8)) {
            visa->dynamic_limits = reader.dynamic;
            visa->dynamic_limit_count = 1 + below(2);
            for (size_t j = 0; j < 2; j++) {
                reader.dynamic[j] = (struct cemv_dynamic_limit){ .program = { program, 1 + below(3) },
                                                                 .zero_amount = (uint8_t)below(3) };
                edit_limits(&reader.dynamic[j].limits, amount);
            }
        }
    }
}

static void random_sale(const struct recorded_tap *tap)
{
    static const uint64_t amounts[] = { 0, 1, 100, 999, 1000, 1001, 2500, 5000, 10000, 1234567, 999999999999 };
    static const uint8_t types[] = { 0x00, 0x01, 0x09, 0x17, 0x20, 0x21, 0x30 };
    static const uint16_t currencies[] = { 0x0978, 0x0840, 0x0826, 0x0392 };
    static const uint8_t days[][3] = {
        { 0x26, 0x11, 0x21 }, { 0x49, 0x12, 0x30 }, { 0x49, 0x12, 0x31 }, { 0x50, 0x01, 0x01 }, { 0x20, 0x02, 0x29 }
    };
    struct cemv_transaction *sale = &reader.sale;
    *sale = tap->transaction;
    if (once_in(3)) sale->amount = amounts[below(11)];
    if (once_in(6)) sale->amount_other = amounts[below(5)];
    if (once_in(4)) sale->type = types[below(7)];
    if (once_in(8)) sale->currency = currencies[below(4)];
    if (once_in(12)) sale->exponent = (uint8_t)below(5);
    if (once_in(8)) memcpy(sale->date, days[below(5)], 3);
    if (once_in(12)) memcpy(sale->time, "\x23\x59\x59", 3);
    if (once_in(16)) sale->counter = below(100000000);
    if (once_in(16)) sale->start_b = true;
    if (once_in(16))
        sale->preferred = (cemv_bytes){ (const uint8_t *)"\5\xA0\0\0\0\4\7\xA0\0\0\0\3\x10\x10", once_in(2) ? 6 : 14 };
    if (once_in(4)) sale->data = edit_list(reader.lists[ROWS + 1], sale->data, 2);
}

static enum cemv_status random_reader(const struct recorded_tap *tap, struct cemv_config_error *error, bool plain)
{
    static uint8_t terminal[LIST];
    const struct cemv_configuration *all = &tap->reader->configuration;
    struct cemv_configuration *own = &reader.configuration;
    *own = *all;
    memcpy(reader.rows, all->combinations, all->combination_count * sizeof reader.rows[0]);
    memcpy(reader.keys, all->ca_keys, all->ca_key_count * sizeof reader.keys[0]);
    own->combinations = reader.rows;
    own->ca_keys = reader.keys;
    reader.engine = all->crypto != NULL ? *all->crypto : cemv_crypto_builtin;
    reader.engine.rsa_prepare = NULL;
    own->crypto = &reader.engine;
    if (!once_in(4)) {
        reader.engine.sha1 = no_sum;
        reader.engine.rsa_public = recover;
        for (size_t i = 0; i < own->ca_key_count; i++) reader.keys[i].sha1.size = 0;
    }
    if (all->kernel_count > KERNELS) return CEMV_NO_MEMORY;
    if (once_in(5) && !recorded_has_kernel_8(tap->reader)) { /* its objects are not those of the third-party kernels */
        memcpy(reader.kernels, all->kernels, all->kernel_count * sizeof reader.kernels[0]);
        reader.kernels[below((uint32_t)all->kernel_count)].module = once_in(2) ? &third_party_plain : &third_party_full;
        own->kernels = reader.kernels;
    }
    if (once_in(4)) own->ca_key_count = below((uint32_t)own->ca_key_count + 1);
    if (once_in(8) && own->ca_key_count)
        memcpy(reader.keys[below((uint32_t)own->ca_key_count)].expires, "\x26\x11\x20", 3);
    if (once_in(8)) {
        static const uint8_t pans[][8] = { { 0x41, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11 },
                                           { 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x44, 0x44 } };
        reader.exceptions[0] = (struct cemv_exception){ .pan = { pans[below(2)], 8 },
                                                        .sequence = (uint8_t)below(3),
                                                        .any_sequence = once_in(2) };
        own->exceptions = reader.exceptions;
        own->exception_count = 1;
    }
    if (plain) return cemv_configuration_check(own, reader.memory, sizeof reader.memory, &reader.checked, error);
    static const uint8_t information[] = { 0, 1, 2, 0xAA, 0xBB, 0, 2, 2, 0x00, 0x01 };
    if (once_in(4)) own->poi_information = (cemv_bytes){ information, once_in(2) ? 5 : once_in(4) ? 6 : 10 };
    if (once_in(2)) edit_protection(&own->protection);
    own->terminal_data = edit_list(terminal, own->terminal_data, below(3));
    edit_rows(own->combination_count, reader.sale.amount);
    return cemv_configuration_check(own, reader.memory, sizeof reader.memory, &reader.checked, error);
}

/* ---- the card ---- */

struct edit {
    size_t at;
    uint8_t kind;
    uint64_t seed;
};
enum { EDIT_OBJECT, EDIT_NEW, EDIT_STATUS, EDIT_BYTE, EDIT_LINK, EDIT_TIME, EDIT_SIZE };

struct card {
    const struct recorded_tap *tap;
    struct edit edits[EDITS];
    size_t edit_count, sent, next, asked, polls;
    bool online, works;
    uint8_t terminal_objects;
    cemv_bytes directory;
    uint8_t body[8192];
};

static const struct recorded_reply *answer_of(struct card *card, const struct recorded_taps *recorded,
                                              cemv_bytes command)
{
    const struct recorded_reply *own = tap_answer(card->tap, &card->next, command);
    if (own) return own;
    /* Another card's answer to such a command, from neighbouring taps. */
    const size_t self = (size_t)(card->tap - recorded->taps), first = self < 40 ? 0 : self - 40;
    for (size_t tap = first; tap < first + 80 && tap < recorded->tap_count; tap++)
        for (size_t i = 0; i < recorded->taps[tap].reply_count; i++) {
            const struct recorded_reply *reply = &recorded->taps[tap].replies[i];
            if (reply->kind == CEMV_REPLY_RESPONSE && tap_same_command(reply->command, command, true)) return reply;
        }
    return NULL;
}

static size_t count_objects(cemv_bytes tree, unsigned depth)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(tree);
    struct cemv_tlv object;
    size_t count = 0;
    while (cemv_tlv_next(&cursor, &object))
        count += 1 + (object.constructed && depth < 6 ? count_objects(object.value, depth + 1) : 0);
    return count;
}

/* Copies a tree; object `*number` is changed, or a new one is inserted in front of it. */
static size_t copy_tree(uint8_t *out, size_t room, cemv_bytes tree, unsigned depth, long *number, uint8_t kind,
                        uint8_t templates)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(tree);
    struct cemv_tlv object;
    size_t size = 0;
    while (cemv_tlv_next(&cursor, &object) && object.value.size + 200 < room - size) {
        uint8_t inner[2048];
        size_t length = object.value.size;
        if (length > sizeof inner - 100) continue;
        const bool chosen = (*number)-- == 0, constructed = object.constructed && depth < 6;
        unsigned copies = 1;
        if (constructed) length = copy_tree(inner, sizeof inner, object.value, depth + 1, number, kind, templates);
        else if (length) memcpy(inner, object.value.data, length);
        if (chosen && kind == EDIT_NEW) {
            if (constructed) length += put_random(inner + length, CEMV_SOURCE_CARD, templates);
            else size += put_random(out + size, once_in(8) ? 0xFF : CEMV_SOURCE_CARD, templates);
        } else if (chosen) {
            const unsigned what = below(8);
            if (what == 0) copies = 0;
            else if (what == 1) copies = 2;
            else if (!constructed) edit_value(inner, &length, object.tag);
        }
        for (; copies; copies--) size += put_object(out + size, object.tag, (cemv_bytes){ inner, length });
    }
    return size;
}

static void damage(struct card *card, const struct edit *edit, cemv_bytes command, struct cemv_reply *reply)
{
    static const uint16_t words[] = { 0x6985, 0x6984, 0x6986, 0x6A81, 0x6A82, 0x6A83,
                                      0x6A88, 0x6300, 0x6283, 0x6700, 0x9001, 0x6200 };
    static const uint8_t links[] = { CEMV_REPLY_TIMEOUT, CEMV_REPLY_TRANSMISSION, CEMV_REPLY_PROTOCOL,
                                     CEMV_REPLY_REMOVED, CEMV_REPLY_STOP,         CEMV_REPLY_DATA };
    static uint8_t out[8192];
    const uint64_t kept = state;
    state = edit->seed;
    size_t size = reply->bytes.size;
    const uint8_t ins = command.data[1];
    if (reply->kind != CEMV_REPLY_RESPONSE || size < 2) goto done;
    if (edit->kind == EDIT_LINK) {
        *reply = (struct cemv_reply){ .kind = links[below(6)] };
        goto done;
    }
    if (edit->kind == EDIT_TIME) {
        reply->elapsed_us = below(4) * 25000 + below(3000);
        goto done;
    }
    if (edit->kind == EDIT_SIZE) {
        static const size_t sizes[] = { 0, 1, 2, 3, CEMV_MAX_RESPONSE - 1, CEMV_MAX_RESPONSE, CEMV_MAX_RESPONSE + 1 };
        const size_t wanted = sizes[below(7)];
        memcpy(card->body, reply->bytes.data, size);
        if (wanted > size) {
            memset(card->body + size, 0, wanted - size);
            memcpy(card->body + wanted - 2, reply->bytes.data + size - 2, 2);
        }
        reply->bytes = (cemv_bytes){ card->body, wanted };
        goto done;
    }
    const cemv_bytes body = { reply->bytes.data, size - 2 };
    const size_t objects = count_objects(body, 0);
    if ((edit->kind == EDIT_OBJECT || edit->kind == EDIT_NEW) && objects) {
        long number = (long)below((uint32_t)objects);
        const uint8_t templates = ins == 0xA4 ? CEMV_TEMPLATE_FCI | CEMV_TEMPLATE_DIRECTORY
                                : ins == 0xA8 ? CEMV_TEMPLATE_GPO | CEMV_TEMPLATE_AC
                                : ins == 0xB2 ? CEMV_TEMPLATE_RECORD
                                              : CEMV_TEMPLATE_AC;
        const uint16_t word = (uint16_t)(reply->bytes.data[size - 2] << 8 | reply->bytes.data[size - 1]);
        size = copy_tree(out, sizeof out - 2, body, 0, &number, edit->kind, templates);
        out[size++] = (uint8_t)(word >> 8);
        out[size++] = (uint8_t)word;
    } else if (edit->kind == EDIT_STATUS) {
        const uint16_t word = words[below(sizeof words / sizeof words[0])];
        if (once_in(2)) size = 2;
        else memcpy(out, reply->bytes.data, size);
        out[size - 2] = (uint8_t)(word >> 8);
        out[size - 1] = (uint8_t)word;
    } else {
        memcpy(out, reply->bytes.data, size);
        out[below((uint32_t)size)] ^= (uint8_t)(1u << below(8));
    }
    memcpy(card->body, out, size);
    reply->bytes = (cemv_bytes){ card->body, size };
done:
    state = kept;
}

/* A directory that asks for the terminal's categories or for data objects (Book B, 3.3.2.3a). */
static struct cemv_reply with_terminal_objects(struct card *card, cemv_bytes directory)
{
    static const uint8_t lists[][20] = { { 0x9F, 0x3F, 0x0E, 0x9F, 0x02, 0x06, 0x5F, 0x2A, 0x02, 0x9F, 0x1A, 0x02, 0x8B,
                                           0x05, 0x9F, 0x37, 0x01 },
                                         { 0x9F, 0x3E, 0x02, 0x00, 0x01 },
                                         { 0x9F, 0x3E, 0x02, 0xAA, 0xBB },
                                         { 0x9F, 0x3F, 0x00 } };
    static const uint8_t sizes[] = { 17, 5, 5, 3 };
    const unsigned which = card->terminal_objects % 4;
    uint8_t *out = card->body;
    struct cemv_tlv fci, proprietary, inner;
    if (!cemv_tlv_find((cemv_bytes){ directory.data, directory.size - 2 }, 0x6F, &fci) ||
        !cemv_tlv_find(fci.value, 0xA5, &proprietary) || !cemv_tlv_find(proprietary.value, 0xBF0C, &inner))
        return (struct cemv_reply){ .kind = CEMV_REPLY_RESPONSE, .bytes = directory };
    uint8_t value[200], wrapped[220];
    memcpy(value, inner.value.data, inner.value.size);
    memcpy(value + inner.value.size, lists[which], sizes[which]);
    size_t size = put_object(wrapped, 0xBF0C, (cemv_bytes){ value, inner.value.size + sizes[which] });
    memcpy(value, wrapped, size);
    size = put_object(wrapped, 0xA5, (cemv_bytes){ value, size });
    memcpy(value,
           "\x84\x0E"
           "2PAY.SYS.DDF01",
           16);
    memcpy(value + 16, wrapped, size);
    size = put_object(out, 0x6F, (cemv_bytes){ value, size + 16 });
    out[size++] = 0x90;
    out[size++] = 0;
    return (struct cemv_reply){ .kind = CEMV_REPLY_RESPONSE, .bytes = { out, size } };
}

static struct cemv_reply respond(struct card *card, const struct recorded_taps *recorded, cemv_bytes command)
{
    static const uint8_t refusal[] = { 0x6A, 0x83 };
    struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = { refusal, sizeof refusal } };
    const size_t number = card->sent++;
    const struct recorded_reply *found = answer_of(card, recorded, command);
    if (command.data[1] == 0xA4 && command.size > 6 && command.data[5] == '2') {
        card->directory = found ? found->bytes : (cemv_bytes){ NULL, 0 };
        if (found && card->terminal_objects && found->bytes.size > 40 && found->bytes.size < 110)
            return with_terminal_objects(card, found->bytes);
    }
    if (!found && command.data[0] == 0x80 && command.data[1] != 0xA8 && command.data[1] != 0xAE && card->directory.size)
        reply.bytes = card->directory;
    if (found) {
        reply.bytes = found->bytes;
        reply.elapsed_us = found->elapsed_us;
    }
    for (size_t i = 0; i < card->edit_count; i++)
        if (card->edits[i].at == number) damage(card, &card->edits[i], command, &reply);
    return reply;
}

static struct cemv_reply ask_terminal(struct card *card, const struct cemv_session *session)
{
    static uint8_t list[LIST];
    static const uint8_t random[CEMV_RANDOM_POOL] = { 7, 77, 31, 99, 2, 4, 8, 16, 32, 64, 128, 1, 3, 9, 27, 81 };
    struct cemv_reply reply = { .kind = CEMV_REPLY_DEADLINE };
    if (cemv_session_question(session).kind == CEMV_ASK_RANDOM)
        return (struct cemv_reply){ .kind = once_in(16) ? CEMV_REPLY_STOP : CEMV_REPLY_DATA,
                                    .bytes = { random, once_in(8) ? below(5) : sizeof random } };
    if (once_in(12)) return (struct cemv_reply){ .kind = once_in(2) ? CEMV_REPLY_STOP : CEMV_REPLY_ABANDON };
    for (size_t i = 0, seen = 0; i < card->tap->reply_count; i++)
        if (card->tap->replies[i].kind == CEMV_REPLY_DATA && seen++ == card->asked) {
            reply.kind = CEMV_REPLY_DATA;
            reply.bytes = card->tap->replies[i].bytes;
        }
    card->asked++;
    if (reply.kind == CEMV_REPLY_DATA && once_in(3)) reply.bytes = edit_list(list, reply.bytes, 2);
    if (reply.kind != CEMV_REPLY_DATA && once_in(3))
        reply = (struct cemv_reply){ .kind = CEMV_REPLY_DATA, .bytes = edit_list(list, reply.bytes, 4) };
    return reply;
}

static struct cemv_reply answer(struct card *card, const struct recorded_taps *recorded,
                                const struct cemv_session *session)
{
    static uint8_t list[LIST];
    struct cemv_reply reply = { .kind = CEMV_REPLY_ABANDON };
    switch (cemv_session_step(session)) {
    case CEMV_STEP_POLL:
        reply.kind = CEMV_REPLY_CARD;
        if (cemv_session_takes(session, CEMV_REPLY_REMOVED) && cemv_session_poll(session).removal_first)
            reply.kind = CEMV_REPLY_REMOVED;
        else if (cemv_session_takes(session, CEMV_REPLY_COLLISION_CLEARED)) reply.kind = CEMV_REPLY_COLLISION_CLEARED;
        if (once_in(24)) reply.kind = (uint8_t)(1 + below(CEMV_REPLY_ABANDON));
        if (reply.kind == CEMV_REPLY_RESPONSE || reply.kind == CEMV_REPLY_DATA || reply.kind == CEMV_REPLY_ONLINE)
            reply.kind = CEMV_REPLY_CARD;
        break;
    case CEMV_STEP_WORK: reply.kind = once_in(24) ? CEMV_REPLY_STOP : CEMV_REPLY_CONTINUE; break;
    case CEMV_STEP_SEND:
        if (once_in(50)) break; /* abandoned while the card is busy */
        if (once_in(50))
            return (struct cemv_reply){ .kind = once_in(2) ? CEMV_REPLY_STOP : CEMV_REPLY_DATA,
                                        .bytes = edit_list(list, reply.bytes, 4) };
        return respond(card, recorded, cemv_session_command(session));
    case CEMV_STEP_ASK: return ask_terminal(card, session);
    case CEMV_STEP_PARKED:
        for (size_t i = 0; i < card->tap->reply_count && !card->online; i++)
            if (card->tap->replies[i].kind == CEMV_REPLY_ONLINE) {
                reply.kind = CEMV_REPLY_ONLINE;
                reply.bytes = card->tap->replies[i].bytes;
            }
        if (!card->online && once_in(3)) {
            reply.kind = CEMV_REPLY_ONLINE;
            size_t size = reply.bytes.size && reply.bytes.size < 300
                            ? (memcpy(list, reply.bytes.data, reply.bytes.size), reply.bytes.size)
                            : 0;
            for (unsigned i = below(3); i; i--) size += put_random(list + size, CEMV_SOURCE_ISSUER, 0);
            reply.bytes = (cemv_bytes){ list, size };
        } else if (!card->online && once_in(6)) {
            reply = (struct cemv_reply){ .kind = CEMV_REPLY_ONLINE, .unable_to_go_online = true };
        } else if (once_in(12)) reply.kind = CEMV_REPLY_PIN;
        reply.removal_timed_out = once_in(6);
        card->online = true;
        break;
    case CEMV_STEP_NONE:
    case CEMV_STEP_DONE: break;
    }
    return reply;
}

/* ---- a tap ---- */

static uint64_t see(uint64_t sum, const struct cemv_session *session)
{
    uint64_t takes = 0;
    for (uint8_t kind = 0; kind < 32; kind++) takes |= (uint64_t)cemv_session_takes(session, kind) << kind;
    const struct cemv_outcome o = cemv_session_outcome(session);
    sum = sum_number(sum_number(sum, takes), cemv_session_state(session).number);
    return sum_number(sum, (uint64_t)o.status << 32 | o.findings);
}

static uint64_t see_memory(uint64_t sum, const struct cemv_reader_memory *memory)
{
    sum = sum_number(sum_number(sum, memory->failed_magstripe), memory->torn_count);
    for (size_t i = 0; i < memory->torn_count && i < CEMV_TORN_RECORDS; i++)
        sum = sum_bytes(sum_number(sum, memory->torn[i].size), memory->torn[i].bytes, memory->torn[i].size);
    return sum_number(sum, memory->issuer_keys ? cemv_issuer_keys_found(memory->issuer_keys) : 0);
}

static bool zero(const void *data, size_t size)
{
    const uint8_t *at = data;
    while (size--)
        if (*at++) return false;
    return true;
}

/* A finished session holds its outcome and the records of it, and no other data of the card, keys or random bytes. */
static bool is_cleared(const struct cemv_session *session)
{
    const struct cemv_output *out = &session->kernel.out;
    const size_t exported = (size_t)out->record_size + out->discretionary_size;
    return zero(&session->kernel.store, sizeof session->kernel.store) && session->answer_size == 0 &&
           zero(session->kernel.unpredictable_number, 4) && zero(out->command, sizeof out->command) &&
           out->command_size == 0 && zero(out->records + exported, sizeof out->records - exported) &&
           zero(&session->kernel.random, sizeof session->kernel.random) &&
           zero(session->kernel.memory, sizeof session->kernel.memory);
}

/* A reply that a step does not accept changes nothing. */
static bool refuses(struct cemv_session *session, struct tap_bench *bench)
{
    static uint8_t before[CEMV_SESSION_SIZE];
    const struct cemv_reply reply = { .kind = (uint8_t)below(24) };
    if (cemv_session_takes(session, reply.kind)) return true;
    memcpy(before, bench->memory, sizeof before);
    cemv_session_reply(session, &reply);
    return memcmp(before, bench->memory, sizeof before) == 0;
}

static const char *drive(struct card *card, const struct recorded_taps *recorded, struct tap_bench *bench,
                         struct cemv_session *session, uint64_t *sum)
{
    tap_see(bench, session);
    *sum = see(*sum, session);
    for (unsigned steps = 0; cemv_session_step(session) != CEMV_STEP_DONE; steps++) {
        if (steps == MAX_STEPS) return "a tap ends";
        struct cemv_reply reply = answer(card, recorded, session);
        if (once_in(6) && !refuses(session, bench)) return "a reply that is not taken changes nothing";
        if (cemv_session_step(session) == CEMV_STEP_SEND && card->works)
            while (cemv_session_has_work(session) && cemv_session_work(session)) *sum = sum_number(*sum, 1);
        if (!cemv_session_takes(session, reply.kind)) reply.kind = CEMV_REPLY_ABANDON;
        uint8_t *exact =
            malloc(reply.bytes.size ? reply.bytes.size : 1); /* so that a sanitizer sees a read past the end */
        if (reply.bytes.size) memcpy(exact, reply.bytes.data, reply.bytes.size);
        reply.bytes.data = exact;
        cemv_session_reply(session, &reply);
        tap_see(bench, session);
        *sum = see(*sum, session);
        free(exact);
    }
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    if (outcome.status == CEMV_OUTCOME_NONE || outcome.status == CEMV_OUTCOME_TRY_AGAIN ||
        outcome.status == CEMV_OUTCOME_SELECT_NEXT)
        return "a tap has one outcome";
    if (outcome.reason == CEMV_REASON_INTERNAL) return "no edge outside the table";
    if (!fault_status_word_is_named(&outcome)) return "a status word has its cause";
    if (!tap_is_wiped(session) || !is_cleared(session)) return "card bytes go";
    if (cemv_tlv_check(cemv_session_data_record(session), NULL) != CEMV_WIRE_OK)
        return "a data record is a list of data objects";
    return NULL;
}

static void random_card(struct card *card, const struct recorded_tap *tap)
{
    size_t exchanges = 0;
    for (size_t i = 0; i < tap->reply_count; i++) exchanges += tap->replies[i].command.size != 0;
    *card = (struct card){ .tap = tap,
                           .edit_count = once_in(4) ? 0 : 1 + below(EDITS),
                           .works = once_in(2),
                           .terminal_objects = (uint8_t)(once_in(6) ? 1 + below(4) : 0) };
    for (size_t i = 0; i < card->edit_count; i++) {
        static const uint8_t kinds[] = { EDIT_OBJECT, EDIT_OBJECT, EDIT_OBJECT, EDIT_OBJECT, EDIT_NEW,  EDIT_NEW,
                                         EDIT_NEW,    EDIT_STATUS, EDIT_BYTE,   EDIT_LINK,   EDIT_TIME, EDIT_SIZE };
        card->edits[i] = (struct edit){ below((uint32_t)exchanges), kinds[below(sizeof kinds)], random_next(&state) };
    }
}

uint64_t perturbation_play(const struct recorded_taps *recorded, struct tap_bench *bench, uint64_t number,
                           const char **violated)
{
    static struct card card;
    struct cemv_session *session;
    struct cemv_config_error error = { 0 };
    state = number * 0x9E3779B97F4A7C15u + 0x5EED;
    uint64_t sum = 14695981039346656037u;
    heard = 1;
    const size_t index = below((uint32_t)recorded->tap_count);
    const struct recorded_tap *tap = &recorded->taps[index];
    size_t first = index;
    while (first > 0 && recorded->taps[first].keeps_memory) first--;
    memset(&bench->reader, 0, sizeof bench->reader);
    for (; first < index; first++) tap_play(&recorded->taps[first], bench);
    memset(&reader, 0, sizeof reader);
    random_sale(tap);
    enum cemv_status status = random_reader(tap, &error, once_in(4));
    if (status != CEMV_OK) {
        sum = sum_number(sum_number(sum, status), (uint64_t)error.section << 48 | (uint64_t)error.row << 40 |
                                                      (uint64_t)error.field << 32 | error.tag);
        error = (struct cemv_config_error){ 0 };
        status = random_reader(tap, &error, true);
    }
    *violated = status == CEMV_OK ? NULL : "a plain configuration is good";
    if (*violated) return 0;
    if (once_in(4)) bench->reader.failed_magstripe = (uint8_t)below(6);
    if (once_in(4)) bench->reader.link_latency_us = below(4000);
    if (once_in(2)) bench->reader.issuer_keys = (struct cemv_issuer_keys *)(void *)reader.issuer_keys;
    reader.sale.reader = once_in(16) ? NULL : &bench->reader;
    bench->seen = 14695981039346656037u;
    bench->at = 0;
    const cemv_bytes random = { tap->random.data,
                                once_in(8) && tap->random.size > 8 ? 4 + below(5) : tap->random.size };
    memset(&error, 0x77, sizeof error);
    memset(bench->memory, (int)below(256), sizeof bench->memory); /* any previous content */
    status =
        cemv_session_begin(bench->memory, sizeof bench->memory, reader.checked, &reader.sale, random, &session, &error);
    if (status != CEMV_OK)
        return sum_number(sum_number(sum, status), (uint64_t)error.section << 48 | (uint64_t)error.row << 40 |
                                                       (uint64_t)error.field << 32 | error.tag) |
               1;
    if (error.section || error.row || error.field || error.tag) return *violated = "no error, nothing named", 0;
    random_card(&card, tap);
    *violated = drive(&card, recorded, bench, session, &sum);
    tap_describe(bench, session);
    sum = sum_number(sum, heard);
    sum = see_memory(sum_number(sum, bench->end), &bench->reader);
    bench->reader.issuer_keys = NULL;
    cemv_session_wipe(session);
    if (!*violated && !zero(session, offsetof(struct cemv_session, kernel) + offsetof(struct cemv_kernel, store) +
                                         sizeof session->kernel.store))
        *violated = "a wiped session is zero";
    return *violated ? 0 : sum | 1;
}
