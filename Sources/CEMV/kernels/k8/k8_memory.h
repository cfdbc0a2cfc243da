/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 8: its memory during a transaction, and the functions that its parts call in each other. The parts: k8.c is
 * the dialogue, k8_data.c values and lists over the tag store, k8_exchange.c data exchange with the terminal,
 * k8_authentication.c the MACs and certificates of a transaction, k8_end.c outcomes and their records,
 * k8_configuration.c the settings. */
#ifndef CEMV_K8_MEMORY_H
#define CEMV_K8_MEMORY_H

#include "k8.h"
#include "k8_channel.h"
#include "k8_tags.h"
#include "../kernel.h"
#include "../../exchange/exchange.h"

/* States and their numbers in Book C-8, chapter 6. */
enum k8_state {
    /* Awaits random bytes of the driver for the kernel's key pair and unpredictable number. */
    K8_S1_WAIT_RANDOM = 1,
    /* Awaits the response to GET PROCESSING OPTIONS: the card's blinded key, with which the secure channel is
     * opened. */
    K8_S20_WAIT_GPO = 2,
    /* Awaits the response to EXCHANGE RELAY RESISTANCE DATA, whose delay is measured. Repeated up to twice if it is
     * late. */
    K8_S21_WAIT_RELAY = 3,
    /* Awaits random bytes of the driver for that exchange. */
    K8_S21_WAIT_RANDOM = 4,
    /* Awaits a record of the active AFL, plain or enciphered. */
    K8_S22_WAIT_RECORD = 5,
    /* Awaits the response to READ DATA: a data envelope that the terminal has requested. */
    K8_S23_WAIT_READ_DATA = 6,
    /* Awaits the terminal's permission to continue. */
    K8_S24_WAIT_FIRST_WRITE = 7,
    /* Awaits the response to GENERATE AC: the card's decision and the MAC that binds it to this channel. */
    K8_S26_WAIT_AC = 8,
    /* Awaits that the step's messages and data are published: "card read", unless envelopes are still to be written.
     * MACs and certificates are checked afterwards. */
    K8_S27_WAIT_CARD_READ = 9,
    /* Awaits the response to WRITE DATA: the card's confirmation of an envelope. The outcome is already decided. */
    K8_S30_WAIT_WRITE_DATA = 10,
};

enum k8_l2 {
    K8_L2_TERMINAL_DATA_ERROR = 0x0F,
    K8_L2_DECRYPTION_FAILED = 0x10,
    K8_L2_EDA_MAC_FAILED = 0x13,
};

enum {
    K8_LIST_MAX = 24,       /* tags in a list of data exchange; further ones are dropped */
    K8_ENVELOPES_MAX = 512, /* bytes waiting to be written */
    K8_OWN_MAX = CEMV_KERNEL_8_PROPRIETARY_MAX,
};
struct k8_list {
    uint8_t count;
    uint32_t tag[K8_LIST_MAX];
};

struct k8_memory {
    uint8_t restarts; /* over all activations of a transaction; each activation clears the other members */
    /* Secrets: wiped when the activation ends. */
    struct k8_channel channel;
    uint8_t private_key[CEMV_P256_SIZE], factor[CEMV_P256_SIZE];
    uint8_t drawn; /* available bytes of the private key */
    uint64_t tvr;
    struct cemv_record_id record; /* the record that is being read */
    struct cemv_span pdol, cdol;  /* values as sent */
    struct cemv_span answer;      /* the response to GENERATE AC */
    struct cemv_span extended;    /* Extended SDA data */
    struct cemv_span envelopes;   /* Data Envelopes To Write */
    struct cemv_span writing;     /* the envelope that was sent last */
    uint8_t signed_count;
    struct cemv_span signed_records[CEMV_MAX_RECORDS];
    uint8_t relay[14]; /* entropy and the last response */
    uint8_t retries;
    uint8_t version;  /* common version of card and kernel: 1 or 2 */
    uint8_t decision; /* enum k8_decision */
    bool begun;       /* states 1 and 2 are over: the list of discretionary data applies */
    bool relay_done, store_full, protection;
    bool local;                       /* local authentication is performed */
    bool authentic;                   /* and has not failed yet: the channel ends in the card */
    bool terminal_failed;             /* a format error in the terminal's data while the card was busy */
    bool card_tvr_late, restart_late; /* 9F8104, 9F8108 came before GENERATE AC */
    uint8_t issuer_done;              /* issuer certificate: 1 computed, 2 not to be computed ahead */
    uint8_t issuer_step;              /* its failing step */
    uint8_t issuer_day[4];            /* the day of that computation, in UTC */
    uint8_t issuer_key[2 * CEMV_P256_SIZE];
    uint8_t hash[CEMV_SHA256_SIZE];    /* of the static data */
    uint8_t read_status, write_status; /* 9F821C, 9F821B */
    struct k8_list to_read, to_send, needed, to_validate;
    uint8_t own_count;
    struct {
        uint32_t tag;
        struct cemv_span span; /* empty: the card may fill it */
    } own[K8_OWN_MAX];
    uint8_t empty[(CEMV_SLOT_END + 7) / 8]; /* present without a value */
};
_Static_assert(sizeof(struct k8_memory) <= CEMV_KERNEL_MEMORY_MAX, "Kernel 8 needs more memory of its own");
_Static_assert(CEMV_SESSION_SIZE + sizeof(struct k8_memory) <= CEMV_KERNEL_8_SESSION_SIZE, "a session with Kernel 8");

struct k8_memory *k8_memory_of(const struct cemv_kernel *kernel);

/* ---- data (k8_data.c) -------------------------------------------------------------------------------------------- */

uint16_t k8_word(const struct cemv_kernel *kernel, uint16_t slot);
uint64_t k8_bits(const struct cemv_kernel *kernel, uint16_t slot);
uint64_t k8_amount(const struct cemv_kernel *kernel, uint16_t slot);
void k8_put(struct cemv_kernel *kernel, uint16_t slot, const uint8_t *bytes, size_t size);
void k8_put_tvr(struct cemv_kernel *kernel);
bool k8_keep(struct cemv_kernel *kernel, cemv_bytes bytes, struct cemv_span *span);
void k8_mark_empty(struct cemv_kernel *kernel, uint16_t slot);
bool k8_is_empty(const struct cemv_kernel *kernel, uint16_t slot);
/* The object of a tag, this kernel's or proprietary; true if it is present, with a value or without. */
bool k8_find(const struct cemv_kernel *kernel, uint32_t tag, cemv_bytes *value);
/* Marks a stored object as signed: it is in a signed record or in the Extended SDA data (annex B.2). */
void k8_cover(struct cemv_kernel *kernel, uint16_t slot);
/* Stores a string from the card (4.1.3); returns an enum cemv_error_l2. `kept` may be NULL. */
uint8_t k8_store_string(struct cemv_kernel *kernel, cemv_bytes string, bool is_signed, struct cemv_span *kept);
/* Stores a record as received, plain or enciphered (C.18, C.23). */
uint8_t k8_store_record(struct cemv_kernel *kernel, cemv_bytes body, bool is_signed);
/* Writes the values for a list (4.1.4). Returns false if the list is cut off, has a tag of four bytes, or requests more
 * than `capacity`. */
bool k8_build_list(const struct cemv_kernel *kernel, cemv_bytes dol, uint8_t *out, size_t capacity, size_t *size);
/* The next tag of a list. Returns false at its end; sets `bad` if the list is cut off or has a tag of four bytes. */
bool k8_next_tag(cemv_bytes *list, uint32_t *tag, bool *bad);

/* ---- settings (k8_configuration.c) ------------------------------------------------------------------------------- */

const struct cemv_kernel_8_options *k8_options_of(const struct cemv_kernel *kernel);
enum cemv_status k8_check(const struct cemv_configuration *configuration, size_t row, struct cemv_config_error *error);
/* Loads defaults (T A.38), transaction data by the rights of ACT, and proprietary objects (KS.1, 1.12). Returns false
 * if there is no space. */
bool k8_open_data(struct cemv_kernel *kernel);
enum k8_kernel_configuration { K8_RSA = 0x20, K8_RELAY = 0x10, K8_REPORT_LOCAL_FAILURE = 0x08 };
bool k8_configured(const struct cemv_kernel *kernel, uint8_t bit);
/* The action analysis of this transaction, including the rules of the protection (attacks.md, A28). */
uint8_t k8_analyse(struct cemv_kernel *kernel);

/* ---- data exchange (k8_exchange.c) ------------------------------------------------------------------------------- */

/* For the data of ACT and DET (1.12, 4.3). Both return false for a format error (4.7.2). */
bool k8_open_exchange(struct cemv_kernel *kernel);
bool k8_update(struct cemv_kernel *kernel, cemv_bytes objects);
void k8_need(struct cemv_kernel *kernel, uint16_t slot);
void k8_spool(struct cemv_kernel *kernel);
/* DEK: sends data to the terminal with the next step. */
void k8_exchange(struct cemv_kernel *kernel);
size_t k8_put_needed(const struct cemv_kernel *kernel, uint8_t *out);
/* Takes the first tag of an envelope out of the list (GetNextReadDataTagFromList). Returns 0 if there is no such
 * tag. */
uint32_t k8_take_envelope_tag(struct k8_list *list);
void k8_add_tag(struct k8_list *list, uint32_t tag);
bool k8_remove_tag(struct k8_list *list, uint32_t tag);

/* ---- authentication (k8_authentication.c) ------------------------------------------------------------------------ */

/* Marks the present objects of the Extended SDA Tag List as signed: the certificate covers them. */
void k8_cover_extended(struct cemv_kernel *kernel);
/* Gathers the Extended SDA data (2627.8). Returns false for a malformed list or a lack of space. */
bool k8_gather_extended(struct cemv_kernel *kernel);
/* True if somebody checks the IAD-MAC against the real card (attacks.md, A37): either the issuer, who finds its copy
 * under the cryptogram, or the kernel, whose EDA-MAC covers it in version 2 (28.14) if the channel ends in the card. In
 * version 1 the EDA-MAC covers only the copy. */
bool k8_mac_is_checked(const struct cemv_kernel *kernel);
/* Computes the IAD-MAC (2627.11, .12) and stores it in 9F8109 and, if the card requests it, in 9F10 (S28). Returns
 * false if there is no place for it. */
bool k8_bind_iad(struct cemv_kernel *kernel);
bool k8_eda_holds(const struct cemv_kernel *kernel);
enum k8_local { K8_LOCAL_GOOD = 0, K8_LOCAL_FAILED = 1, K8_LOCAL_DATA_MISSING = 2 };
uint8_t k8_authenticate(struct cemv_kernel *kernel);
/* Remembers the card key of an open channel, for later taps at this reader. */
void k8_remember_card_key(struct cemv_kernel *kernel);
bool k8_precompute(struct cemv_kernel *kernel);
bool k8_precompute_due(const struct cemv_kernel *kernel);

/* ---- ends (k8_end.c) --------------------------------------------------------------------------------------------- */

/* Sends a UI request immediately. */
void k8_show(struct cemv_kernel *kernel, uint8_t message, uint8_t status);
enum cemv_step k8_end_card(struct cemv_kernel *kernel, uint8_t l2, uint16_t status_word);
enum cemv_step k8_end_next(struct cemv_kernel *kernel, uint8_t l2, uint16_t status_word);
enum cemv_step k8_end_link(struct cemv_kernel *kernel, uint8_t l1);
enum cemv_step k8_end_terminal(struct cemv_kernel *kernel, uint8_t l3, uint8_t reason);
/* S2930, after everything has been decided. */
enum cemv_step k8_end_decided(struct cemv_kernel *kernel);

#endif
