/* SPDX-License-Identifier: Apache-2.0 */
/* Tag and length decoding. Their loops run at most four times and are unrolled; nothing is then left of them.
 * frama-c: -ulevel 5
 * proves: cemv_tag_read length_read */
#include "headers.h"
#include "../../Sources/CEMV/wire/tlv.c"
