/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 5: the issuer's answer, with the card held in the field or presented again (Book C-5 v2.10, 3.10). The issuer
 * has decided; a card can only lower it. Reads no script itself: that is exchange/scripts.c. */
#include "k5_memory.h"

/* A value of the issuer's with a length in the book's bounds; empty: absent. */
static cemv_bytes issuer_value(const struct cemv_kernel *kernel, uint32_t tag, size_t min, size_t max)
{
    const cemv_bytes none = { NULL, 0 };
    struct cemv_tlv object;
    if (!cemv_tlv_find(cemv_span_bytes(&kernel->store, kernel->online), tag, &object)) return none;
    return object.value.size >= min && object.value.size <= max ? object.value : none;
}

static cemv_bytes issuer_code(const struct cemv_kernel *kernel)
{
    return issuer_value(kernel, CEMV_TAG_8A_AUTHORISATION_RESPONSE_CODE, 2, 2);
}

static cemv_bytes issuer_data(const struct cemv_kernel *kernel)
{
    return issuer_value(kernel, CEMV_TAG_91_ISSUER_AUTHENTICATION_DATA, 8, 16);
}

static bool issuer_has(const struct cemv_kernel *kernel, uint32_t tag)
{
    struct cemv_tlv object;
    return cemv_tlv_find(cemv_span_bytes(&kernel->store, kernel->online), tag, &object);
}

void k5_open_scripts(struct cemv_kernel *kernel)
{
    k5_memory_of(kernel)->scripts = (struct cemv_scripts){
        .at = kernel->online.at,
        .end = (uint16_t)(kernel->online.at + kernel->online.size),
    };
}

/* Scripts: 3.10.2, 3.10.5 ------------------------------------------------------------------------------------------ */

bool k5_next_command(struct cemv_kernel *kernel, uint32_t tag, uint8_t failed, struct cemv_command *command)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    cemv_bytes identifier;
    for (;;) {
        if (memory->scripts.script_at != memory->scripts.script_end &&
            cemv_script_next(&memory->scripts, &kernel->store, command, &identifier) == CEMV_SCRIPT_COMMAND)
            return true;
        if (!cemv_scripts_next(&memory->scripts, &kernel->store, tag)) return false;
        if (cemv_script_is_whole(memory->scripts, &kernel->store, &identifier)) continue;
        memory->tvr |= CEMV_TVR(5, failed);
        memory->scripts.script_at = memory->scripts.script_end;
    }
}

static enum cemv_step ask_second_ac(struct cemv_kernel *kernel);

static enum cemv_step ask_script(struct cemv_kernel *kernel)
{
    struct cemv_command command;
    if (k5_next_command(kernel, CEMV_TAG_71_ISSUER_SCRIPT_TEMPLATE_1, CEMV_TVR_5_SCRIPT_FAILED_BEFORE_AC, &command))
        return cemv_kernel_send(kernel, K5_WAIT_SCRIPT, &command);
    if (issuer_data(kernel).size == 0 && !issuer_has(kernel, CEMV_TAG_72_ISSUER_SCRIPT_TEMPLATE_2)) /* 3.10.2.2 */
        return cemv_end_silent(kernel, CEMV_REASON_KERNEL, CEMV_L2_OK, 0);
    return ask_second_ac(kernel);
}

static enum cemv_step ask_last_script(struct cemv_kernel *kernel)
{
    struct cemv_command command;
    if (k5_next_command(kernel, CEMV_TAG_72_ISSUER_SCRIPT_TEMPLATE_2, CEMV_TVR_5_SCRIPT_FAILED_AFTER_AC, &command))
        return cemv_kernel_send(kernel, K5_WAIT_LAST_SCRIPT, &command);
    return k5_end_update(kernel, k5_memory_of(kernel)->prepared);
}

/* 3.10.2.1, 3.10.5.1: a command that fails takes the rest of its template with it. */
enum cemv_step k5_got_script(struct cemv_kernel *kernel, uint16_t status_word)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const bool last = kernel->out.state == K5_WAIT_LAST_SCRIPT;
    const unsigned high = status_word >> 8;
    if (high != 0x90 && high != 0x62 && high != 0x63) {
        memory->tvr |= CEMV_TVR(5, last ? CEMV_TVR_5_SCRIPT_FAILED_AFTER_AC : CEMV_TVR_5_SCRIPT_FAILED_BEFORE_AC);
        memory->scripts.script_at = memory->scripts.script_end;
    }
    return last ? ask_last_script(kernel) : ask_script(kernel);
}

/* The second GENERATE AC: 3.10.3, 3.10.4 --------------------------------------------------------------------------- */

/* What was not known when the values were prepared. */
static void fill_in_late(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    uint8_t tvr[5];
    cemv_rules_bits_put(tvr, memory->tvr);
    for (size_t i = 0; i < memory->late_count; i++) {
        const struct k5_late *late = &memory->late[i];
        cemv_bytes value = { tvr, sizeof tvr };
        if (late->tag == CEMV_TAG_8A_AUTHORISATION_RESPONSE_CODE) value = issuer_code(kernel);
        if (late->tag == CEMV_TAG_91_ISSUER_AUTHENTICATION_DATA) value = issuer_data(kernel);
        cemv_dol_fit(memory->second + late->at, late->size, value, CEMV_FORMAT_B);
    }
}

static enum cemv_step ask_second_ac(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    if (!memory->has_second) return cemv_end_silent(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_MISSING, 0);
    memory->requested = k5_arc_approves(issuer_code(kernel)) ? CEMV_RULES_TC : CEMV_RULES_AAC;
    fill_in_late(kernel);
    const struct cemv_command command = {
        0x80, 0xAE, memory->requested, 0x00, { memory->second, memory->second_size }, CEMV_LE_MAX
    };
    return cemv_kernel_send(kernel, K5_WAIT_SECOND_AC, &command);
}

/* Another counter is another card's, or another transaction's (attacks.md, A29). */
static bool other_counter(const struct cemv_kernel *kernel, const struct k5_memory *memory, cemv_bytes atc)
{
    return !cemv_is_book(kernel) && !cemv_bytes_equal(atc, (cemv_bytes){ memory->atc, sizeof memory->atc });
}

enum cemv_step k5_got_second_ac(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    if (status_word != CEMV_SW_OK)
        return cemv_end_silent(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    if (!cemv_store_keep(&kernel->store, body, &memory->answer))
        return cemv_end_silent(kernel, CEMV_REASON_STORE_FULL, CEMV_L2_CARD_DATA_ERROR, 0);
    const struct k5_answer answer = k5_read_answer(cemv_span_bytes(&kernel->store, memory->answer));
    if (!k5_is_second_answer(&answer))
        return cemv_end_silent(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR, 0);
    if (other_counter(kernel, memory, answer.object[K5_ATC]))
        return cemv_end_silent(kernel, CEMV_REASON_CARD_SWITCHED, CEMV_L2_CARD_DATA_ERROR, 0);
    const uint8_t type = k5_type(&answer);
    const bool approves = type == CEMV_RULES_TC && memory->requested == CEMV_RULES_TC; /* 3.10.3.9 */
    memory->prepared = approves ? CEMV_OUTCOME_APPROVED : CEMV_OUTCOME_DECLINED;
    if (!approves && type != CEMV_RULES_AAC) { /* 3.10.3.8, .9: at once, and nothing of this answer is kept */
        memory->answer.size = 0;
        return k5_end_update(kernel, CEMV_OUTCOME_DECLINED);
    }
    k5_open_scripts(kernel);
    return ask_last_script(kernel);
}

/* The restart: 3.10.1 ---------------------------------------------------------------------------------------------- */

static bool other_card(struct cemv_kernel *kernel, cemv_bytes name)
{
    const struct k5_memory *memory = k5_memory_of(kernel);
    if (cemv_bytes_equal(name, (cemv_bytes){ memory->name, memory->name_size })) return false;
    cemv_finding_add(kernel, CEMV_FINDING_DF_NAME_MISMATCH);
    return !cemv_is_book(kernel);
}

/* A code there must be, and something to be done with the card (3.2.1.2, 3.2.1.3). At Start D there is no FCI. */
static bool brings_enough(const struct cemv_kernel *kernel)
{
    return issuer_code(kernel).size != 0 &&
           (issuer_data(kernel).size != 0 || issuer_has(kernel, CEMV_TAG_71_ISSUER_SCRIPT_TEMPLATE_1) ||
            issuer_has(kernel, CEMV_TAG_72_ISSUER_SCRIPT_TEMPLATE_2));
}

enum cemv_step k5_start_update(struct cemv_kernel *kernel, const struct k5_fci *fci)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const cemv_bytes record = { kernel->out.records, memory->record_size };
    const bool updates = (memory->tip[1] & CEMV_KERNEL_5_TIP_2_ISSUER_UPDATE) != 0;
    if (!brings_enough(kernel) || !updates) return cemv_end_silent(kernel, CEMV_REASON_KERNEL, CEMV_L2_OK, 0);
    if (kernel->fci.size != 0 || kernel->start != CEMV_START_D) {
        if (!fci->whole) return cemv_end_silent(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_PARSING_ERROR, 0);
        if (other_card(kernel, fci->name))
            return cemv_end_silent(kernel, CEMV_REASON_CARD_SWITCHED, CEMV_L2_CARD_DATA_ERROR, 0);
    }
    if (!cemv_store_keep(&kernel->store, record, &memory->first))
        return cemv_end_silent(kernel, CEMV_REASON_STORE_FULL, CEMV_L2_OK, 0);
    memory->answer.size = 0;
    k5_open_scripts(kernel);
    return ask_script(kernel);
}
