// SPDX-License-Identifier: Apache-2.0
/* Laws of the cryptogram room over any bytes: a fuzzer's target and what ordinary tests call with random and short
 * inputs. */
#ifndef CEMV_CRYPTOGRAM_LAWS_H
#define CEMV_CRYPTOGRAM_LAWS_H

#include "../../../Sources/CEMV/include/cemv_cryptogram.h"

/* Each answers the law that the input broke, or NULL. */
const char *fuzz_iad(cemv_bytes iad, enum cemv_scheme scheme);
const char *fuzz_tracks(cemv_bytes track);
const char *fuzz_form_factor(cemv_bytes value, enum cemv_scheme scheme);
/* A data record: index, extraction, and the data set of a kernel with a limit written and read back. */
const char *fuzz_data_set(cemv_bytes record, enum cemv_scheme scheme, uint8_t kernel, size_t limit);
/* All of these: byte 0 chooses the scheme, byte 1 the kernel, byte 2 the limit; the rest is what is read. */
const char *fuzz_cryptogram(cemv_bytes input);

#endif
