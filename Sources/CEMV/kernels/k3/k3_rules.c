/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 3: the decision tables as pure functions (Book C-3 v2.10, chapter 5); k3.h describes them.
 *
 * Each function takes all that it depends on as a struct, so that a test can call it with every combination and compare
 * the answers with an independent implementation. The Card Transaction Qualifiers (CTQ, 9F6C) are how a Visa card says
 * what it wants in each case; absent, they want nothing. Knows no store, no command and no state. */
#include "k3.h"

#include "../../rules/rules.h"

enum { K3_IAD_CVR_BYTE = 4 }; /* byte 5 of 9F10 carries the cryptogram's type in bits 6-5 (A.2) */

static uint8_t type_of_iad(cemv_bytes iad)
{
    if (iad.size <= K3_IAD_CVR_BYTE) return K3_UNIDENTIFIED;
    return (uint8_t)(iad.data[K3_IAD_CVR_BYTE] >> 4 & 3);
}

uint8_t k3_cryptogram_type(bool has_cid, uint8_t cid, cemv_bytes iad)
{
    return has_cid ? (uint8_t)(cid >> 6) : type_of_iad(iad);
}

bool k3_cryptogram_contradicts(bool has_cid, uint8_t cid, cemv_bytes iad)
{
    return has_cid && iad.size > K3_IAD_CVR_BYTE && cid >> 6 != type_of_iad(iad);
}

/* 5.4.3.2. A reader that has requested an online cryptogram goes online even if the card gave a TC. */
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

/* 5.5.1.3 and 5.5.1.4: the same rule over another byte of 9F07 and another bit of the CTQ. */
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

/* 5.6.1: offline authentication is for what would be approved. 5.6.2: with an online request it is for special readers,
 * or beyond the book wherever a signature is there. */
uint8_t k3_signature_wanted(const struct k3_signature_in *in)
{
    if ((in->marks & (K3_ONLINE | K3_DECLINE)) == 0) return K3_SIGNATURE_OFFLINE; /* 5.6.1 */
    if ((in->marks & K3_DECLINE) != 0 || in->cryptogram != K3_ARQC || !in->sdad) return K3_NO_SIGNATURE;
    if (in->oda_for_online || (in->verify_if_present && in->related_data)) return K3_SIGNATURE_ONLINE; /* 5.6.2.1 */
    return K3_NO_SIGNATURE;
}

/* 5.6.1.2: the card's way out, if the reader has it: online, the contact chip, else a decline. */
uint8_t k3_after_oda(const struct k3_oda_in *in)
{
    if (in->oda == K3_ODA_GOOD) return 0;
    if (in->oda == K3_ODA_WRONG && in->decline_wrong) return K3_DECLINE | K3_PROTECTION;
    const uint8_t ctq = in->ctq.present ? in->ctq.byte[0] : 0;
    if ((ctq & CEMV_CTQ_1_ONLINE_IF_ODA_FAILS) != 0 && in->online_reader) return K3_ONLINE;
    if ((ctq & CEMV_CTQ_1_SWITCH_IF_ODA_FAILS) != 0 && in->contact_reader) return K3_CONTACT_CHIP;
    return K3_DECLINE;
}

/* A CDCVM claim that the book accepts, judged by what proves it (beyond the book). */
enum claim { CLAIM_PROVEN, CLAIM_UNPROVEN, CLAIM_REJECTED };
static enum claim evaluate_claim(const struct k3_cvm_in *in)
{
    if (in->oda == K3_ODA_GOOD && in->related_data) return CLAIM_PROVEN;
    if (in->trust == CEMV_CDCVM_AUTHENTICATED && in->cvm_required) return CLAIM_REJECTED;
    if (in->trust != CEMV_CDCVM_BOOK && in->oda == K3_ODA_WRONG) return CLAIM_REJECTED;
    return CLAIM_UNPROVEN;
}

/* 5.7.1.1: a card without CTQ has no say, and the reader's own methods are tried: signature, then online PIN. */
static struct k3_cvm cvm_without_ctq(const struct k3_cvm_in *in)
{
    if (!in->cvm_required) return (struct k3_cvm){ CEMV_CVM_NONE, 0, false, false };
    if (in->signature) return (struct k3_cvm){ CEMV_CVM_SIGNATURE, 0, false, false };
    if (in->online_pin) return (struct k3_cvm){ CEMV_CVM_ONLINE_PIN, K3_ONLINE, false, false };
    return (struct k3_cvm){ CEMV_CVM_NONE, K3_DECLINE, false, false };
}

/* Where a CVM is required and the card's word is not believed: the strongest the terminal has, never a signature the
 * card may have chosen. */
static struct k3_cvm cvm_of_terminal(const struct k3_cvm_in *in)
{
    if (in->online_pin) return (struct k3_cvm){ CEMV_CVM_ONLINE_PIN, K3_ONLINE | K3_PROTECTION, false, false };
    if (in->contact_reader) return (struct k3_cvm){ CEMV_CVM_NONE, K3_CONTACT_CHIP | K3_PROTECTION, false, false };
    return (struct k3_cvm){ CEMV_CVM_NONE, K3_DECLINE | K3_PROTECTION, false, false };
}

/* 5.7.1.2: online PIN, then the device's own verification, then signature, as far as card and reader both want them. A
 * CDCVM is compared with 9F69, which repeats it under the signature; without 9F69 it counts with an ARQC, since then
 * the issuer sees it. */
static struct k3_cvm cvm_of_card(const struct k3_cvm_in *in)
{
    if (!in->ctq.present) return cvm_without_ctq(in);
    uint8_t marks = 0;
    /* 5.7.1.2, in the book's order */
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

/* Beyond the book: an online PIN becomes a signature through a CTQ in the clear, or through one that was taken away
 * (attacks.md, A32). */
struct k3_cvm k3_cvm(const struct k3_cvm_in *in)
{
    struct k3_cvm cvm = cvm_of_card(in);
    if (cvm.cvm != CEMV_CVM_SIGNATURE || !in->cvm_required || !in->online_pin || in->ctq_signed) return cvm;
    if (in->distrust_plain) cvm = cvm_of_terminal(in);
    cvm.plain = true;
    return cvm;
}

/* A decline is stronger than going online, and going online is stronger than an approval. */
uint8_t k3_decide(const struct k3_decide_in *in)
{
    if ((in->marks & K3_DECLINE) != 0) return K3_DECLINED;                       /* 5.9.1.2 */
    if ((in->marks & K3_ONLINE) == 0 && in->offline_allowed) return K3_APPROVED; /* 5.9.1.1 */
    return in->online_reader ? K3_GO_ONLINE : K3_DECLINED;                       /* 5.8.1.1, 5.9.1.2 */
}
