/* SPDX-License-Identifier: Apache-2.0 */
/* A walk over every wait of a state machine: forks at each wait, gives every class of reply, and compares the observed
 * edges with the declared edge table. Knows no kernel: kernel-specific parts come with the setup or the plan. Each file
 * walk_kernel_N.c has one kernel's card, readers and invariants; walk_entry.c has Entry Point's. */
#ifndef CEMV_KERNEL_WALK_H
#define CEMV_KERNEL_WALK_H

#include "CEMVInternals.h"

struct kernel_walk_setup {
    const struct cemv_configuration *configuration;
    const struct cemv_transaction *sales; /* `reader`: every fork has a copy of it */
    size_t sale_count;
    /* In hex. A star after a tag becomes the length of the rest, and 9000 is appended. */
    const char *const *responses;
    size_t response_count;
    const struct cemv_reply *replies; /* replies of other kinds: an issuer's answer, random bytes */
    size_t reply_count;
    cemv_bytes random; /* the random pool at the beginning; empty: a pool that suffices */
    const struct cemv_edges *edges;
    /* Returns the invariant that a session violates at this step, or NULL. */
    const char *(*violation)(const struct cemv_session *session);

    /* The rest may be NULL. Hashes the data that decide the future of a session in addition to its state; by default
     * the kernel's memory, the locator, the issuer's answer and the store. */
    uint64_t (*key)(const struct cemv_session *session);
    /* True: this reply is not tried at this wait. By default, while a card is awaited, only that card is tried. */
    bool (*skipped)(const struct cemv_session *session, const struct cemv_reply *reply);
    /* True: the reply's edge does not belong to the kernel; data that may arrive at any time change no state. */
    bool (*passed_over)(const struct cemv_session *before, const struct cemv_reply *reply);
    /* Returns the invariant that is violated after a session was abandoned, like `violation`. */
    const char *(*abandoned)(const struct cemv_session *before, const struct cemv_session *after);
};
struct kernel_walk {
    uint32_t observed[32];                    /* as struct cemv_edges: bit 0 is an end */
    uint32_t entry_observed[CEMV_STATES_MAX]; /* the states of Entry Point likewise; a kernel leaves it at row 0 */
    uint32_t sessions;                        /* distinct waits that were forked */
    uint32_t ends;
    uint32_t without_exit, internal_errors, not_wiped; /* each must stay 0 */
    uint32_t changed_by_refused_reply;                 /* must stay 0: replies that the step does not accept */
    uint32_t given_up_badly; /* must stay 0: abandoned sessions that are not done, not wiped, or approved */
    bool cut_short;          /* more sessions than a walk may have */
    const char *violation;   /* the first violated invariant; NULL: none violated */
};
/* For `violation`: whether the data record has such an object. */
bool kernel_walk_record_has(const struct cemv_session *session, uint32_t tag);
/* For `key`: a digest of bytes, eight at a time, starting from SUM_EMPTY; and the walk's own key, to extend. */
uint64_t kernel_walk_sum(uint64_t sum, const void *data, size_t size);
uint64_t kernel_walk_key(const struct cemv_session *session);
/* Adds to the edges that earlier walks observed; false if the configuration or a transaction is rejected. */
bool kernel_walk(struct kernel_walk *walk, const struct kernel_walk_setup *setup);
/* Returns the number of faults of a walk in addition to wrong edges; prints a line with its figures and the first
 * fault's name. */
int kernel_walk_report(const struct kernel_walk *walk, const char *title);

/* The common setup for walks of one kernel and one combination: several readers, each walked in every profile, at most
 * two taps, transactions of one currency and day. */
struct kernel_walk_reader {
    struct cemv_configuration configuration; /* terminal data, protection, kernel, `row` */
    struct cemv_combination row;             /* AID, identifier, KERNEL_WALK_LIMITS */
    struct kernel_walk_setup setup;
};
struct kernel_walk_plan {
    struct cemv_kernel_row kernel;
    cemv_bytes aid, terminal_data;
    struct cemv_exception exception; /* on the exception file; NULL: no account */
    /* Responses, replies, `violation` and everything else that does not depend on the reader. Only amount and type of
     * the transactions count; the currency is 0978 where absent. */
    struct kernel_walk_setup setup;
    bool has_reader_memory; /* every transaction has it */
    unsigned readers;
    /* Sets the specific values of reader `reader`. Data that it points to must outlive the call. */
    void (*prepare)(struct kernel_walk_reader *own, unsigned reader, uint8_t profile);
};
#define KERNEL_WALK_LIMITS                                                                                             \
    {                                                                                                                  \
        .amount = { [CEMV_LIMIT_TRANSACTION] = 30000, [CEMV_LIMIT_FLOOR] = 5000, [CEMV_LIMIT_CVM_REQUIRED] = 10000 },  \
        .present = 0x0B                                                                                                \
    }
/* A reply with the bytes of an array, and further members. */
#define KERNEL_WALK_REPLY(kind_, list, ...)                                                                            \
    {                                                                                                                  \
        .kind = (kind_), .bytes = { list, sizeof list }, __VA_ARGS__                                                   \
    }
#define KERNEL_WALK_COUNT(list) (sizeof(list) / sizeof(list)[0])
/* Walks every reader in every profile, and compares the edges of each profile; prints a line for each. Returns the
 * number of faults. */
int kernel_walk_all(const struct kernel_walk_plan *plan);

/* Walks Entry Point and each kernel, at several readers and in all profiles; prints the figures and returns the number
 * of faults. */
int walk_entry(void);
int walk_kernel_2(void);
int walk_kernel_3(void);
int walk_kernel_4(void);
int walk_kernel_5(void);
int walk_kernel_6(void);
int walk_kernel_7(void);
int walk_kernel_8(void);
/* The walk's crypto port, which knows no secret: ciphers change nothing, MACs are zero, certificates genuine. */
const struct cemv_crypto *walk_kernel_8_port(void);
/* The key of its only CA: the base point. */
const struct cemv_curve_key *walk_kernel_8_authority(void);

#endif
