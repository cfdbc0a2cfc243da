/* SPDX-License-Identifier: Apache-2.0 */
/* The fast runner: golden taps, properties, random runs, walks and fault injection in one program without dependencies.
 * Knows no kernel. TESTING.md says what each command shows; Scripts/proving builds it and calls it.
 *
 * Usage: proving FILE COMMAND, where FILE has the golden taps and COMMAND is one of: */
/* clang-format off
 *   golden                  every golden tap gives the recorded result
 *   properties              properties of the modules, over generated input
 *   faults TAPS SEED        TAPS taps with one to three random faults each
 *   all [PART OF]           every single fault of every tap, or one part of them
 *   perturbations FROM COUNT  golden taps with another configuration, another transaction, other answers of the card
 *   random                  random runs: their invariants hold, and a second run gives the same result
 *   independent FOLDER      answers of independent implementations, as Scripts/independent generates them
 *   traces TRACE…           traces of the format emv-trace/1 (Tests/Corpus)
 *   walks                   every edge of Entry Point and of the kernels, forked at every wait
 *   fuzz COUNT              inputs made from the golden taps
 *   input INPUT             one input of the session fuzzer
 *   seeds FOLDER            writes an input for the session fuzzer for each tap
 *   case NAME FAULT…        one case, as a failure names it; writes emv-trace/1 to standard output
 * clang-format on */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../Corpus/corpus.h"
#include "kernel_walk.h"
#include "fuzz.h"
#include "independent.h"
#include "properties.h"
#include "faults.h"
#include "random.h"
#include "trace.h"
#include "perturbations.h"
#include "../Secrets/secrets.h"
#include "CEMVInternals.h"

static struct golden_file file;
static struct golden_bench bench;
static struct fault_run fault_run = { .file = &file, .bench = &bench };
static void *text, *arena; /* reachable to the end: nothing leaks */

static void *load(const char *path, size_t *size)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) return NULL;
    fseek(stream, 0, SEEK_END);
    *size = (size_t)ftell(stream);
    rewind(stream);
    void *bytes = malloc(*size + 1);
    if (fread(bytes, 1, *size, stream) != *size) *size = 0;
    fclose(stream);
    return bytes;
}

static int golden(void)
{
    int bad = 0;
    for (size_t i = 0; i < file.tap_count; i++) {
        const struct golden_tap *tap = &file.taps[i];
        const enum golden_verdict verdict = golden_play(tap, &bench);
        if (verdict == GOLDEN_SAME) continue;
        printf("%.*s: verdict %d at reply %zu\n  found    %.*s\n  expected %.*s\n", (int)tap->name.size,
               (const char *)tap->name.data, verdict, bench.at, (int)bench.line_size, bench.line, (int)tap->end.size,
               (const char *)tap->end.data);
        bad++;
    }
    printf("golden: %zu taps, %d different\n", file.tap_count, bad);
    return bad != 0;
}

/* Prints the command that reproduces the failing case: it writes the trace, and emv-bench replays it. */
static void report(const struct fault_case *given, enum fault_verdict violated)
{
    const struct golden_tap *tap = &file.taps[given->tap];
    printf("%s: status %02X\n  Scripts/taps case '%.*s'", fault_verdict_name(violated), fault_run.status,
           (int)tap->name.size, (const char *)tap->name.data);
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
        const struct fault_case given = fault_case_random(&file, &seed);
        run(&given);
    }
    return summary("faults");
}

static int all(uint64_t part, uint64_t of)
{
    for (size_t tap = 0; tap < file.tap_count; tap++) {
        const uint64_t count = faults_count(&file, tap);
        for (uint64_t i = (part + tap) % of; i < count; i += of) {
            const struct fault_case given = fault_case_at(&file, tap, i);
            run(&given);
        }
    }
    return summary("all");
}

static int one(int count, char **words)
{
    struct fault_case given = { .tap = file.tap_count };
    for (size_t i = 0; i < file.tap_count; i++)
        if (file.taps[i].name.size == strlen(words[0]) &&
            memcmp(file.taps[i].name.data, words[0], strlen(words[0])) == 0)
            given.tap = i;
    if (given.tap == file.tap_count) return fprintf(stderr, "no tap %s\n", words[0]), 2;
    for (int i = 1; i < count && i <= FAULTS_MAX; i++) {
        unsigned kind, at, a, b;
        if (sscanf(words[i], "%u:%u:%u:%u", &kind, &at, &a, &b) != 4)
            return fprintf(stderr, "not a fault: %s\n", words[i]), 2;
        given.fault[i - 1] = (struct fault){ (uint8_t)kind, (uint16_t)at, a, b };
    }
    fault_run.logs = true;
    const enum fault_verdict violated = faults_run(&fault_run, &given);
    trace_write(stdout, &file.taps[given.tap], &fault_run);
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

/* The same session behind a random prefix, which chooses the terminal's answers or the reader. */
static const char *varied(const char *(*target)(const struct golden_file *, struct golden_bench *, cemv_bytes),
                          size_t prefix, cemv_bytes input, uint64_t *random)
{
    static uint8_t whole[1 << 16];
    if (input.size > sizeof whole - prefix) return NULL;
    for (size_t i = 0; i < prefix; i++) whole[i] = (uint8_t)random_next(random);
    memcpy(whole + prefix, input.data, input.size);
    return target(&file, &bench, (cemv_bytes){ whole, prefix + input.size });
}

/* The fuzzers' targets without their feedback: deterministic, for coverage and mutation runs. */
static int fuzz(uint64_t count)
{
    static const char *(*const targets[])(cemv_bytes) = { fuzz_tlv,   fuzz_dol,         fuzz_apdu, fuzz_directory,
                                                          fuzz_store, fuzz_certificate, fuzz_host };
    static uint8_t input[1 << 16];
    uint64_t random = 3;
    int bad = 0;
    size_t size = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (i % 16 == 0) size = fuzz_session_seed(&file, random_next(&random) % file.tap_count, input, sizeof input);
        else size = fuzz_session_mutate(&file, input, size, sizeof input, random_next(&random));
        const char *violated = fuzz_session(&file, &bench, (cemv_bytes){ input, size });
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
                   (size_t)(input[0] << 8 | input[1]) % file.tap_count);
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
    for (size_t i = 0; i < file.tap_count; i++) {
        char path[4096];
        const size_t size = fuzz_session_seed(&file, i, input, sizeof input);
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
        if (perturbation_play(&file, &bench, i, &violated) == 0 && bad++ < 20)
            printf("violated: %s (perturbation %llu)\n", violated, (unsigned long long)i);
    }
    printf("perturbations: %llu, %d properties violated\n", (unsigned long long)count, bad);
    return bad != 0;
}

static int random_runs(void)
{
    size_t parts = 0;
    int bad = 0;
    random_open(&file, &bench);
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

int main(int count, char **words)
{
    size_t size = 0;
    text = count > 2 ? load(words[1], &size) : NULL;
    if (!text)
        return fprintf(stderr, "usage: proving FILE golden | properties | faults TAPS SEED | perturbations FROM COUNT "
                               "| random | walks |\n"
                               "       all [PART OF] | independent FOLDER | traces TRACE... | fuzz COUNT | input INPUT "
                               "| seeds FOLDER |\n"
                               "       case NAME FAULT...\n"),
               2;
    const size_t room = size * 4 + (8u << 20);
    arena = aligned_alloc(CEMV_ALIGNMENT, (room + CEMV_ALIGNMENT - 1) / CEMV_ALIGNMENT * CEMV_ALIGNMENT);
    golden_secrets(test_golden_crypto(), test_kernel_8());
    if (!golden_open(&file, (cemv_bytes){ text, size }, arena, room))
        return fprintf(stderr, "%s: line %zu is not understood\n", words[1], file.line), 2;
    const char *what = words[2];
    if (strcmp(what, "golden") == 0) return golden();
    if (strcmp(what, "properties") == 0) return properties_run();
    if (strcmp(what, "faults") == 0 && count > 4)
        return faults(strtoull(words[3], NULL, 10), strtoull(words[4], NULL, 10));
    if (strcmp(what, "all") == 0)
        return all(count > 4 ? strtoull(words[3], NULL, 10) : 0, count > 4 ? strtoull(words[4], NULL, 10) : 1);
    if (strcmp(what, "perturbations") == 0 && count > 4)
        return perturbations(strtoull(words[3], NULL, 10), strtoull(words[4], NULL, 10));
    if (strcmp(what, "random") == 0) return random_runs();
    if (strcmp(what, "independent") == 0 && count > 3) return independent(words[3]);
    if (strcmp(what, "traces") == 0) return corpus_run(count - 3, words + 3);
    if (strcmp(what, "walks") == 0) return walks();
    if (strcmp(what, "fuzz") == 0 && count > 3) return fuzz(strtoull(words[3], NULL, 10));
    if (strcmp(what, "input") == 0 && count > 3) {
        size_t length = 0;
        const uint8_t *kept = load(words[3], &length);
        const char *violated = fuzz_session(&file, &bench, (cemv_bytes){ kept, length });
        return printf("%s\n", violated ? violated : "holds"), violated != NULL;
    }
    if (strcmp(what, "seeds") == 0 && count > 3) return seeds(words[3]);
    if (strcmp(what, "case") == 0 && count > 3) return one(count - 3, words + 3);
    return fprintf(stderr, "unknown: %s\n", what), 2;
}
