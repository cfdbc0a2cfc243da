/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 6's MS Mode: which readers and cards use it, its number, its tracks. */
#include "kernel_6_reader.h"

#define SIZED(text) (text), sizeof(text) - 1

static const char ms_fci[] = "\x6F\x11\x84\7\xA0\0\0\1\x52\x30\x10\xA5\6\x9F\x38\3\x9F\x37\4\x90\0";

/* MS Mode has no issuer update, even if its answers request one; nor does its record have any other object of an EMV
 * card. */
static void properties_of_tracks_alone(void)
{
    static const char fci[] = "\x6F\x11\x84\7\xA0\0\0\1\x52\x30\x10\xA5\6\x9F\x38\3\x9F\x37\4\x90\0";
    open_reader(CEMV_PROFILE_BOOK);
    ttq[0] = 0x90;
    ttq[2] = 0xC0;
    select_card(BYTES("\0\0\0\1"), BYTES(fci));
    answer(BYTES("\x77\x0F\x82\2\x19\0\x9F\x71\2\0\x10\x94\4\x08\1\1\0\x90\0"));
    answer(BYTES("\x70\x12\x57\x10\x60\x11\0\x09\x90\x13\x94\x24\xD3\x01\x22\1\0\0\x01\x23\x90\0"));
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    property(outcome.status == CEMV_OUTCOME_ONLINE_REQUEST && outcome.start == CEMV_START_NA &&
                 outcome.cvm == CEMV_CVM_NA,
             "tracks go online, once", outcome.start);
    property(outcome.findings == 0, "a reader of tracks alone has no better mode", outcome.findings);
    property(!record_is(0x9F71, BYTES("\0\x10")) &&
                 record_is(0x57, BYTES("\x60\x11\0\x09\x90\x13\x94\x24\xD3\x01\x22\1\0\0\x01"
                                       "\x23")),
             "and tracks alone", 0);
}

static void properties_of_digits(void)
{
    /* The pool is empty: random bytes are requested until they give digits. */
    open_reader(CEMV_PROFILE_BOOK);
    ttq[0] = 0x90;
    select_card(BYTES("\xFF\xFF\xFF\xFF"), BYTES(ms_fci));
    property(cemv_session_step(session) == CEMV_STEP_ASK && cemv_session_question(session).kind == CEMV_ASK_RANDOM,
             "what gives no digits is drawn again", cemv_session_step(session));
    property(say(CEMV_REPLY_DATA, BYTES("\xFF\xFF\xFF\xFE")) == CEMV_STEP_ASK, "and again", 0);
    property(say(CEMV_REPLY_DATA, BYTES("\xFF\xFF\xFF\xFE\0\0\0\x2A")) == CEMV_STEP_SEND, "until it does", 0);
    const cemv_bytes command = cemv_session_command(session);
    property(cemv_bytes_equal(command, BYTES("\x80\xA8\0\0\6\x83\4\0\0\0\x42\0")), "digits go out",
             (unsigned)command.size);

    open_reader(CEMV_PROFILE_BOOK);
    ttq[0] = 0x90;
    select_card(BYTES("\xFF\xFF\xFF\xFF"), BYTES(ms_fci));
    property(say(CEMV_REPLY_DATA, BYTES("\1\2\3")) == CEMV_STEP_DONE &&
                 says(cemv_session_outcome(session), CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_RANDOM, CEMV_L2_OK, 0),
             "without random bytes it ends", cemv_session_outcome(session).reason);
    open_reader(CEMV_PROFILE_BOOK);
    ttq[0] = 0x90;
    select_card(BYTES("\xFF\xFF\xFF\xFF"), BYTES(ms_fci));
    property(say(CEMV_REPLY_DEADLINE, of(NULL, 0)) == CEMV_STEP_DONE &&
                 says(cemv_session_outcome(session), CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_RANDOM, CEMV_L2_OK, 0),
             "nor does it wait for them", 0);
}

/* Whether MS Mode is on: the configuration decides, then the protection. */
static void properties_of_modes(void)
{
    static const struct {
        uint8_t profile, magstripe, ttq, mode;
        bool sends;
    } readers[] = {
        { CEMV_PROFILE_BOOK, 0, 0x90, CEMV_KERNEL_6_MODE_AUTO, true },
        { CEMV_PROFILE_BOOK, CEMV_RULE_OFF, 0x90, CEMV_KERNEL_6_MODE_AUTO, false },
        { CEMV_PROFILE_GUARDED, CEMV_RULE_OFF, 0x90, CEMV_KERNEL_6_MODE_AUTO, false },
        { CEMV_PROFILE_STRICT, 0, 0x90, CEMV_KERNEL_6_MODE_AUTO, true },
        { CEMV_PROFILE_BOOK, 0, 0xB0, CEMV_KERNEL_6_MODE_AUTO, false },
        { CEMV_PROFILE_BOOK, 0, 0xB0, CEMV_KERNEL_6_MODE_MS, true },
        { CEMV_PROFILE_BOOK, 0, 0x30, CEMV_KERNEL_6_MODE_LEGACY, true },
        { CEMV_PROFILE_BOOK, 0, 0x90, CEMV_KERNEL_6_MODE_EMV, false },
    };
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        open_reader(readers[i].profile);
        configuration.protection.magstripe = readers[i].magstripe;
        options.mode = readers[i].mode;
        ttq[0] = readers[i].ttq;
        select_card(BYTES("\0\0\0\1"), BYTES(ms_fci));
        property((cemv_session_step(session) == CEMV_STEP_SEND) == readers[i].sends, "MS Mode where it is on",
                 (unsigned)i);
        if (!readers[i].sends)
            property(cemv_be16(cemv_session_outcome(session).error_indication + 3) == 0, "or no status of a card", i);
    }
}

/* A card that offers both modes: the unpredictable number shows which one was chosen; it consists of digits, or is used
 * as drawn. */
static void properties_of_both_modes(void)
{
    static const char both[] =
        "\x6F\x33\x84\7\xA0\0\0\1\x52\x30\x10\xA5\x28\x50\5D-PAS\x9F\x38\x16"
        "\x9F\x66\4\x9F\2\6\x9F\3\6\x9F\x1A\2\x5F\x2A\2\x9A\3\x9C\1\x9F\x37\4\xBF\x0C\5\x9F\x7D\2"
        "\1\0\x90\0";
    static const struct {
        uint8_t profile, ttq, mode, rule;
        bool own, digits;
    } readers[] = {
        { CEMV_PROFILE_BOOK, 0xB6, CEMV_KERNEL_6_MODE_AUTO, 0, false, true },
        { CEMV_PROFILE_BOOK, 0x36, CEMV_KERNEL_6_MODE_AUTO, 0, false, false },
        { CEMV_PROFILE_BOOK, 0xB6, CEMV_KERNEL_6_MODE_EMV, 0, false, false },
        { CEMV_PROFILE_GUARDED, 0xB6, CEMV_KERNEL_6_MODE_AUTO, 0, false, true },
        { CEMV_PROFILE_GUARDED, 0xB6, CEMV_KERNEL_6_MODE_AUTO, CEMV_RULE_OFF, false, false },
        { CEMV_PROFILE_STRICT, 0xB6, CEMV_KERNEL_6_MODE_AUTO, 0, false, false },
        { CEMV_PROFILE_STRICT, 0xB6, CEMV_KERNEL_6_MODE_AUTO, CEMV_RULE_ENFORCE, false, false },
        { CEMV_PROFILE_STRICT, 0xB6, CEMV_KERNEL_6_MODE_AUTO, CEMV_RULE_ENFORCE, true, true },
        { CEMV_PROFILE_STRICT, 0xB6, CEMV_KERNEL_6_MODE_AUTO, 0, true, false },
    };
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        open_reader(readers[i].profile);
        configuration.protection.magstripe = readers[i].rule;
        row.own_protection = readers[i].own;
        row.protection = configuration.protection;
        options.mode = readers[i].mode;
        ttq[0] = readers[i].ttq;
        select_card(BYTES("\0\0\0\x0C"), BYTES(both));
        const cemv_bytes command = cemv_session_command(session);
        property(cemv_session_step(session) == CEMV_STEP_SEND && command.size == 36 &&
                     command.data[34] == (readers[i].digits ? 0x12 : 0x0C),
                 "MS Mode where both have it and it is on", (unsigned)i);
        if (readers[i].digits) {
            answer(BYTES("\x77\x0A\x82\2\x19\0\x94\4\x08\1\1\0\x90\0"));
            answer(BYTES("\x70\x12\x57\x10" TRACK_2_OF_LAWS "\x90\0"));
        } else answer(BYTES("\x6A\x80"));
        property((cemv_session_outcome(session).findings >> CEMV_FINDING_MODE_DOWNGRADE & 1u) == readers[i].digits,
                 "the weaker mode is noticed (A27)", (unsigned)i);
    }
}

/* Track 1 only where the configuration says it is. */
static void properties_of_track_1(void)
{
    open_reader(CEMV_PROFILE_BOOK);
    options.track_1_tag = 0xDF62;
    select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
    answer(BYTES(arqc_with_records));
    answer(BYTES("\x70\x1A\x57\x10" TRACK_2_OF_LAWS "\xDF\x62\1\x42\xDF\x62\1\x42\x90\0"));
    property(cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST, "EMV Mode knows no Track 1", 0);
    static const char gpo[] = "\x77\x0A\x82\2\x19\0\x94\4\x08\1\1\0\x90\0";
    static const struct {
        uint32_t tag;
        const char *record;
        size_t size;
        const char *track_1;
    } cards[] = {
        { 0x56, SIZED("\x70\x17\x57\x10" TRACK_2_OF_LAWS "\x56\3\x42\x31\x5E\x90\0"), "\x42\x31\x5E" },
        { 0xDF62, SIZED("\x70\x12\x57\x10" TRACK_2_OF_LAWS "\x90\0"), NULL },
        { 0xDF62, SIZED("\x70\x15\x57\x10" TRACK_2_OF_LAWS "\xDF\x62\0\x90\0"), NULL },
        { 0xDF62, SIZED("\x70\x17\x57\x10" TRACK_2_OF_LAWS "\x56\3\x42\x31\x5E\x90\0"), NULL },
        { 0xDF62, SIZED("\x70\x1B\x57\x10" TRACK_2_OF_LAWS "\xDF\x62\0\xDF\x62\3\x42\x31\x5E\x90\0"), "\x42\x31\x5E" },
        { 0xDF62, SIZED("\x70\x1B\x57\x10" TRACK_2_OF_LAWS "\xDF\x62\3\x42\x31\x5E\xDF\x62\0\x90\0"), "\x42\x31\x5E" },
        { 0xDF62, SIZED("\x70\x16\x57\x10" TRACK_2_OF_LAWS "\xDF\x62\1\x42\x90\0"), "\x42" },
        { 0x56, SIZED("\x70\x15\x57\x10" TRACK_2_OF_LAWS "\x56\1\x42\x90\0"), "\x42" },
    };
    for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++) {
        struct cemv_tlv object;
        open_reader(CEMV_PROFILE_BOOK);
        ttq[0] = 0x90;
        options.track_1_tag = cards[i].tag;
        select_card(BYTES("\0\0\0\1"), BYTES(ms_fci));
        answer(BYTES(gpo));
        answer(of(cards[i].record, cards[i].size));
        property(cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST, "tracks go online", (unsigned)i);
        property(cards[i].track_1 ? record_is(cards[i].tag, of(cards[i].track_1, strlen(cards[i].track_1)))
                                  : !cemv_tlv_find(cemv_session_data_record(session), cards[i].tag, &object),
                 "with Track 1 where the card has one", (unsigned)i);
        property(cards[i].tag == 0x56 || !cemv_tlv_find(cemv_session_data_record(session), 0x56, &object),
                 "and of no other object", (unsigned)i);
    }
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_BOOK; profile++) {
        open_reader(profile);
        ttq[0] = 0x90;
        select_card(BYTES("\0\0\0\1"), BYTES(ms_fci));
        answer(BYTES(gpo));
        answer(BYTES("\x70\x1C\x57\x10" TRACK_2_OF_LAWS "\x5A\x08\x60\x11\0\x09\x90\x13\x94\x32\x90\0"));
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        property(profile == CEMV_PROFILE_BOOK
                     ? outcome.status == CEMV_OUTCOME_ONLINE_REQUEST
                     : says(outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0),
                 "two accounts are one too many beyond the book (attacks.md, A17)", profile);
    }
}

/* attacks.md, A17 and A26: the outcome reports that no status word caused the end. */
static void properties_of_refusals(void)
{
    open_reader(CEMV_PROFILE_GUARDED);
    struct cemv_outcome outcome = outcome_of_arqc("\0\0", 0x20, BYTES("\x5A\x08\x60\x11\0\x09\x90\x13\x94\x32"));
    property(says(outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0),
             "two accounts", outcome.error_indication[1]);
    open_reader(CEMV_PROFILE_STRICT);
    ttq[0] = 0x90;
    select_card(BYTES("\0\0\0\1"), BYTES(ms_fci));
    answer(BYTES("\x77\x0A\x82\2\x19\0\x94\4\x08\1\1\0\x90\0"));
    answer(BYTES("\x70\x12\x57\x10" TRACK_2_OF_LAWS "\x90\0"));
    outcome = cemv_session_outcome(session);
    property(says(outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0),
             "a static track", outcome.error_indication[1]);
}

/* In MS Mode a name of any length changes nothing else: no Track 1 if the card has none. */
static void properties_of_long_names_in_ms_mode(void)
{
    uint8_t fci[96];
    for (uint8_t size = 7; size <= 48; size++) {
        struct cemv_tlv object;
        const size_t behind = sizeof ms_fci - 1 - 11;
        open_reader(CEMV_PROFILE_BOOK);
        ttq[0] = 0x90;
        memset(fci + 4, 0x11, size);
        memcpy(fci, ms_fci, 11);
        memcpy(fci + 4 + size, ms_fci + 11, behind);
        fci[1] = (uint8_t)(size + behind);
        fci[3] = size;
        select_card(BYTES("\0\0\0\1"), of(fci, 4 + size + behind));
        answer(BYTES("\x77\x0A\x82\2\x19\0\x94\4\x08\1\1\0\x90\0"));
        answer(BYTES("\x70\x12\x57\x10" TRACK_2_OF_LAWS "\x90\0"));
        property(cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST &&
                     record_is(0x57, BYTES(TRACK_2_OF_LAWS)) &&
                     !cemv_tlv_find(cemv_session_data_record(session), 0x56, &object),
                 "Track 2 alone", size);
    }
}

void properties_of_kernel_6_magstripe(void)
{
    PART(properties_of_tracks_alone);
    PART(properties_of_digits);
    PART(properties_of_modes);
    PART(properties_of_both_modes);
    PART(properties_of_track_1);
    PART(properties_of_refusals);
    PART(properties_of_long_names_in_ms_mode);
}
