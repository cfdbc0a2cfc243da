/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs share that run through every case there is, under the sanitizers for undefined behaviour and
 * addresses. */
#ifndef CEMV_EXHAUSTIVE_H
#define CEMV_EXHAUSTIVE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long long cases;

#define HOLDS(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: does not hold: %s (case %llu)\n", __FILE__, __LINE__, #condition, cases);          \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#endif
