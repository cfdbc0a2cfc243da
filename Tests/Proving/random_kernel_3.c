/* SPDX-License-Identifier: Apache-2.0 */
/* Random Kernel 3 runs: a store as Entry Point leaves it, a random card, and an issuer with any answer. Certificates
 * are written field by field: the port returns its input, and the hashed data are part of the digest. */
#include <string.h>

#include "CEMVInternals.h"
#include "random_values.h"
#include "random.h"

enum { CA_SIZE = 128, ISSUER_SIZE = 92, ICC_SIZE = 50, MOST_STEPS = 120 };

static struct cemv_kernel kernel;
static struct cemv_checked checked;
static struct cemv_combination combination;
static const struct cemv_kernel_row row = { { 3 }, 1, &cemv_kernel_3, NULL };
static struct cemv_ca_key keys[2];
static struct cemv_exception exception;
static struct cemv_dynamic_limit dynamic[3];
static struct cemv_kernel_3_options options;
static uint8_t ones[CA_SIZE], ttq[4];

static bool calm; /* reader, transaction and card are valid, with few exceptions */

static bool fault(uint32_t times) { return once_in(calm ? 20 * times : times); }
static uint8_t byte(void) { return (uint8_t)(below(3) ? 1u << below(8) : below(2) ? below(256) : 255 * below(2)); }
static void fill_random(uint8_t *out, size_t size)
{
    while (size--) *out++ = byte();
}

/* ---- the crypto port ---- */

static bool echo(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t exponent)
{
    note_bytes(modulus);
    note(exponent);
    memcpy(out, in.data, in.size);
    return true;
}

static void no_sum(uint8_t digest[CEMV_SHA1_SIZE], const cemv_bytes *pieces, size_t count)
{
    note(count);
    for (size_t i = 0; i < count; i++) note_bytes(pieces[i]);
    memset(digest, 0, CEMV_SHA1_SIZE);
}

static const struct cemv_crypto port = { .sha1 = no_sum, .rsa_public = echo };

/* A certificate of the issuer (format 2) or the card (4) over a key of ones. */
static size_t put_certificate(uint8_t *out, bool icc, const uint8_t pan[8])
{
    uint8_t block[CA_SIZE];
    const size_t size = icc ? ISSUER_SIZE : CA_SIZE, fields = icc ? 12 : 6, key = icc ? ICC_SIZE : ISSUER_SIZE;
    memset(block, 0xBB, sizeof block);
    block[0] = 0x6A;
    block[1] = icc ? 4 : 2;
    memset(block + 2, 0xFF, fields - 2);
    memcpy(block + 2, pan, icc ? 8 : 3);
    memcpy(block + fields, "\x12\x29\1\2\3\1\1", 7);
    if (fault(24)) block[fields + 1] = 0x20;
    block[fields + 7] = (uint8_t)key;
    block[fields + 8] = 1;
    const size_t room = size - fields - 30;
    memset(block + fields + 9, 0xFF, key < room ? key : room);
    memset(block + size - 21, 0, 20);
    block[size - 1] = 0xBC;
    if (fault(40)) block[below((uint32_t)size)] ^= 1;
    size_t used = put_tlv(out, icc ? 0x9F46 : 0x90, block, size);
    if (key > room || fault(40)) used += put_tlv(out + used, icc ? 0x9F48 : 0x92, ones, key > room ? key - room : 1);
    return used + put_tlv(out + used, icc ? 0x9F47 : 0x9F32, "\3", 1);
}

/* A dynamic signature: the number in it is the transaction counter, if the card is honest. */
static size_t put_signature(uint8_t *out, uint8_t format, const uint8_t counter[2])
{
    uint8_t block[ICC_SIZE];
    const uint8_t number = (uint8_t)(once_in(8) ? 1 + below(8) : 2);
    memset(block, 0xBB, sizeof block);
    block[0] = 0x6A;
    block[1] = format;
    block[2] = 1;
    block[3] = (uint8_t)(number + 1);
    block[4] = number;
    memset(block + 5, 7, number);
    memcpy(block + 5, counter, number < 2 ? number : 2);
    if (fault(8)) block[5 + below(2)] ^= 1;
    memset(block + ICC_SIZE - 21, 0, 20);
    block[ICC_SIZE - 1] = 0xBC;
    if (fault(24)) block[below(ICC_SIZE)] ^= 1;
    return put_tlv(out, 0x9F4B, block, fault(24) ? ICC_SIZE - 1 : ICC_SIZE);
}

/* ---- the reader ---- */

static void random_limits(struct cemv_limits *limits)
{
    static const uint8_t few[] = { 0, 3, 6, 0x13 };
    limits->present = (uint8_t)(calm ? few[below(4)] : below(32));
    for (size_t i = 0; i < CEMV_LIMIT_COUNT; i++)
        limits->amount[i] = calm && i != CEMV_LIMIT_TRANSACTION ? 8 + below(8) : below(flag() ? 8 : 32);
}

static void random_protection(struct cemv_protection *p)
{
    uint8_t *const rules[] = { &p->cdcvm_trust, &p->unsolicited_sdad, &p->oda_tamper, &p->cid_mismatch,
                               &p->brand_check, &p->expiry_mismatch,  &p->luhn,       &p->offline };
    p->profile = (uint8_t)below(3);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) *rules[i] = fault(4) ? (uint8_t)below(4) : 0;
    if (once_in(8)) p->max_records = (uint8_t)(1 + below(3));
}

static void random_reader(void)
{
    static const uint8_t aids[][7] = { { 0xA0, 0, 0, 0, 3, 0x10, 0x10 },
                                       { 0xA0, 0, 0, 0, 4, 0x10, 0x10 },
                                       { 0xA0, 0, 0, 0, 0x25, 1, 1 } },
                         program[4] = { 1, 2, 3, 4 };
    static const uint8_t pan[] = { 0x41, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11 };
    memset(&kernel, 0, offsetof(struct cemv_kernel, store));
    memset(&checked.configuration, 0, sizeof checked.configuration);
    memset(ones, 0xFF, sizeof ones);
    options = (struct cemv_kernel_3_options){ .gpo_format_1 = flag(), .usage_control_off = once_in(4) };
    combination = (struct cemv_combination){ .aid = { aids[fault(12) ? 1 + below(2) : 0], once_in(8) ? 5 : 7 },
                                             .kernel_id = { 3 },
                                             .kernel_id_size = 1,
                                             .zero_amount = (uint8_t)(calm ? 2 : below(3)),
                                             .status_check = fault(4),
                                             .options = &options,
                                             .own_protection = once_in(6) };
    random_limits(&combination.limits);
    random_protection(&combination.protection);
    for (size_t i = 0; i < 3; i++) {
        dynamic[i] = (struct cemv_dynamic_limit){ .program = { program + once_in(3), once_in(16) ? 0 : 1 + below(3) },
                                                  .zero_amount = (uint8_t)below(3),
                                                  .status_check = once_in(4) };
        random_limits(&dynamic[i].limits);
    }
    if (fault(2)) {
        options.dynamic_limits = dynamic;
        options.dynamic_limit_count = 1 + below(3);
    }
    memcpy(ttq, "\x26\0\x80\0", 4);
    if (!calm) fill_random(ttq, 4);
    for (size_t i = 0; i < 3; i++) ttq[0] |= (uint8_t)(calm ? 0 : byte());
    if (flag()) ttq[2] |= 0x80;
    combination.ttq = (cemv_bytes){ ttq, 4 };
    for (size_t i = 0; i < 2; i++) {
        keys[i] = (struct cemv_ca_key){ .rid = { 0xA0, 0, 0, 0, (uint8_t)(fault(16) ? 4 : 3) },
                                        .index = (uint8_t)(1 + i),
                                        .exponent = 3,
                                        .modulus = { ones, CA_SIZE },
                                        .test = once_in(4) };
        if (fault(6)) memcpy(keys[i].expires, flag() ? "\x26\x10\x20" : "\x29\x12\x31", 3);
    }
    exception = (struct cemv_exception){ { pan, 8 }, (uint8_t)below(2), flag() };
    checked.crypto = &port;
    checked.configuration = (struct cemv_configuration){ .combinations = &combination,
                                                         .combination_count = 1,
                                                         .ca_keys = keys,
                                                         .ca_key_count = below(16) ? 2 : below(2),
                                                         .exceptions = &exception,
                                                         .exception_count = fault(8) };
    random_protection(&checked.configuration.protection);
    checked.configuration.kernels = &row;
    kernel.checked = &checked;
    kernel.combination = &combination;
    kernel.row = &row;
}

/* ---- the store as Entry Point leaves it ---- */

static size_t random_fci(uint8_t *out)
{
    static const char *const languages[] = { "en", "deen", "frdeenit", "frdeenitnl", "e", "eN", "{e", "za" };
    uint8_t value[260] = { 0 };
    size_t size = 0, length = 0;
    uint8_t inner[600];
    if (!once_in(16)) {
        static const uint32_t asked[] = { 0x9F66, 0x9F02, 0x5F2A, 0x9F37, 0x9F1A, 0x5A, 0x9A, 0x9C };
        for (unsigned i = below(9); i; i--) {
            length += cemv_tag_write(value + length, asked[below(8)]);
            value[length++] = (uint8_t)(once_in(12) ? 100 + below(60) : 1 + below(7));
        }
        if (once_in(24)) value[length++] = 0x9F;
        size += put_tlv(inner + size, 0x9F38, value, length);
    }
    if (!once_in(3)) {
        const char *const language = languages[below(once_in(3) ? 8 : 3)];
        size += put_tlv(inner + size, 0x5F2D, language, strlen(language));
    }
    if (!once_in(4)) {
        fill_random(value, 4);
        if (!once_in(4)) memcpy(value, "\1\2\3\4", 4);
        length = put_tlv(value, 0x9F5A, (uint8_t[]){ value[0], value[1], value[2], value[3] }, 1 + below(4));
        if (flag()) length = wrap_tlv(value, 0xBF0C, length);
        memcpy(inner + size, value, length);
        size += length;
    }
    length = wrap_tlv(inner, 0xA5, size);
    size = put_tlv(out, 0x84, kernel.df_name, once_in(8) ? below(8) : kernel.df_name_size);
    if (once_in(8)) out[2 + below(2)] ^= 1;
    memcpy(out + size, inner, length);
    size += length;
    return wrap_tlv(out, 0x6F, size);
}

static void put(uint16_t slot, const void *value, size_t size)
{
    (void)cemv_store_put(&kernel.store, slot, (cemv_bytes){ value, size }, CEMV_FROM_TERMINAL);
}

/* Scripts as an issuer may write them: malformed commands, identifiers of any size, templates without end, more of both
 * than are performed. */
static size_t random_answer(uint8_t *out, size_t most)
{
    size_t size = 0;
    uint8_t value[300] = { 0 };
    if (!once_in(4)) {
        fill_random(value, 18);
        size += put_tlv(out, 0x91, value, once_in(2) ? 10 : 6 + below(12));
    }
    if (once_in(4)) size += put_tlv(out + size, 0x8A, "00", 2);
    const bool many = once_in(10), long_one = once_in(10);
    for (unsigned scripts = many ? 17 + below(4) : below(4); scripts && size + 40 < most; scripts--) {
        size_t length = 0;
        if (!once_in(3)) length += put_tlv(value, 0x9F18, "\xAA\xBB\xCC\xDD\xEE", below(4) ? 4 : below(6));
        for (unsigned commands = long_one ? 13 + below(6)
                               : many     ? once_in(6)
                                          : below(4);
             commands && length + 30 < 160; commands--) {
            uint8_t command[9] = { 0x84, 0x16, 0, 0, 2, 0xAA, (uint8_t)commands };
            size_t used = long_one || once_in(3) ? 4 : 7;
            if (once_in(24)) used = below(8);
            length += put_tlv(value + length, once_in(12) ? 0x87 : 0x86, command, used);
        }
        if (once_in(many ? 60 : 10)) value[length++] = 0x9F;
        size += put_tlv(out + size, once_in(many ? 60 : 10) ? 0x73 : 0x71 + below(2), value,
                        once_in(many ? 60 : 12) ? 0 : length);
    }
    return size;
}

static void random_presentment(bool again)
{
    static const uint8_t types[] = { 0, 0, 0, 1, 9, 0x20 };
    static const uint8_t days[][3] = {
        { 0x26, 0x11, 0x21 }, { 0x26, 0x11, 0x21 }, { 0x29, 0x12, 0x31 }, { 0x30, 0x01, 0x01 }
    };
    uint8_t bytes[700], amount[6] = { 0 };
    if (!again) {
        kernel.transaction = (struct cemv_transaction){ .type = types[below(6)],
                                                        .amount = below(9),
                                                        .amount_other = once_in(4) ? below(3) : 0,
                                                        .currency = 0x0978,
                                                        .exponent = (uint8_t)below(2),
                                                        .start_b = once_in(8) };
        memcpy(kernel.transaction.date, days[fault(4) ? below(4) : 0], 3);
        if (fault(60)) kernel.transaction.date[1] = 0x13;
        kernel.df_name_size = (uint8_t)combination.aid.size;
        memcpy(kernel.df_name, combination.aid.data, combination.aid.size);
    }
    cemv_store_clear(&kernel.store, tags_of(3), cemv_kernel_3.reading);
    kernel.indicators = cemv_entry_indicators(&checked.configuration, &combination, &kernel.transaction);
    kernel.out.state = 0, kernel.out.finished = false, kernel.out.ui_count = 0, kernel.work = 0;
    kernel.out.record_size = (uint16_t)below(3);
    kernel.out.discretionary_size = (uint16_t)below(3);
    kernel.afl = (struct cemv_afl){ .at = (uint16_t)below(3), .end = (uint16_t)below(9), .next = (uint8_t)below(2) };
    fill_random(kernel.unpredictable_number, 4);
    amount[5] = (uint8_t)kernel.transaction.amount;
    put(CEMV_SLOT_9F02, amount, 6);
    amount[5] = (uint8_t)kernel.transaction.amount_other;
    put(CEMV_SLOT_9F03, amount, 6);
    if (!fault(8)) put(CEMV_SLOT_9F1A, "\2\x76", 2);
    put(CEMV_SLOT_5F2A, "\x09\x78", 2);
    put(CEMV_SLOT_9A, kernel.transaction.date, 3);
    put(CEMV_SLOT_9C, &kernel.transaction.type, 1);
    put(CEMV_SLOT_9F37, kernel.unpredictable_number, 4);
    if (fault(6)) put(K3_SLOT_9F69, "\1\2\3\4\5", 5);
    if (once_in(6)) put(K3_SLOT_9F5D, "\0\0\0\0\1\2", 6);
    if (once_in(24)) {
        fill_random(bytes, 36);
        (void)cemv_store_put(&kernel.store, K3_SLOT_9F6E, (cemv_bytes){ bytes, once_in(2) ? 3 : 32 + below(3) },
                             CEMV_FROM_CARD);
    }
    if (fault(16)) {
        static const uint8_t much[CEMV_STORE_ARENA];
        struct cemv_span span;
        (void)cemv_store_keep(&kernel.store, (cemv_bytes){ much, CEMV_STORE_ARENA - kernel.store.used - below(600) },
                              &span);
    }
    kernel.fci.size = (uint16_t)random_fci(bytes);
    if (!cemv_store_keep(&kernel.store, (cemv_bytes){ bytes, kernel.fci.size }, &kernel.fci)) kernel.fci.size = 0;
    if (kernel.fci.size > 5 && once_in(24)) kernel.fci.size = (uint16_t)below(kernel.fci.size);
    cemv_fci_read(&kernel);
    note(kernel.language_size);
    note_bytes((cemv_bytes){ kernel.language, kernel.language_size });
    note(kernel.pdol.size);
    note(kernel.pdol.at);
    kernel.online_response_present = again ? flag() : fault(5);
    kernel.online.size = (uint16_t)random_answer(bytes, 400);
    if (!cemv_store_keep(&kernel.store, (cemv_bytes){ bytes, kernel.online.size }, &kernel.online))
        kernel.online.size = 0;
}

/* ---- the card ---- */

struct said {
    uint8_t pan[8], counter[2], type, format;
    unsigned records;
};

static size_t put_account(uint8_t *out, const struct said *said, bool track)
{
    uint8_t value[40];
    memcpy(value, said->pan, 8);
    if (!track) {
        if (fault(24)) value[7] ^= 1;
        return put_tlv(out, 0x5A, value, 8);
    }
    memcpy(value + 8, fault(10) ? "\xD2\x61\x02\x01" : "\xD2\x91\x22\x01", 4);
    memset(value + 12, 0, 6);
    if (once_in(40)) value[8] = 0;
    return put_tlv(out, 0x57, value, 18);
}

static size_t random_objects(uint8_t *out, const struct said *said, unsigned left_out)
{
    static const char *const days[] = { "\x29\x12\x31", "\x26\x11\x20", "\x26\x11\x21", "\x29\x12\x30",
                                        "\x26\x13\x01" };
    uint8_t value[40], ctq[2] = { calm ? 0 : byte(), (uint8_t)(0x40 * below(4)) };
    size_t size = 0;
    if (!once_in(left_out)) size += put_account(out + size, said, true);
    if (!once_in(left_out)) size += put_tlv(out + size, 0x9F36, said->counter, 2);
    fill_random(value, 40);
    if (!once_in(left_out)) size += put_tlv(out + size, 0x9F26, value, 8);
    memcpy(value, "\6\1\x0A\3\0\0\0", 7);
    value[4] = (uint8_t)(said->type << 4);
    if (!once_in(left_out)) size += put_tlv(out + size, 0x9F10, value, once_in(8) ? 4 : 7);
    value[0] = (uint8_t)(fault(8) ? below(4) << 6 : (uint32_t)said->type << 6);
    if (flag()) size += put_tlv(out + size, 0x9F27, value, 1);
    if (!calm && flag()) ctq[0] |= byte();
    const bool behind = once_in(12); /* the bytes after 9F69 look like the CTQ */
    if (behind) {
        ctq[0] = 0x9F;
        ctq[1] = 0x81;
    }
    if (!once_in(4)) size += put_tlv(out + size, 0x9F6C, ctq, 2);
    if (behind) {
        size += put_tlv(out + size, 0x9F69, "\1\2\3\4\5", 5);
        size += put_tlv(out + size, 0x9F811B, "\1", 1);
    } else if (calm || flag()) {
        memcpy(value, "\1\2\3\4\5", 5);
        memcpy(value + 5, ctq, 2);
        if (fault(4)) value[5 + below(2)] ^= 1;
        if (fault(24)) value[0] = 2;
        size += put_tlv(out + size, 0x9F69, value, fault(6) ? 4 + below(8) : 7);
    }
    if (calm || flag()) size += put_signature(out + size, said->format, said->counter);
    if (once_in(3)) {
        fill_random(value, 33);
        size += put_tlv(out + size, 0x9F6E, value, once_in(3) ? 30 + below(4) : 1 + below(8));
    }
    if (once_in(3)) {
        memset(value, 0, 4);
        value[4] = 0x12;
        value[5] = (uint8_t)(once_in(4) ? 0xA0 : 0x34);
        size += put_tlv(out + size, 0x9F5D, value, once_in(4) ? 3 : 6);
    }
    if (once_in(3)) {
        memset(value, 'P', 29);
        size += put_tlv(out + size, 0x9F24, value, 29);
    }
    if (once_in(4)) {
        fill_random(value, 32);
        size += put_tlv(out + size, 0x9F7C, value, 1 + below(32));
    }
    if (!fault(6)) size += put_tlv(out + size, 0x5F24, days[fault(4) ? below(5) : 0], 3);
    if (once_in(2)) size += put_tlv(out + size, 0x9F07, ctq, 2);
    if (once_in(2)) size += put_tlv(out + size, 0x5F28, flag() ? "\2\x76" : "\x08\x40", 2);
    if (once_in(3)) size += put_tlv(out + size, 0x5F34, "\1", 1);
    if (once_in(40)) size += put_tlv(out + size, 0x9F36, said->counter, 2);
    return size;
}

static size_t random_gpo(uint8_t *out, const struct said *said, bool signs)
{
    static const uint8_t locators[][8] = { { 8, 1, 1, 1 },
                                           { 8, 1, 2, 1, 0x50, 1, 1, 1 },
                                           { 0x58, 1, 1, 1, 8, 1, 1, 0 },
                                           { 8, 1, 1, 0, 8, 1, 1, 0 },
                                           { 8, 2, 1, 0 },
                                           { 0x50, 1, 1, 0 },
                                           { 0xF0, 3, 4, 2 } };
    static const uint8_t sizes[] = { 4, 8, 8, 8, 4, 4, 4 };
    const unsigned which = below(fault(6) ? 7 : 3);
    uint8_t profile[2] = { (uint8_t)(signs ? 0x20 : byte()), (uint8_t)(byte() & 0x80) }, value[10];
    memcpy(value, profile, 2);
    memcpy(value + 2, locators[which], 8);
    if (fault(options.gpo_format_1 ? 8 : 60))
        return put_tlv(out, 0x80, value, once_in(3) ? below(4) : 2u + sizes[which]);
    size_t size = once_in(24) ? 0 : put_tlv(out, 0x82, profile, 2);
    for (unsigned i = once_in(24) ? 2 : 0; i; i--) size += put_tlv(out + size, 0x9F08, "\0\1", 2);
    if (signs || flag()) size += put_tlv(out + size, 0x94, locators[which], fault(16) ? below(4) : sizes[which]);
    if (once_in(40)) size += put_tlv(out + size, 0x94, locators[0], 4);
    size += random_objects(out + size, said, 60);
    if (once_in(60)) out[size++] = 0x9F;
    return wrap_tlv(out, once_in(60) ? 0x70 : 0x77, size);
}

static size_t random_record(uint8_t *out, struct said *said)
{
    size_t size = 0;
    const uint8_t index = (uint8_t)(fault(24) ? 3 : 1 + below(2));
    if (said->records++ == 0) {
        if (!fault(8)) size += put_account(out, said, false);
        if (!once_in(24)) size += put_tlv(out + size, 0x8F, &index, 1);
        if (!once_in(24)) size += put_certificate(out + size, false, said->pan);
        if (!once_in(24)) size += put_certificate(out + size, true, said->pan);
        if (once_in(4)) size += put_tlv(out + size, 0x9F4A, "\x82", 1);
        if (once_in(6)) size += put_tlv(out + size, 0x9F08, "\0\1", 2);
        if (once_in(8)) size += put_tlv(out + size, 0x56, "B4111111111111111^A/B^29122010000000", 36);
    } else if (said->records == 2) size += put_tlv(out, 0x5F25, "\x25\1\1", 3);
    if (fault(24)) size += random_objects(out + size, said, 2);
    if (once_in(100)) return 0;
    return wrap_tlv(out, once_in(60) ? 0x77 : 0x70, size);
}

/* ---- one presentment, and its result ---- */

static void note_request(const struct cemv_ui_request *r)
{
    note((uint64_t)r->message << 24 | (uint64_t)r->status << 16 | (uint64_t)r->value_qualifier << 8 | r->language_size);
    note(r->hold_ms);
    note(r->value);
    note(r->currency);
    note_raw(r->language, r->language_size);
}

static void note_step(void)
{
    const struct cemv_output *out = &kernel.out;
    note((uint64_t)out->step << 8 | out->state);
    note(out->ui_count);
    note(kernel.findings);
    note_bytes((cemv_bytes){ kernel.indicators.ttq, 4 });
    for (size_t i = 0; i < out->ui_count; i++) note_request(&out->ui[i]);
    if (out->step == CEMV_STEP_SEND) note_bytes((cemv_bytes){ out->command, out->command_size });
    note(cemv_oda_has_work(&kernel));
    if (once_in(3)) {
        note(cemv_oda_work(&kernel));
        note(cemv_oda_has_work(&kernel));
    }
}

static void note_end(void)
{
    const struct cemv_output *out = &kernel.out;
    const struct cemv_outcome *o = &out->outcome;
    note((uint64_t)o->status << 40 | (uint64_t)o->start << 32 | (uint64_t)o->online_response << 24 |
         (uint64_t)o->cvm << 16 | (uint64_t)o->alternate_interface << 8 | o->receipt);
    note(o->reason);
    note(o->field_off_100ms);
    note(o->removal_timeout_100ms);
    note(o->ui_on_outcome_present);
    note(o->ui_on_restart_present);
    note_raw(o->error_indication, 6);
    if (o->ui_on_outcome_present) note_request(&o->ui_on_outcome);
    if (o->ui_on_restart_present) note_request(&o->ui_on_restart);
    note(out->record_size);
    note_bytes((cemv_bytes){ out->records, (size_t)out->record_size + out->discretionary_size });
    holds(o->reason != CEMV_REASON_INTERNAL, "no edge outside the table");
    holds((size_t)out->record_size + out->discretionary_size <= sizeof out->records, "records keep to their room");
    note(kernel.store.reading);
    note(kernel.afl.at);
    note(kernel.afl.end);
    for (uint16_t slot = 0; slot < CEMV_SLOT_END; slot++)
        if (cemv_store_has(&kernel.store, slot)) {
            note((uint64_t)slot << 8 | cemv_store_provenance(&kernel.store, slot));
            note_bytes(cemv_store_value(&kernel.store, slot));
        }
}

static uint16_t random_status(bool script)
{
    static const uint16_t words[] = { 0x6984, 0x6985, 0x6986, 0x6A83, 0x6283, 0x6300,
                                      0x63C1, 0x6400, 0x9001, 0x6200, 0x6100 };
    return fault(script ? 5 : 16) ? words[below(11)] : 0x9000;
}

static void reply_once(struct said *said, bool signs)
{
    static uint8_t body[2048];
    static const uint8_t faults[] = { CEMV_REPLY_TIMEOUT, CEMV_REPLY_TRANSMISSION, CEMV_REPLY_PROTOCOL,
                                      CEMV_REPLY_REMOVED };
    const struct cemv_output *out = &kernel.out;
    struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = { body, 0 } };
    if (out->step == CEMV_STEP_WORK) reply.kind = CEMV_REPLY_CONTINUE, reply.bytes.data = NULL;
    else if (once_in(60)) reply.kind = faults[below(4)];
    else {
        const uint8_t ins = out->command[1];
        size_t size = ins == 0xA8 ? random_gpo(body, said, signs) : ins == 0xB2 ? random_record(body, said) : below(2);
        const uint16_t word = random_status(ins != 0xA8 && ins != 0xB2);
        body[size++] = (uint8_t)(word >> 8);
        body[size++] = (uint8_t)word;
        reply.bytes.size = once_in(120) ? 1 : size;
    }
    kernel.out.ui_count = 0;
    (void)cemv_kernel_3.reply(&kernel, &reply);
}

static void present(bool again)
{
    const bool signs = !fault(4);
    struct said said = { .pan = { 0x41, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11 },
                         .counter = { 0, (uint8_t)below(3) } };
    if (fault(12)) memcpy(said.pan, "\x54\x13\x33\0\x89\2\0\x11", 8);
    random_presentment(again);
    said.type = (uint8_t)(calm ? K3_TC : below(8) ? 1 + below(2) : below(4));
    said.format = (said.type == K3_TC && (kernel.indicators.ttq[1] & 0x80) == 0) != fault(16) ? 0x05 : 0x95;
    (void)cemv_kernel_3.start(&kernel);
    note_step();
    unsigned steps = 0;
    for (; !kernel.out.finished && steps < MOST_STEPS; steps++) {
        reply_once(&said, signs);
        note_step();
    }
    holds(kernel.out.finished, "a presentment ends");
    note_end();
}

uint64_t random_kernel_3(size_t part, const char **violated)
{
    state = 0x93E5E + part, sum = SUM_EMPTY, violation = NULL;
    memset(&kernel, 0, sizeof kernel);
    for (unsigned i = 0; i < 200 && !violation; i++) {
        calm = once_in(3);
        random_reader();
        present(false);
        for (unsigned more = once_in(4) ? below(3) : 0; more && !violation; more--) present(true);
    }
    *violated = violation;
    return violation ? 0 : sum | 1;
}
