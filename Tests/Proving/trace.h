/* SPDX-License-Identifier: Apache-2.0 */
/* A tap under faults as a trace of format emv-trace/1, for emv-bench replay. */
#ifndef CEMV_PROVING_TRACE_H
#define CEMV_PROVING_TRACE_H

#include <stdio.h>

#include "faults.h"

/* What the last faults_run with `logs` gave. */
void trace_write(FILE *out, const struct golden_tap *tap, const struct fault_run *run);

#endif
