// SPDX-License-Identifier: Apache-2.0
#include "independent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "independent_cryptogram.h"
#include "independent_rules.h"

enum { LINES_A_CHUNK = 100, MAX_CHUNKS = 1000, MAX_PATH = 4096 };

/* One file is split here, the other splits itself. */
static struct {
    const char *text;
    size_t size;
} chunks[MAX_CHUNKS];
static size_t chunk_count;

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
        chunks[chunk_count].text = at, chunks[chunk_count++].size = (size_t)(to - at);
        at = to;
    }
}

/* The file's text, which stays; NULL if it cannot be read. */
static char *load(const char *folder, const char *name, size_t *size)
{
    char path[MAX_PATH];
    snprintf(path, sizeof path, "%s/%s.txt", folder, name);
    FILE *stream = fopen(path, "rb");
    if (!stream) return fprintf(stderr, "%s: cannot be read\n", path), NULL;
    fseek(stream, 0, SEEK_END);
    *size = (size_t)ftell(stream);
    rewind(stream);
    char *text = malloc(*size + 1);
    if (text && fread(text, 1, *size, stream) != *size) free(text), text = NULL;
    fclose(stream);
    return text;
}

bool independent_open(const char *folder)
{
    static char *cryptogram, *rules;
    size_t size = 0, rules_size = 0;
    if (cryptogram && rules) return true;
    cryptogram = load(folder, "cryptogram", &size);
    rules = load(folder, "rules", &rules_size);
    if (!cryptogram || !rules || !independent_rules_open(rules, rules_size)) return false;
    split(cryptogram, size);
    return chunk_count != MAX_CHUNKS;
}

size_t independent_count(void) { return chunk_count + independent_rules_count(); }
const char *independent_name(size_t chunk) { return chunk < chunk_count ? "cryptogram" : "rules"; }

bool independent_holds(size_t chunk, const char **line, size_t *size)
{
    const char *found = NULL;
    const bool held = chunk < chunk_count ? independent_cryptogram(chunks[chunk].text, chunks[chunk].size, &found)
                                          : independent_rules_hold(chunk - chunk_count, &found);
    if (line) *line = found;
    if (size && found) *size = strcspn(found, "\n");
    return held;
}
