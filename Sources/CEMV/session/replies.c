/* SPDX-License-Identifier: Apache-2.0 */
/* The record of the replies that a session received, and its replay into a second session (include/cemv_replies.h).
 *
 * A session is a pure function of its ticket and of its replies, so a record needs only the members that the session
 * reads. The encoder drops the rest and the decoder refuses it: a record has one encoding. Knows no kernel and decides
 * nothing about a transaction; whether a reply fits the step is decided by cemv_session_takes(). */
#include "session.h"

#include "../include/cemv_replies.h"

enum {
    KIND_BITS = 0x0F,
    BIT_REMOVAL_TIMED_OUT = 0x10,
    BIT_UNABLE_TO_GO_ONLINE = 0x20,
    BIT_PIN_NOT_CAPTURED = 0x40,
    ELAPSED_SIZE = 4,
    LENGTH_SIZE = 2,
};

_Static_assert((int)CEMV_REPLY_ABANDON == (int)KIND_BITS, "every number but 0 is a kind");

static bool has_bytes(uint8_t kind)
{
    return kind == CEMV_REPLY_RESPONSE || kind == CEMV_REPLY_DATA || kind == CEMV_REPLY_ONLINE ||
           kind == CEMV_REPLY_PIN;
}

/* The bits that a kind may have, besides itself. */
static uint8_t bits_of(uint8_t kind)
{
    if (kind == CEMV_REPLY_ONLINE) return BIT_REMOVAL_TIMED_OUT | BIT_UNABLE_TO_GO_ONLINE;
    return kind == CEMV_REPLY_PIN ? BIT_REMOVAL_TIMED_OUT | BIT_PIN_NOT_CAPTURED : 0;
}

static bool is_answer(uint8_t kind) { return kind == CEMV_REPLY_ONLINE || kind == CEMV_REPLY_PIN; }

/* Appending -------------------------------------------------------------------------------------------------------- */

void cemv_replies_begin(struct cemv_replies *replies)
{
    replies->incomplete = false;
    replies->size = 1;
    replies->bytes[0] = CEMV_REPLIES_VERSION;
    cemv_sha256_init(&replies->commands);
}

static void hash_command(struct cemv_sha256 *hash, cemv_bytes command)
{
    uint8_t size[LENGTH_SIZE];
    cemv_put_be16(size, (uint16_t)command.size);
    cemv_sha256_update(hash, (cemv_bytes){ size, sizeof size });
    cemv_sha256_update(hash, command);
}

/* The members that count, as bits of the first byte. */
static uint8_t head_of(const struct cemv_reply *reply)
{
    uint8_t bits = 0;
    if (reply->removal_timed_out) bits |= BIT_REMOVAL_TIMED_OUT;
    if (reply->unable_to_go_online) bits |= BIT_UNABLE_TO_GO_ONLINE;
    if (reply->pin_not_captured) bits |= BIT_PIN_NOT_CAPTURED;
    return reply->kind | (bits & bits_of(reply->kind));
}

/* The session ignores a kind that its step does not take, and an answer that is too long: neither changes anything. */
static bool is_taken(const struct cemv_session *session, const struct cemv_reply *reply, cemv_bytes bytes)
{
    if (!cemv_session_takes(session, reply->kind)) return false;
    return !is_answer(reply->kind) || bytes.size <= CEMV_MAX_ISSUER_DATA;
}

bool cemv_replies_append(struct cemv_replies *replies, const struct cemv_session *session,
                         const struct cemv_reply *reply)
{
    const bool is_response = reply->kind == CEMV_REPLY_RESPONSE;
    const uint8_t head = head_of(reply);
    const cemv_bytes nothing = { NULL, 0 };
    const bool kept = has_bytes(reply->kind) && (head & BIT_UNABLE_TO_GO_ONLINE) == 0;
    const cemv_bytes bytes = kept ? reply->bytes : nothing;
    if (replies->incomplete) return false;
    if (!is_taken(session, reply, bytes)) return true;

    const size_t fixed = 1u + (is_response ? ELAPSED_SIZE : 0u) + (has_bytes(reply->kind) ? LENGTH_SIZE : 0u);
    const size_t left = CEMV_REPLIES_CAPACITY - replies->size;
    if (fixed > left || bytes.size > left - fixed) {
        replies->incomplete = true;
        return false;
    }
    uint8_t *at = replies->bytes + replies->size;
    *at++ = head;
    if (is_response) {
        cemv_put_be16(at, (uint16_t)(reply->elapsed_us >> 16));
        cemv_put_be16(at + 2, (uint16_t)reply->elapsed_us);
        at += ELAPSED_SIZE;
    }
    if (has_bytes(reply->kind)) {
        cemv_put_be16(at, (uint16_t)bytes.size);
        cemv_copy(at + LENGTH_SIZE, bytes.data, bytes.size);
    }
    replies->size = (uint16_t)(replies->size + fixed + bytes.size);
    if (cemv_session_step(session) == CEMV_STEP_SEND && reply->kind != CEMV_REPLY_DATA)
        hash_command(&replies->commands, cemv_session_command(session));
    return true;
}

cemv_bytes cemv_replies_record(const struct cemv_replies *replies)
{
    return (cemv_bytes){ replies->bytes, replies->size };
}

void cemv_replies_digest(const struct cemv_replies *replies, const struct cemv_session *session,
                         uint8_t digest[CEMV_SHA256_SIZE])
{
    struct cemv_sha256 hash = replies->commands;
    if (cemv_session_step(session) == CEMV_STEP_SEND) hash_command(&hash, cemv_session_command(session));
    cemv_sha256_final(&hash, digest);
    cemv_wipe(&hash, sizeof hash);
}

void cemv_replies_wipe(struct cemv_replies *replies) { cemv_wipe(replies, sizeof *replies); }

/* Reading ---------------------------------------------------------------------------------------------------------- */

struct cemv_replies_cursor cemv_replies_open(cemv_bytes record)
{
    struct cemv_replies_cursor cursor = { .at = record.data, .end = record.data };
    if (record.size == 0 || record.data[0] != CEMV_REPLIES_VERSION) cursor.error = CEMV_REPLAY_VERSION;
    else if (record.size > CEMV_REPLIES_CAPACITY) cursor.error = CEMV_REPLAY_TOO_LONG;
    if (cursor.error != CEMV_REPLAY_OK) return cursor;
    cursor.at = record.data + 1;
    cursor.end = record.data + record.size;
    return cursor;
}

static bool refuse(struct cemv_replies_cursor *cursor, enum cemv_replay_error error)
{
    cursor->error = error;
    return false;
}

bool cemv_replies_next(struct cemv_replies_cursor *cursor, struct cemv_reply *reply)
{
    const uint8_t *at = cursor->at;
    size_t left = (size_t)(cursor->end - at);
    if (left == 0 || cursor->error != CEMV_REPLAY_OK) return false;

    const uint8_t head = *at++, kind = head & KIND_BITS, bits = head & (uint8_t)~KIND_BITS;
    left--;
    if (kind == 0 || (bits & ~bits_of(kind)) != 0) return refuse(cursor, CEMV_REPLAY_KIND);
    const bool unable = (bits & BIT_UNABLE_TO_GO_ONLINE) != 0;
    uint32_t elapsed = 0;
    cemv_bytes bytes = { NULL, 0 };
    if (kind == CEMV_REPLY_RESPONSE) {
        if (left < ELAPSED_SIZE) return refuse(cursor, CEMV_REPLAY_LENGTH);
        elapsed = cemv_be32(at);
        at += ELAPSED_SIZE;
        left -= ELAPSED_SIZE;
    }
    if (has_bytes(kind)) {
        if (left < LENGTH_SIZE) return refuse(cursor, CEMV_REPLAY_LENGTH);
        bytes = (cemv_bytes){ at + LENGTH_SIZE, cemv_be16(at) };
        if (bytes.size > left - LENGTH_SIZE || (unable && bytes.size != 0) ||
            (is_answer(kind) && bytes.size > CEMV_MAX_ISSUER_DATA))
            return refuse(cursor, CEMV_REPLAY_LENGTH);
        at = bytes.data + bytes.size;
    }
    *reply = (struct cemv_reply){ .kind = kind,
                                  .removal_timed_out = (bits & BIT_REMOVAL_TIMED_OUT) != 0,
                                  .unable_to_go_online = unable,
                                  .pin_not_captured = (bits & BIT_PIN_NOT_CAPTURED) != 0,
                                  .elapsed_us = elapsed,
                                  .bytes = bytes };
    cursor->at = at;
    cursor->read++;
    return true;
}

enum cemv_replay_error cemv_replies_replay(struct cemv_replies *replies, struct cemv_session *session,
                                           cemv_bytes record, uint32_t *at)
{
    struct cemv_replies_cursor cursor = cemv_replies_open(record);
    struct cemv_reply reply;
    cemv_replies_begin(replies);
    *at = 0;
    while (cemv_replies_next(&cursor, &reply)) {
        if (!cemv_session_takes(session, reply.kind)) return CEMV_REPLAY_NOT_TAKEN;
        (void)cemv_replies_append(replies, session, &reply); /* it fits: the record does */
        (void)cemv_session_reply(session, &reply);
        *at = cursor.read;
    }
    return cursor.error;
}
