/* SPDX-License-Identifier: Apache-2.0 */
/* One case of a file of answers (Scripts/independent): the content of its line and the function's results. Included by
 * the files that run the functions of a module. */
#ifndef CEMV_INDEPENDENT_CASE_H
#define CEMV_INDEPENDENT_CASE_H

#include <string.h>

#include "../../Sources/CEMV/include/cemv.h"

enum { INPUTS_MAX = 64, OUTPUTS_MAX = 16, BYTES_MAX = 4096 };

/* A number, bytes, or an output that is not compared. */
enum field_kind { FIELD_NUMBER = 0, FIELD_BYTES = 1, FIELD_OPEN = 2 };
struct field {
    enum field_kind kind;
    uint64_t number;
    cemv_bytes bytes;
};

/* One case: the content of its line, and the function's results. */
struct rules_case {
    size_t input_count, expected_count, actual_count;
    struct field input[INPUTS_MAX], expected[OUTPUTS_MAX], actual[OUTPUTS_MAX];
    size_t used;
    uint8_t memory[BYTES_MAX]; /* of all byte fields */
};

static inline uint64_t in(const struct rules_case *test, size_t index) { return test->input[index].number; }
static inline bool flag(const struct rules_case *test, size_t index) { return test->input[index].number != 0; }
static inline uint8_t byte(const struct rules_case *test, size_t index) { return (uint8_t)test->input[index].number; }
static inline uint16_t word(const struct rules_case *test, size_t index) { return (uint16_t)test->input[index].number; }
static inline cemv_bytes bytes(const struct rules_case *test, size_t index) { return test->input[index].bytes; }

static inline void gives(struct rules_case *test, uint64_t number)
{
    test->actual[test->actual_count++] = (struct field){ .kind = FIELD_NUMBER, .number = number };
}

static inline void gives_bytes(struct rules_case *test, const void *data, size_t size)
{
    struct field *const field = &test->actual[test->actual_count++];
    field->kind = FIELD_BYTES;
    field->bytes = (cemv_bytes){ test->memory + test->used, size };
    if (size) memcpy(test->memory + test->used, data, size);
    test->used += size;
}

/* The functions that a file may name; a row without a name ends a table. */
struct rules_function {
    const char *name;
    void (*run)(struct rules_case *test);
};
extern const struct rules_function independent_kernel_4[];
extern const struct rules_function independent_kernel_5[];
extern const struct rules_function independent_kernel_6[];
extern const struct rules_function independent_kernel_7[];
extern const struct rules_function independent_kernel_8[];

#endif
