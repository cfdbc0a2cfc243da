/* Kernel 2: depth-first over every wait of one activation. At each, every class of reply; what is observed is compared with the edge table.
 * Sessions are told apart by the machine, what the kernel holds, and the reader's memory, which every fork has of its own. */
#include "CEMVInternals.h"
#include "../../Sources/CEMV/kernels/k2_memory.h"
#include <stdlib.h>
#include <string.h>

#define SEEN_SIZE (1u << 21)
#define MAX_SESSIONS 400000u

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

static void add(struct walker *w, uint8_t kind, const char *hex, uint32_t elapsed_us)
{
    uint8_t *at = w->bytes[w->count];
    size_t size = 0;
    for (; hex[0] && hex[1]; hex += 2) {
        const char pair[3] = { hex[0], hex[1], 0 };
        at[size++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    w->replies[w->count++] = (struct cemv_reply){ .kind = kind, .bytes = { at, size }, .elapsed_us = elapsed_us };
}

#define RECORD_HEAD "5A0854133390000015135F24033012315F3401015F280202769F0702FF00"
#define CDOL "8C159F02069F03069F1A0295055F2A029A039C019F3704"
#define AC(cid) "771E9F2701" cid "9F360200019F260811223344556677889F1007010203040506079000"
static const char *const responses[] = {
    "", "9000", "6985", "6A88", "7700FF9000",
    "6F23840E325041592E5359532E4444463031A511BF0C0E610C4F07A00000000410108701019000",
    /* FCI: balance; nothing; data storage, field off; a PDOL with a terminal datum */
    "6F208407A0000000041010A515500A4D617374657243617264BF0C069F5D030103009000",
    "6F118407A0000000041010A50650044D4153549000",
    "6F238407A0000000041010A518500A4D6173746572436172649F38069F53019F5C089F11019000",
    /* GPO: EMV mode; with relay resistance; on-device CVM; CDA; mag-stripe; empty AFL; malformed AFL */
    "770A820218809404100101009000", "770A820218819404100101009000", "770A82021A809404100101009000", "770A820219809404100102009000",
    "770A820200009404080101009000", "770A820202009404080101009000", "77088202188094020000"  "9000", "770A820218809404100001009000",
    /* relay resistance */
    "800A112233440028006400189000",
    /* records: whole; without CDOL; with DRDOL; certificates that prove nothing; mag-stripe with four digits; the same with Track 1 missing data */
    "7034" RECORD_HEAD CDOL "9000",
    "701D" RECORD_HEAD "9000",
    "703A" RECORD_HEAD CDOL "9F51039F37049000",
    "701F8F01F39F4A018290010092010193019F3201039F4701039F4801009F4601009000",
    "70299F650200FE9F66021FFE9F67010893009F6B135413339000001513D49121019000990000000F9F69039F6A049000",
    /* cryptograms: TC, ARQC, AAC, no type at all; signed; format 1; with a second tap asked for */
    AC("40"), AC("80"), AC("00"), AC("C0"),
    "77149F2701809F360200019F4B0800000000000000009000",
    "80128000011122334455667788010203040506079000",
    "77249F2701809F360200019F260811223344556677889F100701020304050607DF4B030002009000",
    /* checksums: whole; without CVC3; the same with a second tap asked for; verified on the device */
    "770A9F6102A2C49F360203F99000", "77059F360203F99000", "770B9F360203F9DF4B030002009000", "77119F6102A2C49F360203F9DF4B030010009000",
    /* balance, an envelope */
    "9F50060000000012349000", "9F7603AABBCC9000",
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
    add(w, CEMV_REPLY_DATA, "DF811001019F530152FF8103069F7503AABBCC", 0);
    add(w, CEMV_REPLY_DATA, "DF811001019F530152FF8102069F7503AABBCC", 0);
    add(w, CEMV_REPLY_DATA, "0102030405060708090A0B0C0D0E0F10", 0);
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    while (size--) hash = (hash ^ *at++) * 1099511628211u;
    return hash;
}

static bool is_new(struct walker *w, const struct fork *here)
{
    const struct cemv_kernel *kernel = &here->session->kernel;
    uint64_t key = mix(14695981039346656037u, &kernel->out.state, 1);
    key = mix(key, &kernel->out.step, 1);
    key = mix(key, &here->session->entry.taps, 1);
    key = mix(key, &kernel->random.used, 1);
    key = mix(key, &kernel->afl, sizeof kernel->afl);
    key = mix(key, kernel->memory, sizeof kernel->memory);
    key = mix(key, kernel->store.index, sizeof kernel->store.index);
    key = mix(key, kernel->store.arena, kernel->store.used);
    key = mix(key, here->reader, sizeof *here->reader) | 1;
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
    if (row_of(from) == 0 && (ended || row_of(to) == 0)) return;            /* Entry Point's own edge */
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

static void visit(struct walker *w, const struct fork *here, uint32_t depth)
{
    const uint8_t from = here->session->kernel.out.state;
    bool left = false;
    w->result->sessions++;
    if (depth > w->result->deepest) w->result->deepest = depth;
    for (size_t i = 0; i < w->count && w->result->sessions < MAX_SESSIONS; i++) {
        const uint8_t kind = w->replies[i].kind;
        if (!cemv_session_takes(here->session, kind)) continue;
        struct fork fork = copy_of(here);
        const enum cemv_step step = cemv_session_reply(fork.session, &w->replies[i]);
        const bool ignored = kind == CEMV_REPLY_STOP || (kind == CEMV_REPLY_DATA && cemv_session_step(here->session) == CEMV_STEP_SEND);
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
    if (!left) w->result->without_exit++;
}

static size_t hex_of(const char *text, uint8_t *out)
{
    size_t size = 0;
    for (; text[0] && text[1]; text += 2) {
        const char pair[3] = { text[0], text[1], 0 };
        out[size++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return size;
}

static void walk_sale(struct walker *w, const struct cemv_checked *checked, uint64_t amount, const char *announced)
{
    static const uint8_t pool[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
    uint8_t data[64];
    struct cemv_reader_memory reader = { 0 };
    struct fork begun = { aligned_alloc(CEMV_ALIGNMENT, CEMV_SESSION_SIZE), &reader };
    struct cemv_transaction sale = {
        .amount = amount, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 }, .reader = &reader,
        .data = { data, hex_of(announced, data) },
    };
    struct cemv_config_error error;
    memset(begun.session, 0, CEMV_SESSION_SIZE);
    if (cemv_session_begin(begun.session, CEMV_SESSION_SIZE, checked, &sale, (cemv_bytes){ pool, sizeof pool }, &begun.session, &error) == CEMV_OK) {
        visit(w, &begun, 0);
    } else {
        w->result->internal_errors++;
    }
    free(begun.session);
}

void edge_walk_k2(struct edge_walk_k2 *result, uint8_t profile)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t checked_memory[8192];
    static const uint8_t aid[] = { 0xA0, 0, 0, 0, 4, 0x10, 0x10 };
    uint8_t data[256];
    const struct cemv_kernel_row kernels[] = { { { 2 }, 1, &cemv_kernel_2 } };
    struct cemv_combination row = { .aid = { aid, sizeof aid }, .kernel_id = { 2 }, .kernel_id_size = 1 };
    struct cemv_configuration configuration = {
        .combinations = &row, .combination_count = 1, .kernels = kernels, .kernel_count = 1, .protection = { .profile = profile, .max_taps = 1 },
    };
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    struct walker *w = calloc(1, sizeof *w);
    row.data = (cemv_bytes){ data, hex_of("DF811B0130DF81170160DF81180148DF81190108DF811F0108DF811D0101DF8120050000000000DF8121050000000000DF8122050000000000"
        "DF812306000000005000DF812406000000020000DF812506000000020000DF812606000000010000", data) };
    memset(result, 0, sizeof *result);
    w->result = result;
    w->seen = calloc(SEEN_SIZE, sizeof(uint64_t));
    gather(w);
    if (cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) == CEMV_OK) {
        walk_sale(w, checked, 900, "");
        walk_sale(w, checked, 15000, "DF810400DF810500");
        walk_sale(w, checked, 900, "DF8110009F5300DF8112029F76");
    } else {
        result->internal_errors++;
    }
    free(w->seen);
    free(w);
}
