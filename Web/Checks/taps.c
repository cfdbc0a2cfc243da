/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded taps in WebAssembly, the C core alone: any host can run it, since it imports nothing. */
#include "../../Tests/CEMVInternals/include/taps.h"
#include "../../Tests/Secrets/secrets.h"

static _Alignas(CEMV_ALIGNMENT) uint8_t checked_memory[1 << 16];
static struct cemv_crypto crypto;
static struct tap_bench bench;

static bool check(struct recorded_reader *reader)
{
    static const struct cemv_kernel_row kernels[] = {
        { { 2 }, 1, &cemv_kernel_2, NULL }, { { 3 }, 1, &cemv_kernel_3, NULL }, { { 4 }, 1, &cemv_kernel_4, NULL },
        { { 5 }, 1, &cemv_kernel_5, NULL }, { { 6 }, 1, &cemv_kernel_6, NULL }, { { 7 }, 1, &cemv_kernel_7, NULL },
        { { 8 }, 1, &cemv_kernel_8, NULL }
    };
    struct cemv_config_error error;
    reader->configuration.kernels = kernels;
    reader->configuration.kernel_count = sizeof kernels / sizeof kernels[0];
    reader->configuration.crypto = &crypto;
    return cemv_configuration_check(&reader->configuration, checked_memory, sizeof checked_memory, &reader->checked,
                                    &error) == CEMV_OK;
}

/* How many taps end as recorded; negative: one less than minus the index of the first that does not. */
__attribute__((export_name("run"))) int32_t run(void)
{
    crypto = test_crypto();
    for (size_t i = 0; i < bare_taps.tap_count; i++) {
        struct recorded_tap tap = bare_taps.taps[i];
        struct recorded_reader reader = *tap.reader;
        tap.reader = &reader;
        if (!check(&reader) || tap_play(&tap, &bench) != TAP_SAME) return -1 - (int32_t)i;
    }
    return (int32_t)bare_taps.tap_count;
}
