// SPDX-License-Identifier: Apache-2.0
// System calls of the process that links this, as far as they change files whose path has a word in it: counted,
// recorded, made to fail, or the last thing that the process does. Linux only; elsewhere nothing is watched.
#ifndef JOURNAL_FAULTS_H
#define JOURNAL_FAULTS_H

#include <stdint.h>

enum journal_fault {
    JOURNAL_FAULT_NONE,
    /// SIGKILL before call number `at`.
    JOURNAL_FAULT_KILL,
    /// SIGKILL after the first half of what call number `at` writes.
    JOURNAL_FAULT_KILL_TORN,
    /// Call number `at` fails with `error`.
    JOURNAL_FAULT_FAIL,
    /// It and all that follow.
    JOURNAL_FAULT_FAIL_FROM,
    /// SIGKILL before sync number `at`, and after it.
    JOURNAL_FAULT_KILL_SYNC,
    JOURNAL_FAULT_KILL_SYNCED,
};

/// Begins anew. `word`: of the paths that count, none where it is empty; `record`: a file that gets every call, or
/// NULL.
void journal_faults_begin(const char *word, enum journal_fault fault, uint64_t at, int error, const char *record);

/// In the record: so many commits are promised.
void journal_faults_mark(uint64_t promised);

uint64_t journal_faults_calls(void);
/// Calls of fdatasync and fsync.
uint64_t journal_faults_syncs(void);
/// That were written at a place of a file, as SQLite and the stamp are.
uint64_t journal_faults_bytes(void);
/// Writes to a file whose name ends with the word: of checkpoints alone, once it has a log.
uint64_t journal_faults_main(void);

#endif
