/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 7 that no dialogue covers: its decisions over all their inputs, repeated objects, and the
 * requirements on its configuration (Book C-7 v2.9.1). */
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"

#include "../../Sources/CEMV/include/cemv_kernel_7.h"
#include "../../Sources/CEMV/kernels/k7/k7.h"
#include "../../Sources/CEMV/kernels/k7/k7_responses.h"

/* ---- decisions ---- */

/* Six bits of a CTQ and of the qualifiers that a decision may look at. */
static struct k7_pair ctq_of(unsigned bits)
{
    return (struct k7_pair){ true, { (uint8_t)(bits << 3 & 0xF8), (uint8_t)(bits << 2 & 0x80) } };
}

static void ttq_of(unsigned bits, uint8_t ttq[4])
{
    memcpy(ttq, (const uint8_t[]){ 0x20, 0, 0x40, 0x80 }, 4);
    ttq[0] |= (uint8_t)((bits & 15) << 1);
    ttq[1] |= (uint8_t)(bits << 2 & 0xC0);
}

/* Absent data count as zero bits. */
static void properties_of_absence(void)
{
    const struct k7_pair absent = { false, { 0, 0 } }, dirty = { false, { 0xFF, 0xFF } };
    for (unsigned i = 0; i < 1024; i++) {
        struct k7_cvm_in cvm = { .related = i & 64, .is_arqc = i & 128, .oda = (uint8_t)(i >> 8), .trust = 2 };
        ttq_of(i, cvm.ttq);
        property(k7_fdda_failed(absent, cvm.ttq) == K7_WAY_DECLINED &&
                     k7_fdda_failed(dirty, cvm.ttq) == K7_WAY_DECLINED,
                 "no CTQ, no way out of a failed signature", i);
        const uint8_t expected = k7_cvm(&cvm).verification;
        cvm.ctq = cvm.related_ctq = dirty;
        property(k7_cvm(&cvm).verification == expected, "what the card did not say has no bits", i);
        const struct k7_pair there = { true, { 0, 0 } };
        property(!k7_same_pair(there, absent) && !k7_same_pair(absent, there), "one that is there, and none", i);
        property(!k7_same_pair(absent, absent) && !k7_same_pair(dirty, dirty), "what is absent equals nothing", i);
    }
}

/* Protection replaces the book's method with a stronger one, or rejects; it does nothing else. */
static void judge_cvm(const struct k7_cvm_in *in, unsigned detail)
{
    const struct k7_cvm cvm = k7_cvm(in);
    const uint8_t book = k7_cvm_by_book(in), got = cvm.verification;
    const bool required = (in->ttq[1] & CEMV_TTQ_2_CVM_REQUIRED) != 0, pin = (in->ttq[0] & CEMV_TTQ_1_ONLINE_PIN) != 0;
    property(cvm.protection == (got != book), "what protection changes it says", detail);
    property(book != K7_CVM_DECLINED || got == K7_CVM_DECLINED, "what the book declines stays declined", detail);
    property(!required || got != K7_CVM_NA, "a CVM that is asked for is one, or the end", detail);
    property(book != K7_CVM_ONLINE_PIN || got == book, "an online PIN stays", detail);
    property(got != K7_CVM_ONLINE_PIN || pin, "a PIN where there is a PIN pad", detail);
    property(in->oda != K7_ODA_GOOD || (got == book && !cvm.unauthenticated && !cvm.plain), "a good signature proves",
             detail);
    property(cvm.unauthenticated == (got == K7_CVM_CDCVM && in->oda != K7_ODA_GOOD), "an unproven CDCVM is reported",
             detail);
    if (in->oda == K7_ODA_GOOD) return;
    property(got != K7_CVM_CDCVM || !required || in->trust != CEMV_CDCVM_AUTHENTICATED, "only a proven CDCVM above",
             detail);
    property(got != K7_CVM_CDCVM || in->oda != K7_ODA_WRONG || in->trust == CEMV_CDCVM_BOOK, "no claim that failed",
             detail);
    property(got != K7_CVM_SIGNATURE || !required || !pin || !in->distrust_plain, "no PIN is replaced", detail);
    property(got == book || book != K7_CVM_CDCVM || in->oda == K7_ODA_WRONG || in->trust == CEMV_CDCVM_AUTHENTICATED,
             "a CDCVM is what trust makes of it", detail);
    property(got == book || !(in->trust == CEMV_CDCVM_BOOK && !in->distrust_plain && !in->distrust_wrong), "the book",
             detail);
}

static void properties_of_cardholders(void)
{
    for (unsigned i = 0; i < 1u << 12; i++)
        for (unsigned j = 0; j < 1u << 8; j++) {
            struct k7_cvm_in in = { .ctq = ctq_of(i),
                                    .related = j & 1,
                                    .related_ctq = ctq_of(j & 2 ? i : i + 1),
                                    .is_arqc = j & 4,
                                    .oda = (uint8_t)(j >> 3 & 3),
                                    .trust = (uint8_t)(1 + (j >> 5 & 3) % 3),
                                    .distrust_wrong = j & 128,
                                    .distrust_plain = i & 1 };
            ttq_of(i >> 6, in.ttq);
            if (i % 7 == 0) in.ctq.present = false;
            judge_cvm(&in, i << 8 | j);
        }
}

static void properties_of_signatures_offline(void)
{
    for (unsigned i = 0; i < 1u << 12; i++)
        for (unsigned j = 0; j < 32; j++) {
            struct k7_offline_in in = { .oda = (uint8_t)(j & 3),
                                        .ctq = ctq_of(i),
                                        .decline_wrong = j & 4,
                                        .not_asked = j & 8,
                                        .not_signed = j & 16 };
            ttq_of(i >> 6, in.ttq);
            const uint8_t way = k7_offline(&in), failed = k7_fdda_failed(in.ctq, in.ttq);
            const bool good = in.oda == K7_ODA_GOOD;
            property((way == K7_WAY_APPROVED) == (good && !in.not_asked && !in.not_signed), "what an approval needs",
                     i);
            property(way != K7_WAY_ONLINE || failed == K7_WAY_ONLINE, "online where the card asked for it", i);
            property(way != K7_WAY_CONTACT || (!good && failed == way), "contact after a failure alone", i);
            property(good || in.oda == K7_ODA_WRONG || way == failed, "what cannot be verified is the book's", i);
            property(!(in.oda == K7_ODA_WRONG && in.decline_wrong) || way == K7_WAY_DECLINED, "wrong is declined", i);
        }
}

static void properties_of_qualifiers(void)
{
    for (unsigned i = 0; i < 1u << 16; i++) {
        const uint8_t given[4] = { (uint8_t)i, (uint8_t)(i >> 8), (uint8_t)(i * 7), (uint8_t)(i * 13) };
        const uint8_t selection = (uint8_t)(i >> 4);
        uint8_t plain[4], special[4];
        memcpy(plain, given, 4);
        memcpy(special, given, 4);
        const cemv_bytes data = { &selection, 1 };
        property(k7_ttq(plain, false, data) && plain[0] == given[0] && plain[1] == given[1], "bytes 1 and 2 stay", i);
        property(plain[2] == (given[2] & 0x40) && plain[3] == (given[3] | 0x80), "bytes 3 and 4 are rewritten", i);
        const bool goes_on = k7_ttq(special, true, data);
        property(goes_on == ((selection & 0x40) != 0), "the flow that DF61 names", i);
        property(!goes_on || (special[0] == ((given[0] & 0xBF) | 0x21) && special[1] == (given[1] | 0x80)), "special",
                 i);
    }
    uint8_t ttq[4] = { 0x36, 0, 0x40, 0 };
    property(!k7_ttq(ttq, true, BYTES("")), "without DF61 there is no such flow", 0);
}

/* Data that are too short count as absent, and nothing is read beyond them. */
static void properties_of_short_data(void)
{
    for (uint8_t size = 0; size <= 16; size++) {
        const uint8_t related[16] = { 1, 2, 3, 4, 5, 0xA0, 0x80 }, iad[16] = { 7, 1, 1, 3, 0x90 };
        const cemv_bytes data = { guarded_copy(related, size), size };
        const struct k7_pair ctq = k7_related_ctq(data);
        property(ctq.present == (size >= 7) && (!ctq.present || (ctq.byte[0] == 0xA0 && ctq.byte[1] == 0x80)), "9F69",
                 size);
        const cemv_bytes issuer = { guarded_copy(iad, size), size };
        property(k7_cryptogram_type(false, 0, issuer) == (size > 4 ? K7_TC : K7_UNIDENTIFIED), "9F10", size);
        property(k7_information(false, 0, issuer) == (size > 4 ? 0x40 : 0), "9F10", size);
        for (unsigned cid = 0; cid < 256; cid += 21) {
            property(k7_cryptogram_contradicts(true, (uint8_t)cid, issuer) == (size > 4 && cid >> 6 != K7_TC), "two",
                     cid);
            property(!k7_cryptogram_contradicts(false, (uint8_t)cid, issuer), "one alone contradicts nothing", cid);
        }
    }
}

static void properties_of_lists_of_exceptions(void)
{
    property(k7_expiry(BYTES("\x30\x12\x31"), BYTES("\x26\x13\x01")) == K7_PAST, "no day, no card that is valid", 0);
    const struct cemv_exception range = { .pan = BYTES("\x62\x21\x7F"), .any_sequence = true },
                                one = { .pan = BYTES("\x62\x21\x73"), .sequence = 1 }, none = { .any_sequence = true };
    const cemv_bytes pan = BYTES("\x62\x21\x73\x90\x01\xFF");
    property(k7_is_listed(&range, pan, BYTES("")), "an entry may be the beginning", 0);
    property(!k7_is_listed(&range, BYTES("\x62\x2F"), BYTES("")), "never longer than the PAN", 0);
    property(k7_is_listed(&one, pan, BYTES("\1")) && !k7_is_listed(&one, pan, BYTES("\2")), "the sequence number", 0);
    property(!k7_is_listed(&one, pan, BYTES("")) && !k7_is_listed(&none, pan, BYTES("")), "nothing listed", 0);
    property(!k7_is_listed(&range, BYTES("\x52\x21\x73"), BYTES("")), "from its first digit on", 0);
    property(!k7_is_listed(&one, pan, BYTES("\1\1")), "one byte", 0);
    property(!k7_is_listed(&range, BYTES("\xAB"), BYTES("")) && !k7_is_listed(&range, BYTES(""), BYTES("")), "no PAN",
             0);
}

/* ---- what the card answered ---- */

static struct cemv_store store;
static struct k7_responses responses;

static void open_store(void)
{
    static struct cemv_tags tags;
    if (tags.count == 0) cemv_tags_open(&tags, &cemv_kernel_7.tags);
    cemv_store_clear(&store, &tags, CEMV_READING_STRICT_DUPLICATES | CEMV_READING_FLAT | CEMV_READING_ANY_LENGTH);
    (void)cemv_store_put(&store, CEMV_SLOT_9F02, BYTES("\0\0\0\0\1\0"), CEMV_FROM_TERMINAL);
    responses = (struct k7_responses){ .count = 0 };
}

static uint8_t keep(cemv_bytes objects, bool gpo, bool is_signed, bool proprietary)
{
    static uint8_t body[256];
    body[0] = gpo ? 0x77 : 0x70;
    body[1] = (uint8_t)objects.size;
    memcpy(body + 2, objects.data, objects.size);
    const cemv_bytes whole = { guarded_copy(body, objects.size + 2), objects.size + 2 };
    return gpo ? k7_keep_gpo(&responses, &store, whole)
               : k7_keep_record(&responses, &store, whole, is_signed, proprietary);
}

/* The first in GPO or a record of some kind, the second in any later answer, with others between them (4.2.4.4). */
static void properties_of_repetition(void)
{
    static const struct {
        cemv_bytes first, second;
        bool repeats;
    } cases[] = {
        { BYTES("\x5A\1\x12"), BYTES("\x5A\1\x12"), true },             /* known, the same value */
        { BYTES("\x5A\1\x12"), BYTES("\x5A\0"), true },                 /* an empty one counts */
        { BYTES("\x5A\0"), BYTES("\x5A\1\x12"), true },                 /* in reverse order */
        { BYTES("\x5A\0"), BYTES("\x5A\0"), true },                     /* twice */
        { BYTES("\xDF\x10\1\1"), BYTES("\xDF\x10\1\2"), true },         /* unknown */
        { BYTES("\xDF\x10\0"), BYTES("\xDF\x10\0"), true },             /* unknown and empty */
        { BYTES("\xBF\x0C\2\x50\0"), BYTES("\xBF\x0C\2\x50\0"), true }, /* templates */
        { BYTES("\xBF\x0C\0"), BYTES("\xBF\x0C\2\x50\0"), true },       /* a template */
        { BYTES("\x70\3\x5A\1\x12"), BYTES("\x5A\1\x12"), false },      /* an object in a further template is unknown */
        { BYTES("\x9F\x02\1\1"), BYTES("\x9F\x02\1\1"), false },        /* the terminal's objects are dropped first */
        { BYTES("\x9F\x37\0"), BYTES("\x9F\x37\1\1"), false },          /* dropped, too */
        { BYTES("\x5F\x20\1\x41"), BYTES("\x9F\x0B\1\x42"), false },    /* both names (4.2.4.9) */
        { BYTES("\x5F\x20\1\x41"), BYTES("\x5F\x20\1\x41"), true },     /* one of them twice */
        { BYTES("\xDF\x10\1\1"), BYTES("\xDF\x11\1\1"), false },        /* others */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned kind = 0; kind < 16; kind++) {
            open_store();
            property(keep(kind & 1 ? cases[i].first : BYTES(""), true, false, false) == CEMV_STORE_OK, "GPO", kind);
            if (!(kind & 1))
                property(keep(cases[i].first, false, kind & 2, kind & 4) == CEMV_STORE_OK, "a record", kind);
            property(keep(BYTES("\xDF\x20\1\1"), false, kind & 4, kind & 8) == CEMV_STORE_OK, "another", kind);
            const uint8_t result = keep(cases[i].second, false, kind & 8, kind & 2);
            property(result == (cases[i].repeats ? CEMV_STORE_DUPLICATE : CEMV_STORE_OK), "what came before",
                     (unsigned)i);
        }
    /* The template 70 of a stored record does not count as an object of the record before it. */
    open_store();
    property(keep(BYTES("\xDF\x10\1\1"), true, false, false) == CEMV_STORE_OK &&
                 keep(BYTES("\xDF\x11\1\1"), false, false, false) == CEMV_STORE_OK &&
                 keep(BYTES("\xDF\x12\1\1"), false, true, true) == CEMV_STORE_OK &&
                 keep(BYTES("\x70\2\xDF\x10"), false, false, false) == CEMV_STORE_OK &&
                 keep(BYTES("\xDF\x12\1\1"), false, false, false) == CEMV_STORE_DUPLICATE,
             "templates of records are no objects", 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t both[64];
        const cemv_bytes a = cases[i].first, b = cases[i].second;
        memcpy(both, a.data, a.size);
        memcpy(both + a.size, b.data, b.size);
        open_store();
        property(keep((cemv_bytes){ both, a.size + b.size }, true, false, false) ==
                     (cases[i].repeats ? CEMV_STORE_DUPLICATE : CEMV_STORE_OK),
                 "in one response", (unsigned)i);
    }
}

/* The lengths of objects that the kernel uses; every other object may have any length. */
static void properties_of_lengths(void)
{
    static const struct {
        const char *head;
        uint8_t tag_size, min, max;
    } used[] = { { "\x82", 1, 2, 2 },      { "\x9F\x36", 2, 2, 2 },  { "\x9F\x26", 2, 8, 8 },  { "\x9F\x27", 2, 1, 1 },
                 { "\x9F\x10", 2, 1, 32 }, { "\x57", 1, 1, 19 },     { "\x9F\x6C", 2, 2, 2 },  { "\x5F\x34", 2, 1, 1 },
                 { "\x5A", 1, 1, 10 },     { "\x9F\x69", 2, 1, 40 }, { "\x9F\x5D", 2, 1, 40 }, { "\x8F", 1, 1, 40 },
                 { "\x9F\x24", 2, 1, 40 }, { "\x5F\x28", 2, 1, 40 }, { "\x9F\x1F", 2, 1, 40 } };
    for (size_t i = 0; i < sizeof used / sizeof used[0]; i++)
        for (unsigned size = 1; size <= 40; size++) {
            uint8_t object[64] = { 0 };
            const size_t head = used[i].tag_size + 1u;
            memcpy(object, used[i].head, used[i].tag_size);
            object[head - 1] = (uint8_t)size;
            open_store();
            const bool fits = size >= used[i].min && size <= used[i].max;
            property(keep((cemv_bytes){ object, head + size }, size % 2, false, false) ==
                         (fits ? CEMV_STORE_OK : CEMV_STORE_BAD_LENGTH),
                     "lengths of what is used", (unsigned)i << 8 | size);
        }
    static const cemv_bytes dates[] = { BYTES("\x5F\x24\0"), BYTES("\x5F\x24\3\x30\x13\x31"),
                                        BYTES("\x5F\x24\3\x30\x02\x30"), BYTES("\x5F\x24\2\x30\x12"),
                                        BYTES("\x5F\x24\3\x3A\x12\x31") };
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++) {
        open_store();
        property(keep(dates[i], i % 2, false, false) == CEMV_STORE_BAD_LENGTH, "a date is one", (unsigned)i);
    }
    open_store();
    property(keep(BYTES("\x94\0"), true, false, false) == CEMV_STORE_OK && responses.locator, "an empty locator", 0);
    open_store();
    for (unsigned i = 0; i <= CEMV_MAX_RECORDS; i++) {
        const uint8_t object[] = { 0xDF, 0x20, 1, 1, 0xDF, (uint8_t)(0x21 + i % 80), 0 };
        const cemv_bytes own = { object + 4, 3 };
        property(keep(own, i == 0, false, false) == CEMV_STORE_OK, "as many as there may be", i);
    }
    property(keep(BYTES("\x50\0"), false, false, false) == CEMV_STORE_FULL, "and no more", 0);
    open_store();
    store.used = CEMV_STORE_ARENA - 4;
    property(keep(BYTES("\xDF\x20\1\1"), true, false, false) == CEMV_STORE_FULL, "no room", 0);
}

/* ---- configuration ---- */

static enum cemv_status check(const struct cemv_kernel_7_options *options, const char *ttq, cemv_bytes terminal,
                              struct cemv_config_error *error)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[4096];
    static const struct cemv_kernel_row kernel = { { 7 }, 1, &cemv_kernel_7, NULL };
    const struct cemv_combination rows[] = {
        { .aid = BYTES("\xA0\0\0\3\x33\1\1\1"), .kernel_id = { 7 }, .kernel_id_size = 1, .ttq = BYTES("\x36\0\x40\0") },
        { .aid = BYTES("\xA0\0\0\3\x33\1\1\2"),
          .kernel_id = { 7 },
          .kernel_id_size = 1,
          .ttq = { (const uint8_t *)ttq, ttq ? 4 : 0 },
          .options = options },
    };
    const struct cemv_configuration configuration = {
        .terminal_data = terminal, .combinations = rows, .combination_count = 2, .kernels = &kernel, .kernel_count = 1
    };
    const struct cemv_checked *checked;
    return cemv_configuration_check(&configuration, memory, sizeof memory, &checked, error);
}

static void properties_of_its_configuration(void)
{
    static const struct cemv_kernel_7_options zero = { false, false, 0 }, transit = { .oda_for_online = true };
    static const cemv_bytes terminal = BYTES("\x9F\x1A\2\1\x56\x9F\x33\3\xA0\xB8\xC8");
    static const struct {
        const char *ttq;
        enum cemv_status status;
    } faults[] = { { "\x36\0\x40\0", CEMV_OK },        { NULL, CEMV_MISSING },
                   { "\xB6\0\x40\0", CEMV_BAD_VALUE }, { "\x36\1\x40\0", CEMV_BAD_VALUE },
                   { "\x36\0\x40\1", CEMV_BAD_VALUE }, { "\x76\0\x40\0", CEMV_BAD_VALUE },
                   { "\x16\0\x40\0", CEMV_BAD_VALUE }, { "\x36\0\0\0", CEMV_BAD_VALUE },
                   { "\x37\0\x40\0", CEMV_CONFLICT },  { "\x36\xC0\xFF\x80", CEMV_OK } };
    struct cemv_config_error error;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const enum cemv_status status = check(i % 2 ? &zero : NULL, faults[i].ttq, terminal, &error);
        property(status == faults[i].status, "the qualifiers are refused, never masked", (unsigned)i);
        property(status == CEMV_OK ||
                     (error.section == CEMV_SECTION_COMBINATION && error.row == 1 && error.field == CEMV_FIELD_TTQ),
                 "row and field are named", (unsigned)i);
    }
    property(check(&transit, "\x37\0\x40\0", terminal, &error) == CEMV_OK, "signatures online, at a special reader", 0);
    for (unsigned set = 0; set < 8; set++) {
        const struct cemv_kernel_7_options options = { .other_interfaces = (uint8_t)set };
        const bool sound = set <= CEMV_KERNEL_7_NO_INTERFACE;
        property((check(&options, "\x36\0\x40\0", terminal, &error) == CEMV_OK) == sound, "interfaces", set);
        property(sound || (error.row == 1 && error.field == CEMV_FIELD_OPTIONS &&
                           error.option == CEMV_KERNEL_7_OTHER_INTERFACES),
                 "row and field are named", set);
    }
    property(check(NULL, "\x36\0\x40\0", BYTES("\x9F\x1A\2\1\x56"), &error) == CEMV_MISSING &&
                 error.field == CEMV_FIELD_DATA && error.tag == 0x9F33,
             "what the record needs is named", 0);
    property(check(NULL, "\x36\0\x40\0", BYTES("\x9F\x33\3\xA0\xB8\xC8"), &error) == CEMV_MISSING &&
                 error.tag == 0x9F1A,
             "what the record needs is named", 1);
}

void properties_of_kernel_7(void)
{
    PART(properties_of_absence);
    PART(properties_of_cardholders);
    PART(properties_of_signatures_offline);
    PART(properties_of_qualifiers);
    PART(properties_of_short_data);
    PART(properties_of_lists_of_exceptions);
    PART(properties_of_repetition);
    PART(properties_of_lengths);
    PART(properties_of_its_configuration);
}
