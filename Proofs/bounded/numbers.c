/* BCD of up to 4 bytes both ways, dates, and compressed numeric. */
#include "proof.h"

int main(void)
{
    uint8_t memory[4], out[4];
    const cemv_bytes bytes = any_bytes(memory, sizeof memory);
    uint64_t number = 0;
    uint32_t days = 0;
    if (cemv_bcd_read(bytes, &number)) {
        HOLDS(number < 100000000);
        HOLDS(cemv_bcd_write(out, bytes.size, number));
        for (size_t i = 0; i < bytes.size; i++) HOLDS(out[i] == bytes.data[i]);
    }
    if (cemv_date_read(bytes, &days)) HOLDS(bytes.size == 3 && days < 36525);
    const int digits = cemv_cn_digits(bytes);
    HOLDS(digits >= -1 && digits <= (int)(2 * bytes.size));
    HOLDS((digits >= 0) == cemv_cn_equal(bytes, bytes));
    HOLDS((digits >= 0) == cemv_format_check(bytes, CEMV_FORMAT_CN));
    return 0;
}
