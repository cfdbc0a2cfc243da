/* Names for people: linked only if called. Every function answers for any input, never NULL. */
#ifndef CEMV_DEBUG_H
#define CEMV_DEBUG_H

#include "cemv.h"

#ifdef __cplusplus
extern "C" {
#endif

const char *cemv_name_of_tag(uint32_t tag);                 /* "Amount, Authorised (Numeric)", or "Unknown" */
const char *cemv_name_of_step(enum cemv_step step);
const char *cemv_name_of_status(enum cemv_status status);
const char *cemv_name_of_field(uint16_t field);             /* enum cemv_config_field */
const char *cemv_name_of_outcome(uint8_t outcome_status);
const char *cemv_name_of_wire_error(enum cemv_wire_error error);
const char *cemv_name_of_message(uint8_t message_id);
const char *cemv_name_of_finding(uint8_t finding);          /* enum cemv_finding */
const char *cemv_name_of_state(uint8_t state);              /* entry states and K3 states */

#ifdef __cplusplus
}
#endif
#endif
