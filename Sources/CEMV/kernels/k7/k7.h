/* SPDX-License-Identifier: Apache-2.0 */
/* The states of Kernel 7, and the decisions of Book C-7 v2.9.1 as pure functions of plain structs. They are kept apart
 * from the dialogue with the card, so that each can be compared over all its inputs with an independent implementation.
 * No decision reads a store or knows a command. */
#ifndef CEMV_K7_H
#define CEMV_K7_H

#include "../../outcome/outcome.h"

enum k7_state {
    /* Awaits the response to GET PROCESSING OPTIONS (4.1.4): the card's decision with its cryptogram and, if records
     * follow, their locator. */
    K7_WAIT_GPO = 1,
    /* Awaits a record of the AFL (4.2.4). The records contain the expiry date, the account and the certificates for the
     * signature over the card's decision. */
    K7_WAIT_RECORD = 2,
};

/* Two bytes from the card that may be absent; an absent pair reads as all bits clear. */
struct k7_pair {
    bool present;
    uint8_t byte[2];
};
bool k7_same_pair(struct k7_pair a, struct k7_pair b);
/* The copy of the CTQ in bytes 6 and 7 of 9F69; absent if 9F69 is too short for it (annex A). */
struct k7_pair k7_related_ctq(cemv_bytes related_data);

/* Activation (3.2.2, 4.1.4) ---------------------------------------------------------------------------------------- */

/* The first fault found in the Terminal Transaction Qualifiers of a combination (Table 3-1, 3.2.2, 4.4.1). */
enum k7_ttq_fault {
    K7_TTQ_SOUND = 0,
    K7_TTQ_MISSING = 1,
    K7_TTQ_RESERVED = 2,       /* bits that shall be zero */
    K7_TTQ_FLOW = 3,           /* the other contactless flow is set, or EMV mode is not */
    K7_TTQ_NO_DEVICE_CVM = 4,  /* CDCVM is not set, and 4.4.1 requires it */
    K7_TTQ_ODA_FOR_ONLINE = 5, /* signatures online, at a reader that is not a special one */
};
uint8_t k7_ttq_fault(cemv_bytes ttq, bool oda_for_online);
/* Changes the copy of the TTQ to the value that is sent (3.2.2). `selection`: DF61 of the FCI, used by special readers
 * only. Returns false if the card chooses the flow that this book leaves out. */
bool k7_ttq(uint8_t ttq[4], bool special, cemv_bytes selection);

/* The reaction to a status word other than 9000 (4.1.4.3). */
enum k7_refusal { K7_SEE_PHONE = 0, K7_TO_CONTACT = 1, K7_TO_MAGSTRIPE = 2, K7_END = 3 };
uint8_t k7_refusal(uint16_t status_word, bool contact, bool magstripe);

/* The cryptogram's type, as bits 8-7 of the Cryptogram Information Data code it. */
enum k7_cryptogram { K7_AAC = 0, K7_TC = 1, K7_ARQC = 2, K7_UNIDENTIFIED = 3 };
/* The type from 9F27 or, without it, from byte 5 of 9F10 (4.1.4.4). */
uint8_t k7_cryptogram_type(bool has_cid, uint8_t cid, cemv_bytes iad);
/* The CID of that type: 9F27, or one that is derived. */
uint8_t k7_information(bool has_cid, uint8_t cid, cemv_bytes iad);
/* True if 9F27 and 9F10 name different types. */
bool k7_cryptogram_contradicts(bool has_cid, uint8_t cid, cemv_bytes iad);

/* The objects that the GET PROCESSING OPTIONS response contained; a set. */
enum k7_given {
    K7_HAS_82 = 1 << 0,
    K7_HAS_94 = 1 << 1, /* an empty one, too */
    K7_HAS_9F36 = 1 << 2,
    K7_HAS_57 = 1 << 3,
    K7_HAS_9F10 = 1 << 4,
    K7_HAS_9F26 = 1 << 5,
    K7_MANDATORY = K7_HAS_82 | K7_HAS_9F36 | K7_HAS_9F10 | K7_HAS_9F26, /* in both tables, 4-3 and 4-4 */
};
enum k7_disposition { K7_TO_END = 0, K7_TO_DECLINED = 1, K7_TO_ONLINE = 2, K7_TO_RECORDS = 3 };
uint8_t k7_disposition(uint8_t cryptogram, uint8_t given);

/* Reading (4.2.4) -------------------------------------------------------------------------------------------------- */

enum k7_expiry { K7_VALID = 0, K7_PAST = 1, K7_NO_DATE = 2 };
uint8_t k7_expiry(cemv_bytes last_day, cemv_bytes today);
/* True if an entry of the exception file covers a card: the entry may be a prefix of its PAN (4.2.4.7). `sequence` is
 * 5F34, empty if the card did not send it. */
bool k7_is_listed(const struct cemv_exception *entry, cemv_bytes pan, cemv_bytes sequence);

/* Offline data authentication (4.3.2) ------------------------------------------------------------------------------ */

/* The result for the signature over 9F69. */
enum k7_oda { K7_ODA_NOT_DONE = 0, K7_ODA_GOOD = 1, K7_ODA_IMPOSSIBLE = 2, K7_ODA_WRONG = 3 };
enum { K7_FORMAT_OFFLINE = 0x05, K7_FORMAT_ONLINE = 0x95 };

enum k7_way { K7_WAY_ONLINE = 0, K7_WAY_CONTACT = 1, K7_WAY_DECLINED = 2, K7_WAY_APPROVED = 3 };
/* The way out for a TC whose fDDA failed or was not possible (4.3.2.5). */
uint8_t k7_fdda_failed(struct k7_pair ctq, const uint8_t ttq[4]);
/* A TC and the result of its signature. The members after `ttq` are rules beyond the book. */
struct k7_offline_in {
    uint8_t oda; /* enum k7_oda */
    struct k7_pair ctq;
    uint8_t ttq[4];
    bool decline_wrong; /* a signature that verified wrong is declined (attacks.md, A11) */
    bool not_asked;     /* an offline approval was not requested (A09, A10) */
    bool not_signed;    /* no signature covers the data that decide about an approval (A19, expiry) */
};
uint8_t k7_offline(const struct k7_offline_in *in);

/* Cardholder verification (4.4) ------------------------------------------------------------------------------------ */

enum k7_verification {
    K7_CVM_NA = 0,
    K7_CVM_SIGNATURE = 1,
    K7_CVM_ONLINE_PIN = 2, /* the result is an online request, even after a TC */
    K7_CVM_CDCVM = 3,
    K7_CVM_DECLINED = 4,
    K7_CVM_CONTACT = 5, /* by protection: send the customer to the contact chip */
};
struct k7_cvm_in {
    struct k7_pair ctq;
    bool related; /* the card sent 9F69 */
    struct k7_pair related_ctq;
    bool is_arqc;
    uint8_t ttq[4]; /* as sent */
    /* Beyond the book. */
    uint8_t oda;         /* enum k7_oda: the signature over 9F69, if it was verified */
    uint8_t trust;       /* enum cemv_cdcvm_trust, PROFILE resolved */
    bool distrust_wrong; /* a failed signature also discredits the CTQ (A01, A32) */
    bool distrust_plain; /* an unsigned or absent CTQ does not replace online PIN (A32) */
};
struct k7_cvm {
    uint8_t verification; /* enum k7_verification */
    bool protection;      /* a rule beyond the book changed it */
    bool unauthenticated; /* a CDCVM is accepted although nothing proves it */
    bool plain;           /* a signature instead of the reader's online PIN, based on unsigned data */
};
/* The rules of 4.4.2 only. */
uint8_t k7_cvm_by_book(const struct k7_cvm_in *in);
struct k7_cvm k7_cvm(const struct k7_cvm_in *in);

#endif
