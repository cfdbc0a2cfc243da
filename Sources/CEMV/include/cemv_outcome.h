/* SPDX-License-Identifier: Apache-2.0 */
/* Messages on the display, and the result of a transaction (Book A, chapters 6 and 7). Plain values: no pointers into a
 * session, no decisions. */
#ifndef CEMV_OUTCOME_PUBLIC_H
#define CEMV_OUTCOME_PUBLIC_H

#include "cemv_tlv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* User interface requests (Book A, 7.1), queued with a step, in order; gone with the next reply. */
enum cemv_ui_status {
    CEMV_UI_NOT_READY = 0,
    CEMV_UI_IDLE = 1,
    CEMV_UI_READY_TO_READ = 2,
    CEMV_UI_PROCESSING = 3,
    CEMV_UI_CARD_READ = 4,
    CEMV_UI_PROCESSING_ERROR = 5,
    CEMV_UI_STATUS_NA = 0xFF,
};
enum cemv_message {
    CEMV_MESSAGE_NONE = 0, /* the display stays as it is; the request carries a status alone (C-7, 4.5.3.1) */
    CEMV_MESSAGE_APPROVED = 0x03,
    CEMV_MESSAGE_NOT_AUTHORISED = 0x07,
    CEMV_MESSAGE_ENTER_PIN = 0x09,
    CEMV_MESSAGE_PROCESSING_ERROR = 0x0F,
    CEMV_MESSAGE_REMOVE_CARD = 0x10,
    CEMV_MESSAGE_WELCOME = 0x14,
    CEMV_MESSAGE_PRESENT_CARD = 0x15,
    CEMV_MESSAGE_PROCESSING = 0x16,
    CEMV_MESSAGE_CARD_READ_OK = 0x17,
    CEMV_MESSAGE_INSERT_OR_SWIPE = 0x18,
    CEMV_MESSAGE_ONE_CARD_ONLY = 0x19,
    CEMV_MESSAGE_APPROVED_SIGN = 0x1A,
    CEMV_MESSAGE_AUTHORISING = 0x1B,
    CEMV_MESSAGE_TRY_ANOTHER_CARD = 0x1C,
    CEMV_MESSAGE_INSERT_CARD = 0x1D,
    CEMV_MESSAGE_CLEAR_DISPLAY = 0x1E,
    CEMV_MESSAGE_SEE_PHONE = 0x20,
    CEMV_MESSAGE_PRESENT_AGAIN = 0x21,
};
enum cemv_value_qualifier { CEMV_VALUE_NONE = 0, CEMV_VALUE_AMOUNT = 1, CEMV_VALUE_BALANCE = 2 };
struct cemv_ui_request {
    uint8_t message;         /* enum cemv_message */
    uint8_t status;          /* enum cemv_ui_status */
    uint8_t value_qualifier; /* enum cemv_value_qualifier */
    uint8_t language_size;   /* 0 to 8 */
    uint8_t language[8];     /* 5F2D of the card */
    uint16_t currency;       /* with a value */
    uint32_t hold_ms;        /* shown for at least this time */
    uint64_t value;          /* minor units */
};

/* The outcome parameter set (Book A, 6.2). Values as C-8 codes them. */
enum cemv_outcome_status {
    CEMV_OUTCOME_NONE = 0,
    CEMV_OUTCOME_APPROVED = 0x10,
    CEMV_OUTCOME_DECLINED = 0x20,
    CEMV_OUTCOME_ONLINE_REQUEST = 0x30,
    CEMV_OUTCOME_REQUEST_ONLINE_PIN = 0x34,
    CEMV_OUTCOME_END_APPLICATION = 0x40,
    CEMV_OUTCOME_SELECT_NEXT = 0x50,
    CEMV_OUTCOME_TRY_ANOTHER_INTERFACE = 0x60,
    CEMV_OUTCOME_TRY_AGAIN = 0x70,
};
enum cemv_start {
    CEMV_START_A = 0x00,
    CEMV_START_B = 0x10,
    CEMV_START_C = 0x20,
    CEMV_START_D = 0x30,
    CEMV_START_NA = 0xF0
};
enum cemv_cvm {
    CEMV_CVM_NONE = 0x00,
    CEMV_CVM_SIGNATURE = 0x10,
    CEMV_CVM_ONLINE_PIN = 0x20,
    CEMV_CVM_CDCVM = 0x30,
    CEMV_CVM_NA = 0xF0
};
enum cemv_online_response {
    CEMV_ONLINE_RESPONSE_EMV_DATA = 0x10,
    CEMV_ONLINE_RESPONSE_ANY = 0x20,
    CEMV_ONLINE_RESPONSE_NA = 0xF0
};
enum cemv_interface { CEMV_INTERFACE_CONTACT_CHIP = 0x10, CEMV_INTERFACE_MAGSTRIPE = 0x20, CEMV_INTERFACE_NA = 0xF0 };

/* Why the transaction ended as it did, beyond the outcome. One for each known cause. */
enum cemv_reason {
    CEMV_REASON_NONE = 0,
    CEMV_REASON_KERNEL = 1,                /* the kernel's own decision */
    CEMV_REASON_NOT_ALLOWED = 2,           /* pre-processing blocked every combination of the transaction */
    CEMV_REASON_NO_COMBINATION = 3,        /* no configured combination lists the transaction type */
    CEMV_REASON_NO_COMMON_APPLICATION = 4, /* the card lists none of ours */
    CEMV_REASON_SELECTION_EXHAUSTED = 5,   /* candidates there were; all fell away */
    CEMV_REASON_KERNEL_LIMIT = 6,          /* a kernel's own limit removed the last candidate */
    CEMV_REASON_CARD_DATA = 7,             /* missing, malformed, duplicate or contradictory card data */
    CEMV_REASON_CARD_STATUS = 8,           /* an unexpected status word */
    CEMV_REASON_LINK = 9,                  /* link faults until max_taps */
    CEMV_REASON_TOO_MANY_TAPS = 10,        /* presentments or restarts beyond their limit */
    CEMV_REASON_STOPPED = 11,              /* the terminal stopped it */
    CEMV_REASON_ABANDONED = 12,
    CEMV_REASON_CARD_SWITCHED = 13, /* the card of the second presentment is another one */
    CEMV_REASON_RANDOM = 14,        /* no usable random number */
    CEMV_REASON_STORE_FULL = 15,    /* more data than a presentment may bring */
    CEMV_REASON_PROTECTION = 16,    /* a rule of the protection profile; findings say which */
    CEMV_REASON_COLLISION = 17,     /* collisions beyond CEMV_MAX_COLLISIONS */
    CEMV_REASON_INTERNAL = 18,      /* an edge outside the table: a defect of the kernel; failed safe */
};

/* Observations beyond the books; a set, bit (1 << finding). Never changes a book outcome by itself. */
enum cemv_finding {
    CEMV_FINDING_CDCVM_UNAUTHENTICATED = 0,
    CEMV_FINDING_LIMIT_NEEDS_AUTHENTICATED_CDCVM = 1,
    CEMV_FINDING_BRAND_MISMATCH = 2,
    CEMV_FINDING_UNSOLICITED_SDAD = 3,
    CEMV_FINDING_ODA_TAMPER = 4,
    CEMV_FINDING_CID_IAD_MISMATCH = 5,
    CEMV_FINDING_TERMINAL_TAG_FROM_CARD = 6,
    CEMV_FINDING_PAN_MISMATCH = 7,
    CEMV_FINDING_EXPIRY_MISMATCH = 8,
    CEMV_FINDING_LUHN = 9,
    CEMV_FINDING_TEST_KEY = 10,
    CEMV_FINDING_RNG_SUSPECT = 11,
    CEMV_FINDING_DF_NAME_MISMATCH = 12,
    CEMV_FINDING_ODA_STRIPPED = 13,
    CEMV_FINDING_CVM_FROM_PLAIN_DATA = 14,
    CEMV_FINDING_RECORD_REPEATED = 15,
    CEMV_FINDING_CANDIDATES_DROPPED = 16,
    CEMV_FINDING_CA_KEY_MISSING = 17,
    CEMV_FINDING_CA_KEY_EXPIRED = 18,
    CEMV_FINDING_CERTIFICATE_EXPIRED = 19,
    CEMV_FINDING_CERTIFICATE_REVOKED = 20,
    CEMV_FINDING_MODE_DOWNGRADE = 21,      /* a card that can do more came in a weaker mode */
    CEMV_FINDING_AC_BINDING_NOT_SENT = 22, /* the card did not ask for what ties its signature to the transaction */
    CEMV_FINDING_CARD_KEY_EXPOSED = 23,    /* Kernel 8: the blinded key is the card's own: it can be recognised */
    CEMV_FINDING_CARD_KEY_REPEATED = 24,   /* Kernel 8: the blinded key of an earlier tap again */
    CEMV_FINDING_UNBOUND_OBJECT = 25,      /* Kernel 8: the card's decision came without the protection of a MAC */
    CEMV_FINDING_LIST_UNSIGNED = 26,       /* only a list that nobody signed gives the signed data their meaning */
    CEMV_FINDING_KERNEL_FALLBACK = 27,     /* an older kernel for an application offered to Kernel 8 too */
    CEMV_FINDING_COUNT = 28,
};

struct cemv_outcome {
    uint8_t status;              /* enum cemv_outcome_status */
    uint8_t start;               /* enum cemv_start */
    uint8_t online_response;     /* enum cemv_online_response */
    uint8_t cvm;                 /* enum cemv_cvm */
    uint8_t alternate_interface; /* enum cemv_interface */
    bool receipt;
    bool ui_on_outcome_present;
    bool ui_on_restart_present;
    bool data_record_present;
    bool discretionary_present;
    uint8_t reason; /* enum cemv_reason */
    uint8_t kernel_id_size;
    uint8_t kernel_id[8];           /* the kernel that decided; size 0: Entry Point */
    uint8_t error_indication[6];    /* L1, L2, L3, SW1, SW2, message on error, as DF8115 */
    uint16_t removal_timeout_100ms; /* 0: none */
    uint16_t field_off_100ms;       /* CEMV_FIELD_OFF_NA: no request */
    uint32_t findings;              /* bits of enum cemv_finding */
    struct cemv_ui_request ui_on_outcome;
    struct cemv_ui_request ui_on_restart;
};
#define CEMV_FIELD_OFF_NA 0xFFFF

#ifdef __cplusplus
}
#endif
#endif
