/* Private room headers, for tests only. */
#ifndef CEMV_INTERNALS_H
#define CEMV_INTERNALS_H

#include "../../../Sources/CEMV/crypto/crypto.h"
#include "../../../Sources/CEMV/data/data.h"
#include "../../../Sources/CEMV/entry/entry.h"
#include "../../../Sources/CEMV/kernels/kernel.h"
#include "../../../Sources/CEMV/session/session.h"

/* A kernel that does as it is told: `commands` commands, then one outcome per activation. It keeps what it was given. */
struct foreign_kernel_script {
    unsigned commands;
    unsigned activations;
    struct cemv_outcome outcome[4];
    struct cemv_activation seen[4];
    uint8_t fci[4][256], fci_size[4];
    uint8_t online[4][256], online_size[4];
};
extern const struct cemv_kernel_functions foreign_kernel;
void foreign_kernel_set(struct foreign_kernel_script *given);

/* What a walk over every wait saw. Bit n of `..._observed[state]`: went to state n; bit 0: ended or left. */
struct edge_walk {
    uint16_t kernel_observed[16];
    uint16_t entry_observed[16];
    uint32_t sessions, ends, deepest;
    uint32_t internal_errors, changed_by_refused_reply, not_wiped, without_exit;
};
void edge_walk_k3(struct edge_walk *result, uint8_t profile);

#endif
