/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 2 from the answer to GENERATE AC on, with a card that signs: the data that CDA covers, summaries
 * of data storage, relay resistance in the signature, and how each path ends. Decided from the states S910 and S11 and
 * Book 2, 6.6. */
#include <string.h>

#include "CEMVInternals.h"
#include "kernel_2_alone.h"
#include "bytes.h"
#include "properties.h"
#include "signing_card.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static struct cemv_kernel kernel;
static struct cemv_checked checked;
static struct cemv_combination combination;
static struct cemv_reader_memory reader;
static struct cemv_ca_key key;

static void put(uint16_t slot, cemv_bytes value)
{
    property(cemv_store_put(&kernel.store, slot, value, CEMV_FROM_CARD), "room", slot);
}

/* Defaults: an ARQC of a purchase with CDA, without data storage and relay resistance, in `guarded`. */
struct answer {
    uint8_t profile, cid, type; /* cid 0: 80; K2_AAC as 0x3F */
    bool storage, write, version_2, stops_on_failure, no_use;
    bool relay, other_relay, no_relay;
    unsigned summaries; /* in the signature: 0: two, 1: one, 2: none */
    bool other_before;  /* 9F7D is not the first of them */
    bool same_after;    /* the second equals the first */
    bool old_write, other_old;
    bool spoilt, other_hash, no_ca_key;
    bool other_state; /* in S11 */
    uint8_t cvm;
    const char *balance, *third_party, *interaction, *currency; /* DF8105, 9F6E of 8 bytes, DF4B of 3, 9F42 */
    uint8_t capability;                                         /* DF8117; 0: E0 */
};

static const uint8_t before_summary[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
static const uint8_t after_summary[16] = { 1, 2, 3, 4, 5, 6, 7, 9, 9, 10, 11, 12, 13, 14, 15, 17 };

static size_t dynamic_of(const struct answer *answer, const struct k2_memory *memory, const uint8_t hash[20],
                         uint8_t *out)
{
    const size_t summary = answer->version_2 ? 16 : 8;
    size_t size = 0;
    out[size++] = 2;
    memcpy(out + size, "\x77\x88", 2);
    size += 2;
    out[size++] = answer->cid == 0x3F ? 0x00 : answer->cid ? answer->cid : 0x80;
    memcpy(out + size, "\x11\x12\x13\x14\x15\x16\x17\x18", 8);
    size += 8;
    memcpy(out + size, hash, 20);
    if (answer->other_hash) out[size] ^= 1;
    size += 20;
    if (answer->storage && answer->summaries < 2) memcpy(out + size, before_summary, summary), size += summary;
    if (answer->storage && answer->summaries < 1) {
        memcpy(out + size, answer->same_after ? before_summary : after_summary, summary);
        size += summary;
    }
    if (answer->relay && !answer->no_relay) {
        memcpy(out + size, memory->relay, 14);
        if (answer->other_relay) out[size + 13] ^= 1;
        size += 14;
    }
    return size;
}

static const uint8_t pan[8] = { 0x54, 0x13, 0x33, 0x90, 0x00, 0x00, 0x15, 0x13 };

static struct k2_memory *begin(const struct answer *answer)
{
    static const uint8_t aid[] = { 0xA0, 0, 0, 0, 4, 0x10, 0x10 };
    kernel_2_alone(&kernel, &checked, &combination, &reader, answer->profile);
    combination.aid = (cemv_bytes){ aid, sizeof aid };
    key = signing_ca_key(aid);
    checked.crypto = signing_port();
    checked.configuration.ca_keys = &key;
    checked.configuration.ca_key_count = answer->no_ca_key ? 0 : 1;
    kernel.transaction.currency = 0x0978;
    memcpy(kernel.language, "en", 2);
    kernel.language_size = 2;
    cemv_store_clear(&kernel.store, tags_of(2), cemv_kernel_2.reading);
    kernel.out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
    return k2_memory_of(&kernel);
}

/* Objects of a list, each put as the card's. */
static void put_objects(const uint8_t *objects, size_t size)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open((cemv_bytes){ objects, size });
    struct cemv_tlv object;
    while (cemv_tlv_next(&cursor, &object)) put(cemv_slot_of(kernel.store.tags, object.tag), object.value);
}

/* Runs from the answer to the end. */
static void conclude(const struct answer *answer)
{
    uint8_t objects[512], dynamic[128], hash[CEMV_SHA1_SIZE], sdad[256];
    struct k2_memory *const memory = begin(answer);
    put_objects(objects, signing_issuer(objects, pan));
    put_objects(objects, signing_icc(objects, pan, (cemv_bytes){ NULL, 0 }));
    put(CEMV_SLOT_5A, (cemv_bytes){ pan, sizeof pan });
    put(CEMV_SLOT_82, BYTES("\x21\x01"));
    put(CEMV_SLOT_9F37, BYTES("\x33\xCA\x91\xAC"));
    const uint8_t cid = answer->cid == 0x3F ? 0x00 : answer->cid ? answer->cid : 0x80;
    put(CEMV_SLOT_9F27, (cemv_bytes){ &cid, 1 });
    put(CEMV_SLOT_9F36, BYTES("\0\7"));
    put(CEMV_SLOT_9C, (cemv_bytes){ &answer->type, 1 });
    const uint8_t capability = answer->capability ? answer->capability : 0xE0;
    put(K2_SLOT_DF8117, (cemv_bytes){ &capability, 1 });
    if (answer->balance) put(K2_SLOT_DF8105, (cemv_bytes){ (const uint8_t *)answer->balance, 6 });
    if (answer->third_party) put(K2_SLOT_9F6E, (cemv_bytes){ (const uint8_t *)answer->third_party, 8 });
    if (answer->interaction) put(K2_SLOT_DF4B, (cemv_bytes){ (const uint8_t *)answer->interaction, 3 });
    if (answer->currency) put(CEMV_SLOT_9F42, (cemv_bytes){ (const uint8_t *)answer->currency, 2 });
    kernel.out.outcome.cvm = answer->cvm;
    memory->mode = K2_MODE_EMV;
    memory->cda = true;
    memory->control = (uint8_t)(cid | 0x10);
    memory->ids = (uint8_t)((answer->storage ? K2_IDS_READ : 0) | (answer->write ? K2_IDS_WRITE : 0));
    for (size_t i = 0; i < sizeof memory->relay; i++) memory->relay[i] = (uint8_t)(0xC0 + i);
    if (answer->relay) memory->tvr |= CEMV_TVR(5, CEMV_TVR_5_RELAY_PERFORMED);
    if (answer->storage) {
        const size_t summary = answer->version_2 ? 16 : 8;
        put(K2_SLOT_9F5D, answer->version_2 ? BYTES("\2\0\0") : BYTES("\1\0\0"));
        put(K2_SLOT_9F7D, (cemv_bytes){ answer->other_before ? after_summary : before_summary, summary });
        if (!answer->no_use) put(K2_SLOT_DF810A, answer->stops_on_failure ? BYTES("\2") : BYTES("\xFC"));
        memory->old_write = answer->old_write;
        memory->old_summary_size = (uint8_t)summary;
        memcpy(memory->old_summary, answer->other_old ? after_summary : before_summary, summary);
        if (answer->old_write)
            property(cemv_store_keep(&kernel.store, BYTES("\x9F\x02\1\7"), &memory->old_record), "room", 0);
    }
    /* Book 2, 6.6.1: the values for PDOL and CDOL1, then the objects of the answer except the signature. */
    static const char response[] = "\x9F\x27\1\x80\x9F\x36\2\0\7";
    property(cemv_store_keep(&kernel.store, BYTES("PDOL"), &memory->pdol) &&
                 cemv_store_keep(&kernel.store, BYTES("CDOL1"), &memory->cdol) &&
                 cemv_store_keep(&kernel.store, BYTES(response), &memory->ac),
             "room", 0);
    struct cemv_sha1 sum;
    cemv_sha1_init(&sum);
    cemv_sha1_update(&sum, BYTES("PDOLCDOL1"));
    cemv_sha1_update(&sum, BYTES(response));
    cemv_sha1_final(&sum, hash);
    const cemv_bytes number = answer->spoilt ? BYTES("\x33\xCA\x91\xAD") : BYTES("\x33\xCA\x91\xAC");
    const size_t size = dynamic_of(answer, memory, hash, dynamic);
    put_objects(sdad, signing_signature(sdad, 0x05, (cemv_bytes){ dynamic, size }, &number, 1));
    const struct cemv_reply shown = { .kind = CEMV_REPLY_CONTINUE };
    kernel.out.state = K2_S910_WAIT_CARD_READ;
    kernel.out.step = CEMV_STEP_WORK;
    (void)cemv_kernel_2.reply(&kernel, &shown);
}

static bool found(unsigned finding) { return kernel.findings >> finding & 1; }

static bool ends(uint8_t status, uint8_t reason, uint8_t l2)
{
    const struct cemv_outcome *outcome = &kernel.out.outcome;
    return kernel.out.step == CEMV_STEP_DONE && outcome->status == status && outcome->reason == reason &&
           outcome->error_indication[0] == CEMV_L1_OK && outcome->error_indication[1] == l2 &&
           outcome->error_indication[3] == 0 && outcome->error_indication[4] == 0;
}

static cemv_bytes discretionary(uint32_t tag)
{
    struct cemv_tlv object, inner;
    const cemv_bytes more = { kernel.out.records + kernel.out.record_size, kernel.out.discretionary_size };
    if (cemv_tlv_find(more, tag, &object)) return object.value;
    for (unsigned template = 0xFF8101; template <= 0xFF8106; template ++)
        if (cemv_tlv_find(more, template, &object) && cemv_tlv_find(object.value, tag, &inner)) return inner.value;
    return (cemv_bytes){ NULL, 0 };
}

/* S910.1-7: the signature covers number, type, cryptogram and the transaction; its contents are stored. */
static void a_signature_proves_the_cryptogram(void)
{
    for (unsigned i = 0; i < 4; i++) {
        const struct answer answer = { .spoilt = i == 1, .other_hash = i == 2, .no_ca_key = i == 3 };
        conclude(&answer);
        if (i == 0) {
            property(ends(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL, CEMV_L2_OK), "a good signature", i);
            property(cemv_bytes_equal(cemv_value(&kernel, CEMV_SLOT_9F26), BYTES("\x11\x12\x13\x14\x15\x16\x17\x18")) &&
                         cemv_bytes_equal(cemv_value(&kernel, CEMV_SLOT_9F4C), BYTES("\x77\x88")),
                     "cryptogram and number are those that it holds", i);
        } else {
            property(ends(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_KERNEL, CEMV_L2_CAM_FAILED), "it fails", i);
            property(cemv_bytes_equal(cemv_value(&kernel, CEMV_SLOT_95), BYTES("\4\0\0\0\0")), "TVR 1.3", i);
            property(kernel.out.record_size == 0, "no data record", i);
            property(kernel.out.outcome.ui_on_outcome.message == CEMV_MESSAGE_TRY_ANOTHER_CARD, "message 1C", i);
        }
        property(found(CEMV_FINDING_ODA_TAMPER) == (i == 1 || i == 2), "what verifies wrong is reported", i);
    }
}

/* S910.2-6 with relay resistance performed: the 14 bytes of the exchange are the last of the signed data. */
static void a_signature_covers_the_relay_exchange(void)
{
    for (unsigned i = 0; i < 12; i++) {
        const struct answer answer = { .relay = true,
                                       .other_relay = i % 3 == 1,
                                       .no_relay = i % 3 == 2,
                                       .storage = i >= 3,
                                       .version_2 = i / 3 == 2,
                                       .summaries = i / 3 == 3 ? 1 : 0 };
        conclude(&answer);
        const bool whole = answer.summaries == 0 && i % 3 == 0;
        property(whole ? ends(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL, CEMV_L2_OK)
                       : ends(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_KERNEL, CEMV_L2_CAM_FAILED),
                 "what was exchanged stands in the signature", i);
    }
}

/* S910.8-19, S11.47-61 */
static void summaries_are_compared(void)
{
    for (unsigned i = 0; i < 2 * 3 * 64; i++) {
        const struct answer answer = { .storage = true,
                                       .version_2 = i & 1,
                                       .summaries = i / 2 % 3,
                                       .write = i / 6 & 1,
                                       .other_before = i / 6 & 2,
                                       .same_after = i / 6 & 4,
                                       .stops_on_failure = i / 6 & 8,
                                       .no_use = (i / 6 & 24) == 16,
                                       .old_write = i / 6 & 32,
                                       .other_old = (i / 6 & 32) && (i / 6 & 16) };
        conclude(&answer);
        const struct k2_memory *const memory = k2_memory_of(&kernel);
        const bool has_first = answer.summaries < 2, has_second = answer.summaries < 1;
        const bool agree = !answer.other_before;
        /* 9F7D of the torn record must equal this tap's */
        const bool old_agrees = !answer.old_write || answer.other_old == answer.other_before;
        const uint8_t l2 = !has_first                                   ? CEMV_L2_CARD_DATA_MISSING
                         : !agree                                       ? CEMV_L2_IDS_READ_ERROR
                         : !old_agrees                                  ? CEMV_L2_IDS_READ_ERROR
                         : !answer.write                                ? CEMV_L2_OK
                         : !has_second                                  ? CEMV_L2_CARD_DATA_MISSING
                         : answer.same_after && answer.stops_on_failure ? CEMV_L2_IDS_WRITE_ERROR
                                                                        : CEMV_L2_OK;
        const bool read = has_first && agree && old_agrees;
        property(l2 == CEMV_L2_OK ? ends(CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL, l2)
                                  : ends(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA, l2),
                 "summaries of data storage", i);
        property(memory->summary_status == (!read ? 0
                                            : answer.write && has_second && !answer.same_after
                                                ? K2_SUMMARY_READ | K2_SUMMARY_WRITTEN
                                                : K2_SUMMARY_READ),
                 "what succeeded", i);
        property((kernel.out.record_size != 0) == (l2 == CEMV_L2_OK || (answer.write && l2 != CEMV_L2_IDS_WRITE_ERROR)),
                 "a data record where the card may have been written", i);
        property((discretionary(0x9F02).size != 0) == (answer.old_write && l2 != CEMV_L2_OK),
                 "an earlier write that is unresolved is reported", i);
        if (!has_first) continue;
        const size_t summary = answer.version_2 ? 16 : 8;
        property(cemv_bytes_equal(cemv_value(&kernel, K2_SLOT_DF8101), (cemv_bytes){ before_summary, summary }) &&
                     cemv_bytes_equal(
                         cemv_value(&kernel, K2_SLOT_DF8102),
                         (cemv_bytes){ answer.same_after ? before_summary : after_summary, has_second ? summary : 0 }),
                 "the summaries that were signed", i);
    }
}

/* S910.70-81 */
static void a_cryptogram_ends_as_its_type_says(void)
{
    static const struct {
        uint8_t cid, type;
        const char *third_party;
        uint8_t capability, status, message;
        bool hold;
    } rows[] = {
        { 0x40, 0x00, NULL, 0, CEMV_OUTCOME_APPROVED, CEMV_MESSAGE_APPROVED, true },
        { 0x40, 0x20, NULL, 0, CEMV_OUTCOME_APPROVED, CEMV_MESSAGE_APPROVED, true },
        { 0x80, 0x00, NULL, 0, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_MESSAGE_AUTHORISING, false },
        { 0x3F, 0x00, NULL, 0, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_MESSAGE_INSERT_CARD, true },
        { 0x3F, 0x01, NULL, 0, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_MESSAGE_INSERT_CARD, true },
        { 0x3F, 0x09, NULL, 0, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_MESSAGE_INSERT_CARD, true },
        { 0x3F, 0x17, NULL, 0, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_MESSAGE_INSERT_CARD, true },
        { 0x3F, 0x20, NULL, 0, CEMV_OUTCOME_END_APPLICATION, CEMV_MESSAGE_CLEAR_DISPLAY, false },
        { 0x3F, 0x00, NULL, 0xC0, CEMV_OUTCOME_DECLINED, CEMV_MESSAGE_NOT_AUTHORISED, true },
        { 0x3F, 0x00, NULL, 0xDF, CEMV_OUTCOME_DECLINED, CEMV_MESSAGE_NOT_AUTHORISED, true },
        { 0x3F, 0x00, NULL, 0x01, CEMV_OUTCOME_DECLINED, CEMV_MESSAGE_NOT_AUTHORISED, true },
        { 0x3F, 0x00, NULL, 0x20, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_MESSAGE_INSERT_CARD, true },
        { 0x3F, 0x00, "\2\x76\0\0\x31\x30\0\0", 0, CEMV_OUTCOME_DECLINED, CEMV_MESSAGE_NOT_AUTHORISED, true },
        { 0x3F, 0x00, "\2\x76\0\0\x30\x30\0\0", 0, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_MESSAGE_INSERT_CARD, true },
        { 0x3F, 0x00, "\2\x76\x80\0\x31\x30\0\0", 0, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_MESSAGE_INSERT_CARD,
          true },
    };
    for (unsigned i = 0; i < COUNT(rows) * 4; i++) {
        const unsigned r = i / 4;
        const bool signs = i & 1, balance = i & 2;
        const struct answer answer = { .cid = rows[r].cid,
                                       .type = rows[r].type,
                                       .third_party = rows[r].third_party,
                                       .capability = rows[r].capability,
                                       .cvm = signs ? CEMV_CVM_SIGNATURE : CEMV_CVM_NONE,
                                       .balance = balance ? "\0\0\0\0\x12\x34" : NULL,
                                       .currency = balance ? "\x08\x40" : NULL };
        conclude(&answer);
        const struct cemv_ui_request *request = &kernel.out.outcome.ui_on_outcome;
        const bool approved = rows[r].status == CEMV_OUTCOME_APPROVED;
        property(ends(rows[r].status, CEMV_REASON_KERNEL, CEMV_L2_OK), "the outcome of a cryptogram", i);
        property(request->message == (approved && signs ? CEMV_MESSAGE_APPROVED_SIGN : rows[r].message) &&
                     request->status == CEMV_UI_NOT_READY && request->hold_ms == (rows[r].hold ? 1300 : 0),
                 "its message", i);
        property(kernel.out.outcome.cvm == answer.cvm && kernel.out.record_size != 0, "its method and its record", i);
        property(approved && balance ? request->value_qualifier == CEMV_VALUE_BALANCE && request->value == 1234 &&
                                           request->currency == 0x0840
                                     : request->value_qualifier == CEMV_VALUE_NONE,
                 "the balance of an approval", i);
        property(request->language_size == 2, "in the card's language", i);
    }
}

/* S910.71-80: a second tap is requested, whatever the cryptogram is. */
static void a_phone_asks_for_a_second_tap(void)
{
    for (unsigned i = 0; i < 3; i++) {
        static const uint8_t types[] = { 0x40, 0x80, 0x3F };
        const struct answer answer = { .cid = types[i], .interaction = "\0\2\0" };
        conclude(&answer);
        const struct cemv_outcome *outcome = &kernel.out.outcome;
        property(ends(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_KERNEL, CEMV_L2_OK) && outcome->start == CEMV_START_B &&
                     outcome->ui_on_restart_present && outcome->ui_on_restart.status == CEMV_UI_READY_TO_READ &&
                     outcome->ui_on_restart.hold_ms == 0 && outcome->ui_on_restart.language_size == 2,
                 "the phone is presented again", i);
        property(kernel.out.record_size != 0 && kernel.out.ui_count != 0, "its message is shown at once", i);
    }
}

void properties_of_kernel_2_signed(void)
{
    PART(a_signature_proves_the_cryptogram);
    PART(a_signature_covers_the_relay_exchange);
    PART(summaries_are_compared);
    PART(a_cryptogram_ends_as_its_type_says);
    PART(a_phone_asks_for_a_second_tap);
}
