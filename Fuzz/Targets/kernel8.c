/* SPDX-License-Identifier: Apache-2.0 */
/* Whole sessions of Kernel 8 whose reader varies too, with a port that accepts every MAC, signature and cipher. */
#include "fuzz.h"

#define FUZZ_PLAY fuzz_kernel_8
enum { PREFIX = FUZZ_KERNEL_8_PREFIX };
#include "session.c"
