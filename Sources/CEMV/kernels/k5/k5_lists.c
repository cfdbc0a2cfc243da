/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 5: the values for PDOL, CDOL1 and CDOL2 (Book C-5 v2.10, 3.3.1, 3.8.1, 3.10.3; Book 3, 5.4). The store
 * supplies its values; objects that Annex B does not list are sent as zeros, whatever is configured. Sends nothing. */
#include "k5_memory.h"

/* The two objects of a transit reader. The store cannot hold them, because their tags are not valid BER-TLV tags. */
static cemv_bytes transit_value(const struct cemv_kernel *kernel, uint32_t tag)
{
    const struct cemv_kernel_5_options *options = k5_options_of(kernel);
    if (tag == K5_TAG_DF83) return (cemv_bytes){ options->transit_agent, sizeof options->transit_agent };
    return (cemv_bytes){ options->transit_data, sizeof options->transit_data };
}

/* Each entry is filled separately, because the store's function knows neither the transit objects nor the limits of
 * Annex B. */
bool k5_build_list(const struct cemv_kernel *kernel, cemv_bytes dol, uint8_t *out, size_t capacity, size_t *size)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(dol);
    struct cemv_dol_entry entry;
    const uint8_t *from = cursor.at;
    size_t written = 0, one = 0;
    for (; k5_dol_next(&cursor, &entry); from = cursor.at, written += entry.length) {
        if (entry.length > capacity - written) return false;
        const cemv_bytes alone = { from, (size_t)(cursor.at - from) };
        if (entry.tag == K5_TAG_DF83 || entry.tag == K5_TAG_DF84)
            cemv_dol_fit(out + written, entry.length, transit_value(kernel, entry.tag), CEMV_FORMAT_B);
        else if (!k5_is_in_dictionary(entry.tag)) cemv_zero(out + written, entry.length);
        else if (!cemv_store_build_dol(&kernel->store, alone, true, out + written, entry.length, &one)) return false;
    }
    *size = written;
    return cursor.error == CEMV_WIRE_OK;
}

/* Not inlined, to keep its buffer off the caller's stack. */
kernel_noinline bool k5_fill_in(struct cemv_kernel *kernel, cemv_bytes dol, size_t capacity, struct cemv_span *span)
{
    uint8_t values[K5_LIST_MAX];
    size_t size = 0;
    return k5_build_list(kernel, dol, values, capacity, &size) &&
           (span == NULL || cemv_store_keep(&kernel->store, (cemv_bytes){ values, size }, span));
}

/* Fills CDOL2 when the card goes online, since its records are no longer in the store when the issuer answers. Only
 * three values are unknown now: the issuer's code and data, and the TVR, which the scripts may still change. Their
 * positions are noted. */
void k5_prepare_second(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const cemv_bytes list = cemv_value(kernel, CEMV_SLOT_8D);
    struct cemv_dol_cursor cursor = cemv_dol_open(list);
    struct cemv_dol_entry entry;
    size_t size = 0, at = 0;
    memory->late_count = 0;
    memory->has_second = list.size != 0 && k5_build_list(kernel, list, memory->second, sizeof memory->second, &size);
    memory->second_size = (uint8_t)size;
    for (; memory->has_second && k5_dol_next(&cursor, &entry); at += entry.length) {
        const bool late = entry.tag == CEMV_TAG_8A_AUTHORISATION_RESPONSE_CODE ||
                          entry.tag == CEMV_TAG_91_ISSUER_AUTHENTICATION_DATA ||
                          entry.tag == CEMV_TAG_95_TERMINAL_VERIFICATION_RESULTS;
        if (!late) continue;
        if (memory->late_count == K5_LATE_MAX) memory->has_second = false;
        else memory->late[memory->late_count++] = (struct k5_late){ (uint8_t)at, entry.length, (uint8_t)entry.tag };
    }
}

bool k5_put_results(struct cemv_kernel *kernel)
{
    const struct k5_memory *memory = k5_memory_of(kernel);
    uint8_t tvr[5];
    cemv_rules_bits_put(tvr, memory->tvr);
    return cemv_value_put(kernel, CEMV_SLOT_95, tvr, sizeof tvr) &&
           cemv_value_put(kernel, K5_SLOT_9F53, memory->tip, sizeof memory->tip);
}
