/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the answers of independent implementations in chunks of lines, file by file. Knows none of the functions under
 * test: they are in independent_rules.c, independent_cryptogram.c, independent_vectors.c, independent_dictionary.c and
 * independent_kernel_N.c. */
#include "independent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "independent_cryptogram.h"
#include "independent_dictionary.h"
#include "independent_rules.h"
#include "independent_vectors.h"

enum { LINES_A_CHUNK = 100, MAX_CHUNKS = 1000, MAX_PATH = 4096 };

/* This file is split here; the others split themselves. */
static struct {
    const char *text;
    size_t size;
} chunks[MAX_CHUNKS];
static size_t chunk_count;

/* One chunk, the last. */
static const char *dictionary;
static size_t dictionary_size;

static void split(const char *text, size_t size)
{
    const char *at = text, *const end = text + size;
    while (at < end && chunk_count < MAX_CHUNKS) {
        const char *to = at;
        for (size_t tests = 0; to < end && tests < LINES_A_CHUNK;) {
            const char *feed = memchr(to, '\n', (size_t)(end - to));
            tests += *to != '#';
            to = feed ? feed + 1 : end;
        }
        chunks[chunk_count].text = at;
        chunks[chunk_count++].size = (size_t)(to - at);
        at = to;
    }
}

/* Returns the file's text, which stays in memory; NULL if it cannot be read. */
static char *load(const char *folder, const char *name, size_t *size)
{
    char path[MAX_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    if (!stream) return fprintf(stderr, "%s: cannot be read\n", path), NULL;
    fseek(stream, 0, SEEK_END);
    *size = (size_t)ftell(stream);
    rewind(stream);
    char *text = calloc(*size + 1, 1);
    if (text && fread(text, 1, *size, stream) != *size) free(text), text = NULL;
    fclose(stream);
    return text;
}

bool independent_open(const char *folder)
{
    static const char *const rules[] = { "rules",          "kernel_4_rules", "kernel_5_rules",
                                         "kernel_6_rules", "kernel_7_rules", "kernel_8_rules" };
    static char *cryptogram;
    char name[64];
    size_t size = 0;
    if (cryptogram) return true;
    cryptogram = load(folder, "cryptogram.txt", &size);
    if (!cryptogram) return false;
    split(cryptogram, size);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        snprintf(name, sizeof name, "%s.txt", rules[i]);
        const char *text = load(folder, name, &size);
        if (!text || !independent_rules_open(rules[i], text, size)) return false;
    }
    const char *vectors = load(folder, "../Tests/Independent/k8-vectors.json", &size);
    if (!vectors || !independent_vectors_open(vectors, size)) return false;
    dictionary = load(folder, "../Tests/Independent/dictionary.txt", &dictionary_size);
    return dictionary && chunk_count != MAX_CHUNKS;
}

size_t independent_count(void) { return chunk_count + independent_rules_count() + independent_vectors_count() + 1; }

const char *independent_name(size_t chunk)
{
    if (chunk < chunk_count) return "cryptogram";
    chunk -= chunk_count;
    if (chunk < independent_rules_count()) return independent_rules_file(chunk);
    return chunk < independent_rules_count() + independent_vectors_count() ? "k8-vectors" : "dictionary";
}

bool independent_holds(size_t chunk, const char **line, size_t *size)
{
    const char *found = NULL;
    const size_t rules = independent_rules_count();
    bool held;
    if (chunk < chunk_count) held = independent_cryptogram(chunks[chunk].text, chunks[chunk].size, &found);
    else if (chunk - chunk_count < rules) held = independent_rules_hold(chunk - chunk_count, &found);
    else if (chunk + 1 < independent_count()) held = independent_vectors_hold(chunk - chunk_count - rules, &found);
    else held = independent_dictionary(dictionary, dictionary_size, &found);
    if (line) *line = found;
    if (size && found) *size = strcspn(found, "\n");
    return held;
}
