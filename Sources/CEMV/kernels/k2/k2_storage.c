/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2, integrated data storage (Conformance/book-c2.md, 4.16): the data that the card offers to the terminal, the
 * check that they belong to this card, the digest, and the data for the DSDOL [GAC.40-48].
 *
 * A card may lend a slot of its memory to an operator, for example a transit company for a ticket. The terminal reads
 * the slot before it decides, and its new contents go out with GENERATE AC, so that one signature proves both payment
 * and ticket. Sends nothing and changes no state. */
#include "k2.h"

bool k2_capabilities_have(const struct cemv_kernel *kernel, unsigned byte, uint8_t bit)
{
    const cemv_bytes capabilities = cemv_value(kernel, K2_SLOT_9F5D);
    return capabilities.size == 3 && (capabilities.data[byte - 1] & bit) != 0;
}

/* The version of data storage that the card supports: 1, 2, or 0 without it. */
uint8_t k2_storage_version(const struct cemv_kernel *kernel)
{
    const cemv_bytes capabilities = cemv_value(kernel, K2_SLOT_9F5D);
    return capabilities.size == 3 ? capabilities.data[0] & 0x0F : 0;
}

/* DS ID must be the account that was read, otherwise the slot could belong to another card [S456.18-20]. */
bool k2_storage_id_agrees(const struct cemv_kernel *kernel)
{
    uint8_t id[11];
    const uint8_t sequence = cemv_value_byte(kernel, CEMV_SLOT_5F34, 0);
    const size_t size = k2_storage_id(cemv_value(kernel, CEMV_SLOT_5A), sequence, id);
    return cemv_bytes_equal(cemv_value(kernel, K2_SLOT_9F5E), (cemv_bytes){ id, size });
}

/* A terminal that names an operator learns the identifier of the card and its capabilities, if the reader supports data
 * storage [S1.17-20]. */
void k2_announce_storage(struct cemv_kernel *kernel)
{
    struct k2_memory *memory = k2_memory_of(kernel);
    const uint8_t version = k2_storage_version(kernel);
    if (!cemv_store_has(&kernel->store, K2_SLOT_DF810D) || !k2_is_present(kernel, K2_SLOT_9F5C)) return;
    k2_answer(kernel, K2_SLOT_9F5E, true);
    k2_answer(kernel, K2_SLOT_9F5D, true);
    if ((version == 1 || version == 2) && cemv_store_has(&kernel->store, K2_SLOT_9F5E)) memory->ids |= K2_IDS_READ;
}

/* Sends the state of the slot to the terminal [S3R1.10-13]. The slot is usable if the card sent its summary, 9F7D, and
 * either its contents (9F54, perhaps empty) or a free slot (9F5F and an unpredictable number, 9F7F). Otherwise data
 * storage is given up for this tap. The store treats an empty 9F54 as absent, so the flag set by k2_store_gpo() is
 * used. */
void k2_offer_storage(struct cemv_kernel *kernel)
{
    static const uint16_t slots[] = { K2_SLOT_9F5F, K2_SLOT_9F7D, K2_SLOT_9F7F, K2_SLOT_9F6F };
    struct k2_memory *memory = k2_memory_of(kernel);
    const struct cemv_store *store = &kernel->store;
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
        if (cemv_store_has(store, slots[i])) k2_answer(kernel, slots[i], true);
    const bool stored = k2_is_present(kernel, K2_SLOT_9F54), summary = cemv_store_has(store, K2_SLOT_9F7D);
    if (stored) k2_answer(kernel, K2_SLOT_9F54, true);
    k2_answer(kernel, CEMV_SLOT_9F37, true);
    const bool fresh = cemv_store_has(store, K2_SLOT_9F5F) && summary && cemv_store_has(store, K2_SLOT_9F7F) && !stored;
    if (!fresh && !(summary && stored)) memory->ids = (uint8_t)(memory->ids & ~K2_IDS_READ);
}

/* The one-way function of version 1, made of Triple DES (4.16). Its key is built from the identifier of the card and
 * the operator. */
void k2_owhf2(const uint8_t input[8], cemv_bytes id, const uint8_t operator_id[8], uint8_t out[8])
{
    uint8_t key[16]; /* left half: the first six bytes of the identifier; right half: its last six */
    for (size_t i = 0; i < 6; i++) {
        const uint8_t first = id.data[i], last = id.data[id.size - 6 + i];
        key[i] = (uint8_t)(((first >> 4) * 10 + (first & 0x0F)) * 2);
        key[8 + i] = (uint8_t)(((last >> 4) * 10 + (last & 0x0F)) * 2);
    }
    cemv_copy(key + 6, operator_id + 4, 2);
    cemv_copy(key + 14, operator_id + 6, 2);
    for (size_t i = 0; i < 8; i++) out[i] = input[i] ^ operator_id[i];
    cemv_des3_encrypt(key, key + 8, out);
    for (size_t i = 0; i < 8; i++) out[i] ^= input[i];
}

/* The one-way function of version 2, made of AES with a key from these two values (4.16). */
void k2_owhf2_aes(const uint8_t input[8], cemv_bytes id, const uint8_t operator_id[8], uint8_t out[8])
{
    uint8_t key[16] = { 0 }, block[16];
    cemv_copy(key + 11 - id.size, id.data, id.size);
    cemv_copy(key + 11, operator_id + 4, 4);
    key[15] = 0x3F;
    cemv_copy(block, input, 8);
    cemv_copy(block + 8, operator_id, 8);
    cemv_aes128_encrypt(key, block);
    for (size_t i = 0; i < 8; i++) out[i] = block[i] ^ input[i];
}

/* DS Digest H, DF61. A permanent slot that holds volatile data belongs to no operator, so its operator is zero. If an
 * input is missing, there is no digest, and the DSDOL is filled with zeros. */
static void put_digest(struct cemv_kernel *kernel)
{
    static const uint8_t nobody[8] = { 0 };
    const cemv_bytes input = cemv_value(kernel, K2_SLOT_DF8109), id = cemv_value(kernel, K2_SLOT_9F5E);
    const cemv_bytes control = cemv_value(kernel, K2_SLOT_9F6F), info = cemv_value(kernel, K2_SLOT_DF62),
                     operator_id = cemv_value(kernel, K2_SLOT_9F5C);
    const cemv_bytes capabilities = cemv_value(kernel, K2_SLOT_9F5D);
    const bool shared = control.size == 1 && (control.data[0] & 0x80) != 0 && info.size == 1 &&
                        (info.data[0] & 0x40) != 0;
    const uint8_t *const named = shared || operator_id.size != 8 ? nobody : operator_id.data;
    uint8_t digest[8];
    if (input.size != 8 || id.size < 8 || id.size > 11 || capabilities.size != 3) return;
    if (k2_storage_version(kernel) == 2) k2_owhf2_aes(input.data, id, named, digest);
    else k2_owhf2(input.data, id, named, digest);
    if (!cemv_store_put(&kernel->store, K2_SLOT_DF61, (cemv_bytes){ digest, sizeof digest }, CEMV_FROM_TERMINAL))
        k2_memory_of(kernel)->store_full = true;
}

/* Values for the DSDOL, after the digest is computed. All other lists pad their values to the requested length; in a
 * DSDOL the last value is not padded, so the data end with its last byte (1.1, rule 6). */
bool k2_build_storage_data(struct cemv_kernel *kernel, uint8_t *out, size_t capacity, size_t *size)
{
    const cemv_bytes dol = cemv_value(kernel, K2_SLOT_9F5B);
    struct cemv_dol_cursor cursor = cemv_dol_open(dol);
    struct cemv_dol_entry entry = { 0 };
    uint8_t data[255];
    if (cemv_dol_asks(dol, CEMV_TAG_DF61_DS_DIGEST_H, 0)) put_digest(kernel);
    if (!cemv_store_build_dol(&kernel->store, dol, false, data, sizeof data, size)) return false;
    while (cemv_dol_next(&cursor, &entry)) {
    }
    const uint16_t slot = cemv_slot_of(kernel->store.tags, entry.tag);
    const size_t held = slot == CEMV_SLOT_NONE ? 0 : cemv_value(kernel, slot).size;
    if (held < entry.length) *size -= entry.length - held;
    if (*size > capacity) return false;
    cemv_copy(out, data, *size);
    return true;
}
