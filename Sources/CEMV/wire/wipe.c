/* Erasing what nobody reads any more. */
#include "wire.h"

void cemv_wipe(void *bytes, size_t size)
{
    cemv_zero(bytes, size);
    /* A store the compiler must believe somebody reads. */
    __asm__ __volatile__("" : : "r"(bytes) : "memory");
}
