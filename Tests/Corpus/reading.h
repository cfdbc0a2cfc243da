/* SPDX-License-Identifier: Apache-2.0 */
/* Typed members of JSON objects: each function notes the first unexpected value, and continues with zeros. An error
 * never contains a value: a trace may contain an account number. */
#ifndef CORPUS_READING_H
#define CORPUS_READING_H

#include "corpus.h"

struct reading {
    struct corpus_arena *arena;
    char *error; /* 200 bytes */
    bool bad;
};

void *read_room(struct reading *r, size_t size);
/* Notes `place: expected what`; always false. */
bool read_expected(struct reading *r, const char *place, const char *what);
/* Accepts an object with only these members. */
bool read_only(struct reading *r, const struct json *object, const char *place, const char *const *names);
size_t read_length(const struct json *list);

cemv_bytes read_hex(struct reading *r, const struct json *node, const char *place, size_t least, size_t most);
/* An optional member: returns the default if it is absent. */
uint64_t read_integer(struct reading *r, const struct json *object, const char *name, uint64_t most,
                      uint64_t otherwise);
bool read_truth(struct reading *r, const struct json *object, const char *name, bool otherwise);
struct choice {
    const char *name;
    uint8_t value;
};
/* One of the words; the first row is the meaning of an absent member, a row without a name ends the table. */
uint8_t read_choice(struct reading *r, const struct json *object, const char *name, const struct choice *choices);
/* Data objects by tag, as a list of TLV; for an object that may repeat, an array of values writes it several times. */
cemv_bytes read_objects(struct reading *r, const struct json *object, const char *place, bool repeats);
/* Leaves out the members that `left_out` names, up to NULL. */
cemv_bytes read_objects_but(struct reading *r, const struct json *object, const char *place, bool repeats,
                            const char *const *left_out);
/* The options of a combination for its kernel alone (options.c), as that kernel accepts them; NULL without any. A
 * key for another kernel than this identifier's is an error. */
const void *read_options(struct reading *r, const struct json *combination, const uint8_t *id, size_t id_size);
/* As three bytes BCD, the century left out. */
void read_date(struct reading *r, const struct json *node, const char *place, uint8_t out[3]);
void read_time(struct reading *r, const struct json *node, const char *place, uint8_t out[3]);

#endif
