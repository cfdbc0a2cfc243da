/* SPDX-License-Identifier: Apache-2.0 */
/* The walk of Kernel 4: the responses of its cards, its readers, and the invariants that hold with any card (Book C-4
 * v2.10). The certificates of one card verify, and no signature over a transaction does, so outside profile `book` only
 * the issuer approves. kernel_walk.c has the common part of walks. */
#include "kernel_walk.h"

#include <string.h>

#include "../../Sources/CEMV/include/cemv_kernel_4.h"
#include "../../Sources/CEMV/kernels/k4/k4_memory.h"

#define NAME    "8408A000000025010402"
#define PAN     "5A08374245340207835F"
#define TRACK_2 "570E374245340207835D3012201191465F2009434152442F54455354"
#define DATES   "5F24033012315F2503200115"
#define CDOL    "8C0C9F020695059A039F37049F3403"
#define LIST    "8E0E000000000000000002035E0600069F42020978"
static const char *const responses[] = {
    "",
    "9000",
    "6984",
    "6A83",
    "6F24840E325041592E5359532E4444463031A512BF0C0F610D4F08A0000000250104028701019000",
    /* FCI: 9F35; both; no list; no name; a truncated list */
    "6F*" NAME "A50C5004414D45589F38039F3501",
    "6F*" NAME "A50F5004414D45589F38069F35019F6E04",
    "6F*" NAME "A5065004414D4558",
    "6F*A5049F38019F",
    /* GPO: CDA with its records; CDA without; SDA; none; a phone that asks, that verified, that failed; mag-stripe
     * mode, plain and with CDA; two malformed ones */
    "80*19801001020018010101",
    "80*198018010100",
    "80*588018010101",
    "80*188018010100",
    "77*820218C094040C0101009F71033F0300",
    "77*820218C094040C0101009F7103010302",
    "77*820218C094040C0101009F7103010301",
    "77*820218C094040C0101009F71033F0003",
    "77*8202180094040C010100",
    "77*8202194094040C010100",
    "77*8202188094040C010000",
    "77*82021880",
    /* Records: certificates, the signed one; one with everything, for each mode, without contact, without the required
     * objects, another set of limits */
    "70819A8F01E49081902BF9F4C0C2BE30879EA816EBFA6610B236C0EA6B6C831CD0F11AB4DCD52C401F68D543D764CE12B3D3C7296DBB7AE861"
    "99EFF3CD52C7EAEB91B6BFA250E8320CC5B330F4AA982605F4927378D17602306633FE1ADA9224CC3EB27D6D837EC7A3F96B81D1EA9F162103"
    "E3156A168A025CE93C1C019D3C21CAF565550BC55F97D3D9136BAA2212AF6DAABC5BA6FEDFC4929F3201039000",
    "70769F4654990B23FA1AACAC14622DBD3DF952399F2324801156E1932271EC5255167E0E0B5F80F0C89672E5D54B974B1857DE1F8EB1048158"
    "DE6CA0BA0188BB6B78942676AC917DE9D06E425E67203241BD7293BC93E0ED179F4701039F48187458ACACA44375338C224D3FE0C913269391"
    "B3432DC31B559000",
    "70765A08374245340207835F5F24033012315F25032001155F280202765F3401009F0702FF009F080200018E0E000000000000000002035E06"
    "00069F420209789F7002FA009F0D0500000000009F0E0500000000009F0F0500000000009F4A01828C159F02069F03069F1A0295055F2A029A"
    "039C019F37049000",
    "70*" PAN TRACK_2 DATES CDOL LIST,
    "70*" PAN TRACK_2 DATES CDOL "8E0E0000000000000000410302031F039F70021800",
    "70*" PAN TRACK_2 DATES "8C039F3704",
    "70*" PAN DATES CDOL "9F7002FA03",
    "70*" PAN DATES,
    "70*" PAN DATES CDOL "8E04000000009F7002FA07",
    /* GET DATA */
    "9F360200019000",
    "9F360100"
    "9000",
    /* GENERATE AC: TC, ARQC, AAC, none; signed ones; format 1; another counter; a malformed one */
    "77*9F2701409F360200019F260811223344556677889F100706010103A40000",
    "77*9F2701809F360200019F260811223344556677889F100706010103A80000",
    "77*9F2701009F360200019F260811223344556677889F100706010103A00000",
    "77*9F2701C09F360200019F26081122334455667788",
    "77*9F2701409F360200019F4B4C000102",
    "77*9F2701809F360200019F4B04AABBCCDD",
    "80*80000111223344556677880601",
    "77*9F2701809F360200029F26081122334455667788",
    "77*9F27018F9F3602",
};

static const uint8_t approves[] = { 0x8A, 2, '0', '0' }, declines[] = { 0x8A, 2, '0', '5' },
                     elsewhere[] = { 0x8A, 2, '1', '2' }, wants_pin[] = { 0x8A, 2, '1', '3' },
                     more[] = { 0x91, 8, 1, 2, 3, 4, 5, 6, 7, 8 };
static const struct cemv_reply replies[] = {
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, approves),
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, declines),
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, elsewhere),
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, wants_pin),
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, more),
    { .kind = CEMV_REPLY_ONLINE },
    { .kind = CEMV_REPLY_ONLINE, .unable_to_go_online = true },
    { .kind = CEMV_REPLY_PIN },
    { .kind = CEMV_REPLY_PIN, .pin_not_captured = true },
};

/* Besides SELECT only these are sent. A signature is requested only with a TC or an ARQC. */
static bool sends_what_it_may(const struct cemv_session *session)
{
    const cemv_bytes command = cemv_session_command(session);
    if (cemv_session_step(session) != CEMV_STEP_SEND || command.size < 4) return true;
    const uint8_t p1 = command.data[2];
    switch (session->kernel_active ? session->kernel.out.state : 0) {
    case K4_WAIT_GPO: return memcmp(command.data, "\x80\xA8\0\0", 4) == 0;
    case K4_WAIT_RECORD: return command.data[0] == 0 && command.data[1] == 0xB2;
    case K4_WAIT_COUNTER: return memcmp(command.data, "\x80\xCA\x9F\x36", 4) == 0;
    case K4_WAIT_AC:
        return command.data[0] == 0x80 && command.data[1] == 0xAE && command.data[3] == 0 &&
               (p1 == 0x00 || p1 == 0x40 || p1 == 0x80 || p1 == 0x50 || p1 == 0x90);
    default: return command.data[1] == 0xA4;
    }
}

static const char *broken_outcome(const struct cemv_session *session, const struct cemv_outcome *outcome)
{
    static const uint32_t emv[] = { 0x9F02, 0x9F03, 0x82, 0x9F36, 0x9F27, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9C, 0x9F37 };
    const bool parked = cemv_session_step(session) == CEMV_STEP_PARKED,
               tracks = kernel_walk_record_has(session, 0x9F6B);
    const bool online = outcome->status == CEMV_OUTCOME_ONLINE_REQUEST ||
                        outcome->status == CEMV_OUTCOME_REQUEST_ONLINE_PIN;
    const bool completed = online || outcome->status == CEMV_OUTCOME_APPROVED;
    if (parked != (online && outcome->start == CEMV_START_D)) return "the issuer's answer comes to Start D";
    if (online && outcome->start != CEMV_START_D && outcome->start != CEMV_START_NA) return "or is not awaited";
    if (completed && !outcome->data_record_present) return "what is completed has a record";
    if (!completed && outcome->status != CEMV_OUTCOME_DECLINED && outcome->data_record_present)
        return "nothing else has one";
    if (outcome->status == CEMV_OUTCOME_TRY_ANOTHER_INTERFACE &&
        outcome->alternate_interface != CEMV_INTERFACE_CONTACT_CHIP)
        return "the other interface is the chip";
    if (outcome->receipt) return "no receipt is asked for";
    if (completed && outcome->cvm == CEMV_CVM_NA) return "a CVM with what is completed";
    for (size_t i = 0; completed && !tracks && i < sizeof emv / sizeof emv[0]; i++)
        if (!kernel_walk_record_has(session, emv[i])) return "an EMV record has all that it must have";
    if (completed && tracks && (!kernel_walk_record_has(session, 0x56) || kernel_walk_record_has(session, 0x9F26)))
        return "both tracks, and no cryptogram";
    return NULL;
}

static const char *violation(const struct cemv_session *session)
{
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    const bool parked = cemv_session_step(session) == CEMV_STEP_PARKED;
    const uint8_t profile = session->kernel.checked ? session->kernel.checked->configuration.protection.profile
                                                    : CEMV_PROFILE_STRICT;
    if (!sends_what_it_may(session)) return "a command that the kernel does not know";
    if (!parked && cemv_session_step(session) != CEMV_STEP_DONE) return NULL;
    if (outcome.kernel_id_size == 0) return NULL;
    if (outcome.status == CEMV_OUTCOME_APPROVED && !session->entry.answered && profile != CEMV_PROFILE_BOOK)
        return "no approval without a signature or the issuer";
    return broken_outcome(session, &outcome);
}

enum { READERS = 6 };
static const uint8_t aid[] = { 0xA0, 0, 0, 0, 0x25, 1 };
static const uint8_t terminal[] = { 0x9F, 0x1A, 2, 0x02, 0x76, 0x9F, 0x33, 3, 0xE0, 0xF8, 0xC8 };
static const uint8_t pool[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 0, 2, 4, 6, 8 };
static const struct cemv_transaction sales[] = { { .amount = 1000 }, { .amount = 40000 } };

static const struct cemv_kernel_4_options *options_of(unsigned reader)
{
    static const struct cemv_limits
        preset = { .amount = { [CEMV_LIMIT_TRANSACTION] = 20000, [CEMV_LIMIT_CVM_REQUIRED] = 900 }, .present = 0x09 },
        third = { .amount = { [CEMV_LIMIT_TRANSACTION] = 50000 }, .present = 0x01 };
    static const struct cemv_limits *const sets[CEMV_KERNEL_4_LIMIT_SETS + 1] = { [0] = &preset, [3] = &third };
    static const uint8_t list[] = { 0x9F, 0x34, 3, 0x5F, 0x20, 0 };
    static struct cemv_kernel_4_options options;
    options = (struct cemv_kernel_4_options){
        .tac_online = { 0, 0, 0x04, 0x80, 0 },
        .tac_default = { 0, 0, (uint8_t)(reader == 4 ? 0x04 : 0), 0, 0 },
        .discretionary_list = { list, sizeof list },
        .dynamic_limits = reader == 5 ? sets : NULL,
        .cannot_go_online = reader == 4,
    };
    return &options;
}

static void prepare(struct kernel_walk_reader *own, unsigned reader, uint8_t profile)
{
    /* full; offline only; delayed authorisation; online only; without a host; EMV mode alone, with sets of limits */
    static const struct {
        uint8_t type, enhanced[4];
    } readers[READERS] = { { 0x22, { 0xDC, 0xE0, 0, 3 } },    { 0x26, { 0x58, 0xE0, 0, 3 } },
                           { 0x25, { 0xDC, 0xE0, 0, 0x43 } }, { 0x21, { 0xDC, 0xC0, 0, 3 } },
                           { 0x22, { 0xDC, 0xE0, 0, 3 } },    { 0x22, { 0x9C, 0xE0, 0, 3 } } };
    static const uint8_t modulus[] = {
        0xC5, 0x7A, 0x9A, 0xC5, 0xF5, 0x68, 0x34, 0x1B, 0x55, 0x32, 0xF4, 0xCC, 0x83, 0x6A, 0x01, 0x5A, 0x9F, 0x19,
        0xCF, 0x17, 0xD6, 0xA9, 0x74, 0x55, 0x32, 0x9F, 0x51, 0x35, 0xBF, 0x70, 0x43, 0x5A, 0x2B, 0x94, 0xF9, 0x9D,
        0x39, 0x86, 0x35, 0x41, 0x70, 0x0A, 0x6E, 0xB4, 0x09, 0xFD, 0xAC, 0x11, 0x12, 0xCC, 0x1F, 0x3B, 0xA0, 0xD4,
        0x4F, 0x52, 0x22, 0xBE, 0xBC, 0xEA, 0xEA, 0x1D, 0x06, 0x11, 0x78, 0xA2, 0xBF, 0xA7, 0xAB, 0xFA, 0x99, 0xFE,
        0x4D, 0x41, 0x1C, 0xFB, 0xE7, 0x5E, 0x5B, 0x4D, 0x47, 0x72, 0x08, 0xDF, 0xC5, 0xA8, 0xA5, 0xC6, 0xC1, 0x19,
        0x59, 0xD4, 0x65, 0xC7, 0x07, 0x21, 0x3C, 0x2C, 0x9C, 0x2D, 0x65, 0xA4, 0x22, 0x8B, 0x93, 0xF8, 0xE2, 0x71,
        0x94, 0x27, 0x48, 0xC6, 0x33, 0x76, 0x2E, 0x3F, 0x66, 0x39, 0x4E, 0x4A, 0x0D, 0xE8, 0x4D, 0x8F, 0x93, 0x56,
        0xD1, 0x7D, 0x31, 0xE9, 0x09, 0x53, 0x03, 0x0A, 0x5C, 0x7D, 0x4E, 0xE2, 0xBC, 0xFA, 0x76, 0x83, 0x49, 0x89
    };
    static const struct cemv_ca_key key = {
        .rid = { 0xA0, 0, 0, 0, 0x25 }, .index = 0xE4, .exponent = 3, .modulus = { modulus, sizeof modulus }
    };
    static uint8_t data[] = { 0x9F, 0x35, 1, 0, 0x9F, 0x6D, 1, 0xC0, 0x9F, 0x6E, 4, 0, 0, 0, 0 };
    data[3] = readers[reader].type;
    memcpy(data + 11, readers[reader].enhanced, 4);
    own->row.limits.amount[CEMV_LIMIT_TRANSACTION] = 60000;
    own->row.data = (cemv_bytes){ data, sizeof data };
    own->row.options = options_of(reader);
    own->row.own_protection = true;
    own->row.protection = (struct cemv_protection){ .profile = profile,
                                                    .max_taps = 3,
                                                    .offline = CEMV_RULE_ENFORCE,
                                                    .magstripe = reader == 3 ? CEMV_RULE_OFF : CEMV_RULE_ENFORCE };
    own->configuration.protection.max_taps = 3;
    own->configuration.ca_keys = &key;
    own->configuration.ca_key_count = 1;
}

int walk_kernel_4(void)
{
    static const struct kernel_walk_plan plan = {
        .kernel = { { 4 }, 1, &cemv_kernel_4, NULL },
        .aid = { aid, sizeof aid },
        .terminal_data = { terminal, sizeof terminal },
        .setup = { .sales = sales,
                   .sale_count = KERNEL_WALK_COUNT(sales),
                   .responses = responses,
                   .response_count = KERNEL_WALK_COUNT(responses),
                   .replies = replies,
                   .reply_count = KERNEL_WALK_COUNT(replies),
                   .random = { pool, sizeof pool },
                   .violation = violation },
        .readers = READERS,
        .prepare = prepare,
    };
    return kernel_walk_all(&plan);
}
