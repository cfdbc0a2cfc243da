/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 9: asks the card once, with the shop's number and the amount, and follows its verdict: the dialogue and the
 * module. The decision is in k9_rules.c. Knows neither Entry Point nor the session. A kernel for a test; no book. */
#include "k9.h"
#include "cemv_kernel_9.h"
#include "../kernel.h"
#include "k9_tags.h"

static const struct cemv_edges edges = {
    .next = { [0] = CEMV_TO(K9_WAIT_VERDICT) | CEMV_END, [K9_WAIT_VERDICT] = CEMV_END },
};

static const struct cemv_kernel_9_options *options_of(const struct cemv_combination *combination)
{
    static const struct cemv_kernel_9_options defaults = { .offline_limit = 0 };
    return combination->options != NULL ? combination->options : &defaults;
}

/* The end ---------------------------------------------------------------------------------------------------------- */

static enum cemv_step end_decided(struct cemv_kernel *kernel, uint8_t status)
{
    static const uint16_t record[] = { CEMV_SLOT_9F02, K9_SLOT_DF2A, K9_SLOT_DF2B };
    (void)cemv_outcome_begin(kernel, status, CEMV_REASON_KERNEL);
    struct cemv_output *const out = &kernel->out;
    struct cemv_writer writer = cemv_writer_open(out->records, sizeof out->records);
    cemv_store_export_all(&kernel->store, record, sizeof record / sizeof record[0], &writer);
    out->record_size = (uint16_t)cemv_writer_finish(&writer).size;
    return cemv_finish(kernel);
}

/* The dialogue ----------------------------------------------------------------------------------------------------- */

static enum cemv_step ask_verdict(struct cemv_kernel *kernel)
{
    static const uint8_t list[] = { 0xDF, 0x2A, 4, 0x9F, 0x02, 6 };
    uint8_t data[4 + 6];
    size_t size;
    if (!cemv_kernel_build_dol(kernel, (cemv_bytes){ list, sizeof list }, data, sizeof data, &size))
        return cemv_end_card_fault(kernel, CEMV_REASON_INTERNAL, CEMV_L2_OK, 0);
    const struct cemv_command command = { .cla = 0x80, .ins = 0xC0, .data = { data, size }, .le = CEMV_LE_MAX };
    return cemv_kernel_send(kernel, K9_WAIT_VERDICT, &command);
}

static enum cemv_step got_verdict(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    if (status_word != CEMV_SW_OK)
        return cemv_end_card_fault(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    const enum cemv_store_error error = cemv_store_template(&kernel->store, CEMV_TAG_77_RESPONSE_FORMAT_2, body);
    if (error != CEMV_STORE_OK) return cemv_end_store(kernel, error);
    const uint64_t amount = kernel->transaction.amount;
    return end_decided(kernel, k9_decide(cemv_value_byte(kernel, K9_SLOT_DF2B, 0), amount,
                                         options_of(kernel->combination)->offline_limit));
}

static enum cemv_step reply_taken(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    cemv_bytes body;
    uint16_t status_word;
    const uint8_t fault = cemv_reply_decode(reply, &body, &status_word);
    if (fault != CEMV_L1_OK) return cemv_end_link(kernel, fault);
    switch ((enum k9_state)kernel->out.state) {
    case K9_WAIT_VERDICT: return got_verdict(kernel, body, status_word);
    }
    return cemv_end_card_fault(kernel, CEMV_REASON_INTERNAL, CEMV_L2_OK, 0);
}

/* Requirements on a configuration --------------------------------------------------------------------------------- */

static enum cemv_status check(const struct cemv_configuration *configuration, size_t row,
                              struct cemv_config_error *error)
{
    const struct cemv_combination *const combination = &configuration->combinations[row];
    if (options_of(combination)->offline_limit <= CEMV_KERNEL_9_HIGHEST_LIMIT) return CEMV_OK;
    error->field = CEMV_FIELD_OPTIONS;
    error->option = CEMV_KERNEL_9_OFFLINE_LIMIT;
    return CEMV_BAD_VALUE;
}

const struct cemv_kernel_module cemv_kernel_9 = {
    .start = ask_verdict,
    .reply = reply_taken,
    .check = check,
    .tags = { k9_tags, K9_TAGS },
    .edges = &edges,
    .reading = CEMV_READING_STRICT_DUPLICATES,
};
