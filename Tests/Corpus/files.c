// SPDX-License-Identifier: Apache-2.0
/* Replays files, and says what came of each. */
#include "kernel.h"

#include <stdio.h>
#include <string.h>

/* With CEMV in this process, or with `other`. */
static int run(int count, char **files, const struct corpus_kernel *other)
{
    static struct corpus_bench bench;
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CORPUS_ARENA];
    static char text[1 << 20];
    unsigned met = 0, unusable = 0, differences = 0;
    for (int i = 0; i < count; i++) {
        struct corpus_arena arena = { memory, sizeof memory, 0 };
        struct corpus_trace trace;
        struct corpus_report report;
        char error[200] = "expected a readable file of at most a megabyte";
        FILE *stream = fopen(files[i], "rb");
        const size_t size = stream ? fread(text, 1, sizeof text, stream) : 0;
        const bool read = stream && size < sizeof text && !ferror(stream);
        if (stream) fclose(stream);
        if (!read || !corpus_open(&trace, text, size, &arena, error)) {
            fprintf(stderr, "%s: %s\n", files[i], error);
            unusable++;
        } else if (other ? corpus_replay_with(&trace, other, &report)
                         : corpus_replay(&trace, &bench, &arena, &report)) {
            met++;
        } else {
            printf("%s: %s\n  expected %s\n  found    %s\n", files[i], report.place, report.expected, report.found);
            differences++;
        }
    }
    printf("%u met, %u not, %u unusable\n", met, differences, unusable);
    return unusable ? 2 : differences ? 1 : 0;
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
