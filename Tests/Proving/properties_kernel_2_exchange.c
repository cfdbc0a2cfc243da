/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 2's data exchange: lists of tags, objects that the terminal may write, questions, answers. */
#include "kernel_2_part.h"

static void properties_of_tag_lists(void)
{
    struct k2_memory *const memory = k2_memory_of(&kernel);
    uint8_t tags[2 * K2_TAGS_TO_READ_MAX],
        object[2 * K2_TAGS_TO_READ_MAX + 8] = { 0xDF, 0x81, 0x12, 2 * K2_TAGS_TO_READ_MAX };
    for (unsigned i = 0; i < K2_TAGS_TO_READ_MAX; i++) {
        tags[2 * i] = 0x9F;
        tags[2 * i + 1] = (uint8_t)(i < 10 ? 0x70 + i : i);
    }
    memcpy(object + 4, tags, sizeof tags);
    for (unsigned wanted = 0; wanted < 10; wanted++) {
        fresh(CEMV_PROFILE_BOOK);
        k2_update(&kernel, of(object, 4 + sizeof tags));
        const unsigned count = memory->to_read.count;
        uint16_t slot = 0;
        for (unsigned i = 0; i <= wanted; i++)
            property(k2_take_card_tag(&kernel, &slot) && slot == cemv_slot_of(tags_of(2), 0x9F70u + i),
                     "tags are read in their order", i);
        property(memory->to_read.count == count - wanted - 1, "a list gets shorter by one", wanted);
        for (unsigned i = 0; i + wanted + 1 < count && i + wanted + 1 < 10; i++)
            property(memory->to_read.slot[i] == cemv_slot_of(tags_of(2), 0x9F70u + wanted + 1 + i),
                     "the others keep their order", i);
    }
    static const uint8_t broken[] = { 0xDF, 0x81, 0x12, 4, 0x9F, 0x70, 0x9F, 0x80 };
    fresh(CEMV_PROFILE_BOOK);
    k2_update(&kernel, of(broken, sizeof broken));
    property(memory->to_read.count == 1 && memory->to_read.slot[0] == cemv_slot_of(tags_of(2), 0x9F70),
             "a list of tags counts up to a tag that is cut off", memory->to_read.count);
    fresh(CEMV_PROFILE_BOOK);
    for (uint16_t slot = 0; slot < K2_TAGS_TO_READ_MAX; slot++) memory->to_read.slot[memory->to_read.count++] = slot;
    memory->to_read.slot[3] = cemv_slot_of(tags_of(2), 0x9F71);
    uint16_t taken = 0;
    property(memory->to_read.count == K2_TAGS_TO_READ_MAX && k2_take_card_tag(&kernel, &taken) &&
                 taken == cemv_slot_of(tags_of(2), 0x9F71),
             "one of a full list", taken);
    for (unsigned i = 0; i + 1 < K2_TAGS_TO_READ_MAX; i++)
        property(memory->to_read.slot[i] == (i < 3 ? i : i + 1), "a full list closes its gap", i);
}

/* Objects that data exchange may write (digest 1.3, "D"; C-8 A.1: Update DET): those of the transaction, of data
 * storage, and the lists. */
static bool is_for_data_exchange(uint32_t tag)
{
    static const uint32_t tags[] = {
        0x5F2A,   0x5F36,   0x5F57,   0x9A,     0x9C,     0x9F02,   0x9F03,   0x9F21,
        0x9F53,   0x9F5C,   0x9F7C,   0xDF60,   0xDF62,   0xDF63,   0xDF8104, 0xDF8105,
        0xDF8108, 0xDF8109, 0xDF810A, 0xDF8110, 0xDF8112, 0xFF8102, 0xFF8103,
    };
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (tags[i] == tag) return true;
    return tag >= 0x9F70 && tag <= 0x9F79;
}

/* A terminal's object has the size and the format of the dictionary, or it is ignored; lists of writes may be long. */
static void properties_of_sizes(void)
{
    static const uint8_t no_amount[] = { 0x9F, 0x02, 6, 0, 0, 0, 0, 0x1A, 0x50 };
    fresh(CEMV_PROFILE_BOOK);
    k2_update(&kernel, of(no_amount, sizeof no_amount));
    property(cemv_value(&kernel, CEMV_SLOT_9F02).size == 0, "an amount that is not BCD is ignored", 0);
    for (uint16_t slot = 0; slot < K2_SLOT_END; slot++) {
        const struct cemv_tag_row info = *k2_tag_row(slot);
        if (cemv_tag_is_constructed(info.tag) || slot == K2_SLOT_DF8112) continue;
        for (unsigned edge = 0; edge < 4; edge++) {
            const size_t size = edge == 0 ? info.min - 1u : edge == 1 ? info.min : edge == 2 ? info.max : info.max + 1u;
            uint8_t object[320];
            if (size == 0 || size > 300) continue;
            size_t head = cemv_tag_write(object, info.tag);
            if (size > 255) {
                object[head++] = 0x82;
                object[head++] = (uint8_t)(size >> 8);
            } else if (size > 127) object[head++] = 0x81;
            object[head++] = (uint8_t)size;
            memset(object + head, 0x31, size);
            fresh(CEMV_PROFILE_BOOK);
            k2_update(&kernel, of(object, head + size));
            const bool fits = edge == 1 || edge == 2 || (edge == 3 && info.max == 255);
            const bool writable = is_for_data_exchange(info.tag);
            property((cemv_value(&kernel, slot).size == size) == (fits && writable), "what data exchange may write",
                     (unsigned)slot << 8 | edge);
        }
    }
    uint8_t writes[300] = { 0xFF, 0x81, 0x02, 0x82, 0x01, 0x04, 0x9F, 0x75, 0x81, 0xC8 };
    writes[210] = 0x9F;
    writes[211] = 0x76;
    writes[212] = 0x33;
    fresh(CEMV_PROFILE_BOOK);
    k2_update(&kernel, of(writes, 6 + 260));
    property(cemv_value(&kernel, K2_SLOT_FF8102).size == 260 && k2_memory_of(&kernel)->write_before.size == 204 + 54,
             "a list of writes of more than 255 bytes", k2_memory_of(&kernel)->write_before.size);
}

/* A list of writes grows by a whole list, or not at all. */
static void properties_of_growing_lists(void)
{
    static const uint8_t first[] = { 0xFF, 0x81, 0x02, 5, 0x9F, 0x75, 2, 1, 2 },
                         second[] = { 0xFF, 0x81, 0x02, 5, 0x9F, 0x76, 2, 3, 4 }, filler[CEMV_STORE_ARENA];
    struct k2_memory *const memory = k2_memory_of(&kernel);
    for (size_t room = 0; room < 14; room++) {
        struct cemv_span span;
        fresh(CEMV_PROFILE_BOOK);
        k2_update(&kernel, of(first, sizeof first));
        property(cemv_store_keep(&kernel.store, of(filler, (size_t)CEMV_STORE_ARENA - kernel.store.used - room), &span),
                 "room", (unsigned)room);
        k2_update(&kernel, of(second, sizeof second));
        const cemv_bytes list = cemv_span_bytes(&kernel.store, memory->write_before);
        property(list.size == (room < 10 ? 5 : 10) && memcmp(list.data, first + 4, 5) == 0 &&
                     (list.size == 5 || memcmp(list.data + 5, second + 4, 5) == 0),
                 "a list of writes that grows", (unsigned)room);
    }
}

/* Returns the first object of Data To Send in the exchange record; false if there is none. */
static bool first_sent(struct cemv_tlv *object)
{
    struct cemv_tlv_cursor all = cemv_tlv_open(of(kernel.out.records, kernel.out.exchange_size));
    struct cemv_tlv list;
    if (!cemv_list_next(&all, &list) || list.tag != CEMV_TAG_FF8104_DATA_TO_SEND) return false;
    struct cemv_tlv_cursor one = cemv_tlv_open(list.value);
    return cemv_list_next(&one, object);
}

/* S5.19-24: an object that GET DATA did not return is answered empty, even if the terminal supplied such an object. */
static void get_data_answers_what_the_card_gave(void)
{
    static const uint8_t body[] = { 0x9F, 0x75, 2, 0xCC, 0xCC, 0x90, 0x00 };
    static const struct {
        uint8_t held, provenance;
        size_t sent;
    } cases[] = {
        { 0, 0, 2 },
        { 0xAA, CEMV_FROM_TERMINAL, 0 },
        { 0xCC, CEMV_FROM_TERMINAL, 0 },
        { 0xCC, CEMV_FROM_CARD, 2 },
        { 0xAA, CEMV_FROM_CARD, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct k2_memory *const memory = k2_memory_of(&kernel);
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = of(body, sizeof body) };
        const uint8_t held[2] = { cases[i].held, cases[i].held };
        struct cemv_tlv object = { 0 };
        bool repeated;
        fresh(CEMV_PROFILE_BOOK);
        kernel.store.reading = CEMV_READING_IDENTICAL_DUPLICATES | CEMV_READING_REFUSE_TERMINAL_TAGS;
        put(CEMV_SLOT_94, "\x10\1\1\0", 4);
        if (held[0] != 0)
            property(cemv_store_put(&kernel.store, K2_SLOT_9F75, of(held, 2), cases[i].provenance), "room",
                     (unsigned)i);
        property(cemv_afl_open(&kernel.afl, &kernel.store, 16, &repeated), "a record", (unsigned)i);
        memory->mode = K2_MODE_EMV;
        memory->active = K2_SLOT_9F75;
        kernel.out.state = K2_S5_WAIT_GET_DATA;
        kernel.out.step = CEMV_STEP_SEND;
        property(cemv_kernel_2.reply(&kernel, &reply) == CEMV_STEP_SEND && kernel.out.command[1] == 0xB2,
                 "reading goes on", (unsigned)i);
        property(first_sent(&object) && object.tag == 0x9F75 && object.value.size == cases[i].sent,
                 "an answer of the card's", (unsigned)i);
    }
}

/* S3R1.1-9: the next command is chosen before objects that are already present are moved to Data To Send. A tag that
 * the terminal wants read is requested with GET DATA, even if the answer to GPO contained it and the locator lists only
 * the mag-stripe record. */
static void get_data_comes_first(void)
{
    static const uint8_t both[] = { 0x77, 0x13, 0x82, 2, 0x19, 0x80, 0x94, 4, 8, 1,    1,   0,
                                    0x9F, 0x50, 6,    0, 0,    0,    0,    0, 1, 0x90, 0x00 };
    for (unsigned i = 0; i < 4; i++) {
        const bool brings = i & 1, asked = i & 2;
        struct k2_memory *const memory = k2_memory_of(&kernel);
        uint8_t body[sizeof both];
        size_t size = sizeof both;
        fresh(CEMV_PROFILE_BOOK);
        memcpy(body, both, sizeof both);
        if (!brings) {
            size -= 9;
            body[1] = 10;
            memcpy(body + 12, "\x90\0", 2);
        }
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = of(body, size) };
        kernel.store.reading = CEMV_READING_IDENTICAL_DUPLICATES;
        kernel.out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
        if (asked) {
            memory->to_read.count = 1;
            memory->to_read.slot[0] = K2_SLOT_9F50;
        }
        kernel.out.state = K2_S3_WAIT_GPO;
        kernel.out.step = CEMV_STEP_SEND;
        const enum cemv_step step = cemv_kernel_2.reply(&kernel, &reply);
        property((step == CEMV_STEP_SEND) == asked, "what there is to read", i);
        if (asked)
            property(kernel.out.state == K2_S5_WAIT_GET_DATA && memcmp(kernel.out.command, "\x80\xCA\x9F\x50", 4) == 0,
                     "GET DATA", i);
        else property(kernel.out.outcome.error_indication[1] == CEMV_L2_CARD_DATA_ERROR, "S3R1.6: nothing to read", i);
    }
}

/* S3R1.6, S3.90: if there is nothing to read, the discretionary data contain only the error indication, also after
 * relay resistance. */
static void nothing_to_read_tells_the_error_alone(void)
{
    static const uint8_t timed[] = { 0x80, 10, 1, 2, 3, 4, 0, 0, 0xFF, 0xFF, 0, 0x18, 0x90, 0x00 },
                         options[] = { 0x77, 10, 0x82, 2, 0x19, 0x80, 0x94, 4, 8, 1, 1, 0, 0x90, 0x00 };
    for (unsigned relay = 0; relay < 2; relay++) {
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE,
                                          .bytes = relay ? of(timed, sizeof timed) : of(options, sizeof options) };
        fresh(CEMV_PROFILE_BOOK);
        kernel.store.reading = CEMV_READING_IDENTICAL_DUPLICATES;
        kernel.out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
        put(K2_SLOT_9F5D, "\1\0\0", 3);
        k2_memory_of(&kernel)->mode = relay ? K2_MODE_EMV : K2_MODE_NONE;
        kernel.out.state = relay ? K2_R1_WAIT_RELAY : K2_S3_WAIT_GPO;
        kernel.out.step = CEMV_STEP_SEND;
        property(cemv_kernel_2.reply(&kernel, &reply) == CEMV_STEP_DONE, "nothing to read", relay);
        property(kernel.out.discretionary_size == 10 && memcmp(kernel.out.records, "\xDF\x81\x15\6", 4) == 0,
                 "the error indication alone", relay);
    }
}

/* 3.0 Timer: DF8127 in milliseconds. Zero means no time, not an endless wait. */
static void a_question_has_a_deadline(void)
{
    static const struct {
        const char *value;
        size_t size;
        uint32_t deadline_ms;
    } cases[] = { { "", 0, 500 }, { "\0\0", 2, 1 }, { "\0\1", 2, 1 }, { "\xFF\xFF", 2, 65535 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fresh(CEMV_PROFILE_BOOK);
        put(K2_SLOT_DF8127, cases[i].value, cases[i].size);
        k2_need(&kernel, K2_SLOT_9F53);
        property(k2_ask_terminal(&kernel, K2_S2_WAIT_PDOL_DATA) == CEMV_STEP_ASK &&
                     kernel.out.deadline_ms == cases[i].deadline_ms,
                 "a deadline", (unsigned)i);
    }
}

/* Starts an activation whose transaction leaves the objects of `list` open; the store holds the objects that the
 * session put there. */
static enum cemv_step start_with(cemv_bytes fci, cemv_bytes list)
{
    fresh(CEMV_PROFILE_BOOK);
    put(CEMV_SLOT_9F02, "\0\0\0\0\x12\x34", 6);
    put(CEMV_SLOT_5F2A, "\x09\x78", 2);
    put(CEMV_SLOT_9A, "\x26\x11\x21", 3);
    put(K2_SLOT_DF8124, "\0\0\0\1\0\0", 6);
    kernel.transaction.data = list;
    property(cemv_store_keep(&kernel.store, fci, &kernel.fci), "room", 0);
    kernel.fci.size = (uint16_t)fci.size;
    cemv_fci_read(&kernel);
    return cemv_kernel_2.start(&kernel);
}

static enum cemv_step given(cemv_bytes bytes)
{
    const struct cemv_reply reply = { .kind = CEMV_REPLY_DATA, .bytes = bytes };
    kernel.out.exchange_size = 0;
    return cemv_kernel_2.reply(&kernel, &reply);
}

/* 1.3, S1.11-12, S4.28, S456.12, S78.8: an amount that the transaction leaves open is requested when an object list
 * needs it, and is missing at the end of reading if nobody supplied it. */
static void an_amount_may_be_left_open(void)
{
    static const uint8_t asking[] = { 0x6F, 0x12, 0x84, 5, 0xA0, 0,    0, 0,    4,    0xA5,
                                      9,    0x9F, 0x38, 6, 0x9F, 0x02, 6, 0x5F, 0x2A, 2 },
                         plain[] = { 0x6F, 0x09, 0x84, 5, 0xA0, 0, 0, 0, 4, 0xA5, 0 };
    static const uint8_t open[] = { 0x9F, 0x02, 0, 0x5F, 0x2A, 0, 0x9F, 0x03, 0, 0x9A,
                                    0,    0x9C, 0, 0x9F, 0x21, 0, 0x5F, 0x36, 0 };
    static const uint8_t amount[] = { 0x9F, 0x02, 6, 0, 0, 0, 0, 0x99, 0 }, currency[] = { 0x5F, 0x2A, 2, 0x08, 0x40 };
    static const uint8_t sent[] = { 0x83, 8, 0, 0, 0, 0, 0x99, 0, 0x08, 0x40 };
    struct k2_memory *const memory = k2_memory_of(&kernel);
    property(start_with(of(asking, sizeof asking), of(NULL, 0)) == CEMV_STEP_SEND && kernel.out.command[11] == 0x12,
             "the transaction's own amount", 0);
    property(start_with(of(asking, sizeof asking), of(open, sizeof open)) == CEMV_STEP_ASK &&
                 kernel.out.state == K2_S2_WAIT_PDOL_DATA,
             "an open amount is asked for", 0);
    property(kernel.out.command_size == 4 && memcmp(kernel.out.command, "\x9F\x02\x5F\x2A", 4) == 0,
             "with all that the PDOL needs", kernel.out.command_size);
    property(kernel.out.exchange_size != 0 && !kernel.out.question_running && kernel.out.deadline_ms == 500 &&
                 memory->needed.count == 0,
             "a question is sent once", memory->needed.count);
    /* S2.6-7: an insufficient answer leaves question and timer unchanged. */
    for (unsigned i = 0; i < 20; i++) {
        property(given(i % 2 ? of(amount, sizeof amount) : of(NULL, 0)) == CEMV_STEP_ASK &&
                     kernel.out.state == K2_S2_WAIT_PDOL_DATA,
                 "until all is there", i);
        property(kernel.out.exchange_size == 0 && kernel.out.question_running && memory->needed.count == 0,
                 "nothing is asked anew, and the time runs on", i);
    }
    property(given(of(currency, sizeof currency)) == CEMV_STEP_SEND &&
                 memcmp(kernel.out.command + 5, sent, sizeof sent) == 0,
             "and is sent", 0);
    property(start_with(of(plain, sizeof plain), of(open, sizeof open)) == CEMV_STEP_SEND,
             "without a PDOL nothing is asked", 0);
    property(!cemv_store_has(&kernel.store, CEMV_SLOT_9F02) && k2_is_empty(&kernel, CEMV_SLOT_9F02) &&
                 !cemv_store_has(&kernel.store, CEMV_SLOT_9A),
             "open data are there, and empty", 0);
    property(k2_need_for_dol(&kernel, of("\x9F\x02\6", 3)) && memory->needed.count == 1, "S4.28: CDOL1 asks for it",
             memory->needed.count);
    k2_mark_empty(&kernel, CEMV_SLOT_9F35);
    property(!k2_need_for_dol(&kernel, of("\x9F\x35\1", 3)) && memory->needed.count == 1,
             "configuration is not asked for", memory->needed.count);
    const uint64_t untimely = CEMV_TVR(2, CEMV_TVR_2_EXPIRED | CEMV_TVR_2_NOT_YET_EFFECTIVE);
    put(CEMV_SLOT_5F24, "\x49\x12\x31", 3);
    put(CEMV_SLOT_5F25, "\x50\x01\x01", 3);
    property((k2_restrictions_of(&kernel) & untimely) == untimely, "without a date no card is in time", 0);
    put(CEMV_SLOT_9A, "\x26\x11\x21", 3);
    property((k2_restrictions_of(&kernel) & untimely) == 0, "with one it is", 0);
    for (unsigned mode = K2_MODE_EMV; mode <= K2_MODE_MAGSTRIPE; mode++)
        for (unsigned there = 0; there < 2; there++) {
            (void)start_with(of(plain, sizeof plain), of(open, sizeof open));
            if (there) k2_update(&kernel, of(amount, sizeof amount));
            memory->mode = (uint8_t)mode;
            put(K2_SLOT_DF8110, "\0", 1);
            kernel.out.state = mode == K2_MODE_EMV ? K2_S6_WAIT_FIRST_WRITE : K2_S8_WAIT_FIRST_WRITE;
            kernel.out.step = CEMV_STEP_ASK;
            const enum cemv_step step = given(of("\xDF\x81\x10\1\1", 5));
            const bool missed = kernel.out.outcome.error_indication[2] == CEMV_L3_AMOUNT_NOT_PRESENT;
            property(missed == !there && (!missed || (step == CEMV_STEP_DONE &&
                                                      kernel.out.outcome.status == CEMV_OUTCOME_END_APPLICATION)),
                     "an amount that nobody gave", mode << 1 | there);
        }
}

/* 3.0, S456.21-23, S78.12-14: every tag that the terminal wants read is answered once, with its value or empty, in as
 * many records as needed, before the cryptogram is requested. */
static void every_tag_to_read_is_answered(void)
{
    static const uint16_t others[] = { 0x50, 0x57, 0x5A,   0x82,   0x84,   0x87,   0x8C,  0x8E,
                                       0x90, 0x92, 0x9F07, 0x9F08, 0x9F0D, 0x9F46, 0x9F48 },
                          storage[] = { 0x9F5E, 0x9F5D, 0x9F5F, 0x9F7D, 0x9F7F, 0x9F6F, 0x9F54, 0x9F37 };
    static const uint8_t value[250], again[] = { 0xDF, 0x81, 0x10, 1, 1 };
    enum { ENVELOPES = 10, OTHERS = 15, STORAGE = 8, ALL = ENVELOPES + OTHERS + STORAGE };
    struct k2_memory *const memory = k2_memory_of(&kernel);
    for (unsigned size = 8; size <= 192; size += 4)
        for (unsigned mode = K2_MODE_EMV; mode <= K2_MODE_MAGSTRIPE; mode++) {
            uint8_t seen[ALL] = { 0 };
            unsigned records = 0;
            fresh(CEMV_PROFILE_BOOK);
            put(CEMV_SLOT_9F02, "\0\0\0\0\x12\x34", 6);
            put(K2_SLOT_DF8124, "\0\0\0\1\0\0", 6);
            put(CEMV_SLOT_5F24, "\x49\x12\x31", 3);
            put(CEMV_SLOT_9A, "\x26\x11\x21", 3);
            put(CEMV_SLOT_5A, "\x54\x13\x33\0\x89\2\0\x11", 8);
            put(CEMV_SLOT_8C, "\x9F\x37\4", 3);
            put(K2_SLOT_DF8110, "\0", 1);
            for (uint32_t i = 0; i < ENVELOPES; i++) {
                put(cemv_slot_of(tags_of(2), 0x9F70 + i), value, size);
                k2_answer(&kernel, cemv_slot_of(tags_of(2), 0x9F70 + i), true);
            }
            for (unsigned i = 0; i < STORAGE; i++) k2_answer(&kernel, cemv_slot_of(tags_of(2), storage[i]), true);
            for (unsigned i = 0; i < OTHERS; i++)
                memory->to_read.slot[memory->to_read.count++] = cemv_slot_of(tags_of(2), others[i]);
            memory->mode = (uint8_t)mode;
            kernel.out.state = mode == K2_MODE_EMV ? K2_S6_WAIT_FIRST_WRITE : K2_S8_WAIT_FIRST_WRITE;
            kernel.out.step = CEMV_STEP_ASK;
            enum cemv_step step = given(of(again, sizeof again));
            for (; records < 8; records++) {
                struct cemv_tlv_cursor all = cemv_tlv_open(of(kernel.out.records, kernel.out.exchange_size));
                struct cemv_tlv list, object;
                property(kernel.out.exchange_size <= sizeof kernel.out.records && cemv_list_next(&all, &list) &&
                             list.tag == CEMV_TAG_FF8104_DATA_TO_SEND,
                         "a data exchange record", size);
                struct cemv_tlv_cursor one = cemv_tlv_open(list.value);
                while (cemv_list_next(&one, &object)) {
                    const uint16_t slot = cemv_slot_of(tags_of(2), object.tag);
                    for (unsigned i = 0; i < ALL; i++) {
                        const uint32_t tag = i < ENVELOPES          ? 0x9F70u + i
                                           : i < ENVELOPES + OTHERS ? others[i - ENVELOPES]
                                                                    : storage[i - ENVELOPES - OTHERS];
                        if (tag == object.tag) seen[i]++;
                    }
                    property(object.value.size == cemv_value(&kernel, slot).size, "an answer is whole", object.tag);
                }
                property(cemv_list_next(&all, &list) && list.tag == CEMV_TAG_DF8106_DATA_NEEDED &&
                             !cemv_list_next(&all, &list) && all.error == CEMV_WIRE_OK,
                         "with an empty list of data needed", size);
                const struct cemv_reply reply = { .kind = CEMV_REPLY_CONTINUE };
                property(step == CEMV_STEP_WORK && kernel.out.state == K2_WAIT_ANSWERS_SENT,
                         "a record is seen before anything else", kernel.out.state);
                kernel.out.exchange_size = 0;
                step = cemv_kernel_2.reply(&kernel, &reply);
                if (step != CEMV_STEP_WORK) break;
            }
            property(kernel.out.exchange_size == 0, "no empty record", size);
            for (unsigned i = 0; i < ALL; i++) property(seen[i] == 1, "a tag is answered once", size << 8 | i);
            property(step == (mode == K2_MODE_EMV ? CEMV_STEP_SEND : CEMV_STEP_ASK), "then the cryptogram",
                     size << 4 | records);
            property(size > 16 || records == 0, "what fits goes in one record", size);
            property(size < 190 || records >= 2, "what does not, in several", size);
        }
    /* A list that the terminal itself supplies is answered empty if it does not fit into a record; a stop between two
     * records ends the tap. */
    fresh(CEMV_PROFILE_BOOK);
    uint8_t writes[1000] = { 0 };
    put(K2_SLOT_FF8102, writes, sizeof writes);
    k2_answer(&kernel, K2_SLOT_FF8102, true);
    struct cemv_tlv object = { 0 };
    property(!k2_answer_rest(&kernel) && first_sent(&object) &&
                 object.tag == CEMV_TAG_FF8102_TAGS_TO_WRITE_BEFORE_GEN_AC && object.value.size == 0,
             "an object that no record takes", (unsigned)object.value.size);
    kernel.out.state = K2_WAIT_ANSWERS_SENT;
    property(cemv_kernel_2.stop(&kernel) == CEMV_STEP_DONE && kernel.out.outcome.error_indication[2] == CEMV_L3_STOP,
             "a stop", 0);
    property(told(K2_WAIT_ANSWERS_SENT, CEMV_REPLY_TIMEOUT) == CEMV_STEP_DONE &&
                 told(K2_WAIT_ANSWERS_SENT, CEMV_REPLY_RESPONSE) == CEMV_STEP_DONE,
             "an answer to nothing ends the tap", 0);
}

/* C-8, 4.1.3 and 4.3: a PDOL may be in any template of the FCI; and the data record lists the objects that the
 * transaction left open, with a length of zero. */
static void open_data_and_lists_are_found(void)
{
    static const uint8_t nested[] = { 0x6F, 0x12, 0x84, 5,    0xA0, 0, 0,    0, 4,    0xA5,
                                      9,    0xE1, 7,    0x9F, 0x38, 4, 0x9C, 1, 0x9A, 3 };
    static const uint8_t open[] = { 0x9F, 0x53, 0 }, sent[] = { 0x83, 4, 0, 0x26, 0x11, 0x21 };
    struct cemv_tlv object;
    property(start_with(of(nested, sizeof nested), of(open, sizeof open)) == CEMV_STEP_SEND &&
                 memcmp(kernel.out.command + 5, sent, sizeof sent) == 0,
             "a list in a template of its own", 0);
    k2_memory_of(&kernel)->mode = K2_MODE_EMV;
    k2_put_records(&kernel, true);
    property(cemv_tlv_find(of(kernel.out.records, kernel.out.record_size), 0x9F53, &object) && object.value.size == 0,
             "an object that is there, and empty", 0);
}

/* 3.0, spool; C-8, 4.3, AddToList: an object is added to Data To Send with the value of that moment, whatever happens
 * before the record is sent, and with the later value if it is requested again. TVR is the value so far (S3.65,
 * S456.7). */
static void answers_have_the_value_of_their_time(void)
{
    static const uint8_t ask_tvr[] = { 0xDF, 0x81, 0x12, 1, 0x95 }, ask_amount[] = { 0xDF, 0x81, 0x12, 2, 0x9F, 0x02 };
    static const uint8_t amounts[3][9] = { { 0x9F, 0x02, 6, 0, 0, 0, 0, 0, 1 },
                                           { 0x9F, 0x02, 6, 0, 0, 0, 0, 0, 2 },
                                           { 0x9F, 0x02, 6, 0, 0, 0, 0, 0, 3 } };
    struct k2_memory *const memory = k2_memory_of(&kernel);
    struct cemv_tlv object = { 0 };
    for (unsigned again = 0; again < 2; again++) {
        fresh(CEMV_PROFILE_BOOK);
        k2_update(&kernel, of(amounts[0], 9));
        k2_update(&kernel, of(ask_amount, sizeof ask_amount));
        k2_spool(&kernel);
        for (unsigned i = 1; i < 3; i++) k2_update(&kernel, of(amounts[i], 9));
        if (again) {
            k2_update(&kernel, of(ask_amount, sizeof ask_amount));
            k2_spool(&kernel);
        }
        property(cemv_value(&kernel, CEMV_SLOT_9F02).data[5] == 3, "the kernel goes on with the new value", again);
        k2_exchange(&kernel);
        property(first_sent(&object) && object.tag == 0x9F02 && object.value.data[5] == (again ? 3 : 1),
                 "a value of its time", again);
        property(memory->to_send.count == 0, "sent once", again);
    }
    for (unsigned late = 0; late < 2; late++) {
        fresh(CEMV_PROFILE_BOOK);
        memory->tvr = CEMV_TVR(5, CEMV_TVR_5_RELAY_NOT_PERFORMED);
        k2_update(&kernel, of(ask_tvr, sizeof ask_tvr));
        if (!late) k2_spool(&kernel);
        memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_ODA_NOT_PERFORMED);
        k2_put_tvr(&kernel);
        property(!k2_answer_rest(&kernel) && first_sent(&object) && object.tag == 0x95 &&
                     memcmp(object.value.data, late ? "\x80\0\0\0\1" : "\0\0\0\0\1", 5) == 0,
                 "TVR so far", late);
    }
}

/* Full lists: tags to be read stay queued, and answered objects are sent with an earlier record. */
static void full_lists_lose_nothing(void)
{
    struct k2_memory *const memory = k2_memory_of(&kernel);
    unsigned answers = 0, records = 0;
    fresh(CEMV_PROFILE_BOOK);
    for (uint16_t slot = 0; slot < CEMV_EXCHANGE_LIST_MAX; slot++)
        cemv_exchange_answer(&memory->to_send, &kernel.store, slot, false);
    for (uint16_t slot = CEMV_EXCHANGE_LIST_MAX; slot < CEMV_EXCHANGE_LIST_MAX + K2_TAGS_TO_READ_MAX; slot++) {
        put(slot, "\1", 1);
        memory->to_read.slot[memory->to_read.count++] = slot;
    }
    k2_spool(&kernel);
    property(memory->to_send.count == CEMV_EXCHANGE_LIST_MAX && memory->to_read.count == K2_TAGS_TO_READ_MAX,
             "what waits to be read waits longer", memory->to_read.count);
    for (bool more = true; more && records < 8; records++) {
        kernel.out.exchange_size = 0;
        more = k2_answer_rest(&kernel);
        struct cemv_tlv_cursor all = cemv_tlv_open(of(kernel.out.records, kernel.out.exchange_size));
        struct cemv_tlv list, object;
        if (!cemv_list_next(&all, &list)) continue;
        struct cemv_tlv_cursor one = cemv_tlv_open(list.value);
        while (cemv_list_next(&one, &object)) answers++;
    }
    property(answers == CEMV_EXCHANGE_LIST_MAX + K2_TAGS_TO_READ_MAX && records == 2 && memory->to_read.count == 0 &&
                 memory->to_send.count == 0,
             "full lists are answered", answers);
    fresh(CEMV_PROFILE_BOOK);
    for (uint16_t slot = 0; slot < CEMV_EXCHANGE_LIST_MAX; slot++)
        cemv_exchange_answer(&memory->to_send, &kernel.store, slot, true);
    cemv_exchange_answer(&memory->to_send, &kernel.store, CEMV_EXCHANGE_LIST_MAX, true);
    property(memory->to_send.count == CEMV_EXCHANGE_LIST_MAX, "a full list itself takes no more",
             memory->to_send.count);
    k2_answer(&kernel, CEMV_EXCHANGE_LIST_MAX, true);
    property(kernel.out.exchange_size != 0 && memory->to_send.count == 1 &&
                 memory->to_send.item[0].slot == CEMV_EXCHANGE_LIST_MAX,
             "a full list goes out before one more", memory->to_send.count);
}

void properties_of_kernel_2_exchange(void)
{
    PART(properties_of_growing_lists);
    PART(properties_of_tag_lists);
    PART(properties_of_sizes);
    PART(nothing_to_read_tells_the_error_alone);
    PART(get_data_comes_first);
    PART(get_data_answers_what_the_card_gave);
    PART(a_question_has_a_deadline);
    PART(an_amount_may_be_left_open);
    PART(every_tag_to_read_is_answered);
    PART(open_data_and_lists_are_found);
    PART(answers_have_the_value_of_their_time);
    PART(full_lists_lose_nothing);
}
