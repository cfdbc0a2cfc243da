/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 4: the issuer's answer at Start D, without a card (Book C-4 v2.10, 12.2.2). The records of the first outcome
 * are returned again; no command is sent. */
#include "k4_memory.h"

static struct k4_issuer_action_in input_of(struct cemv_kernel *kernel)
{
    const struct k4_memory *memory = k4_memory_of(kernel);
    const cemv_bytes answer = cemv_span_bytes(&kernel->store, kernel->online);
    const cemv_bytes none = { NULL, 0 };
    struct cemv_tlv code;
    return (struct k4_issuer_action_in){
        .reached = !kernel->unable_to_go_online,
        .code = cemv_tlv_find(answer, CEMV_TAG_8A_AUTHORISATION_RESPONSE_CODE, &code) ? code.value : none,
        .pin_asked = memory->phase != K4_ISSUER_ASKED,
        .takes_pin = memory->takes_pin,
        .can_insert = memory->can_insert,
    };
}

/* After Request Online PIN the PIN was captured, and the terminal repeats the request with it (12.2.2.2); no new
 * message is shown. The issuer's answer is evaluated at once, whether it arrives alone or with the PIN. An answer
 * without a response code declines. */
enum cemv_step k4_start_answered(struct cemv_kernel *kernel)
{
    struct k4_memory *memory = k4_memory_of(kernel);
    kernel->language_size = memory->language_size;
    cemv_copy(kernel->language, memory->language, memory->language_size);
    kernel->out.record_size = memory->record_size;
    kernel->out.discretionary_size = memory->discretionary_size;
    const uint8_t pin = memory->phase == K4_PIN_ASKED ? kernel->pin_entry : CEMV_PIN_ENTRY_NONE;
    if (pin == CEMV_PIN_ENTRY_NOT_CAPTURED) return k4_end_decided(kernel, K4_DECLINED);
    if (pin == CEMV_PIN_ENTRY_CAPTURED && kernel->online.size == 0) return k4_end_decided(kernel, K4_GO_ONLINE);
    const struct k4_issuer_action_in in = input_of(kernel);
    return k4_end_decided(kernel, k4_issuer_action(&in));
}
