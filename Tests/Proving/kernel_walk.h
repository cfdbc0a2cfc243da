/* SPDX-License-Identifier: Apache-2.0 */
/* A walk over every wait of a state machine: fork at each, give every class of reply, compare what is observed with the
 * declared edge table. Knows no kernel: what is particular to one comes in with the setup or the plan. Each file
 * walk_kernel_N.c has one kernel's card, readers and invariants; walk_entry.c has Entry Point's. */
#ifndef CEMV_KERNEL_WALK_H
#define CEMV_KERNEL_WALK_H

#include "CEMVInternals.h"

struct kernel_walk_setup {
    const struct cemv_configuration *configuration;
    const struct cemv_transaction *sales; /* `reader`: every fork has a copy of it */
    size_t sale_count;
    /* In hex. A star after a tag stands for the length of all that follows, and for 9000 behind it. */
    const char *const *responses;
    size_t response_count;
    const struct cemv_reply *replies; /* of other kinds: an issuer's answer, random bytes */
    size_t reply_count;
    cemv_bytes random; /* the pool at the beginning; empty: one that suffices */
    const struct cemv_edges *edges;
    /* The invariant that a session violates at one of its steps; NULL: none. */
    const char *(*violation)(const struct cemv_session *session);

    /* The rest may be NULL. What decides the future of a session beside its state; else the kernel's memory, the
     * locator, the issuer's answer and the store. */
    uint64_t (*key)(const struct cemv_session *session);
    /* A reply is not tried at this wait; else, while a card is awaited, all but that card. */
    bool (*skipped)(const struct cemv_session *session, const struct cemv_reply *reply);
    /* A reply's edge is not the kernel's: what comes at any time changes no state. */
    bool (*passed_over)(const struct cemv_session *before, const struct cemv_reply *reply);
    /* The invariant that is violated after a session was abandoned, as `violation`. */
    const char *(*abandoned)(const struct cemv_session *before, const struct cemv_session *after);
};
struct kernel_walk {
    uint32_t observed[32];                    /* as struct cemv_edges: bit 0 is an end */
    uint32_t entry_observed[CEMV_STATES_MAX]; /* the same of Entry Point; a kernel leaves it at row 0 */
    uint32_t sessions;                        /* distinct waits that were forked */
    uint32_t ends;
    uint32_t without_exit, internal_errors, not_wiped; /* each must stay 0 */
    uint32_t changed_by_refused_reply;                 /* as must this: a reply that the step does not take */
    uint32_t given_up_badly; /* and this: abandoned, and then not done, not wiped, or approved */
    bool cut_short;          /* more sessions than a walk may have */
    const char *violation;   /* the first violated, NULL: none */
};
/* For `violation`: the data record has such an object. */
bool kernel_walk_record_has(const struct cemv_session *session, uint32_t tag);
/* For `key`: a digest of bytes, eight at a time, begun with SUM_EMPTY; and the walk's own key, to add to. */
uint64_t kernel_walk_sum(uint64_t sum, const void *data, size_t size);
uint64_t kernel_walk_key(const struct cemv_session *session);
/* Adds to what earlier walks observed; false if the configuration or a sale is refused. */
bool kernel_walk(struct kernel_walk *walk, const struct kernel_walk_setup *setup);
/* How many faults a walk has beside the edges; prints a line with its figures and the first fault's name. */
int kernel_walk_report(const struct kernel_walk *walk, const char *title);

/* What walks of one kernel and one combination have in common: several readers, each walked in every profile, with two
 * taps at most; sales of one currency and day. */
struct kernel_walk_reader {
    struct cemv_configuration configuration; /* terminal data, protection, kernel, `row` */
    struct cemv_combination row;             /* AID, identifier, KERNEL_WALK_LIMITS */
    struct kernel_walk_setup setup;
};
struct kernel_walk_plan {
    struct cemv_kernel_row kernel;
    cemv_bytes aid, terminal_data;
    struct cemv_exception exception; /* on the exception file; without an account: none */
    /* Responses, replies, `violation` and what else is the same for every reader. Of the sales amount and type count;
     * 0978 where there is no currency. */
    struct kernel_walk_setup setup;
    bool has_reader_memory; /* every sale has one */
    unsigned readers;
    /* What reader number `reader` has of its own. What is pointed to must outlive the call. */
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
/* Walks every reader in every profile, and compares the edges of each profile; prints a line for each. How many faults.
 */
int kernel_walk_all(const struct kernel_walk_plan *plan);

/* Walks of Entry Point and of each kernel, at several readers and in all profiles: how many faults, after lines with
 * the figures. */
int walk_entry(void);
int walk_kernel_2(void);
int walk_kernel_3(void);
int walk_kernel_4(void);
int walk_kernel_5(void);
int walk_kernel_6(void);
int walk_kernel_7(void);
int walk_kernel_8(void);
/* Its crypto port, which knows no secret: ciphers change nothing, MACs are zero, certificates genuine. */
const struct cemv_crypto *walk_kernel_8_port(void);
/* The key of its one authority: the base point. */
const struct cemv_curve_key *walk_kernel_8_authority(void);

#endif
