/* SPDX-License-Identifier: Apache-2.0 */
/* A prepared dialogue as a file of lines, so that it can be measured without a simulator. Bytes are hex digits, "-" for
 * none:
 *
 *   terminal DATA
 *   combination AID KERNEL TYPES PRESENT LIMIT LIMIT LIMIT LIMIT LIMIT TTQ DATA
 *   kernel5 OPTIONS PROFILE      (of the combination before it)
 *   key RID INDEX EXPONENT MODULUS SHA1
 *   transaction TYPE AMOUNT CURRENCY DATE TIME RANDOM [DATA]
 *   exchange COMMAND RESPONSE [MICROSECONDS]
 *
 * A response "-" was lost. */
#include "dialogue.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_FIELDS = 13, LINE_SIZE = 4096 };

/* ---- writing ---- */

static void put_bytes(FILE *file, cemv_bytes bytes)
{
    fputc(' ', file);
    if (bytes.size == 0) fputc('-', file);
    for (size_t i = 0; i < bytes.size; i++) fprintf(file, "%02X", bytes.data[i]);
}

static void put_combination(FILE *file, const struct cemv_combination *row)
{
    const struct cemv_kernel_5_options *kernel_5 = row->kernel_id[0] == 5 ? row->options : NULL;
    const struct cemv_limits *limits = kernel_5 ? &kernel_5->limits : &row->limits;
    fputs("combination", file);
    put_bytes(file, row->aid);
    put_bytes(file, (cemv_bytes){ row->kernel_id, row->kernel_id_size });
    put_bytes(file, row->transaction_types);
    fprintf(file, " %u", limits->present);
    for (size_t i = 0; i < CEMV_LIMIT_COUNT; i++) fprintf(file, " %" PRIu64, limits->amount[i]);
    put_bytes(file, row->ttq);
    put_bytes(file, row->data);
    fputc('\n', file);
    if (!kernel_5) return;
    fputs("kernel5", file);
    put_bytes(file, (cemv_bytes){ kernel_5->combination_options, sizeof kernel_5->combination_options });
    put_bytes(file,
              (cemv_bytes){ kernel_5->terminal_interchange_profile, sizeof kernel_5->terminal_interchange_profile });
    fputc('\n', file);
}

static void put_key(FILE *file, const struct cemv_ca_key *row)
{
    fputs("key", file);
    put_bytes(file, (cemv_bytes){ row->rid, sizeof row->rid });
    fprintf(file, " %u %" PRIu32, row->index, row->exponent);
    put_bytes(file, row->modulus);
    put_bytes(file, row->sha1);
    fputc('\n', file);
}

static void put_transaction(FILE *file, const struct emv_bench *bench)
{
    const struct cemv_transaction *row = &bench->transaction;
    fprintf(file, "transaction %u %" PRIu64 " %u", row->type, row->amount, row->currency);
    put_bytes(file, (cemv_bytes){ row->date, sizeof row->date });
    put_bytes(file, (cemv_bytes){ row->time, sizeof row->time });
    put_bytes(file, bench->random);
    if (row->data.size != 0) put_bytes(file, row->data);
    fputc('\n', file);
}

bool emv_bench_save(const struct emv_bench *bench, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) return false;
    fputs("terminal", file);
    put_bytes(file, bench->configuration.terminal_data);
    fputc('\n', file);
    for (size_t i = 0; i < bench->configuration.combination_count; i++) put_combination(file, &bench->combinations[i]);
    for (size_t i = 0; i < bench->configuration.ca_key_count; i++) put_key(file, &bench->keys[i]);
    put_transaction(file, bench);
    for (size_t i = 0; i < bench->exchange_count; i++) {
        fputs("exchange", file);
        put_bytes(file, bench->exchanges[i].command);
        put_bytes(file, bench->exchanges[i].response);
        if (bench->exchanges[i].elapsed_us != 0) fprintf(file, " %" PRIu32, bench->exchanges[i].elapsed_us);
        fputc('\n', file);
    }
    const bool written = !ferror(file);
    return fclose(file) == 0 && written;
}

/* ---- reading ---- */

struct line {
    char *field[LINE_FIELDS];
    size_t count;
    uint8_t bytes[LINE_FIELDS][512];
};

static int nibble(char digit)
{
    if (digit >= '0' && digit <= '9') return digit - '0';
    return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

/* False if a field is no pairs of hex digits, or longer than a line may hold. */
static bool get_bytes(struct line *line, size_t index, size_t *size)
{
    const char *text = line->field[index];
    *size = 0;
    if (strcmp(text, "-") == 0) return true;
    for (; text[0]; text += 2) {
        if (nibble(text[0]) < 0 || nibble(text[1]) < 0 || *size == sizeof line->bytes[index]) return false;
        line->bytes[index][(*size)++] = (uint8_t)(nibble(text[0]) << 4 | nibble(text[1]));
    }
    return true;
}

static uint64_t number(const struct line *line, size_t index) { return strtoull(line->field[index], NULL, 10); }

static bool read_combination(struct emv_bench *bench, struct line *line)
{
    size_t aid, kernel, types, ttq, data;
    uint64_t limits[EMV_BENCH_LIMITS];
    if (line->count != 12 || !get_bytes(line, 1, &aid) || !get_bytes(line, 2, &kernel) || !get_bytes(line, 3, &types) ||
        !get_bytes(line, 10, &ttq) || !get_bytes(line, 11, &data) || kernel != 1 || (ttq != 4 && ttq != 0))
        return false;
    for (size_t i = 0; i < EMV_BENCH_LIMITS; i++) limits[i] = number(line, 5 + i);
    return emv_bench_combination(bench, line->bytes[1], aid, line->bytes[2][0], line->bytes[3], types, limits,
                                 (uint8_t)number(line, 4), line->bytes[10], ttq, line->bytes[11], data);
}

static bool read_transaction(struct emv_bench *bench, struct line *line)
{
    size_t date, time, random, data = 0;
    if ((line->count != 7 && line->count != 8) || !get_bytes(line, 4, &date) || !get_bytes(line, 5, &time) ||
        !get_bytes(line, 6, &random))
        return false;
    if (date != 3 || time != 3 || (line->count == 8 && !get_bytes(line, 7, &data))) return false;
    return emv_bench_transaction(bench, (uint8_t)number(line, 1), number(line, 2), (uint16_t)number(line, 3),
                                 line->bytes[4], line->bytes[5], line->bytes[6], random, line->bytes[7], data);
}

static bool read_exchange(struct emv_bench *bench, struct line *line)
{
    size_t command, response;
    if ((line->count != 3 && line->count != 4) || !get_bytes(line, 1, &command) || !get_bytes(line, 2, &response))
        return false;
    return emv_bench_exchange(bench, line->bytes[1], command, line->bytes[2], response,
                              line->count == 4 ? (uint32_t)number(line, 3) : 0);
}

static bool read_line(struct emv_bench *bench, struct line *line)
{
    size_t a, b, c;
    if (line->count == 0) return true;
    if (strcmp(line->field[0], "terminal") == 0)
        return line->count == 2 && get_bytes(line, 1, &a) && emv_bench_terminal(bench, line->bytes[1], a);
    if (strcmp(line->field[0], "combination") == 0) return read_combination(bench, line);
    if (strcmp(line->field[0], "kernel5") == 0)
        return line->count == 3 && get_bytes(line, 1, &a) && a == 2 && get_bytes(line, 2, &b) && b == 3 &&
               emv_bench_kernel_5(bench, line->bytes[1], line->bytes[2]);
    if (strcmp(line->field[0], "key") == 0)
        return line->count == 6 && get_bytes(line, 1, &a) && a == 5 && get_bytes(line, 4, &b) &&
               get_bytes(line, 5, &c) && c == CEMV_SHA1_SIZE &&
               emv_bench_ca_key(bench, line->bytes[1], (uint8_t)number(line, 2), (uint32_t)number(line, 3),
                                line->bytes[4], b, line->bytes[5]);
    if (strcmp(line->field[0], "transaction") == 0) return read_transaction(bench, line);
    if (strcmp(line->field[0], "exchange") == 0) return read_exchange(bench, line);
    return false;
}

struct emv_bench *emv_bench_load(const char *path, size_t *faulty_line)
{
    static char text[LINE_SIZE];
    static struct line line;
    FILE *file = fopen(path, "r");
    struct emv_bench *bench = file ? emv_bench_open() : NULL;
    bool good = bench != NULL;
    *faulty_line = 0;
    while (good && fgets(text, sizeof text, file)) {
        ++*faulty_line;
        line.count = 0;
        for (char *word = strtok(text, " \n"); word && line.count < LINE_FIELDS; word = strtok(NULL, " \n"))
            line.field[line.count++] = word;
        good = read_line(bench, &line);
    }
    if (file) fclose(file);
    if (good) return bench;
    emv_bench_close(bench);
    return NULL;
}

int emv_bench_flush(void)
{
    const bool lost_earlier = ferror(stdout) != 0;
    errno = 0;
    if (fflush(stdout) == 0 && !lost_earlier) return 0;
    return errno != 0 ? errno : EIO;
}
