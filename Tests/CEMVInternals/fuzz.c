/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "CEMVInternals.h"
#include "../../Sources/CEMV/include/cemv_cryptogram.h"

/* A property that does not hold ends the target with its name. */
#define HOLDS(condition, name)                                                                                         \
    do {                                                                                                               \
        if (!(condition)) return name;                                                                                 \
    } while (0)

static bool inside(cemv_bytes part, cemv_bytes whole)
{
    if (part.size == 0) return true;
    return part.data >= whole.data && part.data + part.size <= whole.data + whole.size;
}

/* ---- wire ---- */

const char *fuzz_tlv(cemv_bytes input)
{
    struct cemv_tlv_walk walk = cemv_tlv_walk_open(input);
    struct cemv_tlv object, found;
    uint8_t depth = 0, deepest = 0;
    size_t nodes = 0, at = 0;
    while (cemv_tlv_walk_next(&walk, &object, &depth)) {
        HOLDS(inside(object.whole, input) && inside(object.value, object.whole), "an object lies in the input");
        HOLDS(cemv_tag_size(object.tag) + 1 + object.value.size <= object.whole.size,
              "a header has a tag and a length");
        HOLDS(depth >= 1 && depth <= CEMV_TLV_MAX_DEPTH, "depth is bounded");
        if (depth > deepest) deepest = depth;
        HOLDS(++nodes <= input.size, "a node takes a byte");
        struct cemv_tlv_cursor again = cemv_tlv_open(object.whole);
        HOLDS(cemv_tlv_next(&again, &found) && found.tag == object.tag && found.value.size == object.value.size,
              "an object reads alone as it reads here");
    }
    const enum cemv_wire_error error = cemv_tlv_check(input, &at);
    HOLDS(error == walk.error, "check and walk agree");
    HOLDS(error == CEMV_WIRE_OK || at <= input.size, "a fault lies in the input");
    if (error != CEMV_WIRE_OK || input.size > 4096) return NULL;
    /* Written again in the shortest form, it has the nodes that were read. */
    uint8_t *out = malloc(2 * input.size + 16);
    struct cemv_writer writer = cemv_writer_open(out, 2 * input.size + 16);
    struct cemv_tlv_cursor cursor = cemv_tlv_open(input);
    size_t top = 0;
    while (cemv_tlv_next(&cursor, &object)) {
        cemv_writer_put_tlv(&writer, object.tag, object.value);
        top++;
        if (!cemv_tag_is_valid(object.tag)) top = SIZE_MAX / 2;
    }
    const cemv_bytes written = cemv_writer_finish(&writer);
    const bool good = top >= SIZE_MAX / 2 || (writer.error == CEMV_WIRE_OK && written.size <= input.size &&
                                              cemv_tlv_check(written, NULL) == CEMV_WIRE_OK);
    free(out);
    HOLDS(good, "what was read can be written, no longer than it was");
    return NULL;
}

const char *fuzz_dol(cemv_bytes input)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(input);
    struct cemv_dol_entry entry;
    enum cemv_wire_error error = CEMV_WIRE_OK;
    size_t entries = 0, sum = 0;
    while (cemv_dol_next(&cursor, &entry)) {
        uint8_t *out = malloc((size_t)entry.length + 1);
        out[entry.length] = 0xA7;
        cemv_dol_fit(out, entry.length, input, (enum cemv_format)(entry.tag % 7));
        const bool kept = out[entry.length] == 0xA7;
        free(out);
        HOLDS(kept, "a fitted value has its length");
        sum += entry.length;
        HOLDS(++entries <= input.size / 2, "an entry takes two bytes");
    }
    HOLDS(cemv_dol_value_size(input, &error) == sum && error == cursor.error, "the sum of lengths is the value's size");
    return NULL;
}

const char *fuzz_apdu(cemv_bytes input)
{
    struct cemv_command command, again;
    cemv_bytes body;
    uint16_t word = 0;
    uint64_t number = 0;
    uint32_t days = 0;
    if (cemv_response_decode(input, &body, &word))
        HOLDS(inside(body, input) && body.size + 2 == input.size, "a body and a status word");
    else HOLDS(input.size < 2, "two bytes are a response");
    if (cemv_bcd_read(input, &number) && input.size <= 10) {
        uint8_t out[10];
        HOLDS(cemv_bcd_write(out, input.size, number), "a number read can be written");
        HOLDS(input.size == 0 || memcmp(out, input.data, input.size) == 0, "and gives the same digits");
    }
    if (cemv_date_read(input, &days)) HOLDS(days < 36525, "a century of days");
    HOLDS(cemv_cn_digits(input) <= (int)(2 * input.size) || input.size > 16000, "two digits a byte");
    for (unsigned format = 0; format < 7; format++) (void)cemv_format_check(input, (enum cemv_format)format);
    if (!cemv_command_decode(input, &command)) return NULL;
    HOLDS(inside(command.data, input), "data lie in the command");
    uint8_t *out = malloc(input.size + 8);
    const cemv_bytes coded = cemv_command_encode(&command, out, input.size + 8);
    const bool good = coded.size && coded.size <= input.size && cemv_command_decode(coded, &again) &&
                      again.le == command.le && again.data.size == command.data.size;
    free(out);
    HOLDS(good, "a command read can be written, no longer than it was");
    return NULL;
}

/* ---- entry ---- */

static void make_rows(struct cemv_combination *rows)
{
    static const uint8_t visa[] = { 0xA0, 0, 0, 0, 3, 0x10, 0x10 }, mastercard[] = { 0xA0, 0, 0, 0, 4, 0x10, 0x10 },
                         wide[] = { 0xA0, 0, 0, 0, 3 };
    rows[0] = (struct cemv_combination){ .aid = { visa, sizeof visa }, .kernel_id = { 3 }, .kernel_id_size = 1 };
    rows[1] =
        (struct cemv_combination){ .aid = { mastercard, sizeof mastercard }, .kernel_id = { 2 }, .kernel_id_size = 1 };
    rows[2] = (struct cemv_combination){
        .aid = { wide, sizeof wide }, .kernel_id = { 3 }, .kernel_id_size = 1, .extended_selection = true
    };
}

const char *fuzz_directory(cemv_bytes input)
{
    struct cemv_combination rows[3];
    struct cemv_configuration configuration = { .combinations = rows, .combination_count = 3 };
    struct cemv_entry *entry = calloc(1, sizeof *entry);
    make_rows(rows);
    entry->configuration = &configuration;
    entry->allowed = 7;
    const struct cemv_directory directory = cemv_directory_open(input);
    const char *violated = NULL;
    if (!inside(directory.entries, input) || !inside(directory.categories, input) || !inside(directory.sdol, input))
        violated = "a directory lies in the input";
    cemv_candidates_build(entry, &directory);
    if (entry->candidate_count > CEMV_MAX_CANDIDATES) violated = "candidates are limited";
    for (size_t i = 0; i < entry->candidate_count && !violated; i++) {
        const struct cemv_candidate *candidate = &entry->candidates[i];
        if (candidate->row >= 3 || candidate->name_size < 5 || candidate->name_size > 16)
            violated = "a candidate has a row and a name";
        else if (candidate->priority < 1 || candidate->priority > 15) violated = "a candidate has a priority";
        else if (memcmp(candidate->name, rows[candidate->row].aid.data, rows[candidate->row].aid.size) != 0)
            violated = "a name begins with our AID";
    }
    size_t left = entry->candidate_count;
    while (left && !violated) {
        const uint8_t best = cemv_candidates_best(entry);
        if (best >= entry->candidate_count) violated = "the best candidate is one";
        for (size_t i = 0; i < entry->candidate_count && !violated; i++)
            if (entry->candidates[i].priority < entry->candidates[best].priority)
                violated = "none ranks before the best";
        cemv_candidates_remove(entry, best);
        if (entry->candidate_count != --left) violated = "one less";
    }
    if (!violated && cemv_candidates_best(entry) != 0xFF) violated = "no candidate, no best";
    uint16_t id;
    cemv_bytes list = input, value;
    bool bad = false;
    for (size_t i = 0; !violated && cemv_idlv_next(&list, &id, &value, &bad); i++)
        if (!inside(value, input) || i > input.size) violated = "a list has an end";
    free(entry);
    return violated;
}

/* ---- data ---- */

const char *fuzz_store(cemv_bytes input)
{
    static const uint8_t marker[] = { 0x12, 0x34, 0x56, 0x78 };
    struct cemv_store *store = calloc(1, sizeof *store);
    struct cemv_afl afl;
    struct cemv_record_id id;
    bool repeated = false;
    const char *violated = NULL;
    uint8_t out[300];
    size_t size = 0, records = 0;
    const uint8_t rules = input.size ? input.data[0] : 0;
    cemv_bytes rest = { input.size ? input.data + 1 : NULL, input.size ? input.size - 1 : 0 };
    cemv_store_clear(store, rules & 4 ? tags_of(2) : &no_tags, rules & 3);
    cemv_store_put(store, CEMV_SLOT_9F37, (cemv_bytes){ marker, 4 }, CEMV_FROM_TERMINAL);
    for (unsigned part = 0; part < 6 && rest.size >= 2 && !violated; part++) {
        size_t piece = (size_t)(rest.data[0] << 8 | rest.data[1]) % 300;
        if (piece > rest.size - 2) piece = rest.size - 2;
        uint8_t *exact = malloc(piece ? piece : 1);
        memcpy(exact, rest.data + 2, piece);
        const cemv_bytes given = { exact, piece };
        if (part % 3 == 2) (void)cemv_store_record(store, given, (rules & 4) != 0, (rules & 8) != 0);
        else (void)cemv_store_template(store, part % 3 ? 0x77 : 0, given);
        if (cemv_store_build_dol(store, given, (rules & 16) != 0, out, 252, &size) && size > 252)
            violated = "a list of values fits its room";
        free(exact);
        rest = (cemv_bytes){ rest.data + 2 + piece, rest.size - 2 - piece };
    }
    const cemv_bytes kept = cemv_store_value(store, CEMV_SLOT_9F37);
    if (kept.size != 4 || memcmp(kept.data, marker, 4) != 0) violated = "a terminal's value stays";
    if (cemv_afl_open(&afl, store, CEMV_MAX_RECORDS, &repeated))
        while (cemv_afl_next(&afl, store, &id) && !violated) {
            if (id.sfi < 1 || id.sfi > 30 || id.number == 0) violated = "a record has a place";
            if (++records > CEMV_MAX_RECORDS) violated = "records are limited";
        }
    cemv_bytes pieces[CEMV_STORE_SPANS];
    if (cemv_store_signed(store, pieces) > CEMV_STORE_SPANS) violated = "signed records are limited";
    free(store);
    return violated;
}

/* ---- certificates ---- */

/* "Recovers" the signature itself; every hash is zeros. */
static bool echo(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t exponent)
{
    (void)exponent;
    if (in.size != modulus.size) return false;
    memcpy(out, in.data, in.size);
    return true;
}
static void zeros(uint8_t digest[CEMV_SHA1_SIZE], const cemv_bytes *pieces, size_t count)
{
    volatile uint8_t sum = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < pieces[i].size; j++) sum ^= pieces[i].data[j]; /* so that a sanitizer sees every read */
    memset(digest, 0, CEMV_SHA1_SIZE);
}

static cemv_bytes take(cemv_bytes *input, size_t limit)
{
    if (input->size == 0) return (cemv_bytes){ NULL, 0 };
    size_t size = input->data[0];
    if (size > limit) size = limit;
    if (size > input->size - 1) size = input->size - 1;
    const cemv_bytes part = { input->data + 1, size };
    *input = (cemv_bytes){ input->data + 1 + size, input->size - 1 - size };
    return part;
}

static bool is_key(const struct cemv_certificate *certificate)
{
    const struct cemv_public_key *key = &certificate->key;
    return key->size > 0 && key->size <= CEMV_ODA_MODULUS_MAX && key->modulus[0] != 0 &&
           key->modulus[key->size - 1] % 2 == 1 && (key->exponent == 3 || key->exponent == 65537);
}

const char *fuzz_certificate(cemv_bytes input)
{
    static const struct cemv_crypto port = { .sha1 = zeros, .rsa_public = echo };
    static const uint8_t pan[] = { 0x41, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11 }, aip[] = { 0x20, 0 };
    uint8_t modulus[CEMV_ODA_MODULUS_MAX];
    memset(modulus, 0xFF, sizeof modulus);
    const cemv_bytes certificate = take(&input, 248), remainder = take(&input, 255), exponent = take(&input, 4),
                     tags = take(&input, 2);
    const struct cemv_ca_key ca = { .exponent = 3, .modulus = { modulus, certificate.size } };
    const struct cemv_issuer_input issuer = { .ca = &ca,
                                              .certificate = certificate,
                                              .remainder = remainder,
                                              .exponent = exponent,
                                              .pan = { pan, sizeof pan },
                                              .date = { 0x26, 0x11, 0x21 } };
    struct cemv_certificate out;
    if (cemv_issuer_recover(&port, &issuer, &out) == CEMV_ODA_OK)
        HOLDS(is_key(&out), "an issuer's certificate gives a key");
    struct cemv_public_key key = { .size = (uint32_t)certificate.size, .exponent = 3 };
    memcpy(key.modulus, modulus, sizeof modulus);
    const struct cemv_static_data data = {
        .pieces = &remainder, .count = 1, .tag_list = tags, .aip = { aip, sizeof aip }
    };
    const struct cemv_icc_input icc = { .issuer = &key,
                                        .certificate = certificate,
                                        .remainder = remainder,
                                        .exponent = exponent,
                                        .pan = { pan, sizeof pan },
                                        .date = { 0x26, 0x11, 0x21 },
                                        .static_data = data };
    if (cemv_icc_recover(&port, &icc, &out) == CEMV_ODA_OK) HOLDS(is_key(&out), "a card's certificate gives a key");
    uint8_t code[2];
    (void)cemv_ssad_verify(&port, &key, certificate, &data, code);
    struct cemv_dynamic_data dynamic;
    const cemv_bytes number = { pan, 4 };
    if (cemv_dda_verify(&port, &key, certificate, 5, &number, 1, &dynamic) == CEMV_ODA_OK)
        HOLDS(dynamic.size && dynamic.size + 25u <= certificate.size && dynamic.number_size >= 2 &&
                  dynamic.number_size <= 8,
              "dynamic data fit their signature");
    static const uint8_t hash[CEMV_SHA1_SIZE];
    const struct cemv_cda_input cda = { .sdad = certificate,
                                        .unpredictable_number = number,
                                        .cid = exponent.size ? exponent.data[0] : 0,
                                        .transaction_hash = { hash, sizeof hash } };
    struct cemv_cda_data combined;
    if (cemv_cda_verify(&port, &key, &cda, &combined) == CEMV_ODA_OK)
        HOLDS(combined.cid == cda.cid, "a signed type is the shown one");
    const struct cemv_fdda_input fdda = { .sdad = certificate,
                                          .format = 0x95,
                                          .unpredictable_number = number,
                                          .amount = { pan, 6 },
                                          .currency = { aip, 2 },
                                          .card_data = remainder };
    if (cemv_fdda_verify(&port, &key, &fdda, &dynamic) == CEMV_ODA_OK)
        HOLDS(remainder.size >= 5 && remainder.size <= 16 && remainder.data[0] == 1, "card data of version 1");
    return NULL;
}

/* ---- a host's parsing ---- */

static bool nibbles_inside(struct cemv_digits digits, cemv_bytes whole)
{
    if (digits.count == 0) return true;
    if (digits.characters)
        return digits.data > whole.data && digits.data + digits.first + digits.count <= whole.data + whole.size;
    return digits.data >= whole.data &&
           digits.data + (digits.first + digits.count + 1u) / 2u <= whole.data + whole.size;
}

static const char *check_track(cemv_bytes value)
{
    struct cemv_track2 track2;
    struct cemv_track1 track1;
    char text[64];
    if (cemv_track2_read(value, &track2))
        HOLDS(track2.pan.count && track2.pan.count <= 19, "a track has an account number");
    HOLDS(nibbles_inside(track2.pan, value) && nibbles_inside(track2.expiry, value) &&
              nibbles_inside(track2.discretionary, value),
          "parts of track 2 lie in it");
    HOLDS(cemv_digits_text(track2.pan, '=', text, sizeof text) < sizeof text, "digits fit their text");
    (void)cemv_track1_read(value, &track1);
    HOLDS(inside(track1.pan, value) && inside(track1.name, value) && inside(track1.discretionary, value),
          "parts of track 1 lie in it");
    const struct cemv_digits digits = cemv_digits_of_cn(value);
    HOLDS(nibbles_inside(digits, value) && cemv_digits_equal(digits, digits), "digits are themselves");
    (void)cemv_digits_luhn(digits);
    return NULL;
}

const char *fuzz_host(cemv_bytes input)
{
    if (input.size == 0) return NULL;
    const enum cemv_scheme scheme = (enum cemv_scheme)(input.data[0] % 10);
    const cemv_bytes value = { input.data + 1, input.size - 1 };
    struct cemv_iad iad;
    (void)cemv_iad_read(value, scheme, &iad);
    HOLDS(inside(iad.cvr, value) && inside(iad.counters, value) && inside(iad.discretionary, value) &&
              inside(iad.rest, value),
          "parts of 9F10 lie in it");
    struct cemv_offline_counter counter;
    for (size_t i = 0; i < 3; i++) (void)cemv_iad_counter(&iad, i, &counter);
    struct cemv_form_factor form;
    (void)cemv_form_factor_read(value, scheme, &form);
    HOLDS(inside(form.whole, value) && inside(form.proprietary, value), "parts of 9F6E lie in it");
    const char *violated = check_track(value);
    if (violated) return violated;
    static _Thread_local struct cemv_chip chip;
    static _Thread_local struct cemv_extract extract;
    uint8_t field[256];
    cemv_chip_clear(&chip);
    (void)cemv_chip_add(&chip, value);
    cemv_chip_extract(&chip, scheme, &extract);
    HOLDS(chip.count <= CEMV_CHIP_OBJECTS && inside(extract.cryptogram, value) && inside(extract.iad.whole, value),
          "what is extracted lies in the lists");
    struct cemv_data_set set = cemv_data_set_of_kernel((uint8_t)(2 + input.data[0] % 7));
    set.limit = 255;
    set.leave_out = input.data[0] & 0x80;
    const struct cemv_data_set_result result = cemv_data_set_write(&chip, &set, field, 255);
    if (result.error == CEMV_DATA_SET_OK)
        HOLDS(result.size <= 255 && cemv_tlv_check((cemv_bytes){ field, result.size }, NULL) == CEMV_WIRE_OK,
              "field 55 is a list of data objects");
    return NULL;
}

/* Independent of the core: a reply as cemv_replies.h describes its encoding. */
static size_t encode(const struct cemv_reply *reply, uint8_t *out)
{
    size_t size = 1;
    out[0] = (uint8_t)(reply->kind + 16 * reply->removal_timed_out + 32 * reply->unable_to_go_online +
                       64 * reply->pin_not_captured);
    if (reply->kind == CEMV_REPLY_RESPONSE)
        for (unsigned i = 4; i-- > 0;) out[size++] = (uint8_t)(reply->elapsed_us >> 8 * i);
    if (reply->kind == CEMV_REPLY_RESPONSE || reply->kind == CEMV_REPLY_DATA || reply->kind == CEMV_REPLY_ONLINE ||
        reply->kind == CEMV_REPLY_PIN) {
        out[size++] = (uint8_t)(reply->bytes.size >> 8);
        out[size++] = (uint8_t)reply->bytes.size;
        for (size_t i = 0; i < reply->bytes.size; i++) out[size++] = reply->bytes.data[i];
    }
    return size;
}

const char *fuzz_replies(cemv_bytes input)
{
    static uint8_t again[CEMV_REPLIES_CAPACITY + 64];
    struct cemv_replies_cursor cursor = cemv_replies_open(input);
    struct cemv_reply reply;
    size_t used = 1;
    uint32_t count = 0;
    again[0] = CEMV_REPLIES_VERSION;
    while (cemv_replies_next(&cursor, &reply)) {
        if (!inside(reply.bytes, input)) return "a reply lies in the record";
        if (reply.kind < CEMV_REPLY_RESPONSE || reply.kind > CEMV_REPLY_ABANDON) return "a reply has a kind";
        const size_t answer = reply.kind == CEMV_REPLY_ONLINE || reply.kind == CEMV_REPLY_PIN ? reply.bytes.size : 0;
        if (answer > CEMV_MAX_ISSUER_DATA) return "an issuer's answer is limited";
        if (reply.unable_to_go_online && answer != 0) return "no answer has no bytes";
        used += encode(&reply, again + used);
        if (used > input.size || cursor.read != ++count) return "the cursor counts";
    }
    if (count != 0 && memcmp(input.data, again, used) != 0) return "a reply that is read has one encoding";
    if (cursor.error == CEMV_REPLAY_OK && used != input.size) return "a record is read to its end";
    if (cursor.error != CEMV_REPLAY_OK && count != 0 && used == input.size) return "an error is at a reply";
    return cemv_replies_next(&cursor, &reply) ? "an error stays" : NULL;
}

static uint64_t sum_of_bytes(uint64_t sum, cemv_bytes bytes)
{
    const uint16_t size = (uint16_t)bytes.size;
    return sum_bytes(sum_bytes(sum, &size, sizeof size), bytes.data, bytes.size);
}

static uint64_t sum_of_digits(uint64_t sum, struct cemv_digits digits)
{
    char text[260];
    const size_t size = cemv_digits_text(digits, '=', text, sizeof text);
    const bool luhn = cemv_digits_luhn(digits);
    return sum_bytes(sum_bytes(sum, &luhn, sizeof luhn), text, size);
}

static uint64_t sum_of_iad(uint64_t sum, cemv_bytes value, enum cemv_scheme scheme)
{
    struct cemv_iad iad;
    (void)cemv_iad_read(value, scheme, &iad);
    const uint8_t head[] = { iad.format,      iad.reason,  iad.layout,           iad.key_index, iad.version,
                             iad.session_key, iad.assumed, iad.counters_covered, iad.aes,       iad.algorithm };
    sum = sum_bytes(sum, head, sizeof head);
    const cemv_bytes parts[] = { iad.cvr, iad.dynamic_number, iad.counters, iad.last_online_atc, iad.discretionary,
                                 iad.rest };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) sum = sum_of_bytes(sum, parts[i]);
    for (size_t i = 0; i < 3; i++) {
        struct cemv_offline_counter counter = { 0 };
        if (cemv_iad_counter(&iad, i, &counter))
            sum = sum_bytes(sum_bytes(sum, &counter.amount, sizeof counter.amount), &counter.number, 1);
    }
    for (uint8_t meaning = 0; meaning < 64; meaning++) {
        uint8_t field = 0;
        if (cemv_iad_field(&iad, meaning, &field)) sum = sum_bytes(sum_bytes(sum, &meaning, 1), &field, 1);
    }
    return sum;
}

static uint64_t sum_of_chip(uint64_t sum, cemv_bytes list, enum cemv_scheme scheme, uint8_t kernel)
{
    static _Thread_local struct cemv_chip chip;
    static _Thread_local struct cemv_extract extract;
    uint8_t field[300];
    cemv_chip_clear(&chip);
    (void)cemv_chip_add(&chip, list);
    cemv_chip_extract(&chip, scheme, &extract);
    const uint8_t head[] = {
        chip.error,         chip.count,           extract.scheme,      extract.mode,         extract.cid_present,
        extract.type_known, extract.cid,          extract.type,        extract.atc_present,  extract.sequence_present,
        extract.sequence,   (uint8_t)extract.atc, extract.cvm_present, extract.pan_mismatch, extract.expiry_mismatch
    };
    sum = sum_bytes(sum, head, sizeof head);
    sum = sum_of_bytes(sum_of_bytes(sum, extract.cryptogram), extract.unpredictable_number);
    sum = sum_of_digits(sum_of_digits(sum_of_digits(sum, extract.pan), extract.expiry), extract.service_code);
    struct cemv_data_set set = cemv_data_set_of_kernel(kernel);
    set.limit = 20 + list.size % 200;
    set.leave_out = list.size % 2;
    const struct cemv_data_set_result result = cemv_data_set_write(&chip, &set, field, sizeof field);
    sum = sum_bytes(sum_bytes(sum, &result.error, 1), &result.tag, sizeof result.tag);
    return result.error == CEMV_DATA_SET_OK ? sum_bytes(sum, field, result.size) : sum;
}

static uint64_t sum_of_tracks(uint64_t sum, cemv_bytes value)
{
    struct cemv_track2 two;
    struct cemv_track1 one;
    struct cemv_form_factor form;
    (void)cemv_track2_read(value, &two);
    (void)cemv_track1_read(value, &one);
    const uint8_t errors[] = { two.error, one.error };
    sum = sum_bytes(sum, errors, sizeof errors);
    sum = sum_of_digits(sum_of_digits(sum_of_digits(sum_of_digits(sum, two.pan), two.expiry), two.service_code),
                        two.discretionary);
    sum = sum_of_bytes(sum_of_bytes(sum_of_bytes(sum, one.pan), one.name), one.discretionary);
    for (unsigned scheme = 0; scheme < 10; scheme++) {
        (void)cemv_form_factor_read(value, (enum cemv_scheme)scheme, &form);
        const uint8_t head[] = { form.known,     form.layout,           form.device_present,     form.device[0],
                                 form.device[1], (uint8_t)form.country, (uint8_t)form.identifier };
        sum = sum_of_bytes(sum_bytes(sum, head, sizeof head), form.proprietary);
    }
    return sum_of_digits(sum, cemv_digits_of_cn(value));
}

uint64_t fuzz_sum(cemv_bytes input)
{
    uint64_t sum = 14695981039346656037u;
    struct cemv_tlv_walk walk = cemv_tlv_walk_open((cemv_bytes){ input.data, input.size > 2 ? input.size - 2 : 0 });
    struct cemv_tlv object;
    uint8_t depth;
    while (cemv_tlv_walk_next(&walk, &object, &depth)) {
        if (object.constructed) {
            for (uint8_t kernel = 2; kernel < 9; kernel++)
                sum = sum_of_chip(sum, object.value, (enum cemv_scheme)(kernel - 2), kernel);
            continue;
        }
        if (object.value.size > 40) continue;
        for (unsigned scheme = 0; scheme < 10; scheme++) sum = sum_of_iad(sum, object.value, (enum cemv_scheme)scheme);
        sum = sum_of_tracks(sum, object.value);
    }
    return sum;
}

/* ---- a session ---- */

static const struct recorded_tap *tap_of(const struct recorded_taps *recorded, cemv_bytes input)
{
    if (recorded->tap_count == 0 || input.size < 2) return NULL;
    return &recorded->taps[(size_t)(input.data[0] << 8 | input.data[1]) % recorded->tap_count];
}

/* The next reply of the input; false at its end. A kind that the step does not accept is replaced by one that it does.
 */
static bool next_reply(cemv_bytes *input, struct cemv_reply *reply)
{
    if (input->size < 3) return false;
    reply->kind = input->data[0] % (CEMV_REPLY_ABANDON + 1);
    reply->elapsed_us = (uint32_t)(input->data[0] >> 4) * 2000u;
    size_t size = (size_t)(input->data[1] << 8 | input->data[2]);
    if (size > input->size - 3) size = input->size - 3;
    reply->bytes = (cemv_bytes){ input->data + 3, size };
    *input = (cemv_bytes){ input->data + 3 + size, input->size - 3 - size };
    return true;
}

static const char *check_step(const struct cemv_session *session)
{
    const enum cemv_step step = cemv_session_step(session);
    HOLDS(step >= CEMV_STEP_POLL && step <= CEMV_STEP_DONE, "a step is one of six");
    HOLDS(cemv_session_ui_count(session) <= CEMV_MAX_UI_REQUESTS, "messages are limited");
    if (step == CEMV_STEP_SEND) {
        struct cemv_command command;
        HOLDS(cemv_command_decode(cemv_session_command(session), &command), "a command is one of ISO's cases");
    }
    return NULL;
}

/* The last signature of a presentment. */
struct seal {
    bool answered; /* the session ended with the issuer's answer (Start D) */
    bool updated;  /* the issuer answered: Kernel 5 approves at the presentment after that (issuer update) */
    size_t size;
    uint8_t bytes[256];
};

static void note_signature(struct seal *seal, cemv_bytes response)
{
    struct cemv_tlv_walk walk = cemv_tlv_walk_open((cemv_bytes){ response.data, response.size - 2 });
    struct cemv_tlv object;
    uint8_t depth;
    while (cemv_tlv_walk_next(&walk, &object, &depth))
        if (object.tag == 0x9F4B && object.value.size <= sizeof seal->bytes && object.value.size) {
            seal->size = object.value.size;
            memcpy(seal->bytes, object.value.data, object.value.size);
        }
}

/* Nobody can sign here, so an approved tap has the signature that a card of a recorded tap made for these numbers. */
static bool is_a_cards(const struct recorded_taps *recorded, const struct seal *seal)
{
    for (size_t tap = 0; tap < recorded->tap_count && seal->size; tap++)
        for (size_t i = 0; i < recorded->taps[tap].reply_count; i++) {
            const cemv_bytes said = recorded->taps[tap].replies[i].bytes;
            for (size_t at = 0; seal->size <= said.size && at <= said.size - seal->size; at++)
                if (memcmp(said.data + at, seal->bytes, seal->size) == 0) return true;
        }
    return false;
}

/* In `book`, Kernel 4 approves after SDA, and if reader and card have no method in common (Book C-4, 11.2.4.1); Kernel
 * 2 approves if CDA was not performed or failed, as its TVR reports, and the action codes allow it. Each other profile
 * and kernel needs a signature over this tap. Kernel 8, with a port that accepts every signature, must have requested
 * them. */
static bool approves_unsigned(const struct recorded_tap *tap, const struct cemv_session *session,
                              const struct cemv_outcome *outcome)
{
    enum { NOT_PERFORMED = 0x80, FAILED = 0x04 };
    struct cemv_tlv tvr;
    if (outcome->kernel_id[0] == 8)
        return tap->reader->configuration.protection.profile == CEMV_PROFILE_BOOK ||
               (cemv_tlv_find(cemv_session_data_record(session), 0x95, &tvr) && tvr.value.size == 5 &&
                (tvr.value.data[0] & (NOT_PERFORMED | FAILED)) == 0);
    if (tap->reader->configuration.protection.profile != CEMV_PROFILE_BOOK) return false;
    if (outcome->kernel_id[0] == 4) return true;
    return outcome->kernel_id[0] == 2 && cemv_tlv_find(cemv_session_data_record(session), 0x95, &tvr) &&
           tvr.value.size == 5 && (tvr.value.data[0] & (NOT_PERFORMED | FAILED)) != 0;
}

static const char *check_done(const struct recorded_taps *recorded, const struct recorded_tap *tap,
                              const struct cemv_session *session, const struct seal *seal)
{
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    HOLDS(outcome.reason != CEMV_REASON_INTERNAL, "no edge outside the table");
    HOLDS(outcome.status != CEMV_OUTCOME_NONE && outcome.status != CEMV_OUTCOME_SELECT_NEXT &&
              outcome.status != CEMV_OUTCOME_TRY_AGAIN,
          "one final outcome");
    HOLDS(cemv_tlv_check(cemv_session_data_record(session), NULL) == CEMV_WIRE_OK,
          "a data record is a list of data objects");
    HOLDS(tap_is_wiped(session), "a finished session holds nothing of the card");
    HOLDS(outcome.status != CEMV_OUTCOME_APPROVED || seal->answered || (seal->updated && outcome.kernel_id[0] == 5) ||
              is_a_cards(recorded, seal) || approves_unsigned(tap, session, &outcome),
          "approved only by the issuer, or with a signature that a card made");
    return NULL;
}

/* A card that knows which objects the terminal wants: its answer to GPO contains them without being asked, or lists
 * only the first records. */
struct interplay {
    bool brings, cuts;
    cemv_bytes wanted; /* tags */
};

static size_t put_header(uint8_t *out, uint32_t tag, size_t size);

/* The answer to GPO as that card gives it; any other answer unchanged. */
static cemv_bytes as_that_card(const struct interplay *interplay, cemv_bytes said, uint8_t out[400])
{
    struct cemv_tlv template, locator, object;
    uint8_t inner[300];
    size_t size = 0;
    if (said.size < 4 || said.size > 260 || !cemv_tlv_find((cemv_bytes){ said.data, said.size - 2 }, 0x77, &template) ||
        !cemv_tlv_find(template.value, 0x94, &locator))
        return said;
    struct cemv_tlv_cursor cursor = cemv_tlv_open(template.value);
    while (cemv_tlv_next(&cursor, &object) && size + object.whole.size < sizeof inner) {
        if (object.tag == 0x94 && interplay->cuts && object.value.size > 4) object.value.size = 4;
        size += put_header(inner + size, object.tag, object.value.size);
        memcpy(inner + size, object.value.data, object.value.size);
        size += object.value.size;
    }
    const uint8_t *at = interplay->wanted.data;
    uint32_t tag;
    while (interplay->brings && at != interplay->wanted.data + interplay->wanted.size &&
           cemv_tag_read(&at, interplay->wanted.data + interplay->wanted.size, &tag) == CEMV_WIRE_OK) {
        const struct cemv_tag_row *const info = tag_row_of(tag);
        if (!info || cemv_tag_is_constructed(tag) || cemv_tlv_find(template.value, tag, &object)) continue;
        const size_t length = info->max <= 8 ? info->max : info->min;
        if (size + length + 8 > 240) break;
        size += put_header(inner + size, tag, length);
        memset(inner + size, 0x11, length);
        size += length;
    }
    const size_t header = put_header(out, 0x77, size);
    memcpy(out + header, inner, size), memcpy(out + header + size, said.data + said.size - 2, 2);
    return (cemv_bytes){ out, header + size + 2 };
}

static const char *play_session(const struct recorded_taps *recorded, const struct recorded_tap *tap,
                                struct tap_bench *bench, cemv_bytes input, const struct interplay *interplay)
{
    uint8_t changed[400];
    struct cemv_session *session;
    const char *violated = NULL;
    struct seal seal = { 0 };
    unsigned steps = 0;
    if (tap_begin(tap, bench, &session) != CEMV_OK) return NULL;
    input = (cemv_bytes){ input.data + 2, input.size - 2 };
    tap_see(bench, session);
    while (cemv_session_step(session) != CEMV_STEP_DONE && !violated) {
        struct cemv_reply reply = { .kind = CEMV_REPLY_ABANDON };
        if (!next_reply(&input, &reply)) {
            const uint8_t ends[] = { CEMV_REPLY_CARD,    CEMV_REPLY_COLLISION_CLEARED, CEMV_REPLY_REMOVED,
                                     CEMV_REPLY_TIMEOUT, CEMV_REPLY_CONTINUE,          CEMV_REPLY_DEADLINE };
            for (size_t i = 0; i < sizeof ends && cemv_session_step(session) != CEMV_STEP_PARKED; i++)
                if (cemv_session_takes(session, ends[i])) {
                    reply.kind = ends[i];
                    break;
                }
            if (++steps > 600) violated = "a session ends";
        }
        if (reply.kind == CEMV_REPLY_CARD && cemv_session_takes(session, reply.kind)) seal.size = 0;
        if (reply.kind == CEMV_REPLY_RESPONSE && reply.bytes.size >= 2) note_signature(&seal, reply.bytes);
        if (interplay && reply.kind == CEMV_REPLY_RESPONSE) reply.bytes = as_that_card(interplay, reply.bytes, changed);
        uint8_t *exact = malloc(reply.bytes.size ? reply.bytes.size : 1);
        if (reply.bytes.size) memcpy(exact, reply.bytes.data, reply.bytes.size);
        reply.bytes.data = exact;
        cemv_session_reply(session, &reply);
        free(exact);
        tap_see(bench, session);
        seal.answered = (reply.kind == CEMV_REPLY_ONLINE || reply.kind == CEMV_REPLY_PIN) && reply.bytes.size != 0;
        if (reply.kind == CEMV_REPLY_ONLINE && seal.answered) seal.updated = true;
        if (!violated) violated = check_step(session);
    }
    if (!violated && cemv_session_outcome(session).reason != CEMV_REASON_ABANDONED)
        violated = check_done(recorded, tap, session, &seal);
    tap_describe(bench, session);
    cemv_session_wipe(session);
    return violated;
}

const char *fuzz_play(const struct recorded_taps *recorded, const struct recorded_tap *tap, struct tap_bench *bench,
                      cemv_bytes input)
{
    return play_session(recorded, tap, bench, input, NULL);
}

const char *fuzz_session(const struct recorded_taps *recorded, struct tap_bench *bench, cemv_bytes input)
{
    const struct recorded_tap *const tap = tap_of(recorded, input);
    return tap ? play_session(recorded, tap, bench, input, NULL) : NULL;
}

static uint32_t random_below(uint64_t *random, uint32_t below)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return below ? (uint32_t)(*random >> 33) % below : 0;
}

static size_t put_header(uint8_t *out, uint32_t tag, size_t size)
{
    size_t used = cemv_tag_write(out, tag);
    if (size > 127) out[used++] = size > 255 ? 0x82 : 0x81;
    if (size > 255) out[used++] = (uint8_t)(size >> 8);
    out[used++] = (uint8_t)size;
    return used;
}

/* A tag that a terminal may want read: one that GET DATA reads, one that any card has, or any other. */
static uint32_t draw_tag_to_read(uint64_t *random)
{
    static const uint16_t read[] = { 0x9F50, 0x9F70, 0x9F75 },
                          usual[] = { 0x9F76, 0x9F79, 0x82, 0x94, 0x50, 0x5A, 0x57, 0x9F36, 0x9F27, 0x9F02, 0x5F2D };
    const uint32_t any = tag_row_at(random_below(random, TAG_ROWS))->tag;
    if (random_below(random, 2) != 0) return read[random_below(random, sizeof read / sizeof read[0])];
    return random_below(random, 3) || any == 0 ? usual[random_below(random, sizeof usual / sizeof usual[0])] : any;
}

static size_t put_tags_to_read(uint64_t *random, uint8_t *out)
{
    uint8_t tags[160];
    size_t size = 0;
    for (uint32_t i = random_below(random, 4) ? random_below(random, 4) : random_below(random, 32); i; i--)
        size += cemv_tag_write(tags + size, draw_tag_to_read(random));
    const size_t header = put_header(out, 0xDF8112, size);
    memcpy(out + header, tags, size);
    return header + size;
}

/* Terminal data of a transaction of Kernel 2: each object is absent, announced by an empty one, or present. */
size_t fuzz_put_terminal(uint64_t *random, uint8_t *out)
{
    static const uint32_t tags[] = {
        0x9F02, 0x9F03,   0x5F2A,   0x9A,     0x9C,     0x9F21,   0x5F36,   0x9F53, 0x9F5C, 0x9F7C,   0xDF60,   0xDF62,
        0xDF63, 0xDF8104, 0xDF8105, 0xDF8108, 0xDF8109, 0xDF810A, 0xDF8110, 0x9F70, 0x9F75, 0xFF8102, 0xFF8103,
    };
    enum { ALWAYS_EMPTY = 7 }; /* objects of the transaction itself; they may be left open */
    size_t size = random_below(random, 4) ? put_tags_to_read(random, out) : 0;
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        const bool writes = tags[i] >= 0xFF8102;
        uint8_t value[40];
        size_t length = 0;
        if (random_below(random, 6) != 0) continue;
        if (i >= ALWAYS_EMPTY && random_below(random, 2) != 0) {
            length = writes ? 6 : tag_row_of(tags[i])->min;
            memset(value, (int)(0x11 * random_below(random, 10)), sizeof value);
            if (writes) memcpy(value, random_below(random, 2) ? "\x9F\x75\1\1\0\0" : "\x9F\x76\3\1\2\3", 6);
        }
        size += put_header(out + size, tags[i], length);
        memcpy(out + size, value, length);
        size += length;
    }
    return size;
}

const char *fuzz_terminal(const struct recorded_taps *recorded, struct tap_bench *bench, cemv_bytes input)
{
    static _Thread_local uint8_t list[1024];
    if (input.size < FUZZ_TERMINAL_PREFIX) return NULL;
    uint64_t random = 0;
    for (size_t i = 0; i < FUZZ_TERMINAL_PREFIX; i++) random = random << 8 | input.data[i];
    input = (cemv_bytes){ input.data + FUZZ_TERMINAL_PREFIX, input.size - FUZZ_TERMINAL_PREFIX };
    const struct recorded_tap *const tap = tap_of(recorded, input);
    if (!tap) return NULL;
    struct recorded_tap varied = *tap;
    struct interplay interplay = { .brings = random_below(&random, 2), .cuts = random_below(&random, 2) };
    struct cemv_tlv wanted;
    varied.transaction.data = (cemv_bytes){ list, fuzz_put_terminal(&random, list) };
    if (cemv_list_find(varied.transaction.data, 0xDF8112, &wanted)) interplay.wanted = wanted.value;
    return play_session(recorded, &varied, bench, input, &interplay);
}

/* ---- inputs for sessions ---- */

size_t fuzz_session_seed(const struct recorded_taps *recorded, size_t index, uint8_t *out, size_t room)
{
    const struct recorded_tap *tap = &recorded->taps[index];
    size_t size = 2;
    if (room < 2) return 0;
    out[0] = (uint8_t)(index >> 8), out[1] = (uint8_t)index;
    for (size_t i = 0; i < tap->reply_count; i++) {
        const struct recorded_reply *reply = &tap->replies[i];
        if (room - size < 3 + reply->bytes.size) return 0;
        out[size++] = (uint8_t)(reply->kind | (reply->elapsed_us / 2000 > 15 ? 15 : reply->elapsed_us / 2000) << 4);
        out[size++] = (uint8_t)(reply->bytes.size >> 8);
        out[size++] = (uint8_t)reply->bytes.size;
        if (reply->bytes.size) memcpy(out + size, reply->bytes.data, reply->bytes.size);
        size += reply->bytes.size;
    }
    return size;
}

/* Where reply `number` begins; `size` if there are fewer. */
static size_t reply_at(const uint8_t *input, size_t size, size_t number)
{
    size_t at = 2;
    for (; number && at + 3 <= size; number--) at += 3u + (size_t)(input[at + 1] << 8 | input[at + 2]);
    return number == 0 && at + 3 <= size ? at : size;
}

/* The value of this object in another tap; false if the tap that is tried has no such object. */
static bool borrow(const struct recorded_taps *recorded, uint32_t tag, uint64_t *random, cemv_bytes *value)
{
    const struct recorded_tap *const tap = &recorded->taps[random_below(random, (uint32_t)recorded->tap_count)];
    for (size_t i = 0; i < tap->reply_count; i++) {
        const cemv_bytes said = tap->replies[i].bytes;
        if (said.size < 2 || said.size > 300) continue;
        struct cemv_tlv_walk walk = cemv_tlv_walk_open((cemv_bytes){ said.data, said.size - 2 });
        struct cemv_tlv object;
        uint8_t depth;
        while (cemv_tlv_walk_next(&walk, &object, &depth))
            if (object.tag == tag) return *value = object.value, true;
    }
    return false;
}

/* Copies a tree of data objects, one of them (by number) changed; lengths are recomputed. */
static size_t copy_tree(uint8_t *out, size_t room, cemv_bytes tree, unsigned depth, int *number, uint64_t *random,
                        const struct recorded_taps *recorded)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(tree);
    struct cemv_tlv object;
    size_t size = 0;
    while (cemv_tlv_next(&cursor, &object) && room - size > object.value.size + 300) {
        uint8_t inner[4096];
        cemv_bytes value = object.value;
        const bool chosen = (*number)-- == 0;
        unsigned copies = 1;
        if (object.constructed && depth < 8)
            value = (cemv_bytes){ inner, copy_tree(inner, sizeof inner, value, depth + 1, number, random, recorded) };
        else if (value.size < sizeof inner) {
            if (value.size) memcpy(inner, value.data, value.size);
            value.data = inner;
        }
        if (chosen && random_below(random, 6) == 0) { /* a new object, its value the longest or short */
            const uint32_t tag = draw_tag_to_read(random);
            const struct cemv_tag_row *const info = tag_row_of(tag);
            const size_t length = info->max <= 16 && random_below(random, 2) ? info->max : info->min;
            if (length > 40 || cemv_tag_is_constructed(tag)) continue;
            size += put_header(out + size, tag, length);
            memset(out + size, (int)(0x11 * random_below(random, 10)), length);
            size += length;
        } else if (chosen) switch (random_below(random, 10)) {
            case 8:
            case 9: (void)borrow(recorded, object.tag, random, &value); break;
            case 0: copies = 0; break;
            case 1: copies = 2; break;
            case 2: value.size = random_below(random, 3) ? value.size / 2 : 0; break;
            case 3:
                if (value.size + 8 < 255 && value.size < sizeof inner - 8)
                    memset(inner + value.size, (int)random_below(random, 256), 8), value.size += 8;
                break;
            case 4:
                if (value.size && value.data == inner)
                    inner[random_below(random, (uint32_t)value.size)] ^= (uint8_t)(1u << random_below(random, 8));
                break;
            case 5:
                if (value.size && value.data == inner) memset(inner, random_below(random, 2) ? 0 : 0xFF, value.size);
                break;
            case 6:
                object.tag = tag_row_at(random_below(random, TAG_ROWS))->tag;
                if (!object.tag) object.tag = 0x9F27;
                break;
            default:
                if (value.size && value.data == inner)
                    inner[random_below(random, (uint32_t)value.size)] = (uint8_t)random_below(random, 256);
                break;
            }
        for (; copies && room - size > value.size + 8; copies--) {
            size += put_header(out + size, object.tag, value.size);
            memcpy(out + size, value.data, value.size);
            size += value.size;
        }
    }
    return size;
}

size_t fuzz_session_mutate(const struct recorded_taps *recorded, uint8_t *input, size_t size, size_t room,
                           uint64_t random)
{
    static _Thread_local uint8_t body[8192], whole[65536];
    if (size < 5 || room < 64 || random_below(&random, 24) == 0) {
        const size_t seeded =
            fuzz_session_seed(recorded, random_below(&random, (uint32_t)recorded->tap_count), input, room);
        return seeded ? seeded : size;
    }
    size_t replies = 0;
    while (reply_at(input, size, replies) < size) replies++;
    if (replies == 0 || size > sizeof whole) return size;
    const size_t number = random_below(&random, (uint32_t)replies);
    const size_t at = reply_at(input, size, number), end = reply_at(input, size, number + 1);
    if (end < at + 3) return size;
    cemv_bytes said = { input + at + 3, end - at - 3 };
    size_t body_size = 0;
    if (random_below(&random, 8) == 0) {
        input[at] = (uint8_t)random_below(&random, 256);
        return size;
    }
    if (said.size > 2 && random_below(&random, 8) != 0) {
        int objects = 1 << 20;
        uint64_t unused = 0;
        (void)copy_tree(body, sizeof body - 2, (cemv_bytes){ said.data, said.size - 2 }, 1, &objects, &unused,
                        recorded);
        int chosen = (int)random_below(&random, (uint32_t)((1 << 20) - objects));
        body_size =
            copy_tree(body, sizeof body - 2, (cemv_bytes){ said.data, said.size - 2 }, 1, &chosen, &random, recorded);
        memcpy(body + body_size, said.data + said.size - 2, 2);
        body_size += 2;
    } else {
        const size_t other = random_below(&random, (uint32_t)replies), from = reply_at(input, size, other),
                     to = reply_at(input, size, other + 1);
        if (to < from + 3 || to - from - 3 > sizeof body) return size;
        body_size = to - from - 3;
        memcpy(body, input + from + 3, body_size);
    }
    if (at + 3 + body_size + (size - end) > room || at + 3 + body_size + (size - end) > sizeof whole) return size;
    memcpy(whole, input + end, size - end);
    input[at + 1] = (uint8_t)(body_size >> 8), input[at + 2] = (uint8_t)body_size;
    memcpy(input + at + 3, body, body_size);
    memcpy(input + at + 3 + body_size, whole, size - end);
    return at + 3 + body_size + (size - end);
}
