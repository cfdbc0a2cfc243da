/* SPDX-License-Identifier: Apache-2.0 */
/* Data exchange with the terminal: the lists of data objects that are requested, answered and needed
 * (Conformance/book-c2.md, 3.0; Book C-8). While the card works, a terminal may ask for objects by their tags (Tags To
 * Read), the kernel answers as soon as it has them (Data To Send) and requests missing terminal data (Data Needed). The
 * lists are ordered sets, since each object is asked for and answered once. This file knows no kernel and sends
 * nothing. */
#include "exchange.h"

void cemv_exchange_add(struct cemv_exchange_list *list, uint16_t slot, unsigned max)
{
    unsigned i = 0;
    while (i < list->count && list->slot[i] != slot) i++;
    if (i < list->count || i >= max) return;
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

/* An answer stores the position of the value in the arena, not a copy. Before the answers are fetched the kernel may
 * store another value for the object, but the answer must have the value of this moment. Setting `covered` therefore
 * makes the store keep the old bytes and place a new value elsewhere. Values of the card need no such flag: they are
 * never overwritten in place. */
void cemv_exchange_answer(struct cemv_exchange_answers *to_send, struct cemv_store *store, uint16_t slot, bool value)
{
    struct cemv_exchange_answer *item = to_send->item;
    const struct cemv_exchange_answer *const end = item + to_send->count;
    while (item != end && item->slot != slot) item++;
    if (item == to_send->item + CEMV_EXCHANGE_LIST_MAX) return;
    if (item == end) to_send->count++;
    item->slot = slot;
    item->size = 0;
    if (!value || store->index[slot] == 0) return;
    struct cemv_store_entry *const entry = &store->entry[store->index[slot] - 1];
    item->offset = entry->offset;
    item->size = entry->size;
    if (entry->provenance >= CEMV_FROM_ISSUER) entry->covered = 1;
}

/* Objects without a value stay in Tags To Read: the card may still supply them with a later record. */
void cemv_exchange_spool(struct cemv_exchange_list *to_read, struct cemv_exchange_answers *to_send,
                         struct cemv_store *store)
{
    unsigned i = 0;
    while (i < to_read->count) {
        const uint16_t slot = to_read->slot[i];
        if (!cemv_store_has(store, slot) || to_send->count == CEMV_EXCHANGE_LIST_MAX) {
            i++;
            continue;
        }
        cemv_exchange_answer(to_send, store, slot, true);
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

/* The first object that does not fit ends the record, even if a later one would: the terminal receives its answers in
 * the order in which they were found. */
void cemv_exchange_put_objects(struct cemv_exchange_answers *to_send, const struct cemv_store *store,
                               struct cemv_writer *writer, size_t value_max)
{
    /* Room for tag and length of an object, and for the length that is inserted when its template is closed. */
    enum { HEADER = 8 };
    while (to_send->count != 0) {
        struct cemv_exchange_answer *const first = to_send->item;
        const cemv_bytes value = { store->arena + first->offset, first->size > value_max ? 0 : first->size };
        if (writer->capacity - writer->size < value.size + HEADER) return;
        cemv_writer_put_tlv(writer, cemv_tag_row_at(store->tags, first->slot)->tag, value);
        to_send->count--;
        cemv_memmove(first, first + 1, to_send->count * sizeof *first);
    }
}
