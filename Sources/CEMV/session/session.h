/* SPDX-License-Identifier: Apache-2.0 */
/* The session: memory, dispatch, Start A to D (Book B, 3.1 to 3.5). The one module that knows both Entry Point and the
 * kernels; it knows no kernel by name. include/cemv_session.h has the driver's contract. */
#ifndef CEMV_SESSION_H
#define CEMV_SESSION_H

#include "../entry/entry.h"
#include "../exchange/exchange.h"
#include "../kernels/kernel.h"

_Static_assert(CEMV_MAX_ISSUER_DATA <= CEMV_STORE_ARENA, "an issuer's answer has room in the arena");

#define CEMV_SESSION_MAGIC 0x43454D56u

struct cemv_session {
    _Alignas(CEMV_ALIGNMENT) uint32_t magic; /* a session's size is a multiple of it */
    bool kernel_active;                      /* replies go to the kernel */
    uint8_t start;                           /* where the pending activation was started */
    bool unable_to_go_online;
    bool removal_timed_out;
    uint8_t pin_entry;             /* enum cemv_pin_entry */
    uint64_t amount, amount_other; /* as the transaction began: they hold until the terminal gives others */
    uint16_t answer_size;          /* of the issuer's data objects, at the end of the arena until the transaction parks
                                      again or is over */
    struct cemv_entry entry;
    struct cemv_kernel kernel; /* last: its store's arena is the wipe's tail */
};
_Static_assert(sizeof(struct cemv_session) <= CEMV_SESSION_SIZE, "CEMV_SESSION_SIZE is too small");

/* The rules of a configuration row, and of a transaction. */
enum cemv_status cemv_transaction_check(const struct cemv_transaction *transaction, const struct cemv_checked *checked,
                                        struct cemv_config_error *error);

/* The amount wait (amount.c): requests an amount for the application that was selected, and continues with the answer.
 */
struct cemv_amount_wait {
    enum cemv_step (*ask)(struct cemv_session *s);
    enum cemv_step (*answered)(struct cemv_session *s, const struct cemv_reply *reply);
};
/* Of session.c, for it. */
enum cemv_step cemv_session_end_now(struct cemv_session *s, uint8_t reason, bool show);
enum cemv_step cemv_session_end_not_allowed(struct cemv_session *s, uint8_t reason);
enum cemv_step cemv_session_amounts_changed(struct cemv_session *s); /* activates the kernel with them */

#endif
