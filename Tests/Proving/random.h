/* SPDX-License-Identifier: Apache-2.0 */
/* Random runs: perturbed recorded taps, a host's parsing, the kernels' decisions, modules called by themselves with
 * random inputs, random runs of Kernels 2 and 3. Each part checks invariants and returns a digest of all its results.
 * Digests are not stored: a second run of a part must give an equal one, whatever the memory held before. */
#ifndef CEMV_RANDOM_H
#define CEMV_RANDOM_H

#include "taps.h"

/* The recorded taps that some runs begin from; they must outlive the runs. */
void random_open(const struct recorded_taps *recorded, struct tap_bench *bench);
size_t random_count(void);
const char *random_name(size_t run);
/* A run has parts, each of which can be run alone. Returns its digest, or 0 if an invariant does not hold, whose name
 * is then in `*violated`. */
size_t random_parts(size_t run);
uint64_t random_run(size_t run, size_t part, const char **violated);
/* Runs a part twice, with different bytes in the memory that it uses; false if an invariant did not hold or the digests
 * differ. */
bool random_holds(size_t run, size_t part, const char **violated);

/* The decisions of the kernels over random inputs. */
#define DECISION_PARTS 24
uint64_t random_decisions(size_t part);
/* Modules of the core called by themselves over random inputs. */
#define MODULE_PARTS 55
uint64_t random_modules(size_t part, const char **violated);
/* Parts of Kernel 2 and of the code that kernels share, called by themselves over a random store. */
#define KERNEL_2_MODULE_PARTS 45
uint64_t random_kernel_2_parts(size_t part, const char **violated);
/* Kernel 2 alone against a random card and a random terminal. */
#define KERNEL_2_RUN_PARTS 60
uint64_t random_kernel_2(size_t part, const char **violated);
/* Kernel 3 called by itself: presentments of random cards, answers of random issuers. */
#define KERNEL_3_RUN_PARTS 60
uint64_t random_kernel_3(size_t part, const char **violated);

#endif
