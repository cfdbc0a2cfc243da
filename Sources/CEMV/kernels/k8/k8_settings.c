/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 8: its options for the fingerprint of a configuration (include/cemv_replies.h). Linked only where it is
 * listed for that. */
#include "../../include/cemv_kernel_8.h"
#include "../../include/cemv_replies.h"

static void list(struct cemv_listing *listing, const struct cemv_kernel_row *row, const void *options)
{
    const struct cemv_kernel_8_options *const o = options;
    (void)row;
    if (o == NULL) return;
    cemv_listing_number(listing, o->relay_latency_us);
    cemv_listing_number(listing, o->no_data_exchange);
}

const struct cemv_kernel_settings cemv_kernel_8_settings = { &cemv_kernel_8, list };
