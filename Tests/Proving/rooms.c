/* Sums over parts of the core called by themselves: the store, a host's readers, the issuer's data set. */
#include <string.h>

#include "CEMVInternals.h"
#include "sums.h"

uint64_t rooms_sum(size_t part) { return part + 1; }
