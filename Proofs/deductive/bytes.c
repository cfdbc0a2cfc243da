/* SPDX-License-Identifier: Apache-2.0 */
/* Byte order, ends and tag sizes: functions without loops. The contracts are here, separate from the sources, which are
 * included below.
 * proves: cemv_be16 cemv_put_be16 cemv_bytes_end cemv_tag_size_inline cemv_tag_size */
#include "../../Sources/CEMV/include/cemv_tlv.h"

/*@ requires \valid_read(at + (0 .. 1));
    assigns \nothing;
    ensures \result == (uint16_t)((at[0] << 8) | at[1]); */
static inline uint16_t cemv_be16(const uint8_t *at);

/*@ requires \valid(out + (0 .. 1));
    assigns out[0 .. 1];
    ensures out[0] == (uint8_t)(number >> 8);
    ensures out[1] == (uint8_t)number; */
static inline void cemv_put_be16(uint8_t *out, uint16_t number);

/*@ requires bytes.size == 0 || \valid_read(bytes.data + (0 .. bytes.size - 1));
    assigns \nothing;
    ensures bytes.size == 0 ==> \result == bytes.data;
    ensures bytes.size != 0 ==> \result == bytes.data + bytes.size; */
static inline const uint8_t *cemv_bytes_end(cemv_bytes bytes);

/*@ assigns \nothing;
    ensures 1 <= \result <= 4;
    ensures tag <= 0xFF <==> \result == 1;
    ensures 0xFF < tag <= 0xFFFF <==> \result == 2;
    ensures tag > 0xFFFFFF <==> \result == 4; */
static inline size_t cemv_tag_size_inline(uint32_t tag);

/*@ assigns \nothing;
    ensures 1 <= \result <= 4;
    ensures tag > 0xFFFFFF <==> \result == 4; */
size_t cemv_tag_size(uint32_t tag);

#include "../../Sources/CEMV/wire/tlv.c"
