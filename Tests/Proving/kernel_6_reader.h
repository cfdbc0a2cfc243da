/* SPDX-License-Identifier: Apache-2.0 */
/* A reader for one application of Kernel 6, and the card for the tests; each file that includes this has a separate
 * reader. */
#ifndef KERNEL_6_READER_H
#define KERNEL_6_READER_H

#include <string.h>

#include "CEMVInternals.h"
#include "../../Sources/CEMV/include/cemv_kernel_6.h"
#include "bytes.h"
#include "properties.h"

static const uint8_t terminal[] = { 0x9F, 0x09, 2,    0,    1,   0x9F, 0x1A, 2,   0x02, 0x76, 0x9F,
                                    0x1E, 8,    '1',  '2',  '3', '4',  '5',  '6', '7',  '8',  0x9F,
                                    0x33, 3,    0xE0, 0xB8, 8,   0x9F, 0x35, 1,   0x22 };
static struct cemv_kernel_6_options options;
static struct cemv_combination row;
static struct cemv_configuration configuration;
static struct cemv_transaction sale;
static struct cemv_session *session;
static uint8_t ttq[4];
static _Alignas(CEMV_ALIGNMENT) uint8_t room[CEMV_SESSION_SIZE], checked_room[16384];

static const char directory[] = "\x6F\x20\x84\x0E"
                                "2PAY.SYS.DDF01\xA5\x0E\xBF\x0C\x0B\x61\x09\x4F\7\xA0\0\0\1\x52\x30\x10\x90\0";

#define TRACK_2_OF_LAWS "\x60\x11\0\x09\x90\x13\x94\x24\xD3\x01\x22\1\0\0\x01\x23"

static cemv_bytes entries;

static inline void open_reader(uint8_t profile)
{
    entries = BYTES(directory);
    static const struct cemv_kernel_row kernels[] = { { { 6 }, 1, &cemv_kernel_6, NULL } };
    memcpy(ttq, "\x36\0\x40\0", sizeof ttq);
    options = (struct cemv_kernel_6_options){ .mode = CEMV_KERNEL_6_MODE_AUTO };
    row = (struct cemv_combination){
        .aid = BYTES("\xA0\0\0\1\x52\x30\x10"),
        .kernel_id = { 6 },
        .kernel_id_size = 1,
        .transaction_types = BYTES("\0\x20"),
        .ttq = { ttq, sizeof ttq },
        .limits = { .amount = { [CEMV_LIMIT_FLOOR] = 5000, [CEMV_LIMIT_CVM_REQUIRED] = 10000 },
                    .present = 1 << CEMV_LIMIT_FLOOR | 1 << CEMV_LIMIT_CVM_REQUIRED },
        .options = &options
    };
    configuration = (struct cemv_configuration){ .terminal_data = { terminal, sizeof terminal },
                                                 .combinations = &row,
                                                 .combination_count = 1,
                                                 .kernels = kernels,
                                                 .kernel_count = 1,
                                                 .protection = { .profile = profile } };
    sale = (struct cemv_transaction){ .amount = 1000, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 } };
}

static inline enum cemv_step say(uint8_t kind, cemv_bytes bytes)
{
    const struct cemv_reply reply = { .kind = kind, .bytes = bytes };
    return cemv_session_reply(session, &reply);
}
static inline enum cemv_step answer(cemv_bytes bytes) { return say(CEMV_REPLY_RESPONSE, bytes); }

static const char emv_fci[] = "\x6F\x2E\x84\7\xA0\0\0\1\x52\x30\x10\xA5\x23\x50\5D-PAS\x9F\x38\x16"
                              "\x9F\x66\4\x9F\2\6\x9F\3\6\x9F\x1A\2\x5F\x2A\2\x9A\3\x9C\1\x9F\x37\4\x5F\x2D\0\x90\0";

/* An ARQC with record 1 of file 1. */
static const char arqc_with_records[] =
    "\x77\x27\x82\2\x19\0\x9F\x36\2\0\1\x9F\x26\10\1\2\3\4\5\6\7\10\x9F\x27\1\x80\x9F\x10\1\1"
    "\x9F\x71\2\0\0\x94\4\x08\1\1\0\x90\0";

/* Runs up to the activation, whose number is `random`. */
static inline void select_card(cemv_bytes random, cemv_bytes fci)
{
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    property(cemv_configuration_check(&configuration, checked_room, sizeof checked_room, &checked, &error) == CEMV_OK,
             "a configuration", error.tag);
    property(cemv_session_begin(room, sizeof room, checked, &sale, random, &session, &error) == CEMV_OK, "a sale",
             error.field);
    say(CEMV_REPLY_CARD, of(NULL, 0));
    answer(entries);
    answer(fci);
}

/* An ARQC without records: CPR, byte 1 of the CVR, then the objects of `more`. */
static inline enum cemv_step answer_arqc(const char cpr[2], uint8_t type, cemv_bytes more)
{
    static const char head[] =
        "\x82\2\x19\0\x9F\x36\2\0\1\x9F\x26\10\1\2\3\4\5\6\7\10\x9F\x27\1\x80\x57\x10\x60\x11\0\x09"
        "\x90\x13\x94\x24\xD3\x01\x22\1\0\0\x01\x23\x5F\x34\1\1\x9F\7\2\xFF\xC0\x5F\x28\2\2\x76"
        "\x5F\x25\3\x20\1\1\x9F\x08\2\0\1\x9F\x10\5\1\x15";
    uint8_t body[200] = { 0x77 };
    size_t size = 2;
    memcpy(body + size, head, sizeof head - 1);
    size += sizeof head - 1;
    body[size++] = type;
    body[size++] = 2;
    body[size++] = 0;
    memcpy(body + size, "\x9F\x71\2", 3);
    memcpy(body + size + 3, cpr, 2);
    size += 5;
    memcpy(body + size, more.data ? more.data : body, more.size);
    size += more.size;
    body[1] = (uint8_t)(size - 2);
    memcpy(body + size, "\x90\0", 2);
    size += 2;
    return answer(of(body, size));
}

static inline struct cemv_outcome outcome_of_arqc(const char cpr[2], uint8_t type, cemv_bytes more)
{
    select_card(BYTES("\1\2\3\4"), BYTES(emv_fci));
    answer_arqc(cpr, type, more);
    return cemv_session_outcome(session);
}

static inline bool found(struct cemv_outcome outcome, unsigned finding) { return outcome.findings == 1u << finding; }

static inline bool says(struct cemv_outcome outcome, unsigned status, unsigned reason, unsigned l2,
                        unsigned status_word)
{
    return outcome.status == status && outcome.reason == reason && outcome.error_indication[0] == 0 &&
           outcome.error_indication[1] == l2 && cemv_be16(outcome.error_indication + 3) == status_word;
}

static inline bool record_is(uint32_t tag, cemv_bytes value)
{
    struct cemv_tlv object;
    return cemv_tlv_find(cemv_session_data_record(session), tag, &object) && cemv_bytes_equal(object.value, value);
}

#endif
