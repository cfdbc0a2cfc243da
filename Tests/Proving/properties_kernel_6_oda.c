/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 6 with a card that signs: the effect of a valid signature, and of one that fails. */
#include <stdlib.h>

#include "kernel_6_reader.h"

/* The card of k6-cvm-tc-device in kernel_6.taps (Scripts/independent): its TC, with a code entered on the device, is
 * signed over BA81D175 and 250.00. */
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

/* A verification that a signature proves allows the higher limit (attacks.md, A02); a device's unproven claim does not.
 */
static void properties_of_proven_devices(void)
{
    static uint8_t modulus[256];
    static struct cemv_ca_key key = { .rid = { 0xA0, 0, 0, 1, 0x52 }, .index = 0xD4, .exponent = 3 };
    key.modulus = unhex(ca_modulus, modulus);
    for (unsigned broken = 0; broken < 2; broken++) {
        open_reader(CEMV_PROFILE_BOOK);
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

/* No PDOL is signed, so a TC may be over another amount: above the CVM limit none counts outside profile `book`, in
 * `strict` none at all (attacks.md, A35). The card answers with a TC whatever was requested, as a relay can make it do.
 */
static void an_unsigned_list_approves_nothing(void)
{
    static uint8_t modulus[256];
    static struct cemv_ca_key key = { .rid = { 0xA0, 0, 0, 1, 0x52 }, .index = 0xD4, .exponent = 3 };
    key.modulus = unhex(ca_modulus, modulus);
    for (unsigned i = 0; i < 6; i++) {
        static const uint8_t profiles[] = { CEMV_PROFILE_BOOK, CEMV_PROFILE_GUARDED, CEMV_PROFILE_STRICT };
        const uint8_t profile = profiles[i / 2];
        const bool above = i % 2;
        open_reader(profile);
        configuration.protection.offline = CEMV_RULE_ENFORCE;
        configuration.protection.cdcvm_trust = CEMV_CDCVM_BOOK;
        configuration.ca_keys = &key;
        configuration.ca_key_count = 1;
        row.limits.amount[CEMV_LIMIT_FLOOR] = 29000;
        row.limits.amount[CEMV_LIMIT_CVM_REQUIRED] = above ? 20000 : 28000;
        sale.amount = 25000;
        uint8_t response[256];
        select_card(BYTES("\xBA\x81\xD1\x75"), unhex(signed_card[0], response));
        const cemv_bytes command = cemv_session_command(session);
        const bool refused = profile == CEMV_PROFILE_STRICT || (above && profile != CEMV_PROFILE_BOOK);
        property(command.size > 8 && (command.data[8] & 0x80) == (refused ? 0x80 : 0), "an ARQC is requested", i);
        for (size_t j = 1; j < sizeof signed_card / sizeof signed_card[0]; j++) answer(unhex(signed_card[j], response));
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        if (refused) property(outcome.status == CEMV_OUTCOME_DECLINED, "and a TC is declined", outcome.status);
        if (profile == CEMV_PROFILE_BOOK && above)
            property(outcome.status == CEMV_OUTCOME_APPROVED, "which the book takes", outcome.status);
        property((outcome.findings >> CEMV_FINDING_LIST_UNSIGNED & 1) == refused, "and found", i);
    }
}

/* That card with other requirements (9F71), so that its signature is invalid, or with a part of it missing: the bits in
 * TVR, and the decision by CPR (F3-11, F3-15). */
static void properties_of_failed_signatures(void)
{
    static const uint8_t listed[] = { 0x60, 0x11, 0x74, 0x65, 0x88, 0x55, 0x02, 0x87 };
    static const struct cemv_exception exceptions[] = { { .pan = { listed, sizeof listed }, .any_sequence = true } };
    static const char two_digits[] =
        "7029570812D30122016865325F24033012315F3401005F25032001015F280202769F0702FFC09F080200019000";
    static const struct {
        uint8_t cpr;
        bool has_key, is_listed;
        const char *first, *last; /* records, NULL: the card's */
        uint8_t tvr_1;            /* 0: the transaction does not go online */
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

void properties_of_kernel_6_oda(void)
{
    PART(properties_of_proven_devices);
    PART(an_unsigned_list_approves_nothing);
    PART(properties_of_failed_signatures);
}
