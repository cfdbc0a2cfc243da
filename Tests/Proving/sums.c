#include "sums.h"

#include <string.h>

#include "CEMVInternals.h"
#include "variants.h"

static const struct golden_file *file;
static struct golden_bench *bench;

/* Taps with one to three faults. */
static uint64_t storms(size_t part, const char **law)
{
    static struct storm storm;
    uint64_t random = 77 + part;
    storm_open(&storm, file, bench);
    for (unsigned i = 0; i < 100; i++) {
        const struct storm_case given = storm_draw(file, &random);
        const enum storm_law broken = storm_run(&storm, &given);
        if (broken != STORM_HELD) return *law = storm_law_name(broken), 0;
    }
    return storm.digest | 1;
}

static uint64_t variants(size_t part, const char **law)
{
    uint64_t sum = 1;
    for (unsigned i = 0; i < 50; i++) {
        const uint64_t one = variant_play(file, bench, part * 50 + i, law);
        if (one == 0) return 0;
        sum = sum_number(sum, one);
    }
    return sum | 1;
}

/* What a host makes of the answers of golden taps. */
static uint64_t hosts(size_t part, const char **law)
{
    uint64_t sum = 1;
    (void)law;
    for (size_t tap = part * 20; tap < part * 20 + 20 && tap < file->tap_count; tap += 4)
        for (size_t i = 0; i < file->taps[tap].reply_count; i++) sum = sum * 31 + fuzz_sum(file->taps[tap].replies[i].bytes);
    return sum | 1;
}

/* Inputs of the fuzzers. */
static uint64_t inputs(size_t part, const char **law)
{
    static const char *(*const targets[])(cemv_bytes) = { fuzz_tlv, fuzz_dol, fuzz_apdu, fuzz_directory, fuzz_store, fuzz_certificate, fuzz_host };
    static uint8_t input[1 << 16];
    uint64_t random = 3 + part, sum = 1;
    size_t used = 0;
    for (unsigned i = 0; i < 50; i++) {
        if (i % 8 == 0) used = fuzz_session_seed(file, storm_random(&random) % file->tap_count, input, sizeof input);
        else used = fuzz_session_mutate(file, input, used, sizeof input, storm_random(&random));
        if ((*law = fuzz_session(file, bench, (cemv_bytes){ input, used })) != NULL) return 0;
        sum = sum_bytes(sum, bench->line, bench->line_size);
        const size_t from = used ? storm_random(&random) % used : 0;
        for (size_t j = 0; j < sizeof targets / sizeof targets[0]; j++)
            if ((*law = targets[j]((cemv_bytes){ input + from, used - from })) != NULL) return 0;
    }
    return sum | 1;
}

static uint64_t decisions(size_t part, const char **law) { (void)law; return decisions_sum(part); }
static uint64_t rooms(size_t part, const char **law) { return rooms_sum(part, law); }
static uint64_t weighing(size_t part, const char **law) { return weighing_sum(part, law); }
static uint64_t dialogues(size_t part, const char **law) { return dialogues_sum(part, law); }

static const struct { const char *name; uint64_t (*run)(size_t, const char **); size_t parts; } sums[] = {
    { "storm", storms, 150 }, { "variants", variants, 400 }, { "host", hosts, 20 }, { "inputs", inputs, 30 },
    { "decisions", decisions, DECISION_PARTS }, { "rooms", rooms, ROOM_PARTS }, { "weighing", weighing, WEIGHING_PARTS },
    { "dialogues", dialogues, DIALOGUE_PARTS }, { "presentments", presentments_sum, PRESENTMENT_PARTS },
};

void sums_open(const struct golden_file *taps, struct golden_bench *place) { file = taps, bench = place; }
size_t sum_count(void) { return sizeof sums / sizeof sums[0]; }
const char *sum_name(size_t sum) { return sums[sum].name; }
size_t sum_parts(size_t sum) { return sums[sum].parts; }
uint64_t sum_run(size_t sum, size_t part, const char **law) { *law = NULL; return sums[sum].run(part, law); }
