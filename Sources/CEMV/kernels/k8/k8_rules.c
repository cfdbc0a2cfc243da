/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 8: the request to the card, the allowed responses, and the end of a transaction (Book C-8 v1.0, 6.4.2 and
 * states 28 to 30). Pure functions; the dialogue collects their inputs. */
#include "k8.h"

uint16_t k8_relay_excess(uint16_t measured, uint16_t card_max)
{
    return measured > card_max ? (uint16_t)(measured - card_max) : 0;
}

/* 6.4.2. Terminal types (Book 4, A1): online only and offline only, attended or not. There are neither issuer action
 * codes nor default codes: the card makes the issuer's decision itself. */
uint8_t k8_action_analysis(const struct k8_action_in *in)
{
    if ((in->tvr & in->denial) != 0) return K8_DECLINE;
    if (cemv_rules_online_only(in->terminal_type)) return K8_ONLINE;
    if (cemv_rules_offline_only(in->terminal_type)) return in->card_offline ? K8_ACCEPT : K8_DECLINE;
    return !in->card_offline || (in->tvr & in->online) != 0 ? K8_ONLINE : K8_ACCEPT;
}

uint8_t k8_reference_control(uint8_t decision)
{
    if (decision == K8_ONLINE) return K8_ARQC;
    return decision == K8_ACCEPT ? K8_TC : K8_AAC;
}

/* The card may always choose a lower type than the requested one, never a higher one. */
bool k8_cid_is_valid(uint8_t cid, uint8_t decision)
{
    switch (cid & K8_TYPE) {
    case K8_AAC: return true;
    case K8_TC: return decision == K8_ACCEPT;
    case K8_ARQC: return decision != K8_DECLINE;
    }
    return false;
}

bool k8_offset_is_valid(uint8_t offset, size_t size)
{
    enum { MAC = 8 };
    return (size_t)offset + MAC <= size;
}

/* Bits of the mask stay as the kernel has set them; all others come from the card. */
uint64_t k8_card_tvr(uint64_t tvr, uint64_t card, uint64_t mask) { return (tvr & mask) | (card & ~mask); }

/* Byte 1 of the Terminal Risk Management Data states the offered methods. A decision for another method fails
 * verification. */
struct k8_cvm k8_cardholder_verification(uint8_t decision, uint8_t risk_management)
{
    enum { NO_CVM = 0x08, SIGNATURE = 0x20, ONLINE_PIN = 0x40, CDCVM = 0x04 };
    enum { CV_FAILED = 0x80, PIN_ENTERED = 0x04 };
    enum { NOT_APPLICABLE = 0x0F };
    static const struct {
        uint8_t method;
        struct k8_cvm cvm;
    } rows[] = {
        { NO_CVM, { CEMV_CVM_NONE, 0, { 0x1F, 0x00, 0x02 } } },
        { SIGNATURE, { CEMV_CVM_SIGNATURE, 0, { 0x1E, 0x00, 0x00 } } },
        { ONLINE_PIN, { CEMV_CVM_ONLINE_PIN, PIN_ENTERED, { 0x02, 0x00, 0x00 } } },
        { CDCVM, { CEMV_CVM_CDCVM, 0, { 0x01, 0x00, 0x02 } } },
    };
    static const struct k8_cvm none = { CEMV_CVM_NA, 0, { 0x3F, 0x00, 0x00 } },
                               failed = { CEMV_CVM_NA, CV_FAILED, { 0x3F, 0x00, 0x01 } };
    if (decision == NOT_APPLICABLE) return none;
    if (decision >= sizeof rows / sizeof rows[0]) return failed;
    return (risk_management & rows[decision].method) != 0 ? rows[decision].cvm : failed;
}

/* Online PIN is the strongest method and is never doubted. For everything else, the IAD-MAC covers the card's decision,
 * the data that the card received, and the list that requested them, if a signed record or 9F810A covers that list,
 * with certificates or without (2627.8 to .12). A decision for no method or a signature may result from a list that was
 * changed on the way. A device that verified its user did so whatever list it read, but without local authentication
 * there is only its own claim. */
uint8_t k8_doubt(uint8_t cvm, bool checked, bool authentic, bool listed)
{
    if (cvm == CEMV_CVM_ONLINE_PIN) return K8_NO_DOUBT;
    if (!checked) return CEMV_FINDING_AC_BINDING_NOT_SENT;
    if (cvm == CEMV_CVM_CDCVM) return authentic ? K8_NO_DOUBT : CEMV_FINDING_CDCVM_UNAUTHENTICATED;
    if (!listed) return CEMV_FINDING_LIST_UNSIGNED;
    return cvm == CEMV_CVM_NA ? K8_NO_METHOD : K8_NO_DOUBT;
}

/* The end ---------------------------------------------------------------------------------------------------------- */

/* The message of the Restart Indicator, if the terminal allows it (T A.26). */
static uint8_t message_of(const struct k8_end_in *in, uint8_t otherwise)
{
    if (in->restart.size < 2 || in->restart.data[1] == 0) return otherwise;
    for (size_t i = 0; i < in->messages.size; i++)
        if (in->messages.data[i] == in->restart.data[1]) return in->restart.data[1];
    return otherwise;
}

static bool is_purchase_or_cash(uint8_t type)
{
    return type == CEMV_TYPE_PURCHASE || type == CEMV_TYPE_CASH || type == CEMV_TYPE_CASHBACK ||
           type == CEMV_TYPE_CASH_DISBURSEMENT;
}

/* 2930.20 to .40: other transactions than purchase and cash end without a decline, because nothing was to be paid. */
static struct k8_ending not_approved(const struct k8_end_in *in)
{
    enum { TRY_ANOTHER_INTERFACE = 3, CONTACT = 1, MAGSTRIPE = 2 };
    const uint8_t first = in->restart.size != 0 ? in->restart.data[0] : 0;
    const uint8_t low = first & 0x0F;
    struct k8_ending ending = { .interface = CEMV_INTERFACE_NA, .hold = true };
    if (!is_purchase_or_cash(in->type)) {
        ending.end = K8_END_APPLICATION;
        ending.message = CEMV_MESSAGE_CLEAR_DISPLAY;
        ending.hold = false;
    } else if (first >> 4 == TRY_ANOTHER_INTERFACE) {
        ending.end = K8_END_OTHER_INTERFACE;
        ending.message = message_of(in, CEMV_MESSAGE_INSERT_OR_SWIPE);
        if (low == CONTACT) ending.interface = CEMV_INTERFACE_CONTACT_CHIP;
        if (low == MAGSTRIPE) ending.interface = CEMV_INTERFACE_MAGSTRIPE;
    } else {
        ending.end = K8_END_DECLINED;
        ending.message = message_of(in, CEMV_MESSAGE_NOT_AUTHORISED);
    }
    return ending;
}

/* The card's request to be presented again comes before its cryptogram. Approval requires both sides; to go online, one
 * of them is enough unless the other declines. */
struct k8_ending k8_end(const struct k8_end_in *in)
{
    enum { RESTART = 2 };
    const uint8_t type = in->cid & K8_TYPE;
    struct k8_ending ending = { .interface = CEMV_INTERFACE_NA, .hold = true };
    if (in->restart.size != 0 && in->restart.data[0] >> 4 == RESTART) { /* whatever the cryptogram is */
        ending.end = K8_END_RESTART;
        ending.message = message_of(in, CEMV_MESSAGE_PRESENT_AGAIN);
    } else if (type == K8_TC && in->decision == K8_ACCEPT) {
        ending.end = K8_END_APPROVED;
        ending.message = in->cvm == CEMV_CVM_SIGNATURE ? CEMV_MESSAGE_APPROVED_SIGN : CEMV_MESSAGE_APPROVED;
    } else if ((type == K8_ARQC && in->decision != K8_DECLINE) || (type != K8_AAC && in->decision == K8_ONLINE)) {
        ending.end = K8_END_ONLINE;
        ending.message = CEMV_MESSAGE_AUTHORISING;
        ending.hold = false;
    } else {
        return not_approved(in);
    }
    return ending;
}
