/* SPDX-License-Identifier: Apache-2.0 */
/* Random runs of parts of Kernel 2, and of the code that all kernels share, called by themselves over a random store:
 * accounts, evaluation, data exchange, storage, tracks, the records of an outcome, torn records. Whole taps seldom
 * combine these objects. */
#include <string.h>

#include "CEMVInternals.h"
#include "random_values.h"
#include "random.h"

static struct cemv_kernel kernel;
static struct cemv_checked checked;
static struct cemv_combination combination;
static const struct cemv_kernel_row row = { { 2 }, 1, &cemv_kernel_2, NULL };
static struct cemv_ca_key keys[3];
static struct cemv_exception exceptions[2];
static struct cemv_reader_memory reader;
static uint8_t announced[600];

static uint8_t byte(void) { return (uint8_t)(below(3) ? 1u << below(8) : below(2) ? below(256) : 255 * below(2)); }
static void fill_random(uint8_t *out, size_t size)
{
    while (size--) *out++ = byte();
}

/* ---- a store ---- */

static const uint8_t pans[][10] = {
    { 0x54, 0x13, 0x33, 0x00, 0x89, 0x02, 0x00, 0x11 },       { 0x54, 0x13, 0x33, 0x00, 0x89, 0x02, 0x00, 0x12 },
    { 0x41, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11 },       { 0x54, 0x13, 0x33, 0x00, 0x89, 0x02, 0x00, 0x29, 0x00 },
    { 0x22, 0x22, 0x40, 0x00, 0x00, 0x00, 0x00, 0x07, 0xFF },
};
static const size_t pan_sizes[] = { 8, 8, 8, 9, 9 };

static size_t random_pan(uint8_t *out, unsigned which)
{
    memcpy(out, pans[which], 10);
    size_t size = pan_sizes[which];
    if (once_in(8)) out[size - 1] = (uint8_t)(below(10) << 4 | 0x0F);
    if (once_in(16)) out[below((uint32_t)size)] = (uint8_t)below(256);
    if (once_in(16)) size = 1 + below(10);
    return size;
}

/* Track 2: account, D, expiry, service code, discretionary data. */
static size_t random_track_2(uint8_t out[19], unsigned which)
{
    char digits[50] = { 0 };
    size_t count = 0, size = pan_sizes[which] * 2;
    for (size_t i = 0; i < size && pans[which][i / 2] != 0xFF; i++)
        digits[count++] = (char)(i % 2 ? pans[which][i / 2] & 15 : pans[which][i / 2] >> 4);
    if (once_in(12)) count = below(24);
    if (!once_in(12)) digits[count++] = 13;
    static const char dates[][8] = { { 4, 9, 1, 2, 2, 0, 1 }, { 2, 6, 1, 1, 2, 0, 1 }, { 4, 9, 1, 1, 2, 0, 1 } };
    const size_t rest = once_in(6) ? below(8) : 7;
    memcpy(digits + count, dates[once_in(3) ? below(3) : 0], rest);
    count += rest;
    for (size_t i = once_in(6) ? below(20) : 10 + below(6); i; i--) digits[count++] = (char)below(10);
    if (once_in(24)) digits[below((uint32_t)count)] = (char)below(16);
    if (count > 38) count = 38;
    if (count % 2) digits[count++] = 15;
    for (size_t i = 0; i < count; i += 2) out[i / 2] = (uint8_t)(digits[i] << 4 | digits[i + 1]);
    return count / 2;
}

static size_t random_track_1(uint8_t out[76], unsigned which)
{
    size_t size = 0;
    out[size++] = once_in(12) ? 'A' : 'B';
    for (size_t i = 0; i < pan_sizes[which] * 2 && pans[which][i / 2] != 0xFF; i++)
        out[size++] = (uint8_t)('0' + (i % 2 ? pans[which][i / 2] & 15 : pans[which][i / 2] >> 4));
    if (once_in(12)) size = 1 + below((uint32_t)size);
    if (once_in(12))
        for (unsigned i = below(8); i; i--) out[size++] = '1';
    if (!once_in(12)) out[size++] = '^';
    memcpy(out + size, "A/B", 3);
    size += 3;
    if (!once_in(12)) out[size++] = '^';
    const size_t rest = once_in(8) ? below(8) : 7;
    memcpy(out + size, "4912201", rest);
    size += rest;
    for (size_t i = once_in(6) ? below(24) : 12; i; i--) out[size++] = (uint8_t)('0' + below(10));
    return size;
}

/* A value as long as the dictionary allows; one of few values if two objects are compared. */
static cemv_bytes random_value(uint16_t slot, uint8_t out[256])
{
    static const uint8_t days[][3] = { { 0x26, 0x11, 0x21 }, { 0x26, 0x11, 0x20 }, { 0x26, 0x11, 0x22 },
                                       { 0x49, 0x12, 0x31 }, { 0x26, 0x13, 0x01 }, { 0x49, 0x12, 0x30 } };
    static const uint8_t types[] = { 0, 1, 9, 0x17, 0x20, 0x30 }, amounts[] = { 0, 1, 0x10, 0x11 },
                         words[] = { 0, 2, 2, 1, 0x14, 0x78 };
    const struct cemv_tag_row *info = k2_tag_row(slot);
    size_t size = info->min == info->max || once_in(3)
                    ? info->min
                    : info->min + below((uint32_t)(info->max - info->min > 24 ? 24 : info->max - info->min + 1));
    if (size > 240) size = 240;
    memset(out, 0, 256);
    fill_random(out, size);
    switch (slot) {
    case CEMV_SLOT_9A:
    case CEMV_SLOT_5F24:
    case CEMV_SLOT_5F25: memcpy(out, days[once_in(2) ? 0 : below(6)], 3); break;
    case CEMV_SLOT_9F21:
        memcpy(out, once_in(8) ? "\x25\x61\x61" : "\x12\x30\x15", 3);
        out[2] = (uint8_t)(16 * below(6));
        break;
    case CEMV_SLOT_9C: out[0] = types[below(6)]; break;
    case CEMV_SLOT_9F35: out[0] = (uint8_t)((1 + below(3)) << 4 | (1 + below(6))); break;
    case CEMV_SLOT_9F02:
    case CEMV_SLOT_9F03:
    case K2_SLOT_DF8124:
    case K2_SLOT_DF8125:
    case K2_SLOT_DF8126:
    case K2_SLOT_DF8104:
    case K2_SLOT_DF8105:
        memset(out, 0, size);
        out[size - 1] = amounts[below(4)];
        if (once_in(8)) out[0] = 0x12;
        break;
    case CEMV_SLOT_9F08:
    case CEMV_SLOT_9F09:
    case CEMV_SLOT_5F28:
    case CEMV_SLOT_9F1A:
    case CEMV_SLOT_9F42:
    case CEMV_SLOT_5F2A:
        out[0] = 0;
        out[1] = words[below(6)];
        break;
    case CEMV_SLOT_8F: out[0] = (uint8_t)(1 + below(4)); break;
    case CEMV_SLOT_9F4A:
        memcpy(out, "\x82\x82", size < 2 ? size : 2);
        if (once_in(4)) out[0] = byte();
        break;
    case CEMV_SLOT_5F34: out[0] = (uint8_t)below(3); break;
    case CEMV_SLOT_5A: size = random_pan(out, below(5)); break;
    case CEMV_SLOT_57:
    case CEMV_SLOT_9F6B: size = random_track_2(out, below(5)); break;
    case CEMV_SLOT_56: size = random_track_1(out, below(5)); break;
    case K2_SLOT_9F65:
    case K2_SLOT_9F66:
        if (!once_in(8)) out[0] &= 0x0F;
        size = 2;
        break;
    case K2_SLOT_9F62:
    case K2_SLOT_9F63: memset(out, 0, 4); break;
    case K2_SLOT_9F64:
    case K2_SLOT_9F67: out[0] = (uint8_t)below(5); break;
    case K2_SLOT_9F5D: out[0] = (uint8_t)below(4); break;
    case K2_SLOT_9F5E:
        if (flag()) {
            size = 9;
            memcpy(out, "\x54\x13\x33\x00\x89\x02\x00\x11\x00", 9);
            out[8] = (uint8_t)below(3);
        }
        break;
    case K2_SLOT_DF62:
        if (flag()) out[0] |= 0x40;
        break;
    case K2_SLOT_9F6F:
        if (flag()) out[0] |= 0x80;
        break;
    case CEMV_SLOT_94:
        size = 4 * (1 + below(3));
        memcpy(out, "\x08\x01\x01\x00\x10\x01\x02\x01\x18\x01\x01\x00", 12);
        if (once_in(4)) out[below(4)] ^= 1;
        break;
    case K2_SLOT_9F5B: {
        static const uint32_t asked[] = { 0xDF61, 0xDF60, 0xDF62, 0x9F37, 0x9F7F, 0xDF8109, 0x9F02 };
        size = 0;
        for (unsigned i = 1 + below(4); i; i--) {
            size += cemv_tag_write(out + size, asked[below(7)]);
            out[size++] = (uint8_t)(flag() ? 8 : below(14));
        }
        break;
    }
    default: break;
    }
    return (cemv_bytes){ out, size };
}

static bool put(uint16_t slot)
{
    uint8_t value[256];
    const uint8_t provenance = (k2_tag_row(slot)->source & CEMV_SOURCE_CARD) && slot != K2_SLOT_9F7E
                                 ? (uint8_t)(CEMV_FROM_CARD + below(3))
                                 : CEMV_FROM_TERMINAL;
    return cemv_store_put(&kernel.store, slot, random_value(slot, value), provenance);
}

static void put_some(const uint16_t *slots, size_t count, unsigned left_out)
{
    for (size_t i = 0; i < count; i++)
        if (!once_in(left_out)) holds(put(slots[i]), "a store has room for this");
}
#define PUT_SOME(left_out, ...)                                                                                        \
    do {                                                                                                               \
        static const uint16_t put_slots[] = { __VA_ARGS__ };                                                           \
        put_some(put_slots, sizeof put_slots / sizeof put_slots[0], left_out);                                         \
    } while (0)

static void random_kernel(void)
{
    static const uint8_t aids[][7] = { { 0xA0, 0, 0, 0, 4, 0x10, 0x10 },
                                       { 0xA0, 0, 0, 0, 3, 0x10, 0x10 },
                                       { 0xA0, 0, 0, 0, 4, 0x30, 0x60 } };
    memset(&kernel, 0, sizeof kernel);
    memset(&checked, 0, sizeof checked);
    memset(&combination, 0, sizeof combination);
    checked.crypto = &cemv_crypto_builtin;
    checked.configuration = (struct cemv_configuration){ .combinations = &combination,
                                                         .combination_count = 1,
                                                         .ca_keys = keys,
                                                         .ca_key_count = below(4),
                                                         .exceptions = exceptions,
                                                         .exception_count = below(3) };
    struct cemv_protection *const p = &checked.configuration.protection;
    uint8_t *const rules[] = { &p->brand_check, &p->expiry_mismatch, &p->luhn, &p->offline, &p->magstripe };
    p->profile = (uint8_t)below(3);
    p->torn = (uint8_t)below(4);
    p->relay = (uint8_t)below(5);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) *rules[i] = once_in(2) ? (uint8_t)below(4) : 0;
    p->torn_lifetime_s = (uint16_t)(once_in(2) ? below(400) : 0);
    p->relay_max_card_ms = (uint8_t)(once_in(2) ? below(40) : 0);
    p->relay_latency_us = once_in(2) ? below(3000) : 0;
    p->min_number_digits = (uint8_t)(once_in(2) ? below(9) : 0);
    for (size_t i = 0; i < 3; i++) {
        keys[i] = (struct cemv_ca_key){ .index = (uint8_t)(1 + i) };
        memcpy(keys[i].rid, aids[below(2)], 5);
    }
    for (size_t i = 0; i < 2; i++)
        exceptions[i] = (struct cemv_exception){ { pans[i], pan_sizes[i] }, (uint8_t)below(3), flag() };
    combination = (struct cemv_combination){ .aid = { aids[below(3)], 5 + 2 * below(2) },
                                             .zero_amount = (uint8_t)below(3),
                                             .own_protection = once_in(6) };
    if (combination.own_protection) {
        combination.protection = *p;
        combination.protection.profile = (uint8_t)below(3);
    }
    checked.configuration.kernels = &row;
    kernel.checked = &checked;
    kernel.combination = &combination;
    kernel.row = &row;
    memcpy(kernel.transaction.date, "\x26\x11\x21", 3);
    memcpy(kernel.transaction.time, "\x12\x30\x15", 3);
    if (once_in(4)) memcpy(kernel.transaction.date, "\x26\x11\x22", 3);
    if (once_in(4)) memcpy(kernel.transaction.time, "\x12\x34\x59", 3);
    kernel.transaction.reader = &reader;
    reader.link_latency_us = once_in(2) ? below(4000) : 0;
    cemv_store_clear(&kernel.store, tags_of(2), (uint8_t)below(8));
    struct k2_memory *memory = k2_memory_of(&kernel);
    for (unsigned i = below(4); i; i--) memory->tvr |= 1ull << below(40);
    if (flag()) memory->tvr = (memory->tvr & ~K2_TVR_RELAY_MASK) | CEMV_TVR(5, 1 + below(2));
    memory->ids = (uint8_t)(0x40 * below(4));
    memory->mode = (uint8_t)below(3);
    memory->cda = flag();
    memory->verified = flag();
    memory->decline = once_in(4);
    memory->ac_type = (uint8_t)(0x40 * below(3));
    memory->control = (uint8_t)(0x10 * below(10));
    memory->retries = (uint8_t)below(3);
    memory->measured = (uint16_t)below(1000);
    kernel.out.outcome.receipt = flag();
    memory->summary_status = byte();
    memory->put_before = byte();
    memory->put_after = byte();
    fill_random(memory->relay, sizeof memory->relay);
    if (flag()) memory->relay[8] = memory->relay[10] = memory->relay[12] = 0;
    memory->record = (struct cemv_record_id){ (uint8_t)(1 + below(30)), 1, flag() };
}

static void note_kernel(void)
{
    const struct k2_memory *m = k2_memory_of(&kernel);
    const struct cemv_output *out = &kernel.out;
    note(kernel.findings);
    note(m->tvr);
    note(m->ids);
    note(out->outcome.cvm);
    note(out->outcome.receipt);
    note(m->decline);
    note(m->protection);
    note(m->store_full);
    note(m->control);
    note(m->measured);
    note(m->retries);
    const struct cemv_span spans[] = { m->pdol,         m->cdol,        m->drdol,      m->ac,         m->old_record,
                                       m->write_before, m->write_after, m->evicted[0], m->evicted[1], m->evicted[2] };
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++)
        if (spans[i].size) note_bytes(cemv_span_bytes(&kernel.store, spans[i]));
    const struct cemv_exchange_list *const lists[] = { &m->to_read, &m->needed };
    for (size_t i = 0; i < 2; i++) {
        note(lists[i]->count);
        for (size_t j = 0; j < lists[i]->count; j++) note(lists[i]->slot[j]);
    }
    note(m->to_send.count);
    for (size_t i = 0; i < m->to_send.count; i++) {
        const struct cemv_exchange_answer *const item = &m->to_send.item[i];
        note(item->slot);
        note_bytes((cemv_bytes){ kernel.store.arena + item->offset, item->size });
    }
    note(m->old_write);
    note_bytes((cemv_bytes){ m->old_summary, m->old_summary_size });
    note(m->evicted_count);
    note(m->pdol_header);
    note_bytes((cemv_bytes){ m->relay, sizeof m->relay });
    note_bytes((cemv_bytes){ m->empty, sizeof m->empty });
    note(out->exchange_size);
    note_bytes((cemv_bytes){ out->records, out->exchange_size });
    note(kernel.afl.at);
    note(kernel.afl.end);
    note(kernel.store.count);
    note(kernel.store.used);
    note(kernel.store.terminal_tag_from_card);
    for (uint16_t slot = 0; slot < K2_SLOT_END; slot++) {
        const struct cemv_store_entry *entry = cemv_store_find(&kernel.store, slot);
        if (entry) {
            note(slot);
            note(cemv_store_provenance(&kernel.store, slot));
            note_bytes(cemv_store_value(&kernel.store, slot));
        }
    }
}

/* ---- code that all kernels share ---- */

static void accounts(void)
{
    uint8_t buffer[10], yymm[2] = { 0 };
    random_kernel();
    PUT_SOME(3, CEMV_SLOT_5A, CEMV_SLOT_57, CEMV_SLOT_56, CEMV_SLOT_9F6B, CEMV_SLOT_5F24, CEMV_SLOT_5F34, CEMV_SLOT_82,
             CEMV_SLOT_8F, CEMV_SLOT_90, CEMV_SLOT_9F46);
    struct cemv_account account = cemv_account_of(&kernel.store);
    account.magstripe_track_2 = cemv_store_value(&kernel.store, CEMV_SLOT_9F6B);
    const cemv_bytes pan = cemv_account_pan(&account, buffer);
    note_bytes(pan);
    note(cemv_account_agrees(&account));
    note(cemv_track2_expiry(account.track_2, yymm));
    note_bytes((cemv_bytes){ yymm, 2 });
    note(cemv_luhn_ok(pan));
    note(cemv_brand_mismatch(combination.aid, pan));
    note(cemv_on_exception_list(&kernel, pan));
    note(cemv_brand_refused(&kernel, pan));
    note(cemv_account_refused(&kernel, &account, pan));
    note(cemv_stored_account_refused(&kernel));
    cemv_look_for_stripped_oda(&kernel, (uint8_t)(1u << below(8)));
    note(k2_storage_id_agrees(&kernel));
    note(kernel.findings);
    for (uint8_t set = 0; set < 4; set++)
        note(cemv_rule_of(cemv_protection_of(&kernel), set, (uint8_t)(1 + below(3)), (uint8_t)(1 + below(3))));
}

/* ---- from data to decisions ---- */

static void evaluate(void)
{
    struct k2_memory *memory = k2_memory_of(&kernel);
    random_kernel();
    PUT_SOME(4, CEMV_SLOT_82, CEMV_SLOT_9F08, CEMV_SLOT_9F09, CEMV_SLOT_9F07, CEMV_SLOT_5F28, CEMV_SLOT_9F1A,
             CEMV_SLOT_9F40, CEMV_SLOT_9F35, CEMV_SLOT_9A, CEMV_SLOT_5F24, CEMV_SLOT_5F25, CEMV_SLOT_9C, CEMV_SLOT_9F02,
             CEMV_SLOT_9F03, K2_SLOT_DF8117, K2_SLOT_DF8118, K2_SLOT_DF8119, K2_SLOT_DF811B, K2_SLOT_DF811F,
             K2_SLOT_DF8120, K2_SLOT_DF8121, K2_SLOT_DF8122, K2_SLOT_DF8124, K2_SLOT_DF8125, K2_SLOT_DF8126,
             CEMV_SLOT_9F0D, CEMV_SLOT_9F0E, CEMV_SLOT_9F0F, CEMV_SLOT_9F42, CEMV_SLOT_5F2A, K2_SLOT_8E, CEMV_SLOT_8F,
             CEMV_SLOT_90, CEMV_SLOT_9F32, CEMV_SLOT_9F46, CEMV_SLOT_9F47, CEMV_SLOT_9F4A, K2_SLOT_DF4B, K2_SLOT_DF8105,
             K2_SLOT_9F6D);
    note(k2_configuration_of(&kernel));
    note(cemv_relay_rule(&kernel));
    note(k2_torn_rule(&kernel));
    note(k2_number_too_short(&kernel, (int)below(10) - 1));
    note(k2_relay_refused(&kernel));
    note(k2_on_device_cvm(&kernel));
    note(k2_above_cvm_limit(&kernel));
    note(k2_above_transaction_limit(&kernel));
    note(k2_restrictions_of(&kernel));
    note(k2_approval_unproven(&kernel));
    note(k2_verified_on_device(&kernel));
    if (flag()) {
        k2_put_initial_data(&kernel);
        note_kernel();
    }
    note(k2_prepare_cda(&kernel));
    if (flag()) k2_choose_capabilities(&kernel);
    k2_select_cvm(&kernel);
    k2_put_tvr(&kernel);
    note(k2_analyse(&kernel));
    memory->decline = once_in(4);
    note(k2_guard_type(&kernel, (uint8_t)(0x40 * below(3))));
    struct cemv_ui_request request = { 0 };
    uint8_t balance[9];
    memcpy(balance, "\x9F\x50\x06\x00\x00\x00\x00\x12\x34", 9);
    if (once_in(3)) balance[below(3)] ^= 1;
    k2_take_balance(&kernel, (cemv_bytes){ balance, below(4) ? 9 : below(9) }, once_in(8) ? 0x6A88 : 0x9000,
                    flag() ? K2_SLOT_DF8104 : K2_SLOT_DF8105);
    k2_show_balance(&kernel, &request);
    note(request.value);
    note(request.value_qualifier);
    note(request.currency);
    note_kernel();
}

static void controls(void)
{
    uint8_t dol[12];
    size_t size = 0;
    random_kernel();
    PUT_SOME(3, CEMV_SLOT_82, K2_SLOT_DF811B, K2_SLOT_DF8108, K2_SLOT_DF810A, K2_SLOT_DF62, K2_SLOT_9F5B, K2_SLOT_9F5D,
             CEMV_SLOT_8F, K2_SLOT_DF8132, K2_SLOT_DF8133, K2_SLOT_DF8134, K2_SLOT_DF8135, K2_SLOT_DF8136,
             K2_SLOT_DF8137, CEMV_SLOT_94);
    if (once_in(4)) PUT_SOME(2, CEMV_SLOT_57, CEMV_SLOT_8C, CEMV_SLOT_90);
    const struct k2_ac ac = k2_reference_control(&kernel);
    note((uint64_t)ac.kind << 16 | ac.type << 8 | ac.control);
    for (unsigned i = 0; i < 4; i++) {
        const struct cemv_relay_times relay = k2_evaluate_time(&kernel, i == 0 ? below(2) : below(20000));
        note(relay.verdict);
        note(relay.measured);
        note(relay.tvr);
    }
    k2_tell_relay_data(&kernel);
    note(k2_is_downgraded(&kernel));
    note(k2_begins_with_magstripe_record(cemv_value(&kernel, CEMV_SLOT_94)));
    static const uint32_t tags[] = { 0x9F37, 0x9F38, 0x9A, 0x9F02 };
    for (unsigned i = below(4); i; i--) {
        size += cemv_tag_write(dol + size, tags[below(4)]);
        dol[size++] = (uint8_t)(3 + below(3));
    }
    note(cemv_dol_asks((cemv_bytes){ dol, size }, CEMV_TAG_9F37_UNPREDICTABLE_NUMBER, 4));
    for (unsigned i = 1; i < 3; i++) {
        note(k2_aip_has(&kernel, i, (uint8_t)(1u << below(8))));
        note(k2_capabilities_have(&kernel, i, (uint8_t)(1u << below(8))));
    }
    const uint16_t slot = (uint16_t)(flag() ? K2_SLOT_DF8132 : K2_SLOT_DF8137);
    note(k2_byte(&kernel, slot, 77));
    note(k2_word(&kernel, slot, 777));
    note(k2_amount(&kernel, CEMV_SLOT_9F02));
    /* Reading ends early only if all objects are present. */
    kernel.afl = (struct cemv_afl){ .at = 1, .end = 9 };
    PUT_SOME(60, CEMV_SLOT_5F24, CEMV_SLOT_5A, CEMV_SLOT_5F34, CEMV_SLOT_9F07, K2_SLOT_8E, CEMV_SLOT_9F0D,
             CEMV_SLOT_9F0E, CEMV_SLOT_9F0F, CEMV_SLOT_5F28, CEMV_SLOT_57, CEMV_SLOT_8C);
    k2_stop_reading_early(&kernel);
    note_kernel();
}

static void stripes(void)
{
    struct k2_memory *memory = k2_memory_of(&kernel);
    random_kernel();
    PUT_SOME(24, CEMV_SLOT_9F6B, K2_SLOT_9F65, K2_SLOT_9F66, K2_SLOT_9F67, K2_SLOT_9F61, CEMV_SLOT_9F36);
    if (flag()) PUT_SOME(24, CEMV_SLOT_56, K2_SLOT_9F62, K2_SLOT_9F63, K2_SLOT_9F64, K2_SLOT_9F60);
    const int digits = k2_number_digits_of(&kernel);
    note((uint64_t)(int64_t)digits);
    int placed = 8;
    const bool taken = k2_take_discretionary(&kernel, &placed);
    note(taken);
    note_kernel();
    if (digits < 0 || !taken) return;
    memory->number_digits = (uint8_t)digits;
    memory->number = below(100000000);
    k2_fill_tracks(&kernel, (uint8_t)(flag() ? digits : (digits + 5) % 10));
    note_kernel();
}

/* ---- the card's answers ---- */

static size_t put_object(uint8_t *out, uint32_t tag, const uint8_t *value, size_t size)
{
    size_t used = cemv_tag_write(out, tag);
    if (size > 127) out[used++] = 0x81;
    out[used++] = (uint8_t)size;
    memmove(out + used, value, size);
    return used + size;
}

static void answers(void)
{
    static const uint16_t slots[] = { CEMV_SLOT_82,   CEMV_SLOT_94,   CEMV_SLOT_9F27, CEMV_SLOT_9F36,
                                      CEMV_SLOT_9F26, CEMV_SLOT_9F10, K2_SLOT_9F7E,   K2_SLOT_9F7C,
                                      K2_SLOT_DF61,   CEMV_SLOT_9F37, CEMV_SLOT_9F02 };
    uint8_t body[256] = { 0 }, inner[200] = { 0 }, value[256] = { 0 };
    random_kernel();
    if (once_in(4)) PUT_SOME(2, CEMV_SLOT_82, CEMV_SLOT_94, CEMV_SLOT_9F27, CEMV_SLOT_9F36, CEMV_SLOT_9F10);
    for (unsigned round = 0; round < 3; round++) {
        size_t size = 0;
        if (flag()) {
            const size_t sizes[] = { 5, 6, 7, 10, 11, 12, 14, 18, 42, 43, 44 };
            size = sizes[below(11)];
            fill_random(inner, size);
            size = put_object(body, 0x80, inner, size);
        } else {
            for (unsigned i = below(6); i && size < 90; i--) {
                const uint16_t slot = slots[below(11)];
                const cemv_bytes object = random_value(slot, value);
                size +=
                    put_object(inner + size, k2_tag_row(slot)->tag, object.data, object.size > 40 ? 40 : object.size);
            }
            if (once_in(6)) size += put_object(inner + size, 0x9F54, value, once_in(2) ? 0 : 8);
            size = put_object(body, once_in(16) ? 0x78 : round == 2 ? 0x70 : 0x77, inner, size);
        }
        if (once_in(12)) {
            body[size++] = (uint8_t)below(3) - 1;
            body[size] = 0;
        }
        if (once_in(24)) size = below((uint32_t)size);
        const cemv_bytes answer = { body, size };
        if (round == 0) note(k2_store_gpo(&kernel, answer));
        else if (round == 1) note(k2_store_ac(&kernel, flag() ? K2_S9_WAIT_AC : K2_S10_WAIT_RECOVERY, answer));
        else note(k2_store_record(&kernel, answer));
        note_kernel();
    }
}

/* ---- data exchange ---- */

static size_t random_objects(uint8_t *out, size_t most)
{
    static const uint16_t slots[] = { K2_SLOT_DF8112, K2_SLOT_FF8102, K2_SLOT_FF8103, K2_SLOT_9F5C,   K2_SLOT_DF8108,
                                      K2_SLOT_DF8109, K2_SLOT_DF810A, K2_SLOT_DF8110, K2_SLOT_DF810D, CEMV_SLOT_9F02,
                                      CEMV_SLOT_95,   CEMV_SLOT_9F37, CEMV_SLOT_9F1A, K2_SLOT_DF60,   K2_SLOT_DF62,
                                      K2_SLOT_9F7C,   CEMV_SLOT_5A };
    static const uint32_t asked[] = {
        0x9F70, 0x9F79, 0x9F6F, 0x9F7A, 0x9F50, 0x5A, 0x57, 0x9F02, 0x9F7B, 0x9F75, 0x9F51
    };
    size_t size = 0;
    for (unsigned i = below(7); i && size + 120 < most; i--) {
        const uint16_t slot = once_in(6) ? (uint16_t)below(K2_SLOT_END) : slots[below(17)];
        uint8_t value[256];
        cemv_bytes object = random_value(slot, value);
        if (slot == K2_SLOT_DF8112 || slot == K2_SLOT_DF8110) {
            object.size = 0;
            for (unsigned j = once_in(12) ? 26 : below(8); j; j--)
                object.size += cemv_tag_write(value + object.size,
                                              once_in(2) ? k2_tag_row(below(K2_SLOT_END))->tag : asked[below(11)]);
        } else if (slot == K2_SLOT_FF8102 || slot == K2_SLOT_FF8103) {
            object.size = 0;
            for (unsigned j = below(4); j; j--) {
                if (once_in(6)) value[object.size++] = flag() ? 0 : 0xFF;
                object.size +=
                    put_object(value + object.size, 0x9F75 + below(4), (const uint8_t *)"\1\2\3\4", below(5));
            }
            if (once_in(6)) value[object.size++] = flag() ? 0 : 0xFF;
            if (once_in(8)) value[object.size++] = 0x9F;
        } else if (once_in(5)) object.size = 0;
        else if (once_in(8)) object.size++;
        size += put_object(out + size, k2_tag_row(slot)->tag, object.data, object.size > 100 ? 100 : object.size);
    }
    return size;
}

static void exchanges(void)
{
    struct k2_memory *memory = k2_memory_of(&kernel);
    uint8_t objects[600];
    random_kernel();
    const size_t size = random_objects(announced, sizeof announced);
    kernel.transaction.data = (cemv_bytes){ announced, size };
    note(cemv_store_put_list(&kernel.store, kernel.transaction.data, CEMV_FROM_TERMINAL));
    PUT_SOME(2, K2_SLOT_9F5D, K2_SLOT_9F5E, K2_SLOT_9F5F, K2_SLOT_9F7D, K2_SLOT_9F7F, K2_SLOT_9F6F, K2_SLOT_9F54,
             CEMV_SLOT_9F37, K2_SLOT_9F75);
    k2_exchange_open(&kernel);
    k2_announce_storage(&kernel);
    note_kernel();
    k2_offer_storage(&kernel);
    note_kernel();
    for (unsigned steps = 2 + below(6); steps; steps--) {
        uint8_t dol[40];
        size_t used = 0;
        uint16_t slot = 0;
        struct cemv_tlv object = { 0 };
        switch (below(8)) {
        case 0: k2_update(&kernel, (cemv_bytes){ objects, random_objects(objects, sizeof objects) }); break;
        case 1: k2_spool(&kernel); break;
        case 2: k2_exchange_if_needed(&kernel); break;
        case 3:
            if (once_in(3)) (void)k2_answer_rest(&kernel);
            break;
        case 4:
            for (unsigned i = below(7); i; i--) {
                used += cemv_tag_write(dol + used, once_in(2)   ? 0x9F5C
                                                   : once_in(8) ? 0x9F7B
                                                                : k2_tag_row(below(K2_SLOT_END))->tag);
                dol[used++] = 4;
            }
            note(k2_need_for_dol(&kernel, (cemv_bytes){ dol, used }));
            break;
        case 5:
            if (k2_take_card_tag(&kernel, &slot)) note(slot);
            break;
        case 6: {
            struct cemv_span *const list = flag() ? &memory->write_before : &memory->write_after;
            const bool found = k2_take_object(&kernel, list, &object);
            note(found);
            if (found) note_bytes(object.whole);
            break;
        }
        default:
            k2_need(&kernel, (uint16_t)below(K2_SLOT_END));
            k2_mark_empty(&kernel, K2_SLOT_9F54);
            note(k2_is_present(&kernel, K2_SLOT_9F54));
            break;
        }
        note_kernel();
    }
    holds(kernel.out.exchange_size <= sizeof kernel.out.records, "an exchange keeps to its room");
}

static void storage(void)
{
    uint8_t out[256];
    size_t size = 0;
    random_kernel();
    PUT_SOME(6, K2_SLOT_DF8109, K2_SLOT_9F5E, K2_SLOT_9F6F, K2_SLOT_DF62, K2_SLOT_9F5C, K2_SLOT_9F5D, K2_SLOT_9F5B,
             K2_SLOT_DF60, CEMV_SLOT_9F37, K2_SLOT_9F7F, CEMV_SLOT_9F02);
    memset(out, 0xEE, sizeof out);
    const size_t capacity = once_in(3) ? below(60) : 200;
    const bool built = k2_build_storage_data(&kernel, out, capacity, &size);
    note(built);
    if (built) note_bytes((cemv_bytes){ out, size });
    for (size_t i = built ? size : 0; i < sizeof out; i++) holds(out[i] == 0xEE, "data for storage keep to their room");
    note_kernel();
}

/* ---- records ---- */

static void keep(struct cemv_span *span, const char *bytes, size_t size)
{
    holds(cemv_store_keep(&kernel.store, (cemv_bytes){ (const uint8_t *)bytes, size }, span), "a store keeps this");
}

static void torn(void)
{
    struct k2_memory *memory = k2_memory_of(&kernel);
    memset(&reader, 0, sizeof reader);
    for (unsigned taps = 1 + below(4); taps; taps--) {
        random_kernel();
        PUT_SOME(8, CEMV_SLOT_9F02, CEMV_SLOT_9F03, CEMV_SLOT_5A, CEMV_SLOT_5F34, K2_SLOT_DF8104, CEMV_SLOT_9F34,
                 K2_SLOT_9F7D, CEMV_SLOT_9F1E, CEMV_SLOT_9F33, CEMV_SLOT_9F1A, CEMV_SLOT_9F35, CEMV_SLOT_95,
                 K2_SLOT_9F53, CEMV_SLOT_5F2A, CEMV_SLOT_9A, CEMV_SLOT_9F21, CEMV_SLOT_9C, CEMV_SLOT_9F37,
                 K2_SLOT_DF811C, K2_SLOT_DF811D);
        const bool wide = once_in(4);
        static const char list[160] = "\x83\x02\xAB\xCD", long_list[160] = "\x83\x81\x90";
        keep(&memory->pdol, wide ? long_list : list, wide ? 3 + 0x90 : 4);
        memory->pdol_header = wide ? 3 : 2;
        memory->pdol.at = (uint16_t)(memory->pdol.at + memory->pdol_header);
        memory->pdol.size = (uint16_t)(memory->pdol.size - memory->pdol_header);
        if (!once_in(4)) keep(&memory->cdol, "\1\2\3\4\5", 1 + below(5));
        if (!once_in(4)) keep(&memory->drdol, "\6\7\x08", 1 + below(3));
        k2_torn_clean(&kernel);
        note_kernel();
        if (reader.torn_count && flag()) {
            memory->torn = (uint8_t)below(reader.torn_count);
            const cemv_bytes record = { reader.torn[memory->torn].bytes, reader.torn[memory->torn].size };
            note(k2_is_same_sale(&kernel, record));
            note(k2_torn_too_old(&kernel, record));
            note(k2_old_write_unresolved(&kernel, memory->torn));
            k2_torn_take(&kernel, flag());
            note_kernel();
        }
        note(k2_torn_room(&kernel));
        k2_torn_store(&kernel, (uint8_t)(1 + below(CEMV_TORN_RECORDS)));
        note(reader.torn_count);
        for (size_t i = 0; i < reader.torn_count; i++)
            note_bytes((cemv_bytes){ reader.torn[i].bytes, reader.torn[i].size });
        if (once_in(3)) k2_report_torn(&kernel, memory->old_record);
        note_kernel();
    }
}

static void outcomes(void)
{
    struct k2_memory *memory = k2_memory_of(&kernel);
    static char bytes[400];
    random_kernel();
    fill_random(kernel.out.outcome.error_indication, sizeof kernel.out.outcome.error_indication);
    for (unsigned i = once_in(3) ? 60 : below(30); i; i--) {
        const uint16_t slot = (uint16_t)below(K2_SLOT_END);
        if (!cemv_tag_is_constructed(k2_tag_row(slot)->tag)) (void)put(slot);
    }
    PUT_SOME(2, K2_SLOT_9F5D, CEMV_SLOT_9F42, K2_SLOT_DF8105, K2_SLOT_DF8104, K2_SLOT_9F6E, CEMV_SLOT_50,
             CEMV_SLOT_9F12, CEMV_SLOT_84, CEMV_SLOT_5A, CEMV_SLOT_57, CEMV_SLOT_9F26, CEMV_SLOT_9F27);
    for (unsigned i = below(5); i; i--) {
        struct cemv_span record;
        if (cemv_store_keep(&kernel.store, (cemv_bytes){ (const uint8_t *)bytes, below(400) }, &record))
            k2_report_torn(&kernel, record);
    }
    note(memory->evicted_count);
    k2_put_records(&kernel, flag());
    note(kernel.out.record_size);
    note(kernel.out.discretionary_size);
    note_bytes((cemv_bytes){ kernel.out.records, (size_t)kernel.out.record_size + kernel.out.discretionary_size });
    holds((size_t)kernel.out.record_size + kernel.out.discretionary_size <= sizeof kernel.out.records,
          "records keep to their room");
}

uint64_t random_kernel_2_parts(size_t part, const char **violated)
{
    static void (*const all[])(void) = { accounts,  evaluate, controls, stripes, answers,
                                         exchanges, storage,  torn,     outcomes };
    enum { KINDS = sizeof all / sizeof all[0] };
    _Static_assert(KERNEL_2_MODULE_PARTS % KINDS == 0, "every kind as often");
    state = 0x4E16 + part, sum = SUM_EMPTY, violation = NULL;
    memset(&reader, 0, sizeof reader);
    for (unsigned i = 0; i < 400 && !violation; i++) all[part % KINDS]();
    *violated = violation;
    return violation ? 0 : sum | 1;
}
