/* Replays files, and says what came of each. */
#include "corpus.h"

#include <stdio.h>
#include <stdlib.h>

int corpus_run(int count, char **files)
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
        } else if (corpus_replay(&trace, &bench, &report)) {
            met++;
        } else {
            printf("%s: %s\n  expected %s\n  found    %s\n", files[i], report.place, report.expected, report.found);
            differences++;
        }
    }
    printf("%u met, %u not, %u unusable\n", met, differences, unusable);
    return unusable ? 2 : differences ? 1 : 0;
}
