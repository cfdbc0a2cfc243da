/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the rules module, compared with an independent implementation of Book 3: functions that kernels call
 * outside Kernel 2's procedures, or in parts that it leaves out. */
#include <string.h>

#include "CEMVInternals.h"
#include "properties.h"

/* 10.6.2 as it is written: a percentage that grows with the amount. In whole numbers: both sides are multiplied by the
 * distance from threshold to floor limit. */
static bool selected(const struct cemv_rules_selection_in *in)
{
    if (in->amount < in->threshold) return in->number <= in->target;
    const uint64_t way = in->floor_limit - in->threshold, gone = in->amount - in->threshold;
    return in->number * way <= in->target * way + (uint64_t)(in->maximum - in->target) * gone;
}

static void random_selection(void)
{
    for (unsigned round = 0; round < 20000; round++) {
        const uint64_t floor_limit = 1 + any(round % 2 ? 40 : 1000000000) * (uint64_t)(round % 4 > 1 ? 999 : 1);
        const uint64_t threshold = any(3) ? floor_limit * any(1000) / 1000 : floor_limit;
        const uint8_t target = (uint8_t)any(100);
        const struct cemv_rules_selection_in in = {
            .amount = any(4) ? floor_limit * any(1000) / 1000 : threshold,
            .floor_limit = floor_limit,
            .threshold = threshold,
            .target = target,
            .maximum = (uint8_t)(target + any(100u - target)),
            .number = (uint8_t)(1 + any(99)),
        };
        property(cemv_rules_randomly_selected(&in) == selected(&in), "random selection", round);
    }
}

/* Table 36, row by row: the bit of usage control that a service needs. */
static void usage_control(void)
{
    static const struct {
        unsigned service;
        uint8_t domestic[2], international[2];
    } rows[] = {
        { CEMV_SERVICE_CASH, { 0x80, 0 }, { 0x40, 0 } },
        { CEMV_SERVICE_PURCHASE, { 0x28, 0 }, { 0x14, 0 } },
        { CEMV_SERVICE_CASHBACK, { 0, 0x80 }, { 0, 0x40 } },
    };
    for (unsigned usage = 0; usage < 0x400; usage++) {
        const uint8_t control[2] = { (uint8_t)usage, (uint8_t)(usage >> 8 << 6) };
        for (unsigned i = 0; i < 16; i++) {
            const bool domestic = i & 8;
            bool allowed = true;
            for (size_t row = 0; row < 3; row++) {
                const uint8_t *const bits = domestic ? rows[row].domestic : rows[row].international;
                if (i & rows[row].service) allowed &= (control[0] & bits[0]) != 0 || (control[1] & bits[1]) != 0;
            }
            property(cemv_rules_services_allowed(control, domestic, i & 7) == allowed, "usage control", usage);
        }
        property(cemv_rules_place_allowed(control, true) == ((usage & 2) != 0) &&
                     cemv_rules_place_allowed(control, false) == (usage & 1),
                 "an ATM, or another place", usage);
    }
}

/* Exactly Book 4, Table 24. */
static void terminal_types(void)
{
    const cemv_bytes cash = { (const uint8_t *)"\x80\0\0\0", 5 }, none = { (const uint8_t *)"\x7F\0\0\0", 5 };
    for (unsigned type = 0; type < 256; type++) {
        const bool online = memchr("\x11\x14\x21\x24\x34", (int)type, 5) != NULL,
                   offline = memchr("\x13\x16\x23\x26\x36", (int)type, 5) != NULL,
                   atm = memchr("\x14\x15\x16", (int)type, 3) != NULL;
        property(cemv_rules_online_only((uint8_t)type) == online, "online only", type);
        property(cemv_rules_offline_only((uint8_t)type) == offline, "offline only", type);
        property(cemv_rules_is_atm((uint8_t)type, cash) == atm, "an ATM", type);
        property(!cemv_rules_is_atm((uint8_t)type, none), "no ATM without cash", type);
        property(!cemv_rules_is_atm((uint8_t)type, (cemv_bytes){ cash.data, 4 }), "nor without capabilities", type);
    }
}

/* Each method has its bit in byte 2 of 9F33, and no method has two. */
static void methods(void)
{
    for (unsigned code = 0; code < 0x40; code++) {
        const uint8_t bit = code == 1 ? 0x80 : code == 2 ? 0x40 : code == 0x1E ? 0x20 : code == 0x1F ? 0x08 : 0;
        for (unsigned methods = 0; methods < 256; methods++)
            property(cemv_rules_cvm_supported((uint8_t)code, (uint8_t)methods) == ((methods & bit) != 0), "a CVM's bit",
                     code);
        property(cemv_rules_cvm_recognised((uint8_t)code) == (code <= 5 || code == 0x1E || code == 0x1F), "a CVM",
                 code);
    }
}

/* The cursor returns every rule whose condition holds, in order, whatever bit 7 is: kernels continue where Book 3 would
 * not. It never leaves the list. */
static void rules_of_a_list(void)
{
    for (unsigned round = 0; round < 2000; round++) {
        uint8_t list[8 + 12] = { 0 };
        const size_t size = 8 + 2 * any(7);
        for (size_t i = 8; i < size; i += 2) {
            list[i] = (uint8_t)any(256);
            list[i + 1] = (uint8_t)(any(2) ? 0 : 5);
        }
        const struct cemv_rules_cvm_in in = { .list = { guarded_copy(list, size), size },
                                              .kind = any(2) ? CEMV_CVM_2_CASHBACK : CEMV_CVM_2_MANUAL_CASH };
        struct cemv_rules_cvm_rule rule;
        size_t at = 0;
        for (size_t i = 8; i < size; i += 2) {
            if (list[i + 1] != 0 && list[i + 1] != in.kind) continue;
            property(cemv_rules_cvm_next(&in, &at, &rule) && rule.method == list[i] && rule.condition == list[i + 1] &&
                         at == i + 2,
                     "the next rule", round);
        }
        property(!cemv_rules_cvm_next(&in, &at, &rule) && at == size, "the end of the list", round);
    }
}

static void five_bytes(void)
{
    for (unsigned round = 0; round < 1000; round++) {
        uint8_t bytes[5], out[5];
        uint64_t bits = 0;
        for (size_t i = 0; i < 5; i++) {
            bytes[i] = (uint8_t)any(256);
            bits = bits * 256 + bytes[i];
        }
        property(cemv_rules_bits((cemv_bytes){ bytes, 5 }, 1) == bits, "five bytes as a number", round);
        cemv_rules_bits_put(out, bits);
        property(memcmp(out, bytes, 5) == 0, "and back", round);
        property(cemv_rules_bits((cemv_bytes){ bytes, 4 }, bits) == bits, "absent", round);
    }
    property(CEMV_TVR(1, 0x80) == 0x8000000000 && CEMV_TVR(5, 1) == 1, "byte 1 is the highest", 0);
}

void properties_of_rules(void)
{
    PART(random_selection);
    PART(usage_control);
    PART(terminal_types);
    PART(methods);
    PART(rules_of_a_list);
    PART(five_bytes);
}
