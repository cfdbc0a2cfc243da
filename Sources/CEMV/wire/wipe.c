/* SPDX-License-Identifier: Apache-2.0 */
/* Erases memory in a way that compilers cannot leave out (DESIGN.md, section 6). Knows nothing of what the memory
 * held. */
#include "wire.h"

void cemv_wipe(void *bytes, size_t size)
{
    /* The size is hidden from the compiler: the library's memset is faster than what it would put here. */
    __asm__("" : "+r"(size));
    cemv_zero(bytes, size);
    /* A store it must believe somebody reads. */
    __asm__ __volatile__("" : : "r"(bytes) : "memory");
}
