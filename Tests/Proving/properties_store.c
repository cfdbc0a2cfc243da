/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the tag store at its limits: depth, number of objects, space; objects that fill a response alone; lists
 * of a terminal with FF81xx. */
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"

static struct cemv_store store;
static uint8_t bytes[CEMV_STORE_ARENA + 16];

/* Tag, length in one byte, and a value of existing zeros. */
static size_t put_object(size_t at, uint32_t tag, uint8_t size)
{
    at += cemv_tag_write(bytes + at, tag);
    bytes[at++] = size;
    memset(bytes + at, 0, size);
    return at + size;
}

/* ---- depth ---- */

/* `deep` templates in one another with a date inside. */
static size_t nest(unsigned deep)
{
    const size_t size = 2 * deep + 6;
    for (unsigned i = 0; i < deep; i++) {
        bytes[2 * i] = i == 0 ? 0x70 : 0xE1;
        bytes[2 * i + 1] = (uint8_t)(size - 2 * i - 2);
    }
    memcpy(bytes + 2 * deep, "\x5F\x24\3\x49\x12\x31", 6);
    return size;
}

/* A kernel with the maximum number of own tags. */
static struct cemv_tag_row many[CEMV_KERNEL_TAGS_MAX];
static struct cemv_tags many_tags;

static void make_many(void)
{
    for (unsigned i = 0; i < CEMV_KERNEL_TAGS_MAX; i++)
        many[i] = (struct cemv_tag_row){
            .tag = i < 0x7F ? 0xDF8101u + i : 0xDF8200u + i,
            .min = 1,
            .max = 8,
            .source = CEMV_SOURCE_CARD | CEMV_SOURCE_TERMINAL,
        };
    cemv_tags_open(&many_tags, &(struct cemv_kernel_tags){ many, CEMV_KERNEL_TAGS_MAX });
}

static void clear_for(unsigned kernel)
{
    if (kernel == 2)
        cemv_store_clear(&store, tags_of(2), CEMV_READING_IDENTICAL_DUPLICATES | CEMV_READING_REFUSE_TERMINAL_TAGS);
    else cemv_store_clear(&store, tags_of(3), CEMV_READING_FLAT);
}

static void properties_of_depth(void)
{
    for (unsigned deep = 1; deep < 12; deep++) {
        const size_t size = nest(deep);
        const enum cemv_store_error expected = deep < CEMV_TLV_MAX_DEPTH ? CEMV_STORE_OK : CEMV_STORE_MALFORMED;
        for (unsigned way = 0; way < 5; way++) {
            cemv_store_clear(&store, &many_tags, 0);
            enum cemv_store_error error;
            if (way == 0) error = cemv_store_template(&store, 0x70, of(bytes, size));
            else if (way == 1) error = cemv_store_template(&store, 0, of(bytes, size));
            else if (way < 4) error = cemv_store_record(&store, of(bytes, size), way == 2, true);
            else error = cemv_store_card(&store, CEMV_SLOT_71, of(bytes + 2, size - 2));
            property(error == expected, "eight levels, that of the template among them", deep * 10 + way);
            property(cemv_store_has(&store, CEMV_SLOT_5F24) == (expected == CEMV_STORE_OK),
                     "what lies deeper is not kept", deep * 10 + way);
            property(expected == CEMV_STORE_OK || (store.used == 0 && store.count == 0),
                     "what is refused leaves nothing", deep * 10 + way);
        }
    }
}

/* ---- objects that fill a response alone ---- */

static void sole(uint32_t tag, const void *data, size_t size, bool good, size_t header, unsigned detail)
{
    cemv_store_clear(&store, &many_tags, 0);
    if (size != 0) memcpy(bytes, data, size < 8 ? size : 8);
    const enum cemv_store_error error = cemv_store_template(&store, tag, of(size ? bytes : NULL, size));
    property(error == (good ? CEMV_STORE_OK : CEMV_STORE_MALFORMED), "one object with the tag, and filler", detail);
    if (!good) return;
    property(store.used == size, "a response is kept whole", detail);
    property(!cemv_store_has(&store, CEMV_SLOT_9C) ||
                 cemv_store_value(&store, CEMV_SLOT_9C).data == store.arena + header + 2,
             "its value begins behind the length", detail);
}

static void properties_of_responses(void)
{
    static const struct {
        uint8_t tag, bytes[8];
        size_t size;
        bool good;
        size_t header;
    } all[] = {
        { 0x70, { 0 }, 0, false, 0 },
        { 0x70, { 0x70 }, 1, false, 0 },
        { 0x70, { 0x70, 0 }, 2, true, 2 },
        { 0x70, { 0x70, 1, 0 }, 3, true, 2 },
        { 0x70, { 0x70, 3, 0x9C, 1, 2 }, 5, true, 2 },
        { 0x70, { 0x77, 3, 0x9C, 1, 2 }, 5, false, 0 },
        { 0x70, { 0x70, 3, 0x9C, 1, 2, 0, 0xFF }, 7, true, 2 },
        { 0x70, { 0x70, 3, 0x9C, 1, 2, 0x9A }, 6, false, 0 },
        { 0x70, { 0x70, 0x81, 3, 0x9C, 1, 2 }, 6, true, 3 },
        { 0x70, { 0x70, 0x82, 0, 3, 0x9C, 1, 2 }, 7, true, 4 },
        { 0x5A, { 0x5A, 3, 0x9C, 1, 2 }, 5, false, 0 },          /* no template */
        { 0x3F, { 0x3F, 3, 0x9C, 1, 2 }, 5, false, 0 },          /* half of a tag */
        { 0x70, { 0x77, 0x70 }, 0x72, false, 0 },                /* a length that looks like the tag */
        { 0x70, { 0x70, 5, 6, 4, 1, 2, 3, 0x9C }, 8, false, 0 }, /* a value that looks like its length */
        { 0x70, { 0x70, 0x80 }, 0x82, false, 0 },                /* no end */
        { 0x70, { 0x70, 0x80, 0x81 }, 0x84, false, 0 },
        { 0x70, { 0x70, 0x82, 5, 0, 0, 0, 0, 0 }, 8, false, 0 },
        { 0x70, { 0x70, 0x83, 0, 0, 0x80, 0x9C, 1, 7 }, 0x85, true, 5 }, /* a long length that looks like a short one */
        { 0x70, { 0x70, 0x81, 3, 4, 2, 1, 0x9C }, 7, false, 0 },
        { 0x70, { 0x70, 0x81, 8, 0, 0 }, 5, false, 0 },
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        memset(bytes, 0, 0x100);
        sole(all[i].tag, all[i].bytes, all[i].size, all[i].good, all[i].header, i);
    }
    static const uint8_t among[] = { 0, 0x70, 2, 0, 0xFF };
    sole(0x70, among, 5, true, 3, 100);
}

/* ---- space ---- */

static void fill(size_t left)
{
    struct cemv_span span;
    cemv_store_clear(&store, &many_tags, 0);
    property(cemv_store_keep(&store, of(bytes, CEMV_STORE_ARENA - left), &span) && span.at == 0,
             "room for all but these", (unsigned)left);
}

/* If one place is left, a store accepts a response with one object. If a second object does not fit, it stores nothing
 * at all, even by the rule that keeps the objects before a rejected one (C-8, 4.1.3). */
static void full_stores_keep_no_part(unsigned reading)
{
    static const uint8_t two[] = { 0x70, 11, 0x5F, 0x24, 3, 0x49, 0x12, 0x31, 0x9F, 0x36, 2, 0, 1 };
    static const uint8_t one[] = { 0x70, 6, 0x5F, 0x24, 3, 0x49, 0x12, 0x31 };
    for (unsigned is_record = 0; is_record < 2; is_record++) {
        for (unsigned count = 1; count <= 2; count++) {
            cemv_store_clear(&store, &many_tags, (uint8_t)reading);
            for (uint16_t slot = CEMV_SLOT_COUNT; store.count + 1 < CEMV_STORE_ENTRIES; slot++)
                (void)cemv_store_put(&store, slot, of(one, 1), CEMV_FROM_TERMINAL);
            const unsigned used = store.used;
            const cemv_bytes response = count == 1 ? of(one, sizeof one) : of(two, sizeof two);
            const enum cemv_store_error error = is_record ? cemv_store_record(&store, response, true, true)
                                                          : cemv_store_template(&store, 0x70, response);
            property(error == (count == 1 ? CEMV_STORE_OK : CEMV_STORE_FULL), "places for objects", count);
            property(cemv_store_has(&store, CEMV_SLOT_5F24) == (count == 1), "all of a response, or nothing", count);
            property(count == 1 || (store.used == used && store.count == CEMV_STORE_ENTRIES - 1), "as before",
                     store.count);
        }
    }
}

static void properties_of_room(void)
{
    full_stores_keep_no_part(0);
    full_stores_keep_no_part(CEMV_READING_IDENTICAL_DUPLICATES);
    static const uint8_t record[] = { 0x70, 6, 0x5F, 0x24, 3, 0x49, 0x12, 0x31 };
    for (size_t left = 0; left < 16; left++) {
        fill(left);
        property(cemv_store_template(&store, 0x70, of(record, 8)) == (left < 8 ? CEMV_STORE_FULL : CEMV_STORE_OK),
                 "a template that just fits", (unsigned)left);
        fill(left);
        property(cemv_store_record(&store, of(record, 8), true, true) == (left < 8 ? CEMV_STORE_FULL : CEMV_STORE_OK),
                 "a record that just fits", (unsigned)left);
        fill(left);
        property(cemv_store_record(&store, of(record, 8), false, true) == (left < 6 ? CEMV_STORE_FULL : CEMV_STORE_OK),
                 "its value alone is kept", (unsigned)left);
        fill(left);
        property(cemv_store_card(&store, CEMV_SLOT_5F24, of(record + 5, 3)) ==
                     (left < 6 ? CEMV_STORE_FULL : CEMV_STORE_OK),
                 "a datum that just fits", (unsigned)left);
        fill(left);
        property(cemv_store_put(&store, CEMV_SLOT_5F24, of(record + 5, 3), CEMV_FROM_TERMINAL) == (left >= 3),
                 "terminal data that just fit", (unsigned)left);
        fill(left);
        property(cemv_store_put_list(&store, of("\x9A\3\x26\1\1", 5), CEMV_FROM_TERMINAL) ==
                     (left < 3 ? CEMV_STORE_FULL : CEMV_STORE_OK),
                 "a list that just fits", (unsigned)left);
        fill(left);
        if (left < 2) continue;
        /* A longer value is stored in a new place; any other stays where it is. */
        property(cemv_store_put(&store, CEMV_SLOT_9F33, of("\1\2", 2), CEMV_FROM_TERMINAL), "two bytes",
                 (unsigned)left);
        property(cemv_store_put(&store, CEMV_SLOT_9F33, of("\1\2\3", 3), CEMV_FROM_TERMINAL) == (left >= 5),
                 "a value that grows", (unsigned)left);
        const cemv_bytes now = cemv_store_value(&store, CEMV_SLOT_9F33);
        property(now.size == (left < 5 ? 2 : 3) && memcmp(now.data, "\1\2\3", now.size) == 0, "or stays as it was",
                 (unsigned)left);
    }
}

/* The slots of card data, each by an object of its shortest length. */
static size_t list_slots(unsigned count, bool of_card, size_t at)
{
    for (uint16_t slot = 0; slot < CEMV_SLOT_END && count > 0; slot++) {
        const struct cemv_tag_row *const info = cemv_tag_row_at(&many_tags, slot);
        const uint8_t source = of_card ? CEMV_SOURCE_CARD : CEMV_SOURCE_TERMINAL;
        if ((info->source & source) == 0 || cemv_tag_is_constructed(info->tag)) continue;
        at = put_object(at, info->tag, info->min);
        count--;
    }
    return count == 0 ? at : 0;
}

static void properties_of_many(void)
{
    static struct cemv_store_entry entries[CEMV_STORE_ENTRIES + 1];
    for (unsigned count = CEMV_STORE_ENTRIES - 1; count < CEMV_STORE_ENTRIES + 3; count++) {
        const bool fits = count <= CEMV_STORE_ENTRIES;
        const size_t size = list_slots(count, false, 0);
        for (unsigned turn = 0; turn < 2; turn++)
            property(size != 0 && cemv_store_prepare_list(&many_tags, of(bytes, size), entries) == (fits ? count : 0),
                     "as many as the index has", count);
        cemv_store_clear(&store, &many_tags, 0);
        property(cemv_store_put_list(&store, of(bytes, size), CEMV_FROM_TERMINAL) ==
                     (fits ? CEMV_STORE_OK : CEMV_STORE_FULL),
                 "put as well", count);
        const size_t card = list_slots(count, true, 0);
        cemv_store_clear(&store, &many_tags, 0);
        property(card != 0 &&
                     cemv_store_template(&store, 0, of(bytes, card)) == (fits ? CEMV_STORE_OK : CEMV_STORE_FULL),
                 "a card's as well", count);
        property(store.count == (fits ? count : 0), "or none of them", count);
        /* All of them covered by a signature that verifies. */
        memmove(bytes + 4, bytes, card);
        bytes[0] = 0x70;
        bytes[1] = 0x82;
        bytes[2] = (uint8_t)(card >> 8);
        bytes[3] = (uint8_t)card;
        cemv_store_clear(&store, &many_tags, 0);
        property(cemv_store_record(&store, of(bytes, card + 4), true, true) == (fits ? CEMV_STORE_OK : CEMV_STORE_FULL),
                 "a record as well", count);
        struct cemv_store_entry *const behind = store.count < CEMV_STORE_ENTRIES ? &store.entry[store.count]
                                                                                 : &(struct cemv_store_entry){ 0 };
        behind->provenance = CEMV_FROM_CARD;
        behind->covered = 1;
        cemv_store_vouch_static(&store);
        property(behind->provenance == CEMV_FROM_CARD, "only what is there is vouched for", count);
        for (unsigned i = 0; i < store.count; i++)
            property(store.entry[i].provenance == CEMV_FROM_CARD_STATIC, "vouched for", i);
    }
    cemv_store_clear(&store, &many_tags, 0);
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes + CEMV_STORE_ARENA - 3, "\x9C\1\1", 3);
    property(cemv_store_prepare_list(&many_tags, of(bytes, CEMV_STORE_ARENA), entries) == 1,
             "a list as long as the arena", 0);
    property(cemv_store_prepare_list(&many_tags, of(bytes, CEMV_STORE_ARENA + 1), entries) == 0 &&
                 !cemv_store_load_list(&store, of(bytes, CEMV_STORE_ARENA + 1), entries, 1),
             "a longer one", 1);
    property(cemv_store_load_list(&store, of(bytes, CEMV_STORE_ARENA), entries, 1) &&
                 !cemv_store_load_list(&store, of(bytes, 8), entries, 1),
             "into what room there is", 0);
    /* A second list is written before the first, and the index may be full. */
    for (unsigned turn = 0; turn < 2; turn++) {
        const unsigned first = turn ? CEMV_STORE_ENTRIES : 3;
        const size_t size = list_slots(first, false, 0);
        cemv_store_clear(&store, &many_tags, 0);
        property(cemv_store_prepare_list(&many_tags, of(bytes, size), entries) == first &&
                     cemv_store_load_list(&store, of(bytes, size), entries, first) && store.count == first,
                 "a first list", turn);
        const uint16_t again = store.entry[1].slot, other = CEMV_SLOT_END - 1;
        const uint32_t tags[] = { cemv_tag_row_at(&many_tags, again)->tag, many[CEMV_KERNEL_TAGS_MAX - 1].tag };
        size_t at = put_object(0, tags[0], cemv_tag_row_at(&many_tags, again)->min);
        bytes[at - 1] = 0x77;
        at = put_object(at, tags[1], 1);
        bytes[at - 1] = 0x78;
        property(cemv_store_prepare_list(&many_tags, of(bytes, at), entries) == 2, "a second list", turn);
        property(cemv_store_load_list(&store, of(bytes, at), entries, 2) == (turn == 0), "as far as there is room",
                 turn);
        const cemv_bytes replaced = cemv_store_value(&store, again), added = cemv_store_value(&store, other);
        property(replaced.size != 0 && replaced.data[replaced.size - 1] == 0x77, "the later value counts", turn);
        property(turn == 1 || (store.count == 4 && added.size == 1 && added.data[0] == 0x78), "and joins", turn);
    }
    property(cemv_store_prepare_list(&many_tags, of("\x9C\0", 2), entries) == 0, "an object without a value", 0);
}

/* ---- ownership of data ---- */

static void properties_of_owners(void)
{
    static const uint8_t record[] = { 0x70, 9, 0x5F, 0x24, 3, 0x49, 0x12, 0x31, 0x9C, 1, 7 };
    cemv_store_clear(&store, &many_tags, 0);
    property(cemv_store_record(&store, of(record, sizeof record), true, true) == CEMV_STORE_OK, "a signed record", 0);
    cemv_store_set_provenance(&store, CEMV_SLOT_5F24, CEMV_FROM_CARD_DYNAMIC);
    cemv_store_set_provenance(&store, CEMV_SLOT_END, CEMV_FROM_CARD_DYNAMIC);
    cemv_store_vouch_static(&store);
    property(cemv_store_provenance(&store, CEMV_SLOT_5F24) == CEMV_FROM_CARD_DYNAMIC,
             "what is vouched for twice keeps the better word", 0);
    /* Signed bytes are not overwritten, whichever owner is given. */
    cemv_store_set_provenance(&store, CEMV_SLOT_5F24, CEMV_FROM_TERMINAL);
    property(cemv_store_put(&store, CEMV_SLOT_5F24, of("\1\2\3", 3), CEMV_FROM_TERMINAL) &&
                 memcmp(store.arena, record, sizeof record) == 0,
             "signed bytes stay", 0);
    property(memcmp(cemv_store_value(&store, CEMV_SLOT_5F24).data, "\1\2\3", 3) == 0, "and the new value counts", 0);
    cemv_store_clear(&store, &many_tags, 0);
    property(cemv_store_record(&store, of(record, sizeof record), true, true) == CEMV_STORE_OK, "again", 0);
    store.spans_overflowed = true;
    cemv_store_vouch_static(&store);
    property(cemv_store_provenance(&store, CEMV_SLOT_5F24) == CEMV_FROM_CARD,
             "with too many runs nothing is vouched for", 0);
    property(cemv_store_card(&store, CEMV_SLOT_END, of(record, 3)) == CEMV_STORE_OK && store.count == 1,
             "no slot, no datum", 0);
    /* Wrong lengths that never end a transaction (Book 3, 7.5). */
    static const uint16_t lenient[] = {
        CEMV_SLOT_42,   CEMV_SLOT_5F20, CEMV_SLOT_5F50, CEMV_SLOT_9F0B, CEMV_SLOT_9F0C,
        CEMV_SLOT_9F1F, CEMV_SLOT_9F4D, CEMV_SLOT_9F4F, CEMV_SLOT_5F24, CEMV_SLOT_9F26
    };
    for (unsigned i = 0; i < 2 * sizeof lenient / sizeof lenient[0]; i++) {
        const struct cemv_tag_row *const info = tag_row_at(lenient[i / 2]);
        const size_t size = put_object(0, info->tag, 0);
        bytes[size - 1] = 0x81;
        bytes[size] = (uint8_t)(info->max + 1);
        memset(bytes + size + 1, 0, 256);
        cemv_store_clear(&store, &many_tags, i % 2 ? CEMV_READING_IDENTICAL_DUPLICATES : 0);
        const enum cemv_store_error error = cemv_store_template(&store, 0, of(bytes, size + 1 + info->max + 1u));
        property(error == (i < 16 && i % 2 == 0 ? CEMV_STORE_OK : CEMV_STORE_BAD_LENGTH) && store.count == 0,
                 "a wrong length counts as absent, or ends", i);
    }
}

/* ---- objects that a kernel knows ---- */

/* One object of `size` bytes, `times` times, in a template. */
static enum cemv_store_error store_object(unsigned kernel, uint32_t tag, size_t size, unsigned times)
{
    size_t at = 0;
    clear_for(kernel);
    for (unsigned i = 0; i < times; i++) {
        at += cemv_tag_write(bytes + at, tag);
        if (size > 127) bytes[at++] = 0x81;
        bytes[at++] = (uint8_t)size;
        memset(bytes + at, (int)i, size);
        at += size;
    }
    return cemv_store_template(&store, 0, of(bytes, at));
}

/* Objects of other kernels are ignored, whatever their length and however often they come. */
static void ignores_objects_of_other_kernels(void)
{
    static const uint32_t neither[] = {
        0x9E,   0xC0,   0xD1,   0x9F2B, 0x9F2C, 0x9F52,   0x9F7A,   0xDF50,   0xDF51,
        0xDF52, 0xDF53, 0xDF54, 0xDF71, 0xDF72, 0x9F8102, 0x9F811A, 0x9F8201, 0x9F8221,
    };
    static const uint32_t only_2[] = {
        0x9F50, 0x9F51, 0x9F53, 0x9F54, 0x9F5C, 0x9F5E,   0x9F5F,   0x9F60,   0x9F61,   0x9F62, 0x9F63,
        0x9F64, 0x9F65, 0x9F67, 0x9F6A, 0x9F6D, 0x9F6F,   0x9F70,   0x9F79,   0x9F7D,   0x9F7E, 0x9F7F,
        0xDF4B, 0xDF60, 0xDF61, 0xDF62, 0xDF63, 0xDF8101, 0xDF8137, 0xDF8301, 0xDF8307,
    };
    static const uint32_t only_3[] = { 0xD2, 0x9F5A, 0x9F6C };
    static const size_t sizes[] = { 0, 1, 2, 7, 200, 255 };
    for (unsigned i = 0; i < 6 * 2; i++) {
        const unsigned times = 1 + i % 2;
        const size_t size = sizes[i / 2];
        for (unsigned k = 0; k < sizeof neither / sizeof neither[0]; k++)
            for (unsigned rules = 0; rules < 2; rules++)
                property(store_object(rules ? 2 : 3, neither[k], size, times) == CEMV_STORE_OK && store.count == 0 &&
                             !store.terminal_tag_from_card,
                         "an object of neither kernel is ignored", neither[k]);
        for (unsigned k = 0; k < sizeof only_2 / sizeof only_2[0]; k++)
            property(store_object(3, only_2[k], size, times) == CEMV_STORE_OK && store.count == 0 &&
                         !store.terminal_tag_from_card,
                     "Kernel 3 ignores an object of Kernel 2", only_2[k]);
        for (unsigned k = 0; k < sizeof only_3 / sizeof only_3[0]; k++)
            property(store_object(2, only_3[k], size, times) == CEMV_STORE_OK && store.count == 0 &&
                         !store.terminal_tag_from_card,
                     "Kernel 2 ignores an object of Kernel 3", only_3[k]);
    }
}

/* Lengths of numbers that each kernel reads differently: the shortest and the longest; 0: the card may not supply it.
 */
static void each_kernel_has_its_own_lengths(void)
{
    static const struct {
        uint32_t tag;
        uint8_t kernel, min, max;
    } all[] = {
        { 0x8E, 2, 8, 252 },  { 0x8E, 3, 10, 252 }, { 0x9F50, 2, 6, 6 }, { 0x9F5B, 2, 1, 250 }, { 0x9F5B, 3, 0, 0 },
        { 0x9F5D, 2, 3, 3 },  { 0x9F5D, 3, 6, 6 },  { 0x9F5F, 2, 1, 1 }, { 0x9F60, 2, 2, 2 },   { 0x9F63, 2, 6, 6 },
        { 0x9F66, 2, 2, 2 },  { 0x9F66, 3, 0, 0 },  { 0x9F67, 2, 1, 1 }, { 0x9F69, 2, 1, 250 }, { 0x9F69, 3, 5, 16 },
        { 0x9F6E, 2, 5, 32 }, { 0x9F6E, 3, 4, 4 },  { 0x9F7C, 2, 0, 0 }, { 0x9F7C, 3, 1, 32 },  { 0x9F7D, 2, 8, 16 },
        { 0x9F7E, 2, 0, 0 },  { 0x9F6B, 3, 1, 19 }, { 0x56, 3, 1, 76 },  { 0x9F5A, 3, 1, 16 },  { 0x9F5E, 2, 8, 11 },
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        for (size_t size = 1; size < 256; size++) {
            const enum cemv_store_error error = store_object(all[i].kernel, all[i].tag, size, 1);
            const bool fits = size >= all[i].min && size <= all[i].max;
            enum cemv_store_error expected = fits ? CEMV_STORE_OK : CEMV_STORE_BAD_LENGTH;
            if (all[i].min == 0) expected = all[i].kernel == 2 ? CEMV_STORE_TERMINAL_TAG : CEMV_STORE_OK;
            property(error == expected && store.count == (fits && all[i].min != 0), "the kernel's own length",
                     (unsigned)(all[i].tag << 8 | size));
            property(store.terminal_tag_from_card == (all[i].min == 0),
                     "a card's object that is the reader's is noticed", all[i].tag);
        }
    property(store_object(2, 0xDF61, 8, 1) == CEMV_STORE_OK && store.count == 0 && store.terminal_tag_from_card,
             "of the private class: ignored", 0);
}

/* Terminal data that belong to another kernel do not prevent the card from supplying its object. */
static void leaves_terminal_data_of_other_kernels_out(void)
{
    static const uint8_t list[] = { 0x9F, 0x6E, 4,    1,  2,  3,  4,  0x9F, 0x7C, 20,   1,  2,  3,    4,    5, 6, 7, 8,
                                    9,    10,   11,   12, 13, 14, 15, 16,   17,   18,   19, 20, 0x9F, 0x66, 4, 1, 2, 3,
                                    4,    0x9F, 0x5B, 4,  1,  2,  3,  4,    0x9F, 0x1A, 2,  8,  0x40 };
    static const struct {
        uint32_t tag;
        bool in_2, in_3;
    } all[] = {
        { 0x9F6E, false, false }, { 0x9F7C, true, false }, { 0x9F66, false, true },
        { 0x9F5B, false, true },  { 0x9F1A, true, true },
    };
    for (unsigned i = 0; i < 4 * sizeof all / sizeof all[0]; i++) {
        static struct cemv_store_entry entries[CEMV_STORE_ENTRIES];
        const unsigned kernel = 2 + i % 2;
        clear_for(kernel);
        if (i % 4 < 2)
            property(cemv_store_put_list(&store, of(list, sizeof list), CEMV_FROM_TERMINAL) == CEMV_STORE_OK, "put", i);
        else
            property(cemv_store_load_list(&store, of(list, sizeof list), entries,
                                          cemv_store_prepare_list(store.tags, of(list, sizeof list), entries)),
                     "prepared", i);
        const uint16_t slot = cemv_slot_of(store.tags, all[i / 4].tag);
        property(cemv_store_has(&store, slot) == (kernel == 2 ? all[i / 4].in_2 : all[i / 4].in_3),
                 "a kernel sees its own terminal data", i);
        clear_for(kernel);
        property(cemv_store_put_tag(&store, all[i / 4].tag, of("\1\2\3\4", 4)) &&
                     cemv_store_has(&store, slot) == (kernel == 2 ? all[i / 4].in_2 : all[i / 4].in_3),
                 "put by its tag", i);
    }
    const unsigned held = store.count;
    property(cemv_store_put_tag(&store, 0x9F7B, of("\1", 1)) && store.count == held, "an unknown object is left out",
             0);
    for (uint32_t tag = 0x9F80; tag < 0xA000; tag++)
        property(cemv_slot_of(store.tags, tag) == CEMV_SLOT_NONE, "no whole tag", tag);
}

/* C-8, 4.1.3: an object that none of the kernel's dictionaries lists is ignored, unless the terminal has supplied it.
 */
static void ignores_what_no_dictionary_lists(void)
{
    static const uint32_t unlisted[] = { 0x81, 0x83, 0x86, 0x89, 0x8A, 0x91, 0x9B, 0x9F18, 0x9F30, 0x9F39, 0x9F41 };
    for (unsigned i = 0; i < sizeof unlisted / sizeof unlisted[0]; i++) {
        property(store_object(2, unlisted[i], 1, 2) == CEMV_STORE_OK && store.count == 0, "ignored", unlisted[i]);
        const uint16_t slot = cemv_slot_of(store.tags, unlisted[i]);
        uint8_t object[] = { 0, 0, 0, 0 };
        const size_t head = cemv_tag_write(object, unlisted[i]);
        object[head] = 1;
        property(cemv_store_put(&store, slot, of("\1", 1), CEMV_FROM_TERMINAL) &&
                     cemv_store_template(&store, 0, of(object, head + 2)) == CEMV_STORE_TERMINAL_TAG,
                 "not where the terminal has it", unlisted[i]);
    }
    property(store_object(2, 0x9F1A, 2, 1) == CEMV_STORE_TERMINAL_TAG, "one that is listed is refused", 0);
}

/* C-8, 4.1.3: objects are stored one after the other up to the one that is rejected; of a response that cannot be read
 * to its end, none is. */
static void keeps_what_stands_before_a_refused_object(void)
{
    static const uint8_t refused[] = { 0x70, 12, 0x9F, 0x42, 2, 9, 0x78, 0x5F, 0x24, 2, 0x49, 0x12, 0x50, 0 },
                         unread[] = { 0x70, 12, 0x9F, 0x42, 2, 9, 0x78, 0x5F, 0x24, 2, 0x49, 0x12, 0x50, 9 };
    for (unsigned i = 0; i < 8; i++) {
        const bool readable = i & 1, record = i & 2;
        const cemv_bytes body = of(readable ? refused : unread, sizeof refused);
        clear_for(i & 4 ? 3 : 2);
        const enum cemv_store_error error = record ? cemv_store_record(&store, body, true, false)
                                                   : cemv_store_template(&store, 0x70, body);
        property(error != CEMV_STORE_OK, "refused", i);
        property(cemv_store_has(&store, CEMV_SLOT_9F42) == (readable && (i & 4) == 0), "what stands before it", i);
    }
}

/* C-8, 4.1.3: objects that the card may not supply are rejected at any length. An empty object in addition to a value
 * counts as a different value. */
static void refuses_empty_objects_of_the_terminal(void)
{
    for (uint16_t slot = 0; slot < K2_SLOT_END; slot++) {
        const uint32_t tag = k2_tag_row(slot)->tag;
        if (cemv_tag_is_constructed(tag)) continue;
        const enum cemv_store_error empty = store_object(2, tag, 0, 2);
        const bool noticed = store.terminal_tag_from_card;
        property(store.count == 0, "an empty object is not kept", tag);
        const enum cemv_store_error full = store_object(2, tag, k2_tag_row(slot)->min, 1);
        const bool of_terminal = full == CEMV_STORE_TERMINAL_TAG || store.terminal_tag_from_card;
        property(empty == (full == CEMV_STORE_TERMINAL_TAG ? full : CEMV_STORE_OK) && noticed == of_terminal,
                 "an empty one is refused where any other is", tag);
        property(store_object(3, tag, 0, 2) == CEMV_STORE_OK && store.count == 0, "Kernel 3 takes it for absent", tag);
    }
    static const uint8_t after[] = { 0x9F, 0x36, 2, 0, 1, 0x9F, 0x36, 0 },
                         before[] = { 0x9F, 0x36, 0, 0x9F, 0x36, 2, 0, 1 };
    for (unsigned i = 0; i < 4; i++) {
        clear_for(i % 2 ? 2 : 3);
        const enum cemv_store_error error = cemv_store_template(&store, 0, of(i < 2 ? after : before, 8));
        property(error == (i == 1 ? CEMV_STORE_DUPLICATE : CEMV_STORE_OK), "empty after a value", i);
    }
}

/* Book 3, 7.5: inside a further template Kernel 3 knows no object, whatever its tag; Kernel 2 reads every template
 * (C-8, 4.1.3). */
static void kernel_3_ignores_further_templates(void)
{
    static const uint8_t record[] = { 0x70, 12, 0xE1, 5, 0x5F, 0x34, 2, 1, 1, 0x9F, 0x36, 2, 0, 7 },
                         unread[] = { 0x70, 9, 0xE1, 2, 0x9F, 0x36, 0x9F, 0x36, 2, 0, 7 };
    clear_for(3);
    property(cemv_store_record(&store, of(record, 14), false, false) == CEMV_STORE_OK && store.count == 1 &&
                 cemv_store_has(&store, CEMV_SLOT_9F36),
             "skipped", 0);
    clear_for(3);
    property(cemv_store_template(&store, 0x70, of(unread, 11)) == CEMV_STORE_OK && store.count == 1, "and not read", 0);
    clear_for(2);
    property(cemv_store_record(&store, of(record, 14), false, false) == CEMV_STORE_BAD_LENGTH, "read", 0);
    clear_for(2);
    property(cemv_store_template(&store, 0x70, of(unread, 11)) == CEMV_STORE_MALFORMED, "and malformed", 0);
}

/* Book 3, 10.3: of a signed record everything is hashed except, up to SFI 10, tag 70 and its length. */
static void hashes_filler_of_signed_records(void)
{
    static const uint8_t record[] = { 0, 0xFF, 0x70, 0x81, 5, 0x9F, 0x36, 2, 0, 7, 0, 0, 0xFF };
    static const uint8_t hashed[] = { 0, 0xFF, 0x9F, 0x36, 2, 0, 7, 0, 0, 0xFF };
    cemv_bytes pieces[CEMV_STORE_SPANS];
    for (unsigned i = 0; i < 8; i++) {
        const bool whole = i & 1, is_signed = i & 2, twice = i & 4;
        cemv_store_clear(&store, &many_tags, 0);
        const size_t size = whole ? sizeof record : sizeof hashed;
        property(cemv_store_record(&store, of(record, sizeof record), is_signed, whole) == CEMV_STORE_OK,
                 "a record among filler", i);
        property(cemv_store_value(&store, CEMV_SLOT_9F36).size == 2 &&
                     cemv_store_value(&store, CEMV_SLOT_9F36).data[1] == 7,
                 "its object", i);
        if (twice)
            property(cemv_store_record(&store, of("\x70\0\0", 3), is_signed, whole) == CEMV_STORE_OK,
                     "and one that is empty", i);
        property(cemv_store_signed(&store, pieces) == is_signed, "one run", i);
        if (!is_signed) continue;
        property(pieces[0].size == size + (twice ? (whole ? 3 : 1) : 0) &&
                     memcmp(pieces[0].data, whole ? record : hashed, size) == 0,
                 "filler is hashed", i);
    }
    for (size_t left = 8; left < 16; left++) {
        fill(left);
        property(cemv_store_record(&store, of(record, sizeof record), true, false) ==
                     (left < sizeof hashed ? CEMV_STORE_FULL : CEMV_STORE_OK),
                 "and takes room", (unsigned)left);
    }
}

/* Book 3, 10.3 and Annex B1: the conditions for a record of SFI 11 to 30 to be a template. */
static void filler_may_stand_before_a_template(void)
{
    static const struct {
        const char *record;
        size_t size;
        bool has;
    } cases[] = {
        { "\x70\0", 2, true },   { "\0\x70\0", 3, true },    { "\0\xFF\0\x70\0", 5, true },
        { "\xFF\x70", 2, true }, { "\0\x71\x70", 3, false }, { "\x77\x70", 2, false },
        { "", 0, false },        { "\0\0\xFF", 3, false },   { "\1\x70\0", 3, false },
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        property(cemv_record_has_template(of(cases[i].record, cases[i].size)) == cases[i].has,
                 "filler may stand before a template", i);
}

/* ---- a terminal's lists ---- */

static void properties_of_lists_with_ff81(void)
{
    static const struct {
        const char *bytes;
        size_t size;
        uint32_t tag;
        size_t value;
        bool good;
    } all[] = {
        { "\xFF\x81\2\1\xAA", 5, 0xFF8102, 1, true },
        { "\xFF\x81\6\1\xAA", 5, 0xFF8106, 1, true },
        { "\xFF\x81\2\0", 4, 0xFF8102, 0, true },
        { "\xFF\x81\2\2\xAA", 5, 0, 0, false },
        { "\xFF\x81\7\1\2\3\4\5\6\7", 10, 0x81, 7, true }, /* not a tag of Kernel 2: filler, and an object 81 */
        { "\xFF\x81\x08\1\2\3\4\5\6\7\x08", 11, 0x81, 8, true },
        { "\xFF\x81\3", 3, 0, 0, false },
        { "\xFF\x81\2\x81\1\xAA", 6, 0xFF8102, 1, true },
        { "\xFF\x81\2\x82\0\1\xAA", 7, 0xFF8102, 1, true },
        { "\xFF\x81\2\x83\0\0\1\xAA", 8, 0, 0, false },
        { "\xFF\x81\2\x83\0\0\0\0\0", 9, 0, 0, false },
        { "\xFF\x81\2\x82\0\0\0\0", 4, 0, 0, false },
        { "\xFF\x81\2\x82\0\0\0\0", 5, 0, 0, false },
        { "\xFF\x81\2\x81\0\0\0", 4, 0, 0, false },
        { "\xFF\x81\2\x80", 132, 0, 0, false },
        { "\xFF\x81\2\x80", 200, 0, 0, false },
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct cemv_tlv object;
        memset(bytes, 0, 0x100);
        memcpy(bytes, all[i].bytes, all[i].size > 12 ? 4 : all[i].size);
        struct cemv_tlv_cursor cursor = cemv_tlv_open(of(bytes, all[i].size));
        property(cemv_list_next(&cursor, &object) == all[i].good && (cursor.error == CEMV_WIRE_OK) == all[i].good,
                 "an object, or an error", i);
        if (all[i].good)
            property(object.tag == all[i].tag && object.value.size == all[i].value &&
                         object.value.data + object.value.size == bytes + all[i].size,
                     "its tag and value", i);
        property(!cemv_list_next(&cursor, &object) && (cursor.error == CEMV_WIRE_OK) == all[i].good, "an error stays",
                 i);
        cursor.at = bytes;
        cursor.end = bytes + 4;
        property(all[i].good || !cemv_list_next(&cursor, &object), "wherever it is moved", i);
    }
}

/* Values are exported in the order of the slots, as the writer would put each by itself, for any space. After the first
 * that does not fit none follows, and a failed writer accepts nothing. */
static void values_leave_as_the_writer_puts_them(void)
{
    static uint8_t value[200] = { 0x54, 0x13, 0x33 };
    clear_for(2);
    property(cemv_store_put(&store, CEMV_SLOT_9F02, of(value, 6), CEMV_FROM_TERMINAL), "an amount", 0);
    property(cemv_store_card(&store, CEMV_SLOT_5A, of(value, 8)) == CEMV_STORE_OK, "an account", 0);
    property(cemv_store_card(&store, CEMV_SLOT_90, of(value, sizeof value)) == CEMV_STORE_OK, "a certificate", 0);
    property(cemv_store_card(&store, CEMV_SLOT_9F36, of(value, 2)) == CEMV_STORE_OK, "a counter", 0);
    static const uint16_t all[] = { CEMV_SLOT_9F02, CEMV_SLOT_8F, CEMV_SLOT_90, CEMV_SLOT_5A, CEMV_SLOT_9F36 };
    for (unsigned failed = 0; failed < 2; failed++)
        for (size_t room = 0; room < 260; room++) {
            uint8_t one[260], each[260];
            struct cemv_writer writer = cemv_writer_open(one, room), wanted = cemv_writer_open(each, room);
            if (failed) cemv_writer_put_tlv(&writer, 0, of(value, 1)), cemv_writer_put_tlv(&wanted, 0, of(value, 1));
            cemv_store_export_all(&store, all, sizeof all / sizeof all[0], &writer);
            for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
                if (cemv_store_has(&store, all[i]))
                    cemv_writer_put_tlv(&wanted, cemv_tag_row_at(store.tags, all[i])->tag,
                                        cemv_store_value(&store, all[i]));
            property(writer.size == wanted.size && writer.error == wanted.error &&
                         memcmp(one, each, writer.size) == 0 && (writer.size == 0 || !failed),
                     "exported as written", (unsigned)(failed << 16 | room));
        }
}

/* A maximum of 255 in a row also allows longer values. */
static void takes_long_lists_of_the_terminal(void)
{
    static struct cemv_store store;
    static uint8_t list[320];
    for (unsigned size = 254; size < 301; size++) {
        const uint8_t head[] = { 0xFF, 0x81, 0x02, 0x82, (uint8_t)(size >> 8), (uint8_t)size };
        memset(list, 0x5A, sizeof list);
        memcpy(list, head, sizeof head);
        cemv_store_clear(&store, tags_of(2), 0);
        const cemv_bytes whole = { list, sizeof head + size };
        property(cemv_store_put_list(&store, whole, CEMV_FROM_TERMINAL) == CEMV_STORE_OK, "a long list is taken", size);
        const cemv_bytes kept = cemv_store_value(&store, K2_SLOT_FF8102);
        property(kept.size == size && memcmp(kept.data, list + sizeof head, size) == 0, "and kept whole", size);
    }
}

/* An object of another command is unknown in a record, however often it comes and whatever its length; the value from
 * that command is kept. Elsewhere the object is known. */
static void records_have_their_own_objects(void)
{
    static const char record[] =
        "\x70\x23\x82\2\1\2\x82\3\1\2\3\x9F\x36\2\0\1\x9F\x36\2\0\2\x94\0\x5F\x24\3\x30\x12\x31"
        "\x9F\x27\1\x40";
    for (unsigned held = 0; held < 4; held++) {
        const bool in_place = (held & 1) != 0;
        cemv_store_clear(&store, &no_tags, CEMV_READING_STRICT_DUPLICATES);
        if (held >= 2) (void)cemv_store_card(&store, CEMV_SLOT_82, of("\x19\x80", 2));
        uint8_t body[sizeof record - 1];
        memcpy(body, record, sizeof body), body[1] = (uint8_t)(sizeof body - 2);
        const enum cemv_store_error error = in_place
                                              ? cemv_store_record_in_place(&store, of(body, sizeof body), true, false)
                                              : cemv_store_record(&store, of(body, sizeof body), true, false);
        property((error == CEMV_STORE_OK) == in_place, "a record with objects of other commands", held);
        if (!in_place) continue;
        property(cemv_store_has(&store, CEMV_SLOT_5F24) && !cemv_store_has(&store, CEMV_SLOT_9F36) &&
                     !cemv_store_has(&store, CEMV_SLOT_9F27) && !cemv_store_has(&store, CEMV_SLOT_94),
                 "keeps its own", held);
        const cemv_bytes profile = cemv_store_value(&store, CEMV_SLOT_82);
        property(held < 2 ? profile.size == 0 : cemv_bytes_equal(profile, of("\x19\x80", 2)), "and changes none", held);
        property(store.span[0].size == sizeof body - 2, "all of it is hashed", held);
        property(cemv_store_card(&store, CEMV_SLOT_9F36, of("\0\3", 2)) == CEMV_STORE_OK &&
                     cemv_store_has(&store, CEMV_SLOT_9F36),
                 "where it belongs it is known", held);
        property(cemv_store_card(&store, CEMV_SLOT_9F36, of("\0\4", 2)) == CEMV_STORE_DUPLICATE, "once", held);
    }
}

/* ---- lists of other senders than the card ---- */

/* From an issuer's list, objects that an issuer may send are stored, and one of them with a wrong length ends the list;
 * from a terminal's list, objects that anybody except the card may supply, empty or with a length of the dictionary.
 * All others are skipped. */
static void lists_keep_what_their_sender_may_send(void)
{
    static struct cemv_store filled;
    for (unsigned kernel = 2; kernel <= 3; kernel++) {
        const struct cemv_tags *const tags = tags_of(kernel);
        for (uint16_t slot = 0; slot < CEMV_SLOT_COUNT + tags->count; slot++) {
            const struct cemv_tag_row *const row = cemv_tag_row_at(tags, slot);
            const unsigned sizes[] = { 0, row->min - 1u, row->min, row->max, row->max + 1u };
            for (unsigned i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; i++) {
                uint8_t list[300];
                const unsigned size = sizes[i / 2];
                const uint8_t from = i % 2 ? CEMV_FROM_ISSUER : CEMV_FROM_TERMINAL;
                size_t at = cemv_tag_write(list, row->tag);
                if (size > 0x7F) list[at++] = size > 0xFF ? 0x82 : 0x81;
                if (size > 0xFF) list[at++] = (uint8_t)(size >> 8);
                list[at++] = (uint8_t)size;
                memset(list + at, 0x01, size);
                cemv_store_clear(&filled, tags, 0);
                if (size == 0) (void)cemv_store_put(&filled, slot, BYTES("\1"), CEMV_FROM_TERMINAL);
                const enum cemv_store_error error = cemv_store_put_list(&filled, of(list, at + size), from);
                const bool fits = size == 0 || (size >= row->min && (size <= row->max || row->max == 255));
                const bool issuers = (row->source & CEMV_SOURCE_ISSUER) != 0;
                const bool others = (row->source & ~(CEMV_SOURCE_CARD | CEMV_SOURCE_ELSEWHERE)) != 0;
                const bool keeps = from == CEMV_FROM_ISSUER ? issuers && fits : others && fits;
                property((error == CEMV_STORE_BAD_LENGTH) == (from == CEMV_FROM_ISSUER && issuers && !fits),
                         "an issuer's object of a wrong length", (unsigned)slot << 4 | i);
                property((filled.index[slot] != 0) == (size == 0 ? !keeps : keeps), "what its sender may send",
                         (unsigned)slot << 4 | i);
            }
        }
    }
}

/* ---- every row of the dictionary ---- */

/* Writes tag, length, and `size` times `byte`; returns the size. */
static size_t put_value(uint8_t *out, uint32_t tag, uint8_t byte, size_t size)
{
    size_t at = cemv_tag_write(out, tag);
    if (size > 127) out[at++] = 0x81;
    out[at++] = (uint8_t)size;
    memset(out + at, byte, size);
    return at + size;
}

static bool has_only(uint16_t slot, uint8_t byte, size_t size, uint8_t provenance)
{
    const cemv_bytes value = cemv_store_value(&store, slot);
    for (size_t i = 0; i < value.size; i++)
        if (value.data[i] != byte) return false;
    return value.size == size && cemv_store_provenance(&store, slot) == provenance;
}

/* attacks.md, A22: a card never changes an object of the terminal or the issuer, whatever its tag, in any template, in
 * a signed record or by position, and the attempt is reported. By Kernel 2's rule all of them except the private class
 * are rejected. */
static void a_card_never_changes_what_is_the_terminals(void)
{
    static const uint8_t outer[] = { 0, 0x6F, 0x70, 0x77 };
    static const uint8_t owners[] = { CEMV_FROM_TERMINAL, CEMV_FROM_ISSUER };
    for (uint16_t slot = 0; slot < K2_SLOT_END; slot++) {
        const struct cemv_tag_row *const row = k2_tag_row(slot);
        const size_t size = row->min;
        uint8_t ours[256], body[600];
        if (cemv_tag_is_constructed(row->tag)) continue;
        memset(ours, 0x11, sizeof ours);
        for (unsigned i = 0; i < 8; i++) {
            cemv_store_clear(&store, tags_of(2), 0);
            property(cemv_store_put(&store, slot, of(ours, size), owners[i % 2]), "room", slot);
            size_t used = put_value(body + 4, row->tag, 0x22, size);
            used += put_value(body + 4 + used, row->tag, 0x11, size);
            uint8_t *const whole = used > 127 ? body + 1 : body + 2;
            whole[0] = outer[i / 2];
            if (used > 127) whole[1] = used > 255 ? 0x82 : 0x81;
            if (used > 255) continue;
            whole[used > 127 ? 2 : 1] = (uint8_t)used;
            const cemv_bytes all = of(whole, used + (used > 127 ? 3 : 2)), bare = of(body + 4, used);
            property(cemv_store_template(&store, outer[i / 2], outer[i / 2] ? all : bare) == CEMV_STORE_OK, "ignored",
                     slot);
            whole[0] = 0x70;
            property(cemv_store_record(&store, all, true, false) == CEMV_STORE_OK, "in a record too", slot);
            property(cemv_store_card(&store, slot, of(bytes, size)) == CEMV_STORE_OK, "and by position", slot);
            cemv_store_vouch_static(&store);
            property(has_only(slot, 0x11, size, owners[i % 2]) && store.count == 1, "the value stays", slot);
            property(store.terminal_tag_from_card, "and is reported", slot);
        }
        cemv_store_clear(&store, tags_of(2), CEMV_READING_IDENTICAL_DUPLICATES | CEMV_READING_REFUSE_TERMINAL_TAGS);
        property(cemv_store_put(&store, slot, of(ours, size), CEMV_FROM_TERMINAL), "room", slot);
        const size_t used = put_value(body, row->tag, 0x22, size);
        const uint8_t first = row->tag > 0xFFFF ? (uint8_t)(row->tag >> 16)
                            : row->tag > 0xFF   ? (uint8_t)(row->tag >> 8)
                                                : (uint8_t)row->tag;
        property(cemv_store_template(&store, 0, of(body, used)) ==
                     ((first & 0xC0) == 0xC0 ? CEMV_STORE_OK : CEMV_STORE_TERMINAL_TAG),
                 "or refused", slot);
        property(has_only(slot, 0x11, size, CEMV_FROM_TERMINAL) && store.terminal_tag_from_card, "unchanged", slot);
    }
}

/* A23: a card's list is answered with the terminal's data, not with data from a card or an issuer, nor with objects
 * that only configure the kernel; a template, an absent and an unknown object are filled with zeros. */
static void a_card_is_told_what_the_terminal_has(void)
{
    static const uint8_t provenances[] = { CEMV_FROM_CARD, CEMV_FROM_CARD_STATIC, CEMV_FROM_CARD_DYNAMIC,
                                           CEMV_FROM_ISSUER, CEMV_FROM_TERMINAL };
    for (uint16_t slot = 0; slot < K2_SLOT_END; slot++) {
        const struct cemv_tag_row *const row = k2_tag_row(slot);
        const bool hidden = cemv_tag_is_constructed(row->tag) || row->source == CEMV_SOURCE_CONFIGURATION;
        for (unsigned i = 0; i < 2 * sizeof provenances; i++) {
            uint8_t list[8], value[256], out[256];
            const bool card_too = i % 2;
            size_t size = 0, used = cemv_tag_write(list, row->tag);
            memset(value, 0x77, sizeof value);
            list[used++] = row->min;
            cemv_store_clear(&store, tags_of(2), 0);
            property(cemv_store_put(&store, slot, of(value, row->min), provenances[i / 2]), "room", slot);
            property(cemv_store_build_dol(&store, of(list, used), card_too, out, 255, &size) && size == row->min,
                     "a list", slot);
            const bool told = !hidden && (card_too || provenances[i / 2] == CEMV_FROM_TERMINAL);
            memset(value, told ? 0x77 : 0, sizeof value);
            property(memcmp(out, value, size) == 0, "what a card is told", (unsigned)slot << 4 | i);
        }
    }
    uint8_t out[8];
    size_t size = 0;
    cemv_store_clear(&store, tags_of(2), 0);
    property(cemv_store_build_dol(&store, BYTES("\xC3\2\x9F\x35\1\x9F\x20\3"), false, out, sizeof out, &size) &&
                 size == 6 && memcmp(out, "\0\0\0\0\0\0", 6) == 0,
             "unknown and absent objects are zeros", 0);
}

/* Templates in a response are read, except directory entries (61 and 73), which are read only on request; Kernel 2
 * reads them all. */
static void directory_entries_are_not_walked(void)
{
    static const char fci[] = "\x6F\x29\x84\5\xA0\0\0\0\3\xA5\x20\x50\1V"
                              "\x61\x0D\x4F\5\xA0\0\0\0\3\x73\4\x9F\x0A\1\1"
                              "\x73\4\x9F\x0A\1\2\xBF\x0C\5\x9F\x4D\2\x0B\x0A";
    static const char entry[] = "\x61\x0D\x4F\5\xA0\0\0\0\3\x73\4\x9F\x0A\1\1";
    cemv_store_clear(&store, tags_of(2), 0);
    property(cemv_store_template(&store, 0x6F, BYTES(fci)) == CEMV_STORE_OK && store.count == 3, "three objects", 0);
    property(cemv_store_has(&store, CEMV_SLOT_84) && cemv_store_has(&store, CEMV_SLOT_50) &&
                 cemv_store_has(&store, CEMV_SLOT_9F4D),
             "of the FCI", 0);
    property(!cemv_store_has(&store, CEMV_SLOT_4F) && !cemv_store_has(&store, CEMV_SLOT_9F0A), "and none of an entry",
             0);
    property(cemv_store_template(&store, 0x61, BYTES(entry)) == CEMV_STORE_OK && cemv_store_has(&store, CEMV_SLOT_4F) &&
                 !cemv_store_has(&store, CEMV_SLOT_9F0A),
             "which is walked where it is asked for", 0);
    cemv_store_clear(&store, tags_of(2), CEMV_READING_IDENTICAL_DUPLICATES);
    property(cemv_store_template(&store, 0x61, BYTES(entry)) == CEMV_STORE_OK && cemv_store_has(&store, CEMV_SLOT_4F) &&
                 cemv_store_has(&store, CEMV_SLOT_9F0A),
             "all of it by the rule of Kernel 2", 0);
}

/* A repeated object is rejected, or accepted if the rule allows it and the value is equal: in one response, in two, by
 * position. An empty one counts as absent (C-3, 5.4.2.2). */
static void repetitions_count_by_the_rule(void)
{
    static const struct {
        const char *second;
        size_t size;
        bool same;
    } all[] = { { "\x5A\2\x47\x61", 4, true }, { "\x5A\2\x47\x62", 4, false }, { "\x5A\3\x47\x61\0", 5, false } };
    for (unsigned i = 0; i < 4 * sizeof all / sizeof all[0]; i++) {
        const bool identical = i & 1, together = i & 2, accepted = identical && all[i / 4].same;
        uint8_t body[16] = "\x70\4\x5A\2\x47\x61";
        cemv_store_clear(&store, tags_of(2), identical ? CEMV_READING_IDENTICAL_DUPLICATES : 0);
        if (together) memcpy(body + 6, all[i / 4].second, all[i / 4].size), body[1] = (uint8_t)(4 + all[i / 4].size);
        const enum cemv_store_error first = cemv_store_record(&store, of(body, body[1] + 2u), false, false);
        property(first == (together && !accepted ? CEMV_STORE_DUPLICATE : CEMV_STORE_OK), "in one response", i);
        if (together) continue;
        memcpy(body + 2, all[i / 4].second, all[i / 4].size), body[1] = (uint8_t)all[i / 4].size;
        property(cemv_store_record(&store, of(body, body[1] + 2u), false, false) ==
                     (accepted ? CEMV_STORE_OK : CEMV_STORE_DUPLICATE),
                 "in two", i);
        property(cemv_store_card(&store, CEMV_SLOT_5A, of(all[i / 4].second + 2, all[i / 4].size - 2)) ==
                     (accepted ? CEMV_STORE_OK : CEMV_STORE_DUPLICATE),
                 "by position", i);
        property(cemv_bytes_equal(cemv_store_value(&store, CEMV_SLOT_5A), BYTES("\x47\x61")) && store.count == 1,
                 "the first value stays", i);
    }
    cemv_store_clear(&store, tags_of(2), 0);
    property(cemv_store_record(&store, BYTES("\x70\x0A\x5A\0\x5A\1\x12\x5A\0\x9F\2\0"), false, false) ==
                     CEMV_STORE_OK &&
                 store.count == 1 && !store.terminal_tag_from_card,
             "an empty object is none", 0);
}

/* Every number of one and two bytes, and of three under each prefix in use: the row of that tag, or none. */
static void a_tag_is_found_by_its_number(void)
{
    static const uint32_t prefixes[] = { 0, 0x5F, 0x9F, 0xBF, 0xDF, 0xFF };
    for (unsigned kernel = 2; kernel <= 3; kernel++) {
        const struct cemv_tags *const tags = tags_of(kernel);
        static uint16_t slots[1u << 16];
        unsigned found = 0;
        for (size_t prefix = 0; prefix < sizeof prefixes / sizeof prefixes[0]; prefix++) {
            memset(slots, 0, sizeof slots);
            for (uint16_t slot = 0; slot < CEMV_SLOT_COUNT + tags->count; slot++) {
                const uint32_t tag = cemv_tag_row_at(tags, slot)->tag;
                if (tag >> 16 == prefixes[prefix]) slots[tag & 0xFFFF] = (uint16_t)(slot + 1), found++;
            }
            for (uint32_t low = 0; low <= 0xFFFF; low++)
                property(cemv_slot_of(tags, prefixes[prefix] << 16 | low) ==
                             (slots[low] ? slots[low] - 1 : CEMV_SLOT_NONE),
                         "a slot by its tag", prefixes[prefix] << 16 | low);
        }
        property(found == CEMV_SLOT_COUNT + tags->count, "every row", found);
    }
}

void properties_of_store(void)
{
    PART(make_many);
    PART(properties_of_depth);
    PART(properties_of_responses);
    PART(properties_of_room);
    PART(properties_of_many);
    PART(properties_of_owners);
    PART(ignores_objects_of_other_kernels);
    PART(each_kernel_has_its_own_lengths);
    PART(leaves_terminal_data_of_other_kernels_out);
    PART(refuses_empty_objects_of_the_terminal);
    PART(ignores_what_no_dictionary_lists);
    PART(keeps_what_stands_before_a_refused_object);
    PART(kernel_3_ignores_further_templates);
    PART(hashes_filler_of_signed_records);
    PART(filler_may_stand_before_a_template);
    PART(records_have_their_own_objects);
    PART(properties_of_lists_with_ff81);
    PART(takes_long_lists_of_the_terminal);
    PART(values_leave_as_the_writer_puts_them);
    PART(lists_keep_what_their_sender_may_send);
    PART(a_card_never_changes_what_is_the_terminals);
    PART(a_card_is_told_what_the_terminal_has);
    PART(directory_entries_are_not_walked);
    PART(repetitions_count_by_the_rule);
    PART(a_tag_is_found_by_its_number);
}
