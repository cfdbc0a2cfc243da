/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs of our own single functions, for measuring other libraries. */
#ifndef EMV_BENCH_PEERS_H
#define EMV_BENCH_PEERS_H

#include <stddef.h>
#include <stdint.h>

struct peer_input {
    const uint8_t *modulus, *signature;
    size_t size;
    const uint8_t *message;
    size_t message_size;
};
struct peer_input peer_input(void);

#endif
