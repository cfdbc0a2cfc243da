/* SPDX-License-Identifier: Apache-2.0 */
/* Version and limits of this build (include/cemv_limits.h), and the ranges within which the limits may be set. Knows
 * no transaction. */
#include "session.h"

/* Rows of kernels are numbered from 1 in a byte, rows of combinations are bits of a uint64_t (struct cemv_entry). */
_Static_assert(CEMV_MAX_KERNELS >= 1 && CEMV_MAX_KERNELS <= UINT8_MAX, "CEMV_MAX_KERNELS: 1 to 255");
_Static_assert(CEMV_MAX_COMBINATIONS >= 1 && CEMV_MAX_COMBINATIONS <= 64, "CEMV_MAX_COMBINATIONS: 1 to 64");
_Static_assert(CEMV_MAX_CA_KEYS >= 1 && CEMV_MAX_CA_KEYS <= UINT16_MAX, "CEMV_MAX_CA_KEYS: 1 to 65535");
/* The candidate that went online has the last place of the list; with more than 16 the session grows. */
_Static_assert(CEMV_MAX_CANDIDATES >= 2 && CEMV_MAX_CANDIDATES <= 16, "CEMV_MAX_CANDIDATES: 2 to 16");
_Static_assert(CEMV_TORN_RECORDS >= 1 && CEMV_TORN_RECORDS <= 16, "CEMV_TORN_RECORDS: 1 to 16");

/* CMakeLists.txt defines it. */
#ifndef CEMV_SOURCES
#define CEMV_SOURCES "unknown"
#endif

const char *cemv_version(void) { return CEMV_VERSION; }

struct cemv_build cemv_build_limits(void)
{
    return (struct cemv_build){
        .version = CEMV_VERSION,
        .sources = CEMV_SOURCES,
        .compiled = 0u
#define CEMV_EACH_KERNEL(number) | 1u << (number)
#include "../include/cemv_kernels.h"
#undef CEMV_EACH_KERNEL
        ,
        .kernels = CEMV_MAX_KERNELS,
        .combinations = CEMV_MAX_COMBINATIONS,
        .ca_keys = CEMV_MAX_CA_KEYS,
        .candidates = CEMV_MAX_CANDIDATES,
        .torn_records = CEMV_TORN_RECORDS,
        .session_size = CEMV_SESSION_SIZE,
        .reader_memory_size = sizeof(struct cemv_reader_memory),
    };
}
