/* SPDX-License-Identifier: Apache-2.0 */
/* Command and response APDUs (ISO/IEC 7816-4): cases 1, 2S, 3S, 4S, 2E, 3E and 4E. Bytes in and out; knows no tag and
 * no command's meaning.
 *
 * Kernels encode commands; virtual cards and tests decode them. Short and extended forms cannot be mixed in one
 * command, so the longer of the two fields determines the form of both. */
#include "wire.h"

enum {
    HEADER_SIZE = 4,
    LC_SHORT_MAX = 0xFF,
    LC_EXTENDED_MAX = 0xFFFF,
    LE_EXTENDED_MAX = 0x10000,
};

static const cemv_bytes no_bytes = { .data = NULL, .size = 0 };

/* Writes the body after the header; both length fields are short, or both extended. */
static void body_write(uint8_t *out, const struct cemv_command *command, bool extended)
{
    if (extended) *out++ = 0;
    if (command->data.size != 0) {
        if (extended) *out++ = (uint8_t)(command->data.size >> 8);
        *out++ = (uint8_t)command->data.size;
        cemv_copy(out, command->data.data, command->data.size);
        out += command->data.size;
    }
    if (command->le != 0) {
        if (extended) *out++ = (uint8_t)(command->le >> 8);
        *out = (uint8_t)command->le; /* 256 and 65536 become zeros, as they must */
    }
}

/* Nothing is written if the command does not fit, so a caller never sends a part of it. */
cemv_bytes cemv_command_encode(const struct cemv_command *command, void *out, size_t capacity)
{
    const size_t lc = command->data.size;
    const uint32_t le = command->le;
    if (lc > LC_EXTENDED_MAX || le > LE_EXTENDED_MAX) return no_bytes;

    const bool extended = lc > LC_SHORT_MAX || le > CEMV_LE_MAX;
    const size_t field = extended ? 2 : 1;
    size_t size = HEADER_SIZE + lc;
    if (extended) size += 1;
    if (lc != 0) size += field;
    if (le != 0) size += field;
    if (size > capacity) return no_bytes;

    uint8_t *const bytes = out;
    bytes[0] = command->cla;
    bytes[1] = command->ins;
    bytes[2] = command->p1;
    bytes[3] = command->p2;
    if (size > HEADER_SIZE) body_write(bytes + HEADER_SIZE, command, extended);
    return (cemv_bytes){ .data = bytes, .size = size };
}

/* `field` is the number of bytes of a length field. Zero in Le means one more than the field can express. */
static uint32_t le_read(const uint8_t *at, size_t field)
{
    const uint32_t le = field == 2 ? cemv_be16(at) : at[0];
    if (le != 0) return le;
    return field == 2 ? LE_EXTENDED_MAX : CEMV_LE_MAX;
}

/* The body in `rest`: only Le, or Lc and data, or Lc, data and Le. */
static bool body_read(cemv_bytes rest, size_t field, cemv_bytes *data, uint32_t *le)
{
    if (rest.size < field) return false;
    if (rest.size == field) {
        *data = no_bytes;
        *le = le_read(rest.data, field);
        return true;
    }
    const size_t lc = field == 2 ? cemv_be16(rest.data) : rest.data[0];
    const size_t room = rest.size - field;
    if (lc == 0 || lc > room) return false;
    if (room != lc && room - lc != field) return false;
    *data = (cemv_bytes){ .data = rest.data + field, .size = lc };
    *le = room == lc ? 0 : le_read(rest.data + field + lc, field);
    return true;
}

/* A zero after the header begins the extended form, unless it is the only byte: then it is a short Le. */
bool cemv_command_decode(cemv_bytes bytes, struct cemv_command *command)
{
    if (bytes.size < HEADER_SIZE) return false;

    cemv_bytes rest = { .data = bytes.data + HEADER_SIZE, .size = bytes.size - HEADER_SIZE };
    cemv_bytes data = no_bytes;
    uint32_t le = 0;
    if (rest.size > 1 && rest.data[0] == 0) {
        rest.data++;
        rest.size--;
        if (!body_read(rest, 2, &data, &le)) return false;
    } else if (rest.size != 0) {
        if (!body_read(rest, 1, &data, &le)) return false;
    }
    *command = (struct cemv_command){
        .cla = bytes.data[0],
        .ins = bytes.data[1],
        .p1 = bytes.data[2],
        .p2 = bytes.data[3],
        .data = data,
        .le = le,
    };
    return true;
}

/* The status word is the last two bytes, with or without data before it. */
bool cemv_response_decode(cemv_bytes bytes, cemv_bytes *body, uint16_t *status_word)
{
    if (bytes.size < 2) return false;
    *body = (cemv_bytes){ .data = bytes.data, .size = bytes.size - 2 };
    *status_word = cemv_be16(bytes.data + body->size);
    return true;
}
