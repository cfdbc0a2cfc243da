/* SPDX-License-Identifier: Apache-2.0 */
/* Compares CEMV's results with the sheets of k8-vectors.json: five whole transactions, EC-SDSA, edge cases. A sheet
 * names its values; a value that only other parties compute (the card's random numbers, the issuer's keys) is an input
 * here. */
#include "independent_vectors.h"

#include <stdio.h>
#include <string.h>

#include "../../Sources/CEMV/kernels/k8/k8_channel.h"
#include "../Corpus/json.h"
#include "../Secrets/secrets.h"

enum { NODES = 2048, SHEETS_MAX = 16, VALUE_MAX = 1024 };
static struct json nodes[NODES];
static const struct json *sheets[SHEETS_MAX];
static size_t sheet_count;

struct value {
    size_t size;
    uint8_t at[VALUE_MAX];
};

/* A sheet while it is checked: the first label that did not hold. */
struct sheet {
    const struct json *values;
    const char *wrong;
};

static bool is_text(const struct json *node, const char *text) { return node && json_is(node, text); }

static const struct json *find(struct sheet *sheet, const char *label)
{
    const struct json *const node = json_member(sheet->values, label);
    if (!node && !sheet->wrong) sheet->wrong = sheet->values->name;
    return node;
}

/* The member whose name begins with the label; some names continue with an explanation in brackets. */
static const struct json *find_by_start(struct sheet *sheet, const char *label)
{
    const size_t size = strlen(label);
    for (const struct json *node = sheet->values->first; node; node = node->next)
        if (node->name_size >= size && memcmp(node->name, label, size) == 0) return node;
    return NULL;
}

static int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

static struct value value_of(const struct json *node)
{
    struct value value = { 0 };
    for (size_t i = 0; node && i + 1 < node->size && value.size < VALUE_MAX; i += 2)
        value.at[value.size++] = (uint8_t)(digit(node->text[i]) << 4 | digit(node->text[i + 1]));
    return value;
}

static struct value get(struct sheet *sheet, const char *label) { return value_of(find(sheet, label)); }
static cemv_bytes all(const struct value *value) { return (cemv_bytes){ value->at, value->size }; }

static void same(struct sheet *sheet, const struct json *node, const uint8_t *bytes, size_t size)
{
    const struct value wanted = value_of(node);
    if (node && wanted.size == size && memcmp(wanted.at, bytes, size) == 0) return;
    if (!sheet->wrong) sheet->wrong = node ? node->name : sheet->values->name;
}

static void is(struct sheet *sheet, const char *label, const uint8_t *bytes, size_t size)
{
    same(sheet, find(sheet, label), bytes, size);
}

static void is_true(struct sheet *sheet, const char *label, bool found)
{
    const struct json *const node = find(sheet, label);
    if (node && node->kind == (found ? JSON_TRUE : JSON_FALSE)) return;
    if (!sheet->wrong) sheet->wrong = node ? node->name : sheet->values->name;
}

/* Transactions ----------------------------------------------------------------------------------------------------- */

static void check_key(struct sheet *sheet, const char *name)
{
    uint8_t point[64];
    char label[40];
    snprintf(label, sizeof label, "%s.private", name);
    const struct value scalar = get(sheet, label);
    snprintf(label, sizeof label, "%s.public", name);
    test_secrets.p256_public(point, scalar.at);
    const struct value known = get(sheet, label);
    if (memcmp(point, known.at, 32) != 0) is(sheet, label, point, sizeof point);
    snprintf(label, sizeof label, "%s.recovered", name);
    if (!cemv_p256_recover(point, known.at)) memset(point, 0, sizeof point);
    is(sheet, label, point, sizeof point);
}

static void check_certificate(struct sheet *sheet, const char *name, const char *signer)
{
    const struct cemv_crypto crypto = test_crypto();
    char label[48];
    snprintf(label, sizeof label, "%s.recovered", signer);
    const struct value key = get(sheet, label), whole = get(sheet, name);
    snprintf(label, sizeof label, "%s.signed", name);
    const struct value text = get(sheet, label);
    snprintf(label, sizeof label, "%s.signature", name);
    const struct value signature = get(sheet, label);
    const cemv_bytes message = all(&text);
    const bool whole_is_both = whole.size == text.size + signature.size && memcmp(whole.at, text.at, text.size) == 0 &&
                               memcmp(whole.at + text.size, signature.at, signature.size) == 0;
    snprintf(label, sizeof label, "%s.genuine", name);
    is_true(sheet, label, whole_is_both && k8_signature_holds(&crypto, key.at, all(&signature), message));
}

static void mac(struct sheet *sheet, const uint8_t key[16], const struct json *message, const char *label, bool plus)
{
    const struct value text = value_of(message);
    const struct json *const wanted = find_by_start(sheet, label);
    uint8_t out[16];
    struct k8_mac mac = k8_mac_open(&test_secrets, key);
    for (size_t i = 0; i < text.size; i++) k8_mac_add(&mac, (cemv_bytes){ text.at + i, 1 });
    if (plus) k8_mac_close_plus(&mac, out);
    else k8_mac_close(&mac, out);
    same(sheet, wanted, out, wanted ? wanted->size / 2 : 0);
}

static void counter_mode(struct sheet *sheet, const struct k8_channel *channel, uint16_t counter, struct value text,
                         const struct json *wanted)
{
    k8_counter_mode(&test_secrets, channel->confidentiality, counter, text.at, text.size);
    same(sheet, wanted, text.at, text.size);
}

/* The counter that a label names in brackets. */
static uint16_t counter_of(const struct json *node)
{
    unsigned counter = 0;
    const char *const at = node ? strstr(node->name, "counter ") : NULL;
    if (at) sscanf(at + strlen("counter "), "%4x", &counter);
    return (uint16_t)counter;
}

static void check_channel(struct sheet *sheet, struct k8_channel *channel)
{
    const struct cemv_crypto crypto = test_crypto();
    const struct value own = get(sheet, "kernel.private"), x = get(sheet, "blindedPublic.x"),
                       key = get(sheet, "icc.recovered"), data = get(sheet, "cardKeyData (9F8103)"),
                       shared = get(sheet, "Z");
    uint8_t point[64], out[32], factor[32];
    test_secrets.p256_public(point, own.at);
    is(sheet, "kernel.public (9E)", point, sizeof point);
    if (!crypto_p256_is_private(own.at) || !cemv_p256_recover(point, x.at)) memset(point, 0, sizeof point);
    test_secrets.p256_multiply(out, own.at, point);
    is(sheet, "Z", out, sizeof out);
    is(sheet, "Z by the card", shared.at, shared.size);
    static const uint8_t zeros[16];
    mac(sheet, zeros, find(sheet, "Z"), "KDK", false);
    if (!k8_channel_open(channel, &crypto, own.at, all(&data), factor)) memset(channel, 0, sizeof *channel);
    is(sheet, "SKc", channel->confidentiality, sizeof channel->confidentiality);
    is(sheet, "SKi", channel->integrity, sizeof channel->integrity);
    is(sheet, "blindingFactor", factor, sizeof factor);
    is_true(sheet, "blindingFactor.valid", k8_blinding_holds(&crypto, factor, key.at, x.at));
    const struct json *const enciphered = find_by_start(sheet, "encryptedBlindingFactor");
    const struct value known = get(sheet, "blindingFactor");
    counter_mode(sheet, channel, counter_of(enciphered), known, enciphered);
}

static void check_messages(struct sheet *sheet, const struct k8_channel *channel)
{
    const struct json *const record = find_by_start(sheet, "record1.encrypted"),
                             *const second = find_by_start(sheet, "record2.encrypted"),
                             *const read = find_by_start(sheet, "readData.response");
    const struct value response = value_of(read);
    struct value first = value_of(record), rest = value_of(second);
    k8_counter_mode(&test_secrets, channel->confidentiality, counter_of(record), first.at, first.size);
    k8_counter_mode(&test_secrets, channel->confidentiality, counter_of(second), rest.at, rest.size);
    memcpy(first.at + first.size, rest.at, rest.size);
    same(sheet, find(sheet, "signedRecords"), first.at, first.size + rest.size);
    const size_t size = response.size - K8_MAC_SIZE;
    const cemv_bytes text = { response.at, size };
    struct value plain = response;
    plain.size = size;
    if (!k8_mac_holds(&test_secrets, channel->integrity, counter_of(read), &text, 1, response.at + size))
        plain.size = 0;
    counter_mode(sheet, channel, counter_of(read), plain, find(sheet, "readData.decrypted"));
    is(sheet, "envelope", get(sheet, "readData.decrypted").at, get(sheet, "readData.decrypted").size);
}

/* An envelope is sent enciphered; the response is a MAC of the plaintext. */
static void check_writing(struct sheet *sheet, const struct k8_channel *channel, const char *number)
{
    char label[32];
    snprintf(label, sizeof label, "writeData%s.command", number);
    const struct json *const command = find_by_start(sheet, label);
    snprintf(label, sizeof label, "writeData%s.response", number);
    const struct json *const response = find_by_start(sheet, label);
    struct value text = value_of(command);
    const struct value mac = value_of(response);
    k8_counter_mode(&test_secrets, channel->confidentiality, counter_of(command), text.at, text.size);
    const cemv_bytes plain = all(&text);
    const bool is_envelope = text.size > 3 && text.at[0] == 0x9F && text.at[1] == 0x81;
    if (!is_envelope || !k8_mac_holds(&test_secrets, channel->integrity, counter_of(response), &plain, 1, mac.at))
        same(sheet, response, NULL, 0);
}

static void check_cryptogram(struct sheet *sheet, const struct k8_channel *channel)
{
    const struct value session = get(sheet, "acSessionKey"), cryptogram = get(sheet, "applicationCryptogram"),
                       iad_mac = get(sheet, "iadMac"), records = get(sheet, "signedRecords"),
                       extended = get(sheet, "extendedSdaData"), profile = get(sheet, "aip"),
                       iad = value_of(find_by_start(sheet, "iad.withMac"));
    const struct json *const of_version_1 = find_by_start(sheet, "edaMac (version 1");
    const struct json *const eda = of_version_1 ? of_version_1 : find(sheet, "edaMac");
    const cemv_bytes pieces[] = { all(&records), all(&extended), all(&profile) };
    const cemv_bytes bound[] = { all(&cryptogram), of_version_1 ? all(&iad) : all(&iad_mac) };
    const struct value expected = value_of(eda);
    uint8_t digest[32];
    cemv_crypto_builtin.sha256(digest, pieces, 3);
    is(sheet, "sdaHash", digest, sizeof digest);
    mac(sheet, session.at, find(sheet, "ac.message"), "applicationCryptogram", false);
    mac(sheet, channel->integrity, find(sheet, "iadMac.message"), "iadMac.Hn", false);
    mac(sheet, channel->integrity, find(sheet, "iadMac.message"), "iadMac.cmacPlus", true);
    is(sheet, "iadMac", get(sheet, "iadMac.cmacPlus").at, K8_MAC_SIZE);
    if (!k8_mac_holds(&test_secrets, channel->integrity, 0, bound, 2, expected.at)) same(sheet, eda, NULL, 0);
}

static void check_transaction(struct sheet *sheet)
{
    static const char *const keys[] = { "ca", "issuer", "icc" };
    struct k8_channel channel;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) check_key(sheet, keys[i]);
    check_certificate(sheet, "issuerCertificate", "ca");
    check_certificate(sheet, "iccCertificate", "issuer");
    check_channel(sheet, &channel);
    check_messages(sheet, &channel);
    check_cryptogram(sheet, &channel);
    check_writing(sheet, &channel, "1");
    check_writing(sheet, &channel, "2");
}

/* EC-SDSA and edges ------------------------------------------------------------------------------------------------ */

static void check_signatures(struct sheet *sheet)
{
    const struct cemv_crypto crypto = test_crypto();
    const struct value key = get(sheet, "public.recovered");
    struct value message = { 0 };
    uint8_t point[64];
    if (!cemv_p256_recover(point, get(sheet, "public").at)) memset(point, 0, sizeof point);
    is(sheet, "public.recovered", point, sizeof point);
    for (const struct json *node = sheet->values->first; node; node = node->next) {
        char label[60];
        const size_t size = node->name_size;
        snprintf(label, sizeof label, "%.*s", (int)size, node->name);
        if (size > 8 && memcmp(node->name + size - 8, ".message", 8) == 0) message = value_of(node);
        char *const genuine = strstr(label, "genuine");
        if (!genuine) continue;
        if (strncmp(label, "refuse", 6) == 0) genuine[-2] = '\0';
        else memcpy(genuine, "signature", sizeof "signature");
        const struct value signature = get(sheet, label);
        const cemv_bytes text = all(&message);
        const bool holds = k8_signature_holds(&crypto, key.at, all(&signature), text);
        if (node->kind != (holds ? JSON_TRUE : JSON_FALSE)) same(sheet, node, NULL, 0);
    }
}

static void check_edges(struct sheet *sheet)
{
    const struct cemv_crypto crypto = test_crypto();
    const struct value key = get(sheet, "icc.x"), x = get(sheet, "blinded.x"), k = get(sheet, "key");
    struct value r = get(sheet, "r");
    static const uint8_t zeros[32];
    uint8_t point[64];
    if (cemv_p256_recover(point, get(sheet, "x without a point").at) ||
        cemv_p256_recover(point, get(sheet, "x not below p (its residue has a point)").at))
        same(sheet, sheet->values->first, NULL, 0);
    if (!k8_blinding_holds(&crypto, r.at, key.at, x.at)) is(sheet, "blinded.x", NULL, 0);
    is_true(sheet, "r = 0: valid", k8_blinding_holds(&crypto, zeros, key.at, x.at));
    r.at[31]++;
    is_true(sheet, "r + 1: valid", k8_blinding_holds(&crypto, r.at, key.at, x.at));
    for (const struct json *node = sheet->values->first; node; node = node->next) {
        unsigned last, count, counter;
        char label[60], plus[2] = { 0 };
        uint8_t text[64], out[64] = { 0 };
        snprintf(label, sizeof label, "%.*s", (int)node->name_size, node->name);
        for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)i;
        if (sscanf(label, "ctr keystream, counter %x, %u", &counter, &count) == 2) {
            k8_counter_mode(&test_secrets, k.at, (uint16_t)counter, out, count);
            same(sheet, node, out, count);
        } else if (sscanf(label, "cmac%1[+ ]of 00..%x (%u", plus, &last, &count) == 3 ||
                   sscanf(label, "cmac%1[+] of 00..%x (%u", plus, &last, &count) == 3) {
            struct k8_mac mac = k8_mac_open(&test_secrets, k.at);
            k8_mac_add(&mac, (cemv_bytes){ text, count });
            if (plus[0] == '+') k8_mac_close_plus(&mac, out);
            else k8_mac_close(&mac, out);
            same(sheet, node, out, 16);
        }
    }
}

/* The file --------------------------------------------------------------------------------------------------------- */

bool independent_vectors_open(const char *text, size_t size)
{
    struct json_reader reader = { .text = text, .size = size, .nodes = nodes, .capacity = NODES };
    const struct json *const root = json_read(&reader);
    const struct json *const list = root ? json_member(root, "sheets") : NULL;
    if (!list || !is_text(json_member(root, "format"), "k8-vectors/1")) return false;
    for (const struct json *sheet = list->first; sheet && sheet_count < SHEETS_MAX; sheet = sheet->next)
        sheets[sheet_count++] = sheet;
    return sheet_count != 0;
}

size_t independent_vectors_count(void) { return sheet_count; }

bool independent_vectors_hold(size_t number, const char **label)
{
    struct sheet sheet = { .values = json_member(sheets[number], "values") };
    const struct json *const name = json_member(sheets[number], "name");
    if (is_text(name, "ecsdsa-P-256")) check_signatures(&sheet);
    else if (is_text(name, "edges")) check_edges(&sheet);
    else if (!is_text(name, "ecsdsa-P-521")) check_transaction(&sheet); /* a curve that Kernel 8 does not have */
    if (label) *label = sheet.wrong;
    return sheet.wrong == NULL;
}
