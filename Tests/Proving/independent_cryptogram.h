/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the public functions of cemv_cryptogram.h with an independent implementation's answers. */
#ifndef INDEPENDENT_CRYPTOGRAM_H
#define INDEPENDENT_CRYPTOGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* Checks every line of `text`, which may be any run of whole lines of the file. False at the first line that differs;
 * `line` (optional) then points to it, else it is NULL. A text without a single test line is false too. */
bool independent_cryptogram(const char *text, size_t size, const char **line);

/* Checks one line, with or without its line feed. `actual` (optional) receives what CEMV answers, as text with a
 * NUL. */
bool independent_cryptogram_line(const char *line, size_t size, char *actual, size_t capacity);

#endif
