/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the card's responses to Kernel 5, and the lists in them, as pure functions of bytes (Book C-5 v2.10, section
 * 4; Book 1, 11.3.4; Book 3, 5.4, 6.5). Knows no store, no command and no state. */
#include "k5.h"

static const cemv_bytes none = { NULL, 0 };

/* Finds an object among its siblings. Returns false if they cannot be parsed or the object occurs twice; a repeated
 * object is refused because two readers might use different ones. */
static bool read_once(cemv_bytes siblings, uint32_t tag, cemv_bytes *value)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(siblings);
    struct cemv_tlv object;
    bool found = false;
    *value = none;
    while (cemv_tlv_next(&cursor, &object)) {
        if (object.tag != tag) continue;
        if (found) return false;
        found = true;
        *value = object.value;
    }
    return cursor.error == CEMV_WIRE_OK;
}

/* The FCI ---------------------------------------------------------------------------------------------------------- */

/* Required are 84, A5 and a readable list of objects. A malformed label is not an error and counts as absent (Book 1,
 * 12.2.4). */
struct k5_fci k5_read_fci(cemv_bytes fci)
{
    enum { LABEL_MAX = 16 };
    struct k5_fci result = { .whole = false };
    cemv_bytes template;
    if (!cemv_tlv_sole_of(fci, CEMV_TAG_6F_FCI_TEMPLATE, &template)) return result;
    if (!read_once(template, CEMV_TAG_84_DF_NAME, &result.name) || result.name.size == 0) return result;
    if (!read_once(template, CEMV_TAG_A5_FCI_PROPRIETARY_TEMPLATE, &result.proprietary)) return result;
    if (result.proprietary.data == NULL || !read_once(result.proprietary, CEMV_TAG_9F38_PDOL, &result.pdol))
        return result;
    if (!read_once(result.proprietary, CEMV_TAG_50_APPLICATION_LABEL, &result.label) || result.label.size > LABEL_MAX)
        result.label = none;
    result.whole = true;
    return result;
}

/* GET PROCESSING OPTIONS ------------------------------------------------------------------------------------------- */

/* In format 1 the profile has the first two bytes, and the rest is the file locator. In format 2 all other objects are
 * ignored (4.4). */
struct k5_gpo k5_read_gpo(cemv_bytes body)
{
    struct k5_gpo result = { .whole = false };
    cemv_bytes value;
    if (cemv_tlv_sole_of(body, CEMV_TAG_80_RESPONSE_FORMAT_1, &value)) {
        if (value.size <= 2) return result;
        result.profile = cemv_bytes_part(value, 0, 2);
        result.locator = cemv_bytes_from(value, 2);
    } else if (!cemv_tlv_sole_of(body, CEMV_TAG_77_RESPONSE_FORMAT_2, &value) ||
               !read_once(value, CEMV_TAG_82_APPLICATION_INTERCHANGE_PROFILE, &result.profile) ||
               !read_once(value, CEMV_TAG_94_APPLICATION_FILE_LOCATOR, &result.locator)) {
        return result;
    }
    result.whole = result.profile.size == 2 && result.locator.size != 0;
    return result;
}

/* GENERATE AC ------------------------------------------------------------------------------------------------------ */

/* A response is parsed completely before any part of it is used: an object of a wrong length, or one that occurs twice,
 * makes the whole response unsound. Its mandatory objects depend on the type of the cryptogram and are checked
 * afterwards. */

static const struct {
    uint16_t tag;
    uint8_t min, max;
} objects[K5_OBJECTS] = {
    [K5_CID] = { CEMV_TAG_9F27_CRYPTOGRAM_INFORMATION_DATA, 1, 1 },
    [K5_ATC] = { CEMV_TAG_9F36_APPLICATION_TRANSACTION_COUNTER, 2, 2 },
    [K5_AC] = { CEMV_TAG_9F26_APPLICATION_CRYPTOGRAM, 8, 8 },
    [K5_IAD] = { CEMV_TAG_9F10_ISSUER_APPLICATION_DATA, 1, 32 },
    [K5_SDAD] = { CEMV_TAG_9F4B_SIGNED_DYNAMIC_APPLICATION_DATA, 1, 248 },
    [K5_STATUS] = { CEMV_TAG_9F50_CARDHOLDER_VERIFICATION_STATUS, 1, 1 },
    [K5_BALANCE] = { CEMV_TAG_9F5F_OFFLINE_BALANCE, 6, 6 },
    [K5_UPDATE] = { CEMV_TAG_9F60_ISSUER_UPDATE_PARAMETER, 1, 1 },
};

enum k5_object k5_object_of(uint32_t tag)
{
    unsigned i = 0;
    while (i < K5_OBJECTS && objects[i].tag != tag) i++;
    return (enum k5_object)i;
}

/* An empty object counts as absent (Annex B), but still may occur only once. */
static bool take(struct k5_answer *answer, const struct cemv_tlv *object, unsigned *seen)
{
    const enum k5_object i = k5_object_of(object->tag);
    const size_t size = object->value.size;
    if (i == K5_OBJECTS) return true;
    if ((*seen >> i & 1u) != 0 || (size != 0 && (size < objects[i].min || size > objects[i].max))) return false;
    *seen |= 1u << i;
    answer->object[i] = object->value;
    return true;
}

struct k5_answer k5_read_answer(cemv_bytes body)
{
    struct k5_answer answer = { .sound = false };
    struct cemv_tlv object;
    uint64_t balance;
    unsigned seen = 0;
    if (!cemv_tlv_sole_of(body, CEMV_TAG_77_RESPONSE_FORMAT_2, &answer.objects)) return answer;
    struct cemv_tlv_cursor cursor = cemv_tlv_open(answer.objects);
    while (cemv_tlv_next(&cursor, &object))
        if (!take(&answer, &object, &seen)) return answer;
    answer.sound = cursor.error == CEMV_WIRE_OK &&
                   (!k5_has(&answer, K5_BALANCE) || cemv_bcd_read(answer.object[K5_BALANCE], &balance));
    return answer;
}

/* Tables 4-4 to 4-6 without 9F4B, which k5_lacks_signature() checks. An invalid type fits no table. */
bool k5_is_first_answer(const struct k5_answer *answer, bool cda_asked)
{
    if (!answer->sound || !k5_has(answer, K5_CID) || !k5_has(answer, K5_ATC)) return false;
    const bool verified = k5_has(answer, K5_STATUS) && k5_has(answer, K5_IAD);
    switch (k5_type(answer)) {
    case CEMV_RULES_AAC: return k5_has(answer, K5_AC);
    case CEMV_RULES_TC: return verified;
    case CEMV_RULES_ARQC: return verified && (cda_asked || k5_has(answer, K5_AC));
    }
    return false;
}

bool k5_lacks_signature(const struct k5_answer *answer, bool cda_asked)
{
    const uint8_t type = k5_type(answer);
    return (type == CEMV_RULES_TC || (type == CEMV_RULES_ARQC && cda_asked)) && !k5_has(answer, K5_SDAD);
}

bool k5_is_second_answer(const struct k5_answer *answer)
{
    return answer->sound && k5_has(answer, K5_CID) && k5_has(answer, K5_ATC) && k5_has(answer, K5_AC);
}

/* Bits 8-3 are RFU and ignored (Book A, 8.1.1.9). */
uint8_t k5_update_of(const struct k5_answer *answer)
{
    return k5_has(answer, K5_UPDATE) ? answer->object[K5_UPDATE].data[0] & 3 : K5_UPDATE_NONE;
}

bool k5_tells_card_read(const struct k5_answer *answer, bool updates)
{
    const uint8_t update = k5_update_of(answer);
    return k5_has(answer, K5_SDAD) && (!updates || update == K5_UPDATE_NONE || update == K5_UPDATE_TWO);
}

/* Format 1: all values have fixed positions and lengths, so no other size is accepted. */
struct k5_answer k5_read_legacy_answer(cemv_bytes body)
{
    static const uint8_t ends[] = { [K5_CID] = 1, [K5_ATC] = 3, [K5_AC] = 11, [K5_IAD] = 19 };
    struct k5_answer answer = { .sound = false };
    cemv_bytes value;
    size_t from = 0;
    if (!cemv_tlv_sole_of(body, CEMV_TAG_80_RESPONSE_FORMAT_1, &value) || value.size != ends[K5_IAD]) return answer;
    answer.sound = true;
    for (size_t i = 0; i < sizeof ends; from = ends[i++])
        answer.object[i] = cemv_bytes_part(value, from, ends[i] - from);
    return answer;
}

/* Lists ------------------------------------------------------------------------------------------------------------ */

/* The book has two proprietary tags of two bytes, DF83 and DF84, although in BER-TLV a second byte such as 83 announces
 * a third one. Lists with them are parsed here: an entry is recognised by its tag together with its length, and all
 * other entries are left to the common cursor. */

bool k5_dol_next(struct cemv_dol_cursor *cursor, struct cemv_dol_entry *entry)
{
    enum { FIRST = 0xDF, AGENT = 0x83, AGENT_SIZE = 16, DATA = 0x84, DATA_SIZE = 50, ENTRY = 3 };
    const uint8_t *const at = cursor->at;
    if (cursor->error == CEMV_WIRE_OK && (uintptr_t)cursor->end - (uintptr_t)at >= ENTRY && at[0] == FIRST) {
        const bool is_agent = at[1] == AGENT && at[2] == AGENT_SIZE;
        if (is_agent || (at[1] == DATA && at[2] == DATA_SIZE)) {
            entry->tag = is_agent ? K5_TAG_DF83 : K5_TAG_DF84;
            entry->length = at[2];
            cursor->at += ENTRY;
            return true;
        }
    }
    return cemv_dol_next(cursor, entry);
}

bool k5_dol_asks(cemv_bytes dol, uint32_t tag, uint8_t length)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(dol);
    struct cemv_dol_entry entry;
    while (k5_dol_next(&cursor, &entry))
        if (entry.tag == tag && (length == 0 || entry.length == length)) return true;
    return false;
}

/* Annex B, primitive objects; ascending. */
bool k5_is_in_dictionary(uint32_t tag)
{
    static const uint16_t tags[] = {
        0x42,   0x4F,   0x50,   0x57,   0x5A,   0x82,   0x84,   0x87,   0x8A,   0x8C,   0x8D,   0x8E,   0x8F,   0x90,
        0x91,   0x92,   0x94,   0x95,   0x9A,   0x9C,   0x5F20, 0x5F24, 0x5F25, 0x5F28, 0x5F2A, 0x5F2D, 0x5F34, 0x5F36,
        0x9F01, 0x9F02, 0x9F03, 0x9F07, 0x9F08, 0x9F0A, 0x9F0C, 0x9F0D, 0x9F0E, 0x9F0F, 0x9F10, 0x9F11, 0x9F12, 0x9F15,
        0x9F19, 0x9F1A, 0x9F1F, 0x9F21, 0x9F24, 0x9F25, 0x9F26, 0x9F27, 0x9F32, 0x9F34, 0x9F35, 0x9F36, 0x9F37, 0x9F38,
        0x9F42, 0x9F46, 0x9F47, 0x9F48, 0x9F4A, 0x9F4B, 0x9F4E, 0x9F50, 0x9F52, 0x9F53, 0x9F5F, 0x9F60, 0x9F6E, 0x9F7C,
    };
    size_t from = 0, to = sizeof tags / sizeof tags[0];
    while (from < to) {
        const size_t middle = (from + to) / 2;
        if (tags[middle] == tag) return true;
        if (tags[middle] < tag) from = middle + 1;
        else to = middle;
    }
    return false;
}
