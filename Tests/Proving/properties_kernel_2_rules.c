/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2's pure rules over all their inputs, compared with the text of their clauses: track 2 after relay resistance
 * [S910.39], the identifier of data storage, the usage control and the currency of the CVM List. */
#include <stdio.h>
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"

/* Digits as characters, packed; an F follows an odd number of them. */
static size_t pack(const char *digits, uint8_t *out)
{
    size_t size = strlen(digits);
    memset(out, 0xFF, (size + 1) / 2);
    for (size_t i = 0; i < size; i++) {
        const uint8_t nibble = digits[i] == 'D' ? 0x0D : (uint8_t)(digits[i] - '0');
        out[i / 2] = i % 2 == 0 ? (uint8_t)(nibble << 4 | (out[i / 2] & 0x0F))
                                : (uint8_t)((out[i / 2] & 0xF0) | nibble);
    }
    return (size + 1) / 2;
}

/* PAN, separator, date and code stay. Then come the key's index if it is one digit, retries, two bytes of the card's
 * entropy in five digits, one more in three if the PAN leaves space, milliseconds up to 999. */
static void track_2_tells_the_issuer_of_the_relay(void)
{
    static const char pan[] = "1234567890123456789012";
    static const uint16_t times[] = { 0, 9, 10, 168, 9980, 9989, 9990, 9999, 10000, 65535 };
    static const uint8_t indexes[] = { 0, 1, 5, 9, 10, 11, 0x92, 255 };
    for (unsigned round = 0; round < 3000; round++) {
        const unsigned length = 8 + any(14);
        const uint16_t measured = any(2) ? times[any(10)] : (uint16_t)any(65536);
        const struct k2_relay_track_in in = { .ca_index = any(2) ? indexes[any(8)] : (uint8_t)any(256),
                                              .retries = (uint8_t)any(3),
                                              .entropy = { (uint8_t)any(256), (uint8_t)any(256), (uint8_t)any(256),
                                                           (uint8_t)any(256) },
                                              .measured = measured };
        char given[64], wanted[64];
        uint8_t track[32], expected[32], out[19];
        size_t size = 0;
        snprintf(given, sizeof given, "%.*sD2512201%.*s", (int)length, pan, (int)any(4), "987");
        const unsigned key = in.ca_index < 10 ? in.ca_index : 0, time = measured / 10 < 999 ? measured / 10u : 999;
        const unsigned low = in.entropy[2] * 256u + in.entropy[3];
        if (length <= 16)
            snprintf(wanted, sizeof wanted, "%.*sD2512201%u%u%05u%03u%03u", (int)length, pan, key, in.retries, low,
                     in.entropy[1], time);
        else snprintf(wanted, sizeof wanted, "%.*sD2512201%u%u%05u%03u", (int)length, pan, key, in.retries, low, time);
        const size_t whole = pack(given, track), all = pack(wanted, expected);
        const bool made = k2_relay_track(of(guarded_copy(track, whole), whole), &in, out, &size);
        property(made == (length <= 19), "a track with an account number of up to 19 digits", round);
        if (made) property(size == all && memcmp(out, expected, all) == 0, "what the issuer is told", round);
    }
}

/* The account number without filler and its sequence number, zeros in front of less than eight bytes. */
static void the_storage_identifier_is_the_account(void)
{
    static const char digits[] = "1234567890123456789012";
    for (unsigned length = 1; length <= 21; length++) {
        char text[40];
        uint8_t pan[16], out[11], wanted[16];
        const size_t size = pack((snprintf(text, sizeof text, "%.*s", (int)length, digits), text), pan);
        const bool is_account = length <= 19;
        const unsigned shown = is_account ? length : 0, room = shown + 2 < 16 ? 16 : (shown + 3) / 2 * 2;
        snprintf(text, sizeof text, "%0*d%.*s34", (int)(room - 2 - shown), 0, (int)shown, digits);
        if (room - 2 == shown) snprintf(text, sizeof text, "%.*s34", (int)shown, digits);
        const size_t whole = pack(text, wanted);
        property(k2_storage_id(of(pan, size), 0x34, out) == whole, "as long as it must be", length);
        property(memcmp(out, wanted, whole) == 0, "the account and its sequence number", length);
    }
    uint8_t out[11];
    property(k2_storage_id(of(NULL, 0), 0x34, out) == 8 && out[7] == 0x34 && out[6] == 0, "no account number", 0);
}

/* [PRE]: without a usage control nothing is rejected, whatever the bytes of its value are. */
static void usage_control_is_looked_at_where_there_is_one(void)
{
    for (unsigned which = 0; which < 4; which++) {
        const bool has = which & 1, allows = which & 2;
        const struct k2_restrictions_in in = { .has_usage_control = has,
                                               .usage_control = { allows ? 0xFF : 0, allows ? 0xFF : 0 },
                                               .has_country = true,
                                               .domestic = true };
        const bool refused = (k2_restrictions(&in) & CEMV_TVR(2, CEMV_TVR_2_SERVICE_NOT_ALLOWED)) != 0;
        property(refused == (has && !allows), "Requested Service Not Allowed", which);
    }
}

/* [CVM]: conditions on the amount apply only in the application's currency, and only if that is known. */
static void amounts_count_in_a_known_currency(void)
{
    static const uint8_t list[] = { 0, 0, 0x10, 0, 0, 0, 0, 0, 0x42, 0x06, 0x1F, 0x00 }; /* PIN under X, else no CVM */
    for (unsigned which = 0; which < 4; which++) {
        const struct k2_cvm_in in = { .card_verifies = true,
                                      .above_limit = true,
                                      .list = of(list, sizeof list),
                                      .capability = 0x48,
                                      .terminal_type = 0x22,
                                      .amount = 100,
                                      .currency_known = which & 1,
                                      .same_currency = (which & 2) != 0 };
        property((k2_cvm(&in).cvm == CEMV_CVM_ONLINE_PIN) == (which == 3), "under X in our currency", which);
    }
}

void properties_of_kernel_2_rules(void)
{
    PART(track_2_tells_the_issuer_of_the_relay);
    PART(the_storage_identifier_is_the_account);
    PART(usage_control_is_looked_at_where_there_is_one);
    PART(amounts_count_in_a_known_currency);
}
