/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 6's decisions, over all their inputs, and of its dialogue where there is no trace: protection,
 * random numbers that are taken again in an MS mode, the configuration. Cards of the book are in Tests/Independent. */
#include <stdlib.h>
#include <string.h>

#include "CEMVInternals.h"
#include "../../Sources/CEMV/include/cemv_kernel_6.h"
#include "../../Sources/CEMV/kernels/k6/k6.h"
#include "properties.h"
#include "bytes.h"

#define SIZED(text) (text), sizeof(text) - 1

static bool bit(unsigned number, unsigned at) { return (number >> at & 1u) != 0; }

/* ---- cardholder verification ---- */

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

/* ---- terminal action analysis ---- */

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

/* ---- the FCI ---- */

/* Every piece of a good FCI, and every byte of it another: no reading beyond its end, and MS Mode only where offered.
 */
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

/* What is broken counts for nothing, though what stands before the break could be read. */
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

/* ---- GET PROCESSING OPTIONS ---- */

/* An object that is left out, has another length, or stands as given. */
static size_t put(uint8_t *out, uint32_t tag, size_t size, size_t change)
{
    size_t at = cemv_tag_write(out, tag);
    if (change == 1) return 0;
    size = change == 2 ? size + 1 : change == 3 ? 0 : size;
    out[at++] = (uint8_t)size;
    memset(out + at, 0, size);
    return at + size;
}

/* One of eight objects is changed; what follows is said by where it is asked for. */
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

/* ---- tracks ---- */

/* Every length, every place of the separator: nothing is written before it, nothing beside the five places. */
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

/* ---- dates ---- */

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

/* ---- usage ---- */

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

/* ---- the reader, and a card ---- */

static const uint8_t terminal[] = { 0x9F, 0x09, 2,    0,    1,   0x9F, 0x1A, 2,   0x02, 0x76, 0x9F,
                                    0x1E, 8,    '1',  '2',  '3', '4',  '5',  '6', '7',  '8',  0x9F,
                                    0x33, 3,    0xE0, 0xB8, 8,   0x9F, 0x35, 1,   0x22 };
static struct cemv_kernel_6_options options;
static struct cemv_combination row;
static struct cemv_configuration configuration;
static struct cemv_transaction sale;
static struct cemv_session *session;
static uint8_t ttq[4];
static _Alignas(CEMV_ALIGNMENT) uint8_t room[CEMV_SESSION_SIZE], checked_room[16384];

static const char directory[] = "\x6F\x20\x84\x0E"
                                "2PAY.SYS.DDF01\xA5\x0E\xBF\x0C\x0B\x61\x09\x4F\7\xA0\0\0\1\x52\x30\x10\x90\0";

static const char legacy_directory[] = "\x6F\x20\x84\x0E"
                                       "2PAY.SYS.DDF01\xA5\x0E\xBF\x0C\x0B\x61\x09\x4F\7\xA0\0\0\3\x24\x10\x10\x90\0";

#define TRACK_2_OF_LAWS "\x60\x11\0\x09\x90\x13\x94\x24\xD3\x01\x22\1\0\0\x01\x23"

/* A Visa application that asks for this kernel. */
static const char asking[] = "\x6F\x24\x84\x0E"
                             "2PAY.SYS.DDF01\xA5\x12\xBF\x0C\x0F\x61\x0D\x4F\7\xA0\0\0\0\3\x10\x10\x9F\x2A\1\6\x90\0";
static cemv_bytes entries;

static void open_reader(uint8_t profile)
{
    entries = BYTES(directory);
    static const struct cemv_kernel_row kernels[] = { { { 6 }, 1, &cemv_kernel_6, NULL } };
    memcpy(ttq, "\x36\0\x40\0", sizeof ttq);
    options = (struct cemv_kernel_6_options){ .mode = CEMV_KERNEL_6_MODE_AUTO };
    row = (struct cemv_combination){
        .aid = BYTES("\xA0\0\0\1\x52\x30\x10"),
        .kernel_id = { 6 },
        .kernel_id_size = 1,
        .transaction_types = BYTES("\0\x20"),
        .ttq = { ttq, sizeof ttq },
        .limits = { .amount = { [CEMV_LIMIT_FLOOR] = 5000, [CEMV_LIMIT_CVM_REQUIRED] = 10000 },
                    .present = 1 << CEMV_LIMIT_FLOOR | 1 << CEMV_LIMIT_CVM_REQUIRED },
        .options = &options
    };
    configuration = (struct cemv_configuration){ .terminal_data = { terminal, sizeof terminal },
                                                 .combinations = &row,
                                                 .combination_count = 1,
                                                 .kernels = kernels,
                                                 .kernel_count = 1,
                                                 .protection = { .profile = profile } };
    sale = (struct cemv_transaction){ .amount = 1000, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 } };
}

static enum cemv_status check(struct cemv_config_error *error)
{
    const struct cemv_checked *checked;
    return cemv_configuration_check(&configuration, checked_room, sizeof checked_room, &checked, error);
}

static enum cemv_step say(uint8_t kind, cemv_bytes bytes)
{
    const struct cemv_reply reply = { .kind = kind, .bytes = bytes };
    return cemv_session_reply(session, &reply);
}
static enum cemv_step answer(cemv_bytes bytes) { return say(CEMV_REPLY_RESPONSE, bytes); }

static const char emv_fci[] = "\x6F\x2E\x84\7\xA0\0\0\1\x52\x30\x10\xA5\x23\x50\5D-PAS\x9F\x38\x16"
                              "\x9F\x66\4\x9F\2\6\x9F\3\6\x9F\x1A\2\x5F\x2A\2\x9A\3\x9C\1\x9F\x37\4\x5F\x2D\0\x90\0";

/* An ARQC with record 1 of file 1. */
static const char arqc_with_records[] =
    "\x77\x27\x82\2\x19\0\x9F\x36\2\0\1\x9F\x26\10\1\2\3\4\5\6\7\10\x9F\x27\1\x80\x9F\x10\1\1"
    "\x9F\x71\2\0\0\x94\4\x08\1\1\0\x90\0";

/* Up to the activation, whose number is `random`. */
static void select_card(cemv_bytes random, cemv_bytes fci)
{
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    property(cemv_configuration_check(&configuration, checked_room, sizeof checked_room, &checked, &error) == CEMV_OK,
             "a configuration", error.tag);
    property(cemv_session_begin(room, sizeof room, checked, &sale, random, &session, &error) == CEMV_OK, "a sale",
             error.field);
    say(CEMV_REPLY_CARD, of(NULL, 0));
    answer(entries);
    answer(fci);
}

/* Byte 2 of the TTQ in the data of GET PROCESSING OPTIONS; 0xEE where another command goes out. */
static uint8_t ttq_sent(void)
{
    const cemv_bytes command = cemv_session_command(session);
    if (cemv_session_step(session) != CEMV_STEP_SEND || command.size < 12 || command.data[1] != 0xA8) return 0xEE;
    return command.data[8];
}

/* A card may be asked for less than a TC, never for more. */
static void properties_of_offline(void)
{
    static const struct {
        uint8_t profile, offline, floors, type;
        bool online;
    } rows[] = {
        { CEMV_PROFILE_BOOK, 0, 1, 0x00, false },
        { CEMV_PROFILE_BOOK, 0, 0, 0x00, false },
        { CEMV_PROFILE_BOOK, 0, 1, 0x20, false },
        { CEMV_PROFILE_BOOK, CEMV_RULE_OFF, 1, 0x00, true },
        { CEMV_PROFILE_GUARDED, 0, 1, 0x00, false },
        { CEMV_PROFILE_GUARDED, 0, 0, 0x00, true },
        { CEMV_PROFILE_GUARDED, 0, 1, 0x20, true },
        { CEMV_PROFILE_STRICT, 0, 1, 0x00, true },
        { CEMV_PROFILE_STRICT, CEMV_RULE_ENFORCE, 1, 0x00, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        open_reader(rows[i].profile);
        configuration.protection.offline = rows[i].offline;
        if (!rows[i].floors) row.limits.present = 1 << CEMV_LIMIT_CVM_REQUIRED;
        sale.type = rows[i].type;
        select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
        property(ttq_sent() == (rows[i].online ? 0x80 : 0x00), "an online cryptogram is asked for where no TC counts",
                 (unsigned)i);
    }
    open_reader(CEMV_PROFILE_GUARDED);
    row.limits.present = 0;
    row.zero_amount = CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED;
    sale.amount = 0;
    select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
    property(ttq_sent() == 0x00, "an amount of zero that may stay offline", ttq_sent());
    open_reader(CEMV_PROFILE_GUARDED);
    row.limits.present = 0, sale.start_b = true;
    select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
    property(ttq_sent() == 0x00, "Autorun sends its qualifiers as configured", ttq_sent());
}

/* ---- findings ---- */

/* An ARQC without records: CPR, byte 1 of the CVR, then whatever `more` says. */
static enum cemv_step answer_arqc(const char cpr[2], uint8_t type, cemv_bytes more)
{
    static const char head[] =
        "\x82\2\x19\0\x9F\x36\2\0\1\x9F\x26\10\1\2\3\4\5\6\7\10\x9F\x27\1\x80\x57\x10\x60\x11\0\x09"
        "\x90\x13\x94\x24\xD3\x01\x22\1\0\0\x01\x23\x5F\x34\1\1\x9F\7\2\xFF\xC0\x5F\x28\2\2\x76"
        "\x5F\x25\3\x20\1\1\x9F\x08\2\0\1\x9F\x10\5\1\x15";
    uint8_t body[200] = { 0x77 };
    size_t size = 2;
    memcpy(body + size, head, sizeof head - 1);
    size += sizeof head - 1;
    body[size++] = type;
    body[size++] = 2;
    body[size++] = 0;
    memcpy(body + size, "\x9F\x71\2", 3);
    memcpy(body + size + 3, cpr, 2);
    size += 5;
    memcpy(body + size, more.data ? more.data : body, more.size);
    size += more.size;
    body[1] = (uint8_t)(size - 2);
    memcpy(body + size, "\x90\0", 2);
    size += 2;
    return answer(of(body, size));
}

static struct cemv_outcome outcome_of_arqc(const char cpr[2], uint8_t type, cemv_bytes more)
{
    select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
    answer_arqc(cpr, type, more);
    return cemv_session_outcome(session);
}

static bool found(struct cemv_outcome outcome, unsigned finding) { return outcome.findings == 1u << finding; }

/* The book notices and goes on; a rule that is set declines. */
static void properties_of_findings(void)
{
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_STRICT; profile++) {
        open_reader(profile);
        struct cemv_outcome outcome = outcome_of_arqc("\0\0", 0x20, of(NULL, 0));
        property(outcome.status == CEMV_OUTCOME_ONLINE_REQUEST && outcome.findings == 0, "an honest card", profile);
        outcome = outcome_of_arqc("\0\0", 0x10, of(NULL, 0));
        property(outcome.status == CEMV_OUTCOME_ONLINE_REQUEST && found(outcome, CEMV_FINDING_CID_IAD_MISMATCH),
                 "9F27 and CVR name different types", profile);
        configuration.protection.cid_mismatch = CEMV_RULE_ENFORCE;
        outcome = outcome_of_arqc("\0\0", 0x10, of(NULL, 0));
        property(outcome.status == CEMV_OUTCOME_DECLINED && outcome.reason == CEMV_REASON_PROTECTION,
                 "and is declined where that is set", profile);
        configuration.protection.cid_mismatch = 0;
        outcome = outcome_of_arqc("\0\0", 0x20, BYTES("\x9F\2\6\0\0\0\0\0\1"));
        property(found(outcome, CEMV_FINDING_TERMINAL_TAG_FROM_CARD), "what is the terminal's to give", profile);
    }
    open_reader(CEMV_PROFILE_BOOK);
    sale.amount = 12000;
    struct cemv_outcome outcome = outcome_of_arqc("\x10\0", 0x20, of(NULL, 0));
    property(outcome.cvm == CEMV_CVM_CDCVM && outcome.findings == (1u << CEMV_FINDING_CDCVM_UNAUTHENTICATED |
                                                                   1u << CEMV_FINDING_CVM_FROM_PLAIN_DATA),
             "a device's word that nothing proves", outcome.findings);
    outcome = outcome_of_arqc("\x40\0", 0x20, of(NULL, 0));
    property(outcome.cvm == CEMV_CVM_SIGNATURE && found(outcome, CEMV_FINDING_CVM_FROM_PLAIN_DATA),
             "a signature where the reader has a PIN pad", outcome.findings);
    outcome = outcome_of_arqc("\x80\0", 0x20, of(NULL, 0));
    property(outcome.cvm == CEMV_CVM_ONLINE_PIN && outcome.findings == 0, "a PIN", outcome.findings);

    static const uint8_t listed[] = { 0x60, 0x11, 0, 0x09, 0x90, 0x13, 0x94, 0x24 };
    const struct cemv_exception exceptions[] = { { .pan = { listed, sizeof listed }, .any_sequence = true } };
    open_reader(CEMV_PROFILE_BOOK);
    configuration.exceptions = exceptions;
    configuration.exception_count = 1;
    configuration.protection.cid_mismatch = CEMV_RULE_ENFORCE;
    outcome = outcome_of_arqc("\0\0", 0x10, of(NULL, 0));
    property(outcome.status == CEMV_OUTCOME_DECLINED && outcome.reason == CEMV_REASON_KERNEL,
             "what the book declines, the book declines", outcome.reason);
}

/* In either mode: another brand's name, a terminal's object, the card's language. */
static void properties_of_notices(void)
{
    static const char ms[] = "\x6F\x11\x84\7\xA0\0\0\1\x52\x30\x10\xA5\6\x9F\x38\3\x9F\x37\4\x90\0";
    static const char gpo[] = "\x77\x0A\x82\2\x19\0\x94\4\x08\1\1\0\x90\0";
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_BOOK; profile++) {
        const bool book = profile == CEMV_PROFILE_BOOK;
        for (unsigned mode = 0; mode < 2; mode++) {
            open_reader(profile);
            ttq[0] = mode ? 0x90 : 0x36;
            row.aid = BYTES("\xA0\0\0\0\3\x10\x10");
            entries = BYTES(asking);
            if (mode) {
                select_card(BYTES("\0\0\0\1"), BYTES(ms));
                answer(BYTES(gpo));
                answer(
                    BYTES("\x70\x1B\x57\x10\x60\x11\0\x09\x90\x13\x94\x24\xD3\x01\x22\1\0\0\x01\x23\x9F\2\6\0\0\0\0\0\1"
                          "\x90\0"));
            } else {
                (void)outcome_of_arqc("\0\0", 0x20, BYTES("\x9F\2\6\0\0\0\0\0\1"));
            }
            entries = BYTES(directory);
            const struct cemv_outcome outcome = cemv_session_outcome(session);
            property(outcome.status == (book ? CEMV_OUTCOME_ONLINE_REQUEST : CEMV_OUTCOME_DECLINED), "another brand",
                     mode);
            property(outcome.findings ==
                         (1u << CEMV_FINDING_BRAND_MISMATCH | 1u << CEMV_FINDING_TERMINAL_TAG_FROM_CARD),
                     "and whose object", outcome.findings);
        }
    }
    static const char *const ends[] = { "\x69\x86", "\x6A\x81", "\x77" };
    char fci[sizeof emv_fci + 1];
    memcpy(fci, emv_fci, sizeof emv_fci - 3);
    memcpy(fci + sizeof emv_fci - 3, "en\x90\0", 4);
    fci[1] += 2;
    fci[12] += 2;
    fci[sizeof emv_fci - 4] = 2;
    for (size_t i = 0; i < 3; i++) {
        open_reader(CEMV_PROFILE_BOOK);
        select_card(BYTES("\1\2\3\4"), of(fci, sizeof fci));
        if (i < 2) answer(of(ends[i], 2));
        else answer_arqc("\0\0", 0x20, of(NULL, 0));
        const struct cemv_ui_request request = cemv_session_outcome(session).ui_on_outcome;
        property(request.language_size == 2 && memcmp(request.language, "en", 2) == 0, "in the card's language",
                 (unsigned)i);
    }
}

/* The higher limit is for a verification that is proven, which an ARQC never proves (SECURITY.md, A02). */
static void properties_of_higher_limits(void)
{
    static const struct {
        uint64_t amount;
        bool ends;
    } sales[] = { { 2999, false }, { 3000, true }, { 20000, false } };
    for (size_t i = 0; i < sizeof sales / sizeof sales[0]; i++) {
        open_reader(CEMV_PROFILE_STRICT);
        row.limits.amount[CEMV_LIMIT_TRANSACTION] = 3000;
        row.limits.amount[CEMV_LIMIT_CDCVM_TRANSACTION] = 30000;
        row.limits.present |= 1 << CEMV_LIMIT_TRANSACTION | 1 << CEMV_LIMIT_CDCVM_TRANSACTION;
        row.limits.amount[CEMV_LIMIT_CVM_REQUIRED] = 40000;
        sale.amount = sales[i].amount;
        if (i == 2) {
            row.limits.present &= (uint8_t) ~(1u << CEMV_LIMIT_CDCVM_TRANSACTION);
            row.limits.amount[CEMV_LIMIT_TRANSACTION] = 30000;
        }
        const struct cemv_outcome outcome = outcome_of_arqc("\x10\0", 0x20, of(NULL, 0));
        const bool limit = (outcome.findings >> CEMV_FINDING_LIMIT_NEEDS_AUTHENTICATED_CDCVM & 1u) != 0;
        property(limit == sales[i].ends && (outcome.reason == CEMV_REASON_KERNEL_LIMIT) == sales[i].ends &&
                     cemv_be16(outcome.error_indication + 3) == 0,
                 "an amount between the limits", (unsigned)i);
    }
}

/* Beyond the book a TC without an expiry is declined; an ARQC without one is the issuer's to judge. */
static void properties_of_no_expiry(void)
{
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_STRICT; profile++) {
        open_reader(profile);
        select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
        answer(BYTES(arqc_with_records));
        answer(BYTES("\x70\x0A\x5A\x08\x60\x11\0\x09\x90\x13\x94\x24\x90\0"));
        property(cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST, "an ARQC without a date",
                 profile);
    }
}

/* ---- what an end says ---- */

static bool says(struct cemv_outcome outcome, unsigned status, unsigned reason, unsigned l2, unsigned status_word)
{
    return outcome.status == status && outcome.reason == reason && outcome.error_indication[0] == 0 &&
           outcome.error_indication[1] == l2 && cemv_be16(outcome.error_indication + 3) == status_word;
}

static void ends_so(cemv_bytes response, unsigned status, unsigned reason, unsigned l2, unsigned status_word)
{
    open_reader(CEMV_PROFILE_BOOK);
    select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
    answer(response);
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    property(says(outcome, status, reason, l2, status_word), "an end says why", l2 << 16 | status_word);
    property(outcome.error_indication[5] == outcome.ui_on_outcome.message, "and what is shown",
             outcome.error_indication[5]);
}

static void properties_of_errors(void)
{
    enum { OTHER = CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, END = CEMV_OUTCOME_END_APPLICATION };
    static const char locator[] =
        "\x77\x26\x82\2\x19\0\x9F\x36\2\0\1\x9F\x26\10\1\2\3\4\5\6\7\10\x9F\x27\1\x80\x9F\x10\1\1"
        "\x9F\x71\2\0\0\x94\4\xF8\1\1\0\x90\0";
    ends_so(BYTES("\x6A\x81"), OTHER, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, 0x6A81);
    ends_so(BYTES("\x80\2\x19\0\x90\0"), OTHER, CEMV_REASON_CARD_DATA, CEMV_L2_PARSING_ERROR, 0);
    ends_so(BYTES("\x77\4\x82\2\x19\0\x90\0"), OTHER, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR, 0);
    uint8_t good[sizeof locator - 1];
    memcpy(good, locator, sizeof good);
    good[1] = (uint8_t)(sizeof good - 4);
    ends_so(of(good, sizeof good), END, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR, 0);
    good[sizeof good - 6] = 0x08;
    open_reader(CEMV_PROFILE_BOOK);
    select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
    property(answer(of(good, sizeof good)) == CEMV_STEP_SEND, "a record is read", 0);
    answer(BYTES("\x6A\x83"));
    property(says(cemv_session_outcome(session), END, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, 0x6A83), "or not",
             0);
    static const struct {
        const char *record;
        uint8_t size, l2;
    } records[] = { { "\x70\2\x5A\1\x90\0", 6, CEMV_L2_PARSING_ERROR },
                    { "\x70\4\x9F\x36\1\1\x90\0", 8, CEMV_L2_CARD_DATA_ERROR },
                    { "\x70\5\x9F\x36\2\0\1\x90\0", 9, CEMV_L2_CARD_DATA_ERROR } };
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++) {
        open_reader(CEMV_PROFILE_BOOK);
        select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
        answer(of(good, sizeof good));
        answer(of(records[i].record, records[i].size));
        property(says(cemv_session_outcome(session), END, CEMV_REASON_CARD_DATA, records[i].l2, 0),
                 "what a record lacks", (unsigned)i);
    }
    open_reader(CEMV_PROFILE_BOOK);
    select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
    answer(of(good, sizeof good));
    answer(BYTES("\x70\x0E\x57\x0C\x60\x11\0\x09\x90\x13\x94\x24\xD3\x13\x22\1\x90\0"));
    property(says(cemv_session_outcome(session), END, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR, 0),
             "a month that is none", 0);
    good[sizeof good - 6] = 10 << 3;
    open_reader(CEMV_PROFILE_BOOK);
    select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
    answer(of(good, sizeof good));
    answer(BYTES("\x57\x10" TRACK_2_OF_LAWS "\x90\0"));
    property(cemv_session_outcome(session).status == END, "file 10 has records of template 70 too", 0);
    open_reader(CEMV_PROFILE_BOOK);
    select_card(BYTES("\1\2\3\4"), BYTES("\x6F\x0A\x84\5\xA0\0\0\1\x52\xA5\1\x50\x90\0"));
    property(says(cemv_session_outcome(session), OTHER, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR, 0), "a bad FCI",
             0);
}

/* ---- the record, and the second presentment ---- */

static bool record_is(uint32_t tag, cemv_bytes value)
{
    struct cemv_tlv object;
    return cemv_tlv_find(cemv_session_data_record(session), tag, &object) && cemv_bytes_equal(object.value, value);
}

static void properties_of_results(void)
{
    open_reader(CEMV_PROFILE_BOOK);
    const struct cemv_outcome outcome = outcome_of_arqc("\x80\0", 0x20, of(NULL, 0));
    property(outcome.cvm == CEMV_CVM_ONLINE_PIN && record_is(0x95, BYTES("\x80\0\4\0\0")) &&
                 record_is(0x9B, BYTES("\x48\0")),
             "what was done is in the record", 0);
    property(record_is(0x84, BYTES("\xA0\0\0\1\x52\x30\x10")) && record_is(0x9F06, BYTES("\xA0\0\0\1\x52\x30\x10")),
             "both names", 0);
    outcome_of_arqc("\0\0", 0x20, BYTES("\x9F\2\6\0\0\0\0\0\1\x9F\2\6\0\0\0\0\0\1"));
    property(cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST,
             "what is not the card's may stand twice", 0);
    outcome_of_arqc("\0\0", 0x20, BYTES("\x5A\1\1\x5A\1\1"));
    property(cemv_session_outcome(session).status == CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, "what is the card's may not",
             0);
}

/* The tags of the data record, in any order; 0 ends them. */
static bool record_has_only(const uint32_t *tags)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(cemv_session_data_record(session));
    struct cemv_tlv object;
    size_t count = 0, listed = 0, found_in_list = 0;
    while (tags[listed] != 0) listed++;
    for (; cemv_tlv_next(&cursor, &object); count++)
        for (size_t i = 0; i < listed; i++) found_in_list += tags[i] == object.tag;
    return cursor.error == CEMV_WIRE_OK && count == listed && found_in_list == listed;
}

/* Table 4-8, and 5F2A; nothing else of the store. */
static void properties_of_records(void)
{
    static const uint32_t online[] = { 0x9F02, 0x5F2A, 0x9F1A, 0x9F33, 0x9F35, 0x9A,   0x9C,   0x9F26,
                                       0x82,   0x9F36, 0x9F10, 0x9F37, 0x9F06, 0x5F34, 0x9F07, 0x9F27,
                                       0x9F09, 0x57,   0x84,   0x95,   0x9B,   0 };
    static const uint32_t without_57[] = { 0x9F02, 0x5F2A, 0x9F1A, 0x9F33, 0x9F35, 0x9A,   0x9C,
                                           0x9F26, 0x82,   0x9F36, 0x9F10, 0x9F37, 0x9F06, 0x9F27,
                                           0x9F09, 0x5A,   0x5F24, 0x84,   0x95,   0x9B,   0 };
    static const uint32_t declined[] = { 0x9F02, 0x5F2A, 0x9F1A, 0x9F33, 0x9F35, 0x9A, 0x9C, 0 };
    open_reader(CEMV_PROFILE_BOOK);
    struct cemv_outcome outcome = outcome_of_arqc("\0\0", 0x20, BYTES("\x5A\x08\x60\x11\0\x09\x90\x13\x94\x24"));
    property(says(outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL, CEMV_L2_OK, 0) && record_has_only(online),
             "online", 0);
    property(outcome.ui_on_outcome.status == CEMV_UI_CARD_READ, "with the card read (B.2)", 0);
    select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
    answer(BYTES(arqc_with_records));
    answer(BYTES("\x70\x10\x5A\x08\x60\x11\0\x09\x90\x13\x94\x24\x5F\x24\3\x30\x12\x31\x90\0"));
    property(record_has_only(without_57), "online without Track 2", 0);
    sale.date[0] = 0x31;
    outcome = outcome_of_arqc("\0\4", 0x20, of(NULL, 0));
    property(says(outcome, CEMV_OUTCOME_DECLINED, CEMV_REASON_KERNEL, CEMV_L2_OK, 0) && record_has_only(declined),
             "declined", outcome.status);
}

/* F3-6.14: what the card's PDOL asks of TVR and TSI is what they begin with. */
static void properties_of_reset_results(void)
{
    static const char asks[] = "\x6F\x2F\x84\7\xA0\0\0\1\x52\x30\x10\xA5\x24\x50\5D-PAS\x9F\x38\x1A"
                               "\x9F\x66\4\x9F\2\6\x9F\3\6\x9F\x1A\2\x5F\x2A\2\x9A\3\x9C\1\x9F\x37\4\x95\5\x9B\2"
                               "\x90\0";
    open_reader(CEMV_PROFILE_BOOK);
    select_card(BYTES("\1\2\3\4"), BYTES(asks));
    const cemv_bytes command = cemv_session_command(session);
    property(cemv_session_step(session) == CEMV_STEP_SEND && command.size == 43 &&
                 memcmp(command.data + 35, "\x80\0\0\0\0\0\0\0", 8) == 0,
             "TVR and TSI begin anew", (unsigned)command.size);
}

/* Up to what is sent of the script `answer_online`, behind `second`. */
static void update(uint8_t profile, cemv_bytes second, cemv_bytes answer_online)
{
    open_reader(profile);
    ttq[2] = 0xC0;
    const struct cemv_outcome outcome = outcome_of_arqc("\0\x10", 0x20, of(NULL, 0));
    property(outcome.start == CEMV_START_B && outcome.online_response == CEMV_ONLINE_RESPONSE_EMV_DATA &&
                 cemv_session_step(session) == CEMV_STEP_PARKED,
             "an update is offered", outcome.start);
    property(outcome.ui_on_outcome.status == CEMV_UI_STATUS_NA, "with no status (B.3)", outcome.ui_on_outcome.status);
    say(CEMV_REPLY_ONLINE, answer_online);
    say(CEMV_REPLY_CARD, of(NULL, 0));
    answer(second);
    if (cemv_session_step(session) == CEMV_STEP_ASK) say(CEMV_REPLY_DATA, BYTES("\5\6\7\x08"));
}

/* Which name is another one; and the exact bytes that are passed on. */
static void properties_of_updates(void)
{
    static const struct {
        const char *given;
        uint8_t given_size;
        const char *sent;
        uint8_t sent_size;
    } scripts[] = {
        { "\x72\7\x86\5\x84\x18\0\0\0", 9, "\x84\x18\0\0\0", 5 },
        { "\x71\x08\x86\6\x84\xDA\x9F\x53\1\7", 10, "\x84\xDA\x9F\x53\1\7", 6 },
        { "\x72\x09\x86\7\x84\xDC\1\x0C\1\7\0", 11, "\x84\xDC\1\x0C\1\7\0", 7 },
        { "\x72\x09\x86\7\x84\x1E\0\0\1\7\x10", 11, "\x84\x1E\0\0\1\7\x10", 7 },
    };
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        update(CEMV_PROFILE_BOOK, BYTES(emv_fci), of(scripts[i].given, scripts[i].given_size));
        property(cemv_session_step(session) == CEMV_STEP_SEND &&
                     cemv_bytes_equal(cemv_session_command(session), of(scripts[i].sent, scripts[i].sent_size)),
                 "a command is passed on as it is", (unsigned)i);
    }
    static const char longer[] = "\x6F\x2F\x84\x08\xA0\0\0\1\x52\x30\x10\0\xA5\x23\x50\5D-PAS\x9F\x38\x16"
                                 "\x9F\x66\4\x9F\2\6\x9F\3\6\x9F\x1A\2\x5F\x2A\2\x9A\3\x9C\1\x9F\x37\4\x5F\x2D\0"
                                 "\x90\0";
    update(CEMV_PROFILE_GUARDED, BYTES(longer), of(scripts[0].given, scripts[0].given_size));
    property(cemv_session_step(session) == CEMV_STEP_DONE, "a longer name is another one", 0);
    uint8_t fci[sizeof emv_fci - 1];
    memcpy(fci, emv_fci, sizeof fci);
    fci[10] = 0x11; /* the last byte of the name */
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_STRICT; profile++) {
        update(profile, of(fci, sizeof fci), of(scripts[0].given, scripts[0].given_size));
        const bool book = profile == CEMV_PROFILE_BOOK;
        property((cemv_session_step(session) == CEMV_STEP_SEND) == book, "another name is another card", profile);
        if (book) answer(BYTES("\x90\0"));
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        property((outcome.findings >> CEMV_FINDING_DF_NAME_MISMATCH & 1u) != 0, "and is noticed", profile);
        property(outcome.reason == (book ? CEMV_REASON_KERNEL : CEMV_REASON_CARD_SWITCHED), "why it ended", profile);
        property(!outcome.data_record_present && !outcome.ui_on_outcome_present, "silently", profile);
    }
}

/* The issuer's answer as `template` with `size` bytes of `value`; at most four bytes of header. */
static cemv_bytes template_of(uint8_t template, const uint8_t *value, size_t size)
{
    static uint8_t bytes[CEMV_MAX_ISSUER_DATA + 64];
    size_t at = 0;
    bytes[at++] = template;
    if (size > 255) bytes[at++] = 0x82, bytes[at++] = (uint8_t)(size >> 8);
    else if (size > 127) bytes[at++] = 0x81;
    bytes[at++] = (uint8_t)size;
    memcpy(bytes + at, value, size);
    return of(bytes, at + size);
}

/* All commands that go out, each answered 9000. */
static unsigned commands_sent(void)
{
    unsigned count = 0;
    while (cemv_session_step(session) == CEMV_STEP_SEND && count < 100) {
        count++;
        answer(BYTES("\x90\0"));
    }
    return count;
}

static bool update_ended(uint8_t tvr_5, uint8_t tsi_1)
{
    const uint8_t tvr[5] = { 0x80, 0, 0, 0, tvr_5 }, tsi[2] = { tsi_1 };
    struct cemv_tlv found_tvr, found_tsi;
    const cemv_bytes discretionary = cemv_session_discretionary(session);
    return cemv_session_step(session) == CEMV_STEP_DONE &&
           cemv_session_outcome(session).status == CEMV_OUTCOME_END_APPLICATION &&
           cemv_tlv_find(discretionary, 0x95, &found_tvr) && cemv_tlv_find(discretionary, 0x9B, &found_tsi) &&
           cemv_bytes_equal(found_tvr.value, of(tvr, 5)) && cemv_bytes_equal(found_tsi.value, of(tsi, 2));
}

enum { SHORTEST = 7, TSI_BEFORE = 0x08, TSI_SENT = 0x1C, SCRIPT_FAILED = 0x20 };

static size_t put_commands(uint8_t *out, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        memcpy(out + (size_t)SHORTEST * i, (uint8_t[]){ 0x86, 5, 0x84, 0x18, 0, (uint8_t)i, 0 }, SHORTEST);
    return (size_t)SHORTEST * count;
}

/* Nothing but the size of the issuer's answer bounds the number of commands: as many as fit are sent, in order; one
 * byte more than it may have, and the answer is not taken. */
static void properties_of_many_commands(void)
{
    uint8_t script[CEMV_MAX_ISSUER_DATA + 64];
    for (unsigned count = 0; count * SHORTEST <= CEMV_MAX_ISSUER_DATA; count++) {
        const cemv_bytes given = template_of(count % 2 ? 0x71 : 0x72, script, put_commands(script, count));
        update(CEMV_PROFILE_GUARDED, BYTES(emv_fci), given);
        if (given.size > CEMV_MAX_ISSUER_DATA) continue;
        unsigned sent = 0;
        for (; cemv_session_step(session) == CEMV_STEP_SEND && sent < count; sent++) {
            property(cemv_session_command(session).data[3] == sent, "in their order", sent);
            answer(BYTES("\x90\0"));
        }
        property(sent == count && update_ended(0, count ? TSI_SENT : TSI_BEFORE), "every command, once", count);
    }
    for (size_t size = CEMV_MAX_ISSUER_DATA - 1; size <= CEMV_MAX_ISSUER_DATA + 1; size++) {
        const size_t header = 4, at = put_commands(script, 2), filler = size - header - at - 5;
        memset(script + at, 0, filler + 5);
        memcpy(script + at, "\xDF\1\x82", 3);
        script[at + 3] = (uint8_t)(filler >> 8);
        script[at + 4] = (uint8_t)filler;
        const cemv_bytes given = template_of(0x72, script, size - header);
        property(given.size == size, "a size", (unsigned)given.size);
        update(CEMV_PROFILE_BOOK, BYTES(emv_fci), given);
        if (size <= CEMV_MAX_ISSUER_DATA)
            property(commands_sent() == 2 && update_ended(0, TSI_SENT), "an answer that fits", (unsigned)size);
        else
            property(cemv_session_step(session) == CEMV_STEP_PARKED &&
                         cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST,
                     "an answer that is too long is not taken", (unsigned)size);
    }
}

/* One command of every size that an answer holds, with every Lc near its own: it goes out as it is, or counts as failed
 * and nothing goes out. */
static void properties_of_long_commands(void)
{
    uint8_t script[300];
    for (size_t size = 0; size <= 245; size++) {
        for (int off = -2; off <= 2; off++) {
            const size_t header = size > 127 ? 3 : 2;
            const bool is_command = size >= 5 && (off == 0 || off == -1) && !(size == 5 && off != 0);
            if ((int)size - 5 + off < 0 && size >= 5) continue;
            memset(script, 0, sizeof script);
            script[0] = 0x86;
            script[1] = header == 3 ? 0x81 : (uint8_t)size;
            script[header - 1] = (uint8_t)size;
            memcpy(script + header, (uint8_t[]){ 0x84, 0xDA, 0x9F, 0x53, (uint8_t)((int)size - 5 + off) },
                   size < 5 ? size : 5);
            update(CEMV_PROFILE_BOOK, BYTES(emv_fci), template_of(0x71, script, header + size));
            const cemv_bytes command = cemv_session_command(session);
            const bool sent = cemv_session_step(session) == CEMV_STEP_SEND;
            property(sent == is_command, "a command is whole", (unsigned)(size << 4 | (unsigned)(off + 2)));
            if (sent)
                property(command.size >= (size == 6 && off != 0 ? 5 : size) && /* there Le alone follows the header */
                             memcmp(command.data, script + header, command.size < size ? 5 : size) == 0,
                         "and as it is", (unsigned)size);
            property(commands_sent() == (unsigned)sent &&
                         update_ended(sent ? 0 : SCRIPT_FAILED, sent ? TSI_SENT : TSI_BEFORE),
                     "or counts as failed", (unsigned)size);
        }
    }
    struct cemv_command none;
    property(!k6_script_command(of(NULL, 0), &none), "nothing is no command", 0);
}

/* A script that breaks off anywhere: behind a whole command it is shorter, inside one nothing goes out; an answer that
 * breaks off itself is one without data. Commands outside a template are none. */
static void properties_of_cut_scripts(void)
{
    uint8_t script[64];
    const size_t whole = put_commands(script, 3);
    for (uint8_t template = 0x71; template <= 0x72; template ++) {
        for (size_t size = 0; size <= whole; size++) {
            const bool sound = size % SHORTEST == 0;
            update(CEMV_PROFILE_BOOK, BYTES(emv_fci), template_of(template, script, size));
            const unsigned sent = commands_sent();
            property(sent == (sound ? size / SHORTEST : 0), "whole commands of a whole script", (unsigned)size);
            property(update_ended(sound ? 0 : SCRIPT_FAILED, sent ? TSI_SENT : TSI_BEFORE), "a cut one failed",
                     (unsigned)size);
        }
        const cemv_bytes given = template_of(template, script, whole);
        for (size_t size = 0; size < given.size; size++) {
            update(CEMV_PROFILE_BOOK, BYTES(emv_fci), of(given.data, size));
            property(commands_sent() == 0 && cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST,
                     "a cut answer", (unsigned)size);
        }
        uint8_t stray[64];
        memcpy(stray, given.data, given.size);
        const size_t more = put_commands(stray + given.size, 1);
        update(CEMV_PROFILE_BOOK, BYTES(emv_fci), of(stray, given.size + more));
        property(commands_sent() == 3 && update_ended(0, TSI_SENT), "a command outside a template", template);
    }
}

/* MS Mode has no update, whatever stands in its answers; nor any other object of an EMV card. */
static void properties_of_tracks_alone(void)
{
    static const char fci[] = "\x6F\x11\x84\7\xA0\0\0\1\x52\x30\x10\xA5\6\x9F\x38\3\x9F\x37\4\x90\0";
    open_reader(CEMV_PROFILE_BOOK);
    ttq[0] = 0x90;
    ttq[2] = 0xC0;
    select_card(BYTES("\0\0\0\1"), BYTES(fci));
    answer(BYTES("\x77\x0F\x82\2\x19\0\x9F\x71\2\0\x10\x94\4\x08\1\1\0\x90\0"));
    answer(BYTES("\x70\x12\x57\x10\x60\x11\0\x09\x90\x13\x94\x24\xD3\x01\x22\1\0\0\x01\x23\x90\0"));
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    property(outcome.status == CEMV_OUTCOME_ONLINE_REQUEST && outcome.start == CEMV_START_NA &&
                 outcome.cvm == CEMV_CVM_NA,
             "tracks go online, once", outcome.start);
    property(outcome.findings == 0, "a reader of tracks alone has no better mode", outcome.findings);
    property(!record_is(0x9F71, BYTES("\0\x10")) &&
                 record_is(0x57, BYTES("\x60\x11\0\x09\x90\x13\x94\x24\xD3\x01\x22\1\0\0\x01"
                                       "\x23")),
             "and tracks alone", 0);
}

/* What a fault of the link says, and that a card that comes back begins anew. */
static void properties_of_faults(void)
{
    static const uint8_t kinds[] = { CEMV_REPLY_TIMEOUT, CEMV_REPLY_TRANSMISSION, CEMV_REPLY_PROTOCOL,
                                     CEMV_REPLY_REMOVED };
    static const uint8_t faults[] = { CEMV_L1_TIMEOUT, CEMV_L1_TRANSMISSION, CEMV_L1_PROTOCOL, CEMV_L1_TIMEOUT };
    for (size_t i = 0; i < sizeof kinds; i++) {
        open_reader(CEMV_PROFILE_BOOK);
        select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
        property(say(kinds[i], of(NULL, 0)) == CEMV_STEP_POLL, "a fault asks for the card again", (unsigned)i);
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        property(outcome.status == CEMV_OUTCOME_TRY_AGAIN && outcome.error_indication[0] == faults[i], "and is named",
                 (unsigned)i);
    }
    open_reader(CEMV_PROFILE_BOOK);
    select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
    answer(BYTES("\x69\x86"));
    property(says(cemv_session_outcome(session), CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES,
                  0x6986),
             "so is a request of the phone", 0);

    static const char fci[] = "\x6F\x11\x84\7\xA0\0\0\1\x52\x30\x10\xA5\6\x9F\x38\3\x9F\x37\4\x90\0";
    static const char gpo[] = "\x77\x0A\x82\2\x19\0\x94\4\x08\1\2\0\x90\0";
    static const char record[] = "\x70\x06\xDF\x62\3\x42\x31\x5E\x90\0";
    open_reader(CEMV_PROFILE_BOOK);
    ttq[0] = 0x90;
    options.track_1_tag = 0xDF62;
    select_card(BYTES("\0\0\0\1\0\0\0\2"), BYTES(fci));
    answer(BYTES(gpo));
    answer(BYTES(record));
    say(CEMV_REPLY_TIMEOUT, of(NULL, 0));
    say(CEMV_REPLY_CARD, of(NULL, 0));
    answer(BYTES("\x6F\x20\x84\x0E"
                 "2PAY.SYS.DDF01\xA5\x0E\xBF\x0C\x0B\x61\x09\x4F\7\xA0\0\0\1\x52\x30\x10\x90\0"));
    answer(BYTES(fci));
    answer(BYTES(gpo));
    answer(BYTES(record));
    answer(BYTES("\x70\x12\x57\x10\x60\x11\0\x09\x90\x13\x94\x24\xD3\x01\x22\1\0\0\x01\x23\x90\0"));
    property(cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST &&
                 record_is(0xDF62, BYTES("\x42\x31\x5E")),
             "nothing of the first presentment is in the way", 0);
    open_reader(CEMV_PROFILE_BOOK);
    ttq[0] = 0x90;
    options.track_1_tag = 0xDF62;
    select_card(BYTES("\0\0\0\1"), BYTES(fci));
    answer(BYTES(gpo));
    answer(BYTES(record));
    answer(BYTES(record));
    property(says(cemv_session_outcome(session), CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA,
                  CEMV_L2_CARD_DATA_ERROR, 0),
             "within one presentment Track 1 stands once", 0);
}

/* Why a decision was taken, where a rule beyond the book has its part in it. */
static void properties_of_reasons(void)
{
    open_reader(CEMV_PROFILE_BOOK);
    sale.amount = 12000;
    ttq[0] = 0x30;
    struct cemv_outcome outcome = outcome_of_arqc("\x80\0", 0x20, of(NULL, 0));
    property(says(outcome, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_REASON_KERNEL, CEMV_L2_OK, 0), "nothing in common",
             0);
    open_reader(CEMV_PROFILE_GUARDED);
    sale.amount = 12000;
    ttq[0] = 0x30;
    outcome = outcome_of_arqc("\0\1", 0x20, of(NULL, 0));
    property(says(outcome, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_REASON_PROTECTION, CEMV_L2_OK, 0), "nothing proven",
             0);
    open_reader(CEMV_PROFILE_GUARDED);
    sale.amount = 12000;
    outcome = outcome_of_arqc("\0\1", 0x20, of(NULL, 0));
    property(outcome.status == CEMV_OUTCOME_ONLINE_REQUEST && outcome.cvm == CEMV_CVM_ONLINE_PIN &&
                 (outcome.findings >> CEMV_FINDING_CVM_FROM_PLAIN_DATA & 1u) != 0,
             "a PIN instead", outcome.cvm);
    property(!record_is(0x9F03, BYTES("\0\0\0\0\0\0")), "no cash back, no amount of it", 0);
    open_reader(CEMV_PROFILE_BOOK);
    sale.amount_other = 5;
    outcome_of_arqc("\0\0", 0x20, of(NULL, 0));
    property(record_is(0x9F03, BYTES("\0\0\0\0\0\5")), "cash back", 0);
    static const char fci[] = "\x6F\x11\x84\7\xA0\0\0\1\x52\x30\x10\xA5\6\x9F\x38\3\x9F\x37\4\x90\0";
    open_reader(CEMV_PROFILE_BOOK);
    ttq[0] = 0x90;
    select_card(BYTES("\0\0\0\1"), BYTES(fci));
    answer(BYTES("\x77\x0A\x82\2\x19\0\x94\4\x58\1\1\0\x90\0"));
    answer(BYTES("\x90\0"));
    property(says(cemv_session_outcome(session), CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA,
                  CEMV_L2_CARD_DATA_MISSING, 0),
             "a record of its owner's is left out; then there is no track", 0);
    open_reader(CEMV_PROFILE_BOOK);
    ttq[0] = 0x90;
    select_card(BYTES("\0\0\0\1"), BYTES(fci));
    answer(BYTES("\x77\x0A\x82\2\x19\0\x94\4\x08\1\1\0\x90\0"));
    answer(BYTES("\x70\x16\x57\x14\x60\x11\0\x09\x90\x13\x94\x24\xD3\x01\x22\1\0\0\x01\x23\0\0\0\0\x90\0"));
    property(says(cemv_session_outcome(session), CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA,
                  CEMV_L2_CARD_DATA_ERROR, 0),
             "nor is one of 20 bytes", 0);
    open_reader(CEMV_PROFILE_GUARDED);
    ttq[0] = 0x90;
    select_card(BYTES("\0\0\0\1"), BYTES(fci));
    answer(BYTES("\x77\x0A\x82\2\x19\0\x94\4\x08\1\1\0\x90\0"));
    answer(BYTES("\x70\4\x57\2\x60\x11\x90\0"));
    outcome = cemv_session_outcome(session);
    property(outcome.status == CEMV_OUTCOME_ONLINE_REQUEST && outcome.findings == 0, "a track without an account", 0);
}

/* A TC whose signature cannot be looked at, and a locator that names a record twice. */
static void properties_of_signed_answers(void)
{
    static const char tc[] = "\x77\x2E\x82\2\x19\0\x9F\x36\2\0\1\x9F\x27\1\x40\x9F\x10\4\1\x15\x10\0\x9F\x71\2\0\0"
                             "\x9F\x4B\4\1\2\3\4\x94\x08\x08\1\1\0\x10\1\1\0\x90\0";
    static const char record[] = "\x70\x12\x57\x10\x60\x11\0\x09\x90\x13\x94\x24\xD3\x01\x22\1\0\0\x01\x23\x90\0";
    uint8_t body[sizeof tc - 1];
    memcpy(body, tc, sizeof body);
    body[1] = (uint8_t)(sizeof body - 4);
    open_reader(CEMV_PROFILE_BOOK);
    select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
    answer(of(body, sizeof body));
    answer(BYTES(record));
    answer(BYTES("\x70\0\x90\0"));
    property(says(cemv_session_outcome(session), CEMV_OUTCOME_DECLINED, CEMV_REASON_KERNEL, CEMV_L2_CAM_FAILED, 0),
             "a TC without a signature that holds", cemv_session_outcome(session).status);
    body[sizeof body - 6] = 0x08; /* the same file again */
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_BOOK; profile++) {
        open_reader(profile);
        select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
        const bool reads = answer(of(body, sizeof body)) == CEMV_STEP_SEND;
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        property(reads == (profile == CEMV_PROFILE_BOOK), "a record twice", profile);
        if (!reads)
            property(says(outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0) &&
                         found(outcome, CEMV_FINDING_RECORD_REPEATED),
                     "is refused, and noticed", profile);
    }
    open_reader(CEMV_PROFILE_BOOK);
    options.track_1_tag = 0xDF62;
    body[sizeof body - 6] = 0x10;
    select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
    answer(of(body, sizeof body));
    answer(BYTES("\x70\4\xDF\x62\1\1\x90\0"));
    answer(BYTES("\x70\4\xDF\x62\1\1\x90\0"));
    property(cemv_session_outcome(session).status == CEMV_OUTCOME_DECLINED, "Track 1 is an object of the MS modes", 0);
}

/* ---- MS modes ---- */

static const char ms_fci[] = "\x6F\x11\x84\7\xA0\0\0\1\x52\x30\x10\xA5\6\x9F\x38\3\x9F\x37\4\x90\0";

static void properties_of_digits(void)
{
    /* The pool is dry: random bytes are asked for until they give digits. */
    open_reader(CEMV_PROFILE_BOOK);
    ttq[0] = 0x90;
    select_card(BYTES("\xFF\xFF\xFF\xFF"), BYTES(ms_fci));
    property(cemv_session_step(session) == CEMV_STEP_ASK && cemv_session_question(session).kind == CEMV_ASK_RANDOM,
             "what gives no digits is drawn again", cemv_session_step(session));
    property(say(CEMV_REPLY_DATA, BYTES("\xFF\xFF\xFF\xFE")) == CEMV_STEP_ASK, "and again", 0);
    property(say(CEMV_REPLY_DATA, BYTES("\xFF\xFF\xFF\xFE\0\0\0\x2A")) == CEMV_STEP_SEND, "until it does", 0);
    const cemv_bytes command = cemv_session_command(session);
    property(cemv_bytes_equal(command, BYTES("\x80\xA8\0\0\6\x83\4\0\0\0\x42\0")), "digits go out",
             (unsigned)command.size);

    open_reader(CEMV_PROFILE_BOOK);
    ttq[0] = 0x90;
    select_card(BYTES("\xFF\xFF\xFF\xFF"), BYTES(ms_fci));
    property(say(CEMV_REPLY_DATA, BYTES("\1\2\3")) == CEMV_STEP_DONE &&
                 says(cemv_session_outcome(session), CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_RANDOM, CEMV_L2_OK, 0),
             "without random bytes it ends", cemv_session_outcome(session).reason);
    open_reader(CEMV_PROFILE_BOOK);
    ttq[0] = 0x90;
    select_card(BYTES("\xFF\xFF\xFF\xFF"), BYTES(ms_fci));
    property(say(CEMV_REPLY_DEADLINE, of(NULL, 0)) == CEMV_STEP_DONE &&
                 says(cemv_session_outcome(session), CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_RANDOM, CEMV_L2_OK, 0),
             "nor does it wait for them", 0);
}

/* Who has MS Mode: what the configuration and the protection say, in this order. */
static void properties_of_modes(void)
{
    static const struct {
        uint8_t profile, magstripe, ttq, mode;
        bool sends;
    } readers[] = {
        { CEMV_PROFILE_BOOK, 0, 0x90, CEMV_KERNEL_6_MODE_AUTO, true },
        { CEMV_PROFILE_BOOK, CEMV_RULE_OFF, 0x90, CEMV_KERNEL_6_MODE_AUTO, false },
        { CEMV_PROFILE_GUARDED, CEMV_RULE_OFF, 0x90, CEMV_KERNEL_6_MODE_AUTO, false },
        { CEMV_PROFILE_STRICT, 0, 0x90, CEMV_KERNEL_6_MODE_AUTO, true },
        { CEMV_PROFILE_BOOK, 0, 0xB0, CEMV_KERNEL_6_MODE_AUTO, false },
        { CEMV_PROFILE_BOOK, 0, 0xB0, CEMV_KERNEL_6_MODE_MS, true },
        { CEMV_PROFILE_BOOK, 0, 0x30, CEMV_KERNEL_6_MODE_LEGACY, true },
        { CEMV_PROFILE_BOOK, 0, 0x90, CEMV_KERNEL_6_MODE_EMV, false },
    };
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        open_reader(readers[i].profile);
        configuration.protection.magstripe = readers[i].magstripe;
        options.mode = readers[i].mode;
        ttq[0] = readers[i].ttq;
        select_card(BYTES("\0\0\0\1"), BYTES(ms_fci));
        property((cemv_session_step(session) == CEMV_STEP_SEND) == readers[i].sends, "MS Mode where it is on",
                 (unsigned)i);
        if (!readers[i].sends)
            property(cemv_be16(cemv_session_outcome(session).error_indication + 3) == 0, "or no status of a card", i);
    }
}

/* A card that offers both modes: which one goes on shows in the number, of digits or as it was drawn. */
static void properties_of_both_modes(void)
{
    static const char both[] =
        "\x6F\x33\x84\7\xA0\0\0\1\x52\x30\x10\xA5\x28\x50\5D-PAS\x9F\x38\x16"
        "\x9F\x66\4\x9F\2\6\x9F\3\6\x9F\x1A\2\x5F\x2A\2\x9A\3\x9C\1\x9F\x37\4\xBF\x0C\5\x9F\x7D\2"
        "\1\0\x90\0";
    static const struct {
        uint8_t profile, ttq, mode, rule;
        bool own, digits;
    } readers[] = {
        { CEMV_PROFILE_BOOK, 0xB6, CEMV_KERNEL_6_MODE_AUTO, 0, false, true },
        { CEMV_PROFILE_BOOK, 0x36, CEMV_KERNEL_6_MODE_AUTO, 0, false, false },
        { CEMV_PROFILE_BOOK, 0xB6, CEMV_KERNEL_6_MODE_EMV, 0, false, false },
        { CEMV_PROFILE_GUARDED, 0xB6, CEMV_KERNEL_6_MODE_AUTO, 0, false, true },
        { CEMV_PROFILE_GUARDED, 0xB6, CEMV_KERNEL_6_MODE_AUTO, CEMV_RULE_OFF, false, false },
        { CEMV_PROFILE_STRICT, 0xB6, CEMV_KERNEL_6_MODE_AUTO, 0, false, false },
        { CEMV_PROFILE_STRICT, 0xB6, CEMV_KERNEL_6_MODE_AUTO, CEMV_RULE_ENFORCE, false, false },
        { CEMV_PROFILE_STRICT, 0xB6, CEMV_KERNEL_6_MODE_AUTO, CEMV_RULE_ENFORCE, true, true },
        { CEMV_PROFILE_STRICT, 0xB6, CEMV_KERNEL_6_MODE_AUTO, 0, true, false },
    };
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        open_reader(readers[i].profile);
        configuration.protection.magstripe = readers[i].rule;
        row.own_protection = readers[i].own;
        row.protection = configuration.protection;
        options.mode = readers[i].mode;
        ttq[0] = readers[i].ttq;
        select_card(BYTES("\0\0\0\x0C"), BYTES(both));
        const cemv_bytes command = cemv_session_command(session);
        property(cemv_session_step(session) == CEMV_STEP_SEND && command.size == 36 &&
                     command.data[34] == (readers[i].digits ? 0x12 : 0x0C),
                 "MS Mode where both have it and it is on", (unsigned)i);
        if (readers[i].digits) {
            answer(BYTES("\x77\x0A\x82\2\x19\0\x94\4\x08\1\1\0\x90\0"));
            answer(BYTES("\x70\x12\x57\x10" TRACK_2_OF_LAWS "\x90\0"));
        } else answer(BYTES("\x6A\x80"));
        property((cemv_session_outcome(session).findings >> CEMV_FINDING_MODE_DOWNGRADE & 1u) == readers[i].digits,
                 "the weaker mode is noticed (A27)", (unsigned)i);
    }
}

/* Track 1 where the configuration says it is, and nowhere else. */
static void properties_of_track_1(void)
{
    open_reader(CEMV_PROFILE_BOOK);
    options.track_1_tag = 0xDF62;
    select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
    answer(BYTES(arqc_with_records));
    answer(BYTES("\x70\x1A\x57\x10" TRACK_2_OF_LAWS "\xDF\x62\1\x42\xDF\x62\1\x42\x90\0"));
    property(cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST, "EMV Mode knows no Track 1", 0);
    static const char gpo[] = "\x77\x0A\x82\2\x19\0\x94\4\x08\1\1\0\x90\0";
    static const struct {
        uint32_t tag;
        const char *record;
        size_t size;
        const char *track_1;
    } cards[] = {
        { 0x56, SIZED("\x70\x17\x57\x10" TRACK_2_OF_LAWS "\x56\3\x42\x31\x5E\x90\0"), "\x42\x31\x5E" },
        { 0xDF62, SIZED("\x70\x12\x57\x10" TRACK_2_OF_LAWS "\x90\0"), NULL },
        { 0xDF62, SIZED("\x70\x15\x57\x10" TRACK_2_OF_LAWS "\xDF\x62\0\x90\0"), NULL },
        { 0xDF62, SIZED("\x70\x17\x57\x10" TRACK_2_OF_LAWS "\x56\3\x42\x31\x5E\x90\0"), NULL },
        { 0xDF62, SIZED("\x70\x1B\x57\x10" TRACK_2_OF_LAWS "\xDF\x62\0\xDF\x62\3\x42\x31\x5E\x90\0"), "\x42\x31\x5E" },
        { 0xDF62, SIZED("\x70\x1B\x57\x10" TRACK_2_OF_LAWS "\xDF\x62\3\x42\x31\x5E\xDF\x62\0\x90\0"), "\x42\x31\x5E" },
        { 0xDF62, SIZED("\x70\x16\x57\x10" TRACK_2_OF_LAWS "\xDF\x62\1\x42\x90\0"), "\x42" },
        { 0x56, SIZED("\x70\x15\x57\x10" TRACK_2_OF_LAWS "\x56\1\x42\x90\0"), "\x42" },
    };
    for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++) {
        struct cemv_tlv object;
        open_reader(CEMV_PROFILE_BOOK);
        ttq[0] = 0x90;
        options.track_1_tag = cards[i].tag;
        select_card(BYTES("\0\0\0\1"), BYTES(ms_fci));
        answer(BYTES(gpo));
        answer(of(cards[i].record, cards[i].size));
        property(cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST, "tracks go online", (unsigned)i);
        property(cards[i].track_1 ? record_is(cards[i].tag, of(cards[i].track_1, strlen(cards[i].track_1)))
                                  : !cemv_tlv_find(cemv_session_data_record(session), cards[i].tag, &object),
                 "with Track 1 where the card has one", (unsigned)i);
        property(cards[i].tag == 0x56 || !cemv_tlv_find(cemv_session_data_record(session), 0x56, &object),
                 "and of no other object", (unsigned)i);
    }
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_BOOK; profile++) {
        open_reader(profile);
        ttq[0] = 0x90;
        select_card(BYTES("\0\0\0\1"), BYTES(ms_fci));
        answer(BYTES(gpo));
        answer(BYTES("\x70\x1C\x57\x10" TRACK_2_OF_LAWS "\x5A\x08\x60\x11\0\x09\x90\x13\x94\x32\x90\0"));
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        property(profile == CEMV_PROFILE_BOOK
                     ? outcome.status == CEMV_OUTCOME_ONLINE_REQUEST
                     : says(outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0),
                 "two accounts are one too many beyond the book (SECURITY.md, A17)", profile);
    }
}

/* SECURITY.md, A17 and A26: what ends says that no status word did it. */
static void properties_of_refusals(void)
{
    open_reader(CEMV_PROFILE_GUARDED);
    struct cemv_outcome outcome = outcome_of_arqc("\0\0", 0x20, BYTES("\x5A\x08\x60\x11\0\x09\x90\x13\x94\x32"));
    property(says(outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0),
             "two accounts", outcome.error_indication[1]);
    open_reader(CEMV_PROFILE_STRICT);
    ttq[0] = 0x90;
    select_card(BYTES("\0\0\0\1"), BYTES(ms_fci));
    answer(BYTES("\x77\x0A\x82\2\x19\0\x94\4\x08\1\1\0\x90\0"));
    answer(BYTES("\x70\x12\x57\x10" TRACK_2_OF_LAWS "\x90\0"));
    outcome = cemv_session_outcome(session);
    property(says(outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0),
             "a static track", outcome.error_indication[1]);
}

/* In MS Mode a name of any length leaves no trace but its own: no Track 1 where the card has none. */
static void properties_of_long_names_in_ms_mode(void)
{
    uint8_t fci[96];
    for (uint8_t size = 7; size <= 48; size++) {
        struct cemv_tlv object;
        const size_t behind = sizeof ms_fci - 1 - 11;
        open_reader(CEMV_PROFILE_BOOK);
        ttq[0] = 0x90;
        memset(fci + 4, 0x11, size);
        memcpy(fci, ms_fci, 11);
        memcpy(fci + 4 + size, ms_fci + 11, behind);
        fci[1] = (uint8_t)(size + behind);
        fci[3] = size;
        select_card(BYTES("\0\0\0\1"), of(fci, 4 + size + behind));
        answer(BYTES("\x77\x0A\x82\2\x19\0\x94\4\x08\1\1\0\x90\0"));
        answer(BYTES("\x70\x12\x57\x10" TRACK_2_OF_LAWS "\x90\0"));
        property(cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST &&
                     record_is(0x57, BYTES(TRACK_2_OF_LAWS)) &&
                     !cemv_tlv_find(cemv_session_data_record(session), 0x56, &object),
                 "Track 2 alone", size);
    }
}

/* ---- what is short, long or missing ---- */

static void properties_of_oddities(void)
{
    open_reader(CEMV_PROFILE_GUARDED);
    options.cvr_byte = 25;
    struct cemv_outcome outcome = outcome_of_arqc("\0\0", 0x10, of(NULL, 0));
    property(outcome.status == CEMV_OUTCOME_ONLINE_REQUEST && outcome.findings == 0, "no CVR contradicts nothing", 0);
    outcome = outcome_of_arqc("\0\0", 0x20, BYTES("\x61\0\x61\0"));
    property(outcome.status == CEMV_OUTCOME_ONLINE_REQUEST, "a template is no object of F3-7", outcome.status);
    open_reader(CEMV_PROFILE_BOOK);
    select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
    property(answer(BYTES("\x90")) == CEMV_STEP_POLL, "half a status word is no answer", 0);
    outcome = cemv_session_outcome(session);
    property(outcome.status == CEMV_OUTCOME_TRY_AGAIN && outcome.error_indication[0] == CEMV_L1_PROTOCOL, "but a fault",
             0);
    open_reader(CEMV_PROFILE_BOOK);
    sale.amount = 12000;
    select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
    answer(BYTES("\x77\x2A\x82\2\x19\0\x9F\x36\2\0\1\x9F\x26\10\1\2\3\4\5\6\7\10\x9F\x27\1\x80\x9F\x10\4"
                 "\1\x15\x20\2\x9F\x71\2\x10\0\x94\4\x08\1\1\0\x90\0"));
    answer(BYTES("\x70\x12\x57\x10" TRACK_2_OF_LAWS "\x90\0"));
    property(cemv_session_outcome(session).cvm == CEMV_CVM_CDCVM, "two bytes of CVR are what is asked", 0);
    /* A device that nothing proves where a signature was asked for, between the limits. */
    open_reader(CEMV_PROFILE_STRICT);
    row.limits.amount[CEMV_LIMIT_TRANSACTION] = 3000;
    row.limits.amount[CEMV_LIMIT_CDCVM_TRANSACTION] = 30000;
    row.limits.present |= 1 << CEMV_LIMIT_TRANSACTION | 1 << CEMV_LIMIT_CDCVM_TRANSACTION;
    row.limits.amount[CEMV_LIMIT_CVM_REQUIRED] = 40000;
    sale.amount = 3000;
    ttq[0] = 0x34;
    outcome = outcome_of_arqc("\x50\0", 0x20, of(NULL, 0));
    property((outcome.findings >> CEMV_FINDING_LIMIT_NEEDS_AUTHENTICATED_CDCVM & 1u) != 0 &&
                 outcome.reason == CEMV_REASON_KERNEL_LIMIT,
             "a device's word does not raise the limit (SECURITY.md, A02)", outcome.reason);
}

/* EMV Mode with a name of `size` bytes, the last of them `last`. */
static size_t fci_named(uint8_t *out, uint8_t size, uint8_t last)
{
    enum { NAME_AT = 4, OTHERS = 11 };
    const size_t behind = sizeof emv_fci - 1 - OTHERS;
    memset(out + NAME_AT, 0x10, size);
    memcpy(out, emv_fci, OTHERS);
    memcpy(out + NAME_AT + size, emv_fci + OTHERS, behind);
    out[1] = (uint8_t)(size + behind);
    out[3] = size;
    out[NAME_AT + size - 1] = last;
    return NAME_AT + size + behind;
}

/* Names as long as they may be, and longer: the card that comes back is compared in all 16 bytes (SECURITY.md, A29). */
static void properties_of_long_names(void)
{
    static const struct {
        uint8_t first, size, last;
        bool same;
    } names[] = { { 15, 15, 7, true },  { 15, 15, 8, false }, { 16, 16, 7, true },
                  { 16, 16, 8, false }, { 17, 17, 7, true },  { 17, 16, 0x10, false } };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint8_t first[80], second[80];
        open_reader(CEMV_PROFILE_GUARDED);
        ttq[2] = 0xC0;
        select_card(BYTES("\1\2\3\4"), of(first, fci_named(first, names[i].first, 7)));
        answer_arqc("\0\x10", 0x20, of(NULL, 0));
        property(cemv_session_step(session) == CEMV_STEP_PARKED, "an update is offered", (unsigned)i);
        say(CEMV_REPLY_ONLINE, BYTES("\x72\7\x86\5\x84\x18\0\0\0"));
        say(CEMV_REPLY_CARD, of(NULL, 0));
        answer(of(second, fci_named(second, names[i].size, names[i].last)));
        if (cemv_session_step(session) == CEMV_STEP_ASK) say(CEMV_REPLY_DATA, BYTES("\5\6\7\x08"));
        property((cemv_session_step(session) == CEMV_STEP_SEND) == names[i].same, "the same card", (unsigned)i);
        if (!names[i].same)
            property(cemv_session_outcome(session).reason == CEMV_REASON_CARD_SWITCHED, "or another", (unsigned)i);
    }
}

/* A second presentment that was broken off and comes back without the issuer's answer is no second sale (3.10). */
static void properties_of_broken_updates(void)
{
    update(CEMV_PROFILE_BOOK, BYTES(emv_fci), BYTES("\x72\7\x86\5\x84\x18\0\0\0"));
    property(cemv_session_step(session) == CEMV_STEP_SEND, "a command", 0);
    session->kernel.out.state = 0;
    property(cemv_kernel_6.start(&session->kernel) == CEMV_STEP_SEND && session->kernel.out.state == K6_WAIT_SCRIPT,
             "with the answer it begins again", 0);
    session->kernel.online_response_present = false;
    session->kernel.out.state = 0;
    property(cemv_kernel_6.start(&session->kernel) != CEMV_STEP_SEND && session->kernel.out.finished, "nothing is sent",
             0);
    property(session->kernel.out.outcome.status == CEMV_OUTCOME_END_APPLICATION && session->kernel.out.record_size == 0,
             "no second sale", 0);
}

/* ---- a card that signs ---- */

/* That of k6-cvm-tc-device in Tests/Independent/random: its TC, under a device's code, is signed over BA81D175 and
 * 250.00. */
static const char ca_modulus[] =
    "A27CF41C766AA3B79D5EC24D287F1C2817AAD0FA77D2C44BD8059C028CF4899FBFFE9AD5008369B5307C68104AA815003487"
    "861DE2B2100C561B919B35F108EF807747763A982F005A5413415065B3C3E6FFF232F3350C68DD7560D66178811360F89F5F"
    "5755C763E74FBA450EA96982FBCF4FDC12DC307D27922DE86588878DF7DABD22215B4CF768AC911FF7E55C43";
static const char *const signed_card[] = {
    "6F318407A0000001523010A5265008444953434F5645528701019F38169F66049F02069F03069F1A025F2A029A039C019F37"
    "049000",
    "77819C82021900940808010101100102009F360201199F100A011510023FB94A6228D09F2701409F710210009F4B703E61C3"
    "FA4380876C967E4F0259CF3B40A971EF5787844FB8ADD386BB69F5B4AC857A3F975210C3602A3D6B5BD4273EDE931D6AEBBA"
    "2DBB43E5D0C2E57E6498AB169F8E22CB7EE2E08FA118F09C3EBDD0A0C4DBF353F604BEB5AC782905497556BAAB1043F55384"
    "B9F3C1EF7D673C74D29000",
    "703C57116011746588550287D301220168653289455A0860117465885502875F24033012315F3401005F25032001015F2802"
    "02769F0702FFC09F080200019000",
    "7081B08F01D4908190366E57E70E9468E35F41F53CD60A1464E278882716441C3D8282C2CF7EA53B3F0E5650EAAEE122E0C3"
    "C97D607574D36288CD6B61EE2C0B8C4088FCF88C60465B12AFF0B556E672BF83E5062C9C32DC0F584140710BFDB7BDE71249"
    "DDB3072C12433EDC4A1B61C353609C5EB418EBBAE7C39CA8E35294E5F3F391DDC5940D7B2DC7DA4B8BA8F9F80E8BC29F3B0A"
    "43057B9F3201039214F916814DFE6A4CB5BAD54158525D4DC2CF74785D9000",
    "7081A99F468180998EA36C83007BDA370FC1CA153AA55CEA2245026BEBCAD70259E8462A27119BB321AAE244EA3B224C98D6"
    "AE0E761B40E5DB3515687BFE81E326F672DAD737B264B4575E03083A3793041A5C8759461AD64AC39A490B9D1B17B8C783EF"
    "E1EC12D003214725AF462B5FD97F787B2FDE2371114262D5331C5E28CD7CE0250C6A759F4701039F481A7F789652B71E62EA"
    "1E683E3550975D4A26188E4A3302D684329F9F4A01829000"
};

static cemv_bytes unhex(const char *text, uint8_t out[256]) { return of(out, bytes_of_hex(text, out)); }

/* What a signature proves earns the higher limit (SECURITY.md, A02), where a device's word alone does not. */
static void properties_of_proven_devices(void)
{
    static uint8_t modulus[256];
    static struct cemv_ca_key key = { .rid = { 0xA0, 0, 0, 1, 0x52 }, .index = 0xD4, .exponent = 3 };
    key.modulus = unhex(ca_modulus, modulus);
    for (unsigned broken = 0; broken < 2; broken++) {
        open_reader(CEMV_PROFILE_GUARDED);
        configuration.protection.cdcvm_trust = CEMV_CDCVM_AUTHENTICATED;
        configuration.ca_keys = &key;
        configuration.ca_key_count = 1;
        row.limits = (struct cemv_limits){ .present = 1 << CEMV_LIMIT_TRANSACTION | 1 << CEMV_LIMIT_FLOOR |
                                                      1 << CEMV_LIMIT_CVM_REQUIRED |
                                                      1 << CEMV_LIMIT_CDCVM_TRANSACTION };
        row.limits.amount[CEMV_LIMIT_TRANSACTION] = 22000;
        row.limits.amount[CEMV_LIMIT_FLOOR] = 29000;
        row.limits.amount[CEMV_LIMIT_CVM_REQUIRED] = 20000;
        row.limits.amount[CEMV_LIMIT_CDCVM_TRANSACTION] = 30000;
        sale.amount = 25000;
        uint8_t response[256];
        select_card(BYTES("\xBA\x81\xD1\x75"), unhex(signed_card[0], response));
        for (size_t i = 1; i < sizeof signed_card / sizeof signed_card[0]; i++) {
            cemv_bytes bytes = unhex(signed_card[i], response);
            if (broken && i == 1) response[bytes.size - 3] ^= 1;
            answer(bytes);
        }
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        if (broken) {
            property(outcome.status != CEMV_OUTCOME_APPROVED && outcome.findings != 0, "a broken one earns nothing", 0);
        } else {
            property(outcome.status == CEMV_OUTCOME_APPROVED && outcome.cvm == CEMV_CVM_CDCVM && outcome.findings == 0,
                     "a proven device's code", outcome.reason);
            property(record_is(0x9F26, BYTES("\xB1\xE7\xED\x6F\xB9\x04\x5E\x23")) &&
                         record_is(0x95, BYTES("\0\0\0\0\0")),
                     "and the cryptogram that was signed", 0);
        }
    }
}

/* That card with other requirements (9F71), so that its signature does not hold, or with less of it: what TVR says of
 * it, and where CPR leads (F3-11, F3-15). */
static void properties_of_failed_signatures(void)
{
    static const uint8_t listed[] = { 0x60, 0x11, 0x74, 0x65, 0x88, 0x55, 0x02, 0x87 };
    static const struct cemv_exception exceptions[] = { { .pan = { listed, sizeof listed }, .any_sequence = true } };
    static const char two_digits[] =
        "7029570812D30122016865325F24033012315F3401005F25032001015F280202769F0702FFC09F080200019000";
    static const struct {
        uint8_t cpr;
        bool has_key, is_listed;
        const char *first, *last; /* records, NULL: as it has them */
        uint8_t tvr_1;            /* 0: nothing goes online */
    } cards[] = {
        { 0x40, true, false, NULL, NULL, 0x04 },       { 0x40, false, false, NULL, NULL, 0x24 },
        { 0x40, true, false, NULL, "70009000", 0x24 }, { 0x40, true, true, NULL, NULL, 0x14 },
        { 0x40, true, false, two_digits, NULL, 0x04 }, { 0x20, true, false, NULL, NULL, 0 },
    };
    static uint8_t modulus[256];
    static struct cemv_ca_key key = { .rid = { 0xA0, 0, 0, 1, 0x52 }, .index = 0xD4, .exponent = 3 };
    key.modulus = unhex(ca_modulus, modulus);
    for (size_t k = 0; k < sizeof cards / sizeof cards[0]; k++) {
        uint8_t response[256];
        open_reader(CEMV_PROFILE_BOOK);
        configuration.ca_keys = &key;
        configuration.ca_key_count = cards[k].has_key;
        configuration.exceptions = exceptions;
        configuration.exception_count = cards[k].is_listed;
        row.limits = (struct cemv_limits){ .present = 0 };
        select_card(BYTES("\xBA\x81\xD1\x75"), unhex(signed_card[0], response));
        for (size_t i = 1; i < 5; i++) {
            const char *text = i == 2 && cards[k].first ? cards[k].first
                             : i == 4 && cards[k].last  ? cards[k].last
                                                        : signed_card[i];
            const cemv_bytes bytes = unhex(text, response);
            for (size_t at = 0; i == 1 && at + 4 < bytes.size; at++)
                if (memcmp(response + at, "\x9F\x71\2\x10", 4) == 0)
                    memcpy(response + at + 3, (uint8_t[]){ 0, cards[k].cpr }, 2);
            answer(bytes);
        }
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        const uint8_t tvr[5] = { cards[k].tvr_1 };
        struct cemv_tlv object;
        const unsigned status = cards[k].tvr_1 != 0 ? CEMV_OUTCOME_ONLINE_REQUEST : CEMV_OUTCOME_TRY_ANOTHER_INTERFACE;
        property(says(outcome, status, CEMV_REASON_KERNEL, CEMV_L2_CAM_FAILED, 0), "a failed signature is named",
                 (unsigned)k);
        property(cards[k].tvr_1 == 0 || record_is(0x95, of(tvr, 5)), "what failed", (unsigned)k);
        property(!cemv_tlv_find(cemv_session_data_record(session), 0x9F26, &object), "no cryptogram was recovered",
                 (unsigned)k);
        property((outcome.findings >> CEMV_FINDING_ODA_TAMPER & 1u) == ((cards[k].tvr_1 & 0x20) == 0),
                 "wrong is not missing", (unsigned)k);
    }
}

/* ---- room ---- */

/* `size` bytes of values in objects of the terminal's that may be long (Annex C: DF71 and DF72), each of `most` bytes
 * at most. */
static cemv_bytes long_data(uint8_t *out, size_t size, size_t most)
{
    static const uint32_t tags[] = { 0x83, 0x99, 0x9F4E, 0xDF71, 0xDF72 };
    struct cemv_writer writer = cemv_writer_open(out, 1400);
    static uint8_t value[255];
    memset(value, '0', sizeof value);
    for (size_t i = 0; size != 0 && i < sizeof tags / sizeof tags[0]; i++) {
        const size_t part = size < most ? size : most;
        cemv_writer_put_tlv(&writer, tags[i], of(value, part));
        size -= part;
    }
    return cemv_writer_finish(&writer);
}

/* The combination's objects have `size` bytes; the sale's are longer, so that they stand behind. */
static void fill_arena(size_t size)
{
    static uint8_t of_terminal[1500], of_row[1400], of_sale[1400];
    const cemv_bytes more = long_data(of_terminal + sizeof terminal, 1275, 255);
    memcpy(of_terminal, terminal, sizeof terminal);
    configuration.terminal_data = of(of_terminal, sizeof terminal + more.size);
    row.data = long_data(of_row, size, 254);
    sale.data = long_data(of_sale, 1020, 255);
}

/* Whatever room the configuration leaves: it is enough, or the end says that it was not; nothing goes out half done. */
static void properties_of_room(void)
{
    static const char tc[] = "\x77\x2A\x82\2\x19\0\x9F\x36\2\0\1\x9F\x27\1\x40\x9F\x10\4\1\x15\x10\0\x9F\x71\2\0\0"
                             "\x9F\x4B\4\1\2\3\4\x94\4\x08\1\1\0\x90\0";
    uint8_t signed_gpo[sizeof tc - 1];
    memcpy(signed_gpo, tc, sizeof signed_gpo);
    signed_gpo[1] = (uint8_t)(sizeof signed_gpo - 4);
    for (unsigned mode = 0; mode < 4; mode++) {
        unsigned full = 0, enough = 0;
        for (size_t size = 763; size <= 1270; size++) {
            open_reader(mode == 3 ? CEMV_PROFILE_STRICT : CEMV_PROFILE_BOOK);
            if (mode == 2) {
                ttq[0] = 0x90;
                options.track_1_tag = 0xDF62;
            }
            if (mode == 3)
                row.aid = BYTES("\xA0\0\0\3\x24\x10\x10"), row.ttq = of(NULL, 0), options.mode = CEMV_KERNEL_6_MODE_EMV;
            if (mode == 3) entries = BYTES(legacy_directory);
            fill_arena(size);
            select_card(BYTES("\0\0\0\1"), mode == 2 ? BYTES(ms_fci) : BYTES(emv_fci));
            if (mode == 0 || mode == 3) answer_arqc("\0\0", 0x20, of(NULL, 0));
            if (mode == 1) answer(of(signed_gpo, sizeof signed_gpo));
            if (mode == 2) answer(BYTES("\x77\x0A\x82\2\x19\0\x94\4\x08\1\1\0\x90\0"));
            if (mode == 1) answer(BYTES("\x70\x12\x57\x10" TRACK_2_OF_LAWS "\x90\0"));
            if (mode == 2) answer(BYTES("\x70\x18\x57\x10" TRACK_2_OF_LAWS "\xDF\x62\3\x42\x31\x5E\x90\0"));
            const struct cemv_outcome outcome = cemv_session_outcome(session);
            const uint8_t status = mode == 1 ? CEMV_OUTCOME_DECLINED : CEMV_OUTCOME_ONLINE_REQUEST;
            const bool is_full = outcome.reason == CEMV_REASON_STORE_FULL && !outcome.data_record_present;
            property(cemv_session_step(session) == CEMV_STEP_DONE && is_full != (outcome.status == status),
                     "full or enough", (unsigned)size);
            if (is_full) full++;
            else enough++;
        }
        property(full > 20 && enough > 20, "both happen", mode);
    }
    entries = BYTES(directory);
}

/* ---- configuration ---- */

static void refused(enum cemv_status status, unsigned field, uint32_t tag, uint32_t option, unsigned detail)
{
    struct cemv_config_error error;
    property(check(&error) == status, "refused", detail);
    property(error.section == CEMV_SECTION_COMBINATION && error.row == 0 && error.field == field && error.tag == tag &&
                 error.option == option,
             "and row, field, object and option named", detail);
}

static void properties_of_options(void)
{
    static const uint32_t good[] = { 0, 0x56, 0xDF62, 0x5F60 },
                          bad[] = { 0x57, 0x9F02, 0x9F71, 0x70, 0x9F, 0xBF50, 0x8E, 0xDF72 };
    struct cemv_config_error error;
    open_reader(CEMV_PROFILE_BOOK);
    property(check(&error) == CEMV_OK, "zeros are the defaults", error.field);
    row.options = NULL;
    property(check(&error) == CEMV_OK, "so is nothing", error.field);
    open_reader(CEMV_PROFILE_BOOK);
    options.mode = CEMV_KERNEL_6_MODE_LEGACY;
    options.cvr_byte = 25;
    options.other_interfaces = CEMV_KERNEL_6_CONTACT | CEMV_KERNEL_6_MAGSTRIPE;
    property(check(&error) == CEMV_OK, "the ends of ranges", error.field);
    options.cvr_byte = 26;
    refused(CEMV_BAD_VALUE, CEMV_FIELD_OPTIONS, 0, CEMV_KERNEL_6_CVR_BYTE, 1);
    options.cvr_byte = 0;
    options.mode = CEMV_KERNEL_6_MODE_LEGACY + 1;
    refused(CEMV_BAD_VALUE, CEMV_FIELD_OPTIONS, 0, CEMV_KERNEL_6_MODE, 2);
    options.mode = 0;
    options.other_interfaces = CEMV_KERNEL_6_NO_INTERFACE | CEMV_KERNEL_6_CONTACT;
    refused(CEMV_BAD_VALUE, CEMV_FIELD_OPTIONS, 0, CEMV_KERNEL_6_OTHER_INTERFACES, 3);
    options.other_interfaces = CEMV_KERNEL_6_NO_INTERFACE;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        options.track_1_tag = good[i];
        property(check(&error) == CEMV_OK, "a tag for Track 1", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        options.track_1_tag = bad[i];
        refused(CEMV_BAD_VALUE, CEMV_FIELD_OPTIONS, bad[i], CEMV_KERNEL_6_TRACK_1_TAG, bad[i]);
    }
}

static void properties_of_demands(void)
{
    static const struct {
        uint8_t first, last;
        bool legacy;
        enum cemv_status status;
    } qualifiers[] = {
        { 0x20, 0, false, CEMV_OK },       { 0x80, 0, false, CEMV_OK },        { 0x00, 0, false, CEMV_CONFLICT },
        { 0x16, 0, false, CEMV_CONFLICT }, { 0x60, 0, false, CEMV_BAD_VALUE }, { 0x21, 0, false, CEMV_BAD_VALUE },
        { 0x00, 0, true, CEMV_OK },        { 0x40, 0, true, CEMV_BAD_VALUE },  { 0x01, 0, true, CEMV_BAD_VALUE },
    };
    struct cemv_config_error error;
    for (size_t i = 0; i < sizeof qualifiers / sizeof qualifiers[0]; i++) {
        open_reader(CEMV_PROFILE_BOOK);
        ttq[0] = qualifiers[i].first;
        if (qualifiers[i].legacy) row.aid = BYTES("\xA0\0\0\3\x24\x10\x10");
        if (qualifiers[i].status == CEMV_OK) property(check(&error) == CEMV_OK, "qualifiers", (unsigned)i);
        else refused(qualifiers[i].status, CEMV_FIELD_TTQ, 0, 0, (unsigned)i);
    }
    open_reader(CEMV_PROFILE_BOOK);
    row.ttq = of(NULL, 0);
    refused(CEMV_MISSING, CEMV_FIELD_TTQ, 0, 0, 100);
    row.aid = BYTES("\xA0\0\0\3\x24\x10\x10");
    property(check(&error) == CEMV_OK, "a legacy reader may have none", error.field);
    static const struct {
        uint8_t at, size;
        uint32_t tag;
    } objects[] = { { 0, 5, 0x9F09 }, { 5, 5, 0x9F1A }, { 10, 11, 0x9F1E }, { 21, 6, 0x9F33 }, { 27, 4, 0x9F35 } };
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        uint8_t less[sizeof terminal];
        const size_t behind = objects[i].at + objects[i].size;
        open_reader(CEMV_PROFILE_BOOK);
        memcpy(less, terminal, objects[i].at);
        memcpy(less + objects[i].at, terminal + behind, sizeof terminal - behind);
        configuration.terminal_data = of(less, sizeof terminal - objects[i].size);
        refused(CEMV_MISSING, CEMV_FIELD_DATA, objects[i].tag, 0, objects[i].tag);
        row.data = of(terminal + objects[i].at, objects[i].size);
        property(check(&error) == CEMV_OK, "the combination may have it", objects[i].tag);
    }
}

static void properties_of_cvm(void)
{
    for (unsigned number = 0; number < 1u << 18; number++) property_of_cvm(number);
}

static void properties_of_action(void)
{
    for (unsigned number = 0; number < 1u << 18; number++) property_of_action(number);
}

void properties_of_k6(void)
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
    PART(properties_of_offline);
    PART(properties_of_findings);
    PART(properties_of_notices);
    PART(properties_of_higher_limits);
    PART(properties_of_no_expiry);
    PART(properties_of_errors);
    PART(properties_of_results);
    PART(properties_of_records);
    PART(properties_of_reset_results);
    PART(properties_of_updates);
    PART(properties_of_many_commands);
    PART(properties_of_long_commands);
    PART(properties_of_cut_scripts);
    PART(properties_of_tracks_alone);
    PART(properties_of_faults);
    PART(properties_of_reasons);
    PART(properties_of_signed_answers);
    PART(properties_of_digits);
    PART(properties_of_modes);
    PART(properties_of_both_modes);
    PART(properties_of_track_1);
    PART(properties_of_refusals);
    PART(properties_of_long_names_in_ms_mode);
    PART(properties_of_oddities);
    PART(properties_of_long_names);
    PART(properties_of_broken_updates);
    PART(properties_of_proven_devices);
    PART(properties_of_failed_signatures);
    PART(properties_of_room);
    PART(properties_of_options);
    PART(properties_of_demands);
}
