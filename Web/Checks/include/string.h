/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of Web/Runtime/memory.c, for sources of the tests that want a C library's header. */
#pragma once
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *one, const void *other, size_t size);
