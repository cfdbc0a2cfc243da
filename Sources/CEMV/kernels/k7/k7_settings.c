/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 7: its options for the fingerprint of a configuration (include/cemv_replies.h). Linked only where it is
 * listed for that. */
#include "../../include/cemv_kernel_7.h"
#include "../../include/cemv_replies.h"

static void list(struct cemv_listing *listing, const struct cemv_kernel_row *row, const void *options)
{
    const struct cemv_kernel_7_options *const o = options;
    (void)row;
    if (o == NULL) return;
    cemv_listing_number(listing, o->oda_for_online);
    cemv_listing_number(listing, o->cvm_off);
    cemv_listing_number(listing, o->other_interfaces);
}

const struct cemv_kernel_settings cemv_kernel_7_settings = { &cemv_kernel_7, list };
