/* SPDX-License-Identifier: Apache-2.0 */
/* The scheme of an AID, and the contents of the form factor indicator (9F6E). Knows no session and no kernel. Sources:
 * Conformance/cryptogram-data.md. */
#include "cryptogram.h"

enum { RID_SIZE = 5 };

/* Registered providers (ISO/IEC 7816-5), as published by the schemes. */
static const struct {
    uint8_t rid[RID_SIZE];
    uint8_t scheme;
} providers[] = {
    { { 0xA0, 0x00, 0x00, 0x00, 0x03 }, CEMV_SCHEME_VISA },
    { { 0xA0, 0x00, 0x00, 0x00, 0x98 }, CEMV_SCHEME_VISA }, /* US common debit */
    { { 0xA0, 0x00, 0x00, 0x00, 0x04 }, CEMV_SCHEME_MASTERCARD },
    { { 0xA0, 0x00, 0x00, 0x00, 0x05 }, CEMV_SCHEME_MASTERCARD }, /* Maestro, United Kingdom */
    { { 0xA0, 0x00, 0x00, 0x00, 0x25 }, CEMV_SCHEME_AMEX },
    { { 0xA0, 0x00, 0x00, 0x00, 0x65 }, CEMV_SCHEME_JCB },
    { { 0xA0, 0x00, 0x00, 0x01, 0x52 }, CEMV_SCHEME_DISCOVER },
    { { 0xA0, 0x00, 0x00, 0x03, 0x24 }, CEMV_SCHEME_DISCOVER }, /* ZIP */
    { { 0xA0, 0x00, 0x00, 0x03, 0x33 }, CEMV_SCHEME_UNIONPAY },
};

enum cemv_scheme cemv_scheme_of_aid(cemv_bytes aid)
{
    if (aid.size < RID_SIZE) return CEMV_SCHEME_UNKNOWN;
    for (size_t i = 0; i < sizeof providers / sizeof providers[0]; i++) {
        if (cemv_memcmp(aid.data, providers[i].rid, RID_SIZE) == 0) return (enum cemv_scheme)providers[i].scheme;
    }
    return CEMV_SCHEME_UNKNOWN;
}

/* Kernel identifiers 2 to 7 belong to one scheme each. Kernel 8 serves all schemes, so its identifier is not in the
 * table. */
enum cemv_scheme cemv_scheme_of_kernel(cemv_bytes kernel_id)
{
    static const uint8_t schemes[] = {
        CEMV_SCHEME_MASTERCARD, CEMV_SCHEME_VISA,     CEMV_SCHEME_AMEX,
        CEMV_SCHEME_JCB,        CEMV_SCHEME_DISCOVER, CEMV_SCHEME_UNIONPAY,
    };
    if (kernel_id.size != 1 || kernel_id.data[0] < 2 || kernel_id.data[0] - 2u >= sizeof schemes)
        return CEMV_SCHEME_UNKNOWN;
    return (enum cemv_scheme)schemes[kernel_id.data[0] - 2u];
}

/* Country, identifier, the device type unless the identifier's first bit says that it is omitted, proprietary data. */
static bool read_mastercard(struct cemv_form_factor *out)
{
    const cemv_bytes value = out->whole;
    if (value.size < 5 || value.size > 32) return false;
    const bool device = (value.data[2] & 0x80) == 0;
    if (device && value.size < 7) return false;
    out->country = cemv_be16(value.data);
    out->identifier = cemv_be16(value.data + 2);
    out->device_present = device;
    if (device) {
        out->device[0] = value.data[4];
        out->device[1] = value.data[5];
    }
    out->proprietary = cemv_bytes_from(value, device ? 6 : 4);
    return true;
}

/* The device type is in the low five bits of the first byte, with a version above it. */
static bool read_coded(struct cemv_form_factor *out, uint8_t layout)
{
    if (out->whole.size != 4) return false;
    out->layout = layout;
    out->device_present = true;
    out->device[0] = out->whole.data[0] & 0x1F;
    return true;
}

/* C-4, A.3: n 6; the meaning of its digits is not public. */
static bool read_amex(struct cemv_form_factor *out) { return out->whole.size == 3; }

/* One tag has a different meaning for each scheme, so it cannot be read without knowing the scheme. A value that does
 * not fit stays available as `whole`. */
bool cemv_form_factor_read(cemv_bytes value, enum cemv_scheme scheme, struct cemv_form_factor *out)
{
    const struct cemv_form_factor empty = { .whole = value };
    *out = empty;
    switch (scheme) {
    case CEMV_SCHEME_VISA: out->known = read_coded(out, CEMV_LAYOUT_FORM_FACTOR_VISA); break;
    case CEMV_SCHEME_JCB: out->known = read_coded(out, CEMV_LAYOUT_DEVICE_JCB); break;
    case CEMV_SCHEME_MASTERCARD: out->known = read_mastercard(out); break;
    case CEMV_SCHEME_AMEX: out->known = read_amex(out); break;
    case CEMV_SCHEME_DISCOVER:
    case CEMV_SCHEME_UNIONPAY:
    case CEMV_SCHEME_UNKNOWN: break;
    }
    return out->known;
}
