/* SPDX-License-Identifier: Apache-2.0 */
/* The amount wait: before a kernel is activated the terminal may change the amount, depending on the card's public
 * data (cemv_session.h). No book defines it; a changed amount goes through pre-processing again (Book B, 3.1). Knows
 * no kernel. */
#include "session.h"

enum { AMOUNT_SIZE = 6 };

/* What of the FCI goes into the question, and how long at most: so all of it has its place in a command's buffer. */
static const struct {
    uint16_t tag;
    uint8_t max;
} asked[] = {
    { CEMV_TAG_50_APPLICATION_LABEL, 16 },
    { CEMV_TAG_9F12_APPLICATION_PREFERRED_NAME, 16 },
    { CEMV_TAG_9F0A_ASRPD, 128 },
    { CEMV_TAG_42_ISSUER_IDENTIFICATION_NUMBER, 3 },
    { CEMV_TAG_9F0C_ISSUER_IDENTIFICATION_NUMBER_EXTENDED, 4 },
    { CEMV_TAG_5F2D_LANGUAGE_PREFERENCE, 8 },
    { CEMV_TAG_5F55_ISSUER_COUNTRY_CODE_ALPHA2, 2 },
    { CEMV_TAG_5F56_ISSUER_COUNTRY_CODE_ALPHA3, 3 },
    { CEMV_TAG_5F28_ISSUER_COUNTRY_CODE, 2 },
};

static enum cemv_step ask(struct cemv_session *s)
{
    struct cemv_kernel *kernel = &s->kernel;
    struct cemv_output *out = &kernel->out;
    uint8_t bytes[CEMV_COMMAND_CAPACITY];
    struct cemv_writer writer = cemv_writer_open(bytes, sizeof bytes);
    cemv_writer_put_tlv(&writer, CEMV_TAG_4F_ADF_NAME, (cemv_bytes){ kernel->df_name, kernel->df_name_size });
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        const cemv_bytes value = cemv_fci_value(kernel, asked[i].tag);
        if (value.size != 0 && value.size <= asked[i].max) cemv_writer_put_tlv(&writer, asked[i].tag, value);
    }
    return cemv_output_ask(out, &cemv_entry_edges, E_WAIT_AMOUNT, CEMV_ASK_AMOUNT, cemv_writer_finish(&writer),
                           kernel->transaction.amount_deadline_ms);
}

/* An amount of the answer, if it has one. False if its value is not an amount. */
static bool take(cemv_bytes answer, uint32_t tag, uint64_t *amount)
{
    struct cemv_tlv object;
    if (!cemv_tlv_find(answer, tag, &object)) return true;
    return object.value.size == AMOUNT_SIZE && cemv_bcd_read(object.value, amount);
}

static bool take_amounts(struct cemv_transaction *transaction, cemv_bytes answer)
{
    return cemv_tlv_is_list(answer) && take(answer, CEMV_TAG_9F02_AMOUNT_AUTHORISED, &transaction->amount) &&
           take(answer, CEMV_TAG_9F03_AMOUNT_OTHER, &transaction->amount_other);
}

/* Pre-processing again, for the combination that was selected and with the amounts that hold now. */
static enum cemv_step answered(struct cemv_session *s, const struct cemv_reply *reply)
{
    struct cemv_kernel *kernel = &s->kernel;
    const cemv_bytes answer = reply->kind == CEMV_REPLY_DATA ? reply->bytes : (cemv_bytes){ NULL, 0 };
    if (!take_amounts(&kernel->transaction, answer)) return cemv_session_end_now(s, CEMV_REASON_STOPPED, false);
    kernel->indicators =
        cemv_entry_indicators(&kernel->checked->configuration, kernel->combination, &kernel->transaction);
    if (kernel->indicators.not_allowed) return cemv_session_end_not_allowed(s, CEMV_REASON_NOT_ALLOWED);
    return cemv_session_amounts_changed(s);
}

const struct cemv_amount_wait cemv_amount_wait = { .ask = ask, .answered = answered };
