/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that Embedded Swift needs from a C library, for a module that has none: memory, and functions over
 * bytes.
 *
 * An instance answers one request, so memory is never returned to the host: a freed block is kept in the list of its
 * size, a power of two. If memory is exhausted, the module traps; it has no other way to report it. */
#include <stddef.h>
#include <stdint.h>

enum { PAGE = 65536, SMALLEST = 5, CLASSES = 32, HEADER = 16 };

extern unsigned char __heap_base;
static uintptr_t top, end;
static void *freed[CLASSES];

/* Precedes every block. */
struct header {
    uint32_t size_class;
    uint32_t offset; /* from the block's own header to this one, if the alignment exceeds 16 bytes */
};

static void *grow(size_t size)
{
    if (top == 0) {
        top = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
        end = (uintptr_t)__builtin_wasm_memory_size(0) * PAGE;
    }
    if (size > end - top) {
        const size_t pages = (size - (end - top) + PAGE - 1) / PAGE;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) __builtin_trap();
        end += pages * PAGE;
    }
    void *block = (void *)top;
    top += size;
    return block;
}

void *malloc(size_t size)
{
    if (size > 1u << 30) __builtin_trap();
    uint32_t size_class = SMALLEST;
    while (((size_t)1 << size_class) < size + HEADER) size_class++;
    unsigned char *block = freed[size_class];
    if (block) freed[size_class] = *(void **)(block + HEADER);
    else block = grow((size_t)1 << size_class);
    *(struct header *)(void *)(block + HEADER - sizeof(struct header)) = (struct header){ size_class, 0 };
    return block + HEADER;
}

void free(void *pointer)
{
    if (!pointer) return;
    const struct header *header = (const struct header *)pointer - 1;
    unsigned char *block = (unsigned char *)pointer - header->offset - HEADER;
    const uint32_t size_class = header->size_class;
    *(void **)(void *)(block + HEADER) = freed[size_class];
    freed[size_class] = block;
}

int posix_memalign(void **pointer, size_t alignment, size_t size)
{
    unsigned char *block = malloc(alignment > HEADER ? size + alignment : size);
    const uintptr_t aligned = ((uintptr_t)block + alignment - 1) & ~(uintptr_t)(alignment - 1);
    const uint32_t offset = (uint32_t)(aligned - (uintptr_t)block);
    const struct header own = *((struct header *)(void *)block - 1);
    if (offset != 0) *((struct header *)aligned - 1) = (struct header){ own.size_class, offset };
    *pointer = (void *)aligned;
    return 0;
}

/* The compiler must not turn a loop below into a call of the function that contains it. */
void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    for (; size >= 8; size -= 8, t += 8, f += 8) __builtin_memcpy_inline(t, f, 8);
    for (; size > 0; size--) *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if ((uintptr_t)t - (uintptr_t)f >= size) return memcpy(to, from, size);
    while (size > 0) {
        size--;
        t[size] = f[size];
    }
    return to;
}

void *memset(void *to, int value, size_t size)
{
    unsigned char *t = to;
    for (; size > 0; size--) *t++ = (unsigned char)value;
    return to;
}

int memcmp(const void *one, const void *other, size_t size)
{
    const unsigned char *a = one, *b = other;
    for (; size > 0; size--, a++, b++) {
        if (*a != *b) return *a - *b;
    }
    return 0;
}

size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

/* Half away from zero (C11, 7.12.9.6). */
double round(double x)
{
    const double whole = __builtin_trunc(x), rest = x - whole;
    return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole;
}

struct wide {
    uint64_t low, high;
};

static double power_of_ten(unsigned exponent)
{
    double power = 1, base = 10;
    for (; exponent > 0; exponent >>= 1, base *= base) {
        if (exponent & 1) power *= base;
    }
    return power;
}

/* Reads a number as JSON writes it, and returns its end; NULL for anything else. Exact to the last place for up to 15
 * digits and powers of ten up to 22, the range of traces. */
const char *_swift_stdlib_strtod_clocale(const char *text, double *result)
{
    const char *at = text;
    const int negative = *at == '-';
    uint64_t digits = 0;
    int exponent = 0, found = 0, after_point = 0, given = 0, given_negative = 0;
    if (negative) at++;
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && !after_point); at++) {
        if (*at == '.') {
            after_point = 1;
            continue;
        }
        found = 1;
        if (digits < UINT64_MAX / 10 - 1) {
            digits = digits * 10 + (uint64_t)(*at - '0');
            exponent -= after_point;
        } else exponent += !after_point;
    }
    if (!found) return NULL;
    if (*at == 'e' || *at == 'E') {
        at++;
        given_negative = *at == '-';
        if (*at == '-' || *at == '+') at++;
        if (*at < '0' || *at > '9') return NULL;
        for (; *at >= '0' && *at <= '9'; at++) {
            if (given < 10000) given = given * 10 + (*at - '0');
        }
    }
    exponent += given_negative ? -given : given;
    const double value = exponent < 0 ? (double)digits / power_of_ten((unsigned)-exponent)
                                      : (double)digits * power_of_ten((unsigned)exponent);
    *result = digits == 0 ? 0 : negative ? -value : value;
    return at;
}

/* The product of two numbers of 128 bits; compilers call it for 64 by 64 bits. */
void __multi3(struct wide *product, uint64_t a, uint64_t a_high, uint64_t b, uint64_t b_high)
{
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
    const uint64_t middle = (p00 >> 32) + (uint32_t)p01 + (uint32_t)p10;
    product->low = middle << 32 | (uint32_t)p00;
    product->high = p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32) + a * b_high + a_high * b;
}
