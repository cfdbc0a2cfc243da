/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that tests write down: as a string, or as hexadecimal text. */
#ifndef CEMV_PROVING_BYTES_H
#define CEMV_PROVING_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "cemv_tlv.h"

static inline cemv_bytes of(const void *data, size_t size) { return (cemv_bytes){ data, size }; }
/* Those of a string literal, without the end that C gives it. */
#define BYTES(text) ((cemv_bytes){ (const uint8_t *)(text), sizeof(text) - 1 })

/* Pairs of hexadecimal digits, up to the end or to another character; how many bytes there were. */
size_t bytes_of_hex(const char *text, uint8_t *out);

#endif
