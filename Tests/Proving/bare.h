/* SPDX-License-Identifier: Apache-2.0 */
/* Writes recorded taps as C, for programs on machines without files: `bare_taps` of taps.h. */
#ifndef CEMV_BARE_H
#define CEMV_BARE_H

#include <stdio.h>

#include "taps.h"

/* The configurations leave kernels and cryptography to the program. Kernel 8's cryptography is slow, so only one in
 * `step` of its taps is written; 0 writes none. */
void bare_write(FILE *out, const struct recorded_taps *recorded, size_t step);

#endif
