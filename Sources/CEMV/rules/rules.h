/* SPDX-License-Identifier: Apache-2.0 */
/* The module rules/: the decisions of EMV Book 3, chapter 10, as pure functions that several kernels call. They receive
 * values and return a small result; they know no store, no kernel and no command. A kernel collects the inputs from its
 * own data objects. If its book decides differently, the kernel has a separate rule and calls only the parts that are
 * common. */
#ifndef CEMV_RULES_H
#define CEMV_RULES_H

#include "../wire/wire.h"
#include "../include/cemv.h"
#include "../include/cemv_tags.h"

/* Terminal Verification Results, 95, and action codes (Annex C5): five bytes as one number, byte 1 highest. */
#define CEMV_TVR(byte, bits) ((uint64_t)(bits) << (8 * (5 - (byte))))
#define CEMV_TVR_ALL         UINT64_MAX
/* Returns the five bytes as a number, or `absent` if the value does not have five bytes. */
uint64_t cemv_rules_bits(cemv_bytes value, uint64_t absent);
void cemv_rules_bits_put(uint8_t out[5], uint64_t bits);

/* Terminal Type, 9F35 (Book 4, A1): two digits, the operator and the kind of terminal. */
bool cemv_rules_online_only(uint8_t terminal_type);
bool cemv_rules_offline_only(uint8_t terminal_type);
bool cemv_rules_unattended(uint8_t terminal_type);
/* True if the terminal type can be an ATM's and the Additional Terminal Capabilities, 9F40, include cash. */
bool cemv_rules_is_atm(uint8_t terminal_type, cemv_bytes capabilities);

/* Processing restrictions (10.4). True if the card has an application version number, 9F08, that differs from the
 * reader's, 9F09 (10.4.1). */
bool cemv_rules_versions_differ(cemv_bytes card, cemv_bytes reader);
/* Application Usage Control, 9F07 (10.4.2, Table 36): the place of the transaction, and the services that it consists
 * of, in the card's country or in another. The services are a set. */
enum cemv_rules_service {
    CEMV_SERVICE_CASH = 1,
    CEMV_SERVICE_PURCHASE = 2, /* goods or services */
    CEMV_SERVICE_CASHBACK = 4,
};
/* Returns the services of a transaction type; cash back is added to those of any type. */
unsigned cemv_rules_services(uint8_t transaction_type, bool cash_back);
bool cemv_rules_place_allowed(const uint8_t usage[2], bool atm);
bool cemv_rules_services_allowed(const uint8_t usage[2], bool domestic, unsigned services);
/* Checks a transaction as a whole: the place, and the services if the card's country is known. Manual cash and cash
 * count alike, and cash back is recognised by its amount, whatever the type. */
struct cemv_rules_usage_in {
    const uint8_t *usage;
    bool atm;
    bool has_country, domestic; /* 5F28 is present; it is the terminal's country */
    uint8_t type;               /* 9C */
    bool cashback_amount;       /* 9F03 is not zero */
};
bool cemv_rules_usage_allowed(const struct cemv_rules_usage_in *in);
/* Returns the bits of TVR byte 2 for the dates, YYMMDD (10.4.3). An unreadable date sets the bit. `effective`, 5F25,
 * may be empty, since the object is optional. */
uint8_t cemv_rules_dates(cemv_bytes today, cemv_bytes effective, cemv_bytes expiry);

/* The CVM List, 8E: amounts X and Y in eight bytes, followed by rules of two bytes (10.5). */
enum { CEMV_CVM_LIST_AMOUNTS = 8 };
struct cemv_rules_cvm_in {
    cemv_bytes list;    /* longer than the amounts, and of even length */
    uint8_t methods;    /* the reader's methods, coded as byte 2 of 9F33 */
    uint8_t kind;       /* the condition of 1, 2, 4 and 5 that the transaction meets */
    bool same_currency; /* 9F42 is present and equals 5F2A */
    bool any_condition; /* conditions are ignored, only methods count (C-5, 3.9.2.3) */
    uint64_t amount;
};
/* Returns `kind` for a transaction type, 9C, and a terminal type, 9F35, which states whether somebody attends. */
uint8_t cemv_rules_cvm_kind(uint8_t type, uint8_t terminal_type);
/* A rule of the list, byte by byte: the method, including the bit that permits the next rule, and the condition. */
struct cemv_rules_cvm_rule {
    uint8_t method, condition;
};
/* Finds the next rule whose condition holds, and advances `at`, which the caller sets to zero at first. Returns false
 * at the end of the list. A condition that is not understood, or whose data are missing, does not hold. */
bool cemv_rules_cvm_next(const struct cemv_rules_cvm_in *in, size_t *at, struct cemv_rules_cvm_rule *rule);
/* `code` is the CVM code without bit 7. Offline enciphered PIN and combined methods are never supported. */
bool cemv_rules_cvm_recognised(uint8_t code);
bool cemv_rules_cvm_supported(uint8_t code, uint8_t methods);

/* The result of cardholder verification. */
struct cemv_rules_cvm {
    uint8_t cvm;        /* enum cemv_cvm */
    bool receipt;       /* a signature needs a receipt */
    uint8_t results[3]; /* 9F34 */
    uint64_t tvr;
};
struct cemv_rules_cvm cemv_rules_cvm_of(uint8_t cvm, struct cemv_rules_cvm_rule rule, uint8_t result, uint64_t tvr);
/* No rule led to a method: CVM Results are 3F00 and this result (Book 4, A4). */
struct cemv_rules_cvm cemv_rules_cvm_none(uint8_t result, uint64_t tvr);
/* A rule whose method the reader performs: online PIN, signature, or no CVM. */
struct cemv_rules_cvm cemv_rules_cvm_performed(struct cemv_rules_cvm_rule rule, uint64_t tvr);
/* Evaluates the whole list. */
struct cemv_rules_cvm cemv_rules_cvm(const struct cemv_rules_cvm_in *in);

/* Terminal risk management (10.6). The books differ about an amount equal to the floor limit, so each
 * kernel compares it itself. */
/* Random selection (10.6.2): selects `target` percent of the transactions below the threshold, and a rising share above
 * it, up to `maximum` percent as the amount approaches the floor limit. */
struct cemv_rules_selection_in {
    uint64_t amount; /* below the floor limit */
    uint64_t floor_limit;
    uint64_t threshold;      /* at most the floor limit */
    uint8_t target, maximum; /* 0 to 99, target at most maximum */
    uint8_t number;          /* drawn: 1 to 99 */
};
bool cemv_rules_randomly_selected(const struct cemv_rules_selection_in *in);

/* Terminal action analysis (10.7): returns the type of cryptogram to request. Each code combines the terminal's and the
 * issuer's. If the issuer's is absent, the caller passes 0 for denial and CEMV_TVR_ALL for the others. */
enum cemv_rules_cryptogram {
    CEMV_RULES_AAC = 0x00,
    CEMV_RULES_TC = 0x40,
    CEMV_RULES_ARQC = 0x80,
    CEMV_RULES_TYPE = 0xC0
};
struct cemv_rules_action_in {
    uint64_t tvr;
    uint64_t denial, online, unable; /* unable to go online: the default codes */
    uint8_t terminal_type;
};
uint8_t cemv_rules_action(const struct cemv_rules_action_in *in);
/* True if the card may answer this request with this type: it may only go down, from TC to ARQC to AAC (9.3). Both are
 * coded as bits 8-7 of 9F27. */
bool cemv_rules_cryptogram_allowed(uint8_t requested, uint8_t cid);

#endif
