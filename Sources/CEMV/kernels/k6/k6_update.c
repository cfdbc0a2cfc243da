/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 6: the second presentment, issuer scripts (Book C-6 v2.6, 3.10, F3-17). TVR and TSI of the first presentment
 * stay; the issuer has decided, so nothing is shown. One template, and an end at the first command that fails: what
 * exchange/scripts.c does for other kernels, several templates in turn, is not here. */
#include "k6_memory.h"

/* Another name than that of the first presentment is another card's (attacks.md, A29). */
static bool other_card(struct cemv_kernel *kernel, cemv_bytes name)
{
    const struct k6_memory *memory = k6_memory_of(kernel);
    const size_t compared = name.size < K6_NAME_MAX ? name.size : K6_NAME_MAX;
    if (name.size == memory->name_size && __builtin_memcmp(name.data, memory->name, compared) == 0) return false;
    cemv_finding_add(kernel, CEMV_FINDING_DF_NAME_MISMATCH);
    return !cemv_is_book(kernel);
}

/* F3-17.1: exactly one template. */
static bool open_script(struct cemv_kernel *kernel)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    struct cemv_tlv_cursor cursor = cemv_tlv_open(cemv_span_bytes(&kernel->store, kernel->online));
    struct cemv_tlv object;
    unsigned templates = 0;
    while (cemv_tlv_next(&cursor, &object)) {
        if (object.tag != CEMV_TAG_71_ISSUER_SCRIPT_TEMPLATE_1 && object.tag != CEMV_TAG_72_ISSUER_SCRIPT_TEMPLATE_2)
            continue;
        templates++;
        memory->script = cemv_span_of(&kernel->store, object.value);
    }
    return templates == 1;
}

enum cemv_step k6_script_failed(struct cemv_kernel *kernel)
{
    k6_memory_of(kernel)->tvr[4] |= CEMV_TVR_5_SCRIPT_FAILED_BEFORE_AC;
    return k6_end_update(kernel, CEMV_REASON_KERNEL);
}

/* The next command of the template, which is well formed. */
static enum cemv_step ask_script(struct cemv_kernel *kernel)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    struct cemv_tlv_cursor cursor = cemv_tlv_open(cemv_span_bytes(&kernel->store, memory->script));
    struct cemv_command command;
    struct cemv_tlv object;
    while (cemv_tlv_next(&cursor, &object)) {
        if (object.tag != CEMV_TAG_86_ISSUER_SCRIPT_COMMAND) continue;
        memory->script = cemv_span_of(&kernel->store, (cemv_bytes){ cursor.at, (size_t)(cursor.end - cursor.at) });
        if (!k6_script_command(object.value, &command)) return k6_script_failed(kernel);
        memory->tsi[0] |= CEMV_TSI_1_ISSUER_AUTHENTICATION_PERFORMED | CEMV_TSI_1_SCRIPT_PERFORMED; /* F3-17.2 */
        return cemv_kernel_send(kernel, K6_WAIT_SCRIPT, &command);
    }
    return k6_end_update(kernel, CEMV_REASON_KERNEL);
}

enum cemv_step k6_got_script(struct cemv_kernel *kernel, uint16_t status_word)
{
    enum { SECURITY_STATUS_NOT_SATISFIED = 0x6982 };
    if (status_word == CEMV_SW_OK) return ask_script(kernel);
    if (status_word == SECURITY_STATUS_NOT_SATISFIED)
        k6_memory_of(kernel)->tvr[4] |= CEMV_TVR_5_ISSUER_AUTHENTICATION_FAILED;
    return k6_script_failed(kernel);
}

enum cemv_step k6_start_update(struct cemv_kernel *kernel, const struct k6_selected *selected)
{
    const struct k6_memory *memory = k6_memory_of(kernel);
    if (selected->verdict != K6_FINE) return k6_end_update(kernel, CEMV_REASON_CARD_DATA);
    if (other_card(kernel, selected->name)) return k6_end_update(kernel, CEMV_REASON_CARD_SWITCHED);
    if (!open_script(kernel)) return k6_end_update(kernel, CEMV_REASON_KERNEL);
    if (!cemv_tlv_is_list(cemv_span_bytes(&kernel->store, memory->script))) return k6_script_failed(kernel);
    return ask_script(kernel);
}
