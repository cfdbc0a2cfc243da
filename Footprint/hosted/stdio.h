/* SPDX-License-Identifier: Apache-2.0 */
/* The part of <stdio.h> for a bare Cortex-M4: snprintf with the directives that Tests/Corpus uses, and no files
 * (hosted.c). */
#ifndef HOSTED_STDIO_H
#define HOSTED_STDIO_H

#include <stddef.h>

typedef struct hosted_file FILE;
FILE *fopen(const char *path, const char *mode); /* there are no files: NULL */
size_t fread(void *out, size_t size, size_t count, FILE *stream);
int fclose(FILE *stream);
int snprintf(char *out, size_t size, const char *format, ...);

#endif
