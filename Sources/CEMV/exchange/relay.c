/* SPDX-License-Identifier: Apache-2.0 */
/* Relay resistance: the evaluation of one timed exchange (Book C-2, SR1.18-32; Book C-8, state 21). A relay needs time
 * to carry command and response, so a card that answers late may be far away. A pure function of times; it knows no
 * command and no clock. */
#include "exchange.h"

#include "../rules/rules.h"

static uint32_t above(uint32_t a, uint32_t b) { return a > b ? a - b : 0; }

/* Card and reader both estimate the time of the response on the air. If the estimates differ too much, one of them is
 * wrong or forged. An estimate of zero means "unknown" and is not compared. */
static bool transmission_differs(const struct cemv_relay_in *in)
{
    const uint32_t card = in->card_transmission, ours = in->response_transmission;
    if (card == 0 || ours == 0) return false;
    return card * 100 / ours < in->mismatch || ours * 100 / card < in->mismatch;
}

/* The elapsed time includes both transmissions, whose duration follows from the number of bytes. Subtracting them
 * leaves the processing time of the card. Of the two estimates for the response the shorter one is subtracted, because
 * a relay could hide its delay behind a long one.
 *
 * An answer faster than the card's own minimum did not come from this card, which ends the tap. A late answer may have
 * a harmless cause, such as a busy reader, so two further attempts are allowed before it becomes a TVR bit. */
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
