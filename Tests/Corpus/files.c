/* SPDX-License-Identifier: Apache-2.0 */
/* Replays files, and prints the result of each. */
#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct replay {
    const struct corpus_kernel *other; /* NULL: CEMV in this process */
    unsigned met, differences, unusable, skipped, missing_kernel;
};

/* One trace; `place` names it. */
static void replay_text(struct replay *replay, const char *place, const char *text, size_t size)
{
    static struct corpus_bench bench;
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CORPUS_ARENA];
    struct corpus_arena arena = { memory, sizeof memory, 0 };
    struct corpus_trace trace;
    struct corpus_report report;
    char error[200];
    const bool opened = corpus_open(&trace, text, size, &arena, error);
    const unsigned missing = opened && !replay->other ? corpus_missing_kernel(&trace) : 0;
    if (!opened || (missing && !corpus_read_configuration(&trace, &arena, error))) {
        fprintf(stderr, "%s: %s\n", place, error);
        replay->unusable++;
    } else if (missing) {
        replay->skipped++;
        replay->missing_kernel = missing;
    } else if (replay->other ? corpus_replay_with(&trace, replay->other, &report)
                             : corpus_replay(&trace, &bench, &arena, &report)) {
        replay->met++;
    } else {
        printf("%s: %.*s: %s\n  expected %s\n  found    %s\n", place, (int)trace.name_size,
               trace.name ? trace.name : "", report.place, report.expected, report.found);
        replay->differences++;
    }
}

/* A trace in each line that is not empty. */
static bool replay_lines(struct replay *replay, const char *path, FILE *stream)
{
    char *line = NULL, place[400];
    size_t capacity = 0;
    ssize_t length;
    for (unsigned number = 1; (length = getline(&line, &capacity, stream)) >= 0; number++) {
        const size_t size = strcspn(line, "\r\n");
        snprintf(place, sizeof place, "%s:%u", path, number);
        if (size > 0) replay_text(replay, place, line, size);
    }
    free(line);
    return !ferror(stream);
}

static bool replay_whole(struct replay *replay, const char *path, FILE *stream)
{
    static char text[1 << 20];
    const size_t size = fread(text, 1, sizeof text, stream);
    if (size == sizeof text || ferror(stream)) return false;
    replay_text(replay, path, text, size);
    return true;
}

static void replay_file(struct replay *replay, const char *path)
{
    static const char several[] = ".taps";
    const size_t size = strlen(path), end = sizeof several - 1;
    const bool lines = size > end && strcmp(path + size - end, several) == 0;
    const unsigned skipped = replay->skipped;
    FILE *stream = fopen(path, "rb");
    if (!stream || !(lines ? replay_lines : replay_whole)(replay, path, stream)) {
        fprintf(stderr, "%s: expected a readable file, a trace of at most a megabyte\n", path);
        replay->unusable++;
    }
    if (stream) fclose(stream);
    if (replay->skipped != skipped)
        printf("%s: %u skipped, Kernel %u is not built\n", path, replay->skipped - skipped, replay->missing_kernel);
}

/* Replays with CEMV in this process, or with `other`. */
static int run(int count, char **files, const struct corpus_kernel *other)
{
    struct replay replay = { .other = other };
    for (int i = 0; i < count; i++) replay_file(&replay, files[i]);
    printf("%u met, %u not, %u unusable", replay.met, replay.differences, replay.unusable);
    if (replay.skipped) printf(", %u skipped", replay.skipped);
    putchar('\n');
    return replay.unusable ? 2 : replay.differences ? 1 : 0;
}

int corpus_run(int count, char **files) { return run(count, files, NULL); }

int corpus_drive(const char *command, int count, char **files)
{
    static struct corpus_lines own;
    struct corpus_kernel kernel;
    if (!corpus_kernel_lines(&own, command, &kernel)) return fprintf(stderr, "%s: cannot be started\n", command), 2;
    const int status = run(count, files, &kernel);
    corpus_lines_close(&own);
    return status;
}

int corpus_read(void)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CORPUS_ARENA];
    static char text[1 << 20];
    struct corpus_arena arena = { memory, sizeof memory, 0 };
    struct corpus_trace trace;
    char error[200] = "expected at most a megabyte";
    const size_t size = fread(text, 1, sizeof text, stdin);
    if (size < sizeof text && corpus_open(&trace, text, size, &arena, error) &&
        corpus_read_configuration(&trace, &arena, error))
        return 0;
    fprintf(stderr, "%s\n", error);
    return 2;
}
