/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 3: the decision tables of Book C-3 v2.10, chapter 5, as pure functions; k3.h describes their inputs.
 *
 * The order is that of the transaction: type of the cryptogram, processing restrictions, offline data authentication,
 * cardholder verification, decision. The card influences most of them through its Card Transaction Qualifiers (CTQ,
 * 9F6C): each bit is the card's wish for one situation, for example "go online if the card has expired". An absent CTQ
 * wants nothing. This file knows no store, no command and no state. */
#include "k3.h"

#include "../../rules/rules.h"

enum { K3_IAD_CVR_BYTE = 4 }; /* byte 5 of 9F10 has the cryptogram's type in bits 6-5 (A.2) */

static uint8_t type_of_iad(cemv_bytes iad)
{
    if (iad.size <= K3_IAD_CVR_BYTE) return K3_UNIDENTIFIED;
    return (uint8_t)(iad.data[K3_IAD_CVR_BYTE] >> 4 & 3);
}

/* The CID is optional. Without it the kernel builds one from the card verification results inside the Issuer
 * Application Data, where bits 6-5 are coded like bits 8-7 of the CID (5.4.3.1). */
uint8_t k3_cryptogram_type(bool has_cid, uint8_t cid, cemv_bytes iad)
{
    return has_cid ? (uint8_t)(cid >> 6) : type_of_iad(iad);
}

/* The CID is sent in the clear; the Issuer Application Data go to the issuer, who checks them with the cryptogram. A
 * relay that turns an ARQC into a TC by changing the CID leaves the other type in the Issuer Application Data. */
bool k3_cryptogram_contradicts(bool has_cid, uint8_t cid, cemv_bytes iad)
{
    return has_cid && iad.size > K3_IAD_CVR_BYTE && cid >> 6 != type_of_iad(iad);
}

/* 5.4.3.2. A reader that requested an online cryptogram goes online even if the card returned a TC. A type that the
 * book reserves declines. */
uint8_t k3_disposition(uint8_t cryptogram, bool online_cryptogram_required, bool refund)
{
    uint8_t marks = online_cryptogram_required ? K3_ONLINE : 0;
    switch ((enum k3_cryptogram)cryptogram) {
    case K3_ARQC: return marks | K3_ONLINE;
    case K3_TC: return marks;
    case K3_AAC: return marks | (refund ? K3_ONLINE : K3_DECLINE);
    case K3_UNIDENTIFIED: return marks | K3_DECLINE;
    }
    return marks | K3_DECLINE;
}

/* Manual cash (5.5.1.3) and cash back (5.5.1.4) follow one rule, with another bit of Application Usage Control and of
 * the CTQ for each. If the issuer did not allow the service, or if the countries are unknown, the card may still ask
 * for another interface, where its issuer may have other rules; otherwise the transaction is declined. */
static uint8_t usage_marks(const struct k3_restrictions_in *in)
{
    if (in->usage == K3_USAGE_UNCHECKED) return 0;
    const bool cash = in->usage == K3_USAGE_CASH;
    const unsigned service = cash ? CEMV_SERVICE_CASH : CEMV_SERVICE_CASHBACK;
    if (in->usage_control.present && in->countries_known &&
        cemv_rules_services_allowed(in->usage_control.byte, in->domestic, service))
        return 0;
    const uint8_t switches = cash ? CEMV_CTQ_1_SWITCH_FOR_CASH : CEMV_CTQ_1_SWITCH_FOR_CASHBACK;
    return in->ctq.present && (in->ctq.byte[0] & switches) != 0 ? K3_OTHER_INTERFACE : K3_DECLINE;
}

/* 5.5. Expiry and exception list only concern a TC: for an ARQC the issuer decides about both, and an AAC is declined
 * anyway. */
uint8_t k3_restrictions(const struct k3_restrictions_in *in)
{
    uint8_t marks = 0;
    if (in->cryptogram == K3_TC && in->expired) { /* 5.5.1.1 */
        const bool online = in->ctq.present && (in->ctq.byte[0] & CEMV_CTQ_1_ONLINE_IF_EXPIRED) != 0;
        marks |= online ? K3_ONLINE : K3_DECLINE;
    }
    if (in->cryptogram == K3_TC && in->on_exception_list) marks |= K3_DECLINE; /* 5.5.1.2 */
    return marks | usage_marks(in);
}

/* Offline data authentication is for transactions that would otherwise be approved (5.6.1): an online request is
 * checked by the issuer, and a decline needs no proof. For online requests the book adds it at special readers (5.6.2),
 * and profiles beyond the book wherever a signature is present. */
uint8_t k3_signature_wanted(const struct k3_signature_in *in)
{
    if ((in->marks & (K3_ONLINE | K3_DECLINE)) == 0) return K3_SIGNATURE_OFFLINE; /* 5.6.1 */
    if ((in->marks & K3_DECLINE) != 0 || in->cryptogram != K3_ARQC || !in->sdad) return K3_NO_SIGNATURE;
    if (in->oda_for_online || (in->verify_if_present && in->related_data)) return K3_SIGNATURE_ONLINE; /* 5.6.2.1 */
    return K3_NO_SIGNATURE;
}

/* If offline data authentication fails, the card cannot be approved offline, but the card may name an alternative that
 * the reader supports: first going online, then the contact chip. Otherwise the transaction is declined (5.6.1.2). */
uint8_t k3_after_oda(const struct k3_oda_in *in)
{
    if (in->oda == K3_ODA_GOOD) return 0;
    if (in->oda == K3_ODA_WRONG && in->decline_wrong) return K3_DECLINE | K3_PROTECTION;
    const uint8_t ctq = in->ctq.present ? in->ctq.byte[0] : 0;
    if ((ctq & CEMV_CTQ_1_ONLINE_IF_ODA_FAILS) != 0 && in->online_reader) return K3_ONLINE;
    if ((ctq & CEMV_CTQ_1_SWITCH_IF_ODA_FAILS) != 0 && in->contact_reader) return K3_CONTACT_CHIP;
    return K3_DECLINE;
}

/* Beyond the book: how far a claim of consumer device verification (CDCVM) that the book accepts is believed. A good
 * signature over 9F69 proves it. Without a signature it remains a claim in data that a relay can write; the configured
 * trust decides whether that is enough. */
enum claim { CLAIM_PROVEN, CLAIM_UNPROVEN, CLAIM_REJECTED };
static enum claim evaluate_claim(const struct k3_cvm_in *in)
{
    if (in->oda == K3_ODA_GOOD && in->related_data) return CLAIM_PROVEN;
    if (in->trust == CEMV_CDCVM_AUTHENTICATED && in->cvm_required) return CLAIM_REJECTED;
    if (in->trust != CEMV_CDCVM_BOOK && in->oda == K3_ODA_WRONG) return CLAIM_REJECTED;
    return CLAIM_UNPROVEN;
}

/* 5.7.1.1: a card without CTQ cannot take part in the choice. If verification is required, the reader's own methods are
 * tried: signature, then online PIN. If it supports neither, the transaction is declined. */
static struct k3_cvm cvm_without_ctq(const struct k3_cvm_in *in)
{
    if (!in->cvm_required) return (struct k3_cvm){ CEMV_CVM_NONE, 0, false, false };
    if (in->signature) return (struct k3_cvm){ CEMV_CVM_SIGNATURE, 0, false, false };
    if (in->online_pin) return (struct k3_cvm){ CEMV_CVM_ONLINE_PIN, K3_ONLINE, false, false };
    return (struct k3_cvm){ CEMV_CVM_NONE, K3_DECLINE, false, false };
}

/* Beyond the book: a CVM is required, and the card's choice is not believed. The reader uses its strongest method. A
 * signature is not among them, because choosing it may be the purpose of the attack. */
static struct k3_cvm cvm_of_terminal(const struct k3_cvm_in *in)
{
    if (in->online_pin) return (struct k3_cvm){ CEMV_CVM_ONLINE_PIN, K3_ONLINE | K3_PROTECTION, false, false };
    if (in->contact_reader) return (struct k3_cvm){ CEMV_CVM_NONE, K3_CONTACT_CHIP | K3_PROTECTION, false, false };
    return (struct k3_cvm){ CEMV_CVM_NONE, K3_DECLINE | K3_PROTECTION, false, false };
}

/* 5.7.1.2: the CTQ is evaluated in the book's order, online PIN, CDCVM, signature, and the first method that card and
 * reader have in common ends the evaluation. A CDCVM must be confirmed by the copy of the CTQ in 9F69. Without 9F69 it
 * is accepted only with an ARQC, since then the issuer can check it. If no method applies although one is required, the
 * transaction is declined (5.7.1.3). */
static struct k3_cvm cvm_of_card(const struct k3_cvm_in *in)
{
    if (!in->ctq.present) return cvm_without_ctq(in);
    uint8_t marks = 0;
    if ((in->ctq.byte[0] & CEMV_CTQ_1_ONLINE_PIN_REQUIRED) != 0 && in->online_pin) {
        return (struct k3_cvm){ CEMV_CVM_ONLINE_PIN, K3_ONLINE, false, false };
    }
    if ((in->ctq.byte[1] & CEMV_CTQ_2_CONSUMER_DEVICE_CVM_DONE) != 0) {
        const bool accepted = in->related_data ? in->related_matches : in->cryptogram == K3_ARQC;
        if (!accepted) return (struct k3_cvm){ CEMV_CVM_NONE, K3_DECLINE, false, false };
        const enum claim claim = evaluate_claim(in);
        if (claim != CLAIM_REJECTED) return (struct k3_cvm){ CEMV_CVM_CDCVM, 0, claim == CLAIM_UNPROVEN, false };
        if (in->cvm_required) return cvm_of_terminal(in);
        marks = K3_PROTECTION;
    }
    if ((in->ctq.byte[0] & CEMV_CTQ_1_SIGNATURE_REQUIRED) != 0 && in->signature) {
        return (struct k3_cvm){ CEMV_CVM_SIGNATURE, marks, false, false };
    }
    if (in->cvm_required) marks |= K3_DECLINE; /* 5.7.1.3 */
    return (struct k3_cvm){ CEMV_CVM_NONE, marks, false, false };
}

/* The choice of card and reader, and beyond the book one correction: a relay can avoid online PIN by sending a CTQ that
 * asks for a signature, or by removing the CTQ (attacks.md, A32). If nothing signed supports that choice, it is
 * reported, and a profile may replace it with the reader's own method. */
struct k3_cvm k3_cvm(const struct k3_cvm_in *in)
{
    struct k3_cvm cvm = cvm_of_card(in);
    if (cvm.cvm != CEMV_CVM_SIGNATURE || !in->cvm_required || !in->online_pin || in->ctq_signed) return cvm;
    if (in->distrust_plain) cvm = cvm_of_terminal(in);
    cvm.plain = true;
    return cvm;
}

/* A decline overrides going online, and going online overrides an approval. A reader that cannot go online declines. */
uint8_t k3_decide(const struct k3_decide_in *in)
{
    if ((in->marks & K3_DECLINE) != 0) return K3_DECLINED;                       /* 5.9.1.2 */
    if ((in->marks & K3_ONLINE) == 0 && in->offline_allowed) return K3_APPROVED; /* 5.9.1.1 */
    return in->online_reader ? K3_GO_ONLINE : K3_DECLINED;                       /* 5.8.1.1, 5.9.1.2 */
}
