/* SPDX-License-Identifier: Apache-2.0 */
/* The decision of Kernel 9. Knows neither store nor card. A kernel for a test; no book. */
#include "k9.h"

uint8_t k9_decide(uint8_t verdict, uint64_t amount, uint32_t offline_limit)
{
    enum { YES = 1 };
    if (verdict != YES) return CEMV_OUTCOME_DECLINED;
    return amount < offline_limit ? CEMV_OUTCOME_APPROVED : CEMV_OUTCOME_ONLINE_REQUEST;
}
