// SPDX-License-Identifier: Apache-2.0
/* The decisions of Kernel 2. */
#include "k2.h"

/* Cryptograms
 * ------------------------------------------------------------------------------------------------------------- */

bool k2_cryptogram_allowed(uint8_t requested, uint8_t cid)
{
    const uint8_t asked = requested & K2_TYPE_MASK;
    switch (cid & K2_TYPE_MASK) {
    case K2_AAC: return true;
    case K2_TC: return asked == K2_TC;
    case K2_ARQC: return asked == K2_TC || asked == K2_ARQC;
    }
    return false;
}

/* The terminal's types (Book 4, A1)
 * ---------------------------------------------------------------------------------------- */

static bool online_only(uint8_t terminal_type)
{
    switch (terminal_type) {
    case 0x11:
    case 0x14:
    case 0x21:
    case 0x24:
    case 0x34: return true;
    }
    return false;
}

static bool offline_only(uint8_t terminal_type)
{
    switch (terminal_type) {
    case 0x13:
    case 0x16:
    case 0x23:
    case 0x26:
    case 0x36: return true;
    }
    return false;
}

static bool unattended(uint8_t terminal_type)
{
    const unsigned kind = terminal_type & 0x0Fu;
    return kind >= 4 && kind <= 6;
}

/* Processing restrictions [PRE.1-29]
 * ---------------------------------------------------------------------------------------- */

static bool is_cash(uint8_t type) { return type == K2_CASH || type == K2_CASH_DISBURSEMENT; }
static bool is_purchase(uint8_t type) { return type == K2_PURCHASE || type == K2_CASHBACK; }

static bool usage_allowed(const struct k2_restrictions_in *in)
{
    const uint8_t one = in->usage_control[0], two = in->usage_control[1];
    const unsigned cash = in->domestic ? CEMV_AUC_1_DOMESTIC_CASH : CEMV_AUC_1_INTERNATIONAL_CASH;
    const unsigned purchase = in->domestic ? CEMV_AUC_1_DOMESTIC_GOODS | CEMV_AUC_1_DOMESTIC_SERVICES
                                           : CEMV_AUC_1_INTERNATIONAL_GOODS | CEMV_AUC_1_INTERNATIONAL_SERVICES;
    const unsigned cashback = in->domestic ? CEMV_AUC_2_DOMESTIC_CASHBACK : CEMV_AUC_2_INTERNATIONAL_CASHBACK;
    const unsigned place = in->atm ? CEMV_AUC_1_ATMS : CEMV_AUC_1_OTHER_THAN_ATMS;
    if ((one & place) == 0) return false;
    if (!in->has_country) return true;
    if (is_cash(in->type) && (one & cash) == 0) return false;
    if (is_purchase(in->type) && (one & purchase) == 0) return false;
    return !in->cashback_amount || (two & cashback) != 0;
}

uint64_t k2_restrictions(const struct k2_restrictions_in *in)
{
    uint64_t tvr = 0;
    if (in->versions_differ) tvr |= K2_TVR(2, CEMV_TVR_2_DIFFERENT_VERSIONS);
    if (in->not_yet_effective) tvr |= K2_TVR(2, CEMV_TVR_2_NOT_YET_EFFECTIVE);
    if (in->expired) tvr |= K2_TVR(2, CEMV_TVR_2_EXPIRED);
    if (in->has_usage_control && !usage_allowed(in)) tvr |= K2_TVR(2, CEMV_TVR_2_SERVICE_NOT_ALLOWED);
    return tvr;
}

/* CVM selection [CVM.1-25]
 * -------------------------------------------------------------------------------------------------- */

enum {
    CVM_FAIL = 0x00,
    CVM_ONLINE_PIN = 0x02,
    CVM_SIGNATURE = 0x1E,
    CVM_NONE = 0x1F,
    CVM_CODE_MASK = 0x3F,
    CVM_APPLY_NEXT = 0x40,
    CVM_AMOUNTS = 8, /* X and Y before the rules (Book 3, 10.5) */
    CAN_ONLINE_PIN = 0x40,
    CAN_SIGNATURE = 0x20,
    CAN_NONE = 0x08, /* 9F33 byte 2 */
    RESULT_UNKNOWN = 0,
    RESULT_FAILED = 1,
    RESULT_SUCCESSFUL = 2,
};

static struct k2_cvm cvm_of(uint8_t cvm, uint8_t performed, uint8_t condition, uint8_t result, uint64_t tvr)
{
    return (struct k2_cvm){ .cvm = cvm, .results = { performed, condition, result }, .tvr = tvr };
}

static bool cvm_recognised(uint8_t code) { return code <= 0x05 || code == CVM_SIGNATURE || code == CVM_NONE; }

/* Offline PIN of any kind is never performed over this interface (SECURITY.md, A05). */
static bool cvm_supported(uint8_t code, uint8_t capability)
{
    switch (code) {
    case CVM_ONLINE_PIN: return (capability & CAN_ONLINE_PIN) != 0;
    case CVM_SIGNATURE: return (capability & CAN_SIGNATURE) != 0;
    case CVM_NONE: return (capability & CAN_NONE) != 0;
    }
    return false;
}

static uint64_t big_endian_32(const uint8_t *at)
{
    return (uint64_t)at[0] << 24 | (uint64_t)at[1] << 16 | (uint64_t)at[2] << 8 | at[3];
}

/* [CVM.10-12]; false also for a condition that is not understood or whose data are missing. */
static bool cvm_condition(const struct k2_cvm_in *in, uint8_t condition, uint8_t code)
{
    const bool alone = unattended(in->terminal_type);
    const bool unattended_cash = alone && in->type == K2_CASH;
    const bool manual_cash = !alone && is_cash(in->type);
    const bool cashback = in->type == K2_CASHBACK;
    if (condition >= 6 && (!in->currency_known || !in->same_currency)) return false;
    switch (condition) {
    case 0: return true;
    case 1: return unattended_cash;
    case 2: return !unattended_cash && !manual_cash && !cashback;
    case 3:
        return code == CVM_FAIL ||
               cvm_supported(code, in->capability); /* Fail CVM is always supported: Book 4, 6.3.4 */
    case 4: return manual_cash;
    case 5: return cashback;
    case 6: return in->amount < big_endian_32(in->list.data);
    case 7: return in->amount > big_endian_32(in->list.data);
    case 8: return in->amount < big_endian_32(in->list.data + 4);
    case 9: return in->amount > big_endian_32(in->list.data + 4);
    }
    return false;
}

/* [CVM.18] */
static struct k2_cvm cvm_performed(uint8_t rule, uint8_t condition, uint64_t tvr)
{
    struct k2_cvm cvm = cvm_of(CEMV_CVM_NONE, rule, condition, RESULT_SUCCESSFUL, tvr);
    if ((rule & CVM_CODE_MASK) == CVM_ONLINE_PIN) {
        cvm = cvm_of(CEMV_CVM_ONLINE_PIN, rule, condition, RESULT_UNKNOWN,
                     tvr | K2_TVR(3, CEMV_TVR_3_ONLINE_CVM_CAPTURED));
    } else if ((rule & CVM_CODE_MASK) == CVM_SIGNATURE) {
        cvm = cvm_of(CEMV_CVM_SIGNATURE, rule, condition, RESULT_UNKNOWN, tvr);
        cvm.receipt = true;
    }
    return cvm;
}

static struct k2_cvm cvm_by_list(const struct k2_cvm_in *in)
{
    uint64_t tvr = 0;
    for (size_t at = CVM_AMOUNTS; at + 1 < in->list.size; at += 2) {
        const uint8_t rule = in->list.data[at], condition = in->list.data[at + 1], code = rule & CVM_CODE_MASK;
        if (!cvm_condition(in, condition, code)) continue;
        if (!cvm_recognised(code)) tvr |= K2_TVR(3, CEMV_TVR_3_UNRECOGNISED_CVM);
        else if (cvm_supported(code, in->capability)) return cvm_performed(rule, condition, tvr);
        if ((rule & CVM_APPLY_NEXT) != 0 && code != CVM_FAIL && at + 3 < in->list.size) continue; /* Book 3, 10.5 */
        tvr |= K2_TVR(3, CEMV_TVR_3_CVM_FAILED);
        if (code == CVM_FAIL) return cvm_of(CEMV_CVM_NONE, rule, condition, RESULT_FAILED, tvr);
        return cvm_of(CEMV_CVM_NONE, 0x3F, 0x00, RESULT_FAILED, tvr);
    }
    return cvm_of(CEMV_CVM_NONE, 0x3F, 0x00, RESULT_FAILED, tvr | K2_TVR(3, CEMV_TVR_3_CVM_FAILED));
}

struct k2_cvm k2_cvm(const struct k2_cvm_in *in)
{
    if (in->on_device) {
        return in->above_limit ? cvm_of(CEMV_CVM_CDCVM, 0x01, 0x00, RESULT_SUCCESSFUL, 0)
                               : cvm_of(CEMV_CVM_NONE, 0x3F, 0x00, RESULT_SUCCESSFUL, 0);
    }
    if (!in->card_verifies) return cvm_of(CEMV_CVM_NONE, 0x3F, 0x00, RESULT_UNKNOWN, 0);
    if (in->list.size <= CVM_AMOUNTS)
        return cvm_of(CEMV_CVM_NONE, 0x3F, 0x00, RESULT_UNKNOWN, K2_TVR(1, CEMV_TVR_1_ICC_DATA_MISSING));
    return cvm_by_list(in);
}

/* Terminal action analysis [TAA.1-18]
 * ---------------------------------------------------------------------------------------- */

/* Without the issuer's code nothing at all may stand in the TVR, taken literally: "relay resistance not performed"
 * counts too. */
static bool is_clean(uint64_t tvr, uint64_t terminal, uint64_t issuer, bool has_issuer)
{
    return has_issuer ? ((terminal | issuer) & tvr) == 0 : tvr == 0;
}

uint8_t k2_action(const struct k2_action_in *in)
{
    const uint64_t denial = in->terminal_denial | (in->has_issuer_denial ? in->issuer_denial : 0);
    if ((denial & in->tvr) != 0) return K2_AAC;
    if (online_only(in->terminal_type)) return K2_ARQC;
    if (offline_only(in->terminal_type)) {
        return is_clean(in->tvr, in->terminal_default, in->issuer_default, in->has_issuer_default) ? K2_TC : K2_AAC;
    }
    return is_clean(in->tvr, in->terminal_online, in->issuer_online, in->has_issuer_online) ? K2_TC : K2_ARQC;
}

/* Reference control [GAC.1-29, 40-48]
 * ---------------------------------------------------------------------------------------- */

enum { USE_TC = 0x80, USE_ARQC = 0x40, USE_AAC = 0x20, STOP_IF_NO_TERM = 0x04 }; /* DF810A */

static struct k2_ac ac_of(uint8_t kind, uint8_t type, bool cda)
{
    return (struct k2_ac){ .kind = kind, .type = type, .control = (uint8_t)(type | (cda ? K2_RCP_CDA : 0)) };
}

static struct k2_ac ac_without_storage(const struct k2_ac_in *in)
{
    if (in->cda_failed && (in->cda || in->ids_read))
        return ac_of(K2_AC_PLAIN, in->on_device ? K2_AAC : in->type, false);                     /* GAC.22, 23 */
    if (!in->cda && !in->ids_read) return ac_of(K2_AC_PLAIN, in->type, false);                   /* GAC.20 */
    return ac_of(K2_AC_PLAIN, in->type, in->ids_read || in->type != K2_AAC || in->cda_over_aac); /* GAC.24, 25 */
}

struct k2_ac k2_ac(const struct k2_ac_in *in)
{
    if (!in->ids_read || in->cda_failed || !in->storage_asked) return ac_without_storage(in);
    if (!in->storage_answered) return ac_of(K2_AC_DATA_ERROR, in->type, false); /* GAC.5 */
    const uint8_t wanted = in->storage_type & K2_TYPE_MASK;
    if (wanted == K2_AAC || wanted == in->type || (wanted == K2_ARQC && in->type == K2_TC))
        return ac_of(K2_AC_WRITE, wanted, true);
    if (in->type == K2_AAC && (in->storage_use & USE_AAC) != 0) return ac_of(K2_AC_WRITE, in->type, true); /* GAC.9 */
    if (in->type == K2_ARQC && (in->storage_use & USE_ARQC) != 0) return ac_of(K2_AC_WRITE, in->type, true);
    if ((in->storage_use & STOP_IF_NO_TERM) != 0) return ac_of(K2_AC_NO_MATCH, in->type, false); /* GAC.10 */
    return ac_of(K2_AC_PLAIN, in->type, true);
}

/* Relay resistance [SR1.18-32]
 * ------------------------------------------------------------------------------------------------ */

static uint32_t above(uint32_t a, uint32_t b) { return a > b ? a - b : 0; }

/* [SR1.30]; a zero in either time says nothing about the other. */
static bool transmission_differs(const struct k2_relay_in *in)
{
    const uint32_t card = in->card_transmission, ours = in->response_transmission;
    if (card == 0 || ours == 0) return false;
    return card * 100 / ours < in->mismatch || ours * 100 / card < in->mismatch;
}

struct k2_relay k2_relay(const struct k2_relay_in *in)
{
    const uint32_t response = in->card_transmission < in->response_transmission ? in->card_transmission
                                                                                : in->response_transmission;
    const uint32_t time = above(above(in->elapsed_us / 100, in->command_transmission), response);
    const uint32_t measured = time < UINT16_MAX ? time : UINT16_MAX;
    const bool late = measured > (uint32_t)in->card_max + in->max_grace;
    struct k2_relay relay = { .verdict = K2_RELAY_PASSED, .measured = (uint16_t)measured };

    if (measured < above(in->card_min, in->min_grace)) {
        relay.verdict = K2_RELAY_TOO_FAST;
        return relay;
    }
    if (late && in->retries < 2) {
        relay.verdict = K2_RELAY_AGAIN;
        return relay;
    }
    relay.tvr = K2_TVR(5, 0x02);
    if (late) relay.tvr |= K2_TVR(5, 0x04);
    if (transmission_differs(in) || above(measured, in->card_min) > in->accuracy) relay.tvr |= K2_TVR(5, 0x08);
    return relay;
}

static uint8_t digit_at(cemv_bytes track, size_t index)
{
    if (index >= 2 * track.size) return 0x0F;
    return index % 2 == 0 ? track.data[index / 2] >> 4 : track.data[index / 2] & 0x0F;
}

static void set_digit(uint8_t *out, size_t index, uint8_t digit)
{
    uint8_t *at = &out[index / 2];
    *at = index % 2 == 0 ? (uint8_t)(digit << 4 | (*at & 0x0F)) : (uint8_t)((*at & 0xF0) | digit);
}

/* `count` decimal digits of `number` from digit `at` on. */
static size_t set_number(uint8_t *out, size_t at, size_t count, uint32_t number)
{
    for (size_t i = count; i > 0; i--) {
        set_digit(out, at + i - 1, (uint8_t)(number % 10));
        number /= 10;
    }
    return at + count;
}

bool k2_relay_track(cemv_bytes track, const struct k2_relay_track_in *in, uint8_t out[19], size_t *size)
{
    enum { DATE_AND_CODE = 7, SHORT_PAN = 16, PAN_MAX = 19 };
    size_t pan = 0;
    while (digit_at(track, pan) <= 9) pan++;
    if (pan == 0 || pan > PAN_MAX || digit_at(track, pan) != 0x0D || pan + 1 + DATE_AND_CODE > 2 * track.size)
        return false;
    for (size_t i = pan + 1; i < pan + 1 + DATE_AND_CODE; i++)
        if (digit_at(track, i) > 9) return false;
    const bool roomy = pan <= SHORT_PAN;
    const size_t digits = pan + 1 + DATE_AND_CODE + (roomy ? 13u : 10u);

    __builtin_memset(out, 0xFF, 19);
    for (size_t i = 0; i < pan + 1 + DATE_AND_CODE; i++) set_digit(out, i, digit_at(track, i));
    size_t at = pan + 1 + DATE_AND_CODE;
    at = set_number(out, at, 1, in->ca_index < 10 ? in->ca_index : 0);
    at = set_number(out, at, 1, in->retries);
    at = set_number(out, at, 5, (uint32_t)in->entropy[2] << 8 | in->entropy[3]);
    if (roomy) at = set_number(out, at, 3, in->entropy[1]);
    (void)set_number(out, at, 3, in->measured / 10 < 999 ? in->measured / 10u : 999u);
    *size = (digits + 1) / 2;
    return true;
}

/* The end [S910.71-75]
 * -------------------------------------------------------------------------------------------------------- */

struct k2_end k2_end(const struct k2_end_in *in)
{
    switch (in->cryptogram & K2_TYPE_MASK) {
    case K2_TC:
        return (struct k2_end){ CEMV_OUTCOME_APPROVED,
                                in->signature ? CEMV_MESSAGE_APPROVED_SIGN : CEMV_MESSAGE_APPROVED, true };
    case K2_ARQC: return (struct k2_end){ CEMV_OUTCOME_ONLINE_REQUEST, CEMV_MESSAGE_AUTHORISING, false };
    }
    if (!is_cash(in->type) && !is_purchase(in->type))
        return (struct k2_end){ CEMV_OUTCOME_END_APPLICATION, CEMV_MESSAGE_CLEAR_DISPLAY, false };
    if (in->device) return (struct k2_end){ CEMV_OUTCOME_DECLINED, CEMV_MESSAGE_NOT_AUTHORISED, true };
    return (struct k2_end){ CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_MESSAGE_INSERT_CARD, true };
}

bool k2_is_device(cemv_bytes third_party)
{
    if (third_party.size < 6 || (third_party.data[2] & 0x80) != 0) return false;
    return third_party.data[4] != 0x30 || third_party.data[5] != 0x30;
}

bool k2_second_tap(cemv_bytes interaction)
{
    return interaction.size == 3 && ((interaction.data[1] & 0x03) | (interaction.data[2] & 0x0F)) != 0;
}

const uint8_t k2_phone_table[48] = {
    0x00, 0x00, 0x01, 0x00, 0x00, 0x01, 0x20, 0x00, /* the wallet wants a second tap */
    0x00, 0x08, 0x00, 0x00, 0x08, 0x00, 0x20, 0x00, /* the context conflicts */
    0x00, 0x04, 0x00, 0x00, 0x04, 0x00, 0x20, 0x00, /* the offline PIN has to be changed */
    0x00, 0x01, 0x00, 0x00, 0x01, 0x00, 0x20, 0x00, /* on-device CVM required */
    0x00, 0x02, 0x00, 0x00, 0x02, 0x00, 0x20, 0x00, /* acknowledgement required */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x07, 0x00,
};

bool k2_phone_table_ok(cemv_bytes table)
{
    if (table.size == 0 || table.size % 8 != 0) return false;
    for (size_t i = table.size - 8; i < table.size - 2; i++)
        if (table.data[i] != 0) return false;
    return true;
}

struct k2_phone_message k2_phone_message(cemv_bytes table, cemv_bytes interaction)
{
    struct k2_phone_message found = { CEMV_MESSAGE_NOT_AUTHORISED, CEMV_UI_NOT_READY };
    for (size_t at = 0; at + 8 <= table.size; at += 8) {
        const uint8_t *row = table.data + at;
        bool match = interaction.size == 3;
        for (size_t i = 0; match && i < 3; i++) match = (interaction.data[i] & row[i]) == row[3 + i];
        found = (struct k2_phone_message){ row[6], row[7] };
        if (match) break;
    }
    return found;
}

size_t k2_storage_id(cemv_bytes pan, uint8_t sequence, uint8_t out[11])
{
    enum { SMALLEST = 8, LARGEST = 11 };
    const int count = cemv_cn_digits(pan);
    const size_t digits = count > 0 && count <= 19 ? (size_t)count : 0;
    size_t size = (digits + 2 + 1) / 2;
    if (size < SMALLEST) size = SMALLEST;
    __builtin_memset(out, 0, LARGEST);
    for (size_t i = 0; i < digits; i++) set_digit(out, 2 * size - 2 - digits + i, digit_at(pan, i));
    out[size - 1] = sequence;
    return size;
}
