/* SPDX-License-Identifier: Apache-2.0 */
/* Erases memory in a way that compilers cannot omit (DESIGN.md, section 6). Knows nothing about the contents. */
#include "wire.h"

void cemv_wipe(void *bytes, size_t size) { compiler_wipe(bytes, size); }
