/* SPDX-License-Identifier: Apache-2.0 */
/* Contracts of tag and length decoding (EMV Book 3, Annex B) for inputs of any size: the bytes that are read lie before
 * the end, how far the position moves, every error with its input, the value of the short forms. At most four bytes of
 * a tag and five of a length are read, so the bounded proofs tag_read and cursor cover the values of the longer forms.
 */
#include "../../Sources/CEMV/include/cemv_tlv.h"

/* Macros, so that the expressions of the sources and of the contracts become one term. */
#define JOINED(number, byte) ((uint32_t)((uint32_t)((number) << 8) | (byte)))
#define JOINED_2(at) JOINED((at)[0], (at)[1])
#define JOINED_3(at) JOINED(JOINED_2(at), (at)[2])
#define JOINED_4(at) JOINED(JOINED_3(at), (at)[3])
#define GOES_ON(number) (((number) & 0x80) != 0)
#define OPENS(first) (((first) & 0x1F) == 0x1F)
#define LENGTH_BYTES(first) ((first) & 0xFFFFFF7F)

/*@ predicate readable(uint8_t *at, uint8_t *end) =
        \base_addr(at) == \base_addr(end) && at <= end && \valid_read(at + (0 .. end - at - 1)); */

/*@ requires \valid(at) && \valid(tag) && readable(*at, end);
    requires \separated(at, tag, *at + (0 .. end - *at - 1));
    assigns *at \from *at, (*at)[0 .. 4]; assigns *tag;
    ensures readable(*at, end) && \base_addr(*at) == \base_addr(\old(*at)) && \old(*at) <= *at;
    ensures \result == CEMV_WIRE_OK || \result == CEMV_WIRE_TRUNCATED_TAG || \result == CEMV_WIRE_LONG_TAG;
    ensures \result == CEMV_WIRE_OK ==> 1 <= *at - \old(*at) <= 4;
    ensures \result != CEMV_WIRE_OK ==> *at == \old(*at);
    ensures \result == CEMV_WIRE_OK && *at == \old(*at) + 1 ==> !OPENS(\old(*at)[0]) && *tag == \old(*at)[0];
    ensures \result == CEMV_WIRE_OK && *at > \old(*at) + 1 ==> OPENS(\old(*at)[0]) && !GOES_ON(*tag);
    ensures \result == CEMV_WIRE_OK && *at == \old(*at) + 2 ==> *tag == JOINED_2(\old(*at));
    ensures \result == CEMV_WIRE_OK && *at >= \old(*at) + 3 ==> GOES_ON(JOINED_2(\old(*at)));
    ensures \result == CEMV_WIRE_OK && *at == \old(*at) + 4 ==> GOES_ON(JOINED_3(\old(*at)));
    ensures \result == CEMV_WIRE_LONG_TAG ==> end - \old(*at) >= 4 && OPENS(\old(*at)[0])
        && GOES_ON(JOINED_2(\old(*at))) && GOES_ON(JOINED_3(\old(*at))) && GOES_ON(JOINED_4(\old(*at)));
    ensures \result == CEMV_WIRE_TRUNCATED_TAG ==> end - \old(*at) < 4 && (end == \old(*at) || OPENS(\old(*at)[0]));
    ensures \result == CEMV_WIRE_TRUNCATED_TAG && end - \old(*at) >= 2 ==> GOES_ON(JOINED_2(\old(*at)));
    ensures \result == CEMV_WIRE_TRUNCATED_TAG && end - \old(*at) == 3 ==> GOES_ON(JOINED_3(\old(*at)));
*/
enum cemv_wire_error cemv_tag_read(const uint8_t **at, const uint8_t *end, uint32_t *tag);

/*@ requires \valid(at) && \valid(length) && readable(*at, end);
    requires \separated(at, length, *at + (0 .. end - *at - 1));
    assigns *at \from *at, (*at)[0 .. 4]; assigns *length;
    ensures readable(*at, end) && \base_addr(*at) == \base_addr(\old(*at)) && \old(*at) <= *at;
    ensures \result == CEMV_WIRE_OK || \result == CEMV_WIRE_TRUNCATED_LENGTH || \result == CEMV_WIRE_INDEFINITE_LENGTH
        || \result == CEMV_WIRE_LONG_LENGTH;
    ensures \result != CEMV_WIRE_OK ==> *at == \old(*at);
    ensures \result == CEMV_WIRE_OK ==> 1 <= *at - \old(*at) <= 5;
    ensures \old(*at) == end ==> \result == CEMV_WIRE_TRUNCATED_LENGTH;
    ensures \old(*at) < end && \old(*at)[0] < 0x80 ==> \result == CEMV_WIRE_OK && *at == \old(*at) + 1
        && *length == \old(*at)[0];
*/
static enum cemv_wire_error length_read(const uint8_t **at, const uint8_t *end, uint32_t *length);
