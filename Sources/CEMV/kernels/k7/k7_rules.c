/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 7: the decision tables as pure functions (Book C-7 v2.9.1); k7.h describes them.
 *
 * The flow resembles that of Kernel 3, but the two books differ in the mandatory objects and in the order of steps, so
 * the kernels share no rules. This file knows no store, no command and no state. */
#include "k7.h"

enum {
    IAD_CVR_BYTE = 4,      /* byte 5 of 9F10 contains the cryptogram's type in bits 6-5 (annex A) */
    RELATED_CTQ = 5,       /* offset of the copy of the CTQ in 9F69 (annex A) */
    TTQ_1_RESERVED = 0x80, /* table 3-1, note 1 */
    TTQ_2_RESERVED = 0x3F, /* table 3-1, note 1 */
    TTQ_4_RESERVED = 0x7F, /* table 3-1, note 1 */
    SELECTION_THIS = 0x40, /* DF61, byte 1: the card supports the flow of this book (3.2.2) */
};

bool k7_same_pair(struct k7_pair a, struct k7_pair b)
{
    return a.present && b.present && a.byte[0] == b.byte[0] && a.byte[1] == b.byte[1];
}

struct k7_pair k7_related_ctq(cemv_bytes related_data)
{
    if (related_data.size < RELATED_CTQ + 2) return (struct k7_pair){ .present = false };
    return (struct k7_pair){ true, { related_data.data[RELATED_CTQ], related_data.data[RELATED_CTQ + 1] } };
}

/* Activation ------------------------------------------------------------------------------------------------------- */

/* The book describes one of two contactless flows, so a combination must have EMV mode without the other flow. The
 * faults are checked in the order of enum k7_ttq_fault. */
uint8_t k7_ttq_fault(cemv_bytes ttq, bool oda_for_online)
{
    if (ttq.size != 4) return K7_TTQ_MISSING;
    if ((ttq.data[0] & TTQ_1_RESERVED) != 0 || (ttq.data[1] & TTQ_2_RESERVED) != 0 ||
        (ttq.data[3] & TTQ_4_RESERVED) != 0)
        return K7_TTQ_RESERVED;
    if ((ttq.data[0] & (CEMV_TTQ_1_FULL_CONTACTLESS_FLOW | CEMV_TTQ_1_EMV_MODE)) != CEMV_TTQ_1_EMV_MODE)
        return K7_TTQ_FLOW;
    if ((ttq.data[2] & CEMV_TTQ_3_CONSUMER_DEVICE_CVM) == 0) return K7_TTQ_NO_DEVICE_CVM;
    return (ttq.data[0] & CEMV_TTQ_1_ODA_FOR_ONLINE) != 0 && !oda_for_online ? K7_TTQ_ODA_FOR_ONLINE : K7_TTQ_SOUND;
}

/* 3.2.2: byte 3 is sent with the CDCVM bit only, and byte 4 states which version of fDDA the reader supports. A special
 * reader requests an online cryptogram with a signature, but only of a card that names this flow in DF61. */
bool k7_ttq(uint8_t ttq[4], bool special, cemv_bytes selection)
{
    if (special) {
        if (selection.size == 0 || (selection.data[0] & SELECTION_THIS) == 0) return false;
        ttq[0] = (uint8_t)((ttq[0] & ~(unsigned)CEMV_TTQ_1_FULL_CONTACTLESS_FLOW) | CEMV_TTQ_1_ODA_FOR_ONLINE |
                           CEMV_TTQ_1_EMV_MODE);
        ttq[1] |= CEMV_TTQ_2_ONLINE_CRYPTOGRAM_REQUIRED;
    }
    ttq[2] &= CEMV_TTQ_3_CONSUMER_DEVICE_CVM;
    ttq[3] |= CEMV_TTQ_4_FDDA_VERSION_1;
    return true;
}

/* 4.1.4.3 */
uint8_t k7_refusal(uint16_t status_word, bool contact, bool magstripe)
{
    if (status_word == 0x6986) return K7_SEE_PHONE;
    if (contact) return K7_TO_CONTACT;
    return magstripe ? K7_TO_MAGSTRIPE : K7_END;
}

/* 9F10 contains the type as the card computed it, as two bits in the order of the CID's bits 8-7. */
static uint8_t type_of_iad(cemv_bytes iad)
{
    return iad.size > IAD_CVR_BYTE ? (uint8_t)(iad.data[IAD_CVR_BYTE] >> 4 & 3) : K7_UNIDENTIFIED;
}

uint8_t k7_cryptogram_type(bool has_cid, uint8_t cid, cemv_bytes iad)
{
    return has_cid ? (uint8_t)(cid >> 6) : type_of_iad(iad);
}

uint8_t k7_information(bool has_cid, uint8_t cid, cemv_bytes iad)
{
    if (has_cid) return cid;
    return iad.size > IAD_CVR_BYTE ? (uint8_t)(type_of_iad(iad) << 6) : 0;
}

bool k7_cryptogram_contradicts(bool has_cid, uint8_t cid, cemv_bytes iad)
{
    return has_cid && iad.size > IAD_CVR_BYTE && cid >> 6 != type_of_iad(iad);
}

/* 9F10 must be present before the type is determined (figure 4-1), then the objects of Table 4-3 or 4-4. An ARQC with
 * records is not checked here: its objects are checked when it goes online, since track 2 may still come in a
 * record. */
uint8_t k7_disposition(uint8_t cryptogram, uint8_t given)
{
    const bool answers = (given & (K7_MANDATORY | K7_HAS_57)) == (K7_MANDATORY | K7_HAS_57);
    const bool has_locator = (given & K7_HAS_94) != 0;
    if ((given & K7_HAS_9F10) == 0) return K7_TO_END;
    switch ((enum k7_cryptogram)cryptogram) {
    case K7_TC: return has_locator && (given & K7_MANDATORY) == K7_MANDATORY ? K7_TO_RECORDS : K7_TO_END;
    case K7_ARQC: return has_locator ? K7_TO_RECORDS : answers ? K7_TO_ONLINE : K7_TO_END;
    case K7_AAC:
    case K7_UNIDENTIFIED: break;
    }
    return answers ? K7_TO_DECLINED : K7_TO_END;
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

uint8_t k7_expiry(cemv_bytes last_day, cemv_bytes today)
{
    uint32_t last, now;
    if (!cemv_date_read(last_day, &last)) return K7_NO_DATE;
    return cemv_date_read(today, &now) && now <= last ? K7_VALID : K7_PAST;
}

/* 4.2.4.7: an entry may be a prefix of PANs; if it contains a sequence number, the card's must be equal. */
bool k7_is_listed(const struct cemv_exception *entry, cemv_bytes pan, cemv_bytes sequence)
{
    const int listed = cemv_cn_digits(entry->pan), digits = cemv_cn_digits(pan);
    if (listed <= 0 || listed > digits) return false;
    for (size_t i = 0; i < (size_t)listed; i++)
        if (cemv_nibble(entry->pan.data, i) != cemv_nibble(pan.data, i)) return false;
    return entry->any_sequence || (sequence.size == 1 && sequence.data[0] == entry->sequence);
}

/* Offline data authentication -------------------------------------------------------------------------------------- */

static bool has(struct k7_pair pair, unsigned byte, uint8_t bit)
{
    return pair.present && (pair.byte[byte - 1] & bit) != 0;
}

/* 4.3.2.5: the way out that the card has chosen for a failed signature, as far as the reader supports it. Online comes
 * first, because the issuer can then decide. */
uint8_t k7_fdda_failed(struct k7_pair ctq, const uint8_t ttq[4])
{
    if (has(ctq, 1, CEMV_CTQ_1_ONLINE_IF_ODA_FAILS) && (ttq[0] & CEMV_TTQ_1_OFFLINE_ONLY) == 0) return K7_WAY_ONLINE;
    if (has(ctq, 1, CEMV_CTQ_1_SWITCH_IF_ODA_FAILS) && (ttq[0] & CEMV_TTQ_1_CONTACT_CHIP) != 0) return K7_WAY_CONTACT;
    return K7_WAY_DECLINED;
}

/* Only a good signature approves. A TC that was not requested may only go online, and only if the card asks for that
 * when a signature fails. A TC whose essential data are unsigned is declined. */
uint8_t k7_offline(const struct k7_offline_in *in)
{
    const uint8_t failed = k7_fdda_failed(in->ctq, in->ttq);
    if (in->oda != K7_ODA_GOOD) return in->oda == K7_ODA_WRONG && in->decline_wrong ? K7_WAY_DECLINED : failed;
    if (in->not_asked) return failed == K7_WAY_ONLINE ? K7_WAY_ONLINE : K7_WAY_DECLINED;
    return in->not_signed ? K7_WAY_DECLINED : K7_WAY_APPROVED;
}

/* Cardholder verification ------------------------------------------------------------------------------------------ */

static bool takes(const struct k7_cvm_in *in, uint8_t bit) { return (in->ttq[0] & bit) != 0; }

static bool is_required(const struct k7_cvm_in *in) { return (in->ttq[1] & CEMV_TTQ_2_CVM_REQUIRED) != 0; }

/* 4.4.2.1: the card states no preference, so the reader chooses, and prefers a signature. */
static uint8_t cvm_without_ctq(const struct k7_cvm_in *in)
{
    if (!is_required(in)) return K7_CVM_NA;
    if (takes(in, CEMV_TTQ_1_SIGNATURE)) return K7_CVM_SIGNATURE;
    return takes(in, CEMV_TTQ_1_ONLINE_PIN) ? K7_CVM_ONLINE_PIN : K7_CVM_DECLINED;
}

/* The remaining steps of 4.4.2.2, after PIN and CDCVM. A card that requests nothing satisfies no required
 * verification. */
static uint8_t cvm_by_signature(const struct k7_cvm_in *in)
{
    if (has(in->ctq, 1, CEMV_CTQ_1_SIGNATURE_REQUIRED) && takes(in, CEMV_TTQ_1_SIGNATURE)) return K7_CVM_SIGNATURE;
    return is_required(in) ? K7_CVM_DECLINED : K7_CVM_NA;
}

/* 4.4.2.2, in the book's order: online PIN, CDCVM, signature, nothing. A CDCVM is compared with the copy of the CTQ in
 * 9F69. Without 9F69 it is accepted only for an ARQC, where the issuer decides. */
uint8_t k7_cvm_by_book(const struct k7_cvm_in *in)
{
    if (!in->ctq.present) return cvm_without_ctq(in);
    if (has(in->ctq, 1, CEMV_CTQ_1_ONLINE_PIN_REQUIRED) && takes(in, CEMV_TTQ_1_ONLINE_PIN)) return K7_CVM_ONLINE_PIN;
    if (!has(in->ctq, 2, CEMV_CTQ_2_CONSUMER_DEVICE_CVM_DONE)) return cvm_by_signature(in);
    const bool accepted = in->related ? k7_same_pair(in->ctq, in->related_ctq) : in->is_arqc;
    return accepted ? K7_CVM_CDCVM : K7_CVM_DECLINED;
}

/* Beyond the book: the verification that the reader requires if it does not believe the card's claim. */
static uint8_t cvm_of_reader(const struct k7_cvm_in *in)
{
    if (takes(in, CEMV_TTQ_1_ONLINE_PIN)) return K7_CVM_ONLINE_PIN;
    return takes(in, CEMV_TTQ_1_CONTACT_CHIP) ? K7_CVM_CONTACT : K7_CVM_DECLINED;
}

/* After a failed signature: online PIN if a CVM is required and the reader supports it; otherwise the device's claim is
 * ignored and the next rule applies (attacks.md, A01, A32). */
static uint8_t cvm_after_wrong(const struct k7_cvm_in *in, uint8_t book)
{
    const bool is_claim = book == K7_CVM_CDCVM;
    const bool doubted = is_claim ? in->trust != CEMV_CDCVM_BOOK : in->distrust_wrong;
    if (!doubted) return book;
    if (is_required(in) && takes(in, CEMV_TTQ_1_ONLINE_PIN)) return K7_CVM_ONLINE_PIN;
    return is_claim ? cvm_by_signature(in) : book;
}

/* An unsigned or absent CTQ where a CVM is required (attacks.md, A01, A32). Everybody between card and reader could
 * have written it, so it must not lower the verification. */
static uint8_t cvm_of_plain(const struct k7_cvm_in *in, uint8_t book)
{
    if (!is_required(in)) return book;
    if (book == K7_CVM_CDCVM && in->trust == CEMV_CDCVM_AUTHENTICATED) return cvm_of_reader(in);
    const bool replaces_pin = book == K7_CVM_SIGNATURE && takes(in, CEMV_TTQ_1_ONLINE_PIN);
    return replaces_pin && in->distrust_plain ? K7_CVM_ONLINE_PIN : book;
}

/* Rules beyond the book only strengthen its result: a decline remains, and a good signature needs no further rule. */
struct k7_cvm k7_cvm(const struct k7_cvm_in *in)
{
    const uint8_t book = k7_cvm_by_book(in);
    struct k7_cvm cvm = { .verification = book };
    if (book == K7_CVM_DECLINED || in->oda == K7_ODA_GOOD) return cvm;
    cvm.plain = book == K7_CVM_SIGNATURE && is_required(in) && takes(in, CEMV_TTQ_1_ONLINE_PIN);
    if (in->oda == K7_ODA_WRONG) cvm.verification = cvm_after_wrong(in, book);
    if (cvm.verification == book) cvm.verification = cvm_of_plain(in, book);
    cvm.protection = cvm.verification != book;
    cvm.unauthenticated = cvm.verification == K7_CVM_CDCVM;
    return cvm;
}
