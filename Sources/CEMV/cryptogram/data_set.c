/* The issuer data set: ISO 8583 field 55, and the other fields that come from the card. */
#include "cryptogram.h"

#define REQUIRED CEMV_PRESENCE_REQUIRED
#define OPTIONAL CEMV_PRESENCE_OPTIONAL

/* Book 4, 12.1.1 names the minimum; the data record of each kernel's book says what is always there. Account number, track and expiry
 * have fields of their own in the message. Optional objects stand in the order in which they can be spared least. */

/* Kernel 2: the data record of EMV mode. */
static const struct cemv_data_set_entry kernel_2[] = {
    { 0x5F2A, REQUIRED }, { 0x82, REQUIRED }, { 0x95, REQUIRED }, { 0x9A, REQUIRED }, { 0x9C, REQUIRED }, { 0x9F02, REQUIRED },
    { 0x9F1A, REQUIRED }, { 0x9F26, REQUIRED }, { 0x9F27, REQUIRED }, { 0x9F36, REQUIRED }, { 0x9F37, REQUIRED },
    { 0x9F10, OPTIONAL }, { 0x9F34, OPTIONAL }, { 0x5F34, OPTIONAL }, { 0x84, OPTIONAL }, { 0x9F03, OPTIONAL }, { 0x9F33, OPTIONAL },
    { 0x9F35, OPTIONAL }, { 0x9F6E, OPTIONAL }, { 0x9F09, OPTIONAL }, { 0x9F1E, OPTIONAL }, { 0x9F41, OPTIONAL }, { 0x9F53, OPTIONAL },
    { 0x9F24, OPTIONAL }, { 0x9F19, OPTIONAL }, { 0x9F07, OPTIONAL }, { 0x9F0D, OPTIONAL }, { 0x9F0E, OPTIONAL }, { 0x9F0F, OPTIONAL },
};
/* Kernel 3: C-3, Table B-1. */
static const struct cemv_data_set_entry kernel_3[] = {
    { 0x5F2A, REQUIRED }, { 0x82, REQUIRED }, { 0x95, REQUIRED }, { 0x9A, REQUIRED }, { 0x9C, REQUIRED }, { 0x9F02, REQUIRED },
    { 0x9F10, REQUIRED }, { 0x9F1A, REQUIRED }, { 0x9F26, REQUIRED }, { 0x9F36, REQUIRED }, { 0x9F37, REQUIRED },
    { 0x9F03, OPTIONAL }, { 0x5F34, OPTIONAL }, { 0x9F6E, OPTIONAL }, { 0x9F7C, OPTIONAL }, { 0x84, OPTIONAL }, { 0x9F27, OPTIONAL },
    { 0x9F33, OPTIONAL }, { 0x9F34, OPTIONAL }, { 0x9F35, OPTIONAL }, { 0x9F09, OPTIONAL }, { 0x9F1E, OPTIONAL }, { 0x9F41, OPTIONAL },
    { 0x9F24, OPTIONAL }, { 0x9F19, OPTIONAL },
};
/* Kernel 4: C-4, Table 14-6. */
static const struct cemv_data_set_entry kernel_4[] = {
    { 0x5F2A, REQUIRED }, { 0x5F34, REQUIRED }, { 0x82, REQUIRED }, { 0x95, REQUIRED }, { 0x9A, REQUIRED }, { 0x9C, REQUIRED },
    { 0x9F02, REQUIRED }, { 0x9F03, REQUIRED }, { 0x9F10, REQUIRED }, { 0x9F1A, REQUIRED }, { 0x9F26, REQUIRED }, { 0x9F27, REQUIRED },
    { 0x9F36, REQUIRED }, { 0x9F37, REQUIRED },
    { 0x84, OPTIONAL }, { 0x9F06, OPTIONAL }, { 0x9F09, OPTIONAL }, { 0x9F33, OPTIONAL }, { 0x9F34, OPTIONAL }, { 0x9F35, OPTIONAL },
    { 0x9F67, OPTIONAL }, { 0x9F1E, OPTIONAL }, { 0x9F41, OPTIONAL }, { 0x9F24, OPTIONAL }, { 0x9F19, OPTIONAL },
};
/* Kernel 5: C-5, Table C-1, approved and online request. */
static const struct cemv_data_set_entry kernel_5[] = {
    { 0x5F2A, REQUIRED }, { 0x82, REQUIRED }, { 0x84, REQUIRED }, { 0x95, REQUIRED }, { 0x9A, REQUIRED }, { 0x9C, REQUIRED },
    { 0x9F02, REQUIRED }, { 0x9F03, REQUIRED }, { 0x9F10, REQUIRED }, { 0x9F1A, REQUIRED }, { 0x9F21, REQUIRED }, { 0x9F26, REQUIRED },
    { 0x9F27, REQUIRED }, { 0x9F34, REQUIRED }, { 0x9F36, REQUIRED }, { 0x9F37, REQUIRED },
    { 0x5F34, OPTIONAL }, { 0x9F6E, OPTIONAL }, { 0x9F7C, OPTIONAL }, { 0x9F08, OPTIONAL }, { 0x9F33, OPTIONAL }, { 0x9F35, OPTIONAL },
    { 0x9F1E, OPTIONAL }, { 0x9F41, OPTIONAL }, { 0x9F24, OPTIONAL }, { 0x9F19, OPTIONAL },
};
/* Kernel 6: C-6, Table 4-8, EMV mode. */
static const struct cemv_data_set_entry kernel_6[] = {
    { 0x82, REQUIRED }, { 0x95, REQUIRED }, { 0x9A, REQUIRED }, { 0x9C, REQUIRED }, { 0x9F02, REQUIRED }, { 0x9F10, REQUIRED },
    { 0x9F1A, REQUIRED }, { 0x9F26, REQUIRED }, { 0x9F33, REQUIRED }, { 0x9F35, REQUIRED }, { 0x9F36, REQUIRED }, { 0x9F37, REQUIRED },
    { 0x5F2A, OPTIONAL }, { 0x9F03, OPTIONAL }, { 0x5F34, OPTIONAL }, { 0x9F27, OPTIONAL }, { 0x84, OPTIONAL }, { 0x9F06, OPTIONAL },
    { 0x9F34, OPTIONAL }, { 0x9F09, OPTIONAL }, { 0x9F07, OPTIONAL }, { 0x9F1E, OPTIONAL }, { 0x9F41, OPTIONAL }, { 0x9F24, OPTIONAL },
    { 0x9F19, OPTIONAL },
};
/* Kernel 7: C-7, Table C-1. */
static const struct cemv_data_set_entry kernel_7[] = {
    { 0x5F2A, REQUIRED }, { 0x82, REQUIRED }, { 0x95, REQUIRED }, { 0x9A, REQUIRED }, { 0x9C, REQUIRED }, { 0x9F02, REQUIRED },
    { 0x9F03, REQUIRED }, { 0x9F10, REQUIRED }, { 0x9F1A, REQUIRED }, { 0x9F26, REQUIRED }, { 0x9F27, REQUIRED }, { 0x9F33, REQUIRED },
    { 0x9F36, REQUIRED }, { 0x9F37, REQUIRED },
    { 0x5F34, OPTIONAL }, { 0x84, OPTIONAL }, { 0x9F63, OPTIONAL }, { 0x9F7C, OPTIONAL }, { 0x9F34, OPTIONAL }, { 0x9F35, OPTIONAL },
    { 0x9F09, OPTIONAL }, { 0x9F1E, OPTIONAL }, { 0x9F41, OPTIONAL }, { 0x9F25, OPTIONAL }, { 0x9F24, OPTIONAL }, { 0x9F19, OPTIONAL },
    { 0x9F0A, OPTIONAL },
};
/* Kernel 8: C-8, Table A.11. */
static const struct cemv_data_set_entry kernel_8[] = {
    { 0x5F2A, REQUIRED }, { 0x82, REQUIRED }, { 0x95, REQUIRED }, { 0x9A, REQUIRED }, { 0x9C, REQUIRED }, { 0x9F02, REQUIRED },
    { 0x9F10, REQUIRED }, { 0x9F1A, REQUIRED }, { 0x9F26, REQUIRED }, { 0x9F27, REQUIRED }, { 0x9F36, REQUIRED }, { 0x9F37, REQUIRED },
    { 0x9F34, OPTIONAL }, { 0x5F34, OPTIONAL }, { 0x84, OPTIONAL }, { 0x9F03, OPTIONAL }, { 0x9F33, OPTIONAL }, { 0x9F35, OPTIONAL },
    { 0x9F8106, OPTIONAL }, { 0x9F8109, OPTIONAL }, { 0x9F810D, OPTIONAL }, { 0x9F09, OPTIONAL }, { 0x9F1E, OPTIONAL },
    { 0x9F41, OPTIONAL }, { 0x9F24, OPTIONAL }, { 0x9F19, OPTIONAL }, { 0x9F07, OPTIONAL },
};

#define SET(entries) { entries, sizeof entries / sizeof entries[0], 255, true }

struct cemv_data_set cemv_data_set_of_kernel(uint8_t kernel)
{
    static const struct cemv_data_set sets[] = {
        SET(kernel_2), SET(kernel_3), SET(kernel_4), SET(kernel_5), SET(kernel_6), SET(kernel_7), SET(kernel_8),
    };
    const struct cemv_data_set none = { NULL, 0, 0, false };
    return kernel >= 2 && kernel - 2u < sizeof sets / sizeof sets[0] ? sets[kernel - 2u] : none;
}

/* ---- writing ---- */

static struct cemv_data_set_result failed(uint8_t error, uint32_t tag, size_t size)
{
    return (struct cemv_data_set_result){ .error = error, .tag = tag, .size = size };
}

/* Tag, shortest length, value. */
static size_t encoded_size(uint32_t tag, size_t size)
{
    size_t length = 1;
    if (size >= CEMV_LENGTH_LONG_BIT) {
        for (size_t rest = size; rest != 0; rest >>= 8) length++;
    }
    return cemv_tag_size(tag) + length + size;
}

static bool stands_before(const struct cemv_data_set *set, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (set->entries[i].tag == set->entries[index].tag) return true;
    }
    return false;
}

/* The values in order, and how many bytes they take; `error` if the set is none or something required is absent. */
static struct cemv_data_set_result collect(const struct cemv_chip *chip, const struct cemv_data_set *set, cemv_bytes *values)
{
    size_t size = 0;
    if (set->count > CEMV_DATA_SET_ENTRIES) return failed(CEMV_DATA_SET_BAD_ENTRY, 0, 0);
    for (size_t i = 0; i < set->count; i++) {
        const struct cemv_data_set_entry entry = set->entries[i];
        if (!cemv_tag_is_valid(entry.tag) || stands_before(set, i)) return failed(CEMV_DATA_SET_BAD_ENTRY, entry.tag, 0);
        values[i] = cemv_chip_value(chip, entry.tag);
        if (values[i].size != 0) size += encoded_size(entry.tag, values[i].size);
        else if (entry.presence == CEMV_PRESENCE_REQUIRED) return failed(CEMV_DATA_SET_MISSING, entry.tag, 0);
    }
    return failed(CEMV_DATA_SET_OK, 0, size);
}

/* Optional values go, the last first, until `limit` is kept or none is left. */
static void leave_out(const struct cemv_data_set *set, size_t limit, cemv_bytes *values, struct cemv_data_set_result *result)
{
    for (size_t i = set->count; i > 0 && result->size > limit; i--) {
        cemv_bytes *const value = &values[i - 1];
        if (set->entries[i - 1].presence == CEMV_PRESENCE_REQUIRED || value->size == 0) continue;
        result->size -= encoded_size(set->entries[i - 1].tag, value->size);
        result->left_out++;
        value->size = 0;
    }
}

struct cemv_data_set_result cemv_data_set_write(const struct cemv_chip *chip, const struct cemv_data_set *set, void *out, size_t capacity)
{
    cemv_bytes values[CEMV_DATA_SET_ENTRIES];
    const size_t limit = set->limit != 0 ? set->limit : capacity;
    struct cemv_data_set_result result = collect(chip, set, values);
    if (result.error != CEMV_DATA_SET_OK) return result;
    if (set->leave_out && result.size > limit) leave_out(set, limit, values, &result);
    if (set->limit != 0 && result.size > set->limit) return failed(CEMV_DATA_SET_TOO_LONG, 0, result.size);
    if (result.size > capacity) return failed(CEMV_DATA_SET_NO_SPACE, 0, result.size);

    struct cemv_writer writer = cemv_writer_open(out, capacity);
    for (size_t i = 0; i < set->count; i++) {
        if (values[i].size != 0) cemv_writer_put_tlv(&writer, set->entries[i].tag, values[i]);
    }
    result.size = cemv_writer_finish(&writer).size;
    return result;
}

/* ---- other fields ---- */

/* Field 22 of ISO 8583:1987: how the account number came, then whether a PIN can be taken. */
static void write_entry_mode(uint8_t mode, uint8_t pin_capability, char out[4])
{
    if (mode == CEMV_MODE_NONE) return;
    out[0] = mode == CEMV_MODE_EMV ? '0' : '9';
    out[1] = mode == CEMV_MODE_EMV ? '7' : '1';
    out[2] = (char)('0' + (pin_capability <= 9 ? pin_capability : 0));
}

void cemv_iso_fields_write(const struct cemv_extract *extract, uint8_t pin_capability, char separator, struct cemv_iso_fields *out)
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
    if (extract->track2.error == CEMV_TRACK_OK) (void)cemv_digits_text(extract->track2.all, separator, out->track2, sizeof out->track2);
    if (extract->track1.error == CEMV_TRACK_OK) cemv_copy(out->track1, extract->track1.all.data, extract->track1.all.size);
}

void cemv_iso_fields_wipe(struct cemv_iso_fields *fields)
{
    cemv_zero(fields, sizeof *fields);
    __asm__ __volatile__("" : : "r"(fields) : "memory");
}
