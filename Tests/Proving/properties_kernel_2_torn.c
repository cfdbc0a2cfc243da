/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 2's torn log: which records are kept, recovered and reported; and of a full store. */
#include "kernel_2_part.h"

/* RECOVER AC is sent for a recent torn record that contains the data for the command and, outside profile `book`,
 * belongs to the same transaction (attacks.md, A20). */
static void properties_of_recovery(void)
{
    static const uint8_t record[] = { 0x9F, 0x02, 6,    0,    0,    0,    0,    0,    1,    0x9A, 3,    0x26,
                                      0x11, 0x21, 0x9F, 0x21, 3,    0x12, 0x30, 0x10, 0x5A, 2,    0x12, 0x3F,
                                      0xDF, 0x81, 0x28, 1,    0x00, 0xDF, 0x81, 0x13, 1,    0x77 };
    for (unsigned i = 0; i < 16; i++) {
        const bool says = i & 1, young = i & 2, same = i & 4, book = i & 8;
        fresh(book ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED);
        put(K2_SLOT_9F51, "\x9F\x37\4", 3);
        put(K2_SLOT_DF811D, "\2", 1);
        put(CEMV_SLOT_5A, "\x12\x3F", 2);
        put(CEMV_SLOT_9F02, same ? "\0\0\0\0\0\1" : "\0\0\0\0\0\2", 6);
        reader.torn_count = 1;
        reader.torn[0].size = (uint16_t)(says ? sizeof record : sizeof record - 5);
        memcpy(reader.torn[0].bytes, record, sizeof record);
        if (!young) reader.torn[0].bytes[17] = 0x11;
        property(told(K2_S12_WAIT_PUT_DATA, CEMV_REPLY_RESPONSE) == CEMV_STEP_SEND, "a cryptogram is asked for", i);
        property((kernel.out.command[1] == 0xD0) == (says && young && (same || book)), "what is recovered", i);
        property(kernel.out.command[1] == 0xD0 ? kernel.out.command[4] == 1 && kernel.out.command[5] == 0x77
                                               : kernel.out.command[1] == 0xAE,
                 "else it is generated", i);
    }
    /* Torn again: the record is replaced, unless its write may have happened. */
    for (unsigned write = 0; write < 2; write++) {
        fresh(CEMV_PROFILE_BOOK);
        put(K2_SLOT_9F51, "\x9F\x37\4", 3);
        put(K2_SLOT_DF811D, "\3", 1);
        put(CEMV_SLOT_5A, "\x12\x3F", 2);
        reader.torn_count = 1;
        reader.torn[0].size = sizeof record;
        memcpy(reader.torn[0].bytes, record, sizeof record);
        reader.torn[0].bytes[28] = write ? 0x40 : 0;
        property(told(K2_S11_WAIT_AC, CEMV_REPLY_TIMEOUT) == CEMV_STEP_DONE && kernel.out.outcome.start == CEMV_START_B,
                 "the card is asked for again", write);
        property(reader.torn_count == 1 + write, "a record whose write may have happened stays", write);
    }
}

static void properties_of_the_log(void)
{
    static const uint8_t record[] = { 0x9A, 3, 0x26, 0x11, 0x21, 0x9F, 0x21, 3, 0x12, 0x30, 0x10, 0x5A, 1, 0x5F };
    const struct cemv_torn_now now = { { 0x26, 0x11, 0x21 }, { 0x12, 0x30, 0x15 } },
                               no_day = { { 0x26, 0x13, 0x21 }, { 0x12, 0x30, 0x15 } },
                               no_time = { { 0x26, 0x11, 0x21 }, { 0x1A, 0x30, 0x15 } };
    property(cemv_torn_age(of(record, sizeof record), &now) == 5, "seconds of a record", 5);
    property(cemv_torn_age(of(record, sizeof record), &no_day) == UINT32_MAX &&
                 cemv_torn_age(of(record, sizeof record), &no_time) == UINT32_MAX,
             "a clock that cannot be read", 0);
    fresh(CEMV_PROFILE_BOOK);
    reader.torn_count = CEMV_TORN_RECORDS;
    for (uint8_t i = 0; i < CEMV_TORN_RECORDS; i++) {
        reader.torn[i].size = sizeof record;
        memcpy(reader.torn[i].bytes, record, sizeof record);
        reader.torn[i].bytes[13] = (uint8_t)(0x1F + 16 * i);
    }
    k2_torn_clean(&kernel);
    property(reader.torn_count == CEMV_TORN_RECORDS && k2_memory_of(&kernel)->evicted_count == 0,
             "a full log of young records stays", reader.torn_count);
    property(k2_torn_lookup(&reader, of("\x2F", 1), of(NULL, 0)) == 1, "an account of one digit", 1);
    property(k2_torn_lookup(&reader, of("\x2F", 1), of("\1", 1)) == reader.torn_count, "another sequence number", 1);
    cemv_torn_remove(&reader, CEMV_TORN_RECORDS);
    property(reader.torn_count == CEMV_TORN_RECORDS, "no record, none removed", 0);
    cemv_torn_remove(&reader, 1);
    bool order = reader.torn_count == CEMV_TORN_RECORDS - 1 && reader.torn[CEMV_TORN_RECORDS - 1].size == 0;
    for (uint8_t i = 0; i < CEMV_TORN_RECORDS - 1; i++)
        order &= reader.torn[i].bytes[13] == 0x1F + 16 * (i < 1 ? i : i + 1);
    property(order, "the others move up", 1);
    /* A record without an account matches no card, not even a card without an account. */
    reader.torn[0].size = 11;
    reader.torn_count = 1;
    property(k2_torn_lookup(&reader, of(NULL, 0), of(NULL, 0)) == 1, "a record without an account", 0);
}

/* S1.4-6: a record that is too old leaves the log with the outcome that reports it. After Select Next, Try Again and a
 * restart at Start B the session continues, so nobody receives their discretionary data. */
/* The application keeps the log between two starts, so a record may be damaged: a restored object of any length, the
 * empty one included, stays within its places. */
static void damaged_records_stay_in_place(void)
{
    static const uint32_t tags[] = { 0xDF8107, 0xDF8113, 0xDF8114, 0xDF8128, 0xDF8306, 0xDF8307, 0xDF8111, 0x95 };
    for (unsigned i = 0; i < 4 * sizeof tags / sizeof tags[0]; i++) {
        const uint32_t tag = tags[i / 4];
        fresh(CEMV_PROFILE_GUARDED);
        struct k2_memory *const memory = k2_memory_of(&kernel);
        memory->torn = 0;
        memory->control = 0x55;
        reader.torn_count = 1;
        uint8_t *const at = reader.torn[0].bytes;
        size_t size = 0;
        for (int byte = 16; byte >= 0; byte -= 8) {
            if (tag >> byte != 0) at[size++] = (uint8_t)(tag >> byte);
        }
        /* The last bytes of the record: what lies behind it does not belong to it. */
        at[size++] = (uint8_t)(i % 4);
        memset(at + size, 0x81, 8);
        reader.torn[0].size = (uint16_t)(size + i % 4);
        k2_torn_take(&kernel, true);
        property(memory->pdol.size <= 3 && memory->pdol.at <= CEMV_STORE_ARENA, "the PDOL's data", i);
        property(i % 4 != 0 || (memory->control == (tag == 0xDF8114 ? 0 : 0x55) && memory->measured == 0 &&
                                memory->retries == 0 && memory->ids == 0),
                 "an empty object has no byte", i);
    }
}

static void aged_records_are_reported(void)
{
    static const uint8_t record[] = { 0x9A, 3,    0x26, 0x11, 0x20, 0x9F, 0x21, 3,
                                      0x12, 0x30, 0x10, 0xDF, 0x81, 0x28, 1,    0x40 };
    static const struct {
        uint8_t state, kind;
        const char *response;
        size_t size;
        bool leaves;
    } ends[] = {
        { K2_S3_WAIT_GPO, CEMV_REPLY_RESPONSE, "\x69\x85", 2, false },
        { K2_S3_WAIT_GPO, CEMV_REPLY_TIMEOUT, "", 0, false },
        { K2_S4_WAIT_RECORD, CEMV_REPLY_TIMEOUT, "", 0, false },
        { K2_S4_WAIT_RECORD, CEMV_REPLY_RESPONSE, "\x69\x85", 2, true },
        { K2_S3_WAIT_GPO, CEMV_REPLY_RESPONSE, "\x77\0\x90\0", 4, true },
    };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const struct cemv_reply reply = { .kind = ends[i].kind, .bytes = of(ends[i].response, ends[i].size) };
        fresh(CEMV_PROFILE_BOOK);
        kernel.out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
        reader.torn_count = 1;
        reader.torn[0].size = sizeof record;
        memcpy(reader.torn[0].bytes, record, sizeof record);
        kernel.out.state = ends[i].state;
        kernel.out.step = CEMV_STEP_SEND;
        k2_memory_of(&kernel)->mode = K2_MODE_EMV;
        property(cemv_kernel_2.reply(&kernel, &reply) == CEMV_STEP_DONE, "an end", (unsigned)i);
        struct cemv_tlv_cursor all =
            cemv_tlv_open(of(kernel.out.records + kernel.out.record_size, kernel.out.discretionary_size));
        struct cemv_tlv object;
        bool told_of = false;
        while (cemv_list_next(&all, &object))
            told_of |= object.tag == CEMV_TAG_FF8101_TORN_RECORD && object.value.size == sizeof record &&
                       memcmp(object.value.data, record, sizeof record) == 0;
        property(reader.torn_count == !ends[i].leaves && told_of == ends[i].leaves,
                 "an aged record leaves the log with an outcome that reports it", (unsigned)i);
    }
}

/* 1.5, S1.9: the RRP counter is in every torn record, zero where relay resistance was not performed. */
static void torn_records_hold_the_counter_of_attempts(void)
{
    for (unsigned performed = 0; performed < 2; performed++) {
        struct k2_memory *const memory = k2_memory_of(&kernel);
        cemv_bytes counter, measured;
        fresh(CEMV_PROFILE_BOOK);
        memory->tvr = CEMV_TVR(5, performed ? CEMV_TVR_5_RELAY_PERFORMED : CEMV_TVR_5_RELAY_NOT_PERFORMED),
        memory->retries = performed ? 2 : 0;
        k2_torn_store(&kernel, 1);
        const cemv_bytes record = of(reader.torn[0].bytes, reader.torn[0].size);
        property(cemv_torn_find(record, CEMV_TAG_DF8307_RRP_COUNTER, &counter) && counter.size == 1 &&
                     counter.data[0] == 2 * performed,
                 "RRP counter of a torn record", performed);
        property(cemv_torn_find(record, CEMV_TAG_DF8306_MEASURED_RELAY_RESISTANCE_TIME, &measured) == (performed == 1),
                 "a measured time only where it was measured", performed);
    }
}

/* 1.5, S1.9: a torn record holds the objects of terminal and card, the status of the exchange, and every part of relay
 * resistance if it was performed; each with its own bytes. */
static void torn_records_hold_the_transaction(void)
{
    static const struct {
        uint32_t tag;
        uint8_t size;
    } all[] = { { 0x9F02, 6 },  { 0x9F03, 6 }, { 0x5A, 8 },   { 0x5F34, 1 }, { 0xDF8104, 6 }, { 0x9F34, 3 },
                { 0x9F7D, 16 }, { 0x9F1E, 8 }, { 0x9F33, 3 }, { 0x9F1A, 2 }, { 0x9F35, 1 },   { 0x95, 5 },
                { 0x9F53, 1 },  { 0x5F2A, 2 }, { 0x9A, 3 },   { 0x9F21, 3 }, { 0x9C, 1 },     { 0x9F37, 4 } };
    static const struct {
        uint32_t tag;
        uint8_t at, size;
    } parts[] = {
        { 0xDF8301, 0, 4 }, { 0xDF8302, 4, 4 }, { 0xDF8303, 8, 2 }, { 0xDF8304, 10, 2 }, { 0xDF8305, 12, 2 }
    };
    struct k2_memory *const memory = k2_memory_of(&kernel);
    fresh(CEMV_PROFILE_BOOK);
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        uint8_t value[16];
        memset(value, (int)(0x11 + i), sizeof value);
        put(cemv_slot_of(tags_of(2), all[i].tag), value, all[i].size);
    }
    for (unsigned i = 0; i < sizeof memory->relay; i++) memory->relay[i] = (uint8_t)(0xA0 + i);
    memory->tvr = CEMV_TVR(5, CEMV_TVR_5_RELAY_PERFORMED), memory->measured = 0x1234;
    memory->control = 0x55, memory->ids = 0xC0;
    k2_torn_store(&kernel, 1);
    const cemv_bytes record = of(reader.torn[0].bytes, reader.torn[0].size);
    cemv_bytes held;
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        property(cemv_torn_find(record, all[i].tag, &held) && held.size == all[i].size && held.data[0] == 0x11 + i,
                 "an object of the transaction", i);
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
        property(cemv_torn_find(record, parts[i].tag, &held) && held.size == parts[i].size &&
                     held.data[0] == 0xA0 + parts[i].at,
                 "a part of relay resistance", i);
    property(cemv_torn_find(record, 0xDF8306, &held) && cemv_bytes_equal(held, of("\x12\x34", 2)), "its time", 0);
    property(cemv_torn_find(record, 0xDF8114, &held) && cemv_bytes_equal(held, of("\x55", 1)), "what was asked", 0);
    property(cemv_torn_find(record, 0xDF8128, &held) && cemv_bytes_equal(held, of("\xC0", 1)), "data storage", 0);
}

/* Uses up all bytes of the store. */
static void fill(void)
{
    static const uint8_t filler[CEMV_STORE_ARENA];
    struct cemv_span span;
    property(cemv_store_keep(&kernel.store, of(filler, (size_t)CEMV_STORE_ARENA - kernel.store.used), &span) &&
                 kernel.store.used == CEMV_STORE_ARENA,
             "a full store", kernel.store.used);
}

/* In a full store, only objects that no longer fit are missing. */
static void properties_of_full_places(void)
{
    static const uint8_t record[] = { 0x9F, 0x02, 6,    0,    0,    0,    0,    0, 1,   0x9A, 3,
                                      0x20, 0x01, 0x01, 0x9F, 0x21, 3,    0,    0, 0,   0xDF, 0x81,
                                      0x11, 2,    0x83, 0,    0xDF, 0x81, 0x14, 1, 0x40 };
    static const uint8_t format_1[] = { 0x80, 11, 0x40, 0, 0x12, 1, 2, 3, 4, 5, 6, 7, 8 }, dsdol[] = { 0xDF, 0x61, 8 };
    struct k2_memory *const memory = k2_memory_of(&kernel);
    uint8_t out[16];
    size_t size = 0;
    fresh(CEMV_PROFILE_BOOK);
    fill();
    reader.torn_count = 1;
    reader.torn[0].size = sizeof record;
    memcpy(reader.torn[0].bytes, record, sizeof record);
    k2_torn_take(&kernel, true);
    property(memory->store_full && memory->control == 0x40 && memory->pdol.size == 0 && reader.torn_count == 0,
             "a record is put back as far as there is room", 0);
    fresh(CEMV_PROFILE_BOOK);
    fill();
    reader.torn_count = 1;
    reader.torn[0].size = sizeof record;
    memcpy(reader.torn[0].bytes, record, sizeof record);
    k2_torn_clean(&kernel);
    property(reader.torn_count == 0 && memory->evicted_count == 0, "an old record goes where nobody can be told", 0);
    fresh(CEMV_PROFILE_BOOK);
    fill();
    property(k2_store_ac(&kernel, K2_S9_WAIT_AC, of(format_1, sizeof format_1)) == CEMV_STORE_FULL,
             "a cryptogram that does not fit", 0);
    static const uint8_t tail[] = { 0x80, 11, 0x40, 0, 0x12, 1, 2, 3, 4, 5, 6, 7, 8, 0x5A, 0 };
    fresh(CEMV_PROFILE_BOOK);
    property(k2_store_ac(&kernel, K2_S9_WAIT_AC, of(tail, sizeof tail)) == CEMV_STORE_MALFORMED,
             "a cryptogram in format 1 stands alone", 0);
    fresh(CEMV_PROFILE_BOOK);
    put(K2_SLOT_9F5B, dsdol, sizeof dsdol);
    put(K2_SLOT_DF8109, "\1\2\3\4\5\6\7\x08", 8);
    put(K2_SLOT_9F5E, "\x54\x13\x33\0\x89\2\0\x11", 8);
    put(K2_SLOT_9F5C, "\1\1\1\1\1\1\1\1", 8);
    put(K2_SLOT_9F5D, "\1\0\0", 3);
    fill();
    (void)k2_build_storage_data(&kernel, out, sizeof out, &size);
    property(memory->store_full && !cemv_store_has(&kernel.store, K2_SLOT_DF61), "a digest that does not fit", 0);
    /* If the signed records form more runs than are counted, they cannot be hashed. */
    for (unsigned overflowed = 0; overflowed < 2; overflowed++) {
        fresh_for_cda();
        kernel.store.spans_overflowed = overflowed;
        property(k2_prepare_cda(&kernel) && (memory->tvr == CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED)) == overflowed &&
                     (memory->tvr == 0) != overflowed,
                 "runs that were not counted", overflowed);
    }
}

/* An abandoned tap is handled like a lost answer: there is a torn record from GENERATE AC on, none before, none in
 * mag-stripe mode, none after a decline; during RECOVER AC the record is already in the log. */
static void what_is_given_up_is_remembered(void)
{
    static const uint8_t states[] = { K2_R1_WAIT_RELAY,       K2_WAIT_RANDOM,       K2_S910_WAIT_CARD_READ,
                                      K2_WAIT_BACK_OFF,       K2_S15_WAIT_PUT_DATA, K2_S16_WAIT_BALANCE,
                                      K2_S17_WAIT_BALANCE,    K2_WAIT_ANSWERS_SENT, K2_S2_WAIT_PDOL_DATA,
                                      K2_S3_WAIT_GPO,         K2_S4_WAIT_RECORD,    K2_S5_WAIT_GET_DATA,
                                      K2_S6_WAIT_FIRST_WRITE, K2_S7_WAIT_RECORD,    K2_S8_WAIT_FIRST_WRITE,
                                      K2_S9_WAIT_AC,          K2_S10_WAIT_RECOVERY, K2_S11_WAIT_AC,
                                      K2_S12_WAIT_PUT_DATA,   K2_S13_WAIT_CHECKSUM, K2_S14_WAIT_CHECKSUM };
    static const uint8_t types[] = { 0x00, 0x40, 0x80 };
    for (size_t i = 0; i < sizeof states; i++)
        for (unsigned type = 0; type <= sizeof types; type++) {
            const bool asked = states[i] == K2_S9_WAIT_AC || states[i] == K2_S11_WAIT_AC,
                       answered = states[i] == K2_S15_WAIT_PUT_DATA || states[i] == K2_S17_WAIT_BALANCE ||
                                  states[i] == K2_S910_WAIT_CARD_READ;
            fresh(CEMV_PROFILE_BOOK);
            put(K2_SLOT_9F51, "\x9F\x37\4", 3), put(K2_SLOT_DF811D, "\3", 1), put(CEMV_SLOT_5A, "\x12\x3F", 2);
            if (type < sizeof types) put(CEMV_SLOT_9F27, &types[type], 1);
            kernel.out.state = states[i];
            cemv_kernel_2.abandon(&kernel);
            property(reader.torn_count == (asked || (answered && (type == 1 || type == 2))), "what is given up",
                     (unsigned)states[i] << 2 | type);
        }
}

void properties_of_kernel_2_torn(void)
{
    PART(properties_of_recovery);
    PART(properties_of_the_log);
    PART(damaged_records_stay_in_place);
    PART(properties_of_full_places);
    PART(torn_records_hold_the_counter_of_attempts);
    PART(torn_records_hold_the_transaction);
    PART(what_is_given_up_is_remembered);
    PART(aged_records_are_reported);
}
