/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 4: offline data authentication (Book C-4 v2.10, 6; Book 2, 5 and 6.6). oda/chain.h verifies the certificates.
 * The card's key is recovered before GENERATE AC, so that no signature is requested from a card without a key. Failures
 * before or after the command are recorded in the TVR. */
#include "k4_memory.h"

/* Book 3, Table 35. 92 and 9F48 are needed only for certain key lengths, so the chain checks them. */
static bool has_data(const struct cemv_kernel *kernel, uint8_t method)
{
    static const uint16_t needed[] = { CEMV_SLOT_8F, CEMV_SLOT_90, CEMV_SLOT_9F32, CEMV_SLOT_9F46, CEMV_SLOT_9F47 };
    enum { ISSUER = 3 /* the first three are the issuer's key */ };
    if (method == K4_CDA) return cemv_store_has_all(&kernel->store, needed, sizeof needed / sizeof needed[0]);
    return cemv_store_has_all(&kernel->store, needed, ISSUER) && cemv_store_has(&kernel->store, CEMV_SLOT_93);
}

/* Both functions are not inlined, to keep their buffers off the caller's stack. One stores the card's key in the
 * memory, the other the issuer's data authentication code in 9F45. */
kernel_noinline static enum cemv_oda_result recover_key(struct cemv_kernel *kernel)
{
    struct cemv_certificate icc;
    const enum cemv_oda_result result = cemv_oda_icc_key(kernel, &icc);
    if (result == CEMV_ODA_OK) k4_memory_of(kernel)->icc = icc.key;
    return result;
}

kernel_noinline static enum cemv_oda_result verify_static(struct cemv_kernel *kernel)
{
    uint8_t code[2];
    const enum cemv_oda_result result = cemv_oda_static(kernel, code);
    if (result == CEMV_ODA_OK)
        (void)cemv_store_put(&kernel->store, CEMV_SLOT_9F45, (cemv_bytes){ code, sizeof code }, CEMV_FROM_CARD_STATIC);
    return result;
}

static enum cemv_oda_result perform(struct cemv_kernel *kernel)
{
    const struct k4_memory *memory = k4_memory_of(kernel);
    if (!has_data(kernel, memory->method)) return CEMV_ODA_DATA_MISSING;
    if (memory->static_failed) return CEMV_ODA_HASH;
    return memory->method == K4_CDA ? recover_key(kernel) : verify_static(kernel);
}

/* Missing data and wrong data set the failure bit of the TVR, but only wrong data are reported as tampering: a card
 * that sends no certificate proves nothing. */
static void note_failure(struct cemv_kernel *kernel, enum cemv_oda_result result)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    const uint8_t failed = memory->method == K4_CDA ? CEMV_TVR_1_CDA_FAILED : CEMV_TVR_1_SDA_FAILED;
    memory->tvr |= CEMV_TVR(1, failed | (result == CEMV_ODA_DATA_MISSING ? CEMV_TVR_1_ICC_DATA_MISSING : 0));
    if (cemv_oda_is_tamper(result)) cemv_finding_add(kernel, CEMV_FINDING_ODA_TAMPER);
}

/* The method is chosen by card and reader together, CDA before SDA. With CDA, success is known only after the response,
 * so `good` remains false until then. */
void k4_authenticate(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    memory->method = k4_oda_method(memory->profile, cemv_value_byte(kernel, CEMV_SLOT_9F33, 2));
    cemv_look_for_stripped_oda(kernel, CEMV_AIP_1_CDA);
    if (memory->method == K4_NO_ODA) {
        memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_ODA_NOT_PERFORMED); /* 6.2.1.3 */
        return;
    }
    if (memory->method == K4_SDA) memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_SDA_SELECTED); /* 6.2.5 */
    const enum cemv_oda_result result = perform(kernel);
    cemv_kernel_note(kernel, CEMV_CLAUSE(6, 2, 0, 0), result);
    if (result != CEMV_ODA_OK) note_failure(kernel, result);
    else memory->good = memory->method == K4_SDA;
}

/* The answer (Book 2, 6.6.2) --------------------------------------------------------------------------------------- */

kernel_noinline static cemv_bytes transaction_hash(struct cemv_kernel *kernel, uint8_t digest[CEMV_SHA1_SIZE])
{
    const struct k4_memory *memory = k4_memory_of(kernel);
    const cemv_bytes lists[CEMV_CDA_LISTS] = { cemv_span_bytes(&kernel->store, memory->pdol),
                                               cemv_span_bytes(&kernel->store, memory->cdol) };
    return cemv_cda_transaction_hash(kernel->checked->crypto, lists, CEMV_CDA_LISTS,
                                     cemv_span_bytes(&kernel->store, memory->answer), digest);
}

/* The signature covers both sides of the dialogue: the values of both lists as sent, and the response without the
 * signature itself. The cryptogram is inside the signature, so an unsigned cryptogram is never used. */
void k4_verify_answer(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    uint8_t digest[CEMV_SHA1_SIZE];
    const cemv_bytes hash = transaction_hash(kernel, digest);
    const enum cemv_oda_result result = cemv_oda_cda(kernel, &memory->icc, cemv_value(kernel, CEMV_SLOT_9F4B), hash);
    memory->good = result == CEMV_ODA_OK;
    if (memory->good) return;
    memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED);
    if (cemv_oda_is_tamper(result)) cemv_finding_add(kernel, CEMV_FINDING_ODA_TAMPER);
}
