#include "independent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "independent_cryptogram.h"

enum { LINES_A_CHUNK = 100, MAX_CHUNKS = 1000, MAX_PATH = 4096 };

static const struct {
    const char *name;
    bool (*check)(const char *text, size_t size, const char **line);
} files[] = {
    { "cryptogram", independent_cryptogram },
};

static struct {
    size_t file;
    const char *text;
    size_t size;
} chunks[MAX_CHUNKS];
static size_t chunk_count;

static void split(size_t file, const char *text, size_t size)
{
    const char *at = text, *const end = text + size;
    while (at < end && chunk_count < MAX_CHUNKS) {
        const char *to = at;
        size_t tests = 0;
        for (; to < end && tests < LINES_A_CHUNK; tests += *to != '#') {
            const char *feed = memchr(to, '\n', (size_t)(end - to));
            to = feed ? feed + 1 : end;
            if (to == end) break;
        }
        chunks[chunk_count].file = file, chunks[chunk_count].text = at, chunks[chunk_count++].size = (size_t)(to - at);
        at = to;
    }
}

static bool open_file(const char *folder, size_t file)
{
    char path[MAX_PATH];
    snprintf(path, sizeof path, "%s/%s.txt", folder, files[file].name);
    FILE *stream = fopen(path, "rb");
    if (!stream) return fprintf(stderr, "%s: cannot be read\n", path), false;
    fseek(stream, 0, SEEK_END);
    const size_t size = (size_t)ftell(stream);
    rewind(stream);
    char *text = malloc(size + 1);
    const bool read = text && fread(text, 1, size, stream) == size;
    fclose(stream);
    if (read) split(file, text, size);
    else free(text);
    return read;
}

bool independent_open(const char *folder)
{
    if (chunk_count != 0) return true;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (!open_file(folder, i)) return false;
    return chunk_count != MAX_CHUNKS;
}

size_t independent_count(void) { return chunk_count; }
const char *independent_name(size_t chunk) { return files[chunks[chunk].file].name; }

bool independent_holds(size_t chunk, const char **line, size_t *size)
{
    const char *found = NULL;
    const bool held = files[chunks[chunk].file].check(chunks[chunk].text, chunks[chunk].size, &found);
    if (line) *line = found;
    if (size && found) *size = strcspn(found, "\n");
    return held;
}
