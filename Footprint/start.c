/* SPDX-License-Identifier: Apache-2.0 */
/* Start of a bare Cortex-M4 (mps2-an386): vector table, memory, and an end that the emulator returns to its caller. */
#include <stddef.h>
#include <stdint.h>

extern uint32_t stack_top[], data_load[], data_start[], data_end[], bss_start[], bss_end[];
int main(void);
void reset(void);

/* Semihosting: 0x04 writes a string, 0x20 ends with a status. */
static inline long semihosting(long operation, const void *argument)
{
    register long r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void put_text(const char *text);
void put_text(const char *text) { (void)semihosting(0x04, text); }

static void leave(uint32_t status)
{
    const uint32_t block[2] = { 0x20026, status }; /* ADP_Stopped_ApplicationExit */
    (void)semihosting(0x20, block);
    for (;;) {
    }
}

static void fault(void)
{
    put_text("fault\n");
    leave(3);
}

void reset(void)
{
    *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20; /* floating point on: whatever the compiler chooses works */
    for (uint32_t *from = data_load, *to = data_start; to < data_end;) *to++ = *from++;
    for (uint32_t *at = bss_start; at < bss_end;) *at++ = 0;
    leave((uint32_t)main());
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    stack_top,           (const void *)reset, (const void *)fault, (const void *)fault,
    (const void *)fault, (const void *)fault, (const void *)fault,
};

/* Functions that a freestanding compiler may call. */
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
void *memcpy(void *to, const void *from, size_t size)
{
    uint8_t *out = to;
    const uint8_t *in = from;
    while (size--) *out++ = *in++;
    return to;
}
void *memmove(void *to, const void *from, size_t size)
{
    uint8_t *out = to;
    const uint8_t *in = from;
    if (out < in) return memcpy(to, from, size);
    while (size--) out[size] = in[size];
    return to;
}
void *memset(void *to, int byte, size_t size)
{
    typedef uint32_t __attribute__((may_alias)) word;
    const word four = (uint8_t)byte * 0x01010101u;
    uint8_t *out = to;
    /* By words: sessions of several kilobytes are cleared before each tap and after it. */
    for (; size != 0 && (uintptr_t)out % sizeof four != 0; size--) *out++ = (uint8_t)byte;
    for (; size >= sizeof four; size -= sizeof four, out += sizeof four) *(word *)(void *)out = four;
    while (size--) *out++ = (uint8_t)byte;
    return to;
}
int memcmp(const void *a, const void *b, size_t size)
{
    const uint8_t *x = a, *y = b;
    for (; size--; x++, y++)
        if (*x != *y) return *x < *y ? -1 : 1;
    return 0;
}

/* Their names in the Arm procedure call standard. */
void __aeabi_memcpy(void *to, const void *from, size_t size);
void __aeabi_memmove(void *to, const void *from, size_t size);
void __aeabi_memset(void *to, size_t size, int byte);
void __aeabi_memclr(void *to, size_t size);
void __aeabi_memcpy(void *to, const void *from, size_t size) { memcpy(to, from, size); }
void __aeabi_memmove(void *to, const void *from, size_t size) { memmove(to, from, size); }
void __aeabi_memset(void *to, size_t size, int byte) { memset(to, byte, size); }
void __aeabi_memclr(void *to, size_t size) { memset(to, 0, size); }
#define ALSO(name) extern __typeof__(name) name##4 __attribute__((alias(#name))), name##8 __attribute__((alias(#name)))
ALSO(__aeabi_memcpy);
ALSO(__aeabi_memmove);
ALSO(__aeabi_memset);
ALSO(__aeabi_memclr);
