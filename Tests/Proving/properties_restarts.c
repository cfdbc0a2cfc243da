/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of restarts (Book A, 8.1.1.19-24; Book B, 3.3.2.1, 3.5): who gets an issuer's answer, what is shown, when
 * the field is switched off, and the limits that end them. A third-party kernel ends each activation with a given
 * outcome. */
#include <string.h>

#include "CEMVInternals.h"
#include "../../Sources/CEMV/include/cemv_kernel.h"
#include "bytes.h"
#include "properties.h"

enum { ACTIVATIONS = 16 };

/* ---- the kernel ---- */

static struct cemv_outcome plan[ACTIVATIONS];
static struct {
    uint8_t start, remembered, name, aid_size, aid[16], floor_size, floor[4];
    bool restarted, answered, unable;
    size_t answer_size, fci_size;
} seen[ACTIVATIONS];
static unsigned activations, shows;
static bool sends;

static enum cemv_step finish(struct cemv_kernel *kernel)
{
    return cemv_kernel_finish(kernel, &plan[activations - 1], BYTES("\x9C\1\0"), BYTES("\x82\2\0\0"));
}

static enum cemv_step player_start(struct cemv_kernel *kernel)
{
    const struct cemv_command read = { .ins = 0xB2, .p1 = 1, .p2 = 0x0C, .le = CEMV_LE_MAX };
    const struct cemv_activation a = cemv_kernel_activation(kernel);
    const struct cemv_ui_request request = cemv_ui_of(CEMV_MESSAGE_PROCESSING, CEMV_UI_PROCESSING);
    const cemv_bytes aid = cemv_kernel_terminal_data(kernel, 0x9F06), floor = cemv_kernel_terminal_data(kernel, 0x9F1B);
    uint8_t *const memory = cemv_kernel_memory(kernel);
    const unsigned now = activations++;
    seen[now].start = a.start;
    seen[now].restarted = a.restarted;
    seen[now].answered = a.online_response_present;
    seen[now].unable = a.unable_to_go_online;
    seen[now].answer_size = a.online_response.size;
    seen[now].fci_size = a.fci.size;
    seen[now].name = a.df_name.data[a.df_name.size - 1];
    seen[now].remembered = memory[0]++;
    seen[now].aid_size = (uint8_t)aid.size;
    seen[now].floor_size = (uint8_t)floor.size;
    memcpy(seen[now].aid, aid.data ? aid.data : BYTES("").data, aid.size);
    memcpy(seen[now].floor, floor.data ? floor.data : BYTES("").data, floor.size);
    for (unsigned i = 0; i < shows; i++)
        property(cemv_kernel_show(kernel, &request) == (i < CEMV_MAX_KERNEL_UI_REQUESTS), "a kernel's share", i);
    return sends ? cemv_kernel_send(kernel, 1, &read) : finish(kernel);
}

static enum cemv_step player_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    (void)reply;
    property(cemv_kernel_activation(kernel).restarted == seen[activations - 1].restarted,
             "the flag stays for the activation", activations);
    return finish(kernel);
}
static const struct cemv_kernel_module player = { .start = player_start, .reply = player_reply };
static const struct cemv_pdol_demand ttq = { { 0xA0, 0, 0, 0, 3 }, 0x9F66 };
static const struct cemv_kernel_module demanding = {
    .start = player_start, .reply = player_reply, .demands = &ttq, .demand_count = 1
};

/* ---- the reader and the card ---- */

enum { FIRST = 1, SECOND = 2 }; /* the last bytes of two applications' names */
static struct cemv_combination rows[3];
static struct cemv_configuration configuration;
static struct cemv_transaction transaction;
static struct cemv_session *session;
static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_SESSION_SIZE], checked_memory[8192];

static const char both[] = "\x6F\x2D\x84\x0E"
                           "2PAY.SYS.DDF01\xA5\x1B\xBF\x0C\x18"
                           "\x61\x0A\x4F\5\xF0\0\0\0\1\x87\1\1\x61\x0A\x4F\5\xF0\0\0\0\2\x87\1\2\x90\0";
static const char second_only[] = "\x6F\x21\x84\x0E"
                                  "2PAY.SYS.DDF01\xA5\x0F\xBF\x0C\x0C\x61\x0A\x4F\5\xF0\0\0\0\2\x87\1\2\x90\0";
static const char fci[] = "\x6F\x0D\x84\5\xF0\0\0\0\1\xA5\4\x9F\x38\1\0\x90\0";
#define ANSWER                                                                                                         \
    BYTES("\x8A\2"                                                                                                     \
          "00\x91\2\1\2")
#define CODE_ONLY                                                                                                      \
    BYTES("\x8A\2"                                                                                                     \
          "00")

static void open_reader(void)
{
    static const struct cemv_kernel_row kernels[] = { { { 0x21 }, 1, &player },
                                                      { { 0x22 }, 1, &player },
                                                      { { 3 }, 1, &demanding } };
    memset(seen, 0, sizeof seen);
    memset(rows, 0, sizeof rows);
    rows[0] = (struct cemv_combination){ .aid = BYTES("\xF0\0\0\0\1"), .kernel_id = { 0x21 }, .kernel_id_size = 1 };
    rows[1] = (struct cemv_combination){ .aid = BYTES("\xF0\0\0\0\2"), .kernel_id = { 0x21 }, .kernel_id_size = 1 };
    configuration = (struct cemv_configuration){
        .combinations = rows, .combination_count = 2, .kernels = kernels, .kernel_count = 3
    };
    transaction =
        (struct cemv_transaction){ .amount = 123, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 } };
    for (size_t i = 0; i < ACTIVATIONS; i++) plan[i] = cemv_outcome_of(CEMV_OUTCOME_APPROVED, CEMV_REASON_KERNEL);
    activations = shows = 0, sends = false;
}

static void begin(void)
{
    static uint8_t random[CEMV_RANDOM_POOL];
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    for (size_t i = 0; i < sizeof random; i++) random[i] = (uint8_t)(i + 1);
    property(cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) ==
                 CEMV_OK,
             "a configuration", error.field);
    property(cemv_session_begin(memory, sizeof memory, checked, &transaction, of(random, sizeof random), &session,
                                &error) == CEMV_OK,
             "a transaction", error.field);
}

static enum cemv_step say(uint8_t kind, cemv_bytes bytes)
{
    const struct cemv_reply reply = { .kind = kind, .bytes = bytes };
    enum cemv_step step = cemv_session_reply(session, &reply);
    static uint8_t fresh[4];
    while (step == CEMV_STEP_ASK) {
        const struct cemv_reply more = { .kind = CEMV_REPLY_DATA, .bytes = { fresh, sizeof fresh } };
        fresh[0]++;
        fresh[3] = 0xEE;
        step = cemv_session_reply(session, &more);
    }
    return step;
}

/* A card with both applications, up to the answer to the final SELECT. */
static enum cemv_step tap(bool with_directory)
{
    say(CEMV_REPLY_CARD, BYTES(""));
    if (with_directory) say(CEMV_REPLY_RESPONSE, BYTES(both));
    return say(CEMV_REPLY_RESPONSE, BYTES(fci));
}

static uint8_t selected(void)
{
    const cemv_bytes command = cemv_session_command(session);
    return command.size == 11 && command.data[1] == 0xA4 ? command.data[9] : 0;
}

static struct cemv_outcome outcome_of(uint8_t status, uint8_t start, uint8_t condition)
{
    struct cemv_outcome outcome = cemv_outcome_of(status, CEMV_REASON_KERNEL);
    outcome.start = start;
    outcome.online_response = condition;
    return outcome;
}

static bool ended(uint8_t status, uint8_t reason, uint8_t message)
{
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    const uint8_t shown = outcome.ui_on_outcome_present ? outcome.ui_on_outcome.message : 0;
    return cemv_session_step(session) == CEMV_STEP_DONE && outcome.status == status && outcome.reason == reason &&
           shown == message;
}

static uint8_t last_message(void)
{
    const size_t count = cemv_session_ui_count(session);
    return count ? cemv_session_ui(session, count - 1).message : 0;
}

/* ---- the issuer's answer ---- */

/* The first presentment goes online for the first application, or for the second after Select Next. */
static void park(uint8_t start, uint8_t condition, bool after_select_next)
{
    open_reader();
    plan[0] = outcome_of(CEMV_OUTCOME_SELECT_NEXT, CEMV_START_C, CEMV_ONLINE_RESPONSE_NA);
    plan[after_select_next] = outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, start, condition);
    plan[after_select_next].ui_on_restart_present = true;
    plan[after_select_next].ui_on_restart = cemv_ui_of(CEMV_MESSAGE_PRESENT_AGAIN, CEMV_UI_READY_TO_READ);
    begin();
    tap(true);
    if (after_select_next) say(CEMV_REPLY_RESPONSE, BYTES(fci));
    property(cemv_session_step(session) == CEMV_STEP_PARKED, "the issuer is asked", start);
}

/* No other application is selected, and none gets the answer (Book B, 3.3.3.5; attacks.md, A29). */
static void only_the_application_that_asked_gets_the_answer(void)
{
    for (unsigned which = 0; which < 2; which++) {
        const uint8_t name = which ? SECOND : FIRST;
        park(CEMV_START_B, CEMV_ONLINE_RESPONSE_EMV_DATA, which);
        say(CEMV_REPLY_ONLINE, ANSWER);
        say(CEMV_REPLY_CARD, BYTES(""));
        property(selected() == name, "it is selected at once", which);
        say(CEMV_REPLY_RESPONSE, BYTES("\x6A\x82"));
        property(ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_STATUS, CEMV_MESSAGE_TRY_ANOTHER_CARD),
                 "or nothing is", which);
        park(CEMV_START_B, CEMV_ONLINE_RESPONSE_EMV_DATA, which);
        plan[which + 1] = outcome_of(CEMV_OUTCOME_SELECT_NEXT, CEMV_START_C, CEMV_ONLINE_RESPONSE_NA);
        say(CEMV_REPLY_ONLINE, ANSWER);
        tap(false);
        property(activations == which + 2 && seen[which + 1].answered && seen[which + 1].name == name,
                 "it gets the answer", which);
        property(ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_KERNEL, CEMV_MESSAGE_TRY_ANOTHER_CARD),
                 "and Select Next ends", which);
        /* Without data for the card the directory is read again: still no other application. */
        park(CEMV_START_B, CEMV_ONLINE_RESPONSE_ANY, which);
        say(CEMV_REPLY_ONLINE, CODE_ONLY);
        say(CEMV_REPLY_CARD, BYTES(""));
        property(selected() == 0, "the directory is read", which);
        say(CEMV_REPLY_RESPONSE, BYTES(both));
        property(selected() == name, "the application that asked, whatever its priority", which);
        say(CEMV_REPLY_RESPONSE, BYTES(fci));
        property(activations == which + 2 && seen[which + 1].answered && seen[which + 1].answer_size == 4,
                 "the code alone", which);
        park(CEMV_START_B, CEMV_ONLINE_RESPONSE_ANY, which);
        say(CEMV_REPLY_ONLINE, CODE_ONLY);
        say(CEMV_REPLY_CARD, BYTES(""));
        say(CEMV_REPLY_RESPONSE, BYTES(both));
        say(CEMV_REPLY_RESPONSE, BYTES("\x6A\x82"));
        property(ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_STATUS, CEMV_MESSAGE_TRY_ANOTHER_CARD),
                 "or nothing here", which);
        park(CEMV_START_B, CEMV_ONLINE_RESPONSE_ANY, which);
        say(CEMV_REPLY_ONLINE, CODE_ONLY);
        say(CEMV_REPLY_CARD, BYTES(""));
        say(CEMV_REPLY_RESPONSE, BYTES(second_only));
        property(which ? selected() == SECOND
                       : ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_NO_COMMON_APPLICATION,
                               CEMV_MESSAGE_TRY_ANOTHER_CARD),
                 "a card without it is another card", which);
    }
    /* One row, three names: only exactly the one that asked. */
    for (unsigned which = 0; which < 3; which++) {
        static const char names[] =
            "\x6F\x32\x84\x0E"
            "2PAY.SYS.DDF01\xA5\x20\xBF\x0C\x1D"
            "\x61\x08\x4F\6\xF0\0\0\0\1\1\x61\x08\x4F\6\xF0\0\0\0\1\2\x61\7\x4F\5\xF0\0\0\0\1\x90\0";
        open_reader();
        configuration.combination_count = 1;
        for (unsigned i = 0; i < which; i++)
            plan[i] = outcome_of(CEMV_OUTCOME_SELECT_NEXT, CEMV_START_C, CEMV_ONLINE_RESPONSE_NA);
        plan[which] = outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_START_B, CEMV_ONLINE_RESPONSE_ANY);
        begin();
        say(CEMV_REPLY_CARD, BYTES(""));
        say(CEMV_REPLY_RESPONSE, BYTES(names));
        for (unsigned i = 0; i <= which; i++) say(CEMV_REPLY_RESPONSE, BYTES(fci));
        say(CEMV_REPLY_ONLINE, CODE_ONLY);
        say(CEMV_REPLY_CARD, BYTES(""));
        say(CEMV_REPLY_RESPONSE, BYTES(names));
        const cemv_bytes command = cemv_session_command(session);
        property(command.size == (which < 2 ? 12 : 11) && (which == 2 || command.data[10] == which + 1), "by its name",
                 which);
    }
    /* 3.3.3.6: an FCI without 9F66. */
    open_reader();
    rows[0] = (struct cemv_combination){ .aid = BYTES("\xA0\0\0\0\3"), .kernel_id = { 3 }, .kernel_id_size = 1 };
    rows[1] = rows[0], rows[1].aid = BYTES("\xA0\0\0\0\3\x20");
    plan[0] = outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_START_B, CEMV_ONLINE_RESPONSE_EMV_DATA);
    begin();
    say(CEMV_REPLY_CARD, BYTES(""));
    say(CEMV_REPLY_RESPONSE, BYTES("\x6F\x2E\x84\x0E"
                                   "2PAY.SYS.DDF01\xA5\x1C\xBF\x0C\x19"
                                   "\x61\x0A\x4F\5\xA0\0\0\0\3\x87\1\1\x61\x0B\x4F\6\xA0\0\0\0\3\x20\x87\1\2\x90\0"));
    say(CEMV_REPLY_RESPONSE, BYTES("\x6F\7\xA5\5\x9F\x38\2\x9F\x66\x90\0"));
    say(CEMV_REPLY_RESPONSE, BYTES("\x6F\x08\xA5\6\x9F\x38\3\x9F\x66\4\x90\0"));
    property(activations == 1 && cemv_session_step(session) == CEMV_STEP_PARKED, "an FCI with it", activations);
    say(CEMV_REPLY_ONLINE, ANSWER);
    say(CEMV_REPLY_CARD, BYTES(""));
    say(CEMV_REPLY_RESPONSE, BYTES("\x6F\x08\xA5\6\x9F\x38\3\x9F\x37\4\x90\0"));
    property(activations == 1 &&
                 ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA, CEMV_MESSAGE_TRY_ANOTHER_CARD),
             "and one without", activations);
}

/* Every further presentment passes the answer to the kernel again, and the kernel can tell it from a first one (Book A,
 * 8.1.1.7). */
static void every_further_presentment_brings_the_answer(void)
{
    static const uint8_t statuses[] = { CEMV_OUTCOME_TRY_AGAIN, CEMV_OUTCOME_END_APPLICATION };
    for (unsigned i = 0; i < 2; i++)
        for (unsigned unable = 0; unable < 2; unable++)
            for (unsigned start = 0; start < 3; start++) {
                static const uint8_t starts[] = { CEMV_START_B, CEMV_START_D, CEMV_START_C };
                const struct cemv_reply reply = { .kind = CEMV_REPLY_ONLINE,
                                                  .bytes = ANSWER,
                                                  .unable_to_go_online = unable };
                park(starts[start], CEMV_ONLINE_RESPONSE_ANY, false);
                for (unsigned n = 1; n < 4; n++)
                    plan[n] = outcome_of(statuses[i], CEMV_START_B, CEMV_ONLINE_RESPONSE_NA);
                cemv_session_reply(session, &reply);
                for (unsigned n = 1; n < 4; n++) {
                    if (i && n > 1) say(CEMV_REPLY_REMOVED, BYTES(""));
                    if (n > 1 || start == 0) tap(unable);
                    else if (start == 2) say(CEMV_REPLY_RESPONSE, BYTES(fci));
                    property(activations == n + 1 && seen[n].answered && seen[n].restarted, "the answer comes again",
                             i << 8 | n);
                    property(seen[n].unable == unable && seen[n].answer_size == (unable ? 0 : 8), "as it was",
                             i << 8 | n);
                    property(seen[n].start == (n == 1 ? starts[start] : CEMV_START_B), "from Start B", i << 8 | n);
                }
            }
}

/* ---- limits ---- */

/* Presentments before a restart by the reader do not count after it (Book A, 8.1.1.22-23): no card is requested in
 * vain. */
static void each_restart_has_presentments_of_its_own(void)
{
    for (uint8_t taps = 1; taps < 4; taps++) {
        for (unsigned faults = 0; faults < taps; faults++) {
            open_reader();
            configuration.protection.max_taps = taps;
            plan[0] = outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_START_B, CEMV_ONLINE_RESPONSE_EMV_DATA);
            begin();
            for (unsigned i = 0; i < faults; i++) {
                say(CEMV_REPLY_CARD, BYTES(""));
                say(CEMV_REPLY_TIMEOUT, BYTES(""));
            }
            property(tap(true) == CEMV_STEP_PARKED, "the last presentment goes online", taps);
            say(CEMV_REPLY_ONLINE, ANSWER);
            for (unsigned i = 1; i < taps; i++) {
                say(CEMV_REPLY_CARD, BYTES(""));
                property(say(CEMV_REPLY_TIMEOUT, BYTES("")) == CEMV_STEP_POLL, "the second has as many", taps << 8 | i);
            }
            tap(false);
            property(activations == 2 && cemv_session_taps(session) == faults + 1 + taps, "and all are counted",
                     taps << 8 | faults);
        }
        /* End Application restarts too. */
        open_reader();
        configuration.protection.max_taps = taps;
        plan[0] = outcome_of(CEMV_OUTCOME_END_APPLICATION, CEMV_START_B, CEMV_ONLINE_RESPONSE_NA);
        begin();
        for (unsigned i = 1; i < taps; i++) {
            say(CEMV_REPLY_CARD, BYTES(""));
            say(CEMV_REPLY_TIMEOUT, BYTES(""));
        }
        tap(true);
        say(CEMV_REPLY_REMOVED, BYTES(""));
        for (unsigned i = 1; i < taps; i++) {
            say(CEMV_REPLY_CARD, BYTES(""));
            say(CEMV_REPLY_TIMEOUT, BYTES(""));
        }
        tap(true);
        property(activations == 2 && cemv_session_taps(session) == 2u * taps, "as many presentments after it", taps);
        /* Try Again does not count as a restart by the reader. */
        open_reader();
        configuration.protection.max_taps = taps;
        for (unsigned i = 0; i < 8; i++)
            plan[i] = outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_START_B, CEMV_ONLINE_RESPONSE_NA);
        begin();
        for (unsigned i = 0; i < taps; i++) tap(true);
        property(activations == taps &&
                     ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_TOO_MANY_TAPS, CEMV_MESSAGE_TRY_ANOTHER_CARD),
                 "Try Again ends", taps);
        /* End Application counts, up to the number of allowed restarts; the last one is rejected before the card is
         * requested. */
        open_reader();
        configuration.protection.max_taps = taps;
        for (unsigned i = 0; i < 8; i++) {
            plan[i] = outcome_of(CEMV_OUTCOME_END_APPLICATION, CEMV_START_B, CEMV_ONLINE_RESPONSE_NA);
            plan[i].ui_on_restart_present = true,
            plan[i].ui_on_restart = cemv_ui_of(CEMV_MESSAGE_PRESENT_AGAIN, CEMV_UI_READY_TO_READ);
            plan[i].error_indication[1] = 4;
        }
        begin();
        for (unsigned i = 0; i <= CEMV_MAX_RESTARTS; i++) {
            if (i) say(CEMV_REPLY_REMOVED, BYTES(""));
            property(cemv_session_step(session) == CEMV_STEP_POLL &&
                         last_message() == (i ? CEMV_MESSAGE_PRESENT_AGAIN : CEMV_MESSAGE_PRESENT_CARD),
                     "who is invited", i);
            tap(true);
            property(activations == i + 1, "is taken", i);
        }
        const struct cemv_outcome last = cemv_session_outcome(session);
        property(ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_TOO_MANY_TAPS, CEMV_MESSAGE_TRY_ANOTHER_CARD),
                 "restarts are used up", taps);
        property(last.start == CEMV_START_NA && !last.ui_on_restart_present && last.error_indication[1] == 4 &&
                     last.kernel_id_size == 1,
                 "the outcome is the kernel's", taps);
        property(cemv_session_data_record(session).size == 3 && cemv_session_discretionary(session).size == 4,
                 "with its records", taps);
    }
}

/* A cryptogram is never discarded: only the restart is rejected (Book A, 8.1.1.20-22; Book B, 3.5.1.5). */
static void refused_restart_leaves_the_outcome(void)
{
    static const uint8_t statuses[] = { CEMV_OUTCOME_ONLINE_REQUEST, CEMV_OUTCOME_REQUEST_ONLINE_PIN };
    for (unsigned which = 0; which < 2; which++) {
        open_reader();
        for (unsigned i = 0; i < CEMV_MAX_RESTARTS; i++)
            plan[i] = outcome_of(CEMV_OUTCOME_END_APPLICATION, CEMV_START_B, CEMV_ONLINE_RESPONSE_NA);
        plan[CEMV_MAX_RESTARTS] = outcome_of(statuses[which], CEMV_START_B, CEMV_ONLINE_RESPONSE_EMV_DATA);
        cemv_outcome_show(&plan[CEMV_MAX_RESTARTS], CEMV_MESSAGE_AUTHORISING, CEMV_UI_PROCESSING);
        begin();
        for (unsigned i = 0; i <= CEMV_MAX_RESTARTS; i++) {
            tap(true);
            say(CEMV_REPLY_REMOVED, BYTES(""));
        }
        property(ended(statuses[which], CEMV_REASON_KERNEL, CEMV_MESSAGE_AUTHORISING), "the request is given", which);
        property(cemv_session_outcome(session).start == CEMV_START_NA && last_message() == CEMV_MESSAGE_AUTHORISING,
                 "and nothing follows", which);
        property(cemv_session_data_record(session).size == 3 && cemv_session_discretionary(session).size == 4,
                 "with its cryptogram", which);
    }
    /* Other outcomes have no restart at all (8.1.1.22-24). */
    static const uint8_t final[] = { CEMV_OUTCOME_APPROVED, CEMV_OUTCOME_DECLINED, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE };
    static const uint8_t starts[] = { CEMV_START_A, CEMV_START_B, CEMV_START_C, CEMV_START_D };
    for (unsigned i = 0; i < 12; i++) {
        open_reader();
        plan[0] = outcome_of(final[i / 4], starts[i % 4], CEMV_ONLINE_RESPONSE_ANY);
        begin();
        property(tap(true) == CEMV_STEP_DONE && ended(final[i / 4], CEMV_REASON_KERNEL, 0), "it is final", i);
        property(cemv_session_data_record(session).size == 3, "with its record", i);
    }
}

/* The issuer has decided: a card that does not come back changes nothing, and nothing is shown (Book C-3, 6.2.1.3). */
static void faults_after_the_decision_end_silently(void)
{
    for (unsigned unable = 0; unable < 2; unable++) {
        const struct cemv_reply reply = { .kind = CEMV_REPLY_ONLINE, .bytes = ANSWER, .unable_to_go_online = unable };
        const uint8_t message = unable ? CEMV_MESSAGE_TRY_ANOTHER_CARD : 0;
        park(CEMV_START_B, CEMV_ONLINE_RESPONSE_ANY, false);
        cemv_session_reply(session, &reply);
        for (unsigned i = 0; i < 3; i++) {
            say(CEMV_REPLY_CARD, BYTES(""));
            say(CEMV_REPLY_TIMEOUT, BYTES(""));
        }
        property(ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_LINK, message), "faults of the link", unable);
        park(CEMV_START_B, CEMV_ONLINE_RESPONSE_ANY, false);
        for (unsigned i = 1; i < 4; i++)
            plan[i] = outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_START_B, CEMV_ONLINE_RESPONSE_NA);
        cemv_session_reply(session, &reply);
        for (unsigned i = 0; i < 3; i++) tap(unable);
        property(ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_TOO_MANY_TAPS, message), "faults that a kernel saw",
                 unable);
        park(CEMV_START_B, CEMV_ONLINE_RESPONSE_ANY, false);
        for (unsigned i = 1; i < 4; i++)
            plan[i] = outcome_of(CEMV_OUTCOME_END_APPLICATION, CEMV_START_B, CEMV_ONLINE_RESPONSE_NA);
        cemv_session_reply(session, &reply);
        for (unsigned i = 0; i < 3; i++) {
            tap(unable);
            say(CEMV_REPLY_REMOVED, BYTES(""));
        }
        property(ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_TOO_MANY_TAPS, message), "restarts used up", unable);
    }
}

/* ---- memory of a kernel, and messages ---- */

/* The Restart flag and the kernel's memory belong to one application and one kernel (Book B, glossary). */
static void restart_flag_and_memory_belong_to_one_application(void)
{
    for (unsigned which = 1; which < 4; which++) {
        open_reader();
        if (which == 1) {
            rows[1] = rows[0];
            rows[1].kernel_id[0] = 0x22;
        } /* one function table, two kernels */
        plan[0] = outcome_of(which == 3 ? CEMV_OUTCOME_TRY_AGAIN : CEMV_OUTCOME_SELECT_NEXT, CEMV_START_C,
                             CEMV_ONLINE_RESPONSE_NA);
        begin();
        tap(true);
        if (which == 3) tap(true);
        else say(CEMV_REPLY_RESPONSE, BYTES(fci));
        property(activations == 2 && !seen[0].restarted && seen[0].remembered == 0, "a first activation", which);
        property(seen[1].restarted == (which == 3) && seen[1].remembered == (which == 3),
                 "Select Next begins anew, Try Again goes on", which);
    }
    /* One application that the card lists twice. */
    open_reader();
    plan[0] = outcome_of(CEMV_OUTCOME_SELECT_NEXT, CEMV_START_C, CEMV_ONLINE_RESPONSE_NA);
    begin();
    say(CEMV_REPLY_CARD, BYTES(""));
    say(CEMV_REPLY_RESPONSE, BYTES("\x6F\x2D\x84\x0E"
                                   "2PAY.SYS.DDF01\xA5\x1B\xBF\x0C\x18"
                                   "\x61\x0A\x4F\5\xF0\0\0\0\1\x87\1\1\x61\x0A\x4F\5\xF0\0\0\0\1\x87\1\2\x90\0"));
    say(CEMV_REPLY_RESPONSE, BYTES(fci));
    say(CEMV_REPLY_RESPONSE, BYTES(fci));
    property(activations == 2 && !seen[1].restarted && seen[1].remembered == 0, "Select Next to the same application",
             0);
    /* Another card answers the next presentment. */
    open_reader();
    plan[0] = outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_START_B, CEMV_ONLINE_RESPONSE_NA);
    begin();
    tap(true);
    say(CEMV_REPLY_CARD, BYTES(""));
    say(CEMV_REPLY_RESPONSE, BYTES(second_only));
    say(CEMV_REPLY_RESPONSE, BYTES(fci));
    property(activations == 2 && seen[1].name == SECOND && !seen[1].restarted && seen[1].remembered == 0,
             "another application", 0);
    /* One row, two names that begin with its AID. */
    open_reader();
    rows[0].aid = BYTES("\xF0\0\0\0\0"), configuration.combination_count = 1;
    plan[0] = outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_START_B, CEMV_ONLINE_RESPONSE_NA);
    begin();
    for (unsigned i = 0; i < 2; i++) {
        say(CEMV_REPLY_CARD, BYTES(""));
        say(CEMV_REPLY_RESPONSE,
            i ? BYTES("\x6F\x22\x84\x0E"
                      "2PAY.SYS.DDF01\xA5\x10\xBF\x0C\x0D\x61\x0B\x4F\6\xF0\0\0\0\0\2\x87\1\1\x90\0")
              : BYTES("\x6F\x22\x84\x0E"
                      "2PAY.SYS.DDF01\xA5\x10\xBF\x0C\x0D\x61\x0B\x4F\6\xF0\0\0\0\0\1\x87\1\1\x90\0"));
        say(CEMV_REPLY_RESPONSE, BYTES(fci));
    }
    property(activations == 2 && seen[1].name == SECOND && !seen[1].restarted && seen[1].remembered == 0,
             "another name", 0);
}

/* The request on restart of the final outcome is retained for the transaction; that of Try Again is for that
 * restart only (A 8.1.1.19). */
static void restart_request_is_retained(void)
{
    park(CEMV_START_B, CEMV_ONLINE_RESPONSE_EMV_DATA, false);
    plan[1] = outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_START_B, CEMV_ONLINE_RESPONSE_NA);
    plan[2] = plan[1], plan[2].ui_on_restart_present = true,
    plan[2].ui_on_restart = cemv_ui_of(CEMV_MESSAGE_SEE_PHONE, CEMV_UI_READY_TO_READ);
    say(CEMV_REPLY_ONLINE, ANSWER);
    property(last_message() == CEMV_MESSAGE_PRESENT_AGAIN, "the restart's message", 0);
    tap(false);
    property(activations == 2 && last_message() == CEMV_MESSAGE_PRESENT_AGAIN, "after a kernel's fault", 0);
    tap(false);
    property(activations == 3 && last_message() == CEMV_MESSAGE_SEE_PHONE, "Try Again may have its own", 0);
    open_reader();
    plan[0] = plan[2] = outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_START_B, CEMV_ONLINE_RESPONSE_NA);
    plan[0].ui_on_restart_present = true,
    plan[0].ui_on_restart = cemv_ui_of(CEMV_MESSAGE_SEE_PHONE, CEMV_UI_READY_TO_READ);
    begin();
    tap(true);
    property(last_message() == CEMV_MESSAGE_SEE_PHONE, "for that one presentment", 0);
    say(CEMV_REPLY_CARD, BYTES(""));
    say(CEMV_REPLY_TIMEOUT, BYTES(""));
    property(last_message() == CEMV_MESSAGE_PRESENT_CARD, "and no further", 0);
    /* Starts C and D have no Start B that could show it (Table 6-2, B.7). */
    for (unsigned c = 0; c < 2; c++)
        for (unsigned present = 0; present < 2; present++) {
            open_reader();
            plan[0] =
                outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, c ? CEMV_START_C : CEMV_START_D, CEMV_ONLINE_RESPONSE_ANY);
            plan[0].ui_on_restart_present = present;
            plan[0].ui_on_restart = cemv_ui_of(CEMV_MESSAGE_PROCESSING, CEMV_UI_PROCESSING);
            sends = true;
            begin();
            tap(true);
            say(CEMV_REPLY_RESPONSE, BYTES("\x90\0"));
            property(say(CEMV_REPLY_ONLINE, CODE_ONLY) == CEMV_STEP_SEND, "no card is waited for", c);
            property(cemv_session_ui_count(session) == present &&
                         (!present || last_message() == CEMV_MESSAGE_PROCESSING),
                     "it is shown", c);
            property(c ? selected() == FIRST && activations == 1 : activations == 2 && seen[1].fci_size == 0,
                     "C selects, D activates", c);
            if (c) say(CEMV_REPLY_RESPONSE, BYTES(fci));
            property(activations == 2 && seen[1].start == plan[0].start && seen[1].answered && seen[1].restarted,
                     "the kernel goes on", c);
        }
}

/* Entry Point's messages always fit, whatever messages a kernel queued. */
static void entry_point_messages_have_their_places(void)
{
    open_reader();
    shows = 8;
    plan[0] = outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_START_B, CEMV_ONLINE_RESPONSE_NA);
    cemv_outcome_show(&plan[0], CEMV_MESSAGE_SEE_PHONE, CEMV_UI_PROCESSING_ERROR);
    begin();
    tap(true);
    const size_t count = cemv_session_ui_count(session);
    property(count == CEMV_MAX_KERNEL_UI_REQUESTS + 2 && count <= CEMV_MAX_UI_REQUESTS,
             "the kernel's and two of Entry Point's", (unsigned)count);
    property(cemv_session_ui(session, count - 2).message == CEMV_MESSAGE_SEE_PHONE &&
                 last_message() == CEMV_MESSAGE_PRESENT_CARD,
             "in order", 0);
}

/* Field Off Request: once, with the step of its outcome; without one the field does not change (Book A, Table 6-2). */
static void field_off_is_requested_once(void)
{
    static const struct {
        uint16_t request;
        uint32_t ms;
    } requests[] = { { CEMV_FIELD_OFF_NA, CEMV_FIELD_KEEP }, { 0, 0 }, { 13, 1300 } };
    for (unsigned i = 0; i < 3; i++) {
        open_reader();
        plan[0] = outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_START_B, CEMV_ONLINE_RESPONSE_NA);
        plan[0].field_off_100ms = requests[i].request;
        begin();
        tap(true);
        property(cemv_session_poll(session).field_off_ms == requests[i].ms &&
                     cemv_session_field_off(session) == requests[i].ms,
                 "Try Again", i);
        open_reader();
        plan[0] = outcome_of(CEMV_OUTCOME_END_APPLICATION, CEMV_START_B, CEMV_ONLINE_RESPONSE_NA);
        plan[0].field_off_100ms = requests[i].request;
        begin();
        tap(true);
        property(cemv_session_poll(session).field_off_ms == requests[i].ms && cemv_session_poll(session).removal_first,
                 "at the outcome", i);
        say(CEMV_REPLY_REMOVED, BYTES(""));
        property(cemv_session_poll(session).field_off_ms == CEMV_FIELD_KEEP &&
                     !cemv_session_poll(session).removal_first,
                 "and not again", i);
        open_reader();
        plan[0] = outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_START_B, CEMV_ONLINE_RESPONSE_ANY);
        plan[0].field_off_100ms = requests[i].request;
        begin();
        tap(true);
        property(cemv_session_field_off(session) == requests[i].ms, "with the parked outcome", i);
        say(CEMV_REPLY_ONLINE, CODE_ONLY);
        property(cemv_session_poll(session).field_off_ms == CEMV_FIELD_KEEP, "not with its restart", i);
    }
}

/* 9F06 and 9F1B are the combination's (Book C-3, Table A-1; Book A, Table 5-2). */
static void combination_gives_its_aid_and_floor_limit(void)
{
    static const struct {
        bool present;
        uint64_t amount;
        const char *value;
    } floors[] = {
        { false, 1000, "" },
        { true, 0, "\0\0\0\0" },
        { true, 1000, "\0\0\3\xE8" },
        { true, 0xFFFFFFFFu, "\xFF\xFF\xFF\xFF" },
        { true, 0x100000000u, "\xFF\xFF\xFF\xFF" },
        { true, 999999999999u, "\xFF\xFF\xFF\xFF" },
        { true, 0x01020304, "\1\2\3\4" },
    };
    for (unsigned i = 0; i < sizeof floors / sizeof floors[0]; i++) {
        open_reader();
        rows[0].limits.amount[CEMV_LIMIT_TERMINAL_FLOOR] = floors[i].amount;
        rows[0].limits.present = floors[i].present ? 1u << CEMV_LIMIT_TERMINAL_FLOOR : 0;
        begin();
        tap(true);
        property(seen[0].aid_size == 5 && memcmp(seen[0].aid, rows[0].aid.data, 5) == 0, "the AID", i);
        property(seen[0].floor_size == (floors[i].present ? 4 : 0) &&
                     memcmp(seen[0].floor, floors[i].value, seen[0].floor_size) == 0,
                 "the floor limit", i);
    }
    open_reader();
    configuration.terminal_data = BYTES("\x9F\x06\6\xF0\0\0\0\1\7");
    begin();
    tap(true);
    property(seen[0].aid_size == 6 && seen[0].aid[5] == 7, "an AID that is configured", 0);
}

/* ---- a module's private memory, context, options and edges ---- */

enum { KEEPS = 2003, GUARD = 64 };
static _Alignas(CEMV_ALIGNMENT) uint8_t roomy[CEMV_SESSION_SIZE + KEEPS + GUARD];
static struct {
    unsigned starts;
    bool clean; /* at the last start */
    const void *context, *options;
} kept;

/* Checks its memory, fills it, and waits in state 9. */
static enum cemv_step keeper_start(struct cemv_kernel *kernel)
{
    const struct cemv_command read = { .ins = 0xB2, .p1 = 1, .p2 = 0x0C, .le = CEMV_LE_MAX };
    uint8_t *const own = cemv_kernel_memory(kernel);
    property((uintptr_t)own % 8 == 0 && cemv_kernel_state(kernel) == 0, "memory is aligned, and no state is there yet",
             0);
    kept.clean = true;
    for (size_t i = 0; i < KEEPS; i++) {
        kept.clean &= own[i] == 0;
        own[i] = 0xA5;
    }
    kept.starts++;
    activations++;
    kept.context = cemv_kernel_context(kernel);
    kept.options = cemv_kernel_options(kernel);
    return cemv_kernel_send(kernel, 9, &read);
}
static enum cemv_step keeper_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    const struct cemv_command read = { .ins = 0xB2, .p1 = 2, .p2 = 0x0C, .le = CEMV_LE_MAX };
    if (reply->bytes.size > 2) return cemv_kernel_send(kernel, reply->bytes.data[0], &read);
    return finish(kernel);
}
static const struct cemv_edges keeper_edges = { { [0] = 1u << 9, [9] = 1u << 31, [31] = 1u } };
static struct cemv_kernel_module keeper = {
    .start = keeper_start, .reply = keeper_reply, .edges = &keeper_edges, .memory_size = KEEPS
};

static const struct cemv_checked *open_keeper(struct cemv_kernel_row *row)
{
    static const struct cemv_checked *checked;
    struct cemv_config_error error;
    static int context, options;
    open_reader();
    *row = (struct cemv_kernel_row){ { 0x21 }, 1, &keeper, &context };
    rows[0].options = &options, rows[1].options = NULL;
    configuration.kernels = row;
    configuration.kernel_count = 1;
    kept.starts = 0;
    property(cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) ==
                 CEMV_OK,
             "a module that wants memory", error.field);
    return checked;
}

static bool holds(size_t from, size_t to, uint8_t byte)
{
    for (size_t i = from; i < to; i++)
        if (roomy[i] == byte) return true;
    return false;
}

static void begin_keeper(const struct cemv_checked *checked)
{
    struct cemv_config_error error;
    const size_t size = cemv_session_size(checked);
    memset(roomy, 0x5A, sizeof roomy);
    property(size > KEEPS && size <= CEMV_SESSION_SIZE + KEEPS, "its memory is counted", (unsigned)size);
    property(cemv_session_begin(roomy, size - 1, checked, &transaction, of(roomy, 32), &session, &error) ==
                     CEMV_NO_MEMORY &&
                 error.field == CEMV_FIELD_MEMORY,
             "a byte less is refused", 0);
    property(cemv_session_begin(roomy, size, checked, &transaction, BYTES("\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20"),
                                &session, &error) == CEMV_OK,
             "its size suffices", error.field);
}

static void module_has_its_own_memory(void)
{
    struct cemv_kernel_row row;
    const struct cemv_checked *const checked = open_keeper(&row);
    const size_t size = cemv_session_size(checked);
    plan[0] = outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_START_B, CEMV_ONLINE_RESPONSE_NA);
    begin_keeper(checked);
    tap(true);
    property(kept.starts == 1 && kept.clean && kept.context == row.context && kept.options == rows[0].options,
             "memory is zero at first; context and options are the row's", kept.starts);
    property(cemv_session_state(session).kernel == &row && cemv_session_state(session).number == 9, "a state and whose",
             0);
    say(CEMV_REPLY_RESPONSE, BYTES("\37\x90\0"));
    property(cemv_session_state(session).number == 31, "an edge that is declared", 0);
    say(CEMV_REPLY_RESPONSE, BYTES("\x90\0"));
    property(cemv_session_state(session).kernel == NULL, "Entry Point waits for the card again", 0);
    tap(true);
    property(kept.starts == 2 && !kept.clean, "it survives activations of the same application", kept.starts);
    say(CEMV_REPLY_ABANDON, BYTES(""));
    property(!holds(size - KEEPS, size, 0xA5), "and is gone with the transaction", 0);
    for (size_t i = size; i < sizeof roomy; i++)
        property(roomy[i] == 0x5A, "nothing behind it is touched", (unsigned)i);
}

static void other_application_finds_no_memory(void)
{
    struct cemv_kernel_row row;
    const struct cemv_checked *const checked = open_keeper(&row);
    const size_t size = cemv_session_size(checked);
    begin_keeper(checked);
    tap(true);
    say(CEMV_REPLY_RESPONSE, BYTES("\37\x90\0"));
    plan[0] = outcome_of(CEMV_OUTCOME_SELECT_NEXT, CEMV_START_C, CEMV_ONLINE_RESPONSE_NA);
    say(CEMV_REPLY_RESPONSE, BYTES("\x90\0"));
    say(CEMV_REPLY_RESPONSE, BYTES(fci));
    property(kept.starts == 2 && kept.clean && kept.options == NULL, "another application finds none of it",
             kept.starts);
    cemv_session_wipe(session);
    property(!holds(size - KEEPS, size, 0xA5), "a wipe takes it too", 0);
}

/* An edge that is not declared, also in a third-party kernel. */
static void module_keeps_to_its_edges(void)
{
    struct cemv_kernel_row row;
    begin_keeper(open_keeper(&row));
    tap(true);
#ifndef CEMV_TRAP_EDGES
    say(CEMV_REPLY_RESPONSE, BYTES("\11\x90\0"));
    property(ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_INTERNAL, CEMV_MESSAGE_TRY_ANOTHER_CARD),
             "an edge that is not declared fails safe", 0);
#endif
    struct cemv_config_error error;
    const struct cemv_checked *checked;
    keeper.memory_size = CEMV_KERNEL_MEMORY_MAX + 1;
    property(cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) ==
                     CEMV_TOO_MANY &&
                 error.section == CEMV_SECTION_KERNEL && error.field == CEMV_FIELD_MODULE,
             "more memory than there may be", error.field);
    keeper.memory_size = KEEPS;
}

void properties_of_restarts(void)
{
    PART(module_has_its_own_memory);
    PART(other_application_finds_no_memory);
    PART(module_keeps_to_its_edges);
    PART(only_the_application_that_asked_gets_the_answer);
    PART(every_further_presentment_brings_the_answer);
    PART(each_restart_has_presentments_of_its_own);
    PART(refused_restart_leaves_the_outcome);
    PART(faults_after_the_decision_end_silently);
    PART(restart_flag_and_memory_belong_to_one_application);
    PART(restart_request_is_retained);
    PART(entry_point_messages_have_their_places);
    PART(field_off_is_requested_once);
    PART(combination_gives_its_aid_and_floor_limit);
}
