// SPDX-License-Identifier: Apache-2.0
/* Golden taps told otherwise: another configuration, another sale, a card that says something else. A port whose hashes
 * are all zeros lets changed card data through their signatures, so that what comes behind them is reached. */
#ifndef CEMV_VARIANTS_H
#define CEMV_VARIANTS_H

#include "golden.h"

/* Plays one variant. Returns a sum over everything that a driver was shown and that the reader remembers; 0 if a law
 * was broken, whose name goes to `*law`. The same for the same number. */
uint64_t variant_play(const struct golden_file *file, struct golden_bench *bench, uint64_t number, const char **law);

#endif
