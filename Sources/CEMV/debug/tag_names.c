/* SPDX-License-Identifier: Apache-2.0 */
/* Readable names of tags: those of the base table and of all built-in kernels, including kernels whose code is not
 * linked, so that a decoder can name any object; and the list of the kernels' names. Linked only if called. Knows no
 * value and no kernel by name. Sources: data/tags.inc, nested_tags.inc, the names of each kernel in cemv_kernels.h. */
#include "../include/cemv_debug.h"

static const struct cemv_tag_name base[] = {
#define TAG1(number, text, ...)  { 0x##number, text },
#define TAG5F(number, text, ...) { 0x5F##number, text },
#define TAG9F(number, text, ...) { 0x9F##number, text },
#define TAG(number, text, ...)   { 0x##number, text },
#include "../data/tags.inc"
#undef TAG
#define TAG(number, text) { 0x##number, text },
#include "nested_tags.inc"
};

static const struct cemv_kernel_names *const kernels[] = {
#define CEMV_EACH_KERNEL(number) &cemv_kernel_##number##_names,
#include "../include/cemv_kernels.h"
    NULL, /* a build may leave out all of them */
};
enum { LISTS = sizeof kernels / sizeof kernels[0] };

/* The names of one list: the base table, then each kernel in the order of the list. */
struct list {
    const struct cemv_tag_name *names;
    uint16_t count;
    uint8_t kernel; /* 0: every kernel */
};

static struct list list_at(size_t i)
{
    if (i == 0) return (struct list){ base, sizeof base / sizeof base[0], 0 };
    return (struct list){ kernels[i - 1]->tags, kernels[i - 1]->tag_count, kernels[i - 1]->number };
}

/* The name in one list; NULL if the list does not contain the tag. */
static const char *name_in(struct list list, uint32_t tag)
{
    for (size_t i = 0; i < list.count; i++)
        if (list.names[i].tag == tag) return list.names[i].text;
    return NULL;
}

static bool equal(const char *a, const char *b)
{
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

size_t cemv_names_of_tag(uint32_t tag, const char **found, size_t capacity)
{
    size_t count = 0;
    for (size_t i = 0; i < LISTS && count < capacity; i++) {
        const char *const name = name_in(list_at(i), tag);
        bool again = name == NULL;
        for (size_t j = 0; j < count && !again; j++) again = equal(found[j], name);
        if (!again) found[count++] = name;
    }
    return count;
}

const char *cemv_name_of_tag(uint32_t tag, uint8_t kernel)
{
    const char *first = NULL;
    for (size_t i = 0; i < LISTS; i++) {
        const struct list list = list_at(i);
        const char *const name = name_in(list, tag);
        if (name != NULL && (list.kernel == 0 || list.kernel == kernel)) return name;
        if (first == NULL) first = name;
    }
    return first != NULL ? first : "Unknown";
}

const struct cemv_kernel_names *cemv_names_of_kernel(uint8_t number)
{
    for (size_t i = 0; i < LISTS - 1; i++)
        if (kernels[i]->number == number) return kernels[i];
    return NULL;
}
