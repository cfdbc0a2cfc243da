/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded taps on an emulated Cortex-M4: checks that they end as on the host, and measures the depth of the stack. */
#include "taps.h"

void put_text(const char *text);

static _Alignas(CEMV_ALIGNMENT) uint8_t checked_memory[1 << 16];
static struct tap_bench bench;

static void put_number(const char *before, uint32_t number, const char *after)
{
    char digits[12];
    char *at = digits + sizeof digits - 1;
    *at = 0;
    do *--at = (char)('0' + number % 10);
    while (number /= 10);
    put_text(before);
    put_text(at);
    put_text(after);
}

/* Paints the stack below this frame, and measures how much of the paint a tap left. */
enum { PAINT = 0xA5A5A5A5, DEPTH = 16384 };
static __attribute__((noinline)) uint32_t *paint(void)
{
    uint32_t *here = (uint32_t *)__builtin_frame_address(0);
    for (uint32_t *at = here - DEPTH / 4; at < here - 16; at++) *(volatile uint32_t *)at = PAINT;
    return here;
}
static uint32_t depth_of(const uint32_t *here)
{
    const uint32_t *at = here - DEPTH / 4;
    while (at < here && *(const volatile uint32_t *)at == PAINT) at++;
    return (uint32_t)((const uint8_t *)here - (const uint8_t *)at);
}

static bool check(struct recorded_reader *reader)
{
    static const struct cemv_kernel_row kernels[] = {
        { { 2 }, 1, &cemv_kernel_2, NULL }, { { 3 }, 1, &cemv_kernel_3, NULL }, { { 4 }, 1, &cemv_kernel_4, NULL },
        { { 5 }, 1, &cemv_kernel_5, NULL }, { { 6 }, 1, &cemv_kernel_6, NULL }, { { 7 }, 1, &cemv_kernel_7, NULL }
    };
    struct cemv_config_error error;
    reader->configuration.kernels = kernels;
    reader->configuration.kernel_count = sizeof kernels / sizeof kernels[0];
    return cemv_configuration_check(&reader->configuration, checked_memory, sizeof checked_memory, &reader->checked,
                                    &error) == CEMV_OK;
}

int main(void)
{
    uint32_t bad = 0, deepest = 0;
    for (size_t i = 0; i < bare_taps.tap_count; i++) {
        struct recorded_tap tap = bare_taps.taps[i];
        struct recorded_reader reader = *tap.reader;
        const bool good = check(&reader);
        tap.reader = &reader;
        const uint32_t *here = paint();
        if ((!good || tap_play(&tap, &bench) != TAP_SAME) && bad++ < 5) {
            put_text(tap.name);
            put_text(good ? ": another end\n" : ": its configuration is refused\n");
        }
        const uint32_t depth = depth_of(here);
        if (depth > deepest) deepest = depth;
    }
    put_number("taps ", (uint32_t)bare_taps.tap_count, "\n");
    put_number("otherwise ", bad, "\n");
    put_number("stack ", deepest, "\n");
    return bad != 0 || bare_taps.tap_count == 0;
}
