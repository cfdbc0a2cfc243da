/* SPDX-License-Identifier: Apache-2.0 */
/* A value of up to 6 bytes fitted to a length of up to 8: every byte of the result, in every format, and no byte beyond
 * it. */
#include "proof.h"

int main(void)
{
    uint8_t memory[6], out[9];
    const cemv_bytes value = any_bytes(memory, sizeof memory);
    const uint8_t length = nondet_byte(), format = nondet_byte();
    __ESBMC_assume(length <= 8 && format <= CEMV_FORMAT_VAR);
    out[length] = 0xA7;
    cemv_dol_fit(out, length, value, (enum cemv_format)format);
    for (size_t i = 0; i < 8; i++) {
        if (i >= length) continue;
        uint8_t expected = format == CEMV_FORMAT_CN && value.size != 0 ? 0xFF : 0x00;
        if (format == CEMV_FORMAT_N) {
            if (i + value.size >= length) expected = value.data[i + value.size - length];
        } else if (i < value.size) {
            expected = value.data[i];
        }
        HOLDS(out[i] == expected);
    }
    HOLDS(out[length] == 0xA7);
    return 0;
}
