/* SPDX-License-Identifier: Apache-2.0 */
/* The engine under a WASI host, for checks: one request per line on standard input, one answer per line on standard
 * output. `wasmkit` of the Swift toolchain runs it. Not in the module of the page. */
#include <stddef.h>
#include <stdint.h>

void *malloc(size_t size);
void free(void *pointer);
void *memcpy(void *restrict to, const void *restrict from, size_t size);
size_t emv_page_answer(const uint8_t *request, size_t size, uint8_t **answer);

#define WASI(name) __attribute__((import_module("wasi_snapshot_preview1"), import_name(name)))
struct span {
    uint8_t *bytes;
    size_t size;
};
WASI("fd_read") int32_t fd_read(int32_t file, const struct span *spans, size_t count, size_t *read);
WASI("fd_write") int32_t fd_write(int32_t file, const struct span *spans, size_t count, size_t *written);
WASI("random_get") int32_t random_get(void *bytes, size_t size);
WASI("proc_exit") _Noreturn void proc_exit(int32_t status);

void arc4random_buf(void *bytes, size_t size)
{
    if (random_get(bytes, size) != 0) __builtin_trap();
}

static void put(uint8_t *bytes, size_t size)
{
    while (size > 0) {
        size_t written = 0;
        if (fd_write(1, &(struct span){ bytes, size }, 1, &written) != 0 || written == 0) __builtin_trap();
        bytes += written;
        size -= written;
    }
}

static void answer_line(const uint8_t *line, size_t size)
{
    static uint8_t line_end = '\n';
    uint8_t *answer = NULL;
    const size_t length = emv_page_answer(line, size, &answer);
    put(answer, length);
    put(&line_end, 1);
    free(answer);
}

__attribute__((export_name("_start"))) void start(void)
{
    size_t room = 1u << 20, size = 0;
    uint8_t *input = malloc(room);
    for (;;) {
        if (size == room) {
            uint8_t *larger = malloc(room * 2);
            memcpy(larger, input, size);
            free(input);
            input = larger;
            room *= 2;
        }
        size_t got = 0;
        if (fd_read(0, &(struct span){ input + size, room - size }, 1, &got) != 0) __builtin_trap();
        if (got == 0) break;
        size += got;
    }
    for (size_t begin = 0, at = 0; at < size; at++) {
        if (input[at] != '\n') continue;
        answer_line(input + begin, at - begin);
        begin = at + 1;
    }
    proc_exit(0);
}
