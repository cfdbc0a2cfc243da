/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_8_scene.h"

#include <string.h>

#include "bytes.h"
#include "properties.h"

#include "../../Sources/CEMV/crypto/p256.h"

static size_t hex(const char *text, uint8_t *out) { return text != NULL ? bytes_of_hex(text, out) : 0; }

/* A star becomes the length of the rest, and 9000 is appended. */
static cemv_bytes answer_of(const char *text)
{
    static uint8_t bytes[600];
    uint8_t value[560];
    const char *const star = strchr(text, '*');
    size_t size = hex(text, bytes);
    if (star == NULL) return (cemv_bytes){ bytes, size };
    const size_t length = hex(star + 1, value);
    if (length > 255) bytes[size++] = 0x82, bytes[size++] = (uint8_t)(length >> 8);
    else if (length > 127) bytes[size++] = 0x81;
    bytes[size++] = (uint8_t)length;
    memcpy(bytes + size, value, length);
    memcpy(bytes + size + length, "\x90", 2);
    return (cemv_bytes){ bytes, size + length + 2 };
}

static const struct cemv_checked *configure(const struct scene *scene)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[8192];
    static uint8_t data[4096];
    static const uint8_t aid[] = { 0xF0, 0, 0, 0x08, 0x08 }, types[] = { CEMV_TYPE_PURCHASE, CEMV_TYPE_REFUND },
                         terminal_22[] = { 0x9F, 0x1A, 2, 0x02, 0x76, 0x9F, 0x35, 1, 0x22 },
                         terminal_23[] = { 0x9F, 0x1A, 2, 0x02, 0x76, 0x9F, 0x35, 1, 0x23 };
    static const struct cemv_kernel_row kernel = { { 8 }, 1, &cemv_kernel_8, NULL };
    static struct cemv_kernel_8_options options;
    static struct cemv_combination row;
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    options = scene->options;
    size_t size = hex(SETTINGS, data);
    size += hex(scene->data, data + size);
    row = (struct cemv_combination){ .aid = { aid, sizeof aid },
                                     .kernel_id = { 8 },
                                     .kernel_id_size = 1,
                                     .zero_amount = CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED,
                                     .transaction_types = { types, sizeof types },
                                     .data = { data, size },
                                     .options = &options };
    const struct cemv_configuration configuration = {
        .terminal_data = { scene->offline_only ? terminal_23 : terminal_22, sizeof terminal_22 },
        .combinations = &row,
        .combination_count = 1,
        .kernels = &kernel,
        .kernel_count = 1,
        .crypto = walk_kernel_8_port(),
        .curve_keys = walk_kernel_8_authority(),
        .curve_key_count = 1,
        .protection = scene->protection
    };
    return cemv_configuration_check(&configuration, memory, sizeof memory, &checked, &error) == CEMV_OK ? checked
                                                                                                        : NULL;
}

static void note_command(struct result *result, cemv_bytes command)
{
    for (size_t i = 0; i < command.size; i++)
        result->commands = (result->commands ^ command.data[i]) * UINT64_C(0x100000001B3) + command.size;
    result->last = command.data[1];
    result->writes += result->last == 0x34;
    result->relays += result->last == 0xEA;
    if (result->last != 0xAE) return;
    result->reference = command.data[2];
    memcpy(result->list, command.data + 5, command.data[4]);
}

/* Counts the data that a step sends to the terminal once: the session keeps them until they are answered. */
static void note_exchange(const struct cemv_session *session, struct result *result)
{
    const cemv_bytes exchange = cemv_session_exchange(session);
    if (exchange.size == 0) return;
    result->exchanges++;
    result->exchange_size = exchange.size;
    memcpy(result->exchange, exchange.data, exchange.size);
    result->exchanged_behind = cemv_session_step(session) == CEMV_STEP_SEND ? cemv_session_command(session).data[1] : 0;
}

static void finished(const struct cemv_session *session, struct result *result)
{
    const cemv_bytes record = cemv_session_data_record(session), discretionary = cemv_session_discretionary(session);
    result->outcome = cemv_session_outcome(session);
    result->record_size = record.size;
    result->discretionary_size = discretionary.size;
    if (record.size != 0) memcpy(result->record, record.data, record.size);
    if (discretionary.size != 0) memcpy(result->discretionary, discretionary.data, discretionary.size);
}

/* Answers the session's request; false: the scene is over. */
static bool go_on(struct cemv_session *session, const struct scene *scene, struct result *result, size_t *at)
{
    static const char directory[] =
        "6F27840E325041592E5359532E4444463031A515BF0C1261104F07F00000080801018701019F2A01089000";
    static uint8_t random[16] = { 9, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
    uint8_t bytes[16];
    struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .elapsed_us = scene->elapsed_us };
    const enum cemv_step step = cemv_session_step(session);
    note_exchange(session, result);
    if (step == CEMV_STEP_WORK) reply.kind = CEMV_REPLY_CONTINUE;
    else if (step == CEMV_STEP_POLL && *at == 0) reply.kind = CEMV_REPLY_CARD;
    else if (step == CEMV_STEP_ASK) {
        const struct cemv_question question = cemv_session_question(session);
        if (scene->before != NULL) scene->before(&session->kernel, 0);
        reply.kind = CEMV_REPLY_DATA;
        reply.bytes = (cemv_bytes){ random, sizeof random };
        if (scene->random != NULL) reply.bytes = (cemv_bytes){ bytes, hex(scene->random, bytes) };
        result->deadline_ms = question.deadline_ms;
        if (question.kind == CEMV_ASK_KERNEL) reply.kind = CEMV_REPLY_DEADLINE;
    } else if (step == CEMV_STEP_SEND) {
        const char *const text = *at == 0 ? directory : scene->answers[*at - 1];
        const cemv_bytes command = cemv_session_command(session);
        note_command(result, command);
        while ((scene->ahead >> *at & 1) != 0 && cemv_session_has_work(session) && cemv_session_work(session))
            result->worked++;
        if (text == NULL && scene->fault == 0) return false;
        if (text == NULL) reply.kind = scene->fault;
        else reply.bytes = answer_of(text);
        if (scene->before != NULL) scene->before(&session->kernel, command.data[1]);
        (*at)++;
    } else return false;
    (void)cemv_session_reply(session, &reply);
    return true;
}

static void note(void *context, struct cemv_state state, uint32_t clause, uint64_t value)
{
    struct result *const result = context;
    if (state.kernel == NULL || clause == CEMV_NOTE_WAITS || clause == CEMV_NOTE_ENDS) return;
    property(result->noted < NOTES, "room for notes", clause);
    result->notes[result->noted].step = clause;
    result->notes[result->noted++].value = value;
}

uint64_t noted(const struct result *result, uint32_t step, uint64_t otherwise)
{
    unsigned count = 0;
    uint64_t value = otherwise;
    for (unsigned i = 0; i < result->noted; i++)
        if (result->notes[i].step == step) value = result->notes[i].value, count++;
    return count == 1 ? value : otherwise;
}

struct result play_scene(const struct scene *scene)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_KERNEL_8_SESSION_SIZE];
    static const uint8_t pool[40] = { 1, 2, 3 };
    uint8_t data[64];
    struct cemv_session *session;
    struct cemv_config_error error;
    struct result result = { .last = 0 };
    const struct cemv_log log = { .note = note, .context = &result };
    const struct cemv_transaction sale = { .type = scene->type,
                                           .amount = scene->zero ? 0 : 1000,
                                           .currency = 0x0978,
                                           .exponent = 2,
                                           .date = { 0x26, 0x11, 0x21 },
                                           .data = { data, hex(scene->transaction, data) },
                                           .log = &log };
    const struct cemv_checked *const checked = configure(scene);
    if (checked == NULL ||
        cemv_session_begin(memory, sizeof memory, checked, &sale,
                           (cemv_bytes){ pool, scene->pool != 0 ? scene->pool : sizeof pool }, &session, &error)) {
        property(false, "a scene begins", 0);
        return result;
    }
    for (size_t at = 0, steps = 0; steps < 40 && go_on(session, scene, &result, &at);) steps++;
    finished(session, &result);
    return result;
}

int byte_of(const struct result *result, uint32_t tag, size_t at)
{
    struct cemv_tlv object;
    const cemv_bytes record = { result->record, result->record_size },
                     discretionary = { result->discretionary, result->discretionary_size };
    if (!cemv_tlv_find(record, tag, &object) && !cemv_tlv_find(discretionary, tag, &object)) return -1;
    return at < object.value.size ? object.value.data[at] : -1;
}
