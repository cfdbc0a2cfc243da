/* SPDX-License-Identifier: Apache-2.0 */
#include "faults.h"

#include <stdlib.h>
#include <string.h>

#include "CEMVInternals.h"

enum { MAX_STEPS = 700 };

/* Status words that ISO/IEC 7816-4 names, and borders of its classes. */
static const uint16_t status_words[] = {
    0x9000, 0x9001, 0x90FF, 0x6100, 0x6110, 0x61FF, 0x6200, 0x6202, 0x6280, 0x6281, 0x6282, 0x6283, 0x6284, 0x6285,
    0x6286, 0x6300, 0x6310, 0x6381, 0x63C0, 0x63C3, 0x63CF, 0x6400, 0x6401, 0x6402, 0x6480, 0x6500, 0x6581, 0x6600,
    0x6700, 0x6800, 0x6881, 0x6882, 0x6883, 0x6884, 0x6900, 0x6981, 0x6982, 0x6983, 0x6984, 0x6985, 0x6986, 0x6987,
    0x6988, 0x6A00, 0x6A80, 0x6A81, 0x6A82, 0x6A83, 0x6A84, 0x6A85, 0x6A86, 0x6A87, 0x6A88, 0x6A89, 0x6A8A, 0x6B00,
    0x6C00, 0x6C10, 0x6D00, 0x6E00, 0x6F00, 0x6FFF, 0x9100, 0x9240, 0x9F00, 0x0000, 0xFFFF,
};
static const uint32_t sizes[] = { 256, 257, 258, 259, 260, 512, 4096 };
static const uint8_t links[] = { CEMV_REPLY_TIMEOUT, CEMV_REPLY_TRANSMISSION, CEMV_REPLY_PROTOCOL, CEMV_REPLY_REMOVED };
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const char *fault_verdict_name(enum fault_verdict violated)
{
    static const char *const names[] = { "held",
                                         "not begun",
                                         "endless",
                                         "not one outcome",
                                         "internal error",
                                         "card bytes left",
                                         "approved with forged data",
                                         "approved, undamaged not",
                                         "data record",
                                         "terminal data changed",
                                         "status word of the error" };
    return names[violated];
}

/* ---- the card ---- */

/* Exchanges of a tap, by number. */
static const struct recorded_reply *exchange_at(const struct recorded_tap *tap, size_t number)
{
    for (size_t i = 0; i < tap->reply_count; i++)
        if (tap->replies[i].command.size && number-- == 0) return &tap->replies[i];
    return NULL;
}

static size_t exchange_count(const struct recorded_tap *tap)
{
    size_t count = 0;
    for (size_t i = 0; i < tap->reply_count; i++) count += tap->replies[i].command.size != 0;
    return count;
}

struct play {
    struct fault_run *run;
    const struct fault_case *given;
    const struct recorded_tap *tap, *card;
    size_t sent, next, polls, asked;
    bool selection;      /* unsigned data that choose the features were damaged */
    bool unsigned_data;  /* unsigned data were damaged, left out or exchanged */
    bool online, forged; /* authenticated bytes of the currently selected application were damaged */
    size_t selects;      /* SELECT commands in this presentment */
    bool covers_all;     /* the card signed the whole answer that is damaged next */
    uint8_t scratch[8192];
};

/* Unsigned answers that choose the features: the answer to SELECT, and the data storage objects next to profile and
 * locator (without 9F7F nothing is stored, and no summary is compared). */
static bool is_selection(cemv_bytes command, cemv_bytes response)
{
    struct cemv_tlv template, number;
    if (command.data[1] == 0xA4) return true;
    return command.data[1] == 0xA8 && response.size > 2 &&
           cemv_tlv_find((cemv_bytes){ response.data, response.size - 2 }, CEMV_TAG_77_RESPONSE_FORMAT_2, &template) &&
           cemv_tlv_find(template.value, CEMV_TAG_9F7F_DS_UNPREDICTABLE_NUMBER, &number);
}

/* Whether the card answers GENERATE AC or RECOVER AC with Signed Dynamic Application Data, which then covers the
 * answer. After SDA alone (Book C-4) nothing covers it: only the issuer can notice a changed cryptogram. */
static bool is_signed(cemv_bytes command, cemv_bytes response)
{
    struct cemv_tlv template, signature;
    return (command.data[1] == 0xAE || command.data[1] == 0xD0) && response.size > 2 &&
           cemv_tlv_find((cemv_bytes){ response.data, response.size - 2 }, CEMV_TAG_77_RESPONSE_FORMAT_2, &template) &&
           cemv_tlv_find(template.value, CEMV_TAG_9F4B_SIGNED_DYNAMIC_APPLICATION_DATA, &signature);
}

/* Bytes that a verified chain or signature covers: a tap with a change there must never end approved. */
static bool is_covered(const struct play *play, cemv_bytes response, size_t offset)
{
    static const uint32_t tags[] = { 0x8F, 0x90, 0x92, 0x9F32, 0x9F46, 0x9F47, 0x9F48, 0x9F4B, 0x9F69 };
    struct cemv_tlv_walk walk = cemv_tlv_walk_open((cemv_bytes){ response.data, response.size - 2 });
    struct cemv_tlv object;
    uint8_t depth;
    while (cemv_tlv_walk_next(&walk, &object, &depth)) {
        const size_t start = (size_t)(object.value.data - response.data);
        if (offset < start || offset >= start + object.value.size || object.constructed) continue;
        for (size_t i = 0; i < COUNT(tags); i++)
            if (object.tag == tags[i]) return true;
        if (play->covers_all) return true;
    }
    return false;
}

static void damage(struct play *play, const struct fault *fault, struct cemv_reply *reply)
{
    uint8_t *out = play->scratch;
    const struct recorded_reply *other;
    if (fault->kind == FAULT_LINK) {
        *reply = (struct cemv_reply){ .kind = (uint8_t)fault->a };
        return;
    }
    if (reply->kind != CEMV_REPLY_RESPONSE) return;
    size_t size = reply->bytes.size;
    if (size && reply->bytes.data != out) memcpy(out, reply->bytes.data, size);
    switch (fault->kind) {
    case FAULT_TRUNCATE:
        if (fault->a < size) size = fault->a;
        break;
    case FAULT_CUT:
        play->unsigned_data = true;
        if (size >= 2 && fault->a + 2 <= size) memmove(out + fault->a, out + size - 2, 2), size = fault->a + 2;
        break;
    case FAULT_BYTE:
        if (fault->a >= size || out[fault->a] == (uint8_t)fault->b) break;
        if (size > 2 && fault->a < size - 2 && is_covered(play, (cemv_bytes){ out, size }, fault->a))
            play->forged = true;
        else play->unsigned_data = true;
        out[fault->a] = (uint8_t)fault->b;
        break;
    case FAULT_STATUS:
        if (fault->b || size < 2) size = 2;
        out[size - 2] = (uint8_t)(fault->a >> 8);
        out[size - 1] = (uint8_t)fault->a;
        break;
    case FAULT_ORDER:
        play->unsigned_data = true;
        other = exchange_at(play->tap, fault->a);
        if (other && other->kind == CEMV_REPLY_RESPONSE) size = other->bytes.size, memcpy(out, other->bytes.data, size);
        break;
    case FAULT_SIZE:
        if (fault->a <= sizeof play->scratch && fault->a > size)
            memset(out + size, 0x5A, fault->a - size), size = fault->a;
        break;
    default: break;
    }
    reply->bytes = (cemv_bytes){ out, size };
}

/* A response without its end has another status word. After that no kernel approves, unless it does not need the
 * response: GET DATA and READ DATA read objects that a card need not have; PUT DATA and WRITE DATA follow the
 * cryptogram. */
static bool is_cut_short(const struct fault *fault, cemv_bytes command, const struct recorded_reply *found)
{
    const uint8_t instruction = command.data[1];
    return fault->kind == FAULT_TRUNCATE && found && fault->a < found->bytes.size && instruction != 0xCA &&
           instruction != 0xDA && instruction != 0x32 && instruction != 0x34;
}

static struct cemv_reply respond(struct play *play, cemv_bytes command, const struct cemv_session *session)
{
    const struct recorded_reply *found = NULL;
    static const uint8_t refusal[] = { 0x6A, 0x83 };
    struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = { refusal, sizeof refusal } };
    const size_t number = play->sent++;
    /* The third SELECT, after those of the directory and of an application, selects another application. */
    if (command.data[1] == 0xA4 && ++play->selects > 2) play->forged = false;
    const bool forged = play->forged;
    for (size_t i = 0; i < FAULTS_MAX; i++)
        if (play->given->fault[i].kind == FAULT_OTHER && play->given->fault[i].at == number) {
            play->card = &play->run->recorded->taps[play->given->fault[i].a];
            play->next = 0;
        }
    found = tap_answer(play->card, &play->next, command);
    if (found) reply.bytes = found->bytes, reply.elapsed_us = found->elapsed_us;
    play->covers_all = is_signed(command, reply.bytes);
    for (size_t i = 0; i < FAULTS_MAX; i++) {
        const struct fault *fault = &play->given->fault[i];
        if (fault->kind == FAULT_NONE || fault->at != number) continue;
        if (fault->kind != FAULT_BYTE) play->forged = forged; /* earlier damage does not arrive, or arrives cut */
        if (is_selection(command, reply.bytes)) play->selection = true;
        if (fault->kind == FAULT_STOP && cemv_session_takes(session, CEMV_REPLY_STOP))
            return (struct cemv_reply){ .kind = CEMV_REPLY_STOP };
        damage(play, fault, &reply);
        if (is_cut_short(fault, command, found)) play->forged = true;
    }
    return reply;
}

static struct cemv_reply at_poll(struct play *play, const struct cemv_session *session)
{
    struct cemv_reply reply = { .kind = CEMV_REPLY_CARD };
    if (cemv_session_takes(session, CEMV_REPLY_REMOVED) && cemv_session_poll(session).removal_first)
        reply.kind = CEMV_REPLY_REMOVED;
    else if (cemv_session_takes(session, CEMV_REPLY_COLLISION_CLEARED)) reply.kind = CEMV_REPLY_COLLISION_CLEARED;
    else {
        for (size_t i = 0; i < FAULTS_MAX; i++)
            if (play->given->fault[i].kind == FAULT_COLLISION && play->given->fault[i].at == play->polls)
                reply.kind = CEMV_REPLY_COLLISION;
        play->polls++;
        play->forged = false;
        play->selects = 0;
    }
    return reply;
}

static struct cemv_reply answer(struct play *play, const struct cemv_session *session)
{
    static const uint8_t random[CEMV_RANDOM_POOL] = { 7, 77, 31, 99, 2, 4, 8, 16, 32, 64, 128, 1, 3, 9, 27, 81 };
    struct cemv_reply reply = { .kind = CEMV_REPLY_ABANDON };
    switch (cemv_session_step(session)) {
    case CEMV_STEP_POLL: return at_poll(play, session);
    case CEMV_STEP_WORK: reply.kind = CEMV_REPLY_CONTINUE; break;
    case CEMV_STEP_SEND: return respond(play, cemv_session_command(session), session);
    case CEMV_STEP_ASK:
        reply.kind = CEMV_REPLY_DEADLINE;
        if (cemv_session_question(session).kind == CEMV_ASK_RANDOM)
            return (struct cemv_reply){ .kind = CEMV_REPLY_DATA, .bytes = { random, sizeof random } };
        for (size_t i = 0, seen = 0; i < play->tap->reply_count; i++)
            if (play->tap->replies[i].kind == CEMV_REPLY_DATA && seen++ == play->asked) {
                reply.kind = CEMV_REPLY_DATA;
                reply.bytes = play->tap->replies[i].bytes;
            }
        play->asked++;
        break;
    case CEMV_STEP_PARKED:
        for (size_t i = 0; i < play->tap->reply_count && !play->online; i++)
            if (play->tap->replies[i].kind == CEMV_REPLY_ONLINE)
                reply = (struct cemv_reply){ .kind = CEMV_REPLY_ONLINE,
                                             .unable_to_go_online = play->tap->replies[i].unable_to_go_online,
                                             .bytes = play->tap->replies[i].bytes };
        play->online = true;
        break;
    case CEMV_STEP_NONE:
    case CEMV_STEP_DONE: break;
    }
    return reply;
}

/* ---- properties ---- */

/* The terminal itself gives another value for the object (data exchange). */
static bool is_given(const struct recorded_tap *tap, uint32_t tag)
{
    struct cemv_tlv object;
    for (size_t i = 0; i < tap->reply_count; i++)
        if (tap->replies[i].kind == CEMV_REPLY_DATA && cemv_list_find(tap->replies[i].bytes, tag, &object)) return true;
    return false;
}

static bool value_is(cemv_bytes list, uint32_t tag, const uint8_t *value, size_t size)
{
    struct cemv_tlv object;
    if (!cemv_tlv_find(list, tag, &object)) return true;
    return object.value.size == size && memcmp(object.value.data, value, size) == 0;
}

static enum fault_verdict check_record(const struct play *play, const struct cemv_session *session,
                                       const struct cemv_outcome *outcome)
{
    const cemv_bytes record = cemv_session_data_record(session);
    const struct cemv_transaction *sale = &play->tap->transaction;
    uint8_t amount[6], currency[2] = { (uint8_t)(sale->currency >> 8), (uint8_t)sale->currency };
    if (cemv_tlv_check(record, NULL) != CEMV_WIRE_OK) return FAULT_RECORD;
    if (!outcome->data_record_present && record.size) return FAULT_RECORD;
    cemv_bcd_write(amount, sizeof amount, sale->amount);
    if ((!value_is(record, 0x9F02, amount, sizeof amount) && !is_given(play->tap, 0x9F02)) ||
        !value_is(record, 0x5F2A, currency, sizeof currency))
        return FAULT_TERMINAL;
    const uint8_t type =
        outcome->kernel_id[0] == 3 && sale->type == 0x09 ? 0x00 : sale->type; /* C-3, 3.4.1.1: cash back is type 00 */
    if (!value_is(record, 0x9A, sale->date, sizeof sale->date) || !value_is(record, 0x9C, &type, 1))
        return FAULT_TERMINAL;
    return FAULT_HELD;
}

bool fault_status_word_is_named(const struct cemv_outcome *outcome)
{
    const uint8_t *const error = outcome->error_indication;
    return error[1] == CEMV_L2_STATUS_BYTES || (error[3] == 0 && error[4] == 0);
}

/* In `book` the action codes may allow an approval although authentication failed or was not performed, as the TVR then
 * reports. */
static bool is_reported(const struct play *play, const struct cemv_session *session)
{
    enum { NOT_PERFORMED = 0x80, SDA_FAILED = 0x40, DDA_FAILED = 0x08, CDA_FAILED = 0x04 };
    struct cemv_tlv tvr;
    return play->tap->reader->configuration.protection.profile == CEMV_PROFILE_BOOK &&
           cemv_tlv_find(cemv_session_data_record(session), 0x95, &tvr) && tvr.value.size == 5 &&
           (tvr.value.data[0] & (NOT_PERFORMED | SDA_FAILED | DDA_FAILED | CDA_FAILED)) != 0;
}

/* An undamaged tap that is not approved stays so, unless unsigned data that choose features changed. In `book` any
 * unsigned data may decide (the card transaction qualifiers of Kernel 7, for example), and a fault may remove the error
 * that ended the undamaged tap. In the other profiles only a change of unsigned data may remove such an error (by
 * hiding a track that contradicts the signed account number, for example). */
static bool is_unasked(const struct play *play)
{
    const uint8_t status = play->tap->status;
    const bool ended = status == CEMV_OUTCOME_END_APPLICATION;
    const bool book = play->tap->reader->configuration.protection.profile == CEMV_PROFILE_BOOK;
    if (book ? play->unsigned_data || ended : play->unsigned_data && ended) return false;
    return status != CEMV_OUTCOME_APPROVED && play->card == play->tap && !play->selection &&
           play->given->fault[0].kind != FAULT_NONE;
}

static enum fault_verdict check_end(const struct play *play, const struct cemv_session *session,
                                    const struct cemv_outcome *outcome)
{
    const uint8_t status = outcome->status;
    if (outcome->reason == CEMV_REASON_INTERNAL) return FAULT_INTERNAL;
    if (!fault_status_word_is_named(outcome)) return FAULT_STATUS_WORD;
    if (status == CEMV_OUTCOME_NONE || status == CEMV_OUTCOME_TRY_AGAIN || status == CEMV_OUTCOME_SELECT_NEXT)
        return FAULT_NO_OUTCOME;
    if (status == CEMV_OUTCOME_APPROVED) {
        if (play->forged && !is_reported(play, session)) return FAULT_FORGED;
        if (is_unasked(play)) return FAULT_UNASKED;
    }
    return check_record(play, session, outcome);
}

/* ---- a tap ---- */

static void keep(struct fault_run *run, const struct cemv_reply *reply, cemv_bytes command)
{
    if (!run->logs || run->logged == COUNT(run->log)) return;
    if (sizeof run->kept - run->kept_size < reply->bytes.size + command.size) return;
    struct cemv_reply *copy = &run->log[run->logged];
    *copy = *reply;
    uint8_t *at = run->kept + run->kept_size;
    if (reply->bytes.size)
        memcpy(at, reply->bytes.data, reply->bytes.size), copy->bytes.data = at, at += reply->bytes.size;
    if (command.size) memcpy(at, command.data, command.size);
    run->commands[run->logged++] = (cemv_bytes){ at, command.size };
    run->kept_size += reply->bytes.size + command.size;
}

static enum fault_verdict drive(struct play *play, struct cemv_session *session)
{
    struct fault_run *run = play->run;
    enum fault_verdict violated = FAULT_HELD;
    bool parked = false;
    run->steps = 0;
    while (cemv_session_step(session) != CEMV_STEP_DONE) {
        if (run->steps++ == MAX_STEPS) return FAULT_ENDLESS;
        if (cemv_session_step(session) == CEMV_STEP_PARKED) {
            const struct cemv_outcome outcome = cemv_session_outcome(session);
            violated = check_end(play, session, &outcome);
            run->status = outcome.status;
            parked = true;
            if (violated != FAULT_HELD) return violated;
        }
        const struct cemv_reply reply = answer(play, session);
        const uint8_t *exact = reply.bytes.data;
        uint8_t *copy = NULL;
        struct cemv_reply given = reply;
        keep(run, &reply, cemv_session_command(session));
        if (reply.kind == CEMV_REPLY_RESPONSE &&
            exact == play->scratch) { /* so that a sanitizer sees a read past the end */
            copy = malloc(reply.bytes.size ? reply.bytes.size : 1);
            memcpy(copy, exact, reply.bytes.size);
            given.bytes.data = copy;
        }
        cemv_session_reply(session, &given);
        tap_see(run->bench, session);
        free(copy);
    }
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    if (!parked) {
        violated = check_end(play, session, &outcome);
        run->status = outcome.status;
    }
    if (violated == FAULT_HELD && !tap_is_wiped(session)) violated = FAULT_LEFT_BYTES;
    return violated;
}

void faults_open(struct fault_run *run, const struct recorded_taps *recorded, struct tap_bench *bench)
{
    memset(run, 0, sizeof *run);
    run->recorded = recorded;
    run->bench = bench;
}

enum fault_verdict faults_run(struct fault_run *run, const struct fault_case *given)
{
    const struct recorded_tap *tap = &run->recorded->taps[given->tap];
    static _Thread_local struct play play;
    struct cemv_session *session;
    size_t first = given->tap;
    while (first > 0 && run->recorded->taps[first].keeps_memory) first--;
    for (; first < given->tap; first++) tap_play(&run->recorded->taps[first], run->bench);
    play.run = run;
    play.given = given;
    play.tap = play.card = tap;
    play.sent = play.next = play.polls = play.asked = play.selects = 0;
    play.online = play.forged = play.selection = play.unsigned_data = false;
    run->logged = run->kept_size = 0;
    if (tap_begin(tap, run->bench, &session) != CEMV_OK) return FAULT_NOT_BEGUN;
    tap_see(run->bench, session);
    const enum fault_verdict violated = drive(&play, session);
    tap_describe(run->bench, session);
    run->digest = sum_number(run->digest, run->bench->end);
    cemv_session_wipe(session);
    return violated;
}

/* ---- cases ---- */

/* How many cases each kind has at one exchange. */
static uint64_t kind_count(const struct recorded_tap *tap, const struct recorded_reply *exchange, unsigned kind)
{
    const size_t size = exchange->bytes.size;
    switch (kind) {
    case FAULT_LINK: return COUNT(links);
    case FAULT_TRUNCATE: return size;
    case FAULT_CUT: return size > 2 ? size - 2 : 0;
    case FAULT_BYTE: return size * 256u;
    case FAULT_STATUS: return COUNT(status_words) * 2;
    case FAULT_ORDER: return exchange_count(tap);
    case FAULT_SIZE: return COUNT(sizes);
    case FAULT_STOP:
    case FAULT_COLLISION: return 1;
    default: return 0;
    }
}

static struct fault fault_of(unsigned kind, size_t at, uint64_t number)
{
    struct fault fault = { .kind = (uint8_t)kind, .at = (uint16_t)at, .a = (uint32_t)number };
    if (kind == FAULT_LINK) fault.a = links[number];
    else if (kind == FAULT_BYTE) fault.a = (uint32_t)(number / 256), fault.b = (uint32_t)(number % 256);
    else if (kind == FAULT_STATUS) fault.a = status_words[number / 2], fault.b = (uint32_t)(number % 2);
    else if (kind == FAULT_SIZE) fault.a = sizes[number];
    return fault;
}

uint64_t faults_count(const struct recorded_taps *recorded, size_t index)
{
    const struct recorded_tap *tap = &recorded->taps[index];
    uint64_t count = 0;
    for (size_t i = 0; i < exchange_count(tap); i++)
        for (unsigned kind = FAULT_LINK; kind < FAULT_KINDS; kind++)
            count += kind_count(tap, exchange_at(tap, i), kind);
    return count;
}

struct fault_case fault_case_at(const struct recorded_taps *recorded, size_t index, uint64_t number)
{
    const struct recorded_tap *tap = &recorded->taps[index];
    struct fault_case found = { .tap = index };
    for (size_t i = 0; i < exchange_count(tap); i++)
        for (unsigned kind = FAULT_LINK; kind < FAULT_KINDS; kind++) {
            const uint64_t count = kind_count(tap, exchange_at(tap, i), kind);
            if (number < count) {
                found.fault[0] = fault_of(kind, i, number);
                return found;
            }
            number -= count;
        }
    return found;
}

/* SplitMix64. */
uint64_t random_next(uint64_t *state)
{
    uint64_t mixed = *state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return mixed ^ mixed >> 31;
}

/* Half of the draws prefer an approved tap: few taps are approved, and a fault can make only an approval wrong. */
static size_t draw_tap(const struct recorded_taps *recorded, uint64_t *random)
{
    enum { TRIES = 12 };
    size_t tap = random_next(random) % recorded->tap_count;
    unsigned tries = random_next(random) % 2 != 0 ? TRIES : 0;
    for (; tries && recorded->taps[tap].status != CEMV_OUTCOME_APPROVED; tries--)
        tap = random_next(random) % recorded->tap_count;
    return tap;
}

struct fault_case fault_case_random(const struct recorded_taps *recorded, uint64_t *random)
{
    struct fault_case given = { .tap = draw_tap(recorded, random) };
    const struct recorded_tap *tap = &recorded->taps[given.tap];
    const size_t exchanges = exchange_count(tap);
    const uint64_t faults = 1 + (random_next(random) % 4 == 0) + (random_next(random) % 8 == 0);
    for (uint64_t i = 0; i < faults && exchanges; i++) {
        const unsigned kind = FAULT_LINK + (unsigned)(random_next(random) % (FAULT_KINDS - 1));
        const size_t at = random_next(random) % exchanges;
        const uint64_t count = kind_count(tap, exchange_at(tap, at), kind);
        if (kind == FAULT_OTHER)
            given.fault[i] =
                (struct fault){ FAULT_OTHER, (uint16_t)at, (uint32_t)(random_next(random) % recorded->tap_count), 0 };
        else if (count) given.fault[i] = fault_of(kind, at, random_next(random) % count);
    }
    return given;
}
