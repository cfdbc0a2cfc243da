/* SPDX-License-Identifier: Apache-2.0 */
/* Runs mutants, each in a process of its own, which ends at the first check that notices. Two kinds of checks: those
 * that know what is right (properties; independent traces and answers; invariants of random runs) run first, then the
 * change detectors (golden taps, which only know what was). Which checks reach a mutant is found out before, on the
 * original; only those are run for it, the cheapest first. A mutant that no check reaches survives without being run.
 *
 *   runner FILE MUTANTS FOLDER TRACE…        FOLDER: of independent answers; a TRACE that ends with .taps has one in
 * each line. Numbers of mutants on standard input;
 * writes `number verdict check` for each, verdict one of right (detected by a check that knows what is right), change
 * (by a change detector alone), alive, unreached */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../Corpus/corpus.h"
#include "golden.h"
#include "../Proving/independent.h"
#include "properties.h"
#include "random.h"

int cemv_mutant;
unsigned char cemv_reached[1 << 16];

/* Of the random runs every fourth part: what the properties leave alive goes through all of them, and a mutant costs
 * their whole time. */
enum { MAX_CHECKS = 4096, TAPS_A_CHECK = 20, PART_STEP = 4 };

static struct golden_file file;
static struct golden_bench bench;
static uint8_t *text, *arena;
static size_t size, room, mutant_count;

/* `number` tells a check from others of its kind. */
struct check {
    const char *kind;
    bool (*holds)(size_t number);
    size_t number;
    bool knows; /* what is right, not only what was */
    double seconds;
    unsigned char *reaches; /* a bit for each mutant */
};
static struct check checks[MAX_CHECKS];
static size_t check_count;

/* ---- the checks ---- */

static bool open_file(size_t number)
{
    static struct golden_file again;
    static uint8_t *second;
    (void)number;
    if (!second) second = aligned_alloc(16, (room + 15) / 16 * 16);
    return golden_open(&again, (cemv_bytes){ text, size }, second, room);
}

static bool properties(size_t number) { return property_module_run(number) == 0; }

/* Taps from `number` on up to the next multiple of TAPS_A_CHECK; those that go before in the same memory are played
 * with them. */
static bool golden(size_t number)
{
    size_t first = number;
    while (first > 0 && file.taps[first].keeps_memory) first--;
    for (size_t i = first; i < number + TAPS_A_CHECK && i < file.tap_count; i++)
        if (golden_play(&file.taps[i], &bench) != GOLDEN_SAME) return false;
    return true;
}

static bool invariants(size_t number)
{
    const char *violated;
    return random_run(number >> 32, number & 0xFFFFFFFF, &violated) != 0;
}

/* Traces, each with its text; those that the original does not meet are none of the checks. */
enum { MAX_TRACES = 16384, TRACES_A_CHECK = 10 };
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

static void keep_trace(const char *at, size_t length)
{
    if (trace_count == MAX_TRACES) exit(2);
    traces[trace_count].text = at;
    traces[trace_count].size = length;
    trace_count += trace(trace_count);
}

/* A trace, or one in each line. */
static void load_traces(const char *path)
{
    static const char several[] = ".taps";
    const size_t end = sizeof several - 1, length = strlen(path);
    FILE *stream = fopen(path, "rb");
    char *all = malloc(8u << 20);
    if (!stream || !all) exit(2);
    const size_t whole = fread(all, 1, (8u << 20) - 1, stream);
    fclose(stream);
    all[whole] = '\0';
    all = realloc(all, whole + 1);
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

static bool answers(size_t number) { return independent_holds(number, NULL, NULL); }

/* ---- the original ---- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void add(const char *kind, bool (*holds)(size_t), size_t number, bool knows)
{
    if (check_count == MAX_CHECKS) exit(2);
    struct check *check = &checks[check_count++];
    *check = (struct check){
        .kind = kind, .holds = holds, .number = number, .knows = knows, .reaches = calloc(mutant_count / 8 + 1, 1)
    };
    memset(cemv_reached, 0, sizeof cemv_reached);
    const double start = now();
    if (!holds(number)) fprintf(stderr, "the original does not pass: %s %zu\n", kind, number), exit(2);
    check->seconds = now() - start;
    for (size_t i = 1; i <= mutant_count; i++) check->reaches[i / 8] |= (unsigned char)(cemv_reached[i] << i % 8);
}

static int in_order(const void *a, const void *b)
{
    const struct check *first = a, *second = b;
    if (first->knows != second->knows) return first->knows ? -1 : 1;
    return first->seconds < second->seconds ? -1 : first->seconds > second->seconds;
}

static void measure(void)
{
    for (size_t i = 0; i < trace_count; i += TRACES_A_CHECK) add("trace", dialogues, i, true);
    for (size_t i = 0; i < independent_count(); i++) add(independent_name(i), answers, i, true);
    for (size_t i = 0; i < property_module_count(); i++) add(property_module_name(i), properties, i, true);
    random_open(&file, &bench);
    for (size_t i = 0; i < random_count(); i++)
        for (size_t part = 0; part < random_parts(i); part += PART_STEP)
            add(random_name(i), invariants, i << 32 | part, true);
    add("open", open_file, 0, false);
    for (size_t i = 0; i < file.tap_count; i += TAPS_A_CHECK) add("golden", golden, i, false);
    qsort(checks, check_count, sizeof checks[0], in_order);
}

/* ---- a mutant ---- */

/* A mutant that loops is stopped after many times what the original takes. */
static void limit(double seconds)
{
    const double most = 0.3 + 20 * seconds;
    const struct itimerval timer = { .it_value = { (long)most, (long)((most - (double)(long)most) * 1e6) } };
    setitimer(ITIMER_PROF, &timer, NULL);
}

static bool reaches(const struct check *check, size_t mutant) { return check->reaches[mutant / 8] >> mutant % 8 & 1; }

/* The number of the check that notices goes through the pipe. */
static void examine(size_t mutant, int told)
{
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(2);
    cemv_mutant = (int)mutant;
    for (unsigned i = 0; i < check_count; i++) {
        if (!reaches(&checks[i], mutant)) continue;
        if (write(told, &i, sizeof i) != sizeof i) _exit(2);
        limit(checks[i].seconds);
        if (!checks[i].holds(checks[i].number)) _exit(1);
    }
    _exit(0);
}

static void run(size_t mutant)
{
    int status = 0, ends[2];
    unsigned last = 0, read_in;
    bool reached = false;
    for (size_t i = 0; i < check_count && !reached; i++) reached = reaches(&checks[i], mutant);
    if (!reached) {
        printf("%zu unreached -\n", mutant);
        return;
    }
    fflush(NULL);
    if (pipe(ends) != 0) exit(2);
    const pid_t child = fork();
    if (child == 0) examine(mutant, ends[1]);
    close(ends[1]);
    while (read(ends[0], &read_in, sizeof read_in) == sizeof read_in) last = read_in;
    close(ends[0]);
    waitpid(child, &status, 0);
    const bool alive = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    printf("%zu %s %s\n", mutant, alive ? "alive" : checks[last].knows ? "right" : "change", checks[last].kind);
}

int main(int count, char **words)
{
    FILE *stream = count > 3 ? fopen(words[1], "rb") : NULL;
    size_t mutant;
    if (!stream) return fprintf(stderr, "usage: runner FILE MUTANTS FOLDER TRACE... <numbers\n"), 2;
    mutant_count = strtoul(words[2], NULL, 10);
    if (mutant_count >= sizeof cemv_reached) return fprintf(stderr, "too many mutants\n"), 2;
    text = malloc(8u << 20);
    size = fread(text, 1, 8u << 20, stream);
    fclose(stream);
    room = size * 4 + (8u << 20);
    arena = aligned_alloc(16, (room + 15) / 16 * 16);
    if (!golden_open(&file, (cemv_bytes){ text, size }, arena, room))
        return fprintf(stderr, "%s: line %zu\n", words[1], file.line), 2;
    for (int i = 4; i < count; i++) load_traces(words[i]);
    if (!independent_open(words[3])) return 2;
    measure();
    double sum = 0;
    for (size_t i = 0; i < check_count; i++) sum += checks[i].seconds;
    fprintf(stderr, "%zu checks, %.2f s for all\n", check_count, sum);
    while (scanf("%zu", &mutant) == 1)
        if (mutant >= 1 && mutant <= mutant_count) run(mutant);
    return 0;
}
