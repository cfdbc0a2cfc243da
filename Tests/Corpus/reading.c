/* SPDX-License-Identifier: Apache-2.0 */
/* Typed members of JSON objects, for configuration and trace. */
#include "reading.h"

#include <stdio.h>
#include <string.h>

enum { ERROR_SIZE = 200 };

void *corpus_room(struct corpus_arena *arena, size_t size)
{
    const size_t start = (arena->used + CEMV_ALIGNMENT - 1) / CEMV_ALIGNMENT * CEMV_ALIGNMENT;
    if (start > arena->size || size > arena->size - start) return NULL;
    arena->used = start + size;
    return memset(arena->bytes + start, 0, size);
}

void *read_room(struct reading *r, size_t size)
{
    void *place = corpus_room(r->arena, size ? size : 1);
    if (!place && !r->bad) r->bad = true, snprintf(r->error, ERROR_SIZE, "expected a shorter trace");
    return place;
}

/* Never prints a value: a trace may contain an account number. */
bool read_expected(struct reading *r, const char *place, const char *what)
{
    if (!r->bad) snprintf(r->error, ERROR_SIZE, "%s: expected %s", place, what);
    r->bad = true;
    return false;
}

bool read_only(struct reading *r, const struct json *object, const char *place, const char *const *names)
{
    if (object->kind != JSON_OBJECT) return read_expected(r, place, "an object");
    for (const struct json *member = object->first; member; member = member->next) {
        size_t i = 0;
        while (names[i] && !json_is_named(member, names[i])) i++;
        if (!names[i]) return read_expected(r, place, "no other key than those of the format");
    }
    return true;
}

static int nibble(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool corpus_hex(const struct json *node, struct corpus_arena *arena, cemv_bytes *bytes)
{
    if (!node || node->kind != JSON_STRING || node->size % 2 != 0) return false;
    uint8_t *place = corpus_room(arena, node->size / 2 + 1);
    if (!place) return false;
    for (size_t i = 0; i < node->size; i += 2) {
        const int high = nibble(node->text[i]), low = nibble(node->text[i + 1]);
        if (high < 0 || low < 0) return false;
        place[i / 2] = (uint8_t)(high << 4 | low);
    }
    *bytes = (cemv_bytes){ place, node->size / 2 };
    return true;
}

cemv_bytes read_hex(struct reading *r, const struct json *node, const char *place, size_t least, size_t most)
{
    cemv_bytes bytes = { NULL, 0 };
    if (!corpus_hex(node, r->arena, &bytes) || bytes.size < least || bytes.size > most)
        read_expected(r, place, "hex of the right length");
    return bytes;
}

/* An optional member: returns the default if it is absent. */
uint64_t read_integer(struct reading *r, const struct json *object, const char *name, uint64_t most, uint64_t otherwise)
{
    const struct json *node = json_member(object, name);
    uint64_t value = otherwise;
    if (node && (!json_integer(node, &value) || value > most))
        read_expected(r, name, "a whole number within its range");
    return value;
}

bool read_truth(struct reading *r, const struct json *object, const char *name, bool otherwise)
{
    const struct json *node = json_member(object, name);
    if (!node) return otherwise;
    if (node->kind != JSON_TRUE && node->kind != JSON_FALSE) read_expected(r, name, "true or false");
    return node->kind == JSON_TRUE;
}

uint8_t read_choice(struct reading *r, const struct json *object, const char *name, const struct choice *choices)
{
    const struct json *node = json_member(object, name);
    if (!node) return choices[0].value;
    for (size_t i = 1; choices[i].name; i++)
        if (json_is(node, choices[i].name)) return choices[i].value;
    read_expected(r, name, "one of its words");
    return 0;
}

/* Data objects by tag, as a list of TLV; a list of values writes the object several times. */
static size_t put_object(uint8_t *out, cemv_bytes tag, cemv_bytes value)
{
    size_t used = tag.size;
    memcpy(out, tag.data, tag.size);
    if (value.size > 255) out[used++] = 0x82, out[used++] = (uint8_t)(value.size >> 8);
    else if (value.size > 127) out[used++] = 0x81;
    out[used++] = (uint8_t)value.size;
    if (value.size) memcpy(out + used, value.data, value.size);
    return used + value.size;
}

static bool is_left_out(const struct json *member, const char *const *names)
{
    for (; names && *names; names++)
        if (json_is_named(member, *names)) return true;
    return false;
}

cemv_bytes read_objects(struct reading *r, const struct json *object, const char *place, bool repeats)
{
    return read_objects_but(r, object, place, repeats, NULL);
}

cemv_bytes read_objects_but(struct reading *r, const struct json *object, const char *place, bool repeats,
                            const char *const *left_out)
{
    cemv_bytes list = { NULL, 0 };
    if (!object) return list;
    if (object->kind != JSON_OBJECT) read_expected(r, place, "data objects by tag");
    size_t size = 1;
    for (const struct json *member = object->first; member; member = member->next) {
        size += member->name_size / 2 + 4 + member->size / 2;
        for (const struct json *value = member->first; value; value = value->next)
            size += member->name_size / 2 + 4 + value->size / 2;
    }
    uint8_t *out = read_room(r, size);
    for (const struct json *member = object->first; member && !r->bad; member = member->next) {
        const struct json name = { .kind = JSON_STRING, .text = member->name, .size = member->name_size };
        if (is_left_out(member, left_out)) continue;
        const cemv_bytes tag = read_hex(r, &name, place, 1, 4);
        const bool several = repeats && member->kind == JSON_ARRAY;
        for (const struct json *value = several ? member->first : member; value && !r->bad;
             value = several ? value->next : NULL)
            list.size += put_object(out + list.size, tag, read_hex(r, value, place, 0, 65535));
    }
    list.data = out;
    return list;
}

/* Pairs of digits with a separator between them, from `from` on. */
static bool read_pairs(const struct json *node, size_t from, char separator, uint8_t out[3])
{
    for (size_t i = 0; i < 3; i++) {
        const char *at = node->text + from + 3 * i;
        const int high = nibble(at[0]), low = nibble(at[1]);
        if (high < 0 || high > 9 || low < 0 || low > 9 || (i < 2 && at[2] != separator)) return false;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

void read_date(struct reading *r, const struct json *node, const char *place, uint8_t out[3])
{
    const bool whole = node && node->kind == JSON_STRING && node->size == 10 && nibble(node->text[0]) >= 0 &&
                       nibble(node->text[0]) <= 9 && nibble(node->text[1]) >= 0 && nibble(node->text[1]) <= 9;
    if (!whole || !read_pairs(node, 2, '-', out)) read_expected(r, place, "a date like 2026-11-21");
}

void read_time(struct reading *r, const struct json *node, const char *place, uint8_t out[3])
{
    const bool whole = node && node->kind == JSON_STRING && node->size == 8;
    if (!whole || !read_pairs(node, 0, ':', out)) read_expected(r, place, "a time like 12:00:00");
}

size_t read_length(const struct json *list)
{
    size_t count = 0;
    for (const struct json *node = list ? list->first : NULL; node; node = node->next) count++;
    return count;
}
