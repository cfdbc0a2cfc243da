/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of this function covers the area to wipe (stack.h). */
#include "include/stack.h"

#include <string.h>

__attribute__((noinline)) void wipe_stack(void)
{
    unsigned char frame[WIPED_STACK_BYTES];
    memset(frame, 0, sizeof frame);
    __asm__ volatile("" : : "r"(frame) : "memory");
}
