/* SPDX-License-Identifier: Apache-2.0 */
/* Typed members of JSON objects: each function notes the first thing that was not as expected, and goes on with zeros.
 * Never a value in an error: what a trace holds may be an account number. */
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
/* An object with no other members than these. */
bool read_only(struct reading *r, const struct json *object, const char *place, const char *const *names);
size_t read_length(const struct json *list);

cemv_bytes read_hex(struct reading *r, const struct json *node, const char *place, size_t least, size_t most);
/* A member that need not be there: the default. */
uint64_t read_integer(struct reading *r, const struct json *object, const char *name, uint64_t most,
                      uint64_t otherwise);
bool read_truth(struct reading *r, const struct json *object, const char *name, bool otherwise);
struct choice {
    const char *name;
    uint8_t value;
};
/* One of the words; the first row is what an absent member means, a row without a name ends the table. */
uint8_t read_choice(struct reading *r, const struct json *object, const char *name, const struct choice *choices);
/* Data objects by tag, as a list of TLV; where an object may repeat, an array of values writes it several times. */
cemv_bytes read_objects(struct reading *r, const struct json *object, const char *place, bool repeats);
/* Without the members that `left_out` names, to NULL. */
cemv_bytes read_objects_but(struct reading *r, const struct json *object, const char *place, bool repeats,
                            const char *const *left_out);
/* What a combination sets for its kernel alone (options.c): `options` as that kernel takes them; NULL: none. A key of
 * another kernel than that of this identifier is an error. */
const void *read_options(struct reading *r, const struct json *combination, const uint8_t *id, size_t id_size);
/* As three bytes BCD, the century left out. */
void read_date(struct reading *r, const struct json *node, const char *place, uint8_t out[3]);
void read_time(struct reading *r, const struct json *node, const char *place, uint8_t out[3]);

#endif
