/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of a card's cryptogram and the data sent with it, and the data set that goes to the issuer. Knows no
 * session and decides nothing about a transaction. Sources of each format: Conformance/cryptogram-data.md. */
/* A leaf: it reads bytes that a session, a trace or a host already has. Zero allocation, zero copy: every cemv_bytes
 * and every cemv_digits lies inside the bytes given, which must outlive it. Every function is total: any bytes in, a
 * defined answer out; bytes that are not understood stay raw, with a reason. Bits count as the books count them: byte
 * 1 is the first, bit 8 the highest. */
#ifndef CEMV_CRYPTOGRAM_H
#define CEMV_CRYPTOGRAM_H

#include "cemv_tlv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- schemes ---- */

enum cemv_scheme {
    CEMV_SCHEME_UNKNOWN = 0,
    CEMV_SCHEME_VISA = 1,
    CEMV_SCHEME_MASTERCARD = 2,
    CEMV_SCHEME_AMEX = 3,
    CEMV_SCHEME_JCB = 4,
    CEMV_SCHEME_DISCOVER = 5,
    CEMV_SCHEME_UNIONPAY = 6,
};
#define CEMV_SCHEME_COUNT 7

/* By the registered provider, the first five bytes of an AID or DF name. */
enum cemv_scheme cemv_scheme_of_aid(cemv_bytes aid);
/* By the kernel identifier of an outcome (Book B, Table 3-6): kernels 2 to 7; UNKNOWN for all others. */
enum cemv_scheme cemv_scheme_of_kernel(cemv_bytes kernel_id);

/* ---- fields of bits ---- */

/* A bit or a group of bits with one meaning. A layout names every bit of its bytes exactly once, reserved ones as
 * RESERVED. */
struct cemv_field {
    uint8_t byte;    /* from 1 */
    uint8_t mask;    /* within the byte; its bits are neighbours */
    uint8_t meaning; /* enum cemv_meaning */
    uint8_t value;   /* of these bits, shifted down */
};

enum cemv_layout {
    CEMV_LAYOUT_NONE = 0,            /* no field is known */
    CEMV_LAYOUT_CVR_VISA = 1,        /* formats 0, 1, 3: 4 bytes, the first is their length */
    CEMV_LAYOUT_CVR_VISA_MOBILE = 2, /* formats 2, 4: 5 bytes */
    CEMV_LAYOUT_CVR_MCHIP = 3,       /* 6 bytes */
    CEMV_LAYOUT_CVR_CCD = 4,         /* 5 bytes */
    CEMV_LAYOUT_CVR_DISCOVER = 5,    /* contactless, Book C-6 D.4: 8 bytes */
    /* Discover contact: 6 bytes, of which only the types of cryptogram are public, in byte 1 */
    CEMV_LAYOUT_CVR_TYPES_FIRST = 6,
    /* JCB: 5 bytes, a length and then the types of cryptogram; the rest is not public */
    CEMV_LAYOUT_CVR_TYPES_SECOND = 7,
    CEMV_LAYOUT_FORM_FACTOR_VISA = 8, /* 9F6E: 4 bytes */
    CEMV_LAYOUT_DEVICE_JCB = 9,       /* 9F6E: 4 bytes, Book C-5 A.5 */
};
#define CEMV_LAYOUT_COUNT 10

enum cemv_meaning {
    CEMV_MEANS_RESERVED = 0, /* reserved, proprietary or not public */
    CEMV_MEANS_LENGTH = 1,   /* of the bytes that follow */

    /* Types of cryptogram: enum cemv_ac_type */
    CEMV_MEANS_SECOND_AC = 2, /* 2: a second GENERATE AC was not requested */
    CEMV_MEANS_FIRST_AC = 3,  /* of GET PROCESSING OPTIONS or the first GENERATE AC */

    /* Authentication */
    CEMV_MEANS_ISSUER_AUTHENTICATED = 4,            /* performed */
    CEMV_MEANS_ISSUER_NOT_AUTHENTICATED = 5,        /* not performed */
    CEMV_MEANS_ISSUER_FAILED = 6,                   /* performed, and failed */
    CEMV_MEANS_ISSUER_FAILED_BEFORE = 7,            /* failed in the last online transaction, or an earlier one */
    CEMV_MEANS_ISSUER_NOT_AUTHENTICATED_BEFORE = 8, /* not performed after an earlier online authorisation */
    CEMV_MEANS_DDA_DONE = 9,
    CEMV_MEANS_CDA_DONE = 10,        /* in the first or only GENERATE AC */
    CEMV_MEANS_SECOND_CDA_DONE = 11, /* in the second GENERATE AC */
    CEMV_MEANS_SDA_FAILED_BEFORE = 12,
    CEMV_MEANS_DDA_FAILED_BEFORE = 13,
    CEMV_MEANS_ODA_FAILED_BEFORE = 14,
    CEMV_MEANS_CDA_FAILED_BEFORE = 15,

    /* The cardholder */
    CEMV_MEANS_OFFLINE_PIN_DONE = 16,
    CEMV_MEANS_OFFLINE_PIN_ENCIPHERED = 17,
    CEMV_MEANS_OFFLINE_PIN_GOOD = 18,
    CEMV_MEANS_OFFLINE_PIN_BAD = 19,
    CEMV_MEANS_OFFLINE_PIN_NOT_DONE = 20,
    CEMV_MEANS_OFFLINE_PIN_CHANGED = 21,
    CEMV_MEANS_PIN_TRIES_USED_UP = 22,
    CEMV_MEANS_PIN_TRY_COUNTER = 23,      /* its low nibble */
    CEMV_MEANS_PIN_COMMAND_MISSING = 24,  /* by a card that expects one */
    CEMV_MEANS_PIN_BELIEVED_WRONGLY = 25, /* the terminal believes an offline PIN that the card does not */
    CEMV_MEANS_BLOCKED_BY_PIN_TRIES = 26,
    CEMV_MEANS_CDCVM_DONE = 27,
    CEMV_MEANS_CVM_ENTITY = 28, /* who verified: 0 none, 1 payment application, 2 MG, 3 another secure element
                                 * application, 4 TEE, 5 mobile application, 6 terminal, 7 cloud, 8 operating system */
    CEMV_MEANS_CVM_TYPE = 29,   /* how: 0 not, 1 passcode, 2 finger, 3 pattern, 4 face, 5 iris, 6 voice, 7 palm,
                                 * 13 signature, 14 online PIN */
    CEMV_MEANS_ONLINE_PIN_REQUIRED = 30,
    CEMV_MEANS_SIGNATURE_REQUIRED = 31,
    CEMV_MEANS_CVM_REQUIRED = 32,
    CEMV_MEANS_CONFIRMATION_CODE_DONE = 33,
    CEMV_MEANS_CONFIRMATION_CODE_BAD = 34,

    /* Limits and counters */
    CEMV_MEANS_VELOCITY_EXCEEDED = 35,
    CEMV_MEANS_LOWER_COUNT_1 = 36, /* lower limit of consecutive offline transactions exceeded */
    CEMV_MEANS_UPPER_COUNT_1 = 37,
    CEMV_MEANS_LOWER_AMOUNT_1 = 38, /* lower limit of the cumulative offline amount exceeded */
    CEMV_MEANS_UPPER_AMOUNT_1 = 39,
    CEMV_MEANS_LOWER_COUNT_2 = 40,
    CEMV_MEANS_UPPER_COUNT_2 = 41,
    CEMV_MEANS_LOWER_AMOUNT_2 = 42,
    CEMV_MEANS_UPPER_AMOUNT_2 = 43,
    CEMV_MEANS_SINGLE_AMOUNT = 44, /* one transaction's limit exceeded */
    CEMV_MEANS_DAYS_OFFLINE = 45,
    CEMV_MEANS_CONTACTLESS_COUNT = 46,
    CEMV_MEANS_CONTACTLESS_AMOUNT = 47,
    CEMV_MEANS_CONTACTLESS_SINGLE_AMOUNT = 48,
    CEMV_MEANS_CVM_COUNT_1 = 49, /* limits without a cardholder verification */
    CEMV_MEANS_CVM_COUNT_2 = 50,
    CEMV_MEANS_CVM_AMOUNT_1 = 51,
    CEMV_MEANS_CVM_AMOUNT_2 = 52,
    CEMV_MEANS_CVM_SINGLE_AMOUNT_1 = 53,
    CEMV_MEANS_CVM_SINGLE_AMOUNT_2 = 54,

    /* Earlier transactions, and facts about this sale */
    CEMV_MEANS_NEW_CARD = 55,
    CEMV_MEANS_LAST_ONLINE_INCOMPLETE = 56,
    CEMV_MEANS_LAST_CONTACTLESS_INCOMPLETE = 57,
    CEMV_MEANS_GO_ONLINE_WAS_SET = 58,
    CEMV_MEANS_UNABLE_TO_GO_ONLINE = 59,
    CEMV_MEANS_SCRIPT_COUNTER = 60, /* script commands processed */
    CEMV_MEANS_SCRIPT_RECEIVED = 61,
    CEMV_MEANS_SCRIPT_FAILED = 62,
    CEMV_MEANS_DATE_CHECK_FAILED = 63,
    CEMV_MEANS_DEFAULT_ACTION_SKIPPED = 64, /* on a CAT 3 terminal */
    CEMV_MEANS_DOMESTIC = 65,
    CEMV_MEANS_INTERNATIONAL = 66,
    CEMV_MEANS_CHECK_TABLE_MATCH = 67,
    CEMV_MEANS_CHECK_TABLE_NO_MATCH = 68,
    CEMV_MEANS_ONLINE_CRYPTOGRAM_REQUIRED = 69,
    CEMV_MEANS_TYPE_NEEDS_ONLINE_PIN = 70, /* the type of transaction is done online, with online PIN */
    CEMV_MEANS_TYPE_NEEDS_NO_CVM = 71,     /* the type of transaction is done offline, without verification */
    CEMV_MEANS_PDOL_CHECK_INVALID = 72,
    CEMV_MEANS_PDOL_FORCED_ONLINE = 73,
    CEMV_MEANS_PDOL_FORCED_DECLINE = 74,
    CEMV_MEANS_PDOL_CHECK_ID = 75,
    CEMV_MEANS_PROFILE_ID = 76,
    CEMV_MEANS_ISSUER_BITS = 77, /* at the issuer's discretion */

    /* The reader, as the card received it */
    CEMV_MEANS_READER_CONTACT_CHIP = 78,
    CEMV_MEANS_READER_OFFLINE_ONLY = 79,
    CEMV_MEANS_READER_ONLINE_PIN = 80,
    CEMV_MEANS_READER_SIGNATURE = 81,
    CEMV_MEANS_READER_ISSUER_UPDATE = 82,

    /* The device */
    CEMV_MEANS_NOT_IN_DEBUG_MODE = 83,
    CEMV_MEANS_NOT_ROOTED = 84,
    CEMV_MEANS_NOT_HOOKED = 85,
    CEMV_MEANS_INTEGRITY_INTACT = 86,
    CEMV_MEANS_HAS_CONNECTIVITY = 87,
    CEMV_MEANS_GENUINE_DEVICE = 88,
    CEMV_MEANS_SCRIPTS_USE_SESSION_KEYS = 89,
    CEMV_MEANS_INDICATOR_VERSION = 90,
    CEMV_MEANS_DEVICE_TYPE =
        91, /* Visa: 0 card, 1 mini card, 2 not a card, 3 phone, 4 wrist-worn.
             * JCB: 0 card, 1 phone, 2 fob, 3 watch, 4 tag, 5 wristband, 6 sleeve, 7 glasses, 8 tablet */
    CEMV_MEANS_PASSCODE_CAPABLE = 92,
    CEMV_MEANS_SIGNATURE_PANEL = 93,
    CEMV_MEANS_HOLOGRAM = 94,
    CEMV_MEANS_CVV2_PRINTED = 95,
    CEMV_MEANS_TWO_WAY_MESSAGING = 96,
    CEMV_MEANS_CLOUD_CREDENTIALS = 97,
    CEMV_MEANS_BIOMETRIC_CAPABLE = 98,
    CEMV_MEANS_TECHNOLOGY = 99,      /* Visa: 0 contactless, ISO/IEC 14443 */
    CEMV_MEANS_SECURE_ELEMENT = 100, /* JCB: 1 chip, 2 SIM, 3 embedded SIM, 4 microSD, 5 tag, 6 cloud */
};
#define CEMV_MEANING_COUNT 101

/* How many bytes a layout describes; 0 for NONE and numbers that are no layout. */
size_t cemv_layout_size(uint8_t layout);

/* The fields of a layout in order. Fields beyond the end of `bytes` are not given. */
struct cemv_field_cursor {
    cemv_bytes bytes;
    uint8_t layout; /* enum cemv_layout */
    uint8_t at;
};
struct cemv_field_cursor cemv_field_open(uint8_t layout, cemv_bytes bytes);
bool cemv_field_next(struct cemv_field_cursor *cursor, struct cemv_field *field);
/* The value of the first field with this meaning; false if the layout lacks it or the bytes end before it. */
bool cemv_field_find(uint8_t layout, cemv_bytes bytes, uint8_t meaning, uint8_t *value);

/* ---- issuer application data, 9F10 ---- */

/* Types of application cryptogram as bits code them everywhere. */
enum cemv_ac_type { CEMV_AC_AAC = 0, CEMV_AC_TC = 1, CEMV_AC_ARQC = 2, CEMV_AC_RESERVED = 3 };

enum cemv_iad_format {
    CEMV_IAD_UNKNOWN = 0, /* `reason` says why; only `whole` is set */
    CEMV_IAD_VISA_0 = 1,  /* 06 key version CVR(4) [size discretionary]; the version's high nibble is the format */
    CEMV_IAD_VISA_1 = 2,
    CEMV_IAD_VISA_3 = 3,
    /* 1F version key CVR(5) discretionary(24, the first byte of which is their kind): 32 bytes */
    CEMV_IAD_VISA_2 = 4,
    CEMV_IAD_VISA_4 = 5,
    CEMV_IAD_MCHIP_4 = 6,       /* key version CVR(6) DAC(2) counters(8): 18 bytes; M/Chip Advance may look like this */
    CEMV_IAD_MCHIP_ADVANCE = 7, /* as M/Chip 4, with counters(8 or 16) [last online ATC(2)]: 20, 26 or 28 bytes */
    CEMV_IAD_AMEX = 8,          /* 06 key version CVR(4) [size discretionary] */
    CEMV_IAD_JCB = 9,           /* 07 key version CVR(5) [size discretionary] */
    CEMV_IAD_DISCOVER = 10,     /* key version CVR(6; 8 for versions 15 and 16) discretionary */
    CEMV_IAD_UNIONPAY = 11,     /* 07 key version CVR(4) algorithm [size discretionary] */
    CEMV_IAD_CCD = 12,          /* 0F identifier key CVR(5) counters(8) 0F discretionary(15): 32 bytes */
};
#define CEMV_IAD_FORMAT_COUNT 13

enum cemv_iad_reason {
    CEMV_IAD_OK = 0,
    CEMV_IAD_EMPTY = 1,
    CEMV_IAD_TOO_LONG = 2,        /* over 32 bytes */
    CEMV_IAD_TOO_SHORT = 3,       /* for the format of this scheme */
    CEMV_IAD_BAD_LENGTH_BYTE = 4, /* a length inside contradicts the format */
    CEMV_IAD_UNKNOWN_VERSION = 5, /* the cryptogram version belongs to no published format of this scheme */
    CEMV_IAD_UNKNOWN_SIZE = 6,    /* no published format of this scheme has this size */
    CEMV_IAD_UNKNOWN_SCHEME = 7,  /* the format depends on the scheme, which is not known */
    /* the format is known; the size of the discretionary data is wrong, so they stay in `rest` */
    CEMV_IAD_BAD_DISCRETIONARY = 8,
};

/* The session key by the cryptogram version, where that is public. */
enum cemv_session_key {
    CEMV_SESSION_KEY_UNPUBLISHED = 0,
    CEMV_SESSION_KEY_NONE = 1,       /* the card's own key: Visa 0A and 11 */
    CEMV_SESSION_KEY_MASTERCARD = 2, /* from ATC and unpredictable number: 10, 11 */
    CEMV_SESSION_KEY_EMV2000 = 3,    /* the tree of EMV 4.0: 12, 13 */
    CEMV_SESSION_KEY_COMMON = 4,     /* EMV Book 2, A1.3: Mastercard 14, 15; Visa 12, 22; CCD */
};

struct cemv_iad {
    uint8_t format;             /* enum cemv_iad_format */
    uint8_t reason;             /* enum cemv_iad_reason */
    uint8_t layout;             /* enum cemv_layout of `cvr` */
    uint8_t key_index;          /* derivation key index */
    uint8_t version;            /* cryptogram version number; CCD: the common core identifier */
    uint8_t session_key;        /* enum cemv_session_key */
    bool assumed;               /* the scheme was not given: the format was recognised by its shape alone */
    bool counters_covered;      /* M/Chip: the cryptogram covers the counters */
    bool aes;                   /* CCD: the cryptogram is made with AES */
    uint8_t algorithm;          /* UnionPay: 01 triple DES, 04 SM4 */
    cemv_bytes whole;           /* as received */
    cemv_bytes cvr;             /* card verification results, with their length byte where the scheme has one */
    cemv_bytes dynamic_number;  /* M/Chip: data authentication code or ICC dynamic number, 2 bytes */
    cemv_bytes counters;        /* M/Chip: 8 or 16 bytes, perhaps enciphered; CCD: 8 bytes */
    cemv_bytes last_online_atc; /* M/Chip Advance: 2 bytes, or empty */
    cemv_bytes discretionary;   /* the issuer's, without the size before them */
    cemv_bytes rest;            /* further bytes, which are not understood */
};

/* Reads 9F10. True if the format is known. With CEMV_SCHEME_UNKNOWN the shapes of CCD, M/Chip and Visa are
 * distinguished, and `assumed` is set, except for CCD, which looks alike with every scheme. */
bool cemv_iad_read(cemv_bytes iad, enum cemv_scheme scheme, struct cemv_iad *out);

/* Fields of the CVR. False if the format has no such field. */
bool cemv_iad_field(const struct cemv_iad *iad, uint8_t meaning, uint8_t *value);

/* M/Chip counters: 6 bytes n 12, a number, FF. False without a counter at `index` (0 or 1), or it does not read as
 * plain (it may be enciphered). */
struct cemv_offline_counter {
    uint64_t amount; /* cumulative, minor units of the card's own currency */
    uint8_t number;  /* consecutive transactions */
};
bool cemv_iad_counter(const struct cemv_iad *iad, size_t index, struct cemv_offline_counter *out);

/* ---- tracks ---- */

/* Digits (or the separator D) in place: as nibbles, or as characters. */
struct cemv_digits {
    const uint8_t *data;
    uint8_t first; /* nibble: 0 is the high half of data[0]; or the character */
    uint8_t count;
    bool characters; /* '0' to '9', '=' for the separator */
};
uint8_t cemv_digit(struct cemv_digits digits, size_t index); /* 0 to 15; 0xFF beyond the end */
/* ASCII digits, `separator` for nibble D, '?' for others; and a NUL. Answers how many without it; 0, and only the NUL,
 * if they do not fit. */
size_t cemv_digits_text(struct cemv_digits digits, char separator, char *out, size_t capacity);
bool cemv_digits_equal(struct cemv_digits a, struct cemv_digits b);
/* The check digit of a PAN is right (ISO/IEC 7812-1). */
bool cemv_digits_luhn(struct cemv_digits digits);
/* A cn value (5A): its digits before trailing F. Count 0 if malformed or over 127 bytes. */
struct cemv_digits cemv_digits_of_cn(cemv_bytes cn);

enum cemv_track_error {
    CEMV_TRACK_OK = 0,
    CEMV_TRACK_EMPTY = 1,
    CEMV_TRACK_TOO_LONG = 2,  /* track 2: over 19 bytes; track 1: over 76 characters */
    CEMV_TRACK_BAD_START = 3, /* track 1: not structure B; track 2 in characters: others than digits and '=' */
    CEMV_TRACK_BAD_PAN = 4,   /* none, over 19 digits, or not digits up to the separator */
    CEMV_TRACK_NO_SEPARATOR = 5,
    CEMV_TRACK_BAD_NAME = 6,          /* track 1: not 2 to 26 characters from 20 to 5F; track 2 has no name */
    CEMV_TRACK_BAD_EXPIRY = 7,        /* neither four digits nor a separator in their place */
    CEMV_TRACK_BAD_SERVICE_CODE = 8,  /* neither three digits nor a separator in their place */
    CEMV_TRACK_BAD_DISCRETIONARY = 9, /* track 2: other than digits; track 1: other characters than 20 to 5F */
};

/* Track 2 (57, 9F6B; ISO/IEC 7813): digits without sentinels, or characters between ';' and '?', as Kernel 4 has it in
 * mag-stripe mode (Book C-4, Table 12-3). Parts read before a fault are set, the rest is empty. */
struct cemv_track2 {
    uint8_t error;          /* enum cemv_track_error */
    struct cemv_digits all; /* without padding F and sentinels */
    struct cemv_digits pan;
    struct cemv_digits expiry;       /* YYMM, or none */
    struct cemv_digits service_code; /* or none */
    struct cemv_digits discretionary;
};
bool cemv_track2_read(cemv_bytes track, struct cemv_track2 *out);

/* Track 1 (56; ISO/IEC 7813, structure B, without sentinels). */
struct cemv_track1 {
    uint8_t error;
    cemv_bytes all, pan, name, expiry, service_code, discretionary;
};
bool cemv_track1_read(cemv_bytes track, struct cemv_track1 *out);

/* ---- form factor, 9F6E (Visa, Mastercard, JCB) and 9F67 (Amex) ---- */

struct cemv_form_factor {
    bool known;             /* else only `whole` is set: the scheme codes none, or a wrong length */
    uint8_t layout;         /* enum cemv_layout of `whole`, for bits; NONE for Mastercard and Amex */
    bool device_present;    /* Mastercard leaves it out if the identifier's first bit is set */
    uint8_t device[2];      /* Mastercard: two characters; others: their code in the first */
    uint16_t country;       /* Mastercard: ISO 3166 as BCD */
    uint16_t identifier;    /* Mastercard: unique identifier; 0000: no proprietary data */
    cemv_bytes proprietary; /* Mastercard */
    cemv_bytes whole;
};
/* `value` of 9F6E, or of 9F67 for Amex: there 9F6E is the reader's. True if known. */
bool cemv_form_factor_read(cemv_bytes value, enum cemv_scheme scheme, struct cemv_form_factor *out);

/* ---- the data of one read ---- */

/* Outermost data objects of several lists, by tag; the first list that has a tag wins. Points into the lists. */
#define CEMV_CHIP_OBJECTS 96
#define CEMV_CHIP_INDEX   512
struct cemv_chip_object {
    uint32_t tag;
    uint8_t list; /* number of the list, from 0 in the order added */
    uint8_t head; /* bytes of tag and length before the value, 2 or 3, where object and list let it be copied whole;
                     else 0 */
    cemv_bytes value;
};
struct cemv_chip {
    uint8_t error; /* enum cemv_wire_error: of the first list that is malformed; what came before the fault is there */
    uint8_t lists;
    uint8_t count;
    bool overflowed; /* more than CEMV_CHIP_OBJECTS different tags: the further ones are left out */
    uint8_t index[CEMV_CHIP_INDEX];
    struct cemv_chip_object object[CEMV_CHIP_OBJECTS];
};
void cemv_chip_clear(struct cemv_chip *chip);
/* Data record first, then discretionary data, then the terminal's own. Empty values count as absent. False on a
 * fault. */
bool cemv_chip_add(struct cemv_chip *chip, cemv_bytes list);
/* One object outside every list, such as the selected name as 84. */
void cemv_chip_add_value(struct cemv_chip *chip, uint32_t tag, cemv_bytes value);
/* The value; empty if absent. */
cemv_bytes cemv_chip_value(const struct cemv_chip *chip, uint32_t tag);

enum cemv_mode {
    CEMV_MODE_NONE = 0, /* neither EMV mode nor a track */
    /* 9F26 is there; or 82 and 95 are, and neither 56 nor 9F6B: a tap of EMV mode that gave no cryptogram (C-6, F3-15.4
     * after a failed CDA; C-5, Declined without GENERATE AC, a refund too). The data set of its kernel then misses
     * 9F26. */
    CEMV_MODE_EMV = 1,
    CEMV_MODE_MAGSTRIPE = 2, /* tracks otherwise */
};

/* The decoded data. */
struct cemv_extract {
    uint8_t scheme;   /* enum cemv_scheme */
    uint8_t mode;     /* enum cemv_mode */
    bool cid_present; /* 9F27 */
    bool type_known;  /* from 9F27, or else from 9F10 where C-3, 5.4.3.1 and C-7, 4.1.4.4 allow it */
    uint8_t cid;
    uint8_t type; /* enum cemv_ac_type */
    bool atc_present, sequence_present;
    uint8_t sequence; /* PAN sequence number, 0 to 99 */
    uint16_t atc;
    bool cvm_present;
    uint8_t cvm[3];        /* 9F34: method, condition, result */
    bool pan_mismatch;     /* 5A and the track name different accounts */
    bool expiry_mismatch;  /* 5F24 and the track name different months */
    cemv_bytes cryptogram; /* 9F26, 8 bytes */
    cemv_bytes unpredictable_number;
    cemv_bytes tvr; /* 5 bytes */
    cemv_bytes par; /* 9F24, 29 characters */
    struct cemv_iad iad;
    struct cemv_track2 track2; /* of 57, or else 9F6B */
    struct cemv_track1 track1; /* of 56; of American Express without the sentinels that it has (C-4, Table 12-2) */
    struct cemv_digits pan;    /* of the track (C-3, B.1.2.2), or else of 5A */
    struct cemv_digits expiry; /* YYMM of the track, or else of 5F24 */
    struct cemv_digits service_code;
    struct cemv_form_factor form_factor;
};
/* `scheme` UNKNOWN: recognised by 84, 4F or 9F06, if one is there. */
void cemv_chip_extract(const struct cemv_chip *chip, enum cemv_scheme scheme, struct cemv_extract *out);

/* ---- the issuer data set: ISO 8583 field 55 ---- */

enum cemv_presence {
    CEMV_PRESENCE_OPTIONAL = 0, /* written if there */
    CEMV_PRESENCE_REQUIRED = 1, /* its absence is an error */
};
struct cemv_data_set_entry {
    uint32_t tag;
    uint8_t presence; /* enum cemv_presence */
};
/* Which tags, in which order, in how many bytes. */
struct cemv_data_set {
    const struct cemv_data_set_entry *entries;
    size_t count;   /* up to CEMV_DATA_SET_ENTRIES */
    size_t limit;   /* largest field, e.g. 255 or 999; 0: as much as the buffer holds */
    bool leave_out; /* over the limit, optional entries are left out from the last one on; else it is an error */
};
#define CEMV_DATA_SET_ENTRIES 64

/* The data set of a kernel's EMV mode (kernels 2 to 8): what its book calls required, and further objects as optional
 * entries; without 57, 5A and 5F24, which have separate fields. At most 255 bytes, optional entries left out first.
 * Count 0 for other kernels. */
struct cemv_data_set cemv_data_set_of_kernel(uint8_t kernel);

enum cemv_data_set_error {
    CEMV_DATA_SET_OK = 0,
    CEMV_DATA_SET_MISSING = 1,   /* `tag` is required and absent */
    CEMV_DATA_SET_TOO_LONG = 2,  /* `size` bytes are needed, over the limit */
    CEMV_DATA_SET_NO_SPACE = 3,  /* `size` bytes are needed, over the buffer */
    CEMV_DATA_SET_BAD_ENTRY = 4, /* `tag` is not a valid tag, or is listed twice; 0: there are too many entries */
};
struct cemv_data_set_result {
    uint8_t error; /* enum cemv_data_set_error */
    uint32_t tag;
    size_t size;     /* written; or needed, if too long */
    size_t left_out; /* optional entries that were there and did not fit */
};
/* OK, or BAD_ENTRY with the tag at fault. Once for a set that is not one of the above: the writer looks for neither
 * fault. */
enum cemv_data_set_error cemv_data_set_check(const struct cemv_data_set *set, uint32_t *tag);
/* Writes the field's content (no length in front of it). On an error `out` holds nothing of use, though perhaps card
 * data. */
struct cemv_data_set_result cemv_data_set_write(const struct cemv_chip *chip, const struct cemv_data_set *set,
                                                void *out, size_t capacity);

/* ---- other fields of ISO 8583:1987 that come from the card ---- */

/* Text with a NUL; empty where the card did not bring it. Cardholder data in the clear: wipe it after use. */
struct cemv_iso_fields {
    char pan[20];       /* 2: up to 19 digits */
    char expiry[5];     /* 14: YYMM */
    char entry_mode[4]; /* 22: 07x EMV mode, 91x mag-stripe mode; x: PIN entry capability as given */
    char sequence[4];   /* 23: three digits */
    char track2[38];    /* 35: up to 37 characters */
    char track1[77];    /* 45: up to 76 characters */
};
/* `pin_capability`: the third digit of field 22, 0 unknown, 1 can take a PIN, 2 cannot. `separator`: of track 2, '='
 * or 'D'. A track of more than 37 characters does not fit field 35, which stays empty. */
void cemv_iso_fields_write(const struct cemv_extract *extract, uint8_t pin_capability, char separator,
                           struct cemv_iso_fields *out);
/* Cannot be elided. */
void cemv_iso_fields_wipe(struct cemv_iso_fields *fields);

#ifdef __cplusplus
}
#endif
#endif
