/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the properties of all modules. The properties of the codec, tags, lists, commands and numbers are in this file,
 * compared with independent implementations. Knows no kernel. */
#include "properties.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CEMVInternals.h"

enum { SEED = 0x5EED };
static int violation;
static uint64_t state = SEED;

uint32_t any(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

void any_from(uint64_t seed) { state = seed; }

void property(bool holds, const char *name, unsigned detail)
{
    if (!holds && violation++ < 20) printf("violated: %s (%u)\n", name, detail);
}

bool outcome_reports(const struct cemv_outcome *outcome, unsigned finding) { return outcome->findings >> finding & 1; }

bool outcome_is(const struct cemv_outcome *outcome, uint8_t status, uint8_t reason)
{
    return outcome->status == status && outcome->reason == reason;
}

bool outcome_error_is(const struct cemv_outcome *outcome, uint8_t l1, uint8_t l2, uint16_t status_word)
{
    const uint8_t *const error = outcome->error_indication;
    return error[0] == l1 && error[1] == l2 && (error[3] << 8 | error[4]) == status_word;
}

const uint8_t *guarded_copy(const void *bytes, size_t size)
{
    static uint8_t *end;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (end == NULL) {
        uint8_t *const memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED || mprotect(memory + page, page, PROT_NONE) != 0) {
            perror("two pages, one of them unreadable");
            exit(2);
        }
        end = memory + page;
    }
    if (size > page) {
        fprintf(stderr, "guarded_copy: %zu bytes are more than a page\n", size);
        exit(2);
    }
    return memcpy(end - size, bytes, size);
}

/* ---- TLV against an independent decoder, by recursion over a copy ---- */

struct tree {
    uint32_t tag[256];
    size_t offset[256], size[256];
    unsigned depth[256], count;
    enum cemv_wire_error error;
};

static void read_tree(struct tree *tree, const uint8_t *base, size_t at, size_t end, unsigned depth)
{
    while (tree->error == CEMV_WIRE_OK) {
        while (at < end && (base[at] == 0 || base[at] == 0xFF)) at++;
        if (at == end) return;
        const bool constructed = base[at] & 0x20;
        uint64_t tag = base[at], length = 0;
        unsigned more = (base[at++] & 0x1F) == 0x1F, bytes = 1;
        while (more) {
            if (bytes == 4) {
                tree->error = CEMV_WIRE_LONG_TAG;
                return;
            }
            if (at == end) {
                tree->error = CEMV_WIRE_TRUNCATED_TAG;
                return;
            }
            tag = tag * 256 + base[at];
            more = base[at++] >= 128;
            bytes++;
        }
        if (at == end) {
            tree->error = CEMV_WIRE_TRUNCATED_LENGTH;
            return;
        }
        unsigned first = base[at++];
        if (first == 0x80) {
            tree->error = CEMV_WIRE_INDEFINITE_LENGTH;
            return;
        }
        if (first > 0x84) {
            tree->error = CEMV_WIRE_LONG_LENGTH;
            return;
        }
        if (first < 0x80) length = first;
        else
            for (first -= 0x80; first; first--) {
                if (at == end) {
                    tree->error = CEMV_WIRE_TRUNCATED_LENGTH;
                    return;
                }
                length = length * 256 + base[at++];
            }
        if (length > end - at) {
            tree->error = CEMV_WIRE_TRUNCATED_VALUE;
            return;
        }
        const unsigned i = tree->count++;
        tree->tag[i] = (uint32_t)tag;
        tree->offset[i] = at;
        tree->size[i] = length;
        tree->depth[i] = depth;
        if (constructed && length) {
            if (depth == CEMV_TLV_MAX_DEPTH) {
                tree->error = CEMV_WIRE_TOO_DEEP;
                return;
            }
            read_tree(tree, base, at, at + length, depth + 1);
        }
        at += length;
    }
}

static size_t random_tlv(uint8_t *out, size_t room, unsigned depth)
{
    static const uint32_t tags[] = { 0x5A, 0x57, 0x9F02, 0x9F27, 0xDF8129, 0x8C, 0x5F24, 0x9F8101, 0x82, 0x9F819101 };
    size_t size = 0;
    for (unsigned i = any(4); i > 0 && size + 40 < room; i--) {
        const bool nested = depth < 9 && any(3) == 0;
        if (any(6) == 0) out[size++] = any(2) ? 0 : 0xFF;
        size += cemv_tag_write(out + size, nested ? (any(2) ? 0x70 : 0xBF0C) : tags[any(10)]);
        uint8_t value[2000];
        const size_t inner =
            nested ? random_tlv(value, (room - size) / 2 < sizeof value ? (room - size) / 2 : sizeof value, depth + 1)
                   : any(20);
        if (!nested)
            for (size_t j = 0; j < inner; j++) value[j] = (uint8_t)any(256);
        const unsigned form = inner < 128 ? any(4) : 1 + any(2);
        if (form == 0 || (form == 3 && inner < 128)) out[size++] = (uint8_t)inner;
        else if (form == 1 && inner < 256) {
            out[size++] = 0x81;
            out[size++] = (uint8_t)inner;
        } else {
            out[size++] = 0x82;
            out[size++] = (uint8_t)(inner >> 8);
            out[size++] = (uint8_t)inner;
        }
        memcpy(out + size, value, inner);
        size += inner;
    }
    return size;
}

static void compare_trees(const uint8_t *bytes, size_t size, unsigned round)
{
    struct tree tree = { .error = CEMV_WIRE_OK };
    struct cemv_tlv object;
    uint8_t depth = 0;
    unsigned seen = 0;
    read_tree(&tree, bytes, 0, size, 1);
    struct cemv_tlv_walk walk = cemv_tlv_walk_open((cemv_bytes){ bytes, size });
    while (cemv_tlv_walk_next(&walk, &object, &depth)) {
        const bool same = seen < tree.count && tree.tag[seen] == object.tag && tree.size[seen] == object.value.size &&
                          tree.depth[seen] == depth && tree.offset[seen] == (size_t)(object.value.data - bytes);
        property(same, "a walk finds the nodes of the independent decoder", round);
        property(object.whole.data + object.whole.size == object.value.data + object.value.size,
                 "whole ends where the value ends", round);
        property(object.constructed == cemv_tag_is_constructed(object.tag), "constructed is the tag's bit", round);
        seen++;
    }
    if (tree.error != CEMV_WIRE_TOO_DEEP) property(seen == tree.count, "a walk finds every node", round);
    property(walk.error == tree.error, "a walk meets the error of the independent decoder", round);
    size_t at = size + 1;
    property(cemv_tlv_check((cemv_bytes){ bytes, size }, &at) == tree.error,
             "a check meets the error of another decoder", round);
    property(tree.error == CEMV_WIRE_OK ? at == size + 1 : at <= size, "a check says where", round);
    for (unsigned i = 0; i < tree.count; i++) {
        if (tree.depth[i] != 1) continue;
        unsigned first = 0;
        while (tree.depth[first] != 1 || tree.tag[first] != tree.tag[i]) first++;
        property(cemv_tlv_find((cemv_bytes){ bytes, size }, tree.tag[i], &object) &&
                     object.value.data == bytes + tree.offset[first],
                 "find gives the first", round);
    }
}

void properties_of_tlv(void)
{
    uint8_t bytes[4096];
    for (unsigned round = 0; round < 3000; round++) {
        const size_t size = random_tlv(bytes, sizeof bytes, 0);
        compare_trees(bytes, size, round);
        if (size == 0) continue;
        compare_trees(bytes, any((uint32_t)size), round);
        for (unsigned i = 0; i < 4; i++) {
            bytes[any((uint32_t)size)] =
                (uint8_t)(any(2) ? any(256) : (uint32_t) "\x80\x81\x84\x85\xFF\x1F\x9F\x7F"[any(8)]);
            compare_trees(bytes, size, round);
        }
    }
}

/* ---- writing ---- */

void properties_of_writing(void)
{
    static const size_t sizes[] = { 0, 1, 127, 128, 255, 256, 257, 1000, 65535, 65536 };
    static uint8_t value[70000], out[140100];
    for (unsigned i = 0; i < 10; i++)
        for (unsigned j = 0; j < 10; j++) {
            const size_t total = sizes[i] + sizes[j];
            struct cemv_writer writer = cemv_writer_open(out, sizeof out);
            struct cemv_tlv outer, first, second;
            cemv_writer_open_tlv(&writer, 0x70);
            cemv_writer_put_tlv(&writer, 0x9F10, (cemv_bytes){ value, sizes[i] });
            cemv_writer_put_tlv(&writer, 0xDF8129, (cemv_bytes){ value, sizes[j] });
            cemv_writer_close_tlv(&writer);
            const cemv_bytes done = cemv_writer_finish(&writer);
            property(cemv_tlv_check(done, NULL) == CEMV_WIRE_OK && cemv_tlv_find(done, 0x70, &outer),
                     "what is written reads", (unsigned)total);
            property(outer.whole.size == done.size && cemv_tlv_find(outer.value, 0x9F10, &first) &&
                         first.value.size == sizes[i],
                     "sizes come back", i);
            property(cemv_tlv_find(outer.value, 0xDF8129, &second) && second.value.size == sizes[j], "sizes come back",
                     j);
            for (size_t room = done.size > 3 ? done.size - 3 : 0; room < done.size && total < 600; room++) {
                struct cemv_writer tight = cemv_writer_open(out, room);
                cemv_writer_open_tlv(&tight, 0x70);
                cemv_writer_put_tlv(&tight, 0x9F10, (cemv_bytes){ value, sizes[i] });
                cemv_writer_put_tlv(&tight, 0xDF8129, (cemv_bytes){ value, sizes[j] });
                cemv_writer_close_tlv(&tight);
                property(cemv_writer_finish(&tight).size == 0 && tight.error == CEMV_WIRE_NO_SPACE,
                         "no room is an error that stays", (unsigned)room);
            }
        }
    struct cemv_writer writer = cemv_writer_open(out, sizeof out);
    cemv_writer_close_tlv(&writer);
    property(writer.error == CEMV_WIRE_UNBALANCED, "closing what is not open", 0);
    writer = cemv_writer_open(out, sizeof out);
    cemv_writer_open_tlv(&writer, 0x9F02);
    property(writer.error == CEMV_WIRE_BAD_TAG, "a primitive tag holds no objects", 0);
    writer = cemv_writer_open(out, sizeof out);
    cemv_writer_put_tlv(&writer, 0, (cemv_bytes){ value, 1 });
    property(writer.error == CEMV_WIRE_BAD_TAG, "zero is no tag", 0);
    writer = cemv_writer_open(out, sizeof out);
    for (unsigned i = 0; i < CEMV_TLV_MAX_DEPTH - 1; i++) cemv_writer_open_tlv(&writer, 0x70);
    property(writer.error == CEMV_WIRE_OK, "seven levels open", 0);
    property(cemv_writer_finish(&writer).size == 0 && writer.error == CEMV_WIRE_UNBALANCED,
             "open objects are not finished", 0);
    writer = cemv_writer_open(out, sizeof out);
    for (unsigned i = 0; i < CEMV_TLV_MAX_DEPTH; i++) cemv_writer_open_tlv(&writer, 0x70);
    property(writer.error == CEMV_WIRE_TOO_DEEP, "the eighth does not", 0);
    writer = cemv_writer_open(out, 2);
    cemv_writer_put_byte(&writer, 0xA5);
    cemv_writer_put_bytes(&writer, (cemv_bytes){ value, 2 });
    cemv_writer_put_byte(&writer, 0xA6);
    property(writer.error == CEMV_WIRE_NO_SPACE && writer.size == 1 && out[0] == 0xA5, "all or nothing", 0);
}

void properties_of_tags(void)
{
    static const uint32_t valid[] = { 0x01,   0x1E,     0x5A,     0x70,       0x9F02, 0x5F24, 0xBF0C,
                                      0x9F7F, 0xDF8129, 0x9F8101, 0xDF818101, 0x1F00, 0xFF };
    static const uint32_t invalid[] = { 0,        0x1F,       0x9F,       0x5A01,   0x9F80, 0x9F8180,
                                        0x9F0201, 0x9F818181, 0x01000000, 0xDF7F01, 0x7000 };
    for (size_t i = 0; i < sizeof valid / sizeof valid[0]; i++)
        property(cemv_tag_is_valid(valid[i]) == (valid[i] != 0xFF), "tags", valid[i]);
    for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++)
        property(!cemv_tag_is_valid(invalid[i]), "numbers that are no tags", invalid[i]);
}

/* ---- lists, commands, numbers ---- */

void properties_of_lists(void)
{
    uint8_t dol[64], out[300];
    for (unsigned round = 0; round < 3000; round++) {
        struct cemv_dol_entry entry, wanted[16];
        unsigned count = any(8), seen = 0;
        size_t size = 0, sum = 0;
        for (unsigned i = 0; i < count; i++) {
            wanted[i].tag = any(3) ? 0x9F02u + any(100) : 0x5Au;
            if (wanted[i].tag > 0xFF && (wanted[i].tag & 0xFF) > 0x7F) wanted[i].tag = 0x9C;
            wanted[i].length = (uint8_t)any(256);
            size += cemv_tag_write(dol + size, wanted[i].tag);
            dol[size++] = wanted[i].length;
            sum += wanted[i].length;
        }
        struct cemv_dol_cursor cursor = cemv_dol_open((cemv_bytes){ dol, size });
        enum cemv_wire_error error = CEMV_WIRE_BAD_TAG;
        while (cemv_dol_next(&cursor, &entry)) {
            property(seen < count && entry.tag == wanted[seen].tag && entry.length == wanted[seen].length, "entries",
                     round);
            seen++;
        }
        property(seen == count && cursor.error == CEMV_WIRE_OK, "every entry", round);
        property(cemv_dol_value_size((cemv_bytes){ dol, size }, &error) == sum && error == CEMV_WIRE_OK,
                 "the sum of lengths", round);
        if (size) {
            cemv_dol_value_size((cemv_bytes){ dol, size - 1 }, &error);
            property(error != CEMV_WIRE_OK, "a list cut short", round);
        }
        uint8_t value[40];
        const size_t given = any(20), length = any(20);
        const enum cemv_format format = (enum cemv_format)any(7);
        for (size_t i = 0; i < given; i++) value[i] = (uint8_t)(0x11 + i);
        memset(out, 0xEE, sizeof out);
        cemv_dol_fit(out, (uint8_t)length, (cemv_bytes){ value, given }, format);
        for (size_t i = 0; i < length; i++) {
            uint8_t expected = format == CEMV_FORMAT_CN && given ? 0xFF : 0;
            if (format == CEMV_FORMAT_N) {
                if (i + given >= length) expected = value[i + given - length];
            } else if (i < given) expected = value[i];
            property(out[i] == expected, "a value fitted to its length", round);
        }
        property(out[length] == 0xEE, "not a byte more", round);
    }
}

void properties_of_commands(void)
{
    static uint8_t data[70000], out[70100];
    static const size_t sizes[] = { 0, 1, 2, 254, 255, 256, 257, 65534, 65535, 65536 };
    static const uint32_t les[] = { 0, 1, 255, 256, 257, 65535, 65536, 65537 };
    for (unsigned i = 0; i < 10; i++)
        for (unsigned j = 0; j < 8; j++) {
            const struct cemv_command given = { 0x80, 0xA8, 1, 2, { data, sizes[i] }, les[j] };
            const bool extended = sizes[i] > 255 || les[j] > 256;
            const size_t expected = sizes[i] > 65535 || les[j] > 65536
                                      ? 0
                                      : 4 + extended + (sizes[i] ? sizes[i] + 1 + extended : 0) +
                                            (les[j] ? 1u + extended : 0u);
            const cemv_bytes coded = cemv_command_encode(&given, out, sizeof out);
            struct cemv_command back;
            property(coded.size == expected, "the shortest form", i * 10 + j);
            if (!expected) continue;
            property(cemv_command_decode(coded, &back) && back.data.size == sizes[i] && back.le == les[j] &&
                         back.p2 == 2 && back.ins == 0xA8,
                     "a command comes back", i * 10 + j);
            property(cemv_command_encode(&given, out, expected - 1).size == 0 &&
                         cemv_command_encode(&given, out, expected).size == expected,
                     "no room, no command", i);
            if (expected > 4 && les[j] && sizes[i] > 1)
                property(!cemv_command_decode((cemv_bytes){ coded.data, expected - 2 - extended }, &back),
                         "a command cut short", i * 10 + j);
        }
    struct cemv_command back;
    for (size_t size = 0; size < 4; size++)
        property(!cemv_command_decode((cemv_bytes){ data, size }, &back), "a header has four bytes", (unsigned)size);
    static const uint8_t empty[] = { 0x80, 0xA8, 1, 2, 0, 0, 0, 0, 1 };
    property(!cemv_command_decode((cemv_bytes){ empty, 9 }, &back) &&
                 !cemv_command_decode((cemv_bytes){ empty, 8 }, &back),
             "no data with a length of their own", 0);
    property(cemv_command_decode((cemv_bytes){ empty, 7 }, &back) && back.le == 65536 && back.data.size == 0,
             "a long answer", 0);
    cemv_bytes body;
    uint16_t word = 0;
    property(!cemv_response_decode((cemv_bytes){ (const uint8_t *)"\x90", 1 }, &body, &word),
             "a response has two bytes", 0);
    property(cemv_response_decode((cemv_bytes){ (const uint8_t *)"A\x6A\x83", 3 }, &body, &word) && word == 0x6A83 &&
                 body.size == 1,
             "body and status word", 0);
}

/* Compared with the whole run of numbers within 2^32, in 64 bits. */
/* Digits end at the first nibble above 9, at any position, whatever the other nibbles are. */
static void digits_end_at_any_nibble(void)
{
    enum { SIZE = 11 };
    for (unsigned other = 0; other < 10; other++)
        for (unsigned value = 0; value < 16; value++)
            for (size_t from = 0; from <= 2 * SIZE; from++)
                for (size_t at = 0; at < 2 * SIZE; at++) {
                    uint8_t data[SIZE];
                    memset(data, (int)(other << 4 | other), SIZE);
                    data[at / 2] =
                        (uint8_t)(at % 2 ? (data[at / 2] & 0xF0) | value : (data[at / 2] & 0x0F) | value << 4);
                    const size_t wanted = value > 9 && at >= from ? at : 2 * SIZE;
                    property(cemv_digits_end(data, from, 2 * SIZE) == wanted, "where digits end",
                             (unsigned)(from << 16 | at << 8 | value));
                    const bool cut = from <= at && wanted > at;
                    property(!cut || cemv_digits_end(data, from, at) == at, "and where they are cut",
                             (unsigned)(from << 16 | at << 8 | value));
                }
}

static void numbers_of_digits(void)
{
    for (uint8_t digits = 0; digits <= 9; digits++) {
        uint64_t numbers = 1;
        for (unsigned i = 0; i < digits; i++) numbers *= 10;
        const uint64_t whole = (UINT64_C(1) << 32) / numbers * numbers;
        for (uint64_t around = 0; around < 6; around++) {
            const uint32_t values[] = { (uint32_t)(whole + around - 3), (uint32_t)around - 3, any(1u << 31) << 1 };
            for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
                uint32_t number = 0;
                const bool drawn = cemv_number_of_digits(values[i], digits, &number);
                property(drawn == (values[i] < whole), "only of whole runs", digits);
                property(!drawn || number == values[i] % numbers, "each as often as any other", digits);
            }
        }
    }
}

void properties_of_numbers(void)
{
    numbers_of_digits();
    digits_end_at_any_nibble();
    for (unsigned round = 0; round < 3000; round++) {
        uint64_t number = ((uint64_t)any(1u << 31) << 33 | any(1u << 31)) >> any(64), back = 0;
        uint8_t bcd[12];
        char text[32], digits[32];
        const size_t size = any(11);
        snprintf(text, sizeof text, "%0*llu", (int)(2 * size), (unsigned long long)number);
        if (number == 0 && size == 0) text[0] = 0;
        const bool fits = strlen(text) <= 2 * size;
        memset(bcd, 0xEE, sizeof bcd);
        property(cemv_bcd_write(bcd, size, number) == fits, "numbers that fit are written", round);
        if (!fits) {
            property(bcd[0] == 0xEE, "else nothing is", round);
            continue;
        }
        for (size_t i = 0; i < size; i++) snprintf(digits + 2 * i, 3, "%02X", bcd[i]);
        property(size == 0 || strcmp(digits, text) == 0, "digit by digit", round);
        property(cemv_bcd_read((cemv_bytes){ bcd, size }, &back) && back == (size ? number : 0), "and read again",
                 round);
        if (size) {
            bcd[any((uint32_t)size)] |= any(2) ? 0xA0 : 0x0A;
            property(!cemv_bcd_read((cemv_bytes){ bcd, size }, &back), "no digit", round);
        }
    }
    uint8_t large[10] = { 0x18, 0x44, 0x67, 0x44, 0x07, 0x37, 0x09, 0x55, 0x16, 0x15 };
    uint64_t number = 0;
    property(cemv_bcd_read((cemv_bytes){ large, 10 }, &number) && number == UINT64_MAX, "the largest number", 0);
    large[9] = 0x16;
    property(!cemv_bcd_read((cemv_bytes){ large, 10 }, &number), "one more", 0);
    static const uint8_t month_days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    uint32_t expected = 0, days = 0;
    for (unsigned year = 1950; year < 2050; year++)
        for (unsigned month = 0; month <= 13; month++)
            for (unsigned day = 0; day <= 32; day++) {
                const unsigned y = year % 100;
                const uint8_t date[3] = { (uint8_t)(y / 10 << 4 | y % 10), (uint8_t)(month / 10 << 4 | month % 10),
                                          (uint8_t)(day / 10 << 4 | day % 10) };
                const bool real = month >= 1 && month <= 12 && day >= 1 &&
                                  day <= month_days[month - 1] + (unsigned)(month == 2 && year % 4 == 0);
                property(cemv_date_read((cemv_bytes){ date, 3 }, &days) == real, "days of the calendar", year);
                if (real) property(days == expected++, "counted one by one", year);
            }
    static const struct {
        const char *bytes;
        size_t size;
        int digits;
    } cn[] = {
        { "\x12\x34", 2, 4 },  { "\x12\x3F", 2, 3 }, { "\x12\xFF", 2, 2 }, { "\xFF", 1, 0 },  { "", 0, 0 },
        { "\x1F\x2F", 2, -1 }, { "\xA1", 1, -1 },    { "\x1A", 1, -1 },    { "\xF1", 1, -1 },
    };
    for (size_t i = 0; i < sizeof cn / sizeof cn[0]; i++)
        property(cemv_cn_digits((cemv_bytes){ (const uint8_t *)cn[i].bytes, cn[i].size }) == cn[i].digits,
                 "digits before padding", (unsigned)i);
    property(cemv_cn_equal((cemv_bytes){ (const uint8_t *)"\x12\x3F", 2 },
                           (cemv_bytes){ (const uint8_t *)"\x12\x3F\xFF", 3 }),
             "padding is no difference", 0);
    property(
        !cemv_cn_equal((cemv_bytes){ (const uint8_t *)"\x12\x3F", 2 }, (cemv_bytes){ (const uint8_t *)"\x12\x4F", 2 }),
        "digits are", 0);
    property(
        !cemv_cn_equal((cemv_bytes){ (const uint8_t *)"\x12\x3F", 2 }, (cemv_bytes){ (const uint8_t *)"\x12\x34", 2 }),
        "their number is", 0);
    for (unsigned byte = 0; byte < 256; byte++) {
        const uint8_t value = (uint8_t)byte;
        const cemv_bytes one = { &value, 1 };
        const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'),
                   digit = byte >= '0' && byte <= '9';
        property(cemv_format_check(one, CEMV_FORMAT_A) == letter, "a", byte);
        property(cemv_format_check(one, CEMV_FORMAT_AN) == (letter || digit), "an", byte);
        property(cemv_format_check(one, CEMV_FORMAT_ANS) == (byte >= 32 && byte < 127), "ans", byte);
        property(cemv_format_check(one, CEMV_FORMAT_N) == (byte / 16 < 10 && byte % 16 < 10), "n", byte);
        property(cemv_format_check(one, CEMV_FORMAT_B) && cemv_format_check(one, CEMV_FORMAT_VAR), "b", byte);
        property(!cemv_format_check(one, (enum cemv_format)(CEMV_FORMAT_VAR + 1 + byte)),
                 "a format without a name fits nothing", byte);
    }
}

/* ---- hashes: the processor's instructions against the portable code ---- */

static void properties_of_fastest_hashes(void)
{
    const struct cemv_crypto *const fastest = cemv_crypto_fastest(), *const portable = &cemv_crypto_builtin;
    static const uint8_t abc1[] = { 0xA9, 0x99, 0x3E, 0x36 }, abc256[] = { 0xBA, 0x78, 0x16, 0xBF };
    static uint8_t text[300];
    uint8_t ours[CEMV_SHA256_SIZE], theirs[CEMV_SHA256_SIZE];
    const cemv_bytes abc = { (const uint8_t *)"abc", 3 };
    if (fastest == portable) {
        puts("properties: hashes by instructions skipped, this processor or build has none");
        return;
    }
    property(fastest->rsa_public == portable->rsa_public && fastest->rsa_prepare == portable->rsa_prepare &&
                 fastest->rsa_public_prepared == portable->rsa_public_prepared && fastest->secret == NULL,
             "only the hashes differ", 0);
    fastest->sha1(ours, &abc, 1);
    property(memcmp(ours, abc1, sizeof abc1) == 0, "SHA-1 of abc by instructions", 0);
    fastest->sha256(ours, &abc, 1);
    property(memcmp(ours, abc256, sizeof abc256) == 0, "SHA-256 of abc by instructions", 0);
    for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)any(256);
    for (size_t size = 0; size <= sizeof text; size++)
        for (size_t split = 0; split <= size; split++) {
            const cemv_bytes pieces[2] = { { text, split }, { text + split, size - split } };
            fastest->sha1(ours, pieces, 2);
            portable->sha1(theirs, pieces, 2);
            property(memcmp(ours, theirs, CEMV_SHA1_SIZE) == 0, "SHA-1 by instructions", (unsigned)size);
            fastest->sha256(ours, pieces, 2);
            portable->sha256(theirs, pieces, 2);
            property(memcmp(ours, theirs, CEMV_SHA256_SIZE) == 0, "SHA-256 by instructions", (unsigned)size);
        }
}

/* ---- hashes: published digests ---- */

void properties_of_hashes(void)
{
    uint8_t out[CEMV_SHA256_SIZE];
    static const uint8_t abc1[] = { 0xA9, 0x99, 0x3E, 0x36, 0x47, 0x06, 0x81, 0x6A, 0xBA, 0x3E,
                                    0x25, 0x71, 0x78, 0x50, 0xC2, 0x6C, 0x9C, 0xD0, 0xD8, 0x9D };
    static const uint8_t abc256[] = { 0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA,
                                      0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE, 0x22, 0x23 };
    static const uint8_t million1[] = { 0x34, 0xAA, 0x97, 0x3C, 0xD4, 0xC4, 0xDA, 0xA4 },
                         million256[] = { 0xCD, 0xC7, 0x6E, 0x5C, 0x99, 0x14, 0xFB, 0x92 };
    const cemv_bytes abc = { (const uint8_t *)"abc", 3 };
    cemv_crypto_builtin.sha1(out, &abc, 1);
    property(memcmp(out, abc1, sizeof abc1) == 0, "SHA-1 of abc", 0);
    cemv_crypto_builtin.sha256(out, &abc, 1);
    property(memcmp(out, abc256, sizeof abc256) == 0, "SHA-256 of abc", 0);
    static uint8_t many[1000000];
    memset(many, 'a', sizeof many);
    struct cemv_sha1 first;
    struct cemv_sha256 second;
    cemv_sha1_init(&first);
    cemv_sha256_init(&second);
    for (size_t at = 0; at < sizeof many;) {
        size_t piece = any(200);
        if (piece > sizeof many - at) piece = sizeof many - at;
        cemv_sha1_update(&first, (cemv_bytes){ many + at, piece });
        cemv_sha256_update(&second, (cemv_bytes){ many + at, piece });
        at += piece;
    }
    cemv_sha1_final(&first, out);
    property(memcmp(out, million1, sizeof million1) == 0, "SHA-1 of a million", 0);
    cemv_sha256_final(&second, out);
    property(memcmp(out, million256, sizeof million256) == 0, "SHA-256 of a million", 0);
    properties_of_fastest_hashes();
}

/* ---- all of them ---- */

void property_part(void (*run)(void))
{
    state = SEED;
    run();
}

static const struct {
    const char *name;
    void (*run)(void);
} modules[] = {
    { "tlv", properties_of_tlv },
    { "writing", properties_of_writing },
    { "tags", properties_of_tags },
    { "lists", properties_of_lists },
    { "commands", properties_of_commands },
    { "numbers", properties_of_numbers },
    { "rsa", properties_of_rsa },
    { "edges", properties_of_edges },
    { "limbs", properties_of_limbs },
    { "hashes", properties_of_hashes },
    { "certificates", properties_of_certificates },
    { "signatures", properties_of_signatures },
    { "ciphers", properties_of_ciphers },
    { "configuration", properties_of_configuration },
    { "replies", properties_of_replies },
    { "names", properties_of_names },
    { "limits", properties_of_limits },
    { "storage", properties_of_storage },
    { "kernel_2", properties_of_k2 },
    { "kernel_2_decisions", properties_of_kernel_2_decisions },
    { "kernel_2_exchange", properties_of_kernel_2_exchange },
    { "kernel_2_magstripe", properties_of_kernel_2_magstripe },
    { "kernel_2_records", properties_of_kernel_2_records },
    { "kernel_2_torn", properties_of_kernel_2_torn },
    { "kernel_4", properties_of_k4 },
    { "kernel_4_answers", properties_of_kernel_4_answers },
    { "kernel_4_rules", properties_of_kernel_4_rules },
    { "kernel_5", properties_of_kernel_5 },
    { "kernel_6", properties_of_k6 },
    { "kernel_6_configuration", properties_of_kernel_6_configuration },
    { "kernel_6_magstripe", properties_of_kernel_6_magstripe },
    { "kernel_6_oda", properties_of_kernel_6_oda },
    { "kernel_6_rules", properties_of_kernel_6_rules },
    { "kernel_6_update", properties_of_kernel_6_update },
    { "kernel_7", properties_of_kernel_7 },
    { "kernel_7_dialogue", properties_of_kernel_7_dialogue },
    { "kernel_8", properties_of_kernel_8 },
    { "kernel_8_authentication", properties_of_kernel_8_authentication },
    { "kernel_8_ends", properties_of_kernel_8_ends },
    { "kernel_8_channel", properties_of_kernel_8_channel },
    { "kernel_8_dialogue", properties_of_kernel_8_dialogue },
    { "kernel_8_steps", properties_of_kernel_8_steps },
    { "kernel_2_steps", properties_of_kernel_2_steps },
    { "kernel_2_rules", properties_of_kernel_2_rules },
    { "kernel_2_signed", properties_of_kernel_2_signed },
    { "kernel_3_dialogue", properties_of_kernel_3_dialogue },
    { "host", properties_of_host },
    { "store", properties_of_store },
    { "kernels", properties_of_kernels },
    { "entry", properties_of_entry },
    { "entry_dialogue", properties_of_entry_dialogue },
    { "sessions", properties_of_sessions },
    { "restarts", properties_of_restarts },
    { "rules", properties_of_rules },
    { "exchange", properties_of_exchange },
    { "amount", properties_of_amount },
    { "log", properties_of_log },
    { "wire", properties_of_wire },
    { "driver", properties_of_driver },
    { "presented", properties_of_presented },
};

size_t property_module_count(void) { return sizeof modules / sizeof modules[0]; }
const char *property_module_name(size_t module) { return modules[module].name; }

int property_module_run(size_t module)
{
    violation = 0;
    state = SEED;
    modules[module].run();
    return violation;
}

int properties_run(void)
{
    int all = 0;
    for (size_t module = 0; module < property_module_count(); module++) {
        const int bad = property_module_run(module);
        if (bad) printf("%s: %d properties violated\n", modules[module].name, bad);
        all += bad;
    }
    printf("properties: %zu modules, %d violated\n", property_module_count(), all);
    return all != 0;
}
