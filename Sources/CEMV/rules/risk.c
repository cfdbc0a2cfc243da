/* SPDX-License-Identifier: Apache-2.0 */
/* Terminal risk management: random selection of transactions for online authorisation (Book 3, 10.6.2). With a fixed
 * floor limit alone, amounts just below it would never be checked; therefore a random share of these transactions goes
 * online. A pure function of amount, thresholds and a random number. */
#include "rules.h"

/* Below the threshold every transaction has the target probability. Above it the probability rises linearly and reaches
 * the maximum at the floor limit (biased selection). Both sides of the comparison are multiplied by the length of that
 * interval, so no division is needed. */
bool cemv_rules_randomly_selected(const struct cemv_rules_selection_in *in)
{
    if (in->number <= in->target) return true;
    if (in->amount < in->threshold) return false;
    const uint64_t beyond = in->number - in->target, most = in->maximum - in->target;
    return beyond * (in->floor_limit - in->threshold) <= most * (in->amount - in->threshold);
}
