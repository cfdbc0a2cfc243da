/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 9: asks the card once, with the terminal's DF01 and the amount, and follows the verdict in its DF02. Knows
 * neither Entry Point nor a session: it uses only include/cemv_kernel.h of CEMV. */
#include "kernel_9.h"

/* ---- tags ---- */

enum { TAG_SHOP = 0xDF01, TAG_VERDICT = 0xDF02, TAG_TEMPLATE = 0x77 };
enum { HIGHEST_LIMIT = 10000, VERDICT_YES = 1, SHOP_SIZE = 4 };

static const struct cemv_tag_row tags[] = {
    { .tag = TAG_SHOP, .min = SHOP_SIZE, .max = SHOP_SIZE, .source = CEMV_SOURCE_TERMINAL | CEMV_SOURCE_CONFIGURATION },
    { .tag = TAG_VERDICT, .min = 1, .max = 1, .source = CEMV_SOURCE_CARD, .templates = CEMV_TEMPLATE_GPO },
};

enum state { WAIT_VERDICT = 1 };
static const struct cemv_edges edges = { { [0] = 1u << WAIT_VERDICT | 1u, [WAIT_VERDICT] = 1u } };

/* ---- how it ends ---- */

static enum cemv_step finish(struct cemv_kernel *kernel, uint8_t status, uint8_t reason, uint8_t message,
                             cemv_bytes record)
{
    const cemv_bytes nothing = { NULL, 0 };
    struct cemv_outcome outcome = cemv_outcome_of(status, reason);
    cemv_outcome_show(&outcome, message, CEMV_UI_CARD_READ);
    return cemv_kernel_finish(kernel, &outcome, record, nothing);
}

static enum cemv_step end_fault(struct cemv_kernel *kernel, uint8_t reason)
{
    const cemv_bytes nothing = { NULL, 0 };
    return finish(kernel, CEMV_OUTCOME_END_APPLICATION, reason, CEMV_MESSAGE_TRY_ANOTHER_CARD, nothing);
}

/* ---- the dialogue ---- */

static enum cemv_step ask_verdict(struct cemv_kernel *kernel)
{
    static const uint8_t list[] = { 0xDF, 0x01, SHOP_SIZE, 0x9F, 0x02, 0x06 };
    uint8_t data[SHOP_SIZE + 6];
    size_t size;
    if (!cemv_kernel_build_dol(kernel, (cemv_bytes){ list, sizeof list }, data, sizeof data, &size))
        return end_fault(kernel, CEMV_REASON_INTERNAL);
    const struct cemv_command ask = { .cla = 0x80, .ins = 0xC0, .data = { data, size }, .le = CEMV_LE_MAX };
    return cemv_kernel_send(kernel, WAIT_VERDICT, &ask);
}

static bool may_stay_offline(const struct cemv_kernel *kernel)
{
    const struct kernel_9_options *options = cemv_kernel_options(kernel);
    return options && cemv_kernel_activation(kernel).transaction->amount < options->offline_limit;
}

static enum cemv_step got_verdict(struct cemv_kernel *kernel, cemv_bytes response)
{
    cemv_bytes body;
    uint16_t status_word;
    struct cemv_tlv template, verdict;
    if (!cemv_response_decode(response, &body, &status_word)) return end_fault(kernel, CEMV_REASON_LINK);
    if (status_word != 0x9000) return end_fault(kernel, CEMV_REASON_CARD_STATUS);
    if (!cemv_tlv_find(body, TAG_TEMPLATE, &template) || !cemv_tlv_find(template.value, TAG_VERDICT, &verdict) ||
        verdict.value.size != 1)
        return end_fault(kernel, CEMV_REASON_CARD_DATA);
    if (verdict.value.data[0] != VERDICT_YES)
        return finish(kernel, CEMV_OUTCOME_DECLINED, CEMV_REASON_KERNEL, CEMV_MESSAGE_NOT_AUTHORISED, verdict.whole);
    if (may_stay_offline(kernel))
        return finish(kernel, CEMV_OUTCOME_APPROVED, CEMV_REASON_KERNEL, CEMV_MESSAGE_APPROVED, verdict.whole);
    return finish(kernel, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL, CEMV_MESSAGE_AUTHORISING, verdict.whole);
}

static enum cemv_step reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    if (reply->kind != CEMV_REPLY_RESPONSE) return end_fault(kernel, CEMV_REASON_LINK);
    return got_verdict(kernel, reply->bytes);
}

/* ---- requirements on a configuration ---- */

static enum cemv_status check(const struct cemv_configuration *configuration, size_t row,
                              struct cemv_config_error *error)
{
    const struct kernel_9_options *options = configuration->combinations[row].options;
    if (!options || options->offline_limit <= HIGHEST_LIMIT) return CEMV_OK;
    error->field = CEMV_FIELD_OPTIONS;
    error->option = KERNEL_9_OFFLINE_LIMIT;
    return CEMV_BAD_VALUE;
}

const struct cemv_kernel_module kernel_9 = {
    .start = ask_verdict,
    .reply = reply,
    .check = check,
    .tags = { tags, sizeof tags / sizeof tags[0] },
    .edges = &edges,
    .reading = CEMV_READING_STRICT_DUPLICATES,
};
