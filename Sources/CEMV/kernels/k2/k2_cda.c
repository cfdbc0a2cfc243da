/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2: combined data authentication (CDA; Book 2, 6.6). The card signs its cryptogram together with a hash of all
 * transaction data, so one signature proves the card, its answer, and the values that the reader sent. The part before
 * GENERATE AC checks whether this will be possible [S456.24-28]; the part after it verifies the signature [S910.1-7].
 * Certificates are verified in oda/chain.h. Sends nothing. */
#include "k2.h"

/* The charts limit the static data to 2048 bytes. They consist of the signed records, of those up to SFI 10 only the
 * value of template 70, and the AIP [S4.34-35, S456.28]. */
static bool static_data_fit(const struct cemv_store *store)
{
    size_t size = 2;
    for (size_t i = 0; i < store->span_count; i++) size += store->span[i].size;
    return !store->spans_overflowed && size <= K2_STATIC_DATA_MAX;
}

/* Looks for missing data, and verifies no signature yet: certificates take time, and the card would have to wait in the
 * field although the result is not needed before its answer. Missing data set TVR bits now, so that action analysis
 * considers them [S456.24-28]. Returns false if 9F4A does not name exactly the AIP, which the charts treat as a fault
 * of the card. */
bool k2_prepare_cda(struct cemv_kernel *kernel)
{
    static const uint16_t needed[] = { CEMV_SLOT_8F,   CEMV_SLOT_90,   CEMV_SLOT_9F32,
                                       CEMV_SLOT_9F46, CEMV_SLOT_9F47, CEMV_SLOT_9F4A };
    struct k2_memory *memory = k2_memory_of(kernel);
    cemv_look_for_stripped_oda(kernel, CEMV_AIP_1_CDA);
    if (!memory->cda) return true;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (!cemv_store_has(&kernel->store, needed[i])) {
            memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_ICC_DATA_MISSING | CEMV_TVR_1_CDA_FAILED);
        }
    }
    if (!cemv_has_ca_key(kernel)) memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED);
    if (!static_data_fit(&kernel->store)) memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_CDA_FAILED);
    const cemv_bytes list = cemv_value(kernel, CEMV_SLOT_9F4A);
    return list.size == 1 && list.data[0] == CEMV_TAG_82_APPLICATION_INTERCHANGE_PROFILE;
}

/* The signature is good. After the transaction data hash, the ICC Dynamic Data contain further objects, depending on
 * the services used (4.6.2): with data storage the summaries of the slot before and after, with relay resistance the
 * exchanged values. The summaries are stored for the checks of data storage. The exchanged values must equal those of
 * the exchange: otherwise somebody else answered it. */
static bool extra_data_agree(struct cemv_kernel *kernel, const struct cemv_cda_data *data)
{
    enum { FIXED = 1 + 1 + 8 + 20 };
    struct k2_memory *memory = k2_memory_of(kernel);
    const bool relay = (memory->tvr & K2_TVR_RELAY_MASK) == CEMV_TVR(5, CEMV_TVR_5_RELAY_PERFORMED);
    const bool storage = (memory->ids & K2_IDS_READ) != 0;
    const size_t summary = k2_storage_version(kernel) == 2 ? 16 : 8;
    const size_t from = FIXED + data->dynamic.number_size, relay_size = relay ? sizeof memory->relay : 0;
    size_t at = from;
    if (storage && relay && data->dynamic.size < from + 2 * summary + relay_size) return false;
    if (!storage && data->dynamic.size < from + relay_size) return false;
    for (size_t i = 0; storage && i < 2 && at + summary <= data->dynamic.size; i++, at += summary) {
        const uint16_t slot = i == 0 ? K2_SLOT_DF8101 : K2_SLOT_DF8102;
        if (!cemv_store_put(&kernel->store, slot, (cemv_bytes){ data->dynamic.data + at, summary },
                            CEMV_FROM_CARD_DYNAMIC))
            return false;
    }
    return !relay || cemv_memcmp(data->dynamic.data + at, memory->relay, sizeof memory->relay) == 0;
}

/* Hash of the values that the reader sent for PDOL and CDOL1, from its own copies, and of the card's answer as received
 * (4.6.3). */
kernel_noinline static cemv_bytes transaction_hash(const struct cemv_kernel *kernel, uint8_t digest[CEMV_SHA1_SIZE])
{
    const struct k2_memory *memory = k2_memory_of_const(kernel);
    const cemv_bytes lists[CEMV_CDA_LISTS] = { cemv_span_bytes(&kernel->store, memory->pdol),
                                               cemv_span_bytes(&kernel->store, memory->cdol) };
    return cemv_cda_transaction_hash(kernel->checked->crypto, lists, CEMV_CDA_LISTS,
                                     cemv_span_bytes(&kernel->store, memory->ac), digest);
}

/* Verifies the signature and all that it covers. The data are handed out only if everything agrees. */
kernel_noinline static enum cemv_oda_result verify_transaction(struct cemv_kernel *kernel,
                                                               const struct cemv_public_key *icc, struct k2_signed *out)
{
    struct cemv_cda_data data;
    uint8_t digest[CEMV_SHA1_SIZE];
    const struct cemv_cda_input input = {
        .sdad = cemv_value(kernel, CEMV_SLOT_9F4B),
        .unpredictable_number = cemv_value(kernel, CEMV_SLOT_9F37),
        .cid = k2_byte(kernel, CEMV_SLOT_9F27, 0),
        .transaction_hash = transaction_hash(kernel, digest),
    };
    const enum cemv_oda_result result = cemv_cda_verify(kernel->checked->crypto, icc, &input, &data);
    if (result != CEMV_ODA_OK) return result;
    if (!extra_data_agree(kernel, &data)) return CEMV_ODA_TRANSACTION_HASH;
    out->number_size = data.dynamic.number_size;
    cemv_copy(out->number, data.dynamic.number, sizeof out->number);
    cemv_copy(out->cryptogram, data.cryptogram, sizeof out->cryptogram);
    return CEMV_ODA_OK;
}

/* The card's key comes from the certificates, which were read with the records. */
enum cemv_oda_result k2_verify_signature(struct cemv_kernel *kernel, struct k2_signed *out)
{
    struct cemv_certificate icc;
    const enum cemv_oda_result result = cemv_oda_icc_key(kernel, &icc);
    return result == CEMV_ODA_OK ? verify_transaction(kernel, &icc.key, out) : result;
}
