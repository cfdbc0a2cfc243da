/* SPDX-License-Identifier: Apache-2.0 */
/* Recording: observes a replay of Tests/Corpus. See recorded.h. */
#include "recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../Corpus/kernel.h"

enum { CHUNK = 16 << 20, LARGEST = 4 << 20, MAX_REPLIES = 4096 };

/* A configuration that many traces share is checked once. */
struct reader {
    const char *text;
    size_t size;
    struct recorded_reader reader;
};

static struct {
    struct recorded_tap *taps;
    struct recorded_text *traces;
    size_t tap_count, tap_capacity;
    struct reader **readers;
    size_t reader_count, reader_capacity;
    struct corpus_arena kept;
    struct recorded_reply replies[MAX_REPLIES]; /* of the tap that is being recorded */
    size_t reply_count;
    const struct recorded_reader *reader; /* of the trace */
    const struct corpus_trace *trace;
    struct recorded_text text;
    unsigned sales;
} all;

/* Memory that is never freed. */
static void *keep(const void *data, size_t size)
{
    void *place = corpus_room(&all.kept, size ? size : 1);
    if (!place) exit(2);
    if (size) memcpy(place, data, size);
    return place;
}

static cemv_bytes keep_bytes(cemv_bytes bytes) { return (cemv_bytes){ keep(bytes.data, bytes.size), bytes.size }; }

static void *grown(void *rows, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) return rows;
    *capacity = *capacity ? 2 * *capacity : 1024;
    rows = realloc(rows, *capacity * size);
    if (!rows) exit(2);
    return rows;
}

static void end_tap(void)
{
    if (all.reply_count == 0) return;
    struct recorded_tap *tap = &all.taps[all.tap_count - 1];
    tap->replies = keep(all.replies, all.reply_count * sizeof all.replies[0]);
    tap->reply_count = all.reply_count;
    all.reply_count = 0;
}

static void begin_tap(const struct corpus_cemv *own)
{
    char name[200];
    struct cemv_transaction sale = own->sale.transaction;
    end_tap();
    const size_t before = all.tap_capacity;
    all.taps = grown(all.taps, all.tap_count, &all.tap_capacity, sizeof *all.taps);
    if (all.tap_capacity != before) {
        all.traces = realloc(all.traces, all.tap_capacity * sizeof *all.traces);
        if (!all.traces) exit(2);
    }
    int length = snprintf(name, sizeof name, "%.*s", (int)all.trace->name_size, all.trace->name ? all.trace->name : "");
    if (all.sales) length += snprintf(name + length, sizeof name - (size_t)length, "+%u", all.sales);
    sale.data = keep_bytes(sale.data);
    sale.preferred = keep_bytes(sale.preferred);
    all.traces[all.tap_count] = all.text;
    all.taps[all.tap_count++] = (struct recorded_tap){ .name = keep(name, (size_t)length + 1),
                                                       .reader = all.reader,
                                                       .keeps_memory = all.sales++ != 0,
                                                       .transaction = sale,
                                                       .random = keep_bytes(own->sale.random) };
}

static void heard(const struct corpus_cemv *own, const struct cemv_reply *reply)
{
    if (!reply) {
        begin_tap(own);
    } else if (reply->kind != CEMV_REPLY_ABANDON && cemv_session_takes(own->session, reply->kind)) {
        if (all.reply_count == MAX_REPLIES) exit(2);
        all.replies[all.reply_count++] =
            (struct recorded_reply){ .kind = reply->kind,
                                     .removal_timed_out = reply->removal_timed_out,
                                     .unable_to_go_online = reply->unable_to_go_online,
                                     .pin_not_captured = reply->pin_not_captured,
                                     .elapsed_us = reply->elapsed_us,
                                     .command = keep_bytes(cemv_session_command(own->session)),
                                     .bytes = keep_bytes(reply->bytes) };
    }
}

/* The reader of a trace; NULL if its configuration is rejected. */
static const struct recorded_reader *reader_of(const struct corpus_trace *trace)
{
    const char *const text = trace->configuration->text;
    const size_t size = trace->configuration->size;
    char error[200];
    for (size_t i = 0; i < all.reader_count; i++)
        if (all.readers[i]->size == size && memcmp(all.readers[i]->text, text, size) == 0)
            return &all.readers[i]->reader;
    struct reader *reader = keep(&(struct reader){ .text = text, .size = size }, sizeof *reader);
    reader->reader.checked = corpus_configure(trace, &all.kept, error, &reader->reader.configuration);
    if (!reader->reader.checked) return NULL;
    all.readers = grown(all.readers, all.reader_count, &all.reader_capacity, sizeof *all.readers);
    all.readers[all.reader_count++] = reader;
    return &reader->reader;
}

static bool record(const char *path, const char *text, size_t size)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CORPUS_ARENA];
    static struct corpus_bench bench;
    struct corpus_arena arena = { memory, sizeof memory, 0 };
    struct corpus_trace trace;
    struct corpus_report report;
    struct corpus_cemv own;
    const struct corpus_kernel kernel = corpus_kernel_cemv(&own, &bench, &arena);
    char error[200];
    if (!corpus_open(&trace, text, size, &arena, error)) return fprintf(stderr, "%s: %s\n", path, error), false;
    if (all.kept.size - all.kept.used < LARGEST) {
        all.kept = (struct corpus_arena){ aligned_alloc(CEMV_ALIGNMENT, CHUNK), CHUNK, 0 };
        if (!all.kept.bytes) exit(2);
    }
    all.reader = corpus_missing_kernel(&trace) ? NULL : reader_of(&trace);
    if (!all.reader) return true;
    all.trace = &trace;
    all.text = (struct recorded_text){ text, size };
    all.sales = 0;
    own.checked = all.reader->checked;
    own.heard = heard;
    /* The reference for a damaged tap must be right: the expected outcome is the trace author's, not this core's. */
    if (!corpus_replay_with(&trace, &kernel, &report))
        return fprintf(stderr, "%s: %.*s is not met (Scripts/corpus shows why)\n", path, (int)trace.name_size,
                       trace.name ? trace.name : ""),
               false;
    end_tap();
    return true;
}

static bool record_file(const char *path)
{
    static const char several[] = ".taps";
    const size_t length = strlen(path), end = sizeof several - 1;
    FILE *stream = fopen(path, "rb");
    if (!stream || fseek(stream, 0, SEEK_END) != 0) return fprintf(stderr, "%s: cannot be read\n", path), false;
    const size_t size = (size_t)ftell(stream);
    rewind(stream);
    char *text = malloc(size + 1);
    const bool read = text && fread(text, 1, size, stream) == size;
    fclose(stream);
    if (!read) return fprintf(stderr, "%s: cannot be read\n", path), false;
    text[size] = '\0';
    if (length < end || strcmp(path + length - end, several) != 0) return record(path, text, size);
    for (char *at = text; *at;) {
        const size_t line = strcspn(at, "\n");
        if (line && !record(path, at, line)) return false;
        at += line + (at[line] != '\0');
    }
    return true;
}

bool recorded_open(struct recorded_taps *recorded, int count, char **files)
{
    static struct tap_bench bench;
    for (int i = 0; i < count; i++)
        if (!record_file(files[i])) return false;
    for (size_t i = 0; i < all.tap_count; i++) {
        const enum tap_verdict verdict = tap_play(&all.taps[i], &bench);
        if (verdict != TAP_SAME && verdict != TAP_OTHER_END)
            return fprintf(stderr, "%s: cannot be repeated (verdict %d at reply %zu)\n", all.taps[i].name, verdict,
                           bench.at),
                   false;
        all.taps[i].status = bench.status;
        all.taps[i].end = bench.end;
    }
    *recorded = (struct recorded_taps){ all.taps, all.tap_count };
    return true;
}

struct recorded_text recorded_trace(size_t tap) { return all.traces[tap]; }
