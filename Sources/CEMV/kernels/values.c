/* SPDX-License-Identifier: Apache-2.0 */
/* Values of the store as kernels ask for them. Not inline: kernels have many of these calls. */
#include "kernel.h"

cemv_bytes cemv_value(const struct cemv_kernel *kernel, uint16_t slot)
{
    return cemv_store_value(&kernel->store, slot);
}

uint8_t cemv_value_byte(const struct cemv_kernel *kernel, uint16_t slot, size_t at)
{
    const cemv_bytes value = cemv_store_value(&kernel->store, slot);
    return at < value.size ? value.data[at] : 0;
}

bool cemv_value_put(struct cemv_kernel *kernel, uint16_t slot, const uint8_t *bytes, size_t size)
{
    return cemv_store_put(&kernel->store, slot, (cemv_bytes){ bytes, size }, CEMV_FROM_TERMINAL);
}
