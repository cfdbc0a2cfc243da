// SPDX-License-Identifier: Apache-2.0
/* Erasing what nobody reads any more. */
#include "wire.h"

void cemv_wipe(void *bytes, size_t size)
{
    /* The size is hidden from the compiler: the library's memset is faster than what it would put here. */
    __asm__("" : "+r"(size));
    cemv_zero(bytes, size);
    /* A store it must believe somebody reads. */
    __asm__ __volatile__("" : : "r"(bytes) : "memory");
}
