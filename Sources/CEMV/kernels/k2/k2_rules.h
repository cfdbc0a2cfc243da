/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2: its decisions as pure functions of plain structs, separate from the dialogue with the card so that each one
 * can be compared with an independent implementation over its inputs. Names in brackets are steps of the kernel's state
 * charts ([S456.14]: procedure S456, step 14). No decision reads a store or knows a command. */
#ifndef CEMV_K2_RULES_H
#define CEMV_K2_RULES_H

#include "../../account/account.h"
#include "../../outcome/outcome.h"
#include "../../rules/rules.h"

/* The type of the cryptogram, coded as in bits 8-7 of 9F27, DF8108 and DF8114. */
enum k2_cryptogram {
    K2_AAC = CEMV_RULES_AAC,
    K2_TC = CEMV_RULES_TC,
    K2_ARQC = CEMV_RULES_ARQC,
    K2_TYPE_MASK = CEMV_RULES_TYPE,
};
enum { K2_RCP_CDA = 0x10 };

#define K2_TVR_RELAY_MASK CEMV_TVR(5, CEMV_TVR_5_RELAY_RESISTANCE)

/* Processing restrictions [PRE]. The result is a set of TVR bits. */
struct k2_restrictions_in {
    bool versions_differ; /* 9F08 is present and differs from 9F09 */
    bool not_yet_effective, expired;
    bool has_usage_control;
    uint8_t usage_control[2];   /* 9F07 */
    bool atm;                   /* terminal type 14, 15 or 16, and cash among the additional capabilities */
    bool has_country, domestic; /* 5F28 is present; it is the terminal's country */
    uint8_t type;               /* 9C */
    bool cashback_amount;       /* 9F03 is not zero */
};
uint64_t k2_restrictions(const struct k2_restrictions_in *in);

/* CVM selection [CVM]. */
struct k2_cvm_in {
    bool on_device;        /* supported by the card's AIP and the reader */
    bool card_verifies;    /* AIP byte 1 bit 5 */
    bool above_limit;      /* 9F02 > DF8126 */
    cemv_bytes list;       /* 8E, of even length; empty if absent */
    uint8_t capability;    /* 9F33 byte 2 */
    uint8_t type;          /* 9C */
    uint8_t terminal_type; /* 9F35 */
    uint64_t amount;
    bool same_currency;  /* 9F42 is present and equals 5F2A */
    bool currency_known; /* 9F42 is present */
};
struct cemv_rules_cvm k2_cvm(const struct k2_cvm_in *in);

/* Terminal action analysis [TAA]: the type of cryptogram to request. Action codes are numbers; an absent issuer code
 * differs from zero. */
struct k2_action_in {
    uint64_t tvr;
    uint64_t terminal_default, terminal_denial, terminal_online; /* DF8120, DF8121, DF8122 */
    uint64_t issuer_default, issuer_denial, issuer_online;       /* 9F0D, 9F0E, 9F0F */
    bool has_issuer_default, has_issuer_denial, has_issuer_online;
    uint8_t terminal_type; /* 9F35 */
};
uint8_t k2_action(const struct k2_action_in *in);

/* The parameter of GENERATE AC [GAC], or the reason why none can be sent. */
enum k2_ac_kind { K2_AC_PLAIN = 0, K2_AC_WRITE = 1, K2_AC_DATA_ERROR = 2, K2_AC_NO_MATCH = 3 };
struct k2_ac_in {
    bool ids_read, cda, cda_failed, on_device;
    bool storage_asked;    /* DF62 and the DSDOL are not empty */
    bool storage_answered; /* DF8108 and DF810A are not empty */
    uint8_t type;          /* of terminal action analysis */
    uint8_t storage_type;  /* DF8108 */
    uint8_t storage_use;   /* DF810A */
    bool cda_over_aac;     /* 9F5D byte 2 bit 1 */
};
struct k2_ac {
    uint8_t kind; /* enum k2_ac_kind */
    uint8_t type;
    uint8_t control; /* DF8114 */
};
struct k2_ac k2_ac(const struct k2_ac_in *in);

/* The end of a completed transaction [S910.74-75]. */
struct k2_end_in {
    uint8_t cryptogram; /* bits 8-7 of 9F27 */
    uint8_t type;       /* 9C */
    bool signature;     /* the CVM of the outcome */
    bool device;        /* 9F6E names another device than a card, or the reader has no contact slot */
};
struct k2_end {
    uint8_t status;  /* enum cemv_outcome_status */
    uint8_t message; /* enum cemv_message */
    bool hold;       /* shown for DF812D, otherwise not held */
};
struct k2_end k2_end(const struct k2_end_in *in);
/* True if 9F6E states that the device is not a card. */
bool k2_is_device(cemv_bytes third_party);
/* True if DF4B requests another tap: acknowledgement, on-device CVM or a wallet. */
bool k2_second_tap(cemv_bytes interaction);
/* Message and status of the phone message table for this DF4B. If no row matches, the last one is used. */
struct k2_phone_message {
    uint8_t message, status;
};
struct k2_phone_message k2_phone_message(cemv_bytes table, cemv_bytes interaction);
/* True if the length is a multiple of 8 and the last row matches everything. */
bool k2_phone_table_ok(cemv_bytes table);
extern const uint8_t k2_phone_table[48];

/* Track 2, 57, after relay resistance without CDA [S910.39]: relay data replace the discretionary data. Returns false,
 * and changes nothing, if the track has no account number, date and service code. */
struct k2_relay_track_in {
    uint8_t ca_index;
    uint8_t retries;
    uint8_t entropy[4];
    uint16_t measured;
};
bool k2_relay_track(cemv_bytes track, const struct k2_relay_track_in *in, uint8_t out[19], size_t *size);

/* DS ID of an account [S456.18]: PAN digits and sequence number, right-justified. Returns its size. */
size_t k2_storage_id(cemv_bytes pan, uint8_t sequence, uint8_t out[11]);

/* Mag-stripe mode (4.11): tracks and digits. */
struct k2_fill {
    cemv_bytes cvc3_positions;   /* PCVC3: 2 or 6 bytes */
    cemv_bytes number_positions; /* PUNATC: 2 or 6 bytes */
    uint8_t counter_digits;      /* NATC */
    uint16_t cvc3, counter;
    uint32_t number;       /* 9F6A as a number */
    uint8_t number_digits; /* nUN */
    uint8_t shown_digits;  /* nUN', written to position 1 */
};
/* Returns how many digits of the unpredictable number fit into a track; negative if the bitmap has too few positions
 * for the counter. */
int k2_number_digits(cemv_bytes number_positions, uint8_t counter_digits);
/* Finds the discretionary data of a track: their start, and their length in digits or characters. Returns false if the
 * track does not have the layout of one. */
bool k2_track_2_discretionary(cemv_bytes track, size_t *first_nibble, size_t *digits);
bool k2_track_1_discretionary(cemv_bytes track, size_t *first, size_t *characters);
/* Counts the positions of a bitmap that exist in discretionary data of this length. */
int k2_positions_within(cemv_bytes positions, size_t digits);
/* Fills a copy of a track. A digit whose position is beyond the discretionary data is omitted. */
void k2_fill_track_2(uint8_t *track, size_t first_nibble, size_t digits, const struct k2_fill *fill);
void k2_fill_track_1(uint8_t *track, size_t first, size_t characters, const struct k2_fill *fill);
/* 300 ms, doubled with every failure. */
uint32_t k2_back_off_ms(uint8_t failures);

#endif
