/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 5: calls the rule that a line of kernel_5_rules.txt (Scripts/independent) names. The head of that file
 * defines the columns. */
#include "independent_case.h"

#include <string.h>

#include "CEMVInternals.h"
#include "../../Sources/CEMV/kernels/k5/k5_memory.h"

enum { PROFILE_BOOK = 0, PROFILE_STRICT = 2 };

static bool given(const struct rules_case *test, size_t index) { return test->input[index].kind != FIELD_OPEN; }

static cemv_bytes optional(const struct rules_case *test, size_t index)
{
    const cemv_bytes none = { NULL, 0 };
    return given(test, index) ? bytes(test, index) : none;
}

static uint8_t first_byte(const struct rules_case *test, size_t index) { return bytes(test, index).data[0]; }

static void gives_optional(struct rules_case *test, cemv_bytes value)
{
    if (value.data) gives_bytes(test, value.data, value.size);
    else test->actual[test->actual_count++] = (struct field){ .kind = FIELD_OPEN };
}

static void run_draw(struct rules_case *test)
{
    uint8_t number;
    if (k5_number(bytes(test, 0).data, &number)) gives(test, number);
    else gives_optional(test, (cemv_bytes){ NULL, 0 });
}

static void run_random(struct rules_case *test)
{
    const struct cemv_rules_selection_in rule = {
        .number = byte(test, 0),
        .amount = in(test, 1),
        .threshold = in(test, 2),
        .floor_limit = in(test, 3),
        .target = byte(test, 4),
        .maximum = byte(test, 5),
    };
    gives(test, cemv_rules_randomly_selected(&rule));
}

static void run_floor(struct rules_case *test)
{
    const struct cemv_limits limits = { .amount = { [CEMV_LIMIT_FLOOR] = in(test, 5) },
                                        .present = given(test, 5) ? 1u << CEMV_LIMIT_FLOOR : 0 };
    const struct k5_floor_in rule = {
        .legacy = flag(test, 0),
        .terminal_type = first_byte(test, 1),
        .options = first_byte(test, 2),
        .amount = in(test, 3),
        .exponent = byte(test, 4),
        .limits = &limits,
    };
    gives(test, k5_exceeds_floor(&rule));
}

static void run_usage(struct rules_case *test)
{
    const struct k5_usage_in rule = {
        .control = optional(test, 0),
        .issuer = optional(test, 1),
        .country = bytes(test, 2),
        .type = first_byte(test, 3),
        .cash_back = in(test, 4) != 0,
        .terminal_type = first_byte(test, 5),
        .capabilities = optional(test, 6),
    };
    gives(test, !k5_usage_refused(&rule));
}

/* 0 Declined, 1 TC, 2 ARQC. */
static unsigned number_of(uint8_t cryptogram) { return cryptogram >> 6; }

static void run_action(struct rules_case *test)
{
    const struct k5_action_in rule = {
        .type = first_byte(test, 0),
        .legacy = flag(test, 1),
        .transit = flag(test, 2),
        .options = first_byte(test, 3),
        .tvr = cemv_rules_bits(bytes(test, 4), 0),
        .denial = cemv_rules_bits(bytes(test, 5), 0),
        .online = cemv_rules_bits(bytes(test, 6), 0),
        .unable = cemv_rules_bits(bytes(test, 7), 0),
        .issuer_denial = optional(test, 8),
        .issuer_online = optional(test, 9),
        .issuer_unable = optional(test, 10),
        .terminal_type = first_byte(test, 11),
        .needs_online = in(test, 13) != PROFILE_BOOK && flag(test, 12),
        .refuse_failed = in(test, 13) == PROFILE_STRICT,
    };
    gives(test, number_of(k5_action(&rule)));
}

static void gives_cvm(struct rules_case *test, struct k5_cvm cvm)
{
    gives(test, cvm.verdict);
    gives(test, cvm.cvm >> 4);
}

static void run_cvm(struct rules_case *test)
{
    const struct cemv_limits limits = {
        .amount = { [CEMV_LIMIT_TRANSACTION] = in(test, 5), [CEMV_LIMIT_CDCVM_TRANSACTION] = in(test, 6) },
        .present = (uint8_t)((given(test, 5) ? 1u << CEMV_LIMIT_TRANSACTION : 0) |
                             (given(test, 6) ? 1u << CEMV_LIMIT_CDCVM_TRANSACTION : 0)),
    };
    const bool guarded = in(test, 7) != PROFILE_BOOK;
    const struct k5_cvm_in rule = {
        .status = first_byte(test, 0),
        .tip = first_byte(test, 1),
        .tc = in(test, 2) == 1,
        .verified = flag(test, 3),
        .amount = in(test, 4),
        .limits = &limits,
        .reads_closely = guarded,
        .distrusts_plain = guarded,
        .distrusts_device = guarded,
    };
    gives_cvm(test, k5_cvm(&rule));
}

static void run_cvm_list(struct rules_case *test)
{
    const struct k5_cvm_list_in rule = {
        .list = optional(test, 0),
        .tip = first_byte(test, 1),
        .required = flag(test, 2),
        .downgraded = flag(test, 3) && in(test, 4) != PROFILE_BOOK,
        .pin_first = in(test, 4) == PROFILE_STRICT,
    };
    gives_cvm(test, k5_cvm_list(&rule));
}

static void run_first_answer(struct rules_case *test)
{
    const struct k5_answer answer = k5_read_answer(bytes(test, 0));
    const bool recorded = k5_is_first_answer(&answer, flag(test, 1));
    const bool good = recorded && !k5_lacks_signature(&answer, flag(test, 1));
    gives(test, good);
    gives(test, good && k5_tells_card_read(&answer, flag(test, 2)));
    gives(test, good ? number_of(k5_type(&answer)) : 0);
    gives(test, recorded);
}

static void run_second_answer(struct rules_case *test)
{
    const struct k5_answer answer = k5_read_answer(bytes(test, 0));
    gives(test, k5_is_second_answer(&answer));
}

static void run_legacy_answer(struct rules_case *test) { gives(test, k5_read_legacy_answer(bytes(test, 0)).sound); }

static struct cemv_store store;

static const struct cemv_tags *k5_known(void)
{
    static struct cemv_tags tags;
    if (tags.count == 0) cemv_tags_open(&tags, &cemv_kernel_5.tags);
    return &tags;
}

static void run_gpo(struct rules_case *test)
{
    const cemv_bytes none = { NULL, 0 };
    const struct k5_gpo gpo = k5_read_gpo(bytes(test, 0));
    struct cemv_afl afl;
    bool repeated, whole = gpo.whole;
    cemv_store_clear(&store, k5_known(), 0);
    if (whole)
        whole = cemv_store_put(&store, CEMV_SLOT_94, gpo.locator, CEMV_FROM_CARD) &&
                cemv_afl_open(&afl, &store, CEMV_MAX_RECORDS, &repeated);
    gives_optional(test, whole ? gpo.profile : none);
    gives_optional(test, whole ? gpo.locator : none);
}

/* A reader configured only with the values of the line; the transaction is the one in the file's generator. */
static void run_dol(struct rules_case *test)
{
    static const uint16_t slots[] = { CEMV_SLOT_95, K5_SLOT_9F53, CEMV_SLOT_9F37, CEMV_SLOT_5A, CEMV_SLOT_57 };
    static const struct cemv_combination combination;
    static struct cemv_kernel kernel;
    uint8_t values[1024]; /* the file has no such bound */
    size_t size = 0;
    kernel.combination = &combination;
    cemv_store_clear(&kernel.store, k5_known(), 0);
    for (size_t i = 0; i < 5; i++)
        cemv_store_put(&kernel.store, slots[i], bytes(test, i + 1), i < 3 ? CEMV_FROM_TERMINAL : CEMV_FROM_CARD);
    cemv_store_put_u8(&kernel.store, K5_SLOT_9F52, 0x02);
    const bool made = k5_build_list(&kernel, bytes(test, 0), values, sizeof values, &size);
    if (made) gives_bytes(test, values, size);
    else gives_optional(test, (cemv_bytes){ NULL, 0 });
}

/* The commands of a template 71, as they are sent. */
static void run_script(struct rules_case *test)
{
    static uint8_t answer[1200];
    static struct cemv_kernel kernel;
    struct cemv_writer writer = cemv_writer_open(answer, sizeof answer);
    struct cemv_command command;
    cemv_writer_put_tlv(&writer, CEMV_TAG_71_ISSUER_SCRIPT_TEMPLATE_1, bytes(test, 0));
    cemv_store_clear(&kernel.store, k5_known(), 0);
    memset(kernel.memory, 0, sizeof kernel.memory);
    (void)cemv_store_keep(&kernel.store, cemv_writer_finish(&writer), &kernel.online);
    k5_open_scripts(&kernel);
    while (
        k5_next_command(&kernel, CEMV_TAG_71_ISSUER_SCRIPT_TEMPLATE_1, CEMV_TVR_5_SCRIPT_FAILED_BEFORE_AC, &command)) {
        uint8_t sent[262];
        const cemv_bytes encoded = cemv_command_encode(&command, sent, sizeof sent);
        gives_bytes(test, encoded.data, encoded.size);
    }
    if (k5_memory_of(&kernel)->tvr) gives_optional(test, (cemv_bytes){ NULL, 0 });
}

static void run_fci(struct rules_case *test)
{
    const cemv_bytes none = { NULL, 0 };
    const struct k5_fci fci = k5_read_fci(bytes(test, 0));
    gives(test, fci.whole);
    gives_optional(test, fci.whole ? fci.name : none);
    gives_optional(test, fci.whole ? fci.label : none);
    gives_optional(test, fci.whole ? fci.pdol : none);
}

const struct rules_function independent_kernel_5[] = {
    { "k5_action", run_action },
    { "k5_cvm", run_cvm },
    { "k5_cvm_list", run_cvm_list },
    { "k5_dol", run_dol },
    { "k5_draw", run_draw },
    { "k5_fci", run_fci },
    { "k5_first_answer", run_first_answer },
    { "k5_floor", run_floor },
    { "k5_gpo", run_gpo },
    { "k5_legacy_answer", run_legacy_answer },
    { "k5_random", run_random },
    { "k5_script", run_script },
    { "k5_second_answer", run_second_answer },
    { "k5_usage", run_usage },
    { NULL, NULL },
};
