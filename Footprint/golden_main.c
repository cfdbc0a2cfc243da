/* SPDX-License-Identifier: Apache-2.0 */
/* The golden taps on an emulated Cortex-M4: the same ends as on the host, and how deep the stack went. */
#include "golden.h"

void put_text(const char *text);
extern const uint8_t golden_text[], golden_text_end[];

__asm__(".section .rodata\n.global golden_text\n.global golden_text_end\ngolden_text:\n.incbin \"" GOLDEN_FILE
        "\"\ngolden_text_end:\n.byte 0\n.text\n");

__attribute__((section(".arena"), aligned(16))) static uint8_t arena[14u << 20];
static struct golden_file file;
static struct golden_bench bench;

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

/* Paints the stack below this frame, and finds how much of the paint a tap left. */
enum { PAINT = 0xA5A5A5A5, DEPTH = 16384 };
static uint32_t *paint(void)
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

int main(void)
{
    uint32_t bad = 0, deepest = 0;
    if (!golden_open(&file, (cemv_bytes){ golden_text, (size_t)(golden_text_end - golden_text) }, arena,
                     sizeof arena)) {
        put_number("golden taps: line ", (uint32_t)file.line, " is not understood\n");
        return 2;
    }
    for (size_t i = 0; i < file.tap_count; i++) {
        const uint32_t *here = paint();
        if (golden_play(&file.taps[i], &bench) != GOLDEN_SAME) {
            if (bad++ < 5) put_number("tap ", (uint32_t)i, " ends otherwise\n");
        }
        const uint32_t depth = depth_of(here);
        if (depth > deepest) deepest = depth;
    }
    put_number("taps ", (uint32_t)file.tap_count, "\n");
    put_number("otherwise ", bad, "\n");
    put_number("stack ", deepest, "\n");
    return bad != 0;
}
