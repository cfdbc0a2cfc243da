// SPDX-License-Identifier: Apache-2.0
/* Private headers of CEMV and C helpers, for tests only. */
#ifndef CEMV_INTERNALS_H
#define CEMV_INTERNALS_H

#include "../../../Sources/CEMV/wire/wire.h"
#include "../../../Sources/CEMV/data/data.h"
#include "../../../Sources/CEMV/data/dictionary.h"
#include "../../../Sources/CEMV/crypto/crypto.h"
#include "../../../Sources/CEMV/entry/entry.h"
#include "../../../Sources/CEMV/kernels/k2.h"
#include "../../../Sources/CEMV/kernels/k3.h"
#include "../../../Sources/CEMV/kernels/kernel.h"
#include "../../../Sources/CEMV/kernels/k2_memory.h"
#include "../../../Sources/CEMV/session/session.h"
#include "golden.h"
#include "storm.h"
#include "fuzz.h"

#include "cryptogram_laws.h"

/* The bit-fields of a row of the tag dictionary: what the Swift compiler makes of them itself, it cannot always
 * compile. */
static inline uint32_t row_tag(struct cemv_tag_info row) { return row.tag; }
static inline uint32_t row_format(struct cemv_tag_info row) { return row.format; }

/* A walk over every edge of Entry Point and a kernel: fork at every wait, feed every class of reply. */
struct edge_walk {
    uint16_t entry_observed[16]; /* as struct cemv_edges: bit 0 is an end */
    uint16_t kernel_observed[16];
    uint32_t sessions;                 /* distinct waits that were forked */
    uint32_t ends;                     /* outcomes reached */
    uint32_t deepest;                  /* replies from begin to the last wait */
    uint32_t without_exit;             /* waits from which no reply led anywhere else */
    uint32_t changed_by_refused_reply; /* a reply that the step does not take changed the session */
    uint32_t internal_errors;          /* ends with CEMV_REASON_INTERNAL: an edge outside the table */
    uint32_t not_wiped;                /* card bytes left in a finished session */
};
void edge_walk_k3(struct edge_walk *result, uint8_t profile);

/* The same for Kernel 2, whose machine has 32 rows; a walk stops at a limit of sessions. */
struct edge_walk_k2 {
    uint32_t observed[32];
    uint32_t sessions, ends, deepest, without_exit, internal_errors, not_wiped, approvals;
    uint32_t abandoned_badly; /* given up: not done, not wiped, approved, or remembered where nothing can have been
                                 counted */
    uint32_t remembered;      /* given up where the card may have counted, and kept in the log */
};
void edge_walk_k2(struct edge_walk_k2 *result, uint8_t profile);

/* Every truncation and every single-byte corruption of a recorded tap. */
struct corruption_setup {
    const struct cemv_checked *checked;
    struct cemv_transaction transaction;
    cemv_bytes random;
    const cemv_bytes *responses; /* status words included */
    size_t response_count;
    unsigned stride; /* 1: all 255 other values of a byte; n: every nth */
};
struct corruption {
    uint8_t plain_outcome; /* of the undamaged tap */
    uint32_t taps, approved;
    uint32_t not_begun, endless, without_outcome, internal_errors, not_wiped; /* each must stay 0 */
    uint32_t approved_truncated; /* a tap with a shortened response approved offline: must stay 0 */
    uint32_t approved_forged;    /* one with a damaged certificate or signature: must stay 0 */
    struct {                     /* where the last of these stands */
        uint32_t response, offset;
        uint8_t value;
    } forged;
};
void corrupt_everything(const struct corruption_setup *setup, struct corruption *result);

/* A kernel of another maker for Book B tests: writes down what it was given and ends as it is told. */
struct foreign_kernel_script {
    struct cemv_outcome outcome[4]; /* for the first, second ... activation */
    uint8_t commands;               /* READ RECORDs sent before it ends; 0: ends when it is started */
    uint8_t first;                  /* CEMV_STEP_WORK or CEMV_STEP_ASK: begins so; 0: with READ RECORD */
    uint8_t activations;            /* so far */
    struct cemv_activation seen[4];
    uint8_t fci[4][256];
    uint8_t fci_size[4];
    uint8_t online[4][256];
    uint8_t online_size[4];
    uint32_t tag; /* terminal data asked for at each start, and the answer */
    uint8_t value[4][32];
    uint8_t value_size[4];
    uint8_t remembered[4]; /* activations that the kernel's memory knows of, at each start */
};
extern const struct cemv_kernel_functions foreign_kernel;
void foreign_kernel_set(struct foreign_kernel_script *script);

#endif
