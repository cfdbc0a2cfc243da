/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 8: certificates on elliptic curves (Book C-8 v1.0, C.25 and C.36, annexes B.1 and B.2), and the time that they
 * are compared with. Pure functions over bytes; oda/ handles RSA certificates. */
#include "k8.h"
#include "k8_channel.h"
#include "../../oda/oda.h"

/* Time ------------------------------------------------------------------------------------------------------------- */

/* Certificates expire at a date and time in UTC. The terminal knows its local time and its offset from UTC, which is
 * less than a day, so at most one day is borrowed or carried. */

static unsigned pair_of(uint8_t byte) { return byte / 16u * 10u + byte % 16u; }
static uint8_t bcd_of(unsigned number) { return (uint8_t)(number / 10 * 16 + number % 10); }

static unsigned days_of(unsigned year, unsigned month)
{
    static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return days[month - 1] + (month == 2 && year % 4 == 0 ? 1u : 0u); /* 2000 is a leap year */
}

/* Date and time come from the terminal as BCD and are compared as BCD, so only the shift by the offset needs
 * numbers. */
void k8_utc(uint8_t out[K8_DATE_TIME], const uint8_t date[3], const uint8_t time[3], int offset_minutes)
{
    enum { FIRST_OF_1900 = 50, DAY = 24 * 60 };
    unsigned year = pair_of(date[0]), month = pair_of(date[1]), day = pair_of(date[2]);
    int minutes = (int)(pair_of(time[0]) * 60 + pair_of(time[1])) - offset_minutes;
    year += year < FIRST_OF_1900 ? 2000 : 1900;
    if (minutes < 0) {
        minutes += DAY;
        if (--day == 0) {
            if (--month == 0) month = 12, year--;
            day = days_of(year, month);
        }
    } else if (minutes >= DAY) {
        minutes -= DAY;
        if (++day > days_of(year, month)) {
            day = 1;
            if (++month > 12) month = 1, year++;
        }
    }
    const unsigned parts[K8_DATE_TIME] = {
        year / 100, year % 100, month, day, (unsigned)minutes / 60, (unsigned)minutes % 60
    };
    for (size_t i = 0; i < K8_DATE_TIME; i++) out[i] = bcd_of(parts[i]);
}

/* BCD dates compare like bytes. */
static bool is_past(const uint8_t *last, const uint8_t *now, size_t size) { return cemv_memcmp(last, now, size) < 0; }

static bool is_number(const uint8_t *bytes, size_t size)
{
    return cemv_format_check((cemv_bytes){ bytes, size }, CEMV_FORMAT_N);
}

/* Certificates ----------------------------------------------------------------------------------------------------- */

/* A card's certificate contains the hash of its static data, and is signed with the issuer's key. The issuer's
 * certificate contains the first digits of its account numbers, and is signed with the CA's key. Each check returns the
 * number of its step in the book, 0 if all succeed. The signature is checked last, because the other checks cost almost
 * nothing. */

bool k8_identifier_matches(cemv_bytes identifier, cemv_bytes pan)
{
    const int digits = cemv_cn_digits(identifier);
    if (digits < 3) return false;
    for (size_t i = 0; i < (size_t)digits; i++)
        if (i >= 2 * pan.size || cemv_nibble(pan.data, i) != cemv_nibble(identifier.data, i)) return false;
    return true;
}

static bool is_revoked(const struct k8_issuer_in *in, const uint8_t *serial)
{
    for (size_t i = 0; i < in->revoked_count; i++) {
        const struct cemv_revocation *const row = &in->revoked[i];
        if (row->index == in->index && cemv_memcmp(row->rid, in->rid, sizeof row->rid) == 0 &&
            cemv_memcmp(row->serial, serial, sizeof row->serial) == 0)
            return true;
    }
    return false;
}

/* The signature is the end of a certificate; its message consists of the bytes before it. */
static bool is_genuine(const struct cemv_crypto *crypto, const uint8_t *signer, cemv_bytes certificate)
{
    enum { SIGNATURE = 2 * CEMV_P256_SIZE };
    const cemv_bytes message = { certificate.data, certificate.size - SIGNATURE };
    return k8_signature_holds(crypto, signer, cemv_bytes_from(certificate, message.size), message);
}

uint8_t k8_issuer_key(const struct cemv_crypto *crypto, const struct k8_issuer_in *in, uint8_t key[2 * CEMV_P256_SIZE])
{
    enum { FORMAT = 0x12, ENCODING = 0x00, SUITE = 0x10 };
    enum { IDENTIFIER = 2, SUITE_AT = 7, EXPIRY = 8, SERIAL = 12, RID = 15, INDEX = 20, KEY = 21 };
    const uint8_t *const bytes = in->certificate.data;
    if (in->certificate.size != K8_ISSUER_CERTIFICATE) return 1;
    if (bytes[0] != FORMAT) return 2;
    if (bytes[1] != ENCODING) return 3;
    if (!k8_identifier_matches((cemv_bytes){ bytes + IDENTIFIER, SUITE_AT - IDENTIFIER }, in->pan)) return 4;
    if (!is_number(bytes + EXPIRY, 4) || is_past(bytes + EXPIRY, in->now, 4)) return 5;
    if (cemv_memcmp(bytes + RID, in->rid, INDEX - RID) != 0) return 6;
    if (bytes[INDEX] != in->index) return 7;
    if (is_revoked(in, bytes + SERIAL)) return 8;
    if (bytes[SUITE_AT] != SUITE) return 9;
    /* Step 10, the presence of the CA key, is checked by the caller. */
    const uint8_t *const known = crypto_issuer_point_find(in->keys, in->ca, in->certificate);
    if (known != NULL) {
        cemv_copy(key, known, 2 * CEMV_P256_SIZE);
        return 0;
    }
    if (!is_genuine(crypto, in->ca, in->certificate)) return 11;
    return k8_recover(crypto, key, bytes + KEY) ? 0 : 12;
}

/* The certificate also names the suite and algorithms of the card's key. Others than those of this kernel are refused:
 * the key would not fit the channel. */
uint8_t k8_card_key(const struct cemv_crypto *crypto, cemv_bytes certificate, const uint8_t issuer[2 * CEMV_P256_SIZE],
                    const uint8_t hash[CEMV_SHA256_SIZE], const uint8_t *now, uint8_t key[CEMV_P256_SIZE])
{
    enum { FORMAT = 0x14, ENCODING = 0x00, SUITE = 0x00, ALGORITHM = 0x01, CHANNEL = 0x02 };
    enum { SUITE_AT = 2, EXPIRY = 3, ALGORITHM_AT = 15, CHANNEL_AT = 16, HASH = 17, KEY = 49 };
    const uint8_t *const bytes = certificate.data;
    uint8_t point[2 * CEMV_P256_SIZE];
    if (certificate.size != K8_CARD_CERTIFICATE) return 1;
    if (bytes[0] != FORMAT) return 2;
    if (bytes[1] != ENCODING) return 3;
    if (!is_number(bytes + EXPIRY, K8_DATE_TIME) || is_past(bytes + EXPIRY, now, K8_DATE_TIME)) return 4;
    if (bytes[SUITE_AT] != SUITE) return 5;
    if (bytes[ALGORITHM_AT] != ALGORITHM) return 6;
    if (bytes[CHANNEL_AT] != CHANNEL) return 7;
    if (cemv_memcmp(bytes + HASH, hash, CEMV_SHA256_SIZE) != 0) return 8;
    if (!is_genuine(crypto, issuer, certificate)) return 9;
    cemv_copy(key, bytes + KEY, CEMV_P256_SIZE);
    return k8_recover(crypto, point, key) ? 0 : 10;
}
