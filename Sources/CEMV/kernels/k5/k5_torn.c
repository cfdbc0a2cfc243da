/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 5: a tap that was interrupted during the first GENERATE AC, recovered with ECHO at the next activation (Book
 * C-5 v2.10, 3.11.2, 3.13). The context stays in the reader's memory until that activation, within the transaction
 * (exchange/). Knows no other transaction. */
#include "k5_memory.h"

enum { BOUND = 1 }; /* next to the type of the requested cryptogram */

/* Writes one list of objects: 57 and the values under the cryptogram, as the book has it; the results at the time of
 * the request, by which the response must be evaluated; and the application that it belongs to. */
static void write_context(struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    const struct k5_memory *memory = k5_memory_of(kernel);
    const struct cemv_store *store = &kernel->store;
    const uint8_t control = (uint8_t)(memory->requested | (memory->bound ? BOUND : 0));
    cemv_store_export(store, CEMV_SLOT_57, writer);
    cemv_store_export(store, CEMV_SLOT_95, writer);
    cemv_store_export(store, K5_SLOT_9F53, writer);
    cemv_store_export(store, CEMV_SLOT_9F37, writer);
    cemv_writer_put_tlv(writer, CEMV_TAG_DF8114_REFERENCE_CONTROL_PARAMETER, (cemv_bytes){ &control, 1 });
    cemv_writer_put_tlv(writer, CEMV_TAG_84_DF_NAME, (cemv_bytes){ memory->name, memory->name_size });
    cemv_writer_put_tlv(writer, CEMV_TAG_9F06_AID_TERMINAL, kernel->combination->aid);
    if (!memory->cda_asked) return;
    uint8_t values[CEMV_PDOL_VALUES_MAX + K5_LIST_MAX];
    cemv_copy(values, store->arena + memory->pdol.at, memory->pdol.size);
    cemv_copy(values + memory->pdol.size, store->arena + memory->cdol.at, memory->cdol.size);
    cemv_writer_put_tlv(writer, CEMV_TAG_DF8107_CDOL1_RELATED_DATA,
                        (cemv_bytes){ values, (size_t)memory->pdol.size + memory->cdol.size });
}

/* Beyond the book: without a signature only track 2 connects the next card with this one, and track 2 can be copied, so
 * profile `strict` keeps no context (attacks.md, A20). */
void k5_remember(struct cemv_kernel *kernel)
{
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    struct cemv_reader_memory *reader = kernel->transaction.reader;
    const bool unsigned_refused = protection->profile == CEMV_PROFILE_STRICT && !k5_memory_of(kernel)->cda_asked;
    if (reader == NULL || protection->torn == CEMV_TORN_OFF || unsigned_refused) return;
    struct cemv_writer writer = cemv_recovery_open(reader, cemv_kernel_number(kernel));
    write_context(kernel, &writer);
    cemv_recovery_close(reader, &writer);
}

static cemv_bytes torn_value(struct cemv_kernel *kernel, uint32_t tag)
{
    cemv_bytes value;
    (void)cemv_torn_find(cemv_span_bytes(&kernel->store, k5_memory_of(kernel)->torn), tag, &value);
    return value;
}

/* The reader's memory belongs to the caller and may have been overwritten. */
static bool is_whole(struct cemv_kernel *kernel)
{
    return torn_value(kernel, CEMV_TAG_DF8114_REFERENCE_CONTROL_PARAMETER).size == 1 &&
           torn_value(kernel, CEMV_TAG_9F53_TERMINAL_INTERCHANGE_PROFILE).size == 3 &&
           torn_value(kernel, CEMV_TAG_9F37_UNPREDICTABLE_NUMBER).size == 4;
}

/* Beyond the book, the context must belong to the selected application (attacks.md, A20). */
static bool is_same_application(struct cemv_kernel *kernel)
{
    const cemv_bytes name = { kernel->df_name, kernel->df_name_size };
    const cemv_bytes held = torn_value(kernel, CEMV_TAG_84_DF_NAME);
    const bool same = held.size >= name.size && cemv_memcmp(held.data, name.data, name.size) == 0;
    return cemv_is_book(kernel) ||
           (same && cemv_bytes_equal(torn_value(kernel, CEMV_TAG_9F06_AID_TERMINAL), kernel->combination->aid));
}

/* This activation uses the context up (3.13.7), whatever its result: a context must not recover two taps. */
bool k5_take_context(struct cemv_kernel *kernel)
{
    struct cemv_reader_memory *reader = kernel->transaction.reader;
    struct k5_memory *memory = k5_memory_of(kernel);
    const cemv_bytes held = cemv_recovery_of(reader, cemv_kernel_number(kernel));
    if (held.size == 0) return false;
    *memory = (struct k5_memory){ .cvm = CEMV_CVM_NA };
    const bool kept = cemv_store_keep(&kernel->store, held, &memory->torn);
    cemv_recovery_drop(reader);
    return kept && is_whole(kernel) && is_same_application(kernel);
}

/* Restores the results at the time of the request, by which the response is evaluated (3.13.6). Each restored value
 * replaces a value of equal length, so that storing cannot fail. */
kernel_noinline static void restore(struct cemv_kernel *kernel)
{
    struct k5_memory *memory = k5_memory_of(kernel);
    const cemv_bytes values = torn_value(kernel, CEMV_TAG_DF8107_CDOL1_RELATED_DATA);
    const cemv_bytes control = torn_value(kernel, CEMV_TAG_DF8114_REFERENCE_CONTROL_PARAMETER);
    const cemv_bytes tip = torn_value(kernel, CEMV_TAG_9F53_TERMINAL_INTERCHANGE_PROFILE);
    const cemv_bytes number = torn_value(kernel, CEMV_TAG_9F37_UNPREDICTABLE_NUMBER);
    memory->tvr = cemv_rules_bits(torn_value(kernel, CEMV_TAG_95_TERMINAL_VERIFICATION_RESULTS), 0);
    memory->requested = control.data[0] & CEMV_RULES_TYPE;
    memory->bound = (control.data[0] & BOUND) != 0;
    memory->cda_asked = values.size != 0;
    cemv_copy(memory->tip, tip.data, sizeof memory->tip);
    memory->pdol = values.size != 0 ? cemv_span_of(&kernel->store, values) : (struct cemv_span){ 0, 0 };
    memory->cdol = (struct cemv_span){ 0, 0 };
    (void)k5_put_results(kernel);
    (void)cemv_store_put(&kernel->store, CEMV_SLOT_9F37, number, CEMV_FROM_TERMINAL);
}

/* The contents of the context were checked when it was loaded. */
bool k5_restore(struct cemv_kernel *kernel)
{
    if (!cemv_bytes_equal(torn_value(kernel, CEMV_TAG_57_TRACK_2_EQUIVALENT_DATA), cemv_value(kernel, CEMV_SLOT_57)))
        return false;
    restore(kernel);
    return true;
}
