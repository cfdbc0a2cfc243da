/* SPDX-License-Identifier: Apache-2.0 */
/* The walk of Kernel 5: the responses of its cards, its readers, and the invariants that hold with any card (Book C-5
 * v2.10). No signature here verifies, so only the issuer approves. kernel_walk.c has the common part of walks. */
#include "kernel_walk.h"

#include <string.h>

#include "../../Sources/CEMV/kernels/k5/k5_memory.h"

#define NAME   "8407A0000000651010A5"
#define COMMON "57103569830447869493D3012201536734805A083569830447869493"
#define LIST   "8C0E9F02069F370495059F5303DF8310"
#define SECOND "8D088A02910A95059A03"
#define TWELVE "C1C1C1C1C1C1C1C1C1C1C1C1"
#define CHAIN                                                                                                          \
    "8F01E19030" TWELVE TWELVE TWELVE TWELVE "9F3201039F460411223344"                                                  \
    "9F470103"
#define METHODS "8E0A00000000000000000203"
static const char *const responses[] = {
    "",
    "9000",
    "6200",
    "6984",
    "6986",
    "6985",
    "7700FF9000",
    "6F23840E325041592E5359532E4444463031A511BF0C0E610C4F07A00000006510108701019000",
    /* FCI: EMV Mode; Legacy Mode; no list; a truncated list; no template */
    "6F*" NAME "1150034A43429F38099F52019F53039F0206",
    "6F*" NAME "099F38069F02069F1A02",
    "6F*" NAME "0550034A4342",
    "8407A00000006510109000",
    /* GPO: without CDA; with it; after a torn tap; not EMV; format 1; malformed or proprietary locators */
    "77*82021880940408010100",
    "77*82021980940408010100",
    "770A820218809404080101006200",
    "770A820219809404080101006200",
    "80*180008010100",
    "80*188008010200",
    "77*82021880940408020100",
    "77*82021980940458010101",
    /* records: a card's; another's; expired; with a list of methods and certificates; no date; no list; twice */
    "70*" COMMON "5F2403301231" LIST SECOND,
    "70*57103569830447869493D30122015367348F"
    "5F2403301231" LIST SECOND,
    "70*" COMMON "5F2403200101" LIST,
    "70*" COMMON "5F2403301231" LIST METHODS "8F01E1",
    "70*" COMMON "5F2403301231" LIST CHAIN,
    "70*" COMMON "5F2403301331" LIST,
    "70*" COMMON "5F2403301231",
    "70*" COMMON "5F2403301231" LIST "5A083569830447869493",
    /* GENERATE AC: ARQC; held; to come back; with a signature; held, with a signature; on a phone; TC; AAC; of no type;
     * short */
    "77*9F2701809F360200019F2608DEDD33348D9574A79F5001009F1002AABB",
    "77*9F2701809F360200019F2608DEDD33348D9574A79F5001209F1002AABB9F600101",
    "77*9F2701809F360200019F2608DEDD33348D9574A79F5001009F1002AABB9F6001029F5F06000000001234",
    "77*9F2701809F360200019F4B04112233449F5001009F1002AABB",
    "77*9F2701809F360200019F4B04112233449F5001009F1002AABB9F600101",
    "77*9F2701809F360200019F2608DEDD33348D9574A79F4B04112233449F5001009F1002AABB",
    "77*9F2701809F360200019F2608DEDD33348D9574A79F5001319F1002AABB",
    "77*9F2701409F360200019F4B04112233449F5001009F1002AABB",
    "77*9F2701409F360200019F2608DEDD33348D9574A7",
    "77*9F2701009F360200019F2608DEDD33348D9574A7",
    "77*9F2701C09F360200019F2608DEDD33348D9574A7",
    "77*9F2701809F3602000B9F2608DEDD33348D9574A7",
    "80*800001DEDD33348D9574A7AABBCCDD11223344",
    "80*400001DEDD33348D9574A7AABBCCDD11223344",
};

static const uint8_t approved[] = { 0x8A, 2, '0', '0', 0x91, 8, 1, 2, 3, 4, 5, 6, 7, 8 };
static const uint8_t all[] = { 0x8A, 2,    '0', '0',  0x71, 0x0E, 0x86, 5,    0x84, 0x18, 0,    0,
                               0,    0x86, 5,   0x84, 0xDA, 0,    0,    0,    0x72, 0x0E, 0x86, 5,
                               0x84, 0x1E, 0,   0,    0,    0x86, 5,    0x84, 0x24, 0,    0,    0 };
static const uint8_t declined[] = { 0x8A, 2, '0', '5', 0x72, 7, 0x86, 5, 0x84, 0x16, 0, 0, 0 };
static const uint8_t broken_script[] = { 0x8A, 2, '0', '0', 0x71, 3, 0x86, 5, 0x84 };
static const uint8_t no_code[] = { 0x91, 8, 1, 2, 3, 4, 5, 6, 7, 8 };
static const uint8_t drawn_again[] = { 0xFF, 0xFF, 0xFF, 0xFF };
static const uint8_t pool[CEMV_RANDOM_POOL] = { 1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                                                17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32 };
static const uint8_t random_1[] = { 0, 0, 0, 9, 1, 2, 3, 4 }, random_2[] = { 0, 0, 9, 0 };
static const struct cemv_reply replies[] = {
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, approved),  KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, all),
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, declined),  KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, broken_script),
    KERNEL_WALK_REPLY(CEMV_REPLY_ONLINE, no_code),   { .kind = CEMV_REPLY_ONLINE, .unable_to_go_online = true },
    KERNEL_WALK_REPLY(CEMV_REPLY_DATA, drawn_again), KERNEL_WALK_REPLY(CEMV_REPLY_DATA, random_1),
    KERNEL_WALK_REPLY(CEMV_REPLY_DATA, random_2),    { .kind = CEMV_REPLY_DEADLINE },
};

static bool sends_what_it_may(const struct cemv_session *session)
{
    const cemv_bytes command = cemv_session_command(session);
    if (cemv_session_step(session) != CEMV_STEP_SEND || command.size < 4) return true;
    switch (session->kernel_active ? session->kernel.out.state : 0) {
    case K5_WAIT_ECHO: return memcmp(command.data, "\x80\xDF\0\0\0", 5) == 0;
    case K5_WAIT_GPO: return memcmp(command.data, "\x80\xA8\0\0", 4) == 0 && !session->entry.answered;
    case K5_WAIT_RECORD: return command.data[0] == 0 && command.data[1] == 0xB2;
    case K5_WAIT_AC: return command.data[1] == 0xAE && (command.data[2] & 0xEF) != 0;
    case K5_WAIT_LEGACY_AC: return command.data[1] == 0xAE && command.data[2] == 0x80;
    case K5_WAIT_SECOND_AC: return command.data[1] == 0xAE && (command.data[2] & 0xBF) == 0 && session->entry.answered;
    case K5_WAIT_SCRIPT:
    case K5_WAIT_LAST_SCRIPT: return session->entry.answered && command.data[0] == 0x84;
    default: return command.data[1] == 0xA4;
    }
}

static const char *violation(const struct cemv_session *session)
{
    static const uint32_t sale[] = { 0x9F02, 0x9F03, 0x82,   0x5F24, 0x57, 0x9F34, 0x84,
                                     0x9F1A, 0x95,   0x5F2A, 0x9A,   0x9C, 0x9F37, 0x9F21 };
    static const uint32_t cryptogram[] = { 0x9F26, 0x9F27, 0x9F36, 0x9F10 };
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    const struct cemv_reader_memory *reader = session->kernel.transaction.reader;
    const bool parked = cemv_session_step(session) == CEMV_STEP_PARKED;
    const bool done = cemv_session_step(session) == CEMV_STEP_DONE;
    if (!sends_what_it_may(session)) return "a command that the kernel does not know";
    if (done && reader->recovery.size != 0) return "nothing of a torn tap outlives its transaction";
    if (!parked && !done) return NULL;
    if (outcome.kernel_id_size == 0) return NULL;
    const bool approves = outcome.status == CEMV_OUTCOME_APPROVED;
    const bool online = outcome.status == CEMV_OUTCOME_ONLINE_REQUEST;
    if (approves && !session->entry.answered) return "no approval without a signature or the issuer";
    if (outcome.data_record_present != (approves || online || outcome.status == CEMV_OUTCOME_DECLINED))
        return "a record with a decision, and with nothing else";
    if (outcome.receipt != approves) return "a receipt with an approval";
    if (outcome.discretionary_present) return "there are no discretionary data";
    if (parked && outcome.start != CEMV_START_B && outcome.start != CEMV_START_D) return "the card is asked for";
    for (size_t i = 0; outcome.data_record_present && i < sizeof sale / sizeof sale[0]; i++)
        if (!kernel_walk_record_has(session, sale[i])) return "the sale is in every record";
    for (size_t i = 0; (online || approves) && i < sizeof cryptogram / sizeof cryptogram[0]; i++)
        if (!kernel_walk_record_has(session, cryptogram[i])) return "a cryptogram is what is decided about";
    return NULL;
}

/* The walk's own key, and the reader's data on a torn tap. */
static uint64_t key_of(const struct cemv_session *here)
{
    const struct cemv_recovery *const recovery = &here->kernel.transaction.reader->recovery;
    return kernel_walk_sum(kernel_walk_key(here), recovery->bytes, recovery->size);
}

static bool is_skipped(const struct cemv_session *here, const struct cemv_reply *reply)
{
    return cemv_session_step(here) == CEMV_STEP_POLL && reply->kind != CEMV_REPLY_CARD &&
           reply->kind != CEMV_REPLY_REMOVED;
}

enum { READERS = 4 };
static const uint8_t aid[] = { 0xA0, 0, 0, 0, 0x65, 0x10, 0x10 };
static const uint8_t terminal[] = { 0x9F, 0x1A, 2, 0x02, 0x76, 0x9F, 0x35, 1, 0x22 };
static const uint8_t listed[] = { 0x35, 0x69, 0x83, 0x04, 0x47, 0x86, 0x94, 0x93 };
static const struct cemv_transaction sales[] = { { .amount = 1000 }, { .amount = 12000 }, { .amount = 40000 } };

static void prepare(struct kernel_walk_reader *own, unsigned reader, uint8_t profile)
{
    /* issuer update; Legacy Mode; random selection; transit with an exception file */
    static const struct cemv_kernel_5_options options[READERS] = {
        { .limits = KERNEL_WALK_LIMITS, .terminal_interchange_profile = { 0x72, 0x80, 0 }, .removal_timeout = 10 },
        { .limits = KERNEL_WALK_LIMITS,
          .combination_options = { 0x23, 0 },
          .terminal_interchange_profile = { 0x72, 0, 0 } },
        { .limits = KERNEL_WALK_LIMITS,
          .combination_options = { 0x2A, 0 },
          .given = CEMV_KERNEL_5_GIVEN_SELECTION,
          .target = 50,
          .maximum_target = 50 },
        { .limits = KERNEL_WALK_LIMITS,
          .combination_options = { 0x33, 0 },
          .terminal_interchange_profile = { CEMV_KERNEL_5_TIP_1_TRANSIT, 0, 0 } },
    };
    static uint8_t modulus[144];
    static const struct cemv_ca_key key = {
        .rid = { 0xA0, 0, 0, 0, 0x65 }, .index = 0xE1, .exponent = 3, .modulus = { modulus, sizeof modulus }
    };
    (void)profile;
    memset(modulus, 0xC1, sizeof modulus);
    own->row.limits = (struct cemv_limits){ .present = 0 }; /* the kernel has them among its options */
    own->row.options = &options[reader];
    own->configuration.ca_keys = &key;
    own->configuration.ca_key_count = 1;
    own->configuration.protection.offline = CEMV_RULE_ENFORCE;
    own->setup.random = (cemv_bytes){ pool, reader == 2 ? 4 : sizeof pool };
}

int walk_kernel_5(void)
{
    static const struct kernel_walk_plan plan = {
        .kernel = { { 5 }, 1, &cemv_kernel_5, NULL },
        .aid = { aid, sizeof aid },
        .terminal_data = { terminal, sizeof terminal },
        .exception = { .pan = { listed, sizeof listed }, .any_sequence = true },
        .setup = { .sales = sales,
                   .sale_count = KERNEL_WALK_COUNT(sales),
                   .responses = responses,
                   .response_count = KERNEL_WALK_COUNT(responses),
                   .replies = replies,
                   .reply_count = KERNEL_WALK_COUNT(replies),
                   .key = key_of,
                   .skipped = is_skipped,
                   .violation = violation },
        .has_reader_memory = true,
        .readers = READERS,
        .prepare = prepare,
    };
    return kernel_walk_all(&plan);
}
