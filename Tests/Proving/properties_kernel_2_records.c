/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the data that Kernel 2 reads: the answer to GET PROCESSING OPTIONS, the locator, records, their static
 * data. */
#include "kernel_2_part.h"

/* Profile and locator come once: if the FCI contained them, an answer by position does not repeat them. */
static void properties_of_options(void)
{
    static const uint8_t body[] = { 0x80, 6, 0x19, 0x80, 0x08, 0x01, 0x01, 0x00 };
    for (unsigned i = 0; i < 4; i++) {
        fresh(CEMV_PROFILE_BOOK);
        kernel.store.reading = CEMV_READING_IDENTICAL_DUPLICATES;
        if (i & 1) property(cemv_store_put(&kernel.store, CEMV_SLOT_82, of(body + 2, 2), CEMV_FROM_CARD), "room", i);
        if (i & 2) property(cemv_store_put(&kernel.store, CEMV_SLOT_94, of(body + 4, 4), CEMV_FROM_CARD), "room", i);
        property(k2_store_gpo(&kernel, of(body, sizeof body)) == (i ? CEMV_STORE_DUPLICATE : CEMV_STORE_OK),
                 "profile and locator come once", i);
    }
}

/* Only filler may follow format 1: another object makes it malformed, and so does half an object. */
static void format_1_stands_alone(void)
{
    static const struct {
        uint8_t tail[4], size;
        bool alone;
    } all[] = { { { 0 }, 0, true }, { { 0, 0 }, 2, true }, { { 0x5A, 1, 2 }, 3, false }, { { 0x5A, 4, 1 }, 3, false } };
    static const uint8_t body[] = { 0x80, 6, 0x19, 0x80, 0x08, 0x01, 0x01, 0x00 };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        uint8_t answer[sizeof body + sizeof all[0].tail];
        fresh(CEMV_PROFILE_BOOK);
        memcpy(answer, body, sizeof body);
        memcpy(answer + sizeof body, all[i].tail, all[i].size);
        property(k2_store_gpo(&kernel, of(answer, sizeof body + all[i].size)) ==
                     (all[i].alone ? CEMV_STORE_OK : CEMV_STORE_MALFORMED),
                 "what stands behind format 1", i);
    }
}

/* 1.3: an application file locator has a multiple of 4 bytes, or the answer to GPO is malformed (L2 04). */
static void a_locator_has_whole_entries(void)
{
    for (uint8_t size = 4; size < 40; size++)
        for (unsigned format = 1; format <= 2; format++) {
            uint8_t body[64] = { 0 };
            if (format == 1) {
                body[0] = 0x80;
                body[1] = (uint8_t)(size + 2);
            } else {
                memcpy(body, "\x77\0\x82\2\x19\x80\x94", 7);
                body[1] = (uint8_t)(size + 6);
                body[7] = size;
            }
            fresh(CEMV_PROFILE_BOOK);
            kernel.store.reading = CEMV_READING_IDENTICAL_DUPLICATES;
            property((k2_store_gpo(&kernel, of(body, body[1] + 2u)) == CEMV_STORE_OK) == (size % 4 == 0),
                     "a locator has whole entries", (unsigned)size << 2 | format);
        }
}

/* S4.36-38: reading ends early unless DF811B bit 3 asks for all records, or CDA needs them. */
static void reading_ends_early_unless_told_otherwise(void)
{
    static const uint16_t enough[] = {
        CEMV_SLOT_5F24, CEMV_SLOT_5A,   CEMV_SLOT_5F34, CEMV_SLOT_9F07, K2_SLOT_8E,   CEMV_SLOT_9F0D,
        CEMV_SLOT_9F0E, CEMV_SLOT_9F0F, CEMV_SLOT_5F28, CEMV_SLOT_57,   CEMV_SLOT_8C,
    };
    for (unsigned configuration = 0; configuration < 512; configuration++) {
        const uint8_t byte = (uint8_t)configuration;
        bool repeated;
        fresh(CEMV_PROFILE_BOOK);
        for (size_t i = 0; i < sizeof enough / sizeof enough[0]; i++) put(enough[i], "\1", 1);
        put(K2_SLOT_DF811B, &byte, 1);
        put(CEMV_SLOT_94, "\x10\1\2\0", 4);
        property(cemv_afl_open(&kernel.afl, &kernel.store, 16, &repeated), "two records", configuration);
        k2_memory_of(&kernel)->cda = configuration > 255;
        k2_stop_reading_early(&kernel);
        property((kernel.afl.at == kernel.afl.end) == ((byte & 0x04) == 0 && configuration < 256),
                 "DF811B bit 3: all records are read", configuration);
    }
}

/* S4.36-38: while an object that later steps need is missing, the next record is read. */
static void reading_goes_on_while_one_is_missing(void)
{
    static const uint16_t enough[] = {
        CEMV_SLOT_5F24, CEMV_SLOT_5A,   CEMV_SLOT_5F34, CEMV_SLOT_9F07, K2_SLOT_8E,   CEMV_SLOT_9F0D,
        CEMV_SLOT_9F0E, CEMV_SLOT_9F0F, CEMV_SLOT_5F28, CEMV_SLOT_57,   CEMV_SLOT_8C,
    };
    enum { COUNT = sizeof enough / sizeof enough[0] };
    for (size_t missing = 0; missing <= COUNT; missing++) {
        bool repeated;
        fresh(CEMV_PROFILE_BOOK);
        for (size_t i = 0; i < COUNT; i++)
            if (i != missing) put(enough[i], "\1", 1);
        put(K2_SLOT_DF811B, "\0", 1);
        put(CEMV_SLOT_94, "\x10\1\2\0", 4);
        property(cemv_afl_open(&kernel.afl, &kernel.store, 16, &repeated), "two records", (unsigned)missing);
        k2_stop_reading_early(&kernel);
        property((kernel.afl.at == kernel.afl.end) == (missing == COUNT), "each of them is needed", (unsigned)missing);
    }
}

/* [S4.34-35, S456.28]: at most 2048 bytes of static data including the AIP: a record up to SFI 10 counts with its
 * value, a record above with all its bytes. */
static void static_data_are_counted_as_they_are_hashed(void)
{
    struct k2_memory *const memory = k2_memory_of(&kernel);
    for (uint8_t sfi = 10; sfi <= 11; sfi++)
        for (size_t last = 30; last < 60; last++) {
            uint8_t record[255] = { 0x70, 0x81 };
            fresh_for_cda();
            memory->record = (struct cemv_record_id){ .sfi = sfi, .number = 1, .is_signed = true };
            /* Filler only: ten records of 200 bytes, and one that reaches the limit. */
            record[2] = 200;
            for (unsigned i = 0; i < 10; i++)
                property(k2_store_record(&kernel, of(record, 203)) == CEMV_STORE_OK, "a record of filler", i);
            record[1] = (uint8_t)last;
            property(k2_store_record(&kernel, of(record, 2 + last)) == CEMV_STORE_OK, "a short record of filler",
                     (unsigned)last);
            const size_t hashed = sfi <= 10 ? 2000 + last + 2 : 2030 + 2 + last + 2;
            property(k2_prepare_cda(&kernel) &&
                         ((memory->tvr & CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED)) != 0) == (hashed > 2048),
                     "static data up to 2048 bytes", (unsigned)(sfi << 8 | last));
        }
}

/* attacks.md, A03: another brand's account under Mastercard's name ends the tap, except in `book`. */
static void another_brand_is_refused(void)
{
    static const uint8_t name[] = { 0xA0, 0, 0, 0, 4, 0x10, 0x10 };
    for (uint8_t profile = 0; profile < 3; profile++)
        for (unsigned other = 0; other < 2; other++) {
            fresh(profile);
            memcpy(kernel.df_name, name, sizeof name);
            kernel.df_name_size = sizeof name;
            put(CEMV_SLOT_5A, other ? "\x41\x11\x11\x11\x11\x11\x11\x11" : "\x55\x55\x55\x55\x55\x55\x44\x44", 8);
            property(cemv_stored_account_refused(&kernel) == (other && profile != CEMV_PROFILE_BOOK),
                     "another brand is refused", (unsigned)(profile << 1 | other));
            property((kernel.findings >> CEMV_FINDING_BRAND_MISMATCH & 1) == other, "and reported",
                     (unsigned)(profile << 1 | other));
        }
}

/* S4.28: the objects that the list for storage names are reported missing once, at the record that contains the list.
 */
static void properties_of_records(void)
{
    static const uint8_t with_list[] = { 0x70, 6, 0x9F, 0x5B, 3, 0xDF, 0x60, 8, 0x90, 0x00 },
                         without[] = { 0x70, 5, 0x5F, 0x28, 2, 0x00, 0x56, 0x90, 0x00 };
    for (unsigned i = 0; i < 8; i++) {
        const bool brings = i & 1, had = i & 2, reads = i & 4;
        const uint8_t *const record = brings ? with_list : without;
        struct k2_memory *const memory = k2_memory_of(&kernel);
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE,
                                          .bytes = of(record, brings ? sizeof with_list : sizeof without) };
        fresh(CEMV_PROFILE_BOOK);
        bool repeated;
        put(CEMV_SLOT_94, "\x10\1\2\0", 4);
        property(cemv_afl_open(&kernel.afl, &kernel.store, 16, &repeated), "two records", i);
        k2_mark_empty(&kernel, K2_SLOT_DF60);
        if (had) put(K2_SLOT_9F5B, "\xDF\x60\x08", 3);
        memory->ids = reads ? K2_IDS_READ : 0;
        memory->mode = K2_MODE_EMV;
        memory->record = (struct cemv_record_id){ .sfi = 2, .number = 1 };
        kernel.out.state = K2_S4_WAIT_RECORD;
        kernel.out.step = CEMV_STEP_SEND;
        property(cemv_kernel_2.reply(&kernel, &reply) == CEMV_STEP_SEND, "reading goes on", i);
        bool misses = false;
        for (size_t j = 0; j < memory->needed.count; j++) misses |= memory->needed.slot[j] == K2_SLOT_DF60;
        property(misses == (brings && !had && reads), "data for storage are missed once", i);
    }
    /* 9F6F bit 5: a locked slot accepts no data, so none are missing. */
    for (unsigned control = 0; control < 256; control++) {
        const uint8_t byte = (uint8_t)control;
        struct k2_memory *const memory = k2_memory_of(&kernel);
        const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = of(with_list, sizeof with_list) };
        bool repeated;
        fresh(CEMV_PROFILE_BOOK);
        put(CEMV_SLOT_94, "\x10\1\2\0", 4);
        property(cemv_afl_open(&kernel.afl, &kernel.store, 16, &repeated), "two records", control);
        k2_mark_empty(&kernel, K2_SLOT_DF60);
        put(K2_SLOT_9F6F, &byte, 1);
        memory->ids = K2_IDS_READ, memory->mode = K2_MODE_EMV;
        memory->record = (struct cemv_record_id){ .sfi = 2, .number = 1 };
        kernel.out.state = K2_S4_WAIT_RECORD, kernel.out.step = CEMV_STEP_SEND;
        property(cemv_kernel_2.reply(&kernel, &reply) == CEMV_STEP_SEND, "reading goes on", control);
        property((memory->needed.count != 0) == ((control & 0x10) == 0), "a locked slot misses nothing", control);
    }
}

/* The objects of `expected`, terminated by 0, and no others. */
static bool list_is(cemv_bytes list, const uint32_t *expected)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(list);
    struct cemv_tlv object;
    size_t count = 0, wanted = 0, found = 0;
    while (expected[wanted] != 0) wanted++;
    for (; cemv_list_next(&cursor, &object); count++)
        for (size_t i = 0; i < wanted; i++) found += expected[i] == object.tag;
    return cursor.error == CEMV_WIRE_OK && count == wanted && found == wanted;
}

/* 1.4, and C-8 T A.11 of the same design: the content of the data record and the discretionary data of each mode. */
static void records_hold_their_objects(void)
{
    static const uint32_t emv[] = { 0x9F02, 0x9F03, 0x9F26, 0x5F24, 0x82,   0x50,   0x5A,   0x5F34, 0x9F12, 0x9F36,
                                    0x9F07, 0x9F09, 0x9F27, 0x9F34, 0x84,   0x9F1E, 0x9F10, 0x9F11, 0x9F24, 0x9F33,
                                    0x9F1A, 0x9F35, 0x95,   0x57,   0x9F53, 0x5F2A, 0x9A,   0x9C,   0x9F37, 0 },
                          magstripe[] = { 0x50, 0x9F12, 0x84, 0x9F11, 0x9F6D, 0x9F24, 0x56, 0x9F6B, 0 }, none[] = { 0 };
    static const uint32_t besides_emv[] = { 0x9F5D,   0x9F42,   0xDF8105, 0xDF8104, 0xDF8102, 0xDF810B,
                                            0xDF8115, 0xDF810E, 0xDF810F, 0x9F6E,   0 },
                          besides_magstripe[] = { 0x9F5D, 0xDF812A, 0xDF812B, 0xDF8115, 0x9F6E, 0 },
                          besides_none[] = { 0xDF8115, 0 };
    const uint32_t *const lists[] = { emv, magstripe, besides_emv, besides_magstripe };
    static const uint8_t modes[] = { K2_MODE_NONE, K2_MODE_EMV, K2_MODE_MAGSTRIPE };
    for (unsigned i = 0; i < 6; i++) {
        const bool record = i & 1;
        const uint8_t mode = modes[i / 2];
        fresh(CEMV_PROFILE_BOOK);
        for (size_t j = 0; j < sizeof lists / sizeof lists[0]; j++)
            for (const uint32_t *tag = lists[j]; *tag != 0; tag++) put(cemv_slot_of(tags_of(2), *tag), "\x31", 1);
        for (uint16_t slot = 0; slot < K2_SLOT_END && kernel.store.count < CEMV_STORE_ENTRIES; slot++)
            if (!cemv_tag_is_constructed(k2_tag_row(slot)->tag)) put(slot, "\x31", 1);
        k2_memory_of(&kernel)->mode = mode;
        k2_put_records(&kernel, record);
        const cemv_bytes first = of(kernel.out.records, kernel.out.record_size),
                         second = of(kernel.out.records + kernel.out.record_size, kernel.out.discretionary_size);
        property(list_is(first, !record ? none : mode == K2_MODE_MAGSTRIPE ? magstripe : emv), "the data record", i);
        property(list_is(second, mode == K2_MODE_EMV         ? besides_emv
                                 : mode == K2_MODE_MAGSTRIPE ? besides_magstripe
                                                             : besides_none),
                 "the discretionary data", i);
    }
}

void properties_of_kernel_2_records(void)
{
    PART(properties_of_options);
    PART(format_1_stands_alone);
    PART(a_locator_has_whole_entries);
    PART(reading_ends_early_unless_told_otherwise);
    PART(reading_goes_on_while_one_is_missing);
    PART(static_data_are_counted_as_they_are_hashed);
    PART(another_brand_is_refused);
    PART(properties_of_records);
    PART(records_hold_their_objects);
}
