/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EMV_BENCH_CHAIN_H
#define EMV_BENCH_CHAIN_H

#include "dialogue.h"

/* Recovers both certificates and verifies the signature of the chain in use. */
bool emv_bench_verify_chain(void);

#endif
