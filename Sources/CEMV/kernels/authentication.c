/* SPDX-License-Identifier: Apache-2.0 */
/* Offline data authentication over the data that the kernel read: the chain of oda/chain.h with the terminal's keys,
 * the transaction's date and the RID of the combination (Book 2, 5 and 6). Knows no state; the consequence of a failure
 * is the kernel's decision. */
#include "kernel.h"

/* Not inlined, so that its frame is gone before the public operations begin. */
kernel_noinline static void open_chain(struct cemv_kernel *kernel, struct cemv_chain *chain)
{
    const struct cemv_checked *checked = kernel->checked;
    const struct cemv_reader_memory *reader = kernel->transaction.reader;
    *chain = (struct cemv_chain){
        .crypto = checked->crypto,
        .configuration = &checked->configuration,
        .prepared = checked->crypto->rsa_prepare != NULL ? checked->keys : NULL,
        .issuer_keys = reader != NULL ? reader->issuer_keys : NULL,
        .aid = kernel->combination->aid,
        .date = kernel->transaction.date,
        .store = &kernel->store,
        .findings = &kernel->findings,
        .precomputed = kernel->work,
        .expired_ca_keys = cemv_is_book(kernel),
    };
}

bool cemv_has_ca_key(struct cemv_kernel *kernel)
{
    struct cemv_chain chain;
    open_chain(kernel, &chain);
    return cemv_chain_ca_key(&chain) != NULL;
}

enum cemv_oda_result cemv_oda_icc_key(struct cemv_kernel *kernel, struct cemv_certificate *icc)
{
    struct cemv_chain chain;
    open_chain(kernel, &chain);
    return cemv_chain_icc_key(&chain, icc);
}

enum cemv_oda_result cemv_oda_static(struct cemv_kernel *kernel, uint8_t code[2])
{
    struct cemv_chain chain;
    open_chain(kernel, &chain);
    return cemv_chain_static(&chain, code);
}

/* The signed data are taken from the values that the card received: the unpredictable number is the one that was drawn,
 * amount and currency are the terminal's. A card that signed other values than these is found out by the hash alone. */
enum cemv_oda_result cemv_oda_fdda(const struct cemv_kernel *kernel, const struct cemv_public_key *icc, uint8_t format,
                                   cemv_bytes card_data, struct cemv_dynamic_data *dynamic)
{
    const struct cemv_store *store = &kernel->store;
    const struct cemv_fdda_input input = {
        .sdad = cemv_store_value(store, CEMV_SLOT_9F4B),
        .format = format,
        .unpredictable_number = { kernel->unpredictable_number, sizeof kernel->unpredictable_number },
        .amount = cemv_store_value(store, CEMV_SLOT_9F02),
        .currency = cemv_store_value(store, CEMV_SLOT_5F2A),
        .card_data = card_data,
    };
    return cemv_fdda_verify(kernel->checked->crypto, icc, &input, dynamic);
}

/* fDDA signs the counter only by way of the dynamic number, and 9F36 itself travels in the clear with it. A host that
 * checks the cryptogram would find a changed counter; a reader that approves offline has only this comparison. */
bool cemv_oda_counter_agrees(const struct cemv_kernel *kernel, const struct cemv_dynamic_data *dynamic)
{
    const cemv_bytes counter = cemv_value(kernel, CEMV_SLOT_9F36);
    return dynamic->number_size != 2 || cemv_bytes_equal(counter, (cemv_bytes){ dynamic->number, 2 });
}

/* Cryptogram and dynamic number are taken from the signature alone. Not inlined, because of its frame. */
kernel_noinline enum cemv_oda_result cemv_oda_cda(struct cemv_kernel *kernel, const struct cemv_public_key *icc,
                                                  cemv_bytes sdad, cemv_bytes hash)
{
    struct cemv_store *store = &kernel->store;
    struct cemv_cda_data data;
    const struct cemv_cda_input input = {
        .sdad = sdad,
        .unpredictable_number = cemv_value(kernel, CEMV_SLOT_9F37),
        .cid = cemv_value_byte(kernel, CEMV_SLOT_9F27, 0),
        .transaction_hash = hash,
    };
    const enum cemv_oda_result result = cemv_cda_verify(kernel->checked->crypto, icc, &input, &data);
    if (result != CEMV_ODA_OK) return result;
    (void)cemv_store_put(store, CEMV_SLOT_9F4C, (cemv_bytes){ data.dynamic.number, data.dynamic.number_size },
                         CEMV_FROM_CARD_DYNAMIC);
    return cemv_store_put(store, CEMV_SLOT_9F26, (cemv_bytes){ data.cryptogram, sizeof data.cryptogram },
                          CEMV_FROM_CARD_DYNAMIC)
             ? CEMV_ODA_OK
             : CEMV_ODA_TOO_MANY_PIECES;
}

bool cemv_oda_has_work(const struct cemv_kernel *kernel)
{
    return cemv_chain_precompute_due(&kernel->store, kernel->work);
}

/* Public operations take longer than anything else that a reader computes. What can be computed as soon as the
 * certificates are read can be done while the card works on the next command, an operation for each call. `work` says
 * how far that has come. */
bool cemv_oda_work(struct cemv_kernel *kernel)
{
    struct cemv_chain chain;
    open_chain(kernel, &chain);
    const bool done = cemv_chain_precompute(&chain);
    kernel->work = chain.precomputed;
    return done;
}

void cemv_look_for_stripped_oda(struct cemv_kernel *kernel, uint8_t method)
{
    if (cemv_chain_is_stripped(&kernel->store, method)) cemv_finding_add(kernel, CEMV_FINDING_ODA_STRIPPED);
}

/* A signature proves that the card saw the bytes it was given. A list of the card determines their meaning, and
 * somebody between card and reader may have edited that list: then the card has read another amount than the reader
 * sent. A list in a signed record cannot be edited. */
bool cemv_list_refused(struct cemv_kernel *kernel)
{
    if (cemv_chain_signs_transaction(&kernel->store)) return false;
    cemv_finding_add(kernel, CEMV_FINDING_LIST_UNSIGNED);
    return !cemv_is_book(kernel);
}
