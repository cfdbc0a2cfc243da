/* SPDX-License-Identifier: Apache-2.0 */
/* The fast runner: properties, random runs, walks and fault injection in one program without dependencies. Knows no
 * kernel. TESTING.md explains what each command shows; Scripts/proving builds it and calls it.
 *
 * Usage: proving TRACES… -- COMMAND. TRACES are files of traces (emv-trace/1); the commands marked with * start from
 * the taps that are recorded from them. COMMAND is one of: */
/* clang-format off
 *   properties              properties of the modules, over generated input
 *   random                  * random runs: their invariants hold, and a second run gives the same result
 *   independent FOLDER      answers of independent implementations, as Scripts/independent generates them
 *   traces                  the traces themselves: each is met
 *   replies FILE [FLIPS]    * records of replies at every wait, FLIPS (16) changed bits of each, and the behaviour's
 *                             number, which is in FILE
 *   walks                   every edge of Entry Point and of the kernels, forked at every wait
 *   faults TAPS SEED        * TAPS taps with one to three random faults each
 *   all [PART OF]           * every single fault of every tap, or one part of them
 *   perturbations FROM COUNT  * taps with another configuration, another transaction, other answers of the card
 *   case NAME FAULT…        * one case, as a failure names it; writes emv-trace/1 to standard output
 *   fuzz COUNT              * inputs made from the taps
 *   input TARGET FILE…      * inputs that a fuzzer kept for one of its targets
 *   seeds FOLDER            * writes an input for the session fuzzer for each tap
 *   bare [STEP]             * writes the taps as C for machines without files; of Kernel 8 one in STEP, or none
 * clang-format on */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bare.h"
#include "kernel_walk.h"
#include "fuzz.h"
#include "independent.h"
#include "properties.h"
#include "faults.h"
#include "random.h"
#include "recorded.h"
#include "replies.h"
#include "trace.h"
#include "perturbations.h"
#include "CEMVInternals.h"

static struct recorded_taps recorded;
static struct tap_bench bench;
static struct fault_run fault_run = { .recorded = &recorded, .bench = &bench };

/* Prints the command that reproduces the failing case: it writes the trace, and emv-bench replays it. */
static void report(const struct fault_case *given, enum fault_verdict violated)
{
    const struct recorded_tap *tap = &recorded.taps[given->tap];
    printf("%s: status %02X\n  Scripts/proving case '%s'", fault_verdict_name(violated), fault_run.status, tap->name);
    for (size_t i = 0; i < FAULTS_MAX; i++)
        if (given->fault[i].kind)
            printf(" %u:%u:%u:%u", given->fault[i].kind, given->fault[i].at, given->fault[i].a, given->fault[i].b);
    printf(" > failing.json && swift run emv-bench replay failing.json\n");
}

static uint64_t failures, taps;
static uint64_t ends[256];

static void run(const struct fault_case *given)
{
    const enum fault_verdict violated = faults_run(&fault_run, given);
    taps++;
    ends[fault_run.status]++;
    if (violated == FAULT_HELD) return;
    if (failures++ < 20) report(given, violated);
}

static int summary(const char *what)
{
    printf("%s: %llu taps, %llu properties violated; approved %llu, declined %llu, online %llu, other interface %llu, "
           "ended "
           "%llu; digest %016llX\n",
           what, (unsigned long long)taps, (unsigned long long)failures,
           (unsigned long long)ends[CEMV_OUTCOME_APPROVED], (unsigned long long)ends[CEMV_OUTCOME_DECLINED],
           (unsigned long long)ends[CEMV_OUTCOME_ONLINE_REQUEST],
           (unsigned long long)ends[CEMV_OUTCOME_TRY_ANOTHER_INTERFACE],
           (unsigned long long)ends[CEMV_OUTCOME_END_APPLICATION], (unsigned long long)fault_run.digest);
    return failures != 0;
}

static int faults(uint64_t count, uint64_t seed)
{
    for (uint64_t i = 0; i < count; i++) {
        const struct fault_case given = fault_case_random(&recorded, &seed);
        run(&given);
    }
    return summary("faults");
}

static int all(uint64_t part, uint64_t of)
{
    for (size_t tap = 0; tap < recorded.tap_count; tap++) {
        const uint64_t count = faults_count(&recorded, tap);
        for (uint64_t i = (part + tap) % of; i < count; i += of) {
            const struct fault_case given = fault_case_at(&recorded, tap, i);
            run(&given);
        }
    }
    return summary("all");
}

static int one(int count, char **words)
{
    struct fault_case given = { .tap = recorded.tap_count };
    for (size_t i = 0; i < recorded.tap_count; i++)
        if (strcmp(recorded.taps[i].name, words[0]) == 0) given.tap = i;
    if (given.tap == recorded.tap_count) return fprintf(stderr, "no tap %s\n", words[0]), 2;
    for (int i = 1; i < count && i <= FAULTS_MAX; i++) {
        unsigned kind, at, a, b;
        if (sscanf(words[i], "%u:%u:%u:%u", &kind, &at, &a, &b) != 4)
            return fprintf(stderr, "not a fault: %s\n", words[i]), 2;
        given.fault[i - 1] = (struct fault){ (uint8_t)kind, (uint16_t)at, a, b };
    }
    fault_run.logs = true;
    const enum fault_verdict violated = faults_run(&fault_run, &given);
    trace_write(stdout, &recorded, given.tap, &fault_run);
    fprintf(stderr, "%s: status %02X, %u steps\n", fault_verdict_name(violated), fault_run.status, fault_run.steps);
    return violated != FAULT_HELD;
}

static int walks(void)
{
    const int bad = walk_entry() + walk_kernel_2() + walk_kernel_3() + walk_kernel_4() + walk_kernel_5() +
                    walk_kernel_6() + walk_kernel_7() + walk_kernel_8();
    printf("walks: %d different\n", bad);
    return bad != 0;
}

/* The session input after a random prefix, which chooses the terminal's answers or the reader. */
static const char *varied(const char *(*target)(const struct recorded_taps *, struct tap_bench *, cemv_bytes),
                          size_t prefix, cemv_bytes input, uint64_t *random)
{
    static uint8_t whole[1 << 16];
    if (input.size > sizeof whole - prefix) return NULL;
    for (size_t i = 0; i < prefix; i++) whole[i] = (uint8_t)random_next(random);
    memcpy(whole + prefix, input.data, input.size);
    return target(&recorded, &bench, (cemv_bytes){ whole, prefix + input.size });
}

/* Runs the targets of the fuzzers without their feedback, so that the result is deterministic: for Scripts/coverage. */
static int fuzz(uint64_t count)
{
    static const char *(*const targets[])(cemv_bytes) = { fuzz_tlv,   fuzz_dol,         fuzz_apdu, fuzz_directory,
                                                          fuzz_store, fuzz_certificate, fuzz_host };
    static uint8_t input[1 << 16];
    uint64_t random = 3;
    int bad = 0;
    size_t size = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (i % 16 == 0)
            size = fuzz_session_seed(&recorded, random_next(&random) % recorded.tap_count, input, sizeof input);
        else size = fuzz_session_mutate(&recorded, input, size, sizeof input, random_next(&random));
        const char *violated = fuzz_session(&recorded, &bench, (cemv_bytes){ input, size });
        if (!violated && size > 4)
            violated = varied(fuzz_terminal, FUZZ_TERMINAL_PREFIX, (cemv_bytes){ input, size }, &random);
        if (!violated && size > 4)
            violated = varied(fuzz_reader, FUZZ_READER_PREFIX, (cemv_bytes){ input, size }, &random);
        if (size > 5) {
            const size_t from = random_next(&random) % size;
            const cemv_bytes part = { input + from, random_next(&random) % (size - from) };
            for (size_t j = 0; j < sizeof targets / sizeof targets[0] && !violated; j++) violated = targets[j](part);
        }
        if (violated && bad++ < 5) {
            printf("violated property: %s; input %llu, tap %zu\n", violated, (unsigned long long)i,
                   (size_t)(input[0] << 8 | input[1]) % recorded.tap_count);
            FILE *out = getenv("CEMV_KEEP") ? fopen(getenv("CEMV_KEEP"), "wb") : NULL;
            if (out) {
                fwrite(input, 1, size, out);
                fclose(out);
            }
        }
    }
    printf("fuzz: %llu inputs, %d properties violated\n", (unsigned long long)count, bad);
    return bad != 0;
}

static int seeds(const char *folder)
{
    static uint8_t input[1 << 16];
    for (size_t i = 0; i < recorded.tap_count; i++) {
        char path[4096];
        const size_t size = fuzz_session_seed(&recorded, i, input, sizeof input);
        snprintf(path, sizeof path, "%s/tap-%04zu", folder, i);
        FILE *out = fopen(path, "wb");
        if (!out || fwrite(input, 1, size, out) != size) return fprintf(stderr, "%s: cannot be written\n", path), 2;
        fclose(out);
    }
    return 0;
}

static int perturbations(uint64_t from, uint64_t count)
{
    int bad = 0;
    for (uint64_t i = from; i < from + count; i++) {
        const char *violated = NULL;
        if (perturbation_play(&recorded, &bench, i, &violated) == 0 && bad++ < 20)
            printf("violated: %s (perturbation %llu)\n", violated, (unsigned long long)i);
    }
    printf("perturbations: %llu, %d properties violated\n", (unsigned long long)count, bad);
    return bad != 0;
}

static int random_runs(void)
{
    size_t parts = 0;
    int bad = 0;
    random_open(&recorded, &bench);
    for (size_t i = 0; i < random_count(); i++) {
        for (size_t part = 0; part < random_parts(i); part++, parts++) {
            const char *violated = NULL;
            if (!random_holds(i, part, &violated) && bad++ < 20)
                printf("violated: %s (%s %zu)\n", violated, random_name(i), part);
        }
    }
    printf("random: %zu parts, each twice, %d invariants violated\n", parts, bad);
    return bad != 0;
}

static int independent(const char *folder)
{
    int bad = 0;
    if (!independent_open(folder)) return 2;
    for (size_t i = 0; i < independent_count(); i++) {
        const char *line = NULL;
        size_t length = 0;
        if (independent_holds(i, &line, &length) || bad++ >= 20) continue;
        printf("%s: another answer than CEMV's: %.*s\n", independent_name(i), (int)length, line ? line : "");
    }
    printf("independent: %zu chunks of answers, %d differ\n", independent_count(), bad);
    return bad != 0;
}

/* An input that a fuzzer kept. */
static bool holds(const char *target, const char *path)
{
    static const struct {
        const char *name;
        const char *(*alone)(cemv_bytes);
        const char *(*session)(const struct recorded_taps *, struct tap_bench *, cemv_bytes);
    } targets[] = { { "tlv", fuzz_tlv, NULL },         { "dol", fuzz_dol, NULL },
                    { "apdu", fuzz_apdu, NULL },       { "directory", fuzz_directory, NULL },
                    { "store", fuzz_store, NULL },     { "certificate", fuzz_certificate, NULL },
                    { "host", fuzz_host, NULL },       { "replies", fuzz_replies, NULL },
                    { "session", NULL, fuzz_session }, { "terminal", NULL, fuzz_terminal },
                    { "reader", NULL, fuzz_reader },   { "kernel8", NULL, fuzz_kernel_8 } };
    static uint8_t input[1 << 16];
    FILE *stream = fopen(path, "rb");
    if (!stream) return fprintf(stderr, "%s: cannot be read\n", path), false;
    const size_t size = fread(input, 1, sizeof input, stream);
    fclose(stream);
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        if (strcmp(targets[i].name, target) != 0) continue;
        const cemv_bytes bytes = { input, size };
        const char *violated = targets[i].alone ? targets[i].alone(bytes)
                                                : targets[i].session(&recorded, &bench, bytes);
        if (violated) printf("%s: violated property: %s\n", path, violated);
        return !violated;
    }
    return fprintf(stderr, "no target %s\n", target), false;
}

static int inputs(int count, char **words)
{
    int bad = 0;
    for (int i = 1; i < count; i++) bad += !holds(words[0], words[i]);
    printf("%s: %d inputs, %d violate a property\n", words[0], count - 1, bad);
    return bad != 0;
}

static uint64_t number(const char *word) { return strtoull(word, NULL, 10); }

/* A command and its arguments. */
static int run_command(int count, char **words)
{
    const char *what = words[0];
    if (strcmp(what, "random") == 0) return random_runs();
    if (strcmp(what, "replies") == 0 && count > 1)
        return replies_run(&recorded, words[1], count > 2 ? number(words[2]) : 16);
    if (strcmp(what, "faults") == 0 && count > 2) return faults(number(words[1]), number(words[2]));
    if (strcmp(what, "all") == 0) return all(count > 2 ? number(words[1]) : 0, count > 2 ? number(words[2]) : 1);
    if (strcmp(what, "perturbations") == 0 && count > 2) return perturbations(number(words[1]), number(words[2]));
    if (strcmp(what, "case") == 0 && count > 1) return one(count - 1, words + 1);
    if (strcmp(what, "fuzz") == 0 && count > 1) return fuzz(number(words[1]));
    if (strcmp(what, "input") == 0 && count > 1) return inputs(count - 1, words + 1);
    if (strcmp(what, "seeds") == 0 && count > 1) return seeds(words[1]);
    if (strcmp(what, "bare") == 0) return bare_write(stdout, &recorded, count > 1 ? number(words[1]) : 0), 0;
    return fprintf(stderr, "unknown: %s\n", what), 2;
}

int main(int count, char **words)
{
    int traces = 0;
    while (1 + traces < count && strcmp(words[1 + traces], "--") != 0) traces++;
    char **const given = words + 2 + traces;
    count -= 2 + traces;
    if (count < 1)
        return fprintf(stderr,
                       "usage: proving TRACE... -- properties | random | independent FOLDER | traces | walks |\n"
                       "       replies FILE [FLIPS] |\n"
                       "       faults TAPS SEED | all [PART OF] | perturbations FROM COUNT | case NAME FAULT... "
                       "|\n"
                       "       fuzz COUNT | input TARGET FILE... | seeds FOLDER | bare [STEP]\n"),
               2;
    if (strcmp(given[0], "properties") == 0) return properties_run();
    if (strcmp(given[0], "independent") == 0 && count > 1) return independent(given[1]);
    if (strcmp(given[0], "traces") == 0) return corpus_run(traces, words + 1);
    if (strcmp(given[0], "walks") == 0) return walks();
    return recorded_open(&recorded, traces, words + 1) ? run_command(count, given) : 2;
}
