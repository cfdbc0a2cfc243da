/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 4: calls the rule that a line of kernel_4_rules.txt (Scripts/independent) names. The first lines of that
 * file define the columns. */
#include "independent_case.h"

#include <string.h>

#include "CEMVInternals.h"
#include "../../Sources/CEMV/include/cemv_kernel_4.h"
#include "../../Sources/CEMV/kernels/k4/k4.h"

enum { PROFILE_BOOK = 0, PROFILE_STRICT = 2 };

static const cemv_bytes none = { NULL, 0 };

static uint8_t first(const struct rules_case *test, size_t index) { return bytes(test, index).data[0]; }
/* A value after its presence flag. */
static cemv_bytes there(const struct rules_case *test, size_t index)
{
    return flag(test, index) ? bytes(test, index + 1) : none;
}

static void run_capabilities(struct rules_case *test)
{
    static const uint8_t type[] = { 0x9F, 0x35, 1 }, enhanced[] = { 0x9F, 0x6E, 4 };
    struct k4_capabilities capabilities = { .simple = first(test, 1) };
    uint8_t pdol[6];
    size_t size = 0;
    memcpy(capabilities.enhanced, bytes(test, 2).data, 4);
    k4_adapt(&capabilities, first(test, 0), flag(test, 3), flag(test, 4));
    gives_bytes(test, &capabilities.simple, 1);
    gives_bytes(test, capabilities.enhanced, 4);
    if (flag(test, 5)) memcpy(pdol, type, 3), size += 3;
    if (flag(test, 6)) memcpy(pdol + size, enhanced, 3), size += 3;
    const uint8_t sent = k4_type_sent(first(test, 0), capabilities.simple, (cemv_bytes){ pdol, size });
    gives_bytes(test, &sent, 1);
}

static void run_mode(struct rules_case *test)
{
    gives(test, k4_mode(bytes(test, 0).data, bytes(test, 1).data));
    gives(test, k4_is_emv(bytes(test, 0).data));
}

static void run_afl(struct rules_case *test)
{
    static struct cemv_store store;
    struct cemv_afl afl;
    bool repeated;
    cemv_store_clear(&store, &no_tags, CEMV_READING_STRICT_DUPLICATES);
    (void)cemv_store_put(&store, CEMV_SLOT_94, bytes(test, 0), CEMV_FROM_CARD);
    gives(test, cemv_afl_open(&afl, &store, CEMV_MAX_RECORDS, &repeated));
}

static void run_oda_method(struct rules_case *test)
{
    gives(test, k4_oda_method(bytes(test, 0).data, bytes(test, 1).data[2]));
}

static struct cemv_limits limits_at(const struct rules_case *test, size_t index)
{
    static const enum cemv_limit which[] = { CEMV_LIMIT_TRANSACTION, CEMV_LIMIT_FLOOR, CEMV_LIMIT_CVM_REQUIRED };
    struct cemv_limits limits = { .present = 0 };
    for (size_t i = 0; i < 3; i++) {
        limits.amount[which[i]] = in(test, index + 2 * i + 1);
        if (flag(test, index + 2 * i)) limits.present |= (uint8_t)(1u << which[i]);
    }
    return limits;
}

static void run_limits(struct rules_case *test)
{
    enum { PRESET = 3, CARD = 10, SET_3 = 12, COVERED = 19, PROFILE = 20 };
    const struct cemv_limits preset = limits_at(test, PRESET + 1), third = limits_at(test, SET_3 + 1);
    const cemv_bytes card = there(test, CARD);
    const struct k4_limits_in given = {
        .amount = in(test, 0),
        .floor_exceeded = flag(test, 1),
        .cvm_exceeded = flag(test, 2),
        .preset = flag(test, PRESET) ? &preset : NULL,
        .chosen = flag(test, SET_3) && k4_limit_set(card) == 3 ? &third : NULL,
        .bounded = byte(test, PROFILE) != PROFILE_BOOK && !flag(test, COVERED),
    };
    const struct k4_limits limits = k4_limits(&given);
    gives(test, limits.not_allowed);
    gives(test, limits.floor_exceeded);
    gives(test, limits.cvm_exceeded);
}

static void run_usage(struct rules_case *test)
{
    const cemv_bytes country = there(test, 1);
    const struct cemv_rules_usage_in given = {
        .usage = bytes(test, 0).data,
        .atm = cemv_rules_is_atm(first(test, 6), bytes(test, 7)),
        .has_country = country.size != 0,
        .domestic = cemv_bytes_equal(country, bytes(test, 3)),
        .type = first(test, 4),
        .cashback_amount = in(test, 5) != 0,
    };
    gives(test, !cemv_rules_usage_allowed(&given));
}

static void run_delayed_usage(struct rules_case *test)
{
    gives(test, k4_delayed_refused(there(test, 0), there(test, 2), bytes(test, 4), bytes(test, 5).data));
}

static void run_cvm(struct rules_case *test)
{
    const uint8_t *const profile = bytes(test, 4).data;
    const cemv_bytes currency = there(test, 9);
    struct k4_cvm_in given = {
        .exceeded = flag(test, 0),
        .restarted = flag(test, 1),
        .emv = flag(test, 2),
        .can_insert = flag(test, 3),
        .card_verifies = (profile[0] & CEMV_AIP_1_CARDHOLDER_VERIFICATION) != 0,
        .mobile = (profile[1] & CEMV_AIP_2_MOBILE) != 0,
        .results = there(test, 5),
        .list = there(test, 7),
        .same_currency = currency.size != 0 && cemv_bytes_equal(currency, bytes(test, 17)),
        .no_cvm = (bytes(test, 12).data[1] & 0x08) != 0,
        .terminal_type = first(test, 13),
        .type = first(test, 14),
        .amount = in(test, 15),
    };
    uint8_t tvr[5];
    memcpy(given.reader, bytes(test, 11).data, 4);
    const struct k4_cvm cvm = k4_cvm(&given);
    cemv_rules_bits_put(tvr, cvm.cvm.tvr);
    gives(test, cvm.verdict);
    gives(test, cvm.cvm.cvm >> 4);
    gives_bytes(test, tvr, sizeof tvr);
    gives_bytes(test, cvm.cvm.results, sizeof cvm.cvm.results);
}

/* 0 AAC, 1 TC, 2 ARQC, 3 none: as bits 8-7 have them. */
static uint8_t type_of(uint64_t number) { return (uint8_t)(number << 6); }

static void run_first_action(struct rules_case *test)
{
    const uint8_t *const reader = bytes(test, 11).data;
    const struct k4_action_in given = {
        .tvr = cemv_rules_bits(bytes(test, 0), 0),
        .denial = cemv_rules_bits(bytes(test, 1), 0) | cemv_rules_bits(there(test, 4), 0),
        .online = cemv_rules_bits(bytes(test, 2), 0) | cemv_rules_bits(there(test, 6), CEMV_TVR_ALL),
        .unable = cemv_rules_bits(bytes(test, 3), 0) | cemv_rules_bits(there(test, 8), CEMV_TVR_ALL),
        .terminal_type = first(test, 10),
        .delayed = k4_has(reader, 4, K4_READER_4_DELAYED),
        .can_go_online = flag(test, 12),
        .wants_online = flag(test, 13) || flag(test, 14),
    };
    gives(test, k4_first_action(&given) >> 6);
}

static void run_card_action(struct rules_case *test)
{
    const uint8_t profile = byte(test, 10);
    const struct k4_card_action_in given = {
        .asked = type_of(in(test, 0)),
        .information = type_of(in(test, 1)),
        .emv = flag(test, 2),
        .terminal_type = first(test, 3),
        .delayed = k4_has(bytes(test, 4).data, 4, K4_READER_4_DELAYED),
        .can_insert = flag(test, 5),
        .can_go_online = flag(test, 6),
        .method = byte(test, 7),
        .good = flag(test, 8),
        .cvm_exceeded = flag(test, 9),
        .needs_signature = profile != PROFILE_BOOK,
        .refuse_failed = profile == PROFILE_STRICT,
        .refuse_unproven = profile == PROFILE_STRICT,
    };
    gives(test, k4_card_action(&given));
}

static void run_issuer_action(struct rules_case *test)
{
    const struct k4_issuer_action_in given = {
        .reached = flag(test, 0),
        .code = bytes(test, 1),
        .pin_asked = flag(test, 2),
        .takes_pin = k4_has(bytes(test, 3).data, 2, K4_READER_2_ONLINE_PIN) && k4_list_has_pin(bytes(test, 4)),
        .can_insert = flag(test, 5),
    };
    gives(test, k4_issuer_action(&given));
}

static void run_ac_format(struct rules_case *test)
{
    struct k4_answer answer;
    gives(test, k4_read_answer(bytes(test, 1), flag(test, 0), &answer));
}

static void run_number(struct rules_case *test)
{
    uint8_t number[4];
    k4_number(cemv_be32(bytes(test, 0).data), word(test, 1), bytes(test, 2).data, number);
    gives_bytes(test, number, sizeof number);
}

static void run_tracks(struct rules_case *test)
{
    uint8_t track_1[K4_TRACK_1_SIZE], track_2[K4_TRACK_2_SIZE];
    struct k4_tracks_in given = {
        .pan = bytes(test, 0), .name = bytes(test, 1), .expiry = bytes(test, 2), .track_2 = bytes(test, 3)
    };
    memcpy(given.number, bytes(test, 4).data, sizeof given.number);
    memcpy(given.cryptogram, bytes(test, 5).data, sizeof given.cryptogram);
    memcpy(given.counter, bytes(test, 6).data, sizeof given.counter);
    const bool usable = k4_tracks_usable(given.pan, given.track_2);
    gives(test, usable);
    if (usable) k4_make_tracks(&given, track_1, track_2);
    gives_bytes(test, track_1, usable ? sizeof track_1 : 0);
    gives_bytes(test, track_2, usable ? sizeof track_2 : 0);
}

const struct rules_function independent_kernel_4[] = {
    { "k4_ac_format", run_ac_format },
    { "k4_afl", run_afl },
    { "k4_capabilities", run_capabilities },
    { "k4_card_action", run_card_action },
    { "k4_cvm", run_cvm },
    { "k4_delayed_usage", run_delayed_usage },
    { "k4_first_action", run_first_action },
    { "k4_issuer_action", run_issuer_action },
    { "k4_limits", run_limits },
    { "k4_mode", run_mode },
    { "k4_number", run_number },
    { "k4_oda_method", run_oda_method },
    { "k4_tracks", run_tracks },
    { "k4_usage", run_usage },
    { NULL, NULL },
};
