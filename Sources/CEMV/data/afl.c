/* SPDX-License-Identifier: Apache-2.0 */
/* The Application File Locator (94) as a cursor over records (Book 3, 10.2 and 7.5). Knows no command: the kernel reads
 * the record that the cursor names.
 *
 * The card chooses the locator, so it is checked completely when it is opened: a wrong entry must not be noticed only
 * after other records have been read, and its length must not let a card keep the reader busy. */
#include "data.h"

enum {
    ENTRY_SIZE = 4,
    SFI_MAX = 30,
};

/* One entry: SFI, first and last record, and the number of signed records beginning with the first. */
struct afl_entry {
    uint8_t sfi, first, last, signed_count;
};

/* Bits 3-1 of the first byte are RFU and ignored. */
static struct afl_entry entry_at(const uint8_t *at)
{
    return (struct afl_entry){ .sfi = at[0] >> 3, .first = at[1], .last = at[2], .signed_count = at[3] };
}

static unsigned record_count(struct afl_entry entry) { return (unsigned)entry.last - entry.first + 1u; }

static bool entry_is_valid(struct afl_entry entry)
{
    return entry.sfi != 0 && entry.sfi <= SFI_MAX && entry.first != 0 && entry.last >= entry.first &&
           entry.signed_count <= record_count(entry);
}

/* True if two entries share a record. Outside profile `book`, kernels refuse such a locator (attacks.md, A18). */
static bool entries_meet(struct afl_entry a, struct afl_entry b)
{
    return a.sfi == b.sfi && a.first <= b.last && b.first <= a.last;
}

bool cemv_afl_open(struct cemv_afl *afl, const struct cemv_store *store, uint8_t max_records, bool *repeated)
{
    const struct cemv_store_entry *held = cemv_store_find(store, CEMV_SLOT_94);
    unsigned records = 0;

    *afl = (struct cemv_afl){ 0 };
    *repeated = false;
    if (held == NULL || held->size == 0 || held->size % ENTRY_SIZE != 0) return false;

    /* Every entry has at least one record, so `max_records` bounds both loops. */
    const uint8_t *const list = store->arena + held->offset;
    bool meets = false;
    for (size_t i = 0; i < held->size; i += ENTRY_SIZE) {
        const struct afl_entry entry = entry_at(list + i);
        if (!entry_is_valid(entry)) return false;
        records += record_count(entry);
        if (records > max_records) return false;
        for (size_t j = 0; j < i; j += ENTRY_SIZE) meets = meets || entries_meet(entry_at(list + j), entry);
    }
    *repeated = meets;
    afl->at = held->offset;
    afl->end = (uint16_t)(held->offset + held->size);
    return true;
}

/* The cursor refers to the locator in the store by offset, so that it can be copied with the session. */
bool cemv_afl_next(struct cemv_afl *afl, const struct cemv_store *store, struct cemv_record_id *id)
{
    if (afl->at == afl->end) return false;

    const struct afl_entry entry = entry_at(store->arena + afl->at);
    if (afl->next == 0) {
        afl->next = entry.first;
        afl->signed_left = entry.signed_count;
    }
    *id = (struct cemv_record_id){ .sfi = entry.sfi, .number = afl->next, .is_signed = afl->signed_left != 0 };
    if (afl->signed_left != 0) afl->signed_left--;
    if (afl->next == entry.last) {
        afl->at = (uint16_t)(afl->at + ENTRY_SIZE);
        afl->next = 0;
    } else {
        afl->next++;
    }
    return true;
}
