/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the exchange module: issuer scripts in every order of templates, requested by one tag or by both; the
 * lists of data exchange; the data that recover a cryptogram. */
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"

static struct cemv_store store;

/* A script of `count` commands, numbered in their P2, with an identifier before the second; its size. */
static size_t put_script(uint8_t *out, uint8_t tag, uint8_t number, unsigned count)
{
    size_t at = 2;
    for (unsigned i = 0; i < count; i++) {
        const uint8_t identifier[7] = { 0x9F, 0x18, 4, 0, 0, 0, number };
        const uint8_t command[7] = { 0x86, 5, 0x84, 0xDA, number, (uint8_t)i, 0 };
        if (i == 1) {
            memcpy(out + at, identifier, sizeof identifier);
            at += sizeof identifier;
        }
        memcpy(out + at, command, sizeof command);
        at += sizeof command;
    }
    out[0] = tag;
    out[1] = (uint8_t)(at - 2);
    return at;
}

static void commands_of(struct cemv_scripts *scripts, uint8_t number, unsigned count, unsigned round)
{
    struct cemv_command command;
    for (unsigned i = 0; i < count; i++) {
        cemv_bytes identifier = { NULL, 0 };
        property(cemv_script_next(scripts, &store, &command, &identifier) == CEMV_SCRIPT_COMMAND &&
                     command.p1 == number && command.p2 == i && scripts->command_number == (i < 15 ? i + 1 : 15),
                 "a command of a script", round);
        property((identifier.size != 0) == (i == 1) && (i != 1 || identifier.data[3] == number), "its identifier",
                 round);
    }
    cemv_bytes identifier = { NULL, 0 };
    property(cemv_script_next(scripts, &store, &command, &identifier) == CEMV_SCRIPT_END, "the end of a script", round);
}

static void scripts_by_tag(void)
{
    static const uint32_t tags[] = { 0, CEMV_TAG_71_ISSUER_SCRIPT_TEMPLATE_1, CEMV_TAG_72_ISSUER_SCRIPT_TEMPLATE_2 };
    for (unsigned round = 0; round < 3000; round++) {
        const unsigned count = any(6);
        uint8_t tag[6], commands[6];
        const uint16_t begin = (uint16_t)any(100);
        size_t at = begin;
        for (uint8_t i = 0; i < count; i++) {
            tag[i] = (uint8_t)(any(4) ? 0x71 + any(2) : 0x91);
            commands[i] = (uint8_t)any(any(8) ? 4 : 17);
            at += put_script(store.arena + at, tag[i], i, commands[i]);
        }
        for (size_t which = 0; which < 3; which++) {
            struct cemv_scripts scripts = { .left = { begin, (uint16_t)(at - begin) } };
            for (uint8_t i = 0; i < count; i++) {
                if (tag[i] == 0x91 || commands[i] == 0 || (tags[which] != 0 && tag[i] != tags[which])) continue;
                property(cemv_scripts_next(&scripts, &store, tags[which]), "the next script", round);
                cemv_bytes identifier;
                property(cemv_script_is_whole(scripts, &store, &identifier), "it is whole", round);
                commands_of(&scripts, i, commands[i], round);
            }
            property(!cemv_scripts_next(&scripts, &store, tags[which]), "no further script", round);
        }
    }
}

/* A command of three bytes, and unreadable data after a good one. */
static void scripts_that_break(void)
{
    static const uint8_t broken[2][13] = { { 0x71, 5, 0x86, 3, 0x84, 0xDA, 0 },
                                           { 0x71, 11, 0x86, 5, 0x84, 0xDA, 0, 0, 0, 0x86, 9, 0, 0 } };
    for (unsigned i = 0; i < 2; i++) {
        struct cemv_scripts scripts = { .left = { 7, (uint16_t)(2 + broken[i][1]) } };
        struct cemv_command command;
        cemv_bytes identifier = { NULL, 0 };
        memcpy(store.arena + 7, broken[i], sizeof broken[i]);
        property(cemv_scripts_next(&scripts, &store, 0), "a script that breaks is opened", i);
        property(!cemv_script_is_whole(scripts, &store, &identifier) && identifier.size == 0, "and not whole", i);
        if (i == 1)
            property(cemv_script_next(&scripts, &store, &command, &identifier) == CEMV_SCRIPT_COMMAND,
                     "the good command", i);
        property(cemv_script_next(&scripts, &store, &command, &identifier) == CEMV_SCRIPT_MALFORMED, "a broken script",
                 i);
    }
}

/* ---- lists of data exchange: sets in the order of first occurrence ---- */

static void lists_are_ordered_sets(void)
{
    static const uint16_t given[] = { 5, 7, 5, 9, 7, 5, 11, 9, 3 }, kept[] = { 5, 7, 9, 11, 3 };
    for (unsigned max = 0; max <= 6; max++) {
        struct cemv_exchange_list list = { .count = 0 };
        for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) cemv_exchange_add(&list, given[i], max);
        property(list.count == (max < 5 ? max : 5), "each once, as many as there is room for", max);
        for (unsigned i = 0; i < list.count; i++) property(list.slot[i] == kept[i], "in their order", max << 4 | i);
        while (list.count > 0) {
            const unsigned at = list.count / 2, before = list.count;
            const uint16_t following = at + 1 < before ? list.slot[at + 1] : 0;
            cemv_exchange_remove(&list, at);
            property(list.count == before - 1 && (at == list.count || list.slot[at] == following), "one less",
                     max << 4 | at);
        }
    }
}

/* An object without a value is answered empty, also where an earlier answer had one. */
static void an_answer_without_a_value_is_empty(void)
{
    struct cemv_exchange_answers answers;
    memset(&answers, 0xA5, sizeof answers);
    answers.count = 0;
    cemv_store_clear(&store, tags_of(2), 0);
    (void)cemv_store_put(&store, CEMV_SLOT_9F02, BYTES("\0\0\0\0\x10\0"), CEMV_FROM_TERMINAL);
    cemv_exchange_answer(&answers, &store, CEMV_SLOT_9F02, false);
    property(answers.count == 1 && answers.item[0].slot == CEMV_SLOT_9F02 && answers.item[0].size == 0, "none is given",
             0);
    cemv_exchange_answer(&answers, &store, CEMV_SLOT_9F02, true);
    property(answers.count == 1 && answers.item[0].size == 6, "one is", 0);
    cemv_exchange_answer(&answers, &store, CEMV_SLOT_9F03, true);
    property(answers.count == 2 && answers.item[1].slot == CEMV_SLOT_9F03 && answers.item[1].size == 0, "there is none",
             0);
    cemv_exchange_answer(&answers, &store, CEMV_SLOT_9F02, false);
    property(answers.count == 2 && answers.item[0].size == 0, "the last answer counts", 0);
}

/* The data that recover a cryptogram are for the kernel that stored them, and are replaced each time. */
static void a_recovery_is_its_kernels(void)
{
    static struct cemv_reader_memory reader;
    for (uint8_t kernel = 1; kernel <= 3; kernel++) {
        struct cemv_writer writer = cemv_recovery_open(&reader, kernel);
        property(cemv_recovery_of(&reader, kernel).size == 0, "nothing while it is written", kernel);
        cemv_writer_put_tlv(&writer, 0x9C, BYTES("\0"));
        cemv_recovery_close(&reader, &writer);
        for (uint8_t other = 1; other <= 3; other++)
            property(cemv_recovery_of(&reader, other).size == (other == kernel ? 3 : 0), "for its kernel alone",
                     kernel << 4 | other);
    }
    property(cemv_recovery_of(NULL, 1).size == 0, "no reader, no memory", 0);
}

void properties_of_exchange(void)
{
    PART(scripts_by_tag);
    PART(scripts_that_break);
    PART(lists_are_ordered_sets);
    PART(an_answer_without_a_value_is_empty);
    PART(a_recovery_is_its_kernels);
}
