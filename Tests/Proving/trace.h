/* SPDX-License-Identifier: Apache-2.0 */
/* A tap under faults as a trace of format emv-trace/1, for emv-bench replay. */
#ifndef CEMV_PROVING_TRACE_H
#define CEMV_PROVING_TRACE_H

#include <stdio.h>

#include "faults.h"

/* Writes the recorded trace of tap `number`, with the replies of the last faults_run() with `logs` instead of the
 * recorded ones. */
void trace_write(FILE *out, const struct recorded_taps *recorded, size_t number, const struct fault_run *run);

#endif
