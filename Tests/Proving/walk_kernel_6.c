/* SPDX-License-Identifier: Apache-2.0 */
/* The walk of Kernel 6: the responses of its cards, its readers, and the invariants that hold with any card (Book C-6
 * v2.6). No signature here verifies, so nothing is approved. kernel_walk.c has the common part of walks. */
#include "kernel_walk.h"

#include <string.h>

#include "../../Sources/CEMV/include/cemv_kernel_6.h"
#include "../../Sources/CEMV/kernels/k6/k6_memory.h"

#define NAME    "8407A0000001523010A5"
#define LABEL   "5005442D504153"
#define EIGHT   "9F66049F02069F03069F1A025F2A029A039C01"
#define ALL     "820219009F360200159F10080115208000000000"
#define AC      "9F2608B2EC180414DFA51A"
#define TRACK_2 "57116011000990139424D30122010000012345"
#define RECORD  TRACK_2 "5F3401009F0702FFC05F280202765F25032001019F08020001"
static const char *const responses[] = {
    "",
    "9000",
    "6985",
    "6986",
    "6982",
    "7700FF9000",
    "6F2D840E325041592E5359532E4444463031A51BBF0C1861164F07A00000015230105008444953434F564552870101BF0C9000",
    "6F23840E325041592E5359532E4444463031A511BF0C0E610C4F07A00000015230108701019000",
    /* FCI: EMV Mode; both modes; without the number; without a list; no name; MS Mode alone */
    "6F*" NAME "20" LABEL "9F3816" EIGHT "9F3704",
    "6F*" NAME "28" LABEL "9F3816" EIGHT "9F3704BF0C059F7D020100",
    "6F*" NAME "1D" LABEL "9F3813" EIGHT,
    "6F*" NAME "07" LABEL,
    "6F*A509" LABEL "9F3800",
    "6F*" NAME "069F38039F3704",
    /* GPO: ARQC; with an update; with a PIN; with a signature; a device; with records; AAC; without 9F71; a TC with
     * records and with CPR to go online or elsewhere; MS Mode; malformed locators */
    "77*" ALL AC "9F2701809F71020000" RECORD,
    "77*" ALL AC "9F2701809F71020010" RECORD,
    "77*" ALL AC "9F2701809F71028000" RECORD,
    "77*" ALL AC "9F2701809F71024001" RECORD,
    "77*" ALL AC "9F2701809F71021000" RECORD,
    "77*" ALL AC "9F2701809F7102000094080801010010010100",
    "77*" ALL AC "9F2701009F71020000" RECORD,
    "77*" ALL AC "9F270180" RECORD,
    "77*" ALL "9F2701409F710200009F4B0411223344940408010101",
    "77*" ALL "9F2701409F710200409F4B0411223344940408010101",
    "77*" ALL "9F2701409F710200209F4B0411223344940408010101",
    "77*82021900940808010100E0010100",
    "77*82021900940408020100",
    "77*820219009400",
    /* records: a card's; expired; no date; the dynamic value; twice */
    "70*" RECORD,
    "70*57116011000990139424D20122010000012345",
    "70*57116011000990139424D30132010000012345",
    "70*57136011000990139424D301220100000123450F9F7E020123",
    "70*9F4A01829F4A0182",
    "71*DF1001125A",
};

static const uint8_t one_command[] = { 0x72, 0x0F, 0x86, 0x0D, 0x84, 0x1E, 0, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8 };
static const uint8_t two_commands[] = { 0x8A, 2,    '0', '0',  0x71, 0x12, 0x86, 7,    0x84, 0x18, 0, 0,
                                        2,    0xAA, 1,   0x86, 7,    0x84, 0xDA, 0x9F, 0x53, 2,    0, 1 };
static const uint8_t two_templates[] = { 0x71, 7, 0x86, 5, 0x84, 0x18, 0, 0, 0, 0x72, 7, 0x86, 5, 0x84, 0x18, 0, 0, 0 };
static const uint8_t unknown_command[] = { 0x72, 7, 0x86, 5, 0x84, 0x24, 0, 0, 0 };
static const uint8_t authentication[] = { 0x91, 8, 1, 2, 3, 4, 5, 6, 7, 8 };
static const uint8_t no_digits[] = { 0xFF, 0xFF, 0xFF, 0xFF }, digits[] = { 0, 0, 0, 9 };
static const struct cemv_reply replies[] = {
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, one_command),
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, two_commands),
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, two_templates),
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, unknown_command),
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, authentication),
    { .kind = CEMV_REPLY_ONLINE, .unable_to_go_online = true },
    KERNEL_WALK_REPLY(CEMV_REPLY_DATA, no_digits),
    KERNEL_WALK_REPLY(CEMV_REPLY_DATA, digits),
    { .kind = CEMV_REPLY_DEADLINE },
};

/* Besides SELECT only these are sent: GET PROCESSING OPTIONS, READ RECORD, and the issuer's commands. */
static bool sends_what_it_may(const struct cemv_session *session)
{
    const cemv_bytes command = cemv_session_command(session);
    if (cemv_session_step(session) != CEMV_STEP_SEND || command.size < 4) return true;
    switch (session->kernel_active ? session->kernel.out.state : 0) {
    case K6_WAIT_GPO: return memcmp(command.data, "\x80\xA8\0\0", 4) == 0;
    case K6_WAIT_RECORD: return command.data[0] == 0 && command.data[1] == 0xB2;
    case K6_WAIT_SCRIPT: return session->entry.answered && command.data[0] == 0x84;
    default: return command.data[1] == 0xA4;
    }
}

static const char *violation(const struct cemv_session *session)
{
    static const uint32_t sale[] = { 0x9F02, 0x9F33, 0x9F1A, 0x9F35, 0x9A, 0x9C, 0x5F2A };
    static const uint32_t emv[] = { 0x82, 0x9F36, 0x9F10, 0x9F37, 0x95, 0x9B, 0x9F27, 0x84 };
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    const bool parked = cemv_session_step(session) == CEMV_STEP_PARKED;
    if (!sends_what_it_may(session)) return "a command that the kernel does not know";
    if (!parked && cemv_session_step(session) != CEMV_STEP_DONE) return NULL;
    if (outcome.kernel_id_size == 0) return NULL;
    if (outcome.status == CEMV_OUTCOME_APPROVED) return "no approval without a signature";
    const bool decided = outcome.status == CEMV_OUTCOME_ONLINE_REQUEST || outcome.status == CEMV_OUTCOME_DECLINED;
    if (outcome.data_record_present != decided) return "a record with a decision, and with nothing else";
    if (outcome.receipt != (outcome.cvm == CEMV_CVM_SIGNATURE)) return "a receipt to sign";
    if (parked && outcome.start != CEMV_START_B) return "the card comes back for an update";
    if (outcome.discretionary_present && (outcome.status != CEMV_OUTCOME_END_APPLICATION || !session->entry.answered))
        return "results go out with the update alone";
    for (size_t i = 0; decided && i < sizeof sale / sizeof sale[0]; i++)
        if (!kernel_walk_record_has(session, sale[i])) return "the sale is in every record";
    if (outcome.status != CEMV_OUTCOME_ONLINE_REQUEST) return NULL;
    if (outcome.cvm == CEMV_CVM_NA) /* MS Mode */
        return kernel_walk_record_has(session, 0x57) && !kernel_walk_record_has(session, 0x9F26)
                 ? NULL
                 : "tracks, and no cryptogram";
    for (size_t i = 0; i < sizeof emv / sizeof emv[0]; i++)
        if (!kernel_walk_record_has(session, emv[i])) return "an online request has all that it must have";
    return NULL;
}

enum { READERS = 5 };
static const uint8_t aid[] = { 0xA0, 0, 0, 1, 0x52, 0x30, 0x10 };
static const uint8_t terminal[] = { 0x9F, 0x09, 2,    0,    1,   0x9F, 0x1A, 2,   0x02, 0x76, 0x9F,
                                    0x1E, 8,    '1',  '2',  '3', '4',  '5',  '6', '7',  '8',  0x9F,
                                    0x33, 3,    0xE0, 0xB8, 8,   0x9F, 0x35, 1,   0x22 };
static const uint8_t listed[] = { 0x60, 0x11, 0x00, 0x09, 0x90, 0x13, 0x94, 0x24 };
static const struct cemv_transaction sales[] = { { .amount = 1000 }, { .amount = 12000 }, { .amount = 40000 } };

static void prepare(struct kernel_walk_reader *own, unsigned reader, uint8_t profile)
{
    static const uint8_t ttqs[READERS][4] = {
        { 0x36, 0, 0xC0, 0 }, { 0xB6, 0, 0xC0, 0 }, { 0x80, 0, 0, 0 }, { 0x2C, 0, 0x40, 0 }, { 0x22, 0, 0x80, 0 }
    };
    static const struct cemv_kernel_6_options options[READERS] = {
        [3] = { .other_interfaces = CEMV_KERNEL_6_NO_INTERFACE }, [4] = { .one_presentment = true }
    };
    (void)profile;
    own->row.ttq = (cemv_bytes){ ttqs[reader], 4 };
    own->row.options = &options[reader];
}

int walk_kernel_6(void)
{
    static const struct kernel_walk_plan plan = {
        .kernel = { { 6 }, 1, &cemv_kernel_6, NULL },
        .aid = { aid, sizeof aid },
        .terminal_data = { terminal, sizeof terminal },
        .exception = { .pan = { listed, sizeof listed }, .sequence = 7 },
        .setup = { .sales = sales,
                   .sale_count = KERNEL_WALK_COUNT(sales),
                   .responses = responses,
                   .response_count = KERNEL_WALK_COUNT(responses),
                   .replies = replies,
                   .reply_count = KERNEL_WALK_COUNT(replies),
                   .random = { no_digits, sizeof no_digits },
                   .violation = violation },
        .readers = READERS,
        .prepare = prepare,
    };
    return kernel_walk_all(&plan);
}
