/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 2's mag-stripe mode: the data put into the tracks, and when the mode is rejected. */
#include "kernel_2_part.h"

/* Positions that a bitmap does not name stay unchanged: bits beyond it, digits above the number's and the counter's. */
static void properties_of_filling(void)
{
    static const uint8_t around[6] = { 0xFF, 0xFF, 0x00, 0xF0, 0xFF, 0xFF },
                         nothing_named[6] = { 0xFF, 0xFF, 0, 0, 0xFF, 0xFF };
    uint8_t track[12], expected[12];
    const struct k2_fill fill = { .cvc3_positions = of(nothing_named + 2, 2),
                                  .number_positions = of(around + 2, 2),
                                  .number = 4321,
                                  .counter = 98,
                                  .number_digits = 2,
                                  .counter_digits = 1,
                                  .shown_digits = 7 };
    memset(track, 0x55, sizeof track);
    memset(expected, 0x55, sizeof expected);
    k2_fill_track_2(track, 0, 24, &fill);
    /* Positions 5 to 8 are named: two for the number, one for the counter, one left unchanged. */
    expected[11] = 0x57;
    expected[9] = 0x21;
    expected[8] = 0x58;
    property(memcmp(track, expected, sizeof track) == 0, "digits go where they are named, and no further", 0);
    const struct k2_fill more = { .cvc3_positions = of(nothing_named + 2, 2),
                                  .number_positions = of(around + 2, 2),
                                  .number = 654321,
                                  .number_digits = 6,
                                  .shown_digits = 7 };
    memset(track, 0x55, sizeof track);
    memset(expected, 0x55, sizeof expected);
    k2_fill_track_2(track, 0, 24, &more);
    expected[11] = 0x57;
    expected[9] = 0x21;
    expected[8] = 0x43;
    property(memcmp(track, expected, sizeof track) == 0, "no position lies beyond its bitmap", 1);
    memset(track, 0x55, sizeof track);
    memset(expected, 0x55, sizeof expected);
    k2_fill_track_2(track, 3, 1, &fill);
    expected[1] = 0x57;
    property(memcmp(track, expected, sizeof track) == 0, "one digit of discretionary data says how many there are", 1);
    memset(track, 0x55, sizeof track);
    memset(expected, 0x55, sizeof expected);
    k2_fill_track_2(track, 3, 0, &fill);
    k2_fill_track_1(track, 3, 0, &fill);
    property(memcmp(track, expected, sizeof track) == 0, "without discretionary data nothing is filled", 0);
    property(!k2_track_1_discretionary(of(NULL, 0), &(size_t){ 0 }, &(size_t){ 0 }),
             "no track 1, no discretionary data", 0);
    for (uint8_t failures = 0; failures < 9; failures++)
        property(k2_back_off_ms(failures) == 300u << (failures < 5 ? failures : 5),
                 "a failed checksum costs twice the time of the one before", failures);
}

/* Each track has separate counter digits: here two digits of the number, and one or three of the counter 456. 9F61 is
 * 987, 9F60 is 666. */
static void properties_of_two_tracks(void)
{
    static const uint8_t track_2[] = { 0x54, 0x13, 0x33, 0x00, 0x89, 0x02, 0x00, 0x11, 0xD4,
                                       0x91, 0x22, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00 },
                         positions[2][6] = { { 0, 0, 0, 0, 0x00, 0x70 }, { 0, 0, 0, 0, 0x01, 0xF0 } };
    static const uint8_t filled_2[2][5] = { { 0x00, 0x06, 0x21, 0x98, 0x72 }, { 0x04, 0x56, 0x21, 0x98, 0x72 } };
    static const char track_1[] = "B5413330089020011^A/B^49122010000000000",
                      filled_1[2][11] = { "0006216662", "0456216662" };
    struct k2_memory *const memory = k2_memory_of(&kernel);
    for (unsigned more = 0; more < 2; more++) { /* which track has three */
        const uint8_t counter_digits[2] = { more ? 1 : 3, more ? 3 : 1 };
        fresh(CEMV_PROFILE_BOOK);
        put(CEMV_SLOT_9F6B, track_2, sizeof track_2);
        put(CEMV_SLOT_56, track_1, sizeof track_1 - 1);
        put(CEMV_SLOT_9F36, "\x01\xC8", 2);
        put(K2_SLOT_9F65, "\x00\x0E", 2);
        put(K2_SLOT_9F66, positions[!more] + 4, 2);
        put(K2_SLOT_9F67, &counter_digits[0], 1);
        put(K2_SLOT_9F61, "\x03\xDB", 2);
        put(K2_SLOT_9F62, "\x00\x00\x00\x00\x00\x0E", 6);
        put(K2_SLOT_9F63, positions[more], 6);
        put(K2_SLOT_9F64, &counter_digits[1], 1);
        put(K2_SLOT_9F60, "\x02\x9A", 2);
        property(k2_number_digits_of(&kernel) == 2, "both tracks take as many digits of the number", more);
        memory->number = 21;
        memory->number_digits = 2;
        k2_fill_tracks(&kernel, 2);
        const cemv_bytes two = cemv_value(&kernel, CEMV_SLOT_9F6B), one = cemv_value(&kernel, CEMV_SLOT_56);
        property(two.size == sizeof track_2 && memcmp(two.data, track_2, 12) == 0 &&
                     memcmp(two.data + 12, filled_2[!more], 5) == 0,
                 "track 2 as filled", more);
        property(one.size == sizeof track_1 - 1 && memcmp(one.data, track_1, 29) == 0 &&
                     memcmp(one.data + 29, filled_1[more], 10) == 0,
                 "track 1 as filled", more);
    }
}

/* No step compares positions with lengths (S7.22, S7.23): the counter is 255, and its three digits go to positions 9 to
 * 11 of ten characters, so the highest has no place. The number's digit at position 8 has one. */
static void a_position_beyond_the_track_is_left_out(void)
{
    static const char track[] = "B5413^A/B^25126010000000000", filled[] = "B5413^A/B^25126015530000001";
    static const uint8_t positions[] = { 0, 0, 0, 0, 0x07, 0x80 }, none[6] = { 0 };
    const struct k2_fill fill = { .cvc3_positions = of(none, 6),
                                  .number_positions = of(positions, 6),
                                  .counter_digits = 3,
                                  .counter = 255,
                                  .number = 3,
                                  .number_digits = 1,
                                  .shown_digits = 1 };
    uint8_t out[sizeof track - 1];
    memcpy(out, track, sizeof out);
    k2_fill_track_1(out, 17, 10, &fill);
    property(memcmp(out, filled, sizeof out) == 0, "the others go where they are named", 0);
}

/* attacks.md, A26: if the positions of the number's four digits lay beyond the track, a clone's own digits would stay
 * there; outside `book` such positions are not counted. */
static void digits_without_a_place_are_too_few(void)
{
    static const uint8_t body[] = { 0x70, 0x02, 0x00, 0x00, 0x90, 0x00 };
    for (unsigned i = 0; i < 4; i++) {
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = of(body, sizeof body) };
        const bool book = i & 1, beyond = i & 2;
        fresh(book ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED);
        kernel.out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
        put(CEMV_SLOT_9F6B, "\x54\x13\x33\0\x89\2\0\x11\xD4\x91\x22\x01\0\0\0\0\0", 17);
        put(K2_SLOT_9F65, "\0\x0E", 2);
        put(K2_SLOT_9F66, beyond ? "\x78\x00" : "\x03\xC0", 2); /* positions 12 to 15 of ten digits, or 7 to 10 */
        put(K2_SLOT_9F67, "\0", 1);
        put(CEMV_SLOT_94, "\x08\1\1\0", 4);
        put(CEMV_SLOT_9F02, "\0\0\0\0\0\1", 6);
        put(K2_SLOT_DF8124, "\0\0\0\1\0\0", 6);
        k2_memory_of(&kernel)->mode = K2_MODE_MAGSTRIPE;
        kernel.out.state = K2_S7_WAIT_RECORD;
        kernel.out.step = CEMV_STEP_SEND;
        const bool ends = cemv_kernel_2.reply(&kernel, &reply) == CEMV_STEP_DONE;
        property(ends == (beyond && !book), "digits without a place", i);
        property(!ends || kernel.out.outcome.status == CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, "another interface", i);
    }
}

/* [S910.39] */
static void properties_of_relay_tracks(void)
{
    static const uint8_t digits[] = { 0x12, 0x34, 0x56, 0x78, 0x90, 0x12, 0xD4, 0x91, 0x22, 0x01, 0x22, 0x22 };
    const struct k2_relay_track_in in = { .ca_index = 1, .measured = 55 };
    uint8_t out[19];
    size_t size;
    property(!k2_relay_track(of(digits, 6), &in, out, &size), "a track ends where its bytes end", 6);
    property(!k2_relay_track(of(digits, 7), &in, out, &size), "a track ends where its bytes end", 7);
    property(k2_relay_track(of(digits, 12), &in, out, &size) && size == 17,
             "a track with account, date and service code", (unsigned)size);
}

/* attacks.md, A26 and A34: DF811B switches mag-stripe mode on or off; without DF811B it is on in `book` only. In
 * `strict` it is on only if the combination's own protection names it. A protection can always switch it off. */
static void magstripe_mode_must_be_asked_for(void)
{
    static const uint8_t configured[] = { 0x30, 0xB0 };
    for (uint8_t profile = 0; profile < 3; profile++)
        for (uint8_t rule = CEMV_RULE_PROFILE; rule <= CEMV_RULE_ENFORCE; rule++)
            for (unsigned set = 0; set < 3; set++)
                for (unsigned own = 0; own < 2; own++) {
                    fresh(own ? CEMV_PROFILE_BOOK : profile);
                    combination.own_protection = own != 0;
                    struct cemv_protection *const protection = own ? &combination.protection
                                                                   : &checked.configuration.protection;
                    protection->profile = profile;
                    protection->magstripe = rule;
                    if (set < 2) put(K2_SLOT_DF811B, &configured[set], 1);
                    const bool asked = set == 0 || (set == 2 && profile == CEMV_PROFILE_BOOK),
                               allowed = profile != CEMV_PROFILE_STRICT || (own && rule != CEMV_RULE_PROFILE);
                    property(((k2_configuration_of(&kernel) & K2_MAGSTRIPE_OFF) == 0) ==
                                 (asked && allowed && rule != CEMV_RULE_OFF),
                             "mag-stripe mode is asked for", (unsigned)(profile << 8 | rule << 4 | set << 1 | own));
                    property(set == 2 || (k2_configuration_of(&kernel) & 0x7F) == 0x30, "nothing else changes", set);
                }
}

/* attacks.md, A03: the track of mag-stripe mode holds another brand's account: the last record ends the tap, except in
 * `book`. */
static void another_brand_is_refused_in_magstripe_mode(void)
{
    static const uint8_t body[] = { 0x70, 0x02, 0x00, 0x00, 0x90, 0x00 }, name[] = { 0xA0, 0, 0, 0, 4, 0x10, 0x10 };
    static const char ours[] = "\x54\x13\x33\0\x89\2\0\x11\xD4\x91\x22\x01\0\0\0\0\0";
    static const char others[] = "\x41\x11\x11\x11\x11\x11\x11\x11\xD4\x91\x22\x01\0\0\0\0\0";
    for (uint8_t profile = 0; profile < 3; profile++)
        for (unsigned other = 0; other < 2; other++) {
            const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = of(body, sizeof body) };
            fresh(profile);
            memcpy(kernel.df_name, name, sizeof name);
            kernel.df_name_size = sizeof name;
            kernel.out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
            put(CEMV_SLOT_9F6B, other ? others : ours, 17);
            put(K2_SLOT_9F65, "\0\x0E", 2);
            put(K2_SLOT_9F66, "\x03\xF0", 2);
            put(K2_SLOT_9F67, "\2", 1);
            put(CEMV_SLOT_94, "\x08\1\1\0", 4);
            put(CEMV_SLOT_9F02, "\0\0\0\0\0\1", 6);
            put(K2_SLOT_DF8124, "\0\0\0\1\0\0", 6);
            k2_memory_of(&kernel)->mode = K2_MODE_MAGSTRIPE;
            kernel.out.state = K2_S7_WAIT_RECORD;
            kernel.out.step = CEMV_STEP_SEND;
            const enum cemv_step step = cemv_kernel_2.reply(&kernel, &reply);
            property((step == CEMV_STEP_DONE && kernel.out.outcome.reason == CEMV_REASON_PROTECTION) ==
                         (other && profile != CEMV_PROFILE_BOOK),
                     "another brand's track is refused", (unsigned)(profile << 1 | other));
            property((kernel.findings >> CEMV_FINDING_BRAND_MISMATCH & 1) == other, "and reported",
                     (unsigned)(profile << 1 | other));
        }
}

/* attacks.md, A26: in `strict`, a mag-stripe card that shows data of EMV mode ends the tap. */
static void a_chip_in_mag_stripe_mode_ends_in_strict(void)
{
    static const uint8_t body[] = { 0x70, 0x02, 0x00, 0x00, 0x90, 0x00 };
    for (unsigned i = 0; i < 8; i++) {
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = of(body, sizeof body) };
        const bool strict = i & 1, chip = i & 2, more = i & 4;
        fresh(strict ? CEMV_PROFILE_STRICT : CEMV_PROFILE_GUARDED);
        kernel.out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
        put(CEMV_SLOT_9F6B, "\x54\x13\x33\0\x89\2\0\x11\xD4\x91\x22\x01\0\0\0\0\0", 17);
        put(K2_SLOT_9F65, "\0\x0E", 2);
        put(K2_SLOT_9F66, "\x03\xF0", 2);
        put(K2_SLOT_9F67, "\2", 1);
        put(CEMV_SLOT_94, "\x08\1\1\0\x10\1\1\0", more ? 8 : 4);
        put(CEMV_SLOT_9F02, "\0\0\0\0\0\1", 6);
        put(K2_SLOT_DF8124, "\0\0\0\1\0\0", 6);
        if (chip) put(CEMV_SLOT_8C, "\x9F\x37\4", 3);
        k2_memory_of(&kernel)->mode = K2_MODE_MAGSTRIPE;
        kernel.out.state = K2_S7_WAIT_RECORD;
        kernel.out.step = CEMV_STEP_SEND;
        const enum cemv_step step = cemv_kernel_2.reply(&kernel, &reply);
        property((step == CEMV_STEP_DONE && kernel.out.outcome.reason == CEMV_REASON_PROTECTION) ==
                     (strict && (chip || more)),
                 "a chip that is denied", i);
    }
}

/* DF4B byte 2 bit 5, and no other bit, reports on-device cardholder verification; the object has three bytes or is
 * ignored. */
static void one_bit_says_verified(void)
{
    for (unsigned size = 1; size <= 4; size++)
        for (unsigned bit = 0; bit < 24; bit++) {
            uint8_t interaction[4] = { 0 };
            interaction[bit / 8] = (uint8_t)(1u << bit % 8);
            fresh(CEMV_PROFILE_BOOK);
            put(K2_SLOT_DF4B, interaction, size);
            property(k2_verified_on_device(&kernel) == (size == 3 && bit == 8 + 4), "one bit", size << 5 | bit);
        }
}

/* [S78.15-22]: without a UDOL from the card or the configuration, the card gets only the number, in four bytes with as
 * many digits as k and t leave; otherwise it gets the data that the list names. */
static void the_checksum_is_asked_for_with_a_list(void)
{
    static const uint8_t body[] = { 0x70, 0x02, 0x00, 0x00, 0x90, 0x00 }, udol[] = { 0x9F, 0x6A, 4, 0x9F, 0x02, 6 },
                         configured[] = { 0x9F, 0x6A, 2 }, long_udol[] = { 0x9F, 0x6A, 4, 0x9F, 0x02, 252 };
    for (unsigned i = 0; i < 5; i++) {
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = of(body, sizeof body) };
        const bool of_card = i & 1, of_reader = i & 2, is_long = i & 4;
        const uint8_t size = of_card ? 10 : of_reader ? 2 : 4;
        fresh(CEMV_PROFILE_BOOK);
        kernel.out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
        put(CEMV_SLOT_9F6B, "\x54\x13\x33\0\x89\2\0\x11\xD4\x91\x22\x01\0\0\0\0\0", 17);
        put(K2_SLOT_9F65, "\0\x0E", 2), put(K2_SLOT_9F66, "\x03\xF0", 2), put(K2_SLOT_9F67, "\2", 1);
        put(CEMV_SLOT_94, "\x08\1\1\0", 4);
        put(CEMV_SLOT_9F02, "\0\0\0\0\0\1", 6), put(K2_SLOT_DF8124, "\0\0\0\1\0\0", 6);
        if (of_card) put(K2_SLOT_9F69, udol, sizeof udol);
        if (of_reader) put(K2_SLOT_DF811A, configured, sizeof configured);
        if (is_long) put(K2_SLOT_9F69, long_udol, sizeof long_udol);
        cemv_random_fill(&kernel.random, of("\x12\x34\x56\x78", 4));
        k2_memory_of(&kernel)->mode = K2_MODE_MAGSTRIPE;
        kernel.out.state = K2_S7_WAIT_RECORD;
        kernel.out.step = CEMV_STEP_SEND;
        if (is_long) {
            (void)cemv_kernel_2.reply(&kernel, &reply);
            property(kernel.out.outcome.error_indication[1] == CEMV_L2_CARD_DATA_ERROR, "more than a command holds", i);
            continue;
        }
        property(cemv_kernel_2.reply(&kernel, &reply) == CEMV_STEP_SEND && kernel.out.command[1] == 0x2A,
                 "a checksum is asked for", i);
        property(kernel.out.command[2] == 0x8E && kernel.out.command[3] == 0x80 && kernel.out.command[4] == size &&
                     kernel.out.command_size == 6u + size && kernel.out.command[5u + size] == 0,
                 "with the bytes of its list", i);
        const cemv_bytes number = cemv_value(&kernel, K2_SLOT_9F6A);
        property(number.size == 4 && (size == 2 || memcmp(kernel.out.command + 5, number.data, 4) == 0), "the number",
                 i);
    }
}

void properties_of_kernel_2_magstripe(void)
{
    PART(properties_of_filling);
    PART(properties_of_two_tracks);
    PART(a_position_beyond_the_track_is_left_out);
    PART(digits_without_a_place_are_too_few);
    PART(properties_of_relay_tracks);
    PART(one_bit_says_verified);
    PART(the_checksum_is_asked_for_with_a_list);
    PART(magstripe_mode_must_be_asked_for);
    PART(a_chip_in_mag_stripe_mode_ends_in_strict);
    PART(another_brand_is_refused_in_magstripe_mode);
}
