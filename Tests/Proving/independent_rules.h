/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the pure rules of Entry Point and of kernels against cases of independent implementations
 * (Tests/Independent/generators). The cases are a text, one per line; chunks of lines are separate checks. */
#ifndef CEMV_INDEPENDENT_RULES_H
#define CEMV_INDEPENDENT_RULES_H

#include <stdbool.h>
#include <stddef.h>

/* Adds a file of cases, which must stay in memory while it is used, to those already loaded. False if it is empty or
 * has more chunks than fit. */
bool independent_rules_open(const char *file, const char *text, size_t size);

/* The number of chunks. */
size_t independent_rules_count(void);
const char *independent_rules_file(size_t chunk);

/* Runs one chunk. False if the result of a case differs from the file or the case cannot be read; `line` (optional) is
 * then its line, which ends with a line feed or with the text. */
bool independent_rules_hold(size_t chunk, const char **line);

#endif
