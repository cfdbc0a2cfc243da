/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 5: its options for the fingerprint of a configuration (include/cemv_replies.h). Linked only where it is
 * listed for that. */
#include "../../include/cemv_kernel_5.h"
#include "../../include/cemv_replies.h"

static void list(struct cemv_listing *listing, const struct cemv_kernel_row *row, const void *options)
{
    const struct cemv_kernel_5_options *const o = options;
    (void)row;
    if (o == NULL) return;
    cemv_listing_limits(listing, &o->limits);
    cemv_listing_bytes(listing, (cemv_bytes){ o->combination_options, sizeof o->combination_options });
    cemv_listing_bytes(listing,
                       (cemv_bytes){ o->terminal_interchange_profile, sizeof o->terminal_interchange_profile });
    cemv_listing_number(listing, o->given);
    cemv_listing_bytes(listing, (cemv_bytes){ o->tac_denial, sizeof o->tac_denial });
    cemv_listing_bytes(listing, (cemv_bytes){ o->tac_online, sizeof o->tac_online });
    cemv_listing_bytes(listing, (cemv_bytes){ o->tac_default, sizeof o->tac_default });
    cemv_listing_number(listing, o->target);
    cemv_listing_number(listing, o->maximum_target);
    cemv_listing_number(listing, o->threshold);
    cemv_listing_number(listing, o->removal_timeout);
    cemv_listing_bytes(listing, (cemv_bytes){ o->transit_agent, sizeof o->transit_agent });
    cemv_listing_bytes(listing, (cemv_bytes){ o->transit_data, sizeof o->transit_data });
}

const struct cemv_kernel_settings cemv_kernel_5_settings = { &cemv_kernel_5, list };
