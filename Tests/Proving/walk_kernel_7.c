/* SPDX-License-Identifier: Apache-2.0 */
/* The walk of Kernel 7: the responses of its cards, its readers, and the invariants that hold with any card (Book C-7
 * v2.9.1). No signature here verifies, so nothing is approved. kernel_walk.c has the common part of walks. */
#include "kernel_walk.h"

#include "../../Sources/CEMV/include/cemv_kernel_7.h"
#include "../../Sources/CEMV/kernels/k7/k7.h"

#define NAME    "8408A000000333010101"
#define ALL     "820220009F360200019F2608B2EC180414DFA51A"
#define TRACK_2 "57116221739001010119D30122010000012345"
#define ARQC    "9F2701809F100807010103A0000000"
#define TC      "9F2701409F10080701010390000000"
#define SIGNED  "9F690801AABBCCDD0000009F4B0411223344"
static const char *const responses[] = {
    "",
    "9000",
    "6984",
    "6986",
    "6283",
    "7700FF9000",
    "6F2E840E325041592E5359532E4444463031A51CBF0C1961174F08A0000003330101015008554E494F4E5041598701019000",
    /* FCI: a PDOL with objects; with DF61; none; a truncated one; one that requests too much */
    "6F*" NAME "A50A9F38079F66049F37045A",
    "6F*" NAME "A50A9F38079F66049F37045A0A",
    "6F*" NAME "A5099F38069F66049F3704",
    "6F*" NAME "A5119F38069F66049F3704BF0C047302DF6100",
    "6F*" NAME "A5129F38069F66049F3704BF0C06DF610340FFFF",
    "6F*" NAME "A50250009F3800",
    "6F*" NAME "A5089F38059F66045FFF",
    "6F*" NAME "A50A9F38079F66049F37FF",
    /* GPO: ARQC; with CDCVM; with an online PIN; without track 2; with records; AAC; of no type */
    "77*" ALL ARQC TRACK_2 "9F6C024000",
    "77*" ALL ARQC TRACK_2 "9F6C020080",
    "77*" ALL ARQC TRACK_2 "9F6C028000",
    "77*" ALL ARQC,
    "77*" ALL ARQC TRACK_2 SIGNED "9F6C0200809408080102002001010094",
    "77*" ALL ARQC TRACK_2 SIGNED "9F6C020080940808010200B0010101",
    "77*" ALL "9F2701009F10080701010380000000" TRACK_2,
    "77*" ALL "9F10020701" TRACK_2,
    /* TC: declined if fDDA fails; online; contact; online if it is expired; without 9F10; a malformed locator */
    "77*" ALL TC TRACK_2 SIGNED "94080801020158010101",
    "77*" ALL TC TRACK_2 SIGNED "9F6C02280094080801020158010101",
    "77*" ALL TC TRACK_2 "9F6C0218009404080102009F5D06000000001234",
    "77*" ALL "9F270140" TRACK_2 "940408010100",
    "77*" ALL TC "940408020100",
    "77*" ALL TC "9400",
    /* records: a valid card; an expired one; no date; another object; that object again; an empty one; a proprietary
     * one */
    "70*5A0862217390010101195F2403301231",
    "70*5A0862217390010101195F2403200101",
    "70*5F2403301331",
    "70*5F2400",
    "70*DF100112",
    "70*DF1001135A",
    "70*5A00",
    "71*DF1001125A",
};

/* The qualifiers as sent, after 83 and its length (3.2.2). */
static bool qualifiers_are_rewritten(const struct cemv_session *session)
{
    const cemv_bytes command = cemv_session_command(session);
    if (!session->kernel_active || session->kernel.out.state != K7_WAIT_GPO || command.size < 11) return true;
    const uint8_t *ttq = command.data + 7;
    return (ttq[0] & 0xE0) == 0x20 && (ttq[1] & 0x3F) == 0 && ttq[2] == 0x40 && ttq[3] == 0x80;
}

static const char *violation(const struct cemv_session *session)
{
    static const uint32_t needed[] = { 0x82, 0x9F36, 0x9F10, 0x9F26, 0x57, 0x95, 0x9F03, 0x9F37 };
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    const bool offline_only = (session->kernel.indicators.ttq[0] & CEMV_TTQ_1_OFFLINE_ONLY) != 0;
    if (!qualifiers_are_rewritten(session)) return "the qualifiers are rewritten";
    if (cemv_session_step(session) != CEMV_STEP_DONE) return NULL;
    if (outcome.discretionary_present) return "no discretionary data";
    if (outcome.kernel_id_size == 0) return NULL;
    if (outcome.status == CEMV_OUTCOME_APPROVED) return "no approval without a signature";
    if (outcome.status == CEMV_OUTCOME_END_APPLICATION && outcome.reason != CEMV_REASON_TOO_MANY_TAPS &&
        outcome.ui_on_outcome_present)
        return "the end of an application is silent";
    if (outcome.status != CEMV_OUTCOME_ONLINE_REQUEST)
        return outcome.data_record_present ? "a record only with an approval or online" : NULL;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!kernel_walk_record_has(session, needed[i])) return "an online request has all that it must have";
    return offline_only ? "an offline reader never goes online" : NULL;
}

enum { READERS = 4 };
static const uint8_t aid[] = { 0xA0, 0, 0, 3, 0x33 };
static const uint8_t terminal[] = { 0x9F, 0x1A, 2, 0x01, 0x56, 0x9F, 0x33, 3, 0xA0, 0xB8, 0xC8 };
static const uint8_t listed[] = { 0x62, 0x21, 0x73, 0x90, 0x01, 0x01, 0x01, 0x18 };
static const struct cemv_transaction sales[] = { { .amount = 1000, .currency = 0x0156 },
                                                 { .amount = 7000, .currency = 0x0156 },
                                                 { .amount = 12000, .currency = 0x0156 },
                                                 { .amount = 40000, .currency = 0x0156 },
                                                 { .amount = 0, .currency = 0x0156 } };

static void prepare(struct kernel_walk_reader *own, unsigned reader, uint8_t profile)
{
    static const uint8_t ttqs[READERS][4] = {
        { 0x36, 0, 0x40, 0 }, { 0x3E, 0, 0xC0, 0 }, { 0x20, 0, 0x40, 0x80 }, { 0x36, 0, 0x40, 0 }
    };
    static const struct cemv_kernel_7_options options[READERS] = {
        [2] = { .other_interfaces = CEMV_KERNEL_7_MAGSTRIPE }, [3] = { .oda_for_online = true }
    };
    (void)profile;
    own->row.ttq = (cemv_bytes){ ttqs[reader], 4 };
    own->row.options = &options[reader];
}

int walk_kernel_7(void)
{
    static const struct kernel_walk_plan plan = {
        .kernel = { { 7 }, 1, &cemv_kernel_7, NULL },
        .aid = { aid, sizeof aid },
        .terminal_data = { terminal, sizeof terminal },
        .exception = { .pan = { listed, sizeof listed }, .any_sequence = true },
        .setup = { .sales = sales,
                   .sale_count = KERNEL_WALK_COUNT(sales),
                   .responses = responses,
                   .response_count = KERNEL_WALK_COUNT(responses),
                   .violation = violation },
        .readers = READERS,
        .prepare = prepare,
    };
    return kernel_walk_all(&plan);
}
