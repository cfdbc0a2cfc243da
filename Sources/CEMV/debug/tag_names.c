/* SPDX-License-Identifier: Apache-2.0 */
/* Names for people of tags: the lists of all kernels, also of those whose code is not linked or not built, so that a
 * decoder can name any object. Linked only if called. Knows no value. Sources: data/tags.inc, kernels/kN/kN_tags.inc.
 */
#include "../include/cemv_debug.h"

struct name {
    uint32_t tag : 24;
    uint32_t kernel : 8; /* 0: every kernel */
    const char *text;
};

static const struct name names[] = {
#define KERNEL                   0
#define TAG1(number, text, ...)  { 0x##number, KERNEL, text },
#define TAG5F(number, text, ...) { 0x5F##number, KERNEL, text },
#define TAG9F(number, text, ...) { 0x9F##number, KERNEL, text },
#define TAG(number, text, ...)   { 0x##number, KERNEL, text },
#include "../data/tags.inc"
#undef TAG
#define TAG(number, text) { 0x##number, KERNEL, text },
#include "nested_tags.inc"
#undef TAG
#define TAG(number, text, ...) { 0x##number, KERNEL, text },
#undef KERNEL
#define KERNEL 2
#include "../kernels/k2/k2_tags.inc"
#undef KERNEL
#define KERNEL 3
#include "../kernels/k3/k3_tags.inc"
#undef KERNEL
#define KERNEL 4
#include "../kernels/k4/k4_tags.inc"
#undef KERNEL
#define KERNEL 5
#include "../kernels/k5/k5_tags.inc"
#undef KERNEL
#define KERNEL 6
#include "../kernels/k6/k6_tags.inc"
#undef KERNEL
#define KERNEL 7
#include "../kernels/k7/k7_tags.inc"
#undef KERNEL
#define KERNEL 8
#include "../kernels/k8/k8_tags.inc"
};
enum { NAMES = sizeof names / sizeof names[0] };

static bool equal(const char *a, const char *b)
{
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

size_t cemv_names_of_tag(uint32_t tag, const char **found, size_t capacity)
{
    size_t count = 0;
    for (size_t i = 0; i < NAMES && count < capacity; i++) {
        bool again = names[i].tag != tag;
        for (size_t j = 0; j < count && !again; j++) again = equal(found[j], names[i].text);
        if (!again) found[count++] = names[i].text;
    }
    return count;
}

const char *cemv_name_of_tag(uint32_t tag, uint8_t kernel)
{
    for (size_t i = 0; i < NAMES; i++)
        if (names[i].tag == tag && (kernel == 0 || names[i].kernel == 0 || names[i].kernel == kernel))
            return names[i].text;
    for (size_t i = 0; i < NAMES; i++)
        if (names[i].tag == tag) return names[i].text;
    return "Unknown";
}
