/* SPDX-License-Identifier: Apache-2.0 */
/* The module rules/: what EMV Book 3, chapter 10, decides in the terminal, as pure functions that several kernels call.
 * Values in, a small result out: no store, no kernel, no command. Where a kernel's book decides otherwise, the kernel
 * has a rule of its own and takes from here what is the same; which data are the inputs is always the kernel's. */
#ifndef CEMV_RULES_H
#define CEMV_RULES_H

#include "../wire/wire.h"
#include "../include/cemv.h"
#include "../include/cemv_tags.h"

/* Bits of five bytes as one number, byte 1 highest: Terminal Verification Results, 95, and action codes (Annex C5). */
#define CEMV_TVR(byte, bits) ((uint64_t)(bits) << (8 * (5 - (byte))))
#define CEMV_TVR_ALL         UINT64_MAX
/* `absent` where there are no five bytes. */
uint64_t cemv_rules_bits(cemv_bytes value, uint64_t absent);
void cemv_rules_bits_put(uint8_t out[5], uint64_t bits);

/* Terminal Type, 9F35 (Book 4, A1). */
bool cemv_rules_online_only(uint8_t terminal_type);
bool cemv_rules_offline_only(uint8_t terminal_type);
bool cemv_rules_unattended(uint8_t terminal_type);
/* A type that an ATM has, and cash among the Additional Terminal Capabilities, 9F40. */
bool cemv_rules_is_atm(uint8_t terminal_type, cemv_bytes capabilities);

/* Processing restrictions (10.4). Versions: the card has one, 9F08, and it is not the reader's, 9F09 (10.4.1). */
bool cemv_rules_versions_differ(cemv_bytes card, cemv_bytes reader);
/* Application Usage Control, 9F07 (10.4.2, Table 36): the place, and what is asked for in the country of the card or in
 * another, a set of services. */
enum cemv_rules_service {
    CEMV_SERVICE_CASH = 1,
    CEMV_SERVICE_PURCHASE = 2, /* goods or services */
    CEMV_SERVICE_CASHBACK = 4,
};
/* What a purchase, cash and a purchase with cash ask for; of another type there is nothing but the cash. */
unsigned cemv_rules_services(uint8_t transaction_type, bool cash_back);
bool cemv_rules_place_allowed(const uint8_t usage[2], bool atm);
bool cemv_rules_services_allowed(const uint8_t usage[2], bool domestic, unsigned services);
/* The same for a transaction as a whole: its place, and its type in the country of the card, where that one is known.
 * Cash is manual or not, cash-back is an amount of its own, beside any type. */
struct cemv_rules_usage_in {
    const uint8_t *usage;
    bool atm;
    bool has_country, domestic; /* 5F28 is there; it is ours */
    uint8_t type;               /* 9C */
    bool cashback_amount;       /* 9F03 is not zero */
};
bool cemv_rules_usage_allowed(const struct cemv_rules_usage_in *in);
/* Dates, YYMMDD (10.4.3): the bits of TVR byte 2 that they set. Where one cannot be read, nothing is in time. The first
 * day, 5F25, may be absent: empty bytes. */
uint8_t cemv_rules_dates(cemv_bytes today, cemv_bytes effective, cemv_bytes expiry);

/* The CVM List, 8E: amounts X and Y, and rules of two bytes behind them (10.5). */
enum { CEMV_CVM_LIST_AMOUNTS = 8 };
struct cemv_rules_cvm_in {
    cemv_bytes list;    /* longer than the amounts, an even length */
    uint8_t methods;    /* that the reader performs, as byte 2 of 9F33 codes them */
    uint8_t kind;       /* the transaction: that one of conditions 1, 2, 4 and 5 which it meets */
    bool same_currency; /* 9F42 is there and equals 5F2A */
    bool any_condition; /* conditions are not read, methods alone count (C-5, 3.9.2.3) */
    uint64_t amount;
};
/* That condition, by the type, 9C, and whether somebody attends, 9F35. */
uint8_t cemv_rules_cvm_kind(uint8_t type, uint8_t terminal_type);
/* A rule of the list as it stands there: method, with the bit for the next rule, and condition. */
struct cemv_rules_cvm_rule {
    uint8_t method, condition;
};
/* The next rule whose condition holds; `at` is zero at first and stands behind that rule then. False at the end. A
 * condition that is not understood, or whose data are missing, does not hold. */
bool cemv_rules_cvm_next(const struct cemv_rules_cvm_in *in, size_t *at, struct cemv_rules_cvm_rule *rule);
/* Of the method without its bit 7. Combinations and enciphered PIN offline are no reader's of these. */
bool cemv_rules_cvm_recognised(uint8_t code);
bool cemv_rules_cvm_supported(uint8_t code, uint8_t methods);

/* What cardholder verification gives. */
struct cemv_rules_cvm {
    uint8_t cvm;        /* enum cemv_cvm */
    bool receipt;       /* a signature wants paper */
    uint8_t results[3]; /* 9F34 */
    uint64_t tvr;
};
struct cemv_rules_cvm cemv_rules_cvm_of(uint8_t cvm, struct cemv_rules_cvm_rule rule, uint8_t result, uint64_t tvr);
/* No rule has led to a method: 3F00 with this result (Book 4, A4). */
struct cemv_rules_cvm cemv_rules_cvm_none(uint8_t result, uint64_t tvr);
/* A rule whose method the reader performs: PIN online, signature, or nothing to be done. */
struct cemv_rules_cvm cemv_rules_cvm_performed(struct cemv_rules_cvm_rule rule, uint64_t tvr);
/* The whole list, rule by rule. */
struct cemv_rules_cvm cemv_rules_cvm(const struct cemv_rules_cvm_in *in);

/* Terminal risk management (10.6). Whether an amount reaches the floor limit or must exceed it is each book's own. */
/* Random selection (10.6.2): in one percent of `target` transactions below the threshold, in more of them up to
 * `maximum` as the amount nears the floor limit. */
struct cemv_rules_selection_in {
    uint64_t amount; /* below the floor limit */
    uint64_t floor_limit;
    uint64_t threshold;      /* at most the floor limit */
    uint8_t target, maximum; /* 0 to 99, target at most maximum */
    uint8_t number;          /* drawn: 1 to 99 */
};
bool cemv_rules_randomly_selected(const struct cemv_rules_selection_in *in);

/* Terminal action analysis (10.7): the type of cryptogram to ask for. Each code is the terminal's and the issuer's in
 * one; without the issuer's that is none for denial and CEMV_TVR_ALL for the others. */
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
/* A card may only go down from what it was asked for: TC, ARQC, AAC (9.3). Both as bits 8-7 of 9F27 code it. */
bool cemv_rules_cryptogram_allowed(uint8_t requested, uint8_t cid);

#endif
