/* SPDX-License-Identifier: Apache-2.0 */
/* Readable names of user-interface messages (Book A, Table 9-5) and of the codec's errors. Linked only if called. Knows
 * no language and no display: the texts for customers are the application's. */
#include "../include/cemv_debug.h"

const char *cemv_name_of_message(uint8_t message_id)
{
    switch (message_id) {
    case 0x03: return "Approved";
    case 0x07: return "Not authorised";
    case 0x09: return "Please enter your PIN";
    case 0x0F: return "Processing error";
    case 0x10: return "Please remove card";
    case 0x14: return "Welcome";
    case 0x15: return "Present card";
    case 0x16: return "Processing";
    case 0x17: return "Card read OK, please remove card";
    case 0x18: return "Please insert or swipe card";
    case 0x19: return "Please present one card only";
    case 0x1A: return "Approved, please sign";
    case 0x1B: return "Authorising, please wait";
    case 0x1C: return "Insert, swipe or try another card";
    case 0x1D: return "Please insert card";
    case 0x1E: return "No message";
    case 0x20: return "See phone for instructions";
    case 0x21: return "Present card again";
    case 0xFF: return "Not applicable";
    default: return "Unknown";
    }
}

const char *cemv_name_of_wire_error(enum cemv_wire_error error)
{
    switch (error) {
    case CEMV_WIRE_OK: return "No error";
    case CEMV_WIRE_TRUNCATED_TAG: return "Truncated tag";
    case CEMV_WIRE_LONG_TAG: return "Tag too long";
    case CEMV_WIRE_TRUNCATED_LENGTH: return "Truncated length";
    case CEMV_WIRE_INDEFINITE_LENGTH: return "Indefinite length";
    case CEMV_WIRE_LONG_LENGTH: return "Length field too long";
    case CEMV_WIRE_TRUNCATED_VALUE: return "Truncated value";
    case CEMV_WIRE_TOO_DEEP: return "Nested too deep";
    case CEMV_WIRE_NO_SPACE: return "No space left";
    case CEMV_WIRE_BAD_TAG: return "Number is no tag";
    case CEMV_WIRE_UNBALANCED: return "Open and close do not pair";
    }
    return "Unknown";
}
