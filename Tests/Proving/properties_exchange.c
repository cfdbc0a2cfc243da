/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the exchange module: issuer scripts in every order of templates, requested by one tag or by both. */
#include <string.h>

#include "CEMVInternals.h"
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
            struct cemv_scripts scripts = { .at = begin, .end = (uint16_t)at };
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

/* A command of three bytes, and what cannot be read behind a good one. */
static void scripts_that_break(void)
{
    static const uint8_t broken[2][13] = { { 0x71, 5, 0x86, 3, 0x84, 0xDA, 0 },
                                           { 0x71, 11, 0x86, 5, 0x84, 0xDA, 0, 0, 0, 0x86, 9, 0, 0 } };
    for (unsigned i = 0; i < 2; i++) {
        struct cemv_scripts scripts = { .at = 7, .end = (uint16_t)(7 + 2 + broken[i][1]) };
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

void properties_of_exchange(void)
{
    PART(scripts_by_tag);
    PART(scripts_that_break);
}
