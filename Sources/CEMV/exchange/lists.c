/* SPDX-License-Identifier: Apache-2.0 */
/* Data exchange with the terminal: the lists of data objects that are requested, answered and needed
 * (Conformance/book-c2.md, 3.0; Book C-8). They are ordered sets. Knows no store and no kernel; sends nothing. */
#include "exchange.h"

static uint16_t slot_of(uint16_t entry) { return (uint16_t)(entry & ~CEMV_EXCHANGE_ABSENT); }

static bool has(const struct cemv_exchange_list *list, uint16_t slot)
{
    for (unsigned i = 0; i < list->count; i++)
        if (slot_of(list->slot[i]) == slot) return true;
    return false;
}

void cemv_exchange_add(struct cemv_exchange_list *list, uint16_t slot, unsigned max)
{
    if (list->count >= max || has(list, slot_of(slot))) return;
    list->slot[list->count++] = slot;
}

void cemv_exchange_remove(struct cemv_exchange_list *list, unsigned index)
{
    for (unsigned i = index; i + 1u < list->count; i++) list->slot[i] = list->slot[i + 1];
    list->count--;
}

void cemv_exchange_add_tags(struct cemv_exchange_list *list, const struct cemv_tags *known, cemv_bytes tags,
                            unsigned max)
{
    const uint8_t *at = tags.data;
    uint32_t tag;
    while (at != cemv_bytes_end(tags) && cemv_tag_read(&at, cemv_bytes_end(tags), &tag) == CEMV_WIRE_OK) {
        const uint16_t slot = cemv_slot_of(known, tag);
        if (slot != CEMV_SLOT_NONE) cemv_exchange_add(list, slot, max);
    }
}

void cemv_exchange_spool(struct cemv_exchange_list *to_read, struct cemv_exchange_list *to_send,
                         const struct cemv_store *store)
{
    unsigned i = 0;
    while (i < to_read->count) {
        const uint16_t slot = to_read->slot[i];
        if (!cemv_store_has(store, slot) || to_send->count == CEMV_EXCHANGE_LIST_MAX) {
            i++;
            continue;
        }
        cemv_exchange_add(to_send, slot, CEMV_EXCHANGE_LIST_MAX);
        cemv_exchange_remove(to_read, i);
    }
}

size_t cemv_exchange_put_tags(const struct cemv_exchange_list *list, const struct cemv_tags *known, uint8_t *out)
{
    size_t size = 0;
    for (unsigned i = 0; i < list->count; i++)
        size += cemv_tag_write(out + size, cemv_tag_row_at(known, list->slot[i])->tag);
    return size;
}

void cemv_exchange_put_objects(struct cemv_exchange_list *list, const struct cemv_store *store,
                               struct cemv_writer *writer, size_t value_max)
{
    enum { HEADER = 8 }; /* tag and length of an object, and what closes its template */
    while (list->count != 0) {
        const uint16_t slot = slot_of(list->slot[0]);
        const cemv_bytes held = cemv_store_value(store, slot);
        const bool absent = (list->slot[0] & CEMV_EXCHANGE_ABSENT) != 0 || held.size > value_max;
        const cemv_bytes value = absent ? (cemv_bytes){ NULL, 0 } : held;
        if (writer->capacity - writer->size < value.size + HEADER) return;
        cemv_writer_put_tlv(writer, cemv_tag_row_at(store->tags, slot)->tag, value);
        cemv_exchange_remove(list, 0);
    }
}
