/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 2's data storage: its one-way functions, the data for the DSDOL, and lists of writes that come
 * in pieces. */
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"

static struct cemv_kernel kernel;

static const uint8_t input[8] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88 },
                     operator_id[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
static const uint8_t card_id[9] = { 0x54, 0x13, 0x33, 0x00, 0x89, 0x02, 0x00, 0x29, 0x00 };
/* Computed from the description of both functions by other programs. */
static const uint8_t version_1[8] = { 0xCA, 0x1A, 0x72, 0x5C, 0xEE, 0xA3, 0x19, 0xA1 },
                     version_2[8] = { 0x2B, 0x8C, 0xDD, 0x27, 0x5C, 0x43, 0xD8, 0xD6 };

static void put(uint16_t slot, const void *data, size_t size)
{
    property(cemv_store_put(&kernel.store, slot, of(data, size), CEMV_FROM_TERMINAL), "room", slot);
}

static void properties_of_one_way(void)
{
    uint8_t out[9] = { 0 };
    out[8] = 0xEE;
    k2_owhf2(input, of(card_id, 9), operator_id, out);
    property(memcmp(out, version_1, 8) == 0 && out[8] == 0xEE, "OWHF2 of version 1", 0);
    k2_owhf2_aes(input, of(card_id, 9), operator_id, out);
    property(memcmp(out, version_2, 8) == 0 && out[8] == 0xEE, "OWHF2 of version 2", 0);
    k2_owhf2(input, of(card_id, 9), guarded_copy(operator_id, 8), out);
    property(memcmp(out, version_1, 8) == 0, "and of eight bytes of an operator, version 1", 0);
    k2_owhf2_aes(input, of(card_id, 9), guarded_copy(operator_id, 8), out);
    property(memcmp(out, version_2, 8) == 0, "and of eight bytes of an operator, version 2", 0);
    /* An identifier of 8 bytes is padded with zeros in front; longer ones are used unchanged. */
    uint8_t padded[11] = { 0 }, other[8];
    for (size_t size = 8; size < 11; size++) {
        memset(padded, 0, sizeof padded);
        memcpy(padded + 11 - size, card_id, size < 9 ? size : 9);
        k2_owhf2_aes(input, of(padded + 11 - size, size), operator_id, out);
        k2_owhf2_aes(input, of(padded, 11), operator_id, other);
        property(memcmp(out, other, 8) == 0, "padded with zeros in front", (unsigned)size);
    }
}

static void open_storage(uint8_t version, uint8_t control, uint8_t info)
{
    static const uint8_t dol[] = { 0xDF, 0x60, 8, 0xDF, 0x61, 8 };
    const uint8_t capabilities[3] = { version, 0, 0 };
    memset(&kernel, 0, sizeof kernel);
    cemv_store_clear(&kernel.store, tags_of(2), 0);
    put(K2_SLOT_9F5B, dol, sizeof dol);
    put(K2_SLOT_DF8109, input, 8);
    put(K2_SLOT_9F5E, card_id, 9);
    put(K2_SLOT_9F5C, operator_id, 8);
    put(K2_SLOT_9F5D, capabilities, 3);
    put(K2_SLOT_9F6F, &control, 1);
    put(K2_SLOT_DF62, &info, 1);
}

static void properties_of_digests(void)
{
    static const uint8_t nobody[8] = { 0 };
    uint8_t out[64], expected[8];
    size_t size = 0;
    for (unsigned i = 0; i < 8; i++) {
        const bool permanent = i & 1, volatile_object = i & 2, second = i & 4;
        open_storage(second ? 2 : 1, permanent ? 0xFF : 0x7F, volatile_object ? 0xFF : 0xBF);
        if (second) k2_owhf2_aes(input, of(card_id, 9), permanent && volatile_object ? nobody : operator_id, expected);
        else k2_owhf2(input, of(card_id, 9), permanent && volatile_object ? nobody : operator_id, expected);
        property(k2_build_storage_data(&kernel, out, sizeof out, &size) && size == 16, "data for storage", i);
        property(memcmp(out, nobody, 8) == 0 && memcmp(out + 8, expected, 8) == 0,
                 "a volatile object in the permanent slot has no owner", i);
        property(!k2_build_storage_data(&kernel, out, 15, &size), "no room, no data", i);
    }
    static const struct {
        uint16_t slot;
        size_t size;
        bool digest;
    } wrong[] = {
        { K2_SLOT_DF8109, 7, false }, { K2_SLOT_9F5E, 7, false },   { K2_SLOT_9F5E, 8, true },
        { K2_SLOT_9F5E, 11, true },   { K2_SLOT_9F5E, 12, false },  { K2_SLOT_9F5D, 2, false },
        { K2_SLOT_9F6F, 2, true },    { K2_SLOT_DF62, 2, true },    { K2_SLOT_9F5C, 7, true },
        { K2_SLOT_9F5D, 0, false },   { K2_SLOT_DF8109, 0, false },
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        static const uint8_t value[12] = { 0x01, 0x40, 0x33, 0x12, 0x45, 0x67, 0x89, 0x01, 0x23, 0x45, 0x67, 0x89 };
        open_storage(1, 0xFF, 0xBF);
        put(wrong[i].slot, value, wrong[i].size);
        property(k2_build_storage_data(&kernel, out, sizeof out, &size), "data for storage", i);
        property(cemv_store_has(&kernel.store, K2_SLOT_DF61) == wrong[i].digest, "a digest only of what has its size",
                 i);
        property(size == (wrong[i].digest ? 16u : 8u), "the last value of a DSDOL is not padded", i);
    }
    open_storage(1, 0, 0);
    put(K2_SLOT_9F5B, "\x9F\x5C\x08", 3);
    property(k2_build_storage_data(&kernel, out, sizeof out, &size) && size == 8 && memcmp(out, operator_id, 8) == 0 &&
                 !cemv_store_has(&kernel.store, K2_SLOT_DF61),
             "no digest without a request", 0);
}

/* Lists of writes before and after the cryptogram, each in pieces: objects are written in the order in which they came,
 * each tag once and with its latest value (C-8, 4.3, AddListToList). */
static void properties_of_writes(void)
{
    memset(&kernel, 0, sizeof kernel);
    cemv_store_clear(&kernel.store, tags_of(2), 0);
    struct k2_memory *memory = k2_memory_of(&kernel);
    for (uint8_t i = 0; i < 8; i++) {
        const uint8_t list[] = { 0xFF, 0x81, (uint8_t)(2 + (i & 1)), 5, 0x9F, (uint8_t)(0x75 + i / 2), 2, i, 0, 0x00 };
        k2_update(&kernel, of(list, sizeof list));
        const uint8_t filler[] = { 0xFF, 0x81, 0x02, 2, 0, 0xFF };
        k2_update(&kernel, of(filler, sizeof filler));
    }
    for (uint8_t i = 0; i < 8; i++) {
        struct cemv_tlv object = { 0 };
        property(k2_take_object(&kernel, i & 1 ? &memory->write_after : &memory->write_before, &object),
                 "an object to write", i);
        property(object.tag == (uint32_t)(0x9F75 + i / 2) && object.value.size == 2 && object.value.data[0] == i,
                 "in the order of the lists", i);
    }
    property(memory->write_before.size == 0 && memory->write_after.size == 0, "and then there is none", 0);
    static const uint8_t first[] = { 0xFF, 0x81, 0x02, 13, 0x9F, 0x75, 1, 1, 0x9F, 0x76, 1, 2, 0x9F, 0x75, 2, 3, 3 },
                         second[] = { 0xFF, 0x81, 0x02, 12, 0x9F, 0x77, 1, 4, 0x9F, 0x75, 1, 5, 0x9F, 0x77, 1, 6 };
    static const uint8_t once[] = { 0x9F, 0x75, 2, 3, 3, 0x9F, 0x76, 1, 2 },
                         updated[] = { 0x9F, 0x75, 1, 5, 0x9F, 0x76, 1, 2, 0x9F, 0x77, 1, 6 };
    k2_update(&kernel, of(first, sizeof first));
    property(cemv_bytes_equal(cemv_span_bytes(&kernel.store, memory->write_before), of(once, sizeof once)),
             "a tag is written once", 0);
    k2_update(&kernel, of(second, sizeof second));
    property(cemv_bytes_equal(cemv_span_bytes(&kernel.store, memory->write_before), of(updated, sizeof updated)),
             "what a list has is updated in its place", 0);
}

/* Two dozen objects of sixty-four bytes each do not fit into one record. The rest stays for the next. */
static void properties_of_full_exchanges(void)
{
    static const uint8_t value[64];
    struct k2_memory *memory = k2_memory_of(&kernel);
    memset(&kernel, 0, sizeof kernel);
    cemv_store_clear(&kernel.store, tags_of(2), 0);
    for (uint16_t slot = 0; slot < 40; slot++) {
        put(slot, value, sizeof value);
        k2_need(&kernel, slot);
    }
    property(memory->needed.count == CEMV_EXCHANGE_LIST_MAX, "a list has an end", memory->needed.count);
    memory->needed.count = 0;
    size_t asked = 0, sent = 0, before = 1;
    while (kernel.out.exchange_size != before) {
        before = kernel.out.exchange_size;
        for (uint16_t slot = 0; slot < 12; slot++) {
            const unsigned count = memory->to_send.count;
            k2_answer(&kernel, slot, true);
            asked += memory->to_send.count - count;
        }
        k2_exchange(&kernel);
    }
    struct cemv_tlv_cursor all = cemv_tlv_open(of(kernel.out.records, kernel.out.exchange_size));
    struct cemv_tlv list, object;
    while (cemv_list_next(&all, &list)) {
        struct cemv_tlv_cursor one = cemv_tlv_open(list.value);
        while (list.tag == CEMV_TAG_FF8104_DATA_TO_SEND && cemv_tlv_next(&one, &object)) {
            property(object.value.size == sizeof value, "an object goes whole", (unsigned)sent);
            sent++;
        }
    }
    property(all.error == CEMV_WIRE_OK && kernel.out.exchange_size <= sizeof kernel.out.records,
             "an exchange keeps to its room", 0);
    property(asked == sent + memory->to_send.count && sent > 12 && memory->to_send.count != 0,
             "nothing is lost, and nothing goes twice", (unsigned)sent);
}

static void properties_of_full_stores(void)
{
    static const uint8_t piece[64], object[] = { 0xDF, 0x81, 0x09, 8, 1, 2, 3, 4, 5, 6, 7, 8 };
    struct k2_memory *memory = k2_memory_of(&kernel);
    struct cemv_span span = { 7, 7 };
    memset(&kernel, 0, sizeof kernel);
    cemv_store_clear(&kernel.store, tags_of(2), 0);
    property(!cemv_store_keep(&kernel.store, of(piece, (size_t)UINT16_MAX + 1), &span) && span.size == 7,
             "no span is so long", 0);
    unsigned kept = 0;
    while (cemv_store_keep(&kernel.store, of(piece, sizeof piece), &span)) kept++;
    property(kept == CEMV_STORE_ARENA / sizeof piece, "a store is full at its size", kept);
    k2_update(&kernel, of(object, sizeof object));
    property(memory->store_full && !cemv_store_has(&kernel.store, K2_SLOT_DF8109), "what has no place is reported", 0);
    memory->store_full = false;
    k2_put_tvr(&kernel);
    property(memory->store_full, "what has no place is reported", 1);
}

/* Data exchange does not change the card's data. */
static void properties_of_updates(void)
{
    static const uint8_t said[64];
    for (uint16_t slot = 0; slot < K2_SLOT_END; slot++) {
        const size_t size = k2_tag_row(slot)->min ? k2_tag_row(slot)->min : 1;
        uint8_t object[80];
        if (size > sizeof said) continue;
        size_t head = cemv_tag_write(object, k2_tag_row(slot)->tag);
        object[head++] = (uint8_t)size;
        memset(object + head, 0x11, size);
        for (uint8_t provenance = CEMV_FROM_CARD; provenance <= CEMV_FROM_CARD_DYNAMIC; provenance++) {
            memset(&kernel, 0, sizeof kernel);
            cemv_store_clear(&kernel.store, tags_of(2), 0);
            property(cemv_store_put(&kernel.store, slot, of(said, size), provenance), "room", slot);
            k2_update(&kernel, of(object, head + size));
            property(cemv_bytes_equal(cemv_value(&kernel, slot), of(said, size)), "what the card said stays", slot);
        }
    }
}

void properties_of_storage(void)
{
    PART(properties_of_updates);
    PART(properties_of_full_exchanges);
    PART(properties_of_full_stores);
    PART(properties_of_one_way);
    PART(properties_of_digests);
    PART(properties_of_writes);
}
