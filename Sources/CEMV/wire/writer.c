/* SPDX-License-Identifier: Apache-2.0 */
/* Writes BER-TLV into the caller's memory (EMV Book 3, Annex B). An object is written completely or not at all, and an
 * error remains. Knows no tag's meaning.
 *
 * Lengths are always written in their shortest form, so that two records with equal contents are equal bytes. */
#include "wire.h"

size_t cemv_tag_write(uint8_t *out, uint32_t tag)
{
    const size_t size = cemv_tag_size_inline(tag);
    for (size_t i = size; i > 0; i--) {
        out[i - 1] = (uint8_t)tag;
        tag >>= 8;
    }
    return size;
}

/* The size of the shortest length field; above 5 for a length that does not fit into four bytes. */
static size_t length_size(size_t length)
{
    size_t size = 1;
    if (length < CEMV_LENGTH_LONG_BIT) return size;
    for (; length != 0; length >>= 8) size++;
    return size;
}

/* `size` is length_size(length), 1 to 5. */
static void length_write(uint8_t *out, size_t length, size_t size)
{
    for (size_t i = size; i > 1; i--) {
        out[i - 1] = (uint8_t)length;
        length >>= 8;
    }
    out[0] = (uint8_t)(size == 1 ? length : CEMV_LENGTH_LONG_BIT | (size - 1));
}

/* Returns true if there is no error and there is space for `size` more bytes. Errors remain, so that a caller can write
 * a whole record without checking each step, and checks once at the end: cemv_writer_finish() then returns no bytes at
 * all. */
static bool reserve(struct cemv_writer *writer, size_t size)
{
    if (writer->error != CEMV_WIRE_OK) return false;
    if (size <= writer->capacity - writer->size) return true;
    writer->error = CEMV_WIRE_NO_SPACE;
    return false;
}

/* A record with an invalid tag could not be parsed again, so such a tag is an error of the caller. */
static bool accept_tag(struct cemv_writer *writer, uint32_t tag)
{
    if (writer->error != CEMV_WIRE_OK) return false;
    if (cemv_tag_is_valid(tag)) return true;
    writer->error = CEMV_WIRE_BAD_TAG;
    return false;
}

struct cemv_writer cemv_writer_open(void *data, size_t capacity)
{
    return (struct cemv_writer){ .data = data, .capacity = capacity };
}

void cemv_writer_put_byte(struct cemv_writer *writer, uint8_t byte)
{
    if (reserve(writer, 1)) writer->data[writer->size++] = byte;
}

/* For bytes that are already encoded, or that have no tag, like the values for a DOL. */
void cemv_writer_put_bytes(struct cemv_writer *writer, cemv_bytes bytes)
{
    if (bytes.size == 0 || !reserve(writer, bytes.size)) return;
    cemv_copy(writer->data + writer->size, bytes.data, bytes.size);
    writer->size += bytes.size;
}

/* Writes the usual object in one step. */
static bool put_short(struct cemv_writer *writer, uint32_t tag, cemv_bytes value)
{
    uint8_t *at = writer->data + writer->size;
    if (!cemv_put_short(&at, writer->capacity - writer->size, tag, value)) return false;
    writer->size = (size_t)(at - writer->data);
    return true;
}

void cemv_writer_put_tlv(struct cemv_writer *writer, uint32_t tag, cemv_bytes value)
{
    if (!accept_tag(writer, tag) || put_short(writer, tag, value)) return;

    const size_t size = length_size(value.size);
    if (size > 5) {
        writer->error = CEMV_WIRE_LONG_LENGTH;
        return;
    }
    /* All or nothing; value.size is compared separately first, so that the sum cannot overflow. */
    const size_t header = cemv_tag_size_inline(tag) + size;
    const size_t room = writer->capacity - writer->size;
    if (value.size > room || header > room - value.size) {
        writer->error = CEMV_WIRE_NO_SPACE;
        return;
    }

    uint8_t *const at = writer->data + writer->size;
    length_write(at + cemv_tag_write(at, tag), value.size, size);
    cemv_copy(at + header, value.data, value.size);
    writer->size += header + value.size;
}

/* Reserves one length byte; closing moves the value if it needs more. One level is reserved for the objects inside, so
 * that a walk can read everything that was opened here. */
void cemv_writer_open_tlv(struct cemv_writer *writer, uint32_t tag)
{
    if (!accept_tag(writer, tag)) return;
    if (!cemv_tag_is_constructed(tag)) {
        writer->error = CEMV_WIRE_BAD_TAG;
        return;
    }
    if (writer->depth >= CEMV_TLV_MAX_DEPTH - 1) {
        writer->error = CEMV_WIRE_TOO_DEEP;
        return;
    }
    if (!reserve(writer, cemv_tag_size_inline(tag) + 1)) return;

    writer->size += cemv_tag_write(writer->data + writer->size, tag);
    writer->data[writer->size++] = 0;
    writer->open[writer->depth++] = writer->size;
}

/* The length is known only now. Most templates are short, so moving the value is rare. */
void cemv_writer_close_tlv(struct cemv_writer *writer)
{
    if (writer->error != CEMV_WIRE_OK) return;
    if (writer->depth == 0) {
        writer->error = CEMV_WIRE_UNBALANCED;
        return;
    }
    const size_t start = writer->open[writer->depth - 1];
    const size_t length = writer->size - start;
    const size_t size = length_size(length);
    if (size > 5) {
        writer->error = CEMV_WIRE_LONG_LENGTH;
        return;
    }
    if (!reserve(writer, size - 1)) return;

    uint8_t *const value = writer->data + start;
    if (size > 1) cemv_memmove(value + (size - 1), value, length);
    length_write(value - 1, length, size);
    writer->size += size - 1;
    writer->depth--;
}

/* A template that is still open is an error too: its length would be wrong. */
cemv_bytes cemv_writer_finish(struct cemv_writer *writer)
{
    if (writer->error == CEMV_WIRE_OK && writer->depth != 0) writer->error = CEMV_WIRE_UNBALANCED;
    if (writer->error != CEMV_WIRE_OK) return (cemv_bytes){ .data = NULL, .size = 0 };
    return (cemv_bytes){ .data = writer->data, .size = writer->size };
}
