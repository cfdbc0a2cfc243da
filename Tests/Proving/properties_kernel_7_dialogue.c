/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 7's dialogue where the independent traces make no claim: reasons, error indications, findings,
 * and single rules of the protection (Book C-7 v2.9.1; attacks.md). The card that signs is the one in
 * k7-approved-fdda.json. */
#include <stdlib.h>
#include <string.h>

#include "CEMVInternals.h"
#include "properties.h"
#include "bytes.h"

#include "../../Sources/CEMV/include/cemv_kernel_7.h"
#include "../../Sources/CEMV/kernels/k7/k7.h"

static const char ca_modulus[] =
    "B05DE3B0FEE5720A416B0689FD1AF39F76DB9090EA041DFB7196A75B5E3016A9E581A57499A1B02D7D653326EB7CAE2D55F7"
    "A1F1506ED0ADC37E2ABB8D90F358913E7791D16863E06C37D0481A1F2F46BAA85988B64701FAE5D66311357D7DA8E8701345"
    "C99F0C8DCCE27E87054B74D489C359AFB32D98A650D6C161EA6262EB19B8F608CEAA5C716F371E37EBB813FF";
/* Its signature over 33CA91AC, 12.50, EUR and 9F69; its records, 9F69 in the last one. */
static const char signature[] =
    "9F4B81809F05B69F5B7334A49B7B89FE7E926107FF9513F2B89482FDC45FF6873FD3E73EB125DC0F477286C37486C2E3D276"
    "A8B9D40CF9EEDC26D2E793655AF213C1C2A5300CDB53CFA240DB85A7F4E90FAB25838CE6F3AA99ECECE1D90558000C89FCDC"
    "226E62B14212F336BE3DFC542F4C2F1155A831802DBE55D48A681FB88D07CDEF";
static const char record_1[] = "5F24033012315A0862231649912300145F28020156";
static const char record_2[] =
    "8F01B190819014D8759A0081B3B4B1F3833D8FC8C8C4237F82F079A7AD99D9C2C0D459A4C46C74C1925DE749EA4DA6AE04FE"
    "541DEE5A7BE4771B3885605F8BB31AC9C6747154513128CFB1338420CC41DA99AE23B64D769FED4A3E3AFDA6DE123342663B"
    "027DE6360C0087FFCD10990B4CA8BA7A2EDAE32AB0E21D852DCB283E34656C03EC669CE52AFEE67082C0C0EE9F3C936A61C4"
    "9F320103922414B111C8B0B7C9F58F11A7A345F7F2752072BE540D6ED2F8885E2AD4F661656557482BA9";
static const char record_3[] =
    "9F46819062248B5AE42169A575BDF1E88BBB2B3FB96A927007F38E4641C23CC50ADA973095597C73457196F991807D0F3D61"
    "E62E5EB32831F542785C8D6F38777621F838915F1A1A38797FA1CA7EBC0A4F46FAAB2C57E11CDA95B48965602F6277533235"
    "303600D666C78004E1402EF723C4F10C313657A539DE4687237CF6732164FF45E1FE7C026F45E897142EF41F2D64629D";
static const char record_4[] = "9F4701039F481AC86B48A9979043FAC0466438C825DD1001CFD84235A5ECF364A59F4A0182";
static const char related[] = "9F690801C1C2C3C4000000";

#define FCI_REST "50009F38069F66049F3704"
#define ALL      "820220009F360200119F2608F9141382B2F3A849"
#define TRACK_2  "57116223164991230014D30122200000012345"
#define ARQC     ALL "9F2701809F100807010103A0000000"
#define TC                                                                                                             \
    ALL "9F2701409F1008070101039000000194"                                                                             \
        "0808010101100103005F340101"
#define PLAIN "5F24033012315A086223164991230014"

enum { RECORDS = 16 };

/* Defaults: a plain purchase of 12.50 at a reader that supports everything, in `guarded`. */
struct scene {
    const char *gpo;              /* objects of the answer, or with '=' a whole answer */
    const char *records[RECORDS]; /* objects of a record, or with '=' a whole answer */
    uint8_t ttq_1;                /* byte 1; 0: 36 */
    uint64_t amount;
    uint8_t type, fault; /* enum cemv_reply_kind instead of the last answer */
    bool start_b, no_floor;
    struct cemv_kernel_7_options options;
    struct cemv_protection protection;
    uint64_t cdcvm_limit;
    uint64_t amount_other;
    bool visa;            /* the combination has another brand's AID, and the card lists it for this kernel */
    bool verifies_online; /* the signature is a valid one of an ARQC, whatever it covers */
};

struct result {
    struct cemv_outcome outcome;
    uint8_t record[CEMV_RECORD_CAPACITY];
    size_t record_size, commands;
    uint8_t ttq[4];
    bool waits; /* waits for the card to come back */
};

/* An answer with this template, or the whole answer after '='. */
static cemv_bytes answer_of(const char *text, uint8_t template)
{
    static uint8_t bytes[512];
    if (text[0] == '=') return (cemv_bytes){ bytes, bytes_of_hex(text + 1, bytes) };
    const size_t size = strlen(text) / 2, header = size > 127 ? 3 : 2;
    bytes[0] = template;
    bytes[1] = header == 3 ? 0x81 : (uint8_t)size;
    if (header == 3) bytes[2] = (uint8_t)size;
    (void)bytes_of_hex(text, bytes + header);
    memcpy(bytes + header + size, "\x90", 2);
    return (cemv_bytes){ bytes, header + size + 2 };
}

static void no_hash(uint8_t digest[CEMV_SHA1_SIZE], const cemv_bytes *pieces, size_t count)
{
    (void)pieces, (void)count;
    memset(digest, 0, CEMV_SHA1_SIZE);
}

/* Sets the hash of every certificate and signature to the one that no_hash() computes, and the format of signed data to
 * that of an ARQC. */
static bool recover_online(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t exponent)
{
    if (!cemv_rsa_public(out, in, modulus, exponent)) return false;
    if (out[1] == K7_FORMAT_OFFLINE) out[1] = K7_FORMAT_ONLINE;
    memset(out + modulus.size - 1 - CEMV_SHA1_SIZE, 0, CEMV_SHA1_SIZE);
    return true;
}

static const struct cemv_checked *configure(const struct scene *scene)
{
    static struct cemv_crypto online;
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[8192];
    static uint8_t modulus[144], ttq[4];
    static struct cemv_kernel_7_options options;
    static struct cemv_ca_key key = { .rid = { 0xA0, 0, 0, 3, 0x33 }, .index = 0xB1, .exponent = 3 };
    static const uint8_t visa[] = { 0xA0, 0, 0, 0, 3, 0x10, 0x10 }, union_pay[] = { 0xA0, 0, 0, 3, 0x33 };
    static struct cemv_combination row = { .kernel_id = { 7 },
                                           .kernel_id_size = 1,
                                           .zero_amount = CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED,
                                           .transaction_types = { (const uint8_t *)"\0\1\x09\x20", 4 },
                                           /* if the combination has the country, the terminal does not need it */
                                           .data = { (const uint8_t *)"\x9F\x1A\2\2\x76", 5 } };
    static const struct cemv_kernel_row kernel = { { 7 }, 1, &cemv_kernel_7, NULL };
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    online = cemv_crypto_builtin;
    online.rsa_prepare = NULL, online.rsa_public = recover_online, online.sha1 = no_hash;
    key.modulus = (cemv_bytes){ modulus, bytes_of_hex(ca_modulus, modulus) };
    memcpy(ttq, "\x36\0\x40\0", 4);
    if (scene->ttq_1) ttq[0] = scene->ttq_1;
    options = scene->options;
    row.ttq = (cemv_bytes){ ttq, 4 };
    row.aid = scene->visa ? (cemv_bytes){ visa, sizeof visa } : (cemv_bytes){ union_pay, sizeof union_pay };
    row.options = &options;
    row.limits = (struct cemv_limits){ .amount = { 30000, 10000, 0, 20000, scene->cdcvm_limit },
                                       .present = (uint8_t)(0x09 | (scene->no_floor ? 0 : 0x02) |
                                                            (scene->cdcvm_limit ? 0x10 : 0)) };
    const struct cemv_configuration configuration = { .terminal_data = BYTES("\x9F\x33\3\xE0\xB8\xC8"),
                                                      .combinations = &row,
                                                      .combination_count = 1,
                                                      .ca_keys = &key,
                                                      .ca_key_count = 1,
                                                      .kernels = &kernel,
                                                      .kernel_count = 1,
                                                      .crypto = scene->verifies_online ? &online : NULL,
                                                      .protection = scene->protection };
    return cemv_configuration_check(&configuration, memory, sizeof memory, &checked, &error) == CEMV_OK ? checked
                                                                                                        : NULL;
}

static struct result finished(struct cemv_session *session, struct result result)
{
    const cemv_bytes record = cemv_session_data_record(session);
    result.outcome = cemv_session_outcome(session);
    result.record_size = record.size;
    if (record.size) memcpy(result.record, record.data, record.size);
    result.waits = cemv_session_step(session) == CEMV_STEP_POLL;
    return result;
}

static const char ppse[] = "=6F2E840E325041592E5359532E4444463031A51CBF0C1961174F08A000000333010101"
                           "5008554E494F4E5041598701019000",
                  fci[] = "8408A000000333010101A512" FCI_REST "BF0C04DF610140";

static struct result play(const struct scene *scene)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_SESSION_SIZE];
    static const uint8_t number[] = { 0x33, 0xCA, 0x91, 0xAC, 1, 2, 3, 4 };
    static const char visa_ppse[] =
        "=6F27840E325041592E5359532E4444463031A515BF0C1261104F07A00000000310108701019F2A01079000",
                      visa_fci[] = "8407A0000000031010A512" FCI_REST "BF0C04DF610140";
    const char *answers[RECORDS + 3] = { scene->visa ? visa_ppse : ppse, scene->visa ? visa_fci : fci, scene->gpo };
    struct cemv_transaction sale = { .type = scene->type,
                                     .amount = scene->amount == 1 ? 0
                                             : scene->amount      ? scene->amount
                                                                  : 1250,
                                     .amount_other = scene->amount_other,
                                     .currency = 0x0978,
                                     .exponent = 2,
                                     .date = { 0x26, 0x11, 0x21 },
                                     .start_b = scene->start_b };
    struct cemv_session *session;
    struct cemv_config_error error;
    struct result result = { .commands = 0 };
    const struct cemv_checked *checked = configure(scene);
    for (size_t i = 0; i < RECORDS; i++) answers[3 + i] = scene->records[i];
    if (!checked || cemv_session_begin(memory, sizeof memory, checked, &sale, (cemv_bytes){ number, sizeof number },
                                       &session, &error) != CEMV_OK) {
        property(false, "a scene begins", 0);
        return result;
    }
    const struct cemv_reply card = { .kind = CEMV_REPLY_CARD };
    if (cemv_session_step(session) == CEMV_STEP_POLL) (void)cemv_session_reply(session, &card);
    while (cemv_session_step(session) == CEMV_STEP_SEND && result.commands < RECORDS + 3) {
        const cemv_bytes command = cemv_session_command(session);
        if (command.data[1] == 0xA8) memcpy(result.ttq, command.data + 7, 4);
        const char *text = answers[result.commands],
                   *next = result.commands + 1 < RECORDS + 3 ? answers[result.commands + 1] : NULL;
        struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE };
        if (!text) break;
        if (result.commands >= 2 && !next && scene->fault) reply.kind = scene->fault;
        else reply.bytes = answer_of(text, result.commands == 1 ? 0x6F : result.commands == 2 ? 0x77 : 0x70);
        result.commands++;
        (void)cemv_session_reply(session, &reply);
    }
    return finished(session, result);
}

static cemv_bytes datum(const struct result *result, uint32_t tag)
{
    struct cemv_tlv object;
    const cemv_bytes record = { result->record, result->record_size };
    return cemv_tlv_find(record, tag, &object) ? object.value : (cemv_bytes){ NULL, 0 };
}

/* ---- ends ---- */

static void properties_of_try_again(void)
{
    static const struct {
        uint8_t fault, l1;
    } faults[] = {
        { CEMV_REPLY_TIMEOUT, 1 }, { CEMV_REPLY_REMOVED, 1 }, { CEMV_REPLY_TRANSMISSION, 2 }, { CEMV_REPLY_PROTOCOL, 3 }
    };
    for (unsigned i = 0; i < 10; i++) {
        struct scene scene = { .gpo = i & 1 ? TC TRACK_2 : ARQC TRACK_2, .records = { i & 1 ? PLAIN : NULL } };
        if (i < 8) scene.fault = faults[i / 2].fault;
        else scene.gpo = "=6986", scene.records[0] = NULL;
        const struct result result = play(&scene);
        const struct cemv_outcome *o = &result.outcome;
        property(result.waits && outcome_is(&result.outcome, CEMV_OUTCOME_TRY_AGAIN,
                                            i < 8 ? CEMV_REASON_LINK : CEMV_REASON_CARD_STATUS),
                 "the card is asked for again", i);
        property(i < 8 ? outcome_error_is(&result.outcome, faults[i / 2].l1, CEMV_L2_OK, 0)
                       : outcome_error_is(&result.outcome, 0, CEMV_L2_STATUS_BYTES, 0x6986),
                 "the cause is reported", i);
        property(o->start == CEMV_START_B && o->field_off_100ms == 13 && o->ui_on_outcome.hold_ms == 1300, "13 units",
                 i);
        property(o->ui_on_outcome.message == (i < 8 ? CEMV_MESSAGE_PRESENT_AGAIN : CEMV_MESSAGE_SEE_PHONE) &&
                     o->ui_on_outcome.status == CEMV_UI_PROCESSING_ERROR && o->ui_on_outcome.language_size == 2 &&
                     memcmp(o->ui_on_outcome.language, "en", 2) == 0,
                 "in English", i);
        property(o->ui_on_restart_present && o->ui_on_restart.message == CEMV_MESSAGE_NONE &&
                     o->ui_on_restart.status == CEMV_UI_READY_TO_READ,
                 "a status alone on restart", i);
    }
}

static void properties_of_the_end(void)
{
    static const struct {
        const char *gpo, *record;
        uint8_t l2;
        uint16_t status_word;
        uint8_t reason;
    } ends_by[] = {
        { "=6A82", NULL, CEMV_L2_STATUS_BYTES, 0x6A82, CEMV_REASON_CARD_STATUS },
        { "=9000", NULL, CEMV_L2_PARSING_ERROR, 0, CEMV_REASON_CARD_DATA },
        { ARQC ARQC, NULL, CEMV_L2_CARD_DATA_ERROR, 0, CEMV_REASON_CARD_DATA },
        { ARQC, NULL, CEMV_L2_CARD_DATA_MISSING, 0, CEMV_REASON_CARD_DATA },
        { ALL "9F2701409F1008070101039000000194"
              "0408000100",
          NULL, CEMV_L2_CARD_DATA_ERROR, 0, CEMV_REASON_CARD_DATA },
        { TC, "=6A83", CEMV_L2_STATUS_BYTES, 0x6A83, CEMV_REASON_CARD_STATUS },
        { TC, "=7002FF9000", CEMV_L2_PARSING_ERROR, 0, CEMV_REASON_CARD_DATA },
        { TC, "5F2403301331", CEMV_L2_CARD_DATA_ERROR, 0, CEMV_REASON_CARD_DATA },
    };
    for (unsigned i = 0; i < sizeof ends_by / sizeof ends_by[0]; i++) {
        const struct scene scene = { .gpo = ends_by[i].gpo,
                                     .records = { ends_by[i].record },
                                     .options = { .other_interfaces = CEMV_KERNEL_7_NO_INTERFACE } };
        const struct result result = play(&scene);
        property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, ends_by[i].reason) &&
                     outcome_error_is(&result.outcome, 0, ends_by[i].l2, ends_by[i].status_word) &&
                     !result.outcome.ui_on_outcome_present,
                 "a silent end with its cause", i);
    }
    /* More large records than the store holds. */
    static char large[RECORDS][2 * 250 + 1];
    struct scene scene = { .gpo = ALL "9F2701409F1008070101039000000194"
                                      "0408011000" };
    for (size_t i = 0; i < RECORDS; i++) {
        memset(large[i], '0', sizeof large[i] - 1);
        memcpy(large[i], "DF1081F6", 8);
        large[i][3] = "0123456789ABCDEF"[i];
        scene.records[i] = large[i];
    }
    const struct result full = play(&scene);
    property(outcome_is(&full.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STORE_FULL) && full.commands > 10,
             "a full store", 0);
    for (unsigned contact = 0; contact < 2; contact++) {
        const struct scene other = { .gpo = "=6984", .ttq_1 = contact ? 0x36 : 0x26 };
        const struct result refused = play(&other);
        property(outcome_is(&refused.outcome, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_REASON_CARD_STATUS) &&
                     refused.outcome.alternate_interface ==
                         (contact ? CEMV_INTERFACE_CONTACT_CHIP : CEMV_INTERFACE_MAGSTRIPE) &&
                     outcome_error_is(&refused.outcome, 0, CEMV_L2_STATUS_BYTES, 0x6984) &&
                     refused.outcome.ui_on_outcome.status == CEMV_UI_READY_TO_READ,
                 "another interface, contact first", contact);
    }
}

static void properties_of_results(void)
{
    const struct scene online = { .gpo = ARQC TRACK_2 "9F5D060000000012349F6C020000" };
    struct result result = play(&online);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL) && !result.outcome.receipt,
             "online", 0);
    property(result.outcome.ui_on_outcome.value == 1234 && result.outcome.ui_on_outcome.currency == 0x0978 &&
                 result.outcome.ui_on_outcome.value_qualifier == CEMV_VALUE_BALANCE,
             "the balance is in the currency of the sale", 0);
    property(cemv_bytes_equal(datum(&result, 0x5A), BYTES("\x62\x23\x16\x49\x91\x23\x00\x14")), "the PAN of track 2",
             0);
    property(datum(&result, 0x9F1A).size == 2 && datum(&result, 0x95).size == 5 && datum(&result, 0x9F5D).size == 0,
             "the record", 0);
    const struct scene nobody = { .gpo = ARQC "5702FFFF" };
    result = play(&nobody);
    property(result.outcome.status == CEMV_OUTCOME_ONLINE_REQUEST && datum(&result, 0x5A).size == 0 &&
                 datum(&result, 0x57).size == 2,
             "no PAN, none in the record", 0);
    const struct scene offline = { .gpo = ARQC TRACK_2, .ttq_1 = 0x3E };
    result = play(&offline);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_DECLINED, CEMV_REASON_KERNEL), "an offline reader declines", 0);
    const struct scene quiet_pan = { .gpo = ARQC "5702FFFF", .protection = { .profile = CEMV_PROFILE_STRICT } };
    result = play(&quiet_pan);
    property(result.outcome.status == CEMV_OUTCOME_ONLINE_REQUEST &&
                 !outcome_reports(&result.outcome, CEMV_FINDING_LUHN),
             "no PAN has no check digit", 0);
    const struct scene apart = { .gpo = ARQC TRACK_2 "9F6C020080",
                                 .ttq_1 = 0x3A,
                                 .amount = 25000,
                                 .protection = { .profile = CEMV_PROFILE_STRICT } };
    result = play(&apart);
    property(result.outcome.status == CEMV_OUTCOME_DECLINED, "it declines before anything else", 0);
    const struct scene claims = { .gpo = ARQC TRACK_2 "9F6C020080", .amount = 25000 };
    result = play(&claims);
    property(result.outcome.cvm == CEMV_CVM_CDCVM &&
                 outcome_reports(&result.outcome, CEMV_FINDING_CDCVM_UNAUTHENTICATED),
             "an unproven claim is reported", 0);
    const struct scene signs = { .gpo = ARQC TRACK_2 "9F6C024000", .amount = 25000 };
    result = play(&signs);
    property(result.outcome.cvm == CEMV_CVM_SIGNATURE &&
                 outcome_reports(&result.outcome, CEMV_FINDING_CVM_FROM_PLAIN_DATA),
             "a PIN that became a signature is reported", 0);
    for (unsigned i = 0; i < 3; i++) {
        struct scene quiet = signs;
        if (i == 0) quiet.amount = 0;
        else if (i == 1) quiet.ttq_1 = 0x32;
        else quiet.gpo = ARQC TRACK_2 "9F6C028000";
        result = play(&quiet);
        property(!outcome_reports(&result.outcome, CEMV_FINDING_CVM_FROM_PLAIN_DATA), "nothing was replaced", i);
    }
    const struct scene mixed = { .gpo = ALL TRACK_2 "9F2701809F10080701010390000000" };
    result = play(&mixed);
    property(outcome_reports(&result.outcome, CEMV_FINDING_CID_IAD_MISMATCH) &&
                 result.outcome.status == CEMV_OUTCOME_ONLINE_REQUEST,
             "two types are reported", 0);
    const struct scene short_data = { .gpo = ALL TRACK_2 "9F2701809F100407010103" };
    result = play(&short_data);
    property(!outcome_reports(&result.outcome, CEMV_FINDING_CID_IAD_MISMATCH), "one type contradicts nothing", 0);
    const struct scene terminal_tag = { .gpo = ARQC TRACK_2 "9F0206000000000001" };
    result = play(&terminal_tag);
    property(outcome_reports(&result.outcome, CEMV_FINDING_TERMINAL_TAG_FROM_CARD),
             "an object of the terminal is reported", 0);
    property(cemv_bytes_equal(datum(&result, 0x9F02), BYTES("\0\0\0\0\x12\x50")), "and changes nothing", 0);
}

/* A03 and A18: the brand of the name against the PAN; a record twice in the locator. */
static void properties_of_what_is_refused(void)
{
    for (unsigned i = 0; i < 6; i++) {
        static const char *const profiles[] = { ARQC TRACK_2,
                                                ARQC TRACK_2 "9F6C0208009404"
                                                             "08010100",
                                                ARQC TRACK_2 "9408"
                                                             "08010100"
                                                             "08010100" };
        struct scene scene = { .gpo = profiles[i % 3],
                               .records = { i % 3 == 1 ? "5F2403200101" : NULL },
                               .visa = i % 3 != 2 };
        if (i >= 3) scene.protection.profile = CEMV_PROFILE_BOOK;
        if (i == 5) {
            scene.records[0] = "DF1000";
            scene.records[1] = "DF1100";
        }
        const struct result result = play(&scene);
        const uint8_t status = i >= 3 ? CEMV_OUTCOME_ONLINE_REQUEST
                             : i == 2 ? CEMV_OUTCOME_END_APPLICATION
                                      : CEMV_OUTCOME_DECLINED;
        property(outcome_is(&result.outcome, status, i >= 3 ? CEMV_REASON_KERNEL : CEMV_REASON_PROTECTION),
                 "refused beyond the book", i);
        property(
            outcome_reports(&result.outcome, i % 3 == 2 ? CEMV_FINDING_RECORD_REPEATED : CEMV_FINDING_BRAND_MISMATCH),
            "and reported", i);
    }
}

/* A39: an unproven on-device verification, above the CVM limit, for an account of another network below UnionPay's
 * name. */
static void claims_for_other_networks_are_not_believed_7(void)
{
    static const struct {
        const char *gpo;
        bool other;
    } accounts[] = {
        { ARQC "57115413330089010434D30122200000012345", true },
        { ARQC "57114111111111111111D30122200000012345", true },
        { ARQC "5711374245001741007D301222000000123450", true },
        { ARQC "57113569830447869493D30122200000012345", true },
        { ARQC TRACK_2, false },
        { ARQC "57116011000990130394D30122200000012345", false },
        { ARQC "57112201382000000013D30122200000012345", false },
    };
    static const struct {
        uint8_t profile, brand_check, ttq_1; /* 36: PIN and contact; 32: contact; 22: neither */
        bool below;
        uint8_t status, cvm; /* of another network's */
    } readers[] = {
        { CEMV_PROFILE_BOOK, 0, 0x36, false, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_CVM_CDCVM },
        { CEMV_PROFILE_GUARDED, 0, 0x36, false, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_CVM_ONLINE_PIN },
        { CEMV_PROFILE_GUARDED, 0, 0x32, false, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_CVM_NA },
        { CEMV_PROFILE_GUARDED, 0, 0x22, false, CEMV_OUTCOME_DECLINED, CEMV_CVM_NA },
        { CEMV_PROFILE_GUARDED, 0, 0x36, true, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_CVM_CDCVM },
        { CEMV_PROFILE_GUARDED, CEMV_RULE_REPORT, 0x36, false, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_CVM_CDCVM },
    };
    char gpo[300];
    for (unsigned i = 0; i < sizeof readers / sizeof readers[0]; i++)
        for (unsigned k = 0; k < sizeof accounts / sizeof accounts[0]; k++) {
            strcpy(gpo, accounts[k].gpo);
            strcat(gpo, "9F6C020080");
            const struct scene scene = {
                .gpo = gpo,
                .ttq_1 = readers[i].ttq_1,
                .amount = readers[i].below ? 1250 : 25000,
                .protection = { .profile = readers[i].profile, .brand_check = readers[i].brand_check },
            };
            const struct result result = play(&scene);
            const bool other = accounts[k].other;
            const uint8_t status = other ? readers[i].status : CEMV_OUTCOME_ONLINE_REQUEST;
            const bool believed = !other || readers[i].cvm == CEMV_CVM_CDCVM;
            property(outcome_is(&result.outcome, status, believed ? CEMV_REASON_KERNEL : CEMV_REASON_PROTECTION),
                     "a claim for this account", i * 16 + k);
            property(result.outcome.cvm == (other ? readers[i].cvm : CEMV_CVM_CDCVM), "and its method", i * 16 + k);
            property(outcome_reports(&result.outcome, CEMV_FINDING_CDCVM_UNAUTHENTICATED), "is reported", i * 16 + k);
            property(outcome_reports(&result.outcome, CEMV_FINDING_BRAND_MISMATCH) == (other && !readers[i].below),
                     "with the network where that counts", i * 16 + k);
        }
    const struct scene card = { .gpo = ARQC "57115413330089010434D30122200000012345"
                                            "9F6C028000",
                                .amount = 25000 };
    struct result result = play(&card);
    property(result.outcome.cvm == CEMV_CVM_ONLINE_PIN && result.outcome.findings == 0,
             "a card of two brands that claims nothing", 0);
    const struct scene strict = { .gpo = ARQC "57115413330089010434D30122200000012345"
                                              "9F6C020080",
                                  .amount = 25000,
                                  .protection = { .profile = CEMV_PROFILE_STRICT } };
    result = play(&strict);
    property(result.outcome.cvm == CEMV_CVM_ONLINE_PIN, "nor does strict believe one", 0);
}

/* ---- the card that signs ---- */

#define OFFLINE ALL TRACK_2 "9F2701409F10080701010390000001"
static struct scene signed_scene(const char *before, const char *last, const char *related_data)
{
    static char gpo[600], record[400];
    strcpy(gpo, before);
    strcat(gpo, "940808010101100103005F340101");
    strcat(gpo, signature);
    strcpy(record, last);
    strcat(record, related_data);
    return (struct scene){ .gpo = gpo, .records = { record_1, record_2, record_3, record } };
}

static void properties_of_approvals(void)
{
    struct scene scene = signed_scene(OFFLINE, record_4, related);
    scene.protection.profile = CEMV_PROFILE_BOOK;
    struct result result = play(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_APPROVED, CEMV_REASON_KERNEL) && result.outcome.receipt &&
                 result.outcome.findings == 0,
             "a good signature approves", 0);
    property(datum(&result, 0x57).size == 0 && datum(&result, 0x5A).size == 8, "the record of an approval", 0);
    scene.ttq_1 = 0x3E;
    result = play(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_APPROVED, CEMV_REASON_KERNEL), "at an offline reader too", 0);
    scene.ttq_1 = 0;
    scene.protection.profile = CEMV_PROFILE_GUARDED; /* its expiry date is covered */
    result = play(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_APPROVED, CEMV_REASON_KERNEL), "and beyond the book", 0);
    scene.protection.profile = CEMV_PROFILE_STRICT;
    result = play(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_DECLINED, CEMV_REASON_PROTECTION),
             "strict approves nothing offline by itself", 0);
    scene.protection.offline = CEMV_RULE_ENFORCE;
    result = play(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_APPROVED, CEMV_REASON_KERNEL), "where it is configured", 0);
}

/* A TC whose signature fails: reported, and declined only by protection; if nothing could be verified, the book
 * decides. */
static void properties_of_failures(void)
{
    static const struct {
        const char *related_data;
        bool wrong;
    } cases[] = { { "9F690801C1C2C3C4000000", false },
                  { "9F690801C1C2C3C5000000", true },
                  { "9F690802C1C2C3C4000000", true },
                  { "9F690701C1C2C3C40000", true },
                  { "9F691101C1C2C3C400000000000000000000000000", true },
                  { "", false } };
    for (unsigned i = 1; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned profile = 0; profile < 3; profile++) {
            static const uint8_t profiles[] = { CEMV_PROFILE_BOOK, CEMV_PROFILE_GUARDED, CEMV_PROFILE_STRICT };
            struct scene scene = signed_scene(OFFLINE "9F6C022000", record_4, cases[i].related_data);
            scene.protection.profile = profiles[profile];
            const struct result result = play(&scene);
            const bool declined = cases[i].wrong && profile != 0;
            property(declined ? outcome_is(&result.outcome, CEMV_OUTCOME_DECLINED, CEMV_REASON_PROTECTION)
                              : outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL),
                     "wrong is declined, impossible is the card's to say", 4 * i + profile);
            property(outcome_reports(&result.outcome, CEMV_FINDING_ODA_TAMPER) == cases[i].wrong, "wrong is reported",
                     4 * i + profile);
        }
    struct scene scene = signed_scene(OFFLINE, record_4, "9F690801C1C2C3C5000000");
    scene.protection.profile = CEMV_PROFILE_BOOK;
    const struct result result = play(&scene);
    property(outcome_is(&result.outcome, CEMV_OUTCOME_DECLINED, CEMV_REASON_KERNEL), "declined by the book", 0);
    scene = signed_scene(OFFLINE "9F6C021000", record_4, "9F690801C1C2C3C5000000");
    scene.protection.oda_tamper = CEMV_RULE_REPORT;
    const struct result contact = play(&scene);
    property(outcome_is(&contact.outcome, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_REASON_KERNEL) &&
                 outcome_error_is(&contact.outcome, 0, CEMV_L2_CAM_FAILED, 0),
             "to the contact chip", 0);
    /* A missing signature does not count as a failed one. */
    static char unsigned_gpo[] = OFFLINE "9F6C022000"
                                         "940808010101100103005F340101";
    scene = signed_scene(OFFLINE, record_4, related);
    scene.gpo = unsigned_gpo;
    const struct result none = play(&scene);
    property(outcome_is(&none.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL) &&
                 !outcome_reports(&none.outcome, CEMV_FINDING_ODA_TAMPER),
             "no signature is none that fails", 0);
    /* The profile says that there are no signatures, or does not mention any. */
    static const char *const without[] = { "820200009F360200119F2608F9141382B2F3A849" TRACK_2
                                           "9F2701409F10080701010390000001" };
    scene = signed_scene(without[0], record_4, related);
    const struct result stripped = play(&scene);
    property(stripped.outcome.status == CEMV_OUTCOME_DECLINED &&
                 outcome_reports(&stripped.outcome, CEMV_FINDING_ODA_STRIPPED) &&
                 !outcome_reports(&stripped.outcome, CEMV_FINDING_ODA_TAMPER),
             "a profile without signatures beside certificates is reported", 0);
}

/* An ARQC with an unrequested signature (A01, A06), under single rules: it is invalid, and a CDCVM is claimed. */
static void properties_of_unsolicited(void)
{
    for (unsigned i = 0; i < 64; i++) {
        static const uint8_t rules[] = { CEMV_RULE_PROFILE, CEMV_RULE_OFF, CEMV_RULE_REPORT, CEMV_RULE_ENFORCE };
        const bool book = i >> 4 & 1, declines = i >> 5;
        struct scene scene = signed_scene(ALL TRACK_2 "9F2701809F1008"
                                                      "07010103A00000009F6C020080",
                                          record_4, "9F690801C1C2C3C4008000");
        scene.protection.profile = book ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED;
        scene.protection.unsolicited_sdad = rules[i & 3];
        scene.protection.cdcvm_trust = (uint8_t)(i >> 2 & 3);
        scene.protection.oda_tamper = declines ? CEMV_RULE_ENFORCE : CEMV_RULE_PROFILE;
        const uint8_t by_profile = book ? CEMV_RULE_REPORT : CEMV_RULE_ENFORCE;
        const uint8_t rule = rules[i & 3] != CEMV_RULE_PROFILE ? rules[i & 3] : by_profile;
        const uint8_t trust = scene.protection.cdcvm_trust ? scene.protection.cdcvm_trust
                            : book                         ? CEMV_CDCVM_BOOK
                                                           : CEMV_CDCVM_VERIFY_IF_PRESENT;
        const bool looks = rule == CEMV_RULE_ENFORCE || trust != CEMV_CDCVM_BOOK;
        const bool believed = !looks || trust == CEMV_CDCVM_BOOK;
        const struct result result = play(&scene);
        property(outcome_reports(&result.outcome, CEMV_FINDING_UNSOLICITED_SDAD) == (rule != CEMV_RULE_OFF),
                 "it is reported", i);
        property(outcome_reports(&result.outcome, CEMV_FINDING_ODA_TAMPER) == looks,
                 "and looked at where a rule says so", i);
        if (looks && declines) {
            property(outcome_is(&result.outcome, CEMV_OUTCOME_DECLINED, CEMV_REASON_PROTECTION),
                     "declined where a rule says so", i);
            continue;
        }
        property(outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST,
                            believed ? CEMV_REASON_KERNEL : CEMV_REASON_PROTECTION) &&
                     result.outcome.cvm == (believed ? CEMV_CVM_CDCVM : CEMV_CVM_NA) &&
                     outcome_reports(&result.outcome, CEMV_FINDING_CDCVM_UNAUTHENTICATED) == believed,
                 "a claim that failed was not made", i);
    }
    struct scene transit = signed_scene(ALL TRACK_2 "9F2701809F1008"
                                                    "07010103A00000009F6C020000",
                                        record_4, related);
    transit.protection.profile = CEMV_PROFILE_BOOK, transit.options.oda_for_online = true;
    const struct result special = play(&transit);
    property(special.ttq[0] == 0x37 && (special.ttq[1] & 0x80) != 0, "a special reader asks for signatures", 0);
    property(outcome_is(&special.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL) &&
                 outcome_reports(&special.outcome, CEMV_FINDING_ODA_TAMPER) &&
                 !outcome_reports(&special.outcome, CEMV_FINDING_UNSOLICITED_SDAD),
             "and looks at them; by the book that decides nothing", 0);
    /* Without a profile, or without the signed data, no signature is valid; in the second case they were removed (A32).
     */
    transit.options.oda_for_online = false, transit.protection.profile = CEMV_PROFILE_GUARDED;
    for (unsigned i = 0; i < 4; i++) {
        static const char no_profile[] = "9F360200119F2608F9141382B2F3A849" TRACK_2 "9F2701809F1008"
                                         "07010103A0000000";
        struct scene scene = i & 1 ? signed_scene(no_profile, record_4, related)
                                   : signed_scene(ALL TRACK_2 "9F2701809F1008"
                                                              "07010103A0000000",
                                                  record_4, "");
        scene.protection.profile = i & 2 ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED;
        scene.protection.unsolicited_sdad = CEMV_RULE_ENFORCE;
        const struct result result = play(&scene);
        property(outcome_reports(&result.outcome, CEMV_FINDING_ODA_TAMPER) == (i == 0),
                 "what was signed is there, or was taken away", i);
        property(result.outcome.status == (i & 1 ? CEMV_OUTCOME_END_APPLICATION : CEMV_OUTCOME_ONLINE_REQUEST), "ends",
                 i);
    }
    /* An unrequested valid signature declines only if the plain CTQ differs from the signed one (A06) and a rule
     * requires it. */
    for (unsigned i = 0; i < 4; i++) {
        static const char *const gpo[] = { ALL TRACK_2 "9F2701809F100807010103A0000000",
                                           ALL TRACK_2 "9F2701809F100807010103A00000009F6C020000",
                                           ALL TRACK_2 "9F2701809F100807010103A00000009F6C028000" };
        struct scene scene = signed_scene(gpo[i < 3 ? i : 2], record_4, related);
        scene.protection.profile = CEMV_PROFILE_GUARDED, scene.verifies_online = true;
        if (i == 3) scene.protection.unsolicited_sdad = CEMV_RULE_REPORT;
        const struct result result = play(&scene);
        property(outcome_reports(&result.outcome, CEMV_FINDING_UNSOLICITED_SDAD) &&
                     !outcome_reports(&result.outcome, CEMV_FINDING_ODA_TAMPER),
                 "an unrequested signature that holds", i);
        property(outcome_is(&result.outcome, i == 2 ? CEMV_OUTCOME_DECLINED : CEMV_OUTCOME_ONLINE_REQUEST,
                            i == 2 ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL),
                 "a CTQ in the clear unlike the signed one", i);
    }
    const struct scene plain = { .gpo = ARQC TRACK_2 };
    const struct result none = play(&plain);
    property(!outcome_reports(&none.outcome, CEMV_FINDING_UNSOLICITED_SDAD) &&
                 !outcome_reports(&none.outcome, CEMV_FINDING_ODA_TAMPER),
             "nothing to look at", 0);
}

/* ---- limits ---- */

static void properties_of_limits_beyond(void)
{
    /* A09: without a floor limit an online cryptogram is requested, except for a zero amount and with Autorun. */
    for (unsigned i = 0; i < 16; i++) {
        struct scene scene = { .gpo = ARQC TRACK_2,
                               .no_floor = i & 1,
                               .amount = i & 2 ? 1 : 1250,
                               .start_b = i & 4,
                               .protection = { .profile = i & 8 ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED } };
        const struct result result = play(&scene);
        property((result.ttq[1] & 0x80) == (i == 1 ? 0x80 : 0), "no floor limit is zero beyond the book", i);
    }
    /* A02: an amount that is allowed only with a proven CDCVM. */
    for (unsigned i = 0; i < 8; i++) {
        struct scene scene = { .gpo = i & 1 ? ARQC TRACK_2 "9F6C020080" : ARQC TRACK_2 "9F6C028000",
                               .amount = i & 2 ? 40000 : 25000,
                               .cdcvm_limit = 50000,
                               .protection = { .profile = i & 4 ? CEMV_PROFILE_STRICT : CEMV_PROFILE_GUARDED } };
        const struct result result = play(&scene);
        const bool above = (i & 6) == 6;
        property(outcome_reports(&result.outcome, CEMV_FINDING_LIMIT_NEEDS_AUTHENTICATED_CDCVM) == above,
                 "the higher limit is earned", i);
        property(!above || (result.outcome.status == CEMV_OUTCOME_END_APPLICATION &&
                            result.outcome.reason == CEMV_REASON_KERNEL_LIMIT),
                 "else the application is left", i);
    }
    /* A19: transaction types that no signature covers. */
    static const uint8_t types[] = { 0x01, 0x09, 0x20, 0x00 };
    for (unsigned i = 0; i < 4; i++) {
        struct scene scene = signed_scene(OFFLINE, record_4, related);
        scene.type = types[i];
        scene.amount_other = i == 3 ? 1 : 0;
        struct result result = play(&scene);
        property(outcome_is(&result.outcome, CEMV_OUTCOME_DECLINED, CEMV_REASON_PROTECTION),
                 "no offline approval of these", i);
        scene.protection.profile = CEMV_PROFILE_BOOK;
        result = play(&scene);
        property(result.outcome.status == CEMV_OUTCOME_APPROVED, "but by the book", i);
    }
}

/* If Entry Point found no space for the qualifiers, no command is sent without them. */
static void property_of_room(void)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_SESSION_SIZE];
    const struct scene scene = { .gpo = ARQC TRACK_2 };
    const struct cemv_transaction sale = {
        .amount = 1250, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 }
    };
    const struct cemv_reply card = { .kind = CEMV_REPLY_CARD };
    struct cemv_session *session;
    struct cemv_config_error error;
    property(cemv_session_begin(memory, sizeof memory, configure(&scene), &sale, BYTES("\1\2\3\4"), &session, &error) ==
                 CEMV_OK,
             "a sale", error.field);
    (void)cemv_session_reply(session, &card);
    struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = answer_of(ppse, 0x6F) };
    (void)cemv_session_reply(session, &reply);
    reply.bytes = answer_of(fci, 0x6F);
    property(cemv_session_reply(session, &reply) == CEMV_STEP_SEND, "GET PROCESSING OPTIONS", 0);
    struct cemv_kernel *kernel = &session->kernel;
    (void)cemv_store_put_tag(&kernel->store, 0x9F66, (cemv_bytes){ NULL, 0 });
    kernel->store.used = CEMV_STORE_ARENA - 3;
    kernel->out.state = 0;
    property(cemv_kernel_7.start(kernel) != CEMV_STEP_SEND && kernel->out.finished, "nothing is sent", 0);
    property(kernel->out.outcome.status == CEMV_OUTCOME_END_APPLICATION &&
                 kernel->out.outcome.reason == CEMV_REASON_STORE_FULL,
             "and the end says why", kernel->out.outcome.reason);
}

/* 4.5.2.1: there is no second presentment. Whatever the issuer's answer contains, including complete or cut scripts of
 * any length, nothing is sent to the card and the Online Request remains. */
static void properties_of_scripts(void)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_SESSION_SIZE];
    static const struct scene scene = { .gpo = ARQC TRACK_2 };
    const struct cemv_transaction sale = {
        .amount = 1250, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 }
    };
    uint8_t script[300] = { 0 };
    for (uint8_t template = 0x71; template <= 0x72; template ++) {
        for (size_t size = 0; size <= CEMV_MAX_ISSUER_DATA + 1; size++) {
            struct cemv_session *session;
            struct cemv_config_error error;
            struct cemv_reply reply = { .kind = CEMV_REPLY_CARD };
            const char *const answers[] = { ppse, fci, scene.gpo };
            property(cemv_session_begin(memory, sizeof memory, configure(&scene), &sale, BYTES("\1\2\3\4"), &session,
                                        &error) == CEMV_OK,
                     "a sale", error.field);
            (void)cemv_session_reply(session, &reply);
            reply.kind = CEMV_REPLY_RESPONSE;
            for (unsigned i = 0; i < 3; i++) {
                reply.bytes = answer_of(answers[i], i == 2 ? 0x77 : 0x6F);
                (void)cemv_session_reply(session, &reply);
            }
            const struct cemv_outcome before = cemv_session_outcome(session);
            property(before.status == CEMV_OUTCOME_ONLINE_REQUEST && before.start == CEMV_START_NA &&
                         before.online_response == CEMV_ONLINE_RESPONSE_NA,
                     "an Online Request without a restart", before.start);
            memcpy(script, (uint8_t[]){ template, 0x81, (uint8_t)(size - 3), 0x86, 5, 0x84, 0x18, 0, 0, 0 }, 10);
            reply = (struct cemv_reply){ .kind = CEMV_REPLY_ONLINE, .bytes = { script, size } };
            (void)cemv_session_reply(session, &reply);
            const struct cemv_outcome after = cemv_session_outcome(session);
            property(cemv_session_step(session) == CEMV_STEP_DONE && memcmp(&before, &after, sizeof after) == 0,
                     "nothing is sent, nothing changes", (unsigned)size);
        }
    }
}

void properties_of_kernel_7_dialogue(void)
{
    PART(properties_of_scripts);
    PART(property_of_room);
    PART(properties_of_try_again);
    PART(properties_of_the_end);
    PART(properties_of_results);
    PART(properties_of_what_is_refused);
    PART(claims_for_other_networks_are_not_believed_7);
    PART(properties_of_approvals);
    PART(properties_of_failures);
    PART(properties_of_unsolicited);
    PART(properties_of_limits_beyond);
}
