/* SPDX-License-Identifier: Apache-2.0 */
/* The walk of Kernel 2: the responses of its cards, its readers, and the invariants that hold with any card and any
 * terminal (Conformance/book-c2.md). No signature here verifies, so nothing is approved. kernel_walk.c has the common
 * part of walks. */
#include "bytes.h"
#include "kernel_walk.h"

#include <stdio.h>
#include <string.h>

#define RECORD_HEAD "5A0854133390000015135F24033012315F3401015F280202769F0702FF00"
#define CDOL        "8C159F02069F03069F1A0295055F2A029A039C019F3704"
#define AC          "9F360200019F260811223344556677889F100701020304050607"
#define FCI_NAME    "8407A0000000041010"
static const char *const responses[] = {
    "",
    "9000",
    "6985",
    "6A88",
    "7700FF9000",
    "6F23840E325041592E5359532E4444463031A511BF0C0E610C4F07A00000000410108701019000",
    /* FCI: balance, and storage; nothing; a PDOL with a terminal datum */
    "6F*" FCI_NAME "A50F500A4D617374657243617264BF0C00",
    "6F*" FCI_NAME "A50D50024D43BF0C069F5D03010300",
    "6F*" FCI_NAME "A50A50024D439F38039F5301",
    /* GPO: EMV mode; with relay resistance; on-device CVM; CDA; mag-stripe mode, also on-device; an empty and a
       malformed locator */
    "77*82021880940410010100",
    "77*82021881940410010100",
    "77*82021A80940410010100",
    "77*82021980940410010200",
    "77*82020000940408010100",
    "77*82020200940408010200",
    "77*820218809400",
    "77*82021880940410000100",
    /* records: whole; without CDOL; with DRDOL; certificates that prove nothing; mag-stripe with eight and with two
       digits */
    "70*" RECORD_HEAD CDOL,
    "70*" RECORD_HEAD,
    "70*" RECORD_HEAD CDOL "9F51039F3704",
    "70*8F01F39F4A018290010192010193019F3201039F4701039F4801009F460100",
    "70*9F650200079F660207F89F6701009F6B135413339000001513D49121019000990000000F9F69039F6A04",
    "70*9F650200079F660200189F6701009F6B135413339000001513D49121019000990000000F",
    /* cryptograms: TC, ARQC, AAC, no type at all; signed; format 1; with a request for a second tap */
    "77*9F270140" AC,
    "77*9F270180" AC,
    "77*9F270100" AC,
    "77*9F2701C0" AC,
    "77*9F270180" AC "9F4B080000000000000000",
    "80*8000011122334455667788010203040506",
    "77*9F270180" AC "DF4B03000200",
    /* checksums: whole; without CVC3; without CVC3, with a request for a second tap; verified on the device */
    "77*9F6102A2C49F360203F9",
    "77*9F360203F9",
    "77*9F360203F9DF4B03000200",
    "77*9F6102A2C49F360203F9DF4B03001000",
    "77*9F360203F9DF4B03000000",
    /* balance, an envelope */
    "9F50060000000012349000",
    "9F7603AABBCC9000",
};

/* The card states its times; its answer comes in time, too early and too late. */
static const uint8_t relay_answer[] = { 0x80, 0x0A, 0x11, 0x22, 0x33, 0x44, 0, 0x28, 0, 0x64, 0, 0x18, 0x90, 0 };
static const uint8_t last_data[] = { 0xDF, 0x81, 0x10, 1, 0, 0x9F, 0x53, 1, 0x52 };
static const uint8_t writes_after[] = { 0xDF, 0x81, 0x10, 1,    1, 0x9F, 0x53, 1,    0x52, 0xFF, 0x81,
                                        0x03, 8,    0x9F, 0x75, 1, 0xAA, 0x9F, 0x76, 1,    0xBB };
static const uint8_t writes_before[] = { 0xDF, 0x81, 0x10, 1,    1, 0x9F, 0x53, 1,    0x52, 0xFF, 0x81,
                                         0x02, 8,    0x9F, 0x75, 1, 0xAA, 0x9F, 0x76, 1,    0xBB };
static const uint8_t wanted_and_proceed[] = { 0xDF, 0x81, 0x12, 2, 0x9F, 0x76, 0xDF, 0x81, 0x10, 1, 1 };
static const uint8_t wanted[] = { 0xDF, 0x81, 0x12, 2, 0x9F, 0x76 };
static const uint8_t no_list[] = { 0xFF, 0xFF, 0xFF, 0xFF };
static const uint8_t numbers[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
static const struct cemv_reply replies[] = {
    KERNEL_WALK_REPLY(CEMV_REPLY_RESPONSE, relay_answer, .elapsed_us = 8000),
    KERNEL_WALK_REPLY(CEMV_REPLY_RESPONSE, relay_answer, .elapsed_us = 3000),
    KERNEL_WALK_REPLY(CEMV_REPLY_RESPONSE, relay_answer, .elapsed_us = 21000),
    { .kind = CEMV_REPLY_DEADLINE },
    { .kind = CEMV_REPLY_STOP },
    { .kind = CEMV_REPLY_DATA },
    KERNEL_WALK_REPLY(CEMV_REPLY_DATA, last_data),
    KERNEL_WALK_REPLY(CEMV_REPLY_DATA, writes_after),
    KERNEL_WALK_REPLY(CEMV_REPLY_DATA, writes_before),
    KERNEL_WALK_REPLY(CEMV_REPLY_DATA, wanted_and_proceed),
    KERNEL_WALK_REPLY(CEMV_REPLY_DATA, wanted),
    KERNEL_WALK_REPLY(CEMV_REPLY_DATA, no_list),
    KERNEL_WALK_REPLY(CEMV_REPLY_DATA, numbers),
};

/* Edges that a walk with such cards does not show: a valid signature leads from "card read" to PUT DATA, and a kernel
 * that ends as it is started is seen as Entry Point's next candidate. The walk's random bytes run out only after S8 had
 * something to send, and so after the answers were sent. */
static uint32_t unseen(unsigned row)
{
    if (row == 0) return UINT32_C(1) << 0;
    if (row == K2_S8_WAIT_FIRST_WRITE) return UINT32_C(1) << K2_WAIT_RANDOM;
    return row == K2_S910_WAIT_CARD_READ ? UINT32_C(1) << K2_S15_WAIT_PUT_DATA : 0;
}

/* Only sizes of the store, and the two values that decide. */
static uint64_t key(const struct cemv_session *here)
{
    const struct cemv_kernel *const kernel = &here->kernel;
    uint64_t sum = kernel_walk_sum(SUM_EMPTY, &here->entry.attempts, 1);
    sum = kernel_walk_sum(sum, &kernel->afl, sizeof kernel->afl);
    struct k2_memory memory = *(const struct k2_memory *)(const void *)kernel->memory;
    memset(memory.relay, 0, sizeof memory.relay); /* random; the verdict on it is in the TVR */
    memory.number = 0;
    memory.pdol.at = 0;
    memory.cdol.at = 0;
    memory.drdol.at = 0;
    memory.ac.at = 0;
    memory.old_record.at = 0;
    memory.write_before.at = 0;
    memory.write_after.at = 0;
    for (size_t i = 0; i < K2_EVICTED_MAX; i++) memory.evicted[i].at = 0;
    sum = kernel_walk_sum(sum, &memory, sizeof memory);
    uint16_t held[K2_SLOT_END];
    for (size_t slot = 0; slot < K2_SLOT_END; slot++) {
        const cemv_bytes value = cemv_store_value(&kernel->store, (uint16_t)slot);
        const bool decides = slot == CEMV_SLOT_9F27 || slot == K2_SLOT_DF4B;
        held[slot] = (uint16_t)(value.size << 8 | (decides && value.size ? value.data[value.size - 1] : 0));
    }
    sum = kernel_walk_sum(sum, held, sizeof held);
    return kernel_walk_sum(sum, &here->kernel.transaction.reader->torn_count, 1);
}

static bool is_unasked(const struct cemv_session *here, const struct cemv_reply *reply)
{
    return reply->kind == CEMV_REPLY_DATA && cemv_session_step(here) == CEMV_STEP_SEND;
}

/* A card is presented once, or twice if the first tap was torn. Unrequested data make most lists longer; one kind is
 * enough. */
static bool is_skipped(const struct cemv_session *here, const struct cemv_reply *reply)
{
    if (is_unasked(here, reply)) return reply->bytes.data != wanted;
    if (cemv_session_step(here) != CEMV_STEP_POLL) return false;
    if (reply->kind == CEMV_REPLY_STOP || reply->kind == CEMV_REPLY_REMOVED) return false;
    const bool was_torn = here->kernel.transaction.reader->torn_count != 0;
    const uint32_t taps = cemv_session_taps(here);
    return reply->kind != CEMV_REPLY_CARD || !(taps == 0 || (taps == 1 && was_torn));
}

/* Replies that may come at any time change no state. */
static bool is_passed_over(const struct cemv_session *before, const struct cemv_reply *reply)
{
    return reply->kind == CEMV_REPLY_STOP || is_unasked(before, reply);
}

static bool approves(const struct cemv_session *session)
{
    return cemv_session_outcome(session).status == CEMV_OUTCOME_APPROVED;
}

/* The commands of Book C-2 by state, and SELECT. */
static bool sends_what_it_may(const struct cemv_session *session)
{
    const cemv_bytes command = cemv_session_command(session);
    if (cemv_session_step(session) != CEMV_STEP_SEND || command.size < 4) return true;
    const uint8_t instruction = command.data[1];
    switch (session->kernel_active ? session->kernel.out.state : 0) {
    case K2_S3_WAIT_GPO: return instruction == 0xA8;
    case K2_R1_WAIT_RELAY: return instruction == 0xEA;
    case K2_S4_WAIT_RECORD:
    case K2_S7_WAIT_RECORD: return instruction == 0xB2;
    case K2_S5_WAIT_GET_DATA:
    case K2_S16_WAIT_BALANCE:
    case K2_S17_WAIT_BALANCE: return instruction == 0xCA;
    case K2_S9_WAIT_AC:
    case K2_S11_WAIT_AC: return instruction == 0xAE;
    case K2_S10_WAIT_RECOVERY: return instruction == 0xD0;
    case K2_S12_WAIT_PUT_DATA:
    case K2_S15_WAIT_PUT_DATA: return instruction == 0xDA;
    case K2_S13_WAIT_CHECKSUM:
    case K2_S14_WAIT_CHECKSUM: return instruction == 0x2A;
    default: return instruction == 0xA4;
    }
}

static const char *violation(const struct cemv_session *session)
{
    if (!sends_what_it_may(session)) return "a command that the kernel does not know";
    return approves(session) ? "nothing without a good signature is approved offline" : NULL;
}

static uint32_t remembered;

/* A card may have counted from the cryptogram command on; only then is the transaction remembered as torn. */
static const char *abandoned(const struct cemv_session *before, const struct cemv_session *after)
{
    const struct cemv_reader_memory *const old = before->kernel.transaction.reader;
    const struct cemv_reader_memory *const new = after->kernel.transaction.reader;
    const unsigned state = before->kernel_active ? before->kernel.out.state : 0;
    const bool may_have_counted = state == K2_S9_WAIT_AC || state == K2_S11_WAIT_AC || state == K2_S15_WAIT_PUT_DATA ||
                                  state == K2_S17_WAIT_BALANCE || state == K2_S910_WAIT_CARD_READ;
    remembered += new->torn_count > old->torn_count;
    if (may_have_counted || memcmp(new, old, sizeof *new) == 0) return NULL;
    return "remembered where nothing can have been counted";
}

/* A merchant's name and eleven further objects of 160 or 190 bytes that the terminal has and wants to see, and one that
 * no card supplies: three records of answers, five objects in each. */
static size_t put_envelopes(uint8_t *out)
{
    static const uint8_t tags[12][2] = {
        { 0x9F, 0x70 }, { 0x9F, 0x71 }, { 0x9F, 0x72 }, { 0x9F, 0x73 }, { 0x9F, 0x74 }, { 0x9F, 0x75 },
        { 0x9F, 0x76 }, { 0x9F, 0x77 }, { 0x9F, 0x78 }, { 0x9F, 0x79 }, { 0x9F, 0x4E }, { 0xDF, 0x63 },
    };
    static const uint8_t header[] = { 0xDF, 0x81, 0x12, 2 + sizeof tags, 0x9F, 0x4D };
    size_t size = sizeof header + sizeof tags;
    memcpy(out, header, sizeof header);
    memcpy(out + sizeof header, tags, sizeof tags);
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        const uint8_t head[] = { tags[i][0], tags[i][1], 0x81, tags[i][0] == 0xDF ? 160 : 190 };
        memcpy(out + size, head, sizeof head);
        memset(out + size + sizeof head, 'Z', head[3]);
        size += sizeof head + head[3];
    }
    return size;
}

/* The objects that the terminal announces at the beginning, and the number of random bytes it gives; a star: envelopes,
 * too. */
static const struct {
    uint64_t amount;
    size_t random;
    const char *announced;
} beginnings[] = {
    { 900, 4, "" },
    { 900, 12, "" },
    { 15000, 12, "DF810400DF810500" },
    { 900, 4, "DF8110009F5300DF8112029F76" },
    { 900, 12, "DF810400DF810500DF811000" },
    { 900, 4, "*" },
    { 900, 12, "DF810400DF811000*" },
};

static bool walk_beginning(struct kernel_walk *walk, const struct cemv_configuration *configuration, size_t number)
{
    uint8_t data[2400];
    const char *const announced = beginnings[number].announced;
    size_t size = bytes_of_hex(announced, data);
    if (strchr(announced, '*')) size += put_envelopes(data + size);
    struct cemv_reader_memory reader = { 0 };
    const struct cemv_transaction sale = {
        .amount = beginnings[number].amount,
        .currency = 0x0978,
        .exponent = 2,
        .date = { 0x26, 0x11, 0x21 },
        .reader = &reader,
        .data = { data, size },
    };
    const struct kernel_walk_setup setup = { .configuration = configuration,
                                             .sales = &sale,
                                             .sale_count = 1,
                                             .responses = responses,
                                             .response_count = KERNEL_WALK_COUNT(responses),
                                             .replies = replies,
                                             .reply_count = KERNEL_WALK_COUNT(replies),
                                             .random = { numbers, beginnings[number].random },
                                             .edges = cemv_kernel_2.edges,
                                             .violation = violation,
                                             .key = key,
                                             .skipped = is_skipped,
                                             .passed_over = is_passed_over,
                                             .abandoned = abandoned };
    return kernel_walk(walk, &setup);
}

static bool walk_profile(struct kernel_walk *walk, uint8_t profile)
{
    static const uint8_t aid[] = { 0xA0, 0, 0, 0, 4, 0x10, 0x10 };
    static const struct cemv_kernel_row kernel = { { 2 }, 1, &cemv_kernel_2, NULL };
    static const char settings[] = "DF811B0130DF81170160DF81180148DF81190108DF811F0108DF811D0101"
                                   "DF8120050000000000DF8121050400000000DF8122050000000000"
                                   "DF812306000000005000DF812406000000020000DF812506000000020000DF812606000000010000";
    uint8_t data[sizeof settings / 2];
    const struct cemv_protection protection = {
        .profile = profile, .max_taps = 2, .magstripe = CEMV_RULE_ENFORCE, /* needed in `strict` */
    };
    const struct cemv_combination row = {
        .aid = { aid, sizeof aid },
        .kernel_id = { 2 },
        .kernel_id_size = 1,
        .data = { data, bytes_of_hex(settings, data) },
        .own_protection = true,
        .protection = protection,
    };
    const struct cemv_configuration configuration = {
        .combinations = &row,
        .combination_count = 1,
        .kernels = &kernel,
        .kernel_count = 1,
        .protection = { .profile = profile, .max_taps = 2 },
    };
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
        if (!walk_beginning(walk, &configuration, i)) return false;
    return true;
}

int walk_kernel_2(void)
{
    static const uint8_t profiles[] = { CEMV_PROFILE_BOOK, CEMV_PROFILE_STRICT };
    int bad = 0;
    for (size_t i = 0; i < sizeof profiles; i++) {
        struct kernel_walk walk = { .sessions = 0 };
        remembered = 0;
        bad += !walk_profile(&walk, profiles[i]);
        for (unsigned row = 0; row < 32; row++) {
            const uint32_t seen = walk.observed[row] | unseen(row);
            if (seen == cemv_kernel_2.edges->next[row]) continue;
            printf("edges of state %u: %08X seen, %08X declared\n", row, seen, cemv_kernel_2.edges->next[row]);
            bad++;
        }
        bad += remembered == 0;
        bad += kernel_walk_report(&walk, profiles[i] == CEMV_PROFILE_BOOK ? "Kernel 2, book" : "Kernel 2, strict");
    }
    return bad;
}
