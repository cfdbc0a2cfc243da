// SPDX-License-Identifier: Apache-2.0
/* What every target shares: a broken law is a crash that names itself. */
#ifndef CEMV_FUZZ_TARGET_H
#define CEMV_FUZZ_TARGET_H
#include <stdio.h>
#include <stdlib.h>
#include "fuzz.h"
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
static inline void must_hold(const char *law)
{
    if (!law) return;
    fprintf(stderr, "broken law: %s\n", law);
    abort();
}
#endif
