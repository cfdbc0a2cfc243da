/* SPDX-License-Identifier: Apache-2.0 */
/* The part of <string.h> for a bare Cortex-M4 that BearSSL and the corpus need (Scripts/firmware). Footprint/start.c
 * and hosted.c have the functions. */
#ifndef HOSTED_STRING_H
#define HOSTED_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t size);
char *strchr(const char *text, int character);

#endif
