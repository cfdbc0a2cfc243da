/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 8: data exchange with the terminal (Book C-8 v1.0, 4.3, DEK and DET): the lists of tags, requests and answers.
 *
 * The terminal may request objects (Tags To Read), write envelopes, and supply data that it has left open. The kernel
 * requests the objects that it needs and sends requested objects as soon as they are known. Such data accompany the
 * next step. Sends no command. */
#include "k8_memory.h"

/* Data Envelope 1 to 10. */
static bool is_envelope(uint32_t tag) { return tag >= 0x9F8111 && tag <= 0x9F811A; }

/* Lists of tags ---------------------------------------------------------------------------------------------------- */

/* The lists are small and keep their order, because objects are sent in the order in which they were requested. */
void k8_add_tag(struct k8_list *list, uint32_t tag)
{
    for (unsigned i = 0; i < list->count; i++)
        if (list->tag[i] == tag) return;
    if (list->count < K8_LIST_MAX) list->tag[list->count++] = tag;
}

static void remove_at(struct k8_list *list, unsigned index)
{
    list->count--;
    for (unsigned i = index; i < list->count; i++) list->tag[i] = list->tag[i + 1];
}

bool k8_remove_tag(struct k8_list *list, uint32_t tag)
{
    for (unsigned i = 0; i < list->count; i++) {
        if (list->tag[i] != tag) continue;
        remove_at(list, i);
        return true;
    }
    return false;
}

/* Only envelopes are read with READ DATA; other requested objects come with records or responses. */
uint32_t k8_take_envelope_tag(struct k8_list *list)
{
    for (unsigned i = 0; i < list->count; i++) {
        const uint32_t tag = list->tag[i];
        if (!is_envelope(tag)) continue;
        remove_at(list, i);
        return tag;
    }
    return 0;
}

/* Data from the terminal
 * --------------------------------------------------------------------------------------------- */

/* A format error is caused by the terminal, not by the card, and ends the tap with a separate error code (4.7.2). */

/* Accepts the whole list or nothing: it is parsed once before anything is stored. */
static bool take_tags(struct cemv_kernel *kernel, cemv_bytes tags)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    cemv_bytes rest = tags;
    bool bad = false;
    uint32_t tag;
    while (k8_next_tag(&rest, &tag, &bad)) {
    }
    if (bad) return false;
    while (k8_next_tag(&tags, &tag, &bad)) k8_add_tag(&memory->to_read, tag);
    return true;
}

/* True if the envelopes can be parsed and their tags have at most three bytes; otherwise none of them is accepted. */
static bool is_series(cemv_bytes objects)
{
    struct k8_walk walk = k8_walk_open(objects, true);
    struct cemv_tlv object;
    bool known = true;
    while (k8_walk_next(&walk, &object)) known = known && object.tag != 0;
    return known && !walk.error;
}

/* The first or the last object of a list with this tag; the list contains at least one. */
static struct cemv_tlv object_of(cemv_bytes list, uint32_t tag, bool last)
{
    struct k8_walk walk = k8_walk_open(list, true);
    struct cemv_tlv object, found = { .tag = 0 };
    while (k8_walk_next(&walk, &object))
        if (object.tag == tag && (last || found.tag == 0)) found = object;
    return found;
}

/* AddListToList (4.3): an envelope that is already present is replaced in its place, others are appended. */
static bool add_envelopes(struct cemv_kernel *kernel, cemv_bytes objects)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    const cemv_bytes old = cemv_span_bytes(&kernel->store, memory->envelopes);
    uint8_t both[K8_ENVELOPES_MAX], bytes[K8_ENVELOPES_MAX];
    struct cemv_writer writer = cemv_writer_open(bytes, sizeof bytes);
    struct cemv_tlv object;
    if (!is_series(objects)) return false;
    if (objects.size == 0 || objects.size > sizeof both - old.size)
        return true; /* objects beyond the bound are dropped */
    cemv_copy(both, old.data, old.size);
    cemv_copy(both + old.size, objects.data, objects.size);
    const cemv_bytes list = { both, old.size + objects.size };
    struct k8_walk walk = k8_walk_open(list, true);
    while (k8_walk_next(&walk, &object))
        if (object_of(list, object.tag, false).whole.data == object.whole.data)
            cemv_writer_put_bytes(&writer, object_of(list, object.tag, true).whole);
    return k8_keep(kernel, cemv_writer_finish(&writer), &memory->envelopes);
}

/* Two objects are lists that accumulate over the tap (4.3); all others are only stored. */
static bool take_lists(struct cemv_kernel *kernel, uint16_t slot, cemv_bytes value)
{
    if (slot == K8_SLOT_9F8203) return take_tags(kernel, value);
    return slot != K8_SLOT_BF8104 || add_envelopes(kernel, value);
}

/* At activation, a list that is present without a value is requested from the terminal; any other is accepted as it
 * is. */
bool k8_open_exchange(struct cemv_kernel *kernel)
{
    static const uint16_t lists[] = { K8_SLOT_9F8203, K8_SLOT_BF8104 };
    struct k8_memory *const memory = k8_memory_of(kernel);
    memory->read_status = 0x80;
    if (k8_options_of(kernel)->no_data_exchange) return true;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (k8_is_empty(kernel, lists[i])) k8_need(kernel, lists[i]);
        if (!take_lists(kernel, lists[i], cemv_value(kernel, lists[i]))) return false;
    }
    return true;
}

/* The objects that the terminal may send during the tap (rights of DET, annex A). */
static bool terminal_may_send(uint16_t slot)
{
    static const uint16_t slots[] = { CEMV_SLOT_5F57, CEMV_SLOT_9F02, CEMV_SLOT_9F03, CEMV_SLOT_9A,
                                      CEMV_SLOT_9F21, K8_SLOT_9F8202, K8_SLOT_9F8203, K8_SLOT_BF8104 };
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
        if (slots[i] == slot) return true;
    return false;
}

/* An amount or a date: six or three bytes of digits. */
static bool is_format_right(uint16_t slot, cemv_bytes value)
{
    const bool is_date = slot == CEMV_SLOT_9A;
    if (!is_date && slot != CEMV_SLOT_9F02 && slot != CEMV_SLOT_9F03) return true;
    return value.size == 0 || (value.size == (is_date ? 3u : 6u) && cemv_format_check(value, CEMV_FORMAT_N));
}

/* Objects that the terminal may not send are ignored. A wrong format refuses the object and the rest of the data. */
bool k8_update(struct cemv_kernel *kernel, cemv_bytes objects)
{
    struct k8_walk walk = k8_walk_open(objects, true);
    struct cemv_tlv object;
    if (k8_options_of(kernel)->no_data_exchange) return true;
    while (k8_walk_next(&walk, &object)) {
        uint16_t slot;
        if (k8_object_of(kernel->store.tags, object.tag, &slot) == K8_NOT_KNOWN || !terminal_may_send(slot)) continue;
        if (!is_format_right(slot, object.value) || !take_lists(kernel, slot, object.value)) return false;
        k8_put(kernel, slot, object.value.data, object.value.size);
        if (object.value.size == 0) k8_mark_empty(kernel, slot);
    }
    return !walk.error;
}

/* Data to the terminal
 * ----------------------------------------------------------------------------------------------- */

/* An object that is present without a value is not known yet, so its request waits. */

void k8_need(struct cemv_kernel *kernel, uint16_t slot)
{
    k8_add_tag(&k8_memory_of(kernel)->needed, cemv_tag_row_at(kernel->store.tags, slot)->tag);
}

/* Moves requested objects that are known by now to the list of objects to send; the others stay requested. */
void k8_spool(struct cemv_kernel *kernel)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    cemv_bytes value;
    for (unsigned i = 0; i < memory->to_read.count;) {
        const uint32_t tag = memory->to_read.tag[i];
        (void)k8_find(kernel, tag, &value);
        if (value.size == 0) {
            i++;
            continue;
        }
        k8_add_tag(&memory->to_send, tag);
        remove_at(&memory->to_read, i);
    }
}

size_t k8_put_needed(const struct cemv_kernel *kernel, uint8_t *out)
{
    const struct k8_list *const needed = &k8_memory_of(kernel)->needed;
    size_t size = 0;
    for (unsigned i = 0; i < needed->count; i++) size += cemv_tag_write(out + size, needed->tag[i]);
    return size;
}

/* Objects that do not fit into this step's data wait for the next one. */
void k8_exchange(struct cemv_kernel *kernel)
{
    enum { HEADER = 6 };
    struct k8_memory *const memory = k8_memory_of(kernel);
    struct cemv_output *const out = &kernel->out;
    uint8_t needed[3 * K8_LIST_MAX];
    const size_t size = k8_put_needed(kernel, needed), room = sizeof out->records - out->exchange_size;
    struct cemv_writer writer = cemv_writer_open(out->records + out->exchange_size, room);
    cemv_bytes value;
    if (size != 0) cemv_writer_put_tlv(&writer, CEMV_TAG_9F8201_DATA_NEEDED, (cemv_bytes){ needed, size });
    while (memory->to_send.count != 0) {
        (void)k8_find(kernel, memory->to_send.tag[0], &value);
        if (writer.capacity - writer.size < value.size + HEADER) break;
        cemv_writer_put_tlv(&writer, memory->to_send.tag[0], value);
        remove_at(&memory->to_send, 0);
    }
    out->exchange_size = (uint16_t)(out->exchange_size + cemv_writer_finish(&writer).size);
    memory->needed.count = 0;
}
