/* SPDX-License-Identifier: Apache-2.0 */
/* Runs mutants of CEMV, each in its own process, until the first check detects it. Every check knows the right result:
 * independent traces and answers, properties, invariants of random runs. The runner first runs every check on the
 * original and notes which mutants the check reaches and how long it takes. A mutant then gets only the checks that
 * reach it, the fastest first.
 *
 *   runner MUTANTS PROCESSES FOLDER TRACE...
 *
 * MUTANTS is the number of mutants, FOLDER has the independent answers, a TRACE file has one trace in each line. Random
 * runs begin with the taps of the traces. Standard input has numbers of mutants. For each, the runner writes
 * `number detected CHECK` or `number survived -`. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../Corpus/corpus.h"
#include "../Proving/independent.h"
#include "../Proving/recorded.h"
#include "properties.h"
#include "random.h"

int cemv_mutant;
unsigned char cemv_reached[1 << 16];

/* One in PART_STEP parts of the random runs: a mutant that survives the properties costs the time of all of them. */
enum { MAX_CHECKS = 4096, MAX_TRACES = 16384, TRACES_A_CHECK = 10, PART_STEP = 4 };

static size_t mutant_count;

struct check {
    const char *kind;
    bool (*holds)(size_t number);
    size_t number; /* distinguishes checks of one kind */
    double seconds;
    unsigned char *reaches; /* one bit for each mutant */
};
static struct check checks[MAX_CHECKS];
static size_t check_count;

static void *load(const char *path, size_t *size)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) fprintf(stderr, "%s: cannot be read\n", path), exit(2);
    fseek(stream, 0, SEEK_END);
    *size = (size_t)ftell(stream);
    rewind(stream);
    char *bytes = malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, stream) != *size) exit(2);
    fclose(stream);
    bytes[*size] = '\0';
    return bytes;
}

/* ---- the checks ---- */

static bool properties(size_t number) { return property_module_run(number) == 0; }

static bool answers(size_t number) { return independent_holds(number, NULL, NULL); }

static bool invariants(size_t number)
{
    const char *violated;
    return random_run(number >> 32, number & 0xFFFFFFFF, &violated) != 0;
}

static struct {
    const char *text;
    size_t size;
} traces[MAX_TRACES];
static size_t trace_count;

static bool trace(size_t number)
{
    static struct corpus_bench place;
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CORPUS_ARENA];
    char error[200];
    struct corpus_arena own = { memory, sizeof memory, 0 };
    struct corpus_trace read;
    struct corpus_report report;
    return corpus_open(&read, traces[number].text, traces[number].size, &own, error) &&
           corpus_replay(&read, &place, &own, &report);
}

static bool dialogues(size_t number)
{
    for (size_t i = number; i < number + TRACES_A_CHECK && i < trace_count; i++)
        if (!trace(i)) return false;
    return true;
}

/* One trace in each line. */
static void load_traces(const char *path)
{
    size_t size;
    for (const char *at = load(path, &size); *at;) {
        const size_t line = strcspn(at, "\n");
        if (trace_count == MAX_TRACES) exit(2);
        traces[trace_count].text = at;
        traces[trace_count++].size = line;
        at += line + (at[line] != '\0');
    }
}

/* ---- the original ---- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void add(const char *kind, bool (*holds)(size_t), size_t number)
{
    if (check_count == MAX_CHECKS) exit(2);
    struct check *check = &checks[check_count++];
    *check = (struct check){ .kind = kind, .holds = holds, .number = number };
    check->reaches = calloc(mutant_count / 8 + 1, 1);
    memset(cemv_reached, 0, sizeof cemv_reached);
    const double start = now();
    if (!holds(number)) fprintf(stderr, "the original does not pass: %s %zu\n", kind, number), exit(2);
    check->seconds = now() - start;
    for (size_t i = 1; i <= mutant_count; i++) check->reaches[i / 8] |= (unsigned char)(cemv_reached[i] << i % 8);
}

static int by_time(const void *a, const void *b)
{
    const struct check *first = a, *second = b;
    return first->seconds < second->seconds ? -1 : first->seconds > second->seconds;
}

static void measure(void)
{
    for (size_t i = 0; i < trace_count; i += TRACES_A_CHECK) add("trace", dialogues, i);
    for (size_t i = 0; i < independent_count(); i++) add(independent_name(i), answers, i);
    for (size_t i = 0; i < property_module_count(); i++) add(property_module_name(i), properties, i);
    for (size_t i = 0; i < random_count(); i++)
        for (size_t part = 0; part < random_parts(i); part += PART_STEP)
            add(random_name(i), invariants, i << 32 | part);
    qsort(checks, check_count, sizeof checks[0], by_time);
}

/* ---- a mutant ---- */

/* Stops a mutant that loops: it may take many times as long as the original. */
static void limit(double seconds)
{
    const double most = 0.3 + 20 * seconds;
    const struct itimerval timer = { .it_value = { (long)most, (long)((most - (double)(long)most) * 1e6) } };
    setitimer(ITIMER_PROF, &timer, NULL);
}

/* Runs the checks that reach the mutant. Writes the index of each to `report` before it runs: the last one written is
 * the check that failed, crashed or timed out. Exit status 0 if all checks pass. */
static void examine(size_t mutant, int report)
{
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(2);
    cemv_mutant = (int)mutant;
    for (unsigned i = 0; i < check_count; i++) {
        if (!(checks[i].reaches[mutant / 8] >> mutant % 8 & 1)) continue;
        if (write(report, &i, sizeof i) != sizeof i) _exit(2);
        limit(checks[i].seconds);
        if (!checks[i].holds(checks[i].number)) _exit(1);
    }
    _exit(0);
}

static void run(size_t mutant)
{
    int status = 0, ends[2];
    unsigned last = 0, index;
    if (pipe(ends) != 0) exit(2);
    const pid_t child = fork();
    if (child == 0) examine(mutant, ends[1]);
    close(ends[1]);
    while (read(ends[0], &index, sizeof index) == sizeof index) last = index;
    close(ends[0]);
    waitpid(child, &status, 0);
    const bool survived = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    printf("%zu %s %s\n", mutant, survived ? "survived" : "detected", survived ? "-" : checks[last].kind);
    fflush(stdout);
}

int main(int count, char **words)
{
    static size_t chosen[sizeof cemv_reached];
    static struct recorded_taps recorded;
    static struct tap_bench bench;
    size_t chosen_count = 0, mutant, processes;
    if (count < 4) return fprintf(stderr, "usage: runner MUTANTS PROCESSES FOLDER TRACE... <numbers\n"), 2;
    mutant_count = strtoul(words[1], NULL, 10);
    processes = strtoul(words[2], NULL, 10);
    if (mutant_count >= sizeof cemv_reached) return fprintf(stderr, "too many mutants\n"), 2;
    while (scanf("%zu", &mutant) == 1 && chosen_count < mutant_count)
        if (mutant >= 1 && mutant <= mutant_count) chosen[chosen_count++] = mutant;
    if (chosen_count == 0) return 0;
    for (int i = 4; i < count; i++) load_traces(words[i]);
    if (!recorded_open(&recorded, count - 4, words + 4) || !independent_open(words[3])) return 2;
    random_open(&recorded, &bench);
    measure();
    for (size_t process = 0; process < processes; process++) {
        if (fork() != 0) continue;
        for (size_t i = process; i < chosen_count; i += processes) run(chosen[i]);
        _exit(0);
    }
    int status, failed = 0;
    while (wait(&status) > 0) failed |= status;
    return failed ? 2 : 0;
}
