// SPDX-License-Identifier: Apache-2.0
/* Names for people: linked only if called. Every function answers for any input, never NULL. */
#ifndef CEMV_DEBUG_H
#define CEMV_DEBUG_H

#include "cemv.h"
#include "cemv_cryptogram.h"

#ifdef __cplusplus
extern "C" {
#endif

const char *cemv_name_of_tag(uint32_t tag); /* "Amount, Authorised (Numeric)", or "Unknown" */
const char *cemv_name_of_step(enum cemv_step step);
const char *cemv_name_of_status(enum cemv_status status);
const char *cemv_name_of_field(uint16_t field); /* enum cemv_config_field */
const char *cemv_name_of_outcome(uint8_t outcome_status);
const char *cemv_name_of_wire_error(enum cemv_wire_error error);
const char *cemv_name_of_message(uint8_t message_id);
const char *cemv_name_of_finding(uint8_t finding);         /* enum cemv_finding */
const char *cemv_name_of_scheme(uint8_t scheme);           /* enum cemv_scheme */
const char *cemv_name_of_iad_format(uint8_t format);       /* enum cemv_iad_format */
const char *cemv_name_of_iad_reason(uint8_t reason);       /* enum cemv_iad_reason */
const char *cemv_name_of_session_key(uint8_t session_key); /* enum cemv_session_key */
const char *cemv_name_of_track_error(uint8_t error);       /* enum cemv_track_error */
const char *cemv_name_of_meaning(uint8_t meaning);         /* enum cemv_meaning */
const char *cemv_name_of_value(uint8_t layout, uint8_t meaning,
                               uint8_t value); /* of a field that is a code; "" for bits and numbers */
const char *cemv_name_of_state(uint8_t state); /* entry states and K3 states */

#ifdef __cplusplus
}
#endif
#endif
