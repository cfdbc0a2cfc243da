// SPDX-License-Identifier: Apache-2.0
/* Kernel 2: depth-first over every wait of one activation. At each, every class of reply; what is observed is compared
 * with the edge table. Sessions are told apart by the machine, what the kernel holds, and the reader's memory, which
 * every fork has of its own. */
#include "CEMVInternals.h"
#include "../../Sources/CEMV/kernels/k2_memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEN_SIZE    (1u << 21)
#define MAX_SESSIONS 1000000u

struct walker {
    struct edge_walk_k2 *result;
    uint64_t *seen;
    struct cemv_reply replies[96];
    uint8_t bytes[96][260];
    size_t count;
};

struct fork {
    struct cemv_session *session;
    struct cemv_reader_memory *reader;
};

/* A star after a tag stands for the length of all that follows, and for 9000 behind it. */
static void add(struct walker *w, uint8_t kind, const char *hex, uint32_t elapsed_us)
{
    uint8_t *at = w->bytes[w->count];
    char whole[600];
    size_t size = 0;
    const char *star = strchr(hex, '*');
    if (star) {
        const int tag = (int)(star - hex);
        snprintf(whole, sizeof whole, "%.*s%s%02X%s9000", tag, hex, strlen(star + 1) / 2 > 127 ? "81" : "",
                 (unsigned)strlen(star + 1) / 2, star + 1);
        hex = whole;
    }
    for (; hex[0] && hex[1]; hex += 2) {
        const char pair[3] = { hex[0], hex[1], 0 };
        at[size++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    w->replies[w->count++] = (struct cemv_reply){ .kind = kind, .bytes = { at, size }, .elapsed_us = elapsed_us };
}

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
    /* relay resistance */
    "800A112233440028006400189000",
    /* records: whole; without CDOL; with DRDOL; certificates that prove nothing; mag-stripe with eight and with two
       digits */
    "70*" RECORD_HEAD CDOL,
    "70*" RECORD_HEAD,
    "70*" RECORD_HEAD CDOL "9F51039F3704",
    "70*8F01F39F4A018290010192010193019F3201039F4701039F4801009F460100",
    "70*9F650200079F660207F89F6701009F6B135413339000001513D49121019000990000000F9F69039F6A04",
    "70*9F650200079F660200189F6701009F6B135413339000001513D49121019000990000000F",
    /* cryptograms: TC, ARQC, AAC, no type at all; signed; format 1; with a second tap asked for */
    "77*9F270140" AC,
    "77*9F270180" AC,
    "77*9F270100" AC,
    "77*9F2701C0" AC,
    "77*9F270180" AC "9F4B080000000000000000",
    "80*8000011122334455667788010203040506",
    "77*9F270180" AC "DF4B03000200",
    /* checksums: whole; without CVC3; the same with a second tap asked for; verified on the device */
    "77*9F6102A2C49F360203F9",
    "77*9F360203F9",
    "77*9F360203F9DF4B03000200",
    "77*9F6102A2C49F360203F9DF4B03001000",
    "77*9F360203F9DF4B03000000",
    /* balance, an envelope */
    "9F50060000000012349000",
    "9F7603AABBCC9000",
};

static void gather(struct walker *w)
{
    static const uint32_t times[] = { 8000, 3000, 21000 };
    for (size_t i = 0; i < sizeof responses / sizeof responses[0]; i++) {
        const bool relay = strncmp(responses[i], "800A", 4) == 0;
        for (size_t j = 0; j < (relay ? 3u : 1u); j++) add(w, CEMV_REPLY_RESPONSE, responses[i], times[j]);
    }
    for (uint8_t kind = CEMV_REPLY_TIMEOUT; kind <= CEMV_REPLY_REMOVED; kind++) add(w, kind, "", 0);
    for (uint8_t kind = CEMV_REPLY_DEADLINE; kind <= CEMV_REPLY_CONTINUE; kind++) add(w, kind, "", 0);
    add(w, CEMV_REPLY_DATA, "", 0);
    add(w, CEMV_REPLY_DATA, "DF811001009F530152", 0);
    add(w, CEMV_REPLY_DATA, "DF811001019F530152FF8103089F7501AA9F7601BB", 0);
    add(w, CEMV_REPLY_DATA, "DF811001019F530152FF8102089F7501AA9F7601BB", 0);
    add(w, CEMV_REPLY_DATA, "DF8112029F76DF81100101", 0);
    add(w, CEMV_REPLY_DATA, "DF8112029F76", 0);
    add(w, CEMV_REPLY_DATA, "FFFFFFFF", 0);
    add(w, CEMV_REPLY_DATA, "0102030405060708090A0B0C0D0E0F10", 0);
}

static bool is_new(struct walker *w, const struct fork *here)
{
    const struct cemv_kernel *kernel = &here->session->kernel;
    uint64_t key = sum_bytes(14695981039346656037u, &kernel->out.state, 1);
    key = sum_bytes(key, &kernel->out.step, 1);
    key = sum_bytes(key, &here->session->entry.attempts, 1);
    key = sum_bytes(key, &kernel->afl, sizeof kernel->afl);
    struct k2_memory memory = *(const struct k2_memory *)(const void *)kernel->memory;
    memset(memory.relay, 0, sizeof memory.relay); /* random; the verdict on it is in the TVR */
    memory.number = 0;
    memory.pdol.offset = memory.cdol.offset = memory.drdol.offset = memory.ac.offset = memory.old_record.offset = 0;
    for (unsigned i = 0; i < K2_EVICTED_MAX; i++) memory.evicted[i].offset = 0;
    memory.write_before.offset = memory.write_after.offset = 0;
    key = sum_bytes(key, &memory, sizeof memory);
    for (size_t slot = 0; slot < CEMV_SLOT_COUNT; slot++) {
        const cemv_bytes value = cemv_store_value(&kernel->store, (uint16_t)slot);
        const uint8_t held[2] = { (uint8_t)value.size, slot == CEMV_SLOT_9F27 || slot == CEMV_SLOT_DF4B
                                                           ? (value.size ? value.data[value.size - 1] : 0)
                                                           : 0 };
        key = sum_bytes(key, held, sizeof held);
    }
    key = sum_bytes(key, &here->reader->torn_count, 1) | 1;
    for (size_t i = key % SEEN_SIZE;; i = (i + 1) % SEEN_SIZE) {
        if (w->seen[i] == key) return false;
        if (w->seen[i]) continue;
        w->seen[i] = key;
        return true;
    }
}

static unsigned row_of(uint8_t state)
{
    const unsigned row = (unsigned)state - CEMV_STATE_K2;
    return row < 32 ? row : 0;
}

static void observe(struct edge_walk_k2 *result, uint8_t from, const struct cemv_session *after)
{
    const uint8_t to = after->kernel.out.state;
    const bool ended = after->kernel.out.step == CEMV_STEP_DONE;
    if (after->kernel.out.outcome.reason == CEMV_REASON_INTERNAL) result->internal_errors++;
    if (row_of(from) == 0 && (ended || row_of(to) == 0)) return; /* Entry Point's own edge */
    result->observed[row_of(from)] |= ended || row_of(to) == 0 ? 1u : 1u << row_of(to);
}

static bool holds_card_bytes(const struct cemv_session *s)
{
    const uint8_t *store = (const uint8_t *)&s->kernel.store;
    for (size_t i = 0; i < sizeof s->kernel.store; i++)
        if (store[i]) return true;
    return false;
}

static struct fork copy_of(const struct fork *here)
{
    struct fork fork = { aligned_alloc(CEMV_ALIGNMENT, CEMV_SESSION_SIZE), malloc(sizeof(struct cemv_reader_memory)) };
    memcpy(fork.session, here->session, sizeof *fork.session);
    memcpy(fork.reader, here->reader, sizeof *fork.reader);
    cemv_session_set_reader(fork.session, fork.reader);
    return fork;
}

/* Entry Point has a walk of its own: here a card comes, once, or twice where the first was torn. */
static bool is_of_interest(const struct fork *here, const struct cemv_reply *reply)
{
    static const uint8_t tags_to_read[] = { 0xDF, 0x81, 0x12 };
    const uint8_t kind = reply->kind;
    /* Unasked data change no step, and most lists grow by them. */
    if (kind == CEMV_REPLY_DATA && cemv_session_step(here->session) == CEMV_STEP_SEND) {
        return reply->bytes.size == 6 && memcmp(reply->bytes.data, tags_to_read, sizeof tags_to_read) == 0;
    }
    if (cemv_session_step(here->session) != CEMV_STEP_POLL) return true;
    if (kind == CEMV_REPLY_STOP || kind == CEMV_REPLY_REMOVED) return true;
    return kind == CEMV_REPLY_CARD && (cemv_session_taps(here->session) == 0 ||
                                       (cemv_session_taps(here->session) == 1 && here->reader->torn_count != 0));
}

/* Given up at any wait: done, wiped, and remembered as torn only from the cryptogram command on. */
static void give_up(struct walker *w, const struct fork *here)
{
    static const uint8_t counted[] = { K2_S9_WAIT_AC, K2_S11_WAIT_AC, K2_S15_WAIT_PUT_DATA, K2_S17_WAIT_BALANCE,
                                       K2_S910_WAIT_CARD_READ };
    const uint8_t state = here->session->kernel.out.state;
    const struct cemv_reply abandon = { .kind = CEMV_REPLY_ABANDON };
    struct fork fork = copy_of(here);
    bool may_be_counted = false;
    for (size_t i = 0; i < sizeof counted; i++) may_be_counted |= counted[i] == state;
    const bool done = cemv_session_reply(fork.session, &abandon) == CEMV_STEP_DONE;
    if (!done || holds_card_bytes(fork.session)) w->result->abandoned_badly++;
    if (fork.session->kernel.out.outcome.status == CEMV_OUTCOME_APPROVED &&
        cemv_session_step(here->session) != CEMV_STEP_PARKED)
        w->result->abandoned_badly++;
    if (memcmp(fork.reader, here->reader, sizeof *fork.reader) != 0 && !may_be_counted) w->result->abandoned_badly++;
    if (fork.reader->torn_count > here->reader->torn_count) w->result->remembered++;
    free(fork.session);
    free(fork.reader);
}

static void visit(struct walker *w, const struct fork *here, uint32_t depth)
{
    const uint8_t from = here->session->kernel.out.state;
    bool left = false;
    w->result->sessions++;
    give_up(w, here);
    if (depth > w->result->deepest) w->result->deepest = depth;
    for (size_t i = 0; i < w->count && w->result->sessions < MAX_SESSIONS; i++) {
        const uint8_t kind = w->replies[i].kind;
        if (!cemv_session_takes(here->session, kind) || !is_of_interest(here, &w->replies[i])) continue;
        struct fork fork = copy_of(here);
        const enum cemv_step step = cemv_session_reply(fork.session, &w->replies[i]);
        const bool ignored = kind == CEMV_REPLY_STOP ||
                             (kind == CEMV_REPLY_DATA && cemv_session_step(here->session) == CEMV_STEP_SEND);
        if (kind != CEMV_REPLY_STOP) left = true;
        if (!ignored) observe(w->result, from, fork.session);
        if (fork.session->kernel.out.outcome.status == CEMV_OUTCOME_APPROVED) w->result->approvals++;
        if (step == CEMV_STEP_DONE) {
            w->result->ends++;
            if (holds_card_bytes(fork.session)) w->result->not_wiped++;
        } else if (is_new(w, &fork)) {
            visit(w, &fork, depth + 1);
        }
        free(fork.session);
        free(fork.reader);
    }
    if (!left && cemv_session_step(here->session) != CEMV_STEP_POLL) w->result->without_exit++;
}

static size_t hex_of(const char *text, uint8_t *out)
{
    size_t size = 0;
    for (; text[0] && text[1] && text[0] != '*'; text += 2) {
        const char pair[3] = { text[0], text[1], 0 };
        out[size++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return size;
}

/* A merchant's name and eleven objects more of 160 or 190 bytes that the terminal has and wants to see, and one that no
 * card brings: three records of answers, five objects in each. */
static size_t put_envelopes(uint8_t *out)
{
    static const uint8_t tags[12][2] = {
        { 0x9F, 0x70 }, { 0x9F, 0x71 }, { 0x9F, 0x72 }, { 0x9F, 0x73 }, { 0x9F, 0x74 }, { 0x9F, 0x75 },
        { 0x9F, 0x76 }, { 0x9F, 0x77 }, { 0x9F, 0x78 }, { 0x9F, 0x79 }, { 0x9F, 0x4E }, { 0xDF, 0x63 },
    };
    static const uint8_t header[] = { 0xDF, 0x81, 0x12, 2 + sizeof tags, 0x9F, 0x4D };
    size_t size = sizeof header + sizeof tags;
    memcpy(out, header, sizeof header), memcpy(out + sizeof header, tags, sizeof tags);
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        const uint8_t head[] = { tags[i][0], tags[i][1], 0x81, tags[i][0] == 0xDF ? 160 : 190 };
        memcpy(out + size, head, sizeof head), memset(out + size + sizeof head, 'Z', head[3]);
        size += sizeof head + head[3];
    }
    return size;
}

/* "*" behind what is announced: envelopes besides. */
static void walk_sale(struct walker *w, const struct cemv_checked *checked, uint64_t amount, size_t random,
                      const char *announced)
{
    static const uint8_t pool[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
    uint8_t data[2400];
    size_t size = hex_of(announced, data);
    if (strchr(announced, '*')) size += put_envelopes(data + size);
    struct cemv_reader_memory reader = { 0 };
    struct fork begun = { aligned_alloc(CEMV_ALIGNMENT, CEMV_SESSION_SIZE), &reader };
    struct cemv_transaction sale = {
        .amount = amount,
        .currency = 0x0978,
        .exponent = 2,
        .date = { 0x26, 0x11, 0x21 },
        .reader = &reader,
        .data = { data, size },
    };
    struct cemv_config_error error;
    memset(begun.session, 0, CEMV_SESSION_SIZE);
    memset(w->seen, 0, SEEN_SIZE * sizeof(uint64_t));
    if (cemv_session_begin(begun.session, CEMV_SESSION_SIZE, checked, &sale, (cemv_bytes){ pool, random },
                           &begun.session, &error) == CEMV_OK) {
        visit(w, &begun, 0);
    } else {
        w->result->internal_errors++;
    }
    free(begun.session);
}

void edge_walk_k2(struct edge_walk_k2 *result, uint8_t profile)
{
    _Alignas(CEMV_ALIGNMENT) uint8_t checked_memory[2048];
    static const uint8_t aid[] = { 0xA0, 0, 0, 0, 4, 0x10, 0x10 };
    uint8_t data[256];
    const struct cemv_kernel_row kernels[] = { { { 2 }, 1, &cemv_kernel_2 } };
    struct cemv_combination row = { .aid = { aid, sizeof aid }, .kernel_id = { 2 }, .kernel_id_size = 1 };
    struct cemv_configuration configuration = {
        .combinations = &row,
        .combination_count = 1,
        .kernels = kernels,
        .kernel_count = 1,
        .protection = { .profile = profile, .max_taps = 2 },
    };
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    struct walker *w = calloc(1, sizeof *w);
    row.data =
        (cemv_bytes){ data, hex_of("DF811B0130DF81170160DF81180148DF81190108DF811F0108DF811D0101DF8120050000000000DF812"
                                   "1050400000000DF8122050000000000"
                                   "DF812306000000005000DF812406000000020000DF812506000000020000DF812606000000010000",
                                   data) };
    row.own_protection = true, row.protection = configuration.protection,
    row.protection.magstripe = CEMV_RULE_ENFORCE; /* strict asks for it by name */
    memset(result, 0, sizeof *result);
    w->result = result;
    w->seen = calloc(SEEN_SIZE, sizeof(uint64_t));
    gather(w);
    if (cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) == CEMV_OK) {
        walk_sale(w, checked, 900, 4, "");
        walk_sale(w, checked, 900, 12, "");
        walk_sale(w, checked, 15000, 12, "DF810400DF810500");
        walk_sale(w, checked, 900, 4, "DF8110009F5300DF8112029F76");
        walk_sale(w, checked, 900, 12, "DF810400DF810500DF811000");
        walk_sale(w, checked, 900, 4, "*");
        walk_sale(w, checked, 900, 12, "DF810400DF811000*");
    } else {
        result->internal_errors++;
    }
    free(w->seen);
    free(w);
}
