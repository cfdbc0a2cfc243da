/* Kernel 2: its own memory during one activation, and what k2.c and k2_exchange.c give each other. */
#ifndef CEMV_K2_MEMORY_H
#define CEMV_K2_MEMORY_H

#include "k2.h"
#include "kernel.h"

enum k2_mode { K2_MODE_NONE = 0, K2_MODE_EMV = 1, K2_MODE_MAGSTRIPE = 2 };
enum k2_resume { K2_RESUME_RELAY = 0, K2_RESUME_CHECKSUM = 1 };
enum k2_later { K2_LATER_AGAIN = 0, K2_LATER_OTHER_CARD = 1, K2_LATER_SECOND_TAP = 2, K2_LATER_DECLINED = 3 };

#define K2_LIST_MAX 24          /* tags of one list; further ones are left out */
#define K2_LIST_ABSENT 0x8000   /* beside a slot of Data To Send: answered with an empty object */

struct k2_list {
    uint8_t count;
    uint16_t slot[K2_LIST_MAX];
};
/* Bytes kept in the store's arena. */
struct k2_span {
    uint16_t offset, size;
};

struct k2_memory {
    uint64_t tvr;                           /* 95 */
    uint32_t number;                        /* 9F6A */
    uint16_t field_off;
    uint16_t active;                        /* slot being read by GET DATA */
    uint16_t static_size;
    uint16_t measured;                      /* DF8306 */
    uint16_t later_status_word;
    struct k2_span pdol, cdol, drdol;       /* values sent: DF8111 behind its header, DF8107, DF8113 */
    struct k2_span ac;                      /* value of the response template of the cryptogram */
    struct k2_span evicted, old_record;     /* torn records that left the log: to be reported as FF8101 */
    struct k2_span write_before, write_after;   /* what is left of FF8102, FF8103 */
    struct cemv_record_id record;           /* being read */
    uint8_t mode;                           /* enum k2_mode */
    uint8_t ids;                            /* DF8128 */
    uint8_t ac_type, control;               /* AC Type, DF8114 */
    uint8_t cvm;                            /* enum cemv_cvm */
    uint8_t retries;                        /* DF8307 */
    uint8_t torn;                           /* index of the record found */
    uint8_t summary_status, put_before, put_after;   /* DF810B, DF810F, DF810E */
    uint8_t resume;                         /* enum k2_resume */
    uint8_t later, later_l1, later_l2;      /* enum k2_later: what ends the transaction after the back-off */
    uint8_t number_digits;                  /* nUN */
    uint8_t pdol_header;                    /* bytes before `pdol` that belong to DF8111 */
    uint8_t old_summary_size;
    bool cda, receipt, verified, decline, protection, store_full, old_write;
    uint8_t relay[14];                      /* DF8301, DF8302, DF8303, DF8304, DF8305 */
    uint8_t old_summary[16];                /* 9F7D of the torn record */
    struct k2_list to_read, to_send, needed;
    uint8_t empty[(CEMV_SLOT_COUNT + 7) / 8];   /* present and empty: the terminal announced it */
};
_Static_assert(sizeof(struct k2_memory) <= CEMV_KERNEL_MEMORY, "Kernel 2 needs more memory of its own");

static inline struct k2_memory *k2_memory_of(struct cemv_kernel *kernel) { return (struct k2_memory *)kernel->memory; }
static inline const struct k2_memory *k2_memory_of_const(const struct cemv_kernel *kernel) { return (const struct k2_memory *)kernel->memory; }
static inline cemv_bytes k2_value(const struct cemv_kernel *kernel, uint16_t slot) { return cemv_store_value(&kernel->store, slot); }
static inline cemv_bytes k2_bytes(const struct cemv_kernel *kernel, struct k2_span span)
{
    return (cemv_bytes){ kernel->store.arena + span.offset, span.size };
}
uint8_t k2_byte(const struct cemv_kernel *kernel, uint16_t slot, uint8_t fallback);
uint16_t k2_word(const struct cemv_kernel *kernel, uint16_t slot, uint16_t fallback);
uint64_t k2_amount(const struct cemv_kernel *kernel, uint16_t slot);    /* n 12; 0 where absent */
bool k2_keep(struct cemv_kernel *kernel, cemv_bytes bytes, struct k2_span *span);
struct cemv_ui_request k2_phone_request(const struct cemv_kernel *kernel);

/* Data exchange (3.0). */
void k2_exchange_open(struct cemv_kernel *kernel);                      /* S1.10, S1.16: what the terminal announced */
bool k2_is_empty(const struct cemv_kernel *kernel, uint16_t slot);
bool k2_is_present(const struct cemv_kernel *kernel, uint16_t slot);    /* with a value or without */
void k2_mark_empty(struct cemv_kernel *kernel, uint16_t slot);
void k2_need(struct cemv_kernel *kernel, uint16_t slot);
bool k2_need_for_dol(struct cemv_kernel *kernel, cemv_bytes dol);       /* true if terminal data are missing */
void k2_spool(struct cemv_kernel *kernel);
void k2_exchange(struct cemv_kernel *kernel);                           /* DEK */
void k2_exchange_if_needed(struct cemv_kernel *kernel);
void k2_answer(struct cemv_kernel *kernel, uint16_t slot);
void k2_answer_rest(struct cemv_kernel *kernel);                        /* S456.21-23, S78.12-14 */
void k2_announce_storage(struct cemv_kernel *kernel);                   /* S1.18 */
void k2_offer_storage(struct cemv_kernel *kernel);                      /* S3R1.11-13 */
bool k2_has_card_tag(const struct cemv_kernel *kernel);
bool k2_take_card_tag(struct cemv_kernel *kernel, uint16_t *slot);      /* the next tag that GET DATA reads */
bool k2_take_object(struct cemv_kernel *kernel, struct k2_span *list, struct cemv_tlv *object);
void k2_update(struct cemv_kernel *kernel, cemv_bytes objects);         /* DET */
enum cemv_step k2_ask_terminal(struct cemv_kernel *kernel, uint8_t state);

/* Data for the DSDOL, DF61 computed first (GAC.40-48). False if they do not fit. */
bool k2_build_storage_data(struct cemv_kernel *kernel, uint8_t *out, size_t capacity, size_t *size);

/* One-way functions of data storage, versions 1 and 2: DS Input (Term), DS ID of 8 to 11 bytes, operator. */
void k2_owhf2(const uint8_t input[8], cemv_bytes id, const uint8_t operator_id[8], uint8_t out[8]);
void k2_owhf2_aes(const uint8_t input[8], cemv_bytes id, const uint8_t operator_id[8], uint8_t out[8]);

/* Records of the outcome (1.4) and of the torn log (1.5). */
void k2_put_records(struct cemv_kernel *kernel, const struct cemv_outcome *outcome, bool data_record);
void k2_torn_store(struct cemv_kernel *kernel, uint8_t capacity);
void k2_torn_take(struct cemv_kernel *kernel, bool restore);            /* out of the log; `restore` puts its objects back (S10.11) */
void k2_torn_clean(struct cemv_kernel *kernel);                         /* S1.4-6: one that is too old leaves the log */
bool k2_torn_too_old(const struct cemv_kernel *kernel, cemv_bytes record);

#endif
