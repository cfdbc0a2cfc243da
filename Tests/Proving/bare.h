/* SPDX-License-Identifier: Apache-2.0 */
/* Writes recorded taps as C, for programs on machines without files: `bare_taps` of taps.h. */
#ifndef CEMV_BARE_H
#define CEMV_BARE_H

#include <stdio.h>

#include "taps.h"

/* The configurations leave kernels and cryptography to the program. Of the taps with Kernel 8, whose cryptography takes
 * long, one in `step`; 0: none. */
void bare_write(FILE *out, const struct recorded_taps *recorded, size_t step);

#endif
