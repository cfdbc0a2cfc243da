/* SPDX-License-Identifier: Apache-2.0 */
/* The decisions of Kernel 2 as pure functions; k2_rules.h describes them. Knows no store, no command and no state.
 * Steps: Conformance/book-c2.md. */
#include "k2_rules.h"

/* Processing restrictions [PRE.1-29] ------------------------------------------------------------------------------- */

static bool is_cash(uint8_t type) { return type == CEMV_TYPE_CASH || type == CEMV_TYPE_CASH_DISBURSEMENT; }
static bool is_purchase(uint8_t type) { return type == CEMV_TYPE_PURCHASE || type == CEMV_TYPE_CASHBACK; }

static bool usage_allowed(const struct k2_restrictions_in *in)
{
    const struct cemv_rules_usage_in rule = {
        .usage = in->usage_control,
        .atm = in->atm,
        .has_country = in->has_country,
        .domestic = in->domestic,
        .type = in->type,
        .cashback_amount = in->cashback_amount,
    };
    return cemv_rules_usage_allowed(&rule);
}

uint64_t k2_restrictions(const struct k2_restrictions_in *in)
{
    uint64_t tvr = 0;
    if (in->versions_differ) tvr |= CEMV_TVR(2, CEMV_TVR_2_DIFFERENT_VERSIONS);
    if (in->not_yet_effective) tvr |= CEMV_TVR(2, CEMV_TVR_2_NOT_YET_EFFECTIVE);
    if (in->expired) tvr |= CEMV_TVR(2, CEMV_TVR_2_EXPIRED);
    if (in->has_usage_control && !usage_allowed(in)) tvr |= CEMV_TVR(2, CEMV_TVR_2_SERVICE_NOT_ALLOWED);
    return tvr;
}

/* CVM selection [CVM.1-25] ----------------------------------------------------------------------------------------- */

/* Offline PIN of any kind is never performed over this interface (attacks.md, A05). */
enum { METHODS = 0x40 | 0x20 | 0x08 }; /* 9F33 byte 2: online PIN, signature, none */

static struct cemv_rules_cvm cvm_by_list(const struct k2_cvm_in *in)
{
    const struct cemv_rules_cvm_in rule = {
        .list = in->list,
        .methods = in->capability & METHODS,
        .kind = cemv_rules_cvm_kind(in->type, in->terminal_type),
        .same_currency = in->currency_known && in->same_currency,
        .amount = in->amount,
    };
    return cemv_rules_cvm(&rule);
}

/* A device that verifies its holder itself takes the place of the list: above the limit it counts as verified, below it
 * nothing was asked for. A card that says it can verify and brings no list lacks one of its objects: a bit
 * of the TVR. */
struct cemv_rules_cvm k2_cvm(const struct k2_cvm_in *in)
{
    const struct cemv_rules_cvm_rule on_device = { CEMV_CVM_1_PLAINTEXT_PIN_OFFLINE, CEMV_CVM_2_ALWAYS };
    if (in->on_device) {
        return in->above_limit ? cemv_rules_cvm_of(CEMV_CVM_CDCVM, on_device, CEMV_CVM_3_SUCCESSFUL, 0)
                               : cemv_rules_cvm_none(CEMV_CVM_3_SUCCESSFUL, 0);
    }
    if (!in->card_verifies) return cemv_rules_cvm_none(CEMV_CVM_3_UNKNOWN, 0);
    if (in->list.size <= CEMV_CVM_LIST_AMOUNTS)
        return cemv_rules_cvm_none(CEMV_CVM_3_UNKNOWN, CEMV_TVR(1, CEMV_TVR_1_ICC_DATA_MISSING));
    return cvm_by_list(in);
}

/* Terminal action analysis [TAA.1-18] ------------------------------------------------------------------------------ */

/* Without the issuer's code nothing at all may stand in the TVR, taken literally: "relay resistance not performed"
 * counts too. */
uint8_t k2_action(const struct k2_action_in *in)
{
    const struct cemv_rules_action_in rule = {
        .tvr = in->tvr,
        .denial = in->terminal_denial | (in->has_issuer_denial ? in->issuer_denial : 0),
        .online = in->terminal_online | (in->has_issuer_online ? in->issuer_online : CEMV_TVR_ALL),
        .unable = in->terminal_default | (in->has_issuer_default ? in->issuer_default : CEMV_TVR_ALL),
        .terminal_type = in->terminal_type,
    };
    return cemv_rules_action(&rule);
}

/* Reference control [GAC.1-29, 40-48] ------------------------------------------------------------------------------ */

/* With data storage the terminal names a type too, since what it wants to write may depend on the transaction being
 * declined or approved. Its type is taken where the reader's own decision allows it, a lower one always. Where they do
 * not meet, DF810A says whether the terminal writes all the same, goes on without writing, or stops the tap. */

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

/* The end [S910.71-75] --------------------------------------------------------------------------------------------- */

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

/* The first row whose masked bits are those of the card; the last row of a sound table masks nothing, and so always
 * matches (k2_phone_table_ok). */
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

/* The account number, right-aligned, then its sequence number; at least eight bytes. */
size_t k2_storage_id(cemv_bytes pan, uint8_t sequence, uint8_t out[11])
{
    enum { SMALLEST = 8, LARGEST = 11 };
    const int count = cemv_cn_digits(pan);
    const size_t digits = count > 0 && count <= 19 ? (size_t)count : 0;
    size_t size = (digits + 2 + 1) / 2;
    if (size < SMALLEST) size = SMALLEST;
    cemv_memset(out, 0, LARGEST);
    for (size_t i = 0; i < digits; i++) cemv_nibble_put(out, 2 * size - 2 - digits + i, cemv_nibble(pan.data, i));
    out[size - 1] = sequence;
    return size;
}
