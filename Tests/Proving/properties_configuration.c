/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of configuration and transaction: which values are rejected, and how the error identifies section, row,
 * field and tag. */
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"

static struct cemv_configuration c;
static struct cemv_combination rows[CEMV_MAX_COMBINATIONS + 1];
static struct cemv_ca_key keys[CEMV_MAX_CA_KEYS + 1];
static struct cemv_kernel_row kernels[3];
static struct cemv_kernel_module functions[2];
static struct cemv_dynamic_limit dynamic[CEMV_MAX_DYNAMIC_LIMITS + 1];
static struct cemv_kernel_3_options options;
static struct cemv_exception exceptions[2];
static _Alignas(CEMV_ALIGNMENT) uint8_t memory[1 << 16];
static uint8_t modulus[2][CEMV_ODA_MODULUS_MAX + 1], sums[2][20];

static enum cemv_step no_step(struct cemv_kernel *kernel)
{
    (void)kernel;
    return CEMV_STEP_DONE;
}
static enum cemv_step no_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    (void)kernel;
    (void)reply;
    return CEMV_STEP_DONE;
}
static enum cemv_status third_row(const struct cemv_configuration *configuration, size_t row,
                                  struct cemv_config_error *error)
{
    (void)configuration;
    if (row != 2) return CEMV_OK;
    error->field = CEMV_FIELD_DATA;
    error->tag = 0x9F7C;
    return CEMV_CONFLICT;
}

static void sum_key(size_t i)
{
    const cemv_bytes pieces[] = { of(keys[i].rid, 5), of(&keys[i].index, 1), keys[i].modulus, BYTES("\3") };
    cemv_crypto_builtin.sha1(sums[i], pieces, 4);
}

/* Two combinations of Kernel 3 and of a third-party kernel, two CA keys, one exception: all valid. */
static void good(void)
{
    memset(rows, 0, sizeof rows);
    memset(keys, 0, sizeof keys);
    memset(dynamic, 0, sizeof dynamic);
    memset(exceptions, 0, sizeof exceptions);
    functions[0] = cemv_kernel_3;
    functions[1] = (struct cemv_kernel_module){ .start = no_step, .reply = no_reply };
    kernels[0] = (struct cemv_kernel_row){ { 3 }, 1, &functions[0] };
    kernels[1] = (struct cemv_kernel_row){ { 0x21, 0x0A }, 2, &functions[1] };
    kernels[2] = (struct cemv_kernel_row){ { 2 }, 1, &cemv_kernel_2 };
    rows[0] = (struct cemv_combination){ .aid = BYTES("\xA0\0\0\0\3\x10\x10"),
                                         .kernel_id = { 3 },
                                         .kernel_id_size = 1,
                                         .ttq = BYTES("\x36\0\x40\0"),
                                         .data = BYTES("\x9F\x1A\2\2\x76") };
    rows[1] =
        (struct cemv_combination){ .aid = BYTES("\xF0\0\0\0\1"), .kernel_id = { 0x21, 0x0A }, .kernel_id_size = 2 };
    for (size_t i = 0; i < 2; i++) {
        memset(modulus[i], 0xFF, sizeof modulus[i]);
        keys[i] = (struct cemv_ca_key){ .rid = { 0xA0, 0, 0, 0, 3 },
                                        .index = (uint8_t)(0x92 + i),
                                        .exponent = 3,
                                        .modulus = { modulus[i], 144 },
                                        .sha1 = { sums[i], 20 } };
        sum_key(i);
    }
    exceptions[0] = (struct cemv_exception){ .pan = BYTES("\x47\x61\x73\x90"), .sequence = 0x15 };
    c = (struct cemv_configuration){ .terminal_data = BYTES("\x9F\x1A\2\2\x76\x9F\x35\1\x22"),
                                     .combinations = rows,
                                     .combination_count = 2,
                                     .ca_keys = keys,
                                     .ca_key_count = 2,
                                     .kernels = kernels,
                                     .kernel_count = 3,
                                     .exceptions = exceptions,
                                     .exception_count = 1 };
}

static void gives(enum cemv_status status, unsigned section, unsigned row, unsigned field, uint32_t tag,
                  const char *name, unsigned detail)
{
    static const struct cemv_checked sentinel;
    const struct cemv_checked *checked = &sentinel;
    struct cemv_config_error error = { 99, 99, 99, 99 };
    property(cemv_configuration_check(&c, memory, sizeof memory, &checked, &error) == status, name, detail);
    property((checked != NULL) == (status == CEMV_OK) && (checked == NULL || (const void *)checked == memory),
             "only what is good is checked", detail);
    property(error.section == section && error.row == row && error.field == field && error.tag == tag, name,
             detail + 1000);
}
#define FINE(name, detail) gives(CEMV_OK, 0, 0, 0, 0, name, detail)

/* A kernel's table of tags must meet the requirements of look-up. */
static void properties_of_own_tags(void)
{
    static struct cemv_tag_row own[CEMV_KERNEL_TAGS_MAX + 1];
    static struct cemv_kernel_module module;
    static struct cemv_kernel_row listed[CEMV_MAX_KERNELS + 1];
    static const struct {
        struct cemv_tag_row row;
        enum cemv_status status;
    } all[] = {
        { { .tag = 0xDF4A, .min = 1, .max = 8 }, CEMV_OK },
        { { .tag = 0xDF49, .min = 1, .max = 8 }, CEMV_OK },
        { { .tag = 0xDF48, .min = 1, .max = 8 }, CEMV_CONFLICT },
        { { .tag = 0xDF47, .min = 1, .max = 8 }, CEMV_CONFLICT },
        { { .tag = 0xDF4A, .min = 0, .max = 8 }, CEMV_BAD_LENGTH },
        { { .tag = 0xDF4A, .min = 9, .max = 8 }, CEMV_BAD_LENGTH },
        { { .tag = 0xDF4A, .min = 8, .max = 8, .format = CEMV_FORMAT_VAR }, CEMV_OK },
        { { .tag = 0xDF4A, .min = 8, .max = 8, .format = CEMV_FORMAT_VAR + 1 }, CEMV_BAD_VALUE },
        { { .tag = 0xDF80, .min = 1, .max = 8 }, CEMV_BAD_VALUE },
        { { .tag = 0xDE01, .min = 1, .max = 8 }, CEMV_BAD_VALUE },
        { { .tag = 0xDF8180, .min = 1, .max = 8 }, CEMV_BAD_VALUE },
        { { .tag = 0xDF, .min = 1, .max = 8 }, CEMV_BAD_VALUE },
        { { .tag = 0, .min = 1, .max = 8 }, CEMV_BAD_VALUE },
        { { .tag = 0xFF3F, .min = 1, .max = 8 }, CEMV_OK },
        { { .tag = 0xBF4E, .min = 1, .max = 8 }, CEMV_CONFLICT },
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        good();
        module = *c.kernels[1].module;
        own[0] = (struct cemv_tag_row){ .tag = 0xDF48, .min = 1, .max = 1 };
        own[1] = all[i].row;
        module.tags = (struct cemv_kernel_tags){ own, 2 };
        memcpy(listed, c.kernels, c.kernel_count * sizeof listed[0]);
        listed[1].module = &module;
        c.kernels = listed;
        if (all[i].status == CEMV_OK) FINE("a table of tags", i);
        else gives(all[i].status, CEMV_SECTION_KERNEL, 1, CEMV_FIELD_TAGS, all[i].row.tag, "a row names itself", i);
        own[0].tag = 0x9F02;
        gives(CEMV_DUPLICATE, CEMV_SECTION_KERNEL, 1, CEMV_FIELD_TAGS, 0x9F02, "what all kernels know is no own", i);
    }
    for (unsigned i = 0; i <= CEMV_KERNEL_TAGS_MAX; i++)
        own[i] = (struct cemv_tag_row){ .tag = i < 0x7F ? 0xDF8101u + i : 0xDF8200u + i, .min = 1, .max = 1 };
    module.tags.count = CEMV_KERNEL_TAGS_MAX;
    FINE("as many tags as may be", 0);
    module.tags.count++;
    gives(CEMV_TOO_MANY, CEMV_SECTION_KERNEL, 1, CEMV_FIELD_TAGS, 0, "and one more", 0);
    good();
    memcpy(listed, c.kernels, c.kernel_count * sizeof listed[0]);
    for (size_t i = c.kernel_count; i <= CEMV_MAX_KERNELS; i++) {
        listed[i] = listed[0];
        listed[i].id_size = 2;
        listed[i].id[0] = 0x77;
        listed[i].id[1] = (uint8_t)i;
    }
    c.kernels = listed, c.kernel_count = CEMV_MAX_KERNELS;
    FINE("as many kernels as may be", 0);
    property(c.kernel_count >= 17, "as many as a laboratory of Entry Point lists", (unsigned)c.kernel_count);
    c.kernel_count++;
    gives(CEMV_TOO_MANY, CEMV_SECTION_KERNEL, 0, 0, 0, "and one kernel more", 0);
}

static void properties_of_counts(void)
{
    good();
    FINE("a good configuration", 0);
    c.combination_count = 0;
    gives(CEMV_MISSING, CEMV_SECTION_COMBINATION, 0, 0, 0, "a combination is needed", 0);
    good();
    for (size_t i = 0; i <= CEMV_MAX_COMBINATIONS; i++) {
        static uint8_t types[CEMV_MAX_COMBINATIONS + 1];
        types[i] = (uint8_t)(i / 10 << 4 | i % 10);
        rows[i] = rows[0];
        rows[i].transaction_types = of(types + i, 1);
    }
    c.combination_count = CEMV_MAX_COMBINATIONS;
    FINE("as many combinations as may be", 0);
    c.combination_count++;
    gives(CEMV_TOO_MANY, CEMV_SECTION_COMBINATION, 0, 0, 0, "and one more", 0);
    good();
    c.ca_key_count = CEMV_MAX_CA_KEYS + 1;
    gives(CEMV_TOO_MANY, CEMV_SECTION_CA_KEY, 0, 0, 0, "CA keys are limited", 0);
    good();
    static _Alignas(CEMV_ALIGNMENT) uint8_t much[1 << 19];
    for (size_t i = 0; i < CEMV_MAX_CA_KEYS; i++) {
        keys[i] = keys[0];
        keys[i].index = (uint8_t)i;
        keys[i].sha1.size = 0;
    }
    c.ca_key_count = CEMV_MAX_CA_KEYS;
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    property(cemv_configuration_check(&c, much, sizeof much, &checked, &error) == CEMV_OK, "as many CA keys as may be",
             0);
    good();
    const size_t size = cemv_checked_size(&c);
    property(cemv_configuration_check(&c, memory, size, &checked, &error) == CEMV_OK && (const void *)checked == memory,
             "just the size asked for", 0);
    property(cemv_configuration_check(&c, memory, size - 1, &checked, &error) == CEMV_NO_MEMORY &&
                 error.field == CEMV_FIELD_MEMORY && error.section == CEMV_SECTION_TERMINAL && !checked,
             "a byte less", 0);
    property(cemv_configuration_check(&c, NULL, size, &checked, &error) == CEMV_NO_MEMORY &&
                 error.field == CEMV_FIELD_MEMORY,
             "no memory", 0);
    property(cemv_configuration_check(&c, memory + 1, sizeof memory - 1, &checked, &error) == CEMV_NO_MEMORY &&
                 error.field == CEMV_FIELD_MEMORY,
             "memory out of line", 0);
    c.ca_key_count = 1;
    property(cemv_checked_size(&c) == size - sizeof(struct cemv_rsa_key), "a CA key takes its constants", 0);
}

/* C-3, A.2: the data that Kernel 3 requires for its row, wherever the country code is given. */
static void kernel_3_requires_qualifiers_and_country(void)
{
    const unsigned section = CEMV_SECTION_COMBINATION;
    for (unsigned bits = 0; bits < 256; bits++) {
        const uint8_t ttq[4] = { (uint8_t)(bits & 0xF0), (uint8_t)(bits << 4), (uint8_t)(bits << 4), (uint8_t)bits };
        good();
        rows[0].ttq = of(ttq, 4);
        if ((bits & 0x80) == 0) FINE("EMV mode", bits);
        else gives(CEMV_BAD_VALUE, section, 0, CEMV_FIELD_TTQ, 0, "no mag-stripe mode", bits);
    }
    good();
    rows[0].ttq.size = 0;
    gives(CEMV_MISSING, section, 0, CEMV_FIELD_TTQ, 0, "no TTQ", 0);
    good();
    rows[0].data.size = 0;
    FINE("a country of the terminal's", 0);
    c.terminal_data = BYTES("\x9F\x35\1\x22");
    gives(CEMV_MISSING, section, 0, CEMV_FIELD_DATA, 0x9F1A, "no country", 0);
    rows[0].data = BYTES("\x9F\x1A\2\2\x76");
    FINE("a country of the row's own", 0);
}

static void properties_of_data(void)
{
    static const struct {
        const char *bytes;
        size_t size;
        enum cemv_status status;
        uint32_t tag;
    } lists[] = {
        { "\x9F\x1A\2\2\x76", 5, CEMV_OK, 0 },
        { "", 0, CEMV_OK, 0 },
        { "\x9F\x1A\2\2\x7A", 5, CEMV_BAD_VALUE, 0x9F1A },
        { "\x9F\x1A\1\2", 4, CEMV_BAD_LENGTH, 0x9F1A },
        { "\x9F\x1A\3\0\2\x76", 6, CEMV_BAD_LENGTH, 0x9F1A },
        { "\x9F\x1A\0", 3, CEMV_BAD_LENGTH, 0x9F1A },
        { "\x9F\x1A\2\2\x76\x9F\x1A\2\2\x76", 10, CEMV_DUPLICATE, 0x9F1A },
        { "\x9F\x35\1\x22\x9F\x1A\2\2\x76\x9F\x35\1\x22", 13, CEMV_DUPLICATE, 0x9F35 },
        { "\x9F\x1A\2\2", 4, CEMV_BAD_TLV, 0 },
        { "\x9F\x35\1\x22\x9F\x1A", 6, CEMV_BAD_TLV, 0x9F35 & 0 },
        { "\xDF\x7E\1\1", 4, CEMV_UNKNOWN_TAG, 0xDF7E },
        { "\x9F\x26\x08\1\2\3\4\5\6\7\x08", 11, CEMV_NOT_CONFIGURABLE, 0x9F26 },
        { "\x9F\x27\1\x80", 4, CEMV_NOT_CONFIGURABLE, 0x9F27 },
        { "\x9F\x36\2\0\1", 5, CEMV_NOT_CONFIGURABLE, 0x9F36 },
        { "\x9F\x02\6\0\0\0\0\0\1", 9, CEMV_NOT_CONFIGURABLE, 0x9F02 },
        { "\x9F\x03\6\0\0\0\0\0\1", 9, CEMV_NOT_CONFIGURABLE, 0x9F03 },
        { "\x9F\x37\4\1\2\3\4", 7, CEMV_NOT_CONFIGURABLE, 0x9F37 },
        { "\x9F\x41\4\0\0\0\1", 7, CEMV_NOT_CONFIGURABLE, 0x9F41 },
        { "\x9F\x21\3\1\2\3", 6, CEMV_NOT_CONFIGURABLE, 0x9F21 },
        { "\x9F\x66\4\x36\0\0\0", 7, CEMV_NOT_CONFIGURABLE, 0x9F66 },
        { "\x5F\x2A\2\x09\x78", 5, CEMV_NOT_CONFIGURABLE, 0x5F2A },
        { "\x5F\x36\1\2", 4, CEMV_NOT_CONFIGURABLE, 0x5F36 },
        { "\x9F\x34\3\0\0\0", 6, CEMV_NOT_CONFIGURABLE, 0x9F34 },
        { "\x9A\3\x25\1\1", 5, CEMV_NOT_CONFIGURABLE, 0x9A },
        { "\x9C\1\0", 3, CEMV_NOT_CONFIGURABLE, 0x9C },
        { "\x95\5\0\0\0\0\0", 7, CEMV_NOT_CONFIGURABLE, 0x95 },
        { "\x9B\2\0\0", 4, CEMV_NOT_CONFIGURABLE, 0x9B },
        { "\x5A\x08\x47\x61\x73\x90\1\1\1\x19", 10, CEMV_NOT_CONFIGURABLE, 0x5A },
        { "\x70\3\x9C\1\0", 5, CEMV_NOT_CONFIGURABLE, 0x70 },
        { "\xFF\x81\2\4\x9F\x75\1\1", 8, CEMV_OK, 0 },
        { "\xFF\x81\3\4\x9F\x75\1\1", 8, CEMV_OK, 0 },
        { "\xFF\x81\2\4\x9F\x75\2\1", 8, CEMV_BAD_TLV, 0xFF8102 },
        { "\xFF\x81\3\4\x9F\x75\2\1", 8, CEMV_BAD_TLV, 0xFF8103 },
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        good();
        c.terminal_data = of(lists[i].bytes, lists[i].size);
        const uint32_t tag = lists[i].tag;
        if (lists[i].status == CEMV_OK) {
            FINE("terminal data", (unsigned)i);
        } else if (lists[i].status == CEMV_BAD_TLV && tag == 0) {
            const struct cemv_checked *checked;
            struct cemv_config_error error;
            property(cemv_configuration_check(&c, memory, sizeof memory, &checked, &error) == CEMV_BAD_TLV &&
                         error.section == CEMV_SECTION_TERMINAL && error.field == CEMV_FIELD_DATA,
                     "terminal data cut short", (unsigned)i);
        } else gives(lists[i].status, CEMV_SECTION_TERMINAL, 0, CEMV_FIELD_DATA, tag, "terminal data", (unsigned)i);
        good();
        rows[1].data = of(lists[i].bytes, lists[i].size);
        if (lists[i].status == CEMV_OK) FINE("data of a combination", (unsigned)i);
        else if (lists[i].status != CEMV_BAD_TLV || tag)
            gives(lists[i].status, CEMV_SECTION_COMBINATION, 1, CEMV_FIELD_DATA, tag, "data of a combination",
                  (unsigned)i);
    }
    static const uint8_t information[65] = { 0, 1, 2, 0xAA, 0xBB };
    static uint8_t filled[65] = { 0x12, 0x34, 61 };
    good();
    c.poi_information = of(information, 5);
    FINE("POI information", 0);
    c.poi_information = of(information, 4);
    gives(CEMV_BAD_VALUE, CEMV_SECTION_TERMINAL, 0, CEMV_FIELD_DATA, 0x8B, "POI information cut short", 0);
    c.poi_information = of(filled, 64);
    FINE("64 bytes of POI information", 0);
    filled[2]++;
    c.poi_information = of(filled, 65);
    gives(CEMV_BAD_LENGTH, CEMV_SECTION_TERMINAL, 0, CEMV_FIELD_DATA, 0x8B, "65 bytes", 0);
    filled[2]--;
}

static void properties_of_combinations(void)
{
    static const uint8_t name[17] = { 0xA0, 0, 0, 0, 9, 9 }, types[] = { 0x01, 0x09 };
    const unsigned section = CEMV_SECTION_COMBINATION;
    for (size_t size = 0; size < 18; size++) {
        good();
        rows[1].aid = of(name, size);
        if (size >= 5 && size <= 16) FINE("an AID of 5 to 16 bytes", (unsigned)size);
        else gives(CEMV_BAD_LENGTH, section, 1, CEMV_FIELD_AID, 0, "an AID of 5 to 16 bytes", (unsigned)size);
    }
    for (uint8_t size = 0; size < 10; size++) {
        good();
        kernels[1] = (struct cemv_kernel_row){ { 9, 9, 9, 9, 9, 9, 9, 9 }, size < 9 ? size : 8, &functions[1] };
        if (size == 0) kernels[1].id_size = 8;
        memset(rows[1].kernel_id, 9, 8);
        rows[1].kernel_id_size = size;
        if (size >= 1 && size <= 8) FINE("a kernel's identifier", size);
        else gives(CEMV_BAD_LENGTH, section, 1, CEMV_FIELD_KERNEL_ID, 0, "a kernel's identifier", size);
    }
    good();
    rows[1].kernel_id[1] = 0x0B;
    gives(CEMV_UNKNOWN_KERNEL, section, 1, CEMV_FIELD_KERNEL_ID, 0, "a kernel that is not there", 0);
    rows[1].kernel_id[1] = 0x0A;
    rows[1].kernel_id_size = 1;
    gives(CEMV_UNKNOWN_KERNEL, section, 1, CEMV_FIELD_KERNEL_ID, 0, "nor half of one", 0);
    for (size_t size = 0; size < 6; size++) {
        good();
        rows[1].ttq = of("\0\0\0\0\0", size);
        if (size == 0 || size == 4) FINE("TTQ has four bytes", (unsigned)size);
        else gives(CEMV_BAD_LENGTH, section, 1, CEMV_FIELD_TTQ, 0, "TTQ has four bytes", (unsigned)size);
    }
    for (uint8_t zero = 0; zero < 4; zero++) {
        good();
        rows[1].zero_amount = zero;
        if (zero <= 2) FINE("three rules of zero", zero);
        else gives(CEMV_BAD_VALUE, section, 1, CEMV_FIELD_ZERO_AMOUNT, 0, "three rules of zero", zero);
    }
    for (unsigned limit = 0; limit < CEMV_LIMIT_COUNT; limit++) {
        good();
        rows[1].limits.present = (uint8_t)(1u << limit);
        rows[1].limits.amount[limit] = 999999999999u;
        FINE("the highest limit", limit);
        rows[1].limits.amount[limit]++;
        gives(CEMV_BAD_VALUE, section, 1, CEMV_FIELD_LIMITS, 0, "a limit over twelve digits", limit);
        rows[1].limits.present = (uint8_t)(0x1F & ~(1u << limit));
        FINE("a limit that is not there", limit);
    }
    good();
    rows[0].limits.present = 1u << CEMV_LIMIT_COUNT;
    gives(CEMV_BAD_VALUE, section, 0, CEMV_FIELD_LIMITS, 0, "a limit without name", 0);
    for (unsigned type = 0; type < 256; type++) {
        const uint8_t listed[] = { 0x20, (uint8_t)type };
        good();
        rows[1].transaction_types = of(listed, sizeof listed);
        if (type % 16 < 10 && type / 16 < 10) FINE("a type of a combination is digits", type);
        else
            gives(CEMV_BAD_VALUE, section, 1, CEMV_FIELD_TRANSACTION_TYPES, 0, "a type of a combination is digits",
                  type);
    }
    /* A duplicate. */
    for (unsigned i = 0; i < 8; i++) {
        good();
        rows[2] = rows[0];
        c.combination_count = 3;
        bool twice = true;
        if (i == 1) rows[2].aid = BYTES("\xA0\0\0\0\3\x10\x11"), twice = false;
        else if (i == 2) rows[2].kernel_id[0] = 2, twice = false;
        else if (i == 3) rows[2].transaction_types = of(types, 2), twice = false;
        else if (i == 4) {
            rows[2].transaction_types = of(types, 2);
            rows[0].transaction_types = of(types + 1, 1);
        } else if (i == 5)
            rows[2].transaction_types = of(types, 1), rows[0].transaction_types = of(types + 1, 1), twice = false;
        else if (i == 6) rows[2].aid.size--, twice = false;
        else if (i == 7) rows[2] = rows[1];
        if (twice) gives(CEMV_DUPLICATE, section, 2, CEMV_FIELD_TRANSACTION_TYPES, 0, "a combination stands once", i);
        else FINE("a combination differs", i);
    }
    good();
    functions[1].check = third_row;
    FINE("a kernel's own check", 0);
    rows[2] = rows[1];
    rows[2].aid = of(name, 6);
    c.combination_count = 3;
    gives(CEMV_CONFLICT, section, 2, CEMV_FIELD_DATA, 0x9F7C, "a kernel's own check", 2);
}

static void properties_of_dynamic_limits(void)
{
    static const uint8_t program[17] = { 1, 2, 3 };
    const unsigned section = CEMV_SECTION_COMBINATION, field = CEMV_FIELD_DYNAMIC_LIMITS;
    good();
    options = (struct cemv_kernel_3_options){ .dynamic_limits = dynamic };
    rows[0].options = &options;
    for (size_t i = 0; i <= CEMV_MAX_DYNAMIC_LIMITS; i++) dynamic[i].program = of(program, i < 2 ? 1 : 16);
    for (size_t i = 0; i <= CEMV_MAX_DYNAMIC_LIMITS; i++) {
        options.dynamic_limit_count = i;
        FINE("dynamic limits", (unsigned)i);
    }
    options.dynamic_limit_count = CEMV_MAX_DYNAMIC_LIMITS + 1;
    gives(CEMV_TOO_MANY, section, 0, field, 0, "dynamic limits are limited", 0);
    options.dynamic_limit_count = 2;
    dynamic[1].program.size = 0;
    gives(CEMV_BAD_LENGTH, section, 0, field, 0, "a program has a name", 0);
    dynamic[1].program.size = 17;
    gives(CEMV_BAD_LENGTH, section, 0, field, 0, "a program has 16 bytes", 17);
    dynamic[1].program.size = 16;
    dynamic[1].zero_amount = 2;
    FINE("dynamic limits of zero", 2);
    dynamic[1].zero_amount = 3;
    gives(CEMV_BAD_VALUE, section, 0, field, 0, "dynamic limits of zero", 3);
    dynamic[1].zero_amount = 0;
    dynamic[1].limits.present = 0x20;
    gives(CEMV_BAD_VALUE, section, 0, field, 0, "a dynamic limit without name", 0);
}

static void protect(unsigned rule, uint8_t value, bool fine)
{
    good();
    struct cemv_protection *p = &c.protection;
    uint8_t *const rules[] = { &p->unsolicited_sdad,
                               &p->oda_tamper,
                               &p->cid_mismatch,
                               &p->brand_check,
                               &p->expiry_mismatch,
                               &p->luhn,
                               &p->offline,
                               &p->magstripe,
                               &p->legacy,
                               &p->kernel_fallback,
                               &p->allow_test_keys,
                               &p->profile,
                               &p->cdcvm_trust,
                               &p->max_records,
                               &p->min_number_digits,
                               &p->relay,
                               &p->torn };
    *rules[rule] = value;
    if (fine) FINE("protection", rule);
    else gives(CEMV_BAD_VALUE, CEMV_SECTION_PROTECTION, 0, CEMV_FIELD_PROTECTION, 0, "protection", rule);
    rows[1].protection = c.protection;
    c.protection = (struct cemv_protection){ 0 };
    FINE("a protection that is not its own", rule);
    rows[1].own_protection = true;
    if (fine) FINE("its own protection", rule);
    else gives(CEMV_BAD_VALUE, CEMV_SECTION_COMBINATION, 1, CEMV_FIELD_PROTECTION, 0, "its own protection", rule);
}

static void properties_of_protection(void)
{
    for (unsigned rule = 0; rule < 10; rule++) {
        protect(rule, CEMV_RULE_ENFORCE, true);
        protect(rule, CEMV_RULE_ENFORCE + 1, false);
        protect(rule, 77, false);
    }
    static const uint8_t most[] = { 1, CEMV_PROFILE_STRICT, CEMV_CDCVM_AUTHENTICATED, CEMV_MAX_RECORDS,
                                    8, CEMV_RELAY_REQUIRED, CEMV_TORN_SAME_SALE };
    for (unsigned rule = 0; rule < 7; rule++) {
        protect(10 + rule, most[rule], true);
        protect(10 + rule, (uint8_t)(most[rule] + 1), false);
    }
}

static void properties_of_ca_keys(void)
{
    const unsigned section = CEMV_SECTION_CA_KEY;
    good();
    keys[1].sha1.size = 0;
    FINE("a CA key may come without a checksum", 0);
    keys[1].sha1.size = 19;
    gives(CEMV_BAD_LENGTH, section, 1, CEMV_FIELD_CHECKSUM, 0, "a checksum cut short", 0);
    keys[1].sha1.size = 20;
    sums[1][0] ^= 1;
    gives(CEMV_BAD_CHECKSUM, section, 1, CEMV_FIELD_CHECKSUM, 0, "a wrong checksum", 0);
    good();
    keys[1].exponent = 17;
    gives(CEMV_BAD_VALUE, section, 1, CEMV_FIELD_EXPONENT, 0, "a CA key's exponent", 0);
    static const struct {
        size_t size;
        uint8_t profile;
        uint16_t bits;
        enum cemv_status status;
    } sizes[] = {
        { 144, 0, 0, CEMV_OK },
        { 143, 0, 0, CEMV_WEAK_KEY },
        { 143, CEMV_PROFILE_BOOK, 0, CEMV_OK },
        { 64, CEMV_PROFILE_BOOK, 0, CEMV_OK },
        { 63, CEMV_PROFILE_BOOK, 0, CEMV_BAD_LENGTH },
        { 248, 0, 0, CEMV_OK },
        { 249, 0, 0, CEMV_BAD_LENGTH },
        { 128, 0, 1024, CEMV_OK },
        { 144, 0, 1408, CEMV_WEAK_KEY },
        { 176, CEMV_PROFILE_STRICT, 1408, CEMV_OK },
        { 176, CEMV_PROFILE_BOOK, 1408, CEMV_OK },
        { 175, CEMV_PROFILE_BOOK, 1408, CEMV_WEAK_KEY },
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        good();
        c.ca_key_count = 1;
        keys[0].modulus.size = sizes[i].size;
        c.protection.profile = sizes[i].profile;
        c.protection.min_ca_bits = sizes[i].bits;
        sum_key(0);
        if (sizes[i].status == CEMV_OK) FINE("sizes of CA keys", (unsigned)i);
        else gives(sizes[i].status, section, 0, CEMV_FIELD_MODULUS, 0, "sizes of CA keys", (unsigned)i);
    }
    good();
    modulus[1][0] = 0;
    gives(CEMV_BAD_VALUE, section, 1, CEMV_FIELD_MODULUS, 0, "a CA key's top byte", 0);
    modulus[1][0] = 0xFF;
    modulus[1][143] = 0xFE;
    gives(CEMV_BAD_VALUE, section, 1, CEMV_FIELD_MODULUS, 0, "a CA key is odd", 0);
    static const struct {
        uint8_t date[3];
        bool fine;
    } dates[] = { { { 0x30, 0x12, 0x31 }, true }, { { 0, 0, 0 }, true },  { { 0x30, 0x02, 0x30 }, false },
                  { { 0, 0, 1 }, false },         { { 1, 0, 0 }, false }, { { 0, 1, 0 }, false } };
    for (size_t i = 0; i < 6; i++) {
        good();
        memcpy(keys[1].expires, dates[i].date, 3);
        if (dates[i].fine) FINE("the last day of a CA key", (unsigned)i);
        else gives(CEMV_BAD_VALUE, section, 1, CEMV_FIELD_EXPIRY, 0, "the last day of a CA key", (unsigned)i);
    }
    good();
    keys[1].test = true;
    gives(CEMV_CONFLICT, section, 1, CEMV_FIELD_INDEX, 0, "test keys and live ones do not mix", 0);
    keys[0].test = true;
    FINE("test keys alone", 0);
    keys[0].test = false, c.protection.allow_test_keys = 1;
    FINE("unless allowed", 0);
    c.protection.allow_test_keys = 0;
    c.protection.profile = CEMV_PROFILE_BOOK;
    FINE("or by the book", 0);
    good();
    keys[1] = keys[0];
    gives(CEMV_DUPLICATE, section, 1, CEMV_FIELD_INDEX, 0, "RID and index stand once", 0);
    keys[1].rid[4] = 4;
    keys[1].sha1 = of(sums[1], 20);
    sum_key(1);
    FINE("an index of another RID", 0);
    static struct cemv_crypto engine;
    good();
    engine = cemv_crypto_builtin, engine.rsa_prepare = NULL;
    c.crypto = &engine;
    FINE("an engine that prepares nothing", 0);
    property(((const struct cemv_checked *)(const void *)memory)->crypto == &engine, "the engine is the one given", 0);
}

static bool refuse_second(struct cemv_rsa_key *key, cemv_bytes bytes, uint32_t exponent)
{
    (void)key;
    (void)exponent;
    return bytes.data != modulus[1];
}

static void properties_of_the_rest(void)
{
    static struct cemv_crypto engine;
    good();
    engine = cemv_crypto_builtin;
    engine.rsa_prepare = refuse_second;
    c.crypto = &engine;
    gives(CEMV_BAD_VALUE, CEMV_SECTION_CA_KEY, 1, CEMV_FIELD_MODULUS, 0, "a key that the engine refuses", 0);
    for (unsigned i = 0; i < 8; i++) {
        const unsigned section = CEMV_SECTION_KERNEL;
        good();
        if (i == 0) {
            kernels[1].id_size = 0;
            gives(CEMV_BAD_LENGTH, section, 1, CEMV_FIELD_KERNEL_ID, 0, "kernels", i);
        } else if (i == 1) {
            kernels[1].id_size = 9;
            gives(CEMV_BAD_LENGTH, section, 1, CEMV_FIELD_KERNEL_ID, 0, "kernels", i);
        } else if (i == 2)
            kernels[1].module = NULL, gives(CEMV_MISSING, section, 1, CEMV_FIELD_MODULE, 0, "kernels", i);
        else if (i == 3) functions[1].start = NULL, gives(CEMV_MISSING, section, 1, CEMV_FIELD_MODULE, 0, "kernels", i);
        else if (i == 4) functions[1].reply = NULL, gives(CEMV_MISSING, section, 1, CEMV_FIELD_MODULE, 0, "kernels", i);
        else if (i == 5) {
            kernels[2] = kernels[0];
            gives(CEMV_DUPLICATE, section, 2, CEMV_FIELD_KERNEL_ID, 0, "kernels", i);
        } else if (i == 6) kernels[2] = (struct cemv_kernel_row){ { 3, 0 }, 2, &functions[1] }, FINE("kernels", i);
        else kernels[2] = (struct cemv_kernel_row){ { 1, 2, 3, 4, 5, 6, 7, 8 }, 8, &functions[1] }, FINE("kernels", i);
    }
    static const struct {
        const char *pan;
        size_t size;
        bool fine;
    } pans[] = {
        { "\x47\x61\x73\x90", 4, true },
        { "\x47\x61\x73\x9F", 4, false },
        { "\x47\x61\x73\x90\1\1\1\1\1\x1F", 10, true },
        { "\x47\x61\x73\x90\1\1\1\1\1\x11", 10, false },
        { "\x47\x61\x73\x90\1\1\x1F", 7, true },
        { "\x47\x61\x73\x90\1\1\x1F\xFF", 8, false },
        { "\x47\x61\x73\x90\xFF", 5, false },
        { "\x47\x61\x73\x90\xFF\xFF\xFF\xFF\xFF\xFF", 10, false },
        { "\x47\x61\x73\x90\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 11, false },
        { "\x47\x61\x7A\x90", 4, false },
        { "", 0, false },
    };
    for (size_t i = 0; i < sizeof pans / sizeof pans[0]; i++) {
        good();
        exceptions[1] = exceptions[0];
        c.exception_count = 2;
        exceptions[1].pan = of(pans[i].pan, pans[i].size);
        if (pans[i].fine) FINE("account numbers of the exception list", (unsigned)i);
        else
            gives(CEMV_BAD_VALUE, CEMV_SECTION_EXCEPTION, 1, CEMV_FIELD_PAN, 0, "account numbers of the exception list",
                  (unsigned)i);
    }
    good();
    exceptions[0].sequence = 0x1A;
    gives(CEMV_BAD_VALUE, CEMV_SECTION_EXCEPTION, 0, CEMV_FIELD_SEQUENCE, 0, "a sequence number is digits", 0);
    exceptions[0].any_sequence = true;
    FINE("unless any will do", 0);
}

/* The data that Kernel 2 requires. */
static void properties_of_kernel_2(void)
{
    static const struct {
        const char *data;
        size_t size;
        enum cemv_status status;
        uint32_t tag;
    } lists[] = {
        { "\xDF\x81\x1B\1\xC0", 5, CEMV_CONFLICT, 0xDF811B },
        { "\xDF\x81\x1B\1\x80", 5, CEMV_OK, 0 },
        { "\xDF\x81\x1B\1\x40", 5, CEMV_OK, 0 },
        { "\xDF\x81\x1A\3\x9F\x6A\4", 7, CEMV_OK, 0 },
        { "\xDF\x81\x1A\3\x9F\x6A\3", 7, CEMV_BAD_VALUE, 0xDF811A },
        { "\xDF\x81\x1A\3\x9F\x6B\4", 7, CEMV_BAD_VALUE, 0xDF811A },
        { "\xDF\x81\x1D\1\4", 5, CEMV_OK, 0 },
        { "\xDF\x81\x1D\1\5", 5, CEMV_TOO_MANY, 0xDF811D },
        { "\xDF\x81\x18\1\x80", 5, CEMV_BAD_VALUE, 0xDF8118 },
        { "\xDF\x81\x18\1\x10", 5, CEMV_BAD_VALUE, 0xDF8118 },
        { "\xDF\x81\x18\1\x6F", 5, CEMV_OK, 0 },
        { "\xDF\x81\x19\1\x80", 5, CEMV_BAD_VALUE, 0xDF8119 },
        { "\xDF\x81\x19\1\x08", 5, CEMV_OK, 0 },
        { "\xDF\x81\x1E\1\x2F", 5, CEMV_OK, 0 },
        { "\xDF\x81\x1E\1\x30", 5, CEMV_BAD_VALUE, 0xDF811E },
        { "\xDF\x81\x1E\1\xEF", 5, CEMV_BAD_VALUE, 0xDF811E },
        { "\xDF\x81\x1E\1\xF0", 5, CEMV_OK, 0 },
        { "\xDF\x81\x2C\1\x30", 5, CEMV_BAD_VALUE, 0xDF812C },
        { "\xDF\x81\x2C\1\0", 5, CEMV_OK, 0 },
        { "\xDF\x81\x31\x08\0\0\0\0\0\0\1\1", 12, CEMV_OK, 0 },
        { "\xDF\x81\x31\x08\0\0\0\0\0\1\1\1", 12, CEMV_BAD_VALUE, 0xDF8131 },
        { "\xDF\x81\x31\x08\1\0\0\0\0\0\1\1", 12, CEMV_BAD_VALUE, 0xDF8131 },
        { "\xDF\x81\x31\x09\0\0\0\0\0\0\1\1\1", 13, CEMV_BAD_VALUE, 0xDF8131 },
        { "\xDF\x81\x31\x10\1\2\3\1\2\3\4\5\0\0\0\0\0\0\1\1", 20, CEMV_OK, 0 },
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        good();
        rows[1] = (struct cemv_combination){ .aid = BYTES("\xA0\0\0\0\4\x10\x10"),
                                             .kernel_id = { 2 },
                                             .kernel_id_size = 1,
                                             .data = of(lists[i].data, lists[i].size) };
        if (lists[i].status == CEMV_OK) FINE("data of Kernel 2", (unsigned)i);
        else
            gives(lists[i].status, CEMV_SECTION_COMBINATION, 1, CEMV_FIELD_DATA, lists[i].tag, "data of Kernel 2",
                  (unsigned)i);
        c.terminal_data = rows[1].data;
        rows[1].data = of(NULL, 0);
        if (lists[i].status == CEMV_OK) FINE("the terminal's data for Kernel 2", (unsigned)i);
        else
            gives(lists[i].status, CEMV_SECTION_COMBINATION, 1, CEMV_FIELD_DATA, lists[i].tag,
                  "the terminal's data for Kernel 2", (unsigned)i);
    }
    /* The combination's own list wins. */
    good();
    rows[1] = (struct cemv_combination){
        .aid = BYTES("\xA0\0\0\0\4\x10\x10"), .kernel_id = { 2 }, .kernel_id_size = 1, .data = BYTES("\xDF\x81\x1D\1\1")
    };
    c.terminal_data = BYTES("\xDF\x81\x1D\1\5");
    FINE("a combination's data win over the terminal's", 0);
    /* Entry Point's limits and other kernels' options have no effect on this kernel, so they are refused. */
    for (unsigned limit = 0; limit < CEMV_LIMIT_COUNT; limit++) {
        rows[1].limits.present = (uint8_t)(1u << limit);
        gives(CEMV_NOT_CONFIGURABLE, CEMV_SECTION_COMBINATION, 1, CEMV_FIELD_LIMITS, 0, "limits of Kernel 2", limit);
    }
    rows[1].limits.present = 0;
    options = (struct cemv_kernel_3_options){ .usage_control_off = true };
    rows[1].options = &options;
    gives(CEMV_NOT_CONFIGURABLE, CEMV_SECTION_COMBINATION, 1, CEMV_FIELD_OPTIONS, 0, "options of Kernel 2", 0);
    /* Profile `strict` requires action codes that deny after a failed CDA. */
    for (unsigned i = 0; i < 6; i++) {
        good();
        rows[1] = (struct cemv_combination){ .aid = BYTES("\xA0\0\0\0\4\x10\x10"),
                                             .kernel_id = { 2 },
                                             .kernel_id_size = 1,
                                             .data = BYTES("\xDF\x81\x1F\1\x08\xDF\x81\x21\5\0\0\0\0\0") };
        c.protection.profile = CEMV_PROFILE_STRICT;
        bool fine = true;
        if (i == 0) fine = false;
        else if (i == 1) rows[1].data = BYTES("\xDF\x81\x1F\1\x08\xDF\x81\x21\5\4\0\0\0\0");
        else if (i == 2) rows[1].data = BYTES("\xDF\x81\x1F\1\0\xDF\x81\x21\5\0\0\0\0\0");
        else if (i == 3) rows[1].data = BYTES("\xDF\x81\x1F\1\x08");
        else if (i == 4) rows[1].own_protection = true;
        else
            c.protection.profile = 0, rows[1].own_protection = true, rows[1].protection.profile = CEMV_PROFILE_STRICT,
            fine = false;
        if (fine) FINE("denial of a failed CDA", i);
        else gives(CEMV_BAD_VALUE, CEMV_SECTION_COMBINATION, 1, CEMV_FIELD_DATA, 0xDF8121, "denial of a failed CDA", i);
    }
}

/* ---- transactions and sessions ---- */

static _Alignas(CEMV_ALIGNMENT) uint8_t session_memory[CEMV_SESSION_SIZE + CEMV_ALIGNMENT];
static const struct cemv_checked *checked;
static struct cemv_transaction sale;

static void begin(enum cemv_status status, unsigned field, const char *name, unsigned detail)
{
    struct cemv_session *session = (struct cemv_session *)(void *)session_memory;
    struct cemv_config_error error = { 99, 99, 99, 99 };
    memset(session_memory, 0, sizeof session_memory);
    property(cemv_session_begin(session_memory, CEMV_SESSION_SIZE, checked, &sale, BYTES("\1\2\3\4"), &session,
                                &error) == status,
             name, detail);
    if (status == CEMV_OK) {
        cemv_session_wipe(session);
        return;
    }
    property(error.section == CEMV_SECTION_TRANSACTION && error.row == 0 && error.field == field, name, detail + 1000);
    property(session == NULL, "no session without a beginning", detail);
}

static void properties_of_sales(void)
{
    struct cemv_config_error error;
    const struct cemv_transaction plain = {
        .amount = 100, .currency = 0x0978, .exponent = 2, .date = { 0x25, 0x12, 0x31 }
    };
    good();
    property(cemv_configuration_check(&c, memory, sizeof memory, &checked, &error) == CEMV_OK,
             "a configuration for sales", 0);
    sale = plain;
    begin(CEMV_OK, 0, "a sale", 0);
    sale.amount = 999999999999u;
    sale.amount_other = 999999999999u;
    begin(CEMV_OK, 0, "the largest sale", 0);
    sale.amount++;
    begin(CEMV_BAD_VALUE, CEMV_FIELD_AMOUNT, "a larger one", 0);
    sale.amount--;
    sale.amount_other++;
    begin(CEMV_BAD_VALUE, CEMV_FIELD_AMOUNT, "a larger one", 1);
    for (unsigned type = 0; type < 256; type++) {
        sale = plain;
        sale.type = (uint8_t)type;
        if (type % 16 < 10 && type / 16 < 10) begin(CEMV_OK, 0, "a type is digits", type);
        else begin(CEMV_BAD_VALUE, CEMV_FIELD_TYPE, "a type is digits", type);
    }
    static const struct {
        uint16_t currency;
        bool fine;
    } currencies[] = { { 0x0999, true },  { 0x1000, false }, { 0x0A00, false }, { 0x00A0, false },
                       { 0x000A, false }, { 0, true },       { 0x099A, false }, { 0xA000, false } };
    for (size_t i = 0; i < 8; i++) {
        sale = plain;
        sale.currency = currencies[i].currency;
        begin(currencies[i].fine ? CEMV_OK : CEMV_BAD_VALUE, CEMV_FIELD_CURRENCY, "currencies", (unsigned)i);
    }
    for (uint8_t exponent = 0; exponent < 7; exponent++) {
        sale = plain;
        sale.exponent = exponent;
        begin(exponent <= 4 ? CEMV_OK : CEMV_BAD_VALUE, CEMV_FIELD_EXPONENT_OF_CURRENCY, "exponents of currencies",
              exponent);
    }
    sale = plain;
    sale.date[1] = 0x13;
    begin(CEMV_BAD_VALUE, CEMV_FIELD_DATE, "a day of the calendar", 0);
    static const struct {
        uint8_t time[3];
        bool fine;
    } times[] = {
        { { 0x23, 0x59, 0x59 }, true },  { { 0x24, 0, 0 }, false }, { { 0x23, 0x60, 0 }, false },
        { { 0x23, 0x59, 0x60 }, false }, { { 0x1A, 0, 0 }, false }, { { 0, 0x59, 0x59 }, true },
        { { 0, 0, 0 }, true },
    };
    for (size_t i = 0; i < 7; i++) {
        sale = plain;
        memcpy(sale.time, times[i].time, 3);
        begin(times[i].fine ? CEMV_OK : CEMV_BAD_VALUE, CEMV_FIELD_TIME, "a time of day", (unsigned)i);
    }
    sale = plain;
    sale.counter = 99999999u;
    begin(CEMV_OK, 0, "the last counter", 0);
    sale.counter++;
    begin(CEMV_BAD_VALUE, CEMV_FIELD_COUNTER, "a counter has eight digits", 0);
    static const struct {
        const char *names;
        size_t size;
        bool fine;
    } preferred[] = {
        { "\5\1\2\3\4\5", 6, true },
        { "\4\1\2\3\4", 5, false },
        { "\5\1\2\3\4", 5, false },
        { "\x10\1\2\3\4\5\6\7\x08\x09\1\2\3\4\5\6\7", 17, true },
        { "\x11\1\2\3\4\5\6\7\x08\x09\1\2\3\4\5\6\7\x08", 18, false },
        { "\5\1\2\3\4\5\5\1\2\3\4\6", 12, true },
        { "\5\1\2\3\4\5\5", 7, false },
    };
    for (size_t i = 0; i < 7; i++) {
        sale = plain;
        sale.preferred = of(preferred[i].names, preferred[i].size);
        begin(preferred[i].fine ? CEMV_OK : CEMV_BAD_LENGTH, CEMV_FIELD_AID, "preferred names", (unsigned)i);
    }
    /* The memory after the list looks like further names; none of it is read. */
    uint8_t fives[60];
    memset(fives, 5, sizeof fives);
    sale = plain;
    sale.preferred = of(guarded_copy(fives, sizeof fives), 5);
    begin(CEMV_BAD_LENGTH, CEMV_FIELD_AID, "a name beyond the list", 0);
    /* An object of a transaction may be empty: its value will be requested. */
    sale = plain, sale.data = BYTES("\x9F\x1A\0");
    begin(CEMV_OK, 0, "data announced for a sale", 0);
    sale.data = BYTES("\x9F\x1A\1\1");
    begin(CEMV_BAD_LENGTH, CEMV_FIELD_DATA, "data of a sale", 0);
    sale = plain;
    struct cemv_session *session = NULL;
    property(cemv_session_begin(NULL, CEMV_SESSION_SIZE, checked, &sale, BYTES("\1\2\3\4"), &session, &error) ==
                 CEMV_NO_MEMORY,
             "a session needs memory", 0);
    property(cemv_session_begin(session_memory, cemv_session_size(checked) - 1, checked, &sale, BYTES("\1\2\3\4"),
                                &session, &error) == CEMV_NO_MEMORY,
             "of its size", 0);
    property(cemv_session_begin(session_memory, CEMV_SESSION_SIZE, checked, &sale, BYTES("\1\2\3\4"), &session,
                                &error) == CEMV_OK,
             "and no more", 0);
    property(cemv_session_begin(session_memory + 1, CEMV_SESSION_SIZE, checked, &sale, BYTES("\1\2\3\4"), &session,
                                &error) == CEMV_NO_MEMORY &&
                 session == NULL,
             "in line", 0);
    property(cemv_session_begin(session_memory, CEMV_SESSION_SIZE, checked, &sale, BYTES("\1\2\3\4"), &session,
                                &error) == CEMV_OK &&
                 session != NULL,
             "a session in memory that was used before", 0);
    property(cemv_session_begin(session_memory, CEMV_SESSION_SIZE, checked, &sale, BYTES("\1\2\3"), &session, &error) ==
                     CEMV_NO_RANDOM &&
                 session == NULL,
             "and a number's worth of chance", 0);
    struct cemv_reader_memory unsound = { .torn_count = CEMV_TORN_RECORDS + 1 };
    sale.reader = &unsound;
    begin(CEMV_BAD_VALUE, CEMV_FIELD_READER_MEMORY, "a reader memory beyond its size", 0);
    sale.reader = NULL;
    cemv_session_wipe(NULL);
}

/* ---- memory: all of the requested size is used, and no more ---- */

/* The checked configuration lies in the bytes that cemv_checked_size() counts: none beyond them is written, and the
 * last of them is used. */
static void the_size_asked_for_is_taken(void)
{
    enum { BEHIND = 64, LAST = 16 };
    static const char data[] = "\x9F\x1A\2\2\x76\x9F\x35\1\x22\x9F\x40\5\0\0\0\0\0\x9F\x1E\x08"
                               "12345678";
    static const size_t sizes[] = { 5, 9, 17, 28 };
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    for (unsigned i = 0; i < 16; i++) {
        good();
        c.terminal_data = of(data, sizes[i / 4]);
        rows[1].data = of(data, sizes[i % 4]);
        rows[2] = rows[1];
        rows[2].aid = BYTES("\xF0\0\0\0\2");
        c.combination_count = 1 + i % 3;
        const size_t size = cemv_checked_size(&c);
        memset(memory, 0xA5, sizeof memory);
        property(cemv_configuration_check(&c, memory, size, &checked, &error) == CEMV_OK, "the size that was asked for",
                 i);
        for (size_t at = size; at < size + BEHIND; at++) property(memory[at] == 0xA5, "not a byte behind", i);
        bool used = false;
        for (size_t at = size - LAST; at < size; at++) used = used || memory[at] != 0xA5;
        property(used, "the last are used", i);
        for (size_t kernel = 0; kernel < c.kernel_count; kernel++)
            property(checked->terminal[kernel].count == i / 4 + 1, "every object of the terminal", i);
        uint32_t before = (uint32_t)c.kernel_count * (i / 4 + 1);
        for (size_t row = 0; row < c.combination_count; row++) {
            const size_t objects = row == 0 ? 1 : i % 4 + 1;
            property(checked->combinations[row].count == objects, "and of a combination", i);
            property(checked->combinations[row].first == before, "behind those before it", i);
            before += (uint32_t)objects;
        }
    }
}

/* cemv_kernel.h: memory beyond CEMV_KERNEL_MEMORY makes the session larger, by the further memory of the largest listed
 * kernel, aligned to eight bytes. */
static void a_session_grows_with_its_kernels(void)
{
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    good();
    property(cemv_configuration_check(&c, memory, sizeof memory, &checked, &error) == CEMV_OK,
             "no kernel asks for more", 0);
    const size_t least = cemv_session_size(checked);
    property(least % CEMV_ALIGNMENT == 0, "a session is aligned", 0);
    for (uint16_t wanted = CEMV_KERNEL_MEMORY; wanted <= CEMV_KERNEL_MEMORY + 33; wanted++) {
        good();
        functions[1].memory_size = wanted;
        property(cemv_configuration_check(&c, memory, sizeof memory, &checked, &error) == CEMV_OK, "one asks for more",
                 wanted);
        const size_t more = cemv_session_size(checked) - least;
        if (wanted == CEMV_KERNEL_MEMORY) property(more == 0, "what every session has", wanted);
        else property(more >= wanted && more < wanted + 8u && more % 8 == 0, "room for it, and no more", wanted);
    }
}

/* ---- data that no table lists ---- */

/* A kernel may accept tags that no table lists (CEMV_READING_PROPRIETARY), from its combinations and from a
 * transaction; in combinations they may also be empty. They are rejected among the terminal data and in another
 * kernel's combination, and a known object must still be valid. */
static void unlisted_data_are_for_those_who_take_them(void)
{
    static const char unlisted[] = "\xDF\x7E\1\1", empty[] = "\x9F\x1A\0", wrong[] = "\x9F\x1A\1\1";
    const unsigned combination = CEMV_SECTION_COMBINATION, terminal = CEMV_SECTION_TERMINAL;
    struct cemv_config_error error;
    const struct cemv_checked *checked;
    for (unsigned open = 0; open < 2; open++) {
        const uint8_t reading = open ? CEMV_READING_PROPRIETARY : 0;
        good();
        functions[1].reading = reading;
        rows[1].data = BYTES(unlisted);
        if (open) FINE("a tag of its own", 0);
        else gives(CEMV_UNKNOWN_TAG, combination, 1, CEMV_FIELD_DATA, 0xDF7E, "a tag that nobody lists", 0);
        rows[1].data = BYTES(empty);
        if (open) FINE("an empty object", 0);
        else gives(CEMV_BAD_LENGTH, combination, 1, CEMV_FIELD_DATA, 0x9F1A, "an empty object", 0);
        rows[1].data = BYTES(wrong);
        gives(CEMV_BAD_LENGTH, combination, 1, CEMV_FIELD_DATA, 0x9F1A, "a known object of a wrong length", open);
        good();
        functions[1].reading = reading;
        c.terminal_data = BYTES("\x9F\x1A\2\2\x76\xDF\x7E\1\1");
        gives(CEMV_UNKNOWN_TAG, terminal, 0, CEMV_FIELD_DATA, 0xDF7E, "the terminal's are listed", open);
        good();
        functions[1].reading = reading;
        rows[0].data = BYTES("\x9F\x1A\2\2\x76\xDF\x7E\1\1");
        gives(CEMV_UNKNOWN_TAG, combination, 0, CEMV_FIELD_DATA, 0xDF7E, "another kernel's combination", open);
        good();
        functions[1].reading = reading;
        struct cemv_transaction transaction = { .currency = 0x0978, .date = { 0x25, 0x12, 0x31 } };
        property(cemv_configuration_check(&c, memory, sizeof memory, &checked, &error) == CEMV_OK, "a configuration",
                 open);
        transaction.data = BYTES(unlisted);
        property(cemv_transaction_check(&transaction, checked, &error) == (open ? CEMV_OK : CEMV_UNKNOWN_TAG),
                 "a transaction's", open);
        transaction.data = BYTES("\x9F\x16\0");
        property(cemv_transaction_check(&transaction, checked, &error) == CEMV_OK,
                 "announced, as the terminal may give it", open);
        transaction.data = BYTES("\xDF\x81\x21\0");
        property(cemv_transaction_check(&transaction, checked, &error) == CEMV_BAD_LENGTH, "what it may not give",
                 open);
    }
}

/* ---- a transaction's numbers ---- */

static void every_currency_is_three_digits(void)
{
    struct cemv_config_error error;
    const struct cemv_checked *checked;
    good();
    property(cemv_configuration_check(&c, memory, sizeof memory, &checked, &error) == CEMV_OK, "a configuration", 0);
    for (uint32_t currency = 0; currency <= UINT16_MAX; currency++) {
        const struct cemv_transaction transaction = { .currency = (uint16_t)currency, .date = { 0x25, 0x12, 0x31 } };
        bool digits = currency >> 12 == 0;
        for (unsigned at = 0; at < 12; at += 4) digits = digits && (currency >> at & 0xF) < 10;
        property(cemv_transaction_check(&transaction, checked, &error) == (digits ? CEMV_OK : CEMV_BAD_VALUE),
                 "three digits", currency);
    }
}

/* cemv_session.h: names of 5 to 16 bytes, each after its length; every one is checked. */
static void every_preferred_name_is_checked(void)
{
    static const char good_name[] = "\5\xF0\0\0\0\1";
    struct cemv_config_error error;
    const struct cemv_checked *checked;
    good();
    property(cemv_configuration_check(&c, memory, sizeof memory, &checked, &error) == CEMV_OK, "a configuration", 0);
    for (uint8_t size = 0; size < 20; size++)
        for (unsigned cut = 0; cut < 2; cut++) {
            uint8_t names[6 + 20] = { 0 };
            memcpy(names, good_name, 6);
            names[6] = size;
            struct cemv_transaction transaction = { .currency = 0x0978, .date = { 0x25, 0x12, 0x31 } };
            const size_t whole = 7u + size - (size ? cut : 0);
            transaction.preferred = of(guarded_copy(names, whole), whole);
            const bool fine = size >= 5 && size <= 16 && !cut;
            property(cemv_transaction_check(&transaction, checked, &error) == (fine ? CEMV_OK : CEMV_BAD_LENGTH),
                     "a second name", (unsigned)size << 1 | cut);
            if (!fine) property(error.field == CEMV_FIELD_AID, "is named as one", (unsigned)size << 1 | cut);
        }
}

/* A program learns the limits that its library was built with, which may differ from those of its own header. */
static void the_build_tells_its_limits(void)
{
    const struct cemv_build build = cemv_build_limits();
    property(strcmp(cemv_version(), CEMV_VERSION) == 0 && strcmp(build.version, CEMV_VERSION) == 0 &&
                 build.sources[0] != 0,
             "version and sources", 0);
    property(build.compiled == 0x1FC, "Kernels 2 to 8", build.compiled);
    property(build.kernels == CEMV_MAX_KERNELS && build.combinations == CEMV_MAX_COMBINATIONS &&
                 build.ca_keys == CEMV_MAX_CA_KEYS && build.candidates == CEMV_MAX_CANDIDATES &&
                 build.torn_records == CEMV_TORN_RECORDS && build.session_size == CEMV_SESSION_SIZE &&
                 build.reader_memory_size == sizeof(struct cemv_reader_memory),
             "limits", 0);
}

void properties_of_configuration(void)
{
    PART(the_build_tells_its_limits);
    PART(properties_of_counts);
    PART(properties_of_own_tags);
    PART(properties_of_data);
    PART(kernel_3_requires_qualifiers_and_country);
    PART(properties_of_combinations);
    PART(properties_of_dynamic_limits);
    PART(properties_of_protection);
    PART(properties_of_ca_keys);
    PART(properties_of_the_rest);
    PART(properties_of_kernel_2);
    PART(properties_of_sales);
    PART(the_size_asked_for_is_taken);
    PART(a_session_grows_with_its_kernels);
    PART(unlisted_data_are_for_those_who_take_them);
    PART(every_currency_is_three_digits);
    PART(every_preferred_name_is_checked);
}
