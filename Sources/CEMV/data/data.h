/* SPDX-License-Identifier: Apache-2.0 */
/* The module data/: tags, the tag store and the file locator (Book 3: Annexes A and B, 10.2). Knows no command in
 * flight and no kernel: a kernel's own tags come as a table. */
#ifndef CEMV_DATA_H
#define CEMV_DATA_H

#include "../wire/wire.h"
#include "../include/cemv_tags.h"
#include "tags.h"

/* Where a datum came from, and what vouches for it. Ordered: more is more trusted, terminal apart. */
enum cemv_provenance {
    CEMV_FROM_CARD = 1,         /* in the clear */
    CEMV_FROM_CARD_STATIC = 2,  /* in a record covered by verified static data, or the AIP named by 9F4A */
    CEMV_FROM_CARD_DYNAMIC = 3, /* inside a dynamic signature verified in this presentment */
    CEMV_FROM_ISSUER = 4,       /* the online answer */
    CEMV_FROM_TERMINAL = 5,     /* configuration, transaction or kernel: a card never overwrites it */
};

/* Named limits of one presentment. */
#define CEMV_STORE_ARENA   3584 /* bytes of terminal data, responses and records kept */
#define CEMV_STORE_ENTRIES 128  /* data objects indexed */
#define CEMV_STORE_SPANS   32   /* runs of signed records; 64 records cannot make more */

enum cemv_store_error {
    CEMV_STORE_OK = 0,
    CEMV_STORE_MALFORMED = 1,    /* not BER-TLV, nested too deep, or not the expected template */
    CEMV_STORE_DUPLICATE = 2,    /* refused by the rule in force */
    CEMV_STORE_BAD_LENGTH = 3,   /* outside the dictionary's bounds */
    CEMV_STORE_FULL = 4,         /* arena or index */
    CEMV_STORE_TERMINAL_TAG = 5, /* the card brought a datum it does not own (only where refused) */
};

/* Bytes in the arena of a store: a place and no pointer, so that a copy of the session has its own. */
struct cemv_span {
    uint16_t at, size;
};
struct cemv_store_entry {
    uint16_t slot;   /* of `tags` */
    uint16_t offset; /* of the value, in the arena */
    uint16_t size;
    uint8_t provenance; /* enum cemv_provenance */
    uint8_t covered;    /* lies in a signed record (provenance follows when the chain verifies); of terminal data: its
                         * bytes are still referred to, and not written over */
};
struct cemv_store {
    const struct cemv_tags *tags; /* of the kernel that reads */
    uint16_t used;                /* bytes of the arena */
    uint16_t high;                /* the most there were since the store was cleared */
    uint16_t reserved;            /* bytes at the end of the arena that stay as they are; 0 when the store is cleared */
    uint8_t count;                /* entries */
    uint8_t span_count;
    uint8_t reading;             /* enum cemv_reading bits */
    bool terminal_tag_from_card; /* one was ignored */
    bool spans_overflowed;
    uint8_t place; /* enum cemv_template of what is read, where what belongs elsewhere is unknown; else 0 */
    uint8_t index[CEMV_SLOT_END]; /* entry number + 1; 0 = absent */
    struct cemv_store_entry entry[CEMV_STORE_ENTRIES];
    struct cemv_span span[CEMV_STORE_SPANS];
    uint8_t arena[CEMV_STORE_ARENA];
};

/* An empty store of a kernel with these tags of its own, read as `reading` says (enum cemv_reading). Touches the index
 * and counters only. */
void cemv_store_clear(struct cemv_store *store, const struct cemv_tags *tags, uint8_t reading);

/* Terminal, kernel or issuer data: replaces what is there; an empty value removes it. False if full or the slot is
 * CEMV_SLOT_NONE. */
bool cemv_store_put(struct cemv_store *store, uint16_t slot, cemv_bytes value, uint8_t provenance);
/* Terminal data by tag; false if full. Where the number is the card's, or unknown, it is another kernel's and left out.
 */
bool cemv_store_put_tag(struct cemv_store *store, uint32_t tag, cemv_bytes value);
/* One byte of terminal data. */
bool cemv_store_put_u8(struct cemv_store *store, uint16_t slot, uint8_t value);
/* The objects of a list that a terminal wrote: as a TLV cursor, but FF81xx (Kernel 2) are tags there and not filler. */
bool cemv_list_next(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object);
bool cemv_list_find(cemv_bytes list, uint32_t tag, struct cemv_tlv *object);
/* The entries that cemv_store_put_list() would make of a list of terminal data, at most CEMV_STORE_ENTRIES, their
 * offsets counted from the list. Prepared once, they are loaded with the list into an empty store at the price of a
 * copy. Zero if the list cannot be prepared; then it is put. */
size_t cemv_store_prepare_list(const struct cemv_tags *tags, cemv_bytes list, struct cemv_store_entry *entries);
bool cemv_store_load_list(struct cemv_store *store, cemv_bytes list, const struct cemv_store_entry *entries,
                          size_t count);
/* Each data object of a TLV list; the last of a tag wins. From the terminal, what the kernel does not know or knows
 * otherwise (as the card's, or with other lengths) is another kernel's and left out; from the issuer all but its own
 * tags, and their lengths are checked. Not atomic. Repeated scripts keep only the last: walk the raw list for those. */
enum cemv_store_error cemv_store_put_list(struct cemv_store *store, cemv_bytes list, uint8_t provenance);

/* Card data: keeps `bytes` (a whole response body or record) in the arena and indexes every known primitive object
 * below the outermost template `tag` (0: a bare list of objects). Empty values count as absent; with
 * CEMV_READING_REFUSE_TERMINAL_TAGS an empty object that is not the card's, or stands beside a value, is refused like
 * any other. Nested templates are walked; 61 and 73 with CEMV_READING_IDENTICAL_DUPLICATES alone. A refused response
 * leaves the store as it was, but with that reading what stands before the refused object. `signed_record`: the record
 * enters static data, with the filler beside its template; SFI 11-30 keeps tag 70 and its length (`whole`), SFI 1-10
 * leaves them out (Book 3, 10.3): what is hashed is what is kept. */
enum cemv_store_error cemv_store_template(struct cemv_store *store, uint32_t tag, cemv_bytes bytes);
enum cemv_store_error cemv_store_record(struct cemv_store *store, cemv_bytes bytes, bool signed_record, bool whole);
/* The first object of a record has tag 70, filler before it or not (Book 3, Annex B1). What begins otherwise, in a file
 * of SFI 11-30, is its owner's. */
bool cemv_record_has_template(cemv_bytes record);
/* The same, where objects that do not belong into a record are unknown, as often as they come: what another command
 * gave stays what it is (Book 3, 7.5, Table 37). They are hashed with the rest. */
enum cemv_store_error cemv_store_record_in_place(struct cemv_store *store, cemv_bytes bytes, bool signed_record,
                                                 bool whole);
/* One card datum given by position rather than by tag (GPO format 1). The same rules. */
enum cemv_store_error cemv_store_card(struct cemv_store *store, uint16_t slot, cemv_bytes value);

/* The last `size` bytes of the arena before those reserved, as long as nothing that was stored has reached them since
 * the store was cleared; NULL from then on. */
uint8_t *cemv_store_spare(struct cemv_store *store, size_t size);

/* Bytes of the arena that are free. */
static inline size_t cemv_store_left(const struct cemv_store *store)
{
    return (size_t)CEMV_STORE_ARENA - store->reserved - store->used;
}
/* Keeps bytes in the arena without indexing them. False if full; then `span` stays as it is. */
bool cemv_store_keep(struct cemv_store *store, cemv_bytes bytes, struct cemv_span *span);
static inline cemv_bytes cemv_span_bytes(const struct cemv_store *store, struct cemv_span span)
{
    return (cemv_bytes){ store->arena + span.at, span.size };
}
/* The place of bytes that lie in the arena; of those that a cursor over such bytes has not read. */
static inline struct cemv_span cemv_span_of(const struct cemv_store *store, cemv_bytes bytes)
{
    return (struct cemv_span){ (uint16_t)(bytes.data - store->arena), (uint16_t)bytes.size };
}
static inline struct cemv_span cemv_span_left(const struct cemv_store *store, const struct cemv_tlv_cursor *cursor)
{
    return cemv_span_of(store, (cemv_bytes){ cursor->at, (size_t)(cursor->end - cursor->at) });
}

static inline const struct cemv_store_entry *cemv_store_find(const struct cemv_store *store, uint16_t slot)
{
    uint8_t number = slot < CEMV_SLOT_END ? store->index[slot] : 0;
    return number ? &store->entry[number - 1] : NULL;
}
static inline bool cemv_store_has(const struct cemv_store *store, uint16_t slot)
{
    return cemv_store_find(store, slot) != NULL;
}
/* The value, or empty bytes. */
static inline cemv_bytes cemv_store_value(const struct cemv_store *store, uint16_t slot)
{
    const struct cemv_store_entry *entry = cemv_store_find(store, slot);
    cemv_bytes none = { NULL, 0 };
    if (!entry) return none;
    cemv_bytes value = { store->arena + entry->offset, entry->size };
    return value;
}
uint8_t cemv_store_provenance(const struct cemv_store *store, uint16_t slot); /* 0 if absent */
bool cemv_store_from_card(const struct cemv_store *store, uint16_t slot);     /* there, and the card's */
void cemv_store_set_provenance(struct cemv_store *store, uint16_t slot, uint8_t provenance);
/* The chain verified: every covered card datum becomes CEMV_FROM_CARD_STATIC. */
void cemv_store_vouch_static(struct cemv_store *store);
/* The signed records in order, as pieces to hash; returns how many. */
size_t cemv_store_signed(const struct cemv_store *store, cemv_bytes pieces[CEMV_STORE_SPANS]);

/* Values for a DOL: stored values fitted to length by format; others zero-filled (Book 3, 5.4).
 * Answers terminal data only (attacks.md, A23) unless `card_too`; never what only configures a kernel. False if they
 * exceed `capacity` or the list is malformed. */
bool cemv_store_build_dol(const struct cemv_store *store, cemv_bytes dol, bool card_too, uint8_t *out, size_t capacity,
                          size_t *size);
/* Appends tag, length and value to a writer if the datum is present; nothing otherwise. */
void cemv_store_export(const struct cemv_store *store, uint16_t slot, struct cemv_writer *writer);
void cemv_store_export_all(const struct cemv_store *store, const uint16_t *slots, size_t count,
                           struct cemv_writer *writer);
/* Every one is there. */
bool cemv_store_has_all(const struct cemv_store *store, const uint16_t *slots, size_t count);

/* Above it the template of a signed record is hashed too (Book 3, 10.3), and what a record holds without a template is
 * its owner's (6.5.11.4). */
enum { CEMV_LAST_EMV_SFI = 10 };

/* The AFL as a cursor (Book 3, 10.2). */
struct cemv_record_id {
    uint8_t sfi, number;
    bool is_signed;
};
struct cemv_afl {
    uint16_t at, end; /* entries left, in the store's arena */
    uint8_t next;     /* record to read in the entry at `at`; 0 = begin it */
    uint8_t signed_left;
};
/* Opens tag 94 of the store. False if it is no AFL: absent, empty, length not a multiple of 4, SFI 0 or 31, record 0,
 * last below first, more signed than read, or more than `max_records` records in all. `repeated`: an SFI and record
 * number stands twice. */
bool cemv_afl_open(struct cemv_afl *afl, const struct cemv_store *store, uint8_t max_records, bool *repeated);
bool cemv_afl_next(struct cemv_afl *afl, const struct cemv_store *store, struct cemv_record_id *id);

#endif
