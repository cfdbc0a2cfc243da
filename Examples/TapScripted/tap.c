/* SPDX-License-Identifier: Apache-2.0 */
/* Taps a scripted Visa card with CEMV only: the session asks, the loop of pay() answers. README shows that loop, and
 * Scripts/check compares the two and runs each of these:
 *
 *   tap once      one tap
 *   tap twice     the card is taken away too early, so that the second tap asks for more random bytes
 *   tap without   as twice, but the random source has no more bytes
 *   tap undated   after a good transaction one with an invalid date, which does not begin
 *
 * Build: cc -std=c11 -I Sources/CEMV/include Examples/TapScripted/tap.c $(find Sources/CEMV -name '*.c') -o tap */
#include <stdio.h>
#include <string.h>
#include "cemv.h"

#define BYTES(array)                                                                                                   \
    (cemv_bytes) { (array), sizeof(array) }

static const uint8_t aid[] = { 0xA0, 0, 0, 0, 3, 0x10, 0x10 }, ttq[] = { 0x36, 0x00, 0x40, 0x00 };
static const uint8_t terminal[] = { 0x9F, 0x1A, 2, 0x02, 0x76, 0x9F, 0x35, 1, 0x22 };

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

/* The reader: a script instead of a card, and messages on standard output. */

static cemv_bytes script[8]; /* responses in their order; an empty one is a card that was taken away */
static size_t next, script_size;
static unsigned random_left; /* numbers that the random source can still supply */

static void show_messages(const struct cemv_session *session)
{
    for (size_t i = 0; i < cemv_session_ui_count(session); i++)
        printf("message %02X\n", cemv_session_ui(session, i).message);
}

static void wait_for_card(struct cemv_poll poll, struct cemv_reply *reply)
{
    reply->kind = poll.removal_first ? CEMV_REPLY_REMOVED : CEMV_REPLY_CARD;
}

static void exchange(cemv_bytes command, struct cemv_reply *reply)
{
    (void)command;
    reply->bytes = next < script_size ? script[next++] : (cemv_bytes){ NULL, 0 };
    reply->kind = reply->bytes.size != 0 ? CEMV_REPLY_RESPONSE : CEMV_REPLY_TIMEOUT;
}

/* A POS gets these bytes from its random source. If the source fails, reply DEADLINE, and never invent bytes. */
static cemv_bytes random_bytes(void)
{
    static uint8_t number[] = { 0x12, 0x34, 0x56, 0x78 };
    number[3]++;
    return random_left != 0 ? (random_left--, BYTES(number)) : (cemv_bytes){ NULL, 0 };
}

static void answer(struct cemv_question question, struct cemv_reply *reply)
{
    if (question.kind == CEMV_ASK_RANDOM) reply->bytes = random_bytes();
    reply->kind = reply->bytes.size != 0 ? CEMV_REPLY_DATA : CEMV_REPLY_DEADLINE;
    printf("asked for random bytes: %s\n", reply->bytes.size != 0 ? "here they are" : "no more");
}

static void ask_the_issuer(const struct cemv_session *session, struct cemv_reply *reply)
{
    (void)session;
    reply->kind = CEMV_REPLY_ABANDON; /* Kernel 3 parks for scripts only, and this card wants none */
}

static bool report(const struct cemv_config_error *error)
{
    printf("not begun: field %u of section %u\n", error->field, error->section);
    return false;
}

/* The transaction. */

static _Alignas(CEMV_ALIGNMENT) uint8_t checked_memory[4096], session_memory[CEMV_SESSION_SIZE];
static const struct cemv_kernel_row kernels[] = { { { 3 }, 1, &cemv_kernel_3, NULL } };
static const struct cemv_combination visa = {
    .aid = { aid, sizeof aid }, .kernel_id = { 3 }, .kernel_id_size = 1, .ttq = { ttq, sizeof ttq }
};
static const struct cemv_configuration configuration = { .terminal_data = { terminal, sizeof terminal },
                                                         .combinations = &visa,
                                                         .combination_count = 1,
                                                         .kernels = kernels,
                                                         .kernel_count = 1 };

static bool pay(struct cemv_transaction sale, struct cemv_outcome *outcome)
{
    const struct cemv_checked *checked;
    struct cemv_session *session;
    struct cemv_config_error error;

    /* README.md begins */
    if (cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) != CEMV_OK)
        return report(&error);
    if (cemv_session_begin(session_memory, sizeof session_memory, checked, &sale, random_bytes(), &session, &error) !=
        CEMV_OK)
        return report(&error); /* nothing has begun: session is NULL, and there is no outcome */
    show_messages(session);    /* each step may have some, the last one too */
    while (cemv_session_step(session) != CEMV_STEP_DONE) {
        struct cemv_reply reply = { .kind = CEMV_REPLY_CONTINUE };
        if (cemv_session_step(session) == CEMV_STEP_POLL) wait_for_card(cemv_session_poll(session), &reply);
        if (cemv_session_step(session) == CEMV_STEP_SEND) exchange(cemv_session_command(session), &reply);
        if (cemv_session_step(session) == CEMV_STEP_ASK) answer(cemv_session_question(session), &reply);
        if (cemv_session_step(session) == CEMV_STEP_PARKED) ask_the_issuer(session, &reply);
        if (!cemv_session_takes(session, reply.kind)) reply.kind = CEMV_REPLY_ABANDON; /* never loop in vain */
        cemv_session_reply(session, &reply);
        show_messages(session);
    }
    *outcome = cemv_session_outcome(session);
    /* README.md ends */
    printf("outcome %02X, reason %u, %u commands\n", outcome->status, outcome->reason,
           (unsigned)cemv_session_commands(session));
    return true;
}

static void set_script(bool leaves, unsigned numbers)
{
    const cemv_bytes once[] = { BYTES(ppse), BYTES(fci), BYTES(options) };
    const cemv_bytes twice[] = { BYTES(ppse), BYTES(fci), { NULL, 0 }, BYTES(ppse), BYTES(fci), BYTES(options) };
    script_size = leaves ? 6 : 3;
    memcpy(script, leaves ? twice : once, script_size * sizeof script[0]);
    next = 0;
    random_left = numbers;
}

int main(int count, char **arguments)
{
    const char *const which = count > 1 ? arguments[1] : "";
    const bool is_undated = strcmp(which, "undated") == 0, lacks = strcmp(which, "without") == 0;
    struct cemv_transaction sale = { .amount = 1250, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 } };
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);

    set_script(strcmp(which, "twice") == 0 || lacks, lacks ? 1 : 2);
    if (!pay(sale, &outcome)) return 1;
    if (lacks) return outcome.status == CEMV_OUTCOME_END_APPLICATION && outcome.reason == CEMV_REASON_RANDOM ? 0 : 1;
    if (outcome.status != CEMV_OUTCOME_ONLINE_REQUEST) return 1;
    if (!is_undated) return 0;
    set_script(false, 1);
    sale.date[1] = 0x13;
    return pay(sale, &outcome) ? 1 : 0;
}
