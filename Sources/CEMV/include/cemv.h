/* SPDX-License-Identifier: Apache-2.0 */
/* CEMV: an EMV contactless kernel as a pure state machine (EMV Contactless Books A, B and C-2 to C-8). The session
 * makes requests (cemv_step) and receives replies (struct cemv_reply). It performs no I/O, has no clock, allocates
 * nothing. This header includes one for each subject; names for people are in cemv_debug.h. */
/* Who owns what:
 *
 *   configuration  checked once, const afterwards, shared by any number of sessions and threads
 *   transaction    amount, type, date, random bytes
 *   session        CEMV_SESSION_SIZE bytes that the caller owns; no pointer into itself, so memcpy is a fork
 *
 * Three kinds of errors: cemv_status for the caller's mistakes, cemv_step for the next step (never an error),
 * struct cemv_outcome for the result of card and rules. */
#ifndef CEMV_H
#define CEMV_H

#include "cemv_limits.h"
#include "cemv_tlv.h"
#include "cemv_tags.h"
#include "cemv_crypto.h"
#include "cemv_configuration.h"
#include "cemv_outcome.h"
#include "cemv_session.h"
#include "cemv_replies.h"
#include "cemv_kernel.h"
#include "cemv_kernels.h"
#include "cemv_cryptogram.h"

#endif
