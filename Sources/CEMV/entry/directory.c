/* SPDX-License-Identifier: Apache-2.0 */
/* The PPSE's directory and the candidate list (Book B, 3.3.1 to 3.3.3.2): the combinations that card and reader have in
 * common, and their order.
 *
 * The directory lists applications by name, with a priority and possibly the requested kernel. A combination of the
 * reader is a candidate for an entry if the name begins with its AID and its kernel is the requested one. The list has
 * a fixed size: if it is full, a better candidate replaces the worst, and this is reported. Sends nothing and knows no
 * kernel except the default numbers of Table 3-6. */
#include "entry.h"

#define TAG_FCI                      0x6F
#define TAG_FCI_PROPRIETARY          0xA5
#define TAG_FCI_ISSUER_DISCRETIONARY 0xBF0C
#define TAG_DIRECTORY_ENTRY          0x61
#define TAG_ADF_NAME                 0x4F
#define TAG_PRIORITY                 0x87
#define TAG_EXTENDED_SELECTION       0x9F29
#define TAG_KERNEL_IDENTIFIER        0x9F2A
#define TAG_CATEGORIES               0x9F3E
#define TAG_SDOL                     0x9F3F

#define PRIORITY_NONE 15 /* 0 and a missing priority rank lowest (B 3.3, 3.3.3.2) */
#define NO_PREFERENCE 0xFF
#define NAME_MIN      5
#define NAME_MAX      16
#define NEWEST_KERNEL 8 /* replaces those of Table 3-6 for every product */

static const cemv_bytes nothing = { NULL, 0 };

/* True if all directory entries can be parsed. Any other object is ignored, whatever it contains (3.3.1, 3.6.1.2). */
static bool entries_are_lists(cemv_bytes entries)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(entries);
    struct cemv_tlv object;
    while (cemv_tlv_next(&cursor, &object))
        if (object.tag == TAG_DIRECTORY_ENTRY && !cemv_tlv_is_list(object.value)) return false;
    return cursor.error == CEMV_WIRE_OK;
}

/* A malformed response has an empty directory and therefore no candidates (3.3.2.4). */
struct cemv_directory cemv_directory_open(cemv_bytes response)
{
    struct cemv_directory directory = { nothing, nothing, nothing, false };
    struct cemv_tlv object;
    cemv_bytes at = response;
    static const uint32_t path[] = { TAG_FCI, TAG_FCI_PROPRIETARY, TAG_FCI_ISSUER_DISCRETIONARY };

    for (size_t i = 0; i < sizeof path / sizeof path[0]; i++) {
        if (!cemv_tlv_find_in_list(at, path[i], &object)) return directory;
        at = object.value;
    }
    if (!entries_are_lists(at)) return directory;
    directory.entries = at;
    if (cemv_tlv_find(at, TAG_CATEGORIES, &object)) directory.categories = object.value;
    directory.has_sdol = cemv_tlv_find(at, TAG_SDOL, &object);
    if (directory.has_sdol) directory.sdol = object.value;
    return directory;
}

/* Table 3-6: the kernel of a product whose directory entry names no kernel. 0: any kernel. */
static uint8_t default_kernel(cemv_bytes aid)
{
    static const struct {
        uint8_t rid[5], kernel;
    } table[] = {
        { { 0xA0, 0x00, 0x00, 0x00, 0x25 }, 4 }, { { 0xA0, 0x00, 0x00, 0x01, 0x52 }, 6 },
        { { 0xA0, 0x00, 0x00, 0x03, 0x24 }, 6 }, { { 0xA0, 0x00, 0x00, 0x00, 0x65 }, 5 },
        { { 0xA0, 0x00, 0x00, 0x00, 0x04 }, 2 }, { { 0xA0, 0x00, 0x00, 0x03, 0x33 }, 7 },
        { { 0xA0, 0x00, 0x00, 0x00, 0x03 }, 3 },
    };
    if (aid.size < sizeof table[0].rid) return 0;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (cemv_memcmp(table[i].rid, aid.data, sizeof table[i].rid) == 0) return table[i].kernel;
    return 0;
}

/* Identifiers are compared completely, including their length. */
static bool serves(const struct cemv_combination *combination, const uint8_t *id, size_t size)
{
    return combination->kernel_id_size == size && cemv_memcmp(combination->kernel_id, id, size) == 0;
}

/* 3.3.2.5 C and D. The first byte of the identifier states its kind: below 80 it is the number of an international
 * kernel; from 80 on it begins a domestic identifier of three bytes. A missing identifier or a zero means the default
 * of Table 3-6. */
bool cemv_kernel_requested(const struct cemv_combination *combination, bool present, cemv_bytes identifier)
{
    if (present && identifier.size > 8) return false;
    if (present && identifier.size >= 3 && serves(combination, identifier.data, identifier.size)) return true;
    if (!present || identifier.size == 0 || (identifier.size == 1 && identifier.data[0] == 0)) {
        uint8_t wanted = default_kernel(combination->aid);
        return wanted == 0 || serves(combination, &wanted, 1);
    }
    if (identifier.data[0] < 0x80) return identifier.data[0] == 0 || serves(combination, identifier.data, 1);
    if (identifier.size < 3) return false;
    /* If the short kernel identifier is zero, its owner defines the meaning: only the whole value, byte for byte, names
     * a kernel. */
    if ((identifier.data[0] & 0x3F) == 0) return false;
    return serves(combination, identifier.data, 3);
}

/* The parts of one directory entry. Of two objects with one tag, the first counts. */
struct adf {
    cemv_bytes name, extended, kernel;
    bool name_present, extended_present, kernel_present, priority_present;
    uint8_t priority;
};

static void read_part(struct adf *adf, const struct cemv_tlv *object)
{
    if (object->tag == TAG_ADF_NAME && !adf->name_present) {
        adf->name_present = true;
        adf->name = object->value;
    } else if (object->tag == TAG_PRIORITY && !adf->priority_present) {
        adf->priority_present = true;
        if (object->value.size == 1 && (object->value.data[0] & 0x0F)) adf->priority = object->value.data[0] & 0x0F;
    } else if (object->tag == TAG_EXTENDED_SELECTION && !adf->extended_present) {
        adf->extended_present = true;
        adf->extended = object->value;
    } else if (object->tag == TAG_KERNEL_IDENTIFIER && !adf->kernel_present) {
        adf->kernel_present = true;
        adf->kernel = object->value;
    }
}

/* An entry without a usable name is skipped; it does not make the other entries invalid. */
static bool read_adf(cemv_bytes entry, struct adf *adf)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(entry);
    struct cemv_tlv object;
    *adf = (struct adf){ .priority = PRIORITY_NONE };
    while (cemv_tlv_next_inline(&cursor, &object)) read_part(adf, &object);
    return adf->name.size >= NAME_MIN && adf->name.size <= NAME_MAX;
}

static bool begins_with(cemv_bytes name, cemv_bytes aid)
{
    /* Combinations of one scheme differ at the end, so the last byte is compared first. */
    return aid.size && name.size >= aid.size && name.data[aid.size - 1] == aid.data[aid.size - 1] &&
           cemv_memcmp(name.data, aid.data, aid.size) == 0;
}

/* The position of a name in the customer's list of preferred names, which was checked with the transaction. */
static uint8_t preference_of(cemv_bytes preferred, cemv_bytes name)
{
    uint8_t place = 0;
    while (preferred.size != 0 && place < NO_PREFERENCE) {
        const cemv_bytes wanted = { preferred.data + 1, preferred.data[0] };
        if (begins_with(name, wanted)) return place;
        preferred.data += 1 + wanted.size;
        preferred.size -= 1 + wanted.size;
        place++;
    }
    return NO_PREFERENCE;
}

/* True if `a` is more preferred, has a higher priority, or comes earlier in the PPSE (3.3.3.2). */
static bool precedes(const struct cemv_candidate *a, const struct cemv_candidate *b)
{
    if (a->preference != b->preference) return a->preference < b->preference;
    if (a->priority != b->priority) return a->priority < b->priority;
    return a->position < b->position;
}

/* The list is full: its last candidate is removed if the new one is better. */
static bool make_room(struct cemv_entry *entry, const struct cemv_candidate *candidate)
{
    uint8_t last = 0;
    entry->candidates_dropped = true;
    for (uint8_t i = 1; i < entry->candidate_count; i++)
        if (!precedes(&entry->candidates[i], &entry->candidates[last])) last = i;
    if (!precedes(candidate, &entry->candidates[last])) return false;
    cemv_candidates_remove(entry, last);
    return true;
}

/* True for the candidate that went online; used once there is an issuer's answer. */
static bool is_asked(const struct cemv_entry *entry, const struct cemv_candidate *candidate)
{
    const struct cemv_candidate *asked = &entry->candidates[CEMV_CANDIDATE_ASKED];
    return candidate->row == asked->row && candidate->name_size == asked->name_size &&
           cemv_memcmp(candidate->name, asked->name, asked->name_size) == 0;
}

/* A name that exceeds 16 bytes with its extended selection cannot be selected, so it is not a candidate. */
static void add(struct cemv_entry *entry, size_t row, uint8_t position, const struct adf *adf)
{
    const struct cemv_combination *combination = &entry->configuration->combinations[row];
    size_t extended = combination->extended_selection ? adf->extended.size : 0;
    if (adf->name.size + extended > NAME_MAX) return;
    struct cemv_candidate candidate = {
        .row = (uint8_t)row,
        .position = position,
        .priority = adf->priority,
        .preference = preference_of(entry->preferred, adf->name),
        .name_size = (uint8_t)(adf->name.size + extended),
    };
    cemv_copy(candidate.name, adf->name.data, adf->name.size);
    if (extended) cemv_copy(candidate.name + adf->name.size, adf->extended.data, extended);
    if (entry->answered && !is_asked(entry, &candidate)) return;
    if (entry->candidate_count == CEMV_MAX_CANDIDATES && !make_room(entry, &candidate)) return;
    entry->candidates[entry->candidate_count++] = candidate;
}

/* Combines every entry of the directory with every combination that pre-processing has allowed. Entries that offer the
 * newest kernel are remembered, so that a fallback to an older one is noticed (attacks.md, A38). */
void cemv_candidates_build(struct cemv_entry *entry, const struct cemv_directory *directory)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(directory->entries);
    struct cemv_tlv object;
    uint8_t position = 0;

    entry->candidate_count = 0;
    entry->newest = 0;
    while (cemv_tlv_next(&cursor, &object)) {
        struct adf adf;
        if (object.tag != TAG_DIRECTORY_ENTRY) continue;
        if (read_adf(object.value, &adf)) {
            for (size_t row = 0; row < entry->configuration->combination_count; row++) {
                const struct cemv_combination *combination = &entry->configuration->combinations[row];
                if (!((entry->allowed >> row) & 1u)) continue;
                if (!begins_with(adf.name, combination->aid)) continue;
                if (!cemv_kernel_requested(combination, adf.kernel_present, adf.kernel)) continue;
                if (combination->kernel_id_size == 1 && combination->kernel_id[0] == NEWEST_KERNEL)
                    entry->newest |= UINT64_C(1) << row;
                add(entry, row, position, &adf);
            }
        }
        if (position < 0xFF) position++;
    }
    if (entry->candidate_count) entry->had_candidates = true;
}

/* Kernels with an identifier of one byte are the international ones; only these are older or newer. */
bool cemv_candidate_falls_back(const struct cemv_entry *entry)
{
    const struct cemv_candidate *candidate = &entry->candidates[entry->selected];
    const struct cemv_combination *row = entry->configuration->combinations, *own = &row[candidate->row];
    const cemv_bytes name = { candidate->name, candidate->name_size };
    if (own->kernel_id_size != 1 || own->kernel_id[0] >= NEWEST_KERNEL) return false;
    for (uint64_t offered = entry->newest; offered != 0; offered >>= 1, row++)
        if ((offered & 1u) != 0 && begins_with(name, row->aid)) return true;
    return false;
}

/* The list is short, so it is searched instead of sorted. */
uint8_t cemv_candidates_best(const struct cemv_entry *entry)
{
    uint8_t best = 0xFF;
    for (uint8_t i = 0; i < entry->candidate_count; i++) {
        const struct cemv_candidate *candidate = &entry->candidates[i];
        if (best == 0xFF || precedes(candidate, &entry->candidates[best])) best = i;
    }
    return best;
}

/* Keeps the order of the others: of two equal candidates the first configured counts. */
void cemv_candidates_remove(struct cemv_entry *entry, uint8_t index)
{
    if (index >= entry->candidate_count) return;
    entry->candidate_count--;
    for (uint8_t i = index; i < entry->candidate_count; i++) entry->candidates[i] = entry->candidates[i + 1];
}

/* Each item: ID of two bytes, length of one byte, value. */
bool cemv_idlv_next(cemv_bytes *list, uint16_t *id, cemv_bytes *value, bool *bad)
{
    *bad = false;
    if (!list->size) return false;
    if (list->size < 3 || list->data[2] > list->size - 3) {
        *bad = true;
        return false;
    }
    *id = (uint16_t)(list->data[0] << 8 | list->data[1]);
    value->data = list->data + 3;
    value->size = list->data[2];
    list->data += 3 + value->size;
    list->size -= 3 + value->size;
    return true;
}
