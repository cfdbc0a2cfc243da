/* SPDX-License-Identifier: Apache-2.0 */
/* Private headers of CEMV and C helpers, for tests only. */
#ifndef CEMV_INTERNALS_H
#define CEMV_INTERNALS_H

#include "../../../Sources/CEMV/wire/wire.h"
#include "../../../Sources/CEMV/data/data.h"
#include "../../../Sources/CEMV/data/tags.h"
#include "../../../Sources/CEMV/oda/oda.h"
#include "../../../Sources/CEMV/entry/entry.h"
#include "../../../Sources/CEMV/kernels/k2/k2.h"
#include "../../../Sources/CEMV/kernels/k3/k3.h"
#include "../../../Sources/CEMV/kernels/k3/k3_tags.h"
#include "../../../Sources/CEMV/kernels/k8/k8_channel.h"
#include "../../../Sources/CEMV/kernels/kernel.h"
#include "../../../Sources/CEMV/session/session.h"
#include "taps.h"
#include "faults.h"
#include "fuzz.h"

#include "cryptogram_properties.h"

/* The tags of Kernel 2 or 3, prepared. */
static inline const struct cemv_tags *tags_of(unsigned kernel)
{
    static struct cemv_tags tags[2];
    struct cemv_tags *const wanted = &tags[kernel == 2 ? 0 : 1];
    if (wanted->count == 0) cemv_tags_open(wanted, kernel == 2 ? &cemv_kernel_2.tags : &cemv_kernel_3.tags);
    return wanted;
}

/* For a kernel without tags of its own. */
static const struct cemv_tags no_tags = { .count = 0 };

/* Every row of the tables: the base table's, then those of Kernels 2 and 3. */
enum { TAG_ROWS = CEMV_SLOT_COUNT + K2_TAGS + K3_TAGS };
static inline const struct cemv_tag_row *tag_row_at(size_t row)
{
    if (row < CEMV_SLOT_COUNT) return &cemv_base_tags[row];
    row -= CEMV_SLOT_COUNT;
    return row < K2_TAGS ? &k2_tags[row] : &k3_tags[row - K2_TAGS];
}
/* Returns the first row with this tag, or NULL. */
static inline const struct cemv_tag_row *tag_row_of(uint32_t tag)
{
    for (size_t row = 0; row < TAG_ROWS; row++)
        if (tag_row_at(row)->tag == tag) return tag_row_at(row);
    return NULL;
}

/* The bit-fields of a row: the Swift compiler cannot always compile its own accessors. */
static inline uint32_t row_tag(struct cemv_tag_row row) { return row.tag; }
static inline uint32_t row_format(struct cemv_tag_row row) { return row.format; }

#endif
