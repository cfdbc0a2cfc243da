/* SPDX-License-Identifier: Apache-2.0 */
/* CEMV on standard input and output: the kernel's side of the line protocol (README.md), and an example of it. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

static struct corpus_bench bench;
static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CORPUS_ARENA];
static char configuration[1 << 20];

static void write_bytes(const char *before, cemv_bytes bytes)
{
    fputs(before, stdout);
    for (size_t i = 0; i < bytes.size; i++) printf("%02X", bytes.data[i]);
}

static void write_outcome(const struct corpus_kernel *kernel)
{
    static const char *const keys[] = {
        "tap",    "outcome",        "cvm",    "message",    "errorIndication", "findings",       "alternateInterface",
        "start",  "restartMessage", "holdMs", "fieldOffMs", "removalTimeout",  "valueQualifier", "value",
        "receipt"
    };
    char text[400];
    cemv_bytes list;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *value = kernel->find(kernel->own, keys[i], text);
        if (value) printf(" %s=%s", keys[i], value);
    }
    if (kernel->data(kernel->own, false, &list)) write_bytes(" data=", list);
    if (kernel->data(kernel->own, true, &list)) write_bytes(" discretionary=", list);
}

static void write_step(const struct corpus_kernel *kernel, const struct corpus_step *step)
{
    static const char *const words[] = {
        [CORPUS_WAIT_POLL] = "poll",        [CORPUS_WAIT_REMOVAL] = "poll removal",
        [CORPUS_WAIT_CLEAR] = "poll clear", [CORPUS_WAIT_COMMAND] = "send",
        [CORPUS_WAIT_DATA] = "ask",         [CORPUS_WAIT_RANDOM] = "ask random",
        [CORPUS_WAIT_DISPLAY] = "display",  [CORPUS_WAIT_ANSWER] = "parked",
        [CORPUS_WAIT_NOTHING] = "done",     [CORPUS_REFUSED] = "refused",
        [CORPUS_BROKEN] = "refused",
    };
    for (size_t i = 0; i < step->message_count; i++) printf("message %02X\n", step->messages[i]);
    if (step->sent_size) write_bytes("sent ", (cemv_bytes){ step->sent, step->sent_size }), putchar('\n');
    fputs(words[step->wait], stdout);
    if (step->wait == CORPUS_WAIT_COMMAND) write_bytes(" ", (cemv_bytes){ step->command, step->command_size });
    if (step->wait == CORPUS_REFUSED) printf(" %s", step->text);
    if (step->wait == CORPUS_WAIT_POLL || step->wait == CORPUS_WAIT_REMOVAL || step->wait == CORPUS_WAIT_ANSWER ||
        step->wait == CORPUS_WAIT_NOTHING)
        write_outcome(kernel);
    putchar('\n');
    fflush(stdout);
}

static uint8_t fault_of(const char *word)
{
    static const struct {
        const char *word;
        uint8_t fault;
    } faults[] = { { "transmission", CEMV_REPLY_TRANSMISSION },
                   { "protocol", CEMV_REPLY_PROTOCOL },
                   { "removed", CEMV_REPLY_REMOVED } };
    for (size_t i = 0; i < 3; i++)
        if (strcmp(word, faults[i].word) == 0) return faults[i].fault;
    return CEMV_REPLY_TIMEOUT;
}

/* The words of a line after its first: hex, and a number. */
static bool read_reply(char *line, struct corpus_arena *arena, struct corpus_reply *given)
{
    static const char *const words[] = { "card",   "collision", "cleared", "removed",  "response", "fault", "data",
                                         "random", "deadline",  "stop",    "continue", "online",   "pin",   "end" };
    char *rest = strchr(line, ' ');
    if (rest) *rest++ = '\0';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(line, words[i]) != 0) continue;
        *given = (struct corpus_reply){ .kind = (enum corpus_reply_kind)i };
        if (given->kind == CORPUS_REPLY_FAULT) given->fault = fault_of(rest ? rest : "");
        given->refused = rest && (strcmp(rest, "unable") == 0 || strcmp(rest, "notCaptured") == 0);
        const bool has_bytes = given->kind == CORPUS_REPLY_RESPONSE || given->kind == CORPUS_REPLY_DATA ||
                               given->kind == CORPUS_REPLY_RANDOM || given->kind == CORPUS_REPLY_ONLINE;
        if (!has_bytes || !rest || given->refused) return true;
        const struct json hex = { .kind = JSON_STRING, .text = rest, .size = strcspn(rest, " ") };
        if (rest[hex.size]) given->elapsed_us = (uint32_t)strtoul(rest + hex.size, NULL, 10);
        return corpus_hex(&hex, arena, &given->bytes);
    }
    return false;
}

static bool begin(const struct corpus_kernel *kernel, struct corpus_trace *trace, const char *sale, bool further,
                  struct corpus_arena *arena)
{
    static char text[1 << 20];
    struct corpus_step step = { .wait = CORPUS_REFUSED };
    const int size = snprintf(text, sizeof text, "{\"format\":\"emv-trace/1\",\"configuration\":%s,\"transaction\":%s}",
                              configuration, sale);
    if (size < 0 || (size_t)size >= sizeof text || !corpus_open(trace, text, (size_t)size, arena, step.text))
        return write_step(kernel, &step), false;
    kernel->begin(kernel->own, trace, &trace->sale, further, &step);
    write_step(kernel, &step);
    return step.wait != CORPUS_REFUSED;
}

int corpus_serve(void)
{
    struct corpus_arena arena = { memory, sizeof memory, 0 };
    struct corpus_cemv own;
    const struct corpus_kernel kernel = corpus_kernel_cemv(&own, &bench, &arena);
    struct corpus_trace trace;
    struct corpus_step step;
    struct corpus_reply given;
    char *line = NULL;
    size_t capacity = 0, kept = 0;
    bool fresh = true, running = false;
    while (getline(&line, &capacity, stdin) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, "configuration ", 14) == 0) {
            snprintf(configuration, sizeof configuration, "%s", line + 14);
            arena.used = 0, fresh = true;
        } else if (strncmp(line, "transaction ", 12) == 0) {
            running = begin(&kernel, &trace, line + 12, !fresh, &arena);
            fresh = false, kept = arena.used;
        } else if (running) {
            arena.used = kept;
            step = (struct corpus_step){ .wait = CORPUS_REFUSED, .text = "expected a line of the protocol" };
            const bool read = read_reply(line, &arena, &given);
            if (read) kernel.reply(kernel.own, &given, &step);
            if (!read || given.kind != CORPUS_REPLY_END) write_step(&kernel, &step);
        }
    }
    free(line);
    return 0;
}
