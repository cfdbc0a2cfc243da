/* SPDX-License-Identifier: Apache-2.0 */
/* The decisions of Book C-8 v1.0 as pure functions of plain structs and bytes. They are kept apart from the dialogue
 * with the card, so that each can be compared over all its inputs with an independent implementation. No decision reads
 * a store or knows a command. */
#ifndef CEMV_K8_H
#define CEMV_K8_H

#include "../../outcome/outcome.h"
#include "../../rules/rules.h"

/* Data objects (4.1, annex A) -------------------------------------------------------------------------------------- */

/* The dictionary's entry for an object that a card sends (4.1.3, Table of annex A). */
enum k8_object { K8_NOT_KNOWN = 0, K8_NOT_THE_CARDS = 1, K8_THE_CARDS = 2 };
uint8_t k8_object_of(const struct cemv_tags *tags, uint32_t tag, uint16_t *slot);
/* True if the object may have this length. `slot` is an object of the card. */
bool k8_length_is_allowed(const struct cemv_tags *tags, uint16_t slot, size_t size);

/* Checks the format of a string from the card (4.1.3, 4.7.1): one data object with zeros around it. All of it is
 * checked before anything is stored; a tag of four bytes or more is reported only if the rest can be parsed. */
enum k8_parse { K8_PARSE_OK = 0, K8_PARSE_ERROR = 1, K8_PARSE_LONG_TAG = 2 };
enum { K8_STRING_MAX = 256 };
uint8_t k8_parse(cemv_bytes string);

/* A walk over data objects and into constructed ones; FF begins a tag here, and zeros between objects are skipped
 * (4.1.3). The bytes have passed k8_parse(), or `error` is set if they cannot be parsed. */
struct k8_walk {
    const uint8_t *at, *end;
    bool error;
    bool flat; /* siblings only */
};
struct k8_walk k8_walk_open(cemv_bytes bytes, bool flat);
bool k8_walk_next(struct k8_walk *walk, struct cemv_tlv *object);

/* False if an entry of the locator is invalid: SFI 0 or 31, record 0, last below first, more signed records than
 * records (4.7.2). */
bool k8_locator_is_sound(cemv_bytes locator);
/* Writes the Active AFL, the entries with an SFI up to 10, and returns its size (20.23). */
size_t k8_active_locator(cemv_bytes locator, uint8_t out[248]);

/* Relay resistance (state 21) -------------------------------------------------------------------------------------- */

/* Times in units of 100 microseconds, as in cemv_relay_evaluate(). */
uint16_t k8_relay_excess(uint16_t measured, uint16_t card_max);

/* The request (6.4.2) and the allowed responses (29.20) ------------------------------------------------------------ */

enum k8_decision { K8_DECLINE = 0, K8_ACCEPT = 1, K8_ONLINE = 2 };
struct k8_action_in {
    uint64_t tvr, denial, online;
    uint8_t terminal_type;
    bool card_offline; /* AIP byte 2 bit 4 */
};
uint8_t k8_action_analysis(const struct k8_action_in *in);
/* P1 of GENERATE AC. */
uint8_t k8_reference_control(uint8_t decision);
/* True if the type of the cryptogram, bits 8-7 of the CID, is allowed after the decision. */
enum { K8_AAC = 0x00, K8_TC = 0x40, K8_ARQC = 0x80, K8_TYPE = 0xC0 };
bool k8_cid_is_valid(uint8_t cid, uint8_t decision);
/* True if the IAD-MAC fits into the Issuer Application Data (28.4). */
bool k8_offset_is_valid(uint8_t offset, size_t size);
/* The TVR with the card's bits where the mask allows them (29.23). */
uint64_t k8_card_tvr(uint64_t tvr, uint64_t card, uint64_t mask);

/* Cardholder verification (29.25 to 29.42): the card's decision, if the terminal supports the method. */
struct k8_cvm {
    uint8_t cvm;   /* enum cemv_cvm */
    uint8_t tvr_3; /* bits to set in byte 3 */
    uint8_t results[3];
};
struct k8_cvm k8_cardholder_verification(uint8_t decision, uint8_t risk_management);

/* The reason why the resulting method is not trusted above the CVM limit outside profile `book`: a finding, or no
 * method at all (attacks.md, A36, A37). `checked`: somebody checks the IAD-MAC; `authentic`: local authentication
 * succeeded; `listed`: the card decided by a list that the IAD-MAC covers. */
enum { K8_NO_DOUBT = CEMV_FINDING_COUNT, K8_NO_METHOD };
uint8_t k8_doubt(uint8_t cvm, bool checked, bool authentic, bool listed);

/* The end (2930) --------------------------------------------------------------------------------------------------- */

enum k8_end {
    K8_END_APPROVED = 0,
    K8_END_ONLINE = 1,
    K8_END_DECLINED = 2,
    K8_END_OTHER_INTERFACE = 3,
    K8_END_APPLICATION = 4,
    K8_END_RESTART = 5,
};
struct k8_end_in {
    uint8_t cid, decision, type, cvm;
    cemv_bytes restart;  /* 9F8108, or empty */
    cemv_bytes messages; /* 9F821D */
};
struct k8_ending {
    uint8_t end, message;
    uint8_t interface; /* enum cemv_interface */
    bool hold;         /* the message has a hold time */
};
struct k8_ending k8_end(const struct k8_end_in *in);

/* Certificates (C.25, C.36; annexes B.1, B.2) ---------------------------------------------------------------------- */

enum { K8_ISSUER_CERTIFICATE = 117, K8_CARD_CERTIFICATE = 145, K8_DATE_TIME = 6 };
/* Date and time of the transaction in UTC, YYYYMMDDHHMM. */
void k8_utc(uint8_t out[K8_DATE_TIME], const uint8_t date[3], const uint8_t time[3], int offset_minutes);
/* True if the identifier's digits, at least three and padded with F, are the leftmost digits of the PAN. */
bool k8_identifier_matches(cemv_bytes identifier, cemv_bytes pan);

struct k8_issuer_in {
    cemv_bytes certificate, pan;
    const uint8_t *ca; /* x and y of the key */
    const uint8_t *rid;
    uint8_t index;
    const uint8_t *now; /* as from k8_utc() */
    const struct cemv_revocation *revoked;
    size_t revoked_count;
    const struct cemv_issuer_keys *keys; /* of earlier taps, which spare the signature's check; NULL: none */
};
/* Recovers the issuer's key. Returns the failing step of C.25, or 0. */
uint8_t k8_issuer_key(const struct cemv_crypto *crypto, const struct k8_issuer_in *in, uint8_t key[2 * CEMV_P256_SIZE]);
/* Recovers x of the card's key. Returns the failing step of C.36, or 0. `hash` is that of the static data. */
uint8_t k8_card_key(const struct cemv_crypto *crypto, cemv_bytes certificate, const uint8_t issuer[2 * CEMV_P256_SIZE],
                    const uint8_t hash[CEMV_SHA256_SIZE], const uint8_t *now, uint8_t key[CEMV_P256_SIZE]);

#endif
