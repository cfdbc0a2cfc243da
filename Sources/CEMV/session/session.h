// SPDX-License-Identifier: Apache-2.0
/* The session: memory, dispatch, Start A to D. The one room that knows both Entry Point and the kernels. */
#ifndef CEMV_SESSION_H
#define CEMV_SESSION_H

#include "../entry/entry.h"
#include "../kernels/kernel.h"

#define CEMV_SESSION_MAGIC 0x43454D56u

struct cemv_session {
    uint32_t magic;
    bool kernel_active; /* replies go to the kernel */
    uint8_t start;      /* where the pending activation was started */
    bool unable_to_go_online;
    bool removal_timed_out;
    bool pin_not_captured;
    uint16_t answer_size; /* of the issuer's data objects kept over a restart */
    uint8_t answer[CEMV_MAX_ISSUER_DATA];
    struct cemv_entry entry;
    struct cemv_kernel kernel; /* last: its store's arena is the wipe's tail */
};
_Static_assert(sizeof(struct cemv_session) <= CEMV_SESSION_SIZE, "CEMV_SESSION_SIZE is too small");

/* The rules of a configuration row, and of a transaction. */
enum cemv_status cemv_transaction_check(const struct cemv_transaction *transaction, struct cemv_config_error *error);

#endif
