// SPDX-License-Identifier: Apache-2.0
/* Kernel 2: from the data of a transaction to the inputs of its decisions, and what is kept of the card's answers. No
 * state, no command. */
#include "k2_memory.h"

static bool is_strict(const struct cemv_kernel *kernel)
{
    return cemv_protection_of(kernel)->profile == CEMV_PROFILE_STRICT;
}

void k2_put_terminal(struct cemv_kernel *kernel, uint16_t slot, const uint8_t *value, size_t size)
{
    if (!cemv_store_put(&kernel->store, slot, (cemv_bytes){ value, size }, CEMV_FROM_TERMINAL))
        k2_memory_of(kernel)->store_full = true;
}

uint8_t k2_configured(const struct cemv_kernel *kernel)
{
    return k2_byte(kernel, CEMV_SLOT_DF811B, cemv_is_book(kernel) ? 0x00 : K2_MAGSTRIPE_OFF);
}

/* Mag-stripe mode must be asked for outside profile `book`, and in `strict` by the combination's own protection: a
 * clone offers it where a card would not, and a card whose AIP and AFL were both edited cannot be told from one that
 * has nothing else (SECURITY.md, A26, A34). */
uint8_t k2_configuration_of(const struct cemv_kernel *kernel)
{
    const uint8_t rule = cemv_protection_of(kernel)->magstripe;
    const bool named = kernel->combination->own_protection && rule != CEMV_RULE_PROFILE;
    const bool off = rule == CEMV_RULE_OFF || (is_strict(kernel) && !named);
    return (uint8_t)(k2_configured(kernel) | (off ? K2_MAGSTRIPE_OFF : 0));
}

uint8_t k2_relay_rule(const struct cemv_kernel *kernel)
{
    const uint8_t set = cemv_protection_of(kernel)->relay;
    if (set != CEMV_RELAY_PROFILE) return set;
    return is_strict(kernel) ? CEMV_RELAY_DECLINE : CEMV_RELAY_BOOK;
}

uint8_t k2_torn_rule(const struct cemv_kernel *kernel)
{
    const uint8_t set = cemv_protection_of(kernel)->torn;
    if (set != CEMV_TORN_PROFILE) return set;
    return cemv_is_book(kernel) ? CEMV_TORN_BOOK : CEMV_TORN_SAME_SALE;
}

/* So few digits that a clone holds an answer for each (SECURITY.md, A26). */
bool k2_number_too_short(const struct cemv_kernel *kernel, int digits)
{
    enum { GUARDED_DIGITS = 4 };
    const uint8_t set = cemv_protection_of(kernel)->min_number_digits;
    return !cemv_is_book(kernel) && digits < (set != 0 ? set : GUARDED_DIGITS);
}

/* A card that is late, or one that keeps no distance where the protection demands it (SECURITY.md, A24, A25). What no
 * signature of this tap will cover was not performed. */
bool k2_relay_refused(const struct cemv_kernel *kernel)
{
    const struct k2_memory *memory = k2_memory_of_const(kernel);
    const uint8_t rule = k2_relay_rule(kernel);
    const bool late =
        (memory->tvr & K2_TVR(5, CEMV_TVR_5_RELAY_THRESHOLD_EXCEEDED | CEMV_TVR_5_RELAY_TIME_LIMITS_EXCEEDED)) != 0;
    const bool performed = (memory->tvr & K2_TVR_RELAY_MASK) == K2_TVR(5, CEMV_TVR_5_RELAY_PERFORMED);
    const bool proven = performed && memory->cda && (memory->tvr & K2_TVR(1, CEMV_TVR_1_CDA_FAILED)) == 0;
    if (rule == CEMV_RELAY_DECLINE) return late;
    return rule == CEMV_RELAY_REQUIRED && (late || (!proven && k2_above_cvm_limit(kernel)));
}

bool k2_aip_has(const struct cemv_kernel *kernel, unsigned byte, uint8_t bit)
{
    const cemv_bytes profile = k2_value(kernel, CEMV_SLOT_82);
    return profile.size == 2 && (profile.data[byte - 1] & bit) != 0;
}

bool k2_on_device_cvm(const struct cemv_kernel *kernel)
{
    return k2_aip_has(kernel, 1, CEMV_AIP_1_ON_DEVICE_CVM) && (k2_configuration_of(kernel) & K2_ON_DEVICE_CVM) != 0;
}

bool k2_capabilities_have(const struct cemv_kernel *kernel, unsigned byte, uint8_t bit)
{
    const cemv_bytes capabilities = k2_value(kernel, CEMV_SLOT_9F5D);
    return capabilities.size == 3 && (capabilities.data[byte - 1] & bit) != 0;
}

static uint8_t storage_version(const struct cemv_kernel *kernel)
{
    const cemv_bytes capabilities = k2_value(kernel, CEMV_SLOT_9F5D);
    return capabilities.size == 3 ? capabilities.data[0] & 0x0F : 0;
}

bool k2_above_cvm_limit(const struct cemv_kernel *kernel)
{
    return k2_amount(kernel, CEMV_SLOT_9F02) > k2_amount(kernel, CEMV_SLOT_DF8126);
}

void k2_put_tvr(struct cemv_kernel *kernel)
{
    uint8_t bytes[5];
    const uint64_t tvr = k2_memory_of(kernel)->tvr;
    for (size_t i = 0; i < 5; i++) bytes[i] = (uint8_t)(tvr >> (8 * (4 - i)));
    k2_put_terminal(kernel, CEMV_SLOT_95, bytes, sizeof bytes);
}

/* [S456.14]: which limit is known since GPO. */
bool k2_above_transaction_limit(const struct cemv_kernel *kernel)
{
    const uint16_t slot = k2_on_device_cvm(kernel) ? CEMV_SLOT_DF8125 : CEMV_SLOT_DF8124;
    return k2_amount(kernel, CEMV_SLOT_9F02) > k2_amount(kernel, slot);
}

/* [S456.18-20] */
bool k2_storage_id_agrees(const struct cemv_kernel *kernel)
{
    uint8_t id[11];
    const cemv_bytes sequence = k2_value(kernel, CEMV_SLOT_5F34);
    const size_t size = k2_storage_id(k2_value(kernel, CEMV_SLOT_5A), sequence.size != 0 ? sequence.data[0] : 0, id);
    return cemv_bytes_equal(k2_value(kernel, CEMV_SLOT_9F5E), (cemv_bytes){ id, size });
}

/* [S4.34-35, S456.28]: of records up to SFI 10 the template's value counts, of others all; behind them the AIP. */
static bool static_data_fit(const struct cemv_store *store)
{
    size_t size = 2;
    for (size_t i = 0; i < store->span_count; i++) size += store->span[i].size;
    return !store->spans_overflowed && size <= K2_STATIC_DATA_MAX;
}

/* [S456.24-28]. False: 9F4A is not exactly the AIP. */
bool k2_prepare_cda(struct cemv_kernel *kernel)
{
    static const uint16_t needed[] = { CEMV_SLOT_8F,   CEMV_SLOT_90,   CEMV_SLOT_9F32,
                                       CEMV_SLOT_9F46, CEMV_SLOT_9F47, CEMV_SLOT_9F4A };
    struct k2_memory *memory = k2_memory_of(kernel);
    size_t row;
    cemv_look_for_stripped_oda(kernel, CEMV_AIP_1_CDA);
    if (!memory->cda) return true;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (!cemv_store_has(&kernel->store, needed[i])) {
            memory->tvr |= K2_TVR(1, CEMV_TVR_1_ICC_DATA_MISSING | CEMV_TVR_1_CDA_FAILED);
        }
    }
    if (cemv_ca_key_of(kernel, &row) == NULL) memory->tvr |= K2_TVR(1, CEMV_TVR_1_CDA_FAILED);
    if (!static_data_fit(&kernel->store)) memory->tvr |= K2_TVR(1, CEMV_TVR_1_CDA_FAILED);
    const cemv_bytes list = k2_value(kernel, CEMV_SLOT_9F4A);
    return list.size == 1 && list.data[0] == CEMV_TAG_82_APPLICATION_INTERCHANGE_PROFILE;
}

/* [S456.30-33] */
void k2_choose_capabilities(struct cemv_kernel *kernel)
{
    const bool above = k2_above_cvm_limit(kernel);
    const uint8_t capabilities[3] = {
        k2_byte(kernel, CEMV_SLOT_DF8117, 0),
        k2_byte(kernel, above ? CEMV_SLOT_DF8118 : CEMV_SLOT_DF8119, 0),
        k2_byte(kernel, CEMV_SLOT_DF811F, 0),
    };
    kernel->out.outcome.receipt = above;
    k2_put_terminal(kernel, CEMV_SLOT_9F33, capabilities, sizeof capabilities);
}

/* Beyond the states: PAN, check digit, expiry and brand (SECURITY.md, A03, A17). */
bool k2_account_refused(struct cemv_kernel *kernel)
{
    const bool other_brand = cemv_brand_refused(kernel);
    return cemv_account_ends(kernel) || other_brand;
}

uint64_t k2_restrictions_of(const struct cemv_kernel *kernel)
{
    const cemv_bytes card_version = k2_value(kernel, CEMV_SLOT_9F08), usage = k2_value(kernel, CEMV_SLOT_9F07);
    const cemv_bytes country = k2_value(kernel, CEMV_SLOT_5F28), more = k2_value(kernel, CEMV_SLOT_9F40);
    const uint8_t version[2] = { 0x00, 0x02 };
    const cemv_bytes reader_version = cemv_store_has(&kernel->store, CEMV_SLOT_9F09) ? k2_value(kernel, CEMV_SLOT_9F09)
                                                                                     : (cemv_bytes){ version, 2 };
    const uint8_t terminal_type = k2_byte(kernel, CEMV_SLOT_9F35, 0);
    const bool atm_type = terminal_type == 0x14 || terminal_type == 0x15 || terminal_type == 0x16;
    uint32_t today = 0, effective = 0, expiry = 0;
    const bool dated = cemv_date_read(k2_value(kernel, CEMV_SLOT_9A), &today); /* else nothing is in time */
    const bool has_effective = cemv_store_has(&kernel->store, CEMV_SLOT_5F25);
    const bool effective_known = cemv_date_read(k2_value(kernel, CEMV_SLOT_5F25), &effective);
    const bool expiry_known = cemv_date_read(k2_value(kernel, CEMV_SLOT_5F24), &expiry);
    const struct k2_restrictions_in in = {
        .versions_differ = card_version.size != 0 && !cemv_bytes_equal(card_version, reader_version),
        .not_yet_effective = has_effective && (!dated || !effective_known || today < effective),
        .expired = !dated || !expiry_known || today > expiry,
        .has_usage_control = usage.size == 2,
        .usage_control = { usage.size == 2 ? usage.data[0] : 0, usage.size == 2 ? usage.data[1] : 0 },
        .atm = atm_type && more.size == 5 && (more.data[0] & K2_CASH_CAPABILITY) != 0,
        .has_country = country.size != 0,
        .domestic = cemv_bytes_equal(country, k2_value(kernel, CEMV_SLOT_9F1A)),
        .type = k2_byte(kernel, CEMV_SLOT_9C, 0),
        .cashback_amount = k2_amount(kernel, CEMV_SLOT_9F03) != 0,
    };
    return k2_restrictions(&in);
}

/* While nothing proves the card's data, its CVM List is anybody's: above the limit the strongest method of the reader
 * counts (SECURITY.md, A04). */
static void harden_cvm(struct cemv_kernel *kernel, struct k2_cvm *cvm)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const bool failed = (memory->tvr & K2_TVR(1, CEMV_TVR_1_CDA_FAILED)) != 0;
    const bool unproven = !memory->cda || failed;
    const cemv_bytes capabilities = k2_value(kernel, CEMV_SLOT_9F33);
    if (is_strict(kernel) && (failed || (unproven && k2_above_cvm_limit(kernel)))) memory->decline = true;
    if (!unproven || !k2_above_cvm_limit(kernel) || cvm->cvm == CEMV_CVM_ONLINE_PIN) return;
    cemv_find(kernel, CEMV_FINDING_CVM_FROM_PLAIN_DATA);
    if (cemv_is_book(kernel)) return;
    if (capabilities.size == 3 && (capabilities.data[1] & 0x40) != 0) {
        *cvm = (struct k2_cvm){ .cvm = CEMV_CVM_ONLINE_PIN,
                                .results = { CEMV_CVM_1_ENCIPHERED_PIN_ONLINE, 0, 0 },
                                .tvr = cvm->tvr | K2_TVR(3, CEMV_TVR_3_ONLINE_CVM_CAPTURED) };
    } else {
        memory->decline = true;
    }
}

void k2_select_cvm(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const cemv_bytes currency = k2_value(kernel, CEMV_SLOT_9F42), capabilities = k2_value(kernel, CEMV_SLOT_9F33);
    const struct k2_cvm_in in = {
        .on_device = k2_on_device_cvm(kernel),
        .card_verifies = k2_aip_has(kernel, 1, CEMV_AIP_1_CARDHOLDER_VERIFICATION),
        .above_limit = k2_above_cvm_limit(kernel),
        .list = k2_value(kernel, CEMV_SLOT_8E),
        .capability = capabilities.size == 3 ? capabilities.data[1] : 0,
        .type = k2_byte(kernel, CEMV_SLOT_9C, 0),
        .terminal_type = k2_byte(kernel, CEMV_SLOT_9F35, 0),
        .amount = k2_amount(kernel, CEMV_SLOT_9F02),
        .currency_known = currency.size != 0,
        .same_currency = cemv_bytes_equal(currency, k2_value(kernel, CEMV_SLOT_5F2A)),
    };
    struct k2_cvm cvm = k2_cvm(&in);
    harden_cvm(kernel, &cvm);
    memory->tvr |= cvm.tvr;
    kernel->out.outcome.cvm = cvm.cvm;
    if (cvm.receipt) kernel->out.outcome.receipt = true;
    k2_put_terminal(kernel, CEMV_SLOT_9F34, cvm.results, sizeof cvm.results);
}

static uint64_t code_of(const struct cemv_kernel *kernel, uint16_t slot, uint64_t fallback)
{
    const cemv_bytes value = k2_value(kernel, slot);
    uint64_t code = 0;
    if (value.size != 5) return fallback;
    for (size_t i = 0; i < 5; i++) code = code << 8 | value.data[i];
    return code;
}

uint8_t k2_analyse(const struct cemv_kernel *kernel)
{
    const uint64_t standard = K2_TVR(1, K2_DEFAULT_TAC_HIGH) | K2_TVR(5, K2_DEFAULT_TAC_LOW);
    const struct k2_action_in in = {
        .tvr = k2_memory_of_const(kernel)->tvr,
        .terminal_default = code_of(kernel, CEMV_SLOT_DF8120, standard),
        .terminal_denial = code_of(kernel, CEMV_SLOT_DF8121, standard),
        .terminal_online = code_of(kernel, CEMV_SLOT_DF8122, standard),
        .issuer_default = code_of(kernel, CEMV_SLOT_9F0D, 0),
        .has_issuer_default = cemv_store_has(&kernel->store, CEMV_SLOT_9F0D),
        .issuer_denial = code_of(kernel, CEMV_SLOT_9F0E, 0),
        .has_issuer_denial = cemv_store_has(&kernel->store, CEMV_SLOT_9F0E),
        .issuer_online = code_of(kernel, CEMV_SLOT_9F0F, 0),
        .has_issuer_online = cemv_store_has(&kernel->store, CEMV_SLOT_9F0F),
        .terminal_type = k2_byte(kernel, CEMV_SLOT_9F35, 0),
    };
    return k2_action(&in);
}

/* What is never approved by the card alone: a refund, and an amount of zero unless that is allowed (SECURITY.md, A30).
 */
static bool is_for_the_issuer(const struct cemv_kernel *kernel)
{
    const uint8_t type = k2_byte(kernel, CEMV_SLOT_9C, 0);
    const bool sale = type == K2_PURCHASE || type == K2_CASH || type == K2_CASHBACK || type == K2_CASH_DISBURSEMENT;
    return !sale || (k2_amount(kernel, CEMV_SLOT_9F02) == 0 &&
                     kernel->combination->zero_amount != CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED);
}

/* Beyond the states: no offline approval that no signature of this tap proves (SECURITY.md, A07), and what the rules
 * above forbid. */
uint8_t k2_guard_type(struct cemv_kernel *kernel, uint8_t type)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    const uint8_t terminal_type = k2_byte(kernel, CEMV_SLOT_9F35, 0);
    const bool offline_terminal = (terminal_type & 0x0F) == 3 || (terminal_type & 0x0F) == 6;
    const bool offline_off = cemv_rule_of(protection, protection->offline, CEMV_RULE_ENFORCE, CEMV_RULE_OFF) ==
                             CEMV_RULE_OFF;
    const bool proven = memory->cda && (memory->tvr & K2_TVR(1, CEMV_TVR_1_CDA_FAILED)) == 0;
    if (k2_relay_refused(kernel)) memory->decline = true;
    if (memory->decline && type != K2_AAC) {
        memory->protection = true;
        return K2_AAC;
    }
    if (type != K2_TC || (!offline_off && (cemv_is_book(kernel) || (proven && !is_for_the_issuer(kernel)))))
        return type;
    memory->protection = offline_terminal;
    return offline_terminal ? K2_AAC : K2_ARQC;
}

/* A card that has more to read than the mag-stripe record, or data of EMV mode, and says it has no EMV mode
 * (SECURITY.md, A26). */
bool k2_is_downgraded(const struct cemv_kernel *kernel)
{
    const struct cemv_store *store = &kernel->store;
    const bool more = k2_begins_with_magstripe_record(k2_value(kernel, CEMV_SLOT_94)) &&
                      k2_value(kernel, CEMV_SLOT_94).size > 4;
    const bool chip = cemv_store_has(store, CEMV_SLOT_57) || cemv_store_has(store, CEMV_SLOT_8C) ||
                      cemv_store_has(store, CEMV_SLOT_90);
    return is_strict(kernel) && (more || chip);
}

/* CDA proves nothing about a transaction whose number is not in it. */
bool k2_asks_for_number(cemv_bytes dol)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(dol);
    struct cemv_dol_entry entry;
    while (cemv_dol_next(&cursor, &entry))
        if (entry.tag == CEMV_TAG_9F37_UNPREDICTABLE_NUMBER && entry.length == 4) return true;
    return false;
}

struct k2_ac k2_reference_control(const struct cemv_kernel *kernel)
{
    const struct k2_memory *memory = k2_memory_of_const(kernel);
    const cemv_bytes type = k2_value(kernel, CEMV_SLOT_DF8108), use = k2_value(kernel, CEMV_SLOT_DF810A);
    const struct k2_ac_in in = {
        .ids_read = (memory->ids & K2_IDS_READ) != 0,
        .cda = memory->cda,
        .cda_failed = (memory->tvr & K2_TVR(1, CEMV_TVR_1_CDA_FAILED)) != 0,
        .on_device = k2_on_device_cvm(kernel),
        .storage_asked = cemv_store_has(&kernel->store, CEMV_SLOT_DF62) &&
                         cemv_store_has(&kernel->store, CEMV_SLOT_9F5B),
        .storage_answered = type.size != 0 && use.size != 0,
        .type = memory->ac_type,
        .storage_type = type.size != 0 ? type.data[0] : 0,
        .storage_use = use.size != 0 ? use.data[0] : 0,
        .cda_over_aac = k2_capabilities_have(kernel, 2, K2_CDA_OVER_AAC),
    };
    return k2_ac(&in);
}

/* [S910.2-6]: what the ICC Dynamic Data hold behind the transaction data hash (4.6.2). The signature itself is good. */
static bool extra_data_agree(struct cemv_kernel *kernel, const struct cemv_cda_data *data)
{
    enum { FIXED = 1 + 1 + 8 + 20 };
    struct k2_memory *memory = k2_memory_of(kernel);
    const bool relay = (memory->tvr & K2_TVR_RELAY_MASK) == K2_TVR(5, CEMV_TVR_5_RELAY_PERFORMED);
    const bool storage = (memory->ids & K2_IDS_READ) != 0;
    const size_t summary = storage_version(kernel) == 2 ? 16 : 8;
    const size_t from = FIXED + data->dynamic.number_size, relay_size = relay ? sizeof memory->relay : 0;
    size_t at = from;
    if (storage && relay && data->dynamic.size < from + 2 * summary + relay_size) return false;
    if (!storage && data->dynamic.size < from + relay_size) return false;
    for (size_t i = 0; storage && i < 2 && at + summary <= data->dynamic.size; i++, at += summary) {
        const uint16_t slot = i == 0 ? CEMV_SLOT_DF8101 : CEMV_SLOT_DF8102;
        if (!cemv_store_put(&kernel->store, slot, (cemv_bytes){ data->dynamic.data + at, summary },
                            CEMV_FROM_CARD_DYNAMIC))
            return false;
    }
    return !relay || __builtin_memcmp(data->dynamic.data + at, memory->relay, sizeof memory->relay) == 0;
}

/* The objects of the response but 9F4B, in order and without filler (4.6.3). */
static size_t response_pieces(cemv_bytes response, cemv_bytes *pieces, size_t capacity)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(response);
    struct cemv_tlv object;
    size_t count = 0;
    while (cemv_tlv_next(&cursor, &object)) {
        if (object.tag == CEMV_TAG_9F4B_SIGNED_DYNAMIC_APPLICATION_DATA) continue;
        if (count == capacity) return 0;
        pieces[count++] = object.whole;
    }
    return count;
}

/* What the Transaction Data Hash Code is made of; nothing, which is no hash, if there are too many objects. */
kernel_noinline static cemv_bytes transaction_hash(const struct cemv_kernel *kernel, uint8_t digest[CEMV_SHA1_SIZE])
{
    enum { PIECES = 40 };
    const struct k2_memory *memory = k2_memory_of_const(kernel);
    cemv_bytes pieces[PIECES] = { k2_bytes(kernel, memory->pdol), k2_bytes(kernel, memory->cdol) };
    const size_t count = response_pieces(k2_bytes(kernel, memory->ac), pieces + 2, PIECES - 2);
    if (count == 0) return (cemv_bytes){ NULL, 0 };
    kernel->checked->crypto->sha1(digest, pieces, count + 2);
    return (cemv_bytes){ digest, CEMV_SHA1_SIZE };
}

/* The signature, and what it covers beside the transaction. */
kernel_noinline static enum cemv_oda_result verify_transaction(struct cemv_kernel *kernel,
                                                               const struct cemv_public_key *icc, struct k2_signed *out)
{
    struct cemv_cda_data data;
    uint8_t digest[CEMV_SHA1_SIZE];
    const struct cemv_cda_input input = {
        .sdad = k2_value(kernel, CEMV_SLOT_9F4B),
        .unpredictable_number = k2_value(kernel, CEMV_SLOT_9F37),
        .cid = k2_byte(kernel, CEMV_SLOT_9F27, 0),
        .transaction_hash = transaction_hash(kernel, digest),
    };
    const enum cemv_oda_result result = cemv_cda_verify(kernel->checked->crypto, icc, &input, &data);
    if (result != CEMV_ODA_OK) return result;
    if (!extra_data_agree(kernel, &data)) return CEMV_ODA_TRANSACTION_HASH;
    out->number_size = data.dynamic.number_size;
    cemv_copy(out->number, data.dynamic.number, sizeof out->number);
    cemv_copy(out->cryptogram, data.cryptogram, sizeof out->cryptogram);
    return CEMV_ODA_OK;
}

enum cemv_oda_result k2_verify_signature(struct cemv_kernel *kernel, struct k2_signed *out)
{
    struct cemv_certificate icc;
    const enum cemv_oda_result result = cemv_oda_icc_key(kernel, &icc);
    return result == CEMV_ODA_OK ? verify_transaction(kernel, &icc.key, out) : result;
}

/* [S910.38-39] */
void k2_tell_relay_data(struct cemv_kernel *kernel)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    const cemv_bytes index = k2_value(kernel, CEMV_SLOT_8F);
    struct k2_relay_track_in in = { .ca_index = index.size != 0 ? index.data[0] : 0,
                                    .retries = memory->retries,
                                    .measured = memory->measured };
    uint8_t track[19];
    size_t size;
    if ((memory->tvr & K2_TVR_RELAY_MASK) != K2_TVR(5, CEMV_TVR_5_RELAY_PERFORMED)) return;
    cemv_copy(in.entropy, memory->relay + 4, 4);
    if (!k2_relay_track(k2_value(kernel, CEMV_SLOT_57), &in, track, &size)) return;
    (void)cemv_store_put(&kernel->store, CEMV_SLOT_57, (cemv_bytes){ track, size }, CEMV_FROM_CARD);
}

/* What was approved offline must be proven by a signature of this tap: a recovered cryptogram without one is not
 * (SECURITY.md, A20). */
bool k2_approval_unproven(const struct cemv_kernel *kernel)
{
    return !cemv_is_book(kernel) && !k2_memory_of_const(kernel)->verified;
}

/* What the link itself takes, as measured for this reader or configured. */
static uint32_t latency_us(const struct cemv_kernel *kernel)
{
    const struct cemv_reader_memory *reader = kernel->transaction.reader;
    return reader && reader->link_latency_us != 0 ? reader->link_latency_us
                                                  : cemv_protection_of(kernel)->relay_latency_us;
}

/* The longest time the card claims to need: outside profile `book` not as long as it likes (SECURITY.md, A25). */
static uint16_t card_max(const struct cemv_kernel *kernel)
{
    enum { GUARDED_MAX_MS = 30, UNITS_PER_MS = 10 };
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    const uint16_t claimed = cemv_be16(k2_memory_of_const(kernel)->relay + 10);
    const uint16_t ceiling =
        (uint16_t)((protection->relay_max_card_ms != 0 ? protection->relay_max_card_ms : GUARDED_MAX_MS) *
                   UNITS_PER_MS);
    return cemv_is_book(kernel) || claimed < ceiling ? claimed : ceiling;
}

/* A time that nobody measured proves no nearness: it counts as the longest. */
struct k2_relay k2_weigh_time(const struct cemv_kernel *kernel, uint32_t elapsed_us)
{
    const struct k2_memory *memory = k2_memory_of_const(kernel);
    const uint32_t latency = latency_us(kernel), taken = elapsed_us != 0 ? elapsed_us : UINT32_MAX;
    const struct k2_relay_in in = {
        .elapsed_us = taken > latency ? taken - latency : 0,
        .retries = memory->retries,
        .card_min = cemv_be16(memory->relay + 8),
        .card_max = card_max(kernel),
        .card_transmission = cemv_be16(memory->relay + 12),
        .min_grace = k2_word(kernel, CEMV_SLOT_DF8132, 0x0014),
        .max_grace = k2_word(kernel, CEMV_SLOT_DF8133, 0x0032),
        .command_transmission = k2_word(kernel, CEMV_SLOT_DF8134, 0x0012),
        .response_transmission = k2_word(kernel, CEMV_SLOT_DF8135, 0x0018),
        .accuracy = k2_word(kernel, CEMV_SLOT_DF8136, 0x012C),
        .mismatch = k2_byte(kernel, CEMV_SLOT_DF8137, 0x32),
    };
    return k2_relay(&in);
}

/* Digits of the unpredictable number, the same for both tracks [S7.22]; negative if the card's data contradict each
 * other. */
int k2_number_digits_of(const struct cemv_kernel *kernel)
{
    const cemv_bytes one = k2_value(kernel, CEMV_SLOT_9F63), natc_1 = k2_value(kernel, CEMV_SLOT_9F64);
    const cemv_bytes two = k2_value(kernel, CEMV_SLOT_9F66), natc_2 = k2_value(kernel, CEMV_SLOT_9F67);
    if (natc_2.size != 1) return -1;
    const int digits = k2_number_digits(two, natc_2.data[0]);
    if (digits > 8) return -1;
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_56)) return digits;
    if (one.size != 6 || natc_1.size != 1 || !cemv_store_has(&kernel->store, CEMV_SLOT_9F62)) return -1;
    return k2_number_digits(one, natc_1.data[0]) == digits ? digits : -1;
}

/* [S7.23], and that every position lies in the track. */
bool k2_take_discretionary(struct cemv_kernel *kernel)
{
    const cemv_bytes track_1 = k2_value(kernel, CEMV_SLOT_56), track_2 = k2_value(kernel, CEMV_SLOT_9F6B);
    uint8_t digits[K2_TRACK_2_MAX];
    size_t first, size;
    if (!k2_track_2_discretionary(track_2, &first, &size) || size == 0) return false;
    if (!k2_positions_fit(k2_value(kernel, CEMV_SLOT_9F65), size) ||
        !k2_positions_fit(k2_value(kernel, CEMV_SLOT_9F66), size))
        return false;
    __builtin_memset(digits, 0xFF, sizeof digits);
    for (size_t i = 0; i < size; i++) {
        const uint8_t byte = track_2.data[(first + i) / 2];
        const uint8_t digit = (first + i) % 2 == 0 ? byte >> 4 : byte & 0x0F;
        digits[i / 2] = i % 2 == 0 ? (uint8_t)(digit << 4 | 0x0F) : (uint8_t)((digits[i / 2] & 0xF0) | digit);
    }
    k2_put_terminal(kernel, CEMV_SLOT_DF812B, digits, (size + 1) / 2);
    if (track_1.size == 0) return true;
    if (!k2_track_1_discretionary(track_1, &first, &size) || size == 0) return false;
    if (!k2_positions_fit(k2_value(kernel, CEMV_SLOT_9F62), size) ||
        !k2_positions_fit(k2_value(kernel, CEMV_SLOT_9F63), size))
        return false;
    k2_put_terminal(kernel, CEMV_SLOT_DF812A, k2_value(kernel, CEMV_SLOT_56).data + first, size);
    return true;
}

/* [S13.18-22, S14.26-30] */
void k2_fill_tracks(struct cemv_kernel *kernel, uint8_t shown_digits)
{
    const struct k2_memory *memory = k2_memory_of(kernel);
    uint8_t track[K2_TRACK_1_MAX];
    size_t first, size;
    struct k2_fill fill = {
        .cvc3_positions = k2_value(kernel, CEMV_SLOT_9F65),
        .number_positions = k2_value(kernel, CEMV_SLOT_9F66),
        .counter_digits = k2_byte(kernel, CEMV_SLOT_9F67, 0),
        .cvc3 = k2_word(kernel, CEMV_SLOT_9F61, 0),
        .counter = k2_word(kernel, CEMV_SLOT_9F36, 0),
        .number = memory->number,
        .number_digits = memory->number_digits,
        .shown_digits = shown_digits,
    };
    const cemv_bytes track_2 = k2_value(kernel, CEMV_SLOT_9F6B), track_1 = k2_value(kernel, CEMV_SLOT_56);
    cemv_copy(track, track_2.data, track_2.size);
    if (k2_track_2_discretionary(track_2, &first, &size)) k2_fill_track_2(track, first, size, &fill);
    (void)cemv_store_put(&kernel->store, CEMV_SLOT_9F6B, (cemv_bytes){ track, track_2.size }, CEMV_FROM_CARD);
    if (track_1.size == 0) return;
    fill.cvc3_positions = k2_value(kernel, CEMV_SLOT_9F62);
    fill.number_positions = k2_value(kernel, CEMV_SLOT_9F63);
    fill.counter_digits = k2_byte(kernel, CEMV_SLOT_9F64, 0);
    fill.cvc3 = k2_word(kernel, CEMV_SLOT_9F60, 0);
    cemv_copy(track, track_1.data, track_1.size);
    if (k2_track_1_discretionary(track_1, &first, &size)) k2_fill_track_1(track, first, size, &fill);
    (void)cemv_store_put(&kernel->store, CEMV_SLOT_56, (cemv_bytes){ track, track_1.size }, CEMV_FROM_CARD);
}

bool k2_verified_on_device(const struct cemv_kernel *kernel)
{
    const cemv_bytes interaction = k2_value(kernel, CEMV_SLOT_DF4B);
    return interaction.size == 3 && (interaction.data[1] & K2_VERIFIED_ON_DEVICE) != 0;
}

static bool same_object(const struct cemv_kernel *kernel, cemv_bytes record, uint16_t slot)
{
    cemv_bytes held;
    (void)k2_torn_find(record, cemv_tag_table[slot].tag, &held);
    return cemv_bytes_equal(held, k2_value(kernel, slot));
}

/* Another sale than the torn one must not end with its cryptogram (SECURITY.md, A20). */
bool k2_is_same_sale(const struct cemv_kernel *kernel, cemv_bytes record)
{
    return k2_torn_rule(kernel) == CEMV_TORN_BOOK ||
           (same_object(kernel, record, CEMV_SLOT_9F02) && same_object(kernel, record, CEMV_SLOT_9F03) &&
            same_object(kernel, record, CEMV_SLOT_5F2A) && same_object(kernel, record, CEMV_SLOT_9C));
}

void k2_show_balance(const struct cemv_kernel *kernel, struct cemv_ui_request *request)
{
    const cemv_bytes balance = k2_value(kernel, CEMV_SLOT_DF8105), currency = k2_value(kernel, CEMV_SLOT_9F42);
    if (balance.size == 0 || !cemv_bcd_read(balance, &request->value)) return;
    request->value_qualifier = CEMV_VALUE_BALANCE;
    if (currency.size == 2) request->currency = cemv_be16(currency.data);
}

bool k2_begins_with_magstripe_record(cemv_bytes locator)
{
    static const uint8_t entry[] = { 0x08, 0x01, 0x01, 0x00 };
    return locator.size >= sizeof entry && __builtin_memcmp(locator.data, entry, sizeof entry) == 0;
}

/* [S4.36-38]: nothing that this kernel needs can follow. */
void k2_stop_reading_early(struct cemv_kernel *kernel)
{
    static const uint16_t enough[] = {
        CEMV_SLOT_5F24, CEMV_SLOT_5A,   CEMV_SLOT_5F34, CEMV_SLOT_9F07, CEMV_SLOT_8E, CEMV_SLOT_9F0D,
        CEMV_SLOT_9F0E, CEMV_SLOT_9F0F, CEMV_SLOT_5F28, CEMV_SLOT_57,   CEMV_SLOT_8C,
    };
    if ((k2_configuration_of(kernel) & K2_READ_ALL) != 0 || k2_memory_of(kernel)->cda) return;
    for (size_t i = 0; i < sizeof enough / sizeof enough[0]; i++)
        if (!cemv_store_has(&kernel->store, enough[i])) return;
    kernel->afl.at = kernel->afl.end;
}

/* [S1.9], and the defaults that a DOL or a record may name. */
void k2_put_initial_data(struct cemv_kernel *kernel)
{
    static const uint8_t none[5] = { 0 }, version[2] = { 0x00, 0x02 }, magstripe_version[2] = { 0x00, 0x01 },
                         mobile = 0x01;
    const uint8_t capabilities[3] = { k2_byte(kernel, CEMV_SLOT_DF8117, 0), 0, k2_byte(kernel, CEMV_SLOT_DF811F, 0) };
    k2_put_terminal(kernel, CEMV_SLOT_9F34, none, 3);
    k2_put_terminal(kernel, CEMV_SLOT_95, none, 5);
    k2_put_terminal(kernel, CEMV_SLOT_9F33, capabilities, sizeof capabilities);
    k2_put_terminal(kernel, CEMV_SLOT_9F7E, &mobile, 1);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F09))
        k2_put_terminal(kernel, CEMV_SLOT_9F09, version, sizeof version);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F6D))
        k2_put_terminal(kernel, CEMV_SLOT_9F6D, magstripe_version, sizeof magstripe_version);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F1A)) k2_put_terminal(kernel, CEMV_SLOT_9F1A, none, 2);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F35)) k2_put_terminal(kernel, CEMV_SLOT_9F35, none, 1);
}

/* Format 1: 9F27, 9F36, 9F26, 9F10 by position. */
static enum cemv_store_error store_format_1(struct cemv_kernel *kernel, cemv_bytes value)
{
    static const struct {
        uint16_t slot;
        uint8_t size;
    } fields[] = { { CEMV_SLOT_9F27, 1 }, { CEMV_SLOT_9F36, 2 }, { CEMV_SLOT_9F26, 8 } };
    size_t at = 0;
    if (value.size < 11 || value.size > 43) return CEMV_STORE_MALFORMED;
    for (size_t i = 0; i < 3; i++) {
        const cemv_bytes field = { value.data + at, fields[i].size };
        if (cemv_store_has(&kernel->store, fields[i].slot)) return CEMV_STORE_DUPLICATE;
        const enum cemv_store_error error = cemv_store_card(&kernel->store, fields[i].slot, field);
        if (error != CEMV_STORE_OK) return error;
        at += fields[i].size;
    }
    if (at == value.size) return CEMV_STORE_OK;
    if (cemv_store_has(&kernel->store, CEMV_SLOT_9F10)) return CEMV_STORE_DUPLICATE;
    return cemv_store_card(&kernel->store, CEMV_SLOT_9F10, (cemv_bytes){ value.data + at, value.size - at });
}

/* [S4.24], [S4.34-35]: above SFI 10 a record may be anything; what cannot be hashed fails CDA. */
enum cemv_store_error k2_store_record(struct cemv_kernel *kernel, cemv_bytes body)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const bool is_signed = memory->record.is_signed && memory->cda;
    const bool proprietary = memory->record.sfi > K2_LAST_TEMPLATE_SFI;
    if (proprietary && (body.size == 0 || body.data[0] != CEMV_TAG_70_RECORD_TEMPLATE)) {
        if (is_signed) memory->tvr |= K2_TVR(1, CEMV_TVR_1_CDA_FAILED);
        return CEMV_STORE_OK;
    }
    return cemv_store_record(&kernel->store, body, is_signed, proprietary);
}

/* Format 1: profile and locator by position [S3.10]. A locator's length is a multiple of 4 (1.3): one that is not, is
 * malformed. */
enum cemv_store_error k2_store_gpo(struct cemv_kernel *kernel, cemv_bytes body)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(body);
    struct cemv_tlv template, tail, object;
    if (!cemv_tlv_next(&cursor, &template)) return CEMV_STORE_MALFORMED;
    if (template.tag != CEMV_TAG_80_RESPONSE_FORMAT_1) {
        const enum cemv_store_error error = cemv_store_template(&kernel->store, CEMV_TAG_77_RESPONSE_FORMAT_2, body);
        if (error != CEMV_STORE_OK) return error;
        if (cemv_tlv_find(template.value, CEMV_TAG_9F54_DS_ODS_CARD, &object) && object.value.size == 0)
            k2_mark_empty(kernel, CEMV_SLOT_9F54);
        return k2_value(kernel, CEMV_SLOT_94).size % 4 == 0 ? CEMV_STORE_OK : CEMV_STORE_BAD_LENGTH;
    }
    if (cemv_tlv_next(&cursor, &tail) || cursor.error != CEMV_WIRE_OK) return CEMV_STORE_MALFORMED;
    if (template.value.size < 6 || (template.value.size - 2) % 4 != 0) return CEMV_STORE_MALFORMED;
    if (cemv_store_has(&kernel->store, CEMV_SLOT_82) || cemv_store_has(&kernel->store, CEMV_SLOT_94))
        return CEMV_STORE_DUPLICATE;
    return cemv_store_gpo_format_1(kernel, template.value);
}

enum cemv_store_error k2_store_ac(struct cemv_kernel *kernel, uint8_t state, cemv_bytes body)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    struct cemv_tlv template, tail;
    struct cemv_tlv_cursor cursor = cemv_tlv_open(body);
    if (!cemv_tlv_next(&cursor, &template)) return CEMV_STORE_MALFORMED;
    if (template.tag == CEMV_TAG_80_RESPONSE_FORMAT_1 && state != K2_S10_WAIT_RECOVERY) {
        if (cemv_tlv_next(&cursor, &tail) || cursor.error != CEMV_WIRE_OK) return CEMV_STORE_MALFORMED;
        return store_format_1(kernel, template.value);
    }
    const uint16_t before = kernel->store.used;
    const enum cemv_store_error error = cemv_store_template(&kernel->store, CEMV_TAG_77_RESPONSE_FORMAT_2, body);
    if (error != CEMV_STORE_OK) return error;
    /* As kept, for the transaction data hash. */
    memory->ac = (struct k2_span){ (uint16_t)(before + (size_t)(template.value.data - body.data)),
                                   (uint16_t) template.value.size };
    return CEMV_STORE_OK;
}

bool k2_old_write_unresolved(const struct cemv_kernel *kernel, uint8_t index)
{
    const struct cemv_torn_record *record = &kernel->transaction.reader->torn[index];
    cemv_bytes status;
    (void)k2_torn_find((cemv_bytes){ record->bytes, record->size }, CEMV_TAG_DF8128_IDS_STATUS, &status);
    return status.size == 1 && (status.data[0] & K2_IDS_WRITE) != 0;
}

uint8_t k2_torn_room(const struct cemv_kernel *kernel)
{
    if (k2_torn_rule(kernel) == CEMV_TORN_OFF) return 0;
    return k2_torn_capacity(kernel->transaction.reader, k2_byte(kernel, CEMV_SLOT_DF811D, 0));
}

/* [S16, S17]: anything but the balance alone is ignored. */
void k2_take_balance(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word, uint16_t slot)
{
    if (status_word != K2_SW_OK || body.size != 9 || body.data[0] != 0x9F || body.data[1] != 0x50 || body.data[2] != 6)
        return;
    k2_put_terminal(kernel, slot, body.data + 3, 6);
}
