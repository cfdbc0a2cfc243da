/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a transaction a second time, in another place: the record of the replies that a session received, its replay
 * into a second session, the digest of the commands that were sent, and the fingerprint of a configuration. Knows no
 * kernel, and does not know who stores or transports a record. DESIGN.md, section 3, has the reasons.
 *
 * Two sessions that begin with equal tickets and receive equal replies are at equal steps, with equal commands,
 * messages, outcomes and records. A ticket consists of the configuration, the transaction (with the contents of its
 * `data` and `preferred`), the random bytes, and the contents of the reader memory when the transaction began. The
 * issuer keys of a reader memory and cemv_session_work() change no result, so they do not belong to the ticket.
 *
 * Nothing here is linked into a program that does not call it. */
#ifndef CEMV_REPLIES_H
#define CEMV_REPLIES_H

#include "cemv_session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The record of replies -------------------------------------------------------------------------------------------
 *
 * One byte with the version, 1, then each reply:
 *
 *   1 byte    bits 1 to 4: enum cemv_reply_kind; bit 5: removal_timed_out (ONLINE, PIN); bit 6: unable_to_go_online
 *             (ONLINE); bit 7: pin_not_captured (PIN); bit 8: zero
 *   4 bytes   RESPONSE: elapsed_us, big-endian
 *   2 bytes   RESPONSE, DATA, ONLINE, PIN: the number of bytes that follow, big-endian; zero if unable_to_go_online
 *   n bytes   RESPONSE, DATA, ONLINE, PIN: the reply's bytes
 *
 * Members that have no meaning for a kind are not recorded, so equal histories have equal records, and each record that
 * is accepted is the only one of its history. A record without a checksum: the digest of the commands shows whether two
 * histories are equal, and a seal or a MAC around the record is the caller's.
 *
 * A record contains account data: responses of the card with PAN and tracks. Its owner keeps it no longer than needed,
 * wipes it with cemv_replies_wipe(), and never logs it. */
#define CEMV_REPLIES_VERSION  1
#define CEMV_REPLIES_CAPACITY 4096 /* bytes of a record, the version included */

/* The caller's memory, cemv_replies_begin() at first. It contains no pointer: memcpy copies it together with its
 * session. */
struct cemv_replies {
    bool incomplete;             /* a reply did not fit; nothing is appended any more, and the record is useless */
    uint16_t size;               /* bytes of the record, 1 to CEMV_REPLIES_CAPACITY */
    struct cemv_sha256 commands; /* of the commands that were sent */
    uint8_t bytes[CEMV_REPLIES_CAPACITY];
};

/* Begins a record; call it when the session begins. */
void cemv_replies_begin(struct cemv_replies *replies);

/* Appends a reply; call it directly before cemv_session_reply(), with its reply. A reply that the session does not
 * take changes nothing there and is not recorded. False: the record is incomplete, because it would be longer than
 * CEMV_REPLIES_CAPACITY. The session itself may continue. */
bool cemv_replies_append(struct cemv_replies *replies, const struct cemv_session *session,
                         const struct cemv_reply *reply);

/* The record so far; valid until the next append. */
cemv_bytes cemv_replies_record(const struct cemv_replies *replies);

/* SHA-256 over the commands of the session so far, in order: each one that got a reply of the record, and the one that
 * waits for its reply now; each after its length in two bytes, big-endian. Unsolicited data do not repeat the command
 * of their step. Equal digests of two sessions mean that they sent equal commands. A command may contain an account
 * number that a card's list asks for, so a published digest would let anybody try account numbers. */
void cemv_replies_digest(const struct cemv_replies *replies, const struct cemv_session *session,
                         uint8_t digest[CEMV_SHA256_SIZE]);

/* Wipes record and digest. Cannot be elided. */
void cemv_replies_wipe(struct cemv_replies *replies);

/* Reading a record, and replay ------------------------------------------------------------------------------------ */

/* Why a record is refused. The bytes may come from an attacker: every length is checked before it is used. */
enum cemv_replay_error {
    CEMV_REPLAY_OK = 0,
    CEMV_REPLAY_VERSION = 1,   /* no version byte, or another version */
    CEMV_REPLAY_TOO_LONG = 2,  /* more than CEMV_REPLIES_CAPACITY bytes */
    CEMV_REPLAY_KIND = 3,      /* an unknown kind, or a bit that its kind does not have */
    CEMV_REPLAY_LENGTH = 4,    /* the record ends within the reply; bytes although unable_to_go_online; an issuer's
                                * answer of more than CEMV_MAX_ISSUER_DATA bytes */
    CEMV_REPLAY_NOT_TAKEN = 5, /* the session's step does not take this kind of reply: another history or ticket, or
                                * bytes after the end of the transaction */
};

/* The replies of a record, in order. */
struct cemv_replies_cursor {
    const uint8_t *at; /* the next reply; after an error the reply that is refused */
    const uint8_t *end;
    uint32_t read; /* replies so far: the index, from 0, of the reply at `at` */
    enum cemv_replay_error error;
};
struct cemv_replies_cursor cemv_replies_open(cemv_bytes record);
/* Reads the next reply; its bytes are those of the record. False at the end, and at an error, which `error` names. */
bool cemv_replies_next(struct cemv_replies_cursor *cursor, struct cemv_reply *reply);

/* Gives the replies of a record to a session that has just begun with an equal ticket, and records them in `replies`,
 * which needs no cemv_replies_begin(). On CEMV_REPLAY_OK the session is where the first one was, `replies` contains the
 * same record, and both may continue. Else `*at` is the index, from 0, of the reply that was refused, and the session
 * is where the replies before it led. `record` must not lie in `replies`. Compare cemv_replies_digest() with the first
 * session's: a history that was altered may be possible, too. */
enum cemv_replay_error cemv_replies_replay(struct cemv_replies *replies, struct cemv_session *session,
                                           cemv_bytes record, uint32_t *at);

/* The fingerprint of a configuration ------------------------------------------------------------------------------ */

/* A listing of settings, which only the functions below write: numbers and bytes in a fixed order, hashed as they
 * come. */
struct cemv_listing;
void cemv_listing_number(struct cemv_listing *listing, uint64_t number);
void cemv_listing_bytes(struct cemv_listing *listing, cemv_bytes bytes);
/* The limits that are present. */
void cemv_listing_limits(struct cemv_listing *listing, const struct cemv_limits *limits);

/* How the options of a kernel are listed. The header of each built-in kernel that has options declares its own,
 * cemv_kernel_N_settings; a third-party kernel whose rows have options or a context provides one. */
struct cemv_kernel_settings {
    const struct cemv_kernel_module *module;
    /* Lists every member of the options of a combination, and the settings in the context of the row. `options` or the
     * context may be NULL, not both. A list of variable length follows its count. */
    void (*list)(struct cemv_listing *listing, const struct cemv_kernel_row *row, const void *options);
};

#define CEMV_FINGERPRINT_SIZE CEMV_SHA256_SIZE

/* SHA-256 over a listing of the settings of a checked configuration. Each setting changes it. It does not depend on
 * addresses, padding, byte order or compiler, nor on members that count for nothing: the amount of an absent limit, a
 * protection without own_protection, the padding of an exception's PAN. The order of kernels, CA keys, curve keys,
 * revocations, exceptions, transaction types and data objects does not matter; the order of combinations and of dynamic
 * limits does. A default that is written out differs from one that is left to zero or NULL.
 *
 * It covers the two limits of a build that change results, CEMV_MAX_CANDIDATES and CEMV_TORN_RECORDS. It does not cover
 * code: the functions of a kernel module and of the crypto port. Nor does it cover a transaction or a reader memory.
 *
 * `settings` has `count` rows, for the kernels of which a combination has options, or whose row has a context; further
 * ones do not matter. CEMV_OK; CEMV_MISSING, with `fingerprint` untouched, if one of these has no row: `error`
 * names the combination and CEMV_FIELD_OPTIONS. The fingerprint is not secret: only somebody who knows all other
 * settings could try account numbers against an exception list. The time grows with the square of the number of
 * exceptions: a tenth of a second for 10,000. */
enum cemv_status cemv_configuration_fingerprint(const struct cemv_checked *checked,
                                                const struct cemv_kernel_settings *const *settings, size_t count,
                                                uint8_t fingerprint[CEMV_FINGERPRINT_SIZE],
                                                struct cemv_config_error *error);

#ifdef __cplusplus
}
#endif
#endif
