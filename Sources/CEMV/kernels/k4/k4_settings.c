/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 4: its options for the fingerprint of a configuration (include/cemv_replies.h). Linked only where it is
 * listed for that. */
#include "../../include/cemv_kernel_4.h"
#include "../../include/cemv_replies.h"

static void list(struct cemv_listing *listing, const struct cemv_kernel_row *row, const void *options)
{
    const struct cemv_kernel_4_options *const o = options;
    (void)row;
    if (o == NULL) return;
    cemv_listing_bytes(listing, (cemv_bytes){ o->tac_denial, sizeof o->tac_denial });
    cemv_listing_bytes(listing, (cemv_bytes){ o->tac_online, sizeof o->tac_online });
    cemv_listing_bytes(listing, (cemv_bytes){ o->tac_default, sizeof o->tac_default });
    cemv_listing_number(listing, o->number_range);
    cemv_listing_number(listing, o->cannot_go_online);
    cemv_listing_bytes(listing, o->discretionary_list);
    const struct cemv_limits *const *const sets = o->dynamic_limits;
    cemv_listing_number(listing, sets != NULL);
    for (size_t i = 0; i <= CEMV_KERNEL_4_LIMIT_SETS && sets != NULL; i++) {
        cemv_listing_number(listing, sets[i] != NULL);
        if (sets[i] != NULL) cemv_listing_limits(listing, sets[i]);
    }
}

const struct cemv_kernel_settings cemv_kernel_4_settings = { &cemv_kernel_4, list };
