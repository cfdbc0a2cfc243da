/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 6's dialogue where there is no trace: protection, findings, error indications of ends, the
 * record. Cards that follow the book are in Tests/Independent. */
#include "kernel_6_reader.h"

/* A Visa application that asks for this kernel. */
static const char asking[] = "\x6F\x24\x84\x0E"
                             "2PAY.SYS.DDF01\xA5\x12\xBF\x0C\x0F\x61\x0D\x4F\7\xA0\0\0\0\3\x10\x10\x9F\x2A\1\6\x90\0";

/* Byte 2 of the TTQ in the data of GET PROCESSING OPTIONS; 0xEE if another command is sent. */
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
        { CEMV_PROFILE_STRICT, CEMV_RULE_ENFORCE, 1, 0x00, true },
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

/* In `book` the kernel reports and continues; an active rule declines. */
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

/* A39: an unproven on-device verification, above the CVM limit, for an account of another network: Discover's below
 * Mastercard's name, where it is possible. */
static void claims_for_other_networks_are_not_believed_6(void)
{
    static const char mastercard[] =
        "\x6F\x24\x84\x0E"
        "2PAY.SYS.DDF01\xA5\x12\xBF\x0C\x0F\x61\x0D\x4F\7\xA0\0\0\0\4\x10\x10\x9F\x2A\1\6\x90\0";
    static const struct {
        uint8_t profile, brand_check, ttq_1; /* 36: PIN and contact; 32: contact; 22: neither */
        bool below;
        uint8_t status, cvm; /* of the other network's */
    } taps[] = {
        { CEMV_PROFILE_BOOK, 0, 0x36, false, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_CVM_CDCVM },
        { CEMV_PROFILE_GUARDED, 0, 0x36, false, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_CVM_ONLINE_PIN },
        { CEMV_PROFILE_GUARDED, 0, 0x32, false, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_CVM_NA },
        { CEMV_PROFILE_GUARDED, 0, 0x22, false, CEMV_OUTCOME_END_APPLICATION, CEMV_CVM_NA },
        { CEMV_PROFILE_GUARDED, CEMV_RULE_REPORT, 0x36, false, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_CVM_CDCVM },
        { CEMV_PROFILE_GUARDED, 0, 0x36, true, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_CVM_NONE },
    };
    for (unsigned i = 0; i < 2 * sizeof taps / sizeof taps[0]; i++) {
        const unsigned tap = i / 2;
        const bool others = i % 2 == 0, below = taps[tap].below;
        open_reader(taps[tap].profile);
        configuration.protection.brand_check = taps[tap].brand_check;
        if (taps[tap].ttq_1 == 0x22) options.other_interfaces = CEMV_KERNEL_6_NO_INTERFACE;
        ttq[0] = taps[tap].ttq_1;
        sale.amount = below ? 1000 : 12000;
        if (others) row.aid = BYTES("\xA0\0\0\0\4\x10\x10"), entries = BYTES(mastercard);
        const struct cemv_outcome outcome = outcome_of_arqc("\x10\0", 0x20, of(NULL, 0));
        const uint8_t own = below ? CEMV_CVM_NONE : CEMV_CVM_CDCVM;
        property(outcome.status == (others ? taps[tap].status : CEMV_OUTCOME_ONLINE_REQUEST), "a claim", i);
        property(outcome.cvm == (others ? taps[tap].cvm : own), "and its method", i);
        property((outcome.findings >> CEMV_FINDING_CDCVM_UNAUTHENTICATED & 1u) == !below, "is reported", i);
        property((outcome.findings >> CEMV_FINDING_BRAND_MISMATCH & 1u) == (others && !below),
                 "with the network where that counts", i);
    }
    open_reader(CEMV_PROFILE_STRICT);
    sale.amount = 12000, row.aid = BYTES("\xA0\0\0\0\4\x10\x10"), entries = BYTES(mastercard);
    property(outcome_of_arqc("\x10\0", 0x20, of(NULL, 0)).cvm == CEMV_CVM_ONLINE_PIN, "nor does strict believe one", 0);
    entries = BYTES(directory);
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

/* The higher limit is for a proven verification; an ARQC never proves one (attacks.md, A02). */
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

/* Outside profile `book` a TC without an expiry is declined; for an ARQC without one the issuer decides. */
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

/* Table 4-8, and 5F2A; no other object of the store. */
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

/* F3-6.14: if the card's PDOL names TVR and TSI, it gets their initial values. */
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

/* The outcome of a link fault, and that the next presentment starts from scratch. */
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

/* The reported reason of a decision in which a rule beyond the book takes part. */
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

/* A TC whose signature cannot be verified, and a locator that names a record twice. */
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
    body[sizeof body - 6] = 0x08; /* this file again */
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
    /* An unproven on-device verification where a signature was requested, between the limits. */
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
             "a device's word does not raise the limit (attacks.md, A02)", outcome.reason);
}

void properties_of_k6(void)
{
    PART(properties_of_offline);
    PART(properties_of_findings);
    PART(properties_of_notices);
    PART(claims_for_other_networks_are_not_believed_6);
    PART(properties_of_higher_limits);
    PART(properties_of_no_expiry);
    PART(properties_of_errors);
    PART(properties_of_results);
    PART(properties_of_records);
    PART(properties_of_reset_results);
    PART(properties_of_faults);
    PART(properties_of_reasons);
    PART(properties_of_signed_answers);
    PART(properties_of_oddities);
}
