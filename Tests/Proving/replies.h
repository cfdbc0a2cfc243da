/* SPDX-License-Identifier: Apache-2.0 */
/* Records of replies over the recorded taps: append, replay and the digest of commands, and the number of the core's
 * behaviour. */
#ifndef CEMV_PROVING_REPLIES_H
#define CEMV_PROVING_REPLIES_H

#include "recorded.h"

/* For each tap: at every wait a replay in other memory ends with an equal command, messages, outcome and records; each
 * truncated record is refused or shorter by whole replies; of `flips` records with one bit changed, the digest of
 * commands notices each one that changes a command. A tap that exceeds CEMV_REPLIES_CAPACITY counts as far as it fits.
 * Compares the digest over the commands and ends of all taps with the
 * line in `file`. Returns the exit status. */
int replies_run(const struct recorded_taps *recorded, const char *file, uint64_t flips);

#endif
