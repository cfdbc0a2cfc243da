/* SPDX-License-Identifier: Apache-2.0 */
/* What every target shares: a property that does not hold is a crash that prints its name. */
#ifndef CEMV_FUZZ_TARGET_H
#define CEMV_FUZZ_TARGET_H
#include <stdio.h>
#include <stdlib.h>
#include "fuzz.h"
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
static inline void must_hold(const char *violated)
{
    if (!violated) return;
    fprintf(stderr, "violated property: %s\n", violated);
    abort();
}
#endif
