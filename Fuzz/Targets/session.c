/* SPDX-License-Identifier: Apache-2.0 */
/* Whole sessions that start from recorded taps. CEMV_TAPS names a file of traces, one in each line; without it,
 * recorded.taps lies next to the program. terminal.c plays them with other terminal data, reader.c at other readers. */
#include <string.h>

#include "../../Tests/Proving/recorded.h"
#include "target.h"

#ifndef FUZZ_PLAY
#define FUZZ_PLAY fuzz_session
enum { PREFIX = 0 };
#endif

static struct recorded_taps recorded;
static struct tap_bench bench;

int LLVMFuzzerInitialize(int *count, char ***words);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

int LLVMFuzzerInitialize(int *count, char ***words)
{
    static char place[4096];
    (void)count;
    char *path = getenv("CEMV_TAPS");
    if (!path) {
        const char *const slash = strrchr((*words)[0], '/');
        const int folder = slash ? (int)(slash - (*words)[0]) + 1 : 0;
        snprintf(place, sizeof place, "%.*srecorded.taps", folder, (*words)[0]);
        path = place;
    }
    if (!recorded_open(&recorded, 1, &path)) exit(2);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    must_hold(FUZZ_PLAY(&recorded, &bench, (cemv_bytes){ data, size }));
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    if (seed % 4 == 0 || room < PREFIX) return LLVMFuzzerMutate(data, size, room);
    for (size_t i = size; i < PREFIX; i++) data[i] = (uint8_t)(seed >> 8 * (i % sizeof seed));
    if (PREFIX != 0 && seed % 4 == 1) (void)LLVMFuzzerMutate(data, PREFIX, PREFIX); /* the terminal, or the reader */
    return PREFIX +
           fuzz_session_mutate(&recorded, data + PREFIX, size > PREFIX ? size - PREFIX : 0, room - PREFIX, seed);
}
