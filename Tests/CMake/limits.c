/* SPDX-License-Identifier: Apache-2.0 */
/* Prints version, limits, kernels and checksum of the library; fails if this program was compiled with other limits or
 * kernels. */
#include <stdio.h>
#include <string.h>
#include "cemv_debug.h"

int main(void)
{
    const struct cemv_build build = cemv_build_limits();
    printf("CEMV %s: %u kernels, %u combinations, %u CA keys, %u candidates, %u torn records; compiled:", build.version,
           (unsigned)build.kernels, (unsigned)build.combinations, (unsigned)build.ca_keys, (unsigned)build.candidates,
           (unsigned)build.torn_records);
    uint32_t named = 0;
    for (uint8_t number = 0; number < 16; number++) {
        if (cemv_names_of_kernel(number) == NULL) continue;
        named |= 1u << number;
        printf(" %s", cemv_names_of_kernel(number)->kernel);
    }
    printf("; sources %s\n", build.sources);
    const bool agrees = strcmp(cemv_version(), CEMV_VERSION) == 0 && strcmp(build.version, CEMV_VERSION) == 0 &&
                        build.compiled == named && build.kernels == CEMV_MAX_KERNELS &&
                        build.combinations == CEMV_MAX_COMBINATIONS && build.ca_keys == CEMV_MAX_CA_KEYS &&
                        build.candidates == CEMV_MAX_CANDIDATES && build.torn_records == CEMV_TORN_RECORDS &&
                        build.session_size == CEMV_SESSION_SIZE &&
                        build.reader_memory_size == sizeof(struct cemv_reader_memory);
    return agrees ? 0 : 1;
}
