/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the cryptogram module over any bytes: a target for fuzzers; ordinary tests call it with random and
 * short inputs. */
#ifndef CEMV_CRYPTOGRAM_PROPERTIES_H
#define CEMV_CRYPTOGRAM_PROPERTIES_H

#include "../../../Sources/CEMV/include/cemv_cryptogram.h"

/* Each returns the name of the property that does not hold for the input, or NULL. */
const char *fuzz_iad(cemv_bytes iad, enum cemv_scheme scheme);
const char *fuzz_tracks(cemv_bytes track);
const char *fuzz_form_factor(cemv_bytes value, enum cemv_scheme scheme);
/* A data record: index, extraction, and the data set of a kernel with a limit written and read back. */
const char *fuzz_data_set(cemv_bytes record, enum cemv_scheme scheme, uint8_t kernel, size_t limit);
/* Checks all of these: byte 0 chooses the scheme, byte 1 the kernel, byte 2 the limit; the rest is the data. */
const char *fuzz_cryptogram(cemv_bytes input);

#endif
