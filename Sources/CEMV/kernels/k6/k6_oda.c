/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 6: verifies the signature over a TC (Book C-6 v2.6, 3.4; Book 2, 6.6). oda/chain.h verifies the certificates.
 * Sends nothing; k6_rules.c decides about the consequences. */
#include "k6_memory.h"

/* 3.4.1: the hash covers the PDOL values as sent, then the objects of the response. The values are computed again here,
 * which is possible because none of the terminal's data that a PDOL can request changes meanwhile; that saves memory
 * for a copy. Not inlined, so that the buffer is off the stack before the key recovery begins. */
kernel_noinline static cemv_bytes transaction_hash(struct cemv_kernel *kernel, uint8_t digest[CEMV_SHA1_SIZE])
{
    const struct k6_memory *memory = k6_memory_of(kernel);
    struct cemv_gpo_data sent;
    if (!cemv_gpo_data(kernel, &sent)) return (cemv_bytes){ NULL, 0 };
    const cemv_bytes values = { sent.bytes + sent.header, (size_t)sent.size - sent.header };
    const cemv_bytes response = cemv_span_bytes(&kernel->store, memory->response);
    return cemv_cda_transaction_hash(kernel->checked->crypto, &values, 1, response, digest);
}

/* Book 3, Table 35. 92 and 9F48 are needed only for certain key lengths, so the chain checks them. */
static const uint16_t needed[] = { CEMV_SLOT_8F, CEMV_SLOT_90, CEMV_SLOT_9F32, CEMV_SLOT_9F46, CEMV_SLOT_9F47 };

kernel_noinline static enum cemv_oda_result verify(struct cemv_kernel *kernel)
{
    struct cemv_certificate icc;
    uint8_t digest[CEMV_SHA1_SIZE];
    if (!cemv_store_has_all(&kernel->store, needed, sizeof needed / sizeof needed[0])) return CEMV_ODA_DATA_MISSING;
    if (!cemv_has_ca_key(kernel)) return CEMV_ODA_CA_KEY_MISSING;
    if (k6_memory_of(kernel)->static_failed) return CEMV_ODA_HASH;
    const cemv_bytes hash = transaction_hash(kernel, digest);
    const enum cemv_oda_result result = cemv_oda_icc_key(kernel, &icc);
    return result == CEMV_ODA_OK ? cemv_oda_cda(kernel, &icc.key, cemv_value(kernel, CEMV_SLOT_9F4B), hash) : result;
}

/* The card's certificate is compared with 5A. Table 35 does not require 5A, so if it is absent, the PAN of track 2 is
 * stored in its place during the verification. */
static enum cemv_oda_result verify_account(struct cemv_kernel *kernel)
{
    uint8_t buffer[CEMV_PAN_SIZE_MAX];
    struct cemv_store *store = &kernel->store;
    const bool stands_in = !cemv_store_has(store, CEMV_SLOT_5A);
    if (stands_in) {
        const cemv_bytes pan = cemv_track2_pan(cemv_value(kernel, CEMV_SLOT_57), buffer);
        if (pan.size == 0 || !cemv_store_put(store, CEMV_SLOT_5A, pan, CEMV_FROM_CARD)) return CEMV_ODA_DATA_MISSING;
    }
    const enum cemv_oda_result result = verify(kernel);
    if (stands_in) (void)cemv_store_put(store, CEMV_SLOT_5A, (cemv_bytes){ NULL, 0 }, CEMV_FROM_CARD);
    return result;
}

/* F3-11. 9F26 is cleared first: only the signature may supply the cryptogram of a TC. */
void k6_authenticate(struct cemv_kernel *kernel)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    const cemv_bytes none = { NULL, 0 };
    memory->guarded = memory->unsigned_list; /* an online cryptogram was required */
    kernel->findings |= (uint32_t)memory->unsigned_list << CEMV_FINDING_LIST_UNSIGNED;
    memory->tvr[0] &= (uint8_t)~CEMV_TVR_1_ODA_NOT_PERFORMED;
    memory->tsi[0] |= CEMV_TSI_1_ODA_PERFORMED;
    (void)cemv_store_put(&kernel->store, CEMV_SLOT_9F26, none, CEMV_FROM_CARD);
    const enum cemv_oda_result result = verify_account(kernel);
    cemv_kernel_note(kernel, CEMV_CLAUSE(3, 4, 0, 0), result);
    memory->verified = result == CEMV_ODA_OK;
    if (memory->verified) return;
    memory->tvr[0] |= CEMV_TVR_1_CDA_FAILED;
    if (result == CEMV_ODA_DATA_MISSING || result == CEMV_ODA_CA_KEY_MISSING)
        memory->tvr[0] |= CEMV_TVR_1_ICC_DATA_MISSING;
    if (cemv_oda_is_tamper(result)) cemv_finding_add(kernel, CEMV_FINDING_ODA_TAMPER);
}
