/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 5: the issuer's answer for the card: scripts, and the values of the second GENERATE AC (Book C-5 v2.10, 3.10).
 * Sends nothing and changes no state. exchange/scripts.c parses the scripts. */
#include "k5_memory.h"

/* An object of the issuer's answer whose length is within the book's bounds; empty if absent. */
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

/* The issuer's answer decides whether the card is needed again. Authentication data, or a script to be executed
 * afterwards (72), require a second GENERATE AC; scripts to be executed before it (71) do not require one. */
bool k5_needs_second_ac(const struct cemv_kernel *kernel)
{
    return issuer_data(kernel).size != 0 || issuer_has(kernel, CEMV_TAG_72_ISSUER_SCRIPT_TEMPLATE_2);
}

bool k5_brings_enough(const struct cemv_kernel *kernel)
{
    return issuer_code(kernel).size != 0 &&
           (k5_needs_second_ac(kernel) || issuer_has(kernel, CEMV_TAG_71_ISSUER_SCRIPT_TEMPLATE_1));
}

void k5_open_scripts(struct cemv_kernel *kernel)
{
    k5_memory_of(kernel)->scripts = (struct cemv_scripts){ .left = kernel->online };
}

/* Returns one command after the other, across scripts. A script is checked completely before its first command is sent:
 * one that is cut off is not started, since half of an update is worse than none at all. */
bool k5_next_command(struct cemv_kernel *kernel, uint32_t tag, uint8_t failed, struct cemv_command *command)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    cemv_bytes identifier;
    for (;;) {
        if (memory->scripts.script.size != 0 &&
            cemv_script_next(&memory->scripts, &kernel->store, command, &identifier) == CEMV_SCRIPT_COMMAND)
            return true;
        if (!cemv_scripts_next(&memory->scripts, &kernel->store, tag)) return false;
        if (cemv_script_is_whole(memory->scripts, &kernel->store, &identifier)) continue;
        memory->tvr |= CEMV_TVR(5, failed);
        memory->scripts.script.size = 0;
    }
}

/* The values of the second GENERATE AC were prepared when the card went online, before the issuer had answered. The
 * positions of the three values that depend on the answer were noted then, and are filled now. */
void k5_complete_second(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    uint8_t tvr[5];
    cemv_rules_bits_put(tvr, memory->tvr);
    memory->requested = k5_arc_approves(issuer_code(kernel)) ? CEMV_RULES_TC : CEMV_RULES_AAC;
    for (size_t i = 0; i < memory->late_count; i++) {
        const struct k5_late *late = &memory->late[i];
        cemv_bytes value = { tvr, sizeof tvr };
        if (late->tag == CEMV_TAG_8A_AUTHORISATION_RESPONSE_CODE) value = issuer_code(kernel);
        if (late->tag == CEMV_TAG_91_ISSUER_AUTHENTICATION_DATA) value = issuer_data(kernel);
        cemv_dol_fit(memory->second + late->at, late->size, value, CEMV_FORMAT_B);
    }
}
