/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded tap, replayed with one response damaged: every truncation of every response, and every byte through all
 * its other values. Responses are given in their order whatever is asked; the card does not sign again. */
#include "CEMVInternals.h"
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 500

struct replay {
    const struct corruption_setup *setup;
    struct corruption *result;
    uint8_t *memory;
    const uint8_t *mutated; /* replaces response `at` */
    size_t mutated_size, at;
};

/* The byte lies in what a certificate or a dynamic signature says: an offline approval cannot survive it. */
static bool is_signed(cemv_bytes response, size_t offset)
{
    static const uint32_t tags[] = { 0x8F, 0x90, 0x92, 0x9F32, 0x9F46, 0x9F47, 0x9F48, 0x9F4B, 0x9F69 };
    struct cemv_tlv_walk walk = cemv_tlv_walk_open((cemv_bytes){ response.data, response.size - 2 });
    struct cemv_tlv object;
    uint8_t depth;
    while (cemv_tlv_walk_next(&walk, &object, &depth))
        for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
            if (object.tag == tags[i] && offset >= (size_t)(object.value.data - response.data) &&
                offset < (size_t)(object.value.data - response.data) + object.value.size)
                return true;
    return false;
}

static struct cemv_reply answer(const struct replay *replay, enum cemv_step step, const struct cemv_session *session,
                                size_t *next)
{
    struct cemv_reply reply = { .kind = CEMV_REPLY_ABANDON };
    switch (step) {
    case CEMV_STEP_POLL:
        reply.kind = cemv_session_takes(session, CEMV_REPLY_CARD) ? CEMV_REPLY_CARD : CEMV_REPLY_REMOVED;
        break;
    case CEMV_STEP_WORK: reply.kind = CEMV_REPLY_CONTINUE; break;
    case CEMV_STEP_SEND:
        reply.kind = *next < replay->setup->response_count ? CEMV_REPLY_RESPONSE : CEMV_REPLY_TIMEOUT;
        if (reply.kind == CEMV_REPLY_RESPONSE) reply.bytes = replay->setup->responses[*next];
        if (*next == replay->at && replay->mutated) reply.bytes = (cemv_bytes){ replay->mutated, replay->mutated_size };
        *next += 1;
        break;
    case CEMV_STEP_NONE:
    case CEMV_STEP_ASK:
    case CEMV_STEP_PARKED:
    case CEMV_STEP_DONE: break;
    }
    return reply;
}

static bool store_is_clean(const struct cemv_session *session)
{
    const uint8_t *store = (const uint8_t *)&session->kernel.store;
    for (size_t i = 0; i < sizeof session->kernel.store; i++)
        if (store[i]) return false;
    return true;
}

static uint8_t run(struct replay *replay)
{
    struct cemv_session *session;
    struct cemv_config_error error;
    uint8_t outcomes = 0, status = CEMV_OUTCOME_NONE;
    size_t next = 0;
    unsigned steps = 0;

    replay->result->taps++;
    if (cemv_session_begin(replay->memory, CEMV_SESSION_SIZE, replay->setup->checked, &replay->setup->transaction,
                           replay->setup->random, &session, &error) != CEMV_OK)
        return replay->result->not_begun++, CEMV_OUTCOME_NONE;
    while (cemv_session_step(session) != CEMV_STEP_DONE && steps++ < MAX_STEPS) {
        struct cemv_reply reply = answer(replay, cemv_session_step(session), session, &next);
        if (cemv_session_step(session) == CEMV_STEP_PARKED) outcomes++, status = cemv_session_outcome(session).status;
        cemv_session_reply(session, &reply);
    }
    if (steps >= MAX_STEPS) replay->result->endless++;
    if (!outcomes) outcomes++, status = cemv_session_outcome(session).status;
    if (outcomes != 1 || status == CEMV_OUTCOME_NONE || status == CEMV_OUTCOME_TRY_AGAIN ||
        status == CEMV_OUTCOME_SELECT_NEXT)
        replay->result->without_outcome++;
    if (cemv_session_outcome(session).reason == CEMV_REASON_INTERNAL) replay->result->internal_errors++;
    if (!store_is_clean(session)) replay->result->not_wiped++;
    if (status == CEMV_OUTCOME_APPROVED) replay->result->approved++;
    return status;
}

void corrupt_everything(const struct corruption_setup *setup, struct corruption *result)
{
    struct replay replay = { .setup = setup, .result = result };
    replay.memory = aligned_alloc(CEMV_ALIGNMENT, CEMV_SESSION_SIZE);
    memset(replay.memory, 0, CEMV_SESSION_SIZE);
    memset(result, 0, sizeof *result);
    result->plain_outcome = run(&replay);

    for (size_t i = 0; i < setup->response_count; i++) {
        cemv_bytes response = setup->responses[i];
        replay.at = i;
        for (size_t size = 0; size < response.size; size++) {
            uint8_t *exact = malloc(size ? size : 1); /* so that a sanitizer sees a read past the end */
            memcpy(exact, response.data, size);
            replay.mutated = exact;
            replay.mutated_size = size;
            if (run(&replay) == CEMV_OUTCOME_APPROVED) result->approved_truncated++;
            free(exact);
        }
        uint8_t *exact = malloc(response.size);
        memcpy(exact, response.data, response.size);
        replay.mutated = exact;
        replay.mutated_size = response.size;
        for (size_t offset = 0; offset < response.size; offset++) {
            bool covered = is_signed(response, offset);
            for (unsigned flip = 1; flip < 256; flip += setup->stride) {
                exact[offset] = (uint8_t)(response.data[offset] ^ flip);
                if (run(&replay) != CEMV_OUTCOME_APPROVED || !covered) continue;
                result->approved_forged++;
                result->forged.response = (uint32_t)i;
                result->forged.offset = (uint32_t)offset;
                result->forged.value = exact[offset];
            }
            exact[offset] = response.data[offset];
        }
        replay.mutated = NULL;
        free(exact);
    }
    free(replay.memory);
}
