// SPDX-License-Identifier: Apache-2.0
/* Kernel 2: its states, and its decisions as pure functions of plain structs, apart from the dialogue with the card.
 * Names carry the step numbers of the kernel's state charts (S456.14: procedure S456, step 14). No decision reads a
 * store or knows a command. */
#ifndef CEMV_K2_H
#define CEMV_K2_H

#include "../outcome/outcome.h"

enum k2_state {
    K2_R1_WAIT_RELAY = CEMV_STATE_K2 + 1, /* EXCHANGE RELAY RESISTANCE DATA. To: itself, RANDOM, S4, S5, end */
    K2_WAIT_RANDOM = CEMV_STATE_K2 + 2,   /* ASK: random bytes. To: R1, S13, S14, end */
    K2_S910_WAIT_CARD_READ = CEMV_STATE_K2 +
                             3,           /* WORK: "card read" is shown before the signature is checked. To: S15, end */
    K2_WAIT_BACK_OFF = CEMV_STATE_K2 + 4, /* ASK: time after a failed cryptographic checksum. To: end */
    K2_S15_WAIT_PUT_DATA = CEMV_STATE_K2 + 5, /* PUT DATA after GENERATE AC. To: S15, end */
    K2_S16_WAIT_BALANCE = CEMV_STATE_K2 + 6,  /* GET DATA before GENERATE AC. To: S9, S10, S12, end */
    K2_S17_WAIT_BALANCE = CEMV_STATE_K2 + 7,  /* GET DATA after GENERATE AC. To: CARD READ, S15, end */
    K2_WAIT_ANSWERS_SENT = CEMV_STATE_K2 + 8, /* WORK: the last answers take another data exchange record. To: itself,
                                               * S9, S10, S12, S16, RANDOM, S13, S14, end */
    K2_S2_WAIT_PDOL_DATA = CEMV_STATE_K2 + 0x12, /* ASK: terminal data for the PDOL. To: itself, S3, end */
    K2_S3_WAIT_GPO = CEMV_STATE_K2 + 0x13,       /* GET PROCESSING OPTIONS. To: RANDOM, R1, S4, S5, S7, end */
    K2_S4_WAIT_RECORD = CEMV_STATE_K2 + 0x14,    /* READ RECORD, EMV mode. To: S4, S5, S6, S9, S10, S12, S16, end */
    K2_S5_WAIT_GET_DATA = CEMV_STATE_K2 + 0x15,  /* GET DATA. To: as S4 */
    K2_S6_WAIT_FIRST_WRITE = CEMV_STATE_K2 +
                             0x16,            /* ASK: Proceed To First Write Flag. To: S5, S6, S9, S10, S12, S16, end */
    K2_S7_WAIT_RECORD = CEMV_STATE_K2 + 0x17, /* READ RECORD, mag-stripe mode. To: S7, S8, RANDOM, S13, S14, end */
    K2_S8_WAIT_FIRST_WRITE = CEMV_STATE_K2 + 0x18, /* ASK: as S6, mag-stripe mode. To: S8, RANDOM, S13, S14, end */
    K2_S9_WAIT_AC = CEMV_STATE_K2 + 0x19,          /* GENERATE AC, no torn record. To: S17, CARD READ, S15, end */
    K2_S10_WAIT_RECOVERY = CEMV_STATE_K2 + 0x1A,   /* RECOVER AC. To: S11, S17, CARD READ, S15, end */
    K2_S11_WAIT_AC = CEMV_STATE_K2 + 0x1B,         /* GENERATE AC after an unsuccessful recovery. To: as S9 */
    K2_S12_WAIT_PUT_DATA = CEMV_STATE_K2 + 0x1C,   /* PUT DATA before GENERATE AC. To: S12, S9, S10, end */
    K2_S13_WAIT_CHECKSUM = CEMV_STATE_K2 +
                           0x1D, /* COMPUTE CRYPTOGRAPHIC CHECKSUM, no on-device CVM. To: BACK-OFF, end */
    K2_S14_WAIT_CHECKSUM = CEMV_STATE_K2 + 0x1E, /* the same, on-device CVM. To: BACK-OFF, end */
};

enum {
    K2_PURCHASE = 0x00,
    K2_CASH = 0x01,
    K2_CASHBACK = 0x09,
    K2_CASH_DISBURSEMENT = 0x17, /* tag 9C */
};

/* The cryptogram's type as bits 8-7 of 9F27, DF8108 and DF8114 code it. */
enum k2_cryptogram { K2_AAC = 0x00, K2_TC = 0x40, K2_ARQC = 0x80, K2_TYPE_MASK = 0xC0 };
enum { K2_RCP_CDA = 0x10 };
/* A card may only go down: TC, ARQC, AAC (S9.23; SECURITY.md, A10). */
bool k2_cryptogram_allowed(uint8_t requested, uint8_t cid);

/* Terminal Verification Results as one number, byte 1 highest. */
#define K2_TVR(byte, bits) ((uint64_t)(bits) << (8 * (5 - (byte))))
#define K2_TVR_RELAY_MASK  K2_TVR(5, 0x03)

/* Processing restrictions [PRE]. Dates are days; the result is a set of TVR bits. */
struct k2_restrictions_in {
    bool versions_differ; /* 9F08 is there and not 9F09 */
    bool not_yet_effective, expired;
    bool has_usage_control;
    uint8_t usage_control[2];   /* 9F07 */
    bool atm;                   /* terminal type 14, 15 or 16, and cash among the additional capabilities */
    bool has_country, domestic; /* 5F28 is there; it is ours */
    uint8_t type;               /* 9C */
    bool cashback_amount;       /* 9F03 is not zero */
};
uint64_t k2_restrictions(const struct k2_restrictions_in *in);

/* CVM selection [CVM]. */
struct k2_cvm_in {
    bool on_device;        /* the card's AIP and the reader both */
    bool card_verifies;    /* AIP byte 1 bit 5 */
    bool above_limit;      /* 9F02 > DF8126 */
    cemv_bytes list;       /* 8E, an even length; empty where absent */
    uint8_t capability;    /* 9F33 byte 2 */
    uint8_t type;          /* 9C */
    uint8_t terminal_type; /* 9F35 */
    uint64_t amount;
    bool same_currency;  /* 9F42 is there and equals 5F2A */
    bool currency_known; /* 9F42 is there */
};
struct k2_cvm {
    uint8_t cvm;        /* enum cemv_cvm */
    bool receipt;       /* a signature wants paper */
    uint8_t results[3]; /* 9F34 */
    uint64_t tvr;
};
struct k2_cvm k2_cvm(const struct k2_cvm_in *in);

/* Terminal action analysis [TAA]: the type of cryptogram to ask for. Action codes as numbers; absent issuer codes are
 * told apart. */
struct k2_action_in {
    uint64_t tvr;
    uint64_t terminal_default, terminal_denial, terminal_online; /* DF8120, DF8121, DF8122 */
    uint64_t issuer_default, issuer_denial, issuer_online;       /* 9F0D, 9F0E, 9F0F */
    bool has_issuer_default, has_issuer_denial, has_issuer_online;
    uint8_t terminal_type; /* 9F35 */
};
uint8_t k2_action(const struct k2_action_in *in);

/* What GENERATE AC asks for [GAC]. */
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

/* Relay resistance [SR1.18-32]. Times in 100 microseconds, `elapsed_us` in microseconds. */
enum k2_relay_verdict { K2_RELAY_PASSED = 0, K2_RELAY_TOO_FAST = 1, K2_RELAY_AGAIN = 2 };
struct k2_relay_in {
    uint32_t elapsed_us;
    uint8_t retries;                                      /* DF8307: 0 to 2 */
    uint16_t card_min, card_max, card_transmission;       /* DF8303, DF8304, DF8305 */
    uint16_t min_grace, max_grace;                        /* DF8132, DF8133 */
    uint16_t command_transmission, response_transmission; /* DF8134, DF8135 */
    uint16_t accuracy;                                    /* DF8136 */
    uint8_t mismatch;                                     /* DF8137, percent */
};
struct k2_relay {
    uint8_t verdict;   /* enum k2_relay_verdict */
    uint16_t measured; /* DF8306 */
    uint64_t tvr;      /* where PASSED */
};
struct k2_relay k2_relay(const struct k2_relay_in *in);

/* The end of a completed transaction [S910.74-75]. */
struct k2_end_in {
    uint8_t cryptogram; /* bits 8-7 of 9F27 */
    uint8_t type;       /* 9C */
    bool signature;     /* the CVM of the outcome */
    bool device;        /* the card says it is no card (9F6E), or the reader has no contact slot */
};
struct k2_end {
    uint8_t status;  /* enum cemv_outcome_status */
    uint8_t message; /* enum cemv_message */
    bool hold;       /* DF812D, else none */
};
struct k2_end k2_end(const struct k2_end_in *in);
/* 9F6E says that the device is not a card. */
bool k2_is_device(cemv_bytes third_party);
/* DF4B asks for another presentment: acknowledgement, on-device CVM or a wallet. */
bool k2_second_tap(cemv_bytes interaction);
/* Message and status of the phone message table; the last row of a table is taken for a match. */
struct k2_phone_message {
    uint8_t message, status;
};
struct k2_phone_message k2_phone_message(cemv_bytes table, cemv_bytes interaction);
/* Multiple of 8, and the last row matches everything. */
bool k2_phone_table_ok(cemv_bytes table);
extern const uint8_t k2_phone_table[48];

/* 57 of a transaction with relay resistance and without CDA [S910.39]: relay data in the discretionary data. False,
 * nothing done, if it holds no account number, date and service code. */
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
#define K2_TRACK_1_MAX 76
#define K2_TRACK_2_MAX 19
struct k2_fill {
    cemv_bytes cvc3_positions;   /* PCVC3: 2 or 6 bytes */
    cemv_bytes number_positions; /* PUNATC: 2 or 6 bytes */
    uint8_t counter_digits;      /* NATC */
    uint16_t cvc3, counter;
    uint32_t number;       /* 9F6A as a number */
    uint8_t number_digits; /* nUN */
    uint8_t shown_digits;  /* nUN', what position 1 says */
};
/* How many digits of the unpredictable number a track takes; negative if the counter takes more positions than there
 * are. */
int k2_number_digits(cemv_bytes number_positions, uint8_t counter_digits);
/* The discretionary data of a track: where it begins and how many digits or characters it has. False if the track is
 * not laid out as such. */
bool k2_track_2_discretionary(cemv_bytes track, size_t *first_nibble, size_t *digits);
bool k2_track_1_discretionary(cemv_bytes track, size_t *first, size_t *characters);
/* Every position a bitmap names lies in the discretionary data. */
bool k2_positions_fit(cemv_bytes positions, size_t digits);
/* Fills a copy of a track. The checks above have been made. */
void k2_fill_track_2(uint8_t *track, size_t first_nibble, size_t digits, const struct k2_fill *fill);
void k2_fill_track_1(uint8_t *track, size_t first, size_t characters, const struct k2_fill *fill);
/* A number below 10^digits from four random bytes; false: draw again (rejection, no modulo bias). */
bool k2_numeric(const uint8_t random[4], uint8_t digits, uint32_t *number);
/* 300 ms, doubled with every failure. */
uint32_t k2_back_off_ms(uint8_t failures);

/* The torn transaction log, in the reader's own memory. A record is the list of data objects that a recovery puts back.
 */
struct k2_torn_now {
    uint8_t date[3], time[3];
};
/* Seconds from a record to now; UINT32_MAX if either cannot be read or the record is from later. */
uint32_t k2_torn_age(cemv_bytes record, const struct k2_torn_now *now);
bool k2_torn_find(cemv_bytes record, uint32_t tag, cemv_bytes *value);
/* The newest record of this account; the number of records if there is none. */
uint8_t k2_torn_lookup(const struct cemv_reader_memory *reader, cemv_bytes pan, cemv_bytes sequence);
void k2_torn_remove(struct cemv_reader_memory *reader, uint8_t index);
/* As many records as the log may hold: DF811D, within the memory. */
uint8_t k2_torn_capacity(const struct cemv_reader_memory *reader, uint8_t configured);

#endif
