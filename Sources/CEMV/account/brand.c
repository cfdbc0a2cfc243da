/* SPDX-License-Identifier: Apache-2.0 */
/* Which account numbers cannot carry a brand: pairs of provider identifier and leading digits (SECURITY.md, A03 and
 * A33). Knows no card and no kernel: what follows from a mismatch is decided by the caller. */
#include "account.h"

/* How account numbers begin, as far as a row asks. */
enum {
    TWO = 1,               /* Mastercard's later ranges begin so */
    FOUR = 2,              /* Visa */
    AMERICAN_EXPRESS = 4,  /* 34, 37 */
    FIFTY_ONE_TO_FIVE = 8, /* Mastercard */
};

/* Pairs of name and account number known to be impossible, never a judgement of what is unlisted (SECURITY.md, A03,
 * A33). The first row that the name begins with counts. UnionPay has none: its members issue cards of two brands with
 * one account number, of either's range. */
struct brand {
    uint8_t name[7];
    uint8_t name_size; /* 5: every other application of the provider */
    bool others;       /* only those beginnings are possible; else those are impossible */
    uint8_t beginnings;
};
static const struct brand brands[] = {
    { { 0xA0, 0, 0, 0, 0x03, 0x10, 0x10 }, 7, true, FOUR },                            /* Visa credit and debit */
    { { 0xA0, 0, 0, 0, 0x03, 0x20, 0x10 }, 7, true, FOUR },                            /* Visa Electron */
    { { 0xA0, 0, 0, 0, 0x03, 0x20, 0x20 }, 7, true, FOUR },                            /* V PAY */
    { { 0xA0, 0, 0, 0, 0x03 }, 5, false, TWO | AMERICAN_EXPRESS | FIFTY_ONE_TO_FIVE }, /* Interlink, Plus */
    { { 0xA0, 0, 0, 0, 0x04, 0x30, 0x60 }, 7, false, 0 },                              /* Maestro: any */
    { { 0xA0, 0, 0, 0, 0x04 }, 5, false, FOUR | AMERICAN_EXPRESS },                    /* Mastercard, Cirrus */
    { { 0xA0, 0, 0, 0, 0x25 }, 5, true, AMERICAN_EXPRESS },                            /* American Express */
    { { 0xA0, 0, 0, 0x01, 0x52 }, 5, false, FOUR | AMERICAN_EXPRESS },                 /* Discover, Diners Club */
    { { 0xA0, 0, 0, 0x03, 0x24 }, 5, false, FOUR | AMERICAN_EXPRESS },                 /* Discover, legacy */
};

static uint8_t beginning_of(unsigned first, unsigned second)
{
    if (first == 2) return TWO;
    if (first == 4) return FOUR;
    if (first == 3) return second == 4 || second == 7 ? AMERICAN_EXPRESS : 0;
    return first == 5 && second >= 1 && second <= 5 ? FIFTY_ONE_TO_FIVE : 0;
}

bool cemv_brand_mismatch(cemv_bytes name, cemv_bytes pan)
{
    if (pan.size < 2) return false;
    const uint8_t beginning = beginning_of(pan.data[0] >> 4, pan.data[0] & 0x0Fu);
    for (size_t i = 0; i < sizeof brands / sizeof brands[0]; i++) {
        const struct brand *brand = &brands[i];
        if (name.size < brand->name_size || __builtin_memcmp(name.data, brand->name, brand->name_size) != 0) continue;
        return ((brand->beginnings & beginning) != 0) != brand->others;
    }
    return false;
}
