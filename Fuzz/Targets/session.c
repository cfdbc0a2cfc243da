/* SPDX-License-Identifier: Apache-2.0 */
/* Whole sessions, from the golden taps on. CEMV_GOLDEN names a file of them; without it, golden.txt lies beside the
 * program. terminal.c plays them with other terminal data, reader.c at other readers. */
#include <string.h>

#include "target.h"

#ifndef FUZZ_PLAY
#define FUZZ_PLAY fuzz_session
enum { PREFIX = 0 };
#endif

static struct golden_file file;
static struct golden_bench bench;

int LLVMFuzzerInitialize(int *count, char ***words);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

int LLVMFuzzerInitialize(int *count, char ***words)
{
    char beside[4096];
    (void)count;
    const char *path = getenv("CEMV_GOLDEN");
    if (!path) {
        const char *const slash = strrchr((*words)[0], '/');
        const int folder = slash ? (int)(slash - (*words)[0]) + 1 : 0;
        snprintf(beside, sizeof beside, "%.*sgolden.txt", folder, (*words)[0]);
        path = beside;
    }
    FILE *stream = fopen(path, "rb");
    if (!stream) fprintf(stderr, "%s: expected a file of golden taps\n", path), exit(2);
    static uint8_t text[4u << 20];
    static _Alignas(16) uint8_t arena[32u << 20];
    const size_t size = fread(text, 1, sizeof text, stream);
    fclose(stream);
    if (!golden_open(&file, (cemv_bytes){ text, size }, arena, sizeof arena))
        fprintf(stderr, "%s: line %zu is not understood\n", path, file.line), exit(2);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    must_hold(FUZZ_PLAY(&file, &bench, (cemv_bytes){ data, size }));
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    if (seed % 4 == 0 || room < PREFIX) return LLVMFuzzerMutate(data, size, room);
    for (size_t i = size; i < PREFIX; i++) data[i] = (uint8_t)(seed >> 8 * (i % sizeof seed));
    if (PREFIX != 0 && seed % 4 == 1) (void)LLVMFuzzerMutate(data, PREFIX, PREFIX); /* the terminal, or the reader */
    return PREFIX + fuzz_session_mutate(&file, data + PREFIX, size > PREFIX ? size - PREFIX : 0, room - PREFIX, seed);
}
