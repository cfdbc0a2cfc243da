/* SPDX-License-Identifier: Apache-2.0 */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    must_hold(fuzz_replies((cemv_bytes){ data, size }));
    return 0;
}
