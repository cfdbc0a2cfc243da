/* SPDX-License-Identifier: Apache-2.0 */
/* Cursors over data objects and data object lists, built on the contracts of tags and lengths: nothing outside the
 * bytes is read whatever their size, found objects lie in them in order, each step advances, an error stays.
 * proves: object_read cemv_tlv_next_other cemv_dol_next */
#include "headers.h"

/*@ requires \valid(at) && \valid(object) && readable(*at, end);
    requires \separated(at, object, *at + (0 .. end - *at - 1));
    assigns *at \from *at, (*at)[..]; assigns *object;
    ensures readable(*at, end) && \base_addr(*at) == \base_addr(\old(*at));
    ensures \result != CEMV_WIRE_OK ==> \old(*at) <= *at <= end;
    ensures \result == CEMV_WIRE_OK ==> \old(*at) + 2 <= *at <= end;
    ensures \result == CEMV_WIRE_OK ==> object->whole.data == \old(*at)
        && object->whole.data + object->whole.size == *at;
    ensures \result == CEMV_WIRE_OK ==> \old(*at) + 2 <= object->value.data <= \old(*at) + 9;
    ensures \result == CEMV_WIRE_OK ==> object->value.data + object->value.size == *at;
*/
static enum cemv_wire_error object_read(const uint8_t **at, const uint8_t *end, struct cemv_tlv *object);

/*@ requires \valid(cursor) && \valid(object) && readable(cursor->at, cursor->end);
    requires \separated(cursor, object, cursor->at + (0 .. cursor->end - cursor->at - 1));
    assigns *cursor, *object;
    ensures \result ==> \old(cursor->error) == CEMV_WIRE_OK && cursor->error == CEMV_WIRE_OK
        && cursor->end == \old(cursor->end);
    ensures \result ==> \old(cursor->at) <= object->whole.data && object->whole.data + 2 <= object->value.data;
    ensures \result ==> object->whole.data + object->whole.size == cursor->at
        && object->value.data + object->value.size == cursor->at;
    ensures \old(cursor->at) <= cursor->at <= \old(cursor->end);
    ensures \result ==> \old(cursor->at) + 2 <= cursor->at;
    ensures !\result && \old(cursor->error) == CEMV_WIRE_OK ==> cursor->at == cursor->end;
    ensures \old(cursor->error) != CEMV_WIRE_OK ==> !\result && cursor->error == \old(cursor->error);
*/
bool cemv_tlv_next_other(struct cemv_tlv_cursor *cursor, struct cemv_tlv *object);

/*@ requires \valid(cursor) && \valid(entry) && readable(cursor->at, cursor->end);
    requires \separated(cursor, entry, cursor->at + (0 .. cursor->end - cursor->at - 1));
    assigns *cursor, *entry;
    ensures cursor->end == \old(cursor->end) && \old(cursor->at) <= cursor->at <= cursor->end;
    ensures \result ==> \old(cursor->error) == CEMV_WIRE_OK && cursor->error == CEMV_WIRE_OK;
    ensures \result ==> \old(cursor->at) + 2 <= cursor->at <= \old(cursor->at) + 5 && entry->length == cursor->at[-1];
    ensures !\result && \old(cursor->error) == CEMV_WIRE_OK
        && cursor->error == CEMV_WIRE_OK ==> \old(cursor->at) == cursor->end;
    ensures \old(cursor->error) != CEMV_WIRE_OK ==> !\result && cursor->error == \old(cursor->error)
        && cursor->at == \old(cursor->at);
*/
bool cemv_dol_next(struct cemv_dol_cursor *cursor, struct cemv_dol_entry *entry);

#include "../../Sources/CEMV/wire/tlv.c"
#include "../../Sources/CEMV/wire/dol.c"
