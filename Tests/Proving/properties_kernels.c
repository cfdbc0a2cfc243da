/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of code that kernels share: the FCI, accounts and tracks, keys of certificates, precomputed keys, the end;
 * and of Kernel 3 in cases that no card reaches. */
#include <string.h>

#include "CEMVInternals.h"
#include "../../Sources/CEMV/include/cemv_kernel.h"
#include "bytes.h"
#include "properties.h"

static struct cemv_kernel kernel;
static struct cemv_checked checked;
static struct cemv_combination combination;
static const struct cemv_kernel_module without_edges;
static const struct cemv_kernel_row row = { { 3 }, 1, &without_edges, NULL };
static struct cemv_ca_key keys[2];
static uint8_t ones[128];

static void put(uint16_t slot, cemv_bytes value)
{
    property(cemv_store_put(&kernel.store, slot, value, CEMV_FROM_CARD), "room", slot);
}

static bool echo(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t exponent)
{
    (void)modulus;
    (void)exponent;
    memcpy(out, in.data, in.size);
    return true;
}

static void open_kernel(void)
{
    static struct cemv_crypto port;
    port = cemv_crypto_builtin, port.rsa_public = echo, port.rsa_prepare = NULL;
    memset(&kernel, 0, sizeof kernel);
    memset(&checked, 0, sizeof checked);
    memset(ones, 0xFF, sizeof ones);
    combination = (struct cemv_combination){ .aid = BYTES("\xA0\0\0\0\3"), .kernel_id = { 3 }, .kernel_id_size = 1 };
    for (size_t i = 0; i < 2; i++)
        keys[i] = (struct cemv_ca_key){
            .rid = { 0xA0, 0, 0, 0, 3 }, .index = (uint8_t)(1 + i), .exponent = 3, .modulus = { ones, sizeof ones }
        };
    checked.crypto = &port;
    checked.configuration = (struct cemv_configuration){
        .combinations = &combination, .combination_count = 1, .ca_keys = keys, .ca_key_count = 2
    };
    kernel.checked = &checked;
    kernel.combination = &combination;
    kernel.row = &row;
    memcpy(kernel.transaction.date, "\x26\x11\x21", 3);
    cemv_store_clear(&kernel.store, tags_of(3), 0);
}

/* ---- protection and the end ---- */

static void properties_of_ends(void)
{
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_DECLINED, CEMV_REASON_KERNEL);
    open_kernel();
    kernel.combination = NULL;
    property(cemv_protection_of(&kernel) == &checked.configuration.protection,
             "before one is chosen, the configuration protects", 0);
    kernel.combination = &combination, combination.own_protection = true;
    property(cemv_protection_of(&kernel) == &combination.protection, "a combination's own protection", 0);
    memset(outcome.error_indication, 0xEE, 6);
    cemv_error_set(&outcome, CEMV_L1_PROTOCOL, CEMV_L2_CARD_DATA_ERROR, 0x6A82);
    property(memcmp(outcome.error_indication, "\3\6\xEE\x6A\x82\0", 6) == 0,
             "an error names link, data and status word, and no message where none is shown", 0);
    cemv_outcome_show(&outcome, CEMV_MESSAGE_SEE_PHONE, CEMV_UI_PROCESSING_ERROR);
    cemv_error_set(&outcome, CEMV_L1_OK, CEMV_L2_OK, 0);
    property(memcmp(outcome.error_indication, "\0\0\xEE\0\0\x20", 6) == 0, "and the message that is shown", 0);
    kernel.out.record_size = 5;
    kernel.out.discretionary_size = 6;
    cemv_end_card_fault(&kernel, CEMV_REASON_CARD_DATA, CEMV_L2_PARSING_ERROR, 0);
    property(kernel.out.finished && kernel.out.record_size == 0 && kernel.out.discretionary_size == 0,
             "a bad card's data stay here", 0);
}

static void properties_of_records(void)
{
    static uint8_t record[CEMV_RECORD_CAPACITY + 1];
    static const struct {
        size_t data, more;
        bool fits;
    } sizes[] = {
        { CEMV_RECORD_CAPACITY, 0, true },
        { 0, CEMV_RECORD_CAPACITY, true },
        { CEMV_RECORD_CAPACITY - 1, 1, true },
        { CEMV_RECORD_CAPACITY, 1, false },
        { CEMV_RECORD_CAPACITY + 1, 0, false },
        { 1, CEMV_RECORD_CAPACITY, false },
        { 3, 4, true },
    };
    for (size_t i = 0; i < sizeof record; i++) record[i] = i * 7 / 8 % 2 ? 0xFF : 0; /* filler, at every length */
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_APPROVED, CEMV_REASON_KERNEL);
        open_kernel();
        cemv_kernel_finish(&kernel, &outcome, of(record, sizes[i].data), of(record, sizes[i].more));
        property(kernel.out.outcome.reason == (sizes[i].fits ? CEMV_REASON_KERNEL : CEMV_REASON_STORE_FULL),
                 "records have 1,024 bytes together", (unsigned)i);
        property(kernel.out.outcome.status == (sizes[i].fits ? CEMV_OUTCOME_APPROVED : CEMV_OUTCOME_END_APPLICATION),
                 "no approval without its record", (unsigned)i);
        property(kernel.out.record_size == (sizes[i].fits ? sizes[i].data : 0) &&
                     kernel.out.discretionary_size == (sizes[i].fits ? sizes[i].more : 0),
                 "or are left out", (unsigned)i);
        if (sizes[i].fits)
            property(memcmp(kernel.out.records, record, sizes[i].data) == 0 &&
                         memcmp(kernel.out.records + sizes[i].data, record, sizes[i].more) == 0,
                     "one behind the other", (unsigned)i);
    }
}

/* ---- the FCI ---- */

static void read_fci(cemv_bytes fci)
{
    property(cemv_store_keep(&kernel.store, fci, &kernel.fci), "room", 0);
    kernel.fci.size = (uint16_t)fci.size;
    cemv_fci_read(&kernel);
}

/* Book 3, 7.5: an FCI whose 6F or A5 does not parse has no PDOL, wherever the PDOL is. BF0C belongs to the issuer. */
static void malformed_fci_has_no_pdol(void)
{
    static const struct {
        const char *fci;
        size_t size, pdol;
    } cases[] = {
        { "\x6F\7\xA5\5\x9F\x38\2\x9C\1", 9, 2 },
        { "\x6F\x08\xA5\5\x9F\x38\2\x9C\1\0\xFF", 11, 2 },
        { "\x6F\7\xA5\5\x9F\x38\2\x9C\1\x9F", 10, 0 },
        { "\x6F\x09\xA5\5\x9F\x38\2\x9C\1\x87\4", 11, 0 },
        { "\x6F\x09\xA5\7\x9F\x38\2\x9C\1\x50\5", 11, 0 },
        { "\x6F\x0C\xA5\x0A\x9F\x38\2\x9C\1\xBF\x0C\2\x9F\x4D", 14, 2 },
        { "\x6F\x0C\xA5\x0A\x9F\x38\2\x9C\1\xBF\x0C\3\x9F\x4D", 14, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        open_kernel();
        read_fci(of(cases[i].fci, cases[i].size));
        property(kernel.pdol.size == cases[i].pdol, "an FCI that does not parse has no PDOL", (unsigned)i);
    }
}

static void properties_of_fci(void)
{
    static const struct {
        const char *fci;
        size_t size;
        const char *language;
    } readings[] = {
        { "\x6F\x08\xA5\6\x5F\x2D\2en\0", 10, "en" },
        { "\x6F\5\x5F\x2D\2en", 7, "en" },
        { "\x5F\x2D\2en\x6F\0", 7, "" },
        { "\x6F\0\x5F\x2D\2en", 7, "" },
        { "\x6F\x0C\xA5\x0A\xBF\x0C\7\x5F\x2D\4ende", 14, "ende" },
        { "\x6F\x0E\xA5\x0C\xBF\x0C\x09\xBF\x0C\6\x5F\x2D\2en\0", 16, "" },
        { "\x6F\x0C\xA5\5\x5F\x2D\2en\x5F\x2D\2de", 14, "de" },
        { "\x6F\x0C\x5F\x2D\2de\xA5\5\x5F\x2D\2en", 14, "de" },
        { "\x6F\x0E\xA5\5\x5F\x2D\2en\xA5\5\x5F\x2D\2de", 16, "en" },
    };
    for (size_t i = 0; i < sizeof readings / sizeof readings[0]; i++) {
        const size_t size = strlen(readings[i].language);
        open_kernel();
        read_fci(of(readings[i].fci, readings[i].size));
        property(kernel.language_size == size && memcmp(kernel.language, readings[i].language, size) == 0,
                 "a preference lies in the FCI, the outermost and first counts", (unsigned)i);
    }
    for (uint8_t size = 0; size < 12; size++) {
        uint8_t fci[] = "\x6F\0\x5F\x2D\0abyzlmnoabcd";
        struct cemv_ui_request request;
        open_kernel();
        read_fci(BYTES("\x6F\5\x5F\x2D\2en"));
        fci[1] = (uint8_t)(3 + size);
        fci[4] = size;
        read_fci(of(fci, 5u + size));
        const bool kept = size % 2 == 0 && size <= 8;
        property(kernel.language_size == (kept ? size : 0),
                 "one to four languages, else none, whatever was asked for before", size);
        memset(&request, 0xEE, sizeof request);
        cemv_ui_language(&kernel, &request);
        if (kernel.language_size == 0)
            property(request.language_size == 0xEE && request.language[0] == 0xEE,
                     "without a preference a request stays as it is", size);
        else
            property(request.language_size == size && memcmp(request.language, "abyzlmno", size) == 0,
                     "a request takes the preference", size);
    }
    for (unsigned letter = 0; letter < 256; letter++) {
        uint8_t fci[] = "\x6F\7\x5F\x2D\4enx.";
        fci[8] = (uint8_t)letter;
        open_kernel();
        read_fci(of(fci, 9));
        property(kernel.language_size == (letter >= 'a' && letter <= 'z' ? 4 : 0), "only small letters steer a display",
                 letter);
    }
    for (uint8_t size = 0; size < 4; size++) {
        uint8_t fci[] = "\x6F\0\x9F\x38\0\x9F\x37\4";
        open_kernel();
        read_fci(BYTES("\x6F\6\x9F\x38\3\x9F\x37\4"));
        fci[1] = (uint8_t)(3 + size);
        fci[4] = size;
        read_fci(of(fci, 5u + size));
        property(kernel.pdol.size == size && kernel.pdol.at == (size ? kernel.fci.at + 5 : 0),
                 "a PDOL lies where the card wrote it", size);
    }
}

static void properties_of_format_1(void)
{
    static const uint8_t value[] = { 0x20, 0x80, 8, 1, 1, 0 };
    for (size_t size = 0; size <= sizeof value; size++) {
        open_kernel();
        const enum cemv_store_error error = cemv_store_gpo_format_1(&kernel, of(value, size));
        property(error == (size < 2               ? CEMV_STORE_MALFORMED
                           : size > 2 && size < 6 ? CEMV_STORE_BAD_LENGTH
                                                  : CEMV_STORE_OK),
                 "format 1 is a profile and what follows", (unsigned)size);
        property(cemv_bytes_equal(cemv_store_value(&kernel.store, CEMV_SLOT_82), of(value, size < 2 ? 0 : 2)),
                 "the profile comes first", (unsigned)size);
        if (error == CEMV_STORE_OK)
            property(
                cemv_bytes_equal(cemv_store_value(&kernel.store, CEMV_SLOT_94), of(value + 2, size < 2 ? 0 : size - 2)),
                "the locator follows", (unsigned)size);
    }
    open_kernel();
    put(CEMV_SLOT_82, BYTES("\0\0"));
    property(cemv_store_gpo_format_1(&kernel, of(value, 6)) == CEMV_STORE_DUPLICATE &&
                 !cemv_store_has(&kernel.store, CEMV_SLOT_94),
             "a profile comes once", 0);
}

/* ---- accounts ---- */

static bool contradicts(void)
{
    struct cemv_account account = cemv_account_of(&kernel.store);
    account.magstripe_track_2 = cemv_store_value(&kernel.store, CEMV_SLOT_9F6B);
    uint8_t buffer[CEMV_PAN_SIZE_MAX];
    kernel.findings = 0;
    cemv_account_refused(&kernel, &account, cemv_account_pan(&account, buffer));
    return kernel.findings >> CEMV_FINDING_PAN_MISMATCH & 1;
}

/* The memory after a track in the arena is not part of it. */
static void properties_of_track_1(void)
{
    static const struct {
        const char *track;
        size_t size;
        const char *behind;
        bool account;
    } tracks[] = {
        { "B4^", 3, "", true },
        { "B4", 2, "^", false },
        { "B4", 2, "1^", false },
        { "B", 1, "4^", false },
        { "B^", 2, "4^", false },
        { "B4^A", 4, "", true },
        { "A4^", 3, "", false },
        { "B4/", 3, "^", false },
        { "B4:^", 4, "", false },
        { "B1234567890123456789^", 21, "", true },
        { "B12345678901234567890^", 22, "", false },
        { "B123456789012345678", 19, "9^", false },
        { "", 0, "B4^", false },
    };
    for (size_t i = 0; i < sizeof tracks / sizeof tracks[0]; i++) {
        open_kernel();
        put(CEMV_SLOT_5A, BYTES("\x77\x77"));
        if (tracks[i].size) put(CEMV_SLOT_56, of(tracks[i].track, tracks[i].size));
        if (tracks[i].behind[0]) put(CEMV_SLOT_50, of(tracks[i].behind, strlen(tracks[i].behind)));
        property(contradicts() == tracks[i].account, "track 1 names an account up to its caret, or none", (unsigned)i);
    }
}

static void properties_of_accounts(void)
{
    static const struct {
        const char *pan;
        size_t size;
        size_t expected;
    } pans[] = {
        { "\x1F", 1, 1 },
        { "\xFF", 1, 0 },
        { "\x11\x11\x11\x11\x11\x11\x11\x11\x11\x1F", 10, 10 },
        { "\x11\x11\x11\x11\x11\x11\x11\x11\x11\x11", 10, 0 },
        { "\x11\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 11, 0 },
        { "\x1A", 1, 0 },
        { "\x11", 1, 1 },
    };
    uint8_t buffer[10], yymm[2];
    for (size_t i = 0; i < sizeof pans / sizeof pans[0]; i++) {
        const struct cemv_account account = { .pan = of(pans[i].pan, pans[i].size) };
        const cemv_bytes pan = cemv_account_pan(&account, buffer);
        property(pan.size == pans[i].expected && cemv_bytes_equal(pan, of(pans[i].pan, pan.size)),
                 "an account has 1 to 19 digits in at most ten bytes", (unsigned)i);
    }
    const cemv_bytes no_digits = BYTES("\x41\x11\xAD\x29\x12\x20"), three = BYTES("\x41\x1D\x29\x12\x20");
    property(cemv_track2_pan(no_digits, buffer).size == 0 && !cemv_track2_expiry(no_digits, yymm),
             "a track's account is digits", 0);
    property(cemv_track2_pan(three, buffer).size == 2 && buffer[1] == 0x1F && cemv_track2_expiry(three, yymm) &&
                 yymm[0] == 0x29 && yymm[1] == 0x12,
             "a track of three digits", 0);
    const cemv_bytes cut = BYTES("\x41\x11\xD2\x91\x29");
    property(!cemv_track2_expiry((cemv_bytes){ cut.data, 4 }, yymm) && cemv_track2_expiry(cut, yymm) && yymm[1] == 0x12,
             "a date lies within its track", 0);
    static const char text[] = "B1234^";
    for (size_t digits = 1; digits <= 4; digits++) {
        char track[8];
        memcpy(track, text, digits + 1);
        track[digits + 1] = '^';
        buffer[0] = buffer[1] = buffer[2] = 0;
        const cemv_bytes pan = cemv_track1_pan(of(track, digits + 2), buffer);
        const uint8_t expected[2] = { digits > 1 ? 0x12 : 0x1F, digits > 3 ? 0x34 : 0x3F };
        property(pan.size == (digits + 1) / 2 && memcmp(pan.data, expected, pan.size) == 0, "the digits of track 1",
                 (unsigned)digits);
    }
    open_kernel();
    put(CEMV_SLOT_5A, BYTES("\x1F"));
    put(CEMV_SLOT_9F6B, BYTES("\x41\x1D\x29\x12"));
    property(contradicts(), "an account of one digit can be contradicted", 0);
    static const struct {
        const char *date;
        size_t size;
        bool differ;
    } dates[] = { { "\x29\x12\x31", 3, false },
                  { "\x29\x11\x31", 3, true },
                  { "\x28\x12\x31", 3, true },
                  { "\x28\x11\x31", 2, false },
                  { "\x28\x11\x31\0", 4, false } };
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++) {
        const struct cemv_account account = { .track_2 = three, .expiry = of(dates[i].date, dates[i].size) };
        property(((cemv_account_faults(&account, three) & CEMV_ACCOUNT_DATES_DIFFER) != 0) == dates[i].differ,
                 "year and month are those of the track", (unsigned)i);
    }
    open_kernel();
    put(CEMV_SLOT_9F6B, BYTES("\x41\x1D\x29\x12"));
    property(!contradicts(), "a track alone contradicts nothing", 0);
}

/* ---- certificates ---- */

/* The result shows whether a key was found, and the findings why not. The card has no certificate, so it never gets
 * further. */
static enum cemv_oda_result chain(void)
{
    static struct cemv_certificate icc;
    kernel.findings = 0;
    return cemv_oda_icc_key(&kernel, &icc);
}

static void open_chain(const char *index)
{
    open_kernel();
    put(CEMV_SLOT_8F, of(index, 1));
    put(CEMV_SLOT_90, of(ones, 128));
    put(CEMV_SLOT_9F32, BYTES("\3"));
    put(CEMV_SLOT_5A, BYTES("\x41\x11\x11\x11\x11\x11\x11\x11"));
}

static void properties_of_ca_keys(void)
{
    static const uint8_t days[][3] = { { 0x26, 0, 0 },       { 0, 0x11, 0 },       { 0, 0, 0x21 },
                                       { 0x26, 0x11, 0x20 }, { 0x21, 0x10, 0x04 }, { 0x24, 0x11, 0x02 } };
    for (char index = 1; index < 4; index++) {
        open_chain(&index);
        property(chain() == (index < 3 ? CEMV_ODA_RECOVERY : CEMV_ODA_CA_KEY_MISSING),
                 "a CA key is found by its index, the first and the last", (unsigned)index);
        property(kernel.findings == (index < 3 ? 0 : 1u << CEMV_FINDING_CA_KEY_MISSING), "a missing one is reported",
                 (unsigned)index);
    }
    open_chain("\1");
    keys[0].test = true;
    property(chain() == CEMV_ODA_RECOVERY && kernel.findings == 1u << CEMV_FINDING_TEST_KEY, "a test key is reported",
             0);
    open_chain("\1");
    combination.aid.size = 4;
    property(chain() == CEMV_ODA_CA_KEY_MISSING, "a name without RID has no keys", 0);
    open_chain("\1");
    combination.aid = BYTES("\xA0\0\0\0\4\x10\x10");
    property(chain() == CEMV_ODA_CA_KEY_MISSING, "nor has another RID", 0);
    for (size_t i = 0; i < sizeof days / sizeof days[0]; i++) {
        open_chain("\1");
        memcpy(keys[0].expires, days[i], 3);
        property(chain() == CEMV_ODA_CA_KEY_MISSING && kernel.findings == 1u << CEMV_FINDING_CA_KEY_EXPIRED,
                 "an expired key counts as absent", (unsigned)i);
        checked.configuration.protection.profile = CEMV_PROFILE_BOOK;
        property(chain() == CEMV_ODA_RECOVERY && kernel.findings == 1u << CEMV_FINDING_CA_KEY_EXPIRED,
                 "in profile book it is only reported", (unsigned)i);
    }
    for (unsigned i = 0; i < 2; i++) {
        open_chain("\1");
        memcpy(keys[0].expires, i ? "\x26\x11\x22" : "\x26\x11\x21", 3);
        property(chain() == CEMV_ODA_RECOVERY && kernel.findings == 0, "the last day is a day of use", i);
    }
    open_chain("\1");
    kernel.store.spans_overflowed = true;
    property(chain() == CEMV_ODA_TOO_MANY_PIECES, "records that could not be kept cannot be verified", 0);
}

static bool stripped(cemv_bytes locator, const char *profile, uint8_t method)
{
    open_kernel();
    put(CEMV_SLOT_82, of(profile, 2));
    put(CEMV_SLOT_94, locator);
    put(CEMV_SLOT_50, BYTES("\7\7\7\7\7\7\7\7"));
    cemv_look_for_stripped_oda(&kernel, method);
    return kernel.findings >> CEMV_FINDING_ODA_STRIPPED & 1;
}

static void properties_of_stripped_profiles(void)
{
    property(!stripped(BYTES("\x08\1\1\0\x10\1\1\0\x18\1\1\0"), "\0\0", 0x20),
             "records that are not signed need no method", 0);
    property(stripped(BYTES("\x08\1\1\1\x10\1\1\0\x18\1\1\0"), "\0\0", 0x20), "a signed record, the first", 0);
    property(stripped(BYTES("\x08\1\1\0\x10\1\1\1\x18\1\1\0"), "\0\0", 0x20), "a signed record, the second", 0);
    property(stripped(BYTES("\x08\1\1\0\x10\1\1\0\x18\1\1\1"), "\0\0", 0x20), "a signed record, the last", 0);
    property(!stripped(BYTES("\x08\1\1"), "\0\0", 0x20), "a locator goes no further than it goes", 0);
    property(!stripped(BYTES("\x08\1\1\1"), "\x20\0", 0x20), "a method that stands is not denied", 0);
    property(!stripped(BYTES("\x08\1\1\1"), "\x40\0", 0x20), "another method may need the records", 0);
    for (unsigned i = 0; i < 8; i++) {
        open_kernel();
        put(CEMV_SLOT_82, BYTES("\x40\0"));
        if (i & 1) put(CEMV_SLOT_8F, BYTES("\1"));
        if (i & 2) put(CEMV_SLOT_90, of(ones, 128));
        if (i & 4) put(CEMV_SLOT_9F46, of(ones, 92));
        property(cemv_chain_is_stripped(&kernel.store, 0x20) == (i == 7), "all that a dynamic method needs is there",
                 i);
        property(!cemv_chain_is_stripped(&kernel.store, 0x40), "and is not denied", i);
    }
}

static void properties_of_work(void)
{
    static const uint16_t slots[] = { CEMV_SLOT_8F, CEMV_SLOT_90 };
    for (size_t i = 0; i < 2; i++) {
        open_chain("\1");
        put(CEMV_SLOT_82, BYTES("\x20\0"));
        property(cemv_oda_has_work(&kernel), "what is needed is there", (unsigned)i);
        property(cemv_store_put(&kernel.store, slots[i], of(NULL, 0), CEMV_FROM_CARD) && !cemv_oda_has_work(&kernel) &&
                     !cemv_oda_work(&kernel),
                 "half of it is no work", (unsigned)i);
        property(kernel.work == 0, "and nothing is decided", (unsigned)i);
    }
    for (unsigned i = 0; i < 4; i++) {
        open_chain("\1");
        put(CEMV_SLOT_82, BYTES("\x20\0"));
        put(CEMV_SLOT_9F32, of("\3", i & 1));
        put(CEMV_SLOT_9F46, of(ones, i & 2 ? 92 : 0));
        kernel.work = 1; /* the issuer's certificate is finished */
        property(cemv_oda_has_work(&kernel) == (i == 3), "the card's certificate needs the issuer's exponent", i);
    }
    /* Without space for the blocks no work is offered, and a chain is checked as usual. */
    static const uint8_t much[CEMV_STORE_ARENA];
    open_chain("\1");
    put(CEMV_SLOT_82, BYTES("\x20\0"));
    struct cemv_span span;
    property(cemv_store_keep(&kernel.store, of(much, sizeof much - kernel.store.used - 100), &span), "room", 0);
    property(cemv_oda_has_work(&kernel) && !cemv_oda_work(&kernel) && !cemv_oda_has_work(&kernel), "no room, no work",
             0);
    property(chain() == CEMV_ODA_RECOVERY, "a chain is checked as ever", 0);
}

/* ---- Kernel 3 in cases that no card reaches ---- */

static void properties_of_absent_pairs(void)
{
    const struct k3_pair absent = { false, { 0, 0 } }, dirty = { false, { 0xFF, 0xFF } },
                         all = { true, { 0xFF, 0xFF } };
    for (unsigned i = 0; i < 256; i++) {
        struct k3_restrictions_in clean = { (uint8_t)(i & 3), (uint8_t)(i >> 2 & 3) % 3, i & 16, i & 32, true, i & 64,
                                            absent,           i & 128 ? all : absent };
        const uint8_t expected = k3_restrictions(&clean);
        clean.usage_control = dirty;
        if (!clean.ctq.present) clean.ctq = dirty;
        property(k3_restrictions(&clean) == expected, "what the card did not say has no bits: restrictions", i);
        struct k3_oda_in oda = { (uint8_t)(i & 3), i & 4, i & 8, i & 16, absent };
        const uint8_t marks = k3_after_oda(&oda);
        oda.ctq = dirty;
        property(k3_after_oda(&oda) == marks, "what the card did not say has no bits: signatures", i);
        struct k3_cvm_in cvm = { (uint8_t)(i & 3),
                                 (uint8_t)(i >> 2 & 3),
                                 2,
                                 i & 16,
                                 i & 32,
                                 i & 64,
                                 i & 128,
                                 false,
                                 false,
                                 false,
                                 false,
                                 absent };
        const struct k3_cvm plain = k3_cvm(&cvm);
        cvm.ctq = dirty;
        const struct k3_cvm same = k3_cvm(&cvm);
        property(same.cvm == plain.cvm && same.marks == plain.marks && same.unauthenticated == plain.unauthenticated,
                 "what the card did not say has no bits: cardholders", i);
    }
}

/* attacks.md, A03, A33 and A39: every row of the table, with the name that selects it, and accounts that no row judges.
 */
static void brands_refuse_impossible_accounts(void)
{
    /* Bits: 1 Visa, 2 American Express, 4 Mastercard, 8 Diners Club, 10 JCB, 20 Discover, 40 UnionPay, 80 Maestro and
     * domestic. */
    static const struct {
        const char *name;
        size_t size;
        uint8_t possible, own;
    } all[] = {
        { "\xA0\0\0\0\3\x10\x10", 7, 0x01, 0x01 },
        { "\xA0\0\0\0\3\x10\x10\1", 8, 0x01, 0x01 },
        { "\xA0\0\0\0\3\x20\x10", 7, 0x01, 0x01 },
        { "\xA0\0\0\0\3\x20\x20", 7, 0x01, 0x01 },
        { "\xA0\0\0\0\3", 5, 0xF9, 0x81 },
        { "\xA0\0\0\0\3\x10", 6, 0xF9, 0x81 },
        { "\xA0\0\0\0\3\x30\x10", 7, 0xF9, 0x81 },
        { "\xA0\0\0\0\3\x80\x10", 7, 0xF9, 0x81 },
        { "\xA0\0\0\0\4", 5, 0xFC, 0x8C },
        { "\xA0\0\0\0\4\x10\x10", 7, 0xFC, 0x8C },
        { "\xA0\0\0\0\4\x30\x60", 7, 0xFF, 0xEC },
        { "\xA0\0\0\0\4\x60\0", 7, 0xFC, 0x8C },
        { "\xA0\0\0\0\x25", 5, 0x02, 0x02 },
        { "\xA0\0\0\0\x25\1", 6, 0x02, 0x02 },
        { "\xA0\0\0\1\x52", 5, 0xFC, 0xF8 },
        { "\xA0\0\0\1\x52\x30\x10", 7, 0xFC, 0xF8 },
        { "\xA0\0\0\1\x52\x40\x10\1", 8, 0xFC, 0xF8 },
        { "\xA0\0\0\3\x24", 5, 0xFC, 0xF8 },
        { "\xA0\0\0\3\x24\x10\x10", 7, 0xFC, 0xF8 },
        { "\xA0\0\0\3\x33", 5, 0xFF, 0xE8 },
        { "\xA0\0\0\3\x33\1\1\2", 8, 0xFF, 0xE8 },
        { "\xA0\0\0\0\x65", 5, 0xFF, 0xB8 },
        { "\xA0\0\0\0\x65\x10\x10", 7, 0xFF, 0xB8 },
        { "\xA0\0\0\2\x52\x30\x10", 7, 0xFF, 0xFF },
        { "", 0, 0xFF, 0xFF },
    };
    static const struct {
        uint16_t first;
        uint8_t network;
    } accounts[] = {
        { 0x4000, 0x01 }, { 0x4999, 0x01 }, { 0x3400, 0x02 }, { 0x3499, 0x02 }, { 0x3700, 0x02 }, { 0x3799, 0x02 },
        { 0x5100, 0x04 }, { 0x5311, 0x04 }, { 0x5599, 0x04 }, { 0x2221, 0x04 }, { 0x2720, 0x04 }, { 0x3000, 0x08 },
        { 0x3059, 0x08 }, { 0x3600, 0x08 }, { 0x3699, 0x08 }, { 0x3800, 0x08 }, { 0x3999, 0x08 }, { 0x3528, 0x10 },
        { 0x3589, 0x10 }, { 0x6011, 0x20 }, { 0x6440, 0x20 }, { 0x6599, 0x20 }, { 0x6200, 0x40 }, { 0x6299, 0x40 },
        { 0x8100, 0x40 }, { 0x8171, 0x40 }, { 0x2204, 0x80 }, { 0x2220, 0x80 }, { 0x2721, 0x80 }, { 0x3060, 0x80 },
        { 0x3399, 0x80 }, { 0x3500, 0x80 }, { 0x3527, 0x80 }, { 0x3590, 0x80 }, { 0x5099, 0x80 }, { 0x5600, 0x80 },
        { 0x6010, 0x80 }, { 0x6012, 0x80 }, { 0x6199, 0x80 }, { 0x6300, 0x80 }, { 0x6439, 0x80 }, { 0x6600, 0x80 },
        { 0x6799, 0x80 }, { 0x8099, 0x80 }, { 0x8172, 0x80 }, { 0x9792, 0x80 }, { 0x0000, 0x80 },
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        for (unsigned k = 0; k < sizeof accounts / sizeof accounts[0]; k++) {
            const unsigned at = i << 16 | accounts[k].first;
            const uint8_t pan[8] = {
                (uint8_t)(accounts[k].first >> 8), (uint8_t)accounts[k].first, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11
            };
            const bool possible = (all[i].possible & accounts[k].network) != 0,
                       own = (all[i].own & accounts[k].network) != 0;
            property(cemv_brand_mismatch(of(all[i].name, all[i].size), of(pan, 8)) == !possible,
                     "name and account number", at);
            property(cemv_brand_of_other_network(of(all[i].name, all[i].size), of(pan, 8)) == !own,
                     "name and another network's account number", at);
            open_kernel();
            combination.aid = BYTES("\xA0\0\0\0\3"), kernel.df_name_size = (uint8_t)all[i].size;
            memcpy(kernel.df_name, all[i].name, all[i].size);
            property(cemv_brand_refused(&kernel, of(pan, 8)) == !possible &&
                         kernel.findings == (possible ? 0 : 1u << CEMV_FINDING_BRAND_MISMATCH),
                     "the selected name counts", at);
            property(cemv_account_of_other_network(&kernel, of(pan, 8)) == !own, "and for both grades", at);
        }
    property(!cemv_brand_mismatch(BYTES("\xA0\0\0\0\x25"), BYTES("\x40")), "one byte is no account number", 0);
}

/* attacks.md, A32: if a CVM is required and the reader has online PIN, a signature is reported unless a signed CTQ asks
 * for it, and distrust restores the online PIN. */
static void kernel_3_reports_lost_online_pin(void)
{
    for (unsigned i = 0; i < 128; i++) {
        const bool required = i & 1, pin = i & 2, covered = i & 4, distrust = i & 8;
        const struct k3_pair ctq = { (i & 48) != 0, { (uint8_t)(i & 16 ? 0x40 : 0), 0 } };
        const struct k3_cvm_in in = { K3_ARQC, K3_ODA_GOOD, CEMV_CDCVM_BOOK, required, pin, true, i & 64,
                                      true,    true,        covered,         distrust, ctq };
        const struct k3_cvm out = k3_cvm(&in);
        const bool signature = ctq.present ? ctq.byte[0] != 0 : required,
                   lost = signature && required && pin && !covered;
        property(out.plain == lost, "a lost online PIN is reported", i);
        if (lost && distrust)
            property(out.cvm == CEMV_CVM_ONLINE_PIN && out.marks == (K3_ONLINE | K3_PROTECTION), "and given back", i);
        else property(out.cvm == (signature ? CEMV_CVM_SIGNATURE : CEMV_CVM_NONE), "else the card chooses", i);
    }
}

/* C-3, Table B-1: 9F03 for a cash back, and for every transaction with such an amount. */
static void cash_back_has_its_amount_in_the_record(void)
{
    static const uint8_t gpo[] = "\x77\x25\x82\2\0\0\x9F\x36\2\0\1\x9F\x26\x08\1\2\3\4\5\6\7\x08\x9F\x10\5\0\0\0\0\x20"
                                 "\x57\7\x47\x61\x73\x90\x01\xD3\x01\x90";
    static const uint8_t types[] = { 0x00, 0x01, 0x09, 0x20 };
    for (unsigned i = 0; i < 2 * sizeof types; i++) {
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = of(gpo, sizeof gpo) };
        const uint64_t other = i % 2 != 0 ? 500 : 0;
        const uint8_t amount[] = { 0, 0, 0, 0, (uint8_t)(other != 0 ? 5 : 0), 0 };
        struct cemv_tlv object;
        open_kernel();
        kernel.transaction.type = types[i / 2], kernel.transaction.amount_other = other;
        property(cemv_store_put(&kernel.store, CEMV_SLOT_9F03, of(amount, 6), CEMV_FROM_TERMINAL), "room", i);
        kernel.pdol.size = 2;
        property(cemv_store_keep(&kernel.store, BYTES("\x9C\1"), &kernel.pdol), "room", i);
        cemv_kernel_3.start(&kernel);
        cemv_kernel_3.reply(&kernel, &reply);
        const bool found =
            cemv_tlv_find(of(kernel.out.records, kernel.out.record_size), CEMV_TAG_9F03_AMOUNT_OTHER, &object);
        property(kernel.out.finished && kernel.out.record_size != 0, "a data record", i);
        property(found == (types[i / 2] == 0x09 || other != 0), "its amount of a cash back", i);
        if (found) property(cemv_bytes_equal(object.value, of(amount, 6)), "as it is", i);
    }
}

/* Book 3, 10.3 and Annex B1: a record of file 11 with a template after filler is read, and hashed completely; any other
 * record is skipped, and one that begins like a template but is malformed ends the application. */
static void kernel_3_reads_templates_behind_filler(void)
{
    static const struct {
        const char *record;
        size_t size;
        bool read, ends;
    } cases[] = {
        { "\x70\4\x57\2\x12\xD0\x90\0", 8, true, false },
        { "\0\x70\4\x57\2\x12\xD0\x90\0", 9, true, false },
        { "\xFF\0\x70\4\x57\2\x12\xD0\0\x90\0", 11, true, false },
        { "\x71\4\x57\2\x12\xD0\x90\0", 8, false, false },
        { "\0\x71\4\x57\2\x12\xD0\x90\0", 9, false, false },
        { "\0\x70\5\x57\2\x12\xD0\x90\0", 9, false, true },
        { "\0\0\x90\0", 4, false, false },
    };
    for (unsigned i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        uint8_t gpo[] = "\x77\x0A\x82\2\0\0\x94\4\x58\1\1\0\x90";
        struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = of(gpo, sizeof gpo) };
        cemv_bytes pieces[CEMV_STORE_SPANS];
        const bool is_signed = i % 2 != 0;
        gpo[11] = is_signed;
        open_kernel();
        cemv_kernel_3.start(&kernel);
        cemv_kernel_3.reply(&kernel, &reply);
        property(!kernel.out.finished && kernel.out.command[1] == 0xB2 && kernel.out.command[3] == 0x5C, "READ RECORD",
                 i);
        reply.bytes = of(cases[i / 2].record, cases[i / 2].size);
        cemv_kernel_3.reply(&kernel, &reply);
        property(cemv_store_has(&kernel.store, CEMV_SLOT_57) == cases[i / 2].read, "a template is read", i);
        property((kernel.out.ui_count == 0) == cases[i / 2].ends, "only a broken template is the end", i);
        if (!is_signed || !cases[i / 2].read) continue;
        property(cemv_store_signed(&kernel.store, pieces) == 1 &&
                     cemv_bytes_equal(pieces[0], of(cases[i / 2].record, cases[i / 2].size - 2)),
                 "and hashed whole", i);
    }
}

/* C-3, A.2, 9F5B: the number of the failed command of a script; from the fifteenth on it is fifteen. */
static void properties_of_script_results(void)
{
    for (unsigned failing = 1; failing < 22; failing++) {
        uint8_t answer[2 + 20 * 6] = { 0x71, 20 * 6 };
        for (size_t i = 0; i < 20; i++) memcpy(answer + 2 + 6 * i, "\x86\4\x84\x16\0\0", 6);
        open_kernel();
        property(cemv_store_keep(&kernel.store, of(answer, sizeof answer), &kernel.online), "room", 0);
        kernel.online.size = sizeof answer, kernel.online_response_present = true;
        cemv_kernel_3.start(&kernel);
        unsigned sent = 0;
        while (!kernel.out.finished && sent < 30) {
            const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE,
                                              .bytes = ++sent == failing ? BYTES("\x6A\x80") : BYTES("\x90\0") };
            property(kernel.out.step == CEMV_STEP_SEND && kernel.out.command[0] == 0x84, "a command of the script",
                     sent);
            cemv_kernel_3.reply(&kernel, &reply);
        }
        const uint8_t expected[] = {
            0x9F, 0x5B, 5, (uint8_t)(failing > 20 ? 0x20 : 0x10 + (failing < 15 ? failing : 15)), 0, 0, 0, 0
        };
        property(sent == (failing > 20 ? 20 : failing), "a script ends with the command that fails", failing);
        property(cemv_bytes_equal(of(kernel.out.records, kernel.out.discretionary_size), of(expected, sizeof expected)),
                 "its number is reported", failing);
    }
}

/* Book 3, E1 and E2; Book 4, 12.2.4: a script that cannot be read is not sent, and its result is 00 with the identifier
 * if that can be read; the scripts after it are performed. */
static void broken_script_is_not_performed(void)
{
#define GOOD       "\x72\6\x86\4\x84\x18\0\0"
#define COMMAND    "\x86\4\x84\x16\0\0"
#define IDENTIFIER "\x9F\x18\4\xA1\xA2\xA3\xA4"
    static const struct {
        const char *answer;
        size_t size;
        const char *result;
    } cases[] = {
        { "\x71\5\x86\3\x84\x16\0" GOOD, 15, "\0\0\0\0\0" },
        { "\x71\x08\x86\6\x84\xDA\0\0\5\0" GOOD, 18, "\0\0\0\0\0" },
        { "\x71\x08" COMMAND "\x86\4" GOOD, 18, "\0\0\0\0\0" },
        { "\x71\x0B" COMMAND "\x86\3\x84\x16\0" GOOD, 21, "\0\0\0\0\0" },
        { "\x71\x09" IDENTIFIER "\x86\4" GOOD, 19, "\0\xA1\xA2\xA3\xA4" },
        { "\x71\x0F" COMMAND IDENTIFIER "\x86\4" GOOD, 25, "\0\xA1\xA2\xA3\xA4" },
        { "\x71\x09\x86\4" IDENTIFIER GOOD, 19, "\0\0\0\0\0" },
        { "\x71\x07" IDENTIFIER GOOD, 17, "\x20\xA1\xA2\xA3\xA4" },
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t expected[3 + 10] = { 0x9F, 0x5B, 10, [8] = 0x20 };
        memcpy(expected + 3, cases[i].result, 5);
        open_kernel();
        property(cemv_store_keep(&kernel.store, of(cases[i].answer, cases[i].size), &kernel.online), "room", i);
        kernel.online.size = (uint16_t)cases[i].size, kernel.online_response_present = true;
        cemv_kernel_3.start(&kernel);
        property(!kernel.out.finished && kernel.out.command[1] == 0x18, "only the script behind it is sent", i);
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = BYTES("\x90\0") };
        cemv_kernel_3.reply(&kernel, &reply);
        property(kernel.out.finished && cemv_bytes_equal(of(kernel.out.records, kernel.out.discretionary_size),
                                                         of(expected, sizeof expected)),
                 "a broken script is not performed", i);
    }
#undef GOOD
#undef COMMAND
#undef IDENTIFIER
}

static void properties_of_no_state(void)
{
    for (unsigned type = 4; type < 256; type++) {
        property(k3_disposition((uint8_t)type, false, type & 1) == K3_DECLINE, "a cryptogram of no type is declined",
                 type);
        property(k3_disposition((uint8_t)type, true, type & 1) == (K3_ONLINE | K3_DECLINE),
                 "a cryptogram of no type is declined", type + 1000);
    }
#ifndef CEMV_TRAP_EDGES
    for (uint8_t state = 6; state < 16; state++) {
        static const struct cemv_kernel_row listed = { { 3 }, 1, &cemv_kernel_3, NULL };
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = BYTES("\x90\0") };
        open_kernel();
        kernel.row = &listed;
        kernel.out.state = state;
        kernel.out.step = CEMV_STEP_SEND;
        kernel.out.record_size = 3;
        cemv_kernel_3.reply(&kernel, &reply);
        property(kernel.out.finished && kernel.out.outcome.status == CEMV_OUTCOME_END_APPLICATION &&
                     kernel.out.outcome.reason == CEMV_REASON_INTERNAL && kernel.out.record_size == 0,
                 "an invalid state fails safe", state);
    }
#endif
}

/* ---- random numbers (attacks.md, A21), the link's time ---- */

/* Drawn bytes are erased from the pool, whatever number of bytes is left in it. */
static void drawn_numbers_leave_the_pool(void)
{
    uint8_t given[CEMV_RANDOM_POOL + 8];
    for (size_t i = 0; i < sizeof given; i++) given[i] = (uint8_t)(i + 1);
    for (size_t size = 0; size <= sizeof given; size++) {
        struct cemv_random random = { .size = 0 };
        uint8_t number[4];
        cemv_random_fill(&random, of(given, size));
        const size_t held = size < CEMV_RANDOM_POOL ? size : CEMV_RANDOM_POOL;
        size_t drawn = 0;
        for (; cemv_random_draw(&random, number); drawn += 4) {
            property(memcmp(number, given + drawn, 4) == 0, "in order", (unsigned)size);
            for (size_t i = 0; i < drawn + 4; i++)
                property(random.pool[i] == 0, "nothing of it is left", (unsigned)size);
        }
        property(drawn == held / 4 * 4, "as many whole numbers as there are", (unsigned)size);
        uint8_t rest[8] = { 0 };
        property(cemv_random_take(&random, rest, sizeof rest) == held - drawn, "and what is left of them",
                 (unsigned)size);
        property(memcmp(rest, given + drawn, held - drawn) == 0, "byte by byte", (unsigned)size);
    }
}

/* A number is recognised while it is one of the last eight, however many were drawn. */
static void the_last_numbers_are_remembered(void)
{
    struct cemv_random random = { .size = 0 };
    for (unsigned count = 0; count < 60; count++) {
        for (unsigned back = 1; back <= count; back++) {
            struct cemv_random copy = random;
            const uint8_t number[4] = { 0xAA, 0, 0, (uint8_t)(count - back + 1) };
            property(cemv_random_seen(&copy, number) == (back <= CEMV_UN_MEMORY), "one of the last", count << 8 | back);
        }
        const uint8_t next[4] = { 0xAA, 0, 0, (uint8_t)(count + 1) };
        property(!cemv_random_seen(&random, next), "a new one", count);
    }
}

/* The link's own time is the reader's, if it was measured, or else the configured one; an unmeasured exchange counts
 * with the maximum time. */
static void the_links_time_is_not_the_cards(void)
{
    static struct cemv_reader_memory reader;
    for (unsigned which = 0; which < 8; which++) {
        const bool has_reader = which & 1, measured = which & 2, configured = which & 4;
        open_kernel();
        reader.link_latency_us = measured ? 300 : 0;
        kernel.transaction.reader = has_reader ? &reader : NULL;
        combination.own_protection = true;
        combination.protection.relay_latency_us = configured ? 500 : 0;
        const uint32_t latency = has_reader && measured ? 300 : configured ? 500 : 0;
        const uint32_t times[] = { 1, 299, 300, 301, 499, 500, 501, 5000, UINT32_MAX };
        for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
            property(cemv_relay_elapsed_us(&kernel, times[i]) == (times[i] > latency ? times[i] - latency : 0),
                     "what is the card's", which << 4 | (unsigned)i);
        property(cemv_relay_elapsed_us(&kernel, 0) == UINT32_MAX - latency, "an unmeasured time", which);
    }
    combination.own_protection = false;
}

void properties_of_kernels(void)
{
    PART(properties_of_ends);
    PART(properties_of_records);
    PART(properties_of_fci);
    PART(malformed_fci_has_no_pdol);
    PART(properties_of_format_1);
    PART(properties_of_track_1);
    PART(properties_of_accounts);
    PART(properties_of_ca_keys);
    PART(properties_of_stripped_profiles);
    PART(properties_of_work);
    PART(properties_of_absent_pairs);
    PART(brands_refuse_impossible_accounts);
    PART(kernel_3_reports_lost_online_pin);
    PART(kernel_3_reads_templates_behind_filler);
    PART(cash_back_has_its_amount_in_the_record);
    PART(properties_of_script_results);
    PART(broken_script_is_not_performed);
    PART(properties_of_no_state);
    PART(drawn_numbers_leave_the_pool);
    PART(the_last_numbers_are_remembered);
    PART(the_links_time_is_not_the_cards);
}
