/* SPDX-License-Identifier: Apache-2.0 */
#include "json.h"

#include <string.h>

enum { MAX_DEPTH = 16 };

static bool fail(struct json_reader *r, const char *expected)
{
    if (!r->error) r->error = expected;
    return false;
}

static void skip(struct json_reader *r)
{
    while (r->at < r->size && strchr(" \t\r\n", r->text[r->at])) r->at++;
}

static bool take(struct json_reader *r, char c)
{
    skip(r);
    if (r->at == r->size || r->text[r->at] != c) return false;
    r->at++;
    return true;
}

static struct json *add(struct json_reader *r, enum json_kind kind)
{
    if (r->count == r->capacity) return fail(r, "fewer values"), NULL;
    struct json *node = &r->nodes[r->count++];
    *node = (struct json){ .kind = kind };
    return node;
}

static bool string(struct json_reader *r, const char **text, size_t *size)
{
    if (!take(r, '"')) return fail(r, "a string");
    *text = r->text + r->at;
    for (; r->at < r->size && r->text[r->at] != '"'; r->at++) {
        if ((unsigned char)r->text[r->at] < 0x20) return fail(r, "no control character in a string");
        if (r->text[r->at] == '\\') r->at++;
    }
    if (r->at >= r->size) return fail(r, "the end of a string");
    *size = (size_t)(r->text + r->at++ - *text);
    return true;
}

static bool number(struct json_reader *r)
{
    const size_t start = r->at;
    while (r->at < r->size && strchr("+-.0123456789eE", r->text[r->at])) r->at++;
    return r->at != start || fail(r, "a value");
}

static bool word(struct json_reader *r, const char *text)
{
    const size_t size = strlen(text);
    if (size > r->size - r->at || memcmp(r->text + r->at, text, size) != 0) return false;
    r->at += size;
    return true;
}

static struct json *value(struct json_reader *r, unsigned depth);

/* Members up to the closing bracket. */
static bool members(struct json_reader *r, struct json *parent, unsigned depth)
{
    const bool object = parent->kind == JSON_OBJECT;
    const char close = object ? '}' : ']';
    const struct json **link = &parent->first;
    r->at++;
    if (take(r, close)) return true;
    do {
        const char *name = NULL;
        size_t name_size = 0;
        if (object && (!string(r, &name, &name_size) || !take(r, ':'))) return fail(r, "a name and a colon");
        struct json *child = value(r, depth + 1);
        if (!child) return false;
        for (const struct json *other = parent->first; object && other; other = other->next)
            if (other->name_size == name_size && memcmp(other->name, name, name_size) == 0)
                return fail(r, "each name once");
        child->name = name, child->name_size = name_size;
        *link = child, link = &child->next;
    } while (take(r, ','));
    return take(r, close) || fail(r, "a comma or the end of the list");
}

static struct json *value(struct json_reader *r, unsigned depth)
{
    skip(r);
    const char c = r->at < r->size ? r->text[r->at] : '\0';
    if (depth > MAX_DEPTH) return fail(r, "fewer levels"), NULL;
    struct json *node = add(r, c == '{'   ? JSON_OBJECT
                               : c == '[' ? JSON_ARRAY
                               : c == '"' ? JSON_STRING
                               : c == 't' ? JSON_TRUE
                               : c == 'f' ? JSON_FALSE
                               : c == 'n' ? JSON_NULL
                                          : JSON_NUMBER);
    if (!node) return NULL;
    const char *const start = r->text + r->at;
    bool read = false;
    switch (node->kind) {
    case JSON_OBJECT:
    case JSON_ARRAY: read = members(r, node, depth); break;
    case JSON_STRING: read = string(r, &node->text, &node->size); break;
    case JSON_TRUE: read = word(r, "true"); break;
    case JSON_FALSE: read = word(r, "false"); break;
    case JSON_NULL: read = word(r, "null"); break;
    case JSON_NUMBER: read = number(r); break;
    }
    if (!read) return fail(r, "a value"), NULL;
    if (node->kind != JSON_STRING) node->text = start, node->size = (size_t)(r->text + r->at - start);
    return node;
}

const struct json *json_read(struct json_reader *reader)
{
    reader->at = reader->count = 0, reader->error = NULL;
    const struct json *root = value(reader, 0);
    skip(reader);
    if (root && reader->at != reader->size) return fail(reader, "the end of the text"), NULL;
    return root;
}

bool json_is_named(const struct json *node, const char *name)
{
    return node->name && node->name_size == strlen(name) && memcmp(node->name, name, node->name_size) == 0;
}

const struct json *json_member(const struct json *object, const char *name)
{
    if (!object || object->kind != JSON_OBJECT) return NULL;
    const struct json *node = object->first;
    while (node && !json_is_named(node, name)) node = node->next;
    return node;
}

bool json_is(const struct json *node, const char *text)
{
    return node && node->kind == JSON_STRING && node->size == strlen(text) && memcmp(node->text, text, node->size) == 0;
}

bool json_integer(const struct json *node, uint64_t *value)
{
    if (!node || node->kind != JSON_NUMBER || node->size == 0 || node->size > 18) return false;
    *value = 0;
    for (size_t i = 0; i < node->size; i++) {
        if (node->text[i] < '0' || node->text[i] > '9') return false;
        *value = *value * 10 + (uint64_t)(node->text[i] - '0');
    }
    return true;
}

bool json_thousandths(const struct json *node, uint64_t *value)
{
    if (!node || node->kind != JSON_NUMBER || node->size == 0 || node->size > 15) return false;
    unsigned decimals = 0;
    bool point = false;
    *value = 0;
    for (size_t i = 0; i < node->size; i++) {
        const char c = node->text[i];
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9') return false;
        if (decimals == 3) {
            if (c >= '5') ++*value;
            break;
        }
        *value = *value * 10 + (uint64_t)(c - '0');
        decimals += point;
    }
    for (; decimals < 3; decimals++) *value *= 10;
    return true;
}
