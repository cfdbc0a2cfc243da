/* SPDX-License-Identifier: Apache-2.0 */
/* The driver's contract (cemv_session.h): which replies a step accepts, that any other reply changes nothing, the
 * effects of a stop and of unsolicited data; and the data that Entry Point gives a kernel at each activation (Book A,
 * 8.1.1.7-8; Book B, 3.4.1). A third-party kernel behaves as a case says. */
#include <string.h>

#include "CEMVInternals.h"
#include "../../Sources/CEMV/include/cemv_kernel.h"
#include "bytes.h"
#include "properties.h"

/* ---- a kernel that follows a plan ---- */

enum { ACTIVATIONS = 4 };
enum action { FINISH, SEND, ASK, PUBLISH, NOTHING };
enum at_stop { LETS_IT_PASS, ENDS };

static struct cemv_activation given[ACTIVATIONS]; /* its bytes are invalid later, except those copied here: */
static uint8_t name_given[ACTIVATIONS][16];
static unsigned activations;
static struct cemv_outcome plan[ACTIVATIONS];
static cemv_bytes record, discretionary;
static enum action first_action, second_action;
static enum at_stop at_stop;
static uint8_t data_taken[8], reply_seen;
static size_t reply_size;
static size_t data_size;
static unsigned stops;

static enum cemv_step act(struct cemv_kernel *kernel, enum action action)
{
    static const struct cemv_command read = { .ins = 0xB2, .p1 = 1, .p2 = 0x0C, .le = CEMV_LE_MAX };
    switch (action) {
    case SEND: return cemv_kernel_send(kernel, 1, &read);
    case ASK: return cemv_kernel_ask(kernel, 2, BYTES("\x9F\x02"), 500);
    case PUBLISH: return cemv_kernel_publish(kernel, 3);
    case NOTHING: return CEMV_STEP_DONE;
    case FINISH: break;
    }
    return cemv_kernel_finish(kernel, &plan[activations - 1], record, discretionary);
}

static enum cemv_step start(struct cemv_kernel *kernel)
{
    const struct cemv_ui_request shown = cemv_ui_of(CEMV_MESSAGE_PROCESSING, CEMV_UI_PROCESSING);
    const unsigned now = activations < ACTIVATIONS - 1 ? activations : ACTIVATIONS - 1;
    given[now] = cemv_kernel_activation(kernel);
    memcpy(name_given[now], given[now].df_name.data, given[now].df_name.size);
    activations = now + 1;
    if (first_action != FINISH) (void)cemv_kernel_show(kernel, &shown);
    return act(kernel, first_action);
}

static enum cemv_step reply(struct cemv_kernel *kernel, const struct cemv_reply *to)
{
    reply_seen = to->kind;
    reply_size = to->bytes.size;
    return act(kernel, second_action);
}

static enum cemv_step stop(struct cemv_kernel *kernel)
{
    stops++;
    return at_stop == ENDS ? act(kernel, FINISH) : (enum cemv_step)kernel->out.step;
}

static void take_data(struct cemv_kernel *kernel, cemv_bytes objects)
{
    (void)kernel;
    data_size = objects.size;
    memcpy(data_taken, objects.data, objects.size < sizeof data_taken ? objects.size : sizeof data_taken);
}

static unsigned computed;
static bool is_due(const struct cemv_kernel *kernel) { return kernel != NULL; }
static bool compute(struct cemv_kernel *kernel)
{
    (void)kernel;
    computed++;
    return true;
}

static const struct cemv_kernel_module working = {
    .start = start, .reply = reply, .precompute = compute, .precompute_due = is_due
};
static const struct cemv_kernel_module plain = { .start = start, .reply = reply };
static const struct cemv_kernel_module exchanging = { .start = start, .reply = reply, .stop = stop, .data = take_data };

/* ---- a reader, a transaction, a card ---- */

static struct cemv_combination row;
static struct cemv_configuration configuration;
static struct cemv_transaction transaction;
static struct cemv_session *session;
static cemv_bytes pool;
static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_SESSION_SIZE], checked_memory[4096];

static void set_up(const struct cemv_kernel_module *module)
{
    static struct cemv_kernel_row kernels[1];
    kernels[0] = (struct cemv_kernel_row){ { 0x21 }, 1, module, NULL };
    row = (struct cemv_combination){ .aid = BYTES("\xF0\0\0\0\1"), .kernel_id = { 0x21 }, .kernel_id_size = 1 };
    configuration = (struct cemv_configuration){
        .combinations = &row, .combination_count = 1, .kernels = kernels, .kernel_count = 1
    };
    transaction = (struct cemv_transaction){
        .amount = 123, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 }, .counter = 1
    };
    for (size_t i = 0; i < ACTIVATIONS; i++) plan[i] = cemv_outcome_of(CEMV_OUTCOME_APPROVED, CEMV_REASON_KERNEL);
    record = discretionary = of(NULL, 0);
    pool = BYTES("\1\2\3\4\5\6\7\x08\x09\x0A\x0B\x0C\x0D\x0E\x0F\x10");
    first_action = second_action = FINISH;
    at_stop = LETS_IT_PASS;
    activations = stops = 0;
    data_size = 0;
}

static void begin(void)
{
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    property(cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) ==
                 CEMV_OK,
             "a good configuration", error.field);
    property(cemv_session_begin(memory, sizeof memory, checked, &transaction, pool, &session, &error) == CEMV_OK,
             "a transaction begins", error.field);
}

static enum cemv_step say(uint8_t kind, cemv_bytes bytes)
{
    const struct cemv_reply to = { .kind = kind, .bytes = bytes };
    return cemv_session_reply(session, &to);
}

/* A card with one application; its name is the reader's AID followed by `rest`. */
static enum cemv_step tap(cemv_bytes rest)
{
    uint8_t answer[64];
    const uint8_t name = (uint8_t)(5 + rest.size);
    say(CEMV_REPLY_CARD, BYTES(""));
    const uint8_t entry[] = { 0x6F,
                              (uint8_t)(28 + name),
                              0x84,
                              14,
                              '2',
                              'P',
                              'A',
                              'Y',
                              '.',
                              'S',
                              'Y',
                              'S',
                              '.',
                              'D',
                              'D',
                              'F',
                              '0',
                              '1',
                              0xA5,
                              (uint8_t)(10 + name),
                              0xBF,
                              0x0C,
                              (uint8_t)(7 + name),
                              0x61,
                              (uint8_t)(5 + name),
                              0x4F,
                              name };
    memcpy(answer, entry, sizeof entry);
    memcpy(answer + sizeof entry, "\xF0\0\0\0\1", 5);
    memcpy(answer + sizeof entry + 5, rest.data, rest.size);
    memcpy(answer + sizeof entry + name, "\x87\1\1\x90\0", 5);
    say(CEMV_REPLY_RESPONSE, of(answer, sizeof entry + name + 5));
    const uint8_t head[] = { 0x6F, (uint8_t)(4 + name), 0x84, name };
    memcpy(answer, head, sizeof head);
    memcpy(answer + sizeof head, "\xF0\0\0\0\1", 5);
    memcpy(answer + sizeof head + 5, rest.data, rest.size);
    memcpy(answer + sizeof head + name, "\xA5\0\x90\0", 4);
    return say(CEMV_REPLY_RESPONSE, of(answer, sizeof head + name + 4));
}

static enum cemv_step tap_same(void) { return tap(BYTES("")); }

/* ---- which replies a step accepts ---- */

#define SET(kind) (1u << CEMV_REPLY_##kind)
enum {
    LINK_FAULTS = SET(TIMEOUT) | SET(TRANSMISSION) | SET(PROTOCOL),
    ENDING = SET(STOP) | SET(ABANDON),
    POLLING = SET(CARD) | SET(COLLISION) | LINK_FAULTS | SET(DEADLINE) | ENDING,
    CLEARING = SET(COLLISION_CLEARED) | SET(COLLISION) | LINK_FAULTS | SET(DEADLINE) | ENDING,
    REMOVING = SET(REMOVED) | SET(DEADLINE) | ENDING,
    SENDING = SET(RESPONSE) | LINK_FAULTS | SET(REMOVED) | ENDING,
};

/* `kinds` are accepted and no others; any other kind does not change a byte of the session. */
static void takes_only(uint32_t kinds, const char *step)
{
    static uint8_t before[CEMV_SESSION_SIZE];
    for (unsigned kind = 0; kind < 256; kind++) {
        const bool taken = kind < 32 && (kinds >> kind & 1) != 0;
        property(cemv_session_takes(session, (uint8_t)kind) == taken, step, kind);
        if (taken) continue;
        memcpy(before, memory, sizeof memory);
        const enum cemv_step was = cemv_session_step(session);
        property(say((uint8_t)kind, BYTES("\x90\0")) == was, step, kind);
        property(memcmp(before, memory, sizeof memory) == 0, step, kind);
    }
}

static void a_step_takes_its_replies_alone(void)
{
    set_up(&plain);
    begin();
    takes_only(POLLING, "waiting for a card");
    say(CEMV_REPLY_COLLISION, BYTES(""));
    property(cemv_session_step(session) == CEMV_STEP_POLL, "a collision polls on", 0);
    takes_only(CLEARING, "after a collision");
    say(CEMV_REPLY_COLLISION_CLEARED, BYTES(""));
    takes_only(POLLING, "after a collision that was cleared");
    say(CEMV_REPLY_CARD, BYTES(""));
    takes_only(SENDING, "Entry Point's command");

    set_up(&plain);
    plan[0] = cemv_outcome_of(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_KERNEL);
    plan[0].start = CEMV_START_B;
    begin();
    tap_same();
    property(cemv_session_poll(session).removal_first, "after End Application with a restart the card goes first", 0);
    takes_only(REMOVING, "waiting for the removal");
    say(CEMV_REPLY_REMOVED, BYTES(""));
    takes_only(POLLING, "after the removal");

    for (unsigned data = 0; data < 2; data++) {
        set_up(data ? &exchanging : &plain);
        first_action = SEND;
        begin();
        tap_same();
        takes_only(SENDING | (data ? SET(DATA) : 0), "a kernel's command");
    }
    set_up(&plain);
    first_action = ASK;
    begin();
    property(tap_same() == CEMV_STEP_ASK, "a kernel may ask", 0);
    takes_only(SET(DATA) | SET(DEADLINE) | ENDING, "a question");
    set_up(&plain);
    first_action = PUBLISH;
    begin();
    property(tap_same() == CEMV_STEP_WORK, "a kernel may show something first", 0);
    takes_only(SET(CONTINUE) | ENDING, "messages");
    set_up(&plain);
    plan[0] = cemv_outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL);
    plan[0].start = CEMV_START_D;
    begin();
    property(tap_same() == CEMV_STEP_PARKED, "an online request with a restart is parked", 0);
    takes_only(SET(ONLINE) | SET(PIN) | SET(ABANDON), "a parked outcome");
    say(CEMV_REPLY_ABANDON, BYTES(""));
    takes_only(0, "the end");
    cemv_session_wipe(session);
    takes_only(0, "no transaction");
}

/* ---- stop, unsolicited data ---- */

/* A kernel that ignores a stop stays at its step and keeps its messages and the data sent to the terminal. */
static void a_stop_is_the_kernels(void)
{
    set_up(&exchanging);
    first_action = SEND;
    begin();
    tap_same();
    session->kernel.out.exchange_size = 5;
    const size_t shown = cemv_session_ui_count(session);
    property(shown == 1, "a message of the kernel", (unsigned)shown);
    property(say(CEMV_REPLY_STOP, BYTES("")) == CEMV_STEP_SEND && stops == 1, "a stop that passes", stops);
    property(cemv_session_ui_count(session) == shown, "keeps the messages", 0);
    property(cemv_session_exchange(session).size == 5, "and what was sent to the terminal", 0);
    at_stop = ENDS;
    property(say(CEMV_REPLY_STOP, BYTES("")) == CEMV_STEP_DONE && stops == 2, "a stop that ends", stops);
    property(cemv_session_ui_count(session) == 0, "shows no message of before", 0);
    property(cemv_session_exchange(session).size == 0, "and sends nothing again", 0);
}

static void unsolicited_data_reach_the_kernel(void)
{
    set_up(&exchanging);
    first_action = SEND;
    begin();
    tap_same();
    property(say(CEMV_REPLY_DATA, BYTES("\x9C\1\0")) == CEMV_STEP_SEND, "data change no step", 0);
    property(data_size == 3 && memcmp(data_taken, "\x9C\1\0", 3) == 0, "the kernel has them as they came", 0);
    property(activations == 1 && cemv_session_ui_count(session) == 1, "and nothing else happens", 0);
}

/* ---- findings ---- */

static void findings_of_every_activation_are_reported(void)
{
    const unsigned finding = CEMV_FINDING_RNG_SUSPECT;
    set_up(&plain);
    plan[0] = cemv_outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_KERNEL);
    plan[0].start = CEMV_START_B;
    plan[0].findings = 1u << finding;
    begin();
    tap_same();
    tap_same();
    property(cemv_session_step(session) == CEMV_STEP_DONE && activations == 2, "two presentments", activations);
    property(cemv_session_outcome(session).findings == 1u << finding, "a finding of the first", 0);
    for (unsigned abandon = 0; abandon < 2; abandon++) {
        set_up(&plain);
        plan[0] = cemv_outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_KERNEL);
        plan[0].start = CEMV_START_B;
        plan[0].findings = 1u << finding;
        begin();
        tap_same();
        say(abandon ? CEMV_REPLY_ABANDON : CEMV_REPLY_STOP, BYTES(""));
        property(cemv_session_step(session) == CEMV_STEP_DONE, "a stop between two presentments", abandon);
        property(cemv_session_outcome(session).findings == 1u << finding, "keeps what was found", abandon);
    }
}

/* ---- records of an outcome (Book A, Table 6-2) ---- */

static void an_outcome_says_which_records_it_has(void)
{
    for (unsigned which = 0; which < 4; which++) {
        set_up(&plain);
        if (which & 1) record = BYTES("\x9C\1\0");
        if (which & 2) discretionary = BYTES("\x82\2\0\0");
        begin();
        tap_same();
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        property(outcome.data_record_present == ((which & 1) != 0), "Data Record Present", which);
        property(outcome.discretionary_present == ((which & 2) != 0), "Discretionary Data Present", which);
    }
    set_up(&plain);
    discretionary = BYTES("\x82\2\0\0");
    plan[0] = cemv_outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_KERNEL);
    plan[0].start = CEMV_START_B;
    begin();
    tap_same();
    discretionary = of(NULL, 0);
    tap_same();
    property(!cemv_session_outcome(session).discretionary_present, "records are those of the last activation", 0);
}

/* ---- the data of an activation ---- */

static void an_activation_knows_its_start(void)
{
    for (unsigned autorun = 0; autorun < 2; autorun++) {
        set_up(&plain);
        transaction.start_b = autorun != 0;
        begin();
        tap_same();
        property(activations == 1 && given[0].start == (autorun ? CEMV_START_B : CEMV_START_A), "A, or B by itself",
                 autorun);
        property(given[0].status_word == 0x9000, "the status word of the final SELECT", autorun);
        property(!given[0].restarted && !given[0].online_response_present, "the first activation", autorun);
    }
}

/* Book A, 8.1.1.21-22: the driver's removal time-out reaches the kernel with the issuer's answer. */
static void a_removal_time_out_is_told(void)
{
    static const uint8_t starts[] = { CEMV_START_B, CEMV_START_D };
    for (unsigned timed_out = 0; timed_out < 2; timed_out++)
        for (size_t i = 0; i < sizeof starts; i++) {
            const uint8_t first = starts[i];
            set_up(&plain);
            plan[0] = cemv_outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL);
            plan[0].start = first;
            plan[0].online_response = CEMV_ONLINE_RESPONSE_ANY;
            begin();
            tap_same();
            const struct cemv_reply answer = { .kind = CEMV_REPLY_ONLINE, .removal_timed_out = timed_out != 0 };
            cemv_session_reply(session, &answer);
            if (first == CEMV_START_B) tap_same();
            property(activations == 2, "the kernel goes on", first);
            property(given[1].removal_timed_out == (timed_out != 0), "and is told of the time-out", first);
            property(given[1].status_word == (first == CEMV_START_D ? 0 : 0x9000), "no SELECT, no status word", first);
            property(given[1].start == first && given[1].restarted, "where it was started", first);
        }
}

/* The Restart flag is for one combination and ADF name (Book B, glossary): a name that extends the earlier one is
 * a different name. */
static void another_name_is_no_restart(void)
{
    const cemv_bytes rests[] = { BYTES(""), BYTES("\0"), BYTES("\1"), BYTES("\0\0") };
    for (unsigned first = 0; first < 4; first++)
        for (unsigned second = 0; second < 4; second++) {
            set_up(&plain);
            plan[0] = cemv_outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_KERNEL);
            plan[0].start = CEMV_START_B;
            begin();
            tap(rests[first]);
            tap(rests[second]);
            property(activations == 2, "two activations", first << 8 | second);
            property(given[1].restarted == (first == second), "restarted only under the same name",
                     first << 8 | second);
            property(given[1].df_name.size == 5 + rests[second].size &&
                         memcmp(name_given[1] + 5, rests[second].data, rests[second].size) == 0,
                     "the name is the card's", first << 8 | second);
        }
}

/* ---- how a kernel sees a reply ---- */

/* A kernel sees a removed card as a time-out, and a malformed response as a protocol fault; neither has bytes
 * (attacks.md, R10). */
static void a_kernel_sees_responses_or_faults(void)
{
    static const uint8_t bytes[1100] = { 0x90 };
    static const struct {
        uint8_t kind;
        uint16_t size;
        uint8_t seen;
        bool whole;
    } replies[] = {
        { CEMV_REPLY_RESPONSE, 2, CEMV_REPLY_RESPONSE, true },
        { CEMV_REPLY_RESPONSE, CEMV_MAX_RESPONSE, CEMV_REPLY_RESPONSE, true },
        { CEMV_REPLY_RESPONSE, 0, CEMV_REPLY_PROTOCOL, false },
        { CEMV_REPLY_RESPONSE, 1, CEMV_REPLY_PROTOCOL, false },
        { CEMV_REPLY_RESPONSE, CEMV_MAX_RESPONSE + 1, CEMV_REPLY_PROTOCOL, false },
        { CEMV_REPLY_RESPONSE, 1100, CEMV_REPLY_PROTOCOL, false },
        { CEMV_REPLY_REMOVED, 0, CEMV_REPLY_TIMEOUT, false },
        { CEMV_REPLY_TIMEOUT, 2, CEMV_REPLY_TIMEOUT, false },
        { CEMV_REPLY_TRANSMISSION, 2, CEMV_REPLY_TRANSMISSION, false },
        { CEMV_REPLY_PROTOCOL, 2, CEMV_REPLY_PROTOCOL, false },
    };
    for (unsigned i = 0; i < sizeof replies / sizeof replies[0]; i++) {
        set_up(&plain);
        first_action = SEND;
        begin();
        tap_same();
        property(say(replies[i].kind, of(bytes, replies[i].size)) == CEMV_STEP_DONE, "the kernel has its reply", i);
        property(reply_seen == replies[i].seen, "as a response or a fault", i);
        property(reply_size == (replies[i].whole ? replies[i].size : 0), "a fault has no bytes", i);
    }
}

/* ---- work while the card is busy ---- */

static void work_is_for_a_kernels_command(void)
{
    static const enum action actions[] = { SEND, ASK, PUBLISH };
    for (unsigned i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        set_up(&working);
        first_action = actions[i];
        computed = 0;
        begin();
        property(!cemv_session_has_work(session) && !cemv_session_work(session), "no card, no work", i);
        tap_same();
        const bool sends = actions[i] == SEND;
        property(cemv_session_has_work(session) == sends, "work while a command is under way", i);
        property(cemv_session_work(session) == sends && computed == sends, "and no other time", i);
    }
    set_up(&working);
    plan[0] = cemv_outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_KERNEL);
    plan[0].start = CEMV_START_B;
    begin();
    tap_same();
    say(CEMV_REPLY_CARD, BYTES(""));
    property(cemv_session_step(session) == CEMV_STEP_SEND && !cemv_session_has_work(session),
             "Entry Point has none, after a kernel either", 0);
}

/* ---- answers ---- */

static void park(uint8_t start_at, uint8_t condition)
{
    set_up(&plain);
    plan[0] = cemv_outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL);
    plan[0].start = start_at;
    plan[0].online_response = condition;
    begin();
    property(tap_same() == CEMV_STEP_PARKED, "a parked outcome", condition);
}

/* Only an ONLINE reply can report that no answer came. If the kernel wants no answer, there is no restart (Book A,
 * 8.1.1.22). */
static void what_an_answer_says_depends_on_its_kind(void)
{
    const cemv_bytes answer = BYTES("\x91\x08\1\2\3\4\5\6\7\x08");
    for (unsigned pin = 0; pin < 2; pin++) {
        const struct cemv_reply to = { .kind = pin ? CEMV_REPLY_PIN : CEMV_REPLY_ONLINE,
                                       .unable_to_go_online = true,
                                       .bytes = answer };
        park(CEMV_START_D, CEMV_ONLINE_RESPONSE_ANY);
        cemv_session_reply(session, &to);
        property(activations == 2 && given[1].unable_to_go_online == !pin, "no answer came", pin);
        property(given[1].online_response.size == (pin ? answer.size : 0), "then it has no bytes", pin);
        static const uint8_t too_long[CEMV_MAX_ISSUER_DATA + 1] = { 0x71 };
        const struct cemv_reply longer = { .kind = to.kind,
                                           .unable_to_go_online = true,
                                           .bytes = of(too_long, sizeof too_long) };
        park(CEMV_START_D, CEMV_ONLINE_RESPONSE_ANY);
        cemv_session_reply(session, &longer);
        property((cemv_session_step(session) == CEMV_STEP_PARKED) == (pin != 0), "nor any that could be too long", pin);
    }
    park(CEMV_START_B, CEMV_ONLINE_RESPONSE_NA);
    property(say(CEMV_REPLY_ONLINE, answer) == CEMV_STEP_DONE && activations == 1, "an answer that nobody wants", 0);
    property(cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST, "leaves the outcome", 0);
}

/* After an issuer's answer, faults that use up the presentments end without a message: the issuer's decision remains
 * (cemv_session.h, Answers). A PIN is not a decision, and neither is the report that no answer came. */
static void only_a_decision_silences_the_reader(void)
{
    static const struct {
        uint8_t kind;
        bool unable, silent;
    } cases[] = { { CEMV_REPLY_ONLINE, false, true },
                  { CEMV_REPLY_ONLINE, true, false },
                  { CEMV_REPLY_PIN, false, false } };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        park(CEMV_START_B, CEMV_ONLINE_RESPONSE_ANY);
        const struct cemv_reply to = { .kind = cases[i].kind, .unable_to_go_online = cases[i].unable };
        cemv_session_reply(session, &to);
        for (unsigned tries = 0; tries < 10 && cemv_session_step(session) == CEMV_STEP_POLL; tries++)
            say(CEMV_REPLY_TIMEOUT, BYTES(""));
        property(cemv_session_step(session) == CEMV_STEP_DONE, "the presentments are used up", i);
        property((cemv_session_ui_count(session) == 0) == cases[i].silent, "silent after a decision alone", i);
    }
}

/* ---- the reader's memory, the pool of random numbers ---- */

/* The session owns the reader's memory until it is done or wiped; then the caller owns it again (cemv_session.h). */
static void a_finished_session_leaves_the_reader_alone(void)
{
    for (unsigned finished = 0; finished < 2; finished++) {
        static struct cemv_reader_memory reader;
        memset(&reader, 0, sizeof reader);
        set_up(&plain);
        transaction.reader = &reader;
        begin();
        if (finished) tap_same();
        property((cemv_session_step(session) == CEMV_STEP_DONE) == (finished != 0), "done, or on its way", finished);
        reader.recovery.kernel = 1, reader.recovery.size = 5;
        cemv_session_wipe(session);
        property(reader.recovery.size == (finished ? 5 : 0), "what another session keeps there", finished);
    }
    for (size_t record_at = 0; record_at < CEMV_TORN_RECORDS; record_at++) {
        static struct cemv_reader_memory reader;
        memset(&reader, 0, sizeof reader);
        reader.torn_count = CEMV_TORN_RECORDS;
        reader.torn[record_at].size = CEMV_TORN_RECORD_CAPACITY + 1;
        set_up(&plain);
        begin();
        property(!cemv_session_set_reader(session, &reader), "every record is looked at", (unsigned)record_at);
    }
}

static void chance_is_asked_for_without_a_deadline(void)
{
    set_up(&plain);
    plan[0] = cemv_outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_KERNEL);
    plan[0].start = CEMV_START_B;
    pool = BYTES("\1\2\3\4");
    begin();
    tap_same();
    property(tap_same() == CEMV_STEP_ASK, "the pool is empty", 0);
    const struct cemv_question question = cemv_session_question(session);
    property(question.kind == CEMV_ASK_RANDOM && question.deadline_ms == 0 && question.bytes.size == 0,
             "random bytes, whenever they come", 0);
}

/* Each query belongs to a step; in another one it returns nothing of an earlier step. */
static void a_query_belongs_to_its_step(void)
{
    static const enum action actions[] = { SEND, ASK, PUBLISH, FINISH };
    for (unsigned i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        set_up(&plain);
        first_action = actions[i];
        plan[0].status = CEMV_OUTCOME_TRY_AGAIN, plan[0].field_off_100ms = 7;
        plan[1].status = CEMV_OUTCOME_ONLINE_REQUEST, plan[1].start = CEMV_START_B;
        begin();
        for (unsigned replies = 0; replies < 12; replies++) {
            const enum cemv_step step = cemv_session_step(session);
            const struct cemv_poll poll = cemv_session_poll(session);
            const struct cemv_question question = cemv_session_question(session);
            const bool asks = step == CEMV_STEP_ASK;
            property((question.kind == CEMV_ASK_KERNEL) == asks && (question.bytes.size == 2) == asks, "a question", i);
            property(asks ? question.deadline_ms == 500
                          : question.kind == 0 && question.deadline_ms == 0 && question.bytes.size == 0,
                     "a deadline", i);
            if (step != CEMV_STEP_POLL)
                property(!poll.removal_first && poll.field_off_ms == CEMV_FIELD_KEEP, "no request of an earlier POLL",
                         i);
            property((cemv_session_command(session).size != 0) == (step == CEMV_STEP_SEND), "a command", i);
            property(cemv_session_ui(session, cemv_session_ui_count(session)).message == CEMV_MESSAGE_CLEAR_DISPLAY,
                     "no message beyond the last", i);
            if (step == CEMV_STEP_POLL) tap_same();
            else
                say(step == CEMV_STEP_SEND   ? CEMV_REPLY_RESPONSE
                    : asks                   ? CEMV_REPLY_DATA
                    : step == CEMV_STEP_WORK ? CEMV_REPLY_CONTINUE
                                             : CEMV_REPLY_ONLINE,
                    BYTES("\x90\0"));
        }
    }
}

/* ---- kernels that break the contract of cemv_kernel.h ---- */

static const uint8_t every_status[] = { CEMV_OUTCOME_APPROVED,        CEMV_OUTCOME_DECLINED,
                                        CEMV_OUTCOME_ONLINE_REQUEST,  CEMV_OUTCOME_REQUEST_ONLINE_PIN,
                                        CEMV_OUTCOME_END_APPLICATION, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE };

/* An approval whose record was lost cannot be booked, and a request without one cannot be sent. Other outcomes keep
 * their status. */
static void nothing_is_approved_without_its_record(void)
{
    static const uint8_t long_record[CEMV_RECORD_CAPACITY + 1];
    for (unsigned i = 0; i < sizeof every_status; i++) {
        const bool needs = i == 0 || i == 2 || i == 3;
        set_up(&plain);
        plan[0] = cemv_outcome_of(every_status[i], CEMV_REASON_KERNEL);
        record = of(long_record, sizeof long_record);
        begin();
        property(tap_same() == CEMV_STEP_DONE, "a record that does not fit ends the transaction", i);
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        property(outcome.status == (needs ? CEMV_OUTCOME_END_APPLICATION : every_status[i]), "without an approval", i);
        property(outcome.reason == CEMV_REASON_STORE_FULL && !outcome.data_record_present, "and says why", i);
        if (needs)
            property(cemv_session_ui(session, cemv_session_ui_count(session) - 1).message ==
                         CEMV_MESSAGE_TRY_ANOTHER_CARD,
                     "and on the display", i);
    }
}

#ifndef CEMV_TRAP_EDGES
static void fails_safe(const char *name, unsigned detail)
{
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    property(cemv_session_step(session) == CEMV_STEP_DONE && outcome.status == CEMV_OUTCOME_END_APPLICATION &&
                 outcome.reason == CEMV_REASON_INTERNAL,
             name, detail);
    property(outcome.kernel_id_size == 1 && outcome.kernel_id[0] == 0x21, "and names the kernel", detail);
    property(!outcome.data_record_present && !outcome.discretionary_present, "without its data", detail);
}

/* A kernel that neither sends, asks, publishes nor finishes would repeat its last step for ever. */
static void a_kernel_that_does_nothing_is_ended(void)
{
    static const enum action first[] = { SEND, ASK, PUBLISH };
    set_up(&plain);
    first_action = NOTHING;
    begin();
    tap_same();
    fails_safe("a start that does nothing", 0);
    for (unsigned i = 0; i < sizeof first / sizeof first[0]; i++) {
        set_up(&plain);
        first_action = first[i];
        second_action = NOTHING;
        begin();
        const enum cemv_step step = tap_same();
        say(step == CEMV_STEP_SEND  ? CEMV_REPLY_RESPONSE
            : step == CEMV_STEP_ASK ? CEMV_REPLY_DATA
                                    : CEMV_REPLY_CONTINUE,
            BYTES("\x90\0"));
        fails_safe("a reply that does nothing", i);
    }
}

/* A status or start that no enumerator has, and records that are not data objects. */
static void impossible_outcomes_fail_safe(void)
{
    for (unsigned value = 0; value < 256; value++) {
        bool is_status = value == CEMV_OUTCOME_SELECT_NEXT || value == CEMV_OUTCOME_TRY_AGAIN;
        for (unsigned i = 0; i < sizeof every_status; i++) is_status = is_status || value == every_status[i];
        const bool is_start = value % 16 == 0 && (value <= CEMV_START_D || value == CEMV_START_NA);
        set_up(&plain);
        plan[0].status = (uint8_t)value;
        begin();
        tap_same();
        if (!is_status) fails_safe("a status that does not exist", value);
        else property(cemv_session_outcome(session).reason != CEMV_REASON_INTERNAL, "a status", value);
        set_up(&plain);
        plan[0].start = (uint8_t)value;
        begin();
        tap_same();
        if (!is_start) fails_safe("a start that does not exist", value);
        else property(cemv_session_outcome(session).status == CEMV_OUTCOME_APPROVED, "a start", value);
    }
    for (unsigned i = 0; i < 2; i++) {
        set_up(&plain);
        *(i ? &record : &discretionary) = BYTES("\x9C\2\0");
        begin();
        tap_same();
        fails_safe("a record that is cut off", i);
        set_up(&plain);
        *(i ? &record : &discretionary) = BYTES("\x9F\x81\x82\x83\x04\1\0");
        begin();
        tap_same();
        fails_safe("a tag that does not exist", i);
    }
}
#endif

void properties_of_driver(void)
{
    PART(a_step_takes_its_replies_alone);
    PART(a_stop_is_the_kernels);
    PART(unsolicited_data_reach_the_kernel);
    PART(findings_of_every_activation_are_reported);
    PART(an_outcome_says_which_records_it_has);
    PART(an_activation_knows_its_start);
    PART(a_removal_time_out_is_told);
    PART(another_name_is_no_restart);
    PART(a_kernel_sees_responses_or_faults);
    PART(work_is_for_a_kernels_command);
    PART(what_an_answer_says_depends_on_its_kind);
    PART(only_a_decision_silences_the_reader);
    PART(a_finished_session_leaves_the_reader_alone);
    PART(chance_is_asked_for_without_a_deadline);
    PART(a_query_belongs_to_its_step);
    PART(nothing_is_approved_without_its_record);
#ifndef CEMV_TRAP_EDGES
    PART(a_kernel_that_does_nothing_is_ended);
    PART(impossible_outcomes_fail_safe);
#endif
}
