/* Kernel 2, integrated data storage: the digest and the data for the DSDOL. */
#include "k2_memory.h"

static bool dol_asks(cemv_bytes dol, uint32_t tag)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(dol);
    struct cemv_dol_entry entry;
    while (cemv_dol_next(&cursor, &entry))
        if (entry.tag == tag) return true;
    return false;
}

/* A DSDOL ends where its last value ends: that one is not padded (1.1, rule 6). */
static bool build(const struct cemv_kernel *kernel, cemv_bytes dol, uint8_t *out, size_t capacity, size_t *size)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(dol);
    struct cemv_dol_entry entry = { 0 };
    uint32_t last = 0;
    if (!cemv_store_build_dol(&kernel->store, dol, false, out, capacity, size)) return false;
    while (cemv_dol_next(&cursor, &entry)) last = entry.tag;
    const uint16_t slot = cemv_slot_of(last);
    const size_t held = slot == CEMV_SLOT_NONE ? 0 : k2_value(kernel, slot).size;
    if (held < entry.length) *size -= entry.length - held;
    return true;
}

bool k2_build_storage_data(struct cemv_kernel *kernel, uint8_t *out, size_t capacity, size_t *size)
{
    const cemv_bytes dol = k2_value(kernel, CEMV_SLOT_9F5B);
    (void)dol_asks;
    return build(kernel, dol, out, capacity, size);
}
