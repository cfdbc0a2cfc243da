/* SPDX-License-Identifier: Apache-2.0 */
/* Relay resistance: what the measured time of one exchange means (Book C-2, SR1.18-32; Book C-8, state 21). A pure
 * function of times; knows no command and no clock. */
#include "exchange.h"

#include "../rules/rules.h"

static uint32_t above(uint32_t a, uint32_t b) { return a > b ? a - b : 0; }

/* A zero in either time says nothing about the other. */
static bool transmission_differs(const struct cemv_relay_in *in)
{
    const uint32_t card = in->card_transmission, ours = in->response_transmission;
    if (card == 0 || ours == 0) return false;
    return card * 100 / ours < in->mismatch || ours * 100 / card < in->mismatch;
}

/* The time on the air is known from the number of bytes, so what is measured is what the card needed to answer. Of the
 * card's own and our idea of how long its response was on the air the shorter one is taken away: the longer would make
 * a gift of the difference. Too fast is no better than too slow, for the card has said what it needs at least; late
 * alone is tried again, since a busy reader may itself have been late. */
struct cemv_relay_times cemv_relay_evaluate(const struct cemv_relay_in *in)
{
    const uint32_t response = in->card_transmission < in->response_transmission ? in->card_transmission
                                                                                : in->response_transmission;
    const uint32_t time = above(above(in->elapsed_us / 100, in->command_transmission), response);
    const uint32_t measured = time < UINT16_MAX ? time : UINT16_MAX;
    const bool late = measured > (uint32_t)in->card_max + in->max_grace;
    struct cemv_relay_times relay = { .verdict = CEMV_RELAY_PASSED, .measured = (uint16_t)measured };

    if (measured < above(in->card_min, in->min_grace)) {
        relay.verdict = CEMV_RELAY_TOO_FAST;
        return relay;
    }
    if (late && in->retries < 2) {
        relay.verdict = CEMV_RELAY_AGAIN;
        return relay;
    }
    relay.tvr = CEMV_TVR(5, CEMV_TVR_5_RELAY_PERFORMED);
    if (late) relay.tvr |= CEMV_TVR(5, CEMV_TVR_5_RELAY_TIME_LIMITS_EXCEEDED);
    if (transmission_differs(in) || above(measured, in->card_min) > in->accuracy)
        relay.tvr |= CEMV_TVR(5, CEMV_TVR_5_RELAY_THRESHOLD_EXCEEDED);
    return relay;
}
