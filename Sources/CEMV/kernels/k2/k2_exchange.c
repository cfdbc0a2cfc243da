/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2: data exchange with the terminal (Conformance/book-c2.md, 3.0): lists of tags to read, of objects to write,
 * requests and answers.
 *
 * The terminal can announce an object without a value and supply it later. The kernel requests it as soon as a list of
 * the card needs it. It sends requested objects as soon as it knows them, and writes to the card the objects that the
 * terminal has listed. Records of data exchange go out with other steps, so the terminal works while the card does. The
 * lists are those of exchange/lists.c. Sends no command. */
#include "k2.h"

enum {
    /* A record has to hold both lists, Data To Send and Data Needed, with their headers. */
    QUESTION_MAX = 4 * CEMV_EXCHANGE_LIST_MAX,
    VALUE_MAX = CEMV_RECORD_CAPACITY - QUESTION_MAX - 3 * K2_RECORD_HEADER, /* the longest value that fits a record */
    FROZEN_MAX = 264,                                                       /* 255 bytes with tag and length */
    DEFAULT_TIME_OUT_MS = 500,
};

static const cemv_bytes nothing = { NULL, 0 };

/* Data from the terminal ------------------------------------------------------------------------------------------- */

/* The objects that data exchange may write, and therefore the only ones that the kernel may request (1.3, "D"; C-8 A.1:
 * Update DET). The configuration is not among them: it was checked before the tap and must not change during it. */
static bool terminal_may_write(uint16_t slot)
{
    static const uint8_t transaction[] = { CEMV_SLOT_9F02, CEMV_SLOT_9F03, CEMV_SLOT_5F2A, CEMV_SLOT_5F36,
                                           CEMV_SLOT_5F57, CEMV_SLOT_9A,   CEMV_SLOT_9C,   CEMV_SLOT_9F21 };
    if (slot >= CEMV_SLOT_COUNT) return (k2_tag_row(slot)->source & CEMV_SOURCE_TERMINAL) != 0;
    for (size_t i = 0; i < sizeof transaction; i++)
        if (transaction[i] == slot) return true;
    return false;
}

/* The charts distinguish absent objects from empty ones: an empty object was announced by the terminal and can be
 * requested. The tag store keeps no empty objects, so this kernel keeps a bit for each slot. */
bool k2_is_empty(const struct cemv_kernel *kernel, uint16_t slot)
{
    return (k2_memory_of_const(kernel)->empty[slot / 8] >> slot % 8 & 1) != 0 && !cemv_store_has(&kernel->store, slot);
}

bool k2_is_present(const struct cemv_kernel *kernel, uint16_t slot)
{
    return cemv_store_has(&kernel->store, slot) || k2_is_empty(kernel, slot);
}

void k2_mark_empty(struct cemv_kernel *kernel, uint16_t slot)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    memory->empty[slot / 8] = (uint8_t)(memory->empty[slot / 8] | 1u << slot % 8);
}

/* Returns the last object with this tag in the list, or the given object if the list has no such tag. */
static cemv_bytes last_of(cemv_bytes objects, const struct cemv_tlv *one)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(objects);
    struct cemv_tlv object;
    cemv_bytes last = one->whole;
    while (cemv_tlv_next(&cursor, &object))
        if (object.tag == one->tag) last = object.whole;
    return last;
}

/* Merges objects into a list: each tag once, at its first position and with its latest value (C-8, 4.3, AddListToList).
 * The arena only grows at its end, so the merged list is written there from scratch. If it does not fit, the old list
 * remains. */
static void add_objects(struct cemv_kernel *kernel, struct cemv_span *list, cemv_bytes objects)
{
    const cemv_bytes parts[2] = { cemv_span_bytes(&kernel->store, *list), objects };
    struct cemv_span made = { kernel->store.used, 0 }, one;
    if (cemv_tlv_check(objects, NULL) != CEMV_WIRE_OK) return;
    for (size_t i = 0; i < 2; i++) {
        struct cemv_tlv_cursor cursor = cemv_tlv_open(parts[i]);
        struct cemv_tlv object, last;
        while (cemv_tlv_next(&cursor, &object)) {
            if (cemv_tlv_find(cemv_span_bytes(&kernel->store, made), object.tag, &last)) continue;
            if (!cemv_store_keep(&kernel->store, last_of(objects, &object), &one)) return;
            made.size = (uint16_t)(made.size + one.size);
        }
    }
    *list = made;
}

/* Three objects are also instructions: tags to read, and objects to write before and after the cryptogram (1.1, rule
 * 5). Repeated ones accumulate. */
static void take_list(struct cemv_kernel *kernel, uint16_t slot, cemv_bytes value)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (slot == K2_SLOT_DF8112)
        cemv_exchange_add_tags(&memory->to_read, kernel->store.tags, value, K2_TAGS_TO_READ_MAX);
    if (slot == K2_SLOT_FF8102) add_objects(kernel, &memory->write_before, value);
    if (slot == K2_SLOT_FF8103) add_objects(kernel, &memory->write_after, value);
}

/* Stores the terminal's objects. One that the terminal may not write, that has a wrong format, or that the card has
 * supplied is ignored without an answer. */
void k2_update(struct cemv_kernel *kernel, cemv_bytes objects)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(objects);
    struct cemv_tlv object;
    while (cemv_list_next(&cursor, &object)) {
        const uint16_t slot = cemv_slot_of(kernel->store.tags, object.tag);
        if (slot == CEMV_SLOT_NONE || !terminal_may_write(slot) || cemv_store_from_card(&kernel->store, slot)) continue;
        const struct cemv_tag_row *info = k2_tag_row(slot);
        const bool fits = object.value.size >= info->min && (object.value.size <= info->max || info->max == 255);
        if (object.value.size != 0 && (!fits || !cemv_format_check(object.value, (enum cemv_format)info->format)))
            continue;
        if (!cemv_store_put(&kernel->store, slot, object.value, CEMV_FROM_TERMINAL))
            k2_memory_of(kernel)->store_full = true;
        if (object.value.size == 0) k2_mark_empty(kernel, slot);
        else take_list(kernel, slot, object.value);
    }
}

/* Notes the objects that the transaction announced without a value. If the transaction itself has a value for such an
 * object, for example its amount, that value is withheld until data exchange supplies one: the terminal has declared it
 * open [S1.11-12, S4.28, S456.12]. */
static void gather_empty(struct cemv_kernel *kernel, cemv_bytes objects)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(objects);
    struct cemv_tlv object;
    while (cemv_list_next(&cursor, &object)) {
        const uint16_t slot = cemv_slot_of(kernel->store.tags, object.tag);
        if (slot == CEMV_SLOT_NONE || object.value.size != 0) continue;
        if (!cemv_store_from_card(&kernel->store, slot))
            (void)cemv_store_put(&kernel->store, slot, nothing, CEMV_FROM_TERMINAL);
        k2_mark_empty(kernel, slot);
    }
}

/* At activation: the announced objects, and the three lists if they were supplied with the transaction [S1.10,
 * S1.16]. */
void k2_exchange_open(struct cemv_kernel *kernel)
{
    static const uint16_t lists[] = { K2_SLOT_DF8112, K2_SLOT_FF8102, K2_SLOT_FF8103 };
    gather_empty(kernel, kernel->transaction.data);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (k2_is_empty(kernel, lists[i])) k2_need(kernel, lists[i]);
        take_list(kernel, lists[i], cemv_value(kernel, lists[i]));
    }
}

void k2_need(struct cemv_kernel *kernel, uint16_t slot)
{
    cemv_exchange_add(&k2_memory_of(kernel)->needed, slot, CEMV_EXCHANGE_LIST_MAX);
}

/* Requests the objects of a DOL that the terminal has announced and not yet supplied. An object that it never announced
 * is not requested; the card receives zeros for it (Book 3, 5.4). */
bool k2_need_for_dol(struct cemv_kernel *kernel, cemv_bytes dol)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(dol);
    struct cemv_dol_entry entry;
    bool missing = false;
    while (cemv_dol_next(&cursor, &entry)) {
        const uint16_t slot = cemv_slot_of(kernel->store.tags, entry.tag);
        if (slot == CEMV_SLOT_NONE || !k2_is_empty(kernel, slot) || !terminal_may_write(slot)) continue;
        k2_need(kernel, slot);
        missing = true;
    }
    return missing;
}

/* Data to the terminal --------------------------------------------------------------------------------------------- */

/* Tags To Read become answers as soon as their objects have values. A record contains the answers and the tags that the
 * kernel needs. */

/* The TVR is one of the objects that a terminal may read, so it is brought up to date first. */
void k2_spool(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (memory->to_read.count != 0) k2_put_tvr(kernel);
    cemv_exchange_spool(&memory->to_read, &memory->to_send, &kernel->store);
}

/* A full list is sent first to make room. */
void k2_answer(struct cemv_kernel *kernel, uint16_t slot, bool value)
{
    struct cemv_exchange_answers *const answers = &k2_memory_of(kernel)->to_send;
    if (answers->count == CEMV_EXCHANGE_LIST_MAX) k2_exchange(kernel);
    cemv_exchange_answer(answers, &kernel->store, slot, value);
}

/* Appends one record with as many answers as fit; the others stay for the next record. If the step has no room for
 * another record, nothing is sent and nothing is lost. */
void k2_exchange(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    struct cemv_output *out = &kernel->out;
    uint8_t needed[QUESTION_MAX];
    const size_t size = cemv_exchange_put_tags(&memory->needed, kernel->store.tags, needed),
                 room = sizeof out->records - out->exchange_size, question = size + K2_RECORD_HEADER;
    if (room < question + (size_t)2 * K2_RECORD_HEADER) return;

    struct cemv_writer writer = cemv_writer_open(out->records + out->exchange_size, room - question);
    cemv_writer_open_tlv(&writer, CEMV_TAG_FF8104_DATA_TO_SEND);
    cemv_exchange_put_objects(&memory->to_send, &kernel->store, &writer, VALUE_MAX);
    cemv_writer_close_tlv(&writer);
    writer.capacity = room;
    cemv_writer_put_tlv(&writer, CEMV_TAG_DF8106_DATA_NEEDED, (cemv_bytes){ needed, size });
    out->exchange_size = (uint16_t)(out->exchange_size + cemv_writer_finish(&writer).size);
    memory->needed.count = 0;
}

/* A record is due if the kernel needs data, or if all requested objects can be answered together. */
void k2_exchange_if_needed(struct cemv_kernel *kernel)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    if (memory->needed.count != 0 || (memory->to_send.count != 0 && memory->to_read.count == 0)) k2_exchange(kernel);
}

/* Reading is over: an object that is still absent is answered without a value. Returns true if further records are
 * needed. */
bool k2_answer_rest(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    while (memory->to_read.count != 0 && memory->to_send.count != CEMV_EXCHANGE_LIST_MAX) {
        k2_put_tvr(kernel);
        k2_answer(kernel, memory->to_read.slot[0], true);
        cemv_exchange_remove(&memory->to_read, 0);
    }
    if (memory->to_send.count != 0) k2_exchange(kernel);
    return memory->to_send.count != 0 || memory->to_read.count != 0;
}

/* Sends the question, with all answers that are available. */
enum cemv_step k2_ask_terminal(struct cemv_kernel *kernel, uint8_t state)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    uint8_t needed[QUESTION_MAX];
    const cemv_bytes question = { needed, cemv_exchange_put_tags(&memory->needed, kernel->store.tags, needed) };
    k2_exchange_if_needed(kernel);
    const uint16_t time_out = k2_word(kernel, K2_SLOT_DF8127, DEFAULT_TIME_OUT_MS);
    /* The session reads a deadline of 0 as "no deadline"; the charts mean that the time has passed at once. */
    return cemv_kernel_ask(kernel, state, question, time_out != 0 ? time_out : 1);
}

/* The objects that only GET DATA returns: the data envelopes 9F70 to 9F79 and the balance. */
static bool is_card_tag(uint16_t slot)
{
    const uint32_t tag = k2_tag_row(slot)->tag;
    return (tag >= 0x9F70 && tag <= 0x9F79) || tag == CEMV_TAG_9F50_OFFLINE_ACCUMULATOR_BALANCE;
}

/* Removes the next such tag from Tags To Read. */
bool k2_take_card_tag(struct cemv_kernel *kernel, uint16_t *slot)
{
    struct cemv_exchange_list *list = &k2_memory_of(kernel)->to_read;
    for (unsigned i = 0; i < list->count; i++) {
        if (!is_card_tag(list->slot[i])) continue;
        *slot = list->slot[i];
        cemv_exchange_remove(list, i);
        return true;
    }
    return false;
}

/* Removes the first object of a list; false if the list is empty. */
bool k2_take_object(struct cemv_kernel *kernel, struct cemv_span *list, struct cemv_tlv *object)
{
    const cemv_bytes left = cemv_span_bytes(&kernel->store, *list);
    struct cemv_tlv_cursor cursor = cemv_tlv_open(left);
    if (!cemv_tlv_next(&cursor, object)) {
        list->size = 0;
        return false;
    }
    const size_t used = (size_t)(cursor.at - left.data);
    *list = (struct cemv_span){ (uint16_t)(list->at + used), (uint16_t)(left.size - used) };
    return true;
}
