// SPDX-License-Identifier: Apache-2.0
/* The fast runner: golden taps, laws and fault injection in one program without dependencies. See TESTING.md.
 *
 *   proving FILE golden                  every golden tap ends as it did
 *   proving FILE laws                    laws of the rooms, over generated input
 *   proving FILE storm TAPS SEED         so many taps with one to three faults drawn from the seed
 *   proving FILE all [PART OF]           every single fault of every tap (or one part of them)
 *   proving FILE variants FROM COUNT     golden taps with another configuration, another sale and a card that says
 * something else proving FILE random                  random runs: their invariants hold, and a second run gives the
 * same proving FILE independent FOLDER      answers of independent implementations (Tests/Independent/random) proving
 * FILE traces TRACE…           traces of the format emv-trace/1 (Tests/Corpus) proving FILE walks every edge of Entry
 * Point and the kernels, forked at every wait proving FILE fuzz COUNT              inputs made from the golden taps
 *   proving FILE input INPUT             one input of the session fuzzer
 *   proving FILE seeds FOLDER            inputs for the session fuzzer, one for each tap
 *   proving FILE case NAME FAULT...      one case, as a failure names it; writes emv-trace/1 to standard output */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../Corpus/corpus.h"
#include "fuzz.h"
#include "independent.h"
#include "laws.h"
#include "storm.h"
#include "random.h"
#include "trace.h"
#include "variants.h"
#include "CEMVInternals.h"

static struct golden_file file;
static struct golden_bench bench;
static struct storm storm = { .file = &file, .bench = &bench };
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
    printf("golden: %zu taps, %d otherwise\n", file.tap_count, bad);
    return bad != 0;
}

/* One command that shows the failing case again: it writes the trace, and emv-bench replays it. */
static void report(const struct storm_case *given, enum storm_law law)
{
    const struct golden_tap *tap = &file.taps[given->tap];
    printf("%s: status %02X\n  Scripts/taps case '%.*s'", storm_law_name(law), storm.status, (int)tap->name.size,
           (const char *)tap->name.data);
    for (size_t i = 0; i < STORM_FAULTS; i++)
        if (given->fault[i].kind)
            printf(" %u:%u:%u:%u", given->fault[i].kind, given->fault[i].at, given->fault[i].a, given->fault[i].b);
    printf(" > failing.json && swift run emv-bench replay failing.json\n");
}

static uint64_t failures, taps;
static uint64_t ends[256];

static void run(const struct storm_case *given)
{
    const enum storm_law law = storm_run(&storm, given);
    taps++;
    ends[storm.status]++;
    if (law == STORM_HELD) return;
    if (failures++ < 20) report(given, law);
}

static int summary(const char *what)
{
    printf("%s: %llu taps, %llu laws broken; approved %llu, declined %llu, online %llu, other interface %llu, ended "
           "%llu; digest %016llX\n",
           what, (unsigned long long)taps, (unsigned long long)failures,
           (unsigned long long)ends[CEMV_OUTCOME_APPROVED], (unsigned long long)ends[CEMV_OUTCOME_DECLINED],
           (unsigned long long)ends[CEMV_OUTCOME_ONLINE_REQUEST],
           (unsigned long long)ends[CEMV_OUTCOME_TRY_ANOTHER_INTERFACE],
           (unsigned long long)ends[CEMV_OUTCOME_END_APPLICATION], (unsigned long long)storm.digest);
    return failures != 0;
}

static int draw(uint64_t count, uint64_t seed)
{
    for (uint64_t i = 0; i < count; i++) {
        const struct storm_case given = storm_draw(&file, &seed);
        run(&given);
    }
    return summary("storm");
}

static int all(uint64_t part, uint64_t of)
{
    for (size_t tap = 0; tap < file.tap_count; tap++) {
        const uint64_t count = storm_count(&file, tap);
        for (uint64_t i = (part + tap) % of; i < count; i += of) {
            const struct storm_case given = storm_case_at(&file, tap, i);
            run(&given);
        }
    }
    return summary("all");
}

static int one(int count, char **words)
{
    struct storm_case given = { .tap = file.tap_count };
    for (size_t i = 0; i < file.tap_count; i++)
        if (file.taps[i].name.size == strlen(words[0]) &&
            memcmp(file.taps[i].name.data, words[0], strlen(words[0])) == 0)
            given.tap = i;
    if (given.tap == file.tap_count) return fprintf(stderr, "no tap %s\n", words[0]), 2;
    for (int i = 1; i < count && i <= STORM_FAULTS; i++) {
        unsigned kind, at, a, b;
        if (sscanf(words[i], "%u:%u:%u:%u", &kind, &at, &a, &b) != 4)
            return fprintf(stderr, "not a fault: %s\n", words[i]), 2;
        given.fault[i - 1] = (struct storm_fault){ (uint8_t)kind, (uint16_t)at, a, b };
    }
    storm.logs = true;
    const enum storm_law law = storm_run(&storm, &given);
    trace_write(stdout, &file.taps[given.tap], &storm);
    fprintf(stderr, "%s: status %02X, %u steps\n", storm_law_name(law), storm.status, storm.steps);
    return law != STORM_HELD;
}

static int walks(void)
{
    int bad = 0;
    for (uint8_t profile = 0; profile < 3; profile++) {
        struct edge_walk walk;
        edge_walk_k3(&walk, profile);
        for (size_t i = 0; i < 16; i++)
            bad += walk.entry_observed[i] != cemv_entry_edges.next[i] ||
                   walk.kernel_observed[i] != cemv_k3_edges.next[i];
        bad += walk.without_exit || walk.changed_by_refused_reply || walk.internal_errors || walk.not_wiped;
        printf("walk of Entry Point and Kernel 3, profile %u: %u sessions, %u ends\n", profile, walk.sessions,
               walk.ends);
    }
    struct edge_walk_k2 walk;
    edge_walk_k2(&walk, CEMV_PROFILE_BOOK);
    for (size_t i = 0; i < 32; i++) bad += (walk.observed[i] & ~cemv_k2_edges.next[i]) != 0;
    bad += walk.without_exit || walk.internal_errors || walk.not_wiped || walk.approvals;
    printf("walk of Kernel 2: %u sessions, %u ends\nwalks: %d otherwise\n", walk.sessions, walk.ends, bad);
    return bad != 0;
}

/* What the fuzzer does, without its feedback: deterministic, for coverage and mutation runs. */
static int fuzz(uint64_t count)
{
    static const char *(*const targets[])(cemv_bytes) = { fuzz_tlv,   fuzz_dol,         fuzz_apdu, fuzz_directory,
                                                          fuzz_store, fuzz_certificate, fuzz_host };
    static uint8_t input[1 << 16];
    uint64_t random = 3;
    int bad = 0;
    size_t size = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (i % 16 == 0) size = fuzz_session_seed(&file, storm_random(&random) % file.tap_count, input, sizeof input);
        else size = fuzz_session_mutate(&file, input, size, sizeof input, storm_random(&random));
        const char *law = fuzz_session(&file, &bench, (cemv_bytes){ input, size });
        if (!law && size > 4 && size < sizeof input - FUZZ_TERMINAL_PREFIX) {
            static uint8_t varied[1 << 16];
            for (size_t j = 0; j < FUZZ_TERMINAL_PREFIX; j++) varied[j] = (uint8_t)storm_random(&random);
            memcpy(varied + FUZZ_TERMINAL_PREFIX, input, size);
            law = fuzz_terminal(&file, &bench, (cemv_bytes){ varied, size + FUZZ_TERMINAL_PREFIX });
        }
        if (size > 5) {
            const size_t from = storm_random(&random) % size;
            const cemv_bytes part = { input + from, storm_random(&random) % (size - from) };
            for (size_t j = 0; j < sizeof targets / sizeof targets[0] && !law; j++) law = targets[j](part);
        }
        if (law && bad++ < 5) {
            printf("broken law: %s; input %llu, tap %zu\n", law, (unsigned long long)i,
                   (size_t)(input[0] << 8 | input[1]) % file.tap_count);
            FILE *out = getenv("CEMV_KEEP") ? fopen(getenv("CEMV_KEEP"), "wb") : NULL;
            if (out) fwrite(input, 1, size, out), fclose(out);
        }
    }
    printf("fuzz: %llu inputs, %d laws broken\n", (unsigned long long)count, bad);
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

static int variants(uint64_t from, uint64_t count)
{
    int bad = 0;
    for (uint64_t i = from; i < from + count; i++) {
        const char *law = NULL;
        if (variant_play(&file, &bench, i, &law) == 0 && bad++ < 20)
            printf("broken: %s (variant %llu)\n", law, (unsigned long long)i);
    }
    printf("variants: %llu, %d laws broken\n", (unsigned long long)count, bad);
    return bad != 0;
}

static int random_runs(void)
{
    size_t parts = 0;
    int bad = 0;
    random_open(&file, &bench);
    for (size_t i = 0; i < random_count(); i++) {
        for (size_t part = 0; part < random_parts(i); part++, parts++) {
            const char *law = NULL;
            if (!random_holds(i, part, &law) && bad++ < 20) printf("broken: %s (%s %zu)\n", law, random_name(i), part);
        }
    }
    printf("random: %zu parts, each twice, %d invariants broken\n", parts, bad);
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
        return fprintf(stderr,
                       "usage: proving FILE golden | laws | storm TAPS SEED | all [PART OF] | case NAME FAULT...\n"),
               2;
    const size_t room = size * 4 + (8u << 20);
    arena = aligned_alloc(CEMV_ALIGNMENT, (room + CEMV_ALIGNMENT - 1) / CEMV_ALIGNMENT * CEMV_ALIGNMENT);
    if (!golden_open(&file, (cemv_bytes){ text, size }, arena, room))
        return fprintf(stderr, "%s: line %zu is not understood\n", words[1], file.line), 2;
    const char *what = words[2];
    if (strcmp(what, "golden") == 0) return golden();
    if (strcmp(what, "laws") == 0) return laws_run();
    if (strcmp(what, "storm") == 0 && count > 4)
        return draw(strtoull(words[3], NULL, 10), strtoull(words[4], NULL, 10));
    if (strcmp(what, "all") == 0)
        return all(count > 4 ? strtoull(words[3], NULL, 10) : 0, count > 4 ? strtoull(words[4], NULL, 10) : 1);
    if (strcmp(what, "variants") == 0 && count > 4)
        return variants(strtoull(words[3], NULL, 10), strtoull(words[4], NULL, 10));
    if (strcmp(what, "random") == 0) return random_runs();
    if (strcmp(what, "independent") == 0 && count > 3) return independent(words[3]);
    if (strcmp(what, "traces") == 0) return corpus_run(count - 3, words + 3);
    if (strcmp(what, "walks") == 0) return walks();
    if (strcmp(what, "fuzz") == 0 && count > 3) return fuzz(strtoull(words[3], NULL, 10));
    if (strcmp(what, "input") == 0 && count > 3) {
        size_t length = 0;
        const uint8_t *kept = load(words[3], &length);
        const char *law = fuzz_session(&file, &bench, (cemv_bytes){ kept, length });
        return printf("%s\n", law ? law : "holds"), law != NULL;
    }
    if (strcmp(what, "seeds") == 0 && count > 3) return seeds(words[3]);
    if (strcmp(what, "case") == 0 && count > 3) return one(count - 3, words + 3);
    return fprintf(stderr, "unknown: %s\n", what), 2;
}
