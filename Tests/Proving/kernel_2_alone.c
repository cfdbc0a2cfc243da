/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_2_alone.h"

#include <string.h>

void kernel_2_alone(struct cemv_kernel *kernel, struct cemv_checked *checked, struct cemv_combination *combination,
                    struct cemv_reader_memory *reader, uint8_t profile)
{
    static const struct cemv_kernel_row row = { { 2 }, 1, &cemv_kernel_2, NULL };
    memset(kernel, 0, sizeof *kernel);
    memset(checked, 0, sizeof *checked);
    memset(combination, 0, sizeof *combination);
    memset(reader, 0, sizeof *reader);
    checked->crypto = &cemv_crypto_builtin;
    checked->configuration.combinations = combination;
    checked->configuration.combination_count = 1;
    checked->configuration.protection.profile = profile;
    checked->configuration.kernels = &row;
    kernel->checked = checked;
    kernel->combination = combination;
    kernel->row = &row;
    kernel->transaction.reader = reader;
    memcpy(kernel->transaction.date, "\x26\x11\x21", 3);
    memcpy(kernel->transaction.time, "\x12\x30\x15", 3);
}
