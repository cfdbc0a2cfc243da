/* Sums over what the core does, kept in Tests/Golden/sums.txt: another sum is another behaviour, and has to be looked at. They stand beside the
 * laws, which say what is right, and reach where no law was written. */
#ifndef CEMV_SUMS_H
#define CEMV_SUMS_H

#include "golden.h"

/* The golden taps that they begin from; must outlive them. */
void sums_open(const struct golden_file *file, struct golden_bench *bench);
size_t sum_count(void);
const char *sum_name(size_t sum);
/* A sum is made of parts; each stands alone. Answers 0 if a law was broken on the way, and its name. */
size_t sum_parts(size_t sum);
uint64_t sum_run(size_t sum, size_t part, const char **law);

/* The decisions of the kernels over drawn inputs. */
#define DECISION_PARTS 24
uint64_t decisions_sum(size_t part);
/* Parts of the core called by themselves over drawn inputs. */
#define ROOM_PARTS 55
uint64_t rooms_sum(size_t part, const char **law);
/* Parts of Kernel 2 and of what kernels share, called by themselves over a drawn store. */
#define WEIGHING_PARTS 45
uint64_t weighing_sum(size_t part, const char **law);
/* Kernel 2 alone against a drawn card and a drawn terminal. */
#define DIALOGUE_PARTS 60
uint64_t dialogues_sum(size_t part, const char **law);
/* Kernel 3 called by itself: presentments of drawn cards, answers of drawn issuers. */
#define PRESENTMENT_PARTS 60
uint64_t presentments_sum(size_t part, const char **law);

#endif
