/* SPDX-License-Identifier: Apache-2.0 */
/* Version and limits of this build of CEMV. Every limit has a default, and a build may set another one with -D. All
 * sources of CEMV and all sources that include its headers must be compiled with equal values: the CMake package and
 * the pkg-config file pass them on. session/limits.c checks the ranges. Other bounds follow from the books or from
 * the layout of memory and cannot be changed. */
#ifndef CEMV_LIMITS_H
#define CEMV_LIMITS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CEMV_VERSION "1.0.0-rc.1"

/* Rows of a configuration; one more is refused with CEMV_TOO_MANY. These limits cost no memory: cemv_checked_size()
 * depends on the rows of the configuration, with 552 bytes for each CA key. */

/* Kernels, 1 to 255. A laboratory of Entry Point lists 17. */
#ifndef CEMV_MAX_KERNELS
#define CEMV_MAX_KERNELS 32
#endif
/* Combinations, 1 to 64. */
#ifndef CEMV_MAX_COMBINATIONS
#define CEMV_MAX_COMBINATIONS 64
#endif
/* CA keys, 1 to 65535. */
#ifndef CEMV_MAX_CA_KEYS
#define CEMV_MAX_CA_KEYS 256
#endif

/* Applications of a card that can be selected, 2 to 16, 21 bytes each in the session. Of more, the best are kept and
 * the others are reported as left out. */
#ifndef CEMV_MAX_CANDIDATES
#define CEMV_MAX_CANDIDATES 16
#endif

/* Torn transactions that a reader remembers (Kernel 2), 1 to 16, 1,026 bytes each in struct cemv_reader_memory. DF811D
 * may not ask for more. */
#ifndef CEMV_TORN_RECORDS
#define CEMV_TORN_RECORDS 4
#endif

/* The identity and the limits of the library that is linked. If they differ from the macros above, or a size from that
 * of the caller's type, the caller was compiled with other values and must not continue. */
struct cemv_build {
    const char *version; /* CEMV_VERSION */
    const char
        *sources;      /* SHA-256 over the sources, in hexadecimal, if the build computed it (CMake); else "unknown" */
    uint32_t compiled; /* bit N: Kernel N was not left out */
    uint32_t kernels, combinations, ca_keys, candidates, torn_records;
    size_t session_size;       /* CEMV_SESSION_SIZE */
    size_t reader_memory_size; /* sizeof(struct cemv_reader_memory) */
};
const char *cemv_version(void);
struct cemv_build cemv_build_limits(void);

#ifdef __cplusplus
}
#endif
#endif
