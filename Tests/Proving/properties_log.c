/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the log (cemv_session.h, struct cemv_log): every wait and every end is logged, in order and with its
 * state; kernels log their decisions; a log changes nothing. Recorded taps are played again. */
#include <stdio.h>
#include <string.h>

#include "CEMVInternals.h"
#include "properties.h"
#include "../../Sources/CEMV/include/cemv_kernel_4.h"
#include "../../Sources/CEMV/include/cemv_kernel_5.h"
#include "../../Sources/CEMV/include/cemv_kernel_6.h"
#include "../../Sources/CEMV/include/cemv_kernel_7.h"

enum { NOTES = 64 };
static struct note {
    struct cemv_state state;
    uint32_t clause;
    uint64_t value;
} notes[NOTES];
static unsigned count;

static void note(void *context, struct cemv_state state, uint32_t clause, uint64_t value)
{
    unsigned *const counted = context;
    if (*counted < NOTES) notes[(*counted)++] = (struct note){ state, clause, value };
}
static const struct cemv_log log_ = { .note = note, .context = &count };

static const struct note *noted(uint32_t clause)
{
    for (unsigned i = 0; i < count; i++)
        if (notes[i].clause == clause) return &notes[i];
    return NULL;
}

static size_t parse(const char *text, uint8_t *out)
{
    size_t size = 0;
    for (; text[0] && text[1]; text += 2) {
        unsigned byte;
        if (sscanf(text, "%2x", &byte) == 1) out[size++] = (uint8_t)byte;
    }
    return size;
}

struct card {
    struct cemv_kernel_row kernel;
    const char *aid, *terminal, *ttq;
    const char *responses[6];
};

static struct cemv_outcome play(const struct card *card, bool logs)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_SESSION_SIZE], checked_memory[4096];
    static uint8_t aid[16], terminal[64], ttq[4], response[260];
    struct cemv_config_error error;
    const struct cemv_checked *checked;
    struct cemv_session *session = NULL;
    const struct cemv_combination row = { .aid = { aid, parse(card->aid, aid) },
                                          .kernel_id = { card->kernel.id[0] },
                                          .kernel_id_size = 1,
                                          .ttq = { ttq, parse(card->ttq, ttq) } };
    const struct cemv_configuration configuration = { .terminal_data = { terminal, parse(card->terminal, terminal) },
                                                      .combinations = &row,
                                                      .combination_count = 1,
                                                      .kernels = &card->kernel,
                                                      .kernel_count = 1,
                                                      .protection = { .profile = CEMV_PROFILE_BOOK } };
    const struct cemv_transaction transaction = {
        .amount = 1000, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 }, .log = logs ? &log_ : NULL
    };
    static const uint8_t pool[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    count = 0;
    property(cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) ==
                 CEMV_OK,
             "a good configuration", card->kernel.id[0] << 8 | error.field);
    property(cemv_session_begin(memory, sizeof memory, checked, &transaction, (cemv_bytes){ pool, sizeof pool },
                                &session, &error) == CEMV_OK,
             "a transaction begins", error.field);
    unsigned waits = 1;
    struct cemv_reply reply = { .kind = CEMV_REPLY_CARD };
    for (size_t next = 0; cemv_session_step(session) != CEMV_STEP_DONE; waits++) {
        (void)cemv_session_reply(session, &reply);
        reply = (struct cemv_reply){ .kind = CEMV_REPLY_CONTINUE };
        if (cemv_session_step(session) != CEMV_STEP_SEND) continue;
        const char *text = card->responses[next++];
        reply.kind = CEMV_REPLY_RESPONSE, reply.bytes = (cemv_bytes){ response, parse(text ? text : "6985", response) };
    }
    unsigned seen = 0;
    for (unsigned i = 0; i < count; i++) seen += notes[i].clause == CEMV_NOTE_WAITS;
    property(seen == (logs ? waits : 0), "every wait is noted once, the last one too", card->kernel.id[0]);
    property(!logs || (notes[count - 1].clause == CEMV_NOTE_WAITS && notes[count - 1].value == CEMV_STEP_DONE &&
                       notes[count - 1].state.kernel == NULL && notes[count - 1].state.number == 0),
             "and nothing comes after the end", card->kernel.id[0]);
    return cemv_session_outcome(session);
}

static const struct card cards[] = {
    { { { 3 }, 1, &cemv_kernel_3, NULL },
      "A0000000031010",
      "9F1A020276",
      "3600C080",
      { "6F23840E325041592E5359532E4444463031A511BF0C0E610C4F07A00000000310108701019000",
        "6F208407A0000000031010A5155004564953419F380C9F66049F02065F2A029F37049000",
        "773E820220009F2701809F100706010A03A0000057114761739001010119D301220100000123459F360200159F2608B2EC180414DFA51A"
        "5F3401019F6C0200009000" } },
    { { { 6 }, 1, &cemv_kernel_6, NULL },
      "A0000001523010",
      "9F090200019F1A0202769F1E0831323334353637389F3303E0B8089F350122",
      "3600C000",
      { "6F23840E325041592E5359532E4444463031A511BF0C0E610C4F07A00000015230108701019000",
        "6F2B8407A0000001523010A5205005442D5041539F38169F66049F02069F03069F1A025F2A029A039C019F37049000",
        "7754820219009F360200159F100801152080000000009F2608B2EC180414DFA51A9F2701809F7102000057116011000990139424D30122"
        "0"
        "100000123455F3401009F0702FFC05F280202765F25032001019F080200019000" } },
    { { { 7 }, 1, &cemv_kernel_7, NULL },
      "A000000333",
      "9F1A0201569F3303A0B8C8",
      "36004000",
      { "6F24840E325041592E5359532E4444463031A512BF0C0F610D4F08A0000003330101018701019000",
        "6F158408A000000333010101A5099F38069F66049F37049000",
        "773B820220009F360200019F2608B2EC180414DFA51A9F2701809F100807010103A000000057116221739001010119D301220100000123"
        "4"
        "59F6C0200009000" } },
};

/* Kernels that wait for the issuer after an online request: cards that decline. */
static const struct card declining[] = {
    { { { 4 }, 1, &cemv_kernel_4, NULL },
      "A00000002501",
      "9F1A0202769F3303E0F8C89F3501229F6D01C09F6E04DCE00003",
      "",
      { "6F24840E325041592E5359532E4444463031A512BF0C0F610D4F08A0000000250104028701019000",
        "6F1D8408A000000025010402A5115004414D45585F2D02656E9F38039F35019000", "80061880080101009000",
        "70435A08374245001741007F5F24033012315F25032001158C039F37049F0D0500000000009F0E050000"
        "0000009F0F050000000000570E374245001741007D3012201100009000",
        "771E9F2701009F360200369F260811223344556677889F100706010103A000009000" } },
    { { { 5 }, 1, &cemv_kernel_5, NULL },
      "A0000000651010",
      "9F1A0202769F350122",
      "",
      { "6F23840E325041592E5359532E4444463031A511BF0C0E610C4F07A00000006510108701019000",
        "6F1F8407A0000000651010A51450034A43429F380C9F52019F53039F02069F37049000", "770A820218809404080101009000",
        "702F57103569830447869493D3012201536734805F24033012315A0835698304478694938C0B9F02069F370495059F53039000",
        "77149F2701009F360200019F2608DEDD33348D9574A79000" } },
};

static void declined_taps_are_noted(void)
{
    static const struct {
        uint32_t clause;
        uint64_t value;
    } decisions[][3] = {
        { { CEMV_CLAUSE(8, 2, 0, 0), CEMV_CVM_NONE },
          { CEMV_CLAUSE(10, 2, 0, 0), 0x40 },
          { CEMV_CLAUSE(11, 2, 0, 0), 3 } },
        { { CEMV_CLAUSE(3, 7, 1, 0), 0x80 }, { CEMV_CLAUSE(3, 8, 1, 0), 0 }, { CEMV_CLAUSE(3, 7, 1, 0), 0x80 } },
    };
    for (unsigned i = 0; i < sizeof declining / sizeof declining[0]; i++) {
        const struct cemv_outcome plain = play(&declining[i], false);
        const struct cemv_outcome outcome = play(&declining[i], true);
        property(memcmp(&plain, &outcome, sizeof plain) == 0, "a log changes nothing", i);
        for (unsigned j = 0; j < 3; j++) {
            const struct note *const decision = noted(decisions[i][j].clause);
            property(decision != NULL && decision->state.kernel == &declining[i].kernel &&
                         decision->value == decisions[i][j].value,
                     "a decision, with its kernel and its value", i << 4 | j);
        }
    }
}

/* A copy of a session uses the log that it was given, and its original keeps its log. */
static void copies_have_a_log_of_their_own(void)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_SESSION_SIZE], copied[CEMV_SESSION_SIZE], checked_memory[4096];
    static uint8_t aid[16], terminal[64], ttq[4], pool[8], response[260];
    const struct card *const card = &cards[0];
    const struct cemv_combination row = { .aid = { aid, parse(card->aid, aid) },
                                          .kernel_id = { card->kernel.id[0] },
                                          .kernel_id_size = 1,
                                          .ttq = { ttq, parse(card->ttq, ttq) } };
    const struct cemv_configuration configuration = { .terminal_data = { terminal, parse(card->terminal, terminal) },
                                                      .combinations = &row,
                                                      .combination_count = 1,
                                                      .kernels = &card->kernel,
                                                      .kernel_count = 1,
                                                      .protection = { .profile = CEMV_PROFILE_BOOK } };
    const struct cemv_transaction transaction = {
        .amount = 1000, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 }, .log = &log_
    };
    struct cemv_config_error error;
    const struct cemv_checked *checked;
    struct cemv_session *session = NULL;
    count = 0;
    property(cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) ==
                     CEMV_OK &&
                 cemv_session_begin(memory, sizeof memory, checked, &transaction, (cemv_bytes){ pool, sizeof pool },
                                    &session, &error) == CEMV_OK,
             "a transaction begins", error.field);
    memcpy(copied, memory, sizeof copied);
    struct cemv_session *const copy = (struct cemv_session *)(void *)(copied + ((uint8_t *)session - memory));
    static unsigned other;
    const struct cemv_log log = { .note = note, .context = &other };
    const struct cemv_reply present = { .kind = CEMV_REPLY_CARD };
    other = 0;
    cemv_session_set_log(copy, &log);
    (void)cemv_session_reply(copy, &present);
    property(count == 1 && other == 1, "a copy notes in its own log", other << 8 | count);
    cemv_session_set_log(copy, NULL);
    const struct cemv_reply ppse = { .kind = CEMV_REPLY_RESPONSE,
                                     .bytes = { response, parse(card->responses[0], response) } };
    property(cemv_session_reply(copy, &ppse) == CEMV_STEP_SEND && other == 1, "and without one nowhere", other);
    (void)cemv_session_reply(session, &present);
    property(count == 2, "the original in the one it was begun with", count);
}

void properties_of_log(void)
{
    PART(copies_have_a_log_of_their_own);
    PART(declined_taps_are_noted);
    static const uint32_t decisions[][2] = {
        { CEMV_CLAUSE(5, 4, 3, 1), CEMV_CLAUSE(5, 7, 1, 0) },
        { CEMV_CLAUSE(3, 2, 0, 0), CEMV_CLAUSE(3, 7, 0, 0) },
        { CEMV_CLAUSE(4, 1, 4, 4), CEMV_CLAUSE(4, 4, 0, 0) },
    };
    for (unsigned i = 0; i < sizeof cards / sizeof cards[0]; i++) {
        const struct cemv_outcome plain = play(&cards[i], false);
        property(count == 0, "nothing is noted without a log", i);
        const struct cemv_outcome outcome = play(&cards[i], true);
        property(memcmp(&plain, &outcome, sizeof plain) == 0, "a log changes nothing", i);
        property(outcome.status == CEMV_OUTCOME_ONLINE_REQUEST, "a tap that goes online", i);
        const struct note *const end = noted(CEMV_NOTE_ENDS);
        property(end != NULL && end->value == ((unsigned)outcome.status << 8 | outcome.reason), "the end is noted", i);
        property(end != NULL && end->state.kernel == &cards[i].kernel, "as the kernel's", i);
        for (unsigned j = 0; j < 2; j++) {
            const struct note *const decision = noted(decisions[i][j]);
            property(decision != NULL && decision->state.kernel == &cards[i].kernel, "a decision, with its kernel",
                     i << 4 | j);
        }
        property(notes[0].clause == CEMV_NOTE_WAITS && notes[0].value == CEMV_STEP_POLL &&
                     notes[0].state.kernel == NULL && notes[0].state.number == E_WAIT_CARD,
                 "Entry Point's waits have no kernel", i);
    }
}
