// SPDX-License-Identifier: Apache-2.0
// System calls of the process that links this, if they change files whose path contains a word. They are counted and
// recorded, can be made to fail, and can be the process's last action. Linux only; elsewhere nothing is watched.
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
    /// Call number `at` and all later ones fail.
    JOURNAL_FAULT_FAIL_FROM,
    /// SIGKILL before sync number `at`, and after it.
    JOURNAL_FAULT_KILL_SYNC,
    JOURNAL_FAULT_KILL_SYNCED,
};

/// Resets all counters. `word`: only paths that contain it count, none if it is empty; `record`: a file that gets every
/// call, or NULL.
void journal_faults_begin(const char *word, enum journal_fault fault, uint64_t at, int error, const char *record);

/// Notes in the record that this many commits are promised.
void journal_faults_mark(uint64_t promised);

uint64_t journal_faults_calls(void);
/// Calls of fdatasync and fsync.
uint64_t journal_faults_syncs(void);
/// Bytes written at an offset of a file, as SQLite and the stamp write them.
uint64_t journal_faults_bytes(void);
/// Writes to a file whose name ends with the word; only checkpoints write to it once it has a log.
uint64_t journal_faults_main(void);

#endif
