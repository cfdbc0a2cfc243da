/* SPDX-License-Identifier: Apache-2.0 */
/* The tree walk and the check of a whole tree, compared with a recursive parser (EMV Book 3, Annex B): every string of
 * up to six bytes out of eighteen that begin or end something, of up to eight out of eight, and chains of 1 to 10
 * nested templates, with each of their bytes at every value. */
#include <string.h>

#include "exhaustive.h"
#include "../../Sources/CEMV/wire/tlv.c"

struct reading {
    enum cemv_wire_error error;
    size_t at;      /* position of an error */
    uint64_t nodes; /* tags, depths, places and sizes in order, as one number */
};

static void meet(struct reading *reading, uint64_t number)
{
    reading->nodes = (reading->nodes ^ number) * 0x100000001B3u;
}

static void fault(struct reading *reading, enum cemv_wire_error error, size_t at)
{
    reading->error = error;
    reading->at = at;
}

static void read_level(struct reading *reading, const uint8_t *bytes, size_t at, size_t end, unsigned depth)
{
    for (;;) {
        while (at < end && (bytes[at] == 0x00 || bytes[at] == 0xFF)) at++;
        if (at == end) return;
        size_t after = at + 1;
        if (bytes[at] % 32 == 31) {
            while (after < end && after < at + 4 && bytes[after] >= 0x80) after++;
            if (after == at + 4) return fault(reading, CEMV_WIRE_LONG_TAG, at);
            if (after == end) return fault(reading, CEMV_WIRE_TRUNCATED_TAG, at);
            after++;
        }
        uint64_t tag = 0, length = 0;
        for (size_t i = at; i < after; i++) tag = tag * 256 + bytes[i];
        if (after == end) return fault(reading, CEMV_WIRE_TRUNCATED_LENGTH, after);
        size_t value = after + 1;
        if (bytes[after] == 0x80) return fault(reading, CEMV_WIRE_INDEFINITE_LENGTH, after);
        if (bytes[after] > 0x84) return fault(reading, CEMV_WIRE_LONG_LENGTH, after);
        if (bytes[after] < 0x80) {
            length = bytes[after];
        } else {
            const size_t count = bytes[after] - 0x80u;
            if (value + count > end) return fault(reading, CEMV_WIRE_TRUNCATED_LENGTH, after);
            for (size_t i = 0; i < count; i++) length = length * 256 + bytes[value++];
        }
        if (length > end - value) return fault(reading, CEMV_WIRE_TRUNCATED_VALUE, value);
        const bool inside = bytes[at] / 32 % 2 == 1 && length != 0;
        if (inside && depth == CEMV_TLV_MAX_DEPTH) return fault(reading, CEMV_WIRE_TOO_DEEP, value);
        meet(reading, tag), meet(reading, depth), meet(reading, value), meet(reading, length);
        if (inside) {
            read_level(reading, bytes, value, value + length, depth + 1);
            if (reading->error != CEMV_WIRE_OK) return;
        }
        at = value + length;
    }
}

static void compare(const uint8_t *bytes, size_t size)
{
    struct reading naive = { CEMV_WIRE_OK, 0, 0 }, walked = { CEMV_WIRE_OK, 0, 0 };
    read_level(&naive, bytes, 0, size, 1);
    struct cemv_tlv_walk walk = cemv_tlv_walk_open((cemv_bytes){ bytes, size });
    struct cemv_tlv object;
    uint8_t depth = 0;
    while (cemv_tlv_walk_next(&walk, &object, &depth)) {
        meet(&walked, object.tag), meet(&walked, depth), meet(&walked, (uint64_t)(object.value.data - bytes)),
            meet(&walked, object.value.size);
    }
    size_t at = 0;
    HOLDS(walk.error == naive.error);
    HOLDS(walked.nodes == naive.nodes);
    HOLDS(cemv_tlv_check((cemv_bytes){ bytes, size }, &at) == naive.error);
    HOLDS(at == naive.at);
    cases++;
}

static void strings(const uint8_t *letters, size_t count, size_t longest)
{
    for (size_t size = 0; size <= longest; size++) {
        uint8_t bytes[8];
        size_t digits[8] = { 0 };
        memset(bytes, letters[0], sizeof bytes);
        for (bool more = true; more;) {
            compare(bytes, size);
            size_t place = 0;
            while (place < size && ++digits[place] == count) bytes[place] = letters[digits[place] = 0], place++;
            more = place < size;
            if (more) bytes[place] = letters[digits[place]];
        }
    }
}

static void chains(void)
{
    for (size_t levels = 1; levels <= 10; levels++) {
        uint8_t chain[23];
        const size_t size = 2 * levels + 3;
        for (size_t i = 0; i < levels; i++) {
            chain[2 * i] = 0x70;
            chain[2 * i + 1] = (uint8_t)(size - 2 * i - 2);
        }
        memcpy(chain + 2 * levels, "\x5A\x01\x42", 3);
        for (size_t place = 0; place < size; place++) {
            const uint8_t kept = chain[place];
            for (unsigned value = 0; value < 256; value++) {
                chain[place] = (uint8_t)value;
                compare(chain, size);
            }
            chain[place] = kept;
        }
    }
}

int main(void)
{
    static const uint8_t many[] = { 0x00, 0x01, 0x02, 0x03, 0x04, 0x1F, 0x5A, 0x70, 0x7F,
                                    0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x9F, 0xBF, 0xFF };
    static const uint8_t few[] = { 0x00, 0x01, 0x02, 0x04, 0x70, 0x81, 0x9F, 0xFF };
    strings(many, sizeof many, 6);
    strings(few, sizeof few, 8);
    chains();
    printf("%llu cases\n", cases);
    return 0;
}
