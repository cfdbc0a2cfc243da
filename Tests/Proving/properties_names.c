/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of names, of hashes at the borders of their blocks, and of limits that random inputs seldom meet. */
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"
#include "../../Sources/CEMV/include/cemv_cryptogram.h"
#include "../../Sources/CEMV/include/cemv_debug.h"

/* ---- names ---- */

static const char *step(uint8_t n) { return cemv_name_of_step((enum cemv_step)n); }
static const char *status(uint8_t n) { return cemv_name_of_status((enum cemv_status)n); }
static const char *field(uint8_t n) { return cemv_name_of_field(n); }
static const char *state_of_entry(uint8_t n) { return cemv_name_of_state(NULL, n); }
static const char *state_of_kernel_2(uint8_t n) { return cemv_name_of_state(&cemv_kernel_2_names, n); }
static const char *state_of_kernel_3(uint8_t n) { return cemv_name_of_state(&cemv_kernel_3_names, n); }
static const char *wire_error(uint8_t n) { return cemv_name_of_wire_error((enum cemv_wire_error)n); }

static void properties_of_decisions(void)
{
    static const uint32_t clauses[] = { CEMV_STEP_OF(456, 36),   CEMV_CLAUSE(5, 4, 3, 1), CEMV_CLAUSE(11, 2, 0, 0),
                                        CEMV_CLAUSE(3, 7, 1, 0), CEMV_CLAUSE(3, 7, 0, 0), CEMV_CLAUSE(4, 4, 0, 0),
                                        CEMV_STEP_OF(0x2930, 2) };
    for (uint8_t number = 2; number <= 8; number++) {
        const struct cemv_kernel_names *const names = cemv_names_of_kernel(number);
        property(cemv_names_of_decision(names, clauses[number - 2]) != NULL &&
                     cemv_names_of_decision(names, CEMV_CLAUSE(1, 2, 3, 4)) == NULL,
                 "a decision by its clause", number);
        for (size_t i = 0; i < names->decision_count; i++) {
            const struct cemv_decision_name *const decision = &names->decisions[i];
            property(cemv_names_of_decision(names, decision->clause) == decision, "a clause has one row", number);
            for (size_t value = 0; value < decision->value_count; value++)
                property(strcmp(cemv_name_of_decided(decision, value), decision->values[value]) == 0,
                         "a value has its name", (unsigned)value);
            const bool named = decision->kind < CEMV_DECIDES_BITS;
            property(strcmp(cemv_name_of_decided(decision, UINT64_MAX), named ? "unknown" : "") == 0 &&
                         (decision->kind != CEMV_DECIDES_ONE_OF ||
                          strcmp(cemv_name_of_decided(decision, decision->value_count), "unknown") == 0),
                     "beyond the last value", number);
        }
    }
    static const struct {
        uint8_t kind;
        uint64_t value;
        const char *name;
    } shared[] = {
        { CEMV_DECIDES_CRYPTOGRAM, 2, "ARQC (go online)" },
        { CEMV_DECIDES_TYPE, 0x40, "TC (offline approval)" },
        { CEMV_DECIDES_TYPE, 0x41, "unknown" },
        { CEMV_DECIDES_CVM, CEMV_CVM_ONLINE_PIN, "online PIN" },
        { CEMV_DECIDES_CVM, CEMV_CVM_NA, "not applicable" },
        { CEMV_DECIDES_CVM, 0x40, "unknown" },
        { CEMV_DECIDES_SIGNATURE, CEMV_ODA_HASH, "wrong: hash" },
        { CEMV_DECIDES_SIGNATURE, CEMV_ODA_TRANSACTION_HASH, "wrong: transaction data hash" },
        { CEMV_DECIDES_SIGNATURE, 2, "unknown" },
        { CEMV_DECIDES_SIGNATURE, CEMV_ODA_TRANSACTION_HASH + 1, "unknown" },
        { CEMV_DECIDES_BITS, 1, "" },
        { CEMV_DECIDES_MEASUREMENT, 1, "" },
        { CEMV_DECIDES_MEASUREMENT + 1, 1, "unknown" }, /* a third-party kernel's mistake */
    };
    for (unsigned i = 0; i < sizeof shared / sizeof shared[0]; i++) {
        const struct cemv_decision_name decision = { .kind = shared[i].kind };
        property(strcmp(cemv_name_of_decided(&decision, shared[i].value), shared[i].name) == 0, "a shared value", i);
    }
}

void properties_of_names(void)
{
    properties_of_decisions();
    static const struct {
        const char *(*name)(uint8_t);
        unsigned first, count;
        bool distinct;
    } all[] = {
        { step, 1, 6, true },
        { status, 0, 5, true },
        { field, 1, 28, false },
        { wire_error, 0, 5, true },
        { cemv_name_of_finding, 0, CEMV_FINDING_COUNT, true },
        { cemv_name_of_scheme, 1, CEMV_SCHEME_COUNT - 1, true },
        { cemv_name_of_iad_format, 1, CEMV_IAD_FORMAT_COUNT - 1, true },
        { cemv_name_of_iad_reason, 0, 9, true },
        { cemv_name_of_session_key, 0, 5, true },
        { cemv_name_of_track_error, 0, 10, true },
        { cemv_name_of_meaning, 1, CEMV_MEANING_COUNT - 1, false },
        { cemv_name_of_outcome, 0, 0, false },
        { cemv_name_of_message, 0, 0, false },
        { state_of_entry, 0, 9, true },
        { state_of_kernel_2, 1, 8, true },
        { state_of_kernel_2, 0x12, 13, true }, /* S2 to S14 */
        { state_of_kernel_3, 1, 5, true },
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        for (unsigned n = 0; n < 256; n++) {
            const char *name = all[i].name((uint8_t)n);
            property(name != NULL && (name[0] != '\0' || n == 0), "every number has a name, be it that it is unknown",
                     (unsigned)i * 1000 + n);
        }
        for (unsigned a = all[i].first; all[i].distinct && a < all[i].first + all[i].count; a++)
            for (unsigned b = all[i].first; b < a; b++)
                property(strcmp(all[i].name((uint8_t)a), all[i].name((uint8_t)b)) != 0, "names differ",
                         (unsigned)i * 1000 + a);
    }
    static const uint8_t messages[] = { 0x03, 0x07, 0x09, 0x0F, 0x10, 0x14, 0x15, 0x16, 0x17,
                                        0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E, 0x20, 0x21 };
    static const uint8_t outcomes[] = { 0x10, 0x20, 0x30, 0x34, 0x40, 0x50, 0x60, 0x70 };
    for (size_t i = 0; i < sizeof messages; i++)
        property(strcmp(cemv_name_of_message(messages[i]), cemv_name_of_message(0xEE)) != 0, "a message is known",
                 messages[i]);
    for (size_t i = 0; i < sizeof outcomes; i++)
        property(strcmp(cemv_name_of_outcome(outcomes[i]), cemv_name_of_outcome(0xEE)) != 0, "an outcome is known",
                 outcomes[i]);
    for (unsigned layout = 0; layout < CEMV_LAYOUT_COUNT + 1; layout++)
        for (unsigned meaning = 0; meaning < CEMV_MEANING_COUNT + 1; meaning++)
            for (unsigned value = 0; value < 33; value++)
                property(cemv_name_of_value((uint8_t)layout, (uint8_t)meaning, (uint8_t)value) != NULL,
                         "a value has a name or none", meaning);
    static const struct {
        uint32_t tag;
        uint8_t kernel;
        const char *name;
    } named[] = {
        { 0x9F02, 0, "Amount, Authorised (Numeric)" },
        { 0x9F02, 8, "Amount, Authorised (Numeric)" },
        { 0x9F6E, 2, "Third Party Data" },
        { 0x9F6E, 3, "Form Factor Indicator (FFI)" },
        { 0x9F6E, 0, "Third Party Data" },
        { 0xDF8115, 3, "Error Indication" },
        { 0x9F7B, 2, "Unknown" },
    };
    for (unsigned i = 0; i < sizeof named / sizeof named[0]; i++)
        property(strcmp(cemv_name_of_tag(named[i].tag, named[i].kernel), named[i].name) == 0, "a kernel's own name", i);
    const char *meanings[8];
    property(cemv_names_of_tag(0x9F66, meanings, 8) == 2 && strcmp(meanings[0], "PUNATC (Track2)") == 0 &&
                 strcmp(meanings[1], "Terminal Transaction Qualifiers (TTQ)") == 0,
             "what three kernels call the same is named once", 0);
    property(cemv_names_of_tag(0x9F66, meanings, 1) == 1 && cemv_names_of_tag(0x9F7B, meanings, 8) == 0,
             "as many as there is room for, and none", 0);
    property(cemv_names_of_kernel(2) == &cemv_kernel_2_names && cemv_names_of_kernel(3) == &cemv_kernel_3_names,
             "a kernel's names by its number", 0);
    property(cemv_names_of_kernel(0) == NULL && cemv_names_of_kernel(0x21) == NULL, "no kernel, no names", 0);
    const char *const unknown = cemv_name_of_tag(0x9F7B, 0);
    for (size_t row = 0; row < TAG_ROWS; row++)
        property(strcmp(cemv_name_of_tag(tag_row_at(row)->tag, 0), unknown) != 0, "a tag of the tables has a name",
                 tag_row_at(row)->tag);
}

/* ---- hashes: every size around the borders of a block, in one piece and byte by byte ---- */

static void properties_of_blocks(void)
{
    static const uint8_t two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    static const uint8_t sum1[] = { 0x84, 0x98, 0x3E, 0x44, 0x1C, 0x3B, 0xD2, 0x6E },
                         sum256[] = { 0x24, 0x8D, 0x6A, 0x61, 0xD2, 0x06, 0x38, 0xB8 };
    uint8_t text[200], whole[32], parts[32];
    cemv_bytes piece = of(two_blocks, 56);
    cemv_crypto_builtin.sha1(whole, &piece, 1);
    property(memcmp(whole, sum1, sizeof sum1) == 0, "SHA-1 of 56 bytes", 0);
    cemv_crypto_builtin.sha256(whole, &piece, 1);
    property(memcmp(whole, sum256, sizeof sum256) == 0, "SHA-256 of 56 bytes", 0);
    for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)(i * 7);
    static uint8_t all[2][201 * 32];
    for (size_t size = 0; size <= sizeof text; size++) {
        struct cemv_sha1 first;
        struct cemv_sha256 second;
        cemv_sha1_init(&first);
        cemv_sha256_init(&second);
        for (size_t i = 0; i < size; i++) {
            cemv_sha1_update(&first, of(text + i, 1));
            cemv_sha256_update(&second, of(text + i, 1));
        }
        piece = of(text, size);
        cemv_sha1_final(&first, parts);
        cemv_crypto_builtin.sha1(whole, &piece, 1);
        property(memcmp(whole, parts, 20) == 0, "SHA-1 does not care for pieces", (unsigned)size);
        memcpy(all[0] + 20 * size, parts, 20);
        cemv_sha256_final(&second, parts);
        cemv_crypto_builtin.sha256(whole, &piece, 1);
        property(memcmp(whole, parts, 32) == 0, "SHA-256 does not care for pieces", (unsigned)size);
        memcpy(all[1] + 32 * size, parts, 32);
    }
    /* Digests of all these digests, as another implementation has them. */
    static const uint8_t sums[2][8] = { { 0x66, 0xFB, 0x11, 0x9E, 0xA1, 0xDB, 0x5E, 0xCE },
                                        { 0xC4, 0x36, 0x14, 0xCA, 0x86, 0xD0, 0x50, 0xB8 } };
    for (unsigned i = 0; i < 2; i++) {
        piece = of(all[i], (i ? 32u : 20u) * 201u);
        cemv_crypto_builtin.sha256(whole, &piece, 1);
        property(memcmp(whole, sums[i], 8) == 0, "digests of every size", i);
    }
}

static void properties_of_ends(void)
{
    uint8_t bytes[192], out[2][32];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * 5);
    for (size_t size = 0; size <= 192; size += 32) {
        const cemv_bytes last = of(guarded_copy(bytes, size), size), first = of(bytes, size);
        cemv_crypto_builtin.sha1(out[0], &last, 1);
        cemv_crypto_builtin.sha1(out[1], &first, 1);
        property(memcmp(out[0], out[1], 20) == 0, "SHA-1 at the end of memory", (unsigned)size);
        cemv_crypto_builtin.sha256(out[0], &last, 1);
        cemv_crypto_builtin.sha256(out[1], &first, 1);
        property(memcmp(out[0], out[1], 32) == 0, "SHA-256 at the end of memory", (unsigned)size);
    }
}

/* ---- limits ---- */

static void properties_of_depth(void)
{
    for (unsigned deep = 1; deep < 12; deep++) {
        uint8_t bytes[32];
        const size_t size = 2 * deep + 3;
        for (unsigned i = 0; i < deep; i++) {
            bytes[2 * i] = 0x70;
            bytes[2 * i + 1] = (uint8_t)(size - 2 * i - 2);
        }
        memcpy(bytes + 2 * deep, "\x9C\1\0", 3);
        struct cemv_tlv_walk walk = cemv_tlv_walk_open(of(bytes, size));
        struct cemv_tlv object;
        uint8_t depth = 0;
        unsigned nodes = 0;
        while (cemv_tlv_walk_next(&walk, &object, &depth)) nodes++;
        const bool fits = deep < CEMV_TLV_MAX_DEPTH;
        property(walk.error == (fits ? CEMV_WIRE_OK : CEMV_WIRE_TOO_DEEP), "eight levels are walked", deep);
        property(fits ? nodes == deep + 1 : nodes <= CEMV_TLV_MAX_DEPTH, "and no more", deep);
        property(cemv_tlv_check(of(bytes, size), NULL) == walk.error, "check and walk agree", deep);
        memcpy(bytes + 2 * deep, "\x70\0\0", 3);
        property(cemv_tlv_check(of(bytes, size), NULL) == walk.error, "an empty template is no level", deep);
    }
    /* Length fields of up to four bytes are valid, but the values do not fit. Nothing is read or written here. */
    for (unsigned bits = 7; bits < 8 * sizeof(size_t); bits++) {
        const size_t length = (size_t)1 << bits;
        const enum cemv_wire_error expected = bits < 32 ? CEMV_WIRE_NO_SPACE : CEMV_WIRE_LONG_LENGTH;
        uint8_t room[16];
        struct cemv_writer writer = cemv_writer_open(room, sizeof room);
        cemv_writer_put_tlv(&writer, 0x9F10, (cemv_bytes){ room, length });
        property(writer.error == expected && writer.size == 0, "a length of five bytes is not written", bits);
        writer =
            (struct cemv_writer){ .data = room, .size = length + 2, .capacity = length + 2, .depth = 1, .open = { 2 } };
        cemv_writer_close_tlv(&writer);
        property(writer.error == expected && writer.size == length + 2, "nor for a template", bits);
    }
}

/* Runs of signed records are counted; the last that fits, and one more. */
static void properties_of_spans(void)
{
    static struct cemv_store store;
    cemv_bytes pieces[CEMV_STORE_SPANS];
    cemv_store_clear(&store, &no_tags, 0);
    for (unsigned i = 0; i < CEMV_STORE_SPANS + 2; i++) {
        property(cemv_store_signed(&store, pieces) == (i < CEMV_STORE_SPANS ? i : CEMV_STORE_SPANS), "runs so far", i);
        property(store.spans_overflowed == (i > CEMV_STORE_SPANS), "more runs than fit", i);
        const uint8_t record[] = { 0x70, 0x04, 0xDF, 0x7E, 0x01, (uint8_t)i };
        property(cemv_store_record(&store, of(record, 6), true, true) == CEMV_STORE_OK &&
                     cemv_store_record(&store, of(record, 6), false, true) == CEMV_STORE_OK,
                 "a record", i);
    }
}

/* An error stays, even if there is more to read. */
static void properties_of_errors(void)
{
    static const uint8_t good[] = { 0x70, 3, 0x9C, 1, 2, 0x9A };
    struct cemv_tlv object;
    struct cemv_dol_entry entry;
    uint8_t depth;
    uint32_t tag = 7;
    const uint8_t *at = good + 6;
    property(cemv_tag_read(&at, good + 6, &tag) == CEMV_WIRE_TRUNCATED_TAG && at == good + 6 && tag == 7,
             "no byte, no tag", 0);
    struct cemv_tlv_cursor cursor = cemv_tlv_open(of(good, 5));
    cursor.error = CEMV_WIRE_LONG_TAG;
    property(!cemv_tlv_next_other(&cursor, &object) && cursor.error == CEMV_WIRE_LONG_TAG, "an error of a cursor", 0);
    struct cemv_tlv_walk walk = cemv_tlv_walk_open(of(good, 6));
    property(cemv_tlv_walk_next(&walk, &object, &depth) && cemv_tlv_walk_next(&walk, &object, &depth), "two objects",
             0);
    for (unsigned i = 0; i < 3; i++)
        property(!cemv_tlv_walk_next(&walk, &object, &depth) && walk.error == CEMV_WIRE_TRUNCATED_LENGTH,
                 "an error of a walk", i);
    walk = cemv_tlv_walk_open(of(good, 5));
    walk.error = CEMV_WIRE_TOO_DEEP;
    property(!cemv_tlv_walk_next(&walk, &object, &depth) && walk.error == CEMV_WIRE_TOO_DEEP, "an error of a walk", 3);
    struct cemv_dol_cursor list = cemv_dol_open(of(good, 5));
    for (unsigned i = 0; i < 5; i++)
        property(cemv_dol_next(&list, &entry) == (i == 0 || i == 1) && (list.error == CEMV_WIRE_OK) == (i < 2),
                 "an error of a list", i);
    list = cemv_dol_open(of(good, 2));
    list.error = CEMV_WIRE_LONG_TAG;
    property(!cemv_dol_next(&list, &entry) && list.error == CEMV_WIRE_LONG_TAG, "an error of a list", 5);
    property(cemv_dol_value_size(of(good, 4), NULL) == 3 + 1, "a size for whom the error is none", 0);
    static const uint8_t numbers[][2] = { { 0x12, 0x3F }, { 0x12, 0xA3 }, { 0x1A, 0xFF } };
    for (unsigned i = 0; i < 9; i++)
        property(cemv_cn_equal(of(numbers[i / 3], 2), of(numbers[i % 3], 2)) == (i == 0), "only numbers are equal", i);
}

static void properties_of_numbers_drawn(void)
{
    struct cemv_random random = { 0 };
    uint8_t number[4];
    for (unsigned i = 0; i < 40; i++) {
        const uint8_t fresh[] = { 1, 2, 3, (uint8_t)i };
        property(!cemv_random_seen(&random, fresh), "a new number", i);
        property(cemv_random_seen(&random, fresh), "stands there from then on", i);
        for (unsigned back = 0; back < 3 && back < i; back++) {
            const uint8_t old[] = { 1, 2, 3, (uint8_t)(i - 1 - back) };
            struct cemv_random copy = random;
            property(cemv_random_seen(&copy, old), "the last ones are remembered", i);
        }
    }
    static const uint8_t pool[40] = { 9, 8, 7, 6, 5, 4, 3, 2 };
    for (size_t size = 4; size <= sizeof pool; size++) {
        memset(&random, 0, sizeof random);
        cemv_random_fill(&random, of(pool, size));
        const size_t kept = size < CEMV_RANDOM_POOL ? size : CEMV_RANDOM_POOL;
        size_t drawn = 0;
        while (cemv_random_draw(&random, number)) {
            property(memcmp(number, pool + 4 * drawn, 4) == 0, "numbers come in order", (unsigned)size);
            drawn++;
        }
        property(drawn == kept / 4, "four bytes a number", (unsigned)size);
    }
}

void properties_of_limits(void)
{
    PART(properties_of_blocks);
    PART(properties_of_ends);
    PART(properties_of_depth);
    PART(properties_of_spans);
    PART(properties_of_errors);
    PART(properties_of_numbers_drawn);
}
