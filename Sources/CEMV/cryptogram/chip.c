/* SPDX-License-Identifier: Apache-2.0 */
/* The data of one read, found by tag and interpreted: type of the cryptogram, counters, results. For hosts and apps; no
 * kernel calls it, and it decides nothing about a transaction. Sources: Conformance/cryptogram-data.md.
 *
 * An index gives the object of a tag at once, so that reading twenty objects does not mean searching the list twenty
 * times. Values are never copied: the result refers to the caller's bytes. */
#include "cryptogram.h"

_Static_assert(CEMV_CHIP_OBJECTS < UINT8_MAX, "index entries are object number + 1");

void cemv_chip_clear(struct cemv_chip *chip)
{
    chip->error = CEMV_WIRE_OK;
    chip->lists = 0;
    chip->count = 0;
    chip->overflowed = false;
    cemv_zero(chip->index, sizeof chip->index);
}

const struct cemv_chip_object *cemv_chip_find_elsewhere(const struct cemv_chip *chip, uint32_t tag)
{
    for (size_t i = 0; i < chip->count; i++) {
        if (chip->object[i].tag == tag) return &chip->object[i];
    }
    return NULL;
}

/* Adds an object. If two have one tag, the first stays: a list that repeats a tag must not replace a value that has
 * been read. */
static inline void add(struct cemv_chip *chip, uint32_t tag, cemv_bytes value, uint8_t head)
{
    const uint16_t place = cemv_chip_place(tag);
    const uint8_t count = chip->count;
    if (value.size == 0 || cemv_chip_find(chip, tag, place) != NULL) return;
    if (count >= CEMV_CHIP_OBJECTS) {
        chip->overflowed = true;
        return;
    }
    chip->object[count] = (struct cemv_chip_object){ .tag = tag, .list = chip->lists, .head = head, .value = value };
    chip->count = (uint8_t)(count + 1);
    if (place != CEMV_CHIP_NOWHERE) chip->index[place] = (uint8_t)(count + 1);
}

/* Like cemv_list_next(), but as fast as cemv_tlv_next_inline() for objects that do not begin with FF. */
static inline bool next(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object)
{
    if (cursor->at == cursor->end || *cursor->at != 0xFF) return cemv_tlv_next_inline(cursor, object);

    struct cemv_tlv_cursor moved = *cursor;
    struct cemv_tlv found;
    const bool any = cemv_list_next(&moved, &found);
    *cursor = moved;
    if (any) *object = found;
    return any;
}

/* Objects before a malformed one stay readable: a host may still need them to explain a failed message. */
cryptogram_hot bool cemv_chip_add(struct cemv_chip *chip, cemv_bytes list)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(list);
    struct cemv_tlv object;
    while (next(&cursor, &object)) {
        /* An object can be copied as a whole if its tag and length have their shortest form. */
        const size_t head = object.whole.size - object.value.size;
        const bool is_shortest = head == (object.tag > 0xFF ? 3 : 2);
        add(chip, object.tag, object.value, is_shortest ? (uint8_t)head : 0);
    }
    if (chip->lists < UINT8_MAX) chip->lists++;
    if (cursor.error != CEMV_WIRE_OK && chip->error == CEMV_WIRE_OK) chip->error = (uint8_t)cursor.error;
    return cursor.error == CEMV_WIRE_OK;
}

/* For a value that does not come from a list. It counts as a separate list. */
void cemv_chip_add_value(struct cemv_chip *chip, uint32_t tag, cemv_bytes value)
{
    add(chip, tag, value, 0);
    if (chip->lists < UINT8_MAX) chip->lists++;
}

cemv_bytes cemv_chip_value(const struct cemv_chip *chip, uint32_t tag)
{
    const struct cemv_chip_object *const object = cemv_chip_find(chip, tag, cemv_chip_place(tag));
    return object != NULL ? object->value : (cemv_bytes){ NULL, 0 };
}

/* ---- interpretation ---------------------------------------------------------------------------------------------- */

/* The value of a tag that has a place in the index; empty if its length differs from the one that the books define. A
 * size of 0 allows any length. */
static cemv_bytes value_of(const struct cemv_chip *chip, uint32_t tag, size_t size)
{
    const cemv_bytes none = { NULL, 0 };
    const uint8_t number = chip->index[cemv_chip_place(tag)];
    if (number == 0) return none;
    const cemv_bytes value = chip->object[number - 1].value;
    return size == 0 || value.size == size ? value : none;
}

/* The name that the card returned comes first, since the terminal's AID may be only a prefix of it. */
static enum cemv_scheme scheme_of(const struct cemv_chip *chip)
{
    static const uint32_t names[] = { CEMV_TAG_84_DF_NAME, CEMV_TAG_4F_ADF_NAME, CEMV_TAG_9F06_AID_TERMINAL };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const enum cemv_scheme scheme = cemv_scheme_of_aid(value_of(chip, names[i], 0));
        if (scheme != CEMV_SCHEME_UNKNOWN) return scheme;
    }
    return CEMV_SCHEME_UNKNOWN;
}

/* Each number has a flag, because zero is a valid counter, sequence number or result. */
static void read_numbers(const struct cemv_chip *chip, struct cemv_extract *out)
{
    const cemv_bytes atc = value_of(chip, CEMV_TAG_9F36_APPLICATION_TRANSACTION_COUNTER, 2);
    const cemv_bytes sequence = value_of(chip, CEMV_TAG_5F34_PAN_SEQUENCE_NUMBER, 1);
    const cemv_bytes cvm = value_of(chip, CEMV_TAG_9F34_CVM_RESULTS, 3);
    uint64_t number;
    out->atc_present = atc.size != 0;
    if (out->atc_present) out->atc = cemv_be16(atc.data);
    out->sequence_present = sequence.size != 0 && cemv_bcd_read(sequence, &number);
    if (out->sequence_present) out->sequence = (uint8_t)number;
    out->cvm_present = cvm.size != 0;
    if (out->cvm_present) cemv_copy(out->cvm, cvm.data, sizeof out->cvm);
}

/* Without 9F27 the type is in bits 6-5 of byte 5 of 9F10 (C-3, 5.4.3.1; C-7, 4.1.4.4). */
static void read_type(const struct cemv_chip *chip, struct cemv_extract *out)
{
    const cemv_bytes cid = value_of(chip, CEMV_TAG_9F27_CRYPTOGRAM_INFORMATION_DATA, 1);
    const cemv_bytes iad = out->iad.whole;
    const bool by_iad = out->scheme == CEMV_SCHEME_VISA || out->scheme == CEMV_SCHEME_UNIONPAY;
    out->cid_present = cid.size != 0;
    if (out->cid_present) out->cid = cid.data[0];
    else if (by_iad && iad.size >= 5) out->cid = (uint8_t)(iad.data[4] << 2 & 0xC0);
    out->type_known = out->cid_present || (by_iad && iad.size >= 5);
    out->type = out->cid >> 6;
}

/* Kernel 4 builds tracks with their sentinels (Book C-4, Tables 12-2 and 12-3), which hosts do not expect. */
static cemv_bytes track_1_of(const struct cemv_chip *chip, uint8_t scheme)
{
    const cemv_bytes track = value_of(chip, CEMV_TAG_56_TRACK_1_DATA, 0);
    const bool bounded = track.size > 2 && track.data[0] == '%' && track.data[track.size - 1] == '?';
    return scheme == CEMV_SCHEME_AMEX && bounded ? cemv_bytes_part(track, 1, track.size - 2) : track;
}

/* Track 2 comes before 5A and 5F24. If both are present and differ, this is reported: somebody may have replaced one of
 * them. */
static void read_tracks(const struct cemv_chip *chip, struct cemv_extract *out)
{
    const cemv_bytes equivalent = value_of(chip, CEMV_TAG_57_TRACK_2_EQUIVALENT_DATA, 0);
    const cemv_bytes pan = value_of(chip, CEMV_TAG_5A_PAN, 0);
    const cemv_bytes date = value_of(chip, CEMV_TAG_5F24_APPLICATION_EXPIRATION_DATE, 3);
    (void)cemv_track2_read(equivalent.size != 0 ? equivalent : value_of(chip, CEMV_TAG_9F6B_TRACK_2_DATA, 0),
                           &out->track2);
    (void)cemv_track1_read(track_1_of(chip, out->scheme), &out->track1);

    const struct cemv_digits alone = cemv_digits_of_cn(pan);
    uint64_t number;
    const bool dated = date.size != 0 && cemv_bcd_read(cemv_bytes_part(date, 0, 2), &number);
    const struct cemv_digits month = { .data = date.data, .count = dated ? 4 : 0 };
    out->pan = out->track2.pan.count != 0 ? out->track2.pan : alone;
    if (out->pan.count > CEMV_PAN_DIGITS_MAX) out->pan.count = 0;
    out->expiry = out->track2.expiry.count != 0 ? out->track2.expiry : month;
    out->service_code = out->track2.service_code;
    out->pan_mismatch = alone.count != 0 && out->track2.pan.count != 0 && !cemv_digits_equal(alone, out->track2.pan);
    out->expiry_mismatch = month.count != 0 && out->track2.expiry.count != 0 &&
                           !cemv_digits_equal(month, out->track2.expiry);
}

/* Recognises EMV mode in a record without a cryptogram: no book has 82 and 95 in a record of mag-stripe mode, nor 56 or
 * 9F6B in one of EMV mode. */
static bool is_emv_record(const struct cemv_chip *chip, const struct cemv_extract *out)
{
    return out->tvr.size != 0 && value_of(chip, CEMV_TAG_82_APPLICATION_INTERCHANGE_PROFILE, 2).size != 0 &&
           value_of(chip, CEMV_TAG_56_TRACK_1_DATA, 0).size == 0 &&
           value_of(chip, CEMV_TAG_9F6B_TRACK_2_DATA, 0).size == 0;
}

static uint8_t mode_of(const struct cemv_chip *chip, const struct cemv_extract *out)
{
    if (out->cryptogram.size != 0 || is_emv_record(chip, out)) return CEMV_MODE_EMV;
    return out->track2.all.count != 0 || out->track1.all.size != 0 ? CEMV_MODE_MAGSTRIPE : CEMV_MODE_NONE;
}

cryptogram_hot void cemv_chip_extract(const struct cemv_chip *chip, enum cemv_scheme scheme, struct cemv_extract *out)
{
    if (scheme == CEMV_SCHEME_UNKNOWN) scheme = scheme_of(chip);
    /* The members from `cryptogram` on are set completely below. */
    cemv_zero(out, offsetof(struct cemv_extract, cryptogram));
    out->scheme = (uint8_t)scheme;
    out->cryptogram = value_of(chip, CEMV_TAG_9F26_APPLICATION_CRYPTOGRAM, 8);
    out->unpredictable_number = value_of(chip, CEMV_TAG_9F37_UNPREDICTABLE_NUMBER, 4);
    out->tvr = value_of(chip, CEMV_TAG_95_TERMINAL_VERIFICATION_RESULTS, 5);
    out->par = value_of(chip, CEMV_TAG_9F24_PAYMENT_ACCOUNT_REFERENCE, 29);
    (void)cemv_iad_read(value_of(chip, CEMV_TAG_9F10_ISSUER_APPLICATION_DATA, 0), scheme, &out->iad);
    read_numbers(chip, out);
    read_type(chip, out);
    read_tracks(chip, out);
    out->mode = mode_of(chip, out);
    const uint32_t form = scheme == CEMV_SCHEME_AMEX ? CEMV_TAG_9F67_FORM_FACTOR : CEMV_TAG_9F6E_DEVICE_INFORMATION;
    (void)cemv_form_factor_read(value_of(chip, form, 0), scheme, &out->form_factor);
}
