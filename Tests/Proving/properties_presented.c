/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of a card's public data (cemv_session.h, struct cemv_presented): the names of its directory, the objects
 * of its FCI, the country of a record; nothing that identifies an account. */
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"

static struct cemv_presented presented;
static struct cemv_session *session;
static struct cemv_combination row;
static struct cemv_configuration configuration;
static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_SESSION_SIZE], checked_memory[4096];

static void begin(bool keeps)
{
    static const struct cemv_kernel_row kernel = { { 3 }, 1, &cemv_kernel_3, NULL };
    const struct cemv_transaction transaction = { .amount = 1000,
                                                  .currency = 0x0978,
                                                  .exponent = 2,
                                                  .date = { 0x26, 0x11, 0x21 },
                                                  .presented = keeps ? &presented : NULL };
    struct cemv_config_error error;
    const struct cemv_checked *checked;
    presented = cemv_presented_none();
    row = (struct cemv_combination){
        .aid = BYTES("\xA0\0\0\0\3\x10\x10"), .kernel_id = { 3 }, .kernel_id_size = 1, .ttq = BYTES("\x36\0\xC0\x80")
    };
    configuration = (struct cemv_configuration){ .combinations = &row,
                                                 .combination_count = 1,
                                                 .kernels = &kernel,
                                                 .kernel_count = 1,
                                                 .terminal_data = BYTES("\x9F\x1A\2\2\x76") };
    property(cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) ==
                 CEMV_OK,
             "a good configuration", error.field);
    property(cemv_session_begin(memory, sizeof memory, checked, &transaction, BYTES("0123456789ABCDEF"), &session,
                                &error) == CEMV_OK,
             "a transaction begins", error.field);
}

static enum cemv_step say(uint8_t kind, cemv_bytes bytes)
{
    const struct cemv_reply reply = { .kind = kind, .bytes = bytes };
    return cemv_session_reply(session, &reply);
}

static bool has_names(cemv_bytes names)
{
    return cemv_bytes_equal(of(presented.names, presented.names_size), names) ||
           (names.size == 0 && presented.names_size == 0);
}
static bool has_objects(cemv_bytes objects)
{
    return cemv_bytes_equal(of(presented.objects, presented.objects_size), objects) ||
           (objects.size == 0 && presented.objects_size == 0);
}

/* Visa, an empty name, another name. */
#define PPSE                                                                                                           \
    BYTES("\x6F\x33\x84\x0E"                                                                                           \
          "2PAY.SYS.DDF01\xA5\x21\xBF\x0C\x1E\x61\x0C\x4F\7\xA0\0\0\0\3\x10\x10\x87\1\1"                               \
          "\x61\2\x4F\0\x50\1A\x61\7\x4F\5\xF0\0\0\0\1\x90\0")
#define NAMES BYTES("\7\xA0\0\0\0\3\x10\x10\5\xF0\0\0\0\1")
#define FCI                                                                                                            \
    BYTES("\x6F\x23\x84\7\xA0\0\0\0\3\x10\x10\xA5\x18\x50\4VISA\x9F\x38\6\x9F\x66\4\x9F\x37\4\x5F\x2D\2en"             \
          "\x9F\x5A\1\1\x90\0")
#define OBJECTS BYTES("\x50\4VISA\x5F\x2D\2en")
#define GPO                                                                                                            \
    BYTES("\x77\x31\x82\2\x20\0\x9F\x27\1\x80\x9F\x10\7\6\1\x0A\3\xA0\0\0\x94\4\x08\1\1\0\x9F\x36\2\0\x15"             \
          "\x9F\x26\x08\xB2\xEC\x18\x04\x14\xDF\xA5\x1A\x5F\x34\1\1\x9F\x6C\2\0\0\x90\0")
#define RECORD BYTES("\x70\x18\x57\x11\x47\x61\x73\x90\1\1\1\x19\xD3\1\x22\1\0\0\1\x23\x45\x5F\x28\2\2\x76\x90\0")

static void what_is_kept(void)
{
    begin(false);
    (void)say(CEMV_REPLY_CARD, BYTES("")), (void)say(CEMV_REPLY_RESPONSE, PPSE), (void)say(CEMV_REPLY_RESPONSE, FCI);
    property(has_names(BYTES("")) && has_objects(BYTES("")), "nothing where the transaction does not want it", 0);
    begin(true);
    (void)say(CEMV_REPLY_CARD, BYTES(""));
    property(has_names(BYTES("")) && has_objects(BYTES("")), "nothing before the card has answered", 0);
    (void)say(CEMV_REPLY_RESPONSE, PPSE);
    property(has_names(NAMES) && has_objects(BYTES("")), "the names of the directory, in its order", 0);
    (void)say(CEMV_REPLY_RESPONSE, FCI);
    property(has_names(NAMES) && has_objects(OBJECTS), "the objects of the FCI", 0);
    property(say(CEMV_REPLY_RESPONSE, GPO) == CEMV_STEP_SEND, "a record is read", 0);
    property(has_objects(OBJECTS), "the answer to GET PROCESSING OPTIONS has no country", 0);
    (void)say(CEMV_REPLY_RESPONSE, RECORD);
    property(has_objects(BYTES("\x50\4VISA\x5F\x2D\2en\x5F\x28\2\2\x76")), "the country of a record", 0);
    (void)say(CEMV_REPLY_ABANDON, BYTES(""));
    cemv_session_wipe(session);
    property(has_names(NAMES) && presented.objects_size != 0, "it outlives the session", 0);
}

static void what_empties_it(void)
{
    begin(true);
    (void)say(CEMV_REPLY_CARD, BYTES("")), (void)say(CEMV_REPLY_RESPONSE, PPSE), (void)say(CEMV_REPLY_RESPONSE, FCI);
    (void)say(CEMV_REPLY_TIMEOUT, BYTES(""));
    property(has_names(NAMES), "it stays when the card goes", 0);
    (void)say(CEMV_REPLY_CARD, BYTES(""));
    property(has_names(BYTES("")) && has_objects(BYTES("")), "another presentment empties it", 0);
    (void)say(CEMV_REPLY_RESPONSE, BYTES("\x6A\x82"));
    property(has_names(BYTES("")), "no directory, no names", 0);
    /* No application in common: only the names are known. */
    begin(true);
    (void)say(CEMV_REPLY_CARD, BYTES(""));
    (void)say(CEMV_REPLY_RESPONSE, BYTES("\x6F\x1E\x84\x0E"
                                         "2PAY.SYS.DDF01\xA5\x0C\xBF\x0C\x09\x61\7\x4F\5\xF0\0\0\0\1\x90\0"));
    property(cemv_session_outcome(session).reason == CEMV_REASON_NO_COMMON_APPLICATION &&
                 has_names(BYTES("\5\xF0\0\0\0\1")) && has_objects(BYTES("")),
             "names of which none is ours", 0);
}

/* A directory that a card returns after SEND POI INFORMATION replaces the first one, with names or without (Book B,
 * C.1.4); a name of more than sixteen bytes is ignored. */
static void a_second_directory_replaces_the_first(void)
{
    static const char asking[] =
        "\x6F\x29\x84\x0E"
        "2PAY.SYS.DDF01\xA5\x17\xBF\x0C\x14\x9F\x3F\3\x9F\x1A\2\x61\x0C\x4F\7\xA0\0\0\0\3\x10\x10"
        "\x87\1\1\x90\0";
    static const char with[] = "\x6F\x1E\x84\x0E"
                               "2PAY.SYS.DDF01\xA5\x0C\xBF\x0C\x09\x61\7\x4F\5\xF0\0\0\0\2\x90\0";
    static const char without[] = "\x6F\x15\x84\x0E"
                                  "2PAY.SYS.DDF01\xA5\3\xBF\x0C\0\x90\0";
    for (unsigned names = 0; names < 2; names++) {
        begin(true);
        (void)say(CEMV_REPLY_CARD, BYTES(""));
        property(say(CEMV_REPLY_RESPONSE, BYTES(asking)) == CEMV_STEP_SEND && session->kernel.out.state == E_WAIT_SPI,
                 "the card asks for data of the terminal", names);
        property(has_names(BYTES("\7\xA0\0\0\0\3\x10\x10")), "the first directory", names);
        (void)say(CEMV_REPLY_RESPONSE, names ? BYTES(with) : BYTES(without));
        property(has_names(names ? BYTES("\5\xF0\0\0\0\2") : BYTES("")), "the second alone", names);
    }
    for (uint8_t size = 15; size < 19; size++) {
        uint8_t answer[64] = "\x6F\0\x84\x0E"
                             "2PAY.SYS.DDF01\xA5\0\xBF\x0C\0\x61\0\x4F";
        memset(answer + 27, 0xF0, size);
        answer[1] = (uint8_t)(25 + size);
        answer[19] = (uint8_t)(7 + size);
        answer[22] = (uint8_t)(4 + size);
        answer[24] = (uint8_t)(2 + size);
        answer[26] = size;
        memcpy(answer + 27 + size, "\x90\0", 2);
        begin(true);
        (void)say(CEMV_REPLY_CARD, BYTES(""));
        (void)say(CEMV_REPLY_RESPONSE, of(answer, 29u + size));
        property(presented.names_size == (size <= 16 ? size + 1 : 0), "up to sixteen bytes", size);
    }
}

/* After Select Next the objects are those of the application that was selected last. */
static void another_application_has_its_own_objects(void)
{
    static const char two[] = "\x6F\x2E\x84\x0E"
                              "2PAY.SYS.DDF01\xA5\x1C\xBF\x0C\x19\x61\x0C\x4F\7\xA0\0\0\0\3\x10\x10\x87\1\1"
                              "\x61\x09\x4F\7\xA0\0\0\0\3\x20\x10\x90\0";
    static const char next[] = "\x6F\x17\x84\7\xA0\0\0\0\3\x20\x10\xA5\x0C\x50\1E\x9F\x38\6\x9F\x66\4\x9F\x37\4\x90\0";
    static struct cemv_combination both[2];
    begin(true);
    both[0] = both[1] = row;
    both[1].aid = BYTES("\xA0\0\0\0\3\x20\x10");
    configuration.combinations = both;
    configuration.combination_count = 2;
    struct cemv_config_error error;
    const struct cemv_checked *checked;
    const struct cemv_transaction transaction = {
        .amount = 1000, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 }, .presented = &presented
    };
    property(cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) ==
                 CEMV_OK,
             "two applications", error.field);
    property(cemv_session_begin(memory, sizeof memory, checked, &transaction, BYTES("0123456789ABCDEF"), &session,
                                &error) == CEMV_OK,
             "a transaction begins", error.field);
    (void)say(CEMV_REPLY_CARD, BYTES(""));
    (void)say(CEMV_REPLY_RESPONSE, BYTES(two));
    (void)say(CEMV_REPLY_RESPONSE, FCI);
    property(has_objects(OBJECTS), "the objects of the first", 0);
    property(say(CEMV_REPLY_RESPONSE, BYTES("\x69\x85")) == CEMV_STEP_SEND, "it sends the terminal on", 0);
    (void)say(CEMV_REPLY_RESPONSE, BYTES(next));
    property(has_objects(BYTES("\x50\1E")), "and those of the second alone", 0);
}

/* A copy keeps its own data. The session has no pointer into itself, so a copy of the memory is a complete session. */
static void of_copies(void)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t copied[CEMV_SESSION_SIZE];
    begin(true);
    (void)say(CEMV_REPLY_CARD, BYTES("")), (void)say(CEMV_REPLY_RESPONSE, PPSE);
    memcpy(copied, memory, sizeof copied);
    struct cemv_session *const copy = (struct cemv_session *)(void *)(copied + ((uint8_t *)session - memory));
    struct cemv_presented other = presented;
    cemv_session_set_presented(copy, &other);
    const struct cemv_reply fci = { .kind = CEMV_REPLY_RESPONSE, .bytes = FCI };
    (void)cemv_session_reply(copy, &fci);
    property(has_objects(BYTES("")) && other.objects_size == OBJECTS.size, "a copy keeps what its own card presents",
             0);
    cemv_session_set_presented(session, NULL);
    (void)say(CEMV_REPLY_RESPONSE, FCI);
    property(has_objects(BYTES("")), "nothing where nothing is to be kept any more", 0);
}

/* An entry without a name, one with an invalid name, and a valid one. */
static void names_that_are_none(void)
{
    const struct cemv_directory directory = {
        .entries = BYTES("\x61\3\x50\1A\x61\x13\x4F\x11\xF0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\x61\7\x4F\5\xF0\0\0\0\2")
    };
    presented = cemv_presented_none();
    cemv_presenting.directory(&directory, &presented);
    property(has_names(BYTES("\5\xF0\0\0\0\2")), "a name has up to 16 bytes", presented.names_size);
}

/* A country from the FCI is kept; a country from a record must have two bytes. */
static void countries(void)
{
    static struct cemv_kernel kernel;
    kernel.transaction.presented = &presented;
    presented = cemv_presented_none();
    cemv_store_clear(&kernel.store, &no_tags, CEMV_READING_ANY_LENGTH);
    (void)cemv_store_put(&kernel.store, CEMV_SLOT_5F28, BYTES("\2\x76\0"), CEMV_FROM_CARD);
    cemv_presenting.read(&kernel);
    property(has_objects(BYTES("")), "a country of three bytes is none", 0);
    (void)cemv_store_put(&kernel.store, CEMV_SLOT_5F28, BYTES("\2\x76"), CEMV_FROM_CARD);
    cemv_presenting.read(&kernel);
    property(has_objects(BYTES("\x5F\x28\2\2\x76")), "the country of a record", 1);
    (void)cemv_store_put(&kernel.store, CEMV_SLOT_5F28, BYTES("\x08\x40"), CEMV_FROM_CARD);
    cemv_presenting.read(&kernel);
    property(has_objects(BYTES("\x5F\x28\2\2\x76")), "the first one stays", 2);
}

/* Too many names: those that fit are kept; values longer than the dictionary allows are left out. */
static void what_does_not_fit(void)
{
    static struct cemv_kernel kernel;
    kernel.transaction.presented = &presented;
    uint8_t bytes[40 * 10];
    for (unsigned i = 0; i < 40; i++)
        memcpy(bytes + 10 * i, "\x61\x08\x4F\6\xF0\0\0\0\1", 9), bytes[10 * i + 9] = (uint8_t)i;
    const struct cemv_directory directory = { .entries = { bytes, sizeof bytes } };
    presented = cemv_presented_none();
    cemv_presenting.directory(&directory, &presented);
    property(presented.names_size == CEMV_OFFERED_CAPACITY / 7 * 7, "as many names as fit, whole ones",
             presented.names_size);
    uint8_t fci[] = { 0x6F, 0x81, 92,   0x50, 17,  'a', 'a',  'a',  'a',  'a',  'a',  'a', 'a',  'a',  'a',  'a',
                      'a',  'a',  'a',  'a',  'a', 'a', 0x9F, 0x12, 16,   'b',  'b',  'b', 'b',  'b',  'b',  'b',
                      'b',  'b',  'b',  'b',  'b', 'b', 'b',  'b',  'b',  0x9F, 0x11, 1,   1,    0x5F, 0x2D, 8,
                      'd',  'e',  'd',  'e',  'd', 'e', 'd',  'e',  0x5F, 0x28, 2,    2,   0x76, 0x5F, 0x55, 2,
                      'D',  'E',  0x5F, 0x56, 3,   'D', 'E',  'U',  0x5A, 8,    1,    2,   3,    4,    5,    6,
                      7,    8,    0x57, 8,    1,   2,   3,    4,    5,    6,    7,    8,   0x42, 0 };
    fci[2] = sizeof fci - 3;
    memcpy(kernel.store.arena, fci, sizeof fci);
    kernel.fci.size = sizeof fci;
    cemv_presenting.select(&kernel);
    struct cemv_tlv object;
    const cemv_bytes objects = of(presented.objects, presented.objects_size);
    property(!cemv_tlv_find(objects, 0x50, &object), "a label that is too long is left out", 0);
    property(cemv_tlv_find(objects, 0x9F12, &object) && cemv_tlv_find(objects, 0x5F56, &object), "the others are there",
             0);
    property(!cemv_tlv_find(objects, 0x5A, &object) && !cemv_tlv_find(objects, 0x57, &object), "and no account", 0);
    fci[4] = 16, fci[2]--;
    memmove(fci + 5, fci + 6, sizeof fci - 6);
    memcpy(kernel.store.arena, fci, sizeof fci - 1);
    kernel.fci.size = sizeof fci - 1;
    cemv_presenting.select(&kernel);
    property(presented.objects_size == CEMV_PRESENTED_CAPACITY, "the longest of all fill it", presented.objects_size);
}

/* Lengths of Book 3, A1: a longer object is not kept, but the objects around it are. */
static void only_lengths_of_the_dictionary_are_kept(void)
{
    static const struct {
        uint16_t tag;
        uint8_t longest;
    } objects[] = { { 0x50, 16 },  { 0x9F11, 1 }, { 0x9F12, 16 }, { 0x5F2D, 8 },
                    { 0x5F28, 2 }, { 0x5F55, 2 }, { 0x5F56, 3 } };
    for (unsigned i = 0; i < sizeof objects / sizeof objects[0]; i++)
        for (uint8_t size = objects[i].longest; size <= objects[i].longest + 1u; size++) {
            uint8_t answer[80] = "\x6F\0\x84\7\xA0\0\0\0\3\x10\x10\xA5\0\x9F\x38\6\x9F\x66\4\x9F\x37\4\xBF\x0C\0";
            const size_t head = 25;
            size_t end = head + cemv_tag_write(answer + head, objects[i].tag);
            answer[end++] = size;
            memset(answer + end, 'A', size);
            end += size;
            answer[1] = (uint8_t)(end - 2);
            answer[12] = (uint8_t)(end - 13);
            answer[24] = (uint8_t)(end - head);
            memcpy(answer + end, "\x90\0", 2);
            begin(true);
            (void)say(CEMV_REPLY_CARD, BYTES(""));
            (void)say(CEMV_REPLY_RESPONSE, PPSE);
            (void)say(CEMV_REPLY_RESPONSE, of(answer, end + 2));
            const bool fits = size == objects[i].longest;
            property(presented.objects_size == (fits ? end - head : 0), "up to its length", i << 8 | size);
        }
}

void properties_of_presented(void)
{
    what_is_kept();
    what_empties_it();
    of_copies();
    what_does_not_fit();
    names_that_are_none();
    countries();
    PART(a_second_directory_replaces_the_first);
    PART(another_application_has_its_own_objects);
    PART(only_lengths_of_the_dictionary_are_kept);
}
