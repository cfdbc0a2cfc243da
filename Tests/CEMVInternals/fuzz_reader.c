/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions that fuzz the reader in addition to the card: every member of a configuration that decides something, for
 * each of the built-in kernels. An input whose configuration is rejected has no effect. */
#include "fuzz.h"

#include <string.h>

#include "CEMVInternals.h"

enum { ROWS = 6, ROW_BYTES = 6, DATA_MAX = 400, LIST_MAX = 1024 };
enum { MASTERCARD, VISA, DISCOVER, UNION_PAY, AMERICAN_EXPRESS, JCB };

/* Bytes of the prefix. */
enum {
    AT_ROWS = 0,       /* bits 0 to 5: the configured rows; 6 and 7: presentments */
    AT_SALE = 1,       /* bits 0 to 3: amount; 4 and 5: type; 6: with cash back; 7: Autorun */
    AT_TERMINAL = 2,   /* bits 0 to 2: terminal type; 3: without 9F33; 4: without 9F40; 5: exceptions; 6: zero random */
    AT_PROTECTION = 3, /* two bits each: offline, magstripe, cid_mismatch, oda_tamper */
    AT_ANNOUNCED = 4,  /* 4 bytes: the data of the sale; zero: none */
    AT_DATA = 8,       /* 4 bytes: data objects of Kernel 2's row */
    AT_PROFILE = 12,   /* bits 0 and 1 */
    AT_FIRST_ROW = 13, /* ROW_BYTES for each row: TTQ or options, and its limits */
};
_Static_assert(AT_FIRST_ROW + ROWS * ROW_BYTES == FUZZ_READER_PREFIX, "a prefix has a place for every row");

struct fuzzed {
    struct recorded_reader reader;
    struct recorded_tap tap;
    struct cemv_combination rows[ROWS];
    struct cemv_kernel_3_options visa;
    struct cemv_kernel_6_options discover;
    struct cemv_kernel_7_options union_pay;
    struct cemv_kernel_4_options american_express;
    struct cemv_kernel_5_options jcb;
    struct cemv_limits dynamic;
    const struct cemv_limits *sets[CEMV_KERNEL_4_LIMIT_SETS + 1];
    uint8_t capabilities[11]; /* 9F6D and 9F6E of Kernel 4's row */
    struct cemv_exception exception;
    uint8_t data[DATA_MAX], list[LIST_MAX];
    _Alignas(CEMV_ALIGNMENT) uint8_t checked[8192];
};

static uint32_t number_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Data objects of Kernel 2's row: each is left out, has a reader's usual value, or any value. */
static size_t put_configuration(uint32_t seed, uint8_t *out)
{
    static const struct {
        uint32_t tag;
        uint8_t size;
        uint8_t value[8];
    } objects[] = {
        { 0xDF8117, 1, { 0x60 } },
        { 0xDF8118, 1, { 0x48 } },
        { 0xDF8119, 1, { 0x08 } },
        { 0xDF811A, 3, { 0x9F, 0x6A, 0x04 } },
        { 0xDF811B, 1, { 0x30 } },
        { 0xDF811C, 2, { 0x01, 0x2C } },
        { 0xDF811D, 1, { 0x02 } },
        { 0xDF811E, 1, { 0xF0 } },
        { 0xDF811F, 1, { 0x08 } },
        { 0xDF8120, 5, { 0 } },
        { 0xDF8121, 5, { 0x04 } },
        { 0xDF8122, 5, { 0 } },
        { 0xDF8123, 6, { 0, 0, 0, 0, 0x50, 0 } },
        { 0xDF8124, 6, { 0, 0, 0, 2, 0, 0 } },
        { 0xDF8125, 6, { 0, 0, 0, 5, 0, 0 } },
        { 0xDF8126, 6, { 0, 0, 0, 1, 0, 0 } },
        { 0xDF8127, 2, { 0x01, 0xF4 } },
        { 0xDF8130, 1, { 0x0D } },
        { 0xDF8132, 2, { 0, 20 } },
        { 0xDF8133, 2, { 0, 50 } },
        { 0xDF8136, 2, { 1, 0x2C } },
        { 0x9F6D, 2, { 0, 1 } },
        { 0x9F09, 2, { 0, 2 } },
    };
    uint64_t random = seed;
    size_t size = 0;
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        const uint64_t drawn = random_next(&random);
        if (drawn % 4 == 0) continue;
        size += cemv_tag_write(out + size, objects[i].tag);
        out[size++] = objects[i].size;
        memcpy(out + size, objects[i].value, objects[i].size);
        if (drawn % 4 == 1) out[size + drawn / 4 % objects[i].size] = (uint8_t)(drawn >> 16);
        size += objects[i].size;
    }
    return size;
}

/* Each limit is near one of the amounts of choose_sale(), or absent. */
static struct cemv_limits limits_of(uint8_t present, uint8_t edge)
{
    static const uint64_t edges[] = { 0, 1000, 5000, 10000, 15000, 20000, 30000, 50000 };
    struct cemv_limits limits = { .present = present >> 3 };
    for (unsigned i = 0; i < CEMV_LIMIT_COUNT; i++) limits.amount[i] = edges[(edge >> i) & 7];
    return limits;
}

static void choose_american_express(struct fuzzed *fuzzed, const uint8_t own[ROW_BYTES])
{
    static const char list[] = "\x9F\x34\3\x9F\x26\x08";
    const uint8_t capabilities[] = { 0x9F, 0x6D, 1, own[0] & 0xC8, 0x9F, 0x6E, 4, own[1], own[2] & 0xFC, 0, own[3] };
    struct cemv_kernel_4_options *const options = &fuzzed->american_express;
    memcpy(fuzzed->capabilities, capabilities, sizeof capabilities);
    options->cannot_go_online = (own[0] & 1) != 0;
    if ((own[0] & 2) != 0) options->discretionary_list = (cemv_bytes){ (const uint8_t *)list, sizeof list - 1 };
    if ((own[0] & 4) != 0) options->number_range = 59u + own[3];
    if ((own[2] & 1) != 0) memcpy(options->tac_online, "\x80\0\x80\0\0", 5);
    if ((own[2] & 2) != 0) memcpy(options->tac_denial, "\0\x40\0\0\0", 5);
    fuzzed->dynamic = limits_of(own[5], own[4]);
    fuzzed->sets[0] = fuzzed->sets[1 + own[3] % CEMV_KERNEL_4_LIMIT_SETS] = &fuzzed->dynamic;
    if ((own[0] & 16) != 0) options->dynamic_limits = fuzzed->sets;
}

static void choose_jcb(struct fuzzed *fuzzed, const uint8_t own[ROW_BYTES])
{
    struct cemv_kernel_5_options *const options = &fuzzed->jcb;
    options->limits = limits_of(own[4], own[5]);
    options->limits.present &= (uint8_t) ~(1u << CEMV_LIMIT_TERMINAL_FLOOR);
    if (own[0] != 0) options->combination_options[0] = (own[0] & 0x79) | CEMV_KERNEL_5_EMV_MODE;
    options->terminal_interchange_profile[0] = own[1] & 0x77;
    options->terminal_interchange_profile[1] = own[2] & CEMV_KERNEL_5_TIP_2_ISSUER_UPDATE;
    options->given = own[3] & 0x0F;
    options->target = own[2] & 0x1F;
    options->maximum_target = own[2] & 0x3F;
    options->threshold = own[3];
    options->removal_timeout = own[3] >> 4;
}

static void choose_options(struct fuzzed *fuzzed, const uint8_t *prefix)
{
    const uint8_t *const rows = prefix + AT_FIRST_ROW;
    fuzzed->visa.gpo_format_1 = (prefix[AT_DATA] & 1) != 0;
    fuzzed->visa.usage_control_off = (prefix[AT_DATA] & 2) != 0;
    fuzzed->discover.mode = prefix[AT_DATA + 1] % 5;
    fuzzed->discover.other_interfaces = prefix[AT_DATA + 1] >> 4 & 7;
    fuzzed->discover.one_presentment = (rows[DISCOVER * ROW_BYTES + 4] & 4) != 0;
    fuzzed->union_pay.oda_for_online = (prefix[AT_DATA + 2] & 1) != 0;
    fuzzed->union_pay.cvm_off = (prefix[AT_DATA + 2] & 2) != 0;
    fuzzed->union_pay.other_interfaces = prefix[AT_DATA + 2] >> 4 & 7;
    choose_american_express(fuzzed, rows + AMERICAN_EXPRESS * ROW_BYTES);
    choose_jcb(fuzzed, rows + JCB * ROW_BYTES);
}

static size_t choose_rows(struct fuzzed *fuzzed, const uint8_t *prefix)
{
    static const struct {
        uint8_t name[8], size, kernel;
        bool has_ttq, has_limits;
    } kinds[ROWS] = {
        [MASTERCARD] = { { 0xA0, 0, 0, 0, 4, 0x10, 0x10 }, 7, 2, false, false },
        [VISA] = { { 0xA0, 0, 0, 0, 3, 0x10, 0x10 }, 7, 3, true, true },
        [DISCOVER] = { { 0xA0, 0, 0, 1, 0x52, 0x30, 0x10 }, 7, 6, true, true },
        [UNION_PAY] = { { 0xA0, 0, 0, 3, 0x33, 1, 1, 1 }, 8, 7, true, true },
        [AMERICAN_EXPRESS] = { { 0xA0, 0, 0, 0, 0x25, 1 }, 6, 4, false, true },
        [JCB] = { { 0xA0, 0, 0, 0, 0x65, 0x10, 0x10 }, 7, 5, false, false },
    };
    static const uint8_t types[] = { 0x00, 0x01, 0x09, 0x20 };
    const void *const options[ROWS] = {
        [VISA] = &fuzzed->visa,
        [DISCOVER] = &fuzzed->discover,
        [UNION_PAY] = &fuzzed->union_pay,
        [AMERICAN_EXPRESS] = &fuzzed->american_express,
        [JCB] = &fuzzed->jcb,
    };
    size_t count = 0;
    choose_options(fuzzed, prefix);
    for (size_t i = 0; i < ROWS; i++) {
        const uint8_t *const own = prefix + AT_FIRST_ROW + i * ROW_BYTES;
        if ((prefix[AT_ROWS] >> i & 1) == 0) continue;
        struct cemv_combination *const row = &fuzzed->rows[count++];
        *row = (struct cemv_combination){
            .aid = { kinds[i].name, kinds[i].size },
            .kernel_id = { kinds[i].kernel },
            .kernel_id_size = 1,
            .ttq = { own, kinds[i].has_ttq ? 4 : 0 },
            .transaction_types = { types, sizeof types },
            .zero_amount = own[4] & 1,
            .status_check = (own[4] & 2) != 0,
            .options = options[i],
        };
        if (kinds[i].has_limits) row->limits = limits_of(own[4], own[5]);
        if (i == MASTERCARD)
            row->data = (cemv_bytes){ fuzzed->data, put_configuration(number_at(prefix + AT_DATA), fuzzed->data) };
        if (i == AMERICAN_EXPRESS) row->data = (cemv_bytes){ fuzzed->capabilities, sizeof fuzzed->capabilities };
    }
    return count;
}

static void choose_sale(struct fuzzed *fuzzed, const uint8_t *prefix)
{
    static const uint64_t amounts[] = { 0,     1,     100,   999,   1000,  1001,  5000,  5001,
                                        10000, 15000, 15001, 20000, 30000, 30001, 50001, 999999999999 };
    static const uint8_t types[] = { 0x00, 0x01, 0x09, 0x20 };
    struct cemv_transaction *const sale = &fuzzed->tap.transaction;
    uint64_t random = number_at(prefix + AT_ANNOUNCED);
    *sale = (struct cemv_transaction){
        .type = types[prefix[AT_SALE] >> 4 & 3],
        .amount = amounts[prefix[AT_SALE] & 15],
        .currency = 0x0978,
        .exponent = 2,
        .date = { 0x26, 0x11, 0x21 },
        .time = { 0x12, 0, 0 },
        .counter = 1,
        .start_b = (prefix[AT_SALE] & 0x80) != 0,
    };
    if ((prefix[AT_SALE] & 0x40) != 0) sale->amount_other = sale->amount / 2;
    if (random != 0) sale->data = (cemv_bytes){ fuzzed->list, fuzz_put_terminal(&random, fuzzed->list) };
}

static cemv_bytes terminal_of(uint8_t byte, uint8_t out[64])
{
    static const uint8_t fixed[] = { 0x9F, 0x1A, 2,   0x02, 0x76, 0x9F, 0x09, 2,   0,   2,  0x9F,
                                     0x1E, 8,    '1', '2',  '3',  '4',  '5',  '6', '7', '8' };
    static const uint8_t types[] = { 0x22, 0x21, 0x14, 0x23, 0x25, 0x26, 0x34, 0x11 };
    static const uint8_t capabilities[] = { 0x9F, 0x33, 3, 0xE0, 0xB8, 0xC8 };
    static const uint8_t more[] = { 0x9F, 0x40, 5, 0x60, 0, 0xB0, 0xA0, 1 };
    const uint8_t type[] = { 0x9F, 0x35, 1, types[byte & 7] };
    size_t size = sizeof fixed;
    memcpy(out, fixed, sizeof fixed);
    memcpy(out + size, type, sizeof type);
    size += sizeof type;
    if ((byte & 8) == 0) {
        memcpy(out + size, capabilities, sizeof capabilities);
        size += sizeof capabilities;
    }
    if ((byte & 16) == 0) {
        memcpy(out + size, more, sizeof more);
        size += sizeof more;
    }
    return (cemv_bytes){ out, size };
}

const char *fuzz_reader(const struct recorded_taps *recorded, struct tap_bench *bench, cemv_bytes input)
{
    static const struct cemv_kernel_row kernels[] = {
        { { 2 }, 1, &cemv_kernel_2, NULL }, { { 3 }, 1, &cemv_kernel_3, NULL }, { { 4 }, 1, &cemv_kernel_4, NULL },
        { { 5 }, 1, &cemv_kernel_5, NULL }, { { 6 }, 1, &cemv_kernel_6, NULL }, { { 7 }, 1, &cemv_kernel_7, NULL }
    };
    static const uint8_t listed[] = { 0x60, 0x11, 0x00, 0x09, 0x90, 0x13, 0x94, 0x24 };
    static const uint8_t pool[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
    static _Thread_local struct fuzzed fuzzed;
    struct cemv_config_error error;
    uint8_t terminal[64];
    if (input.size < FUZZ_READER_PREFIX + 2) return NULL;
    const uint8_t *const prefix = input.data;
    const uint8_t rules = prefix[AT_PROTECTION];
    memset(&fuzzed, 0, sizeof fuzzed);
    fuzzed.exception = (struct cemv_exception){ .pan = { listed, sizeof listed }, .any_sequence = true };
    const struct cemv_configuration configuration = {
        .terminal_data = terminal_of(prefix[AT_TERMINAL], terminal),
        .combinations = fuzzed.rows,
        .combination_count = choose_rows(&fuzzed, prefix),
        .kernels = kernels,
        .kernel_count = sizeof kernels / sizeof kernels[0],
        .exceptions = &fuzzed.exception,
        .exception_count = prefix[AT_TERMINAL] >> 5 & 1,
        .protection = { .profile = prefix[AT_PROFILE] & 3,
                        .max_taps = 1 + (prefix[AT_ROWS] >> 6),
                        .offline = rules & 3,
                        .magstripe = rules >> 2 & 3,
                        .cid_mismatch = rules >> 4 & 3,
                        .oda_tamper = rules >> 6 },
    };
    fuzzed.reader.configuration = configuration;
    if (cemv_configuration_check(&fuzzed.reader.configuration, fuzzed.checked, sizeof fuzzed.checked,
                                 &fuzzed.reader.checked, &error) != CEMV_OK)
        return NULL;
    fuzzed.tap.reader = &fuzzed.reader;
    fuzzed.tap.random = (cemv_bytes){ pool, (prefix[AT_TERMINAL] & 64) != 0 ? 4 : sizeof pool };
    choose_sale(&fuzzed, prefix);
    return fuzz_play(recorded, &fuzzed.tap, bench,
                     (cemv_bytes){ input.data + FUZZ_READER_PREFIX, input.size - FUZZ_READER_PREFIX });
}
