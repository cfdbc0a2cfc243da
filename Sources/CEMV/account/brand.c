/* SPDX-License-Identifier: Apache-2.0 */
/* Account numbers that cannot belong to a brand, and those that belong to another network: provider identifiers and
 * leading digits (attacks.md, A03, A33, A39). Knows neither card nor kernel; the caller decides about the
 * consequences. */
#include "account.h"

/* The networks whose account ranges are known, as a set. */
enum {
    VISA = 0x01,
    MASTERCARD = 0x02,
    AMERICAN_EXPRESS = 0x04,
    DISCOVER = 0x08,
    DINERS_CLUB = 0x10,
    JCB = 0x20,
    UNIONPAY = 0x40,
    UNLISTED = 0x80, /* Maestro and domestic networks */
    ALL = 0xFF,
};

/* Ranges of the first four digits. */
static const struct range {
    uint16_t first, last;
    uint8_t network;
} ranges[] = {
    { 0x2221, 0x2720, MASTERCARD },  { 0x3000, 0x305F, DINERS_CLUB }, { 0x3400, 0x34FF, AMERICAN_EXPRESS },
    { 0x3528, 0x3589, JCB },         { 0x3600, 0x36FF, DINERS_CLUB }, { 0x3700, 0x37FF, AMERICAN_EXPRESS },
    { 0x3800, 0x39FF, DINERS_CLUB }, { 0x4000, 0x4FFF, VISA },        { 0x5100, 0x55FF, MASTERCARD },
    { 0x6011, 0x6011, DISCOVER },    { 0x6200, 0x62FF, UNIONPAY },    { 0x6440, 0x65FF, DISCOVER },
    { 0x8100, 0x8171, UNIONPAY },
};

/* Each name has two sets of networks: those whose accounts it cannot have, and those whose accounts it has only on
 * cards of two brands. UnionPay's members issue such cards with a single number from either range; Mastercard debit
 * cards may carry Discover's name. By agreement Discover accepts accounts of Diners Club, JCB and UnionPay as its own
 * and is accepted there, and Mastercard had such an agreement with Diners Club, so these accounts do not count as
 * another network's. The first row whose name is a prefix applies. */
static const struct brand {
    uint8_t name[7];
    uint8_t name_size; /* 5: every other application of the provider */
    uint8_t impossible, other;
} brands[] = {
    { { 0xA0, 0, 0, 0, 0x03, 0x10, 0x10 }, 7, ALL & ~VISA, 0 }, /* Visa credit and debit */
    { { 0xA0, 0, 0, 0, 0x03, 0x20, 0x10 }, 7, ALL & ~VISA, 0 }, /* Visa Electron */
    { { 0xA0, 0, 0, 0, 0x03, 0x20, 0x20 }, 7, ALL & ~VISA, 0 }, /* V PAY */
    /* Interlink, Plus */
    { { 0xA0, 0, 0, 0, 0x03 }, 5, MASTERCARD | AMERICAN_EXPRESS, DISCOVER | DINERS_CLUB | JCB | UNIONPAY },
    /* Maestro: numbers that begin with 6 may be its own */
    { { 0xA0, 0, 0, 0, 0x04, 0x30, 0x60 }, 7, 0, VISA | AMERICAN_EXPRESS | JCB },
    /* Mastercard, Cirrus */
    { { 0xA0, 0, 0, 0, 0x04 }, 5, VISA | AMERICAN_EXPRESS, DISCOVER | JCB | UNIONPAY },
    { { 0xA0, 0, 0, 0, 0x25 }, 5, ALL & ~AMERICAN_EXPRESS, 0 },
    { { 0xA0, 0, 0, 0, 0x65 }, 5, 0, VISA | MASTERCARD | AMERICAN_EXPRESS | UNIONPAY }, /* JCB */
    /* Discover, Diners Club; Discover, legacy */
    { { 0xA0, 0, 0, 0x01, 0x52 }, 5, VISA | AMERICAN_EXPRESS, MASTERCARD },
    { { 0xA0, 0, 0, 0x03, 0x24 }, 5, VISA | AMERICAN_EXPRESS, MASTERCARD },
    { { 0xA0, 0, 0, 0x03, 0x33 }, 5, 0, VISA | MASTERCARD | AMERICAN_EXPRESS | JCB }, /* UnionPay */
};

static uint8_t network_of(uint16_t digits)
{
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (digits >= ranges[i].first && digits <= ranges[i].last) return ranges[i].network;
    return UNLISTED;
}

/* True if the account belongs to a network of the name's row: to an impossible one or, with `others`, to another
 * one. */
static bool is_listed(cemv_bytes name, cemv_bytes pan, bool others)
{
    if (pan.size < 2) return false;
    for (size_t i = 0; i < sizeof brands / sizeof brands[0]; i++) {
        const struct brand *brand = &brands[i];
        if (name.size < brand->name_size || cemv_memcmp(name.data, brand->name, brand->name_size) != 0) continue;
        const unsigned networks = brand->impossible | (others ? brand->other : 0u);
        return (networks & network_of(cemv_be16(pan.data))) != 0;
    }
    return false;
}

bool cemv_brand_mismatch(cemv_bytes name, cemv_bytes pan) { return is_listed(name, pan, false); }

bool cemv_brand_of_other_network(cemv_bytes name, cemv_bytes pan) { return is_listed(name, pan, true); }
