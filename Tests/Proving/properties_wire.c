/* SPDX-License-Identifier: Apache-2.0 */
/* Edges of the codec: valid tag numbers, the limits of numbers, lists and writers, repeated objects. The other
 * properties of the codec are in properties.c. */
#include <stdio.h>
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"

/* Book 3, Annex B1, on the bytes of the number: a single byte whose low bits are not all ones; or one whose low bits
 * are, then bytes with bit 8 set, then one without. */
static bool is_tag(uint32_t number)
{
    uint8_t bytes[4];
    size_t size = 0;
    for (unsigned shift = 32; shift > 0; shift -= 8)
        if (size > 0 || number >> (shift - 8) != 0) bytes[size++] = (uint8_t)(number >> (shift - 8));
    if (size == 0) return false;
    if ((bytes[0] & 0x1F) != 0x1F) return size == 1;
    for (size_t i = 1; i + 1 < size; i++)
        if ((bytes[i] & 0x80) == 0) return false;
    return size > 1 && (bytes[size - 1] & 0x80) == 0;
}

static void numbers_that_are_tags(void)
{
    for (uint32_t number = 0; number < 0x20000; number++)
        property(cemv_tag_is_valid(number) == is_tag(number), "a tag of one or two bytes", number);
    for (unsigned first = 0x1F; first <= 0xFF; first += 0x20)
        for (uint32_t rest = 0; rest < 0x10000; rest += 7) {
            const uint32_t three = (uint32_t)first << 16 | rest,
                           four = (uint32_t)first << 24 | rest << 8 | (rest & 0xFF);
            property(cemv_tag_is_valid(three) == is_tag(three), "a tag of three bytes", three);
            property(cemv_tag_is_valid(four) == is_tag(four), "a tag of four bytes", four);
        }
}

/* The largest number has twenty digits: exactly the numbers up to it are accepted. It is 10^10 * HIGH + LOW. */
static void the_largest_number_is_read(void)
{
    const uint64_t half = 10000000000u, most_high = UINT64_MAX / half, most_low = UINT64_MAX % half;
    for (unsigned round = 0; round < 4000; round++) {
        uint64_t high = most_high, low = most_low - 200 + round;
        if (round >= 400) low = most_low / 100 * 100 - 100 * (uint64_t)any(1u << 24) * (round & 1) + any(200);
        if (round % 4 == 3) high -= any(3), low = (uint64_t)any(1u << 30) * 9 + any(1000);
        if (round % 8 == 6) high += any(1u << 30) * 4;
        uint8_t bcd[10];
        uint64_t left = high, right = low;
        for (size_t i = 5; i > 0; i--, left /= 100, right /= 100) {
            bcd[i - 1] = (uint8_t)(left % 100 / 10 << 4 | left % 10);
            bcd[i + 4] = (uint8_t)(right % 100 / 10 << 4 | right % 10);
        }
        uint64_t number = 0;
        const bool fits = high < most_high || (high == most_high && low <= most_low);
        property(cemv_bcd_read(of(bcd, sizeof bcd), &number) == fits, "twenty digits", round);
        if (fits) property(number == high * half + low, "the number", round);
    }
}

static void numbers_are_written_as_printed(void)
{
    for (unsigned round = 0; round < 2000; round++) {
        const uint64_t high = any(3) ? any(1u << 16) : any(1u << 31);
        const uint64_t number = high << 32 | (any(2) ? 0 : (uint64_t)any(1u << 16) << 16) |
                                (any(2) ? 0 : any(1u << 16));
        char printed[24];
        uint8_t bcd[10];
        snprintf(printed, sizeof printed, "%020llu", (unsigned long long)number);
        property(cemv_bcd_write(bcd, sizeof bcd, number), "ten bytes hold any number", round);
        for (size_t i = 0; i < sizeof bcd; i++)
            property(bcd[i] == (printed[2 * i] - '0') * 16 + (printed[2 * i + 1] - '0'), "digit by digit", round);
    }
}

/* Compressed numeric: as many digits as an int16_t can count; without digits it is not a number. */
static void ends_of_compressed_numbers(void)
{
    static uint8_t digits[INT16_MAX / 2 + 1];
    memset(digits, 0x11, sizeof digits);
    property(cemv_cn_digits(of(digits, sizeof digits - 1)) == INT16_MAX - 1, "the longest", 0);
    property(cemv_cn_digits(of(digits, sizeof digits)) == -1, "a longer one", 0);
    property(cemv_cn_equal(of(NULL, 0), of(NULL, 0)), "nothing and nothing", 0);
    property(cemv_cn_equal(BYTES("\xFF"), BYTES("\xFF\xFF")), "filler and more filler", 0);
    property(!cemv_cn_equal(BYTES("\xFF"), BYTES("\x1F")), "nothing and a digit", 0);
    property(!cemv_cn_equal(BYTES("\xF1"), BYTES("\xF1")), "what is no number equals nothing", 0);
}

/* ---- lists and templates ---- */

static void the_first_sibling_is_found(void)
{
    struct cemv_tlv object = { 0 };
    property(cemv_tlv_find_in_list(BYTES("\x50\1A\x9C\1\0\x50\1B\x50\2CD"), 0x50, &object) && object.value.size == 1 &&
                 object.value.data[0] == 'A',
             "the first of three", 0);
    property(!cemv_tlv_find_in_list(BYTES("\x50\1A\x9C\2\0"), 0x50, &object), "in a list that ends well", 0);
}

static void one_object_stands_alone(void)
{
    struct cemv_tlv object = { 0 };
    property(cemv_tlv_sole(BYTES("\0\x50\1A\xFF\0"), &object) && object.tag == 0x50 && object.value.size == 1,
             "among filler", 0);
    property(!cemv_tlv_sole(BYTES("\0\xFF"), &object), "filler is no object", 1);
    property(!cemv_tlv_sole(BYTES("\x50\1A\x51\0"), &object), "two objects", 2);
    property(!cemv_tlv_sole(BYTES("\x50\1A\x51"), &object), "an object and half of another one", 3);
}

/* An empty template adds no level: it is allowed wherever the deepest object is. */
static void an_empty_template_is_no_level(void)
{
    for (size_t depth = 1; depth <= CEMV_TLV_MAX_DEPTH + 1; depth++)
        for (uint8_t inner = 0; inner < 2; inner++) { /* bytes in the innermost template: none, or an object */
            uint8_t list[4 * CEMV_TLV_MAX_DEPTH + 8];
            size_t size = 0;
            for (size_t i = depth; i > 0; i--) {
                list[size++] = 0x70;
                list[size++] = (uint8_t)(2 * (i - 1) + 3 * inner);
            }
            memcpy(list + size, "\x9C\1\0", 3 * inner);
            size += 3 * inner;
            struct cemv_tlv_walk walk = cemv_tlv_walk_open(of(list, size));
            struct cemv_tlv object;
            uint8_t at = 0, deepest = 0;
            while (cemv_tlv_walk_next(&walk, &object, &at))
                if (at > deepest) deepest = at;
            const size_t levels = depth + inner; /* an object in the innermost template is one level deeper */
            const bool fits = levels <= CEMV_TLV_MAX_DEPTH;
            property((walk.error == CEMV_WIRE_OK) == fits, "depth", (unsigned)(depth << 1 | inner));
            if (fits) property(deepest == levels, "every level", (unsigned)(depth << 1 | inner));
            property((cemv_tlv_check(of(list, size), NULL) == CEMV_WIRE_OK) == fits, "the check says the same",
                     (unsigned)(depth << 1 | inner));
        }
}

static void errors_of_data_object_lists(void)
{
    static const struct {
        const char *list;
        size_t size;
        enum cemv_wire_error error;
    } lists[] = { { "\x9F", 1, CEMV_WIRE_TRUNCATED_TAG },     { "\x9C\1\x9F", 3, CEMV_WIRE_TRUNCATED_TAG },
                  { "\x9F\x81", 2, CEMV_WIRE_TRUNCATED_TAG }, { "\x9F\x02", 2, CEMV_WIRE_TRUNCATED_LENGTH },
                  { "\x9C", 1, CEMV_WIRE_TRUNCATED_LENGTH },  { "\x9C\1", 2, CEMV_WIRE_OK } };
    for (unsigned i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        enum cemv_wire_error error = CEMV_WIRE_OK;
        (void)cemv_dol_value_size(of(guarded_copy(lists[i].list, lists[i].size), lists[i].size), &error);
        property(error == lists[i].error, "what a list lacks", i);
    }
    property(cemv_dol_asks(BYTES("\x9F\x37\4\x9F\x02\6"), 0x9F02, 6), "asked for with a length", 0);
    property(!cemv_dol_asks(BYTES("\x9F\x37\4\x9F\x02\6"), 0x9F02, 4), "with another length", 0);
    property(cemv_dol_asks(BYTES("\x9F\x37\4\x9F\x02\6"), 0x9F02, 0), "with any length", 0);
    property(!cemv_dol_asks(BYTES("\x9F\x37\4\x9F\x02\6"), 0x9F03, 6), "another object", 0);
}

/* ---- commands, writers ---- */

/* A one-byte length of zero is an Le, not an Lc, and no byte follows it (ISO/IEC 7816-4, 5.2). */
static void short_commands(void)
{
    static const uint8_t bytes[] = { 0x00, 0xB2, 0x01, 0x0C, 0x00, 0x05, 0x07 };
    struct cemv_command command;
    property(cemv_command_decode(of(bytes, 4), &command) && command.le == 0, "a header", 0);
    property(cemv_command_decode(of(bytes, 5), &command) && command.le == CEMV_LE_MAX, "and an Le", 0);
    property(!cemv_command_decode(of(guarded_copy(bytes, 6), 6), &command), "a zero and a byte are neither", 0);
    property(cemv_command_decode(of(bytes, 7), &command) && command.le == 0x0507, "an Le of three bytes", 0);
}

static void writers_fill_their_room(void)
{
    uint8_t room[8];
    for (size_t capacity = 0; capacity <= 4; capacity++) {
        struct cemv_writer writer = cemv_writer_open(room, capacity);
        for (size_t i = 0; i < capacity; i++) cemv_writer_put_byte(&writer, (uint8_t)i);
        property(cemv_writer_finish(&writer).size == capacity, "byte by byte to the end", (unsigned)capacity);
        cemv_writer_put_byte(&writer, 0);
        property(writer.error != CEMV_WIRE_OK, "and no further", (unsigned)capacity);
        writer = cemv_writer_open(room, capacity);
        cemv_writer_open_tlv(&writer, capacity < 3 ? 0x70 : 0xBF0C);
        cemv_writer_close_tlv(&writer);
        const size_t needed = capacity < 3 ? 2 : 3;
        property((cemv_writer_finish(&writer).size == needed) == (capacity >= needed), "an empty template",
                 (unsigned)capacity);
    }
}

void properties_of_wire(void)
{
    PART(numbers_that_are_tags);
    PART(the_largest_number_is_read);
    PART(numbers_are_written_as_printed);
    PART(ends_of_compressed_numbers);
    PART(the_first_sibling_is_found);
    PART(one_object_stands_alone);
    PART(an_empty_template_is_no_level);
    PART(errors_of_data_object_lists);
    PART(short_commands);
    PART(writers_fill_their_room);
}
