/* A whole tree over any 10 bytes: the walk and the check end, agree, and stay inside. */
#include "proof.h"

int main(void)
{
    uint8_t memory[10];
    const cemv_bytes bytes = any_bytes(memory, sizeof memory);
    struct cemv_tlv_walk walk = cemv_tlv_walk_open(bytes);
    struct cemv_tlv object;
    uint8_t depth = 0;
    size_t nodes = 0, at = 0;
    while (cemv_tlv_walk_next(&walk, &object, &depth)) {
        HOLDS(depth >= 1 && depth <= CEMV_TLV_MAX_DEPTH);
        HOLDS(object.value.size <= bytes.size && (size_t)(object.value.data - bytes.data) + object.value.size <= bytes.size);
        nodes++;
        HOLDS(2 * nodes <= bytes.size);
    }
    const enum cemv_wire_error error = cemv_tlv_check(bytes, &at);
    HOLDS(error == walk.error);
    HOLDS(error == CEMV_WIRE_OK || at <= bytes.size);
    return 0;
}
