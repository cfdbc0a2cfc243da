/* SPDX-License-Identifier: Apache-2.0 */
/* Known answers of Kernel 8's cryptography with their intermediate values (Tests/Independent/k8-vectors.json):
 * a sheet of labels and values is a chunk. */
#ifndef CEMV_INDEPENDENT_VECTORS_H
#define CEMV_INDEPENDENT_VECTORS_H

#include <stdbool.h>
#include <stddef.h>

/* The text must stay in memory; false if it cannot be read as such a file. */
bool independent_vectors_open(const char *text, size_t size);
size_t independent_vectors_count(void);
/* False if a value of the sheet differs from CEMV's; `label` (optional) is then its name in the text. */
bool independent_vectors_hold(size_t sheet, const char **label);

#endif
