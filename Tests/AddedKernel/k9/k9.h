/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 9: its state and its one decision, a pure function, apart from the dialogue with the card. Reads no store and
 * knows no command. A kernel for a test; no book. */
#ifndef CEMV_K9_H
#define CEMV_K9_H

#include <stdint.h>

#include "../../outcome/outcome.h"

enum k9_state {
    /* Awaits the answer to ASK VERDICT; may go to the end. */
    K9_WAIT_VERDICT = 1,
};

/* The outcome for the card's verdict, enum cemv_outcome_status. Amounts in minor units. */
uint8_t k9_decide(uint8_t verdict, uint64_t amount, uint32_t offline_limit);

#endif
