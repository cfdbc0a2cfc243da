/* SPDX-License-Identifier: Apache-2.0 */
/* Erases memory in a way that compilers cannot omit (DESIGN.md, section 6). Knows nothing about the contents. */
#include "wire.h"

void cemv_wipe(void *bytes, size_t size)
{
    /* The size is hidden from the compiler: the library's memset is faster than the code that the compiler would
     * generate. */
    __asm__("" : "+r"(size));
    cemv_zero(bytes, size);
    /* The compiler must assume that this reads the memory, so it cannot omit the stores. */
    __asm__ __volatile__("" : : "r"(bytes) : "memory");
}
