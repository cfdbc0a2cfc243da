/* SPDX-License-Identifier: Apache-2.0 */
#if !defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#endif

#include "cpcsc.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct cpcsc_door {
    pthread_mutex_t lock;
    pthread_cond_t bell;
    /* Written under the lock; the spinning thread reads it without the lock. */
    atomic_int rung;
    int processors;
};

struct cpcsc_door *cpcsc_door_create(void)
{
    struct cpcsc_door *door = calloc(1, sizeof *door);
    if (!door) abort();
    pthread_mutex_init(&door->lock, NULL);
#if defined(__APPLE__)
    pthread_cond_init(&door->bell, NULL);
#else
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&door->bell, &attributes);
    pthread_condattr_destroy(&attributes);
#endif
    door->processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
    return door;
}

void cpcsc_door_destroy(struct cpcsc_door *door)
{
    pthread_cond_destroy(&door->bell);
    pthread_mutex_destroy(&door->lock);
    free(door);
}

void cpcsc_door_lock(struct cpcsc_door *door) { pthread_mutex_lock(&door->lock); }

void cpcsc_door_unlock(struct cpcsc_door *door) { pthread_mutex_unlock(&door->lock); }

void cpcsc_door_ring_and_unlock(struct cpcsc_door *door)
{
    atomic_store_explicit(&door->rung, 1, memory_order_release);
    pthread_cond_signal(&door->bell);
    pthread_mutex_unlock(&door->lock);
}

#define NANOSECONDS 1000000000U

/* Like pthread_cond_wait, but at most until the time `end` of cpcsc_now(). */
static int wait_until(struct cpcsc_door *door, uint64_t end)
{
    uint64_t now = cpcsc_now();
    if (now >= end) return ETIMEDOUT;
#if defined(__APPLE__)
    struct timespec left = { (time_t)((end - now) / NANOSECONDS), (long)((end - now) % NANOSECONDS) };
    return pthread_cond_timedwait_relative_np(&door->bell, &door->lock, &left);
#else
    struct timespec at = { (time_t)(end / NANOSECONDS), (long)(end % NANOSECONDS) };
    return pthread_cond_timedwait(&door->bell, &door->lock, &at);
#endif
}

void cpcsc_door_wait(struct cpcsc_door *door, uint64_t spin_ns, uint64_t until)
{
    if (spin_ns > 0 && door->processors > 1) {
        uint64_t end = cpcsc_now() + spin_ns;
        while (!atomic_load_explicit(&door->rung, memory_order_acquire) && cpcsc_now() < end) {
        }
    }
    pthread_mutex_lock(&door->lock);
    while (!atomic_load_explicit(&door->rung, memory_order_relaxed)) {
        if (until == 0) pthread_cond_wait(&door->bell, &door->lock);
        else if (wait_until(door, until) == ETIMEDOUT) break;
    }
    atomic_store_explicit(&door->rung, 0, memory_order_relaxed);
    pthread_mutex_unlock(&door->lock);
}

void cpcsc_pause(uint64_t nanoseconds)
{
    struct timespec time = { (time_t)(nanoseconds / NANOSECONDS), (long)(nanoseconds % NANOSECONDS) };
    nanosleep(&time, NULL);
}

struct start {
    void (*body)(void *);
    void *argument;
};

static void *run(void *argument)
{
    struct start start = *(struct start *)argument;
    free(argument);
    start.body(start.argument);
    return NULL;
}

int cpcsc_thread_start(void (*body)(void *), void *argument)
{
    struct start *start = malloc(sizeof *start);
    if (!start) abort();
    *start = (struct start){ body, argument };
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    int error = pthread_create(&thread, &attributes, run, start);
    pthread_attr_destroy(&attributes);
    if (error) free(start);
    return error;
}
