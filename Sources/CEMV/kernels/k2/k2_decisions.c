/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2: collects the inputs of each decision from the data of the transaction, and applies the results [S456.14,
 * S456.30-39]. The decisions themselves are pure functions in k2_rules.c, so that they can be tested without a store.
 * This file knows no state and no command. Requirements: Conformance/book-c2.md. */
#include "k2.h"

/* The profile of a card that sent none, or one of another length, has no bit set. */
bool k2_aip_has(const struct cemv_kernel *kernel, unsigned byte, uint8_t bit)
{
    const cemv_bytes profile = cemv_value(kernel, CEMV_SLOT_82);
    return profile.size == 2 && (profile.data[byte - 1] & bit) != 0;
}

/* On-device CVM requires support by both sides. */
bool k2_on_device_cvm(const struct cemv_kernel *kernel)
{
    return k2_aip_has(kernel, 1, CEMV_AIP_1_ON_DEVICE_CVM) && (k2_configuration_of(kernel) & K2_ON_DEVICE_CVM) != 0;
}

/* All limits are compared with "greater than": an amount equal to a limit does not exceed it. An absent limit is
 * zero. */
bool k2_above_cvm_limit(const struct cemv_kernel *kernel)
{
    return k2_amount(kernel, CEMV_SLOT_9F02) > k2_amount(kernel, K2_SLOT_DF8126);
}

/* Devices that verify their user have a separate limit, usually a higher one [S456.14]. */
bool k2_above_transaction_limit(const struct cemv_kernel *kernel)
{
    const uint16_t slot = k2_on_device_cvm(kernel) ? K2_SLOT_DF8125 : K2_SLOT_DF8124;
    return k2_amount(kernel, CEMV_SLOT_9F02) > k2_amount(kernel, slot);
}

/* The TVR is collected as a number and becomes an object when something reads it: a DOL, the terminal or the data
 * record. */
void k2_put_tvr(struct cemv_kernel *kernel)
{
    uint8_t bytes[5];
    cemv_rules_bits_put(bytes, k2_memory_of(kernel)->tvr);
    k2_put_terminal(kernel, CEMV_SLOT_95, bytes, sizeof bytes);
}

/* Byte 2 of Terminal Capabilities, the CVMs that the reader offers, has two configured values: one for amounts above
 * the CVM limit and one for the others. In this way the limit decides whether the cardholder must be verified. Above it
 * a receipt is requested as well [S456.30-33]. */
void k2_choose_capabilities(struct cemv_kernel *kernel)
{
    const bool above = k2_above_cvm_limit(kernel);
    const uint8_t capabilities[3] = {
        k2_byte(kernel, K2_SLOT_DF8117, 0),
        k2_byte(kernel, above ? K2_SLOT_DF8118 : K2_SLOT_DF8119, 0),
        k2_byte(kernel, K2_SLOT_DF811F, 0),
    };
    kernel->out.outcome.receipt = above;
    k2_put_terminal(kernel, CEMV_SLOT_9F33, capabilities, sizeof capabilities);
}

/* Processing restrictions [S456.35]. If the configuration has no application version number, the book's counts. */
uint64_t k2_restrictions_of(const struct cemv_kernel *kernel)
{
    const cemv_bytes card_version = cemv_value(kernel, CEMV_SLOT_9F08), usage = cemv_value(kernel, CEMV_SLOT_9F07);
    const cemv_bytes country = cemv_value(kernel, CEMV_SLOT_5F28);
    const uint8_t version[2] = { 0x00, 0x02 };
    const cemv_bytes reader_version = cemv_store_has(&kernel->store, CEMV_SLOT_9F09)
                                        ? cemv_value(kernel, CEMV_SLOT_9F09)
                                        : (cemv_bytes){ version, 2 };
    const uint8_t dates = cemv_rules_dates(cemv_value(kernel, CEMV_SLOT_9A), cemv_value(kernel, CEMV_SLOT_5F25),
                                           cemv_value(kernel, CEMV_SLOT_5F24));
    const struct k2_restrictions_in in = {
        .versions_differ = cemv_rules_versions_differ(card_version, reader_version),
        .not_yet_effective = (dates & CEMV_TVR_2_NOT_YET_EFFECTIVE) != 0,
        .expired = (dates & CEMV_TVR_2_EXPIRED) != 0,
        .has_usage_control = usage.size == 2,
        .usage_control = { usage.size == 2 ? usage.data[0] : 0, usage.size == 2 ? usage.data[1] : 0 },
        .atm = cemv_rules_is_atm(k2_byte(kernel, CEMV_SLOT_9F35, 0), cemv_value(kernel, CEMV_SLOT_9F40)),
        .has_country = country.size != 0,
        .domestic = cemv_bytes_equal(country, cemv_value(kernel, CEMV_SLOT_9F1A)),
        .type = k2_byte(kernel, CEMV_SLOT_9C, 0),
        .cashback_amount = k2_amount(kernel, CEMV_SLOT_9F03) != 0,
    };
    return k2_restrictions(&in);
}

/* Cardholder verification [S456.36]. The protection may replace the result, if it follows from data that nothing
 * proves. */
void k2_select_cvm(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const cemv_bytes currency = cemv_value(kernel, CEMV_SLOT_9F42), capabilities = cemv_value(kernel, CEMV_SLOT_9F33);
    const struct k2_cvm_in in = {
        .on_device = k2_on_device_cvm(kernel),
        .card_verifies = k2_aip_has(kernel, 1, CEMV_AIP_1_CARDHOLDER_VERIFICATION),
        .above_limit = k2_above_cvm_limit(kernel),
        .list = cemv_value(kernel, K2_SLOT_8E),
        .capability = capabilities.size == 3 ? capabilities.data[1] : 0,
        .type = k2_byte(kernel, CEMV_SLOT_9C, 0),
        .terminal_type = k2_byte(kernel, CEMV_SLOT_9F35, 0),
        .amount = k2_amount(kernel, CEMV_SLOT_9F02),
        .currency_known = currency.size != 0,
        .same_currency = cemv_bytes_equal(currency, cemv_value(kernel, CEMV_SLOT_5F2A)),
    };
    struct cemv_rules_cvm cvm = k2_cvm(&in);
    k2_harden_cvm(kernel, &cvm);
    memory->tvr |= cvm.tvr;
    kernel->out.outcome.cvm = cvm.cvm;
    if (cvm.receipt) kernel->out.outcome.receipt = true;
    k2_put_terminal(kernel, CEMV_SLOT_9F34, cvm.results, sizeof cvm.results);
}

/* An action code as a number; `absent` if the object is absent. */
static uint64_t code_of(const struct cemv_kernel *kernel, uint16_t slot, uint64_t absent)
{
    return cemv_rules_bits(cemv_value(kernel, slot), absent);
}

/* Terminal action analysis [S456.39]. Terminal codes that are not configured have the default of the charts. An
 * issuer's code may be absent, which differs from zero: see k2_action(). */
uint8_t k2_analyse(const struct cemv_kernel *kernel)
{
    const uint64_t standard = CEMV_TVR(1, K2_DEFAULT_TAC_HIGH) | CEMV_TVR(5, K2_DEFAULT_TAC_LOW);
    const struct k2_action_in in = {
        .tvr = k2_memory_of_const(kernel)->tvr,
        .terminal_default = code_of(kernel, K2_SLOT_DF8120, standard),
        .terminal_denial = code_of(kernel, K2_SLOT_DF8121, standard),
        .terminal_online = code_of(kernel, K2_SLOT_DF8122, standard),
        .issuer_default = code_of(kernel, CEMV_SLOT_9F0D, 0),
        .has_issuer_default = cemv_store_has(&kernel->store, CEMV_SLOT_9F0D),
        .issuer_denial = code_of(kernel, CEMV_SLOT_9F0E, 0),
        .has_issuer_denial = cemv_store_has(&kernel->store, CEMV_SLOT_9F0E),
        .issuer_online = code_of(kernel, CEMV_SLOT_9F0F, 0),
        .has_issuer_online = cemv_store_has(&kernel->store, CEMV_SLOT_9F0F),
        .terminal_type = k2_byte(kernel, CEMV_SLOT_9F35, 0),
    };
    return k2_action(&in);
}

/* The parameter of GENERATE AC [GAC]: the type of action analysis, or with data storage perhaps another one that the
 * terminal has named, and whether the card must sign its answer (CDA). */
struct k2_ac k2_reference_control(const struct cemv_kernel *kernel)
{
    const struct k2_memory *memory = k2_memory_of_const(kernel);
    const struct k2_ac_in in = {
        .ids_read = (memory->ids & K2_IDS_READ) != 0,
        .cda = memory->cda,
        .cda_failed = (memory->tvr & CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED)) != 0,
        .on_device = k2_on_device_cvm(kernel),
        .storage_asked = cemv_store_has(&kernel->store, K2_SLOT_DF62) && cemv_store_has(&kernel->store, K2_SLOT_9F5B),
        .storage_answered = cemv_store_has(&kernel->store, K2_SLOT_DF8108) &&
                            cemv_store_has(&kernel->store, K2_SLOT_DF810A),
        .type = memory->ac_type,
        .storage_type = cemv_value_byte(kernel, K2_SLOT_DF8108, 0),
        .storage_use = cemv_value_byte(kernel, K2_SLOT_DF810A, 0),
        .cda_over_aac = k2_capabilities_have(kernel, 2, K2_CDA_OVER_AAC),
    };
    return k2_ac(&in);
}
