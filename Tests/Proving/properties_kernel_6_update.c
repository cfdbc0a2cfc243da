/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 6's second presentment: whether it is the first card, and which commands of the issuer's script
 * are sent. */
#include "../../Sources/CEMV/kernels/k6/k6.h"
#include "kernel_6_reader.h"

/* Runs up to the first command of the script `answer_online`, after the FCI `second`. */
static void update(uint8_t profile, cemv_bytes second, cemv_bytes answer_online)
{
    open_reader(profile);
    ttq[2] = 0xC0;
    const struct cemv_outcome outcome = outcome_of_arqc("\0\x10", 0x20, of(NULL, 0));
    property(outcome.start == CEMV_START_B && outcome.online_response == CEMV_ONLINE_RESPONSE_EMV_DATA &&
                 cemv_session_step(session) == CEMV_STEP_PARKED,
             "an update is offered", outcome.start);
    property(outcome.ui_on_outcome.status == CEMV_UI_STATUS_NA, "with no status (B.3)", outcome.ui_on_outcome.status);
    say(CEMV_REPLY_ONLINE, answer_online);
    say(CEMV_REPLY_CARD, of(NULL, 0));
    answer(second);
    if (cemv_session_step(session) == CEMV_STEP_ASK) say(CEMV_REPLY_DATA, BYTES("\5\6\7\x08"));
}

/* Which names count as different; and that commands are passed on unchanged. */
static void properties_of_updates(void)
{
    static const struct {
        const char *given;
        uint8_t given_size;
        const char *sent;
        uint8_t sent_size;
    } scripts[] = {
        { "\x72\7\x86\5\x84\x18\0\0\0", 9, "\x84\x18\0\0\0", 5 },
        { "\x71\x08\x86\6\x84\xDA\x9F\x53\1\7", 10, "\x84\xDA\x9F\x53\1\7", 6 },
        { "\x72\x09\x86\7\x84\xDC\1\x0C\1\7\0", 11, "\x84\xDC\1\x0C\1\7\0", 7 },
        { "\x72\x09\x86\7\x84\x1E\0\0\1\7\x10", 11, "\x84\x1E\0\0\1\7\x10", 7 },
    };
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        update(CEMV_PROFILE_BOOK, BYTES(emv_fci), of(scripts[i].given, scripts[i].given_size));
        property(cemv_session_step(session) == CEMV_STEP_SEND &&
                     cemv_bytes_equal(cemv_session_command(session), of(scripts[i].sent, scripts[i].sent_size)),
                 "a command is passed on as it is", (unsigned)i);
    }
    static const char longer[] = "\x6F\x2F\x84\x08\xA0\0\0\1\x52\x30\x10\0\xA5\x23\x50\5D-PAS\x9F\x38\x16"
                                 "\x9F\x66\4\x9F\2\6\x9F\3\6\x9F\x1A\2\x5F\x2A\2\x9A\3\x9C\1\x9F\x37\4\x5F\x2D\0"
                                 "\x90\0";
    update(CEMV_PROFILE_GUARDED, BYTES(longer), of(scripts[0].given, scripts[0].given_size));
    property(cemv_session_step(session) == CEMV_STEP_DONE, "a longer name is another one", 0);
    uint8_t fci[sizeof emv_fci - 1];
    memcpy(fci, emv_fci, sizeof fci);
    fci[10] = 0x11; /* the last byte of the name */
    for (uint8_t profile = CEMV_PROFILE_GUARDED; profile <= CEMV_PROFILE_STRICT; profile++) {
        update(profile, of(fci, sizeof fci), of(scripts[0].given, scripts[0].given_size));
        const bool book = profile == CEMV_PROFILE_BOOK;
        property((cemv_session_step(session) == CEMV_STEP_SEND) == book, "another name is another card", profile);
        if (book) answer(BYTES("\x90\0"));
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        property((outcome.findings >> CEMV_FINDING_DF_NAME_MISMATCH & 1u) != 0, "and is noticed", profile);
        property(outcome.reason == (book ? CEMV_REASON_KERNEL : CEMV_REASON_CARD_SWITCHED), "why it ended", profile);
        property(!outcome.data_record_present && !outcome.ui_on_outcome_present, "silently", profile);
    }
}

/* The issuer's answer as `template` with `size` bytes of `value`; at most four bytes of header. */
static cemv_bytes template_of(uint8_t template, const uint8_t *value, size_t size)
{
    static uint8_t bytes[CEMV_MAX_ISSUER_DATA + 64];
    size_t at = 0;
    bytes[at++] = template;
    if (size > 255) bytes[at++] = 0x82, bytes[at++] = (uint8_t)(size >> 8);
    else if (size > 127) bytes[at++] = 0x81;
    bytes[at++] = (uint8_t)size;
    memcpy(bytes + at, value, size);
    return of(bytes, at + size);
}

/* Answers all commands that are sent with 9000, and counts them. */
static unsigned commands_sent(void)
{
    unsigned count = 0;
    while (cemv_session_step(session) == CEMV_STEP_SEND && count < 100) {
        count++;
        answer(BYTES("\x90\0"));
    }
    return count;
}

static bool update_ended(uint8_t tvr_5, uint8_t tsi_1)
{
    const uint8_t tvr[5] = { 0x80, 0, 0, 0, tvr_5 }, tsi[2] = { tsi_1 };
    struct cemv_tlv found_tvr, found_tsi;
    const cemv_bytes discretionary = cemv_session_discretionary(session);
    return cemv_session_step(session) == CEMV_STEP_DONE &&
           cemv_session_outcome(session).status == CEMV_OUTCOME_END_APPLICATION &&
           cemv_tlv_find(discretionary, 0x95, &found_tvr) && cemv_tlv_find(discretionary, 0x9B, &found_tsi) &&
           cemv_bytes_equal(found_tvr.value, of(tvr, 5)) && cemv_bytes_equal(found_tsi.value, of(tsi, 2));
}

enum { SHORTEST = 7, TSI_BEFORE = 0x08, TSI_SENT = 0x1C, SCRIPT_FAILED = 0x20 };

static size_t put_commands(uint8_t *out, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        memcpy(out + (size_t)SHORTEST * i, (uint8_t[]){ 0x86, 5, 0x84, 0x18, 0, (uint8_t)i, 0 }, SHORTEST);
    return (size_t)SHORTEST * count;
}

/* Only the size of the issuer's answer limits the number of commands: as many as fit are sent, in order. An answer one
 * byte above the maximum is rejected. */
static void properties_of_many_commands(void)
{
    uint8_t script[CEMV_MAX_ISSUER_DATA + 64];
    for (unsigned count = 0; count * SHORTEST <= CEMV_MAX_ISSUER_DATA; count++) {
        const cemv_bytes given = template_of(count % 2 ? 0x71 : 0x72, script, put_commands(script, count));
        update(CEMV_PROFILE_GUARDED, BYTES(emv_fci), given);
        if (given.size > CEMV_MAX_ISSUER_DATA) continue;
        unsigned sent = 0;
        for (; cemv_session_step(session) == CEMV_STEP_SEND && sent < count; sent++) {
            property(cemv_session_command(session).data[3] == sent, "in their order", sent);
            answer(BYTES("\x90\0"));
        }
        property(sent == count && update_ended(0, count ? TSI_SENT : TSI_BEFORE), "every command, once", count);
    }
    for (size_t size = CEMV_MAX_ISSUER_DATA - 1; size <= CEMV_MAX_ISSUER_DATA + 1; size++) {
        const size_t header = 4, at = put_commands(script, 2), filler = size - header - at - 5;
        memset(script + at, 0, filler + 5);
        memcpy(script + at, "\xDF\1\x82", 3);
        script[at + 3] = (uint8_t)(filler >> 8);
        script[at + 4] = (uint8_t)filler;
        const cemv_bytes given = template_of(0x72, script, size - header);
        property(given.size == size, "a size", (unsigned)given.size);
        update(CEMV_PROFILE_BOOK, BYTES(emv_fci), given);
        if (size <= CEMV_MAX_ISSUER_DATA)
            property(commands_sent() == 2 && update_ended(0, TSI_SENT), "an answer that fits", (unsigned)size);
        else
            property(cemv_session_step(session) == CEMV_STEP_PARKED &&
                         cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST,
                     "an answer that is too long is not taken", (unsigned)size);
    }
}

/* One command of every size that an answer can hold, with every Lc near the correct one: it is sent unchanged, or
 * counts as failed and nothing is sent. */
static void properties_of_long_commands(void)
{
    uint8_t script[300];
    for (size_t size = 0; size <= 245; size++) {
        for (int off = -2; off <= 2; off++) {
            const size_t header = size > 127 ? 3 : 2;
            const bool is_command = size >= 5 && (off == 0 || off == -1) && !(size == 5 && off != 0);
            if ((int)size - 5 + off < 0 && size >= 5) continue;
            memset(script, 0, sizeof script);
            script[0] = 0x86;
            script[1] = header == 3 ? 0x81 : (uint8_t)size;
            script[header - 1] = (uint8_t)size;
            memcpy(script + header, (uint8_t[]){ 0x84, 0xDA, 0x9F, 0x53, (uint8_t)((int)size - 5 + off) },
                   size < 5 ? size : 5);
            update(CEMV_PROFILE_BOOK, BYTES(emv_fci), template_of(0x71, script, header + size));
            const cemv_bytes command = cemv_session_command(session);
            const bool sent = cemv_session_step(session) == CEMV_STEP_SEND;
            property(sent == is_command, "a command is whole", (unsigned)(size << 4 | (unsigned)(off + 2)));
            if (sent)
                property(command.size >= (size == 6 && off != 0 ? 5 : size) && /* then only Le follows the header */
                             memcmp(command.data, script + header, command.size < size ? 5 : size) == 0,
                         "and as it is", (unsigned)size);
            property(commands_sent() == (unsigned)sent &&
                         update_ended(sent ? 0 : SCRIPT_FAILED, sent ? TSI_SENT : TSI_BEFORE),
                     "or counts as failed", (unsigned)size);
        }
    }
    struct cemv_command none;
    property(!k6_script_command(of(NULL, 0), &none), "nothing is no command", 0);
}

/* A script that is cut anywhere: after a whole command it is just shorter, inside a command nothing is sent; an answer
 * that is itself cut counts as an answer without data. Commands outside a template are ignored. */
static void properties_of_cut_scripts(void)
{
    uint8_t script[64];
    const size_t whole = put_commands(script, 3);
    for (uint8_t template = 0x71; template <= 0x72; template ++) {
        for (size_t size = 0; size <= whole; size++) {
            const bool sound = size % SHORTEST == 0;
            update(CEMV_PROFILE_BOOK, BYTES(emv_fci), template_of(template, script, size));
            const unsigned sent = commands_sent();
            property(sent == (sound ? size / SHORTEST : 0), "whole commands of a whole script", (unsigned)size);
            property(update_ended(sound ? 0 : SCRIPT_FAILED, sent ? TSI_SENT : TSI_BEFORE), "a cut one failed",
                     (unsigned)size);
        }
        const cemv_bytes given = template_of(template, script, whole);
        for (size_t size = 0; size < given.size; size++) {
            update(CEMV_PROFILE_BOOK, BYTES(emv_fci), of(given.data, size));
            property(commands_sent() == 0 && cemv_session_outcome(session).status == CEMV_OUTCOME_ONLINE_REQUEST,
                     "a cut answer", (unsigned)size);
        }
        uint8_t stray[64];
        memcpy(stray, given.data, given.size);
        const size_t more = put_commands(stray + given.size, 1);
        update(CEMV_PROFILE_BOOK, BYTES(emv_fci), of(stray, given.size + more));
        property(commands_sent() == 3 && update_ended(0, TSI_SENT), "a command outside a template", template);
    }
}

/* An FCI of EMV Mode with a name of `size` bytes, the last of them `last`. */
static size_t fci_named(uint8_t *out, uint8_t size, uint8_t last)
{
    enum { NAME_AT = 4, OTHERS = 11 };
    const size_t behind = sizeof emv_fci - 1 - OTHERS;
    memset(out + NAME_AT, 0x10, size);
    memcpy(out, emv_fci, OTHERS);
    memcpy(out + NAME_AT + size, emv_fci + OTHERS, behind);
    out[1] = (uint8_t)(size + behind);
    out[3] = size;
    out[NAME_AT + size - 1] = last;
    return NAME_AT + size + behind;
}

/* Names of the maximum length, and longer: the card that comes back is compared in all 16 bytes (attacks.md, A29). */
static void properties_of_long_names(void)
{
    static const struct {
        uint8_t first, size, last;
        bool same;
    } names[] = { { 15, 15, 7, true },  { 15, 15, 8, false }, { 16, 16, 7, true },
                  { 16, 16, 8, false }, { 17, 17, 7, true },  { 17, 16, 0x10, false } };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint8_t first[80], second[80];
        open_reader(CEMV_PROFILE_GUARDED);
        ttq[2] = 0xC0;
        select_card(BYTES("\1\2\3\4"), of(first, fci_named(first, names[i].first, 7)));
        answer_arqc("\0\x10", 0x20, of(NULL, 0));
        property(cemv_session_step(session) == CEMV_STEP_PARKED, "an update is offered", (unsigned)i);
        say(CEMV_REPLY_ONLINE, BYTES("\x72\7\x86\5\x84\x18\0\0\0"));
        say(CEMV_REPLY_CARD, of(NULL, 0));
        answer(of(second, fci_named(second, names[i].size, names[i].last)));
        if (cemv_session_step(session) == CEMV_STEP_ASK) say(CEMV_REPLY_DATA, BYTES("\5\6\7\x08"));
        property((cemv_session_step(session) == CEMV_STEP_SEND) == names[i].same, "the same card", (unsigned)i);
        if (!names[i].same)
            property(cemv_session_outcome(session).reason == CEMV_REASON_CARD_SWITCHED, "or another", (unsigned)i);
    }
}

/* A second presentment that fails, and is repeated without the issuer's answer, does not start a second transaction
 * (3.10). */
static void properties_of_broken_updates(void)
{
    update(CEMV_PROFILE_BOOK, BYTES(emv_fci), BYTES("\x72\7\x86\5\x84\x18\0\0\0"));
    property(cemv_session_step(session) == CEMV_STEP_SEND, "a command", 0);
    session->kernel.out.state = 0;
    property(cemv_kernel_6.start(&session->kernel) == CEMV_STEP_SEND && session->kernel.out.state == K6_WAIT_SCRIPT,
             "with the answer it begins again", 0);
    session->kernel.online_response_present = false;
    session->kernel.out.state = 0;
    property(cemv_kernel_6.start(&session->kernel) != CEMV_STEP_SEND && session->kernel.out.finished, "nothing is sent",
             0);
    property(session->kernel.out.outcome.status == CEMV_OUTCOME_END_APPLICATION && session->kernel.out.record_size == 0,
             "no second sale", 0);
}

void properties_of_kernel_6_update(void)
{
    PART(properties_of_updates);
    PART(properties_of_many_commands);
    PART(properties_of_long_commands);
    PART(properties_of_cut_scripts);
    PART(properties_of_long_names);
    PART(properties_of_broken_updates);
}
