/* SPDX-License-Identifier: Apache-2.0 */
/* Account numbers (ISO/IEC 7812-1): digits, check digit, and whether a card's data about its account agree. Bytes in,
 * digits out; knows no tag store, no kernel and no message.
 *
 * A card states its account number up to four times: in 5A, in track 2 and in the tracks of mag-stripe mode. Only some
 * of these are signed, so an attacker who replaces one of the others could have another account charged (attacks.md,
 * A17). This file compares them; the caller decides about the consequences. */
#include "account.h"

/* A number may begin in the middle of a byte, as it does in track 2; then each byte is assembled from two. */
void cemv_digits_copy(uint8_t *out, const uint8_t *data, size_t from, size_t count)
{
    if (count == 0) return;
    const uint8_t *const at = data + from / 2;
    if (from % 2 == 0) cemv_copy(out, at, count / 2);
    else
        for (size_t i = 0; i < count / 2; i++) out[i] = (uint8_t)(at[i] << 4 | at[i + 1] >> 4);
    if (count % 2 != 0) out[count / 2] = (uint8_t)(cemv_nibble(data, from + count - 1) << 4 | 0x0F);
}

struct cemv_digits cemv_digits_of_cn(cemv_bytes cn)
{
    const int count = cn.size <= UINT8_MAX / 2 ? cemv_cn_digits(cn) : 0;
    return (struct cemv_digits){ .data = cn.data, .count = (uint8_t)(count > 0 ? count : 0) };
}

/* The digit sum of twice a digit (ISO/IEC 7812-1, annex B). */
static const uint8_t twice[10] = { 0, 2, 4, 6, 8, 1, 3, 5, 7, 9 };

/* Characters come from track readers and may be anything, so each is checked. */
static bool luhn_of_characters(struct cemv_digits digits)
{
    unsigned sum = 0;
    for (size_t i = 0; i < digits.count; i++) {
        const uint8_t digit = cemv_digit(digits, i);
        if (digit > 9) return false;
        sum += (digits.count - i) % 2 != 0 ? digit : twice[digit];
    }
    return digits.count != 0 && sum % 10 == 0;
}

/* The last digit counts once and the one before it twice, so always one particular half of each byte is doubled. That
 * allows two digits per step without a branch on the position. */
bool cemv_digits_luhn(struct cemv_digits digits)
{
    if (digits.characters) return luhn_of_characters(digits);
    const size_t end = (size_t)digits.first + digits.count;
    const bool even = end % 2 == 0;
    size_t at = digits.first;
    unsigned sum = 0;
    if (digits.count == 0 || cemv_digits_end(digits.data, at, end) != end) return false;
    if (at % 2 == 1) {
        const uint8_t digit = cemv_nibble(digits.data, at++);
        sum = even ? digit : twice[digit];
    }
    for (; at + 1 < end; at += 2) {
        const unsigned left = digits.data[at / 2] >> 4, right = digits.data[at / 2] & 0x0Fu;
        sum += even ? twice[left] + right : left + twice[right];
    }
    if (at < end) sum += cemv_nibble(digits.data, at);
    return sum % 10 == 0;
}

bool cemv_luhn_ok(cemv_bytes pan) { return cemv_digits_luhn(cemv_digits_of_cn(pan)); }

static bool is_pan(cemv_bytes pan)
{
    const int digits = cemv_cn_digits(pan);
    return digits > 0 && digits <= CEMV_PAN_DIGITS_MAX;
}

/* 5A comes first because it is the object that certificates are compared with. */
cemv_bytes cemv_account_pan(const struct cemv_account *account, uint8_t buffer[CEMV_PAN_SIZE_MAX])
{
    if (account->pan.size <= CEMV_PAN_SIZE_MAX && is_pan(account->pan)) return account->pan;
    const cemv_bytes pan = cemv_track2_pan(account->track_2, buffer);
    return pan.size != 0 ? pan : cemv_track2_pan(account->magstripe_track_2, buffer);
}

/* Kernel 3 requires this comparison itself; the other kernels make it for protection. */
bool cemv_account_agrees(const struct cemv_account *account)
{
    uint8_t buffer[CEMV_PAN_SIZE_MAX];
    if (account->pan.size == 0 || account->track_2.size == 0) return true;
    return is_pan(account->pan) && cemv_cn_equal(account->pan, cemv_track2_pan(account->track_2, buffer));
}

static bool differ(cemv_bytes pan, cemv_bytes other)
{
    return pan.size != 0 && other.size != 0 && !cemv_cn_equal(pan, other);
}

/* Track 2 has only year and month of the expiry date, so only these are compared. */
uint8_t cemv_account_faults(const struct cemv_account *account, cemv_bytes pan)
{
    uint8_t other[CEMV_PAN_SIZE_MAX], yymm[2];
    const cemv_bytes expiry = account->expiry;
    uint8_t faults = 0;
    if (!cemv_account_agrees(account) || differ(pan, cemv_track1_pan(account->track_1, other)) ||
        differ(pan, cemv_track2_pan(account->magstripe_track_2, other)))
        faults |= CEMV_ACCOUNT_PANS_DIFFER;
    if (!cemv_luhn_ok(pan)) faults |= CEMV_ACCOUNT_CHECK_DIGIT;
    if (expiry.size == 3 && cemv_track2_expiry(account->track_2, yymm) &&
        (yymm[0] != expiry.data[0] || yymm[1] != expiry.data[1]))
        faults |= CEMV_ACCOUNT_DATES_DIFFER;
    return faults;
}
