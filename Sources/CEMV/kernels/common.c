// SPDX-License-Identifier: Apache-2.0
/* What all kernels share, and the functions of include/cemv_kernel.h for kernels of other makers. */
#include "kernel.h"

enum {
    PAN_DIGITS_MAX = 19,
    PAN_BYTES_MAX = 10,
    TRACK_2_SEPARATOR = 0x0D,
    SHORT_LENGTH_MAX = 127,
    RID_SIZE = 5,
};

static const cemv_bytes nothing = { NULL, 0 };

/* Protection ---------------------------------------------------------------------------------------------------------
 */

const struct cemv_protection *cemv_protection_of(const struct cemv_kernel *kernel)
{
    const struct cemv_combination *combination = kernel->combination;
    if (combination && combination->own_protection) return &combination->protection;
    return &kernel->checked->configuration.protection;
}

uint8_t cemv_rule_of(const struct cemv_protection *protection, uint8_t set, uint8_t guarded, uint8_t strict)
{
    if (set != CEMV_RULE_PROFILE) return set;
    if (protection->profile == CEMV_PROFILE_BOOK) return CEMV_RULE_REPORT;
    return protection->profile == CEMV_PROFILE_STRICT ? strict : guarded;
}

/* The end ------------------------------------------------------------------------------------------------------------
 */

void cemv_error_set(struct cemv_outcome *outcome, uint8_t l1, uint8_t l2, uint16_t status_word)
{
    outcome->error_indication[0] = l1;
    outcome->error_indication[1] = l2;
    cemv_put_be16(outcome->error_indication + 3, status_word);
    outcome->error_indication[5] = outcome->ui_on_outcome_present ? outcome->ui_on_outcome.message : 0;
}

enum cemv_step cemv_end(struct cemv_kernel *kernel, const struct cemv_edges *edges, const struct cemv_outcome *outcome)
{
    kernel->out.outcome = *outcome;
    return cemv_output_finish(&kernel->out, edges);
}

enum cemv_step cemv_end_card_fault(struct cemv_kernel *kernel, const struct cemv_edges *edges, uint8_t reason,
                                   uint8_t l2, uint16_t status_word)
{
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_END_APPLICATION, reason);
    cemv_outcome_show(&outcome, CEMV_MESSAGE_TRY_ANOTHER_CARD, CEMV_UI_PROCESSING_ERROR);
    cemv_error_set(&outcome, CEMV_L1_OK, l2, status_word);
    kernel->out.record_size = 0;
    kernel->out.discretionary_size = 0;
    return cemv_end(kernel, edges, &outcome);
}

/* Random numbers ------------------------------------------------------------------------------------------------------
 */

void cemv_random_fill(struct cemv_random *random, cemv_bytes bytes)
{
    random->size = (uint8_t)(bytes.size < sizeof random->pool ? bytes.size : sizeof random->pool);
    random->used = 0;
    cemv_copy(random->pool, bytes.data, random->size);
}

bool cemv_random_draw(struct cemv_random *random, uint8_t number[4])
{
    if (random->size - random->used < 4) return false;
    cemv_copy(number, random->pool + random->used, 4);
    cemv_zero(random->pool + random->used, 4);
    random->used = (uint8_t)(random->used + 4);
    return true;
}

bool cemv_random_seen(struct cemv_random *random, const uint8_t number[4])
{
    bool seen = false;
    for (unsigned i = 0; i < random->count && i < CEMV_UN_MEMORY; i++)
        if (__builtin_memcmp(random->numbers[i], number, 4) == 0) seen = true;
    cemv_copy(random->numbers[random->count % CEMV_UN_MEMORY], number, 4);
    if (random->count < 2 * CEMV_UN_MEMORY - 1) random->count++;
    else random->count = CEMV_UN_MEMORY;
    return seen;
}

/* The FCI ------------------------------------------------------------------------------------------------------------
 */

static const uint32_t fci_path[] = {
    CEMV_TAG_6F_FCI_TEMPLATE,
    CEMV_TAG_A5_FCI_PROPRIETARY_TEMPLATE,
    CEMV_TAG_BF0C_FCI_ISSUER_DISCRETIONARY_DATA,
};
enum { FCI_LEVELS = sizeof fci_path / sizeof fci_path[0], FCI_VALUES = 2 };

/* The values of `tags` below 6F, its A5 or that one's BF0C, in one pass: the outermost of each counts, and the first
 * there. */
static void fci_values(const struct cemv_kernel *kernel, const uint32_t *tags, size_t count, cemv_bytes *values)
{
    cemv_bytes level = { kernel->store.arena + kernel->fci_offset, kernel->fci_size };
    for (size_t i = 0; i < count; i++) values[i] = nothing;
    for (size_t depth = 0; depth <= FCI_LEVELS; depth++) {
        struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(level);
        struct cemv_tlv object;
        level = nothing;
        while (cemv_tlv_next_inline(&cursor, &object)) {
            if (depth < FCI_LEVELS && level.data == NULL && object.tag == fci_path[depth]) level = object.value;
            for (size_t i = 0; i < count && depth > 0; i++)
                if (object.tag == tags[i] && values[i].data == NULL) values[i] = object.value;
        }
        if (level.data == NULL) return;
    }
}

cemv_bytes cemv_fci_value(const struct cemv_kernel *kernel, uint32_t tag)
{
    cemv_bytes value;
    fci_values(kernel, &tag, 1, &value);
    return value;
}

/* Only pairs of lower-case letters may steer a display (SECURITY.md, R18). */
static void keep_language(struct cemv_kernel *kernel, cemv_bytes languages)
{
    kernel->language_size = 0;
    if (languages.size > sizeof kernel->language || languages.size % 2 != 0) return;
    for (size_t i = 0; i < languages.size; i++) {
        if (languages.data[i] < 'a' || languages.data[i] > 'z') return;
    }
    cemv_copy(kernel->language, languages.data, languages.size);
    kernel->language_size = (uint8_t)languages.size;
}

void cemv_fci_read(struct cemv_kernel *kernel)
{
    static const uint32_t tags[FCI_VALUES] = { CEMV_TAG_9F38_PDOL, CEMV_TAG_5F2D_LANGUAGE_PREFERENCE };
    cemv_bytes values[FCI_VALUES];
    fci_values(kernel, tags, FCI_VALUES, values);
    kernel->pdol_size = (uint8_t)values[0].size; /* a response holds no more */
    kernel->pdol_offset = (uint16_t)(values[0].size != 0 ? values[0].data - kernel->store.arena : 0);
    keep_language(kernel, values[1]);
}

void cemv_ui_language(const struct cemv_kernel *kernel, struct cemv_ui_request *request)
{
    _Static_assert(sizeof request->language == sizeof kernel->language, "a language fits");
    if (kernel->language_size == 0) return;
    __builtin_memcpy(request->language, kernel->language, sizeof request->language);
    request->language_size = kernel->language_size;
}

/* Commands -----------------------------------------------------------------------------------------------------------
 */

bool cemv_gpo_data(const struct cemv_kernel *kernel, struct cemv_gpo_data *data)
{
    const cemv_bytes pdol = { kernel->store.arena + kernel->pdol_offset, kernel->pdol_size };
    uint8_t values[CEMV_PDOL_VALUES_MAX];
    size_t size = 0, header = 0;
    if (!cemv_store_build_dol(&kernel->store, pdol, false, values, sizeof values, &size)) return false;
    data->bytes[header++] = CEMV_TAG_83_COMMAND_TEMPLATE;
    if (size > SHORT_LENGTH_MAX) data->bytes[header++] = 0x81;
    data->bytes[header++] = (uint8_t)size;
    cemv_copy(data->bytes + header, values, size);
    data->header = (uint8_t)header;
    data->size = (uint8_t)(header + size);
    return true;
}

enum cemv_step cemv_send_gpo(struct cemv_kernel *kernel, const struct cemv_edges *edges, uint8_t state)
{
    struct cemv_gpo_data data;
    if (!cemv_gpo_data(kernel, &data)) {
        return cemv_end_card_fault(kernel, edges, CEMV_REASON_CARD_DATA, CEMV_L2_PARSING_ERROR, 0);
    }
    const struct cemv_command command = { 0x80, 0xA8, 0x00, 0x00, { data.bytes, data.size }, CEMV_LE_MAX };
    return cemv_output_send(&kernel->out, edges, state, &command);
}

enum cemv_step cemv_send_read_record(struct cemv_kernel *kernel, const struct cemv_edges *edges, uint8_t state,
                                     struct cemv_record_id id)
{
    const struct cemv_command command = { 0x00, 0xB2, id.number, (uint8_t)(id.sfi << 3 | 4), nothing, CEMV_LE_MAX };
    return cemv_output_send(&kernel->out, edges, state, &command);
}

enum cemv_store_error cemv_store_gpo_format_1(struct cemv_kernel *kernel, cemv_bytes value)
{
    if (value.size < 2) return CEMV_STORE_MALFORMED;
    const cemv_bytes profile = { value.data, 2 };
    const cemv_bytes locator = { value.data + 2, value.size - 2 };
    const enum cemv_store_error error = cemv_store_card(&kernel->store, CEMV_SLOT_82, profile);
    return error == CEMV_STORE_OK ? cemv_store_card(&kernel->store, CEMV_SLOT_94, locator) : error;
}

enum cemv_records cemv_open_records(struct cemv_kernel *kernel)
{
    const uint8_t limit = cemv_protection_of(kernel)->max_records;
    bool repeated = false;
    if (!cemv_afl_open(&kernel->afl, &kernel->store, limit != 0 ? limit : CEMV_MAX_RECORDS, &repeated))
        return CEMV_RECORDS_MALFORMED;
    if (!repeated) return CEMV_RECORDS_OPEN;
    cemv_find(kernel, CEMV_FINDING_RECORD_REPEATED);
    return cemv_is_book(kernel) ? CEMV_RECORDS_OPEN : CEMV_RECORDS_REFUSED;
}

/* The account number -------------------------------------------------------------------------------------------------
 */

static uint8_t nibble_of(cemv_bytes bytes, size_t index)
{
    return index % 2 == 0 ? bytes.data[index / 2] >> 4 : bytes.data[index / 2] & 0x0F;
}

static void put_digit(uint8_t pan[PAN_BYTES_MAX], size_t index, uint8_t digit)
{
    uint8_t *byte = &pan[index / 2];
    *byte = index % 2 == 0 ? (uint8_t)(digit << 4 | 0x0F) : (uint8_t)((*byte & 0xF0) | digit);
}

/* Digits before the separator of track 2, 1 to 19; 0 if it holds no account number. */
static size_t track_2_digits(cemv_bytes track)
{
    size_t whole = 0;
    while (whole < track.size && cemv_is_digit_pair(track.data[whole])) whole++;
    if (whole == track.size) return 0;
    const uint8_t last = track.data[whole];
    const bool odd = last >> 4 <= 9;
    const uint8_t separator = odd ? last & 0x0F : last >> 4;
    const size_t digits = 2 * whole + odd;
    return separator == TRACK_2_SEPARATOR && digits <= PAN_DIGITS_MAX ? digits : 0;
}

static cemv_bytes pan_of_track_2(cemv_bytes track, uint8_t buffer[PAN_BYTES_MAX])
{
    const size_t digits = track_2_digits(track);
    cemv_copy(buffer, track.data, digits / 2);
    if (digits % 2 != 0) buffer[digits / 2] = track.data[digits / 2] | 0x0F;
    return (cemv_bytes){ buffer, (digits + 1) / 2 };
}

/* ISO/IEC 7813, format code B: the account number ends at a caret. */
static cemv_bytes pan_of_track_1(cemv_bytes track, uint8_t buffer[PAN_BYTES_MAX])
{
    size_t digits = 0;
    if (track.size < 2 || track.data[0] != 'B') return nothing;
    while (digits + 1 < track.size && track.data[digits + 1] >= '0' && track.data[digits + 1] <= '9' &&
           digits < PAN_DIGITS_MAX) {
        put_digit(buffer, digits, (uint8_t)(track.data[digits + 1] - '0'));
        digits++;
    }
    const bool separated = digits + 1 < track.size && track.data[digits + 1] == '^';
    return separated ? (cemv_bytes){ buffer, (digits + 1) / 2 } : nothing;
}

static bool pan_is_plausible(cemv_bytes pan)
{
    const int digits = cemv_cn_digits(pan);
    return digits > 0 && digits <= PAN_DIGITS_MAX;
}

cemv_bytes cemv_pan_of(const struct cemv_store *store, uint8_t buffer[10])
{
    const cemv_bytes pan = cemv_store_value(store, CEMV_SLOT_5A);
    if (pan.size != 0 && pan.size <= PAN_BYTES_MAX && pan_is_plausible(pan)) {
        cemv_copy(buffer, pan.data, pan.size);
        return (cemv_bytes){ buffer, pan.size };
    }
    const cemv_bytes track = pan_of_track_2(cemv_store_value(store, CEMV_SLOT_57), buffer);
    return track.size != 0 ? track : pan_of_track_2(cemv_store_value(store, CEMV_SLOT_9F6B), buffer);
}

bool cemv_pan_agrees_with_track_2(const struct cemv_store *store)
{
    uint8_t buffer[PAN_BYTES_MAX];
    const cemv_bytes pan = cemv_store_value(store, CEMV_SLOT_5A);
    const cemv_bytes track = cemv_store_value(store, CEMV_SLOT_57);
    if (pan.size == 0 || track.size == 0) return true;
    return pan_is_plausible(pan) && cemv_cn_equal(pan, pan_of_track_2(track, buffer));
}

/* Tracks that hold no account number at all cannot contradict one. `pan` is that of cemv_pan_of(). */
static bool tracks_agree(const struct cemv_store *store, cemv_bytes pan)
{
    uint8_t buffer[PAN_BYTES_MAX];
    if (!cemv_pan_agrees_with_track_2(store)) return false;
    const cemv_bytes track_1 = pan_of_track_1(cemv_store_value(store, CEMV_SLOT_56), buffer);
    if (pan.size != 0 && track_1.size != 0 && !cemv_cn_equal(pan, track_1)) return false;
    const cemv_bytes track_2 = pan_of_track_2(cemv_store_value(store, CEMV_SLOT_9F6B), buffer);
    return pan.size == 0 || track_2.size == 0 || cemv_cn_equal(pan, track_2);
}

bool cemv_track2_expiry(const struct cemv_store *store, uint8_t yymm[2])
{
    const cemv_bytes track = cemv_store_value(store, CEMV_SLOT_57);
    const size_t at = track_2_digits(track) + 1;
    if (at == 1 || at + 4 > 2 * track.size) return false;
    for (size_t i = 0; i < 4; i++) {
        const uint8_t digit = nibble_of(track, at + i);
        if (digit > 9) return false;
        yymm[i / 2] = i % 2 == 0 ? (uint8_t)(digit << 4) : (uint8_t)(yymm[i / 2] | digit);
    }
    return true;
}

bool cemv_luhn_ok(cemv_bytes pan)
{
    static const uint8_t twice[16] = { 0, 2, 4, 6, 8, 1, 3, 5, 7, 9 };
    const int count = cemv_cn_digits(pan);
    if (count <= 0) return false;

    /* The last digit counts once: in each byte the left digit is doubled where their number is even, else the right
     * one. */
    const size_t digits = (size_t)count;
    const bool even = digits % 2 == 0;
    unsigned sum = even ? 0 : pan.data[digits / 2] >> 4;
    for (size_t i = 0; i < digits / 2; i++) {
        const unsigned left = pan.data[i] >> 4, right = pan.data[i] & 0x0Fu;
        sum += even ? twice[left] + right : left + twice[right];
    }
    return sum % 10 == 0;
}

/* Pairs of name and account number known to be impossible, never a judgement of what is unlisted (SECURITY.md, A03,
 * A33). The first row that the name begins with counts. `leading` are first digits: one below 10, else two. `others`:
 * only those are possible; else those are impossible. */
struct brand {
    uint8_t name[7];
    uint8_t name_size; /* 5: every other application of the provider */
    bool others;
    uint8_t leading_count;
    uint8_t leading[8];
};
static const struct brand brands[] = {
    { { 0xA0, 0, 0, 0, 0x03, 0x10, 0x10 }, 7, true, 1, { 4 } },                  /* Visa credit and debit */
    { { 0xA0, 0, 0, 0, 0x03, 0x20, 0x10 }, 7, true, 1, { 4 } },                  /* Visa Electron */
    { { 0xA0, 0, 0, 0, 0x03, 0x20, 0x20 }, 7, true, 1, { 4 } },                  /* V PAY */
    { { 0xA0, 0, 0, 0, 0x03 }, 5, false, 8, { 2, 34, 37, 51, 52, 53, 54, 55 } }, /* Interlink, Plus */
    { { 0xA0, 0, 0, 0, 0x04, 0x30, 0x60 }, 7, false, 0, { 0 } },                 /* Maestro: any */
    { { 0xA0, 0, 0, 0, 0x04 }, 5, false, 3, { 4, 34, 37 } },                     /* Mastercard, Cirrus */
    { { 0xA0, 0, 0, 0, 0x25 }, 5, true, 2, { 34, 37 } },                         /* American Express */
};

static bool leads(const struct brand *brand, unsigned first, unsigned two)
{
    for (size_t i = 0; i < brand->leading_count; i++) {
        const unsigned leading = brand->leading[i];
        if (leading < 10 ? leading == first : leading == two) return true;
    }
    return false;
}

bool cemv_brand_mismatch(cemv_bytes name, cemv_bytes pan)
{
    if (pan.size < 2) return false;
    const unsigned first = pan.data[0] >> 4;
    const unsigned two = 10 * first + (pan.data[0] & 0x0Fu);
    for (size_t i = 0; i < sizeof brands / sizeof brands[0]; i++) {
        const struct brand *brand = &brands[i];
        if (name.size < brand->name_size || __builtin_memcmp(name.data, brand->name, brand->name_size) != 0) continue;
        return leads(brand, first, two) != brand->others;
    }
    return false;
}

bool cemv_brand_refused(struct cemv_kernel *kernel)
{
    uint8_t buffer[PAN_BYTES_MAX];
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    const cemv_bytes selected = { kernel->df_name, kernel->df_name_size };
    if (!cemv_brand_mismatch(selected, cemv_pan_of(&kernel->store, buffer))) return false;
    cemv_find(kernel, CEMV_FINDING_BRAND_MISMATCH);
    return cemv_rule_of(protection, protection->brand_check, CEMV_RULE_ENFORCE, CEMV_RULE_ENFORCE) == CEMV_RULE_ENFORCE;
}

bool cemv_on_exception_list(const struct cemv_kernel *kernel, cemv_bytes pan)
{
    const struct cemv_configuration *configuration = &kernel->checked->configuration;
    const cemv_bytes stored = cemv_store_value(&kernel->store, CEMV_SLOT_5F34);
    const uint8_t sequence = stored.size != 0 ? stored.data[0] : 0;
    for (size_t i = 0; i < configuration->exception_count; i++) {
        const struct cemv_exception *row = &configuration->exceptions[i];
        if (cemv_cn_equal(row->pan, pan) && (row->any_sequence || row->sequence == sequence)) return true;
    }
    return false;
}

bool cemv_account_ends(struct cemv_kernel *kernel)
{
    uint8_t buffer[10], yymm[2];
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    const cemv_bytes pan = cemv_pan_of(&kernel->store, buffer);
    const cemv_bytes expiry = cemv_store_value(&kernel->store, CEMV_SLOT_5F24);
    bool ends = false;
    if (!tracks_agree(&kernel->store, pan)) {
        cemv_find(kernel, CEMV_FINDING_PAN_MISMATCH);
        ends = protection->profile != CEMV_PROFILE_BOOK;
    }
    if (!cemv_luhn_ok(pan)) {
        cemv_find(kernel, CEMV_FINDING_LUHN);
        ends = ends ||
               cemv_rule_of(protection, protection->luhn, CEMV_RULE_REPORT, CEMV_RULE_ENFORCE) == CEMV_RULE_ENFORCE;
    }
    if (expiry.size == 3 && cemv_track2_expiry(&kernel->store, yymm) &&
        (yymm[0] != expiry.data[0] || yymm[1] != expiry.data[1])) {
        cemv_find(kernel, CEMV_FINDING_EXPIRY_MISMATCH);
        ends = ends || cemv_rule_of(protection, protection->expiry_mismatch, CEMV_RULE_REPORT, CEMV_RULE_ENFORCE) ==
                           CEMV_RULE_ENFORCE;
    }
    return ends;
}

/* Offline data authentication ----------------------------------------------------------------------------------------
 */

/* The row of tag 8F under our own RID: with the card's, a foreign chain would verify (SECURITY.md, A03). */
static const struct cemv_ca_key *ca_key_row(const struct cemv_kernel *kernel, size_t *row)
{
    const struct cemv_configuration *configuration = &kernel->checked->configuration;
    const cemv_bytes index = cemv_store_value(&kernel->store, CEMV_SLOT_8F);
    if (index.size != 1 || kernel->combination->aid.size < RID_SIZE) return NULL;
    for (size_t i = 0; i < configuration->ca_key_count; i++) {
        const struct cemv_ca_key *key = &configuration->ca_keys[i];
        *row = i;
        if (key->index == index.data[0] && __builtin_memcmp(key->rid, kernel->combination->aid.data, RID_SIZE) == 0)
            return key;
    }
    return NULL;
}

/* Past its last day, which is a day of use. */
static bool is_past(const struct cemv_ca_key *key, const uint8_t date[3])
{
    uint32_t last_day = 0, today = 0;
    (void)cemv_date_read((cemv_bytes){ key->expires, 3 }, &last_day);
    (void)cemv_date_read((cemv_bytes){ date, 3 }, &today);
    return (key->expires[0] | key->expires[1] | key->expires[2]) != 0 && today > last_day;
}

/* Book 2, 11.2.4, wants no expiry dates in terminals: in profile `book` a configured one is only reported (SECURITY.md,
 * A15). */
const struct cemv_ca_key *cemv_ca_key_of(struct cemv_kernel *kernel, size_t *row)
{
    const struct cemv_ca_key *key = ca_key_row(kernel, row);
    if (key == NULL) {
        cemv_find(kernel, CEMV_FINDING_CA_KEY_MISSING);
    } else if (is_past(key, kernel->transaction.date)) {
        cemv_find(kernel, CEMV_FINDING_CA_KEY_EXPIRED);
        if (!cemv_is_book(kernel)) return NULL;
    }
    return key;
}

static struct cemv_ca_public_key public_key_of(const struct cemv_kernel *kernel, const struct cemv_ca_key *row,
                                               size_t number)
{
    struct cemv_ca_public_key key = { .index = row->index, .exponent = row->exponent, .modulus = row->modulus };
    cemv_copy(key.rid, row->rid, sizeof key.rid);
    key.prepared = kernel->checked->crypto->rsa_prepare ? &kernel->checked->keys[number] : NULL;
    return key;
}

static bool find_ca_key(struct cemv_kernel *kernel, struct cemv_ca_public_key *key)
{
    size_t row = 0;
    const struct cemv_ca_key *found = cemv_ca_key_of(kernel, &row);
    if (!found) return false;
    if (found->test) cemv_find(kernel, CEMV_FINDING_TEST_KEY);
    *key = public_key_of(kernel, found, row);
    return true;
}

/* Book 3, 10.2: the fourth byte of an entry of the file locator counts its signed records. */
static bool has_signed_records(const struct cemv_store *store)
{
    const cemv_bytes locator = cemv_store_value(store, CEMV_SLOT_94);
    for (size_t at = 3; at < locator.size; at += 4) {
        if (locator.data[at] != 0) return true;
    }
    return false;
}

void cemv_look_for_stripped_oda(struct cemv_kernel *kernel, uint8_t method)
{
    const uint8_t methods = CEMV_AIP_1_SDA | CEMV_AIP_1_DDA | CEMV_AIP_1_CDA;
    const struct cemv_store *store = &kernel->store;
    const cemv_bytes profile = cemv_store_value(store, CEMV_SLOT_82);
    if (profile.size == 0 || (profile.data[0] & method) != 0) return;
    const bool certificates = cemv_store_has(store, CEMV_SLOT_8F) && cemv_store_has(store, CEMV_SLOT_90) &&
                              cemv_store_has(store, CEMV_SLOT_9F46);
    if (certificates || ((profile.data[0] & methods) == 0 && has_signed_records(store)))
        cemv_find(kernel, CEMV_FINDING_ODA_STRIPPED);
}

static struct cemv_issuer_input issuer_input_of(const struct cemv_kernel *kernel, const struct cemv_ca_public_key *ca)
{
    const struct cemv_store *store = &kernel->store;
    const struct cemv_configuration *configuration = &kernel->checked->configuration;
    struct cemv_issuer_input input = {
        .ca = ca,
        .keys = kernel->transaction.reader != NULL ? kernel->transaction.reader->issuer_keys : NULL,
        .certificate = cemv_store_value(store, CEMV_SLOT_90),
        .remainder = cemv_store_value(store, CEMV_SLOT_92),
        .exponent = cemv_store_value(store, CEMV_SLOT_9F32),
        .pan = cemv_store_value(store, CEMV_SLOT_5A),
        .revoked = configuration->revocations,
        .revoked_count = configuration->revocation_count,
    };
    cemv_copy(input.date, kernel->transaction.date, sizeof input.date);
    return input;
}

/* What was done ahead of time (cemv_oda_work). Operands do not change within an activation: a card cannot write over
 * its own data. */
enum { WORK_ISSUER = 1, WORK_ICC = 2, WORK_NO_MORE = 4, WORK_BLOCKS = 2 };

static uint8_t *work_block(struct cemv_kernel *kernel, uint8_t which)
{
    uint8_t *blocks = cemv_store_spare(&kernel->store, (size_t)WORK_BLOCKS * CEMV_ODA_MODULUS_MAX);
    if (blocks == NULL) return NULL;
    return which == WORK_ISSUER ? blocks : blocks + CEMV_ODA_MODULUS_MAX;
}

static const uint8_t *work_done(struct cemv_kernel *kernel, uint8_t which)
{
    return (kernel->work & which) != 0 ? work_block(kernel, which) : NULL;
}

/* What can be done now; 0: nothing. */
static uint8_t work_due(const struct cemv_kernel *kernel)
{
    const struct cemv_store *store = &kernel->store;
    const cemv_bytes profile = cemv_store_value(store, CEMV_SLOT_82);
    const uint8_t methods = CEMV_AIP_1_SDA | CEMV_AIP_1_DDA | CEMV_AIP_1_CDA;
    if ((kernel->work & (WORK_ICC | WORK_NO_MORE)) != 0 || profile.size == 0 || (profile.data[0] & methods) == 0)
        return 0;
    if ((kernel->work & WORK_ISSUER) == 0)
        return cemv_store_has(store, CEMV_SLOT_8F) && cemv_store_has(store, CEMV_SLOT_90) ? WORK_ISSUER : 0;
    return cemv_store_has(store, CEMV_SLOT_9F32) && cemv_store_has(store, CEMV_SLOT_9F46) ? WORK_ICC : 0;
}

bool cemv_oda_has_work(const struct cemv_kernel *kernel) { return work_due(kernel) != 0; }

bool cemv_oda_work(struct cemv_kernel *kernel)
{
    const uint8_t due = work_due(kernel);
    uint8_t *const block = due != 0 ? work_block(kernel, due) : NULL;
    size_t row = 0;
    const struct cemv_ca_key *const found = block != NULL ? ca_key_row(kernel, &row) : NULL;
    bool done = false;
    if (due == 0) return false;
    if (found != NULL) {
        const struct cemv_ca_public_key ca = public_key_of(kernel, found, row);
        const struct cemv_issuer_input issuer = issuer_input_of(kernel, &ca);
        const cemv_bytes icc = cemv_store_value(&kernel->store, CEMV_SLOT_9F46);
        done = due == WORK_ISSUER
                 ? cemv_issuer_work(kernel->checked->crypto, &issuer, block)
                 : cemv_icc_work(kernel->checked->crypto, &issuer, work_block(kernel, WORK_ISSUER), icc, block);
    }
    kernel->work |= done ? due : WORK_NO_MORE;
    return done;
}

kernel_noinline static enum cemv_oda_result issuer_key(struct cemv_kernel *kernel, struct cemv_certificate *issuer)
{
    struct cemv_ca_public_key ca;
    struct cemv_issuer_input input = issuer_input_of(kernel, find_ca_key(kernel, &ca) ? &ca : NULL);
    input.recovered = work_done(kernel, WORK_ISSUER);
    return cemv_issuer_recover(kernel->checked->crypto, &input, issuer);
}

kernel_noinline static enum cemv_oda_result close_icc_key(struct cemv_kernel *kernel, struct cemv_icc_input *input,
                                                          struct cemv_certificate *icc)
{
    const struct cemv_store *store = &kernel->store;
    cemv_bytes pieces[CEMV_STORE_SPANS];
    input->static_data = (struct cemv_static_data){
        .pieces = pieces,
        .count = cemv_store_signed(store, pieces),
        .tag_list = cemv_store_value(store, CEMV_SLOT_9F4A),
        .aip = cemv_store_value(store, CEMV_SLOT_82),
    };
    return cemv_icc_close(kernel->checked->crypto, input, icc);
}

static enum cemv_oda_result noticed(struct cemv_kernel *kernel, enum cemv_oda_result result)
{
    if (result == CEMV_ODA_CERTIFICATE_EXPIRED) cemv_find(kernel, CEMV_FINDING_CERTIFICATE_EXPIRED);
    if (result == CEMV_ODA_CERTIFICATE_REVOKED) cemv_find(kernel, CEMV_FINDING_CERTIFICATE_REVOKED);
    return result;
}

enum cemv_oda_result cemv_oda_icc_key(struct cemv_kernel *kernel, struct cemv_certificate *icc)
{
    const struct cemv_store *store = &kernel->store;
    struct cemv_certificate issuer;

    if (store->spans_overflowed) return CEMV_ODA_TOO_MANY_PIECES;
    enum cemv_oda_result result = issuer_key(kernel, &issuer);
    if (result != CEMV_ODA_OK) return noticed(kernel, result);
    struct cemv_icc_input input = {
        .issuer = &issuer.key,
        .recovered = work_done(kernel, WORK_ICC),
        .certificate = cemv_store_value(store, CEMV_SLOT_9F46),
        .remainder = cemv_store_value(store, CEMV_SLOT_9F48),
        .exponent = cemv_store_value(store, CEMV_SLOT_9F47),
        .pan = cemv_store_value(store, CEMV_SLOT_5A),
    };
    cemv_copy(input.date, kernel->transaction.date, sizeof input.date);
    result = cemv_icc_open(kernel->checked->crypto, &input, icc);
    if (result == CEMV_ODA_OK) result = close_icc_key(kernel, &input, icc);
    if (result != CEMV_ODA_OK) return noticed(kernel, result);
    cemv_store_vouch_static(&kernel->store);
    if (cemv_store_has(store, CEMV_SLOT_9F4A))
        cemv_store_set_provenance(&kernel->store, CEMV_SLOT_82, CEMV_FROM_CARD_STATIC);
    return CEMV_ODA_OK;
}

/* Kernels of other makers (include/cemv_kernel.h) ---------------------------------------------------------------------
 */

struct cemv_activation cemv_kernel_activation(const struct cemv_kernel *kernel)
{
    struct cemv_activation activation = {
        .start = kernel->start,
        .restarted = kernel->restarted,
        .df_name = { kernel->df_name, kernel->df_name_size },
        .aid = kernel->combination->aid,
        .fci = { kernel->store.arena + kernel->fci_offset, kernel->fci_size },
        .status_word = kernel->status_word,
        .indicators = kernel->indicators,
        .combination = kernel->combination,
        .transaction = &kernel->transaction,
        .online_response_present = kernel->online_response_present,
        .unable_to_go_online = kernel->unable_to_go_online,
        .pin_not_captured = kernel->pin_not_captured,
        .removal_timed_out = kernel->removal_timed_out,
        .online_response = { kernel->store.arena + kernel->online_offset, kernel->online_size },
    };
    cemv_copy(activation.unpredictable_number, kernel->unpredictable_number, sizeof activation.unpredictable_number);
    return activation;
}

cemv_bytes cemv_kernel_terminal_data(const struct cemv_kernel *kernel, uint32_t tag)
{
    const uint16_t slot = cemv_slot_of(tag);
    if (cemv_store_provenance(&kernel->store, slot) != CEMV_FROM_TERMINAL) return nothing;
    return cemv_store_value(&kernel->store, slot);
}

bool cemv_kernel_build_dol(const struct cemv_kernel *kernel, cemv_bytes dol, uint8_t *out, size_t capacity,
                           size_t *size)
{
    return cemv_store_build_dol(&kernel->store, dol, false, out, capacity, size);
}

void *cemv_kernel_memory(struct cemv_kernel *kernel) { return kernel->memory; }

bool cemv_kernel_show(struct cemv_kernel *kernel, const struct cemv_ui_request *request)
{
    const bool has_room = kernel->out.ui_count < CEMV_MAX_KERNEL_UI_REQUESTS;
    if (has_room) (void)cemv_output_show(&kernel->out, request);
    return has_room;
}

static uint8_t foreign_state(uint8_t state) { return (uint8_t)(CEMV_STATE_FOREIGN | (state & 0x0F)); }

enum cemv_step cemv_kernel_send(struct cemv_kernel *kernel, uint8_t state, const struct cemv_command *command)
{
    return cemv_output_send(&kernel->out, NULL, foreign_state(state), command);
}

enum cemv_step cemv_kernel_ask(struct cemv_kernel *kernel, uint8_t state, cemv_bytes question, uint32_t deadline_ms)
{
    return cemv_output_ask(&kernel->out, NULL, foreign_state(state), CEMV_ASK_KERNEL, question, deadline_ms);
}

enum cemv_step cemv_kernel_publish(struct cemv_kernel *kernel, uint8_t state)
{
    return cemv_output_publish(&kernel->out, NULL, foreign_state(state));
}

uint8_t cemv_kernel_state(const struct cemv_kernel *kernel) { return kernel->out.state & 0x0F; }

enum cemv_step cemv_kernel_finish(struct cemv_kernel *kernel, const struct cemv_outcome *outcome,
                                  cemv_bytes data_record, cemv_bytes discretionary)
{
    struct cemv_output *out = &kernel->out;
    const bool fits = data_record.size <= sizeof out->records &&
                      discretionary.size <= sizeof out->records - data_record.size;

    out->outcome = *outcome;
    out->record_size = fits ? (uint16_t)data_record.size : 0;
    out->discretionary_size = fits ? (uint16_t)discretionary.size : 0;
    if (fits) {
        cemv_copy(out->records, data_record.data, data_record.size);
        cemv_copy(out->records + data_record.size, discretionary.data, discretionary.size);
    } else {
        out->outcome.reason = CEMV_REASON_STORE_FULL;
    }
    return cemv_output_finish(out, NULL);
}
