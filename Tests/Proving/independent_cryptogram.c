/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the public functions of cemv_cryptogram.h with an independent implementation's answers.
 *
 * Reads lines "function | inputs | expected outputs" as Tests/Independent/generators/cryptogram.py writes them. Each
 * check reads its inputs, calls CEMV and prints the answers in the generator's notation. The two texts must be equal.
 * An expected word "a~b" matches either part, "?" matches any word. The inputs of a line are stored one after another
 * in `input.bytes`, so a part of them is written as offset and size. */
#include "independent_cryptogram.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cemv_cryptogram.h"

#define INPUT_CAPACITY  16384
#define OUTPUT_CAPACITY 16384
#define SET_CAPACITY    100

/* The inputs of one line: text still to be read, and the bytes read from it so far. */
struct input {
    const char *at, *end;
    bool bad;
    size_t size;
    uint8_t bytes[INPUT_CAPACITY];
};

struct output {
    size_t size;
    char text[OUTPUT_CAPACITY];
};

static void put(struct output *output, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t left = sizeof output->text - output->size;
    int size = vsnprintf(output->text + output->size, left, format, arguments);
    va_end(arguments);
    if (size > 0) {
        output->size += (size_t)size < left ? (size_t)size : left - 1;
    }
}

/* ---- reading ---- */

static bool take(struct input *input, char wanted)
{
    if (input->at < input->end && *input->at == wanted) {
        input->at++;
        return true;
    }
    return false;
}

static void skip_blanks(struct input *input)
{
    while (take(input, ' ')) {
    }
}

static int hex_digit(char letter)
{
    if (letter >= '0' && letter <= '9') {
        return letter - '0';
    }
    return letter >= 'A' && letter <= 'F' ? letter - 'A' + 10 : -1;
}

static uint32_t read_number(struct input *input, int base)
{
    uint32_t number = 0;
    size_t count = 0;
    skip_blanks(input);
    while (input->at < input->end && hex_digit(*input->at) >= 0 && hex_digit(*input->at) < base) {
        number = number * (uint32_t)base + (uint32_t)hex_digit(*input->at);
        input->at++;
        count++;
    }
    input->bad = input->bad || count == 0;
    return number;
}

static cemv_bytes read_hex(struct input *input)
{
    cemv_bytes bytes = { input->bytes + input->size, 0 };
    while (input->end - input->at >= 2 && hex_digit(input->at[0]) >= 0 && hex_digit(input->at[1]) >= 0) {
        if (input->size == sizeof input->bytes) {
            input->bad = true;
            break;
        }
        input->bytes[input->size++] = (uint8_t)(hex_digit(input->at[0]) * 16 + hex_digit(input->at[1]));
        bytes.size++;
        input->at += 2;
    }
    if (bytes.size == 0) {
        bytes.data = NULL;
    }
    return bytes;
}

static cemv_bytes read_bytes(struct input *input)
{
    skip_blanks(input);
    if (take(input, '-')) {
        return (cemv_bytes){ NULL, 0 };
    }
    return read_hex(input);
}

/* Steps: "L" and a list of data objects, or "V", a tag, "=" and a value. `answers` (optional) receives what each
 * addition answered. */
static void read_steps(struct input *input, struct cemv_chip *chip, struct output *answers)
{
    cemv_chip_clear(chip);
    skip_blanks(input);
    if (take(input, '-')) {
        if (answers) {
            put(answers, "-");
        }
        return;
    }
    do {
        const char *answer = "v";
        if (take(input, 'V')) {
            uint32_t tag = read_number(input, 16);
            input->bad = input->bad || !take(input, '=');
            cemv_chip_add_value(chip, tag, read_hex(input));
        } else {
            input->bad = input->bad || !take(input, 'L');
            answer = cemv_chip_add(chip, read_hex(input)) ? "1" : "0";
        }
        if (answers) {
            put(answers, "%s", answer);
        }
    } while (take(input, ','));
}

static size_t read_entries(struct input *input, struct cemv_data_set_entry *entries)
{
    size_t count = 0;
    skip_blanks(input);
    if (take(input, '-')) {
        return 0;
    }
    do {
        if (count == SET_CAPACITY) {
            input->bad = true;
            return 0;
        }
        entries[count].tag = read_number(input, 16);
        entries[count++].presence = take(input, '*') ? CEMV_PRESENCE_REQUIRED : CEMV_PRESENCE_OPTIONAL;
    } while (take(input, ','));
    return count;
}

/* ---- writing ---- */

static void put_hex(struct output *output, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) {
        put(output, "%02X", bytes[i]);
    }
    if (size == 0) {
        put(output, "-");
    }
}

/* "offset+size" of a part, or "outside" if it does not lie in the inputs. */
static void put_place(struct output *output, const struct input *input, cemv_bytes part)
{
    uintptr_t at = (uintptr_t)part.data, first = (uintptr_t)input->bytes;
    if (part.size == 0) {
        put(output, "-");
    } else if (at < first || at + part.size > first + input->size) {
        put(output, "outside");
    } else {
        put(output, "%zu+%zu", (size_t)(at - first), part.size);
    }
}

static void put_part(struct output *output, const struct input *input, cemv_bytes part)
{
    put(output, " ");
    put_place(output, input, part);
}

static void put_digits(struct output *output, const struct input *input, struct cemv_digits digits)
{
    uintptr_t at = (uintptr_t)digits.data, first = (uintptr_t)input->bytes;
    if (digits.count == 0) {
        put(output, " -");
    } else if (at < first || (at - first) * 2 + digits.first + digits.count > input->size * 2) {
        put(output, " outside");
    } else {
        put(output, " %zu+%u", (size_t)(at - first) * 2 + digits.first, (unsigned)digits.count);
    }
}

static void put_text(struct output *output, const char *text, size_t capacity)
{
    size_t size = 0;
    while (size < capacity && text[size] != 0) {
        size++;
    }
    put(output, " ");
    if (size == capacity) {
        put(output, "unterminated");
    } else {
        put_hex(output, text, size);
    }
}

static void put_track2(struct output *output, const struct input *input, const struct cemv_track2 *track)
{
    put(output, "%u", track->error);
    put_digits(output, input, track->all);
    put_digits(output, input, track->pan);
    put_digits(output, input, track->expiry);
    put_digits(output, input, track->service_code);
    put_digits(output, input, track->discretionary);
}

static void put_track1(struct output *output, const struct input *input, const struct cemv_track1 *track)
{
    put(output, "%u", track->error);
    put_part(output, input, track->all);
    put_part(output, input, track->pan);
    put_part(output, input, track->name);
    put_part(output, input, track->expiry);
    put_part(output, input, track->service_code);
    put_part(output, input, track->discretionary);
}

static void put_iad(struct output *output, const struct input *input, const struct cemv_iad *iad)
{
    put(output, "%u.%u.%u.%u.%u.%u.%u.%u.%u.%u", iad->format, iad->reason, iad->layout, iad->key_index, iad->version,
        iad->session_key, iad->assumed, iad->counters_covered, iad->aes, iad->algorithm);
    put_part(output, input, iad->whole);
    put_part(output, input, iad->cvr);
    put_part(output, input, iad->dynamic_number);
    put_part(output, input, iad->counters);
    put_part(output, input, iad->last_online_atc);
    put_part(output, input, iad->discretionary);
    put_part(output, input, iad->rest);
}

static void put_form(struct output *output, const struct input *input, const struct cemv_form_factor *form)
{
    put(output, "%u %u %u %02X%02X %04X %04X", form->known, form->layout, form->device_present, form->device[0],
        form->device[1], form->country, form->identifier);
    put_part(output, input, form->proprietary);
    put_part(output, input, form->whole);
}

/* ---- the functions ---- */

static void check_aid(struct input *input, struct output *output)
{
    put(output, "%d", (int)cemv_scheme_of_aid(read_bytes(input)));
}

static void check_kernel(struct input *input, struct output *output)
{
    put(output, "%d", (int)cemv_scheme_of_kernel(read_bytes(input)));
}

static void check_layout(struct input *input, struct output *output)
{
    put(output, "%zu", cemv_layout_size((uint8_t)read_number(input, 10)));
}

/* Every field with a meaning, then the reserved bits of each byte. Fields must be in order and cover every bit once. */
static void check_fields(struct input *input, struct output *output)
{
    uint8_t layout = (uint8_t)read_number(input, 10);
    cemv_bytes bytes = read_bytes(input);
    uint8_t reserved[256] = { 0 }, named[256] = { 0 };
    struct cemv_field_cursor cursor = cemv_field_open(layout, bytes);
    struct cemv_field field;
    unsigned byte = 1, lowest = 0x100;
    while (cemv_field_next(&cursor, &field)) {
        if (field.byte < byte || (field.byte == byte && field.mask >= lowest) || field.mask == 0) {
            put(output, "disorder ");
        }
        if ((named[field.byte] & field.mask) != 0 || field.byte > bytes.size) {
            put(output, "twice ");
        }
        byte = field.byte;
        lowest = field.mask & (0u - field.mask);
        named[field.byte] |= field.mask;
        if (field.meaning == CEMV_MEANS_RESERVED) {
            reserved[field.byte] |= field.mask;
        } else {
            put(output, "%u:%02X:%u:%u ", field.byte, field.mask, field.meaning, field.value);
        }
    }
    for (unsigned i = 1; i <= bytes.size && i <= cemv_layout_size(layout); i++) {
        if (reserved[i] != 0) {
            put(output, "R%u:%02X ", i, reserved[i]);
        }
        if (named[i] != 0xFF) {
            put(output, "incomplete ");
        }
    }
    put(output, output->size == 0 ? "-" : "");
    if (cemv_field_next(&cursor, &field)) {
        put(output, " again");
    }
}

static void check_find(struct input *input, struct output *output)
{
    uint8_t layout = (uint8_t)read_number(input, 10);
    cemv_bytes bytes = read_bytes(input);
    uint8_t meaning = (uint8_t)read_number(input, 10), value = 0;
    if (cemv_field_find(layout, bytes, meaning, &value)) {
        put(output, "%u", value);
    } else {
        put(output, "-");
    }
}

static void check_iad(struct input *input, struct output *output)
{
    enum cemv_scheme scheme = (enum cemv_scheme)read_number(input, 10);
    struct cemv_iad iad;
    memset(&iad, 0xA5, sizeof iad);
    put(output, "%d ", cemv_iad_read(read_bytes(input), scheme, &iad));
    put_iad(output, input, &iad);
    for (size_t i = 0; i < 3; i++) {
        struct cemv_offline_counter counter;
        if (cemv_iad_counter(&iad, i, &counter)) {
            put(output, " %llu/%u", (unsigned long long)counter.amount, counter.number);
        } else {
            put(output, " -");
        }
    }
    size_t before = output->size;
    put(output, " ");
    for (unsigned meaning = 1; meaning < CEMV_MEANING_COUNT; meaning++) {
        uint8_t value;
        if (cemv_iad_field(&iad, (uint8_t)meaning, &value)) {
            put(output, "%02X%02X", meaning, value);
        }
    }
    put(output, output->size == before + 1 ? "-" : "");
}

static struct cemv_digits read_digits(struct input *input)
{
    cemv_bytes bytes = read_bytes(input);
    uint32_t first = read_number(input, 10), count = read_number(input, 10);
    /* Empty digits may have a null pointer. */
    const uint8_t *data = bytes.size == 0 ? NULL : bytes.data + first / 2;
    return (struct cemv_digits){ data, (uint8_t)(first % 2), (uint8_t)count, false };
}

static void check_digits(struct input *input, struct output *output)
{
    struct cemv_digits digits = read_digits(input);
    char separator = (char)read_number(input, 16);
    size_t capacity = read_number(input, 10);
    char text[512];
    memset(text, '#', sizeof text);
    for (size_t i = 0; i < digits.count; i++) {
        put(output, "%X", cemv_digit(digits, i));
    }
    put(output, digits.count == 0 ? "-" : "");
    if (cemv_digit(digits, digits.count) != 0xFF || cemv_digit(digits, (size_t)-1) != 0xFF) {
        put(output, "+");
    }
    size_t size = cemv_digits_text(digits, separator, text, capacity);
    put(output, " %d %zu", cemv_digits_luhn(digits), size);
    if (capacity == 0) {
        put(output, text[0] == '#' ? " -" : " written");
    } else {
        put_text(output, text, capacity);
    }
    if (text[capacity] != '#') {
        put(output, "+");
    }
}

static void check_cn(struct input *input, struct output *output)
{
    put_digits(output, input, cemv_digits_of_cn(read_bytes(input)));
}

static void check_equal(struct input *input, struct output *output)
{
    struct cemv_digits a = read_digits(input), b = read_digits(input);
    bool equal = cemv_digits_equal(a, b);
    put(output, "%d", equal);
    if (cemv_digits_equal(b, a) != equal) {
        put(output, " asymmetric");
    }
}

static void check_track2(struct input *input, struct output *output)
{
    struct cemv_track2 track;
    memset(&track, 0xA5, sizeof track);
    bool good = cemv_track2_read(read_bytes(input), &track);
    put_track2(output, input, &track);
    put(output, good == (track.error == CEMV_TRACK_OK) ? "" : " contradiction");
}

static void check_track1(struct input *input, struct output *output)
{
    struct cemv_track1 track;
    memset(&track, 0xA5, sizeof track);
    bool good = cemv_track1_read(read_bytes(input), &track);
    put_track1(output, input, &track);
    put(output, good == (track.error == CEMV_TRACK_OK) ? "" : " contradiction");
}

static void check_form(struct input *input, struct output *output)
{
    enum cemv_scheme scheme = (enum cemv_scheme)read_number(input, 10);
    struct cemv_form_factor form;
    memset(&form, 0xA5, sizeof form);
    bool known = cemv_form_factor_read(read_bytes(input), scheme, &form);
    put_form(output, input, &form);
    put(output, known == form.known ? "" : " contradiction");
}

static void check_chip(struct input *input, struct output *output)
{
    struct cemv_chip chip;
    memset(&chip, 0xA5, sizeof chip);
    read_steps(input, &chip, output);
    put(output, " %u.%u.%u.%u", chip.error, chip.lists, chip.count, chip.overflowed);
    uint32_t last = 0;
    for (;;) {
        const struct cemv_chip_object *next = NULL;
        for (size_t i = 0; i < chip.count && i < CEMV_CHIP_OBJECTS; i++) {
            const struct cemv_chip_object *object = &chip.object[i];
            next = object->tag > last && (next == NULL || object->tag < next->tag) ? object : next;
        }
        if (next == NULL) {
            break;
        }
        last = next->tag;
        cemv_bytes value = cemv_chip_value(&chip, last);
        put(output, " %lX:%u:%u:", (unsigned long)last, next->list, next->head);
        put_place(output, input, value);
        if (value.data != next->value.data || value.size != next->value.size) {
            put(output, "contradiction");
        }
    }
    if (cemv_chip_value(&chip, 0xDF7F).size != 0 || cemv_chip_value(&chip, 0).size != 0) {
        put(output, " invented");
    }
}

static void put_extract(struct output *output, const struct input *input, const struct cemv_extract *x)
{
    put(output, "%u %u cid=%d.%02X type=%d.%u atc=%d.%04X psn=%d.%u cvm=%d.%02X%02X%02X diff=%d%d", x->scheme, x->mode,
        x->cid_present, x->cid, x->type_known, x->type, x->atc_present, x->atc, x->sequence_present, x->sequence,
        x->cvm_present, x->cvm[0], x->cvm[1], x->cvm[2], x->pan_mismatch, x->expiry_mismatch);
    put_part(output, input, x->cryptogram);
    put_part(output, input, x->unpredictable_number);
    put_part(output, input, x->tvr);
    put_part(output, input, x->par);
    put(output, " iad ");
    put_iad(output, input, &x->iad);
    put(output, " t2 ");
    put_track2(output, input, &x->track2);
    put(output, " t1 ");
    put_track1(output, input, &x->track1);
    put(output, " acc");
    put_digits(output, input, x->pan);
    put_digits(output, input, x->expiry);
    put_digits(output, input, x->service_code);
    put(output, " ff ");
    put_form(output, input, &x->form_factor);
}

static void check_extract(struct input *input, struct output *output)
{
    enum cemv_scheme scheme = (enum cemv_scheme)read_number(input, 10);
    struct cemv_chip chip;
    struct cemv_extract extract;
    memset(&extract, 0xA5, sizeof extract);
    read_steps(input, &chip, NULL);
    cemv_chip_extract(&chip, scheme, &extract);
    put_extract(output, input, &extract);
}

static void check_iso(struct input *input, struct output *output)
{
    enum cemv_scheme scheme = (enum cemv_scheme)read_number(input, 10);
    struct cemv_chip chip;
    struct cemv_extract extract;
    struct cemv_iso_fields fields;
    memset(&fields, '#', sizeof fields);
    read_steps(input, &chip, NULL);
    cemv_chip_extract(&chip, scheme, &extract);
    uint8_t pin = (uint8_t)read_number(input, 10);
    cemv_iso_fields_write(&extract, pin, (char)read_number(input, 16), &fields);
    put_text(output, fields.pan, sizeof fields.pan);
    put_text(output, fields.expiry, sizeof fields.expiry);
    put_text(output, fields.entry_mode, sizeof fields.entry_mode);
    put_text(output, fields.sequence, sizeof fields.sequence);
    put_text(output, fields.track2, sizeof fields.track2);
    put_text(output, fields.track1, sizeof fields.track1);
    cemv_iso_fields_wipe(&fields);
    const uint8_t *bytes = (const uint8_t *)&fields;
    for (size_t i = 0; i < sizeof fields; i++) {
        if (bytes[i] != 0) {
            put(output, " unwiped");
            break;
        }
    }
}

/* Returns the entry with the lowest tag above `tag`; NULL if there is no such entry. */
static const struct cemv_data_set_entry *next_entry(const struct cemv_data_set *set, uint32_t tag)
{
    const struct cemv_data_set_entry *next = NULL;
    for (size_t i = 0; i < set->count; i++) {
        const struct cemv_data_set_entry *entry = &set->entries[i];
        next = entry->tag > tag && (next == NULL || entry->tag < next->tag) ? entry : next;
    }
    return next;
}

/* The required tags in ascending order, and how many of the listed tags are optional entries. */
static void check_set(struct input *input, struct output *output)
{
    struct cemv_data_set set = cemv_data_set_of_kernel((uint8_t)read_number(input, 10));
    struct cemv_data_set_entry optional[SET_CAPACITY];
    size_t count = read_entries(input, optional), found = 0;
    uint32_t tag = 0;
    for (const struct cemv_data_set_entry *entry; (entry = next_entry(&set, tag)) != NULL;) {
        tag = entry->tag;
        if (entry->presence == CEMV_PRESENCE_REQUIRED) {
            put(output, output->size == 0 ? "%lX" : ",%lX", (unsigned long)tag);
        }
        for (size_t i = 0; i < count && entry->presence == CEMV_PRESENCE_OPTIONAL; i++) {
            found += optional[i].tag == tag;
        }
    }
    put(output, output->size == 0 ? "- %zu" : " %zu", found);
    if (set.count > CEMV_DATA_SET_ENTRIES || cemv_data_set_check(&set, &tag) != CEMV_DATA_SET_OK) {
        put(output, " malformed");
    }
}

static void check_check(struct input *input, struct output *output)
{
    struct cemv_data_set_entry entries[SET_CAPACITY];
    struct cemv_data_set set = { entries, read_entries(input, entries), 0, false };
    uint32_t tag = 0;
    int error = (int)cemv_data_set_check(&set, &tag);
    put(output, "%d %lX", error, (unsigned long)tag);
}

static void check_write(struct input *input, struct output *output)
{
    struct cemv_data_set_entry entries[SET_CAPACITY];
    struct cemv_data_set set = { entries, 0, 0, false };
    set.count = read_entries(input, entries);
    set.limit = read_number(input, 10);
    set.leave_out = read_number(input, 10) != 0;
    size_t capacity = read_number(input, 10);
    struct cemv_chip chip;
    read_steps(input, &chip, NULL);
    uint8_t field[4096];
    memset(field, 0xA5, sizeof field);
    if (capacity >= sizeof field) {
        input->bad = true;
        return;
    }
    struct cemv_data_set_result result = cemv_data_set_write(&chip, &set, field, capacity);
    put(output, "%u %lX %zu %zu ", result.error, (unsigned long)result.tag, result.size, result.left_out);
    put_hex(output, field, result.error == CEMV_DATA_SET_OK && result.size <= capacity ? result.size : 0);
    for (size_t i = capacity; i < sizeof field; i++) {
        if (field[i] != 0xA5) {
            put(output, " overrun");
            break;
        }
    }
}

/* A kernel's own set without a limit. The order of the entries is CEMV's choice, so the written objects are compared in
 * ascending order of their tags. */
static void check_kernel_write(struct input *input, struct output *output)
{
    struct cemv_data_set set = cemv_data_set_of_kernel((uint8_t)read_number(input, 10));
    size_t capacity = read_number(input, 10);
    struct cemv_chip chip;
    uint8_t field[4096];
    read_steps(input, &chip, NULL);
    set.limit = 0;
    set.leave_out = false;
    struct cemv_data_set_result result =
        cemv_data_set_write(&chip, &set, field, capacity < sizeof field ? capacity : sizeof field);
    put(output, "%u %lX %zu ", result.error, (unsigned long)result.tag, result.size);
    cemv_bytes written = { field, result.error == CEMV_DATA_SET_OK ? result.size : 0 };
    uint32_t tag = 0;
    size_t total = 0;
    for (const struct cemv_data_set_entry *entry; (entry = next_entry(&set, tag)) != NULL;) {
        struct cemv_tlv object;
        tag = entry->tag;
        if (cemv_tlv_find(written, tag, &object)) {
            put_hex(output, object.whole.data, object.whole.size);
            total += object.whole.size;
        }
    }
    put(output, total == 0 ? "-" : "");
    put(output, total == written.size && result.left_out == 0 ? "" : " incomplete");
}

/* A kernel's own set with its own limit: prints the error, and whether the field keeps to the limit, holds every
 * required object and counts the omitted ones. CEMV chooses the limit and the order of omission. */
static void check_kernel_limit(struct input *input, struct output *output)
{
    struct cemv_data_set set = cemv_data_set_of_kernel((uint8_t)read_number(input, 10));
    struct cemv_chip chip;
    uint8_t field[4096];
    read_steps(input, &chip, NULL);
    struct cemv_data_set_result result = cemv_data_set_write(&chip, &set, field, sizeof field);
    cemv_bytes written = { field, result.error == CEMV_DATA_SET_OK ? result.size : 0 };
    bool complete = true;
    size_t missing = 0;
    for (size_t i = 0; i < set.count; i++) {
        struct cemv_tlv object;
        bool there = cemv_chip_value(&chip, set.entries[i].tag).size != 0;
        bool found = cemv_tlv_find(written, set.entries[i].tag, &object);
        complete = complete && (found || set.entries[i].presence == CEMV_PRESENCE_OPTIONAL);
        missing += there && !found;
    }
    put(output, "%u %d %d %d", result.error, set.limit == 0 || result.size <= set.limit, complete,
        missing == result.left_out);
}

/* ---- lines ---- */

static const struct check {
    const char *name;
    void (*run)(struct input *input, struct output *output);
} checks[] = {
    { "aid", check_aid },
    { "kernel", check_kernel },
    { "layout", check_layout },
    { "fields", check_fields },
    { "find", check_find },
    { "iad", check_iad },
    { "digits", check_digits },
    { "cn", check_cn },
    { "equal", check_equal },
    { "track2", check_track2 },
    { "track1", check_track1 },
    { "form", check_form },
    { "chip", check_chip },
    { "extract", check_extract },
    { "iso", check_iso },
    { "set", check_set },
    { "check", check_check },
    { "write", check_write },
    { "kwrite", check_kernel_write },
    { "klimit", check_kernel_limit },
};

/* The next word, or an empty one at the end. */
static const char *next_word(const char **at, const char *end, size_t *size)
{
    while (*at < end && **at == ' ') {
        ++*at;
    }
    const char *word = *at;
    while (*at < end && **at != ' ') {
        ++*at;
    }
    *size = (size_t)(*at - word);
    return word;
}

/* True if `word` is one of the alternatives in `expected`, which "~" separates. */
static bool is_one_of(const char *expected, size_t expected_size, const char *word, size_t size)
{
    const char *end = expected + expected_size;
    for (;;) {
        const char *bar = memchr(expected, '~', (size_t)(end - expected));
        size_t part = (size_t)((bar ? bar : end) - expected);
        if (part == size && memcmp(expected, word, size) == 0) {
            return true;
        }
        if (bar == NULL) {
            return false;
        }
        expected = bar + 1;
    }
}

static bool same_words(const char *expected, const char *expected_end, const char *actual, const char *actual_end)
{
    for (;;) {
        size_t a, b;
        const char *left = next_word(&expected, expected_end, &a), *right = next_word(&actual, actual_end, &b);
        if (a == 0 || b == 0) {
            return a == b;
        }
        if (!(a == 1 && *left == '?') && !is_one_of(left, a, right, b)) {
            return false;
        }
    }
}

/* The next column, without the bar; NULL if there is no bar and `last` is false. */
static const char *column(const char **at, const char *end, bool last, const char **column_end)
{
    const char *start = *at;
    const char *bar = memchr(start, '|', (size_t)(end - start));
    if (bar == NULL && !last) {
        return NULL;
    }
    *column_end = bar == NULL ? end : bar;
    *at = bar == NULL ? end : bar + 1;
    return start;
}

bool independent_cryptogram_line(const char *line, size_t size, char *actual, size_t capacity)
{
    const char *at = line, *end = line + size, *name_end, *input_end, *expected_end;
    while (end > line && (end[-1] == '\n' || end[-1] == '\r')) {
        end--;
    }
    const char *name = column(&at, end, false, &name_end);
    const char *inputs = name ? column(&at, end, false, &input_end) : NULL;
    const char *expected = inputs ? column(&at, end, true, &expected_end) : NULL;
    if (actual && capacity > 0) {
        actual[0] = 0;
    }
    if (expected == NULL) {
        return false;
    }
    size_t name_size;
    const char *word = next_word(&name, name_end, &name_size);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (strlen(checks[i].name) != name_size || memcmp(checks[i].name, word, name_size) != 0) {
            continue;
        }
        struct input input = { .at = inputs, .end = input_end };
        struct output output = { 0 };
        checks[i].run(&input, &output);
        skip_blanks(&input);
        if (actual && capacity > 0) {
            snprintf(actual, capacity, "%s", output.text);
        }
        return !input.bad && input.at == input.end &&
               same_words(expected, expected_end, output.text, output.text + output.size);
    }
    return false;
}

bool independent_cryptogram(const char *text, size_t size, const char **line)
{
    const char *at = text, *end = text + size;
    size_t checked = 0;
    if (line) {
        *line = NULL;
    }
    while (at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        const char *next = feed ? feed + 1 : end;
        if (*at != '#' && *at != '\n') {
            if (!independent_cryptogram_line(at, (size_t)(next - at), NULL, 0)) {
                if (line) {
                    *line = at;
                }
                return false;
            }
            checked++;
        }
        at = next;
    }
    return checked > 0;
}
