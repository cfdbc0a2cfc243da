/* SPDX-License-Identifier: Apache-2.0 */
/* Counts calls to the allocator by interposing it: in an executable that links this file, the dynamic linker sends
 * every malloc of the process here, including the Swift runtime's. glibc only, and not under a sanitizer, which
 * interposes it too. */
#include "include/emv_bench.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Who counts: a thread counts its own calls, or one thread the calls of all threads. */
static _Thread_local bool counting_here;
static _Thread_local int64_t counted_here;
static atomic_bool counting_all;
static atomic_int_fast64_t counted_by_all;

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define EMV_BENCH_SANITIZED 1
#endif
#endif

#if defined(__linux__) && defined(__GLIBC__) && !defined(EMV_BENCH_SANITIZED)

#include <errno.h>

static const bool countable = true;

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static inline void count(void)
{
    if (counting_here) counted_here++;
    if (atomic_load_explicit(&counting_all, memory_order_relaxed))
        atomic_fetch_add_explicit(&counted_by_all, 1, memory_order_relaxed);
}

void *malloc(size_t size)
{
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size)
{
    count();
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size)
{
    count();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    count();
    if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
    void *given = __libc_memalign(alignment, size);
    if (!given) return ENOMEM;
    *memory = given;
    return 0;
}

#else

static const bool countable = false;

#endif

void emv_bench_allocations_begin(void)
{
    counted_here = 0;
    counting_here = true;
}

int64_t emv_bench_allocations_end(void)
{
    counting_here = false;
    return countable ? counted_here : -1;
}

void emv_bench_all_allocations_begin(void)
{
    atomic_store(&counted_by_all, 0);
    atomic_store(&counting_all, true);
}

int64_t emv_bench_all_allocations_end(void)
{
    atomic_store(&counting_all, false);
    return countable ? (int64_t)atomic_load(&counted_by_all) : -1;
}
