/* SPDX-License-Identifier: Apache-2.0 */
/* Standard output, whose FILE Swift cannot name in the same way on every system. */
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

/* Threads of PC/SC, of Swift's pool and of timers still run when a command is done. exit() would take down the
 * libraries that they use, one after another, while they use them. Flushing is all that has to be done. */
void emv_bench_end(int status)
{
    (void)fflush(stderr);
    _exit(status);
}
