/* SPDX-License-Identifier: Apache-2.0 */
/* Whole sessions whose terminal data vary: the objects that the terminal requests, announces, supplies and has written
 * (data exchange of Kernel 2). */
#include "fuzz.h"

#define FUZZ_PLAY fuzz_terminal
enum { PREFIX = FUZZ_TERMINAL_PREFIX };
#include "session.c"
