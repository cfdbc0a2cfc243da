/* SPDX-License-Identifier: Apache-2.0 */
/* The certificate chain of a recorded dialogue: issuer key, card key, dynamic signature, hashing included. */
#include "chain.h"

#include <string.h>

#include "../CEMV/kernels/k3/k3_tags.h"
#include "../CEMV/kernels/kernel.h"

static struct {
    bool ready;
    struct cemv_store store;
    struct cemv_rsa_key prepared;
    struct cemv_ca_key ca; /* a copy: the reader may be closed before the chain is verified */
    uint8_t modulus[CEMV_RSA_MAX_SIZE];
    uint8_t pan[10];
    uint8_t amount[6], currency[2], number[4];
    cemv_bytes pieces[CEMV_STORE_SPANS];
    struct cemv_issuer_input issuer;
    struct cemv_icc_input card;
    struct cemv_fdda_input signature;
    struct cemv_tags tags;
} chain;

/* Reads the answers to GET PROCESSING OPTIONS and READ RECORD as a kernel would. */
static bool read_card(const struct emv_bench *bench)
{
    struct cemv_afl afl = { 0 };
    bool repeated;
    if (chain.tags.count == 0) cemv_tags_open(&chain.tags, &cemv_kernel_3.tags);
    cemv_store_clear(&chain.store, &chain.tags, CEMV_READING_STRICT_DUPLICATES);
    for (size_t i = 0; i < bench->exchange_count; i++) {
        const struct exchange *exchange = &bench->exchanges[i];
        const cemv_bytes body = { exchange->response.data, exchange->response.size - 2 };
        if (exchange->command.data[1] == 0xA8) {
            if (cemv_store_template(&chain.store, CEMV_TAG_77_RESPONSE_FORMAT_2, body) != CEMV_STORE_OK) return false;
            if (!cemv_afl_open(&afl, &chain.store, CEMV_MAX_RECORDS, &repeated)) return false;
        } else if (exchange->command.data[1] == 0xB2) {
            struct cemv_record_id id;
            if (!cemv_afl_next(&afl, &chain.store, &id)) return false;
            if (cemv_store_record(&chain.store, body, id.is_signed, id.sfi > 10) != CEMV_STORE_OK) return false;
        }
    }
    return true;
}

static bool find_authority(const struct emv_bench *bench)
{
    const cemv_bytes index = cemv_store_value(&chain.store, CEMV_SLOT_8F);
    for (size_t i = 0; i < bench->configuration.ca_key_count && index.size == 1; i++) {
        if (bench->keys[i].index != index.data[0]) continue;
        chain.ca = bench->keys[i];
        if (chain.ca.modulus.size > sizeof chain.modulus) return false;
        memcpy(chain.modulus, chain.ca.modulus.data, chain.ca.modulus.size);
        chain.ca.modulus.data = chain.modulus;
        return cemv_rsa_prepare(&chain.prepared, chain.ca.modulus, chain.ca.exponent);
    }
    return false;
}

static void gather(const struct emv_bench *bench)
{
    const struct cemv_store *store = &chain.store;
    const struct cemv_account account = cemv_account_of(store);
    const cemv_bytes pan = cemv_account_pan(&account, chain.pan);
    chain.issuer = (struct cemv_issuer_input){
        .ca = &chain.ca,
        .prepared = &chain.prepared,
        .certificate = cemv_store_value(store, CEMV_SLOT_90),
        .remainder = cemv_store_value(store, CEMV_SLOT_92),
        .exponent = cemv_store_value(store, CEMV_SLOT_9F32),
        .pan = pan,
    };
    chain.card = (struct cemv_icc_input){
        .certificate = cemv_store_value(store, CEMV_SLOT_9F46),
        .remainder = cemv_store_value(store, CEMV_SLOT_9F48),
        .exponent = cemv_store_value(store, CEMV_SLOT_9F47),
        .pan = pan,
        .static_data = {
            .pieces = chain.pieces,
            .count = cemv_store_signed(store, chain.pieces),
            .tag_list = cemv_store_value(store, CEMV_SLOT_9F4A),
            .aip = cemv_store_value(store, CEMV_SLOT_82),
        },
    };
    memcpy(chain.issuer.date, bench->transaction.date, 3);
    memcpy(chain.card.date, bench->transaction.date, 3);
    (void)cemv_bcd_write(chain.amount, sizeof chain.amount, bench->transaction.amount);
    cemv_put_be16(chain.currency, bench->transaction.currency);
    memcpy(chain.number, bench->random.data, sizeof chain.number);
    chain.signature = (struct cemv_fdda_input){
        .sdad = cemv_store_value(store, CEMV_SLOT_9F4B),
        .format = 0x05,
        .unpredictable_number = { chain.number, sizeof chain.number },
        .amount = { chain.amount, sizeof chain.amount },
        .currency = { chain.currency, sizeof chain.currency },
        .card_data = cemv_store_value(store, K3_SLOT_9F69),
    };
}

bool emv_bench_use_chain(const struct emv_bench *bench)
{
    chain.ready = bench->random.size >= sizeof chain.number && read_card(bench) && find_authority(bench);
    if (!chain.ready) return false;
    gather(bench);
    return emv_bench_verify_chain();
}

bool emv_bench_verify_chain(void)
{
    struct cemv_certificate issuer, card;
    struct cemv_dynamic_data dynamic;
    if (!chain.ready) return false;
    if (cemv_issuer_recover(&cemv_crypto_builtin, &chain.issuer, &issuer) != CEMV_ODA_OK) return false;
    struct cemv_icc_input input = chain.card;
    input.issuer = &issuer.key;
    if (cemv_icc_recover(&cemv_crypto_builtin, &input, &card) != CEMV_ODA_OK) return false;
    return cemv_fdda_verify(&cemv_crypto_builtin, &card.key, &chain.signature, &dynamic) == CEMV_ODA_OK;
}
