/* Chance from a seed, and what is noted of what came of it. Each file that includes this has its own of both. */
#ifndef CEMV_DRAWING_H
#define CEMV_DRAWING_H

#include <stdbool.h>

#include "storm.h"
#include "sum.h"

#define drawing_unused __attribute__((unused)) static

static uint64_t state;                          /* of chance */
drawing_unused uint64_t sum;
drawing_unused const char *broken;              /* the last law that did not hold */

drawing_unused uint32_t below(uint32_t limit) { return limit ? (uint32_t)(storm_random(&state) >> 32) % limit : 0; }
drawing_unused bool flag(void) { return below(2); }
drawing_unused bool once_in(uint32_t times) { return below(times) == 0; }
drawing_unused void note(uint64_t value) { sum = sum_number(sum, value); }
drawing_unused void note_raw(const void *data, size_t size) { sum = sum_bytes(sum, data, size); }
drawing_unused void note_bytes(cemv_bytes bytes) { note(bytes.size), note_raw(bytes.data, bytes.size); }
drawing_unused void holds(bool condition, const char *name) { if (!condition) broken = name; }

#endif
