/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of independent implementations, whose authors had not read the module that is checked. Scripts/independent
 * runs their generators (Tests/Independent/generators). A file is checked in chunks of lines. */
#ifndef CEMV_INDEPENDENT_H
#define CEMV_INDEPENDENT_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the files of a folder; false if one is missing. The program uses one folder only. */
bool independent_open(const char *folder);
size_t independent_count(void);
/* Returns the file's name. */
const char *independent_name(size_t chunk);
/* False if CEMV's answer to a line of the chunk differs; `line` (optional) points to it, `size` is its length. */
bool independent_holds(size_t chunk, const char **line, size_t *size);

#endif
