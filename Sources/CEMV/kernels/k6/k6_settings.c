/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 6: its options for the fingerprint of a configuration (include/cemv_replies.h). Linked only where it is
 * listed for that. */
#include "../../include/cemv_kernel_6.h"
#include "../../include/cemv_replies.h"

static void list(struct cemv_listing *listing, const struct cemv_kernel_row *row, const void *options)
{
    const struct cemv_kernel_6_options *const o = options;
    (void)row;
    if (o == NULL) return;
    cemv_listing_number(listing, o->mode);
    cemv_listing_number(listing, o->other_interfaces);
    cemv_listing_number(listing, o->cvr_byte);
    cemv_listing_number(listing, o->one_presentment);
    cemv_listing_number(listing, o->track_1_tag);
}

const struct cemv_kernel_settings cemv_kernel_6_settings = { &cemv_kernel_6, list };
