/* SPDX-License-Identifier: Apache-2.0 */
/* Records of replies over the recorded taps. See replies.h. */
#include "replies.h"

#include <stdio.h>
#include <string.h>

#include "faults.h"
#include "properties.h"

enum { MAX_COMMANDS = 512, COMMANDS_SIZE = 1 << 16, DIGEST_TEXT = 2 * CEMV_SHA256_SIZE };

/* A sum over everything that a driver can read at a step, and the digest of the commands. */
struct view {
    uint64_t sum;
    uint8_t commands[CEMV_SHA256_SIZE];
};

/* The commands of a run, each after its length: compared without the digest. */
struct commands {
    size_t size;
    uint8_t bytes[COMMANDS_SIZE];
};

static struct tap_bench first, second;       /* two places for one tap */
static struct cemv_reader_memory remembered; /* before the tap */
static struct cemv_replies record, again;
static struct commands sent, sent_again;
static struct view end_of_tap;
static const struct recorded_tap *tap;
static uint64_t bad, replays, changed, refused, unfit;
static uint32_t recorded_replies; /* of the tap */
static size_t longest;

static void violated(const char *what, size_t at)
{
    if (bad++ < 20) printf("violated: %s (%s, at %zu)\n", what, tap->name, at);
}

static struct cemv_session *begin(struct tap_bench *bench)
{
    struct cemv_session *session;
    struct cemv_config_error error;
    struct cemv_transaction sale = tap->transaction;
    bench->reader = remembered;
    sale.reader = &bench->reader;
    memset(bench->memory, bench == &first ? 0x00 : 0xA5, sizeof bench->memory);
    if (cemv_session_begin(bench->memory, sizeof bench->memory, tap->reader->checked, &sale, tap->random, &session,
                           &error) != CEMV_OK)
        return NULL;
    return session;
}

static struct view view_of(struct tap_bench *bench, const struct cemv_replies *replies,
                           const struct cemv_session *session)
{
    struct view view;
    bench->seen = SUM_EMPTY;
    tap_see(bench, session);
    tap_describe(bench, session);
    view.sum = bench->end;
    cemv_replies_digest(replies, session, view.commands);
    return view;
}

static bool same_view(const struct view *a, const struct view *b)
{
    return a->sum == b->sum && memcmp(a->commands, b->commands, sizeof a->commands) == 0;
}

static void note_command(struct commands *commands, const struct cemv_session *session)
{
    const cemv_bytes command = cemv_session_command(session);
    if (cemv_session_step(session) != CEMV_STEP_SEND || command.size + 2 > sizeof commands->bytes - commands->size)
        return;
    commands->bytes[commands->size++] = (uint8_t)(command.size >> 8);
    commands->bytes[commands->size++] = (uint8_t)command.size;
    memcpy(commands->bytes + commands->size, command.data, command.size);
    commands->size += command.size;
}

/* Unsolicited data leave the command as it is. */
static bool repeats(const struct cemv_session *session, uint8_t kind)
{
    return cemv_session_step(session) == CEMV_STEP_SEND && kind == CEMV_REPLY_DATA;
}

/* Replays the record so far in the second place. */
static void replay_here(const struct view *expected, size_t cut)
{
    struct cemv_session *const session = begin(&second);
    uint32_t at = 0;
    const cemv_bytes bytes = cemv_replies_record(&record);
    if (cemv_replies_replay(&again, session, bytes, &at) != CEMV_REPLAY_OK)
        return violated("a record is replayed", cut);
    const struct view found = view_of(&second, &again, session);
    if (!same_view(expected, &found)) violated("a replay ends like its original", cut);
    if (at != cut || again.size != record.size || memcmp(again.bytes, record.bytes, record.size) != 0)
        violated("a replay records what it read", cut);
    replays++;
    cemv_session_wipe(session);
}

static struct cemv_reply reply_at(size_t index)
{
    const struct recorded_reply *const given = &tap->replies[index];
    return (struct cemv_reply){ .kind = given->kind,
                                .removal_timed_out = given->removal_timed_out,
                                .unable_to_go_online = given->unable_to_go_online,
                                .pin_not_captured = given->pin_not_captured,
                                .elapsed_us = given->elapsed_us,
                                .bytes = given->bytes };
}

/* The original, with a replay at each wait. */
static void play(void)
{
    struct view *const end = &end_of_tap;
    struct cemv_session *const session = begin(&first);
    cemv_replies_begin(&record);
    sent.size = 0;
    recorded_replies = 0;
    note_command(&sent, session);
    for (size_t i = 0;; i++) {
        *end = view_of(&first, &record, session);
        uint8_t digest[CEMV_SHA256_SIZE];
        cemv_crypto_builtin.sha256(digest, &(cemv_bytes){ sent.bytes, sent.size }, 1);
        if (memcmp(digest, end->commands, sizeof digest) != 0) violated("the digest is over the commands", i);
        replay_here(end, i);
        if (i == tap->reply_count) break;
        const struct cemv_reply reply = reply_at(i);
        const bool same_command = repeats(session, reply.kind);
        const struct cemv_reply other = { .kind = CEMV_REPLY_ONLINE };
        const uint16_t size = record.size;
        if (!cemv_session_takes(session, other.kind) &&
            (!cemv_replies_append(&record, session, &other) || record.size != size))
            violated("a reply that is not taken is not recorded", i);
        if (!cemv_replies_append(&record, session, &reply)) {
            if (record.size + 7 + reply.bytes.size <= CEMV_REPLIES_CAPACITY) violated("what fits is recorded", i);
            unfit++;
            break;
        }
        recorded_replies++;
        (void)cemv_session_reply(session, &reply);
        if (!same_command) note_command(&sent, session);
    }
    if (!record.incomplete && record.size > longest) longest = record.size;
    cemv_session_wipe(session);
}

/* A truncated record is refused for its length, except between two replies. */
static void truncate_record(void)
{
    static uint8_t bytes[CEMV_REPLIES_CAPACITY];
    struct cemv_reply reply;
    uint32_t boundaries = 0;
    memcpy(bytes, record.bytes, record.size);
    for (size_t size = 0; size <= record.size; size++) {
        struct cemv_replies_cursor cursor = cemv_replies_open((cemv_bytes){ guarded_copy(bytes, size), size });
        while (cemv_replies_next(&cursor, &reply)) {
        }
        const enum cemv_replay_error expected = size == 0 ? CEMV_REPLAY_VERSION : CEMV_REPLAY_LENGTH;
        if (cursor.error == CEMV_REPLAY_OK) {
            if (cursor.read != boundaries++) violated("a truncated record is shorter by whole replies", size);
        } else if (cursor.error != expected) {
            violated("a truncated record is refused for its length", size);
        }
    }
    if (boundaries != recorded_replies + 1) violated("a record can end after each reply", boundaries);
}

/* One changed bit: whether the commands differ is found without the digest. */
static void flip(uint64_t position)
{
    static uint8_t bytes[CEMV_REPLIES_CAPACITY];
    struct cemv_replies_cursor cursor;
    struct cemv_reply reply;
    uint32_t at;
    memcpy(bytes, record.bytes, record.size);
    bytes[position / 8] ^= (uint8_t)(1u << position % 8);
    const cemv_bytes altered = { bytes, record.size };

    struct cemv_session *session = begin(&first);
    sent_again.size = 0;
    note_command(&sent_again, session);
    bool taken = true;
    for (cursor = cemv_replies_open(altered); cemv_replies_next(&cursor, &reply);) {
        taken = cemv_session_takes(session, reply.kind);
        if (!taken) break;
        const bool same_command = repeats(session, reply.kind);
        (void)cemv_session_reply(session, &reply);
        if (!same_command) note_command(&sent_again, session);
    }
    const bool accepted = taken && cursor.error == CEMV_REPLAY_OK;
    const struct view played = view_of(&first, &record, session);
    cemv_session_wipe(session);

    session = begin(&second);
    const bool replayed = cemv_replies_replay(&again, session, altered, &at) == CEMV_REPLAY_OK;
    const struct view found = view_of(&second, &again, session);
    cemv_session_wipe(session);
    if (replayed != accepted || found.sum != played.sum) violated("a replay is the same run", (size_t)position);
    if (replayed && (again.size != record.size || memcmp(again.bytes, bytes, record.size) != 0))
        violated("a record has one encoding", (size_t)position);
    refused += !accepted;
    const bool same = sent.size == sent_again.size && memcmp(sent.bytes, sent_again.bytes, sent.size) == 0;
    const bool same_digest = memcmp(found.commands, end_of_tap.commands, sizeof found.commands) == 0;
    changed += accepted && !same;
    if (accepted && same != same_digest) violated("the digest notices a changed command", (size_t)position);
}

/* The number of the behaviour: over name, commands and end of each tap, in order. */
static void add_to_behaviour(struct cemv_sha256 *behaviour)
{
    uint8_t end[8];
    for (unsigned i = 0; i < sizeof end; i++) end[i] = (uint8_t)(tap->end >> 8 * i);
    cemv_sha256_update(behaviour, (cemv_bytes){ (const uint8_t *)tap->name, strlen(tap->name) + 1 });
    cemv_sha256_update(behaviour, (cemv_bytes){ end_of_tap.commands, sizeof end_of_tap.commands });
    cemv_sha256_update(behaviour, (cemv_bytes){ end, sizeof end });
}

static bool is_known_behaviour(struct cemv_sha256 *behaviour, const char *file)
{
    uint8_t digest[CEMV_SHA256_SIZE];
    char text[DIGEST_TEXT + 1], line[DIGEST_TEXT + 1] = "";
    cemv_sha256_final(behaviour, digest);
    for (size_t i = 0; i < sizeof digest; i++) snprintf(text + 2 * i, 3, "%02x", digest[i]);
    FILE *const stream = fopen(file, "r");
    const bool read = stream && fgets(line, sizeof line, stream) != NULL;
    if (stream) fclose(stream);
    if (read && strcmp(line, text) == 0) return true;
    printf("The behaviour changed: a dialogue has other commands or another outcome. If that is intended, write\n"
           "%s\nto %s: judges then refuse taps of edges with the earlier number.\n",
           text, file);
    return false;
}

int replies_run(const struct recorded_taps *recorded, const char *file, uint64_t flips)
{
    uint64_t random = 47;
    struct cemv_sha256 behaviour;
    cemv_sha256_init(&behaviour);
    for (size_t i = 0; i < recorded->tap_count; i++) {
        tap = &recorded->taps[i];
        if (!tap->keeps_memory) memset(&remembered, 0, sizeof remembered);
        play();
        const struct cemv_reader_memory after = first.reader;
        truncate_record();
        for (uint64_t j = 0; j < flips; j++) flip(random_next(&random) % (8u * record.size));
        add_to_behaviour(&behaviour);
        remembered = after;
    }
    const bool known = is_known_behaviour(&behaviour, file);
    printf("replies: %zu taps, %llu replays; %llu taps do not fit, the longest other record has %zu bytes; of %llu "
           "changed bits %llu are refused and "
           "%llu change a command; %llu properties violated\n",
           recorded->tap_count, (unsigned long long)replays, (unsigned long long)unfit, longest,
           (unsigned long long)(flips * recorded->tap_count), (unsigned long long)refused, (unsigned long long)changed,
           (unsigned long long)bad);
    return bad != 0 || !known;
}
