/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the session: a kernel's input at each activation, the handling of an issuer's answer, data that exceed
 * the memory, wiping. A third-party kernel inspects its input, and ends with a given outcome. */
#include <stddef.h>
#include <string.h>

#include "CEMVInternals.h"
#include "../../Sources/CEMV/include/cemv_kernel.h"
#include "bytes.h"
#include "properties.h"

enum { LOOKS = 4, ROWS = 3 };

/* ---- the inspecting kernel ---- */

struct look {
    uint8_t ttq[8], counter[8], information[64], online[CEMV_MAX_ISSUER_DATA], number[4];
    size_t ttq_size, counter_size, information_size, online_size, fci_size, pdol_size, language_size, records;
    bool restarted, online_present, unable, captured, not_captured;
    const struct cemv_combination *combination;
};
static struct look looks[LOOKS];
static struct cemv_outcome plan[LOOKS];
static unsigned activations;
static bool sends;

static size_t keep(uint8_t *out, size_t most, cemv_bytes bytes)
{
    if (bytes.size <= most && bytes.size) memcpy(out, bytes.data, bytes.size);
    return bytes.size;
}

static enum cemv_step looker_start(struct cemv_kernel *kernel)
{
    const struct cemv_activation a = cemv_kernel_activation(kernel);
    const struct cemv_command read = { .ins = 0xB2, .p1 = 1, .p2 = 0x0C, .le = CEMV_LE_MAX };
    const unsigned now = activations < LOOKS ? activations : LOOKS - 1;
    struct look *const look = &looks[now];
    *look = (struct look){ .fci_size = a.fci.size,
                           .pdol_size = kernel->pdol.size,
                           .language_size = kernel->language_size,
                           .records = (size_t)kernel->out.record_size + kernel->out.discretionary_size,
                           .restarted = a.restarted,
                           .online_present = a.online_response_present,
                           .unable = a.unable_to_go_online,
                           .captured = a.pin_entry == CEMV_PIN_ENTRY_CAPTURED,
                           .not_captured = a.pin_entry == CEMV_PIN_ENTRY_NOT_CAPTURED,
                           .combination = a.combination };
    look->ttq_size = keep(look->ttq, 8, cemv_kernel_terminal_data(kernel, 0x9F66));
    look->counter_size = keep(look->counter, 8, cemv_kernel_terminal_data(kernel, 0x9F41));
    look->information_size = keep(look->information, 64, cemv_kernel_terminal_data(kernel, 0x8B));
    look->online_size = keep(look->online, CEMV_MAX_ISSUER_DATA, a.online_response);
    memcpy(look->number, a.unpredictable_number, 4);
    activations++;
    if (sends) return cemv_kernel_send(kernel, 1, &read);
    return cemv_kernel_finish(kernel, &plan[now], BYTES("\x9C\1\0"), BYTES("\x82\2\0\0"));
}

static enum cemv_step looker_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    (void)reply;
    return cemv_kernel_finish(kernel, &plan[activations - 1], BYTES(""), BYTES(""));
}

/* The kernel's own long objects, for filling lists. */
enum { FILLERS = CEMV_KERNEL_TAGS_MAX };
static struct cemv_tag_row filler_rows[FILLERS];
static const struct cemv_kernel_module looker = { .start = looker_start,
                                                  .reply = looker_reply,
                                                  .tags = { filler_rows, FILLERS } };

static enum cemv_step other_start(struct cemv_kernel *kernel)
{
    const struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_DECLINED, CEMV_REASON_KERNEL);
    return cemv_kernel_finish(kernel, &outcome, BYTES(""), BYTES(""));
}
static const struct cemv_kernel_module other = { .start = other_start,
                                                 .reply = looker_reply,
                                                 .tags = { k2_tags, K2_TAGS } };

/* ---- a reader, a card, a transaction ---- */

static struct cemv_combination rows[ROWS];
static struct cemv_configuration configuration;
static struct cemv_transaction sale;
static const struct cemv_checked *checked;
static struct cemv_session *session;
static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_SESSION_SIZE], checked_memory[8192];
static cemv_bytes chance;

static void open_reader(void)
{
    static const struct cemv_kernel_row kernels[] = { { { 0x22 }, 1, &other },
                                                      { { 0x21 }, 1, &looker },
                                                      { { 3 }, 1, &cemv_kernel_3 } };
    memset(rows, 0, sizeof rows);
    memset(looks, 0, sizeof looks);
    for (unsigned i = 0; i < FILLERS; i++)
        filler_rows[i] = (struct cemv_tag_row){
            .tag = i < 0x7F ? 0x9F8501u + i : 0x9F8600u + i, .min = 1, .max = 255, .source = CEMV_SOURCE_TERMINAL
        };
    filler_rows[0] = (struct cemv_tag_row){ .tag = 0x9F66, .min = 4, .max = 4, .source = CEMV_SOURCE_TERMINAL };
    rows[0] = (struct cemv_combination){
        .aid = BYTES("\xF0\0\0\0\1"), .kernel_id = { 0x21 }, .kernel_id_size = 1, .ttq = BYTES("\x36\0\x40\0")
    };
    configuration = (struct cemv_configuration){
        .combinations = rows, .combination_count = 1, .kernels = kernels, .kernel_count = 3
    };
    sale = (struct cemv_transaction){
        .amount = 123, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 }, .counter = 1234567
    };
    for (size_t i = 0; i < LOOKS; i++) plan[i] = cemv_outcome_of(CEMV_OUTCOME_APPROVED, CEMV_REASON_KERNEL);
    chance = BYTES("\1\2\3\4\5\6\7\x08\x09\x0A\x0B\x0C\x0D\x0E\x0F\x10");
    activations = 0, sends = false;
}

/* Memory may hold anything: it need not be zero. */
static void begin(void)
{
    struct cemv_config_error error;
    memset(checked_memory, 0xA5, sizeof checked_memory);
    memset(memory, 0xA5, sizeof memory);
    property(cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) ==
                 CEMV_OK,
             "a good configuration", error.field << 8 | error.row);
    property(cemv_session_begin(memory, sizeof memory, checked, &sale, chance, &session, &error) == CEMV_OK,
             "a sale begins", error.field);
}

/* Checks the current configuration. */
static const struct cemv_checked *checked_now(void)
{
    struct cemv_config_error error;
    property(cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) ==
                 CEMV_OK,
             "a good configuration", error.field << 8 | error.row);
    return checked;
}

static const struct cemv_tags *looker_tags(void)
{
    static struct cemv_tags tags;
    cemv_tags_open(&tags, &looker.tags);
    return &tags;
}

static enum cemv_step say(uint8_t kind, cemv_bytes bytes)
{
    const struct cemv_reply reply = { .kind = kind, .bytes = bytes };
    return cemv_session_reply(session, &reply);
}

static const char ppse[] = "\x6F\x21\x84\x0E"
                           "2PAY.SYS.DDF01\xA5\x0F\xBF\x0C\x0C\x61\x0A\x4F\5\xF0\0\0\0\1\x87\1\1\x90\0";
static const char fci[] = "\x6F\x14\x84\5\xF0\0\0\0\1\xA5\x0B\x9F\x38\3\x9F\x37\4\x5F\x2D\2en\x90\0";
#define PPSE BYTES(ppse)
#define FCI  BYTES(fci)

/* Runs up to the answer to the final SELECT; the directory is left out if an issuer's answer is presented. */
static enum cemv_step tap(bool with_directory)
{
    property(say(CEMV_REPLY_CARD, BYTES("")) == CEMV_STEP_SEND, "a card is spoken to", 0);
    if (with_directory) property(say(CEMV_REPLY_RESPONSE, PPSE) == CEMV_STEP_SEND, "and has a directory", 0);
    return say(CEMV_REPLY_RESPONSE, FCI);
}

static bool ended(uint8_t status, uint8_t reason)
{
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    return cemv_session_step(session) == CEMV_STEP_DONE && outcome.status == status && outcome.reason == reason;
}

/* ---- input of a kernel ---- */

static void properties_of_activation(void)
{
    open_reader();
    begin();
    tap(true);
    property(activations == 1 && ended(CEMV_OUTCOME_APPROVED, CEMV_REASON_KERNEL), "a sale without terminal data", 0);
    property(looks[0].ttq_size == 4 && memcmp(looks[0].ttq, "\x36\0\x40\0", 4) == 0, "a kernel has its qualifiers", 0);
    property(looks[0].counter_size == 4 && memcmp(looks[0].counter, "\1\x23\x45\x67", 4) == 0, "and the sale's counter",
             0);
    property(looks[0].information_size == 0 && looks[0].pdol_size == 3 && looks[0].language_size == 2 &&
                 looks[0].records == 0,
             "and what the card said", 0);
    open_reader();
    rows[0].ttq.size = 0, configuration.poi_information = BYTES("\0\2\1\7"),
    configuration.terminal_data = BYTES("\x9F\x1A\2\2\x76\x9F\x35\1\x22");
    begin();
    tap(true);
    property(looks[0].ttq_size == 0, "no qualifiers where none are configured", 0);
    property(looks[0].information_size == 4 && memcmp(looks[0].information, "\0\2\1\7", 4) == 0,
             "what the terminal says of itself", 0);
    open_reader();
    rows[1] = rows[0], rows[1].aid = BYTES("\xF0\0\0\0\1\1"), configuration.combination_count = 2;
    begin();
    tap(true);
    property(looks[0].combination == &rows[0], "the combination whose name the card has", 0);
    /* Identifiers of another size are other kernels. */
    static const struct cemv_kernel_row sizes[] = {
        { { 0x21 }, 1, &other }, { { 0x21, 7, 7 }, 3, &other }, { { 0x21, 6 }, 2, &other }, { { 0x21, 7 }, 2, &looker }
    };
    open_reader();
    configuration.kernels = sizes;
    configuration.kernel_count = 4;
    rows[0].kernel_id[1] = 7;
    rows[0].kernel_id_size = 2;
    begin();
    tap(true);
    property(activations == 1, "an identifier of another size is another kernel's", 0);
}

/* Book A, 8.1.1.22: the second activation of a transaction. */
static void properties_of_second_activation(void)
{
    open_reader();
    plan[0] = cemv_outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_KERNEL);
    plan[0].start = CEMV_START_B;
    begin();
    tap(true);
    tap(true);
    property(activations == 2 && looks[1].restarted && looks[1].records == 0 && !looks[0].restarted,
             "records of an outcome are gone at the next activation", 0);
    /* A number that comes twice. */
    for (uint8_t profile = 0; profile < 3; profile++) {
        open_reader();
        plan[0] = cemv_outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_KERNEL);
        plan[0].start = CEMV_START_B;
        configuration.protection.profile = profile;
        chance = BYTES("\1\2\3\4\1\2\3\4");
        begin();
        tap(true);
        tap(true);
        property(activations == (profile == CEMV_PROFILE_BOOK ? 2 : 1), "a number that comes twice is no chance",
                 profile);
        property(ended(profile == CEMV_PROFILE_BOOK ? CEMV_OUTCOME_APPROVED : CEMV_OUTCOME_END_APPLICATION,
                       profile == CEMV_PROFILE_BOOK ? CEMV_REASON_KERNEL : CEMV_REASON_RANDOM),
                 "and ends, but by the book", profile);
        property(cemv_session_outcome(session).findings == 1u << CEMV_FINDING_RNG_SUSPECT, "and is reported", profile);
    }
    /* No number is left: random bytes are requested, and only data count as an answer. */
    static const struct {
        uint8_t kind;
        size_t size;
        bool drawn;
    } answers[] = { { CEMV_REPLY_DATA, 4, true },
                    { CEMV_REPLY_DATA, 3, false },
                    { CEMV_REPLY_DEADLINE, 8, false },
                    { CEMV_REPLY_DATA, 33, true } };
    for (unsigned i = 0; i < 4; i++) {
        open_reader();
        plan[0] = cemv_outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_KERNEL);
        plan[0].start = CEMV_START_B;
        chance = BYTES("\1\2\3\4\5\6\7");
        begin();
        tap(true);
        property(tap(true) == CEMV_STEP_ASK && cemv_session_question(session).kind == CEMV_ASK_RANDOM,
                 "chance runs dry", i);
        static const uint8_t more[33] = { 9, 9, 9, 9 };
        say(answers[i].kind, of(more, answers[i].size));
        property(activations == (answers[i].drawn ? 2 : 1), "a number is drawn from data of four bytes or more", i);
        if (!answers[i].drawn)
            property(ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_RANDOM), "else there is none", i);
        else property(memcmp(looks[1].number, more, 4) == 0, "from their beginning", i);
    }
}

/* ---- the issuer's answer ---- */

static void park(uint8_t start, uint8_t condition)
{
    open_reader();
    plan[0] = cemv_outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL);
    plan[0].start = start;
    plan[0].online_response = condition;
    begin();
    property(tap(true) == CEMV_STEP_PARKED, "an outcome is parked", start);
}

/* A template 71 of this many bytes. */
static cemv_bytes long_answer(size_t size)
{
    static uint8_t bytes[CEMV_MAX_ISSUER_DATA + 2] = { 0x71, 0x82 };
    bytes[2] = (uint8_t)((size - 4) >> 8), bytes[3] = (uint8_t)(size - 4);
    for (size_t i = 4; i < size; i++) bytes[i] = (uint8_t)(i * 7 + (i >> 8));
    return of(bytes, size);
}

static void properties_of_issuer_answers(void)
{
    const struct {
        cemv_bytes bytes;
        bool data, list;
    } answers[] = {
        { BYTES("\x91\2\1\2"), true, true },
        { BYTES("\x71\2\x86\0"), true, true },
        { BYTES("\x72\2\x86\0"), true, true },
        { BYTES("\x8A\2"
                "00"),
          false, true },
        { BYTES("\x73\2\x86\0"), false, true },
        { BYTES("\x70\2\x86\0"), false, true },
        { BYTES("\x91\2\1"), false, false },
        { long_answer(CEMV_MAX_ISSUER_DATA), true, true },
        { BYTES(""), false, true },
        { BYTES("\x8A\2"
                "00\x71\1\x86"),
          true, true },
    };
    for (unsigned i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        park(CEMV_START_B, CEMV_ONLINE_RESPONSE_EMV_DATA);
        say(CEMV_REPLY_ONLINE, answers[i].bytes);
        property(cemv_session_step(session) == (answers[i].data ? CEMV_STEP_POLL : CEMV_STEP_DONE),
                 "only data for the card bring it back", i);
        if (answers[i].data) {
            tap(false);
            property(activations == 2 && looks[1].online_present && looks[1].online_size == answers[i].bytes.size &&
                         memcmp(looks[1].online, answers[i].bytes.data, answers[i].bytes.size) == 0,
                     "the kernel sees them", i);
        } else property(ended(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL), "else the outcome stands", i);
        park(CEMV_START_D, CEMV_ONLINE_RESPONSE_ANY);
        say(CEMV_REPLY_ONLINE, answers[i].bytes);
        property(activations == 2 && looks[1].online_present &&
                     looks[1].online_size == (answers[i].list ? answers[i].bytes.size : 0),
                 "any answer resumes where any will do", i);
        property(!looks[1].unable, "an answer without data is an answer", i);
        property(looks[1].fci_size == 0 && looks[1].pdol_size == 0 && looks[1].language_size == 0,
                 "at Start D there is no card", i);
        property(cemv_session_command(session).size == 0, "and no command", i);
    }
}

/* A truncated or ignored answer would have another meaning: the transaction keeps waiting for one that fits. */
static void too_long_answers_are_not_taken(void)
{
    static const struct {
        uint8_t kind, start, condition;
        bool unable;
    } cases[] = { { CEMV_REPLY_ONLINE, CEMV_START_B, CEMV_ONLINE_RESPONSE_EMV_DATA, false },
                  { CEMV_REPLY_ONLINE, CEMV_START_D, CEMV_ONLINE_RESPONSE_ANY, false },
                  { CEMV_REPLY_PIN, CEMV_START_D, CEMV_ONLINE_RESPONSE_ANY, false },
                  { CEMV_REPLY_ONLINE, CEMV_START_D, CEMV_ONLINE_RESPONSE_ANY, true } };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cemv_reply reply = { .kind = cases[i].kind, .unable_to_go_online = cases[i].unable };
        park(cases[i].start, cases[i].condition);
        reply.bytes = long_answer(CEMV_MAX_ISSUER_DATA + 1);
        cemv_session_reply(session, &reply);
        property((cemv_session_step(session) == CEMV_STEP_PARKED) == !cases[i].unable, "it is not taken", i);
        if (cases[i].unable) continue; /* its bytes are ignored */
        property(activations == 1 && cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST &&
                     cemv_session_data_record(session).size == 3,
                 "and nothing is lost", i);
        reply.bytes = long_answer(CEMV_MAX_ISSUER_DATA);
        cemv_session_reply(session, &reply);
        if (cases[i].start == CEMV_START_B) tap(false);
        property(activations == 2 && looks[1].online_size == CEMV_MAX_ISSUER_DATA &&
                     memcmp(looks[1].online, reply.bytes.data, CEMV_MAX_ISSUER_DATA) == 0,
                 "the longest is, whole", i);
    }
}

/* Results of the request: an answer, no answer, a PIN, no PIN (Book A, 8.1.1.22 and 8.1.1.24, Table 6-3). */
static void missing_answers_are_told_apart(void)
{
    const struct {
        struct cemv_reply reply;
        bool unable, captured, not_captured;
        size_t size;
    } answers[] = {
        { { .kind = CEMV_REPLY_ONLINE, .unable_to_go_online = true }, true, false, false, 0 },
        { { .kind = CEMV_REPLY_ONLINE, .unable_to_go_online = true, .bytes = BYTES("\x91\2\1\2") },
          true,
          false,
          false,
          0 },
        { { .kind = CEMV_REPLY_ONLINE }, false, false, false, 0 },
        { { .kind = CEMV_REPLY_ONLINE, .pin_not_captured = true }, false, false, false, 0 },
        { { .kind = CEMV_REPLY_PIN }, false, true, false, 0 },
        { { .kind = CEMV_REPLY_PIN, .bytes = BYTES("\x91\2\1\2") }, false, true, false, 4 },
        { { .kind = CEMV_REPLY_PIN, .pin_not_captured = true }, false, false, true, 0 },
        { { .kind = CEMV_REPLY_PIN, .pin_not_captured = true, .bytes = BYTES("\x91\2\1\2") }, false, false, true, 4 },
    };
    for (unsigned i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        park(CEMV_START_D, CEMV_ONLINE_RESPONSE_ANY);
        cemv_session_reply(session, &answers[i].reply);
        const bool given = activations == 2 && looks[1].online_present;
        property(given && looks[1].online_size == answers[i].size, "the kernel goes on after any answer", i);
        property(looks[1].unable == answers[i].unable, "the kernel learns that no answer came", i);
        property(looks[1].not_captured == answers[i].not_captured, "the kernel learns that no PIN was entered", i);
        property(looks[1].captured == answers[i].captured, "the kernel distinguishes a PIN from an answer", i);
        park(CEMV_START_B, CEMV_ONLINE_RESPONSE_EMV_DATA);
        cemv_session_reply(session, &answers[i].reply);
        const bool restarts = cemv_session_step(session) == CEMV_STEP_POLL;
        property(restarts == (answers[i].size != 0), "what no answer brought is no issuer's data", i);
    }
}

/* A Field Off Request comes with the step of the outcome (Book B, 3.5.1.2). */
static void field_off_comes_with_the_outcome(void)
{
    static const struct {
        uint16_t request;
        uint32_t ms;
    } requests[] = { { CEMV_FIELD_OFF_NA, CEMV_FIELD_KEEP }, { 0, 0 }, { 13, 1300 } };
    for (unsigned i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        open_reader();
        plan[0].field_off_100ms = requests[i].request;
        begin();
        property(cemv_session_field_off(session) == cemv_session_poll(session).field_off_ms, "as the poll says", i);
        property(tap(true) == CEMV_STEP_DONE && cemv_session_field_off(session) == requests[i].ms,
                 "with the final step", i);
        open_reader();
        plan[0] = cemv_outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL);
        plan[0].field_off_100ms = requests[i].request;
        plan[0].start = CEMV_START_B;
        plan[0].online_response = CEMV_ONLINE_RESPONSE_ANY;
        begin();
        const bool parked = tap(true) == CEMV_STEP_PARKED;
        property(parked && cemv_session_field_off(session) == requests[i].ms, "with the parked outcome", i);
        cemv_session_wipe(session);
        property(cemv_session_step(session) == CEMV_STEP_NONE, "a wiped session has no step", i);
        property(cemv_session_field_off(session) == CEMV_FIELD_KEEP, "and requests nothing", i);
    }
    open_reader();
    sends = true;
    begin();
    const bool sent = tap(true) == CEMV_STEP_SEND;
    property(sent && cemv_session_field_off(session) == CEMV_FIELD_KEEP, "a command changes no field", 0);
}

/* ---- space ---- */

/* A list of about this many bytes, of long objects: those from `first` on. */
static cemv_bytes filler(size_t wanted, size_t first, uint8_t out[6000])
{
    size_t size = 0;
    for (size_t i = first + 1; i < FILLERS && size + 6 < wanted; i++) {
        size_t length = filler_rows[i].max;
        if (length + 6 > wanted - size) length = wanted - size - 6;
        size += cemv_tag_write(out + size, filler_rows[i].tag);
        out[size++] = 0x81;
        out[size++] = (uint8_t)length;
        memset(out + size, 'A', length);
        size += length;
    }
    return of(out, size);
}

static void open_full(size_t terminal, size_t own, size_t more)
{
    static uint8_t lists[3][6000];
    open_reader();
    configuration.terminal_data = filler(terminal, 0, lists[0]);
    rows[0].data = filler(own, 12, lists[1]);
    sale.data = filler(more, 24, lists[2]);
}

/* Three lists grow in turn until they, or the FCI after them, do not fit: a kernel never begins without its complete
 * input. */
static void properties_of_room(void)
{
    static const struct {
        size_t terminal, own, more, grows;
    } cases[] = { { 0, 0, 0, 1000 }, { 1800, 0, 0, 100 }, { 1800, 1500, 0, 10 }, { 1800, 1500, 190, 2 } };
    for (unsigned which = 0; which < 4; which++) {
        bool begun = false, refused = false;
        for (unsigned step = 0; step < 40; step++) {
            const size_t grown = step * cases[which].grows;
            if (which == 0 && grown > 5500) break;
            open_full(cases[which].terminal + (which == 0 ? grown : 0), cases[which].own + (which == 1 ? grown : 0),
                      cases[which].more + (which >= 2 ? grown : 0));
            if (configuration.terminal_data.size > 5900 || rows[0].data.size > 3000) break;
            begin();
            tap(true);
            if (activations) begun = true, property(!refused, "what fits in more fits in less", which << 16 | step);
            else
                refused = true, property(ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STORE_FULL),
                                         "data without room end the sale", which << 16 | step);
        }
        property(begun && refused, "small lists fit, large ones do not", which);
    }
}

/* Objects of the minimum size, as many as the dictionary lets a terminal have: more than a store can index. */
static void properties_of_many_objects(void)
{
    static uint8_t list[4096];
    static size_t ends[CEMV_SLOT_END + 1];
    size_t size = 0, count = 0;
    for (uint16_t slot = 0; slot < CEMV_SLOT_END; slot++) {
        const struct cemv_tag_row *info = cemv_tag_row_at(looker_tags(), slot);
        struct cemv_config_error error;
        size_t used = cemv_tag_write(list + size, info->tag);
        open_reader();
        list[size + used++] = info->min;
        memset(list + size + used, '0', info->min);
        used += info->min;
        sale.data = of(list + size, used);
        if (info->min == 0 || info->min > 20 || cemv_transaction_check(&sale, checked_now(), &error) != CEMV_OK)
            continue;
        size += used;
        ends[++count] = size;
    }
    property(count > CEMV_STORE_ENTRIES && size < CEMV_STORE_ARENA, "there are more objects than a store takes",
             (unsigned)count);
    for (size_t objects = CEMV_STORE_ENTRIES - 20; objects <= count; objects++) {
        open_reader();
        configuration.terminal_data = of(list, ends[objects]);
        begin();
        tap(true);
        property(activations == 1 ? objects < CEMV_STORE_ENTRIES
                                  : ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STORE_FULL),
                 "objects without room end the sale", (unsigned)objects);
        property(activations == 1 || objects > CEMV_STORE_ENTRIES - 20, "and only those", (unsigned)objects);
    }
}

/* The issuer's longest answer is presented with a store that is filled with other data. */
static void properties_of_room_for_answers(void)
{
    const cemv_bytes longest = long_answer(CEMV_MAX_ISSUER_DATA);
    bool begun = false, refused = false;
    for (size_t more = 0; more < 600; more += 20) {
        open_full(1300, 800, more);
        plan[0] = cemv_outcome_of(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL);
        plan[0].start = CEMV_START_B;
        plan[0].online_response = CEMV_ONLINE_RESPONSE_EMV_DATA;
        begin();
        tap(true);
        property(activations == 1, "the first presentment has room", (unsigned)more);
        property(say(CEMV_REPLY_ONLINE, longest) == CEMV_STEP_POLL, "the card is asked for again", (unsigned)more);
        tap(false);
        if (activations == 2)
            begun = true, property(!refused && looks[1].online_size == longest.size &&
                                       memcmp(looks[1].online, longest.data, longest.size) == 0,
                                   "an answer is given whole", (unsigned)more);
        else
            refused = true,
            property(ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STORE_FULL), "or the sale ends", (unsigned)more);
    }
    property(begun && refused, "a short sale leaves room for an answer, a long one does not", 0);
}

/* ---- messages, the final state and wiping ---- */

static bool zero(const void *data, size_t size)
{
    const uint8_t *at = data;
    while (size--)
        if (*at++) return false;
    return true;
}

static void properties_of_wiping(void)
{
    for (unsigned step = 0; step < 5; step++) {
        open_reader();
        sends = true;
        begin();
        if (step > 0) say(CEMV_REPLY_CARD, BYTES(""));
        if (step > 1) say(CEMV_REPLY_RESPONSE, PPSE);
        if (step > 2) say(CEMV_REPLY_RESPONSE, FCI);
        if (step > 3) say(CEMV_REPLY_RESPONSE, BYTES("\x90\0"));
        property((cemv_session_step(session) == CEMV_STEP_DONE) == (step == 4), "a sale on its way", step);
        cemv_session_wipe(session);
        property(zero(session, step < 4 ? sizeof *session
                                        : offsetof(struct cemv_session, kernel) + offsetof(struct cemv_kernel, store) +
                                              sizeof session->kernel.store),
                 "a wiped session is zero", step);
    }
    struct cemv_session *const not_begun = (struct cemv_session *)(void *)memory;
    memset(memory, 0xA5, sizeof memory);
    not_begun->kernel.out.step = CEMV_STEP_DONE;
    cemv_session_wipe(not_begun);
    property(zero(not_begun, sizeof *not_begun), "memory that is no session is wiped whole", 0);
    for (unsigned kind = 0; kind < 256; kind++)
        property(!cemv_session_takes(not_begun, (uint8_t)kind), "and takes nothing", kind);
    property(!cemv_session_has_work(not_begun) && !cemv_session_work(not_begun), "and has no work", 0);
}

static void properties_of_steps(void)
{
    open_reader();
    begin();
    property(cemv_session_step(session) == CEMV_STEP_POLL && !cemv_session_has_work(session) &&
                 !cemv_session_work(session),
             "no card, no work", 0);
    const size_t shown = cemv_session_ui_count(session);
    property(shown == 1 && cemv_session_ui(session, 0).message == CEMV_MESSAGE_PRESENT_CARD, "a card is asked for",
             (unsigned)shown);
    for (size_t i = shown; i < 8; i++)
        property(cemv_session_ui(session, i).message == CEMV_MESSAGE_CLEAR_DISPLAY &&
                     cemv_session_ui(session, i).status == CEMV_UI_STATUS_NA,
                 "behind the last message there is none", (unsigned)i);
    say(CEMV_REPLY_CARD, BYTES(""));
    property(cemv_session_step(session) == CEMV_STEP_SEND && !cemv_session_has_work(session),
             "Entry Point has none either", 0);
    say(CEMV_REPLY_RESPONSE, PPSE);
    sends = true;
    say(CEMV_REPLY_RESPONSE, FCI);
    property(cemv_session_step(session) == CEMV_STEP_SEND && !cemv_session_has_work(session) &&
                 !cemv_session_work(session),
             "nor a kernel without certificates", 0);
    session->kernel.out.exchange_size = 5;
    property(say(CEMV_REPLY_STOP, BYTES("")) == CEMV_STEP_DONE &&
                 ended(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STOPPED),
             "a stop ends at once", 0);
    property(cemv_session_exchange(session).size == 0 && cemv_session_ui_count(session) == 0, "and says no more", 0);
    static struct cemv_reader_memory reader;
    open_reader();
    begin();
    cemv_session_set_reader(session, &reader);
    property(session->kernel.transaction.reader == &reader, "the reader's memory may come late", 0);
}

/* More applications than the list can hold: the transaction continues, and this is reported. */
static void properties_of_many_candidates(void)
{
    for (size_t entries = 1; entries < 8; entries++) {
        uint8_t body[258] = "\x6F\0\x84\x0E"
                            "2PAY.SYS.DDF01\xA5\0\xBF\x0C\0";
        size_t size = 23;
        for (size_t i = 0; i < entries; i++) {
            memcpy(body + size, "\x61\x0A\x4F\5\xF0\0\0\0\1\x87\1\1", 12);
            size += 12;
        }
        body[1] = (uint8_t)(size - 2);
        body[19] = (uint8_t)(size - 20);
        body[22] = (uint8_t)(size - 23);
        memcpy(body + size, "\x90\0", 2);
        size += 2;
        open_reader();
        for (uint8_t i = 1; i < 3; i++) {
            rows[i] = rows[0];
            rows[i].aid.size = 5;
            memcpy(rows[i].kernel_id, i == 1 ? "\x22" : "\3", 1);
        }
        configuration.combination_count = 3, configuration.terminal_data = BYTES("\x9F\x1A\2\2\x76");
        begin();
        say(CEMV_REPLY_CARD, BYTES(""));
        say(CEMV_REPLY_RESPONSE, of(body, size));
        say(CEMV_REPLY_RESPONSE, FCI);
        property(activations == 1 && cemv_session_step(session) == CEMV_STEP_DONE, "the best is taken",
                 (unsigned)entries);
        property(cemv_session_outcome(session).findings ==
                     (3 * entries > CEMV_MAX_CANDIDATES ? 1u << CEMV_FINDING_CANDIDATES_DROPPED : 0),
                 "and what was left out is reported", (unsigned)entries);
    }
}

/* The transaction's preferred names have priority over the card's order. */
static void properties_of_preferences(void)
{
    for (unsigned which = 0; which < 3; which++) {
        static const char both[] =
            "\x6F\x2D\x84\x0E"
            "2PAY.SYS."
            "DDF01\xA5\x1B\xBF\x0C\x18\x61\x0A\x4F\5\xF0\0\0\0\1\x87\1\1\x61\x0A\x4F\5\xF0\0\0\0\2\x87\1\2\x90\0";
        open_reader();
        rows[1] = rows[0], rows[1].aid = BYTES("\xF0\0\0\0\2"), configuration.combination_count = 2;
        if (which) sale.preferred = which == 1 ? BYTES("\5\xF0\0\0\0\2") : BYTES("\5\xF0\0\0\0\1");
        begin();
        say(CEMV_REPLY_CARD, BYTES(""));
        say(CEMV_REPLY_RESPONSE, BYTES(both));
        property(cemv_session_command(session).size > 9 &&
                     cemv_session_command(session).data[9] == (which == 1 ? 2 : 1),
                 "a preferred name first", which);
    }
}

/* ---- requirements on a configuration ---- */

static void refused(enum cemv_status status, unsigned section, unsigned row, unsigned field, uint32_t tag,
                    const char *name, unsigned detail)
{
    struct cemv_config_error error = { 99, 99, 99, 99 };
    memset(checked_memory, 0xA5, sizeof checked_memory);
    property(cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) ==
                 status,
             name, detail);
    property(error.section == section && error.row == row && error.field == field && error.tag == tag, name,
             detail + 1000);
}

static void properties_of_rows(void)
{
    static struct cemv_kernel_row kernels[4];
    const struct cemv_kernel_row plain[] = {
        { { 0x22 }, 1, &other }, { { 0x21 }, 1, &looker }, { { 0x21, 7 }, 2, &other }, { { 0x77 }, 1, &other }
    };
    memcpy(kernels, plain, sizeof plain);
    open_reader();
    configuration.kernels = kernels;
    rows[0].kernel_id[0] = 0x77;
    refused(CEMV_UNKNOWN_KERNEL, CEMV_SECTION_COMBINATION, 0, CEMV_FIELD_KERNEL_ID, 0,
            "a kernel behind the end of the table is none", 0);
    open_reader();
    configuration.kernels = kernels;
    rows[1] = rows[0];
    rows[1].kernel_id[1] = 7;
    rows[1].kernel_id_size = 2;
    configuration.combination_count = 2;
    begin();
    rows[0].kernel_id[1] = 7;
    rows[0].kernel_id_size = 2;
    rows[1].kernel_id_size = 1;
    begin();
    configuration.combination_count = 1;
    kernels[0].id_size = 0;
    refused(CEMV_BAD_LENGTH, CEMV_SECTION_KERNEL, 0, CEMV_FIELD_KERNEL_ID, 0, "the first kernel is looked at", 0);
    open_reader();
    configuration.terminal_data = BYTES("\x9F\x35\1\x22\x9F\x1A");
    refused(CEMV_BAD_TLV, CEMV_SECTION_TERMINAL, 0, CEMV_FIELD_DATA, 0, "data cut short name no object", 0);
    static const struct {
        const char *list;
        size_t size;
        uint32_t tag;
    } constructed[] = { { "\x71\2\x86\0", 4, 0x71 },
                        { "\x72\2\x86\0", 4, 0x72 },
                        { "\x61\2\x50\0", 4, 0x61 },
                        { "\xBF\x4E\2\x50\0", 5, 0xBF4E },
                        { "\x7F\x60\2\x50\0", 5, 0x7F60 } };
    for (unsigned i = 0; i < sizeof constructed / sizeof constructed[0]; i++) {
        open_reader();
        configuration.terminal_data = of(constructed[i].list, constructed[i].size);
        refused(CEMV_NOT_CONFIGURABLE, CEMV_SECTION_TERMINAL, 0, CEMV_FIELD_DATA, constructed[i].tag,
                "no template is terminal data", i);
    }
    struct cemv_config_error error = { 99, 99, 99, 99 };
    open_reader();
    property(cemv_configuration_check(&configuration, checked_memory, 1, &checked, &error) == CEMV_NO_MEMORY &&
                 error.section == CEMV_SECTION_TERMINAL && error.row == 0 && error.field == CEMV_FIELD_MEMORY &&
                 error.tag == 0,
             "no memory, no row", 0);
}

/* A transaction may contain an empty object if data exchange may supply that object; no other. */
static void properties_of_announced_data(void)
{
    for (uint16_t slot = 0; slot < TAG_ROWS; slot++) {
        const struct cemv_tag_row *info = tag_row_at(slot);
        struct cemv_config_error error = { 99, 99, 99, 99 };
        uint8_t list[6];
        size_t size = cemv_tag_write(list, info->tag);
        list[size++] = 0;
        open_reader();
        sale.data = of(list, size);
        const enum cemv_status status = cemv_transaction_check(&sale, checked_now(), &error);
        if (status == CEMV_NOT_CONFIGURABLE) continue;
        uint8_t sources = 0;
        for (uint16_t row = 0; row < TAG_ROWS; row++)
            if (tag_row_at(row)->tag == info->tag) sources |= tag_row_at(row)->source;
        property((status == CEMV_OK) == ((sources & (CEMV_SOURCE_TERMINAL | CEMV_SOURCE_ELSEWHERE)) != 0),
                 "only what may be asked for stands empty", slot);
        if (status != CEMV_OK)
            property(status == CEMV_BAD_LENGTH && error.section == CEMV_SECTION_TRANSACTION && error.row == 0 &&
                         error.field == CEMV_FIELD_DATA && error.tag == info->tag,
                     "an error names its object", slot);
    }
    /* Data of the transaction may be left open, with an empty object; a value must not be given in addition to the
     * transaction's own. */
    static const uint32_t open[] = { 0x9F02, 0x9F03, 0x9F21, 0x5F2A, 0x5F36, 0x9A, 0x9C },
                          closed[] = { 0x9F37, 0x9F41, 0x9F66, 0x9F34, 0x9F27, 0x9F26, 0x9F36, 0x95, 0x9B };
    for (size_t i = 0; i < sizeof open / sizeof open[0] + sizeof closed / sizeof closed[0]; i++)
        for (unsigned filled = 0; filled < 2; filled++) {
            const bool opens = i < sizeof open / sizeof open[0];
            const uint32_t tag = opens ? open[i] : closed[i - sizeof open / sizeof open[0]];
            uint8_t list[12] = { 0 };
            size_t size = cemv_tag_write(list, tag);
            struct cemv_config_error none = { 0 };
            list[size++] = filled ? tag_row_of(tag)->min : 0;
            open_reader();
            sale.data = of(list, size + list[size - 1]);
            property(cemv_transaction_check(&sale, checked_now(), &none) ==
                         (opens && !filled ? CEMV_OK : CEMV_NOT_CONFIGURABLE),
                     "what a transaction may leave open", (unsigned)i << 1 | filled);
            property(none.tag == (opens && !filled ? 0 : tag), "what may not be given is named",
                     (unsigned)i << 1 | filled);
            open_reader();
            configuration.terminal_data = sale.data = of(list, size + list[size - 1]);
            sale.data.size = 0;
            refused(CEMV_NOT_CONFIGURABLE, CEMV_SECTION_TERMINAL, 0, CEMV_FIELD_DATA, tag,
                    "no reader is configured with a transaction's data", (unsigned)i);
        }
    struct cemv_config_error error = { 99, 99, 99, 99 };
    open_reader();
    begin();
    property(cemv_session_begin(memory, sizeof memory, checked, &sale, BYTES("\1\2\3"), &session, &error) ==
                     CEMV_NO_RANDOM &&
                 error.section == CEMV_SECTION_TRANSACTION && error.field == CEMV_FIELD_RANDOM,
             "no chance is reported as such", 0);
    error = (struct cemv_config_error){ 99, 99, 99, 99 };
    sale.amount = 1000000000000u;
    property(cemv_transaction_check(&sale, checked_now(), &error) == CEMV_BAD_VALUE &&
                 error.section == CEMV_SECTION_TRANSACTION && error.row == 0 && error.field == CEMV_FIELD_AMOUNT &&
                 error.tag == 0,
             "an amount is no row's", 0);
}

/* ---- requirements before a transaction begins ---- */

static void does_not_begin(void *room, size_t size, cemv_bytes random, enum cemv_status status, unsigned field,
                           unsigned detail)
{
    struct cemv_config_error error = { 99, 99, 99, 99 };
    struct cemv_session *none = NULL;
    memset(memory, 0xA5, sizeof memory);
    property(cemv_session_begin(room, size, checked, &sale, random, &none, &error) == status,
             "memory and chance are asked for", detail);
    property(error.section == CEMV_SECTION_TRANSACTION && error.row == 0 && error.field == field && error.tag == 0,
             "what is missing has its name", detail);
    property(none == NULL, "no session without them", detail);
    for (size_t i = 0; i < sizeof memory; i++) property(memory[i] == 0xA5, "and nothing is written", detail);
}

static void properties_of_beginnings(void)
{
    open_reader();
    begin();
    does_not_begin(NULL, sizeof memory, chance, CEMV_NO_MEMORY, CEMV_FIELD_MEMORY, 0);
    does_not_begin(memory, 64, chance, CEMV_NO_MEMORY, CEMV_FIELD_MEMORY, 1);
    does_not_begin(memory + 1, sizeof memory - 1, chance, CEMV_NO_MEMORY, CEMV_FIELD_MEMORY, 2);
    for (size_t size = 0; size < 4; size++)
        does_not_begin(memory, sizeof memory, of(chance.data, size), CEMV_NO_RANDOM, CEMV_FIELD_RANDOM, 3);
}

/* A reader memory that no session has written is rejected before anything is read from it. */
static void reader_memory_is_checked(void)
{
    static struct cemv_reader_memory memories[9];
    const struct {
        const char *name;
        bool sound;
    } cases[] = {
        { "empty", true },
        { "full", true },
        { "too many records", false },
        { "a record too long", false },
        { "a free place is not looked at", true },
        { "the last count", true },
        { "a count beyond", false },
        { "the last place of a key", true },
        { "a place beyond", false },
    };
    memories[1].torn_count = CEMV_TORN_RECORDS, memories[2].torn_count = CEMV_TORN_RECORDS + 1;
    for (size_t i = 0; i < CEMV_TORN_RECORDS; i++) memories[1].torn[i].size = CEMV_TORN_RECORD_CAPACITY;
    memories[3].torn_count = 2;
    memories[3].torn[1].size = CEMV_TORN_RECORD_CAPACITY + 1;
    memories[4].torn_count = 1;
    memories[4].torn[1].size = 0xFFFF;
    memories[5].failed_magstripe = CEMV_MAX_FAILED_MAGSTRIPE,
    memories[6].failed_magstripe = CEMV_MAX_FAILED_MAGSTRIPE + 1;
    memories[7].seen_next = CEMV_SEEN_KEYS - 1, memories[8].seen_next = CEMV_SEEN_KEYS;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cemv_config_error error;
        open_reader();
        begin();
        property(cemv_session_set_reader(session, &memories[i]) == cases[i].sound, cases[i].name, i);
        property(session->kernel.transaction.reader == (cases[i].sound ? &memories[i] : NULL), cases[i].name, i);
        sale.reader = &memories[i];
        const enum cemv_status status =
            cemv_session_begin(memory, sizeof memory, checked, &sale, chance, &session, &error);
        property(status == (cases[i].sound ? CEMV_OK : CEMV_BAD_VALUE), cases[i].name, i);
        property((session != NULL) == cases[i].sound, "a session that did not begin is none", i);
        if (!cases[i].sound)
            property(error.section == CEMV_SECTION_TRANSACTION && error.field == CEMV_FIELD_READER_MEMORY,
                     cases[i].name, i);
    }
    open_reader();
    begin();
    property(cemv_session_set_reader(session, NULL) && session->kernel.transaction.reader == NULL, "none is sound", 0);
}

/* POI Information comes from the terminal: among its data or separately, with one value (Book B, 3.3.2.3, A.1). */
static void poi_information_has_one_value(void)
{
    static const uint8_t longest[65] = { 0, 1, 62 };
    uint8_t list[70] = { 0x8B, 65 };
    open_reader();
    configuration.terminal_data = BYTES("\x8B\4\0\2\1\7");
    begin();
    tap(true);
    property(looks[0].information_size == 4 && memcmp(looks[0].information, "\0\2\1\7", 4) == 0,
             "in the terminal's data", 0);
    property(checked->configuration.poi_information.size == 4, "Entry Point has it too", 0);
    configuration.poi_information = BYTES("\0\2\1\7");
    begin();
    configuration.poi_information = BYTES("\0\2\1\x08");
    refused(CEMV_CONFLICT, CEMV_SECTION_TERMINAL, 0, CEMV_FIELD_DATA, 0x8B, "two values", 0);
    configuration.poi_information = BYTES("");
    configuration.terminal_data = BYTES("\x8B\4\0\2\2\7");
    refused(CEMV_BAD_VALUE, CEMV_SECTION_TERMINAL, 0, CEMV_FIELD_DATA, 0x8B, "a length beyond the end", 0);
    memcpy(list + 2, longest, sizeof longest);
    configuration.terminal_data = of(list, 67);
    refused(CEMV_BAD_LENGTH, CEMV_SECTION_TERMINAL, 0, CEMV_FIELD_DATA, 0x8B, "too long", 0);
    open_reader();
    rows[0].data = BYTES("\x8B\4\0\2\1\7");
    refused(CEMV_NOT_CONFIGURABLE, CEMV_SECTION_COMBINATION, 0, CEMV_FIELD_DATA, 0x8B, "it is no combination's", 0);
    struct cemv_config_error error;
    open_reader();
    sale.data = BYTES("\x8B\4\0\2\1\7");
    property(cemv_transaction_check(&sale, checked_now(), &error) == CEMV_NOT_CONFIGURABLE && error.tag == 0x8B &&
                 error.field == CEMV_FIELD_DATA,
             "and no transaction's", 0);
    /* The Terminal Floor Limit is a limit of the combination, not a data object (Book A, Table 5-2). */
    open_reader();
    configuration.terminal_data = BYTES("\x9F\x1B\4\0\0\3\xE8");
    refused(CEMV_NOT_CONFIGURABLE, CEMV_SECTION_TERMINAL, 0, CEMV_FIELD_DATA, 0x9F1B, "the floor limit has one home",
            0);
}

void properties_of_sessions(void)
{
    PART(properties_of_beginnings);
    PART(properties_of_activation);
    PART(properties_of_second_activation);
    PART(properties_of_issuer_answers);
    PART(too_long_answers_are_not_taken);
    PART(missing_answers_are_told_apart);
    PART(field_off_comes_with_the_outcome);
    PART(properties_of_room);
    PART(properties_of_many_objects);
    PART(properties_of_room_for_answers);
    PART(properties_of_wiping);
    PART(properties_of_steps);
    PART(properties_of_many_candidates);
    PART(properties_of_preferences);
    PART(properties_of_rows);
    PART(properties_of_announced_data);
    PART(reader_memory_is_checked);
    PART(poi_information_has_one_value);
}
