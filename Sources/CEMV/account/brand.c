/* SPDX-License-Identifier: Apache-2.0 */
/* Which account numbers cannot carry a brand: pairs of provider identifier and leading digits (SECURITY.md, A03 and
 * A33). Knows no card and no kernel: what follows from a mismatch is decided by the caller. */
#include "account.h"

/* Pairs of name and account number known to be impossible, never a judgement of what is unlisted (SECURITY.md, A03,
 * A33). The first row that the name begins with counts. `leading` are first digits: one below 10, else two. `others`:
 * only those are possible; else those are impossible. */
struct brand {
    uint8_t name[7];
    uint8_t name_size; /* 5: every other application of the provider */
    bool others;
    uint8_t leading_count;
    uint8_t leading[8];
};
static const struct brand brands[] = {
    { { 0xA0, 0, 0, 0, 0x03, 0x10, 0x10 }, 7, true, 1, { 4 } },                  /* Visa credit and debit */
    { { 0xA0, 0, 0, 0, 0x03, 0x20, 0x10 }, 7, true, 1, { 4 } },                  /* Visa Electron */
    { { 0xA0, 0, 0, 0, 0x03, 0x20, 0x20 }, 7, true, 1, { 4 } },                  /* V PAY */
    { { 0xA0, 0, 0, 0, 0x03 }, 5, false, 8, { 2, 34, 37, 51, 52, 53, 54, 55 } }, /* Interlink, Plus */
    { { 0xA0, 0, 0, 0, 0x04, 0x30, 0x60 }, 7, false, 0, { 0 } },                 /* Maestro: any */
    { { 0xA0, 0, 0, 0, 0x04 }, 5, false, 3, { 4, 34, 37 } },                     /* Mastercard, Cirrus */
    { { 0xA0, 0, 0, 0, 0x25 }, 5, true, 2, { 34, 37 } },                         /* American Express */
};

static bool leads(const struct brand *brand, unsigned first, unsigned two)
{
    for (size_t i = 0; i < brand->leading_count; i++) {
        const unsigned leading = brand->leading[i];
        if (leading < 10 ? leading == first : leading == two) return true;
    }
    return false;
}

bool cemv_brand_mismatch(cemv_bytes name, cemv_bytes pan)
{
    if (pan.size < 2) return false;
    const unsigned first = pan.data[0] >> 4;
    const unsigned two = 10 * first + (pan.data[0] & 0x0Fu);
    for (size_t i = 0; i < sizeof brands / sizeof brands[0]; i++) {
        const struct brand *brand = &brands[i];
        if (name.size < brand->name_size || __builtin_memcmp(name.data, brand->name, brand->name_size) != 0) continue;
        return leads(brand, first, two) != brand->others;
    }
    return false;
}
