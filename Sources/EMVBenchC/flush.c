/* SPDX-License-Identifier: Apache-2.0 */
/* Flushes standard output, whose FILE Swift cannot name portably. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "emv_bench.h"

int emv_bench_flush(void)
{
    const bool lost_earlier = ferror(stdout) != 0;
    errno = 0;
    if (fflush(stdout) == 0 && !lost_earlier) return 0;
    return errno != 0 ? errno : EIO;
}

/* Threads of PC/SC, of Swift's pool and of timers still run when a command is finished. exit() would tear down the
 * libraries that they use, one after another, while they use them. Only flushing is needed. */
void emv_bench_end(int status)
{
    (void)fflush(stderr);
    _exit(status);
}
