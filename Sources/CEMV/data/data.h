/* SPDX-License-Identifier: Apache-2.0 */
/* The module data/: tags, the tag store and the file locator (Book 3: Annexes A and B, 10.2). Knows no command in
 * progress and no kernel: a kernel's own tags are passed as a table. */
#ifndef CEMV_DATA_H
#define CEMV_DATA_H

#include "../wire/wire.h"
#include "../include/cemv_tags.h"
#include "tags.h"

/* The source of a datum and what proves it. Ordered: a higher value is trusted more; data of the terminal are a
 * separate kind. */
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
    CEMV_STORE_DUPLICATE = 2,    /* refused by the active rule */
    CEMV_STORE_BAD_LENGTH = 3,   /* outside the dictionary's bounds */
    CEMV_STORE_FULL = 4,         /* arena or index */
    CEMV_STORE_TERMINAL_TAG = 5, /* the card sent a datum that it does not own (only where refused) */
};

/* A range of bytes in a store's arena: an offset and not a pointer, so that it is valid in a copy of the session
 * too. */
struct cemv_span {
    uint16_t at, size;
};
struct cemv_store_entry {
    uint16_t slot;   /* of `tags` */
    uint16_t offset; /* position of the value in the arena */
    uint16_t size;
    uint8_t provenance; /* enum cemv_provenance */
    /* In a signed record, so that the provenance rises when the chain is verified; for terminal data: its bytes are
     * still referred to and must not be overwritten. */
    uint8_t covered;
};
struct cemv_store {
    const struct cemv_tags *tags; /* tags of the active kernel */
    uint16_t used;                /* used bytes of the arena */
    uint16_t high;                /* the maximum of `used` since the store was cleared */
    uint16_t reserved;            /* bytes at the end of the arena that must not change; 0 when the store is cleared */
    uint8_t count;                /* entries */
    uint8_t span_count;
    uint8_t reading;             /* enum cemv_reading bits */
    bool terminal_tag_from_card; /* a terminal tag from the card was ignored */
    bool spans_overflowed;
    uint8_t place; /* enum cemv_template of the response being read, in which misplaced objects are unknown; else 0 */
    uint8_t index[CEMV_SLOT_END]; /* entry number + 1; 0 = absent */
    struct cemv_store_entry entry[CEMV_STORE_ENTRIES];
    struct cemv_span span[CEMV_STORE_SPANS];
    uint8_t arena[CEMV_STORE_ARENA];
};

/* Empties the store for a kernel with these additional tags and these rules (enum cemv_reading). Writes only the index
 * and the counters. */
void cemv_store_clear(struct cemv_store *store, const struct cemv_tags *tags, uint8_t reading);

/* Stores terminal, kernel or issuer data and replaces an existing value; an empty value removes it. Returns false if
 * the store is full or the slot is CEMV_SLOT_NONE. */
bool cemv_store_put(struct cemv_store *store, uint16_t slot, cemv_bytes value, uint8_t provenance);
/* Stores terminal data by tag; returns false if the store is full. A tag that belongs to the card, or is unknown, is
 * meant for another kernel and is ignored. */
bool cemv_store_put_tag(struct cemv_store *store, uint32_t tag, cemv_bytes value);
/* Stores one byte of terminal data. */
bool cemv_store_put_u8(struct cemv_store *store, uint16_t slot, uint8_t value);
/* The objects of a list that the terminal has written: like a TLV cursor, but FF81xx (Kernel 2) are tags there and not
 * filler. */
bool cemv_list_next(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object);
bool cemv_list_find(cemv_bytes list, uint32_t tag, struct cemv_tlv *object);
/* Prepares the entries that cemv_store_put_list() would make of a list of terminal data, at most CEMV_STORE_ENTRIES,
 * with offsets relative to the list. This is done once; loading the list into an empty store then costs only a copy.
 * Returns zero if the list cannot be prepared; then its objects are stored one by one. */
size_t cemv_store_prepare_list(const struct cemv_tags *tags, cemv_bytes list, struct cemv_store_entry *entries);
bool cemv_store_load_list(struct cemv_store *store, cemv_bytes list, const struct cemv_store_entry *entries,
                          size_t count);
/* Stores each data object of a TLV list; the last one of a tag counts. Of the terminal's objects, those that the kernel
 * does not know or knows differently (as the card's, or with other lengths) are meant for another kernel and ignored.
 * Of the issuer's objects, all but its own tags are ignored, and lengths are checked. Not atomic. Of repeated scripts
 * only the last is stored: read the raw list for those. */
enum cemv_store_error cemv_store_put_list(struct cemv_store *store, cemv_bytes list, uint8_t provenance);

/* Stores card data: keeps `bytes` (a whole response body or record) in the arena and indexes every known primitive
 * object below the outermost template `tag` (0: a plain list of objects). Empty values count as absent. With
 * CEMV_READING_REFUSE_TERMINAL_TAGS an empty object that does not belong to the card, or that already has a value, is
 * refused like any other. Nested templates are entered; 61 and 73 only with CEMV_READING_IDENTICAL_DUPLICATES. A
 * refused response leaves the store unchanged, except that with CEMV_READING_IDENTICAL_DUPLICATES the objects before
 * the refused one are kept. `signed_record`: the record becomes part of the static data, together with filler around
 * its template. For SFI 11-30 tag 70 and its length are kept (`whole`), for SFI 1-10 they are not (Book 3, 10.3): the
 * kept bytes are exactly the hashed bytes. */
enum cemv_store_error cemv_store_template(struct cemv_store *store, uint32_t tag, cemv_bytes bytes);
enum cemv_store_error cemv_store_record(struct cemv_store *store, cemv_bytes bytes, bool signed_record, bool whole);
/* True if the first object of a record has tag 70, with or without filler before it (Book 3, Annex B1). In a file of
 * SFI 11-30 any other beginning is proprietary. */
bool cemv_record_has_template(cemv_bytes record);
/* Like cemv_store_record(), but objects that do not belong in a record are unknown, however often they occur: data from
 * another command are not replaced (Book 3, 7.5, Table 37). They are hashed like the rest. */
enum cemv_store_error cemv_store_record_in_place(struct cemv_store *store, cemv_bytes bytes, bool signed_record,
                                                 bool whole);
/* Stores one card datum that has a position instead of a tag (GPO format 1), by the rules above. */
enum cemv_store_error cemv_store_card(struct cemv_store *store, uint16_t slot, cemv_bytes value);

/* The last `size` bytes of the arena before the reserved ones; NULL once stored data have reached them since the store
 * was cleared. */
uint8_t *cemv_store_spare(struct cemv_store *store, size_t size);

/* The free bytes of the arena. */
static inline size_t cemv_store_left(const struct cemv_store *store)
{
    return (size_t)CEMV_STORE_ARENA - store->reserved - store->used;
}
/* Keeps bytes in the arena without indexing them. Returns false if the arena is full; then `span` is not changed. */
bool cemv_store_keep(struct cemv_store *store, cemv_bytes bytes, struct cemv_span *span);
static inline cemv_bytes cemv_span_bytes(const struct cemv_store *store, struct cemv_span span)
{
    return (cemv_bytes){ store->arena + span.at, span.size };
}
/* The range of bytes in the arena; the second function: of those that a cursor has not read yet. */
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
bool cemv_store_from_card(const struct cemv_store *store, uint16_t slot);     /* present, and from the card */
void cemv_store_set_provenance(struct cemv_store *store, uint16_t slot, uint8_t provenance);
/* Called when the chain is verified: every covered card datum becomes CEMV_FROM_CARD_STATIC. */
void cemv_store_vouch_static(struct cemv_store *store);
/* The signed records in order, as pieces to hash; returns their number. */
size_t cemv_store_signed(const struct cemv_store *store, cemv_bytes pieces[CEMV_STORE_SPANS]);

/* Writes the values for a DOL: stored values fitted to the requested lengths by format, zeros for all others (Book 3,
 * 5.4). Only terminal data are returned (attacks.md, A23) unless `card_too`; data that only configure a kernel never
 * are. Returns false if they exceed `capacity` or the list is malformed. */
bool cemv_store_build_dol(const struct cemv_store *store, cemv_bytes dol, bool card_too, uint8_t *out, size_t capacity,
                          size_t *size);
/* Appends tag, length and value to a writer if the datum is present. */
void cemv_store_export(const struct cemv_store *store, uint16_t slot, struct cemv_writer *writer);
void cemv_store_export_all(const struct cemv_store *store, const uint16_t *slots, size_t count,
                           struct cemv_writer *writer);
/* True if all of them are present. */
bool cemv_store_has_all(const struct cemv_store *store, const uint16_t *slots, size_t count);

/* Above this SFI the template of a signed record is hashed too (Book 3, 10.3), and a record without a template is
 * proprietary (6.5.11.4). */
enum { CEMV_LAST_EMV_SFI = 10 };

/* The AFL as a cursor (Book 3, 10.2). */
struct cemv_record_id {
    uint8_t sfi, number;
    bool is_signed;
};
struct cemv_afl {
    uint16_t at, end; /* remaining entries, in the store's arena */
    uint8_t next;     /* record to read in the entry at `at`; 0: its first */
    uint8_t signed_left;
};
/* Opens tag 94 of the store. Returns false if it is not a valid AFL: absent, empty, length not a multiple of 4, SFI 0
 * or 31, record 0, last below first, more signed records than records, or more than `max_records` records in all.
 * `repeated`: an SFI and record number is listed twice. */
bool cemv_afl_open(struct cemv_afl *afl, const struct cemv_store *store, uint8_t max_records, bool *repeated);
bool cemv_afl_next(struct cemv_afl *afl, const struct cemv_store *store, struct cemv_record_id *id);

#endif
