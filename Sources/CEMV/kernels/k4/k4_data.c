/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 4: the required format of the card's responses, and the tracks of mag-stripe mode (Book C-4 v2.10, Table 14-1,
 * 11.2.1, 12.2.1.3). An object counts only if it comes in the response that Table 14-1 names. Pure functions over
 * bytes. */
#include "k4.h"

/* An object that is expected in a response. It is malformed if it occurs twice or has another length; an empty one
 * counts as absent. */
struct wanted {
    uint32_t tag;
    uint8_t min, max;
    cemv_bytes *value;
};

static bool take(const struct wanted *wanted, const struct cemv_tlv *object)
{
    if (object->value.size == 0) return true;
    if (wanted->value->size != 0 || object->value.size < wanted->min || object->value.size > wanted->max) return false;
    *wanted->value = object->value;
    return true;
}

static bool take_all(cemv_bytes objects, const struct wanted *wanted, size_t count)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(objects);
    struct cemv_tlv object;
    while (cemv_tlv_next(&cursor, &object)) {
        for (size_t i = 0; i < count; i++)
            if (object.tag == wanted[i].tag && !take(&wanted[i], &object)) return false;
    }
    return cursor.error == CEMV_WIRE_OK;
}

/* The FCI was read by Entry Point before this kernel was chosen; here it is checked by this book's own rules. */
bool k4_fci_ok(cemv_bytes fci)
{
    cemv_bytes objects, name = { NULL, 0 }, proprietary = name, issuer = name;
    const struct wanted below_6f[] = { { CEMV_TAG_84_DF_NAME, 5, 16, &name },
                                       { CEMV_TAG_A5_FCI_PROPRIETARY_TEMPLATE, 1, 255, &proprietary } };
    const struct wanted below_a5[] = { { CEMV_TAG_BF0C_FCI_ISSUER_DISCRETIONARY_DATA, 1, 255, &issuer } };
    return cemv_tlv_sole_of(fci, CEMV_TAG_6F_FCI_TEMPLATE, &objects) &&
           take_all(objects, below_6f, sizeof below_6f / sizeof below_6f[0]) && name.size != 0 &&
           take_all(proprietary, below_a5, 1) && cemv_tlv_is_list(issuer);
}

/* Format 1 has no tags: the profile has the first two bytes, and the rest is the file locator. It cannot contain 9F71,
 * so a phone answers in format 2. */
bool k4_read_options(cemv_bytes body, struct k4_options *options)
{
    enum { PROFILE_SIZE = 2, ENTRY_SIZE = 4 };
    struct cemv_tlv object;
    *options = (struct k4_options){ .mobile = { NULL, 0 } };
    const struct wanted wanted[] = {
        { CEMV_TAG_82_APPLICATION_INTERCHANGE_PROFILE, PROFILE_SIZE, PROFILE_SIZE, &options->profile },
        { CEMV_TAG_94_APPLICATION_FILE_LOCATOR, 1, 255, &options->locator },
        { CEMV_TAG_9F71_MOBILE_CVM_RESULTS, 3, 3, &options->mobile },
    };
    if (!cemv_tlv_sole(body, &object)) return false;
    if (object.tag == CEMV_TAG_77_RESPONSE_FORMAT_2)
        return take_all(object.value, wanted, sizeof wanted / sizeof wanted[0]) && options->profile.size != 0 &&
               options->locator.size != 0;
    if (object.tag != CEMV_TAG_80_RESPONSE_FORMAT_1 || object.value.size < PROFILE_SIZE + ENTRY_SIZE) return false;
    options->profile = cemv_bytes_part(object.value, 0, PROFILE_SIZE);
    options->locator = cemv_bytes_from(object.value, PROFILE_SIZE);
    return true;
}

cemv_bytes k4_read_counter(cemv_bytes body)
{
    cemv_bytes counter;
    const bool found = cemv_tlv_sole_of(body, CEMV_TAG_9F36_APPLICATION_TRANSACTION_COUNTER, &counter);
    return found && counter.size == 2 ? counter : (cemv_bytes){ NULL, 0 };
}

/* GENERATE AC (11.2.1) --------------------------------------------------------------------------------------------- */

/* There are two formats. In format 1 values have fixed positions without tags, and only the last may vary in length.
 * Format 2 has tags, and a signature requires it. */

enum { INFORMATION_SIZE = 1, COUNTER_SIZE = 2, CRYPTOGRAM_SIZE = 8, ISSUER_MAX = 32 };

static bool read_format_1(cemv_bytes value, struct k4_answer *answer)
{
    enum { COUNTER = INFORMATION_SIZE, CRYPTOGRAM = COUNTER + COUNTER_SIZE, ISSUER = CRYPTOGRAM + CRYPTOGRAM_SIZE };
    if (value.size < ISSUER || value.size > ISSUER + ISSUER_MAX) return false;
    answer->information = cemv_bytes_part(value, 0, INFORMATION_SIZE);
    answer->counter = cemv_bytes_part(value, COUNTER, COUNTER_SIZE);
    answer->cryptogram = cemv_bytes_part(value, CRYPTOGRAM, CRYPTOGRAM_SIZE);
    answer->issuer = cemv_bytes_from(value, ISSUER);
    return true;
}

static bool read_format_2(cemv_bytes objects, struct k4_answer *answer)
{
    const struct wanted wanted[] = {
        { CEMV_TAG_9F27_CRYPTOGRAM_INFORMATION_DATA, INFORMATION_SIZE, INFORMATION_SIZE, &answer->information },
        { CEMV_TAG_9F36_APPLICATION_TRANSACTION_COUNTER, COUNTER_SIZE, COUNTER_SIZE, &answer->counter },
        { CEMV_TAG_9F26_APPLICATION_CRYPTOGRAM, CRYPTOGRAM_SIZE, CRYPTOGRAM_SIZE, &answer->cryptogram },
        { CEMV_TAG_9F10_ISSUER_APPLICATION_DATA, 1, ISSUER_MAX, &answer->issuer },
        { CEMV_TAG_9F4B_SIGNED_DYNAMIC_APPLICATION_DATA, 1, 255, &answer->signature },
    };
    answer->objects = objects;
    return take_all(objects, wanted, sizeof wanted / sizeof wanted[0]) && answer->information.size != 0 &&
           answer->counter.size != 0;
}

/* If a signature was requested, the cryptogram of a TC or ARQC is inside the signature; an AAC is not signed. */
bool k4_read_answer(cemv_bytes body, bool signature_asked, struct k4_answer *answer)
{
    struct cemv_tlv object;
    *answer = (struct k4_answer){ .objects = { NULL, 0 } };
    if (!cemv_tlv_sole(body, &object)) return false;
    const bool plain = object.tag == CEMV_TAG_80_RESPONSE_FORMAT_1;
    if (!plain && object.tag != CEMV_TAG_77_RESPONSE_FORMAT_2) return false;
    if (!(plain ? read_format_1(object.value, answer) : read_format_2(object.value, answer))) return false;
    const bool is_signed = signature_asked && (answer->information.data[0] & CEMV_RULES_TYPE) != CEMV_RULES_AAC;
    return is_signed ? !plain : answer->cryptogram.size != 0;
}

/* Tracks (12.2.1.3) ------------------------------------------------------------------------------------------------ */

/* In mag-stripe mode the host receives tracks that look like those of a magnetic stripe. In place of the issuer's
 * discretionary digits they contain the transaction counter and digits of the unpredictable number and of the
 * cryptogram. A host that knows the card's key recomputes them. All fields have fixed positions, so no value may be
 * longer or shorter than its field. */

enum { PAN_DIGITS = 15, NAME_SIZE = 21, SERVICE_AT = PAN_DIGITS + 1 + 4, SERVICE_DIGITS = 3, SEPARATOR = 0x0D };

bool k4_tracks_usable(cemv_bytes pan, cemv_bytes track_2)
{
    enum { NEEDED = SERVICE_AT + SERVICE_DIGITS };
    if (cemv_cn_digits(pan) != PAN_DIGITS) return false;
    const size_t end = 2 * track_2.size;
    return cemv_digits_end(track_2.data, 0, end) == PAN_DIGITS && cemv_nibble(track_2.data, PAN_DIGITS) == SEPARATOR &&
           cemv_digits_end(track_2.data, PAN_DIGITS + 1, end) >= NEEDED;
}

static uint8_t *put_digits(uint8_t *at, const uint8_t *data, size_t from, size_t count)
{
    for (size_t i = 0; i < count; i++) *at++ = (uint8_t)('0' + cemv_nibble(data, from + i));
    return at;
}

/* The last `count` digits of a number. */
static uint8_t *put_number(uint8_t *at, uint32_t number, size_t count)
{
    for (size_t i = count; i > 0; i--, number /= 10) at[i - 1] = (uint8_t)('0' + number % 10);
    return at + count;
}

/* A separator character in the card's name would shift all following fields, so it becomes a space. */
static uint8_t *put_name(uint8_t *at, cemv_bytes name)
{
    for (size_t i = 0; i < NAME_SIZE; i++) {
        const uint8_t given = i < name.size ? name.data[i] : ' ';
        const bool takes = given > ' ' && given <= '~' && given != '%' && given != '^' && given != '?' && given != ';';
        *at++ = takes ? given : ' ';
    }
    return at;
}

/* Writes expiry date, service code, the number of this transaction, and five digits of the cryptogram. */
static uint8_t *put_dynamic(uint8_t *at, const struct k4_tracks_in *in)
{
    const uint8_t *const last = in->cryptogram + CRYPTOGRAM_SIZE - 3;
    at = put_digits(at, in->expiry.data, 0, 4);
    at = put_digits(at, in->track_2.data, SERVICE_AT, SERVICE_DIGITS);
    at = put_digits(at, in->number, 4, 4);
    return put_number(at, (uint32_t)last[0] << 16 | cemv_be16(last + 1), 5);
}

/* The dynamic digits are equal in both tracks; track 1 has the counter before them, track 2 after them. */
void k4_make_tracks(const struct k4_tracks_in *in, uint8_t track_1[K4_TRACK_1_SIZE], uint8_t track_2[K4_TRACK_2_SIZE])
{
    uint8_t *at = track_1;
    *at++ = '%';
    *at++ = 'B';
    at = put_digits(at, in->pan.data, 0, PAN_DIGITS);
    *at++ = '^';
    at = put_name(at, in->name);
    at = put_number(at, cemv_be16(in->counter), 5);
    *at++ = '^';
    at = put_dynamic(at, in);
    *at = '?';
    at = track_2;
    *at++ = ';';
    at = put_digits(at, in->pan.data, 0, PAN_DIGITS);
    *at++ = '=';
    at = put_dynamic(at, in);
    at = put_number(at, cemv_be16(in->counter), 5);
    *at = '?';
}
