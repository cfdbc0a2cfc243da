/* SPDX-License-Identifier: Apache-2.0 */
/* Digests over the kernels' decisions with random inputs: equal inputs must give equal results. The answers of an
 * independent implementation check whether they are right (independent_rules.c). */
#include <string.h>

#include "CEMVInternals.h"
#include "random_values.h"
#include "random.h"

static uint8_t byte(void) { return (uint8_t)(below(4) ? 1u << below(8) : below(3) ? below(256) : 255 * below(2)); }
static uint64_t results(void)
{
    uint64_t bits = 0;
    for (unsigned i = below(4); i; i--) bits |= 1ull << below(40);
    return bits;
}
static struct k3_pair pair(void)
{
    return below(4) ? (struct k3_pair){ true, { byte(), byte() } } : (struct k3_pair){ 0 };
}
static void fill_random(uint8_t *out, size_t size)
{
    for (size_t i = 0; i < size; i++) out[i] = byte();
}

static void k3_types(void)
{
    uint8_t iad[16];
    fill_random(iad, sizeof iad);
    const cemv_bytes value = { iad, below(17) };
    const uint8_t cid = byte();
    const bool has = flag();
    note(k3_cryptogram_type(has, cid, value));
    note(k3_cryptogram_contradicts(has, cid, value));
    note(k3_disposition((uint8_t)below(4), flag(), flag()));
}

static void k3_restrict(void)
{
    const struct k3_restrictions_in in = {
        (uint8_t)below(4), (uint8_t)below(3), flag(), flag(), flag(), flag(), pair(), pair()
    };
    note(k3_restrictions(&in));
}

static void k3_signatures(void)
{
    const struct k3_signature_in in = { (uint8_t)below(4), (uint8_t)below(32), flag(), flag(), flag(), flag() };
    note(k3_signature_wanted(&in));
    const struct k3_oda_in oda = { (uint8_t)below(4), flag(), flag(), flag(), pair() };
    note(k3_after_oda(&oda));
    const struct k3_decide_in end = { (uint8_t)below(32), flag(), flag() };
    note(k3_decide(&end));
}

static void k3_methods(void)
{
    const struct k3_cvm_in in = { (uint8_t)below(4),
                                  (uint8_t)below(4),
                                  (uint8_t)(1 + below(3)),
                                  flag(),
                                  flag(),
                                  flag(),
                                  flag(),
                                  flag(),
                                  flag(),
                                  flag(),
                                  flag(),
                                  pair() };
    const struct k3_cvm out = k3_cvm(&in);
    note((uint64_t)out.cvm << 16 | out.marks << 8 | out.plain << 1 | out.unauthenticated);
}

static uint8_t type(void)
{
    static const uint8_t types[] = { 0, 1, 9, 0x17, 0x20, 0x30 };
    return types[below(6)];
}
static uint8_t terminal(void) { return (uint8_t)((1 + below(3)) << 4 | (1 + below(6))); }

static void k2_restrict(void)
{
    const struct k2_restrictions_in in = { flag(), flag(),        flag(), below(4) != 0, { byte(), byte() },
                                           flag(), below(4) != 0, flag(), type(),        flag() };
    note(k2_restrictions(&in));
}

static void k2_methods(void)
{
    static const uint8_t codes[] = { 0, 1, 2, 3, 4, 5, 0x1E, 0x1F, 0x20, 0x3E, 0x3F, 0x0F },
                         conditions[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0x80 };
    uint8_t list[8 + 2 * 8];
    static const uint64_t amounts[] = { 0, 1, 99, 100, 101, 500, 501 };
    memset(list, 0, 8);
    list[3] = (uint8_t)(below(2) * 100);
    list[7] = (uint8_t)(below(2) * 101);
    list[6] = (uint8_t)below(2);
    if (!below(4)) list[below(8)] = byte();
    const size_t rules = below(9);
    for (size_t i = 0; i < rules; i++) {
        list[8 + 2 * i] = (uint8_t)(codes[below(12)] | (flag() ? 0x40 : 0) | (below(8) ? 0 : 0x80));
        list[9 + 2 * i] = below(2) ? conditions[below(12)] : (uint8_t)(3 * below(2));
    }
    const struct k2_cvm_in in = { .on_device = below(4) == 0,
                                  .card_verifies = below(8) != 0,
                                  .above_limit = below(4) != 0,
                                  .list = { list, below(8) ? 8 + 2 * rules : 2 * below(5) },
                                  .capability = below(3)
                                                  ? (uint8_t)(1u << (3 + below(5))) | (uint8_t)(1u << (3 + below(5)))
                                                  : byte(),
                                  .type = type(),
                                  .terminal_type = terminal(),
                                  .amount = amounts[below(7)],
                                  .same_currency = flag(),
                                  .currency_known = below(4) != 0 };
    const struct cemv_rules_cvm out = k2_cvm(&in);
    note(out.tvr);
    note_raw(out.results, 3);
    note((uint64_t)out.cvm << 8 | out.receipt);
}

static void k2_actions(void)
{
    const struct k2_action_in in = { results(), results(), results(), results(), results(), results(),
                                     results(), flag(),    flag(),    flag(),    terminal() };
    note(k2_action(&in));
    const struct k2_ac_in ac = {
        flag(), flag(), flag(), flag(), flag(), flag(), (uint8_t)(below(3) << 6), (uint8_t)(below(3) << 6),
        byte(), flag()
    };
    const struct k2_ac out = k2_ac(&ac);
    note((uint64_t)out.kind << 16 | out.type << 8 | out.control);
    note(cemv_rules_cryptogram_allowed((uint8_t)(below(4) << 6 | below(2) << 4), byte()));
}

static void k2_relays(void)
{
    struct cemv_relay_in in = { .elapsed_us = below(4) ? below(40) * 100 + below(3) * 50 : below(10000000),
                                .retries = (uint8_t)below(3),
                                .card_min = (uint16_t)below(30),
                                .card_max = (uint16_t)below(60),
                                .card_transmission = (uint16_t)below(30),
                                .min_grace = (uint16_t)below(20),
                                .max_grace = (uint16_t)below(20),
                                .command_transmission = (uint16_t)below(30),
                                .response_transmission = (uint16_t)below(30),
                                .accuracy = (uint16_t)below(20),
                                .mismatch = (uint8_t)below(101) };
    if (!below(8)) {
        in.card_min = in.min_grace = 0xFFFF;
        in.max_grace = (uint16_t)(below(2) * 0xFFFF);
    }
    const struct cemv_relay_times out = cemv_relay_evaluate(&in);
    note(out.verdict);
    note(out.measured);
    note(out.tvr);
    /* At the border. */
    in.elapsed_us = ((uint32_t)in.command_transmission + in.response_transmission + in.card_min + below(4)) * 100 +
                    below(2) * 99;
    const struct cemv_relay_times border = cemv_relay_evaluate(&in);
    note(border.verdict);
    note(border.measured);
    note(border.tvr);
}

static void k2_ends(void)
{
    const struct k2_end_in in = { (uint8_t)(below(4) << 6), type(), flag(), flag() };
    const struct k2_end out = k2_end(&in);
    note((uint64_t)out.status << 16 | out.message << 8 | out.hold);
    uint8_t third[8], interaction[4], table[48];
    fill_random(third, sizeof third);
    fill_random(interaction, sizeof interaction);
    if (below(2)) {
        third[4] = third[4] & 0x7F;
        third[5] = '0';
        third[6] = (uint8_t)('0' + below(4));
    }
    note(k2_is_device((cemv_bytes){ third, below(9) }));
    const cemv_bytes said = { interaction, below(8) ? 3 : below(4) };
    note(k2_second_tap(said));
    struct k2_phone_message message = k2_phone_message((cemv_bytes){ k2_phone_table, sizeof k2_phone_table }, said);
    note((uint64_t)message.message << 8 | message.status);
    memcpy(table, k2_phone_table, sizeof table);
    const size_t size = below(4) ? 8 + 8 * below(6) : below(49);
    if (flag()) table[below(48)] = byte();
    if (flag() && size >= 8) memset(table + size - size % 8 - 8, 0, 6);
    note(k2_phone_table_ok((cemv_bytes){ table, size }));
    if (k2_phone_table_ok((cemv_bytes){ table, size })) {
        message = k2_phone_message((cemv_bytes){ table, size }, said);
        note((uint64_t)message.message << 8 | message.status);
    }
    note(k2_back_off_ms((uint8_t)below(7)));
}

static size_t random_track_2(uint8_t out[20])
{
    uint8_t digits[48];
    size_t count = 0;
    for (size_t i = 12 + below(9); i; i--) digits[count++] = (uint8_t)below(10);
    if (below(8)) digits[count++] = 0xD;
    for (size_t i = below(8) ? 7 + below(14) : below(20); i; i--) digits[count++] = (uint8_t)below(10);
    if (!below(8)) digits[below((uint32_t)count)] = (uint8_t)below(16);
    if (count % 2) digits[count++] = 0xF;
    if (count > 38) count = 38;
    for (size_t i = 0; i < count / 2; i++) out[i] = (uint8_t)(digits[2 * i] << 4 | digits[2 * i + 1]);
    return count / 2;
}

static void k2_tracks(void)
{
    uint8_t track[20], out[19], id[11];
    size_t first = 0, digits = 0, size = 0;
    cemv_bytes value = { track, random_track_2(track) };
    const struct k2_relay_track_in in = {
        byte(), (uint8_t)below(3), { byte(), byte(), byte(), byte() }, (uint16_t)below(65536)
    };
    const bool made = k2_relay_track(value, &in, out, &size);
    note(made);
    if (made) {
        note(size);
        note_raw(out, size);
    }
    const bool laid = k2_track_2_discretionary(value, &first, &digits);
    note(laid);
    if (laid) {
        note(first);
        note(digits);
    }
    uint8_t pan[10];
    for (size_t i = 0; i < 10; i++) pan[i] = (uint8_t)(below(10) << 4 | below(10));
    if (below(2)) pan[9] |= 15;
    value = (cemv_bytes){ pan, 1 + below(10) };
    if (below(2)) pan[value.size - 1] |= 15;
    size = k2_storage_id(value, (uint8_t)below(100), id);
    note(size);
    note_raw(id, size);
}

static void k2_fills(void)
{
    uint8_t track[20], positions[2][6], text[80];
    size_t first = 0, digits = 0;
    for (unsigned track_1 = 0; track_1 < 2; track_1++) {
        const size_t wide = track_1 ? 6 : 2;
        fill_random(positions[0], 6);
        fill_random(positions[1], 6);
        if (track_1) positions[0][0] = positions[0][1] = positions[1][0] = positions[1][1] = 0;
        else {
            positions[0][0] &= 0x1F;
            positions[1][0] &= 0x1F;
        }
        const cemv_bytes cvc3 = { positions[0], wide }, number = { positions[1], wide };
        struct k2_fill fill = { cvc3,
                                number,
                                (uint8_t)below(6),
                                (uint16_t)below(65536),
                                (uint16_t)below(65536),
                                below(100000000),
                                0,
                                (uint8_t)below(10) };
        const int shown = k2_number_digits(number, fill.counter_digits);
        note((uint64_t)(int64_t)shown);
        if (shown < 0 || shown > 8) continue;
        fill.number_digits = (uint8_t)shown;
        bool laid;
        size_t size;
        if (track_1) {
            size = (size_t)0;
            text[size++] = 'B';
            for (size_t i = 12 + below(8); i; i--) text[size++] = (uint8_t)('0' + below(10));
            text[size++] = '^';
            for (size_t i = below(8) ? 2 + below(20) : 0; i; i--) text[size++] = (uint8_t)('A' + below(26));
            if (below(12)) text[size++] = '^';
            for (size_t i = below(8) ? 7 + below(25) : below(7); i && size < 76; i--)
                text[size++] = (uint8_t)('0' + below(10));
            laid = k2_track_1_discretionary((cemv_bytes){ text, size }, &first, &digits);
        } else {
            size = random_track_2(track);
            laid = size <= 19 && k2_track_2_discretionary((cemv_bytes){ track, size }, &first, &digits);
        }
        note(laid);
        if (!laid) continue;
        note(first);
        note(digits);
        note((uint64_t)k2_positions_within(cvc3, digits));
        note((uint64_t)k2_positions_within(number, digits));
        if (digits == 0) continue;
        if (track_1) {
            k2_fill_track_1(text, first, digits, &fill);
            note_raw(text, size);
        } else {
            k2_fill_track_2(track, first, digits, &fill);
            note_raw(track, size);
        }
    }
    uint8_t random[4];
    uint32_t number = 0;
    for (unsigned i = 0; i < 4; i++) random[i] = below(3) ? (uint8_t)below(256) : (uint8_t)(255 * below(2));
    const bool drawn = cemv_number_of_digits(cemv_be32(random), (uint8_t)below(9), &number);
    note(drawn);
    if (drawn) note(number);
}

static size_t random_record(uint8_t *out, unsigned which)
{
    static const uint8_t pans[][8] = { { 0x41, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11 },
                                       { 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x44, 0x44 } };
    static const uint8_t days[][3] = {
        { 0x26, 0x11, 0x21 }, { 0x26, 0x11, 0x22 }, { 0x26, 0x12, 0x31 }, { 0x27, 0x01, 0x01 }, { 0x26, 0x13, 0x01 }
    };
    const uint8_t times[][3] = {
        { 0, 0, 0 }, { 0x23, 0x59, 0x59 }, { 0x12, 0x30, 0x15 }, { (uint8_t)below(256), 0, 0 }
    };
    size_t size = 0;
    if (below(8)) {
        memcpy(out + size, "\x5A\x08", 2);
        memcpy(out + size + 2, pans[which % 2], 8);
        size += 10;
    }
    if (below(4)) {
        memcpy(out + size, "\x5F\x34\1\1", 4);
        out[size + 3] = (uint8_t)below(2);
        size += 4;
    }
    if (below(8)) {
        memcpy(out + size, "\x9A\3", 2);
        memcpy(out + size + 2, days[below(5)], 3);
        size += 5;
    }
    if (below(8)) {
        memcpy(out + size, "\x9F\x21\3", 3);
        memcpy(out + size + 3, times[below(4)], 3);
        size += 6;
    }
    if (!below(16)) out[size++] = 0x9F;
    return size;
}

static void k2_torn_records(void)
{
    static struct cemv_reader_memory memory;
    static const uint8_t pan[] = { 0x41, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11 }, sequence[] = { 1 };
    static const uint32_t tags[] = { 0x5A, 0x5F34, 0x9A, 0x9F21, 0x9F02 };
    memory.torn_count = (uint8_t)below(CEMV_TORN_RECORDS + 1);
    for (size_t i = 0; i < CEMV_TORN_RECORDS; i++)
        memory.torn[i].size = (uint16_t)random_record(memory.torn[i].bytes, below(3));
    struct cemv_torn_now now = { { 0x26, 0x11, 0x21 }, { 0x12, 0x30, 0x15 } };
    if (flag()) memcpy(now.date, "\x27\x01\x01", 3);
    if (!below(8)) now.time[below(3)] = byte();
    const cemv_bytes record = { memory.torn[0].bytes, memory.torn[0].size };
    cemv_bytes value = { NULL, 0 };
    note(cemv_torn_age(record, &now));
    const bool found = cemv_torn_find(record, tags[below(5)], &value);
    note(found);
    if (found) note_raw(value.data, value.size);
    note(k2_torn_lookup(&memory, (cemv_bytes){ pan, 8 }, (cemv_bytes){ sequence, below(2) }));
    note(k2_torn_capacity(&memory, (uint8_t)below(6)));
    if (memory.torn_count) {
        cemv_torn_remove(&memory, (uint8_t)below(memory.torn_count));
        note(memory.torn_count);
        for (size_t i = 0; i < CEMV_TORN_RECORDS; i++) {
            note(memory.torn[i].size);
            note_raw(memory.torn[i].bytes, memory.torn[i].size);
        }
    }
}

uint64_t random_decisions(size_t part)
{
    static void (*const all[])(void) = { k3_types,    k3_restrict, k3_signatures, k3_methods,
                                         k2_restrict, k2_methods,  k2_actions,    k2_relays,
                                         k2_ends,     k2_tracks,   k2_fills,      k2_torn_records };
    enum { KINDS = sizeof all / sizeof all[0] };
    state = 0xDEC1DE + part, sum = SUM_EMPTY;
    for (unsigned i = 0; i < 3000; i++) all[part % KINDS]();
    return sum | 1;
}
