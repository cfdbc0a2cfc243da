/* SPDX-License-Identifier: Apache-2.0 */
/* Reads JSON (RFC 8259) into nodes of the caller's array: strict, bounded in depth, without allocation. Strings keep
 * their escapes, which traces do not need. Knows nothing of any format. */
#ifndef CORPUS_JSON_H
#define CORPUS_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
    enum json_kind kind;
    const char *name; /* the member's name in an object, else NULL */
    size_t name_size;
    const char *text; /* as written; for a string, the text between its quotes */
    size_t size;
    const struct json *first, *next; /* `first`: the first member of an array or object; `next`: the following member */
};

struct json_reader {
    const char *text;
    size_t size, at; /* `at`: where reading stopped */
    struct json *nodes;
    size_t capacity, count;
    const char *error; /* the expected text, or NULL */
};

/* Reads the whole text as one value, or returns NULL with `error`. */
const struct json *json_read(struct json_reader *reader);

/* Returns a member by name, or NULL. */
const struct json *json_member(const struct json *object, const char *name);
bool json_is_named(const struct json *node, const char *name);
/* True for a string of exactly this text. */
bool json_is(const struct json *node, const char *text);
/* A whole number of at most 18 digits; false if the node is anything else. */
bool json_integer(const struct json *node, uint64_t *value);
/* A decimal number of thousandths, rounded; no exponent. */
bool json_thousandths(const struct json *node, uint64_t *value);

#endif
