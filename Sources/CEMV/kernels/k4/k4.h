/* SPDX-License-Identifier: Apache-2.0 */
/* The states of Kernel 4, and the decisions of Book C-4 v2.10 as pure functions of plain structs. They are kept apart
 * from the dialogue with the card, so that each can be compared over all its inputs with an independent implementation.
 * No decision reads a store or knows a command in progress. "Contact" is Try Another Interface, which always means the
 * contact chip here. */
#ifndef CEMV_K4_H
#define CEMV_K4_H

#include "../../account/account.h"
#include "../../outcome/outcome.h"
#include "../../rules/rules.h"

enum k4_state {
    /* Awaits the response to GET PROCESSING OPTIONS (4.3): the card's profile, which selects EMV or mag-stripe mode,
     * and the locator of its records. */
    K4_WAIT_GPO = 1,
    /* Awaits a record of the AFL (5.3). The reader makes its decisions when it has read them all. */
    K4_WAIT_RECORD = 2,
    /* Mag-stripe mode only. Awaits the response to GET DATA (5.4): the transaction counter, which must later equal that
     * of the cryptogram. */
    K4_WAIT_COUNTER = 3,
    /* Awaits the response to GENERATE AC (11): the card's decision. No further command follows. */
    K4_WAIT_AC = 4,
    /* Awaits that "card read OK" is shown, before a signature is verified (11.2.4 to 11.2.6). */
    K4_WAIT_DISPLAY = 5,
};

/* The reader's capabilities: Enhanced Contactless Reader Capabilities, 9F6E (Table 4-4). */
enum {
    K4_READER_1_CONTACT = 0x80,
    K4_READER_1_MAGSTRIPE = 0x40,
    K4_READER_2_MOBILE_CVM = 0x80,
    K4_READER_2_ONLINE_PIN = 0x40,
    K4_READER_2_SIGNATURE = 0x20,
    K4_READER_3_OFFLINE_ONLY = 0x80,
    K4_READER_3_CVM_REQUIRED = 0x40,
    K4_READER_4_DELAYED = 0x40, /* delayed authorisation */
};
static inline bool k4_has(const uint8_t reader[4], unsigned byte, uint8_t bit) { return (reader[byte - 1] & bit) != 0; }

/* The way a step ends the tap, or that it does not. */
enum k4_verdict {
    K4_FINE = 0,
    K4_CONTACT = 1,   /* Try Another Interface, message 1D */
    K4_TRY_AGAIN = 2, /* the customer must use the phone: messages 20 and 21 (Table 8-2) */
    K4_END = 3,       /* End Application, message 1C */
};

enum k4_method { K4_NO_ODA = 0, K4_SDA = 1, K4_CDA = 2 };

/* Before and after GPO (4.3) --------------------------------------------------------------------------------------- */

struct k4_capabilities {
    uint8_t simple;      /* 9F6D */
    uint8_t enhanced[4]; /* 9F6E */
};
/* 4.3.1: adapts the configured capabilities to this activation. */
void k4_adapt(struct k4_capabilities *capabilities, uint8_t terminal_type, bool cvm_limit_exceeded, bool can_go_online);
/* 4.3.3 to 4.3.5: the value of 9F35 for the PDOL. */
uint8_t k4_type_sent(uint8_t terminal_type, uint8_t simple, cemv_bytes pdol);

/* Mode (2.1.1, 4.3.7): EMV or mag-stripe. Returns K4_CONTACT or K4_END if the reader does not support the card's
 * mode. */
static inline bool k4_is_emv(const uint8_t profile[2]) { return (profile[1] & CEMV_AIP_2_EMV_MODE) != 0; }
uint8_t k4_mode(const uint8_t profile[2], const uint8_t reader[4]);
/* Fallback to the contact chip (7.2.1.7, 8.2.5, 11.2, 12.2.2); `card` is 9F70, empty if absent. */
bool k4_can_insert(const uint8_t reader[4], cemv_bytes card);

/* True if the FCI can be parsed and contains a name (Table 14-1). */
bool k4_fci_ok(cemv_bytes fci);
/* Reads the GET PROCESSING OPTIONS response. Returns false for a wrong format (4.3.6.1). */
struct k4_options {
    cemv_bytes profile, locator, mobile; /* 82, 94, 9F71; the last may be empty */
};
bool k4_read_options(cemv_bytes body, struct k4_options *options);
/* Reads the GET DATA response (5.4.1): the counter, or empty if the response is malformed. */
cemv_bytes k4_read_counter(cemv_bytes body);

/* Offline data authentication (6.2) -------------------------------------------------------------------------------- */

/* `terminal_3` is byte 3 of 9F33. */
uint8_t k4_oda_method(const uint8_t profile[2], uint8_t terminal_3);

/* Limits (7.2.1) --------------------------------------------------------------------------------------------------- */

struct k4_limits_in {
    uint64_t amount;
    bool floor_exceeded, cvm_exceeded; /* Entry Point's indicators */
    const struct cemv_limits *preset;  /* the default set; NULL if dynamic limits are not supported */
    const struct cemv_limits *chosen;  /* the set that 9F70 names; NULL if the reader lacks it */
    bool bounded; /* beyond the book: the chosen set may not exceed the default (attacks.md, 9F70) */
};
struct k4_limits {
    bool not_allowed, floor_exceeded, cvm_exceeded;
};
struct k4_limits k4_limits(const struct k4_limits_in *in);
/* The number of the set in 9F70; 0 if it names no set. */
unsigned k4_limit_set(cemv_bytes card);

/* Restrictions (7.2.3) --------------------------------------------------------------------------------------------- */

/* At a delayed authorisation terminal: 9F70, 5F28, 9F1A. Returns true if TVR byte 2 bit 5 is to be set. */
bool k4_delayed_refused(cemv_bytes card, cemv_bytes issuer, cemv_bytes country, const uint8_t reader[4]);

/* Cardholder verification (8) -------------------------------------------------------------------------------------- */

struct k4_cvm_in {
    bool exceeded, restarted, emv, can_insert;
    bool card_verifies; /* AIP byte 1 bit 5 */
    bool mobile;        /* AIP byte 2 bit 7 */
    cemv_bytes results; /* 9F71 */
    cemv_bytes list;    /* 8E */
    bool same_currency; /* 9F42 is present and equals 5F2A */
    bool no_cvm;        /* 9F33 byte 2 bit 4 */
    uint8_t reader[4];  /* 9F6E */
    uint8_t terminal_type, type;
    uint64_t amount;
    bool list_proven; /* a verified chain covers the list */
    /* Beyond the book, above the limit (attacks.md, A01, A04): */
    bool distrust_profile; /* no verified chain covers the AIP: method 01 is an offline PIN */
    bool distrust_device;  /* 9F71 is ignored */
    bool distrust_list;    /* an unproven list is replaced by online PIN if the reader supports it */
};
struct k4_cvm {
    uint8_t verdict; /* enum k4_verdict */
    struct cemv_rules_cvm cvm;
    bool from_plain; /* above the limit, a method weaker than online PIN by an unproven list */
    bool replaced;   /* a rule beyond the book changed the result */
};
struct k4_cvm k4_cvm(const struct k4_cvm_in *in);

/* Terminal action analysis (10) ------------------------------------------------------------------------------------ */

struct k4_action_in {
    uint64_t tvr, denial, online, unable; /* the codes of terminal and issuer, combined */
    uint8_t terminal_type;
    bool delayed, can_go_online;
    bool wants_online; /* the Zero Amount or the Status Check indicator */
};
/* 10.2.1, 10.2.2: enum cemv_rules_cryptogram. */
uint8_t k4_first_action(const struct k4_action_in *in);
/* 10.2.3.1: the unpredictable number of mag-stripe mode, from the valid date 5F25. */
void k4_number(uint32_t random, uint16_t range, const uint8_t effective[3], uint8_t number[4]);

/* GENERATE AC (11) ------------------------------------------------------------------------------------------------- */

struct k4_answer {
    cemv_bytes information, counter, cryptogram, issuer, signature; /* 9F27, 9F36, 9F26, 9F10, 9F4B */
    cemv_bytes objects;                                             /* of format 2 */
};
/* Reads the GENERATE AC response. Returns false for a wrong format (11.2.1). */
bool k4_read_answer(cemv_bytes body, bool signature_asked, struct k4_answer *answer);

enum k4_decision {
    K4_APPROVED = 0,
    K4_DECLINED = 1,
    K4_GO_ONLINE = 2,
    K4_USE_CONTACT = 3,
    K4_ASK_PIN = 4, /* Request Online PIN (12.2.2) */
};
/* True for a type above the requested one, or an invalid type: declined before anything is shown (11.2.2.4). */
bool k4_contradicts(uint8_t asked, uint8_t information);
struct k4_card_action_in {
    uint8_t asked, information; /* of enum cemv_rules_cryptogram; 9F27 */
    bool emv, can_insert, can_go_online, cvm_exceeded;
    uint8_t terminal_type;
    bool delayed;
    uint8_t method; /* enum k4_method */
    bool good;      /* it was performed and succeeded */
    /* Beyond the book (attacks.md, A04, A07, A09, A11): */
    bool needs_signature; /* approvals require a dynamic signature */
    bool refuse_failed;   /* data that failed SDA are not sent online */
    bool refuse_unproven; /* above the CVM limit unauthenticated data are not sent online */
    bool refuse_offline;  /* no approval without the issuer */
};
/* 11.2.2 to 11.2.6, 12.2.1.2. In mag-stripe mode the counters are already known to agree. */
uint8_t k4_card_action(const struct k4_card_action_in *in);

/* The issuer's answer (12.2.2) ------------------------------------------------------------------------------------- */

struct k4_issuer_action_in {
    bool reached;    /* the issuer answered */
    cemv_bytes code; /* 8A */
    bool pin_asked;  /* Request Online PIN was given before */
    bool takes_pin;  /* 9F6E byte 2 bit 7, and k4_list_has_pin() */
    bool can_insert;
};
uint8_t k4_issuer_action(const struct k4_issuer_action_in *in);
/* True if a rule of the CVM List is online PIN. */
bool k4_list_has_pin(cemv_bytes list);

/* Tracks (12.2.1.3) ------------------------------------------------------------------------------------------------ */

enum { K4_TRACK_1_SIZE = 62, K4_TRACK_2_SIZE = 39 };
struct k4_tracks_in {
    cemv_bytes pan, name, expiry, track_2; /* 5A, 5F20, 5F24, 57 */
    uint8_t number[4];                     /* as k4_number() made it */
    uint8_t cryptogram[8], counter[2];
};
/* True if 5A and 57 have the form that the tracks need (7.2.4.1, Table 12-1). */
bool k4_tracks_usable(cemv_bytes pan, cemv_bytes track_2);
/* Builds the tracks; the data must be usable. */
void k4_make_tracks(const struct k4_tracks_in *in, uint8_t track_1[K4_TRACK_1_SIZE], uint8_t track_2[K4_TRACK_2_SIZE]);

#endif
