/* SPDX-License-Identifier: Apache-2.0 */
/* Terminal risk management: random selection of transactions for online (Book 3, 10.6.2). A pure function of amount,
 * thresholds and a random number; knows no store and no kernel. */
#include "rules.h"

/* Biased selection without a division: the number exceeds the target by no more than the amount's share of the way from
 * threshold to floor limit allows. */
bool cemv_rules_randomly_selected(const struct cemv_rules_selection_in *in)
{
    if (in->number <= in->target) return true;
    if (in->amount < in->threshold) return false;
    const uint64_t beyond = in->number - in->target, most = in->maximum - in->target;
    return beyond * (in->floor_limit - in->threshold) <= most * (in->amount - in->threshold);
}
