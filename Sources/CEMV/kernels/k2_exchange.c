// SPDX-License-Identifier: Apache-2.0
/* Kernel 2: data exchange with the terminal, and the lists of data objects that leave the kernel: outcome records and
 * torn records. */
#include "k2_memory.h"

enum {
    QUESTION_MAX = 4 * K2_LIST_MAX,
    RECORD_HEADER = 8,                                                   /* tag and length of FF8104 or DF8106 */
    VALUE_MAX = CEMV_RECORD_CAPACITY - QUESTION_MAX - 3 * RECORD_HEADER, /* what a record of data exchange takes */
    DEFAULT_TIME_OUT_MS = 500,
    DEFAULT_LIFETIME_S = 300,
    GUARDED_LIFETIME_S = 120, /* SECURITY.md, A20 */
    IDS_READ_BIT = 0x80,
    IDS_WRITE_BIT = 0x40,
};

static const cemv_bytes nothing = { NULL, 0 };

cemv_bytes k2_value(const struct cemv_kernel *kernel, uint16_t slot) { return cemv_store_value(&kernel->store, slot); }

uint8_t k2_byte(const struct cemv_kernel *kernel, uint16_t slot, uint8_t fallback)
{
    const cemv_bytes value = k2_value(kernel, slot);
    return value.size == 1 ? value.data[0] : fallback;
}

uint16_t k2_word(const struct cemv_kernel *kernel, uint16_t slot, uint16_t fallback)
{
    const cemv_bytes value = k2_value(kernel, slot);
    return value.size == 2 ? cemv_be16(value.data) : fallback;
}

uint64_t k2_amount(const struct cemv_kernel *kernel, uint16_t slot)
{
    uint64_t amount = 0;
    const cemv_bytes value = k2_value(kernel, slot);
    if (value.size != 0) (void)cemv_bcd_read(value, &amount);
    return amount;
}

bool k2_keep(struct cemv_kernel *kernel, cemv_bytes bytes, struct k2_span *span)
{
    uint16_t offset;
    if (bytes.size > UINT16_MAX || !cemv_store_keep(&kernel->store, bytes, &offset)) return false;
    *span = (struct k2_span){ offset, (uint16_t)bytes.size };
    return true;
}

/* Lists of tags are sets with an order
 * ------------------------------------------------------------------------------------- */

static bool list_has(const struct k2_list *list, uint16_t slot)
{
    for (unsigned i = 0; i < list->count; i++)
        if ((list->slot[i] & ~K2_LIST_ABSENT) == slot) return true;
    return false;
}

static void list_add(struct k2_list *list, uint16_t slot, unsigned max)
{
    if (list->count >= max || list_has(list, (uint16_t)(slot & ~K2_LIST_ABSENT))) return;
    list->slot[list->count++] = slot;
}

static void list_remove_at(struct k2_list *list, unsigned index)
{
    for (unsigned i = index; i + 1u < list->count; i++) list->slot[i] = list->slot[i + 1];
    list->count--;
}

/* A list of tags: those without a slot have no value to answer with and are left out. */
static void list_add_tags(struct k2_list *list, cemv_bytes tags)
{
    const uint8_t *at = tags.data;
    uint32_t tag;
    while (at != cemv_bytes_end(tags) && cemv_tag_read(&at, cemv_bytes_end(tags), &tag) == CEMV_WIRE_OK) {
        const uint16_t slot = cemv_slot_of(tag);
        if (slot != CEMV_SLOT_NONE) list_add(list, slot, K2_TAGS_TO_READ_MAX);
    }
}

/* What the terminal announced and gave
 * ---------------------------------------------------------------------------------------- */

/* What data exchange may write (1.3, "D"; C-8 A.1: Update DET), and so what the kernel may ask for. The configuration
 * is none of it. */
static bool terminal_may_write(uint16_t slot)
{
    static const uint16_t writable[] = {
        CEMV_SLOT_9F02,   CEMV_SLOT_9F03,   CEMV_SLOT_5F2A,   CEMV_SLOT_5F36,   CEMV_SLOT_5F57,   CEMV_SLOT_9A,
        CEMV_SLOT_9C,     CEMV_SLOT_9F21,   CEMV_SLOT_9F53,   CEMV_SLOT_9F5C,   CEMV_SLOT_9F7C,   CEMV_SLOT_DF60,
        CEMV_SLOT_DF62,   CEMV_SLOT_DF63,   CEMV_SLOT_DF8104, CEMV_SLOT_DF8105, CEMV_SLOT_DF8108, CEMV_SLOT_DF8109,
        CEMV_SLOT_DF810A, CEMV_SLOT_DF8110, CEMV_SLOT_DF8112, CEMV_SLOT_FF8102, CEMV_SLOT_FF8103,
    };
    for (size_t i = 0; i < sizeof writable / sizeof writable[0]; i++)
        if (writable[i] == slot) return true;
    return slot >= CEMV_SLOT_9F70 && slot <= CEMV_SLOT_9F79;
}

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

static void append_writes(struct cemv_kernel *kernel, struct k2_span *list, cemv_bytes objects)
{
    struct k2_span first, second;
    struct cemv_tlv_cursor cursor = cemv_tlv_open(objects);
    struct cemv_tlv object;
    if (!cemv_tlv_next(&cursor, &object) || cemv_tlv_check(objects, NULL) != CEMV_WIRE_OK)
        return; /* filler alone is nothing to write */
    const struct k2_span old = *list;
    if (old.size == 0) {
        (void)k2_keep(kernel, objects, list);
        return;
    }
    if (k2_keep(kernel, k2_bytes(kernel, old), &first) && k2_keep(kernel, objects, &second)) {
        *list = (struct k2_span){ first.offset, (uint16_t)(first.size + second.size) };
    }
}

/* What lists mean beyond their value (1.1, rule 5). */
static void take_list(struct cemv_kernel *kernel, uint16_t slot, cemv_bytes value)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (slot == CEMV_SLOT_DF8112) list_add_tags(&memory->to_read, value);
    if (slot == CEMV_SLOT_FF8102) append_writes(kernel, &memory->write_before, value);
    if (slot == CEMV_SLOT_FF8103) append_writes(kernel, &memory->write_after, value);
}

static bool from_card(const struct cemv_kernel *kernel, uint16_t slot)
{
    const uint8_t provenance = cemv_store_provenance(&kernel->store, slot);
    return provenance >= CEMV_FROM_CARD && provenance <= CEMV_FROM_CARD_DYNAMIC;
}

void k2_update(struct cemv_kernel *kernel, cemv_bytes objects)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(objects);
    struct cemv_tlv object;
    while (cemv_list_next(&cursor, &object)) {
        const uint16_t slot = cemv_slot_of(object.tag);
        if (slot == CEMV_SLOT_NONE || !terminal_may_write(slot) || from_card(kernel, slot)) continue;
        const struct cemv_tag_info *info = &cemv_tag_table[slot];
        const bool fits = object.value.size >= info->min && (object.value.size <= info->max || info->max == 255);
        if (object.value.size != 0 && (!fits || !cemv_format_check(object.value, (enum cemv_format)info->format)))
            continue;
        if (!cemv_store_put(&kernel->store, slot, object.value, CEMV_FROM_TERMINAL))
            k2_memory_of(kernel)->store_full = true;
        if (object.value.size == 0) k2_mark_empty(kernel, slot);
        else take_list(kernel, slot, object.value);
    }
}

/* Empty objects do not stay in the store: the lists they came with are read once more. What the transaction itself has
 * under such a tag, as its amount, is left open until data exchange brings it [S1.11-12, S4.28, S456.12]. */
static void gather_empty(struct cemv_kernel *kernel, cemv_bytes objects)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(objects);
    struct cemv_tlv object;
    while (cemv_list_next(&cursor, &object)) {
        const uint16_t slot = cemv_slot_of(object.tag);
        if (slot == CEMV_SLOT_NONE || object.value.size != 0) continue;
        if (!from_card(kernel, slot)) (void)cemv_store_put(&kernel->store, slot, nothing, CEMV_FROM_TERMINAL);
        k2_mark_empty(kernel, slot);
    }
}

void k2_exchange_open(struct cemv_kernel *kernel)
{
    static const uint16_t lists[] = { CEMV_SLOT_DF8112, CEMV_SLOT_FF8102, CEMV_SLOT_FF8103 };
    gather_empty(kernel, kernel->transaction.data);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (k2_is_empty(kernel, lists[i])) k2_need(kernel, lists[i]);
        take_list(kernel, lists[i], k2_value(kernel, lists[i]));
    }
}

void k2_need(struct cemv_kernel *kernel, uint16_t slot) { list_add(&k2_memory_of(kernel)->needed, slot, K2_LIST_MAX); }

bool k2_need_for_dol(struct cemv_kernel *kernel, cemv_bytes dol)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(dol);
    struct cemv_dol_entry entry;
    bool missing = false;
    while (cemv_dol_next(&cursor, &entry)) {
        const uint16_t slot = cemv_slot_of(entry.tag);
        if (slot == CEMV_SLOT_NONE || !k2_is_empty(kernel, slot) || !terminal_may_write(slot)) continue;
        k2_need(kernel, slot);
        missing = true;
    }
    return missing;
}

/* What goes to the terminal
 * ---------------------------------------------------------------------------------------------------- */

void k2_spool(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    unsigned i = 0;
    while (i < memory->to_read.count) {
        const uint16_t slot = memory->to_read.slot[i];
        if (!cemv_store_has(&kernel->store, slot) || memory->to_send.count == K2_LIST_MAX) {
            i++;
            continue;
        }
        list_add(&memory->to_send, slot, K2_LIST_MAX);
        list_remove_at(&memory->to_read, i);
    }
}

void k2_answer(struct cemv_kernel *kernel, uint16_t slot, bool value)
{
    struct k2_list *const list = &k2_memory_of(kernel)->to_send;
    if (list->count == K2_LIST_MAX) k2_exchange(kernel);
    list_add(list, value && cemv_store_has(&kernel->store, slot) ? slot : (uint16_t)(slot | K2_LIST_ABSENT),
             K2_LIST_MAX);
}

static size_t put_needed(const struct k2_memory *memory, uint8_t out[QUESTION_MAX])
{
    size_t size = 0;
    for (unsigned i = 0; i < memory->needed.count; i++)
        size += cemv_tag_write(out + size, cemv_tag_table[memory->needed.slot[i]].tag);
    return size;
}

/* Objects of Data To Send as far as they fit; the others stay for the next record. One that no record takes, as a long
 * list of the terminal's own, goes without its value. */
static void put_to_send(struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    struct k2_list *const list = &k2_memory_of(kernel)->to_send;
    while (list->count != 0) {
        const uint16_t slot = (uint16_t)(list->slot[0] & ~K2_LIST_ABSENT);
        const cemv_bytes held = k2_value(kernel, slot);
        const cemv_bytes value = (list->slot[0] & K2_LIST_ABSENT) != 0 || held.size > VALUE_MAX ? nothing : held;
        if (writer->capacity - writer->size < value.size + RECORD_HEADER) return;
        cemv_writer_put_tlv(writer, cemv_tag_table[slot].tag, value);
        list_remove_at(list, 0);
    }
}

void k2_exchange(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    struct cemv_output *out = &kernel->out;
    uint8_t needed[QUESTION_MAX];
    const size_t size = put_needed(memory, needed), room = sizeof out->records - out->exchange_size,
                 question = size + RECORD_HEADER;
    if (room < question + (size_t)2 * RECORD_HEADER) return;

    struct cemv_writer writer = cemv_writer_open(out->records + out->exchange_size, room - question);
    cemv_writer_open_tlv(&writer, CEMV_TAG_FF8104_DATA_TO_SEND);
    put_to_send(kernel, &writer);
    cemv_writer_close_tlv(&writer);
    writer.capacity = room;
    cemv_writer_put_tlv(&writer, CEMV_TAG_DF8106_DATA_NEEDED, (cemv_bytes){ needed, size });
    out->exchange_size = (uint16_t)(out->exchange_size + cemv_writer_finish(&writer).size);
    memory->needed.count = 0;
}

void k2_exchange_if_needed(struct cemv_kernel *kernel)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    if (memory->needed.count != 0 || (memory->to_send.count != 0 && memory->to_read.count == 0)) k2_exchange(kernel);
}

bool k2_answer_rest(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    while (memory->to_read.count != 0 && memory->to_send.count != K2_LIST_MAX) {
        k2_answer(kernel, memory->to_read.slot[0], true);
        list_remove_at(&memory->to_read, 0);
    }
    if (memory->to_send.count != 0) k2_exchange(kernel);
    return memory->to_send.count != 0 || memory->to_read.count != 0;
}

enum cemv_step k2_ask_terminal(struct cemv_kernel *kernel, uint8_t state)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    uint8_t needed[QUESTION_MAX];
    const cemv_bytes question = { needed, put_needed(memory, needed) };
    k2_exchange_if_needed(kernel);
    const uint16_t time_out = k2_word(kernel, CEMV_SLOT_DF8127, DEFAULT_TIME_OUT_MS);
    /* A deadline of 0 would be none: no time at all is the shortest one. */
    return cemv_output_ask(&kernel->out, &cemv_k2_edges, state, CEMV_ASK_KERNEL, question,
                           time_out != 0 ? time_out : 1);
}

void k2_announce_storage(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const cemv_bytes capabilities = k2_value(kernel, CEMV_SLOT_9F5D);
    const uint8_t version = capabilities.size == 3 ? capabilities.data[0] & 0x0F : 0;
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_DF810D) || !k2_is_present(kernel, CEMV_SLOT_9F5C)) return;
    k2_answer(kernel, CEMV_SLOT_9F5E, true);
    k2_answer(kernel, CEMV_SLOT_9F5D, true);
    if ((version == 1 || version == 2) && cemv_store_has(&kernel->store, CEMV_SLOT_9F5E)) memory->ids |= IDS_READ_BIT;
}

/* An empty 9F54 counts as absent in the store, yet it says that the slot holds nothing: the mark of the answer to GPO
 * keeps it. */
void k2_offer_storage(struct cemv_kernel *kernel)
{
    static const uint16_t slots[] = { CEMV_SLOT_9F5F, CEMV_SLOT_9F7D, CEMV_SLOT_9F7F, CEMV_SLOT_9F6F };
    struct k2_memory *memory = k2_memory_of(kernel);
    const struct cemv_store *store = &kernel->store;
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
        if (cemv_store_has(store, slots[i])) list_add(&memory->to_send, slots[i], K2_LIST_MAX);
    const bool stored = k2_is_present(kernel, CEMV_SLOT_9F54), summary = cemv_store_has(store, CEMV_SLOT_9F7D);
    if (stored) k2_answer(kernel, CEMV_SLOT_9F54, true);
    list_add(&memory->to_send, CEMV_SLOT_9F37, K2_LIST_MAX);
    const bool fresh = cemv_store_has(store, CEMV_SLOT_9F5F) && summary && cemv_store_has(store, CEMV_SLOT_9F7F) &&
                       !stored;
    if (!fresh && !(summary && stored)) memory->ids = (uint8_t)(memory->ids & ~IDS_READ_BIT);
}

/* 9F70 to 9F79 and the balance. */
static bool is_card_tag(uint16_t slot)
{
    const uint32_t tag = cemv_tag_table[slot].tag;
    return (tag >= 0x9F70 && tag <= 0x9F79) || tag == CEMV_TAG_9F50_OFFLINE_ACCUMULATOR_BALANCE;
}

bool k2_take_card_tag(struct cemv_kernel *kernel, uint16_t *slot)
{
    struct k2_list *list = &k2_memory_of(kernel)->to_read;
    for (unsigned i = 0; i < list->count; i++) {
        if (!is_card_tag(list->slot[i])) continue;
        *slot = list->slot[i];
        list_remove_at(list, i);
        return true;
    }
    return false;
}

bool k2_take_object(struct cemv_kernel *kernel, struct k2_span *list, struct cemv_tlv *object)
{
    const cemv_bytes left = k2_bytes(kernel, *list);
    struct cemv_tlv_cursor cursor = cemv_tlv_open(left);
    if (!cemv_tlv_next(&cursor, object)) {
        list->size = 0;
        return false;
    }
    const size_t used = (size_t)(cursor.at - left.data);
    struct cemv_tlv next;
    const size_t rest = cemv_tlv_next(&cursor, &next) ? left.size - used : 0; /* filler may follow the last one */
    *list = (struct k2_span){ (uint16_t)(list->offset + used), (uint16_t)rest };
    return true;
}

/* Records of the outcome (1.4)
 * ---------------------------------------------------------------------------------------------------- */

static const uint16_t emv_record[] = {
    CEMV_SLOT_9F02, CEMV_SLOT_9F03, CEMV_SLOT_9F26, CEMV_SLOT_5F24, CEMV_SLOT_82,   CEMV_SLOT_50,
    CEMV_SLOT_5A,   CEMV_SLOT_5F34, CEMV_SLOT_9F12, CEMV_SLOT_9F36, CEMV_SLOT_9F07, CEMV_SLOT_9F09,
    CEMV_SLOT_9F27, CEMV_SLOT_9F34, CEMV_SLOT_84,   CEMV_SLOT_9F1E, CEMV_SLOT_9F10, CEMV_SLOT_9F11,
    CEMV_SLOT_9F24, CEMV_SLOT_9F33, CEMV_SLOT_9F1A, CEMV_SLOT_9F35, CEMV_SLOT_95,   CEMV_SLOT_57,
    CEMV_SLOT_9F53, CEMV_SLOT_5F2A, CEMV_SLOT_9A,   CEMV_SLOT_9C,   CEMV_SLOT_9F37,
};
static const uint16_t magstripe_record[] = {
    CEMV_SLOT_50,   CEMV_SLOT_9F12, CEMV_SLOT_84, CEMV_SLOT_9F11,
    CEMV_SLOT_9F6D, CEMV_SLOT_9F24, CEMV_SLOT_56, CEMV_SLOT_9F6B,
};

static void put_slots(const struct cemv_kernel *kernel, struct cemv_writer *writer, const uint16_t *slots, size_t count)
{
    for (size_t i = 0; i < count; i++) cemv_store_export(&kernel->store, slots[i], writer);
}

static void put_status(struct cemv_writer *writer, uint32_t tag, uint8_t status)
{
    cemv_writer_put_tlv(writer, tag, (cemv_bytes){ &status, 1 });
}

static void put_discretionary(struct cemv_kernel *kernel, struct cemv_writer *writer, cemv_bytes error)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    static const uint16_t balances[] = { CEMV_SLOT_9F42, CEMV_SLOT_DF8105, CEMV_SLOT_DF8104, CEMV_SLOT_DF8102 };
    static const uint16_t tracks[] = { CEMV_SLOT_DF812A, CEMV_SLOT_DF812B };
    if (memory->mode != K2_MODE_NONE) cemv_store_export(&kernel->store, CEMV_SLOT_9F5D, writer);
    if (memory->mode == K2_MODE_EMV) {
        put_slots(kernel, writer, balances, sizeof balances / sizeof balances[0]);
        put_status(writer, CEMV_TAG_DF810B_DS_SUMMARY_STATUS, memory->summary_status);
    }
    if (memory->mode == K2_MODE_MAGSTRIPE) put_slots(kernel, writer, tracks, sizeof tracks / sizeof tracks[0]);
    cemv_writer_put_tlv(writer, CEMV_TAG_DF8115_ERROR_INDICATION, error);
    if (memory->mode == K2_MODE_EMV) {
        put_status(writer, CEMV_TAG_DF810E_POST_GEN_AC_PUT_DATA_STATUS, memory->put_after);
        put_status(writer, CEMV_TAG_DF810F_PRE_GEN_AC_PUT_DATA_STATUS, memory->put_before);
    }
    if (memory->mode != K2_MODE_NONE) cemv_store_export(&kernel->store, CEMV_SLOT_9F6E, writer);
    for (unsigned i = 0; i < memory->evicted_count; i++) {
        if (writer->capacity - writer->size < memory->evicted[i].size + (size_t)RECORD_HEADER) continue;
        cemv_writer_put_tlv(writer, CEMV_TAG_FF8101_TORN_RECORD, k2_bytes(kernel, memory->evicted[i]));
    }
}

void k2_put_records(struct cemv_kernel *kernel, bool data_record)
{
    struct cemv_output *out = &kernel->out;
    const bool magstripe = k2_memory_of(kernel)->mode == K2_MODE_MAGSTRIPE;
    struct cemv_writer writer = cemv_writer_open(out->records, sizeof out->records);
    if (data_record && magstripe)
        put_slots(kernel, &writer, magstripe_record, sizeof magstripe_record / sizeof magstripe_record[0]);
    else if (data_record) put_slots(kernel, &writer, emv_record, sizeof emv_record / sizeof emv_record[0]);
    out->record_size = (uint16_t)cemv_writer_finish(&writer).size;
    writer = cemv_writer_open(out->records + out->record_size, sizeof out->records - out->record_size);
    put_discretionary(kernel, &writer,
                      (cemv_bytes){ out->outcome.error_indication, sizeof out->outcome.error_indication });
    out->discretionary_size = (uint16_t)cemv_writer_finish(&writer).size;
}

/* Torn records (1.5)
 * ---------------------------------------------------------------------------------------------------------------- */

static const uint16_t torn_slots[] = {
    CEMV_SLOT_9F02, CEMV_SLOT_9F03, CEMV_SLOT_5A,   CEMV_SLOT_5F34, CEMV_SLOT_DF8104, CEMV_SLOT_9F34,
    CEMV_SLOT_9F7D, CEMV_SLOT_9F1E, CEMV_SLOT_9F33, CEMV_SLOT_9F1A, CEMV_SLOT_9F35,   CEMV_SLOT_95,
    CEMV_SLOT_9F53, CEMV_SLOT_5F2A, CEMV_SLOT_9A,   CEMV_SLOT_9F21, CEMV_SLOT_9C,     CEMV_SLOT_9F37,
};
/* Where the parts of the relay resistance exchange lie in k2_memory.relay. */
static const struct {
    uint32_t tag;
    uint8_t at, size;
} relay_parts[] = {
    { CEMV_TAG_DF8301_TERMINAL_RELAY_RESISTANCE_ENTROPY, 0, 4 },
    { CEMV_TAG_DF8302_DEVICE_RELAY_RESISTANCE_ENTROPY, 4, 4 },
    { CEMV_TAG_DF8303_MIN_TIME_FOR_RELAY_RESISTANCE_APDU, 8, 2 },
    { CEMV_TAG_DF8304_MAX_TIME_FOR_RELAY_RESISTANCE_APDU, 10, 2 },
    { CEMV_TAG_DF8305_DEVICE_TRANSMISSION_TIME_R_APDU, 12, 2 },
};

static void put_span(const struct cemv_kernel *kernel, struct cemv_writer *writer, uint32_t tag, struct k2_span span)
{
    if (span.size != 0) cemv_writer_put_tlv(writer, tag, k2_bytes(kernel, span));
}

static void write_torn(const struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    const struct k2_memory *memory = k2_memory_of_const(kernel);
    const struct k2_span pdol = { (uint16_t)(memory->pdol.offset - memory->pdol_header),
                                  (uint16_t)(memory->pdol.size + memory->pdol_header) };
    uint8_t measured[2];
    put_slots(kernel, writer, torn_slots, sizeof torn_slots / sizeof torn_slots[0]);
    put_span(kernel, writer, CEMV_TAG_DF8107_CDOL1_RELATED_DATA, memory->cdol);
    put_span(kernel, writer, CEMV_TAG_DF8111_PDOL_RELATED_DATA, pdol);
    put_span(kernel, writer, CEMV_TAG_DF8113_DRDOL_RELATED_DATA, memory->drdol);
    put_status(writer, CEMV_TAG_DF8114_REFERENCE_CONTROL_PARAMETER, memory->control);
    put_status(writer, CEMV_TAG_DF8128_IDS_STATUS, memory->ids);
    if ((memory->tvr & K2_TVR_RELAY_MASK) == K2_TVR(5, CEMV_TVR_5_RELAY_PERFORMED)) {
        for (size_t i = 0; i < sizeof relay_parts / sizeof relay_parts[0]; i++) {
            cemv_writer_put_tlv(writer, relay_parts[i].tag,
                                (cemv_bytes){ memory->relay + relay_parts[i].at, relay_parts[i].size });
        }
        cemv_put_be16(measured, memory->measured);
        cemv_writer_put_tlv(writer, CEMV_TAG_DF8306_MEASURED_RELAY_RESISTANCE_TIME,
                            (cemv_bytes){ measured, sizeof measured });
    }
    put_status(writer, CEMV_TAG_DF8307_RRP_COUNTER, memory->retries); /* zero without relay resistance [S1.9] */
}

static cemv_bytes record_at(const struct cemv_kernel *kernel, uint8_t index)
{
    return (cemv_bytes){ kernel->transaction.reader->torn[index].bytes, kernel->transaction.reader->torn[index].size };
}

void k2_report_torn(struct cemv_kernel *kernel, struct k2_span record)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    if (record.size != 0 && memory->evicted_count < K2_EVICTED_MAX) memory->evicted[memory->evicted_count++] = record;
}

static void evict(struct cemv_kernel *kernel, uint8_t index)
{
    struct k2_span kept = { 0, 0 };
    if (k2_keep(kernel, record_at(kernel, index), &kept)) k2_report_torn(kernel, kept);
    k2_torn_remove(kernel->transaction.reader, index);
}

void k2_torn_store(struct cemv_kernel *kernel, uint8_t capacity)
{
    struct cemv_reader_memory *reader = kernel->transaction.reader;
    while (reader->torn_count >= capacity && reader->torn_count != 0) evict(kernel, 0);
    struct cemv_torn_record *place = &reader->torn[reader->torn_count];
    struct cemv_writer writer = cemv_writer_open(place->bytes, sizeof place->bytes);
    write_torn(kernel, &writer);
    place->size = (uint16_t)cemv_writer_finish(&writer).size;
    if (place->size != 0) reader->torn_count++;
}

/* One object of a record back into this tap [S10.11]. */
static void restore_object(struct cemv_kernel *kernel, const struct cemv_tlv *object)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const cemv_bytes value = object->value;
    for (size_t i = 0; i < sizeof relay_parts / sizeof relay_parts[0]; i++) {
        if (relay_parts[i].tag == object->tag && value.size == relay_parts[i].size)
            cemv_copy(memory->relay + relay_parts[i].at, value.data, value.size);
    }
    if (object->tag == CEMV_TAG_DF8107_CDOL1_RELATED_DATA) (void)k2_keep(kernel, value, &memory->cdol);
    else if (object->tag == CEMV_TAG_DF8113_DRDOL_RELATED_DATA) (void)k2_keep(kernel, value, &memory->drdol);
    else if (object->tag == CEMV_TAG_DF8114_REFERENCE_CONTROL_PARAMETER) memory->control = value.data[0];
    else if (object->tag == CEMV_TAG_DF8128_IDS_STATUS) memory->ids = value.data[0];
    else if (object->tag == CEMV_TAG_DF8306_MEASURED_RELAY_RESISTANCE_TIME) memory->measured = cemv_be16(value.data);
    else if (object->tag == CEMV_TAG_DF8307_RRP_COUNTER) memory->retries = value.data[0];
    if (object->tag == CEMV_TAG_DF8111_PDOL_RELATED_DATA && k2_keep(kernel, value, &memory->pdol)) {
        memory->pdol_header = value.size > 1 && value.data[1] == 0x81 ? 3 : 2;
        memory->pdol.offset = (uint16_t)(memory->pdol.offset + memory->pdol_header);
        memory->pdol.size = (uint16_t)(memory->pdol.size - memory->pdol_header);
    }
    if (object->tag == CEMV_TAG_95_TERMINAL_VERIFICATION_RESULTS) {
        memory->tvr = 0;
        for (size_t i = 0; i < value.size; i++) memory->tvr = memory->tvr << 8 | value.data[i];
    }
    for (size_t i = 0; i < sizeof torn_slots / sizeof torn_slots[0]; i++) {
        if (cemv_tag_table[torn_slots[i]].tag != object->tag || torn_slots[i] == CEMV_SLOT_5A ||
            torn_slots[i] == CEMV_SLOT_5F34)
            continue;
        if (!cemv_store_put(&kernel->store, torn_slots[i], value, CEMV_FROM_TERMINAL)) memory->store_full = true;
    }
}

void k2_torn_take(struct cemv_kernel *kernel, bool restore)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const cemv_bytes record = record_at(kernel, memory->torn);
    struct cemv_tlv_cursor cursor = cemv_tlv_open(record);
    struct cemv_tlv object;
    cemv_bytes status, summary;
    (void)k2_torn_find(record, CEMV_TAG_DF8128_IDS_STATUS, &status);
    (void)k2_torn_find(record, CEMV_TAG_9F7D_DS_SUMMARY_1, &summary);
    if (!restore && status.size == 1 && (status.data[0] & IDS_WRITE_BIT) != 0 &&
        summary.size <= sizeof memory->old_summary) {
        memory->old_write = true;
        memory->old_summary_size = (uint8_t)summary.size;
        cemv_copy(memory->old_summary, summary.data, summary.size);
        (void)k2_keep(kernel, record, &memory->old_record);
    }
    while (restore && cemv_tlv_next(&cursor, &object)) restore_object(kernel, &object);
    k2_torn_remove(kernel->transaction.reader, memory->torn);
}

bool k2_torn_too_old(const struct cemv_kernel *kernel, cemv_bytes record)
{
    struct k2_torn_now now;
    cemv_copy(now.date, kernel->transaction.date, sizeof now.date);
    cemv_copy(now.time, kernel->transaction.time, sizeof now.time);
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    const uint32_t own = protection->torn_lifetime_s != 0 ? protection->torn_lifetime_s : GUARDED_LIFETIME_S;
    const uint32_t configured = k2_word(kernel, CEMV_SLOT_DF811C, DEFAULT_LIFETIME_S);
    return k2_torn_age(record, &now) > (cemv_is_book(kernel) || configured < own ? configured : own);
}

void k2_torn_clean(struct cemv_kernel *kernel)
{
    const struct cemv_reader_memory *reader = kernel->transaction.reader;
    for (uint8_t i = 0; reader && i < reader->torn_count; i++) {
        if (!k2_torn_too_old(kernel, record_at(kernel, i))) continue;
        evict(kernel, i);
        return;
    }
}
