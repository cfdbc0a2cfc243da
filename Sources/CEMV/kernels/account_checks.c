/* SPDX-License-Identifier: Apache-2.0 */
/* The account of the card that is read: whether its data agree, and what brand, exception list and protection say
 * about it (attacks.md, A03, A17, A33, A39). It sends nothing; the kernel decides. */
#include "kernel.h"

struct cemv_account cemv_account_of(const struct cemv_store *store)
{
    return (struct cemv_account){
        .pan = cemv_store_value(store, CEMV_SLOT_5A),
        .expiry = cemv_store_value(store, CEMV_SLOT_5F24),
        .track_2 = cemv_store_value(store, CEMV_SLOT_57),
        .magstripe_track_2 = cemv_store_value(store, CEMV_SLOT_9F6B),
        .track_1 = cemv_store_value(store, CEMV_SLOT_56),
    };
}

static cemv_bytes selected_name(const struct cemv_kernel *kernel)
{
    return (cemv_bytes){ kernel->df_name, kernel->df_name_size };
}

static bool report_brand(struct cemv_kernel *kernel)
{
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    cemv_finding_add(kernel, CEMV_FINDING_BRAND_MISMATCH);
    return cemv_rule_of(protection, protection->brand_check, CEMV_RULE_ENFORCE, CEMV_RULE_ENFORCE) == CEMV_RULE_ENFORCE;
}

/* A card may show the name of one network and pay with a number of another, where rules, limits and keys are those of
 * the name. The first digits of the number identify the network (A03). A card of two brands is allowed to differ, and
 * account/brand.c knows which pairs there are; where a claim of the device is at stake, that exception does not count
 * (A39). */
bool cemv_brand_refused(struct cemv_kernel *kernel, cemv_bytes pan)
{
    return cemv_brand_mismatch(selected_name(kernel), pan) && report_brand(kernel);
}

bool cemv_account_of_other_network(const struct cemv_kernel *kernel, cemv_bytes pan)
{
    return cemv_brand_of_other_network(selected_name(kernel), pan);
}

kernel_noinline bool cemv_device_claim_refused(struct cemv_kernel *kernel, bool above_limit)
{
    uint8_t buffer[CEMV_PAN_SIZE_MAX];
    const struct cemv_account account = cemv_account_of(&kernel->store);
    cemv_finding_add(kernel, CEMV_FINDING_CDCVM_UNAUTHENTICATED);
    return above_limit && cemv_account_of_other_network(kernel, cemv_account_pan(&account, buffer)) &&
           report_brand(kernel);
}

bool cemv_on_exception_list(const struct cemv_kernel *kernel, cemv_bytes pan)
{
    const struct cemv_configuration *configuration = &kernel->checked->configuration;
    const uint8_t sequence = cemv_value_byte(kernel, CEMV_SLOT_5F34, 0);
    for (size_t i = 0; i < configuration->exception_count; i++) {
        const struct cemv_exception *row = &configuration->exceptions[i];
        if (cemv_cn_equal(row->pan, pan) && (row->any_sequence || row->sequence == sequence)) return true;
    }
    return false;
}

/* The number and the date of expiry are in the record twice, once inside track 2, and one of the two may be unsigned.
 * If they differ, one may have been changed. Two numbers are refused outside profile `book`, always; the rest has
 * separate rules, since a wrong check digit or a second date may also be the issuer's mistake. */
bool cemv_account_refused(struct cemv_kernel *kernel, const struct cemv_account *account, cemv_bytes pan)
{
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    const uint8_t faults = cemv_account_faults(account, pan);
    bool refused = false;
    if ((faults & CEMV_ACCOUNT_PANS_DIFFER) != 0) {
        cemv_finding_add(kernel, CEMV_FINDING_PAN_MISMATCH);
        refused = protection->profile != CEMV_PROFILE_BOOK;
    }
    if ((faults & CEMV_ACCOUNT_CHECK_DIGIT) != 0) {
        cemv_finding_add(kernel, CEMV_FINDING_LUHN);
        if (cemv_rule_of(protection, protection->luhn, CEMV_RULE_REPORT, CEMV_RULE_ENFORCE) == CEMV_RULE_ENFORCE)
            refused = true;
    }
    if ((faults & CEMV_ACCOUNT_DATES_DIFFER) != 0) {
        cemv_finding_add(kernel, CEMV_FINDING_EXPIRY_MISMATCH);
        if (cemv_rule_of(protection, protection->expiry_mismatch, CEMV_RULE_REPORT, CEMV_RULE_ENFORCE) ==
            CEMV_RULE_ENFORCE)
            refused = true;
    }
    return refused;
}

kernel_noinline bool cemv_stored_account_refused(struct cemv_kernel *kernel)
{
    uint8_t buffer[CEMV_PAN_SIZE_MAX];
    const struct cemv_account account = cemv_account_of(&kernel->store);
    const cemv_bytes pan = cemv_account_pan(&account, buffer);
    const bool other_brand = cemv_brand_refused(kernel, pan);
    return cemv_account_refused(kernel, &account, pan) || other_brand;
}
