/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that tests write as hexadecimal text. */
#ifndef CEMV_PROVING_BYTES_H
#define CEMV_PROVING_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Pairs of hexadecimal digits, up to the end or to another character; how many bytes there were. */
size_t bytes_of_hex(const char *text, uint8_t *out);

#endif
