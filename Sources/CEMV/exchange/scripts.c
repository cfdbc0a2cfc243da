/* SPDX-License-Identifier: Apache-2.0 */
/* Issuer scripts: templates 71 and 72 of the issuer's answer as a sequence of commands (Book 3, 10.10). Each template
 * has an optional identifier, 9F18, and commands, tag 86, which are complete APDUs. This file sends nothing; the kernel
 * decides about the card's answers. */
#include "exchange.h"

enum {
    /* The result of a script has four bits for the number of a command; 15 means "15 or later" (Book 4, A5). */
    COMMAND_NUMBER_MAX = 15,
    IDENTIFIER_SIZE = 4, /* 9F18 */
};

/* Positions instead of pointers: a session can be moved in memory between two commands of a script, and with it the
 * store whose arena holds the issuer's answer. */
bool cemv_scripts_next(struct cemv_scripts *scripts, const struct cemv_store *store, uint32_t tag)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(cemv_span_bytes(store, scripts->left));
    struct cemv_tlv object;
    while (cemv_tlv_next(&cursor, &object)) {
        const bool script = object.tag == CEMV_TAG_71_ISSUER_SCRIPT_TEMPLATE_1 ||
                            object.tag == CEMV_TAG_72_ISSUER_SCRIPT_TEMPLATE_2;
        scripts->left = cemv_span_left(store, &cursor);
        if (!script || (tag != 0 && object.tag != tag) || object.value.size == 0) continue;
        scripts->script = cemv_span_of(store, object.value);
        scripts->command_number = 0;
        return true;
    }
    return false;
}

/* Objects other than commands and the identifier are skipped. At the end, the cursor's error distinguishes a script
 * that ended properly from one that was cut off. */
enum cemv_script cemv_script_next(struct cemv_scripts *scripts, const struct cemv_store *store,
                                  struct cemv_command *command, cemv_bytes *identifier)
{
    struct cemv_tlv_cursor cursor = cemv_tlv_open(cemv_span_bytes(store, scripts->script));
    struct cemv_tlv object;
    while (cemv_tlv_next(&cursor, &object)) {
        scripts->script = cemv_span_left(store, &cursor);
        if (object.tag == CEMV_TAG_9F18_ISSUER_SCRIPT_IDENTIFIER && object.value.size == IDENTIFIER_SIZE)
            *identifier = object.value;
        if (object.tag != CEMV_TAG_86_ISSUER_SCRIPT_COMMAND) continue;
        if (scripts->command_number < COMMAND_NUMBER_MAX) scripts->command_number++;
        return cemv_command_decode(object.value, command) ? CEMV_SCRIPT_COMMAND : CEMV_SCRIPT_MALFORMED;
    }
    return cursor.error == CEMV_WIRE_OK ? CEMV_SCRIPT_END : CEMV_SCRIPT_MALFORMED;
}

/* Runs a copy through the whole script before the first command is sent. A script that fails in the middle may leave
 * the card in a state that the issuer did not intend. */
bool cemv_script_is_whole(struct cemv_scripts ahead, const struct cemv_store *store, cemv_bytes *identifier)
{
    struct cemv_command command;
    enum cemv_script next;
    *identifier = (cemv_bytes){ NULL, 0 };
    do next = cemv_script_next(&ahead, store, &command, identifier);
    while (next == CEMV_SCRIPT_COMMAND);
    return next == CEMV_SCRIPT_END;
}
