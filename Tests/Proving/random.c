/* SPDX-License-Identifier: Apache-2.0 */
/* The list of random runs, and their repeated execution over different memory contents. random.h defines a run; each
 * group of runs has a file random_GROUP.c. */
#include "random.h"

#include <string.h>

#include "CEMVInternals.h"
#include "perturbations.h"

static const struct recorded_taps *recorded;
static struct tap_bench *bench;

/* Taps with one to three faults. */
static uint64_t faults(size_t part, const char **violated)
{
    static struct fault_run fault_run;
    uint64_t random = 77 + part;
    faults_open(&fault_run, recorded, bench);
    for (unsigned i = 0; i < 100; i++) {
        const struct fault_case given = fault_case_random(recorded, &random);
        const enum fault_verdict found = faults_run(&fault_run, &given);
        if (found != FAULT_HELD) return *violated = fault_verdict_name(found), 0;
    }
    return fault_run.digest | 1;
}

static uint64_t perturbations(size_t part, const char **violated)
{
    uint64_t sum = 1;
    for (unsigned i = 0; i < 50; i++) {
        const uint64_t one = perturbation_play(recorded, bench, part * 50 + i, violated);
        if (one == 0) return 0;
        sum = sum_number(sum, one);
    }
    return sum | 1;
}

/* A host's processing of the answers of recorded taps, one in forty. */
enum { HOST_PARTS = 20 };
static uint64_t hosts(size_t part, const char **violated)
{
    uint64_t sum = 1;
    (void)violated;
    for (size_t tap = part; tap < recorded->tap_count; tap += 40 * HOST_PARTS)
        for (size_t i = 0; i < recorded->taps[tap].reply_count; i++)
            sum = sum * 31 + fuzz_sum(recorded->taps[tap].replies[i].bytes);
    return sum | 1;
}

/* Inputs of the fuzzers. */
static uint64_t inputs(size_t part, const char **violated)
{
    static const char *(*const targets[])(cemv_bytes) = { fuzz_tlv,   fuzz_dol,         fuzz_apdu, fuzz_directory,
                                                          fuzz_store, fuzz_certificate, fuzz_host };
    static uint8_t input[1 << 16];
    uint64_t random = 3 + part, sum = 1;
    size_t used = 0;
    for (unsigned i = 0; i < 50; i++) {
        if (i % 8 == 0)
            used = fuzz_session_seed(recorded, random_next(&random) % recorded->tap_count, input, sizeof input);
        else used = fuzz_session_mutate(recorded, input, used, sizeof input, random_next(&random));
        if ((*violated = fuzz_session(recorded, bench, (cemv_bytes){ input, used })) != NULL) return 0;
        sum = sum_number(sum, bench->end);
        const size_t from = used ? random_next(&random) % used : 0;
        for (size_t j = 0; j < sizeof targets / sizeof targets[0]; j++)
            if ((*violated = targets[j]((cemv_bytes){ input + from, used - from })) != NULL) return 0;
    }
    return sum | 1;
}

static uint64_t decisions(size_t part, const char **violated)
{
    (void)violated;
    return random_decisions(part);
}

static const struct {
    const char *name;
    uint64_t (*run)(size_t, const char **);
    size_t parts;
} runs[] = {
    { "faults", faults, 150 },
    { "perturbations", perturbations, 400 },
    { "host", hosts, HOST_PARTS },
    { "inputs", inputs, 30 },
    { "decisions", decisions, DECISION_PARTS },
    { "modules", random_modules, MODULE_PARTS },
    { "kernel_2_parts", random_kernel_2_parts, KERNEL_2_MODULE_PARTS },
    { "kernel_2", random_kernel_2, KERNEL_2_RUN_PARTS },
    { "kernel_3", random_kernel_3, KERNEL_3_RUN_PARTS },
};

void random_open(const struct recorded_taps *taps, struct tap_bench *place)
{
    recorded = taps;
    bench = place;
}
size_t random_count(void) { return sizeof runs / sizeof runs[0]; }
const char *random_name(size_t run) { return runs[run].name; }
size_t random_parts(size_t run) { return runs[run].parts; }

uint64_t random_run(size_t run, size_t part, const char **violated)
{
    *violated = NULL;
    return runs[run].run(part, violated);
}

/* Fills the stack bytes that the next call uses. */
static __attribute__((noinline)) void soil_stack(int byte)
{
    volatile uint8_t deep[16384];
    for (size_t i = 0; i < sizeof deep; i++) deep[i] = (uint8_t)byte;
}

bool random_holds(size_t run, size_t part, const char **violated)
{
    soil_stack(0x00);
    const uint64_t first = random_run(run, part, violated);
    if (first == 0) return false;
    soil_stack(0xA5);
    const uint64_t second = random_run(run, part, violated);
    if (second != 0 && second != first) *violated = "the same input gives the same result";
    return second == first;
}
