/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 8 without a session, set up in the state that makes a decision; each file that includes this has a separate
 * one. */
#ifndef KERNEL_8_ALONE_H
#define KERNEL_8_ALONE_H

#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"

#include "../../Sources/CEMV/include/cemv_kernel_8.h"
#include "../../Sources/CEMV/kernels/k8/k8_memory.h"
#include "../Secrets/secrets.h"

/* The memory behind the kernel's structure is part of it. */
static struct {
    struct cemv_kernel kernel;
    struct k8_memory memory;
} both;
static struct cemv_kernel *const kernel = &both.kernel;
static struct k8_memory *const memory = &both.memory;
static struct cemv_checked checked;
static struct cemv_combination combination;
static struct cemv_crypto crypto;
static struct cemv_tags tags;

static inline void put(uint16_t slot, const void *data, size_t size)
{
    property(cemv_store_put(&kernel->store, slot, of(data, size), CEMV_FROM_TERMINAL), "room", slot);
}

static inline void fresh(uint8_t profile)
{
    static const struct cemv_kernel_row row = { { 8 }, 1, &cemv_kernel_8, NULL };
    memset(&both, 0, sizeof both);
    memset(&checked, 0, sizeof checked);
    memset(&combination, 0, sizeof combination);
    cemv_tags_open(&tags, &cemv_kernel_8.tags);
    crypto = test_crypto();
    checked.crypto = &crypto;
    checked.configuration.combinations = &combination;
    checked.configuration.combination_count = 1;
    checked.configuration.protection.profile = profile;
    checked.configuration.kernels = &row;
    kernel->checked = &checked;
    kernel->combination = &combination;
    kernel->row = &row;
    kernel->out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
    kernel->out.state = K8_S27_WAIT_CARD_READ;
    cemv_store_clear(&kernel->store, &tags, 0);
    memory->begun = true;
    property(k8_memory_of(kernel) == memory, "its memory", 0);
}

#endif
