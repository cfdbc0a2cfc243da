/* SPDX-License-Identifier: Apache-2.0 */
#include "cryptogram_properties.h"

#include <string.h>

/* A property that does not hold ends the check with its name. */
#define HOLDS(condition, name)                                                                                         \
    do {                                                                                                               \
        if (!(condition)) return name;                                                                                 \
    } while (0)

static bool inside(cemv_bytes part, cemv_bytes whole)
{
    if (part.size == 0) return true;
    return part.data >= whole.data && part.size <= whole.size &&
           (size_t)(part.data - whole.data) <= whole.size - part.size;
}

static bool same(cemv_bytes a, cemv_bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* ---- layouts ---- */

/* Fields are ordered, and name every bit of the bytes they reach exactly once. */
static const char *check_fields(uint8_t layout, cemv_bytes bytes)
{
    uint8_t seen[32] = { 0 };
    struct cemv_field_cursor cursor = cemv_field_open(layout, bytes);
    struct cemv_field field;
    size_t count = 0, last = 0;
    while (cemv_field_next(&cursor, &field)) {
        HOLDS(++count <= 8 * 32, "a layout ends");
        HOLDS(field.byte >= 1 && field.byte <= bytes.size && field.byte <= sizeof seen, "a field lies in the bytes");
        HOLDS(field.byte >= last, "fields come in order");
        HOLDS(field.mask != 0 && (seen[field.byte - 1] & field.mask) == 0, "a bit has one meaning");
        HOLDS(field.meaning < CEMV_MEANING_COUNT, "a meaning has a number");
        const uint8_t lowest = (uint8_t)(field.mask & (0u - field.mask));
        HOLDS((uint8_t)(field.value * lowest) == (bytes.data[field.byte - 1] & field.mask), "a value is its bits");
        seen[field.byte - 1] |= field.mask;
        last = field.byte;
    }
    const size_t size = cemv_layout_size(layout) < bytes.size ? cemv_layout_size(layout) : bytes.size;
    for (size_t i = 0; i < size && i < sizeof seen; i++) HOLDS(seen[i] == 0xFF, "every bit has a meaning");
    return NULL;
}

/* ---- issuer application data ---- */

static const char *check_parts(const struct cemv_iad *iad)
{
    const cemv_bytes parts[] = { iad->cvr, iad->dynamic_number, iad->counters, iad->last_online_atc, iad->discretionary,
                                 iad->rest };
    const uint8_t *end = iad->whole.data;
    size_t sum = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        HOLDS(inside(parts[i], iad->whole), "a part lies in the whole");
        if (parts[i].size == 0) continue;
        HOLDS(parts[i].data >= end, "parts stand in order and apart");
        end = parts[i].data + parts[i].size;
        sum += parts[i].size;
    }
    if (iad->format == CEMV_IAD_UNKNOWN) HOLDS(sum == 0, "an unknown format has no parts");
    else HOLDS(sum != 0 && iad->whole.size - sum <= 5, "all but the heads of a known format lies in a part");
    return NULL;
}

const char *fuzz_iad(cemv_bytes bytes, enum cemv_scheme scheme)
{
    struct cemv_iad iad;
    uint8_t type;
    const bool known = cemv_iad_read(bytes, scheme, &iad);
    HOLDS(known == (iad.format != CEMV_IAD_UNKNOWN), "an answer and its format agree");
    HOLDS(iad.format < CEMV_IAD_FORMAT_COUNT && iad.layout < CEMV_LAYOUT_COUNT, "a format has a number");
    HOLDS(known == (iad.reason == CEMV_IAD_OK || iad.reason == CEMV_IAD_BAD_DISCRETIONARY),
          "what is unknown has a reason");
    HOLDS(same(iad.whole, bytes), "the whole is kept");
    HOLDS(known || !iad.assumed, "nothing is assumed of what is unknown");
    HOLDS(!known || bytes.size <= 32, "a known format has 32 bytes at most");
    if (known) {
        HOLDS(iad.layout != CEMV_LAYOUT_NONE && cemv_layout_size(iad.layout) == iad.cvr.size,
              "the results fill their layout");
        HOLDS(cemv_iad_field(&iad, CEMV_MEANS_FIRST_AC, &type) && type <= 3,
              "every format tells the type of cryptogram");
        struct cemv_iad named;
        if (iad.assumed) {
            const bool mchip = iad.format == CEMV_IAD_MCHIP_4 || iad.format == CEMV_IAD_MCHIP_ADVANCE;
            HOLDS(cemv_iad_read(bytes, mchip ? CEMV_SCHEME_MASTERCARD : CEMV_SCHEME_VISA, &named) &&
                      named.format == iad.format,
                  "a shape is that of its scheme");
        }
    }
    struct cemv_offline_counter counter;
    for (size_t i = 0; i < 4; i++) {
        const bool there = cemv_iad_counter(&iad, i, &counter);
        HOLDS(!there || (i < iad.counters.size / 8 && counter.amount <= 999999999999u), "a counter is a BCD amount");
    }
    const char *violated = check_parts(&iad);
    return violated ? violated : check_fields(iad.layout, iad.cvr);
}

/* ---- tracks ---- */

static bool digits_inside(struct cemv_digits digits, cemv_bytes whole)
{
    if (digits.characters)
        return digits.data == whole.data + 1 && (size_t)digits.first + digits.count <= whole.size - 1;
    return digits.count == 0 || (digits.data == whole.data && (size_t)digits.first + digits.count <= 2 * whole.size);
}

static const char *check_text(struct cemv_digits digits)
{
    char text[257];
    const size_t size = cemv_digits_text(digits, '=', text, sizeof text);
    HOLDS(size == digits.count && text[size] == '\0', "a text ends behind its digits");
    HOLDS(strlen(text) == size, "a text has no other end");
    HOLDS(cemv_digits_text(digits, '=', text, size) == 0 || size == 0, "a text that does not fit is not cut");
    return NULL;
}

const char *fuzz_tracks(cemv_bytes bytes)
{
    struct cemv_track2 two;
    struct cemv_track1 one;
    HOLDS(cemv_track2_read(bytes, &two) == (two.error == CEMV_TRACK_OK), "an answer and its error agree");
    const struct cemv_digits parts[] = { two.all, two.pan, two.expiry, two.service_code, two.discretionary };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        HOLDS(digits_inside(parts[i], bytes), "digits lie in the track");
        const char *violated = check_text(parts[i]);
        if (violated) return violated;
        for (size_t k = 0; i > 0 && k < parts[i].count; k++)
            HOLDS(cemv_digit(parts[i], k) <= 9, "a field has digits only");
    }
    HOLDS(two.pan.count <= 19 && (two.expiry.count == 0 || two.expiry.count == 4), "fields have their sizes");
    HOLDS(two.service_code.count == 0 || two.service_code.count == 3, "fields have their sizes");
    if (two.error == CEMV_TRACK_OK) {
        const size_t fields = (size_t)two.pan.count + 1 + (two.expiry.count ? 4u : 1u) +
                              (two.service_code.count ? 3u : 1u) + two.discretionary.count;
        HOLDS(two.pan.count != 0 && fields == two.all.count, "the fields are the whole track");
    }
    HOLDS(cemv_track1_read(bytes, &one) == (one.error == CEMV_TRACK_OK), "an answer and its error agree");
    const cemv_bytes texts[] = { one.all, one.pan, one.name, one.expiry, one.service_code, one.discretionary };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        HOLDS(inside(texts[i], bytes), "characters lie in the track");
    const struct cemv_digits cn = cemv_digits_of_cn(bytes);
    HOLDS(digits_inside(cn, bytes), "digits lie in the value");
    (void)cemv_digits_luhn(cn);
    return check_text(cn);
}

const char *fuzz_form_factor(cemv_bytes value, enum cemv_scheme scheme)
{
    struct cemv_form_factor factor;
    HOLDS(cemv_form_factor_read(value, scheme, &factor) == factor.known, "an answer and its struct agree");
    HOLDS(same(factor.whole, value) && inside(factor.proprietary, value), "a part lies in the whole");
    HOLDS(factor.known || (factor.layout == CEMV_LAYOUT_NONE && !factor.device_present),
          "what is unknown says nothing");
    return check_fields(factor.layout, factor.whole);
}

/* ---- the data set ---- */

/* The tags of the set that are there, less those left out, in order, with their values. */
static const char *check_written(const struct cemv_chip *chip, const struct cemv_data_set *set, cemv_bytes written,
                                 size_t left_out)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(written);
    struct cemv_tlv object;
    size_t next = 0, absent = 0;
    while (cemv_tlv_next(&cursor, &object)) {
        while (next < set->count && set->entries[next].tag != object.tag) {
            if (cemv_chip_value(chip, set->entries[next].tag).size != 0) absent++;
            next++;
        }
        HOLDS(next < set->count, "objects stand in the order asked for");
        HOLDS(same(object.value, cemv_chip_value(chip, object.tag)), "a value is carried over");
        next++;
    }
    for (; next < set->count; next++) {
        if (cemv_chip_value(chip, set->entries[next].tag).size != 0) absent++;
    }
    HOLDS(cursor.error == CEMV_WIRE_OK, "what was written can be read");
    HOLDS(absent == left_out, "what was left out is told");
    return NULL;
}

static const char *check_iso(const struct cemv_extract *extract)
{
    struct cemv_iso_fields fields;
    cemv_iso_fields_write(extract, 1, '=', &fields);
    const struct {
        const char *text;
        size_t room;
    } texts[] = {
        { fields.pan, sizeof fields.pan },
        { fields.expiry, sizeof fields.expiry },
        { fields.entry_mode, sizeof fields.entry_mode },
        { fields.sequence, sizeof fields.sequence },
        { fields.track2, sizeof fields.track2 },
        { fields.track1, sizeof fields.track1 },
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        HOLDS(memchr(texts[i].text, '\0', texts[i].room) != NULL, "a field ends");
    HOLDS(strspn(fields.pan, "0123456789") == strlen(fields.pan), "an account number has digits only");
    HOLDS(strspn(fields.track2, "0123456789=") == strlen(fields.track2), "a track has digits and separators only");
    HOLDS((fields.entry_mode[0] != '\0') == (extract->mode != CEMV_MODE_NONE), "an entry mode needs data");
    return NULL;
}

const char *fuzz_data_set(cemv_bytes record, enum cemv_scheme scheme, uint8_t kernel, size_t limit)
{
    struct cemv_chip chip;
    struct cemv_extract extract;
    uint8_t out[4096];
    cemv_chip_clear(&chip);
    const bool good = cemv_chip_add(&chip, record);
    HOLDS(good == (chip.error == CEMV_WIRE_OK), "an answer and its error agree");
    for (size_t i = 0; i < chip.count; i++) {
        HOLDS(inside(chip.object[i].value, record) && chip.object[i].value.size != 0, "an object lies in the record");
        HOLDS(cemv_chip_value(&chip, chip.object[i].tag).data == chip.object[i].value.data,
              "an object is found by its tag");
    }
    cemv_chip_extract(&chip, scheme, &extract);
    HOLDS(digits_inside(extract.pan, (cemv_bytes){ extract.pan.data, 128 }), "an account number has digits");
    HOLDS(extract.type <= CEMV_AC_RESERVED && (extract.type_known || extract.cid == 0), "an unknown type is zero");
    HOLDS(extract.cryptogram.size == 0 || extract.mode == CEMV_MODE_EMV, "a cryptogram is EMV mode's");
    HOLDS(extract.mode != CEMV_MODE_EMV || extract.cryptogram.size == 8 ||
              (extract.tvr.size == 5 && cemv_chip_value(&chip, 0x82).size == 2 &&
               cemv_chip_value(&chip, 0x56).size == 0 && cemv_chip_value(&chip, 0x9F6B).size == 0),
          "EMV mode has a cryptogram, or a record of its own");

    struct cemv_data_set set = cemv_data_set_of_kernel(kernel);
    set.limit = limit;
    for (int leave_out = 0; leave_out < 2; leave_out++) {
        set.leave_out = leave_out != 0;
        const struct cemv_data_set_result result = cemv_data_set_write(&chip, &set, out, sizeof out);
        if (result.error == CEMV_DATA_SET_MISSING)
            HOLDS(cemv_chip_value(&chip, result.tag).size == 0, "what misses is absent");
        if (result.error != CEMV_DATA_SET_OK) continue;
        HOLDS(limit == 0 || result.size <= limit, "a limit is kept");
        HOLDS(set.leave_out || result.left_out == 0, "nothing is left out unasked");
        const char *violated = check_written(&chip, &set, (cemv_bytes){ out, result.size }, result.left_out);
        if (violated) return violated;
    }
    return check_iso(&extract);
}

const char *fuzz_cryptogram(cemv_bytes input)
{
    if (input.size < 3) return NULL;
    const enum cemv_scheme scheme = (enum cemv_scheme)(input.data[0] % CEMV_SCHEME_COUNT);
    const uint8_t kernel = input.data[1] % 10;
    const size_t limit = 2u * input.data[2];
    const cemv_bytes bytes = { input.size > 3 ? input.data + 3 : NULL, input.size - 3 };
    const char *violated = fuzz_iad(bytes, scheme);
    if (!violated) violated = fuzz_tracks(bytes);
    if (!violated) violated = fuzz_form_factor(bytes, scheme);
    return violated ? violated : fuzz_data_set(bytes, scheme, kernel, limit);
}
