/* SPDX-License-Identifier: Apache-2.0 */
/* Perturbed recorded taps: another configuration, another transaction, other answers of the card. The crypto port's
 * hashes are all zeros, so that changed card data passes its signatures and the code behind them is reached. */
#ifndef CEMV_PERTURBATIONS_H
#define CEMV_PERTURBATIONS_H

#include "taps.h"

/* Plays perturbation `number`. Returns a digest of everything that the driver sees and the reader remembers, identical
 * for every run of this number; 0 if an invariant is violated, whose name is stored in `*violated`. */
uint64_t perturbation_play(const struct recorded_taps *recorded, struct tap_bench *bench, uint64_t number,
                           const char **violated);

#endif
