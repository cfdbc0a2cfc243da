/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the programs that run through all possible cases, under the sanitizers for undefined behaviour and
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
