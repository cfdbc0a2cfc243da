/* SPDX-License-Identifier: Apache-2.0 */
/* Runs mutants, each in a process of its own, which ends at the first check that notices. Two kinds of checks: those
 * that know what is right (properties; independent traces and answers; invariants of random runs) run first, then the
 * change detectors (golden taps, which only know what was). Which checks reach a mutant is found out before, on the
 * original; only those are run for it, the cheapest first. A mutant that no check reaches survives without being run.
 *
 *   runner FILE MUTANTS FOLDER TRACE…        FOLDER: of independent answers; a TRACE that ends with .taps has one in
 * each line. Numbers of mutants on standard input;
 * writes `number verdict check` for each, verdict one of right (detected by a check that knows what is right), change
 * (by a change detector alone), alive, unreached
 *   runner plan PLAN LIST FILE FOLDER TRACE…     writes which checks there are, in order, and which sources each
 * reaches; LIST: the mutants, as mutants.py writes them
 *   runner one PLAN SOURCE FILE FOLDER TRACE…    this program is a mutant itself, in SOURCE (-: anywhere): runs the
 * checks that reach it until one notices; the last line written is the verdict and the check */
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
static const char *taken; /* of a plan: 1 for each trace that the original meets; NULL: they are tried */

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

static char met[4 * MAX_TRACES]; /* which traces the original meets, as a plan has them */
static size_t tried;

static void keep_trace(const char *at, size_t length)
{
    const size_t before = trace_count;
    if (trace_count == MAX_TRACES) exit(2);
    traces[trace_count].text = at;
    traces[trace_count].size = length;
    trace_count += taken ? *taken++ == '1' : trace(trace_count);
    if (!taken && tried < sizeof met - 1) met[tried++] = (char)('0' + (trace_count != before));
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

/* ---- a program that is a mutant itself ---- */

enum { MAX_SOURCES = 256, LINE = 1 << 16 };

static const struct {
    const char *name;
    bool (*holds)(size_t);
    bool needs_taps; /* the golden taps must have been read */
} kinds[] = { { "trace", dialogues, false },     { "independent", answers, false }, { "property", properties, false },
              { "invariant", invariants, true }, { "open", open_file, true },       { "golden", golden, true } };
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static size_t kind_of(const struct check *check)
{
    size_t kind = 0;
    while (kinds[kind].holds != check->holds) kind++;
    return kind;
}

/* The source of each mutant, as a number; their names into `names`. */
static size_t read_sources(const char *path, uint8_t *source_of, char names[][128])
{
    char line[LINE];
    size_t count = 0;
    FILE *stream = fopen(path, "rb");
    if (!stream) exit(2);
    for (size_t mutant = 1; fgets(line, sizeof line, stream); mutant++) {
        const char *name = strchr(line, '\t') + 1;
        const size_t length = strcspn(name, ":");
        if (count == 0 || strncmp(names[count - 1], name, length) != 0 || names[count - 1][length] != '\0') {
            if (count == MAX_SOURCES - 1 || length >= sizeof names[0]) exit(2);
            memcpy(names[count], name, length);
            names[count++][length] = '\0';
        }
        source_of[mutant] = (uint8_t)(count - 1);
    }
    fclose(stream);
    return count;
}

static bool reaches_source(const struct check *check, const uint8_t *source_of, size_t source)
{
    for (size_t mutant = 1; mutant <= mutant_count; mutant++)
        if (source_of[mutant] == source && reaches(check, mutant)) return true;
    return false;
}

static int write_plan(const char *path, const char *list)
{
    static uint8_t source_of[sizeof cemv_reached];
    static char names[MAX_SOURCES][128];
    const size_t sources = read_sources(list, source_of, names);
    FILE *stream = fopen(path, "wb");
    if (!stream) return 2;
    fprintf(stream, "%s\n", met);
    for (size_t i = 0; i < check_count; i++) {
        const struct check *check = &checks[i];
        fprintf(stream, "%zu %zu %d %.6f %s ", kind_of(check), check->number, check->knows, check->seconds,
                check->kind);
        for (size_t source = 0; source < sources; source++)
            if (reaches_source(check, source_of, source)) fprintf(stream, "%s:", names[source]);
        fprintf(stream, "\n");
    }
    return fclose(stream) != 0;
}

static int output; /* where verdicts go: what the checks print is dropped */

/* The checks of a plan that reach `source`, those before the taps are read or those after; the last line that is
 * written is the verdict if none comes back. */
static bool run_planned(FILE *plan, const char *source, bool with_taps)
{
    static char line[LINE], name[64], reached[LINE], told[128];
    size_t kind, number;
    int knows;
    double seconds;
    while (fgets(line, sizeof line, plan)) {
        reached[0] = '\0';
        if (sscanf(line, "%zu %zu %d %lf %63s %65535s", &kind, &number, &knows, &seconds, name, reached) < 5) exit(2);
        if (kind >= KINDS || kinds[kind].needs_taps != with_taps) continue;
        if (strcmp(source, "-") != 0 && !strstr(reached, source)) continue;
        const int length = snprintf(told, sizeof told, "%s %s\n", knows ? "right" : "change", name);
        if (write(output, told, (size_t)length) != length) exit(2);
        limit(seconds);
        if (!kinds[kind].holds(number)) return false;
    }
    limit(60);
    return true;
}

static void load_taps(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) exit(2);
    text = malloc(8u << 20);
    size = fread(text, 1, 8u << 20, stream);
    fclose(stream);
    room = size * 4 + (8u << 20);
    arena = aligned_alloc(16, (room + 15) / 16 * 16);
    if (!golden_open(&file, (cemv_bytes){ text, size }, arena, room))
        fprintf(stderr, "%s: line %zu\n", path, file.line), exit(2);
    random_open(&file, &bench);
}

static int run_one(int count, char **words)
{
    static char traces_taken[sizeof met + 1];
    FILE *plan = fopen(words[2], "rb");
    if (!plan || !fgets(traces_taken, sizeof traces_taken, plan)) return 2;
    const long checks_begin = ftell(plan);
    taken = traces_taken;
    for (int i = 6; i < count; i++) load_traces(words[i]);
    if (!independent_open(words[5])) return 2;
    output = dup(STDOUT_FILENO);
    if (output < 0 || !freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) return 2;
    if (!run_planned(plan, words[3], false)) return 1;
    if (write(output, "change start\n", 13) != 13) return 2;
    load_taps(words[4]);
    fseek(plan, checks_begin, SEEK_SET);
    if (!run_planned(plan, words[3], true)) return 1;
    return write(output, "alive -\n", 8) != 8;
}

static size_t lines_of(const char *path)
{
    size_t lines = 0;
    int c;
    FILE *stream = fopen(path, "rb");
    if (!stream) exit(2);
    while ((c = getc(stream)) != EOF) lines += c == '\n';
    fclose(stream);
    return lines;
}

int main(int count, char **words)
{
    size_t mutant;
    const bool is_plan = count > 6 && strcmp(words[1], "plan") == 0;
    if (count > 6 && strcmp(words[1], "one") == 0) return run_one(count, words);
    if (count < 4) return fprintf(stderr, "usage: runner FILE MUTANTS FOLDER TRACE... <numbers\n"), 2;
    mutant_count = is_plan ? lines_of(words[3]) : strtoul(words[2], NULL, 10);
    if (mutant_count >= sizeof cemv_reached) return fprintf(stderr, "too many mutants\n"), 2;
    const int first = is_plan ? 4 : 1; /* FILE */
    load_taps(words[first]);
    for (int i = is_plan ? 6 : 4; i < count; i++) load_traces(words[i]);
    if (!independent_open(words[is_plan ? 5 : 3])) return 2;
    measure();
    double sum = 0;
    for (size_t i = 0; i < check_count; i++) sum += checks[i].seconds;
    fprintf(stderr, "%zu checks, %.2f s for all\n", check_count, sum);
    if (is_plan) return write_plan(words[2], words[3]);
    while (scanf("%zu", &mutant) == 1)
        if (mutant >= 1 && mutant <= mutant_count) run(mutant);
    return 0;
}
