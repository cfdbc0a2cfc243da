/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 4: which answers of a card are well formed (Book C-4, Tables 14-1 and 14-3, 4.3.6.1, 11.2.1), and the pure
 * rules on numbers and codes. Each is called by itself. */
#include <string.h>

#include "CEMVInternals.h"
#include "../../Sources/CEMV/kernels/k4/k4.h"
#include "bytes.h"
#include "properties.h"

/* A template around bytes of up to 125. */
static cemv_bytes within(uint32_t tag, cemv_bytes value)
{
    static uint8_t turns[4][160];
    static unsigned turn;
    uint8_t *const out = turns[turn++ % 4];
    size_t size = cemv_tag_write(out, tag);
    out[size++] = (uint8_t)value.size;
    if (value.size) memcpy(out + size, value.data, value.size);
    return of(out, size + value.size);
}

static cemv_bytes joined(cemv_bytes a, cemv_bytes b)
{
    static uint8_t turns[4][160];
    static unsigned turn;
    uint8_t *const out = turns[turn++ % 4];
    if (a.size) memcpy(out, a.data, a.size);
    if (b.size) memcpy(out + a.size, b.data, b.size);
    return of(out, a.size + b.size);
}

/* The FCI: one template 6F with a name of 5 to 16 bytes; A5 and BF0C, if present, are well formed. */
static void what_an_fci_must_be(void)
{
    const cemv_bytes none = of(NULL, 0), name = BYTES("\x84\5\xA0\0\0\0\x25");
    for (uint8_t size = 0; size < 20; size++) {
        const uint8_t bytes[20] = { 0xA0, 0, 0, 0, 0x25 };
        property(k4_fci_ok(within(0x6F, within(0x84, of(bytes, size)))) == (size >= 5 && size <= 16),
                 "a name of five to sixteen bytes", size);
    }
    property(k4_fci_ok(within(0x6F, name)), "a name alone", 0);
    property(!k4_fci_ok(within(0x70, name)), "in another template", 0);
    property(!k4_fci_ok(within(0x6F, joined(name, name))), "twice", 0);
    property(!k4_fci_ok(joined(within(0x6F, name), within(0x6F, name))), "a second template", 0);
    property(k4_fci_ok(joined(BYTES("\0\0"), within(0x6F, name))), "behind filler", 0);
    property(!k4_fci_ok(none), "nothing", 0);
    for (uint8_t filler = 0; filler < 3; filler++) {
        const cemv_bytes inner = of("\0\0\0", filler);
        property(k4_fci_ok(within(0x6F, joined(name, within(0xA5, inner)))), "filler in A5", filler);
        property(k4_fci_ok(within(0x6F, joined(name, within(0xA5, within(0xBF0C, inner))))), "and in BF0C", filler);
    }
    property(!k4_fci_ok(within(0x6F, joined(name, within(0xA5, BYTES("\x50\2A"))))), "A5 cut short", 0);
    property(!k4_fci_ok(within(0x6F, joined(name, within(0xA5, within(0xBF0C, BYTES("\x42\3\1")))))), "BF0C cut short",
             0);
    property(
        !k4_fci_ok(within(0x6F, joined(name, joined(within(0xA5, BYTES("\x50\1A")), within(0xA5, BYTES("\x50\1A")))))),
        "A5 twice", 0);
    property(k4_fci_ok(within(0x6F, joined(name, within(0xA5, BYTES("\x50\1A\x87\1\1"))))), "other objects in A5", 0);
}

/* GET PROCESSING OPTIONS: a profile of two bytes and a file locator, in either format; only the second format may have
 * the results of a mobile CVM. */
static void what_processing_options_must_be(void)
{
    static const struct {
        const char *name;
        const char *body;
        size_t size;
        bool fine;
        uint8_t locator, mobile; /* sizes */
    } bodies[] = {
#define BODY(name, text, fine, locator, mobile) { name, text, sizeof(text) - 1, fine, locator, mobile }
        BODY("format 1", "\x80\6\x19\0\x08\1\1\0", true, 4, 0),
        BODY("format 1, two entries", "\x80\x0A\x19\0\x08\1\1\0\x10\1\1\0", true, 8, 0),
        BODY("format 1 without a locator", "\x80\2\x19\0", false, 0, 0),
        BODY("format 1, an entry cut short", "\x80\5\x19\0\x08\1\1", false, 0, 0),
        BODY("format 1 empty", "\x80\0", false, 0, 0),
        BODY("format 2", "\x77\x0A\x82\2\x19\0\x94\4\x08\1\1\0", true, 4, 0),
        BODY("format 2 with results", "\x77\x10\x82\2\x19\0\x94\4\x08\1\1\0\x9F\x71\3\1\0\2", true, 4, 3),
        BODY("format 2, short results", "\x77\x0F\x82\2\x19\0\x94\4\x08\1\1\0\x9F\x71\2\1\0", false, 0, 0),
        BODY("format 2 without a locator", "\x77\4\x82\2\x19\0", false, 0, 0),
        BODY("format 2, an empty locator", "\x77\6\x82\2\x19\0\x94\0", false, 0, 0),
        BODY("format 2 without a profile", "\x77\6\x94\4\x08\1\1\0", false, 0, 0),
        BODY("format 2, a long profile", "\x77\x0B\x82\3\x19\0\0\x94\4\x08\1\1\0", false, 0, 0),
        BODY("format 2, a profile twice", "\x77\x0E\x82\2\x19\0\x82\2\x19\0\x94\4\x08\1\1\0", false, 0, 0),
        BODY("another template", "\x70\x0A\x82\2\x19\0\x94\4\x08\1\1\0", false, 0, 0),
        BODY("two templates", "\x80\6\x19\0\x08\1\1\0\x80\6\x19\0\x08\1\1\0", false, 0, 0),
#undef BODY
    };
    for (unsigned i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        struct k4_options options;
        const cemv_bytes body = of(guarded_copy(bodies[i].body, bodies[i].size), bodies[i].size);
        property(k4_read_options(body, &options) == bodies[i].fine, bodies[i].name, i);
        if (!bodies[i].fine) continue;
        property(options.profile.size == 2 && options.profile.data[0] == 0x19, bodies[i].name, i);
        property(options.locator.size == bodies[i].locator && options.mobile.size == bodies[i].mobile, bodies[i].name,
                 i);
    }
}

/* The counter of GET DATA: exactly one 9F36 of two bytes. */
static void what_a_counter_must_be(void)
{
    property(k4_read_counter(BYTES("\x9F\x36\2\1\2")).size == 2, "a counter", 0);
    property(k4_read_counter(BYTES("\x9F\x36\1\1")).size == 0, "of one byte", 0);
    property(k4_read_counter(BYTES("\x9F\x36\3\1\2\3")).size == 0, "of three", 0);
    property(k4_read_counter(BYTES("\x9F\x17\2\1\2")).size == 0, "another object", 0);
    property(k4_read_counter(BYTES("\x9F\x36\2\1\2\x9F\x36\2\1\2")).size == 0, "twice", 0);
    property(k4_read_counter(of(NULL, 0)).size == 0, "nothing", 0);
}

/* Tracks need the PAN's fifteen digits, a separator, expiry and service code; nothing after the track is read. */
static void what_tracks_need(void)
{
    static const uint8_t pan[] = { 0x37, 0x42, 0x45, 0, 0x17, 0x41, 0, 0x7F };
    static const uint8_t track[] = { 0x37, 0x42, 0x45, 0, 0x17, 0x41, 0, 0x7D, 0x30, 0x12, 0x20, 0x11, 0x01, 0x23 };
    for (size_t size = 0; size <= sizeof track; size++)
        property(k4_tracks_usable(of(pan, sizeof pan), of(guarded_copy(track, size), size)) == (size >= 12),
                 "a track that is long enough", (unsigned)size);
    property(!k4_tracks_usable(of(pan, 7), of(track, sizeof track)), "fourteen digits", 0);
}

/* 7.2.1: for an unproven set the lower of the two limits counts; if only one of them has a limit, that one. */
static void the_lower_of_two_limits_counts(void)
{
    for (unsigned which = 0; which < 64; which++) {
        const bool has_preset = which & 1, has_chosen = which & 2, bounded = which & 4;
        struct cemv_limits preset = { .present = has_preset ? 1u << CEMV_LIMIT_CVM_REQUIRED : 0 }, chosen = preset;
        preset.amount[CEMV_LIMIT_CVM_REQUIRED] = 100 + (which >> 3 & 1) * 100;
        chosen.present = has_chosen ? 1u << CEMV_LIMIT_CVM_REQUIRED : 0;
        chosen.amount[CEMV_LIMIT_CVM_REQUIRED] = 100 + (which >> 4 & 1) * 100;
        const struct k4_limits_in in = {
            .amount = 150, .preset = &preset, .chosen = &chosen, .bounded = bounded, .cvm_exceeded = which & 32
        };
        bool exceeded = which & 32; /* without any limit the indicator is unchanged */
        if (has_chosen) exceeded = in.amount >= chosen.amount[CEMV_LIMIT_CVM_REQUIRED];
        if (bounded && has_preset) {
            const bool of_preset = in.amount >= preset.amount[CEMV_LIMIT_CVM_REQUIRED];
            exceeded = has_chosen ? exceeded || of_preset : of_preset;
        }
        property(k4_limits(&in).cvm_exceeded == exceeded, "the limit in force", which);
    }
}

/* 12.2.2: an answer code counts if the issuer was reached and the code has two characters. */
static void codes_count_where_the_issuer_was_reached(void)
{
    for (unsigned which = 0; which < 8; which++) {
        const bool reached = which & 1, whole = which & 2, insert = which & 4;
        const struct k4_issuer_action_in in = { .reached = reached,
                                                .code = of("00", whole ? 2 : 1),
                                                .can_insert = insert };
        const uint8_t action = k4_issuer_action(&in);
        const uint8_t without = insert && !reached ? K4_USE_CONTACT : K4_DECLINED;
        property(action == (reached && whole ? K4_APPROVED : without), "an approval", which);
    }
}

/* 4.3.3: the terminal's type carries the reader's capabilities if the card asks only for the type. */
static void a_type_is_combined_for_cards_that_know_no_other(void)
{
    static const struct {
        const char *pdol;
        size_t size;
        bool combined;
    } lists[] = { { "\x9F\x35\1", 3, true },
                  { "\x9F\x6E\4", 3, false },
                  { "\x9F\x35\1\x9F\x6E\4", 6, false },
                  { "\x9F\x6E\4\x9F\x35\1", 6, false },
                  { "\x9F\x37\4", 3, false },
                  { "", 0, false },
                  { "\x9F\x35\2", 3, true } };
    for (unsigned i = 0; i < sizeof lists / sizeof lists[0]; i++)
        property(k4_type_sent(0x22, 0xC0, of(lists[i].pdol, lists[i].size)) == (lists[i].combined ? 0xE2 : 0x22),
                 "the type that is sent", i);
}

void properties_of_kernel_4_answers(void)
{
    PART(what_an_fci_must_be);
    PART(what_processing_options_must_be);
    PART(what_a_counter_must_be);
    PART(what_tracks_need);
    PART(the_lower_of_two_limits_counts);
    PART(codes_count_where_the_issuer_was_reached);
    PART(a_type_is_combined_for_cards_that_know_no_other);
}
