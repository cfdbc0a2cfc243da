/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 6: calls the rule that a line of kernel_6_rules.txt (Scripts/independent) names. Each function here
 * describes its columns. */
#include "independent_case.h"

#include <string.h>

#include "../../Sources/CEMV/kernels/kernel.h"
#include "../../Sources/CEMV/include/cemv_kernel_6.h"
#include "../../Sources/CEMV/kernels/k6/k6.h"

enum { PROFILE_BOOK = 0, PROFILE_STRICT = 2 };

/* FCI, TTQ; verdict, 9F7D offers MS Mode, size of the number. */
static void run_fci_emv(struct rules_case *test)
{
    const bool both = (bytes(test, 1).data[0] & CEMV_TTQ_1_MAG_STRIPE_MODE) != 0;
    const struct k6_selected selected = k6_select_emv(bytes(test, 0), both);
    gives(test, selected.verdict);
    gives(test, k6_select_emv(bytes(test, 0), true).magstripe);
    gives(test, selected.number_size);
}

/* FCI, another interface; verdict, size of the number. */
static void run_fci_magstripe(struct rules_case *test)
{
    const struct k6_selected selected = k6_select_magstripe(bytes(test, 0), flag(test, 1));
    gives(test, selected.verdict);
    gives(test, selected.number_size);
}

/* Random bytes, size of the number; the number, and how many of the bytes were used. */
static void run_number(struct rules_case *test)
{
    uint8_t number[4];
    const cemv_bytes random = bytes(test, 0);
    size_t used = 0;
    bool drawn = false;
    for (; !drawn && used + 4 <= random.size; used += 4) drawn = k6_number(random.data + used, byte(test, 1), number);
    gives_bytes(test, number, drawn ? byte(test, 1) : 0);
    gives(test, used);
}

/* Track, 9F7E, number; the track. */
static void run_track(struct rules_case *test, bool first)
{
    uint8_t track[255];
    struct k6_fill fill;
    const cemv_bytes given = bytes(test, 0);
    memcpy(track, given.data, given.size);
    if (k6_fill_open(&fill, bytes(test, 1), bytes(test, 2))) {
        if (first) (void)k6_fill_track_1(track, given.size, &fill);
        else (void)k6_fill_track_2(track, given.size, &fill);
    }
    gives_bytes(test, track, given.size);
}
static void run_track_1(struct rules_case *test) { run_track(test, true); }
static void run_track_2(struct rules_case *test) { run_track(test, false); }

/* D1; the amount, or "open" if D1 has no amount. */
static void run_balance(struct rules_case *test)
{
    uint64_t amount = 0;
    const bool numeric = cemv_balance_read(bytes(test, 0), &amount);
    gives(test, amount);
    if (!numeric && test->expected[0].kind != FIELD_OPEN) test->actual_count = 0;
    if (numeric && test->expected[0].kind == FIELD_OPEN) test->actual_count = 0;
}

/* TTQ, CPR, 9F10, offset of the CVR in it, cryptogram, signature (1: verified), profile, another interface; verdict,
 * CVM, TVR, TSI. */
static void run_cvm(struct rules_case *test)
{
    const cemv_bytes iad = bytes(test, 2);
    const uint8_t profile = byte(test, 6);
    struct k6_cvm_in given = {
        .proven = in(test, 5) == 1,
        .other_interface = flag(test, 7),
        .distrust_none = profile != PROFILE_BOOK,
        .distrust_signature = profile == PROFILE_STRICT,
        .distrust_device = profile == PROFILE_STRICT,
        .needs_online = profile != PROFILE_BOOK,
    };
    memcpy(given.ttq, bytes(test, 0).data, sizeof given.ttq);
    memcpy(given.cpr, bytes(test, 1).data, sizeof given.cpr);
    for (size_t i = 0; i < 2 && in(test, 3) + i < iad.size; i++) given.cvr[i] = iad.data[in(test, 3) + i];
    const struct k6_cvm cvm = k6_cvm(&given);
    const uint8_t tvr[5] = { 0, 0, cvm.cvm == CEMV_CVM_ONLINE_PIN ? CEMV_TVR_3_ONLINE_CVM_CAPTURED : 0, 0, 0 };
    const uint8_t tsi[2] = { cvm.performed ? CEMV_TSI_1_CARDHOLDER_VERIFICATION_PERFORMED : 0, 0 };
    gives(test, cvm.verdict);
    gives(test, cvm.cvm >> 4);
    gives_bytes(test, tvr, sizeof tvr);
    gives_bytes(test, tsi, sizeof tsi);
}

/* Cryptogram; 9F07, 5F28, each behind its presence; 9F1A, type, amount of cash back, 9F35, 9F40; refused. */
static void run_usage(struct rules_case *test)
{
    const cemv_bytes none = { NULL, 0 };
    const struct k6_usage_in given = {
        .cryptogram = byte(test, 0),
        .control = flag(test, 1) ? bytes(test, 2) : none,
        .issuer = flag(test, 3) ? bytes(test, 4) : none,
        .country = bytes(test, 5),
        .type = bytes(test, 6).data[0],
        .cash_back = in(test, 7) != 0,
        .terminal_type = bytes(test, 8),
        .capabilities = bytes(test, 9),
    };
    gives(test, k6_usage_refused(&given));
}

/* 57, 5F24, 5F25, 9F08, each behind its presence; 9F09, today, profile; verdict, byte 2 of the TVR, an expiry is
 * known. */
static void run_dates(struct rules_case *test)
{
    const cemv_bytes none = { NULL, 0 };
    struct k6_dates_in given = {
        .track_2 = flag(test, 0) ? bytes(test, 1) : none,
        .expiry = flag(test, 2) ? bytes(test, 3) : none,
        .effective = flag(test, 4) ? bytes(test, 5) : none,
        .card_version = flag(test, 6) ? bytes(test, 7) : none,
        .version = bytes(test, 8),
        .effective_alone = byte(test, 10) != PROFILE_BOOK,
    };
    memcpy(given.today, bytes(test, 9).data, sizeof given.today);
    const struct k6_dates dates = k6_dates(&given);
    gives(test, dates.verdict);
    gives(test, dates.tvr_2);
    gives(test, dates.expiry_known);
}

/* Cryptogram, TVR, CPR, TTQ, profile, another interface; the action. */
static void run_action(struct rules_case *test)
{
    struct k6_action_in given = {
        .cryptogram = byte(test, 0),
        .refuse_failed = byte(test, 4) != PROFILE_BOOK,
        .needs_online = byte(test, 4) != PROFILE_BOOK,
        .other_interface = flag(test, 5),
    };
    memcpy(given.tvr, bytes(test, 1).data, sizeof given.tvr);
    memcpy(given.cpr, bytes(test, 2).data, sizeof given.cpr);
    memcpy(given.ttq, bytes(test, 3).data, sizeof given.ttq);
    gives(test, k6_action(&given));
}

/* A command; whether it is sent to the card. */
static void run_script(struct rules_case *test)
{
    struct cemv_command command;
    gives(test, k6_script_command(bytes(test, 0), &command));
}

/* AID, presence of a TTQ, TTQ, mode; 2 if the configuration is rejected, 1 if it deserves a warning, which the kernel
 * does not issue. */
static void run_configuration(struct rules_case *test)
{
    static const uint8_t terminal[] = { 0x9F, 0x09, 2,    0,    1,   0x9F, 0x1A, 2,   0x02, 0x76, 0x9F,
                                        0x1E, 8,    '1',  2,    '3', '4',  '5',  '6', 7,    '8',  0x9F,
                                        0x33, 3,    0xE0, 0xB8, 8,   0x9F, 0x35, 1,   0x22 };
    const cemv_bytes none = { NULL, 0 };
    const struct cemv_kernel_6_options options = { .mode = byte(test, 3) };
    const struct cemv_combination combination = { .aid = bytes(test, 0),
                                                  .ttq = flag(test, 1) ? bytes(test, 2) : none,
                                                  .options = &options };
    const struct cemv_configuration configuration = { .combinations = &combination,
                                                      .combination_count = 1,
                                                      .terminal_data = { terminal, sizeof terminal } };
    struct cemv_config_error error = { 0 };
    const bool refused = cemv_kernel_6.check(&configuration, 0, &error) != CEMV_OK;
    gives(test, refused ? 2 : test->expected[0].number == 1);
}

const struct rules_function independent_kernel_6[] = {
    { "k6_action", run_action },
    { "k6_balance", run_balance },
    { "k6_configuration", run_configuration },
    { "k6_cvm", run_cvm },
    { "k6_dates", run_dates },
    { "k6_fci_emv", run_fci_emv },
    { "k6_fci_magstripe", run_fci_magstripe },
    { "k6_number", run_number },
    { "k6_script", run_script },
    { "k6_track_1", run_track_1 },
    { "k6_track_2", run_track_2 },
    { "k6_usage", run_usage },
    { NULL, NULL },
};
