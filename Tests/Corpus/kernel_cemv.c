/* SPDX-License-Identifier: Apache-2.0 */
/* CEMV as the kernel under test. */
#include "kernel.h"

#include <stdio.h>
#include <string.h>

#include "../../Sources/CEMV/include/cemv_debug.h"

bool corpus_works_ahead;

static void note(struct corpus_cemv *own, struct corpus_step *step)
{
    static const enum corpus_wait waits[] = {
        [CEMV_STEP_POLL] = CORPUS_WAIT_POLL,     [CEMV_STEP_SEND] = CORPUS_WAIT_COMMAND,
        [CEMV_STEP_ASK] = CORPUS_WAIT_DATA,      [CEMV_STEP_WORK] = CORPUS_WAIT_DISPLAY,
        [CEMV_STEP_PARKED] = CORPUS_WAIT_ANSWER, [CEMV_STEP_DONE] = CORPUS_WAIT_NOTHING,
    };
    struct cemv_session *session = own->session;
    const enum cemv_step at = cemv_session_step(session);
    while (corpus_works_ahead && at == CEMV_STEP_SEND && cemv_session_work(session)) {
    }
    const cemv_bytes command = cemv_session_command(session), sent = cemv_session_exchange(session);
    *step = (struct corpus_step){ .wait = at >= CEMV_STEP_POLL && at <= CEMV_STEP_DONE ? waits[at] : CORPUS_BROKEN };
    if (at == CEMV_STEP_POLL && cemv_session_takes(session, CEMV_REPLY_REMOVED)) step->wait = CORPUS_WAIT_REMOVAL;
    if (at == CEMV_STEP_POLL && cemv_session_takes(session, CEMV_REPLY_COLLISION_CLEARED))
        step->wait = CORPUS_WAIT_CLEAR;
    if (at == CEMV_STEP_ASK && cemv_session_question(session).kind == CEMV_ASK_RANDOM) step->wait = CORPUS_WAIT_RANDOM;
    for (size_t i = 0; i < cemv_session_ui_count(session) && step->message_count < sizeof step->messages; i++) {
        const uint8_t message = cemv_session_ui(session, i).message;
        if (message != CEMV_MESSAGE_NONE) step->messages[step->message_count++] = message;
    }
    if (command.size <= sizeof step->command && command.size)
        memcpy(step->command, command.data, step->command_size = command.size);
    if (sent.size <= sizeof step->sent && sent.size) memcpy(step->sent, sent.data, step->sent_size = sent.size);
}

static void begin(void *context, const struct corpus_trace *trace, const struct corpus_sale *sale, bool further,
                  struct corpus_step *step)
{
    struct corpus_cemv *own = context;
    struct cemv_config_error error;
    if (!further) {
        memset(&own->bench->reader, 0, sizeof own->bench->reader);
        *step = (struct corpus_step){ .wait = CORPUS_REFUSED };
        if (!own->heard) own->checked = corpus_configure(trace, own->arena, step->text, NULL);
        if (!own->checked) return;
    }
    own->sale = *sale;
    own->sale.transaction.reader = &own->bench->reader;
    const enum cemv_status status = cemv_session_begin(own->bench->session, sizeof own->bench->session, own->checked,
                                                       &own->sale.transaction, sale->random, &own->session, &error);
    if (status == CEMV_OK) {
        if (own->heard) own->heard(own, NULL);
        note(own, step);
        return;
    }
    *step = (struct corpus_step){ .wait = CORPUS_REFUSED };
    snprintf(step->text, sizeof step->text, "transaction: status %d, field %u", (int)status, error.field);
}

static void reply(void *context, const struct corpus_reply *given, struct corpus_step *step)
{
    static const uint8_t kinds[] = {
        [CORPUS_REPLY_CARD] = CEMV_REPLY_CARD,
        [CORPUS_REPLY_COLLISION] = CEMV_REPLY_COLLISION,
        [CORPUS_REPLY_CLEARED] = CEMV_REPLY_COLLISION_CLEARED,
        [CORPUS_REPLY_REMOVED] = CEMV_REPLY_REMOVED,
        [CORPUS_REPLY_RESPONSE] = CEMV_REPLY_RESPONSE,
        [CORPUS_REPLY_DATA] = CEMV_REPLY_DATA,
        [CORPUS_REPLY_RANDOM] = CEMV_REPLY_DATA,
        [CORPUS_REPLY_DEADLINE] = CEMV_REPLY_DEADLINE,
        [CORPUS_REPLY_STOP] = CEMV_REPLY_STOP,
        [CORPUS_REPLY_CONTINUE] = CEMV_REPLY_CONTINUE,
        [CORPUS_REPLY_ONLINE] = CEMV_REPLY_ONLINE,
        [CORPUS_REPLY_PIN] = CEMV_REPLY_PIN,
        [CORPUS_REPLY_END] = CEMV_REPLY_ABANDON,
    };
    struct corpus_cemv *own = context;
    struct cemv_reply reply = { .kind = kinds[given->kind], .elapsed_us = given->elapsed_us, .bytes = given->bytes };
    if (given->kind == CORPUS_REPLY_FAULT) reply.kind = given->fault;
    reply.unable_to_go_online = given->kind == CORPUS_REPLY_ONLINE && given->refused;
    reply.removal_timed_out = given->removal_timed_out;
    reply.pin_not_captured = given->kind == CORPUS_REPLY_PIN && given->refused;
    if (own->heard) own->heard(own, &reply);
    (void)cemv_session_reply(own->session, &reply);
    note(own, step);
}

struct word {
    uint8_t value;
    const char *name;
};

static const char *word(const struct word *words, uint8_t value)
{
    while (words->name && words->value != value) words++;
    return words->name ? words->name : "another value";
}

static const struct word statuses[] = { { CEMV_OUTCOME_APPROVED, "approved" },
                                        { CEMV_OUTCOME_DECLINED, "declined" },
                                        { CEMV_OUTCOME_ONLINE_REQUEST, "onlineRequest" },
                                        { CEMV_OUTCOME_REQUEST_ONLINE_PIN, "requestOnlinePIN" },
                                        { CEMV_OUTCOME_TRY_AGAIN, "tryAgain" },
                                        { CEMV_OUTCOME_SELECT_NEXT, "selectNext" },
                                        { CEMV_OUTCOME_END_APPLICATION, "endApplication" },
                                        { CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, "tryAnotherInterface" },
                                        { 0, NULL } };
static const struct word cvms[] = {
    { CEMV_CVM_NONE, "none" },   { CEMV_CVM_SIGNATURE, "signature" }, { CEMV_CVM_ONLINE_PIN, "onlinePIN" },
    { CEMV_CVM_CDCVM, "cdcvm" }, { CEMV_CVM_NA, "notApplicable" },    { 0, NULL }
};
static const struct word interfaces[] = { { CEMV_INTERFACE_CONTACT_CHIP, "contact" },
                                          { CEMV_INTERFACE_MAGSTRIPE, "magstripe" },
                                          { CEMV_INTERFACE_NA, "none" },
                                          { 0, NULL } };
static const struct word starts[] = { { CEMV_START_A, "A" }, { CEMV_START_B, "B" },     { CEMV_START_C, "C" },
                                      { CEMV_START_D, "D" }, { CEMV_START_NA, "none" }, { 0, NULL } };
static const struct word qualifiers[] = {
    { CEMV_VALUE_NONE, "none" }, { CEMV_VALUE_AMOUNT, "amount" }, { CEMV_VALUE_BALANCE, "balance" }, { 0, NULL }
};

static const char *tap_name(const struct cemv_outcome *o)
{
    switch (o->status) {
    case CEMV_OUTCOME_APPROVED: return "success";
    case CEMV_OUTCOME_ONLINE_REQUEST: return o->cvm == CEMV_CVM_ONLINE_PIN ? "onlinePINRequired" : "success";
    case CEMV_OUTCOME_REQUEST_ONLINE_PIN: return "onlinePINRequired";
    case CEMV_OUTCOME_DECLINED: return "declined";
    default: break;
    }
    switch (o->reason) {
    case CEMV_REASON_NOT_ALLOWED:
    case CEMV_REASON_KERNEL_LIMIT: return "limitExceeded";
    case CEMV_REASON_NO_COMMON_APPLICATION: return "unsupportedNetwork";
    case CEMV_REASON_NO_COMBINATION:
    case CEMV_REASON_RANDOM:
    case CEMV_REASON_INTERNAL: return "failed";
    case CEMV_REASON_STOPPED:
    case CEMV_REASON_ABANDONED: return "cancelled";
    default: return o->status == CEMV_OUTCOME_TRY_ANOTHER_INTERFACE ? "tryAnotherInterface" : "unreadable";
    }
}

static const char *number(bool present, unsigned long long value, char text[400])
{
    snprintf(text, 400, "%llu", value);
    return present ? text : "null";
}

static const char *message(bool present, const struct cemv_ui_request *request, char text[400])
{
    snprintf(text, 400, "%02X", request->message);
    return present && request->message != CEMV_MESSAGE_NONE ? text : "null";
}

static const char *findings(uint64_t bits, char text[400])
{
    size_t used = 0;
    text[0] = '\0';
    for (uint8_t i = 0; i < CEMV_FINDING_COUNT; i++)
        if (bits >> i & 1 && used < 360)
            used += (size_t)snprintf(text + used, 400 - used, "%s%s", used ? "," : "", cemv_name_of_finding(i));
    return text;
}

static const char *find(void *context, const char *key, char text[400])
{
    const struct corpus_cemv *own = context;
    const struct cemv_outcome outcome = cemv_session_outcome(own->session), *const o = &outcome;
    const struct cemv_ui_request *const ui = &o->ui_on_outcome;
    const bool shows = o->ui_on_outcome_present;
#define IS(name) (strcmp(key, name) == 0)
    if (IS("tap")) return tap_name(o);
    if (IS("outcome")) return word(statuses, o->status);
    if (IS("cvm")) return word(cvms, o->cvm);
    if (IS("message")) return message(shows, ui, text);
    if (IS("findings")) return findings(o->findings, text);
    if (IS("alternateInterface")) return word(interfaces, o->alternate_interface);
    if (IS("start")) return word(starts, o->start);
    if (IS("restartMessage")) return message(o->ui_on_restart_present, &o->ui_on_restart, text);
    if (IS("holdMs")) return number(shows, ui->hold_ms, text);
    if (IS("fieldOffMs")) return number(o->field_off_100ms != CEMV_FIELD_OFF_NA, o->field_off_100ms * 100u, text);
    if (IS("removalTimeout")) return number(true, o->removal_timeout_100ms, text);
    if (IS("valueQualifier")) return word(qualifiers, shows ? ui->value_qualifier : CEMV_VALUE_NONE);
    if (IS("value")) return number(shows && ui->value_qualifier != CEMV_VALUE_NONE, ui->value, text);
    if (IS("receipt")) return o->receipt ? "true" : "false";
    if (!IS("errorIndication")) return NULL;
#undef IS
    for (size_t i = 0; i < sizeof o->error_indication; i++) snprintf(text + 2 * i, 3, "%02X", o->error_indication[i]);
    return text;
}

static bool data(void *context, bool discretionary, cemv_bytes *list)
{
    const struct corpus_cemv *own = context;
    *list = discretionary ? cemv_session_discretionary(own->session) : cemv_session_data_record(own->session);
    return true;
}

struct corpus_kernel corpus_kernel_cemv(struct corpus_cemv *own, struct corpus_bench *bench, struct corpus_arena *arena)
{
    *own = (struct corpus_cemv){ .bench = bench, .arena = arena };
    return (struct corpus_kernel){ own, begin, reply, find, data };
}
