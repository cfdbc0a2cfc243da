/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the data for a host: issuer application data by their first bytes, digits and tracks at their borders,
 * data sets that have to shrink. */
#include <string.h>

#include "CEMVInternals.h"
#include "../../Sources/CEMV/account/account.h"
#include "bytes.h"
#include "properties.h"
#include "../../Sources/CEMV/include/cemv_cryptogram.h"

/* ---- issuer application data ---- */

struct expected {
    const char *bytes;
    size_t size;
    uint8_t scheme, format, session_key;
    bool aes;
};

static void properties_of_versions(void)
{
    static const struct expected all[] = {
        /* Visa: the first digit of the version is the format; formats 2 and 4 are long. */
        { "\x06\1\x0A\3\1\2\3", 7, CEMV_SCHEME_VISA, CEMV_IAD_VISA_0, CEMV_SESSION_KEY_NONE, false },
        { "\x06\1\x11\3\1\2\3", 7, CEMV_SCHEME_VISA, CEMV_IAD_VISA_1, CEMV_SESSION_KEY_NONE, false },
        { "\x06\1\x12\3\1\2\3", 7, CEMV_SCHEME_VISA, CEMV_IAD_VISA_1, CEMV_SESSION_KEY_COMMON, false },
        { "\x06\1\x13\3\1\2\3", 7, CEMV_SCHEME_VISA, CEMV_IAD_VISA_1, CEMV_SESSION_KEY_UNPUBLISHED, false },
        { "\x06\1\x22\3\1\2\3", 7, CEMV_SCHEME_VISA, CEMV_IAD_UNKNOWN, 0, false },
        { "\x06\1\x30\3\1\2\3", 7, CEMV_SCHEME_VISA, CEMV_IAD_VISA_3, CEMV_SESSION_KEY_UNPUBLISHED, false },
        { "\x06\1\x43\3\1\2\3", 7, CEMV_SCHEME_VISA, CEMV_IAD_UNKNOWN, 0, false },
        { "\x06\1\xF3\3\1\2\3", 7, CEMV_SCHEME_VISA, CEMV_IAD_UNKNOWN, 0, false },
        { "\x1F\x22\1", 32, CEMV_SCHEME_VISA, CEMV_IAD_VISA_2, CEMV_SESSION_KEY_COMMON, false },
        { "\x1F\x2B\1", 32, CEMV_SCHEME_VISA, CEMV_IAD_VISA_2, CEMV_SESSION_KEY_UNPUBLISHED, false },
        { "\x1F\x43\1", 32, CEMV_SCHEME_VISA, CEMV_IAD_VISA_4, CEMV_SESSION_KEY_UNPUBLISHED, false },
        { "\x1F\x12\1", 32, CEMV_SCHEME_VISA, CEMV_IAD_UNKNOWN, 0, false },
        { "\x1F\x32\1", 32, CEMV_SCHEME_VISA, CEMV_IAD_UNKNOWN, 0, false },
        { "\x1F\x22\1", 31, CEMV_SCHEME_VISA, CEMV_IAD_UNKNOWN, 0, false },
        /* M/Chip: bits 3-2 of the version choose the session key; value 3 is undefined. */
        { "\1\x10", 18, CEMV_SCHEME_MASTERCARD, CEMV_IAD_MCHIP_4, CEMV_SESSION_KEY_MASTERCARD, false },
        { "\1\x12", 18, CEMV_SCHEME_MASTERCARD, CEMV_IAD_MCHIP_4, CEMV_SESSION_KEY_EMV2000, false },
        { "\1\x14", 18, CEMV_SCHEME_MASTERCARD, CEMV_IAD_MCHIP_4, CEMV_SESSION_KEY_COMMON, false },
        { "\1\x16", 18, CEMV_SCHEME_MASTERCARD, CEMV_IAD_UNKNOWN, 0, false },
        { "\1\x17", 18, CEMV_SCHEME_MASTERCARD, CEMV_IAD_UNKNOWN, 0, false },
        { "\1\x18", 18, CEMV_SCHEME_MASTERCARD, CEMV_IAD_UNKNOWN, 0, false },
        { "\1\x24", 18, CEMV_SCHEME_MASTERCARD, CEMV_IAD_UNKNOWN, 0, false },
        /* Common Core Definitions: 0F, a version from A0 on, and 0F in the middle, of any scheme. */
        { "\x0F\xA5\1\3\4\5\6\7\0\0\0\0\0\0\0\0\x0F", 32, CEMV_SCHEME_JCB, CEMV_IAD_CCD, CEMV_SESSION_KEY_COMMON,
          false },
        { "\x0F\xA6\1\3\4\5\6\7\0\0\0\0\0\0\0\0\x0F", 32, CEMV_SCHEME_UNKNOWN, CEMV_IAD_CCD, CEMV_SESSION_KEY_COMMON,
          true },
        { "\x0F\xA7\1\3\4\5\6\7\0\0\0\0\0\0\0\0\x0F", 32, CEMV_SCHEME_UNKNOWN, CEMV_IAD_UNKNOWN, 0, false },
        { "\x0F\xA4\1\3\4\5\6\7\0\0\0\0\0\0\0\0\x0F", 32, CEMV_SCHEME_UNKNOWN, CEMV_IAD_UNKNOWN, 0, false },
        { "\x0F\xA5\1\3\4\5\6\7\0\0\0\0\0\0\0\0\x0E", 32, CEMV_SCHEME_UNKNOWN, CEMV_IAD_UNKNOWN, 0, false },
        { "\x07\xA5\1\4\4\5\6\7\0\0\0\0\0\0\0\0\x0F", 32, CEMV_SCHEME_JCB, CEMV_IAD_JCB, 0, false },
        { "\x0F\x05\1\4\4\5\6\7\0\0\0\0\0\0\0\0\x0F", 32, CEMV_SCHEME_DISCOVER, CEMV_IAD_DISCOVER, 0, false },
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        uint8_t bytes[32] = { 0 };
        struct cemv_iad iad;
        memcpy(bytes, all[i].bytes,
               all[i].size < 17                                  ? all[i].size
               : all[i].bytes[0] == 0x0F || all[i].bytes[0] == 7 ? 17
                                                                 : 3);
        const bool known = cemv_iad_read(of(bytes, all[i].size), (enum cemv_scheme)all[i].scheme, &iad);
        property(known == (all[i].format != CEMV_IAD_UNKNOWN) && iad.format == all[i].format,
                 "a format by its first bytes", i);
        property(!known || (iad.session_key == all[i].session_key && iad.aes == all[i].aes),
                 "its session key and cipher", i);
    }
    uint8_t ccd[32] = { 0x0F, 0xA5, 1 };
    struct cemv_iad iad;
    property(!cemv_iad_read(of(ccd, 32), CEMV_SCHEME_UNKNOWN, &iad), "once is not twice", 0);
    ccd[16] = 0x0F;
    property(cemv_iad_read(of(ccd, 32), CEMV_SCHEME_VISA, &iad) && iad.format == CEMV_IAD_CCD &&
                 !cemv_iad_read(of(ccd, 31), CEMV_SCHEME_VISA, &iad),
             "32 bytes", 0);
    for (unsigned kernel = 0; kernel < 256; kernel++) {
        const uint8_t id = (uint8_t)kernel;
        property((cemv_scheme_of_kernel(of(&id, 1)) != CEMV_SCHEME_UNKNOWN) == (kernel >= 2 && kernel <= 7),
                 "schemes of kernels 2 to 7", kernel);
        property((cemv_data_set_of_kernel(id).count != 0) == (kernel >= 2 && kernel <= 8),
                 "data sets of kernels 2 to 8", kernel);
    }
    struct cemv_field_cursor cursor = { .bytes = of(ccd, 32), .layout = CEMV_LAYOUT_COUNT };
    struct cemv_field field;
    property(!cemv_field_next(&cursor, &field), "no layout, no field", 0);
}

/* ---- digits and tracks ---- */

static void properties_of_digits(void)
{
    static const uint8_t nibbles[] = { 0x19, 0xAD, 0xBC, 0xEF };
    const struct cemv_digits all = { nibbles, 0, 8, false };
    char text[12];
    property(cemv_digits_text(all, '=', text, sizeof text) == 8 && strcmp(text, "19?=????") == 0,
             "digits, the separator, and what is neither", 0);
    for (size_t room = 0; room < 10; room++) {
        memset(text, '#', sizeof text);
        const size_t size = cemv_digits_text(all, '=', text, room);
        property(size == (room > 8 ? 8u : 0u), "all or none", (unsigned)room);
        property(room == 0 ? text[0] == '#' : text[size] == '\0', "an end, where there is room for one",
                 (unsigned)room);
        for (size_t i = size + 1; i < sizeof text; i++) property(text[i] == '#', "nothing behind it", (unsigned)room);
    }
    /* Equal digits at another position. */
    static const uint8_t shifted[] = { 0x01, 0x23, 0x45, 0x67, 0x12, 0x34, 0x56, 0x70 };
    for (uint8_t first = 0; first < 2; first++)
        for (uint8_t other = 7; other < 9; other++)
            for (uint8_t count = 0; count < 8; count++) {
                const struct cemv_digits a = { shifted, first, count, false }, b = { shifted, other, count, false };
                bool same = true;
                for (uint8_t i = 0; i < count; i++) same &= cemv_digit(a, i) == cemv_digit(b, i);
                property(cemv_digits_equal(a, b) == same && cemv_digits_equal(b, a) == same,
                         "digits are compared wherever they begin", (unsigned)(first * 100 + other * 10 + count));
                property(same == (count == 0 || (first == 1 && other == 8)), "these are the same", count);
            }
    static uint8_t many[129];
    memset(many, 0x12, sizeof many);
    for (size_t size = 80; size <= sizeof many; size++)
        property(cemv_digits_of_cn(of(many, size)).count == (size <= 127 ? 2 * size : 0),
                 "as many digits as can be counted", (unsigned)size);
}

static void properties_of_tracks(void)
{
    /* The byte after a track looks like a separator. */
    struct cemv_track2 two;
    static const uint8_t cut[] = { 0x12, 0x34, 0x5D, 0xD2, 0x01, 0xDD, 0xDD };
    property(!cemv_track2_read(of(cut, 3), &two) && two.error == CEMV_TRACK_BAD_EXPIRY, "a track ends where it ends",
             3);
    property(!cemv_track2_read(of(cut, 4), &two) && two.error == CEMV_TRACK_BAD_SERVICE_CODE,
             "a service code of too few digits", 4);
    static const uint8_t no_code[] = { 0x12, 0x3D, 0x25, 0x12, 0xD0, 0x12, 0xD0 };
    property(!cemv_track2_read(of(no_code, 4), &two) && two.error == CEMV_TRACK_BAD_SERVICE_CODE, "no service code", 4);
    property(cemv_track2_read(of(no_code, 6), &two) && two.service_code.count == 0 && two.discretionary.count == 3,
             "a separator instead of it", 6);
    struct cemv_track1 one;
    char text[] = "B12345^AB^2512201 ";
    for (unsigned last = 0; last < 256; last++) {
        text[17] = (char)last;
        property(cemv_track1_read(of(text, 18), &one) == (last >= 0x20 && last <= 0x5F), "characters of track 1", last);
    }
}

/* Track 2 in characters (C-4, Table 12-3) gives the same result as its nibbles, whatever the digits are. */
static void properties_of_tracks_in_characters(void)
{
    static const char text[] = ";374245455400001=161172610113889000035?";
    struct cemv_track2 track, same;
    char found[40], wanted[40];
    static const uint8_t digits[] = { 0x37, 0x42, 0x45, 0x45, 0x54, 0x00, 0x00, 0x1D, 0x16, 0x11,
                                      0x72, 0x61, 0x01, 0x13, 0x88, 0x90, 0x00, 0x03, 0x5F };
    property(cemv_track2_read(of(text, 39), &track) && cemv_track2_read(of(digits, 19), &same), "both are tracks", 0);
    const struct cemv_digits parts[] = { track.all, track.pan, track.expiry, track.service_code, track.discretionary };
    const struct cemv_digits others[] = { same.all, same.pan, same.expiry, same.service_code, same.discretionary };
    for (unsigned i = 0; i < 5; i++) {
        (void)cemv_digits_text(parts[i], '=', found, sizeof found);
        (void)cemv_digits_text(others[i], '=', wanted, sizeof wanted);
        property(strcmp(found, wanted) == 0 && found[0] != '\0', "the same part", i);
        property(cemv_digits_equal(parts[i], others[i]) && cemv_digits_equal(others[i], parts[i]), "and it is equal",
                 i);
        property(cemv_digits_luhn(parts[i]) == cemv_digits_luhn(others[i]), "with the same check digit", i);
    }
    /* Changing any digit of an account invalidates its check digit, in characters as in nibbles. */
    for (unsigned i = 1; i <= 15; i++)
        for (char digit = '0'; digit <= '9'; digit++) {
            char other[sizeof text];
            uint8_t nibbles[sizeof digits];
            memcpy(other, text, sizeof text);
            memcpy(nibbles, digits, sizeof digits);
            other[i] = digit;
            nibbles[(i - 1) / 2] = (uint8_t)(i % 2 ? (nibbles[(i - 1) / 2] & 0x0F) | digit << 4
                                                   : (nibbles[(i - 1) / 2] & 0xF0) | (digit & 0x0F));
            (void)cemv_track2_read(of(other, 39), &track);
            (void)cemv_track2_read(of(nibbles, 19), &same);
            property(cemv_digits_luhn(track.pan) == cemv_digits_luhn(same.pan), "check digits agree",
                     i * 10u + (unsigned)digit);
        }
    /* The last sentinel may be missing; other characters do not make a track, nor does a track that is too long. */
    property(cemv_track2_read(of(text, 38), &track) && track.all.count == 37, "without its end", 0);
    for (unsigned c = 0; c < 256; c++) {
        char other[sizeof text];
        memcpy(other, text, sizeof text);
        other[30] = (char)c;
        const bool digit = c >= '0' && c <= '9';
        property(cemv_track2_read(of(other, 39), &track) == digit, "digits alone", c);
        property(digit || track.error == (c == '=' ? CEMV_TRACK_BAD_DISCRETIONARY : CEMV_TRACK_BAD_START), "and why",
                 c);
    }
    static const char long_one[] = ";374245455400001=1611726101138890000351234";
    for (unsigned size = 39; size <= 42; size++)
        property(cemv_track2_read(of(long_one, size), &track) == (size <= 39) &&
                     (size <= 39 || track.error == CEMV_TRACK_TOO_LONG),
                 "as many characters as there are digits in 19 bytes", size);
    property(!cemv_track2_read(of(text, 1), &track) && track.error == CEMV_TRACK_BAD_PAN, "a sentinel alone", 1);
    (void)cemv_track2_read(of(digits, 19), &same);
    property(!cemv_digits_luhn(same.all) &&
                 !cemv_digits_luhn((struct cemv_digits){ (const uint8_t *)text, 0, 0, true }),
             "no check digit of separators, nor of nothing", 0);
    (void)cemv_track2_read(of(text, 39), &track);
    property(!cemv_digits_luhn(track.all), "nor where there is a separator", 0);
}

/* Kernel 4's data of a card in mag-stripe mode reach the fields of a message. */
static void properties_of_tracks_of_kernel_4(void)
{
    static const char two[] = ";374245455400001=161172610113889000035?";
    static const char one[] = "%B374245455400001^XP MOBILE CP 03      00035^1611726101138890?";
    static struct cemv_chip chip;
    static struct cemv_extract found;
    struct cemv_iso_fields fields;
    for (unsigned i = 0; i < 6; i++) {
        const size_t first = i == 1 ? 1 : 0, size = i == 2 ? 61
                                                  : i == 3 ? 2
                                                           : 62; /* without the one, the other, both */
        cemv_chip_clear(&chip);
        cemv_chip_add_value(&chip, 0x9F6B, of(two, 39));
        cemv_chip_add_value(&chip, 0x56, of(one + first, size - first));
        cemv_chip_extract(&chip, i == 5 ? CEMV_SCHEME_MASTERCARD : CEMV_SCHEME_AMEX, &found);
        cemv_iso_fields_write(&found, 1, '=', &fields);
        property(strcmp(fields.pan, "374245455400001") == 0 && strcmp(fields.expiry, "1611") == 0, "account and month",
                 i);
        property(strcmp(fields.track2, "374245455400001=161172610113889000035") == 0, "field 35", i);
        const bool bounded = i == 0 || i == 4, plain = i == 1; /* an end sentinel is accepted like any character */
        property((bounded || plain) == (found.track1.error == CEMV_TRACK_OK), "track 1 between its sentinels", i);
        property(!bounded || strncmp(fields.track1, one + 1, 60) == 0, "field 45 without them", i);
    }
}

/* ---- the data of one read ---- */

static void properties_of_sets(void)
{
    static struct cemv_chip chip;
    const uint8_t value[] = { 1, 2, 3 };
    uint8_t out[40];
    const struct cemv_data_set_entry entries[] = { { 0x9F33, CEMV_PRESENCE_OPTIONAL },
                                                   { 0x9F02, CEMV_PRESENCE_REQUIRED },
                                                   { 0x9F1A, CEMV_PRESENCE_OPTIONAL } };
    cemv_chip_clear(&chip);
    for (unsigned i = 0; i < 3; i++) cemv_chip_add_value(&chip, entries[i].tag, of(value, 3));
    /* Each object has six bytes: the last optional one is omitted first, then the one before; the required one never.
     */
    for (size_t limit = 1; limit < 24; limit++) {
        const struct cemv_data_set set = { entries, 3, limit, true };
        const struct cemv_data_set_result result = cemv_data_set_write(&chip, &set, out, sizeof out);
        property(result.error == (limit < 6 ? CEMV_DATA_SET_TOO_LONG : CEMV_DATA_SET_OK),
                 "what is required does not fit", (unsigned)limit);
        if (limit >= 6)
            property(result.size == limit / 6 * 6 - (limit >= 18 ? limit / 6 * 6 - 18 : 0) &&
                         result.left_out == (limit < 12   ? 2
                                             : limit < 18 ? 1
                                                          : 0),
                     "what is optional is left out", (unsigned)limit);
    }
    const struct cemv_data_set alone = { entries, 1, 5, true };
    const struct cemv_data_set_result none = cemv_data_set_write(&chip, &alone, out, sizeof out);
    property(none.error == CEMV_DATA_SET_OK && none.size == 0 && none.left_out == 1, "the first of a set as well", 0);
    /* Lists are counted up to the largest count. */
    cemv_chip_clear(&chip);
    for (unsigned i = 1; i < 600; i++) {
        if (i < 300) cemv_chip_add(&chip, of("\x9C\1\0", 3));
        else cemv_chip_add_value(&chip, 0x9A, of(value, 3));
        if (i == 299) {
            property(chip.lists == 255, "255 lists and more", i);
            chip.lists = 0;
        }
    }
    property(chip.lists == 255 && chip.count == 2, "255 values and more", 0);
}

/* Whatever form the length of an object had, it is written in the shortest form. */
static void objects_leave_in_their_shortest_form(void)
{
    static struct cemv_chip chip;
    static const uint8_t shortest[] = { 0x9A, 1, 7, 0x9F, 0x36, 2, 8, 9 };
    const struct cemv_data_set_entry entries[] = { { 0x9A, CEMV_PRESENCE_REQUIRED },
                                                   { 0x9F36, CEMV_PRESENCE_REQUIRED } };
    const struct cemv_data_set set = { entries, 2, 0, false };
    static const struct {
        const char *bytes;
        size_t size;
    } lists[] = { { "\x9A\1\7\x9F\x36\2\x08\x09", 8 },
                  { "\x9A\x81\1\7\0\x9F\x36\x81\2\x08\x09", 11 },
                  { "\xFF\x9A\x82\0\1\7\x9F\x36\x82\0\2\x08\x09", 13 } };
    for (unsigned i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        uint8_t out[20];
        cemv_chip_clear(&chip);
        property(cemv_chip_add(&chip, of(lists[i].bytes, lists[i].size)), "a list", i);
        const struct cemv_data_set_result result = cemv_data_set_write(&chip, &set, out, sizeof out);
        property(result.error == CEMV_DATA_SET_OK && result.size == sizeof shortest &&
                     memcmp(out, shortest, sizeof shortest) == 0,
                 "tag and length in their shortest form", i);
    }
}

/* ---- digits at any start ---- */

static uint8_t nibble_of(const uint8_t *data, size_t at)
{
    return at % 2 == 0 ? data[at / 2] >> 4 : data[at / 2] & 0x0F;
}

/* Digits are equal if each digit is, from whatever nibble they start, as nibbles or as characters. */
static void digits_are_equal_one_by_one(void)
{
    for (unsigned round = 0; round < 4000; round++) {
        uint8_t a[8], b[8], text[16];
        for (size_t i = 0; i < sizeof a; i++) a[i] = (uint8_t)(any(10) << 4 | any(10));
        const uint8_t first = (uint8_t)any(8), at = (uint8_t)any(8), count = (uint8_t)any(9);
        memset(b, 0, sizeof b);
        for (size_t i = 0; i < sizeof b * 2; i++) {
            const uint8_t digit = i >= at && i < (size_t)at + count ? nibble_of(a, first + i - at) : (uint8_t)any(10);
            b[i / 2] |= i % 2 == 0 ? (uint8_t)(digit << 4) : digit;
        }
        bool same = true;
        if (count != 0 && any(2)) {
            const size_t wrong = at + any(count);
            const uint8_t was = nibble_of(b, wrong), now = (uint8_t)((was + 1 + any(9)) % 10);
            b[wrong / 2] = wrong % 2 == 0 ? (uint8_t)(now << 4 | (b[wrong / 2] & 0x0F))
                                          : (uint8_t)((b[wrong / 2] & 0xF0) | now);
            same = now == was;
        }
        for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)('0' + nibble_of(b, i));
        const struct cemv_digits one = { .data = a, .first = first, .count = count },
                                 two = { .data = b, .first = at, .count = count },
                                 written = { .data = text, .first = at, .count = count, .characters = true };
        property(cemv_digits_equal(one, two) == same && cemv_digits_equal(two, one) == same, "nibbles", round);
        property(cemv_digits_equal(one, written) == same, "nibbles and characters", round);
        struct cemv_digits longer = two;
        longer.count++;
        property(!cemv_digits_equal(one, longer), "one more is another number", round);
        unsigned sum = 0;
        for (size_t i = 0; i < count; i++) {
            const unsigned digit = nibble_of(b, at + i), twice = 2 * digit;
            sum += (count - i) % 2 != 0 ? digit : twice / 10 + twice % 10;
        }
        const bool right = count != 0 && sum % 10 == 0; /* ISO/IEC 7812-1, annex B */
        property(cemv_digits_luhn(two) == right && cemv_digits_luhn(written) == right, "the check digit", round);
        uint8_t out[9];
        memset(out, 0xA5, sizeof out);
        cemv_digits_copy(out, b, at, count);
        for (size_t i = 0; i < count; i++) property(nibble_of(out, i) == nibble_of(b, at + i), "copied", round);
        property(count % 2 == 0 || nibble_of(out, count) == 0x0F, "an odd number ends with F", round);
        for (size_t i = (count + 1u) / 2; i < sizeof out; i++) property(out[i] == 0xA5, "and not a byte more", round);
    }
}

/* A name shorter than a row's does not match the row, and two digits identify a brand. */
static void short_names_and_numbers_have_a_brand(void)
{
    static const uint8_t visa[] = { 0xA0, 0, 0, 0, 0x03, 0x10, 0x10 }, mastercard[] = { 0x51, 0x11 },
                         four[] = { 0x41, 0x11 };
    for (size_t size = 0; size <= sizeof visa; size++) {
        const cemv_bytes name = of(guarded_copy(visa, size), size);
        property(cemv_brand_mismatch(name, of(mastercard, 2)) == (size >= 5), "the provider's five bytes",
                 (unsigned)size);
        property(!cemv_brand_mismatch(name, of(four, 2)), "its own numbers", (unsigned)size);
    }
    property(!cemv_brand_mismatch(of(visa, sizeof visa), of(mastercard, 1)), "a digit and a half name none", 0);
}

/* Whatever record the kernel's book lists, the set for an authorisation message has the objects of Book 4, Tables 9 and
 * 10, if they are present, and the objects that identify a token; no object that has a separate field, and no tag
 * twice. */
static void every_set_has_the_objects_of_book_4(void)
{
    static const uint16_t wanted[] = { 0x82,   0x95,   0x9A,   0x9C,   0x9F02, 0x9F03, 0x9F10, 0x9F1A,
                                       0x9F26, 0x9F27, 0x9F33, 0x9F34, 0x9F35, 0x9F36, 0x9F37, 0x9F1E,
                                       0x9F41, 0x5F2A, 0x5F34, 0x84,   0x9F19, 0x9F24 };
    static const uint16_t fields_of_their_own[] = { 0x57, 0x5A, 0x5F24, 0x56, 0x5F20, 0x9F1F };
    static const struct {
        uint8_t kernel;
        uint16_t tag; /* data of its cards on the device or the product, for the issuer */
    } own[] = { { 2, 0x9F6E }, { 3, 0x9F6E }, { 5, 0x9F6E }, { 3, 0x9F7C }, { 5, 0x9F7C }, { 7, 0x9F7C },
                { 4, 0x9F67 }, { 7, 0x9F63 }, { 7, 0x9F25 }, { 7, 0x9F0A }, { 2, 0x9F53 }, { 2, 0x9F07 },
                { 2, 0x9F09 }, { 3, 0x9F09 }, { 4, 0x9F09 }, { 6, 0x9F09 }, { 7, 0x9F09 }, { 8, 0x9F09 } };
    for (uint8_t kernel = 2; kernel <= 8; kernel++) {
        const struct cemv_data_set set = cemv_data_set_of_kernel(kernel);
        for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
            size_t times = 0;
            for (size_t k = 0; k < set.count; k++) times += set.entries[k].tag == wanted[i];
            property(times == 1, "an object of Book 4", (unsigned)kernel << 16 | wanted[i]);
        }
        for (size_t i = 0; i < sizeof fields_of_their_own / sizeof fields_of_their_own[0]; i++)
            for (size_t k = 0; k < set.count; k++)
                property(set.entries[k].tag != fields_of_their_own[i], "a field of its own", kernel);
        property(set.limit == 255 && set.leave_out, "what field 55 holds (ISO 8583)", kernel);
    }
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        const struct cemv_data_set set = cemv_data_set_of_kernel(own[i].kernel);
        bool found = false;
        for (size_t k = 0; k < set.count; k++) found = found || set.entries[k].tag == own[i].tag;
        property(found, "an object of the kernel's own", (unsigned)own[i].kernel << 16 | own[i].tag);
    }
    property(cemv_data_set_of_kernel(9).count == 0 && cemv_data_set_of_kernel(1).count == 0, "no kernel, no set", 0);
}

/* A data set is written whole, or not at all; if objects may be left out, the optional ones go first; nothing is
 * written beyond the space. */
static void a_data_set_stays_in_its_room(void)
{
    static const struct cemv_data_set_entry entries[] = { { .tag = 0x82, .presence = 0 },
                                                          { .tag = 0x9F36, .presence = 1 } };
    struct cemv_chip chip;
    cemv_chip_clear(&chip);
    property(cemv_chip_add(&chip, BYTES("\x9F\x36\2\0\x0C\x82\2\x19\x80")), "two objects", 0);
    for (unsigned i = 0; i < 2 * 11; i++) {
        const bool leave_out = i / 11;
        const size_t room = i % 11;
        const struct cemv_data_set set = { .entries = entries, .count = 2, .leave_out = leave_out };
        uint8_t out[12];
        memset(out, 0xEE, sizeof out);
        const struct cemv_data_set_result result = cemv_data_set_write(&chip, &set, out, room);
        const cemv_bytes expected = room >= 9              ? BYTES("\x82\2\x19\x80\x9F\x36\2\0\x0C")
                                  : leave_out && room >= 5 ? BYTES("\x9F\x36\2\0\x0C")
                                                           : BYTES("");
        property(result.error == (expected.size ? CEMV_DATA_SET_OK : CEMV_DATA_SET_NO_SPACE), "room", i);
        property(!expected.size || (result.size == expected.size && memcmp(out, expected.data, expected.size) == 0),
                 "the set", i);
        for (size_t at = room; at < sizeof out; at++) property(out[at] == 0xEE, "and nothing behind it", i);
    }
}

/* An account or an expiry that the track contradicts is reported. */
static void contradictions_with_the_track_are_reported(void)
{
    static const struct {
        const char *objects;
        size_t size;
        bool pan, expiry;
    } all[] = {
#define TRACK "\x57\x10\x47\x61\x73\x90\1\1\1\x19\xD3\1\x22\1\x14\x38\x82\x55"
        { TRACK "\x5A\x08\x47\x61\x73\x90\1\1\1\x19", 28, false, false },
        { TRACK "\x5A\x08\x47\x61\x73\x90\1\1\1\x27", 28, true, false },
        { TRACK "\x5F\x24\3\x30\x12\x31", 24, false, false },
        { TRACK "\x5F\x24\3\x30\x11\x31", 24, false, true },
#undef TRACK
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct cemv_chip chip;
        struct cemv_extract extract;
        cemv_chip_clear(&chip);
        property(cemv_chip_add(&chip, of(all[i].objects, all[i].size)), "objects", i);
        cemv_chip_extract(&chip, CEMV_SCHEME_UNKNOWN, &extract);
        property(extract.pan_mismatch == all[i].pan && extract.expiry_mismatch == all[i].expiry, "what differs", i);
    }
}

void properties_of_host(void)
{
    PART(properties_of_versions);
    PART(properties_of_digits);
    PART(properties_of_tracks);
    PART(properties_of_tracks_in_characters);
    PART(properties_of_tracks_of_kernel_4);
    PART(properties_of_sets);
    PART(objects_leave_in_their_shortest_form);
    PART(every_set_has_the_objects_of_book_4);
    PART(digits_are_equal_one_by_one);
    PART(short_names_and_numbers_have_a_brand);
    PART(a_data_set_stays_in_its_room);
    PART(contradictions_with_the_track_are_reported);
}
