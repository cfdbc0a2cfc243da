/* SPDX-License-Identifier: Apache-2.0 */
/* What Scripts/instructions counts: every call of measured() is one row of counts.txt, its name on standard output in
 * the same order. */
#include "emv_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 10 };

/* Single functions that need no dialogue, and those that do, in the order of the table. */
static bool is_chain(const char *name) { return strcmp(name, "oda-chain-3") == 0; }

__attribute__((noinline)) static bool measured(struct emv_bench *bench, size_t micro)
{
    if (bench) return emv_bench_repeat(bench, ROUNDS).fault == EMV_BENCH_OK;
    return emv_bench_micro_repeat(micro, ROUNDS);
}

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(2);
}

/* The name of a dialogue is its file's, without folder and ".txt". */
static void print_name(const char *path)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    printf("%.*s\n", (int)(strlen(name) - strlen(".txt")), name);
}

static void count_tap(const char *path)
{
    size_t line;
    struct emv_bench *bench = emv_bench_load(path, &line);
    if (!bench) {
        fprintf(stderr, "%s: line %zu is not understood\n", path, line);
        exit(2);
    }
    if (emv_bench_check(bench).fault != EMV_BENCH_OK) fail(path, "the kernel does not follow this dialogue");
    if (emv_bench_repeat(bench, 3).fault != EMV_BENCH_OK || !measured(bench, 0)) fail(path, "a tap ended otherwise");
    if (strstr(path, "/k3-fdda.txt") && !emv_bench_use_chain(bench))
        fail(path, "the certificate chain does not verify");
    emv_bench_close(bench);
    print_name(path);
}

int main(int argument_count, char **arguments)
{
    bool chain = false;
    for (int i = 1; i < argument_count; i++) {
        if (strlen(arguments[i]) <= strlen(".txt")) fail(arguments[i], "expected the file of a dialogue");
        count_tap(arguments[i]);
        chain = chain || strstr(arguments[i], "/k3-fdda.txt") != NULL;
    }
    for (size_t i = 0; i < emv_bench_micro_count(); i++) {
        const char *name = emv_bench_micro_name(i);
        if (is_chain(name) && !chain) continue;
        if (!emv_bench_micro_repeat(i, 3) || !measured(NULL, i)) fail(name, "the operation failed");
        printf("%s\n", name);
    }
    return 0;
}
