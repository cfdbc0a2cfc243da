/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 3: its states, and the decisions of Book C-3 v2.10 as pure functions of plain structs. They are separate from
 * the dialogue with the card so that a test can call each one with every input and compare the results with an
 * independent implementation. No decision reads a store or knows a command. */
#ifndef CEMV_K3_H
#define CEMV_K3_H

#include "../../include/cemv_kernel_3.h"
#include "../../outcome/outcome.h"

enum k3_state {
    /* Awaits the answer to GET PROCESSING OPTIONS (5.2). */
    K3_WAIT_GPO = 1,
    /* Awaits a record of the AFL (5.3). */
    K3_WAIT_RECORD = 2,
    /* Awaits the display step: "card read OK" is shown before certificates are checked (5.4.1, 5.6). */
    K3_WAIT_CARD_READ = 3,
    /* Second presentment. Awaits the answer to EXTERNAL AUTHENTICATE (6.2.1.1). */
    K3_WAIT_ISSUER_AUTHENTICATION = 4,
    /* Second presentment. Awaits the answer to an issuer script command (6.2.1.2). */
    K3_WAIT_SCRIPT = 5,
};

/* The type of the cryptogram, coded as in bits 8-7 of the Cryptogram Information Data (CID, 9F27). */
enum k3_cryptogram { K3_AAC = 0, K3_TC = 1, K3_ARQC = 2, K3_UNIDENTIFIED = 3 };

/* Results of the steps, a set. The first two are the book's internal indicators. A mark is never cleared. */
enum k3_mark {
    K3_ONLINE = 1 << 0,          /* Online Required by Reader */
    K3_DECLINE = 1 << 1,         /* Decline Required by Reader */
    K3_OTHER_INTERFACE = 1 << 2, /* ends at once: another interface, none preferred */
    K3_CONTACT_CHIP = 1 << 3,    /* ends at once: the contact chip */
    K3_PROTECTION = 1 << 4,      /* a rule beyond the book changed the result */
};

/* An object of two bytes that the card may omit. The bytes of an absent one are zero. */
struct k3_pair {
    bool present;
    uint8_t byte[2];
};

/* The type of the cryptogram from the CID or, if the card sent none, from byte 5 of the Issuer Application Data, 9F10
 * (5.4.3.1). */
uint8_t k3_cryptogram_type(bool has_cid, uint8_t cid, cemv_bytes iad);
/* True if CID and Issuer Application Data state different types. */
bool k3_cryptogram_contradicts(bool has_cid, uint8_t cid, cemv_bytes iad);
/* Marks of the cryptogram's type (5.4.3.2). With an AAC on a refund the card only completes its own part; the host
 * decides (3.4.1.3). */
uint8_t k3_disposition(uint8_t cryptogram, bool online_cryptogram_required, bool refund);

/* Processing restrictions (5.5): expiry date, exception list, Application Usage Control. */
enum k3_usage { K3_USAGE_UNCHECKED = 0, K3_USAGE_CASH = 1, K3_USAGE_CASHBACK = 2 };
struct k3_restrictions_in {
    uint8_t cryptogram; /* enum k3_cryptogram */
    uint8_t usage;      /* enum k3_usage: the check that this transaction needs */
    bool expired;       /* past 5F24, or 5F24 absent */
    bool on_exception_list;
    bool countries_known;         /* issuer's and terminal's */
    bool domestic;                /* they are equal */
    struct k3_pair usage_control; /* 9F07 */
    struct k3_pair ctq;           /* 9F6C */
};
uint8_t k3_restrictions(const struct k3_restrictions_in *in);

/* Which dynamic signature must be verified (5.6): the value is the Signed Data Format that it must carry, or 0. */
enum k3_signature { K3_NO_SIGNATURE = 0, K3_SIGNATURE_OFFLINE = 0x05, K3_SIGNATURE_ONLINE = 0x95 };
struct k3_signature_in {
    uint8_t cryptogram;
    uint8_t marks;
    bool sdad;              /* 9F4B was returned */
    bool related_data;      /* 9F69 was returned, or its absence counts as a failure */
    bool oda_for_online;    /* TTQ byte 1 bit 1 as sent */
    bool verify_if_present; /* protection: verify an online signature if one is present */
};
uint8_t k3_signature_wanted(const struct k3_signature_in *in);

/* Result of offline data authentication. IMPOSSIBLE: data are missing. WRONG: data contradict the signature. */
enum k3_oda { K3_ODA_NOT_DONE = 0, K3_ODA_GOOD = 1, K3_ODA_IMPOSSIBLE = 2, K3_ODA_WRONG = 3 };
/* Marks of the result for an offline transaction (5.6.1.2). */
struct k3_oda_in {
    uint8_t oda; /* enum k3_oda */
    bool online_reader;
    bool contact_reader;
    bool decline_wrong; /* protection: K3_ODA_WRONG declines, whatever the CTQ asks for */
    struct k3_pair ctq;
};
uint8_t k3_after_oda(const struct k3_oda_in *in);

/* Cardholder verification (5.7). */
struct k3_cvm_in {
    uint8_t cryptogram;
    uint8_t oda;   /* enum k3_oda: of the signature over 9F69, if one was verified */
    uint8_t trust; /* enum cemv_cdcvm_trust, PROFILE resolved */
    bool cvm_required;
    bool online_pin; /* supported by the reader */
    bool signature;  /* supported by the reader */
    bool contact_reader;
    bool related_data;    /* 9F69 was returned */
    bool related_matches; /* its bytes 6-7 equal the CTQ */
    bool ctq_signed;      /* a signature that verified covers this CTQ */
    bool distrust_plain;  /* protection: only a signed CTQ may replace online PIN */
    struct k3_pair ctq;
};
struct k3_cvm {
    uint8_t cvm; /* enum cemv_cvm */
    uint8_t marks;
    bool unauthenticated; /* a CDCVM was accepted without proof */
    bool plain;           /* unsigned data replaced the reader's online PIN by a signature */
};
struct k3_cvm k3_cvm(const struct k3_cvm_in *in);

/* The end of the transaction (5.8, 5.9). */
enum k3_decision { K3_APPROVED = 1, K3_DECLINED = 2, K3_GO_ONLINE = 3 };
struct k3_decide_in {
    uint8_t marks;
    bool online_reader;
    bool offline_allowed; /* protection: this transaction may be approved offline */
};
uint8_t k3_decide(const struct k3_decide_in *in);

#endif
