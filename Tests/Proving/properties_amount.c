/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the amount wait (cemv_session.h, CEMV_ASK_AMOUNT): the question to the terminal, the effect of its
 * answer, and when there is no question. A third-party kernel notes the amounts that it receives. */
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"

enum { ACTIVATIONS = 4 };
static struct {
    uint8_t amounts[12]; /* 9F02, 9F03 */
    uint8_t ttq[4];
    bool floor_exceeded;
} seen[ACTIVATIONS];
static unsigned activations;
static struct cemv_outcome plan[ACTIVATIONS];

static enum cemv_step start(struct cemv_kernel *kernel)
{
    const unsigned now = activations < ACTIVATIONS ? activations : ACTIVATIONS - 1;
    const struct cemv_activation activation = cemv_kernel_activation(kernel);
    const cemv_bytes amount = cemv_kernel_terminal_data(kernel, 0x9F02),
                     other = cemv_kernel_terminal_data(kernel, 0x9F03);
    if (amount.size == 6) memcpy(seen[now].amounts, amount.data, 6);
    if (other.size == 6) memcpy(seen[now].amounts + 6, other.data, 6);
    memcpy(seen[now].ttq, activation.indicators.ttq, sizeof seen[now].ttq);
    seen[now].floor_exceeded = activation.indicators.floor_limit_exceeded;
    activations++;
    cemv_kernel_note(kernel, CEMV_CLAUSE(1, 0, 0, 0), 0); /* without a log: nothing */
    return cemv_kernel_finish(kernel, &plan[now], BYTES(""), BYTES(""));
}
static enum cemv_step reply(struct cemv_kernel *kernel, const struct cemv_reply *given)
{
    (void)given;
    return cemv_kernel_finish(kernel, &plan[0], BYTES(""), BYTES(""));
}
static const struct cemv_kernel_module module = { .start = start, .reply = reply };

static struct cemv_session *session;
static struct cemv_combination rows[2];
static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_SESSION_SIZE], checked_memory[4096];

static void begin(bool asks)
{
    static const struct cemv_kernel_row kernel = { { 0x21 }, 1, &module, NULL };
    const struct cemv_transaction transaction = { .amount = 1000,
                                                  .amount_other = 200,
                                                  .currency = 0x0978,
                                                  .exponent = 2,
                                                  .date = { 0x26, 0x11, 0x21 },
                                                  .amount_wait = asks ? &cemv_amount_wait : NULL,
                                                  .amount_deadline_ms = 400 };
    struct cemv_config_error error;
    const struct cemv_checked *checked;
    memset(seen, 0, sizeof seen);
    activations = 0;
    for (size_t i = 0; i < ACTIVATIONS; i++) plan[i] = cemv_outcome_of(CEMV_OUTCOME_APPROVED, CEMV_REASON_KERNEL);
    for (uint8_t i = 0; i < 2; i++)
        rows[i] = (struct cemv_combination){
            .aid = i ? BYTES("\xF0\0\0\0\2") : BYTES("\xF0\0\0\0\1"),
            .kernel_id = { 0x21 },
            .kernel_id_size = 1,
            .ttq = BYTES("\x36\0\x40\0"),
            .limits = { .amount = { [CEMV_LIMIT_TRANSACTION] = 5000, [CEMV_LIMIT_FLOOR] = 2000 }, .present = 3 },
        };
    const struct cemv_configuration configuration = {
        .combinations = rows, .combination_count = 2, .kernels = &kernel, .kernel_count = 1
    };
    static struct cemv_configuration kept;
    kept = configuration;
    property(cemv_configuration_check(&kept, checked_memory, sizeof checked_memory, &checked, &error) == CEMV_OK,
             "a good configuration", error.field);
    property(cemv_session_begin(memory, sizeof memory, checked, &transaction, BYTES("0123456789ABCDEF0123456789ABCDEF"),
                                &session, &error) == CEMV_OK,
             "a transaction begins", error.field);
}

static enum cemv_step say(uint8_t kind, cemv_bytes bytes)
{
    const struct cemv_reply given = { .kind = kind, .bytes = bytes };
    return cemv_session_reply(session, &given);
}

/* Two applications in the directory. */
static const char ppse[] = "\x6F\x2D\x84\x0E"
                           "2PAY.SYS.DDF01\xA5\x1B\xBF\x0C\x18\x61\x0A\x4F\5\xF0\0\0\0\1\x87\1\1"
                           "\x61\x0A\x4F\5\xF0\0\0\0\2\x87\1\2\x90\0";
static const char fci[] = "\x6F\x2A\x84\5\xF0\0\0\0\1\xA5\x21\x50\4Card\x9F\x38\3\x9F\x37\4\x5F\x2D\2en"
                          "\xBF\x0C\x0D\x42\3\x12\x34\x56\x5F\x28\2\x02\x76\x5F\x55\0\x90\0";

static enum cemv_step tap(cemv_bytes selected)
{
    (void)say(CEMV_REPLY_CARD, BYTES(""));
    (void)say(CEMV_REPLY_RESPONSE, BYTES(ppse));
    return say(CEMV_REPLY_RESPONSE, selected);
}

static bool is_asked(void)
{
    return cemv_session_step(session) == CEMV_STEP_ASK && cemv_session_question(session).kind == CEMV_ASK_AMOUNT;
}

static bool ended(uint8_t status, uint8_t reason)
{
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    return cemv_session_step(session) == CEMV_STEP_DONE && outcome.status == status && outcome.reason == reason;
}

static bool saw(unsigned activation, const char *amounts)
{
    return activation < activations && memcmp(seen[activation].amounts, amounts, 12) == 0;
}

#define TEN_AND_TWO "\0\0\0\0\x10\0\0\0\0\0\2\0"

static void question(void)
{
    begin(false);
    (void)tap(BYTES(fci));
    property(activations == 1 && saw(0, TEN_AND_TWO), "nothing is asked where the transaction does not want it", 0);
    begin(true);
    property(tap(BYTES(fci)) == CEMV_STEP_ASK && is_asked() && activations == 0, "asked before the kernel is activated",
             0);
    const struct cemv_question asked = cemv_session_question(session);
    property(asked.deadline_ms == 400 && !asked.running, "with the transaction's deadline", 0);
    property(cemv_bytes_equal(asked.bytes,
                              BYTES("\x4F\5\xF0\0\0\0\1\x50\4Card\x42\3\x12\x34\x56\x5F\x2D\2en\x5F\x28\2\x02\x76")),
             "the name selected, and what the FCI says", 0);
    property(!cemv_session_takes(session, CEMV_REPLY_RESPONSE) && cemv_session_takes(session, CEMV_REPLY_STOP),
             "an ASK", 0);
    property(cemv_session_state(session).kernel == NULL, "Entry Point waits", 0);
    (void)say(CEMV_REPLY_STOP, BYTES(""));
    property(ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STOPPED) && activations == 0, "the terminal may stop here",
             0);
}

/* An object longer than its book allows is not passed to the kernel; the longest allowed ones all fit. */
static void long_objects(void)
{
    uint8_t long_fci[256] = { 0x6F, 0x81, 0xE7, 0x84, 5, 0xF0, 0, 0, 0, 1, 0xA5, 0x81, 0xDD }, *at = long_fci + 13;
    static const struct {
        const char *tag;
        uint8_t tag_size, size;
    } objects[] = { { "\x50", 1, 17 },    { "\x9F\x12", 2, 16 }, { "\x9F\x0A", 2, 128 },
                    { "\x9F\x0C", 2, 4 }, { "\x5F\x2D", 2, 8 },  { "\x5F\x55", 2, 2 },
                    { "\x5F\x56", 2, 3 }, { "\x5F\x28", 2, 2 },  { "\x42", 1, 3 } };
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        memcpy(at, objects[i].tag, objects[i].tag_size), at += objects[i].tag_size;
        if (objects[i].size > 127) *at++ = 0x81;
        *at++ = objects[i].size, memset(at, 'a', objects[i].size), at += objects[i].size;
    }
    const size_t inside = (size_t)(at - long_fci) - 13;
    long_fci[2] = (uint8_t)(inside + 10), long_fci[12] = (uint8_t)inside;
    memcpy(at, "\x90", 2);
    begin(true);
    (void)tap(of(long_fci, inside + 15));
    struct cemv_tlv object;
    const cemv_bytes bytes = cemv_session_question(session).bytes;
    property(is_asked() && cemv_tlv_is_list(bytes), "long objects fit", 0);
    property(!cemv_tlv_find(bytes, 0x50, &object), "an object that is too long is left out", 0);
    for (size_t i = 1; i < sizeof objects / sizeof objects[0]; i++) {
        const uint32_t tag = objects[i].tag_size == 1 ? (uint8_t)objects[i].tag[0]
                                                      : cemv_be16((const uint8_t *)objects[i].tag);
        property(cemv_tlv_find(bytes, tag, &object) && object.value.size == objects[i].size, "the others are there",
                 tag);
    }
}

static void answers(void)
{
    static const struct {
        uint8_t kind;
        const char *bytes;
        size_t size;
        const char *amounts;
    } good[] = {
        { CEMV_REPLY_DATA, "", 0, TEN_AND_TWO },
        { CEMV_REPLY_DEADLINE, "", 0, TEN_AND_TWO },
        { CEMV_REPLY_DATA, "\x9F\2\6\0\0\0\0\x15\x50", 9, "\0\0\0\0\x15\x50\0\0\0\0\2\0" },
        { CEMV_REPLY_DATA, "\x9F\3\6\0\0\0\0\0\0", 9, "\0\0\0\0\x10\0\0\0\0\0\0\0" },
        { CEMV_REPLY_DATA, "\x9F\3\6\0\0\0\0\3\0\x9F\2\6\0\0\0\0\x49\x99", 18, "\0\0\0\0\x49\x99\0\0\0\0\3\0" },
        { CEMV_REPLY_DATA, "\x9C\1\x20", 3, TEN_AND_TWO },
    };
    for (unsigned i = 0; i < sizeof good / sizeof good[0]; i++) {
        begin(true);
        (void)tap(BYTES(fci));
        (void)say(good[i].kind, of(good[i].bytes, good[i].size));
        property(activations == 1 && saw(0, good[i].amounts) && ended(CEMV_OUTCOME_APPROVED, CEMV_REASON_KERNEL),
                 "the kernel has the amounts of the answer, else those of the transaction", i);
        property(seen[0].floor_exceeded == (i == 4) && (seen[0].ttq[1] == 0x80) == (i == 4),
                 "pre-processing is done again", i);
    }
    static const struct {
        const char *bytes;
        size_t size;
    } bad[] = { { "\x9F\2\5\0\0\0\0\x15", 8 },
                { "\x9F\2\6\0\0\0\0\x15\x5A", 9 },
                { "\x9F\2\6\0\0\0\0\x15", 8 },
                { "\x9F\2\0", 3 },
                { "\x9F\3\7\0\0\0\0\0\0\1", 10 } };
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        begin(true);
        (void)tap(BYTES(fci));
        (void)say(CEMV_REPLY_DATA, of(bad[i].bytes, bad[i].size));
        property(activations == 0 && ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STOPPED),
                 "an answer that is none ends", i);
    }
}

/* If the answered amount is above the limit, the transaction ends, although the card has another application. */
static void not_allowed(void)
{
    for (unsigned above = 0; above < 2; above++) {
        begin(true);
        (void)tap(BYTES(fci));
        (void)say(CEMV_REPLY_DATA, above ? BYTES("\x9F\2\6\0\0\0\0\x50\0") : BYTES("\x9F\2\6\0\0\0\0\x49\x99"));
        property(activations == !above, "an amount above the limit reaches no kernel", above);
        if (!above) continue;
        property(ended(CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_REASON_NOT_ALLOWED), "and no other application", above);
        property(cemv_session_outcome(session).kernel_id_size == 0 && cemv_session_commands(session) == 2, "silently",
                 above);
        property(cemv_session_outcome(session).ui_on_outcome.message == CEMV_MESSAGE_INSERT_OR_SWIPE, "with message 18",
                 above);
    }
}

/* Every activation that follows a SELECT asks, starting from the transaction's amounts. */
static void asked_again(void)
{
    const cemv_bytes more = BYTES("\x9F\2\6\0\0\0\0\x20\0");
    for (unsigned again = 0; again < 2; again++) {
        begin(true);
        plan[0] = cemv_outcome_of(again ? CEMV_OUTCOME_TRY_AGAIN : CEMV_OUTCOME_SELECT_NEXT, CEMV_REASON_KERNEL);
        plan[0].start = again ? CEMV_START_B : CEMV_START_C;
        (void)tap(BYTES(fci));
        (void)say(CEMV_REPLY_DATA, more);
        if (again) (void)tap(BYTES(fci));
        else (void)say(CEMV_REPLY_RESPONSE, BYTES(fci));
        property(activations == 1 && is_asked(), "asked again", again);
        (void)say(CEMV_REPLY_DEADLINE, BYTES(""));
        property(saw(0, "\0\0\0\0\x20\0\0\0\0\0\2\0") && saw(1, TEN_AND_TWO), "an answer holds for one activation",
                 again);
    }
}

/* The card comes back with the issuer's answer: the amount is the one that the issuer saw. */
static void with_an_answer(void)
{
    for (unsigned start_b = 0; start_b < 2; start_b++) {
        begin(true);
        plan[0] = cemv_outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL);
        plan[0].start = start_b ? CEMV_START_B : CEMV_START_D;
        plan[0].online_response = CEMV_ONLINE_RESPONSE_ANY;
        (void)tap(BYTES(fci));
        (void)say(CEMV_REPLY_DATA, BYTES("\x9F\2\6\0\0\0\0\x20\0"));
        property(cemv_session_step(session) == CEMV_STEP_PARKED, "an outcome is parked", start_b);
        (void)say(CEMV_REPLY_ONLINE, BYTES("\x91\2\1\2"));
        if (start_b) (void)say(CEMV_REPLY_CARD, BYTES(""));
        if (start_b) (void)say(CEMV_REPLY_RESPONSE, BYTES(fci));
        property(activations == 2 && saw(1, "\0\0\0\0\x20\0\0\0\0\0\2\0"), "nothing is asked, the amount stays",
                 start_b);
    }
}

/* The answer to a question counts for that selection only: the next one starts from both of the transaction's own
 * amounts. */
static void each_selection_begins_with_the_transactions_amounts(void)
{
    begin(true);
    plan[0] = cemv_outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_KERNEL);
    plan[0].start = CEMV_START_B;
    (void)tap(BYTES(fci));
    (void)say(CEMV_REPLY_DATA, BYTES("\x9F\x02\6\0\0\0\0\x20\0\x9F\x03\6\0\0\0\0\1\0"));
    property(activations == 1 && saw(0, "\0\0\0\0\x20\0\0\0\0\0\1\0"), "both amounts of the answer", 0);
    (void)tap(BYTES(fci));
    property(is_asked(), "asked again", 0);
    (void)say(CEMV_REPLY_DEADLINE, BYTES(""));
    property(activations == 2 && saw(1, TEN_AND_TWO), "without an answer the transaction's own", 0);
}

void properties_of_amount(void)
{
    question();
    long_objects();
    answers();
    not_allowed();
    asked_again();
    with_an_answer();
    PART(each_selection_begins_with_the_transactions_amounts);
}
