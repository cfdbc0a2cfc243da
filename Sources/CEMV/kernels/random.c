/* SPDX-License-Identifier: Apache-2.0 */
/* Unpredictable numbers: taken from the pool that the driver filled, and compared with the last ones. Never invents
 * bytes; knows no source of them and no command (Book A, 8.1.1.8). */
#include "kernel.h"
#include "../crypto/secret.h"

/* The engine has no source of random bytes and makes none up from anything: a number that can be foretold lets a card
 * be asked today for what will be needed tomorrow. So the driver supplies bytes, and a kernel without enough of them
 * stops and asks. Used bytes are wiped, lest they be handed out twice or read later from a copy of the session. */
void cemv_random_fill(struct cemv_random *random, cemv_bytes bytes)
{
    random->size = (uint8_t)(bytes.size < sizeof random->pool ? bytes.size : sizeof random->pool);
    random->used = 0;
    cemv_copy(random->pool, bytes.data, random->size);
}

size_t cemv_random_take(struct cemv_random *random, uint8_t *out, size_t size)
{
    const size_t left = (size_t)random->size - random->used, taken = size < left ? size : left;
    cemv_copy(out, random->pool + random->used, taken);
    cemv_wipe(random->pool + random->used, taken);
    random->used = (uint8_t)(random->used + taken);
    return taken;
}

bool cemv_random_draw(struct cemv_random *random, uint8_t number[4])
{
    if (random->size - random->used < 4) return false;
    cemv_copy(number, random->pool + random->used, 4);
    crypto_declassify(number, 4); /* on the air: the pool is secret for the sake of keys that are drawn from it */
    cemv_zero(random->pool + random->used, 4);
    random->used = (uint8_t)(random->used + 4);
    return true;
}

/* Four random bytes repeat by accident once in four thousand million draws. Within the last few a repetition means that
 * the source is stuck, whatever its datasheet says (A21). `count` runs to twice the ring and back to once, so that
 * its remainder is always the oldest place. */
bool cemv_random_seen(struct cemv_random *random, const uint8_t number[4])
{
    bool seen = false;
    for (unsigned i = 0; i < random->count && i < CEMV_UN_MEMORY; i++)
        if (cemv_memcmp(random->numbers[i], number, 4) == 0) seen = true;
    cemv_copy(random->numbers[random->count % CEMV_UN_MEMORY], number, 4);
    if (random->count < 2 * CEMV_UN_MEMORY - 1) random->count++;
    else random->count = CEMV_UN_MEMORY;
    return seen;
}

enum cemv_step cemv_ask_random(struct cemv_kernel *kernel, uint8_t state)
{
    const cemv_bytes nothing = { NULL, 0 };
    return cemv_output_ask(&kernel->out, kernel->row->module->edges, state, CEMV_ASK_RANDOM, nothing, 0);
}
