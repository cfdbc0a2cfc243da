// SPDX-License-Identifier: Apache-2.0
// Interposes the C library: the functions below have its names, and the dynamic linker prefers those of the executable,
// for SQLite's library too. Each makes the system call itself.
//
// A line of the record: kind, file (a number given when it is opened), offset, length, then the bytes.
#define _GNU_SOURCE
#include "journal_faults.h"

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FILES = 4096, NAMES = 16, NAME = 512 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char watched_word[NAME];
static enum journal_fault fault;
static uint64_t fault_at, calls, syncs, main_writes, bytes_written;
static int fault_error;
static int record_file = -1;
static unsigned char watched[FILES]; /* 1 + the number of its name; 0: not watched */
static unsigned char is_main[FILES];
static char names[NAMES][NAME];
static int name_count;

static void put(int file, const void *bytes, size_t size)
{
    const char *next = bytes;
    while (size > 0) {
        long count = syscall(SYS_write, file, next, size);
        if (count <= 0) _exit(99);
        next += count;
        size -= (size_t)count;
    }
}

/* Fixed little-endian fields: kind 1, file 1, offset 8, length 8. */
static void record(char kind, int name, uint64_t offset, const void *bytes, uint64_t length)
{
    if (record_file < 0) return;
    unsigned char head[18] = { (unsigned char)kind, (unsigned char)name };
    for (int i = 0; i < 8; i++) {
        head[2 + i] = (unsigned char)(offset >> (8 * i));
        head[10 + i] = (unsigned char)(length >> (8 * i));
    }
    put(record_file, head, sizeof head);
    if (bytes != NULL) put(record_file, bytes, (size_t)length);
}

static int name_of(const char *path)
{
    for (int i = 0; i < name_count; i++)
        if (strcmp(names[i], path) == 0) return i;
    if (name_count == NAMES || strlen(path) >= NAME) _exit(98);
    strcpy(names[name_count], path);
    record('n', name_count, 0, path, strlen(path));
    return name_count++;
}

static int is_watched(int file) { return file >= 0 && file < FILES && watched[file] != 0; }

/* Counts a call and applies the fault. Returns 0: continue; 1: errno is set; 2: write half of it, then end. */
static int meet(int is_write)
{
    calls++;
    if (fault == JOURNAL_FAULT_NONE || fault >= JOURNAL_FAULT_KILL_SYNC || calls < fault_at) return 0;
    if (calls > fault_at && fault != JOURNAL_FAULT_FAIL_FROM) return 0;
    switch (fault) {
    case JOURNAL_FAULT_KILL_TORN:
        if (is_write) return 2;
        /* falls through */
    case JOURNAL_FAULT_KILL:
        syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
        for (;;) pause();
    case JOURNAL_FAULT_FAIL:
    case JOURNAL_FAULT_FAIL_FROM: errno = fault_error; return 1;
    case JOURNAL_FAULT_NONE:
    case JOURNAL_FAULT_KILL_SYNC:
    case JOURNAL_FAULT_KILL_SYNCED: break;
    }
    return 0;
}

static void end(void)
{
    syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    for (;;) pause();
}

static int opened(const char *path, int flags, int mode)
{
    long file = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (file < 0 || file >= FILES) return (int)file;
    pthread_mutex_lock(&lock);
    watched[file] = 0;
    const char *base = strrchr(path, '/');
    if (watched_word[0] != 0 && strstr(base != NULL ? base : path, watched_word) != NULL &&
        (flags & O_ACCMODE) != O_RDONLY && !(strlen(path) > 4 && strcmp(path + strlen(path) - 4, "-shm") == 0)) {
        int name = name_of(path);
        watched[file] = (unsigned char)(name + 1);
        size_t length = strlen(path), word = strlen(watched_word);
        is_main[file] = length >= word && strcmp(path + length - word, watched_word) == 0;
        if (flags & O_CREAT) record('c', name, 0, NULL, 0);
        if (flags & O_TRUNC) record('t', name, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    return (int)file;
}

static int mode_of(int flags, va_list list) { return flags & O_CREAT ? va_arg(list, int) : 0; }

int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    int mode = mode_of(flags, list);
    va_end(list);
    return opened(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    int mode = mode_of(flags, list);
    va_end(list);
    return opened(path, flags, mode);
}

static ssize_t written(int file, const void *bytes, size_t size, uint64_t offset)
{
    if (!is_watched(file)) return syscall(SYS_pwrite64, file, bytes, size, offset);
    pthread_mutex_lock(&lock);
    int met = meet(1);
    main_writes += is_main[file];
    ssize_t count = -1;
    if (met == 2) {
        syscall(SYS_pwrite64, file, bytes, size / 2, offset);
        end();
    }
    if (met == 0) {
        count = syscall(SYS_pwrite64, file, bytes, size, offset);
        if (count > 0) record('w', watched[file] - 1, offset, bytes, (uint64_t)count);
        if (count > 0) bytes_written += (uint64_t)count;
    }
    pthread_mutex_unlock(&lock);
    return count;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset)
{
    return written(file, bytes, size, (uint64_t)offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off_t offset)
{
    return written(file, bytes, size, (uint64_t)offset);
}

/* Only the ballast is written with this call. */
ssize_t write(int file, const void *bytes, size_t size)
{
    if (!is_watched(file)) return syscall(SYS_write, file, bytes, size);
    pthread_mutex_lock(&lock);
    int met = meet(1);
    ssize_t count = -1;
    if (met == 2) {
        syscall(SYS_write, file, bytes, size / 2);
        end();
    }
    if (met == 0) {
        off_t offset = syscall(SYS_lseek, file, 0, SEEK_CUR);
        count = syscall(SYS_write, file, bytes, size);
        if (count > 0) record('w', watched[file] - 1, (uint64_t)offset, bytes, (uint64_t)count);
    }
    pthread_mutex_unlock(&lock);
    return count;
}

static int synced(int file, long call)
{
    if (!is_watched(file)) return (int)syscall(call, file);
    pthread_mutex_lock(&lock);
    syncs++;
    if (fault == JOURNAL_FAULT_KILL_SYNC && syncs == fault_at) end();
    int result = meet(0) != 0 ? -1 : (int)syscall(call, file);
    if (fault == JOURNAL_FAULT_KILL_SYNCED && syncs == fault_at) end();
    if (result == 0) record('s', watched[file] - 1, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int fsync(int file) { return synced(file, SYS_fsync); }
int fdatasync(int file) { return synced(file, SYS_fdatasync); }

static int truncated(int file, uint64_t size)
{
    if (!is_watched(file)) return (int)syscall(SYS_ftruncate, file, size);
    pthread_mutex_lock(&lock);
    int result = meet(0) != 0 ? -1 : (int)syscall(SYS_ftruncate, file, size);
    if (result == 0) record('t', watched[file] - 1, size, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate(int file, off_t size) { return truncated(file, (uint64_t)size); }
int ftruncate64(int file, off_t size) { return truncated(file, (uint64_t)size); }

int unlink(const char *path)
{
    const char *base = strrchr(path, '/');
    if (watched_word[0] == 0 || strstr(base != NULL ? base : path, watched_word) == NULL)
        return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    pthread_mutex_lock(&lock);
    int result = meet(0) != 0 ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (result == 0) record('u', name_of(path), 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

void journal_faults_begin(const char *word, enum journal_fault kind, uint64_t at, int error, const char *path)
{
    strncpy(watched_word, word, NAME - 1);
    fault = kind;
    fault_at = at;
    fault_error = error;
    calls = syncs = 0;
    name_count = 0;
    if (path != NULL) record_file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

void journal_faults_mark(uint64_t promised)
{
    pthread_mutex_lock(&lock);
    record('m', 0, promised, NULL, 0);
    pthread_mutex_unlock(&lock);
}

uint64_t journal_faults_calls(void) { return calls; }
uint64_t journal_faults_syncs(void) { return syncs; }
uint64_t journal_faults_main(void) { return main_writes; }
uint64_t journal_faults_bytes(void) { return bytes_written; }

#else

void journal_faults_begin(const char *word, enum journal_fault kind, uint64_t at, int error, const char *path)
{
    (void)word, (void)kind, (void)at, (void)error, (void)path;
}
void journal_faults_mark(uint64_t promised) { (void)promised; }
uint64_t journal_faults_calls(void) { return 0; }
uint64_t journal_faults_syncs(void) { return 0; }
uint64_t journal_faults_main(void) { return 0; }
uint64_t journal_faults_bytes(void) { return 0; }

#endif
