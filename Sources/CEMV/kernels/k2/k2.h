/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2: its states, its memory during one activation, and the functions that its files share. Only this directory
 * includes it; it knows neither Entry Point nor the session. Requirements and sources: Conformance/book-c2.md. */
#ifndef CEMV_K2_H
#define CEMV_K2_H

#include "k2_rules.h"
#include "k2_tags.h"
#include "../../exchange/exchange.h"
#include "../../include/cemv_kernel_2.h"
#include "../kernel.h"

/* States are named after those of the charts. A comment names the command whose answer is awaited, or the session's
 * step: ASK waits for the terminal or a time limit, WORK for the display. */
enum k2_state {
    K2_R1_WAIT_RELAY = 1,        /* EXCHANGE RELAY RESISTANCE DATA */
    K2_WAIT_RANDOM = 2,          /* ASK: random bytes */
    K2_S910_WAIT_CARD_READ = 3,  /* WORK: "card read" is shown before the signature is checked */
    K2_WAIT_BACK_OFF = 4,        /* ASK: time after a failed cryptographic checksum */
    K2_S15_WAIT_PUT_DATA = 5,    /* PUT DATA after GENERATE AC */
    K2_S16_WAIT_BALANCE = 6,     /* GET DATA before GENERATE AC */
    K2_S17_WAIT_BALANCE = 7,     /* GET DATA after GENERATE AC */
    K2_WAIT_ANSWERS_SENT = 8,    /* WORK: the remaining answers need another data exchange record */
    K2_S2_WAIT_PDOL_DATA = 18,   /* ASK: terminal data for the PDOL */
    K2_S3_WAIT_GPO = 19,         /* GET PROCESSING OPTIONS */
    K2_S4_WAIT_RECORD = 20,      /* READ RECORD, EMV mode */
    K2_S5_WAIT_GET_DATA = 21,    /* GET DATA for the terminal */
    K2_S6_WAIT_FIRST_WRITE = 22, /* ASK: Proceed To First Write Flag */
    K2_S7_WAIT_RECORD = 23,      /* READ RECORD, mag-stripe mode */
    K2_S8_WAIT_FIRST_WRITE = 24, /* ASK: as S6, mag-stripe mode */
    K2_S9_WAIT_AC = 25,          /* GENERATE AC, no torn record */
    K2_S10_WAIT_RECOVERY = 26,   /* RECOVER AC */
    K2_S11_WAIT_AC = 27,         /* GENERATE AC after an unsuccessful recovery */
    K2_S12_WAIT_PUT_DATA = 28,   /* PUT DATA before GENERATE AC */
    K2_S13_WAIT_CHECKSUM = 29,   /* COMPUTE CRYPTOGRAPHIC CHECKSUM, no on-device CVM */
    K2_S14_WAIT_CHECKSUM = 30,   /* COMPUTE CRYPTOGRAPHIC CHECKSUM, on-device CVM */
};

enum {
    /* Kernel Configuration, DF811B. The first two bits turn a mode off. */
    K2_MAGSTRIPE_OFF = 0x80,
    K2_EMV_OFF = 0x40,
    K2_ON_DEVICE_CVM = 0x20,
    K2_RELAY_RESISTANCE = 0x10,
    K2_READ_ALL = 0x04,
    /* Application Capabilities Information, 9F5D, byte 2. */
    K2_FIELD_OFF_DETECTION = 0x04,
    K2_BALANCE_READING = 0x02,
    K2_CDA_OVER_AAC = 0x01,
    /* Security Capability, DF811F, and Card Data Input Capability, DF8117. */
    K2_SECURITY_CDA = 0x08,
    K2_INPUT_CHIP = 0x20,
    /* Bytes 1 and 5 of a Terminal Action Code that is not configured (2.1). */
    K2_DEFAULT_TAC_HIGH = 0x84,
    K2_DEFAULT_TAC_LOW = 0x0C,
    /* IDS Status, DF8128. */
    K2_IDS_READ = 0x80,
    K2_IDS_WRITE = 0x40,
    /* DS Summary Status, DF810B; status of PUT DATA, DF810E and DF810F. */
    K2_SUMMARY_READ = 0x80,
    K2_SUMMARY_WRITTEN = 0x40,
    K2_COMPLETED = 0x80,
    /* Largest size of the static data, in bytes (S4.34-35). */
    K2_STATIC_DATA_MAX = 2048,
    K2_VERIFIED_ON_DEVICE = 0x10, /* DF4B byte 2 */
    K2_RECORD_HEADER = 8,         /* tag and length of a template such as FF8104 or FF8101 */
};

enum k2_mode { K2_MODE_NONE = 0, K2_MODE_EMV = 1, K2_MODE_MAGSTRIPE = 2 };
enum k2_resume { K2_RESUME_RELAY = 0, K2_RESUME_CHECKSUM = 1 };
enum k2_later { K2_LATER_AGAIN = 0, K2_LATER_OTHER_CARD = 1, K2_LATER_SECOND_TAP = 2, K2_LATER_DECLINED = 3 };

#define K2_TAGS_TO_READ_MAX 24 /* tags that can wait to be read; further ones are ignored */
#define K2_EVICTED_MAX      3  /* torn records: one expired, one evicted, one with an unresolved write */

/* The comments name the data object or list that a field corresponds to. */
struct k2_memory {
    uint64_t tvr;                             /* 95 */
    uint32_t number;                          /* 9F6A */
    uint16_t active;                          /* slot that GET DATA reads */
    uint16_t measured;                        /* DF8306 */
    struct cemv_span pdol, cdol, drdol;       /* values sent: DF8111 without its header, DF8107, DF8113 */
    struct cemv_span ac;                      /* value of the template that contained the cryptogram */
    struct cemv_span evicted[K2_EVICTED_MAX]; /* torn records that left the log, reported as FF8101 */
    struct cemv_span old_record; /* torn record with an unresolved write, reported if this tap fails (S11.91-92) */
    struct cemv_span write_before, write_after;    /* rest of FF8102, FF8103 */
    struct cemv_record_id record;                  /* that READ RECORD reads */
    uint8_t mode;                                  /* enum k2_mode */
    uint8_t ids;                                   /* DF8128 */
    uint8_t ac_type, control;                      /* AC Type, DF8114 */
    uint8_t retries;                               /* DF8307 */
    uint8_t torn;                                  /* index of the torn record that was found */
    uint8_t summary_status, put_before, put_after; /* DF810B, DF810F, DF810E */
    uint8_t resume;                                /* enum k2_resume */
    uint8_t later;                                 /* enum k2_later: the end after the back-off */
    uint8_t number_digits;                         /* nUN */
    uint8_t pdol_header;                           /* bytes of DF8111 before `pdol` */
    uint8_t old_summary_size;
    uint8_t evicted_count;
    /* `cda`: CDA is performed. `verified`: a signature of this tap is good. `decline`: a rule beyond the charts
     * declines. `protection`: such a rule determined the end. `old_write`: the torn record has an unresolved write. */
    bool cda, verified, decline, protection, store_full, old_write;
    uint8_t relay[14];       /* DF8301, DF8302, DF8303, DF8304, DF8305 */
    uint8_t old_summary[16]; /* 9F7D of the torn record */
    struct cemv_exchange_list to_read, needed;
    struct cemv_exchange_answers to_send;
    uint8_t empty[(CEMV_SLOT_END + 7) / 8]; /* a bit for each slot: the object is present and empty */
};
_Static_assert(sizeof(struct k2_memory) <= CEMV_KERNEL_MEMORY, "Kernel 2 needs more memory of its own");

static inline struct k2_memory *k2_memory_of(struct cemv_kernel *kernel) { return (struct k2_memory *)kernel->memory; }
static inline const struct k2_memory *k2_memory_of_const(const struct cemv_kernel *kernel)
{
    return (const struct k2_memory *)kernel->memory;
}
/* Values of the store (k2_values.c). `fallback` is returned if the object is absent or has another length. */
uint8_t k2_byte(const struct cemv_kernel *kernel, uint16_t slot, uint8_t fallback);
uint16_t k2_word(const struct cemv_kernel *kernel, uint16_t slot, uint16_t fallback);
uint64_t k2_amount(const struct cemv_kernel *kernel, uint16_t slot); /* n 12; 0 if absent */
void k2_put_terminal(struct cemv_kernel *kernel, uint16_t slot, const uint8_t *value, size_t size);
void k2_put_initial_data(struct cemv_kernel *kernel);

/* Stores the card's answers (k2_answers.c). */
enum cemv_store_error k2_store_gpo(struct cemv_kernel *kernel, cemv_bytes body);
enum cemv_store_error k2_store_record(struct cemv_kernel *kernel, cemv_bytes body);
void k2_stop_reading_early(struct cemv_kernel *kernel);
enum cemv_store_error k2_store_ac(struct cemv_kernel *kernel, uint8_t state, cemv_bytes body);
void k2_take_balance(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word, uint16_t slot);

/* Data exchange (3.0; k2_exchange.c). */
void k2_exchange_open(struct cemv_kernel *kernel); /* S1.10, S1.16 */
bool k2_is_empty(const struct cemv_kernel *kernel, uint16_t slot);
bool k2_is_present(const struct cemv_kernel *kernel, uint16_t slot); /* with a value or without */
void k2_mark_empty(struct cemv_kernel *kernel, uint16_t slot);
void k2_need(struct cemv_kernel *kernel, uint16_t slot);
bool k2_need_for_dol(struct cemv_kernel *kernel, cemv_bytes dol); /* true if terminal data are missing */
void k2_spool(struct cemv_kernel *kernel);
void k2_exchange(struct cemv_kernel *kernel); /* DEK */
void k2_exchange_if_needed(struct cemv_kernel *kernel);
void k2_answer(struct cemv_kernel *kernel, uint16_t slot, bool value); /* empty without `value` */
bool k2_answer_rest(struct cemv_kernel *kernel); /* S456.21-23, S78.12-14; true if another record is needed */
bool k2_take_card_tag(struct cemv_kernel *kernel, uint16_t *slot); /* the next tag that GET DATA reads */
bool k2_take_object(struct cemv_kernel *kernel, struct cemv_span *list, struct cemv_tlv *object);
void k2_update(struct cemv_kernel *kernel, cemv_bytes objects); /* DET */
enum cemv_step k2_ask_terminal(struct cemv_kernel *kernel, uint8_t state);

/* Integrated data storage (k2_storage.c). */
bool k2_capabilities_have(const struct cemv_kernel *kernel, unsigned byte, uint8_t bit);
uint8_t k2_storage_version(const struct cemv_kernel *kernel);
bool k2_storage_id_agrees(const struct cemv_kernel *kernel);
void k2_announce_storage(struct cemv_kernel *kernel); /* S1.18 */
void k2_offer_storage(struct cemv_kernel *kernel);    /* S3R1.11-13 */
/* Data for the DSDOL, DF61 computed first (GAC.40-48). False if they do not fit. */
bool k2_build_storage_data(struct cemv_kernel *kernel, uint8_t *out, size_t capacity, size_t *size);
/* One-way functions of data storage, versions 1 and 2: DS Input (Term), DS ID of 8 to 11 bytes, operator. */
void k2_owhf2(const uint8_t input[8], cemv_bytes id, const uint8_t operator_id[8], uint8_t out[8]);
void k2_owhf2_aes(const uint8_t input[8], cemv_bytes id, const uint8_t operator_id[8], uint8_t out[8]);

/* Records of the outcome (1.4; k2_records.c). */
void k2_put_slots(const struct cemv_kernel *kernel, struct cemv_writer *writer, const uint16_t *slots, size_t count);
void k2_put_status(struct cemv_writer *writer, uint32_t tag, uint8_t status);
void k2_put_records(struct cemv_kernel *kernel, bool data_record);
void k2_show_balance(const struct cemv_kernel *kernel, struct cemv_ui_request *request);

/* Torn transactions (1.5; k2_torn.c). */
/* Returns the index of the newest record of this account, or the number of records if the log has no such record. */
uint8_t k2_torn_lookup(const struct cemv_reader_memory *reader, cemv_bytes pan, cemv_bytes sequence);
/* Returns the number of records that the log may hold: DF811D, limited by the memory. */
uint8_t k2_torn_capacity(const struct cemv_reader_memory *reader, uint8_t configured);
uint8_t k2_torn_room(const struct cemv_kernel *kernel);
bool k2_torn_too_old(const struct cemv_kernel *kernel, cemv_bytes record);
bool k2_is_same_sale(const struct cemv_kernel *kernel, cemv_bytes record);
bool k2_old_write_unresolved(const struct cemv_kernel *kernel, uint8_t index);
void k2_torn_store(struct cemv_kernel *kernel, uint8_t capacity);
/* Removes the record from the log; `restore` puts its objects back into this tap (S10.11). */
void k2_torn_take(struct cemv_kernel *kernel, bool restore);
void k2_torn_clean(struct cemv_kernel *kernel); /* S1.4-6: removes and reports one record that is too old */
void k2_report_torn(struct cemv_kernel *kernel, struct cemv_span record); /* as FF8101 of the outcome */

/* Checks of the configuration (k2_configuration.c), and the rules of the protection (k2_protection.c). */
enum cemv_status k2_check(const struct cemv_configuration *configuration, size_t row, struct cemv_config_error *error);
uint8_t k2_configured(const struct cemv_kernel *kernel);       /* DF811B */
uint8_t k2_configuration_of(const struct cemv_kernel *kernel); /* DF811B with the restrictions of the protection */
uint8_t k2_torn_rule(const struct cemv_kernel *kernel);        /* enum cemv_torn, never PROFILE */
bool k2_number_too_short(const struct cemv_kernel *kernel, int digits);
bool k2_is_downgraded(const struct cemv_kernel *kernel);
bool k2_relay_refused(const struct cemv_kernel *kernel);
bool k2_on_exception_list(const struct cemv_kernel *kernel);
void k2_harden_cvm(struct cemv_kernel *kernel, struct cemv_rules_cvm *cvm);
uint8_t k2_guard_type(struct cemv_kernel *kernel, uint8_t type);
bool k2_approval_unproven(const struct cemv_kernel *kernel);

/* From data to decisions (k2_decisions.c). */
bool k2_aip_has(const struct cemv_kernel *kernel, unsigned byte, uint8_t bit);
bool k2_on_device_cvm(const struct cemv_kernel *kernel);
bool k2_above_cvm_limit(const struct cemv_kernel *kernel);
bool k2_above_transaction_limit(const struct cemv_kernel *kernel);
void k2_put_tvr(struct cemv_kernel *kernel);
void k2_choose_capabilities(struct cemv_kernel *kernel);
uint64_t k2_restrictions_of(const struct cemv_kernel *kernel);
void k2_select_cvm(struct cemv_kernel *kernel);
uint8_t k2_analyse(const struct cemv_kernel *kernel);
struct k2_ac k2_reference_control(const struct cemv_kernel *kernel);

/* Combined data authentication (k2_cda.c): the preparation, and the verification with the data taken from the
 * signature. */
struct k2_signed {
    uint8_t number[8], number_size, cryptogram[8];
};
bool k2_prepare_cda(struct cemv_kernel *kernel);
enum cemv_oda_result k2_verify_signature(struct cemv_kernel *kernel, struct k2_signed *out);

/* Relay resistance (k2_relay.c). */
struct cemv_relay_times k2_evaluate_time(const struct cemv_kernel *kernel, uint32_t elapsed_us);
void k2_tell_relay_data(struct cemv_kernel *kernel);

/* Mag-stripe mode over the store (k2_magstripe.c). */
bool k2_begins_with_magstripe_record(cemv_bytes locator);
int k2_number_digits_of(const struct cemv_kernel *kernel);
/* [S7.23] Returns false if a track has no discretionary data. Lowers `digits` to the digits of the number that have a
 * place in each track. */
bool k2_take_discretionary(struct cemv_kernel *kernel, int *digits);
void k2_fill_tracks(struct cemv_kernel *kernel, uint8_t shown_digits);
bool k2_verified_on_device(const struct cemv_kernel *kernel);

#endif
