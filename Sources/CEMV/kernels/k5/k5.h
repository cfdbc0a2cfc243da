/* SPDX-License-Identifier: Apache-2.0 */
/* The states of Kernel 5, and the decisions of Book C-5 v2.10 as pure functions of plain structs. They are kept apart
 * from the dialogue with the card, so that each can be compared over all its inputs with an independent implementation.
 * No decision reads a store or knows a command in progress. The rules of Book 3 are in rules/. TIP is the Terminal
 * Interchange Profile, 9F53. */
#ifndef CEMV_K5_H
#define CEMV_K5_H

#include "../../include/cemv_kernel_5.h"
#include "../../outcome/outcome.h"
#include "../../rules/rules.h"

enum k5_state {
    /* Awaits random bytes of the driver: the pool was empty when the random selection needed a number (3.5.4). */
    K5_WAIT_RANDOM = 1,
    /* Recovery. Awaits the response to ECHO: the card repeats the response that the torn tap did not receive
     * (3.13.2). */
    K5_WAIT_ECHO = 2,
    /* Awaits the response to GET PROCESSING OPTIONS (3.3): the profile, which must offer EMV Mode, and the locator. */
    K5_WAIT_GPO = 3,
    /* Awaits a record of the AFL (3.4). Risk management and action analysis follow the last one. */
    K5_WAIT_RECORD = 4,
    /* Awaits the response to GENERATE AC in EMV Mode (3.8.1). If the link fails here, the tap becomes a torn one. */
    K5_WAIT_AC = 5,
    /* Awaits that message 17 is shown, before certificates are verified (3.8.1.13). */
    K5_WAIT_CARD_READ = 6,
    /* Awaits the response to GENERATE AC in Legacy Mode (3.9.1), where only an ARQC is accepted. */
    K5_WAIT_LEGACY_AC = 7,
    /* Issuer update. Awaits the response to a script command that the issuer wants executed before the second GENERATE
     * AC, of template 71 (3.10.2). */
    K5_WAIT_SCRIPT = 8,
    /* Issuer update. Awaits the response to the second GENERATE AC, by which the card learns the issuer's decision
     * (3.10.3). */
    K5_WAIT_SECOND_AC = 9,
    /* Issuer update. Awaits the response to a script command of template 72. The outcome is already decided
     * (3.10.5). */
    K5_WAIT_LAST_SCRIPT = 10,
};

/* Responses of the card
 * ---------------------------------------------------------------------------------------------- */

/* The FCI (Book 1, Table 45). If `whole`, it has one 6F, 84 and A5 that can be parsed. An absent object is empty. */
struct k5_fci {
    bool whole;
    cemv_bytes proprietary; /* value of A5 */
    cemv_bytes name, label, pdol;
};
struct k5_fci k5_read_fci(cemv_bytes fci);

/* The GET PROCESSING OPTIONS response, in either format (4.4). If `whole`, both objects are present, and the profile
 * has two bytes; the locator is not parsed. */
struct k5_gpo {
    bool whole;
    cemv_bytes profile, locator;
};
struct k5_gpo k5_read_gpo(cemv_bytes body);

/* Objects of a GENERATE AC response in template 77 (Tables 4-3 to 4-6). An absent object is empty. */
enum k5_object { K5_CID, K5_ATC, K5_AC, K5_IAD, K5_SDAD, K5_STATUS, K5_BALANCE, K5_UPDATE, K5_OBJECTS };
struct k5_answer {
    bool sound;         /* it can be parsed, no object occurs twice, each has its length */
    cemv_bytes objects; /* value of the template */
    cemv_bytes object[K5_OBJECTS];
};
struct k5_answer k5_read_answer(cemv_bytes body);
enum k5_object k5_object_of(uint32_t tag); /* K5_OBJECTS: another tag */
static inline bool k5_has(const struct k5_answer *answer, enum k5_object object)
{
    return answer->object[object].size != 0;
}
/* The cryptogram's type in the coding of enum cemv_rules_cryptogram. */
static inline uint8_t k5_type(const struct k5_answer *answer)
{
    return answer->object[K5_CID].data[0] & CEMV_RULES_TYPE;
}
/* 3.8.1.8: the objects that its type of cryptogram requires are present, except 9F4B. */
bool k5_is_first_answer(const struct k5_answer *answer, bool cda_asked);
/* 3.8.1.10, .12: 9F4B is required and missing. */
bool k5_lacks_signature(const struct k5_answer *answer, bool cda_asked);
/* 3.10.3.7 */
bool k5_is_second_answer(const struct k5_answer *answer);
/* The card's request for the issuer's answer, bits 2-1 of 9F60 (A.6). */
enum k5_update { K5_UPDATE_NONE = 0, K5_UPDATE_HOLD = 1, K5_UPDATE_TWO = 2, K5_UPDATE_RFU = 3 };
uint8_t k5_update_of(const struct k5_answer *answer);
/* 3.8.1.13: the customer is informed that the card was read. `updates`: TIP 2.8 of this reader. */
bool k5_tells_card_read(const struct k5_answer *answer, bool updates);

/* Legacy Mode: template 80 by position (Table 4-3), the first four objects. */
struct k5_answer k5_read_legacy_answer(cemv_bytes body);

/* Data object lists ------------------------------------------------------------------------------------------------ */

/* Like cemv_dol_next, but DF83 with length 16 and DF84 with length 50, which would be read as tags of three bytes, are
 * the two-byte tags of Annex B and are returned as such. */
enum { K5_TAG_DF83 = 0xDF83, K5_TAG_DF84 = 0xDF84 };
bool k5_dol_next(struct cemv_dol_cursor *cursor, struct cemv_dol_entry *entry);
/* True if an entry requests the tag, with this length unless it is 0. */
bool k5_dol_asks(cemv_bytes dol, uint32_t tag, uint8_t length);
/* True if Annex B lists the tag, so that its value may be sent for a list; every other object is sent as zeros
 * (3.3.1.2, 3.8.1.2). */
bool k5_is_in_dictionary(uint32_t tag);

/* Risk management and restrictions (3.5, 3.6) ---------------------------------------------------------------------- */

/* 3.5.2.1 */
bool k5_cvm_required(uint8_t transaction_type, uint64_t amount, const struct cemv_limits *limits);
/* True if the amount is one unit of the currency, as in a status check (3.5.3.1). */
bool k5_is_single_unit(uint64_t amount, uint8_t exponent);
/* TVR 4.8: the amount, the reader or the mode requires an online cryptogram. */
struct k5_floor_in {
    bool legacy;
    uint8_t terminal_type;
    uint8_t options; /* Combination Options, byte 1 */
    uint8_t exponent;
    uint64_t amount;
    const struct cemv_limits *limits;
};
bool k5_exceeds_floor(const struct k5_floor_in *in);
/* The number of the random selection, 1 to 99. Returns false if these four bytes would make some results more likely
 * than others. */
bool k5_number(const uint8_t random[4], uint8_t *number);

/* True if the usage is refused (Book 3, 10.4.2). An absent object is empty. */
struct k5_usage_in {
    cemv_bytes control, issuer; /* 9F07, 5F28 */
    cemv_bytes country;         /* 9F1A */
    uint8_t terminal_type;
    cemv_bytes capabilities; /* 9F40 */
    uint8_t type;            /* 9C */
    bool cash_back;          /* the amount, other is not zero */
};
bool k5_usage_refused(const struct k5_usage_in *in);

/* Terminal action analysis (3.7) ----------------------------------------------------------------------------------- */

/* Returns an enum cemv_rules_cryptogram. CEMV_RULES_AAC: Declined, and no cryptogram is requested. */
struct k5_action_in {
    uint8_t type; /* 9C */
    bool legacy, transit;
    uint8_t options;                                        /* Combination Options, byte 1 */
    uint64_t tvr, denial, online, unable;                   /* the terminal's codes; unable: default */
    cemv_bytes issuer_denial, issuer_online, issuer_unable; /* 9F0E 9F0F 9F0D; empty: absent */
    uint8_t terminal_type;
    bool needs_online;  /* beyond the book: no TC is requested (attacks.md, A09, A30, A35) */
    bool refuse_failed; /* beyond the book: decline if signed data cannot be verified (A04) */
};
uint8_t k5_action(const struct k5_action_in *in);

/* Cardholder verification and limits (3.8.3, 3.9.2) ---------------------------------------------------------------- */

enum k5_verdict { K5_GOES_ON = 0, K5_DECLINES = 1, K5_NEXT = 2 };
struct k5_cvm {
    uint8_t verdict; /* enum k5_verdict */
    uint8_t cvm;     /* enum cemv_cvm, if not declined */
    bool replaced;   /* a rule beyond the book changed the result */
    bool unproven;   /* a device's claim is accepted without proof */
    bool from_plain; /* above the limit a method was claimed that nothing proves */
};
struct k5_cvm_in {
    uint8_t status; /* 9F50 */
    uint8_t tip;    /* dynamic, byte 1 */
    bool tc;
    bool verified; /* a good signature covers the status */
    uint64_t amount;
    const struct cemv_limits *limits;
    /* Beyond the book (attacks.md, A08): */
    bool reads_closely;    /* 30 counts as no verification, and online PIN requires an ARQC */
    bool distrusts_plain;  /* an unproven signature claim is ignored above the CVM limit */
    bool distrusts_device; /* an unproven device claim is ignored there, and raises no limit */
};
struct k5_cvm k5_cvm(const struct k5_cvm_in *in);

/* Legacy Mode: the CVM List's methods that the reader supports, whatever their conditions. */
struct k5_cvm_list_in {
    cemv_bytes list; /* 8E */
    uint8_t tip;     /* static, byte 1 */
    bool required;   /* dynamic TIP 1.8 */
    bool downgraded; /* beyond the book: an EMV card in Legacy Mode gets online PIN or nothing (A27) */
    bool pin_first;  /* beyond the book: online PIN is used before signature (A05) */
};
struct k5_cvm k5_cvm_list(const struct k5_cvm_list_in *in);
/* The value of 9F34 for a CVM parameter (A.4). */
void k5_cvm_results(uint8_t cvm, uint8_t results[3]);

/* Issuer update (3.10) --------------------------------------------------------------------------------------------- */

/* True if the issuer's response code requests a TC (3.10.3.4). */
bool k5_arc_approves(cemv_bytes code);

#endif
