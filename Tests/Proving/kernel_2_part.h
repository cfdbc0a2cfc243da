/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel for the property tests of Kernel 2's parts; each file that includes this has a separate one. */
#ifndef KERNEL_2_PART_H
#define KERNEL_2_PART_H

#include <string.h>

#include "CEMVInternals.h"
#include "kernel_2_alone.h"
#include "bytes.h"
#include "properties.h"

static struct cemv_kernel kernel;
static struct cemv_checked checked;
static struct cemv_combination combination;
static struct cemv_reader_memory reader;

static inline void put(uint16_t slot, const void *data, size_t size)
{
    property(cemv_store_put(&kernel.store, slot, of(data, size), CEMV_FROM_TERMINAL), "room", slot);
}

static inline void fresh(uint8_t profile)
{
    kernel_2_alone(&kernel, &checked, &combination, &reader, profile);
    cemv_store_clear(&kernel.store, tags_of(2), 0);
}

/* Like fresh(), with all the data that combined data authentication needs. */
static inline void fresh_for_cda(void)
{
    static const uint16_t needed[] = { CEMV_SLOT_90, CEMV_SLOT_9F32, CEMV_SLOT_9F46, CEMV_SLOT_9F47 };
    static struct cemv_ca_key key = { .index = 1 };
    static const uint8_t name[5];
    fresh(CEMV_PROFILE_BOOK);
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) put(needed[i], "\3", 1);
    put(CEMV_SLOT_8F, "\1", 1);
    put(CEMV_SLOT_9F4A, "\x82", 1);
    checked.configuration.ca_keys = &key;
    checked.configuration.ca_key_count = 1;
    combination.aid = of(name, sizeof name);
    k2_memory_of(&kernel)->cda = true;
}

/* A reply to the kernel's wait in this state: 9000 without data. */
static inline enum cemv_step told(uint8_t waits, uint8_t kind)
{
    const struct cemv_reply reply = { .kind = kind, .bytes = of("\x90\x00", 2) };
    kernel.out.state = waits;
    kernel.out.step = CEMV_STEP_SEND;
    return cemv_kernel_2.reply(&kernel, &reply);
}

#endif
