/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 3's dialogue (Book C-3 v2.10; attacks.md for what goes beyond it): outcomes with their error
 * indication and records, signatures of a card that signs, qualifiers of the card, limits of a program, the issuer's
 * scripts. Each answer is decided from the clause. */
#include <stdio.h>
#include <string.h>

#include "CEMVInternals.h"
#include "properties.h"
#include "bytes.h"
#include "signing_card.h"
#include "../../Sources/CEMV/include/cemv_kernel_3.h"
#include "../../Sources/CEMV/kernels/k3/k3.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

#define PDOL    "9F380E9F66049F02069F37045F2A029C01"
#define TRACK_2 "570C4111111111111111D3012201"
#define COMMON  "82022000" TRACK_2 "9F3602000A9F26080102030405060708"
#define ARQC    COMMON "9F2701809F100706010A03A00000"
#define TC      COMMON "9F2701409F100706010A03900000"
#define AAC     COMMON "9F2701009F100706010A03800000"
#define EXPIRY  "5F2403301231"

enum { RECORDS = 6, MESSAGES = 8, COMMANDS = 24 };
enum amount { ZERO = 1, ORDINARY = 1250, CVM_LIMIT = 2000, FLOOR_LIMIT = 5000, ABOVE_FLOOR = 5001, LIMIT = 9000 };

/* The card's signature, and 9F69 with it. */
enum signed_as {
    UNSIGNED = 0,
    SIGNED,          /* the number in it is the ATC */
    OTHER_COUNTER,   /* another number of two bytes */
    LONGER_NUMBER,   /* a number of three bytes, which is no counter */
    SPOILT,          /* the hash is of another 9F69 */
    OTHER_CA_KEY,    /* 8F names a key that the reader does not have */
    WITHOUT_DDA,     /* AIP byte 1 bit 6 is 0 */
    WITHOUT_RELATED, /* 9F69 is not returned */
    WITHOUT_SDAD,    /* 9F4B is not returned */
    OTHER_FORMAT,    /* 05 for 95 and the other way round */
    SIGNED_AS_COUNT
};

/* Defaults: an ordinary purchase at a reader that supports everything, with profile `guarded`. */
struct scene {
    const char *gpo;              /* objects of template 77, or with '=' a whole response */
    const char *records[RECORDS]; /* objects of template 70, or with '=' a whole response */
    const char *pdol;             /* the PDOL, whole; NULL: PDOL */
    const char *fci;              /* more objects of A5 */
    const char *updated_fci;      /* a whole response to the SELECT after the issuer's answer */
    uint8_t signature;            /* enum signed_as */
    const char *locator;          /* 94 of the signing card; NULL: the entries of its own records and the scene's */
    const char *related;          /* 9F69 of the signing card; NULL: with a CTQ of 0000 */
    uint8_t ttq_1, ttq_2;         /* byte 1, 0: 36; byte 2 */
    bool no_updates;              /* TTQ byte 3 bit 8 is 0 */
    uint64_t amount;              /* 0: ORDINARY; ZERO: an amount of zero */
    uint64_t amount_other;
    uint8_t type;
    bool start_b, no_floor, no_zero;
    uint64_t cdcvm_limit;
    const char *data; /* data objects of the terminal in addition to 9F1A */
    struct cemv_kernel_3_options options;
    struct cemv_protection protection;
    const char *issuer;              /* the issuer's answer */
    uint16_t script_words[COMMANDS]; /* status words of the commands after it; 0: 9000 */
    const struct cemv_exception *exception;
    bool other_aid; /* the combination is of another brand */
    struct {
        uint8_t kind;             /* kind of the reply; 0: no fault */
        unsigned at;              /* index of its command; SELECT of the directory is 0 */
        const struct scene *then; /* the card that is presented next; NULL: this card again */
    } fault;
    struct {
        enum { NO_DAMAGE, FLIPPED, CUT, CUT_BEFORE_9000, WORD_ALONE } kind;
        unsigned at; /* index of the damaged answer */
        size_t place;
        uint16_t change;
    } damage;
};

struct result {
    struct cemv_outcome first; /* the outcome before the issuer's answer, if there was one */
    struct cemv_outcome outcome;
    struct cemv_ui_request messages[MESSAGES];
    size_t message_count;
    uint8_t bytes[CEMV_RECORD_CAPACITY];
    size_t record_size, discretionary_size;
    uint8_t sent[COMMANDS][64]; /* commands, as far as they fit */
    size_t sent_size[COMMANDS];
    size_t sent_count;
    uint8_t pdol[252];
    size_t answer_size[COMMANDS]; /* size before any damage */
    bool waits;                   /* waits for the card to come back */
    unsigned notes_of_signatures, notes_of_restrictions;
    uint64_t noted_signature;
};

static const uint8_t random_numbers[] = { 0x33, 0xCA, 0x91, 0xAC, 0x44, 0xCA, 0x91, 0xAC };
static unsigned presentment; /* 0 before a fault, 1 after it */

static void note(void *context, struct cemv_state state, uint32_t clause, uint64_t value)
{
    struct result *result = context;
    (void)state;
    result->notes_of_signatures += clause == CEMV_CLAUSE(5, 6, 0, 0);
    result->notes_of_restrictions += clause == CEMV_CLAUSE(5, 5, 1, 0);
    if (clause == CEMV_CLAUSE(5, 6, 0, 0)) result->noted_signature = value;
}

static size_t wrap(uint8_t *out, uint8_t tag, const uint8_t *value, size_t size)
{
    size_t used = 0;
    out[used++] = tag;
    if (size > 127) out[used++] = 0x81;
    out[used++] = (uint8_t)size;
    memcpy(out + used, value, size);
    memcpy(out + used + size, "\x90", 2);
    return used + size + 2;
}

static cemv_bytes response_of(const char *text, uint8_t template, cemv_bytes more)
{
    static uint8_t response[600], value[600];
    if (text[0] == '=') return (cemv_bytes){ response, bytes_of_hex(text + 1, response) };
    const size_t size = bytes_of_hex(text, value);
    if (more.size) memcpy(value + size, more.data, more.size);
    return (cemv_bytes){ response, wrap(response, template, value, size + more.size) };
}

/* ---- the reader ---- */

static const uint8_t visa[] = { 0xA0, 0, 0, 0, 3, 0x10, 0x10 }, other[] = { 0xA0, 0, 0, 0, 4, 0x10, 0x10 };

static const struct cemv_checked *configure(const struct scene *scene)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[8192];
    static uint8_t ttq[4], data[64];
    static struct cemv_kernel_3_options options;
    static struct cemv_ca_key key;
    static struct cemv_combination row;
    static const struct cemv_kernel_row kernel = { { 3 }, 1, &cemv_kernel_3, NULL };
    const struct cemv_checked *checked;
    struct cemv_config_error error;

    ttq[0] = scene->ttq_1 ? scene->ttq_1 : 0x36;
    ttq[1] = scene->ttq_2;
    ttq[2] = scene->no_updates ? 0x40 : 0xC0;
    ttq[3] = 0;
    key = signing_ca_key(visa);
    options = scene->options;
    row = (struct cemv_combination){
        .aid = scene->other_aid ? (cemv_bytes){ other, sizeof other } : (cemv_bytes){ visa, sizeof visa },
        .kernel_id = { 3 },
        .kernel_id_size = 1,
        .zero_amount = scene->no_zero ? CEMV_ZERO_AMOUNT_NOT_ALLOWED : CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED,
        .transaction_types = BYTES("\x00\x01\x09\x20"),
        .limits = { .amount = { LIMIT, FLOOR_LIMIT, 0, CVM_LIMIT, scene->cdcvm_limit },
                    .present = (uint8_t)(0x09 | (scene->no_floor ? 0 : 0x02) | (scene->cdcvm_limit ? 0x10 : 0)) },
        .ttq = { ttq, sizeof ttq },
        .options = &options,
    };
    memcpy(data, "\x9F\x1A\2\2\x76", 5);
    const struct cemv_configuration configuration = {
        .terminal_data = { data, 5 + (scene->data ? bytes_of_hex(scene->data, data + 5) : 0) },
        .combinations = &row,
        .combination_count = 1,
        .ca_keys = &key,
        .ca_key_count = 1,
        .exceptions = scene->exception,
        .exception_count = scene->exception != NULL,
        .kernels = &kernel,
        .kernel_count = 1,
        .protection = scene->protection,
        .crypto = signing_port(),
    };
    return cemv_configuration_check(&configuration, memory, sizeof memory, &checked, &error) == CEMV_OK ? checked
                                                                                                        : NULL;
}

/* ---- the card ---- */

static const uint8_t pan[8] = { 0x41, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11 };

static cemv_bytes issuer_of(const struct scene *scene)
{
    static uint8_t out[256];
    const size_t size = signing_issuer(out, pan);
    if (scene->signature == OTHER_CA_KEY) out[2] ^= 1;
    return (cemv_bytes){ out, size };
}

/* With 5A. No record is signed. */
static cemv_bytes icc_of(void)
{
    static uint8_t out[256];
    const size_t size = signing_icc(out, pan, (cemv_bytes){ NULL, 0 });
    memcpy(out + size, "\x5A\x08", 2);
    memcpy(out + size + 2, pan, sizeof pan);
    return (cemv_bytes){ out, size + 2 + sizeof pan };
}

/* Annex C, table C-1: number, amount, currency and all bytes of 9F69 are hashed. Returns 9F4B and 9F69. */
static cemv_bytes signed_objects(const struct scene *scene, uint64_t amount)
{
    static uint8_t out[256];
    uint8_t related[16], amount_bcd[6] = { 0 }, hashed[16];
    const size_t related_size = bytes_of_hex(scene->related ? scene->related : "01AABBCCDD0000", related);
    const bool offline = memcmp(scene->gpo, TC, sizeof TC - 1) == 0;
    const uint8_t format = offline != (scene->signature == OTHER_FORMAT) ? 0x05 : 0x95;
    for (size_t i = 6; i-- > 0; amount /= 100) amount_bcd[i] = (uint8_t)(amount / 10 % 10 << 4 | amount % 10);
    memcpy(hashed, related, related_size);
    if (scene->signature == SPOILT) hashed[4] ^= 1;
    const cemv_bytes pieces[] = {
        { random_numbers + 4 * presentment, 4 }, { amount_bcd, 6 }, BYTES("\x09\x78"), { hashed, related_size }
    };
    const cemv_bytes dynamic = scene->signature == OTHER_COUNTER ? BYTES("\2\0\x0B")
                             : scene->signature == LONGER_NUMBER ? BYTES("\3\0\x0B\0")
                                                                 : BYTES("\2\0\x0A");
    size_t size = scene->signature == WITHOUT_SDAD ? 0 : signing_signature(out, format, dynamic, pieces, 4);
    if (scene->signature != WITHOUT_RELATED) {
        struct cemv_writer writer = cemv_writer_open(out + size, sizeof out - size);
        cemv_writer_put_tlv(&writer, 0x9F69, (cemv_bytes){ related, related_size });
        size += cemv_writer_finish(&writer).size;
    }
    return (cemv_bytes){ out, size };
}

/* A card that signs has its certificates and 9F69 in the first records of file 1, followed by the scene's records. */
enum { SIGNING_RECORDS = 3 };
static cemv_bytes gpo_of(const struct scene *scene)
{
    static uint8_t objects[256];
    size_t size;
    const cemv_bytes none = { NULL, 0 };
    if (scene->signature == UNSIGNED) return response_of(scene->gpo, 0x77, none);
    size = bytes_of_hex(scene->gpo, objects);
    if (scene->signature == WITHOUT_DDA) objects[2] &= (uint8_t)~0x20;
    if (scene->locator) {
        static uint8_t located[300];
        size += bytes_of_hex(scene->locator, objects + size);
        return (cemv_bytes){ located, wrap(located, 0x77, objects, size) };
    }
    memcpy(objects + size, "\x94\4\x08\1\3\0", 6);
    if (scene->records[0]) objects[size + 4] = 4;
    static uint8_t response[300];
    return (cemv_bytes){ response, wrap(response, 0x77, objects, size + 6) };
}

static cemv_bytes record_of(const struct scene *scene, size_t at, uint64_t amount)
{
    const bool signs = scene->signature != UNSIGNED;
    if (signs && at == 0) return response_of("", 0x70, issuer_of(scene));
    if (signs && at == 1) return response_of("", 0x70, icc_of());
    if (signs && at == 2) return response_of("", 0x70, signed_objects(scene, amount));
    const size_t own = signs ? at - SIGNING_RECORDS : at;
    const char *text = own < RECORDS ? scene->records[own] : NULL;
    return response_of(text ? text : "=6A83", 0x70, (cemv_bytes){ NULL, 0 });
}

static cemv_bytes selected(const struct scene *scene)
{
    static char text[400];
    strcpy(text, scene->other_aid ? "8407A0000000041010" : "8407A0000000031010");
    strcat(text, "A5");
    const char *more = scene->fci ? scene->fci : "", *const pdol = scene->pdol ? scene->pdol : PDOL;
    const size_t size = (strlen(pdol) + strlen(more)) / 2;
    static const char digits[] = "0123456789ABCDEF";
    const size_t length = strlen(text);
    text[length] = digits[size >> 4];
    text[length + 1] = digits[size & 15];
    strcpy(text + length + 2, pdol);
    strcat(text, more);
    return response_of(text, 0x6F, (cemv_bytes){ NULL, 0 });
}

/* ---- a transaction ---- */

static struct cemv_session *session;

static void keep_messages(struct result *result)
{
    for (size_t i = 0; i < cemv_session_ui_count(session) && result->message_count < MESSAGES; i++)
        result->messages[result->message_count++] = cemv_session_ui(session, i);
}

static void answer(struct result *result, uint8_t kind, cemv_bytes bytes)
{
    const struct cemv_reply reply = { .kind = kind, .bytes = bytes };
    (void)cemv_session_reply(session, &reply);
    keep_messages(result);
}

static void keep_outcome(struct result *result)
{
    const cemv_bytes record = cemv_session_data_record(session);
    const cemv_bytes discretionary = cemv_session_discretionary(session);
    result->outcome = cemv_session_outcome(session);
    result->record_size = record.size;
    result->discretionary_size = discretionary.size;
    if (record.size) memcpy(result->bytes, record.data, record.size);
    if (discretionary.size) memcpy(result->bytes + record.size, discretionary.data, discretionary.size);
    result->waits = cemv_session_step(session) == CEMV_STEP_POLL;
}

/* An answer with changed bits, or without its end. */
static cemv_bytes damaged(const struct scene *scene, cemv_bytes bytes)
{
    static uint8_t copy[700];
    const size_t place = scene->damage.place;
    if (scene->damage.kind == NO_DAMAGE || place > bytes.size) return bytes;
    memcpy(copy, bytes.data, bytes.size);
    switch (scene->damage.kind) {
    case NO_DAMAGE: break;
    case FLIPPED: copy[place] ^= (uint8_t)scene->damage.change; break;
    case CUT: return (cemv_bytes){ copy, place };
    case CUT_BEFORE_9000: memcpy(copy + place, "\x90", 2); return (cemv_bytes){ copy, place + 2 };
    case WORD_ALONE:
        copy[0] = (uint8_t)(scene->damage.change >> 8), copy[1] = (uint8_t)scene->damage.change;
        return (cemv_bytes){ copy, 2 };
    }
    return (cemv_bytes){ copy, bytes.size };
}

/* Commands up to an outcome or the next presentment; `update`: those after the issuer's answer. */
static void talk(const struct scene *scene, struct result *result, uint64_t amount, bool update)
{
    static const char directory[] =
        "=6F27840E325041592E5359532E4444463031A515BF0C1261104F07A00000000310108701019F2A0103"
        "9000";
    static const char of_other[] = "=6F27840E325041592E5359532E4444463031A515BF0C1261104F07A0000000041010870101"
                                   "9F2A01039000";
    const cemv_bytes none = { NULL, 0 };
    size_t record = 0, scripted = 0;
    unsigned selects = 0, sent = 0;
    while (cemv_session_step(session) == CEMV_STEP_SEND || cemv_session_step(session) == CEMV_STEP_WORK) {
        if (cemv_session_step(session) == CEMV_STEP_WORK) {
            answer(result, CEMV_REPLY_CONTINUE, none);
            continue;
        }
        const cemv_bytes command = cemv_session_command(session);
        if (result->sent_count < COMMANDS) {
            const size_t size = command.size < 64 ? command.size : 64;
            memcpy(result->sent[result->sent_count], command.data, size);
            result->sent_size[result->sent_count++] = size;
        }
        cemv_bytes bytes;
        switch (command.data[1]) {
        case 0xA4:
            bytes = !update && selects++ == 0    ? response_of(scene->other_aid ? of_other : directory, 0, none)
                  : update && scene->updated_fci ? response_of(scene->updated_fci, 0, none)
                                                 : selected(scene);
            break;
        case 0xA8:
            memcpy(result->pdol, command.data + 7, command.size - 8);
            bytes = gpo_of(scene);
            break;
        case 0xB2: bytes = record_of(scene, record++, amount); break;
        default: {
            static uint8_t word[2];
            const uint16_t given = scripted < COMMANDS ? scene->script_words[scripted++] : 0;
            word[0] = given ? (uint8_t)(given >> 8) : 0x90;
            word[1] = (uint8_t)given;
            bytes = (cemv_bytes){ word, 2 };
        }
        }
        const unsigned at = sent++;
        if (at < COMMANDS) result->answer_size[at] = bytes.size;
        if (scene->fault.kind && at == scene->fault.at && presentment == 0) answer(result, scene->fault.kind, none);
        else answer(result, CEMV_REPLY_RESPONSE, at == scene->damage.at ? damaged(scene, bytes) : bytes);
    }
}

static struct result play(const struct scene *scene)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_SESSION_SIZE];
    static struct result result;
    static uint8_t issuer[CEMV_MAX_ISSUER_DATA];
    const struct cemv_log log = { note, &result };
    const struct cemv_checked *checked = configure(scene);
    const uint64_t amount = scene->amount == ZERO ? 0 : scene->amount ? scene->amount : ORDINARY;
    const struct cemv_transaction transaction = { .type = scene->type,
                                                  .amount = amount,
                                                  .amount_other = scene->amount_other,
                                                  .currency = 0x0978,
                                                  .exponent = 2,
                                                  .date = { 0x26, 0x11, 0x21 },
                                                  .start_b = scene->start_b,
                                                  .log = &log };
    struct cemv_config_error error;
    memset(&result, 0, sizeof result);
    presentment = 0;
    if (!checked ||
        cemv_session_begin(memory, sizeof memory, checked, &transaction,
                           (cemv_bytes){ random_numbers, sizeof random_numbers }, &session, &error) != CEMV_OK) {
        property(false, "a transaction begins", 0);
        return result;
    }
    keep_messages(&result);
    if (cemv_session_step(session) == CEMV_STEP_POLL) answer(&result, CEMV_REPLY_CARD, (cemv_bytes){ NULL, 0 });
    talk(scene, &result, amount, false);
    if (scene->fault.kind && cemv_session_step(session) == CEMV_STEP_POLL) {
        presentment = 1;
        answer(&result, CEMV_REPLY_CARD, (cemv_bytes){ NULL, 0 });
        talk(scene->fault.then ? scene->fault.then : scene, &result, amount, false);
    }
    keep_outcome(&result);
    if (cemv_session_step(session) != CEMV_STEP_PARKED || !scene->issuer) return result;
    result.first = result.outcome;
    result.sent_count = 0;
    answer(&result, CEMV_REPLY_ONLINE, (cemv_bytes){ issuer, bytes_of_hex(scene->issuer, issuer) });
    if (cemv_session_step(session) == CEMV_STEP_POLL) answer(&result, CEMV_REPLY_CARD, (cemv_bytes){ NULL, 0 });
    talk(scene, &result, amount, true);
    keep_outcome(&result);
    return result;
}

static bool is_shown(const struct cemv_ui_request *request, uint8_t message, uint8_t status, const char *language)
{
    return request->message == message && request->status == status && request->language_size == strlen(language) &&
           memcmp(request->language, language, request->language_size) == 0;
}

static bool records_are(const struct result *result, const char *record, const char *discretionary)
{
    uint8_t expected[512];
    const size_t size = bytes_of_hex(record, expected), further = bytes_of_hex(discretionary, expected + size);
    return result->record_size == size && result->discretionary_size == further &&
           memcmp(result->bytes, expected, size + further) == 0;
}

/* ---- status words and faults of the answers ---- */

/* 5.2.2.2, 4.2.1.1; Book 3, 7.5, 10.2 */
static void kernel_3_ends_with_the_cause(void)
{
    static const struct {
        const char *gpo, *record;
        uint8_t status, reason, l2, message, interface;
        uint16_t status_word;
    } ends_by[] = {
        { "=6984", NULL, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES,
          CEMV_MESSAGE_INSERT_OR_SWIPE, CEMV_INTERFACE_NA, 0x6984 },
        { "=6A82", NULL, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES,
          CEMV_MESSAGE_TRY_ANOTHER_CARD, CEMV_INTERFACE_NA, 0x6A82 },
        { "=70009000", NULL, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA, CEMV_L2_PARSING_ERROR,
          CEMV_MESSAGE_TRY_ANOTHER_CARD, CEMV_INTERFACE_NA, 0 },
        { ARQC "9400", NULL, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR,
          CEMV_MESSAGE_TRY_ANOTHER_CARD, CEMV_INTERFACE_NA, 0 },
        { ARQC "940308010100", NULL, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR,
          CEMV_MESSAGE_TRY_ANOTHER_CARD, CEMV_INTERFACE_NA, 0 },
        { ARQC "940408000100", NULL, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR,
          CEMV_MESSAGE_TRY_ANOTHER_CARD, CEMV_INTERFACE_NA, 0 },
        { ARQC "940408010100", "=6A83", CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES,
          CEMV_MESSAGE_TRY_ANOTHER_CARD, CEMV_INTERFACE_NA, 0x6A83 },
        { ARQC "940408010100", "=7003FF9000", CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA,
          CEMV_L2_PARSING_ERROR, CEMV_MESSAGE_TRY_ANOTHER_CARD, CEMV_INTERFACE_NA, 0 },
        { ARQC "940408010100", "9F6C03000000", CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA,
          CEMV_L2_CARD_DATA_ERROR, CEMV_MESSAGE_TRY_ANOTHER_CARD, CEMV_INTERFACE_NA, 0 },
        { ARQC "9F360200019404"
               "08010100",
          "5F280208400000", CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR,
          CEMV_MESSAGE_TRY_ANOTHER_CARD, CEMV_INTERFACE_NA, 0 },
        { TC "940408010100", "5F2403301331", CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA,
          CEMV_L2_CARD_DATA_ERROR, CEMV_MESSAGE_TRY_ANOTHER_CARD, CEMV_INTERFACE_NA, 0 },
    };
    for (unsigned i = 0; i < COUNT(ends_by); i++) {
        const struct scene scene = { .gpo = ends_by[i].gpo, .records = { ends_by[i].record } };
        const struct result result = play(&scene);
        const struct cemv_outcome *outcome = &result.outcome;
        property(outcome_is(&result.outcome, ends_by[i].status, ends_by[i].reason), "the outcome of an answer", i);
        property(outcome_error_is(&result.outcome, CEMV_L1_OK, ends_by[i].l2, ends_by[i].status_word), "its cause", i);
        property(is_shown(&outcome->ui_on_outcome, ends_by[i].message, CEMV_UI_PROCESSING_ERROR, "") &&
                     outcome->error_indication[5] == ends_by[i].message,
                 "its message", i);
        property(outcome->alternate_interface == ends_by[i].interface && outcome->start == CEMV_START_NA,
                 "no interface is preferred", i);
        property(result.record_size == 0 && result.discretionary_size == 0, "no data", i);
    }
}

/* 5.2.2.2, SW 6986: both requests in the card's language. */
static void kernel_3_asks_to_see_the_phone(void)
{
    const struct scene scene = { .gpo = "=6986", .fci = "5F2D02656E" };
    const struct result result = play(&scene);
    const struct cemv_outcome *outcome = &result.outcome;
    property(result.waits && outcome_is(&result.outcome, CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_CARD_STATUS),
             "the card comes again", 0);
    property(outcome_error_is(&result.outcome, CEMV_L1_OK, CEMV_L2_STATUS_BYTES, 0x6986), "the cause", 0);
    property(outcome->error_indication[5] == CEMV_MESSAGE_SEE_PHONE, "the message on the error", 0);
    property(outcome->start == CEMV_START_B && outcome->field_off_100ms == 13, "13 units without the field", 0);
    property(is_shown(&outcome->ui_on_outcome, CEMV_MESSAGE_SEE_PHONE, CEMV_UI_PROCESSING_ERROR, "en") &&
                 outcome->ui_on_outcome.hold_ms == 1300,
             "message 20", 0);
    property(is_shown(&outcome->ui_on_restart, CEMV_MESSAGE_SEE_PHONE, CEMV_UI_READY_TO_READ, "en"), "and it stays", 0);
}

/* 5.4.2.1 and A.2: each is mandatory; message 17 was shown before (5.4.1.1), in the card's language. */
static void kernel_3_demands_mandatory_objects(void)
{
    static const char *const objects[] = {
        "82022000", TRACK_2, "9F3602000A", "9F26080102030405060708", "9F100706010A03A00000", "9F270180"
    };
    for (unsigned left_out = 0; left_out <= COUNT(objects); left_out++) {
        char gpo[200] = "";
        for (unsigned i = 0; i < COUNT(objects); i++)
            if (i != left_out) strcat(gpo, objects[i]);
        const struct scene scene = { .gpo = gpo, .fci = "5F2D02656E" };
        const struct result result = play(&scene);
        bool shown = false;
        for (size_t i = 0; i < result.message_count; i++)
            shown |= is_shown(&result.messages[i], CEMV_MESSAGE_CARD_READ_OK, CEMV_UI_CARD_READ, "en");
        property(shown, "the card was read", left_out);
        if (left_out < 5)
            property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA) &&
                         outcome_error_is(&result.outcome, CEMV_L1_OK, CEMV_L2_CARD_DATA_MISSING, 0),
                     "an object is missing", left_out);
        else
            property(outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL), "nothing is missing",
                     left_out);
    }
}

/* 5.4.2.2: a repeated object ends the application once everything is read, whether in one answer or in two; all records
 * are read first. */
static void kernel_3_refuses_repeated_objects(void)
{
    static const struct {
        const char *gpo, *record;
    } cards[] = {
        { ARQC "9F36020001"
               "940408010100",
          EXPIRY },
        { ARQC "940408010100", "9F36020001" },
        { ARQC "940408010100", EXPIRY EXPIRY },
    };
    for (unsigned i = 0; i < COUNT(cards); i++) {
        const struct scene scene = { .gpo = cards[i].gpo, .records = { cards[i].record } };
        const struct result result = play(&scene);
        property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA) &&
                     outcome_error_is(&result.outcome, CEMV_L1_OK, CEMV_L2_CARD_DATA_ERROR, 0),
                 "an object twice", i);
        property(result.sent_count == 4 && result.sent[3][1] == 0xB2, "after the record was read", i);
    }
    const struct scene without = { .gpo = ARQC "9F36020001" };
    const struct result result = play(&without);
    property(result.sent_count == 3 &&
                 outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA) &&
                 outcome_error_is(&result.outcome, CEMV_L1_OK, CEMV_L2_CARD_DATA_ERROR, 0),
             "without a locator there is nothing to read", 0);
}

/* Format 1 only where it is configured (older versions of the book); the locator follows the AIP. */
static void kernel_3_reads_format_1_where_configured(void)
{
    static const char record[] = TRACK_2 "9F3602000A9F260801020304050607089F2701809F100706010A03A00000";
    for (unsigned i = 0; i < 4; i++) {
        const struct scene scene = { .gpo = i & 1 ? "=8006200008010100"
                                                    "9000"
                                                  : "82022000940408010100",
                                     .records = { record },
                                     .options = { .gpo_format_1 = i & 2 } };
        const struct result result = play(&scene);
        if (i == 1)
            property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA),
                     "format 1 is not understood", i);
        else
            property(outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL),
                     "an answer is understood", i);
    }
}

/* Book 3, 6.5.11.4, 10.3: only files 11 to 30 may hold a record that is not a template 70. */
static void kernel_3_knows_files_that_are_proprietary(void)
{
    for (unsigned i = 0; i < 3; i++) {
        static const char *const gpo[] = { ARQC "940450010100", ARQC "940458010100", ARQC "9404F0010100" };
        const struct scene scene = { .gpo = gpo[i], .records = { "=DF01019000" } };
        const struct result result = play(&scene);
        property(result.outcome.status == (i == 0 ? CEMV_OUTCOME_END_APPLICATION : CEMV_OUTCOME_ONLINE_REQUEST),
                 "file 10 is not proprietary", i);
    }
}

/* ---- records and messages of an outcome ---- */

#define RECORD(amount, other, middle, type)                                                                            \
    "9F0206" amount other "9F26080102030405060708"                                                                     \
    "820220009F3602000A" middle "9F100706010A03A00000"                                                                 \
    "9F1A0202769505"                                                                                                   \
    "0000000000" TRACK_2 "5F2A0209789A03261121"                                                                        \
    "9C01" type "9F370433CA91AC"

/* Table B-1; 3.2.1.2, 3.2.1.3, 4.1.1.1, 4.3.1.1, 3.4.1.1 */
static void kernel_3_has_the_records_of_the_table(void)
{
    static const struct {
        const char *objects, *record, *discretionary;
        uint8_t type;
        uint64_t amount_other;
    } cards[] = {
        { "", RECORD("000000001250", "", "", "00"), "", 0, 0 },
        { "5F340101", RECORD("000000001250", "", "5F340101", "00"), "", 0, 0 },
        { "9F7C020A0B", RECORD("000000001250", "", "9F7C020A0B", "00"), "", 0, 0 },
        { "9F6E04207000FF", RECORD("000000001250", "", "9F6E04207000F0", "00"), "", 0, 0 },
        { "9F5D06000000001234", RECORD("000000001250", "", "", "00"), "9F5D06000000001234", 0, 0 },
        { "9F5D0600000000123A", RECORD("000000001250", "", "", "00"), "", 0, 0 },
        { "9F241D3131313131313131313131313131313131313131313131313131313131", RECORD("000000001250", "", "", "00"),
          "9F241D3131313131313131313131313131313131313131313131313131313131", 0, 0 },
        { "", RECORD("000000001250", "9F0306000000000100", "", "00"), "", 0x09, 100 },
        { "", RECORD("000000001250", "9F0306000000000000", "", "00"), "", 0x09, 0 },
        { "", RECORD("000000001250", "9F0306000000000100", "", "00"), "", 0x00, 100 },
    };
    for (unsigned i = 0; i < COUNT(cards); i++) {
        char gpo[400] = ARQC;
        strcat(gpo, cards[i].objects);
        const struct scene scene = { .gpo = gpo,
                                     .fci = "5F2D02656E",
                                     .type = cards[i].type,
                                     .amount_other = cards[i].amount_other,
                                     .options = { .usage_control_off = true } };
        const struct result result = play(&scene);
        const struct cemv_ui_request *request = &result.outcome.ui_on_outcome;
        property(outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL), "online", i);
        property(records_are(&result, cards[i].record, cards[i].discretionary), "the records", i);
        property(is_shown(request, CEMV_MESSAGE_AUTHORISING, CEMV_UI_STATUS_NA, "en"), "message 1B", i);
        property(i == 4 ? request->value_qualifier == CEMV_VALUE_BALANCE && request->value == 1234 &&
                              request->currency == 0x0978
                        : request->value_qualifier == CEMV_VALUE_NONE && request->value == 0,
                 "a balance is shown where it is a number", i);
        property(outcome_error_is(&result.outcome, CEMV_L1_OK, CEMV_L2_OK, 0), "no error", i);
    }
}

/* 5.8.1.2: an update is offered if reader (TTQ 3/8) and card (CTQ 2/7) support it. */
static void kernel_3_offers_an_issuer_update(void)
{
    static const char *const cards[] = { ARQC "9F6C020040", ARQC "9F6C0200BF", ARQC };
    for (unsigned i = 0; i < 6; i++) {
        const struct scene scene = { .gpo = cards[i % 3], .no_updates = i >= 3, .fci = "5F2D02656E" };
        const struct result result = play(&scene);
        const struct cemv_outcome *outcome = &result.outcome;
        const bool offered = i == 0;
        property(outcome->status == CEMV_OUTCOME_ONLINE_REQUEST, "online", i);
        property(outcome->start == (offered ? CEMV_START_B : CEMV_START_NA) &&
                     outcome->online_response == (offered ? CEMV_ONLINE_RESPONSE_EMV_DATA : CEMV_ONLINE_RESPONSE_NA) &&
                     outcome->field_off_100ms == (offered ? 0 : CEMV_FIELD_OFF_NA) &&
                     outcome->ui_on_restart_present == offered,
                 "an update is offered where both have it", i);
        if (offered)
            property(is_shown(&outcome->ui_on_restart, CEMV_MESSAGE_PRESENT_AGAIN, CEMV_UI_READY_TO_READ, "en"),
                     "message 21 on restart", i);
    }
}

/* ---- restrictions ---- */

/* 5.5.1.3, 5.5.1.4: without a country on either side the card's usage control allows nothing. */
static void kernel_3_checks_the_usage_of_cash_and_cash_back(void)
{
    static const struct {
        const char *objects;
        uint8_t type;
        uint64_t amount_other;
        uint8_t status;
    } uses[] = {
        { "5F280202769F070280009F6C020400", 0x01, 0, CEMV_OUTCOME_ONLINE_REQUEST },
        { "5F280202769F070240009F6C020400", 0x01, 0, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE },
        { "5F2802084"
          "09F070240009F6C020400",
          0x01, 0, CEMV_OUTCOME_ONLINE_REQUEST },
        { "5F2802084"
          "09F070280009F6C020000",
          0x01, 0, CEMV_OUTCOME_DECLINED },
        { "9F0702C0C09F6C020400", 0x01, 0, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE },
        { "9F0702FFFF", 0x01, 0, CEMV_OUTCOME_DECLINED },
        { "5F2802027"
          "69F6C020200",
          0x01, 0, CEMV_OUTCOME_DECLINED },
        { "5F2802027"
          "69F070200809F6C020200",
          0x09, 100, CEMV_OUTCOME_ONLINE_REQUEST },
        { "5F2802027"
          "69F07020080",
          0x09, 0, CEMV_OUTCOME_ONLINE_REQUEST },
        { "5F2802027"
          "69F07020040",
          0x09, 0, CEMV_OUTCOME_DECLINED },
        { "5F2802027"
          "69F070200409F6C020200",
          0x00, 100, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE },
        { "5F2802027"
          "69F070200409F6C020400",
          0x00, 100, CEMV_OUTCOME_DECLINED },
        { "5F2802027"
          "69F07020000",
          0x00, 0, CEMV_OUTCOME_ONLINE_REQUEST },
        { "5F2802027"
          "69F07020000",
          0x20, 100, CEMV_OUTCOME_ONLINE_REQUEST },
        { "5F2802027"
          "69F07020000",
          0x20, 0, CEMV_OUTCOME_ONLINE_REQUEST },
    };
    for (unsigned i = 0; i < 2 * COUNT(uses); i++) {
        const bool off = i >= COUNT(uses);
        const unsigned use = i % (unsigned)COUNT(uses);
        char gpo[300] = ARQC;
        strcat(gpo, uses[use].objects);
        const struct scene scene = { .gpo = gpo,
                                     .type = uses[use].type,
                                     .amount_other = uses[use].amount_other,
                                     .options = { .usage_control_off = off } };
        const struct result result = play(&scene);
        const uint8_t expected = off ? CEMV_OUTCOME_ONLINE_REQUEST : uses[use].status;
        property(outcome_is(&result.outcome, expected, CEMV_REASON_KERNEL), "usage control", i);
        property(result.notes_of_restrictions == 1, "the decision is noted", i);
        property(outcome_error_is(&result.outcome, CEMV_L1_OK, CEMV_L2_OK, 0), "it is no error", i);
        if (expected == CEMV_OUTCOME_TRY_ANOTHER_INTERFACE)
            property(result.outcome.ui_on_outcome.message == CEMV_MESSAGE_INSERT_OR_SWIPE &&
                         result.outcome.alternate_interface == CEMV_INTERFACE_NA && result.record_size == 0,
                     "message 18", i);
    }
}

/* Book 3, 7.5: an invalid date prevents an offline approval; the host decides online (5.5.1.1). */
static void kernel_3_reads_the_expiry_date_of_an_approval(void)
{
    static const struct {
        const char *gpo, *record;
        uint8_t status;
    } dates[] = {
        { ARQC "940408010100", "5F2403301331", CEMV_OUTCOME_ONLINE_REQUEST },
        { ARQC "940408010100", "5F2403200101", CEMV_OUTCOME_ONLINE_REQUEST },
        { AAC "940408010100", "5F2403301331", CEMV_OUTCOME_DECLINED },
        { TC "940408010100", "5F2403301331", CEMV_OUTCOME_END_APPLICATION },
        { TC "9F6C020800940408010100", "5F2403200101", CEMV_OUTCOME_ONLINE_REQUEST },
        { TC "9F6C020800940408010100", "5F2403261120", CEMV_OUTCOME_ONLINE_REQUEST },
        { TC "9F6C020800", NULL, CEMV_OUTCOME_ONLINE_REQUEST },
        { TC "9F6C02F700940408010100", "5F2403200101", CEMV_OUTCOME_DECLINED },
    };
    for (unsigned i = 0; i < COUNT(dates); i++) {
        const struct scene scene = { .gpo = dates[i].gpo, .records = { dates[i].record } };
        const struct result result = play(&scene);
        property(result.outcome.status == dates[i].status, "the expiry date", i);
    }
}

/* attacks.md, A03, A10, A22, A27; reported, and declined if the rule enforces it. */
static void kernel_3_reports_contradictions(void)
{
    static const struct {
        const char *gpo, *record;
        unsigned finding;
        uint8_t rule, status, reason;
    } cards[] = {
        { COMMON "9F2701809F100706010A03900000", NULL, CEMV_FINDING_CID_IAD_MISMATCH, 0, CEMV_OUTCOME_ONLINE_REQUEST,
          CEMV_REASON_KERNEL },
        { COMMON "9F2701809F100706010A03900000", NULL, CEMV_FINDING_CID_IAD_MISMATCH, CEMV_RULE_ENFORCE,
          CEMV_OUTCOME_DECLINED, CEMV_REASON_PROTECTION },
        { ARQC "9F0206000000000001", NULL, CEMV_FINDING_TERMINAL_TAG_FROM_CARD, 0, CEMV_OUTCOME_ONLINE_REQUEST,
          CEMV_REASON_KERNEL },
        { ARQC "940408010100", "5A085500000000000004", CEMV_FINDING_PAN_MISMATCH, 0, CEMV_OUTCOME_END_APPLICATION,
          CEMV_REASON_CARD_DATA },
    };
    for (unsigned i = 0; i < COUNT(cards); i++) {
        const struct scene scene = { .gpo = cards[i].gpo,
                                     .records = { cards[i].record },
                                     .protection = { .cid_mismatch = cards[i].rule } };
        const struct result result = play(&scene);
        property(outcome_is(&result.outcome, cards[i].status, cards[i].reason), "the outcome of a contradiction", i);
        property(outcome_reports(&result.outcome, cards[i].finding), "it is reported", i);
    }
    const struct scene without_type = { .gpo = COMMON "9F100706010A03900000" };
    struct result result = play(&without_type);
    property(!outcome_reports(&result.outcome, CEMV_FINDING_CID_IAD_MISMATCH), "one type contradicts nothing", 0);
    const struct scene ordinary = { .gpo = ARQC };
    result = play(&ordinary);
    property(result.outcome.findings == 0, "nothing is reported of an ordinary card", 0);
    const struct scene stripped = { .gpo = ARQC, .signature = WITHOUT_DDA };
    result = play(&stripped);
    property(outcome_reports(&result.outcome, CEMV_FINDING_ODA_STRIPPED),
             "certificates whose bit was taken away are reported", 0);
    for (unsigned book = 0; book < 2; book++) {
        const struct scene brand = { .gpo = ARQC,
                                     .other_aid = true,
                                     .protection = { .profile = book ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED } };
        result = play(&brand);
        property(outcome_reports(&result.outcome, CEMV_FINDING_BRAND_MISMATCH),
                 "an account of another brand is reported", book);
        property(book ? outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL)
                      : outcome_is(&result.outcome, CEMV_OUTCOME_DECLINED, CEMV_REASON_PROTECTION),
                 "and declined beyond the book", book);
    }
}

/* ---- signatures ---- */

enum path { APPROVED, ONLINE, DECLINED, INSERT };
static const uint8_t statuses[] = { CEMV_OUTCOME_APPROVED, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_OUTCOME_DECLINED,
                                    CEMV_OUTCOME_TRY_ANOTHER_INTERFACE };

/* Annex C and 5.6.1.2, with CTQ absent, "online if it fails" and "contact chip if it fails"; A11 for the profiles. */
static void kernel_3_verifies_an_offline_signature(void)
{
    enum { GOOD_ONE, WRONG, IMPOSSIBLE, WRONG_BEYOND_THE_BOOK };
    static const uint8_t kinds[SIGNED_AS_COUNT] = {
        [SIGNED] = GOOD_ONE,        [LONGER_NUMBER] = GOOD_ONE,  [OTHER_COUNTER] = WRONG_BEYOND_THE_BOOK,
        [SPOILT] = WRONG,           [OTHER_FORMAT] = WRONG,      [OTHER_CA_KEY] = IMPOSSIBLE,
        [WITHOUT_DDA] = IMPOSSIBLE, [WITHOUT_SDAD] = IMPOSSIBLE, [WITHOUT_RELATED] = IMPOSSIBLE,
    };
    static const char *const cards[] = { TC, TC "9F6C022000", TC "9F6C021000" };
    static const uint8_t profiles[] = { CEMV_PROFILE_BOOK, CEMV_PROFILE_GUARDED, CEMV_PROFILE_STRICT };
    for (unsigned i = 0; i < 9 * (SIGNED_AS_COUNT - 1); i++) {
        const uint8_t as = (uint8_t)(1 + i / 9), profile = profiles[i / 3 % 3], card = i % 3;
        const bool book = profile == CEMV_PROFILE_BOOK, strict = profile == CEMV_PROFILE_STRICT;
        const uint8_t kind = kinds[as] != WRONG_BEYOND_THE_BOOK ? kinds[as] : book ? GOOD_ONE : WRONG;
        const struct scene scene = {
            .gpo = cards[card], .records = { EXPIRY }, .signature = as, .protection = { .profile = profile }
        };
        const struct result result = play(&scene);
        const enum path path = kind == GOOD_ONE        ? strict ? ONLINE : APPROVED
                             : strict && kind == WRONG ? DECLINED
                             : card == 1               ? ONLINE
                             : card == 2               ? INSERT
                                                       : DECLINED;
        const bool guarded = strict && kind != IMPOSSIBLE;
        property(result.outcome.status == statuses[path], "where a signature leads", i);
        property(result.outcome.reason == (guarded ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL), "and why", i);
        property(outcome_error_is(&result.outcome, CEMV_L1_OK, kind == GOOD_ONE ? CEMV_L2_OK : CEMV_L2_CAM_FAILED, 0),
                 "the error", i);
        property(outcome_reports(&result.outcome, CEMV_FINDING_ODA_TAMPER) == (kind == WRONG || as == OTHER_COUNTER),
                 "what verifies wrong is reported", i);
        if (as == SIGNED) property(result.outcome.findings == 0, "a good one is no finding", i);
        property(result.notes_of_signatures == 1 && result.noted_signature == (kind == GOOD_ONE ? K3_ODA_GOOD
                                                                               : kind == WRONG  ? K3_ODA_WRONG
                                                                                                : K3_ODA_IMPOSSIBLE),
                 "what came of it is noted", i);
        if (path == INSERT)
            property(result.outcome.ui_on_outcome.message == CEMV_MESSAGE_INSERT_CARD &&
                         result.outcome.alternate_interface == CEMV_INTERFACE_CONTACT_CHIP && result.record_size == 0,
                     "message 1D", i);
        else property(result.outcome.data_record_present, "a decision has its record", i);
    }
}

/* 5.6.2.1: the signature of an online request does not change the outcome; A06, A11, A32 outside profile `book`. */
static void kernel_3_verifies_an_online_signature(void)
{
    for (unsigned i = 0; i < 12 * (SIGNED_AS_COUNT - 1); i++) {
        const uint8_t as = (uint8_t)(1 + i / 12);
        static const uint8_t profiles[] = { CEMV_PROFILE_BOOK, CEMV_PROFILE_GUARDED, CEMV_PROFILE_STRICT,
                                            CEMV_PROFILE_GUARDED };
        const uint8_t which = i / 3 % 4, profile = profiles[which];
        const bool asked = i % 3 == 1, off = i % 3 == 2 && which != 3, quiet = which == 3;
        const bool book = profile == CEMV_PROFILE_BOOK, strict = profile == CEMV_PROFILE_STRICT;
        const struct scene scene = { .gpo = ARQC,
                                     .signature = as,
                                     .ttq_1 = asked ? 0x37 : 0x36,
                                     .protection = { .profile = profile,
                                                     .cdcvm_trust = quiet ? CEMV_CDCVM_BOOK : 0,
                                                     .unsolicited_sdad = quiet ? CEMV_RULE_REPORT
                                                                       : off   ? CEMV_RULE_OFF
                                                                               : 0 } };
        const struct result result = play(&scene);
        const bool has_sdad = as != WITHOUT_SDAD;
        /* In `book` it is checked if the reader requests it, in other profiles if it is present. */
        const bool looked_at = has_sdad && (asked || (!book && !quiet));
        const bool wrong = as == SPOILT || as == OTHER_FORMAT || (as == OTHER_COUNTER) ||
                           (as == WITHOUT_RELATED && !book);
        const bool declined = looked_at && wrong && strict;
        property(outcome_is(&result.outcome, declined ? CEMV_OUTCOME_DECLINED : CEMV_OUTCOME_ONLINE_REQUEST,
                            declined ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL),
                 "an online request stays one", i);
        property(outcome_reports(&result.outcome, CEMV_FINDING_ODA_TAMPER) == (looked_at && wrong),
                 "what verifies wrong is reported", i);
        property(outcome_reports(&result.outcome, CEMV_FINDING_UNSOLICITED_SDAD) == (has_sdad && !asked && !off),
                 "what was not asked for is reported", i);
        property(outcome_error_is(&result.outcome, CEMV_L1_OK, CEMV_L2_OK, 0), "it is no error", i);
    }
}

/* A06: compares a signed CTQ with the plain one, on an online request. 9F69 of five or six bytes does not cover a CTQ.
 */
static void kernel_3_compares_signed_qualifiers(void)
{
    static const struct {
        const char *plain, *related;
        bool contradict;
    } cards[] = {
        { "9F6C020000", "01AABBCCDD0000", false },
        { "9F6C020000", "01AABBCCDD0100", true },
        { "9F6C020000", "01AABBCCDD0001", true },
        { "9F6C020001", "01AABBCCDD0000", true },
        { "9F6C020000", "01AABBCCDD", false },
        { "9F6C020000", "01AABBCCDD01", false },
        { "", "01AABBCCDD0100", false },
        { "", "01AABBCCDD0000", false },
        { "9F6C020000", "01AABBCCDD010000", true },
    };
    for (unsigned i = 0; i < 4 * COUNT(cards); i++) {
        const unsigned card = i / 4, how = i % 4; /* enforced; in `book`; only reported; damaged */
        char gpo[300] = ARQC;
        strcat(gpo, cards[card].plain);
        const struct scene scene = { .gpo = gpo,
                                     .signature = how == 3 ? SPOILT : SIGNED,
                                     .related = cards[card].related,
                                     .ttq_1 = 0x37,
                                     .protection = { .profile = how == 1 ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED,
                                                     .unsolicited_sdad = how == 2 ? CEMV_RULE_REPORT : 0 } };
        const struct result result = play(&scene);
        const bool declined = cards[card].contradict && how == 0;
        property(outcome_is(&result.outcome, declined ? CEMV_OUTCOME_DECLINED : CEMV_OUTCOME_ONLINE_REQUEST,
                            declined ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL),
                 "a signed CTQ unlike the one shown declines", i);
    }
}

/* A09, A19, A30: transactions that are approved offline outside profile `book`. */
static void kernel_3_approves_what_the_signature_covers(void)
{
    static const struct {
        uint8_t type;
        uint64_t amount, amount_other;
        bool no_floor, start_b, guarded;
    } sales[] = {
        { 0x00, ORDINARY, 0, false, false, true },  { 0x00, FLOOR_LIMIT, 0, false, false, true },
        { 0x00, ORDINARY, 0, true, false, false },  { 0x00, ORDINARY, 0, true, true, true },
        { 0x00, ZERO, 0, true, false, true },       { 0x00, ZERO, 0, false, false, true },
        { 0x01, ORDINARY, 0, false, false, false }, { 0x09, ORDINARY, 0, false, false, false },
        { 0x20, ORDINARY, 0, false, false, false }, { 0x00, ORDINARY, 100, false, false, false },
        { 0x00, 1, 0, false, false, true },
    };
    for (unsigned i = 0; i < 3 * COUNT(sales); i++) {
        const unsigned sale = i / 3, profile = i % 3; /* guarded, book, book without offline approvals */
        struct scene scene = { .gpo = TC "9F6C020040",
                               .records = { EXPIRY },
                               .related = "01AABBCCDD0040",
                               .signature = SIGNED,
                               .type = sales[sale].type,
                               .amount = sales[sale].amount,
                               .amount_other = sales[sale].amount_other,
                               .no_floor = sales[sale].no_floor,
                               .start_b = sales[sale].start_b,
                               .options = { .usage_control_off = true },
                               .protection = { .profile = profile ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED,
                                               .offline = profile == 2 ? CEMV_RULE_OFF : 0 } };
        if (sale == COUNT(sales) - 1) scene.amount = 2, scene.no_floor = false;
        /* without CVM: an amount at the CVM limit needs one */
        if (scene.amount >= CVM_LIMIT) scene.gpo = TC "9F6C024040", scene.related = "01AABBCCDD4040";
        const struct result result = play(&scene);
        const bool approved = profile == 1 || (profile == 0 && sales[sale].guarded);
        property(outcome_is(&result.outcome, approved ? CEMV_OUTCOME_APPROVED : CEMV_OUTCOME_ONLINE_REQUEST,
                            approved ? CEMV_REASON_KERNEL : CEMV_REASON_PROTECTION),
                 "an offline approval", i);
        property(approved ? result.outcome.ui_on_outcome.message == CEMV_MESSAGE_APPROVED
                          : result.outcome.ui_on_outcome.message == CEMV_MESSAGE_AUTHORISING,
                 "its message", i);
        scene.ttq_1 = 0x3E; /* a reader without a host */
        const struct result alone = play(&scene);
        property(outcome_is(&alone.outcome, approved ? CEMV_OUTCOME_APPROVED : CEMV_OUTCOME_DECLINED,
                            approved ? CEMV_REASON_KERNEL : CEMV_REASON_PROTECTION),
                 "at a reader that is offline only", i);
    }
}

/* ---- cardholder verification ---- */

/* 5.7.1.2 with its footnote; A32: outside profile `book` a signed CTQ decides, except on a CDCVM that only the plain
 * CTQ claims. */
static void kernel_3_takes_qualifiers_from_where_they_count(void)
{
    static const struct {
        const char *plain, *related;
        uint8_t signature, book, guarded; /* CVM, or CEMV_CVM_NA: declined */
    } cards[] = {
        { "9F6C024000", "01AABBCCDD8000", SIGNED, CEMV_CVM_SIGNATURE, CEMV_CVM_ONLINE_PIN },
        { "9F6C028000", "01AABBCCDD4000", SIGNED, CEMV_CVM_ONLINE_PIN, CEMV_CVM_SIGNATURE },
        { "9F6C024000", "01AABBCCDD", SIGNED, CEMV_CVM_SIGNATURE, CEMV_CVM_SIGNATURE },
        { "", "01AABBCCDD8000", SIGNED, CEMV_CVM_SIGNATURE, CEMV_CVM_ONLINE_PIN },
        { "9F6C020080", "01AABBCCDD0080", SIGNED, CEMV_CVM_CDCVM, CEMV_CVM_CDCVM },
        { "9F6C020080", "01AABBCCDD0000", SIGNED, CEMV_CVM_NA, CEMV_CVM_NA },
        { "9F6C020080", "01AABBCCDD8000", SIGNED, CEMV_CVM_NA, CEMV_CVM_NA },
        { "9F6C020080", "01AABBCCDD0180", SIGNED, CEMV_CVM_NA, CEMV_CVM_NA },
        { "9F6C020080", "01AABBCCDD0081", SIGNED, CEMV_CVM_NA, CEMV_CVM_NA },
        { "9F6C020080", "01AABBCCDD00", SIGNED, CEMV_CVM_NA, CEMV_CVM_NA },
        { "9F6C020000", "01AABBCCDD0080", SIGNED, CEMV_CVM_NA, CEMV_CVM_CDCVM },
    };
    for (unsigned i = 0; i < 2 * COUNT(cards); i++) {
        const unsigned card = i / 2;
        const bool book = i % 2 == 0;
        char gpo[300] = TC;
        strcat(gpo, cards[card].plain);
        const struct scene scene = { .gpo = gpo,
                                     .records = { EXPIRY },
                                     .related = cards[card].related,
                                     .signature = cards[card].signature,
                                     .amount = CVM_LIMIT,
                                     .protection = { .profile = book ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED } };
        const struct result result = play(&scene);
        const uint8_t cvm = book ? cards[card].book : cards[card].guarded;
        const uint8_t status = cvm == CEMV_CVM_NA         ? CEMV_OUTCOME_DECLINED
                             : cvm == CEMV_CVM_ONLINE_PIN ? CEMV_OUTCOME_ONLINE_REQUEST
                                                          : CEMV_OUTCOME_APPROVED;
        property(outcome_is(&result.outcome, status, CEMV_REASON_KERNEL), "verified by the qualifiers that count", i);
        property(result.outcome.cvm == (cvm == CEMV_CVM_NA ? CEMV_CVM_NONE : cvm), "the method", i);
        property(!outcome_reports(&result.outcome, CEMV_FINDING_CDCVM_UNAUTHENTICATED), "nothing is unproven", i);
        const bool plain = cvm == CEMV_CVM_SIGNATURE && (book || card == 2);
        property(outcome_reports(&result.outcome, CEMV_FINDING_CVM_FROM_PLAIN_DATA) == plain,
                 "a signature for the reader's PIN by data that nothing signs is reported", i);
    }
}

/* A01, A32 on an online request above the CVM limit, in three profiles: with a valid, a damaged and no signature. */
static void kernel_3_trusts_claims_as_the_profile_says(void)
{
    enum { NO_SIGNATURE, GOOD_SIGNATURE, BAD_SIGNATURE };
    static const struct {
        uint8_t profile, signature;
        bool phone;    /* claims a CDCVM, else asks for a signature */
        uint8_t ttq_1; /* 36: PIN and contact; 32: contact; 22: neither */
        uint8_t status, cvm, reason;
        bool reported;
    } taps[] = {
        { CEMV_PROFILE_BOOK, NO_SIGNATURE, true, 0x36, 0x30, CEMV_CVM_CDCVM, CEMV_REASON_KERNEL, true },
        { CEMV_PROFILE_BOOK, GOOD_SIGNATURE, true, 0x37, 0x30, CEMV_CVM_CDCVM, CEMV_REASON_KERNEL, false },
        { CEMV_PROFILE_BOOK, BAD_SIGNATURE, true, 0x37, 0x30, CEMV_CVM_CDCVM, CEMV_REASON_KERNEL, true },
        { CEMV_PROFILE_GUARDED, NO_SIGNATURE, true, 0x36, 0x30, CEMV_CVM_CDCVM, CEMV_REASON_KERNEL, true },
        { CEMV_PROFILE_GUARDED, GOOD_SIGNATURE, true, 0x36, 0x30, CEMV_CVM_CDCVM, CEMV_REASON_KERNEL, false },
        { CEMV_PROFILE_GUARDED, BAD_SIGNATURE, true, 0x36, 0x30, CEMV_CVM_ONLINE_PIN, CEMV_REASON_PROTECTION, false },
        { CEMV_PROFILE_GUARDED, BAD_SIGNATURE, true, 0x32, 0x60, CEMV_CVM_NA, CEMV_REASON_PROTECTION, false },
        { CEMV_PROFILE_GUARDED, BAD_SIGNATURE, true, 0x22, 0x20, CEMV_CVM_NONE, CEMV_REASON_PROTECTION, false },
        { CEMV_PROFILE_STRICT, NO_SIGNATURE, true, 0x36, 0x30, CEMV_CVM_ONLINE_PIN, CEMV_REASON_PROTECTION, false },
        { CEMV_PROFILE_STRICT, NO_SIGNATURE, true, 0x32, 0x60, CEMV_CVM_NA, CEMV_REASON_PROTECTION, false },
        { CEMV_PROFILE_STRICT, GOOD_SIGNATURE, true, 0x36, 0x30, CEMV_CVM_CDCVM, CEMV_REASON_KERNEL, false },
        { CEMV_PROFILE_BOOK, NO_SIGNATURE, false, 0x36, 0x30, CEMV_CVM_SIGNATURE, CEMV_REASON_KERNEL, true },
        { CEMV_PROFILE_GUARDED, NO_SIGNATURE, false, 0x36, 0x30, CEMV_CVM_SIGNATURE, CEMV_REASON_KERNEL, true },
        { CEMV_PROFILE_GUARDED, GOOD_SIGNATURE, false, 0x36, 0x30, CEMV_CVM_SIGNATURE, CEMV_REASON_KERNEL, false },
        { CEMV_PROFILE_GUARDED, BAD_SIGNATURE, false, 0x36, 0x30, CEMV_CVM_ONLINE_PIN, CEMV_REASON_PROTECTION, true },
        { CEMV_PROFILE_BOOK, BAD_SIGNATURE, false, 0x37, 0x30, CEMV_CVM_SIGNATURE, CEMV_REASON_KERNEL, true },
        { CEMV_PROFILE_STRICT, NO_SIGNATURE, false, 0x36, 0x30, CEMV_CVM_ONLINE_PIN, CEMV_REASON_PROTECTION, true },
        { CEMV_PROFILE_STRICT, NO_SIGNATURE, false, 0x32, 0x30, CEMV_CVM_SIGNATURE, CEMV_REASON_KERNEL, false },
        { CEMV_PROFILE_STRICT, GOOD_SIGNATURE, false, 0x36, 0x30, CEMV_CVM_SIGNATURE, CEMV_REASON_KERNEL, false },
    };
    for (unsigned i = 0; i < COUNT(taps); i++) {
        const bool phone = taps[i].phone;
        const struct scene scene = { .gpo = phone ? ARQC "9F6C020080" : ARQC "9F6C024000",
                                     .related = phone ? "01AABBCCDD0080" : "01AABBCCDD4000",
                                     .signature = taps[i].signature == NO_SIGNATURE   ? UNSIGNED
                                                : taps[i].signature == GOOD_SIGNATURE ? SIGNED
                                                                                      : SPOILT,
                                     .ttq_1 = taps[i].ttq_1,
                                     .amount = CVM_LIMIT,
                                     .protection = { .profile = taps[i].profile } };
        const struct result result = play(&scene);
        property(outcome_is(&result.outcome, taps[i].status, taps[i].reason), "what becomes of a claim", i);
        if (taps[i].status == CEMV_OUTCOME_TRY_ANOTHER_INTERFACE)
            property(result.outcome.ui_on_outcome.message == CEMV_MESSAGE_INSERT_CARD &&
                         result.outcome.alternate_interface == CEMV_INTERFACE_CONTACT_CHIP &&
                         outcome_error_is(&result.outcome, CEMV_L1_OK, CEMV_L2_OK, 0),
                     "towards the contact chip", i);
        else property(result.outcome.cvm == taps[i].cvm, "the method", i);
        property(outcome_reports(&result.outcome, phone ? CEMV_FINDING_CDCVM_UNAUTHENTICATED
                                                        : CEMV_FINDING_CVM_FROM_PLAIN_DATA) == taps[i].reported,
                 "what is believed without proof is reported", i);
        /* A01: in `strict` a signature is requested if a CVM is required */
        const bool asked = (taps[i].ttq_1 & 1) != 0 || taps[i].profile == CEMV_PROFILE_STRICT;
        property((result.pdol[0] & 1) == asked, "TTQ byte 1 bit 1 as sent", i);
    }
    const struct scene below = { .gpo = ARQC, .protection = { .profile = CEMV_PROFILE_STRICT } };
    const struct result result = play(&below);
    property((result.pdol[0] & 1) == 0, "below the CVM limit none is asked for", 0);
}

/* A39: an unproven on-device verification, above the CVM limit, for an account of another network below Mastercard's
 * name, where JCB's is possible. */
static void kernel_3_believes_no_claim_for_another_network(void)
{
#define JCB_ACCOUNT                                                                                                    \
    "82022000570C3569830447869493D30122019F3602000A9F260801020304050607089F2701809F100706010A03A000009F6C020080"
#define OWN_ACCOUNT                                                                                                    \
    "82022000570C5413330089010434D30122019F3602000A9F260801020304050607089F2701809F100706010A03A000009F6C020080"
    static const struct {
        uint8_t profile, brand_check, ttq_1; /* 36: PIN and contact; 32: contact; 22: neither */
        uint64_t amount;
        uint8_t status, cvm; /* of the other network's */
    } taps[] = {
        { CEMV_PROFILE_BOOK, 0, 0x36, CVM_LIMIT, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_CVM_CDCVM },
        { CEMV_PROFILE_GUARDED, 0, 0x36, CVM_LIMIT, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_CVM_ONLINE_PIN },
        { CEMV_PROFILE_GUARDED, 0, 0x32, CVM_LIMIT, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_CVM_NA },
        { CEMV_PROFILE_GUARDED, 0, 0x22, CVM_LIMIT, CEMV_OUTCOME_DECLINED, CEMV_CVM_NONE },
        { CEMV_PROFILE_GUARDED, 0, 0x36, ORDINARY, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_CVM_CDCVM },
        { CEMV_PROFILE_GUARDED, CEMV_RULE_REPORT, 0x36, CVM_LIMIT, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_CVM_CDCVM },
    };
    for (unsigned i = 0; i < 2 * COUNT(taps); i++) {
        const unsigned tap = i / 2;
        const bool others = i % 2 == 0, believed = !others || taps[tap].cvm == CEMV_CVM_CDCVM;
        const struct scene scene = { .gpo = others ? JCB_ACCOUNT : OWN_ACCOUNT,
                                     .other_aid = true,
                                     .ttq_1 = taps[tap].ttq_1,
                                     .amount = taps[tap].amount,
                                     .protection = { .profile = taps[tap].profile,
                                                     .brand_check = taps[tap].brand_check } };
        const struct result result = play(&scene);
        property(outcome_is(&result.outcome, others ? taps[tap].status : CEMV_OUTCOME_ONLINE_REQUEST,
                            believed ? CEMV_REASON_KERNEL : CEMV_REASON_PROTECTION),
                 "a claim for this account", i);
        property(result.outcome.cvm == (others ? taps[tap].cvm : CEMV_CVM_CDCVM), "and its method", i);
        property(outcome_reports(&result.outcome, CEMV_FINDING_CDCVM_UNAUTHENTICATED), "is reported", i);
        property(outcome_reports(&result.outcome, CEMV_FINDING_BRAND_MISMATCH) ==
                     (others && taps[tap].amount == CVM_LIMIT),
                 "with the network where that counts", i);
    }
    const struct scene strict = {
        .gpo = JCB_ACCOUNT, .other_aid = true, .amount = CVM_LIMIT, .protection = { .profile = CEMV_PROFILE_STRICT }
    };
    const struct result result = play(&strict);
    property(result.outcome.cvm == CEMV_CVM_ONLINE_PIN, "nor does strict believe one", 0);
}

/* A02: an amount that only the limit for verified devices allows needs a proven claim. */
static void kernel_3_keeps_the_higher_limit_for_proven_claims(void)
{
    static const struct {
        const char *gpo, *related;
        uint8_t signature;
        uint64_t amount;
        bool passes;
    } taps[] = {
        { ARQC "9F6C020080", "01AABBCCDD0080", SIGNED, LIMIT, true },
        { ARQC "9F6C020080", "01AABBCCDD0080", SIGNED, LIMIT + 1, true },
        { ARQC "9F6C020080", "01AABBCCDD0080", UNSIGNED, LIMIT, false },
        { ARQC "9F6C020080", "01AABBCCDD0080", UNSIGNED, LIMIT - 1, true },
        { ARQC "9F6C028000", "01AABBCCDD8000", SIGNED, LIMIT, false },
        { ARQC "9F6C028000", "01AABBCCDD8000", SIGNED, LIMIT - 1, true },
    };
    for (unsigned i = 0; i < COUNT(taps); i++) {
        const struct scene scene = { .gpo = taps[i].gpo,
                                     .related = taps[i].related,
                                     .signature = taps[i].signature,
                                     .amount = taps[i].amount,
                                     .cdcvm_limit = 20000,
                                     .protection = { .cdcvm_trust = CEMV_CDCVM_VERIFY_IF_PRESENT } };
        struct scene strict = scene;
        strict.protection = (struct cemv_protection){ .profile = CEMV_PROFILE_STRICT };
        if (i == 3) continue; /* `strict` accepts no claim without proof */
        const struct result result = play(&strict);
        property((result.outcome.status == CEMV_OUTCOME_ONLINE_REQUEST) == taps[i].passes, "the higher limit", i);
        property(outcome_reports(&result.outcome, CEMV_FINDING_LIMIT_NEEDS_AUTHENTICATED_CDCVM) == !taps[i].passes,
                 "it is reported", i);
        if (!taps[i].passes)
            property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_KERNEL_LIMIT),
                     "no candidate is left", i);
    }
}

/* ---- limits of a program ---- */

/* The set is the first one that the start of 9F5A matches; its limits replace the combination's (older C-3,
 * Conformance/interpretations.md; Book B, 3.1.1). */
static void kernel_3_applies_the_limits_of_a_program(void)
{
    static const struct cemv_dynamic_limit sets[] = {
        /* program, limits of transaction, floor, -, CVM, zero amount, status check */
        { { (const uint8_t *)"\1\2\3", 3 }, { { 3000, 100, 0, 5000 }, 0x0B }, CEMV_ZERO_AMOUNT_NOT_ALLOWED, false },
        { { (const uint8_t *)"\1\2", 2 }, { { 9000, 8000, 0, 1000 }, 0x0B }, CEMV_ZERO_AMOUNT_ONLINE, false },
        { { (const uint8_t *)"\4", 1 }, { { 9000, 8000, 0, 5000 }, 0x0B }, CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED, true },
    };
    static const struct {
        const char *fci; /* BF0C with 9F5A */
        uint64_t amount;
        bool allowed;
        uint8_t ttq_2; /* online cryptogram required 80, CVM required 40 */
    } taps[] = {
        { "BF0C079F5A0401020304", 2999, true, 0x80 },
        { "BF0C079F5A0401020304", 3000, false, 0 },
        { "BF0C079F5A0401020304", 100, true, 0 },
        { "BF0C079F5A0401020304", 101, true, 0x80 },
        { "BF0C079F5A0401020304", ZERO, false, 0 },
        { "BF0C069F5A03010203", 2999, true, 0x80 },
        { "BF0C069F5A03010204", 3000, true, 0x40 },
        { "BF0C059F5A020102", 999, true, 0 },
        { "BF0C059F5A020102", ZERO, true, 0x80 },
        { "BF0C049F5A0101", 3000, true, 0x40 },
        { "BF0C049F5A0101", 1999, true, 0 },
        { "BF0C049F5A0104", 100, true, 0x80 },
        { "BF0C049F5A0104", 101, true, 0 },
        { "BF0C049F5A0104", ZERO, true, 0 },
        { "", 5001, true, 0xC0 },
        { "BF0C069F5A03050102", 1999, true, 0 },
    };
    for (unsigned i = 0; i < COUNT(taps); i++) {
        struct scene scene = { .gpo = ARQC "9F6C028000",
                               .fci = taps[i].fci,
                               .amount = taps[i].amount,
                               .options = { .dynamic_limits = sets, .dynamic_limit_count = COUNT(sets) } };
        struct result result = play(&scene);
        property((result.outcome.status == CEMV_OUTCOME_ONLINE_REQUEST) == taps[i].allowed, "a program's limits", i);
        if (taps[i].allowed) property(result.pdol[1] == taps[i].ttq_2, "its qualifiers go to the card", i);
        else
            property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_KERNEL_LIMIT) &&
                         result.sent_count == 2,
                     "no candidate is left", i);
        /* one set alone; two without the third; none */
        scene.options.dynamic_limit_count = 1;
        result = play(&scene);
        property((result.outcome.status == CEMV_OUTCOME_ONLINE_REQUEST) == (i > 5 || taps[i].allowed), "of one set", i);
        if (i < 6 && taps[i].allowed) property(result.pdol[1] == taps[i].ttq_2, "its qualifiers", i);
        scene.options.dynamic_limit_count = 2;
        result = play(&scene);
        if (i >= 11 && i < 14) property(result.pdol[1] == 0, "a set that is not listed does not count", i);
        scene.options.dynamic_limit_count = 0;
        result = play(&scene);
        property(result.outcome.status == CEMV_OUTCOME_ONLINE_REQUEST, "without sets the combination's", i);
    }
}

/* A set has a program of 1 to 16 bytes; each is checked. */
static void kernel_3_refuses_sets_without_a_program(void)
{
    static const uint8_t program[17] = { 1 };
    for (unsigned i = 0; i < 3 * 5; i++) {
        static const uint8_t sizes[] = { 1, 16, 0, 17, 2 };
        struct cemv_dynamic_limit sets[3] = { { { program, 1 }, { { 0 }, 0 }, 0, false } };
        sets[1] = sets[2] = sets[0];
        sets[i / 5].program.size = sizes[i % 5];
        const struct scene scene = { .gpo = ARQC, .options = { .dynamic_limits = sets, .dynamic_limit_count = 3 } };
        property((configure(&scene) != NULL) == (i % 5 != 2 && i % 5 != 3), "a set has a program", i);
    }
}

/* A18: a record that the locator lists twice ends the application outside profile `book`. */
static void kernel_3_refuses_records_listed_twice(void)
{
    for (unsigned book = 0; book < 2; book++) {
        const struct scene scene = { .gpo = ARQC "94080801010008010100",
                                     .records = { "DF1000", "DF1000" },
                                     .protection = { .profile = book ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED } };
        const struct result result = play(&scene);
        property(outcome_reports(&result.outcome, CEMV_FINDING_RECORD_REPEATED), "a record twice is reported", book);
        if (!book)
            property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_PROTECTION) &&
                         outcome_error_is(&result.outcome, CEMV_L1_OK, CEMV_L2_CARD_DATA_ERROR, 0),
                     "and ends", book);
    }
}

/* A.2, 9F10: without its byte 5 the type is unidentified. */
static void kernel_3_reads_issuer_data_to_their_end(void)
{
    static const uint8_t issuer_data[] = { 6, 1, 10, 3, 0x90 };
    for (uint8_t size = 0; size <= 5; size++) {
        const cemv_bytes data = { guarded_copy(issuer_data, size), size };
        property(k3_cryptogram_type(false, 0, data) == (size == 5 ? K3_TC : K3_UNIDENTIFIED), "a type", size);
        property(k3_cryptogram_contradicts(true, 0x80, data) == (size == 5), "contradicted where it is there", size);
    }
}

/* ---- issuer update ---- */

#define UPDATE_CARD ARQC "9F6C020040"

/* 6.2.1.1: 91 of 8 to 16 bytes goes to the card; 6.2.1.2: after words 9000, 62xx and 63xx the script continues. */
static void kernel_3_updates_the_card(void)
{
    static const struct {
        const char *issuer;
        bool authenticated;
    } answers[] = {
        { "910701020304050607", false },
        { "91080102030405060708", true },
        { "911001020304050607080102030405060708", true },
        { "91110102030405060708010203040506070809", false },
        { "8A023030", false },
    };
    for (unsigned i = 0; i < COUNT(answers); i++) {
        char issuer[200];
        strcpy(issuer, answers[i].issuer);
        strcat(issuer, "71098607841600000201AA");
        const struct scene scene = { .gpo = UPDATE_CARD, .issuer = issuer };
        const struct result result = play(&scene);
        const size_t first = result.sent_count - 1; /* the script's command is the last */
        const uint8_t *authentication = result.sent[first - 1];
        const uint8_t size = (uint8_t)(strlen(answers[i].issuer) / 2 - 2);
        property(result.sent_count > 1 && result.sent[first][1] == 0x16, "the script is performed", i);
        property((authentication[1] == 0x82) == answers[i].authenticated, "issuer authentication data", i);
        if (answers[i].authenticated)
            property(result.sent_size[first - 1] == 5u + size && memcmp(authentication, "\0\x82\0\0", 4) == 0 &&
                         authentication[4] == size,
                     "EXTERNAL AUTHENTICATE without Le", i);
        property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_KERNEL) &&
                     !result.outcome.ui_on_outcome_present && !result.outcome.ui_on_restart_present,
                 "a silent end", i);
        property(records_are(&result, "", "9F5B052000000000"), "the result of the script", i);
    }
}

static void kernel_3_goes_on_after_warnings(void)
{
    static const struct {
        uint16_t word;
        bool goes_on;
    } words[] = {
        { 0x9000, true },  { 0x6200, true },  { 0x62FF, true },  { 0x6300, true },  { 0x63C1, true },
        { 0x6100, false }, { 0x6400, false }, { 0x6983, false }, { 0x9001, false }, { 0x3100, false },
        { 0x3180, false }, { 0xC462, false }, { 0xC663, false }, { 0x6162, false }, { 0x6463, false },
    };
    for (unsigned i = 0; i < COUNT(words); i++) {
        const struct scene scene = { .gpo = UPDATE_CARD,
                                     .issuer = "71179F1804AABBCCDD8607841600000201AA8605841E000000",
                                     .script_words = { words[i].word } };
        const struct result result = play(&scene);
        unsigned scripted = 0;
        for (size_t at = 0; at < result.sent_count; at++) scripted += result.sent[at][1] != 0xA4;
        property(scripted == (words[i].goes_on ? 2 : 1), "a status word stops the script", i);
        property(records_are(&result, "", words[i].goes_on ? "9F5B0520AABBCCDD" : "9F5B0511AABBCCDD"),
                 "and stands in the result", i);
    }
}

/* A29: the second presentment is of the same application; in `book` another one is only reported. */
static void kernel_3_updates_the_card_that_asked(void)
{
    static const struct {
        const char *fci;
        bool same;
    } cards[] = {
        { "=6F1C8407A0000000031010A511" PDOL "9000", true },
        { "=6F1E8409A00000000310100102A511" PDOL "9000", true },
        { "=6F1C8407A0000000031020A511" PDOL "9000", false },
        { "=6F13A511" PDOL "9000", true },
        { "=6F168401B0A511" PDOL "9000", false },
    };
    for (unsigned i = 0; i < 2 * COUNT(cards); i++) {
        const bool book = i % 2 == 0, same = cards[i / 2].same;
        const struct scene scene = { .gpo = UPDATE_CARD,
                                     .issuer = "71098607841600000201AA",
                                     .updated_fci = cards[i / 2].fci,
                                     .protection = { .profile = book ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED } };
        const struct result result = play(&scene);
        unsigned scripted = 0;
        for (size_t at = 0; at < result.sent_count; at++) scripted += result.sent[at][1] != 0xA4;
        property(scripted == (same || book), "only the card that asked gets scripts", i);
        property(outcome_reports(&result.outcome, CEMV_FINDING_DF_NAME_MISMATCH) == !same, "another name is reported",
                 i);
        property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION,
                            same || book ? CEMV_REASON_KERNEL : CEMV_REASON_CARD_SWITCHED),
                 "how it ends", i);
        property(result.record_size == 0, "no data of the first presentment", i);
    }
}

/* ---- any card ---- */

static size_t value_of(const struct result *result, uint32_t tag, const uint8_t **value)
{
    struct cemv_tlv object;
    if (!cemv_tlv_find((cemv_bytes){ result->bytes, result->record_size }, tag, &object)) return 0;
    *value = object.value.data;
    return object.value.size;
}

/* 4.1.1.4: an account number is needed, and a track without one does not count; message 17 was shown before. */
static void kernel_3_needs_an_account(void)
{
    static const char *const tracks[] = { "570C476173900101011930122010", "5709D30122010000012345",
                                          "570CAAAA739001010119D3012201" };
    for (unsigned i = 0; i < COUNT(tracks); i++) {
        char gpo[200] = "820220009F3602000A9F260801020304050607089F2701809F100706010A03A00000";
        strcat(gpo, tracks[i]);
        const struct scene scene = { .gpo = gpo };
        const struct result result = play(&scene);
        property(outcome_is(&result.outcome, CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA) &&
                     outcome_error_is(&result.outcome, CEMV_L1_OK, CEMV_L2_CARD_DATA_ERROR, 0),
                 "a track without an account number", i);
        property(result.messages[1].message == CEMV_MESSAGE_CARD_READ_OK, "after the card was read", i);
    }
}

/* A17: every account number and date that the card supplies is compared with track 2. */
static void kernel_3_compares_what_names_the_account(void)
{
    static const struct {
        const char *record;
        unsigned finding;
        uint8_t first; /* the first profile that ends: book, guarded, strict; 3: none */
    } cards[] = {
        { "9F6B0B4111111111111129D3012F", CEMV_FINDING_PAN_MISMATCH, 1 },
        { "561D42343131313131313131313131313132395E582F595E33303132323031", CEMV_FINDING_PAN_MISMATCH, 1 },
        { "5A084111111111111129", CEMV_FINDING_PAN_MISMATCH, 0 },
        { "5F2403311231", CEMV_FINDING_EXPIRY_MISMATCH, 2 },
        { "5A084111111111111111", 0, 3 },
        { "5A0A4111111111111111FFFF", 0, 3 },
    };
    static const uint8_t profiles[] = { CEMV_PROFILE_BOOK, CEMV_PROFILE_GUARDED, CEMV_PROFILE_STRICT };
    for (unsigned i = 0; i < 3 * COUNT(cards); i++) {
        const struct scene scene = { .gpo = ARQC "940408010100",
                                     .records = { cards[i / 3].record },
                                     .protection = { .profile = profiles[i % 3] } };
        const struct result result = play(&scene);
        property(result.outcome.status ==
                     (i % 3 >= cards[i / 3].first ? CEMV_OUTCOME_END_APPLICATION : CEMV_OUTCOME_ONLINE_REQUEST),
                 "another account ends", i);
        property(result.outcome.findings == (cards[i / 3].first == 3 ? 0 : 1u << cards[i / 3].finding),
                 "and is reported", i);
    }
    for (unsigned i = 0; i < 3; i++) {
        const struct scene scene = { .gpo = "8202200057104111111111111112D30122010000000000009F3602000A9F2608"
                                            "01020304050607089F2701809F100706010A03A00000",
                                     .protection = { .profile = profiles[i] } };
        const struct result result = play(&scene);
        property(outcome_reports(&result.outcome, CEMV_FINDING_LUHN) &&
                     (result.outcome.status == CEMV_OUTCOME_ONLINE_REQUEST) == (i < 2),
                 "a check digit that is wrong", i);
    }
}

/* 5.2.1.1: a list whose values do not fit into a command ends the application, and so does a truncated list. */
static void kernel_3_answers_a_pdol_that_fits(void)
{
    static const struct {
        const char *pdol;
        size_t size; /* size of the values; 0: none are sent */
    } lists[] = {
        { "9F38069F66049F4E7B", 127 },
        { "9F38069F66049F4E7C", 128 },
        { "9F38099F66049F4E809F4E78", 252 },
        { "9F38099F66049F4E809F4E79", 0 },
        { "9F38099F66049F4E809F4E7A", 0 },
        { "9F38089F66049F0206FFFF", 0 },
        { "9F38129F66049F02069F0306959A039C019F379F", 0 },
        { "9F38219F66049F02069F03069F1A0295055F2A029A039C019F37049F4E0C9F5C029F0604", 51 },
    };
    for (unsigned i = 0; i < COUNT(lists); i++) {
        const struct scene scene = { .gpo = ARQC, .pdol = lists[i].pdol, .data = "9F4E0A546573742053746F7265" };
        const struct result result = play(&scene);
        const bool sent = result.sent_count > 2;
        property(sent == (lists[i].size != 0), "a list that can be answered", i);
        property(result.outcome.status == (sent ? CEMV_OUTCOME_ONLINE_REQUEST : CEMV_OUTCOME_END_APPLICATION),
                 "or the end", i);
        if (!sent) continue;
        const uint8_t head[] = { 0x80, 0xA8, 0, 0, (uint8_t)(lists[i].size + (lists[i].size > 127 ? 3 : 2)), 0x83 };
        property(memcmp(result.sent[2], head, sizeof head) == 0, "the command", i);
        if (i != COUNT(lists) - 1) continue;
        uint8_t values[51];
        (void)bytes_of_hex("3600C0000000000012500000000000000276000000000009782611210033CA91AC"
                           "546573742053746F726500000000A0000000",
                           values);
        property(memcmp(result.pdol, values, sizeof values) == 0, "each value in its format", i);
    }
}

/* 4.1.1.2: at any command a fault drops the tap. The next presentment begins again, with another unpredictable number,
 * and none of the first card's data remain: no records, no locator, no data in a PDOL (A23). */
static void kernel_3_begins_again_after_a_fault(void)
{
    static const uint8_t kinds[] = { CEMV_REPLY_TIMEOUT, CEMV_REPLY_TRANSMISSION, CEMV_REPLY_PROTOCOL,
                                     CEMV_REPLY_REMOVED };
    enum { EXCHANGES = 7, FROM_GPO = 2 };
    const uint8_t *value = NULL;
    for (unsigned i = 0; i < EXCHANGES * COUNT(kinds); i++) {
        const struct scene scene = {
            .gpo = TC, .records = { EXPIRY }, .signature = SIGNED, .fault = { .kind = kinds[i % 4], .at = i / 4 }
        };
        const bool counted = i / 4 >= FROM_GPO; /* the kernel had received its number */
        if (!counted) continue;
        const struct result result = play(&scene);
        property(outcome_is(&result.outcome, CEMV_OUTCOME_APPROVED, CEMV_REASON_KERNEL), "the second tap succeeds", i);
        property(value_of(&result, 0x9F37, &value) == 4 && memcmp(value, random_numbers + 4, 4) == 0,
                 "with another number", i);
        property(result.sent_count == i / 4 + 1 + EXCHANGES && result.message_count == 4, "from the beginning", i);
        property(result.messages[0].message == CEMV_MESSAGE_PRESENT_CARD &&
                     result.messages[1].message == CEMV_MESSAGE_PRESENT_CARD &&
                     result.messages[2].message == CEMV_MESSAGE_CARD_READ_OK &&
                     result.messages[3].message == CEMV_MESSAGE_APPROVED,
                 "its messages", i);
    }
    static const struct scene bare = { .gpo = ARQC };
    static const struct scene greedy = {
        .gpo = ARQC, .pdol = "9F38239F66045A0857089F4B089F26089F360882085F24089F10089F46088F089F6C085F3408"
    };
    for (unsigned at = FROM_GPO; at < EXCHANGES; at++) {
        struct scene scene = { .gpo = TC "5F340101",
                               .records = { EXPIRY },
                               .signature = SIGNED,
                               .fault = { .kind = CEMV_REPLY_TRANSMISSION, .at = at, .then = &bare } };
        struct result result = play(&scene);
        property(outcome_is(&result.outcome, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL), "another card", at);
        property(result.sent_count == at + 1 + 3 && value_of(&result, 0x5F34, &value) == 0, "alone", at);
        scene.fault.then = &greedy;
        result = play(&scene);
        for (size_t i = 4; i < 4 + 12 * 8; i++)
            property(result.pdol[i] == 0, "is told nothing of the first", (unsigned)i);
    }
}

/* Any byte of any answer is changed, any answer is cut, any status word replaces it. The outcome is always one of the
 * book's, has a record only with a decision, and approves only data that the signature covers: never if a certificate,
 * 9F69, the signature or 5A was changed, and never for a card that did not approve. */
static void kernel_3_approves_only_what_was_signed(void)
{
    static const struct scene cards[] = {
        { .gpo = TC "9F6C020000", .records = { EXPIRY }, .signature = SIGNED },
        { .gpo = ARQC "9F6C020000", .records = { EXPIRY }, .signature = SIGNED, .ttq_1 = 0x37 },
        { .gpo = ARQC "9F6C020000" },
        { .gpo = AAC "940408010100", .records = { EXPIRY } },
    };
    static const uint16_t changes[] = { 0x01, 0x80, 0xFF };
    enum { FIRST_RECORD = 3 };
    for (unsigned card = 0; card < COUNT(cards); card++) {
        const struct result whole = play(&cards[card]);
        property(whole.outcome.status == (card == 0  ? CEMV_OUTCOME_APPROVED
                                          : card < 3 ? CEMV_OUTCOME_ONLINE_REQUEST
                                                     : CEMV_OUTCOME_DECLINED),
                 "the card unharmed", card);
        for (unsigned at = 0; at < whole.sent_count; at++)
            for (unsigned i = 0; i < 5 * whole.answer_size[at] + 256; i++) {
                struct scene scene = cards[card];
                const unsigned way = i % 5;
                scene.protection.profile = i % 2 ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED;
                scene.damage.at = at, scene.damage.place = i / 5;
                scene.damage.kind = way < 3 ? FLIPPED : way == 3 ? CUT : CUT_BEFORE_9000;
                if (way < 3) scene.damage.change = changes[way];
                if (way == 4 && i / 5 + 2 >= whole.answer_size[at]) continue;
                if (i >= 5 * whole.answer_size[at]) {
                    scene.damage.kind = WORD_ALONE, scene.damage.place = 0;
                    scene.damage.change = (uint16_t)((i - 5 * whole.answer_size[at]) * 257);
                    if (scene.damage.change == 0x9000) continue;
                }
                const struct result result = play(&scene);
                const unsigned detail = card << 24 | at << 16 | i;
                const uint8_t status = result.outcome.status;
                const bool signed_place = at >= FIRST_RECORD && at < FIRST_RECORD + SIGNING_RECORDS;
                property(result.outcome.reason != CEMV_REASON_INTERNAL, "the kernel keeps to its table", detail);
                property(status != CEMV_OUTCOME_APPROVED || card == 0, "no other card is approved", detail);
                property(status != CEMV_OUTCOME_APPROVED || (scene.damage.kind == FLIPPED && !signed_place),
                         "nor what was signed and changed", detail);
                property(result.waits || status == CEMV_OUTCOME_APPROVED || status == CEMV_OUTCOME_DECLINED ||
                             status == CEMV_OUTCOME_ONLINE_REQUEST || status == CEMV_OUTCOME_END_APPLICATION ||
                             status == CEMV_OUTCOME_TRY_ANOTHER_INTERFACE,
                         "an end that the book knows", detail);
                property(result.record_size == 0 || status == CEMV_OUTCOME_APPROVED ||
                             status == CEMV_OUTCOME_DECLINED || status == CEMV_OUTCOME_ONLINE_REQUEST,
                         "a record goes with a decision", detail);
            }
    }
}

/* 2: the goods are handed over at once, 1: the host decides, 0: no goods. */
static unsigned generosity(uint8_t status)
{
    return status == CEMV_OUTCOME_APPROVED ? 2 : status == CEMV_OUTCOME_ONLINE_REQUEST;
}

/* A09: the floor limit of the chosen program counts, not that of the combination. */
static void a_program_without_a_floor_limit_approves_nothing_offline(void)
{
    static const uint8_t program[] = { 0x31 };
    for (unsigned i = 0; i < 4; i++) {
        const bool has_floor = i & 1, book = i & 2;
        const struct cemv_dynamic_limit set = { .program = { program, 1 },
                                                .limits = { .amount = { [CEMV_LIMIT_FLOOR] = FLOOR_LIMIT },
                                                            .present = has_floor ? 1u << CEMV_LIMIT_FLOOR : 0 } };
        const struct scene scene = { .gpo = TC,
                                     .fci = "BF0C059F5A023108",
                                     .records = { EXPIRY },
                                     .signature = SIGNED,
                                     .options = { .dynamic_limits = &set, .dynamic_limit_count = 1 },
                                     .protection = { .profile = book ? CEMV_PROFILE_BOOK : CEMV_PROFILE_GUARDED } };
        const struct result result = play(&scene);
        property(result.outcome.status == (has_floor || book ? CEMV_OUTCOME_APPROVED : CEMV_OUTCOME_ONLINE_REQUEST),
                 "the program's floor limit", i);
    }
}

/* A18: the locator names the signed records; with one more, one less or another order the hash differs. */
static void kernel_3_hashes_what_the_locator_says(void)
{
    static const struct {
        const char *locator;
        bool approved;
    } locators[] = {
        { "940408010400", true },                  /* none is signed, as on the original card */
        { "940408010401", false },                 /* the first */
        { "940408010404", false },                 /* all */
        { "940C080101000802020008030400", true },  /* in three entries */
        { "940C080101000802020108030400", false }, /* the second */
    };
    for (unsigned i = 0; i < COUNT(locators); i++) {
        const struct scene scene = {
            .gpo = TC, .records = { EXPIRY }, .signature = SIGNED, .locator = locators[i].locator
        };
        const struct result result = play(&scene);
        property((result.outcome.status == CEMV_OUTCOME_APPROVED) == locators[i].approved, "what is hashed", i);
        property(outcome_reports(&result.outcome, CEMV_FINDING_ODA_TAMPER) != locators[i].approved, "or is reported",
                 i);
    }
}

/* 5.3.2.1 and Book 3, 6.5.11.4, 10.3: a record of file 11 that is not a template is skipped; if the locator calls it
 * signed, authentication fails. */
static void kernel_3_fails_where_a_signed_record_is_no_template(void)
{
    for (unsigned is_signed = 0; is_signed < 2; is_signed++) {
        const struct scene scene = { .gpo = TC,
                                     .records = { EXPIRY, "=DF010133"
                                                          "9000" },
                                     .signature = SIGNED,
                                     .locator = is_signed ? "94080801040058010101" : "94080801040058010100" };
        const struct result result = play(&scene);
        property(result.outcome.status == (is_signed ? CEMV_OUTCOME_DECLINED : CEMV_OUTCOME_APPROVED), "file 11",
                 is_signed);
        property(outcome_reports(&result.outcome, CEMV_FINDING_ODA_TAMPER) == (is_signed != 0), "is reported",
                 is_signed);
    }
}

/* Random readers and cards: a tighter profile never accepts what a looser one refused, except where a signed CTQ
 * decides instead of the plain one (A32); `strict` approves nothing offline, and nothing is approved without a
 * signature or if the reader wanted to go online. */
static void no_profile_accepts_more_than_the_book(void)
{
    static const char *const cryptograms[] = { TC, TC, TC, ARQC, AAC };
    static const uint8_t types[] = { 0x00, 0x00, 0x01, 0x09, 0x20 };
    static const uint8_t profiles[] = { CEMV_PROFILE_BOOK, CEMV_PROFILE_GUARDED, CEMV_PROFILE_STRICT };
    unsigned approvals = 0;
    for (unsigned i = 0; i < 1500; i++) {
        char gpo[300], related[20];
        const uint8_t first = (uint8_t)(any(256) & any(256)), second = any(2) ? 0x80 : 0;
        snprintf(gpo, sizeof gpo, "%s9F6C02%02X%02X9F0702%s5F2802%s", cryptograms[any(5)], first, second,
                 any(2) ? "FFFF" : "8080", any(2) ? "0276" : "0840");
        const uint8_t covered[] = { any(4) ? first : 0, any(4) ? second : 0 };
        snprintf(related, sizeof related, "01AABBCCDD%02X%02X", covered[0], covered[1]);
        struct scene scene = { .gpo = gpo,
                               .records = { any(8) ? EXPIRY : "5F2403261120" },
                               .related = related,
                               .signature = (uint8_t)(any(2) ? SIGNED : any(SIGNED_AS_COUNT)),
                               .ttq_1 = (uint8_t)(0x26 | any(32)),
                               .amount = any(3) ? ORDINARY
                                       : any(2) ? CVM_LIMIT
                                                : ABOVE_FLOOR,
                               .type = types[any(5)],
                               .no_floor = any(6) == 0 };
        scene.amount_other = scene.type != 0x01 && any(4) == 0 ? 100 : 0;
        unsigned before = 2;
        for (unsigned profile = 0; profile < 3; profile++) {
            scene.protection.profile = profiles[profile];
            const struct result result = play(&scene);
            const unsigned now = generosity(result.outcome.status);
            property(now <= before || covered[0] != first || covered[1] != second, "a tighter profile accepts no more",
                     i << 2 | profile);
            before = now;
            if (now < 2) continue;
            approvals++;
            property(profile < 2, "strict approves nothing offline", i);
            property(scene.signature == SIGNED || scene.signature == LONGER_NUMBER ||
                         (scene.signature == OTHER_COUNTER && profile == 0),
                     "nothing is approved without a signature", i);
            property((result.pdol[1] & 0x80) == 0, "nor where the reader goes online", i);
        }
    }
    property(approvals > 30, "some are approved", approvals);
}

/* The rule alone, over all its inputs: 5.7.1 with each trust in a CDCVM. Less trust never verifies by a CDCVM, or by a
 * signature that the card chose, if more trust did not, and never lets a refusal pass. */
static void less_trust_never_verifies_more(void)
{
    static const uint8_t trusts[] = { CEMV_CDCVM_BOOK, CEMV_CDCVM_VERIFY_IF_PRESENT, CEMV_CDCVM_AUTHENTICATED };
    for (unsigned i = 0; i < 4 * 4 * 16 * 4 * 17 * 4; i++) {
        const unsigned reader = i / 16 % 16, related = i / 256 % 4, first = i / 1024 % 17, second = i / 17408;
        static const uint8_t seconds[] = { 0, 0x80, 0x7F, 0xFF };
        const struct k3_pair ctq = { first != 16, { (uint8_t)(first << 4), seconds[second] } };
        struct k3_cvm_in in = { .cryptogram = (uint8_t)(i % 4),
                                .oda = (uint8_t)(i / 4 % 4),
                                .cvm_required = reader & 1,
                                .online_pin = reader & 2,
                                .signature = reader & 4,
                                .contact_reader = reader & 8,
                                .related_data = related != 0,
                                .related_matches = related == 1 && ctq.present,
                                .ctq = ctq };
        in.ctq_signed = in.oda == K3_ODA_GOOD && in.related_matches;
        struct k3_cvm looser = { 0 };
        for (unsigned trust = 0; trust < 3; trust++) {
            in.trust = trusts[trust];
            const struct k3_cvm now = k3_cvm(&in);
            const bool passes = (now.marks & (K3_DECLINE | K3_CONTACT_CHIP)) == 0;
            if (trust > 0) {
                property((looser.marks & K3_DECLINE) == 0 || !passes, "a refusal stays one", i);
                property(now.cvm != CEMV_CVM_CDCVM || looser.cvm == CEMV_CVM_CDCVM, "no CDCVM more", i);
                property(now.cvm == looser.cvm || (now.marks & K3_PROTECTION) != 0, "a change is the profile's", i);
                property(now.cvm == looser.cvm || !in.cvm_required || now.cvm != CEMV_CVM_SIGNATURE,
                         "no signature instead", i);
            }
            property(!in.cvm_required || !passes || now.cvm != CEMV_CVM_NONE, "a CVM that is required", i);
            looser = now;
        }
    }
}

void properties_of_kernel_3_dialogue(void)
{
    PART(kernel_3_ends_with_the_cause);
    PART(kernel_3_asks_to_see_the_phone);
    PART(kernel_3_demands_mandatory_objects);
    PART(kernel_3_refuses_repeated_objects);
    PART(kernel_3_reads_format_1_where_configured);
    PART(kernel_3_knows_files_that_are_proprietary);
    PART(kernel_3_has_the_records_of_the_table);
    PART(kernel_3_offers_an_issuer_update);
    PART(kernel_3_checks_the_usage_of_cash_and_cash_back);
    PART(kernel_3_reads_the_expiry_date_of_an_approval);
    PART(kernel_3_reports_contradictions);
    PART(kernel_3_verifies_an_offline_signature);
    PART(kernel_3_verifies_an_online_signature);
    PART(kernel_3_compares_signed_qualifiers);
    PART(kernel_3_approves_what_the_signature_covers);
    PART(kernel_3_takes_qualifiers_from_where_they_count);
    PART(kernel_3_trusts_claims_as_the_profile_says);
    PART(kernel_3_believes_no_claim_for_another_network);
    PART(kernel_3_keeps_the_higher_limit_for_proven_claims);
    PART(kernel_3_applies_the_limits_of_a_program);
    PART(kernel_3_refuses_sets_without_a_program);
    PART(kernel_3_refuses_records_listed_twice);
    PART(kernel_3_reads_issuer_data_to_their_end);
    PART(kernel_3_updates_the_card);
    PART(kernel_3_goes_on_after_warnings);
    PART(kernel_3_updates_the_card_that_asked);
    PART(kernel_3_needs_an_account);
    PART(kernel_3_compares_what_names_the_account);
    PART(kernel_3_answers_a_pdol_that_fits);
    PART(kernel_3_begins_again_after_a_fault);
    PART(kernel_3_approves_only_what_was_signed);
    PART(a_program_without_a_floor_limit_approves_nothing_offline);
    PART(kernel_3_hashes_what_the_locator_says);
    PART(kernel_3_fails_where_a_signed_record_is_no_template);
    PART(no_profile_accepts_more_than_the_book);
    PART(less_trust_never_verifies_more);
}
