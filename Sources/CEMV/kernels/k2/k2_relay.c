/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2, relay resistance: collects the parameters of the evaluation in exchange/relay.c [SR1.18-32], and passes the
 * result to the issuer [S910.38-39]. Sends nothing. */
#include "k2.h"

/* `memory->relay` has the exchanged values in the order of DF8301 to DF8305; the configured values have the defaults of
 * the charts. The protection limits the maximum time that the card may claim, because a relay could claim any
 * (attacks.md, A25). */
struct cemv_relay_times k2_evaluate_time(const struct cemv_kernel *kernel, uint32_t elapsed_us)
{
    const struct k2_memory *memory = k2_memory_of_const(kernel);
    const struct cemv_relay_in in = {
        .elapsed_us = cemv_relay_elapsed_us(kernel, elapsed_us),
        .retries = memory->retries,
        .card_min = cemv_be16(memory->relay + 8),
        .card_max = cemv_relay_card_max(kernel, cemv_be16(memory->relay + 10)),
        .card_transmission = cemv_be16(memory->relay + 12),
        .min_grace = k2_word(kernel, K2_SLOT_DF8132, 0x0014),
        .max_grace = k2_word(kernel, K2_SLOT_DF8133, 0x0032),
        .command_transmission = k2_word(kernel, K2_SLOT_DF8134, 0x0012),
        .response_transmission = k2_word(kernel, K2_SLOT_DF8135, 0x0018),
        .accuracy = k2_word(kernel, K2_SLOT_DF8136, 0x012C),
        .mismatch = k2_byte(kernel, K2_SLOT_DF8137, 0x32),
    };
    return cemv_relay_evaluate(&in);
}

/* Writes `count` decimal digits of `number` from digit `at` on, and returns the position after them. */
static size_t set_number(uint8_t *out, size_t at, size_t count, uint32_t number)
{
    for (size_t i = count; i > 0; i--) {
        cemv_nibble_put(out, at + i - 1, (uint8_t)(number % 10));
        number /= 10;
    }
    return at + count;
}

/* Without CDA no signature covers the exchange, so the issuer must judge it. Track 2 is the field that every network
 * forwards: its discretionary digits are replaced by key index, retries, the card's random bytes and the measured time
 * in milliseconds. A long account number leaves less room, so one random byte is omitted then (4.10). */
bool k2_relay_track(cemv_bytes track, const struct k2_relay_track_in *in, uint8_t out[19], size_t *size)
{
    enum { DATE_AND_CODE = 7, SHORT_PAN = 16 };
    struct cemv_track_layout from;
    if (!cemv_track2_lay_out(track.data, 2 * track.size, &from) || from.pan_end > CEMV_PAN_DIGITS_MAX) return false;
    const bool roomy = from.pan_end <= SHORT_PAN;
    size_t at = from.date + DATE_AND_CODE;
    const size_t digits = at + (roomy ? 13u : 10u);
    if (at > 2 * track.size || cemv_digits_end(track.data, from.date, at) != at) return false;

    cemv_memset(out, 0xFF, 19);
    cemv_digits_copy(out, track.data, 0, at);
    at = set_number(out, at, 1, in->ca_index < 10 ? in->ca_index : 0);
    at = set_number(out, at, 1, in->retries);
    at = set_number(out, at, 5, (uint32_t)in->entropy[2] << 8 | in->entropy[3]);
    if (roomy) at = set_number(out, at, 3, in->entropy[1]);
    (void)set_number(out, at, 3, in->measured / 10 < 999 ? in->measured / 10u : 999u);
    *size = (digits + 1) / 2;
    return true;
}

/* Only after an exchange that was performed, and only if the card sent a track 2 [S910.38-39]. */
void k2_tell_relay_data(struct cemv_kernel *kernel)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    struct k2_relay_track_in in = { .ca_index = cemv_value_byte(kernel, CEMV_SLOT_8F, 0),
                                    .retries = memory->retries,
                                    .measured = memory->measured };
    uint8_t track[19];
    size_t size;
    if ((memory->tvr & K2_TVR_RELAY_MASK) != CEMV_TVR(5, CEMV_TVR_5_RELAY_PERFORMED)) return;
    cemv_copy(in.entropy, memory->relay + 4, 4);
    if (!k2_relay_track(cemv_value(kernel, CEMV_SLOT_57), &in, track, &size)) return;
    (void)cemv_store_put(&kernel->store, CEMV_SLOT_57, (cemv_bytes){ track, size }, CEMV_FROM_CARD);
}
