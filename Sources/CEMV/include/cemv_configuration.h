/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of a reader: kernels, combinations, limits, protection, CA keys; and the check of it (Books A
 * and B). A configuration is checked once and const afterwards. Knows no session and no card. */
#ifndef CEMV_CONFIGURATION_H
#define CEMV_CONFIGURATION_H

#include "cemv_crypto.h"
#include "cemv_limits.h"
#include "cemv_tags.h"
#include "cemv_tlv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A function whose status the caller must read: gcc and clang warn if it does not. */
#if defined(__GNUC__)
#define CEMV_MUST_CHECK __attribute__((warn_unused_result))
#else
#define CEMV_MUST_CHECK
#endif

/* Caller mistakes and bad configuration. Card bytes never lead here. */
enum cemv_status {
    CEMV_OK = 0,
    CEMV_NO_MEMORY = 1, /* the memory given is smaller than the size asked for, or not aligned to CEMV_ALIGNMENT */
    CEMV_MISSING = 2,   /* a required value is absent */
    CEMV_BAD_LENGTH = 3,
    CEMV_BAD_VALUE = 4,
    CEMV_BAD_TLV = 5, /* terminal or combination data are not well-formed data objects */
    CEMV_UNKNOWN_TAG = 6,
    CEMV_NOT_CONFIGURABLE = 7, /* a data object that the kernel computes or the card supplies */
    CEMV_DUPLICATE = 8,
    CEMV_UNKNOWN_KERNEL = 9, /* no row in the kernel table has this identifier */
    CEMV_BAD_CHECKSUM = 10,  /* a CA key's SHA-1 does not match */
    CEMV_TOO_MANY = 11,      /* more rows than the named limit */
    CEMV_NO_RANDOM = 12,     /* not enough random bytes for one unpredictable number */
    CEMV_WEAK_KEY = 13,      /* a CA key below the protection's minimum */
    CEMV_CONFLICT = 14,      /* two settings that exclude each other */
};

/* The place of a configuration error. */
enum cemv_config_section {
    CEMV_SECTION_TERMINAL = 0,
    CEMV_SECTION_COMBINATION = 1,
    CEMV_SECTION_CA_KEY = 2,
    CEMV_SECTION_REVOCATION = 3,
    CEMV_SECTION_EXCEPTION = 4,
    CEMV_SECTION_KERNEL = 5,
    CEMV_SECTION_PROTECTION = 6,
    CEMV_SECTION_TRANSACTION = 7,
};
enum cemv_config_field {
    CEMV_FIELD_NONE = 0,
    CEMV_FIELD_AID = 1,
    CEMV_FIELD_KERNEL_ID = 2,
    CEMV_FIELD_TRANSACTION_TYPES = 3,
    CEMV_FIELD_LIMITS = 4,
    CEMV_FIELD_TTQ = 5,
    CEMV_FIELD_DATA = 6,
    CEMV_FIELD_ZERO_AMOUNT = 7,
    CEMV_FIELD_DYNAMIC_LIMITS = 8, /* Kernel 3 */
    CEMV_FIELD_RID = 9,
    CEMV_FIELD_INDEX = 10,
    CEMV_FIELD_EXPONENT = 11,
    CEMV_FIELD_MODULUS = 12,
    CEMV_FIELD_CHECKSUM = 13,
    CEMV_FIELD_EXPIRY = 14,
    CEMV_FIELD_SERIAL = 15,
    CEMV_FIELD_PAN = 16,
    CEMV_FIELD_SEQUENCE = 17,
    CEMV_FIELD_TYPE = 18,
    CEMV_FIELD_AMOUNT = 19,
    CEMV_FIELD_CURRENCY = 20,
    CEMV_FIELD_EXPONENT_OF_CURRENCY = 21,
    CEMV_FIELD_DATE = 22,
    CEMV_FIELD_TIME = 23,
    CEMV_FIELD_COUNTER = 24,
    CEMV_FIELD_RANDOM = 25,
    CEMV_FIELD_MEMORY = 26,
    CEMV_FIELD_PROTECTION = 27,
    CEMV_FIELD_MODULE = 28, /* of a kernel: absent, or without start or reply, or asking too much memory */
    CEMV_FIELD_READER_MEMORY = 29,
    CEMV_FIELD_TAGS = 30,    /* a kernel's table of tags; `tag` is the row's */
    CEMV_FIELD_OPTIONS = 31, /* the kernel's own options of a combination; `option` says which */
};
struct cemv_config_error {
    uint16_t section; /* enum cemv_config_section */
    uint16_t field;   /* enum cemv_config_field */
    uint32_t row;     /* zero-based within the section */
    uint32_t tag;     /* the data object, where one is at fault; else 0 */
    uint32_t option;  /* of CEMV_FIELD_OPTIONS, as the kernel's header numbers them; else 0 */
};

/* Limits of a combination, in minor units of the transaction currency. Absent is not zero (Book A, Table 5-2). */
enum cemv_limit {
    CEMV_LIMIT_TRANSACTION = 0,       /* bites at amount >= limit (Book B, 3.1.1.5) */
    CEMV_LIMIT_FLOOR = 1,             /* bites at amount > limit (3.1.1.6) */
    CEMV_LIMIT_TERMINAL_FLOOR = 2,    /* where FLOOR is absent (3.1.1.7); to kernels it is 9F1B, at most FFFFFFFF */
    CEMV_LIMIT_CVM_REQUIRED = 3,      /* bites at amount >= limit (3.1.1.8) */
    CEMV_LIMIT_CDCVM_TRANSACTION = 4, /* transaction limit where the device verified its user */
    CEMV_LIMIT_COUNT = 5,
};
struct cemv_limits {
    uint64_t amount[CEMV_LIMIT_COUNT];
    uint8_t present; /* bit (1 << enum cemv_limit) */
};

enum cemv_zero_amount {
    CEMV_ZERO_AMOUNT_ONLINE = 0, /* allowed, requests an online cryptogram */
    CEMV_ZERO_AMOUNT_NOT_ALLOWED = 1,
    CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED = 2,
};

/* How far the kernel goes beyond the books. Zero everywhere is the default, `guarded`. */
enum cemv_profile { CEMV_PROFILE_GUARDED = 0, CEMV_PROFILE_BOOK = 1, CEMV_PROFILE_STRICT = 2 };
/* A single rule: as the profile has it, or set separately. */
enum cemv_rule { CEMV_RULE_PROFILE = 0, CEMV_RULE_OFF = 1, CEMV_RULE_REPORT = 2, CEMV_RULE_ENFORCE = 3 };
/* When a card's claim that its device verified the cardholder is believed. */
enum cemv_cdcvm_trust {
    CEMV_CDCVM_PROFILE = 0,
    CEMV_CDCVM_BOOK = 1,
    CEMV_CDCVM_VERIFY_IF_PRESENT = 2,
    CEMV_CDCVM_AUTHENTICATED = 3
};
/* Relay resistance. PROFILE: BOOK, and DECLINE in strict. OFF: never requested. DECLINE: a card that is late is
 * declined whatever the action codes say. REQUIRED: like DECLINE, and above the CVM limit a card without it, or without
 * a signature over it, is declined. */
enum cemv_relay {
    CEMV_RELAY_PROFILE = 0,
    CEMV_RELAY_OFF = 1,
    CEMV_RELAY_BOOK = 2,
    CEMV_RELAY_DECLINE = 3,
    CEMV_RELAY_REQUIRED = 4
};
/* Which torn transaction is recovered. PROFILE: SAME_SALE, and BOOK in book. OFF: none, and none is remembered. */
enum cemv_torn { CEMV_TORN_PROFILE = 0, CEMV_TORN_OFF = 1, CEMV_TORN_BOOK = 2, CEMV_TORN_SAME_SALE = 3 };
struct cemv_protection {
    uint8_t profile;          /* enum cemv_profile */
    uint8_t cdcvm_trust;      /* enum cemv_cdcvm_trust */
    uint8_t unsolicited_sdad; /* enum cemv_rule; ENFORCE verifies and declines on a contradiction */
    uint8_t oda_tamper;       /* ENFORCE: data that verify wrong are declined, never sent online */
    uint8_t cid_mismatch;     /* ENFORCE: 9F27 against IAD */
    uint8_t brand_check;      /* ENFORCE: AID against PAN, negative table */
    uint8_t expiry_mismatch;  /* ENFORCE: track 2 expiry against 5F24 ends */
    uint8_t luhn;             /* ENFORCE: a PAN failing its check digit ends */
    uint8_t offline;          /* OFF: no offline approval at all */
    uint8_t allow_test_keys;  /* 0 or 1; 1: a configuration may have both test keys and live ones */
    uint16_t min_ca_bits;     /* shorter CA keys are refused, in every profile; 0: 1152, and no minimum in `book` */
    uint8_t max_taps;         /* 0: 3 presentments, and again that number after each restart by the reader */
    uint8_t max_records;      /* 0: 64 READ RECORDs a presentment, at most 64 */
    uint8_t magstripe; /* OFF: no mag-stripe mode, whatever the kernel is configured for; else that decides. In strict,
                        * mag-stripe mode is on only where the combination's own protection sets REPORT or ENFORCE */
    uint8_t legacy;    /* OFF: no Legacy Mode of Kernel 5, whatever its combination options say; else they decide */
    uint8_t min_number_digits; /* of the unpredictable number in mag-stripe mode; 0: 4, at most 8. Not in `book` */
    uint8_t torn;              /* enum cemv_torn */
    uint16_t torn_lifetime_s;  /* 0: 120. The shorter of it and the kernel's counts; not in profile `book` */
    uint8_t relay;             /* enum cemv_relay */
    uint8_t relay_max_card_ms; /* longest time that a card may claim to need; 0: 30. Not in profile `book` */
    uint8_t kernel_fallback;   /* ENFORCE: an application that was offered to Kernel 8 too runs in no older kernel;
                                * else that is reported. PROFILE: ENFORCE in strict */
    uint32_t relay_latency_us; /* latency of the link, used if the reader memory has 0 */
};

struct cemv_combination {
    cemv_bytes aid;         /* 5 to 16 bytes; matches ADF names that begin with it */
    uint8_t kernel_id[8];   /* as in 9F2A: {3} for Kernel 3 */
    uint8_t kernel_id_size; /* 1 to 8 */
    bool extended_selection;
    bool status_check;
    uint8_t zero_amount;          /* enum cemv_zero_amount */
    cemv_bytes transaction_types; /* one byte each, two BCD digits; empty: 00 only */
    struct cemv_limits limits;    /* Entry Point's; not with Kernels 2 and 5, whose headers have theirs */
    cemv_bytes ttq;               /* 4 bytes, or empty where not configured */
    cemv_bytes data;              /* data objects that win over the terminal's */
    bool own_protection;          /* `protection` replaces the configuration's */
    struct cemv_protection protection;
    const void *options; /* the kernel's own, of the type that its header names; NULL: its defaults. Kernel 2: NULL */
};

struct cemv_ca_key {
    uint8_t rid[5];
    uint8_t index;
    uint32_t exponent;  /* 3 or 65537 */
    cemv_bytes modulus; /* 64 to 248 bytes, odd, the first byte not zero; see min_ca_bits */
    cemv_bytes sha1;    /* 20 bytes; empty: the checksum is not checked */
    uint8_t expires[3]; /* YYMMDD, the last day; all zero: no end */
    /* Its private half is public. A tap uses it like any other and reports CEMV_FINDING_TEST_KEY; outside profile
     * `book` keys of both kinds are refused unless allow_test_keys is 1. */
    bool test;
};
/* A key on an elliptic curve, of Kernel 8 (C-8, T 4.3). Of another suite than 10 (P-256) it counts as missing. */
struct cemv_curve_key {
    uint8_t rid[5];
    uint8_t index;
    uint8_t suite;
    cemv_bytes x, y;    /* 32 bytes each */
    cemv_bytes sha256;  /* of RID, index, suite, x and y; empty: not checked */
    uint8_t expires[3]; /* as above */
    bool test;
};
struct cemv_exception {
    cemv_bytes pan;   /* cn, 8 to 19 digits without padding: only an odd number of digits ends with F */
    uint8_t sequence; /* PAN sequence number, n 2 */
    bool any_sequence;
};

struct cemv_kernel_module; /* cemv_kernel.h */

/* A kernel of the configuration: the identifier by which combinations name it, the module, and a pointer for the
 * module's use (NULL for the built-in ones). */
struct cemv_kernel_row {
    uint8_t id[8];
    uint8_t id_size; /* 1 to 8 */
    const struct cemv_kernel_module *module;
    void *context; /* cemv_kernel_context() */
};

/* Everything that a reader is configured with. Keeps the caller's pointers: they must outlive the checked
 * configuration. */
struct cemv_configuration {
    cemv_bytes terminal_data; /* data objects, e.g. 9F1A, 9F35, 9F33, 9F40, 9F15, 9F4E */
    const struct cemv_combination *combinations;
    size_t combination_count;
    const struct cemv_ca_key *ca_keys;
    size_t ca_key_count;
    const struct cemv_revocation *revocations;
    size_t revocation_count;
    const struct cemv_exception *exceptions;
    size_t exception_count;
    const struct cemv_kernel_row *kernels;
    size_t kernel_count;
    cemv_bytes poi_information; /* ID L V ... (Book B, A.1), up to 64 bytes; or 8B in terminal_data */
    struct cemv_protection protection;
    const struct cemv_crypto *crypto;        /* NULL: built in */
    const struct cemv_curve_key *curve_keys; /* looked at by Kernel 8 alone, which checks them */
    size_t curve_key_count;
};

#define CEMV_ALIGNMENT 16
struct cemv_checked; /* a checked configuration */

/* Bytes cemv_configuration_check needs for this configuration. */
size_t cemv_checked_size(const struct cemv_configuration *configuration);
/* Checks every row and prepares what can be prepared once (CA keys). On success `*checked` lies in `memory` and is
 * const from then on. */
CEMV_MUST_CHECK enum cemv_status cemv_configuration_check(const struct cemv_configuration *configuration, void *memory,
                                                          size_t size, const struct cemv_checked **checked,
                                                          struct cemv_config_error *error);

#ifdef __cplusplus
}
#endif
#endif
