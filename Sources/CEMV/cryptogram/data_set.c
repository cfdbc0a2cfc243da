/* SPDX-License-Identifier: Apache-2.0 */
/* The data set for the issuer: ISO 8583 field 55, and the other fields that are filled from the card. The tables list
 * the objects that each kernel's record must have (Conformance/cryptogram-data.md, "The data set of an authorisation
 * message"). Knows no session and sends nothing. */
#include "cryptogram.h"

#define REQUIRED CEMV_PRESENCE_REQUIRED
#define OPTIONAL CEMV_PRESENCE_OPTIONAL

/* Book 4, 12.1.1 defines the minimum; the data record in each kernel's book defines which objects are always present.
 * Account number, track and expiry date are separate fields of the message and therefore not listed here. Optional
 * objects are sorted by importance, so that the last ones are omitted first if the field is too short. */

/* Kernel 2: the data record of EMV mode. */
static const struct cemv_data_set_entry kernel_2[] = {
    { 0x5F2A, REQUIRED }, { 0x82, REQUIRED },   { 0x95, REQUIRED },   { 0x9A, REQUIRED },   { 0x9C, REQUIRED },
    { 0x9F02, REQUIRED }, { 0x9F1A, REQUIRED }, { 0x9F26, REQUIRED }, { 0x9F27, REQUIRED }, { 0x9F36, REQUIRED },
    { 0x9F37, REQUIRED }, { 0x9F10, OPTIONAL }, { 0x9F34, OPTIONAL }, { 0x5F34, OPTIONAL }, { 0x84, OPTIONAL },
    { 0x9F03, OPTIONAL }, { 0x9F33, OPTIONAL }, { 0x9F35, OPTIONAL }, { 0x9F6E, OPTIONAL }, { 0x9F09, OPTIONAL },
    { 0x9F1E, OPTIONAL }, { 0x9F41, OPTIONAL }, { 0x9F53, OPTIONAL }, { 0x9F24, OPTIONAL }, { 0x9F19, OPTIONAL },
    { 0x9F07, OPTIONAL }, { 0x9F0D, OPTIONAL }, { 0x9F0E, OPTIONAL }, { 0x9F0F, OPTIONAL },
};
/* Kernel 3: C-3, Table B-1. */
static const struct cemv_data_set_entry kernel_3[] = {
    { 0x5F2A, REQUIRED }, { 0x82, REQUIRED },   { 0x95, REQUIRED },   { 0x9A, REQUIRED },   { 0x9C, REQUIRED },
    { 0x9F02, REQUIRED }, { 0x9F10, REQUIRED }, { 0x9F1A, REQUIRED }, { 0x9F26, REQUIRED }, { 0x9F36, REQUIRED },
    { 0x9F37, REQUIRED }, { 0x9F03, OPTIONAL }, { 0x5F34, OPTIONAL }, { 0x9F6E, OPTIONAL }, { 0x9F7C, OPTIONAL },
    { 0x84, OPTIONAL },   { 0x9F27, OPTIONAL }, { 0x9F33, OPTIONAL }, { 0x9F34, OPTIONAL }, { 0x9F35, OPTIONAL },
    { 0x9F09, OPTIONAL }, { 0x9F1E, OPTIONAL }, { 0x9F41, OPTIONAL }, { 0x9F24, OPTIONAL }, { 0x9F19, OPTIONAL },
};
/* Kernel 4: C-4, Table 14-6. */
static const struct cemv_data_set_entry kernel_4[] = {
    { 0x5F2A, REQUIRED }, { 0x5F34, REQUIRED }, { 0x82, REQUIRED },   { 0x95, REQUIRED },   { 0x9A, REQUIRED },
    { 0x9C, REQUIRED },   { 0x9F02, REQUIRED }, { 0x9F03, REQUIRED }, { 0x9F10, REQUIRED }, { 0x9F1A, REQUIRED },
    { 0x9F26, REQUIRED }, { 0x9F27, REQUIRED }, { 0x9F36, REQUIRED }, { 0x9F37, REQUIRED }, { 0x84, OPTIONAL },
    { 0x9F06, OPTIONAL }, { 0x9F09, OPTIONAL }, { 0x9F33, OPTIONAL }, { 0x9F34, OPTIONAL }, { 0x9F35, OPTIONAL },
    { 0x9F67, OPTIONAL }, { 0x9F1E, OPTIONAL }, { 0x9F41, OPTIONAL }, { 0x9F24, OPTIONAL }, { 0x9F19, OPTIONAL },
};
/* Kernel 5: C-5, Table C-1, approved and online request. */
static const struct cemv_data_set_entry kernel_5[] = {
    { 0x5F2A, REQUIRED }, { 0x82, REQUIRED },   { 0x84, REQUIRED },   { 0x95, REQUIRED },   { 0x9A, REQUIRED },
    { 0x9C, REQUIRED },   { 0x9F02, REQUIRED }, { 0x9F03, REQUIRED }, { 0x9F10, REQUIRED }, { 0x9F1A, REQUIRED },
    { 0x9F21, REQUIRED }, { 0x9F26, REQUIRED }, { 0x9F27, REQUIRED }, { 0x9F34, REQUIRED }, { 0x9F36, REQUIRED },
    { 0x9F37, REQUIRED }, { 0x5F34, OPTIONAL }, { 0x9F6E, OPTIONAL }, { 0x9F7C, OPTIONAL }, { 0x9F08, OPTIONAL },
    { 0x9F33, OPTIONAL }, { 0x9F35, OPTIONAL }, { 0x9F1E, OPTIONAL }, { 0x9F41, OPTIONAL }, { 0x9F24, OPTIONAL },
    { 0x9F19, OPTIONAL },
};
/* Kernel 6: C-6, Table 4-8, EMV mode. */
static const struct cemv_data_set_entry kernel_6[] = {
    { 0x82, REQUIRED },   { 0x95, REQUIRED },   { 0x9A, REQUIRED },   { 0x9C, REQUIRED },   { 0x9F02, REQUIRED },
    { 0x9F10, REQUIRED }, { 0x9F1A, REQUIRED }, { 0x9F26, REQUIRED }, { 0x9F33, REQUIRED }, { 0x9F35, REQUIRED },
    { 0x9F36, REQUIRED }, { 0x9F37, REQUIRED }, { 0x5F2A, OPTIONAL }, { 0x9F03, OPTIONAL }, { 0x5F34, OPTIONAL },
    { 0x9F27, OPTIONAL }, { 0x84, OPTIONAL },   { 0x9F06, OPTIONAL }, { 0x9F34, OPTIONAL }, { 0x9F09, OPTIONAL },
    { 0x9F07, OPTIONAL }, { 0x9F1E, OPTIONAL }, { 0x9F41, OPTIONAL }, { 0x9F24, OPTIONAL }, { 0x9F19, OPTIONAL },
};
/* Kernel 7: C-7, Table C-1. */
static const struct cemv_data_set_entry kernel_7[] = {
    { 0x5F2A, REQUIRED }, { 0x82, REQUIRED },   { 0x95, REQUIRED },   { 0x9A, REQUIRED },   { 0x9C, REQUIRED },
    { 0x9F02, REQUIRED }, { 0x9F03, REQUIRED }, { 0x9F10, REQUIRED }, { 0x9F1A, REQUIRED }, { 0x9F26, REQUIRED },
    { 0x9F27, REQUIRED }, { 0x9F33, REQUIRED }, { 0x9F36, REQUIRED }, { 0x9F37, REQUIRED }, { 0x5F34, OPTIONAL },
    { 0x84, OPTIONAL },   { 0x9F63, OPTIONAL }, { 0x9F7C, OPTIONAL }, { 0x9F34, OPTIONAL }, { 0x9F35, OPTIONAL },
    { 0x9F09, OPTIONAL }, { 0x9F1E, OPTIONAL }, { 0x9F41, OPTIONAL }, { 0x9F25, OPTIONAL }, { 0x9F24, OPTIONAL },
    { 0x9F19, OPTIONAL }, { 0x9F0A, OPTIONAL },
};
/* Kernel 8: C-8, Table A.11. */
static const struct cemv_data_set_entry kernel_8[] = {
    { 0x5F2A, REQUIRED },   { 0x82, REQUIRED },   { 0x95, REQUIRED },   { 0x9A, REQUIRED },     { 0x9C, REQUIRED },
    { 0x9F02, REQUIRED },   { 0x9F10, REQUIRED }, { 0x9F1A, REQUIRED }, { 0x9F26, REQUIRED },   { 0x9F27, REQUIRED },
    { 0x9F36, REQUIRED },   { 0x9F37, REQUIRED }, { 0x9F34, OPTIONAL }, { 0x5F34, OPTIONAL },   { 0x84, OPTIONAL },
    { 0x9F03, OPTIONAL },   { 0x9F33, OPTIONAL }, { 0x9F35, OPTIONAL }, { 0x9F8106, OPTIONAL }, { 0x9F8109, OPTIONAL },
    { 0x9F810D, OPTIONAL }, { 0x9F09, OPTIONAL }, { 0x9F1E, OPTIONAL }, { 0x9F41, OPTIONAL },   { 0x9F24, OPTIONAL },
    { 0x9F19, OPTIONAL },   { 0x9F07, OPTIONAL },
};

#define SET(entries)                                                                                                   \
    {                                                                                                                  \
        (entries), sizeof(entries) / sizeof(entries)[0], 255, true                                                     \
    }

/* Many hosts limit field 55 to 255 bytes, so that is the default; optional objects are omitted to respect it. */
struct cemv_data_set cemv_data_set_of_kernel(uint8_t kernel)
{
    static const struct cemv_data_set sets[] = {
        SET(kernel_2), SET(kernel_3), SET(kernel_4), SET(kernel_5), SET(kernel_6), SET(kernel_7), SET(kernel_8),
    };
    const struct cemv_data_set none = { NULL, 0, 0, false };
    return kernel >= 2 && kernel - 2u < sizeof sets / sizeof sets[0] ? sets[kernel - 2u] : none;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static struct cemv_data_set_result result_of(uint8_t error, uint32_t tag, size_t size)
{
    return (struct cemv_data_set_result){ .error = error, .tag = tag, .size = size };
}

/* For data sets that an integrator defines: each tag must be valid and occur once. */
enum cemv_data_set_error cemv_data_set_check(const struct cemv_data_set *set, uint32_t *tag)
{
    *tag = 0;
    if (set->count > CEMV_DATA_SET_ENTRIES) return CEMV_DATA_SET_BAD_ENTRY;
    for (size_t i = 0; i < set->count; i++) {
        *tag = set->entries[i].tag;
        if (!cemv_tag_is_valid(*tag)) return CEMV_DATA_SET_BAD_ENTRY;
        for (size_t k = 0; k < i; k++) {
            if (set->entries[k].tag == *tag) return CEMV_DATA_SET_BAD_ENTRY;
        }
    }
    *tag = 0;
    return CEMV_DATA_SET_OK;
}

/* The encoded size of an object whose header is not in its shortest form. */
cryptogram_noinline static size_t long_size(uint32_t tag, size_t size)
{
    size_t head = cemv_tag_size(tag) + 1;
    if (size >= CEMV_LENGTH_LONG_BIT) {
        for (size_t rest = size; rest != 0; rest >>= 8) head++;
    }
    return head + size;
}

static inline size_t encoded_size(const struct cemv_chip_object *object)
{
    return object->head != 0 ? object->head + object->value.size : long_size(object->tag, object->value.size);
}

/* Number + 1 of the object with this tag, 0 if it is absent. */
cryptogram_noinline static uint8_t number_elsewhere(const struct cemv_chip *chip, uint32_t tag)
{
    const struct cemv_chip_object *const object = cemv_chip_find_elsewhere(chip, tag);
    return object != NULL ? (uint8_t)(object - chip->object + 1) : 0;
}

static inline uint8_t number_of(const struct cemv_chip *chip, uint32_t tag)
{
    const uint16_t place = cemv_chip_place(tag);
    return place != CEMV_CHIP_NOWHERE ? chip->index[place] : number_elsewhere(chip, tag);
}

/* Collects the objects in order as number + 1, with 0 for absent ones, and their total size. Returns an error if a
 * required object is absent. */
cryptogram_noinline static struct cemv_data_set_result collect(const struct cemv_chip *chip,
                                                               const struct cemv_data_set *set, uint8_t *numbers)
{
    const struct cemv_data_set_entry *const entries = set->entries;
    const size_t count = set->count;
    size_t size = 0;
    if (count > CEMV_DATA_SET_ENTRIES) return result_of(CEMV_DATA_SET_BAD_ENTRY, 0, 0);
    for (size_t i = 0; i < count; i++) {
        const uint8_t number = number_of(chip, entries[i].tag);
        numbers[i] = number;
        if (number != 0) size += encoded_size(&chip->object[number - 1]);
        else if (entries[i].presence == CEMV_PRESENCE_REQUIRED)
            return result_of(CEMV_DATA_SET_MISSING, entries[i].tag, 0);
    }
    return result_of(CEMV_DATA_SET_OK, 0, size);
}

/* Omits optional objects, the last one first, until the size is within `limit` or only required objects remain. */
static void leave_out(const struct cemv_chip *chip, const struct cemv_data_set *set, size_t limit, uint8_t *numbers,
                      struct cemv_data_set_result *result)
{
    for (size_t i = set->count; i > 0 && result->size > limit; i--) {
        uint8_t *const number = &numbers[i - 1];
        if (set->entries[i - 1].presence == CEMV_PRESENCE_REQUIRED || *number == 0) continue;
        result->size -= encoded_size(&chip->object[*number - 1]);
        result->left_out++;
        *number = 0;
    }
}

cryptogram_noinline static uint8_t *put_long(uint8_t *out, const struct cemv_chip_object *object)
{
    const size_t size = encoded_size(object);
    struct cemv_writer writer = cemv_writer_open(out, size);
    cemv_writer_put_tlv(&writer, object->tag, object->value);
    return out + size;
}

/* If tag and length directly precede the value, all three are copied at once. */
static inline uint8_t *put(uint8_t *out, const struct cemv_chip_object *object)
{
    const size_t size = object->head + object->value.size;
    if (object->head == 0) return put_long(out, object);
    cemv_copy_short(out, object->value.data - object->head, size);
    return out + size;
}

cryptogram_noinline static void put_all(uint8_t *out, const struct cemv_chip *chip, const uint8_t *numbers,
                                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] != 0) out = put(out, &chip->object[numbers[i] - 1]);
    }
}

/* One pass for the usual case: all required objects are present, and there is enough space. In any other case it
 * returns false, and `out` has no useful contents; the caller then uses the slower functions above, which find the
 * reason. */
cryptogram_hot cryptogram_noinline static bool write_plain(const struct cemv_chip *chip,
                                                           const struct cemv_data_set *set, uint8_t *out, size_t limit,
                                                           size_t *size)
{
    const struct cemv_data_set_entry *const entries = set->entries;
    const size_t count = set->count;
    uint8_t *at = out;
    size_t left = limit;
    if (count > CEMV_DATA_SET_ENTRIES) return false;
    for (size_t i = 0; i < count; i++) {
        const uint8_t number = number_of(chip, entries[i].tag);
        if (number == 0) {
            if (entries[i].presence == CEMV_PRESENCE_REQUIRED) return false;
            continue;
        }
        const struct cemv_chip_object *const object = &chip->object[number - 1];
        const size_t taken = encoded_size(object);
        if (taken > left) return false;
        left -= taken;
        at = put(at, object);
    }
    *size = limit - left;
    return true;
}

/* The fast pass handles nearly every message. If it fails, the slower one determines whether an object is missing or
 * the limits are exceeded, and omits optional objects if the set allows that. */
struct cemv_data_set_result cemv_data_set_write(const struct cemv_chip *chip, const struct cemv_data_set *set,
                                                void *out, size_t capacity)
{
    uint8_t numbers[CEMV_DATA_SET_ENTRIES];
    const size_t limit = set->limit != 0 ? set->limit : capacity;
    size_t size;
    if (write_plain(chip, set, out, limit < capacity ? limit : capacity, &size))
        return result_of(CEMV_DATA_SET_OK, 0, size);

    struct cemv_data_set_result result = collect(chip, set, numbers);
    if (result.error != CEMV_DATA_SET_OK) return result;
    if (set->leave_out) leave_out(chip, set, limit, numbers, &result);
    if (set->limit != 0 && result.size > set->limit) return result_of(CEMV_DATA_SET_TOO_LONG, 0, result.size);
    if (result.size > capacity) return result_of(CEMV_DATA_SET_NO_SPACE, 0, result.size);
    put_all(out, chip, numbers, set->count);
    return result;
}

/* ---- other fields ------------------------------------------------------------------------------------------------ */

/* Field 22 of ISO 8583:1987: how the account number was read, and whether a PIN can be entered. */
static void write_entry_mode(uint8_t mode, uint8_t pin_capability, char out[4])
{
    if (mode == CEMV_MODE_NONE) return;
    out[0] = mode == CEMV_MODE_EMV ? '0' : '9';
    out[1] = mode == CEMV_MODE_EMV ? '7' : '1';
    out[2] = (char)('0' + (pin_capability <= 9 ? pin_capability : 0));
}

/* A field whose source is missing or malformed stays empty, so that a host never receives half a track. */
void cemv_iso_fields_write(const struct cemv_extract *extract, uint8_t pin_capability, char separator,
                           struct cemv_iso_fields *out)
{
    cemv_zero(out, sizeof *out);
    (void)cemv_digits_text(extract->pan, separator, out->pan, sizeof out->pan);
    (void)cemv_digits_text(extract->expiry, separator, out->expiry, sizeof out->expiry);
    write_entry_mode(extract->mode, pin_capability, out->entry_mode);
    if (extract->sequence_present) {
        out->sequence[0] = '0';
        out->sequence[1] = (char)('0' + extract->sequence / 10 % 10);
        out->sequence[2] = (char)('0' + extract->sequence % 10);
    }
    if (extract->track2.error == CEMV_TRACK_OK)
        (void)cemv_digits_text(extract->track2.all, separator, out->track2, sizeof out->track2);
    if (extract->track1.error == CEMV_TRACK_OK)
        cemv_copy(out->track1, extract->track1.all.data, extract->track1.all.size);
}

void cemv_iso_fields_wipe(struct cemv_iso_fields *fields) { cemv_wipe(fields, sizeof *fields); }
