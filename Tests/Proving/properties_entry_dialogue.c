/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Entry Point in whole sessions (Books A and B v2.10): the effect of each reply, message by message and
 * command by command; the content of the kernel's store; which data a session keeps and which it wipes. A third-party
 * kernel reads one record and ends with a given outcome. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CEMVInternals.h"
#include "../../Sources/CEMV/include/cemv_kernel.h"
#include "bytes.h"
#include "properties.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* ---- the kernel ---- */

enum { ACTIVATIONS = 8 };
static struct cemv_outcome plan[ACTIVATIONS];
static unsigned activations;
static bool sends;
static uint32_t looked_for; /* a tag; `found` has its value at each activation */
static struct {
    size_t size;
    uint8_t at[32];
} found[ACTIVATIONS];

static enum cemv_step finish(struct cemv_kernel *kernel)
{
    return cemv_kernel_finish(kernel, &plan[activations - 1], BYTES("\x9C\1\0"), BYTES("\xDF\x81\x15\6\1\2\3\4\5\6"));
}

static enum cemv_step player_start(struct cemv_kernel *kernel)
{
    const struct cemv_command read = { .ins = 0xB2, .p1 = 1, .p2 = 0x0C, .le = CEMV_LE_MAX };
    const cemv_bytes value = cemv_kernel_terminal_data(kernel, looked_for);
    found[activations].size = value.size;
    if (value.size) memcpy(found[activations].at, value.data, value.size);
    activations++;
    return sends ? cemv_kernel_send(kernel, 1, &read) : finish(kernel);
}

static enum cemv_step player_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    (void)reply;
    return finish(kernel);
}
/* The qualifiers are an object of this kernel. */
static const struct cemv_tag_row own_tags[] = {
    { .tag = 0x9F66, .min = 4, .max = 4, .source = CEMV_SOURCE_TERMINAL },
};
static const struct cemv_kernel_module player = { .start = player_start,
                                                  .reply = player_reply,
                                                  .tags = { own_tags, COUNT(own_tags) } };

/* ---- the reader ---- */

static struct cemv_combination rows[2];
static struct cemv_configuration configuration;
static struct cemv_transaction transaction;
static struct cemv_session *session;
static const struct cemv_checked *checked;
static cemv_bytes pool;
static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_SESSION_SIZE], checked_memory[8192];
static char written[1200];

static void set_up(void)
{
    static const struct cemv_kernel_row kernels[] = { { { 0x21 }, 1, &player }, { { 0x22 }, 1, &player } };
    memset(rows, 0, sizeof rows);
    rows[0] = (struct cemv_combination){
        .aid = BYTES("\xF0\0\0\0\1"), .kernel_id = { 0x21 }, .kernel_id_size = 1, .ttq = BYTES("\x36\0\x40\x80")
    };
    configuration =
        (struct cemv_configuration){ .terminal_data = BYTES("\x9F\x1A\2\2\x76\x9F\x35\1\x22\x9F\x15\2\x11\x11"),
                                     .combinations = rows,
                                     .combination_count = 1,
                                     .kernels = kernels,
                                     .kernel_count = COUNT(kernels) };
    transaction = (struct cemv_transaction){ .amount = 1000,
                                             .currency = 0x0978,
                                             .exponent = 2,
                                             .date = { 0x26, 0x11, 0x21 },
                                             .time = { 0x12, 0x34, 0x56 },
                                             .counter = 7 };
    for (size_t i = 0; i < ACTIVATIONS; i++) plan[i] = cemv_outcome_of(CEMV_OUTCOME_APPROVED, CEMV_REASON_KERNEL);
    pool = BYTES("\1\2\3\4\5\6\7\x08\x09\x0A\x0B\x0C\x0D\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C"
                 "\x1D\x1E\x1F\x20");
    activations = 0, sends = true, looked_for = 0x9F1A;
}

/* Appends the step's messages and request: MESSAGE/STATUS+HOLD, then one word. */
static void write_step(char *out, size_t room, const struct cemv_session *of_session)
{
    size_t used = strlen(out);
    for (size_t i = 0; i < cemv_session_ui_count(of_session); i++) {
        const struct cemv_ui_request request = cemv_session_ui(of_session, i);
        used += (size_t)snprintf(out + used, room - used, "%02X/%u", request.message, request.status);
        if (request.hold_ms) used += (size_t)snprintf(out + used, room - used, "+%u", (unsigned)request.hold_ms);
        used += (size_t)snprintf(out + used, room - used, " ");
    }
    const struct cemv_poll poll = cemv_session_poll(of_session);
    const cemv_bytes command = cemv_session_command(of_session);
    switch (cemv_session_step(of_session)) {
    case CEMV_STEP_POLL:
        used += (size_t)snprintf(out + used, room - used, poll.removal_first ? "leave" : "poll");
        if (poll.field_off_ms != CEMV_FIELD_KEEP) snprintf(out + used, room - used, ":%u", (unsigned)poll.field_off_ms);
        break;
    case CEMV_STEP_SEND:
        for (size_t i = 0; i < command.size; i++)
            used += (size_t)snprintf(out + used, room - used, "%02X", command.data[i]);
        break;
    case CEMV_STEP_ASK: snprintf(out + used, room - used, "ask"); break;
    case CEMV_STEP_WORK: snprintf(out + used, room - used, "work"); break;
    case CEMV_STEP_PARKED: snprintf(out + used, room - used, "parked"); break;
    case CEMV_STEP_DONE: snprintf(out + used, room - used, "done"); break;
    case CEMV_STEP_NONE: snprintf(out + used, room - used, "none"); break;
    }
}

static void begin(void)
{
    struct cemv_config_error error;
    memset(memory, 0, sizeof memory);
    property(cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) ==
                 CEMV_OK,
             "a good configuration", error.field);
    property(cemv_session_begin(memory, sizeof memory, checked, &transaction, pool, &session, &error) == CEMV_OK,
             "a transaction begins", error.field);
    written[0] = '\0';
    write_step(written, sizeof written, session);
}

/* ---- the driver's replies as words ---- */

#define PPSE_COMMAND "00A404000E325041592E5359532E444446303100"
#define SELECT       "00A4040005F00000000100"
#define SPI          "801A000002830000"
#define READ         "00B2010C00"
/* The directory: F000000001; with an empty SDOL; with a second name. The FCI. */
#define PPSE     "=6F21840E325041592E5359532E4444463031A50FBF0C0C610A4F05F0000000018701019000"
#define PPSE_SPI "=6F24840E325041592E5359532E4444463031A512BF0C0F9F3F00610A4F05F0000000018701019000"
#define PPSE_TWO "=6F2E840E325041592E5359532E4444463031A51CBF0C19610A4F05F000000001870101610B4F06F000000001028701029000"
#define FCI      "=6F0E8405F000000001A5059F38029C019000"

static struct cemv_reply reply_of(const char *word)
{
    static uint8_t bytes[70000];
    static const struct {
        const char *word;
        uint8_t kind;
    } words[] = { { "card", CEMV_REPLY_CARD },
                  { "collision", CEMV_REPLY_COLLISION },
                  { "cleared", CEMV_REPLY_COLLISION_CLEARED },
                  { "timeout", CEMV_REPLY_TIMEOUT },
                  { "noise", CEMV_REPLY_TRANSMISSION },
                  { "protocol", CEMV_REPLY_PROTOCOL },
                  { "gone", CEMV_REPLY_REMOVED },
                  { "deadline", CEMV_REPLY_DEADLINE },
                  { "stop", CEMV_REPLY_STOP },
                  { "abandon", CEMV_REPLY_ABANDON },
                  { "online", CEMV_REPLY_ONLINE },
                  { "pin", CEMV_REPLY_PIN },
                  { "data", CEMV_REPLY_DATA } };
    struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = { bytes, 0 } };
    if (word[0] == '#') { /* this many bytes */
        memset(bytes, 0x90, sizeof bytes);
        reply.bytes.size = (size_t)strtoul(word + 1, NULL, 10);
        return reply;
    }
    for (size_t i = 0; i < COUNT(words); i++)
        if (strncmp(word, words[i].word, strlen(words[i].word)) == 0) reply.kind = words[i].kind;
    const char *const hex = strchr(word, '=');
    if (hex) reply.bytes.size = bytes_of_hex(hex + 1, bytes);
    return reply;
}

/* Replies with each word, and appends the resulting steps to `written`, separated by bars. */
static void say(const char *words)
{
    while (*words) {
        const struct cemv_reply reply = reply_of(words);
        (void)cemv_session_reply(session, &reply);
        strncat(written, " | ", sizeof written - strlen(written) - 1);
        write_step(written, sizeof written, session);
        words += strcspn(words, " ");
        words += strspn(words, " ");
    }
}

/* Returns the step that the last word led to. */
static const char *last(void)
{
    const char *at = written;
    for (const char *bar = written; (bar = strstr(bar, " | ")) != NULL; at = bar += 3)
        ;
    return at;
}

static bool ended(uint8_t status, uint8_t reason)
{
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    return cemv_session_step(session) == CEMV_STEP_DONE && outcome.status == status && outcome.reason == reason;
}

/* Every member of the outcome that Entry Point decides itself is "none", except its message. */
static bool is_bare(void)
{
    const struct cemv_outcome o = cemv_session_outcome(session);
    return o.start == CEMV_START_NA && o.online_response == CEMV_ONLINE_RESPONSE_NA && o.cvm == CEMV_CVM_NA &&
           o.alternate_interface == CEMV_INTERFACE_NA && !o.ui_on_restart_present && !o.data_record_present &&
           !o.discretionary_present && !o.receipt && o.field_off_100ms == CEMV_FIELD_OFF_NA &&
           o.removal_timeout_100ms == 0 && o.kernel_id_size == 0 && cemv_session_data_record(session).size == 0 &&
           cemv_session_discretionary(session).size == 0 && cemv_session_df_name(session).size == 0;
}

/* ---- the effect of a reply ---- */

/* 3.2.1.2 to 3.2.1.5, 3.3.2.2 to 3.3.3.7, 3.4.1.1. */
static void entry_point_says_what_the_book_says(void)
{
    static const struct {
        const char *words, *expected;
    } dialogues[] = {
        { "", "15/2 poll" },
        { "collision", "15/2 poll | 19/5 poll" },
        { "collision cleared card", "15/2 poll | 19/5 poll | 19/2 poll | " PPSE_COMMAND },
        { "card " PPSE " " FCI " =9000", "15/2 poll | " PPSE_COMMAND " | " SELECT " | " READ " | done" },
        { "card =6A82", "15/2 poll | " PPSE_COMMAND " | 1C/2 done" },
        { "card " PPSE " =6A82", "15/2 poll | " PPSE_COMMAND " | " SELECT " | 1C/2 done" },
        { "card " PPSE_SPI " " PPSE " " FCI, "15/2 poll | " PPSE_COMMAND " | " SPI " | " SELECT " | " READ },
        { "card " PPSE_SPI " " PPSE_SPI, "15/2 poll | " PPSE_COMMAND " | " SPI " | " SELECT },
        { "card " PPSE_SPI " =6D00", "15/2 poll | " PPSE_COMMAND " | " SPI " | 1C/2 done" },
        { "card " PPSE_TWO " =6283 " FCI,
          "15/2 poll | " PPSE_COMMAND " | " SELECT " | 00A4040006F0000000010200 | " READ },
        { "card " PPSE " timeout card =6A82",
          "15/2 poll | " PPSE_COMMAND " | " SELECT " | 15/2 poll:0 | " PPSE_COMMAND " | 1C/2 done" },
    };
    for (unsigned i = 0; i < COUNT(dialogues); i++) {
        set_up();
        begin();
        say(dialogues[i].words);
        property(strcmp(written, dialogues[i].expected) == 0, "messages and commands", i);
    }
}

/* Waits of Entry Point and, last, waits of a kernel, for an answer and for the card's removal. */
static const struct {
    const char *words;
    bool polls, in_kernel;
} waits[] = {
    { "", true, false },
    { "collision", true, false },
    { "card", false, false },
    { "card " PPSE_SPI, false, false },
    { "card " PPSE, false, false },
    { "card " PPSE " " FCI, false, true },
    { "card " PPSE " " FCI " =9000 card " PPSE " " FCI, false, true },
    { "card " PPSE " " FCI " =9000", true, true },
};
enum { OF_ENTRY_POINT = 5, QUESTION = 6, REMOVAL = 7 };

static void wait_at(unsigned wait)
{
    set_up();
    if (wait == QUESTION) pool.size = 4;
    plan[0] =
        cemv_outcome_of(wait == REMOVAL ? CEMV_OUTCOME_END_APPLICATION : CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_KERNEL);
    plan[0].start = CEMV_START_B;
    begin();
    say(waits[wait].words);
}

/* 3.3.3.7: every fault of the link, a removed card and a response of an impossible length return to Start B while
 * presentments are left. */
static void link_faults_return_to_start_b(void)
{
    static const char *const faults[] = { "timeout", "noise", "protocol", "gone", "#0", "#1", "#259", "#65538" };
    enum { OF_THE_FIELD = 3 };
    for (unsigned wait = 0; wait < OF_ENTRY_POINT; wait++)
        for (unsigned fault = 0; fault < (waits[wait].polls ? OF_THE_FIELD : COUNT(faults)); fault++) {
            wait_at(wait);
            say(faults[fault]);
            property(strcmp(last(), "15/2 poll:0") == 0, "a card is asked for again", wait << 8 | fault);
            say("card");
            property(strcmp(last(), PPSE_COMMAND) == 0, "and its directory", wait << 8 | fault);
        }
    /* The longest response is accepted. */
    static char longest[2 * CEMV_MAX_RESPONSE + 8];
    strcpy(longest, "=6F81FD840E325041592E5359532E4444463031A581EABF0C81E6610A4F05F000000001870101DF0181D6");
    while (strlen(longest) < 1 + 2 * CEMV_MAX_RESPONSE - 4) strcat(longest, "01");
    strcat(longest, "9000");
    wait_at(2);
    say(longest);
    property(strcmp(last(), SELECT) == 0, "258 bytes are a response", 0);
    static const uint8_t most[] = { 0, 1, 2, 7 };
    for (unsigned i = 0; i < 2 * COUNT(most); i++) {
        const unsigned taps = most[i / 2] ? most[i / 2] : 3;
        set_up();
        configuration.protection.max_taps = most[i / 2];
        begin();
        for (unsigned tap = 1; tap <= taps; tap++) {
            if (i % 2) say("card");
            say("noise");
            property(strcmp(last(), tap < taps ? "15/2 poll:0" : "1C/2 done") == 0, "as often as configured",
                     i << 8 | tap);
            property(cemv_session_taps(session) == tap, "each counts", i << 8 | tap);
        }
        property(ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_LINK) && is_bare(), "then it ends", i);
    }
}

/* attacks.md, A38: a directory that offers a name to Kernel 8 and to Kernel 2, and the ways that lead to Kernel 2. */
static void a_fallback_from_kernel_8_is_noticed(void)
{
#define ENTRY_8                                                                                                        \
    "61"                                                                                                               \
    "0E"                                                                                                               \
    "4F05F000000001"                                                                                                   \
    "870101"                                                                                                           \
    "9F2A0108"
#define ENTRY_2     "610E4F05F0000000018701029F2A0102"
#define OTHER_2     "610E4F05F0000000028701029F2A0102"
#define ENTRY_9     "610E4F05F0000000018701029F2A0109"
#define FIRST_2     "610E4F05F0000000018701019F2A0102"
#define LAST_8      "610E4F05F0000000018701039F2A0108"
#define HEAD        "=6F35840E325041592E5359532E4444463031A523BF0C20"
#define HEAD_OF_ONE "=6F25840E325041592E5359532E4444463031A513BF0C10"
    static const struct {
        const char *words;
        bool no_8, next;               /* no combination of Kernel 8; it begins, and ends with Select Next */
        uint8_t activations, fallback; /* whether the last one is a fallback */
    } cards[] = {
        { "card " HEAD ENTRY_8 ENTRY_2 "9000 " FCI, false, false, 1, 0 },
        { "card " HEAD ENTRY_8 ENTRY_2 "9000 =6A82 " FCI, false, false, 1, 1 },
        { "card " HEAD ENTRY_8 ENTRY_2 "9000 " FCI " " FCI, false, true, 2, 1 },
        { "card " HEAD FIRST_2 LAST_8 "9000 " FCI, false, false, 1, 1 },
        { "card " HEAD ENTRY_8 ENTRY_2 "9000 " FCI, true, false, 1, 0 },
        { "card " HEAD ENTRY_8 OTHER_2 "9000 =6A82 " FCI, false, false, 1, 0 },
        { "card " HEAD ENTRY_8 ENTRY_9 "9000 =6A82 " FCI, false, false, 1, 0 },
        { "card " HEAD_OF_ONE ENTRY_2 "9000 " FCI, false, false, 1, 0 },
        { "card " HEAD ENTRY_8 ENTRY_2 "9000 timeout card " HEAD_OF_ONE ENTRY_2 "9000 " FCI, false, false, 1, 0 },
    };
    static const struct cemv_kernel_row kernels[] = { { { 8 }, 1, &player },
                                                      { { 2 }, 1, &player },
                                                      { { 9 }, 1, &player } };
    static const uint8_t profiles[] = { CEMV_PROFILE_BOOK, CEMV_PROFILE_GUARDED, CEMV_PROFILE_STRICT };
    static const uint8_t rules[] = { CEMV_RULE_PROFILE, CEMV_RULE_REPORT, CEMV_RULE_ENFORCE };
    struct cemv_combination all[4];
    for (unsigned i = 0; i < COUNT(cards) * 9; i++) {
        const unsigned card = i / 9, profile = profiles[i % 3], rule = rules[i / 3 % 3];
        set_up();
        for (unsigned k = 0; k < COUNT(all); k++)
            all[k] = (struct cemv_combination){ .aid = BYTES("\xF0\0\0\0\1"),
                                                .kernel_id = { (uint8_t)(k == 1   ? 8
                                                                         : k == 3 ? 9
                                                                                  : 2) },
                                                .kernel_id_size = 1 };
        all[2].aid = BYTES("\xF0\0\0\0\2");
        if (cards[card].no_8) all[1].aid = BYTES("\xF0\0\0\0\3");
        configuration.combinations = all;
        configuration.combination_count = COUNT(all);
        configuration.kernels = kernels, configuration.kernel_count = COUNT(kernels);
        configuration.protection =
            (struct cemv_protection){ .profile = (uint8_t)profile, .kernel_fallback = (uint8_t)rule };
        if (cards[card].next) plan[0] = cemv_outcome_of(CEMV_OUTCOME_SELECT_NEXT, CEMV_REASON_KERNEL);
        sends = false;
        begin();
        say(cards[card].words);
        const bool fallback = cards[card].fallback;
        const bool refused =
            fallback && (rule == CEMV_RULE_ENFORCE || (rule == CEMV_RULE_PROFILE && profile == CEMV_PROFILE_STRICT));
        property((cemv_session_outcome(session).findings >> CEMV_FINDING_KERNEL_FALLBACK & 1u) == fallback,
                 "the older kernel is noticed", i);
        property(activations == cards[card].activations - (refused ? 1u : 0u), "and runs unless refused", i);
        if (refused)
            property(ended(CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_REASON_PROTECTION) && is_bare() &&
                         strcmp(last(), "18/5 done") == 0,
                     "then another interface is asked for", i);
        else property(ended(CEMV_OUTCOME_APPROVED, CEMV_REASON_KERNEL), "else as ever", i);
    }
}

static void collisions_are_bounded(void)
{
    set_up();
    begin();
    for (unsigned i = 0; i < CEMV_MAX_COLLISIONS; i++) {
        say("collision");
        property(strcmp(last(), "19/5 poll") == 0, "a collision", i);
        if (i % 3 == 2) say("cleared");
    }
    say("collision");
    property(strcmp(last(), "1C/2 done") == 0 && ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_COLLISION), "the last",
             0);
}

/* Nothing is shown, and the outcome contains no data of a kernel. */
static void stops_end_silently(void)
{
    static const struct {
        const char *word;
        uint8_t reason;
    } stops[] = { { "stop", CEMV_REASON_STOPPED },
                  { "abandon", CEMV_REASON_ABANDONED },
                  { "deadline", CEMV_REASON_STOPPED } };
    for (unsigned i = 0; i < COUNT(stops); i++)
        for (unsigned wait = 0; wait < COUNT(waits); wait++) {
            if (i == 2 && !waits[wait].polls) continue;
            wait_at(wait);
            say(stops[i].word);
            property(strcmp(last(), "done") == 0, "no message", i << 8 | wait);
            property(ended(CEMV_OUTCOME_END_APPLICATION, stops[i].reason), "the reason", i << 8 | wait);
            const struct cemv_outcome outcome = cemv_session_outcome(session);
            property(!outcome.ui_on_outcome_present && !outcome.data_record_present && outcome.kernel_id_size == 0,
                     "and no data", i << 8 | wait);
        }
}

/* 3.1.1.13: no combination is left, or none accepts the type. */
static void transactions_without_a_combination_end_at_once(void)
{
    for (unsigned i = 0; i < 6; i++) {
        const uint64_t limits[] = { 1000, 1001, 999 };
        set_up();
        rows[1] = rows[0], rows[1].aid = BYTES("\xF0\0\0\0\2"), configuration.combination_count = 2;
        for (unsigned row = 0; row < 2; row++) {
            rows[row].limits.amount[CEMV_LIMIT_TRANSACTION] = row ? 500 : limits[i % 3];
            rows[row].limits.present = 1u << CEMV_LIMIT_TRANSACTION;
        }
        if (i >= 3) transaction.type = 0x09;
        begin();
        const bool goes_on = i == 1;
        property(strcmp(written, goes_on ? "15/2 poll" : "18/5 done") == 0, "message 18", i);
        property(goes_on || (ended(CEMV_OUTCOME_TRY_ANOTHER_INTERFACE,
                                   i < 3 ? CEMV_REASON_NOT_ALLOWED : CEMV_REASON_NO_COMBINATION) &&
                             is_bare()),
                 "another interface", i);
    }
}

/* ---- outcomes ---- */

/* Book A, Table 6-1 and 6-2; Book B, 3.5: every status with every start, condition, field-off request and message. */
static void every_outcome_goes_where_it_says(void)
{
    static const uint8_t statuses[] = { CEMV_OUTCOME_APPROVED,
                                        CEMV_OUTCOME_DECLINED,
                                        CEMV_OUTCOME_ONLINE_REQUEST,
                                        CEMV_OUTCOME_REQUEST_ONLINE_PIN,
                                        CEMV_OUTCOME_END_APPLICATION,
                                        CEMV_OUTCOME_SELECT_NEXT,
                                        CEMV_OUTCOME_TRY_ANOTHER_INTERFACE,
                                        CEMV_OUTCOME_TRY_AGAIN };
    static const uint8_t starts[] = { CEMV_START_B, CEMV_START_D, CEMV_START_NA };
    static const uint8_t conditions[] = { CEMV_ONLINE_RESPONSE_EMV_DATA, CEMV_ONLINE_RESPONSE_ANY,
                                          CEMV_ONLINE_RESPONSE_NA };
    static const uint16_t offs[] = { CEMV_FIELD_OFF_NA, 0, 13 };
    static const char *const fields[] = { "poll", "poll:0", "poll:1300" }, *const leaves[] = { "leave", "leave:0",
                                                                                               "leave:1300" };
    for (unsigned i = 0; i < 8 * 3 * 3 * 3 * 2 * 2; i++) {
        const uint8_t status = statuses[i / 108], start = starts[i / 36 % 3], condition = conditions[i / 12 % 3];
        const unsigned off = i / 4 % 3;
        const bool shows = i & 2, after_a_command = i & 1;
        set_up();
        sends = after_a_command;
        plan[0] = cemv_outcome_of(status, CEMV_REASON_KERNEL);
        plan[0].start = start, plan[0].online_response = condition, plan[0].field_off_100ms = offs[off];
        cemv_outcome_show(&plan[0], CEMV_MESSAGE_SEE_PHONE, CEMV_UI_PROCESSING_ERROR);
        plan[0].ui_on_outcome.hold_ms = 1300;
        plan[0].ui_on_restart_present = shows;
        plan[0].ui_on_restart = cemv_ui_of(CEMV_MESSAGE_PRESENT_AGAIN, CEMV_UI_READY_TO_READ);
        begin();
        say("card " PPSE_TWO " " FCI);
        if (after_a_command) say("=9000");
        char expected[100] = "20/5+1300 ";
        const char *const restart = shows ? "21/2 " : "15/2 ";
        const bool parks = status == CEMV_OUTCOME_ONLINE_REQUEST || status == CEMV_OUTCOME_REQUEST_ONLINE_PIN;
        if (status == CEMV_OUTCOME_SELECT_NEXT) strcat(expected, "00A4040006F0000000010200");
        else if (status == CEMV_OUTCOME_TRY_AGAIN) strcat(strcat(expected, restart), fields[off]);
        else if (status == CEMV_OUTCOME_END_APPLICATION && start != CEMV_START_NA) strcat(expected, leaves[off]);
        else strcat(expected, parks && start != CEMV_START_NA ? "parked" : "done");
        property(strcmp(last(), expected) == 0, "where an outcome leads", i);
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        const enum cemv_step step = cemv_session_step(session);
        if (step == CEMV_STEP_PARKED || step == CEMV_STEP_DONE) {
            property(outcome.status == status && outcome.start == start && outcome.online_response == condition,
                     "it is the kernel's", i);
            property(outcome.data_record_present && outcome.discretionary_present && outcome.kernel_id[0] == 0x21 &&
                         cemv_session_df_name(session).size == 5,
                     "with its data and the name", i);
        }
        if (!(status == CEMV_OUTCOME_END_APPLICATION && start != CEMV_START_NA)) continue;
        say("gone");
        strcpy(expected, restart);
        property(strcmp(last(), strcat(expected, "poll")) == 0, "after the card has gone", i);
    }
    /* Without a message in the outcome, none is shown. */
    set_up();
    begin();
    say("card " PPSE " " FCI " =9000");
    property(strcmp(last(), "done") == 0, "an outcome without a message", 0);
}

/* When presentments or candidates are used up, the outcome is Entry Point's own: without the records, the kernel and
 * the name of the last one. */
static void outcomes_of_entry_point_carry_no_data(void)
{
    static const struct {
        uint8_t status, planned, reason, taps;
    } ends[] = {
        { CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_KERNEL, CEMV_REASON_TOO_MANY_TAPS, 1 },
        { CEMV_OUTCOME_SELECT_NEXT, CEMV_REASON_KERNEL, CEMV_REASON_SELECTION_EXHAUSTED, 3 },
        { CEMV_OUTCOME_SELECT_NEXT, CEMV_REASON_KERNEL_LIMIT, CEMV_REASON_KERNEL_LIMIT, 3 },
    };
    for (unsigned i = 0; i < COUNT(ends); i++) {
        set_up();
        configuration.protection.max_taps = ends[i].taps;
        plan[0] = cemv_outcome_of(ends[i].status, ends[i].planned);
        plan[0].start = CEMV_START_B;
        begin();
        say("card " PPSE " " FCI " =9000");
        property(strcmp(last(), "1C/2 done") == 0, "message 1C", i);
        property(ended(CEMV_OUTCOME_END_APPLICATION, ends[i].reason) && is_bare(), "and nothing of the kernel", i);
    }
}

/* ---- the content of the store ---- */

/* Book A, 8.1.1.7: data of the transaction and the terminal, none from the card. */
static void a_kernel_finds_the_transaction(void)
{
    static const struct {
        uint32_t tag;
        const char *value;
    } data[] = { { 0x9F1A, "0276" },         { 0x9F35, "22" },       { 0x9F15, "1111" }, { 0x9F02, "000000001000" },
                 { 0x9F03, "000000000000" }, { 0x9A, "261121" },     { 0x9C, "00" },     { 0x9F21, "123456" },
                 { 0x9F41, "00000007" },     { 0x5F2A, "0978" },     { 0x5F36, "02" },   { 0x9F37, "01020304" },
                 { 0x9F66, "36004080" },     { 0x8B, "0001020001" }, { 0x9F33, "" },     { 0x57, "" } };
    for (unsigned i = 0; i < COUNT(data); i++) {
        uint8_t value[16];
        set_up();
        configuration.poi_information = BYTES("\0\1\2\0\1");
        looked_for = data[i].tag;
        begin();
        say("card " PPSE " " FCI);
        const size_t size = bytes_of_hex(data[i].value, value);
        property(activations == 1 && found[0].size == size && memcmp(found[0].at, value, size) == 0,
                 "a value of the transaction", data[i].tag);
    }
    /* The transaction's value has priority over the combination's, and that over the terminal's. */
    for (unsigned i = 0; i < 4; i++) {
        set_up();
        looked_for = 0x9F15;
        if (i & 1) rows[0].data = BYTES("\x9F\x15\2\x22\x22");
        if (i & 2) transaction.data = BYTES("\x9F\x15\2\x33\x33");
        begin();
        say("card " PPSE " " FCI);
        property(found[0].size == 2 && found[0].at[0] == (i & 2 ? 0x33 : i & 1 ? 0x22 : 0x11), "whose value counts", i);
    }
    /* The data of a combination are removed with it. */
    set_up();
    looked_for = 0x9F15, sends = false;
    rows[0].data = BYTES("\x9F\x15\2\x22\x22");
    rows[1] = (struct cemv_combination){
        .aid = BYTES("\xF0\0\0\0\1\2"), .kernel_id = { 0x22 }, .kernel_id_size = 1, .ttq = BYTES("\x36\0\x40\x80")
    };
    rows[0].kernel_id[0] = 0x21, configuration.combination_count = 2;
    plan[0] = cemv_outcome_of(CEMV_OUTCOME_SELECT_NEXT, CEMV_REASON_KERNEL);
    plan[1] = plan[0];
    begin();
    say("card " PPSE_TWO " " FCI " " FCI " " FCI);
    property(activations == 3 && found[0].at[0] == 0x22 && found[1].at[0] != found[2].at[0] &&
                 (found[1].at[0] == 0x11 || found[2].at[0] == 0x11),
             "data of one combination", activations);
}

/* ---- copies, the configuration, wiping ---- */

/* A copy of a session at any wait behaves like the original. */
static void copies_have_the_same_future(void)
{
    static const char *const words[] = { "collision", "cleared",         "card", "timeout", "card", PPSE, FCI,
                                         "=9000",     "online=8A023030", "card", "=6A82" };
    static _Alignas(CEMV_ALIGNMENT) uint8_t copy[CEMV_SESSION_SIZE];
    static char first[sizeof written];
    for (unsigned place = 0; place < COUNT(words); place++) {
        set_up();
        plan[0] = cemv_outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL);
        plan[0].start = CEMV_START_B, plan[0].online_response = CEMV_ONLINE_RESPONSE_ANY;
        begin();
        for (unsigned i = 0; i < place; i++) say(words[i]);
        memcpy(copy, memory, sizeof copy);
        const unsigned had = activations;
        const size_t said = strlen(written);
        for (unsigned i = place; i < COUNT(words); i++) say(words[i]);
        property(cemv_session_step(session) == CEMV_STEP_DONE, "to the end", place);
        strcpy(first, written);
        static _Alignas(CEMV_ALIGNMENT) uint8_t end[CEMV_SESSION_SIZE];
        memcpy(end, memory, sizeof end);
        session = (struct cemv_session *)(void *)copy;
        written[said] = '\0', activations = had;
        for (unsigned i = place; i < COUNT(words); i++) say(words[i]);
        property(strcmp(written, first) == 0 && memcmp(copy, end, sizeof end) == 0, "the same future", place);
    }
}

/* Any number of sessions share a configuration: none writes to it (3.1.1.2: the TTQ is changed in a copy). */
static void a_configuration_is_never_written(void)
{
    static uint8_t before[sizeof checked_memory];
    static const uint8_t statuses[] = { CEMV_OUTCOME_APPROVED, CEMV_OUTCOME_TRY_AGAIN, CEMV_OUTCOME_SELECT_NEXT };
    static uint8_t ttq[] = { 0x36, 0xC0, 0x40, 0x80 };
    for (unsigned i = 0; i < COUNT(statuses); i++) {
        struct cemv_combination row;
        set_up();
        rows[0].ttq = (cemv_bytes){ ttq, sizeof ttq };
        rows[0].limits.present = 1u << CEMV_LIMIT_FLOOR;
        looked_for = 0x9F66;
        plan[0] = cemv_outcome_of(statuses[i], CEMV_REASON_KERNEL);
        plan[0].start = CEMV_START_B;
        begin();
        memcpy(before, checked_memory, sizeof before);
        row = rows[0];
        say("card " PPSE_SPI " " PPSE " " FCI " =9000 abandon");
        property(found[0].size == 4 && found[0].at[1] == 0x80, "the copy is changed", i);
        property(memcmp(before, checked_memory, sizeof before) == 0 && memcmp(&row, &rows[0], sizeof row) == 0 &&
                     ttq[1] == 0xC0,
                 "the configuration is not", i);
    }
}

static bool holds(const void *bytes, size_t size)
{
    for (size_t at = 0; at + size <= sizeof memory; at++)
        if (memcmp(memory + at, bytes, size) == 0) return true;
    return false;
}

/* attacks.md, A23: an account that the card sent is wiped with its presentment, and so are the random bytes that no
 * kernel received; a parked session holds only its outcome. */
static void finished_sessions_hold_nothing(void)
{
    static const char pan[] = "\x47\x61\x73\x90\1\1\1\x19", number[] = "\xC7\x5E\xD1\x3B";
    /* The FCI with the account, and a longer one. */
#define ACCOUNT     "=6F1A8405F000000001A5059F38029C01DF010847617390010101199000"
#define FAR_ACCOUNT "=6F3C8405F000000001A5059F38029C01DF012A" ZEROS ZEROS "47617390010101199000"
#define ZEROS       "0000000000000000000000000000000000"
    for (unsigned i = 0; i < 3; i++) {
        static const char *const ends[] = { "=700A5A0847617390010101199000", "stop", "abandon" };
        set_up();
        pool = BYTES("\xA1\x52\x63\x74\xC7\x5E\xD1\x3B");
        begin();
        say("card " PPSE " " ACCOUNT);
        property(holds(pan, 8) && holds(number, 4), "while it lasts", i);
        say(ends[i]);
        property(cemv_session_step(session) == CEMV_STEP_DONE && !holds(pan, 8) && !holds(number, 4) &&
                     !holds("\xA1\x52\x63\x74", 4),
                 "not after its end", i);
    }
    set_up();
    plan[0] = cemv_outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_KERNEL);
    plan[0].start = CEMV_START_B;
    begin();
    say("card " PPSE " " FAR_ACCOUNT " =9000");
    say("card " PPSE " " FCI " stop");
    property(cemv_session_step(session) == CEMV_STEP_DONE && !holds(pan, 8), "nor behind a shorter presentment", 0);
    set_up();
    plan[0] = cemv_outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL);
    plan[0].start = CEMV_START_B, plan[0].online_response = CEMV_ONLINE_RESPONSE_ANY;
    begin();
    say("card " PPSE " " ACCOUNT " =9000");
    property(cemv_session_step(session) == CEMV_STEP_PARKED && !holds(pan, 8), "nor while the issuer is asked", 0);
    property(holds("\x9C\1\0\xDF\x81\x15\6", 7), "the record is there", 0);
    say("online=91084761739001010119");
    property(holds(pan, 8), "the issuer's answer is", 0);
    say("stop");
    property(!holds(pan, 8) && !holds("\x9C\1\0\xDF\x81\x15\6", 7), "and goes with the record", 0);
#undef ACCOUNT
#undef FAR_ACCOUNT
#undef ZEROS
}

void properties_of_entry_dialogue(void)
{
    PART(entry_point_says_what_the_book_says);
    PART(link_faults_return_to_start_b);
    PART(a_fallback_from_kernel_8_is_noticed);
    PART(collisions_are_bounded);
    PART(stops_end_silently);
    PART(transactions_without_a_combination_end_at_once);
    PART(every_outcome_goes_where_it_says);
    PART(outcomes_of_entry_point_carry_no_data);
    PART(a_kernel_finds_the_transaction);
    PART(copies_have_the_same_future);
    PART(a_configuration_is_never_written);
    PART(finished_sessions_hold_nothing);
}
