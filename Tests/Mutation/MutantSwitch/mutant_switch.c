// SPDX-License-Identifier: Apache-2.0
// See mutant_switch.h. Threads share the counters: relaxed, since no decision but the limit hangs on them.
#include "mutant_switch.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PLACES 65536

static int64_t on;
static uint64_t passed, limit = UINT64_MAX;
static uint8_t reached[PLACES];
static const char *reached_path;

static uint64_t number_from(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

__attribute__((constructor)) static void read_environment(void)
{
    on = (int64_t)number_from("MUTANT", 0);
    limit = number_from("MUTANT_WORK", UINT64_MAX);
    reached_path = getenv("MUTANT_REACHED");
}

__attribute__((destructor)) static void write_reached(void)
{
    FILE *file = reached_path != NULL ? fopen(reached_path, "wb") : NULL;
    if (file == NULL) {
        return;
    }
    fwrite(reached, 1, sizeof reached, file);
    fprintf(file, "%llu\n", (unsigned long long)passed);
    fclose(file);
}

bool mutant_is_on(int64_t number)
{
    if (__atomic_add_fetch(&passed, 1, __ATOMIC_RELAXED) > limit) {
        _exit(MUTANT_TOO_MUCH_WORK);
    }
    if (number >= 0 && number < PLACES) {
        __atomic_store_n(&reached[number], 1, __ATOMIC_RELAXED);
    }
    return number == on && number != 0;
}
