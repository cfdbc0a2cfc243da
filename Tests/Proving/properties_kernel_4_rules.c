/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 4's pure functions over the bits that they read (Book C-4 v2.10): only bits of the reader's
 * capabilities (9F6E, Table 4-4), of the profile and of the card's options (9F70) that a clause names have an effect.
 */
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"

#include "../../Sources/CEMV/kernels/k4/k4.h"

/* 2.1.1, 4.3.7: a card of EMV mode always has a mode. Any other card has one if the reader reads tracks; if not, and it
 * is a plain card, it is to be inserted if the reader has contacts. */
static void modes_by_bit(void)
{
    for (unsigned second = 0; second < 256; second++)
        for (unsigned number = 0; number < 1u << 10; number++) {
            const uint8_t profile[2] = { (uint8_t)(number >> 2), (uint8_t)second };
            const bool tracks = number & 1, contacts = number & 2, emv = (second & 0x80) != 0,
                       plain = (second & 0x60) == 0;
            for (unsigned others = 0; others < 2; others++) {
                const uint8_t rest = others ? 0xFF : 0,
                              reader[4] = { (uint8_t)((rest & 0x3F) | (tracks ? 0x40 : 0) | (contacts ? 0x80 : 0)),
                                            rest, rest, rest };
                const uint8_t expected = emv || tracks ? K4_FINE : plain && contacts ? K4_CONTACT : K4_END;
                property(k4_mode(profile, reader) == expected, "a mode", second << 10 | number);
            }
        }
}

/* A card without options may be inserted; with options, byte 1 bit 6 decides. Delayed authorisation needs three bits of
 * byte 2. */
static void options_by_bit(void)
{
    static const uint8_t country[] = { 0x08, 0x40 }, other[] = { 0x02, 0x76 };
    for (unsigned byte = 0; byte < 256; byte++)
        for (unsigned reader_bit = 0; reader_bit < 32; reader_bit++) {
            uint8_t reader[4] = { 0 };
            reader[reader_bit / 8] = (uint8_t)(1u << reader_bit % 8);
            const uint8_t options[2] = { (uint8_t)byte, (uint8_t)byte };
            const bool contacts = reader_bit == 7, delayed = reader_bit == 24 + 6;
            property(k4_can_insert(reader, of(options, 2)) == (contacts && (byte & 0x20) != 0), "inserted",
                     byte << 5 | reader_bit);
            property(k4_can_insert(reader, of(NULL, 0)) == contacts, "or without options", reader_bit);
            for (unsigned where = 0; where < 3; where++) {
                const cemv_bytes issuer = where == 0 ? of(NULL, 0) : where == 1 ? of(country, 2) : of(other, 2);
                const bool allowed = (byte & (where == 1 ? 0x40 : 0x20)) != 0;
                property(k4_delayed_refused(of(options, 2), issuer, of(country, 2), reader) ==
                             (delayed && (byte & 0x80) != 0 && where != 0 && !allowed),
                         "delayed", byte << 5 | reader_bit);
            }
        }
}

/* 6.2.3.1: CDA before SDA, each if card and terminal support it. */
static void authentication_by_bit(void)
{
    for (unsigned first = 0; first < 256; first++)
        for (unsigned terminal = 0; terminal < 256; terminal++) {
            const uint8_t profile[2] = { (uint8_t)first, 0xFF };
            const uint8_t expected = (first & 1) != 0 && (terminal & 0x08) != 0    ? K4_CDA
                                   : (first & 0x40) != 0 && (terminal & 0x80) != 0 ? K4_SDA
                                                                                   : K4_NO_ODA;
            property(k4_oda_method(profile, (uint8_t)terminal) == expected, "a method", first << 8 | terminal);
        }
}

static bool is_same(const struct k4_cvm *a, const struct k4_cvm *b)
{
    return a->verdict == b->verdict && a->cvm.cvm == b->cvm.cvm && a->cvm.tvr == b->cvm.tvr &&
           memcmp(a->cvm.results, b->cvm.results, sizeof a->cvm.results) == 0 && a->from_plain == b->from_plain &&
           a->replaced == b->replaced;
}

/* 8: in the capabilities, byte 2 bits 8 to 6 and byte 4 bit 7 choose the method; no other bit changes anything. */
static void methods_by_bit(void)
{
    static const uint8_t named[4] = { 0, 0xE0, 0, 0x40 };
    static const char *const lists[] = { "12345678\2\3\x1E\3\x1F\3", "12345678\1\3\x1F\3", "12345678\x1E\3\x42\3",
                                         "12345678\x1F\0" };
    static const uint8_t sizes[] = { 14, 12, 12, 10 };
    for (unsigned number = 0; number < 20000; number++) {
        const unsigned list = any(4);
        struct k4_cvm_in in = { .list = of(lists[list], sizes[list]),
                                .exceeded = any(2),
                                .restarted = any(2),
                                .emv = any(2),
                                .can_insert = any(2),
                                .card_verifies = any(4) != 0,
                                .mobile = any(2),
                                .results = any(2) ? BYTES("\1\3\2") : of(NULL, 0),
                                .no_cvm = any(2),
                                .terminal_type = any(2) ? 0x26 : 0x22,
                                .amount = 1250,
                                .list_proven = any(2),
                                .distrust_profile = any(2),
                                .distrust_device = any(2),
                                .distrust_list = any(2) };
        for (unsigned i = 0; i < 4; i++) in.reader[i] = (uint8_t)(any(256) & named[i]);
        const struct k4_cvm plain = k4_cvm(&in);
        for (unsigned i = 0; i < 4; i++) in.reader[i] |= (uint8_t)(any(256) & ~named[i]);
        const struct k4_cvm noisy = k4_cvm(&in);
        property(is_same(&plain, &noisy), "no other bit", number);
    }
}

/* 8.2.6.1.1: below the limit, a phone whose verification failed is asked again before its list is read, whatever the
 * list is; after the restart a list of odd length ends the tap. */
static void a_phone_comes_before_a_malformed_list(void)
{
    struct k4_cvm_in in = {
        .mobile = true, .card_verifies = true, .results = BYTES("\1\0\1"), .list = BYTES("123456789")
    };
    property(k4_cvm(&in).verdict == K4_TRY_AGAIN, "asked again", 0);
    in.restarted = true;
    property(k4_cvm(&in).verdict == K4_END, "a malformed list", 1);
}

void properties_of_kernel_4_rules(void)
{
    PART(modes_by_bit);
    PART(options_by_bit);
    PART(authentication_by_bit);
    PART(methods_by_bit);
    PART(a_phone_comes_before_a_malformed_list);
}
