/* SPDX-License-Identifier: Apache-2.0 */
/* Random runs of modules of the core called by themselves: the writer, the store, directories, the parsing for a host.
 */
#include <string.h>

#include "CEMVInternals.h"
#include "../../Sources/CEMV/include/cemv_cryptogram.h"
#include "random_values.h"
#include "random.h"

static uint8_t byte(void) { return (uint8_t)(below(3) ? below(256) : below(2) ? 1u << below(8) : 255 * below(2)); }
static void fill_random(uint8_t *out, size_t size)
{
    while (size--) *out++ = byte();
}

static size_t put_object(uint8_t *out, uint32_t tag, const uint8_t *value, size_t size)
{
    size_t used = cemv_tag_write(out, tag);
    if (size > 255) {
        out[used++] = 0x82;
        out[used++] = (uint8_t)(size >> 8);
    } else if (size > 127 || once_in(40)) out[used++] = 0x81;
    out[used++] = (uint8_t)size;
    if (size) memcpy(out + used, value, size);
    return used + size;
}

/* ---- wire ---- */

static void writers(void)
{
    static uint8_t room[400], value[300];
    static const uint32_t tags[] = { 0x5A, 0x82,   0x9F02, 0x5F2A, 0xDF8129, 0x70,
                                     0xA5, 0xBF0C, 0,      0x9F,   0x9F8001, 0x9F819101 };
    const size_t sizes[] = { 0, 1, 2, 5, 8, 17, 126, 127, 128, 129, 255, 256, below(300) };
    const size_t capacity = below(2) ? below(sizeof room) : below(40);
    memset(room, 0xEE, sizeof room);
    struct cemv_writer writer = cemv_writer_open(room, capacity);
    for (unsigned i = below(6); i; i--) {
        const cemv_bytes bytes = { value, sizes[below(13)] };
        fill_random(value, 16);
        switch (below(6)) {
        case 0: cemv_writer_put_byte(&writer, value[0]); break;
        case 1: cemv_writer_put_bytes(&writer, bytes); break;
        case 2: cemv_writer_open_tlv(&writer, tags[5 + below(once_in(8) ? 7 : 3)]); break;
        case 3: cemv_writer_close_tlv(&writer); break;
        default: cemv_writer_put_tlv(&writer, tags[below(once_in(8) ? 12 : 5)], bytes); break;
        }
        note(writer.error);
        note(writer.size);
        holds(writer.size <= capacity, "a writer keeps to its room");
    }
    note_bytes(cemv_writer_finish(&writer));
    note(writer.error);
    for (size_t i = capacity; i < sizeof room; i++) holds(room[i] == 0xEE, "a writer keeps to its room");
    for (size_t i = 0; i < capacity; i++) note(i < writer.size ? room[i] : 0);
}

/* Exactly the space that is needed, and a byte less. */
static void tight_writers(void)
{
    static uint8_t room[300], value[300];
    static const uint32_t tags[] = { 0x5A, 0x9F02, 0xDF8129, 0x9F819101 };
    const uint32_t tag = tags[below(4)];
    const size_t size = once_in(3) ? 120 + below(140) : below(30),
                 head = cemv_tag_size(tag) + 1 + (size > 127) + (size > 255), all = head + size;
    for (size_t less = 0; less < 3 && less <= all; less++) {
        memset(room, 0xEE, sizeof room);
        struct cemv_writer writer = cemv_writer_open(room, all - less);
        cemv_writer_put_tlv(&writer, tag, (cemv_bytes){ value, size });
        holds(less ? writer.error == CEMV_WIRE_NO_SPACE && writer.size == 0
                   : writer.error == CEMV_WIRE_OK && writer.size == all,
              "an object takes its size");
        writer = cemv_writer_open(room, all - less);
        cemv_writer_put_bytes(&writer, (cemv_bytes){ value, all });
        holds(less && all ? writer.error == CEMV_WIRE_NO_SPACE : writer.size == all, "bytes take their size");
        const size_t outer = 2 + (all > 127) + (all > 255);
        memset(room, 0xEE, sizeof room);
        if (outer + all > sizeof room) continue;
        writer = cemv_writer_open(room, outer + all - less);
        cemv_writer_open_tlv(&writer, 0x70);
        cemv_writer_put_tlv(&writer, tag, (cemv_bytes){ value, size });
        cemv_writer_close_tlv(&writer);
        const cemv_bytes done = cemv_writer_finish(&writer);
        holds(less ? done.size == 0 && writer.error == CEMV_WIRE_NO_SPACE : done.size == outer + all,
              "a template takes its size");
        holds(room[outer + all - less] == 0xEE || outer + all - less == sizeof room, "not a byte more");
        if (!less) note_bytes(done);
    }
    static uint8_t cn[20];
    fill_random(cn, sizeof cn);
    for (size_t i = 0; i < sizeof cn; i++) cn[i] = (uint8_t)(once_in(12) ? byte() : below(10) << 4 | below(10));
    if (flag())
        for (size_t i = below(20); i < 20; i++) cn[i] = 0xFF;
    if (flag()) cn[below(20)] = (uint8_t)(below(12) << 4 | 15);
    const cemv_bytes digits = { cn, below(21) };
    note((uint64_t)(int64_t)cemv_cn_digits(digits));
    uint64_t number = 0;
    uint32_t days = 0;
    const bool read = cemv_bcd_read(digits, &number), day = cemv_date_read((cemv_bytes){ cn, 3 }, &days);
    note(read);
    note(day);
    if (read) note(number);
    if (day) note(days);
    static uint8_t long_cn[17000];
    note((uint64_t)(int64_t)cemv_cn_digits((cemv_bytes){ long_cn, 16383u + below(2) }));
    uint8_t wiped[20];
    memset(wiped, 7, sizeof wiped);
    cemv_wipe(wiped + 2, 15);
    for (size_t i = 0; i < 20; i++) holds((wiped[i] == 0) == (i >= 2 && i < 17), "a wipe clears its range");
}

static void commands(void)
{
    static uint8_t bytes[600];
    struct cemv_command command = { .data = { NULL, 99 } };
    static const size_t sizes[] = { 0, 3, 4, 5, 6, 7, 8, 9, 10, 12, 260, 261, 262, 263, 264 };
    const size_t size = sizes[below(15)];
    fill_random(bytes, 16);
    if (flag()) bytes[4] = (uint8_t)below(12);
    if (flag()) {
        bytes[4] = 0;
        bytes[5] = (uint8_t)below(2);
        bytes[6] = (uint8_t)below(9);
    }
    if (flag() && size > 5) bytes[4] = (uint8_t)(size - 5 - below(2));
    const bool good = cemv_command_decode((cemv_bytes){ bytes, size }, &command);
    note(good);
    if (good) {
        note(command.cla);
        note(command.ins);
        note(command.p1);
        note(command.p2);
        note(command.le);
        note_bytes(command.data);
    }
    if (good)
        holds(command.data.size == 0 ||
                  (command.data.data >= bytes && command.data.data + command.data.size <= bytes + size),
              "data lie in the command");
    cemv_bytes body = { bytes, 99 };
    uint16_t word = 0;
    const bool answered = cemv_response_decode((cemv_bytes){ bytes, below(5) }, &body, &word);
    note(answered);
    if (answered) {
        note(word);
        note_bytes(body);
    }
    uint8_t fitted[40];
    memset(fitted, 0xEE, sizeof fitted);
    const uint8_t length = (uint8_t)below(30);
    cemv_dol_fit(fitted, length, (cemv_bytes){ bytes, below(17) }, (enum cemv_format)below(7));
    note_bytes((cemv_bytes){ fitted, sizeof fitted });
}

/* ---- the store ---- */

static void note_store(const struct cemv_store *store)
{
    note(store->used);
    note(store->high);
    note(store->count);
    note(store->span_count);
    note(store->reading);
    note(store->terminal_tag_from_card);
    note(store->spans_overflowed);
    for (uint16_t slot = 0; slot < CEMV_SLOT_END; slot++) {
        const struct cemv_store_entry *entry = cemv_store_find(store, slot);
        if (!entry) continue;
        holds(entry->slot == slot && entry - store->entry < store->count && entry->offset + entry->size <= store->used,
              "an entry lies in the store");
        note(slot);
        note(entry->provenance);
        note(entry->covered);
        note_bytes(cemv_store_value(store, slot));
        note(cemv_store_provenance(store, slot));
    }
    cemv_bytes pieces[CEMV_STORE_SPANS];
    const size_t count = cemv_store_signed(store, pieces);
    note(count);
    for (size_t i = 0; i < count; i++) note_bytes(pieces[i]);
}

/* A list of known and unknown objects, most with a valid length. */
static size_t random_list(uint8_t *out, size_t most, unsigned count, unsigned depth)
{
    static const uint32_t common[] = { 0x9F02, 0x9F37, 0x5A,   0x57,   0x82, 0x94,     0x9F10,
                                       0x9F26, 0x9F27, 0x9F36, 0x5F24, 0x8C, 0x9F4A,   0x8E,
                                       0x9F66, 0x9F69, 0x8A,   0x91,   0x71, 0xFF8102, 0xFF8103 };
    size_t size = 0;
    for (; count && size + 320 < most; count--) {
        const struct cemv_tag_row *info = once_in(2) ? tag_row_of(common[below(21)]) : tag_row_at(below(TAG_ROWS));
        static const uint32_t unknown[] = { 0x9F7B,   0x5F58,   0x9F00,   0x5F00,   0xBF61,  0xDF73,
                                            0x9F811B, 0xDF8138, 0xDF8308, 0xBF8105, 0x9F8222 };
        uint32_t tag = once_in(12) ? unknown[below(11)] : info->tag;
        uint8_t value[300] = { 0 };
        size_t length = info->max == 255 && once_in(8) ? below(300)
                      : info->max > info->min
                          ? info->min + below((uint32_t)(info->max - info->min > 20 ? 20 : info->max - info->min + 1))
                          : info->min;
        if (once_in(12)) length = below(5) ? length + 1 : 0;
        if (length > 300) length = 300;
        fill_random(value, length);
        if (once_in(12)) out[size++] = flag() ? 0 : 0xFF;
        if (depth < 9 && once_in(10)) {
            static const uint32_t templates[] = { 0x70, 0x77, 0xA5, 0x61, 0x73, 0xBF0C, 0x6F };
            uint8_t inner[700];
            const size_t used = random_list(inner, sizeof inner - 400, 1 + below(2), depth + 1);
            size += put_object(out + size, templates[below(7)], inner, used);
        } else size += put_object(out + size, tag, value, length);
    }
    if (size && once_in(20)) size -= 1 + below(2) % size;
    return size;
}

static void stores(void)
{
    static struct cemv_store store;
    static struct cemv_store_entry entries[CEMV_STORE_ENTRIES];
    uint8_t list[1600] = { 0 }, out[260] = { 0 }, wrapped[1620] = { 0 };
    memset(&store, 0xA5, sizeof store);
    cemv_store_clear(&store, flag() ? tags_of(2) : tags_of(3), (uint8_t)below(8));
    store.reserved = (uint16_t)(flag() ? below(CEMV_MAX_ISSUER_DATA + 1) : 0);
    const size_t end = (size_t)CEMV_STORE_ARENA - store.reserved;
    for (unsigned steps = 1 + below(10); steps && !violation; steps--) {
        const uint16_t slot = (uint16_t)(once_in(24) ? CEMV_SLOT_NONE : below(CEMV_SLOT_COUNT + store.tags->count));
        const unsigned what = below(13);
        const bool full = once_in(24);
        size_t size = random_list(list, sizeof list, full ? 20 : below(5), 0), made = 0;
        cemv_bytes given = { list, size };
        struct cemv_span span = { 0, 0 };
        note(what);
        if (what < 3)
            note(cemv_store_put(&store, slot, (cemv_bytes){ list, once_in(6) ? 0 : below(full ? 1500 : 12) },
                                (uint8_t)(4 + below(2))));
        else if (what == 3) note(cemv_store_put_list(&store, given, (uint8_t)(4 + below(2))));
        else if (what == 4) {
            struct cemv_store fresh;
            memset(entries, 0, sizeof entries);
            if (once_in(3)) {
                size = put_object(list, 0x9F1A, (const uint8_t *)"\2\x76", 2);
                size += put_object(list + size, flag() ? 0x9F35 : 0x9F1A, (const uint8_t *)"\x22\1", flag() ? 1 : 2);
                given.size = size;
            }
            const size_t count = cemv_store_prepare_list(store.tags, given, entries);
            note(count);
            for (size_t i = 0; i < count; i++) {
                note(entries[i].slot);
                note(entries[i].offset);
                note(entries[i].size);
                note(entries[i].provenance);
                note(entries[i].covered);
            }
            cemv_store_clear(&fresh, store.tags, store.reading);
            if (count == 0 || !cemv_store_load_list(&fresh, given, entries, count)) continue;
            struct cemv_store plain;
            cemv_store_clear(&plain, store.tags, store.reading);
            holds(cemv_store_put_list(&plain, given, CEMV_FROM_TERMINAL) == CEMV_STORE_OK,
                  "a prepared list can be put");
            for (uint16_t i = 0; i < CEMV_SLOT_END; i++)
                holds(cemv_bytes_equal(cemv_store_value(&plain, i), cemv_store_value(&fresh, i)) &&
                          cemv_store_provenance(&plain, i) == cemv_store_provenance(&fresh, i),
                      "loaded is as put");
            note_store(&fresh);
        } else if (what < 7) {
            static const uint32_t templates[] = { 0, 0x70, 0x77 };
            const unsigned t = below(3);
            size_t used = t ? put_object(wrapped, once_in(16) ? 0x6F : templates[t], list, size)
                            : (memcpy(wrapped, list, size), size);
            if (once_in(16)) wrapped[used++] = 0;
            note(cemv_store_template(&store, templates[t], (cemv_bytes){ wrapped, used }));
        } else if (what < 10) {
            size_t used = put_object(wrapped, once_in(16) ? 0x77 : 0x70, list, size);
            if (once_in(16)) {
                used++;
                wrapped[used - 1] = byte();
            }
            note(cemv_store_record(&store, (cemv_bytes){ wrapped, used }, flag(), flag()));
        } else if (what == 10) {
            note(cemv_store_card(&store, slot, (cemv_bytes){ list, below(8) }));
            note(cemv_store_keep(&store, (cemv_bytes){ list, below(full ? 1600 : 10) }, &span));
            note(span.at);
        } else if (what == 11) {
            uint8_t dol[40];
            size_t used = 0;
            for (unsigned i = below(7); i; i--) {
                used += cemv_tag_write(
                    dol + used, cemv_tag_row_at(store.tags, once_in(3)    ? below(CEMV_SLOT_COUNT + store.tags->count)
                                                            : store.count ? store.entry[below(store.count)].slot
                                                                          : 5)
                                    ->tag);
                dol[used++] = (uint8_t)below(once_in(6) ? 256 : 12);
            }
            memset(out, 0xEE, sizeof out);
            const size_t capacity = once_in(4) ? below(40) : 252;
            const bool built = cemv_store_build_dol(&store, (cemv_bytes){ dol, used }, flag(), out, capacity, &made);
            note(built);
            if (built) note_bytes((cemv_bytes){ out, made });
            for (size_t i = capacity; i < sizeof out; i++) holds(out[i] == 0xEE, "a list of values fits its room");
        } else {
            cemv_store_set_provenance(&store, slot, CEMV_FROM_CARD_DYNAMIC);
            if (flag()) cemv_store_vouch_static(&store);
            if (slot < CEMV_SLOT_END) {
                struct cemv_writer writer = cemv_writer_open(out, below(100));
                cemv_store_export(&store, slot, &writer);
                note(writer.size);
                note_bytes((cemv_bytes){ out, writer.size });
            }
            const size_t asked = once_in(2) ? end - store.high + below(3) - 1 : below(4000);
            const uint8_t *spare = asked < 4000 ? cemv_store_spare(&store, asked) : NULL;
            note(spare != NULL);
            if (spare)
                holds(spare + asked == store.arena + end && (size_t)(spare - store.arena) >= store.used,
                      "the spare part is the end");
        }
        holds(store.used <= end, "what is kept ends before what is reserved");
        for (size_t i = end; i < CEMV_STORE_ARENA; i++) holds(store.arena[i] == 0xA5, "what is reserved stays");
        note_store(&store);
    }
}

static void locators(void)
{
    static struct cemv_store store;
    struct cemv_afl afl;
    struct cemv_record_id id;
    uint8_t locator[24];
    bool repeated = false;
    const size_t count = 1 + below(5);
    cemv_store_clear(&store, &no_tags, 0);
    for (size_t i = 0; i < count; i++) {
        locator[4 * i] = (uint8_t)((once_in(12) ? below(32) : 1 + below(4)) << 3 | (once_in(24) ? below(8) : 0));
        locator[4 * i + 1] = (uint8_t)below(5);
        locator[4 * i + 2] = (uint8_t)(locator[4 * i + 1] + below(4) - (once_in(12) ? 1 : 0));
        locator[4 * i + 3] = (uint8_t)below(4);
        if (once_in(24)) {
            locator[4 * i + 1] = 0xFE;
            locator[4 * i + 2] = 0xFF;
        }
    }
    cemv_store_put(&store, CEMV_SLOT_94, (cemv_bytes){ locator, 4 * count - once_in(24) }, CEMV_FROM_TERMINAL);
    const bool open = cemv_afl_open(&afl, &store, (uint8_t)below(16), &repeated);
    note(open);
    if (!open) return;
    note(repeated);
    for (unsigned i = 0; i < 300 && cemv_afl_next(&afl, &store, &id); i++)
        note((uint64_t)id.sfi << 16 | (uint64_t)id.number << 8 | id.is_signed);
}

/* ---- Entry Point ---- */

static void directories(void)
{
    static struct cemv_entry entry;
    static struct cemv_combination rows[5];
    static const struct {
        const char *name;
        size_t size;
    } names[] = { { "\xA0\0\0\0\3\x10\x10", 7 },
                  { "\xA0\0\0\0\4\x10\x10", 7 },
                  { "\xA0\0\0\0\3", 5 },
                  { "\xA0\0\0\0\4\x30\x60", 7 },
                  { "\xA0\0\0\0\3\x10\x10\2", 8 } };
    static const char *const preferred[] = { "\5\xA0\0\0\0\4", "\7\xA0\0\0\0\3\x10\x10\5\xA0\0\0\0\4" };
    uint8_t body[1200] = { 0 }, inner[1000] = { 0 };
    struct cemv_configuration configuration = { .combinations = rows, .combination_count = 1 + below(5) };
    for (size_t i = 0; i < 5; i++) {
        const size_t name = below(5);
        rows[i] = (struct cemv_combination){ .aid = { (const uint8_t *)names[name].name, names[name].size },
                                             .kernel_id = { (uint8_t)(2 + below(3)) },
                                             .kernel_id_size = 1,
                                             .extended_selection = once_in(3) };
        if (once_in(6)) {
            memcpy(rows[i].kernel_id, "\x83\x02\x08\x40", 4);
            rows[i].kernel_id[0] = (uint8_t)(below(4) << 6 | 2 | below(2));
            rows[i].kernel_id_size = (uint8_t)(1 + 2 * below(2) + below(2));
        }
    }
    memset(&entry, 0, sizeof entry);
    entry.configuration = &configuration;
    entry.allowed = once_in(4) ? below(32) : 31;
    if (once_in(3)) entry.preferred = (cemv_bytes){ (const uint8_t *)preferred[0], 6 };
    else if (flag()) entry.preferred = (cemv_bytes){ (const uint8_t *)preferred[1], 14 };
    size_t size = 0;
    for (unsigned i = below(once_in(12) ? 24 : 6); i && size < 850; i--) {
        uint8_t at[80] = { 0 }, value[20] = { 0 };
        size_t used = 0;
        const size_t name = below(5), extra = once_in(3) ? below(10) : 0;
        memcpy(value, names[name].name, names[name].size);
        fill_random(value + names[name].size, extra);
        if (!once_in(12))
            used += put_object(at + used, 0x4F, value, once_in(16) ? below(18) : names[name].size + extra);
        fill_random(value, sizeof value);
        if (!once_in(4)) {
            value[0] = (uint8_t)(once_in(8) ? byte() : below(17));
            used += put_object(at + used, 0x87, value, once_in(16) ? below(3) : 1);
        }
        if (once_in(3)) {
            value[0] = (uint8_t)(once_in(3) ? byte() : 2 + below(3));
            value[1] = 2;
            value[2] = 8;
            value[3] = 0x40;
            used += put_object(at + used, 0x9F2A, value, once_in(2) ? 1 : below(6));
        }
        if (once_in(4)) used += put_object(at + used, 0x9F29, value, once_in(2) ? 1 + below(3) : below(8));
        if (once_in(12)) used += put_object(at + used, 0x50, value, 3);
        size += put_object(inner + size, once_in(16) ? 0x62 : 0x61, at, used);
    }
    if (once_in(8)) size += put_object(inner + size, 0x9F3E, (const uint8_t *)"\1\2\3", below(4));
    if (once_in(8)) size += put_object(inner + size, 0x9F3F, (const uint8_t *)"\x9F\x1A\2", 3 * below(2));
    uint8_t wrapped[1100] = { 0 };
    size_t used = put_object(wrapped, once_in(24) ? 0xBF0D : 0xBF0C, inner, size);
    used = put_object(body, once_in(24) ? 0xA6 : 0xA5, wrapped, used);
    memmove(wrapped, body, used);
    size_t all = put_object(body, 0x84, (const uint8_t *)"2PAY.SYS.DDF01", 14);
    memmove(body + all, wrapped, used);
    all += used;
    memmove(wrapped, body, all);
    used = put_object(body, once_in(24) ? 0x70 : 0x6F, wrapped, all);
    if (once_in(16)) body[below((uint32_t)used)] = byte();
    const struct cemv_directory directory = cemv_directory_open((cemv_bytes){ body, used });
    note_bytes(directory.entries);
    note_bytes(directory.categories);
    note_bytes(directory.sdol);
    note(directory.has_sdol);
    cemv_candidates_build(&entry, &directory);
    note(entry.candidate_count);
    note(entry.candidates_dropped);
    note(entry.had_candidates);
    for (size_t i = 0; i < entry.candidate_count; i++) {
        const struct cemv_candidate *c = &entry.candidates[i];
        note(c->row);
        note(c->position);
        note(c->priority);
        note(c->preference);
        note_bytes((cemv_bytes){ c->name, c->name_size });
    }
    while (entry.candidate_count) {
        const uint8_t best = cemv_candidates_best(&entry);
        note(best);
        cemv_candidates_remove(&entry, once_in(4) ? (uint8_t)below(entry.candidate_count) : best);
    }
    note(cemv_candidates_best(&entry));
    uint8_t id[8];
    fill_random(id, sizeof id);
    id[0] = (uint8_t)(below(4) << 6 | below(5));
    note(cemv_kernel_requested(&rows[0], flag(), (cemv_bytes){ id, below(9) }));
    cemv_bytes list = { id, below(9) }, value;
    uint16_t number = 0;
    bool bad = false;
    id[2] = (uint8_t)below(5);
    while (cemv_idlv_next(&list, &number, &value, &bad)) {
        note(number);
        note_bytes(value);
    }
    note(bad);
}

static void indicators(void)
{
    static const uint8_t types[] = { 0, 1, 9, 0x20 }, program[] = { 1, 2, 3 };
    static struct cemv_entry entry;
    static struct cemv_configuration configuration;
    uint8_t ttq[4], data[12] = { 0 };
    fill_random(ttq, 4);
    if (flag()) ttq[0] |= 8;
    struct cemv_combination row[2];
    struct cemv_transaction sale = { .type = types[below(4)], .amount = once_in(4) ? below(2) : below(12) };
    memset(row, 0, sizeof row);
    memcpy(data, "\x9F\x5A\3\1\2\3", 6);
    if (once_in(3)) data[5] = byte();
    if (flag()) sale.data = (cemv_bytes){ data, 6 };
    for (size_t i = 0; i < 2; i++) {
        row[i] = (struct cemv_combination){ .aid = { program, 3 },
                                            .transaction_types = { types, once_in(2) ? below(5) : 0 },
                                            .zero_amount = (uint8_t)below(3),
                                            .status_check = flag(),
                                            .extended_selection = flag() };
        if (below(3)) row[i].ttq = (cemv_bytes){ ttq, 4 };
        row[i].limits.present = (uint8_t)below(32);
        for (size_t j = 0; j < CEMV_LIMIT_COUNT; j++) row[i].limits.amount[j] = below(12);
        if (once_in(3))
            row[i].own_protection = true, row[i].protection.profile = (uint8_t)below(3),
            row[i].protection.cdcvm_trust = (uint8_t)below(4);
    }
    configuration =
        (struct cemv_configuration){ .combinations = row,
                                     .combination_count = 2,
                                     .protection = { .profile = (uint8_t)below(3), .cdcvm_trust = (uint8_t)below(4) } };
    for (size_t i = 0; i < 4; i++) {
        const struct cemv_indicators in = i < 2 ? cemv_preprocess(&row[i], &sale)
                                                : cemv_entry_indicators(&configuration, &row[i - 2], &sale);
        note(in.status_check_requested);
        note(in.not_allowed);
        note(in.zero_amount);
        note(in.cvm_required_limit_exceeded);
        note(in.floor_limit_exceeded);
        note(in.ttq_present);
        note(in.blocked_by);
        note_bytes((cemv_bytes){ in.ttq, 4 });
    }
    note(cemv_combination_takes(&row[0], sale.type));
    memset(&entry, 0, sizeof entry);
    entry.configuration = &configuration;
    note(cemv_entry_preprocess(&entry, &sale));
    note(entry.allowed);
}

/* ---- parsing for a host ---- */

static void note_digits(struct cemv_digits digits)
{
    note((uint64_t)digits.first << 8 | digits.count);
    for (size_t i = 0; i < digits.count + 1u; i++) note(cemv_digit(digits, i));
    char text[64];
    note(cemv_digits_text(digits, '=', text, once_in(4) ? digits.count + below(2) : sizeof text));
    note(cemv_digits_luhn(digits));
}

static void note_iad(const struct cemv_iad *iad)
{
    note(iad->format);
    note(iad->reason);
    note(iad->layout);
    note(iad->key_index);
    note(iad->version);
    note(iad->session_key);
    note(iad->assumed);
    note(iad->counters_covered);
    note(iad->aes);
    note(iad->algorithm);
    note_bytes(iad->whole);
    note_bytes(iad->cvr);
    note_bytes(iad->dynamic_number);
    note_bytes(iad->counters);
    note_bytes(iad->last_online_atc);
    note_bytes(iad->discretionary);
    note_bytes(iad->rest);
    for (size_t i = 0; i < 3; i++) {
        struct cemv_offline_counter counter = { 0 };
        if (cemv_iad_counter(iad, i, &counter)) {
            note(counter.amount);
            note(counter.number);
        }
    }
}

static void note_fields(uint8_t layout, cemv_bytes bytes)
{
    struct cemv_field_cursor cursor = cemv_field_open(layout, bytes);
    struct cemv_field field;
    note(cemv_layout_size(layout));
    while (cemv_field_next(&cursor, &field))
        note((uint64_t)field.byte << 24 | (uint64_t)field.mask << 16 | (uint64_t)field.meaning << 8 | field.value);
    uint8_t value = 0;
    const uint8_t meaning = (uint8_t)below(CEMV_MEANING_COUNT + 2);
    const bool found = cemv_field_find(layout, bytes, meaning, &value);
    note(found);
    if (found) note(value);
}

static size_t random_iad(uint8_t out[40])
{
    static const uint8_t versions[] = { 0x0A, 0x11, 0x12, 0x22, 0x2B, 0x43, 0x10, 0x14, 0x15,
                                        0x00, 0x01, 0x05, 0x06, 0xA4, 0xA5, 0xA6, 0xA7 };
    static const size_t sizes[] = { 7, 8, 9, 12, 15, 18, 19, 20, 26, 28, 32, 33, 6, 0, 10, 11, 27 };
    fill_random(out, 40);
    if (below(3))
        for (size_t i = 9; i < 40; i++) out[i] = (uint8_t)(below(10) << 4 | below(10));
    const uint8_t heads[] = { 6, 7, 0x1F, 0x0F, 1, (uint8_t)below(256) };
    out[0] = heads[below(6)];
    out[1] = flag() ? versions[below(17)] : byte();
    out[2] = flag() ? versions[below(17)] : byte();
    out[3] = flag() ? (uint8_t)(3 + below(4)) : byte();
    if (out[0] == 0x0F) out[16] = below(8) ? 0x0F : byte();
    size_t size = sizes[below(17)];
    if (once_in(4)) size = below(36);
    if (flag() && size >= 8) out[7] = (uint8_t)(size - 8 + (once_in(6) ? 1 : 0));
    if (once_in(3) && size >= 9) out[8] = (uint8_t)(size - 9);
    return size;
}

static void issuer_data(void)
{
    uint8_t bytes[40] = { 0 };
    struct cemv_iad iad;
    const size_t size = random_iad(bytes);
    const enum cemv_scheme scheme = (enum cemv_scheme)below(CEMV_SCHEME_COUNT + 1);
    note(cemv_iad_read((cemv_bytes){ bytes, size }, scheme, &iad));
    note_iad(&iad);
    note_fields(iad.layout, iad.cvr);
    note_fields((uint8_t)below(CEMV_LAYOUT_COUNT + 1), (cemv_bytes){ bytes, below(12) });
    const uint8_t meaning = (uint8_t)below(CEMV_MEANING_COUNT);
    uint8_t value = 0;
    if (cemv_iad_field(&iad, meaning, &value)) note(value);
    struct cemv_form_factor form;
    if (flag()) bytes[4] &= 0x7F;
    if (flag()) {
        bytes[2] = bytes[3] = 0;
        bytes[5] = '0';
        bytes[6] = '1';
    }
    note(cemv_form_factor_read((cemv_bytes){ bytes, below(3) ? 4 + below(5) : below(36) }, scheme, &form));
    note(form.known);
    note(form.layout);
    note(form.device_present);
    note(form.device[0]);
    note(form.device[1]);
    note(form.country);
    note(form.identifier);
    note_bytes(form.proprietary);
    note_bytes(form.whole);
    static const struct {
        const char *name;
        size_t size;
    } aids[] = { { "\xA0\0\0\0\3\x10\x10", 7 },   { "\xA0\0\0\0\4\x10\x10", 7 },   { "\xA0\0\0\0\x25\1", 6 },
                 { "\xA0\0\0\0\x65\x10\x10", 7 }, { "\xA0\0\0\1\x52\x30\x10", 7 }, { "\xA0\0\0\3\x33\1\1\1", 8 },
                 { "\xA0\0\0\3\x24\x10\x10", 7 }, { "\xA0\0\0\0\5", 5 },           { "\xA0\0\0\0\x98\x08\x40", 7 } };
    const size_t name = below(9);
    memcpy(bytes, aids[name].name, aids[name].size);
    if (once_in(6)) bytes[below(6)] = byte();
    note(cemv_scheme_of_aid((cemv_bytes){ bytes, once_in(4) ? below(8) : aids[name].size }));
    bytes[0] = (uint8_t)below(9);
    note(cemv_scheme_of_kernel((cemv_bytes){ bytes, below(6) ? 1 : below(4) }));
}

static size_t random_track_2(uint8_t out[24])
{
    uint8_t digits[48];
    size_t count = 0;
    for (size_t i = below(8) ? 12 + below(9) : below(21); i; i--) digits[count++] = (uint8_t)below(10);
    if (below(12)) digits[count++] = 0xD;
    if (once_in(8)) digits[count++] = 0xD;
    else
        for (size_t i = 0; i < 4; i++) digits[count++] = (uint8_t)below(10);
    if (once_in(8)) digits[count++] = 0xD;
    else
        for (size_t i = 0; i < 3; i++) digits[count++] = (uint8_t)below(10);
    for (size_t i = below(16); i; i--) digits[count++] = (uint8_t)below(10);
    if (once_in(6)) digits[below((uint32_t)count)] = (uint8_t)below(16);
    if (once_in(6)) count = below((uint32_t)count + 1);
    if (count % 2) digits[count++] = 0xF;
    if (once_in(12) && count + 2 <= 48) {
        digits[count++] = 0xF;
        digits[count++] = 0xF;
    }
    for (size_t i = 0; i < count / 2; i++) out[i] = (uint8_t)(digits[2 * i] << 4 | digits[2 * i + 1]);
    return count / 2;
}

static size_t random_track_1(uint8_t out[90])
{
    size_t size = 0;
    out[size++] = once_in(12) ? 'A' : 'B';
    for (size_t i = below(8) ? 13 + below(8) : below(21); i; i--) out[size++] = (uint8_t)('0' + below(10));
    if (below(12)) out[size++] = '^';
    for (size_t i = below(8) ? 2 + below(26) : below(29); i; i--) out[size++] = (uint8_t)(" /ABCXYZ"[below(8)]);
    if (below(12)) out[size++] = '^';
    if (once_in(8)) out[size++] = '^';
    else
        for (size_t i = 0; i < 4; i++) out[size++] = (uint8_t)('0' + below(10));
    if (once_in(8)) out[size++] = '^';
    else
        for (size_t i = 0; i < 3; i++) out[size++] = (uint8_t)('0' + below(10));
    for (size_t i = below(20); i; i--) out[size++] = (uint8_t)('0' + below(10));
    if (once_in(6)) out[below((uint32_t)size)] = byte();
    if (once_in(6)) size = below((uint32_t)size + 1);
    return size > 78 ? 78 : size;
}

static void tracks(void)
{
    uint8_t one[90] = { 0 }, two[24] = { 0 }, cn[12];
    struct cemv_track2 track2;
    struct cemv_track1 track1;
    const size_t size2 = random_track_2(two), size1 = random_track_1(one);
    note(cemv_track2_read((cemv_bytes){ two, size2 }, &track2));
    note(track2.error);
    note_digits(track2.all);
    note_digits(track2.pan);
    note_digits(track2.expiry);
    note_digits(track2.service_code);
    note_digits(track2.discretionary);
    note(cemv_track1_read((cemv_bytes){ one, size1 }, &track1));
    note(track1.error);
    note_bytes(track1.all);
    note_bytes(track1.pan);
    note_bytes(track1.name);
    note_bytes(track1.expiry);
    note_bytes(track1.service_code);
    note_bytes(track1.discretionary);
    memcpy(cn, two, 12);
    if (once_in(3)) cn[below(12)] = byte();
    if (flag() && track2.pan.count % 2 && track2.pan.count / 2 < 12) cn[track2.pan.count / 2] |= 15;
    const struct cemv_digits digits =
        cemv_digits_of_cn((cemv_bytes){ cn, flag() ? (track2.pan.count + 1u) / 2 : below(13) });
    note_digits(digits);
    note(cemv_digits_equal(digits, track2.pan));
    note(cemv_digits_equal(track2.pan, digits));
}

static size_t random_record(uint8_t *out)
{
    uint8_t value[90] = { 0 }, iad[40];
    size_t size = 0;
    static const struct {
        uint32_t tag;
        size_t size;
    } fields[] = {
        { 0x5F2A, 2 }, { 0x82, 2 },    { 0x95, 5 },   { 0x9A, 3 },     { 0x9C, 1 },     { 0x9F02, 6 }, { 0x9F1A, 2 },
        { 0x9F26, 8 }, { 0x9F27, 1 },  { 0x9F36, 2 }, { 0x9F37, 4 },   { 0x9F34, 3 },   { 0x5F34, 1 }, { 0x84, 7 },
        { 0x9F03, 6 }, { 0x9F33, 3 },  { 0x9F35, 1 }, { 0x9F6E, 6 },   { 0x9F09, 2 },   { 0x9F1E, 8 }, { 0x9F41, 4 },
        { 0x9F53, 1 }, { 0x9F24, 29 }, { 0x9F19, 6 }, { 0x9F7C, 20 },  { 0x9F21, 3 },   { 0x9F06, 7 }, { 0x9F67, 4 },
        { 0x9F08, 2 }, { 0x9F0A, 3 },  { 0x5F24, 3 }, { 0x9F8106, 8 }, { 0x9F8109, 4 }, { 0xDF7E, 3 }, { 0x9F63, 200 },
    };
    const bool complete = below(3) != 0;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (complete && i < 17 ? once_in(40) : once_in(3)) continue;
        size_t length = once_in(30) ? below(10) : fields[i].size == 200 ? below(120) : fields[i].size;
        if (fields[i].tag == 0x9F63) {
            uint8_t more[200] = { 0 };
            fill_random(more, length);
            if (once_in(6)) length += 60;
            size += put_object(out + size, fields[i].tag, more, length);
            continue;
        }
        fill_random(value, length);
        if (fields[i].tag == 0x5F34) value[0] = (uint8_t)(once_in(6) ? byte() : below(10) << 4 | below(10));
        if (fields[i].tag == 0x84) {
            memcpy(value, "\xA0\0\0\0\3\x10\x10", 7);
            value[4] = (uint8_t)(3 + below(3));
        }
        if (fields[i].tag == 0x5F24) {
            value[0] = 0x49;
            value[1] = 0x12;
            value[2] = 0x31;
        }
        size += put_object(out + size, fields[i].tag, value, length);
    }
    const size_t iad_size = random_iad(iad);
    if (!once_in(6)) size += put_object(out + size, 0x9F10, iad, iad_size);
    if (once_in(2)) {
        const size_t two = random_track_2(value);
        size += put_object(out + size, once_in(4) ? 0x9F6B : 0x57, value, two);
        if (flag()) size += put_object(out + size, 0x5A, value, once_in(2) ? 8 : below(11));
    }
    if (once_in(4)) {
        const size_t one = random_track_1(value);
        size += put_object(out + size, 0x56, value, one);
    }
    if (once_in(8)) size += put_object(out + size, 0x9F27, value, 1);
    return size;
}

static void chips(void)
{
    static struct cemv_chip chip;
    static struct cemv_extract e;
    static uint8_t list[2][3000], out[1200];
    cemv_chip_clear(&chip);
    const size_t lists = 1 + once_in(4);
    for (size_t i = 0; i < lists; i++) {
        size_t size = random_record(list[i]);
        if (once_in(12)) size = below((uint32_t)size + 1);
        note(cemv_chip_add(&chip, (cemv_bytes){ list[i], size }));
    }
    if (once_in(4))
        cemv_chip_add_value(&chip, once_in(2) ? 0x9F26 : 0xDF70 + below(8), (cemv_bytes){ list[0], below(9) });
    note(chip.error);
    note(chip.lists);
    note(chip.count);
    note(chip.overflowed);
    for (size_t i = 0; i < chip.count; i++) {
        note(chip.object[i].tag);
        note(chip.object[i].list);
        note_bytes(chip.object[i].value);
        note_bytes(cemv_chip_value(&chip, chip.object[i].tag));
    }
    note_bytes(cemv_chip_value(&chip, 0xDF7E));
    note_bytes(cemv_chip_value(&chip, 0xDF7D));
    cemv_chip_extract(&chip, (enum cemv_scheme)below(CEMV_SCHEME_COUNT), &e);
    note(e.scheme);
    note(e.mode);
    note(e.cid_present);
    note(e.type_known);
    note(e.cid);
    note(e.type);
    note(e.atc_present);
    note(e.sequence_present);
    note(e.sequence);
    note(e.atc);
    note(e.cvm_present);
    note_bytes((cemv_bytes){ e.cvm, 3 });
    note(e.pan_mismatch);
    note(e.expiry_mismatch);
    note_bytes(e.cryptogram);
    note_bytes(e.unpredictable_number);
    note_bytes(e.tvr);
    note_bytes(e.par);
    note_iad(&e.iad);
    note(e.track2.error);
    note(e.track1.error);
    note_digits(e.pan);
    note_digits(e.expiry);
    note_digits(e.service_code);
    note(e.form_factor.known);
    note(e.form_factor.layout);
    note_bytes(e.form_factor.whole);
    struct cemv_data_set_entry entries[CEMV_DATA_SET_ENTRIES + 2];
    struct cemv_data_set set = cemv_data_set_of_kernel((uint8_t)below(10));
    note(set.count);
    note(set.limit);
    note(set.leave_out);
    if (once_in(4)) {
        set = (struct cemv_data_set){ entries, once_in(12) ? CEMV_DATA_SET_ENTRIES + below(2) : below(12), 255, false };
        for (size_t i = 0; i < set.count; i++)
            entries[i] = (struct cemv_data_set_entry){ once_in(2) && chip.count ? chip.object[below(chip.count)].tag
                                                       : once_in(16)            ? 0x9F
                                                                                : 0x9F01 + (uint32_t)i,
                                                       (uint8_t)once_in(8) };
        uint32_t tag = 99;
        note(cemv_data_set_check(&set, &tag));
        note(tag);
    }
    set.leave_out = flag();
    memset(out, 0xEE, sizeof out);
    struct cemv_data_set wide = set;
    wide.limit = 0;
    const struct cemv_data_set_result full = cemv_data_set_write(&chip, &wide, out, sizeof out);
    note(full.error);
    note(full.tag);
    note(full.size);
    if (full.error == CEMV_DATA_SET_OK) note_bytes((cemv_bytes){ out, full.size });
    set.limit = once_in(3) ? 0 : once_in(2) && full.size ? full.size - below(3) : 20 + below(300);
    const size_t capacity = once_in(3) && full.size ? full.size - below(3) : once_in(3) ? below(300) : sizeof out;
    memset(out, 0xEE, sizeof out);
    const struct cemv_data_set_result result = cemv_data_set_write(&chip, &set, out, capacity);
    note(result.error);
    note(result.tag);
    note(result.size);
    note(result.left_out);
    if (result.error == CEMV_DATA_SET_OK) note_bytes((cemv_bytes){ out, result.size });
    for (size_t i = capacity; i < sizeof out; i++) holds(out[i] == 0xEE, "field 55 keeps to its room");
    struct cemv_iso_fields fields;
    memset(&fields, 0xEE, sizeof fields);
    cemv_iso_fields_write(&e, (uint8_t)below(12), flag() ? '=' : 'D', &fields);
    note_bytes((cemv_bytes){ (const uint8_t *)&fields, sizeof fields });
    cemv_iso_fields_wipe(&fields);
    for (size_t i = 0; i < sizeof fields; i++) holds(((const uint8_t *)&fields)[i] == 0, "fields are wiped");
    uint8_t input[200];
    fill_random(input, 12);
    memcpy(input + 3, list[0], 190);
    const char *violated = fuzz_cryptogram((cemv_bytes){ input, below(194) });
    if (violated) violation = violated;
}

/* More tags than fit. */
static void crowded_chips(void)
{
    static struct cemv_chip chip;
    const uint8_t value[] = { 1, 2, 3 };
    cemv_chip_clear(&chip);
    const unsigned count = once_in(40) ? CEMV_CHIP_OBJECTS - 1 + below(4) : below(8);
    for (unsigned i = 0; i < count; i++) cemv_chip_add_value(&chip, 0xDF8400 + i, (cemv_bytes){ value, 1 + i % 3 });
    note(chip.count);
    note(chip.overflowed);
    note_bytes(cemv_chip_value(&chip, 0xDF8400 + below(count + 2)));
}

uint64_t random_modules(size_t part, const char **violated)
{
    static void (*const all[])(void) = { writers,    tight_writers, commands, stores, locators,     directories,
                                         indicators, issuer_data,   tracks,   chips,  crowded_chips };
    enum { KINDS = sizeof all / sizeof all[0] };
    state = 0x200B5 + part, sum = SUM_EMPTY, violation = NULL;
    for (unsigned i = 0; i < 400 && !violation; i++) all[part % KINDS]();
    *violated = violation;
    return violation ? 0 : sum | 1;
}
