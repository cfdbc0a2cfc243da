/* SPDX-License-Identifier: Apache-2.0 */
/* Reads cases of the form "function | inputs | expected outputs", calls the function and compares every output.
 * Tests/Independent/generators/rules.py defines the form of the file. This file has the functions of rules.txt; the
 * functions of later kernels are in separate files. */
#include "independent_rules.h"

#include <string.h>

#include "CEMVInternals.h"
#include "independent_case.h"

enum {
    LINES_PER_CHUNK = 200,
    CHUNKS_MAX = 1024,
    GUARD = 8, /* bytes FF after each input: an over-read shows in the outputs */
};

static struct {
    const char *start, *end, *file;
} chunks[CHUNKS_MAX];
static size_t chunk_count;

/* A presence flag and two bytes. */
static struct k3_pair pair(const struct rules_case *test, size_t index)
{
    const cemv_bytes value = bytes(test, index + 1);
    return (struct k3_pair){ flag(test, index), { value.data[0], value.data[1] } };
}

/* ---- shared: numbers and lists ---- */

static void run_date_read(struct rules_case *test)
{
    uint32_t days = 0;
    gives(test, cemv_date_read(bytes(test, 0), &days));
    gives(test, days);
}

static void run_cn_digits(struct rules_case *test)
{
    const int digits = cemv_cn_digits(bytes(test, 0));
    gives(test, digits < 0);
    gives(test, digits < 0 ? 0 : (uint64_t)digits);
}

static void run_cn_equal(struct rules_case *test) { gives(test, cemv_cn_equal(bytes(test, 0), bytes(test, 1))); }
static void run_luhn(struct rules_case *test) { gives(test, cemv_luhn_ok(bytes(test, 0))); }

static void run_bcd_read(struct rules_case *test)
{
    uint64_t number = 0;
    gives(test, cemv_bcd_read(bytes(test, 0), &number));
    gives(test, number);
}

static void run_bcd_write(struct rules_case *test)
{
    uint8_t out[16] = { 0 };
    const size_t size = (size_t)in(test, 0);
    const bool fits = cemv_bcd_write(out, size, in(test, 1));
    gives(test, fits);
    gives_bytes(test, out, fits ? size : 0);
}

static void run_format_check(struct rules_case *test)
{
    gives(test, cemv_format_check(bytes(test, 0), (enum cemv_format)in(test, 1)));
}

static void run_random_draw(struct rules_case *test)
{
    uint8_t numbers[CEMV_RANDOM_POOL], again[CEMV_RANDOM_POOL / 4];
    size_t count = 0;
    struct cemv_random random = { 0 };
    cemv_random_fill(&random, bytes(test, 0));
    while (count < sizeof again && cemv_random_draw(&random, numbers + 4 * count)) {
        again[count] = cemv_random_seen(&random, numbers + 4 * count);
        count++;
    }
    gives(test, count);
    gives_bytes(test, numbers, 4 * count);
    gives_bytes(test, again, count);
}

static void run_random_seen(struct rules_case *test)
{
    uint8_t again[16];
    struct cemv_random random = { 0 };
    const cemv_bytes numbers = bytes(test, 0);
    const size_t count = numbers.size / 4;
    for (size_t i = 0; i < count; i++) again[i] = cemv_random_seen(&random, numbers.data + 4 * i);
    gives_bytes(test, again, count);
}

static void run_dol_fit(struct rules_case *test)
{
    uint8_t out[256];
    cemv_dol_fit(out, byte(test, 0), bytes(test, 1), (enum cemv_format)in(test, 2));
    gives_bytes(test, out, byte(test, 0));
}

static void run_dol_value_size(struct rules_case *test)
{
    enum cemv_wire_error error = CEMV_WIRE_OK;
    const size_t size = cemv_dol_value_size(bytes(test, 0), &error);
    gives(test, error);
    gives(test, size);
}

static struct cemv_store store;

/* Puts the objects of a list into the store. */
static void put_objects(cemv_bytes list, uint8_t provenance)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(list);
    struct cemv_tlv object;
    while (cemv_tlv_next(&cursor, &object)) {
        cemv_store_put(&store, cemv_slot_of(store.tags, object.tag), object.value, provenance);
    }
}

static void run_build_dol(struct rules_case *test)
{
    uint8_t out[256];
    size_t size = 0;
    cemv_store_clear(&store, tags_of(3), 0);
    put_objects(bytes(test, 3), CEMV_FROM_TERMINAL);
    put_objects(bytes(test, 4), CEMV_FROM_TERMINAL);
    put_objects(bytes(test, 5), CEMV_FROM_CARD);
    const bool made = cemv_store_build_dol(&store, bytes(test, 0), flag(test, 1), out, (size_t)in(test, 2), &size);
    gives(test, made);
    gives_bytes(test, out, made ? size : 0);
}

static void run_afl(struct rules_case *test)
{
    uint8_t records[3 * CEMV_MAX_RECORDS];
    size_t size = 0;
    struct cemv_afl afl;
    struct cemv_record_id id;
    bool repeated = false;
    cemv_store_clear(&store, tags_of(3), 0);
    cemv_store_put(&store, CEMV_SLOT_94, bytes(test, 0), CEMV_FROM_CARD);
    const bool valid = cemv_afl_open(&afl, &store, byte(test, 1), &repeated);
    while (valid && size < sizeof records && cemv_afl_next(&afl, &store, &id)) {
        records[size++] = id.sfi;
        records[size++] = id.number;
        records[size++] = id.is_signed;
    }
    gives(test, valid);
    gives(test, repeated);
    gives_bytes(test, records, size);
}

static void run_idlv_next(struct rules_case *test)
{
    uint8_t items[512];
    size_t size = 0;
    cemv_bytes list = bytes(test, 0), value;
    uint16_t id;
    bool bad = false;
    while (cemv_idlv_next(&list, &id, &value, &bad) && size + 3 + value.size <= sizeof items) {
        cemv_put_be16(items + size, id);
        items[size + 2] = (uint8_t)value.size;
        cemv_copy(items + size + 3, value.data, value.size);
        size += 3 + value.size;
    }
    gives(test, bad);
    gives_bytes(test, items, size);
}

/* ---- shared: account numbers and protection ---- */

static void run_account_agrees(struct rules_case *test)
{
    const struct cemv_account account = { .pan = bytes(test, 0), .track_2 = bytes(test, 1) };
    gives(test, cemv_account_agrees(&account));
}

static void run_track_2_expiry(struct rules_case *test)
{
    uint8_t date[2];
    const bool there = cemv_track2_expiry(bytes(test, 0), date);
    gives(test, there);
    gives_bytes(test, date, there ? sizeof date : 0);
}

/* Compares digits: trailing F half bytes beyond whole bytes are left out. */
static void run_account_pan(struct rules_case *test)
{
    uint8_t buffer[10];
    const struct cemv_account account = { .pan = bytes(test, 0),
                                          .track_2 = bytes(test, 1),
                                          .magstripe_track_2 = bytes(test, 2) };
    cemv_bytes pan = cemv_account_pan(&account, buffer);
    while (pan.size && pan.data[pan.size - 1] == 0xFF) pan.size--;
    gives_bytes(test, pan.data, pan.size);
}

static void run_brand_mismatch(struct rules_case *test)
{
    gives(test, cemv_brand_mismatch(bytes(test, 0), bytes(test, 1)));
}

static void run_rule_of(struct rules_case *test)
{
    const struct cemv_protection protection = { .profile = byte(test, 0) };
    gives(test, cemv_rule_of(&protection, byte(test, 1), byte(test, 2), byte(test, 3)));
}

static struct cemv_kernel kernel;
static struct cemv_checked checked;

/* PAN, presence and value of a sequence number; then the list: PAN, sequence number, any sequence number. */
static void run_on_exception_list(struct rules_case *test)
{
    enum { EXCEPTIONS = 4, FIELDS = 3 };
    struct cemv_exception exceptions[EXCEPTIONS];
    size_t count = 0;
    for (size_t at = 3; at < test->input_count && count < EXCEPTIONS; at += FIELDS, count++) {
        exceptions[count] = (struct cemv_exception){
            .pan = bytes(test, at),
            .sequence = byte(test, at + 1),
            .any_sequence = flag(test, at + 2),
        };
    }
    const uint8_t sequence = byte(test, 2);
    cemv_store_clear(&kernel.store, tags_of(3), 0);
    if (flag(test, 1)) cemv_store_put(&kernel.store, CEMV_SLOT_5F34, (cemv_bytes){ &sequence, 1 }, CEMV_FROM_CARD);
    checked.configuration.exceptions = exceptions;
    checked.configuration.exception_count = count;
    kernel.checked = &checked;
    gives(test, cemv_on_exception_list(&kernel, bytes(test, 0)));
    kernel.checked = NULL;
}

/* ---- Entry Point ---- */

static const uint8_t visa_aid[] = { 0xA0, 0x00, 0x00, 0x00, 0x03, 0x10, 0x10 };

/* Status check, zero amount, presence of limits, five limits, TTQ. */
static struct cemv_combination combination_at(const struct rules_case *test, size_t index)
{
    struct cemv_combination combination = {
        .aid = { visa_aid, sizeof visa_aid },
        .kernel_id = { 3 },
        .kernel_id_size = 1,
        .status_check = flag(test, index),
        .zero_amount = byte(test, index + 1),
        .ttq = bytes(test, index + 8),
    };
    combination.limits.present = byte(test, index + 2);
    for (size_t i = 0; i < CEMV_LIMIT_COUNT; i++) combination.limits.amount[i] = in(test, index + 3 + i);
    return combination;
}

static void gives_indicators(struct rules_case *test, struct cemv_indicators indicators)
{
    gives(test, indicators.status_check_requested);
    gives(test, indicators.not_allowed);
    gives(test, indicators.zero_amount);
    gives(test, indicators.cvm_required_limit_exceeded);
    gives(test, indicators.floor_limit_exceeded);
    gives(test, indicators.ttq_present);
    gives_bytes(test, indicators.ttq, sizeof indicators.ttq);
    gives(test, indicators.blocked_by);
}

static void run_preprocess(struct rules_case *test)
{
    const struct cemv_transaction transaction = { .amount = in(test, 0), .exponent = byte(test, 1) };
    const struct cemv_combination combination = combination_at(test, 2);
    gives_indicators(test, cemv_preprocess(&combination, &transaction));
}

static void run_entry_indicators(struct rules_case *test)
{
    const struct cemv_transaction transaction = {
        .amount = in(test, 0),
        .exponent = byte(test, 1),
        .start_b = flag(test, 2),
    };
    struct cemv_combination combination = combination_at(test, 3);
    combination.own_protection = flag(test, 12);
    combination.protection.profile = byte(test, 15);
    combination.protection.cdcvm_trust = byte(test, 16);
    struct cemv_configuration configuration = { .combinations = &combination, .combination_count = 1 };
    configuration.protection.profile = byte(test, 13);
    configuration.protection.cdcvm_trust = byte(test, 14);
    gives_indicators(test, cemv_entry_indicators(&configuration, &combination, &transaction));
}

static struct cemv_entry entry;

static void run_entry_preprocess(struct rules_case *test)
{
    enum { ROWS = 5, FIELDS = 10 };
    const struct cemv_transaction transaction = {
        .type = byte(test, 0),
        .amount = in(test, 1),
        .exponent = byte(test, 2),
    };
    struct cemv_combination rows[ROWS];
    const size_t count = in(test, 3) < ROWS ? (size_t)in(test, 3) : ROWS;
    for (size_t i = 0; i < count; i++) {
        rows[i] = combination_at(test, 5 + i * FIELDS);
        rows[i].transaction_types = bytes(test, 4 + i * FIELDS);
    }
    const struct cemv_configuration configuration = { .combinations = rows, .combination_count = count };
    entry = (struct cemv_entry){ .configuration = &configuration };
    gives(test, cemv_entry_preprocess(&entry, &transaction));
    gives(test, entry.allowed);
    entry.configuration = NULL;
}

static void run_combination_takes(struct rules_case *test)
{
    const struct cemv_combination combination = { .transaction_types = bytes(test, 0) };
    gives(test, cemv_combination_takes(&combination, byte(test, 1)));
}

static void run_kernel_requested(struct rules_case *test)
{
    struct cemv_combination combination = { .aid = bytes(test, 0), .kernel_id_size = (uint8_t)bytes(test, 1).size };
    memcpy(combination.kernel_id, bytes(test, 1).data, combination.kernel_id_size);
    gives(test, cemv_kernel_requested(&combination, flag(test, 2), bytes(test, 3)));
}

static void run_candidates_best(struct rules_case *test)
{
    const cemv_bytes list = bytes(test, 0);
    entry = (struct cemv_entry){ .candidate_count = (uint8_t)(list.size / 4) };
    for (size_t i = 0; i < list.size / 4; i++) {
        const uint8_t *const at = list.data + 4 * i;
        entry.candidates[i] = (struct cemv_candidate){
            .row = at[0],
            .position = at[1],
            .priority = at[2],
            .preference = at[3],
        };
    }
    gives(test, cemv_candidates_best(&entry));
}

/* A candidate as row, priority, and name with its size. Returns the size of all. */
static size_t put_candidate(uint8_t *out, const struct cemv_candidate *candidate)
{
    out[0] = candidate->row;
    out[1] = candidate->priority;
    out[2] = candidate->name_size;
    memcpy(out + 3, candidate->name, candidate->name_size);
    return 3u + candidate->name_size;
}

/* The candidates, combination by combination, the best of them, and for each whether it falls back from Kernel 8. */
static void run_candidates_build(struct rules_case *test)
{
    enum { ROWS = 3, FIELDS = 3, CANDIDATE_MAX = 19 };
    uint8_t list[CEMV_MAX_CANDIDATES * CANDIDATE_MAX], fallbacks[CEMV_MAX_CANDIDATES];
    size_t size = 0, count = 0, candidates = 0;
    struct cemv_combination rows[ROWS] = { 0 };
    for (size_t at = 3; at < test->input_count && count < ROWS; at += FIELDS, count++) {
        rows[count].aid = bytes(test, at);
        rows[count].kernel_id[0] = bytes(test, at + 1).data[0];
        rows[count].kernel_id_size = 1;
        rows[count].extended_selection = flag(test, at + 2);
    }
    const struct cemv_configuration configuration = { .combinations = rows, .combination_count = count };
    const struct cemv_directory directory = { .entries = bytes(test, 0) };
    entry = (struct cemv_entry){ .configuration = &configuration, .allowed = in(test, 1), .preferred = bytes(test, 2) };
    cemv_candidates_build(&entry, &directory);
    for (uint8_t row = 0; row < count; row++) {
        for (size_t i = 0; i < entry.candidate_count; i++) {
            if (entry.candidates[i].row != row) continue;
            size += put_candidate(list + size, &entry.candidates[i]);
            entry.selected = (uint8_t)i;
            fallbacks[candidates++] = cemv_candidate_falls_back(&entry);
        }
    }
    gives_bytes(test, list, size);
    const uint8_t best = cemv_candidates_best(&entry);
    gives_bytes(test, list, best < entry.candidate_count ? put_candidate(list, &entry.candidates[best]) : 0);
    gives_bytes(test, fallbacks, candidates);
    entry.configuration = NULL;
}

/* ---- Kernel 3 ---- */

static void run_k3_type(struct rules_case *test)
{
    gives(test, k3_cryptogram_type(flag(test, 0), byte(test, 1), bytes(test, 2)));
}

static void run_k3_contradicts(struct rules_case *test)
{
    gives(test, k3_cryptogram_contradicts(flag(test, 0), byte(test, 1), bytes(test, 2)));
}

static void run_k3_disposition(struct rules_case *test)
{
    gives(test, k3_disposition(byte(test, 0), flag(test, 1), flag(test, 2)));
}

static void run_k3_restrictions(struct rules_case *test)
{
    const struct k3_restrictions_in rule = {
        .cryptogram = byte(test, 0),
        .usage = byte(test, 1),
        .expired = flag(test, 2),
        .on_exception_list = flag(test, 3),
        .countries_known = flag(test, 4),
        .domestic = flag(test, 5),
        .usage_control = pair(test, 6),
        .ctq = pair(test, 8),
    };
    gives(test, k3_restrictions(&rule));
}

static void run_k3_signature(struct rules_case *test)
{
    const struct k3_signature_in rule = {
        .cryptogram = byte(test, 0),
        .marks = byte(test, 1),
        .sdad = flag(test, 2),
        .related_data = flag(test, 3),
        .oda_for_online = flag(test, 4),
        .verify_if_present = flag(test, 5),
    };
    gives(test, k3_signature_wanted(&rule));
}

static void run_k3_after_oda(struct rules_case *test)
{
    const struct k3_oda_in rule = {
        .oda = byte(test, 0),
        .online_reader = flag(test, 1),
        .contact_reader = flag(test, 2),
        .decline_wrong = flag(test, 3),
        .ctq = pair(test, 4),
    };
    const uint8_t marks = k3_after_oda(&rule);
    gives(test, marks & ~(unsigned)K3_PROTECTION);
    gives(test, (marks & K3_PROTECTION) != 0);
}

static void run_k3_cvm(struct rules_case *test)
{
    const struct k3_cvm_in rule = {
        .cryptogram = byte(test, 0),
        .oda = byte(test, 1),
        .trust = byte(test, 2),
        .cvm_required = flag(test, 3),
        .online_pin = flag(test, 4),
        .signature = flag(test, 5),
        .contact_reader = flag(test, 6),
        .related_data = flag(test, 7),
        .related_matches = flag(test, 8),
        .ctq = pair(test, 9),
    };
    const struct k3_cvm result = k3_cvm(&rule);
    gives(test, result.cvm);
    gives(test, result.marks);
    gives(test, result.unauthenticated);
}

static void run_k3_decide(struct rules_case *test)
{
    const struct k3_decide_in rule = {
        .marks = byte(test, 0),
        .online_reader = flag(test, 1),
        .offline_allowed = flag(test, 2),
    };
    gives(test, k3_decide(&rule));
}

/* ---- Kernel 2: rules ---- */

static void run_k2_allowed(struct rules_case *test)
{
    gives(test, cemv_rules_cryptogram_allowed(byte(test, 0), byte(test, 1)));
}

static void run_k2_restrictions(struct rules_case *test)
{
    const struct k3_pair usage = pair(test, 3);
    const struct k2_restrictions_in rule = {
        .versions_differ = flag(test, 0),
        .not_yet_effective = flag(test, 1),
        .expired = flag(test, 2),
        .has_usage_control = usage.present,
        .usage_control = { usage.byte[0], usage.byte[1] },
        .atm = flag(test, 5),
        .has_country = flag(test, 6),
        .domestic = flag(test, 7),
        .type = byte(test, 8),
        .cashback_amount = flag(test, 9),
    };
    gives(test, k2_restrictions(&rule));
}

static void run_k2_cvm(struct rules_case *test)
{
    const struct k2_cvm_in rule = {
        .on_device = flag(test, 0),
        .card_verifies = flag(test, 1),
        .above_limit = flag(test, 2),
        .list = bytes(test, 3),
        .capability = byte(test, 4),
        .type = byte(test, 5),
        .terminal_type = byte(test, 6),
        .amount = in(test, 7),
        .same_currency = flag(test, 8),
        .currency_known = flag(test, 9),
    };
    const struct cemv_rules_cvm result = k2_cvm(&rule);
    gives(test, result.cvm);
    gives(test, result.receipt);
    gives_bytes(test, result.results, sizeof result.results);
    gives(test, result.tvr);
}

static void run_k2_action(struct rules_case *test)
{
    const struct k2_action_in rule = {
        .tvr = in(test, 0),
        .terminal_default = in(test, 1),
        .terminal_denial = in(test, 2),
        .terminal_online = in(test, 3),
        .issuer_default = in(test, 4),
        .issuer_denial = in(test, 5),
        .issuer_online = in(test, 6),
        .has_issuer_default = flag(test, 7),
        .has_issuer_denial = flag(test, 8),
        .has_issuer_online = flag(test, 9),
        .terminal_type = byte(test, 10),
    };
    gives(test, k2_action(&rule));
}

static void run_k2_ac(struct rules_case *test)
{
    const struct k2_ac_in rule = {
        .ids_read = flag(test, 0),
        .cda = flag(test, 1),
        .cda_failed = flag(test, 2),
        .on_device = flag(test, 3),
        .storage_asked = flag(test, 4),
        .storage_answered = flag(test, 5),
        .type = byte(test, 6),
        .storage_type = byte(test, 7),
        .storage_use = byte(test, 8),
        .cda_over_aac = flag(test, 9),
    };
    const struct k2_ac result = k2_ac(&rule);
    gives(test, result.kind);
    gives(test, result.type);
    gives(test, result.control);
}

static void run_k2_relay(struct rules_case *test)
{
    const struct cemv_relay_in rule = {
        .elapsed_us = (uint32_t)in(test, 0),
        .retries = byte(test, 1),
        .card_min = word(test, 2),
        .card_max = word(test, 3),
        .card_transmission = word(test, 4),
        .min_grace = word(test, 5),
        .max_grace = word(test, 6),
        .command_transmission = word(test, 7),
        .response_transmission = word(test, 8),
        .accuracy = word(test, 9),
        .mismatch = byte(test, 10),
    };
    const struct cemv_relay_times result = cemv_relay_evaluate(&rule);
    gives(test, result.verdict);
    gives(test, result.measured);
    gives(test, result.tvr);
}

/* ---- Kernel 2: messages ---- */

static void run_k2_end(struct rules_case *test)
{
    const struct k2_end_in rule = {
        .cryptogram = byte(test, 0),
        .type = byte(test, 1),
        .signature = flag(test, 2),
        .device = flag(test, 3),
    };
    const struct k2_end result = k2_end(&rule);
    gives(test, result.status);
    gives(test, result.message);
    gives(test, result.hold);
}

static void run_k2_is_device(struct rules_case *test) { gives(test, k2_is_device(bytes(test, 0))); }
static void run_k2_second_tap(struct rules_case *test) { gives(test, k2_second_tap(bytes(test, 0))); }
static void run_k2_asks_for_number(struct rules_case *test)
{
    gives(test, cemv_dol_asks(bytes(test, 0), CEMV_TAG_9F37_UNPREDICTABLE_NUMBER, 4));
}
static void run_k2_table_ok(struct rules_case *test) { gives(test, k2_phone_table_ok(bytes(test, 0))); }
static void run_k2_back_off(struct rules_case *test) { gives(test, k2_back_off_ms(byte(test, 0))); }

static void run_k2_magstripe_record(struct rules_case *test)
{
    gives(test, k2_begins_with_magstripe_record(bytes(test, 0)));
}

static void run_k2_phone_message(struct rules_case *test)
{
    const struct k2_phone_message result = k2_phone_message(bytes(test, 0), bytes(test, 1));
    gives(test, result.message);
    gives(test, result.status);
}

static void run_k2_phone_table(struct rules_case *test) { gives_bytes(test, k2_phone_table, sizeof k2_phone_table); }

/* ---- Kernel 2: tracks ---- */

static void run_k2_relay_track(struct rules_case *test)
{
    const cemv_bytes entropy = bytes(test, 3);
    struct k2_relay_track_in rule = {
        .ca_index = byte(test, 1),
        .retries = byte(test, 2),
        .measured = word(test, 4),
    };
    uint8_t out[19];
    size_t size = 0;
    memcpy(rule.entropy, entropy.data, sizeof rule.entropy);
    const bool made = k2_relay_track(bytes(test, 0), &rule, out, &size);
    gives(test, made);
    gives_bytes(test, out, made ? size : 0);
}

static void run_k2_storage_id(struct rules_case *test)
{
    uint8_t out[11];
    const size_t size = k2_storage_id(bytes(test, 0), byte(test, 1), out);
    gives_bytes(test, out, size);
}

static void run_k2_number_digits(struct rules_case *test)
{
    const int digits = k2_number_digits(bytes(test, 0), byte(test, 1));
    gives(test, digits < 0);
    gives(test, digits < 0 ? 0 : (uint64_t)digits);
}

static void run_k2_track_1(struct rules_case *test)
{
    size_t first = 0, characters = 0;
    gives(test, k2_track_1_discretionary(bytes(test, 0), &first, &characters));
    gives(test, first);
    gives(test, characters);
}

static void run_k2_track_2(struct rules_case *test)
{
    size_t first = 0, digits = 0;
    gives(test, k2_track_2_discretionary(bytes(test, 0), &first, &digits));
    gives(test, first);
    gives(test, digits);
}

static void run_k2_positions_within(struct rules_case *test)
{
    gives(test, (uint64_t)k2_positions_within(bytes(test, 0), (size_t)in(test, 1)));
}

static struct k2_fill fill_of(const struct rules_case *test)
{
    return (struct k2_fill){
        .cvc3_positions = bytes(test, 3),
        .number_positions = bytes(test, 4),
        .counter_digits = byte(test, 5),
        .cvc3 = word(test, 6),
        .counter = word(test, 7),
        .number = (uint32_t)in(test, 8),
        .number_digits = byte(test, 9),
        .shown_digits = byte(test, 10),
    };
}

static void run_k2_fill_track_1(struct rules_case *test)
{
    const struct k2_fill fill = fill_of(test);
    uint8_t track[CEMV_TRACK_1_MAX];
    const cemv_bytes before = bytes(test, 0);
    memcpy(track, before.data, before.size);
    k2_fill_track_1(track, (size_t)in(test, 1), (size_t)in(test, 2), &fill);
    gives_bytes(test, track, before.size);
}

static void run_k2_fill_track_2(struct rules_case *test)
{
    const struct k2_fill fill = fill_of(test);
    uint8_t track[CEMV_TRACK_2_MAX];
    const cemv_bytes before = bytes(test, 0);
    memcpy(track, before.data, before.size);
    k2_fill_track_2(track, (size_t)in(test, 1), (size_t)in(test, 2), &fill);
    gives_bytes(test, track, before.size);
}

static void run_k2_numeric(struct rules_case *test)
{
    uint32_t number = 0;
    gives(test, cemv_number_of_digits(cemv_be32(bytes(test, 0).data), byte(test, 1), &number));
    gives(test, number);
}

/* ---- Kernel 2: the torn transaction log ---- */

static struct cemv_reader_memory reader;

/* The inputs from `index` on are the records, oldest first. */
static void fill_log(const struct rules_case *test, size_t index)
{
    memset(&reader, 0, sizeof reader);
    for (; index < test->input_count && reader.torn_count < CEMV_TORN_RECORDS; index++) {
        struct cemv_torn_record *const record = &reader.torn[reader.torn_count++];
        record->size = (uint16_t)bytes(test, index).size;
        cemv_copy(record->bytes, bytes(test, index).data, record->size);
    }
}

static void run_k2_torn_age(struct rules_case *test)
{
    struct cemv_torn_now now;
    memcpy(now.date, bytes(test, 1).data, sizeof now.date);
    memcpy(now.time, bytes(test, 2).data, sizeof now.time);
    gives(test, cemv_torn_age(bytes(test, 0), &now));
}

static void run_k2_torn_find(struct rules_case *test)
{
    cemv_bytes value = { NULL, 0 };
    const bool found = cemv_torn_find(bytes(test, 0), (uint32_t)in(test, 1), &value);
    gives(test, found);
    gives_bytes(test, value.data, found ? value.size : 0);
}

static void run_k2_torn_lookup(struct rules_case *test)
{
    fill_log(test, 2);
    gives(test, k2_torn_lookup(&reader, bytes(test, 0), bytes(test, 1)));
}

static void run_k2_torn_remove(struct rules_case *test)
{
    fill_log(test, 1);
    cemv_torn_remove(&reader, byte(test, 0));
    gives(test, reader.torn_count);
    gives(test, reader.torn[reader.torn_count].size); /* the place that became free */
    for (size_t i = 0; i < reader.torn_count; i++) gives_bytes(test, reader.torn[i].bytes, reader.torn[i].size);
}

static void run_k2_torn_capacity(struct rules_case *test)
{
    gives(test, k2_torn_capacity(flag(test, 0) ? &reader : NULL, byte(test, 1)));
}

/* ---- the table of functions, and the reader of lines ---- */

static const struct rules_function functions[] = {
    { "afl", run_afl },
    { "cemv_bcd_read", run_bcd_read },
    { "cemv_bcd_write", run_bcd_write },
    { "cemv_brand_mismatch", run_brand_mismatch },
    { "cemv_candidates_best", run_candidates_best },
    { "cemv_candidates_build", run_candidates_build },
    { "cemv_cn_digits", run_cn_digits },
    { "cemv_cn_equal", run_cn_equal },
    { "cemv_combination_takes", run_combination_takes },
    { "cemv_date_read", run_date_read },
    { "cemv_dol_fit", run_dol_fit },
    { "cemv_dol_value_size", run_dol_value_size },
    { "cemv_entry_indicators", run_entry_indicators },
    { "cemv_entry_preprocess", run_entry_preprocess },
    { "cemv_format_check", run_format_check },
    { "cemv_idlv_next", run_idlv_next },
    { "cemv_kernel_requested", run_kernel_requested },
    { "cemv_luhn_ok", run_luhn },
    { "cemv_on_exception_list", run_on_exception_list },
    { "cemv_account_agrees", run_account_agrees },
    { "cemv_account_pan", run_account_pan },
    { "cemv_preprocess", run_preprocess },
    { "cemv_random_draw", run_random_draw },
    { "cemv_random_seen", run_random_seen },
    { "cemv_rule_of", run_rule_of },
    { "cemv_store_build_dol", run_build_dol },
    { "cemv_track2_expiry", run_track_2_expiry },
    { "k2_ac", run_k2_ac },
    { "k2_action", run_k2_action },
    { "k2_asks_for_number", run_k2_asks_for_number },
    { "k2_back_off_ms", run_k2_back_off },
    { "k2_begins_with_magstripe_record", run_k2_magstripe_record },
    { "k2_cryptogram_allowed", run_k2_allowed },
    { "k2_cvm", run_k2_cvm },
    { "k2_end", run_k2_end },
    { "k2_fill_track_1", run_k2_fill_track_1 },
    { "k2_fill_track_2", run_k2_fill_track_2 },
    { "k2_is_device", run_k2_is_device },
    { "k2_number_digits", run_k2_number_digits },
    { "k2_numeric", run_k2_numeric },
    { "k2_phone_message", run_k2_phone_message },
    { "k2_phone_table", run_k2_phone_table },
    { "k2_phone_table_ok", run_k2_table_ok },
    { "k2_positions_within", run_k2_positions_within },
    { "k2_relay", run_k2_relay },
    { "k2_relay_track", run_k2_relay_track },
    { "k2_restrictions", run_k2_restrictions },
    { "k2_second_tap", run_k2_second_tap },
    { "k2_storage_id", run_k2_storage_id },
    { "k2_torn_age", run_k2_torn_age },
    { "k2_torn_capacity", run_k2_torn_capacity },
    { "k2_torn_find", run_k2_torn_find },
    { "k2_torn_lookup", run_k2_torn_lookup },
    { "k2_torn_remove", run_k2_torn_remove },
    { "k2_track_1_discretionary", run_k2_track_1 },
    { "k2_track_2_discretionary", run_k2_track_2 },
    { "k3_after_oda", run_k3_after_oda },
    { "k3_cryptogram_contradicts", run_k3_contradicts },
    { "k3_cryptogram_type", run_k3_type },
    { "k3_cvm", run_k3_cvm },
    { "k3_decide", run_k3_decide },
    { "k3_disposition", run_k3_disposition },
    { "k3_restrictions", run_k3_restrictions },
    { "k3_signature_wanted", run_k3_signature },
    { NULL, NULL },
};

/* The function of this name in one of the tables, or NULL. */
static const struct rules_function *function_named(const char *name, size_t size)
{
    static const struct rules_function *const tables[] = {
        functions,           independent_kernel_4, independent_kernel_5, independent_kernel_6, independent_kernel_7,
        independent_kernel_8
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        for (const struct rules_function *row = tables[i]; row->name; row++)
            if (strlen(row->name) == size && memcmp(row->name, name, size) == 0) return row;
    return NULL;
}

static int hex_digit(char character)
{
    static const char digits[] = "0123456789abcdef";
    const char *const place = character ? strchr(digits, character) : NULL;
    return place ? (int)(place - digits) : -1;
}

/* Reads one field; false if it is malformed. */
static bool read_field(struct rules_case *test, const char *at, const char *end, struct field *field)
{
    *field = (struct field){ .kind = FIELD_NUMBER, .bytes = { test->memory, 0 } };
    if (end - at == 1 && *at == '?') {
        field->kind = FIELD_OPEN;
        return true;
    }
    if (*at != 'x') {
        for (; at < end; at++) {
            if (*at < '0' || *at > '9') return false;
            field->number = field->number * 10 + (uint64_t)(*at - '0');
        }
        return true;
    }
    field->kind = FIELD_BYTES;
    field->bytes.data = test->memory + test->used;
    for (at++; at + 1 < end; at += 2) {
        const int high = hex_digit(at[0]), low = hex_digit(at[1]);
        if (high < 0 || low < 0 || test->used >= BYTES_MAX / 2) return false;
        test->memory[test->used++] = (uint8_t)(high << 4 | low);
        field->bytes.size++;
    }
    memset(test->memory + test->used, 0xFF, GUARD);
    test->used += GUARD;
    return at == end;
}

/* Reads fields between spaces; false if there are too many or one is malformed. */
static bool read_fields(struct rules_case *test, const char *at, const char *end, struct field *fields, size_t room,
                        size_t *count)
{
    *count = 0;
    while (at < end) {
        if (*at == ' ') {
            at++;
            continue;
        }
        const char *const space = memchr(at, ' ', (size_t)(end - at));
        const char *const last = space ? space : end;
        if (*count == room || !read_field(test, at, last, &fields[(*count)++])) return false;
        at = last;
    }
    return true;
}

static bool fields_agree(const struct field *expected, const struct field *actual)
{
    if (expected->kind == FIELD_OPEN) return true;
    if (expected->kind != actual->kind) return false;
    if (expected->kind == FIELD_NUMBER) return expected->number == actual->number;
    return cemv_bytes_equal(expected->bytes, actual->bytes);
}

static struct rules_case the_case;

static bool line_holds(const char *at, const char *end)
{
    struct rules_case *const test = &the_case;
    const char *const first = memchr(at, '|', (size_t)(end - at));
    const char *const second = first ? memchr(first + 1, '|', (size_t)(end - first - 1)) : NULL;
    if (!second) return false;
    test->used = test->actual_count = 0;
    if (!read_fields(test, first + 1, second, test->input, INPUTS_MAX, &test->input_count)) return false;
    if (!read_fields(test, second + 1, end, test->expected, OUTPUTS_MAX, &test->expected_count)) return false;
    for (size_t i = test->input_count; i < INPUTS_MAX; i++) { /* a line that is too short reads zeros */
        test->input[i] = (struct field){ .kind = FIELD_NUMBER, .bytes = { test->memory, 0 } };
    }

    const struct rules_function *const function = function_named(at, (size_t)(first - at) - 1);
    if (!function) return false;
    function->run(test);
    if (test->actual_count != test->expected_count) return false;
    for (size_t field = 0; field < test->expected_count; field++) {
        if (!fields_agree(&test->expected[field], &test->actual[field])) return false;
    }
    return true;
}

/* One past the line's last character; the line feed or the end of the text. */
static const char *line_end(const char *at, const char *end)
{
    const char *const feed = memchr(at, '\n', (size_t)(end - at));
    return feed ? feed : end;
}

bool independent_rules_open(const char *file, const char *text, size_t size)
{
    const char *const end = text + size;
    const size_t first = chunk_count;
    size_t lines = 0;
    for (const char *at = text; at < end; at = line_end(at, end) + 1) {
        if (*at == '#' || *at == '\n') continue;
        if (lines++ % LINES_PER_CHUNK != 0) continue;
        if (chunk_count == CHUNKS_MAX) return false;
        if (chunk_count != first) chunks[chunk_count - 1].end = at;
        chunks[chunk_count].start = at;
        chunks[chunk_count].file = file;
        chunks[chunk_count++].end = end;
    }
    return chunk_count != first;
}

size_t independent_rules_count(void) { return chunk_count; }
const char *independent_rules_file(size_t chunk) { return chunks[chunk].file; }

bool independent_rules_hold(size_t chunk, const char **line)
{
    if (chunk >= chunk_count) return false;
    const char *const end = chunks[chunk].end;
    for (const char *at = chunks[chunk].start; at < end; at = line_end(at, end) + 1) {
        if (*at == '#' || *at == '\n' || line_holds(at, line_end(at, end))) continue;
        if (line) *line = at;
        return false;
    }
    return true;
}
