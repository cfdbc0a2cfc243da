/* SPDX-License-Identifier: Apache-2.0 */
/* Whole sessions of Kernels 2 to 7 whose reader varies too: configuration rows, options, protection, the transaction
 * and the data that its terminal announces. Seeds come from Fuzz/seeds.py. */
#include "fuzz.h"

#define FUZZ_PLAY fuzz_reader
enum { PREFIX = FUZZ_READER_PREFIX };
#include "session.c"
