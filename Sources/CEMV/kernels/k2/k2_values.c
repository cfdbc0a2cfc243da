/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 2: data objects of the store as values, and the objects that the kernel itself puts there. An absent object,
 * or one of the wrong length, reads as the default of the charts, so that every caller states its default where it
 * reads. Knows no command and decides nothing. Data objects: Conformance/book-c2.md. */
#include "k2.h"

uint8_t k2_byte(const struct cemv_kernel *kernel, uint16_t slot, uint8_t fallback)
{
    const cemv_bytes value = cemv_value(kernel, slot);
    return value.size == 1 ? value.data[0] : fallback;
}

uint16_t k2_word(const struct cemv_kernel *kernel, uint16_t slot, uint16_t fallback)
{
    const cemv_bytes value = cemv_value(kernel, slot);
    return value.size == 2 ? cemv_be16(value.data) : fallback;
}

uint64_t k2_amount(const struct cemv_kernel *kernel, uint16_t slot)
{
    uint64_t amount = 0;
    const cemv_bytes value = cemv_value(kernel, slot);
    if (value.size != 0) (void)cemv_bcd_read(value, &amount);
    return amount;
}

/* A full store is noted. If the tap then ends with a fault, the reason of the outcome names it, and callers need not
 * test every value. */
void k2_put_terminal(struct cemv_kernel *kernel, uint16_t slot, const uint8_t *value, size_t size)
{
    if (!cemv_store_put(&kernel->store, slot, (cemv_bytes){ value, size }, CEMV_FROM_TERMINAL))
        k2_memory_of(kernel)->store_full = true;
}

/* Initial values [S1.9], and defaults of configuration objects that a DOL or a record may name. 9F33 is preliminary:
 * its CVM byte depends on the amount, which may not be known yet, see k2_choose_capabilities(). */
void k2_put_initial_data(struct cemv_kernel *kernel)
{
    static const uint8_t none[5] = { 0 }, version[2] = { 0x00, 0x02 }, magstripe_version[2] = { 0x00, 0x01 },
                         mobile = 0x01;
    const uint8_t capabilities[3] = { k2_byte(kernel, K2_SLOT_DF8117, 0), 0, k2_byte(kernel, K2_SLOT_DF811F, 0) };
    k2_put_terminal(kernel, CEMV_SLOT_9F34, none, 3);
    k2_put_terminal(kernel, CEMV_SLOT_95, none, 5);
    k2_put_terminal(kernel, CEMV_SLOT_9F33, capabilities, sizeof capabilities);
    k2_put_terminal(kernel, K2_SLOT_9F7E, &mobile, 1);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F09))
        k2_put_terminal(kernel, CEMV_SLOT_9F09, version, sizeof version);
    if (!cemv_store_has(&kernel->store, K2_SLOT_9F6D))
        k2_put_terminal(kernel, K2_SLOT_9F6D, magstripe_version, sizeof magstripe_version);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F1A)) k2_put_terminal(kernel, CEMV_SLOT_9F1A, none, 2);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F35)) k2_put_terminal(kernel, CEMV_SLOT_9F35, none, 1);
}
