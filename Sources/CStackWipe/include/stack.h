/* SPDX-License-Identifier: Apache-2.0 */
/* Wipes the stack after an operation: swift-crypto leaves round keys there, and Swift code cannot know the size of a
 * frame. It knows no key and no library. */
#ifndef C_STACK_WIPE_H
#define C_STACK_WIPE_H

/* Writes zeros to this many bytes below the caller's frame, where the function that it called last had its frames. An
 * operation of P-256 or AES uses less. The compiler cannot remove the writes. */
#define WIPED_STACK_BYTES 24576
void wipe_stack(void);

#endif
