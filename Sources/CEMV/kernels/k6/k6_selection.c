/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 6: the FCI, the required entries of its PDOL, and the number of an MS mode (Book C-6 v2.6, 3.1). Pure
 * functions over bytes; they know no store, no command and no state. */
#include "k6.h"

enum {
    APPLICATION_VERSION_SIZE = 2, /* 9F7D */
    NUMBER_MAX = 4,               /* bytes of 9F37 */
};

/* Objects of the FCI, and the entries of the PDOL that the kernel uses: indices of the tables, and bits of the sets. */
enum { NAME, PROPRIETARY, LABEL, PRIORITY, PDOL, ISSUER, VERSION, OBJECTS };
enum { QUALIFIERS, AMOUNT, OTHER, COUNTRY, CURRENCY, DATE, TYPE, NUMBER, ENTRIES };
#define BIT(place) (1u << (place))

enum { BELOW_6F, BELOW_A5, BELOW_BF0C };

/* Flow F3 of the book asks many questions about the FCI in a fixed order, and about some objects whether they are in
 * the wrong template. So the FCI is read once and each object of interest noted with its position; the questions are
 * then answered from the notes. An object is `seen` anywhere, `placed` in its proper template, and `twice` if it occurs
 * more than once anywhere. */
struct fci {
    bool sound;                   /* 84 and A5 are present, and neither is ambiguous */
    bool issuer_sound;            /* BF0C can be read */
    unsigned seen, twice, placed; /* present, more than once, in the proper template */
    cemv_bytes value[OBJECTS];    /* of placed objects; of two, either one */
};

static void note(struct fci *fci, const struct cemv_tlv *object, unsigned level)
{
    static const uint16_t tags[OBJECTS] = {
        [NAME] = CEMV_TAG_84_DF_NAME,
        [PROPRIETARY] = CEMV_TAG_A5_FCI_PROPRIETARY_TEMPLATE,
        [LABEL] = CEMV_TAG_50_APPLICATION_LABEL,
        [PRIORITY] = CEMV_TAG_87_APPLICATION_PRIORITY_INDICATOR,
        [PDOL] = CEMV_TAG_9F38_PDOL,
        [ISSUER] = CEMV_TAG_BF0C_FCI_ISSUER_DISCRETIONARY_DATA,
        [VERSION] = CEMV_TAG_9F7D_APPLICATION_VERSION_NUMBER_K6,
    };
    static const uint8_t levels[OBJECTS] = {
        [NAME] = BELOW_6F, [PROPRIETARY] = BELOW_6F, [LABEL] = BELOW_A5,     [PRIORITY] = BELOW_A5,
        [PDOL] = BELOW_A5, [ISSUER] = BELOW_A5,      [VERSION] = BELOW_BF0C,
    };
    unsigned place = 0;
    while (place < OBJECTS && tags[place] != object->tag) place++;
    if (place == OBJECTS) return;
    const bool placed = levels[place] == level;
    if (place == VERSION && !placed) return; /* F3-1.5: below BF0C only */
    fci->twice |= fci->seen & BIT(place);
    fci->seen |= BIT(place);
    if (!placed) return;
    fci->placed |= BIT(place);
    fci->value[place] = object->value;
}

/* Returns false if the list is cut off. */
static bool read_level(struct fci *fci, const cemv_bytes *list, unsigned level)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(*list);
    struct cemv_tlv object;
    while (cemv_tlv_next(&cursor, &object)) note(fci, &object, level);
    return cursor.error == CEMV_WIRE_OK;
}

static void read_fci(struct fci *fci, cemv_bytes response)
{
    struct cemv_tlv template;
    *fci = (struct fci){ .sound = false };
    if (!cemv_tlv_find_in_list(response, CEMV_TAG_6F_FCI_TEMPLATE, &template)) return;
    fci->sound = read_level(fci, &template.value, BELOW_6F);
    fci->sound &= read_level(fci, &fci->value[PROPRIETARY], BELOW_A5);
    fci->issuer_sound = read_level(fci, &fci->value[ISSUER], BELOW_BF0C);
    if (fci->value[NAME].size == 0 || (fci->placed & BIT(PROPRIETARY)) == 0 || (fci->twice & (BIT(VERSION) - 1)) != 0)
        fci->sound = false;
}

/* True if the object is present, but not in its proper template. */
static bool is_stray(const struct fci *fci, unsigned object) { return (fci->seen & ~fci->placed & BIT(object)) != 0; }

/* 9F7D counts if it has two bytes, occurs once, and its template can be parsed; otherwise it counts as absent
 * (F3-6.11). */
static bool offers_magstripe(const struct fci *fci)
{
    return fci->issuer_sound && (fci->twice & BIT(VERSION)) == 0 &&
           fci->value[VERSION].size == APPLICATION_VERSION_SIZE;
}

struct asked {
    bool sound;          /* the PDOL is present and not cut off */
    bool other_length;   /* an entry requests a length other than its own */
    uint8_t number_size; /* of 9F37; the first entry of a tag counts */
    unsigned present;
    unsigned next; /* the next expected entry: cards mostly use this order */
};

/* Notes an entry of the PDOL. Entries that the kernel does not use are allowed with any length. The entries that it
 * uses must have exactly their own length: otherwise the value would be cut or padded, and the card would compute its
 * cryptogram over another amount. */
static void note_entry(struct asked *asked, uint32_t tag, uint8_t length)
{
    static const uint16_t tags[ENTRIES] = {
        [QUALIFIERS] = CEMV_TAG_9F66_TERMINAL_TRANSACTION_QUALIFIERS,
        [AMOUNT] = CEMV_TAG_9F02_AMOUNT_AUTHORISED,
        [OTHER] = CEMV_TAG_9F03_AMOUNT_OTHER,
        [COUNTRY] = CEMV_TAG_9F1A_TERMINAL_COUNTRY_CODE,
        [CURRENCY] = CEMV_TAG_5F2A_TRANSACTION_CURRENCY_CODE,
        [DATE] = CEMV_TAG_9A_TRANSACTION_DATE,
        [TYPE] = CEMV_TAG_9C_TRANSACTION_TYPE,
        [NUMBER] = CEMV_TAG_9F37_UNPREDICTABLE_NUMBER,
    };
    static const uint8_t sizes[ENTRIES] = {
        [QUALIFIERS] = 4, [AMOUNT] = 6, [OTHER] = 6, [COUNTRY] = 2, [CURRENCY] = 2, [DATE] = 3, [TYPE] = 1,
    };
    unsigned place = asked->next, left = ENTRIES;
    while (left != 0 && tags[place % ENTRIES] != tag) place++, left--;
    place %= ENTRIES;
    if (left == 0 || (asked->present & BIT(place)) != 0) return;
    asked->next = place + 1;
    asked->present |= BIT(place);
    if (place == NUMBER) asked->number_size = length;
    else if (length != sizes[place]) asked->other_length = true;
}

static void read_pdol(struct asked *asked, cemv_bytes pdol)
{
    const uint8_t *at = pdol.data, *const end = cemv_bytes_end(pdol);
    uint32_t tag;
    *asked = (struct asked){ .sound = pdol.size != 0 };
    while (at != end) {
        if (cemv_tag_read(&at, end, &tag) != CEMV_WIRE_OK || at == end) {
            asked->sound = false;
            return;
        }
        note_entry(asked, tag, *at++);
    }
}

/* F3-4: every entry is requested with exactly its length. */
static bool asks_for_all(const struct asked *asked)
{
    return asked->present == BIT(ENTRIES) - 1 && !asked->other_length;
}

/* The common beginning of both flows. The name and the number's length are in the result even if the selection
 * fails. */
static struct k6_selected open_fci(cemv_bytes bytes, struct fci *fci, struct asked *asked)
{
    read_fci(fci, bytes);
    read_pdol(asked, fci->value[PDOL]);
    return (struct k6_selected){ .name = fci->value[NAME], .number_size = asked->number_size };
}

/* Missing objects lead to another interface, whereas a PDOL that requests too little leads to the next application
 * (F3-3, F3-4.9). */
struct k6_selected k6_select_emv(cemv_bytes fci_bytes, bool both_modes)
{
    struct fci fci;
    struct asked asked;
    struct k6_selected selected = open_fci(fci_bytes, &fci, &asked);
    if (!fci.sound || fci.value[LABEL].size == 0 || !asked.sound) { /* F3-3 */
        selected.verdict = K6_OTHER_INTERFACE;
        return selected;
    }
    selected.magstripe = both_modes && offers_magstripe(&fci); /* F3-6.15 to .17; requested by F3-4.8b first */
    const bool short_number = selected.magstripe && selected.number_size == 1;
    if (!asks_for_all(&asked) || (selected.number_size != NUMBER_MAX && !short_number))
        selected.verdict = K6_SELECT_NEXT; /* F3-4.9 */
    return selected;
}

/* F3-1: the checks that precede the PDOL. */
static uint8_t magstripe_fci(const struct fci *fci)
{
    if (!fci->sound) return K6_OTHER_INTERFACE;
    if (is_stray(fci, PRIORITY)) return K6_END;
    if ((fci->placed & BIT(PRIORITY)) != 0 && fci->value[PRIORITY].size != 1) return K6_OTHER_INTERFACE;
    if (is_stray(fci, ISSUER)) return K6_END;
    return (fci->placed & BIT(ISSUER)) == 0 || offers_magstripe(fci) ? K6_FINE : K6_OTHER_INTERFACE;
}

/* The order is the book's: the first fault determines the outcome, and the outcomes differ. */
struct k6_selected k6_select_magstripe(cemv_bytes fci_bytes, bool other_interface)
{
    struct fci fci;
    struct asked asked;
    struct k6_selected selected = open_fci(fci_bytes, &fci, &asked);
    selected.magstripe = true;
    selected.verdict = magstripe_fci(&fci);
    if (selected.verdict != K6_FINE) return selected;
    if (!asked.sound || (asked.present & BIT(NUMBER)) == 0)
        selected.verdict = other_interface ? K6_OTHER_INTERFACE : K6_ERROR; /* F3-2.2a */
    else if (selected.number_size < 1 || selected.number_size > NUMBER_MAX) selected.verdict = K6_ERROR;
    return selected;
}

/* Numbers of that many digits, all equally likely. */
bool k6_number(const uint8_t random[4], uint8_t size, uint8_t number[4])
{
    uint32_t drawn;
    const bool usable = cemv_number_of_digits(cemv_be32(random), (uint8_t)(2 * size), &drawn);
    if (usable) (void)cemv_bcd_write(number, size, drawn);
    return usable;
}
