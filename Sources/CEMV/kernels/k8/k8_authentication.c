/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 8: the data and proofs that bind a transaction: static data and their hash, IAD-MAC and EDA-MAC, certificates
 * and the blinding factor (Book C-8 v1.0, states 26 to 29, processes C.24 to C.54 and C.71).
 *
 * There are three proofs. The certificates prove that a key and the static data belong to a card of the issuer. The
 * blinding factor proves that this card is the other end of the channel, without its public key ever being sent in the
 * clear. The MACs prove that both ends agree on the transaction. Sends nothing. */
#include "k8_memory.h"

/* Static data ------------------------------------------------------------------------------------------------------ */

/* The data under the card's certificate: the signed records in the order of reading, the objects of the Extended SDA
 * Tag List, and the AIP. */

/* Signed Records, Extended SDA data, AIP. */
enum { PIECES_MAX = CEMV_MAX_RECORDS + 2 };
static size_t static_data(const struct cemv_kernel *kernel, cemv_bytes pieces[PIECES_MAX])
{
    const struct k8_memory *const memory = k8_memory_of(kernel);
    size_t count = 0;
    while (count < memory->signed_count) {
        pieces[count] = cemv_span_bytes(&kernel->store, memory->signed_records[count]);
        count++;
    }
    pieces[count++] = cemv_span_bytes(&kernel->store, memory->extended);
    pieces[count++] = cemv_value(kernel, CEMV_SLOT_82);
    return count;
}

/* SHA-256 over the pieces in place, so nothing is copied. A certificate on the curve contains this hash. */
kernel_noinline static void hash_static_data(const struct cemv_kernel *kernel, uint8_t hash[CEMV_SHA256_SIZE])
{
    cemv_bytes pieces[PIECES_MAX];
    kernel->checked->crypto->sha256(hash, pieces, static_data(kernel, pieces));
}

/* Before GENERATE AC these objects already count as signed; the certificate shows later whether they are (attacks.md,
 * A35). */
void k8_cover_extended(struct cemv_kernel *kernel)
{
    cemv_bytes list = cemv_value(kernel, K8_SLOT_9F810A);
    bool bad = false;
    uint32_t tag;
    uint16_t slot;
    while (k8_next_tag(&list, &tag, &bad))
        if (k8_object_of(kernel->store.tags, tag, &slot) == K8_THE_CARDS && cemv_store_has(&kernel->store, slot))
            k8_cover(kernel, slot);
}

/* Writes the whole object of each tag, without a value if it is absent (2627.8). It is written in its final position in
 * the arena, since the hash needs it in one piece. */
bool k8_gather_extended(struct cemv_kernel *kernel)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    struct cemv_store *const store = &kernel->store;
    struct cemv_writer writer = cemv_writer_open(store->arena + store->used, cemv_store_left(store));
    cemv_bytes list = cemv_value(kernel, K8_SLOT_9F810A), value;
    bool bad = false;
    uint32_t tag;
    k8_cover_extended(kernel);
    while (k8_next_tag(&list, &tag, &bad)) {
        (void)k8_find(kernel, tag, &value);
        cemv_writer_put_tlv(&writer, tag, value);
    }
    if (bad || writer.error != CEMV_WIRE_OK) return false;
    memory->extended = (struct cemv_span){ store->used, (uint16_t)writer.size };
    store->used = (uint16_t)(store->used + writer.size);
    if (store->used > store->high) store->high = store->used;
    hash_static_data(kernel, memory->hash);
    return true;
}

/* MACs ------------------------------------------------------------------------------------------------------------- */

/* Both use a session key. The IAD-MAC covers everything that was exchanged; a copy is sent to the issuer inside 9F10,
 * under the cryptogram. The EDA-MAC comes from the card and covers the cryptogram and, in version 2, the IAD-MAC. */

/* Adds the objects of the response as received, except the cryptogram and its MAC and, for a card of version 1,
 * 9F10. */
static void add_answer(const struct cemv_kernel *kernel, struct k8_mac *mac)
{
    const struct k8_memory *const memory = k8_memory_of(kernel);
    struct k8_walk walk = k8_walk_open(cemv_span_bytes(&kernel->store, memory->answer), true);
    struct cemv_tlv object = { .tag = 0 };
    (void)k8_walk_next(&walk, &object); /* the template; no response is stored without it */
    walk = k8_walk_open(object.value, true);
    while (k8_walk_next(&walk, &object)) {
        const bool of_version_1 = object.tag == CEMV_TAG_9F10_ISSUER_APPLICATION_DATA && memory->version == 1;
        if (object.tag == CEMV_TAG_9F26_APPLICATION_CRYPTOGRAM || object.tag == 0x9F8105 || of_version_1) continue;
        k8_mac_add(mac, object.whole);
    }
}

enum { COPY = 0x06, AT_DEFAULT = 0x02, AT_CARDS = 0x04 };
/* AIP byte 2 bits 3-2: 01 selects the reader's default offset, 10 the card's; 00 and 11 request no copy. */
static bool copies_mac(const struct cemv_kernel *kernel)
{
    const uint8_t how = cemv_value_byte(kernel, CEMV_SLOT_82, 1) & COPY;
    return how == AT_DEFAULT || how == AT_CARDS;
}

bool k8_mac_is_checked(const struct cemv_kernel *kernel)
{
    const struct k8_memory *const memory = k8_memory_of(kernel);
    return (memory->authentic && memory->version != 1) || copies_mac(kernel);
}

/* 28.4: copies the MAC to the offset that the AIP selects, the reader's default or the card's. Without a copy the
 * issuer cannot compare it, which is reported. */
static bool copy_into_iad(struct cemv_kernel *kernel, const uint8_t mac[K8_MAC_SIZE])
{
    const cemv_bytes iad = cemv_value(kernel, CEMV_SLOT_9F10);
    uint8_t offset = cemv_value_byte(kernel, K8_SLOT_9F821E, 0), bytes[32];
    if (!copies_mac(kernel)) {
        cemv_finding_add(kernel, CEMV_FINDING_AC_BINDING_NOT_SENT);
        return true;
    }
    if ((cemv_value_byte(kernel, CEMV_SLOT_82, 1) & COPY) == AT_CARDS) {
        if (!cemv_store_has(&kernel->store, K8_SLOT_9F8107)) return false;
        offset = cemv_value_byte(kernel, K8_SLOT_9F8107, 0);
    }
    if (!k8_offset_is_valid(offset, iad.size) || iad.size > sizeof bytes) return false;
    cemv_copy(bytes, iad.data, iad.size);
    cemv_copy(bytes + offset, mac, K8_MAC_SIZE);
    return cemv_store_put(&kernel->store, CEMV_SLOT_9F10, (cemv_bytes){ bytes, iad.size }, CEMV_FROM_CARD);
}

/* 2627.11, .12 (C.71 to C.78). The pieces are in the book's order, which both sides must share. */
bool k8_bind_iad(struct cemv_kernel *kernel)
{
    static const uint8_t counter[2];
    const struct k8_memory *const memory = k8_memory_of(kernel);
    uint8_t out[K8_BLOCK];
    struct k8_mac mac = k8_mac_open(kernel->checked->crypto->secret, memory->channel.integrity);
    k8_mac_add(&mac, (cemv_bytes){ counter, sizeof counter });
    k8_mac_add(&mac, cemv_span_bytes(&kernel->store, memory->pdol));
    k8_mac_add(&mac, cemv_span_bytes(&kernel->store, memory->cdol));
    if (memory->relay_done) k8_mac_add(&mac, (cemv_bytes){ memory->relay, sizeof memory->relay });
    add_answer(kernel, &mac);
    k8_mac_add(&mac, (cemv_bytes){ memory->hash, sizeof memory->hash });
    k8_mac_close_plus(&mac, out);
    crypto_declassify(out, K8_MAC_SIZE); /* goes to the issuer (2627.12) */
    k8_put(kernel, K8_SLOT_9F8109, out, K8_MAC_SIZE);
    return cemv_store_has(&kernel->store, K8_SLOT_9F8109) && copy_into_iad(kernel, out);
}

/* The card has computed this MAC with the session key, so only the other end of the channel can have made it. The card
 * counts its messages from 8000, so none of them has the counter 0 of this MAC. */
bool k8_eda_holds(const struct cemv_kernel *kernel)
{
    const struct k8_memory *const memory = k8_memory_of(kernel);
    const uint16_t second = memory->version == 1 ? (uint16_t)CEMV_SLOT_9F10 : (uint16_t)K8_SLOT_9F8109;
    const cemv_bytes pieces[] = { cemv_value(kernel, CEMV_SLOT_9F26), cemv_value(kernel, second) };
    return k8_mac_holds(kernel->checked->crypto->secret, memory->channel.integrity, 0, pieces, 2,
                        cemv_value(kernel, K8_SLOT_9F8105).data);
}

/* The CA key (RPC.2, RPC.3) ---------------------------------------------------------------------------------------- */

/* A payment system may have keys on the curve and RSA keys; the index of a certificate may name either kind. */

enum authority { NO_AUTHORITY, OF_CURVE, OF_RSA };
struct ca {
    enum authority kind;
    const struct cemv_curve_key *curve;
    const struct cemv_ca_key *rsa;
};

/* A CA key without a configured last day never expires. */
static bool is_past(const struct cemv_kernel *kernel, const uint8_t expires[3])
{
    uint32_t last = 0, today = 0;
    if (!cemv_date_read((cemv_bytes){ expires, 3 }, &last)) return false;
    return cemv_date_read(cemv_value(kernel, CEMV_SLOT_9A), &today) && today > last;
}

static bool is_refused(struct cemv_kernel *kernel, const uint8_t expires[3])
{
    if (!is_past(kernel, expires)) return false;
    cemv_finding_add(kernel, CEMV_FINDING_CA_KEY_EXPIRED);
    return !cemv_is_book(kernel);
}

/* Finds the CA key by the RID of the selected name. Outside profile `book` that must be the RID of the combination
 * (attacks.md, A03). */
static struct ca find_ca(struct cemv_kernel *kernel)
{
    enum { RID = 5, SUITE_P256 = 0x10 };
    const struct cemv_configuration *const configuration = &kernel->checked->configuration;
    const uint8_t *const rid = cemv_value(kernel, CEMV_SLOT_84).data;
    const uint8_t index = cemv_value_byte(kernel, CEMV_SLOT_8F, 0);
    struct ca ca = { NO_AUTHORITY, NULL, NULL };
    const bool ours = cemv_memcmp(rid, kernel->combination->aid.data, RID) == 0 || cemv_is_book(kernel);
    for (size_t i = 0; i < configuration->curve_key_count && ours; i++) {
        const struct cemv_curve_key *const key = &configuration->curve_keys[i];
        if (key->index != index || cemv_memcmp(key->rid, rid, RID) != 0) continue;
        ca.curve = key;
        if (key->suite == SUITE_P256 && !is_refused(kernel, key->expires)) ca.kind = OF_CURVE;
        break;
    }
    if (ca.curve == NULL && ours) {
        ca.rsa = cemv_ca_key_find(configuration->ca_keys, configuration->ca_key_count, rid, index);
        if (ca.rsa != NULL && !is_refused(kernel, ca.rsa->expires)) ca.kind = OF_RSA;
    }
    if (ca.curve == NULL && ca.rsa == NULL) cemv_finding_add(kernel, CEMV_FINDING_CA_KEY_MISSING);
    if ((ca.curve != NULL && ca.curve->test) || (ca.rsa != NULL && ca.rsa->test))
        cemv_finding_add(kernel, CEMV_FINDING_TEST_KEY);
    return ca;
}

/* Certificates on the curve ---------------------------------------------------------------------------------------- */

/* The issuer's certificate may have been verified in advance, while the card was busy. It is verified again if the
 * terminal has changed the date since then (4.3). */

static void now_of(const struct cemv_kernel *kernel, uint8_t now[K8_DATE_TIME])
{
    const struct cemv_transaction *const transaction = &kernel->transaction;
    const cemv_bytes date = cemv_value(kernel, CEMV_SLOT_9A), time = cemv_value(kernel, CEMV_SLOT_9F21);
    k8_utc(now, date.size == 3 ? date.data : transaction->date, time.size == 3 ? time.data : transaction->time,
           transaction->utc_offset_minutes);
}

static struct cemv_issuer_keys *issuer_keys(const struct cemv_kernel *kernel)
{
    return kernel->transaction.reader != NULL ? kernel->transaction.reader->issuer_keys : NULL;
}

static void put_ca_point(uint8_t point[2 * CEMV_P256_SIZE], const struct cemv_curve_key *ca)
{
    cemv_copy(point, ca->x.data, CEMV_P256_SIZE);
    cemv_copy(point + CEMV_P256_SIZE, ca->y.data, CEMV_P256_SIZE);
}

kernel_noinline static void recover_issuer(struct cemv_kernel *kernel, const struct cemv_curve_key *ca)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    const struct cemv_configuration *const configuration = &kernel->checked->configuration;
    uint8_t now[K8_DATE_TIME], point[2 * CEMV_P256_SIZE];
    now_of(kernel, now);
    put_ca_point(point, ca);
    const struct k8_issuer_in in = {
        .certificate = cemv_value(kernel, CEMV_SLOT_90),
        .pan = cemv_value(kernel, CEMV_SLOT_5A),
        .ca = point,
        .rid = cemv_value(kernel, CEMV_SLOT_84).data,
        .index = cemv_value_byte(kernel, CEMV_SLOT_8F, 0),
        .now = now,
        .revoked = configuration->revocations,
        .revoked_count = configuration->revocation_count,
        .keys = issuer_keys(kernel),
    };
    memory->issuer_step = k8_issuer_key(kernel->checked->crypto, &in, memory->issuer_key);
    memory->issuer_done = 1;
    cemv_copy(memory->issuer_day, now, sizeof memory->issuer_day);
}

/* Here and not where the certificate is verified, so that precomputation changes no memory of the reader. */
kernel_noinline static void remember_issuer(const struct cemv_kernel *kernel, const struct cemv_curve_key *ca)
{
    uint8_t point[2 * CEMV_P256_SIZE];
    put_ca_point(point, ca);
    crypto_issuer_point_keep(issuer_keys(kernel), point, cemv_value(kernel, CEMV_SLOT_90),
                             k8_memory_of(kernel)->issuer_key);
}

/* Recovers the card's key from the chain on the curve. An expired or revoked certificate is reported as a finding,
 * every other failing step is only a failure. */
static bool recover_on_curve(struct cemv_kernel *kernel, const struct cemv_curve_key *ca, uint8_t key[CEMV_P256_SIZE])
{
    enum { EXPIRED = 5, REVOKED = 8, CARD_EXPIRED = 4 };
    struct k8_memory *const memory = k8_memory_of(kernel);
    uint8_t now[K8_DATE_TIME];
    now_of(kernel, now);
    if (memory->issuer_done != 1 || cemv_memcmp(now, memory->issuer_day, sizeof memory->issuer_day) != 0)
        recover_issuer(kernel, ca);
    if (memory->issuer_step == EXPIRED) cemv_finding_add(kernel, CEMV_FINDING_CERTIFICATE_EXPIRED);
    if (memory->issuer_step == REVOKED) cemv_finding_add(kernel, CEMV_FINDING_CERTIFICATE_REVOKED);
    if (memory->issuer_step != 0) return false;
    remember_issuer(kernel, ca);
    const uint8_t step = k8_card_key(kernel->checked->crypto, cemv_value(kernel, CEMV_SLOT_9F46), memory->issuer_key,
                                     memory->hash, now, key);
    if (step == CARD_EXPIRED) cemv_finding_add(kernel, CEMV_FINDING_CERTIFICATE_EXPIRED);
    return step == 0;
}

/* RSA certificates (C.26, C.34) ------------------------------------------------------------------------------------ */

/* Without a date every certificate counts as expired. */
static void put_date(const struct cemv_kernel *kernel, uint8_t date[3])
{
    const cemv_bytes today = cemv_value(kernel, CEMV_SLOT_9A);
    if (today.size == 3) cemv_copy(date, today.data, 3);
}

static void noticed(struct cemv_kernel *kernel, enum cemv_oda_result result)
{
    if (result == CEMV_ODA_CERTIFICATE_EXPIRED) cemv_finding_add(kernel, CEMV_FINDING_CERTIFICATE_EXPIRED);
    if (result == CEMV_ODA_CERTIFICATE_REVOKED) cemv_finding_add(kernel, CEMV_FINDING_CERTIFICATE_REVOKED);
}

/* oda/ verifies RSA certificates, with prepared CA keys and the reader's cache of issuer keys. */
kernel_noinline static enum cemv_oda_result rsa_issuer(struct cemv_kernel *kernel, const struct cemv_ca_key *ca,
                                                       struct cemv_certificate *issuer)
{
    const struct cemv_configuration *const configuration = &kernel->checked->configuration;
    struct cemv_issuer_input input = {
        .ca = ca,
        .prepared = kernel->checked->crypto->rsa_prepare != NULL ? &kernel->checked->keys[ca - configuration->ca_keys]
                                                                 : NULL,
        .keys = issuer_keys(kernel),
        .certificate = cemv_value(kernel, CEMV_SLOT_90),
        .remainder = cemv_value(kernel, CEMV_SLOT_92),
        .exponent = cemv_value(kernel, CEMV_SLOT_9F32),
        .pan = cemv_value(kernel, CEMV_SLOT_5A),
        .revoked = configuration->revocations,
        .revoked_count = configuration->revocation_count,
    };
    put_date(kernel, input.date);
    return cemv_issuer_recover(kernel->checked->crypto, &input, issuer);
}

/* The RSA key in the card's certificate is not used, so faults of the key alone are ignored (step 11 of Book 2,
 * 6.4). */
static bool is_good(enum cemv_oda_result result)
{
    return result == CEMV_ODA_OK || result == CEMV_ODA_PADDING || result == CEMV_ODA_EXPONENT_LENGTH ||
           result == CEMV_ODA_EXPONENT || result == CEMV_ODA_MODULUS;
}

kernel_noinline static enum cemv_oda_result close_card(struct cemv_kernel *kernel, struct cemv_icc_input *input,
                                                       struct cemv_certificate *card)
{
    cemv_bytes pieces[PIECES_MAX];
    input->static_data = (struct cemv_static_data){ .pieces = pieces, .count = static_data(kernel, pieces) };
    return cemv_icc_close(kernel->checked->crypto, input, card);
}

/* The RSA chain only proves the static data. One of them is 9F810B, the card's key on the curve, with which the channel
 * was opened. */
kernel_noinline static bool rsa_chain_holds(struct cemv_kernel *kernel, const struct cemv_ca_key *ca)
{
    struct cemv_certificate issuer, card;
    enum cemv_oda_result result = rsa_issuer(kernel, ca, &issuer);
    noticed(kernel, result);
    if (result != CEMV_ODA_OK) return false;
    struct cemv_icc_input input = {
        .issuer = &issuer.key,
        .certificate = cemv_value(kernel, CEMV_SLOT_9F46),
        .remainder = cemv_value(kernel, CEMV_SLOT_9F48),
        .exponent = cemv_value(kernel, CEMV_SLOT_9F47),
        .pan = cemv_value(kernel, CEMV_SLOT_5A),
    };
    put_date(kernel, input.date);
    result = cemv_icc_open(kernel->checked->crypto, &input, &card);
    if (result == CEMV_ODA_OK) result = close_card(kernel, &input, &card);
    noticed(kernel, result);
    return is_good(result);
}

/* 9F810B from the signed data (C.38), never from an unsigned record. */
kernel_noinline static bool find_signed_key(const struct cemv_kernel *kernel, uint8_t key[CEMV_P256_SIZE])
{
    cemv_bytes pieces[PIECES_MAX];
    const size_t count = static_data(kernel, pieces) - 1;
    for (size_t i = 0; i < count; i++) {
        struct k8_walk walk = k8_walk_open(pieces[i], true);
        struct cemv_tlv object;
        while (k8_walk_next(&walk, &object)) {
            if (object.tag != 0x9F810B) continue;
            if (object.value.size != CEMV_P256_SIZE) return false;
            cemv_copy(key, object.value.data, CEMV_P256_SIZE);
            return true;
        }
    }
    return false;
}

/* Local authentication (S28, C.50) --------------------------------------------------------------------------------- */

/* The objects that each kind of chain requires (6.4.1). */
static bool has_chain_data(const struct cemv_kernel *kernel, enum authority kind)
{
    static const uint16_t slots[] = { CEMV_SLOT_90, CEMV_SLOT_5A, CEMV_SLOT_9F46, CEMV_SLOT_9F32, CEMV_SLOT_9F47 };
    enum { OF_BOTH = 3, ALL = sizeof slots / sizeof slots[0] };
    return cemv_store_has_all(&kernel->store, slots, kind == OF_RSA ? ALL : OF_BOTH);
}

/* The card's key from the chain, multiplied by the blinding factor that came through the channel, must equal the key
 * with which the card has opened the channel. A card that sends its key without blinding can be recognised by
 * everybody, which is reported. */
uint8_t k8_authenticate(struct cemv_kernel *kernel)
{
    const struct cemv_crypto *const crypto = kernel->checked->crypto;
    const struct k8_memory *const memory = k8_memory_of(kernel);
    uint8_t key[CEMV_P256_SIZE];
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_8F)) return K8_LOCAL_DATA_MISSING;
    const struct ca ca = find_ca(kernel);
    if (ca.kind == NO_AUTHORITY) return K8_LOCAL_FAILED;
    if (!has_chain_data(kernel, ca.kind)) return K8_LOCAL_DATA_MISSING;
    if (ca.kind == OF_CURVE) {
        if (!recover_on_curve(kernel, ca.curve, key)) return K8_LOCAL_FAILED;
    } else if (!k8_configured(kernel, K8_RSA) || !rsa_chain_holds(kernel, ca.rsa) || !find_signed_key(kernel, key)) {
        return K8_LOCAL_FAILED;
    }
    const uint8_t *const blinded = cemv_value(kernel, K8_SLOT_9F8103).data;
    if (cemv_memcmp(blinded, key, sizeof key) == 0) cemv_finding_add(kernel, CEMV_FINDING_CARD_KEY_EXPOSED);
    return k8_blinding_holds(crypto, memory->factor, key, blinded) ? K8_LOCAL_GOOD : K8_LOCAL_FAILED;
}

/* A card uses a new blinding factor for each key of a kernel. If one blinded key occurs with two kernel keys, it is a
 * replay or a broken generator (attacks.md, A28). Both keys are public. */
void k8_remember_card_key(struct cemv_kernel *kernel)
{
    struct cemv_reader_memory *const reader = kernel->transaction.reader;
    struct cemv_seen_key now;
    if (reader == NULL) return;
    cemv_copy(now.card, cemv_value(kernel, K8_SLOT_9F8103).data, sizeof now.card);
    cemv_copy(now.kernel, cemv_value(kernel, K8_SLOT_9E).data, sizeof now.kernel);
    for (size_t i = 0; i < CEMV_SEEN_KEYS; i++) {
        const struct cemv_seen_key *const seen = &reader->seen[i];
        if (cemv_memcmp(seen->card, now.card, sizeof now.card) == 0 &&
            cemv_memcmp(seen->kernel, now.kernel, sizeof now.kernel) != 0)
            cemv_finding_add(kernel, CEMV_FINDING_CARD_KEY_REPEATED);
    }
    reader->seen[reader->seen_next] = now;
    reader->seen_next = (uint8_t)((reader->seen_next + 1) % CEMV_SEEN_KEYS);
}

/* True if the issuer's certificate can be verified while the card is busy: of its inputs only the date may change later
 * (4.3). */
bool k8_precompute_due(const struct cemv_kernel *kernel)
{
    static const uint16_t slots[] = { CEMV_SLOT_84, CEMV_SLOT_8F, CEMV_SLOT_90, CEMV_SLOT_5A };
    const struct k8_memory *const memory = k8_memory_of(kernel);
    return memory->issuer_done == 0 && (cemv_value_byte(kernel, CEMV_SLOT_82, 0) & 1) != 0 &&
           cemv_store_has_all(&kernel->store, slots, sizeof slots / sizeof slots[0]);
}

/* Has no effect on the outcome: findings are dropped here and made by S28, which examines the CA key again. */
bool k8_precompute(struct cemv_kernel *kernel)
{
    const uint64_t findings = kernel->findings;
    struct k8_memory *const memory = k8_memory_of(kernel);
    if (!k8_precompute_due(kernel)) return false;
    const struct ca ca = find_ca(kernel);
    kernel->findings = (uint32_t)findings;
    if (ca.kind != OF_CURVE) {
        memory->issuer_done = 2;
        return false;
    }
    recover_issuer(kernel, ca.curve);
    return true;
}
