/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded taps from traces of the format emv-trace/1: plays each trace through CEMV, as Tests/Corpus does, and keeps
 * the driver's replies. Whether a trace is met is checked by Scripts/corpus, not here. */
#ifndef CEMV_RECORDED_H
#define CEMV_RECORDED_H

#include "../Corpus/corpus.h"
#include "taps.h"

/* Records the traces of these files, in order; a file whose name ends with .taps has a trace in each line. A trace with
 * several transactions gives several taps. Traces of kernels that are not built are left out. All memory is kept until
 * the process ends. False, with a line on standard error, if a file cannot be read or a trace is malformed. */
bool recorded_open(struct recorded_taps *recorded, int count, char **files);

/* The trace of a tap, as text. */
struct recorded_text {
    const char *text;
    size_t size;
};
struct recorded_text recorded_trace(size_t tap);

#endif
