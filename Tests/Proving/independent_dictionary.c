/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the tables of tags with Tests/Independent/dictionary.txt: format, lengths, who may supply an object and
 * where the card may send it. Every row must have a line and every line a row. Tables are read only by looking tags up.
 */
#include "independent_dictionary.h"

#include <stdio.h>
#include <string.h>

#include "../../Sources/CEMV/kernels/k8/k8_tags.h"
#include "CEMVInternals.h"

enum { BASE, FIRST_KERNEL = 2, LAST_KERNEL = 8, TABLES = LAST_KERNEL + 1, WORDS = 7, LONGEST = 24 };

struct letter {
    char letter;
    uint8_t bit;
};
static const struct letter sources[] = { { 'C', CEMV_SOURCE_CARD },          { 'I', CEMV_SOURCE_ISSUER },
                                         { 'T', CEMV_SOURCE_TERMINAL },      { 'K', CEMV_SOURCE_KERNEL },
                                         { 'R', CEMV_SOURCE_CONFIGURATION }, { 'X', CEMV_SOURCE_CONTACT },
                                         { 'E', CEMV_SOURCE_ELSEWHERE },     { 0, 0 } };
static const struct letter templates[] = { { 'F', CEMV_TEMPLATE_FCI },
                                           { 'D', CEMV_TEMPLATE_DIRECTORY },
                                           { 'G', CEMV_TEMPLATE_GPO },
                                           { 'A', CEMV_TEMPLATE_AC },
                                           { 'R', CEMV_TEMPLATE_RECORD },
                                           { 'S', CEMV_TEMPLATE_SCRIPT },
                                           { 0, 0 } };
static const char *const formats[] = { "B", "N", "CN", "A", "AN", "ANS", "VAR" };
static const uint8_t format_numbers[] = { CEMV_FORMAT_B,  CEMV_FORMAT_N,   CEMV_FORMAT_CN, CEMV_FORMAT_A,
                                          CEMV_FORMAT_AN, CEMV_FORMAT_ANS, CEMV_FORMAT_VAR };

static struct cemv_kernel_tags table_of(unsigned kernel)
{
    static const struct cemv_kernel_module *const modules[] = { &cemv_kernel_2, &cemv_kernel_3, &cemv_kernel_4,
                                                                &cemv_kernel_5, &cemv_kernel_6, &cemv_kernel_7 };
    if (kernel == BASE) return (struct cemv_kernel_tags){ cemv_base_tags, CEMV_SLOT_COUNT };
    if (kernel == LAST_KERNEL) return (struct cemv_kernel_tags){ k8_tags, K8_TAGS };
    return modules[kernel - FIRST_KERNEL]->tags;
}

/* The row that a look-up returns, if it belongs to the table itself. */
static const struct cemv_tag_row *find(unsigned kernel, uint32_t tag)
{
    static struct cemv_tags tags;
    const struct cemv_kernel_tags table = table_of(kernel);
    if (kernel == BASE) return cemv_base_tag(tag);
    cemv_tags_open(&tags, &table);
    const struct cemv_tag_row *const row = cemv_tag_find(&tags, tag);
    return row && row >= table.rows && row < table.rows + table.count ? row : NULL;
}

static uint8_t bits_of(const struct letter *letters, const char *word)
{
    uint8_t bits = 0;
    for (; letters->letter; letters++)
        if (strchr(word, letters->letter)) bits |= letters->bit;
    return bits;
}

static bool has_format(const struct cemv_tag_row *row, const char *word)
{
    for (size_t i = 0; i < sizeof format_numbers; i++)
        if (strcmp(formats[i], word) == 0) return row->format == format_numbers[i];
    return false;
}

/* The sources must match exactly, with two exceptions. The kernel may be a source that the line does not name. So may
 * the configuration, if the line says that a terminal may supply the object. */
static bool has_sources(const struct cemv_tag_row *row, const char *word)
{
    const uint8_t wanted = bits_of(sources, word);
    const uint8_t others = CEMV_SOURCE_KERNEL | CEMV_SOURCE_CONFIGURATION;
    if ((row->source | others) != (wanted | others)) return false;
    if ((row->source & wanted & others) != (wanted & others)) return false;
    if ((row->source & ~wanted & CEMV_SOURCE_CONFIGURATION) != 0) return (wanted & CEMV_SOURCE_TERMINAL) != 0;
    return true;
}

/* A line: KERNEL TAG FORMAT MIN MAX WHO WHERE; the kernel is stored in `kernel`. */
static bool holds(const char *line, unsigned *kernel)
{
    char words[WORDS][LONGEST];
    unsigned tag, min, max;
    if (sscanf(line, "%23s %23s %23s %23s %23s %23s %23s", words[0], words[1], words[2], words[3], words[4], words[5],
               words[6]) != WORDS)
        return false;
    *kernel = strcmp(words[0], "base") == 0 ? BASE : (unsigned)(words[0][0] - '0');
    if (*kernel >= TABLES || sscanf(words[1], "%X", &tag) != 1) return false;
    if (sscanf(words[3], "%u", &min) != 1 || sscanf(words[4], "%u", &max) != 1) return false;
    const struct cemv_tag_row *const row = find(*kernel, tag);
    if (!row || row->tag != tag || row->min != min || row->max != max) return false;
    if (!has_format(row, words[2]) || !has_sources(row, words[5])) return false;
    return words[6][0] == '-' || row->templates == bits_of(templates, words[6]);
}

bool independent_dictionary(const char *text, size_t size, const char **found)
{
    size_t lines[TABLES] = { 0 };
    unsigned kernel = BASE;
    for (const char *at = text; at < text + size; at += strcspn(at, "\n") + 1) {
        if (*at == '#' || *at == '\n') continue;
        *found = at;
        if (!holds(at, &kernel)) return false;
        lines[kernel]++;
    }
    *found = text + size;
    for (kernel = FIRST_KERNEL; kernel <= LAST_KERNEL; kernel++)
        if (lines[kernel] != table_of(kernel).count) return false;
    return lines[BASE] == CEMV_SLOT_COUNT;
}
