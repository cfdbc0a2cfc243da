/* SPDX-License-Identifier: Apache-2.0 */
/* Processing restrictions: application versions, usage control, dates (Book 3, 10.4). They check whether the issuer
 * wanted this card to be used for this kind of transaction, at this place and time. Pure functions; they know no store,
 * no kernel and no command. */
#include "rules.h"

bool cemv_rules_versions_differ(cemv_bytes card, cemv_bytes reader)
{
    return card.size != 0 && !cemv_bytes_equal(card, reader);
}

unsigned cemv_rules_services(uint8_t transaction_type, bool cash_back)
{
    const bool purchase = transaction_type == CEMV_TYPE_PURCHASE || transaction_type == CEMV_TYPE_CASHBACK;
    return (transaction_type == CEMV_TYPE_CASH ? CEMV_SERVICE_CASH : 0u) | (purchase ? CEMV_SERVICE_PURCHASE : 0u) |
           (cash_back ? CEMV_SERVICE_CASHBACK : 0u);
}

bool cemv_rules_place_allowed(const uint8_t usage[2], bool atm)
{
    return (usage[0] & (atm ? CEMV_AUC_1_ATMS : CEMV_AUC_1_OTHER_THAN_ATMS)) != 0;
}

/* Each service has one bit for the card's own country and one for other countries. Application Usage Control
 * distinguishes goods from services, but a terminal does not know which of the two it sells; either bit therefore
 * allows a purchase. */
bool cemv_rules_services_allowed(const uint8_t usage[2], bool domestic, unsigned services)
{
    const unsigned cash = domestic ? CEMV_AUC_1_DOMESTIC_CASH : CEMV_AUC_1_INTERNATIONAL_CASH;
    const unsigned purchase = domestic ? CEMV_AUC_1_DOMESTIC_GOODS | CEMV_AUC_1_DOMESTIC_SERVICES
                                       : CEMV_AUC_1_INTERNATIONAL_GOODS | CEMV_AUC_1_INTERNATIONAL_SERVICES;
    const unsigned cashback = domestic ? CEMV_AUC_2_DOMESTIC_CASHBACK : CEMV_AUC_2_INTERNATIONAL_CASHBACK;
    if ((services & CEMV_SERVICE_CASH) != 0 && (usage[0] & cash) == 0) return false;
    if ((services & CEMV_SERVICE_PURCHASE) != 0 && (usage[0] & purchase) == 0) return false;
    return (services & CEMV_SERVICE_CASHBACK) == 0 || (usage[1] & cashback) != 0;
}

/* The place is checked first. Whether the transaction is domestic depends on the issuer's country; a card that does not
 * state it allows every service at a permitted place. */
bool cemv_rules_usage_allowed(const struct cemv_rules_usage_in *in)
{
    const bool cash = in->type == CEMV_TYPE_CASH || in->type == CEMV_TYPE_CASH_DISBURSEMENT;
    const bool purchase = in->type == CEMV_TYPE_PURCHASE || in->type == CEMV_TYPE_CASHBACK;
    const unsigned services = (cash ? CEMV_SERVICE_CASH : 0u) | (purchase ? CEMV_SERVICE_PURCHASE : 0u) |
                              (in->cashback_amount ? CEMV_SERVICE_CASHBACK : 0u);
    if (!cemv_rules_place_allowed(in->usage, in->atm)) return false;
    return !in->has_country || cemv_rules_services_allowed(in->usage, in->domestic, services);
}

/* An unreadable date proves nothing, so it counts as the worse case: not yet effective, or expired. The effective date
 * is optional; a card without it is effective. The expiry date is mandatory. */
uint8_t cemv_rules_dates(cemv_bytes today, cemv_bytes effective, cemv_bytes expiry)
{
    uint32_t day, first, last;
    const bool dated = cemv_date_read(today, &day);
    uint8_t bits = 0;
    if (effective.size != 0 && (!dated || !cemv_date_read(effective, &first) || day < first))
        bits |= CEMV_TVR_2_NOT_YET_EFFECTIVE;
    if (!dated || !cemv_date_read(expiry, &last) || day > last) bits |= CEMV_TVR_2_EXPIRED;
    return bits;
}
