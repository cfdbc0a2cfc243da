/* Runs one mutant after another, each in a process of its own: golden taps, laws, and the digest of a storm must be those of the original.
 *
 *   killer FILE FIRST LAST STEP    prints the numbers of survivors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"
#include "laws.h"
#include "storm.h"

int cemv_mutant;

enum { STORM_TAPS = 6000, FUZZ_INPUTS = 1500, CPU_SECONDS = 4 };

static struct golden_file file;
static struct golden_bench bench;
static struct storm storm;
static uint8_t *text, *arena;
static size_t size, room;

static bool open_file(void)
{
    return golden_open(&file, (cemv_bytes){ text, size }, arena, room);
}

static uint64_t storm_digest(void)
{
    uint64_t random = 77;
    storm_open(&storm, &file, &bench);
    for (unsigned i = 0; i < STORM_TAPS; i++) {
        const struct storm_case given = storm_draw(&file, &random);
        if (storm_run(&storm, &given) != STORM_HELD) return 0;
    }
    return storm.digest;
}

/* What a host makes of every answer of the golden taps. */
static uint64_t host_digest(void)
{
    uint64_t sum = 0;
    for (size_t tap = 0; tap < file.tap_count; tap += 3)
        for (size_t i = 0; i < file.taps[tap].reply_count; i++) sum = sum * 31 + fuzz_sum(file.taps[tap].replies[i].bytes);
    return sum;
}

static bool fuzz_holds(void)
{
    static const char *(*const targets[])(cemv_bytes) = { fuzz_tlv, fuzz_dol, fuzz_apdu, fuzz_directory, fuzz_store, fuzz_certificate, fuzz_host };
    static uint8_t input[1 << 16];
    uint64_t random = 3;
    size_t used = 0;
    for (unsigned i = 0; i < FUZZ_INPUTS; i++) {
        if (i % 8 == 0) used = fuzz_session_seed(&file, storm_random(&random) % file.tap_count, input, sizeof input);
        else used = fuzz_session_mutate(&file, input, used, sizeof input, storm_random(&random));
        if (fuzz_session(&file, &bench, (cemv_bytes){ input, used })) return false;
        const size_t from = used ? storm_random(&random) % used : 0;
        for (size_t j = 0; j < sizeof targets / sizeof targets[0]; j++)
            if (targets[j]((cemv_bytes){ input + from, used - from })) return false;
    }
    return true;
}

/* 0: nothing noticed. */
static int examine(uint64_t digest, uint64_t host)
{
    if (!open_file()) return 1;
    for (size_t i = 0; i < file.tap_count; i++)
        if (golden_play(&file.taps[i], &bench) != GOLDEN_SAME) return 1;
    if (laws_run() != 0) return 1;
    if (storm_digest() != digest) return 1;
    if (host_digest() != host) return 1;
    return !fuzz_holds();
}

static bool survives(int mutant, uint64_t digest, uint64_t host)
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = { CPU_SECONDS, CPU_SECONDS + 1 };
        setrlimit(RLIMIT_CPU, &limit);
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(2);
        cemv_mutant = mutant;
        _exit(examine(digest, host));
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int count, char **words)
{
    FILE *stream = count > 4 ? fopen(words[1], "rb") : NULL;
    if (!stream) return fprintf(stderr, "usage: killer FILE FIRST LAST STEP\n"), 2;
    text = malloc(8u << 20);
    size = fread(text, 1, 8u << 20, stream);
    fclose(stream);
    room = size * 4 + (8u << 20);
    arena = aligned_alloc(16, (room + 15) / 16 * 16);
    if (!open_file()) return fprintf(stderr, "%s: line %zu\n", words[1], file.line), 2;
    const uint64_t digest = storm_digest(), host = host_digest();
    if (examine(digest, host) != 0) return fprintf(stderr, "the original does not pass\n"), 2;
    unsigned tried = 0, alive = 0;
    for (long mutant = atol(words[2]); mutant <= atol(words[3]); mutant += atol(words[4])) {
        tried++;
        if (!survives((int)mutant, digest, host)) continue;
        alive++;
        printf("%ld\n", mutant);
    }
    fprintf(stderr, "%u mutants, %u survive\n", tried, alive);
    return 0;
}
