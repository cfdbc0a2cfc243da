/* SPDX-License-Identifier: Apache-2.0 */
/* The walk of Kernel 3: the responses of its cards, its readers, and the invariants that hold with any card and any
 * issuer (Book C-3 v2.10). No signature here verifies, so only the issuer approves. kernel_walk.c has the common part
 * of walks. */
#include "kernel_walk.h"

#include <string.h>

#define NAME    "8407A0000000031010"
#define ALL     "820220009F360200159F2608B2EC180414DFA51A5F340101"
#define TRACK_2 "57114761739001010119D30122010000012345"
#define ARQC    "9F2701809F100706010A03A00000"
#define TC      "9F2701409F100706010A03900000"
#define AAC     "9F2701009F100706010A03800000"
#define SIGNED  "9F690701AABBCCDD00009F4B0411223344"
static const char *const responses[] = {
    "",
    "90",
    "9000",
    "6984",
    "6985",
    "6986",
    "6283",
    "7700FF9000",
    "6F23840E325041592E5359532E4444463031A511BF0C0E610C4F07A00000000310108701019000",
    /* FCI: PDOL with TTQ; a PDOL truncated after the TTQ; one that requests too much; none; 9F5A in it */
    "6F*" NAME "A5155004564953419F380C9F66049F02065F2A029F3704",
    "6F*" NAME "A50D5004564953419F38049F66049F",
    "6F*" NAME "A50A9F38079F66049F37FF5A",
    "6F*" NAME "A506500456495341",
    "6F*" NAME "A5119F38069F66049F3704BF0C059F5A021234",
    /* GPO: ARQC; with issuer update; with an online PIN; CDCVM; signature; AAC; without track 2; with records; of no
       type; the type that 9F10 contradicts */
    "77*" ALL ARQC TRACK_2 "9F6C020000",
    "77*" ALL ARQC TRACK_2 "9F6C020040",
    "77*" ALL ARQC TRACK_2 "9F6C028000",
    "77*" ALL ARQC TRACK_2 "9F6C020080",
    "77*" ALL ARQC TRACK_2 "9F6C024000",
    "77*" ALL AAC TRACK_2 "9F6C020000",
    "77*" ALL ARQC,
    "77*" ALL ARQC TRACK_2 "9F6C020000940408010200",
    "77*" ALL TRACK_2 "9F6C020000",
    "77*" ALL "9F2701409F100706010A03A00000" TRACK_2 "940408010100",
    /* TC: signed with a record; without one; online or another interface if fDDA fails, or if it is expired; a
     * malformed locator */
    "77*" ALL TC TRACK_2 SIGNED "9F6C020000940408010101",
    "77*" ALL TC TRACK_2 SIGNED "9F6C0200005F2403301231",
    "77*" ALL TC TRACK_2 SIGNED "9F6C022000940408010101",
    "77*" ALL TC TRACK_2 SIGNED "9F6C021000940408010101",
    "77*" ALL TC TRACK_2 SIGNED "9F6C020800940408010101",
    "77*" ALL TC TRACK_2 "940408020100",
    "77*" ALL TC TRACK_2 "9400",
    /* records: PAN and expiry; past; the PAN twice; for domestic use only; another object; that object again */
    "70*5A0847617390010101195F24033012315F28020276",
    "70*5A0847617390010101195F2403200101",
    "70*5A0847617390010101195A084761739001010119",
    "70*5A0847617390010101195F24033012319F070200005F28020840",
    "70*DF100112",
    "71*DF1001125A",
};

static const uint8_t issuer_data[] = { 0x8A, 2,   '0',  '0', 0x91, 10, 1,    2,    3, 4, 5, 6,    7,   8,
                                       '0',  '0', 0x71, 9,   0x86, 7,  0x84, 0x16, 0, 0, 2, 0xAA, 0xBB };
static const uint8_t two_commands[] = { 0x72, 18,   0x86, 7,    0x84, 0x16, 0, 0, 2,    0xAA,
                                        0xBB, 0x86, 7,    0x84, 0x18, 0,    0, 2, 0xAA, 0xBB };
static const uint8_t one_command[] = { 0x72, 9, 0x86, 7, 0x84, 0x16, 0, 0, 2, 0xAA, 0xBB };
static const uint8_t no_script[] = { 0x72, 9, 0x86, 9, 0x84, 0x16, 0, 0, 2, 0xAA, 0xBB };
static const uint8_t decision[] = { 0x8A, 2, '0', '0' };
static const uint8_t numbers[] = { 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2 };
static const struct cemv_reply replies[] = {
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, issuer_data),
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, two_commands),
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, one_command),
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, no_script),
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, decision),
    { .kind = CEMV_REPLY_ONLINE, .unable_to_go_online = true },
    { .kind = CEMV_REPLY_ONLINE, .removal_timed_out = true },
    KERNEL_WALK_REPLY(CEMV_REPLY_DATA, numbers),
    { .kind = CEMV_REPLY_DEADLINE },
};

/* Besides SELECT only these are sent: GET PROCESSING OPTIONS, READ RECORD, and the issuer's commands. */
static bool sends_what_it_may(const struct cemv_session *session)
{
    const cemv_bytes command = cemv_session_command(session);
    if (cemv_session_step(session) != CEMV_STEP_SEND || command.size < 4) return true;
    switch (session->kernel_active ? session->kernel.out.state : 0) {
    case K3_WAIT_GPO: return memcmp(command.data, "\x80\xA8\0\0", 4) == 0;
    case K3_WAIT_RECORD: return command.data[0] == 0 && command.data[1] == 0xB2;
    case K3_WAIT_ISSUER_AUTHENTICATION: return session->entry.answered && command.data[1] == 0x82;
    case K3_WAIT_SCRIPT: return session->entry.answered && command.data[0] == 0x84;
    default: return command.data[1] == 0xA4;
    }
}

static const char *violation(const struct cemv_session *session)
{
    static const uint32_t needed[] = { 0x82, 0x9F36, 0x9F26, 0x57, 0x95, 0x9F02, 0x9F37, 0x9C };
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    const bool parked = cemv_session_step(session) == CEMV_STEP_PARKED;
    if (!sends_what_it_may(session)) return "a command that the kernel does not know";
    if (!parked && cemv_session_step(session) != CEMV_STEP_DONE) return NULL;
    if (outcome.kernel_id_size == 0) return NULL;
    if (outcome.status == CEMV_OUTCOME_APPROVED) return "no approval without a signature";
    if (parked && outcome.start != CEMV_START_B) return "the card comes back for an update";
    if (session->kernel.indicators.ttq[0] & CEMV_TTQ_1_OFFLINE_ONLY && outcome.status == CEMV_OUTCOME_ONLINE_REQUEST)
        return "an offline reader never goes online";
    if (outcome.status != CEMV_OUTCOME_ONLINE_REQUEST) return NULL;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!kernel_walk_record_has(session, needed[i])) return "an online request has all that it must have";
    return NULL;
}

enum { READERS = 4 };
static const uint8_t aid[] = { 0xA0, 0, 0, 0, 3, 0x10, 0x10 };
static const uint8_t terminal[] = { 0x9F, 0x1A, 2, 0x02, 0x76, 0x9F, 0x35, 1, 0x22 };
static const uint8_t listed[] = { 0x47, 0x61, 0x73, 0x90, 0x01, 0x01, 0x01, 0x19 };
static const struct cemv_transaction sales[] = {
    { .amount = 1000 }, { .amount = 7000, .type = 0x20 }, { .amount = 12000 }, { .amount = 12000, .type = 0x01 }
};

static void prepare(struct kernel_walk_reader *own, unsigned reader, uint8_t profile)
{
    static const uint8_t ttqs[READERS][4] = {
        { 0x36, 0, 0xC0, 0x80 }, { 0x27, 0, 0x80, 0 }, { 0x3E, 0, 0x40, 0 }, { 0x36, 0, 0xC0, 0 }
    };
    static const uint8_t program[] = { 0x12, 0x34 };
    static const struct cemv_dynamic_limit dynamic[] = {
        { .program = { program, sizeof program },
          .limits = { .amount = { [CEMV_LIMIT_TRANSACTION] = 5000 }, .present = 1 << CEMV_LIMIT_TRANSACTION } },
    };
    static const struct cemv_kernel_3_options options[READERS] = {
        [3] = { .dynamic_limits = dynamic, .dynamic_limit_count = 1, .usage_control_off = true },
    };
    (void)profile;
    own->row.ttq = (cemv_bytes){ ttqs[reader], 4 };
    own->row.options = &options[reader];
}

int walk_kernel_3(void)
{
    static const struct kernel_walk_plan plan = {
        .kernel = { { 3 }, 1, &cemv_kernel_3, NULL },
        .aid = { aid, sizeof aid },
        .terminal_data = { terminal, sizeof terminal },
        .exception = { .pan = { listed, sizeof listed }, .sequence = 7 },
        .setup = { .sales = sales,
                   .sale_count = KERNEL_WALK_COUNT(sales),
                   .responses = responses,
                   .response_count = KERNEL_WALK_COUNT(responses),
                   .replies = replies,
                   .reply_count = KERNEL_WALK_COUNT(replies),
                   .violation = violation },
        .readers = READERS,
        .prepare = prepare,
    };
    return kernel_walk_all(&plan);
}
