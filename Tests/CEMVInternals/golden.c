/* SPDX-License-Identifier: Apache-2.0 */
/* Golden taps: reading the text, and playing it. See golden.h; the format is written by
 * Tests/Kernels/Shared/GoldenText.swift. */
#include "golden.h"
#include "../../Sources/CEMV/session/session.h"

enum {
    MAX_READERS = 128,
    MAX_TAPS = 6144,
    MAX_BLOBS = 4096,
    MAX_ROWS = 16,
    MAX_KEYS = 24,
    MAX_CURVE_KEYS = 8,
    MAX_REVOKED = 4,
    MAX_REPLIES = 49152
};

/* ---- text ---- */

struct reading {
    struct golden_file *file;
    const uint8_t *at, *end; /* of the line */
    cemv_bytes *blobs;
    size_t blob_count;
    size_t first_reader; /* of this file */
    struct golden_reader *reader;
    struct golden_reply *replies; /* of all taps */
    size_t reply_count;
    bool needs_secrets, skips; /* this file: there is nothing that computes with secrets */
    bool bad;
};

static const struct cemv_crypto *secret_crypto;
static const struct cemv_kernel_module *secret_kernel;

void golden_secrets(const struct cemv_crypto *crypto, const struct cemv_kernel_module *kernel_8)
{
    secret_crypto = crypto;
    secret_kernel = kernel_8;
}

static void *room(struct golden_file *file, size_t size)
{
    const size_t start = (file->used + CEMV_ALIGNMENT - 1) / CEMV_ALIGNMENT * CEMV_ALIGNMENT;
    if (start > file->size || size > file->size - start) return NULL;
    file->used = start + size;
    __builtin_memset(file->arena + start, 0, size);
    return file->arena + start;
}

static cemv_bytes word(struct reading *r)
{
    while (r->at != r->end && *r->at == ' ') r->at++;
    const uint8_t *start = r->at;
    while (r->at != r->end && *r->at != ' ') r->at++;
    if (start == r->at) r->bad = true;
    return (cemv_bytes){ start, (size_t)(r->at - start) };
}

static bool is(cemv_bytes text, const char *other)
{
    size_t i = 0;
    while (i < text.size && other[i] && text.data[i] == (uint8_t)other[i]) i++;
    return i == text.size && !other[i];
}

static uint64_t number(struct reading *r)
{
    const cemv_bytes text = word(r);
    uint64_t value = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') r->bad = true;
        value = value * 10 + (uint64_t)(text.data[i] - '0');
    }
    return value;
}

static unsigned nibble(struct reading *r, uint8_t digit)
{
    if (digit >= '0' && digit <= '9') return digit - (unsigned)'0';
    if (digit >= 'A' && digit <= 'F') return digit - (unsigned)'A' + 10;
    r->bad = true;
    return 0;
}

/* Hex digits, `-` for nothing, or `$n` for the bytes named n. */
static cemv_bytes bytes(struct reading *r)
{
    const cemv_bytes text = word(r);
    cemv_bytes none = { NULL, 0 };
    if (is(text, "-") || r->bad) return none;
    if (text.data[0] == '$') {
        size_t index = 0;
        for (size_t i = 1; i < text.size; i++) index = index * 10 + (size_t)(text.data[i] - '0');
        if (index >= r->blob_count) r->bad = true;
        return r->bad ? none : r->blobs[index];
    }
    uint8_t *out = room(r->file, text.size / 2);
    if (!out || text.size % 2) r->bad = true;
    if (r->bad) return none;
    for (size_t i = 0; i < text.size / 2; i++)
        out[i] = (uint8_t)(nibble(r, text.data[2 * i]) << 4 | nibble(r, text.data[2 * i + 1]));
    return (cemv_bytes){ out, text.size / 2 };
}

static void fixed(struct reading *r, uint8_t *out, size_t size)
{
    const cemv_bytes given = bytes(r);
    if (given.size != size) r->bad = true;
    else __builtin_memcpy(out, given.data, size);
}

/* ---- readers ---- */

static const struct cemv_kernel_3_options *kernel_3_options(bool usage_control_off, bool format_1)
{
    static const struct cemv_kernel_3_options all[2][2] = {
        { { .gpo_format_1 = false }, { .gpo_format_1 = true } },
        { { .usage_control_off = true }, { .usage_control_off = true, .gpo_format_1 = true } },
    };
    return usage_control_off || format_1 ? &all[usage_control_off][format_1] : NULL;
}

/* Options of Kernel 5 stand behind its row: Combination Options, Terminal Interchange Profile, removal timeout;
 * threshold, target and maximum of the random selection, all zero for none. Its limits are its own. */
static void read_kernel_5(struct reading *r, struct cemv_combination *row)
{
    struct cemv_kernel_5_options *options = room(r->file, sizeof *options);
    if (!options) {
        r->bad = true;
        return;
    }
    fixed(r, options->combination_options, sizeof options->combination_options);
    fixed(r, options->terminal_interchange_profile, sizeof options->terminal_interchange_profile);
    options->removal_timeout = (uint16_t)number(r);
    options->threshold = number(r);
    options->target = (uint8_t)number(r);
    options->maximum_target = (uint8_t)number(r);
    if (options->maximum_target != 0) options->given |= CEMV_KERNEL_5_GIVEN_SELECTION;
    options->limits = row->limits;
    row->limits = (struct cemv_limits){ 0 };
    row->options = options;
}

/* The one set of options that golden readers of Kernel 4 have, and the same without a line to the host. */
static const struct cemv_kernel_4_options *kernel_4_options(bool no_line)
{
    static const struct cemv_limits standard = { .present = 0x0B, .amount = { 30000, 10000, 0, 5000 } };
    static const struct cemv_limits verified = { .present = 0x0B, .amount = { 30000, 10000, 0, 1000 } };
    static const struct cemv_limits bounded = { .present = 0x0B, .amount = { 1000, 10000, 0, 5000 } };
    static const struct cemv_limits *const sets[CEMV_KERNEL_4_LIMIT_SETS + 1] = {
        [0] = &standard, [1] = &verified, [3] = &bounded
    };
    static const uint8_t list[] = {
        0x95, 0x05, 0x9F, 0x34, 0x03, 0x9F, 0x71, 0x03, 0x9F, 0x5A, 0x08, 0x9F, 0x5B, 0x20
    };
    static const struct cemv_kernel_4_options line = {
        .tac_denial = { 0x00, 0x10, 0x00, 0x00, 0x00 },
        .tac_online = { 0xDC, 0x50, 0xFC, 0x98, 0x00 },
        .tac_default = { 0xDC, 0x50, 0xFC, 0x98, 0x00 },
        .discretionary_list = { list, sizeof list },
        .dynamic_limits = sets,
    };
    static const struct cemv_kernel_4_options none = {
        .tac_denial = { 0x00, 0x10, 0x00, 0x00, 0x00 },
        .tac_online = { 0xDC, 0x50, 0xFC, 0x98, 0x00 },
        .tac_default = { 0xDC, 0x50, 0xFC, 0x98, 0x00 },
        .cannot_go_online = true,
        .discretionary_list = { list, sizeof list },
        .dynamic_limits = sets,
    };
    return no_line ? &none : &line;
}

static void read_row(struct reading *r)
{
    struct cemv_configuration *all = &r->reader->configuration;
    struct cemv_combination *row = (struct cemv_combination *)(uintptr_t)&all->combinations[all->combination_count++];
    if (all->combination_count > MAX_ROWS) {
        r->bad = true;
        return;
    }
    row->aid = bytes(r);
    const cemv_bytes kernel = bytes(r);
    if (kernel.size == 0 || kernel.size > sizeof row->kernel_id) {
        r->bad = true;
        return;
    }
    __builtin_memcpy(row->kernel_id, kernel.data, kernel.size);
    row->kernel_id_size = (uint8_t)kernel.size;
    row->transaction_types = bytes(r);
    row->ttq = bytes(r);
    row->data = bytes(r);
    row->zero_amount = (uint8_t)number(r);
    const unsigned flags = (unsigned)number(r);
    row->status_check = flags & 1;
    row->extended_selection = flags & 2;
    static const struct cemv_kernel_7_options oda_for_online = { .oda_for_online = true };
    if (flags & 16) row->options = &oda_for_online;
    else if (flags & 96) row->options = kernel_4_options(flags & 64);
    else row->options = kernel_3_options(flags & 4, flags & 8);
    row->limits.present = (uint8_t)number(r);
    for (size_t i = 0; i < CEMV_LIMIT_COUNT; i++) row->limits.amount[i] = number(r);
    if (row->kernel_id[0] == 5) read_kernel_5(r, row);
}

static void read_key(struct reading *r)
{
    struct cemv_configuration *all = &r->reader->configuration;
    struct cemv_ca_key *key = (struct cemv_ca_key *)(uintptr_t)&all->ca_keys[all->ca_key_count++];
    if (all->ca_key_count > MAX_KEYS) {
        r->bad = true;
        return;
    }
    fixed(r, key->rid, 5);
    fixed(r, &key->index, 1);
    key->exponent = (uint32_t)number(r);
    key->modulus = bytes(r);
    key->sha1 = bytes(r);
    fixed(r, key->expires, 3);
    key->test = number(r) != 0;
}

/* Of Kernel 8: RID, index, suite, x, y, SHA-256, whether it is a test key. */
static void read_curve(struct reading *r)
{
    struct cemv_configuration *all = &r->reader->configuration;
    struct cemv_curve_key *key = (struct cemv_curve_key *)(uintptr_t)&all->curve_keys[all->curve_key_count++];
    if (all->curve_key_count > MAX_CURVE_KEYS) {
        r->bad = true;
        return;
    }
    fixed(r, key->rid, 5);
    fixed(r, &key->index, 1);
    fixed(r, &key->suite, 1);
    key->x = bytes(r);
    key->y = bytes(r);
    key->sha256 = bytes(r);
    key->test = number(r) != 0;
}

static void read_revoked(struct reading *r)
{
    struct cemv_configuration *all = &r->reader->configuration;
    struct cemv_revocation *row = (struct cemv_revocation *)(uintptr_t)&all->revocations[all->revocation_count++];
    if (all->revocation_count > MAX_REVOKED) {
        r->bad = true;
        return;
    }
    fixed(r, row->rid, 5);
    fixed(r, &row->index, 1);
    fixed(r, row->serial, 3);
}

static void read_protection(struct reading *r)
{
    struct cemv_protection *p = &r->reader->configuration.protection;
    uint8_t *const rules[] = { &p->profile,      &p->cdcvm_trust,     &p->unsolicited_sdad, &p->oda_tamper,
                               &p->cid_mismatch, &p->brand_check,     &p->expiry_mismatch,  &p->luhn,
                               &p->offline,      &p->allow_test_keys, &p->max_taps,         &p->max_records };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) *rules[i] = (uint8_t)number(r);
    p->min_ca_bits = (uint16_t)number(r);
}

static void read_reader(struct reading *r)
{
    static const struct cemv_kernel_row kernels[] = { { { 2 }, 1, &cemv_kernel_2 }, { { 3 }, 1, &cemv_kernel_3 },
                                                      { { 4 }, 1, &cemv_kernel_4 }, { { 5 }, 1, &cemv_kernel_5 },
                                                      { { 6 }, 1, &cemv_kernel_6 }, { { 7 }, 1, &cemv_kernel_7 } };
    enum { PLAIN_KERNELS = sizeof kernels / sizeof kernels[0] };
    struct golden_file *file = r->file;
    if (file->reader_count == MAX_READERS) {
        r->bad = true;
        return;
    }
    struct golden_reader *reader = r->reader = &file->readers[file->reader_count++];
    struct cemv_configuration *all = &reader->configuration;
    reader->name = word(r);
    all->terminal_data = bytes(r);
    all->poi_information = bytes(r);
    all->combinations = room(file, MAX_ROWS * sizeof *all->combinations);
    all->ca_keys = room(file, MAX_KEYS * sizeof *all->ca_keys);
    all->revocations = room(file, MAX_REVOKED * sizeof *all->revocations);
    all->curve_keys = room(file, MAX_CURVE_KEYS * sizeof *all->curve_keys);
    if (!all->combinations || !all->ca_keys || !all->revocations || !all->curve_keys) r->bad = true;
    all->kernels = kernels;
    all->kernel_count = PLAIN_KERNELS;
    if (!r->needs_secrets) return;
    struct cemv_kernel_row *rows = room(file, (PLAIN_KERNELS + 1) * sizeof *rows);
    if (!rows) {
        r->bad = true;
        return;
    }
    __builtin_memcpy(rows, kernels, sizeof kernels);
    rows[PLAIN_KERNELS] = (struct cemv_kernel_row){ { 8 }, 1, secret_kernel };
    all->kernels = rows;
    all->kernel_count = PLAIN_KERNELS + 1;
    all->crypto = secret_crypto;
}

static void check_reader(struct reading *r)
{
    struct cemv_config_error error;
    const size_t size = cemv_checked_size(&r->reader->configuration);
    void *memory = room(r->file, size);
    if (!memory ||
        cemv_configuration_check(&r->reader->configuration, memory, size, &r->reader->checked, &error) != CEMV_OK)
        r->bad = true;
}

/* ---- taps ---- */

static void read_tap(struct reading *r)
{
    struct golden_file *file = r->file;
    if (file->tap_count == MAX_TAPS || !r->reader) {
        r->bad = true;
        return;
    }
    struct golden_tap *tap = &file->taps[file->tap_count++];
    struct cemv_transaction *sale = &tap->transaction;
    uint8_t currency[2] = { 0 };
    tap->name = word(r);
    const cemv_bytes reader = word(r);
    for (size_t i = r->first_reader; i < file->reader_count; i++) {
        const cemv_bytes name = file->readers[i].name;
        if (name.size == reader.size && __builtin_memcmp(name.data, reader.data, name.size) == 0)
            tap->reader = &file->readers[i];
    }
    if (!tap->reader) r->bad = true;
    tap->keeps_memory = number(r) != 0;
    fixed(r, &sale->type, 1);
    sale->amount = number(r);
    sale->amount_other = number(r);
    fixed(r, currency, 2);
    sale->currency = (uint16_t)(currency[0] << 8 | currency[1]);
    sale->exponent = (uint8_t)number(r);
    fixed(r, sale->date, 3);
    fixed(r, sale->time, 3);
    sale->counter = (uint32_t)number(r);
    tap->random = bytes(r);
    sale->data = bytes(r);
    tap->replies = r->replies + r->reply_count;
}

static void read_reply(struct reading *r, bool answers_command)
{
    if (r->file->tap_count == 0 || r->reply_count == MAX_REPLIES) {
        r->bad = true;
        return;
    }
    struct golden_reply *reply = &r->replies[r->reply_count++];
    r->file->taps[r->file->tap_count - 1].reply_count++;
    if (answers_command) reply->command = bytes(r);
    reply->kind = (uint8_t)number(r);
    if (answers_command) reply->elapsed_us = (uint32_t)number(r);
    reply->bytes = bytes(r);
}

static void read_end(struct reading *r)
{
    while (r->at != r->end && *r->at == ' ') r->at++;
    if (r->file->tap_count == 0) {
        r->bad = true;
        return;
    }
    r->file->taps[r->file->tap_count - 1].end = (cemv_bytes){ r->at, (size_t)(r->end - r->at) };
}

/* Each file names its own bytes and readers: another's are out of sight. */
static void read_file(struct reading *r)
{
    (void)word(r);
    r->blob_count = 0;
    r->first_reader = r->file->reader_count;
    r->reader = NULL;
    r->needs_secrets = r->skips = false;
}

static void read_line(struct reading *r)
{
    const cemv_bytes key = word(r);
    if (is(key, "file")) read_file(r);
    else if (r->skips) return;
    else if (is(key, "secrets")) r->needs_secrets = true, r->skips = secret_kernel == NULL;
    else if (is(key, "bytes")) {
        if (r->blob_count == MAX_BLOBS) r->bad = true;
        else r->blobs[r->blob_count++] = bytes(r);
    } else if (is(key, "reader")) read_reader(r);
    else if (is(key, "row")) read_row(r);
    else if (is(key, "key")) read_key(r);
    else if (is(key, "curve")) read_curve(r);
    else if (is(key, "revoked")) read_revoked(r);
    else if (is(key, "protection")) read_protection(r);
    else if (is(key, "checked")) check_reader(r);
    else if (is(key, "tap")) read_tap(r);
    else if (is(key, "x")) read_reply(r, true);
    else if (is(key, "r")) read_reply(r, false);
    else if (is(key, "end")) read_end(r);
    else r->bad = true;
}

bool golden_open(struct golden_file *file, cemv_bytes text, void *arena, size_t size)
{
    const uint8_t *at = text.data, *const end = text.data + text.size;
    struct reading r = { .file = file };
    *file = (struct golden_file){ .arena = arena, .size = size };
    file->readers = room(file, MAX_READERS * sizeof *file->readers);
    file->taps = room(file, MAX_TAPS * sizeof *file->taps);
    r.blobs = room(file, MAX_BLOBS * sizeof *r.blobs);
    r.replies = room(file, MAX_REPLIES * sizeof *r.replies);
    if (!file->readers || !file->taps || !r.blobs || !r.replies) return false;
    while (at != end && !r.bad) {
        file->line++;
        r.at = at;
        while (at != end && *at != '\n') at++;
        r.end = at;
        if (at != end) at++;
        if (r.at == r.end || *r.at == '#') continue;
        read_line(&r);
    }
    return !r.bad;
}

/* ---- what the card said ---- */

bool golden_same_command(cemv_bytes a, cemv_bytes b, bool header)
{
    if (a.size < 4 || b.size < 4) return false;
    if (header && a.data[1] != 0xA4) return __builtin_memcmp(a.data, b.data, 4) == 0;
    return a.size == b.size && __builtin_memcmp(a.data, b.data, a.size) == 0;
}

const struct golden_reply *golden_answer(const struct golden_tap *tap, size_t *next, cemv_bytes command)
{
    for (int header = 0; header < 2; header++)
        for (size_t i = 0; i < tap->reply_count; i++) {
            const size_t at = (*next + i) % tap->reply_count;
            const struct golden_reply *reply = &tap->replies[at];
            if (reply->kind == CEMV_REPLY_RESPONSE && golden_same_command(reply->command, command, header != 0)) {
                *next = at + 1;
                return reply;
            }
        }
    return NULL;
}

/* ---- playing ---- */

static void mix(struct golden_bench *bench, const void *data, size_t size)
{
    bench->seen = sum_bytes(bench->seen, data, size);
}
static void mix_number(struct golden_bench *bench, uint64_t value) { bench->seen = sum_number(bench->seen, value); }

static void mix_request(struct golden_bench *bench, const struct cemv_ui_request *ui)
{
    mix_number(bench, ui->message);
    mix_number(bench, ui->status);
    mix_number(bench, ui->hold_ms);
    mix_number(bench, ui->value_qualifier);
    if (ui->value_qualifier != CEMV_VALUE_NONE) mix_number(bench, ui->value), mix_number(bench, ui->currency);
    mix(bench, ui->language, ui->language_size);
}

void golden_see(struct golden_bench *bench, const struct cemv_session *session)
{
    const enum cemv_step step = cemv_session_step(session);
    mix_number(bench, step);
    for (size_t i = 0; i < cemv_session_ui_count(session); i++) {
        const struct cemv_ui_request ui = cemv_session_ui(session, i);
        mix_request(bench, &ui);
    }
    const cemv_bytes exchange = cemv_session_exchange(session);
    mix(bench, exchange.data, exchange.size);
    if (step == CEMV_STEP_POLL) {
        const struct cemv_poll poll = cemv_session_poll(session);
        mix_number(bench, poll.removal_first);
        mix_number(bench, poll.field_off_ms);
    } else if (step == CEMV_STEP_ASK) {
        const struct cemv_question question = cemv_session_question(session);
        mix_number(bench, question.kind);
        mix_number(bench, question.deadline_ms);
        mix(bench, question.bytes.data, question.bytes.size);
    } else if (step == CEMV_STEP_SEND) {
        const cemv_bytes command = cemv_session_command(session);
        mix(bench, command.data, command.size);
    }
}

static void put(struct golden_bench *bench, char c)
{
    if (bench->line_size < GOLDEN_LINE) bench->line[bench->line_size++] = c;
}

static void put_key(struct golden_bench *bench, const char *key)
{
    if (bench->line_size) put(bench, ' ');
    while (*key) put(bench, *key++);
    put(bench, '=');
}

static void put_hex(struct golden_bench *bench, const char *key, const uint8_t *data, size_t size)
{
    put_key(bench, key);
    for (size_t i = 0; i < size; i++) {
        put(bench, "0123456789ABCDEF"[data[i] >> 4]);
        put(bench, "0123456789ABCDEF"[data[i] & 15]);
    }
}

/* Zero says nothing: it is left out. */
static void put_number(struct golden_bench *bench, const char *key, uint64_t value, size_t size)
{
    uint8_t out[8];
    if (value == 0) return;
    for (size_t i = 0; i < size; i++) out[i] = (uint8_t)(value >> 8 * (size - 1 - i));
    put_hex(bench, key, out, size);
}

/* Size and sum: the bytes themselves would fill the file. */
static void put_sum(struct golden_bench *bench, const char *key, cemv_bytes data)
{
    const uint64_t sum = sum_bytes(SUM_EMPTY, data.data, data.size);
    put_number(bench, key, data.size ? (uint64_t)data.size << 48 | sum >> 16 : 0, 8);
}

void golden_describe(struct golden_bench *bench, const struct cemv_session *session)
{
    const struct cemv_outcome o = cemv_session_outcome(session);
    const cemv_bytes record = cemv_session_data_record(session), more = cemv_session_discretionary(session);
    const cemv_bytes name = cemv_session_df_name(session);
    const uint8_t flags = (uint8_t)(o.receipt | o.ui_on_outcome_present << 1 | o.ui_on_restart_present << 2 |
                                    o.data_record_present << 3 | o.discretionary_present << 4);
    uint64_t error = 0;
    bench->line_size = 0;
    put_number(bench, "step", cemv_session_step(session), 1);
    put_number(bench, "status", o.status, 1);
    put_number(bench, "start", o.start, 1);
    put_number(bench, "online", o.online_response, 1);
    put_number(bench, "cvm", o.cvm, 1);
    put_number(bench, "interface", o.alternate_interface, 1);
    put_number(bench, "flags", flags, 1);
    put_number(bench, "reason", o.reason, 1);
    if (o.kernel_id_size) put_hex(bench, "kernel", o.kernel_id, o.kernel_id_size);
    for (size_t i = 0; i < sizeof o.error_indication; i++) error = error << 8 | o.error_indication[i];
    put_number(bench, "error", error, 6);
    put_number(bench, "removal", o.removal_timeout_100ms, 2);
    put_number(bench, "off", o.field_off_100ms, 2);
    put_number(bench, "findings", o.findings, 4);
    put_number(bench, "taps", cemv_session_taps(session), 1);
    put_number(bench, "commands", cemv_session_commands(session), 2);
    if (o.ui_on_outcome_present)
        mix_request(bench, &o.ui_on_outcome),
            put_number(bench, "ui", (uint64_t)o.ui_on_outcome.message << 8 | o.ui_on_outcome.status, 2);
    if (o.ui_on_restart_present)
        mix_request(bench, &o.ui_on_restart),
            put_number(bench, "again", (uint64_t)o.ui_on_restart.message << 8 | o.ui_on_restart.status, 2);
    put_number(bench, "seen", bench->seen, 8);
    if (name.size) put_hex(bench, "name", name.data, name.size);
    put_sum(bench, "record", record);
    put_sum(bench, "more", more);
    if (bench->line_size == GOLDEN_LINE) bench->line_size = 0;
}

cemv_bytes golden_line(const struct golden_bench *bench)
{
    return (cemv_bytes){ (const uint8_t *)bench->line, bench->line_size };
}

/* All of the store but what stays for the outcome, which lies elsewhere. */
bool golden_is_wiped(const struct cemv_session *session)
{
    const uint8_t *store = (const uint8_t *)&session->kernel.store;
    for (size_t i = 0; i < sizeof session->kernel.store; i++)
        if (store[i]) return false;
    return true;
}

enum cemv_status golden_begin(const struct golden_tap *tap, struct golden_bench *bench, struct cemv_session **session)
{
    struct cemv_config_error error;
    struct cemv_transaction sale = tap->transaction;
    if (!tap->keeps_memory) __builtin_memset(&bench->reader, 0, sizeof bench->reader);
    sale.reader = &bench->reader;
    bench->seen = 14695981039346656037u;
    bench->at = 0;
    bench->line_size = 0;
    return cemv_session_begin(bench->memory, sizeof bench->memory, tap->reader->checked, &sale, tap->random, session,
                              &error);
}

static bool equal(cemv_bytes a, cemv_bytes b)
{
    return a.size == b.size && (a.size == 0 || __builtin_memcmp(a.data, b.data, a.size) == 0);
}

enum golden_verdict golden_play(const struct golden_tap *tap, struct golden_bench *bench)
{
    struct cemv_session *session;
    enum golden_verdict verdict = GOLDEN_SAME;
    if (golden_begin(tap, bench, &session) != CEMV_OK) return GOLDEN_NOT_BEGUN;
    golden_see(bench, session);
    for (; bench->at < tap->reply_count && verdict == GOLDEN_SAME; bench->at++) {
        const struct golden_reply *given = &tap->replies[bench->at];
        const struct cemv_reply reply = { .kind = given->kind, .elapsed_us = given->elapsed_us, .bytes = given->bytes };
        const cemv_bytes command = cemv_session_command(session);
        if (!cemv_session_takes(session, reply.kind)) verdict = GOLDEN_OTHER_STEP;
        else if (given->command.size && !equal(given->command, command)) verdict = GOLDEN_OTHER_COMMAND;
        else cemv_session_reply(session, &reply), golden_see(bench, session);
    }
    golden_describe(bench, session);
    if (cemv_session_step(session) == CEMV_STEP_DONE && !golden_is_wiped(session)) verdict = GOLDEN_NOT_WIPED;
    if (verdict == GOLDEN_SAME && !equal(tap->end, golden_line(bench))) verdict = GOLDEN_OTHER_END;
    cemv_session_wipe(session);
    return verdict;
}
