/* SPDX-License-Identifier: Apache-2.0 */
/* Runs named tests over single mutants, for the rows of the conformance files. rows.py drives it.
 * Usage: rows FILE MUTANTS FOLDER TRACE… (arguments as runner.c). A line of standard input is the number of a mutant
 * (0: the original) and tests. The answer to each line is one word: held; the first test that noticed; unreached where
 * no test reached the mutant; or unknown and the test that does not exist.
 *
 * A test is property:FILE:NAME (FILE may be empty), table:NAME, trace:NAME or walk:NAME. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../Corpus/corpus.h"
#include "../Proving/independent.h"
#include "../Proving/independent_rules.h"
#include "../Proving/independent_vectors.h"
#include "../Proving/kernel_walk.h"
#include "golden.h"
#include "properties.h"

int cemv_mutant;
unsigned char cemv_reached[1 << 16];

/* A test of the original takes less than a second, a walk less than a minute. */
enum { MAX_TRACES = 16384, MAX_LINE = 1 << 16, SECONDS_A_TEST = 20, SECONDS_A_WALK = 180 };

static struct {
    const char *text;
    size_t size;
    char name[100];
} traces[MAX_TRACES];
static size_t trace_count;

/* ---- traces ---- */

static bool play(size_t number, char *name)
{
    static struct corpus_bench place;
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CORPUS_ARENA];
    char error[200];
    struct corpus_arena own = { memory, sizeof memory, 0 };
    struct corpus_trace read;
    struct corpus_report report;
    if (!corpus_open(&read, traces[number].text, traces[number].size, &own, error)) return false;
    if (name) snprintf(name, sizeof traces[number].name, "%.*s", (int)read.name_size, read.name);
    return corpus_replay(&read, &place, &own, &report);
}

/* One that the original does not meet is none of the tests. */
static void keep_trace(const char *at, size_t length)
{
    if (trace_count == MAX_TRACES) fprintf(stderr, "more traces than MAX_TRACES\n"), exit(2);
    traces[trace_count].text = at;
    traces[trace_count].size = length;
    trace_count += play(trace_count, traces[trace_count].name);
}

static char *load(const char *path, size_t *size)
{
    FILE *const stream = fopen(path, "rb");
    if (!stream) fprintf(stderr, "%s: cannot be read\n", path), exit(2);
    fseek(stream, 0, SEEK_END);
    *size = (size_t)ftell(stream);
    rewind(stream);
    char *const text = malloc(*size + 1);
    if (!text || fread(text, 1, *size, stream) != *size) exit(2);
    text[*size] = '\0';
    fclose(stream);
    return text;
}

/* A trace, or one in each line of a file that ends with .taps. */
static void load_traces(const char *path)
{
    static const char several[] = ".taps";
    size_t whole;
    char *const all = load(path, &whole);
    const size_t length = strlen(path), end = sizeof several - 1;
    if (length < end || strcmp(path + length - end, several) != 0) {
        keep_trace(all, whole);
        return;
    }
    for (char *at = all; *at;) {
        const size_t line = strcspn(at, "\n");
        if (line) keep_trace(at, line);
        at += line + (at[line] != '\0');
    }
}

/* ---- tests ---- */

enum verdict { HELD, NOTICED, UNKNOWN };

static enum verdict run_property(const char *named)
{
    const char *const colon = strchr(named, ':');
    const size_t file = colon ? (size_t)(colon - named) : 0;
    enum verdict verdict = UNKNOWN;
    for (size_t i = 0; colon && i < property_part_count() && verdict != NOTICED; i++) {
        if (strcmp(property_part_name(i), colon + 1) != 0) continue;
        if (file && (strlen(property_part_file(i)) != file || strncmp(property_part_file(i), named, file) != 0))
            continue;
        verdict = property_part_run(i) == 0 ? HELD : NOTICED;
    }
    return verdict;
}

/* The sheets of k8-vectors.json. */
static enum verdict run_vectors(void)
{
    for (size_t i = 0; i < independent_vectors_count(); i++) {
        const char *found = NULL;
        if (!independent_vectors_hold(i, &found)) return NOTICED;
    }
    return independent_vectors_count() ? HELD : UNKNOWN;
}

static enum verdict run_table(const char *name)
{
    size_t count;
    if (strcmp(name, "k8-vectors") == 0) return run_vectors();
    if (!independent_rules_of(name, &count)) return NOTICED;
    return count ? HELD : UNKNOWN;
}

static enum verdict run_trace(const char *name)
{
    for (size_t i = 0; i < trace_count; i++)
        if (strcmp(traces[i].name, name) == 0) return play(i, NULL) ? HELD : NOTICED;
    return UNKNOWN;
}

static enum verdict run_walk(const char *name)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } walks[] = {
        { "walk_entry", walk_entry },       { "walk_kernel_2", walk_kernel_2 }, { "walk_kernel_3", walk_kernel_3 },
        { "walk_kernel_4", walk_kernel_4 }, { "walk_kernel_5", walk_kernel_5 }, { "walk_kernel_6", walk_kernel_6 },
        { "walk_kernel_7", walk_kernel_7 }, { "walk_kernel_8", walk_kernel_8 },
    };
    for (size_t i = 0; i < sizeof walks / sizeof walks[0]; i++)
        if (strcmp(walks[i].name, name) == 0) return walks[i].run() == 0 ? HELD : NOTICED;
    return UNKNOWN;
}

static enum verdict run_test(const char *test)
{
    const struct itimerval timer = {
        .it_value.tv_sec = strncmp(test, "walk:", 5) == 0 ? SECONDS_A_WALK : SECONDS_A_TEST,
    };
    setitimer(ITIMER_PROF, &timer, NULL);
    if (strncmp(test, "property:", 9) == 0) return run_property(test + 9);
    if (strncmp(test, "table:", 6) == 0) return run_table(test + 6);
    if (strncmp(test, "trace:", 6) == 0) return run_trace(test + 6);
    if (strncmp(test, "walk:", 5) == 0) return run_walk(test + 5);
    return UNKNOWN;
}

/* In a process of its own: 0 held, 1 noticed, 2 unknown, 3 unreached; a crash or the timer counts as noticed. The test
 * that is running goes through the pipe. */
static void examine(char **tests, size_t count, int told)
{
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(2);
    memset(cemv_reached, 0, sizeof cemv_reached);
    for (unsigned i = 0; i < count; i++) {
        if (write(told, &i, sizeof i) != sizeof i) _exit(2);
        const enum verdict verdict = run_test(tests[i]);
        if (verdict != HELD) _exit((int)verdict);
    }
    _exit(cemv_mutant && !cemv_reached[cemv_mutant] ? 3 : 0);
}

static void run(int mutant, char **tests, size_t count)
{
    int status = 0, ends[2];
    unsigned last = 0, read_in;
    fflush(NULL);
    if (pipe(ends) != 0) exit(2);
    cemv_mutant = mutant;
    const pid_t child = fork();
    if (child == 0) examine(tests, count, ends[1]);
    close(ends[1]);
    while (read(ends[0], &read_in, sizeof read_in) == sizeof read_in) last = read_in;
    close(ends[0]);
    waitpid(child, &status, 0);
    cemv_mutant = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) printf("held\n");
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 3) printf("unreached\n");
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 2) printf("unknown %s\n", tests[last]);
    else printf("%s\n", tests[last]);
    fflush(stdout);
}

int main(int count, char **words)
{
    static char line[MAX_LINE];
    static char *tests[MAX_LINE / 4];
    static struct golden_file golden;
    size_t size;
    if (count < 5) return fprintf(stderr, "usage: rows FILE MUTANTS FOLDER TRACE... <lines\n"), 2;
    if (strtoul(words[2], NULL, 10) >= sizeof cemv_reached) return fprintf(stderr, "too many mutants\n"), 2;
    char *const text = load(words[1], &size);
    const size_t room = (size * 4 + (8u << 20) + 15) / 16 * 16;
    if (!golden_open(&golden, (cemv_bytes){ (const uint8_t *)text, size }, aligned_alloc(16, room), room)) return 2;
    for (int i = 4; i < count; i++) load_traces(words[i]);
    if (!independent_open(words[3])) return 2;
    if (properties_run() != 0) return fprintf(stderr, "a property does not hold of the original\n"), 2;
    printf("ready\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        size_t test_count = 0;
        const char *const number = strtok(line, " \n");
        for (char *test = strtok(NULL, " \n"); test; test = strtok(NULL, " \n")) tests[test_count++] = test;
        if (number) run(atoi(number), tests, test_count);
    }
    return 0;
}
