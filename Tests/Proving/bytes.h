/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes for tests, from a string or from hexadecimal text. */
#ifndef CEMV_PROVING_BYTES_H
#define CEMV_PROVING_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "cemv_tlv.h"

static inline cemv_bytes of(const void *data, size_t size) { return (cemv_bytes){ data, size }; }
/* The bytes of a string literal, without C's terminating NUL. */
#define BYTES(text) ((cemv_bytes){ (const uint8_t *)(text), sizeof(text) - 1 })

/* Reads pairs of hexadecimal digits up to the end or another character; returns the number of bytes. */
size_t bytes_of_hex(const char *text, uint8_t *out);

#endif
