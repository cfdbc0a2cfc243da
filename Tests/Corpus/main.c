/* SPDX-License-Identifier: Apache-2.0 */
/* Replays traces of the format emv-trace/1.
 *
 *   corpus FILE…                    through CEMV. Exit 0: all met; 1: some not, each with its first difference; 2: an
 *                                   unusable file. FILE.taps has a trace in each line
 *   corpus --drive COMMAND FILE…    through another kernel: COMMAND speaks the line protocol (README.md) on standard
 *                                   input and output
 *   corpus --serve                  acts as such a command, with CEMV as the kernel
 *   corpus --kernels                the numbers of the kernels that are built
 *   corpus --ahead FILE...          as without --ahead, but CEMV precomputes as much as it can
 *   corpus --read                   reads one trace from standard input, and does not replay it */
#include "kernel.h"

#include <string.h>

static int list_kernels(void)
{
    size_t count;
    const struct cemv_kernel_row *kernels = corpus_kernels(&count);
    for (size_t i = 0; i < count; i++) printf("%u\n", kernels[i].id[0]);
    return 0;
}

int main(int count, char **words)
{
    if (count > 1 && strcmp(words[1], "--serve") == 0) return corpus_serve();
    if (count > 1 && strcmp(words[1], "--read") == 0) return corpus_read();
    if (count > 1 && strcmp(words[1], "--kernels") == 0) return list_kernels();
    if (count > 2 && strcmp(words[1], "--drive") == 0) return corpus_drive(words[2], count - 3, words + 3);
    corpus_works_ahead = count > 1 && strcmp(words[1], "--ahead") == 0;
    return corpus_run(count - 1 - corpus_works_ahead, words + 1 + corpus_works_ahead);
}
