/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the tables of tags with Tests/Independent/dictionary.txt, whose facts were not taken from them. */
#ifndef CEMV_INDEPENDENT_DICTIONARY_H
#define CEMV_INDEPENDENT_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>

/* False if a row differs from its line or has no line; `found` then points to the line, or to the end of the text. */
bool independent_dictionary(const char *text, size_t size, const char **found);

#endif
