/* SPDX-License-Identifier: Apache-2.0 */
/* Taps a scripted Visa card with CEMV only: the session asks, this loop answers.
 * Build: cc -std=c11 -I Sources/CEMV/include Examples/TapScripted/tap.c $(find Sources/CEMV -name '*.c') -o tap */
#include <stdio.h>
#include "cemv.h"

#define BYTES(array)                                                                                                   \
    (cemv_bytes) { (array), sizeof(array) }

static const uint8_t aid[] = { 0xA0, 0, 0, 0, 3, 0x10, 0x10 }, ttq[] = { 0x36, 0x00, 0x40, 0x00 };
static const uint8_t terminal[] = { 0x9F, 0x1A, 2, 0x02, 0x76, 0x9F, 0x35, 1, 0x22 };
static const uint8_t random_bytes[] = { 0x12, 0x34, 0x56, 0x78 }; /* a POS gets these from its random source */

static const uint8_t ppse[] = { 0x6F, 0x20, 0x84, 0x0E, '2', 'P', 'A',  'Y',  '.',  'S',  'Y',  'S',
                                '.',  'D',  'D',  'F',  '0', '1', 0xA5, 0x0E, 0xBF, 0x0C, 0x0B, 0x61,
                                0x09, 0x4F, 0x07, 0xA0, 0,   0,   0,    3,    0x10, 0x10, 0x90, 0x00 };
static const uint8_t fci[] = { 0x6F, 0x1A, 0x84, 0x07, 0xA0, 0,    0, 0,    3,    0x10, 0x10, 0xA5, 0x0F, 0x9F, 0x38,
                               0x0C, 0x9F, 0x66, 4,    0x9F, 0x02, 6, 0x5F, 0x2A, 2,    0x9F, 0x37, 4,    0x90, 0x00 };
static const uint8_t options[] = { 0x77, 0x3A, 0x82, 2,    0x20, 0x00, 0x9F, 0x27, 1,    0x80, 0x9F, 0x10, 7,
                                   6,    1,    0x0A, 3,    0xA0, 0,    0,    0x57, 0x11, 0x47, 0x61, 0x73, 0x90,
                                   0x01, 0x01, 0x01, 0x19, 0xD3, 0x01, 0x22, 0x01, 0,    0,    1,    0x23, 0x45,
                                   0x9F, 0x36, 2,    0,    0x15, 0x9F, 0x26, 8,    1,    2,    3,    4,    5,
                                   6,    7,    8,    0x9F, 0x6C, 2,    0,    0,    0x90, 0x00 };

/* Every step may have messages, including the last one. */
static void show(const struct cemv_session *session)
{
    for (size_t i = 0; i < cemv_session_ui_count(session); i++)
        printf("message %02X\n", cemv_session_ui(session, i).message);
}

int main(void)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t checked_memory[4096], session_memory[CEMV_SESSION_SIZE];
    const struct cemv_kernel_row kernels[] = { { { 3 }, 1, &cemv_kernel_3, NULL } };
    const struct cemv_combination visa = {
        .aid = BYTES(aid), .kernel_id = { 3 }, .kernel_id_size = 1, .ttq = BYTES(ttq)
    };
    const struct cemv_configuration configuration = { .terminal_data = BYTES(terminal),
                                                      .combinations = &visa,
                                                      .combination_count = 1,
                                                      .kernels = kernels,
                                                      .kernel_count = 1 };
    const struct cemv_transaction sale = {
        .amount = 1250, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 }
    };
    const cemv_bytes script[] = { BYTES(ppse), BYTES(fci), BYTES(options) };
    const struct cemv_checked *checked;
    struct cemv_session *session;
    struct cemv_config_error error;
    size_t next = 0;

    if (cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error)) return 1;
    if (cemv_session_begin(session_memory, sizeof session_memory, checked, &sale, BYTES(random_bytes), &session,
                           &error))
        return 1;
    show(session);
    while (cemv_session_step(session) != CEMV_STEP_DONE) {
        struct cemv_reply reply = { .kind = CEMV_REPLY_ABANDON };
        switch (cemv_session_step(session)) {
        case CEMV_STEP_POLL: reply.kind = CEMV_REPLY_CARD; break;
        case CEMV_STEP_WORK: reply.kind = CEMV_REPLY_CONTINUE; break;
        case CEMV_STEP_SEND:
            reply.kind = next < 3 ? CEMV_REPLY_RESPONSE : CEMV_REPLY_TIMEOUT;
            if (next < 3) reply.bytes = script[next++];
            break;
        case CEMV_STEP_NONE:
        case CEMV_STEP_ASK:
        case CEMV_STEP_PARKED:
        case CEMV_STEP_DONE: break;
        }
        cemv_session_reply(session, &reply);
        show(session);
    }
    printf("outcome %02X, %u commands\n", cemv_session_outcome(session).status,
           (unsigned)cemv_session_commands(session));
    return cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST ? 0 : 1;
}
