/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 5: the effects of its protection, the events that end the context of a torn tap, the link
 * between the issuer's answer and the card that went online, bounds, the configuration. Cards that follow the book are
 * in Tests/Independent. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CEMVInternals.h"
#include "../../Sources/CEMV/kernels/k5/k5_memory.h"
#include "bytes.h"
#include "properties.h"

static bool bit(unsigned number, unsigned at) { return (number >> at & 1u) != 0; }

/* ---- decisions ---- */

/* Outside profile `book` the kernel only requests less: it declines, or requests an ARQC where the book requests a TC.
 */
static void property_of_one_action(unsigned number)
{
    static const uint8_t types[] = { 0x00, 0x01, 0x09, 0x20 }, terminals[] = { 0x21, 0x22, 0x23, 0x26 };
    struct k5_action_in in = {
        .type = types[number & 3],
        .terminal_type = terminals[number >> 2 & 3],
        .legacy = bit(number, 4),
        .transit = bit(number, 5),
        .options = bit(number, 6) ? CEMV_KERNEL_5_EXCEPTION_FILE : 0,
        .tvr = CEMV_TVR(1, bit(number, 7) ? 0x10 : 0) | CEMV_TVR(1, bit(number, 8) ? 0x04 : 0) |
               CEMV_TVR(4, bit(number, 9) ? 0x80 : 0),
        .denial = bit(number, 10) ? 0x0410000000 : 0,
        .online = 0x9060009000,
        .unable = 0x9040008000,
        .issuer_online = of("\0\0\0\0", 5),
        .issuer_unable = of("\0\0\0\0", 5),
    };
    const uint8_t book = k5_action(&in);
    in.needs_online = bit(number, 11), in.refuse_failed = bit(number, 12);
    const uint8_t action = k5_action(&in);
    property(in.type != 0x20 || book == CEMV_RULES_AAC, "a refund asks for no cryptogram", number);
    property(!in.legacy || book != CEMV_RULES_TC, "Legacy Mode is online", number);
    property(action == book || action == CEMV_RULES_AAC || (book == CEMV_RULES_TC && action == CEMV_RULES_ARQC),
             "what protects only asks for less", number);
    property(!in.needs_online || action != CEMV_RULES_TC, "no TC where none may be", number);
    property(!in.needs_online || action != CEMV_RULES_ARQC || book == CEMV_RULES_ARQC ||
                 !cemv_rules_offline_only(in.terminal_type),
             "nothing goes online at a reader that cannot", number);
    property(!in.refuse_failed || !bit(number, 8) || action == CEMV_RULES_AAC, "a signature that cannot hold", number);
    if (in.legacy && !in.transit && in.type != 0x20 && (in.tvr & in.denial) == 0 && in.terminal_type == 0x22)
        property(book == CEMV_RULES_ARQC, "what Legacy Mode does not decline asks for an ARQC (3.9.1.3)", number);
}

/* The single decisions, at the edges of their clauses. */
static void properties_of_decisions(void)
{
    const struct cemv_limits limits = { .amount = { [CEMV_LIMIT_TRANSACTION] = 300,
                                                    [CEMV_LIMIT_CDCVM_TRANSACTION] = 200,
                                                    [CEMV_LIMIT_CVM_REQUIRED] = 100 },
                                        .present = 1u << CEMV_LIMIT_TRANSACTION | 1u << CEMV_LIMIT_CDCVM_TRANSACTION |
                                                   1u << CEMV_LIMIT_CVM_REQUIRED };
    static const uint8_t types[] = { 0x00, 0x01, 0x09, 0x20, 0x17 };
    for (unsigned i = 0; i < 5; i++) {
        property(k5_cvm_required(types[i], 100, &limits) == (i < 3), "types that need a CVM (3.5.2.1)", i);
        property(!k5_cvm_required(types[i], 99, &limits), "not below the limit", i);
    }
    for (unsigned closely = 0; closely < 2; closely++) {
        struct k5_cvm_in in = { .status = 0x30,
                                .tip = 0x10,
                                .verified = true,
                                .amount = 250,
                                .limits = &limits,
                                .reads_closely = closely != 0 };
        property(k5_cvm(&in).verdict == K5_NEXT, "a claim of the device meets the device's limit (3.8.3.5)", closely);
        in.amount = 199;
        property(k5_cvm(&in).verdict == K5_GOES_ON, "and is let go on below it", closely);
    }
    uint8_t results[3];
    for (unsigned cvm = 0; cvm < 256; cvm++) {
        k5_cvm_results((uint8_t)cvm, results);
        const bool known = cvm == CEMV_CVM_NONE || cvm == CEMV_CVM_SIGNATURE || cvm == CEMV_CVM_ONLINE_PIN ||
                           cvm == CEMV_CVM_CDCVM;
        property(known == (results[0] != 0x3F), "what is no method has no result (A.4)", cvm);
    }
}

/* A data object list is read as BER, except for the two objects of Annex B without a BER tag (4.13). */
static void properties_of_entries(void)
{
    static const struct {
        uint8_t bytes[6];
        size_t size;
        uint32_t tag;
        uint8_t length;
    } rows[] = {
        { { 0xDF, 0x83, 0x10 }, 3, K5_TAG_DF83, 16 },
        { { 0xDF, 0x84, 0x32 }, 3, K5_TAG_DF84, 50 },
        { { 0xDF, 0x83, 0x32, 4 }, 4, 0xDF8332, 4 },
        { { 0xDF, 0x84, 0x10, 4 }, 4, 0xDF8410, 4 },
        { { 0x9F, 0x83, 0x10, 4 }, 4, 0x9F8310, 4 },
        { { 0x9F, 0x84, 0x32, 4 }, 4, 0x9F8432, 4 },
        { { 0xDF, 0x01, 0x10 }, 3, 0xDF01, 16 },
        { { 0xDF, 0x01, 0x32 }, 3, 0xDF01, 50 },
        { { 0xDF, 0x83 }, 2, 0, 0 },
        { { 0xDF }, 1, 0, 0 },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cemv_dol_cursor cursor = cemv_dol_open(of(guarded_copy(rows[i].bytes, rows[i].size), rows[i].size));
        struct cemv_dol_entry entry;
        const bool read = k5_dol_next(&cursor, &entry);
        property(read == (rows[i].tag != 0), "an entry", i);
        if (read) property(entry.tag == rows[i].tag && entry.length == rows[i].length, "its tag and length", i);
    }
}

/* Outside profile `book` a claim is only replaced by online PIN, another application, or Declined. */
static void property_of_one_cvm(unsigned number)
{
    static const uint8_t statuses[] = { 0x00, 0x10, 0x20, 0x30, 0x31, 0x11, 0x80, 0x3F };
    const struct cemv_limits limits = {
        .amount = { [CEMV_LIMIT_TRANSACTION] = 200, [CEMV_LIMIT_CDCVM_TRANSACTION] = 300 },
        .present = (uint8_t)((bit(number, 3) ? 1u << CEMV_LIMIT_TRANSACTION : 0) |
                             (bit(number, 4) ? 1u << CEMV_LIMIT_CDCVM_TRANSACTION : 0))
    };
    struct k5_cvm_in in = {
        .status = statuses[number & 7],
        .tip = (uint8_t)((bit(number, 5) ? 0x80 : 0) | (bit(number, 6) ? 0x40 : 0) | (bit(number, 7) ? 0x20 : 0) |
                         (bit(number, 8) ? 0x10 : 0) | (bit(number, 9) ? 0x04 : 0)),
        .tc = bit(number, 10),
        .verified = bit(number, 11),
        .amount = (number >> 12 & 3) * 100 + 100,
        .limits = &limits,
    };
    const struct k5_cvm book = k5_cvm(&in);
    in.reads_closely = in.distrusts_plain = in.distrusts_device = true;
    const struct k5_cvm cvm = k5_cvm(&in);
    const bool same = cvm.verdict == book.verdict && cvm.cvm == book.cvm;
    if (book.verdict == K5_DECLINES) property(cvm.verdict == K5_DECLINES, "what the book declines", number);
    if (book.verdict == K5_NEXT) property(cvm.verdict != K5_GOES_ON, "what the book leaves to the next", number);
    property(same || cvm.verdict != K5_GOES_ON || cvm.cvm == CEMV_CVM_ONLINE_PIN || (in.status == 0x30 && cvm.cvm == 0),
             "a claim makes way for online PIN alone", number);
    if (cvm.verdict == K5_GOES_ON && bit(number, 5) && !bit(number, 9) && !in.verified)
        property(cvm.cvm == CEMV_CVM_ONLINE_PIN, "above the limit nothing unproven is believed", number);
    if (cvm.verdict == K5_GOES_ON && in.tc && in.verified)
        property(cvm.cvm != CEMV_CVM_ONLINE_PIN, "no PIN for a TC", number);
    property(!book.replaced, "the book replaces nothing", number);
}

static void properties_of_methods(void)
{
    static const uint8_t codes[] = { 0x02, 0x42, 0x1E, 0x5E, 0x1F, 0x01 };
    uint8_t list[12] = { 0 };
    for (unsigned number = 0; number < 36 * 16; number++) {
        list[8] = codes[number / 16 / 6], list[10] = codes[number / 16 % 6];
        list[9] = (uint8_t)number, list[11] = (uint8_t)(number * 7);
        struct k5_cvm_list_in in = { .list = of(list, 12),
                                     .tip = (uint8_t)((bit(number, 0) ? 0x40 : 0) | (bit(number, 1) ? 0x20 : 0)),
                                     .required = true };
        const struct k5_cvm book = k5_cvm_list(&in);
        in.downgraded = bit(number, 2), in.pin_first = bit(number, 3);
        const struct k5_cvm cvm = k5_cvm_list(&in);
        if (book.verdict != K5_GOES_ON) property(cvm.verdict == K5_DECLINES, "what the list declines stays so", number);
        property(cvm.cvm == book.cvm || cvm.cvm == CEMV_CVM_ONLINE_PIN || cvm.verdict == K5_DECLINES,
                 "only online PIN takes another's place", number);
        property(cvm.replaced == (cvm.cvm != book.cvm), "and that is said", number);
        if (in.downgraded && cvm.verdict == K5_GOES_ON)
            property(cvm.cvm == CEMV_CVM_ONLINE_PIN, "an EMV card in the weaker mode", number);
        in.list.size = 11;
        property(k5_cvm_list(&in).verdict == K5_DECLINES, "a list of odd length", number);
        in.required = false;
        property(k5_cvm_list(&in).cvm == CEMV_CVM_NONE, "below the limit the list is not read", number);
    }
}

/* ---- answers ---- */

/* Every truncation of a good answer, and every byte changed: nothing is read beyond its end. */
static void properties_of_answers(void)
{
    static const uint8_t good[] = { 0x77, 0x1F, 0x9F, 0x27, 1, 0x80, 0x9F, 0x36, 2, 0,    1,    0x9F, 0x26, 8, 1, 2, 3,
                                    4,    5,    6,    7,    8, 0x9F, 0x50, 1,    0, 0x9F, 0x10, 4,    1,    2, 3, 4 };
    uint8_t body[sizeof good];
    const struct k5_answer whole = k5_read_answer(of(good, sizeof good));
    property(k5_is_first_answer(&whole, false) && k5_is_first_answer(&whole, true) && k5_is_second_answer(&whole),
             "good", whole.sound);
    property(!k5_lacks_signature(&whole, false) && k5_lacks_signature(&whole, true), "but for its signature", 0);
    for (size_t size = 0; size < sizeof good; size++)
        property(!k5_read_answer(of(guarded_copy(good, size), size)).sound, "what is cut is none", (unsigned)size);
    uint8_t longer[sizeof good + 3];
    static const struct {
        uint8_t bytes[3];
        size_t size;
        bool sound;
    } tails[] = { { { 0x9C, 1, 0 }, 3, false }, { { 0x9F }, 1, false }, { { 0 }, 1, true } };
    memcpy(longer, good, sizeof good);
    for (unsigned i = 0; i < 3; i++) {
        memcpy(longer + sizeof good, tails[i].bytes, tails[i].size);
        property(k5_read_answer(of(longer, sizeof good + tails[i].size)).sound == tails[i].sound,
                 "an answer is one object, and filler", i);
    }
    static const uint8_t legacy[] = { 0x80, 19, 0x80, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
    const struct k5_answer plain = k5_read_legacy_answer(of(legacy, sizeof legacy));
    property(plain.sound && k5_type(&plain) == CEMV_RULES_ARQC && plain.object[K5_ATC].data == legacy + 3 &&
                 plain.object[K5_AC].size == 8 && plain.object[K5_IAD].size == 8,
             "by position (Table 4-3)", 0);
    property(!k5_read_gpo(of("\x77\4\x82\2\x18\x80", 6)).whole, "an answer without a locator", 0);
    property(k5_read_gpo(of("\x80\3\x18\x80\x08", 5)).locator.size == 1, "what stands behind the profile", 0);
    uint8_t fci[] = { 0x6F, 33,  0x84, 5,   1,   2,   3,   4,   5,   0xA5, 24,  0x50, 16,   'A', 'B',  'C',  'D', 'E',
                      'F',  'G', 'H',  'I', 'J', 'K', 'L', 'M', 'N', 'O',  'P', 0x9F, 0x38, 3,   0x9F, 0x52, 1 };
    property(k5_read_fci(of(fci, sizeof fci)).label.size == 16, "a label of sixteen bytes", 0);
    fci[12] = 17, fci[29] = 'Q', fci[30] = 0x9F, fci[31] = 0x38, fci[32] = 2, fci[33] = 0x9C;
    const struct k5_fci read = k5_read_fci(of(fci, sizeof fci));
    property(read.whole && read.pdol.size == 2 && read.label.size == 0, "a longer one is none, and no error", 0);
    memcpy(body, good, sizeof good);
    for (size_t at = 0; at < sizeof good; at++) {
        for (unsigned value = 0; value < 256; value++) {
            body[at] = (uint8_t)value;
            const cemv_bytes bytes = of(guarded_copy(body, sizeof body), sizeof body);
            const struct k5_answer answer = k5_read_answer(bytes);
            if (k5_is_first_answer(&answer, false))
                property(answer.object[K5_ATC].size == 2 && answer.object[K5_CID].size == 1, "each as long as it is",
                         value);
            (void)k5_read_fci(bytes), (void)k5_read_gpo(bytes), (void)k5_read_legacy_answer(bytes);
        }
        body[at] = good[at];
    }
}

/* ---- the reader, and a card ---- */

static const uint8_t terminal[] = { 0x9F, 0x1A, 2, 0x02, 0x76, 0x9F, 0x35, 1, 0x22 };
static struct cemv_kernel_5_options options;
static struct cemv_combination rows[2];
static struct cemv_configuration configuration;
static struct cemv_transaction sale;
static struct cemv_reader_memory reader;
static struct cemv_session *session;
static _Alignas(CEMV_ALIGNMENT) uint8_t room[CEMV_SESSION_SIZE], checked_room[16384];
static const uint8_t jcb[] = { 0xA0, 0, 0, 0, 0x65, 0x10, 0x10 }, visa[] = { 0xA0, 0, 0, 0, 3, 0x10, 0x10 };
static const uint8_t ttq[] = { 0x36, 0, 0, 0 };

static void open_reader(uint8_t profile)
{
    static const struct cemv_kernel_row kernels[] = { { { 5 }, 1, &cemv_kernel_5, NULL },
                                                      { { 3 }, 1, &cemv_kernel_3, NULL } };
    options = (struct cemv_kernel_5_options){
        .limits = { .amount = { [CEMV_LIMIT_FLOOR] = 5000, [CEMV_LIMIT_CVM_REQUIRED] = 10000 },
                    .present = 1 << CEMV_LIMIT_FLOOR | 1 << CEMV_LIMIT_CVM_REQUIRED },
        .terminal_interchange_profile = { 0x72, 0x80, 0 },
    };
    rows[0] = (struct cemv_combination){
        .aid = of(jcb, sizeof jcb), .kernel_id = { 5 }, .kernel_id_size = 1, .options = &options
    };
    rows[1] = (struct cemv_combination){
        .aid = of(visa, sizeof visa), .kernel_id = { 3 }, .kernel_id_size = 1, .ttq = of(ttq, sizeof ttq)
    };
    configuration = (struct cemv_configuration){ .terminal_data = of(terminal, sizeof terminal),
                                                 .combinations = rows,
                                                 .combination_count = 2,
                                                 .kernels = kernels,
                                                 .kernel_count = 2,
                                                 .protection = { .profile = profile } };
    memset(&reader, 0, sizeof reader);
    sale = (struct cemv_transaction){
        .amount = 1000, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 }, .reader = &reader
    };
}

static void begin(void)
{
    static const uint8_t random[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    property(cemv_configuration_check(&configuration, checked_room, sizeof checked_room, &checked, &error) == CEMV_OK,
             "a configuration", error.field);
    property(cemv_session_begin(room, sizeof room, checked, &sale, of(random, sizeof random), &session, &error) ==
                 CEMV_OK,
             "a sale", error.field);
}

/* An outcome names a status word if, and only if, the card answered with it (Book A, Table 6-2; error indication). */
static void property_of_status_word(const struct cemv_reply *reply, enum cemv_step step)
{
    if (step != CEMV_STEP_DONE && step != CEMV_STEP_PARKED) return;
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    const unsigned named = (unsigned)outcome.error_indication[3] << 8 | outcome.error_indication[4];
    const bool answered = reply->kind == CEMV_REPLY_RESPONSE && reply->bytes.size >= 2;
    const uint8_t *const last = answered ? reply->bytes.data + reply->bytes.size - 2 : NULL;
    const unsigned given = last ? (unsigned)last[0] << 8 | last[1] : 0;
    property(named == 0 || (named == given && named != 0x9000), "a status word that the card gave", named);
}

static enum cemv_step say(uint8_t kind, cemv_bytes bytes)
{
    const struct cemv_reply reply = { .kind = kind, .bytes = bytes };
    const bool parked = cemv_session_step(session) == CEMV_STEP_PARKED;
    const bool polls = cemv_session_step(session) == CEMV_STEP_POLL;
    const enum cemv_step step = cemv_session_reply(session, &reply);
    if (!parked && !polls) property_of_status_word(&reply, step);
    return step;
}
static enum cemv_step event(uint8_t kind) { return say(kind, of(NULL, 0)); }

static cemv_bytes from_hex(const char *hex, uint8_t *bytes)
{
    size_t size = 0;
    for (; hex[0] && hex[1]; hex += 2) {
        const char pair[3] = { hex[0], hex[1], 0 };
        bytes[size++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return of(bytes, size);
}

/* In hex; 9000 is appended. A star becomes the length of the rest. */
static enum cemv_step answer(const char *hex)
{
    uint8_t bytes[300];
    char whole[600];
    const char *star = strchr(hex, '*');
    if (star)
        snprintf(whole, sizeof whole, "%.*s%s%02X%s9000", (int)(star - hex), hex, strlen(star + 1) > 254 ? "81" : "",
                 (unsigned)strlen(star + 1) / 2, star + 1);
    return say(CEMV_REPLY_RESPONSE, from_hex(star ? whole : hex, bytes));
}

static enum cemv_step issuer(const char *hex)
{
    uint8_t bytes[300];
    return say(CEMV_REPLY_ONLINE, from_hex(hex, bytes));
}

#define PPSE      "6F23840E325041592E5359532E4444463031A511BF0C0E610C4F07A00000006510108701019000"
#define OTHERS    "6F23840E325041592E5359532E4444463031A511BF0C0E610C4F07A00000000310108701019000"
#define EMV_FCI   "6F*8407A0000000651010A51150034A43429F38099F52019F53039F0206"
#define OTHER_FCI "6F*8407A0000000651011A51150034A43429F38099F52019F53039F0206"
#define LEGACY    "6F*8407A0000000651010A5099F38069F02069F1A02"
#define GPO       "77*82021880940408010100"
#define TRACK_2   "57103569830447869493D3012201536734805F2403301231"
#define PAN       "5A083569830447869493"
#define CDOLS     "8C0E9F02069F370495059F5303DF83108D088A02910A95059A03"
#define RECORD    "70*" TRACK_2 PAN CDOLS
#define ARQC      "77*9F2701809F360200019F2608DEDD33348D9574A79F1002AABB"
#define SECOND    "77*9F2701409F360200019F2608AAAA33348D9574A7"

/* Runs up to GENERATE AC, or the end. */
static enum cemv_step tap_with(const char *fci, const char *gpo, const char *record)
{
    event(CEMV_REPLY_CARD);
    answer(PPSE);
    answer(fci);
    answer(gpo);
    return answer(record);
}
static enum cemv_step tap(void) { return tap_with(EMV_FCI, GPO, RECORD); }

/* INS and P1 of the command that waits; 0 if none does. */
static unsigned command(void)
{
    const cemv_bytes bytes = cemv_session_command(session);
    return bytes.size < 3 ? 0 : (unsigned)bytes.data[1] << 8 | bytes.data[2];
}

static struct cemv_outcome end_of(const char *hex)
{
    begin();
    if (tap() == CEMV_STEP_SEND) answer(hex);
    if (cemv_session_step(session) == CEMV_STEP_WORK) event(CEMV_REPLY_CONTINUE);
    return cemv_session_outcome(session);
}

static bool found(unsigned finding) { return (cemv_session_outcome(session).findings >> finding & 1u) != 0; }

/* ---- the requested cryptogram ---- */

/* No TC if offline transactions are disabled, if the amount is zero, if the list is unsigned, or in `strict` (A09, A30,
 * A35). */
static void properties_of_offline(void)
{
    static const struct {
        uint8_t profile, offline, options;
        bool no_floor, no_cover;
        uint64_t amount;
        unsigned control;
    } cases[] = {
        { CEMV_PROFILE_BOOK, 0, 0x22, false, false, 1000, 0x50 },
        { CEMV_PROFILE_BOOK, 0, 0x22, true, false, 1000, 0x50 },
        { CEMV_PROFILE_BOOK, 0, 0x22, false, false, 0, 0x50 },
        { CEMV_PROFILE_BOOK, CEMV_RULE_OFF, 0x22, false, false, 1000, 0x90 },
        { CEMV_PROFILE_GUARDED, 0, 0x22, false, false, 1000, 0x50 },
        { CEMV_PROFILE_GUARDED, 0, 0x22, true, false, 1000, 0x90 },
        { CEMV_PROFILE_GUARDED, 0, 0x22, false, false, 0, 0x90 },
        { CEMV_PROFILE_GUARDED, 0, 0x62, false, false, 100, 0x90 },
        { CEMV_PROFILE_GUARDED, 0, 0x22, false, false, 100, 0x50 },
        { CEMV_PROFILE_STRICT, 0, 0x22, false, false, 1000, 0x90 },
        { CEMV_PROFILE_STRICT, CEMV_RULE_ENFORCE, 0x22, false, false, 1000, 0x50 },
        { CEMV_PROFILE_BOOK, 0, 0x22, false, true, 1000, 0x50 },
        { CEMV_PROFILE_GUARDED, 0, 0x22, false, true, 1000, 0x90 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        open_reader(cases[i].profile);
        configuration.protection.offline = cases[i].offline;
        options.combination_options[0] = cases[i].options;
        options.given = 7; /* codes of zeros: only the amount counts */
        if (cases[i].no_floor) options.limits.present = 0;
        sale.amount = cases[i].amount;
        begin();
        tap_with(EMV_FCI, cases[i].no_cover ? "77*82021980940408010100" : "77*82021980940408010101",
                 "70*" TRACK_2 PAN CDOLS "9F0D0500000000009F0F050000000000");
        property(command() == (0xAE00 | cases[i].control) ||
                     (cases[i].profile == CEMV_PROFILE_STRICT && command() == 0),
                 "a TC is asked for where one may be", (unsigned)i);
    }
}

/* Legacy Mode: an option, and a switch of the protection (A27). */
static void properties_of_legacy(void)
{
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_STRICT; profile++) {
        open_reader(profile);
        begin();
        event(CEMV_REPLY_CARD), answer(PPSE), answer(LEGACY);
        property(command() == 0, "not unless it is asked for", profile);
        options.combination_options[0] = 0x23;
        begin();
        event(CEMV_REPLY_CARD), answer(PPSE), answer(LEGACY);
        property(command() == 0xA800, "where it is", profile);
        configuration.protection.legacy = CEMV_RULE_OFF;
        begin();
        event(CEMV_REPLY_CARD), answer(PPSE), answer(LEGACY);
        property(command() == 0, "and not where it is switched off", profile);
        configuration.protection.legacy = 0, sale.amount = 12000;
        begin();
        tap_with(LEGACY, "80*188008010100", "70*" TRACK_2 PAN CDOLS "8E0A00000000000000001E03");
        answer("80*800001DEDD33348D9574A7AABBCCDD11223344");
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        property(found(CEMV_FINDING_MODE_DOWNGRADE), "an EMV card in Legacy Mode is noticed", profile);
        property(outcome.status == CEMV_OUTCOME_ONLINE_REQUEST &&
                     outcome.cvm == (profile == CEMV_PROFILE_BOOK ? CEMV_CVM_SIGNATURE : CEMV_CVM_ONLINE_PIN),
                 "beyond the book it gets online PIN", outcome.cvm);
    }
}

/* ---- claims of a card ---- */

/* An unsigned status, above the CVM limit (A08). */
static void properties_of_claims(void)
{
    static const struct {
        uint8_t profile, trust;
        const char *status;
        uint8_t cvm;
    } cases[] = {
        { CEMV_PROFILE_BOOK, 0, "9F500131", CEMV_CVM_CDCVM },
        { CEMV_PROFILE_BOOK, 0, "9F500110", CEMV_CVM_SIGNATURE },
        { CEMV_PROFILE_BOOK, 0, "9F500120", CEMV_CVM_ONLINE_PIN },
        { CEMV_PROFILE_GUARDED, 0, "9F500131", CEMV_CVM_ONLINE_PIN },
        { CEMV_PROFILE_GUARDED, CEMV_CDCVM_BOOK, "9F500131", CEMV_CVM_CDCVM },
        { CEMV_PROFILE_GUARDED, 0, "9F500110", CEMV_CVM_ONLINE_PIN },
        { CEMV_PROFILE_GUARDED, 0, "9F500120", CEMV_CVM_ONLINE_PIN },
        { CEMV_PROFILE_STRICT, 0, "9F500131", CEMV_CVM_ONLINE_PIN },
        { CEMV_PROFILE_STRICT, 0, "9F500110", CEMV_CVM_ONLINE_PIN },
    };
    char text[200];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        open_reader(cases[i].profile);
        configuration.protection.cdcvm_trust = cases[i].trust;
        sale.amount = 12000;
        snprintf(text, sizeof text, ARQC "%s", cases[i].status);
        const struct cemv_outcome outcome = end_of(text);
        property(outcome.status == CEMV_OUTCOME_ONLINE_REQUEST && outcome.cvm == cases[i].cvm, "what is believed",
                 (unsigned)i);
        property((outcome.reason == CEMV_REASON_PROTECTION) ==
                     (outcome.cvm == CEMV_CVM_ONLINE_PIN && text[strlen(text) - 2] != '2'),
                 "and why", (unsigned)i);
        if (text[strlen(text) - 2] != '2' && cases[i].profile == CEMV_PROFILE_BOOK)
            property(found(CEMV_FINDING_CVM_FROM_PLAIN_DATA), "is noticed", (unsigned)i);
    }
    open_reader(CEMV_PROFILE_GUARDED);
    const struct cemv_outcome unsigned_tc = end_of("77*9F2701409F360200019F2608DEDD33348D9574A79F5001009F1002AABB");
    property(unsigned_tc.status == CEMV_OUTCOME_DECLINED, "a TC that nothing signs", unsigned_tc.status);
}

/* A39: a reader that trusts devices does not trust them for an account of another network, above the CVM limit. */
static void claims_for_other_networks_are_not_believed_5(void)
{
#define MASTERCARD_RECORD "70*57105413330089010434D3012201536734805F24033012315A085413330089010434" CDOLS
    for (unsigned i = 0; i < 16; i++) {
        const bool others = i & 1, book = i & 2, reports = i & 4, above = i & 8;
        open_reader(book ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED);
        configuration.protection.cdcvm_trust = CEMV_CDCVM_BOOK;
        configuration.protection.brand_check = reports ? CEMV_RULE_REPORT : CEMV_RULE_PROFILE;
        if (above) sale.amount = 12000;
        begin();
        (void)tap_with(EMV_FCI, GPO, others ? MASTERCARD_RECORD : RECORD);
        answer(ARQC "9F500131");
        if (cemv_session_step(session) == CEMV_STEP_WORK) event(CEMV_REPLY_CONTINUE);
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        const bool believed = !others || book || reports || !above;
        property(outcome.status == CEMV_OUTCOME_ONLINE_REQUEST &&
                     outcome.cvm == (believed ? CEMV_CVM_CDCVM : CEMV_CVM_ONLINE_PIN),
                 "a claim for this account", i);
        property(found(CEMV_FINDING_CDCVM_UNAUTHENTICATED), "is reported", i);
        property(found(CEMV_FINDING_BRAND_MISMATCH) == (others && above), "with the network where that counts", i);
    }
}

/* There must be exactly one account (A17); objects of other commands are unknown in a record (Book 3, 7.5). */
static void properties_of_records(void)
{
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_STRICT; profile++) {
        const bool book = profile == CEMV_PROFILE_BOOK;
        open_reader(profile);
        begin();
        tap_with(EMV_FCI, GPO, "70*" TRACK_2 CDOLS);
        property((command() >> 8 == 0xAE) == book, "a card without 5A", profile);
        begin();
        tap_with(EMV_FCI, GPO, "70*" TRACK_2 "5A083569830447869494" CDOLS);
        property((command() >> 8 == 0xAE) == book && (book || found(CEMV_FINDING_PAN_MISMATCH)), "two accounts",
                 profile);
        begin();
        tap_with(EMV_FCI, "77*8202188094080801010008010100", RECORD);
        property((command() != 0) == book, "a record that stands twice in the locator", profile);
        begin();
        tap_with(EMV_FCI, GPO,
                 "70*" TRACK_2 PAN CDOLS "9F3603000001"
                 "9F360200019F36020002"
                 "82029999"
                 "84019F");
        property(command() >> 8 == 0xAE, "what a record may not hold", profile);
        answer(ARQC "9F500100");
        struct cemv_tlv object;
        property(cemv_tlv_find(cemv_session_data_record(session), 0x9F36, &object) && object.value.data[1] == 1,
                 "is not kept", profile);
        begin();
        tap_with(EMV_FCI, GPO, "70*" TRACK_2 PAN CDOLS "9F3704AABBCCDD");
        answer(ARQC "9F500100");
        property(found(CEMV_FINDING_TERMINAL_TAG_FROM_CARD), "what is the terminal's to give", profile);
        begin();
        tap();
        answer(ARQC "9F50010095050000000000");
        property(found(CEMV_FINDING_TERMINAL_TAG_FROM_CARD), "in the last answer too", profile);
    }
}

/* ---- torn taps ---- */

/* GENERATE AC goes unanswered; the card comes back. */
static void tear(void)
{
    begin();
    tap();
    event(CEMV_REPLY_TIMEOUT);
    event(CEMV_REPLY_REMOVED);
    event(CEMV_REPLY_CARD);
}

static void properties_of_torn_taps(void)
{
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_STRICT; profile++) {
        const bool plain = profile != CEMV_PROFILE_STRICT;
        open_reader(profile);
        tear();
        property((reader.recovery.size != 0) == plain, "what nothing signs is not recovered in strict", profile);
        answer(PPSE), answer(EMV_FCI);
        property(command() == (plain ? 0xDF00u : 0xA800u), "the card is asked to repeat it", profile);
        property(reader.recovery.size == 0, "once", profile);
        open_reader(profile), configuration.protection.torn = CEMV_TORN_OFF;
        tear();
        answer(PPSE), answer(EMV_FCI);
        property(command() == 0xA800, "not where it is switched off", profile);
        open_reader(profile), sale.reader = NULL;
        tear();
        answer(PPSE), answer(EMV_FCI);
        property(command() == 0xA800, "nor where nothing is remembered", profile);
    }
}

/* Events that end a context: another kernel, another name, every way in which a transaction ends (3.13.7; A20). */
static void properties_of_contexts(void)
{
    open_reader(CEMV_PROFILE_BOOK);
    tear();
    property(reader.recovery.size != 0, "it is there", 0);
    event(CEMV_REPLY_STOP);
    property(reader.recovery.size == 0, "a stop ends it", 0);
    tear(), event(CEMV_REPLY_ABANDON);
    property(reader.recovery.size == 0, "and who abandons it", 0);
    tear(), cemv_session_wipe(session);
    property(reader.recovery.size == 0, "and a wipe", 0);
    tear();
    reader.recovery.kernel = 1, reader.recovery.size = 40;
    begin();
    property(reader.recovery.size == 0, "and another transaction", 0);
    tear();
    answer(OTHERS);
    answer("6F*8407A0000000031010A5099F38069F66049F3704");
    property(command() == 0xA800 && reader.recovery.size == 0, "and another kernel", command());
    tear();
    answer(PPSE), answer("6A82");
    property(reader.recovery.size == 0, "a transaction that finds nothing more", 0);
    tear();
    event(CEMV_REPLY_TRANSMISSION);
    property(reader.recovery.size != 0, "a fault before an activation does not", 0);
    reader.recovery.size = CEMV_RECOVERY_CAPACITY + 1;
    property(!cemv_session_set_reader(session, &reader), "a memory that is not sound", 0);
}

/* The answer to ECHO belongs to the card that was torn: 57 (3.13.5.4). */
static void properties_of_recovery(void)
{
    static const char other[] = "70*57103569830447869493D3012201536734815F2403301231" PAN CDOLS;
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_BOOK; profile++) {
        open_reader(profile);
        tear();
        answer(PPSE), answer(EMV_FCI), answer(ARQC "9F500100");
        answer("770A820218809404080101006200"), answer(RECORD);
        struct cemv_outcome outcome = cemv_session_outcome(session);
        property(outcome.status == CEMV_OUTCOME_ONLINE_REQUEST && outcome.cvm == CEMV_CVM_NONE, "recovered", profile);
        tear();
        answer(PPSE), answer(EMV_FCI), answer(ARQC "9F500100");
        answer("770A820218809404080101006200"), answer(other);
        outcome = cemv_session_outcome(session);
        property(outcome.status == CEMV_OUTCOME_END_APPLICATION && outcome.reason == CEMV_REASON_CARD_SWITCHED &&
                     !outcome.data_record_present && !outcome.ui_on_outcome_present,
                 "another card's", profile);
        sale.amount = 12000;
        tear();
        answer(PPSE), answer(EMV_FCI), answer(ARQC "9F500100");
        answer("770A820218809404080101006200"), answer(RECORD);
        property(cemv_session_outcome(session).status == CEMV_OUTCOME_DECLINED,
                 "no status above the limit, though nothing is evaluated again", profile);
    }
}

/* ---- the issuer's answer ---- */

/* Parks a tap; with `update` 01 the card is held, with 02 it is presented again later. */
static void park(const char *update)
{
    char text[200];
    snprintf(text, sizeof text, ARQC "9F5001009F6001%s", update);
    begin();
    tap();
    property(answer(text) == CEMV_STEP_PARKED, "parked", 0);
}

static void properties_of_updates(void)
{
    static const char data[] = "8A023030910A11223344556677883030";
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_STRICT; profile++) {
        const bool book = profile == CEMV_PROFILE_BOOK;
        open_reader(profile);
        park("02");
        issuer(data), event(CEMV_REPLY_CARD), answer(OTHER_FCI);
        struct cemv_outcome outcome = cemv_session_outcome(session);
        property((command() == 0xAE40) == book && (book || outcome.reason == CEMV_REASON_CARD_SWITCHED),
                 "another name (A29)", profile);
        property(found(CEMV_FINDING_DF_NAME_MISMATCH) || book, "is noticed", profile);
        park("01");
        issuer(data);
        property(command() == 0xAE40, "the issuer approves", command());
        answer("77*9F2701409F360200029F2608AAAA33348D9574A7");
        outcome = cemv_session_outcome(session);
        property((outcome.status == CEMV_OUTCOME_APPROVED) == book, "another counter (A29)", profile);
        park("01");
        issuer(data), answer(SECOND);
        outcome = cemv_session_outcome(session);
        struct cemv_tlv object;
        property(outcome.status == CEMV_OUTCOME_APPROVED && outcome.receipt, "the same card", profile);
        property(cemv_tlv_find(cemv_session_data_record(session), 0x9F26, &object) && object.value.data[0] == 0xAA &&
                     cemv_tlv_find(cemv_session_data_record(session), 0x57, &object),
                 "the record is the first one with the second cryptogram", profile);
        park("01");
        issuer("8A023035910A11223344556677883030");
        property(command() == 0xAE00, "the issuer declines", command());
        answer(SECOND);
        outcome = cemv_session_outcome(session);
        property(outcome.status == CEMV_OUTCOME_DECLINED && outcome.cvm == CEMV_CVM_NA, "a card cannot raise it (A10)",
                 profile);
        park("01");
        issuer("910A11223344556677883030");
        property(cemv_session_outcome(session).status == CEMV_OUTCOME_END_APPLICATION, "no answer without its code",
                 profile);
        park("01");
        event(CEMV_REPLY_STOP);
        property(cemv_session_step(session) == CEMV_STEP_PARKED, "parked is parked", profile);
    }
}

/* The longest answer: templates 71 and 72 of 128 bytes in turn, each with two commands, and a short one last. The
 * commands are numbered. */
enum { TEMPLATES = 7, COMMANDS = 2 * TEMPLATES + 1 };
static uint8_t scripts[CEMV_MAX_ISSUER_DATA + 1];
static cemv_bytes sent[COMMANDS];

static void write_command(size_t *at, size_t size, size_t number)
{
    const uint8_t header[] = { 0x86, (uint8_t)size, 0x84, 0x18, 0, (uint8_t)number, (uint8_t)(size - 5) };
    memcpy(scripts + *at, header, sizeof header);
    for (size_t i = 5; i < size; i++) scripts[*at + 2 + i] = (uint8_t)(number * 16 + i);
    sent[number] = of(scripts + *at + 2, size);
    *at += 2 + size;
}

static cemv_bytes longest_answer(void)
{
    static const uint8_t first[] = { 0x8A, 2, '0', '0', 0x91, 10, 1, 2, 3, 4, 5, 6, 7, 8, '0', '0' };
    size_t at = sizeof first;
    memcpy(scripts, first, sizeof first);
    for (size_t i = 0; i < TEMPLATES; i++) {
        scripts[at++] = i % 2 ? 0x72 : 0x71, scripts[at++] = 0x81, scripts[at++] = 128;
        write_command(&at, 62, 2 * i), write_command(&at, 62, 2 * i + 1);
    }
    scripts[at] = 0x72, scripts[at + 1] = (uint8_t)(CEMV_MAX_ISSUER_DATA - at - 2);
    at += 2;
    write_command(&at, CEMV_MAX_ISSUER_DATA - at - 2, COMMANDS - 1);
    property(at == CEMV_MAX_ISSUER_DATA && at == 1024, "as long as it may be", (unsigned)at);
    return of(scripts, at);
}

/* The commands of the templates 71, or of the others, in order and complete. */
static void property_of_scripts(bool last)
{
    for (unsigned i = 0; i < COMMANDS; i++) {
        if ((i / 2 % 2 != 0 || i == COMMANDS - 1) != last) continue;
        property(cemv_bytes_equal(cemv_session_command(session), sent[i]), "a command of the issuer's", i);
        answer("9000");
    }
}

/* An answer of 1,024 bytes is used completely, with the card held or presented again (3.10; Table 3-2). */
static void properties_of_long_answers(void)
{
    for (unsigned held = 0; held < 2; held++) {
        open_reader(CEMV_PROFILE_BOOK);
        park(held ? "01" : "02");
        const cemv_bytes whole = longest_answer();
        property(say(CEMV_REPLY_ONLINE, of(scripts, whole.size + 1)) == CEMV_STEP_PARKED, "a longer one is refused",
                 held);
        say(CEMV_REPLY_ONLINE, whole);
        if (!held) event(CEMV_REPLY_CARD), answer(EMV_FCI);
        property_of_scripts(false);
        property(command() == 0xAE40, "then a TC is requested", held);
        answer(SECOND);
        property_of_scripts(true);
        property(cemv_session_outcome(session).status == CEMV_OUTCOME_APPROVED, "and the card approves", held);
        const struct cemv_store *const store = &session->kernel.store;
        for (size_t i = 0; i < sizeof store->arena; i++) property(store->arena[i] == 0, "nothing of it stays", held);
    }
}

/* ---- a card that never ends (R12) ---- */

/* One presentment: up to GENERATE AC, with a link fault or 6986 if `way` says so. Returns the number of commands. */
static unsigned present(unsigned way)
{
    static const char *const answers[] = { PPSE, EMV_FCI, GPO, RECORD, "6986" };
    unsigned count = 0;
    if (cemv_session_takes(session, CEMV_REPLY_REMOVED)) event(CEMV_REPLY_REMOVED);
    event(CEMV_REPLY_CARD);
    while (count < 5 && cemv_session_step(session) == CEMV_STEP_SEND) {
        const bool echoed = command() == 0xDF00;
        if (count == way) event(CEMV_REPLY_TIMEOUT);
        else answer(echoed ? "6985" : answers[count]);
        if (!echoed) count++;
    }
    return count;
}

/* 6986 again and again, taps torn at any command, and both in turn: the numbers of presentments and of commands are
 * bounded, and the cardholder is notified. */
static void properties_of_endless_taps(void)
{
    for (unsigned first = 0; first < 6; first++)
        for (unsigned second = 0; second < 6; second++)
            for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_STRICT; profile++) {
                const unsigned detail = (unsigned)profile << 8 | first << 4 | second;
                unsigned taps = 0, commands = 0;
                open_reader(profile);
                begin();
                while (cemv_session_step(session) == CEMV_STEP_POLL && taps < 100)
                    commands += present(++taps % 2 ? first : second);
                const struct cemv_outcome outcome = cemv_session_outcome(session);
                property(cemv_session_step(session) == CEMV_STEP_DONE && taps <= 3 * (1 + CEMV_MAX_RESTARTS),
                         "the tap ends", detail);
                property(commands <= 5 * taps && cemv_session_commands(session) <= 6 * taps, "so do its commands",
                         detail);
                const bool selected = first > 1 || second > 1;
                property(outcome.status == CEMV_OUTCOME_END_APPLICATION &&
                             outcome.reason == (selected ? CEMV_REASON_TOO_MANY_TAPS : CEMV_REASON_LINK),
                         "as what it is", detail);
                property(outcome.ui_on_outcome_present && !outcome.data_record_present, "with a word to the cardholder",
                         detail);
                if (first == 5 && second == 5)
                    property(taps == 1 + CEMV_MAX_RESTARTS && commands == 5 * taps, "6986 and nothing else", taps);
            }
}

/* An unusable answer during a recovery ends it, without a message and without a cryptogram (3.13.5, 3.13.6); an
 * unusable answer during an update ends the update (3.10.1, 3.10.3). */
static void properties_of_silent_ends(void)
{
    static const struct {
        const char *fci, *gpo, *record;
    } torn[] = {
        { "6F*8407A0000000651010A50E50034A43429F38069F53019F0206", NULL, NULL },
        { EMV_FCI, "776200", NULL },
        { EMV_FCI,
          "770482021880"
          "6200",
          NULL },
        { EMV_FCI,
          "770A82021800940408010100"
          "6200",
          NULL },
        { EMV_FCI,
          "770A82021880940400010100"
          "6200",
          NULL },
        { EMV_FCI,
          "770A82021880940408010100"
          "6985",
          NULL },
        { EMV_FCI,
          "770A82021880940408010100"
          "6200",
          "70*" PAN CDOLS "5F2403301231" },
        { EMV_FCI,
          "770A82021880940408010100"
          "6200",
          "70*57103569830447869493D3012201536734805F2403301331" PAN CDOLS },
        { EMV_FCI,
          "770A82021880940408010100"
          "6200",
          "70*" TRACK_2 PAN "8C029F02" },
        { EMV_FCI,
          "770A82021880940408010100"
          "6200",
          "70*57103569830447869493D3012201536734815F2403301231" PAN CDOLS },
    };
    for (unsigned i = 0; i < sizeof torn / sizeof torn[0]; i++) {
        open_reader(CEMV_PROFILE_BOOK);
        tear();
        answer(PPSE), answer(torn[i].fci);
        if (torn[i].gpo) answer(ARQC "9F500100"), answer(torn[i].gpo);
        if (torn[i].record) answer(torn[i].record);
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        property(cemv_session_step(session) == CEMV_STEP_DONE && outcome.status == CEMV_OUTCOME_END_APPLICATION &&
                     !outcome.ui_on_outcome_present && reader.recovery.size == 0,
                 "a recovery ends", i);
    }
    static const char *const seconds[] = { "77009000", "77*9F2701409F36020001", "80*40000100AAAA33348D9574A7", SECOND };
    for (unsigned i = 0; i < 4; i++) {
        open_reader(CEMV_PROFILE_BOOK);
        park("01");
        issuer("8A023030910A11223344556677883030"), answer(seconds[i]);
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        property(outcome.status == (i == 3 ? CEMV_OUTCOME_APPROVED : CEMV_OUTCOME_END_APPLICATION), "a second answer",
                 i);
    }
    static const char *const names[] = { "6F*A51150034A43429F38099F52019F53039F0206", "6F*8407A0000000651010",
                                         "6F*8407A0000000651010A500" };
    for (unsigned i = 0; i < 3; i++) {
        open_reader(CEMV_PROFILE_BOOK);
        park("02");
        issuer("8A023030910A11223344556677883030"), event(CEMV_REPLY_CARD), answer(names[i]);
        property((command() == 0xAE40) == (i == 2), "an FCI that can be read, with or without a PDOL (3.10.1.2)", i);
    }
    open_reader(CEMV_PROFILE_BOOK);
    begin();
    tap_with(EMV_FCI, GPO, "70*" TRACK_2 PAN "8C0E9F02069F370495059F5303DF8310");
    answer(ARQC "9F5001009F600101"), issuer("8A023030910A11223344556677883030");
    property(cemv_session_outcome(session).status == CEMV_OUTCOME_END_APPLICATION, "no CDOL2, no second cryptogram", 0);
    begin();
    tap_with("6F*8407A0000000651010A51150034A43429F38099F52029F53039F0206", GPO, RECORD);
    property(command() == 0xAE80 || command() == 0xAE40, "9F52 of any length makes EMV Mode (3.2.1.9)", command());
}

/* Values for CDOL2: as many late ones as fit, then one more. */
static void properties_of_second_lists(void)
{
    for (unsigned late = K5_LATE_MAX - 1; late <= K5_LATE_MAX + 1; late++) {
        char record[500] = "70*" TRACK_2 PAN "8C039F02068D", text[8];
        snprintf(text, sizeof text, "%02X", 2 * late);
        strcat(record, text);
        for (unsigned i = 0; i < late; i++) strcat(record, i % 2 ? "8A02" : "9505");
        open_reader(CEMV_PROFILE_BOOK);
        begin();
        tap_with(EMV_FCI, GPO, record);
        answer(ARQC "9F5001009F600101");
        issuer("8A0230309108112233445566778871078605841800000072078605841E000000");
        property(command() == 0x1800, "scripts go first", late);
        answer("9000");
        const cemv_bytes bytes = cemv_session_command(session);
        property((command() == 0xAE40) == (late <= K5_LATE_MAX), "as many as fit", late);
        if (late <= K5_LATE_MAX) property(memcmp(bytes.data + 10, "00", 2) == 0, "in their places", late);
    }
}

/* ---- bounds ---- */

static void properties_of_bounds(void)
{
    static const struct {
        const char *list;
        size_t size;
    } lists[] = { { "9F02FF", 255 }, { "9F02FF9501", 256 }, { "9F02FC", 252 }, { "9F02FD", 253 } };
    for (size_t i = 0; i < 4; i++) {
        char text[200];
        const unsigned length = (unsigned)strlen(lists[i].list) / 2;
        open_reader(CEMV_PROFILE_BOOK);
        begin();
        snprintf(text, sizeof text, "70*" TRACK_2 PAN "8C%02X%s", length, lists[i].list);
        tap_with(EMV_FCI, GPO, text);
        property((command() >> 8 == 0xAE) == (lists[i].size <= 255), "a CDOL1 of 255 bytes", (unsigned)i);
        begin();
        snprintf(text, sizeof text, "6F*8407A0000000651010A5%02X9F38%02X9F5201%s", length + 6, length + 3,
                 lists[i].list);
        event(CEMV_REPLY_CARD), answer(PPSE), answer(text);
        property((command() == 0xA800) == (lists[i].size <= 251), "a PDOL of 252 bytes", (unsigned)i);
    }
}

/* The random bytes run out before the number for the selection is drawn. */
static void properties_of_selection(void)
{
    static const uint8_t once[] = { 1, 2, 3, 4 }, again[] = { 0xFF, 0xFF, 0xFF, 0xFF }, low[] = { 0, 0, 0, 0 };
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    open_reader(CEMV_PROFILE_BOOK);
    options.combination_options[0] = 0x2A;
    options.given = CEMV_KERNEL_5_GIVEN_SELECTION, options.target = 1, options.maximum_target = 1;
    for (unsigned i = 0; i < 3; i++) {
        property(cemv_configuration_check(&configuration, checked_room, sizeof checked_room, &checked, &error) ==
                         CEMV_OK &&
                     cemv_session_begin(room, sizeof room, checked, &sale, of(once, 4), &session, &error) == CEMV_OK,
                 "a transaction with one number", i);
        property(tap() == CEMV_STEP_ASK, "more are asked for", i);
        if (i == 0) say(CEMV_REPLY_DATA, of(low, 3));
        if (i == 1) property(say(CEMV_REPLY_DATA, of(again, 4)) == CEMV_STEP_ASK, "until one counts", i);
        if (i != 0) say(CEMV_REPLY_DATA, of(low, 4));
        property((command() >> 8 == 0xAE) == (i != 0), "then the card is asked", i);
        if (i == 0) property(cemv_session_outcome(session).reason == CEMV_REASON_RANDOM, "or it ends", i);
        else
            property((cemv_session_command(session).data[5 + 6 + 4 + 3] & 0x10) != 0, "TVR says that it was selected",
                     i);
    }
}

/* ---- a full store ---- */

/* Leaves this many bytes in the store. */
static void leave(unsigned left)
{
    struct cemv_store *store = &session->kernel.store;
    if (cemv_session_step(session) != CEMV_STEP_SEND || !session->kernel_active) return;
    const size_t free = cemv_store_left(store);
    if (free > left) store->used = (uint16_t)(store->used + free - left);
}

/* The store is full from one of the answers on, with any space left: the tap ends in one of the book's ways. */
static void property_of_room(unsigned left, unsigned from, unsigned flow)
{
    static const char *const plain[] = { EMV_FCI, GPO, RECORD, ARQC "9F5001009F6001019F6E0430310000", SECOND };
    static const char *const legacy[] = { LEGACY, "80*180008010100", RECORD,
                                          "80*800001DEDD33348D9574A7AABBCCDD11223344", SECOND };
    static const char *const torn[] = { EMV_FCI, ARQC "9F500100", "770A820218809404080101006200", RECORD, SECOND };
    const char *const *answers = flow == 0 ? plain : flow == 1 ? legacy : torn;
    open_reader(CEMV_PROFILE_BOOK);
    if (flow == 1) options.combination_options[0] = 0x23;
    if (flow == 2) tear();
    else begin(), event(CEMV_REPLY_CARD);
    answer(PPSE);
    for (unsigned i = 0; i < 5; i++) {
        if (cemv_session_step(session) == CEMV_STEP_PARKED) issuer("8A023030910A11223344556677883030");
        if (i >= from) leave(left);
        if (cemv_session_step(session) == CEMV_STEP_SEND) answer(answers[i]);
    }
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    property(outcome.reason != CEMV_REASON_INTERNAL, "no edge is missing", left);
    property(cemv_session_step(session) == CEMV_STEP_DONE || cemv_session_step(session) == CEMV_STEP_POLL, "it ends",
             left);
    if (outcome.status == CEMV_OUTCOME_ONLINE_REQUEST || outcome.status == CEMV_OUTCOME_APPROVED)
        property(outcome.data_record_present, "with a record, if it is decided", left);
}

static void properties_of_room(void)
{
    for (unsigned left = 0; left < 260; left += left < 64 ? 1 : 5)
        for (unsigned from = 1; from < 5; from++)
            for (unsigned flow = 0; flow < 3; flow++) property_of_room(left, from, flow);
}

/* ---- other answers of a card or an issuer ---- */

static void properties_of_oddities(void)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(of("\x9F", 1));
    struct cemv_dol_entry entry;
    property(!k5_dol_next(&cursor, &entry) && !k5_dol_next(&cursor, &entry), "a list that broke stays so", 0);
    property(!k5_arc_approves(of(NULL, 0)), "no code approves nothing", 0);
    open_reader(CEMV_PROFILE_BOOK);
    park("01");
    issuer("8A0330303091081122334455667788");
    property(cemv_session_outcome(session).status == CEMV_OUTCOME_END_APPLICATION, "a code of three bytes", 0);
    park("01");
    issuer("8A023030910711223344556677");
    property(cemv_session_outcome(session).status == CEMV_OUTCOME_END_APPLICATION, "data of seven bytes", 0);
    park("01");
    issuer("8A02303091111122334455667788112233445566778899");
    property(cemv_session_outcome(session).status == CEMV_OUTCOME_END_APPLICATION, "data of seventeen", 0);
    begin();
    tap_with("6F*8410A0000000651010010203040506070809A51950034A434250034A43429F38099F52019F53039F0206BF0C00", GPO,
             RECORD);
    property(command() >> 8 == 0xAE, "a name of sixteen bytes, a label twice", command());
    begin();
    tap_with("6F*8407A0000000651010A51850034A43429F38099F52019F53039F0206DF0101418F01E1", GPO, RECORD);
    property(command() >> 8 == 0xAE, "what the FCI may not hold", command());
    begin();
    tap_with(EMV_FCI, GPO, "70*571035698304478694930301220153673480005F2403301231" CDOLS);
    property(command() >> 8 == 0xAE, "a track without an account, by the book", command());
    begin();
    tap();
    answer(ARQC "9F5001009F7C22"
                "00112233445566778899001122334455667788990011223344556677889900112233");
    property(cemv_session_outcome(session).status == CEMV_OUTCOME_DECLINED, "an object of the record that is too long",
             0);
    begin();
    tap();
    answer(ARQC "9F500100DF0101AA");
    property(cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST, "an unknown object", 0);
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_BOOK; profile++) {
        open_reader(profile);
        rows[0].aid = of(visa, sizeof visa), configuration.combination_count = 1;
        begin();
        event(CEMV_REPLY_CARD);
        answer("6F27840E325041592E5359532E4444463031A515BF0C1261104F07A00000000310108701019F2A01059000");
        answer("6F*8407A0000000031010A50C9F38099F52019F53039F0206");
        answer(GPO), answer(RECORD);
        property((command() >> 8 == 0xAE) == (profile == CEMV_PROFILE_BOOK), "another brand's account (A03)", profile);
    }
    open_reader(CEMV_PROFILE_BOOK);
    sale.data = of("\x9F\x35\0", 3);
    begin();
    tap();
}

/* Outside profile `book` a context counts only for the application that was torn (A20). */
static void properties_of_applications(void)
{
    static const uint8_t longer[] = { 0xA0, 0, 0, 0, 0x65, 0x10, 0x10, 2 };
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_BOOK; profile++) {
        for (unsigned other = 0; other < 4; other++) {
            open_reader(profile);
            tear();
            rows[1] = rows[0], rows[1].aid = of(longer, sizeof longer);
            if (other == 1) rows[0].aid.size = 5;
            for (size_t i = 0; other == 3 && i + 2 < reader.recovery.size; i++) /* of the name */
                if (memcmp(reader.recovery.bytes + i, "\x84\7\xA0", 3) == 0) reader.recovery.bytes[i + 8] ^= 1;
            if (other == 2) reader.recovery.bytes[reader.recovery.size - 1] ^= 1; /* of the AID */
            answer(other == 0 ? "6F24840E325041592E5359532E4444463031A512BF0C0F610D4F08A0000000651010028701019000"
                              : PPSE);
            answer(other == 0 ? "6F*8408A000000065101002A50C9F38099F52019F53039F0206" : EMV_FCI);
            property((command() == 0xDF00) == (profile == CEMV_PROFILE_BOOK), "of the same application",
                     profile << 4 | other);
        }
    }
    open_reader(CEMV_PROFILE_BOOK);
    begin();
    tap_with(EMV_FCI, GPO, "70*" TRACK_2 PAN "8C039F0206");
    event(CEMV_REPLY_TIMEOUT), event(CEMV_REPLY_REMOVED), event(CEMV_REPLY_CARD);
    answer(PPSE), answer(EMV_FCI);
    property(command() == 0xDF00, "a card that asks for no number", command());
    for (unsigned at = 0; at < 3; at++) {
        tear();
        for (size_t i = 0; i + 2 < reader.recovery.size; i++) {
            uint8_t *tag = reader.recovery.bytes + i;
            if (at == 0 && tag[0] == 0x9F && tag[1] == 0x53) tag[1] = 0x54;
            if (at == 1 && tag[0] == 0x9F && tag[1] == 0x37) tag[1] = 0x54;
            if (at == 2 && tag[0] == 0xDF && tag[1] == 0x81 && tag[2] == 0x14) tag[2] = 0x54;
        }
        answer(PPSE), answer(EMV_FCI);
        property(command() == 0xA800, "what was written over is none", at);
    }
}

/* ---- the configuration ---- */

static void refuses(enum cemv_status expected, uint16_t field, uint32_t option, const char *what)
{
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    const enum cemv_status status =
        cemv_configuration_check(&configuration, checked_room, sizeof checked_room, &checked, &error);
    property(status == expected && (status == CEMV_OK || (error.field == field && error.option == option)), what,
             status);
    open_reader(CEMV_PROFILE_BOOK);
}

static void properties_of_configurations(void)
{
    enum { OPTIONS = CEMV_FIELD_OPTIONS };
    static const uint8_t profile[] = { 0x9F, 0x53, 3, 0, 0, 0 };
    open_reader(CEMV_PROFILE_BOOK);
    refuses(CEMV_OK, 0, 0, "a reader");
    rows[0].options = NULL, refuses(CEMV_OK, 0, 0, "without options");
    rows[0].limits.present = 2, refuses(CEMV_NOT_CONFIGURABLE, CEMV_FIELD_LIMITS, 0, "limits of Entry Point");
    rows[0].data = of(profile, sizeof profile),
    refuses(CEMV_CONFLICT, CEMV_FIELD_DATA, 0, "a profile beside the options");
    configuration.terminal_data.size = 5, refuses(CEMV_MISSING, CEMV_FIELD_DATA, 0, "no terminal type");
    configuration.terminal_data = of(terminal + 5, 4), refuses(CEMV_MISSING, CEMV_FIELD_DATA, 0, "no country");
    options.limits.present |= 1 << CEMV_LIMIT_TERMINAL_FLOOR;
    refuses(CEMV_NOT_CONFIGURABLE, OPTIONS, CEMV_KERNEL_5_LIMITS, "a terminal floor limit");
    options.limits.amount[CEMV_LIMIT_FLOOR] = 1000000000000;
    refuses(CEMV_BAD_VALUE, OPTIONS, CEMV_KERNEL_5_LIMITS, "a limit of 13 digits");
    options.combination_options[0] = 0x20;
    refuses(CEMV_BAD_VALUE, OPTIONS, CEMV_KERNEL_5_COMBINATION_OPTIONS, "without EMV Mode");
    options.combination_options[1] = 1;
    refuses(CEMV_BAD_VALUE, OPTIONS, CEMV_KERNEL_5_COMBINATION_OPTIONS, "a second byte alone");
    rows[0].data = of(terminal + 5, 4), configuration.terminal_data.size = 5,
    refuses(CEMV_OK, 0, 0, "a type of its own");
    options.combination_options[0] = 0x26;
    refuses(CEMV_BAD_VALUE, OPTIONS, CEMV_KERNEL_5_COMBINATION_OPTIONS, "mag-stripe mode");
    options.terminal_interchange_profile[0] = 0x80;
    refuses(CEMV_BAD_VALUE, OPTIONS, CEMV_KERNEL_5_TERMINAL_INTERCHANGE_PROFILE, "what is the kernel's to set");
    options.combination_options[0] = 0x2A;
    refuses(CEMV_BAD_VALUE, OPTIONS, CEMV_KERNEL_5_SELECTION, "random selection without its numbers");
    for (unsigned i = 0; i < 6; i++) {
        options.combination_options[0] = 0x2A, options.given = CEMV_KERNEL_5_GIVEN_SELECTION;
        options.maximum_target = 99, options.target = 99, options.threshold = 4999;
        if (i == 1) options.threshold = 5000;
        if (i == 2) options.maximum_target = 98;
        if (i == 3) options.maximum_target = options.target = 100;
        if (i == 4) options.limits.present = 0;
        if (i == 5) options.limits.present = 0, options.combination_options[0] = 0x22;
        refuses(i == 0 || i == 5 ? CEMV_OK : CEMV_BAD_VALUE, OPTIONS, CEMV_KERNEL_5_SELECTION,
                "numbers of a selection");
    }
    options.removal_timeout = 9999, refuses(CEMV_OK, 0, 0, "the longest removal time-out");
    options.removal_timeout = 10000;
    refuses(CEMV_BAD_VALUE, OPTIONS, CEMV_KERNEL_5_REMOVAL_TIMEOUT, "a longer one");
}

/* An end's cause, and the language of its message (3.12). */
static void ends_say_why(void)
{
    static const struct {
        const char *fci, *gpo, *record, *ac;
        uint8_t status, start, l2;
        uint16_t status_word;
    } rows[] = {
        { EMV_FCI, GPO, RECORD, NULL, CEMV_OUTCOME_END_APPLICATION, CEMV_START_B, 0, 0 },
        { EMV_FCI, GPO, RECORD, "6986", CEMV_OUTCOME_END_APPLICATION, CEMV_START_B, CEMV_L2_STATUS_BYTES, 0x6986 },
        { EMV_FCI, GPO, RECORD, "6984", CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_START_NA, CEMV_L2_STATUS_BYTES,
          0x6984 },
        { EMV_FCI, GPO, RECORD, "779000", CEMV_OUTCOME_DECLINED, CEMV_START_NA, CEMV_L2_CARD_DATA_ERROR, 0 },
        { EMV_FCI, GPO, RECORD, "77149F2701009F360200019F2608DEDD33348D9574A79000", CEMV_OUTCOME_DECLINED,
          CEMV_START_NA, CEMV_L2_OK, 0 },
    };
    static const char fci[] = "6F*8407A0000000651010A51650034A43425F2D02656E9F38099F52019F53039F0206";
    open_reader(CEMV_PROFILE_BOOK);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[300];
        begin();
        tap_with(fci, rows[i].gpo, rows[i].record);
        property(command() >> 8 == 0xAE, "a card that speaks a language", i);
        if (rows[i].ac) say(CEMV_REPLY_RESPONSE, from_hex(rows[i].ac, bytes));
        else event(CEMV_REPLY_TIMEOUT);
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        const uint8_t *const error = outcome.error_indication;
        property(outcome.status == rows[i].status && outcome.start == rows[i].start, "an end", i);
        property(error[0] == (rows[i].ac ? CEMV_L1_OK : CEMV_L1_TIMEOUT) && error[1] == rows[i].l2, "says why", i);
        property((error[3] << 8 | error[4]) == rows[i].status_word, "and with which status word", i);
        property(outcome.ui_on_outcome.language_size == 2 &&
                     (!outcome.ui_on_restart_present || outcome.ui_on_restart.language_size == 2),
                 "in the card's language", i);
    }
}

/* Every claim: an unproven one is reported; above the limit, one that is not trusted is replaced. */
static void claims_are_told(void)
{
    static const uint8_t statuses[] = { 0x00, 0x10, 0x20, 0x30, 0x31 };
    const struct cemv_limits none = { .present = 0 };
    for (unsigned number = 0; number < 5u << 5; number++) {
        const struct k5_cvm_in in = {
            .status = statuses[number % 5],
            .tip = (uint8_t)(0x70 | (bit(number / 5, 0) ? 0x80 : 0)),
            .verified = bit(number / 5, 1),
            .distrusts_plain = bit(number / 5, 2),
            .distrusts_device = bit(number / 5, 3),
            .reads_closely = bit(number / 5, 4),
            .limits = &none,
        };
        const struct k5_cvm cvm = k5_cvm(&in);
        const bool required = (in.tip & 0x80) != 0, nothing = in.status == 0 || (in.status == 0x30 && in.reads_closely);
        const bool device = in.status >= 0x30 && !nothing, plain = !in.verified && !nothing;
        if (cvm.verdict != K5_GOES_ON) continue;
        property(cvm.from_plain == (plain && required && in.status != 0x20), "from plain data", number);
        const bool replaced = required && plain &&
                              (device ? in.distrusts_device : in.status == 0x10 && in.distrusts_plain);
        property(cvm.unproven == (device && plain && !replaced), "a device that is believed", number);
        property(cvm.replaced == replaced, "and what makes way", number);
    }
}

static void property_of_action(void)
{
    for (unsigned number = 0; number < 1u << 13; number++) property_of_one_action(number);
}

static void property_of_cvm(void)
{
    for (unsigned number = 0; number < 1u << 14; number++) property_of_one_cvm(number);
}

/* 3.10.3: of all two-character answer codes, five request a TC. */
static void five_codes_ask_for_a_tc(void)
{
    for (unsigned first = 0x20; first < 0x7F; first++)
        for (unsigned second = 0x20; second < 0x7F; second++) {
            const uint8_t code[3] = { (uint8_t)first, (uint8_t)second, '0' };
            const bool approves = (first == '0' && (second == '0' || second == '1' || second == '2')) ||
                                  (first == '1' && (second == '0' || second == '1'));
            property(k5_arc_approves(of(guarded_copy(code, 2), 2)) == approves, "a code", first << 8 | second);
            property(!k5_arc_approves(of(code, 1)) && !k5_arc_approves(of(code, 3)), "has two characters",
                     first << 8 | second);
        }
}

/* Table C-1: the card's other objects for the issuer are in the record of an online request, whether they came in a
 * record of the card or in the answer to GENERATE AC; of two values, the first that was read. Objects outside the table
 * are not. */
static void the_record_has_what_the_card_sent(void)
{
    static const struct {
        uint16_t tag;
        const char *object, *other;
    } objects[] = { { 0x9F08, "9F08020001", "9F08020002" },
                    { 0x5F20, "5F20024142", "5F20024344" },
                    { 0x9F6E, "9F6E0441424344", "9F6E0445464748" },
                    { 0x9F7C, "9F7C03010203", "9F7C03040506" },
                    { 0x9F19, "9F1906012345678901", "9F1906112345678901" },
                    { 0x9F1F, "9F1F023132", "9F1F023334" } };
    for (unsigned i = 0; i < sizeof objects / sizeof objects[0]; i++)
        for (unsigned where = 0; where < 4; where++) { /* bit 0: a record, bit 1: the answer */
            char record[200], ac[200];
            uint8_t wanted[16];
            struct cemv_tlv found_there;
            snprintf(record, sizeof record, "%s%s", RECORD, where & 1 ? objects[i].object : "");
            snprintf(ac, sizeof ac, "%s%s", ARQC "9F500120",
                     where & 2 ? (where & 1 ? objects[i].other : objects[i].object) : "");
            open_reader(CEMV_PROFILE_BOOK);
            begin();
            if (tap_with(EMV_FCI, "77*82021880940408010100", record) == CEMV_STEP_SEND) answer(ac);
            if (cemv_session_step(session) == CEMV_STEP_WORK) event(CEMV_REPLY_CONTINUE);
            property(cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST, "an online request",
                     i << 4 | where);
            const bool there = cemv_tlv_find(cemv_session_data_record(session), objects[i].tag, &found_there);
            property(there == (where != 0), "what was sent is there", i << 4 | where);
            if (!there) continue;
            const size_t size = bytes_of_hex(objects[i].object, wanted), head = cemv_tag_size(objects[i].tag) + 1;
            property(cemv_bytes_equal(found_there.value, of(wanted + head, size - head)), "as it was read first",
                     i << 4 | where);
        }
}

/* Annex B: objects that a card's lists may request by their tag; all others are filled with zeros (3.3.1.2, 3.8.1.2).
 */
static void annex_b_names_what_lists_may_ask_for(void)
{
    static const uint16_t listed[] = { /* of the reader and of the issuer */
                                       0x9F01, 0x9F02, 0x9F03, 0x8A, 0x91, 0x9F15, 0x9F4E, 0x9F1A, 0x9F52, 0x9F53,
                                       0x9F35, 0x95, 0x5F2A, 0x5F36, 0x9A, 0x9F21, 0x9C, 0x9F37, 0x9F34,
                                       /* of the card */
                                       0x42, 0x4F, 0x50, 0x57, 0x5A, 0x82, 0x84, 0x87, 0x8C, 0x8D, 0x8E, 0x8F, 0x90,
                                       0x92, 0x94, 0x5F20, 0x5F24, 0x5F25, 0x5F28, 0x5F2D, 0x5F34, 0x9F07, 0x9F08,
                                       0x9F0C, 0x9F10, 0x9F11, 0x9F12, 0x9F19, 0x9F24, 0x9F25, 0x9F26, 0x9F27, 0x9F36,
                                       0x9F38, 0x9F42, 0x9F4A, 0x9F4B, 0x9F50, 0x9F5F, 0x9F60, 0x9F6E, 0x9F7C, 0x9F1F
    };
    static const uint32_t others[] = { 0x9F33, 0x9F40, 0x9F66,   0x9F1E, 0x9F06, 0x9F6C, 0x9F61, 0x9F5E,
                                       0x9F09, 0x9F41, 0xDF8121, 0x9F1C, 0x9F16, 0x9F45, 0x9F4C, 0x9B,
                                       0x99,   0x98,   0x41,     0x9F7D, 0,      0xFF,   0x9F5D, 0x9F69 };
    for (size_t i = 0; i < sizeof listed / sizeof listed[0]; i++)
        property(k5_is_in_dictionary(listed[i]), "an object of Annex B", listed[i]);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        property(!k5_is_in_dictionary(others[i]), "none", others[i]);
}

void properties_of_kernel_5(void)
{
    PART(ends_say_why);
    PART(claims_are_told);
    PART(property_of_action);
    PART(property_of_cvm);
    PART(properties_of_methods);
    PART(properties_of_answers);
    PART(properties_of_offline);
    PART(properties_of_legacy);
    PART(properties_of_claims);
    PART(claims_for_other_networks_are_not_believed_5);
    PART(properties_of_records);
    PART(properties_of_torn_taps);
    PART(properties_of_contexts);
    PART(properties_of_recovery);
    PART(properties_of_updates);
    PART(properties_of_long_answers);
    PART(properties_of_endless_taps);
    PART(properties_of_silent_ends);
    PART(properties_of_decisions);
    PART(properties_of_entries);
    PART(properties_of_second_lists);
    PART(properties_of_bounds);
    PART(properties_of_room);
    PART(properties_of_oddities);
    PART(properties_of_applications);
    PART(properties_of_selection);
    PART(properties_of_configurations);
    PART(annex_b_names_what_lists_may_ask_for);
    PART(the_record_has_what_the_card_sent);
    PART(five_codes_ask_for_a_tc);
}
