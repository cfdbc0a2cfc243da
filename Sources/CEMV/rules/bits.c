/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of five bytes as numbers: Terminal Verification Results and action codes (Book 3, Annex C5, 10.7). As numbers
 * they can be combined and compared in one operation, with byte 1 as the highest byte. Knows no store and no kernel. */
#include "rules.h"

/* The caller chooses the value of an absent object, since the books treat absence differently: an absent denial code
 * denies nothing, an absent online code sends everything online. */
uint64_t cemv_rules_bits(cemv_bytes value, uint64_t absent)
{
    return value.size == 5 ? (uint64_t)value.data[0] << 32 | cemv_be32(value.data + 1) : absent;
}

void cemv_rules_bits_put(uint8_t out[5], uint64_t bits)
{
    out[0] = (uint8_t)(bits >> 32);
    cemv_put_be16(out + 1, (uint16_t)(bits >> 16));
    cemv_put_be16(out + 3, (uint16_t)bits);
}
