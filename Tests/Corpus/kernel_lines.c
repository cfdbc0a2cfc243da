/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel on a pipe: the runner's side of the line protocol (README.md). POSIX. */
#include "kernel.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int nibble(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads hex up to the next blank or the end; false if it is malformed or too long. */
static bool read_bytes(const char *text, uint8_t *out, size_t capacity, size_t *size)
{
    for (*size = 0; *text && *text != ' '; text += 2, ++*size) {
        const int high = nibble(text[0]), low = high < 0 ? -1 : nibble(text[1]);
        if (low < 0 || *size == capacity) return false;
        out[*size] = (uint8_t)(high << 4 | low);
    }
    return true;
}

static void write_bytes(FILE *to, const char *before, cemv_bytes bytes)
{
    fputs(before, to);
    for (size_t i = 0; i < bytes.size; i++) fprintf(to, "%02X", bytes.data[i]);
}

static void broken(struct corpus_step *step, const char *what)
{
    *step = (struct corpus_step){ .wait = CORPUS_BROKEN };
    snprintf(step->text, sizeof step->text, "%s", what);
}

/* A line without its end; NULL if the kernel has ended. */
static const char *next_line(struct corpus_lines *own)
{
    const ssize_t size = getline(&own->line, &own->capacity, own->from);
    if (size <= 0) return NULL;
    own->line[strcspn(own->line, "\r\n")] = '\0';
    return own->line;
}

static const char *after(const char *line, const char *word)
{
    const size_t size = strlen(word);
    if (strncmp(line, word, size) != 0 || (line[size] && line[size] != ' ')) return NULL;
    return line[size] ? line + size + 1 : line + size;
}

static void add_message(struct corpus_step *step, const char *text)
{
    size_t size = 0;
    uint8_t byte = 0;
    if (step->message_count < sizeof step->messages && read_bytes(text, &byte, 1, &size) && size == 1)
        step->messages[step->message_count++] = byte;
    else step->wait = CORPUS_BROKEN;
}

/* Reads one line; true when it names the step. */
static bool take_line(struct corpus_lines *own, const char *line, struct corpus_step *step)
{
    static const struct {
        const char *word;
        enum corpus_wait wait;
    } words[] = { { "poll removal", CORPUS_WAIT_REMOVAL },
                  { "poll clear", CORPUS_WAIT_CLEAR },
                  { "poll", CORPUS_WAIT_POLL },
                  { "ask random", CORPUS_WAIT_RANDOM },
                  { "ask", CORPUS_WAIT_DATA },
                  { "display", CORPUS_WAIT_DISPLAY },
                  { "send", CORPUS_WAIT_COMMAND },
                  { "parked", CORPUS_WAIT_ANSWER },
                  { "done", CORPUS_WAIT_NOTHING },
                  { "refused", CORPUS_REFUSED } };
    const char *rest;
    if ((rest = after(line, "message"))) return add_message(step, rest), step->wait == CORPUS_BROKEN;
    if ((rest = after(line, "sent"))) return !read_bytes(rest, step->sent, sizeof step->sent, &step->sent_size);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!(rest = after(line, words[i].word))) continue;
        step->wait = words[i].wait;
        if (step->wait == CORPUS_WAIT_COMMAND &&
            !read_bytes(rest, step->command, sizeof step->command, &step->command_size))
            broken(step, "send: expected hex");
        if (step->wait == CORPUS_REFUSED) snprintf(step->text, sizeof step->text, "%.190s", rest);
        const bool has_outcome = step->wait == CORPUS_WAIT_POLL || step->wait == CORPUS_WAIT_REMOVAL ||
                                 step->wait == CORPUS_WAIT_ANSWER || step->wait == CORPUS_WAIT_NOTHING;
        if (has_outcome) snprintf(own->outcome, sizeof own->outcome, " %.16000s ", rest);
        return true;
    }
    broken(step, "expected a line of the protocol");
    return true;
}

static void read_step(struct corpus_lines *own, struct corpus_step *step)
{
    fputc('\n', own->to);
    *step = (struct corpus_step){ .wait = CORPUS_WAIT_POLL };
    if (fflush(own->to) != 0) {
        broken(step, "the kernel has gone");
        return;
    }
    for (;;) {
        const char *line = next_line(own);
        if (!line) {
            broken(step, "the kernel has gone");
            return;
        }
        if (take_line(own, line, step)) return;
    }
}

/* Writes JSON on one line: line ends occur only between its values. */
static void write_json(FILE *to, const struct json *node)
{
    for (size_t i = 0; i < node->size; i++)
        if (node->text[i] != '\n' && node->text[i] != '\r') fputc(node->text[i], to);
}

/* A further sale leaves out keys whose values are those of the first. */
static void write_sale(FILE *to, const struct corpus_sale *sale)
{
    const char *before = "transaction {";
    for (const struct json *object = sale->node; object; object = object == sale->node ? sale->base : NULL) {
        for (const struct json *member = object->first; member; member = member->next) {
            char name[40];
            snprintf(name, sizeof name, "%.*s", (int)(member->name_size < 39 ? member->name_size : 39), member->name);
            if (object == sale->base && json_member(sale->node, name)) continue;
            fprintf(to, "%s\"%s\":", before, name);
            before = ",";
            if (member->kind == JSON_STRING) fputc('"', to);
            write_json(to, member);
            if (member->kind == JSON_STRING) fputc('"', to);
        }
    }
    fputc('}', to);
}

static void begin(void *context, const struct corpus_trace *trace, const struct corpus_sale *sale, bool further,
                  struct corpus_step *step)
{
    struct corpus_lines *own = context;
    own->outcome[0] = '\0';
    if (!further) {
        fputs("configuration ", own->to);
        write_json(own->to, trace->configuration);
        fputc('\n', own->to);
    }
    write_sale(own->to, sale);
    read_step(own, step);
}

static void reply(void *context, const struct corpus_reply *given, struct corpus_step *step)
{
    static const char *const words[] = {
        [CORPUS_REPLY_CARD] = "card",         [CORPUS_REPLY_COLLISION] = "collision",
        [CORPUS_REPLY_CLEARED] = "cleared",   [CORPUS_REPLY_REMOVED] = "removed",
        [CORPUS_REPLY_RESPONSE] = "response", [CORPUS_REPLY_FAULT] = "fault",
        [CORPUS_REPLY_DATA] = "data",         [CORPUS_REPLY_RANDOM] = "random",
        [CORPUS_REPLY_DEADLINE] = "deadline", [CORPUS_REPLY_STOP] = "stop",
        [CORPUS_REPLY_CONTINUE] = "continue", [CORPUS_REPLY_ONLINE] = "online",
        [CORPUS_REPLY_PIN] = "pin",           [CORPUS_REPLY_END] = "end",
    };
    static const char *const faults[] = {
        [CEMV_REPLY_TIMEOUT] = "timeout",
        [CEMV_REPLY_TRANSMISSION] = "transmission",
        [CEMV_REPLY_PROTOCOL] = "protocol",
        [CEMV_REPLY_REMOVED] = "removed",
    };
    struct corpus_lines *own = context;
    fputs(words[given->kind], own->to);
    if (given->kind == CORPUS_REPLY_FAULT) fprintf(own->to, " %s", faults[given->fault]);
    else if (given->kind == CORPUS_REPLY_PIN) fputs(given->refused ? " notCaptured" : " captured", own->to);
    else if (given->kind == CORPUS_REPLY_ONLINE && given->refused) fputs(" unable", own->to);
    else if (given->kind == CORPUS_REPLY_RESPONSE || given->kind == CORPUS_REPLY_DATA ||
             given->kind == CORPUS_REPLY_RANDOM || given->kind == CORPUS_REPLY_ONLINE)
        write_bytes(own->to, " ", given->bytes);
    if (given->kind == CORPUS_REPLY_RESPONSE && given->elapsed_us) fprintf(own->to, " %u", (unsigned)given->elapsed_us);
    if (given->kind == CORPUS_REPLY_END) {
        fputc('\n', own->to);
        if (fflush(own->to) != 0) broken(step, "the kernel has gone");
        return;
    }
    read_step(own, step);
}

/* KEY=VALUE among the words of the last outcome. */
static const char *find(void *context, const char *key, char text[400])
{
    struct corpus_lines *own = context;
    char name[60];
    snprintf(name, sizeof name, " %s=", key);
    const char *at = strstr(own->outcome, name);
    if (!at) return NULL;
    at += strlen(name);
    snprintf(text, 400, "%.*s", (int)(strcspn(at, " ") < 399 ? strcspn(at, " ") : 399), at);
    return text;
}

static bool data(void *context, bool discretionary, cemv_bytes *list)
{
    struct corpus_lines *own = context;
    const char *name = discretionary ? " discretionary=" : " data=", *at = strstr(own->outcome, name);
    size_t size = 0;
    if (!at || !read_bytes(at + strlen(name), own->record[discretionary], sizeof own->record[0], &size)) return false;
    *list = (cemv_bytes){ own->record[discretionary], size };
    return true;
}

bool corpus_kernel_lines(struct corpus_lines *own, const char *command, struct corpus_kernel *kernel)
{
    int to[2], from[2];
    memset(own, 0, sizeof *own);
    if (pipe(to) != 0 || pipe(from) != 0) return false;
    signal(SIGPIPE, SIG_IGN);
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) {
        if (dup2(to[0], 0) < 0 || dup2(from[1], 1) < 0) _exit(127);
        for (size_t i = 0; i < 2; i++) close(to[i]), close(from[i]);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    close(to[0]), close(from[1]);
    own->to = fdopen(to[1], "w");
    own->from = fdopen(from[0], "r");
    own->child = child;
    *kernel = (struct corpus_kernel){ own, begin, reply, find, data };
    return own->to && own->from;
}

void corpus_lines_close(struct corpus_lines *own)
{
    if (own->to) fclose(own->to);
    if (own->from) fclose(own->from);
    if (own->child > 0) waitpid((pid_t)own->child, NULL, 0);
    free(own->line);
}
