/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 6: the GET PROCESSING OPTIONS response, cardholder verification, processing restrictions, terminal action
 * analysis, script commands (Book C-6 v2.6, 3.2 to 3.10).
 *
 * The card states in its Card Processing Requirements (CPR, 9F71) the actions that it requests for failures, and in the
 * Card Verification Results (CVR) the results of the checks that it made. Steps have the numbers of the book's figures.
 * Pure functions; they know no store and no command in progress. */
#include "k6.h"
#include "../../rules/rules.h"

/* GET PROCESSING OPTIONS (3.2) ------------------------------------------------------------------------------------- */

bool k6_response_objects(cemv_bytes body, cemv_bytes *objects)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(body);
    struct cemv_tlv template;
    if (!cemv_tlv_next(&cursor, &template) || cursor.at != cursor.end) return false;
    *objects = template.value;
    return template.tag == CEMV_TAG_77_RESPONSE_FORMAT_2;
}

/* The objects that are checked below: indices of the table, and bits of the sets. */
enum {
    PROFILE,
    LOCATOR,
    COUNTER,
    ISSUER_DATA,
    INFORMATION,
    REQUIREMENTS,
    TRACK,
    SEQUENCE,
    USAGE,
    EFFECTIVE,
    VERSION,
    BALANCE,
    CRYPTOGRAM,
    SIGNATURE,
    LOOKED_AT
};
#define BIT(place) (1u << (place))
enum {
    SEEN = 128, /* the last seven bits distinguish the tags of an ordinary card */
    /* F3-7.3 to .7 */
    IN_EMV_MODE = BIT(PROFILE) | BIT(COUNTER) | BIT(ISSUER_DATA) | BIT(INFORMATION) | BIT(REQUIREMENTS),
    IN_MS_MODE = BIT(PROFILE) | BIT(LOCATOR),
    /* F3-8.7 to .12: objects that are otherwise in a record */
    OF_RECORDS = BIT(TRACK) | BIT(SEQUENCE) | BIT(USAGE) | BIT(EFFECTIVE) | BIT(VERSION),
};

/* Absent and empty objects are treated alike. If an object occurs twice, either counts, because that ends the tap
 * anyway. */
struct looked_at {
    unsigned present;    /* the object has a value */
    unsigned sound;      /* the value also has a length that the book allows */
    bool has_locator;    /* even if empty */
    uint8_t information; /* 9F27 */
    bool maybe_twice, broken;
};

/* The index of a tag's object; LOOKED_AT for all others. */
static unsigned object_of(uint32_t tag)
{
    switch (tag) {
    case CEMV_TAG_82_APPLICATION_INTERCHANGE_PROFILE: return PROFILE;
    case CEMV_TAG_94_APPLICATION_FILE_LOCATOR: return LOCATOR;
    case CEMV_TAG_9F36_APPLICATION_TRANSACTION_COUNTER: return COUNTER;
    case CEMV_TAG_9F10_ISSUER_APPLICATION_DATA: return ISSUER_DATA;
    case CEMV_TAG_9F27_CRYPTOGRAM_INFORMATION_DATA: return INFORMATION;
    case CEMV_TAG_9F71_CARD_PROCESSING_REQUIREMENTS: return REQUIREMENTS;
    case CEMV_TAG_57_TRACK_2_EQUIVALENT_DATA: return TRACK;
    case CEMV_TAG_5F34_PAN_SEQUENCE_NUMBER: return SEQUENCE;
    case CEMV_TAG_9F07_APPLICATION_USAGE_CONTROL: return USAGE;
    case CEMV_TAG_5F25_APPLICATION_EFFECTIVE_DATE: return EFFECTIVE;
    case CEMV_TAG_9F08_APPLICATION_VERSION_NUMBER_CARD: return VERSION;
    case CEMV_TAG_D1_OFFLINE_BALANCE: return BALANCE;
    case CEMV_TAG_9F26_APPLICATION_CRYPTOGRAM: return CRYPTOGRAM;
    case CEMV_TAG_9F4B_SIGNED_DYNAMIC_APPLICATION_DATA: return SIGNATURE;
    }
    return LOOKED_AT;
}

static bool length_is_sound(unsigned place, size_t size)
{
    static const struct {
        uint8_t min, max;
    } rows[LOOKED_AT] = {
        [PROFILE] = { 2, 2 },     [LOCATOR] = { 4, 252 },    [COUNTER] = { 2, 2 }, [ISSUER_DATA] = { 1, 255 },
        [INFORMATION] = { 1, 1 }, [REQUIREMENTS] = { 2, 2 }, [TRACK] = { 1, 19 },  [SEQUENCE] = { 1, 1 },
        [USAGE] = { 2, 2 },       [EFFECTIVE] = { 3, 3 },    [VERSION] = { 2, 2 }, [BALANCE] = { 6, 6 },
        [CRYPTOGRAM] = { 8, 8 },  [SIGNATURE] = { 1, 255 },
    };
    if (size < rows[place].min || size > rows[place].max) return false;
    return place != LOCATOR || size % 4 == 0; /* Book 3, 7.5: entries of four bytes */
}

static void note(struct looked_at *found, const struct cemv_tlv *object)
{
    const size_t size = object->value.size;
    const unsigned place = object_of(object->tag);
    if (place == LOOKED_AT) return;
    if (place == LOCATOR) found->has_locator = true;
    if (size == 0) return;
    if (place == INFORMATION) found->information = object->value.data[0];
    found->present |= BIT(place);
    if (length_is_sound(place, size)) found->sound |= BIT(place);
}

/* One pass over the response. Comparing every pair of tags would be slow, so this only notices whether the low bits of
 * two tags are equal; the caller compares fully in that rare case. */
static struct looked_at look_at(cemv_bytes objects)
{
    struct looked_at found = { .present = 0 };
    bool seen[SEEN] = { false }; /* index: the last bits of a tag */
    struct cemv_tlv_cursor cursor = cemv_tlv_open(objects);
    struct cemv_tlv object;
    while (cemv_tlv_next(&cursor, &object)) {
        bool *const last = &seen[object.tag % SEEN];
        found.maybe_twice |= *last;
        *last = true;
        note(&found, &object);
    }
    found.broken = cursor.error != CEMV_WIRE_OK;
    return found;
}

static bool has_all(const struct looked_at *found, unsigned wanted) { return (wanted & ~found->sound) == 0; }

/* F3-8 and F3-9. A TC has its cryptogram inside the signature, so 9F4B must be present and 9F26 absent; for every other
 * type it is the reverse. Some of these steps set TVR byte 1 bit 6, but they all end the tap, so that the bit is never
 * seen. */
static bool has_data_of_cryptogram(const struct looked_at *found, bool is_tc)
{
    const unsigned proof = is_tc ? BIT(SIGNATURE) : BIT(CRYPTOGRAM), proofs = BIT(SIGNATURE) | BIT(CRYPTOGRAM);
    if ((found->present & ~found->sound & BIT(BALANCE)) != 0) return false;
    if ((found->present & proofs) != proof || !has_all(found, proof)) return false;
    if (!found->has_locator) return !is_tc && has_all(found, OF_RECORDS);
    return has_all(found, BIT(LOCATOR));
}

struct k6_response k6_check_response(cemv_bytes objects, bool magstripe)
{
    const struct looked_at found = look_at(objects);
    struct k6_response response = {
        .cryptogram = found.information >> 6,
        .broken = found.broken,
        .maybe_twice = found.maybe_twice,
    };
    if (found.broken || !has_all(&found, magstripe ? IN_MS_MODE : IN_EMV_MODE)) response.verdict = K6_REFUSED;
    else if (!magstripe && !has_data_of_cryptogram(&found, response.cryptogram == K6_TC)) response.verdict = K6_ERROR;
    return response;
}

/* Cardholder verification (3.5) ------------------------------------------------------------------------------------ */

static bool ttq_has(const uint8_t ttq[4], unsigned byte, uint8_t bit) { return (ttq[byte - 1] & bit) != 0; }

static struct k6_cvm cvm_of(uint8_t cvm)
{
    return (struct k6_cvm){ .verdict = K6_FINE, .cvm = cvm, .performed = true };
}

static bool has_online_pin(const struct k6_cvm_in *in)
{
    return ttq_has(in->ttq, 1, CEMV_TTQ_1_ONLINE_PIN) &&
           !(in->needs_online && ttq_has(in->ttq, 1, CEMV_TTQ_1_OFFLINE_ONLY));
}

static bool has_signature(const struct k6_cvm_in *in) { return ttq_has(in->ttq, 1, CEMV_TTQ_1_SIGNATURE); }

/* F3-12.13: card and reader have no method in common. */
static struct k6_cvm nothing_in_common(const struct k6_cvm_in *in)
{
    return (struct k6_cvm){ .verdict = in->other_interface ? K6_OTHER_INTERFACE : K6_ERROR, .performed = true };
}

/* F3-13: the device's own verification. A failed one never counts as verified, whatever else the card reports. */
static struct k6_cvm verify_device(const struct k6_cvm_in *in)
{
    enum { CODE_FAILED = 0x01, CODE_PERFORMED = 0x02 };
    if ((in->cvr[1] & CODE_FAILED) == 0 && (in->cvr[1] & CODE_PERFORMED) != 0) return cvm_of(CEMV_CVM_CDCVM);
    if ((in->cpr[1] & CEMV_CPR_2_SIGNATURE_FALLBACK) != 0 && has_signature(in)) return cvm_of(CEMV_CVM_SIGNATURE);
    if ((in->cpr[1] & CEMV_CPR_2_NO_CVM_FALLBACK) != 0) return cvm_of(CEMV_CVM_NONE);
    return (struct k6_cvm){ .verdict = K6_ERROR, .performed = true };
}

/* F3-12.10 to .13 */
static struct k6_cvm device_or_none(const struct k6_cvm_in *in)
{
    if (ttq_has(in->ttq, 3, CEMV_TTQ_3_CONSUMER_DEVICE_CVM) && (in->cpr[0] & CEMV_CPR_1_CONSUMER_DEVICE_CVM_DONE) != 0)
        return verify_device(in);
    if ((in->cpr[1] & CEMV_CPR_2_NO_CVM_FALLBACK) != 0) return cvm_of(CEMV_CVM_NONE);
    return nothing_in_common(in);
}

/* F3-12, literally: the card's request for a method counts even below the limit. If the reader lacks online PIN, the
 * card may accept a signature instead. */
static struct k6_cvm cvm_of_card(const struct k6_cvm_in *in)
{
    const bool wants_pin = (in->cpr[0] & CEMV_CPR_1_ONLINE_PIN_REQUIRED) != 0;
    bool wants_signature = (in->cpr[0] & CEMV_CPR_1_SIGNATURE_REQUIRED) != 0;
    if (!ttq_has(in->ttq, 2, CEMV_TTQ_2_CVM_REQUIRED) && !wants_pin && !wants_signature)
        return (struct k6_cvm){ .cvm = CEMV_CVM_NONE };
    if (wants_pin) {
        if (has_online_pin(in)) return cvm_of(CEMV_CVM_ONLINE_PIN);
        wants_signature = (in->cpr[1] & CEMV_CPR_2_SIGNATURE_FALLBACK) != 0;
    }
    if (wants_signature && has_signature(in)) return cvm_of(CEMV_CVM_SIGNATURE);
    return device_or_none(in);
}

/* Online PIN needs no trust, so the method is a signature, a device or nothing. */
static bool is_distrusted(const struct k6_cvm_in *in, uint8_t cvm)
{
    if (cvm == CEMV_CVM_NONE) return in->distrust_none;
    if (cvm == CEMV_CVM_SIGNATURE) return in->distrust_signature && has_online_pin(in);
    return in->distrust_device;
}

/* The method of the book, then the rules beyond it. Without a good signature, anybody could have changed the card's
 * requirements and the CVR. If a verification is required, online PIN therefore replaces a method that is not
 * trusted. */
struct k6_cvm k6_cvm(const struct k6_cvm_in *in)
{
    struct k6_cvm cvm = cvm_of_card(in);
    if (cvm.verdict != K6_FINE || cvm.cvm == CEMV_CVM_ONLINE_PIN || in->proven) return cvm;
    if (ttq_has(in->ttq, 2, CEMV_TTQ_2_CVM_REQUIRED)) {
        cvm.from_plain = has_online_pin(in);
        if (is_distrusted(in, cvm.cvm)) {
            cvm = has_online_pin(in) ? cvm_of(CEMV_CVM_ONLINE_PIN) : nothing_in_common(in);
            cvm.replaced = true;
            cvm.from_plain = true;
        }
    }
    cvm.unproven = cvm.cvm == CEMV_CVM_CDCVM;
    return cvm;
}

/* Processing restrictions (3.6) ------------------------------------------------------------------------------------ */

bool k6_usage_refused(const struct k6_usage_in *in)
{
    /* F3-14.2, .3: checked if both are present; a TC must have both. */
    if (in->control.size != 2 || in->issuer.size == 0) return in->cryptogram == K6_TC;
    const bool atm = in->terminal_type.size != 0 && cemv_rules_is_atm(in->terminal_type.data[0], in->capabilities);
    const unsigned services = cemv_rules_services(in->type, in->cash_back);
    return !cemv_rules_place_allowed(in->control.data, atm) ||
           !cemv_rules_services_allowed(in->control.data, cemv_bytes_equal(in->issuer, in->country), services);
}

/* The last day of the expiry month in track 2, in days. */
static bool track_expiry(cemv_bytes track, uint32_t *last_day)
{
    static const uint8_t last[] = { 0x31, 0x30, 0x29, 0x28 };
    uint8_t date[3];
    if (!cemv_track2_expiry(track, date)) return false;
    for (size_t i = 0; i < sizeof last; i++) {
        date[2] = last[i];
        if (cemv_date_read((cemv_bytes){ date, sizeof date }, last_day)) return true;
    }
    return false;
}

/* F3-14.4 to .13. An invalid date ends the tap only if it is used (Book 3, 7.5). */
struct k6_dates k6_dates(const struct k6_dates_in *in)
{
    struct k6_dates dates = { .expiry_known = in->track_2.size != 0 || in->expiry.size != 0 };
    uint32_t today = 0, day = 0;
    (void)cemv_date_read((cemv_bytes){ in->today, sizeof in->today }, &today);
    if (dates.expiry_known) { /* 57 counts if both are present */
        const bool sound = in->track_2.size != 0 ? track_expiry(in->track_2, &day) : cemv_date_read(in->expiry, &day);
        if (!sound) dates.verdict = K6_ERROR;
        if (today > day) dates.tvr_2 |= CEMV_TVR_2_EXPIRED;
    }
    const bool versions = in->card_version.size != 0 && in->effective.size != 0; /* F3-14.9 */
    if (versions && !cemv_bytes_equal(in->card_version, in->version)) dates.tvr_2 |= CEMV_TVR_2_DIFFERENT_VERSIONS;
    if (versions || (in->effective_alone && in->effective.size != 0)) {
        if (!cemv_date_read(in->effective, &day)) dates.verdict = K6_ERROR;
        if (day > today) dates.tvr_2 |= CEMV_TVR_2_NOT_YET_EFFECTIVE;
    }
    return dates;
}

/* Terminal action analysis (3.7) ----------------------------------------------------------------------------------- */

static uint8_t switch_interface(const struct k6_action_in *in) { return in->other_interface ? K6_SWITCH : K6_DECLINED; }

/* F3-15.6, .7: an offline-only reader cannot go online; the card may then prefer another interface. */
static uint8_t go_online(const struct k6_action_in *in)
{
    if (!ttq_has(in->ttq, 1, CEMV_TTQ_1_OFFLINE_ONLY)) return K6_GO_ONLINE;
    return (in->cpr[1] & CEMV_CPR_2_SWITCH_IF_NOT_ONLINE) != 0 ? switch_interface(in) : K6_DECLINED;
}

/* F3-16. A TC is declined if an online cryptogram was required: the card did not follow the reader's request. */
static uint8_t validate(const struct k6_action_in *in)
{
    if (in->cryptogram == K6_ARQC)
        return in->needs_online && ttq_has(in->ttq, 1, CEMV_TTQ_1_OFFLINE_ONLY) ? K6_DECLINED : K6_GO_ONLINE;
    if (ttq_has(in->ttq, 2, CEMV_TTQ_2_ONLINE_CRYPTOGRAM_REQUIRED)) return K6_DECLINED;
    return (in->tvr[0] & CEMV_TVR_1_CDA_FAILED) == 0 ? K6_APPROVED : K6_DECLINED;
}

/* F3-15, in its order: an AAC is declined. Then comes a failed signature, for which the card names an action, then the
 * findings that always decline, then the dates, and finally the card's own decision. */
uint8_t k6_action(const struct k6_action_in *in)
{
    const uint8_t refused = CEMV_TVR_1_ON_EXCEPTION_FILE | CEMV_TVR_1_ICC_DATA_MISSING;
    if (in->cryptogram != K6_TC && in->cryptogram != K6_ARQC) return K6_DECLINED;
    if ((in->tvr[0] & CEMV_TVR_1_CDA_FAILED) != 0) {
        if ((in->cpr[1] & CEMV_CPR_2_DECLINE_IF_CDA_FAILS) != 0) return switch_interface(in);
        if (in->refuse_failed) return K6_DECLINED;
        if ((in->cpr[1] & CEMV_CPR_2_ONLINE_IF_CDA_FAILS) != 0) return go_online(in);
    }
    if ((in->tvr[1] & CEMV_TVR_2_SERVICE_NOT_ALLOWED) != 0 || (in->tvr[0] & refused) != 0) return K6_DECLINED;
    if ((in->tvr[1] & CEMV_TVR_2_EXPIRED) != 0) {
        if ((in->cpr[1] & CEMV_CPR_2_DECLINE_IF_EXPIRED) != 0) return K6_DECLINED;
        if ((in->cpr[1] & CEMV_CPR_2_ONLINE_IF_EXPIRED) != 0) return go_online(in);
    }
    if ((in->tvr[1] & CEMV_TVR_2_NOT_YET_EFFECTIVE) != 0) return go_online(in);
    return validate(in);
}

/* Issuer scripts (3.10) -------------------------------------------------------------------------------------------- */

/* Table 2-2, note 1: only four commands may be passed to the card. Anything whose length fields do not fit is not a
 * command. */
bool k6_script_command(cemv_bytes bytes, struct cemv_command *command)
{
    enum { CLASS = 0x84, UNBLOCK = 0x18, BLOCK = 0x1E, PUT_DATA = 0xDA, UPDATE_RECORD = 0xDC, HEADER = 5 };
    if (bytes.size < HEADER || bytes.data[0] != CLASS) return false;
    const uint8_t instruction = bytes.data[1];
    const size_t lc = bytes.data[4], behind = bytes.size - HEADER;
    if (instruction != UNBLOCK && instruction != BLOCK && instruction != PUT_DATA && instruction != UPDATE_RECORD)
        return false;
    if (behind != lc && behind != lc + 1) return false;
    const uint8_t le = bytes.data[bytes.size - 1];
    *command = (struct cemv_command){
        .cla = CLASS,
        .ins = instruction,
        .p1 = bytes.data[2],
        .p2 = bytes.data[3],
        .data = { bytes.data + HEADER, lc },
        .le = behind == lc && lc != 0 ? 0
            : le != 0                 ? le
                                      : CEMV_LE_MAX,
    };
    return true;
}
