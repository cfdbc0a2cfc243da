/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 6's decisions over all their inputs: cardholder verification, action analysis, the content of an
 * FCI and of an answer, tracks, dates, usage. */
#include <stdlib.h>
#include <string.h>

#include "CEMVInternals.h"
#include "../../Sources/CEMV/include/cemv_kernel_6.h"
#include "../../Sources/CEMV/kernels/k6/k6.h"
#include "properties.h"
#include "bytes.h"

static bool bit(unsigned number, unsigned at) { return (number >> at & 1u) != 0; }

static struct k6_cvm_in cvm_at(unsigned number)
{
    return (struct k6_cvm_in){
        .ttq = { (uint8_t)((bit(number, 0) ? 0x04 : 0) | (bit(number, 1) ? 0x02 : 0) | (bit(number, 2) ? 0x08 : 0)),
                 bit(number, 3) ? 0x40 : 0, bit(number, 4) ? 0x40 : 0, 0 },
        .cpr = { (uint8_t)((bit(number, 5) ? 0x80 : 0) | (bit(number, 6) ? 0x40 : 0) | (bit(number, 7) ? 0x10 : 0)),
                 (uint8_t)(number >> 8 & 3) },
        .cvr = { 0, (uint8_t)(number >> 10 & 3) },
        .other_interface = bit(number, 12),
        .proven = bit(number, 13),
        .distrust_none = bit(number, 14),
        .distrust_signature = bit(number, 15),
        .distrust_device = bit(number, 16),
        .needs_online = bit(number, 17),
    };
}

static void property_of_cvm(unsigned number)
{
    struct k6_cvm_in in = cvm_at(number);
    const struct k6_cvm cvm = k6_cvm(&in);
    const bool done = cvm.verdict == K6_FINE, required = in.ttq[1] != 0;
    const bool pin = (in.ttq[0] & 0x04) != 0 && !(in.needs_online && (in.ttq[0] & 0x08) != 0);
    property(done || cvm.verdict == K6_ERROR || (cvm.verdict == K6_OTHER_INTERFACE && in.other_interface),
             "a CVM, another interface where there is one, or an error", number);
    if (done && cvm.cvm == CEMV_CVM_ONLINE_PIN) property(pin, "online PIN is the reader's", number);
    if (done && cvm.cvm == CEMV_CVM_SIGNATURE) property((in.ttq[0] & 0x02) != 0, "a signature is the reader's", number);
    if (done && cvm.cvm == CEMV_CVM_CDCVM)
        property(in.ttq[2] != 0 && (in.cpr[0] & 0x10) != 0 && in.cvr[1] == 2, "a device's code was performed and held",
                 number);
    if (!required && (in.cpr[0] & 0xC0) == 0)
        property(done && cvm.cvm == CEMV_CVM_NONE && !cvm.performed, "nobody asks for one", number);
    else property(cvm.performed, "somebody asks for one", number);
    property(!cvm.unproven || (cvm.cvm == CEMV_CVM_CDCVM && !in.proven), "a device's word alone", number);
    if (required && !in.proven && done && in.distrust_none)
        property(cvm.cvm != CEMV_CVM_NONE, "above the limit nothing unproven takes the CVM away", number);
    if (required && !in.proven && done && in.distrust_device)
        property(cvm.cvm != CEMV_CVM_CDCVM, "above the limit an unproven device is not believed", number);
    if (required && !in.proven && done && in.distrust_signature && pin)
        property(cvm.cvm != CEMV_CVM_SIGNATURE, "above the limit an unproven card takes no PIN away", number);
    if (!required || in.proven) property(!cvm.replaced, "below the limit, or proven, the book decides", number);
    in.distrust_none = in.distrust_signature = in.distrust_device = false;
    const struct k6_cvm book = k6_cvm(&in);
    property(cvm.replaced || (cvm.verdict == book.verdict && cvm.cvm == book.cvm), "what is not replaced is the book's",
             number);
}

static void properties_of_cvm(void)
{
    for (unsigned number = 0; number < 1u << 18; number++) property_of_cvm(number);
}

static void property_of_action(unsigned number)
{
    struct k6_action_in in = {
        .cryptogram = (uint8_t)(number & 3),
        .tvr = { (uint8_t)((bit(number, 2) ? 0x04 : 0) | (bit(number, 3) ? 0x10 : 0) | (bit(number, 4) ? 0x20 : 0)),
                 (uint8_t)((bit(number, 5) ? 0x10 : 0) | (bit(number, 6) ? 0x40 : 0) | (bit(number, 7) ? 0x20 : 0)), 0,
                 0, 0 },
        .cpr = { 0, (uint8_t)(number >> 8 << 2) },
        .ttq = { bit(number, 14) ? 0x08 : 0, bit(number, 15) ? 0x80 : 0, 0, 0 },
        .other_interface = bit(number, 16),
        .refuse_failed = bit(number, 17),
        .needs_online = bit(number, 17),
    };
    const uint8_t action = k6_action(&in);
    const bool failed = (in.tvr[0] & 0x04) != 0;
    property(action <= K6_SWITCH && (action != K6_SWITCH || in.other_interface), "another interface must be there",
             number);
    if (in.cryptogram == K6_AAC || in.cryptogram == K6_RFU)
        property(action == K6_DECLINED, "what is neither TC nor ARQC is declined", number);
    if (action == K6_APPROVED)
        property(in.cryptogram == K6_TC && in.ttq[1] == 0 && (in.tvr[0] & 0x34) == 0 && (in.tvr[1] & 0x30) == 0 &&
                     !((in.tvr[1] & 0x40) != 0 && (in.cpr[1] & 0x0C) != 0),
                 "a TC is approved where nothing was asked and nothing stands against it", number);
    if (in.refuse_failed && failed)
        property(action == K6_DECLINED || action == K6_SWITCH, "a failed signature", number);
    if (in.needs_online && in.ttq[0] != 0) property(action != K6_GO_ONLINE, "offline only is offline", number);
    if ((in.tvr[0] & 0x10) != 0 && !failed) property(action == K6_DECLINED, "a listed card", number);
    const bool guarded = in.refuse_failed;
    in.refuse_failed = in.needs_online = false;
    const uint8_t book = k6_action(&in);
    property(!guarded || action == book || action == K6_DECLINED, "what protects only declines", number);
}

static void properties_of_action(void)
{
    for (unsigned number = 0; number < 1u << 18; number++) property_of_action(number);
}

/* Every truncation of a good FCI, and every byte changed: nothing is read beyond its end, and MS Mode is chosen only if
 * offered. */
static void properties_of_selection(void)
{
    static const char good[] =
        "\x6F\x38\x84\7\xA0\0\0\1\x52\x30\x10\xA5\x2D\x50\7D-PAS 1\x87\1\1\x9F\x38\x15"
        "\x9F\x66\4\x9F\2\6\x9F\3\6\x9F\x1A\2\x5F\x2A\2\x9A\3\x9C\1\x9F\x37\4\xBF\x0C\5\x9F\x7D\2"
        "\1\0";
    uint8_t fci[sizeof good - 1];
    memcpy(fci, good, sizeof fci);
    fci[1] = (uint8_t)(sizeof fci - 2);
    fci[12] = (uint8_t)(sizeof fci - 13);
    fci[27] = 0x16;
    const struct k6_selected whole = k6_select_emv(of(fci, sizeof fci), true);
    property(whole.verdict == K6_FINE && whole.magstripe && whole.number_size == 4, "a good one", whole.verdict);
    property(!k6_select_emv(of(fci, sizeof fci), false).magstripe, "a reader without MS Mode", 0);
    for (size_t size = 0; size < sizeof fci; size++) {
        const cemv_bytes cut = of(guarded_copy(fci, size), size);
        property(k6_select_emv(cut, true).verdict == K6_OTHER_INTERFACE, "what is cut is none", (unsigned)size);
        property(k6_select_magstripe(cut, true).verdict == K6_OTHER_INTERFACE, "nor in MS Mode", (unsigned)size);
    }
    for (size_t at = 0; at < sizeof fci; at++) {
        for (unsigned value = 0; value < 256; value++) {
            const uint8_t kept = fci[at];
            fci[at] = (uint8_t)value;
            const cemv_bytes bytes = of(guarded_copy(fci, sizeof fci), sizeof fci);
            const struct k6_selected emv = k6_select_emv(bytes, true), ms = k6_select_magstripe(bytes, false);
            if (emv.verdict == K6_FINE)
                property(emv.number_size == 4 || (emv.magstripe && emv.number_size == 1), "four bytes, or one", value);
            if (ms.verdict == K6_FINE) property(ms.number_size >= 1 && ms.number_size <= 4, "one byte to four", value);
            fci[at] = kept;
        }
    }
}

/* A truncated structure counts as absent, even if the part before the break could be read. */
static void properties_of_breaks(void)
{
    static const char sound[] = "\x6F\x13\x84\7\xA0\0\0\1\x52\x30\x10\xA5\x08\x9F\x38\5\x9F\x37\4\x9C\1";
    static const char cut[] = "\x6F\x12\x84\7\xA0\0\0\1\x52\x30\x10\xA5\7\x9F\x38\4\x9F\x37\4\x9C";
    static const char offer[] =
        "\x6F\x1B\x84\7\xA0\0\0\1\x52\x30\x10\xA5\x10\x9F\x38\3\x9F\x37\4\xBF\x0C\7\x9F\x7D\2\1\0\x9F\x4D";
    property(k6_select_magstripe(BYTES(sound), true).verdict == K6_FINE, "a list", 0);
    property(k6_select_magstripe(BYTES(cut), true).verdict == K6_OTHER_INTERFACE, "a list that breaks off", 0);
    property(k6_select_magstripe(BYTES(cut), false).verdict == K6_ERROR, "where there is no other interface", 0);
    property(k6_select_magstripe(BYTES(offer), true).verdict == K6_OTHER_INTERFACE, "an offer that breaks off", 0);
}

static void properties_of_numbers_drawn(void)
{
    uint8_t number[4], random[4];
    uint64_t value = 0, whole = 1;
    for (uint8_t size = 1; size <= 4; size++) {
        whole *= 100;
        const uint32_t end = (uint32_t)(((uint64_t)1 << 32) / whole * whole);
        for (unsigned i = 0; i < 64; i++) {
            const uint32_t drawn = i < 32 ? end - 16 + i : end / 31 * (i - 32) + i;
            for (unsigned j = 0; j < 4; j++) random[j] = (uint8_t)(drawn >> (24 - 8 * j));
            const bool fits = k6_number(random, size, number);
            property(fits == (drawn < end || end == 0), "each number as often as any other", i);
            if (fits)
                property(cemv_bcd_read(of(number, size), &value) && value == drawn % whole, "digits of what was drawn",
                         i);
        }
    }
}

/* Writes an object that is missing, has another length, or is unchanged. */
static size_t put(uint8_t *out, uint32_t tag, size_t size, size_t change)
{
    size_t at = cemv_tag_write(out, tag);
    if (change == 1) return 0;
    size = change == 2 ? size + 1 : change == 3 ? 0 : size;
    out[at++] = (uint8_t)size;
    memset(out + at, 0, size);
    return at + size;
}

/* One of eight objects is changed. The verdict depends on the use of the object. */
static void properties_of_responses(void)
{
    static const struct {
        uint32_t tag;
        size_t size;
        uint8_t verdict[3]; /* left out, one byte more, empty */
    } objects[] = {
        { 0x82, 2, { K6_REFUSED, K6_REFUSED, K6_REFUSED } }, { 0x9F36, 2, { K6_REFUSED, K6_REFUSED, K6_REFUSED } },
        { 0x9F10, 6, { K6_REFUSED, K6_FINE, K6_REFUSED } },  { 0x9F71, 2, { K6_REFUSED, K6_REFUSED, K6_REFUSED } },
        { 0x9F26, 8, { K6_ERROR, K6_ERROR, K6_ERROR } },     { 0x9F27, 1, { K6_REFUSED, K6_REFUSED, K6_REFUSED } },
        { 0xD1, 6, { K6_FINE, K6_ERROR, K6_FINE } },         { 0x57, 19, { K6_ERROR, K6_ERROR, K6_ERROR } },
        { 0x5F34, 1, { K6_ERROR, K6_ERROR, K6_ERROR } },     { 0x9F07, 2, { K6_ERROR, K6_ERROR, K6_ERROR } },
        { 0x5F25, 3, { K6_ERROR, K6_ERROR, K6_ERROR } },     { 0x9F08, 2, { K6_ERROR, K6_ERROR, K6_ERROR } },
    };
    enum { OBJECTS = sizeof objects / sizeof objects[0] };
    uint8_t body[200];
    for (size_t changed = 0; changed <= OBJECTS; changed++) {
        for (size_t change = 1; change <= 3; change++) {
            size_t size = 0;
            for (size_t i = 0; i < OBJECTS; i++)
                size += put(body + size, objects[i].tag, objects[i].size, i == changed ? change : 0);
            const uint8_t verdict = changed < OBJECTS ? objects[changed].verdict[change - 1] : K6_FINE;
            const struct k6_response response = k6_check_response(of(body, size), false);
            property(response.verdict == verdict, "asked for in its place", (unsigned)(changed << 4 | change));
        }
    }
    size_t size = put(body, 0x82, 2, 0);
    property(k6_check_response(of(body, size), true).verdict == K6_REFUSED, "MS Mode has records", 0);
    size += put(body + size, 0x94, 4, 0);
    property(k6_check_response(of(body, size), true).verdict == K6_FINE, "and asks for nothing else", 0);
    for (uint8_t type = K6_AAC; type <= K6_RFU; type++) {
        size = 0;
        for (size_t i = 0; i < OBJECTS; i++)
            if (objects[i].tag != 0x9F26 || type != K6_TC) size += put(body + size, objects[i].tag, objects[i].size, 0);
        if (type == K6_TC) size += put(body + size, 0x9F4B, 8, 0);
        for (size_t i = 0; i + 3 < size; i++)
            if (body[i] == 0x9F && body[i + 1] == 0x27) body[i + 3] = (uint8_t)(type << 6);
        const struct k6_response response = k6_check_response(of(body, size), false);
        property(response.cryptogram == type && response.verdict == (type == K6_TC ? K6_ERROR : K6_FINE),
                 "only a TC must have records", type);
    }
}

static void properties_of_templates(void)
{
    cemv_bytes objects;
    property(k6_response_objects(BYTES("\x77\2\x82\0"), &objects) && objects.size == 2, "a template", 0);
    property(!k6_response_objects(BYTES(""), &objects), "nothing", 0);
    property(!k6_response_objects(BYTES("\x80\2\x82\0"), &objects), "format 1", 0);
    const struct k6_response broken = k6_check_response(BYTES("\x82\1"), true);
    property(broken.broken && broken.verdict == K6_REFUSED, "what breaks off inside", 0);
    property(k6_check_response(BYTES("\x82\0\x82\0"), true).maybe_twice, "a tag twice", 0);
    property(!k6_check_response(BYTES("\x82\0\x94\0"), true).maybe_twice, "two tags", 0);
    property(!k6_response_objects(BYTES("\x77\3\x82\0"), &objects), "what breaks off", 0);
    property(!k6_response_objects(BYTES("\x77\2\x82\0\x77\0"), &objects), "a second one", 0);
}

/* Every length, every place of the separator: only the five places after it are written. */
static void properties_of_tracks(void)
{
    const struct k6_fill fill = { { 9, 8, 7 }, { 6, 5 } };
    struct k6_fill none;
    property(!k6_fill_open(&none, BYTES("\1\x23"), of(NULL, 0)), "without a number there is nothing to put in", 0);
    uint8_t track[80], before[80];
    for (size_t size = 0; size <= sizeof track; size++) {
        for (size_t at = 0; at < size; at++) {
            memset(track, '1', sizeof track);
            track[0] = 'B';
            track[size / 4] = '^';
            track[at] = '^';
            memcpy(before, track, sizeof track);
            const bool filled = k6_fill_track_1(track, size, &fill);
            property(filled || memcmp(track, before, sizeof track) == 0, "never half of it", (unsigned)size);
            property(filled == (size >= 65 && at < 50 && at != size / 4), "where two separators stand",
                     (unsigned)(size << 8 | at));
            if (filled)
                property(size >= 65 && at < 50 && memcmp(track, before, 57) == 0, "behind the account", (unsigned)at);
            if (filled)
                property(memcmp(track + 57, "987", 3) == 0 && memcmp(track + 63, "65", 2) == 0 &&
                             memcmp(track + 60, before + 60, 3) == 0 && memcmp(track + 65, before + 65, 15) == 0,
                         "five places", (unsigned)size);
        }
    }
    for (size_t size = 0; size <= 20; size++) {
        for (size_t at = 0; at < 2 * size; at++) {
            memset(track, 0x11, sizeof track);
            cemv_nibble_put(track, at, 0x0D);
            memcpy(before, track, sizeof track);
            const bool filled = k6_fill_track_2(track, size, &fill);
            property(filled == (size >= 19 && at < 20), "where there is room", (unsigned)at);
            property(filled || memcmp(track, before, sizeof track) == 0, "never half of it", (unsigned)size);
            if (!filled) continue;
            property(memcmp(track, before, 14) == 0 && memcmp(track + 14, "\x19\x87\x11\x16\x51", 5) == 0,
                     "five digits", (unsigned)at);
            cemv_nibble_put(before, 36, 0x0F);
            property(!k6_fill_track_2(before, size, &fill), "never over the padding", (unsigned)at);
        }
    }
    memset(track, 0x1E, sizeof track);
    property(!k6_fill_track_2(track, 19, &fill), "what is no digit separates nothing", 0);
    cemv_nibble_put(track, 8, 0x0D);
    property(k6_fill_track_2(track, 19, &fill), "and hides no separator", 0);
}

static void properties_of_dates(void)
{
    static const struct {
        const char *track, *expiry, *effective;
        uint8_t verdict, tvr;
    } cards[] = {
        { "\x11\x1D\x26\x11", NULL, NULL, K6_FINE, 0 },
        { "\x11\x1D\x26\x10", NULL, NULL, K6_FINE, 0x40 },
        { "\x11\x1D\x26\x10", "\x30\x12\x31", NULL, K6_FINE, 0x40 },
        { "\x11\x1D\x49\x12", "\x20\x12\x31", NULL, K6_FINE, 0 },
        { "\x11\x1D\x50\x01", NULL, NULL, K6_FINE, 0x40 },
        { "\x11\x1D\x26\x13", NULL, NULL, K6_ERROR, 0 },
        { "\x11\x11\x26\x11", NULL, NULL, K6_ERROR, 0 },
        { "\x11\x11\xD2\x61", NULL, NULL, K6_ERROR, 0 },
        { "\x11\x1D\x24\x02", NULL, NULL, K6_FINE, 0x40 },
        { NULL, "\x26\x11\x21", NULL, K6_FINE, 0 },
        { NULL, "\x26\x11\x20", NULL, K6_FINE, 0x40 },
        { NULL, "\x26\x11\x31", NULL, K6_ERROR, 0 },
        { NULL, NULL, "\x26\x11\x21", K6_FINE, 0 },
        { NULL, NULL, "\x26\x11\x22", K6_FINE, 0x20 },
        { NULL, NULL, "\x26\x02\x30", K6_ERROR, 0 },
        { NULL, NULL, NULL, K6_FINE, 0 },
    };
    for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++) {
        struct k6_dates_in in = {
            .track_2 = of(cards[i].track, cards[i].track ? 4 : 0),
            .expiry = of(cards[i].expiry, cards[i].expiry ? 3 : 0),
            .effective = of(cards[i].effective, cards[i].effective ? 3 : 0),
            .version = BYTES("\0\1"),
            .today = { 0x26, 0x11, 0x21 },
            .effective_alone = true,
        };
        struct k6_dates dates = k6_dates(&in);
        property(dates.verdict == cards[i].verdict, "a date is one", (unsigned)i);
        if (dates.verdict == K6_FINE) property(dates.tvr_2 == cards[i].tvr, "and is compared", (unsigned)i);
        property(dates.expiry_known == (cards[i].track || cards[i].expiry), "an expiry is known", (unsigned)i);
        in.effective_alone = false;
        dates = k6_dates(&in);
        property(!cards[i].effective || dates.tvr_2 == 0, "without 9F08 the book does not look at 5F25", (unsigned)i);
        in.card_version = BYTES("\0\2");
        property(!cards[i].effective || (k6_dates(&in).tvr_2 & 0x80) != 0, "versions differ", (unsigned)i);
    }
}

struct usage {
    const uint8_t *type, *capability; /* of the terminal; NULL: absent */
    uint8_t sale;
    bool domestic, cash_back;
};

/* Book 3, 10.4.2 and Table 36, bit by bit. */
static bool is_usable(const struct usage *usage, uint8_t place, uint8_t back)
{
    const bool atm = usage->type && usage->capability && *usage->type >= 0x14 && *usage->type <= 0x16 &&
                   *usage->capability == 0x80;
    if ((place & (atm ? 0x02 : 0x01)) == 0) return false;
    if (usage->sale == 0x01 && (place & (usage->domestic ? 0x80 : 0x40)) == 0) return false;
    if ((usage->sale == 0x00 || usage->sale == 0x09) && (place & (usage->domestic ? 0x28 : 0x14)) == 0) return false;
    return !usage->cash_back || (back & (usage->domestic ? 0x80 : 0x40)) != 0;
}

static void property_of_usage(const struct usage *usage, unsigned detail)
{
    for (unsigned number = 0; number < 1024; number++) {
        const uint8_t control[] = { (uint8_t)number, (uint8_t)(number >> 8 << 6) };
        struct k6_usage_in in = {
            .cryptogram = number & 1 ? K6_TC : K6_ARQC,
            .control = of(control, sizeof control),
            .issuer = BYTES("\2\x76"),
            .country = usage->domestic ? BYTES("\2\x76") : BYTES("\2\x50"),
            .terminal_type = of(usage->type, usage->type ? 1 : 0),
            .capabilities = of(usage->capability, usage->capability ? 5 : 0),
            .type = usage->sale,
            .cash_back = usage->cash_back,
        };
        property(k6_usage_refused(&in) != is_usable(usage, control[0], control[1]),
                 "the card says where it may be used", detail << 10 | number);
        in.control = of(NULL, 0);
        property(k6_usage_refused(&in) == (in.cryptogram == K6_TC), "or does not say it: a TC must (F3-14.2)", number);
    }
}

static void properties_of_usage(void)
{
    static const uint8_t types[] = { 0x13, 0x14, 0x16, 0x17 }, capabilities[][5] = { { 0x60 }, { 0x80 } },
                         sales[] = { 0, 1, 9, 0x20 };
    for (unsigned number = 0; number < 5 * 3 * 4 * 4; number++) {
        const unsigned type = number / 48, capability = number / 16 % 3;
        const struct usage usage = { .type = type < 4 ? &types[type] : NULL,
                                     .capability = capability < 2 ? capabilities[capability] : NULL,
                                     .sale = sales[number / 4 % 4],
                                     .domestic = bit(number, 0),
                                     .cash_back = bit(number, 1) };
        property_of_usage(&usage, number);
    }
}

void properties_of_kernel_6_rules(void)
{
    PART(properties_of_cvm);
    PART(properties_of_action);
    PART(properties_of_selection);
    PART(properties_of_breaks);
    PART(properties_of_numbers_drawn);
    PART(properties_of_responses);
    PART(properties_of_templates);
    PART(properties_of_tracks);
    PART(properties_of_dates);
    PART(properties_of_usage);
}
