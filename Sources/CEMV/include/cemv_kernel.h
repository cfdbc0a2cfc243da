// SPDX-License-Identifier: Apache-2.0
/* For kernels of other makers: what Entry Point gives a kernel, and how a kernel answers.
 * A kernel is one row { identifier, functions } of the configuration's kernel table; the built-in ones are ordinary
 * rows.
 *
 * start() is called at every activation (Book B, 3.4), reply() for every reply after that. Both end with exactly one of
 * cemv_kernel_send(), cemv_kernel_ask(), cemv_kernel_publish() or cemv_kernel_finish(), and return what it returned. */
#ifndef CEMV_KERNEL_PUBLIC_H
#define CEMV_KERNEL_PUBLIC_H

#include "cemv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What Entry Point gives (Book B, 3.4.1; Book A, 8.1.1.7-8). All bytes live until the kernel finishes. */
struct cemv_activation {
    uint8_t start;        /* enum cemv_start: where Entry Point was started; A for a new transaction */
    bool restarted;       /* Restart flag (Book B, glossary): activated again within the transaction for the
                             same combination and ADF name, but not after Select Next */
    cemv_bytes df_name;   /* ADF name as selected, extended selection included */
    cemv_bytes aid;       /* of the reader combination */
    cemv_bytes fci;       /* response of the final SELECT; empty at Start D */
    uint16_t status_word; /* of the final SELECT; 0 at Start D */
    struct cemv_indicators indicators; /* with the copy of TTQ */
    const struct cemv_combination *combination;
    const struct cemv_transaction *transaction; /* ask cemv_kernel_terminal_data() for data objects */
    uint8_t unpredictable_number[4];            /* fresh for every activation */
    bool online_response_present;               /* restarted with an issuer's answer */
    bool unable_to_go_online;                   /* no answer came */
    bool removal_timed_out;
    bool pin_not_captured;      /* restarted after a PIN entry that brought none */
    cemv_bytes online_response; /* 8A, 91, 71, 72 as data objects */
};
struct cemv_activation cemv_kernel_activation(const struct cemv_kernel *kernel);

/* A terminal data object: transaction, combination or terminal, in that order. Empty if there is none. */
cemv_bytes cemv_kernel_terminal_data(const struct cemv_kernel *kernel, uint32_t tag);
/* Values for a DOL from terminal data (Book 3, 5.4); false if they exceed `capacity`. */
bool cemv_kernel_build_dol(const struct cemv_kernel *kernel, cemv_bytes dol, uint8_t *out, size_t capacity,
                           size_t *size);

/* Memory of the kernel's own that lives through a transaction's activations of the same kernel, zero at first. */
#define CEMV_KERNEL_MEMORY 512
void *cemv_kernel_memory(struct cemv_kernel *kernel);

/* Queues a user interface request with the next step; false if the kernel's share of the queue is full. The request on
 * outcome and those of Entry Point have places of their own. */
#define CEMV_MAX_KERNEL_UI_REQUESTS 3
bool cemv_kernel_show(struct cemv_kernel *kernel, const struct cemv_ui_request *request);

enum cemv_step cemv_kernel_send(struct cemv_kernel *kernel, uint8_t state, const struct cemv_command *command);
enum cemv_step cemv_kernel_ask(struct cemv_kernel *kernel, uint8_t state, cemv_bytes question, uint32_t deadline_ms);
enum cemv_step cemv_kernel_publish(struct cemv_kernel *kernel, uint8_t state);
/* The state given with the step that is being answered. */
uint8_t cemv_kernel_state(const struct cemv_kernel *kernel);
/* Ends the activation. `data_record` and `discretionary` are copied (up to CEMV_RECORD_CAPACITY bytes together, else
 * they are left out and the outcome ends with CEMV_REASON_STORE_FULL). */
#define CEMV_RECORD_CAPACITY 1024
/* An outcome with every parameter "N/A", "No" or zero (Book A, Table 6-2), to start a kernel's outcome from. A zeroed
 * struct asks for Start A and the field off. */
struct cemv_outcome cemv_outcome_of(uint8_t status, uint8_t reason);
/* A user interface request without hold time and value. */
struct cemv_ui_request cemv_ui_of(uint8_t message, uint8_t status);
/* Sets the request on outcome and its presence flag. */
void cemv_outcome_show(struct cemv_outcome *outcome, uint8_t message, uint8_t status);

enum cemv_step cemv_kernel_finish(struct cemv_kernel *kernel, const struct cemv_outcome *outcome,
                                  cemv_bytes data_record, cemv_bytes discretionary);

#ifdef __cplusplus
}
#endif
#endif
