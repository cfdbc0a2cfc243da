/* SPDX-License-Identifier: Apache-2.0 */
/* Issuer Application Data (9F10): its format, and the positions of its parts. Every input has a defined result; data of
 * an unknown format stay raw, with a reason. Knows no session. Sources of each format: Conformance/cryptogram-data.md.
 *
 * The format is not stated in the data: it follows from the scheme, and within a scheme from lengths and the cryptogram
 * version. A host needs it to choose the session key and to find the card's own results. */
#include "cryptogram.h"

enum {
    FIXED_VISA = 7,
    FIXED_JCB = 8,
    FIXED_UNIONPAY = 8,
    FIXED_DISCOVER_CONTACT = 8,
    FIXED_DISCOVER = 10,
    MCHIP_4 = 18,
    MCHIP_ONE_ATC = 20,
    MCHIP_TWO = 26,
    MCHIP_TWO_ATC = 28,
    MCHIP_DISCRETIONARY = 8, /* after KDI, CVN and six bytes of CVR */
    COUNTER = 8,
    COUNTER_END = 0xFF,
};

/* The high nibble of the version; for Visa it is the format. */
static unsigned family(uint8_t version) { return version >> 4; }

static bool fail(struct cemv_iad *out, uint8_t reason)
{
    out->reason = reason;
    return false;
}

/* Reads the bytes after the fixed part: [size discretionary], then bytes that no public source describes. */
static void read_tail(struct cemv_iad *out, size_t from)
{
    const cemv_bytes tail = cemv_bytes_from(out->whole, from);
    if (tail.size == 0) return;
    const size_t size = tail.data[0];
    if (size > tail.size - 1) {
        out->reason = CEMV_IAD_BAD_DISCRETIONARY;
        out->rest = tail;
        return;
    }
    if (size != 0) out->discretionary = cemv_bytes_part(tail, 1, size);
    out->rest = cemv_bytes_from(tail, 1 + size);
}

/* Reads length, key index, version, and the CVR with its own length: the common beginning of all formats that are
 * derived from Visa's first one. */
static bool read_head(struct cemv_iad *out, uint8_t length, uint8_t cvr_length, size_t fixed)
{
    const cemv_bytes iad = out->whole;
    if (iad.data[0] != length) return fail(out, CEMV_IAD_BAD_LENGTH_BYTE);
    if (iad.size < fixed) return fail(out, CEMV_IAD_TOO_SHORT);
    if (iad.data[3] != cvr_length) return fail(out, CEMV_IAD_BAD_LENGTH_BYTE);
    out->key_index = iad.data[1];
    out->version = iad.data[2];
    out->cvr = cemv_bytes_part(iad, 3, 1u + cvr_length);
    return true;
}

/* Only these cryptogram versions have a published session key. */
static uint8_t visa_session_key(uint8_t version)
{
    switch (version) {
    case 0x0A:
    case 0x11: return CEMV_SESSION_KEY_NONE;
    case 0x12:
    case 0x22: return CEMV_SESSION_KEY_COMMON;
    default: return CEMV_SESSION_KEY_UNPUBLISHED;
    }
}

/* 06, key index, version, 03, three bytes of CVR, then the tail. The format is the high nibble of the version. A copy
 * is filled first, so that a wrong format leaves no fields set. */
static bool read_visa_short(struct cemv_iad *out)
{
    static const uint8_t formats[] = { CEMV_IAD_VISA_0, CEMV_IAD_VISA_1, CEMV_IAD_UNKNOWN, CEMV_IAD_VISA_3 };
    struct cemv_iad head = *out;
    if (!read_head(&head, 0x06, 3, FIXED_VISA)) return fail(out, head.reason);
    const unsigned format = family(head.version);
    if (format >= sizeof formats || formats[format] == CEMV_IAD_UNKNOWN) return fail(out, CEMV_IAD_UNKNOWN_VERSION);
    *out = head;
    out->format = formats[format];
    out->layout = CEMV_LAYOUT_CVR_VISA;
    out->session_key = visa_session_key(out->version);
    read_tail(out, FIXED_VISA);
    return true;
}

/* 1F, version, key index, five bytes of CVR, 24 bytes of the issuer. */
static bool read_visa_long(struct cemv_iad *out)
{
    const cemv_bytes iad = out->whole;
    if (iad.size != CEMV_IAD_MAX) return fail(out, CEMV_IAD_UNKNOWN_SIZE);
    const unsigned format = family(iad.data[1]);
    if (format != 2 && format != 4) return fail(out, CEMV_IAD_UNKNOWN_VERSION);
    out->format = format == 2 ? CEMV_IAD_VISA_2 : CEMV_IAD_VISA_4;
    out->version = iad.data[1];
    out->key_index = iad.data[2];
    out->session_key = visa_session_key(out->version);
    out->layout = CEMV_LAYOUT_CVR_VISA_MOBILE;
    out->cvr = cemv_bytes_part(iad, 3, 5);
    out->discretionary = cemv_bytes_part(iad, 8, CEMV_IAD_MAX - 8);
    return true;
}

/* The first byte is a length: 06, or 1F in the formats that fill all 32 bytes. */
static bool read_visa(struct cemv_iad *out)
{
    return out->whole.data[0] == 0x1F ? read_visa_long(out) : read_visa_short(out);
}

/* Key index, version, six bytes of CVR, two bytes of the ICC Dynamic Number, then one or two counters and possibly the
 * ATC of the last online transaction. There is no length byte, so only the total size distinguishes these forms. The
 * version states the session key and whether the cryptogram covers the counters. */
static bool read_mchip(struct cemv_iad *out)
{
    static const uint8_t keys[] = { CEMV_SESSION_KEY_MASTERCARD, CEMV_SESSION_KEY_EMV2000, CEMV_SESSION_KEY_COMMON };
    const cemv_bytes iad = out->whole;
    if (iad.size < MCHIP_4) return fail(out, CEMV_IAD_TOO_SHORT);
    if (iad.size != MCHIP_4 && iad.size != MCHIP_ONE_ATC && iad.size != MCHIP_TWO && iad.size != MCHIP_TWO_ATC)
        return fail(out, CEMV_IAD_UNKNOWN_SIZE);
    const uint8_t version = iad.data[1];
    const unsigned key = (unsigned)version >> 1 & 3;
    if (family(version) != 1 || (version & 0x08) != 0 || key >= sizeof keys) return fail(out, CEMV_IAD_UNKNOWN_VERSION);
    const size_t counters = iad.size >= MCHIP_TWO ? 2 * COUNTER : COUNTER;
    out->format = iad.size == MCHIP_4 ? CEMV_IAD_MCHIP_4 : CEMV_IAD_MCHIP_ADVANCE;
    out->key_index = iad.data[0];
    out->version = version;
    out->session_key = keys[key];
    out->counters_covered = (version & 1) != 0;
    out->layout = CEMV_LAYOUT_CVR_MCHIP;
    out->cvr = cemv_bytes_part(iad, 2, 6);
    out->dynamic_number = cemv_bytes_part(iad, MCHIP_DISCRETIONARY, 2);
    out->counters = cemv_bytes_part(iad, MCHIP_DISCRETIONARY + 2, counters);
    out->last_online_atc = cemv_bytes_from(iad, MCHIP_DISCRETIONARY + 2 + counters);
    return true;
}

/* 06, key index, version, 03, three bytes of CVR, then the tail. Amex and UnionPay use the beginning of Visa's format,
 * but their version numbers have other meanings, so no session key is derived from them. */
static bool read_amex(struct cemv_iad *out)
{
    if (!read_head(out, 0x06, 3, FIXED_VISA)) return false;
    out->format = CEMV_IAD_AMEX;
    out->layout = CEMV_LAYOUT_CVR_VISA;
    read_tail(out, FIXED_VISA);
    return true;
}

/* 07, key index, version, 04, four bytes of CVR, then the tail. */
static bool read_jcb(struct cemv_iad *out)
{
    if (!read_head(out, 0x07, 4, FIXED_JCB)) return false;
    out->format = CEMV_IAD_JCB;
    out->layout = CEMV_LAYOUT_CVR_TYPES_SECOND;
    read_tail(out, FIXED_JCB);
    return true;
}

/* 07, key index, version, 03, three bytes of CVR, the algorithm, then the tail. */
static bool read_unionpay(struct cemv_iad *out)
{
    if (!read_head(out, 0x07, 3, FIXED_UNIONPAY)) return false;
    out->format = CEMV_IAD_UNIONPAY;
    out->layout = CEMV_LAYOUT_CVR_VISA;
    out->algorithm = out->whole.data[7];
    read_tail(out, FIXED_UNIONPAY);
    return true;
}

/* There is no length byte: the version distinguishes the contact CVR of six bytes from the contactless one of eight
 * (C-6, D.3 and D.4). */
static bool read_discover(struct cemv_iad *out)
{
    const cemv_bytes iad = out->whole;
    if (iad.size < 2) return fail(out, CEMV_IAD_TOO_SHORT);
    const uint8_t version = iad.data[1];
    const bool contact = version == 0x05 || version == 0x06;
    if (!contact && version != 0x15 && version != 0x16) return fail(out, CEMV_IAD_UNKNOWN_VERSION);
    const size_t fixed = contact ? FIXED_DISCOVER_CONTACT : FIXED_DISCOVER;
    if (iad.size < fixed) return fail(out, CEMV_IAD_TOO_SHORT);
    out->format = CEMV_IAD_DISCOVER;
    out->key_index = iad.data[0];
    out->version = version;
    out->layout = contact ? CEMV_LAYOUT_CVR_TYPES_FIRST : CEMV_LAYOUT_CVR_DISCOVER;
    out->cvr = cemv_bytes_part(iad, 2, fixed - 2);
    out->discretionary = cemv_bytes_from(iad, fixed);
    return true;
}

/* Book 3, C9: 32 bytes with the length 0F at two positions. Any scheme may use this format, so it is checked first. */
static bool looks_like_ccd(cemv_bytes iad)
{
    return iad.size == CEMV_IAD_MAX && iad.data[0] == 0x0F && iad.data[16] == 0x0F && family(iad.data[1]) >= 0xA;
}

/* 0F, version, key index, five bytes of CVR, eight bytes of counters, 0F, 15 bytes of the issuer. C9.1: the version is
 * A5 for triple DES or A6 for AES. */
static bool read_ccd(struct cemv_iad *out)
{
    const cemv_bytes iad = out->whole;
    if (iad.data[1] != 0xA5 && iad.data[1] != 0xA6) return fail(out, CEMV_IAD_UNKNOWN_VERSION);
    out->format = CEMV_IAD_CCD;
    out->version = iad.data[1];
    out->aes = iad.data[1] == 0xA6;
    out->key_index = iad.data[2];
    out->session_key = CEMV_SESSION_KEY_COMMON;
    out->layout = CEMV_LAYOUT_CVR_CCD;
    out->cvr = cemv_bytes_part(iad, 3, 5);
    out->counters = cemv_bytes_part(iad, 8, 8);
    out->discretionary = cemv_bytes_part(iad, 17, 15);
    return true;
}

/* For an unknown scheme: two formats can be recognised by their size or by their two lengths. Amex looks like Visa, so
 * the result is marked as assumed. */
static bool read_by_shape(struct cemv_iad *out)
{
    out->assumed = true;
    if (read_mchip(out)) return true;
    out->reason = CEMV_IAD_OK;
    if (read_visa(out)) return true;
    out->assumed = false;
    return fail(out, CEMV_IAD_UNKNOWN_SCHEME);
}

/* Each scheme has its own formats; only CCD may be used by any of them and is recognised before. */
static bool read_format(struct cemv_iad *out, enum cemv_scheme scheme)
{
    switch (scheme) {
    case CEMV_SCHEME_VISA: return read_visa(out);
    case CEMV_SCHEME_MASTERCARD: return read_mchip(out);
    case CEMV_SCHEME_AMEX: return read_amex(out);
    case CEMV_SCHEME_JCB: return read_jcb(out);
    case CEMV_SCHEME_DISCOVER: return read_discover(out);
    case CEMV_SCHEME_UNIONPAY: return read_unionpay(out);
    case CEMV_SCHEME_UNKNOWN: break;
    }
    return read_by_shape(out);
}

bool cemv_iad_read(cemv_bytes iad, enum cemv_scheme scheme, struct cemv_iad *out)
{
    const struct cemv_iad empty = { .whole = iad };
    *out = empty;
    if (iad.size == 0) return fail(out, CEMV_IAD_EMPTY);
    if (iad.size > CEMV_IAD_MAX) return fail(out, CEMV_IAD_TOO_LONG);
    return looks_like_ccd(iad) ? read_ccd(out) : read_format(out, scheme);
}

bool cemv_iad_field(const struct cemv_iad *iad, uint8_t meaning, uint8_t *value)
{
    return cemv_field_find(iad->layout, iad->cvr, meaning, value);
}

/* A counter ends with FF; anything else means that the issuer has enciphered the counters or uses the bytes
 * differently. */
bool cemv_iad_counter(const struct cemv_iad *iad, size_t index, struct cemv_offline_counter *out)
{
    if (iad->format != CEMV_IAD_MCHIP_4 && iad->format != CEMV_IAD_MCHIP_ADVANCE) return false;
    if (index >= iad->counters.size / COUNTER) return false;
    const cemv_bytes counter = cemv_bytes_part(iad->counters, index * COUNTER, COUNTER);
    uint64_t amount;
    if (counter.data[7] != COUNTER_END || !cemv_bcd_read(cemv_bytes_part(counter, 0, 6), &amount)) return false;
    out->amount = amount;
    out->number = counter.data[6];
    return true;
}
