/* SPDX-License-Identifier: Apache-2.0 */
/* The options of single kernels in a combination, one object for each: their names and ranges as in
 * emv-configuration/1, and for the kernels that are built the struct that CEMV accepts. A kernel's row defines how they
 * are read. */
#include "reading.h"

#include <stdio.h>
#include <string.h>

#include "../../Sources/CEMV/include/cemv_kernel_4.h"
#include "../../Sources/CEMV/include/cemv_kernel_5.h"
#include "../../Sources/CEMV/include/cemv_kernel_6.h"
#include "../../Sources/CEMV/include/cemv_kernel_7.h"
#include "../../Sources/CEMV/include/cemv_kernel_8.h"

static const uint64_t no_limit = 999999999999;

enum form { HEX, INTEGER, TRUTH, WORD, WORDS, LIMIT_SETS, SELECTION };
struct member {
    const char *name;
    enum form form;
    uint64_t least, most; /* bytes of HEX, values of INTEGER */
    const char *words[5];
};

static bool has_word(const struct json *node, const char *const *words)
{
    while (*words && !json_is(node, *words)) words++;
    return *words != NULL;
}

static void check_limits(struct reading *r, const struct json *node)
{
    static const char *const names[] = { "transaction", "floor", "cvmRequired", NULL };
    if (!read_only(r, node, "limits", names)) return;
    for (size_t i = 0; names[i]; i++) (void)read_integer(r, node, names[i], no_limit, 0);
}

static const char *const numbers[] = { "1", "2",  "3",  "4",  "5",  "6",  "7",  "8",
                                       "9", "10", "11", "12", "13", "14", "15", NULL };

/* Kernel 4's limit sets: one for each of the numbers 1 to 15 that has one; if there are any, the default must be among
 * them. */
static void check_limit_sets(struct reading *r, const struct json *node)
{
    static const char *const names[] = { "default", "sets", NULL };
    if (!read_only(r, node, "dynamicLimits", names)) return;
    const struct json *otherwise = json_member(node, "default"), *sets = json_member(node, "sets");
    if (otherwise) check_limits(r, otherwise);
    if (!sets || !read_only(r, sets, "sets", numbers)) return;
    if (!otherwise) read_expected(r, "sets", "a default beside it");
    for (const struct json *set = sets->first; set && !r->bad; set = set->next) check_limits(r, set);
}

static void check_selection(struct reading *r, const struct json *node)
{
    static const char *const names[] = { "threshold", "target", "maximumTarget", NULL };
    if (!read_only(r, node, "randomSelection", names)) return;
    for (size_t i = 0; names[i]; i++) {
        if (!json_member(node, names[i])) read_expected(r, names[i], "a value");
        (void)read_integer(r, node, names[i], i == 0 ? no_limit : 99, 0);
    }
}

static void check_member(struct reading *r, const struct json *object, const struct json *node,
                         const struct member *member)
{
    switch (member->form) {
    case HEX: (void)read_hex(r, node, member->name, member->least, member->most); break;
    case INTEGER:
        if (read_integer(r, object, member->name, member->most, 0) < member->least)
            read_expected(r, member->name, "a whole number within its range");
        break;
    case TRUTH: (void)read_truth(r, object, member->name, false); break;
    case WORD:
        if (!has_word(node, member->words)) read_expected(r, member->name, "one of its words");
        break;
    case WORDS:
        if (node->kind != JSON_ARRAY) read_expected(r, member->name, "a list");
        for (const struct json *word = node->first; word && !r->bad; word = word->next)
            if (!has_word(word, member->words)) read_expected(r, member->name, "its words");
        break;
    case LIMIT_SETS: check_limit_sets(r, node); break;
    case SELECTION: check_selection(r, node); break;
    }
}

#define CODES                                                                                                          \
    HEX, 5, 5, { NULL }
#define INTERFACES                                                                                                     \
    WORDS, 0, 0, { "contact", "magstripe", NULL }
static const struct member kernel_4[] = { { "tacDenial", CODES },
                                          { "tacOnline", CODES },
                                          { "tacDefault", CODES },
                                          { "unpredictableNumberRange", INTEGER, 60, 65535, { NULL } },
                                          { "discretionaryDataObjectList", HEX, 0, 252, { NULL } },
                                          { "dynamicLimits", LIMIT_SETS, 0, 0, { NULL } },
                                          { "onlineAvailable", TRUTH, 0, 0, { NULL } },
                                          { NULL, HEX, 0, 0, { NULL } } };
static const struct member kernel_5[] = { { "combinationOptions", HEX, 2, 2, { NULL } },
                                          { "terminalInterchangeProfile", HEX, 3, 3, { NULL } },
                                          { "tacDenial", CODES },
                                          { "tacOnline", CODES },
                                          { "tacDefault", CODES },
                                          { "randomSelection", SELECTION, 0, 0, { NULL } },
                                          { "removalTimeout", INTEGER, 0, 9999, { NULL } },
                                          { NULL, HEX, 0, 0, { NULL } } };
static const struct member kernel_6[] = {
    { "otherInterfaces", INTERFACES },         { "mode", WORD, 0, 0, { "auto", "emv", "ms", "legacy", NULL } },
    { "cvrOffset", INTEGER, 0, 24, { NULL } }, { "twoPresentments", TRUTH, 0, 0, { NULL } },
    { "track1Tag", HEX, 1, 4, { NULL } },      { NULL, HEX, 0, 0, { NULL } }
};
static const struct member kernel_7[] = { { "otherInterfaces", INTERFACES },
                                          { "odaForOnline", TRUTH, 0, 0, { NULL } },
                                          { "cvm", TRUTH, 0, 0, { NULL } },
                                          { NULL, HEX, 0, 0, { NULL } } };
static const struct member kernel_8[] = { { "relayLatencyMicroseconds", INTEGER, 0, UINT32_MAX, { NULL } },
                                          { "dataExchange", TRUTH, 0, 0, { NULL } },
                                          { NULL, HEX, 0, 0, { NULL } } };

/* A list of interfaces as the kernels' bits; if absent, those of the terminal's data. */
static uint8_t interfaces(const struct json *list)
{
    uint8_t bits = 0;
    if (!list) return CEMV_KERNEL_7_AS_TERMINAL;
    for (const struct json *word = list->first; word; word = word->next)
        bits |= json_is(word, "contact") ? CEMV_KERNEL_7_CONTACT : CEMV_KERNEL_7_MAGSTRIPE;
    return bits ? bits : CEMV_KERNEL_7_NO_INTERFACE;
}

_Static_assert((int)CEMV_KERNEL_6_CONTACT == (int)CEMV_KERNEL_7_CONTACT &&
                   (int)CEMV_KERNEL_6_MAGSTRIPE == (int)CEMV_KERNEL_7_MAGSTRIPE &&
                   (int)CEMV_KERNEL_6_NO_INTERFACE == (int)CEMV_KERNEL_7_NO_INTERFACE,
               "one set of bits");

static const struct cemv_limits *limits_of(struct reading *r, const struct json *node)
{
    static const struct {
        const char *name;
        enum cemv_limit which;
    } members[] = { { "transaction", CEMV_LIMIT_TRANSACTION },
                    { "floor", CEMV_LIMIT_FLOOR },
                    { "cvmRequired", CEMV_LIMIT_CVM_REQUIRED } };
    struct cemv_limits *limits = node ? read_room(r, sizeof *limits) : NULL;
    if (!limits) return NULL;
    *limits = (struct cemv_limits){ 0 };
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        if (!json_member(node, members[i].name)) continue;
        limits->amount[members[i].which] = read_integer(r, node, members[i].name, no_limit, 0);
        limits->present |= (uint8_t)(1u << members[i].which);
    }
    return limits;
}

static const struct cemv_limits *const *limit_sets(struct reading *r, const struct json *node)
{
    const struct cemv_limits **sets = node ? read_room(r, (CEMV_KERNEL_4_LIMIT_SETS + 1) * sizeof *sets) : NULL;
    if (!sets) return NULL;
    sets[0] = limits_of(r, json_member(node, "default"));
    const struct json *numbered = json_member(node, "sets");
    for (size_t i = 0; i < CEMV_KERNEL_4_LIMIT_SETS; i++)
        sets[i + 1] = numbered ? limits_of(r, json_member(numbered, numbers[i])) : NULL;
    return sets;
}

static void action_code(struct reading *r, const struct json *node, const char *name, uint8_t out[5])
{
    if (!json_member(node, name)) return;
    const cemv_bytes code = read_hex(r, json_member(node, name), name, 5, 5);
    if (code.size == 5) memcpy(out, code.data, 5);
}

static const void *make_4(struct reading *r, const struct json *node)
{
    struct cemv_kernel_4_options *options = read_room(r, sizeof *options);
    if (!options) return NULL;
    *options = (struct cemv_kernel_4_options){
        .number_range = (uint16_t)read_integer(r, node, "unpredictableNumberRange", 65535, 60),
        .cannot_go_online = !read_truth(r, node, "onlineAvailable", true),
        .dynamic_limits = limit_sets(r, json_member(node, "dynamicLimits")),
    };
    action_code(r, node, "tacDenial", options->tac_denial);
    action_code(r, node, "tacOnline", options->tac_online);
    action_code(r, node, "tacDefault", options->tac_default);
    if (json_member(node, "discretionaryDataObjectList"))
        options->discretionary_list =
            read_hex(r, json_member(node, "discretionaryDataObjectList"), "discretionaryDataObjectList", 0, 252);
    return options;
}

static void codes(struct reading *r, const struct json *node, const char *name, uint8_t given, uint8_t out[5],
                  struct cemv_kernel_5_options *options)
{
    const struct json *code = json_member(node, name);
    if (!code) return;
    const cemv_bytes bytes = read_hex(r, code, name, 5, 5);
    if (bytes.size == 5) memcpy(out, bytes.data, 5);
    options->given |= given;
}

static void copy_hex(struct reading *r, const struct json *node, const char *name, uint8_t *out, size_t size)
{
    const struct json *value = json_member(node, name);
    const cemv_bytes bytes = value ? read_hex(r, value, name, size, size) : (cemv_bytes){ NULL, 0 };
    if (bytes.size == size) memcpy(out, bytes.data, size);
}

static const void *make_5(struct reading *r, const struct json *node)
{
    struct cemv_kernel_5_options *options = read_room(r, sizeof *options);
    const struct json *selection = json_member(node, "randomSelection");
    if (!options) return NULL;
    copy_hex(r, node, "combinationOptions", options->combination_options, 2);
    copy_hex(r, node, "terminalInterchangeProfile", options->terminal_interchange_profile, 3);
    codes(r, node, "tacDenial", CEMV_KERNEL_5_GIVEN_TAC_DENIAL, options->tac_denial, options);
    codes(r, node, "tacOnline", CEMV_KERNEL_5_GIVEN_TAC_ONLINE, options->tac_online, options);
    codes(r, node, "tacDefault", CEMV_KERNEL_5_GIVEN_TAC_DEFAULT, options->tac_default, options);
    options->removal_timeout = (uint16_t)read_integer(r, node, "removalTimeout", 9999, 0);
    if (!selection) return options;
    options->given |= CEMV_KERNEL_5_GIVEN_SELECTION;
    options->threshold = read_integer(r, selection, "threshold", no_limit, 0);
    options->target = (uint8_t)read_integer(r, selection, "target", 99, 0);
    options->maximum_target = (uint8_t)read_integer(r, selection, "maximumTarget", 99, 0);
    return options;
}

static const void *make_6(struct reading *r, const struct json *node)
{
    static const struct choice modes[] = { { "", CEMV_KERNEL_6_MODE_AUTO },         { "auto", CEMV_KERNEL_6_MODE_AUTO },
                                           { "emv", CEMV_KERNEL_6_MODE_EMV },       { "ms", CEMV_KERNEL_6_MODE_MS },
                                           { "legacy", CEMV_KERNEL_6_MODE_LEGACY }, { NULL, 0 } };
    struct cemv_kernel_6_options *options = read_room(r, sizeof *options);
    if (!options) return NULL;
    options->mode = read_choice(r, node, "mode", modes);
    options->other_interfaces = interfaces(json_member(node, "otherInterfaces"));
    options->cvr_byte = (uint8_t)(1 + read_integer(r, node, "cvrOffset", 24, 2));
    options->one_presentment = !read_truth(r, node, "twoPresentments", true);
    if (json_member(node, "track1Tag")) {
        const cemv_bytes tag = read_hex(r, json_member(node, "track1Tag"), "track1Tag", 1, 4);
        for (size_t i = 0; i < tag.size; i++) options->track_1_tag = options->track_1_tag << 8 | tag.data[i];
    }
    return options;
}

static const void *make_7(struct reading *r, const struct json *node)
{
    struct cemv_kernel_7_options *options = read_room(r, sizeof *options);
    if (!options) return NULL;
    options->oda_for_online = read_truth(r, node, "odaForOnline", false);
    options->cvm_off = !read_truth(r, node, "cvm", true);
    options->other_interfaces = interfaces(json_member(node, "otherInterfaces"));
    return options;
}

static const void *make_8(struct reading *r, const struct json *node)
{
    struct cemv_kernel_8_options *options = read_room(r, sizeof *options);
    if (!options) return NULL;
    options->relay_latency_us = (uint32_t)read_integer(r, node, "relayLatencyMicroseconds", UINT32_MAX, 0);
    options->no_data_exchange = !read_truth(r, node, "dataExchange", true);
    return options;
}

/* `make` is NULL if the kernel is not built: only the form of its options is checked, and its traces are skipped. */
static const struct {
    const char *key;
    uint8_t number;
    const struct member *members;
    const void *(*make)(struct reading *r, const struct json *node);
} kernels[] = { { "kernel4", 4, kernel_4, make_4 },
                { "kernel5", 5, kernel_5, make_5 },
                { "kernel6", 6, kernel_6, make_6 },
                { "kernel7", 7, kernel_7, make_7 },
                { "kernel8", 8, kernel_8, make_8 } };

static bool check_form(struct reading *r, const struct json *node, const char *key, const struct member *members)
{
    if (node->kind != JSON_OBJECT) return read_expected(r, key, "an object");
    for (const struct json *member = node->first; member && !r->bad; member = member->next) {
        size_t i = 0;
        while (members[i].name && !json_is_named(member, members[i].name)) i++;
        if (!members[i].name) return read_expected(r, key, "no other key than those of the format");
        check_member(r, node, member, &members[i]);
    }
    return !r->bad;
}

/* Members that a combination of some kernels cannot have. */
static void check_common(struct reading *r, const struct json *node, uint8_t number)
{
    const struct json *limits = json_member(node, "limits");
    const bool is_new = number >= 4 && number <= 8, has_own = is_new || number == 2;
    if (is_new && number != 6 && number != 7 && json_member(node, "ttq"))
        read_expected(r, "ttq", "none with this kernel");
    if (has_own && json_member(node, "usageControl")) read_expected(r, "usageControl", "none with this kernel");
    if (has_own && json_member(node, "dynamicLimits")) read_expected(r, "dynamicLimits", "none with this kernel");
    if (number == 5 && limits && limits->kind == JSON_OBJECT && json_member(limits, "terminalFloor"))
        read_expected(r, "terminalFloor", "none with this kernel");
}

const void *read_options(struct reading *r, const struct json *node, const uint8_t *id, size_t id_size)
{
    const void *options = NULL;
    const uint8_t number = id_size == 1 ? id[0] : 0;
    check_common(r, node, number);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        const struct json *own = json_member(node, kernels[i].key);
        if (!own) continue;
        if (number != kernels[i].number) {
            char what[80];
            snprintf(what, sizeof what, "a combination of Kernel %u, not of %s %u", kernels[i].number,
                     number ? "Kernel" : "an identifier of length", number ? number : (unsigned)id_size);
            read_expected(r, kernels[i].key, what);
        } else if (check_form(r, own, kernels[i].key, kernels[i].members) && kernels[i].make) {
            options = kernels[i].make(r, own);
        }
    }
    return options;
}
