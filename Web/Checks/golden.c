/* SPDX-License-Identifier: Apache-2.0 */
/* The golden taps in WebAssembly, the C core alone: any host runs it, since it takes nothing from one. */
#include "../../Tests/CEMVInternals/include/golden.h"
#include "../../Tests/Secrets/secrets.h"

static const uint8_t text[] = {
#embed GOLDEN_FILE
};
static _Alignas(16) uint8_t arena[16u << 20];
static struct golden_file file;
static struct golden_bench bench;

/* How many taps end as recorded; negative: one less than minus the index of the first that does not. */
__attribute__((export_name("run"))) int32_t run(void)
{
    golden_secrets(test_golden_crypto(), test_kernel_8());
    if (!golden_open(&file, (cemv_bytes){ text, sizeof text }, arena, sizeof arena)) return -1;
    for (size_t i = 0; i < file.tap_count; i++) {
        if (golden_play(&file.taps[i], &bench) != GOLDEN_SAME) return -2 - (int32_t)i;
    }
    return (int32_t)file.tap_count;
}
