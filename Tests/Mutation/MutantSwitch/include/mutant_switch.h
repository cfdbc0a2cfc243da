// SPDX-License-Identifier: Apache-2.0
// Which mutant of EMVKit is on in this process, and which places it came by. Read from the environment before main:
//   MUTANT=n             the one that is on (none: 0)
//   MUTANT_WORK=n        ends the process with MUTANT_TOO_MUCH_WORK after so many places
//   MUTANT_REACHED=file  where the places are written at the end, a byte each, and behind them how many were passed
#ifndef MUTANT_SWITCH_H
#define MUTANT_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#define MUTANT_TOO_MUCH_WORK 97

bool mutant_is_on(int64_t number);

#endif
