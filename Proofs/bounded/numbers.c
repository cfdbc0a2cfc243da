/* SPDX-License-Identifier: Apache-2.0 */
/* Any 3 bytes as a number, a date, compressed numeric and characters; every number of two digits written. Division
 * keeps solvers busy: numbers of more digits are in Proofs/exhaustive. */
#include "proof.h"

static void read(size_t size)
{
    uint8_t memory[3];
    const cemv_bytes bytes = { memory + (sizeof memory - size), size };
    uint64_t number = 0;
    uint32_t days = 0;
    if (cemv_bcd_read(bytes, &number)) HOLDS(number < 1000000);
    if (cemv_date_read(bytes, &days)) HOLDS(size == 3 && days < 36525);
    const int digits = cemv_cn_digits(bytes);
    HOLDS(digits >= -1 && digits <= (int)(2 * size));
    HOLDS((digits >= 0) == cemv_cn_equal(bytes, bytes));
    HOLDS((digits >= 0) == cemv_format_check(bytes, CEMV_FORMAT_CN));
}

static void write(uint8_t number)
{
    uint8_t out[2] = { 0xA7, 0xA7 };
    HOLDS(cemv_bcd_write(out, 1, number) == (number < 100));
    HOLDS(number >= 100 || (out[0] >> 4) * 10 + (out[0] & 0x0F) == number);
    HOLDS(number < 100 || out[0] == 0xA7);
    HOLDS(out[1] == 0xA7);
}

int main(void)
{
    for (size_t size = 0; size <= 3; size++) read(size);
    write(nondet_byte());
    return 0;
}
