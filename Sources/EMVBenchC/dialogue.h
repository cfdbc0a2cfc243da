/* SPDX-License-Identifier: Apache-2.0 */
/* A prepared dialogue and the state of its measurements. */
#ifndef EMV_BENCH_DIALOGUE_H
#define EMV_BENCH_DIALOGUE_H

#include "include/emv_bench.h"

#include "../CEMV/include/cemv.h"

#define MAX_COMBINATIONS 16
#define MAX_KEYS         16
#define MAX_EXCHANGES    64
#define ARENA            65536

struct exchange {
    cemv_bytes command, response; /* no response: it was lost */
    uint32_t elapsed_us;
};

struct emv_bench {
    struct cemv_configuration configuration;
    struct cemv_combination combinations[MAX_COMBINATIONS];
    struct cemv_kernel_5_options kernel_5[MAX_COMBINATIONS]; /* for the combination with this index */
    struct cemv_ca_key keys[MAX_KEYS];
    struct cemv_transaction transaction;
    struct cemv_reader_memory reader; /* every tap leaves it unchanged */
    cemv_bytes random;
    struct exchange exchanges[MAX_EXCHANGES];
    size_t exchange_count;
    uint8_t sent[CEMV_MAX_RESPONSE + 8]; /* the command that differed */
    size_t sent_size;
    uint8_t expected; /* the outcome of the checking tap */

    const struct cemv_checked *checked; /* with the built-in cryptography */
    const struct cemv_checked *clocked; /* with clocks around it */
    void *checked_memory, *clocked_memory;
    void *session_memory;

    size_t used;
    uint8_t arena[ARENA];
};

#endif
