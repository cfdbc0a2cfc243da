/* SPDX-License-Identifier: Apache-2.0 */
/* Whole sessions of Kernel 8 whose reader varies too, behind a port that lets every MAC, signature and cipher through.
 */
#include "fuzz.h"

#define FUZZ_PLAY fuzz_kernel_8
enum { PREFIX = FUZZ_KERNEL_8_PREFIX };
#include "session.c"
