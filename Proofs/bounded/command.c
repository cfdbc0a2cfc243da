/* SPDX-License-Identifier: Apache-2.0 */
/* Commands over any 12 bytes: the decoded parts lie in them, and writing them again gives an equal command, never
 * longer. */
#include "proof.h"

int main(void)
{
    uint8_t memory[12], out[16];
    const cemv_bytes bytes = any_bytes(memory, sizeof memory);
    struct cemv_command command, again;
    cemv_bytes body;
    uint16_t word;
    HOLDS(cemv_response_decode(bytes, &body, &word) == (bytes.size >= 2));
    if (!cemv_command_decode(bytes, &command)) return 0;
    HOLDS(command.le <= 65536 && command.data.size <= bytes.size - 4);
    if (command.data.size != 0) HOLDS((size_t)(command.data.data - bytes.data) + command.data.size <= bytes.size);
    const cemv_bytes coded = cemv_command_encode(&command, out, sizeof out);
    HOLDS(coded.size >= 4 && coded.size <= bytes.size);
    HOLDS(cemv_command_decode(coded, &again));
    HOLDS(again.le == command.le && again.data.size == command.data.size && again.ins == command.ins &&
          again.p2 == command.p2);
    return 0;
}
