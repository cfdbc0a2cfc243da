/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 5: evaluates the response to the first GENERATE AC, or to ECHO in its place: its objects, its signature, the
 * cardholder's verification (Book C-5 v2.10, 3.8.1.5 to 3.8.4, 3.9.2; Book 2, 6.6). oda/chain.h verifies the
 * certificates, k5_answers.c parses the response. Sends nothing and changes no state. */
#include "k5_memory.h"

static const cemv_bytes none = { NULL, 0 };

static struct k5_answer answer_of(struct cemv_kernel *kernel)
{
    return k5_read_answer(cemv_span_bytes(&kernel->store, k5_memory_of(kernel)->answer));
}

/* Combined data authentication: 3.8.2 ------------------------------------------------------------------------------ */

/* Prepares the verification: the hash covers the values of the lists as sent and the objects of the response as
 * received. Everything except the key is prepared here, in a function that returns before the key recovery begins.
 * Returns false if there is no signature. */
kernel_noinline static bool open_signature(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const struct k5_answer answer = answer_of(kernel);
    const cemv_bytes lists[CEMV_CDA_LISTS] = { cemv_span_bytes(&kernel->store, memory->pdol),
                                               cemv_span_bytes(&kernel->store, memory->cdol) };
    const cemv_bytes sdad = answer.object[K5_SDAD];
    if (sdad.size == 0) return false;
    memory->sdad = cemv_span_of(&kernel->store, sdad);
    memory->hashed =
        cemv_cda_transaction_hash(kernel->checked->crypto, lists, CEMV_CDA_LISTS, answer.objects, memory->hash).size !=
        0;
    return true;
}

kernel_noinline static enum cemv_oda_result verify(struct cemv_kernel *kernel)
{
    struct cemv_certificate icc;
    const struct k5_memory *memory = k5_memory_of(kernel);
    const cemv_bytes hash = { memory->hash, memory->hashed ? sizeof memory->hash : 0 };
    if (memory->static_failed) return CEMV_ODA_HASH;
    const enum cemv_oda_result result = cemv_oda_icc_key(kernel, &icc);
    return result == CEMV_ODA_OK ? cemv_oda_cda(kernel, &icc.key, cemv_span_bytes(&kernel->store, memory->sdad), hash)
                                 : result;
}

/* A signature is verified even if it was not requested. Without one this step succeeds; whether it was required has
 * been checked before. */
bool k5_authenticate(struct cemv_kernel *kernel)
{
    if (!open_signature(kernel)) return true;
    const enum cemv_oda_result result = verify(kernel);
    if (cemv_oda_is_tamper(result)) cemv_finding_add(kernel, CEMV_FINDING_ODA_TAMPER);
    k5_memory_of(kernel)->verified = result == CEMV_ODA_OK;
    return result == CEMV_ODA_OK;
}

/* The end of EMV Mode: 3.8.3, 3.8.4 -------------------------------------------------------------------------------- */

/* Beyond the book: a signature proves only the data that it covers. Unpredictable number and amount must have been
 * sent, and the list that requested them and the card's expiry date must be in signed records (attacks.md, A18,
 * A19). */
bool k5_signs_too_little(struct cemv_kernel *kernel)
{
    const bool covered = cemv_store_provenance(&kernel->store, CEMV_SLOT_8C) == CEMV_FROM_CARD_STATIC &&
                         cemv_store_provenance(&kernel->store, CEMV_SLOT_5F24) == CEMV_FROM_CARD_STATIC;
    if (k5_memory_of(kernel)->bound && covered) return false;
    cemv_finding_add(kernel, CEMV_FINDING_AC_BINDING_NOT_SENT);
    return !cemv_is_book(kernel);
}

struct k5_cvm k5_verify_cardholder(struct cemv_kernel *kernel, const struct k5_answer *answer)
{
    const struct k5_memory *memory = k5_memory_of(kernel);
    const bool book = cemv_is_book(kernel);
    struct k5_cvm_in in = {
        .status = answer->object[K5_STATUS].data[0],
        .tip = memory->tip[0],
        .tc = k5_type(answer) == CEMV_RULES_TC,
        .verified = memory->verified,
        .amount = kernel->transaction.amount,
        .limits = &k5_options_of(kernel)->limits,
        .reads_closely = !book,
        .distrusts_plain = !book,
        .distrusts_device = cemv_cdcvm_trust(kernel) != CEMV_CDCVM_BOOK,
    };
    struct k5_cvm cvm;
    for (;;) { /* a refused claim is evaluated a second time as unproven */
        cvm = k5_cvm(&in);
        if (!cvm.unproven || !cemv_device_claim_refused(kernel, (in.tip & CEMV_KERNEL_5_TIP_1_CVM_REQUIRED) != 0))
            break;
        in.distrusts_device = true;
    }
    if (cvm.from_plain) cemv_finding_add(kernel, CEMV_FINDING_CVM_FROM_PLAIN_DATA);
    return cvm;
}

/* The answer: 3.8.1.5 to 3.8.1.13 ---------------------------------------------------------------------------------- */

/* A cryptogram next to a signature is ignored: the signed one counts. */
bool k5_keep_cryptogram(struct cemv_kernel *kernel, const struct k5_answer *answer)
{
    static const uint16_t slots[] = {
        [K5_CID] = CEMV_SLOT_9F27, [K5_ATC] = CEMV_SLOT_9F36, [K5_AC] = CEMV_SLOT_9F26, [K5_IAD] = CEMV_SLOT_9F10
    };
    for (unsigned i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        const cemv_bytes value = i == K5_AC && k5_has(answer, K5_SDAD) ? none : answer->object[i];
        if (!cemv_store_put(&kernel->store, slots[i], value, CEMV_FROM_CARD)) return false;
    }
    return true;
}

/* Stores the objects that the issuer needs, and those that may come from a record or from this response (Table C-1). A
 * value from a record is kept. */
static enum cemv_store_error keep_objects(struct cemv_kernel *kernel, const struct k5_answer *answer)
{
    static const uint16_t others[] = { CEMV_SLOT_9F08, CEMV_SLOT_5F20, K5_SLOT_9F6E,  K5_SLOT_9F7C,
                                       CEMV_SLOT_9F24, CEMV_SLOT_9F19, CEMV_SLOT_9F1F };
    struct cemv_store *store = &kernel->store;
    struct cemv_tlv_cursor cursor = cemv_tlv_open(answer->objects);
    struct cemv_tlv object;
    while (cemv_tlv_next(&cursor, &object)) {
        const uint16_t slot = cemv_slot_of(store->tags, object.tag);
        if (slot == CEMV_SLOT_NONE || object.value.size == 0) continue;
        if ((cemv_tag_row_at(store->tags, slot)->source & CEMV_SOURCE_CARD) == 0)
            cemv_finding_add(kernel, CEMV_FINDING_TERMINAL_TAG_FROM_CARD);
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
            if (others[i] != slot || cemv_store_has(store, slot)) continue;
            const enum cemv_store_error error = cemv_store_card(store, slot, object.value);
            if (error != CEMV_STORE_OK) return error;
        }
    }
    return k5_keep_cryptogram(kernel, answer) ? CEMV_STORE_OK : CEMV_STORE_FULL;
}

/* True if the response is declined. Its objects have been stored before, because Annex C wants them in the record of a
 * decline too. */
static bool is_refused(struct cemv_kernel *kernel, const struct k5_answer *answer)
{
    const struct k5_memory *memory = k5_memory_of(kernel);
    if (k5_type(answer) == CEMV_RULES_AAC) return true;                                                 /* 3.8.1.9 */
    if (!cemv_rules_cryptogram_allowed(memory->requested, answer->object[K5_CID].data[0])) return true; /* .11 */
    return (memory->cda_asked || k5_cda_is_on(kernel)) && !k5_has(answer, K5_SDAD);                     /* .12 */
}

/* The order of these checks decides about the record: an incomplete response leaves no objects in it, a refused one
 * does. */
kernel_noinline enum k5_next k5_check_answer(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const struct k5_answer answer = answer_of(kernel);
    const bool updates = (memory->tip[1] & CEMV_KERNEL_5_TIP_2_ISSUER_UPDATE) != 0;
    const bool first = k5_is_first_answer(&answer, memory->cda_asked); /* 3.8.1.8 */
    const bool lacks_signature = first && k5_lacks_signature(&answer, memory->cda_asked);
    if (!first || lacks_signature) memory->answer.size = 0; /* its balance is not shown */
    if (!first) return K5_NEXT_MALFORMED;
    const enum cemv_store_error error = keep_objects(kernel, &answer);
    if (error != CEMV_STORE_OK) return error == CEMV_STORE_FULL ? K5_NEXT_FULL : K5_NEXT_MALFORMED;
    cemv_kernel_note(kernel, CEMV_CLAUSE(3, 8, 1, 0), k5_type(&answer));
    if (lacks_signature) return K5_NEXT_MALFORMED; /* the record has its other objects (Annex C) */
    if (is_refused(kernel, &answer)) return K5_NEXT_REFUSED;
    return k5_tells_card_read(&answer, updates) ? K5_NEXT_SHOW : K5_NEXT_CONCLUDE;
}

/* Legacy Mode: 3.9 ------------------------------------------------------------------------------------------------- */

struct k5_cvm k5_choose_from_list(struct cemv_kernel *kernel)
{
    const struct k5_memory *memory = k5_memory_of(kernel);
    const struct k5_cvm_list_in in = {
        .list = cemv_value(kernel, K5_SLOT_8E),
        .tip = k5_options_of(kernel)->terminal_interchange_profile[0],
        .required = (memory->tip[0] & CEMV_KERNEL_5_TIP_1_CVM_REQUIRED) != 0,
        .downgraded = memory->downgraded && !cemv_is_book(kernel),
        .pin_first = cemv_is_strict(kernel),
    };
    return k5_cvm_list(&in);
}
