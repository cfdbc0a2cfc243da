/* SPDX-License-Identifier: Apache-2.0 */
/* The decisions of Kernel 2 as pure functions; k2_rules.h describes their inputs. Knows no store, no command and no
 * state. Step numbers are those of the kernel's state charts (Conformance/book-c2.md). */
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

/* Restrictions never end the tap. They set TVR bits, and the action codes determine the consequence. */
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

/* The CVM List by the common rules (Book 3, 10.5), limited to the methods of this interface. */
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

/* A device that verifies its user replaces the CVM List: above the CVM limit it counts as verified, below it no
 * verification was required. A card that claims cardholder verification in its AIP but has no list lacks an object,
 * which is a TVR bit [CVM.7-8]. */
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

/* If the issuer sent no action code, any TVR bit prevents an approval. This is applied literally: "relay resistance not
 * performed" is such a bit too (Conformance/interpretations.md). */
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

/* The reference control parameter, P1 of GENERATE AC: the type of cryptogram, and whether it must be signed.
 *
 * With data storage the terminal names a type as well, since the data that it writes may depend on whether the
 * transaction is declined or approved. Its type is used if it is not higher than the reader's own. If the two do not
 * agree, DF810A states whether the terminal's data may be written with the reader's type; if not, it stops the tap or
 * continues without writing. */

/* DS ODS Info For Reader, DF810A. USE_TC is never evaluated, because every type of the terminal agrees with a TC of the
 * reader. */
enum { USE_TC = 0x80, USE_ARQC = 0x40, USE_AAC = 0x20, STOP_IF_NO_TERM = 0x04 };

static struct k2_ac ac_of(uint8_t kind, uint8_t type, bool cda)
{
    return (struct k2_ac){ .kind = kind, .type = type, .control = (uint8_t)(type | (cda ? K2_RCP_CDA : 0)) };
}

/* If CDA has already failed, no signature is requested; a device that relies on on-device CVM is then declined, because
 * only CDA would prove it. An AAC is signed only if the card supports that. */
static struct k2_ac ac_without_storage(const struct k2_ac_in *in)
{
    if (in->cda_failed && (in->cda || in->ids_read))
        return ac_of(K2_AC_PLAIN, in->on_device ? K2_AAC : in->type, false);                     /* GAC.22, 23 */
    if (!in->cda && !in->ids_read) return ac_of(K2_AC_PLAIN, in->type, false);                   /* GAC.20 */
    return ac_of(K2_AC_PLAIN, in->type, in->ids_read || in->type != K2_AAC || in->cda_over_aac); /* GAC.24, 25 */
}

/* A write is always signed, because only the signature proves it. */
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

/* An AAC has three meanings. For types that are neither cash nor purchase, such as refunds, it is the normal end of the
 * card's part. For a device, or at a reader without a contact slot, it is a decline. A card may be accepted through its
 * chip instead. */
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

/* Third Party Data, 9F6E: device type "00" in ASCII is a card; the type is present only if bit 8 of byte 3 is clear. */
bool k2_is_device(cemv_bytes third_party)
{
    if (third_party.size < 6 || (third_party.data[2] & 0x80) != 0) return false;
    return third_party.data[4] != 0x30 || third_party.data[5] != 0x30;
}

/* Bits of DF4B that require another tap; the mask includes reserved neighbours (4.13). */
bool k2_second_tap(cemv_bytes interaction)
{
    return interaction.size == 3 && ((interaction.data[1] & 0x03) | (interaction.data[2] & 0x0F)) != 0;
}

/* The default phone message table (2.4): mask, value, message, status. The first row that matches is used. */
const uint8_t k2_phone_table[48] = {
    0x00, 0x00, 0x01, 0x00, 0x00, 0x01, 0x20, 0x00, /* the wallet wants a second tap */
    0x00, 0x08, 0x00, 0x00, 0x08, 0x00, 0x20, 0x00, /* the context conflicts */
    0x00, 0x04, 0x00, 0x00, 0x04, 0x00, 0x20, 0x00, /* the offline PIN has to be changed */
    0x00, 0x01, 0x00, 0x00, 0x01, 0x00, 0x20, 0x00, /* on-device CVM required */
    0x00, 0x02, 0x00, 0x00, 0x02, 0x00, 0x20, 0x00, /* acknowledgement required */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x07, 0x00,
};

/* The last row must match every card, otherwise some cards would have no message. */
bool k2_phone_table_ok(cemv_bytes table)
{
    if (table.size == 0 || table.size % 8 != 0) return false;
    for (size_t i = table.size - 8; i < table.size - 2; i++)
        if (table.data[i] != 0) return false;
    return true;
}

/* Returns the first row whose masked bits equal those of the card. The last row of a valid table masks nothing and
 * always matches. */
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

/* DS ID: the account number, right-aligned, then its sequence number; at least eight bytes [S456.18]. */
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
