/* SPDX-License-Identifier: Apache-2.0 */
/* Wipes what an operation left on the stack: Swift cannot say how large a frame is, and swift-crypto leaves round keys
 * there. Knows no key and no library. */
#ifndef C_STACK_WIPE_H
#define C_STACK_WIPE_H

/* Zeros over so many bytes below the caller's frame, where the function that it called last had its frames: more than
 * an operation of P-256 or AES takes. Cannot be elided. */
#define WIPED_STACK_BYTES 24576
void wipe_stack(void);

#endif
