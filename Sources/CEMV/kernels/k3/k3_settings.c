/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 3: its options for the fingerprint of a configuration (include/cemv_replies.h). Linked only where it is
 * listed for that. */
#include "../../include/cemv_kernel_3.h"
#include "../../include/cemv_replies.h"

static void list(struct cemv_listing *listing, const struct cemv_kernel_row *row, const void *options)
{
    const struct cemv_kernel_3_options *const o = options;
    (void)row;
    if (o == NULL) return;
    cemv_listing_number(listing, o->dynamic_limit_count);
    for (size_t i = 0; i < o->dynamic_limit_count; i++) {
        const struct cemv_dynamic_limit *const set = &o->dynamic_limits[i];
        cemv_listing_bytes(listing, set->program);
        cemv_listing_limits(listing, &set->limits);
        cemv_listing_number(listing, set->zero_amount);
        cemv_listing_number(listing, set->status_check);
    }
    cemv_listing_number(listing, o->usage_control_off);
    cemv_listing_number(listing, o->gpo_format_1);
}

const struct cemv_kernel_settings cemv_kernel_3_settings = { &cemv_kernel_3, list };
